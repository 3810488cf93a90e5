//! Soils of the cases.

pub use crate::cutting::ground::{G, near, within};
use windlass_soil::wheel::*;

/// n, k_c, k_φ, c, φ in degrees (Wong, Theory of Ground Vehicles).
pub type Constants = [f64; 5];
pub const DRY_SAND: Constants = [1.1, 0.99e3, 1528.43e3, 1040.0, 28.0];
pub const LETE_SAND: Constants = [0.79, 102e3, 5301e3, 1300.0, 31.1];
pub const SANDY_LOAM: Constants = [0.7, 5.27e3, 1515.04e3, 1720.0, 29.0];

/// Bekker's law on a contact of width b.
pub fn bekker(constants: Constants, width: f64) -> SinkageCurve {
    let [exponent, cohesive, frictional, ..] = constants;
    let footprint = Footprint { width, hydraulic_diameter: width };
    SinkageLaw::Bekker { cohesive, frictional, exponent }.on(footprint)
}

/// A soil with K = 25 mm and A_u = 500 MN/m⁴.
pub fn soil(constants: Constants, width: f64) -> SoftSoil {
    SoftSoil {
        curve: bekker(constants, width),
        unloading: Unloading::Measured { constant: 0.0, per_depth: 500e6 },
        strength: Strength::new(constants[3], constants[4].to_radians()),
        contact: None,
        shear: ShearLaw::Exponential { modulus: 0.025 },
    }
}
