//! Pages that the program writes: commands, probes and the objects of `--json`. `WINDLASS_REWRITE=1` writes them anew.

use super::root;
use crate::desk::{Desk, HANG, example};
use crate::fits::fits;
use serde_json::Value;
use std::fs;

/// A page must be what the program makes of it now.
#[track_caller]
fn is_current(name: &str, wanted: &str) {
    let path = root().join("docs/reference").join(name);
    let there = fs::read_to_string(&path).unwrap_or_default();
    if there != wanted && std::env::var_os("WINDLASS_REWRITE").is_some() {
        fs::write(&path, wanted).expect("the page");
        return;
    }
    assert!(there == wanted, "docs/reference/{name} is old: run this test with WINDLASS_REWRITE=1");
}

#[test]
fn the_page_of_commands_is_current() {
    let desk = Desk::new();
    let help = desk.windlass(&["--help"]).ends(0).out();
    let commands: Vec<_> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 18, "{commands:?}");
    let mut page = format!(
        "# Commands\n\nThis page is generated: it is the output of `windlass --help` and of `windlass COMMAND --help`.\n\
         Errors and exit codes are described in [Errors and exit codes](errors.md), the output of `--json` in\n\
         [JSON output](json.md).\n\n```text\n{}\n```\n",
        help.trim_end()
    );
    for command in commands {
        let help = desk.windlass(&[command, "--help"]).ends(0).out();
        let lines: Vec<_> = help.lines().map(str::trim_end).collect();
        page += &format!("\n## {command}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    }
    is_current("commands.md", &page);
}

#[test]
fn the_page_of_probes_is_current() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    let listed = desk.runs("info hang.toml --probes").ends(0).out();
    let mut page = String::from(
        "# Probes\n\nThis page is generated: it is the list of `windlass info SCENE --probes`. Rules for names, labels, wildcards\n\
         and instants are in [Probes and logs](../outputs/probes.md).\n\n`NAME` is a name of the scene; `*` in it matches any \
         characters. `[.x|y|z]` is a component; without it a\nprobe gives one column per component, and `.size` gives the \
         magnitude of a vector. `k` counts from 1, `s` is in\nmetres from the start of a cable.\n\nOther capital words stand for names of \
         components by their kind: `vehicles.NAME.ENGINE.torque` is\n`vehicles.truck.diesel.torque` for the engine `diesel` of the vehicle `truck`. \
         `MOTOR_VALVE` is a valve with a\nmotor, `CYLINDER` one with a cylinder. `windlass info SCENE --probes` lists the probes of a scene in full.\n\n| probe | unit | meaning |\n|---|---|---|\n",
    );
    let mut count = 0;
    for line in listed.lines().filter_map(|line| line.strip_prefix("  ")) {
        let (probe, rest) = line.split_at(line.char_indices().nth(62).expect("a wide column").0);
        let (unit, about) = rest.split_at(15);
        let probe = probe.trim().replace('|', "\\|");
        page += &format!("| `{probe}` | {} | {} |\n", unit.trim(), about.trim());
        count += 1;
    }
    assert!(count > 70, "{count}");
    is_current("probes.md", &page);
}

#[test]
fn the_page_of_json_is_current() {
    let desk = Desk::new();
    let mut page = String::from(
        "# JSON output\n\nThis page is generated from the JSON Schemas of the program: `windlass schema run` prints the first of them.\n\n\
         Every object has the key `json_version`. It is raised when a key is renamed, removed or changes its\nmeaning; new keys \
         may come at any time. Numbers are in SI units unless a unit is given. A key whose value\ndoes not exist is `null`.\n",
    );
    for (name, title) in [
        ("run", "windlass run --json"),
        ("sweep", "windlass sweep --json"),
        ("check", "windlass check --json"),
        ("info", "windlass info SCENE --json"),
        ("recording", "windlass info RECORDING --json"),
        ("bench", "windlass bench --json"),
        ("modes", "windlass modes --json"),
        ("linearize", "windlass linearize --json"),
        ("trim", "windlass trim --json"),
        ("fit", "windlass fit --json"),
    ] {
        let schema = desk.windlass(&["schema", name]).ends(0).json();
        page += &format!("\n## {title}\n");
        page += &table(&schema);
        let parts = schema["definitions"].as_object().cloned().unwrap_or_default();
        for (part, definition) in &parts {
            if definition.get("properties").is_some() {
                page += &format!(
                    "\n### {part} of {name}\n\n{}\n",
                    definition["description"].as_str().unwrap_or_default()
                );
                page += &table(definition);
            }
        }
    }
    is_current("json.md", &page);
}

