//! Ropes: routes of the text become ropes of the engine, with visuals for pulleys that have none.
//!
//! ```text
//!  winch, attach, pulley with slip = false    attached: the rope moves with the body
//!  pulley, ring                               slides: frictionless, with friction, or on a bearing
//! ```
//!
//! A rope without flexible segments is one joint. One with flexible segments is a route of the engine: ropes with cable
//! elements between them; `wound_length` sets how many of the elements are on the drums of winches.
//!
//! Positive (counterclockwise) rotation of a winch about its axis winds in: rope that begins there leaves clockwise,
//! rope that ends there arrives counterclockwise.

mod flexible;
mod points;

use super::axis::motion;
use super::cable::{self, BuiltCable, CableRef, MOST_TOGETHER};
use super::place::Pose;
use super::sheave::Sheave;
use super::{Builder, Placed};
use crate::drawn::{Lay, OnDrum};
use crate::number::Number;
use crate::suggestion;
use crate::text::route::{Rope as RopeText, Segments};
use crate::text::{Entry, Scene};
use crate::visual::Visual;
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{
    Anchor, CableId, Compliance, ConstraintView, EditError, Frame, Joint, JointId, JointKind, Rope,
    RopeGeometry, Route, RoutePoint, Routed, Strength, UnderLoad, Winding, World,
};

/// A wrap angle from here on is taken for a wrong `wrap_direction` [rad]: 300°. Belts wrap their pulleys by 270° at
/// most.
const ALL_ROUND: f64 = 5.2;

/// A rope of a scene, as built.
#[derive(Clone, Debug, PartialEq)]
pub struct Reeved {
    /// Its name.
    pub name: String,
    /// Its ids in the world, from start to end: one if it has no flexible segments.
    pub ropes: Vec<JointId>,
    /// The elements of its flexible segments; they are also in `Built::cables`.
    pub cable: Option<CableId>,
    /// Its outer diameter [m].
    pub diameter: f64,
    /// Colour it is drawn in.
    pub color: [f64; 3],
    /// The rope construction or the material, if the scene specifies it.
    pub made_of: Option<String>,
    /// Minimum recommended bend radius, if known [m].
    pub least_bend_radius: Option<f64>,
    /// Each of its points: "winch", "pulley", "ring" or "attach", and the name of the body.
    pub points: Vec<(&'static str, String)>,
    /// Its turns on the winches at its start and end, as they are drawn.
    lays: [Option<Lay>; 2],
}

impl Reeved {
    /// The turns that are drawn at the start and the end of one of its ids.
    pub fn lays(&self, id: JointId) -> [Option<Lay>; 2] {
        let at = |end: Option<&JointId>, lay: Option<Lay>| lay.filter(|_| end == Some(&id));
        [at(self.ropes.first(), self.lays[0]), at(self.ropes.last(), self.lays[1])]
    }
}

/// A rope to be added to the world.
#[derive(Clone, Debug)]
pub(super) struct Reeve {
    pub way: RopeModel,
    pub stated: StatedLength,
    name: String,
    diameter: f64,
    color: [f64; 3],
    /// The visual of an element.
    look: Visual,
    made_of: Option<String>,
    least_bend_radius: Option<f64>,
    points: Vec<(&'static str, String)>,
    lays: [Option<Lay>; 2],
    /// Pulleys to draw where the body has no visual.
    pub(super) sheaves: Vec<Sheave>,
}

/// What the text says about the length of a rope, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StatedLength {
    /// `length` [m].
    pub length: Option<f64>,
    /// `tension` [N].
    pub tension: Option<f64>,
    /// Its unloaded length off the winches at the start [m].
    pub at_start: f64,
}

/// What a rope is built as.
#[derive(Clone, Debug)]
pub(super) enum RopeModel {
    /// One joint.
    Rope(Box<Joint>),
    /// Ropes and elements.
    Route(Box<Route>),
}

impl RopeModel {
    /// Adds it to a world.
    fn add(&self, world: &mut World) -> Result<Routed, EditError> {
        match self {
            RopeModel::Rope(joint) => {
                world.add_joint(joint.as_ref().clone()).map(|id| Routed { ropes: vec![id], cable: None })
            }
            RopeModel::Route(route) => world.add_route(route),
        }
    }
}

/// The position of a winch, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drum {
    at: DVec3,
    axis: DVec3,
    radius: f64,
    /// Length along the axis [m].
    width: f64,
    /// Rope on it at the start, if the scene specifies it [m].
    wound: Option<f64>,
    winding: Option<Winding>,
}

