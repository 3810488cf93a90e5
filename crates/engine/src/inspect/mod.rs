//! Queries of a world without stepping it: the instant, assembly, mobility.

pub mod assemble;
mod cables;
mod contacts;
pub mod instant;
mod live;
pub mod query;
pub mod stability;
pub mod subsystems;
