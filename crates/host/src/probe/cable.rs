//! Readings along a cable → its quantities, at a position along it or of the whole cable.
//!
//! Links, or mass points, are read at their positions (`Line::readings`). Values are interpolated linearly between two
//! of them and constant before the first and after the last. Forces are those of the last step; before the first step
//! there are none.

use glam::DVec3;
use windlass_engine::prelude::{CableId, JointKind, Reading, World};
use windlass_scene::{CableRef, FluidReading, PointCable};

/// Quantities of a cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CableQuantity {
    /// At a position along it [m].
    At(AlongQuantity, f64),
    Start,
    End,
    Largest,
    LargestCurvature,
    Length,
    Elements,
    Broken,
    Damage,
}

/// Quantities at a position along a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlongQuantity {
    Tension,
    Moment,
    Torque,
    Curvature,
    Twist,
    Damage,
    Drag,
    /// World coordinate, by axis.
    Point(usize),
}

/// The quantities of the whole cable.
pub const WHOLE: [(&str, CableQuantity, &str, &str); 8] = [
    ("max_tension", CableQuantity::Largest, "N", "largest tension along it"),
    ("max_curvature", CableQuantity::LargestCurvature, "1/m", "largest curvature along it"),
    ("tension.start", CableQuantity::Start, "N", "tension at its start"),
    ("tension.end", CableQuantity::End, "N", "tension at its end"),
    ("length", CableQuantity::Length, "m", "stretched length"),
    (
        "elements",
        CableQuantity::Elements,
        "",
        "present number of elements, or of segments between mass points",
    ),
    ("broken", CableQuantity::Broken, "", "number of links broken or cut"),
    ("damage", CableQuantity::Damage, "", "largest fatigue damage along it (1: failure)"),
];

/// The quantities at a position along a cable.
pub const ALONG: [(&str, AlongQuantity, &str, &str); 10] = [
    ("tension", AlongQuantity::Tension, "N", "tension at s metres from its start"),
    ("moment", AlongQuantity::Moment, "N*m", "magnitude of the bending moment there"),
    ("torque", AlongQuantity::Torque, "N*m", "torsional moment there"),
    ("curvature", AlongQuantity::Curvature, "1/m", "curvature there"),
    ("twist", AlongQuantity::Twist, "rad/m", "twist per length there"),
    ("damage", AlongQuantity::Damage, "", "fatigue damage there (1: failure)"),
    ("drag", AlongQuantity::Drag, "N/m", "drag of all fluids per length there"),
    ("x", AlongQuantity::Point(0), "m", "world coordinate there"),
    ("y", AlongQuantity::Point(1), "m", "world coordinate there"),
    ("z", AlongQuantity::Point(2), "m", "world coordinate there"),
];

impl AlongQuantity {
    fn is_force(self) -> bool {
        matches!(self, AlongQuantity::Tension | AlongQuantity::Moment | AlongQuantity::Torque)
    }

    fn of(self, reading: &Reading) -> f64 {
        match self {
            AlongQuantity::Tension => reading.tension,
            AlongQuantity::Moment => reading.moment.length(),
            AlongQuantity::Torque => reading.torque,
            AlongQuantity::Curvature => reading.curvature,
            AlongQuantity::Twist => reading.twist,
            AlongQuantity::Damage => reading.damage,
            AlongQuantity::Drag => f64::NAN,
            AlongQuantity::Point(axis) => reading.point[axis],
        }
    }
}

impl CableQuantity {
    fn is_force(self) -> bool {
        match self {
            CableQuantity::At(along, _) => along.is_force(),
            CableQuantity::Start | CableQuantity::End | CableQuantity::Largest => true,
            _ => false,
        }
    }

    /// Whether cables of mass points have it: they have no twist, fatigue, breaking or fluids.
    pub fn is_of_points(self) -> bool {
        use AlongQuantity::{Damage, Drag, Torque, Twist};
        !matches!(
            self,
            CableQuantity::At(Torque | Twist | Damage | Drag, _)
                | CableQuantity::Broken
                | CableQuantity::Damage
        )
    }

