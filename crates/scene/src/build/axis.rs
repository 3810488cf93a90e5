//! Drive, spring, limits and friction of a coordinate; and motions.

use super::Builder;
use crate::error::Problems;
use crate::number::{Coordinate, Number};
use crate::suggestion;
use crate::text::joint::{
    Axis as AxisText, DamperTable, ForceJoin, ForceTable as ForceTableText, Jenkins as JenkinsText,
    Limits as LimitsText, Spring as SpringText, SpringDamper,
};
use crate::text::motion::{Join, Motion as MotionText};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::body::motion::{Interpolation, MotionError, Spline};
use windlass_engine::joint::spring_curve::{
    CurvedSpring, ForceCurve, ForceTable, Jenkins, Joining, MOST_SLIDERS,
};
use windlass_engine::prelude::{Axis, Drive, Limits, Motion, Spring};

impl Builder {
    /// The options of a coordinate. `rest` is the default of a spring's value without force.
    pub fn axis<C: Coordinate>(
        &mut self,
        joint: Range<usize>,
        text: &AxisText<C>,
        rest: f64,
    ) -> Option<Axis> {
        let p = &mut self.problems;
        let drive = drive(joint.clone(), text, p);
        let spring = text.spring.as_ref().map(|s| spring(joint.clone(), s, rest, p));
        let limits = text.limits.as_ref().map(|l| limits(joint, l, p));
        let friction = p.number_or("friction", &text.friction, 0.0);
        let viscosity = p.number_or("damping", &text.damping, 0.0);
        let (spring, curve) = match spring.map_or(Some(None), |inner| inner.map(Some))? {
            None => (None, None),
            Some(Sprung::Linear(spring, rest)) => (Some((spring, rest)), None),
            Some(Sprung::Curved(curve)) => (None, Some(curve)),
        };
        Some(Axis {
            drive: drive?,
            spring,
            curve,
            limits: limits.map_or(Some(None), |inner| inner.map(Some))?,
            friction: friction?,
            viscosity: viscosity?,
        })
    }

    /// As `axis`, for options that may be absent: then the coordinate is free.
    pub fn axis_or_free<C: Coordinate>(
        &mut self,
        joint: Range<usize>,
        text: &Option<AxisText<C>>,
    ) -> Option<Axis> {
        text.as_ref().map_or(Some(Axis::free()), |text| self.axis(joint, text, 0.0))
    }
}

fn drive<C: Coordinate>(joint: Range<usize>, text: &AxisText<C>, p: &mut Problems) -> Option<Drive> {
    let given = [
        ("lock", text.lock.is_some()),
        ("motor", text.motor.is_some()),
        ("servo", text.servo.is_some()),
        ("prescribed", text.prescribed.is_some()),
    ];
    let names: Vec<_> = given.iter().filter(|g| g.1).map(|g| format!("`{}`", g.0)).collect();
    if names.len() > 1 {
        let help = "a coordinate has at most one drive: keep one of them";
        p.advise(joint, format!("{} are given together", names.join(" and ")), help);
        return None;
    }
    if let Some(hold) = &text.lock {
        return Some(Drive::Lock(p.number("lock", hold)?));
    }
    if let Some(motor) = &text.motor {
        let speed = p.number("speed", &motor.speed);
        let force = p.number_or("force", &motor.force, f64::INFINITY);
        let loss = p.number_or("droop", &motor.droop, 0.0);
        let brake = p.number_given("brake", &motor.brake);
        let (speed, force, loss, brake) = (speed?, force?, loss?, brake?);
        if let Some(given) = motor.brake.as_ref().filter(|_| force == f64::INFINITY) {
            let help = "give the motor a maximum `force`, or leave `brake` out: a motor without a limit holds by itself";
            p.advise(given.span(), "`brake` of a motor without a force limit", help);
            return None;
        }
        return Some(Drive::Speed { speed, force, droop: loss, brake });
    }
    if let Some(servo) = &text.servo {
        let target = p.number("target", &servo.target);
        let force = p.number_or("force", &servo.force, f64::INFINITY);
        let spring = element::<C>(&servo.stiffness, &servo.damping, p);
        return Some(Drive::Position { target: target?, spring: spring?, force: force? });
    }
    match &text.prescribed {
        Some(follow) => Some(Drive::Prescribed(motion(follow, joint, p)?)),
        None => Some(Drive::Free),
    }
}

/// A spring-damper; its stiffness or its damping must be above 0.
fn element<C: Coordinate>(
    stiffness: &Number<C::Stiffness>,
    damping: &Option<Number<C::Damping>>,
    p: &mut Problems,
) -> Option<Spring> {
    let (k, c) = (p.number("stiffness", stiffness), p.number_or("damping", damping, 0.0));
    let spring = Spring::new(k?, c?);
    if !spring.acts() {
        p.advise(
            stiffness.span(),
            "neither `stiffness` nor `damping` is above 0",
            "give one, or leave it out",
        );
        return None;
    }
    Some(spring)
}

