//! A vehicle: shafts, the components between them, hydraulic circuits, wheels, steering and the sources of its signals.

use crate::driveline::Component;
use crate::hydraulics::{Circuit, Section};
use crate::shaft::Shaft;
use crate::signal::{Signal, Source};
use crate::steered::Steering;
use crate::wheel::Wheel;
use glam::DVec3;
use windlass_engine::prelude::{BodyId, View};

/// A vehicle.
#[derive(Clone, Debug)]
pub struct Vehicle {
    /// Its name.
    pub name: String,
    /// Its chassis.
    pub chassis: BodyId,
    /// Ahead, in the axes of the chassis.
    pub ahead: DVec3,
    /// Its shafts, wheels that are driven or braked among them.
    pub shafts: Vec<Shaft>,
    /// The components of its drive train, with their names.
    pub components: Vec<(String, Component)>,
    /// Its hydraulic circuits.
    pub circuits: Vec<Circuit>,
    /// Its wheels.
    pub wheels: Vec<Wheel>,
    /// Its steering.
    pub steering: Option<Steering>,
    /// The sources of its signals.
    pub controls: Vec<(Signal, Source)>,
    /// Sources of signals of single components, by index, which take the place of `controls` there.
    pub own_controls: Vec<(usize, Signal, Source)>,
}

impl Vehicle {
    /// All its bodies.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        let shafts = self.shafts.iter().flat_map(|shaft| [shaft.body, shaft.housing]);
        let steered = self.steering.iter().map(|steering| steering.chassis);
        let wheels = self.wheels.iter().map(|wheel| wheel.body);
        let moved = self.circuits.iter().flat_map(Circuit::bodies);
        std::iter::once(self.chassis).chain(shafts).chain(wheels).chain(steered).chain(moved)
    }

    /// The sections of all its circuits.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
        self.circuits.iter().flat_map(|circuit| &circuit.sections)
    }

    /// The number of rows of components, circuits and steering.
    pub(crate) fn row_count(&self) -> usize {
        let components: usize = self.components.iter().map(|(_, c)| c.row_count()).sum();
        let circuits: usize = self.circuits.iter().map(Circuit::row_count).sum();
        components + circuits + self.steering.as_ref().map_or(0, |s| s.wheels.len())
    }

    /// What is wrong with it, and the remedy.
    pub(crate) fn problem(&self, view: &View<'_>) -> Option<String> {
        let is_unit = |axis: DVec3| (axis.length() - 1.0).abs() < 1e-9;
        if let Some(shaft) = self.shafts.iter().find(|shaft| !is_unit(shaft.axis)) {
            return Some(format!("the axis of shaft \"{}\" is no unit vector: normalise it", shaft.name));
        }
        for (name, component) in &self.components {
            if let Some(shaft) = component.shafts().into_iter().find(|s| *s >= self.shafts.len()) {
                let count = self.shafts.len();
                return Some(format!(
                    "component \"{name}\" has shaft {shaft}, but there are {count}: give a shaft of the vehicle"
                ));
            }
            if let Some(problem) = component.problem() {
                return Some(format!("component \"{name}\": {problem}"));
            }
        }
        for (number, signal, _) in &self.own_controls {
            let Some((name, component)) = self.components.get(*number) else {
                let count = self.components.len();
                return Some(format!(
                    "a source of component {number}, but there are {count}: give the index of a component"
                ));
            };
            if !component.signals().contains(signal) {
                let name_of = signal.name();
                return Some(format!(
                    "component \"{name}\" has no command `{name_of}`: give it to the vehicle"
                ));
            }
        }
        for circuit in &self.circuits {
            let name = &circuit.name;
            if let Some(shaft) = circuit.shafts().find(|s| *s >= self.shafts.len()) {
                let count = self.shafts.len();
                return Some(format!(
                    "circuit \"{name}\" has shaft {shaft}, but there are {count}: give a shaft of the vehicle"
                ));
            }
            if let Some(problem) = circuit.problem() {
                return Some(format!("circuit \"{name}\": {problem}"));
            }
        }
        for wheel in &self.wheels {
            let colliders = view.bodies.list.get(wheel.body).map_or(0, |body| body.colliders.len());
            if wheel.collider as usize >= colliders {
                let (name, number) = (&wheel.name, wheel.collider);
                return Some(format!(
                    "wheel \"{name}\" has collider {number}, but its body has {colliders}: give that of its tyre"
                ));
            }
            if !is_unit(wheel.axis) {
                return Some(format!("the axis of wheel \"{}\" is no unit vector: normalise it", wheel.name));
            }
        }
        let steered = self.steering.iter().flat_map(|s| &s.wheels);
        let wrong = steered.map(|(wheel, _)| *wheel).find(|wheel| *wheel >= self.wheels.len());
        wrong.map(|wheel| {
            format!("the steering has wheel {wheel}, but there are {}: give a wheel of it", self.wheels.len())
        })
    }
}
