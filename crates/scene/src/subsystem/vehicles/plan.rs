//! A vehicle of the text, with the ids of its bodies → a vehicle of the subsystem.

use super::brake::wheel_brake;
use super::driveline::Train;
use super::hydraulics::Plumbing;
use super::parts::find_tire;
use super::tire::Tire;
use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::files::Files;
use crate::material::Materials;
use crate::suggestion;
use crate::text::input::VehicleCommand;
use crate::text::tire::Tire as TireText;
use crate::text::vehicle::{Steering as SteeringText, SteeringMode as ModeText, Vehicle as Text, wheels_of};
use glam::{DVec2, DVec3};
use toml::Spanned;
use windlass_engine::prelude::{BodyId, Edit, InputId, Model, SubsystemEdit, World};
use windlass_vehicle::driveline::Component;
use windlass_vehicle::hydraulics::{Actuator, Circuit};
use windlass_vehicle::wheel::CARCASS_DAMPING;
use windlass_vehicle::{Shaft, Signal, Source, Steering, SteeringMode, Vehicle, Vehicles, Wheel};

/// Material of tyres, and that of the road for which their parameters hold.
pub(crate) const REFERENCE: [&str; 2] = [super::TIRE_MATERIAL, "asphalt"];

/// What all vehicles of a scene share.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub tires: &'a [Entry<TireText>],
    pub files: &'a dyn Files,
    pub materials: &'a Materials,
    pub model: &'a Model,
}

/// A body of a vehicle: its id, and its position in the axes of the chassis [m].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub id: BodyId,
    pub position: DVec3,
}

/// The bodies of a vehicle.
pub(crate) struct Members {
    pub chassis: BodyId,
    /// Wheels of its axles, each with the body on which it is mounted, in the order of the text.
    pub axle_wheels: Vec<(Member, BodyId)>,
    /// Its other wheels, each with its housing, in the order of the text.
    pub wheels: Vec<(Member, BodyId)>,
    /// Its shafts, in the order of the text.
    pub shafts: Vec<BodyId>,
}

/// The commands of inputs to a vehicle.
#[derive(Default)]
pub(crate) struct Commands {
    pub driver: Vec<(VehicleCommand, Source)>,
    /// Those to single components, by name.
    pub components: Vec<(Spanned<String>, VehicleCommand, Source)>,
    /// Those to its hydraulic valves, by name.
    pub valves: Vec<(String, Source)>,
}

/// The source of a command that an input gives, times a factor.
pub(crate) fn from_input(input: InputId, factor: f64) -> Source {
    Source::Input(input, factor)
}

/// The vehicle; errors are reported.
pub(crate) fn vehicle(
    entry: &Entry<Text>,
    members: &Members,
    shared: Shared<'_>,
    commands: Commands,
    p: &mut Problems,
) -> Option<Vehicle> {
    let text = &entry.value;
    let mut plan =
        Plan { shared, wheels: Vec::new(), shafts: Vec::new(), steered: Vec::new(), straight: Vec::new() };
    let mut brakes = Vec::new();
    let mut members_of_axles = members.axle_wheels.iter();
    for (name, axle) in text.axles.iter().flatten() {
        for (wheel, side) in wheels_of(name.get_ref(), axle.track.is_some()) {
            let (member, housing) = members_of_axles.next()?;
            let shaft = plan.shafts.len();
            if let Some(brake) = axle.brake.as_ref().and_then(|brake| wheel_brake(shaft, brake, p)) {
                brakes.push((format!("{wheel}.brake"), brake));
            }
            let steered = axle.steered == Some(true);
            plan.wheel(wheel, (*member, *housing), &axle.tire, (side < 0.0, steered), p)?;
        }
    }
    for ((name, wheel), (member, housing)) in text.wheels.iter().flatten().zip(&members.wheels) {
        let axis = wheel.axis.as_ref().map_or(Some(DVec3::Z), |axis| p.direction("axis", axis));
        let sides = (wheel.right == Some(true), wheel.steered == Some(true));
        plan.wheel(name.get_ref().clone(), (*member, *housing), &wheel.tire, sides, p)?;
        let axis = axis?;
        plan.wheels.last_mut()?.axis = axis;
        plan.shafts.last_mut()?.axis = axis;
    }
    let shafts = text.shafts.iter().flatten().zip(&members.shafts);
    plan.shafts.extend(shafts.map(|((name, _), body)| Shaft {
        name: name.get_ref().clone(),
        body: *body,
        axis: DVec3::Z,
        housing: members.chassis,
    }));
    let named = plan.shafts.len();
    let model = shared.model;
    let mut plumbing = Plumbing { entry, model, shafts: &mut plan.shafts, commands: &commands.valves };
    let circuits = plumbing.circuits(p)?;
    let mut components = brakes;
    components.extend(train(text, &plan.shafts[..named], p)?);
    all_connected(text, (&plan.shafts, &components, &circuits), model, p)?;
    let steering = match &text.steering {
        Some(steering) => Some(plan.steering(steering, members.chassis, p)?),
        None => {
            plan.refuse_steered(entry, p)?;
            None
        }
    };
    let own = text
        .commands
        .iter()
        .flatten()
        .map(|(command, value)| Some((*command, Source::Constant(p.number("command", value)?))));
    let own: Vec<_> = own.collect();
    let own_controls = component_controls(&components, commands.components, p)?;
    let controls = own.into_iter().collect::<Option<Vec<_>>>()?.into_iter().chain(commands.driver);
    Some(Vehicle {
        name: entry.name.clone(),
        chassis: members.chassis,
        ahead: DVec3::X,
        shafts: plan.shafts,
        components,
        circuits,
        wheels: plan.wheels,
        steering,
        controls: controls.map(|(command, source)| (signal(command), source)).collect(),
        own_controls,
    })
}

