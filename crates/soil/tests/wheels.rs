//! Cases of the validation catalogue: wheels.

mod grounds;
mod laws;
mod patches;
mod tracks;
mod wheel;
