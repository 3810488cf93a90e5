//! Visuals of a scene: solids in the axes of their bodies, and cameras.
//!
//! Visuals do not influence the motion: bodies without a solid are not drawn, and hidden solids still have mass.
//! Colours are red, green and blue from 0 to 1 in sRGB.

use crate::error::Problems;
use crate::material::Material;
use crate::text::look::{Color, Shade};
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::prelude::{BodyId, JointKind, MotionType, Shape, World};

/// Visuals of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visual {
    /// Its solids, without those that are hidden.
    pub solids: Vec<Solid>,
}

/// A solid of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// Shape in its own frame.
    pub shape: Shape,
    /// Origin of its frame in the body's axes [m].
    pub at: DVec3,
    /// Orientation of its frame in the body's axes.
    pub orientation: DQuat,
    /// Name of its material.
    pub material: String,
    /// Red, green and blue, 0 to 1.
    pub color: [f64; 3],
    /// Roughness, 0 (mirror) to 1 (matt).
    pub roughness: f64,
    /// Metalness, 0 or 1.
    pub metalness: f64,
}

impl Solid {
    /// A solid at the body's origin with the appearance of its material.
    pub fn new(shape: Shape, name: &str, material: &Material) -> Solid {
        Solid {
            shape,
            at: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            material: name.to_string(),
            color: material.color,
            roughness: material.roughness,
            metalness: material.metalness,
        }
    }
}

/// A camera.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// What it moves with.
    pub mount: Mount,
    /// Position, in the world or in the axes of the body it is fixed to [m].
    pub position: DVec3,
    /// Point it is aimed at, in the world or in the axes of the body it is fixed to or follows [m].
    pub target: DVec3,
    /// Up direction, a unit vector, in the axes of `position`.
    pub up: DVec3,
    /// Vertical field of view [rad].
    pub angle: f64,
    /// Stereo view, if any.
    pub stereo: Option<Stereo>,
}

/// What a camera moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mount {
    /// Fixed in the world.
    World,
    /// Fixed to a body.
    On(BodyId),
    /// Fixed in the world, but rotating to follow a body.
    Follow(BodyId),
    /// Moving with a body and turning with its heading only.
    Heading(BodyId),
}

/// Stereo view: two eyes, side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stereo {
    /// Distance between the eyes [m].
    pub eyes: f64,
    /// Distance at which both pictures coincide [m].
    pub convergence: f64,
}

/// A camera at an instant, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position [m].
    pub position: DVec3,
    /// Point it is aimed at [m].
    pub target: DVec3,
    /// Up direction, a unit vector.
    pub up: DVec3,
}

impl Camera {
    /// The same camera in a world where bodies have other ids.
    pub(crate) fn on_other_bodies(self, id: impl Fn(BodyId) -> BodyId) -> Camera {
        let mount = match self.mount {
            Mount::World => Mount::World,
            Mount::On(body) => Mount::On(id(body)),
            Mount::Follow(body) => Mount::Follow(id(body)),
            Mount::Heading(body) => Mount::Heading(id(body)),
        };
        Camera { mount, ..self }
    }

    /// The camera at this instant. If its body is gone, the body is taken to be at the world's origin.
    pub fn view(&self, world: &World) -> View {
        let pose = |id| origin(world, id).unwrap_or((DVec3::ZERO, DQuat::IDENTITY));
        match self.mount {
            Mount::World => View { position: self.position, target: self.target, up: self.up },
            Mount::On(id) => {
                let (at, turn) = pose(id);
                View {
                    position: at + turn * self.position,
                    target: at + turn * self.target,
                    up: turn * self.up,
                }
            }
            Mount::Follow(id) => {
                let (at, turn) = pose(id);
                View { position: self.position, target: at + turn * self.target, up: self.up }
            }
            Mount::Heading(id) => {
                let (at, turn) = pose(id);
                let turn = heading(turn, self.up);
                View { position: at + turn * self.position, target: at + turn * self.target, up: self.up }
            }
        }
    }
}

/// The part of an orientation that turns about `up`: x is the projection of the body's x axis, z is `up`.
///
/// A body whose x axis points up has the heading of its z axis reversed, which is that of a nose that was raised.
pub fn heading(turn: DQuat, up: DVec3) -> DQuat {
    let across = |v: DVec3| v - up * v.dot(up);
    let level = |v: DVec3| Some(across(v)).filter(|level| level.length() > 1e-6).map(DVec3::normalize);
    let ahead = level(turn * DVec3::X).or_else(|| level(turn * -DVec3::Z));
    ahead.map_or(DQuat::IDENTITY, |x| DQuat::from_mat3(&DMat3::from_cols(x, up.cross(x), up)))
}

