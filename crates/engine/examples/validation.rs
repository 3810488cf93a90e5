//! Findings → the tables of `docs/quality/validation.md`. Run by `validate.sh`, which runs the tests first:
//!
//! ```sh
//! cargo run -p windlass-engine --example validation -- FOLDER [PAGE]
//! ```
//!
//! FOLDER has the findings (`WINDLASS_FINDINGS` of the tests); in PAGE what stands between `<!-- generated: NAME -->` and
//! `<!-- end -->` is written anew, NAME being `summary`, or a family of cases (`MB`). Without a page all is only
//! checked. Fails if a line of the catalogue is missed or has no finding by `spook`, after it has written what there is.

#[allow(dead_code, reason = "shared with the tests, which write what is read here")]
#[path = "../tests/kit/catalogue.rs"]
mod catalogue;

use catalogue::{Catalogue, Entry, Finding, Quantity, seconds};
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;

/// Families of cases and what they are about.
const FAMILIES: [(&str, &str); 7] = [
    ("MB", "rigid bodies and mechanisms"),
    ("CB", "cables, ropes and hoisting"),
    ("CT", "contact and friction"),
    ("FL", "water and wind"),
    ("VH", "vehicles"),
    ("EW", "earthwork and soil"),
    ("FV", "fluids, vehicles and soil, first cases"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first() else {
        eprintln!("usage: validation FOLDER [PAGE]");
        return ExitCode::FAILURE;
    };
    let (cases, findings) = (Catalogue::read().case, Finding::read_all(Path::new(folder)));
    if let Some(case) =
        cases.iter().find(|case| !FAMILIES.iter().any(|(family, _)| case.id.starts_with(family)))
    {
        eprintln!("{}: no family of cases begins so: add it to FAMILIES", case.id);
        return ExitCode::FAILURE;
    }
    let tallies = FAMILIES.map(|(family, _)| tally(&cases, &findings, family));
    if let Some(page) = arguments.get(1) {
        let text = std::fs::read_to_string(page).unwrap_or_else(|e| panic!("{page}: {e}"));
        let mut text = fill(&text, "summary", &summary(&tallies));
        for (family, _) in FAMILIES {
            text = fill(&text, family, &tables(&cases, &findings, family));
        }
        std::fs::write(page, text).unwrap_or_else(|e| panic!("{page}: {e}"));
    }
    let wrong: Vec<&String> = tallies.iter().flat_map(|t| t.missed.iter().chain(&t.lacking)).collect();
    wrong.iter().for_each(|line| eprintln!("{line}"));
    let lines: usize = tallies.iter().map(|t| t.lines).sum();
    println!("{lines} lines of the catalogue, {} of them missed or without a finding", wrong.len());
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What became of the lines of a family: quantities at the steps at which something is asked of them.
#[derive(Default)]
struct Tally {
    cases: usize,
    quantities: usize,
    lines: usize,
    goals: usize,
    documented: usize,
    missed: Vec<String>,
    short_of_goal: Vec<String>,
    lacking: Vec<String>,
}

fn tally(cases: &[Entry], findings: &[Finding], family: &str) -> Tally {
    let mut tally = Tally::default();
    for case in run(cases, family) {
        tally.cases += 1;
        tally.quantities += case.quantity.len();
        for quantity in &case.quantity {
            tally.documented += usize::from(quantity.documented.is_some());
            for step in quantity.steps() {
                let line = format!("{} {}, {}", case.id, quantity.name, step_name(seconds(step)));
                let of_line = of(findings, case, quantity).filter(|f| at_step(f, "spook", seconds(step)));
                let found: Vec<&Finding> = of_line.collect();
                tally.lines += 1;
                tally.goals += usize::from(quantity.goal(seconds(step)).is_some());
                if found.is_empty() {
                    tally.lacking.push(format!("{line}: no finding"));
                }
                let told = |f: &&Finding| format!("{line}: {}", off(f));
                tally.missed.extend(found.iter().find(|f| !f.is_met()).map(told));
                tally.short_of_goal.extend(found.iter().find(|f| !f.reaches_goal()).map(told));
            }
        }
    }
    tally
}

/// The cases of a family.
fn run<'a>(cases: &'a [Entry], family: &str) -> impl Iterator<Item = &'a Entry> {
    cases.iter().filter(move |c| c.id.starts_with(family))
}

/// The findings of a quantity.
fn of<'a>(findings: &'a [Finding], case: &Entry, quantity: &Quantity) -> impl Iterator<Item = &'a Finding> {
    findings.iter().filter(move |f| f.case == case.id && f.quantity == quantity.name)
}

