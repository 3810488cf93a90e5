//! A vehicle with linear tyres whose wheels stand at given angles → its steady turn, by Newton's method.
//!
//! ```text
//!  velocity of a wheel over that ahead on the line   v = (1 − κ w, s + κ l)
//!  s: velocity of the line's middle to the left
//!  in the wheel's axes  F_y = −C v_y/|v_x|,  F_x = 0;  a drive force F at the last axle
//!  Σ F = m V² a,  Σ (l F_y − w F_x) = l_c m V² a_y       a = (−κ (s + κ l_c), κ) at the centre of mass
//!  unknowns κ, s, F
//! ```

use glam::{DMat3, DVec2, DVec3};
use libm::{fabs, hypot, sincos};

/// A wheel: position from the middle of the line [m], steering angle [rad].
pub type Steered = (DVec2, f64);

/// Radius of the path of the line's middle [m] and drive force [N] for a cornering stiffness of each wheel [N]. The
/// centre of mass is ahead of the line [m]; m V² is the mass times the square of the speed on the line [J].
pub fn turn(wheels: &[Steered], stiffness: f64, [center, inertia]: [f64; 2]) -> [f64; 2] {
    let last = wheels.iter().fold(f64::INFINITY, |least, (at, _)| least.min(at.x));
    let driven = wheels.iter().filter(|(at, _)| at.x == last).count() as f64;
    let balance = |x: DVec3| {
        let acceleration = DVec2::new(-x.x * (x.y + x.x * center), x.x) * (inertia / stiffness);
        let mut sum = -acceleration.extend(center * acceleration.y);
        for (at, angle) in wheels {
            let (s, c) = sincos(*angle);
            let (ahead, left) = (1.0 - x.x * at.y, x.y + x.x * at.x);
            let force = -(left * c - ahead * s) / fabs(ahead * c + left * s);
            let drive = if at.x == last { x.z / driven } else { 0.0 };
            let (fx, fy) = (drive - force * s, force * c);
            sum += DVec3::new(fx, fy, at.x * fy - at.y * fx);
        }
        sum
    };
    let mut x = DVec3::ZERO;
    // quadratic convergence from rolling straight on; forces are over the stiffness
    for _ in 0..30 {
        let column = |axis: DVec3| (balance(x + axis * 1e-6) - balance(x - axis * 1e-6)) / 2e-6;
        let jacobian = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z));
        x -= jacobian.inverse() * balance(x);
    }
    [hypot(1.0, x.y) / x.x, x.z * stiffness]
}
