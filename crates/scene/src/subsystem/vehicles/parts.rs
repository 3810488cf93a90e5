//! Wheels and shafts of vehicles → bodies and joints of the scene.
//!
//! ```text
//!  wheel   cylinder about z, z to the left            on the chassis or an arm (`suspension.rs`)
//!  shaft   a moment of inertia about z                hinge on the chassis
//! ```
//!
//! Bodies start with the velocity of the chassis at their place. Wheels roll at that of its origin; shafts turn as gears, differentials and gearboxes
//! demand, those of engines at their idle speed.

use super::given;
use super::mount::{Given, Maker, Mount, Parts};
use super::suspension::{WheelPlace, hinge};
use super::tire::Tire;
use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::number::{Number, Numbers, Tensor};
use crate::suggestion;
use crate::text::body::{Body, Shape, Visual};
use crate::text::driveline::{Component, Gearbox, Shaft};
use crate::text::joint::Joint;
use crate::text::model::Model;
use crate::text::tire::Tire as TireText;
use crate::text::vehicle::{Axle, wheels_of};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use toml::Spanned;
use windlass_engine::math;

/// Mass of the body of a shaft, unless given [kg].
const SHAFT_MASS: f64 = 1.0;

/// The bodies and joints of all vehicles; errors are reported.
pub(crate) fn make(given: Given<'_>, p: &mut Problems) -> Parts {
    let mut parts = Parts::default();
    for (number, entry) in given.vehicles.iter().enumerate() {
        p.instance = Some(entry.group.name.clone()).filter(|name| !name.is_empty());
        Maker { entry, given, parts: &mut parts }.make(number, p);
    }
    p.instance = None;
    parts
}

/// The tyre of a name; an unknown one is reported.
pub(super) fn find_tire<'a>(
    name: &Spanned<String>,
    tires: &'a [Entry<TireText>],
    p: &mut Problems,
) -> Option<&'a Entry<TireText>> {
    if let Some(entry) = tires.iter().find(|entry| entry.name == *name.get_ref()) {
        return Some(entry);
    }
    let near = suggestion::nearest(name.get_ref(), tires.iter().map(|entry| entry.name.as_str()));
    let help =
        near.map_or("define it as [tires.NAME]".to_string(), |near| format!("did you mean \"{near}\"?"));
    p.advise(name.span(), format!("no tyre \"{}\"", suggestion::shortened(name.get_ref())), help);
    None
}

