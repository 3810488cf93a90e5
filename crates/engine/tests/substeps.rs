//! Steps that fit: the vibration that bounds a step, and a step of which one substep faults.

use crate::kit::Rig;
use glam::DVec3;
use windlass_engine::load::Loads;
use windlass_engine::model::Model;
use windlass_engine::model::state::State;
use windlass_engine::prelude::*;

/// Twenty bars of 0.1 kg, 0.2 m long and 2 cm wide, on ball joints, with 1 t below.
fn chain(dt: f64) -> Rig {
    let mut rig = Rig::new(dt, Integrator::Spook);
    let mut last = rig.ground;
    for k in 0..20 {
        let ends = [k, k + 1].map(|n| DVec3::NEG_Z * (0.2 * f64::from(n)));
        let bar = rig.bar("bar", 0.1, ends, 0.02);
        rig.ball([last, bar], ends[0]);
        last = bar;
    }
    let load = Mass::of_total(&Shape::Sphere { radius: 0.2 }, 1000.0).unwrap();
    let load = rig.body("load", load, DVec3::NEG_Z * 4.2);
    rig.ball([last, load], DVec3::NEG_Z * 4.0);
    rig
}

/// The bars of a taut chain zigzag with ω² = T l/I, T = m g and I = m (l² + w²)/12 about their middles. A bound per body has that to
/// a factor of 2^¼, because a bar turns about two axes; the power iteration finds it from below.
#[test]
fn the_fastest_vibration_of_a_taut_chain_is_that_of_its_bars() {
    let inertia = 0.1 * (0.2f64 * 0.2 + 0.02 * 0.02) / 12.0;
    let wanted = (1000.0 * 9.81 * 0.2 / inertia).sqrt();
    for (dt, part) in [(1e-3, 0.95..1.01), (1e-5, 1.18..1.20)] {
        let mut rig = chain(dt);
        rig.world.set(|s| s.max_substeps = 2).unwrap();
        rig.world.step();
        rig.world.step();
        let (found, _) = rig.world.stages().solution.stats[0].fastest.expect("joints under load");
        assert!(part.contains(&(found / wanted)), "{found} of {wanted} rad/s at {dt} s");
    }
}

/// Puts a force that is no number on a body from a time on.
#[derive(Debug)]
struct Spoil(BodyId, f64);

impl Hook for Spoil {
    fn forces(&mut self, _: &Model, state: &State, loads: &mut Loads) {
        if state.time > self.1 {
            loads.spin(self.0, DVec3::splat(f64::NAN));
        }
    }
}

/// A step is taken as a whole or not at all, and the fault has the time of the state that is left.
#[test]
fn a_fault_in_a_substep_leaves_the_state_before_the_step() {
    let dt = 1.0 / 60.0;
    let mut world = chain(dt).world;
    for _ in 0..3 {
        assert!(world.step().fault.is_none());
    }
    assert!(world.state().next_internal_step > 0.0, "it takes substeps");
    let (before, load) = (world.state().clone(), world.model().body("load").unwrap());
    world.add_hook(Spoil(load, before.time + 0.5 * dt));
    let fault = world.step().fault.expect("the second half of the step is spoiled");
    assert_eq!((fault.time, fault.step), (before.time, before.step));
    assert_eq!(world.state(), &before);
}
