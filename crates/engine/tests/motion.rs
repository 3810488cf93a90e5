//! Motions: derivatives against differences, splines through their knots.

use glam::*;

use std::f64::consts::TAU;
use windlass_engine::body::motion::*;
use windlass_engine::body::path::*;

const TIMES: [f64; 6] = [-0.5, 0.1, 0.4, 1.3, 1.9, 3.0];
const VALUES: [f64; 6] = [1.0, -0.3, 0.7, 2.5, 2.4, -1.1];

fn table(kind: Interpolation) -> Spline {
    Spline::new(TIMES.to_vec(), VALUES.to_vec(), kind).unwrap()
}

fn every_motion() -> Vec<Motion> {
    let sine = Motion::Sine { mean: 0.4, amplitude: 1.5, frequency: 0.6, phase: 0.3 };
    let smooth = Motion::Smooth { from: -1.0, to: 2.0, start: 0.2, end: 1.7 };
    let polynomial = Motion::Polynomial(vec![0.3, -1.0, 0.5, 0.7, -0.2]);
    vec![
        Motion::Constant(2.0),
        Motion::Ramp { start: 1.0, speed: -3.0 },
        polynomial.clone(),
        sine.clone(),
        smooth.clone(),
        Motion::Table(table(Interpolation::Linear)),
        Motion::Table(table(Interpolation::Cubic)),
        Motion::Sum(vec![polynomial.clone(), Motion::Sum(vec![sine.clone(), smooth.clone()])]),
        Motion::Accelerate { from: 0.5, speed: -1.2, start: 0.35, end: 1.6 },
        Motion::Product(vec![sine.clone(), smooth]),
        Motion::Blend { motions: Box::new([polynomial, sine]), start: 0.35, end: 2.6 },
    ]
}

/// Times from −1 to 4 s, none within a step of a knot of the tables above.
fn probes() -> impl Iterator<Item = f64> {
    (0..100).map(|i| -0.987 + 0.0497 * f64::from(i))
}

#[test]
fn derivatives_agree_with_central_differences() {
    let h = 1e-4;
    for motion in every_motion() {
        assert_eq!(motion.check(), Ok(()));
        for t in probes() {
            let (before, now, after) = (motion.at(t - h), motion.at(t), motion.at(t + h));
            let speed = (after.value - before.value) / (2.0 * h);
            let acceleration = (after.speed - before.speed) / (2.0 * h);
            assert!((now.speed - speed).abs() < 2e-6, "{motion:?} at {t}: {now:?}, {speed}");
            // products are as steep as their factors together
            assert!(
                (now.acceleration - acceleration).abs() < 2e-6 * (1.0 + 0.1 * acceleration.abs()),
                "{motion:?} at {t}: {now:?}, {acceleration}"
            );
        }
    }
}

#[test]
fn tables_pass_their_points_and_hold_outside() {
    for kind in [Interpolation::Linear, Interpolation::Cubic] {
        let spline = table(kind);
        assert_eq!((spline.times(), spline.values(), spline.kind()), (&TIMES[..], &VALUES[..], kind));
        for (&time, &value) in TIMES.iter().zip(&VALUES) {
            assert!((spline.at(time).value - value).abs() < 1e-14);
        }
        assert_eq!(spline.at(-0.6), Sample { value: 1.0, ..Sample::default() });
        assert_eq!(spline.at(3.1), Sample { value: -1.1, ..Sample::default() });
        assert_eq!(spline.at(f64::INFINITY).value, -1.1);
        assert!(spline.at(f64::NAN).value.is_nan());
    }
}

#[test]
fn a_cubic_table_is_smooth_with_natural_ends() {
    let spline = table(Interpolation::Cubic);
    for i in 1..TIMES.len() - 1 {
        // a hair to the left and to the right of the knot
        let (left, right) = (spline.at(TIMES[i] - 1e-9), spline.at(TIMES[i] + 1e-9));
        assert!((left.value - right.value).abs() < 1e-7);
        assert!((left.speed - right.speed).abs() < 1e-7);
        assert!((left.acceleration - right.acceleration).abs() < 1e-6);
    }
    assert_eq!(spline.at(TIMES[0]).acceleration, 0.0);
    assert_eq!(spline.at(TIMES[5]).acceleration, 0.0);
    assert!(spline.at(TIMES[0]).speed != 0.0 && spline.at(TIMES[5]).speed != 0.0);
}