/// The keys of an object.
fn table(schema: &Value) -> String {
    let mut text = String::from("\n| key | type | meaning |\n|---|---|---|\n");
    let keys = schema["properties"].as_object().expect("keys");
    for (key, value) in keys {
        let about = value["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        // a unit alone is no meaning
        assert!(!about.is_empty() && !about.starts_with('['), "`{key}` has no description: {schema:#}");
        text += &format!("| `{key}` | {} | {about} |\n", kind(value));
    }
    text
}

/// The type of a value in words.
fn kind(value: &Value) -> String {
    let named = |value: &Value| value["$ref"].as_str().and_then(|r| r.rsplit('/').next()).map(str::to_string);
    if let Some(name) = named(value) {
        return name;
    }
    for key in ["anyOf", "allOf", "oneOf"] {
        if let Some(list) = value[key].as_array() {
            let kinds: Vec<_> = list.iter().map(kind).collect();
            return kinds.join(" or ");
        }
    }
    match &value["type"] {
        Value::String(name) if name == "array" => match &value["items"] {
            Value::Array(items) => format!("[{}]", items.iter().map(kind).collect::<Vec<_>>().join(", ")),
            items => format!("list of {}", kind(items)),
        },
        Value::String(name) if name == "object" => "object".to_string(),
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => value.get("const").map_or("any".to_string(), |constant| constant.to_string()),
    }
}

/// A schema whose objects have no other keys than those it names.
fn closed(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(object) => {
            if object.contains_key("properties") {
                object.insert("additionalProperties".to_string(), Value::Bool(false));
            }
            object.values_mut().for_each(|value| *value = closed(value.take()));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| *value = closed(value.take())),
        _ => {}
    }
    schema
}

/// What is printed has the keys that are documented, and no others.
#[test]
fn what_is_printed_fits_its_schema() {
    let desk = Desk::new();
    desk.write("hang.toml", HANG);
    desk.runs("run hang.toml --record hang.wlr -q").ends(0);
    desk.runs("run hang.toml --log hang.csv --probe bodies.bob.position.z -q").ends(0);
    let crane = root().join("scenes/crane/tower_crane.toml").display().to_string();
    let terrain = root().join("scenes/contact/terrain.toml").display().to_string();
    for (name, command) in [
        ("run", "run hang.toml --json"),
        ("run", &format!("run {} --json", example("four_bar"))),
        ("run", &format!("run {terrain} --duration 0.5 --json")),
        ("run", &format!("run {crane} --duration 0.5 --json")),
        ("sweep", "sweep hang.toml --vary bodies.bob.mass=[1,-1] --measure time -o t.csv --json"),
        ("info", &format!("info {crane} --json")),
        ("check", "check hang.toml --json"),
        ("info", "info hang.toml --json"),
        ("recording", "info hang.wlr --json"),
        ("bench", "bench hang.toml --time 0.01 --json"),
        ("modes", "modes hang.toml --json"),
        ("linearize", &format!("linearize {} --continuous logarithm --json", example("pendulum"))),
        ("trim", &format!("trim {} --json", example("pendulum"))),
        ("fit", "fit hang.toml hang.csv --parameter bodies.bob.mass=1..3 --json"),
    ] {
        let schema = desk.windlass(&["schema", name]).ends(0).json();
        let printed = desk.runs(command).ends(0).json();
        assert_eq!(printed["json_version"], 2);
        assert!(fits(&printed, &closed(schema.clone()), &closed(schema)), "{name}: {printed:#}");
    }
}
