//! Winches as the file has them, and what each becomes: a body, its drum, and a hinge that drives it, both of its name.
//!
//! ```text
//!  turn about the axis > 0: ropes are wound in, unless they lie on the other side
//!  −wound/r ≤ turn ≤ (capacity − wound)/r          2π times the turns of so much rope, where it lies in layers
//!  −(capacity − wound)/r ≤ turn ≤ wound/r          of a rope on the other side; of several, the narrowest
//! ```

use super::body::{Body, Shape};
use super::joint::{Hinge, Joint, Limits, Motor};
use super::look::Color;
use super::motion::Motion;
use super::route::{Point, WrapDirection};
use super::{Entry, Scene};
use crate::error::Problems;
use crate::number::{
    Factor, Inertia, Length, Mass, MostTorque, Number, Numbers, Plain, Reach, Size, Spin, Tensor, Turn,
    TurnSlip,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::Winding;

/// Turns in a layer at most.
const MOST_TURNS: f64 = 1e6;

/// A winch: a drum that a motor turns and a brake holds. It makes a body, the drum, and a hinge, both of its name.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Winch {
    /// Name of the body it stands on.
    #[schemars(with = "String")]
    pub on: Spanned<String>,
    /// The middle of its drum in the world [m].
    pub at: Numbers<Length>,
    /// Its axis in the world: turned about it, counterclockwise, it winds in.
    pub axis: Numbers<Plain>,
    /// Radius to the middle of the rope [m].
    pub radius: Number<Size>,
    /// Length of its drum along the axis [m]; twice the radius unless given.
    pub width: Option<Number<Size>>,
    /// Mass of its drum [kg].
    pub mass: Number<Mass>,
    /// Moment of inertia about its axis with gear and motor [kg·m²]; that of a solid drum unless given.
    pub inertia: Option<Number<Inertia>>,
    /// What turns it; nothing unless given.
    pub motor: Option<Drive>,
    /// Torque of the brake, which holds while a speed of 0 is commanded, by the motor and all inputs together [N·m]; that of
    /// the motor unless given.
    pub brake: Option<Number<MostTorque>>,
    /// A turn that it follows exactly, instead of a motor [rad].
    #[schemars(with = "Option<Motion<Turn>>")]
    pub prescribed: Option<Spanned<Motion<Turn>>>,
    /// Rope wound on it at the start [m]: it stops when that is paid out; no stop unless given.
    pub wound_length: Option<Number<Reach>>,
    /// Rope it has room for [m]: it stops when that is wound; no stop unless given.
    pub capacity: Option<Number<Size>>,
    /// How rope lies on it, layer upon layer, so that its radius grows with what is `wound_length`; all in one layer unless given.
    #[schemars(with = "Option<Layers>")]
    pub layers: Option<Spanned<Layers>>,
    /// Dry friction of its bearings [N·m]; 0 unless given.
    pub friction: Option<Number<MostTorque>>,
    /// Name of the material of its drum; "steel" unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Colour its drum is drawn in; that of the material unless given.
    pub color: Option<Color>,
}

/// How rope lies on a drum, layer upon layer. The radius of the winch is that of the first; a layer's last turn climbs to the next.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Layers {
    /// Diameter of the rope [m].
    pub rope_diameter: Number<Size>,
    /// Turns beside each other in a layer; as many as the `width` has room for unless given.
    pub turns: Option<Number<Factor>>,
    /// By how much a layer lies farther out than the one below [m]; the rope's diameter unless given.
    pub rise: Option<Number<Size>>,
}

/// The motor of a winch.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WinchMotor")]
pub struct Drive {
    /// Commanded speed, above 0 to wind in [rad/s]; 0 unless given.
    pub speed: Option<Number<Spin>>,
    /// Largest torque [N·m]; no limit unless given.
    pub torque: Option<Number<MostTorque>>,
    /// Slip per torque [(rad/s)/(N·m)]; 0 unless given.
    pub droop: Option<Number<TurnSlip>>,
}

/// How a rope lies on a winch.
#[derive(Clone, Debug)]
struct Reel {
    /// 1 if a turn about the axis winds it in, −1 if it lies on the other side.
    sense: f64,
    /// What of it is wound at the start, if its own point says it [m].
    wound: Option<Number<Reach>>,
}

