//! Wheels on soft ground of a scene → the subsystem of soil: those of `[wheels]`, and the tyres of vehicles.

use super::soil::find_ground;
use crate::error::Problems;
use crate::text::Entry;
use crate::text::soft_wheel::Wheel as WheelText;
use glam::DVec3;
use windlass_engine::prelude::{BodyId, Edit, Geometry, Shape, SubsystemEdit, World};
use windlass_soil::world::{ContactSurface, WheelShape};
use windlass_soil::{EarthEdit, Earthworks, GroundModel, WheelModel};
use windlass_vehicle::tire::VerticalState;
use windlass_vehicle::{Vehicle, Vehicles, Wheel};

/// Deflection of a tyre under its usual load, over its radius.
const USUAL_DEFLECTION: f64 = 0.1;
/// Length of its contact then, over the chord of the deflected circle (typical of radial tyres).
const CONTACT_LENGTH: f64 = 0.6;

/// A wheel of `[wheels]`; errors are reported.
pub(crate) fn wheel(
    entry: &Entry<WheelText>,
    (body, origin): (BodyId, DVec3),
    grounds: &[GroundModel],
    p: &mut Problems,
) -> Option<WheelModel> {
    let text = &entry.value;
    let ground = find_ground(&text.ground, ("wheel", entry.name.as_str(), &entry.span), grounds, p)?;
    let radius = p.number_given("radius", &text.radius);
    let length = p.number_given("length", &text.length);
    let width = p.number("width", &text.width);
    let at = text.at.as_ref().map_or(Some(DVec3::ZERO), |at| p.vector("at", at));
    let axis = text.axis.as_ref().map(|axis| p.direction("axis", axis));
    let up = text.up.as_ref().map_or(Some(DVec3::Z), |up| p.direction("up", up));
    let pressure = p.number_given("pressure", &text.pressure);
    let (shape, usual) = match (radius?, length?) {
        (Some(radius), None) => (WheelShape::Round { radius }, DVec3::Z),
        (None, Some(length)) => (WheelShape::Plate { length }, DVec3::Y),
        _ => {
            let message = format!("wheel \"{}\" needs either `radius` or `length`", entry.name);
            p.advise(entry.span.clone(), message, "give the radius of a wheel, or the length of a plate");
            return None;
        }
    };
    let model = WheelModel {
        shape,
        center: at? + origin,
        axis: axis.unwrap_or(Some(usual))?,
        up: up?,
        surface: if text.steel == Some(true) { ContactSurface::Steel } else { ContactSurface::Rough },
        bearable: pressure?.unwrap_or(f64::INFINITY),
        ..WheelModel::wheel(&entry.name, body, ground, [1.0, width?])
    };
    if let Some(problem) = model.problem() {
        p.advise(entry.span.clone(), format!("wheel \"{}\": {problem}", entry.name), "correct this wheel");
        return None;
    }
    Some(model)
}

/// The tyres of the vehicles of a world, for each of its grounds that is soft.
pub(crate) fn tires(world: &World, grounds: &[GroundModel]) -> Vec<WheelModel> {
    let Some((vehicles, _)) = world.subsystem::<Vehicles>() else { return Vec::new() };
    let soft = || grounds.iter().enumerate().filter(|(_, ground)| !ground.hard);
    let several = soft().count() > 1;
    let wheels =
        vehicles.list.iter().flat_map(|vehicle| vehicle.wheels.iter().map(move |wheel| (vehicle, wheel)));
    let of_wheel = |(vehicle, wheel): (&Vehicle, &Wheel)| {
        let models = soft().filter_map(move |(number, ground)| {
            let own = format!("{}.{}", vehicle.name, wheel.name);
            let name = if several { format!("{own}.{}", ground.name) } else { own };
            tire(world, wheel, (&name, number))
        });
        models.collect::<Vec<_>>()
    };
    wheels.flat_map(of_wheel).collect()
}

/// A tyre on a ground: it bears the mean pressure of its contact on a road under its usual load.
fn tire(world: &World, wheel: &Wheel, (name, ground): (&str, usize)) -> Option<WheelModel> {
    let body = world.model().bodies().get(wheel.body)?;
    let Geometry::Solid(Shape::Cylinder { radius, half_length }) =
        &*body.colliders.get(wheel.collider as usize)?.geometry
    else {
        return None;
    };
    let (radius, width) = (*radius, 2.0 * half_length);
    let deflection = USUAL_DEFLECTION * radius;
    let state = VerticalState { pressure: wheel.pressure, ..VerticalState::default() };
    let load = wheel.vertical.spring_force(deflection, &state);
    let length = CONTACT_LENGTH * 2.0 * (2.0 * radius * deflection).sqrt();
    Some(WheelModel {
        axis: wheel.axis,
        center: body.mass.center,
        bearable: load / (width * length),
        ..WheelModel::wheel(name, wheel.body, ground, [radius, width])
    })
}

/// The edit that gives a world these wheels, in addition to its grounds and tools.
pub(crate) fn edit(world: &World, wheels: Vec<WheelModel>) -> Option<Edit> {
    let (works, _) = world.subsystem::<Earthworks>()?;
    if works.wheels == wheels {
        return None;
    }
    let works = Earthworks { wheels, ..works.clone() };
    Some(Edit::Subsystem(SubsystemEdit::of::<Earthworks>(EarthEdit::Set(works, None))))
}
