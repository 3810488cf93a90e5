//! Studies → one page of Markdown, and its figures as separate files.

use super::{Setting, counts, summary};
use crate::experiment::Paper;
use crate::findings::{Item, Table};
use crate::run::Done;
use std::fmt::Write;

/// A page and its pictures.
#[derive(Clone, Debug)]
pub struct Pages {
    /// The page.
    pub text: String,
    /// Names of files, as used in the page, and their contents.
    pub pictures: Vec<(String, String)>,
}

/// Writes them; `folder` is where the page looks for pictures.
pub fn markdown(all: &[Done], setting: &Setting, folder: &str) -> Pages {
    let mut pages = Pages { text: String::new(), pictures: Vec::new() };
    let out = &mut pages.text;
    let [met, missed] = counts(all.iter());
    let _ = writeln!(out, "# Studies\n");
    let _ = writeln!(
        out,
        "Experiments of five published documents, run again by `windlass study all{}`: {} studies, {met} rows met, {missed} \
         missed. Windlass {}, {}, {}. This page is written by `windlass study all --markdown docs/quality`; nothing in it is compared with \
         stored outputs of our own.\n",
        if setting.quick { " --quick" } else { "" },
        all.len(),
        setting.version,
        setting.machine,
        setting.date
    );
    let _ = writeln!(out, "| study | what | rows | time |\n|---|---|---|---|");
    for done in all {
        let (study, seconds) = (done.study, done.took.as_secs_f64());
        let _ = writeln!(
            out,
            "| [`{}`](#{}) | {} | {} | {seconds:.1} s |",
            study.name,
            anchor(study.name),
            escaped(study.title),
            escaped(&summary(done))
        );
    }
    for paper in Paper::ALL {
        let of_paper: Vec<_> = all.iter().filter(|done| done.study.paper == paper).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = writeln!(pages.text, "\n## {}", escaped(paper.citation()));
        for done in of_paper {
            write_study(&mut pages, done, folder);
        }
    }
    pages
}

fn write_study(pages: &mut Pages, done: &Done, folder: &str) {
    let study = done.study;
    let out = &mut pages.text;
    let _ = writeln!(out, "\n### {}\n", study.name);
    let _ =
        writeln!(out, "**{}** ({}). {}\n", escaped(study.title), escaped(study.place), escaped(study.about));
    for (name, value) in &done.findings.parameters {
        let _ = writeln!(out, "* {}: {}", escaped(name), escaped(value));
    }
    let mut figures = 0;
    for item in &done.findings.items {
        match item {
            Item::Table(table) => write_table(out, table),
            Item::Figure(plate) => {
                figures += 1;
                let name = format!("{folder}/{}.{figures}.svg", study.name.replace('/', "-"));
                let _ = writeln!(
                    out,
                    "\n![{}]({name})\n\n*{}*",
                    escaped(&plate.caption),
                    escaped(&plate.caption)
                );
                pages.pictures.push((name, plate.drawing.clone()));
            }
            Item::Remark(remark) => {
                let _ = writeln!(out, "\n{}", escaped(remark));
            }
        }
    }
    if let Some(trouble) = &done.trouble {
        let _ = writeln!(out, "\n**Not finished: {}**", escaped(&trouble.to_string()));
    }
}

fn write_table(out: &mut String, table: &Table) {
    let judged = table.rows.iter().any(|row| !row.verdict.word().is_empty());
    let line = |cells: &[String], verdict: &str| {
        let cells = cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | ");
        if judged { format!("| {cells} | {verdict} |") } else { format!("| {cells} |") }
    };
    let _ = writeln!(out, "\n{}\n", escaped(&table.caption));
    let _ = writeln!(out, "{}", line(&table.heads, ""));
    let columns = table.heads.len() + usize::from(judged);
    let _ = writeln!(out, "|{}", "---|".repeat(columns));
    for row in &table.rows {
        let _ = writeln!(out, "{}", line(&row.cells, row.verdict.word()));
    }
}

/// The name of a heading in links.
fn anchor(heading: &str) -> String {
    heading.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect()
}

/// Text in which Markdown sees no marks.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('*', "\\*").replace('_', "\\_")
}