impl Maker<'_> {
    fn make(&mut self, number: usize, p: &mut Problems) {
        let vehicle = &self.entry.value;
        let Some(chassis) = self.mount(&vehicle.chassis, p) else { return };
        let mut spins = BTreeMap::new();
        for (name, axle) in vehicle.axles.iter().flatten() {
            let other = axle.on.as_ref().map(|on| self.mount(on, p));
            let mount = match &other {
                Some(Some(other)) => other,
                Some(None) => continue,
                None => &chassis,
            };
            if let Some(spin) = self.axle(name.get_ref(), axle, mount, p) {
                let wheels = wheels_of(name.get_ref(), axle.track.is_some());
                spins.extend(wheels.into_iter().map(|(wheel, _)| (wheel, spin)));
            }
        }
        let shafts: Vec<_> = vehicle.shafts.iter().flatten().collect();
        for (name, shaft) in &shafts {
            let given = p.number_given("speed", &shaft.speed).flatten();
            spins.extend(given.map(|speed| (name.get_ref().clone(), speed)));
        }
        let components: Vec<_> = vehicle.components.iter().flatten().map(|(_, c)| c.get_ref()).collect();
        complete(&components, &mut spins);
        for (name, component) in vehicle.components.iter().flatten() {
            if let Component::Gearbox(gearbox) = component.get_ref() {
                let output = spins.get(gearbox.shafts[1].get_ref()).copied();
                let gear = starting_gear(gearbox, output, &mut Problems::default());
                self.parts.gears.push((number, name.get_ref().clone(), gear));
            }
        }
        for (name, shaft) in shafts {
            let spin = spins.get(name.get_ref()).copied().unwrap_or(0.0);
            self.shaft(name, (shaft, spin), &chassis, p);
        }
    }

    /// Adds the wheels of an axle; returns their spin.
    fn axle(&mut self, name: &str, axle: &Axle, on: &Mount<'_>, p: &mut Problems) -> Option<f64> {
        let middle = p.vector("position", &axle.position);
        let track = p.number_given("track", &axle.track);
        let mass = p.number("wheel_mass", &axle.wheel_mass);
        let inertia = p.number_given("wheel_inertia", &axle.wheel_inertia);
        let tire = Tire::read(find_tire(&axle.tire, self.given.tires, p)?, self.given.files, p)?;
        let (middle, track, mass, inertia) = (middle?, track?, mass?, inertia?);
        if let (Some(value), Some(number)) = (inertia.filter(|i| !(*i > 0.0)), &axle.wheel_inertia) {
            p.advise(number.span(), format!("a `wheel_inertia` of {value} kg·m²"), "give one above 0");
            return None;
        }
        let (radius, width) = (tire.radius, tire.width);
        let about = inertia.unwrap_or(0.5 * mass * radius * radius);
        // a transverse moment of inertia is at least half of the axial one
        let across = (mass * (3.0 * radius * radius + width * width) / 12.0).max(0.5 * about);
        let spin = on.velocity[0].dot(on.direction(DVec3::X)) / radius;
        let z_to_the_left = DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2);
        let wheels = wheels_of(name, track.is_some());
        for (wheel, side) in &wheels {
            let at = middle + DVec3::Y * (0.5 * track.unwrap_or(0.0) * side);
            let turned = math::unit(on.orientation * z_to_the_left);
            let body = Body {
                position: Some(given(on.at + on.direction(at))),
                orientation: Some(Numbers::si(&[turned.w, turned.x, turned.y, turned.z])),
                velocity: Some(given(on.velocity_at(at))),
                angular_velocity: Some(given(on.velocity[1] + on.direction(DVec3::Y) * spin)),
                shape: Some(Shape::Cylinder { radius: Number::si(radius), length: Number::si(width) }),
                mass: Some(axle.wheel_mass.clone()),
                inertia: Some(Tensor::si([[across, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, about]])),
                material: Some(Spanned::new(0..0, super::TIRE_MATERIAL.to_string())),
                hidden: Some(true),
                visuals: Some(vec![Spanned::new(0..0, look(radius, width))]),
                ..Body::default()
            };
            let place = WheelPlace { wheel, at, side: *side, half_track: 0.5 * track.unwrap_or(0.0), mass };
            let joint = self.suspended(&place, axle, on, p)?;
            self.add(wheel, axle.tire.span(), on, (body, joint), p);
        }
        if let (Some(stiffness), [(left, _), (right, _)]) = (&axle.anti_roll, &wheels[..]) {
            self.anti_roll((name, [left, right]), axle, stiffness, (on, p))?;
        }
        Some(spin)
    }

    /// Adds a shaft with its spin.
    fn shaft(
        &mut self,
        name: &Spanned<String>,
        (shaft, spin): (&Shaft, f64),
        on: &Mount<'_>,
        p: &mut Problems,
    ) -> Option<()> {
        let inertia = p.number("inertia", &shaft.inertia);
        let axis = match &shaft.axis {
            Some(axis) => p.direction("axis", axis),
            None => Some(DVec3::X),
        };
        p.number_given("mass", &shaft.mass)?;
        let (about, axis) = (inertia?, axis?);
        if !(about > 0.0) {
            p.advise(shaft.inertia.span(), format!("an `inertia` of {about} kg·m²"), "give one above 0");
            return None;
        }
        let turned = math::unit(on.orientation * math::facing(axis));
        let body = Body {
            position: Some(given(on.at)),
            orientation: Some(Numbers::si(&[turned.w, turned.x, turned.y, turned.z])),
            velocity: Some(given(on.velocity[0])),
            angular_velocity: Some(given(on.velocity[1] + on.direction(axis) * spin)),
            mass: Some(shaft.mass.clone().unwrap_or_else(|| Number::si(SHAFT_MASS))),
            inertia: Some(Tensor::si([[about, 0.0, 0.0], [0.0, about, 0.0], [0.0, 0.0, about]])),
            ..Body::default()
        };
        let at = on.at;
        let hinge = hinge(self.pair([&on.entry.name, &self.full(name.get_ref())]), at, on.direction(axis));
        let joint = Joint { hinge: Some(Box::new(hinge)), ..Joint::default() };
        self.add(name.get_ref(), name.span(), on, (body, joint), p);
        Some(())
    }
}

