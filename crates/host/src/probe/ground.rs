//! Quantities of grounds at a place.

use windlass_engine::prelude::World;
use windlass_scene::GroundReading;

/// Quantities of a ground at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundQuantity {
    Height,
    Compaction,
}

/// Words, quantities, units and meanings.
pub const AT_PLACE: [(&str, GroundQuantity, &str, &str); 2] = [
    ("height", GroundQuantity::Height, "m", "height of the surface of a ground at a place"),
    (
        "compaction",
        GroundQuantity::Compaction,
        "",
        "relative density of the soil at the surface: 0 as loose as it gets, 1 as dense as it gets",
    ),
];

impl GroundQuantity {
    /// Its number at a position; none on rock.
    pub fn of(self, ground: usize, [x, y]: [f64; 2], world: &World) -> Option<f64> {
        let ground = *GroundReading::all(world).get(ground)?;
        match self {
            GroundQuantity::Height => Some(ground.height_at(x, y)),
            GroundQuantity::Compaction => ground.compaction_at(x, y),
        }
    }
}
