//! The block of vehicles behind a frame, in the order of `vehicles` of `scene`. Little-endian:
//!
//! ```text
//!  each vehicle     15 f32   speed ahead [m/s], distance [m], then the commands throttle, brake, parking brake,
//!                            clutch, steer, gear, ignition, lock, stroke, retarder, steering mode, power take-off, range;
//!                            NaN without a source
//!   each shaft      f32      spin [rad/s]
//!   each component  4 f32    phase, setting, total, slip [rad/s]; of a hydrostatic circuit its pressure [Pa]
//!                   f32      torque on each of its shafts [N·m]
//!   each wheel      16 f32   load [N], force ahead and to the left [N], slip, slip angle [rad], sliding speed [m/s],
//!                            steering angle [rad], contact point [m], normal of the road, direction ahead
//! ```
//!
//! The numbers are those of `VehicleReading` in `crates/scene`.

use crate::frame::number;
use windlass_engine::prelude::World;
use windlass_scene::{VehicleReading, WheelReading};

/// Appends the block of the present state, without its mark.
pub fn append(out: &mut Vec<u8>, world: &World) {
    for vehicle in VehicleReading::all(world) {
        let head = [vehicle.speed, vehicle.distance];
        let mut all: Vec<f64> = head.into_iter().chain(vehicle.commands).chain(vehicle.spins).collect();
        for component in vehicle.components {
            all.extend([component.phase, component.setting, component.total, component.slip]);
            all.extend(component.torques);
        }
        for wheel in vehicle.wheels {
            let WheelReading { load, force, slip, slip_angle, sliding, steer, .. } = wheel;
            all.extend([load, force[0], force[1], slip, slip_angle, sliding, steer]);
            all.extend([wheel.point, wheel.normal, wheel.ahead].map(|v| v.to_array()).as_flattened());
        }
        all.into_iter().for_each(|x| number(out, x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_scene::{Built, VehicleLook};

    const SCENE: &str = "windlass = 2\ninclude = [\"windlass:sedan.toml\", \"windlass:driver.toml\"]\n\
        [bodies.road]\ntype = \"static\"\nshape = { plane = {} }\nmaterial = \"asphalt\"\n\
        [instances.car]\nprefab = \"sedan\"\n[instances.driver]\nprefab = \"driver\"\n";

    /// The sedan after some seconds with its pedals held: throttle above 0, brake below.
    fn driven(pedals: f64, seconds: f64) -> Built {
        let mut built =
            windlass_scene::parse(SCENE, "test").and_then(|scene| scene.build()).expect("a sedan");
        let input = built.world.model().input("driver.pedals").expect("pedals");
        built.world.set_input(input, Some(pedals)).expect("it is an input");
        while built.world.state().time < seconds {
            assert!(built.world.step().fault.is_none());
        }
        built
    }

    #[test]
    fn a_block_has_the_numbers_that_the_scene_announces() {
        let built = driven(1.0, 0.5);
        let looks = VehicleLook::all(&built.world, &built.bodies);
        let [car] = &looks[..] else { panic!("one vehicle") };
        let ports: usize = car.components.iter().map(|c| 4 + c.shafts.len()).sum();
        let mut bytes = Vec::new();
        append(&mut bytes, &built.world);
        assert_eq!(bytes.len(), 4 * (15 + car.shafts.len() + ports + 16 * car.wheels.len()));
        let names: Vec<&str> = car.wheels.iter().map(|wheel| wheel.name.as_str()).collect();
        assert_eq!(names, ["front_left", "front_right", "rear_left", "rear_right"]);
        let kinds: Vec<&str> = car.components.iter().map(|c| c.kind).collect();
        assert!(
            ["engine", "torque_converter", "gearbox", "differential", "brake"]
                .iter()
                .all(|k| kinds.contains(k))
        );
    }

    /// What the engine gives arrives at the road, but for what spins up the shafts and for losses.
    #[test]
    fn power_flows_from_the_engine_to_the_wheels() {
        let built = driven(1.0, 3.0);
        let looks = VehicleLook::all(&built.world, &built.bodies);
        let now = &VehicleReading::all(&built.world)[0];
        let component =
            |kind: &str| looks[0].components.iter().position(|c| c.kind == kind).expect("it has one");
        let power = |k: usize, port: usize| {
            now.components[k].torques[port] * now.spins[looks[0].components[k].shafts[port]]
        };
        let engine = power(component("engine"), 0);
        // a gearbox and a differential without losses give what they take
        for kind in ["gearbox", "differential"] {
            let k = component(kind);
            let sum: f64 = (0..looks[0].components[k].shafts.len()).map(|port| power(k, port)).sum();
            assert!(sum.abs() < 0.02 * engine, "{kind}: {sum} W of {engine} W");
        }
        let k = component("differential");
        let driving = power(k, 1) + power(k, 2);
        assert!(engine > 3e4 && driving > 0.6 * engine && driving < engine, "{engine} W, {driving} W");
        let road: f64 = now.wheels.iter().map(|wheel| wheel.force[0]).sum::<f64>() * now.speed;
        assert!(road > 0.8 * driving && road < 1.02 * driving, "{driving} W, {road} W at the road");
        assert!(now.commands[0] == 1.0 && now.commands[3].is_nan(), "{:?}", now.commands);
    }

    #[test]
    fn tyres_touch_the_road_below_their_wheels() {
        let built = driven(0.0, 0.5);
        let looks = VehicleLook::all(&built.world, &built.bodies);
        let now = &VehicleReading::all(&built.world)[0];
        let weight: f64 = now.wheels.iter().map(|wheel| wheel.load).sum();
        assert!((weight / (1646.0 * 9.81) - 1.0).abs() < 0.05, "{weight} N");
        for (look, wheel) in looks[0].wheels.iter().zip(&now.wheels) {
            let at = built.world.state().bodies[built.bodies[look.body].index()].position;
            assert!(wheel.point.z.abs() < 1e-9 && wheel.normal.z > 1.0 - 1e-12, "{wheel:?}");
            assert!((wheel.point - at).truncate().length() < 1e-3 && wheel.ahead.x > 0.999, "{wheel:?}");
            assert_eq!(wheel.sliding, 0.0, "a car at rest does not slide");
        }
    }
}
