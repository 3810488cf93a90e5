//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod bad_numbers;
mod balance;
mod bits;
mod broken;
mod build;
mod cable;
mod cable_points;
mod cable_scenes;
mod cables_touch;
mod catenary;
mod change;
mod contact;
mod contact_scenes;
mod crane_scenes;
mod curved_springs;
mod damping;
mod edit;
mod errors;
mod expand;
mod inputs;
mod integrators;
mod kit;
mod looks;
mod meshes;
mod motions;
mod mutation;
#[path = "kit/play.rs"]
mod play;
mod reported;
mod rope;
mod route;
mod scenes;
mod schema;
mod slack;
mod substeps;
mod write;
