//! Inputs and script of the text become inputs of the world, and controls for a panel.

use super::Builder;
use crate::control::Control;
use crate::number::{Bounds, Open};
use crate::suggestion;
use crate::text::input::{DriveQuantity, Input as Text, InputDrive, ScriptEntry};
use crate::text::vehicle::Vehicle;
use crate::text::{Entry, Scene};
use crate::units::{Dimension, dimension};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{Binding, Command, Drive, Input, Joint, JointId, JointKind, Model, Script};

/// Maximum number of drives of one input.
const MOST_DRIVES: usize = 64;

const SECOND: Dimension = dimension(0, 0, 1, 0);

/// Keys other than letters and digits.
const KEYS: [&str; 35] = [
    "Up",
    "Down",
    "Left",
    "Right",
    "Space",
    "Enter",
    "Tab",
    "Backspace",
    "Shift",
    "Control",
    "Alt",
    "PageUp",
    "PageDown",
    "Home",
    "End",
    "Insert",
    "Delete",
    "Plus",
    "Minus",
    "Comma",
    "Period",
    "Slash",
    "Semicolon",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
];

/// The joints that inputs may drive.
pub struct Drives<'a> {
    /// Those of the scene, by name; none for an invalid one, which has been reported.
    pub joints: BTreeMap<&'a str, Option<JointId>>,
    /// The vehicles of the scene, and their hydraulic valves.
    pub vehicles: BTreeMap<&'a str, Vec<&'a str>>,
    /// Their ids.
    pub model: &'a Model,
}

impl<'a> Drives<'a> {
    /// The joints of a scene that has just been built.
    pub fn of(scene: &'a Scene, model: &'a Model) -> Drives<'a> {
        let vehicles = valves(scene);
        let mut joints: BTreeMap<&str, Option<JointId>> =
            scene.joints.iter().map(|entry| (entry.name.as_str(), None)).collect();
        for (place, joint) in model.joints().iter() {
            // the first of a name: ropes, which are joints as well, come later
            if let Some(id) = joints.get_mut(joint.name.as_str()) {
                *id = id.or(model.joints().id(place));
            }
        }
        Drives { joints, vehicles, model }
    }
}

/// The names of all vehicles, and of their hydraulic valves.
pub fn valves(scene: &Scene) -> BTreeMap<&str, Vec<&str>> {
    scene.vehicles.iter().map(|entry| (entry.name.as_str(), valves_of(&entry.value))).collect()
}

fn valves_of(vehicle: &Vehicle) -> Vec<&str> {
    let circuits = vehicle.hydraulics.iter().flatten().map(|(_, circuit)| circuit.get_ref());
    circuits.flat_map(|circuit| circuit.valves.keys()).map(|name| name.get_ref().as_str()).collect()
}

/// An input for the engine and for a panel.
pub struct Lever {
    pub input: Input,
    pub control: Control,
    /// Dimension of its values.
    dimension: Dimension,
}

/// Keys and axes in use, and by which input.
#[derive(Default)]
struct Taken {
    keys: BTreeMap<String, String>,
    axes: BTreeMap<crate::text::input::Gamepad, String>,
}

impl Builder {
    /// All inputs in the order of the file, with their script; none for an invalid one, which is reported.
    pub fn inputs(
        &mut self,
        entries: &[Entry<Text>],
        script: &[Spanned<ScriptEntry>],
        drives: &Drives<'_>,
    ) -> Vec<Option<Lever>> {
        let mut taken = Taken::default();
        let mut levers = Vec::new();
        for entry in entries {
            self.enter(entry);
            self.check_keys(entry, &mut taken);
            levers.push(self.lever(entry, drives));
        }
        self.problems.instance = None;
        self.script(entries, script, &mut levers);
        levers
    }

