//! §4.3.1.1: forces of tyre models over slip, on a rig, and differences to Project Chrono's models.
//!
//! ```text
//!  rig     a wheel under F_z is led at v_x = 10 m/s, v_y = v_x tan α, with a spin of (1 + κ) v_x/R
//!  clamp   Project Chrono's ChPac02Tire takes X = B x within ±(π/2 − 0.01) in D sin(C atan(X − E (X − atan X)))
//!  Fiala   its ChFialaTire takes F_x and F_y apart, and the width of the tyre in M_z = μ F_z b x (1 − x)³
//! ```

use super::GRAVITY;
use super::car::{Car, Plan};
use super::sedan::sedan;
use crate::vortex::steps::STEPS;
use crate::{Ask, StudyContext, Table, Trouble, Verdict, number};
use glam::{DVec2, DVec3};
use libm::{atan, fmax, hypot, sin, tan};
use std::f64::consts::{FRAC_PI_2, SQRT_2};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};
use windlass_vehicle::WheelState;
use windlass_vehicle::tire::composite_slip::SHAPE;
use windlass_vehicle::tire::{Brush, CompositeSlip, Contact, Friction, Slip, Tire, TireModel};

/// Load [N], speed of the rig [m/s], friction and half contact length [m] of brush tyre and composite slip.
const LOAD: f64 = 4850.0;
const SPEED: f64 = 10.0;
const FRICTION: f64 = 1.0;
const HALF: f64 = 0.08;
/// Stiffnesses of brush tyre and composite slip, as those of the Magic Formula tyre [N].
const STIFFNESS: DVec2 = DVec2::new(114e3, 77e3);
/// Width of the tyre [m].
const WIDTH: f64 = 0.245;

