//! Components of drive trains on the bench, one behaviour per test: gearboxes, engine, retarder, lock-up, differential
//! lock. Speeds belong to the middle of a step, so closed forms are compared from step to step.

use crate::kit::Rig;
use crate::train::*;
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_vehicle::driveline::{
    Component, Converter, Differential, ElectricMotor, Engine, EngineMode, GearPhase, Gearbox, Lock, LockUp,
    Memory, Retarder, ShiftMap, Starter,
};
use windlass_vehicle::{Map, Signal, Table};

/// Relative error of a row with bounds: ten times its least compliance (`solve/regularize.rs`).
const BOUNDED: f64 = 1e-7;

#[track_caller]
fn near(value: f64, reference: f64, within: f64) {
    assert!((value - reference).abs() <= within, "{value} for {reference}, allowed {within}");
}

/// A motor with a torque on a shaft; at its limit it holds the speed, backwards with a throttle of −1.
fn motor(bench: &mut Bench, shaft: usize, torque: f64, limit: f64) {
    let motor = ElectricMotor { shaft, torque, power: 1e12, limit, steer: 0.0, traction_control: None };
    bench.mount("motor", Component::Motor(motor));
}

/// Changes a signal while the bench runs.
fn command(bench: &mut Bench, signal: Signal, value: f64) {
    bench.signal(signal, value);
    bench.apply();
}

/// The values of a trace without repetitions.
fn stages<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut stages: Vec<T> = values.collect();
    stages.dedup();
    stages
}

/// The stages of the gearbox and its gears in a trace.
fn changes(trace: &[(Memory, [f64; 2])]) -> Vec<(GearPhase, f64)> {
    stages(trace.iter().map(|(memory, _)| (GearPhase::of(memory), memory.setting)))
}

/// Moments of inertia of input and output of the gearbox on the bench [kg·m²].
const INERTIA: [f64; 2] = [0.02, 5.0];
/// Ratios of its gears.
const RATIOS: [f64; 4] = [3.5, 2.0, 1.4, 1.0];
/// Ratio of its reverse gear.
const REVERSE: f64 = 3.0;
/// Largest torque of its synchronisers [N·m].
const SYNCHRONIZER: f64 = 10.0;
/// Its shift time [s].
const SHIFT: f64 = 0.3;

fn manual(gear: i32) -> Gearbox {
    Gearbox {
        input: 0,
        output: 1,
        ratios: RATIOS.to_vec(),
        reverse: REVERSE,
        synchronizer: SYNCHRONIZER,
        shift_time: SHIFT,
        rev_match: 0.0,
        automatic: None,
        gear,
        is_range: false,
    }
}

/// A gearbox between shafts 0 and 1, which turn at given speeds.
fn gearbox(dt: f64, [input, output]: [f64; 2], gearbox: Gearbox) -> Bench {
    let mut bench = Bench::new(dt);
    bench.shaft(INERTIA[0], input);
    bench.shaft(INERTIA[1], output);
    bench.mount("gearbox", Component::Gearbox(gearbox));
    bench
}

/// Gear 1 to gear 2 with a load T on the output. The torque of a gear of ratio i leaves I_out ω_out + i I_in ω_in as it
/// is, so that it decreases by T h in each step: with i of gear 1 while that is engaged, and with i of gear 2 from the
/// release on.
#[test]
fn a_manual_change_of_gear_releases_synchronises_and_engages() {
    const LOAD: f64 = 25.0;
    for dt in STEPS {
        let mut bench = gearbox(dt, [70.0, 20.0], manual(1));
        bench.load(1, LOAD);
        bench.signal(Signal::Gear, 1.0);
        bench.start();
        bench.rig.run(0.1, |_, _| {});
        command(&mut bench, Signal::Gear, 2.0);
        let trace = bench.watch(1.0, "gearbox", [0, 1]);
        use GearPhase::{Engaged, Released, Synchronizing};
        let order = [(Engaged, 1.0), (Released, 1.0), (Synchronizing, 2.0), (Engaged, 2.0)];
        assert_eq!(changes(&trace), order);
        let in_phase = |phase| trace.iter().filter(|(memory, _)| GearPhase::of(memory) == phase).count();
        assert_eq!(in_phase(Released), (SHIFT / dt).round() as usize);
        for pair in trace.windows(2) {
            let [(memory, [a, b]), (after, [input, output])] = [pair[0], pair[1]];
            let (phase, torque) = (GearPhase::of(&memory), after.torque[0]);
            let ratio = if (phase, memory.setting) == (Engaged, 1.0) { RATIOS[0] } else { RATIOS[1] };
            match phase {
                Engaged => {
                    assert!(torque.abs() > 0.1, "it transmits torque");
                    near(input, ratio * output, 1e-9);
                }
                Synchronizing => assert!((-SYNCHRONIZER - 1e-9..0.0).contains(&torque), "{torque}"),
                _ => {
                    assert_eq!(torque, 0.0);
                    near(input, a, 1e-12);
                }
            }
            let change = INERTIA[1] * (output - b) + ratio * INERTIA[0] * (input - a);
            near(change, -LOAD * dt, 1e-6 * LOAD * dt);
        }
        // the synchroniser slips until 3 rad/s are left, with its full torque on the difference of speeds
        let slowing = SYNCHRONIZER * (1.0 / INERTIA[0] + RATIOS[1] * RATIOS[1] / INERTIA[1]);
        let slowing = slowing - RATIOS[1] * LOAD / INERTIA[1];
        let start = trace.iter().find(|(memory, _)| GearPhase::of(memory) == Synchronizing).unwrap().1;
        let time = (start[0] - RATIOS[1] * start[1] - 3.0) / slowing;
        near(in_phase(Synchronizing) as f64 * dt, time, dt);
        // heat: the kinetic energy lost, less the work of the load
        let kinetic =
            |[input, output]: [f64; 2]| 0.5 * (INERTIA[0] * input * input + INERTIA[1] * output * output);
        let slipping = trace.windows(2).filter(|pair| GearPhase::of(&pair[0].0) == Synchronizing);
        let heat: f64 = slipping
            .map(|pair| {
                let [before, after] = [pair[0].1, pair[1].1];
                kinetic(before) - kinetic(after) - LOAD * 0.5 * (before[1] + after[1]) * dt
            })
            .sum();
        near(trace.last().unwrap().0.total, heat, 1e-6 * heat);
    }
}

