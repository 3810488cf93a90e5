//! Pressure–sinkage laws.
//!
//! ```text
//! Bekker           p = (k_c/b + k_φ) zⁿ                      b the shorter side of the contact
//! Wong             p = k zⁿ                                  one measured k
//! Reece            p = (c k_c' + γ b k_φ') (z/b)ⁿ
//! muskeg (Wong)    p = k_p z + 4 m_m z²/D_h                  D_h = 4A/U
//! snow (Wong)      p = −p_w ln(1 − z/z_w)                    p_w = k_p1 + k_p2 b,  z_w = k_z1 + k_z2/b
//! snow (Preston-Thomas)  p = −k_m z_m ln(1 − z/z_m)
//! ```
//!
//! A law on a contact of given size is a [`SinkageCurve`]. Snow ends on a hard bed at z_w: close to it the curve
//! continues as a straight line, so that every pressure has a sinkage.

/// Slopes begin at this sinkage [m]: at zero they are infinite for n < 1, and zero for n > 1.
pub const FIRST_SLOPE: f64 = 1e-3;
/// Part of z_w from which snow is a straight line.
const BED: f64 = 1.0 - 1e-4;

/// A law with its constants, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SinkageLaw {
    /// Bekker (1969).
    Bekker {
        /// k_c [N/mⁿ⁺¹]
        cohesive: f64,
        /// k_φ [N/mⁿ⁺²]
        frictional: f64,
        /// n
        exponent: f64,
    },
    /// One measured modulus for the contact at hand.
    Wong {
        /// k [N/mⁿ⁺²]
        modulus: f64,
        /// n
        exponent: f64,
    },
    /// Reece (1966), with moduli that have no dimension.
    Reece {
        /// k_c'
        cohesive: f64,
        /// k_φ'
        frictional: f64,
        /// n
        exponent: f64,
        /// c [Pa]
        cohesion: f64,
        /// γ [N/m³]
        unit_weight: f64,
    },
    /// A mat of living plants over saturated peat (Wong).
    Muskeg {
        /// k_p [Pa/m]
        peat: f64,
        /// m_m [Pa/m]
        mat: f64,
    },
    /// Snow over a hard bed (Wong).
    Snow {
        /// k_p1 [Pa] and k_p2 [Pa/m]
        pressure: [f64; 2],
        /// k_z1 [m] and k_z2 [m²]
        depth: [f64; 2],
    },
    /// Snow (Preston-Thomas).
    PrestonThomas {
        /// k_m [Pa/m]
        modulus: f64,
        /// z_m [m]
        depth: f64,
    },
}

/// Size of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Shorter side b [m].
    pub width: f64,
    /// D_h = 4 area / perimeter [m].
    pub hydraulic_diameter: f64,
}

impl Footprint {
    /// A rectangle.
    pub fn rectangle(a: f64, b: f64) -> Self {
        Self { width: a.min(b), hydraulic_diameter: 2.0 * a * b / (a + b) }
    }
}

/// Pressure against sinkage of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SinkageCurve {
    /// p = k zⁿ.
    Power {
        /// k [Pa/mⁿ]
        modulus: f64,
        /// n
        exponent: f64,
    },
    /// p = k z + m z².
    Quadratic {
        /// k [Pa/m]
        linear: f64,
        /// m [Pa/m²]
        quadratic: f64,
    },
    /// p = −p_w ln(1 − z/z_w).
    Logarithmic {
        /// p_w [Pa]
        pressure: f64,
        /// z_w [m]
        depth: f64,
    },
}

impl SinkageLaw {
    /// The law on a contact.
    pub fn on(&self, footprint: Footprint) -> SinkageCurve {
        let b = footprint.width;
        match *self {
            Self::Bekker { cohesive, frictional, exponent } => {
                SinkageCurve::Power { modulus: cohesive / b + frictional, exponent }
            }
            Self::Wong { modulus, exponent } => SinkageCurve::Power { modulus, exponent },
            Self::Reece { cohesive, frictional, exponent, cohesion, unit_weight } => {
                let pressure = cohesion * cohesive + unit_weight * b * frictional;
                SinkageCurve::Power { modulus: pressure / libm::pow(b, exponent), exponent }
            }
            Self::Muskeg { peat, mat } => {
                SinkageCurve::Quadratic { linear: peat, quadratic: 4.0 * mat / footprint.hydraulic_diameter }
            }
            Self::Snow { pressure, depth } => SinkageCurve::Logarithmic {
                pressure: pressure[0] + pressure[1] * b,
                depth: depth[0] + depth[1] / b,
            },
            Self::PrestonThomas { modulus, depth } => {
                SinkageCurve::Logarithmic { pressure: modulus * depth, depth }
            }
        }
    }
}

impl SinkageCurve {
    /// Pressure at a sinkage [Pa]; zero above the surface.
    pub fn pressure(&self, sinkage: f64) -> f64 {
        let z = sinkage.max(0.0);
        match *self {
            Self::Power { modulus, exponent } => modulus * libm::pow(z, exponent),
            Self::Quadratic { linear, quadratic } => z * (linear + quadratic * z),
            Self::Logarithmic { pressure, depth } => {
                let u = (z / depth).min(BED);
                pressure * ((z / depth - u) / (1.0 - u) - libm::log1p(-u))
            }
        }
    }

    /// dp/dz [Pa/m], at least that at [`FIRST_SLOPE`] for tangents of constraint equations.
    pub fn slope(&self, sinkage: f64) -> f64 {
        let z = sinkage.max(FIRST_SLOPE);
        self.derivative(z, self.pressure(z))
    }

    /// dp/dz at a sinkage above zero with its pressure [Pa/m].
    pub(super) fn derivative(&self, z: f64, p: f64) -> f64 {
        match *self {
            Self::Power { exponent, .. } => exponent * p / z,
            Self::Quadratic { linear, quadratic } => linear + 2.0 * quadratic * z,
            Self::Logarithmic { pressure, depth } => pressure / (depth * (1.0 - (z / depth).min(BED))),
        }
    }

    /// Sinkage under a pressure [m].
    pub fn sinkage(&self, pressure: f64) -> f64 {
        let p = pressure.max(0.0);
        match *self {
            Self::Power { modulus, exponent } => libm::pow(p / modulus, 1.0 / exponent),
            // the root that is exact for small pressures and for no quadratic part
            Self::Quadratic { linear, quadratic } => {
                let root = (linear * linear + 4.0 * quadratic * p).sqrt();
                if p > 0.0 { 2.0 * p / (linear + root) } else { 0.0 }
            }
            Self::Logarithmic { pressure: scale, depth } => {
                let u = -libm::expm1(-p / scale);
                let at_bed = -libm::log1p(-BED);
                depth * if u < BED { u } else { BED + (p / scale - at_bed) * (1.0 - BED) }
            }
        }
    }

    /// Work per area to press down to a sinkage, ∫ p dz [J/m²].
    pub fn work(&self, sinkage: f64) -> f64 {
        let z = sinkage.max(0.0);
        match *self {
            Self::Power { modulus, exponent } => modulus * libm::pow(z, exponent + 1.0) / (exponent + 1.0),
            Self::Quadratic { linear, quadratic } => z * z * (linear / 2.0 + quadratic * z / 3.0),
            Self::Logarithmic { pressure, depth } => {
                let u = (z / depth).min(BED);
                let snow = pressure * depth * ((1.0 - u) * libm::log1p(-u) + u);
                let beyond = (z - u * depth).max(0.0);
                snow + 0.5 * beyond * (self.pressure(u * depth) + self.pressure(z))
            }
        }
    }
}
