//! Probes of fluids.

use super::super::column::Column;
use super::super::error::ProbeError;
use super::super::source::Source;
use super::{Reader, quoted};
use std::ops::Range;
use windlass_scene::FluidSurface;

impl Reader<'_> {
    /// `fluids.NAME.height(x, y)`
    pub(super) fn fluids(&self, all: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let usage = "write it as fluids.NAME.height(x, y)";
        let Some(open) = self.text[all.clone()].find('(').map(|at| all.start + at) else {
            return self.fail(all, "a fluid is read at a place", usage);
        };
        let words = self.words(all.start..open)?;
        let [_, name, quantity] = &words[..] else {
            return self.fail(all, "this is not a quantity of a fluid", usage);
        };
        if quantity.text != "height" {
            let message = format!("fluids have no \"{}\"", quantity.text);
            return self.fail(quantity.span.clone(), message, usage);
        }
        let surfaces = FluidSurface::all(self.world);
        let Some(number) = surfaces.iter().position(|surface| surface.name == name.text) else {
            let names: Vec<&str> = surfaces.iter().map(|surface| surface.name.as_str()).collect();
            let help = match names.is_empty() {
                true => "the scene has no liquid with a surface".to_string(),
                false => format!("liquids with a surface are {}", names.join(", ")),
            };
            return self.fail(name.span.clone(), format!("no liquid is called \"{}\"", name.text), help);
        };
        let inside = self.text[open + 1..all.end].strip_suffix(')');
        let numbers: Option<Vec<f64>> =
            inside.and_then(|list| list.split(',').map(|x| x.trim().parse().ok()).collect());
        let Some([x, y]) = numbers.as_deref().and_then(|list| <[f64; 2]>::try_from(list).ok()) else {
            return self.fail(open..all.end, "two coordinates are expected here", usage);
        };
        if !(x.is_finite() && y.is_finite()) {
            return self.fail(open..all.end, "the coordinates must be finite", usage);
        }
        let path = format!("fluids.{}.height({x}, {y})", quoted(&name.text));
        let source = Source::SurfaceHeight { fluid: number, at: [x, y] };
        Ok(vec![Column { name: self.name(&path), unit: "m", source }])
    }
}
