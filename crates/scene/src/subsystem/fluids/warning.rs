//! Fluids of a valid world → what is probably not meant, with a remedy.

use glam::DMat3;
use schemars::JsonSchema;
use serde::Serialize;
use windlass_engine::prelude::World;
use windlass_fluid::hull::Pose;
use windlass_fluid::{AddedMass, Drag, Fluids, ImmersedBody, Layers};

/// Facets per wave length from which on pressures of waves are resolved.
pub(super) const PER_WAVE: f64 = 20.0;
/// Mean density below which a body without added mass is thrown about by a liquid [kg/m³].
const LIGHT: f64 = 50.0;
/// Density of air at sea level [kg/m³].
const AIR: f64 = 1.225;
/// C A of the drag law "quadratic" over the largest and the smallest face of the bounding box beyond which a
/// coefficient belongs to another area: C is 2 for a plate and about 0.04 for a streamlined body.
const AREAS: [f64; 2] = [4.0, 0.01];

/// A warning about a body or a fluid.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct FluidWarning {
    /// Name of the body or fluid.
    pub name: String,
    /// The problem and its remedy.
    pub warning: String,
}

impl FluidWarning {
    /// The warnings about the fluids of a world.
    pub fn all(world: &World) -> Vec<FluidWarning> {
        let Some(fluids) = Fluids::of(world) else { return Vec::new() };
        let gases = fluids.layers.all().iter().filter(|fluid| fluid.is_gas() && fluid.level.is_some());
        let of_fluids = gases.map(|fluid| FluidWarning {
            name: fluid.name.clone(),
            warning: format!(
                "a fluid of {:.3} kg/m³ is a gas, which has no surface: leave `surface` out, or give the density of a liquid",
                fluid.density
            ),
        });
        let of_bodies = fluids.bodies.iter().flat_map(|body| {
            let name = world.model().bodies().get(body.body).map_or(String::new(), |b| b.name.clone());
            let warnings = of_body(world, body, &fluids.layers).into_iter();
            warnings.map(move |warning| FluidWarning { name: name.clone(), warning })
        });
        of_fluids.chain(of_bodies).collect()
    }
}

fn of_body(world: &World, body: &ImmersedBody, layers: &Layers) -> Vec<String> {
    let state = &world.state().bodies[body.body.index()];
    let mass = world.model().bodies().get(body.body).map_or(0.0, |b| b.mass.mass);
    let pose = Pose { center: state.position, axes: DMat3::from_quat(state.orientation) };
    let [low, high] = body.hull.reach(pose);
    let density = mass / body.hull.volume();
    let mut warnings = Vec::new();
    if density < AIR {
        warnings.push(format!(
            "its density, {density:.3} kg/m³, is below that of air: give the mass of the body, or a smaller fluid.hull"
        ));
    } else if density < LIGHT
        && body.added_mass == AddedMass::None
        && layers.all().iter().any(|fluid| !fluid.is_gas())
    {
        warnings.push(format!(
            "its density is {density:.0} kg/m³, and it has no added mass: its motion in a liquid will be too violent; leave `added_mass` out"
        ));
    }
    for fluid in layers.all() {
        let Some(level) = fluid.level else { continue };
        if low < level - fluid.depth && high < level {
            let depth = level - fluid.depth - low;
            warnings.push(format!(
                "it is {depth:.2} m below the bottom of \"{}\": raise it, or give the fluid a larger depth",
                fluid.name
            ));
        }
        if let Some(waves) = &fluid.waves
            && body.hull.longest_edge() > 1.01 * waves.length() / PER_WAVE
        {
            warnings.push(format!(
                "the facets of its hull, up to {:.2} m, do not resolve waves {:.1} m long: split the mesh",
                body.hull.longest_edge(),
                waves.length()
            ));
        }
    }
    if let Drag::Quadratic { area } = body.drag {
        let [smallest, largest] = body.hull.faces();
        if area > AREAS[0] * largest || area < AREAS[1] * smallest {
            warnings.push(format!(
                "the product of its drag coefficient and area is {area:.3} m², while its bounding box has faces of {smallest:.3} to \
                 {largest:.3} m²: give the frontal area that belongs to the coefficient"
            ));
        }
    }
    warnings
}
