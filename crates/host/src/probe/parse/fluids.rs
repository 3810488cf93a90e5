//! Probes of fluids.

use super::super::column::Column;
use super::super::error::ProbeError;
use super::super::source::{Part, Source, VECTOR};
use super::{Reader, Word, quoted};
use glam::DVec3;
use std::ops::Range;
use windlass_scene::{FluidFlow, FluidSurface};

const USAGE: &str = "write it as fluids.NAME.height(x, y) or fluids.NAME.velocity(x, y, z)";

impl Reader<'_> {
    /// `fluids.NAME.height(x, y)`, `fluids.NAME.velocity(x, y, z)` with a component
    pub(super) fn fluids(&self, all: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let Some(open) = self.text[all.clone()].find('(').map(|at| all.start + at) else {
            return self.fail(all, "a fluid is read at a place", USAGE);
        };
        let words = self.words(all.start..open)?;
        let [_, name, quantity] = &words[..] else {
            return self.fail(all, "this is not a quantity of a fluid", USAGE);
        };
        match quantity.text.as_str() {
            "height" => self.height(name, open..all.end),
            "velocity" => self.flow(name, open..all.end),
            other => self.fail(quantity.span.clone(), format!("fluids have no \"{other}\""), USAGE),
        }
    }

    fn height(&self, name: &Word, rest: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let surfaces = FluidSurface::all(self.world);
        let Some(number) = surfaces.iter().position(|surface| surface.name == name.text) else {
            let names: Vec<&str> = surfaces.iter().map(|surface| surface.name.as_str()).collect();
            let help = match names.is_empty() {
                true => "the scene has no liquid with a surface".to_string(),
                false => format!("liquids with a surface are {}", names.join(", ")),
            };
            return self.fail(name.span.clone(), format!("no liquid is called \"{}\"", name.text), help);
        };
        let [x, y] = self.coordinates(rest, "two coordinates are expected here")?;
        let path = format!("fluids.{}.height({x}, {y})", quoted(&name.text));
        let source = Source::SurfaceHeight { fluid: number, at: [x, y] };
        Ok(vec![Column { name: self.name(&path), unit: "m", source }])
    }

    fn flow(&self, name: &Word, rest: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let names = FluidFlow::names(self.world);
        let Some(fluid) = names.iter().position(|known| *known == name.text) else {
            let help = match names.is_empty() {
                true => "the scene has no fluids".to_string(),
                false => format!("the fluids are {}", names.join(", ")),
            };
            return self.fail(name.span.clone(), format!("no fluid is called \"{}\"", name.text), help);
        };
        let close = self.text[rest.clone()].find(')').map_or(rest.end, |at| rest.start + at + 1);
        let at: [f64; 3] = self.coordinates(rest.start..close, "three coordinates are expected here")?;
        let component = match &self.text[close..rest.end] {
            "" => None,
            ".size" => Some(Part::Size),
            other => {
                let known = VECTOR.iter().position(|axis| other.strip_prefix('.') == Some(*axis));
                let Some(axis) = known else {
                    let help = "its components are x, y, z and size";
                    return self.fail(close..rest.end, format!("a velocity has no \"{other}\""), help);
                };
                Some(Part::Component(axis))
            }
        };
        let path = format!("fluids.{}.velocity({}, {}, {})", quoted(&name.text), at[0], at[1], at[2]);
        let column = |part: Part, name: String| {
            let source = Source::Flow { fluid, at: DVec3::from_array(at), part };
            Column { name, unit: "m/s", source }
        };
        Ok(match component {
            Some(part) => vec![column(part, self.name(&format!("{path}{}", &self.text[close..rest.end])))],
            None => (0..3)
                .map(|axis| column(Part::Component(axis), format!("{}.{}", self.name(&path), VECTOR[axis])))
                .collect(),
        })
    }

    /// Finite numbers in parentheses.
    fn coordinates<const N: usize>(&self, span: Range<usize>, what: &str) -> Result<[f64; N], ProbeError> {
        let inside = self.text[span.start + 1..span.end].strip_suffix(')');
        let numbers: Option<Vec<f64>> =
            inside.and_then(|list| list.split(',').map(|x| x.trim().parse().ok()).collect());
        let Some(numbers) = numbers.as_deref().and_then(|list| <[f64; N]>::try_from(list).ok()) else {
            return self.fail(span, what, USAGE);
        };
        if !numbers.iter().all(|x| x.is_finite()) {
            return self.fail(span, "the coordinates must be finite", USAGE);
        }
        Ok(numbers)
    }
}
