//! Fluids of a valid world → what is probably not meant, with a remedy.

use super::cable::NORMAL_DRAG;
use glam::{DMat3, DVec3};
use schemars::JsonSchema;
use serde::Serialize;
use windlass_engine::prelude::{Edit, Joint, JointId, JointKind, Rope, World};
use windlass_fluid::hull::Pose;
use windlass_fluid::{AddedMass, Drag, Fluids, ImmersedBody, Layers, Weather};

/// Facets per wave length from which on pressures of waves are resolved.
pub(super) const PER_WAVE: f64 = 20.0;
/// Mean density below which a body without added mass is thrown about by a liquid [kg/m³].
const LIGHT: f64 = 50.0;
/// Part of the height of a body that may lie below the bottom of a liquid.
const BURIED: f64 = 0.01;
/// Density of air at sea level [kg/m³].
const AIR: f64 = 1.225;
/// C A of the drag laws over faces of the bounding box beyond which a coefficient belongs to another area: C is 2 for a plate and about 0.04 for a streamlined body.
const AREAS: [f64; 2] = [4.0, 0.01];

/// Drag on a span of a rope beyond which it matters, over its tension.
const MOST_DRAG: f64 = 0.05;
/// Parts of a span at which the stream is evaluated, and the time for which it is watched [s].
const PARTS: usize = 4;
const SECONDS: u32 = 60;

/// A warning about a body, a rope or a fluid.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct FluidWarning {
    /// Name of the body, rope or fluid.
    pub name: String,
    /// The problem and its remedy.
    pub warning: String,
}

impl FluidWarning {
    /// The warnings about the fluids of a world, and about its massless ropes: their names, ids and diameters.
    pub(crate) fn all(world: &World, ropes: &[(&str, &[JointId], f64)]) -> Vec<FluidWarning> {
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
        let of_ropes = of_ropes(world, ropes, &fluids.layers);
        of_fluids.chain(of_bodies).chain(of_ropes).collect()
    }
}

/// Massless ropes have no drag: warns of spans on which it would matter, at the strongest stream of the first minute.
fn of_ropes(world: &World, ropes: &[(&str, &[JointId], f64)], layers: &Layers) -> Vec<FluidWarning> {
    if ropes.is_empty() || !layers.all().iter().any(|fluid| fluid.moves()) {
        return Vec::new();
    }
    let mut world = world.fork();
    // stretch takes time: inextensible ropes have their tensions at once
    for (_, ids, _) in ropes {
        for id in *ids {
            let Some(joint) = world.model().joints().get(*id) else { continue };
            let JointKind::Rope(rope) = &joint.kind else { continue };
            let rope = Rope { stiffness: f64::INFINITY, ..(**rope).clone() };
            let joint = Joint { kind: rope.into(), ..joint.clone() };
            if world.edit(Edit::SetJoint(*id, Box::new(joint))).is_err() {
                return Vec::new();
            }
        }
    }
    if world.step().fault.is_some() {
        return Vec::new();
    }
    let of_rope = |(name, ids, diameter): &(&str, &[JointId], f64)| {
        let spans = ids.iter().flat_map(|id| {
            let tensions = world.rope(*id).map_or_else(Vec::new, |reading| reading.tensions);
            let path = world.configuration().rope_path(*id);
            let ends = |span: usize| {
                let mut points = path.iter().filter(|(_, number)| *number == span).map(|(point, _)| *point);
                Some([points.next()?, points.next()?])
            };
            let spans = tensions.into_iter().enumerate();
            spans.filter_map(|(span, tension)| Some((ends(span)?, tension))).collect::<Vec<_>>()
        });
        let (drag, tension) = spans
            .map(|(ends, tension)| (drag_on(layers, ends, *diameter), tension))
            .filter(|(drag, tension)| *drag > MOST_DRAG * tension)
            .max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(FluidWarning {
            name: name.to_string(),
            warning: format!(
                "the drag on one of its spans would be {drag:.3e} N, and its tension is {tension:.3e} N, but massless segments have \
                 no drag: give segments = \"flexible\""
            ),
        })
    };
    ropes.iter().filter_map(of_rope).collect()
}

/// Drag across a straight rope of a diameter at rest, the largest of the first minute [N].
fn drag_on(layers: &Layers, ends: [DVec3; 2], diameter: f64) -> f64 {
    let span = ends[1] - ends[0];
    let (length, axis) = (span.length(), span.normalize_or_zero());
    let mut weather = Weather::default();
    let mut at = |time: f64| {
        layers.forecast(time, &mut weather);
        let of_part = |part: usize| {
            let point = ends[0] + span * ((part as f64 + 0.5) / PARTS as f64);
            let number = layers.number_at(point, time)?;
            let stream = layers.flow(number, point, &weather).velocity;
            let across = (stream - axis * axis.dot(stream)).length_squared();
            Some(0.5 * layers.all()[number].density * NORMAL_DRAG * diameter * across)
        };
        (0..PARTS).filter_map(of_part).sum::<f64>() * length / PARTS as f64
    };
    (0..=SECONDS).map(|second| at(f64::from(second))).fold(0.0, f64::max)
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
        let depth = level - fluid.depth - low;
        // a body that lies on the bottom penetrates it a little
        if depth > BURIED * (high - low) {
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
    let faces = body.hull.faces();
    if let Drag::Axes { areas, .. } = body.drag {
        for (axis, (area, face)) in
            ["x", "y", "z"].iter().zip(areas.to_array().into_iter().zip(faces.to_array()))
        {
            if area > AREAS[0] * face || (area != 0.0 && area < AREAS[1] * face) {
                warnings.push(format!(
                    "the product of its drag coefficient and area across {axis} is {area:.3} m², while the face of its bounding box \
                     has {face:.3} m²: give the frontal area that belongs to the coefficient"
                ));
            }
        }
    }
    if let Drag::Quadratic { area } = body.drag {
        let (smallest, largest) = (faces.min_element(), faces.max_element());
        if area > AREAS[0] * largest || area < AREAS[1] * smallest {
            warnings.push(format!(
                "the product of its drag coefficient and area is {area:.3} m², while its bounding box has faces of {smallest:.3} to \
                 {largest:.3} m²: give the frontal area that belongs to the coefficient"
            ));
        }
    }
    warnings
}
