//! Rows ⇄ lines of a table in CSV. Any executor that formats rows here writes the same bytes.
//!
//! ```text
//!  # windlass sweep 1 digest=0123456789abcdef rows=24 varied=2 sampled=1   what the rows belong to; the places of the
//!                                                                          columns that are sampled, 0 for none
//!  index,KEY [unit],…,MEASURE [unit],…,status,message,hash            the columns
//!  0,500.0,…,12.5,…,ok,,8d43a0b1c2d3e4f5                              one line per row, in the order of the indices
//! ```
//!
//! Numbers have as many digits as needed to read back the same bits; a number that does not exist is an empty cell.

use crate::error::SweepError;
use crate::value::Cell;
use std::fmt::Write;

/// The word with which a table begins.
const MARK: &str = "# windlass sweep 1 ";

/// The column before the values.
pub const BEFORE: &str = "index";

/// The columns after the measures.
pub const AFTER: [&str; 3] = ["status", "message", "hash"];

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Without its unit.
    pub name: String,
    /// As in scene files; empty for plain numbers and texts.
    pub unit: String,
}

impl Column {
    /// The head of the column: `name [unit]`.
    pub fn head(&self) -> String {
        match self.unit.as_str() {
            "" => self.name.clone(),
            unit => format!("{} [{unit}]", self.name),
        }
    }
}

/// How a row ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All steps were taken.
    Ok,
    /// The run stopped at a fault.
    Fault,
    /// The scene is invalid with the values of the row, or its probes are.
    Error,
}

impl Status {
    /// The word in the table.
    pub fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Fault => "fault",
            Status::Error => "error",
        }
    }

    /// The status of a word.
    pub fn of(word: &str) -> Option<Status> {
        [Status::Ok, Status::Fault, Status::Error].into_iter().find(|status| status.word() == word)
    }
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place in the sweep.
    pub index: u64,
    /// The values of the varied keys.
    pub values: Vec<Cell>,
    /// NaN where there is none, and in every row that is not `Ok`.
    pub measures: Vec<f64>,
    /// How it ended.
    pub status: Status,
    /// The fault or the errors; empty if there are none.
    pub message: String,
    /// The hash of the last valid state, as `windlass run` prints it; none if there was no run.
    pub hash: Option<u64>,
}

/// What the rows of a table belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Of everything that determines the rows.
    pub digest: u64,
    /// Rows of the whole sweep.
    pub rows: u64,
    /// Columns of varied keys, which follow the index.
    pub varied: usize,
    /// The places of those that are sampled; the index is at 0.
    pub sampled: Vec<usize>,
    /// All columns.
    pub columns: Vec<String>,
}

impl Header {
    /// The first two lines of a table.
    pub fn lines(&self) -> String {
        let Header { digest, rows, varied, sampled, columns } = self;
        let cells: Vec<_> = columns.iter().map(|column| quoted(column)).collect();
        let sampled = match sampled[..] {
            [] => "0".to_string(),
            _ => sampled.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
        };
        format!(
            "{MARK}digest={digest:016x} rows={rows} varied={varied} sampled={sampled}\n{}\n",
            cells.join(",")
        )
    }

    /// Whether a text begins as a table does.
    pub fn is_in(text: &str) -> bool {
        text.starts_with(MARK)
    }

    /// Reads the first two lines of a table; returns the lines after them as well.
    pub fn read(text: &str) -> Result<(Header, &str), SweepError> {
        let wrong = |message: &str| {
            SweepError::new(
                message,
                "give a table that windlass sweep wrote, with its first line, or another name",
            )
        };
        let rest = text.strip_prefix(MARK).ok_or_else(|| wrong("the file is not the table of a sweep"))?;
        let cut = || wrong("the first line of the table is damaged");
        let (first, rest) = rest.split_once('\n').ok_or_else(cut)?;
        let word = |name: &str| first.split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        let digest = word("digest").and_then(|word| u64::from_str_radix(word, 16).ok()).ok_or_else(cut)?;
        let rows = word("rows").and_then(|word| word.parse().ok()).ok_or_else(cut)?;
        let varied = word("varied").and_then(|word| word.parse().ok()).ok_or_else(cut)?;
        let sampled =
            word("sampled").map(|list| list.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>());
        let mut sampled = sampled.and_then(Result::ok).ok_or_else(cut)?;
        sampled.retain(|place| *place > 0);
        let (heads, rest) = rest.split_once('\n').ok_or_else(cut)?;
        let columns = cells(heads).ok_or_else(cut)?;
        // index, varied keys, status, message, hash
        if columns.len() < 1 + AFTER.len() + varied || sampled.iter().any(|place| *place > varied) {
            return Err(cut());
        }
        Ok((Header { digest, rows, varied, sampled, columns }, rest))
    }
}

