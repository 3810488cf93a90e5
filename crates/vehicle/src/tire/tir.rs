//! Tyre property files (`.tir`): text → Magic Formula tyre.
//!
//! ```text
//! [SECTION]
//! KEY = value  $ comment        'strings' in single or double quotes
//! ! comment                     {tables} and their rows are skipped
//! ```
//!
//! Sections other than [UNITS] do not matter: keys are unique across a file, but MASS, which is a unit in [UNITS] and a
//! quantity elsewhere. FITTYP and PROPERTY_FILE_FORMAT select the version of the formulas, FE_METHOD = 'YES' the
//! friction ellipse for combined slip, and a negative USE_MODE the mirrored tyre. Forces are always those of combined slip,
//! whatever USE_MODE asks for. Keys that are not used are
//! listed, not rejected. Quantities with a dimension are converted to SI units (`units.rs`).

use std::collections::BTreeMap;

use thiserror::Error;

use super::magic_formula::{CoefficientProblem, Coefficients, MagicFormula, Version, canonical};
use super::units::{UnitEntry, Units};

/// Side of the vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// A key of a file that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedKey {
    /// Line of the file, from 1.
    pub line: usize,
    /// Section, empty before the first.
    pub section: String,
    /// The key.
    pub key: String,
}

/// What a tyre property file contains.
#[derive(Clone, Debug, PartialEq)]
pub struct TirFile {
    /// The tyre as it was measured.
    pub tire: MagicFormula,
    /// Side for which it was measured; `None` if the file does not specify one.
    pub side: Option<Side>,
    /// Keys that are not used.
    pub unused: Vec<UnusedKey>,
}

impl TirFile {
    /// The tyre mounted on a side of the vehicle: mirrored if it was measured for the other one.
    pub fn mounted(&self, side: Side) -> MagicFormula {
        match self.side {
            Some(measured) if measured != side => self.tire.clone().mirrored(),
            _ => self.tire.clone(),
        }
    }
}

/// Why a tyre property file cannot be used, and how to correct it.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TirProblem {
    /// The text has no section and no entry.
    #[error(
        "this is not a tire property file: it has no [SECTION] with KEY = value; give a .tir file in text form"
    )]
    NotTir,
    /// The text is too long.
    #[error("the file has {0} bytes; tyre property files have less than 1 MB")]
    TooLong(usize),
    /// A line is neither section, entry, comment nor table.
    #[error("line {line}: `{text}` is not an entry; write KEY = value, or start a comment with $ or !")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Its start.
        text: String,
    },
    /// A section header without closing bracket.
    #[error("line {line}: the section header `{text}` has no closing bracket; write [NAME]")]
    Section {
        /// Line, from 1.
        line: usize,
        /// Its start.
        text: String,
    },
    /// A coefficient is not a number.
    #[error("line {line}: {key} = `{text}` is not a finite number; give a number such as 1.25 or -3.7e-5")]
    NotNumber {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// The value.
        text: String,
    },
    /// A key appears twice.
    #[error("line {line}: {key} was given in line {first} already; remove one of them")]
    Duplicate {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: String,
        /// Line of the first.
        first: usize,
    },
    /// A unit is not known.
    #[error("line {line}: {key} = '{unit}' is not a unit that can be converted; give one of {known}")]
    Unit {
        /// Line, from 1.
        line: usize,
        /// The quantity.
        key: String,
        /// The unit.
        unit: String,
        /// Units that can be converted.
        known: String,
    },
    /// The file is for another kind of tyre model.
    #[error(
        "line {line}: {key} = '{text}' is not a Magic Formula that can be read; give PAC2002 or MF_05, or FITTYP = 6, 21, 52, 61 or 62"
    )]
    Format {
        /// Line, from 1.
        line: usize,
        /// The key.
        key: &'static str,
        /// Its value.
        text: String,
    },
    /// The file does not specify the version of its formulas.
    #[error(
        "the file does not specify its formulas; add PROPERTY_FILE_FORMAT = 'PAC2002', or FITTYP = 6, 61 or 62, to [MODEL]"
    )]
    NoFormat,
    /// TYRESIDE is not a side.
    #[error("line {line}: TYRESIDE = '{text}' is not a side; give 'LEFT', 'RIGHT' or 'UNKNOWN'")]
    TireSide {
        /// Line, from 1.
        line: usize,
        /// Its value.
        text: String,
    },
    /// A mandatory coefficient is missing.
    #[error("{key} is missing; add it to [{section}]")]
    Missing {
        /// The key.
        key: &'static str,
        /// The section in which it is usual.
        section: &'static str,
    },
    /// A coefficient has a value that no tyre can have.
    #[error("line {line}: {problem}")]
    Coefficient {
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: CoefficientProblem,
    },
}

