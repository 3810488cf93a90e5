//! Steering geometry: from the motion of the vehicle in the plane to the angle and speed of each wheel.
//!
//! ```text
//! velocity of a wheel    v = (u − r y, s + r x)            (u, s) velocity of the reference point, r yaw rate
//! angle and speed        δ = atan2(v_y, v_x) folded to ±90°,  |v| with the sign of the fold
//! Ackermann              tan δ = l κ/(1 − w κ)              κ = tan α/L, l from the line of the turning centre, w to the left
//! percentage a           δ = δ_p + a (δ_A − δ_p),           tan δ_p = l κ
//! pivot                  u = s = 0                          a wheel that is folded turns backward
//! crab                   r = 0
//! articulated            R_f = (l_f cos γ + l_r)/sin γ,     R_r = (l_f + l_r cos γ)/sin γ
//! skid                   v_left = u − r b/2,  v_right = u + r b/2
//! ```
//!
//! One curvature κ holds for the whole vehicle, so any number of axles has one turning centre, and driving straight
//! (κ = 0) is not a special case. Positive angles and curvatures turn left. Formulas with the wheelbase of each axle in
//! place of the distance from the common line give each axle a turning centre of its own.

use std::f64::consts::{FRAC_PI_2, PI};

use glam::DVec2;

/// Angle and speed of a rolling wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelMotion {
    /// Steering angle, −90° to 90° [rad].
    pub angle: f64,
    /// Rolling speed along the wheel; negative if the wheel rolls backward [m/s].
    pub speed: f64,
}

/// Motion of a vehicle in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarMotion {
    /// Velocity of the reference point in vehicle axes [m/s].
    pub velocity: DVec2,
    /// Yaw rate, positive to the left [rad/s].
    pub yaw_rate: f64,
}

impl PlanarMotion {
    /// Turning about a centre on the lateral line through the reference point, at 1 m/s there.
    pub fn turn(curvature: f64) -> PlanarMotion {
        PlanarMotion { velocity: DVec2::X, yaw_rate: curvature }
    }

    /// Turning on the spot about the reference point at 1 rad/s to the left.
    pub fn pivot() -> PlanarMotion {
        PlanarMotion { velocity: DVec2::ZERO, yaw_rate: 1.0 }
    }

    /// Translation at 1 m/s in a direction to the left of forward [rad].
    pub fn crab(angle: f64) -> PlanarMotion {
        let (sin, cos) = libm::sincos(angle);
        PlanarMotion { velocity: DVec2::new(cos, sin), yaw_rate: 0.0 }
    }

    /// Angle and speed of a wheel at a position relative to the reference point [m].
    ///
    /// A wheel at the turning centre keeps angle 0. A wheel whose centre of turning is straight ahead or behind stands at
    /// ±90°.
    pub fn wheel(&self, position: DVec2) -> WheelMotion {
        let v = self.velocity + self.yaw_rate * position.perp();
        let speed = libm::hypot(v.x, v.y);
        if speed == 0.0 {
            return WheelMotion { angle: 0.0, speed: 0.0 };
        }
        let angle = libm::atan2(v.y, v.x);
        if angle > FRAC_PI_2 {
            WheelMotion { angle: angle - PI, speed: -speed }
        } else if angle < -FRAC_PI_2 {
            WheelMotion { angle: angle + PI, speed: -speed }
        } else {
            WheelMotion { angle, speed }
        }
    }
}

/// Curvature of the path of the turning line for a mean angle of an axle at a distance from that line [1/m].
///
/// The distance is not 0: an axle on the line of the turning centre does not steer. The result is finite for angles
/// below 90°.
pub fn curvature(angle: f64, distance: f64) -> f64 {
    libm::tan(angle) / distance
}

/// The line of the turning centre that gives the least lateral scrub: the middle of the axles that do not steer [m].
///
/// `None` if all axles steer; the middle of the vehicle is then usual.
pub fn least_scrub_line(unsteered: &[f64]) -> Option<f64> {
    if unsteered.is_empty() { None } else { Some(unsteered.iter().sum::<f64>() / unsteered.len() as f64) }
}

/// Ackermann angle of a wheel at (l, w): l forward of the line of the turning centre, w to the left.
///
/// `share` is 1 for full Ackermann geometry and 0 for parallel steering of both wheels of an axle; other values
/// interpolate and extrapolate. The result is limited to ±90°.
pub fn ackermann(curvature: f64, wheel: DVec2, share: f64) -> f64 {
    let motion = PlanarMotion::turn(curvature);
    let parallel = motion.wheel(DVec2::new(wheel.x, 0.0)).angle;
    if share == 0.0 {
        return parallel;
    }
    let full = motion.wheel(wheel).angle;
    (parallel + share * (full - parallel)).clamp(-FRAC_PI_2, FRAC_PI_2)
}

/// Curvatures of the paths of the front and rear axle of an articulated vehicle bent by an angle, positive to the
/// left [1/m].
///
/// `front` and `rear` are the distances of the hinge from the axles. Radii are the reciprocals, so that a straight
/// vehicle has curvature 0.
pub fn articulated_curvatures(front: f64, rear: f64, angle: f64) -> [f64; 2] {
    let (sin, cos) = libm::sincos(angle);
    [sin / (front * cos + rear), sin / (front + rear * cos)]
}

/// Speeds of the left and right side of a vehicle with skid steering of a track width [m/s].
pub fn skid_speeds(speed: f64, yaw_rate: f64, track: f64) -> [f64; 2] {
    let half = 0.5 * yaw_rate * track;
    [speed - half, speed + half]
}

/// Speed and yaw rate without slip of a vehicle with skid steering from the speeds of its sides.
pub fn skid_motion([left, right]: [f64; 2], track: f64) -> PlanarMotion {
    PlanarMotion { velocity: DVec2::new(0.5 * (left + right), 0.0), yaw_rate: (right - left) / track }
}

/// Largest curvature at which no wheel exceeds its angle; wheels as (l, w, limit) [1/m].
///
/// tan δ = l κ/(1 − w κ) gives κ = tan δ/(l + w tan δ) for each wheel and turning direction.
pub fn max_curvature(wheels: &[(DVec2, f64)], left: bool) -> f64 {
    let mut best = f64::INFINITY;
    for &(wheel, limit) in wheels {
        let tan = libm::tan(limit.clamp(0.0, 0.999 * FRAC_PI_2));
        // mirrored to a left turn
        let (l, w) = (wheel.x.abs(), if left { wheel.y } else { -wheel.y });
        // behind the line the angle is opposite, the relation the same
        let denominator = l + w * tan;
        if l > 0.0 && denominator > 0.0 {
            best = best.min(tan / denominator);
        }
    }
    if left { best } else { -best }
}
