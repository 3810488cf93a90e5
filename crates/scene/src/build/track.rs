//! Crawler tracks: their bodies.

use super::Builder;
use crate::subsystem::tracks::{self, TrackModel};
use crate::text::Scene;

impl Builder {
    /// The tracks of a scene; none if one of them is wrong.
    pub fn tracks(&mut self, scene: &Scene) -> Option<Vec<TrackModel>> {
        let mut all = Vec::new();
        for entry in &scene.tracks {
            self.enter(entry);
            let bodies =
                [&entry.value.frame, &entry.value.sprocket].map(|name| self.find(name).map(|body| body.id));
            if let [Some(frame), Some(sprocket)] = bodies {
                all.extend(tracks::track(entry, [frame, sprocket], &mut self.problems));
            }
        }
        (all.len() == scene.tracks.len()).then_some(all)
    }
}
