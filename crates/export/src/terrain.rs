//! Ground of soil, and loose soil on it, at an instant.
//!
//! A ground is a grid of nodes; its surface is the triangulation between them, with cells divided from their low corner
//! to their high one, as the simulation has it. Heights and colours are kept in patches of 32 × 32 cells, which instants
//! share while they do not change, so that the memory of a film is proportional to what was dug. A patch that is level
//! and of one colour is drawn as two triangles.
//!
//! A particle stands for a parcel of soil: it is drawn as a lump, one of a few irregular solids, turned at random by the
//! number of the particle.

use crate::surface::Surface;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Cells along a side of a patch.
pub const CELLS: usize = 32;
/// Forms of lumps.
pub const LUMPS: usize = 8;
/// Deviation from a plane below which a patch is level [m].
const LEVEL: f32 = 1e-4;
/// Mean radius of a lump over that of its particle: heaps have no gaps to look through.
const FULL: f64 = 1.08;

/// A ground of soil: what does not change with time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terrain {
    /// Its name, any text.
    pub name: String,
    /// Positions of the nodes along x and along y [m], increasing; two or more each.
    pub lines: [Vec<f64>; 2],
    /// Level down to which its sides are drawn [m].
    pub bottom: f64,
    /// Colours: those of the surface and of lumps by their tint, the last one for the sides.
    pub colors: Vec<[f64; 3]>,
}

/// Heights and colours of a patch: of the nodes at the corners of its cells, x fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patch {
    /// Heights [m].
    pub heights: Vec<f32>,
    /// Indices of colours.
    pub tints: Vec<u8>,
}

/// A parcel of loose soil.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lump {
    /// Its number, the same at all instants.
    pub id: u64,
    /// Its centre [m].
    pub at: DVec3,
    /// Its radius [m].
    pub radius: f32,
    /// Index of its colour.
    pub tint: u8,
}

/// A ground at an instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relief {
    /// Its patches, in rows along x.
    pub patches: Vec<Arc<Patch>>,
    /// The lumps, by increasing number.
    pub lumps: Vec<Lump>,
}

/// A part of the surface of a ground.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sheet {
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    pub tints: Vec<u8>,
    pub triangles: Vec<[u32; 3]>,
}

impl Sheet {
    /// Appends another.
    pub fn add(&mut self, other: Sheet) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions);
        self.normals.extend(other.normals);
        self.tints.extend(other.tints);
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|c| c + first)));
    }
}

impl Terrain {
    /// Numbers of nodes along x and y.
    pub fn nodes(&self) -> [usize; 2] {
        [self.lines[0].len(), self.lines[1].len()]
    }

    /// Numbers of patches along x and y.
    pub fn patches(&self) -> [usize; 2] {
        self.nodes().map(|n| n.saturating_sub(1).div_ceil(CELLS).max(1))
    }

    /// The first nodes of a patch along x and y, and the numbers of its nodes.
    pub fn range(&self, patch: usize) -> [[usize; 2]; 2] {
        let across = self.patches()[0];
        let first = [patch % across * CELLS, patch / across * CELLS];
        [first, [0, 1].map(|k| (self.nodes()[k] - first[k]).min(CELLS + 1))]
    }

    /// Colour of the sides.
    pub(crate) fn side(&self) -> u8 {
        (self.colors.len() - 1) as u8
    }

    /// The error and the remedy, if it cannot be drawn.
    pub(crate) fn problem(&self) -> Option<String> {
        let increases = |line: &Vec<f64>| {
            let grows = line.windows(2).all(|pair| pair[1] > pair[0]);
            line.len() > 1 && grows && line.iter().all(|x| x.abs() <= 1e10)
        };
        if !self.lines.iter().all(increases) {
            return Some("its lines do not increase: give two or more finite positions along x and y".into());
        }
        if !(self.bottom.abs() <= 1e10) {
            return Some(format!("bottom is {} m: give a finite height", self.bottom));
        }
        if self.colors.is_empty() || self.colors.len() > 256 {
            return Some(format!("{} colors: give 1 to 256", self.colors.len()));
        }
        let wrong = |color: &&[f64; 3]| !color.iter().all(|part| (0.0..=1.0).contains(part));
        let color = self.colors.iter().find(wrong)?;
        Some(format!("a color is {color:?}: give three numbers from 0 to 1"))
    }

