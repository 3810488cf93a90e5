//! Bodies as written in the file: motion type, pose, mass, shapes, visuals, surface keys and prescribed path.

use super::contact::{Solver, SurfaceKeys};
use super::fluid::{AddedMass, DampingRatio, Drag, Rao};
use super::look::Color;
use super::model::Model;
use super::motion::Motion;
use crate::number::{
    Angle, Angular as Turning, Coefficient, Decay, Density, Factor, Four, Length, Linear, List, Mass, Number,
    Numbers, Plain, Size, Speed, Spin, Tensor, Two,
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
    /// Follows its prescribed `path`, whatever force acts on it.
    Kinematic,
}

/// A rigid body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Motion type; "dynamic" unless given.
    #[schemars(with = "Option<BodyKind>")]
    pub r#type: Option<Spanned<BodyKind>>,
    /// Origin of the body frame in the world at the start [m]; 0 unless given.
    pub position: Option<Numbers<Length>>,
    /// Orientation of the body frame at the start as a quaternion [w, x, y, z] of any non-zero length; identity unless
    /// given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Orientation of the body frame at the start as a rotation about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Initial velocity of the centre of mass, in world axes [m/s]; 0 unless given.
    pub velocity: Option<Numbers<Speed>>,
    /// Initial angular velocity, in world axes [rad/s]; 0 unless given.
    pub angular_velocity: Option<Numbers<Spin>>,
    /// Shape in the body frame: mass distribution, collision shape and visual.
    pub shape: Option<Shape>,
    /// Name of its material: density, appearance, friction and restitution, also of parts that have no material of
    /// their own.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Density of the shape [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Mass [kg], instead of a density.
    pub mass: Option<Number<Mass>>,
    /// Inertia tensor about the centre of mass in body axes: moments [Ixx, Iyy, Izz], or three rows. Needs `mass`. A
    /// `shape` beside it does not change the mass properties; it is drawn and collides.
    pub inertia: Option<Tensor>,
    /// Centre of mass in body axes, only with `inertia` [m]; 0 unless given.
    pub center_of_mass: Option<Numbers<Length>>,
    /// Solids and point masses that form the body, instead of `shape`, `density`, `mass` and `inertia`.
    pub parts: Option<Vec<Part>>,
    /// Whether gravity acts on it; true unless given.
    pub gravity: Option<bool>,
    /// Linear damping α [1/s]: a force −α m v at the centre of mass; 0 unless given.
    pub linear_damping: Option<Number<Decay>>,
    /// Angular damping β [1/s]: a torque −β L, with the angular momentum L; 0 unless given.
    pub angular_damping: Option<Number<Decay>>,
    /// Colour, "#rrggbb" or [r, g, b] from 0 to 1; that of the material unless given.
    pub color: Option<Color>,
    /// Whether its shapes are omitted from pictures, but not its `visuals`; false unless given.
    pub hidden: Option<bool>,
    /// Solids that are only drawn: they have no mass and do not collide. With `hidden = true` they are all that is
    /// drawn, so that a simpler shape can have the mass.
    #[schemars(with = "Option<Vec<Visual>>")]
    pub visuals: Option<Vec<Spanned<Visual>>>,
    /// Whether its shapes collide; as in `[settings]` unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; that of the material unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Velocity of the surface relative to the body, as of a conveyor belt, in body axes [m/s]; 0 unless given.
    pub surface_velocity: Option<Numbers<Speed>>,
    /// Direction of the grain in body axes, for `friction_ratio_across`; none unless given.
    pub grain: Option<Numbers<Plain>>,
    /// Names of its collision groups, at most 31 in a scene beside "default"; ["default"] unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub groups: Option<Vec<Spanned<String>>>,
    /// Names of the only groups it collides with; all unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub collides_with: Option<Vec<Spanned<String>>>,
    /// Names of the groups it does not collide with; none unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub ignores: Option<Vec<Spanned<String>>>,
    /// Whether it only reports overlaps and exerts no force; false unless given.
    pub trigger: Option<bool>,
    /// Additional collision shapes, without mass and not drawn. With `collide = false` they are its only collision
    /// shapes, so that simple shapes can replace a complex one.
    pub collision: Option<Vec<CollisionShape>>,
    /// Solver for the contacts and joints of its partition; as in `[settings]` unless given.
    pub solver: Option<Solver>,
    /// Partition number, a whole number from 0 to 65535: bodies with different numbers are solved one after the other,
    /// even if joints or contacts connect them; 0 unless given.
    pub partition: Option<Number<Coefficient>>,
    /// How it takes part in the fluids of the scene.
    #[schemars(with = "Option<BodyFluid>")]
    pub fluid: Option<Spanned<BodyFluid>>,
    /// Prescribed motion of a kinematic body; only with `type = "kinematic"`.
    #[schemars(with = "Option<Path>")]
    pub path: Option<Spanned<Path>>,
}

