//! Evaluates expressions in values: `"= 2 * length"` becomes `"0.05 m"`, `"link{i-1}"` becomes `"link6"`.
//!
//! A number with a known dimension becomes text with its SI unit, so that it is checked like any other value of the
//! key. It has the shortest digits that reproduce the number. Every value keeps its position in the text.

use super::expression::{self, Fault, Names, Quantity, Value};
use crate::error::Problems;
use crate::suggestion;
use crate::units::Dimension;
use std::borrow::Cow;
use toml::Spanned;
use toml::de::DeValue;

/// Maximum length of a text after substitution [bytes].
const LONGEST: usize = 1000;

/// Evaluates all expressions in a value at any depth and reports invalid ones. Returns whether all are valid.
pub fn fill(value: &mut Spanned<DeValue<'_>>, names: &mut dyn Names, problems: &mut Problems) -> bool {
    let new = match value.get_mut() {
        DeValue::String(text) => match text.trim_start().strip_prefix('=') {
            Some(expression) => expression::evaluate(expression, names).map(|v| Some(written(v))),
            None => filled(text, names).map(|filled| match filled {
                Cow::Owned(text) => Some(DeValue::String(text.into())),
                Cow::Borrowed(_) => None,
            }),
        },
        DeValue::Array(list) => {
            let mut sound = true;
            for value in list.iter_mut() {
                sound &= fill(value, names, problems);
            }
            return sound;
        }
        DeValue::Table(table) => {
            let mut sound = true;
            for (_, value) in table.iter_mut() {
                sound &= fill(value, names, problems);
            }
            return sound;
        }
        _ => return true,
    };
    match new {
        Ok(Some(new)) => *value.get_mut() = new,
        Ok(None) => {}
        Err(fault) => {
            tell(fault, value, names, problems);
            return false;
        }
    }
    true
}

/// Reports why a value is invalid.
pub fn tell(fault: Fault, value: &Spanned<DeValue<'_>>, names: &dyn Names, problems: &mut Problems) {
    // no remedy is computed for an error that is not shown
    if fault != Fault::Told && !problems.wants(&value.span()) {
        problems.skip();
    } else if let Some((message, help)) = fault.told(names) {
        let shown = value.get_ref().as_str().map(|t| format!("\"{}\": ", suggestion::shortened(t.trim())));
        problems.push(value.span(), format!("{}{message}", shown.unwrap_or_default()), help);
    }
}

/// A text with each `{expression}` replaced by its value; `{{` and `}}` are braces.
pub fn filled<'t>(text: &'t str, names: &mut dyn Names) -> Result<Cow<'t, str>, Fault> {
    if !text.contains(['{', '}']) {
        return Ok(Cow::Borrowed(text));
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out += &rest[..at];
        let brace = &rest[at..=at];
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            out += brace;
            rest = after;
        } else if brace == "}" {
            return unbalanced("a `}` without `{`", "write `}}` for a brace");
        } else {
            let Some(end) = rest.find(['{', '}']).filter(|end| rest[*end..].starts_with('}')) else {
                return unbalanced("a `{` is not closed", "write {expression}, or `{{` for a brace");
            };
            out += &printed(expression::evaluate(&rest[..end], names)?);
            rest = &rest[end + 1..];
        }
        if out.len() > LONGEST {
            return unbalanced("the text is too long after substitution", "make it shorter");
        }
    }
    Ok(Cow::Owned(out + rest))
}

fn unbalanced<T>(message: &str, help: &str) -> Result<T, Fault> {
    Err(Fault::New(message.to_string(), Some(help.to_string())))
}

/// A value in TOML.
fn written(value: Value) -> DeValue<'static> {
    match value {
        Value::Flag(flag) => DeValue::Boolean(flag),
        Value::Number(Quantity { si, dimension: Some(d) }) => {
            DeValue::String(format!("{} {}", digits(si), d.unit()).into())
        }
        Value::Number(Quantity { si, dimension: None }) => DeValue::String(digits(si).into()),
        Value::Text(text) => DeValue::String(text.into()),
    }
}

/// A value inside a text.
fn printed(value: Value) -> String {
    match value {
        Value::Flag(flag) => flag.to_string(),
        Value::Number(Quantity { si, dimension: Some(d) }) if d != Dimension::default() => {
            format!("{} {}", digits(si), d.unit())
        }
        Value::Number(q) => digits(q.si),
        Value::Text(text) => text,
    }
}

/// The shortest digits that reproduce the number.
fn digits(x: f64) -> String {
    match x.abs() {
        0.0 => "0".to_string(),
        1e-5..1e15 => x.to_string(),
        _ => format!("{x:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::scope::Scope;
    use std::collections::BTreeMap;

    #[test]
    fn texts_are_filled() {
        let nothing = Scope::of_parameters(None, BTreeMap::new(), None, &mut Problems::default());
        let scope = Scope::of_index("i", 7, &nothing);
        let fill = |text: &str| filled(text, &mut &scope).map(Cow::into_owned);
        assert_eq!(fill("link{i-1}").as_deref(), Ok("link6"));
        assert_eq!(fill("{i}{ i * 2 }").as_deref(), Ok("714"));
        assert_eq!(fill("{i / 2}").as_deref(), Ok("3.5"));
        assert_eq!(fill("{2 m + 5 mm} long").as_deref(), Ok("2.005 m long"));
        assert_eq!(fill("a {{brace}} {i}").as_deref(), Ok("a {brace} 7"));
        for bad in ["{", "}", "{i", "a}b", "{i{i}}", "{{{", "{}", "{x}"] {
            assert!(fill(bad).is_err(), "{bad}");
        }
        assert!(fill(&"{i}".repeat(10_000)).is_err(), "too long");
    }

    #[test]
    fn digits_come_back_exactly() {
        for x in [0.1, -0.0, 1.0 / 3.0, 5e-324, 1.7e308, -123456.789, 1e15, 2e-7] {
            assert_eq!(digits(x).parse::<f64>(), Ok(x));
        }
    }
}
