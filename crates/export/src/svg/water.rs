//! Surfaces of liquids in a drawing: translucent levels, painted between the layers of polygons below and above them.
//!
//! ```text
//!  layer 0 ─▶ level 0 ─▶ layer 1 ─▶ … ─▶ layer of the eye ◀─ … ◀─ level n−1 ◀─ layer n
//! ```
//!
//! Waves are not drawn. Shadows fall on the highest level instead of the ground.

use super::order::far_to_near;
use super::polygon::{Polygon, cut};
use super::{Drawing, Piece, hex};
use crate::material::{encoded, linear};
use crate::name::rounded;
use glam::DVec3;
use std::fmt::Write as _;

/// Opacity of a surface.
const OPACITY: &str = ".62";
/// Linear light of the deep relative to the colour of the liquid.
const DEEP: f64 = 0.3;

impl Drawing<'_> {
    /// All polygons with the surfaces between them; points closer to a plane than `flat` [m] lie in it.
    pub(super) fn layers(&mut self, polygons: Vec<Polygon>, pieces: &[Piece], flat: f64) {
        let levels: Vec<f64> = self.picture.waters.iter().map(|water| water.level).collect();
        let below = levels.iter().filter(|level| self.is_above(**level)).count();
        if below > 0 && self.picture.ground.is_none() {
            let deep = linear(self.picture.waters[0].color).map(|part| DEEP * part);
            self.level("deep", levels[0], encoded(deep), "1");
        }
        let order: Vec<(usize, Option<usize>)> = (0..below)
            .map(|i| (i, Some(i)))
            .chain((below..levels.len()).rev().map(|i| (i + 1, Some(i))))
            .chain([(below, None)])
            .collect();
        for (layer, level) in order {
            let over = |p: DVec3| layer.checked_sub(1).map_or(0.0, |i| p.z - levels[i]);
            let under = |p: DVec3| levels.get(layer).map_or(0.0, |level| level - p.z);
            let part = |polygon: &Polygon| cut(&cut(polygon, over)?, under);
            let within = polygons.iter().filter_map(part).collect();
            for polygon in far_to_near(within, &self.eye, flat) {
                self.polygon(&polygon);
            }
            if let Some(i) = level {
                self.level(&format!("water{i}"), levels[i], self.picture.waters[i].color, OPACITY);
            }
            if level.is_some_and(|i| i + 1 == levels.len() && i < below) {
                self.text.push_str("<g stroke=\"none\" opacity=\".6\">\n");
                self.shadows(pieces, levels[levels.len() - 1]);
                self.text.push_str("</g>\n");
            }
        }
    }

    /// A level in a colour that fades into the horizon where it is seen from above.
    fn level(&mut self, name: &str, height: f64, color: [f64; 3], opacity: &str) {
        let Some(way) = self.flat(self.square(height)) else { return };
        let fill = match self.horizon().filter(|_| self.is_above(height)) {
            Some(horizon) => self.fading(name, horizon, color),
            None => hex(color),
        };
        let _ =
            writeln!(self.text, "<path d=\"{way}\" fill=\"{fill}\" stroke=\"none\" opacity=\"{opacity}\"/>");
    }

    /// Declares a gradient from the colour of the background at the horizon to a colour; returns its reference.
    pub(super) fn fading(&mut self, name: &str, horizon: f64, color: [f64; 3]) -> String {
        let _ = writeln!(
            self.text,
            "<defs><linearGradient id=\"{name}\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" x2=\"0\" \
             y1=\"{}\" y2=\"{}\"><stop stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
             </linearGradient></defs>",
            rounded(horizon, 1),
            rounded(horizon + 0.35 * self.sheet.height, 1),
            hex(self.picture.background.low()),
            hex(color)
        );
        format!("url(#{name})")
    }
}
