//! Words that the book, the help texts and the errors do not use: see "Language" in CONTRIBUTING.

use super::{pages, root};
use std::fs;
use std::path::Path;

/// Phrases that are never right here, in small letters, and what to write instead.
const PHRASES: &[(&str, &str)] = &[
    ("exact to the bit", "bitwise reproducible"),
    ("to the bit", "bitwise"),
    ("is told", "is reported"),
    ("are told", "are reported"),
    ("what is told", "outputs"),
    ("stands open", "is violated, is open"),
    ("stood open", "was open"),
    ("in good order", "complete"),
    ("let go of", "release"),
    ("the way that", "the direction that"),
    ("a rival", "another engine"),
    ("rivals", "other engines"),
    ("by chance", "at random"),
    ("by itself to", "automatically to"),
    ("who moves", "what drives"),
    ("it wants", "its target is"),
    ("can be touched", "has a collision shape"),
    ("bent for good", "plastically bent"),
    ("steps a second", "steps per second"),
    ("frames a second", "frames per second"),
    ("solve a step", "solve per step"),
    ("µs a step", "µs per step"),
    ("stepper", "integrator"),
    ("attitude", "orientation"),
];

/// Sentences do not begin so.
const OPENINGS: &[&str] = &["Of a ", "Of an ", "Of the ", "What of "];

/// The lines of a text that are prose.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter(move |(_, line)| {
        fenced ^= line.starts_with("```");
        !fenced
    })
}

#[test]
fn pages_use_the_words_of_the_field() {
    let mut faults = Vec::new();
    // generated pages are as good as their sources
    let generated = ["docs/quality/validation.md", "docs/quality/studies.md", "docs/quality/comparison.md"];
    // these two name the old words beside the new ones
    let lists = ["docs/help/changelog.md", "docs/help/glossary.md"];
    for page in pages().iter().filter(|page| !generated.contains(&page.name.as_str())) {
        for (number, line) in prose(&page.text) {
            let small = line.to_lowercase();
            for (phrase, better) in PHRASES {
                if small.contains(phrase) && !lists.contains(&page.name.as_str()) {
                    faults.push(format!("{}:{}: \"{phrase}\": write {better}", page.name, number + 1));
                }
            }
            if OPENINGS
                .iter()
                .any(|opening| line.starts_with(opening) || line.contains(&format!(". {opening}")))
            {
                faults.push(format!("{}:{}: a sentence begins with \"Of a\"", page.name, number + 1));
            }
            let table_or_link = line.starts_with('|') || line.contains("](") || line.contains("`");
            if line.chars().count() > 110 && !table_or_link && !page.name.starts_with("docs/reference/") {
                faults.push(format!("{}:{}: wrap prose at 100 columns", page.name, number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// The same for what the program prints: texts between quotes and the comments that become help.
#[test]
fn the_program_uses_the_words_of_the_field() {
    fn visit(folder: &Path, faults: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                visit(&path, faults);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source");
                // the list of old names, and the word that recordings have for a released input
                let keeps = |line: &str| path.ends_with("upgrade.rs") || line.contains("LET_GO");
                for (number, line) in text.lines().enumerate().filter(|(_, line)| !keeps(line)) {
                    let printed = line.contains('"') || line.trim_start().starts_with("///");
                    let small = line.to_lowercase();
                    for (phrase, better) in
                        PHRASES.iter().filter(|(phrase, _)| printed && small.contains(phrase))
                    {
                        faults.push(format!(
                            "{}:{}: \"{phrase}\": write {better}",
                            path.display(),
                            number + 1
                        ));
                    }
                }
            }
        }
    }
    let mut faults = Vec::new();
    for name in [
        "cli",
        "engine",
        "export",
        "host",
        "import",
        "mass_point_cable",
        "record",
        "scene",
        "studio",
        "sweep",
    ] {
        visit(&root().join("crates").join(name).join("src"), &mut faults);
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
