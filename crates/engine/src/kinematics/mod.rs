//! What can be said of a world without stepping it: the instant, assembly, mobility.

pub mod assemble;
pub mod inspect;
