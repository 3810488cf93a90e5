//! Operator inputs of a machine: which inputs a scene has, and how an operator sets them during a run.
//!
//! ```text
//!  person, input table, random operator ──Move──▶ World::set_input ──step──▶ drives
//!                                          └────▶ recording, as text
//! ```
//!
//! A [`Control`] describes an input for a panel; it can be serialised. A [`Move`] sets or releases an input between
//! two steps. It changes State only, so a recording stores its text and no keyframe for it. [`operator`] has the
//! operators that are not a person.

pub mod operator;

use crate::suggestion;
use crate::text::input::{Gamepad, Input as Text};
use crate::units::Dimension;
use schemars::JsonSchema;
use serde::Serialize;
use thiserror::Error;
use windlass_engine::prelude::{EditError, Input, InputId, World};

/// An input as a panel shows it.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Control {
    /// Its name in the scene.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The unit of its numbers.
    pub unit: String,
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Initial value.
    pub rest: f64,
    /// Rate limit [per s]; none: no limit.
    pub rate: Option<f64>,
    /// Rate limit toward the initial value [per s].
    pub stop_rate: Option<f64>,
    /// Whether it returns to the initial value when released.
    #[serde(rename = "self_centering")]
    pub returns: bool,
    /// Keys that increase and decrease it.
    pub keys: Option<[String; 2]>,
    /// Axis of a gamepad.
    pub gamepad: Option<Gamepad>,
    /// Whether the scene's script drives it.
    pub scripted: bool,
    /// Its id in the world; `None` before it is added.
    #[serde(skip)]
    pub id: Option<InputId>,
    /// Dimension of its values.
    #[serde(skip)]
    pub dimension: Dimension,
}

impl Control {
    pub(crate) fn new(input: &Input, text: &Text, dimension: Dimension) -> Control {
        let keys = text.keys.as_ref().map(|keys| keys.get_ref().iter().map(|k| k.get_ref().clone()));
        Control {
            name: input.name.clone(),
            label: text.label.clone().unwrap_or_else(|| input.name.clone()),
            unit: dimension.to_string(),
            low: input.low,
            high: input.high,
            rest: input.rest,
            rate: Some(input.rate).filter(|rate| rate.is_finite()),
            stop_rate: Some(input.stop_rate).filter(|rate| rate.is_finite()),
            returns: input.returns,
            keys: keys.and_then(|keys| keys.collect::<Vec<_>>().try_into().ok()),
            gamepad: text.gamepad.as_ref().map(|axis| *axis.get_ref()),
            scripted: false,
            id: None,
            dimension,
        }
    }

    /// A value of it given as text, with or without a unit, inside its range.
    pub fn value(&self, text: &str) -> Result<f64, String> {
        self.inside(self.measured(text)?)
    }

    /// A quantity of its dimension given as text, inside of the range or not, in any unit of that dimension.
    pub fn measured(&self, text: &str) -> Result<f64, String> {
        crate::units::parse(text, self.dimension).map_err(|e| match e.help() {
            Some(help) => format!("{e} ({help})"),
            None => e.to_string(),
        })
    }

    /// The value, if it is inside the range.
    pub fn inside(&self, value: f64) -> Result<f64, String> {
        if (self.low..=self.high).contains(&value) {
            return Ok(value);
        }
        let [low, high] = [self.low, self.high].map(suggestion::exact);
        Err(format!(
            "{} is outside of its range: give {low} to {high} {}",
            suggestion::exact(value),
            self.unit
        ))
    }
}

/// The control of a name, or an error message with a suggestion.
pub fn find<'c>(controls: &'c [Control], name: &str) -> Result<&'c Control, String> {
    if let Some(control) = controls.iter().find(|c| c.name == name) {
        return Ok(control);
    }
    let known = controls.iter().map(|c| c.name.as_str());
    let help = match suggestion::nearest(name, known.clone().take(suggestion::MOST)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if controls.is_empty() => "the scene has none: write [inputs.NAME]".to_string(),
        None => format!("inputs are {}", known.map(|n| format!("\"{n}\"")).collect::<Vec<_>>().join(", ")),
    };
    Err(format!("no input \"{}\": {help}", suggestion::shortened(name)))
}

/// A change of an input between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// Name of the input.
    pub input: String,
    /// Target value; `None` releases the input.
    pub to: Option<f64>,
}

/// Why a move was rejected.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MoveError {
    /// There is no such input.
    #[error("no input \"{0}\": the scene has changed, or the move is of another one")]
    NoInput(String),
    /// Its text is not a value.
    #[error("input \"{input}\": \"{value}\" is neither a number nor `let go`")] // LET_GO
    NoValue {
        /// Name of the input.
        input: String,
        /// The text of the value.
        value: String,
    },
    /// The engine rejected it.
    #[error(transparent)]
    Refused(#[from] EditError),
}

/// Text of a move that releases its input; part of the format of recordings.
const LET_GO: &str = "let go";

impl Move {
    /// Its value as text that reproduces every bit.
    pub fn value(&self) -> String {
        self.to.map_or_else(|| LET_GO.to_string(), |to| format!("{to:?}"))
    }

    /// The move of an input's name and the text of a value.
    pub fn read(input: &str, value: &str) -> Result<Move, MoveError> {
        let to = match value {
            LET_GO => None,
            number => match number.parse::<f64>() {
                Ok(number) if number.is_finite() => Some(number),
                _ => {
                    return Err(MoveError::NoValue {
                        input: input.into(),
                        value: suggestion::shortened(value),
                    });
                }
            },
        };
        Ok(Move { input: input.to_string(), to })
    }

    /// Applies it to a world.
    pub fn make(&self, world: &mut World) -> Result<(), MoveError> {
        let id = world.model().input(&self.input);
        let id = id.ok_or_else(|| MoveError::NoInput(suggestion::shortened(&self.input)))?;
        Ok(world.set_input(id, self.to)?)
    }
}
