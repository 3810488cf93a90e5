//! Why a step was rejected: body, joint, time.

use crate::body::frame::JacobianBlock;
use crate::body::{Body, BodyState};
use crate::model::Model;
use crate::model::state::State;
use crate::row::RowLaw;
use crate::row::rows::{Group, Rows};
use crate::subsystem::Part;
use std::fmt;

/// Type of a fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultKind {
    /// A pose or velocity would be NaN or infinite.
    NotFinite,
    /// A position or speed would exceed 1e10.
    Diverged,
    /// The kinetic energy exceeds what was available.
    EnergyGain {
        /// Kinetic energy [J].
        kinetic: f64,
        /// Energy at the start, and the work of loads, drives and prescribed motion since [J].
        available: f64,
    },
    /// The anchors of a joint are farther apart than its bodies are large.
    Parted {
        /// Distance of the anchors [m].
        gap: f64,
        /// The size of the larger body [m].
        size: f64,
    },
    /// The value of a controller is not a finite number.
    Controller {
        /// The value.
        value: f64,
    },
}

/// A rejected step, or a step after which the simulation was found to have diverged.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Type of the fault.
    pub kind: FaultKind,
    /// The first affected body; empty for a part of a subsystem.
    pub body: String,
    /// The part of a subsystem, such as `point 3 of cable "hose"`, if affected.
    pub part: Option<String>,
    /// The joint with the largest force on that body, if any.
    pub joint: Option<String>,
    /// Time of the last valid state [s].
    pub time: f64,
    /// Number of the last valid step.
    pub step: u64,
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FaultKind::NotFinite => "would be NaN",
            FaultKind::Diverged => "would pass 1e10",
            FaultKind::EnergyGain { kinetic, available } => return self.write_gain(f, kinetic, available),
            FaultKind::Parted { gap, size } => return self.write_parted(f, gap, size),
            FaultKind::Controller { value } => return self.write_controller(f, value),
        };
        match &self.part {
            Some(part) => f.write_str(part)?,
            None => write!(f, "body \"{}\"", self.body)?,
        }
        write!(f, " {what} after t = {} s (step {})", self.time, self.step)?;
        if let Some(joint) = &self.joint {
            write!(f, ", largest force by joint \"{joint}\"")?;
        }
        write!(
            f,
            "; the state is the last valid one. Try a shorter step, or check for extreme masses, stiffnesses or forces there"
        )
    }
}

impl Fault {
    fn write_gain(&self, f: &mut fmt::Formatter<'_>, kinetic: f64, available: f64) -> fmt::Result {
        write!(
            f,
            "the simulation gains energy: the kinetic energy is {kinetic:.3e} J at t = {} s (step {}), but only {available:.3e} J \
             were available initially and from loads and drives; body \"{}\" has most of it",
            self.time, self.step, self.body
        )?;
        if let Some(joint) = &self.joint {
            write!(f, ", largest force by joint \"{joint}\"")?;
        }
        write!(f, ". Try a shorter step, or check for extreme masses, stiffnesses or forces there")
    }

    fn write_controller(&self, f: &mut fmt::Formatter<'_>, value: f64) -> fmt::Result {
        let part = self.part.as_deref().unwrap_or_default();
        write!(
            f,
            "{part} has the value {value} at t = {} s (step {}); the state is the last valid one. Check its expressions for a \
             division by 0, a root of a negative number, or a probe of something that is broken",
            self.time, self.step
        )
    }

    fn write_parted(&self, f: &mut fmt::Formatter<'_>, gap: f64, size: f64) -> fmt::Result {
        let joint = self.joint.as_deref().unwrap_or_default();
        write!(
            f,
            "joint \"{joint}\" has come apart: its anchors are {gap:.3} m apart at t = {} s (step {}), and the size of body \"{}\" is \
             {size:.3} m. Try a shorter step, or check for extreme masses, stiffnesses or forces there",
            self.time, self.step, self.body
        )
    }
}

/// The joint with the largest force on a body.
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

/// A fault that names the body with the largest kinetic energy.
pub(crate) fn of_fastest(
    model: &Model,
    state: &State,
    rows: &Rows,
    forces: &[f64],
    kind: FaultKind,
) -> Box<Fault> {
    let kinetic = |(place, body): &(usize, &Body)| body.kinetic_energy(&state.bodies[*place]);
    let fastest = model.free_bodies(state).max_by(|a, b| kinetic(a).total_cmp(&kinetic(b)));
    Box::new(Fault {
        kind,
        body: fastest.map_or_else(String::new, |(_, body)| body.name.clone()),
        part: None,
        joint: fastest.and_then(|(place, _)| most_loaded(model, place, rows, forces)),
        time: state.time,
        step: state.step,
    })
}

/// A fault of the first joint whose anchors are farther apart than its bodies are large, if any.
pub(crate) fn parted(model: &Model, state: &State, rows: &Rows) -> Option<Box<Fault>> {
    let joints = rows.groups.iter().filter_map(|group| Some((group.joint()?, group)));
    let (place, (gap, size, body)) = joints
        .filter_map(|(place, group)| Some((place, parting(model, group, rows)?)))
        .find(|(_, (gap, size, _))| gap > size)?;
    Some(Box::new(Fault {
        kind: FaultKind::Parted { gap, size },
        body: model.bodies.at(body).map_or_else(String::new, |b| b.name.clone()),
        part: None,
        joint: model.joints.at(place).map(|joint| joint.name.clone()),
        time: state.time,
        step: state.step,
    }))
}

/// The largest violation of a joint's rigid translational rows [m], and the size of the larger of its bodies [m] with
/// its index: lever arm plus four radii of gyration, two of which exceed the half length of a rod.
fn parting(model: &Model, group: &Group, rows: &Rows) -> Option<(f64, f64, usize)> {
    let holds = |row: &usize| rows.rows[*row].law == RowLaw::Rigid && !rows.rows[*row].is_bounded();
    let widest = group.rows().filter(holds).filter_map(|row| {
        let blocks = rows.blocks(row);
        let unit = blocks.iter().map(|b| b.linear.length()).fold(0.0, f64::max);
        let size = |b: &JacobianBlock| {
            let body = model.bodies.at(b.body as usize).filter(|body| body.is_dynamic())?;
            Some((b.angular.length() / unit + 4.0 * body.mass.radius_of_gyration(), b.body as usize))
        };
        let (size, body) = blocks.iter().filter_map(size).max_by(|a, b| a.0.total_cmp(&b.0))?;
        (unit > 0.0).then(|| (rows.rows[row].gap.abs() / unit, size, body))
    });
    widest.max_by(|a, b| a.0.total_cmp(&b.0))
}

/// Checks the next poses; the first invalid one makes a fault.
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

/// Checks the next states of subsystems; the first invalid one makes a fault.
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
