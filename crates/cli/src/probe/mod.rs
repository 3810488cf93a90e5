//! Text → numbers of a world, all of one instant.
//!
//! ```text
//!  probe     = [label "="] source
//!  source    = "time" | "redundant"
//!            | "energy" "." ("total" | "kinetic" | "potential" | "elastic")
//!            | "step" "." "microseconds"
//!            | "solver" "." ("residual" | "factors" | "rows" | "islands" | "stalled")
//!            | "contacts" "." ("points" | "overlap" | "begun")
//!            | "bodies" "." name "." quantity ["." component]
//!            | "joints" "." name ["." number] "." quantity ["." component]
//!            | "cables" "." name "." (quantity "(" metres ")" | quantity ["." number])
//!            | "winches" "." name "." quantity
//!            | "inputs" "." name ["." ("wanted" | "actual")]
//!            | "distance(" "bodies" "." name "," "bodies" "." name ")"
//!            | "contact(" "bodies" "." name "," "bodies" "." name ")" "." quantity ["." component]
//!  name      = text without . , ( ) = " '     where * stands for any letters
//!            | "text" | 'text'                as it stands
//! ```
//!
//! A vector without a component is several columns, a name with `*` one of each match. A column is called by
//! its label, or by the probe written in full. What a probe does not have at an instant (a broken joint's
//! force, the solver's residual before the first step) is NaN here and an empty cell in tables.

mod cable;
mod error;
mod parse;
mod rope;
mod source;
mod touch;

pub use error::{ProbeError, suggestion};
pub use parse::fits;
pub use source::catalogue;

use crate::simulate::Step;
use source::{BodyQuantity, COORDINATE, InputQuantity, JointQuantity, Part, Source, VECTOR};
use std::collections::BTreeMap;
use windlass_engine::prelude::{BodyId, JointId, Phase, World};

/// Columns that one run may have at most: a line of them is still a line.
const MOST_COLUMNS: usize = 1_000_000;

/// One number.
#[derive(Clone, Debug)]
pub struct Column {
    /// Without its unit.
    pub name: String,
    /// In ASCII, as scene files have it: "m/s^2". Empty for plain numbers.
    pub unit: &'static str,
    source: Source,
}

/// Several numbers, read at once.
#[derive(Debug)]
pub struct Probes {
    columns: Vec<Column>,
    /// What each name stands for.
    names: BTreeMap<String, Source>,
    values: Vec<f64>,
    /// Touches that have begun so far.
    begun: u64,
    /// Whether the heads of tables have units.
    units: bool,
}