impl Scene {
    /// Adds what its winches are made of: bodies and joints of their names.
    pub(super) fn make_winches(&mut self, problems: &mut Problems) {
        let reels = self.reels(problems);
        for (Entry { name, span, value, group }, reels) in self.winches.iter().zip(reels) {
            let (name, span, group) = (name.clone(), span.clone(), group.clone());
            problems.instance = Some(group.name.clone()).filter(|name| !name.is_empty());
            let Some((body, joint)) = value.parts(&name, &reels, problems) else { continue };
            self.bodies.push(Entry {
                name: name.clone(),
                span: span.clone(),
                value: body,
                group: group.clone(),
            });
            self.joints.push(Entry { name, span, value: joint, group });
        }
        problems.instance = None;
    }

    /// By winch, how ropes lie on it.
    fn reels(&self, problems: &mut Problems) -> Vec<Vec<Reel>> {
        let mut all = vec![Vec::new(); self.winches.len()];
        for rope in &self.ropes {
            problems.instance = Some(rope.group.name.clone()).filter(|name| !name.is_empty());
            let mut is_there = |point: &Point| {
                problems.number_or("enabled", &point.only, 1.0).is_some_and(|only| only > 0.0)
            };
            let points = rope.value.route.get_ref().iter().map(|point| point.get_ref());
            let there: Vec<&Point> = points.filter(|point| is_there(point)).collect();
            let ends = [(there.first(), WrapDirection::Cw), (there.last(), WrapDirection::Ccw)];
            for (point, usual) in ends.into_iter().filter_map(|(point, usual)| Some((*point?, usual))) {
                let place = |name: &str| self.winches.iter().position(|winch| winch.name == name);
                let winch = point.winch.as_ref().and_then(|name| rope.group.outward(name.get_ref(), place));
                let Some(winch) = winch else { continue };
                let sense = if point.wrap_direction.as_ref().is_none_or(|side| *side.get_ref() == usual) {
                    1.0
                } else {
                    -1.0
                };
                all[winch].push(Reel { sense, wound: point.wound_length.clone() });
            }
        }
        problems.instance = None;
        all
    }

    /// Whether a body or joint is part of a winch.
    pub(crate) fn is_winch(&self, name: &str) -> bool {
        self.winches.iter().any(|winch| winch.name == name)
    }
}

impl Winch {
    /// Its drum and its hinge.
    fn parts(&self, name: &str, reels: &[Reel], p: &mut Problems) -> Option<(Body, Joint)> {
        let (at, axis) = (p.vector("at", &self.at), p.direction("axis", &self.axis));
        let radius = p.number("radius", &self.radius);
        let width = p.number_given("width", &self.width);
        let mass = p.number("mass", &self.mass);
        let inertia = p.number_given("inertia", &self.inertia);
        let (_, axis, radius, mass) = (at?, axis?, radius?, mass?);
        let width = width?.unwrap_or(2.0 * radius);
        let about = match (inertia?, &self.inertia) {
            (Some(i), Some(given)) if !(i > 0.0) => {
                p.advise(given.span(), format!("an `inertia` of {i} kg·m²"), "give one above 0");
                return None;
            }
            (Some(i), _) => i,
            (None, _) => 0.5 * mass * radius * radius,
        };
        // a moment across cannot be less than half of that about the axis
        let across = (mass * (3.0 * radius * radius + width * width) / 12.0).max(0.5 * about);
        let q = math::facing(axis);
        let body = Body {
            position: Some(self.at.clone()),
            orientation: Some(Numbers::si(&[q.w, q.x, q.y, q.z])),
            shape: Some(Shape::Cylinder { radius: self.radius.clone(), length: Number::si(width) }),
            mass: Some(self.mass.clone()),
            inertia: Some(Tensor::si([[across, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, about]])),
            material: Some(self.material.clone().unwrap_or_else(|| Spanned::new(0..0, "steel".to_string()))),
            color: self.color.clone(),
            collide: Some(false),
            ..Body::default()
        };
        let hinge = Hinge {
            bodies: [self.on.clone(), Spanned::new(self.on.span(), name.to_string())],
            at: Some(self.at.clone()),
            axis: Some(self.axis.clone()),
            frames: None,
            lock: None,
            motor: self.drive(p)?,
            servo: None,
            prescribed: self.prescribed.as_ref().map(|follow| follow.get_ref().clone()),
            spring: None,
            limits: self.stops(reels, (radius, width), p)?,
            friction: self.friction.clone(),
            damping: None,
        };
        Some((body, Joint { hinge: Some(Box::new(hinge)), ..Joint::default() }))
    }

