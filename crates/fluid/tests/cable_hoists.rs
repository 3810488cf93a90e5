//! Light cables under heavy loads in water, at 1/60 s: swinging, jerked, dropped.

use crate::fl_cables::wetted;
use glam::{DQuat, DVec3};
use std::f64::consts::TAU;
use windlass_engine::body::motion::{Interpolation, Spline};
use windlass_engine::prelude::*;
use windlass_fluid::{Fluid, Fluids, Layers};

const GRAVITY: f64 = 10.0;

/// What is done to a hoist.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    /// Released at 30°.
    Swing,
    /// Its anchor moved sideways by so much, and a sixth of it across, in so many seconds.
    Jerk(f64, f64),
    /// Dropped with a tenth of slack.
    Snap,
}

/// A load on 10 m of cable.
#[derive(Clone, Copy, Debug)]
struct Hoist {
    elements: usize,
    /// Mass of the load over that of an element, which is 1 kg.
    ratio: f64,
    /// Diameter of the cable in water [m].
    diameter: f64,
    test: Test,
}

/// How a run of ten seconds went.
#[derive(Debug, Default)]
struct Outcome {
    fault: Option<String>,
    /// Largest bend of a link in the last five seconds [rad], and the mean of its second difference.
    bend: f64,
    jitter: f64,
    /// Stretch at the end, relative to the length; the static one is 1e-3.
    stretch: f64,
    /// By how much the energy of the load grew after what was done, relative to its weight times the length.
    gain: f64,
    solves: f64,
}

impl Outcome {
    fn holds(&self) -> bool {
        let quiet = self.bend < 0.35 && self.jitter < 0.02;
        self.fault.is_none() && quiet && self.stretch < 0.01 && self.gain < 0.05
    }
}

