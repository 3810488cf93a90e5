//! Small scenes that once went wrong, each with the right number. The scenes are in `defects/`.

use windlass_engine::prelude::Report;
use windlass_host::{Machine, violation};
use windlass_scene::Override;

/// A scene of the folder, with values of its text replaced.
fn open(name: &str, overrides: &[&str]) -> Machine {
    let path = format!("{}/tests/defects/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().expect("KEY=VALUE")).collect();
    Machine::open(std::path::Path::new(&path), &overrides).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Plays a machine for some seconds and shows the values of its probes after each step. Ends at a fault.
fn play(machine: &mut Machine, seconds: f64, probes: &[&str], mut look: impl FnMut(&Report, &[f64])) {
    let outputs = machine.outputs(probes).expect("probes");
    let mut values = vec![0.0; probes.len()];
    for _ in 0..(seconds / machine.dt()).round() as usize {
        let report = machine.step().unwrap_or_else(|fault| panic!("{fault}"));
        machine.read(&outputs, &mut values);
        look(&report, &values);
    }
}

/// The values of probes after some seconds.
fn after(name: &str, overrides: &[&str], seconds: f64, probes: &[&str]) -> Vec<f64> {
    let mut last = Vec::new();
    play(&mut open(name, overrides), seconds, probes, |_, values| last = values.to_vec());
    last
}

#[track_caller]
fn near(found: &[f64], wanted: &[f64], part: f64) {
    let off = |(f, w): (&f64, &f64)| (f - w).abs() > part * w.abs().max(1e-9);
    assert!(found.len() == wanted.len() && !found.iter().zip(wanted).any(off), "{found:?}, not {wanted:?}");
}

/// Kinetic and potential energy never exceed the energy of the start by more than a part of the largest kinetic energy; returns what
/// the steps said. (What the elements of cables seem to store where they fold is in docs/quality/limits.md.)
#[track_caller]
fn gains_nothing(name: &str, overrides: &[&str], seconds: f64, part: f64) -> Vec<Report> {
    let mut machine = open(name, overrides);
    let start = machine.world_mut().inspect().energy().total();
    let (mut reports, mut most, mut kinetic) = (Vec::new(), f64::NEG_INFINITY, 0.0f64);
    play(&mut machine, seconds, &["energy.potential", "energy.kinetic"], |report, values| {
        (most, kinetic) = (most.max(values[0] + values[1]), kinetic.max(values[1]));
        reports.push(report.clone());
    });
    assert!(most - start <= part * kinetic, "{name}: {start} J, {most} J, {kinetic} J of motion");
    reports
}

#[test]
fn stiff_springs_log_what_acts() {
    near(
        &after("defect1_reaction", &[], 1.0, &["joints.tie.tension", "joints.foot1.torque.size"]),
        &[1e3, 2e3],
        1e-6,
    );
    let shares = ["joints.one.force.size", "joints.two.force.size", "joints.three.force.size"];
    near(&after("defect1_shares", &[], 5.0, &shares), &[245.25, 245.25, 490.5], 1e-3);
    near(
        &after("defect1_mast", &[], 20.0, &["joints.foot.force.x", "joints.foot.torque.y"])
            .iter()
            .map(|x| x.abs())
            .collect::<Vec<_>>(),
        &[113.0, 666.0],
        1e-2,
    );
}

/// ω̇ and the torque of a hinge whose spring is damped: −8.2 N·m at 0.1 s under every integrator.
#[test]
fn a_damped_hinge_logs_its_torque() {
    for stepper in ["spook", "projected", "dormand-prince"] {
        let found = after(
            "inspect_damped_hinge",
            &[&format!("settings.integrator={stepper}")],
            0.1,
            &["joints.j.torque.y"],
        );
        near(&found, &[-8.2], 1e-2);
    }
}

#[test]
fn cables_held_at_one_point_do_not_fight() {
    let probes = ["cables.left.tension.start", "cables.right.tension.start"];
    near(&after("sling_one_hook", &[], 5.0, &probes), &[5501.0, 5501.0], 5e-3);
    let mut most = 0.0f64;
    play(&mut open("loop_one_knot", &[]), 2.0, &["cables.ring.max_tension"], |_, values| {
        most = most.max(values[0])
    });
    assert!(most < 160.0, "{most} N, not 78 N");
}

#[test]
fn touching_cables_gain_no_energy() {
    for solver in ["auto", "direct", "split", "iterative"] {
        gains_nothing("coil_iterative", &[&format!("settings.contact.solver={solver}")], 1.0, 1e-2);
    }
    gains_nothing("coil_auto", &[], 0.8, 1e-2);
    gains_nothing("edge_400_auto", &[], 0.2, 0.2);
    let stalled =
        gains_nothing("coil_on_floor_stalls", &[], 3.0, 1e-2).iter().filter(|r| r.stalled > 0).count();
    assert!(stalled <= 9, "{stalled} of 180 steps");
}

/// Buckling loads π² EI/(2l)² of the elements: 125 N for 20 cm of the wire rope, nothing for EI = 0.
#[test]
fn ropes_do_not_push() {
    for (name, seconds, buckling) in
        [("rope_pushes", 2.0, 126.0), ("rope_pushes_offset", 2.0, 126.0), ("rope_pushes_1e9", 4.0, 1.0)]
    {
        let mut least = f64::INFINITY;
        let mut machine = open(name, &[]);
        play(&mut machine, seconds, &["cables.rope.max_tension"], |_, values| least = least.min(values[0]));
        assert!(least > -buckling, "{name}: {least} N");
        gains_nothing(name, &[], seconds, 1e-6);
    }
    for dt in ["1/30 s", "1/60 s", "1/120 s"] {
        gains_nothing("drop_slack_1e9", &[&format!("settings.dt={dt}")], 3.0, 1e-6);
    }
}

#[test]
fn a_fast_winch_takes_elements_in() {
    // 18 m of rope are wound, and the jerk throws the load beyond that
    let height = after("winch_fast_feed", &[], 0.9, &["bodies.load.position.z"])[0];
    assert!((-12.5..8.0).contains(&height), "{height} m");
}

#[test]
fn a_carriage_stays_on_its_route() {
    let mut machine = open("route_end", &[]);
    let probes = ["bodies.rider.position.x", "energy.kinetic", "energy.potential"];
    play(&mut machine, 4.0, &probes, |_, values| {
        // it starts with 2902 J, and the route does 90 J of work
        assert!((0.0..8.0).contains(&values[0]) && values[1] + values[2] < 2992.0, "{values:?}");
    });
}

/// A rider hangs half a metre below a pulley on a rope of 102.5 m: it stays within the ellipse about both posts that the rope
/// allows, with 0.5 m for the stretch under the jerk at its end, and rolls to the other side. Kinetic and potential energy
/// never exceed those of the start.
#[test]
fn a_rider_rolls_down_a_slack_line() {
    for segments in ["massless", "flexible"] {
        let mut machine = open("zipline", &[&format!("cables.line.segments=\"{segments}\"")]);
        let start = machine.world_mut().inspect().energy();
        let probes =
            ["bodies.rider.position.x", "bodies.rider.position.z", "energy.kinetic", "energy.potential"];
        let mut farthest = 0.0_f64;
        play(&mut machine, 10.0, &probes, |_, values| {
            let (x, z, energy) = (values[0], values[1], values[2] + values[3]);
            let way = f64::hypot(x, 20.0 - z) + f64::hypot(100.0 - x, 5.0 - z);
            assert!(way < 102.5 + 2.0 * 0.5 + 0.5, "{segments}: {way} m at {x} m");
            assert!(energy < 1.01 * (start.kinetic + start.potential), "{segments}: {energy} J at {x} m");
            farthest = farthest.max(x);
        });
        assert!((85.0..102.0).contains(&farthest), "{segments}: {farthest} m");
    }
}

#[test]
fn a_whip_bears_what_its_snaps_bring() {
    let mut most = 0.0f64;
    play(&mut open("whip", &[]), 0.5, &["cables.whip.max_tension"], |_, values| most = most.max(values[0]));
    assert!((1e3..6e5).contains(&most), "{most} N");
}

#[test]
fn a_rolling_deck_is_told_to_jerk_its_load() {
    let mut machine = open("driven_start_jerk", &[]);
    let world = machine.world_mut();
    world.inspect();
    let jerked = violation::jerks(world);
    assert!(
        jerked.len() == 4 && jerked.iter().all(|(_, body, by)| body == "deck" && *by > 0.1),
        "{jerked:?}"
    );
}

#[test]
fn bodies_at_rest_stay_and_motors_lose_nothing() {
    for stepper in ["spook", "projected", "dormand-prince"] {
        let stepper = format!("settings.integrator={stepper}");
        let mut highest = 0.0f64;
        play(&mut open("defect3_hop", &[&stepper]), 3.0, &["bodies.crate.position.z"], |_, z| {
            highest = highest.max(z[0])
        });
        assert!(highest < 0.500_01, "{stepper}: {highest} m");
        near(&after("defect5_motor", &[&stepper], 1.0, &["joints.m.value"]), &[1.0], 1e-9);
    }
    let mut widest = 0.0f64;
    play(&mut open("defect4_gear_rounds", &[]), 2.0, &["time"], |report, _| widest = widest.max(report.gap));
    assert!(widest < 1e-9, "{widest} rad");
}

#[test]
fn a_cable_that_projected_cannot_follow_is_rejected() {
    let path = format!("{}/tests/defects/cable_projected.toml", env!("CARGO_MANIFEST_DIR"));
    let told =
        Machine::open(std::path::Path::new(&path), &[]).expect_err("its stretch is too stiff").to_string();
    assert!(told.contains("integrator = \"spook\"") && told.contains("3.1e-4 s"), "{told}");
}
