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

use super::axis::motion;
use super::cable::{self, BuiltCable, CableRef, MOST_ELEMENTS, MOST_TOGETHER, USUAL_ELEMENTS};
use super::place::Pose;
use super::sheave::Sheave;
use super::{Builder, Placed};
use crate::drawn::{Lay, OnDrum};
use crate::material::{Friction, judged};
use crate::number::Number;
use crate::section::CableSection;
use crate::suggestion;
use crate::text::material::FrictionSpec;
use crate::text::route::{Point, Rope as RopeText, Segments, WrapDirection};
use crate::text::{Entry, Scene};
use crate::visual::Visual;
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{
    Anchor, CableId, Compliance, ConstraintView, EditError, Frame, Integrator, Joint, JointId, JointKind,
    Rope, RopeAttachment, RopeGeometry, Route, RoutePoint, Routed, Strength, UnderLoad, Winding, World,
};

/// Maximum number of points of a route.
const MOST_POINTS: usize = 1000;
/// A wrap angle from here on is taken for a wrong `wrap_direction` [rad]: 300°. Belts wrap their pulleys by 270° at
/// most.
const ALL_ROUND: f64 = 5.2;

/// Maximum number of additional whole turns about a pulley.
const MOST_TURNS: u32 = 1000;

/// If the path from centre to centre bends by less than this at a pulley, the wrap direction is undecided [rad].
const STRAIGHT: f64 = 1e-6;

