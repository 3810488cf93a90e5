//! Whether JSON fits a JSON Schema. The tests of `crates/cli` use it as well.

use serde_json::{Value, json};

/// Just enough of draft 7 for our own schema: whether a value fits.
pub fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let Some(keys) = schema.as_object() else { return schema == &json!(true) };
    keys.iter().all(|(key, rule)| match key.as_str() {
        "$ref" => {
            let name = rule.as_str().and_then(|r| r.rsplit('/').next()).expect("a reference");
            let definition = &root["definitions"][name];
            assert!(!definition.is_null(), "{rule} leads nowhere");
            fits(value, definition, root)
        }
        "type" if rule.is_array() => rule
            .as_array()
            .is_some_and(|types| types.iter().any(|one| fits(value, &json!({ "type": one }), root))),
        "type" => match rule.as_str().expect("one type") {
            "null" => value.is_null(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.is_u64() || value.is_i64(),
            other => panic!("type {other}"),
        },
        "const" => value == rule,
        "enum" => rule.as_array().expect("a list").contains(value),
        "properties" => value.as_object().is_none_or(|o| {
            o.iter().all(|(key, inner)| rule.get(key).is_none_or(|schema| fits(inner, schema, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|o| {
            let unknown = |key: &str| keys.get("properties").is_none_or(|p| p.get(key).is_none());
            o.iter().all(|(key, inner)| !unknown(key) || fits(inner, rule, root))
        }),
        "required" => value.as_object().is_none_or(|o| {
            rule.as_array().expect("a list").iter().all(|key| o.contains_key(key.as_str().expect("a key")))
        }),
        "items" if rule.is_array() => value.as_array().is_none_or(|list| {
            let schemas = rule.as_array().into_iter().flatten();
            list.iter().zip(schemas).all(|(item, schema)| fits(item, schema, root))
        }),
        "items" => value.as_array().is_none_or(|list| list.iter().all(|item| fits(item, rule, root))),
        "minItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().expect("a count"))
        }
        "maxItems" => {
            value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().expect("a count"))
        }
        "minimum" => value.as_f64().is_none_or(|x| x >= rule.as_f64().expect("a number")),
        "maximum" => value.as_f64().is_none_or(|x| x <= rule.as_f64().expect("a number")),
        "exclusiveMinimum" => value.as_f64().is_none_or(|x| x > rule.as_f64().expect("a number")),
        "allOf" => rule.as_array().expect("a list").iter().all(|s| fits(value, s, root)),
        "anyOf" => rule.as_array().expect("a list").iter().any(|s| fits(value, s, root)),
        "oneOf" => rule.as_array().expect("a list").iter().filter(|s| fits(value, s, root)).count() == 1,
        // texts, and patterns of text, which the program itself checks better
        "$schema" | "title" | "description" | "default" | "definitions" | "format" | "pattern" => true,
        other => other.starts_with("x-") || panic!("the schema uses {other}"),
    })
}
