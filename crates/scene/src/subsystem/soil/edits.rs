//! Areas that are graded and soil that is poured by the text of a scene: at the start, and while it runs.

use crate::error::Problems;
use crate::text::Entry;
use crate::text::soil::{Ground as GroundText, GroundEdit};
use glam::DVec2;
use std::ops::Range;
use windlass_engine::prelude::{Edit, SubsystemEdit, World};
use windlass_soil::world::Shaping;
use windlass_soil::{EarthEdit, Earthworks, GroundModel};

/// Cells from the middle within which poured soil lands.
const RADIUS: f64 = 2.0;

/// The shapes that the text gives a ground, with their positions in the text; errors are reported.
pub(crate) fn shapings(
    entry: &Entry<GroundText>,
    model: &GroundModel,
    p: &mut Problems,
) -> Option<Vec<(Range<usize>, Shaping)>> {
    let list = entry.value.edits.as_deref().unwrap_or_default();
    let found: Vec<_> = list.iter().map(|text| shaping(text, entry, model, p)).collect();
    found.into_iter().collect()
}

fn shaping(
    text: &GroundEdit,
    entry: &Entry<GroundText>,
    model: &GroundModel,
    p: &mut Problems,
) -> Option<(Range<usize>, Shaping)> {
    match (&text.outline, &text.height, &text.at, &text.mass) {
        (Some(outline), Some(height), None, None) if text.soil.is_none() && text.radius.is_none() => {
            let corners: Vec<_> = outline.get_ref().iter().map(|at| p.pair("outline", at)).collect();
            let corners: Option<Vec<[f64; 2]>> = corners.into_iter().collect();
            let height = p.number("height", height)?;
            let outline = (outline.span(), corners?.into_iter().map(DVec2::from).collect());
            Some((outline.0, Shaping::Grade { outline: outline.1, height }))
        }
        (None, None, Some(at), Some(mass)) => {
            let (span, at) = (at.span(), p.pair("at", at)?);
            let mass = p.number("mass", mass)?;
            let radius = p.number_or("radius", &text.radius, RADIUS * model.terrain.spacing())?;
            let soils = model.terrain.soils();
            let soil = match &text.soil {
                None => 0,
                Some(name) => match soils.iter().position(|soil| soil.name == *name.get_ref()) {
                    Some(soil) => soil as u8,
                    None => {
                        let names: Vec<&str> = soils.iter().map(|soil| soil.name.as_str()).collect();
                        let message = format!("ground \"{}\" has no soil \"{}\"", entry.name, name.get_ref());
                        p.advise(name.span(), message, format!("it has {}", names.join(", ")));
                        return None;
                    }
                },
            };
            Some((span, Shaping::Fill { at: DVec2::from(at), radius, mass, soil }))
        }
        _ => {
            let help = "give { outline = [[0, 0], [4, 0], [4, 3]], height = \"-0.5 m\" } or { at = [1, 2], mass = \"2 t\" }";
            let message =
                format!("an entry of `edits` of ground \"{}\" neither grades nor pours", entry.name);
            let span = text.outline.as_ref().map(|outline| outline.span());
            p.advise(span.unwrap_or(entry.span.clone()), message, help);
            None
        }
    }
}

/// The edit that gives a ground of a number a shape.
pub(crate) fn edit(ground: usize, shaping: Shaping) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<Earthworks>(EarthEdit::Shape(ground, shaping)))
}

/// Edits that follow when grounds are replaced in a running world: grounds that keep their columns but whose list of
/// shapes has changed are built again, and those that are new, built again or have more shapes get them.
pub(crate) fn continued(world: &World, wanted: &Earthworks, texts: [&[Entry<GroundText>]; 2]) -> Vec<Edit> {
    let now = world.subsystem::<Earthworks>();
    let text = |list: usize, name: &str| texts[list].iter().find(|entry| entry.name == name);
    let list = |entry: Option<&Entry<GroundText>>| {
        entry.and_then(|entry| entry.value.edits.clone()).unwrap_or_default()
    };
    let mut edits = Vec::new();
    for (number, model) in wanted.grounds.iter().enumerate() {
        let is_kept = now.is_some_and(|(works, _)| {
            works.grounds.iter().any(|old| old.name == model.name && old.keeps_state_of(model))
        });
        let (before, after) = (list(text(0, &model.name)), list(text(1, &model.name)));
        let continues = is_kept && after.starts_with(&before);
        if is_kept && !continues {
            edits.push(Edit::Subsystem(SubsystemEdit::of::<Earthworks>(EarthEdit::Renew(number))));
        }
        let done = if continues { before.len() } else { 0 };
        // the text was built without errors, so that there are none here
        let all = text(1, &model.name).and_then(|entry| shapings(entry, model, &mut Problems::default()));
        let rest = all.unwrap_or_default().into_iter().skip(done);
        edits.extend(rest.map(|(_, shaping)| edit(number, shaping)));
    }
    edits
}