/// Length of a file above which it is rejected.
const MOST_BYTES: usize = 1_000_000;

/// Coefficients without which no force can be computed, with their sections.
const MANDATORY: [(&str, &str); 10] = [
    ("FNOMIN", "VERTICAL"),
    ("VERTICAL_STIFFNESS", "VERTICAL"),
    ("UNLOADED_RADIUS", "DIMENSION"),
    ("PCX1", "LONGITUDINAL_COEFFICIENTS"),
    ("PDX1", "LONGITUDINAL_COEFFICIENTS"),
    ("PKX1", "LONGITUDINAL_COEFFICIENTS"),
    ("PCY1", "LATERAL_COEFFICIENTS"),
    ("PDY1", "LATERAL_COEFFICIENTS"),
    ("PKY1", "LATERAL_COEFFICIENTS"),
    ("PKY2", "LATERAL_COEFFICIENTS"),
];

/// An entry of a file.
struct Entry {
    line: usize,
    section: String,
    key: String,
    value: String,
}

/// Reads a tyre property file from bytes in UTF-8 or, if they are not UTF-8, in Latin-1.
pub fn parse_bytes(bytes: &[u8]) -> Result<TirFile, TirProblem> {
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(_) if bytes.len() > MOST_BYTES => Err(TirProblem::TooLong(bytes.len())),
        Err(_) => parse(&bytes.iter().map(|&byte| char::from(byte)).collect::<String>()),
    }
}

/// Reads a tyre property file.
pub fn parse(text: &str) -> Result<TirFile, TirProblem> {
    if text.len() > MOST_BYTES {
        return Err(TirProblem::TooLong(text.len()));
    }
    let entries = entries(text)?;
    let units = units(&entries)?;
    let mut reader = Reader::default();
    for entry in entries.iter().filter(|entry| entry.section != "UNITS") {
        reader.take(entry, &units)?;
    }
    reader.finish()
}

/// Sections and entries of a text.
fn entries(text: &str) -> Result<Vec<Entry>, TirProblem> {
    let (mut list, mut section, mut sections) = (Vec::new(), String::new(), 0);
    // a section is taken for a table after a line {…}, and where its lines start with numbers
    let mut table = false;
    // files of some editors start with a byte order mark
    for (index, raw) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = index + 1;
        let content = without_comment(raw).trim();
        if content.is_empty() {
            continue;
        }
        if let Some(rest) = content.strip_prefix('[') {
            let Some((name, _)) = rest.split_once(']') else {
                return Err(TirProblem::Section { line, text: start(content) });
            };
            section = name.trim().to_ascii_uppercase();
            sections += 1;
            table = false;
        } else if content.starts_with('{') {
            table = true;
        } else if let Some((key, value)) = content.split_once('=') {
            let (key, value) = (key.trim().to_ascii_uppercase(), unquoted(value).to_string());
            list.push(Entry { line, section: section.clone(), key, value });
        } else if !(table || is_table_row(content)) {
            return Err(match (sections, list.len()) {
                (0, 0) => TirProblem::NotTir,
                _ => TirProblem::Syntax { line, text: start(content) },
            });
        }
    }
    if sections == 0 || list.is_empty() { Err(TirProblem::NotTir) } else { Ok(list) }
}

/// A line without its comment; `$` and `!` inside quotes are part of the string.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '$' || c == '!' => return &line[..at],
            // an opening quote without a closing one is text
            None if (c == '\'' || c == '"') && line[at + 1..].contains(c) => quote = Some(c),
            None => {}
        }
    }
    line
}

fn unquoted(value: &str) -> &str {
    let value = value.trim();
    for quote in ['\'', '"'] {
        if let Some(inner) = value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.trim();
        }
    }
    value
}

fn is_table_row(content: &str) -> bool {
    content.split_whitespace().all(|word| word.parse::<f64>().is_ok())
}

/// The first characters of a text, for messages.
fn start(text: &str) -> String {
    text.chars().take(40).collect()
}

fn units(entries: &[Entry]) -> Result<Units, TirProblem> {
    let mut units = Units::default();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.section == "UNITS") {
        if let Some(first) = seen.insert(&entry.key, entry.line) {
            return Err(TirProblem::Duplicate { line: entry.line, key: entry.key.clone(), first });
        }
        if let UnitEntry::UnknownUnit(known) = units.set(&entry.key, &entry.value) {
            let (key, unit) = (entry.key.clone(), start(&entry.value));
            return Err(TirProblem::Unit { line: entry.line, key, unit, known });
        }
    }
    Ok(units)
}

