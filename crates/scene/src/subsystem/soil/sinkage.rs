//! Sinkage and shear of a soil of a scene under wheels and tracks.

use crate::error::Problems;
use crate::text::Entry;
use crate::text::soft_wheel::WheelSoil;
use crate::text::soil::Soil as SoilText;
use windlass_soil::ground::Soil;
use windlass_soil::ground::soil::{Shear, Sinkage};

/// A soil with the sinkage and shear that the scene gives.
pub(super) fn under_wheels(
    mut soil: Soil,
    text: &WheelSoil,
    entry: &Entry<SoilText>,
    p: &mut Problems,
) -> Option<Soil> {
    let laws = [text.bekker.is_some(), text.reece.is_some(), text.muskeg.is_some(), text.snow.is_some()];
    if laws.iter().filter(|given| **given).count() > 1 {
        let message = format!("soil \"{}\" has several laws of pressure and sinkage", entry.name);
        p.advise(entry.span.clone(), message, "give one of `bekker`, `reece`, `muskeg` and `snow`");
        return None;
    }
    if let Some(law) = &text.bekker {
        let (n, kc, kphi) = (p.number("n", &law.n), p.number("kc", &law.kc), p.number("kphi", &law.kphi));
        soil.sinkage = Some(Sinkage::Bekker { exponent: n?, cohesive: kc?, frictional: kphi? });
    }
    if let Some(law) = &text.reece {
        let (n, kc, kphi) = (p.number("n", &law.n), p.number("kc", &law.kc), p.number("kphi", &law.kphi));
        soil.sinkage = Some(Sinkage::Reece { exponent: n?, cohesive: kc?, frictional: kphi? });
    }
    if let Some(law) = &text.muskeg {
        let (peat, mat) = (p.number("peat", &law.peat), p.number("mat", &law.mat));
        soil.sinkage = Some(Sinkage::Muskeg { peat: peat?, mat: mat? });
    }
    if let Some(law) = &text.snow {
        let (pressure, depth) = (p.number("pressure", &law.pressure), p.number("depth", &law.depth));
        soil.sinkage = Some(Sinkage::Snow { pressure: pressure?, depth: depth? });
    }
    soil.shear_displacement = p.number_or("shear", &text.shear, soil.shear_displacement)?;
    let shears = [text.shear.is_some(), text.peak.is_some(), text.hump.is_some()];
    if shears.iter().filter(|given| **given).count() > 1 {
        let message = format!("soil \"{}\" has several laws of shear", entry.name);
        p.advise(entry.span.clone(), message, "give one of `shear`, `peak` and `hump`");
        return None;
    }
    if let Some(law) = &text.peak {
        soil.shear = Some(Shear::Peak { at: p.number("at", &law.at)? });
    }
    if let Some(law) = &text.hump {
        let (at, residual) = (p.number("at", &law.at), p.number("residual", &law.residual));
        soil.shear = Some(Shear::Hump { at: at?, residual: residual? });
    }
    if let Some(unloading) = &text.unloading {
        let constant = p.number_or("constant", &unloading.constant, 0.0);
        let per_depth = p.number("per_depth", &unloading.per_depth);
        soil.unloading = Some([constant?, per_depth?]);
    }
    Some(soil)
}
