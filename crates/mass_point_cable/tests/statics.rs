//! Mass-point cables against closed forms: free fall, balance, catenary, elastica, bends that stay, order of convergence.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{Case, G};
use windlass_engine::prelude::*;
use windlass_mass_point_cable::*;

/// A world with a fixed body in it.
fn world(dt: f64) -> (World, BodyId) {
    let mut world = World::default();
    world.set(|s| s.dt = dt).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    (world, ground)
}

/// Steps for so many seconds; every step is taken.
fn run(world: &mut World, seconds: f64) {
    let steps = (seconds / world.model().settings().dt).round() as usize;
    for _ in 0..steps {
        let report = world.step();
        assert!(report.fault.is_none(), "{}", report.fault.unwrap());
    }
}

fn points(world: &World, hose: MassPointCableId) -> &[DVec3] {
    &MassPointCables::state(world, hose).unwrap().positions
}

fn cable() -> CableProperties {
    CableProperties { stretch: 1e5, bend: 0.02, mass: 0.1, diameter: 0.01 }
}

/// Every stepper, bodies or not: z = −½ g t² at each of the step's instants, and not a bit of stretch or bend.
#[test]
fn free_fall_is_exact() {
    let adaptive = Integrator::DormandPrince(Adaptive::default());
    for stepper in [Integrator::Spook, Integrator::Projected, adaptive] {
        let (mut world, _) = world(1.0 / 60.0);
        world.set(|s| s.integrator = stepper).unwrap();
        let corners = [DVec3::ZERO, DVec3::new(1.0, 0.5, 0.0)];
        let id =
            MassPointCables::add(&mut world, MassPointCable::along("cable", &corners, 10, cable())).unwrap();
        let start = points(&world, id).to_vec();
        for step in 1..=120 {
            let report = world.step();
            let t = step as f64 / 60.0;
            for (x, from) in points(&world, id).iter().zip(&start) {
                assert!((*x - *from + DVec3::Z * (0.5 * G * t * t)).length() < 1e-10, "{stepper:?} {t}");
            }
            // the energy of an instant has positions and velocities of that instant: it stays at 0
            assert!(report.energy.total().abs() < 1e-9 * report.energy.kinetic.max(1.0), "{stepper:?} {t}");
        }
    }
}

/// A free hose, bent and stretched and let go: momentum stays to round-off, whatever its springs and dampers do.
#[test]
fn a_free_cable_keeps_its_momentum() {
    let (mut world, _) = world(1.0 / 240.0);
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(1.2, 0.8, 0.1), DVec3::new(0.5, 1.0, 0.6)];
    let mut hose = MassPointCable::along("spring", &corners, 20, cable());
    hose.length *= 0.9;
    hose.damping = Damping { stretch: 1e-3, bend: 1e-3, air: 0.0 };
    let id = MassPointCables::add(&mut world, hose).unwrap();
    let sums = |world: &World| {
        let (hose, s) =
            (MassPointCables::get(world, id).unwrap(), MassPointCables::state(world, id).unwrap());
        let all = s.positions.iter().zip(&s.velocities).enumerate();
        all.fold([DVec3::ZERO; 2], |[p, c], (i, (x, v))| [p + *v * hose.mass(i), c + *x * hose.mass(i)])
    };
    let start = sums(&world)[1];
    let mut fastest: f64 = 0.0;
    for _ in 0..480 {
        assert!(world.step().fault.is_none());
        let [momentum, center] = sums(&world);
        let s = MassPointCables::state(&world, id).unwrap();
        fastest = s.velocities.iter().fold(fastest, |m, v| m.max(v.length()));
        assert!(momentum.length() < 1e-9, "{momentum}");
        assert!((center - start).length() < 1e-9, "{}", center - start);
    }
    assert!(fastest > 1.0, "it should have moved: {fastest}");
}

/// Its forces have no moment together: in a step of next to no length a hose at rest gets velocities that are its forces, and
/// one that moves loses only what its dampers take, in pairs.
#[test]
fn internal_forces_have_no_moment() {
    let (mut world, _) = world(1e-7);
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let corners = [DVec3::ZERO, DVec3::X, DVec3::new(1.2, 0.8, 0.1), DVec3::new(0.5, 1.0, 0.6)];
    let mut hose = MassPointCable::along("spring", &corners, 20, cable());
    hose.length *= 0.95;
    hose.damping = Damping { stretch: 1e-2, bend: 1e-2, air: 0.0 };
    let id = MassPointCables::add(&mut world, hose).unwrap();
    let moments = |world: &World| {
        let (hose, s) =
            (MassPointCables::get(world, id).unwrap(), MassPointCables::state(world, id).unwrap());
        let all = s.positions.iter().zip(&s.velocities).enumerate();
        let all: Vec<DVec3> = all.map(|(i, (x, v))| x.cross(*v) * hose.mass(i)).collect();
        (all.iter().sum::<DVec3>(), all.iter().map(|l| l.length()).sum::<f64>())
    };
    for _ in 0..20 {
        assert!(world.step().fault.is_none());
        let (sum, size) = moments(&world);
        assert!(size > 0.0 && sum.length() < 1e-6 * size, "{sum} of {size}");
    }
}

