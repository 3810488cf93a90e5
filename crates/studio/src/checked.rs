//! Reports of an assembly check: contacts, clearances and the verdict on a path. Plain data of the protocol.

use serde::Serialize;

/// A reported entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Who {
    /// "body", "line" or "other".
    pub kind: &'static str,
    /// Its number.
    pub id: usize,
    /// Its name.
    pub name: String,
}

/// A contact of two entities.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TouchingPair {
    /// The checked part, if it is one of them.
    pub a: Who,
    /// The other entity.
    pub b: Who,
    /// Point in the world [m].
    pub point: [f64; 3],
    /// Force [N]; none if unknown.
    pub force: Option<f64>,
    /// Whether the contact has existed since the check began.
    pub resting: bool,
}

/// A contact with its time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// [s]
    pub time: f64,
    /// Steps taken.
    pub step: u64,
    /// The contact.
    #[serde(flatten)]
    pub touch: TouchingPair,
}

/// The clearance of the part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clearance {
    /// [m]; below 0 is a penetration.
    pub distance: f64,
    /// The other entity.
    pub other: Who,
    /// On the part and on the other, in the world [m].
    pub points: [[f64; 3]; 2],
}

/// The smallest clearance so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Least {
    /// When [s].
    pub time: f64,
    /// The clearance.
    #[serde(flatten)]
    pub clearance: Clearance,
}

/// The report of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The checked part.
    pub part: Who,
    /// The path that is played.
    pub path: Option<u32>,
    /// Present contacts, the largest force first.
    pub touching: Vec<TouchingPair>,
    /// The first contact since the check began.
    pub first: Option<Moment>,
    /// The contact with the largest force since then.
    pub largest: Option<Moment>,
    /// The largest penetration since then [m].
    pub deepest: f64,
    /// The present clearance.
    pub clearance: Option<Clearance>,
    /// The smallest clearance since the check began.
    pub least: Option<Least>,
}

/// The verdict on a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether there was no contact.
    pub free: bool,
    /// In words.
    pub text: String,
    /// The first contact.
    pub first: Option<Moment>,
    /// The smallest clearance.
    pub least: Option<Least>,
}
