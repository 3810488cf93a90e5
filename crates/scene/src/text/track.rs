//! Crawler tracks as written in the file.

use crate::number::{Coefficient, Length, Number, Numbers, Plain, Size, StressPerDepth, Two};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A crawler track: a belt round a sprocket, whose lower run lies on the ground. It drives on grounds, where it sinks and
/// shears the soil, and on all other bodies, where it has friction. The sprocket is a body on a hinge to the frame, with a
/// motor or a shaft of a vehicle; its inertia includes that of the belt, m R² for a belt of mass m.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Track {
    /// The body that carries the road wheels. Its colliders do not touch the ground within the belt.
    #[schemars(with = "String")]
    pub frame: Spanned<String>,
    /// The body of the sprocket, on a hinge to the frame.
    #[schemars(with = "String")]
    pub sprocket: Spanned<String>,
    /// Axle of the sprocket in the axes of the frame, to the left as seen in the direction of driving. A positive speed of the
    /// sprocket about it drives ahead; [0, 1, 0] unless given.
    pub axle: Option<Numbers<Plain>>,
    /// Radius of the belt on the sprocket [m].
    pub radius: Number<Size>,
    /// Outer surface of the lower run in the axes of the frame [m]: points from the rear to the front. Two points are the
    /// ground contact from the last to the first road wheel; further ones are where the belt rises to sprocket and idler,
    /// with which the track climbs.
    #[schemars(with = "Vec<Numbers<Length>>")]
    pub line: Spanned<Vec<Numbers<Length>>>,
    /// Width of the belt [m].
    pub width: Number<Size>,
    /// Number of elements in which the line is divided, 1 to 40; one per 0.15 m, 4 to 20 of them, unless given.
    pub elements: Option<Number<Plain>>,
    /// Friction coefficients on hard ground, along and across the belt; those of the materials of frame and ground unless
    /// given.
    #[schemars(with = "Option<Two<Coefficient>>")]
    pub friction: Option<Numbers<Coefficient>>,
    /// Friction of the running gear over the load; 0.03 unless given.
    pub rolling_resistance: Option<Number<Coefficient>>,
    /// Pressure per deflection of belt and road wheels on hard ground [Pa/m]; 5e7, 1 mm at 50 kPa, unless given.
    pub stiffness: Option<Number<StressPerDepth>>,
}
