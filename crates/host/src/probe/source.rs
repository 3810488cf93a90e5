//! The source of each number, the words of the grammar, and how they are read from a world.

use super::cable::CableQuantity;
use super::contact::{self, ContactQuantity, ContactsOf};
use super::coordinate::is_rotation;
use super::fluid::FluidQuantity;
use super::ground::GroundQuantity;
use super::rope::{self, Drum, RopeQuantity, Strung, WinchQuantity};
use crate::step::Step;
use crate::violation;
use glam::{DQuat, DVec3};
use windlass_engine::inspect::instant::{BodyInstant, Inspection};
use windlass_engine::inspect::subsystems::QuantityId;
use windlass_engine::prelude::{Anchor, BodyId, Command, InputId, JointId, Mass, World};
use windlass_scene::CableRef;
use windlass_scene::{FluidFlow, FluidSurface};

/// Names of the components of a vector.
pub const VECTOR: [&str; 3] = ["x", "y", "z"];
const QUATERNION: [&str; 4] = ["w", "x", "y", "z"];
const ROTATION: [&str; 3] = ["roll", "pitch", "yaw"];

/// A component of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// By index.
    Component(usize),
    /// The length of the vector.
    Size,
}

/// Quantities of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyQuantity {
    Position,
    Center,
    Orientation,
    Angles,
    Tilt,
    Velocity,
    Speed,
    Acceleration,
    AngularVelocity,
    AngularAcceleration,
    Momentum,
    AngularMomentum,
    Energy,
}

/// Quantities of a coordinate of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateQuantity {
    Value,
    Speed,
    Effort,
}

/// Quantities of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputQuantity {
    Target,
    Actual,
}

/// Quantities of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointQuantity {
    Force,
    Torque,
    Violation,
    Broken,
}

/// Kinds of energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergyKind {
    Total,
    Kinetic,
    Potential,
    Elastic,
}

/// Quantities of the report of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepQuantity {
    Microseconds,
    Residual,
    Factors,
    Rows,
    Islands,
    Stalled,
    Redundant,
    /// Largest penetration of two surfaces.
    Overlap,
}

/// The source of a number. Masses and anchors are those at the time the probe was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    Time,
    Step(StepQuantity),
    Energy(EnergyKind),
    Body {
        body: BodyId,
        mass: Mass,
        quantity: BodyQuantity,
        part: Part,
    },
    Coordinate {
        joint: JointId,
        k: usize,
        quantity: CoordinateQuantity,
    },
    Joint {
        joint: JointId,
        quantity: JointQuantity,
        part: Part,
    },
    /// Of the two points of a joint: their distance, its rate, the tension between them.
    Between {
        joint: JointId,
        anchors: [Anchor; 2],
        quantity: CoordinateQuantity,
    },
    /// Between the origins of two bodies.
    Distance([BodyId; 2]),
    Contact {
        contacts: ContactsOf,
        quantity: ContactQuantity,
        part: Part,
    },
    Cable {
        cable: CableRef,
        quantity: CableQuantity,
    },
    Rope {
        rope: Strung,
        quantity: RopeQuantity,
    },
    Winch {
        drum: Drum,
        quantity: WinchQuantity,
    },
    Input {
        input: InputId,
        quantity: InputQuantity,
    },
    /// Of a body in fluids.
    Fluid {
        body: BodyId,
        quantity: FluidQuantity,
        part: Part,
    },
    /// Height of the surface of a liquid, by its number from the lowest one, at x and y.
    SurfaceHeight {
        fluid: usize,
        at: [f64; 2],
    },
    /// Velocity of a fluid, by its number from the lowest one, at a point.
    Flow {
        fluid: usize,
        at: DVec3,
        part: Part,
    },
    /// Of a ground, by its number, at x and y.
    Ground {
        ground: usize,
        at: [f64; 2],
        quantity: GroundQuantity,
    },
    /// Of a subsystem.
    Quantity(QuantityId),
    /// Points of the whole world with a contact force.
    Pressing,
    /// Contacts that have started since the log began.
    ContactsStarted,
}

