//! The text structs → a JSON Schema (draft 7), the single source of the description of every key.
//!
//! Doc comments are the descriptions. Two conventions in them are parsed: "…; 0 unless given." is the default, which
//! goes to `x-default`, and a unit in brackets, "[m]", is dropped where the number has an `x-unit`. Programs find the
//! unit of a number in `x-unit` and its dimension in `x-dimension`. Ranges use the keywords of JSON Schema.

mod reference;

pub use reference::reference;

use crate::text::body::{Body, Rotation};
use crate::text::cable::{Cable, Section};
use crate::text::contact::Contact;
use crate::text::controller::{Controller, Rule};
use crate::text::fluid::Fluid;
use crate::text::force::{Force, Settings};
use crate::text::input::{Input, ScriptEntry};
use crate::text::joint::{ALIASES, Joint};
use crate::text::look::Camera;
use crate::text::material::{Friction, Material};
use crate::text::route::Rope;
use crate::text::soft_wheel::Wheel as SoftWheel;
use crate::text::soil::{Bin, Ground, Soil, Tool};
use crate::text::tire::Tire;
use crate::text::track::Track;
use crate::text::vehicle::Vehicle;
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
        json!("A scene file: bodies, joints, forces, cables, inputs, visuals and cameras."),
    );
    root.insert("type".to_string(), json!("object"));
    root.insert("properties".to_string(), properties);
    root.insert("required".to_string(), json!(["windlass"]));
    root.insert("additionalProperties".to_string(), json!(false));
    root.insert("definitions".to_string(), Value::Object(definitions));
    Tidy.transform(&mut root);
    root.to_value()
}

/// Adds the names of joints in URDF, Drake and Chrono as aliases of ours.
fn add_joint_aliases(definitions: &mut Map<String, Value>) {
    let Some(joint) = definitions.get_mut("Joint").and_then(|joint| joint["properties"].as_object_mut())
    else {
        return;
    };
    for (alias, kind) in ALIASES {
        let Some(mut schema) = joint.get(kind).cloned() else { continue };
        schema["description"] = json!(format!("Alias of `{kind}`."));
        joint.insert(alias.to_string(), schema);
    }
}

