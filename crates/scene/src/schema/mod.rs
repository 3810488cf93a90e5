//! The text structs → a JSON Schema (draft 7), the one description of every key.
//!
//! Doc comments are the descriptions. Two habits of theirs are read: "…; 0 unless given." is the default,
//! which goes to `x-default`, and a unit in brackets, "[m]", is dropped where `x-unit` of the number says it
//! better. Programs find the unit of a number in `x-unit` and its kind in `x-dimension`; ranges are those of
//! the schema itself.

mod reference;

pub use reference::reference;

use crate::text::body::{Body, Rotation};
use crate::text::cable::{Cable, Section};
use crate::text::contact::Contact;
use crate::text::force::{Force, Settings};
use crate::text::input::{Cue, Input};
use crate::text::joint::{ALIASES, Joint};
use crate::text::look::Camera;
use crate::text::material::{Friction, Material};
use crate::text::route::Rope;
use crate::text::winch::Winch;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The schema of scene files.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft07().into_generator();
    let properties = properties(&mut generator);
    let groups = groups(&mut generator);
    let mut root = Schema::default();
    let mut definitions = generator.take_definitions(true);
    add_joint_aliases(&mut definitions);
    definitions.extend(groups.map(|(name, table)| (name.to_string(), table)));
    root.insert("$schema".to_string(), json!("http://json-schema.org/draft-07/schema#"));
    root.insert("title".to_string(), json!("Windlass scene"));
    root.insert(
        "description".to_string(),
        json!("A scene file: bodies, joints, forces, cables and how they are seen."),
    );
    root.insert("type".to_string(), json!("object"));
    root.insert("properties".to_string(), properties);
    root.insert("required".to_string(), json!(["windlass"]));
    root.insert("additionalProperties".to_string(), json!(false));
    root.insert("definitions".to_string(), Value::Object(definitions));
    Tidy.transform(&mut root);
    root.to_value()
}

/// The names of joints in URDF, Drake and Chrono that stand for ours.
fn add_joint_aliases(definitions: &mut Map<String, Value>) {
    let Some(joint) = definitions.get_mut("Joint").and_then(|joint| joint["properties"].as_object_mut())
    else {
        return;
    };
    for (alias, kind) in ALIASES {
        let Some(mut schema) = joint.get(kind).cloned() else { continue };
        schema["description"] = json!(format!("Another name of `{kind}`."));
        joint.insert(alias.to_string(), schema);
    }
}

/// The keys and sections of a file.
fn properties(generator: &mut SchemaGenerator) -> Value {
    json!({
        "windlass": { "const": 2, "description": "Version of the format: 2." },
        "title": { "type": "string", "description": "What the scene is called." },
        "description": { "type": "string", "description": "What it shows, in a few sentences." },
        "include": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Scene files whose sections are added, relative to this one.",
        },
        "parameters": parameters("Values that expressions name: \"= 2 * length\"."),
        "settings": {
            "allOf": [generator.subschema_for::<Settings>()],
            "description": "What holds for the whole scene.",
        },
        "materials": named::<Material>(generator, "Materials of your own, and changes to the library."),
        "frictions": {
            "type": "array",
            "items": generator.subschema_for::<Friction>(),
            "description": "Friction of pairs of materials.",
        },
        "contacts": {
            "type": "array",
            "items": generator.subschema_for::<Contact>(),
            "description": "How pairs of surfaces touch.",
        },
        "bodies": named::<Body>(generator, "Bodies by name."),
        "joints": named::<Joint>(generator, "Joints by name. Each has one kind."),
        "forces": named::<Force>(generator, "Forces by name."),
        "cables": cables(generator, "Cables by name; with a `route`, ropes over winches and pulleys."),
        "winches": named::<Winch>(generator, "Winches by name."),
        "inputs": named::<Input>(generator, "Levers that drive motors and servos, by name."),
        "script": {
            "type": "array",
            "items": generator.subschema_for::<Cue>(),
            "description": "What moves the inputs while no hand does.",
        },
        "sections": named::<Section>(generator, "What cables are made of, by name."),
        "patterns": by_name("Pattern", "Bodies, joints, forces and cables made several times, by name."),
        "prefabs": by_name("Prefab", "Groups of bodies, joints, forces and cables to be placed, by name."),
        "instances": by_name("Instance", "Prefabs put in a place, by name."),
        "cameras": named::<Camera>(generator, "Cameras by name; one that shows everything unless given."),
        "probes": {
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": "What is to be measured, by name.",
        },
    })
}

