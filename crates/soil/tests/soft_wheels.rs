//! Cases of the validation catalogue: wheels, rollers and plates on soft ground in worlds.

pub mod kit;
mod passes;
mod plates;
mod robustness;
mod rolling;