/// Gear 1 to gear 2 with matched speeds: the input loses ½ I_in (ω₁² − ω₂²) to its housing within the shift time, the
/// gear engages at its end, and the output does not notice.
#[test]
fn a_matched_change_of_gear_leaves_the_output_alone() {
    for dt in STEPS {
        let mut bench = gearbox(dt, [70.0, 20.0], Gearbox { rev_match: 100.0, ..manual(1) });
        bench.signal(Signal::Gear, 2.0);
        bench.start();
        let trace = bench.watch(0.5, "gearbox", [0, 1]);
        use GearPhase::{Engaged, Released};
        assert_eq!(changes(&trace), [(Engaged, 1.0), (Released, 1.0), (Engaged, 2.0)]);
        trace.iter().for_each(|(_, [_, output])| near(*output, 20.0, 1e-9));
        let (memory, [input, _]) = trace.last().unwrap();
        let matched = RATIOS[1] * 20.0;
        near(*input, matched, 1e-9);
        near(memory.total, 0.5 * INERTIA[0] * (70.0 * 70.0 - matched * matched), 1e-6);
    }
}

/// A synchroniser that cannot bring a driven input to the speed of a blocked output gives up after a second. The box
/// then is in neutral until the lever has been moved, even if the speeds agree meanwhile.
#[test]
fn a_gear_that_does_not_synchronise_is_refused_until_the_lever_moves() {
    use GearPhase::{Engaged, Refused, Released, Synchronizing};
    for dt in STEPS {
        let mut bench = gearbox(dt, [300.0, 0.0], manual(0));
        motor(&mut bench, 0, 1e3, 300.0);
        bench.load(0, 1.0);
        bench.load(1, 1e4);
        bench.signal(Signal::Throttle, 1.0);
        bench.signal(Signal::Gear, 1.0);
        bench.start();
        let trace = bench.watch(3.0, "gearbox", [0, 1]);
        let order = [(Engaged, 0.0), (Released, 0.0), (Synchronizing, 1.0), (Refused, 1.0)];
        assert_eq!(changes(&trace), order);
        let tried = trace.iter().filter(|(memory, _)| GearPhase::of(memory) == Synchronizing);
        near(tried.count() as f64 * dt, 1.0, 1.5 * dt);
        // the input stops: the speeds agree, but the lever is where it was
        command(&mut bench, Signal::Throttle, 0.0);
        let trace = bench.watch(8.0, "gearbox", [0, 1]);
        assert_eq!(changes(&trace), [(Refused, 1.0)]);
        assert!(trace.iter().skip(1).all(|(memory, _)| memory.torque[0] == 0.0));
        assert_eq!(trace.last().unwrap().0.slip, 0.0);
        command(&mut bench, Signal::Gear, 0.0);
        bench.rig.run(0.5, |_, _| {});
        command(&mut bench, Signal::Gear, 1.0);
        let trace = bench.watch(0.5, "gearbox", [0, 1]);
        let order = [(Engaged, 0.0), (Released, 0.0), (Synchronizing, 1.0), (Engaged, 1.0)];
        assert_eq!(changes(&trace), order);
    }
}

/// In neutral the input accelerates by T/I_in alone, and the output keeps its speed.
#[test]
fn neutral_transmits_nothing() {
    for dt in STEPS {
        let mut bench = gearbox(dt, [0.0, 20.0], manual(1));
        motor(&mut bench, 0, 4.0, 1e6);
        bench.signal(Signal::Throttle, 1.0);
        bench.signal(Signal::Gear, 0.0);
        bench.vehicle.components[0].1 = Component::Gearbox(manual(0));
        bench.start();
        let trace = bench.watch(1.0, "gearbox", [0, 1]);
        assert_eq!(changes(&trace), [(GearPhase::Engaged, 0.0)]);
        for pair in trace.windows(2).skip(1) {
            let [(_, [before, _]), (memory, [input, output])] = [pair[0], pair[1]];
            assert_eq!(memory.torque[0], 0.0);
            near(input - before, 4.0 / INERTIA[0] * dt, 1e-9);
            near(output, 20.0, 1e-12);
        }
    }
}

