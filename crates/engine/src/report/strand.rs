//! What is inside a strand, along it: one reading per point from where it leaves its clamps; and how it lies.
//!
//! ```text
//!  T = EA (|d|/l − 1) of a segment, at its middle      at points straight between and beyond these
//!  κ = θ/ℓ,  m = k |κ ℓ − ρ|                           at inner points, ℓ the length that bends there
//! ```
//!
//! A strand hanging in one line has thereby its exact tension at every point. There is no torque, no twist, no wear, and nothing breaks.

use crate::cable::curve::{Fixing, Lie};
use crate::cable::reading::Reading;
use crate::math;
use crate::model::Configuration;
use crate::strand::{Strand, StrandId, StrandState};
use glam::{DQuat, DVec2, DVec3};

impl Configuration<'_> {
    /// What is inside a strand at each of its points, from start to end; nothing for one that is gone.
    pub fn strand_readings(&self, id: StrandId) -> Vec<Reading> {
        let Some((strand, s)) = self.strand(id) else { return Vec::new() };
        let [first, last] = strand.bare();
        let reading = |point: usize| {
            let (curvature, moment, set) = strand.bent(s, point);
            Reading {
                at: (point - first) as f64 * strand.pitch(),
                point: s.positions[point],
                tension: tension(strand, s, point),
                moment: DVec2::new(moment, 0.0),
                curvature,
                set: DVec2::new(set, 0.0),
                ..Reading::default()
            }
        };
        (first..=last).map(reading).collect()
    }

    /// A strand as it lies, with segments for elements, turned without twist; nothing for one that is gone.
    pub fn strand_lie(&self, id: StrandId) -> Option<Lie> {
        let (strand, s) = self.strand(id)?;
        let [first, last] = strand.bare();
        let mut attitude = DQuat::IDENTITY;
        let pose = |ends: &[DVec3]| {
            let along = (ends[1] - ends[0]).normalize_or(DVec3::Z);
            attitude = math::unit(DQuat::from_rotation_arc(attitude * DVec3::Z, along) * attitude);
            (0.5 * (ends[0] + ends[1]), attitude)
        };
        let poses: Vec<_> = s.positions[first..=last].windows(2).map(pose).collect();
        // its points are where the line ends, however it is stretched
        let ends = [first, last].map(|point| Some(Fixing { at: s.positions[point], clamp: None }));
        Some(Lie { element: strand.pitch(), poses, ties: Vec::new(), holds: ends, absent: Vec::new() })
    }

    /// Length of a strand as it is stretched, from where it leaves its clamps [m].
    pub fn strand_length(&self, id: StrandId) -> Option<f64> {
        let (strand, s) = self.strand(id)?;
        let [first, last] = strand.bare();
        Some(s.positions[first..=last].windows(2).map(|w| w[0].distance(w[1])).sum())
    }

    fn strand(&self, id: StrandId) -> Option<(&Strand, &StrandState)> {
        Some((self.model.strands.get(id)?, self.state.strands.get(id.index())?))
    }
}

/// Pull at a point [N].
fn tension(strand: &Strand, s: &StrandState, point: usize) -> f64 {
    let [first, last] = strand.bare();
    let pull = |segment: usize| {
        strand.cord.stretch * (s.positions[segment].distance(s.positions[segment + 1]) / strand.pitch() - 1.0)
    };
    match (point > first, point < last) {
        (true, true) => 0.5 * (pull(point - 1) + pull(point)),
        _ if last - first == 1 => pull(first),
        (false, _) => 1.5 * pull(first) - 0.5 * pull(first + 1),
        _ => 1.5 * pull(last - 1) - 0.5 * pull(last - 2),
    }
}
