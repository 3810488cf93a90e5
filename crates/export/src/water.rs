//! Surface of a liquid → positions and normals on a grid at a time.
//!
//! ```text
//!  η = r(t) Σ a cos(k d·x − ω t + φ) = r(t) Σ (C cos ωt + S sin ωt)        r = 10s³ − 15s⁴ + 6s⁵,  s = t/ramp in 0…1
//!  C = a cos(k d·x + φ),  S = a sin(k d·x + φ)                             n ∝ (−∂η/∂x, −∂η/∂y, 1)
//! ```
//!
//! C and S do not depend on time, so a frame costs two products per component and point, and a morph target is C or S.
//!
//! The cells of the grid are uniform about its middle, grow outwards up to an eighth of the mean wavelength, and beyond
//! that without limit, up to one level cell that reaches the rim. In these last rows a component of wavelength λ has the
//! factor 2 − 6c/λ, limited to 0…1, where c is the width of the cell: otherwise cells wider than half a wave would show
//! waves that do not exist. In all other rows the elevation is the sum above.

use crate::material::{Grain, Look};
use crate::surface::Surface;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Ratio of the widths of adjacent cells where they grow.
const GROWTH: f64 = 1.2;
/// Rows in which components fade, on each side.
const FADING: usize = 8;
/// Width of cells in which no component is left [m].
const LEVEL: f64 = 1e20;
/// Cells per mean wavelength that the growth of cells keeps, before components fade.
const PER_LENGTH: f64 = 8.0;
/// Cells per mean wavelength in the uniform part, at least.
const FEWEST: f64 = 5.0;

/// The surface of a liquid: the level z and the components of its waves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Water {
    /// Name of the liquid, any text.
    pub name: String,
    /// Mean level [m].
    pub level: f64,
    /// Colour.
    pub color: [f64; 3],
    /// Amplitude [m], angular frequency [rad/s], wavenumber [1/m], direction x and y, phase [rad].
    pub components: Vec<[f64; 6]>,
    /// Time over which the waves rise [s].
    pub ramp: f64,
}

impl Water {
    /// Whether the surface is level at all times.
    pub fn is_calm(&self) -> bool {
        self.components.iter().all(|c| c[0] == 0.0)
    }

    /// Factor of all amplitudes at a time [s].
    pub fn rise(&self, time: f64) -> f64 {
        if time >= self.ramp || self.ramp == 0.0 {
            return 1.0;
        }
        let s = (time / self.ramp).max(0.0);
        s * s * s * (10.0 - s * (15.0 - 6.0 * s))
    }

    /// Height of the surface above its level at a position and a time [m].
    pub fn elevation(&self, x: f64, y: f64, time: f64) -> f64 {
        let phase = |[_, w, k, dx, dy, phi]: [f64; 6]| k * (dx * x + dy * y) - w * time + phi;
        self.rise(time) * self.components.iter().map(|c| c[0] * libm::cos(phase(*c))).sum::<f64>()
    }

    /// Its appearance.
    pub fn look(&self) -> Look {
        let grain = Grain::Wavy;
        let color = self.color;
        Look { color, roughness: 0.05, metalness: 0.0, clearness: 0.5, refraction: 1.333, grain }
    }

    /// Mean wavelength 2π √(Σa² / Σa²k²) [m]; `None` if it is calm.
    pub(crate) fn length(&self) -> Option<f64> {
        let sum = |power: i32| self.components.iter().map(|c| c[0] * c[0] * c[2].powi(power)).sum::<f64>();
        let length = TAU * (sum(0) / sum(2)).sqrt();
        length.is_finite().then_some(length)
    }

    /// The components of largest amplitude, at most `most`, by decreasing amplitude.
    pub(crate) fn largest(&self, most: usize) -> Vec<[f64; 6]> {
        let mut components = self.components.clone();
        components.retain(|c| c[0] != 0.0);
        components.sort_by(|a, b| b[0].abs().total_cmp(&a[0].abs()));
        components.truncate(most);
        components
    }

    /// The error and the remedy, if it cannot be drawn.
    pub(crate) fn problem(&self) -> Option<String> {
        if !(self.level.abs() <= 1e10) {
            return Some(format!("level is {} m: give a finite height", self.level));
        }
        if !self.color.iter().all(|part| (0.0..=1.0).contains(part)) {
            return Some(format!("color is {:?}: give three numbers from 0 to 1", self.color));
        }
        if !(self.ramp >= 0.0 && self.ramp.is_finite()) {
            return Some(format!("ramp is {} s: give 0 or a finite time", self.ramp));
        }
        let sound = |c: &[f64; 6]| c.iter().all(|x| x.abs() <= 1e10) && c[2] >= 0.0;
        let wrong = self.components.iter().position(|c| !sound(c))?;
        Some(format!("components[{wrong}] is {:?}: give finite numbers", self.components[wrong]))
    }
}

/// Numbers of cells of a grid, along a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cells {
    /// Uniform ones.
    pub uniform: usize,
    /// Those that grow, on each side; more than the number in which components fade.
    pub growing: usize,
}

