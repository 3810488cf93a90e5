//! Parameters of a soil.
//!
//! ```text
//!  dry density     ρ_d = ρ_s / (1 + e)            moist  ρ = ρ_d (1 + w)
//!  relative density  D = (e_max − e)/(e_max − e_min)
//!  swell           S = (1 + e_loose)/(1 + e_bank)
//! ```

use super::compaction::Compression;
use super::strength::{Strength, StrengthLaw};
use thiserror::Error;

/// Void ratios of a soil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VoidRatios {
    /// In the bank: undisturbed.
    pub bank: f64,
    /// As dumped.
    pub loose: f64,
    /// The least that compaction reaches, e_min.
    pub least: f64,
    /// The greatest at which grains stand, e_max.
    pub greatest: f64,
}

/// Strength of the interface between soil and steel: s = c_a + σ tan δ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steel {
    /// Friction angle δ [rad].
    pub friction: f64,
    /// Adhesion c_a [Pa].
    pub adhesion: f64,
}

/// Constants of the pressure–sinkage relation of a plate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sinkage {
    /// p = (k_c/b + k_φ) zⁿ.
    Bekker {
        /// n.
        exponent: f64,
        /// k_c [N/mⁿ⁺¹].
        cohesive: f64,
        /// k_φ [N/mⁿ⁺²].
        frictional: f64,
    },
    /// p = (c k_c' + ρ g b k_φ') (z/b)ⁿ.
    Reece {
        /// n.
        exponent: f64,
        /// k_c'.
        cohesive: f64,
        /// k_φ'.
        frictional: f64,
    },
    /// p = k_p z + 4 m_m z²/D_h: a mat of plants on peat.
    Muskeg {
        /// k_p [Pa/m].
        peat: f64,
        /// m_m [Pa/m].
        mat: f64,
    },
    /// p = −p_w ln(1 − z/z_w).
    Snow {
        /// p_w [Pa].
        pressure: f64,
        /// z_w: depth of the hard layer below [m].
        depth: f64,
    },
}

/// Shear strength over shear displacement with a peak (`wheel/shear.rs`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shear {
    /// It falls to nothing beyond the peak: mats of plants.
    Peak {
        /// Displacement at the peak K_ω [m].
        at: f64,
    },
    /// It falls to a residual strength: snow, dense soil.
    Hump {
        /// K_ω [m].
        at: f64,
        /// Residual strength over that at K_ω.
        residual: f64,
    },
}

impl Sinkage {
    /// The exponent and the two moduli.
    fn constants(&self) -> (f64, [f64; 2]) {
        match *self {
            Sinkage::Bekker { exponent, cohesive, frictional }
            | Sinkage::Reece { exponent, cohesive, frictional } => (exponent, [cohesive, frictional]),
            Sinkage::Muskeg { peat, mat } => (1.0, [peat, mat]),
            Sinkage::Snow { pressure, depth } => (1.0, [pressure, depth]),
        }
    }
}

/// A soil.
#[derive(Clone, Debug, PartialEq)]
pub struct Soil {
    /// Its name.
    pub name: String,
    /// Density of the grains ρ_s [kg/m³].
    pub grain_density: f64,
    /// Mass of water per mass of grains w.
    pub water: f64,
    /// Void ratios.
    pub void_ratio: VoidRatios,
    /// Shear strength.
    pub strength: StrengthLaw,
    /// Cohesion of remoulded soil: what a failed or dumped lump keeps [Pa].
    pub remoulded_cohesion: f64,
    /// Strength of the interface with steel.
    pub steel: Steel,
    /// Compression.
    pub compression: Compression,
    /// Constants of pressure and sinkage, if measured.
    pub sinkage: Option<Sinkage>,
    /// k_0 [Pa/m] and A_u [Pa/m²] of the stiffness of unloading k_0 + A_u z_u, if measured (`wheel/rut.rs`).
    pub unloading: Option<[f64; 2]>,
    /// K of Janosi and Hanamoto: shear displacement at 63 % of the strength [m].
    pub shear_displacement: f64,
    /// Shear strength over displacement with a peak, if measured; it rises with K otherwise.
    pub shear: Option<Shear>,
}

/// Why a soil cannot be used.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SoilError {
    /// No soil has this name.
    #[error("there is no soil named \"{name}\"; the known ones are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
    /// A quantity is out of its range.
    #[error("soil \"{soil}\": {quantity} is {value}, but must be {range}")]
    Range {
        /// The soil.
        soil: String,
        /// The quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// The admissible values.
        range: &'static str,
    },
    /// Two quantities contradict each other.
    #[error(
        "soil \"{soil}\": {smaller} ({low}) exceeds {larger} ({high}); lower the first or raise the second"
    )]
    Order {
        /// The soil.
        soil: String,
        /// The one that must be the smaller.
        smaller: &'static str,
        /// Its value.
        low: f64,
        /// The one that must be the larger.
        larger: &'static str,
        /// Its value.
        high: f64,
    },
}

impl Soil {
    /// Dry density at a void ratio [kg/m³].
    pub fn dry_density(&self, void_ratio: f64) -> f64 {
        self.grain_density / (1.0 + void_ratio)
    }

    /// Moist density at a void ratio [kg/m³].
    pub fn density(&self, void_ratio: f64) -> f64 {
        self.dry_density(void_ratio) * (1.0 + self.water)
    }