#[test]
fn a_cubic_table_reproduces_lines_and_converges() {
    let line = |t: f64| 3.0 - 2.0 * t;
    let spline = Spline::new(TIMES.to_vec(), TIMES.map(line).to_vec(), Interpolation::Cubic).unwrap();
    let two = Spline::new(vec![0.0, 1.0], vec![3.0, 1.0], Interpolation::Cubic).unwrap();
    for t in [0.0, 0.3, 0.99, 1.0] {
        assert!((spline.at(t).value - line(t)).abs() < 1e-14 && (spline.at(t).speed + 2.0).abs() < 1e-13);
        assert!((two.at(t).value - line(t)).abs() < 1e-14);
    }
    // sin on 0…2π has natural ends: the value converges with order 4.
    let error = |count: usize| {
        let times: Vec<f64> = (0..=count).map(|i| TAU * i as f64 / count as f64).collect();
        let values = times.iter().map(|&t| libm::sin(t)).collect();
        let spline = Spline::new(times, values, Interpolation::Cubic).unwrap();
        (0..1000)
            .map(|i| 0.00628 * f64::from(i))
            .map(|t| (spline.at(t).value - libm::sin(t)).abs())
            .fold(0.0, f64::max)
    };
    assert!((libm::log2(error(40) / error(80)) - 4.0).abs() < 0.1);
}

#[test]
fn smooth_is_at_rest_outside() {
    let motion = Motion::Smooth { from: -1.0, to: 2.0, start: 0.2, end: 1.7 };
    for (t, value) in [(-9.0, -1.0), (0.2, -1.0), (1.7, 2.0), (9.0, 2.0)] {
        assert_eq!(motion.at(t), Sample { value, ..Sample::default() });
    }
    let middle = motion.at(0.95);
    assert!((middle.value - 0.5).abs() < 1e-14 && (middle.speed - 1.875 * 2.0).abs() < 1e-13);
    assert!(middle.acceleration.abs() < 1e-12);
}

#[test]
fn faults_are_named() {
    let nan = f64::NAN;
    let bad = [
        Motion::Constant(nan),
        Motion::Ramp { start: 0.0, speed: nan },
        Motion::Polynomial(vec![1.0, nan]),
        Motion::Polynomial(vec![]),
        Motion::Sine { mean: 0.0, amplitude: 1.0, frequency: f64::INFINITY, phase: 0.0 },
        Motion::Smooth { from: 0.0, to: 1.0, start: 1.0, end: 1.0 },
        Motion::Sum(vec![]),
        Motion::Sum(vec![Motion::Constant(1.0), Motion::Constant(nan)]),
    ];
    for motion in bad {
        assert!(motion.check().is_err(), "{motion:?}");
    }
    let spline = |times: &[f64], values: &[f64]| {
        Spline::new(times.to_vec(), values.to_vec(), Interpolation::Cubic).unwrap_err()
    };
    assert_eq!(spline(&[0.0, 1.0], &[0.0]), MotionError::Lengths { times: 2, values: 1 });
    assert_eq!(spline(&[0.0], &[0.0]), MotionError::TooFew { count: 1 });
    assert_eq!(spline(&[0.0, 1.0, 1.0], &[0.0; 3]), MotionError::Unsorted { index: 2, time: 1.0 });
    assert!(matches!(spline(&[0.0, nan], &[0.0; 2]), MotionError::NotFinite { key: "times", .. }));
    assert!(matches!(spline(&[0.0, 1.0], &[nan; 2]), MotionError::NotFinite { key: "values", .. }));
    let error = Motion::Smooth { from: 0.0, to: 1.0, start: 2.0, end: 1.0 }.check().unwrap_err();
    assert_eq!(error.to_string(), "`end` is 1 s but `start` is 2 s: give a later `end`");
}

fn path() -> Path {
    let motions = every_motion();
    Path {
        position: [motions[2].clone(), motions[3].clone(), motions[7].clone()],
        rotations: vec![
            PathRotation { axis: dvec3(1.0, -2.0, 2.0) / 3.0, angle: motions[6].clone() },
            PathRotation { axis: DVec3::Y, angle: motions[3].clone() },
            PathRotation { axis: dvec3(0.6, 0.0, 0.8), angle: motions[2].clone() },
        ],
        orientation: DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize(),
    }
}

