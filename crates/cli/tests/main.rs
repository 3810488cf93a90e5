//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod analysis;
mod bench;
mod cable;
mod check;
mod contact;
mod desk;
mod docs;
mod earthwork;
mod export;
#[path = "../../scene/tests/fits/mod.rs"]
mod fits;
mod help;
#[path = "../../engine/tests/imports/mod.rs"]
mod imports;
mod inputs;
mod interrupt;
mod layering;
mod machine;
mod new;
mod parquet;
mod plot;
mod probes;
mod record;
mod rope;
mod run;
mod scene_text;
mod studio;
mod study;
mod sweep;
mod water;
