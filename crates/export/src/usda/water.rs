//! Surfaces of liquids → meshes with time samples of their points and normals; a calm surface is one square.
//!
//! Points are f32 and are written as such, normals with four digits.

use super::{MOST, Stage};
use crate::instant::Pose;
use crate::name::{comment, rounded};
use crate::picture::Picture;
use crate::surface::Surface;
use crate::water::{Cells, Grid, Sea, Water, level};
use glam::DVec3;

/// The cells of grids, fine for few frames and coarse for many.
const CELLS: [Cells; 3] = [
    Cells { uniform: 32, growing: 18 },
    Cells { uniform: 16, growing: 12 },
    Cells { uniform: 8, growing: 10 },
];

/// The finest cells whose samples fit a text.
pub fn cells(picture: &Picture, frames: usize) -> Cells {
    let wavy = picture.waters.iter().filter(|water| !water.is_calm()).count();
    let fits = |cells: &&Cells| wavy * cells.points() * frames <= MOST / 2;
    *CELLS.iter().find(fits).unwrap_or(&CELLS[CELLS.len() - 1])
}

/// Samples per frame.
pub fn samples(picture: &Picture, frames: usize) -> usize {
    let wavy = picture.waters.iter().filter(|water| !water.is_calm()).count();
    wavy * cells(picture, frames).points()
}

impl Stage {
    /// The surfaces of all liquids at the times of the frames [s].
    pub(super) fn waters(&mut self, picture: &Picture, frames: &[Vec<Pose>], times: &[f64]) {
        let (middle, half) = super::reach(picture, frames);
        for (index, water) in picture.waters.iter().enumerate() {
            let surfaces: Vec<Surface> = if water.is_calm() {
                vec![level(water, middle, half)]
            } else {
                let grid = Grid::new(water, half / 6.0, half, cells(picture, frames.len()));
                let sea = Sea::new(water, &water.components, &grid, middle);
                times.iter().map(|time| sea.surface(*time)).collect()
            };
            self.surface(index, water, &surfaces);
        }
    }

    fn surface(&mut self, index: usize, water: &Water, surfaces: &[Surface]) {
        let Some(first) = surfaces.first() else { return };
        let look = self.looks.number(water.look());
        let label = comment(&water.name).replace('"', "'");
        let about = format!("displayName = \"{label}\"\n    prepend apiSchemas = [\"MaterialBindingAPI\"]");
        self.open("Mesh", &format!("Water_{index}"), &about);
        let counts = vec!["4"; first.faces.len()].join(", ");
        let corners: Vec<String> = first.faces.iter().flatten().map(u32::to_string).collect();
        self.say(&format!("int[] faceVertexCounts = [{counts}]"));
        self.say(&format!("int[] faceVertexIndices = [{}]", corners.join(", ")));
        let rows = |list: &[DVec3], text: fn(f64) -> String| {
            let row = |p: &DVec3| format!("({}, {}, {})", text(p.x), text(p.y), text(p.z));
            format!("[{}]", list.iter().map(row).collect::<Vec<_>>().join(", "))
        };
        let single = |x: f64| if x == 0.0 { "0".into() } else { format!("{}", x as f32) };
        let each = |text: &dyn Fn(&Surface) -> String| surfaces.iter().map(text).collect::<Vec<_>>();
        self.samples("point3f[] points", &each(&|surface| rows(&surface.positions, single)));
        let short = |x: f64| rounded(x, 4);
        self.samples("normal3f[] primvars:normals", &each(&|surface| rows(&surface.normals, short)));
        self.say("uniform token primvars:normals:interpolation = \"vertex\"");
        let bounds = |surface: &Surface| {
            let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            let (low, high) = surface.positions.iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
            rows(&[low, high], single)
        };
        self.samples("float3[] extent", &each(&bounds));
        self.say("uniform token subdivisionScheme = \"none\"");
        self.say("uniform bool doubleSided = 1");
        self.say(&format!("float[] primvars:displayOpacity = [{}]", super::opacity(&water.look())));
        self.painted(look);
        self.close();
    }
}
