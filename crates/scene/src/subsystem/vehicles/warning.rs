//! Vehicles of a valid scene → what is probably not meant, with a remedy.
//!
//! The torque of an engine is that of its table at the speed at the start of the step. Where the table has a slope dT/dω,
//! a difference of speed becomes 1 + h (dT/dω)/I of itself in a step h: for h |dT/dω|/I above 1 the speed jumps from one side
//! of the slope to the other.

use schemars::JsonSchema;
use serde::Serialize;
use windlass_engine::prelude::World;
use windlass_vehicle::driveline::{Component, Engine};
use windlass_vehicle::{Table, Vehicle, Vehicles};

/// A warning about a component of a vehicle.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct VehicleWarning {
    /// The component: "car.engine".
    pub name: String,
    /// The problem and its remedy.
    pub warning: String,
}

impl VehicleWarning {
    /// The warnings about the vehicles of a world.
    pub fn all(world: &World) -> Vec<VehicleWarning> {
        let Some((vehicles, _)) = Vehicles::of(world) else { return Vec::new() };
        let mut found = Vec::new();
        for vehicle in &vehicles.list {
            for (name, component) in &vehicle.components {
                if let Component::Engine(engine) = component
                    && let Some(warning) = cliff(world, vehicle, engine)
                {
                    found.push(VehicleWarning { name: format!("{}.{name}", vehicle.name), warning });
                }
            }
        }
        found
    }
}

/// The steepest slope of an engine's tables, if the step is too long for it.
fn cliff(world: &World, vehicle: &Vehicle, engine: &Engine) -> Option<String> {
    let shaft = vehicle.shafts.get(engine.shaft)?;
    let mass = &world.model().bodies().get(shaft.body)?.mass;
    let inertia = shaft.axis.dot(mass.inertia * shaft.axis);
    let tables = [&engine.full, &engine.drag].into_iter();
    let slopes = tables.flat_map(Table::slopes);
    let (at, slope) = slopes.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
    let steps = world.model().settings().dt * slope.abs() / inertia;
    (steps > 1.0).then(|| {
        format!(
            "its torque changes by {:.3} N·m per rad/s from {at:.1} rad/s on, {steps:.1} times what a rotor of {inertia:.3} kg·m² \
             follows in a step: give the table more points, the shaft a larger inertia, or a shorter step",
            slope.abs()
        )
    })
}
