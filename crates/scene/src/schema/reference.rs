//! The schema → a reference in Markdown: a table of keys for each kind of table in a scene file.

use super::schema;
use serde_json::Value;
use std::fmt::Write;

const HEAD: &str = "# Scene reference

This page is generated: it lists every key of a scene file. [Scene files](../modelling/scene-files.md) is the introduction.
A number is in the unit of the column *value*, or a string with a unit: `\"25 mm\"`. After the unit is the range; any finite
number is allowed where there is none. A key may be omitted unless it is *required*. An empty default is no value: without
the key, what it adds is absent, or another key or the text on the right specifies it.
";

/// The reference of scene files as Markdown.
pub fn reference() -> String {
    let schema = schema();
    let mut out = String::from(HEAD);
    out += "\n## File\n\n";
    keys(&mut out, &schema, &schema);
    if let Some(definitions) = schema["definitions"].as_object() {
        for (name, definition) in definitions {
            // choices among words are described where they are used
            if words(definition).is_none() {
                let _ = write!(out, "\n## {}\n\n{}\n\n", title(name), text(definition, "description"));
                keys(&mut out, definition, &schema);
            }
        }
    }
    out
}

/// One line per key. A choice of kinds has one line per kind and one for each of its keys.
fn keys(out: &mut String, table: &Value, root: &Value) {
    *out += "| key | value | default | meaning |\n|---|---|---|---|\n";
    rows(out, table, "", root);
    for kind in table["oneOf"].as_array().into_iter().flatten() {
        rows(out, kind, "", root);
    }
}

fn rows(out: &mut String, table: &Value, before: &str, root: &Value) {
    let Some(properties) = table["properties"].as_object() else { return };
    let needed: Vec<&str> =
        table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, property) in properties {
        // a kind is the only key of its table, which has the description
        let is_kind = before.is_empty() && properties.len() == 1;
        let mut meaning = text(if is_kind { table } else { property }, "description").to_string();
        meaning += &meanings(property, root);
        let default = match &property["x-default"] {
            Value::Null if needed.contains(&key.as_str()) && !is_kind => "*required*".to_string(),
            Value::Null => String::new(),
            Value::String(word) if meaning.contains(&format!("`\"{word}\"`")) => format!("`\"{word}\"`"),
            Value::String(text) => text.clone(),
            other => format!("`{other}`"),
        };
        let is_table = property["properties"].is_object();
        let value = if is_table { "table".to_string() } else { kind(property, root) + &range(property) };
        let _ = writeln!(out, "| `{before}{key}` | {value} | {} | {} |", cell(&default), cell(&meaning));
        if is_table {
            rows(out, property, &format!("{key}."), root);
        }
    }
}

/// Descriptions of the words of a choice.
fn meanings(property: &Value, root: &Value) -> String {
    let Some(name) = reference_of(property) else { return String::new() };
    let choices = root["definitions"][name]["oneOf"].as_array().into_iter().flatten();
    let told = choices.filter_map(|c| {
        let word = c["const"].as_str().or_else(|| c["enum"][0].as_str())?;
        Some(format!(" `\"{word}\"`: {}", text(c, "description")))
    });
    told.collect()
}

