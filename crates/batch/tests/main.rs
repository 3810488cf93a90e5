//! Tests of the crate.

mod batch;
