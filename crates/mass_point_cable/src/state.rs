//! State of a cable. Plain data.

use crate::bending as bend;
use crate::cable::MassPointCable;
use crate::plasticity::PlasticBend;
use glam::DVec3;
use windlass_engine::body::twist::Wrench;
use windlass_engine::subsystem::StatePart;
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Load of a cable on a body, applied in the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyLoad {
    /// Index of the body in the model.
    pub body: u32,
    /// Force, and torque about the centre of mass.
    pub wrench: Wrench,
}

/// State of a cable.
#[derive(Debug, Default, PartialEq)]
pub struct MassPointState {
    /// By how much its velocities trail its positions [s]: half of its last step.
    pub lag: f64,
    /// Its points [m].
    pub positions: Vec<DVec3>,
    /// Their velocities [m/s].
    pub velocities: Vec<DVec3>,
    /// Plastic state of its joints, one for each inner point.
    pub bends: Vec<PlasticBend>,
    /// The force of each attachment on its body in the last step [N].
    pub forces: Vec<DVec3>,
    /// Its loads on dynamic bodies.
    pub loads: Vec<BodyLoad>,
}

impl MassPointState {
    /// The initial state of a cable, at rest.
    pub fn of(cable: &MassPointCable) -> MassPointState {
        let rest =
            |w: &[DVec3]| if cable.formed { bend::bend(w[2] - w[1], w[1] - w[0]) } else { DVec3::ZERO };
        MassPointState {
            lag: 0.0,
            positions: cable.points.clone(),
            velocities: vec![DVec3::ZERO; cable.points.len()],
            bends: cable.points.windows(3).map(|w| PlasticBend { rest: rest(w), spent: 0.0 }).collect(),
            forces: vec![DVec3::ZERO; cable.attachments.len()],
            loads: Vec::new(),
        }
    }

    /// Whether its sizes are those of a cable.
    pub fn fits(&self, cable: &MassPointCable) -> bool {
        let points = cable.points.len();
        self.positions.len() == points
            && self.velocities.len() == points
            && self.bends.len() == points - 2.min(points)
            && self.forces.len() == cable.attachments.len()
    }

    /// The first point whose position or velocity is not finite or beyond 1e10, as for bodies.
    pub fn unsound(&self) -> Option<usize> {
        let far = |v: &DVec3| !v.abs().cmplt(DVec3::splat(1e10)).all();
        self.positions.iter().zip(&self.velocities).position(|(x, v)| far(x) || far(v))
    }

    /// Whether a step can continue from it with so many bodies.
    pub fn is_valid(&self, bodies: usize) -> bool {
        let finite = |v: &DVec3| v.is_finite();
        self.unsound().is_none()
            && (0.0..=0.1).contains(&self.lag)
            && self.bends.iter().all(|s| s.rest.is_finite() && s.spent.is_finite())
            && self.forces.iter().all(finite)
            && self.loads.iter().all(|p| {
                (p.body as usize) < bodies && p.wrench.force.is_finite() && p.wrench.torque.is_finite()
            })
    }
}

// Written out so that copying over a state of the same cable does not allocate.
impl Clone for MassPointState {
    fn clone(&self) -> MassPointState {
        let mut copy = MassPointState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &MassPointState) {
        self.lag = other.lag;
        self.positions.clone_from(&other.positions);
        self.velocities.clone_from(&other.velocities);
        self.bends.clone_from(&other.bends);
        self.forces.clone_from(&other.forces);
        self.loads.clone_from(&other.loads);
    }
}

/// The states of all cables of a world, by index.
#[derive(Debug, Default, PartialEq)]
pub struct MassPointStates(pub Vec<MassPointState>);

impl Clone for MassPointStates {
    fn clone(&self) -> MassPointStates {
        MassPointStates(self.0.clone())
    }

    fn clone_from(&mut self, other: &MassPointStates) {
        self.0.clone_from(&other.0);
    }
}

/// Number of cables, 0, 0, 0; then for each: lag, number of points, of bends, of forces, of loads, 0, 0, 0, and one
/// list each, padded with zeros: points x (3) v (3), bends rest (3) spent, forces (3), loads body force (3) torque (3).
impl StatePart for MassPointStates {
    fn write(&self, out: &mut WordWriter<'_>) {
        out.integers(&[self.0.len() as u64]);
        out.end();
        for s in &self.0 {
            let counts = [s.positions.len(), s.bends.len(), s.forces.len(), s.loads.len()];
            out.numbers(&[s.lag]);
            out.integers(&counts.map(|n| n as u64));
            out.end();
            for (x, v) in s.positions.iter().zip(&s.velocities) {
                out.vector(*x);
                out.vector(*v);
            }
            out.end();
            for set in &s.bends {
                out.vector(set.rest);
                out.numbers(&[set.spent]);
            }
            out.end();
            s.forces.iter().for_each(|f| out.vector(*f));
            out.end();
            for p in &s.loads {
                out.integers(&[u64::from(p.body)]);
                out.vector(p.wrench.force);
                out.vector(p.wrench.torque);
            }
            out.end();
        }
    }

    fn read(r: &mut WordReader<'_>) -> Result<MassPointStates, SnapshotError> {
        let count = r.length(8)?;
        r.zeros(1)?;
        (0..count).map(|_| read_one(r)).collect::<Result<_, _>>().map(MassPointStates)
    }
}

fn read_one(r: &mut WordReader<'_>) -> Result<MassPointState, SnapshotError> {
    let mut s = MassPointState { lag: r.number()?, ..MassPointState::default() };
    let counts = [r.length(6)?, r.length(4)?, r.length(3)?, r.length(7)?];
    r.zeros(5)?;
    for _ in 0..counts[0] {
        s.positions.push(r.vector()?);
        s.velocities.push(r.vector()?);
    }
    r.zeros(6 * counts[0])?;
    for _ in 0..counts[1] {
        s.bends.push(PlasticBend { rest: r.vector()?, spent: r.number()? });
    }
    for _ in 0..counts[2] {
        s.forces.push(r.vector()?);
    }
    r.zeros(3 * counts[2])?;
    for _ in 0..counts[3] {
        let body = r.below(1 << 32)? as u32;
        s.loads.push(BodyLoad { body, wrench: Wrench { force: r.vector()?, torque: r.vector()? } });
    }
    r.zeros(7 * counts[3])?;
    Ok(s)
}
