//! VH01–VH06: steady forces of tyres. VH01 and VH02 are formulas, the others run on a rig: a wheel under a load that
//! is led along a straight line with a prescribed spin.

use crate::common::{sedan, uaz};
use crate::kit::*;
use crate::road::*;
use crate::train::STEPS;
use glam::DVec2;
use windlass_engine::prelude::*;
use windlass_vehicle::WheelState;
use windlass_vehicle::tire::composite_slip::SHAPE;
use windlass_vehicle::tire::{
    Brush, CompositeSlip, Contact, Friction, MagicFormula, Slip, Tire, TireForce, TireModel,
};

fn case(id: &str, dt: f64) -> Case {
    Case::new(id, Integrator::Spook, dt)
}

fn slip(kappa: f64, degrees: f64) -> Slip {
    Slip { kappa, tan_alpha: libm::tan(degrees.to_radians()) }
}

/// Without the influence that shifts have on combined slip.
fn pure(tire: &MagicFormula, load: f64, slip: Slip) -> TireForce {
    tire.pure_slip_force(slip, &Contact::upright(load, 16.6))
}

#[test]
fn vh01_magic_formula_along() {
    let tire = sedan();
    for dt in STEPS {
        let case = case("VH01", dt);
        for kappa in [0.02, 0.05, 0.1, 0.2, 1.0, -0.1] {
            let force = pure(&tire, 4850.0, slip(kappa, 0.0)).fx;
            case.finds(&format!("F_x at κ = {kappa}"), force);
        }
        let stiffness = tire.slip_stiffness(&Contact::upright(4850.0, 16.6));
        case.finds("slip stiffness K_x", stiffness.x);
    }
}

#[test]
fn vh02_magic_formula_across() {
    let tire = sedan();
    for dt in STEPS {
        let case = case("VH02", dt);
        for (load, angle) in [(3000, 1), (3000, 3), (3000, 8), (6000, 1), (6000, 3), (6000, 8)] {
            let force = pure(&tire, f64::from(load), slip(0.0, f64::from(angle))).fy;
            case.finds(&format!("F_y at F_z = {load} N, α = {angle}°"), force);
        }
        case.finds("M_z at F_z = 3000 N, α = 3°", pure(&tire, 3000.0, slip(0.0, 3.0)).mz);
        let stiffness = tire.slip_stiffness(&Contact::upright(4850.0, 16.6));
        case.finds("cornering stiffness |K_y| at 4850 N", stiffness.y);
    }
}

/// Speed of the rig [m/s].
const SPEED: f64 = 10.0;

/// The state of a wheel that has run at a slip for 1.5 s.
fn rig(dt: f64, tire: TireModel, load: f64, slip: Slip) -> WheelState {
    let spec = Spec { wheels: vec![DVec2::ZERO], height: 0.5, ..Spec::four(load / G, 0.0, 0.0, 0.0, tire) };
    let mut car = Car::new(dt, &spec, SPEED);
    let led = |speed: f64| Axis::driven(Drive::Prescribed(Motion::Ramp { start: 0.0, speed }));
    let velocity = DVec2::new(1.0, slip.tan_alpha) * SPEED;
    car.guide_along([(0, led(velocity.x)), (1, led(velocity.y)), (2, Axis::free())]);
    let spin = (1.0 + slip.kappa) * SPEED / spec.wheel[0];
    for body in [car.chassis, car.wheels[0]] {
        let rolls = if body == car.chassis { 0.0 } else { spin };
        car.rig.moving(body, velocity.extend(0.0), glam::DVec3::Y * rolls);
    }
    // the brake is overcome up to the speed of the motor, which holds the spin from both sides
    car.motor(0, 1e6).limit = spin;
    car.brake(0, 1e4);
    car.start();
    car.rig.widest = f64::INFINITY;
    car.rig.run(1.5, |_, _| {});
    wheels(&car.rig.world)[0]
}

