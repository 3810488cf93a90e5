//! Exports of the recording.

use super::Session;
use crate::export::{Job, rate};
use crate::message::{Format, ServerMessage, Viewpoint};

impl Session {
    /// Starts an export of the moment shown, or of a part of the recording.
    pub(super) fn export(
        &mut self,
        format: Format,
        between: [Option<f64>; 2],
        fps: Option<f64>,
        camera: Option<Viewpoint>,
    ) -> Result<(), ServerMessage> {
        let rate =
            rate(fps).ok_or_else(|| ServerMessage::refused("`fps` must be above 0 and at most 1000"))?;
        if !camera.as_ref().is_none_or(is_good) {
            return Err(ServerMessage::refused(
                "the camera needs a position, a different target, and an angle between 0 and π",
            ));
        }
        let (run, end) = (&self.shown, self.shown.end());
        let here = run.machine.step_count();
        let step = |time: f64| run.step_at(time).min(end.step);
        let steps = match between {
            [None, None] => [here, here],
            [from, to] => {
                let from = from.map_or(here, step);
                [from, to.map_or(here, step).max(from)]
            }
        };
        let (item, origin) = (run.item.clone(), run.machine.origin().clone());
        let history = run.timeline.history.clone();
        let job = Job { format, item, origin, history, end, steps, rate, camera };
        self.exports.begin(job).map_err(ServerMessage::refused)
    }
}

/// Whether a camera is valid.
fn is_good(sight: &Viewpoint) -> bool {
    let finite = |v: &[f64; 3]| v.iter().all(|x| x.is_finite());
    let apart = sight.position != sight.target && sight.up != [0.0; 3];
    let angle = sight.angle > 0.0 && sight.angle < std::f64::consts::PI;
    finite(&sight.position) && finite(&sight.target) && finite(&sight.up) && apart && angle
}
