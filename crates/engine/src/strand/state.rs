//! What steps change of a strand. Plain data.

use super::Strand;
use super::bend;
use super::set::Set;
use crate::body::twist::Wrench;
use glam::DVec3;

/// What a strand does to a body: the next step applies it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// Place of the body in the model.
    pub body: u32,
    /// Force, and torque about the centre of mass.
    pub wrench: Wrench,
}

/// Where a strand is.
#[derive(Debug, Default, PartialEq)]
pub struct StrandState {
    /// By how much its velocities trail its positions [s]: half of its last step.
    pub lag: f64,
    /// Its points [m].
    pub positions: Vec<DVec3>,
    /// Their velocities [m/s].
    pub velocities: Vec<DVec3>,
    /// What its joints keep, one for each inner point.
    pub sets: Vec<Set>,
    /// The force of each hold on its body in the last step [N].
    pub forces: Vec<DVec3>,
    /// What it does to bodies that are free.
    pub pulls: Vec<Pull>,
}

impl StrandState {
    /// At rest as it is laid.
    pub fn of(strand: &Strand) -> StrandState {
        let rest =
            |w: &[DVec3]| if strand.formed { bend::bend(w[2] - w[1], w[1] - w[0]) } else { DVec3::ZERO };
        StrandState {
            lag: 0.0,
            positions: strand.points.clone(),
            velocities: vec![DVec3::ZERO; strand.points.len()],
            sets: strand.points.windows(3).map(|w| Set { rest: rest(w), spent: 0.0 }).collect(),
            forces: vec![DVec3::ZERO; strand.holds.len()],
            pulls: Vec::new(),
        }
    }

    /// Whether it has as many numbers as a strand needs.
    pub fn fits(&self, strand: &Strand) -> bool {
        let points = strand.points.len();
        self.positions.len() == points
            && self.velocities.len() == points
            && self.sets.len() == points - 2.min(points)
            && self.forces.len() == strand.holds.len()
    }

    /// The first point whose place or velocity is not finite or beyond 1e10, as for bodies.
    pub fn unsound(&self) -> Option<usize> {
        let far = |v: &DVec3| !v.abs().cmplt(DVec3::splat(1e10)).all();
        self.positions.iter().zip(&self.velocities).position(|(x, v)| far(x) || far(v))
    }

    /// Whether a step can go on from it in a model of so many places of bodies.
    pub fn is_sound(&self, bodies: usize) -> bool {
        let finite = |v: &DVec3| v.is_finite();
        self.unsound().is_none()
            && (0.0..=0.1).contains(&self.lag)
            && self.sets.iter().all(|s| s.rest.is_finite() && s.spent.is_finite())
            && self.forces.iter().all(finite)
            && self.pulls.iter().all(|p| {
                (p.body as usize) < bodies && p.wrench.force.is_finite() && p.wrench.torque.is_finite()
            })
    }
}

// Written out so that copying over a state of the same strand does not allocate.
impl Clone for StrandState {
    fn clone(&self) -> StrandState {
        let mut copy = StrandState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &StrandState) {
        self.lag = other.lag;
        self.positions.clone_from(&other.positions);
        self.velocities.clone_from(&other.velocities);
        self.sets.clone_from(&other.sets);
        self.forces.clone_from(&other.forces);
        self.pulls.clone_from(&other.pulls);
    }
}
