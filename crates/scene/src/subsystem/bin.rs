//! Bins of a scene → the subsystem of soil.

use super::soil::find_ground;
use crate::error::Problems;
use crate::text::Entry;
use crate::text::soil::{Bin as BinText, Rims};
use glam::DVec2;
use windlass_engine::prelude::BodyId;
use windlass_soil::GroundModel;
use windlass_soil::world::{BinError, BinModel};

/// A bin on its body, for one of the grounds.
pub(crate) fn bin(
    entry: &Entry<BinText>,
    body: BodyId,
    grounds: &[GroundModel],
    p: &mut Problems,
) -> Option<BinModel> {
    let text = &entry.value;
    let ground = find_ground(&text.ground, ("bin", entry.name.as_str(), &entry.span), grounds, p)?;
    let (at, size) = (p.vector_or_zero("at", &text.at), p.pair("size", &text.size));
    let height = p.number("height", &text.height);
    let spacing = p.number_or("spacing", &text.spacing, grounds[ground].terrain.spacing());
    let (at, size, height, spacing) = (at?, DVec2::from(size?), height?, spacing?);
    // the spacing of the ground may be too coarse for a small bin
    let spacing = if text.spacing.is_none() { spacing.min(size.min_element()) } else { spacing };
    let made = BinModel::new((&entry.name, body, ground), (at, size, height), spacing);
    let mut bin = match made {
        Ok(bin) => bin,
        Err(error) => {
            let span = match (&error, &text.spacing) {
                (BinError::Coarse { .. } | BinError::Fine(_), Some(spacing)) => spacing.span(),
                _ => entry.span.clone(),
            };
            p.advise(span, error.to_string(), "correct this bin");
            return None;
        }
    };
    let none = Rims::default();
    let rims = text.rims.as_ref().unwrap_or(&none);
    for (rim, (key, own)) in bin.rims.iter_mut().zip([
        ("front", &rims.front),
        ("back", &rims.back),
        ("left", &rims.left),
        ("right", &rims.right),
    ]) {
        let given = p.number_or(key, own, height)?;
        if let Some(own) = own.as_ref().filter(|_| given < 0.0) {
            p.advise(own.span(), format!("a rim of {given} m"), "give a height of 0 or more");
            return None;
        }
        *rim = given;
    }
    Some(bin)
}