fn at_step(finding: &Finding, stepper: &str, dt: f64) -> bool {
    finding.stepper == stepper && (finding.dt / dt - 1.0).abs() < 1e-9
}

/// How much there is and how much of it is met.
fn summary(tallies: &[Tally]) -> String {
    let sum = |count: fn(&Tally) -> usize| tallies.iter().map(count).sum::<usize>();
    let all = |list: fn(&Tally) -> &Vec<String>| -> Vec<String> {
        tallies.iter().flat_map(list).cloned().collect()
    };
    let (missed, lacking, short) = (all(|t| &t.missed), all(|t| &t.lacking), all(|t| &t.short_of_goal));
    let (ran, quantities, lines) = (sum(|t| t.cases), sum(|t| t.quantities), sum(|t| t.lines));
    let verdict = match missed.len() + lacking.len() {
        0 => "**All are met.**".to_owned(),
        wrong => format!("**All but {wrong} are met.**"),
    };
    let goals = sum(|t| t.goals);
    let reached =
        if short.is_empty() { "all are reached".to_owned() } else { format!("{} are missed", short.len()) };
    let mut text = wrapped(&format!(
        "{ran} cases, {quantities} quantities, {lines} checks (a quantity at a step). {verdict} For {goals} checks there is also a tighter \
         goal, which a scheme of more than first order reaches; {reached}. {} {} without a measurement.",
        sum(|t| t.documented),
        if sum(|t| t.documented) == 1 { "quantity is" } else { "quantities are" },
    ));
    text += "\n\n| family | cases | quantities | checks | met | missed | not run |\n|---|---|---|---|---|---|---|\n";
    for ((family, about), t) in FAMILIES.into_iter().zip(tallies) {
        let met = t.lines - t.missed.len() - t.lacking.len();
        let (missed, lacking) = (t.missed.len(), t.lacking.len());
        let _ = writeln!(
            text,
            "| {family}: {about} | {} | {} | {} | {met} | {missed} | {lacking} |",
            t.cases, t.quantities, t.lines
        );
    }
    for (list, head) in [(&missed, "Missed"), (&lacking, "Not run"), (&short, "Short of their goal")] {
        if !list.is_empty() {
            let items: Vec<String> = list.iter().map(|item| wrapped(item).replace('\n', "\n  ")).collect();
            let _ = writeln!(text, "\n{head}:\n\n* {}", items.join("\n* "));
        }
    }
    text
}

/// Prose in lines of at most 98 columns, which leaves room for the mark of a list.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("at least one line");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= 98 {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// The cases of a family, each with its table.
fn tables(cases: &[Entry], findings: &[Finding], family: &str) -> String {
    run(cases, family).map(|case| table(case, findings)).collect::<Vec<_>>().join("\n")
}

fn table(case: &Entry, findings: &[Finding]) -> String {
    let columns = columns(case, findings);
    let about = wrapped(&case.about);
    let mut text = format!("### {} · {}\n\n{about}\n\n| quantity | reference |", case.id, case.title);
    for (stepper, dt) in &columns {
        let _ = write!(text, " `{stepper}`, {} |", step_name(*dt));
    }
    text += " |\n|---|---|";
    text += &"---|".repeat(columns.len() + 1);
    text.push('\n');
    for quantity in &case.quantity {
        let mut variants: Vec<&str> = of(findings, case, quantity).map(|f| f.variant.as_str()).collect();
        variants.sort_unstable();
        variants.dedup();
        for variant in if variants.is_empty() { vec![""] } else { variants } {
            let found: Vec<&Finding> =
                of(findings, case, quantity).filter(|f| f.variant == variant).collect();
            text += &row(quantity, variant, &columns, &found);
        }
    }
    text
}

/// Which steppers ran a case at which steps: `spook` first, coarse steps first.
fn columns(case: &Entry, findings: &[Finding]) -> Vec<(String, f64)> {
    let mut columns: Vec<(String, f64)> = Vec::new();
    let own = case.quantity.iter().flat_map(Quantity::steps).map(|s| ("spook".to_owned(), seconds(s)));
    let ran = findings.iter().filter(|f| f.case == case.id).map(|f| (f.stepper.clone(), f.dt));
    for (stepper, dt) in own.chain(ran) {
        if !columns.iter().any(|(s, t)| *s == stepper && (t / dt - 1.0).abs() < 1e-9) {
            columns.push((stepper, dt));
        }
    }
    let rank = |stepper: &str| ["spook", "projected", "dormand-prince"].iter().position(|s| *s == stepper);
    columns.sort_by(|a, b| rank(&a.0).cmp(&rank(&b.0)).then(b.1.total_cmp(&a.1)));
    columns
}

