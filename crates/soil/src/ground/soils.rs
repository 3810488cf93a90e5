//! Named soils: typical values to start from.
//!
//! Densities follow from the void ratios in the bank. Loose void ratios are load factors of the *Caterpillar Performance
//! Handbook*. Pressure–sinkage constants are those of Wong, *Theory of Ground Vehicles* (dry sand LLL, sandy loam, clayey
//! soil, snow, muskeg). λ and κ of clay are London clay after Schofield and Wroth 1968; κ of loam and topsoil is tilled
//! loess after Défossez et al. 2003. All other values are typical magnitudes without a single source: least void ratios,
//! strengths in the bank, remoulded cohesion, values on steel, K, and λ and κ of sand, gravel, snow and peat.

use super::compaction::Compression;
use super::soil::{Sinkage, Soil, SoilError, Steel, VoidRatios};
use super::strength::{Strength, StrengthLaw};

/// The names of the known soils.
const NAMES: [&str; 8] = ["dry_sand", "wet_sand", "gravel", "clay", "loam", "topsoil", "snow", "muskeg"];

/// A row of the table below.
struct Row {
    /// Density of grains [kg/m³], water content.
    grains: [f64; 2],
    /// Void ratio: bank, loose, least.
    void_ratio: [f64; 3],
    /// φ [deg] and c [Pa] in the bank; cohesion when remoulded [Pa].
    strength: [f64; 3],
    /// δ [deg] and c_a [Pa] on steel.
    steel: [f64; 2],
    /// λ and κ.
    compression: [f64; 2],
    sinkage: Option<Sinkage>,
    /// K [m].
    shear: f64,
}

fn bekker(exponent: f64, cohesive: f64, frictional: f64) -> Option<Sinkage> {
    Some(Sinkage::Bekker { exponent, cohesive: 1e3 * cohesive, frictional: 1e3 * frictional })
}

impl Soil {
    /// A soil by its name: typical values, to be calibrated for a project.
    pub fn named(name: &str) -> Result<Soil, SoilError> {
        let unknown = || SoilError::Unknown { name: name.to_string(), known: NAMES.join(", ") };
        let row = row(name).ok_or_else(unknown)?;
        let [bank, loose, least] = row.void_ratio;
        Ok(Soil {
            name: name.to_string(),
            grain_density: row.grains[0],
            water: row.grains[1],
            void_ratio: VoidRatios { bank, loose, least, greatest: loose },
            strength: StrengthLaw::Constant(Strength::new(row.strength[0], row.strength[1])),
            remoulded_cohesion: row.strength[2],
            steel: Steel { friction: row.steel[0].to_radians(), adhesion: row.steel[1] },
            compression: Compression { lambda: row.compression[0], kappa: row.compression[1] },
            sinkage: row.sinkage,
            unloading: None,
            shear_displacement: row.shear,
            shear: None,
        })
    }

    /// The names of the known soils.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }
}

fn row(name: &str) -> Option<Row> {
    Some(match name {
        // 1656 kg/m³ in the bank; Bekker and K: Wong, dry sand (φ 28°, c 1.04 kPa there)
        "dry_sand" => Row {
            grains: [2650.0, 0.0],
            void_ratio: [0.60, 0.79, 0.40],
            strength: [33.0, 0.0, 0.0],
            steel: [22.0, 0.0],
            compression: [0.02, 0.003],
            sinkage: bekker(1.1, 0.99, 1528.43),
            shear: 0.025,
        },
        // 1881 kg/m³ moist; cohesion by suction; Bekker: Wong, sandy loam at 11 % water
        "wet_sand" => Row {
            grains: [2650.0, 0.10],
            void_ratio: [0.55, 0.74, 0.40],
            strength: [34.0, 2e3, 0.2e3],
            steel: [22.0, 0.5e3],
            compression: [0.03, 0.004],
            sinkage: bekker(0.9, 52.53, 1127.97),
            shear: 0.015,
        },
        // 1950 kg/m³ moist; no plate tests
        "gravel" => Row {
            grains: [2650.0, 0.03],
            void_ratio: [0.40, 0.57, 0.20],
            strength: [38.0, 0.0, 0.0],
            steel: [25.0, 0.0],
            compression: [0.01, 0.002],
            sinkage: None,
            shear: 0.010,
        },
        // 1776 kg/m³ moist; Bekker: Wong, clayey soil at 38 % water (φ 13°, c 4.14 kPa there)
        "clay" => Row {
            grains: [2700.0, 0.25],
            void_ratio: [0.90, 1.32, 0.50],
            strength: [20.0, 15e3, 0.5e3],
            steel: [13.0, 5e3],
            compression: [0.16, 0.06],
            sinkage: bekker(0.5, 13.19, 692.15),
            shear: 0.006,
        },
        // 1600 kg/m³ moist; Bekker: Wong, sandy loam at 15 % water
        "loam" => Row {
            grains: [2650.0, 0.15],
            void_ratio: [0.90, 1.47, 0.45],
            strength: [31.0, 4e3, 0.3e3],
            steel: [20.0, 1e3],
            compression: [0.12, 0.0058],
            sinkage: bekker(0.7, 5.27, 1515.04),
            shear: 0.020,
        },
        // 1560 kg/m³ moist; Bekker: Wong, sandy loam at 15 % water (φ 29°, c 1.72 kPa there)
        "topsoil" => Row {
            grains: [2600.0, 0.20],
            void_ratio: [1.00, 1.86, 0.45],
            strength: [29.0, 5e3, 0.3e3],
            steel: [19.0, 1e3],
            compression: [0.12, 0.0058],
            sinkage: bekker(0.7, 5.27, 1515.04),
            shear: 0.020,
        },
        // 300 kg/m³ on grains of ice; least void ratio: 550 kg/m³, the densest packing (Herron and Langway 1980);
        // Bekker: Wong, snow (Harrison)
        "snow" => Row {
            grains: [917.0, 0.0],
            void_ratio: [2.06, 3.0, 0.67],
            strength: [19.7, 1.03e3, 0.1e3],
            steel: [6.0, 0.0],
            compression: [0.5, 0.02],
            sinkage: bekker(1.6, 4.37, 196.72),
            shear: 0.040,
        },
        // fibrous peat, saturated: G_s 1.5, w 5, C_c ≈ w (Mesri and Ajlouni 2007); k_p, m_m: Wong, muskeg
        "muskeg" => Row {
            grains: [1500.0, 5.0],
            void_ratio: [7.5, 9.0, 2.0],
            strength: [30.0, 3e3, 0.5e3],
            steel: [15.0, 1e3],
            compression: [2.2, 0.2],
            sinkage: Some(Sinkage::Muskeg { peat: 290e3, mat: 51e3 }),
            shear: 0.050,
        },
        _ => return None,
    })
}