/// The keys and sections of a file.
fn properties(generator: &mut SchemaGenerator) -> Value {
    json!({
        "windlass": { "const": 2, "description": "Version of the file format: 2." },
        "title": { "type": "string", "description": "Title of the scene." },
        "description": { "type": "string", "description": "Description of the scene in a few sentences." },
        "include": {
            "type": "array",
            "items": { "type": "string" },
            "description": "Paths of scene files whose sections are added, relative to this file.",
        },
        "parameters": parameters("Named values for expressions such as \"= 2 * length\"."),
        "settings": {
            "allOf": [generator.subschema_for::<Settings>()],
            "description": "Settings of the whole scene.",
        },
        "materials": named::<Material>(generator, "Materials by name: new ones, and changes to those of the library."),
        "frictions": {
            "type": "array",
            "items": generator.subschema_for::<Friction>(),
            "description": "Dry friction of pairs of materials.",
        },
        "contacts": {
            "type": "array",
            "items": generator.subschema_for::<Contact>(),
            "description": "Contact parameters of pairs of surfaces.",
        },
        "bodies": named::<Body>(generator, "Bodies by name."),
        "joints": named::<Joint>(generator, "Joints by name. Each has exactly one kind."),
        "forces": named::<Force>(generator, "Forces by name."),
        "cables": cables(generator, "Cables by name; those with a `route` run over winches and pulleys."),
        "winches": named::<Winch>(generator, "Winches by name."),
        "vehicles": named::<Vehicle>(generator, "Vehicles by name: wheels, steering and drive trains on a chassis."),
        "tires": named::<Tire>(generator, "Tyres of vehicles, by name."),
        "inputs": named::<Input>(generator, "Operator inputs that drive motors and servos, by name."),
        "script": {
            "type": "array",
            "items": generator.subschema_for::<ScriptEntry>(),
            "description": "Script of the inputs: sets them while no operator does.",
        },
        "controllers": named::<Controller>(generator, "Controllers by name: PID, filter, table, expression, state machine."),
        "rules": named::<Rule>(generator, "Rules by name: when a condition holds, act on inputs."),
        "fluids": named::<Fluid>(generator, "Fluids by name: water, air, with waves, currents and wind."),
        "soils": named::<Soil>(generator, "Soils by name: strength, density, compaction."),
        "grounds": named::<Ground>(generator, "Grounds by name: heights over a grid and layers of soil, to be dug and compacted."),
        "bins": named::<Bin>(generator, "Bins by name: truck beds and other bodies that hold loose soil."),
        "tools": named::<Tool>(generator, "Tools by name: blades and buckets that cut a ground."),
        "wheels": named::<SoftWheel>(generator, "Wheels, rollers and plates that sink into a ground, by name."),
        "tracks": named::<Track>(generator, "Crawler tracks by name."),
        "sections": named::<Section>(generator, "Sections of cables, by name."),
        "patterns": by_name("Pattern", "Patterns by name: bodies, joints, forces and cables that are repeated."),
        "prefabs": by_name("Prefab", "Prefabs by name: groups of entries that instances place."),
        "instances": by_name("Instance", "Instances of prefabs, by name."),
        "cameras": named::<Camera>(generator, "Cameras by name; one that shows the whole scene unless given."),
        "probes": {
            "type": "object",
            "additionalProperties": { "type": "string" },
            "description": "Probes: quantities that are logged, by name.",
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

/// The tables that are expanded before entries are read; they have no struct.
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
        "count": whole("Number of repetitions."),
        "from": whole("First value of the index; 0 unless given."),
        "index": { "type": "string", "description": "Name of the index in expressions; i unless given." },
        "bodies": named::<Body>(generator, "Bodies by name, with the index in the name: `\"link{i}\"`."),
        "joints": named::<Joint>(generator, "Joints by name, with the index in the name."),
        "forces": named::<Force>(generator, "Forces by name, with the index in the name."),
        "cables": cables(generator, "Cables by name, with the index in the name."),
        "winches": named::<Winch>(generator, "Winches by name, with the index in the name."),
        "vehicles": named::<Vehicle>(generator, "Vehicles by name, with the index in the name."),
        "tools": named::<Tool>(generator, "Tools by name, with the index in the name."),
        "tracks": named::<Track>(generator, "Crawler tracks by name, with the index in the name."),
        "inputs": named::<Input>(generator, "Inputs by name, with the index in the name."),
        "patterns": by_name("Pattern", "Nested patterns, with another index."),
        "instances": by_name("Instance", "Instances of prefabs by name, with the index in the name."),
    });
    let prefab = json!({
        "parameters": parameters("Parameters and their default values."),
        "bodies": named::<Body>(generator, "Bodies by name, in the axes of the instance."),
        "joints": named::<Joint>(generator, "Joints by name, in the axes of the instance."),
        "forces": named::<Force>(generator, "Forces by name, in the axes of the instance."),
        "cables": cables(generator, "Cables by name, in the axes of the instance."),
        "winches": named::<Winch>(generator, "Winches by name, in the axes of the instance."),
        "vehicles": named::<Vehicle>(generator, "Vehicles by name."),
        "tools": named::<Tool>(generator, "Tools by name."),
        "tracks": named::<Track>(generator, "Crawler tracks by name."),
        "inputs": named::<Input>(generator, "Inputs by name."),
        "patterns": by_name("Pattern", "Nested patterns."),
        "instances": by_name("Instance", "Instances of other prefabs."),
    });
    let instance = json!({
        "prefab": { "type": "string", "description": "Name of the prefab." },
        "position": list(3, "Position of its origin [m]; 0 unless given."),
        "orientation": list(4, "Orientation as a quaternion [w, x, y, z]; identity unless given."),
        "rotation": {
            "allOf": [generator.subschema_for::<Rotation>()],
            "description": "Orientation as a rotation about an axis, instead of `orientation`.",
        },
        "parameters": parameters("Values of parameters that differ from the defaults of the prefab."),
    });
    [
        ("Pattern", table("Bodies, joints, forces and cables that are repeated.", "count", pattern)),
        ("Prefab", table("Bodies, joints, forces and cables that instances place.", "", prefab)),
        (
            "Instance",
            table("A prefab placed in the scene. Its entries are called NAME.ENTRY.", "prefab", instance),
        ),
    ]
}

/// A section of tables of another definition, by name.
fn by_name(definition: &str, description: &str) -> Value {
    let entry = json!({ "$ref": format!("#/definitions/{definition}") });
    json!({ "type": "object", "additionalProperties": entry, "description": description })
}

/// Cables by name: between two ends, or over a route.
fn cables(generator: &mut SchemaGenerator, description: &str) -> Value {
    let entry = json!({ "anyOf": [generator.subschema_for::<Cable>(), generator.subschema_for::<Rope>()] });
    json!({ "type": "object", "additionalProperties": entry, "description": description })
}

/// A section of entries by name.
fn named<T: JsonSchema>(generator: &mut SchemaGenerator, description: &str) -> Value {
    let entry = generator.subschema_for::<T>();
    json!({ "type": "object", "additionalProperties": entry, "description": description })
}

/// Removes null, which TOML does not have, and parses the conventions of doc comments.
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

/// An optional key may be omitted; it cannot be null.
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
            // this draft allows no keywords beside a reference
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

/// "Velocity, in world axes [m/s]; 0 unless given." → "Velocity, in world axes.", default 0.
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

/// Whether it is a number or a list of numbers with an `x-unit`.
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
        assert_eq!(velocity["description"], json!("Initial velocity of the centre of mass, in world axes."));
        assert_eq!((&velocity["x-default"], &velocity["maxItems"]), (&json!(0), &json!(3)));
        assert_eq!(velocity["items"]["x-unit"], json!("m/s"));
        assert_eq!(body["orientation"]["maxItems"], json!(4));
        // the unit of a key depends on whether its coordinate is a displacement or an angle
        let stiffness = |name: &str| &schema["definitions"][name]["properties"]["stiffness"]["x-unit"];
        assert_eq!(stiffness("Spring_for_Linear"), &json!("N/m"));
        assert_eq!(stiffness("Spring_for_Angular"), &json!("N·m/rad"));
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
                    // the kinds of an enum are described beside their only key
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
