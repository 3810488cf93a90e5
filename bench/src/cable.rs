//! Cost of a flexible cable against the number of its elements, with a load of a million elements' mass.

use crate::measure::{Samples, cpu, exponent};
use crate::row;
use crate::table::{Cell, Table};
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;

/// Largest exponent that still counts as linear.
const LINEAR: f64 = 1.05;

/// The load over the mass of an element.
const RATIO: f64 = 1e6;

struct Case {
    elements: usize,
    world: World,
    step: Samples,
    stages: [Samples; 5],
    solves: f64,
    steps: f64,
}

/// A section with a diameter [m], a mass [kg/m] and EA [N].
/// It has no stiffness in bending and torsion, no damping and no limits.
pub fn section(diameter: f64, mass_per_length: f64, stretch: f64) -> Section {
    Section {
        diameter,
        mass_per_length,
        stretch,
        bend: 0.0,
        twist: 0.0,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    }
}

/// 10 m of cable released at 30° with its load; 0.1 % of stretch, a wire rope's bending stiffness, twist.
fn hoist(elements: usize) -> World {
    let gravity = 10.0;
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::NEG_Z * gravity).expect("a gravity");
    let ea = 1000.0 * (RATIO + elements as f64) * gravity;
    let plain = section(0.1, 0.1 * elements as f64, ea);
    let section = Section { bend: 7.5e-7 * ea, twist: 3e-7 * ea, ..plain };
    let end = DVec3::new(0.0, 0.5, -0.75f64.sqrt()) * 10.01;
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).expect("a ground");
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.25 }, RATIO).expect("a ball");
    let load = world.add_body(Body::dynamic("load", ball), end, DQuat::IDENTITY).expect("a load");
    let ends = [ground, load].map(|b| End::Ball(Anchor::point(b, DVec3::ZERO)));
    let rope = CableSpec::new("rope", section, [DVec3::ZERO, end]);
    world.add_cable(CableSpec { ends, elements, length: Some(10.0), ..rope }).expect("a cable");
    world
}

impl Case {
    fn new(elements: usize) -> Case {
        let mut world = hoist(elements);
        // the first steps lay out the system and find the tension
        (0..20).for_each(|_| drop(world.step()));
        Case {
            elements,
            world,
            step: Samples::default(),
            stages: Default::default(),
            solves: 0.0,
            steps: 0.0,
        }
    }

    fn round(&mut self, readings: usize) {
        for _ in 0..readings {
            let start = cpu();
            let report = self.world.step();
            self.step.push(cpu() - start);
            let t = report.timing;
            let stages = [t.force, t.constrain, t.partition, t.solve, t.integrate];
            for (samples, time) in self.stages.iter_mut().zip(stages) {
                samples.push(time.as_secs_f64() * 1e6);
            }
            self.solves += f64::from(report.factors);
            self.steps += 1.0;
            assert!(report.fault.is_none(), "{:?}", report.fault);
        }
    }
}

pub fn run(quick: bool) -> Vec<Table> {
    let sizes: &[usize] = if quick { &[25, 100, 400] } else { &[25, 100, 400, 1000, 10_000] };
    let mut cases: Vec<Case> = sizes.iter().map(|n| Case::new(*n)).collect();
    for _ in 0..if quick { 3 } else { 12 } {
        for case in &mut cases {
            case.round((20_000 / case.elements).clamp(4, 100));
        }
    }
    let title = format!(
        "cable: one step of 1/60 s [µs], load of {RATIO:e} elements; CPU time, stages by the engine's clock"
    );
    let columns = [
        "elements",
        "min",
        "median",
        "ns/element",
        "solves",
        "force",
        "constrain",
        "partition",
        "solve",
        "integrate",
    ];
    let mut table = Table::new(&title, &columns);
    for case in &cases {
        let min = case.step.min();
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|k| case.stages[k].median());
        let each = Cell::Number((1e3 * min / case.elements as f64).round(), 17);
        table.push(row![
            case.elements,
            min,
            case.step.median(),
            each,
            case.solves / case.steps,
            a,
            b,
            c,
            d,
            e
        ]);
    }
    let points: Vec<(f64, f64)> = cases.iter().map(|c| (c.elements as f64, c.step.min())).collect();
    let k = exponent(&points);
    let told = if k <= LINEAR { "met" } else { "MISSED" };
    table.note(format!("Exponent of cost = c·Nᵏ over all sizes: {k:.3}; target ≤ {LINEAR}: {told}."));
    table.note("Released at 30°, 10 m, 0.1 % stretch, EI of a wire rope, twist; six rows a link.");
    table.note("The same chain in other engines: B1 and B2 of bench/compare.sh.");
    vec![table]
}
