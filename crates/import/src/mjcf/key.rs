//! `<keyframe>`: the initial configuration, if one is requested.

use super::Reader;
use super::settings::quaternion;
use crate::Start;
use crate::error::ImportError;
use crate::machine::{Motion, Pose};
use crate::xml::{Element, quote};
use glam::DVec3;

impl<'a> Reader<'a> {
    /// Sets the coordinates to those of a keyframe.
    pub fn keyframe(&mut self, root: &'a Element, start: &Start) -> Result<(), ImportError> {
        let Start::Keyframe(wanted) = start else { return Ok(()) };
        let keys = root.all("keyframe").flat_map(|section| section.all("key"));
        let Some(key) = keys.into_iter().find(|key| key.get("name").is_some_and(|n| n.value == *wanted))
        else {
            let message = format!("there is no keyframe \"{}\"", quote(wanted));
            return Err(ImportError::at(&root.place, message, "name a <key> of this model"));
        };
        let qpos = key.need("qpos")?;
        let count: usize =
            self.machine.links.iter().flat_map(|l| &l.coordinates).map(|c| width(c.motion)).sum();
        let numbers = qpos.numbers(count, count)?;
        let mut rest = &numbers[..];
        for link in &mut self.machine.links {
            for c in &mut link.coordinates {
                let (mine, others) = rest.split_at(width(c.motion));
                rest = others;
                match c.motion {
                    Motion::Hinge | Motion::Slide => c.start = mine[0] - c.zero,
                    Motion::Ball(_) => c.motion = Motion::Ball(quaternion(qpos, mine)?),
                    Motion::Free(_) => {
                        let at = DVec3::new(mine[0], mine[1], mine[2]);
                        let pose = Pose::new(at, quaternion(qpos, &mine[3..])?);
                        c.motion = Motion::Free(link.pose.inverse() * pose);
                    }
                }
            }
        }
        Ok(())
    }
}

/// The number of values of a keyframe for a coordinate.
fn width(motion: Motion) -> usize {
    match motion {
        Motion::Hinge | Motion::Slide => 1,
        Motion::Ball(_) => 4,
        Motion::Free(_) => 7,
    }
}
