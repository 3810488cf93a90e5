//! The crates are layered as ARCHITECTURE.md has them, and the files of a crate import each other without circles.
//!
//! Imports are the `use` lines and the paths of a file, without its tests. A module may use names of the module it is part of
//! (`super::Builder`); that is no import, since a folder's `mod.rs` and its files are one room. A `pub use` only hands a name on: who
//! imports it from there imports the file that defines it. The engine has a test of its own.

use crate::imports;

use imports::{Graph, paths, shown, tokens, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which crates of the workspace a crate may depend on. Tests may depend on more.
const LAYERS: [(&str, &[&str]); 20] = [
    ("sparse", &[]),
    ("plot", &[]),
    ("engine", &["sparse"]),
    ("record", &["engine"]),
    ("mass_point_cable", &["engine"]),
    ("fluid", &["engine"]),
    ("vehicle", &["engine"]),
    ("soil", &["engine"]),
    ("control", &["engine"]),
    ("scene", &["control", "engine", "fluid", "mass_point_cable", "soil", "vehicle"]),
    ("export", &["engine", "scene"]),
    ("import", &["engine", "scene"]),
    ("study", &["engine", "fluid", "mass_point_cable", "plot", "scene", "soil", "vehicle"]),
    ("host", &["engine", "record", "scene"]),
    ("batch", &["engine", "host", "scene"]),
    ("sweep", &["engine", "host", "scene"]),
    ("analysis", &["engine", "host", "scene"]),
    ("studio", &["engine", "export", "host", "scene"]),
    (
        "cli",
        &[
            "analysis", "engine", "export", "host", "import", "plot", "record", "scene", "studio", "study",
            "sweep",
        ],
    ),
    ("python", &["analysis", "batch", "cli", "engine", "export", "host", "plot", "record", "scene", "sweep"]),
];

/// The crates of subsystems: each depends on the engine alone.
const SUBSYSTEMS: [&str; 5] = ["mass_point_cable", "fluid", "vehicle", "soil", "control"];

/// Where sources may name a subsystem: scenes, in one folder, and the studies of papers about it.
const MAY_NAME_SUBSYSTEMS: [&str; 2] = ["scene/src/subsystem", "study/src"];

/// Source files that know cables of mass points by the facade that scenes give of them: their lines are drawn, read and
/// dragged in ways of their own. The list may only shrink.
const MAY_NAME_POINT_CABLES: [&str; 6] = [
    "cli/src/cable.rs",
    "cli/src/export/source.rs",
    "export/src/built.rs",
    "host/src/drag.rs",
    "host/src/probe/cable.rs",
    "studio/src/line.rs",
];

/// The crate whose files are not looked at here: `crates/engine/tests/layering.rs` has its rules.
const APART: [&str; 1] = ["engine"];

/// Circles that are allowed, as the names of their modules in order, each with a reason. This list may only shrink: an entry that
/// is no circle any more fails.
const ALLOWED: [(&str, &[&str], &str); 0] = [];

/// Lines of a source file at most, and of those that are listed.
const LINES: [usize; 2] = [500, 600];

/// Source files above the first limit. The list may only shrink: cut a file where its subjects part.
const LONG: &[&str] = &[
    "cli/src/summary.rs",
    "export/src/gltf.rs",
    "export/src/picture.rs",
    "export/src/terrain.rs",
    "export/src/usda.rs",
    "fluid/src/immersed_body.rs",
    "host/src/machine.rs",
    "host/src/probe/parse.rs",
    "host/src/probe/source.rs",
    "record/src/recorder.rs",
    "record/src/recording.rs",
    "scene/src/build/contact.rs",
    "scene/src/build/input.rs",
    "scene/src/build/mod.rs",
    "scene/src/section/mod.rs",
    "scene/src/text/mod.rs",
    "scene/src/units.rs",
    "soil/src/world/earthworks.rs",
    "soil/src/world/track_rows.rs",
    "studio/src/check.rs",
    "study/src/servin/particle_chain.rs",
];

/// Fields of a struct at most.
const FIELDS: usize = 20;

/// Structs with more, with reasons. The list may only shrink.
const WIDE: [(&str, &str); 7] = [
    ("scene/src/text/body.rs Body", "the keys of a section"),
    ("scene/src/text/cable.rs Section", "the keys of a section"),
    ("scene/src/text/joint.rs Joint", "the kinds of joints, of which one is given"),
    ("scene/src/text/mod.rs Scene", "the sections of a scene"),
    ("cli/src/info.rs Contents", "an object of the JSON output"),
    ("cli/src/summary.rs Summary", "an object of the JSON output"),
    ("studio/src/message/status.rs Status", "a message of the protocol"),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn crates_depend_on_crates_below_them_alone() {
    let listed: BTreeSet<String> = LAYERS.iter().map(|(name, _)| name.to_string()).collect();
    let folders = fs::read_dir(crates()).unwrap().map(|entry| entry.unwrap().path());
    let found = folders.filter(|path| path.join("Cargo.toml").exists());
    let found: BTreeSet<String> =
        found.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(found, listed, "every crate has a line in LAYERS");
    for (place, (name, allowed)) in LAYERS.iter().enumerate() {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
        let lines = lines.take_while(|line| !line.starts_with('['));
        let names = lines.filter_map(|line| line.strip_prefix("windlass-")?.split(['.', ' ', '=']).next());
        let used: BTreeSet<String> = names.map(|name| name.replace('-', "_")).collect();
        assert_eq!(used, allowed.iter().map(|name| name.to_string()).collect(), "what {name} depends on");
        let below: BTreeSet<String> = LAYERS[..place].iter().map(|(name, _)| name.to_string()).collect();
        assert!(used.is_subset(&below), "{name} depends on a crate that is not below it");
    }
}

/// What is built on a subsystem is built on `crates/scene/src/subsystem`, so that a new kind touches its crate and that folder.
#[test]
fn subsystems_are_named_in_one_place() {
    let mut wrong = Vec::new();
    for name in SUBSYSTEMS {
        let (_, below) = LAYERS.iter().find(|(layer, _)| *layer == name).unwrap();
        assert_eq!(*below, ["engine"], "{name} depends on the engine alone");
        let allowed = |path: &Path| {
            MAY_NAME_SUBSYSTEMS.iter().chain([&name]).any(|folder| path.starts_with(crates().join(folder)))
        };
        let mut files = Vec::new();
        for (layer, _) in LAYERS {
            sources(&crates().join(layer).join("src"), &mut files);
        }
        let names = |path: &PathBuf| fs::read_to_string(path).unwrap().contains(&format!("windlass_{name}"));
        let found = files.iter().filter(|path| !allowed(path) && names(path));
        wrong.extend(found.map(|path| format!("{} names {name}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Cables of mass points are of their crate and of scenes, and of the listed files; the engine and recordings do not
/// mention them.
#[test]
fn point_cables_are_named_where_they_may_be() {
    let own = ["mass_point_cable/", "scene/", "study/"];
    let mut found = BTreeSet::new();
    for (path, text) in texts().into_iter().filter(|(path, _)| own.iter().all(|own| !path.starts_with(own))) {
        if text.contains("PointCable") {
            assert!(MAY_NAME_POINT_CABLES.contains(&path.as_str()), "{path} names PointCable");
            found.insert(path.clone());
        }
        let is_below = path.starts_with("engine/") || path.starts_with("record/");
        let mentions =
            ["mass-point", "mass point", "mass_point"].into_iter().find(|word| text.contains(word));
        assert!(!is_below || mentions.is_none(), "{path} mentions {}", mentions.unwrap_or_default());
    }
    assert_eq!(found.len(), MAY_NAME_POINT_CABLES.len(), "a file of the list does not name them any more");
}

/// Crates turn the discovery of tests off: a file that `tests/main.rs` does not declare would never run.
#[test]
fn every_file_of_tests_is_compiled() {
    for (name, _) in LAYERS {
        let folder = crates().join(name).join("tests");
        let Ok(main) = fs::read_to_string(folder.join("main.rs")) else {
            assert!(!folder.exists(), "{name} has tests and no tests/main.rs");
            continue;
        };
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let module = path.file_stem().unwrap().to_string_lossy().into_owned();
            let rust = path.extension().is_some_and(|ending| ending == "rs") && module != "main";
            let declared = main.lines().any(|line| line == format!("mod {module};"));
            assert!(!rust || declared, "crates/{name}/tests/main.rs does not declare {module}");
        }
    }
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn files_import_each_other_without_circles() {
    let mut allowed: BTreeMap<(&str, String), &str> = BTreeMap::new();
    for (name, modules, reason) in ALLOWED {
        allowed.insert((name, modules.join(", ")), reason);
    }
    let mut found = BTreeSet::new();
    let mut new = Vec::new();
    for (name, _) in LAYERS.iter().filter(|(name, _)| !APART.contains(name)) {
        let graph = Graph::of(&crates().join(name).join("src"));
        assert!(graph.arrows.values().any(|to| !to.is_empty()), "{name} has imports");
        for circle in graph.circles() {
            let modules: Vec<String> = circle.iter().map(shown).collect();
            let key = (*name, modules.join(", "));
            if !allowed.contains_key(&key) {
                new.push(format!("{name}: {}\n{}", key.1, graph.explain(&circle)));
            }
            found.insert(key);
        }
    }
    assert!(new.is_empty(), "files that import each other in a circle:\n{}", new.join("\n"));
    for (key, reason) in allowed {
        assert!(found.contains(&key), "{key:?} is no circle any more: take it off the list ({reason})");
    }
}

/// All source files as paths from `crates`, with their texts.
fn texts() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (name, _) in LAYERS {
        sources(&crates().join(name).join("src"), &mut files);
    }
    let named = |path: &PathBuf| path.strip_prefix(crates()).unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (named(path), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn files_are_short() {
    let [most, listed] = LINES;
    for (path, text) in texts() {
        let (lines, is_listed) = (text.lines().count(), LONG.contains(&path.as_str()));
        assert!(lines <= if is_listed { listed } else { most }, "{path} has {lines} lines: cut it");
        assert!(lines > most || !is_listed, "{path} has {lines} lines: take it off the list");
    }
    let missing = LONG.iter().find(|path| !crates().join(path).is_file());
    assert_eq!(missing, None, "a file of the list does not exist");
}

#[test]
fn structs_are_small() {
    let (mut structs, mut wide) = (0, BTreeSet::new());
    for (path, text) in texts() {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if !line.contains("struct ") || !line.ends_with('{') || line.trim_start().starts_with("//") {
                continue;
            }
            let body = lines.by_ref().take_while(|line| line.trim() != "}");
            let is_field = |line: &&str| !line.trim_start().starts_with(['/', '#']) && line.contains(": ");
            let fields = body.filter(is_field).count();
            let name = line.split("struct ").nth(1).and_then(|rest| rest.split(['<', ' ']).next());
            let key = format!("{path} {}", name.unwrap_or_default());
            if fields > FIELDS {
                assert!(WIDE.iter().any(|(known, _)| *known == key), "{key} has {fields} fields");
                wide.insert(key);
            }
            structs += 1;
        }
    }
    assert_eq!(wide.len(), WIDE.len(), "a struct of the list is no longer wide: take it off; found {wide:?}");
    assert!(structs > 500, "only {structs} were found");
}

/// The overview has a row for each crate of the workspace, in the order of the layers, and stays a page to read.
#[test]
fn the_overview_is_complete_and_short() {
    let text = fs::read_to_string(crates().join("../ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `crates/")?.split_once("` |"));
    let rows: Vec<&str> = rows.map(|(name, _)| name).filter(|name| !name.contains('/')).collect();
    for (name, _) in LAYERS {
        assert_eq!(rows.iter().filter(|row| **row == name).count(), 1, "rows of {name} in ARCHITECTURE.md");
    }
    let place = |name: &str| rows.iter().position(|row| *row == name);
    for (name, below) in LAYERS {
        let above = below.iter().filter(|other| place(other) < place(name)).count();
        assert_eq!(above, below.len(), "{name} stands before a crate that it depends on");
    }
    let lines = text.lines().count();
    assert!(
        lines <= 210,
        "ARCHITECTURE.md has {lines} lines: describe it in a module head or in docs/theory"
    );
}

/// The reader of imports reads what it is meant to.
#[test]
fn imports_are_read() {
    let text = r##"
        // use crate::comment::A;
        use crate::a::{B, c::{self, D as E}, f::*};
        pub use super::g::H;
        fn h<'a>(x: &'a str) -> char { let _ = ("use crate::text::A;", r#"use crate::raw::A;"#, '"', '\''); crate::i::j(x) }
        #[cfg(test)]
        mod tests { use crate::tests::only; fn x() { } }
        use self::k::L;
    "##;
    let read: Vec<String> = paths(&without_tests(tokens(text)))
        .into_iter()
        .map(|(path, is_public)| format!("{}{}", if is_public { "pub " } else { "" }, path.join("::")))
        .collect();
    let wanted = [
        "crate::a::B",
        "crate::a::c",
        "crate::a::c::D",
        "crate::a::f",
        "pub super::g::H",
        "crate::i::j",
        "self::k::L",
    ];
    assert_eq!(read, wanted);
}