/// Every shaft of the text has a component, a pump or motor of a circuit or a joint besides its bearing, and that of an engine
/// or electric motor leads on to another one. Problems are reported.
fn all_connected(
    text: &Text,
    (shafts, components, circuits): (&[Shaft], &[(String, Component)], &[Circuit]),
    model: &Model,
    p: &mut Problems,
) -> Option<()> {
    let mut is_sound = true;
    for name in text.shafts.iter().flatten().map(|(name, _)| name) {
        let Some(number) = shafts.iter().position(|shaft| shaft.name == *name.get_ref()) else { continue };
        let on_it = || components.iter().filter(|(_, c)| c.shafts().contains(&number));
        let in_circuits = circuits.iter().flat_map(Circuit::shafts).filter(|shaft| *shaft == number).count();
        let body = shafts[number].body;
        let joints = model
            .joints()
            .iter()
            .filter(|(_, joint)| joint.constraint().anchors().iter().any(|a| a.body == body));
        let others = in_circuits + joints.count().saturating_sub(1);
        let name_of = name.get_ref();
        if on_it().count() + others == 0 {
            let help = "leave it out, or name it in a component";
            p.advise(name.span(), format!("no component has the shaft \"{name_of}\""), help);
            is_sound = false;
        }
        let drives = |component: &Component| matches!(component, Component::Engine(_) | Component::Motor(_));
        let only = on_it().next().filter(|(_, component)| drives(component));
        if let (Some((driving, _)), true) = (only, on_it().count() + others == 1) {
            let message =
                format!("\"{driving}\" drives nothing: its shaft \"{name_of}\" has no other component");
            let help = "connect it by a clutch, torque_converter, gearbox or gear, or load it by a brake";
            p.advise(name.span(), message, help);
            is_sound = false;
        }
    }
    is_sound.then_some(())
}

/// The sources of commands to single components, which must have these commands.
fn component_controls(
    components: &[(String, Component)],
    commands: Vec<(Spanned<String>, VehicleCommand, Source)>,
    p: &mut Problems,
) -> Option<Vec<(usize, Signal, Source)>> {
    let mut found = Vec::new();
    let count = commands.len();
    for (name, command, source) in commands {
        let (text, signal) = (name.get_ref().as_str(), signal(command));
        let known = || components.iter().map(|(name, _)| name.as_str());
        let Some(number) = known().position(|other| other == text) else {
            let help = match suggestion::nearest(text, known()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("give one of {}", crate::decode::list(&known().collect::<Vec<_>>())),
            };
            let message = format!("the vehicle has no component \"{}\"", suggestion::shortened(text));
            p.advise(name.span(), message, help);
            continue;
        };
        let has = components[number].1.signals();
        if !has.contains(&signal) {
            let help = match has.first() {
                Some(_) => format!(
                    "give {}",
                    has.iter().map(|signal| format!("`{}`", signal.name())).collect::<Vec<_>>().join(" or ")
                ),
                None => "leave the drive out: it has no commands".to_string(),
            };
            let message = format!("component \"{text}\" has no command `{}`", signal.name());
            p.advise(name.span(), message, help);
            continue;
        }
        found.push((number, signal, source));
    }
    (found.len() == count).then_some(found)
}

