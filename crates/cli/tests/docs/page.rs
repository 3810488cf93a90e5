//! A page: text → blocks → commands that are run, and their output held against what the page shows.

use super::root;
use crate::desk::Desk;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

pub struct Page {
    /// Path from the root of the repository.
    pub name: String,
    pub text: String,
    pub blocks: Vec<Block>,
}

/// A fenced block.
pub struct Block {
    pub language: String,
    pub text: String,
    /// Number of its first line in the page, from 0.
    line: usize,
}

/// What came of a page's commands.
#[derive(Default)]
pub struct Outcome {
    pub commands: usize,
    pub faults: Vec<String>,
}

impl Page {
    pub fn read(path: &Path) -> Page {
        let text = fs::read_to_string(path).expect("a page");
        let name = path.strip_prefix(root()).expect("inside").display().to_string();
        let blocks =
            blocks(&text).unwrap_or_else(|line| panic!("{name}: the block at line {line} is not closed"));
        Page { name, blocks, text }
    }

    /// Runs its blocks in order.
    pub fn run(&self) -> Outcome {
        let desk = site();
        let mut outcome = Outcome::default();
        let mut lines: Vec<String> = self.text.lines().map(String::from).collect();
        // applied from the last to the first, so that line numbers stay true
        let mut replaced: Vec<(usize, usize, Vec<String>)> = Vec::new();
        for block in &self.blocks {
            let place = format!("{}:{}", self.name, block.line);
            match block.language.as_str() {
                "console" => self.console(block, &desk, &mut outcome, &mut replaced),
                "sh" => {
                    outcome.commands += block.text.lines().filter(|line| !line.trim().is_empty()).count();
                    let (output, good) = shell(&desk, &format!("set -e\n{}", block.text));
                    if !good {
                        outcome.faults.push(format!("{place}: fails\n{}\n{output}", block.text));
                    }
                }
                "python" => match file_name(&block.text) {
                    Some(name) => desk.write(name, &block.text),
                    None => {
                        outcome.commands += 1;
                        desk.write(".block.py", &block.text);
                        let (output, good) = shell(&desk, "python3 .block.py");
                        if !good {
                            outcome.faults.push(format!("{place}: fails\n{output}"));
                        }
                    }
                },
                "toml" => {
                    let name = file_name(&block.text).unwrap_or(".block.toml");
                    desk.write(name, &block.text);
                    let first = block.text.lines().find(|l| !l.starts_with('#') && !l.trim().is_empty());
                    if first.is_some_and(|line| line.starts_with("windlass = 2")) {
                        let (output, good) = shell(&desk, &format!("windlass check {name}"));
                        if !good {
                            outcome.faults.push(format!("{place}: not a valid scene\n{output}"));
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(folder) = std::env::var_os("WINDLASS_KEEP") {
            copy(&desk.path(""), &Path::new(&folder).join(&self.name));
        }
        if !replaced.is_empty() && std::env::var_os("WINDLASS_REWRITE").is_some() {
            for (from, to, new) in replaced.into_iter().rev() {
                lines.splice(from..to, new);
            }
            fs::write(root().join(&self.name), lines.join("\n") + "\n").expect("the page");
        }
        outcome
    }

    /// Runs the commands of a block and compares what they print.
    fn console(
        &self,
        block: &Block,
        desk: &Desk,
        outcome: &mut Outcome,
        replaced: &mut Vec<(usize, usize, Vec<String>)>,
    ) {
        let lines: Vec<&str> = block.text.lines().collect();
        let mut at = 0;
        while at < lines.len() {
            let Some(first) = lines[at].strip_prefix("$ ") else {
                outcome.faults.push(format!("{}:{}: output before a command", self.name, block.line));
                return;
            };
            let mut command = first.to_string();
            at += 1;
            while command.ends_with('\\') && at < lines.len() {
                command.pop();
                command += lines[at].trim_start();
                at += 1;
            }
            while let Some(more) = lines.get(at).and_then(|line| line.strip_prefix("> ")) {
                command += &format!("\n{more}");
                at += 1;
            }
            let from = at;
            at += lines[from..].iter().take_while(|line| !line.starts_with("$ ")).count();
            let shown = &lines[from..at];
            outcome.commands += 1;
            let (output, _) = shell(desk, &command);
            let printed: Vec<&str> = output.lines().map(str::trim_end).collect();
            // empty lines at the end are layout
            let shown: Vec<&str> = shown.iter().map(|line| line.trim_end()).collect();
            let trimmed = |list: &[&str]| {
                let end = list.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
                list[..end].iter().map(ToString::to_string).collect::<Vec<_>>()
            };
            let (shown, printed) = (trimmed(&shown), trimmed(&printed));
            if matches(&shown, &printed) {
                continue;
            }
            if !shown.iter().any(|line| line == "…") {
                let start = block.line + from;
                replaced.push((start, start + shown.len(), printed.clone()));
            }
            outcome.faults.push(format!(
                "{}:{}: {command}\nprints\n{}\nnot\n{}",
                self.name,
                block.line + from,
                printed.join("\n"),
                shown.join("\n")
            ));
        }
    }
}

/// The name of the file that a block is.
fn file_name(text: &str) -> Option<&str> {
    text.lines().next()?.strip_prefix("# file: ").map(str::trim)
}

/// The fenced blocks of a page, or the line of one that is not closed.
fn blocks(text: &str) -> Result<Vec<Block>, usize> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block {
                    language: language.trim().to_string(),
                    text: String::new(),
                    line: number + 1,
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
    open.map_or(Ok(blocks), |block| Err(block.line))
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("scenes") {
        let path = entry.expect("a file").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => fs::copy(&path, &target).map(drop).expect("a copy"),
        }
    }
}

/// A folder with the example scenes and a robot in it.
fn site() -> Desk {
    let desk = Desk::new();
    copy(&root().join("scenes"), &desk.path("scenes"));
    fs::copy(root().join("crates/import/tests/models/arm.urdf"), desk.path("robot.urdf")).expect("a copy");
    desk
}

/// What a command prints, on both of its outputs, and whether it succeeds.
fn shell(desk: &Desk, command: &str) -> (String, bool) {
    let folder = Path::new(env!("CARGO_BIN_EXE_windlass")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    // what waits for a browser, or runs for minutes, has no place in a page
    let ran = Command::new("timeout")
        .args(["120", "bash", "-c", &format!("exec 2>&1\n{command}")])
        .current_dir(desk.path(""))
        .env("PATH", format!("{}:{path}", folder.display()))
        .env("LANG", "C.UTF-8")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("timeout and bash");
    (String::from_utf8_lossy(&ran.stdout).into_owned(), ran.status.success())
}

/// Whether printed lines are those shown, where "…" stands for any.
fn matches(shown: &[String], printed: &[String]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "…" => {
            (0..=printed.len()).any(|skip| matches(rest, &printed[skip..]))
        }
        Some((line, rest)) => {
            printed.first().is_some_and(|first| masked(first) == masked(line)) && matches(rest, &printed[1..])
        }
    }
}

/// A line without what differs from run to run: times on the wall clock and what follows from them.
fn masked(line: &str) -> String {
    const LABELS: [&str; 4] = ["wall time ", "step ", "stages ", "pace "];
    const KEYS: [&str; 6] = ["wall_time", "real_time_factor", "median", "p99", "mean", "steps_per_second"];
    let begins = |label: &&&str| line.starts_with(**label);
    if let Some(label) = LABELS.iter().find(begins) {
        return label.trim_end().to_string();
    }
    let key = line.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()).unwrap_or_default();
    if KEYS.contains(&key) {
        return key.to_string();
    }
    if line.contains("µs") || line.contains("real time") {
        return line.chars().filter(|c| !c.is_ascii_digit() && !".e-+ ".contains(*c)).collect();
    }
    line.to_string()
}

#[test]
fn lines_are_compared_but_for_times() {
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    let printed = lines("scene a\nwall time 2 s\nhash 1\nend");
    assert!(matches(&lines("scene a\nwall time 7 s\n…\nend"), &printed));
    assert!(matches(&lines("scene a\n…"), &printed));
    assert!(!matches(&lines("scene a\nwall time 7 s\nhash 2\nend"), &printed));
    assert!(!matches(&lines("scene a"), &printed));
}
