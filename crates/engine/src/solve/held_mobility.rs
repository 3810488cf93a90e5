//! Mobility of a spring or damper while the rigid rows of joints on its bodies hold.
//!
//!   μ = J M⁻¹ Jᵀ − b A⁻¹ bᵀ,      A = J_r M⁻¹ J_rᵀ,   b = J M⁻¹ J_rᵀ,   J_r the rigid rows
//!
//! On a hinge, the torque of a spring turns a bob of mass m and central inertia I with 1/(I + m r²), not with the 1/I of
//! the free body, which may be a thousand times as much.
//!
//! μ is never less than the mobility in the whole machine: it is the minimum of |J − λ J_r|² over λ, in the norm of
//! M⁻¹, and a further row only adds to the choice of λ. So h² k μ ≤ 4 implies ω h ≤ 2 in the machine too. For the same
//! reason it is never more than the mobility of the free bodies, and it remains an upper bound if rows are left out, as
//! redundant ones are.
//!
//! The rows are those of the joint itself, then those of the joints on its bodies, on the bodies behind these and so on,
//! until μ is small enough to decide, or further joints do not matter. In a chain, those of its neighbours suffice.
//!
//! It follows from the rows and masses of the step alone. Soft rows, rows with bounds and those of contacts are not
//! among the rows that hold. Springs and dampers of contacts and subsystems keep the mobility of free bodies.

use crate::body::frame::JacobianBlock;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::row::rows::{Group, Rows};
use crate::row::{Row, RowLaw};

/// Number of rows from which on no further joint is considered.
const MOST: usize = 48;

/// Further joints do not matter if the last ones left this part of the mobility.
const SETTLED: f64 = 0.9;

/// A row that has at most this part of its mobility left is redundant.
const REDUNDANT: f64 = 1e-9;

/// The mobilities of those springs and dampers of an island for which those of free bodies do not suffice.
#[derive(Debug, Default)]
pub struct HeldMobility {
    /// Body and joint, by its place among the groups of the island, in order. Listed when first needed.
    joints: Vec<(u32, u32)>,
    /// Row and mobility, in the order of rows.
    found: Vec<(usize, f64)>,
    /// The last row.
    last: Option<usize>,
    region: Region,
    holding: HoldingRows,
}

/// The joints about a row, by their places among the groups, and their dynamic bodies.
#[derive(Debug, Default)]
struct Region {
    joints: Vec<usize>,
    bodies: Vec<u32>,
    /// The first of the bodies whose joints are not yet among them.
    edge: usize,
    /// Whether further joints do not matter.
    settled: bool,
}

impl HeldMobility {
    /// Prepares for another island, keeping the memory.
    pub(super) fn emptied(mut self) -> HeldMobility {
        self.joints.clear();
        self.begin();
        self
    }

    /// Forgets the mobilities of the last solve.
    pub(super) fn begin(&mut self) {
        self.found.clear();
        self.last = None;
    }

    /// The rows whose mobility was needed in the last solve, in order, with the mobility.
    pub(super) fn found(&self) -> &[(usize, f64)] {
        &self.found
    }

    /// The mobility of a row of an island's group number `own`, given that of its free bodies; one that is at most `enough` may
    /// be too large. Rows come in order.
    pub(super) fn find(
        &mut self,
        (row, own): (usize, usize),
        groups: &[u32],
        (rows, motion): (&Rows, &FreeMotion),
        [free, enough]: [f64; 2],
    ) -> f64 {
        let bodies = |row: usize| rows.blocks(row).iter().map(|block| block.body);
        let group = |at: usize| &rows.groups[groups[at] as usize];
        if group(own).pair().is_some() || group(own).is_subsystem() {
            return free;
        }
        // springs and dampers on one axis
        let is_alike = |last: usize| group(own).rows().contains(&last) && bodies(last).eq(bodies(row));
        if !self.last.is_some_and(is_alike) {
            self.list_joints(groups, rows);
            self.region = Region::about(bodies(row), motion, std::mem::take(&mut self.region));
            self.holding.clear();
            if group(own).joint().is_some() {
                self.region.joints.push(own);
                self.holding.extend(group(own), (rows, motion));
            }
        }
        self.last = Some(row);
        self.holding.along.clear();
        let mut mobility = free - self.holding.taken(rows.blocks(row));
        let mut is_first = true;
        while mobility > enough && !self.region.settled {
            self.grow(groups, (rows, motion));
            let left = free - self.holding.taken(rows.blocks(row));
            self.region.settled |= !is_first && left > SETTLED * mobility;
            (mobility, is_first) = (left, false);
        }
        let mobility = mobility.max(0.0);
        self.found.push((row, mobility));
        mobility
    }

    /// Lists the joints on each body.
    fn list_joints(&mut self, groups: &[u32], rows: &Rows) {
        if !self.joints.is_empty() {
            return;
        }
        let group = |at: usize| &rows.groups[groups[at] as usize];
        for at in (0..groups.len()).take_while(|at| group(*at).joint().is_some()) {
            let blocks = group(at).rows().flat_map(|row| rows.blocks(row));
            self.joints.extend(blocks.map(|block| (block.body, at as u32)));
        }
        self.joints.sort_unstable();
        self.joints.dedup();
    }

