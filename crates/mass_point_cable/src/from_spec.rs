//! The specification of a cable → a mass-point cable. Its chords become segments, and an end that does not rotate gets
//! an additional segment inside its body.
//!
//! ```text
//!  ball     x₀                            the first point is attached to the body
//!  fast     x₀ − l u, x₀                  so is the end of a segment before it, in the direction of the cable
//!  clamp    x₀ − l z, x₀                  or along the z axis of its frame
//! ```
//!
//! The cable thus has its specified length outside of its clamps, and bends from there.

use crate::cable::{Attachment, MassPointCable};
use glam::{DQuat, DVec3};
use windlass_engine::body::frame::Anchor;
use windlass_engine::cable::CableSpec;
use windlass_engine::model::cable::End;
use windlass_engine::world::World;

impl MassPointCable {
    /// A cable from its specification, with ends at the present positions of bodies. What it does not support, rotation
    /// measure, partition, solver and resolution, is ignored. A polyline without length has no points, which is
    /// rejected when the cable is added.
    pub fn laid(laying: &CableSpec, world: &World) -> MassPointCable {
        let mut cable =
            MassPointCable::of(laying.name.clone(), &laying.path, laying.elements.max(1), &laying.section);
        cable.length = laying.length.unwrap_or(cable.length / (1.0 + laying.strain));
        cable.formed = laying.shaped;
        match laying.surface {
            Some(surface) => cable.surface = surface,
            None => cable.mask = 0,
        }
        let pitch = cable.pitch();
        // the end first, so that indices are still those of the points
        cable.fasten(&laying.ends[1], 1, pitch, world);
        cable.fasten(&laying.ends[0], 0, pitch, world);
        cable
    }

    /// Attaches its start (0) or end (1) to a body.
    fn fasten(&mut self, end: &End, side: usize, pitch: f64, world: &World) {
        let (Some(anchor), Some(last)) = (end.anchor(), self.points.len().checked_sub(1)) else { return };
        let (tip, next) = if side == 0 { (0, 1.min(last)) } else { (last, last.saturating_sub(1)) };
        // away from the cable, in the axes of the body
        let away = match end {
            End::Clamp(_) => Some(anchor.turn * DVec3::Z * if side == 0 { -1.0 } else { 1.0 }),
            End::Fast(_) => {
                let body =
                    world.state().bodies.get(anchor.body.index()).map_or(DQuat::IDENTITY, |b| b.orientation);
                Some(body.inverse() * (self.points[tip] - self.points[next]).normalize_or_zero())
            }
            End::Free | End::Ball(_) => None,
        };
        let mut grips = vec![*anchor];
        if let Some(away) = away {
            let inside = Anchor { at: anchor.at + away * pitch, ..*anchor };
            let at = world.model().frame(world.state(), &inside).at;
            self.length += pitch;
            match side {
                0 => {
                    self.points.insert(0, at);
                    self.attachments.iter_mut().for_each(|h| h.point += 1);
                    grips.insert(0, inside);
                }
                _ => {
                    self.points.push(at);
                    grips.push(inside);
                }
            }
        }
        let first = if side == 0 { 0 } else { tip };
        let attachments = grips.into_iter().enumerate();
        self.attachments.extend(attachments.map(|(k, anchor)| Attachment { point: first + k, anchor }));
    }

    /// The first and the last of its points outside of clamps.
    pub fn bare(&self) -> [usize; 2] {
        let last = self.segments();
        [usize::from(self.clamps(0)), last - usize::from(last > 0 && self.clamps(last - 1))]
    }
}