impl Body {
    /// Whether its path has response amplitude operators.
    pub fn follows_waves(&self) -> bool {
        self.path.as_ref().is_some_and(|path| path.get_ref().rao.is_some())
    }

    /// All its shapes.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        let parts = self.parts.iter().flatten().filter_map(|part| part.shape.as_ref());
        let looks = self.visuals.iter().flatten().filter_map(|look| look.get_ref().shape.as_ref());
        let touch = self.collision.iter().flatten().map(|touch| &touch.shape);
        let hull = self.fluid.iter().filter_map(|fluid| fluid.get_ref().hull.as_ref());
        self.shape.iter().chain(parts).chain(looks).chain(touch).chain(hull)
    }

    /// Names of the collision groups of all its shapes.
    pub fn groups(&self) -> impl Iterator<Item = &Spanned<String>> {
        let parts = self.parts.iter().flatten().filter_map(|part| part.groups.as_ref());
        let touch = self.collision.iter().flatten().filter_map(|touch| touch.groups.as_ref());
        self.groups.iter().chain(parts).chain(touch).flatten()
    }

    /// Names of the surfaces of all its shapes.
    pub fn surfaces(&self) -> impl Iterator<Item = &Spanned<String>> {
        let parts = self.parts.iter().flatten().filter_map(|part| part.surface.as_ref());
        let touch = self.collision.iter().flatten().filter_map(|touch| touch.surface.as_ref());
        self.surface.iter().chain(parts).chain(touch)
    }
}

