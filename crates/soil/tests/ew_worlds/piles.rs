//! EW38: a blade that is driven into a conical pile.

use super::*;
use crate::world::{hilly, soil};

fn cone(x: f64, y: f64) -> f64 {
    (1.5 - libm::tan(30_f64.to_radians()) * libm::hypot(x, y)).max(0.1)
}

/// Force and moment on a blade at a place in the cone, which is kept: no edge passes a node within these steps.
fn pass(width: f64, x: f64, y: f64) -> [DVec3; 2] {
    let ground = hilly(soil(35.0, 0.0, 22.0, 1600.0), ([7.9, 7.9], 0.1), STEP, cone);
    let mut rig = Rig::new(ground, (width, 2.0, 60.0), dvec3(x, y, 0.1), at_speed(0.2));
    rig.mean(STEP);
    rig.mean(4.0 * STEP)
}

#[test]
fn ew38_a_blade_in_a_conical_pile() {
    let case = in_world("EW38");
    for width in [1.0, 3.0] {
        let [force, moment] = pass(width, -1.0, 0.0);
        case.finds(&format!("blade of {width} m: draft at x = −1"), -force.x);
        assert!(moment.z.abs() < 1e-6 * force.length() * width, "moment in the middle: {moment}");
        let way = (0..14).map(|i| -pass(width, -2.2 + 0.2 * f64::from(i), 0.0)[0].x);
        case.finds(&format!("blade of {width} m: greatest draft"), way.fold(0.0, f64::max));
    }
    let [force, moment] = pass(1.0, -1.0, 0.5);
    case.finds("0.5 m beside the middle: draft at x = −1", -force.x);
    case.finds("0.5 m beside the middle: moment about the blade's middle", moment.z);
}
