//! Hand-written lists of the book have an entry for everything that the program knows.

use super::{pages, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use windlass_host::Machine;
use windlass_host::probe::{catalogue, of_items};

/// The part of a page under a heading of the second level.
fn part(page: &str, heading: &str) -> String {
    let pages = pages();
    let page = pages.iter().find(|p| p.name == page).expect("the page");
    let start = page.text.find(&format!("\n## {heading}\n")).expect("the heading") + 1;
    let rest = &page.text[start..];
    rest[..rest[2..].find("\n## ").map_or(rest.len(), |end| end + 2)].to_string()
}

#[test]
fn every_section_of_a_scene_is_in_the_table_of_sections() {
    let table = part("docs/modelling/scene-files.md", "Sections");
    let schema = windlass_scene::schema();
    let sections = schema["properties"].as_object().expect("sections");
    assert!(sections.len() > 25, "{}", sections.len());
    let is_there = |name: &str| {
        ["`", "[", "[["]
            .iter()
            .any(|open| ["`", "]", "."].iter().any(|end| table.contains(&format!("{open}{name}{end}"))))
    };
    let missing: Vec<_> = sections.keys().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "scene-files.md does not have {missing:?}");
}

#[test]
fn every_line_of_the_summary_is_explained() {
    let table = part("docs/simulation/accuracy.md", "Lines of the summary");
    let source = fs::read_to_string(root().join("crates/cli/src/summary.rs")).expect("the source");
    let labels: BTreeSet<&str> =
        source.split("line(").skip(1).filter_map(label).filter(|label| !label.is_empty()).collect();
    assert!(labels.len() > 20, "{labels:?}");
    let missing: Vec<_> = labels.iter().filter(|label| !table.contains(&format!("| `{label}` |"))).collect();
    assert!(missing.is_empty(), "accuracy.md does not have {missing:?}");
}

/// The scenes of the repository.
fn scenes() -> Vec<PathBuf> {
    fn visit(folder: &Path, paths: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            match path.is_dir() {
                true => visit(&path, paths),
                false if path.extension().is_some_and(|e| e == "toml") => paths.push(path),
                false => {}
            }
        }
    }
    let mut paths = Vec::new();
    visit(&root().join("scenes"), &mut paths);
    paths
}

#[test]
fn every_probe_of_an_item_of_a_scene_is_in_the_list_of_probes() {
    // a section and a quantity; what the names of a scene stand for differs
    let ends = |probe: &str| {
        let (section, rest) = probe.split_once('.').expect("a section");
        format!("{section} {}", rest.rsplit('.').next().unwrap_or_default())
    };
    let listed: BTreeSet<_> = catalogue()
        .iter()
        .filter(|(word, ..)| word.contains(".NAME."))
        .map(|(word, ..)| ends(word))
        .collect();
    let (mut missing, mut count) = (BTreeSet::new(), 0);
    for path in scenes() {
        let Ok(machine) = Machine::open(path.as_path(), &[]) else { continue };
        for (probe, ..) in of_items(machine.world()) {
            count += 1;
            if !listed.contains(&ends(&probe)) {
                missing.insert(probe);
            }
        }
    }
    assert!(count > 500, "{count}");
    assert!(missing.is_empty(), "every_kind.toml lacks {missing:?}");
}

/// The first text of a call with one.
fn label(call: &str) -> Option<&str> {
    let first = call.split([',', ')']).next()?;
    first.split('"').nth(1)
}

#[test]
fn every_crate_is_in_the_rust_guide() {
    let guide = fs::read_to_string(root().join("docs/programming/rust.md")).expect("the page");
    // programs, the Python module, and what only studies use
    let internal = ["cli", "python", "studio", "study"];
    let crates = fs::read_dir(root().join("crates")).expect("a folder");
    let names = crates.map(|entry| entry.expect("a crate").file_name().into_string().expect("a name"));
    let missing: Vec<_> = names
        .filter(|name| !internal.contains(&name.as_str()))
        .filter(|name| !guide.contains(&format!("`windlass-{}`", name.replace('_', "-"))))
        .collect();
    assert!(missing.is_empty(), "rust.md does not have {missing:?}");
}
