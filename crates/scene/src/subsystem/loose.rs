//! Boxes of loose soil at the start of a scene → the subsystem of soil.

use crate::error::Problems;
use crate::text::soil::LooseBox as BoxText;
use windlass_soil::world::LooseBox;
use windlass_soil::{GroundModel, Mass};

/// Most particles of a box of loose soil: beyond, the scene is probably in the wrong unit.
const MOST: f64 = 200_000.0;

/// A box of loose soil on a ground.
pub(crate) fn loose_box(text: &BoxText, ground: &GroundModel, p: &mut Problems) -> Option<LooseBox> {
    let (middle, size) = (p.vector("position", &text.position), p.vector("size", &text.size));
    let (middle, size) = (middle?, size?);
    let soils = ground.terrain.soils();
    let soil = match &text.soil {
        None => 0,
        Some(name) => {
            let found = soils.iter().position(|soil| soil.name == *name.get_ref());
            if found.is_none() {
                let known: Vec<_> = soils.iter().map(|soil| soil.name.as_str()).collect();
                let help = format!("name one of its soils, {}, or add a layer of it", known.join(", "));
                p.advise(name.span(), format!("the ground has no soil \"{}\"", name.get_ref()), help);
            }
            found?
        }
    };
    let count = size.to_array().into_iter().map(|side| (side / ground.particle).max(1.0)).product::<f64>();
    if !(count <= MOST) {
        let message = format!("a box of {count:.0} particles");
        p.advise(text.size.span(), message, "give a smaller box, or a larger `particle` of the ground");
        return None;
    }
    if ground.mass_of(soil as u8, 0.5 * ground.largest_radius()) <= Mass::ZERO {
        p.advise(text.size.span(), "particles without mass", "give a larger `particle` of the ground");
        return None;
    }
    Some(LooseBox { middle, size, soil: soil as u8 })
}
