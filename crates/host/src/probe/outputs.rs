//! Several probes, compiled against a world → their numbers at an instant.

use super::column::{Column, parts_of_head};
use super::coordinate::{is_rotation, straight_rope};
use super::error::ProbeError;
use super::indeterminate::{Indeterminate, REMARK, Reaction, ReactionMarks};
use super::parse;
use super::source::{self, BodyQuantity, COORDINATE, Entry, InputQuantity, Part, Source};
use crate::step::Step;
use std::collections::BTreeMap;
use windlass_engine::inspect::instant::Inspection;
use windlass_engine::prelude::{BodyId, JointId, Phase, World};
use windlass_scene::Built;

/// The quantities of each body in a log for which no probes are given.
const LOGGED: [BodyQuantity; 4] = [
    BodyQuantity::Position,
    BodyQuantity::Orientation,
    BodyQuantity::Velocity,
    BodyQuantity::AngularVelocity,
];

/// Largest number of columns of a run.
const MOST_COLUMNS: usize = 1_000_000;

/// Several numbers that are read at once.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    columns: Vec<Column>,
    /// The source of each name.
    names: BTreeMap<String, Source>,
    /// Reactions that were statically indeterminate when they were read.
    marks: ReactionMarks,
}

impl Outputs {
    /// Compiles texts as probes of a world. All errors are returned at once.
    pub fn parse<T: AsRef<str>>(texts: &[T], world: &World) -> Result<Outputs, Vec<ProbeError>> {
        Outputs::default().and(texts, world)
    }

    /// The same with the time as the first column, as in tables.
    pub fn with_time<T: AsRef<str>>(texts: &[T], world: &World) -> Result<Outputs, Vec<ProbeError>> {
        let mut outputs = Outputs::default();
        outputs.add("time", vec![Column::time()]).map_err(|e| vec![e])?;
        outputs.and(texts, world)
    }

