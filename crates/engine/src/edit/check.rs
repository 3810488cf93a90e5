//! Validity checks of edits, and their errors.

use super::{EditError, gone};
use crate::body;
use crate::body::Body;
use crate::body::frame::{Anchor, Frame};
use crate::contact::surface::Surfaces;
use crate::joint::axis::{Axis, Drive};
use crate::joint::constraint::ConstraintView;
use crate::joint::{Joint, JointKind};
use crate::load::Force;
use crate::math;
use crate::model::Model;
use crate::model::state::{JointState, State};
use crate::row::Spring;
use crate::row::rows::Rows;
use crate::settings::{ContactSettings, Integrator, Settings};
use crate::slots::BodyId;
use glam::DQuat;

/// Whether a body is present, so that it can be edited.
pub(super) fn there(model: &Model, state: &State, id: BodyId) -> Result<(), EditError> {
    let body = model.bodies.get(id).ok_or_else(|| gone("body", id))?;
    match state.bodies[id.index()].inactive {
        true => Err(EditError::Absent { name: body.name.clone() }),
        false => Ok(()),
    }
}

/// Whether numbers are admissible in a world: the bound of `BodyState::is_finite`.
pub(super) fn sound(what: &str, values: &[f64]) -> Result<(), EditError> {
    match values.iter().find(|v| !(v.abs() < 1e10)) {
        Some(value) => Err(EditError::Number { what: what.to_string(), value: *value }),
        None => Ok(()),
    }
}

pub(super) fn unit_orientation(what: &str, q: DQuat) -> Result<DQuat, EditError> {
    let length = q.length();
    if length > 1e-6 && length.is_finite() {
        return Ok(math::unit(q));
    }
    Err(EditError::Orientation { what: what.to_string(), length })
}

pub(super) fn check_body(body: &Body) -> Result<(), EditError> {
    let center = body.mass.center.to_array();
    sound(&format!("the centre of mass of body \"{}\"", body.name), &center)?;
    for (collider, c) in body.colliders.iter().enumerate() {
        if let Some(problem) = c.problem() {
            return Err(EditError::Collider { name: body.name.clone(), collider, problem });
        }
    }
    let rates = [body.damping.linear, body.damping.angular];
    if let Some(rate) = rates.into_iter().find(|rate| !(*rate >= 0.0 && *rate < 1e10)) {
        return Err(EditError::Number { what: format!("a damping of body \"{}\"", body.name), value: rate });
    }
    match &body.kind {
        body::MotionType::Dynamic => {
            body.mass.check().map_err(|source| EditError::Mass { name: body.name.clone(), source })
        }
        body::MotionType::Kinematic(path) => {
            path.check().map_err(|source| EditError::Path { name: body.name.clone(), source })
        }
        body::MotionType::Static | body::MotionType::Catenary => Ok(()),
    }
}

/// What is wrong with an axis, if anything.
pub(super) fn axis_problem(axis: &Axis) -> Option<String> {
    let spring = |s: &Spring| {
        (!(s.stiffness >= 0.0 && s.damping >= 0.0 && s.stiffness.is_finite() && s.damping.is_finite())).then(
            || format!("stiffness {} and damping {} must be finite and not negative", s.stiffness, s.damping),
        )
    };
    let force = |f: f64| (!(f >= 0.0)).then(|| format!("the force limit is {f}: give 0 or more"));
    let acting = |s: &Spring| {
        (!s.acts()).then(|| "a spring with neither stiffness nor damping has no effect".to_string())
    };
    let number =
        |what: &str, x: f64| (!x.is_finite()).then(|| format!("{what} is {x}: give a finite number"));
    let drive = match &axis.drive {
        Drive::Free => None,
        Drive::Lock(at) => number("the held value", *at),
        Drive::Speed { speed, force: f, droop: loss, brake } => {
            let loss = (!(*loss >= 0.0)).then(|| format!("the droop is {loss}: give 0 or more"));
            // a row is bounded or not, independently of commands
            let brake = brake.filter(|brake| !(*brake >= 0.0 && brake.is_finite() && f.is_finite()));
            let brake =
                brake.map(|b| format!("a brake of {b} with a motor of {f}: give finite numbers, 0 or more"));
            number("the speed", *speed).or(force(*f)).or(loss).or(brake)
        }
        Drive::Position { target, spring: s, force: f } => {
            number("the target", *target).or(force(*f)).or(spring(s)).or(acting(s))
        }
        Drive::Prescribed(motion) => motion.check().err().map(|e| e.to_string()),
    };
    let limits = axis.limits.and_then(|l| {
        let order = (!(l.low < l.high)).then(|| format!("limits {} to {} are not ascending", l.low, l.high));
        let bounce = (!(0.0..=1.0).contains(&l.restitution))
            .then(|| format!("restitution is {}: give 0 to 1", l.restitution));
        let both = (l.restitution > 0.0 && l.spring.is_some())
            .then(|| "a compliant stop rebounds by its spring: leave out restitution".to_string());
        let give = l.spring.as_ref().and_then(|s| spring(s).or(acting(s)));
        order.or(bounce).or(both).or(give)
    });
    let own = axis.spring.and_then(|(s, rest)| spring(&s).or(number("the rest value", rest)));
    drive
        .or(limits)
        .or(own)
        .or_else(|| axis.curve.as_ref().and_then(|curve| curve.problem()))
        .or(force(axis.friction))
        .or((!(axis.viscosity >= 0.0)).then(|| format!("damping is {}: give 0 or more", axis.viscosity)))
}