/// In reverse ω_in = −i ω_out: a torque T at the input accelerates the output by −i T/(I_out + i² I_in).
#[test]
fn reverse_turns_the_output_backwards() {
    for dt in STEPS {
        let mut bench = gearbox(dt, [0.0; 2], manual(-1));
        motor(&mut bench, 0, 4.0, 1e6);
        bench.signal(Signal::Throttle, 1.0);
        bench.signal(Signal::Gear, -1.0);
        bench.start();
        let trace = bench.watch(1.0, "gearbox", [0, 1]);
        let acceleration = -REVERSE * 4.0 / (INERTIA[1] + REVERSE * REVERSE * INERTIA[0]);
        for pair in trace.windows(2).skip(1) {
            let [(_, [_, before]), (_, [input, output])] = [pair[0], pair[1]];
            near(output - before, acceleration * dt, 1e-9);
            near(input, -REVERSE * output, 1e-9);
        }
    }
}

/// Without a gear signal the box stays in the gear of the start; a lever beyond the gears is that of the nearest gear.
#[test]
fn a_gearbox_without_a_lever_stays_in_its_gear() {
    let gears = |lever: Option<f64>, gearbox: Gearbox| {
        let mut bench = self::gearbox(1.0 / 60.0, [0.0; 2], gearbox);
        if let Some(lever) = lever {
            bench.signal(Signal::Gear, lever);
        }
        bench.start();
        changes(&bench.watch(2.0, "gearbox", [0, 1])).last().copied().unwrap()
    };
    for gear in [-1, 0, 1, 3] {
        assert_eq!(gears(None, manual(gear)), (GearPhase::Engaged, f64::from(gear)));
    }
    assert_eq!(gears(Some(9.0), manual(1)), (GearPhase::Engaged, 4.0));
    assert_eq!(gears(Some(-9.0), manual(1)), (GearPhase::Engaged, -1.0));
    assert_eq!(gears(Some(-1.0), Gearbox { reverse: 0.0, ..manual(1) }), (GearPhase::Engaged, 0.0));
}

/// Speeds at which the automatic of these tests changes the gear, without and with full throttle, and its hold time.
const MAP: ShiftMap = ShiftMap { up: [200.0, 400.0], down: [90.0, 150.0], hold: 0.5 };

/// A range gearbox follows the range, not the gear: 0 is its last gear, 1 the one before, and it has no neutral.
#[test]
fn a_range_gearbox_follows_the_range() {
    for (range, gear) in
        [(None, 2.0), (Some(0.0), 2.0), (Some(1.0), 1.0), (Some(5.0), 1.0), (Some(-1.0), 2.0)]
    {
        let ratios = vec![2.6, 1.0];
        let mut bench = gearbox(STEPS[0], [0.0, 0.0], Gearbox { ratios, is_range: true, ..manual(2) });
        bench.signal(Signal::Gear, 0.0);
        if let Some(range) = range {
            bench.signal(Signal::Range, range);
        }
        bench.start();
        let trace = bench.watch(1.0, "gearbox", [0, 1]);
        let last = trace.last().unwrap().0;
        assert_eq!((GearPhase::of(&last), last.setting), (GearPhase::Engaged, gear), "range {range:?}");
    }
}

fn automatic(gear: i32) -> Gearbox {
    Gearbox { automatic: Some(MAP), synchronizer: 50.0, ..manual(gear) }
}

/// An automatic at a speed of its output, with a torque on the output and a throttle.
fn automatic_at(dt: f64, gear: i32, output: f64, torque: f64, throttle: f64) -> Bench {
    let ratio = RATIOS[gear as usize - 1];
    let mut bench = gearbox(dt, [ratio * output, output], automatic(gear));
    let torque = Applied::torque(bench.body(1), Direction::World(DVec3::Z * torque));
    bench.rig.world.add_force(Force::Applied(torque)).unwrap();
    bench.signal(Signal::Gear, 1.0);
    bench.signal(Signal::Throttle, throttle);
    bench
}

/// The releases in a trace: the gear that is left, and the speeds of the output at the starts of the two last steps
/// before. The second is that by which the box decides.
fn releases(trace: &[(Memory, [f64; 2])]) -> Vec<(usize, [f64; 2])> {
    let released = |k: &usize| {
        [k - 1, *k].map(|k| GearPhase::of(&trace[k].0)) == [GearPhase::Engaged, GearPhase::Released]
    };
    let found = (2..trace.len()).filter(released);
    found.map(|k| (trace[k].0.setting as usize, [trace[k - 2].1[1], trace[k - 1].1[1]])).collect()
}

