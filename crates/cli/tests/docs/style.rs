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
    ("let go ", "release"),
    ("found wanting", "corrected"),
    ("bends for good", "plastic bending"),
    ("for good", "permanently"),
    ("is born ", "is created "),
    ("begins anew", "starts again"),
    ("begin anew", "start again"),
    ("a knob", "a parameter"),
    ("the knob", "the parameter"),
    ("the blow", "the impact"),
    ("unless told", "unless stated otherwise"),
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

/// Pages by hand: the book, the README and what is beside it.
fn by_hand() -> Vec<(String, String)> {
    // generated, or text and tables of another program; their sources are tested below
    let generated = ["docs/quality/studies.md", "docs/reference/scene.md", "docs/reference/commands.md"];
    let generated = |name: &str| {
        generated.contains(&name)
            || ["probes", "json"].iter().any(|page| name == format!("docs/reference/{page}.md"))
    };
    let book = pages().into_iter().map(|page| (page.name, page.text));
    let beside = ["ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(|name| (name.to_string(), fs::read_to_string(root().join(name)).expect("a page")));
    book.chain(beside).filter(|(name, _)| !generated(name)).collect()
}

/// Whether a line of prose is longer than 100 columns and can be broken. Tables, pictures and headings cannot; nor can a
/// line whose first word or code is as long.
fn is_too_long(line: &str) -> bool {
    const COLUMNS: usize = 100;
    let text = line.trim_start();
    let fixed = ["|", "![", "#", "<!--"].iter().any(|start| text.starts_with(start));
    if fixed || line.chars().count() <= COLUMNS {
        return false;
    }
    let (mut in_code, mut marker) = (false, true);
    let breaks = text.chars().take(COLUMNS - (line.len() - text.len())).filter(|c| {
        in_code ^= *c == '`';
        // the mark of a list entry is no word
        marker &= "-*+ .0123456789".contains(*c);
        *c == ' ' && !in_code && !marker
    });
    breaks.count() > 0
}

#[test]
fn pages_use_the_words_of_the_field() {
    let mut faults = Vec::new();
    // these two name the old words beside the new ones
    let lists = ["docs/help/changelog.md", "docs/help/glossary.md", "CONTRIBUTING.md"];
    for (name, text) in by_hand() {
        // what a program measured is as good as its source
        let measured = text.find("<!-- numbers").unwrap_or(text.len());
        for (number, line) in prose(&text[..measured]) {
            let small = line.to_lowercase();
            for (phrase, better) in PHRASES {
                if small.contains(phrase) && !lists.contains(&name.as_str()) {
                    faults.push(format!("{name}:{}: \"{phrase}\": write {better}", number + 1));
                }
            }
            if OPENINGS
                .iter()
                .any(|opening| line.starts_with(opening) || line.contains(&format!(". {opening}")))
            {
                faults.push(format!("{name}:{}: a sentence begins with \"Of a\"", number + 1));
            }
            if is_too_long(line) {
                faults.push(format!("{name}:{}: wrap prose at 100 columns", number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn only_what_can_be_broken_is_too_long() {
    let word = "x".repeat(101);
    let words = "word ".repeat(21);
    for (line, wanted) in [
        (words.clone(), true),
        (format!("* {words}"), true),
        (format!("12. {words}"), true),
        (format!("  see [a page](page.md) {words}"), true),
        (words[..99].to_string(), false),
        (word.clone(), false),
        (format!("* {word}"), false),
        (format!("`{words}`"), false),
        (format!("| {words} |"), false),
        (format!("![{words}](picture.png)"), false),
    ] {
        assert_eq!(is_too_long(&line), wanted, "{line}");
    }
}

/// No paragraph of the README has more than four lines.
#[test]
fn paragraphs_of_the_readme_are_short() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README");
    let lines: Vec<&str> = prose(&text).map(|(_, line)| line).collect();
    for paragraph in lines.split(|line| line.trim().is_empty()) {
        let is_prose = paragraph.first().is_some_and(|line| !line.starts_with('|'));
        assert!(!is_prose || paragraph.len() <= 4, "more than four lines: {paragraph:#?}");
    }
}

/// The same for what the program prints, and for what is read beside it: texts between quotes, help, module heads, the
/// Python package, and the comments of scenes.
#[test]
fn the_program_uses_the_words_of_the_field() {
    fn is_read(path: &Path, line: &str) -> bool {
        let start = line.trim_start();
        match path.extension().and_then(|e| e.to_str()) {
            Some("rs") => line.contains('"') || start.starts_with("///") || start.starts_with("//!"),
            Some("toml") => line.contains('#') || line.contains('"'),
            Some("py" | "pyi") => true,
            _ => false,
        }
    }
    fn visit(folder: &Path, faults: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                visit(&path, faults);
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else { continue };
            // the list of old names, and the word that recordings have for a released input
            let keeps = |line: &str| path.ends_with("upgrade.rs") || line.contains("LET_GO");
            for (number, line) in text.lines().enumerate().filter(|(_, line)| !keeps(line)) {
                let small = line.to_lowercase();
                for (phrase, better) in
                    PHRASES.iter().filter(|(phrase, _)| is_read(&path, line) && small.contains(phrase))
                {
                    faults.push(format!("{}:{}: \"{phrase}\": write {better}", path.display(), number + 1));
                }
            }
        }
    }
    let mut faults = Vec::new();
    let crates = fs::read_dir(root().join("crates")).expect("a folder");
    let sources = crates.map(|entry| entry.expect("a crate").path().join("src"));
    let beside = ["crates/scene/library", "python/windlass", "python/examples", "scenes"];
    for folder in sources.chain(beside.map(|folder| root().join(folder))) {
        visit(&folder, &mut faults);
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
