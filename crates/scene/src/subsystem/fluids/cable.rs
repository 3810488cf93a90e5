//! A cable and its `fluid` keys → diameters, drag and added mass.

use crate::error::Problems;
use crate::text::fluid::CableFluid;
use toml::Spanned;
use windlass_engine::prelude::{BodyId, Cable, World};
use windlass_fluid::ImmersedCable;

/// Coefficients unless given: those of a smooth cylinder across the stream and of its skin friction.
pub(super) const NORMAL_DRAG: f64 = 1.2;
const TANGENTIAL_DRAG: f64 = 0.01;
/// Added mass of a long cylinder across and along its axis, on the displaced mass.
const ADDED_MASS: [f64; 2] = [1.0, 0.0];

/// A cable of rigid elements of a scene.
pub(crate) struct FluidCable<'a> {
    /// Its `fluid` keys.
    pub text: Option<&'a Spanned<CableFluid>>,
    /// Its elements and their lengths [m].
    pub elements: Vec<(BodyId, f64)>,
    /// Diameter of its section [m].
    pub diameter: f64,
}

impl FluidCable<'_> {
    /// The cable in the fluids; none if it takes no part, or if its keys are wrong.
    pub(super) fn immersed(&self, p: &mut Problems) -> Option<ImmersedCable> {
        let default = CableFluid::default();
        let text = self.text.map_or(&default, Spanned::get_ref);
        if text.active == Some(false) {
            return None;
        }
        let diameter = p.number_or("displaced_diameter", &text.displaced_diameter, self.diameter);
        let drag_diameter = p.number_or("drag_diameter", &text.drag_diameter, self.diameter);
        let normal = p.number_or("normal_drag", &text.normal_drag, NORMAL_DRAG);
        let tangential = p.number_or("tangential_drag", &text.tangential_drag, TANGENTIAL_DRAG);
        let added = match &text.added_mass {
            Some(numbers) => p.pair("added_mass", numbers),
            None => Some(ADDED_MASS),
        };
        Some(ImmersedCable {
            elements: self.elements.clone(),
            diameter: diameter?,
            drag_diameter: drag_diameter?,
            normal: normal?,
            tangential: tangential?,
            added: added?,
        })
    }
}

/// The elements of a cable of all lengths, with their lengths [m].
pub(crate) fn elements_of(cable: &Cable) -> Vec<(BodyId, f64)> {
    let Some(pool) = &cable.pool else {
        return cable.elements.iter().map(|id| (*id, cable.element)).collect();
    };
    let levels = pool.elements.iter().zip(0..);
    levels
        .flat_map(|(ids, level): (_, i32)| {
            let length = cable.element * f64::from(1 << level);
            ids.iter().map(move |id| (*id, length))
        })
        .collect()
}

/// Gives a cable the elements that the cable of the same name has in another world; false if there is none.
pub(super) fn rename(cable: &mut ImmersedCable, from: &World, to: &World) -> bool {
    let Some((first, _)) = cable.elements.first() else { return false };
    let name = from.model().cables().iter().find(|(_, c)| c.elements.first() == Some(first));
    let Some((_, named)) = name else { return false };
    let Some((_, there)) = to.model().cables().iter().find(|(_, c)| c.name == named.name) else {
        return false;
    };
    let there = elements_of(there);
    if there.len() != cable.elements.len() {
        return false;
    }
    cable.elements.iter_mut().zip(there).for_each(|(element, (id, _))| element.0 = id);
    true
}
