//! Texts of values → settings: the text that overrides a value of the scene, and the cell of the table.
//!
//! A number with a unit becomes SI, `2 t` the text `"2000.0 kg"` and the cell 2000 in a column `[kg]`, so that a cell
//! and its unit override the scene exactly as the row did. A number without a unit stays as it is written.

use crate::error::SweepError;
use windlass_scene::units::{self, Dimension};

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// In the unit of its column; NaN if there is none.
    Number(f64),
    /// Anything else.
    Text(String),
}

/// A value of a varied key.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The value of the override, as `--set` takes it.
    pub text: String,
    /// The cell of the table.
    pub cell: Cell,
}

/// The SI unit of numbers as scenes and column heads write it: `m/s^2`; empty for plain numbers.
pub fn unit_of(dimension: Option<Dimension>) -> String {
    let Some(dimension) = dimension.filter(|d| *d != Dimension::default()) else { return String::new() };
    let mut text = dimension.unit();
    for (raised, plain) in [("²", "^2"), ("³", "^3"), ("⁴", "^4"), ("·", "*")] {
        text = text.replace(raised, plain);
    }
    text
}

/// The setting of a number in SI units.
pub fn setting(number: f64, unit: &str) -> Setting {
    // −0 is 0, as in tables
    let number = number + 0.0;
    // beyond 2⁵³ not every integer is a number
    let whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
    let text = match unit {
        "" if whole => format!("{number:.0}"),
        "" => format!("{number:?}"),
        unit => format!("\"{number:?} {unit}\""),
    };
    Setting { text, cell: Cell::Number(number) }
}

/// A number with or without a unit, and its dimension; a ratio such as `5 %` is a plain number.
pub fn number(text: &str) -> Result<(f64, Option<Dimension>), SweepError> {
    let (number, dimension) = units::quantity(unquoted(text)).map_err(|e| {
        let help =
            e.help().unwrap_or_else(|| "give a number, with a unit where the scene has one".to_string());
        SweepError::within(text, e, help)
    })?;
    if !number.is_finite() {
        return Err(SweepError::within(text, "the number is not finite", "give a finite number"));
    }
    Ok((number, dimension.filter(|d| *d != Dimension::default())))
}

/// Numbers of one dimension.
pub fn numbers(texts: &[&str]) -> Result<(Vec<f64>, Option<Dimension>), SweepError> {
    let read: Vec<_> = texts.iter().map(|text| number(text)).collect::<Result<_, _>>()?;
    let dimension = read.first().and_then(|(_, dimension)| *dimension);
    if let Some(other) = read.iter().position(|(_, d)| *d != dimension) {
        let message = format!("its unit is of another kind than that of \"{}\"", texts[0].trim());
        let help = "give all numbers of an entry with units of one kind, or all without";
        return Err(SweepError::within(texts[other], message, help));
    }
    Ok((read.into_iter().map(|(number, _)| number).collect(), dimension))
}

/// A list of TOML values or bare texts, as numbers of one dimension if all are.
pub fn settings(texts: &[&str]) -> (Vec<Setting>, String) {
    let Ok((numbers, dimension)) = numbers(texts) else {
        let text = |text: &&str| Setting {
            text: text.trim().to_string(),
            cell: Cell::Text(unquoted(text).to_string()),
        };
        return (texts.iter().map(text).collect(), String::new());
    };
    let unit = unit_of(dimension);
    let one = |number: &f64| setting(*number, &unit);
    (numbers.iter().map(one).collect(), unit)
}

/// A text without the quotes around it.
pub fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text).trim()
}

/// The parts between commas that are outside brackets and quotes; none if there is nothing.
pub fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, c) in outside(text) {
        if c == ',' {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    // as in TOML, a comma may follow the last value
    if parts.last().is_some_and(|last| last.trim().is_empty()) {
        parts.pop();
    }
    parts
}

/// The characters outside brackets and quotes.
pub fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut depth) = (None, 0i32);
    text.char_indices().filter(move |&(_, c)| match (quote, c) {
        (Some(q), c) => {
            if c == q {
                quote = None;
            }
            false
        }
        (None, '"' | '\'') => {
            quote = Some(c);
            false
        }
        (None, '(' | '[' | '{') => {
            depth += 1;
            false
        }
        (None, ')' | ']' | '}') => {
            depth -= 1;
            false
        }
        (None, _) => depth == 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units_become_si_and_override_the_scene_as_such() {
        let (tons, unit) = settings(&["0.5 t", " \"800 kg\""]);
        assert_eq!(unit, "kg");
        assert_eq!(tons[0], Setting { text: "\"500.0 kg\"".to_string(), cell: Cell::Number(500.0) });
        assert_eq!(tons[1].cell, Cell::Number(800.0));
        let (ratios, unit) = settings(&["5 %", "0.5"]);
        assert_eq!((ratios[0].text.as_str(), unit.as_str()), ("0.05", ""));
        assert_eq!(settings(&["10", "20"]).0[1].text, "20", "a count stays an integer");
        let (words, _) = settings(&["\"spook\"", "projected"]);
        assert_eq!(
            words[0],
            Setting { text: "\"spook\"".to_string(), cell: Cell::Text("spook".to_string()) }
        );
        assert_eq!(unit_of(number("1 m/s^2").unwrap().1), "m/s^2");
        assert_eq!(unit_of(number("2 kN*m").unwrap().1), "N*m");
        // every unit that is written is read again as the same
        for text in ["3 deg", "4 rpm", "5 bar", "6 N*s/m", "7 kg*m^2", "8 (m/s)/N", "2 N*m/rad"] {
            let Ok((_, dimension)) = number(text) else { continue };
            let unit = unit_of(dimension);
            assert_eq!(number(&format!("1 {unit}")).unwrap(), (1.0, dimension), "{text} {unit}");
        }
    }

    #[test]
    fn mixed_units_are_refused() {
        let told = numbers(&["1 t", "2 m"]).unwrap_err().to_string();
        assert!(told.contains("\"2 m\"") && told.contains("help"), "{told}");
        assert!(number("inf kg").is_err() && number("1 kgg").unwrap_err().help.contains("did you mean"));
    }

    #[test]
    fn parts_respect_brackets_and_quotes() {
        assert_eq!(parts("a, [1, 2], \"x, y\", f(3, 4)"), ["a", " [1, 2]", " \"x, y\"", " f(3, 4)"]);
        assert_eq!(parts(" "), Vec::<&str>::new());
        assert_eq!(parts("1, 2,").len(), 2);
    }
}
