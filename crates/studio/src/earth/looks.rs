//! Soil in the message `scene`: grounds, tools, and cylinders with pressures.

use super::tile::level_of;
use crate::message::{CylinderLook, GroundLook, SoilLook, ToolLook};
use glam::DVec3;
use windlass_engine::inspect::subsystems::QuantityId;
use windlass_engine::prelude::World;
use windlass_host::Machine;
use windlass_scene::{Built, GroundSurface, ToolReading};

/// The grounds of a machine, in the order of the block behind frames.
pub fn grounds(machine: &Machine) -> Vec<GroundLook> {
    let surfaces = GroundSurface::all(&machine.built().world);
    surfaces.iter().map(|surface| ground(surface, machine)).collect()
}

fn ground(surface: &GroundSurface<'_>, machine: &Machine) -> GroundLook {
    let soil = |(name, [density, loose]): (&str, [f64; 2])| {
        let own = machine.scene().soils.iter().find(|entry| entry.name == name);
        let like = own.and_then(|entry| entry.value.like.as_ref());
        SoilLook { name: name.to_string(), like: like.map(|like| like.get_ref().clone()), density, loose }
    };
    GroundLook {
        name: surface.name.to_string(),
        origin: surface.origin,
        spacing: surface.spacing,
        nodes: surface.nodes,
        level: level_of(surface.nodes),
        body: None,
        soils: surface.soils().map(soil).collect(),
    }
}

/// The tools of a world, in the order of the block behind frames.
pub fn tools(built: &Built) -> Vec<ToolLook> {
    let place = |tool: &ToolReading<'_>| built.bodies.iter().position(|body| *body == tool.body);
    let look = |tool: ToolReading<'_>| ToolLook {
        name: tool.name.to_string(),
        body: place(&tool),
        ground: tool.ground,
        width: tool.width,
        capacity: tool.capacity,
    };
    ToolReading::all(&built.world).into_iter().map(look).collect()
}

/// Grounds longer than so many times the rest of a scene are not fitted into the picture.
const LONG: f64 = 3.0;

/// The box around a scene without its grounds → that around all of it.
pub fn extended(rest: Option<(DVec3, DVec3)>, world: &World) -> Option<(DVec3, DVec3)> {
    let longest = rest.map_or(f64::INFINITY, |(low, high)| LONG * (high - low).length());
    GroundSurface::all(world).iter().fold(rest, |seen, surface| {
        let [dx, dy] = surface.nodes.map(|n| (n - 1) as f64 * surface.spacing);
        if dx.hypot(dy) > longest {
            return seen;
        }
        // heights at some nodes tell enough of the box
        let places = |k: usize| (0..=16).map(move |n| n * (surface.nodes[k] - 1) / 16);
        let points = places(1).flat_map(|j| places(0).map(move |i| [i, j]));
        let points = points.map(|[i, j]| {
            let at = |k: usize, n: usize| surface.origin[k] + n as f64 * surface.spacing;
            DVec3::new(at(0, i), at(1, j), surface.start([i, j]))
        });
        points.fold(seen, |seen, p| Some(seen.map_or((p, p), |(low, high)| (low.min(p), high.max(p)))))
    })
}

/// The pressures on both sides of hydraulic cylinders and motors, and of pumps.
#[derive(Clone, Debug, Default)]
pub struct Pressures(Vec<(CylinderLook, Vec<QuantityId>)>);

impl Pressures {
    /// Those of a world.
    pub fn of(world: &World) -> Pressures {
        let mut all: Vec<(CylinderLook, Vec<QuantityId>)> = Vec::new();
        for (key, id, quantity) in world.quantities() {
            let is_pressure = ["pressure", "pressure_a", "pressure_b"].contains(&quantity.name);
            if key != "vehicles" || !is_pressure {
                continue;
            }
            match all.last_mut().filter(|(look, _)| look.name == quantity.item) {
                Some((look, ids)) => {
                    look.sides += 1;
                    ids.push(id);
                }
                None => all.push((CylinderLook { name: quantity.item, sides: 1 }, vec![id])),
            }
        }
        Pressures(all)
    }

    /// Their names and the numbers of their pressures, for `scene`.
    pub fn looks(&self) -> Vec<CylinderLook> {
        self.0.iter().map(|(look, _)| look.clone()).collect()
    }

    /// Their present values [Pa], in that order.
    pub fn read(&self, world: &World) -> impl Iterator<Item = f64> {
        self.0.iter().flat_map(|(_, ids)| ids).map(|id| world.read_quantity(*id))
    }
}
