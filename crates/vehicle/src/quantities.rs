//! Readable quantities of vehicles, components and wheels, each with its value.

use crate::driveline::{Component, Memory};
use crate::hydraulics::{Actuator, Circuit, PumpState, Section, SectionState};
use crate::state::VehicleState;
use crate::vehicle::Vehicle;
use windlass_engine::prelude::View;

/// Name, unit and description of a quantity.
pub(crate) type Named = (&'static str, &'static str, &'static str);

/// Called with the item of a vehicle, none for the vehicle itself, a quantity and its value.
pub(crate) type Visitor<'a> = dyn FnMut(Option<&str>, Named, f64) + 'a;

impl Vehicle {
    /// Visits its quantities in a fixed order. Without a view, those that depend on bodies are NaN.
    pub(crate) fn visit(&self, view: Option<&View<'_>>, state: &VehicleState, each: &mut Visitor<'_>) {
        let bodies = view.map(|view| view.bodies.states);
        let speed = bodies.map_or(f64::NAN, |bodies| self.velocity(bodies));
        each(None, ("speed", "m/s", "speed ahead"), speed);
        each(None, ("distance", "m", "distance driven"), state.odometer);
        for ((name, component), memory) in self.components.iter().zip(&state.components) {
            component.visit(memory, &mut |named, value| each(Some(name), named, value));
        }
        for (circuit, pump) in self.circuits.iter().zip(&state.pumps) {
            circuit.visit(pump, &mut |named, value| each(Some(&circuit.name), named, value));
        }
        for (section, state) in self.sections().zip(&state.sections) {
            section.visit((view, state), &mut |named, value| each(Some(&section.name), named, value));
        }
        for (wheel, state) in self.wheels.iter().zip(&state.wheels) {
            let spin = bodies.map_or(f64::NAN, |bodies| {
                let [body, chassis] = [wheel.body, self.chassis].map(|id| &bodies[id.index()]);
                (body.orientation * wheel.axis).dot(body.angular_velocity - chassis.angular_velocity)
            });
            let mut own = |named: Named, value: f64| each(Some(&wheel.name), named, value);
            own(("speed", "rad/s", "spin relative to the chassis"), spin);
            own(("slip", "", "longitudinal slip, positive while driving"), state.slip.x);
            own(
                ("slip_angle", "rad", "slip angle, negative with a force to the left"),
                libm::atan(state.slip.y),
            );
            own(("load", "N", "vertical load"), state.load);
            own(("force_x", "N", "longitudinal force on the wheel"), state.force.x);
            own(("force_y", "N", "lateral force on the wheel, to the left"), state.force.y);
            own(("deflection", "m", "vertical deflection of the tyre"), state.deflection);
            own(("camber", "rad", "camber"), state.camber);
        }
    }
}

impl Component {
    /// Visits its quantities. A multiplier acts on the first shaft of a row: the torque that a clutch, converter, gear or
    /// differential takes from its input is its opposite.
    fn visit(&self, memory: &Memory, each: &mut dyn FnMut(Named, f64)) {
        let Memory { phase, timer, setting, wanted, torque, slip, total } = *memory;
        let heat = ("heat", "J", "heat produced");
        match self {
            Component::Engine(_) => {
                each(("speed", "rad/s", "speed of the crankshaft"), slip);
                each(("torque", "N*m", "net torque"), torque[1]);
                each(("power", "W", "net power"), torque[1] * slip);
                each(("throttle", "", "throttle after its lag"), setting);
                each(("fuel", "kg", "fuel consumed"), total);
                each(("consumption", "kg/s", "fuel consumed per time"), wanted);
                each(("mode", "", "0 off, 1 cranking, 2 running, 3 stalled"), phase);
            }
            Component::Motor(_) => {
                each(("speed", "rad/s", "speed"), slip);
                each(("torque", "N*m", "torque"), torque[0]);
                each(("work", "J", "work done"), total);
            }
            Component::Clutch(_) => {
                each(("torque", "N*m", "torque transmitted"), -torque[0]);
                each(("slip", "rad/s", "speed of the input over the output"), slip);
                each(heat, total);
            }
            Component::Converter(_) => {
                each(("torque", "N*m", "torque of the pump"), -torque[0]);
                each(("lock_up_torque", "N*m", "torque of the lock-up clutch"), -torque[1]);
                each(heat, total);
            }
            Component::Gearbox(_) => {
                each(("gear", "", "gear: 0 neutral, −1 reverse"), setting);
                each(("phase", "", "0 engaged, 1 released, 2 synchronising, 3 refused"), phase);
                each(("torque", "N*m", "torque at the input"), -torque[0]);
            }
            Component::Gear(_) => each(("torque", "N*m", "torque at the input"), -torque[0]),
            Component::Differential(_) => {
                each(("torque", "N*m", "torque at the input"), -torque[0]);
                each(("lock_torque", "N*m", "torque of the lock"), torque[1]);
            }
            Component::Brake(brake) => {
                each(("torque", "N*m", "torque on the shaft"), torque[0]);
                each(heat, total);
                if brake.disc.is_some() {
                    each(("temperature", "K", "temperature of the disc above that of the air"), timer);
                }
            }
            Component::Retarder(_) => {
                each(("torque", "N*m", "torque on the shaft"), torque[0]);
                each(heat, total);
            }
            Component::Hydrostatic(circuit) => {
                each(("pressure", "Pa", "pressure difference"), circuit.pressure(memory));
            }
        }
    }
}

impl Circuit {
    /// Visits the quantities of its pump.
    fn visit(&self, pump: &PumpState, each: &mut dyn FnMut(Named, f64)) {
        each(("pressure", "Pa", "pressure of the pump"), pump.pressure);
        each(("flow", "m^3/s", "flow of the pump"), pump.flow);
        each(("torque", "N*m", "torque on the shaft of the pump"), pump.torque);
        each(("power", "W", "hydraulic power of the pump"), pump.pressure * pump.flow);
    }
}

impl Section {
    /// Visits its quantities. Pressures are those above the tank; the side that returns its oil has none.
    fn visit(&self, (view, state): (Option<&View<'_>>, &SectionState), each: &mut dyn FnMut(Named, f64)) {
        let ([a, b], force) = (self.actuator.areas(), state.force());
        each(("spool", "", "position of the spool, −1 to 1"), state.spool);
        each(("flow", "m^3/s", "flow metered, positive to extend"), state.flow);
        each(("pressure_a", "Pa", "pressure on side A, which extends"), force.max(0.0) / a);
        each(("pressure_b", "Pa", "pressure on side B, which retracts"), (-force).max(0.0) / b);
        match &self.actuator {
            Actuator::Cylinder(cylinder) => {
                let length = view.map_or(f64::NAN, |view| {
                    let [a, b] = cylinder.anchors.map(|anchor| view.bodies.frame(&anchor).at);
                    a.distance(b)
                });
                each(("length", "m", "distance of the ends of the cylinder"), length);
                each(("speed", "m/s", "speed of the piston"), state.rate);
                each(("force", "N", "force of the oil on the piston, positive to extend"), force);
            }
            Actuator::Motor { .. } => {
                each(("speed", "rad/s", "speed of the shaft"), state.rate);
                each(("torque", "N*m", "torque of the oil on the shaft"), force);
            }
        }
        if let Some(gas) = &self.accumulator {
            let oil = (a * state.lag).max(0.0);
            each(("oil", "m^3", "volume of oil in the accumulator"), oil);
            each(("gas_pressure", "Pa", "pressure of the gas in the accumulator"), gas.pressure(oil));
        }
    }
}
