//! Cases of the vehicle catalogue as pure functions: VH03–VH06, VH23, VH24.
//!
//! Reference numbers with 8 digits come from an independent implementation in Python; expressions are
//! closed forms.

use crate::common::{close, sedan, uaz};
use glam::DVec2;
use windlass_vehicle::steering::{
    PlanarMotion, ackermann, articulated_curvatures, curvature, least_scrub_line, max_curvature, skid_motion,
    skid_speeds,
};
use windlass_vehicle::tire::composite_slip::SHAPE;
use windlass_vehicle::tire::{Brush, CompositeSlip, Contact, Friction, Slip, Tire, TireForce};

const DEG: f64 = std::f64::consts::PI / 180.0;

/// References are printed with 8 digits.
const PRINTED: f64 = 5e-8;

fn at(tire: &impl Tire, load: f64, kappa: f64, alpha: f64) -> TireForce {
    let slip = Slip { kappa, tan_alpha: libm::tan(alpha) };
    tire.force(slip, &Contact::upright(load, 16.6))
}

/// The symmetric tyre has no shifts: forces of pure slip are those at the other slip 0.
#[test]
fn combined_slip_has_no_influence_without_shifts() {
    let tire = sedan().symmetric();
    for kappa in [0.02, 0.2, 1.0, -0.1] {
        let slip = Slip { kappa, tan_alpha: 0.0 };
        let pure = tire.pure_slip_force(slip, &Contact::upright(4850.0, 16.6));
        assert_eq!(pure.fx, at(&tire, 4850.0, kappa, 0.0).fx);
    }
}

#[test]
fn vh03_combined_slip() {
    let ellipse = at(&sedan(), 4850.0, 0.1, 6.0 * DEG);
    close(ellipse.fx, 3544.0562, PRINTED);
    close(ellipse.fy, -3450.3431, PRINTED);
    let weighted = at(&uaz(), 4000.0, -0.08, 4.0 * DEG);
    close(weighted.fx, -3777.4537, PRINTED);
    close(weighted.fy, -3275.0873, PRINTED);
}

fn fiala() -> Brush {
    Brush::new(DVec2::splat(50e3), 0.8, 0.1, DVec2::splat(0.4))
}

#[test]
fn vh04_fiala() {
    let (tire, load, c, top) = (fiala(), 6000.0, 50e3, 4800.0);
    let closed = |angle: f64| {
        let x = c * libm::tan(angle) / (3.0 * top);
        let rest = (1.0 - x) * (1.0 - x) * (1.0 - x);
        (-top * (1.0 - rest), top * 0.1 * x * rest)
    };
    for (angle, printed) in [(2.0, -1542.8835), (5.0, -3180.1285)] {
        let force = at(&tire, load, 0.0, angle * DEG);
        close(force.fy, closed(angle * DEG).0, 1e-13);
        close(force.fy, printed, PRINTED);
        close(force.mz, closed(angle * DEG).1, 1e-13);
    }
    close(at(&tire, load, 0.0, 5.0 * DEG).mz, 49.20847, PRINTED);
    close(at(&tire, load, 0.0, 20.0 * DEG).fy, -4800.0, 1e-15);
    // slides from tan α = 3μF_z/C, 16.066401°
    let limit = libm::atan(3.0 * top / c);
    close(limit / DEG, 16.066401, PRINTED);
    assert!(at(&tire, load, 0.0, limit * 0.999).fy > -top);
    // largest moment at x = ¼: 27/256 μ F_z a
    let mz = at(&tire, load, 0.0, libm::atan(0.25 * 3.0 * top / c)).mz;
    close(mz, top * 0.1 * 27.0 / 256.0, 1e-13);
    close(mz, 50.625, 1e-13);
}

#[test]
fn vh05_brush_combined() {
    let tire = Brush::new(DVec2::splat(90e3), 0.9, 0.1, DVec2::splat(0.4));
    let force = at(&tire, 4000.0, -0.08, 4.0 * DEG);
    close(force.fx, -2710.361, PRINTED);
    close(force.fy, -2369.0863, PRINTED);
    let force = at(&tire, 4000.0, -0.5, 20.0 * DEG);
    close(force.fx, -2910.5252, PRINTED);
    close(force.fy, -2118.689, PRINTED);
    close(libm::hypot(force.fx, force.fy), 3600.0, 1e-14);
    // friction that falls to 70 % at full sliding
    let sliding = Brush { sliding_ratio: 0.7, ..tire };
    let force = at(&sliding, 4000.0, -1.0, 20.0 * DEG);
    close(libm::hypot(force.fx, force.fy), 0.7 * 3600.0, 1e-14);
}

#[test]
fn vh06_composite_slip() {
    let tire = CompositeSlip {
        cornering: [60e3, 0.0, f64::INFINITY],
        slip_stiffness: 90e3,
        friction: Friction::constant(0.9),
        friction_decay: 0.2,
        shape: SHAPE,
        relaxation: DVec2::splat(0.4),
    };
    tire.check().unwrap();
    let force = at(&tire, 4500.0, 0.0, 3.0 * DEG);
    close(force.fy, -2770.7494, PRINTED);
    assert_eq!(force.fx.abs(), 0.0);
    close(at(&tire, 4500.0, -0.1, 0.0).fx, -3963.1172, PRINTED);
    let force = at(&tire, 4500.0, -0.1, 5.0 * DEG);
    close(force.fx, -3362.2054, PRINTED);
    close(force.fy, -2051.5493, PRINTED);
}