    fn lever(&mut self, entry: &Entry<Text>, drives: &Drives<'_>) -> Option<Lever> {
        let text = &entry.value;
        let listed = text.drives.get_ref();
        if listed.is_empty() || listed.len() > MOST_DRIVES {
            let help = format!("give 1 to {MOST_DRIVES}: drives = [{{ joint = \"NAME\" }}]");
            let message = format!("input \"{}\" has {} drives", entry.name, listed.len());
            self.problems.advise(text.drives.span(), message, help);
            return None;
        }
        let mut twice = BTreeSet::new();
        let span = text.drives.span();
        let bound: Vec<_> =
            listed.iter().map(|driven| self.driven(driven, drives, &mut twice, &span)).collect();
        // the first drive sets the dimension of the values
        let dimension = bound[0].as_ref()?.1;
        let [low, high] = self.range(&text.range, dimension)?;
        let rest = match &text.rest {
            Some(rest) => self.problems.open("rest", rest, dimension, Bounds::Any)?,
            None => 0.0_f64.clamp(low, high),
        };
        if !(low..=high).contains(&rest) {
            let span = text.rest.as_ref().map_or(entry.span.clone(), Open::span);
            self.outside("rest", span, rest, [low, high]);
            return None;
        }
        let per_second = dimension.plus(SECOND, -1)?;
        let mut follows = |key: &str, given: &Option<Open>, other: f64| match given {
            Some(rate) => self.problems.open(key, rate, per_second, Bounds::Positive),
            None => Some(other),
        };
        let rate = follows("rate", &text.rate, f64::INFINITY)?;
        let stop_rate = follows("stop_rate", &text.stop_rate, rate)?;
        let bindings = bound.into_iter().map(|b| b.map(|b| b.0)).collect::<Option<Vec<_>>>()?;
        let bindings = bindings.into_iter().flatten().collect();
        let returns = text.self_centering.unwrap_or(true);
        let name = entry.name.clone();
        let script = Script::default();
        let input = Input { name, low, high, rest, rate, stop_rate, returns, bindings, script };
        let control = Control::new(&input, text, dimension);
        Some(Lever { input, control, dimension })
    }

    fn range(&mut self, range: &Spanned<Vec<Open>>, dimension: Dimension) -> Option<[f64; 2]> {
        let [low, high] = &range.get_ref()[..] else {
            let message = format!("the number of values in `range` is {}", range.get_ref().len());
            self.problems.advise(range.span(), message, "give two: [low, high]");
            return None;
        };
        let low = self.problems.open("range", low, dimension, Bounds::Any);
        let high = self.problems.open("range", high, dimension, Bounds::Any);
        let (low, high) = (low?, high?);
        if !(low < high) {
            let message = format!(
                "the range {} to {} is not in ascending order",
                suggestion::exact(low),
                suggestion::exact(high)
            );
            let help = "give [low, high] with low < high; to reverse a lever give a negative `factor`";
            self.problems.advise(range.span(), message, help);
            return None;
        }
        Some([low, high])
    }

    fn outside(&mut self, key: &str, span: Range<usize>, value: f64, [low, high]: [f64; 2]) {
        let help = format!(
            "give a value in the input's range, {} to {}",
            suggestion::exact(low),
            suggestion::exact(high)
        );
        self.problems.advise(span, format!("`{key}` is {}", suggestion::exact(value)), help);
    }

    /// The drive of an input, none for a command of a vehicle, and the dimension of the quantity it changes.
    fn driven(
        &mut self,
        driven: &InputDrive,
        drives: &Drives<'_>,
        twice: &mut BTreeSet<(usize, usize, u8)>,
        list: &Range<usize>,
    ) -> Option<(Option<Binding>, Dimension)> {
        let Some(vehicle) = &driven.vehicle else {
            let command = driven.command.as_ref().map(|command| ("command", command.span()));
            let component = driven.component.as_ref().map(|component| ("component", component.span()));
            let valve = driven.valve.as_ref().map(|valve| ("valve", valve.span()));
            if let Some((key, span)) = command.or(component).or(valve) {
                let help = format!("give the vehicle: {{ vehicle = \"NAME\", {key} = … }}");
                self.problems.advise(span, format!("a `{key}` without `vehicle`"), help);
                return None;
            }
            let (binding, dimension) = self.binding(driven, drives, twice, list)?;
            return Some((Some(binding), dimension));
        };
        let other = [
            driven.joint.as_ref().map(|name| ("joint", name.span())),
            driven.cable.as_ref().map(|name| ("cable", name.span())),
            driven.coordinate.as_ref().map(|c| ("coordinate", c.span())),
            driven.quantity.as_ref().map(|q| ("quantity", q.span())),
        ];
        if let Some((key, span)) = other.into_iter().flatten().next() {
            self.problems.advise(span, format!("`{key}` does not apply to a vehicle"), "leave it out");
            return None;
        }
        let Some(valves) = self.outward(vehicle.get_ref(), |name| drives.vehicles.get(name)) else {
            let near = suggestion::nearest(vehicle.get_ref(), drives.vehicles.keys().copied());
            let help = near.map_or_else(
                || "define it as [vehicles.NAME]".to_string(),
                |near| format!("did you mean \"{near}\"?"),
            );
            let message = format!("no vehicle \"{}\"", suggestion::shortened(vehicle.get_ref()));
            self.problems.advise(vehicle.span(), message, help);
            return None;
        };
        match (&driven.command, &driven.valve) {
            (Some(_), None) => {}
            (None, Some(valve)) => {
                if let Some(component) = &driven.component {
                    let message = "a `component` of the drive of a `valve`";
                    self.problems.advise(component.span(), message, "leave it out");
                    return None;
                }
                self.known_valve(valve, valves)?;
            }
            (None, None) => {
                let help = "give its command, { vehicle = \"NAME\", command = \"throttle\" }, or a hydraulic `valve`";
                self.problems.advise(vehicle.span(), "a drive of a vehicle without `command`", help);
                return None;
            }
            (Some(_), Some(valve)) => {
                let help = "give two drives";
                self.problems.advise(valve.span(), "a drive with both a `command` and a `valve`", help);
                return None;
            }
        }
        self.problems.number_or("factor", &driven.factor, 1.0)?;
        Some((None, Dimension::default()))
    }

