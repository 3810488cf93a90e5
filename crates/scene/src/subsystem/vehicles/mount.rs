//! What the parts of vehicles are mounted on, and the lists to which they are added.

use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::files::Files;
use crate::suggestion;
use crate::text::body::Body;
use crate::text::joint::Joint;
use crate::text::tire::Tire as TireText;
use crate::text::vehicle::Vehicle;
use glam::{DQuat, DVec3};
use std::ops::Range;
use toml::Spanned;

/// What vehicles are made from.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub vehicles: &'a [Entry<Vehicle>],
    pub tires: &'a [Entry<TireText>],
    pub bodies: &'a [Entry<Body>],
    pub files: &'a dyn Files,
}

/// What vehicles add to a scene.
#[derive(Default)]
pub(crate) struct Parts {
    pub bodies: Vec<Entry<Body>>,
    pub joints: Vec<Entry<Joint>>,
    /// Velocities of chassis, by the number of their body.
    pub velocities: Vec<(usize, DVec3)>,
    /// Gears at the start: number of the vehicle, name of the gearbox, gear.
    pub gears: Vec<(usize, String, i64)>,
}

/// The body of a name, from the group of an entry.
fn find_body<'a, T>(
    entry: &Entry<T>,
    name: &str,
    bodies: &'a [Entry<Body>],
) -> Option<(usize, &'a Entry<Body>)> {
    let place = |name: &str| bodies.iter().position(|body| body.name == name);
    entry.group.outward(name, place).map(|number| (number, &bodies[number]))
}

/// A body on which wheels and shafts are mounted.
pub(super) struct Mount<'a> {
    pub entry: &'a Entry<Body>,
    /// Its pose in its group.
    pub at: DVec3,
    pub orientation: DQuat,
    /// The velocity of its origin, and its angular velocity.
    pub velocity: [DVec3; 2],
}

impl<'a> Mount<'a> {
    /// The mount of a name, with the speed of its vehicle; errors are reported.
    fn of(
        vehicle: &Entry<Vehicle>,
        name: &Spanned<String>,
        bodies: &'a [Entry<Body>],
        (parts, p): (&mut Parts, &mut Problems),
    ) -> Option<Mount<'a>> {
        let Some((number, entry)) = find_body(vehicle, name.get_ref(), bodies) else {
            let known = bodies.iter().map(|body| body.name.as_str()).take(suggestion::MOST);
            let help = suggestion::nearest(name.get_ref(), known).map_or_else(
                || "define it as [bodies.NAME]".to_string(),
                |near| format!("did you mean \"{near}\"?"),
            );
            p.advise(name.span(), format!("no body \"{}\"", suggestion::shortened(name.get_ref())), help);
            return None;
        };
        let body = &entry.value;
        let at = p.vector_or_zero("position", &body.position);
        let orientation = p.orientation(&body.orientation, &body.rotation);
        let velocity = p.vector_or_zero("velocity", &body.velocity);
        let spin = p.vector_or_zero("angular_velocity", &body.angular_velocity);
        let center = p.vector_or_zero("center_of_mass", &body.center_of_mass);
        let speed = p.number_given("speed", &vehicle.value.speed);
        let (at, orientation, mut velocity, spin) = (at?, orientation?, velocity?, spin?);
        if let (Some(speed), Some(own)) = (speed?, &vehicle.value.speed) {
            let ahead = orientation * DVec3::X * speed;
            if body.velocity.is_some() && velocity.distance(ahead) > 1e-9 * speed.abs() {
                let message = format!("`speed` of a vehicle whose body \"{}\" has a `velocity`", entry.name);
                p.advise(own.span(), message, "leave one of them out");
                return None;
            }
            velocity = ahead;
            parts.velocities.push((number, velocity));
        }
        let velocity = velocity - spin.cross(orientation * center?);
        Some(Mount { entry, at, orientation, velocity: [velocity, spin] })
    }

    /// A direction of it in the axes of its group.
    pub(super) fn direction(&self, v: DVec3) -> DVec3 {
        self.orientation * v
    }

    /// The velocity of a point in its axes.
    pub(super) fn velocity_at(&self, at: DVec3) -> DVec3 {
        self.velocity[0] + self.velocity[1].cross(self.direction(at))
    }
}

/// Adds the parts of one vehicle.
pub(super) struct Maker<'a> {
    pub entry: &'a Entry<Vehicle>,
    pub given: Given<'a>,
    pub parts: &'a mut Parts,
}

impl<'a> Maker<'a> {
    /// The body of a name on which something of the vehicle is mounted.
    pub(super) fn mount(&mut self, name: &Spanned<String>, p: &mut Problems) -> Option<Mount<'a>> {
        Mount::of(self.entry, name, self.given.bodies, (self.parts, p))
    }

    /// The name of a part.
    pub(super) fn full(&self, part: &str) -> String {
        format!("{}.{part}", self.entry.name)
    }

    /// The bodies of a joint.
    pub(super) fn pair(&self, names: [&str; 2]) -> [Spanned<String>; 2] {
        let span = self.entry.value.chassis.span();
        names.map(|name| Spanned::new(span.clone(), name.to_string()))
    }

    pub(super) fn add(
        &mut self,
        part: &str,
        span: Range<usize>,
        on: &Mount<'_>,
        (body, joint): (Body, Joint),
        p: &mut Problems,
    ) {
        let name = self.full(part);
        let known = self.given.bodies.iter().chain(&self.parts.bodies).any(|other| other.name == name);
        if known {
            let message =
                format!("vehicle \"{}\" makes a body \"{name}\", and there is one", self.entry.name);
            p.advise(
                span,
                message,
                "rename one of them; wheels and shafts of a vehicle have different names",
            );
            return;
        }
        let group = on.entry.group.clone();
        self.parts.bodies.push(Entry {
            name: name.clone(),
            span: span.clone(),
            value: body,
            group: group.clone(),
        });
        self.parts.joints.push(Entry { name, span, value: joint, group });
    }
}
