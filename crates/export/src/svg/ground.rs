//! Sky and ground of a drawing.

use super::polygon::Polygon;
use super::{Drawing, Projection, hex, path};
use crate::name::rounded;
use crate::picture::{Background, Ground, Pattern};
use glam::{DVec2, DVec3};
use std::fmt::Write as _;

/// Largest number of squares from the centre of a checkered ground to its rim.
const SQUARES: i64 = 40;

impl Drawing<'_> {
    /// Height of the horizon on the sheet [px] below the camera's axis; `None` if it is not seen.
    pub(super) fn horizon(&self) -> Option<f64> {
        let level = self.eye.view.forward.with_z(0.0).try_normalize()?;
        let seen = self.eye.projection == Projection::Perspective;
        seen.then(|| self.eye.place(self.eye.view.eye + level * 1e6).y)
    }

    pub(super) fn sky(&mut self) {
        let (horizon, zenith) = match &self.picture.background {
            Background::Plain(color) => (color, color),
            Background::Sky { horizon, zenith } => (horizon, zenith),
        };
        // from the horizon the sky darkens over one and a half heights of the sheet
        let low = self.horizon().unwrap_or(self.sheet.height);
        let _ = writeln!(
            self.text,
            "<defs><linearGradient id=\"sky\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" x2=\"0\" \
             y1=\"{}\" y2=\"{}\"><stop stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
             </linearGradient></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"url(#sky)\"/>",
            rounded(low, 1),
            rounded(low - 1.5 * self.sheet.height, 1),
            hex(*horizon),
            hex(*zenith)
        );
    }

    /// A flat polygon on the ground as a path, if any of it is before the eye.
    pub(super) fn flat(&self, corners: Vec<DVec3>) -> Option<String> {
        let drawn = vec![false; corners.len()];
        let seen = self.eye.sight(&Polygon { corners, drawn, normal: DVec3::Z, paint: 0 })?;
        let places: Vec<DVec2> = seen.corners.iter().map(|c| self.eye.place(*c)).collect();
        Some(path(&places))
    }

    /// The point of a level at what the camera looks at, and the distance of the latter [m].
    pub(super) fn ahead(&self, height: f64) -> (DVec3, f64) {
        let camera = &self.picture.camera;
        let distance = (camera.target - camera.position).length();
        ((self.eye.view.eye + self.eye.view.forward * distance).with_z(height), distance)
    }

    /// Corners of a level as far as the horizon.
    pub(super) fn square(&self, height: f64) -> Vec<DVec3> {
        let (middle, distance) = self.ahead(height);
        let corner = |x: f64, y: f64| middle + DVec3::new(x, y, 0.0) * 2e3 * distance;
        vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
    }

    /// The ground, which fades into the horizon; squares around what is looked at.
    pub(super) fn ground(&mut self, ground: &Ground) {
        let (middle, distance) = self.ahead(ground.height);
        let Some(way) = self.flat(self.square(ground.height)) else { return };
        let (color, checker) = match &ground.pattern {
            Pattern::Plain { color } => (*color, None),
            Pattern::Checker { colors: [a, b], side } => (*a, Some((*b, *side))),
        };
        let fill = match self.horizon() {
            Some(horizon) => self.fading("ground", horizon, color),
            None => hex(color),
        };
        let _ = writeln!(self.text, "<path d=\"{way}\" fill=\"{fill}\"/>");
        if let Some((color, side)) = checker {
            self.checker(middle, ground.height, side, color, 1.6 * distance);
        }
    }

    /// Every other square around a point, paler towards the rim.
    pub(super) fn checker(&mut self, middle: DVec3, height: f64, side: f64, color: [f64; 3], reach: f64) {
        let reach = reach.min(SQUARES as f64 * side);
        let count = (reach / side).ceil() as i64;
        let (i0, j0) = ((middle.x / side).floor() as i64, (middle.y / side).floor() as i64);
        let _ = writeln!(self.text, "<g fill=\"{}\">", hex(color));
        for (i, j) in (i0 - count..=i0 + count).flat_map(|i| (j0 - count..=j0 + count).map(move |j| (i, j))) {
            let corner = |u: i64, v: i64| DVec3::new((i + u) as f64 * side, (j + v) as f64 * side, height);
            let share = (corner(0, 0) + 0.5 * side - middle).with_z(0.0).length() / reach;
            let opacity = rounded((1.0 - share * share).max(0.0), 2);
            if (i + j).rem_euclid(2) == 0 || opacity == "0" {
                continue;
            }
            if let Some(way) = self.flat(vec![corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]) {
                let _ = writeln!(self.text, "<path d=\"{way}\" opacity=\"{opacity}\"/>");
            }
        }
        self.text.push_str("</g>\n");
    }
}