    /// The drive of its hinge: the motor, and the brake while nothing is commanded.
    fn drive(&self, p: &mut Problems) -> Option<Option<Motor<Turn>>> {
        if self.motor.is_none() && self.brake.is_none() {
            return Some(None);
        }
        let motor = self.motor.clone().unwrap_or_default();
        if let (Some(follow), brake) = (&self.prescribed, &self.brake) {
            let what = if brake.is_some() { "a brake" } else { "a motor" };
            p.advise(
                follow.span(),
                format!("a winch that follows a turn and has {what}"),
                "keep one of them",
            );
            return None;
        }
        if let (Some(_), None, Some(brake)) = (&self.motor, &motor.torque, &self.brake) {
            let help = "give the motor its largest `torque`, or leave the brake out: without a limit the motor holds";
            p.advise(brake.span(), "a brake beside a motor without a limit", help);
            return None;
        }
        let speed = motor.speed.unwrap_or_else(|| Number::si(0.0));
        // without a motor the brake is all there is
        let force = motor.torque.or_else(|| self.brake.clone());
        Some(Some(Motor { speed, force, brake: self.brake.clone(), droop: motor.droop }))
    }

    /// The ends of its travel: where the first of its ropes is all off, and where the first has no more room.
    fn stops(
        &self,
        reels: &[Reel],
        (radius, width): (f64, f64),
        p: &mut Problems,
    ) -> Option<Option<Limits<Turn>>> {
        let capacity = p.number_given("capacity", &self.capacity)?;
        let winding = self.winding((radius, width), p)?;
        let turn = |length: f64| winding.map_or(length / radius, |w| TAU * w.turns_of(radius, length));
        let usual = [Reel { sense: 1.0, wound: None }];
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for reel in if reels.is_empty() { &usual } else { reels } {
            let given = reel.wound.as_ref().or(self.wound_length.as_ref());
            let wound =
                given.map(|number| p.number("wound_length", number).map(|wound| (wound, number.span())));
            let wound = wound.map_or(Some(None), |judged| judged.map(Some))?;
            if let (Some((wound, span)), Some(capacity)) = (&wound, capacity)
                && *wound > capacity
            {
                let message = format!("{wound} m of rope on a winch that has room for {capacity} m");
                p.advise(span.clone(), message, "give a `capacity` of at least what is `wound_length`");
                return None;
            }
            let on = turn(wound.as_ref().map_or(0.0, |(wound, _)| *wound));
            let empty = wound.map_or(f64::NEG_INFINITY, |_| -on);
            let full = capacity.map_or(f64::INFINITY, |capacity| turn(capacity) - on);
            let own = if reel.sense > 0.0 { [empty, full] } else { [-full, -empty] };
            (low, high) = (low.max(own[0]), high.min(own[1]));
        }
        let stop = |angle: f64| angle.is_finite().then(|| Number::si(angle));
        let stops =
            Limits { low: stop(low), high: stop(high), stiffness: None, damping: None, restitution: None };
        Some((stops.low.is_some() || stops.high.is_some()).then_some(stops))
    }

    /// How rope lies on it, wound as it is at the start; the inner none if its radius stays.
    pub(crate) fn winding(&self, (radius, width): (f64, f64), p: &mut Problems) -> Option<Option<Winding>> {
        let Some(layers) = &self.layers else { return Some(None) };
        let (text, span) = (layers.get_ref(), layers.span());
        let (rope, rise) =
            (p.number("rope_diameter", &text.rope_diameter), p.number_given("rise", &text.rise));
        let turns = p.number_given("turns", &text.turns);
        let (rope, rise, turns) = (rope?, rise?, turns?);
        let room = (width / rope * (1.0 + 1e-9)).floor();
        let turns = turns.unwrap_or(room);
        if !(1.0..=MOST_TURNS).contains(&turns) {
            let span = text.turns.as_ref().map_or(text.rope_diameter.span(), Number::span);
            let message = format!("{turns} turns in a layer of a drum {width} m wide");
            p.advise(span, message, format!("give 1 to {MOST_TURNS}, or another `width`"));
            return None;
        }
        let Some(wound) = &self.wound_length else {
            let help = "give `wound_length`, the rope that is on it at the start";
            p.advise(span, "a winch with layers that does not say what is wound on it", help);
            return None;
        };
        let bare = Winding { turns, rise: rise.unwrap_or(rope), wound: 0.0 };
        Some(Some(Winding { wound: bare.turns_of(radius, p.number("wound_length", wound)?), ..bare }))
    }
}