/// Values by name.
fn parameters(description: &str) -> Value {
    let value = either(&["number", "string", "boolean"]);
    json!({ "type": "object", "additionalProperties": value, "description": description })
}

/// A value of one of several types.
fn either(types: &[&str]) -> Value {
    json!({ "oneOf": types.iter().map(|name| json!({ "type": name })).collect::<Vec<_>>() })
}

/// The tables that are read before entries are: no struct has them.
fn groups(generator: &mut SchemaGenerator) -> [(&'static str, Value); 3] {
    let table = |description: &str, needed: &str, properties: Value| {
        json!({
            "type": "object",
            "description": description,
            "properties": properties,
            "required": if needed.is_empty() { json!([]) } else { json!([needed]) },
            "additionalProperties": false,
        })
    };
    let whole = |description: &str| {
        let mut number = either(&["integer", "string"]);
        number["description"] = json!(description);
        number
    };
    let list = |count: usize, description: &str| {
        let number = either(&["number", "string"]);
        json!({
            "type": "array", "items": number, "minItems": count, "maxItems": count, "description": description,
        })
    };
    let pattern = json!({
        "count": whole("How many times."),
        "from": whole("First value of the index; 0 unless given."),
        "index": { "type": "string", "description": "Name of the index in expressions; i unless given." },
        "bodies": named::<Body>(generator, "Bodies by name, with the index in it: `\"link{i}\"`."),
        "joints": named::<Joint>(generator, "Joints by name, with the index in it."),
        "forces": named::<Force>(generator, "Forces by name, with the index in it."),
        "cables": cables(generator, "Cables by name, with the index in it."),
        "winches": named::<Winch>(generator, "Winches by name, with the index in it."),
        "inputs": named::<Input>(generator, "Inputs by name, with the index in it."),
        "patterns": by_name("Pattern", "Patterns in it, with another index."),
        "instances": by_name("Instance", "Instances of prefabs, with the index in their names."),
    });
    let prefab = json!({
        "parameters": parameters("Its parameters and their usual values."),
        "bodies": named::<Body>(generator, "Bodies by name, in the axes of the instance."),
        "joints": named::<Joint>(generator, "Joints by name, in the axes of the instance."),
        "forces": named::<Force>(generator, "Forces by name, in the axes of the instance."),
        "cables": cables(generator, "Cables by name, in the axes of the instance."),
        "winches": named::<Winch>(generator, "Winches by name, in the axes of the instance."),
        "inputs": named::<Input>(generator, "Inputs by name."),
        "patterns": by_name("Pattern", "Patterns in it."),
        "instances": by_name("Instance", "Instances of other prefabs."),
    });
    let instance = json!({
        "prefab": { "type": "string", "description": "Name of the prefab." },
        "position": list(3, "Its origin [m]; 0 unless given."),
        "orientation": list(4, "Its attitude as a quaternion [w, x, y, z]."),
        "rotation": {
            "allOf": [generator.subschema_for::<Rotation>()],
            "description": "Its attitude as a turn about an axis, instead of `orientation`.",
        },
        "parameters": parameters("Parameters that differ from the prefab's."),
    });
    [
        ("Pattern", table("Bodies, joints, forces and cables made several times.", "count", pattern)),
        ("Prefab", table("Bodies, joints, forces and cables that instances place.", "", prefab)),
        (
            "Instance",
            table("A prefab put in a place. What is in it is called NAME.BODY.", "prefab", instance),
        ),
    ]
}

/// A section of tables of another definition, by name.
fn by_name(definition: &str, description: &str) -> Value {
    let entry = json!({ "$ref": format!("#/definitions/{definition}") });
    json!({ "type": "object", "additionalProperties": entry, "description": description })
}

/// Cables by name: laid between two ends, or over a route.
fn cables(generator: &mut SchemaGenerator, description: &str) -> Value {
    let entry = json!({ "anyOf": [generator.subschema_for::<Cable>(), generator.subschema_for::<Rope>()] });
    json!({ "type": "object", "additionalProperties": entry, "description": description })
}

/// A section of entries by name.
fn named<T: JsonSchema>(generator: &mut SchemaGenerator, description: &str) -> Value {
    let entry = generator.subschema_for::<T>();
    json!({ "type": "object", "additionalProperties": entry, "description": description })
}

/// Takes out what TOML does not have (null) and reads the habits of doc comments.
struct Tidy;

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(object) = schema.as_object_mut() {
            drop_null(object);
            read_description(object);
        }
        transform_subschemas(self, schema);
    }
}