/// Collects the surface keys of a table.
macro_rules! skinned {
    ($($name:ident),*) => {$(
        impl $name {
            /// Its surface keys.
            pub fn skin(&self) -> SurfaceKeys<'_> {
                SurfaceKeys {
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

skinned!(Body, Part, CollisionShape);

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

/// How a body takes part in the fluids. Every dynamic body with a shape does, with these defaults.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BodyFluid {
    /// Whether fluids act on it; true unless given.
    pub active: Option<bool>,
    /// Whether buoyancy acts on it; true unless given.
    pub buoyancy: Option<bool>,
    /// Shape in the body frame that displaces fluid; its own shapes unless given.
    pub hull: Option<Shape>,
    /// Drag; pressure on exposed faces unless given.
    pub drag: Option<Drag>,
    /// Added mass in liquids; from its shapes unless given.
    pub added_mass: Option<AddedMass>,
    /// Linear damping along and about its axes, about the centre of mass, when it is immersed in a liquid:
    /// [N·s/m, N·s/m, N·s/m, N·m·s, N·m·s, N·m·s]; 0 unless given.
    #[schemars(with = "Option<List<Coefficient>>")]
    pub damping: Option<Numbers<Coefficient>>,
    /// Damping of a floating body as fractions of critical damping, with all that is joined to it other than by
    /// ropes; none unless given.
    pub damping_ratio: Option<DampingRatio>,
}

/// A rotation about an axis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Direction of the axis, of any non-zero length.
    pub axis: Numbers<Plain>,
    /// Angle [rad], positive by the right-hand rule.
    pub angle: Number<Angle>,
}

/// A solid; or a plane, a terrain or an open mesh, which only static and kinematic bodies may have.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A box, centred on the origin, with edges along the axes.
    Box {
        /// Edge lengths along x, y and z [m].
        size: Numbers<Size>,
    },
    /// A sphere, centred on the origin.
    Sphere {
        /// Radius [m].
        radius: Number<Size>,
    },
    /// A cylinder, centred on the origin, with axis z.
    Cylinder {
        /// Radius [m].
        radius: Number<Size>,
        /// Length along z [m].
        length: Number<Size>,
    },
    /// A cylinder with hemispherical ends, centred on the origin, with axis z.
    Capsule {
        /// Radius of cylinder and hemispheres [m].
        radius: Number<Size>,
        /// Length of the cylindrical part along z [m].
        length: Number<Size>,
    },
    /// A cone with axis z and apex up; the origin is at half height.
    Cone {
        /// Radius of the base [m].
        radius: Number<Size>,
        /// Height [m].
        height: Number<Size>,
    },
    /// A solid round bar along a cubic B-spline, which starts at its first control point and ends at its last. For
    /// contact it is a chain of capsules.
    Pipe {
        /// Control points of the spline, two or more [m].
        #[schemars(with = "Vec<Numbers<Length>>")]
        points: Spanned<Vec<Numbers<Length>>>,
        /// Outer radius [m].
        radius: Number<Size>,
    },
    /// The convex hull of points, or of the vertices in a file.
    Convex {
        /// Points, at least four and not in one plane [m].
        #[schemars(with = "Option<Vec<Numbers<Length>>>")]
        points: Option<Spanned<Vec<Numbers<Length>>>>,
        /// Mesh file (.stl, .obj, .gltf, .glb) in the folder of the scene, instead of `points`. Its surface may be
        /// open.
        #[schemars(with = "Option<String>")]
        file: Option<Spanned<String>>,
        /// Metres per unit of the file; 1 unless given.
        scale: Option<Number<Factor>>,
        /// Axis of the file that points up; "y" for glTF, "z" for others unless given.
        up: Option<Up>,
    },
    /// A solid bounded by a closed triangle mesh.
    Mesh {
        /// Vertices [m].
        #[schemars(with = "Option<Vec<Numbers<Length>>>")]
        vertices: Option<Spanned<Vec<Numbers<Length>>>>,
        /// Vertex numbers from 0, counterclockwise seen from outside.
        #[schemars(with = "Option<Vec<[u32; 3]>>")]
        triangles: Option<Spanned<Vec<[u32; 3]>>>,
        /// Mesh file (.stl, .obj, .gltf, .glb) in the folder of the scene, instead of `vertices` and `triangles`.
        #[schemars(with = "Option<String>")]
        file: Option<Spanned<String>>,
        /// Metres per unit of the file; 1 unless given.
        scale: Option<Number<Factor>>,
        /// Axis of the file that points up; "y" for glTF, "z" for others unless given.
        up: Option<Up>,
        /// Whether the triangles of the file are clockwise seen from outside; false unless given.
        flip: Option<bool>,
        /// Whether it is a one-sided surface that need not be closed. It collides on the side from which its vertices
        /// run counterclockwise; false unless given.
        open: Option<bool>,
    },
    /// Ground of infinite extent: everything below z = 0.
    Plane {
        /// Extent of the drawn part along x and y [m]; [100, 100] unless given.
        #[schemars(with = "Option<Two<Size>>")]
        size: Option<Numbers<Size>>,
    },
    /// Ground given by heights over a grid in x and y, centred on the origin; solid below.
    Terrain {
        /// Rows of heights [m]: x increases along a row, and the first row has the lowest y.
        #[schemars(with = "Option<Vec<List<Length>>>")]
        heights: Option<Spanned<Vec<Numbers<Length>>>>,
        /// File of such rows (.csv or .txt) in the folder of the scene, instead of `heights`.
        #[schemars(with = "Option<String>")]
        file: Option<Spanned<String>>,
        /// Metres per unit of the file; 1 unless given.
        scale: Option<Number<Factor>>,
        /// Extent of the grid along x and y [m].
        #[schemars(with = "Option<Two<Size>>")]
        size: Option<Numbers<Size>>,
        /// Distance between neighbouring heights along x and y, instead of `size` [m].
        #[schemars(with = "Option<Two<Size>>")]
        spacing: Option<Numbers<Size>>,
    },
}

/// Axis of a mesh file that points up.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Up {
    /// y: the file's (x, y, z) becomes (x, −z, y).
    Y,
    /// z: coordinates are unchanged.
    Z,
}

/// A solid or a point mass that is part of a body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Shape of the part; a point mass unless given.
    pub shape: Option<Shape>,
    /// Origin of its shape in body axes [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Orientation in body axes as a quaternion [w, x, y, z] of any non-zero length; identity unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Orientation in body axes as a rotation about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Name of its material; that of the body unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Density of the shape [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Mass [kg], instead of a density.
    pub mass: Option<Number<Mass>>,
    /// Colour, "#rrggbb" or [r, g, b] from 0 to 1; that of the body, else of the material, unless given.
    pub color: Option<Color>,
    /// Whether it is omitted from pictures; as the body unless given.
    pub hidden: Option<bool>,
    /// Whether it collides; as the body unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; its own material, else the surface of the body, unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Velocity of the surface relative to the body, as of a conveyor belt, in body axes [m/s]; as the body unless
    /// given.
    pub surface_velocity: Option<Numbers<Speed>>,
    /// Direction of the grain in body axes, for `friction_ratio_across`; as the body unless given.
    pub grain: Option<Numbers<Plain>>,
    /// Names of its collision groups, at most 31 in a scene beside "default"; as the body unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub groups: Option<Vec<Spanned<String>>>,
    /// Names of the only groups it collides with; as the body unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub collides_with: Option<Vec<Spanned<String>>>,
    /// Names of the groups it does not collide with; as the body unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub ignores: Option<Vec<Spanned<String>>>,
    /// Whether it only reports overlaps and exerts no force; as the body unless given.
    pub trigger: Option<bool>,
}

