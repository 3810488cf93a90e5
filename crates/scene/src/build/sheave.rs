//! Pulleys of routed ropes → visuals, on bodies that have none there.

use super::{Builder, model};
use crate::kit::rotating;
use crate::visual::{Solid, Visual};
use windlass_engine::prelude::{Anchor, BodyId, Shape, World};

/// Material in which pulleys are drawn by default.
const SHEAVE: &str = "steel";

impl Builder {
    /// The visual of a pulley of a radius [m] for a rope of a diameter [m].
    pub(super) fn sheave(&self, anchor: &Anchor, radius: f64, rope: f64) -> Option<Sheave> {
        let material = self.materials.get(SHEAVE)?;
        // the rope lies on it
        let radius = (radius - 0.5 * rope).max(0.5 * radius);
        let own = |shape| Solid::new(shape, SHEAVE, material);
        let solids = model::solids(rotating::pulley(radius, Some(rope), None), own, &self.materials);
        let placed = |solid| Solid { at: anchor.at, orientation: anchor.turn, ..solid };
        Some(Sheave { body: anchor.body, radius, solids: solids.into_iter().map(placed).collect() })
    }
}

/// A pulley to draw.
#[derive(Clone, Debug)]
pub struct Sheave {
    body: BodyId,
    /// [m]
    radius: f64,
    solids: Vec<Solid>,
}

/// Adds the pulleys of ropes to the visuals of bodies that have none there yet.
pub(super) fn show<'a>(
    sheaves: impl Iterator<Item = &'a Sheave>,
    world: &World,
    bodies: &[BodyId],
    looks: &mut [Visual],
) {
    for Sheave { body, radius, solids } in sheaves {
        let (Some(place), Some(first)) = (bodies.iter().position(|id| id == body), solids.first()) else {
            continue;
        };
        let is_there = |solid: &Solid| solid.at.distance(first.at) < 0.5 * radius && is_round(&solid.shape);
        if world.model().bodies().get(*body).is_some() && !looks[place].solids.iter().any(is_there) {
            looks[place].solids.extend(solids.iter().cloned());
        }
    }
}

/// Whether a shape may be a pulley.
fn is_round(shape: &Shape) -> bool {
    !matches!(shape, Shape::Box { .. } | Shape::Convex { .. } | Shape::Cone { .. })
}