/// Default vertical field of view of a camera [rad]: 40°.
pub const USUAL_ANGLE: f64 = 40.0 * std::f64::consts::PI / 180.0;
/// Default distance between the eyes [m]: that of most people.
pub const USUAL_EYES: f64 = 0.065;

/// Name of the camera of a scene that has none.
pub const DEFAULT: &str = "default";

/// A camera that shows the whole scene at this instant, from the front right and slightly above.
///
/// `looks` are the visuals of `bodies`. Static solids more than ten times as large as everything that moves are taken
/// for ground and need not be in view completely.
pub fn default_camera(world: &World, bodies: &[BodyId], looks: &[&Visual]) -> Camera {
    let mut boxes: Vec<(bool, Bounds)> = Vec::new();
    for (id, look) in bodies.iter().zip(looks) {
        let (Some((at, turn)), Some(body)) = (origin(world, *id), world.model().bodies().get(*id)) else {
            continue;
        };
        let moves = !matches!(body.kind, MotionType::Static);
        if look.solids.is_empty() && moves {
            boxes.push((moves, Bounds { min: at, max: at }));
        }
        for solid in &look.solids {
            boxes.push((moves, Bounds::of(&solid.shape, at + turn * solid.at, turn * solid.orientation)));
        }
    }
    let all = |moving: bool| boxes.iter().filter(|b| !moving || b.0).map(|b| b.1).reduce(Bounds::with);
    let largest = all(true).map_or(f64::INFINITY, |b| 10.0 * b.size());
    let near = boxes.iter().filter(|b| b.0 || b.1.size() <= largest).map(|b| b.1).reduce(Bounds::with);
    let seen = near.or(all(false)).unwrap_or(Bounds { min: DVec3::ZERO, max: DVec3::ZERO });
    let target = (seen.min + seen.max) / 2.0;
    // a sphere about the box fills the picture; a scene without extent is seen from 3 m
    let radius = (seen.size() / 2.0).max(1.0);
    let distance = 1.1 * radius / libm::sin(USUAL_ANGLE / 2.0);
    let from = DVec3::new(0.4, -1.0, 0.35).normalize();
    Camera {
        name: DEFAULT.to_string(),
        mount: Mount::World,
        position: target + from * distance,
        target,
        up: DVec3::Z,
        angle: USUAL_ANGLE,
        stereo: None,
    }
}

/// Origin and orientation of a body's frame in the world.
fn origin(world: &World, id: BodyId) -> Option<(DVec3, DQuat)> {
    let body = world.model().bodies().get(id)?;
    let state = world.state().bodies.get(id.index())?;
    Some((state.position - state.orientation * body.mass.center, state.orientation))
}

/// An axis-aligned box in the world [m].
#[derive(Clone, Copy, Debug)]
struct Bounds {
    min: DVec3,
    max: DVec3,
}

impl Bounds {
    fn of(shape: &Shape, at: DVec3, orientation: DQuat) -> Bounds {
        let back = orientation.inverse();
        let far = |axis: DVec3| reach(shape, back * axis);
        let max = DVec3::new(far(DVec3::X), far(DVec3::Y), far(DVec3::Z));
        let min = DVec3::new(far(-DVec3::X), far(-DVec3::Y), far(-DVec3::Z));
        Bounds { min: at - min, max: at + max }
    }

    fn with(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Its diagonal [m].
    fn size(&self) -> f64 {
        (self.max - self.min).length()
    }
}

/// Support function of a shape: its extent in a direction from its origin [m].
pub(crate) fn reach(shape: &Shape, along: DVec3) -> f64 {
    let across = libm::hypot(along.x, along.y);
    let farthest =
        |points: &[DVec3]| points.iter().map(|p| p.dot(along)).fold(f64::NEG_INFINITY, |a: f64, b| a.max(b));
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half } => half.dot(along.abs()),
        Shape::Cylinder { radius, half_length } => radius * across + half_length * along.z.abs(),
        Shape::Capsule { radius, half_length } => radius + half_length * along.z.abs(),
        Shape::Cone { radius, half_height } => {
            (half_height * along.z).max(radius * across - half_height * along.z)
        }
        Shape::Convex { points } => farthest(points),
        Shape::Mesh { vertices, .. } => farthest(vertices),
        Shape::Compound { parts } => parts
            .iter()
            .map(|(at, turn, part)| at.dot(along) + reach(part, turn.inverse() * along))
            .fold(f64::NEG_INFINITY, |a: f64, b| a.max(b)),
    }
}

