//! Winches as written in the file. Each becomes a body, its drum, and a hinge that drives it, both with its name.
//!
//! ```text
//!  angle > 0: ropes are wound in, unless their wrap direction is the opposite
//!  −wound/r ≤ angle ≤ (capacity − wound)/r         in layers, 2π times the number of turns of these lengths
//!  −(capacity − wound)/r ≤ angle ≤ wound/r         for the opposite direction; of several ropes, the narrowest bounds
//! ```

use super::body::{Body, Shape, Visual};
use super::joint::{Hinge, Joint, Limits, Motor};
use super::look::Color;
use super::model::Model;
use super::motion::Motion;
use super::route::{Point, WrapDirection};
use super::{Entry, Scene};
use crate::error::Problems;
use crate::number::{
    Angular, Factor, Inertia, Length, Mass, MostTorque, Number, Numbers, Plain, Reach, Size, Spin, Tensor,
    TurnSlip,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::Winding;

/// Largest number of turns in a layer.
const MOST_TURNS: f64 = 1e6;

/// A winch: a drum that is driven by a motor and held by a brake. It creates a body, the drum, and a hinge, both with
/// its name.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Winch {
    /// Name of the body on which it is mounted.
    #[schemars(with = "String")]
    pub on: Spanned<String>,
    /// Centre of the drum, in the world at the start [m].
    pub at: Numbers<Length>,
    /// Axis of the drum, in the world at the start. Positive rotation about it winds in.
    pub axis: Numbers<Plain>,
    /// Radius to the centre line of the rope, in the first layer [m].
    pub radius: Number<Size>,
    /// Width of the drum along its axis [m]; twice the radius unless given.
    pub width: Option<Number<Size>>,
    /// Mass of the drum, with its rope [kg].
    pub mass: Number<Mass>,
    /// Moment of inertia about the axis, with gear and motor [kg·m²]; that of a solid cylinder unless given.
    pub inertia: Option<Number<Inertia>>,
    /// Motor; none unless given.
    pub motor: Option<Drive>,
    /// Torque of the brake, which holds while the commanded speed is 0, from the motor and all inputs together [N·m];
    /// that of the motor unless given.
    pub brake: Option<Number<MostTorque>>,
    /// Prescribed rotation as a function of time, instead of a motor [rad].
    #[schemars(with = "Option<Motion<Angular>>")]
    pub prescribed: Option<Spanned<Motion<Angular>>>,
    /// Length of rope on the drum at the start [m]. The drum stops when it is paid out; no stop unless given.
    pub wound_length: Option<Number<Reach>>,
    /// Length of rope for which the drum has room [m]. The drum stops when it is full; no stop unless given.
    pub capacity: Option<Number<Size>>,
    /// Winding in layers, so that the radius grows with the wound length; needs `wound_length`; constant radius unless
    /// given.
    #[schemars(with = "Option<Layers>")]
    pub layers: Option<Spanned<Layers>>,
    /// Dry friction of the bearings [N·m]; 0 unless given.
    pub friction: Option<Number<MostTorque>>,
    /// Name of the material of the drum; "steel" unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Colour of the drum, "#rrggbb" or [r, g, b] from 0 to 1; that of the material unless given.
    pub color: Option<Color>,
}

/// Winding of rope in layers. The radius of the winch is that of the first layer. The last turn of a layer climbs to
/// the next.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Layers {
    /// Diameter of the rope [m].
    pub rope_diameter: Number<Size>,
    /// Number of turns in a layer; as many as fit into `width` unless given.
    pub turns: Option<Number<Factor>>,
    /// Increase of the radius per layer [m]; the rope diameter unless given.
    pub rise: Option<Number<Size>>,
}

/// Motor of a winch.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WinchMotor")]
pub struct Drive {
    /// Target speed, positive to wind in [rad/s]; 0 unless given.
    pub speed: Option<Number<Spin>>,
    /// Largest torque [N·m]; no limit unless given.
    pub torque: Option<Number<MostTorque>>,
    /// Loss of speed per torque [(rad/s)/(N·m)]; 0 unless given.
    pub droop: Option<Number<TurnSlip>>,
}

/// A rope on a winch.
#[derive(Clone, Debug)]
struct Reel {
    /// 1 if positive rotation winds it in, −1 if its `wrap_direction` is the opposite.
    sense: f64,
    /// Length wound at the start, if its route point specifies it [m].
    wound: Option<Number<Reach>>,
}

