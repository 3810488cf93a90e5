//! A drag path: the moves of the drag handles between `record` and `stop`, by step, so that they can be repeated in an
//! edited scene.
//!
//! ```text
//!  step k of the path  =  step k after the start of the scene when it is played
//! ```
//!
//! Bodies and cables are identified by their names, since an edited text may number them differently. As a file a path
//! is JSON:
//!
//! ```text
//!  { "windlass_path": 1, "name": "…", "dt": 0.01, "steps": 250, "part": { "body": "plug" },
//!    "moves": [ [0, { "grab": { "body": "plug", "at": [x, y, z], "to": [x, y, z] } }], [3, { "drag": [x, y, z] }], [250, "release"] ] }
//! ```
//!
//! A move of the second handle has a third entry, its number: `[3, { "drag": [x, y, z] }, 1]`.

use serde::{Deserialize, Serialize};
use windlass_host::drag::HANDS;

/// Version of the file.
const VERSION: u32 = 1;
/// Largest number of moves: nearly three minutes of a mouse at 60 Hz, within the size of a message.
pub const MOST_MOVES: usize = 10_000;
/// Largest number of steps: an hour at 240 Hz.
const MOST_STEPS: u64 = 900_000;
/// Largest number of paths.
pub const MOST_PATHS: usize = 32;
/// Largest number of characters of a name.
const LONGEST_NAME: usize = 80;
/// Largest distance of a target from the origin [m].
pub const REACH: f64 = 1e6;

/// A body or line of a scene, by name.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Named {
    /// A body.
    Body(String),
    /// A cable, rope or rod.
    Line(String),
}

impl Named {
    /// Its name.
    pub fn name(&self) -> &str {
        let (Named::Body(name) | Named::Line(name)) = self;
        name
    }
}

/// A single move of a handle.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// Attaches to a body at a point of its axes [m] and pulls it to a point of the world [m].
    Grab {
        /// Its name.
        body: String,
        /// The point.
        at: [f64; 3],
        /// The target.
        to: [f64; 3],
    },
    /// Attaches to a cable at a length along it [m].
    Pull {
        /// Its name.
        line: String,
        /// The point.
        along: f64,
        /// The target.
        to: [f64; 3],
    },
    /// Moves the target.
    Drag([f64; 3]),
    /// Releases.
    Release,
}

/// A move, the step after which it is made, and the number of the handle.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Noted(pub u64, pub Move, #[serde(default, skip_serializing_if = "is_first")] pub usize);

fn is_first(hand: &usize) -> bool {
    *hand == 0
}

/// A drag path.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Path {
    #[serde(rename = "windlass_path")]
    version: u32,
    /// Its title.
    pub name: String,
    /// Length of the steps it was recorded with [s].
    pub dt: f64,
    /// Its number of steps.
    pub steps: u64,
    /// The part whose contacts are checked.
    pub part: Option<Named>,
    /// Ascending by step.
    pub moves: Vec<Noted>,
}

impl Path {
    /// An empty path with a step length.
    pub fn new(dt: f64, part: Option<Named>) -> Path {
        Path { version: VERSION, name: String::new(), dt, steps: 0, part, moves: Vec::new() }
    }

    /// Adds a move. Later moves are dropped, since time went back. The last of several targets of a handle in one step
    /// counts.
    pub fn note(&mut self, noted: Noted) {
        let Noted(step, what, hand) = &noted;
        self.moves.retain(|Noted(at, ..)| at <= step);
        let last = self.moves.iter_mut().rev().find(|Noted(_, _, whose)| whose == hand);
        if let (Some(Noted(at, Move::Drag(to), _)), Move::Drag(now)) = (last, what)
            && at == step
        {
            *to = *now;
            return;
        }
        if self.part.is_none() {
            self.part = what.takes();
        }
        if self.moves.len() < MOST_MOVES {
            self.moves.push(noted);
        }
    }

    /// Whether it is full.
    pub fn is_full(&self) -> bool {
        self.moves.len() >= MOST_MOVES
    }

    /// Sets its name and its length.
    pub fn finish(&mut self, name: &str, steps: u64) {
        self.moves.retain(|Noted(at, ..)| *at <= steps);
        self.steps = steps;
        self.name = name.trim().chars().take(LONGEST_NAME).collect();
    }

    /// Duration [s].
    pub fn seconds(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// As a file.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a path has string keys only")
    }

    /// Reads a file.
    pub fn read(text: &str) -> Result<Path, String> {
        let why = |e: serde_json::Error| {
            format!("not a drag path: {}", e.to_string().chars().take(200).collect::<String>())
        };
        let path: Path = serde_json::from_str(text).map_err(why)?;
        match path.problem() {
            Some(problem) => Err(format!("not a drag path: {problem}")),
            None => Ok(path),
        }
    }