impl Problems {
    /// The colour of a key, checked.
    pub fn color(&mut self, key: &str, color: &Color) -> Option<[f64; 3]> {
        let help = "give \"#rrggbb\" with two digits 0 to f each, or [r, g, b] from 0 to 1";
        match color.given() {
            Shade::Text(text) => {
                let rgb = from_hex(text);
                if rgb.is_none() {
                    let message =
                        format!("`{key}`: \"{}\" is not a colour", crate::suggestion::shortened(text));
                    self.advise(color.span(), message, help);
                }
                rgb
            }
            Shade::List(list) => {
                let parts: Option<Vec<f64>> = list.iter().map(|n| self.number(key, n)).collect();
                let rgb = <[f64; 3]>::try_from(parts?).ok();
                if rgb.is_none() {
                    self.advise(color.span(), format!("`{key}` has {} numbers", list.len()), help);
                }
                rgb
            }
        }
    }
}

/// "#c0392b" → red, green, blue.
fn from_hex(text: &str) -> Option<[f64; 3]> {
    let digits =
        text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()))?;
    let part =
        |from: usize| u8::from_str_radix(&digits[from..from + 2], 16).ok().map(|x| f64::from(x) / 255.0);
    Some([part(0)?, part(2)?, part(4)?])
}

/// Name of a kind of joint in scene files.
pub fn joint_kind(kind: &JointKind) -> &'static str {
    match kind {
        JointKind::Ball(_) => "ball",
        JointKind::Hinge(_) => "hinge",
        JointKind::Slider(_) => "slider",
        JointKind::Cylinder(_) => "cylindrical",
        JointKind::Universal(_) => "universal",
        JointKind::ConstantVelocity(_) => "constant_velocity",
        JointKind::Weld(_) => "weld",
        JointKind::Distance(_) => "distance",
        JointKind::Tether(_) => "drag_spring",
        JointKind::PointOnLine(_) => "point_on_line",
        JointKind::PointOnPlane(_) => "point_on_plane",
        JointKind::Planar(_) => "planar",
        JointKind::Screw(_) => "screw",
        JointKind::LinearCoupling(_) => "coupling",
        JointKind::SixDof(_) => "six_dof",
        JointKind::CarWheel(_) => "car_wheel",
        JointKind::Link(_) => "link",
        JointKind::Rope(_) => "rope",
        JointKind::Custom(_) => "custom",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn colours_are_read_from_hex() {
        assert_eq!(from_hex("#ff0080"), Some([1.0, 0.0, 128.0 / 255.0]));
        for wrong in ["ff0080", "#ff00", "#ff00800", "#gg0000", "#é00000", ""] {
            assert_eq!(from_hex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn bounds_hold_their_shape_and_touch_it() {
        let turn = windlass_engine::math::turn(DVec3::Y, FRAC_PI_2);
        let cases = [
            (Shape::Sphere { radius: 2.0 }, DVec3::splat(-2.0), DVec3::splat(2.0)),
            (
                Shape::Box { half: DVec3::new(1.0, 2.0, 3.0) },
                DVec3::new(-3.0, -2.0, -1.0),
                DVec3::new(3.0, 2.0, 1.0),
            ),
            (
                Shape::Cylinder { radius: 1.0, half_length: 3.0 },
                DVec3::new(-3.0, -1.0, -1.0),
                DVec3::new(3.0, 1.0, 1.0),
            ),
            (
                Shape::Capsule { radius: 1.0, half_length: 3.0 },
                DVec3::new(-4.0, -1.0, -1.0),
                DVec3::new(4.0, 1.0, 1.0),
            ),
            // the apex comes to lie along +x
            (
                Shape::Cone { radius: 1.0, half_height: 2.0 },
                DVec3::new(-2.0, -1.0, -1.0),
                DVec3::new(2.0, 1.0, 1.0),
            ),
            (
                Shape::Convex { points: vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] },
                DVec3::new(0.0, 0.0, -1.0),
                DVec3::new(1.0, 1.0, 0.0),
            ),
        ];
        for (shape, min, max) in cases {
            let bounds = Bounds::of(&shape, DVec3::ONE, turn);
            assert!((bounds.min - DVec3::ONE - min).length() < 1e-12, "{shape:?} {bounds:?}");
            assert!((bounds.max - DVec3::ONE - max).length() < 1e-12, "{shape:?} {bounds:?}");
        }
    }
}
