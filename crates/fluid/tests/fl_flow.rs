//! FL15–FL18, FL24, FL33: waves and wind.

use crate::basin::*;
use crate::kit::*;
use glam::DVec3;
use std::f64::consts::PI;
use windlass_engine::prelude::*;
use windlass_fluid::gust::Gusts;
use windlass_fluid::waves::{Amplitudes, Order, RegularWave, Sea, Spectrum, Water, Waves, wavenumber};
use windlass_fluid::wind::{Wind, WindProfile, WindSpec};
use windlass_fluid::{Fluid, HullShape};

fn case(id: &str) -> Case {
    Case::new(id, Integrator::Spook, 1e-3)
}

fn regular(height: f64, order: Order) -> Waves {
    let wave = RegularWave { height, period: 8.0, direction: 0.0, phase: 0.0, order };
    Waves::regular(&wave, Water { depth: 20.0, gravity: G }).unwrap()
}

/// FL15: Morison's equation on strips of a pile, from the waves' own velocities.
#[test]
fn fl15_wave_force_on_a_pile() {
    let waves = regular(4.0, Order::Airy);
    let (strips, area, diameter) = (2000, 0.25 * PI, 1.0);
    let force = |t: f64| {
        let dz = 20.0 / f64::from(strips);
        let each = (0..strips).map(|k| {
            let flow = waves.unstretched(0.0, 0.0, -20.0 + (f64::from(k) + 0.5) * dz, t);
            let (u, a) = (flow.velocity.x, flow.acceleration.x);
            [SEA * 2.0 * area * a * dz, 0.5 * SEA * 1.2 * diameter * u.abs() * u * dz]
        });
        each.fold([0.0; 2], |sum, [a, b]| [sum[0] + a, sum[1] + b])
    };
    let times = (0..400).map(|k| f64::from(k) * 0.02).map(force);
    let most = times.fold([0.0_f64; 3], |m, [a, b]| [m[0].max(a), m[1].max(b), m[2].max(a + b)]);
    for dt in STEPS {
        let case = Case::new("FL15", Integrator::Spook, dt);
        case.finds("amplitudes of inertia and drag", [most[0], most[1]]);
        case.finds("largest force", most[2]);
    }
}

#[test]
fn fl16_dispersion() {
    let length = |depth: f64| 2.0 * PI / wavenumber(2.0 * PI / 8.0, depth, G);
    case("FL16").finds("wave length in 5, 20, 200 m", [5.0, 20.0, 200.0].map(length));
}

#[test]
fn fl17_kinematics_of_a_wave() {
    let (case, waves) = (case("FL17"), regular(4.0, Order::Airy));
    let under_crest = waves.unstretched(0.0, 0.0, -5.0, 0.0);
    // a quarter of a period later the zero passes, falling
    let under_zero = waves.unstretched(0.0, 0.0, -5.0, 2.0);
    let found = [under_crest.velocity.x, under_zero.acceleration.x.abs()];
    case.finds("velocity under the crest, acceleration under the zero", found);
    case.finds("dynamic pressure under the crest", SEA * G * under_crest.head);
    case.finds("velocity above the mean level", waves.at(0.0, 0.0, 1.0, 0.0).velocity.x);
    case.finds("crest of the Stokes wave", regular(4.0, Order::Stokes).elevation(0.0, 0.0, 0.0));
}

#[test]
fn fl18_irregular_sea() {
    let case = case("FL18");
    for seed in [1, 2, 3] {
        let sea = Sea {
            spectrum: Spectrum::Jonswap { gamma: Some(3.3) },
            height: 3.0,
            period: 9.0,
            direction: 0.0,
            spreading: None,
            components: 200,
            seed,
            amplitudes: Amplitudes::Equal,
        };
        let waves = Waves::sea(&sea, Water { depth: f64::INFINITY, gravity: G }).unwrap();
        case.finds("significant height of the components", waves.significant_height());
        let record: Vec<(f64, f64)> = (0..21_600)
            .map(|k| (0.5 * f64::from(k), waves.elevation(0.0, 0.0, 0.5 * f64::from(k))))
            .collect();
        let square = record.iter().map(|(_, z)| z * z).sum::<f64>() / record.len() as f64;
        case.finds("significant height of the record", 4.0 * square.sqrt());
        case.finds("zero-crossing period", period(&record));
    }
}

#[test]
fn fl24_load_in_the_wind() {
    for dt in STEPS {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let load = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2000.0).unwrap();
        let body = rig.body("load", load, DVec3::Z * -10.0);
        crate::fl_float::damp(&mut rig, body, 0.5);
        let anchors = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(body, DVec3::ZERO)];
        let joint = rig.joint(Distance::rod(anchors, 10.0));
        let spec = WindSpec {
            speed: 15.0,
            height: 10.0,
            direction: 0.0,
            profile: WindProfile::Uniform,
            gusts: Gusts::None,
        };
        let mut full = water(AIR, None).with(body, HullShape::Sphere(0.1)).drag(14.4);
        full = full.set(|b| b.buoyancy = false);
        full.fluids = vec![Fluid { wind: Some(Wind::new(&spec).unwrap()), ..Fluid::still("air", AIR, None) }];
        full.fill(&mut rig);
        let trace = rig.trace(60.0, |world| {
            let x = world.state().bodies[body.index()].position;
            (libm::atan2(x.x, -x.z).to_degrees(), world.inspect().reaction(joint, 1).unwrap().force.length())
        });
        let (angle, tension) = trace.last().unwrap().1;
        let case = Case::new("FL24", Integrator::Spook, dt);
        case.finds("angle of the rope", angle);
        case.finds("tension", tension);
    }
}

#[test]
fn fl33_froya_wind() {
    let case = case("FL33");
    let spec = WindSpec {
        speed: 20.0,
        height: 10.0,
        direction: 0.0,
        profile: WindProfile::Froya,
        gusts: Gusts::Froya { components: 200, seed: 1 },
    };
    let wind = Wind::new(&spec).unwrap();
    case.finds("mean speed at 40 m", wind.mean_speed(40.0));
    let record: Vec<f64> = (0..21_600).map(|k| wind.velocity(10.0, 0.5 * f64::from(k)).0.x).collect();
    let mean = record.iter().sum::<f64>() / record.len() as f64;
    let square = record.iter().map(|u| (u - mean) * (u - mean)).sum::<f64>() / record.len() as f64;
    case.finds("standard deviation at 10 m", square.sqrt());
}
