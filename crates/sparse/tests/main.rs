//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod allocation;
mod common;
mod mass_ratio;
mod order;
mod parity;
mod redundancy;
mod solution;
