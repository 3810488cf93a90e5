//! The schema accepts what the program accepts, and docs/reference/scene.md is what the schema says.

use crate::fits::fits;
use crate::play::scenes;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use windlass_scene::{Override, files::NoFolder, parse_with, reference, schema};

fn scene(text: &str) -> Value {
    let table: toml::Table = text.parse().expect("TOML");
    serde_json::to_value(table).expect("JSON has what TOML has but dates")
}

#[test]
fn example_scenes_fit_the_schema() {
    let schema = schema();
    let paths = scenes();
    assert!(paths.len() >= 12);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a scene");
        assert!(fits(&scene(&text), &schema, &schema), "{}", path.display());
    }
}

#[test]
fn wrong_scenes_do_not_fit() {
    let schema = schema();
    let check = |more: &str| fits(&scene(&format!("windlass = 2\n{more}")), &schema, &schema);
    let ball = "shape = { sphere = { radius = 1 } }";
    assert!(check(&format!("[bodies.a]\nmass = 1\ncolor = \"#102030\"\n{ball}")));
    assert!(check(
        "[joints.j.six_dof]\nbodies = [\"a\", \"b\"]\nx = { prescribed = { sum = [{ constant = 1 }] } }"
    ));
    for wrong in [
        "[bodys.a]",
        "[bodies.a]\nmas = 1",
        "[bodies.a]\nmass = -1",
        "[bodies.a]\nmass = true",
        "[bodies.a]\nposition = [1, 2]",
        "[bodies.a]\norientation = [1, 2, 3]",
        "[bodies.a]\ntype = \"fixt\"",
        "[bodies.a]\nshape = { box = { size = [1, 1, 1] }, sphere = { radius = 1 } }",
        "[bodies.a]\nshape = { cylinder = { radius = 1 } }",
        "[joints.j.hinge]\nat = [0, 0, 0]",
        "[settings]\nintegrator = \"rk4\"",
        "[[frictions]]\nbetween = [\"a\"]\nstatic = 1",
    ] {
        assert!(!check(wrong), "{wrong}");
    }
    assert!(!fits(&json!({}), &schema, &schema));
}

/// `WINDLASS_REWRITE=1 cargo test -p windlass-scene schema` writes the file anew.
#[test]
fn the_reference_in_the_docs_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/scene.md");
    let wanted = reference();
    if std::env::var_os("WINDLASS_REWRITE").is_some() {
        std::fs::write(&path, &wanted).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == wanted, "docs/reference/scene.md is old: run this test with WINDLASS_REWRITE=1");
}

/// Every link of the reference leads to a heading of it.
#[test]
fn links_of_the_reference_lead_somewhere() {
    let text = reference();
    let headings: Vec<String> = text
        .lines()
        .filter_map(|l| l.strip_prefix("## "))
        .map(|h| h.to_lowercase().replace(' ', "-").replace(['(', ')'], ""))
        .collect();
    let links: Vec<&str> = text.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 50);
    for link in links {
        assert!(headings.iter().any(|h| h == link), "#{link}");
    }
}

/// Names of joints from URDF, Drake and Chrono stand for ours, in files, in overrides and in the schema.
#[test]
fn joints_have_the_names_of_other_engines() {
    let schema = schema();
    for (alias, ours) in
        [("revolute", "hinge"), ("prismatic", "slider"), ("spherical", "ball"), ("fixed", "weld")]
    {
        let text = |kind: &str| {
            let axis = if matches!(kind, "revolute" | "hinge" | "prismatic" | "slider") {
                "axis = [0, 1, 0], "
            } else {
                ""
            };
            format!(
                "windlass = 2\n[bodies.base]\ntype = \"static\"\n[bodies.arm]\nmass = 1\nshape = {{ sphere = {{ radius = 1 }} }}\nposition = [1, 0, 0]\n\
                 [joints.j]\n{kind} = {{ bodies = [\"base\", \"arm\"], {axis}at = [0, 0, 0] }}\n"
            )
        };
        let built = |kind: &str| {
            let change = Override { key: format!("joints.j.{ours}.at"), value: "[1, 0, 0]".to_string() };
            let scene = parse_with(&text(kind), "joint.toml", Arc::new(NoFolder), &[change]);
            let built = scene.and_then(|scene| scene.build()).unwrap_or_else(|e| panic!("{e}"));
            built.world.model().joints().iter().map(|(_, j)| format!("{:?}", j.kind)).collect::<Vec<_>>()
        };
        assert_eq!(built(alias), built(ours));
        assert!(fits(&scene(&text(alias)), &schema, &schema), "{alias}");
    }
}