/// A word of the grammar: its quantity, its unit, the names of its components.
#[derive(Clone, Copy, Debug)]
pub struct Entry<Q> {
    pub word: &'static str,
    pub quantity: Q,
    pub unit: &'static str,
    pub components: &'static [&'static str],
    pub(super) about: &'static str,
}

const fn entry<Q>(
    word: &'static str,
    quantity: Q,
    unit: &'static str,
    components: &'static [&'static str],
    about: &'static str,
) -> Entry<Q> {
    Entry { word, quantity, unit, components, about }
}

/// The quantities of bodies.
pub const BODY: [Entry<BodyQuantity>; 13] = [
    entry("position", BodyQuantity::Position, "m", &VECTOR, "origin in the world"),
    entry("center_of_mass", BodyQuantity::Center, "m", &VECTOR, "centre of mass in the world"),
    entry("orientation", BodyQuantity::Orientation, "", &QUATERNION, "quaternion, body to world"),
    entry(
        "euler_angles",
        BodyQuantity::Angles,
        "rad",
        &ROTATION,
        "rotations about z (yaw), then y, then x of the body",
    ),
    entry("tilt", BodyQuantity::Tilt, "rad", &[], "angle between the z axes of body and world"),
    entry("velocity", BodyQuantity::Velocity, "m/s", &VECTOR, "of the centre of mass"),
    entry("speed", BodyQuantity::Speed, "m/s", &[], "magnitude of the velocity"),
    entry("acceleration", BodyQuantity::Acceleration, "m/s^2", &VECTOR, "of the centre of mass"),
    entry("angular_velocity", BodyQuantity::AngularVelocity, "rad/s", &VECTOR, "world axes"),
    entry("angular_acceleration", BodyQuantity::AngularAcceleration, "rad/s^2", &VECTOR, "world axes"),
    entry("momentum", BodyQuantity::Momentum, "kg*m/s", &VECTOR, "mass times velocity"),
    entry("angular_momentum", BodyQuantity::AngularMomentum, "kg*m^2/s", &VECTOR, "about the centre of mass"),
    entry("kinetic_energy", BodyQuantity::Energy, "J", &[], "of translation and rotation"),
];

/// Quantities summed over all contacts of a body.
pub const IN_CONTACT: [Entry<ContactQuantity>; 3] = [
    entry(
        "contact_force",
        ContactQuantity::Force,
        "N",
        &VECTOR,
        "sum of all contact forces on it, mean of the last step",
    ),
    entry(
        "contact_torque",
        ContactQuantity::Torque,
        "N*m",
        &VECTOR,
        "of all contacts about its centre of mass",
    ),
    entry("contact_points", ContactQuantity::Points, "", &[], "contact points that carry load"),
];

/// The quantities of bodies in fluids.
pub const IN_FLUID: [Entry<FluidQuantity>; 7] = [
    entry("immersed_volume", FluidQuantity::Volume, "m^3", &[], "volume of liquid that it displaces"),
    entry(
        "draft",
        FluidQuantity::Draft,
        "m",
        &[],
        "depth of its lowest point below the surface of the liquid",
    ),
    entry("center_of_buoyancy", FluidQuantity::Center, "m", &VECTOR, "centroid of the displaced volume"),
    entry(
        "buoyancy",
        FluidQuantity::Buoyancy,
        "N",
        &VECTOR,
        "resultant of the static pressure; in waves of all pressure",
    ),
    entry("drag", FluidQuantity::Drag, "N", &VECTOR, "drag, lift and skin friction of all fluids"),
    entry("added_mass", FluidQuantity::AddedMass, "kg", &[], "added mass, mean of the three axes"),
    entry("added_mass_force", FluidQuantity::AddedMassForce, "N", &VECTOR, "force of the added mass"),
];

