//! Ready-made 3D models as written in the file, for `visuals`.

use crate::number::{Factor, Number, Numbers, Size};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A 3D model of a machine part, only drawn. Its main part has the colour of the visual.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Model {
    /// A lattice boom along x, centred on the origin, tapered towards both ends.
    LatticeBoom {
        /// Length between the pins at its ends [m].
        length: Number<Size>,
        /// Width along y [m].
        width: Number<Size>,
        /// Height along z [m]; the width unless given.
        height: Option<Number<Size>>,
    },
    /// A lattice mast along z with a square section and a ladder, centred on the origin.
    LatticeMast {
        /// Height along z [m].
        height: Number<Size>,
        /// Width along x and y [m].
        width: Number<Size>,
    },
    /// An I-beam along x, centred on the origin, with its web in the x-z plane.
    IBeam {
        /// Length [m].
        length: Number<Size>,
        /// Height along z [m].
        height: Number<Size>,
        /// Width of the flanges along y [m]; half the height unless given.
        width: Option<Number<Size>>,
    },
    /// A hook that hangs from the origin and opens towards x.
    Hook {
        /// Height from the origin to its lowest point [m].
        height: Number<Size>,
    },
    /// A hook block: sheaves on an axle along y through the origin, with a hook below.
    HookBlock {
        /// Number of sheaves, 1 to 12; 1 unless given.
        sheaves: Option<Number<Factor>>,
        /// Radius of the sheaves to the bottom of the groove [m].
        radius: Number<Size>,
        /// Diameter of the rope [m]; 0.08 times the radius unless given.
        rope_diameter: Option<Number<Size>>,
    },
    /// A row of sheaves on an axle along y through the origin, as at the head of a boom.
    Sheaves {
        /// Number of sheaves, 1 to 12; 1 unless given.
        count: Option<Number<Factor>>,
        /// Radius of the sheaves to the bottom of the groove [m].
        radius: Number<Size>,
        /// Diameter of the rope [m]; 0.08 times the radius unless given.
        rope_diameter: Option<Number<Size>>,
    },
    /// A grooved winch drum with flanges about z, centred on the origin.
    Drum {
        /// Radius to the bottom of the grooves [m].
        radius: Number<Size>,
        /// Length along z, with its flanges [m].
        length: Number<Size>,
        /// Radius of the flanges [m]; 1.35 times the radius unless given.
        flange: Option<Number<Size>>,
        /// Diameter of the rope [m]; 0.05 times the radius unless given.
        rope_diameter: Option<Number<Size>>,
    },
    /// A pulley with a rope groove about z, centred on the origin.
    Pulley {
        /// Radius to the bottom of the groove [m].
        radius: Number<Size>,
        /// Diameter of the rope [m]; 0.08 times the radius unless given.
        rope_diameter: Option<Number<Size>>,
        /// Width of the rim along z [m]; 2.4 rope diameters unless given.
        width: Option<Number<Size>>,
    },
    /// A wheel with a tyre about z, centred on the origin.
    Wheel {
        /// Outer radius of the tyre [m].
        radius: Number<Size>,
        /// Width of the tyre [m].
        width: Number<Size>,
        /// Radius of the rim [m]; 0.58 times the radius unless given.
        rim: Option<Number<Size>>,
    },
    /// An involute spur gear about z, centred on the origin, with a tooth on the x axis.
    Gear {
        /// Number of teeth, 6 to 400.
        teeth: Number<Factor>,
        /// Module, the pitch diameter divided by the number of teeth [m].
        module: Number<Size>,
        /// Face width along z [m].
        width: Number<Size>,
        /// Radius of the shaft [m]; a quarter of the pitch radius unless given.
        bore: Option<Number<Size>>,
    },
    /// A bow shackle whose pin lies along y through the origin; the bow hangs below.
    Shackle {
        /// Diameter of the pin [m].
        pin: Number<Size>,
    },
    /// A round-link chain that hangs from the origin.
    Chain {
        /// Length between the insides of its first and last links [m].
        length: Number<Size>,
        /// Diameter of the bar [m].
        bar: Number<Size>,
    },
    /// A freight container, centred on the origin, with its doors at −x.
    Container {
        /// Lengths along x, y and z [m]; those of a 20-foot container (ISO 668 1CC), [6.058, 2.438, 2.591], unless
        /// given.
        size: Option<Numbers<Size>>,
    },
    /// A truck with three axles and a flat bed. It faces x; its origin is on the ground below its centre.
    Truck {
        /// Length [m].
        length: Number<Size>,
        /// Width [m]; 2.5 m unless given.
        width: Option<Number<Size>>,
    },
    /// The body of a car without its wheels. It faces x; its origin is on the ground below its middle.
    CarBody {
        /// Length, width and height [m]; [4.6, 1.78, 1.45] unless given.
        size: Option<Numbers<Size>>,
        /// Distance of the wheel arches [m]; 0.6 times the length unless given.
        wheelbase: Option<Number<Size>>,
        /// Radius of the wheels [m]; 0.34 m unless given.
        wheel: Option<Number<Size>>,
    },
    /// An operator's cabin with windows, seat and levers, centred on the origin, that faces x.
    Cabin {
        /// Lengths along x, y and z [m]; [1.6, 1.2, 2.0] unless given.
        size: Option<Numbers<Size>>,
    },
    /// A person in a hard hat who faces x, with the ground at the origin.
    Operator {
        /// Height of the person standing, without the hat [m]; 1.75 m unless given.
        height: Option<Number<Size>>,
        /// Whether the person sits; false unless given.
        sitting: Option<bool>,
    },
}