    /// The error, if an instant does not fit.
    pub(crate) fn misfit(&self, relief: &Relief) -> Option<String> {
        let [across, rows] = self.patches();
        if relief.patches.len() != across * rows {
            return Some(format!("{} patches for {across} × {rows}", relief.patches.len()));
        }
        let known = |tint: u8| usize::from(tint) < self.colors.len();
        for (k, patch) in relief.patches.iter().enumerate() {
            let [_, [nx, ny]] = self.range(k);
            let whole = [patch.heights.len(), patch.tints.len()] == [nx * ny; 2];
            if !whole
                || !patch.heights.iter().all(|z| z.abs() <= 1e10)
                || !patch.tints.iter().all(|t| known(*t))
            {
                return Some(format!(
                    "patch {k}: give a finite height and a known colour for each of {nx} × {ny} nodes"
                ));
            }
        }
        let sound =
            |lump: &Lump| lump.at.abs().max_element() <= 1e10 && lump.radius > 0.0 && known(lump.tint);
        let wrong = relief.lumps.iter().find(|lump| !sound(lump))?;
        Some(format!("lump {}: give a finite place, a radius above 0 and a known colour", wrong.id))
    }

    /// Height of a node [m].
    pub(crate) fn height(&self, relief: &Relief, [i, j]: [usize; 2]) -> f64 {
        let [across, rows] = self.patches();
        let (p, q) = ((i / CELLS).min(across - 1), (j / CELLS).min(rows - 1));
        let patch = p + q * across;
        let [[i0, j0], [nx, _]] = self.range(patch);
        f64::from(relief.patches[patch].heights[(i - i0) + (j - j0) * nx])
    }

    /// Normal at a node, by central differences.
    fn normal(&self, relief: &Relief, [i, j]: [usize; 2]) -> DVec3 {
        let [nx, ny] = self.nodes();
        let slope = |k: usize, low: [usize; 2], high: [usize; 2]| {
            let line = &self.lines[k];
            (self.height(relief, high) - self.height(relief, low)) / (line[high[k]] - line[low[k]])
        };
        let x = slope(0, [i.saturating_sub(1), j], [(i + 1).min(nx - 1), j]);
        let y = slope(1, [i, j.saturating_sub(1)], [i, (j + 1).min(ny - 1)]);
        DVec3::new(-x, -y, 1.0).normalize()
    }