    /// Reports a valve that its vehicle does not have.
    fn known_valve(&mut self, valve: &Spanned<String>, known: &[&str]) -> Option<()> {
        if known.contains(&valve.get_ref().as_str()) {
            return Some(());
        }
        let help = match suggestion::nearest(valve.get_ref(), known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if known.is_empty() => "define it under hydraulics.NAME.valves of the vehicle".to_string(),
            None => format!("give one of {}", crate::decode::list(known)),
        };
        let message = format!("the vehicle has no valve \"{}\"", suggestion::shortened(valve.get_ref()));
        self.problems.advise(valve.span(), message, help);
        None
    }

    /// The drive of a joint or a cable, and the dimension of the quantity it changes.
    fn binding(
        &mut self,
        driven: &InputDrive,
        drives: &Drives<'_>,
        twice: &mut BTreeSet<(usize, usize, u8)>,
        list: &Range<usize>,
    ) -> Option<(Binding, Dimension)> {
        let (name, is_joint) = match (&driven.joint, &driven.cable) {
            (Some(joint), None) => (joint, true),
            (None, Some(cable)) => (cable, false),
            _ => {
                let help = "give one of them: { joint = \"NAME\" }, { cable = \"NAME\" }, or { vehicle = \"NAME\", command = … }";
                let message = "a drive needs either a `joint`, a `cable` or a `vehicle`";
                self.problems.advise(list.clone(), message, help);
                return None;
            }
        };
        let factor = self.problems.number_or("factor", &driven.factor, 1.0)?;
        if factor == 0.0 {
            let span = driven.factor.as_ref().map_or(name.span(), |n| n.span());
            self.problems.advise(span, "`factor` is 0", "leave the drive out, or give a factor other than 0");
            return None;
        }
        let (binding, turns) = match is_joint {
            true => self.driving(driven, name, drives)?,
            false => (self.paying(driven, name, drives)?, false),
        };
        let Binding { joint, coordinate, command, .. } = binding;
        if !twice.insert((joint.index(), coordinate, command as u8)) {
            let kind = if is_joint { "joint" } else { "cable" };
            let message = format!("{kind} \"{}\" is named twice by one input", name.get_ref());
            self.problems.advise(name.span(), message, "add the factors in one drive");
            return None;
        }
        Some((Binding { factor, ..binding }, measured(command, turns)))
    }

    /// The drive of a joint, and whether its coordinate is an angle.
    fn driving(
        &mut self,
        driven: &InputDrive,
        name: &Spanned<String>,
        drives: &Drives<'_>,
    ) -> Option<(Binding, bool)> {
        let joint = self.driven_joint(name, drives)?;
        let known = drives.model.joints().get(joint)?;
        let (number, span) =
            driven.coordinate.as_ref().map_or((1, name.span()), |c| (*c.get_ref(), c.span()));
        let axes = known.constraint().axes();
        let coordinate = usize::try_from(number - 1).ok().filter(|k| *k < axes.len());
        let Some(coordinate) = coordinate else {
            let message =
                format!("joint \"{}\" has no coordinate {number} that can be driven", name.get_ref());
            let help = match axes.len() {
                0 => "name a joint with a motor or a servo".to_string(),
                1 => "it has only one: leave `coordinate` out".to_string(),
                n => format!("give 1 to {n}"),
            };
            self.problems.advise(span, message, help);
            return None;
        };
        let command = self.command(driven, name, &axes[coordinate].drive)?;
        Some((Binding { joint, coordinate, command, factor: 1.0 }, turns(&known.kind, coordinate)))
    }