    /// Relative density: 0 at the greatest void ratio, 1 at the least.
    pub fn relative_density(&self, void_ratio: f64) -> f64 {
        let VoidRatios { least, greatest, .. } = self.void_ratio;
        ((greatest - void_ratio) / (greatest - least)).clamp(0.0, 1.0)
    }

    /// Loose volume per bank volume.
    pub fn swell(&self) -> f64 {
        (1.0 + self.void_ratio.loose) / (1.0 + self.void_ratio.bank)
    }

    /// Sets the void ratio of loose soil by the swell.
    pub fn with_swell(mut self, swell: f64) -> Soil {
        self.void_ratio.loose = swell * (1.0 + self.void_ratio.bank) - 1.0;
        self.void_ratio.greatest = self.void_ratio.greatest.max(self.void_ratio.loose);
        self
    }

    /// Strength at a void ratio and a mean effective stress [Pa]. Remoulded soil has lost its cohesion.
    pub fn strength(&self, void_ratio: f64, stress: f64, remoulded: bool) -> Strength {
        let mut strength = self.strength.at(self.relative_density(void_ratio), stress);
        if remoulded {
            strength.cohesion = strength.cohesion.min(self.remoulded_cohesion);
        }
        strength
    }

    /// Checks the parameters.
    pub fn check(&self) -> Result<(), SoilError> {
        let e = self.void_ratio;
        let positive = "finite and above 0";
        let not_negative = "finite and not negative";
        let [least, greatest] = self.strength.friction_range();
        let range = |quantity, value: f64, range, ok: bool| {
            let wrong = SoilError::Range { soil: self.name.clone(), quantity, value, range };
            if ok && value.is_finite() { Ok(()) } else { Err(wrong) }
        };
        range("the density of grains [kg/m³]", self.grain_density, positive, self.grain_density > 0.0)?;
        range("the water content", self.water, not_negative, self.water >= 0.0)?;
        range("the least void ratio", e.least, positive, e.least > 0.0)?;
        range("the void ratio in the bank", e.bank, positive, e.bank > 0.0)?;
        range("the loose void ratio", e.loose, positive, e.loose > 0.0)?;
        range("the greatest void ratio", e.greatest, positive, e.greatest > 0.0)?;
        for friction in [least, greatest] {
            let ok = friction >= 0.0 && friction < 80_f64.to_radians();
            range("the friction angle [deg]", friction.to_degrees(), "from 0 to below 80", ok)?;
        }
        let cohesion = self.strength.greatest_cohesion();
        range("the cohesion [Pa]", cohesion, not_negative, cohesion >= 0.0)?;
        range(
            "the remoulded cohesion [Pa]",
            self.remoulded_cohesion,
            not_negative,
            self.remoulded_cohesion >= 0.0,
        )?;
        range("the friction angle on steel", self.steel.friction, not_negative, self.steel.friction >= 0.0)?;
        range("the adhesion on steel [Pa]", self.steel.adhesion, not_negative, self.steel.adhesion >= 0.0)?;
        range("lambda", self.compression.lambda, not_negative, self.compression.lambda >= 0.0)?;
        range("kappa", self.compression.kappa, not_negative, self.compression.kappa >= 0.0)?;
        range(
            "the shear displacement K [m]",
            self.shear_displacement,
            positive,
            self.shear_displacement > 0.0,
        )?;
        let (at, residual) = match self.shear {
            None => (1.0, 1.0),
            Some(Shear::Peak { at }) => (at, 1.0),
            Some(Shear::Hump { at, residual }) => (at, residual),
        };
        range("the shear displacement at the peak [m]", at, positive, at > 0.0)?;
        let part = "above 0, at most 1";
        range("the residual shear strength", residual, part, residual > 0.0 && residual <= 1.0)?;
        for stiffness in self.unloading.into_iter().flatten() {
            range("the stiffness of unloading", stiffness, not_negative, stiffness >= 0.0)?;
        }
        if let Some(sinkage) = self.sinkage {
            let (exponent, [a, b]) = sinkage.constants();
            range(
                "the exponent of sinkage",
                exponent,
                "above 0, at most 3",
                exponent > 0.0 && exponent <= 3.0,
            )?;
            range("a constant of sinkage", a, not_negative, a >= 0.0)?;
            range("a constant of sinkage", b, not_negative, b >= 0.0)?;
            range("the sum of the constants of sinkage", a + b, positive, a + b > 0.0)?;
        }
        let order = |smaller, low: f64, larger, high: f64| {
            let wrong = SoilError::Order { soil: self.name.clone(), smaller, low, larger, high };
            if low <= high { Ok(()) } else { Err(wrong) }
        };
        order("the least void ratio", e.least, "the void ratio in the bank", e.bank)?;
        order("the void ratio in the bank", e.bank, "the loose void ratio", e.loose)?;
        order("the loose void ratio", e.loose, "the greatest void ratio", e.greatest)?;
        let range = e.greatest - e.least;
        self.check_spread(range)?;
        order("kappa", self.compression.kappa, "lambda", self.compression.lambda)?;
        let (steel, inner) = (self.steel.friction.to_degrees(), greatest.to_degrees());
        order("the friction angle on steel [deg]", steel, "the angle of internal friction [deg]", inner)
    }

    fn check_spread(&self, spread: f64) -> Result<(), SoilError> {
        if spread > 0.0 {
            return Ok(());
        }
        Err(SoilError::Range {
            soil: self.name.clone(),
            quantity: "the greatest minus the least void ratio",
            value: spread,
            range: "above 0",
        })
    }
}
