//! Runs studies from a program: `cargo run --release -p windlass-study --example study -- servin/table-1 report.html`.
//!
//! The command `windlass study` does the same with bars, Markdown and JSON.

use windlass_study::report::{Setting, html, text};
use windlass_study::{Done, Watch, matching, run};

struct Nobody;

impl Watch for Nobody {
    fn progress(&self, _study: &str, _done: f64) {}

    fn stops(&self) -> bool {
        false
    }
}

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let chosen = matching(&arguments.next().unwrap_or("all".to_string()));
    let told = |done: &Done| println!("{}", text(done));
    let all = run(&chosen, 1, false, &Nobody, &told);
    let Some(path) = arguments.next() else { return Ok(()) };
    let setting = Setting {
        version: env!("CARGO_PKG_VERSION").to_string(),
        machine: std::env::consts::ARCH.to_string(),
        date: "today".to_string(),
        quick: false,
    };
    std::fs::write(path, html(&all, &setting))
}