/// What is wrong with a joint as a whole, if anything.
pub(super) fn joint_problem(joint: &Joint) -> Option<String> {
    let springs = [joint.compliance.linear, joint.compliance.angular];
    let soft = springs.into_iter().flatten().find(|s| {
        !(s.acts()
            && s.stiffness >= 0.0
            && s.damping >= 0.0
            && s.stiffness.is_finite()
            && s.damping.is_finite())
    });
    if let Some(s) = soft {
        let numbers = format!("compliance of {} and {}", s.stiffness, s.damping);
        return Some(format!("{numbers}: give a stiffness above 0, or none for rigid"));
    }
    if joint.strength.is_some_and(|s| !(s.force > 0.0 && s.torque > 0.0)) {
        return Some("its strength must be above 0; give infinity if it never breaks".to_string());
    }
    match &joint.kind {
        JointKind::Tether(grab) => grab.problem(),
        JointKind::Rope(rope) => rope.problem(),
        JointKind::LinearCoupling(c) if c.anchors.len() != 2 * c.terms.len() || c.terms.is_empty() => {
            let (terms, anchors) = (c.terms.len(), c.anchors.len());
            Some(format!("each of its {terms} terms needs two anchors; it has {anchors}"))
        }
        _ => None,
    }
}

pub(super) fn check_force(model: &Model, force: &Force) -> Result<(), EditError> {
    for body in force.law().bodies() {
        model.bodies.get(body).ok_or_else(|| gone("body", body))?;
    }
    force.law().problem().map_or(Ok(()), |problem| Err(EditError::Force { problem }))
}

pub(super) fn check_surfaces(surfaces: &Surfaces) -> Result<(), EditError> {
    let wrong = surfaces.pairs().find_map(|(pair, touch)| Some((pair, touch.problem()?)));
    wrong.map_or(Ok(()), |((a, b), problem)| {
        let [a, b] = [a, b].map(|s| surfaces.name(s).to_owned());
        Err(EditError::Surface { a, b, problem })
    })
}