impl Row {
    /// The line of the row.
    pub fn line(&self) -> String {
        let mut line = self.index.to_string();
        for value in &self.values {
            line.push(',');
            match value {
                Cell::Number(x) => push(&mut line, *x),
                Cell::Text(text) => line.push_str(&quoted(text)),
            }
        }
        for x in &self.measures {
            line.push(',');
            push(&mut line, *x);
        }
        let hash = self.hash.map(|hash| format!("{hash:016x}")).unwrap_or_default();
        let _ = writeln!(line, ",{},{},{hash}", self.status.word(), quoted(&self.message));
        line
    }
}

fn push(line: &mut String, x: f64) {
    if !x.is_nan() {
        // −0 is written as 0
        let _ = write!(line, "{:?}", x + 0.0);
    }
}

/// A cell, quoted if necessary. A line feed would end the line of a row.
fn quoted(cell: &str) -> String {
    let cell: String = cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if cell.contains([',', '"', '#']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

/// The cells of a line; none if it is damaged.
fn cells(line: &str) -> Option<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
    let record = reader.records().next()?.ok()?;
    Some(record.iter().map(str::to_string).collect())
}

/// A line of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'t> {
    /// The index of the row.
    pub index: u64,
    /// The line with its end.
    pub text: &'t str,
    /// Its cells.
    pub cells: Vec<String>,
}

/// Lines of rows → the rows. A last line without its end is left out.
///
/// # Errors
/// A line that is not a row.
pub fn rows<'t>(header: &Header, lines: &'t str) -> Result<Vec<Line<'t>>, SweepError> {
    let complete = &lines[..lines.rfind('\n').map_or(0, |at| at + 1)];
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(complete.as_bytes());
    let (mut rows, mut record) = (Vec::new(), csv::StringRecord::new());
    loop {
        let start = reader.position().byte() as usize;
        let read = reader.read_record(&mut record);
        if let Ok(false) = read {
            return Ok(rows);
        }
        let text = complete.get(start..reader.position().byte() as usize).unwrap_or_default();
        let row = read.ok().and_then(|_| row(header, text, &record));
        let Some(row) = row else {
            // the lines of the header come before
            let message = format!("line {} is not a row of this sweep", rows.len() + 3);
            return Err(SweepError::new(message, "remove that line and those after it, and resume"));
        };
        rows.push(row);
    }
}

/// The row of a line and its cells.
fn row<'t>(header: &Header, text: &'t str, record: &csv::StringRecord) -> Option<Line<'t>> {
    let whole = record.len() == header.columns.len() && text.find('\n') == Some(text.len() - 1);
    Status::of(record.get(record.len().checked_sub(AFTER.len())?)?)?;
    let index = record.get(0)?.parse().ok().filter(|index| whole && *index < header.rows)?;
    Some(Line { index, text, cells: record.iter().map(str::to_string).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let columns = ["index", "a, b [kg]", "max(x) [N]", "status", "message", "hash"].map(String::from);
        Header { digest: 0xab, rows: 9, varied: 1, sampled: vec![1], columns: columns.to_vec() }
    }

    fn row(message: &str) -> Row {
        let values = vec![Cell::Number(-0.0)];
        let hash = Some(1);
        Row {
            index: 3,
            values,
            measures: vec![f64::NAN],
            status: Status::Fault,
            message: message.into(),
            hash,
        }
    }

    #[test]
    fn a_header_is_read_as_it_was_written() {
        let text = header().lines() + "rest";
        assert_eq!(Header::read(&text).unwrap(), (header(), "rest"));
        assert!(Header::is_in(&text));
        for damaged in ["", "time,x\n1,2\n", &text[..30], &text.replace("rows=9", "rows=x"), MARK] {
            assert!(Header::read(damaged).is_err(), "{damaged}");
        }
    }

    #[test]
    fn a_row_is_one_line_whatever_it_says() {
        let line = row("a, \"b\"\nand # c").line();
        assert_eq!(line, "3,0.0,,fault,\"a, \"\"b\"\" and # c\",0000000000000001\n");
        let twice = line.repeat(2);
        let cut = &twice[..twice.len() - 3];
        let cells =
            ["3", "0.0", "", "fault", "a, \"b\" and # c", "0000000000000001"].map(String::from).to_vec();
        assert_eq!(rows(&header(), cut).unwrap(), [Line { index: 3, text: &line, cells }]);
        assert_eq!(rows(&header(), &twice).unwrap()[1].text, line);
        assert!(rows(&header(), &format!("\n{line}")).is_err(), "an empty line");
        assert!(rows(&header(), &format!("\"{line}")).is_err(), "a quote that does not end");
        assert!(rows(&header(), "3,1\n").unwrap_err().message.contains("line 3"));
        assert!(rows(&header(), &line.replace("3,0.0", "9,0.0")).is_err(), "beyond the sweep");
    }
}