/// What was read so far.
#[derive(Default)]
struct Reader {
    coefficients: Coefficients,
    /// Keys with their lines, for duplicates and messages.
    lines: BTreeMap<String, usize>,
    unused: Vec<UnusedKey>,
    format: Option<(usize, String)>,
    fit: Option<(usize, String)>,
    side: Option<Side>,
    use_mode: f64,
    ellipse: bool,
}

impl Reader {
    fn take(&mut self, entry: &Entry, units: &Units) -> Result<(), TirProblem> {
        let line = entry.line;
        let key = canonical(&entry.key);
        let used = matches!(key, "PROPERTY_FILE_FORMAT" | "FITTYP" | "TYRESIDE" | "USE_MODE" | "FE_METHOD")
            || self.coefficients.slot(key).is_some();
        if !used {
            let (section, key) = (entry.section.clone(), entry.key.clone());
            self.unused.push(UnusedKey { line, section, key });
            return Ok(());
        }
        if let Some(first) = self.lines.insert(key.to_string(), line) {
            return Err(TirProblem::Duplicate { line, key: key.to_string(), first });
        }
        match key {
            "PROPERTY_FILE_FORMAT" => self.format = Some((line, entry.value.clone())),
            "FITTYP" => self.fit = Some((line, entry.value.clone())),
            "TYRESIDE" => self.side = tire_side(entry)?,
            "USE_MODE" => self.use_mode = number(entry)?,
            "FE_METHOD" => self.ellipse = entry.value.eq_ignore_ascii_case("YES"),
            _ => {
                if let Some((slot, dimension)) = self.coefficients.slot(key) {
                    *slot = number(entry)? * units.factor(dimension);
                }
            }
        }
        Ok(())
    }

    /// Version of the formulas. FITTYP 5, 6, 21, 51 and 52 are 5.x, 60 and 61 are 6.1.
    fn version(&self) -> Result<Version, TirProblem> {
        let format = self.format.as_ref().map(|(line, text)| (*line, text.to_ascii_uppercase()));
        if let Some((_, text)) = &format
            && text == "PAC2002"
        {
            return Ok(Version::V52);
        }
        if let Some((line, text)) = &self.fit {
            return match text.parse::<f64>() {
                Ok(5.0 | 6.0 | 21.0 | 51.0 | 52.0) => Ok(Version::V52),
                Ok(60.0 | 61.0) => Ok(Version::V61),
                Ok(62.0) => Ok(Version::V62),
                _ => Err(TirProblem::Format { line: *line, key: "FITTYP", text: start(text) }),
            };
        }
        match format {
            Some((_, text)) if ["MF_05", "MF-TYRE", "MF_TYRE"].contains(&text.as_str()) => Ok(Version::V52),
            Some((line, text)) => {
                Err(TirProblem::Format { line, key: "PROPERTY_FILE_FORMAT", text: start(&text) })
            }
            None => Err(TirProblem::NoFormat),
        }
    }

    fn finish(self) -> Result<TirFile, TirProblem> {
        let version = self.version()?;
        let missing = |(key, _): &(&'static str, &'static str)| !self.lines.contains_key(*key);
        if let Some(&(key, section)) = MANDATORY.iter().find(|entry| missing(entry)) {
            return Err(TirProblem::Missing { key, section });
        }
        let tire = MagicFormula::new(self.coefficients, version).map_err(|problem| {
            // a default that the check rejects does not exist, so the key has a line
            let line = self.lines.get(problem.key).copied().unwrap_or(0);
            TirProblem::Coefficient { line, problem }
        })?;
        // a negative mode asks for the mirrored tyre
        let tire = if self.use_mode < 0.0 { tire.mirrored() } else { tire };
        let tire = if self.ellipse { tire.with_ellipse() } else { tire };
        Ok(TirFile { tire, side: self.side, unused: self.unused })
    }
}

fn number(entry: &Entry) -> Result<f64, TirProblem> {
    match entry.value.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            Err(TirProblem::NotNumber { line: entry.line, key: entry.key.clone(), text: start(&entry.value) })
        }
    }
}

fn tire_side(entry: &Entry) -> Result<Option<Side>, TirProblem> {
    match entry.value.to_ascii_uppercase().as_str() {
        "LEFT" => Ok(Some(Side::Left)),
        "RIGHT" => Ok(Some(Side::Right)),
        "UNKNOWN" | "SYMMETRIC" | "" => Ok(None),
        _ => Err(TirProblem::TireSide { line: entry.line, text: start(&entry.value) }),
    }
}