/// It changes up, gear by gear, in the first step at whose start i ω_out exceeds the map's speed, and down in the same
/// way below it.
#[test]
fn an_automatic_follows_its_shift_map() {
    for dt in STEPS {
        for throttle in [0.0, 0.5] {
            let at = |[none, full]: [f64; 2]| none + (full - none) * throttle;
            let mut bench = automatic_at(dt, 1, 10.0, 100.0, throttle);
            bench.start();
            let trace = bench.watch(12.0, "gearbox", [0, 1]);
            let up = releases(&trace);
            assert_eq!(up.iter().map(|(gear, _)| *gear).collect::<Vec<_>>(), [1, 2, 3]);
            for (gear, [before, now]) in up {
                let speed = at(MAP.up) / RATIOS[gear - 1];
                assert!(before <= speed && speed < now, "{gear} up at {now} for {speed}");
            }
            let mut bench = automatic_at(dt, 4, 240.0, -100.0, throttle);
            bench.start();
            let trace = bench.watch(12.0, "gearbox", [0, 1]);
            let down = releases(&trace);
            assert_eq!(down.iter().map(|(gear, _)| *gear).collect::<Vec<_>>(), [4, 3, 2]);
            for (gear, [before, now]) in down {
                let speed = at(MAP.down) / RATIOS[gear - 1];
                assert!(before >= speed && speed > now, "{gear} down at {now} for {speed}");
            }
            let (memory, [input, output]) = trace.last().unwrap();
            assert_eq!((GearPhase::of(memory), memory.setting), (GearPhase::Engaged, 1.0));
            near(*input, RATIOS[0] * output, 1e-9);
        }
    }
}

/// At 95 rad/s gear 3 turns its input at 133 rad/s: above 90 and below 150, the speeds of the change to gear 2 without
/// and with full throttle. There it turns at 190 rad/s and stays, with and without throttle.
#[test]
fn more_throttle_at_the_same_speed_changes_down() {
    for dt in STEPS {
        let mut bench = automatic_at(dt, 3, 95.0, 0.0, 0.0);
        bench.start();
        let gears =
            |bench: &mut Bench| stages(bench.watch(3.0, "gearbox", [0, 1]).iter().map(|s| s.0.setting));
        assert_eq!(gears(&mut bench), [3.0]);
        command(&mut bench, Signal::Throttle, 1.0);
        assert_eq!(gears(&mut bench), [3.0, 2.0]);
        near(bench.speed(1), 95.0, 1.0);
        assert_eq!(gears(&mut bench), [2.0]);
        command(&mut bench, Signal::Throttle, 0.0);
        assert_eq!(gears(&mut bench), [2.0]);
    }
}

/// Far above all speeds of the map, an automatic keeps each gear for its hold time, and no longer.
#[test]
fn an_automatic_keeps_a_gear_for_its_hold_time() {
    for dt in STEPS {
        let mut bench = automatic_at(dt, 1, 500.0, 0.0, 0.0);
        bench.start();
        let trace = bench.watch(5.0, "gearbox", [0, 1]);
        for gear in [1.0, 2.0, 3.0] {
            let kept = |(memory, _): &&(Memory, [f64; 2])| {
                memory.setting == gear && GearPhase::of(memory) == GearPhase::Engaged
            };
            near(trace.iter().filter(kept).count() as f64 * dt, MAP.hold, 1.5 * dt);
        }
        assert_eq!(trace.last().unwrap().0.setting, 4.0);
    }
}

/// Moment of inertia of the engine on the bench [kg·m²].
const CRANK: f64 = 0.2;
/// Its idle speed [rad/s].
const IDLE: f64 = 80.0;
/// Speed below which it stalls [rad/s].
const STALL: f64 = 40.0;
/// Its drag [N·m].
const DRAG: f64 = 12.0;
/// Its torque at full load [N·m].
const FULL_LOAD: f64 = 150.0;
/// Its starter.
const STARTER: Starter = Starter { torque: 60.0, speed: 50.0 };

/// An engine on shaft 0.
fn engine_at(dt: f64, speed: f64, change: impl FnOnce(&mut Engine)) -> Bench {
    let mut bench = Bench::new(dt);
    let shaft = bench.shaft(CRANK, speed);
    let mut engine = Engine {
        drag: Table::constant(DRAG),
        idle: IDLE,
        stall: STALL,
        starter: STARTER,
        ..engine(shaft, Table::constant(FULL_LOAD), 600.0)
    };
    change(&mut engine);
    bench.mount("engine", Component::Engine(engine));
    bench
}

/// The modes in a trace, each with its duration in steps.
fn modes(trace: &[(Memory, [f64; 2])]) -> Vec<(EngineMode, usize)> {
    let all = || trace.iter().skip(1).map(|(memory, _)| EngineMode::of(memory));
    let count = |mode| (mode, all().filter(|other| *other == mode).count());
    stages(all()).into_iter().map(count).collect()
}

