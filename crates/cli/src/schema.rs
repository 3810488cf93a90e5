//! `windlass schema`: JSON Schemas of scene files and of the objects that `--json` prints.

use crate::outcome::Outcome;
use crate::{analysis, bench, check, info, recording, show, summary, sweep};
use clap::{Args, ValueEnum};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

const EXAMPLES: &str = "\
Examples:
  windlass schema > windlass.schema.json      # for a TOML language server
  windlass schema run                         # the keys of windlass run --json
  windlass schema --reference > reference.md";

/// Print the JSON Schema of scene files, or of the output of a command with --json
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The object to describe
    #[arg(default_value = "scene")]
    of: Described,
    /// Print the reference of scene files in Markdown instead
    #[arg(long)]
    reference: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Described {
    /// Scene files
    Scene,
    /// `windlass run --json`
    Run,
    /// `windlass sweep --json`
    Sweep,
    /// `windlass check --json`
    Check,
    /// `windlass info SCENE --json`
    Info,
    /// `windlass info RECORDING --json`
    Recording,
    /// `windlass bench --json`
    Bench,
    /// `windlass modes --json`
    Modes,
    /// `windlass linearize --json`
    Linearize,
    /// `windlass trim --json`
    Trim,
    /// `windlass fit --json`
    Fit,
}

/// Prints.
pub fn schema(arguments: &Arguments) -> Outcome {
    if arguments.reference {
        if arguments.of != Described::Scene {
            return show::refuse("--reference applies to scene files only");
        }
        return show::print(&windlass_scene::reference());
    }
    let schema = match arguments.of {
        Described::Scene => windlass_scene::schema(),
        Described::Run => printed::<summary::Summary>(),
        Described::Sweep => printed::<sweep::summary::Summary>(),
        Described::Check => printed::<check::Findings>(),
        Described::Info => printed::<info::Contents>(),
        Described::Recording => printed::<recording::contents::Contents>(),
        Described::Bench => printed::<bench::Results>(),
        Described::Modes => printed::<analysis::modes::ModeList>(),
        Described::Linearize => printed::<analysis::linearize::LinearModel>(),
        Described::Trim => printed::<analysis::trim::TrimResult>(),
        Described::Fit => printed::<analysis::fit::FitResult>(),
    };
    show::print(&format!("{schema:#}\n"))
}

/// The schema of a printed object, with its version.
fn printed<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft07().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    schema["properties"]["json_version"] = json!({
        "const": show::JSON_VERSION,
        "description": "Version of the keys: raised when a key is renamed, removed or changes its meaning.",
    });
    schema
}
