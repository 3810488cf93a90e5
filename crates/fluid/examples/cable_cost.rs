//! Time of an evaluation of a line of 1000 elements in calm water, in a current and in a sea of 100 components.
//!
//! `cargo run --release -p windlass-fluid --example cable_cost`

use glam::{DQuat, DVec3};
use std::time::Instant;
use windlass_engine::prelude::*;
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::fluids::FluidWork;
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::waves::{Amplitudes, Sea, Spectrum, Water, Waves};
use windlass_fluid::{Fluid, Fluids, ImmersedCable, Layers};

/// 1000 elements of 0.5 m from the surface down to a depth.
fn line(fluid: Fluid, depth: f64) -> World {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let section = Section {
        diameter: 0.03,
        mass_per_length: 2.0,
        stretch: 1e7,
        bend: 0.0,
        twist: 0.0,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    };
    let path = vec![DVec3::ZERO, DVec3::new((500.0 * 500.0 - depth * depth).sqrt(), 0.0, -depth)];
    let ends = [End::Ball(Anchor::point(ground, DVec3::ZERO)), End::Free];
    let spec = CableSpec { ends, elements: 1000, ..CableSpec::new("line", section, path) };
    let cable = world.add_cable(spec).unwrap();
    let cable = world.model().cables().get(cable).unwrap();
    let cables = vec![ImmersedCable {
        elements: cable.elements.iter().map(|id| (*id, cable.element)).collect(),
        diameter: 0.03,
        drag_diameter: 0.03,
        normal: 1.2,
        tangential: 0.01,
        added: [1.0, 0.0],
    }];
    let fluids = Fluids { layers: Layers::new(vec![fluid]).unwrap(), cables, ..Fluids::default() };
    world.edit_subsystem::<Fluids>(fluids.set()).unwrap();
    world
}

/// Least time of an evaluation and of a step [ms].
fn measure(fluid: Fluid, depth: f64) -> [f64; 2] {
    let mut world = line(fluid, depth);
    let steps: Vec<f64> = (0..60)
        .map(|_| {
            let start = Instant::now();
            assert!(world.step().fault.is_none());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    let mut loads = Loads::default();
    let (fluids, state) = world.subsystem::<Fluids>().unwrap();
    let view = world.subsystem_view();
    let mut work = FluidWork::default();
    let evaluations: Vec<f64> = (0..200)
        .map(|_| {
            let start = Instant::now();
            loads.clear(view.bodies.states.len());
            fluids.loads(&view, state, &mut work, &mut loads);
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    // the least, as other programs only add to it
    [evaluations, steps].map(|times| times.into_iter().fold(f64::INFINITY, f64::min))
}

fn main() {
    let calm = Fluid::still("sea", 1025.0, Some(0.0));
    let profile = CurrentProfile::Uniform(DVec3::Y);
    let current = Some(Current::new(profile, TimeFactor::Constant(1.0)).unwrap());
    let sea = Sea {
        spectrum: Spectrum::Jonswap { gamma: Some(3.3) },
        height: 3.0,
        period: 9.0,
        direction: 0.0,
        spreading: Some(10.0),
        components: 100,
        seed: 1,
        amplitudes: Amplitudes::Equal,
    };
    let waves = Waves::sea(&sea, Water { depth: f64::INFINITY, gravity: 9.81 }).unwrap();
    let cases = [
        ("calm", calm.clone(), 300.0),
        ("current", Fluid { current, ..calm.clone() }, 300.0),
        ("100 components", Fluid { waves: Some(waves.clone()), ..calm.clone() }, 300.0),
        ("the same, shallow", Fluid { waves: Some(waves), ..calm }, 10.0),
    ];
    for (name, fluid, depth) in cases {
        let [evaluation, step] = measure(fluid, depth);
        println!("{name:<18} evaluation {evaluation:.3} ms   step {step:.2} ms");
    }
}
