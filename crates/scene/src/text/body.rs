//! Bodies as the file has them.

use super::contact::{Skin, Solver};
use super::look::Color;
use super::motion::Motion;
use crate::number::{
    Angle, Coefficient, Decay, Density, Factor, Four, Length, List, Mass, Number, Numbers, Plain, Size,
    Speed, Spin, Tensor, Turn as Turning, Two, Way,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// Motion type of a body.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyKind {
    /// Moved by forces.
    #[default]
    Dynamic,
    /// Never moves.
    Static,
    /// Follows its prescribed path, whatever force acts on it.
    Kinematic,
}

/// A rigid body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Motion type; "dynamic" unless given.
    #[schemars(with = "Option<BodyKind>")]
    pub r#type: Option<Spanned<BodyKind>>,
    /// Origin of its frame in the world [m]; 0 unless given.
    pub position: Option<Numbers<Length>>,
    /// Attitude of its frame as a quaternion [w, x, y, z] of any length but 0; no turn unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Attitude of its frame as a turn about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Velocity of its centre of mass, world axes [m/s]; 0 unless given.
    pub velocity: Option<Numbers<Speed>>,
    /// Angular velocity, world axes [rad/s]; 0 unless given.
    pub angular_velocity: Option<Numbers<Spin>>,
    /// Its solid, centred on the origin of its frame.
    pub shape: Option<Shape>,
    /// Name of what it is made of: gives density and look, also to parts that have none of their own.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Density of its shape [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Mass [kg], instead of a density.
    pub mass: Option<Number<Mass>>,
    /// Inertia about the centre of mass in the body's axes: moments [Ixx, Iyy, Izz], or three rows. A shape
    /// beside it is for the eye alone.
    pub inertia: Option<Tensor>,
    /// Centre of mass in the body's axes [m], beside `inertia`; 0 unless given.
    pub center_of_mass: Option<Numbers<Length>>,
    /// Several solids or point masses as one body, instead of `shape`.
    pub parts: Option<Vec<Part>>,
    /// Whether gravity pulls it; true unless given.
    pub gravity: Option<bool>,
    /// How fast its velocity decays by itself [1/s], the α of a force −α m v on its centre of mass; 0 unless given.
    pub linear_damping: Option<Number<Decay>>,
    /// How fast its angular momentum L decays by itself [1/s], the β of a torque −β L; 0 unless given.
    pub angular_damping: Option<Number<Decay>>,
    /// Colour it is drawn in, "#rrggbb" or [r, g, b] from 0 to 1; the material's unless given.
    pub color: Option<Color>,
    /// Whether it is left out of pictures, but for its `visuals`; false unless given.
    pub hidden: Option<bool>,
    /// Solids for the eye alone, drawn after its own: no part of its mass, whichever way that is given. Beside
    /// `hidden` they are all that is drawn, so that they may stand for a simpler shape that has the mass.
    pub visuals: Option<Vec<Look>>,
    /// Whether its shapes can be touched; as in `[settings]` unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; that of the material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// How its skin runs over it, as a conveyor belt, in the body's axes [m/s]; 0 unless given.
    pub surface_velocity: Option<Numbers<Speed>>,
    /// Direction of its grain in the body's axes, for friction that differs across it; none unless given.
    pub grain: Option<Numbers<Plain>>,
    /// Names of the groups it is in, up to 31 in a scene beside "default"; ["default"] unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub groups: Option<Vec<Spanned<String>>>,
    /// Names of the only groups it touches; all unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub collides_with: Option<Vec<Spanned<String>>>,
    /// Names of groups it does not touch; none unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub ignores: Option<Vec<Spanned<String>>>,
    /// Whether it only reports what overlaps it and pushes nothing; false unless given.
    pub trigger: Option<bool>,
    /// Further forms that can be touched: no part of its mass, and not seen. Beside `collide = false` they are all of
    /// it that can be touched, so that they may stand for a more intricate shape.
    pub collision: Option<Vec<Touchable>>,
    /// Who solves the contacts and joints of its partition; as in `[settings]` unless given.
    pub solver: Option<Solver>,
    /// Number of its partition, a whole one: bodies of different numbers are solved one after the other even if
    /// something joins them; 0 unless given.
    pub partition: Option<Number<Coefficient>>,
    /// How a kinematic body moves; only for that type.
    #[schemars(with = "Option<Path>")]
    pub path: Option<Spanned<Path>>,
}

