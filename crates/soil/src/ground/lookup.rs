//! Heights, normals and soils at points.

use super::layer::Layer;
use super::state::TerrainState;
use super::terrain::Terrain;

/// A ground to look up: the model and its state.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// The model.
    pub terrain: &'a Terrain,
    /// The state.
    pub state: &'a TerrainState,
}

/// A point of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Height [m].
    pub height: f64,
    /// Unit normal, upwards.
    pub normal: [f64; 3],
}

impl<'a> Ground<'a> {
    /// A ground to look up.
    pub fn new(terrain: &'a Terrain, state: &'a TerrainState) -> Ground<'a> {
        Ground { terrain, state }
    }

    /// Height of a node [m].
    #[inline]
    pub fn height(&self, node: [usize; 2]) -> f64 {
        self.state.height(self.terrain, node)
    }

    /// The surface at a point: the triangle above or below it. Beyond the border, that of the nearest border point.
    pub fn surface(&self, x: f64, y: f64) -> SurfacePoint {
        let spec = self.terrain.spec();
        let place = |at: f64, k: usize| {
            let last = (spec.nodes[k] - 1) as f64;
            let u = ((at - spec.origin[k]) / spec.spacing).clamp(0.0, last);
            let low = libm::floor(u).min(last - 1.0);
            (low as usize, u - low)
        };
        let ((i, u), (j, v)) = (place(x, 0), place(y, 1));
        let (low, high) = (self.height([i, j]), self.height([i + 1, j + 1]));
        // cells are divided from their low corner to their high one
        let (along, across) = if u >= v {
            let side = self.height([i + 1, j]);
            (side - low, high - side)
        } else {
            let side = self.height([i, j + 1]);
            (high - side, side - low)
        };
        let (sx, sy) = (along / spec.spacing, across / spec.spacing);
        let up = 1.0 / (sx * sx + sy * sy + 1.0).sqrt();
        SurfacePoint { height: low + u * along + v * across, normal: [-sx * up, -sy * up, up] }
    }

    /// The layers of a column from the top down.
    pub fn layers(&self, node: [usize; 2]) -> impl Iterator<Item = Layer> + use<'a> {
        let (terrain, tile) = (self.terrain, self.state.tile(self.terrain, node));
        let share = terrain.share(node);
        let mut cut = tile.map_or(super::quanta::Mass::ZERO, |(tile, at)| tile.cut.get(at));
        let strata = std::iter::from_fn(move || {
            let layer = terrain.uppermost(share, cut)?;
            cut += layer.mass;
            Some(layer)
        });
        tile.into_iter().flat_map(|(tile, at)| tile.layers(at).rev()).chain(strata)
    }

    /// The layer at a depth below a node [m]; none in rock.
    pub fn layer_at(&self, node: [usize; 2], depth: f64) -> Option<Layer> {
        let share = self.terrain.share(node);
        let mut bottom = 0.0;
        self.layers(node).find(|layer| {
            bottom += self.terrain.thickness(layer, share);
            depth <= bottom
        })
    }

    /// The tiles that are not as at the start, in the order of their keys: their numbers along x and y, and the heights of
    /// their 32 × 32 nodes above a height that a tile never changes [m], x fastest.
    pub fn touched(&self) -> impl Iterator<Item = ([usize; 2], &'a [f32])> + use<'a> {
        let along = self.terrain.tiles_along;
        let tile = move |tile: &'a super::tile::Tile| {
            ([(tile.key % along) as usize, (tile.key / along) as usize], &tile.height[..])
        };
        self.state.sorted().map(tile)
    }

    /// The layer at the surface of a node; none on bare rock.
    pub fn top(&self, node: [usize; 2]) -> Option<Layer> {
        self.layers(node).next()
    }
}
