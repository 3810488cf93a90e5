//! Soil as a tool meets it: strength in itself and on steel, layers, and the ground around the tool.
//!
//! ```text
//! in itself  s = c + σ tan φ          on steel  s = c_a + σ tan δ
//! ```

/// Most layers of a column.
pub const MAX_LAYERS: usize = 8;

/// Strength of a soil by Mohr and Coulomb.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CuttingSoil {
    /// Bulk density as the soil lies, with its water [kg/m³].
    pub density: f64,
    /// Angle of internal friction φ [rad].
    pub friction: f64,
    /// Cohesion c [Pa].
    pub cohesion: f64,
    /// Angle of friction on the tool δ [rad].
    pub tool_friction: f64,
    /// Adhesion to the tool c_a [Pa].
    pub adhesion: f64,
}

impl CuttingSoil {
    /// The soil against itself in place of the tool: δ = φ, c_a = c. A full bucket cuts with the soil inside.
    pub fn on_soil(self) -> Self {
        Self { tool_friction: self.friction, adhesion: self.cohesion, ..self }
    }
}

/// Layers of a column from the top down. The last one extends without end.
#[derive(Clone, Copy, Debug)]
pub struct Strata {
    count: usize,
    /// Elevation of the lower side of each layer [m].
    bottoms: [f64; MAX_LAYERS],
    soils: [CuttingSoil; MAX_LAYERS],
}

impl Default for Strata {
    fn default() -> Self {
        let nothing =
            CuttingSoil { density: 0.0, friction: 0.0, cohesion: 0.0, tool_friction: 0.0, adhesion: 0.0 };
        Self { count: 0, bottoms: [0.0; MAX_LAYERS], soils: [nothing; MAX_LAYERS] }
    }
}

impl Strata {
    /// Removes all layers.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the layer below, down to an elevation. Beyond [`MAX_LAYERS`] nothing is added: the last layer continues.
    pub fn push(&mut self, bottom: f64, soil: CuttingSoil) {
        if self.count < MAX_LAYERS {
            self.bottoms[self.count] = bottom;
            self.soils[self.count] = soil;
            self.count += 1;
        }
    }

    /// Its soils from the top down.
    pub fn soils(&self) -> &[CuttingSoil] {
        &self.soils[..self.count]
    }

    /// The soil at an elevation: that of the last layer below all, an empty one if there is no layer.
    pub fn at(&self, elevation: f64) -> &CuttingSoil {
        let last = self.count.saturating_sub(1);
        let layer = self.bottoms[..last].iter().position(|&bottom| elevation >= bottom).unwrap_or(last);
        &self.soils[layer]
    }

    /// The soil, if a single layer reaches from an elevation up to all above it.
    pub fn only_above(&self, elevation: f64) -> Option<&CuttingSoil> {
        (self.count <= 1 || self.bottoms[0] <= elevation).then_some(&self.soils[0])
    }

    /// Mass per area of the column between two elevations [kg/m²], and the soil at the lower one.
    #[inline]
    pub fn above(&self, low: f64, high: f64) -> (f64, &CuttingSoil) {
        let (mut mass, mut top) = (0.0, high.max(low));
        let last = self.count.saturating_sub(1);
        for (soil, &bottom) in self.soils[..last].iter().zip(&self.bottoms) {
            if low >= bottom {
                return (mass + soil.density * (top - low), soil);
            }
            mass += soil.density * (top - bottom).max(0.0);
            top = top.min(bottom);
        }
        (mass + self.soils[last].density * (top - low), &self.soils[last])
    }

    /// A quantity averaged over the column between two elevations.
    pub fn mean(&self, low: f64, high: f64, quantity: impl Fn(&CuttingSoil) -> f64) -> f64 {
        let thickness = high - low;
        if self.count <= 1 || !(thickness > 0.0) {
            return quantity(self.at(low));
        }
        let (mut sum, mut top) = (0.0, high);
        for (i, soil) in self.soils().iter().enumerate() {
            let bottom = if i + 1 == self.count { low } else { self.bottoms[i].max(low).min(top) };
            sum += quantity(soil) * (top - bottom);
            top = bottom;
        }
        sum / thickness
    }
}

/// The ground around a tool, world axes.
pub trait Surface {
    /// Distance between the nodes of the ground [m].
    fn spacing(&self) -> f64;
    /// Height of the surface [m].
    fn height(&self, x: f64, y: f64) -> f64;
    /// Writes the layers of the column at a point into `strata`, which is empty.
    fn strata(&self, x: f64, y: f64, strata: &mut Strata);
    /// Weight per area of loose soil that lies on the surface [Pa].
    fn surcharge(&self, _x: f64, _y: f64) -> f64 {
        0.0
    }
}