/// The starter turns the engine at (T_s − T_drag)/I to its own speed. 0.2 s above the stall speed it runs, and idles;
/// with the ignition off the drag stops it, and holds it.
#[test]
fn an_engine_starts_idles_and_is_switched_off() {
    for dt in STEPS {
        let mut bench = engine_at(dt, 0.0, |engine| engine.runs = false);
        bench.start();
        let trace = bench.watch(0.2, "engine", [0, 0]);
        assert!(
            trace
                .iter()
                .all(|(memory, [speed, _])| EngineMode::of(memory) == EngineMode::Off && *speed == 0.0)
        );
        command(&mut bench, Signal::Ignition, 2.0);
        let trace = bench.watch(2.0, "engine", [0, 0]);
        let modes = modes(&trace);
        assert_eq!(
            modes.iter().map(|(mode, _)| *mode).collect::<Vec<_>>(),
            [EngineMode::Cranking, EngineMode::Running]
        );
        let acceleration = (STARTER.torque - DRAG) / CRANK;
        near(modes[0].1 as f64 * dt, STALL / acceleration + 0.2, 2.5 * dt);
        let cranking = trace.iter().filter(|(memory, _)| EngineMode::of(memory) == EngineMode::Cranking);
        let fastest = cranking.map(|(_, [speed, _])| *speed).fold(0.0, f64::max);
        near(fastest, STARTER.speed, BOUNDED * STARTER.speed);
        let [(_, [a, _]), (_, [b, _])] = [trace[2], trace[4]];
        near(b - a, 2.0 * acceleration * dt, 1e-6);
        command(&mut bench, Signal::Ignition, 1.0);
        let trace = bench.watch(1.0, "engine", [0, 0]);
        assert!(trace.iter().all(|(memory, _)| EngineMode::of(memory) == EngineMode::Running));
        near(trace.last().unwrap().1[0], IDLE, BOUNDED * IDLE);
        command(&mut bench, Signal::Ignition, 0.0);
        let trace = bench.watch(3.0, "engine", [0, 0]);
        // one more step, in which the engine still runs
        let stops = trace.iter().filter(|(_, [speed, _])| *speed > 1e-6).count() as f64 * dt;
        near(stops, IDLE * CRANK / DRAG, 2.5 * dt);
        let (memory, [speed, _]) = trace.last().unwrap();
        assert_eq!(EngineMode::of(memory), EngineMode::Off);
        near(*speed, 0.0, 1e-9);
    }
}

/// A key that is released before the engine has caught leaves it off.
#[test]
fn an_engine_that_has_not_caught_is_off_again() {
    let mut bench = engine_at(1.0 / 60.0, 0.0, |engine| engine.runs = false);
    bench.signal(Signal::Ignition, 2.0);
    bench.start();
    // at the stall speed after 0.17 s
    bench.rig.run(0.25, |_, _| {});
    command(&mut bench, Signal::Ignition, 1.0);
    let trace = bench.watch(2.0, "engine", [0, 0]);
    assert_eq!(modes(&trace).iter().map(|(mode, _)| *mode).collect::<Vec<_>>(), [EngineMode::Off]);
    near(trace.last().unwrap().1[0], 0.0, 1e-9);
}

/// Without throttle the engine falls by (T_drag + T_load)/I to its idle speed and not below; there it burns what drag
/// and load take.
#[test]
fn an_engine_without_throttle_holds_its_idle_speed() {
    const LOAD: f64 = 20.0;
    for dt in STEPS {
        let mut bench = engine_at(dt, 200.0, |_| {});
        bench.load(0, LOAD);
        bench.start();
        let trace = bench.watch(3.0, "engine", [0, 0]);
        let falling = trace.windows(2).skip(1).take((0.5 / dt) as usize);
        for pair in falling {
            near(pair[1].1[0] - pair[0].1[0], -(DRAG + LOAD) / CRANK * dt, 1e-6);
        }
        let lowest = trace.iter().fold(f64::INFINITY, |least, (_, [speed, _])| least.min(*speed));
        near(lowest, IDLE, BOUNDED * IDLE);
        let (memory, [speed, _]) = trace.last().unwrap();
        near(*speed, IDLE, BOUNDED * IDLE);
        near(memory.torque[0], DRAG + LOAD, 1e-6);
    }
}

/// At full throttle against more than the table has, the engine falls by (T_load − T_full)/I at all speeds, through its idle
/// speed to the stall: idle control and throttle together give what the table has.
#[test]
fn an_engine_gives_no_more_than_its_table_below_idle() {
    const LOAD: f64 = FULL_LOAD + 50.0;
    for dt in STEPS {
        for throttle in [0.0, 0.4, 1.0] {
            let mut bench = engine_at(dt, 1.2 * IDLE, |_| {});
            bench.signal(Signal::Throttle, throttle);
            bench.load(0, LOAD);
            bench.start();
            let trace = bench.watch(3.0, "engine", [0, 0]);
            let most = trace.iter().fold(0.0, |most: f64, (memory, _)| most.max(memory.torque[1]));
            assert!(most <= FULL_LOAD + 1e-9, "{most} N·m at a throttle of {throttle}");
            let below = trace.windows(2).filter(|pair| (STALL..IDLE).contains(&pair[0].1[0]));
            for pair in below.filter(|pair| pair[1].1[0] > STALL) {
                near(pair[1].1[0] - pair[0].1[0], (FULL_LOAD - LOAD) / CRANK * dt, 1e-6);
            }
            assert_eq!(EngineMode::of(&trace.last().unwrap().0), EngineMode::Stalled);
        }
    }
}

