//! Water: what `info` and `check` tell of floating bodies and of fluids.

use crate::desk;

use desk::{Desk, FALL};
use serde_json::Value;
use std::path::Path;

/// A pontoon of 10 × 4 × 2 m that floats half immersed, and a stone of concrete below the sea bed.
const POND: &str = r#"
windlass = 2
[settings]
duration = 1
[fluids.pond]
material = "water"
surface = 0
depth = 5
[bodies.pontoon]
shape = { box = { size = [10, 4, 2] } }
density = 500
[bodies.stone]
position = [20, 0, -8]
shape = { box = { size = [1, 1, 1] } }
density = 2400
"#;

fn barge_crane() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/water");
    folder.join("barge_crane.toml").display().to_string()
}

#[track_caller]
fn near(name: &str, found: &Value, wanted: f64, part: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{name}: {found}"));
    assert!((found - wanted).abs() <= part * wanted.abs(), "{name}: {found} instead of {wanted}");
}

/// KB = T/2, BM = B²/12T of a pontoon of the breadth B with the draft T, GM = KB + BM − KG.
#[test]
fn info_lists_floating_bodies() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    let contents = desk.runs("info pond.toml --json").ends(0).json();
    let vessels = contents["vessels"].as_array().expect("a list");
    assert_eq!(vessels.len(), 1, "the stone does not float: {vessels:?}");
    let pontoon = &vessels[0];
    assert_eq!((&pontoon["body"], &pontoon["joined"]), (&"pontoon".into(), &0.into()));
    near("draft", &pontoon["draft"], 1.0, 1e-6);
    near("displacement", &pontoon["displacement"], 40e3, 1e-6);
    near("GM across", &pontoon["gm_transverse"], 0.5 + 16.0 / 12.0 - 1.0, 1e-6);
    near("GM along", &pontoon["gm_longitudinal"], 0.5 + 100.0 / 12.0 - 1.0, 1e-6);
    desk.runs("info pond.toml").ends(0).says(&[
        "vessels             pontoon: displacement 40000 kg",
        "GM 0.8333 m transverse, 7.833 m longitudinal",
        "natural periods: heave ",
        "largest righting arm ",
    ]);

    desk.write("fall.toml", FALL);
    assert_eq!(desk.runs("info fall.toml --json").ends(0).json()["vessels"], serde_json::json!([]));
    let table = desk.runs("info fall.toml").ends(0).out();
    assert!(!table.contains("vessels") && !table.contains("GM"), "{table}");
}

/// The barge carries house, boom and drum; the load hangs from a rope. Its deck is 40 × 15 m.
#[test]
fn info_tells_the_stability_of_a_crane_barge() {
    let desk = Desk::new();
    let contents = desk.windlass(&["info", &barge_crane(), "--json"]).ends(0).json();
    let barge = &contents["vessels"][0];
    assert_eq!((&barge["body"], &barge["joined"]), (&"barge".into(), &3.into()), "{barge}");
    let number = |name: &str| barge[name].as_f64().unwrap_or_else(|| panic!("{name}: {}", barge[name]));
    near("displacement", &barge["displacement"], number("mass"), 1e-6);
    let draft = number("displacement") / (1025.0 * 40.0 * 15.0);
    near("draft", &barge["draft"], draft, 1e-3);
    near("KB", &barge["kb"], 0.5 * draft, 1e-2);
    let metacenter = |length: f64| number("kb") + length * length / (12.0 * draft) - number("kg");
    near("GM across", &barge["gm_transverse"], metacenter(15.0), 1e-2);
    near("GM along", &barge["gm_longitudinal"], metacenter(40.0), 1e-2);
    assert!(barge["roll_period"].as_f64().is_some_and(|t| t > 1.0 && t < 20.0), "{barge}");
    desk.windlass(&["info", &barge_crane()])
        .ends(0)
        .says(&["vessels             barge with 3 bodies joined to it", " m transverse, "]);
}

#[test]
fn info_draws_righting_arms() {
    let desk = Desk::new();
    desk.write("pond.toml", POND);
    desk.runs("info pond.toml --righting-arms arms.svg").ends(0).says(&["largest righting arm "]);
    let picture = desk.read("arms.svg");
    for word in ["<svg", "</svg>", "Righting arm GZ", "heel", "pontoon"] {
        assert!(picture.contains(word), "{word:?} is not in:\n{picture}");
    }
    let both = desk.runs("info pond.toml --json --righting-arms both.svg").ends(0);
    assert_eq!(both.json()["vessels"][0]["body"], "pontoon");
    assert_eq!(desk.read("both.svg"), picture);

    desk.write("fall.toml", FALL);
    let refused = desk.runs("info fall.toml --righting-arms none.svg").ends(2).says(&["no righting arms"]);
    assert!(refused.err().starts_with("error: ") && refused.out().is_empty(), "{}", refused.out());
    assert!(!desk.path("none.svg").exists());
    desk.runs("info pond.toml --righting-arms arms.txt").ends(2).says(&["arms.txt"]);
    assert!(!desk.path("arms.txt").exists());
}

/// A body below the bottom of its water, and air with a surface.
#[test]
fn check_warns_of_fluids() {
    let desk = Desk::new();
    desk.write("pond.toml", &(POND.to_string() + "[fluids.air]\ndensity = 1.2\nsurface = 100\n"));
    let bottom = "it is 3.50 m below the bottom of \"pond\": raise it";
    let gas = "a fluid of 1.200 kg/m³ is a gas, which has no surface";
    let table = desk.runs("check pond.toml").ends(0).out();
    for warning in [format!("\n  fluid: stone: {bottom}"), format!("\n  fluid: air: {gas}")] {
        assert_eq!(table.matches(&warning).count(), 1, "{warning:?} is not once in:\n{table}");
    }
    assert!(!table.contains("pontoon"), "{table}");

    let found = desk.runs("check pond.toml --json").ends(0).json();
    assert_eq!(found["valid"], true);
    let warnings = found["scenes"][0]["contents"]["fluids"].as_array().expect("a list");
    let told = |name: &str| warnings.iter().find(|w| w["name"] == name).map(|w| w["warning"].clone());
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    for (name, warning) in [("stone", bottom), ("air", gas)] {
        let told = told(name).and_then(|w| w.as_str().map(str::to_string)).unwrap_or_default();
        assert!(told.starts_with(warning), "{name}: {told}");
    }

    desk.write("sound.toml", &POND.replace("-8", "-3"));
    let table = desk.runs("check sound.toml").ends(0).out();
    assert!(!table.contains("fluid:"), "{table}");
}
