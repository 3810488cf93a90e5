//! Surfaces of liquids → meshes with morph targets.
//!
//! The elevation r(t) Σ (C cos ωt + S sin ωt) is linear in two functions of time per component. So C and S of each component
//! are morph targets, and r cos ωt and r sin ωt are their animated weights. The normal (−∂η/∂x, −∂η/∂y, 1) before its
//! normalization is linear too: the targets contain their slopes, and viewers normalize. Of more than [`MOST`]
//! components, those of largest amplitude are kept. A calm surface is one square.

use super::document::{Attributes, Mesh, MorphTarget, Node, Primitive};
use super::{Writer, choose, material, placed};
use crate::surface::Surface;
use crate::water::{Cells, Field, Grid, Sea, Water, level};
use glam::{DQuat, DVec2, DVec3};

/// Largest number of components.
pub const MOST: usize = 32;
/// The cells of the grid.
const CELLS: Cells = Cells { uniform: 32, growing: 18 };

/// The weights of the targets of a node at the keys of an animation.
pub struct Weights {
    pub node: usize,
    pub keys: Vec<usize>,
    /// Of all targets, key by key.
    pub values: Vec<[f32; 1]>,
}

impl Writer<'_> {
    /// The surface of a liquid as wide as the ground; the weights of its targets if it has waves.
    pub(super) fn water(&mut self, water: &Water) -> Option<Weights> {
        let (low, high) = self.reach();
        let middle = 0.5 * (low + high).truncate();
        let half = 5.0 * (high - low).length();
        let components = water.largest(MOST);
        let sea = (!components.is_empty()).then(|| {
            let grid = Grid::new(water, half / 10.0, half, CELLS);
            Sea::new(water, &components, &grid, middle)
        });
        let flat = match &sea {
            Some(sea) => sea.flat(),
            None => level(water, middle, half),
        };
        let fields = sea.as_ref().map_or(&[][..], |sea| &sea.fields);
        let mesh = self.sheet(water, (&flat, middle), fields);
        let at = middle.extend(water.level);
        let node = Node { name: water.name.clone(), mesh: Some(mesh), ..placed((at, DQuat::IDENTITY)) };
        let node = self.child(node);
        let sea = sea?;
        let rows: Vec<Vec<[f64; 2]>> =
            self.reel.instants.iter().map(|time| sea.weights(*time).collect()).collect();
        self.document.meshes[mesh].weights = rows[0].as_flattened().iter().map(|w| *w as f32).collect();
        let keys = choose(rows.len(), self.options.tolerance, |a, b, i| miss(&sea, &rows, [a, b, i]));
        let row = |key: &usize| rows[*key].as_flattened().iter().map(|w| [*w as f32]);
        let values = keys.iter().flat_map(row).collect();
        Some(Weights { node, keys, values })
    }

    /// A mesh about a middle, with two targets for each component.
    fn sheet(&mut self, water: &Water, (flat, middle): (&Surface, DVec2), fields: &[Field]) -> usize {
        let origin = middle.extend(water.level);
        let single = |v: DVec3| v.as_vec3().to_array();
        let positions: Vec<_> = flat.positions.iter().map(|p| single(*p - origin)).collect();
        let normals: Vec<_> = flat.normals.iter().map(|n| single(*n)).collect();
        let attributes = Attributes {
            position: self.document.corners(&positions, true),
            normal: self.document.corners(&normals, false),
            texture: None,
            joints: None,
            weights: None,
            color: None,
        };
        let mut targets = Vec::new();
        for field in fields {
            for (part, heights) in [&field.cos, &field.sin].into_iter().enumerate() {
                let heights: Vec<_> = heights.iter().map(|z| [0.0, 0.0, *z as f32]).collect();
                let slope = |i: usize| field.slopes(i)[part];
                let slopes: Vec<_> = (0..heights.len()).map(|i| single((-slope(i)).extend(0.0))).collect();
                targets.push(MorphTarget {
                    position: self.document.corners(&heights, true),
                    normal: self.document.corners(&slopes, false),
                });
            }
        }
        let triangles: Vec<[u32; 3]> = flat.triangles().collect();
        let indices = self.document.indices(triangles.as_flattened());
        let mut surface = material(&water.look(), None);
        surface.double_sided = Some(true);
        self.document.materials.push(surface);
        let material = self.document.materials.len() - 1;
        let primitives = vec![Primitive { attributes, indices, material, targets }];
        self.document.meshes.push(Mesh { primitives, weights: Vec::new() });
        self.document.meshes.len() - 1
    }
}

/// Largest error of the elevation at key i if the weights between keys a and b are linear [m].
fn miss(sea: &Sea<'_>, rows: &[Vec<[f64; 2]>], [a, b, i]: [usize; 3]) -> f64 {
    let share = (i - a) as f64 / (b - a) as f64;
    let error = |(c, field): (usize, &Field)| {
        let part = |k: usize| rows[a][c][k] + share * (rows[b][c][k] - rows[a][c][k]) - rows[i][c][k];
        field.component[0].abs() * libm::hypot(part(0), part(1))
    };
    sea.fields.iter().enumerate().map(error).sum()
}
