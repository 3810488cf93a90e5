//! Cameras: those of the scene, or one that shows the whole scene.

use super::Builder;
use crate::number::Number;
use crate::text::Entry;
use crate::text::look::Camera as CameraText;
use crate::visual::{Camera, Mount, Stereo, USUAL_ANGLE, USUAL_EYES};
use glam::DVec3;

impl Builder {
    /// A camera of the scene.
    pub fn camera(&mut self, entry: &Entry<CameraText>) -> Option<Camera> {
        let text = &entry.value;
        let body = text.on.as_ref().map(|name| self.find(name));
        let p = &mut self.problems;
        let position = p.vector("position", &text.position);
        let target = p.vector_or_zero("target", &text.target);
        let up = text.up.as_ref().map_or(Some(DVec3::Z), |n| p.direction("up", n));
        let angle = p.number_or("angle", &text.angle, USUAL_ANGLE);
        let [follows, heads] = [text.follow, text.heading].map(|given| given.unwrap_or(false));
        if (follows || heads) && text.on.is_none() {
            p.advise(entry.span.clone(), "the camera has no body to follow", "name one: on = \"NAME\"");
            return None;
        }
        if follows && heads {
            let help =
                "leave out `follow` for a camera that moves with the body, `heading` for one that stays";
            p.advise(entry.span.clone(), "the camera has both `follow` and `heading`", help);
            return None;
        }
        let (position, target, up, angle) = (position?, target?, up?, angle?);
        if !(angle > 0.01 && angle < 3.0) {
            let span = text.angle.as_ref().map_or(entry.span.clone(), Number::span);
            p.advise(span, format!("`angle` is {angle} rad"), "give 0.01 rad to 3 rad, such as \"40 deg\"");
            return None;
        }
        let away = target - position;
        if !follows && !(away.cross(up).length() > 1e-9 * away.length().max(1e-300)) {
            let help = "give a `target` other than `position`, and an `up` that is not parallel to the line of sight";
            p.advise(entry.span.clone(), "the orientation of the camera is undefined", help);
            return None;
        }
        let stereo = text.stereo.as_ref().map(|s| {
            let eyes = p.number_or("eyes", &s.eyes, USUAL_EYES);
            let convergence = p.number_or("convergence", &s.convergence, away.length().max(1e-3));
            Some(Stereo { eyes: eyes?, convergence: convergence? })
        });
        let mount = match body {
            None => Mount::World,
            Some(body) if follows => Mount::Follow(body?.id),
            Some(body) if heads => Mount::Heading(body?.id),
            Some(body) => Mount::On(body?.id),
        };
        let stereo = stereo.map_or(Some(None), |inner| inner.map(Some))?;
        Some(Camera { name: entry.name.clone(), mount, position, target, up, angle, stereo })
    }
}