/// Quantities of the contacts between two bodies; forces are on the second.
pub const BETWEEN: [Entry<ContactQuantity>; 6] = [
    entry("force", ContactQuantity::Force, "N", &VECTOR, "on the second body, mean of the last step"),
    entry("normal_force", ContactQuantity::Normal, "N", &VECTOR, "its component along the contact normals"),
    entry("friction_force", ContactQuantity::Friction, "N", &VECTOR, "its component in the contact planes"),
    entry("torque", ContactQuantity::Torque, "N*m", &VECTOR, "on the second body about its centre of mass"),
    entry("points", ContactQuantity::Points, "", &[], "contact points that carry load"),
    entry("mode", ContactQuantity::Mode, "", &[], "0 open, 1 stick, 2 slip"),
];

/// The quantities of coordinates.
pub const COORDINATE: [(&str, CoordinateQuantity, &str, &str); 3] = [
    ("value", CoordinateQuantity::Value, "m or rad", "coordinate k (from 1; default 1)"),
    ("speed", CoordinateQuantity::Speed, "m/s or rad/s", "rate of coordinate k"),
    ("effort", CoordinateQuantity::Effort, "N or N*m", "force or torque of its drive"),
];

/// The quantities of joints that belong to no coordinate; the tension is handled separately.
pub const JOINT: [Entry<JointQuantity>; 4] = [
    entry("force", JointQuantity::Force, "N", &VECTOR, "on the second body, world axes"),
    entry("torque", JointQuantity::Torque, "N*m", &VECTOR, "on the second body about its frame, world axes"),
    entry(
        "violation",
        JointQuantity::Violation,
        "m or rad",
        &[],
        "largest violation of its constraint equations",
    ),
    entry("broken", JointQuantity::Broken, "", &[], "1 if it has broken, else 0"),
];

/// The quantities of inputs; the first is the default.
pub const INPUT: [(&str, InputQuantity, &str); 2] = [
    ("target", InputQuantity::Target, "value set by the operator; inputs.NAME is the same"),
    ("actual", InputQuantity::Actual, "value that acts, after the rate limit"),
];

/// The unit of an input: that of the first quantity it drives.
pub fn input_unit(world: &World, input: InputId) -> &'static str {
    let bound = world.model().inputs().get(input).and_then(|i| i.bindings.first());
    let Some((bound, joint)) = bound.and_then(|b| Some((b, world.model().joints().get(b.joint)?))) else {
        return "";
    };
    let quantity = match bound.command {
        Command::Speed => CoordinateQuantity::Speed,
        Command::Position => CoordinateQuantity::Value,
        Command::Force => CoordinateQuantity::Effort,
        // a length of rope
        Command::PaidOut => return "m",
    };
    quantity.unit(is_rotation(&joint.kind, bound.coordinate))
}

/// Quantities of the whole scene, which need no name.
pub const GENERAL: [(&str, Source, &str, &str); 14] = [
    ("energy.total", Source::Energy(EnergyKind::Total), "J", "of the whole scene"),
    ("energy.kinetic", Source::Energy(EnergyKind::Kinetic), "J", "of all dynamic bodies"),
    (
        "energy.potential",
        Source::Energy(EnergyKind::Potential),
        "J",
        "of gravity and of springs under [forces]",
    ),
    ("energy.elastic", Source::Energy(EnergyKind::Elastic), "J", "of springs, compliant joints and cables"),
    ("step.wall_time", Source::Step(StepQuantity::Microseconds), "us", "wall time of the step"),
    ("solver.residual", Source::Step(StepQuantity::Residual), "", "relative residual of the solver"),
    (
        "solver.factorizations",
        Source::Step(StepQuantity::Factors),
        "",
        "largest number of factorizations in an island",
    ),
    ("solver.equations", Source::Step(StepQuantity::Rows), "", "constraint equations"),
    ("solver.islands", Source::Step(StepQuantity::Islands), "", "groups of bodies solved independently"),
    (
        "solver.not_converged",
        Source::Step(StepQuantity::Stalled),
        "",
        "islands whose solver did not converge",
    ),
    ("solver.redundant", Source::Step(StepQuantity::Redundant), "", "redundant constraint equations"),
    ("contacts.points", Source::Pressing, "", "contact points that carry load"),
    ("contacts.penetration", Source::Step(StepQuantity::Overlap), "m", "largest penetration of two surfaces"),
    ("contacts.started", Source::ContactsStarted, "", "contacts started since the start of the log"),
];

