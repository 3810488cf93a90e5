//! Suspensions of wheels → joints of the wheels, and arms.
//!
//! ```text
//!  along an axis   car_wheel joint: travel t, steering axis k, both in the axes of the mount
//!                  t ∥ (tan ψ, ± 2 h/b, 1)      ψ anti_dive, h roll centre, b track: t is perpendicular to the line
//!                                               from the contact point to the roll centre, seen from behind
//!                  k ∥ (−tan τ, ∓ tan σ, 1)     τ caster, σ kingpin
//!  trailing arm    hinges chassis – arm – wheel; the pivot is at (l cos θ, 0, l sin θ) from the wheel's centre
//! ```

use super::given;
use super::mount::{Maker, Mount};
use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::number::{Coordinate, Number, Stiffness, Tensor};
use crate::text::body::{Body, Shape, Visual};
use crate::text::joint::{Axis, CarWheel, Compliance, Hinge, Joint, LinearCoupling, SpringDamper, Term};
use crate::text::vehicle::{Axle, Suspension, TrailingArm};
use glam::DVec3;
use toml::Spanned;

/// Mass of a trailing arm over that of its wheel, unless given.
const ARM_MASS: f64 = 0.1;
/// Radius of an arm over its length, as it is drawn and for its moment of inertia about itself.
const ARM_RADIUS: f64 = 0.1;

/// A wheel of an axle.
pub(super) struct WheelPlace<'a> {
    /// Its name within the vehicle.
    pub wheel: &'a str,
    /// Its centre in the axes of the mount [m].
    pub at: DVec3,
    /// 1 left, −1 right, 0 in the middle.
    pub side: f64,
    /// Half of the track [m].
    pub half_track: f64,
    /// Its mass [kg].
    pub mass: f64,
}

/// Name of the arm of a wheel.
pub(crate) fn arm_of(wheel: &str) -> String {
    format!("{wheel}.arm")
}

/// A hinge without options.
pub(super) fn hinge(bodies: [Spanned<String>; 2], at: DVec3, axis: DVec3) -> Hinge {
    Hinge {
        bodies,
        at: Some(given(at)),
        axis: Some(given(axis)),
        frames: None,
        lock: None,
        motor: None,
        servo: None,
        prescribed: None,
        spring: None,
        limits: None,
        friction: None,
        damping: None,
    }
}

/// A coordinate without options.
fn free<C: Coordinate>() -> Axis<C> {
    Axis {
        lock: None,
        motor: None,
        servo: None,
        prescribed: None,
        spring: None,
        limits: None,
        friction: None,
        damping: None,
    }
}

/// What is wrong with the keys of a suspension, and the remedy.
fn problem(
    axle: &Axle,
    suspension: &Suspension,
) -> Option<(std::ops::Range<usize>, &'static str, &'static str)> {
    let Suspension { spring, trailing_arm, limits, roll_center, anti_dive, caster, kingpin, .. } = suspension;
    let span = axle.tire.span();
    match (spring, trailing_arm) {
        (None, None) => {
            Some((span, "a `suspension` without spring", "give it a `spring` or a `trailing_arm`"))
        }
        (Some(_), Some(arm)) => {
            let message = "a `suspension` with both `spring` and `trailing_arm`";
            Some((arm.length.span(), message, "give the arm its own `spring`, and leave the other out"))
        }
        (None, Some(arm)) => {
            let inclined = [anti_dive, caster, kingpin].into_iter().flatten().map(Number::span).next();
            let span = inclined.or(roll_center.as_ref().map(Number::span));
            let message = "`roll_center`, `anti_dive`, `caster` or `kingpin` of a trailing arm";
            match span {
                Some(span) => Some((span, message, "leave it out: the arm alone guides the wheel")),
                None if limits.is_some() => {
                    let help = "give `trailing_arm.limits`, which are angles";
                    Some((arm.length.span(), "`limits` of the travel of a trailing arm", help))
                }
                None if axle.steered == Some(true) => {
                    let help = "give the axle a suspension with a `spring`, or leave `steered` out";
                    Some((arm.length.span(), "a steered wheel on a trailing arm", help))
                }
                None => None,
            }
        }
        (Some(_), None) => None,
    }
}

