//! Rope on drums and hydraulic cylinders as they are drawn.

use glam::DVec3;
use std::f64::consts::TAU;
use windlass_scene::drawn::{drawings, with_turns};
use windlass_scene::{Built, parse};

#[track_caller]
fn build(text: &str) -> Built {
    parse(text, "s.toml").and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"))
}

/// A winch about y that winds in a turn per second, and a load on its rope below a pulley.
fn hoist(winch: &str) -> String {
    format!(
        "windlass = 2\n[bodies.ground]\ntype = \"static\"\n\
         [bodies.load]\nmass = 1000\nposition = [5, 0, -15]\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n\
         [winches.w]\non = \"ground\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\nradius = 0.3\nwidth = 0.8\nmass = 300\n\
         motor = {{ speed = \"60 rpm\", torque = \"1 MN*m\" }}\n{winch}\n\
         [cables.r]\nsection = {{ construction = \"6x19 IWRC\", diameter = 0.03 }}\n\
         route = [{{ winch = \"w\" }}, {{ pulley = \"ground\", at = [5, 0, 0.5], axis = [0, 1, 0], radius = 0.3 }}, \
         {{ attach = \"load\", at = [5.3, 0, -14.5] }}]\n"
    )
}

/// The drawn points of the rope.
fn rope(built: &Built) -> Vec<DVec3> {
    let (rope, id) = (&built.ropes[0], built.ropes[0].ropes[0]);
    let path = built.world.rope_path(id);
    with_turns(&built.world, id, rope.lays(id), path).into_iter().map(|(point, _)| point).collect()
}

/// Number of turns about the drum, from the angles between successive points near it.
fn turns(points: &[DVec3]) -> f64 {
    let near = |p: &&DVec3| DVec3::new(p.x, 0.0, p.z).length() < 0.5;
    let angles: Vec<f64> = points.iter().filter(near).map(|p| libm::atan2(p.z, p.x)).collect();
    let step = |w: &[f64]| (w[1] - w[0] + 1.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
    angles.windows(2).map(step).sum::<f64>().abs() / TAU
}

#[test]
fn rope_on_a_drum_is_drawn_with_its_turns() {
    for (winch, layers) in [
        ("wound_length = 18.85\n", false),
        ("wound_length = 18.85\nlayers = { rope_diameter = 0.03 }\n", true),
        ("", false),
    ] {
        let mut built = build(&hoist(winch));
        let at_start = if winch.is_empty() { 3.0 } else { 10.0 };
        let count = rope(&built).len();
        for seconds in 0..3 {
            let points = rope(&built);
            let wanted = at_start + f64::from(seconds);
            assert!((turns(&points) - wanted).abs() < 0.1, "{winch}: {} turns, not {wanted}", turns(&points));
            assert!(points.len().abs_diff(count) < 3, "{winch}: {} points", points.len());
            let on_drum = points.iter().filter(|p| p.x.hypot(p.z) < 0.5);
            assert!(on_drum.clone().all(|p| p.y.abs() < 0.4 && (0.29..0.35).contains(&p.x.hypot(p.z))));
            let place = on_drum
                .map(|p| p.y)
                .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], y| [low.min(y), high.max(y)]);
            // side by side
            assert!((place[1] - place[0] - 0.03 * wanted).abs() < 0.05, "{winch} {layers}: {place:?}");
            for _ in 0..60 {
                built.world.step();
            }
        }
    }
}

/// Full layers raise the radius by the diameter of the rope.
#[test]
fn layers_lie_on_each_other() {
    let built = build(&hoist("wound_length = 60\nlayers = { rope_diameter = 0.03, turns = 20 }\n"));
    let points = rope(&built);
    let radius = |p: &DVec3| p.x.hypot(p.z);
    let outer = points.iter().filter(|p| radius(p) < 0.5).map(radius).fold(0.0, f64::max);
    assert!((0.325..0.34).contains(&outer), "{outer}");
}

/// The barrel keeps its length while the rod moves.
#[test]
fn the_rod_of_a_cylinder_moves() {
    let mut built = build(
        "windlass = 2\n[settings]\ngravity = [0, 0, 0]\n[bodies.ground]\ntype = \"static\"\n\
         [bodies.a]\nmass = 10\nposition = [3, 0, 0]\nshape = { box = { size = [1, 1, 1] } }\n\
         [joints.slide.slider]\nbodies = [\"ground\", \"a\"]\naxis = [1, 0, 0]\n\
         [joints.ram.distance]\nbodies = [\"ground\", \"a\"]\npoints = [[0, 0, 0], [2, 0, 0]]\n\
         motor = { speed = 0.5, force = 1e6 }\ncylinder = { diameter = 0.2, barrel = 1.5 }\n",
    );
    for expected in [2.0, 2.5] {
        let [barrel, rod] = &drawings(&built.cylinders, &built.world)[..] else { panic!("two parts") };
        assert_eq!((barrel.radius, rod.radius), (0.1, 0.05));
        let ends = [&barrel.points, &rod.points].map(|points| points.iter().map(|p| p.x).collect::<Vec<_>>());
        assert!((ends[0][1] - 1.5).abs() < 1e-12 && ends[0][1] == ends[1][0], "{ends:?}");
        assert!((ends[1][1] - expected).abs() < 0.02, "{ends:?}");
        for _ in 0..60 {
            built.world.step();
        }
    }
}
