//! Vehicles: their bodies and inputs by name become the subsystem; static loads of their suspensions.

use super::{Builder, Placed};
use crate::control::Control;
use crate::subsystem::vehicles::plan::{self, Member, Members, Shared};
use crate::subsystem::vehicles::suspension;
use crate::text::vehicle::{Axle, Vehicle, wheels_of};
use crate::text::{Entry, Scene};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;
use toml::Spanned;
use windlass_engine::joint::spring_curve::ForceCurve;
use windlass_engine::prelude::{Joint, JointKind};

/// Loads of suspensions at the start, by the names of their joints [N].
pub type Loads = BTreeMap<String, f64>;

/// Loads at points that carry a weight, linear in their position: Σ F = W, Σ F r = W c. Those of a body on springs of
/// equal stiffness.
fn shares(weight: f64, center: DVec3, points: &[DVec3]) -> Vec<f64> {
    // columns 1, x and y of each point, from the centre of mass; a row of points is supported about that row only
    let column = |at: &DVec3| DVec3::new(1.0, at.x - center.x, at.y - center.y);
    let scale = points.iter().map(|at| column(at).length_squared()).sum::<f64>();
    let normal: DMat3 = points.iter().fold(DMat3::from_diagonal(DVec3::splat(1e-12 * scale)), |sum, at| {
        let c = column(at);
        sum + DMat3::from_cols(c * c.x, c * c.y, c * c.z)
    });
    let factors = normal.inverse() * DVec3::new(weight, 0.0, 0.0);
    points.iter().map(|at| column(at).dot(factors)).collect()
}

impl Builder {
    /// Computes the loads of suspensions, before joints are built.
    pub fn weigh(&mut self, scene: &Scene) {
        for entry in &scene.vehicles {
            self.enter(entry);
            let axles: Vec<_> = entry.value.axles.iter().flatten().collect();
            let mounts = axles.iter().map(|(_, axle)| axle.on.as_ref().unwrap_or(&entry.value.chassis));
            let mounts: Vec<_> = mounts.map(|mount| self.find(mount)).collect();
            let mut done = Vec::new();
            for mount in mounts.iter().flatten() {
                if done.contains(&mount.id) {
                    continue;
                }
                done.push(mount.id);
                let own = axles.iter().zip(&mounts).filter(|(_, on)| on.is_some_and(|on| on.id == mount.id));
                let own: Vec<_> = own.map(|(axle, _)| *axle).collect();
                self.weigh_mount(entry, mount, &own);
            }
        }
    }

    /// Computes the loads of the axles of a body.
    fn weigh_mount(&mut self, entry: &Entry<Vehicle>, mount: &Placed, axles: &[(&Spanned<String>, &Axle)]) {
        let Some(body) = self.world.model().bodies().get(mount.id) else { return };
        let (mass, center) = (body.mass.mass, body.mass.center);
        let weight = -self.world.model().settings().gravity.z * mass;
        let wheels: Vec<_> =
            axles.iter().flat_map(|(name, axle)| self.axle_wheels(entry, name, axle)).collect();
        let points = wheels.iter().map(|(_, wheel)| Some(within(mount, &(*wheel)?)));
        let Some(points) = points.collect::<Option<Vec<DVec3>>>() else { return };
        let mut loads = wheels.iter().map(|(name, _)| name).zip(shares(weight, center, &points));
        for (name, axle) in axles {
            let count = wheels_of(name.get_ref(), axle.track.is_some()).len();
            let own: Vec<_> = loads.by_ref().take(count).collect();
            let Some(suspension) = &axle.suspension else { continue };
            let given = self.problems.number_given("load", &suspension.load).flatten();
            let arm = suspension.trailing_arm.as_ref();
            let rest = match arm {
                Some(arm) => arm.spring.rest.as_ref().map(|_| ()),
                None => suspension.spring.as_ref().and_then(|spring| spring.rest.as_ref()).map(|_| ()),
            };
            match (&suspension.load, rest) {
                (Some(load), Some(_)) => {
                    let message = "`load` and `spring.rest` of a suspension";
                    self.problems.advise(load.span(), message, "leave one of them out");
                }
                (None, Some(_)) => {}
                (_, None) => {
                    // a torsion spring carries the moment of the load
                    let lever = arm.map_or(Some(1.0), |arm| arm.lever(&mut self.problems)).unwrap_or(1.0);
                    let load = |(name, own): &(&String, f64)| {
                        let joint = if arm.is_some() { suspension::arm_of(name) } else { (*name).clone() };
                        (joint, given.unwrap_or(*own) * lever.abs())
                    };
                    self.loads.extend(own.iter().map(load));
                }
            }
        }
    }

