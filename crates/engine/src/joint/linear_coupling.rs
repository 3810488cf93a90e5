//! A coupling: a fixed linear relation between angles and ways of any bodies. Gears, racks, differentials.
//!
//!   g = Σ fᵢ qᵢ − phase,   qᵢ the turn about z or the way along z of a pair of frames      1 row
//!
//! Each measure grips two frames: what carries the shaft, and the shaft. Turns are counted.

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::{Anchor, JacobianBlock};
use crate::row::equations as parts;
use crate::row::rows::Rows;
use std::f64::consts::TAU;

/// What is measured between a pair of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The turn of the second about the first's z [rad].
    Turn,
    /// The way of the second along the first's z [m].
    Way,
}

/// A linear relation between coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearCoupling {
    /// Two per term: carrier, then shaft or rack.
    pub anchors: Vec<Anchor>,
    /// What each term measures, and its factor.
    pub terms: Vec<(Measure, f64)>,
    /// Σ fᵢ qᵢ [m or rad]; none means as it stands when added.
    pub phase: Option<f64>,
}

impl LinearCoupling {
    /// A gear: the first shaft turns `ratio` times as fast as the second; negative for outside teeth.
    pub fn gear(first: [Anchor; 2], second: [Anchor; 2], ratio: f64) -> LinearCoupling {
        LinearCoupling::of(&[(first, Measure::Turn, 1.0), (second, Measure::Turn, -ratio)])
    }

    /// Rack and pinion: the rack moves by `radius` times the pinion's turn.
    pub fn rack(pinion: [Anchor; 2], rack: [Anchor; 2], radius: f64) -> LinearCoupling {
        LinearCoupling::of(&[(rack, Measure::Way, 1.0), (pinion, Measure::Turn, -radius)])
    }

    /// An open differential: the input turns by the mean of the two outputs.
    pub fn differential(input: [Anchor; 2], outputs: [[Anchor; 2]; 2]) -> LinearCoupling {
        let [left, right] = outputs;
        LinearCoupling::of(&[
            (input, Measure::Turn, 1.0),
            (left, Measure::Turn, -0.5),
            (right, Measure::Turn, -0.5),
        ])
    }

    /// Any relation: pairs of frames, what is measured, factors.
    pub fn of(terms: &[([Anchor; 2], Measure, f64)]) -> LinearCoupling {
        LinearCoupling {
            anchors: terms.iter().flat_map(|t| t.0).collect(),
            terms: terms.iter().map(|t| (t.1, t.2)).collect(),
            phase: None,
        }
    }

    pub(super) fn settle(&mut self, view: &ConstraintView<'_>) {
        // nothing is wound yet
        let sum = (0..self.terms.len()).map(|k| self.terms[k].1 * self.measure(k, view).0).sum();
        self.phase.get_or_insert(sum);
    }

    /// The value of a term less its whole turns, these turns, and the blocks of its rate.
    fn measure(&self, k: usize, view: &ConstraintView<'_>) -> (f64, f64, [JacobianBlock; 2]) {
        let (a, b) = (&view.frames[2 * k], &view.frames[2 * k + 1]);
        match self.terms[k].0 {
            Measure::Turn => {
                let (angle, blocks) = parts::angle(a, b);
                (angle, view.turns(k, angle), blocks)
            }
            Measure::Way => {
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
        // whole turns are summed apart: many of them must not blur the gap
        let (mut gap, mut wound) = (-self.phase.unwrap_or(0.0), 0.0);
        for k in 0..self.terms.len() {
            let (angle, turns, blocks) = self.measure(k, view);
            let factor = self.terms[k].1;
            gap += factor * angle;
            wound += factor * turns;
            out.coordinate(angle + TAU * turns, blocks);
            out.blocks.extend(blocks.map(|b| b.scaled(factor)));
        }
        // the blocks are already there
        out.hold_axes(gap + TAU * wound, &[]);
    }
}