impl BodyQuantity {
    /// Whether only bodies with a mass have it.
    pub fn needs_mass(self) -> bool {
        matches!(self, BodyQuantity::Momentum | BodyQuantity::AngularMomentum | BodyQuantity::Energy)
    }

    /// Its numbers, one per component; a scalar is the first.
    fn of(self, b: &BodyInstant, mass: &Mass) -> [f64; 4] {
        let vector = |v: DVec3| [v.x, v.y, v.z, f64::NAN];
        let single = |x: f64| [x, f64::NAN, f64::NAN, f64::NAN];
        let spin_local = || b.orientation.inverse() * b.twist.angular_velocity;
        match self {
            BodyQuantity::Position => vector(b.at),
            BodyQuantity::Center => vector(b.center),
            BodyQuantity::Orientation => [b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z],
            BodyQuantity::Angles => vector(angles(b.orientation)),
            BodyQuantity::Tilt => single(tilt(b.orientation)),
            BodyQuantity::Velocity => vector(b.twist.velocity),
            BodyQuantity::Speed => single(b.twist.velocity.length()),
            BodyQuantity::Acceleration => vector(b.acceleration.velocity),
            BodyQuantity::AngularVelocity => vector(b.twist.angular_velocity),
            BodyQuantity::AngularAcceleration => vector(b.acceleration.angular_velocity),
            BodyQuantity::Momentum => vector(mass.mass * b.twist.velocity),
            BodyQuantity::AngularMomentum => vector(b.orientation * (mass.inertia * spin_local())),
            BodyQuantity::Energy => {
                let turning = spin_local().dot(mass.inertia * spin_local());
                single(0.5 * (mass.mass * b.twist.velocity.length_squared() + turning))
            }
        }
    }
}

/// Roll, pitch and yaw: rotations by yaw about z, by pitch about the new y, by roll about the newest x.
fn angles(q: DQuat) -> DVec3 {
    let roll = libm::atan2(2.0 * (q.w * q.x + q.y * q.z), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
    let pitch = libm::asin((2.0 * (q.w * q.y - q.z * q.x)).clamp(-1.0, 1.0));
    let yaw = libm::atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z));
    DVec3::new(roll, pitch, yaw)
}

/// The angle between the body's z axis and the vertical, accurate near upright as well.
fn tilt(q: DQuat) -> f64 {
    let z = q * DVec3::Z;
    libm::atan2(libm::sqrt(z.x * z.x + z.y * z.y), z.z)
}

impl CoordinateQuantity {
    /// Of a rotation, or of a displacement.
    pub fn unit(self, turns: bool) -> &'static str {
        match (self, turns) {
            (CoordinateQuantity::Value, true) => "rad",
            (CoordinateQuantity::Value, false) => "m",
            (CoordinateQuantity::Speed, true) => "rad/s",
            (CoordinateQuantity::Speed, false) => "m/s",
            (CoordinateQuantity::Effort, true) => "N*m",
            (CoordinateQuantity::Effort, false) => "N",
        }
    }
}

impl Part {
    fn of(self, numbers: [f64; 4]) -> f64 {
        match self {
            Part::Component(i) => numbers[i],
            Part::Size => DVec3::new(numbers[0], numbers[1], numbers[2]).length(),
        }
    }
}