/// A checked point of a route.
pub(super) struct CheckedPoint {
    what: &'static str,
    name: String,
    pub body: Placed,
    at: DVec3,
    axis: DVec3,
    pub via: RoutePoint,
    /// Rope wound on it at the start, if given [m].
    wound: Option<f64>,
    /// Length along the axis that the rope may take on a winch [m].
    room: Option<f64>,
    /// The kind of the segment after it, if given.
    segment: Option<Spanned<Segments>>,
    span: Range<usize>,
}

impl Reeve {
    /// Its description as part of a built rope.
    pub(super) fn reeved(self, routed: Routed) -> Reeved {
        let Reeve { name, diameter, color, made_of, least_bend_radius, points, lays, .. } = self;
        let Routed { ropes, cable } = routed;
        Reeved { name, ropes, cable, diameter, color, made_of, least_bend_radius, points, lays }
    }

    /// Its flexible segments as a cable.
    pub(super) fn laid(&self, routed: &Routed) -> Option<BuiltCable> {
        let (look, made_of) = (self.look.clone(), self.made_of.clone());
        let least_bend_radius = self.least_bend_radius;
        routed.cable.map(|id| BuiltCable { id: CableRef::Elements(id), look, made_of, least_bend_radius })
    }

    /// The approximate number of its elements.
    fn elements(&self, way: f64) -> f64 {
        match &self.way {
            RopeModel::Rope(_) => 0.0,
            RopeModel::Route(route) => (way + route.stock[0] + route.stock[1]) / route.element,
        }
    }
}

impl Builder {
    /// The ropes of all entries, in their order; none for an invalid one, which is reported.
    pub(super) fn ropes(&mut self, scene: &Scene) -> Vec<Option<Reeve>> {
        for entry in &scene.winches {
            self.enter(entry);
            let (p, winch) = (&mut self.problems, &entry.value);
            let (at, axis) = (p.vector("at", &winch.at), p.direction("axis", &winch.axis));
            let radius = p.number("radius", &winch.radius);
            let (width, wound) =
                (p.number_given("width", &winch.width), p.number_given("wound_length", &winch.wound_length));
            // the numbers of winches were checked when they were read
            if let (Some(at), Some(axis), Some(radius), Some(width), Some(wound)) =
                (at, axis, radius, width, wound)
                && let width = width.unwrap_or(2.0 * radius)
                && let Some(winding) = winch.winding((radius, width), p)
            {
                let (at, axis) = (self.group.point(at), self.group.vector(axis));
                self.drums.insert(entry.name.clone(), Drum { at, axis, radius, width, wound, winding });
            }
        }
        let mut together = 0.0;
        let mut planned = |builder: &mut Builder, entry: &Entry<RopeText>| {
            let (plan, way) = builder.rope_over(entry)?;
            together += plan.elements(way);
            if together > MOST_TOGETHER as f64 {
                let span = entry.value.elements.as_ref().map_or(entry.span.clone(), Number::span);
                let message = format!("the cables have more than {MOST_TOGETHER} elements in total");
                builder.problems.advise(span, message, "give fewer `elements`");
                return None;
            }
            Some(plan)
        };
        scene.ropes.iter().map(|entry| planned(self, entry)).collect()
    }

    /// Adds the planned ropes and reports those that the engine rejects.
    pub(super) fn reeve(
        &mut self,
        entries: &[Entry<RopeText>],
        plans: Vec<Option<Reeve>>,
    ) -> Vec<(Reeve, Routed)> {
        let mut reeved = Vec::new();
        for (entry, plan) in entries.iter().zip(plans) {
            self.enter(entry);
            let Some(plan) = plan else { continue };
            match plan.way.add(&mut self.world) {
                Ok(routed) => reeved.push((plan, routed)),
                Err(e) => self.refused(entry, &e),
            }
        }
        reeved
    }