    /// Full names of the wheels of an axle, and their bodies.
    fn axle_wheels(
        &self,
        entry: &Entry<Vehicle>,
        name: &Spanned<String>,
        axle: &Axle,
    ) -> Vec<(String, Option<Placed>)> {
        let wheels = wheels_of(name.get_ref(), axle.track.is_some()).into_iter();
        let full = wheels.map(|(wheel, _)| format!("{}.{wheel}", entry.name));
        full.map(|name| (name.clone(), self.placed.get(&name).copied().flatten())).collect()
    }

    /// Loads the spring of a suspension where it is drawn.
    pub fn preload(&mut self, entry: &Entry<crate::text::joint::Joint>, joint: &mut Joint) {
        let Some(load) = self.loads.get(&entry.name).copied() else { return };
        let axis = match &mut joint.kind {
            JointKind::CarWheel(wheel) => &mut wheel.axes[0],
            JointKind::Hinge(arm) => &mut arm.axis,
            _ => return,
        };
        let rest = match (&mut axis.spring, &mut axis.curve) {
            (Some((spring, rest)), _) if spring.stiffness > 0.0 => Some((rest, load / spring.stiffness)),
            (_, Some(curve)) => {
                deflection(&curve.force, load).map(|deflection| (&mut curve.rest, deflection))
            }
            _ => None,
        };
        match rest {
            Some((rest, deflection)) => *rest = -deflection,
            None => {
                let message =
                    format!("the spring of the suspension does not carry its load of {load:.0} N (N·m)");
                let help = "give it a larger stiffness, or `rest`";
                self.problems.advise(entry.span.clone(), message, help);
            }
        }
    }

    /// Gives the world the vehicles of the scene.
    pub fn vehicles(&mut self, scene: &Scene, controls: &[Control]) {
        let mut list = Vec::new();
        for entry in &scene.vehicles {
            self.enter(entry);
            let Some(members) = self.members(entry) else { continue };
            let commands = self.commands(entry, scene, controls);
            let shared = Shared {
                tires: &scene.tires,
                files: self.files.as_ref(),
                materials: &self.materials,
                model: self.world.model(),
            };
            list.extend(plan::vehicle(entry, &members, shared, commands, &mut self.problems));
        }
        self.problems.instance = None;
        if list.len() == scene.vehicles.len()
            && !list.is_empty()
            && let Err(e) = self.world.edit(plan::edit(list))
        {
            self.problems.push(scene.vehicles[0].span.clone(), e.to_string(), None);
        }
    }