/// Type of the value of a key, in words.
fn kind(schema: &Value, root: &Value) -> String {
    if let Some(name) = reference_of(schema) {
        let definition = &root["definitions"][name];
        return words(definition).unwrap_or_else(|| format!("[{}](#{})", title(name), anchor(name)));
    }
    if let Some(unit) = schema["x-unit"].as_str() {
        return if unit == "1" { "number".to_string() } else { unit.to_string() };
    }
    if schema["x-dimension"] == "a colour" {
        return "colour".to_string();
    }
    if let Some(words) = words(schema) {
        return words;
    }
    match schema["type"].as_str() {
        Some("array") => list(schema, root),
        Some("object") => match &schema["additionalProperties"] {
            Value::Object(_) => format!("table of {}", kind(&schema["additionalProperties"], root)),
            _ => "table".to_string(),
        },
        Some("string") => "string".to_string(),
        Some("boolean") => "boolean".to_string(),
        Some("integer") => "integer".to_string(),
        Some("number") => "number".to_string(),
        _ if !schema["const"].is_null() => schema["const"].to_string(),
        _ => {
            let choices = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
            choices.map(|c| kind(c, root)).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// The range of a number, or of the numbers of a list: ", > 0". The largest numbers of scene files are no range.
fn range(schema: &Value) -> String {
    let number = [schema, &schema["oneOf"][0], &schema["items"], &schema["items"]["oneOf"][0]]
        .into_iter()
        .find(|s| s["type"] == "number" || s["type"] == "integer");
    let Some(number) = number else { return String::new() };
    let bound = |key: &str| number[key].as_f64().filter(|bound| bound.abs() < 1e9);
    match (bound("exclusiveMinimum"), bound("minimum"), bound("maximum")) {
        (_, Some(low), Some(high)) => format!(", {low} to {high}"),
        (Some(low), ..) => format!(", > {low}"),
        (_, Some(low), None) => format!(", ≥ {low}"),
        (None, None, Some(high)) => format!(", ≤ {high}"),
        (None, None, None) => String::new(),
    }
}

fn list(schema: &Value, root: &Value) -> String {
    let item = kind(&schema["items"], root);
    match schema["maxItems"].as_u64() {
        Some(count) if schema["items"]["type"] == "array" => format!("{count} lists of {item}"),
        Some(count) => format!("{count} × {item}"),
        None => format!("list of {item}"),
    }
}

/// The name of the definition a schema refers to.
fn reference_of(schema: &Value) -> Option<&str> {
    let direct = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
    direct?.rsplit('/').next()
}

/// The words of a choice among words.
fn words(schema: &Value) -> Option<String> {
    let quoted = |values: Vec<&str>| {
        let quoted: Vec<_> = values.into_iter().map(|v| format!("`\"{v}\"`")).collect();
        (!quoted.is_empty()).then(|| quoted.join(", "))
    };
    if let Some(values) = schema["enum"].as_array() {
        return quoted(values.iter().filter_map(Value::as_str).collect());
    }
    let choices = schema["oneOf"].as_array()?;
    let constants = choices.iter().map(|c| c["const"].as_str().or_else(|| c["enum"][0].as_str()));
    quoted(constants.collect::<Option<Vec<_>>>()?)
}

/// "Axis_for_Turn" → "Axis (turn)", "PointOnLine" → "Point on line".
fn title(name: &str) -> String {
    let (name, of) = name.split_once("_for_").unwrap_or((name, ""));
    let mut title = String::new();
    for (index, letter) in name.char_indices() {
        if letter.is_uppercase() && index > 0 {
            title.push(' ');
            title.extend(letter.to_lowercase());
        } else {
            title.push(letter);
        }
    }
    if of.is_empty() { title } else { format!("{title} ({})", of.to_lowercase()) }
}

/// The anchor that Markdown readers make of a title.
fn anchor(name: &str) -> String {
    title(name).to_lowercase().replace(' ', "-").replace(['(', ')'], "")
}

fn text<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema[key].as_str().unwrap_or_default()
}

/// Text escaped for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The row of a key under a heading.
    fn row(page: &str, heading: &str, key: &str) -> String {
        let table = page.split("\n## ").find(|part| part.starts_with(&format!("{heading}\n")));
        let start = format!("| `{key}` |");
        let row = table.unwrap_or_default().lines().find(|line| line.starts_with(&start));
        row.unwrap_or_else(|| panic!("no {heading} {key}")).to_string()
    }

    #[test]
    fn rows_have_units_and_ranges() {
        let page = reference();
        for (heading, key, value) in [
            ("Body", "mass", "kg, > 0"),
            ("Body", "position", "3 × m"),
            ("Material", "restitution", "number, 0 to 1"),
            ("Fuel", "idle", "kg/s, ≥ 0"),
            ("Spring (linear)", "stiffness", "N/m, ≥ 0"),
            ("Spring (linear)", "quadratic", "N/m²"),
            ("Track", "stiffness", "Pa/m, ≥ 0"),
        ] {
            let row = row(&page, heading, key);
            assert!(row.contains(&format!("| {value} |")), "{heading}: {row}");
        }
        assert!(!page.contains("10000000000"), "the largest number is no range");
    }

    #[test]
    fn types_have_names_of_their_own() {
        let page = reference();
        for heading in ["Soft wheel", "Air drag"] {
            assert!(page.contains(&format!("\n## {heading}\n")), "{heading}");
        }
        let numbered =
            page.lines().find(|line| line.starts_with("## ") && line.ends_with(|c: char| c.is_ascii_digit()));
        assert_eq!(numbered, None);
    }
}
