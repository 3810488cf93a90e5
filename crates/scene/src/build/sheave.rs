//! Pulleys of routed ropes → visuals, on bodies that have none there.

use super::route::{CheckedPoint, Reeve};
use super::{Builder, model};
use crate::kit::rotating;
use crate::section::CableSection;
use crate::visual::{Solid, Visual};
use windlass_engine::prelude::{Anchor, BodyId, RoutePoint, Routed, Shape, World};

/// Material in which pulleys are drawn by default.
const SHEAVE: &str = "steel";

impl Builder {
    /// Visuals of the pulleys of a rope.
    pub(super) fn sheaves(
        &self,
        spots: &[CheckedPoint],
        points: &[(Anchor, RoutePoint)],
        stuff: &CableSection,
    ) -> Vec<Sheave> {
        let Some(material) = self.materials.get(SHEAVE) else { return Vec::new() };
        let d = stuff.section.diameter;
        let round = spots.iter().zip(points).filter(|(spot, _)| spot.via.radius > 0.0);
        let sheave = |(spot, (anchor, via)): (&CheckedPoint, &(Anchor, RoutePoint))| {
            // the rope lies on it
            let radius = (via.radius - 0.5 * d).max(0.5 * via.radius);
            let own = |shape| Solid::new(shape, SHEAVE, material);
            let solids = model::solids(rotating::pulley(radius, Some(d), None), own, &self.materials);
            let placed = |solid| Solid { at: anchor.at, orientation: anchor.turn, ..solid };
            Sheave { body: spot.body.id, radius, solids: solids.into_iter().map(placed).collect() }
        };
        round.map(sheave).collect()
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
pub(super) fn show(ropes: &[(Reeve, Routed)], world: &World, bodies: &[BodyId], looks: &mut [Visual]) {
    for Sheave { body, radius, solids } in ropes.iter().flat_map(|(plan, _)| &plan.sheaves) {
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
