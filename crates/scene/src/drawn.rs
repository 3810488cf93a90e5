//! What is drawn of mechanisms besides their bodies: rope on drums, and hydraulic cylinders.
//!
//!   rope on a drum   after t turns from where it is fixed: layer n = ⌊t/N⌋, place p = t/N − n,
//!                    z = ±(p − ½) width, r = r₀ + rise n; the sign changes with each layer
//!   cylinder         a barrel of constant length from the first point, and a rod from there to the second
//!
//! The rope leaves its drum where its turns have arrived along the axis. The simulated rope leaves it in the plane of its
//! route point; the difference is drawn in the span next to the drum and has no effect.

use glam::{DQuat, DVec3};
use std::f64::consts::{PI, TAU};
use windlass_engine::prelude::{Drawing, JointId, JointKind, RoutePoint, Winding, World};

/// Points per turn of rope on a drum.
const CORNERS: usize = 16;
/// Largest number of turns that are drawn: the last ones.
const MOST: usize = 40;
/// Turns at the start on a drum for which the scene gives no wound length: those that stay on it when all is paid out.
const DEAD_TURNS: f64 = 3.0;

/// Rope on a drum, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lay {
    /// Turns in addition to those that the rope counts.
    uncounted: f64,
    /// Turns side by side in a layer.
    per_layer: f64,
    /// Length along the axis that a layer takes [m].
    width: f64,
    /// Turns that are drawn; the others are below them, or not seen.
    turns: usize,
}

/// Where a rope is on a drum at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnDrum {
    /// Length on the drum, if the scene gives it [m].
    pub wound: Option<f64>,
    /// Angle that the rope counts as on the drum [rad].
    pub counted: f64,
    /// Length along the axis that the rope may take [m].
    pub room: f64,
    /// Diameter of the rope [m].
    pub diameter: f64,
    /// Length of the rope off the drum, which may come to be on it [m].
    pub free: f64,
}

impl Lay {
    pub(crate) fn new(via: &RoutePoint, start: &OnDrum) -> Lay {
        let turns = |length: f64| length / (TAU * via.radius);
        let wound = start.wound.map_or(DEAD_TURNS, |wound| match via.winding {
            Some(winding) => winding.turns_of(via.radius, wound),
            None => turns(wound),
        });
        // what the rope counts includes the turns at the start only if it is wound in layers
        let uncounted = if via.winding.is_some() { 0.0 } else { wound - start.counted / TAU };
        let most = wound + turns(start.free) + 1.0;
        let per_layer = match via.winding {
            Some(winding) => winding.turns,
            None => (start.room / start.diameter).floor().max(most),
        };
        // turns lie side by side, or as close as their number needs; the outermost touch the flanges
        let width = (start.room - start.diameter).min(per_layer * start.diameter).max(0.0);
        Lay { uncounted, per_layer, width, turns: (most.ceil() as usize).clamp(1, MOST) }
    }

    /// Number of points.
    fn count(&self) -> usize {
        CORNERS * self.turns
    }

    /// Place along the axis after a number of turns, from the middle [m].
    fn along(&self, turn: f64) -> f64 {
        let layer = (turn / self.per_layer).floor();
        let place = turn / self.per_layer - layer;
        let place = if layer % 2.0 == 0.0 { place } else { 1.0 - place };
        self.width * (place - 0.5)
    }

    /// The points from where the rope leaves the drum at one end (0 or 1) back to where it is fixed, the first moved along
    /// the axis to its turn.
    fn points(&self, world: &World, rope: JointId, end: usize, leaves: DVec3) -> Option<Vec<DVec3>> {
        let joint = world.model().joints().get(rope)?;
        let JointKind::Rope(model) = &joint.kind else { return None };
        let k = end * (model.vias.len() - 1);
        let (via, anchor) = (model.vias[k], model.anchors.get(k)?);
        let frame = world.model().frame(world.state(), anchor);
        let axis = frame.z();
        let wound = (world.rope(rope)?.wound[end] + self.uncounted).max(0.0);
        let normal = (leaves - frame.at).reject_from(axis).normalize_or_zero();
        // against the sense of travel from the first end, along it at the second
        let sense = if end == 0 { -via.side } else { via.side };
        // chords between the points would lie below the drum: half their depth is added
        let radius = via.radius * (1.5 - 0.5 * libm::cos(PI / CORNERS as f64));
        let rise = |turn: f64| via.winding.map_or(0.0, |w: Winding| w.rise * w.layer(turn));
        let point = |i: usize| {
            let back = (i as f64 / CORNERS as f64).min(wound);
            let turn = wound - back;
            let out = DQuat::from_axis_angle(axis, sense * TAU * back) * normal;
            frame.at + out * (radius + rise(turn)) + axis * self.along(turn)
        };
        Some((0..=self.count()).map(point).collect())
    }
}

/// The line of a rope with the turns on its drums, each point with the number of its span. `path` is the line between the
/// drums, as the engine gives it; the number of points added to it does not change.
pub fn with_turns(
    world: &World,
    rope: JointId,
    lays: [Option<Lay>; 2],
    path: Vec<(DVec3, usize)>,
) -> Vec<(DVec3, usize)> {
    let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else { return path };
    let turns = |end: usize, (leaves, span): (DVec3, usize)| -> Vec<(DVec3, usize)> {
        let points = lays[end].and_then(|lay| lay.points(world, rope, end, leaves));
        points.into_iter().flatten().map(|point| (point, span)).collect()
    };
    let (start, end) = (turns(0, first), turns(1, last));
    // the first point of each is the place where the rope leaves: it replaces that of the path
    let inner = usize::from(!start.is_empty())..path.len() - usize::from(!end.is_empty());
    let inner = path.get(inner).unwrap_or_default();
    start.into_iter().rev().chain(inner.iter().copied()).chain(end).collect()
}

/// A hydraulic cylinder, drawn between the points of a distance joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    /// The joint.
    pub joint: JointId,
    /// Radius of the barrel [m].
    pub barrel: f64,
    /// Radius of the rod [m].
    pub rod: f64,
    /// Length of the barrel from the first point [m].
    pub length: f64,
    /// Colour of the barrel.
    pub color: [f64; 3],
}

/// Colour of a chromium-plated rod.
const CHROMIUM: [f64; 3] = [0.78, 0.8, 0.82];

impl Cylinder {
    /// Its barrel and its rod; none if the joint is broken or gone.
    pub fn drawings(&self, world: &World) -> Vec<Drawing> {
        let Some(joint) = world.model().joints().get(self.joint) else { return Vec::new() };
        let anchors = joint.constraint().anchors();
        let [from, to] = [0, 1].map(|k| world.model().frame(world.state(), &anchors[k]).at);
        let end = from + (to - from).clamp_length_max(self.length);
        let part = |points: [DVec3; 2], radius, color| Drawing {
            name: joint.name.clone(),
            points: points.to_vec(),
            radius,
            color,
        };
        vec![part([from, end], self.barrel, self.color), part([end, to], self.rod, CHROMIUM)]
    }
}

/// What subsystems and cylinders draw, always in the same number and order.
pub fn drawings(cylinders: &[Cylinder], world: &World) -> Vec<Drawing> {
    let own = cylinders.iter().flat_map(|cylinder| cylinder.drawings(world));
    world.drawings().into_iter().chain(own).collect()
}