    fn and<T: AsRef<str>>(mut self, texts: &[T], world: &World) -> Result<Outputs, Vec<ProbeError>> {
        let mut errors = Vec::new();
        for text in texts.iter().map(AsRef::as_ref) {
            match columns_of(text, world).and_then(|columns| self.add(text, columns)) {
                Ok(()) => {}
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(self) } else { Err(errors) }
    }

    /// Adds columns. Duplicates are left out; two different columns of one name are rejected.
    fn add(&mut self, text: &str, columns: Vec<Column>) -> Result<(), ProbeError> {
        if columns.len() + self.columns.len() > MOST_COLUMNS {
            return Err(ProbeError::whole(text, "too many columns", "select fewer by name"));
        }
        for column in columns {
            match self.names.insert(column.name.clone(), column.source) {
                None => self.columns.push(column),
                Some(source) if source == column.source => {}
                Some(_) => {
                    let message = format!("two columns are called \"{}\"", column.name);
                    return Err(ProbeError::whole(text, message, "give one another label: label=probe"));
                }
            }
        }
        Ok(())
    }

    /// The columns of a log for which no probes are given: time, poses and velocities of all bodies, coordinates
    /// and reactions of all joints, tensions and lengths of all cables, and all inputs. Their names are probes.
    pub fn everything(world: &World, bodies: &[BodyId], joints: &[JointId]) -> Outputs {
        let mut columns = vec![Column::time()];
        for id in bodies {
            columns.extend(of_body(world, *id));
        }
        for id in joints {
            columns.extend(of_joint(world, *id));
        }
        columns.extend(of_cables(world));
        columns.extend(of_inputs(world));
        Outputs { columns, ..Outputs::default() }
    }

    /// The columns of a table of a scene: the probes given, else the scene's own probes, else everything.
    pub fn of_scene<T: AsRef<str>>(
        texts: &[T],
        built: &Built,
        world: &World,
    ) -> Result<Outputs, Vec<ProbeError>> {
        if !texts.is_empty() {
            return Outputs::with_time(texts, world);
        }
        match scene_probes(built) {
            own if own.is_empty() => Ok(Outputs::everything(world, &built.bodies, &built.joints)),
            own => Outputs::with_time(&own, world),
        }
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The reactions among the columns that were statically indeterminate at a marked reading.
    pub fn indeterminate(&self) -> &[Indeterminate] {
        self.marks.found()
    }

    /// Whether a column has numbers of a statically indeterminate reaction: one of many solutions, of which only sums
    /// have a meaning.
    pub fn is_indeterminate(&self, column: &Column) -> bool {
        column.source.reaction_of().is_some_and(|reaction| self.marks.has(reaction))
    }

    /// ReactionMarks the columns whose reactions are statically indeterminate at the present state.
    pub fn mark(&mut self, world: &mut World) {
        let time = world.state().time;
        if self.has_reactions() {
            let mut marks = std::mem::take(&mut self.marks);
            marks.follow(&world.inspect(), time, |reaction| self.has(reaction));
            self.marks = marks;
        }
    }

    /// Whether a reaction is among the columns.
    fn has(&self, reaction: Reaction) -> bool {
        self.columns.iter().any(|column| column.source.reaction_of() == Some(reaction))
    }

    fn has_reactions(&self) -> bool {
        self.columns.iter().any(|column| column.source.reaction_of().is_some())
    }

    /// The heads of the columns of a table: `name [unit]`, or `name [unit] (indeterminate)` for an indeterminate
    /// reaction.
    pub fn heads(&self) -> Vec<String> {
        let head = |c: &Column| match c.unit {
            "" => c.name.clone(),
            unit if self.is_indeterminate(c) => format!("{} [{unit}]{REMARK}", c.name),
            unit => format!("{} [{unit}]", c.name),
        };
        self.columns.iter().map(head).collect()
    }

    /// Writes the numbers of the present state, in the order of the columns. `step` is the step that led to it,
    /// `contacts_started` the number of contacts that have started so far.
    pub fn read(&self, world: &mut World, step: Option<&Step<'_>>, contacts_started: u64, into: &mut [f64]) {
        self.read_and_look(world, step, contacts_started, into, |_| {});
    }

    /// The same, and marks the columns whose reactions are statically indeterminate.
    pub fn read_and_mark(
        &mut self,
        world: &mut World,
        step: Option<&Step<'_>>,
        contacts_started: u64,
        into: &mut [f64],
    ) {
        let (time, mut marks) = (world.state().time, std::mem::take(&mut self.marks));
        let has_reactions = self.has_reactions();
        self.read_and_look(world, step, contacts_started, into, |now| {
            if has_reactions {
                marks.follow(now, time, |reaction| self.has(reaction));
            }
        });
        self.marks = marks;
    }

    fn read_and_look(
        &self,
        world: &mut World,
        step: Option<&Step<'_>>,
        contacts_started: u64,
        into: &mut [f64],
        look: impl FnOnce(&Inspection<'_>),
    ) {
        into.iter_mut().take(self.columns.len()).for_each(|value| *value = f64::NAN);
        self.fill(into, |source| source.in_contact(world, contacts_started));
        if self.columns.iter().any(|c| c.source.needs_forces()) {
            let now = world.inspect();
            self.fill(into, |source| source.inspected(&now));
            look(&now);
        }
        // from here on the rows of the world are those of this instant
        self.fill(into, |source| source.plain(world, step));
    }

    /// Writes the numbers that exist.
    fn fill(&self, into: &mut [f64], number: impl Fn(&Source) -> Option<f64>) {
        for (value, column) in into.iter_mut().zip(&self.columns) {
            if let Some(number) = number(&column.source) {
                *value = number;
            }
        }
    }
}

/// Outputs with the buffer and the count of contacts that a log of a run needs.
#[derive(Debug)]
pub struct OutputReader {
    outputs: Outputs,
    values: Vec<f64>,
    contacts_started: u64,
}

impl OutputReader {
    /// A reader before the first step.
    pub fn new(outputs: Outputs) -> OutputReader {
        let values = vec![f64::NAN; outputs.len()];
        OutputReader { outputs, values, contacts_started: 0 }
    }

    /// The outputs it reads.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// ReactionMarks the columns whose reactions are statically indeterminate at the present state, before the first reading.
    pub fn mark(&mut self, world: &mut World) {
        self.outputs.mark(world);
    }

    /// Counts the contacts that started in a step. It must be called after every step, whether the step is read or not.
    pub fn count(&mut self, world: &World) {
        self.contacts_started += contacts_started(world);
    }

    /// The numbers of the present state; `step` is the step that led to it.
    pub fn read(&mut self, world: &mut World, step: Option<&Step<'_>>) -> &[f64] {
        self.outputs.read_and_mark(world, step, self.contacts_started, &mut self.values);
        &self.values
    }
}

/// Contacts that started in the last step, without triggers.
pub fn contacts_started(world: &World) -> u64 {
    world.events().iter().filter(|e| e.phase == Phase::Begin && !e.trigger).count() as u64
}

/// The columns of a probe, which may be the head of a column of a table.
fn columns_of(text: &str, world: &World) -> Result<Vec<Column>, ProbeError> {
    let (probe, Some(unit)) = parts_of_head(text) else { return parse::probe(text, world) };
    let columns = parse::probe(probe, world)?;
    match columns.iter().find(|column| column.unit != unit) {
        None => Ok(columns),
        Some(Column { name, unit: "", .. }) => {
            Err(ProbeError::whole(text, format!("\"{name}\" has no unit"), "leave the unit out"))
        }
        Some(Column { name, unit, .. }) => {
            let message = format!("\"{name}\" is in {unit}");
            Err(ProbeError::whole(text, message, format!("write [{unit}], or leave the unit out")))
        }
    }
}

/// The scene's own probes as texts: `label=probe`.
pub fn scene_probes(built: &Built) -> Vec<String> {
    built.probes.iter().map(|(name, text)| format!("{name}={}", text.get_ref())).collect()
}

/// Position, orientation, velocity and angular velocity of a body.
fn of_body(world: &World, id: BodyId) -> impl Iterator<Item = Column> {
    let body = world.model().bodies().get(id).expect("a scene's bodies stay");
    let (name, mass) = (parse::quoted(&body.name), body.mass);
    let logged = |e: &Entry<BodyQuantity>| LOGGED.contains(&e.quantity);
    source::BODY.into_iter().filter(logged).flat_map(move |entry| {
        let source = |part| Source::Body { body: id, mass, quantity: entry.quantity, part };
        components(&format!("bodies.{name}"), &entry, source)
    })
}

/// A column for each component of a vector.
fn components<Q>(path: &str, entry: &Entry<Q>, source: impl Fn(Part) -> Source) -> Vec<Column> {
    let column = |(i, part): (usize, &&str)| Column {
        name: format!("{path}.{}.{part}", entry.word),
        unit: entry.unit,
        source: source(Part::Component(i)),
    };
    entry.components.iter().enumerate().map(column).collect()
}

/// Tensions at both ends of each cable, the largest along it, and its stretched length, for every cable model.
fn of_cables(world: &World) -> impl Iterator<Item = Column> {
    let of_all = |word| parse::probe(&format!("cables.*.{word}"), world);
    // a world without cables has no such probes
    ["tension.start", "tension.end", "max_tension", "length"].into_iter().flat_map(of_all).flatten()
}

/// Target and actual values of the inputs.
fn of_inputs(world: &World) -> impl Iterator<Item = Column> {
    let inputs = world.model().inputs();
    inputs.iter().filter_map(|(place, input)| Some((inputs.id(place)?, &input.name))).flat_map(
        |(id, name)| {
            let name = parse::quoted(name);
            let unit = source::input_unit(world, id);
            let column =
                |name: String, quantity| Column { name, unit, source: Source::Input { input: id, quantity } };
            [
                column(format!("inputs.{name}"), InputQuantity::Target),
                column(format!("inputs.{name}.actual"), InputQuantity::Actual),
            ]
        },
    )
}

/// Coordinates of a joint, and the force and torque on its second body.
fn of_joint(world: &World, id: JointId) -> Vec<Column> {
    let joint = world.model().joints().get(id).expect("a scene's joints stay");
    let path = format!("joints.{}", parse::quoted(&joint.name));
    let mut columns = Vec::new();
    if let Some(anchors) = straight_rope(&joint.kind) {
        columns.extend(COORDINATE.map(|(word, quantity, ..)| {
            let source = Source::Between { joint: id, anchors, quantity };
            Column { name: format!("{path}.1.{word}"), unit: quantity.unit(false), source }
        }));
    }
    for k in 0..world.state().joints[id.index()].coordinates.len() {
        for (word, quantity, ..) in COORDINATE {
            let unit = quantity.unit(is_rotation(&joint.kind, k));
            let source = Source::Coordinate { joint: id, k, quantity };
            columns.push(Column { name: format!("{path}.{}.{word}", k + 1), unit, source });
        }
    }
    for entry in source::JOINT.iter().filter(|e| !e.components.is_empty()) {
        let source = |part| Source::Joint { joint: id, quantity: entry.quantity, part };
        columns.extend(components(&path, entry, source));
    }
    columns
}