/// A wheel as it is drawn.
fn look(radius: f64, width: f64) -> Visual {
    let model = Model::Wheel { radius: Number::si(radius), width: Number::si(width), rim: None };
    Visual {
        shape: None,
        model: Some(model),
        at: None,
        orientation: None,
        rotation: None,
        material: None,
        color: None,
    }
}

/// Completes the speeds of shafts: those that turn with others, then those of engines at idle, then the rest again.
fn complete(components: &[&Component], spins: &mut BTreeMap<String, f64>) {
    let mut silent = Problems::default();
    for idles in [false, true] {
        for component in components.iter().filter(|_| idles) {
            if let Component::Engine(engine) = component
                && engine.running.unwrap_or(true)
                && let Some(idle) = engine.idle.as_ref().and_then(|idle| silent.number("idle", idle))
            {
                spins.entry(engine.shaft.get_ref().clone()).or_insert(idle);
            }
        }
        // each round completes a shaft, or is the last
        while components.iter().any(|component| connect(component, spins, &mut silent)) {}
    }
}

/// The gear at the start: an automatic starts in the one that it would have at the speed of its output without throttle.
fn starting_gear(gearbox: &Gearbox, output: Option<f64>, p: &mut Problems) -> i64 {
    let given = gearbox.gear.as_ref().map(|gear| *gear.get_ref());
    let by_speed = || {
        let up = p.numbers("up", &gearbox.automatic.as_ref()?.up)?.first().copied()?;
        let (ratios, output) = (p.numbers("ratios", &gearbox.ratios)?, output?);
        let fits = ratios.iter().position(|ratio| ratio * output <= up);
        Some(fits.map_or(ratios.len(), |k| k + 1) as i64)
    };
    let is_range = gearbox.range.as_ref().is_some_and(|range| *range.get_ref());
    let usual = if is_range { gearbox.ratios.count() as i64 } else { 1 };
    given.or_else(by_speed).unwrap_or(usual)
}

/// Completes the speed of one shaft of a component that fixes it; false if there is none.
fn connect(component: &Component, spins: &mut BTreeMap<String, f64>, p: &mut Problems) -> bool {
    let (known, ratio) = match component {
        Component::Gear(gear) => (&gear.shafts, p.number("ratio", &gear.ratio)),
        Component::Gearbox(gearbox) => {
            let output = spins.get(gearbox.shafts[1].get_ref()).copied();
            let gear = starting_gear(gearbox, output, p);
            let ratios = p.numbers("ratios", &gearbox.ratios);
            let forward = usize::try_from(gear - 1).ok().and_then(|k| ratios?.get(k).copied());
            (&gearbox.shafts, forward)
        }
        Component::Differential(differential) => {
            let [a, b] = differential.outputs.each_ref().map(|shaft| spins.get(shaft.get_ref()).copied());
            let (Some(a), Some(b)) = (a, b) else { return false };
            let ratio = p.number_or("ratio", &differential.ratio, 1.0);
            let split = p.number_or("split", &differential.split, 0.5);
            let input = differential.shaft.get_ref();
            let numbers = ratio.zip(split).filter(|_| !spins.contains_key(input));
            let Some((ratio, split)) = numbers else { return false };
            spins.insert(input.clone(), ratio * (split * a + (1.0 - split) * b));
            return true;
        }
        _ => return false,
    };
    let Some(ratio) = ratio.filter(|ratio| *ratio != 0.0) else { return false };
    let [input, output] = known.each_ref().map(|shaft| shaft.get_ref());
    match (spins.get(input).copied(), spins.get(output).copied()) {
        (None, Some(speed)) => spins.insert(input.clone(), ratio * speed).is_none(),
        (Some(speed), None) => spins.insert(output.clone(), speed / ratio).is_none(),
        _ => false,
    }
}