    /// Its number; none before there are forces, or if the cable has no links.
    pub fn of(self, cable: CableRef, world: &World) -> Option<f64> {
        if self.is_force() && world.state().step == 0 {
            return None;
        }
        match (self, cable) {
            (CableQuantity::Elements, CableRef::Elements(id)) => {
                return Some(world.cable_elements(id).len() as f64);
            }
            (CableQuantity::Elements, CableRef::Points(cable)) => {
                return Some(cable.points(world)?.len() as f64 - 1.0);
            }
            (CableQuantity::Length, CableRef::Elements(id)) => return length(id, world),
            (CableQuantity::Length, CableRef::Points(cable)) => return cable.stretched_length(world),
            // for elements it is not read from the links; segments between mass points are straight
            (CableQuantity::At(AlongQuantity::Point(axis), at), CableRef::Elements(id)) => {
                return Some(point(id, at, world)?[axis]);
            }
            (CableQuantity::At(AlongQuantity::Drag, at), CableRef::Elements(id)) => {
                return drag(id, at, world);
            }
            _ => {}
        }
        let readings = cable.readings(world);
        let largest = |of: fn(&Reading) -> f64| readings.iter().map(of).reduce(f64::max);
        match self {
            CableQuantity::At(along, at) => between(&readings, at, |r| along.of(r)),
            CableQuantity::Start => readings.first().map(|r| r.tension),
            CableQuantity::End => readings.last().map(|r| r.tension),
            CableQuantity::Largest => largest(|r| r.tension),
            CableQuantity::LargestCurvature => largest(|r| r.curvature),
            CableQuantity::Broken => Some(readings.iter().filter(|r| r.broken).count() as f64),
            CableQuantity::Damage => largest(|r| r.damage),
            CableQuantity::Length | CableQuantity::Elements => None,
        }
    }
}

/// All cables with their names: those of elements, then those of mass points.
pub fn lines(world: &World) -> impl Iterator<Item = (CableRef, &str)> {
    let cables = world.model().cables();
    let of_elements =
        cables.iter().filter_map(|(place, c)| Some((CableRef::Elements(cables.id(place)?), c.name.as_str())));
    let of_points =
        PointCable::all(world).filter_map(|cable| Some((CableRef::Points(cable), cable.name(world)?)));
    of_elements.chain(of_points)
}

/// Unloaded length of a cable [m]; 0 if it no longer exists.
pub fn line_length(world: &World, line: CableRef) -> f64 {
    match line {
        CableRef::Elements(id) => world.model().cables().get(id).map_or(0.0, |c| c.length()),
        CableRef::Points(cable) => cable.length(world).unwrap_or(0.0),
    }
}

/// The value at a position, interpolated linearly between the readings on its two sides.
fn between(readings: &[Reading], at: f64, of: impl Fn(&Reading) -> f64) -> Option<f64> {
    let next = readings.partition_point(|r| r.at < at);
    let (before, after) = (next.checked_sub(1).and_then(|k| readings.get(k)), readings.get(next));
    match (before, after) {
        (Some(a), Some(b)) => {
            let t = (at - a.at) / (b.at - a.at);
            Some((1.0 - t) * of(a) + t * of(b))
        }
        (one, other) => one.or(other).map(of),
    }
}

/// World position of a point along a cable; elements are straight.
fn point(id: CableId, at: f64, world: &World) -> Option<DVec3> {
    let cable = world.model().cables().get(id)?;
    let number = ((at / cable.element) as usize).min(cable.elements.len().checked_sub(1)?);
    let along = at - (number as f64 + 0.5) * cable.element;
    let state = world.state().bodies.get(cable.elements[number].index())?;
    Some(state.position + state.orientation * DVec3::Z * along)
}

/// Drag per length of the element at a position along a cable, which may be a merged one [N/m]; none in no fluid.
fn drag(id: CableId, at: f64, world: &World) -> Option<f64> {
    let cable = world.model().cables().get(id)?;
    let number = ((at / cable.element) as usize).min(cable.elements.len().checked_sub(1)?);
    let all = match &cable.pool {
        Some(pool) => &pool.elements[..],
        None => std::slice::from_ref(&cable.elements),
    };
    let mut present = all.iter().enumerate().filter_map(|(level, ids)| {
        let element = *ids.get(number >> level)?;
        let state = world.state().bodies.get(element.index())?;
        (!state.inactive).then_some((element, cable.element * (1_u64 << level) as f64))
    });
    let (element, length) = present.next()?;
    Some(FluidReading::of(world, element)?.drag.length() / length)
}

/// Stretched length. Elements are rigid, so all stretch is in the links.
fn length(id: CableId, world: &World) -> Option<f64> {
    let model = world.model();
    let cable = model.cables().get(id)?;
    let mut length = cable.length();
    for (_, joint) in cable.links_now(world.state()) {
        let Some(JointKind::Link(link)) = model.joints().get(joint).map(|j| &j.kind) else { continue };
        if world.state().joints[joint.index()].broken {
            continue;
        }
        let frames = link.anchors.map(|a| model.frame(world.state(), &a));
        let along: DVec3 =
            (0..2).filter(|k| link.elements[*k]).map(|k| frames[k].orientation * DVec3::Z).sum();
        length += (frames[1].at - frames[0].at).dot(along.normalize_or_zero());
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_run_straight_between_readings() {
        let reading = |at: f64, tension: f64| Reading { at, tension, ..Reading::default() };
        let readings = [reading(1.0, 10.0), reading(2.0, 30.0)];
        let at = |s: f64| between(&readings, s, |r| r.tension);
        assert_eq!([0.0, 1.0, 1.25, 2.0, 9.0].map(at), [10.0, 10.0, 15.0, 30.0, 30.0].map(Some));
        assert_eq!(between(&[], 1.0, |r| r.tension), None);
    }
}
