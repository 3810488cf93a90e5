//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod commands;
mod crash;
mod damage;
mod full_disk;
mod kit;
mod round_trip;