/// A case of the catalogue with a cable of mass points.
fn case(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt).variant("mass points")
}

/// CB01: span 10 m, length 12 m, 1 kg/m, 24 segments, no bending.
#[test]
fn cb01_catenary() {
    for (dt, seconds) in [(1.0 / 60.0, 20.0), (1e-3, 6.0)] {
        let (mut world, ground) = world(dt);
        let cord = CableProperties { stretch: 1e7, bend: 0.0, mass: 1.0, diameter: 0.02 };
        let ends = [DVec3::ZERO, DVec3::new(10.0, 0.0, 0.0)];
        let middle = DVec3::new(5.0, 0.0, -(36.0f64 - 25.0).sqrt());
        let mut hose = MassPointCable::along("catenary", &[ends[0], middle, ends[1]], 24, cord)
            .held(0, Anchor::point(ground, ends[0]))
            .held(24, Anchor::point(ground, ends[1]));
        // settles in seconds; at rest damping does not push
        hose.damping.air = 2.0;
        let id = MassPointCables::add(&mut world, hose).unwrap();
        run(&mut world, seconds);
        let x = points(&world, id);
        let force = MassPointCables::state(&world, id).unwrap().forces[0];
        let case = case("CB01", dt);
        case.finds("sag", -x[12].z);
        case.finds("horizontal force", force.x);
        case.finds("end force", force.length());
        // segments have the slope of their middles: half a segment on to the end
        let slope = |k: usize| libm::atan2(-(x[k + 1] - x[k]).z, (x[k + 1] - x[k]).x).to_degrees();
        let slope = 1.5 * slope(0) - 0.5 * slope(1);
        // to 0.2° instead of 1.5°
        case.within(0.13, dt).finds("end slope", slope);
    }
}

/// A weightless cantilever of so many segments beyond its clamp under a dead load PL²/EI at its end: deflection, shortening
/// and tip angle over L.
fn cantilever(segments: usize, load: f64, dt: f64) -> [f64; 3] {
    let (mut world, ground) = world(dt);
    let l = 1.0 / segments as f64;
    let cord = CableProperties { stretch: 1e6, bend: 1.0, mass: 0.01, diameter: 0.01 };
    let corners = [DVec3::X * -l, DVec3::X];
    // a hand that leads to a point so far away pulls with all its force, always the same way
    let far = PointTether::rigid(segments + 1, DVec3::new(1.0, 0.0, -1e7), load);
    let mut hose = MassPointCable::along("beam", &corners, segments + 1, cord)
        .held(0, Anchor::point(ground, corners[0]))
        .held(1, Anchor::point(ground, DVec3::ZERO))
        .led(far);
    hose.damping.air = 0.3;
    let id = MassPointCables::add(&mut world, hose).unwrap();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    run(&mut world, 3.0);
    let speed = MassPointCables::state(&world, id)
        .unwrap()
        .velocities
        .iter()
        .fold(0.0, |m: f64, v| m.max(v.length()));
    assert!(speed < 1e-5, "{segments} segments at {load}: still at {speed} m/s");
    let x = points(&world, id);
    let end = x[segments + 1];
    let last = end - x[segments];
    [-end.z, 1.0 - end.x, libm::atan2(-last.z, last.x)]
}

#[test]
fn cb04_small_cantilever() {
    for dt in [1.0 / 60.0, 1e-3] {
        case("CB04", dt).finds("tip deflection / L", cantilever(24, 0.25, dt)[0]);
    }
}

#[test]
fn cb05_elastica() {
    for dt in [1.0 / 60.0, 1e-3] {
        for load in [1.0, 2.0, 5.0, 10.0] {
            let [down, short, angle] = cantilever(24, load, dt);
            case("CB05", dt).finds(&format!("δ/L at {load}"), down);
            if load == 10.0 {
                case("CB05", dt).finds("shortening/L at 10", short);
                case("CB05", dt).finds("tip angle at 10", angle.to_degrees());
            }
        }
    }
}

/// Four times fewer segments, sixteen times the error: the clamp's half spring makes it second order.
#[test]
fn the_elastica_converges_with_the_square_of_the_segment() {
    let errors = [6, 12, 24].map(|n| (cantilever(n, 2.0, 1.0 / 60.0)[0] - 0.49345748).abs());
    println!("errors {errors:?}");
    for w in errors.windows(2) {
        let order = libm::log2(w[0] / w[1]);
        assert!((order - 2.0).abs() < 0.15, "order {order}");
    }
}