/// The components of the text.
fn train(text: &Text, shafts: &[Shaft], p: &mut Problems) -> Option<Vec<(String, Component)>> {
    let mut train = Train::new(shafts.iter().map(|shaft| shaft.name.as_str()));
    let components = text.components.iter().flatten();
    let all: Vec<_> = components
        .map(|(name, component)| Some((name.get_ref().clone(), train.component(name, component, p)?)))
        .collect();
    all.into_iter().collect()
}

/// A vehicle in progress.
struct Plan<'a> {
    shared: Shared<'a>,
    wheels: Vec<Wheel>,
    shafts: Vec<Shaft>,
    /// Steered wheels: index and position in the axes of the chassis.
    steered: Vec<(usize, DVec2)>,
    /// Positions ahead of wheels that are not steered [m].
    straight: Vec<f64>,
}

impl Plan<'_> {
    fn wheel(
        &mut self,
        name: String,
        (member, housing): (Member, BodyId),
        tire: &Spanned<String>,
        (right, steered): (bool, bool),
        p: &mut Problems,
    ) -> Option<()> {
        let tire = Tire::read(find_tire(tire, self.shared.tires, p)?, self.shared.files, p)?;
        let (model, vertical) = tire.mounted(right);
        match steered {
            true => self.steered.push((self.wheels.len(), member.position.truncate())),
            false => self.straight.push(member.position.x),
        }
        let [own, road] = REFERENCE;
        let reference = self.shared.materials.pair(own, road);
        let axis = DVec3::Z;
        self.shafts.push(Shaft { name: name.clone(), body: member.id, axis, housing });
        self.wheels.push(Wheel {
            name,
            body: member.id,
            collider: 0,
            axis,
            tire: model,
            vertical,
            rolling_resistance: tire.rolling_resistance,
            reference_friction: reference.map_or(0.0, |pair| pair.friction.at_rest),
            pressure: tire.pressure,
            carcass_damping: CARCASS_DAMPING,
        });
        Some(())
    }

    fn refuse_steered(&self, entry: &Entry<Text>, p: &mut Problems) -> Option<()> {
        if self.steered.is_empty() {
            return Some(());
        }
        let message = format!("vehicle \"{}\" has steered wheels but no `steering`", entry.name);
        p.advise(entry.span.clone(), message, "add steering = { max_angle = \"35 deg\" }");
        None
    }

    fn steering(&self, text: &Spanned<SteeringText>, chassis: BodyId, p: &mut Problems) -> Option<Steering> {
        let (steering, span) = (text.get_ref(), text.span());
        if self.steered.is_empty() {
            let help = "set steered = true for an axle or a wheel, or leave `steering` out";
            p.advise(span, "`steering` of a vehicle without steered wheels", help);
            return None;
        }
        let max_angle = p.number("max_angle", &steering.max_angle);
        let line = p.number_given("turning_line", &steering.turning_line);
        let ackermann = p.number_or("ackermann", &steering.ackermann, 1.0);
        let torque = p.number_or("torque", &steering.torque, f64::INFINITY);
        let rate = p.number_or("rate", &steering.rate, f64::INFINITY);
        let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
        let ahead: Vec<f64> = self.steered.iter().map(|(_, at)| at.x).collect();
        let line =
            line?.unwrap_or_else(|| mean(if self.straight.is_empty() { &ahead } else { &self.straight }));
        let farthest = ahead.iter().map(|x| (x - line).abs()).fold(0.0, f64::max);
        let max_angle = max_angle?;
        if !(max_angle > 0.0 && max_angle < std::f64::consts::FRAC_PI_2) {
            let help = "give more than 0 and less than 90 deg";
            p.advise(steering.max_angle.span(), format!("a `max_angle` of {max_angle} rad"), help);
            return None;
        }
        if !(farthest > 0.0) {
            let help = "give `turning_line` a position other than that of the steered wheels";
            p.advise(span, "all steered wheels are on the turning line", help);
            return None;
        }
        Some(Steering {
            chassis,
            axes: [DVec3::X, DVec3::Y],
            mode: match steering.mode {
                None | Some(ModeText::Ackermann) => SteeringMode::Ackermann,
                Some(ModeText::Crab) => SteeringMode::Crab,
                Some(ModeText::Pivot) => SteeringMode::Pivot,
            },
            max_angle,
            curvature: libm::tan(max_angle) / farthest,
            ackermann: ackermann?,
            torque: torque?,
            rate: rate?,
            wheels: self.steered.iter().map(|(k, at)| (*k, *at - DVec2::new(line, 0.0))).collect(),
        })
    }
}

