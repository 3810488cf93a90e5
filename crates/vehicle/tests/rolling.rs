//! Rolling moment of tyre property files.

use crate::common::sedan;
use crate::kit::G;
use crate::road::*;
use crate::train::STEPS;
use std::sync::Arc;
use windlass_vehicle::tire::{Contact, MagicFormula, Slip, Tire, TireForce, TireModel};

/// Radius of the wheels of `Spec::four` [m], their moments of inertia together [kg·m²], and the mass of the car [kg].
const RADIUS: f64 = 0.32;
const SPIN_INERTIA: f64 = 4.0 * 1.2;
const MASS: f64 = 1500.0;
/// q_Sy1 and q_Sy3, and the speed of reference of the latter [m/s].
const SHARES: [f64; 2] = [0.02, 0.01];
const LONGVL: f64 = 20.0;

/// The tyre of a sedan, Magic Formula 5.2, with |M_y| = R₀ F_z (q_Sy1 + q_Sy3 |v|/LONGVL).
fn tire() -> MagicFormula {
    let sedan = sedan().symmetric();
    let mut own = sedan.coefficients().clone();
    (own.QSY1, own.QSY2, own.QSY3, own.QSY4) = (SHARES[0], 0.0, SHARES[1], 0.0);
    (own.LMY, own.LONGVL, own.UNLOADED_RADIUS) = (1.0, LONGVL, RADIUS);
    MagicFormula::new(own, sedan.version()).unwrap()
}

/// A car that rolls at a speed under a gravity.
fn car(dt: f64, speed: f64, change: impl FnOnce(&mut Spec)) -> Car {
    let model = TireModel::MagicFormula(Box::new(tire()));
    let mut spec = Spec { rolling_resistance: None, ..Spec::four(MASS, 1.35, 1.35, 1.5, model) };
    change(&mut spec);
    let mut car = Car::new(dt, &spec, speed);
    car.start();
    car
}

fn speed(car: &Car) -> f64 {
    velocity(&car.rig.world, car.chassis).x
}

/// A car on tyres of a property file coasts down by the rolling moment of the file: (M + ΣI/R²) v̇ = −ΣM_y/R, so that
/// v = (v₀ + A/B) e^(−Bt/M') − A/B.
#[test]
fn a_car_coasts_down_by_the_rolling_moment_of_its_tyre_file() {
    let (start, time) = (30.0, 20.0);
    let mass = MASS + SPIN_INERTIA / (RADIUS * RADIUS);
    let [a, b] = [SHARES[0], SHARES[1] / LONGVL].map(|share| share * MASS * G);
    for dt in STEPS {
        let mut car = car(dt, start, |_| {});
        car.steps(time);
        let lost = start - speed(&car);
        // velocities belong to the middle of a step
        let expected = start + a / b - (start + a / b) * libm::exp(-b * (time - 0.5 * dt) / mass);
        // the moment is that of the speed at the start of a step, which is ½ h B/M' too early: 6e-5 at 1/60 s; the load
        // and the slip of the first steps, while the tyres deflect, differ for less than 0.01 s of 20 s
        assert!((lost / expected - 1.0).abs() < 1e-3, "dt {dt}: {lost} m/s lost, closed form {expected}");
        // a given resistance replaces it
        let mut free = self::car(dt, start, |spec| spec.rolling_resistance = Some(0.0));
        free.steps(2.0);
        assert!((speed(&free) - start).abs() < 1e-3, "{}", speed(&free));
    }
}

/// The rolling moment is dry friction: it stops a car and does not move it, holds it on a slope below q_Sy1, and above
/// lets it roll by the difference.
#[test]
fn the_rolling_moment_holds_a_car_at_rest() {
    for dt in STEPS {
        let mut level = car(dt, 0.2, |_| {});
        // it stops after 1 s, and the carcass, damped by 0.05, comes to rest
        level.steps(10.0);
        let at = position(&level.rig.world, level.chassis).x;
        level.steps(10.0);
        let moved = position(&level.rig.world, level.chassis).x - at;
        assert!(moved.abs() < 1e-6 && speed(&level).abs() < 1e-9, "dt {dt}: moved by {moved} m at rest");
        let mut held = car(dt, 0.0, |spec| spec.gravity = uphill(0.5 * SHARES[0]));
        // the carcass, damped by 0.05, comes to rest
        held.steps(6.0);
        let at = position(&held.rig.world, held.chassis).x;
        held.steps(10.0);
        let moved = position(&held.rig.world, held.chassis).x - at;
        assert!(moved.abs() < 1e-6, "dt {dt}: moved by {moved} m on a slope that it holds");
        let mut rolls = car(dt, 0.0, |spec| spec.gravity = uphill(2.0 * SHARES[0]));
        rolls.steps(1.0);
        let before = speed(&rolls);
        rolls.steps(1.0);
        let mass = MASS + SPIN_INERTIA / (RADIUS * RADIUS);
        let angle = 2.0 * SHARES[0];
        // at 0.3 m/s in the mean, q_Sy3 adds 7e-3 of q_Sy1
        let share = SHARES[0] * libm::cos(angle) * (1.0 + 0.3 / LONGVL * SHARES[1] / SHARES[0]);
        let expected = MASS * G * (libm::sin(angle) - share) / mass;
        let found = before - speed(&rolls);
        assert!((found / expected - 1.0).abs() < 1e-2, "dt {dt}: {found} m/s², closed form {expected}");
    }
}

/// A tyre without a pull and with a moment, of a program that uses the library.
struct Sticky(MagicFormula);

impl Tire for Sticky {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        TireForce { my: -0.02 * RADIUS * contact.load.max(0.0), ..self.0.force(slip, contact) }
    }

    fn slip_stiffness(&self, contact: &Contact) -> glam::DVec2 {
        self.0.slip_stiffness(contact)
    }

    fn relaxation_length(&self, contact: &Contact) -> glam::DVec2 {
        self.0.relaxation_length(contact)
    }
}

/// The moment that a model of the user returns acts as well: v̇ = −f M g/M'.
#[test]
fn the_rolling_moment_of_a_model_of_the_user_acts() {
    let mut car = car(1e-3, 20.0, |spec| spec.tires = vec![TireModel::User(Arc::new(Sticky(tire())))]);
    car.steps(5.0);
    let mass = MASS + SPIN_INERTIA / (RADIUS * RADIUS);
    let expected = 5.0 * 0.02 * MASS * G / mass;
    let lost = 20.0 - speed(&car);
    // as above
    assert!((lost / expected - 1.0).abs() < 2e-3, "{lost} m/s lost, closed form {expected}");
}