/// The tyre models of the figures. The tyre of Magic Formula is taken without conicity and ply steer.
fn models() -> Result<[(&'static str, TireModel); 3], Trouble> {
    let brush = Brush::new(STIFFNESS, FRICTION, HALF, DVec2::splat(0.4));
    let composite = CompositeSlip {
        cornering: [STIFFNESS.y, 0.0, f64::INFINITY],
        slip_stiffness: STIFFNESS.x,
        friction: Friction::constant(FRICTION),
        friction_decay: 0.2,
        shape: SHAPE,
        relaxation: DVec2::splat(0.4),
    };
    Ok([
        ("Magic Formula", TireModel::MagicFormula(Box::new(sedan()?.symmetric()))),
        ("Fiala (brush)", TireModel::Brush(brush)),
        ("composite slip", TireModel::CompositeSlip(composite)),
    ])
}

fn slip(kappa: f64, degrees: f64) -> Slip {
    Slip { kappa, tan_alpha: tan(degrees.to_radians()) }
}

/// Force of a model by its formula [N].
fn formula(tire: &TireModel, slip: Slip) -> DVec2 {
    let force = tire.force(slip, &Contact::upright(LOAD, SPEED));
    DVec2::new(force.fx, force.fy)
}

/// The state of a wheel that has run at a slip for 1.5 s.
fn rig(dt: f64, tire: &TireModel, slip: Slip) -> Result<WheelState, Trouble> {
    let plan = Plan { height: 0.5, ..Plan::new(LOAD / GRAVITY, &[DVec2::ZERO], tire.clone()) };
    let mut car = Car::new(dt, &plan, SPEED)?;
    let led = |speed: f64| Axis::driven(Drive::Prescribed(Motion::Ramp { start: 0.0, speed }));
    let velocity = DVec2::new(1.0, slip.tan_alpha) * SPEED;
    car.guide([(0, led(velocity.x)), (1, led(velocity.y)), (2, Axis::free())])?;
    let spin = (1.0 + slip.kappa) * SPEED / plan.wheel[0];
    for (body, spin) in [(car.chassis, 0.0), (car.wheels[0], spin)] {
        car.world.set_velocity(body, velocity.extend(0.0), DVec3::Y * spin).map_err(Trouble::from)?;
    }
    // the brake is overcome up to the speed of the motor, which holds the spin from both sides
    let shaft = car.shaft(0);
    car.motor(shaft, 1e6, spin);
    car.brake(shaft, 1e4);
    car.start()?;
    car.run(1.5)?;
    Ok(car.tires()[0])
}

/// A sweep of slips: name, axis of the figure, the slips by their abscissa, which force.
struct Sweep {
    name: &'static str,
    x: Measure,
    slips: Vec<(f64, Slip)>,
    component: fn(DVec2) -> f64,
}

fn sweeps() -> [Sweep; 2] {
    let along = [-0.3, -0.1, -0.03, 0.02, 0.05, 0.15, 0.4].map(|k| (k, slip(k, 0.0)));
    let across = [-12.0, -5.0, -2.0, 1.0, 3.0, 7.0, 14.0].map(|a| (a, slip(0.0, a)));
    [
        Sweep {
            name: "F_x over κ",
            x: Measure::new("longitudinal slip κ", ""),
            slips: along.to_vec(),
            component: |f| f.x,
        },
        Sweep {
            name: "F_y over α",
            x: Measure::new("slip angle α", "°"),
            slips: across.to_vec(),
            component: |f| f.y,
        },
    ]
}

/// Curves of the models, and runs on the rig.
pub fn tires(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "Tyres under 4850 N on a rig at 10 m/s beside their formulas: largest difference of the force over its peak; within 1e-4";
    let heads = ["model", "sweep", "runs", "at 1/60 s", "at 1 ms"];
    let mut table = Table::new(caption, &heads);
    let stride = context.pick(1, 3);
    for sweep in sweeps() {
        let mut curves = Vec::new();
        for (name, tire) in models()? {
            let slips: Vec<(f64, Slip)> = sweep.slips.iter().copied().step_by(stride).collect();
            let mut worst = [0.0f64; 2];
            let mut dots = Vec::new();
            for (x, slip) in &slips {
                for (worst, dt) in worst.iter_mut().zip(STEPS) {
                    let force = rig(dt, &tire, *slip)?.force;
                    *worst = fmax(*worst, (force - formula(&tire, *slip)).length() / (FRICTION * LOAD));
                    if dt == STEPS[0] {
                        dots.push((*x, (sweep.component)(force)));
                    }
                }
            }
            let cells = [name, sweep.name].map(str::to_string).into_iter();
            let cells = cells.chain([slips.len().to_string(), number(worst[0]), number(worst[1])]);
            table.row(cells, Verdict::of(worst.iter().all(|worst| *worst < 1e-4)));
            curves.push(Curve::line(name, "N", line(&tire, &sweep)));
            curves.push(Curve::dots("simulated", "N", dots));
        }
        let figure =
            Figure { x: sweep.x.clone(), y: Some(sweep.name.to_string()), curves, ..Figure::default() };
        context.figure(&format!("{} under 4850 N (§4.3.1.1)", sweep.name), &figure);
    }
    ellipses(context, &mut table, stride)?;
    context.table(table);
    chrono(context)
}

/// The formula over the range of a sweep.
fn line(tire: &TireModel, sweep: &Sweep) -> Vec<(f64, f64)> {
    let (first, last) = (sweep.slips[0].0, sweep.slips[sweep.slips.len() - 1].0);
    let at = |k: i32| first + (last - first) * f64::from(k) / 120.0;
    let is_angle = sweep.x.unit == "°";
    let slip = |x: f64| if is_angle { slip(0.0, x) } else { slip(x, 0.0) };
    (0..=120).map(at).map(|x| (x, (sweep.component)(formula(tire, slip(x))))).collect()
}

/// Combined slip: forces at 2°, 5° and 10° while κ is varied.
fn ellipses(context: &mut StudyContext<'_>, table: &mut Table, stride: usize) -> Result<(), Trouble> {
    let (name, tire) = models()?.into_iter().next().ok_or_else(|| Trouble::Failed("no model".to_string()))?;
    let mut curves = Vec::new();
    let (mut worst, mut runs) = ([0.0f64; 2], 0);
    for degrees in [2.0, 5.0, 10.0] {
        let at = |kappa: f64| formula(&tire, slip(kappa, degrees));
        let line = (-100..=100).map(|k| at(0.005 * f64::from(k))).map(|f| (f.x, f.y)).collect();
        curves.push(Curve::line(&format!("α = {degrees}°"), "N", line));
        let mut dots = Vec::new();
        for kappa in [-0.2, -0.05, 0.05, 0.2].into_iter().step_by(stride) {
            for (worst, dt) in worst.iter_mut().zip(STEPS) {
                let force = rig(dt, &tire, slip(kappa, degrees))?.force;
                *worst = fmax(*worst, (force - at(kappa)).length() / (FRICTION * LOAD));
                if dt == STEPS[0] {
                    dots.push((force.x, force.y));
                }
            }
            runs += 1;
        }
        curves.push(Curve::dots("simulated", "N", dots));
    }
    let cells =
        [name, "combined", &runs.to_string(), &number(worst[0]), &number(worst[1])].map(str::to_string);
    table.row(cells, Verdict::of(worst.iter().all(|worst| *worst < 1e-4)));
    let x = Measure::new("F_x", "N");
    let figure = Figure { x, y: Some("F_y".to_string()), curves, ..Figure::default() };
    context.figure(
        "Combined slip of the Magic Formula tyre under 4850 N: F_y over F_x, κ from −0.5 to 0.5",
        &figure,
    );
    Ok(())
}

/// Magic Formula along the wheel with Project Chrono's clamp, from the coefficients of the file, without its shifts
/// [N].
fn clamped(kappa: f64) -> Result<f64, Trouble> {
    let tire = sedan()?;
    let c = tire.coefficients();
    let nominal = c.LFZO * c.FNOMIN;
    let df = (LOAD - nominal) / nominal;
    let d = (c.PDX1 + c.PDX2 * df) * LOAD;
    let e = (c.PEX1 + c.PEX2 * df + c.PEX3 * df * df) * (1.0 - c.PEX4 * kappa.signum());
    let stiffness = LOAD * (c.PKX1 + c.PKX2 * df) * libm::exp(c.PKX3 * df);
    let x = (stiffness / (c.PCX1 * d) * kappa).clamp(-FRAC_PI_2 + 0.01, FRAC_PI_2 - 0.01);
    Ok(d * sin(c.PCX1 * atan(x - e * (x - atan(x)))))
}

/// Where Project Chrono's models differ.
fn chrono(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let caption = "The same coefficients in Project Chrono's models, evaluated here from their formulas (ChPac02Tire, ChFialaTire; commits \
                   07ecad7, 0234166); ours on the rig at 1 ms";
    let mut table = Table::new(caption, &["quantity", "ours", "closed form", "Project Chrono's formula"]);
    let [(_, magic), (_, brush), _] = models()?;
    for kappa in [0.05, 0.2, 1.0] {
        let ours = rig(STEPS[1], &magic, slip(kappa, 0.0))?.force.x;
        let exact = formula(&magic, slip(kappa, 0.0)).x;
        let cells = [format!("Magic Formula, F_x at κ = {kappa} [N]"), number(ours), number(exact)];
        let theirs = number(clamped(kappa)?);
        table.row(cells.into_iter().chain([theirs]), Ask::Part(1e-4).judge(ours, exact));
    }
    let sliding = slip(-0.5, 20.0);
    let ours = rig(STEPS[1], &brush, sliding)?.force.length();
    let top = FRICTION * LOAD;
    // F_x = μ F_z − (μ F_z)²/(4 C |κ|), F_y = μ F_z
    let along = top - top * top / (4.0 * 0.5 * STIFFNESS.x);
    let theirs = hypot(along, top);
    let cells = ["Fiala, resultant at κ = −0.5, α = 20° [N]".to_string(), number(ours), number(top)];
    table.row(cells.into_iter().chain([number(theirs)]), Ask::Part(1e-6).judge(ours, top));
    // largest at x = ¼
    let angle = atan(0.75 * top / STIFFNESS.y).to_degrees();
    let moment = rig(STEPS[1], &brush, slip(0.0, angle))?.moment.z;
    let share = 27.0 / 256.0;
    let cells = ["Fiala, largest M_z [N·m]".to_string(), number(moment), number(share * top * HALF)];
    table.row(
        cells.into_iter().chain([number(share * top * WIDTH)]),
        Ask::Part(1e-6).judge(moment, share * top * HALF),
    );
    context.table(table);
    context.remark(&format!(
        "Project Chrono bounds B κ, so its tyre does not fall beyond its peak; its Fiala tyre takes both directions apart, up to \
         {:.2} μ F_z, and has the width of the tyre where the half contact length belongs. Chrono itself was not run.",
        SQRT_2
    ));
    Ok(())
}
