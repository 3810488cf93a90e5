//! The catalogue of validation cases (`tests/data/catalogue.toml`) and what runs of them have found.
//!
//! A line of it is a quantity at a step: a reference and how far off it may be,
//!
//! ```text
//!  |value − reference| ≤ allowed          an amount in the quantity's unit, some steps, or
//!  |value − reference| / scale ≤ allowed  a share of the reference (of `of` where that is zero)
//! ```
//!
//! or a verdict in words. A finding is one such line as a run met or missed it, written as a line of JSON into the folder that
//! `WINDLASS_FINDINGS` names; `examples/validation.rs` reads them all and makes the tables of `docs/quality/validation.md`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;

/// All cases, in their order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The cases.
    pub case: Vec<Entry>,
}

/// A case: what is simulated, and what is compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Two letters for the family and a number.
    pub id: String,
    /// A heading.
    pub title: String,
    /// What is simulated, in a line.
    #[serde(default)]
    pub about: String,
    /// What is compared.
    #[serde(default)]
    pub quantity: Vec<Quantity>,
}

/// A quantity with its reference.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantity {
    /// Its name, once in a case.
    pub name: String,
    /// What it is in truth.
    pub reference: Reference,
    /// The unit of value and reference.
    pub unit: String,
    /// What shares are of, where it is not the reference.
    pub of: Option<f64>,
    /// What is allowed, by step.
    #[serde(default)]
    pub allowed: BTreeMap<String, String>,
    /// What a better scheme reaches, by step.
    #[serde(default)]
    pub goal: BTreeMap<String, String>,
    /// What there is to say of it where there is nothing to measure.
    pub documented: Option<String>,
}

/// A number, or the coordinates of a point.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Reference {
    /// A number.
    Number(f64),
    /// A point.
    Point(Vec<f64>),
}

/// How far off a quantity may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Limit {
    /// By an amount in its unit.
    Amount(f64),
    /// By a share.
    Share(f64),
    /// Not at all: it does as the words say.
    Verdict(String),
}

/// One quantity of one run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The case.
    pub case: String,
    /// The quantity.
    pub quantity: String,
    /// Which of several models of the case, or empty.
    pub variant: String,
    /// The stepper.
    pub stepper: String,
    /// The step [s].
    pub dt: f64,
    /// What came out; of a verdict 1 for yes and 0 for no.
    pub value: Vec<f64>,
    /// What it should be.
    pub reference: Vec<f64>,
    /// How far off it is.
    pub error: f64,
    /// Whether error, allowed and goal are shares; otherwise they are in the quantity's unit.
    pub relative: bool,
    /// How far off it may be.
    pub allowed: Option<f64>,
    /// How far off a better scheme is.
    pub goal: Option<f64>,
}

impl Catalogue {
    /// The catalogue of the repository.
    pub fn read() -> Catalogue {
        toml::from_str(include_str!("../data/catalogue.toml")).expect("tests/data/catalogue.toml is sound")
    }
}

impl Entry {
    /// Whether something is asked at a step.
    pub fn has_step(&self, dt: f64) -> bool {
        self.quantity.iter().any(|q| q.steps().iter().any(|s| is_step(s, dt)))
    }
}

impl Quantity {
    /// What is allowed at a step.
    pub fn allowed(&self, dt: f64) -> Option<Limit> {
        self.allowed.iter().find(|(step, _)| is_step(step, dt)).map(|(_, text)| Limit::read(text, dt))
    }

    /// The goal at a step.
    pub fn goal(&self, dt: f64) -> Option<Limit> {
        self.goal.iter().find(|(step, _)| is_step(step, dt)).map(|(_, text)| Limit::read(text, dt))
    }

    /// The steps at which something is asked.
    pub fn steps(&self) -> Vec<&str> {
        let mut steps: Vec<&str> = self.allowed.keys().chain(self.goal.keys()).map(String::as_str).collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// Whether its limits are shares: any of them.
    pub fn is_relative(&self) -> bool {
        self.allowed
            .values()
            .chain(self.goal.values())
            .any(|text| matches!(Limit::read(text, 1.0), Limit::Share(_)))
    }

    /// What shares are of.
    pub fn scale(&self) -> f64 {
        self.of.unwrap_or_else(|| self.reference.numbers().iter().map(|x| x * x).sum::<f64>().sqrt())
    }
}

impl Reference {
    /// One number, or two or three.
    pub fn numbers(&self) -> &[f64] {
        match self {
            Reference::Number(x) => std::slice::from_ref(x),
            Reference::Point(list) => list,
        }
    }
}

impl Limit {
    /// "0.02", "0.3 %", "2 steps", or words.
    fn read(text: &str, dt: f64) -> Limit {
        let mut words = text.split(' ');
        let number = words.next().and_then(|word| word.parse::<f64>().ok());
        match (number, words.next()) {
            (Some(x), None) => Limit::Amount(x),
            (Some(x), Some("%")) => Limit::Share(0.01 * x),
            // times of steps are sums of steps
            (Some(x), Some("step" | "steps")) => Limit::Amount(x * dt * (1.0 + 1e-9)),
            _ => Limit::Verdict(text.to_owned()),
        }
    }
}

impl Finding {
    /// Whether it is as near as it must be.
    pub fn is_met(&self) -> bool {
        self.allowed.is_none_or(|most| self.error <= most)
    }

    /// Whether it is as near as a better scheme is.
    pub fn reaches_goal(&self) -> bool {
        self.goal.is_none_or(|most| self.error <= most)
    }

    /// Appends it to the file of this process in the folder that `WINDLASS_FINDINGS` names.
    pub fn record(&self) {
        let Some(folder) = std::env::var_os("WINDLASS_FINDINGS") else { return };
        let name = format!("{}.jsonl", std::process::id());
        let path = std::path::Path::new(&folder).join(name);
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path).unwrap();
        let line = serde_json::to_string(self).unwrap() + "\n";
        // in one piece: tests of one process run side by side
        file.write_all(line.as_bytes()).unwrap();
    }

    /// All that was recorded in a folder.
    pub fn read_all(folder: &std::path::Path) -> Vec<Finding> {
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
        files.sort();
        let lines = files.iter().flat_map(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        });
        lines.map(|line| serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e} in {line}"))).collect()
    }
}

/// A step as it is written: "1/60" or "1e-3".
pub fn seconds(step: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|e| panic!("{e}: {step} is no step"));
    step.split_once('/').map_or_else(|| number(step), |(a, b)| number(a) / number(b))
}

fn is_step(step: &str, dt: f64) -> bool {
    (seconds(step) / dt - 1.0).abs() < 1e-9
}