    /// Its error, if any.
    fn problem(&self) -> Option<String> {
        if self.version != VERSION {
            return Some(format!("`windlass_path` is {}: this program reads {VERSION}", self.version));
        }
        if !(self.dt > 0.0 && self.dt <= 1.0) {
            return Some(format!("`dt` is {}: give a step above 0, at most 1 s", self.dt));
        }
        if self.steps > MOST_STEPS || self.moves.len() > MOST_MOVES {
            return Some(format!("it has at most {MOST_STEPS} steps and {MOST_MOVES} moves"));
        }
        if self.name.chars().count() > LONGEST_NAME {
            return Some(format!("`name` has at most {LONGEST_NAME} characters"));
        }
        let (mut last, mut holds) = (0, [false; HANDS]);
        for (k, Noted(step, what, hand)) in self.moves.iter().enumerate() {
            let Some(holds) = holds.get_mut(*hand) else {
                return Some(format!("move {k} uses hand {hand}: hands are 0 and 1"));
            };
            if *step < last || *step > self.steps {
                return Some(format!("move {k} is at step {step}: steps ascend up to {}", self.steps));
            }
            if !what.is_near() {
                return Some(format!("move {k} has a point farther than {REACH:e} m from the origin"));
            }
            let opens = matches!(what, Move::Release);
            if !*holds && what.takes().is_none() && !opens {
                return Some(format!("move {k} drags, but nothing is held: begin with `grab` or `pull`"));
            }
            (last, *holds) = (*step, !opens);
        }
        self.moves.is_empty().then(|| "`moves` is empty".to_string())
    }
}

impl Move {
    /// The part it is attached to.
    pub fn takes(&self) -> Option<Named> {
        match self {
            Move::Grab { body, .. } => Some(Named::Body(body.clone())),
            Move::Pull { line, .. } => Some(Named::Line(line.clone())),
            Move::Drag(_) | Move::Release => None,
        }
    }

    fn is_near(&self) -> bool {
        let near = |p: &[f64; 3]| p.iter().all(|x| x.abs() <= REACH);
        match self {
            Move::Grab { at, to, .. } => near(at) && near(to),
            Move::Pull { along, to, .. } => (0.0..=REACH).contains(along) && near(to),
            Move::Drag(to) => near(to),
            Move::Release => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> Path {
        let mut path = Path::new(0.01, None);
        path.note(Noted(2, Move::Grab { body: "plug".into(), at: [0.0; 3], to: [1.0, 0.0, 0.0] }, 0));
        path.note(Noted(4, Move::Pull { line: "wire".into(), along: 0.5, to: [0.0; 3] }, 1));
        path.note(Noted(5, Move::Drag([0.0, 1.0, 0.0]), 0));
        path.note(Noted(5, Move::Drag([0.0, 0.0, 0.7]), 1));
        path.note(Noted(5, Move::Drag([0.1, 0.2, 0.3]), 0));
        path.note(Noted(9, Move::Release, 0));
        path.finish(" in ", 20);
        path
    }

    #[test]
    fn a_path_goes_to_a_file_and_back() {
        let path = path();
        assert_eq!(
            (path.moves.len(), path.name.as_str(), path.seconds()),
            (5, "in", 0.2),
            "of a step the last place of each hand counts"
        );
        assert_eq!(path.part, Some(Named::Body("plug".into())));
        assert_eq!(path.moves[2], Noted(5, Move::Drag([0.1, 0.2, 0.3]), 0));
        assert_eq!(Path::read(&path.text()), Ok(path));
    }

    #[test]
    fn what_comes_after_an_earlier_step_is_forgotten() {
        let mut path = path();
        path.note(Noted(3, Move::Release, 0));
        assert_eq!(path.moves.last(), Some(&Noted(3, Move::Release, 0)));
        assert_eq!(path.moves.len(), 2);
    }

    #[test]
    fn junk_is_no_path() {
        let good = path().text();
        for (from, to, why) in [
            ("\"windlass_path\":1", "\"windlass_path\":7", "this program reads"),
            ("\"dt\":0.01", "\"dt\":0", "above 0"),
            ("\"steps\":20", "\"steps\":3", "ascend"),
            ("\"steps\":20", "\"steps\":99999999", "at most"),
            ("[4,", "[1,", "ascend"),
            ("0.7]},1]", "0.7]},2]", "0 and 1"),
            ("0.3", "1e300", "farther"),
            ("\"name\"", "\"title\"", "unknown field"),
            ("{\"grab\"", "{\"kiss\"", "unknown variant"),
        ] {
            let bad = good.replace(from, to);
            assert_ne!(bad, good);
            let told = Path::read(&bad).expect_err(from);
            assert!(told.contains(why), "{told}");
        }
        let idle = good.replace("\"release\"", "\"release\"],[10,{\"drag\":[0,0,0]}");
        assert!(Path::read(&idle).is_err_and(|why| why.contains("nothing is held")));
        assert!(Path::read("").is_err() && Path::read(&"[".repeat(100_000)).is_err());
    }
}
