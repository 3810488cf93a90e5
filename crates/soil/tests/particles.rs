//! Cases of the validation catalogue: particles.

mod discharge;
mod flows;
mod heaps;
mod impacts;
mod oracle;
mod robustness;
mod walls;