/// A spring of a coordinate.
enum Sprung {
    /// With its value without force.
    Linear(Spring, f64),
    Curved(Box<CurvedSpring>),
}

fn spring<C: Coordinate>(
    joint: Range<usize>,
    text: &SpringText<C>,
    rest: f64,
    p: &mut Problems,
) -> Option<Sprung> {
    let k1 = p.number_or("stiffness", &text.stiffness, 0.0);
    let k2 = p.number_or("quadratic", &text.quadratic, 0.0);
    let k3 = p.number_or("cubic", &text.cubic, 0.0);
    let damping = p.number_or("damping", &text.damping, 0.0);
    let quadratic_damping = p.number_or("quadratic_damping", &text.quadratic_damping, 0.0);
    let rest = p.number_or("rest", &text.rest, rest);
    let table = text.table.as_ref().map(|table| force_table(table, p));
    let damper = text.damping_table.as_ref().map_or(Some(None), |table| damper_table(table, p).map(Some))?;
    let (force, damping, quadratic_damping) = ([k1?, k2?, k3?], damping?, quadratic_damping?);
    if let Some(table) = &text.table
        && (text.stiffness.is_some() || text.quadratic.is_some() || text.cubic.is_some())
    {
        let help = "keep the `table`, or `stiffness`, `quadratic` and `cubic`";
        p.advise(table.stretch.span(), "a spring with both a `table` and a stiffness", help);
        return None;
    }
    let hysteresis = text.hysteresis.as_ref().map_or(Some(Vec::new()), |list| sliders(list, p))?;
    let slides = !hysteresis.is_empty();
    if table.is_none()
        && force == [0.0; 3]
        && damping == 0.0
        && quadratic_damping == 0.0
        && !slides
        && damper.is_none()
    {
        let span = text.stiffness.as_ref().map_or(joint, Number::span);
        let help = "give `stiffness`, `quadratic`, `cubic`, `table` or `damping`, or leave the spring out";
        p.advise(span, "a spring without stiffness or damping", help);
        return None;
    }
    let is_linear = force[1..] == [0.0; 2] && quadratic_damping == 0.0 && !slides && damper.is_none();
    let force = match table {
        None if is_linear => return Some(Sprung::Linear(Spring::new(force[0], damping), rest?)),
        None => ForceCurve::Polynomial(force),
        Some(table) => ForceCurve::Table(table?),
    };
    Some(Sprung::Curved(Box::new(CurvedSpring {
        force,
        damping,
        quadratic_damping,
        damper,
        rest: rest?,
        hysteresis,
    })))
}

/// The Jenkins elements of a spring.
fn sliders<C: Coordinate>(list: &Spanned<Vec<JenkinsText<C>>>, p: &mut Problems) -> Option<Vec<Jenkins>> {
    if list.get_ref().len() > MOST_SLIDERS {
        let message = format!("`hysteresis` has {} elements", list.get_ref().len());
        p.advise(list.span(), message, format!("give at most {MOST_SLIDERS}"));
        return None;
    }
    let mut slider = |text: &JenkinsText<C>| {
        let (stiffness, force) = (p.number("stiffness", &text.stiffness), p.number("force", &text.force));
        let element = Jenkins { stiffness: stiffness?, force: force? };
        if element.stiffness == 0.0 || element.force == 0.0 {
            let help = "give a stiffness and a force above 0";
            p.advise(text.stiffness.span(), "an element of `hysteresis` without stiffness or force", help);
            return None;
        }
        Some(element)
    };
    list.get_ref().iter().map(&mut slider).collect()
}

fn force_table<C: Coordinate>(text: &ForceTableText<C>, p: &mut Problems) -> Option<ForceTable> {
    let (stretches, forces) = (p.numbers("stretch", &text.stretch), p.numbers("force", &text.force));
    let joining = match text.join {
        Some(ForceJoin::Linear) => Joining::Linear,
        Some(ForceJoin::Monotone) | None => Joining::Monotone,
    };
    let table = ForceTable::new(stretches?, forces?, joining);
    table.map_err(|e| p.push(text.stretch.span(), e.to_string(), None)).ok()
}

/// A damper through points.
fn damper_table<C: Coordinate>(text: &DamperTable<C>, p: &mut Problems) -> Option<ForceTable> {
    let (speeds, forces) = (p.numbers("speed", &text.speed), p.numbers("force", &text.force));
    let (speeds, forces) = (speeds?, forces?);
    let pushes = speeds.iter().zip(&forces).any(|(v, f)| v * f < 0.0 || (*v == 0.0 && *f != 0.0));
    if pushes || !speeds.contains(&0.0) {
        let help = "give each force the sign of its speed, and 0 at the speed 0";
        p.advise(text.force.span(), "a damper that pushes", help);
        return None;
    }
    let table = ForceTable::new(speeds, forces, Joining::Linear);
    table.map_err(|e| p.push(text.speed.span(), e.to_string().replace("stretch", "speed"), None)).ok()
}