impl Cells {
    /// Grid points along a side.
    pub const fn lines(self) -> usize {
        self.uniform + 2 * self.growing + 3
    }

    /// All grid points.
    pub const fn points(self) -> usize {
        self.lines() * self.lines()
    }
}

/// A square grid, about its middle: the same lines along x and y.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    /// Distances of the lines from the middle [m], increasing.
    pub lines: Vec<f64>,
    /// Width of the cells at each line where components fade [m]; elsewhere 0.
    pub fading: Vec<f64>,
    /// Width of the uniform cells [m].
    pub cell: f64,
}

impl Grid {
    /// The grid of a liquid: uniform up to `near` [m] from the middle, and at least up to `far`.
    pub fn new(water: &Water, near: f64, far: f64, cells: Cells) -> Grid {
        let length = water.length().unwrap_or(f64::INFINITY);
        let half = 0.5 * cells.uniform as f64;
        let cell = (near / half).min(length / FEWEST);
        let mut side: Vec<(f64, f64)> = (0..=cells.uniform / 2).map(|i| (i as f64 * cell, 0.0)).collect();
        let (mut end, mut width) = (half * cell, cell);
        for row in 0..cells.growing {
            let fades = row + FADING >= cells.growing;
            width *= GROWTH;
            if !fades {
                width = width.min((length / PER_LENGTH).max(cell));
            }
            end += width;
            side.push((end, if fades { width } else { 0.0 }));
        }
        // the last cell is level, since its far end is
        side[cells.uniform / 2 + cells.growing].1 = LEVEL;
        side.push((far.max(end + width * GROWTH), LEVEL));
        let left = side[1..].iter().rev().map(|(x, fade)| (-x, *fade));
        let (lines, fading) = left.chain(side.iter().copied()).unzip();
        Grid { lines, fading, cell }
    }

    /// Corners of the cells as squares, counterclockwise from above; points are numbered along x first.
    pub fn faces(&self) -> Vec<Vec<u32>> {
        let n = self.lines.len() as u32;
        let cells = (0..n - 1).flat_map(|j| (0..n - 1).map(move |i| j * n + i));
        cells.map(|k| vec![k, k + 1, k + n + 1, k + n]).collect()
    }

    /// The points relative to the middle, with the widths of their cells where components fade [m].
    pub fn points(&self) -> impl Iterator<Item = (DVec2, f64)> {
        let row = move |j: usize| {
            let point = move |i: usize| DVec2::new(self.lines[i], self.lines[j]);
            (0..self.lines.len()).map(move |i| (point(i), self.fading[i].max(self.fading[j])))
        };
        (0..self.lines.len()).flat_map(row)
    }
}

/// Decrease of the factor of a component per width of a cell [1/m]: the factor is 2 − it × width, limited to 0…1.
pub(crate) fn fade(wavenumber: f64) -> f64 {
    6.0 * wavenumber / TAU
}

/// A component at the points of a grid: its elevation is r(t) (C cos ωt + S sin ωt).
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// The component.
    pub component: [f64; 6],
    /// C at each point [m].
    pub cos: Vec<f64>,
    /// S at each point [m].
    pub sin: Vec<f64>,
}

impl Field {
    /// Slopes ∂/∂x and ∂/∂y of C and of S at a point.
    pub fn slopes(&self, point: usize) -> [DVec2; 2] {
        let [_, _, k, dx, dy, _] = self.component;
        let along = k * DVec2::new(dx, dy);
        [-self.sin[point] * along, self.cos[point] * along]
    }
}

/// The components of a liquid on a grid with its middle at a position.
#[derive(Clone, Debug)]
pub(crate) struct Sea<'a> {
    pub water: &'a Water,
    pub points: Vec<DVec2>,
    pub fields: Vec<Field>,
    faces: Vec<Vec<u32>>,
}

