//! Why a step was not taken: which body, which joint, when.

use crate::body::BodyState;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::subsystem::Part;
use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A pose or velocity would not be a number.
    NotFinite,
    /// A position or speed would pass 1e10.
    Diverged,
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
    let pull = |group: &crate::row::rows::Group| {
        let touches = group.rows().any(|r| rows.blocks(r).iter().any(|b| b.body as usize == place));
        let largest =
            forces[group.rows()].iter().fold(0.0, |m: f64, f| if f.abs() <= m { m } else { f.abs() });
        touches.then_some((group.joint()?, largest))
    };
    let joint = rows
        .groups
        .iter()
        .filter_map(pull)
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .and_then(|(joint, _)| Some(model.joints.at(joint)?.name.clone()));
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