    /// The bodies of a vehicle; none if one is missing, which has been reported.
    fn members(&mut self, entry: &Entry<Vehicle>) -> Option<Members> {
        let text = &entry.value;
        let chassis = self.find(&text.chassis)?;
        let mut axle_wheels = Vec::new();
        for (name, axle) in text.axles.iter().flatten() {
            let mount = axle.on.as_ref().map_or(Some(chassis), |on| self.find(on))?;
            for (name, wheel) in self.axle_wheels(entry, name, axle) {
                let wheel = wheel?;
                let member = Member { id: wheel.id, position: within(&chassis, &wheel) };
                let arm = self.placed.get(&suspension::arm_of(&name)).copied().flatten();
                axle_wheels.push((member, arm.unwrap_or(mount).id));
            }
        }
        let mut wheels = Vec::new();
        for wheel in text.wheels.iter().flatten().map(|(_, wheel)| wheel) {
            let body = self.find(&wheel.body);
            let housing = wheel.housing.as_ref().map_or(Some(chassis), |name| self.find(name));
            let (body, housing) = (body?, housing?);
            let member = Member { id: body.id, position: within(&chassis, &body) };
            wheels.push((member, housing.id));
        }
        let mut shafts = Vec::new();
        for name in text.shafts.iter().flatten().map(|(name, _)| name) {
            let full = format!("{}.{}", entry.name, name.get_ref());
            shafts.push(self.placed.get(&full).copied().flatten()?.id);
        }
        Some(Members { chassis: chassis.id, axle_wheels, wheels, shafts })
    }

    /// The commands that inputs give to a vehicle.
    fn commands(&mut self, entry: &Entry<Vehicle>, scene: &Scene, controls: &[Control]) -> plan::Commands {
        let mut all = plan::Commands::default();
        for input in &scene.inputs {
            let control = controls.iter().find(|control| control.name == input.name);
            let Some(id) = control.and_then(|control| control.id) else { continue };
            for drive in input.value.drives.get_ref() {
                let Some(vehicle) = &drive.vehicle else { continue };
                let known =
                    |name: &str| scene.vehicles.iter().any(|v| v.name == name).then(|| name.to_string());
                if input.group.outward(vehicle.get_ref(), known).as_ref() != Some(&entry.name) {
                    continue;
                }
                let factor = self.problems.number_or("factor", &drive.factor, 1.0).unwrap_or(1.0);
                let source = plan::from_input(id, factor);
                match (&drive.command, &drive.component) {
                    (Some(command), Some(component)) => {
                        all.components.push((component.clone(), *command.get_ref(), source));
                    }
                    (Some(command), None) => all.driver.push((*command.get_ref(), source)),
                    (None, _) => {}
                }
                all.valves.extend(drive.valve.as_ref().map(|valve| (valve.get_ref().clone(), source)));
            }
        }
        all
    }
}

/// The deflection at which a spring has a force; none if it never does.
fn deflection(curve: &ForceCurve, force: f64) -> Option<f64> {
    let mut high = 1e-3;
    while curve.at(high).force < force {
        high *= 2.0;
        if high > 1e3 {
            return None;
        }
    }
    let mut low = 0.0;
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if curve.at(middle).force < force { low = middle } else { high = middle }
    }
    Some(high)
}

/// Position of a body in the axes of another [m].
fn within(chassis: &Placed, body: &Placed) -> DVec3 {
    chassis.pose.orientation.inverse() * (body.pose.at - chassis.pose.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two axles share a weight by the lever rule; three on springs of equal stiffness by the line through their loads.
    #[test]
    fn loads_are_those_of_equal_springs() {
        let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
        let car = [at(1.2, 0.75), at(1.2, -0.75), at(-1.5, 0.75), at(-1.5, -0.75)];
        let loads = shares(2700.0, DVec3::ZERO, &car);
        for (load, expected) in loads.iter().zip([750.0, 750.0, 600.0, 600.0]) {
            assert!((load - expected).abs() < 1e-6, "{loads:?}");
        }
        let truck = [at(2.0, 0.0), at(0.0, 0.0), at(-1.0, 0.0)];
        let loads = shares(100.0, DVec3::X * 0.5, &truck);
        let (sum, moment): (f64, f64) =
            loads.iter().zip(&truck).fold((0.0, 0.0), |(s, m), (f, r)| (s + f, m + f * (r.x - 0.5)));
        assert!((sum - 100.0).abs() < 1e-6 && moment.abs() < 1e-6, "{loads:?}");
        // differences are proportional to distances
        assert!(((loads[0] - loads[1]) / (loads[1] - loads[2]) - 2.0).abs() < 1e-6, "{loads:?}");
    }
}
