//! Studies → one self-contained HTML page.

use super::{Setting, counts, summary};
use crate::experiment::Paper;
use crate::findings::{Item, Table, Verdict};
use crate::run::Done;
use std::fmt::Write;

const STYLE: &str = include_str!("report.css");

/// Writes it.
pub fn html(all: &[Done], setting: &Setting) -> String {
    let mut out = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    let _ = writeln!(out, "<title>Windlass: studies</title>\n<style>\n{STYLE}</style>\n</head>\n<body>");
    write_contents(&mut out, all);
    out += "<main>\n";
    write_head(&mut out, all, setting);
    for paper in Paper::ALL {
        let of_paper: Vec<_> = all.iter().filter(|done| done.study.paper == paper).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = writeln!(out, "<h2 id=\"{}\">{}</h2>", paper.short(), escaped(paper.citation()));
        of_paper.into_iter().for_each(|done| write_study(&mut out, done));
    }
    out += "</main>\n</body>\n</html>\n";
    out
}

fn write_contents(out: &mut String, all: &[Done]) {
    *out += "<nav aria-label=\"Studies\">\n<p class=\"brand\">Windlass <span>studies</span></p>\n";
    for paper in Paper::ALL {
        let of_paper: Vec<_> = all.iter().filter(|done| done.study.paper == paper).collect();
        if of_paper.is_empty() {
            continue;
        }
        let _ = writeln!(out, "<p class=\"paper\">{}</p>\n<ul>", paper.short());
        for done in of_paper {
            let (name, short) = (done.study.name, done.study.name.split('/').next_back().unwrap_or_default());
            let kind = standing(done);
            let _ = writeln!(out, "<li><a href=\"#{name}\"><i class=\"{kind}\"></i>{short}</a></li>");
        }
        *out += "</ul>\n";
    }
    *out += "</nav>\n";
}

/// Class of a study: all met, something missed or failed, or informative only.
fn standing(done: &Done) -> &'static str {
    match (&done.trouble, done.findings.counts()) {
        (Some(_), _) => "missed",
        (None, [0, 0]) => "told",
        (None, [_, 0]) => "met",
        (None, _) => "missed",
    }
}

fn write_head(out: &mut String, all: &[Done], setting: &Setting) {
    let [met, missed] = counts(all.iter());
    let seconds: f64 = all.iter().map(|done| done.took.as_secs_f64()).sum();
    *out += "<h1>Experiments of published papers, run again</h1>\n";
    let _ = writeln!(
        out,
        "<p class=\"lead\">{} studies: <b class=\"met\">{met} rows met</b>, <b class=\"{}\">{missed} missed</b>.</p>",
        all.len(),
        if missed > 0 { "missed" } else { "told" }
    );
    let _ = writeln!(
        out,
        "<p>Every number called <em>ours</em> was computed by this run of Windlass {} on {} on {}; the studies took {seconds:.0} s \
         of computing{}. What a paper printed, and what a closed form gives, stands beside it with what is asked of the \
         difference. Nothing is compared with stored outputs of our own. <code>windlass study NAME</code> repeats any of \
         it.</p>",
        escaped(&setting.version),
        escaped(&setting.machine),
        escaped(&setting.date),
        if setting.quick { ", with small grids and short times (<code>--quick</code>)" } else { "" }
    );
}

fn write_study(out: &mut String, done: &Done) {
    let study = done.study;
    let _ = writeln!(out, "<article id=\"{}\">", study.name);
    let _ = writeln!(
        out,
        "<header><h3>{}</h3><span class=\"badge {}\">{}</span></header>",
        escaped(study.title),
        standing(done),
        escaped(&summary(done))
    );
    let _ = writeln!(
        out,
        "<p class=\"place\"><code>{}</code> · {} · {:.1} s</p>\n<p>{}</p>",
        study.name,
        escaped(study.place),
        done.took.as_secs_f64(),
        escaped(study.about)
    );
    if !done.findings.parameters.is_empty() {
        *out += "<dl>\n";
        for (name, value) in &done.findings.parameters {
            let _ = writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value));
        }
        *out += "</dl>\n";
    }
    for item in &done.findings.items {
        match item {
            Item::Table(table) => write_table(out, table),
            Item::Figure(plate) => {
                let _ = writeln!(
                    out,
                    "<figure>\n{}<figcaption>{}</figcaption></figure>",
                    plate.drawing,
                    escaped(&plate.caption)
                );
            }
            Item::Remark(remark) => {
                let _ = writeln!(out, "<p class=\"remark\">{}</p>", escaped(remark));
            }
        }
    }
    if let Some(trouble) = &done.trouble {
        let _ = writeln!(out, "<p class=\"trouble\">Not finished: {}</p>", escaped(&trouble.to_string()));
    }
    *out += "</article>\n";
}

fn write_table(out: &mut String, table: &Table) {
    let judged = table.rows.iter().any(|row| row.verdict != Verdict::Told);
    let _ = writeln!(out, "<div class=\"table\"><table>\n<caption>{}</caption>", escaped(&table.caption));
    *out += "<thead><tr>";
    for head in &table.heads {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escaped(head));
    }
    *out += if judged { "<th></th></tr></thead>\n<tbody>\n" } else { "</tr></thead>\n<tbody>\n" };
    for row in &table.rows {
        *out += "<tr>";
        for cell in &row.cells {
            let _ = write!(out, "<td>{}</td>", escaped(cell));
        }
        if judged {
            let class = row.verdict.word().to_lowercase();
            let _ = write!(out, "<td class=\"{class}\">{}</td>", row.verdict.word().to_lowercase());
        }
        *out += "</tr>\n";
    }
    *out += "</tbody></table></div>\n";
}

/// Text escaped for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