/// An additional collision shape of a body, without mass and not drawn.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CollisionShape {
    /// The collision shape.
    pub shape: Shape,
    /// Origin of its shape in body axes [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Orientation in body axes as a quaternion [w, x, y, z] of any non-zero length; identity unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Orientation in body axes as a rotation about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Name of the material of its surface; that of the body unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Whether it collides; true if the body has `collide = true`, else as in `[settings]`, unless given.
    pub collide: Option<bool>,
    /// Name of its surface in `[[contacts]]`; its own material, else the surface of the body, unless given.
    #[schemars(with = "Option<String>")]
    pub surface: Option<Spanned<String>>,
    /// Velocity of the surface relative to the body, as of a conveyor belt, in body axes [m/s]; as the body unless
    /// given.
    pub surface_velocity: Option<Numbers<Speed>>,
    /// Direction of the grain in body axes, for `friction_ratio_across`; as the body unless given.
    pub grain: Option<Numbers<Plain>>,
    /// Names of its collision groups, at most 31 in a scene beside "default"; as the body unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub groups: Option<Vec<Spanned<String>>>,
    /// Names of the only groups it collides with; as the body unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub collides_with: Option<Vec<Spanned<String>>>,
    /// Names of the groups it does not collide with; as the body unless given.
    #[schemars(with = "Option<Vec<String>>")]
    pub ignores: Option<Vec<Spanned<String>>>,
    /// Whether it only reports overlaps and exerts no force; as the body unless given.
    pub trigger: Option<bool>,
}

/// A visual, which is only drawn: a solid or a ready-made model.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Visual {
    /// The solid that is drawn.
    pub shape: Option<Shape>,
    /// The ready-made model that is drawn, instead of `shape`.
    pub model: Option<Model>,
    /// Origin of its shape or model in body axes [m]; 0 unless given.
    pub at: Option<Numbers<Length>>,
    /// Orientation in body axes as a quaternion [w, x, y, z] of any non-zero length; identity unless given.
    #[schemars(with = "Option<Four<Plain>>")]
    pub orientation: Option<Numbers<Plain>>,
    /// Orientation in body axes as a rotation about an axis, instead of `orientation`.
    pub rotation: Option<Rotation>,
    /// Name of the material it is drawn as; that of the body unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Colour, "#rrggbb" or [r, g, b] from 0 to 1; that of the body, else of the material, unless given.
    pub color: Option<Color>,
}

/// Prescribed motion of a kinematic body. Coordinates that are omitted keep their initial values.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// x of the origin of the body frame in the world [m].
    pub x: Option<Motion<Linear>>,
    /// y of the origin of the body frame in the world [m].
    pub y: Option<Motion<Linear>>,
    /// z of the origin of the body frame in the world [m].
    pub z: Option<Motion<Linear>>,
    /// Axis of rotation, in world axes; z unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Angle of rotation about the axis, from the initial orientation of the body [rad].
    pub angle: Option<Motion<Turning>>,
    /// Motion in the waves of a fluid by response amplitude operators, in addition to the others; none unless given.
    #[schemars(with = "Option<Rao>")]
    pub rao: Option<Spanned<Rao>>,
}