    /// The length of a rope.
    fn paying(
        &mut self,
        driven: &InputDrive,
        name: &Spanned<String>,
        drives: &Drives<'_>,
    ) -> Option<Binding> {
        let idle = [
            driven.coordinate.as_ref().map(|c| ("coordinate", c.span())),
            driven.quantity.as_ref().map(|w| ("quantity", w.span())),
        ];
        if let Some((key, span)) = idle.into_iter().flatten().next() {
            let message = format!("`{key}` does not apply to a cable");
            self.problems.advise(span, message, "leave it out: the input sets the length paid out");
            return None;
        }
        let joints = drives.model.joints();
        let massless = |joint: &Joint| matches!(&joint.kind, JointKind::Rope(rope) if rope.feed.is_none());
        let ropes = || joints.iter().filter(|(_, joint)| massless(joint));
        let found = self.outward(name.get_ref(), |name| {
            ropes().find(|(_, joint)| joint.name == name).and_then(|(place, _)| joints.id(place))
        });
        if let Some(joint) = found {
            return Some(Binding { joint, coordinate: 0, command: Command::PaidOut, factor: 1.0 });
        }
        let help = suggestion::nearest(
            name.get_ref(),
            ropes().map(|(_, joint)| joint.name.as_str()).take(suggestion::MOST),
        )
        .map_or_else(
            || {
                "name a cable with a `route` and no flexible segments; others are paid out by winches"
                    .to_string()
            },
            |near| format!("did you mean \"{near}\"?"),
        );
        let message = format!("no massless rope \"{}\"", suggestion::shortened(name.get_ref()));
        self.problems.advise(name.span(), message, help);
        None
    }

    /// The joint of a name. Reports an unknown name, but not an invalid joint, which has been reported.
    fn driven_joint(&mut self, name: &Spanned<String>, drives: &Drives<'_>) -> Option<JointId> {
        if let Some(id) = self.outward(name.get_ref(), |name| drives.joints.get(name)) {
            return *id;
        }
        if !self.problems.wants(&name.span()) {
            self.problems.skip();
            return None;
        }
        let known = drives.joints.keys().copied().take(suggestion::MOST);
        let help = suggestion::nearest(name.get_ref(), known).map_or_else(
            || "define it as [joints.NAME]".to_string(),
            |near| format!("did you mean \"{near}\"?"),
        );
        let message = format!("no joint \"{}\"", suggestion::shortened(name.get_ref()));
        self.problems.advise(name.span(), message, help);
        None
    }

    /// The quantity of a drive that the input changes; the drive must have it.
    fn command(&mut self, driven: &InputDrive, name: &Spanned<String>, drive: &Drive) -> Option<Command> {
        let joint = name.get_ref();
        let what = driven.quantity.as_ref().map(|what| *what.get_ref());
        let (message, help) = match (drive, what) {
            (Drive::Speed { .. }, None | Some(DriveQuantity::Speed)) => return Some(Command::Speed),
            (Drive::Position { .. }, None | Some(DriveQuantity::Position)) => return Some(Command::Position),
            (Drive::Speed { force, .. } | Drive::Position { force, .. }, Some(DriveQuantity::Force)) => {
                if force.is_finite() {
                    return Some(Command::Force);
                }
                let message = format!("the drive of joint \"{joint}\" has no maximum force to change");
                (message, "give it one, such as `force = 0`: the input adds to it")
            }
            (Drive::Speed { .. }, Some(DriveQuantity::Position)) => (
                format!("joint \"{joint}\" has no servo, which quantity = \"position\" needs"),
                "it has a motor: set quantity = \"speed\", or give it a servo instead",
            ),
            (Drive::Position { .. }, Some(DriveQuantity::Speed)) => (
                format!("joint \"{joint}\" has no motor, which quantity = \"speed\" needs"),
                "it has a servo: set quantity = \"position\", or give it a motor instead",
            ),
            (Drive::Free | Drive::Lock(_) | Drive::Prescribed(_), _) => (
                format!("joint \"{joint}\" has neither a motor nor a servo"),
                "give it one: motor = { speed = 0 }, or servo = { target = 0, stiffness = … }",
            ),
        };
        let span = driven.quantity.as_ref().map_or(name.span(), |what| what.span());
        self.problems.advise(span, message, help);
        None
    }

    /// Checks keys and axes: known, two keys, and not in use by another input.
    fn check_keys(&mut self, entry: &Entry<Text>, taken: &mut Taken) {
        if let Some(keys) = &entry.value.keys {
            if keys.get_ref().len() != 2 {
                let message = format!("the number of `keys` is {}", keys.get_ref().len());
                self.problems.advise(keys.span(), message, "give two: [increase, decrease]");
            }
            for key in keys.get_ref() {
                self.check_key(&entry.name, key, taken);
            }
        }
        if let Some(axis) = &entry.value.gamepad
            && let Some(other) = taken.axes.insert(*axis.get_ref(), entry.name.clone())
        {
            let message = format!("input \"{other}\" already uses this gamepad axis");
            self.problems.advise(axis.span(), message, "give one of them another axis");
        }
    }