impl Probes {
    /// Reads texts as probes of a world, `time` before them all. Everything wrong is told at once.
    pub fn parse(texts: &[String], world: &World) -> Result<Probes, Vec<ProbeError>> {
        let mut probes = Probes::of(Vec::new(), true);
        probes.add("time", vec![Column::time()]).map_err(|e| vec![e])?;
        let mut errors = Vec::new();
        for text in texts {
            match parse::probe(text, world).and_then(|columns| probes.add(text, columns)) {
                Ok(()) => {}
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(probes) } else { Err(errors) }
    }

    /// Adds columns. One that is there already is left out; two of one name are refused.
    fn add(&mut self, text: &str, columns: Vec<Column>) -> Result<(), ProbeError> {
        if columns.len() + self.columns.len() > MOST_COLUMNS {
            return Err(ProbeError::whole(text, "too many columns", "choose fewer by name"));
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

    /// The columns of a log for which no probes are given: poses and velocities of all bodies, coordinates
    /// and reactions of all joints, pulls and lengths of all cables, and all inputs.
    pub fn everything(world: &World, bodies: &[BodyId], joints: &[JointId]) -> Probes {
        let mut columns = vec![Column::time()];
        for id in bodies {
            columns.extend(of_body(world, *id));
        }
        for id in joints {
            columns.extend(of_joint(world, *id));
        }
        columns.extend(of_cables(world));
        columns.extend(of_inputs(world));
        Probes::of(columns, false)
    }

    fn of(columns: Vec<Column>, units: bool) -> Probes {
        Probes { columns, names: BTreeMap::new(), values: Vec::new(), begun: 0, units }
    }

    /// The columns; the first is the time.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What stands at the head of each column of a table: `name [unit]`.
    pub fn heads(&self) -> Vec<String> {
        let head = |c: &Column| match (self.units, c.unit) {
            (false, _) | (_, "") => c.name.clone(),
            (true, unit) => format!("{} [{unit}]", c.name),
        };
        self.columns.iter().map(head).collect()
    }

    /// Counts what began to touch in a step: to be called after every one, looked at or not.
    pub fn count(&mut self, world: &World) {
        let begun = world.events().iter().filter(|e| e.phase == Phase::Begin && !e.trigger);
        self.begun += begun.count() as u64;
    }

    /// The numbers of the present state; `step` is the one that led to it.
    pub fn read(&mut self, world: &mut World, step: Option<&Step<'_>>) -> &[f64] {
        let begun = self.begun;
        self.values.clear();
        self.values.resize(self.columns.len(), f64::NAN);
        self.fill(|source| source.touched(world, begun));
        if self.columns.iter().any(|c| c.source.needs_forces()) {
            let now = world.inspect();
            self.fill(|source| source.inspected(&now));
        }
        // now the rows of the world are those of this instant
        self.fill(|source| source.plain(world, step));
        &self.values
    }

    /// Puts in the numbers that are there.
    fn fill(&mut self, number: impl Fn(&Source) -> Option<f64>) {
        for (value, column) in self.values.iter_mut().zip(&self.columns) {
            if let Some(number) = number(&column.source) {
                *value = number;
            }
        }
    }
}

impl Column {
    fn time() -> Column {
        Column { name: "time".to_string(), unit: "s", source: Source::Time }
    }
}

/// Position, attitude, velocity and spin of a body.
fn of_body(world: &World, id: BodyId) -> impl Iterator<Item = Column> {
    let body = world.model().bodies().get(id);
    let (name, mass) = body.map(|b| (b.name.clone(), b.mass)).expect("a scene's bodies stay");
    let quantities = [
        (BodyQuantity::Position, ["x", "y", "z", ""], "m"),
        (BodyQuantity::Attitude, ["qw", "qx", "qy", "qz"], ""),
        (BodyQuantity::Velocity, ["vx", "vy", "vz", ""], "m/s"),
        (BodyQuantity::Spin, ["wx", "wy", "wz", ""], "rad/s"),
    ];
    quantities.into_iter().flat_map(move |(quantity, letters, unit)| {
        let name = name.clone();
        letters.into_iter().filter(|l| !l.is_empty()).enumerate().map(move |(i, letter)| Column {
            name: format!("{name}.{letter}"),
            unit,
            source: Source::Body { body: id, mass, quantity, part: Part::Component(i) },
        })
    })
}

/// Pulls at both ends of each cable, the largest along it, and its length as it is stretched, whatever it is made of.
fn of_cables(world: &World) -> impl Iterator<Item = Column> {
    let of_all = |word| parse::probe(&format!("cables.*.{word}"), world);
    // a world without cables has no such probes
    ["tension.start", "tension.end", "max_tension", "length"].into_iter().flat_map(of_all).flatten()
}

/// What is wanted of the inputs, and what the machine has made of it.
fn of_inputs(world: &World) -> impl Iterator<Item = Column> {
    let inputs = world.model().inputs();
    inputs.iter().filter_map(|(place, input)| Some((inputs.id(place)?, &input.name))).flat_map(
        |(id, name)| {
            let unit = source::input_unit(world, id);
            let column =
                |name: String, quantity| Column { name, unit, source: Source::Input { input: id, quantity } };
            [
                column(format!("inputs.{name}"), InputQuantity::Wanted),
                column(format!("inputs.{name}.actual"), InputQuantity::Actual),
            ]
        },
    )
}

/// Coordinates of a joint, and the force and torque on its second body.
fn of_joint(world: &World, id: JointId) -> Vec<Column> {
    let joint = world.model().joints().get(id).expect("a scene's joints stay");
    let name = &joint.name;
    let mut columns = Vec::new();
    if let Some(anchors) = crate::look::straight_rope(&joint.kind) {
        columns.extend(COORDINATE.map(|(word, quantity, ..)| {
            let source = Source::Between { joint: id, anchors, quantity };
            Column { name: format!("{name}.1.{word}"), unit: quantity.unit(false), source }
        }));
    }
    for k in 0..world.state().joints[id.index()].coordinates.len() {
        for (word, quantity, ..) in COORDINATE {
            let unit = quantity.unit(crate::look::coordinate_turns(&joint.kind, k));
            let source = Source::Coordinate { joint: id, k, quantity };
            columns.push(Column { name: format!("{name}.{}.{word}", k + 1), unit, source });
        }
    }
    for (letter, quantity, unit) in [("f", JointQuantity::Force, "N"), ("t", JointQuantity::Torque, "N*m")] {
        columns.extend(VECTOR.iter().enumerate().map(|(i, axis)| Column {
            name: format!("{name}.{letter}{axis}"),
            unit,
            source: Source::Joint { joint: id, quantity, part: Part::Component(i) },
        }));
    }
    columns
}