#[test]
fn load_sensitive_friction_and_road_friction() {
    let friction = Friction { coefficient: 1.0, load_sensitivity: 0.1, reference_load: 4000.0 };
    let tire = Brush { friction, ..fiala() };
    let slide = Slip { kappa: 0.0, tan_alpha: 1.0 };
    let fy = |load| tire.force(slide, &Contact::upright(load, 10.0)).fy;
    assert!((fy(4000.0) + 4000.0).abs() < 1e-9 && (fy(8000.0) + 8000.0 * 0.9).abs() < 1e-9);
    // similarity: a road with λ of the friction scales the slip at the peak as well
    let wet = Contact { friction: 0.5, ..Contact::upright(3928.5, 16.6) };
    let tire = sedan().symmetric();
    let dry = Contact { friction: 1.0, ..wet };
    for kappa in [0.01, 0.05, 0.2] {
        let full = tire.force(Slip { kappa, tan_alpha: 0.0 }, &dry).fx;
        let half = tire.force(Slip { kappa: 0.5 * kappa, tan_alpha: 0.0 }, &wet).fx;
        close(half, 0.5 * full, 1e-12);
    }
}

#[test]
fn vh23_eight_by_eight() {
    // axles at 0, −1.93, −5.6, −7.0 m, track 2.06 m
    let line = least_scrub_line(&[-5.6, -7.0]).unwrap();
    close(line, -6.3, 1e-15);
    let k = curvature(20.0 * DEG, 6.3);
    close(1.0 / k, 17.309108, PRINTED);
    let references =
        [(0.0, 1.03, 21.156392), (0.0, -1.03, 18.95904), (-1.93, 1.03, 15.026353), (-1.93, -1.03, 13.402981)];
    for (x, y, reference) in references {
        let (l, w): (f64, f64) = (x - line, y);
        let angle = ackermann(k, DVec2::new(l, w), 1.0);
        close(angle, libm::atan(l * k / (1.0 - w * k)), 1e-14);
        close(angle / DEG, reference, PRINTED);
        // right turns mirror
        assert_eq!(ackermann(-k, DVec2::new(l, -w), 1.0), -angle);
        // percentage
        let parallel = libm::atan(l * k);
        close(ackermann(k, DVec2::new(l, w), 0.6), parallel + 0.6 * (angle - parallel), 1e-14);
    }
    // axles on the line of the turning centre do not steer; straight ahead is no special case
    assert_eq!(ackermann(k, DVec2::new(0.0, 1.03), 1.0), 0.0);
    assert_eq!(ackermann(0.0, DVec2::new(6.3, 1.03), 1.0), 0.0);
}

#[test]
fn vh24_pivot_crab_articulated() {
    let pivot = PlanarMotion::pivot().wheel(DVec2::new(1.4, 0.8));
    close(pivot.angle, -libm::atan(1.4 / 0.8), 1e-14);
    close(pivot.angle / DEG, -60.255119, PRINTED);
    close(pivot.speed, -libm::hypot(1.4, 0.8), 1e-14);
    // opposite wheels turn in opposite directions
    let other = PlanarMotion::pivot().wheel(DVec2::new(-1.4, -0.8));
    close(other.angle, pivot.angle, 1e-14);
    close(other.speed, -pivot.speed, 1e-14);
    for x in [-1.4, 1.4] {
        let wheel = PlanarMotion::crab(15.0 * DEG).wheel(DVec2::new(x, 0.8));
        close(wheel.angle / DEG, 15.0, 1e-14);
        close(wheel.speed, 1.0, 1e-14);
    }
    let [front, rear] = articulated_curvatures(1.5, 1.8, 35.0 * DEG);
    close(1.0 / front, 5.2804262, PRINTED);
    close(1.0 / rear, 5.1858366, PRINTED);
    assert_eq!(articulated_curvatures(1.5, 1.8, 0.0), [0.0, 0.0]);
}

#[test]
fn steering_limits_and_skid_steering() {
    let [left, right] = skid_speeds(1.5, 0.4, 2.16);
    let motion = skid_motion([left, right], 2.16);
    close(motion.velocity.x, 1.5, 1e-15);
    close(motion.yaw_rate, 0.4, 1e-14);
    // the wheel that limits a turn reaches its angle there
    let wheels = [(DVec2::new(2.7, 0.75), 0.6), (DVec2::new(2.7, -0.75), 0.6)];
    for (left, sign) in [(true, 1.0), (false, -1.0)] {
        let k = max_curvature(&wheels, left);
        let angles = wheels.map(|(wheel, _)| sign * ackermann(k, wheel, 1.0));
        close(angles[0].max(angles[1]), 0.6, 1e-13);
    }
    // a turning centre under a wheel stands at ±90° and nothing is undefined
    let under = ackermann(1.0 / 0.75, DVec2::new(2.7, 0.75), 1.0);
    close(under, 0.5 * std::f64::consts::PI, 1e-12);
    assert_eq!(PlanarMotion::pivot().wheel(DVec2::ZERO).angle, 0.0);
}