    /// Adds the joints on the bodies at the edge of the region.
    fn grow(&mut self, groups: &[u32], (rows, motion): (&Rows, &FreeMotion)) {
        let HeldMobility { joints: all, region: Region { joints, bodies, edge, settled }, holding, .. } =
            self;
        let (known, last) = (joints.len(), bodies.len());
        for at_edge in *edge..last {
            let body = bodies[at_edge];
            let first = all.partition_point(|(other, _)| *other < body);
            for at in all[first..].iter().take_while(|(other, _)| *other == body).map(|(_, at)| *at as usize)
            {
                if holding.len() >= MOST {
                    break;
                }
                let group = &rows.groups[groups[at] as usize];
                if !joints.contains(&at) && rows.rows[group.rows()].iter().any(holds) {
                    joints.push(at);
                    holding.extend(group, (rows, motion));
                    let blocks = group.rows().flat_map(|row| rows.blocks(row));
                    add_bodies(blocks.map(|block| block.body), motion, bodies);
                }
            }
        }
        *edge = last;
        *settled = joints.len() == known;
    }
}

impl Region {
    /// The dynamic bodies of a row and no joints yet, reusing the memory of another region.
    fn about(row: impl Iterator<Item = u32>, motion: &FreeMotion, old: Region) -> Region {
        let Region { mut joints, mut bodies, .. } = old;
        joints.clear();
        bodies.clear();
        add_bodies(row, motion, &mut bodies);
        Region { joints, bodies, edge: 0, settled: false }
    }
}

/// Adds those bodies that are dynamic and not in the list.
fn add_bodies(more: impl Iterator<Item = u32>, motion: &FreeMotion, bodies: &mut Vec<u32>) {
    for body in more.filter(|body| motion.inertial[*body as usize].free) {
        if !bodies.contains(&body) {
            bodies.push(body);
        }
    }
}

/// Whether a row admits no motion but its own, whatever the force.
fn holds(row: &Row) -> bool {
    matches!(row.law, RowLaw::Rigid | RowLaw::Velocity { loss: 0.0 }) && !row.is_bounded()
}

/// Rows that hold, and the Cholesky factor L of their A = L Lᵀ.
#[derive(Debug, Default)]
struct HoldingRows {
    /// M⁻¹ Jᵀ of each row by bodies, and where those of each row end.
    moved: Vec<(u32, Twist)>,
    ends: Vec<usize>,
    /// L, row after row up to the diagonal.
    factor: Vec<f64>,
    /// L⁻¹ bᵀ of the row whose mobility is computed.
    along: Vec<f64>,
}

impl HoldingRows {
    fn clear(&mut self) {
        self.moved.clear();
        self.ends.clear();
        self.factor.clear();
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds the rows of a joint that hold.
    fn extend(&mut self, group: &Group, (rows, motion): (&Rows, &FreeMotion)) {
        let holding = group.rows().filter(|row| holds(&rows.rows[*row]));
        holding.for_each(|row| self.add(rows.blocks(row), motion));
    }

    /// J M⁻¹ Jᵀ of some blocks and a row.
    fn between(&self, blocks: &[JacobianBlock], row: usize) -> f64 {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        product(blocks, &self.moved[start..self.ends[row]])
    }

    /// Adds a row, unless it is redundant.
    fn add(&mut self, blocks: &[JacobianBlock], motion: &FreeMotion) {
        let (first, start) = (self.moved.len(), self.factor.len());
        let free = blocks.iter().filter(|b| motion.inertial[b.body as usize].free);
        self.moved.extend(free.map(|block| (block.body, response(block, motion))));
        let all = product(blocks, &self.moved[first..]);
        let mut left = all;
        for row in 0..self.ends.len() {
            let entry = self.reduce(self.between(blocks, row), row, &self.factor[start..]);
            left -= entry * entry;
            self.factor.push(entry);
        }
        if left <= REDUNDANT * all {
            self.moved.truncate(first);
            self.factor.truncate(start);
            return;
        }
        self.factor.push(left.sqrt());
        self.ends.push(self.moved.len());
    }

    /// The next entry of L⁻¹ b, given those before.
    fn reduce(&self, b: f64, row: usize, before: &[f64]) -> f64 {
        let own = &self.factor[row * (row + 1) / 2..][..=row];
        let known: f64 = own.iter().zip(before).map(|(l, entry)| l * entry).sum();
        (b - known) / own[row]
    }

    /// b A⁻¹ bᵀ, the mobility that they take from a row; `along` is known for the first of them.
    fn taken(&mut self, blocks: &[JacobianBlock]) -> f64 {
        for row in self.along.len()..self.ends.len() {
            let entry = self.reduce(self.between(blocks, row), row, &self.along);
            self.along.push(entry);
        }
        self.along.iter().map(|entry| entry * entry).sum()
    }
}

/// M⁻¹ Jᵀ of a block.
fn response(block: &JacobianBlock, motion: &FreeMotion) -> Twist {
    let place = block.body as usize;
    match motion.general(place) {
        Some(general) => general.matrix.inverse_times((block.linear, block.angular)),
        None => Twist {
            velocity: block.linear / motion.inertial[place].mass,
            angular_velocity: motion.inertia[place].inverse() * block.angular,
        },
    }
}

/// J u of some blocks for the velocities of some bodies; a body may occur several times in both.
fn product(blocks: &[JacobianBlock], moved: &[(u32, Twist)]) -> f64 {
    let each = |b: &JacobianBlock| {
        let own = moved.iter().filter(|(body, _)| *body == b.body);
        own.map(|(_, u)| b.linear.dot(u.velocity) + b.angular.dot(u.angular_velocity)).sum::<f64>()
    };
    blocks.iter().map(each).sum()
}
