//! Steps that fit: light links under load, whips and fast mechanisms at long steps, without a setting.

use windlass_engine::prelude::*;
use windlass_scene::{Built, parse};

const SCENES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");

fn scene(name: &str, change: impl Fn(&mut Settings)) -> Built {
    let text = std::fs::read_to_string(format!("{SCENES}/{name}.toml")).unwrap();
    let mut built = parse(&text, name).and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"));
    built.world.set(change).unwrap();
    built
}

/// Highest and lowest energy of motion and height against the start [J], and the most substeps.
fn swing(built: &mut Built, steps: usize) -> ([f64; 2], u32) {
    let (mut start, mut range, mut most) = (f64::NAN, [0.0f64; 2], 0);
    for k in 0..steps {
        let energy = built.world.inspect().energy();
        let energy = energy.kinetic + energy.potential;
        start = if k == 0 { energy } else { start };
        range = [range[0].max(energy - start), range[1].min(energy - start)];
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        most = most.max(report.substeps);
    }
    (range, most)
}

/// The fastest mode of the taut chain has ω = √(12 T/(m l)), 1000 to 1200 rad/s: twenty times what 1/60 s resolves. As whole steps, the
/// chain reaches 1e16 J.
#[test]
fn a_chain_of_light_links_swings_at_long_steps() {
    // 1 t falls by the length of the chain, and 20 links by half of it
    let drop = 9.81 * (1000.0 * 4.3 + 20.0 * 1.84 * 2.0);
    for (dt, seconds) in [(1.0 / 60.0, 10.0), (1.0 / 30.0, 10.0), (1.0 / 240.0, 3.0)] {
        let mut built = scene("mechanism/chain", |s| s.dt = dt);
        let ([gain, loss], most) = swing(&mut built, (seconds / dt) as usize);
        assert!(gain < 1e-3 * drop && loss > -0.03 * drop, "{dt}: {gain} J, {loss} J of {drop}");
        assert!(most >= 4, "{dt}: {most} substeps");
    }
    let mut built = scene("cookbook/chain", |s| s.dt = 1.0 / 30.0);
    let ([gain, loss], most) = swing(&mut built, 150);
    assert!(gain < 1.0 && loss > -5.0 && most > 1, "{gain} J, {loss} J, {most} substeps");
}

/// Substeps follow from State: a world restored in the middle of a swing, and one that is looked at between steps, go on with the
/// same bits, and time goes by whole steps.
#[test]
fn substeps_repeat_to_the_bit() {
    let dt = 1.0 / 60.0;
    let mut one = scene("mechanism/chain", |s| s.dt = dt).world;
    let mut other = scene("mechanism/chain", |s| s.dt = dt).world;
    let mut time = 0.0;
    for step in 0..120 {
        let report = one.step();
        time += dt;
        assert_eq!((report.time, report.step), (time, step + 1));
        other.inspect();
        other.step();
        assert_eq!(one.state().hash(), other.state().hash(), "step {step}");
        if step % 16 == 7 {
            other = scene("mechanism/chain", |s| s.dt = dt).world;
            other.restore(one.state().clone()).unwrap();
        }
    }
    assert!(one.state().next_internal_step > 0.0, "it takes substeps");
}

/// Where as many substeps as allowed are too few, the report names a body and the step that would do.
#[test]
fn too_long_a_step_is_reported() {
    let mut built = scene("mechanism/chain", |s| (s.dt, s.max_substeps) = (1.0 / 60.0, 4));
    let reports: Vec<Report> = (0..60).map(|_| built.world.step()).collect();
    let limit = reports.iter().find_map(|r| r.too_long).expect("the chain is taut within a second");
    assert!(limit.longest < 1.0 / 240.0 && limit.longest > 1e-4, "{limit:?}");
    let body = limit.body.and_then(|place| built.world.model().bodies().at(place)).unwrap();
    assert!(body.name.starts_with("link"), "{}", body.name);
}

/// 5 m of rope whose end is shaken at 5 and 6.5 Hz: snaps of 30 m/s pull with v √(EA μ) = 1.6e5 N. As whole steps of 1/60 s it was a
/// third longer and bore 2e7 N.
#[test]
fn a_whip_is_as_long_as_it_is() {
    let text = r#"
        windlass = 2
        [settings]
        dt = "1/60 s"
        [bodies.hand]
        type = "kinematic"
        path = { x = { sine = { amplitude = 1, frequency = 5 } }, y = { sine = { amplitude = 0.5, frequency = 6.5 } } }
        [cables.whip]
        section = { diameter = 0.02, mass_per_length = 1.6, axial_stiffness = 1.8e7, bending_stiffness = 2, torsional_stiffness = 1.5 }
        start = { body = "hand", at = [0, 0, 0], attachment = "fixed" }
        path = [[0, 0, 0], [5, 0, 0]]
        elements = 40
    "#;
    let mut built = parse(text, "whip").and_then(|scene| scene.build()).unwrap();
    let mut most: f64 = 0.0;
    for _ in 0..60 {
        let report = built.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        for reading in built.cables[0].id.readings(&built.world) {
            most = most.max(reading.tension);
        }
    }
    assert!(most > 1e4 && most < 6e5, "{most} N");
    let stretched: f64 =
        built.cables[0].id.readings(&built.world).iter().map(|r| r.tension.max(0.0) / 1.8e7).sum();
    assert!(stretched / 40.0 < 0.02, "{stretched}");
}