/// Between the curves of the map the torque is linear in the throttle; the idle control adds what full throttle has.
#[test]
fn an_engine_with_a_map_follows_it() {
    let constant = |torque: f64| Table::constant(torque);
    let map =
        Map::new(vec![(0.0, constant(-DRAG)), (0.25, constant(0.8 * FULL_LOAD)), (1.0, constant(FULL_LOAD))]);
    let map = map.unwrap();
    for (throttle, torque) in [(0.25, 0.8 * FULL_LOAD), (0.625, 0.9 * FULL_LOAD), (1.0, FULL_LOAD)] {
        let mut bench = engine_at(STEPS[0], 2.0 * IDLE, |engine| engine.map = Some(map.clone()));
        bench.signal(Signal::Throttle, throttle);
        bench.start();
        let trace = bench.watch(0.1, "engine", [0, 0]);
        near(trace.last().unwrap().0.torque[1], torque, 1e-6);
    }
    let mut bench = engine_at(STEPS[0], 0.9 * IDLE, |engine| engine.map = Some(map));
    bench.signal(Signal::Throttle, 0.25);
    bench.load(0, 1e3);
    bench.start();
    let trace = bench.watch(STEPS[0], "engine", [0, 0]);
    near(trace.last().unwrap().0.torque[1], FULL_LOAD, 1e-6);
}

/// T_drag = a + b ω: ω = (ω₀ + a/b) exp(−b t/I) − a/b. In a step the drag is that of the speed at its start.
#[test]
fn the_drag_of_the_table_slows_an_engine_that_is_off() {
    let (a, b) = (8.0, 0.05);
    for (dt, tolerance) in [(1.0 / 60.0, 0.5), (1e-3, 0.03)] {
        let drag = Table::new(&[0.0, 1000.0], &[a, a + 1000.0 * b]).unwrap();
        let mut bench = engine_at(dt, 500.0, |engine| (engine.drag, engine.runs) = (drag, false));
        bench.start();
        let trace = bench.watch(2.0, "engine", [0, 0]);
        for pair in trace.windows(2).skip(1) {
            let [before, after] = [pair[0].1[0], pair[1].1[0]];
            near(after - before, -(a + b * before) / CRANK * dt, 1e-9);
        }
        for (k, (_, [speed, _])) in trace.iter().enumerate().skip(1) {
            let time = (k as f64 - 0.5) * dt;
            near(*speed, (500.0 + a / b) * libm::exp(-b * time / CRANK) - a / b, tolerance);
        }
    }
}

/// The throttle follows its signal by 1 − exp(−t/τ) up and by exp(−t/τ) down, and the torque burnt is its share of
/// T_full + T_drag.
#[test]
fn the_throttle_follows_with_its_time_constant() {
    const LAG: f64 = 0.4;
    for dt in STEPS {
        let mut bench = engine_at(dt, 100.0, |engine| (engine.throttle_lag, engine.idle) = (LAG, 0.0));
        bench.signal(Signal::Throttle, 1.0);
        bench.start();
        let burns = |memory: &Memory| near(memory.torque[0], memory.setting * (FULL_LOAD + DRAG), 1e-9);
        let up = bench.watch(0.5, "engine", [0, 0]);
        for (k, (memory, _)) in up.iter().enumerate().skip(1) {
            near(memory.setting, 1.0 - libm::exp(-(k as f64) * dt / LAG), 1e-12);
            burns(memory);
        }
        command(&mut bench, Signal::Throttle, 0.0);
        let down = bench.watch(0.5, "engine", [0, 0]);
        for (k, (memory, _)) in down.iter().enumerate().skip(1) {
            near(memory.setting, down[0].0.setting * libm::exp(-(k as f64) * dt / LAG), 1e-12);
            burns(memory);
        }
    }
}

/// Largest torque of the retarder on the bench [N·m].
const BRAKING: f64 = 800.0;
/// Speed from which on it has it [rad/s].
const FULL: f64 = 120.0;

fn retarder(dt: f64, inertia: f64, speed: f64) -> Bench {
    let mut bench = Bench::new(dt);
    let shaft = bench.shaft(inertia, speed);
    bench.mount("retarder", Component::Retarder(Retarder { shaft, torque: BRAKING, speed: FULL }));
    bench
}

