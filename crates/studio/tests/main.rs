//! The integration tests of the crate, in one binary: a binary for each file would link and store the libraries as often as there are files.

mod assembly;
mod cameras;
mod client;
mod earth;
mod edit;
mod keep;
mod live;
mod points;
