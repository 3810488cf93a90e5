//! Which multipliers are statically indeterminate: rows that depend on each other, Σ c_i J_i = 0, share a load as no rigid
//! body decides, since any multiple of c may be added to their multipliers.
//!
//! ```text
//!  dropped row d      M u − Jᵀ λ = J_dᵀ,  J u = 0            →   u = 0,  λ = −c        J_d = Σ c_i J_i
//!  bounded row b      M u − Jᵀ λ = 0,     J u + Σ λ = σ_b e_b  →   λ_b = σ_b (J M⁻¹ Jᵀ + Σ)⁻¹_bb
//! ```
//!
//! A bounded row, such as a stop or a taut rope, is not dropped: it has a small compliance σ_b
//! (`solve/regularize.rs`) that decides the share. λ_b is then a part of 1, and near σ_b for a row that depends on no
//! others; in both cases λ is along c.
//!
//! Rows of one joint that depend on each other, such as a motor and the friction of its axis, leave the sum of their
//! forces determined: efforts are then indeterminate, the reaction of the joint is not.

use super::Problem;
use crate::row::rows::{Group, Rows};
use crate::row::{BoundMode, RowLaw};
use glam::DVec3;

/// Threshold of |c_i J_i| relative to the first row, above which a multiplier is indeterminate: well above round-off,
/// which is 1e-10 in a ring of forty links, and well below the share of a bearing in a load.
const SHARE: f64 = 1e-6;

/// The same beside a bounded row, where compliances of 1e-8 are not round-off.
const SHARE_OF_BOUNDED: f64 = 1e-4;

/// λ_b above which a bounded row depends on others. It is at least 1/n for one of n rows that depend on each other, and
/// 1e-8 times the condition of the island for others.
const DEPENDENT: f64 = 1e-2;

/// Global indices of indeterminate rows.
#[derive(Clone, Debug, Default)]
pub struct Indeterminate {
    /// Rows whose own multipliers are.
    pub multipliers: Vec<usize>,
    /// Rows of groups whose reactions are: the sums of the forces of their rows on a body.
    pub reactions: Vec<usize>,
}

impl Problem {
    /// Adds the indeterminate rows. The factor must be that of the present active set.
    pub(crate) fn indeterminate(&self, rows: &Rows, is_factored: bool, into: &mut Indeterminate) {
        let (mut shared, mut loaded) = (vec![false; self.numbering.rows.len()], Vec::new());
        let mut changes = Vec::new();
        for dropped in self.kkt.dropped() {
            let load = self.kkt.load_along(&self.terms(rows), dropped);
            self.kkt.responses(load, &self.active, &mut changes);
            changes[dropped] = 1.0;
            self.mark(rows, &changes, SHARE * self.size(rows, dropped), (&mut shared, &mut loaded));
        }
        let bounded = if is_factored { self.bounded(rows) } else { Vec::new() };
        for local in bounded {
            let load = self.kkt.load_on(local, -self.rows[local].sigma);
            self.kkt.responses(load, &self.active, &mut changes);
            let own = changes[local].abs();
            if own > DEPENDENT {
                let least = SHARE_OF_BOUNDED * own * self.size(rows, local);
                self.mark(rows, &changes, least, (&mut shared, &mut loaded));
            }
        }
        let shared = shared.iter().zip(&self.numbering.rows).filter(|(shared, _)| **shared);
        into.multipliers.extend(shared.map(|(_, row)| *row));
        into.reactions.extend(loaded);
    }

    /// The bounded rows of joints that hold without a compliance of their own.
    fn bounded(&self, rows: &Rows) -> Vec<usize> {
        let mut found = Vec::new();
        for (group, first) in self.groups(rows).filter(|(group, _)| group.joint().is_some()) {
            for (k, row) in rows.rows[group.rows()].iter().enumerate() {
                let is_stiff = matches!(row.law, RowLaw::Rigid | RowLaw::Velocity { loss: 0.0 });
                let holds = self.active.modes[first + k] == BoundMode::Between;
                if is_stiff && holds && row.is_bounded() {
                    found.push(first + k);
                }
            }
        }
        found
    }

    /// The groups with their first local rows.
    fn groups<'a>(&'a self, rows: &'a Rows) -> impl Iterator<Item = (&'a Group, usize)> {
        let mut next = 0;
        self.numbering.groups.iter().map(move |group| {
            let group = &rows.groups[*group as usize];
            let first = next;
            next += group.rows().len();
            (group, first)
        })
    }

    /// Marks the rows that changes of multipliers load by more than `least`, and the groups whose reactions they change.
    fn mark(
        &self,
        rows: &Rows,
        changes: &[f64],
        least: f64,
        (shared, loaded): (&mut [bool], &mut Vec<usize>),
    ) {
        for (local, shared) in shared.iter_mut().enumerate() {
            *shared |= changes[local].abs() * self.size(rows, local) > least;
        }
        for (group, first) in self.groups(rows) {
            let mut sums: Vec<(u32, DVec3, DVec3)> = Vec::new();
            for local in first..first + group.rows().len() {
                for block in self.blocks(rows, local) {
                    let (linear, angular) = (block.linear * changes[local], block.angular * changes[local]);
                    match sums.iter_mut().find(|(body, ..)| *body == block.body) {
                        Some((_, force, torque)) => (*force, *torque) = (*force + linear, *torque + angular),
                        None => sums.push((block.body, linear, angular)),
                    }
                }
            }
            let size = |(_, force, torque): &(u32, DVec3, DVec3)| {
                (force.length_squared() + torque.length_squared()).sqrt()
            };
            if sums.iter().any(|sum| size(sum) > least) && !loaded.contains(&group.rows().start) {
                loaded.extend(group.rows());
            }
        }
    }

    /// Length of a local row on the bodies that move.
    fn size(&self, rows: &Rows, local: usize) -> f64 {
        let blocks = self.blocks(rows, local).iter().zip(self.kkt.layout.places_from(local));
        let free = blocks.filter(|(_, place)| place.body().is_some());
        free.map(|(b, _)| b.linear.length_squared() + b.angular.length_squared()).sum::<f64>().sqrt()
    }
}
