//! A subsystem that no crate of Windlass knows is stepped, saved, probed, drawn and edited like any other: the one of the example.

use crate::accumulator;

use accumulator::{Accumulators, Change, lift};
use glam::DVec3;
use windlass_engine::prelude::*;
use windlass_host::probe::Outputs;

fn step(world: &mut World) -> Report {
    let report = world.step();
    assert!(report.fault.is_none(), "{:?}", report.fault);
    report
}

fn height(world: &World, load: BodyId) -> f64 {
    world.state().bodies[load.index()].position.z
}

/// Small swings have the stiffness of a gas that exchanges no heat: ω² = γ p A²/(V m), with p absolute.
#[test]
fn a_load_swings_on_its_gas() {
    for stepper in [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(Adaptive::default())]
    {
        let (mut world, load) = lift(2000.0).unwrap();
        world.set(|s| s.integrator = stepper).unwrap();
        world.set_velocity(load, DVec3::Z * -0.01, DVec3::ZERO).unwrap();
        let pressure: f64 = 2000.0 * 9.81 / 2e-3 + 101_325.0;
        let omega = (1.4 * pressure * 2e-3 * 2e-3 / (0.01 * 2000.0)).sqrt();
        let (mut last, mut crossings) = (0.0, Vec::new());
        while crossings.len() < 3 {
            step(&mut world);
            let (t, off) = (world.state().time, height(&world, load) - 1.25);
            if crossings.len() < 3 && last * off < 0.0 {
                crossings.push(t - world.model().settings().dt * off / (off - last));
            }
            last = off;
        }
        let period = crossings[2] - crossings[0];
        // the gas of a swing of 1/ω ≪ τ exchanges almost no heat: (1/ωτ)² of the stiffness
        let wanted = std::f64::consts::TAU / omega;
        assert!((period / wanted - 1.0).abs() < 2e-3, "{stepper:?}: {period} s, not {wanted} s");
    }
}

/// Pushed down and held, gas that was warm cools to its wall: pressure falls back to that of an isothermal compression.
#[test]
fn gas_cools_to_its_wall() {
    let (mut world, load) = lift(2000.0).unwrap();
    let push = Applied::force(Anchor::point(load, DVec3::ZERO), Direction::World(DVec3::Z * -500.0));
    world.add_force(Force::Applied(push)).unwrap();
    for _ in 0..60 * 400 {
        step(&mut world);
    }
    let values: Vec<f64> = world.quantities().iter().map(|(_, id, _)| world.read_quantity(*id)).collect();
    // heat leaves until the swing has died away too
    let wanted = (2000.0 * 9.81 + 500.0) / 2e-3 + 101_325.0;
    assert!((values[0] / wanted - 1.0).abs() < 1e-3, "{} Pa, not {wanted}", values[0]);
    assert!((values[1] - 293.15).abs() < 0.1, "{} K", values[1]);
}

/// What is saved half way goes on to the bit; what another model wrote is rejected by name.
#[test]
fn its_state_is_in_snapshots() {
    let (mut world, load) = lift(2000.0).unwrap();
    world.set_velocity(load, DVec3::Z * -0.5, DVec3::ZERO).unwrap();
    for _ in 0..50 {
        step(&mut world);
    }
    let bytes = world.state().to_bytes();
    let read = State::from_bytes(&bytes).unwrap();
    assert_eq!(&read, world.state());
    assert_eq!(read.hash(), world.state().hash());
    let (mut other, _) = lift(2000.0).unwrap();
    other.restore(read.clone()).unwrap();
    let mut fork = world.fork();
    for _ in 0..50 {
        step(&mut world);
        step(&mut other);
        step(&mut fork);
    }
    assert_eq!(world.state().to_bytes(), other.state().to_bytes());
    assert_eq!(world.state().to_bytes(), fork.state().to_bytes());
    for cut in (8..bytes.len()).step_by(13) {
        assert!(State::from_bytes(&bytes[..cut]).is_err());
    }
    let mut bare = World::default();
    let (model, state) = (world.model(), world.state());
    for (place, body) in model.bodies().iter() {
        let s = &state.bodies[place];
        bare.add_body(body.clone(), s.position, s.orientation).unwrap();
    }
    let mut foreign = read.clone();
    foreign.joints.clear();
    let why = bare.restore(foreign).unwrap_err().to_string();
    assert!(why.contains("parts of 1 subsystems"), "{why}");
}

#[test]
fn its_quantities_are_probes_and_it_is_drawn() {
    let (world, _) = lift(2000.0).unwrap();
    let scene = windlass_scene::parse("windlass = 2\n", "test").unwrap();
    let mut built = scene.build().unwrap();
    built.world = world;
    let outputs =
        Outputs::parse(&["p=accumulators.lift.pressure", "accumulators.*.temperature"], &built.world)
            .unwrap();
    let names: Vec<_> = outputs.columns().iter().map(|c| (c.name.clone(), c.unit)).collect();
    assert_eq!(names, [("p".to_string(), "Pa"), ("accumulators.lift.temperature".to_string(), "K")]);
    for (probe, says) in [("accumulators.lift.heat", "temperature"), ("accumulators.left.pressure", "lift")] {
        let why = format!("{:?}", Outputs::parse(&[probe], &built.world).unwrap_err());
        assert!(why.contains(says), "{why}");
    }
    let drawings = built.world.drawings();
    assert_eq!(drawings.len(), 2);
    let mut roll = windlass_export::built::Roll::of(&built);
    roll.take(&built.world);
    let reel = roll.reel(1.0, 0.0);
    let picture = windlass_export::built::picture(&built, &built.world, &reel, None).unwrap();
    assert_eq!(picture.lines.len(), 2);
    let last = reel.frames[0].last().unwrap();
    assert_eq!(last.0, drawings[1].points[1]);
}

/// Edits are undone bit for bit, a refused one changes nothing, and a body that is removed takes its accumulators along.
#[test]
fn it_is_edited_and_undone() {
    let (mut world, load) = lift(2000.0).unwrap();
    for _ in 0..10 {
        step(&mut world);
    }
    let before = world.state().to_bytes();
    let undo = world.edit(Edit::RemoveBody(load)).unwrap();
    assert!(world.quantities().is_empty() && world.drawings().is_empty());
    step(&mut world.fork());
    world.edit(undo).unwrap();
    assert_eq!(world.state().to_bytes(), before);
    let why = world.edit_subsystem::<Accumulators>(Change::Remove(3)).unwrap_err().to_string();
    assert!(why.contains("accumulator 3: there is none"), "{why}");
    assert_eq!(world.state().to_bytes(), before);
    // a kind comes with its first edit, and not if that is refused
    let mut empty = World::default();
    empty.edit_subsystem::<Accumulators>(Change::Remove(0)).unwrap_err();
    assert!(empty.state().parts.is_empty() && empty.subsystem::<Accumulators>().is_none());
}