impl<'a> Sea<'a> {
    pub fn new(water: &'a Water, components: &[[f64; 6]], grid: &Grid, middle: DVec2) -> Sea<'a> {
        let (points, widths): (Vec<DVec2>, Vec<f64>) =
            grid.points().map(|(point, width)| (middle + point, width)).unzip();
        let field = |component: &[f64; 6]| {
            let [a, _, k, dx, dy, phi] = *component;
            let value = |(point, width): (&DVec2, &f64)| {
                let (sin, cos) = libm::sincos(k * (dx * point.x + dy * point.y) + phi);
                let part = a * (2.0 - fade(k) * width).clamp(0.0, 1.0);
                (part * cos, part * sin)
            };
            let (cos, sin) = points.iter().zip(&widths).map(value).unzip();
            Field { component: *component, cos, sin }
        };
        let fields = components.iter().map(field).collect();
        Sea { water, points, fields, faces: grid.faces() }
    }

    /// Weights of C and S of each component at a time.
    pub fn weights(&self, time: f64) -> impl Iterator<Item = [f64; 2]> {
        let rise = self.water.rise(time);
        self.fields.iter().map(move |field| {
            let (sin, cos) = libm::sincos(field.component[1] * time);
            [rise * cos, rise * sin]
        })
    }

    /// The surface without waves.
    pub fn flat(&self) -> Surface {
        Surface {
            positions: self.points.iter().map(|point| point.extend(self.water.level)).collect(),
            normals: vec![DVec3::Z; self.points.len()],
            faces: self.faces.clone(),
        }
    }

    /// The surface at a time [s].
    pub fn surface(&self, time: f64) -> Surface {
        let mut heights = vec![(0.0, DVec2::ZERO); self.points.len()];
        for (field, [c, s]) in self.fields.iter().zip(self.weights(time)) {
            for (i, (height, slope)) in heights.iter_mut().enumerate() {
                let [along, across] = field.slopes(i);
                *height += c * field.cos[i] + s * field.sin[i];
                *slope += c * along + s * across;
            }
        }
        let mut surface = self.flat();
        let points = surface.positions.iter_mut().zip(&mut surface.normals);
        for ((place, normal), (height, slope)) in points.zip(heights) {
            place.z += height;
            *normal = (-slope).extend(1.0).normalize();
        }
        surface
    }
}

/// The square of a level surface about a middle, `half` wide on each side [m].
pub(crate) fn level(water: &Water, middle: DVec2, half: f64) -> Surface {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let place = |(x, y): (f64, f64)| (middle + half * DVec2::new(x, y)).extend(water.level);
    Surface {
        positions: corners.map(place).to_vec(),
        normals: vec![DVec3::Z; 4],
        faces: vec![vec![0, 1, 2, 3]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: Cells = Cells { uniform: 8, growing: 12 };

    fn water() -> Water {
        let components = vec![[0.5, 1.1, 0.12, 0.8, 0.6, 0.3], [0.2, 1.9, 0.37, 0.6, -0.8, -1.0]];
        Water { level: 2.0, components, ramp: 4.0, ..Water::default() }
    }

    #[test]
    fn the_surface_is_the_sum_and_its_normals_are_those_of_the_sum() {
        let water = water();
        let grid = Grid::new(&water, 6.0, 500.0, CELLS);
        let sea = Sea::new(&water, &water.components, &grid, DVec2::new(3.0, -7.0));
        let mut inside = 0;
        for time in [0.0, 1.3, 9.0] {
            let surface = sea.surface(time);
            assert_eq!(surface.positions.len(), CELLS.points());
            for (i, (_, width)) in grid.points().enumerate().filter(|(_, (_, width))| *width == 0.0) {
                assert_eq!(width, 0.0);
                inside += 1;
                let (p, n, h) = (surface.positions[i], surface.normals[i], 1e-5);
                let eta = |x: f64, y: f64| water.elevation(p.x + x, p.y + y, time);
                assert!((p.z - 2.0 - eta(0.0, 0.0)).abs() < 1e-12);
                let slope = DVec3::new(eta(-h, 0.0) - eta(h, 0.0), eta(0.0, -h) - eta(0.0, h), 2.0 * h);
                assert!((slope.normalize() - n).length() < 1e-8);
            }
        }
        // 8 uniform cells and 4 rows on each side
        assert_eq!(inside, 3 * 17 * 17);
    }

    #[test]
    fn cells_grow_to_the_rim_and_the_rim_is_level() {
        let water = water();
        let grid = Grid::new(&water, 6.0, 500.0, CELLS);
        assert!(grid.lines.windows(2).all(|pair| pair[1] > pair[0]));
        assert_eq!((grid.lines.len(), grid.lines[0], grid.lines[CELLS.lines() - 1]), (35, -500.0, 500.0));
        let surface = Sea::new(&water, &water.components, &grid, DVec2::ZERO).surface(9.0);
        assert_eq!((surface.positions[0].z, surface.normals[0]), (2.0, DVec3::Z));
        // a wave too short for the cells: the uniform part has five of them per wavelength
        let short = Water { components: vec![[0.1, 9.0, 6.0, 1.0, 0.0, 0.0]], ..water };
        assert!((Grid::new(&short, 100.0, 500.0, CELLS).cell - TAU / 6.0 / 5.0).abs() < 1e-12);
    }

    #[test]
    fn waves_rise_over_the_ramp() {
        let water = water();
        assert_eq!(
            (water.rise(-1.0), water.rise(0.0), water.rise(2.0), water.rise(4.0)),
            (0.0, 0.0, 0.5, 1.0)
        );
        assert_eq!(Water { ramp: 0.0, ..water.clone() }.rise(-3.0), 1.0);
        assert!(!water.is_calm() && Water::default().is_calm() && Water::default().length().is_none());
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        assert_eq!(water().problem(), None);
        assert!(Water { level: f64::NAN, ..water() }.problem().is_some());
        assert!(Water { color: [2.0; 3], ..water() }.problem().is_some());
        assert!(Water { ramp: f64::INFINITY, ..water() }.problem().is_some());
        let wild = Water { components: vec![[f64::NAN; 6]], ..water() };
        assert!(wild.problem().unwrap().starts_with("components[0]"));
    }
}
