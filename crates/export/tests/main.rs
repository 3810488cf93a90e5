//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod dry;
mod film;
mod gltf;
mod povray;
mod terrain;
mod tube;
mod water;
