//! Cases of the validation catalogue: cutting.

pub mod ground;
mod sections;
mod tools;
mod wedges;