pub(super) fn check_settings(s: &Settings) -> Result<(), EditError> {
    let bad = |key, value, remedy| Err(EditError::Setting { key, value, remedy });
    if !Settings::DT.contains(&s.dt) {
        return bad("dt", s.dt, "give a step between 1e-7 and 0.2 s");
    }
    if let Integrator::DormandPrince(a) = s.integrator {
        // accelerations are accurate to 1e-10 (integrate/acceleration.rs): a smaller tolerance would only shorten steps
        if !(1e-11..=0.1).contains(&a.tolerance) {
            return bad("tolerance", a.tolerance, "give 1e-11 to 0.1");
        }
        if !(a.min_step > 0.0 && a.min_step <= a.max_step && a.max_step.is_finite()) {
            return bad("min_step", a.min_step, "give 0 < min_step ≤ max_step");
        }
    }
    if let Some(sleep) = s.sleep
        && !(sleep.speed > 0.0 && sleep.after > 0.0)
    {
        return bad("sleep", sleep.speed, "give a speed and a time above 0");
    }
    if !(s.bounce_speed >= 0.0) {
        return bad("bounce_speed", s.bounce_speed, "give 0 or more");
    }
    if let Some(rounds) = s.position_iterations.filter(|rounds| !Settings::ROUNDS.contains(rounds)) {
        return bad("position_iterations", f64::from(rounds), "give 0 to 100");
    }
    if !Settings::MAX_SUBSTEPS.contains(&s.max_substeps) {
        return bad("max_substeps", f64::from(s.max_substeps), "give 1 to 1024");
    }
    let c = &s.contact;
    if !(c.margin >= 0.0 && c.margin < 1e3) {
        return bad("contact.margin", c.margin, "give 0 or more metres");
    }
    if !(c.recovery > 0.0) {
        return bad("contact.max_depenetration_speed", c.recovery, "give a speed above 0");
    }
    if !ContactSettings::SWEEPS.contains(&c.solver_iterations) {
        return bad("contact.solver_iterations", f64::from(c.solver_iterations), "give 1 to 100000");
    }
    if !ContactSettings::SUBSTEPS.contains(&c.substeps) {
        return bad("contact.substeps", f64::from(c.substeps), "give 1 to 1000");
    }
    let aero = &c.penalty;
    if !(0.1..=1e5).contains(&aero.frequency) {
        return bad("contact.penalty.frequency", aero.frequency, "give 0.1 to 100000 Hz");
    }
    if !(0.0..=100.0).contains(&aero.damping) {
        return bad("contact.penalty.damping", aero.damping, "give a damping ratio of 0 to 100");
    }
    if !(aero.creep >= 0.0 && aero.creep.is_finite()) {
        return bad("contact.penalty.creep", aero.creep, "give a speed of 0 or more");
    }
    if !(0.0..=1.0).contains(&aero.gravity_noise) {
        return bad("contact.penalty.gravity_noise", aero.gravity_noise, "give a share of gravity, 0 to 1");
    }
    sound("gravity", &s.gravity.to_array())
}

/// The world frames of a constraint's anchors, checked.
pub(super) fn frames(
    model: &Model,
    state: &State,
    name: &str,
    anchors: &[Anchor],
) -> Result<Vec<Frame>, EditError> {
    for anchor in anchors {
        model.bodies.get(anchor.body).ok_or_else(|| gone("body", anchor.body))?;
        sound(&format!("an anchor of joint \"{name}\""), &anchor.at.to_array())?;
        unit_orientation(&format!("the orientation of an anchor of joint \"{name}\""), anchor.turn)?;
    }
    Ok(anchors.iter().map(|a| model.frame(state, a)).collect())
}

/// Checks a joint against the world, determines what it left open, and returns its initial memory.
pub(super) fn admit(
    model: &Model,
    state: &State,
    joint: &mut Joint,
    last: &[f64],
) -> Result<JointState, EditError> {
    let problem = |problem: String| EditError::Joint { name: joint.name.clone(), problem };
    let frames = frames(model, state, &joint.name, joint.constraint().anchors())?;
    for (k, axis) in joint.constraint().axes().iter().enumerate() {
        if let Some(p) = axis_problem(axis) {
            return Err(problem(format!("coordinate {}: {p}", k + 1)));
        }
    }
    if let [a, b] = joint.constraint().anchors()
        && a.body == b.body
    {
        return Err(problem("both anchors are on the same body".to_string()));
    }
    if let Some(p) = joint_problem(joint) {
        return Err(problem(p));
    }
    let view = ConstraintView { frames: &frames, last, history: &[], time: state.time };
    let held = joint.constraint().anchors().get(1).and_then(|a| model.bodies.get(a.body));
    joint.settle(held.map(|body| &body.mass), &view);
    let rows = Rows::of(joint.constraint(), joint.compliance, &view);
    let gaps = rows.rows.iter().all(|r| r.gap.is_finite() && r.lo <= r.hi);
    if !gaps || rows.blocks.iter().any(|b| !(b.linear.is_finite() && b.angular.is_finite())) {
        return Err(EditError::Joint {
            name: joint.name.clone(),
            problem: "its equations are not defined at this pose".to_string(),
        });
    }
    Ok(JointState { coordinates: rows.coordinates, ..JointState::default() })
}
