//! A scene as the page draws it.

use serde::Serialize;
use windlass_scene::{Control, VehicleLook};

/// A scene to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its file, as named in errors.
    pub file: String,
    /// Its text.
    pub text: String,
    /// The contents of the text, with numbers as they are written: these can be edited here, all else comes from other
    /// files.
    pub tree: serde_json::Value,
    /// Step [s].
    pub dt: f64,
    /// [m/s²]
    pub gravity: [f64; 3],
    /// In the order of the file, which is that of frames.
    pub bodies: Vec<Figure>,
    /// Cables, ropes and rods.
    pub lines: Vec<LineLook>,
    /// In the order of the file.
    pub joints: Vec<Jointed>,
    /// The levers.
    pub inputs: Vec<Control>,
    /// At least one.
    pub cameras: Vec<Camera>,
    /// Bounding box of everything at the start, without planes.
    pub bounds: Bounds,
    /// Liquids with a surface, from the lowest to the highest.
    pub fluids: Vec<Fluid>,
    /// Vehicles, in the order of the block behind frames (`vehicle.rs`).
    pub vehicles: Vec<VehicleLook>,
    /// Grounds, in the order of the block behind frames (`earth/block.rs`).
    pub grounds: Vec<GroundLook>,
    /// Tools that cut them, likewise.
    pub tools: Vec<ToolLook>,
    /// Hydraulic cylinders, motors and pumps, likewise.
    pub cylinders: Vec<CylinderLook>,
    /// What the last edit of the running scene means for its ropes and cables, where the text alone does not say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A ground, or soil on a body.
#[derive(Clone, Debug, Serialize)]
pub struct GroundLook {
    /// Its name.
    pub name: String,
    /// Position of its first node [m].
    pub origin: [f64; 2],
    /// Distance of the nodes [m].
    pub spacing: f64,
    /// Numbers of nodes along x and y.
    pub nodes: [usize; 2],
    /// Level of its tiles that are as at the start.
    pub level: u32,
    /// The body in whose axes it lies; none for the world.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<usize>,
    /// Its soils, by the numbers in tiles.
    pub soils: Vec<SoilLook>,
}

/// A soil.
#[derive(Clone, Debug, Serialize)]
pub struct SoilLook {
    /// Its name.
    pub name: String,
    /// The known soil that the scene says it is like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub like: Option<String>,
    /// Density in the bank, with its water [kg/m³].
    pub density: f64,
    /// Density when loose, with its water [kg/m³].
    pub loose: f64,
}

/// A tool that cuts a ground.
#[derive(Clone, Debug, Serialize)]
pub struct ToolLook {
    /// Its name.
    pub name: String,
    /// Its body.
    pub body: Option<usize>,
    /// Its ground.
    pub ground: usize,
    /// Length of its edge [m].
    pub width: f64,
    /// Volume between its face and its end plates [m³]; none without end plates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<f64>,
}

/// A hydraulic cylinder or motor, or a pump.
#[derive(Clone, Debug, Serialize)]
pub struct CylinderLook {
    /// Its name, after that of its vehicle.
    pub name: String,
    /// Number of its pressures: of sides A and B, or of a pump alone.
    pub sides: usize,
}

/// A liquid with a surface.
#[derive(Clone, Debug, Serialize)]
pub struct Fluid {
    /// Its name.
    pub name: String,
    /// Mean level of its surface [m].
    pub level: f64,
    /// Depth of the bottom below it [m]; none for deep water.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Red, green and blue, 0 to 1, in sRGB.
    pub color: [f64; 3],
    /// Its waves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waves: Option<Waves>,
}

/// Waves on a surface: a sum of components.
#[derive(Clone, Debug, Serialize)]
pub struct Waves {
    /// Amplitude [m], frequency [rad/s], wave number [1/m], direction x and y, phase [rad].
    pub components: Vec<[f64; 6]>,
    /// Time over which they rise [s].
    pub ramp: f64,
}

/// A body to draw.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its index in the list.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// "static", "kinematic" or "dynamic".
    pub kind: &'static str,
    /// [kg]
    pub mass: f64,
    /// Centre of mass in its axes [m], of a dynamic body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub center: Option<[f64; 3]>,
    /// Inertia about the centre of mass in its axes, of a dynamic body: xx, yy, zz, xy, xz, yz [kg·m²].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[f64; 6]>,
    /// Its solids.
    pub shapes: Vec<Solid>,
}

/// A solid of a body.
#[derive(Clone, Debug, Serialize)]
pub struct Solid {
    /// In its own frame.
    #[serde(flatten)]
    pub form: Form,
    /// Origin of that frame in the body's axes [m].
    pub at: [f64; 3],
    /// Its orientation there: w x y z.
    pub turn: [f64; 4],
    /// Red, green and blue, 0 to 1, in sRGB.
    pub color: [f64; 3],
    /// Its material.
    pub material: Option<String>,
}

/// A form in its own frame; z is the axis of those that have one.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
#[allow(missing_docs, reason = "lengths in metres, named as in scene files")]
pub enum Form {
    Box {
        size: [f64; 3],
    },
    Sphere {
        radius: f64,
    },
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// `length` is that of the straight part.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Apex up, the origin at half height.
    Cone {
        radius: f64,
        length: f64,
    },
    /// z = 0, seen from above.
    Plane,
    /// x y z of the vertices, three vertices per triangle.
    Mesh {
        positions: Vec<f32>,
        triangles: Vec<u32>,
    },
}

/// A cable or rope to draw.
#[derive(Clone, Debug, Serialize)]
pub struct LineLook {
    /// What names it in frames.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// "cable", "mass-point cable", "rope", "rod", "cylinder" or "drawing".
    pub kind: &'static str,
    /// [m]
    pub radius: f64,
    /// Red, green and blue, 0 to 1.
    pub color: [f64; 3],
}

/// A joint.
#[derive(Clone, Debug, Serialize)]
pub struct Jointed {
    /// Its index in the list.
    pub id: usize,
    /// Its name.
    pub name: String,
    /// Its type, as in scene files.
    pub kind: &'static str,
    /// Indices of its bodies, without elements of cables.
    pub bodies: Vec<usize>,
    /// Its position in the axes of the first of these [m].
    pub at: Option<[f64; 3]>,
    /// Its axis there, a unit vector, if it has one.
    pub axis: Option<[f64; 3]>,
}

/// A camera.
#[derive(Clone, Debug, Serialize)]
pub struct Camera {
    /// Its name.
    pub name: String,
    /// "world"; "on" a body, all values in its axes; "follow": fixed position, with the target in the body's axes;
    /// "heading": moves with the body and turns with its heading, with position and target relative to it.
    pub mount: &'static str,
    /// Index of the body.
    pub body: Option<usize>,
    /// [m]
    pub position: [f64; 3],
    /// [m]
    pub target: [f64; 3],
    /// Unit vector.
    pub up: [f64; 3],
    /// Vertical field of view [rad].
    pub angle: f64,
}

/// An axis-aligned box in the world [m].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs, reason = "its corners")]
pub struct Bounds {
    pub low: [f64; 3],
    pub high: [f64; 3],
}
