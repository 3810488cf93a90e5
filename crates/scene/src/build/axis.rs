//! What acts along a coordinate: drive, spring, limits, friction; and motions.

use super::Builder;
use crate::error::Problems;
use crate::number::{Coordinate, Number};
use crate::suggestion;
use crate::text::joint::{Axis as AxisText, Give, Limits as LimitsText, Spring as SpringText};
use crate::text::motion::{Join, Motion as MotionText};
use std::ops::Range;
use windlass_engine::body::motion::{Interpolation, MotionError, Spline};
use windlass_engine::prelude::{Axis, Drive, Limits, Motion, Spring};

impl Builder {
    /// What acts along a coordinate. `rest` is the value of a spring without force that does not tell it.
    pub fn axis<C: Coordinate>(
        &mut self,
        joint: Range<usize>,
        text: &AxisText<C>,
        rest: f64,
    ) -> Option<Axis> {
        let p = &mut self.problems;
        let drive = drive(joint.clone(), text, p);
        let spring = text.spring.as_ref().map(|s| spring(s, rest, p));
        let limits = text.limits.as_ref().map(|l| limits(joint, l, p));
        let friction = p.number_or("friction", &text.friction, 0.0);
        let viscosity = p.number_or("viscosity", &text.viscosity, 0.0);
        let given = |o: Option<Option<_>>| o.map_or(Some(None), |inner| inner.map(Some));
        Some(Axis {
            drive: drive?,
            spring: given(spring)?,
            limits: limits.map_or(Some(None), |inner| inner.map(Some))?,
            friction: friction?,
            viscosity: viscosity?,
        })
    }

    /// As `axis`, for an axis that may be absent: then it is free.
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
        ("hold", text.hold.is_some()),
        ("motor", text.motor.is_some()),
        ("servo", text.servo.is_some()),
        ("follow", text.follow.is_some()),
    ];
    let names: Vec<_> = given.iter().filter(|g| g.1).map(|g| format!("`{}`", g.0)).collect();
    if names.len() > 1 {
        let help = "one coordinate has one drive: keep one of them";
        p.advise(joint, format!("{} are given together", names.join(" and ")), help);
        return None;
    }
    if let Some(hold) = &text.hold {
        return Some(Drive::Hold(p.number("hold", hold)?));
    }
    if let Some(motor) = &text.motor {
        let speed = p.number("speed", &motor.speed);
        let force = p.number_or("force", &motor.force, f64::INFINITY);
        let loss = p.number_or("loss", &motor.loss, 0.0);
        let brake = p.number_given("brake", &motor.brake);
        let (speed, force, loss, brake) = (speed?, force?, loss?, brake?);
        if let Some(given) = motor.brake.as_ref().filter(|_| force == f64::INFINITY) {
            let help =
                "give the motor its largest force, or leave the brake out: without a limit the motor holds";
            p.advise(given.span(), "a brake beside a motor without a limit", help);
            return None;
        }
        return Some(Drive::Speed { speed, force, loss, brake });
    }
    if let Some(servo) = &text.servo {
        let target = p.number("target", &servo.target);
        let force = p.number_or("force", &servo.force, f64::INFINITY);
        let spring = element::<C>(&servo.stiffness, &servo.damping, p);
        return Some(Drive::Place { target: target?, spring: spring?, force: force? });
    }
    match &text.follow {
        Some(follow) => Some(Drive::Follow(motion(follow, joint, p)?)),
        None => Some(Drive::Free),
    }
}

/// A spring-damper; it must be able to exert a force.
fn element<C: Coordinate>(
    stiffness: &Number<C::Stiffness>,
    damping: &Option<Number<C::Damping>>,
    p: &mut Problems,
) -> Option<Spring> {
    let (k, c) = (p.number("stiffness", stiffness), p.number_or("damping", damping, 0.0));
    let spring = Spring::new(k?, c?);
    if !spring.acts() {
        p.advise(stiffness.span(), "neither stiffness nor damping is above 0", "give one, or leave it out");
        return None;
    }
    Some(spring)
}

fn spring<C: Coordinate>(text: &SpringText<C>, rest: f64, p: &mut Problems) -> Option<(Spring, f64)> {
    let spring = element::<C>(&text.stiffness, &text.damping, p);
    let rest = p.number_or("rest", &text.rest, rest);
    Some((spring?, rest?))
}

/// The spring-damper of a softness.
pub fn give<C: Coordinate>(text: &Give<C>, p: &mut Problems) -> Option<Spring> {
    element::<C>(&text.stiffness, &text.damping, p)
}

fn limits<C: Coordinate>(joint: Range<usize>, text: &LimitsText<C>, p: &mut Problems) -> Option<Limits> {
    let low = p.number_or("low", &text.low, f64::NEG_INFINITY);
    let high = p.number_or("high", &text.high, f64::INFINITY);
    let restitution = p.number_or("restitution", &text.restitution, 0.0);
    let spring = match (&text.stiffness, &text.damping) {
        (Some(k), c) => Some(element::<C>(k, c, p)),
        (None, Some(c)) => {
            p.advise(c.span(), "`damping` of a hard stop", "give `stiffness` too, or leave it out");
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
        p.advise(span, format!("the limits {low} to {high} leave no room"), "give low < high");
        return None;
    }
    let spring = spring.map_or(Some(None), |inner| inner.map(Some))?;
    Some(Limits { low, high, spring, restitution: restitution? })
}

/// A function of time. `span` is where to point when no number is at fault.
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
