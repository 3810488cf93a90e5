//! Probes of grounds at a place; their other quantities are those of the subsystem.

use super::super::column::Column;
use super::super::error::ProbeError;
use super::super::ground::AT_PLACE;
use super::super::source::Source;
use super::{Reader, quoted};
use std::ops::Range;
use windlass_scene::GroundReading;

impl Reader<'_> {
    /// `grounds.NAME.height(x, y)`, `grounds.NAME.compaction(x, y)`
    pub(super) fn place_on_ground(&self, all: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let usage = "write it as grounds.NAME.height(x, y) or grounds.NAME.compaction(x, y)";
        let open = self.text[all.clone()].find('(').map_or(all.end, |at| all.start + at);
        let words = self.words(all.start..open)?;
        let [_, name, quantity] = &words[..] else {
            return self.fail(all, "this is not a quantity of a ground at a place", usage);
        };
        let Some((_, read, unit, _)) = AT_PLACE.iter().find(|entry| entry.0 == quantity.text) else {
            let message = format!("grounds have no \"{}\" at a place", quantity.text);
            return self.fail(quantity.span.clone(), message, usage);
        };
        let grounds = GroundReading::all(self.world);
        let Some(number) = grounds.iter().position(|ground| ground.name == name.text) else {
            let names: Vec<&str> = grounds.iter().map(|ground| ground.name).collect();
            let help = match names.is_empty() {
                true => "the scene has no grounds".to_string(),
                false => format!("the grounds are {}", names.join(", ")),
            };
            return self.fail(name.span.clone(), format!("no ground is called \"{}\"", name.text), help);
        };
        let inside = self.text[open + 1..all.end].strip_suffix(')');
        let numbers: Option<Vec<f64>> =
            inside.and_then(|list| list.split(',').map(|x| x.trim().parse().ok()).collect());
        let Some([x, y]) = numbers.as_deref().and_then(|list| <[f64; 2]>::try_from(list).ok()) else {
            return self.fail(open..all.end, "two coordinates are expected here", usage);
        };
        let ground = &grounds[number];
        let last = |k: usize| ground.origin[k] + (ground.nodes[k] - 1) as f64 * ground.spacing;
        if !(0..2).all(|k| [x, y][k] >= ground.origin[k] && [x, y][k] <= last(k)) {
            let [o, p] = ground.origin;
            let help = format!("its ground is at x = {o} to {} m and y = {p} to {} m", last(0), last(1));
            return self.fail(open..all.end, "this place is beside the ground", help);
        }
        let path = format!("grounds.{}.{}({x}, {y})", quoted(&name.text), quantity.text);
        let source = Source::Ground { ground: number, at: [x, y], quantity: *read };
        Ok(vec![Column { name: self.name(&path), unit, source }])
    }
}