/// x T_max min(1, (ω/ω₀)²) against the rotation, forwards and backwards, and nothing at rest.
#[test]
fn the_torque_of_a_retarder_is_that_of_its_law() {
    for dt in STEPS {
        for part in [0.0, 0.1, 0.5, 0.9, 1.0, 1.7] {
            for (sign, share) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, 0.3)] {
                let mut bench = retarder(dt, 1.0, sign * part * FULL);
                motor(&mut bench, 0, 1e5, part * FULL);
                bench.signal(Signal::Throttle, sign);
                bench.signal(Signal::Retarder, share);
                bench.start();
                bench.rig.run(0.5, |_, _| {});
                let torque = memory(&bench.rig.world, "retarder").torque[0];
                let law = -sign * share * BRAKING * (part * part).min(1.0);
                near(torque, law, 1e-6 * BRAKING);
            }
        }
    }
}

/// Below ω₀ I ω̇ = −k ω |ω|, so that 1/|ω| increases by k t/I: the secant of a step gives that to round-off. Above, the
/// torque is constant, and the secant of a step is off by Δω/ω of it.
#[test]
fn a_retarder_slows_a_shaft_as_the_closed_form_says() {
    let inertia = 10.0;
    for dt in STEPS {
        for sign in [1.0, -1.0] {
            let mut bench = retarder(dt, inertia, sign * 300.0);
            bench.signal(Signal::Retarder, 1.0);
            bench.start();
            let trace = bench.watch(8.0, "retarder", [0, 0]);
            let speeds: Vec<f64> = trace.iter().skip(1).map(|(_, [speed, _])| sign * speed).collect();
            assert!(speeds[0] > FULL && speeds.last().unwrap() < &(0.5 * FULL));
            for pair in speeds.windows(2) {
                let [before, after] = [pair[0], pair[1]];
                if before > FULL {
                    let change = BRAKING * dt / inertia;
                    near(after - before, -change, change * change / before);
                } else {
                    let k = BRAKING / (FULL * FULL);
                    near(1.0 / after - 1.0 / before, k * dt / inertia, 1e-9);
                }
            }
        }
    }
}

/// A retarder is no parking brake: a small torque turns a shaft at rest.
#[test]
fn a_retarder_does_not_hold_a_shaft_at_rest() {
    let mut bench = retarder(1.0 / 60.0, 1.0, 0.0);
    motor(&mut bench, 0, 0.5, 1e6);
    bench.signal(Signal::Retarder, 1.0);
    bench.start();
    bench.rig.run(0.2, |_, _| {});
    assert_eq!(bench.speed(0), 0.0);
    command(&mut bench, Signal::Throttle, 1.0);
    bench.rig.run(30.0, |_, _| {});
    // where its torque is that of the motor
    near(bench.speed(0), FULL * libm::sqrt(0.5 / BRAKING), 1e-3);
}

/// A converter between a pump that is held at 200 rad/s and a turbine with a load; lock-up with a torque from ν = 0.9 and a
/// turbine speed on.
fn converter(dt: f64, [lock_up, speed]: [f64; 2]) -> Bench {
    let mut bench = Bench::new(dt);
    bench.shaft(0.3, 200.0);
    bench.shaft(2.0, 0.0);
    motor(&mut bench, 0, 1e5, 200.0);
    let capacity = Table::new(&[0.0, 0.75, 1.0], &[15.0, 16.0, 35.0]).unwrap();
    let ratio = Table::new(&[0.0, 0.75, 1.0], &[2.0, 1.15, 1.0]).unwrap();
    let converter = Converter {
        pump: 0,
        turbine: 1,
        capacity,
        ratio,
        lock_up: Some(LockUp { torque: lock_up, ratio: 0.9, speed }),
    };
    bench.mount("converter", Component::Converter(converter));
    bench.load(1, 30.0);
    bench.signal(Signal::Throttle, 1.0);
    bench
}

/// The lock-up transmits nothing in the steps that start below its speed ratio, and closes in the first one above it.
#[test]
fn a_lock_up_closes_at_its_speed_ratio_and_ends_the_heat() {
    for dt in STEPS {
        let mut bench = converter(dt, [500.0, 0.0]);
        bench.start();
        let trace = bench.watch(6.0, "converter", [0, 1]);
        let ratio = |[pump, turbine]: [f64; 2]| turbine / pump;
        for pair in trace.windows(2) {
            let closes = ratio(pair[0].1) > 0.9;
            assert_eq!(pair[1].0.torque[1] != 0.0, closes, "at {}", ratio(pair[0].1));
        }
        let (locked, [pump, turbine]) = trace.last().unwrap();
        near(*turbine, *pump, BOUNDED * pump);
        let second = (1.0 / dt) as usize;
        near(trace[trace.len() - second].0.total, locked.total, 1e-3);
        // without it, and below its least speed, slip and heat remain
        for lock_up in [[0.0, 0.0], [500.0, 210.0]] {
            let mut bench = converter(dt, lock_up);
            bench.start();
            let open = bench.watch(6.0, "converter", [0, 1]);
            let (slipping, [pump, turbine]) = open.last().unwrap();
            assert!(pump - turbine > 1.0 && slipping.torque[1] == 0.0, "{pump} {turbine}");
            assert!(slipping.total - open[open.len() - second].0.total > 30.0);
        }
    }
}

