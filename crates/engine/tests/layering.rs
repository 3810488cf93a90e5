//! The engine is laid out by floors, as ARCHITECTURE.md has it: what a thing is stands below the model, the stage that runs over
//! all things above it. And the documents name only paths that exist.

use crate::imports;

use imports::{Graph, shown};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up. A room imports rooms of lower floors, and of its own only those named before it.
const FLOORS: [&[&str]; 15] = [
    &["math", "slots", "settings", "section", "energy", "words"],
    &["body"],
    &["row", "load"],
    &["joint", "contact"],
    &["subsystem"],
    &["model"],
    &["cable", "force", "collide", "constrain"],
    &["partition", "edit"],
    &["solve"],
    &["report", "stages"],
    &["integrate"],
    &["workspace"],
    &["step"],
    &["world"],
    &["inspect"],
];

/// The same within `solve`, from the ground up; here a room imports lower floors alone, so that methods of solution do
/// not call each other: `island` says which one follows.
const SOLVE: [&[&str]; 6] = [
    &["regularize", "held_mobility", "turning", "input"],
    &["stats", "problem"],
    &[
        "direct",
        "gauss_seidel",
        "tension_stiffness",
        "overlap",
        "rebound",
        "vibration",
        "shake_rows",
        "warm_start",
        "method",
    ],
    &["island"],
    &["solution"],
    &["clusters"],
];

/// The parts of `Problem`; the work space of a method is its own.
const PARTS_OF_PROBLEM: usize = 6;

/// Circles of files, as the names of their modules in order, with reasons. The list may only shrink.
const CIRCLES: [(&[&str], &str); 0] = [];

/// Files above 500 lines, with reasons.
const LONG: [(&str, &str); 0] = [];

/// Files and folders that take `&mut State`, with reasons. All others only read it. The list may only shrink.
const WRITERS: [(&str, &str); 8] = [
    ("step.rs", "hands it to commit"),
    ("integrate/", "commit, and trial states of the integrators, which are copies"),
    ("edit/", "entries come and go"),
    ("model/mod.rs", "puts driven bodies where their paths have them, for edits and trial states"),
    ("constrain/inputs.rs", "called by commit: inputs at the end of the step"),
    ("cable/catenary_bodies.rs", "called by commit and edits: catenaries follow their ends"),
    ("cable/remesh/", "called by commit: merging and splitting"),
    ("cable/feed.rs", "called by commit: elements on drums"),
];

/// Fields of a struct at most.
const MOST_FIELDS: usize = 20;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else {
            out.push(path);
        }
    }
}

/// All source files as paths from the root, with their texts.
fn texts() -> Vec<(String, String)> {
    let mut files = Vec::new();
    sources(&root(), &mut files);
    let named = |path: &PathBuf| path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (named(path), fs::read_to_string(path).unwrap())).collect()
}

/// Floor and number on it.
fn place(room: &str) -> Option<(usize, usize)> {
    let on = |(floor, rooms): (usize, &&[&str])| Some((floor, rooms.iter().position(|r| *r == room)?));
    FLOORS.iter().enumerate().find_map(on)
}

#[test]
fn rooms_import_lower_floors_alone() {
    let graph = Graph::of(&root());
    let mut wrong = Vec::new();
    for (from, arrows) in &graph.arrows {
        let Some(room) = from.first() else { continue };
        for (to, names) in arrows {
            let Some(other) = to.first().filter(|other| *other != room) else { continue };
            if place(room).zip(place(other)).is_none_or(|(room, other)| other >= room) {
                wrong.push(format!("{} -> {}: {names:?}", shown(from), shown(to)));
            }
        }
    }
    assert!(wrong.is_empty(), "imports of a higher floor:\n{}", wrong.join("\n"));
}