#[test]
fn path_derivatives_agree_with_central_differences() {
    let (path, h) = (path(), 2e-5);
    assert_eq!(path.check(), Ok(()));
    for t in probes() {
        let (before, now, after) = (path.at(t - h), path.at(t), path.at(t + h));
        let rate = |after: DVec3, before: DVec3| (after - before) / (2.0 * h);
        assert!(now.velocity.abs_diff_eq(rate(after.position, before.position), 2e-6));
        assert!(now.acceleration.abs_diff_eq(rate(after.velocity, before.velocity), 2e-6));
        assert!(now.spin_rate.abs_diff_eq(rate(after.angular_velocity, before.angular_velocity), 2e-6));
        // q̇ = ½ ω q, so ω is the vector part of 2 q̇ q⁻¹.
        let turn = (after.orientation - before.orientation) * now.orientation.conjugate();
        assert!(now.angular_velocity.abs_diff_eq(turn.xyz() / h, 2e-6));
        assert!(now.orientation.is_normalized());
    }
}

#[test]
fn path_faults_are_named() {
    let about = |axis: DVec3, angle: Motion| Path { rotations: vec![PathRotation { axis, angle }], ..path() };
    let long = about(dvec3(0.0, 0.0, 2.0), Motion::Constant(0.0));
    assert_eq!(long.check(), Err(MotionError::NotUnit { key: "axis", length: 2.0 }));
    let lost = Path { orientation: DQuat::from_xyzw(0.0, 0.0, 0.0, f64::NAN), ..path() };
    assert!(matches!(lost.check(), Err(MotionError::NotUnit { key: "orientation", .. })));
    let wild = about(DVec3::Z, Motion::Constant(f64::NAN));
    assert!(wild.check().is_err());
}

/// From rest to 3 m/s in 2 s, and on: half the way of full speed is covered until then. A second one the other way stops it.
#[test]
fn an_accelerated_motion_keeps_its_speed() {
    let start = Motion::Accelerate { from: 1.0, speed: 3.0, start: 1.0, end: 3.0 };
    assert_eq!(start.at(1.0), Sample { value: 1.0, ..Sample::default() });
    let top = start.at(2.0);
    assert!((top.acceleration - 1.5 * 3.0 / 2.0).abs() < 1e-15 && (top.speed - 1.5).abs() < 1e-15);
    assert_eq!(start.at(3.0), Sample { value: 4.0, speed: 3.0, acceleration: 0.0 });
    assert_eq!(start.at(10.0), Sample { value: 25.0, speed: 3.0, acceleration: 0.0 });
    let stop = Motion::Accelerate { from: 0.0, speed: -3.0, start: 7.0, end: 8.0 };
    let both = Motion::Sum(vec![start, stop]);
    assert_eq!(both.at(7.0).speed, 3.0);
    assert_eq!(both.at(8.0), both.at(80.0));
    assert_eq!(both.at(8.0), Sample { value: 17.5, ..Sample::default() });
}

/// A blend is one motion before, the other after, and halfway at half time.
#[test]
fn a_blend_leads_from_one_motion_to_another() {
    let (slow, swing) = (
        Motion::Ramp { start: 2.0, speed: 0.1 },
        Motion::Sine { mean: 0.0, amplitude: 1.0, frequency: 0.5, phase: 0.0 },
    );
    let blend = Motion::Blend { motions: Box::new([slow.clone(), swing.clone()]), start: 1.0, end: 3.0 };
    for t in [0.0, 1.0] {
        assert_eq!(blend.at(t), slow.at(t));
    }
    assert!((blend.at(2.0).value - 0.5 * (slow.at(2.0).value + swing.at(2.0).value)).abs() < 1e-15);
    for t in [3.0, 7.3] {
        let (now, wanted) = (blend.at(t), swing.at(t));
        assert!((now.value - wanted.value).abs() < 1e-15 && (now.speed - wanted.speed).abs() < 1e-15);
    }
    let backwards = Motion::Blend { motions: Box::new([slow, swing]), start: 3.0, end: 1.0 };
    assert_eq!(backwards.check(), Err(MotionError::Backwards { start: 3.0, end: 1.0 }));
    assert_eq!(Motion::Product(Vec::new()).check(), Err(MotionError::Empty { key: "product" }));
}