    /// The surface of a patch: two triangles if it is level and of one colour.
    pub(crate) fn patch(&self, relief: &Relief, number: usize) -> Sheet {
        let patch = &relief.patches[number];
        let (low, high) =
            patch.heights.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), z| (l.min(*z), h.max(*z)));
        if high - low > LEVEL || patch.tints.iter().any(|tint| *tint != patch.tints[0]) {
            return self.grid(relief, number);
        }
        let [[i, j], [nx, ny]] = self.range(number);
        let corners = [[i, j], [i + nx - 1, j], [i + nx - 1, j + ny - 1], [i, j + ny - 1]];
        Sheet {
            positions: corners.map(|node| self.place(relief, node)).to_vec(),
            normals: vec![DVec3::Z; 4],
            tints: vec![patch.tints[0]; 4],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }

    fn place(&self, relief: &Relief, node: [usize; 2]) -> DVec3 {
        DVec3::new(self.lines[0][node[0]], self.lines[1][node[1]], self.height(relief, node))
    }

    /// The surface of a patch with all its nodes.
    pub(crate) fn grid(&self, relief: &Relief, number: usize) -> Sheet {
        let [[i0, j0], [nx, ny]] = self.range(number);
        let nodes = || (0..ny).flat_map(move |j| (0..nx).map(move |i| [i0 + i, j0 + j]));
        let cells = (0..ny - 1).flat_map(|j| (0..nx - 1).map(move |i| (i + j * nx) as u32));
        let n = nx as u32;
        Sheet {
            positions: nodes().map(|node| self.place(relief, node)).collect(),
            normals: nodes().map(|node| self.normal(relief, node)).collect(),
            tints: relief.patches[number].tints.clone(),
            triangles: cells.flat_map(|k| [[k, k + 1, k + n + 1], [k, k + n + 1, k + n]]).collect(),
        }
    }

    /// The whole surface.
    pub(crate) fn surface(&self, relief: &Relief) -> Sheet {
        let mut sheet = Sheet::default();
        (0..relief.patches.len()).for_each(|k| sheet.add(self.patch(relief, k)));
        sheet
    }

    /// The surface over every `stride`-th node, and the border.
    pub(crate) fn coarse(&self, relief: &Relief, stride: usize) -> Sheet {
        if stride <= 1 {
            return self.surface(relief);
        }
        let lines = self.nodes().map(|n| (0..n - 1).step_by(stride).chain([n - 1]).collect::<Vec<_>>());
        let nodes: Vec<[usize; 2]> =
            lines[1].iter().flat_map(|j| lines[0].iter().map(move |i| [*i, *j])).collect();
        let (nx, ny) = (lines[0].len() as u32, lines[1].len() as u32);
        let cells = (0..ny - 1).flat_map(|j| (0..nx - 1).map(move |i| i + j * nx));
        let tint = |[i, j]: [usize; 2]| {
            let [across, rows] = self.patches();
            let patch = (i / CELLS).min(across - 1) + (j / CELLS).min(rows - 1) * across;
            let [[i0, j0], [n, _]] = self.range(patch);
            relief.patches[patch].tints[(i - i0) + (j - j0) * n]
        };
        Sheet {
            positions: nodes.iter().map(|node| self.place(relief, *node)).collect(),
            normals: nodes.iter().map(|node| self.normal(relief, *node)).collect(),
            tints: nodes.iter().map(|node| tint(*node)).collect(),
            triangles: cells.flat_map(|k| [[k, k + 1, k + nx + 1], [k, k + nx + 1, k + nx]]).collect(),
        }
    }

    /// The sides from the border down to the bottom.
    pub(crate) fn sides(&self, relief: &Relief) -> Sheet {
        let [nx, ny] = self.nodes();
        let (last, far) = (nx - 1, ny - 1);
        // counterclockwise from above, so that the sides face outwards
        let south = (0..nx).map(|i| [i, 0]).collect::<Vec<_>>();
        let east = (0..ny).map(|j| [last, j]).collect();
        let north = (0..nx).rev().map(|i| [i, far]).collect();
        let west = (0..ny).rev().map(|j| [0, j]).collect();
        let normals = [-DVec3::Y, DVec3::X, DVec3::Y, -DVec3::X];
        let mut sheet = Sheet::default();
        for (nodes, normal) in [south, east, north, west].into_iter().zip(normals) {
            let kept = self.bends(relief, &nodes);
            let mut wall = Sheet::default();
            for node in kept {
                let top = self.place(relief, node);
                wall.positions.extend([top.with_z(self.bottom.min(top.z)), top]);
            }
            let count = wall.positions.len();
            wall.normals = vec![normal; count];
            wall.tints = vec![self.side(); count];
            let quads = (0..count as u32 / 2 - 1).map(|k| 2 * k);
            wall.triangles = quads.flat_map(|k| [[k, k + 2, k + 3], [k, k + 3, k + 1]]).collect();
            sheet.add(wall);
        }
        sheet
    }

    /// The nodes of a border without those on a level run.
    fn bends(&self, relief: &Relief, nodes: &[[usize; 2]]) -> Vec<[usize; 2]> {
        let height = |k: usize| self.height(relief, nodes[k]);
        let bends = |k: usize| {
            k == 0 || k + 1 == nodes.len() || height(k - 1) != height(k) || height(k + 1) != height(k)
        };
        (0..nodes.len()).filter(|k| bends(*k)).map(|k| nodes[k]).collect()
    }
}

