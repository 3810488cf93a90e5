//! Findings of a study: parameters, tables whose rows are met or missed, figures and remarks, in the order of the
//! report.

use libm::{fabs, floor, log10};
use serde::Serialize;
use windlass_plot::Figure;

/// The findings of a study.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// Parameters of the simulation: names and values with units.
    pub parameters: Vec<(String, String)>,
    /// Tables, figures and remarks in their order.
    pub items: Vec<Item>,
}

/// A piece of what was found.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// Numbers.
    Table(Table),
    /// Curves.
    Figure(Plate),
    /// A sentence or two: where we differ and why.
    Remark(String),
}

/// Rows under heads.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// Its content, and the reference to the paper.
    pub caption: String,
    /// Names of the columns, with units in brackets.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// As many as there are heads.
    pub cells: Vec<String>,
    /// How it compares.
    pub verdict: Verdict,
}

/// How a row compares with what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The criterion is met.
    Met,
    /// The criterion is missed.
    Missed,
    /// Nothing was asked.
    Told,
}

impl Verdict {
    /// Of a comparison.
    pub fn of(is_so: bool) -> Verdict {
        if is_so { Verdict::Met } else { Verdict::Missed }
    }

    /// The word printed with a row.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Met => "met",
            Verdict::Missed => "MISSED",
            Verdict::Told => "",
        }
    }
}

/// The criterion for a number and its reference.
#[derive(Clone, Copy, Debug)]
pub enum Ask {
    /// |ours/reference − 1| at most this.
    Part(f64),
    /// |ours − reference| at most this.
    Apart(f64),
    /// Ours at least the reference.
    AtLeast,
    /// Ours at most the reference.
    AtMost,
    /// None: both are reported.
    Nothing,
}

impl Ask {
    /// Compares. A number that is not finite meets nothing.
    pub fn judge(self, ours: f64, reference: f64) -> Verdict {
        match self {
            Ask::Part(part) => Verdict::of(fabs(ours / reference - 1.0) <= part),
            Ask::Apart(apart) => Verdict::of(fabs(ours - reference) <= apart),
            Ask::AtLeast => Verdict::of(ours >= reference),
            Ask::AtMost => Verdict::of(ours <= reference),
            Ask::Nothing => Verdict::Told,
        }
    }

    /// As it is written in a table.
    fn told(self) -> String {
        match self {
            Ask::Part(part) => format!("± {} %", number(100.0 * part)),
            Ask::Apart(apart) => format!("± {}", number(apart)),
            Ask::AtLeast => "≥".to_string(),
            Ask::AtMost => "≤".to_string(),
            Ask::Nothing => "–".to_string(),
        }
    }
}

impl Table {
    /// Without rows yet.
    pub fn new(caption: &str, heads: &[&str]) -> Table {
        let heads = heads.iter().map(|head| head.to_string()).collect();
        Table { caption: caption.to_string(), heads, rows: Vec::new() }
    }

    /// For [`Table::compare`]: a quantity, our value, the reference, the criterion.
    pub fn comparison(caption: &str, reference: &str) -> Table {
        Table::new(caption, &["quantity", "ours", reference, "asked"])
    }

    /// Appends a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>, verdict: Verdict) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.heads.len(), "{}", self.caption);
        self.rows.push(Row { cells, verdict });
    }

    /// Appends a row of a comparison.
    pub fn compare(&mut self, quantity: &str, ours: f64, reference: f64, ask: Ask) {
        let cells = [quantity.to_string(), number(ours), number(reference), ask.told()];
        self.row(cells, ask.judge(ours, reference));
    }
}

/// A figure, and what it shows.
#[derive(Clone, Debug, Serialize)]
pub struct Plate {
    /// Its content, and the reference to the paper.
    pub caption: String,
    /// As SVG.
    pub drawing: String,
}

impl Findings {
    /// Its tables.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.items.iter().filter_map(|item| match item {
            Item::Table(table) => Some(table),
            _ => None,
        })
    }

    /// How many rows were met and how many missed.
    pub fn counts(&self) -> [usize; 2] {
        let rows = || self.tables().flat_map(|table| &table.rows);
        [Verdict::Met, Verdict::Missed].map(|which| rows().filter(|row| row.verdict == which).count())
    }

    /// Adds a figure.
    pub fn figure(&mut self, caption: &str, figure: &Figure) {
        self.items.push(Item::Figure(Plate { caption: caption.to_string(), drawing: figure.draw() }));
    }
}

/// A number with four digits that matter: "12.35", "0.001235", "1.235e-7", "1 200 000" as "1.2e6".
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    // by what four digits make of it: 9.99996 is 10
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    let power = floor(log10(fabs(rounded))) as i32;
    if (-3..6).contains(&power) {
        let decimals = (3 - power).max(0) as usize;
        let text = format!("{value:.decimals$}");
        return if decimals > 0 { trimmed(&text).to_string() } else { text };
    }
    let text = format!("{value:.3e}");
    match text.split_once('e') {
        Some((digits, power)) => format!("{}e{power}", trimmed(digits)),
        None => text,
    }
}

/// Without noughts behind the last digit.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let cases = [
            (0.0, "0"),
            (12.3456, "12.35"),
            (-0.00123456, "-0.001235"),
            (1.23456e-7, "1.235e-7"),
            (1_200_000.0, "1.2e6"),
            (123_456.0, "123456"),
            (9.99996, "10"),
            (100.0, "100"),
            (f64::NAN, "NaN"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn what_is_asked_is_judged() {
        assert_eq!(Ask::Part(0.01).judge(1.005, 1.0), Verdict::Met);
        assert_eq!(Ask::Part(0.01).judge(1.02, 1.0), Verdict::Missed);
        assert_eq!(Ask::Apart(0.1).judge(-0.05, 0.0), Verdict::Met);
        assert_eq!(Ask::AtLeast.judge(2.0, 3.0), Verdict::Missed);
        assert_eq!(Ask::AtMost.judge(2.0, 3.0), Verdict::Met);
        for ask in [Ask::Part(1.0), Ask::Apart(1.0), Ask::AtLeast, Ask::AtMost] {
            assert_eq!(ask.judge(f64::NAN, 1.0), Verdict::Missed);
        }
        assert_eq!(Ask::Nothing.judge(f64::NAN, 1.0), Verdict::Told);
    }

    #[test]
    fn rows_are_counted() {
        let mut table = Table::comparison("", "paper");
        table.compare("a", 1.0, 1.0, Ask::Part(0.1));
        table.compare("b", 2.0, 1.0, Ask::Part(0.1));
        table.compare("c", 2.0, 1.0, Ask::Nothing);
        let findings = Findings { items: vec![Item::Table(table)], ..Findings::default() };
        assert_eq!(findings.counts(), [1, 1]);
    }
}
