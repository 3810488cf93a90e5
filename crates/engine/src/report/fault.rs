//! Why a step was not taken: which body, which joint, when.

use crate::body::{Body, BodyState};
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::{Group, Rows};
use crate::subsystem::Part;
use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultKind {
    /// A pose or velocity would not be a number.
    NotFinite,
    /// A position or speed would pass 1e10.
    Diverged,
    /// Motion has more energy than it can have come by.
    EnergyGain {
        /// Kinetic energy [J].
        kinetic: f64,
        /// Energy at the start, and the work of loads, drives and prescribed motion since [J].
        available: f64,
    },
}

/// A step that was not taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The first body affected; empty if it is a part of a subsystem.
    pub body: String,
    /// The part of a subsystem, such as `point 3 of cable "hose"`, if it is one.
    pub part: Option<String>,
    /// The joint of that body under the largest force, if it has one.
    pub joint: Option<String>,
    /// Time of the last good state [s].
    pub time: f64,
    /// Number of the last good step.
    pub step: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::NotFinite => "would no longer be a number",
            FaultKind::Diverged => "would pass 1e10",
            FaultKind::EnergyGain { kinetic, available } => return self.write_gain(f, kinetic, available),
        };
        match &self.part {
            Some(part) => f.write_str(part)?,
            None => write!(f, "body \"{}\"", self.body)?,
        }
        write!(f, " {what} after t = {} s (step {})", self.time, self.step)?;
        if let Some(joint) = &self.joint {
            write!(f, ", pulled most by joint \"{joint}\"")?;
        }
        write!(
            f,
            "; the state is the last good one. Try a shorter step, or look for extreme masses, stiffnesses or forces there"
        )
    }
}

impl Fault {
    fn write_gain(&self, f: &mut fmt::Formatter<'_>, kinetic: f64, available: f64) -> fmt::Result {
        write!(
            f,
            "the simulation gains energy: {kinetic:.3e} J of motion at t = {} s (step {}), of which {available:.3e} J can have come from the \
             start, from loads and from drives; body \"{}\" has most of it",
            self.time, self.step, self.body
        )?;
        if let Some(joint) = &self.joint {
            write!(f, ", pulled most by joint \"{joint}\"")?;
        }
        write!(f, ". Try a shorter step, or look for extreme masses, stiffnesses or forces there")
    }
}

/// The joint that pulls most at a body.
fn most_loaded(model: &Model, place: usize, rows: &Rows, forces: &[f64]) -> Option<String> {
    let pull = |group: &Group| {
        let touches = group.rows().any(|r| rows.blocks(r).iter().any(|b| b.body as usize == place));
        let largest =
            forces[group.rows()].iter().fold(0.0, |m: f64, f| if f.abs() <= m { m } else { f.abs() });
        touches.then_some((group.joint()?, largest))
    };
    let most = rows.groups.iter().filter_map(pull).max_by(|a, b| a.1.total_cmp(&b.1));
    most.and_then(|(joint, _)| Some(model.joints.at(joint)?.name.clone()))
}

/// A fault of the body that has the most kinetic energy.
pub(crate) fn of_fastest(
    model: &Model,
    state: &State,
    rows: &Rows,
    forces: &[f64],
    kind: FaultKind,
) -> Box<Fault> {
    let kinetic = |(place, body): &(usize, &Body)| {
        let s = &state.bodies[*place];
        let spin = s.orientation.inverse() * s.angular_velocity;
        body.mass.mass * s.velocity.length_squared() + spin.dot(body.mass.inertia * spin)
    };
    let free = model.bodies.iter().filter(|(place, body)| body.is_free() && !state.bodies[*place].inactive);
    let fastest = free.max_by(|a, b| kinetic(a).total_cmp(&kinetic(b)));
    Box::new(Fault {
        kind,
        body: fastest.map_or_else(String::new, |(_, body)| body.name.clone()),
        part: None,
        joint: fastest.and_then(|(place, _)| most_loaded(model, place, rows, forces)),
        time: state.time,
        step: state.step,
    })
}

/// Looks over the next poses; the first unsound one makes a fault.
pub(crate) fn find(
    model: &Model,
    state: &State,
    next: &[BodyState],
    rows: &Rows,
    forces: &[f64],
) -> Option<Box<Fault>> {
    let place = next.iter().position(|b| !b.is_finite())?;
    let bad = &next[place];
    let finite = bad.numbers().iter().all(|x| x.is_finite());
    let joint = most_loaded(model, place, rows, forces);
    Some(Box::new(Fault {
        kind: if finite { FaultKind::Diverged } else { FaultKind::NotFinite },
        body: model.bodies.at(place).map_or_else(String::new, |b| b.name.clone()),
        part: None,
        joint,
        time: state.time,
        step: state.step,
    }))
}

/// Looks over the next states of subsystems; the first unsound one makes a fault.
pub(crate) fn find_part(model: &Model, state: &State, next: &[Part]) -> Option<Box<Fault>> {
    let fault = model.subsystems.iter().zip(next).find_map(|(kind, part)| kind.fault(part))?;
    Some(Box::new(Fault {
        kind: if fault.finite { FaultKind::Diverged } else { FaultKind::NotFinite },
        body: String::new(),
        part: Some(fault.what),
        joint: None,
        time: state.time,
        step: state.step,
    }))
}
