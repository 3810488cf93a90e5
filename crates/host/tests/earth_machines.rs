//! Scenes of earthwork with controllers in place of the operator do what their heads say.

use std::path::PathBuf;
use windlass_engine::prelude::{Work, World};
use windlass_host::Machine;
use windlass_scene::GroundReading;

fn scene(name: &str) -> Machine {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/earthwork").join(name);
    Machine::open(path.as_path(), &[]).unwrap_or_else(|e| panic!("{e}"))
}

/// A quantity of a ground or a tool.
fn soil(world: &World, item: &str, name: &str) -> f64 {
    let all = world.quantities();
    let found = all.iter().find(|(key, _, q)| {
        *key == "soil" && q.item.split_once('.').is_some_and(|(_, own)| own == item) && q.name == name
    });
    world.read_quantity(found.unwrap_or_else(|| panic!("{item} has no {name}")).1)
}

/// Height of the only ground.
fn height(world: &World, x: f64, y: f64) -> f64 {
    let ground = GroundReading::all(world).into_iter().next().expect("a ground");
    let node = [x - ground.origin[0], y - ground.origin[1]].map(|at| (at / ground.spacing).round() as usize);
    ground.height(node)
}

/// Three passes: each fills the bucket and dumps beside, the trench gets deeper, joints stay closed.
#[test]
fn an_excavator_digs_a_trench() {
    let mut machine = scene("excavator.toml");
    let mass = soil(machine.world(), "site", "mass");
    let (mut gap, mut work): (f64, Work) = (0.0, Work::default());
    let mut first = None;
    let mut energy = 0.0;
    for pass in 1..=3 {
        let begin = 20.0 * f64::from(pass - 1);
        let (mut load, mut draft): (f64, f64) = (0.0, 0.0);
        while machine.time() < begin + 20.0 - 1e-6 {
            let report = machine.step().unwrap_or_else(|e| panic!("{e}"));
            gap = gap.max(report.gap);
            work = work.plus(report.work.expect("an account"));
            energy = report.energy.total();
            first.get_or_insert(energy);
            let world = machine.world();
            draft = draft.max(soil(world, "digger.bucket", "draft"));
            // lifted and slewed
            if machine.time() < begin + 13.9 {
                load = soil(world, "digger.bucket", "load");
            }
        }
        // a struck bucket of loose topsoil is 0.9 t, a heaped one 1.3 t
        assert!((250.0..1500.0).contains(&load), "pass {pass}: {load} kg");
        // the edge is 1.28 m wide and cuts 0.35 m deep: about 15 kN (McKyes), and more with the heap before it
        assert!((8e3..90e3).contains(&draft), "pass {pass}: {draft} N");
        let left = soil(machine.world(), "digger.bucket", "load");
        assert!(left.abs() < 20.0, "pass {pass}: {left} kg are left");
    }
    assert!(gap < 2e-3, "{gap}");
    let error = (energy - first.expect("a step") - work.total()) / work.drives;
    assert!(error.abs() < 0.02, "{error}");
    let world = machine.world();
    // the axis of slewing is at x = −4, y = −3, and the path between 4.3 and 7.5 m ahead of it; soil that fell back lies in it
    let heights = (0..16).map(|k| height(world, 0.8 + 0.1 * f64::from(k), -3.0));
    let floor = heights.fold(f64::INFINITY, f64::min);
    assert!((-1.4..-0.4).contains(&floor), "{floor} m");
    let [cut, fill] = ["cut", "fill"].map(|name| soil(world, "site", name));
    assert!(cut > 1.2 && fill > 1.2, "{cut} m³ and {fill} m³");
    // the heap at 75° to the left
    let (sin, cos) = libm::sincos(75.0_f64.to_radians());
    let heights =
        (0..20).map(|k| 4.5 + 0.2 * f64::from(k)).map(|r| height(world, r * cos - 4.0, r * sin - 3.0));
    let heap = heights.fold(0.0, f64::max);
    assert!((0.15..1.6).contains(&heap), "{heap} m");
    // what the tools hold is part of `mass`; what rolled over the edge is `outside`
    let sum = soil(world, "site", "mass") + soil(world, "site", "outside");
    assert!((sum - mass).abs() < 1e-6, "{sum} of {mass} kg");
}
