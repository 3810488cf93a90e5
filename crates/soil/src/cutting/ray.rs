//! Section of the ground in the vertical plane of a slice: heights above the edge, loads, layers, and the soil on the
//! face.
//!
//! The ground next to the edge has been cut, so its heights there are not those of the wedge. The surface is therefore
//! continued backwards from the first point whose cell lies wholly ahead of the edge, with the smaller of two slopes if
//! both have one sign. Where the ground is higher than that, it counts as it is.

use glam::{DVec2, DVec3};

use super::soil::{CuttingSoil, Strata, Surface};

/// Flattest failure plane above the steepest fall of the ground ahead, as a tangent: 5°.
const FLATTEST: f64 = 0.087_488_663_525_924;
/// Steepest plane that goes down from the edge, as a tangent.
const DOWNWARD: f64 = -0.4;
/// Reach of failure planes in heights of the face: on ground as steep as φ they never come out.
const REACH: f64 = 4.0;
/// Stations of a section at the spacing of the ground; beyond them each step is wider than the last.
const FINE_STATIONS: usize = 32;
/// Growth of steps there.
const GROWTH: f64 = 1.15;
/// Most stations: 600 spacings of the ground.
const STATIONS: usize = 64;
/// Most stations on the face.
const FACE_STATIONS: f64 = 16.0;
/// Smallest spacing of a ground [m].
const FINEST: f64 = 1e-3;

/// The face of a tool in the plane of a slice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Rake α [rad], with its sine and cosine.
    pub rake: f64,
    pub sin: f64,
    pub cos: f64,
    /// Length from the edge up [m].
    pub length: f64,
}

impl Face {
    pub fn new(rake: f64, length: f64) -> Self {
        let (sin, cos) = libm::sincos(rake);
        Self { rake, sin, cos, length }
    }
}

/// A section, with buffers that are used again for the next one. Heights are above the edge.
#[derive(Clone, Debug, Default)]
pub(super) struct Ray {
    pub stations: Vec<Station>,
    /// Layers at each station.
    pub strata: Vec<Strata>,
    /// The soil, if there is only one.
    pub uniform: Option<CuttingSoil>,
    /// Elevation of the edge [m].
    pub edge: f64,
    pub depth: f64,
    /// Tangent of the flattest plane to try; below zero where the ground falls away.
    pub flattest: f64,
    pub on_face: OnFace,
}

/// A point of the surface ahead of the edge.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Station {
    pub x: f64,
    pub height: f64,
    pub load: f64,
    /// ∫ height dx and ∫ load dx from the edge.
    pub area_to: f64,
    pub load_to: f64,
}

/// Soil above the face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OnFace {
    /// Length of the face in soil [m].
    pub length: f64,
    /// Mass and surcharge above it per metre of width [kg/m, N/m]; negative under a face that leans forward.
    pub mass: f64,
    pub load: f64,
}

/// The surface along a section.
struct Line<'a, S> {
    ground: &'a S,
    edge: DVec3,
    forward: DVec2,
    spacing: f64,
    /// From here on the ground is uncut.
    clear: f64,
    height: f64,
    slope: f64,
}

impl<'a, S: Surface> Line<'a, S> {
    fn new(ground: &'a S, edge: DVec3, forward: DVec2) -> Self {
        let spacing = ground.spacing().max(FINEST);
        // the extent of a cell along the section
        let clear = spacing * (forward.x.abs() + forward.y.abs());
        let mut line = Self { ground, edge, forward, spacing, clear, height: 0.0, slope: 0.0 };
        let [a, b, c] = [0.0, 1.0, 2.0].map(|k| line.measured(clear + k * spacing));
        line.height = a;
        line.slope = lesser(b - a, c - b) / spacing;
        line
    }

    fn point(&self, x: f64) -> DVec2 {
        DVec2::new(self.edge.x, self.edge.y) + self.forward * x
    }

    fn measured(&self, x: f64) -> f64 {
        let p = self.point(x);
        self.ground.height(p.x, p.y) - self.edge.z
    }

    fn height(&self, x: f64) -> f64 {
        let found = self.measured(x);
        if x < self.clear { found.max(self.height + self.slope * (x - self.clear)) } else { found }
    }

