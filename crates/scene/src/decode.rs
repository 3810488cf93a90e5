//! Reads a TOML value into a struct, and rewords the errors of TOML and serde.

use crate::error::{Problem, Problems};
use crate::suggestion;
use serde::de::DeserializeOwned;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

/// A value as a struct; errors are reported.
pub fn read<T: DeserializeOwned>(value: Spanned<DeValue<'_>>, problems: &mut Problems) -> Option<T> {
    let span = value.span();
    match T::deserialize(ValueDeserializer::from(value)) {
        Ok(entry) => Some(entry),
        Err(error) => {
            let Problem { span, message, help } = problem(&error, span);
            problems.push(span, message, help);
            None
        }
    }
}

/// A TOML or serde error in the words of this program.
pub fn problem(error: &toml::de::Error, fallback: Range<usize>) -> Problem {
    let span = error.span().unwrap_or(fallback);
    let said = error.message();
    let names: Vec<&str> = said.split('`').skip(1).step_by(2).collect();
    let (message, help) = if said.starts_with("unknown field") {
        (format!("unknown key `{}`", suggestion::shortened(names[0])), Some(meant(&names)))
    } else if said.starts_with("unknown variant") {
        (format!("`{}` is not known here", suggestion::shortened(names[0])), Some(meant(&names)))
    } else if said.starts_with("missing field") && !names.is_empty() {
        (format!("`{}` is missing", names[0]), Some(format!("add `{} = …` here", names[0])))
    } else if said.starts_with("wanted exactly 1 element") {
        ("exactly one type is expected here".to_string(), Some("write { KIND = { … } }".to_string()))
    } else if let Some((found, wanted)) = said.strip_prefix("invalid type: ").and_then(|s| s.split_once(", "))
    {
        let help = plainly(&wanted.replacen("expected", "give", 1));
        (format!("this is {}", plainly(found)), Some(help))
    } else if said == "wanted string or table" {
        ("this is neither a table nor a word".to_string(), Some("write { KIND = { … } }".to_string()))
    } else if said.starts_with("string values must be quoted") {
        let help = "quote texts: \"25 mm\"; expressions begin with `=`: \"= 2 * length\"";
        ("the text is not quoted".to_string(), Some(help.to_string()))
    } else if said == "duplicate key" {
        ("this key is given twice".to_string(), Some("leave one of them out".to_string()))
    } else {
        (said.to_string(), None)
    };
    Problem { span, message, help }
}

/// Replaces serde's names of value types by those of TOML.
fn plainly(said: &str) -> String {
    let words = [
        ("floating point", "the number"),
        ("integer", "the number"),
        ("string \"", "the text \""),
        ("a boolean", "true or false"),
        ("boolean", "the word"),
        ("unit variant", "a word alone"),
        ("a sequence", "a list [ … ]"),
        ("sequence", "a list"),
        ("map", "a table"),
    ];
    // a struct is a table of keys
    if let Some(at) = said.find("struct ").or(said.find("enum ")) {
        return format!("{}a table {{ KEY = … }}", &said[..at]);
    }
    match words.iter().find(|(word, _)| said.contains(word)) {
        Some((word, plain)) => said.replacen(word, plain, 1),
        None => said.to_string(),
    }
}

/// The nearest of the names after the first, or all of them.
fn meant(names: &[&str]) -> String {
    let known = &names[1..];
    if known.contains(&"hinge") {
        match names[0] {
            "type" => return "the type of a joint is a key: hinge = { … }".to_string(),
            "free" | "freejoint" | "floating" => {
                return "a dynamic body without joints moves freely: leave the joint out".to_string();
            }
            _ => {}
        }
    }
    if let Some(ours) = suggestion::translated(names[0], known.iter().copied()) {
        return format!("here it is called `{ours}`");
    }
    match suggestion::nearest(names[0], known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "no keys are known here".to_string(),
        None => format!("known here: {}", list(known)),
    }
}

/// Names in backquotes, separated by commas.
pub fn list(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}