/// Minimum number of elements for which a flexible segment must have room: two that are always there and one lead at
/// each end.
const LEAST_ELEMENTS: f64 = 4.0;

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

    /// Which segments of a route are flexible. Reports keys that do not apply if none is.
    fn flexible(&mut self, spots: &[CheckedPoint], text: &RopeText) -> Option<Vec<bool>> {
        let (last, before) = spots.split_last()?;
        if let Some(segment) = &last.segment {
            let help = "`segment` describes the segment after a point: move it to the point before";
            self.problems.advise(segment.span(), "no segment follows the last point", help);
            return None;
        }
        let rest = text.segments.as_ref().map_or(Segments::default(), |s| *s.get_ref());
        let is_flexible =
            |spot: &CheckedPoint| spot.segment.as_ref().map_or(rest, |s| *s.get_ref()) == Segments::Flexible;
        let flexible: Vec<bool> = before.iter().map(is_flexible).collect();
        if flexible.contains(&true) {
            return Some(flexible);
        }
        let idle = [
            ("elements", text.elements.as_ref().map(Number::span)),
            ("element", text.element.as_ref().map(Number::span)),
            ("collide", text.collide.as_ref().map(Spanned::span)),
            ("surface", text.surface.as_ref().map(Spanned::span)),
        ];
        let mut sound = Some(flexible);
        for (key, span) in idle.into_iter().filter_map(|(key, span)| Some((key, span?))) {
            let help = "leave it out, or set segments = \"flexible\"";
            self.problems.advise(span, format!("`{key}` does not apply to a massless rope"), help);
            sound = None;
        }
        sound
    }

    /// A rope with at least one flexible segment.
    fn route(
        &mut self,
        entry: &Entry<RopeText>,
        stuff: &CableSection,
        (spots, points): (&[CheckedPoint], &[(Anchor, RoutePoint)]),
        (flexible, course, way): (Vec<bool>, &RopeGeometry, f64),
    ) -> Option<Route> {
        let text = &entry.value;
        let mut tension = self.problems.number_or("tension", &text.tension, 0.0)?;
        let mut slack = 0.0;
        if let Some(length) = self.problems.number_given("length", &text.length)? {
            // a rope shorter than its path is stretched to it
            (slack, tension) =
                ((length - way).max(0.0), stuff.section.stretch * (way / length - 1.0).max(0.0));
        }
        if slack > 0.0 && self.world.model().settings().gravity == DVec3::ZERO {
            let span = text.length.as_ref().map_or(entry.span.clone(), Number::span);
            let message = format!(
                "`length` exceeds the path by {} m, and there is no gravity for it to sag in",
                suggestion::digits(slack)
            );
            self.problems.advise(span, message, "leave it out, or give `gravity`");
            return None;
        }
        let lengths = course.spans.iter().zip(&flexible).map(|(span, is)| is.then_some(span.length));
        let element = self.element_of(entry, stuff, &lengths.collect::<Vec<_>>())?;
        let stock = [0, spots.len() - 1].map(|k| spots[k].wound.unwrap_or(0.0));
        let count = (way + slack + stock[0] + stock[1]) / element;
        if !(count < f64::from(MOST_ELEMENTS)) {
            let key = text.element.as_ref().map(Number::span).or(text.elements.as_ref().map(Number::span));
            let (count, element) = (suggestion::digits(count), suggestion::digits(element));
            let message = format!("the rope has {count} elements of {element} m, including those on winches");
            let help = format!("a cable may have up to {MOST_ELEMENTS}: give longer elements");
            self.problems.advise(key.unwrap_or(entry.span.clone()), message, help);
            return None;
        }
        let touched = text.collide.as_ref().is_some_and(|touch| *touch.get_ref());
        let name = text.surface.as_ref().map_or(stuff.surface.as_str(), |n| n.get_ref().as_str());
        // an unknown one has been reported
        let surface = if touched { Some(self.contacts.number(name)?) } else { None };
        let route = Route::new(entry.name.clone(), stuff.section, points.to_vec());
        Some(Route {
            flexible,
            element,
            stock,
            tension,
            slack,
            under_load: stuff.under_load,
            surface,
            ..route
        })
    }

    /// Reports keys that cannot be combined with flexible segments.
    fn fits_flexible(
        &mut self,
        entry: &Entry<RopeText>,
        spots: &[CheckedPoint],
        stuff: &CableSection,
    ) -> Option<()> {
        let text = &entry.value;
        let mut sound = Some(());
        let mut wrong = |builder: &mut Builder, span: Range<usize>, message: &str, help: &str| {
            builder.problems.advise(span, message, help);
            sound = None;
        };
        if let Some(paid) = &text.paid_out {
            let help = "use a winch, whose rotation may be `prescribed`, or make the rope massless";
            wrong(self, paid.span(), "`paid_out` of a rope with flexible segments", help);
        }
        if let (Some(_), Some(element)) = (&text.elements, &text.element) {
            let help = "one follows from the other: keep one";
            wrong(self, element.span(), "both `elements` and `element` are given", help);
        }
        if let Some(surface) =
            text.surface.as_ref().filter(|_| !text.collide.as_ref().is_some_and(|t| *t.get_ref()))
        {
            let help = "leave it out, or set collide = true";
            wrong(self, surface.span(), "`surface` of a rope that does not collide", help);
        }
        if stuff.under_load.stiffening.is_some() {
            let help = "leave `stiffening` out of the section, or make the rope massless";
            wrong(self, entry.span.clone(), "flexible segments of a section with `stiffening`", help);
        }
        if self.world.model().settings().integrator != Integrator::Spook {
            let help =
                "only integrator = \"spook\" can pay out elements: choose it, or make the rope massless";
            wrong(self, entry.span.clone(), "flexible segments with another integrator than \"spook\"", help);
        }
        for spot in [&spots[0], &spots[spots.len() - 1]] {
            if spot.what == "winch" && spot.wound.is_none() {
                let message = format!("winch \"{}\" has no `wound_length`", spot.name);
                let help =
                    "set `wound_length = \"30 m\"` of the winch or of this point: the length it can pay out";
                wrong(self, spot.span.clone(), &message, help);
            }
        }
        sound
    }

    /// The element length of flexible segments with given lengths.
    fn element_of(
        &mut self,
        entry: &Entry<RopeText>,
        stuff: &CableSection,
        segments: &[Option<f64>],
    ) -> Option<f64> {
        let text = &entry.value;
        let whole: f64 = segments.iter().flatten().sum();
        let shortest = segments.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        let given = self.problems.number_given("element", &text.element)?;
        let (element, span) = match (given, &text.elements) {
            (Some(element), _) => (element, text.element.as_ref().map(Number::span)),
            (None, Some(number)) => {
                let count = self.problems.whole_or("elements", &text.elements, 1..=MOST_ELEMENTS, 1)?;
                (whole / f64::from(count), Some(number.span()))
            }
            (None, None) => {
                let [few, many] = USUAL_ELEMENTS;
                let count = (whole / (cable::DIAMETERS * stuff.section.diameter)).ceil().clamp(few, many);
                ((whole / count).min(shortest / LEAST_ELEMENTS), None)
            }
        };
        let most = shortest / LEAST_ELEMENTS * (1.0 + 1e-9);
        if let Some(span) = span.filter(|_| !(element <= most)) {
            let number = segments.iter().position(|s| *s == Some(shortest)).unwrap_or(0) + 1;
            let (long, element) = (suggestion::digits(shortest), suggestion::digits(element));
            let message = format!(
                "segment {number} of the route is {long} m long, too short for four elements of {element} m"
            );
            let count = (LEAST_ELEMENTS * whole / shortest).ceil();
            let help = format!("give {count} `elements` or more, or set segment = \"massless\" at its point");
            self.problems.advise(span, message, help);
            return None;
        }
        Some(element)
    }

    /// The enabled points of a route.
    fn spots(&mut self, route: &Spanned<Vec<Spanned<Point>>>) -> Option<Vec<CheckedPoint>> {
        let count = route.get_ref().len();
        if count > MOST_POINTS {
            self.problems.advise(route.span(), format!("`route` has {count} points"), "give at most 1000");
            return None;
        }
        let mut there = Vec::new();
        for point in route.get_ref() {
            if self.problems.number_or("enabled", &point.get_ref().only, 1.0)? > 0.0 {
                there.push(point);
            }
        }
        if there.len() < 2 {
            let help = "give at least a start and an end: [{ winch = … }, { attach = …, at = … }]";
            self.problems.advise(route.span(), format!("`route` has {} points", there.len()), help);
            return None;
        }
        let last = there.len() - 1;
        let spots: Vec<_> =
            there.iter().enumerate().map(|(k, point)| self.spot(point, k == 0, k == last)).collect();
        spots.into_iter().collect()
    }

    /// One point.
    fn spot(&mut self, point: &Spanned<Point>, first: bool, last: bool) -> Option<CheckedPoint> {
        let (text, span) = (point.get_ref(), point.span());
        let kinds = [
            ("winch", &text.winch),
            ("pulley", &text.pulley),
            ("ring", &text.ring),
            ("attach", &text.attach),
        ];
        let mut given = kinds.into_iter().filter_map(|(what, name)| Some((what, name.as_ref()?)));
        let (Some((what, name)), None) = (given.next(), given.next()) else {
            let help = "give one of `winch`, `pulley`, `ring` and `attach` = \"body\"";
            self.problems.advise(span, "a route point needs exactly one kind", help);
            return None;
        };
        let body = self.find(name);
        self.fits_kind(text, what)?;
        let drum =
            self.outward(name.get_ref(), |name| self.drums.get(name).copied()).filter(|_| what == "winch");
        let at = text.at.as_ref().map(|n| self.problems.vector("at", n));
        let at = at.map_or(Some(None), |a| a.map(Some))?.map(|p| self.group.point(p));
        let Some(at) = at.or(drum.map(|d| d.at)) else {
            self.problems.advise(
                span,
                format!("a {what} without a position"),
                "give `at = [x, y, z]` in the world",
            );
            return None;
        };
        let round = matches!(what, "winch" | "pulley");
        let axis = text.axis.as_ref().map(|n| self.problems.direction("axis", n));
        let axis =
            axis.map_or(Some(None), |a| a.map(Some))?.map(|v| self.group.vector(v)).or(drum.map(|d| d.axis));
        let radius = self.problems.number_given("radius", &text.radius)?.or(drum.map(|d| d.radius));
        let (axis, radius) = match (axis, radius) {
            (Some(axis), Some(radius)) => (axis, radius),
            _ if !round => (DVec3::Z, 0.0),
            (None, _) => {
                self.problems.advise(span, format!("a {what} without an axis"), "give `axis = [x, y, z]`");
                return None;
            }
            (_, None) => {
                self.problems.advise(span, format!("a {what} without a radius"), "give `radius`");
                return None;
            }
        };
        let along = self.problems.number_or("axial_offset", &text.axial_offset, 0.0)?;
        let turns = self.turns(&text.turns)?;
        let seat = self.seat(text, what, radius)?;
        if let Some(given) = text.turns.as_ref().filter(|_| first || last) {
            let help = "leave it out: the wound rope is counted from where it leaves the pulley";
            self.problems.advise(given.span(), "`turns` at a pulley on which the rope ends", help);
            return None;
        }
        if (first || last) && seat != RopeAttachment::Fixed {
            let help = "end it on a winch, with { attach = …, at = … }, or on a pulley with slip = false";
            let end = if first { "begins" } else { "ends" };
            self.problems.advise(
                span,
                format!("the rope {end} on a {what}, to which it is not attached"),
                help,
            );
            return None;
        }
        let side = match text.wrap_direction.as_ref().map(|s| *s.get_ref()) {
            Some(WrapDirection::Ccw) => 1.0,
            Some(WrapDirection::Cw) => -1.0,
            None if first => -1.0,
            None if last => 1.0,
            None => 0.0,
        };
        let wound = self
            .problems
            .number_given("wound_length", &text.wound_length)?
            .or(drum.and_then(|drum| drum.wound));
        let winding = drum.and_then(|drum| drum.winding);
        let winding =
            winding.map(|w| Winding { wound: wound.map_or(w.wound, |wound| w.turns_of(radius, wound)), ..w });
        let via = RoutePoint { radius, side, turns, attachment: seat, winding };
        let room = (what == "winch").then(|| room(drum.map_or(2.0 * radius, |drum| drum.width), along));
        let (name, segment, at) = (name.get_ref().clone(), text.segment.clone(), at + axis * along);
        Some(CheckedPoint { what, name, body: body?, at, axis, via, wound, room, segment, span })
    }

    /// Whole turns about a pulley.
    fn turns(&mut self, text: &Option<Number<crate::number::Coefficient>>) -> Option<u32> {
        let Some(number) = text else { return Some(0) };
        let turns = self.problems.number("turns", number)?;
        if turns.fract() != 0.0 || turns > f64::from(MOST_TURNS) {
            let help = format!("give a whole number up to {MOST_TURNS}");
            self.problems.advise(number.span(), format!("`turns` is {}", suggestion::digits(turns)), help);
            return None;
        }
        Some(turns as u32)
    }

    /// Reports keys that do not apply to a point of a kind.
    fn fits_kind(&mut self, text: &Point, what: &str) -> Option<()> {
        /// A key, its span, and the kinds of points that have it.
        type Key<'a> = (&'a str, Option<Range<usize>>, &'a [&'a str]);
        let rub = match &text.friction {
            Some(FrictionSpec::One(number)) => Some(number.span()),
            Some(FrictionSpec::Two(both)) => Some(both.at_rest.span()),
            None => None,
        };
        let keys: [Key<'_>; 9] = [
            ("axis", text.axis.as_ref().map(|n| n.span()), &["winch", "pulley"]),
            ("radius", text.radius.as_ref().map(Number::span), &["winch", "pulley"]),
            ("wrap_direction", text.wrap_direction.as_ref().map(|s| s.span()), &["winch", "pulley"]),
            ("turns", text.turns.as_ref().map(Number::span), &["pulley"]),
            ("axial_offset", text.axial_offset.as_ref().map(Number::span), &["winch"]),
            ("wound_length", text.wound_length.as_ref().map(Number::span), &["winch"]),
            ("friction", rub, &["pulley", "ring"]),
            ("bearing", text.bearing.as_ref().map(|b| b.friction.span()), &["pulley"]),
            ("slip", text.slip.as_ref().map(|s| s.span()), &["pulley"]),
        ];
        let mut sound = Some(());
        for (key, span, kinds) in keys {
            if let Some(span) = span.filter(|_| !kinds.contains(&what)) {
                let article = if what == "attach" { "an" } else { "a" };
                let message = format!("`{key}` does not apply to {article} `{what}`");
                self.problems.advise(
                    span,
                    message,
                    format!("leave it out; it applies to `{}`", kinds.join("` and `")),
                );
                sound = None;
            }
        }
        sound
    }

    /// How the rope is attached at a point.
    fn seat(&mut self, text: &Point, what: &str, radius: f64) -> Option<RopeAttachment> {
        let slips = text.slip.as_ref().is_none_or(|s| *s.get_ref());
        let p = &mut self.problems;
        match (&text.friction, &text.bearing) {
            _ if matches!(what, "winch" | "attach") => Some(RopeAttachment::Fixed),
            (None, None) if !slips => Some(RopeAttachment::Fixed),
            (None, None) => Some(RopeAttachment::Smooth),
            (Some(_), Some(bearing)) => {
                let help = "keep `friction` for a pulley that does not turn, or `bearing` for one that does";
                p.advise(bearing.friction.span(), "both `friction` and `bearing` are given", help);
                None
            }
            _ if !slips => {
                let span = text.slip.as_ref().map_or(0..0, |s| s.span());
                let help =
                    "leave it out, or leave out `slip`; axle friction belongs to the hinge of the pulley";
                p.advise(span, "friction of a rope that does not slip", help);
                None
            }
            (Some(rub), None) => {
                let Friction { at_rest: stick, sliding: slide } = judged(rub, p)?;
                Some(RopeAttachment::Rough { stick, slide })
            }
            (None, Some(bearing)) => {
                let (mu, pin) = (p.number("friction", &bearing.friction), p.number("pin", &bearing.pin));
                let share = mu? * pin? / radius;
                if share >= 1.0 {
                    let message = format!(
                        "friction times pin radius is {} of the pulley's radius",
                        suggestion::digits(share)
                    );
                    p.advise(
                        bearing.pin.span(),
                        message,
                        "it must be below 1 for the pulley to turn: give a smaller pin or less friction",
                    );
                    return None;
                }
                Some(RopeAttachment::Bearing { share })
            }
        }
    }

    /// Reports neighbours between which the rope cannot reach a pulley.
    fn has_room(&mut self, spots: &[CheckedPoint], route: &Spanned<Vec<Spanned<Point>>>) -> Option<()> {
        for (k, pair) in spots.windows(2).enumerate() {
            let inside = |round: &CheckedPoint, other: &CheckedPoint| {
                let way = other.at - round.at;
                let off = (way - round.axis * round.axis.dot(way)).length();
                off < (round.via.radius - other.via.radius).max(0.0) * (1.0 - 1e-9)
            };
            let apart = pair[0].at.distance(pair[1].at);
            if inside(&pair[0], &pair[1]) || inside(&pair[1], &pair[0]) || !(apart > 0.0) {
                let (a, b) = (k + 1, k + 2);
                let message = format!(
                    "points {a} and {b} of the route, {} and {}, leave no space for a rope",
                    pair[0].name, pair[1].name
                );
                let help = "one is inside the pulley of the other: check `at` and `radius`";
                self.problems.advise(route.span(), message, help);
                return None;
            }
        }
        Some(())
    }

    /// Chooses the wrap direction of the smaller wrap angle where the text gives none. Reports pulleys where neither is
    /// smaller.
    fn choose_sides(&mut self, spots: &mut [CheckedPoint]) -> Option<()> {
        let mut sound = Some(());
        for k in 1..spots.len().saturating_sub(1) {
            if spots[k].via.side != 0.0 {
                continue;
            }
            let (before, after) = (spots[k].at - spots[k - 1].at, spots[k + 1].at - spots[k].at);
            let turn = before.cross(after).dot(spots[k].axis) / (before.length() * after.length());
            spots[k].via.side = if turn < 0.0 { -1.0 } else { 1.0 };
            if spots[k].via.radius > 0.0 && turn.abs() < STRAIGHT {
                let (name, number) = (&spots[k].name, k + 1);
                let message = format!(
                    "point {number} of the route, a pulley on \"{name}\", is in line with the points before and after it"
                );
                let help = "set the direction about its axis: `wrap_direction = \"ccw\"`, counterclockwise, or `wrap_direction = \"cw\"`";
                self.problems.advise(spots[k].span.clone(), message, help);
                sound = None;
            }
        }
        sound
    }
}

/// Length along the axis of a drum that a rope may take: to both sides of its plane, up to the nearer flange [m].
fn room(width: f64, offset: f64) -> f64 {
    (width - 2.0 * offset.abs()).max(0.1 * width)
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
