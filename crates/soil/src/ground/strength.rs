//! Shear strength after Mohr and Coulomb, as a function of compaction.
//!
//! ```text
//!  s = c + σ tan φ
//!  linear    φ = φ_loose + D (φ_dense − φ_loose), c likewise            D = (e_max − e)/(e_max − e_min)
//!  Bolton    φ = φ_cv + 5° I (plane strain), 3° I (triaxial)            I = D (10 − ln p') − 1 in 0…4, p' in kPa
//! ```
//!
//! Bolton 1986, *The strength and dilatancy of sands*, Géotechnique 36(1).

/// Pressure below which Bolton's law is not extrapolated [Pa]: his tests begin there.
const LOWEST_PRESSURE: f64 = 1e3;

/// Friction angle and cohesion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// Angle of internal friction φ [rad].
    pub friction: f64,
    /// Cohesion c [Pa].
    pub cohesion: f64,
}

impl Strength {
    /// From φ [degrees] and c [Pa].
    pub fn new(friction: f64, cohesion: f64) -> Strength {
        Strength { friction: friction.to_radians(), cohesion }
    }

    /// Shear strength under a normal stress [Pa].
    pub fn shear(&self, stress: f64) -> f64 {
        self.cohesion + stress * libm::tan(self.friction)
    }

    /// Height at which an upright cut fails, 4c/(ρg) tan(45° + φ/2) [m]; unit weight ρg [N/m³]. Culmann 1866.
    pub fn critical_height(&self, unit_weight: f64) -> f64 {
        let passive = libm::tan(std::f64::consts::FRAC_PI_4 + 0.5 * self.friction);
        4.0 * self.cohesion / unit_weight * passive
    }
}

/// How strength depends on compaction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StrengthLaw {
    /// Not at all.
    Constant(Strength),
    /// Linear in the relative density.
    Linear {
        /// At the largest void ratio.
        loose: Strength,
        /// At the least void ratio.
        dense: Strength,
    },
    /// Bolton's law for sand; no cohesion.
    Bolton {
        /// Friction angle at constant volume φ_cv [rad].
        critical: f64,
        /// Whether strain is plane rather than triaxial.
        plane_strain: bool,
    },
}

impl StrengthLaw {
    /// Strength at a relative density (0 loose, 1 dense) and a mean effective stress [Pa].
    pub fn at(&self, density: f64, pressure: f64) -> Strength {
        match self {
            StrengthLaw::Constant(strength) => *strength,
            StrengthLaw::Linear { loose, dense } => {
                let mix = |a: f64, b: f64| a + density.clamp(0.0, 1.0) * (b - a);
                Strength {
                    friction: mix(loose.friction, dense.friction),
                    cohesion: mix(loose.cohesion, dense.cohesion),
                }
            }
            StrengthLaw::Bolton { critical, plane_strain } => {
                let kilopascals = pressure.max(LOWEST_PRESSURE) / 1e3;
                let index = (density.clamp(0.0, 1.0) * (10.0 - libm::log(kilopascals)) - 1.0).clamp(0.0, 4.0);
                let per_index: f64 = if *plane_strain { 5.0 } else { 3.0 };
                Strength { friction: critical + per_index.to_radians() * index, cohesion: 0.0 }
            }
        }
    }

    /// The smallest and the largest friction angle [rad].
    pub fn friction_range(&self) -> [f64; 2] {
        match self {
            StrengthLaw::Constant(s) => [s.friction; 2],
            StrengthLaw::Linear { loose, dense } => {
                [loose.friction.min(dense.friction), loose.friction.max(dense.friction)]
            }
            StrengthLaw::Bolton { critical, plane_strain } => {
                let most: f64 = if *plane_strain { 20.0 } else { 12.0 };
                [*critical, critical + most.to_radians()]
            }
        }
    }

    /// The largest cohesion [Pa].
    pub fn greatest_cohesion(&self) -> f64 {
        match self {
            StrengthLaw::Constant(s) => s.cohesion,
            StrengthLaw::Linear { loose, dense } => loose.cohesion.max(dense.cohesion),
            StrengthLaw::Bolton { .. } => 0.0,
        }
    }
}
