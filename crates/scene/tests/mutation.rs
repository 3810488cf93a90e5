//! Damaged scenes are told, never a panic, a hang or a flood: bytes of the example scenes flipped, cut and spliced.
//!
//! A short run is part of the suite. A million inputs, with the slowest one shown (about six minutes on one core):
//!
//! ```text
//! cargo nextest run -p windlass-scene --run-ignored only --no-capture a_million
//! ```

use crate::kit;

use kit::{Corpus, Dice};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use windlass_scene::files::Memory;
use windlass_scene::{Override, parse_with};

/// Everything the grammar has beyond plain entries.
const GRAMMAR: &str = r#"windlass = 2
include = ["lib/hook.toml"]
[parameters]
n = 3
length = "25 cm"
step = "= 360 deg / n"
name = "knot"
heavy = true
reach = "= max(length, 2 * sqrt(length^2 + (5 cm)^2)) + floor(n / 2) * 1 m"
[settings]
dt = "= 1 s / (20 * n)"
[bodies.link0]
type = "static"
[patterns.chain]
count = "= n + 2"
from = 1
bodies."link{i}" = { position = ["= (i - 0.5) * length", 0, 0], gravity = "= heavy", shape = { sphere = { radius = "5 cm" } }, mass = "= 2 kg + i * 10 g" }
joints."pin{i}" = { ball = { bodies = ["link{i-1}", "link{i}"], at = ["= (i - 1) * length", 0, 0] } }
[patterns.row]
count = 2
[patterns.row.patterns.column]
count = 3
index = "j"
bodies."post{i}_{j}" = { type = "static", position = ["= i * reach * cos(j * step)", "= j", 0] }
instances."{name}{i}{{{j}}}" = { prefab = "pendulum", position = ["= i", "= j", 3], parameters = { length = "= (j + 1) * 1 m" } }
[prefabs.pendulum]
parameters = { length = "1 m", load = "3 kg" }
bodies.bob = { position = [0, 0, "= -length"], shape = { sphere = { radius = "= length / 10" } }, mass = "= load" }
joints.pin = { ball = { bodies = ["link0", "bob"], at = [0, 0, 0] } }
forces.wind = { applied = { body = "bob", force = [1, 0, 0] } }
instances.tail = { prefab = "tail", position = [0, 0, "= -length"] }
[prefabs.tail.bodies.tip]
type = "kinematic"
path = { x = { sine = { amplitude = 1, frequency = 1 } } }
[instances.left]
prefab = "pendulum"
rotation = { axis = [0, 0, 1], angle = "= step" }
"#;

const HOOK: &str =
    "windlass = 2\n[bodies.hook]\nshape = { sphere = { radius = 0.1 } }\nmass = \"= 2 * n * 1 kg\"\n";

const OVERRIDES: [(&str, &str); 5] = [
    ("settings.dt", "2 ms"),
    ("parameters.length", "= 2 * 1 m"),
    ("bodies.link3.mass", "7 kg"),
    ("joints.left.pin.ball.at.1", "0.5"),
    ("patterns.row.patterns.column.count", "4"),
];

fn examples() -> Corpus {
    let scenes = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let folders = [scenes.join("mechanism"), scenes.join("crane")];
    let entries = folders.iter().flat_map(|f| fs::read_dir(f).expect("the scenes"));
    let mut paths: Vec<_> = entries.map(|e| e.expect("one").path()).collect();
    paths.sort();
    let mut scenes: Vec<_> = paths.iter().map(|p| fs::read(p).expect("a scene")).collect();
    // as often as all the others together
    scenes.extend(vec![GRAMMAR.as_bytes().to_vec(); scenes.len()]);
    Corpus { texts: scenes, words: &NASTY, numbers: &[] }
}

/// What hurts parsers.
#[rustfmt::skip]
const NASTY: [&str; 38] = [
    "[", "]", "{", "}", "\"", "=", "\n[[a]]\n", "1e999", "-", "nan", ".", "\u{feff}", "'''", "0x",
    "= ", "{{", "}}", "{i", "{i}", "{n}", "((((((((((((((((", "^9^9^9", "1/0", "sqrt(-1)", "2 m + 3 kg", "i", "n",
    "999999999", "\ncount = 1000000000\n", "\nfrom = -9e9\n", "\nindex = \"n\"\n", "\nprefab = \"pendulum\"\n",
    "\ninstances.again = { prefab = \"pendulum\" }\n", "\npatterns.p = { count = 99999 }\n", "\\u0000", "length", ", parameters = {}",
    "\ninclude = [\"../../x\", \"lib/hook.toml\"]\n",
];

/// Reads and builds damaged scenes; returns how many were sound, and the slowest one.
fn try_many(count: usize, seed: u64) -> (usize, Duration, String) {
    let scenes = examples();
    let files = Arc::new(Memory::new().with("lib/hook.toml", HOOK));
    let mut dice = Dice(seed);
    let (mut sound, mut slowest) = (0, (Duration::ZERO, String::new()));
    for _ in 0..count {
        let bytes = scenes.damaged(&mut dice);
        let text = String::from_utf8_lossy(&bytes);
        // an override now and then, sometimes damaged like the rest
        let mut overrides = Vec::new();
        if dice.below(4) == 0 {
            let (key, value) = dice.pick(&OVERRIDES);
            let mut line = format!("{key} = {value}");
            if dice.below(2) == 0 {
                let word: &&str = dice.pick(&NASTY);
                line.insert_str(dice.below(key.len()), word);
            }
            overrides.extend(line.parse::<Override>());
        }
        let begun = Instant::now();
        match parse_with(&text, "s.toml", files.clone(), &overrides).and_then(|s| s.build()) {
            Ok(mut built) => {
                sound += 1;
                // what passed the checks may be stepped
                if built.bodies.len() < 200 {
                    for _ in 0..3 {
                        built.world.step();
                    }
                }
            }
            // the text of an error is made without harm, too
            Err(errors) => {
                let told = errors.to_string();
                let known = ["s.toml:", "lib/hook.toml:", "--set"].iter().any(|name| told.starts_with(name));
                assert!(known, "{told}");
            }
        }
        let took = begun.elapsed();
        if took > slowest.0 {
            slowest = (took, text.into_owned());
        }
    }
    (sound, slowest.0, slowest.1)
}

#[test]
fn damaged_scenes_are_told() {
    let (sound, ..) = try_many(3000, 0x9e37_79b9_7f4a_7c15);
    assert!(sound > 100, "the damage is too heavy to test anything but the parser");
}

#[test]
#[ignore = "minutes: see the head of this file"]
fn a_million_damaged_scenes_are_told() {
    let (sound, slowest, text) = try_many(1_000_000, 0x2545_f491_4f6c_dd1d);
    println!("{sound} sound; the slowest took {slowest:?}:\n{text}");
    assert!(sound > 10_000);
}
