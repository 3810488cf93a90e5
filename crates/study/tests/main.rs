//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod aero;
mod loock;
mod particle_chain;
mod servin;
mod short;
mod tasora;
mod vortex;
