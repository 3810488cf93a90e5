//! Why a step was not taken: which body, which joint, when.

use crate::body::BodyState;
use crate::model::Model;
use crate::model::state::State;
use crate::row::rows::Rows;
use crate::strand::StrandState;
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
    /// The first body affected; empty if it is a strand.
    pub body: String,
    /// The strand and the number of its point, if it is one.
    pub strand: Option<(String, usize)>,
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
        match &self.strand {
            Some((name, point)) => write!(f, "point {point} of strand \"{name}\"")?,
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
    let place = next.iter().position(|b| !b.is_sound())?;
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
        strand: None,
        joint,
        time: state.time,
        step: state.step,
    }))
}

/// Looks over the strands ahead; the first unsound point makes a fault.
pub(crate) fn find_strand(model: &Model, state: &State, next: &[StrandState]) -> Option<Box<Fault>> {
    let (strand, s, point) = model
        .strands
        .iter()
        .find_map(|(place, strand)| Some((strand, &next[place], next[place].unsound()?)))?;
    let finite = s.positions[point].is_finite() && s.velocities[point].is_finite();
    Some(Box::new(Fault {
        kind: if finite { FaultKind::Diverged } else { FaultKind::NotFinite },
        body: String::new(),
        strand: Some((strand.name.clone(), point)),
        joint: None,
        time: state.time,
        step: state.step,
    }))
}