    fn load(&self, x: f64) -> f64 {
        let p = self.point(x);
        self.ground.surcharge(p.x, p.y)
    }
}

/// The smaller of two numbers of one sign, zero for two signs.
fn lesser(a: f64, b: f64) -> f64 {
    if a * b > 0.0 { if a.abs() < b.abs() { a } else { b } } else { 0.0 }
}

impl Ray {
    /// Takes the section before a face from its edge at a point, along a horizontal unit vector. Without depth there
    /// are no stations.
    pub fn trace(&mut self, ground: &impl Surface, edge: DVec3, forward: DVec2, face: &Face) {
        let line = Line::new(ground, edge, forward);
        self.stations.clear();
        self.edge = edge.z;
        self.depth = line.height(0.0);
        self.on_face = OnFace::default();
        self.uniform = None;
        if !(self.depth > 0.0) {
            return;
        }
        self.take_stations(&line, REACH * face.length.max(self.depth));
        self.take_face(&line, face);
    }

    /// Height of the ground behind the edge, above it [m].
    pub fn behind(ground: &impl Surface, edge: DVec3, forward: DVec2) -> f64 {
        let p = DVec2::new(edge.x, edge.y) - forward * ground.spacing();
        ground.height(p.x, p.y) - edge.z
    }

    /// The column at the edge, uncut.
    pub fn column(&self) -> &Strata {
        &self.strata[0]
    }

    fn take_stations<S: Surface>(&mut self, line: &Line<S>, reach: f64) {
        let (mut x, mut step) = (0.0, line.spacing);
        self.flattest = FLATTEST;
        for i in 0..STATIONS {
            let height = line.height(x);
            self.push(x, height, line.load(x));
            self.take_strata(line, x, i);
            if i > 0 {
                self.flattest = self.flattest.min(FLATTEST + (height - self.depth) / x).max(DOWNWARD);
            }
            if !(x < reach && height > x * self.flattest) {
                break;
            }
            if i >= FINE_STATIONS {
                step *= GROWTH;
            }
            x = if i < FINE_STATIONS { line.spacing * (i + 1) as f64 } else { x + step };
        }
    }

    fn take_strata<S: Surface>(&mut self, line: &Line<S>, x: f64, i: usize) {
        if i == self.strata.len() {
            self.strata.push(Strata::default());
        }
        self.strata[i].clear();
        let p = line.point(x.max(line.clear));
        line.ground.strata(p.x, p.y, &mut self.strata[i]);
        let only = self.strata[i].only_above(self.edge).copied();
        self.uniform = if i == 0 { only } else { self.uniform.filter(|&soil| only == Some(soil)) };
    }

    fn push(&mut self, x: f64, height: f64, load: f64) {
        let mut station = Station { x, height, load, ..Station::default() };
        if let Some(last) = self.stations.last() {
            let half = 0.5 * (x - last.x);
            station.area_to = last.area_to + half * (height + last.height);
            station.load_to = last.load_to + half * (load + last.load);
        }
        self.stations.push(station);
    }

    /// Walks up the face until it leaves the soil.
    fn take_face<S: Surface>(&mut self, line: &Line<S>, face: &Face) {
        let count = (face.length / line.spacing).ceil().clamp(1.0, FACE_STATIONS) as usize;
        let step = face.length / count as f64;
        let cover = |t: f64| line.height(-t * face.cos) - t * face.sin;
        let mass = |t: f64, cover: f64| {
            let low = self.edge + t * face.sin;
            self.column().above(low, low + cover).0
        };
        let mut found = OnFace::default();
        let mut last = (self.depth, mass(0.0, self.depth));
        for i in 0..count {
            let t = step * i as f64;
            let next = cover(t + step);
            let part = if next > 0.0 { step } else { step * last.0 / (last.0 - next) };
            let here = (next.max(0.0), mass(t + part, next.max(0.0)));
            found.length += part;
            found.mass += 0.5 * (last.1 + here.1) * part * face.cos;
            found.load += line.load(-(t + 0.5 * part) * face.cos) * part * face.cos;
            if !(next > 0.0) {
                break;
            }
            last = here;
        }
        self.on_face = found;
    }
}