impl Body {
    /// All its shapes.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        let parts = self.parts.iter().flatten().filter_map(|part| part.shape.as_ref());
        let looks = self.visuals.iter().flatten().map(|look| &look.shape);
        let touch = self.collision.iter().flatten().map(|touch| &touch.shape);
        self.shape.iter().chain(parts).chain(looks).chain(touch)
    }

    /// All names of groups that something of it is in.
    pub fn groups(&self) -> impl Iterator<Item = &Spanned<String>> {
        let parts = self.parts.iter().flatten().filter_map(|part| part.groups.as_ref());
        let touch = self.collision.iter().flatten().filter_map(|touch| touch.groups.as_ref());
        self.groups.iter().chain(parts).chain(touch).flatten()
    }

    /// All names of surfaces that something of it has.
    pub fn surfaces(&self) -> impl Iterator<Item = &Spanned<String>> {
        let parts = self.parts.iter().flatten().filter_map(|part| part.surface.as_ref());
        let touch = self.collision.iter().flatten().filter_map(|touch| touch.surface.as_ref());
        self.surface.iter().chain(parts).chain(touch)
    }
}

/// Says what a table of the file says about its skin.
macro_rules! skinned {
    ($($name:ident),*) => {$(
        impl $name {
            /// What it says about its skin.
            pub fn skin(&self) -> Skin<'_> {
                Skin {
                    collide: self.collide,
                    surface: self.surface.as_ref(),
                    material: self.material.as_ref(),
                    surface_velocity: self.surface_velocity.as_ref(),
                    grain: self.grain.as_ref(),
                    groups: self.groups.as_deref(),
                    collides_with: self.collides_with.as_deref(),
                    ignores: self.ignores.as_deref(),
                    trigger: self.trigger,
                }
            }
        }
    )*};
}

skinned!(Body, Part, Touchable);

impl Shape {
    /// The file it is read from.
    pub fn file(&self) -> Option<&str> {
        match self {
            Shape::Convex { file, .. } | Shape::Mesh { file, .. } | Shape::Terrain { file, .. } => {
                file.as_ref().map(|f| f.get_ref().as_str())
            }
            _ => None,
        }
    }
}

/// A turn about an axis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// The axis; of any length but 0.
    pub axis: Numbers<Plain>,
    /// The angle [rad].
    pub angle: Number<Angle>,
}

/// A solid; or a plane, a terrain or an open mesh, which only bodies that are not free have.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A cuboid about the origin, its faces along the axes.
    Box {
        /// Its sides [m].
        size: Numbers<Size>,
    },
    /// A ball about the origin.
    Sphere {
        /// Radius [m].
        radius: Number<Size>,
    },
    /// A cylinder about the origin, axis z.
    Cylinder {
        /// Radius [m].
        radius: Number<Size>,
        /// Length along z [m].
        length: Number<Size>,
    },
    /// A cylinder with a half ball on each end, about the origin, axis z.
    Capsule {
        /// Radius of cylinder and half balls [m].
        radius: Number<Size>,
        /// Length of the straight part along z [m].
        length: Number<Size>,
    },
    /// A cone with axis z, apex up; the origin is at half height.
    Cone {
        /// Radius of the base [m].
        radius: Number<Size>,
        /// Height [m].
        height: Number<Size>,
    },
    /// A solid round pipe along a smooth line: a cubic B-spline, which starts in its first control point and ends in its last.
    /// It is touched as capsules along it.
    Pipe {
        /// Control points of the line; two or more [m].
        #[schemars(with = "Vec<Numbers<Length>>")]
        points: Spanned<Vec<Numbers<Length>>>,
        /// Outer radius [m].
        radius: Number<Size>,
    },
    /// The convex hull of points, or of the corners in a file.
    Convex {
        /// At least four, not in one plane [m].
        #[schemars(with = "Option<Vec<Numbers<Length>>>")]
        points: Option<Spanned<Vec<Numbers<Length>>>>,
        /// A mesh file (.stl, .obj, .gltf, .glb) in the scene's folder, instead of `points`; it may be open.
        #[schemars(with = "Option<String>")]
        file: Option<Spanned<String>>,
        /// Metres per unit of the file; 1 unless given.
        scale: Option<Number<Factor>>,
        /// Which axis of the file is up; "y" for glTF, "z" for others unless given.
        up: Option<Up>,
    },
    /// The inside of a closed surface.
    Mesh {
        /// Corners [m].
        #[schemars(with = "Option<Vec<Numbers<Length>>>")]
        vertices: Option<Spanned<Vec<Numbers<Length>>>>,
        /// Corner numbers from 0, counterclockwise seen from outside.
        #[schemars(with = "Option<Vec<[u32; 3]>>")]
        triangles: Option<Spanned<Vec<[u32; 3]>>>,
        /// A mesh file (.stl, .obj, .gltf, .glb) in the scene's folder, instead of `vertices` and `triangles`.
        #[schemars(with = "Option<String>")]
        file: Option<Spanned<String>>,
        /// Metres per unit of the file; 1 unless given.
        scale: Option<Number<Factor>>,
        /// Which axis of the file is up; "y" for glTF, "z" for others unless given.
        up: Option<Up>,
        /// Whether the file has its triangles clockwise seen from outside; false unless given.
        flip: Option<bool>,
        /// Whether it is a surface that need not close, touched from the side its corners run counterclockwise on;
        /// false unless given.
        open: Option<bool>,
    },
    /// Ground without end: everything below z = 0.
    Plane {
        /// How much of it is drawn along x and y [m]; [100, 100] unless given.
        #[schemars(with = "Option<Two<Size>>")]
        size: Option<Numbers<Size>>,
    },
    /// Ground of given heights over a grid in x and y about the origin; solid below.
    Terrain {
        /// Rows of heights [m]: x runs along a row, the first row has the lowest y.
        #[schemars(with = "Option<Vec<List<Length>>>")]
        heights: Option<Spanned<Vec<Numbers<Length>>>>,
        /// A file of such rows (.csv or .txt) in the scene's folder, instead of `heights`.
        #[schemars(with = "Option<String>")]
        file: Option<Spanned<String>>,
        /// Metres per unit of the file; 1 unless given.
        scale: Option<Number<Factor>>,
        /// Length of the whole grid along x and y [m].
        #[schemars(with = "Option<Two<Size>>")]
        size: Option<Numbers<Size>>,
        /// Distance of neighbouring heights along x and y, instead of `size` [m].
        #[schemars(with = "Option<Two<Size>>")]
        spacing: Option<Numbers<Size>>,
    },
}

