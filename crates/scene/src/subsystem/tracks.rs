//! Crawler tracks of a scene → the subsystem of soil.

use crate::error::Problems;
use crate::text::Entry;
use crate::text::track::Track as TrackText;
use glam::DVec3;
use windlass_engine::prelude::BodyId;
pub(crate) use windlass_soil::TrackModel;

/// Usual length of an element [m], and the numbers of elements that follow from it.
const ELEMENT: f64 = 0.15;
const FEWEST: f64 = 4.0;
const MOST: f64 = 20.0;
/// Usual friction of running gears over the load: steel tracks on hard ground have 0.02 to 0.05.
const ROLLING: f64 = 0.03;
/// Usual stiffness of belt and road wheels on hard ground: 1 mm at 50 kPa [Pa/m].
const STIFFNESS: f64 = 5e7;

/// A track on its bodies; errors are reported.
pub(crate) fn track(
    entry: &Entry<TrackText>,
    [frame, sprocket]: [BodyId; 2],
    p: &mut Problems,
) -> Option<TrackModel> {
    let text = &entry.value;
    let axle = text.axle.as_ref().map_or(Some(DVec3::Y), |axle| p.vector("axle", axle));
    let (radius, width) = (p.number("radius", &text.radius), p.number("width", &text.width));
    let line: Vec<_> = text.line.get_ref().iter().map(|point| p.vector("line", point)).collect();
    let friction = match &text.friction {
        Some(friction) => p.pair("friction", friction).map(Some),
        None => Some(None),
    };
    let rolling_resistance = p.number_or("rolling_resistance", &text.rolling_resistance, ROLLING);
    let stiffness = p.number_or("stiffness", &text.stiffness, STIFFNESS);
    let line: Option<Vec<DVec3>> = line.into_iter().collect();
    let mut track = TrackModel {
        name: entry.name.clone(),
        frame,
        sprocket,
        axle: axle?.normalize_or_zero(),
        radius: radius?,
        line: line?,
        width: width?,
        elements: 1,
        friction: friction?,
        rolling_resistance: rolling_resistance?,
        stiffness: stiffness?,
    };
    let usual = (track.length() / ELEMENT).round().clamp(FEWEST, MOST);
    track.elements = p.whole_or("elements", &text.elements, 1..=40, usual as u32)? as usize;
    if let Some(problem) = track.problem() {
        p.advise(text.line.span(), format!("track \"{}\": {problem}", entry.name), "correct this track");
        return None;
    }
    if frame == sprocket {
        let message = format!("track \"{}\": its sprocket is its frame", entry.name);
        p.advise(text.sprocket.span(), message, "give two bodies with a hinge between them");
        return None;
    }
    Some(track)
}