impl Source {
    /// Whether it needs `World::inspect`.
    pub fn needs_forces(&self) -> bool {
        use Source::{Cable, Contact, ContactsStarted, Input, Pressing, Rope, Step, Time};
        let plain = matches!(self, Time | Step(_) | Contact { .. } | Cable { .. } | Rope { .. });
        use Source::{Flow, Ground, Quantity, SurfaceHeight};
        let read = matches!(self, Quantity(_) | SurfaceHeight { .. } | Flow { .. } | Ground { .. });
        !plain && !read && !matches!(self, Input { .. } | Pressing | ContactsStarted)
    }

    /// The joint whose reaction, or a component of it, this is.
    pub fn reaction_of(&self) -> Option<(JointId, Option<usize>)> {
        match self {
            Source::Joint { joint, quantity: JointQuantity::Force | JointQuantity::Torque, .. }
            | Source::Between { joint, quantity: CoordinateQuantity::Effort, .. } => Some((*joint, None)),
            Source::Coordinate { joint, k, quantity: CoordinateQuantity::Effort } => Some((*joint, Some(*k))),
            _ => None,
        }
    }

    /// Its number, if it comes from the contacts of the last step. It must be read before an inspection replaces them.
    pub fn in_contact(&self, world: &World, begun: u64) -> Option<f64> {
        match self {
            Source::Contact { contacts, quantity, part } => Some(part.of(quantity.of(*contacts, world)?)),
            Source::Pressing if world.state().step > 0 => Some(contact::pressing(world).count() as f64),
            Source::ContactsStarted => Some(begun as f64),
            _ => None,
        }
    }

    /// Its number, if it follows from the motion of bodies.
    pub(super) fn of_bodies(&self, body: impl Fn(BodyId) -> Option<BodyInstant>) -> Option<f64> {
        match self {
            Source::Body { body: id, mass, quantity, part } => Some(part.of(quantity.of(&body(*id)?, mass))),
            Source::Between { anchors, quantity: CoordinateQuantity::Value, .. } => {
                let [a, b] = anchors.map(|anchor| point_of(&anchor, &body));
                Some(a?.0.distance(b?.0))
            }
            Source::Between { anchors, quantity: CoordinateQuantity::Speed, .. } => {
                let [a, b] = anchors.map(|anchor| point_of(&anchor, &body));
                let ((a, slow), (b, fast)) = (a?, b?);
                Some((slow - fast).dot((a - b).normalize_or_zero()))
            }
            Source::Distance([a, b]) => Some(body(*a)?.at.distance(body(*b)?.at)),
            _ => None,
        }
    }

