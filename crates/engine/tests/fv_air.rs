//! FV01: a fall through air must approach its terminal speed along tanh.

use crate::kit;

use glam::DVec3;
use kit::*;
use windlass_engine::prelude::*;

/// FV01: 1 kg with c_w A = 0.0047 m² in air of 1.225 kg/m³, dropped. v = v_t tanh(g t/v_t), v_t = √(2 m g/ρ c_w A); after 60 s
/// it lacks 4e-9 of v_t.
fn falls_through_air(dt: f64, stepper: Integrator) {
    let mut rig = Rig::new(dt, stepper);
    let body = rig.body("stone", speck(1.0), DVec3::ZERO);
    rig.world.add_force(Force::Drag(Drag { body, factor: 0.47, area: 0.01, density: Some(1.225) })).unwrap();
    let speeds = rig.trace(60.0, |world| -world.inspect().body(body).unwrap().twist.velocity.z);
    let case = Case::new("FV01", stepper, dt);
    case.finds("v_t", speeds[speeds.len() - 1].1);
    case.finds("v at 5 s", at(&speeds, 5.0));
}

#[test]
fn fv01_terminal_velocity() {
    falls_through_air(1.0 / 60.0, Integrator::Spook);
    falls_through_air(1e-3, Integrator::Spook);
}

#[test]
fn fv01_terminal_velocity_exactly() {
    falls_through_air(5e-3, Integrator::Projected);
    falls_through_air(5e-3, Integrator::DormandPrince(Adaptive::default()));
}
