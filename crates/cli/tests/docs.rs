//! What the book says is true: its scenes are sound, its links lead somewhere, its commands run.
//!
//! Pages are read as text. A block of TOML that begins with `windlass = 2` is a whole scene. Commands are the lines of
//! `sh` blocks that begin with `windlass`; each page has a folder of its own, where they run one after the other with
//! the example scenes beside them. Those that need povray or ffmpeg are left out.

use crate::desk;

use desk::Desk;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Names and texts of all pages.
fn pages() -> Vec<(String, String)> {
    let folder = fs::read_dir(root().join("docs")).expect("the book");
    let mut paths: Vec<_> = folder.map(|f| f.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "md"));
    paths.sort();
    assert!(paths.len() >= 13, "{paths:?}");
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read_to_string(path).expect("text"))).collect()
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join("docs").join(name)).expect("a page")
}

/// The fenced blocks of one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => open = Some((kind.to_string(), String::new())),
            (Some(_), Some(_)) => {
                let (kind, block) = open.take().unwrap_or_default();
                if kind == language {
                    blocks.push(block);
                }
            }
            (Some((_, block)), None) => *block += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// A line of a shell as words, up to a comment or a pipe; enough for the book.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => (quote, word) = (Some(c), Some(word.unwrap_or_default())),
            (None, '#' | '|') if word.is_none() => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (Some(q), c) if q == c => quote = None,
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Paths that a pattern such as `scenes/mechanism/*.toml` stands for.
fn paths(desk: &Desk, word: &str) -> Vec<String> {
    let Some(folder) = word.strip_suffix("/*.toml") else { return vec![word.to_string()] };
    let files = fs::read_dir(desk.path(folder)).expect("a folder");
    let mut names: Vec<_> = files.map(|f| f.expect("a file").file_name()).collect();
    names.sort();
    names.iter().map(|name| format!("{folder}/{}", name.to_string_lossy())).collect()
}

/// A folder with the example scenes and a robot in it.
fn site() -> Desk {
    let desk = Desk::new();
    for group in ["mechanism", "crane", "cable", "cookbook"] {
        let folder = format!("scenes/{group}");
        fs::create_dir_all(desk.path(&folder)).expect("a folder");
        for file in fs::read_dir(root().join(&folder)).expect("scenes") {
            let file = file.expect("a file");
            fs::copy(file.path(), desk.path(&folder).join(file.file_name())).expect("a copy");
        }
    }
    let robot = root().join("crates/import/tests/models/arm.urdf");
    fs::copy(robot, desk.path("robot.urdf")).expect("a copy");
    desk
}

/// Runs the commands of a page, of which there must be some.
fn run(name: &str, least: usize) {
    let desk = site();
    let mut count = 0;
    for block in blocks(&page(name), "sh") {
        for line in block.replace("\\\n", " ").lines().filter(|line| line.starts_with("windlass ")) {
            let words: Vec<_> = words(line).iter().flat_map(|word| paths(&desk, word)).collect();
            if words.iter().any(|word| word.ends_with(".png") || word.ends_with(".mp4")) {
                continue;
            }
            let mut arguments: Vec<_> = words.iter().skip(1).map(String::as_str).collect();
            let redirection = arguments.iter().position(|word| *word == ">");
            let output = redirection.map(|at| arguments.split_off(at)[1]);
            let ran = desk.windlass(&arguments);
            assert!(ran.0.status.success(), "{name}: {line}\n{}{}", ran.out(), ran.err());
            if let Some(output) = output {
                desk.write(output, &ran.out());
            }
            count += 1;
        }
    }
    assert!(count >= least, "{name} has only {count} commands");
}

#[test]
fn the_cookbook_runs() {
    run("cookbook.md", 20);
}

#[test]
fn the_quick_start_runs() {
    run("quick-start.md", 8);
}

#[test]
fn the_commands_run() {
    run("commands.md", 15);
}

#[test]
fn pages_about_files_run() {
    run("scenes.md", 2);
    run("recordings.md", 4);
    run("controls.md", 8);
    run("pictures.md", 4);
    run("import.md", 2);
}

#[test]
fn whole_scenes_are_sound() {
    let desk = Desk::new();
    let mut count = 0;
    for (name, text) in pages() {
        for block in blocks(&text, "toml").iter().filter(|block| block.starts_with("windlass = 2")) {
            desk.write("scene.toml", block);
            let ran = desk.runs("check scene.toml");
            assert!(ran.0.status.success(), "{name}: {}{}\n{block}", ran.out(), ran.err());
            count += 1;
        }
    }
    assert!(count >= 5, "{count}");

    // the examples of the chapters "Bodies" to "Forces" are said to make one scene
    let text = page("scenes.md");
    let from = text.find("## Bodies").expect("a chapter");
    let to = text.find("## Parameters and expressions").expect("a chapter");
    let whole = format!("windlass = 2\n{}", blocks(&text[from..to], "toml").concat());
    desk.write("whole.toml", &whole);
    desk.runs("check whole.toml").ends(0);
}

#[test]
fn links_and_scenes_are_there() {
    let mut count = 0;
    for (name, text) in pages() {
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let local = links.filter(|link| !link.contains("://") && !link.starts_with('#'));
        for link in local {
            let file = link.split('#').next().unwrap_or_default();
            assert!(root().join("docs").join(file).exists(), "{name} links to {link}");
            count += 1;
        }
        let is_path = |c: char| c.is_alphanumeric() || "_-./*".contains(c);
        for (at, _) in text.match_indices("scenes/") {
            let path: String = text[at..].chars().take_while(|c| is_path(*c)).collect();
            if path.ends_with(".toml") && !path.contains('*') {
                assert!(root().join(&path).is_file(), "{name} names {path}");
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count}");
}
