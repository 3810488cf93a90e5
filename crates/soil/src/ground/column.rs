//! The layers of one column, from below; at most eight. When there are more, the two neighbours most alike are joined.

use super::layer::Layer;

/// Layers of a column, at most.
pub(crate) const LAYERS: usize = 8;

/// The layers that lie on the strata of a column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    layers: [Layer; LAYERS + 1],
    count: usize,
}

impl Column {
    /// From layers, the lowest first; at most `LAYERS`.
    pub fn new(layers: impl Iterator<Item = Layer>) -> Column {
        let mut column = Column { layers: [Layer::default(); LAYERS + 1], count: 0 };
        for layer in layers.take(LAYERS) {
            column.layers[column.count] = layer;
            column.count += 1;
        }
        column
    }

    /// The layers, the lowest first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers[..self.count]
    }

    /// The layers, the lowest first.
    pub fn layers_mut(&mut self) -> &mut [Layer] {
        &mut self.layers[..self.count]
    }

    /// Whether a further layer would cause two to be joined.
    pub fn is_full(&self) -> bool {
        self.count >= LAYERS
    }

    /// Lays a layer on top; joins it with one that is alike.
    pub fn put(&mut self, layer: Layer, grains: impl Fn(u8) -> f64) {
        match self.layers[..self.count].last_mut() {
            Some(top) if top.is_like(&layer) => *top = Layer::joined(&layer, top, grains),
            _ => self.insert(self.count, layer, grains),
        }
    }

    /// Inserts a layer so that it has an index; joins the two most alike if there are too many.
    pub fn insert(&mut self, index: usize, layer: Layer, grains: impl Fn(u8) -> f64) {
        self.layers.copy_within(index..self.count, index + 1);
        self.layers[index] = layer;
        self.count += 1;
        if self.count > LAYERS {
            self.join_most_alike(grains);
        }
    }

    fn join_most_alike(&mut self, grains: impl Fn(u8) -> f64) {
        let distance = |k: usize| self.layers[k].distance(&self.layers[k + 1]);
        let mut best = 0;
        for k in 1..self.count - 1 {
            if distance(k) < distance(best) {
                best = k;
            }
        }
        self.layers[best] = Layer::joined(&self.layers[best + 1], &self.layers[best], grains);
        self.layers.copy_within(best + 2..self.count, best + 1);
        self.count -= 1;
        self.layers[self.count] = Layer::default();
    }
}
