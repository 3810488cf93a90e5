//! The book is true: its scenes are valid, its links lead somewhere, its commands run and print what it shows.
//!
//! Fenced blocks by language, in the order of a page, in a folder of its own with the example scenes beside them:
//!
//! ```text
//!  console    lines after "$ " are commands, the lines below them their output; a line "…" stands for any lines
//!  sh         a script that must succeed
//!  sh manual   what no test can run: installing, opening a browser
//!  python     a script for python3; with "# file: NAME.py" in its first line it is only written
//!  py         a script for the package `windlass`, run by python/tests
//!  sh python   commands of that package, run by python/tests
//!  toml       a scene if it begins with `windlass = 2`; with "# file: NAME.toml" before that it is written, too
//! ```
//!
//! Wall times are masked. `WINDLASS_REWRITE=1` writes the present output into the pages; `WINDLASS_KEEP=FOLDER` keeps what each
//! page makes, under its path.

mod book;
mod complete;
mod generated;
mod page;
mod style;

use page::Page;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages of the book and the README, with their paths from the root.
fn pages() -> Vec<Page> {
    fn visit(folder: &Path, paths: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            match path.is_dir() {
                true => visit(&path, paths),
                false if path.extension().is_some_and(|e| e == "md") => paths.push(path),
                false => {}
            }
        }
    }
    let mut paths = vec![root().join("README.md")];
    visit(&root().join("docs"), &mut paths);
    paths.sort();
    assert!(paths.len() >= 50, "{paths:?}");
    paths.iter().map(|path| Page::read(path)).collect()
}

/// Runs the pages whose path begins so.
#[track_caller]
fn run(begins: &str, least: usize) {
    let pages: Vec<_> = pages().into_iter().filter(|page| page.name.starts_with(begins)).collect();
    let mut faults = Vec::new();
    let mut commands = 0;
    for page in &pages {
        let ran = page.run();
        commands += ran.commands;
        faults.extend(ran.faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(commands >= least, "{begins} has only {commands} commands");
}

#[test]
fn the_readme_runs() {
    run("README.md", 5);
}

#[test]
fn getting_started_runs() {
    run("docs/getting-started/", 15);
}

#[test]
fn tutorials_run() {
    run("docs/tutorials/", 20);
}

#[test]
fn the_modelling_guide_runs() {
    run("docs/modelling/", 20);
}

#[test]
fn the_simulation_guide_runs() {
    run("docs/simulation/", 15);
}

#[test]
fn outputs_run() {
    run("docs/outputs/", 8);
}

#[test]
fn theory_and_reference_run() {
    run("docs/theory/", 0);
    run("docs/reference/", 5);
}

#[test]
fn the_rest_runs() {
    for begins in [
        "docs/programming/",
        "docs/python/",
        "docs/help/",
        "docs/quality/",
        "docs/studio.md",
        "docs/studio-security.md",
        "docs/README.md",
    ] {
        run(begins, 0);
    }
}

/// The blocks that are not run are of the kinds that cannot be.
#[test]
fn only_installing_and_the_studio_are_not_run() {
    let known = [
        "#",
        "(cd crates",
        "./",
        "apt-get ",
        "bench/",
        "cargo ",
        "cd ",
        "git ",
        "mdbook ",
        "mkdir ",
        "node ",
        "npm ",
        "pip install .",
        "rm ",
        "sudo ",
        "windlass bench ",
        "windlass completions ",
        "windlass export ",
        "windlass man ",
        "windlass studio",
        "windlass study ",
        "windlass\n",
    ];
    let mut faults = Vec::new();
    for page in pages() {
        for block in page.blocks.iter().filter(|block| block.language == "sh manual") {
            for line in block.text.replace("\\\n", " ").lines().filter(|line| !line.trim().is_empty()) {
                // jq need not be there
                let is_known =
                    known.iter().any(|word| format!("{line}\n").starts_with(word)) || line.contains("| jq ");
                if !is_known {
                    faults.push(format!("{}: {line}", page.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every block with commands is of a kind that is run.
#[test]
fn commands_are_in_blocks_that_are_run() {
    for page in pages() {
        for block in &page.blocks {
            let run =
                ["console", "sh", "sh manual", "sh python", "python"].contains(&block.language.as_str());
            let commands =
                block.text.lines().any(|line| line.starts_with("$ ") || line.starts_with("windlass "));
            let toml = block.language == "toml";
            assert!(
                run || toml || !commands,
                "{}: a block of \"{}\":\n{}",
                page.name,
                block.language,
                block.text
            );
        }
    }
}

#[test]
fn links_and_scenes_are_there() {
    let (mut count, mut faults) = (0, Vec::new());
    for page in pages() {
        let folder = root().join(&page.name).parent().expect("a folder").to_path_buf();
        let links = page.text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { root().join(&page.name) } else { folder.join(file) };
            if !target.exists() {
                faults.push(format!("{} links to {link}", page.name));
                continue;
            }
            if !heading.is_empty() && target.extension().is_some_and(|e| e == "md") {
                let text = fs::read_to_string(&target).expect("a page");
                if !book::headings(&text).contains(heading) {
                    faults.push(format!("{} links to {link}", page.name));
                }
            }
            count += 1;
        }
        let is_path = |c: char| c.is_alphanumeric() || "_-./*".contains(c);
        for (at, _) in page.text.match_indices("scenes/") {
            let path: String = page.text[at..].chars().take_while(|c| is_path(*c)).collect();
            if path.ends_with(".toml") && !path.contains('*') {
                assert!(root().join(&path).is_file(), "{} names {path}", page.name);
                count += 1;
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count > 150, "{count}");
}
