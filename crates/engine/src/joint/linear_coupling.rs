//! A linear coupling: a fixed linear relation between angles and displacements of any bodies. Gears, racks,
//! differentials.
//!
//!   g = Σ fᵢ qᵢ − phase,   qᵢ the rotation about z or the displacement along z of a pair of frames      1 row
//!
//! Each measured coordinate needs two frames: the carrier of the shaft, and the shaft. Angles are unwrapped.

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::{Anchor, JacobianBlock};
use crate::row::equations as parts;
use crate::row::rows::Rows;
use std::f64::consts::TAU;

/// The measured coordinate of a pair of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Rotation of the second frame about the first's z [rad].
    Rotation,
    /// Displacement of the second frame along the first's z [m].
    Displacement,
}

/// A linear relation between coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearCoupling {
    /// Two per term: carrier, then shaft or rack.
    pub anchors: Vec<Anchor>,
    /// Measured coordinate and factor of each term.
    pub terms: Vec<(Measure, f64)>,
    /// Σ fᵢ qᵢ [m or rad]; none for its value when the coupling is added.
    pub phase: Option<f64>,
}

impl LinearCoupling {
    /// A gear: the first shaft rotates `ratio` times as fast as the second; negative for external gears.
    pub fn gear(first: [Anchor; 2], second: [Anchor; 2], ratio: f64) -> LinearCoupling {
        LinearCoupling::of(&[(first, Measure::Rotation, 1.0), (second, Measure::Rotation, -ratio)])
    }

    /// Rack and pinion: the rack moves by `radius` times the rotation of the pinion.
    pub fn rack(pinion: [Anchor; 2], rack: [Anchor; 2], radius: f64) -> LinearCoupling {
        LinearCoupling::of(&[(rack, Measure::Displacement, 1.0), (pinion, Measure::Rotation, -radius)])
    }

    /// An open differential: the input rotates by the mean of the two outputs.
    pub fn differential(input: [Anchor; 2], outputs: [[Anchor; 2]; 2]) -> LinearCoupling {
        let [left, right] = outputs;
        LinearCoupling::of(&[
            (input, Measure::Rotation, 1.0),
            (left, Measure::Rotation, -0.5),
            (right, Measure::Rotation, -0.5),
        ])
    }

    /// A general relation: pairs of frames, measured coordinates, factors.
    pub fn of(terms: &[([Anchor; 2], Measure, f64)]) -> LinearCoupling {
        LinearCoupling {
            anchors: terms.iter().flat_map(|t| t.0).collect(),
            terms: terms.iter().map(|t| (t.1, t.2)).collect(),
            phase: None,
        }
    }

    pub(super) fn settle(&mut self, view: &ConstraintView<'_>) {
        // no revolutions are counted yet
        let sum = (0..self.terms.len()).map(|k| self.terms[k].1 * self.measure(k, view).0).sum();
        self.phase.get_or_insert(sum);
    }

    /// The value of a term without whole revolutions, the number of these, and its Jacobian blocks.
    fn measure(&self, k: usize, view: &ConstraintView<'_>) -> (f64, f64, [JacobianBlock; 2]) {
        let (a, b) = (&view.frames[2 * k], &view.frames[2 * k + 1]);
        match self.terms[k].0 {
            Measure::Rotation => {
                let (angle, blocks) = parts::angle(a, b);
                (angle, view.turns(k, angle), blocks)
            }
            Measure::Displacement => {
                let (way, blocks) = parts::offset(a, a.z(), b);
                (way, 0.0, blocks)
            }
        }
    }
}

impl Constraint for LinearCoupling {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        // whole revolutions are summed separately, so that many of them do not cost accuracy of the constraint
        // violation
        let (mut gap, mut wound) = (-self.phase.unwrap_or(0.0), 0.0);
        for k in 0..self.terms.len() {
            let (angle, turns, blocks) = self.measure(k, view);
            let factor = self.terms[k].1;
            gap += factor * angle;
            wound += factor * turns;
            out.coordinate(angle + TAU * turns, blocks);
            out.blocks.extend(blocks.map(|b| b.scaled(factor)));
        }
        // the blocks are already in place
        out.hold_coordinates(gap + TAU * wound, &[]);
    }
}
