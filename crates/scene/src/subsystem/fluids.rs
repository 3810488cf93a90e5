//! Fluids of a scene → the subsystem: layers with their velocity fields, and what each body displaces.

mod body;
mod cable;
mod flow;
pub(crate) mod rao;
mod vessel;
mod warning;

pub(crate) use body::FluidBody;
pub(crate) use cable::{FluidCable, elements_of as cable_elements};
pub use vessel::Vessel;
pub use warning::FluidWarning;

use crate::error::Problems;
use crate::material::Materials;
use crate::text::Entry;
use crate::text::fluid::Fluid as Text;
use glam::DVec3;
use vessel::Ship;
use windlass_engine::prelude::{BodyId, Edit, SubsystemEdit, World};
use windlass_fluid::{Fluid, Fluids, ImmersedBody, Layers, Weather};

/// The edit that gives a world the fluids of a scene; none if it has none, or if they are wrong.
pub(crate) fn plan(
    texts: &[Entry<Text>],
    (bodies, cables): (&[FluidBody<'_>], &[FluidCable<'_>]),
    world: &World,
    materials: &Materials,
    p: &mut Problems,
) -> Option<Edit> {
    let (first, gravity) = (texts.first()?, world.model().settings().gravity);
    if gravity.x != 0.0 || gravity.y != 0.0 || gravity.z > 0.0 {
        let help = "set settings.gravity = [0, 0, -9.81], or leave the fluids out";
        p.advise(first.span.clone(), "fluids need a gravity along −z", help);
        return None;
    }
    let fluids: Vec<_> = texts.iter().map(|entry| flow::fluid(entry, -gravity.z, materials, p)).collect();
    let fluids: Vec<Fluid> = fluids.into_iter().collect::<Option<_>>()?;
    let layers = match Layers::new(fluids) {
        Ok(layers) => layers,
        Err((name, problem)) => {
            let span = texts.iter().find(|entry| entry.name == name).map_or(0..0, |entry| entry.span.clone());
            p.push(span, format!("fluid \"{name}\" {problem}"), None);
            return None;
        }
    };
    let texts = bodies;
    let mut bodies: Vec<_> = texts.iter().filter_map(|body| body.immersed(&layers, p)).collect();
    let waves = layers.all().iter().filter_map(|fluid| Some(fluid.waves.as_ref()?.length()));
    if let Some(length) = waves.reduce(f64::min) {
        bodies.iter_mut().for_each(|body| body.hull.resolve(length / warning::PER_WAVE));
    }
    bodies.sort_by_key(|body| body.body.index());
    float(texts, (&mut bodies, &layers), world, p);
    damp(texts, (&mut bodies, &layers), world, p);
    let cables = cables.iter().filter_map(|cable| cable.immersed(p)).collect();
    Some(edit(Fluids { layers, bodies, cables }))
}

/// Gives bodies that float, or that the surface cuts at the start, the added mass of their wet hulls: at the draft at which
/// they float with what is joined to them, else at that of the start.
fn float(
    texts: &[FluidBody<'_>],
    (bodies, layers): (&mut [ImmersedBody], &Layers),
    world: &World,
    p: &mut Problems,
) {
    let Some((liquid, level)) = layers.highest_surface().filter(|(liquid, _)| !liquid.is_gas()) else {
        return;
    };
    // bodies out of the surface float alone: a load on a hook is none of the vessels that weigh on their ropes
    let ships = Ship::all(world, (bodies, &[]), (liquid, level));
    let is_free = |id: &BodyId| !ships.iter().any(|ship| ship.has(*id));
    let free: Vec<BodyId> = bodies.iter().map(|body| body.body).filter(is_free).collect();
    let alone = Ship::all(world, (bodies, &free), (liquid, level));
    let heights = |ship: &Ship| ship.floating_height(world, liquid);
    let afloat: Vec<(&Ship, f64)> =
        ships.iter().chain(&alone).filter_map(|ship| Some((ship, heights(ship)?))).collect();
    let mut known = body::KnownParts::default();
    for body in bodies {
        let found = afloat.iter().find(|(ship, _)| ship.has(body.body));
        let pose = match found {
            Some((ship, height)) => ship.pose_afloat(world, body.body, *height),
            None => vessel::pose_from(world, body.body, level),
        };
        let text = texts.iter().find(|text| text.id == body.body);
        let density = liquid.density;
        if let Some(added) = text.and_then(|text| text.afloat(body, (pose, density), &mut known, p)) {
            body.added_mass = added;
        }
    }
}

/// Adds the damping of bodies that is given by ratio: it depends on all hulls that are joined.
fn damp(
    texts: &[FluidBody<'_>],
    (bodies, layers): (&mut [ImmersedBody], &Layers),
    world: &World,
    p: &mut Problems,
) {
    let has_ratio = |body: &&FluidBody<'_>| body.text.is_some_and(|t| t.get_ref().damping_ratio.is_some());
    let ratios: Vec<_> = texts.iter().filter(has_ratio).collect();
    let wanted: Vec<BodyId> = ratios.iter().map(|text| text.id).collect();
    if ratios.is_empty() {
        return;
    }
    let surface = layers.highest_surface();
    let ships = surface.map_or_else(Vec::new, |surface| Ship::all(world, (bodies, &wanted), surface));
    for text in ratios {
        let Some(body) = bodies.iter_mut().find(|body| body.body == text.id) else { continue };
        let liquid = surface.map(|(liquid, _)| liquid);
        if let Some(damping) = text.damping_by_ratio((world, &ships), (&body.hull, liquid), p) {
            body.damping += damping;
        }
    }
}

fn edit(fluids: Fluids) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<Fluids>(fluids.set()))
}

