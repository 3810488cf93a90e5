//! Cables modelled as catenaries: segments and floor of the text become pieces for the engine.
//!
//! ```text
//!  weight of a segment      as given, net of buoyancy; else mass per metre · g
//!  elasticity               1/EA of the section
//! ```

use super::Builder;
use crate::number::Number;
use crate::section::CableSection;
use crate::suggestion;
use crate::text::Entry;
use crate::text::cable::{Attachment, Cable as CableText, CableModel};
use glam::DVec3;
use toml::Spanned;
use windlass_engine::cable::catenary;
use windlass_engine::prelude::{Hang, Piece};

/// Tolerance for an end below the floor [m]: rounding of the scene's numbers.
const ON_FLOOR: f64 = 1e-6;

impl Builder {
    /// The catenary of a cable; the inner none for another model. Keys that a catenary does not have are reported.
    pub(super) fn hang(&mut self, entry: &Entry<CableText>, stuff: &CableSection) -> Option<Option<Hang>> {
        let text = &entry.value;
        if text.model.unwrap_or_default() != CableModel::Catenary {
            if let Some(given) = &text.catenary {
                let help = "leave it out, or set model = \"catenary\"";
                self.problems.advise(given.span(), "`catenary` needs model = \"catenary\"", help);
                return None;
            }
            return Some(None);
        }
        self.only_hangs(entry)?;
        let g = self.world.model().settings().gravity.length();
        let (weight, give) = (stuff.section.mass_per_length * g, 1.0 / stuff.section.stretch);
        let pieces = self.pieces(entry, weight, give)?;
        let floor = match text.catenary.as_ref().and_then(|c| c.get_ref().floor.as_ref()) {
            Some(floor) => Some(self.problems.number("floor", floor)?),
            None => None,
        };
        let hang = Hang { pieces, floor };
        if let Some(problem) = catenary::problem(&hang.pieces) {
            let span = text.catenary.as_ref().map_or(entry.span.clone(), Spanned::span);
            let message = format!("cable \"{}\": {problem}", entry.name);
            self.problems.push(span, message, None);
            return None;
        }
        Some(Some(hang))
    }

    /// The segments of a catenary, or the whole of it as one.
    fn pieces(&mut self, entry: &Entry<CableText>, weight: f64, give: f64) -> Option<Vec<Piece>> {
        let text = &entry.value;
        let segments = text.catenary.as_ref().and_then(|c| c.get_ref().segments.as_ref());
        let p = &mut self.problems;
        match (segments, &text.length) {
            (None, Some(length)) => Some(vec![Piece { length: p.number("length", length)?, weight, give }]),
            (None, None) => {
                let message = format!("catenary \"{}\" has no length", entry.name);
                p.advise(entry.span.clone(), message, "give `length`, or `catenary = { segments = [ … ] }`");
                None
            }
            (Some(_), Some(length)) => {
                let help = "leave one of them out";
                p.advise(length.span(), "both `length` and the lengths of `segments` are given", help);
                None
            }
            (Some(list), None) if !(1..=catenary::MOST).contains(&list.get_ref().len()) => {
                let message = format!("`segments` has {} entries", list.get_ref().len());
                let help = format!("give 1 to {}: [{{ length = …, weight = … }}]", catenary::MOST);
                p.advise(list.span(), message, help);
                None
            }
            (Some(list), None) => {
                let piece = |s: &crate::text::cable::Segment| {
                    let length = p.number("length", &s.length);
                    let weight = p.number_or("weight", &s.weight, weight);
                    Some(Piece { length: length?, weight: weight?, give })
                };
                let pieces: Vec<_> = list.get_ref().iter().map(piece).collect();
                pieces.into_iter().collect()
            }
        }
    }

    /// Reports keys of other models.
    fn only_hangs(&mut self, entry: &Entry<CableText>) -> Option<()> {
        let text = &entry.value;
        let unknown = [
            (
                "path",
                text.path.as_ref().map(Spanned::span),
                "the shape of a catenary follows from its length and weight",
            ),
            (
                "tension",
                text.tension.as_ref().map(Number::span),
                "the tension of a catenary follows from its length and weight",
            ),
            (
                "adaptive",
                text.adaptive.as_ref().map(Spanned::span),
                "a catenary has no elements to merge and split",
            ),
            ("mass_points", text.mass_points.as_ref().map(Spanned::span), "a catenary has no mass points"),
            (
                "rotation_measure",
                text.rotation_measure.as_ref().map(Spanned::span),
                "a catenary has no rotation",
            ),
            ("solver", text.solver.as_ref().map(Spanned::span), "a catenary is not part of a solver"),
            ("cut", text.cut.as_ref().and_then(|c| c.first()).map(Number::span), "a catenary cannot be cut"),
        ];
        let unknown = unknown.into_iter().find_map(|(key, span, why)| Some((key, span?, why)));
        if let Some((key, span, why)) = unknown {
            self.problems.advise(span, why, format!("leave `{key}` out, or set model = \"elements\""));
            return None;
        }
        for (end, key) in [(&text.start, "start"), (&text.end, "end")] {
            let Some(body) = end.as_ref().filter(|end| end.body.is_some()) else {
                let message = format!("the `{key}` of catenary \"{}\" is not attached", entry.name);
                let help = format!("give `{key} = {{ body = …, at = [x, y, z] }}`");
                self.problems.advise(entry.span.clone(), message, help);
                return None;
            };
            if let Some(hold) = body.attachment.as_ref().filter(|hold| *hold.get_ref() != Attachment::Ball) {
                let help = "leave `attachment` out, or set model = \"elements\"";
                self.problems.advise(
                    hold.span(),
                    "a catenary has no bending stiffness and cannot be clamped",
                    help,
                );
                return None;
            }
        }
        Some(())
    }

    /// Whether both ends of a catenary are above its floor.
    pub(super) fn floats(&mut self, entry: &Entry<CableText>, hang: &Hang, ends: [DVec3; 2]) -> Option<()> {
        let up = (-self.world.model().settings().gravity).try_normalize().unwrap_or(DVec3::Z);
        let floor = hang.floor?;
        for (end, key) in ends.iter().zip(["start", "end"]) {
            let below = floor - end.dot(up);
            if below > ON_FLOOR {
                let text = entry.value.catenary.as_ref();
                let span = text.and_then(|c| c.get_ref().floor.as_ref()).map(Number::span);
                let message = format!("its `{key}` is {} m below the floor", suggestion::digits(below));
                self.problems.advise(
                    span.unwrap_or(entry.span.clone()),
                    message,
                    "give a lower `floor`, or a higher end",
                );
                return None;
            }
        }
        Some(())
    }
}