impl Hoist {
    /// The world, the load and the cable. A diameter of 0 leaves it in air.
    fn build(&self) -> (World, BodyId, CableId) {
        let Hoist { elements, ratio, diameter, test } = *self;
        let mut world = World::default();
        world.set(|s| s.gravity = DVec3::NEG_Z * GRAVITY).unwrap();
        let (by, within) = if let Test::Jerk(by, within) = test { (by, within) } else { (0.0, 1.0) };
        let moved = |by: f64| {
            let (times, values) = (vec![0.0, 1.0, 1.0 + within, 1e3], vec![0.0, 0.0, by, by]);
            Motion::Table(Spline::new(times, values, Interpolation::Linear).unwrap())
        };
        let path = Path {
            position: [moved(by), moved(by / 6.0), Motion::Constant(0.0)],
            rotations: Vec::new(),
            orientation: DQuat::IDENTITY,
        };
        let anchor = world.add_body(Body::kinematic("anchor", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let ea = 1000.0 * (ratio + elements as f64) * GRAVITY;
        let bend = 7.5e-7 * ea;
        let section = Section {
            twist: bend / 2.6,
            diameter: 0.1,
            ..crate::kit::section(0.1 * elements as f64, ea, bend, 0.0)
        };
        let tilt: f64 = if test == Test::Swing { TAU / 12.0 } else { 0.0 };
        let far = if test == Test::Snap { 9.0 } else { 10.01 };
        let end = DVec3::new(0.0, libm::sin(tilt), -libm::cos(tilt)) * far;
        let ball = Mass::of_total(&Shape::Sphere { radius: 0.25 }, ratio).unwrap();
        let load = world.add_body(Body::dynamic("load", ball), end, DQuat::IDENTITY).unwrap();
        let ends = [anchor, load].map(|b| End::Ball(Anchor::point(b, DVec3::ZERO)));
        let path = match test {
            Test::Snap => sagging(DVec3::ZERO, end, 10.0, DVec3::X, 200),
            _ => vec![DVec3::ZERO, end],
        };
        let spec = CableSpec::new("rope", section, path);
        let cable = world.add_cable(CableSpec { ends, elements, length: Some(10.0), ..spec }).unwrap();
        if diameter > 0.0 {
            let cables = vec![wetted(&world, cable, diameter)];
            let layers = Layers::new(vec![Fluid::still("water", 1000.0, None)]).unwrap();
            let fluids = Fluids { layers, cables, ..Fluids::default() };
            world.edit_subsystem::<Fluids>(fluids.set()).unwrap();
        }
        (world, load, cable)
    }

    fn run(&self) -> Outcome {
        let (mut world, load, cable) = self.build();
        let places: Vec<usize> =
            world.model().cables().get(cable).unwrap().elements.iter().map(|e| e.index()).collect();
        let bends = |world: &World| -> Vec<f64> {
            let along = |place: usize| world.state().bodies[place].orientation * DVec3::Z;
            let angle = |(u, v): (DVec3, DVec3)| libm::atan2(u.cross(v).length(), u.dot(v));
            places.windows(2).map(|w| angle((along(w[0]), along(w[1])))).collect()
        };
        let mut out = Outcome::default();
        let done = if let Test::Jerk(_, within) = self.test { (60.0 * (1.5 + within)) as usize } else { 1 };
        let mut highest = f64::NEG_INFINITY;
        let mut before = [bends(&world), bends(&world)];
        let (mut squares, mut count) = (0.0, 0.0);
        for k in 0..600 {
            let report = world.step();
            out.solves += f64::from(report.factors) / 600.0;
            if let Some(fault) = report.fault {
                return Outcome { fault: Some(fault.to_string()), ..out };
            }
            let now = bends(&world);
            if k >= 300 {
                for (i, angle) in now.iter().enumerate() {
                    out.bend = out.bend.max(*angle);
                    squares += (angle - 2.0 * before[1][i] + before[0][i]).powi(2);
                    count += 1.0;
                }
            }
            before = [std::mem::take(&mut before[1]), now];
            let end = &world.state().bodies[load.index()];
            let energy = (0.5 * end.velocity.length_squared() / GRAVITY + end.position.z) / 10.0;
            if k <= done {
                highest = highest.max(energy);
            } else if self.ratio > 100.0 {
                // light loads are moved by their cable
                out.gain = out.gain.max(energy - highest);
            }
        }
        out.jitter = f64::sqrt(squares / count);
        let [anchor, end] = [0, load.index()].map(|place| world.state().bodies[place].position);
        out.stretch = end.distance(anchor) / 10.0 - 1.0;
        out
    }
}

/// Where the load hangs without a fault in air, it does so in water, up to 1e9 times the mass of an element.
#[test]
fn light_cables_hold_any_load_under_water() {
    let mut failures = Vec::new();
    let tests = [Test::Swing, Test::Snap, Test::Jerk(1.0, 0.25), Test::Jerk(3.0, 0.25)];
    for (elements, test) in [10, 25].into_iter().flat_map(|n| tests.map(|test| (n, test))) {
        // the second cable is lighter than water: it needs a load that keeps it down
        for (diameter, exponents) in [(0.0, 1..=9), (0.03, 1..=9), (0.1, 3..=9)] {
            let (mut line, mut solves) = (String::new(), 0.0);
            for exponent in exponents.clone() {
                let hoist = Hoist { elements, ratio: 10f64.powi(exponent), diameter, test };
                let out = hoist.run();
                solves += out.solves / exponents.clone().count() as f64;
                line.push(if out.holds() { 'o' } else { 'x' });
                // a rope as heavy as its load that is jerked by 3 m really whips
                let whips = matches!(test, Test::Jerk(..)) && hoist.ratio <= 100.0;
                if !out.holds() && !whips && diameter > 0.0 {
                    failures.push(format!("{hoist:?}: {out:?}"));
                }
            }
            println!("N {elements} D {diameter:<4} {:<16} {line:>9}  {solves:.3}", format!("{test:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