#[test]
fn methods_of_solution_do_not_import_each_other() {
    let graph = Graph::of(&root());
    let floor = |room: &str| {
        let found = SOLVE.iter().position(|rooms| rooms.contains(&room));
        found.unwrap_or_else(|| panic!("solve/{room} is on no floor of SOLVE"))
    };
    let within = |module: &[String]| match module {
        [solve, room, ..] if solve == "solve" => Some(room.clone()),
        _ => None,
    };
    let (mut wrong, mut rooms) = (Vec::new(), BTreeSet::new());
    for (from, arrows) in &graph.arrows {
        let Some(room) = within(from) else { continue };
        for (to, names) in arrows {
            let Some(other) = within(to).filter(|other| *other != room) else { continue };
            if floor(&other) >= floor(&room) {
                wrong.push(format!("{} -> {}: {names:?}", shown(from), shown(to)));
            }
        }
        rooms.insert(room);
    }
    assert!(wrong.is_empty(), "imports of a higher floor, or of the same:\n{}", wrong.join("\n"));
    let listed: BTreeSet<String> =
        SOLVE.iter().flat_map(|rooms| rooms.iter().map(|r| r.to_string())).collect();
    assert_eq!(rooms, listed, "the rooms of solve");
}

/// What an island is to its methods of solution: numbering, system, masses, rows, multipliers, friction.
#[test]
fn a_problem_has_six_parts() {
    let text = fs::read_to_string(root().join("solve/problem/mod.rs")).unwrap();
    let fields = text.lines().skip_while(|line| !line.contains("struct Problem {")).skip(1);
    let fields = fields.take_while(|line| *line != "}").filter(|line| !line.trim_start().starts_with('/'));
    assert_eq!(fields.count(), PARTS_OF_PROBLEM);
}

#[test]
fn files_import_each_other_without_circles() {
    let graph = Graph::of(&root());
    let known: BTreeSet<Vec<String>> =
        CIRCLES.iter().map(|(files, _)| files.iter().map(|f| f.to_string()).collect()).collect();
    let found = graph.circles();
    let names = |circle: &Vec<_>| circle.iter().map(shown).collect::<Vec<_>>();
    let new = found.iter().filter(|circle| !known.contains(&names(circle)));
    let new: Vec<String> = new.map(|circle| graph.explain(circle)).collect();
    assert!(new.is_empty(), "files that import each other in a circle:\n{}", new.join("\n"));
    assert_eq!(found.len(), known.len(), "a circle that is listed is none any more");
}

#[test]
fn the_step_is_short_and_state_has_one_writer() {
    for (path, text) in texts() {
        let may = path == "world.rs" || path.starts_with("inspect");
        assert!(
            may || !text.contains("\nimpl World"),
            "{path} has methods of World: world.rs and inspect/ have"
        );
    }
    let step = fs::read_to_string(root().join("step.rs")).unwrap();
    assert!(step.lines().count() <= 60, "the step no longer fits on a page");
    assert!(!step.contains("mem::"), "the step moves memory about");
}

#[test]
fn state_is_written_where_it_may_be() {
    let mut found = BTreeSet::new();
    for (path, text) in texts() {
        if text.contains("&mut State") {
            let writer = WRITERS.iter().find(|(name, _)| path.starts_with(name));
            found.insert(writer.unwrap_or_else(|| panic!("{path} takes &mut State")).0);
        }
    }
    assert_eq!(found.len(), WRITERS.len(), "a file of the list of writers writes no more: take it off");
}

#[test]
fn structs_are_small() {
    let mut structs = 0;
    for (path, text) in texts() {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if !line.contains("struct ") || !line.ends_with('{') || line.trim_start().starts_with("//") {
                continue;
            }
            let body = lines.by_ref().take_while(|line| line.trim() != "}");
            let is_field = |line: &&str| !line.trim_start().starts_with(['/', '#']) && line.contains(": ");
            let fields = body.filter(is_field).count();
            assert!(fields <= MOST_FIELDS, "{path}: `{line}` has {fields} fields");
            structs += 1;
        }
    }
    assert!(structs > 100, "only {structs} were found");
}

#[test]
fn files_are_short() {
    for (path, text) in texts() {
        let (lines, long) = (text.lines().count(), LONG.iter().any(|(name, _)| *name == path));
        assert_eq!(lines > 500, long, "{path} has {lines} lines: cut it, or take it off the list");
    }
}

/// Backquoted paths in the documents exist.
#[test]
fn documents_name_paths_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let mut seen = 0;
        for word in text.split('`').skip(1).step_by(2) {
            let is_path = word.contains('/') && !word.contains([' ', '\n']) && !word.contains("://");
            if is_path && !word.contains(['<', '*', '{']) {
                assert!(root.join(word).exists(), "{document} names {word}");
                seen += 1;
            }
        }
        assert!(seen > 0 || document == "CONTRIBUTING.md", "{document} names no path at all");
    }
}
