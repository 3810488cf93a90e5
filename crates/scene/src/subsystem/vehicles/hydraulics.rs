//! Hydraulic circuits of the text → circuits of the vehicle crate. Cylinders and motors take their geometry from joints
//! of the world.

use crate::decode;
use crate::error::Problems;
use crate::expand::entry::Entry;
use crate::number::Number;
use crate::suggestion;
use crate::text::hydraulics as text;
use crate::text::vehicle::Vehicle as Text;
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{Drive, Joint, JointKind, Model};
use windlass_vehicle::hydraulics::{Accumulator, Actuator, Circuit, Cylinder, Pump, Section, Valve};
use windlass_vehicle::{Shaft, Source};

/// Pressure of a pump above that of the highest load, unless given [Pa].
const MARGIN: f64 = 20e5;
/// Relief pressure of the ports by that of the pump, unless given: 10 to 20 % above it is usual.
const PORT_RELIEF: f64 = 1.15;
/// Largest rate of a spool, unless given [1/s]: 0.2 s from neutral to full, as of pilot-operated valves.
const SPOOL_RATE: f64 = 5.0;
/// Polytropic exponent of nitrogen without exchange of heat.
const ADIABATIC: f64 = 1.4;

/// The circuits in progress of one vehicle.
pub(super) struct Plumbing<'a> {
    pub entry: &'a Entry<Text>,
    pub model: &'a Model,
    /// Shafts of the vehicle, to which those of motors on joints are added.
    pub shafts: &'a mut Vec<Shaft>,
    /// Commands of valves by inputs.
    pub commands: &'a [(String, Source)],
}