fn row(quantity: &Quantity, variant: &str, columns: &[(String, f64)], found: &[&Finding]) -> String {
    let name =
        if variant.is_empty() { quantity.name.clone() } else { format!("{} ({variant})", quantity.name) };
    let unit = if quantity.unit == "–" { String::new() } else { format!(" {}", quantity.unit) };
    let of = quantity.of.filter(|of| *of != 1.0).map_or(String::new(), |of| format!(", of {of}{unit}"));
    let mut text = format!("| {name} | {}{unit}{of} |", numbers(quantity.reference.numbers(), 8));
    if let Some(words) = &quantity.documented {
        let _ = writeln!(text, " {words} |{}", " |".repeat(columns.len()));
        return text;
    }
    let mut lacks = false;
    for (stepper, dt) in columns {
        let here = found.iter().filter(|f| at_step(f, stepper, *dt));
        // of several runs the one that is the farthest off
        let worst = here.max_by(|a, b| a.error.total_cmp(&b.error));
        let asked =
            stepper == "spook" && quantity.steps().iter().any(|s| (seconds(s) / dt - 1.0).abs() < 1e-9);
        lacks |= worst.is_none() && asked && variant.is_empty();
        let _ = write!(text, " {} |", worst.map_or("–".to_owned(), |f| cell(quantity, f)));
    }
    let verdict = if lacks {
        "**not run**"
    } else if found.iter().all(|f| f.is_met()) {
        "met"
    } else {
        "**missed**"
    };
    let goals = found.iter().any(|f| f.goal.is_some());
    let goal = match found.iter().all(|f| f.reaches_goal()) {
        _ if !goals => "",
        true => ", goal too",
        false => ", goal missed",
    };
    let _ = writeln!(text, " {verdict}{goal} |");
    text
}

/// What came out, and how far off it is of what it may be.
fn cell(quantity: &Quantity, finding: &Finding) -> String {
    if let Some(catalogue::Limit::Verdict(words)) = quantity.allowed(finding.dt) {
        return if finding.is_met() { words } else { format!("not: {words}") };
    }
    // where the reference is zero the error says it all
    match finding.reference.iter().all(|x| *x == 0.0) {
        true => off(finding),
        false => format!("{}<br>{}", numbers(&finding.value, 7), off(finding)),
    }
}

/// "0.09 % / 0.3 %": how far off, and how far it may be, with the goal beside it.
fn off(finding: &Finding) -> String {
    let amount = |x: f64| if finding.relative { brief(100.0 * x) + " %" } else { brief(x) };
    let mut text = amount(finding.error);
    if let Some(allowed) = finding.allowed {
        let _ = write!(text, " / {}", amount(allowed));
    }
    if let Some(goal) = finding.goal {
        let _ = write!(text, ", goal {}", amount(goal));
    }
    text
}

/// "1/60 s", "1 ms", "50 µs".
fn step_name(dt: f64) -> String {
    for whole in [60.0, 240.0] {
        if (dt * whole - 1.0).abs() < 1e-9 {
            return format!("1/{whole} s");
        }
    }
    if dt >= 1e-3 { brief(1e3 * dt) + " ms" } else { brief(1e6 * dt) + " µs" }
}

/// Two digits, as a power of ten where that is shorter.
fn brief(x: f64) -> String {
    digits(x, 2)
}

/// A number or a point.
fn numbers(list: &[f64], count: usize) -> String {
    let each: Vec<String> = list.iter().map(|x| digits(*x, count)).collect();
    if each.len() == 1 { each[0].clone() } else { format!("({})", each.join(", ")) }
}

/// So many significant digits, without zeros at the end.
fn digits(x: f64, count: usize) -> String {
    let rounded = format!("{x:.*e}", count - 1);
    let (mantissa, exponent) = rounded.split_once('e').expect("a power of ten");
    let exponent: i32 = exponent.parse().expect("a whole power");
    let short = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if x == 0.0 {
        return "0".to_owned();
    }
    if !(-3..6).contains(&exponent) {
        return format!("{}e{exponent}", short(mantissa));
    }
    let decimals = (count as i32 - 1 - exponent).max(0) as usize;
    short(&format!("{:.decimals$}", rounded.parse::<f64>().expect("a number")))
}

/// A page with the part of a name written anew.
fn fill(page: &str, name: &str, part: &str) -> String {
    let (open, close) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
    let start = page.find(&open).unwrap_or_else(|| panic!("the page has no {open}")) + open.len();
    let end = start + page[start..].find(close).unwrap_or_else(|| panic!("{open} has no {close}"));
    format!("{}\n{}\n\n{}", &page[..start], part.trim_end(), &page[end..])
}
