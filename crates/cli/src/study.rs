//! `windlass study`: re-runs experiments of published papers and compares the results, on the terminal and as a report.

use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::show;
use clap::Args;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use windlass_scene::save::{Older, save};
use windlass_study::report::{Setting, html, markdown, text};
use windlass_study::{Done, Findings, Study, Watch, matching, run, studies};

const EXAMPLES: &str = "\
Examples:
  windlass study
  windlass study servin/table-1
  windlass study servin tasora
  windlass study all -o report.html
  windlass study all --markdown docs/quality

Without a name the studies are listed. Exit code 3: a row was missed or a study failed.";

/// Re-run experiments of published papers and compare with the published values
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Studies by name, a paper for all of its studies, or "all"
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Write a report as HTML
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the report as Markdown, `studies.md`, with its figures, into a folder
    #[arg(long, value_name = "FOLDER")]
    markdown: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    /// Small grids and short durations
    #[arg(long)]
    quick: bool,
    /// Number of studies run in parallel; those that measure time run alone
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

/// Folder of figures next to `studies.md`.
const PICTURES: &str = "images/studies";

/// Lists or runs.
pub fn study(arguments: &Arguments) -> Outcome {
    if arguments.names.is_empty() {
        return list(arguments.json);
    }
    let chosen = match chosen(&arguments.names) {
        Ok(chosen) => chosen,
        Err(why) => return show::refuse(&why),
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let bars = Bars::new();
    let told = |done: &Done| bars.done(done, arguments.json);
    let all = run(&chosen, arguments.threads.unwrap_or(threads), arguments.quick, &bars, &told);
    if bars.stops() {
        return Outcome::Interrupted;
    }
    let setting = Setting {
        version: env!("CARGO_PKG_VERSION").to_string(),
        machine: machine(threads),
        date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
        quick: arguments.quick,
    };
    let mut outcome = if all.iter().all(Done::is_met) { Outcome::Well } else { Outcome::Fault };
    if let Some(path) = &arguments.output {
        outcome = outcome.max(write(path, &html(&all, &setting)));
    }
    if let Some(folder) = &arguments.markdown {
        outcome = outcome.max(write_pages(folder, &all, &setting));
    }
    if arguments.json {
        return outcome
            .max(show::print_json(&Studies { studies: all.iter().map(StudyResult::new).collect() }));
    }
    outcome
}

/// The object of `--json`.
#[derive(Serialize)]
struct Studies<T> {
    studies: Vec<T>,
}

/// The result of a study in it.
#[derive(Serialize)]
struct StudyResult<'a> {
    name: &'a str,
    title: &'a str,
    place: &'a str,
    met: usize,
    missed: usize,
    error: Option<String>,
    wall_time: f64,
    #[serde(flatten)]
    findings: &'a Findings,
}

impl StudyResult<'_> {
    fn new(done: &Done) -> StudyResult<'_> {
        let [met, missed] = done.findings.counts();
        StudyResult {
            name: done.study.name,
            title: done.study.title,
            place: done.study.place,
            met,
            missed,
            error: done.trouble.as_ref().map(ToString::to_string),
            wall_time: done.took.as_secs_f64(),
            findings: &done.findings,
        }
    }
}

fn list(json: bool) -> Outcome {
    #[derive(Serialize)]
    struct Listed {
        name: &'static str,
        title: &'static str,
        place: &'static str,
    }
    if json {
        let listed = |s: &Study| Listed { name: s.name, title: s.title, place: s.place };
        return show::print_json(&Studies { studies: studies().map(listed).collect() });
    }
    let wide = studies().map(|s| s.name.len()).max().unwrap_or(0);
    let line = |s: &Study| format!("{:wide$}  {} ({})\n", s.name, s.title, s.place);
    let lines: String = studies().map(line).collect();
    show::print(&format!(
        "{lines}\nRun one with `windlass study NAME`, all with `windlass study all -o report.html`.\n"
    ))
}

/// The studies that words name, each once, in the order of the list.
fn chosen(names: &[String]) -> Result<Vec<&'static Study>, String> {
    let mut found: Vec<&'static Study> = Vec::new();
    for name in names {
        let matching = matching(name);
        if matching.is_empty() {
            let words = studies().map(|s| s.name);
            return Err(format!(
                "no study \"{name}\"; {}",
                windlass_host::probe::suggestion(name, "studies", words)
            ));
        }
        found.extend(matching);
    }
    let is_found = |study: &&'static Study| found.iter().any(|f| f.name == study.name);
    Ok(studies().filter(is_found).collect())
}

fn write(path: &Path, text: &str) -> Outcome {
    match save(path, text.as_bytes(), Older::Replaced) {
        Ok(()) => Outcome::Well,
        Err(e) => {
            show::tell(&format!("error: cannot write {}: {e}", path.display()));
            Outcome::File
        }
    }
}

fn write_pages(folder: &Path, all: &[Done], setting: &Setting) -> Outcome {
    let pages = markdown(all, setting, PICTURES);
    let pictures = folder.join(PICTURES);
    if let Err(e) = fs::create_dir_all(&pictures) {
        show::tell(&format!("error: cannot create {}: {e}", pictures.display()));
        return Outcome::File;
    }
    let files = pages.pictures.iter().map(|(name, drawing)| (name.as_str(), drawing));
    files
        .chain([("studies.md", &pages.text)])
        .map(|(name, text)| write(&folder.join(name), text))
        .max()
        .unwrap_or(Outcome::Well)
}

/// Progress bars of running studies on standard error, if it is a terminal.
struct Bars {
    all: Option<MultiProgress>,
    running: Mutex<BTreeMap<String, ProgressBar>>,
    interrupt: Interrupt,
}

impl Bars {
    fn new() -> Bars {
        let all = io::stderr().is_terminal().then(MultiProgress::new);
        Bars { all, running: Mutex::default(), interrupt: Interrupt::listen() }
    }

    /// Removes the bar of a study and prints its findings.
    fn done(&self, done: &Done, json: bool) {
        let bar = self.running.lock().expect("nobody panics with the bars").remove(done.study.name);
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let print = || {
            if !json {
                show::print(&text(done));
            }
        };
        match &self.all {
            Some(all) => all.suspend(print),
            None => print(),
        }
    }
}

impl Watch for Bars {
    fn progress(&self, study: &str, done: f64) {
        let Some(all) = &self.all else { return };
        let mut running = self.running.lock().expect("nobody panics with the bars");
        let bar = running.entry(study.to_string()).or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {elapsed}")
                .expect("the template is a constant")
                .progress_chars("━╸─");
            all.add(ProgressBar::new(1000)).with_style(style).with_message(study.to_string())
        });
        bar.set_position((1000.0 * done) as u64);
    }

    fn stops(&self) -> bool {
        self.interrupt.came()
    }
}

/// The processor, as the system names it, and how many threads there are.
fn machine(threads: usize) -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(':'));
    let name = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{name}, {threads} threads")
}