/// The edit that gives a world the fluids of another one, with the ids of its own bodies; none if it has them already.
pub(crate) fn change(world: &World, after: &World, renamed: impl Fn(BodyId) -> BodyId) -> Option<Edit> {
    let mut wanted = Fluids::of(after).cloned().unwrap_or_default();
    wanted.bodies.iter_mut().for_each(|body| body.body = renamed(body.body));
    wanted.bodies.sort_by_key(|body| body.body.index());
    wanted.cables.retain_mut(|cable| cable::rename(cable, after, world));
    let differs = Fluids::of(world).map_or(!wanted.layers.is_empty(), |now| *now != wanted);
    differs.then(|| edit(wanted))
}

/// Colour of a liquid without material.
const WATER: [f64; 3] = [0.25, 0.5, 0.65];

/// The surface of a liquid, as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct FluidSurface {
    /// Name of the fluid.
    pub name: String,
    /// Mean level [m].
    pub level: f64,
    /// Depth of the bottom below it [m]; infinite without one.
    pub depth: f64,
    /// Red, green and blue, 0 to 1.
    pub color: [f64; 3],
    /// Components of its waves: amplitude [m], frequency [rad/s], wave number [1/m], direction x and y, phase [rad].
    pub components: Vec<[f64; 6]>,
    /// Time over which the waves rise [s].
    pub ramp: f64,
}

impl FluidSurface {
    /// The surfaces of the liquids of a world, from the lowest to the highest.
    pub fn all(world: &World) -> Vec<FluidSurface> {
        let fluids = Fluids::of(world).map_or(&[][..], |fluids| fluids.layers.all());
        let liquids = fluids.iter().filter(|fluid| !fluid.is_gas());
        liquids.filter_map(|fluid| Some(FluidSurface::of(fluid, fluid.level?))).collect()
    }

    fn of(fluid: &Fluid, level: f64) -> FluidSurface {
        let waves = fluid.waves.as_ref();
        let component = |c: &windlass_fluid::waves::Component| {
            [c.amplitude, c.frequency, c.wavenumber, c.direction.x, c.direction.y, c.phase]
        };
        FluidSurface {
            name: fluid.name.clone(),
            level,
            depth: fluid.depth,
            color: WATER,
            components: waves.map_or(Vec::new(), |waves| waves.components().iter().map(component).collect()),
            ramp: waves.map_or(0.0, |waves| waves.ramp()),
        }
    }

    /// Height of the surface of a liquid of a world at a place [m], by its number in `all`.
    pub fn height(world: &World, number: usize, x: f64, y: f64) -> Option<f64> {
        let liquids = Fluids::of(world)?.layers.all().iter();
        let fluid = liquids.filter(|fluid| !fluid.is_gas() && fluid.level.is_some()).nth(number)?;
        Some(fluid.surface(x, y, world.state().time))
    }
}

/// What fluids do to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluidReading {
    /// Displaced volume of liquids [m³].
    pub volume: f64,
    /// Depth of its lowest point below the surface [m].
    pub draft: f64,
    /// Centroid of the displaced volume [m].
    pub center: DVec3,
    /// Buoyancy [N].
    pub buoyancy: DVec3,
    /// Drag, lift and friction [N].
    pub drag: DVec3,
    /// Added mass, mean of the three axes [kg].
    pub added_mass: f64,
    /// Force of the added mass [N]; 0 before the step is solved.
    pub added_mass_force: DVec3,
}

/// The velocity of the fluids of a world.
#[derive(Clone, Copy, Debug)]
pub struct FluidFlow;

impl FluidFlow {
    /// Names of the fluids, from the lowest to the highest.
    pub fn names(world: &World) -> Vec<&str> {
        let fluids = Fluids::of(world).map_or(&[][..], |fluids| fluids.layers.all());
        fluids.iter().map(|fluid| fluid.name.as_str()).collect()
    }

    /// Velocity of a fluid, by its number in `names`, at a point [m/s]; none where another fluid is.
    pub fn velocity(world: &World, number: usize, point: DVec3) -> Option<DVec3> {
        let (layers, time) = (&Fluids::of(world)?.layers, world.state().time);
        if layers.number_at(point, time)? != number {
            return None;
        }
        let mut weather = Weather::default();
        layers.forecast(time, &mut weather);
        Some(layers.flow(number, point, &weather).velocity)
    }
}

impl FluidReading {
    /// Of a body at the present state; none for a body outside of fluids.
    pub fn of(world: &World, body: BodyId) -> Option<FluidReading> {
        let action = Fluids::action(world, body)?;
        Some(FluidReading {
            volume: action.volume,
            draft: action.draft,
            center: action.center,
            buoyancy: action.buoyancy.force,
            drag: action.drag.force,
            added_mass: action.added_mass,
            added_mass_force: action.added_mass_force,
        })
    }
}