fn is_null(value: &Value) -> bool {
    value.is_null() || value["type"] == "null"
}

/// A key that is optional may be left out; it cannot be null.
fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            object.insert("type".to_string(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|v| !v.is_null());
    }
    let Some(Value::Array(choices)) = object.get_mut("anyOf") else { return };
    choices.retain(|c| !is_null(c));
    if let [only] = &mut choices[..] {
        let only = only.take();
        object.remove("anyOf");
        match only {
            // nothing may stand beside a reference in this draft
            Value::Object(inner) if !inner.contains_key("$ref") => {
                for (key, value) in inner {
                    object.entry(key).or_insert(value);
                }
            }
            reference => {
                object.insert("allOf".to_string(), json!([reference]));
            }
        }
    }
}

/// "Velocity, world axes [m/s]; 0 unless given." → "Velocity, world axes.", default 0.
fn read_description(object: &mut Map<String, Value>) {
    let Some(text) = object.get("description").and_then(Value::as_str) else { return };
    let mut text = text.replace('\n', " ");
    if has_unit(object) {
        while let Some((before, rest)) = text.split_once(" [").map(|(a, b)| (a.to_string(), b.to_string())) {
            let Some((inside, after)) = rest.split_once(']') else { break };
            // lists such as [r, g, b] stay
            if inside.contains(',') {
                break;
            }
            text = before + after;
        }
    }
    let said = text.strip_suffix(" unless given.").map(str::to_string);
    if let Some(said) = said {
        let (meaning, default) = said.rsplit_once("; ").unwrap_or(("", &said));
        text = format!("{meaning}.");
        let default = default.trim_end_matches(',');
        let default = serde_json::from_str(default).unwrap_or_else(|_| json!(default));
        object.insert("x-default".to_string(), default);
    }
    object.insert("description".to_string(), json!(text));
}

/// Whether it is a number or a list of numbers whose unit is told.
fn has_unit(object: &Map<String, Value>) -> bool {
    let items = object.get("items");
    let inner = items.and_then(|items| items.get("items"));
    object.contains_key("x-unit") || [items, inner].into_iter().flatten().any(|i| !i["x-unit"].is_null())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units_ranges_and_defaults() {
        let schema = schema();
        let body = &schema["definitions"]["Body"]["properties"];
        let mass = &body["mass"];
        assert_eq!((&mass["x-unit"], &mass["x-dimension"]), (&json!("kg"), &json!("a mass")));
        assert_eq!(mass["oneOf"][0]["exclusiveMinimum"], json!(0));
        assert_eq!(mass["oneOf"][1], json!({ "type": "string" }));
        assert_eq!(mass["description"], json!("Mass, instead of a density."));
        let velocity = &body["velocity"];
        assert_eq!(velocity["description"], json!("Velocity of its centre of mass, world axes."));
        assert_eq!((&velocity["x-default"], &velocity["maxItems"]), (&json!(0), &json!(3)));
        assert_eq!(velocity["items"]["x-unit"], json!("m/s"));
        assert_eq!(body["orientation"]["maxItems"], json!(4));
        // the same key has other units along a way and in a turn
        let stiffness = |name: &str| &schema["definitions"][name]["properties"]["stiffness"]["x-unit"];
        assert_eq!(stiffness("Spring_for_Way"), &json!("N/m"));
        assert_eq!(stiffness("Spring_for_Turn"), &json!("N·m/rad"));
    }

    #[test]
    fn nothing_is_null_and_everything_is_described() {
        fn walk(value: &Value, path: &str) {
            assert!(value != "null", "{path} may be null");
            if let Some(properties) = value["properties"].as_object() {
                for (key, property) in properties {
                    let told = property["description"]
                        .as_str()
                        .is_some_and(|d| d.len() > 3 && !d.contains("unless given"));
                    // the kinds of an enum are told beside their only key
                    let kind = properties.len() == 1 && value["description"].is_string();
                    assert!(told || kind, "{path}/{key} is not described: {property}");
                }
            }
            match value {
                Value::Object(map) => {
                    map.iter().for_each(|(key, inner)| walk(inner, &format!("{path}/{key}")))
                }
                Value::Array(list) => list.iter().for_each(|inner| walk(inner, path)),
                _ => {}
            }
        }
        walk(&schema(), "");
    }
}