    /// A rope and the length of its path [m].
    fn rope_over(&mut self, entry: &Entry<RopeText>) -> Option<(Reeve, f64)> {
        let text = &entry.value;
        self.enter(entry);
        let stuff = self.section(&text.section);
        let spots = self.spots(&text.route);
        let p = &mut self.problems;
        let color = text.color.as_ref().map(|c| p.color("color", c));
        let paid = text.paid_out.as_ref().map(|m| motion(m.get_ref(), m.span(), p));
        let (stuff, mut spots) = (stuff?, spots?);
        let color = color.map_or(Some(None), |c| c.map(Some))?;
        let paid = paid.map_or(Some(None), |m| m.map(Some))?;
        self.has_room(&spots, &text.route)?;
        self.choose_sides(&mut spots)?;
        let points: Vec<(Anchor, RoutePoint)> =
            spots.iter().map(|s| (Pose::along(s.at, s.axis, None).on(&s.body), s.via)).collect();
        let flexible = self.flexible(&spots, text)?;
        if flexible.contains(&true) {
            self.fits_flexible(entry, &spots, &stuff)?;
        }
        let mut rope = Rope::new(&points).elastic(stuff.section.stretch, stuff.section.damping[0]);
        rope.paid = paid.unwrap_or(rope.paid);
        let bears = stuff.section.bears(&UnderLoad::default());
        rope.lengths = self.lengths(&rope, &spots, &entry.value, bears)?;
        let course = course(&rope, &spots);
        self.lies_on_its_sides(&spots, &course)?;
        let way = course.free.iter().sum::<f64>() + rope.on_sheaves(&course);
        let long = rope.lengths.iter().zip(&course.free).map(|(long, way)| long.unwrap_or(*way));
        let stated = StatedLength {
            length: self.problems.number_given("length", &text.length)?,
            tension: self.problems.number_given("tension", &text.tension)?,
            at_start: long.sum::<f64>() + rope.on_sheaves(&course),
        };
        let route = match flexible.contains(&true) {
            true => Some(self.route(entry, &stuff, (&spots, &points), (flexible, &course, way))?),
            false => None,
        };
        let round = points.iter().filter(|(_, via)| via.radius > 0.0);
        let sheaves = round
            .filter_map(|(anchor, via)| self.sheave(anchor, via.radius, stuff.section.diameter))
            .collect();
        let lays = lays(&spots, &course, stuff.section.diameter);
        let color = color.or_else(|| Some(self.materials.get(&stuff.surface)?.color)).unwrap_or([0.2; 3]);
        let strength = bears.map(|force| Strength { force, torque: f64::INFINITY });
        let kind = JointKind::from(rope);
        let joint = Joint { name: entry.name.clone(), kind, compliance: Compliance::default(), strength };
        let element = route.as_ref().map_or(0.0, |route| route.element);
        let material = self.materials.get(&stuff.surface);
        let look = cable::look(&stuff, element, material.filter(|_| element > 0.0), Some(color));
        let reeve = Reeve {
            way: route
                .map_or_else(|| RopeModel::Rope(Box::new(joint)), |route| RopeModel::Route(Box::new(route))),
            stated,
            name: entry.name.clone(),
            look,
            diameter: stuff.section.diameter,
            color,
            made_of: stuff.name,
            least_bend_radius: stuff.least_bend_radius,
            points: spots.into_iter().map(|s| (s.what, s.name)).collect(),
            lays,
            sheaves,
        };
        Some((reeve, way))
    }

    /// Reports pulleys that the rope wraps almost entirely, because of a wrong wrap direction.
    fn lies_on_its_sides(&mut self, spots: &[CheckedPoint], course: &RopeGeometry) -> Option<()> {
        let mut sound = Some(());
        let between = 1..spots.len().saturating_sub(1);
        for (spot, wrap) in between.map(|k| (&spots[k], course.wraps[k])) {
            if spot.via.radius == 0.0 || spot.via.turns > 0 || wrap < ALL_ROUND {
                continue;
            }
            let degrees = suggestion::digits(wrap.to_degrees().round());
            let message = format!("the rope would wrap this {} by {degrees} degrees", spot.what);
            let help =
                "give the other `wrap_direction`, or leave it out; set `turns = 1` if this is intended";
            self.problems.advise(spot.span.clone(), message, help);
            sound = None;
        }
        sound
    }
}

/// The turns of a rope on the winches at its start and end.
fn lays(spots: &[CheckedPoint], course: &RopeGeometry, diameter: f64) -> [Option<Lay>; 2] {
    let free = course.free.iter().sum::<f64>();
    let lay = |spot: &CheckedPoint, normal: DVec3, sense: f64| {
        let normal = Pose::along(spot.at, spot.axis, None).orientation.inverse() * normal;
        let counted = sense * spot.via.side * libm::atan2(normal.y, normal.x);
        Some(Lay::new(&spot.via, &OnDrum { wound: spot.wound, counted, room: spot.room?, diameter, free }))
    };
    let (first, last) = (spots.first(), spots.last());
    [
        first.zip(course.spans.first()).and_then(|(spot, span)| lay(spot, span.normals[0], 1.0)),
        last.zip(course.spans.last()).and_then(|(spot, span)| lay(spot, span.normals[1], -1.0)),
    ]
}

/// Its geometry at the start.
pub(super) fn course(rope: &Rope, spots: &[CheckedPoint]) -> RopeGeometry {
    let frame = |spot: &CheckedPoint| Frame {
        body: spot.body.id.index() as u32,
        center: spot.body.pose.at,
        at: spot.at,
        orientation: Pose::along(spot.at, spot.axis, None).orientation,
        free: false,
        spins: false,
    };
    let frames: Vec<_> = spots.iter().map(frame).collect();
    rope.geometry(&ConstraintView { frames: &frames, last: &[], history: &[], time: 0.0 })
}