impl Scene {
    /// Adds the bodies and joints of its winches.
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

    /// Gives drums the initial velocity of the body on which they are mounted, if that is in the same group.
    pub(super) fn carry_winches(&mut self, problems: &mut Problems) {
        for winch in &self.winches {
            let place = |name: &str| self.bodies.iter().position(|body| body.name == name);
            let mount = winch.group.outward(winch.value.on.get_ref(), place);
            let (Some(mount), Some(drum)) = (mount, place(&winch.name)) else { continue };
            let text = &self.bodies[mount];
            if text.group.name != winch.group.name
                || (text.value.velocity.is_none() && text.value.angular_velocity.is_none())
            {
                continue;
            }
            let velocity = problems.vector_or_zero("velocity", &text.value.velocity);
            let spin = problems.vector_or_zero("angular_velocity", &text.value.angular_velocity);
            let from = problems.vector_or_zero("position", &text.value.position);
            let at = problems.vector("at", &winch.value.at);
            if let (Some(velocity), Some(spin), Some(from), Some(at)) = (velocity, spin, from, at) {
                let carried = velocity + spin.cross(at - from);
                let body = &mut self.bodies[drum].value;
                body.velocity = Some(Numbers::si(&carried.to_array()));
                body.angular_velocity = Some(Numbers::si(&spin.to_array()));
            }
        }
    }

    /// The ropes on each winch.
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

    /// Whether a body or joint is part of a winch or a vehicle.
    pub(crate) fn is_made(&self, name: &str) -> bool {
        self.made.contains(name) || self.winches.iter().any(|winch| winch.name == name)
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
        // a transverse moment of inertia is at least half of the axial one
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
            hidden: Some(true),
            visuals: Some(vec![Spanned::new(self.radius.span(), self.look(width))]),
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

    /// Its drum as it is drawn.
    fn look(&self, width: f64) -> Visual {
        let drum = Model::Drum {
            radius: self.radius.clone(),
            length: Number::si(width),
            flange: None,
            rope_diameter: None,
        };
        Visual {
            shape: None,
            model: Some(drum),
            at: None,
            orientation: None,
            rotation: None,
            material: None,
            color: None,
        }
    }

    /// The drive of its hinge: the motor, and the brake while the commanded speed is 0.
    fn drive(&self, p: &mut Problems) -> Option<Option<Motor<Angular>>> {
        if self.motor.is_none() && self.brake.is_none() {
            return Some(None);
        }
        let motor = self.motor.clone().unwrap_or_default();
        if let (Some(follow), brake) = (&self.prescribed, &self.brake) {
            let what = if brake.is_some() { "a brake" } else { "a motor" };
            p.advise(
                follow.span(),
                format!("a winch with a `prescribed` rotation and {what}"),
                "keep one of them",
            );
            return None;
        }
        if let (Some(_), None, Some(brake)) = (&self.motor, &motor.torque, &self.brake) {
            let help = "give the motor a `torque` limit, or omit the brake: without a limit the motor holds";
            p.advise(brake.span(), "a brake with a motor that has no `torque` limit", help);
            return None;
        }
        let speed = motor.speed.unwrap_or_else(|| Number::si(0.0));
        // without a motor the brake alone acts
        let force = motor.torque.or_else(|| self.brake.clone());
        Some(Some(Motor { speed, force, brake: self.brake.clone(), droop: motor.droop }))
    }

    /// Its end stops: where the first of its ropes is empty or full.
    fn stops(
        &self,
        reels: &[Reel],
        (radius, width): (f64, f64),
        p: &mut Problems,
    ) -> Option<Option<Limits<Angular>>> {
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
                let message = format!("{wound} m of rope on a winch with a capacity of {capacity} m");
                p.advise(span.clone(), message, "give a `capacity` of at least `wound_length`");
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

    /// Its winding at the start; the inner `None` if the radius is constant.
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
            let help = "give `wound_length`, the length of rope on it at the start";
            p.advise(span, "a winch with `layers` but no `wound_length`", help);
            return None;
        };
        let bare = Winding { turns, rise: rise.unwrap_or(rope), wound: 0.0 };
        Some(Some(Winding { wound: bare.turns_of(radius, p.number("wound_length", wound)?), ..bare }))
    }
}