impl Lump {
    /// Its form, its orientation and its size.
    pub(crate) fn posed(&self) -> (usize, DQuat, f64) {
        let bits = mixed(self.id);
        let part = |k: u32| (bits >> (16 * k) & 0xffff) as f64 / 65_536.0;
        // uniform on the sphere of rotations (Shoemake)
        let (s, t) = libm::sincos(std::f64::consts::TAU * part(1));
        let (u, v) = libm::sincos(std::f64::consts::TAU * part(2));
        let (a, b) = ((1.0 - part(0)).sqrt(), part(0).sqrt());
        let turn = DQuat::from_xyzw(a * s, a * t, b * u, b * v).normalize();
        (((bits >> 48) % LUMPS as u64) as usize, turn, f64::from(self.radius))
    }
}

/// A form of a lump, of mean radius 1.08, so that heaps of particles of radius 1 look closed.
pub(crate) fn lump(form: usize, steps: usize) -> Surface {
    let (mut points, mut faces) = icosahedron();
    for _ in 0..steps {
        (points, faces) = halved(&points, &faces);
    }
    let seed = |k: u64| {
        let bits = mixed(1000 * (form as u64 + 1) + k);
        let part = |n: u32| (bits >> (16 * n) & 0xffff) as f64 / 32_768.0 - 1.0;
        (DVec3::new(part(0), part(1), part(2)).normalize_or(DVec3::X), part(3))
    };
    let radius = |p: DVec3| {
        let wave = |k: u64| {
            let (axis, phase) = seed(k);
            let count = 2.0 + k as f64;
            libm::sin(count * p.dot(axis) + 3.0 * phase) / (1.5 + k as f64)
        };
        FULL * (1.0 + 0.17 * (0..7).map(wave).sum::<f64>())
    };
    let stretch = DVec3::new(1.12, 0.98, 0.88);
    let positions: Vec<DVec3> = points.iter().map(|p| *p * radius(*p) * stretch).collect();
    let mut normals = vec![DVec3::ZERO; positions.len()];
    for face in &faces {
        let [a, b, c] = face.map(|k| positions[k as usize]);
        face.iter().for_each(|k| normals[*k as usize] += (b - a).cross(c - a));
    }
    Surface {
        positions,
        normals: normals.iter().map(|n| n.normalize_or(DVec3::Z)).collect(),
        faces: faces.iter().map(|face| face.to_vec()).collect(),
    }
}

/// The frames at which each patch is stored: with linear interpolation between them it is what it is at every frame,
/// or nearly so where it changes at more than `most` frames. A patch that does not change has the first frame only.
pub(crate) fn keys(terrain: &Terrain, reliefs: &[&Relief], most: usize) -> Vec<Vec<usize>> {
    let [across, rows] = terrain.patches();
    let changes = |patch: usize| {
        let differs = |f: &usize| {
            let [a, b] = [&reliefs[*f - 1].patches[patch], &reliefs[*f].patches[patch]];
            !Arc::ptr_eq(a, b) && a != b
        };
        (1..reliefs.len()).filter(differs).collect::<Vec<usize>>()
    };
    let one = |patch: usize| {
        let changed = changes(patch);
        let mut kept: Vec<usize> = [0].into_iter().chain(changed.iter().flat_map(|f| [f - 1, *f])).collect();
        kept.dedup();
        if kept.len() > most {
            let span = &kept[1..];
            let pick = |k: usize| span[k * (span.len() - 1) / (most - 2).max(1)];
            kept = [0].into_iter().chain((0..most - 1).map(pick)).collect();
            kept.dedup();
        }
        kept
    };
    (0..across * rows).map(one).collect()
}

/// Keys per patch such that the samples of all patches stay below a number; from 2 to 32.
pub(crate) fn most_keys(terrain: &Terrain, reliefs: &[&Relief], samples: usize) -> usize {
    let changing = keys(terrain, reliefs, 2).iter().filter(|keys| keys.len() > 1).count();
    (samples / ((CELLS + 1) * (CELLS + 1) * changing.max(1))).clamp(2, MOST_KEYS)
}

/// Most keys of a patch.
const MOST_KEYS: usize = 32;

/// SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn icosahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let g = 0.5 * (1.0 + 5_f64.sqrt());
    let rows = [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ];
    let faces = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    (rows.map(|row| DVec3::from(row).normalize()).to_vec(), faces.to_vec())
}