/// The spring-damper of a compliance.
pub fn give<C: Coordinate>(text: &SpringDamper<C>, p: &mut Problems) -> Option<Spring> {
    element::<C>(&text.stiffness, &text.damping, p)
}

fn limits<C: Coordinate>(joint: Range<usize>, text: &LimitsText<C>, p: &mut Problems) -> Option<Limits> {
    let low = p.number_or("low", &text.low, f64::NEG_INFINITY);
    let high = p.number_or("high", &text.high, f64::INFINITY);
    let restitution = p.number_or("restitution", &text.restitution, 0.0);
    let spring = match (&text.stiffness, &text.damping) {
        (Some(k), c) => Some(element::<C>(k, c, p)),
        (None, Some(c)) => {
            p.advise(c.span(), "`damping` of a rigid limit", "give `stiffness` too, or leave `damping` out");
            Some(None)
        }
        (None, None) => None,
    };
    let (low, high) = (low?, high?);
    if text.low.is_none() && text.high.is_none() {
        p.advise(joint, "`limits` without `low` and `high`", "give one or both, or leave `limits` out");
        return None;
    }
    if !(low < high) {
        let span = text.high.as_ref().or(text.low.as_ref()).map_or(joint, Number::span);
        let (low, high) = (suggestion::digits(low), suggestion::digits(high));
        p.advise(span, format!("the limits {low} to {high} are not in ascending order"), "give low < high");
        return None;
    }
    let spring = spring.map_or(Some(None), |inner| inner.map(Some))?;
    Some(Limits { low, high, spring, restitution: restitution? })
}

/// A function of time. `span` is the location of errors that no number causes.
pub fn motion<C: Coordinate>(text: &MotionText<C>, span: Range<usize>, p: &mut Problems) -> Option<Motion> {
    let (motion, span) = match text {
        MotionText::Constant(value) => (Motion::Constant(p.number("constant", value)?), span),
        MotionText::Ramp { start, speed } => {
            let (start, speed) = (p.number_or("start", start, 0.0), p.number("speed", speed));
            (Motion::Ramp { start: start?, speed: speed? }, span)
        }
        MotionText::Polynomial(list) => (Motion::Polynomial(p.numbers("polynomial", list)?), list.span()),
        MotionText::Sine { mean, amplitude, frequency, phase } => {
            let mean = p.number_or("mean", mean, 0.0);
            let amplitude = p.number("amplitude", amplitude);
            let frequency = p.number("frequency", frequency);
            let phase = p.number_or("phase", phase, 0.0);
            let sine =
                Motion::Sine { mean: mean?, amplitude: amplitude?, frequency: frequency?, phase: phase? };
            (sine, span)
        }
        MotionText::Smooth { from, to, start, end } => {
            let (from, to) = (p.number("from", from), p.number("to", to));
            let (start, stop) = (p.number_or("start", start, 0.0), p.number("end", end));
            (Motion::Smooth { from: from?, to: to?, start: start?, end: stop? }, end.span())
        }
        MotionText::Accelerate { from, speed, start, end } => {
            let (from, speed) = (p.number_or("from", from, 0.0), p.number("speed", speed));
            let (start, stop) = (p.number_or("start", start, 0.0), p.number("end", end));
            (Motion::Accelerate { from: from?, speed: speed?, start: start?, end: stop? }, end.span())
        }
        MotionText::Table { times: at, values, join } => {
            let (times, values) = (p.numbers("times", at), p.numbers("values", values));
            let join = match join {
                Some(Join::Linear) => Interpolation::Linear,
                Some(Join::Cubic) | None => Interpolation::Cubic,
            };
            let spline = tell(Spline::new(times?, values?, join), at.span(), p)?;
            (Motion::Table(spline), at.span())
        }
        MotionText::Sum(terms) => {
            let terms: Vec<_> = terms.iter().map(|t| motion(t, span.clone(), p)).collect();
            (Motion::Sum(terms.into_iter().collect::<Option<_>>()?), span)
        }
        MotionText::Product { motion: first, factor } => {
            let (first, factor) = (motion(first, span.clone(), p), motion(factor, span.clone(), p));
            (Motion::Product(vec![first?, factor?]), span)
        }
        MotionText::Blend { from, to, start, end } => {
            let from = match from {
                Some(from) => motion(from, span.clone(), p),
                None => Some(Motion::Constant(0.0)),
            };
            let to = motion(to, span, p);
            let (start, stop) = (p.number_or("start", start, 0.0), p.number("end", end));
            (Motion::Blend { motions: Box::new([from?, to?]), start: start?, end: stop? }, end.span())
        }
    };
    tell(motion.check(), span, p)?;
    Some(motion)
}

fn tell<T>(result: Result<T, MotionError>, span: Range<usize>, p: &mut Problems) -> Option<T> {
    result.map_err(|e| p.push(span, e.to_string(), None)).ok()
}