    fn check_key(&mut self, input: &str, key: &Spanned<String>, taken: &mut Taken) {
        let name = key.get_ref();
        let is_one = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        let plain = name.len() == 1 && name.chars().all(is_one);
        if !plain && !KEYS.contains(&name.as_str()) {
            let upper = name.to_uppercase();
            let help = match suggestion::nearest(name, KEYS) {
                _ if upper.len() == 1 && upper.chars().all(is_one) => format!("write \"{upper}\""),
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "keys are \"A\" to \"Z\", \"0\" to \"9\", \"Up\", \"PageDown\", \"F1\" and similar"
                    .to_string(),
            };
            self.problems.advise(key.span(), format!("no key \"{}\"", suggestion::shortened(name)), help);
            return;
        }
        if let Some(other) = taken.keys.insert(name.clone(), input.to_string()) {
            let message = match other == input {
                true => format!("the key \"{name}\" is given twice"),
                false => format!("input \"{other}\" already uses the key \"{name}\""),
            };
            self.problems.advise(key.span(), message, "give another key");
        }
    }

    /// Adds the script to its inputs.
    fn script(
        &mut self,
        entries: &[Entry<Text>],
        cues: &[Spanned<ScriptEntry>],
        levers: &mut [Option<Lever>],
    ) {
        let places: BTreeMap<_, _> = entries.iter().enumerate().map(|(i, e)| (e.name.as_str(), i)).collect();
        let mut timed = Vec::new();
        for cue in cues {
            let at = self.problems.number("at", &cue.get_ref().at);
            let over = self.problems.number_or("duration", &cue.get_ref().duration, 0.0);
            if cue.get_ref().set.is_empty() {
                let help = "give set = { INPUT = value }";
                self.problems.advise(cue.span(), "an entry of the script that sets no input", help);
            }
            timed.extend(at.zip(over).map(|(at, over)| (at, over, cue)));
        }
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut last: BTreeMap<&str, f64> = BTreeMap::new();
        for (at, over, cue) in timed {
            for (name, value) in &cue.get_ref().set {
                let Some(&place) = places.get(name.as_str()) else {
                    self.no_input(name, value.span(), &places);
                    continue;
                };
                if last.insert(name, at) == Some(at) {
                    let message = format!("input \"{name}\" is set twice at {} s", suggestion::digits(at));
                    self.problems.advise(value.span(), message, "leave one of them out");
                    continue;
                }
                let Some(lever) = &mut levers[place] else { continue };
                let to = self.problems.open(name, value, lever.dimension, Bounds::Any);
                let Some(to) = to else { continue };
                let (low, high, rest) = (lever.input.low, lever.input.high, lever.input.rest);
                if (low..=high).contains(&to) {
                    lever.input.script.go(at, to, over, rest);
                    lever.control.scripted = true;
                } else {
                    self.outside(name, value.span(), to, [low, high]);
                }
            }
        }
    }

    fn no_input(&mut self, name: &str, span: Range<usize>, places: &BTreeMap<&str, usize>) {
        let help = match suggestion::nearest(name, places.keys().copied().take(suggestion::MOST)) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => "define it as [inputs.NAME]".to_string(),
        };
        self.problems.advise(span, format!("no input \"{}\"", suggestion::shortened(name)), help);
    }
}

/// The dimension of the values of an input with this command.
fn measured(command: Command, turns: bool) -> Dimension {
    match (command, turns) {
        (Command::Speed, false) => dimension(1, 0, -1, 0),
        (Command::Speed, true) => dimension(0, 0, -1, 1),
        (Command::Position, false) | (Command::PaidOut, _) => dimension(1, 0, 0, 0),
        (Command::Position, true) => dimension(0, 0, 0, 1),
        (Command::Force, false) => dimension(1, 1, -2, 0),
        (Command::Force, true) => dimension(2, 1, -2, 0),
    }
}

/// Whether a drivable coordinate is an angle [rad]; else it is a displacement [m].
fn turns(kind: &JointKind, coordinate: usize) -> bool {
    match kind {
        JointKind::Hinge(_) | JointKind::Universal(_) | JointKind::Screw(_) => true,
        JointKind::Cylinder(_) => coordinate == 0,
        JointKind::Planar(_) => coordinate == 2,
        JointKind::SixDof(_) => coordinate >= 3,
        JointKind::CarWheel(_) => coordinate >= 1,
        _ => false,
    }
}