/// Each triangle divided into four, on the unit sphere.
fn halved(points: &[DVec3], faces: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut points = points.to_vec();
    let mut middles = std::collections::BTreeMap::new();
    let mut out = Vec::new();
    for &[a, b, c] in faces {
        let mut middle = |i: u32, j: u32| {
            *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                points.push((points[i as usize] + points[j as usize]).normalize());
                points.len() as u32 - 1
            })
        };
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        out.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    (points, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope(nodes: [usize; 2]) -> (Terrain, Relief) {
        let lines = nodes.map(|n| (0..n).map(|i| 0.5 * i as f64).collect());
        let terrain = Terrain { lines, bottom: -1.0, colors: vec![[0.5; 3]; 3], ..Terrain::default() };
        let patch = |k: usize| {
            let [[i0, j0], [nx, ny]] = terrain.range(k);
            let node = |k: usize| (i0 + k % nx, j0 + k / nx);
            // level up to node 32 along x, then a slope
            let heights = (0..nx * ny).map(|k| node(k).0.saturating_sub(32) as f32 * 0.25).collect();
            Arc::new(Patch { heights, tints: vec![1; nx * ny] })
        };
        let [across, rows] = terrain.patches();
        let relief = Relief { patches: (0..across * rows).map(patch).collect(), lumps: Vec::new() };
        (terrain, relief)
    }

    #[test]
    fn level_patches_are_two_triangles_and_the_surface_has_the_area_of_the_ground() {
        let (terrain, relief) = slope([41, 70]);
        assert_eq!((terrain.patches(), terrain.problem(), terrain.misfit(&relief)), ([2, 3], None, None));
        let sheet = terrain.surface(&relief);
        // three level patches; 8 × 69 cells on the slope
        assert_eq!(sheet.triangles.len(), 3 * 2 + 2 * 8 * 69);
        let area: f64 = (sheet.triangles.iter())
            .map(|t| {
                let [a, b, c] = t.map(|k| sheet.positions[k as usize].truncate());
                0.5 * (b - a).perp_dot(c - a)
            })
            .sum();
        assert!((area - 20.0 * 34.5).abs() < 1e-9, "{area}");
        assert!(sheet.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-12 && n.z > 0.8));
    }

    /// The sides and the surface close the solid: the sum of the areas of the sides is that below the border.
    #[test]
    fn sides_reach_from_the_border_to_the_bottom() {
        let (terrain, relief) = slope([41, 70]);
        let sides = terrain.sides(&relief);
        let area: f64 = (sides.triangles.iter())
            .map(|t| {
                let [a, b, c] = t.map(|k| sides.positions[k as usize]);
                0.5 * (b - a).cross(c - a).dot(sides.normals[t[0] as usize])
            })
            .sum();
        // along x twice: 16 m × 1 m, 4 m × (1 to 3) m; along y 34.5 m, 1 m high and 3 m high
        assert!((area - (2.0 * (16.0 + 8.0) + 34.5 * 4.0)).abs() < 1e-9, "{area}");
    }

    #[test]
    fn lumps_are_closed_and_as_large_as_their_particles() {
        for form in 0..LUMPS {
            let lump = lump(form, 2);
            let volume: f64 = (lump.triangles())
                .map(|t| {
                    let [a, b, c] = t.map(|k| lump.positions[k as usize]);
                    a.dot(b.cross(c)) / 6.0
                })
                .sum();
            let sphere = 4.0 / 3.0 * std::f64::consts::PI;
            assert!(volume > 0.7 * sphere && volume < 2.0 * sphere, "form {form}: {}", volume / sphere);
        }
        let turned = |id| Lump { id, radius: 0.1, ..Lump::default() }.posed();
        assert!(turned(1) != turned(2) && turned(1) == turned(1));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let (terrain, relief) = slope([41, 70]);
        let short = Relief { patches: relief.patches[1..].to_vec(), lumps: Vec::new() };
        assert!(terrain.misfit(&short).unwrap().contains("patches"));
        let lumps = vec![Lump { radius: 0.1, tint: 9, ..Lump::default() }];
        assert!(terrain.misfit(&Relief { lumps, ..relief }).unwrap().contains("lump 0"));
        let flat = Terrain { lines: [vec![0.0, 0.0], vec![0.0, 1.0]], ..terrain };
        assert!(flat.problem().unwrap().contains("increase"));
    }
}
