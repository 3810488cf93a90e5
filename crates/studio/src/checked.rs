//! What an assembly check reports: contacts, clearances and the verdict on a path. Plain data of the protocol.

use serde::Serialize;

/// A thing as it is reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Who {
    /// "body", "line" or "other".
    pub kind: &'static str,
    /// Its number.
    pub id: usize,
    /// Its name.
    pub name: String,
}

/// Two things that touch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TouchingPair {
    /// The part that is looked at, if it is one of them,
    pub a: Who,
    /// and what it touches.
    pub b: Who,
    /// Where, in the world [m].
    pub point: [f64; 3],
    /// How hard [N]; none where it is not known.
    pub force: Option<f64>,
    /// Whether the part has lain there since the check began.
    pub resting: bool,
}

/// When two things touched.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// [s]
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// Which, where and how hard.
    #[serde(flatten)]
    pub touch: TouchingPair,
}

/// The least distance of the part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clearance {
    /// [m]; below 0 they overlap.
    pub distance: f64,
    /// From what.
    pub other: Who,
    /// On the part and on the other, in the world [m].
    pub points: [[f64; 3]; 2],
}

/// The least distance so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Least {
    /// When [s].
    pub time: f64,
    /// How near.
    #[serde(flatten)]
    pub clearance: Clearance,
}

/// The report of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// What is looked at.
    pub part: Who,
    /// The path that is played.
    pub path: Option<u32>,
    /// What touches now, the hardest first.
    pub touching: Vec<TouchingPair>,
    /// The first contact since the check began.
    pub first: Option<Moment>,
    /// The hardest since then.
    pub largest: Option<Moment>,
    /// The deepest overlap since then [m].
    pub deepest: f64,
    /// How far it is from all else now.
    pub clearance: Option<Clearance>,
    /// The nearest it has come since the check began.
    pub least: Option<Least>,
}

/// How a path went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether it touched nothing.
    pub free: bool,
    /// In words.
    pub text: String,
    /// The first contact.
    pub first: Option<Moment>,
    /// The nearest it came to anything.
    pub least: Option<Least>,
}
