//! Tyre models of users: any `Tire` behind `TireModel::User`.

use crate::road::*;
use crate::train::STEPS;
use glam::DVec2;
use std::sync::Arc;
use windlass_vehicle::Signal;
use windlass_vehicle::tire::{Brush, Contact, Slip, Tire, TireForce, TireModel};

fn brush() -> Brush {
    Brush::new(DVec2::new(90e3, 70e3), 0.9, 0.08, DVec2::new(0.3, 0.4))
}

/// A model of a user that asks the brush model.
struct Wrapped(Brush);

impl Tire for Wrapped {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        self.0.force(slip, contact)
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        self.0.slip_stiffness(contact)
    }

    fn relaxation_length(&self, contact: &Contact) -> DVec2 {
        self.0.relaxation_length(contact)
    }
}

/// A model with a rational curve: F = C s/(1 + C |s|/(μ F_z)) against the slip (κ, −tan α), below μ F_z at any slip.
struct Rational {
    stiffness: f64,
    friction: f64,
}

impl Tire for Rational {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        let most = self.friction * contact.friction * contact.load.max(0.0);
        if most <= 0.0 {
            return TireForce::default();
        }
        let s = DVec2::new(slip.kappa, -slip.tan_alpha);
        let force = self.stiffness * s / (1.0 + self.stiffness * s.length() / most);
        TireForce { fx: force.x, fy: force.y, peak_x: most, peak_y: most, ..TireForce::default() }
    }

    fn slip_stiffness(&self, _: &Contact) -> DVec2 {
        DVec2::splat(self.stiffness)
    }

    fn relaxation_length(&self, _: &Contact) -> DVec2 {
        DVec2::splat(0.3)
    }
}

/// A bend with throttle for 5 s.
fn drive(dt: f64, tire: TireModel) -> Car {
    let spec = Spec { steered: Some((vec![0, 1], 0.03)), ..Spec::four(1500.0, 1.2, 1.5, 1.5, tire) };
    let mut car = Car::new(dt, &spec, 12.0);
    for wheel in 2..4 {
        car.motor(wheel, 300.0);
    }
    car.signal(Signal::Steer, 1.0);
    car.start();
    car.steps(5.0);
    car
}

/// The same model gives the same bits, whoever brings it.
#[test]
fn a_model_of_the_user_is_used_as_those_of_the_crate() {
    for dt in STEPS {
        let own = drive(dt, TireModel::Brush(brush()));
        let user = drive(dt, TireModel::User(Arc::new(Wrapped(brush()))));
        assert_eq!(own.rig.world.state().hash(), user.rig.world.state().hash());
    }
}

/// In the steady bend each tyre has the force that the model has at its slip and load.
#[test]
fn the_forces_of_a_model_of_the_user_are_those_of_its_curve() {
    let model = || Rational { stiffness: 80e3, friction: 0.9 };
    let mut car = drive(1e-3, TireModel::User(Arc::new(model())));
    // without throttle the slips settle
    car.signal(Signal::Throttle, 0.0);
    car.start();
    car.steps(1.0);
    for wheel in wheels(&car.rig.world) {
        let slip = Slip { kappa: wheel.slip.x, tan_alpha: wheel.slip.y };
        let expected = model().force(slip, &Contact::upright(wheel.load, 12.0));
        let difference = DVec2::new(expected.fx, expected.fy) - wheel.force;
        assert!(wheel.force.length() > 100.0, "it turns");
        assert!(difference.length() < 0.02 * wheel.force.length(), "{expected:?} for {:?}", wheel.force);
    }
}

/// Brakes that would stop the wheels at once leave them the largest force of the model: μ g.
#[test]
fn locked_wheels_of_a_model_of_the_user_slide() {
    let tire = TireModel::User(Arc::new(Rational { stiffness: 2e6, friction: 0.9 }));
    let mut car = Car::new(1e-3, &Spec::four(1500.0, 1.2, 1.5, 1.5, tire), 20.0);
    (0..4).for_each(|wheel| car.brake(wheel, 1e5));
    car.start();
    let chassis = car.chassis;
    let trace = car.rig.trace(1.5, |world| velocity(world, chassis).x);
    let at = |time: f64| trace[(time / 1e-3_f64).round() as usize].1;
    let deceleration = at(0.5) - at(1.5);
    assert!((deceleration / (0.9 * 9.81) - 1.0).abs() < 5e-3, "{deceleration}");
}