fn signal(command: VehicleCommand) -> Signal {
    match command {
        VehicleCommand::Throttle => Signal::Throttle,
        VehicleCommand::Brake => Signal::Brake,
        VehicleCommand::ParkingBrake => Signal::Parking,
        VehicleCommand::Clutch => Signal::Clutch,
        VehicleCommand::Steer => Signal::Steer,
        VehicleCommand::Gear => Signal::Gear,
        VehicleCommand::Ignition => Signal::Ignition,
        VehicleCommand::Lock => Signal::Lock,
        VehicleCommand::Stroke => Signal::Stroke,
        VehicleCommand::Retarder => Signal::Retarder,
        VehicleCommand::SteeringMode => Signal::SteeringMode,
        VehicleCommand::PowerTakeOff => Signal::PowerTakeOff,
        VehicleCommand::Range => Signal::Range,
    }
}

/// The edit that gives a world these vehicles.
pub(crate) fn edit(list: Vec<Vehicle>) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<Vehicles>(Vehicles::set(list)))
}

/// The vehicles of a world.
fn list(world: &World) -> &[Vehicle] {
    Vehicles::of(world).map_or(&[][..], |(vehicles, _)| &vehicles.list)
}

/// The edit that gives a world the vehicles of another one, with the ids of its own bodies and inputs; none if it has
/// them already. `same` tells that the texts do not differ.
pub(crate) fn change(
    world: &World,
    after: &World,
    same: bool,
    body: impl Fn(BodyId) -> BodyId,
    input: impl Fn(InputId) -> InputId,
) -> Option<Edit> {
    let mut wanted = list(after).to_vec();
    for vehicle in &mut wanted {
        vehicle.chassis = body(vehicle.chassis);
        vehicle.shafts.iter_mut().for_each(|shaft| {
            (shaft.body, shaft.housing) = (body(shaft.body), body(shaft.housing));
        });
        vehicle.wheels.iter_mut().for_each(|wheel| wheel.body = body(wheel.body));
        vehicle.steering.iter_mut().for_each(|steering| steering.chassis = body(steering.chassis));
        let rebind = |source: &mut Source| {
            if let Source::Input(id, _) = source {
                *id = input(*id);
            }
        };
        vehicle.controls.iter_mut().for_each(|(_, source)| rebind(source));
        vehicle.own_controls.iter_mut().for_each(|(_, _, source)| rebind(source));
        for section in vehicle.circuits.iter_mut().flat_map(|circuit| &mut circuit.sections) {
            section.valve.command.iter_mut().for_each(rebind);
            if let Actuator::Cylinder(cylinder) = &mut section.actuator {
                cylinder.anchors.iter_mut().for_each(|anchor| anchor.body = body(anchor.body));
            }
        }
    }
    let now = list(world);
    let same_friction = |(a, b): (&Wheel, &Wheel)| a.reference_friction == b.reference_friction;
    let is_kept = |(a, b): (&Vehicle, &Vehicle)| {
        let same_wheels = a.wheels.iter().zip(&b.wheels).all(same_friction);
        let same_controls = a.controls == b.controls && a.own_controls == b.own_controls;
        a.bodies().eq(b.bodies()) && same_controls && a.circuits == b.circuits && same_wheels
    };
    let kept = same && now.len() == wanted.len() && now.iter().zip(&wanted).all(is_kept);
    (!kept).then(|| edit(wanted))
}