impl Maker<'_> {
    /// The joint of a wheel; adds its arm, if it has one. Errors are reported.
    pub(super) fn suspended(
        &mut self,
        place: &WheelPlace<'_>,
        axle: &Axle,
        on: &Mount<'_>,
        p: &mut Problems,
    ) -> Option<Joint> {
        if let Some((span, message, help)) =
            axle.suspension.as_ref().and_then(|suspension| problem(axle, suspension))
        {
            p.advise(span, message, help);
            return None;
        }
        match axle.suspension.as_ref().and_then(|suspension| suspension.trailing_arm.as_ref()) {
            Some(arm) => self.trailing_arm(place, arm, on, p),
            None => self.car_wheel(place, axle, on, p),
        }
    }

    fn car_wheel(
        &self,
        place: &WheelPlace<'_>,
        axle: &Axle,
        on: &Mount<'_>,
        p: &mut Problems,
    ) -> Option<Joint> {
        let mut tangent = |key: &str, angle: &Option<Number<crate::number::Angle>>| {
            let value = p.number_or(key, angle, 0.0)?;
            if value.abs() > 0.8 {
                let span = angle.as_ref().map_or(0..0, Number::span);
                p.advise(span, format!("`{key}` is {value} rad"), "give less than 45 deg");
                return None;
            }
            Some(libm::tan(value))
        };
        let (mut travel, mut steering) = (DVec3::Z, DVec3::Z);
        let mut options = Axis { lock: Some(Number::si(0.0)), ..free() };
        if let Some(suspension) = &axle.suspension {
            let dive = tangent("anti_dive", &suspension.anti_dive);
            let (caster, kingpin) =
                (tangent("caster", &suspension.caster), tangent("kingpin", &suspension.kingpin));
            let roll = p.number_or("roll_center", &suspension.roll_center, 0.0);
            let outward = if place.half_track > 0.0 { roll? / place.half_track } else { 0.0 };
            travel = DVec3::new(dive?, place.side * outward, 1.0).normalize();
            steering = DVec3::new(-caster?, -place.side * kingpin?, 1.0).normalize();
            options = Axis { spring: suspension.spring.clone(), limits: suspension.limits.clone(), ..free() };
        }
        let joint = CarWheel {
            bodies: self.pair([&on.entry.name, &self.full(place.wheel)]),
            at: Some(given(on.at + on.direction(place.at))),
            axis: Some(given(on.direction(DVec3::Y))),
            steering_axis: Some(given(on.direction(steering))),
            travel_axis: Some(given(on.direction(travel))),
            travel: Some(options),
            steering: (axle.steered == Some(true)).then(free),
            rotation: None,
        };
        Some(Joint { car_wheel: Some(Box::new(joint)), ..Joint::default() })
    }

    /// Adds an arm; returns the joint of its wheel.
    fn trailing_arm(
        &mut self,
        place: &WheelPlace<'_>,
        text: &TrailingArm,
        on: &Mount<'_>,
        p: &mut Problems,
    ) -> Option<Joint> {
        let length = p.number("length", &text.length);
        let angle = p.number_or("angle", &text.angle, 0.0);
        let mass = p.number_or("mass", &text.mass, ARM_MASS * place.mass);
        let (length, angle, mass) = (length?, angle?, mass?);
        if !(length != 0.0) {
            p.advise(
                text.length.span(),
                "an arm of length 0",
                "give the distance of the wheel from the pivot",
            );
            return None;
        }
        let (sin, cos) = libm::sincos(angle);
        let pivot = place.at + DVec3::new(cos, 0.0, sin) * length;
        let middle = 0.5 * (place.at + pivot);
        let along = (place.at - pivot).normalize();
        let arm = self.full(&arm_of(place.wheel));
        // a rod, thick enough for a moment of inertia about itself
        let (l, radius) = (length.abs(), ARM_RADIUS * length.abs());
        let own = 0.5 * mass * radius * radius;
        let across = mass * (l * l / 12.0 + 0.25 * radius * radius);
        // in the axes of the mount: own about `along`, across otherwise
        let moment = |i: usize, j: usize| {
            let unit = if i == j { across } else { 0.0 };
            unit + (own - across) * along[i] * along[j]
        };
        let inertia = std::array::from_fn(|i| std::array::from_fn(|j| moment(i, j)));
        let ends = [pivot, place.at].map(|at| at - middle);
        let body = Body {
            position: Some(given(on.at + on.direction(middle))),
            orientation: Some(crate::number::Numbers::si(&[
                on.orientation.w,
                on.orientation.x,
                on.orientation.y,
                on.orientation.z,
            ])),
            velocity: Some(given(on.velocity_at(middle))),
            angular_velocity: Some(given(on.velocity[1])),
            mass: Some(Number::si(mass)),
            inertia: Some(Tensor::si(inertia)),
            visuals: Some(vec![Spanned::new(0..0, rod(ends, radius))]),
            ..Body::default()
        };
        let mut pivoted = hinge(
            self.pair([&on.entry.name, &arm]),
            on.at + on.direction(pivot),
            // positive for compression, whether the arm trails or leads
            on.direction(DVec3::Y * length.signum()),
        );
        pivoted.spring = Some(text.spring.clone());
        pivoted.limits = text.limits.clone();
        let joint = Joint { hinge: Some(Box::new(pivoted)), ..Joint::default() };
        self.add(&arm_of(place.wheel), text.length.span(), on, (body, joint), p);
        let wheel = hinge(
            self.pair([&arm, &self.full(place.wheel)]),
            on.at + on.direction(place.at),
            on.direction(DVec3::Y),
        );
        Some(Joint { hinge: Some(Box::new(wheel)), ..Joint::default() })
    }

    /// Adds the anti-roll bar of an axle: a spring between the travels of its wheels.
    pub(super) fn anti_roll(
        &mut self,
        (name, wheels): (&str, [&str; 2]),
        axle: &Axle,
        stiffness: &Number<Stiffness>,
        (on, p): (&Mount<'_>, &mut Problems),
    ) -> Option<()> {
        let Some(suspension) = &axle.suspension else {
            let help = "give the axle a `suspension`, or leave `anti_roll` out";
            p.advise(stiffness.span(), "`anti_roll` of an axle without suspension", help);
            return None;
        };
        let lever = suspension.trailing_arm.as_ref().map(|arm| arm.lever(p));
        let (joints, factor) = match lever {
            Some(lever) => (wheels.map(|wheel| self.full(&arm_of(wheel))), lever?.abs()),
            None => (wheels.map(|wheel| self.full(wheel)), 1.0),
        };
        let [left, right] = joints.map(|joint| Spanned::new(stiffness.span(), joint));
        let term = |joint: Spanned<String>, factor: f64| Term {
            joint,
            coordinate: None,
            factor: Some(Number::si(factor)),
        };
        let terms = Spanned::new(stiffness.span(), vec![term(left, factor), term(right, -factor)]);
        let linear = SpringDamper { stiffness: stiffness.clone(), damping: None };
        let value = Joint {
            linear_coupling: Some(Box::new(LinearCoupling { terms, offset: Some(Number::si(0.0)) })),
            compliance: Some(Box::new(Compliance { linear: Some(linear), angular: None })),
            ..Joint::default()
        };
        let (name, span) = (self.full(&format!("{name}.anti_roll")), stiffness.span());
        self.parts.joints.push(Entry { name, span, value, group: on.entry.group.clone() });
        Some(())
    }
}

impl TrailingArm {
    /// Travel of the wheel per angle of the arm where it is drawn [m].
    pub(crate) fn lever(&self, p: &mut Problems) -> Option<f64> {
        let (length, angle) = (p.number("length", &self.length), p.number_or("angle", &self.angle, 0.0));
        Some(length? * libm::cos(angle?))
    }
}

/// A rod between two points, as it is drawn.
fn rod([from, to]: [DVec3; 2], radius: f64) -> Visual {
    let turned = windlass_engine::math::facing(to - from);
    Visual {
        shape: Some(Shape::Capsule {
            radius: Number::si(0.4 * radius),
            length: Number::si(from.distance(to)),
        }),
        model: None,
        at: None,
        orientation: Some(crate::number::Numbers::si(&[turned.w, turned.x, turned.y, turned.z])),
        rotation: None,
        material: None,
        color: None,
    }
}