    /// Its number, if it comes from an inspection.
    pub fn inspected(&self, now: &Inspection<'_>) -> Option<f64> {
        if let Some(number) = self.of_bodies(|id| now.body(id)) {
            return Some(number);
        }
        Some(match self {
            Source::Body { .. } | Source::Distance(_) => return None,
            Source::Coordinate { joint, k, quantity } => {
                let c = now.coordinate(*joint, *k)?;
                match quantity {
                    CoordinateQuantity::Value => c.value,
                    CoordinateQuantity::Speed => c.speed,
                    CoordinateQuantity::Effort => c.effort,
                }
            }
            Source::Joint { joint, quantity, part } => {
                let wrench = now.reaction(*joint, 1)?;
                let vector = match quantity {
                    JointQuantity::Force => wrench.force,
                    JointQuantity::Torque => wrench.torque,
                    JointQuantity::Violation | JointQuantity::Broken => return None,
                };
                part.of([vector.x, vector.y, vector.z, f64::NAN])
            }
            Source::Between { joint, anchors, .. } => {
                let [a, b] = anchors.map(|anchor| point_of(&anchor, &|id| now.body(id)));
                let toward_first = (a?.0 - b?.0).normalize_or_zero();
                // a broken joint has no reaction
                now.reaction(*joint, 1)?.force.dot(toward_first)
            }
            Source::Energy(kind) => {
                let energy = now.energy();
                match kind {
                    EnergyKind::Total => energy.total(),
                    EnergyKind::Kinetic => energy.kinetic,
                    EnergyKind::Potential => energy.potential,
                    EnergyKind::Elastic => energy.elastic,
                }
            }
            Source::Winch { drum, quantity } => {
                let turn = now.coordinate(drum.hinge, 0)?;
                match quantity {
                    WinchQuantity::Speed => drum.radius_at(turn.value) * turn.speed,
                    WinchQuantity::Wound => drum.wound(turn.value),
                    WinchQuantity::Load => return None,
                }
            }
            Source::Time | Source::Step(_) | Source::Rope { .. } | Source::Input { .. } => return None,
            Source::Quantity(_)
            | Source::Fluid { .. }
            | Source::SurfaceHeight { .. }
            | Source::Flow { .. }
            | Source::Ground { .. } => return None,
            Source::Contact { .. } | Source::Cable { .. } | Source::Pressing | Source::ContactsStarted => {
                return None;
            }
        })
    }

    /// Its number, if it comes from the world or its last step and not from an inspection.
    pub fn plain(&self, world: &World, step: Option<&Step<'_>>) -> Option<f64> {
        match self {
            Source::Time => Some(world.state().time),
            Source::Step(quantity) => step.map(|step| quantity.of(step)),
            Source::Cable { cable, quantity } => quantity.of(*cable, world),
            Source::Rope { rope, quantity } => quantity.of(*rope, world),
            Source::Fluid { body, quantity, part } => Some(part.of(quantity.of(*body, world)?)),
            Source::Ground { ground, at, quantity } => quantity.of(*ground, *at, world),
            Source::SurfaceHeight { fluid, at: [x, y] } => FluidSurface::height(world, *fluid, *x, *y),
            Source::Flow { fluid, at, part } => {
                let v = FluidFlow::velocity(world, *fluid, *at)?;
                Some(part.of([v.x, v.y, v.z, f64::NAN]))
            }
            Source::Quantity(id) => Some(world.read_quantity(*id)),
            Source::Winch { drum, quantity: WinchQuantity::Load } => rope::load(*drum, world),
            Source::Input { input, quantity } => world.input(*input).map(|i| match quantity {
                InputQuantity::Target => i.target,
                InputQuantity::Actual => i.actual,
            }),
            Source::Joint { joint, quantity: JointQuantity::Violation, .. } => violation::gap(world, *joint),
            Source::Joint { joint, quantity: JointQuantity::Broken, .. } => {
                world.state().joints.get(joint.index()).map(|joint| f64::from(u8::from(joint.broken)))
            }
            _ => None,
        }
    }
}

/// Position and velocity of an anchor.
fn point_of(anchor: &Anchor, body: &impl Fn(BodyId) -> Option<BodyInstant>) -> Option<(DVec3, DVec3)> {
    let BodyInstant { at, center, orientation, twist, .. } = body(anchor.body)?;
    let at = at + orientation * anchor.at;
    Some((at, twist.velocity + twist.angular_velocity.cross(at - center)))
}

impl StepQuantity {
    fn of(self, step: &Step<'_>) -> f64 {
        let report = step.report;
        match self {
            StepQuantity::Microseconds => step.wall.as_secs_f64() * 1e6,
            StepQuantity::Residual => report.residual,
            StepQuantity::Factors => f64::from(report.factors),
            StepQuantity::Rows => report.rows as f64,
            StepQuantity::Islands => report.islands as f64,
            StepQuantity::Stalled => report.stalled as f64,
            StepQuantity::Redundant => report.redundant as f64,
            StepQuantity::Overlap => report.penetration,
        }
    }
}