#[test]
fn vh03_combined_slip() {
    for dt in STEPS {
        let case = case("VH03", dt);
        let ellipse = rig(dt, TireModel::MagicFormula(Box::new(sedan())), 4850.0, slip(0.1, 6.0));
        case.finds("(a) F_x", ellipse.force.x);
        case.finds("(a) F_y", ellipse.force.y);
        // the ellipse is that of the curves without their vertical offsets S_v:
        // μ F_z = peak − |S_v|, F (1 − S_v/F_pure)
        let (tire, contact) = (sedan(), Contact::upright(4850.0, SPEED));
        let [whole, bare] = [tire.clone(), tire.symmetric()]
            .map(|tire| pure(&tire, 4850.0, slip(0.1, 6.0)))
            .map(|force| DVec2::new(force.peak_x, force.peak_y));
        let single = sedan().pure_slip_force(slip(0.1, 6.0), &contact);
        let offset = (whole - bare) / DVec2::new(single.fx, single.fy);
        let share = ellipse.force * (1.0 - offset) / bare;
        case.finds("(a) share of the ellipse, at most 1", share.length_squared());
        let weighted = rig(dt, TireModel::MagicFormula(Box::new(uaz())), 4000.0, slip(-0.08, 4.0));
        case.finds("(b) F_x", weighted.force.x);
        case.finds("(b) F_y", weighted.force.y);
    }
}

#[test]
fn vh04_limit_of_fiala() {
    let (load, top, stiffness, half) = (6000.0, 4800.0, 50e3, 0.1);
    let brush = Brush::new(DVec2::splat(stiffness), 0.8, half, DVec2::splat(0.4));
    for dt in STEPS {
        let case = case("VH04", dt);
        let at = |degrees: f64| rig(dt, TireModel::Brush(brush), load, slip(0.0, degrees));
        // (1 + F_y/μF_z)^⅓ = 1 − x decreases linearly with tan α, to 0 where it slides
        let [a, b] = [6.0, 12.0].map(|degrees: f64| {
            (libm::tan(degrees.to_radians()), libm::cbrt(1.0 + at(degrees).force.y / top))
        });
        let limit = a.0 + (b.0 - a.0) * a.1 / (a.1 - b.1);
        case.finds("angle from which it slides", libm::atan(limit).to_degrees());
        for degrees in [2.0, 5.0, 20.0] {
            case.finds(&format!("F_y at {degrees}°"), at(degrees).force.y);
        }
        case.finds("M_z at 5°", at(5.0).moment.z);
        let largest = libm::atan(0.25 * 3.0 * top / stiffness).to_degrees();
        case.finds("largest M_z", at(largest).moment.z);
        for beside in [0.9, 1.1] {
            assert!(at(beside * largest).moment.z < at(largest).moment.z);
        }
    }
}

#[test]
fn vh05_brush_combined() {
    for dt in STEPS {
        let case = case("VH05", dt);
        let brush = Brush::new(DVec2::splat(90e3), 0.9, 0.1, DVec2::splat(0.4));
        let force = rig(dt, TireModel::Brush(brush), 4000.0, slip(-0.08, 4.0)).force;
        case.finds("(a) F_x", force.x);
        case.finds("(a) F_y", force.y);
        let force = rig(dt, TireModel::Brush(brush), 4000.0, slip(-0.5, 20.0)).force;
        case.finds("(b) F_x", force.x);
        case.finds("(b) F_y", force.y);
        case.finds("(b) resultant, no more than μF_z", force.length());
    }
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
    for dt in STEPS {
        let case = case("VH06", dt);
        for (braking, degrees) in [(0.0, 3.0), (0.1, 0.0), (0.1, 5.0)] {
            let force = rig(dt, TireModel::CompositeSlip(tire), 4500.0, slip(-braking, degrees)).force;
            let name = format!("S = {braking}, α = {degrees}°: F_x F_y");
            case.finds(&name, force.abs().to_array());
        }
    }
}