impl Plumbing<'_> {
    /// All circuits; errors are reported.
    pub fn circuits(&mut self, p: &mut Problems) -> Option<Vec<Circuit>> {
        let text = self.entry.value.hydraulics.iter().flatten();
        let mut valves: Vec<&str> = Vec::new();
        let mut all = Vec::new();
        for (name, circuit) in text {
            for valve in circuit.get_ref().valves.keys() {
                if valves.contains(&valve.get_ref().as_str()) {
                    let message = format!("the vehicle has two valves \"{}\"", valve.get_ref());
                    p.advise(valve.span(), message, "rename one of them: inputs drive valves by name");
                    return None;
                }
                valves.push(valve.get_ref());
            }
            all.push(self.circuit(name.get_ref(), circuit, p));
        }
        all.into_iter().collect()
    }

    fn circuit(
        &mut self,
        name: &str,
        circuit: &Spanned<text::Hydraulics>,
        p: &mut Problems,
    ) -> Option<Circuit> {
        let text = circuit.get_ref();
        let pump = self.pump(&text.pump, p);
        let relief = p.number("relief", &text.relief);
        let margin = p.number_or("margin", &text.margin, MARGIN);
        if text.valves.is_empty() {
            let help = "give valves = { NAME = { flow = …, cylinder = { … } } }";
            p.advise(circuit.span(), format!("circuit \"{name}\" has no valves"), help);
            return None;
        }
        let (pump, relief, margin) = (pump?, relief?, margin?);
        let sections: Vec<_> =
            text.valves.iter().map(|(name, valve)| self.section(name.get_ref(), valve, relief, p)).collect();
        let sections = sections.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Circuit { name: name.to_string(), pump, relief, margin, sections })
    }

    fn pump(&self, pump: &Spanned<text::HydraulicPump>, p: &mut Problems) -> Option<Pump> {
        let text = pump.get_ref();
        let displacement = p.number_given("displacement", &text.displacement)?;
        let flow = p.number_given("flow", &text.flow)?;
        match (&text.shaft, displacement, flow) {
            (Some(shaft), Some(displacement), flow) => {
                let shaft = self.shaft(shaft, p)?;
                Some(Pump::Shaft { shaft, displacement, flow: flow.unwrap_or(f64::INFINITY) })
            }
            (None, None, Some(flow)) => Some(Pump::Flow(flow)),
            (shaft, ..) => {
                let message = match shaft {
                    Some(_) => "a pump on a shaft without `displacement`",
                    None => "a pump without `shaft` needs a `flow` and has no `displacement`",
                };
                let help = "give pump = { shaft = \"NAME\", displacement = \"45 cm^3\" }, or pump = { flow = \"60 l/min\" }";
                p.advise(pump.span(), message, help);
                None
            }
        }
    }

    fn shaft(&self, name: &Spanned<String>, p: &mut Problems) -> Option<usize> {
        let known: Vec<&str> = self.shafts.iter().map(|shaft| shaft.name.as_str()).collect();
        let found = known.iter().position(|shaft| shaft == name.get_ref());
        if found.is_none() {
            let help = match suggestion::nearest(name.get_ref(), known.iter().copied()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if known.is_empty() => "define it under `shafts` of the vehicle".to_string(),
                None => format!("define it under `shafts`, or give one of {}", decode::list(&known)),
            };
            p.advise(name.span(), format!("no shaft \"{}\"", suggestion::shortened(name.get_ref())), help);
        }
        found
    }

    fn section(
        &mut self,
        name: &str,
        valve: &Spanned<text::HydraulicValve>,
        relief: f64,
        p: &mut Problems,
    ) -> Option<Section> {
        let text = valve.get_ref();
        let command = self.commands.iter().filter(|(valve, _)| valve == name).map(|(_, source)| *source);
        let command = command.collect();
        let flow = p.number("flow", &text.flow);
        let deadband = p.number_or("deadband", &text.deadband, 0.0);
        let rate = p.number_or("rate", &text.rate, SPOOL_RATE);
        let port_relief = p.number_or("port_relief", &text.port_relief, PORT_RELIEF * relief);
        let accumulator = text.accumulator.as_ref().map(|gas| accumulator(gas, p));
        let actuator = match (&text.cylinder, &text.motor) {
            (Some(cylinder), None) => self.cylinder(cylinder, p),
            (None, Some(motor)) => self.motor(name, motor, p),
            _ => {
                let help = "give one of cylinder = { joint = \"NAME\", bore = … } and motor = { joint = \"NAME\", … }";
                p.advise(valve.span(), format!("valve \"{name}\" has no actuator, or two"), help);
                None
            }
        };
        let (friction, leakage, bulk_modulus) = match &text.cylinder {
            Some(cylinder) => (
                p.number_or("friction", &cylinder.friction, 0.0)?,
                p.number_or("leakage", &cylinder.leakage, 0.0)?,
                p.number_given("bulk_modulus", &cylinder.bulk_modulus)?,
            ),
            None => (0.0, 0.0, None),
        };
        let section = Section {
            name: name.to_string(),
            actuator: actuator?,
            valve: Valve { flow: flow?, deadband: deadband?, rate: rate?, command },
            port_relief: port_relief?,
            friction,
            leakage,
            bulk_modulus,
            accumulator: accumulator.map_or(Some(None), |gas| gas.map(Some))?,
        };
        if section.accumulator.is_some() && text.motor.is_some() {
            let help = "leave it out: accumulators are for cylinders";
            p.advise(valve.span(), format!("valve \"{name}\" has an `accumulator` beside a `motor`"), help);
            return None;
        }
        match section.problem() {
            Some(problem) => {
                p.push(valve.span(), format!("valve \"{name}\": {problem}"), None);
                None
            }
            None => Some(section),
        }
    }

    /// The joint of a name, and whether it is free to be moved.
    fn joint(&self, name: &Spanned<String>, kind: &str, p: &mut Problems) -> Option<&Joint> {
        let joints = || self.model.joints().iter().map(|(_, joint)| joint);
        let found =
            self.entry.group.outward(name.get_ref(), |name| joints().find(|joint| joint.name == name));
        if found.is_none() {
            let names = joints().map(|joint| joint.name.as_str()).take(suggestion::MOST);
            let help = match suggestion::nearest(name.get_ref(), names) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("define it as [joints.NAME.{kind}]"),
            };
            p.advise(name.span(), format!("no joint \"{}\"", suggestion::shortened(name.get_ref())), help);
        }
        found
    }

    fn cylinder(&self, text: &text::HydraulicActuator, p: &mut Problems) -> Option<Actuator> {
        let joint = self.joint(&text.joint, "distance", p);
        let bore = p.number("bore", &text.bore);
        let rod = p.number_given("rod", &text.rod);
        let cushion = p.number_or("cushion", &text.cushion, 0.0);
        let name = text.joint.get_ref();
        let JointKind::Distance(distance) = &joint?.kind else {
            let help = "name a `distance` joint with `min` and `max`, the lengths of the cylinder";
            p.advise(text.joint.span(), format!("joint \"{name}\" is no `distance`"), help);
            return None;
        };
        let limits = distance.axis.limits.filter(|l| l.low > 0.0 && l.high < f64::INFINITY);
        let is_free = distance.axis.drive == Drive::Free && distance.axis.spring.is_none();
        let (true, Some(limits)) = (is_free, limits) else {
            let message = format!("joint \"{name}\" is not free to move between two lengths");
            let help = "give it `min` and `max`, the lengths of the cylinder, and no drive or spring";
            p.advise(text.joint.span(), message, help);
            return None;
        };
        let (bore, rod) = (bore?, rod?.unwrap_or(0.5 * bore?));
        if !(rod < bore) {
            let span = text.rod.as_ref().map_or(text.bore.span(), Number::span);
            let message = format!("a rod of {rod} m in a bore of {bore} m leaves no area on the rod side");
            p.advise(span, message, "give a `rod` below `bore`");
            return None;
        }
        Some(Actuator::Cylinder(Cylinder {
            anchors: distance.anchors,
            areas: Cylinder::areas(bore, rod),
            stroke: [limits.low, limits.high],
            cushion: cushion?,
        }))
    }

    fn motor(&mut self, name: &str, text: &text::HydraulicMotor, p: &mut Problems) -> Option<Actuator> {
        let displacement = p.number("displacement", &text.displacement);
        let ratio = p.number_or("ratio", &text.ratio, 1.0);
        let (displacement, ratio) = (displacement?, ratio?);
        if ratio == 0.0 {
            let span = text.ratio.as_ref().map_or(0..0, Number::span);
            p.advise(span, "the `ratio` is 0", "give a number other than 0");
            return None;
        }
        let shaft = match (&text.joint, &text.shaft) {
            (Some(joint), None) => self.joint_shaft(name, joint, p)?,
            (None, Some(shaft)) => self.shaft(shaft, p)?,
            _ => {
                let span = text.joint.as_ref().or(text.shaft.as_ref()).map_or_else(
                    || text.displacement.span(),
                    |name: &Spanned<String>| -> Range<usize> { name.span() },
                );
                let help = "give joint = \"NAME\" for a hinge, or shaft = \"NAME\"";
                p.advise(span, "a motor needs either a `joint` or a `shaft`", help);
                return None;
            }
        };
        if ratio < 0.0 {
            // a shaft that turns the other way, for this motor alone
            let reversed = Shaft { axis: -self.shafts[shaft].axis, ..self.shafts[shaft].clone() };
            self.shafts.push(reversed);
            let shaft = self.shafts.len() - 1;
            return Some(Actuator::Motor { shaft, displacement: displacement * -ratio });
        }
        Some(Actuator::Motor { shaft, displacement: displacement * ratio })
    }

    /// Adds the shaft of a hinge.
    fn joint_shaft(&mut self, name: &str, joint: &Spanned<String>, p: &mut Problems) -> Option<usize> {
        let found = self.joint(joint, "hinge", p)?;
        let hinge = match &found.kind {
            JointKind::Hinge(hinge) if hinge.axis.drive == Drive::Free => hinge,
            _ => {
                let message = format!("joint \"{}\" is no `hinge` without a drive", joint.get_ref());
                p.advise(joint.span(), message, "name a `hinge` without motor, servo or lock");
                return None;
            }
        };
        let [housing, body] = hinge.anchors;
        let axis = body.turn * DVec3::Z;
        let shaft = Shaft { name: name.to_string(), body: body.body, axis, housing: housing.body };
        self.shafts.push(shaft);
        Some(self.shafts.len() - 1)
    }
}

fn accumulator(text: &text::GasAccumulator, p: &mut Problems) -> Option<Accumulator> {
    let (volume, precharge) = (p.number("volume", &text.volume), p.number("precharge", &text.precharge));
    let exponent = p.number_or("exponent", &text.exponent, ADIABATIC);
    let start = p.number_or("pressure", &text.pressure, precharge.unwrap_or(0.0));
    Some(Accumulator { volume: volume?, precharge: precharge?, exponent: exponent?, start: start? })
}