/// A differential of ratio 4.1 whose input turns at 41 rad/s, with 10 N·m on one output and 200 N·m on the other.
fn differential(dt: f64, torque: f64, signal: Option<f64>) -> Bench {
    let mut bench = Bench::new(dt);
    let [input, left, right] = [bench.shaft(0.1, 0.0), bench.shaft(1.0, 0.0), bench.shaft(1.0, 0.0)];
    motor(&mut bench, input, 1e4, 41.0);
    let lock = Lock::Switched(torque);
    let differential = Differential { input, outputs: [left, right], ratio: 4.1, split: 0.5, lock };
    bench.mount("differential", Component::Differential(differential));
    bench.load(left, 10.0);
    bench.load(right, 200.0);
    bench.signal(Signal::Throttle, 1.0);
    if let Some(signal) = signal {
        bench.signal(Signal::Lock, signal);
    }
    bench.start();
    bench.rig.run(2.0, |_, _| {});
    bench
}

/// The outputs need a difference of torques of 190 N·m, 95 N·m of the lock, to turn alike. With less the right one rests,
/// holds what the lock transmits, and the left one turns at twice the mean speed.
#[test]
fn a_switched_lock_holds_the_outputs_together_up_to_its_torque() {
    for dt in STEPS {
        for (torque, signal) in [(300.0, Some(1.0)), (300.0, Some(0.5)), (96.0, Some(1.0))] {
            let bench = differential(dt, torque, signal);
            [1, 2].into_iter().for_each(|shaft| near(bench.speed(shaft), 10.0, 1e-5));
            near(memory(&bench.rig.world, "differential").torque[1].abs(), 95.0, 1e-3);
        }
        let slips =
            [(300.0, None, 0.0), (300.0, Some(0.0), 0.0), (50.0, Some(1.0), 50.0), (300.0, Some(0.2), 60.0)];
        for (torque, signal, transmitted) in slips {
            let bench = differential(dt, torque, signal);
            near(bench.speed(1), 20.0, 1e-5);
            near(bench.speed(2), 0.0, 1e-5);
            let right = memory(&bench.rig.world, "load 2").torque[0].abs();
            near(right, 10.0 + 2.0 * transmitted, 1e-3);
        }
    }
}

/// A wheel of 1.2 kg·m² in a light mount on a base that slews slowly: its axle, 1 m from the axis, is along y.
fn wheel_in_a_mount(dt: f64, spin: f64, inertia: f64) -> (Rig, [BodyId; 3]) {
    const SLEW: f64 = 0.3;
    let mut rig = Rig::new(dt, Integrator::Spook).under(DVec3::ZERO);
    let principal = |mass: f64, moments: DVec3| Mass::principal(mass, DVec3::ZERO, moments, DQuat::IDENTITY);
    let base = rig.body("base", principal(100.0, DVec3::splat(1e5)), DVec3::ZERO);
    rig.hinge([rig.ground, base], DVec3::ZERO, DVec3::Z);
    let mount = rig.body("mount", principal(10.0, DVec3::splat(inertia)), DVec3::X);
    let anchors = rig.grips([base, mount], DVec3::X, DQuat::IDENTITY);
    rig.joint(Weld { anchors });
    let wheel = rig.body("wheel", principal(20.0, DVec3::new(0.72, 1.2, 0.72)), DVec3::X);
    rig.hinge([mount, wheel], DVec3::X, DVec3::Y);
    rig.moving(base, DVec3::ZERO, DVec3::Z * SLEW);
    rig.moving(mount, DVec3::Y * SLEW, DVec3::Z * SLEW);
    rig.moving(wheel, DVec3::Y * SLEW, DVec3::new(0.0, spin, SLEW));
    (rig, [base, mount, wheel])
}

/// A mount with less than five times I Ω h does not get the explicit moment of fast rotors (`engine/src/force/rotor.rs`).
/// Up to 2 rad per step the wheel keeps its speed to 2e-5 over 10 s, and its axle its direction to a fraction of the
/// angle of the base per step.
#[test]
fn a_wheel_in_a_light_mount_keeps_its_speed_up_to_two_radians_per_step() {
    for dt in STEPS {
        // the last mount is heavy enough for the explicit moment
        for (turn, inertia) in [(0.3, 0.5), (1.0, 0.5), (1.5, 0.05), (2.0, 0.5), (2.0, 5.0), (2.5, 20.0)] {
            let spin = turn / dt;
            let (mut rig, [base, mount, wheel]) = wheel_in_a_mount(dt, spin, inertia);
            (0..(10.0 / dt) as usize).for_each(|_| assert!(rig.world.step().fault.is_none()));
            let state = |body: BodyId| rig.world.state().bodies[body.index()];
            let axle = state(wheel).orientation * DVec3::Y;
            let speed = axle.dot(state(wheel).angular_velocity - state(mount).angular_velocity);
            near(speed / spin, 1.0, 2e-5);
            near(axle.distance(state(base).orientation * DVec3::Y), 0.0, 1.1 * 0.3 * dt);
        }
    }
}
