//! The crates are layered as ARCHITECTURE.md has them, and the files of a crate import each other without circles.
//!
//! Imports are the `use` lines and the paths of a file, without its tests. A module may use names of the module it is part of
//! (`super::Builder`); that is no import, since a folder's `mod.rs` and its files are one room. A `pub use` only hands a name on: who
//! imports it from there imports the file that defines it. The engine has a test of its own.

#[path = "../../engine/tests/imports/mod.rs"]
mod imports;

use imports::{Graph, paths, shown, tokens, without_tests};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Which crates of the workspace a crate may depend on. Tests may depend on more.
const LAYERS: [(&str, &[&str]); 11] = [
    ("sparse", &[]),
    ("plot", &[]),
    ("engine", &["sparse"]),
    ("record", &["engine"]),
    ("scene", &["engine"]),
    ("export", &["engine", "scene"]),
    ("import", &["engine", "scene"]),
    ("study", &["engine", "plot", "scene"]),
    ("host", &["engine", "record", "scene"]),
    ("studio", &["engine", "export", "host", "scene"]),
    ("cli", &["engine", "export", "host", "import", "plot", "record", "scene", "studio", "study"]),
];

/// Crates whose files are not looked at here: `crates/engine/tests/layering.rs` has the rules of the engine, and the kernels of
/// `sparse` are one algorithm in several files.
const APART: [&str; 2] = ["engine", "sparse"];

/// Circles that are allowed, as the names of their modules in order, each with a reason. This list may only shrink: an entry that
/// is no circle any more fails.
const ALLOWED: [(&str, &[&str], &str); 0] = [];

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
        let used: BTreeSet<&str> = names.collect();
        assert_eq!(used, allowed.iter().copied().collect(), "what {name} depends on");
        let below: BTreeSet<&str> = LAYERS[..place].iter().map(|(name, _)| *name).collect();
        assert!(used.is_subset(&below), "{name} depends on a crate that is not below it");
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
