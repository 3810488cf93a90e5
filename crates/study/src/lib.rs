//! Experiments of published papers, run again by the engine: our numbers beside theirs.
//!
//! Nothing here is compared with stored outputs of itself. What the engine has no joint for is added from outside, through its
//! public traits.

pub mod particle_chain;
