//! Internal forces along a cable, one reading per point outside of clamps; and its geometry.
//!
//! ```text
//!  T = EA (|d|/l − 1) of a segment, at its middle      at points by linear inter- and extrapolation
//!  κ = θ/ℓ,  m = k |κ ℓ − ρ|                           at inner points, ℓ the length that bends there
//! ```
//!
//! A cable that hangs vertically thus has its analytic tension at every point. There is no torque, twist, damage or
//! breaking.

use crate::bending;
use crate::cable::MassPointCable;
use crate::plasticity::Law;
use crate::state::MassPointState;
use glam::{DQuat, DVec2, DVec3};
use windlass_engine::cable::curve::{CableGeometry, Fixing};
use windlass_engine::cable::reading::Reading;
use windlass_engine::math;

impl MassPointCable {
    /// Internal forces of a cable at each of its points, from start to end.
    pub fn readings(&self, s: &MassPointState) -> Vec<Reading> {
        let [first, last] = self.bare();
        let reading = |point: usize| {
            let (curvature, moment, set) = self.bent(s, point);
            Reading {
                at: (point - first) as f64 * self.pitch(),
                point: s.positions[point],
                tension: tension(self, s, point),
                moment: DVec2::new(moment, 0.0),
                curvature,
                set: DVec2::new(set, 0.0),
                ..Reading::default()
            }
        };
        (first..=last).map(reading).collect()
    }

    /// Geometry of a cable, with segments as elements, oriented without twist.
    pub fn lie(&self, s: &MassPointState) -> CableGeometry {
        let [first, last] = self.bare();
        let mut orientation = DQuat::IDENTITY;
        let pose = |ends: &[DVec3]| {
            let along = (ends[1] - ends[0]).normalize_or(DVec3::Z);
            orientation = math::unit(DQuat::from_rotation_arc(orientation * DVec3::Z, along) * orientation);
            (0.5 * (ends[0] + ends[1]), orientation)
        };
        let poses: Vec<_> = s.positions[first..=last].windows(2).map(pose).collect();
        // the line ends at its points, however it is stretched
        let ends = [first, last].map(|point| Some(Fixing { at: s.positions[point], clamp: None }));
        CableGeometry { element: self.pitch(), poses, ties: Vec::new(), holds: ends, absent: Vec::new() }
    }

    /// Stretched length of a cable outside of its clamps [m].
    pub fn stretched_length(&self, s: &MassPointState) -> f64 {
        let [first, last] = self.bare();
        s.positions[first..=last].windows(2).map(|w| w[0].distance(w[1])).sum()
    }

    /// Curvature [1/m], bending moment [N·m] and plastic bend [rad] at a point; zero at the ends.
    fn bent(&self, state: &MassPointState, point: usize) -> (f64, f64, f64) {
        let Some(set) = point.checked_sub(1).and_then(|k| state.bends.get(k)) else { return (0.0, 0.0, 0.0) };
        let x = &state.positions;
        let bend = bending::bend(x[point + 1] - x[point], x[point] - x[point - 1]);
        let stiffness = self.bending(point);
        let length = if stiffness > 0.0 { self.properties.bend / stiffness } else { self.pitch() };
        let strain = (bend - set.rest).length();
        let law = Law::of(stiffness, self.properties.bend, self.yields, set);
        (bend.length() / length, law.stored(0.5 * strain * strain).first * strain, set.rest.length())
    }
}

/// Tension at a point [N].
fn tension(cable: &MassPointCable, s: &MassPointState, point: usize) -> f64 {
    let [first, last] = cable.bare();
    let pull = |segment: usize| {
        cable.properties.stretch
            * (s.positions[segment].distance(s.positions[segment + 1]) / cable.pitch() - 1.0)
    };
    match (point > first, point < last) {
        (true, true) => 0.5 * (pull(point - 1) + pull(point)),
        _ if last - first == 1 => pull(first),
        (false, _) => 1.5 * pull(first) - 0.5 * pull(first + 1),
        _ => 1.5 * pull(last - 1) - 0.5 * pull(last - 2),
    }
}
