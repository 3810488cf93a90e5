//! Imports a file and compares it with what MuJoCo makes of it.
//!
//! ```text
//! python3 crates/import/tests/truth.py MODEL [JOINT=VALUE …] [--duration S] > truth.json
//! cargo run -p windlass-import --example compare -- MODEL truth.json \
//!     [--dt S] [--rotors] [--meshes] [--toml] [--notes]
//! ```

#[path = "../tests/compare/mod.rs"]
mod compare;

use std::error::Error;
use windlass_import::{Armature, Meshes, Options, import};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [model, truth, flags @ ..] = &words[..] else {
        return Err("give a model and the truth about it".into());
    };
    let has = |flag: &str| flags.iter().any(|f| f == flag);
    let dt = match flags.iter().position(|f| f == "--dt").and_then(|at| flags.get(at + 1)) {
        Some(text) => text.parse()?,
        None => 1e-3,
    };
    let truth: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(truth)?)?;
    let options = Options {
        meshes: if has("--meshes") { Meshes::Files } else { Meshes::Skip },
        armature: if has("--rotors") { Armature::Rotors } else { Armature::Ignore },
        ..Options::default()
    };
    let imported = import(model.as_ref(), &compare::options(&truth, options)).map_err(|e| e.to_string())?;
    if has("--toml") {
        println!("{}", imported.toml);
    }
    if has("--notes") {
        imported.notes.iter().for_each(|note| println!("{note}"));
    }
    let apart = compare::compare(&imported, &truth, dt);
    println!("{}", imported.summary());
    println!("bodies compared {}, without counterpart {:?}", apart.bodies.0, apart.bodies.1);
    println!("degrees of freedom {} / {}", apart.freedoms.0, apart.freedoms.1);
    println!(
        "total mass {:.1e}, masses {:.1e}, centres {:.1e} m, inertias {:.1e}",
        apart.mass, apart.masses, apart.centers, apart.inertias
    );
    if let Some(fall) = apart.fall {
        println!(
            "fall: {} coordinates {:.1e} rad or m apart after ways up to {:.2}, origins {:.1e} m",
            fall.count, fall.coordinates, fall.way, fall.origins
        );
    }
    Ok(())
}