/// Which axis of a mesh file is up.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Up {
    /// y: the file's (x, y, z) becomes (x, −z, y).
    Y,
    /// z: as it is.
    Z,
}

/// One of several solids or point masses of a body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Its solid; a point mass without.
    pub shape: Option<Shape>,
    /// Where its origin is in the body's axes [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Attitude in the body's axes as a quaternion [w, x, y, z]; no turn unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Attitude in the body's axes as a turn about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Name of what it is made of; the body's material unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Density of its shape [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Mass [kg], instead of a density.
    pub mass: Option<Number<Mass>>,
    /// Colour it is drawn in, "#rrggbb" or [r, g, b] from 0 to 1; the body's, else the material's unless given.
    pub color: Option<Color>,
    /// Whether it is left out of pictures; as the body unless given.
    pub hidden: Option<bool>,
    /// Whether it can be touched; as the body unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; that of the material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// How its skin runs over it, as a conveyor belt, in the body's axes [m/s]; 0 unless given.
    pub surface_velocity: Option<Numbers<Speed>>,
    /// Direction of its grain in the body's axes, for friction that differs across it; none unless given.
    pub grain: Option<Numbers<Plain>>,
    /// Names of the groups it is in, up to 31 in a scene beside "default"; ["default"] unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub groups: Option<Vec<Spanned<String>>>,
    /// Names of the only groups it touches; all unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub collides_with: Option<Vec<Spanned<String>>>,
    /// Names of groups it does not touch; none unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub ignores: Option<Vec<Spanned<String>>>,
    /// Whether it only reports what overlaps it and pushes nothing; false unless given.
    pub trigger: Option<bool>,
}

/// A form of a body that can be touched, without mass and not seen.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Touchable {
    /// Its form.
    pub shape: Shape,
    /// Where its origin is in the body's axes [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Attitude in the body's axes as a quaternion [w, x, y, z]; no turn unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Attitude in the body's axes as a turn about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Name of the material whose surface it has; the body's unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Whether it can be touched; true unless `[settings]` and the body say otherwise.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; that of the material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// How its skin runs over it, as a conveyor belt, in the body's axes [m/s]; 0 unless given.
    pub surface_velocity: Option<Numbers<Speed>>,
    /// Direction of its grain in the body's axes, for friction that differs across it; none unless given.
    pub grain: Option<Numbers<Plain>>,
    /// Names of the groups it is in, up to 31 in a scene beside "default"; ["default"] unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub groups: Option<Vec<Spanned<String>>>,
    /// Names of the only groups it touches; all unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub collides_with: Option<Vec<Spanned<String>>>,
    /// Names of groups it does not touch; none unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub ignores: Option<Vec<Spanned<String>>>,
    /// Whether it only reports what overlaps it and pushes nothing; false unless given.
    pub trigger: Option<bool>,
}

/// A solid for the eye alone.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The solid.
    pub shape: Shape,
    /// Where its origin is in the body's axes [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Attitude in the body's axes as a quaternion [w, x, y, z]; no turn unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Attitude in the body's axes as a turn about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Name of what it looks to be made of; the body's material unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Colour it is drawn in, "#rrggbb" or [r, g, b] from 0 to 1; the body's, else the material's unless given.
    pub color: Option<Color>,
}

/// How a driven body moves. Coordinates left out stay as they are.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// x of its origin [m].
    pub x: Option<Motion<Way>>,
    /// y of its origin [m].
    pub y: Option<Motion<Way>>,
    /// z of its origin [m].
    pub z: Option<Motion<Way>>,
    /// Axis of its turn, world axes; z unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Angle turned about the axis, from the body's attitude [rad].
    pub angle: Option<Motion<Turning>>,
}
