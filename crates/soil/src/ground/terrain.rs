//! The model of a ground: its grid, the heights before anything is dug, and the strata below them.
//!
//! Strata lie parallel to the surface, so the mass above a depth is the same in every column of the same area. A column
//! of the state therefore stores only the mass that was taken off them, and the layers that lie on what is left.
//! Below the strata is rock.

use super::base::Heights;
use super::bits::SIDE;
use super::layer::Layer;
use super::quanta::Mass;
use super::soil::{Soil, SoilError};
use super::strength::Strength;
use thiserror::Error;

/// Soils of a ground, at most: an index is stored in seven bits.
pub const SOILS: usize = 128;

/// Mass of a column, at most [quanta]: 48 bits are stored.
const GREATEST_COLUMN: i64 = 1 << 47;

/// A stratum of the undisturbed ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Stratum {
    /// Index of its soil.
    pub soil: usize,
    /// Thickness [m].
    pub thickness: f64,
    /// Void ratio; that of the bank unless given.
    pub void_ratio: Option<f64>,
    /// Overconsolidation ratio: preconsolidation stress per weight above.
    pub overconsolidation: f64,
    /// Least preconsolidation stress [Pa]: a load that the stratum has borne besides its own weight, such as ice or traffic.
    pub preconsolidation: f64,
}

impl Stratum {
    /// A normally consolidated stratum in bank state.
    pub fn new(soil: usize, thickness: f64) -> Stratum {
        Stratum { soil, thickness, void_ratio: None, overconsolidation: 1.0, preconsolidation: 0.0 }
    }
}

/// What a ground is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainSpec {
    /// Position of the first node [m].
    pub origin: [f64; 2],
    /// Distance between nodes Δx [m].
    pub spacing: f64,
    /// Number of nodes along x and y.
    pub nodes: [usize; 2],
    /// Heights before anything is dug.
    pub heights: Heights,
    /// Strata, from the top down; none for bare rock.
    pub strata: Vec<Stratum>,
    /// The soils.
    pub soils: Vec<Soil>,
    /// Acceleration of gravity [m/s²].
    pub gravity: f64,
}

/// Why a ground cannot be made.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TerrainError {
    /// A soil is invalid.
    #[error(transparent)]
    Soil(#[from] SoilError),
    /// The grid is invalid.
    #[error(
        "the ground has {nodes:?} nodes with a spacing of {spacing} m: give 2 to 1000000 nodes per side and a spacing above 0"
    )]
    Grid {
        /// Number of nodes.
        nodes: [usize; 2],
        /// Spacing [m].
        spacing: f64,
    },
    /// The heights are invalid.
    #[error("the heights of the ground are not finite, or their number differs from that of their grid")]
    Heights,
    /// The number of soils is invalid.
    #[error("the ground has {0} soils: give 1 to {SOILS}")]
    Soils(usize),
    /// A stratum is invalid.
    #[error("stratum {number} of the ground: {quantity} is {value}, but must be {range}")]
    Stratum {
        /// Its number from the top, from 1.
        number: usize,
        /// The quantity.
        quantity: &'static str,
        /// Its value.
        value: f64,
        /// The admissible values.
        range: &'static str,
    },
    /// Gravity is invalid.
    #[error("the acceleration of gravity is {0} m/s², but must be finite and above 0")]
    Gravity(f64),
    /// Columns are too heavy to be counted.
    #[error(
        "a column of the ground has {0} kg, more than can be counted; reduce the spacing or the thickness of the strata"
    )]
    Heavy(f64),
}

/// A stratum with what follows from it, for a column of a given share of Δx².
#[derive(Clone, Debug)]
pub(crate) struct Bed {
    pub soil: u8,
    pub void_ratio: f64,
    pub thickness: f64,
    pub overconsolidation: f64,
    pub preconsolidation: f64,
    /// Depth of its top [m].
    pub depth: f64,
    /// Weight above its top [Pa].
    pub weight: f64,
    /// Its mass in a column, and its thickness per quantum [m], by share.
    pub mass: [Mass; SHARES.len()],
    pub per_quantum: [f64; SHARES.len()],
}

/// Areas of columns over Δx²: inside, at a border, and at corners where two triangles or one meet.
pub(crate) const SHARES: [f64; 4] = [1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0];

/// A ground before anything is dug.
#[derive(Clone, Debug)]
pub struct Terrain {
    spec: TerrainSpec,
    beds: Vec<Bed>,
    /// Mass of the strata in a column, by share.
    bed_mass: [Mass; SHARES.len()],
    /// Thickness of a quantum without voids [m], by soil and share.
    solid: Vec<[f64; SHARES.len()]>,
    /// Tiles along x.
    pub(crate) tiles_along: u32,
}

impl Terrain {
    /// Checks what it is made from.
    pub fn new(spec: TerrainSpec) -> Result<Terrain, TerrainError> {
        let TerrainSpec { nodes, spacing, .. } = spec;
        let sides = nodes.iter().all(|n| (2..=1_000_000).contains(n));
        let fits = |n: usize| n.div_ceil(SIDE) as u64;
        if !(sides && spacing.is_finite() && spacing > 0.0)
            || fits(nodes[0]) * fits(nodes[1]) >= u64::from(u32::MAX)
        {
            return Err(TerrainError::Grid { nodes, spacing });
        }
        if !spec.heights.is_valid() || spec.origin.iter().any(|x| !x.is_finite()) {
            return Err(TerrainError::Heights);
        }
        if !(1..=SOILS).contains(&spec.soils.len()) {
            return Err(TerrainError::Soils(spec.soils.len()));
        }
        if !(spec.gravity.is_finite() && spec.gravity > 0.0) {
            return Err(TerrainError::Gravity(spec.gravity));
        }
        spec.soils.iter().try_for_each(Soil::check)?;
        let beds = beds(&spec)?;
        let total = |share: usize| beds.iter().map(|bed| bed.mass[share]).sum();
        let bed_mass: [Mass; SHARES.len()] = std::array::from_fn(total);
        if bed_mass[0].0 >= GREATEST_COLUMN {
            return Err(TerrainError::Heavy(bed_mass[0].kilograms()));
        }
        let square = spacing * spacing * Mass::PER_KILOGRAM;
        let solid = |soil: &Soil| SHARES.map(|share| 1.0 / (soil.grain_density * share * square));
        let solid = spec.soils.iter().map(solid).collect();
        Ok(Terrain { beds, bed_mass, solid, tiles_along: nodes[0].div_ceil(SIDE) as u32, spec })
    }

    /// What it was made from.
    pub fn spec(&self) -> &TerrainSpec {
        &self.spec
    }

    /// Distance between nodes [m].
    pub fn spacing(&self) -> f64 {
        self.spec.spacing
    }

    /// Number of nodes along x and y.
    pub fn nodes(&self) -> [usize; 2] {
        self.spec.nodes
    }

    /// The soils.
    pub fn soils(&self) -> &[Soil] {
        &self.spec.soils
    }

    /// The soil of a layer.
    pub fn soil(&self, layer: &Layer) -> &Soil {
        &self.spec.soils[usize::from(layer.soil)]
    }

    /// Position of a node [m].
    pub fn position(&self, node: [usize; 2]) -> [f64; 2] {
        let at = |k: usize| self.spec.origin[k] + node[k] as f64 * self.spec.spacing;
        [at(0), at(1)]
    }

    /// The nearest node to a point, if the point is on the ground.
    pub fn nearest(&self, x: f64, y: f64) -> Option<[usize; 2]> {
        let place = |at: f64, k: usize| {
            let u = libm::floor((at - self.spec.origin[k]) / self.spec.spacing + 0.5);
            (u >= 0.0 && u < self.spec.nodes[k] as f64).then_some(u as usize)
        };
        Some([place(x, 0)?, place(y, 1)?])
    }

    /// Height of a node before anything was dug [m].
    pub fn base(&self, node: [usize; 2]) -> f64 {
        let [x, y] = self.position(node);
        self.spec.heights.at(x, y)
    }

    /// Area of the column of a node [m²].
    pub fn area(&self, node: [usize; 2]) -> f64 {
        SHARES[self.share(node)] * self.spec.spacing * self.spec.spacing
    }

    /// Index of the area of a node's column in `SHARES`. Cells are divided from their low corner to their high one.
    #[inline]
    pub(crate) fn share(&self, [i, j]: [usize; 2]) -> usize {
        let [nx, ny] = self.spec.nodes;
        let (low, high) = ([i == 0, j == 0], [i + 1 == nx, j + 1 == ny]);
        match (low[0] || high[0], low[1] || high[1]) {
            (false, false) => 0,
            (true, true) if low == [true; 2] || high == [true; 2] => 2,
            (true, true) => 3,
            _ => 1,
        }
    }

    /// Mass of the undisturbed ground.
    pub fn mass(&self) -> Mass {
        let [nx, ny] = self.spec.nodes.map(|n| n as i64);
        let (inside, borders) = ((nx - 2) * (ny - 2), 2 * (nx - 2) + 2 * (ny - 2));
        let counts = [inside, borders, 2, 2];
        Mass(counts.iter().zip(self.bed_mass).map(|(n, mass)| n * mass.0).sum())
    }

    /// Whether a column of the same masses is as high in another ground: the same grid, heights, strata, densities of
    /// grains and void ratios.
    pub(crate) fn has_columns_of(&self, other: &Terrain) -> bool {
        let (a, b) = (&self.spec, &other.spec);
        let grid = (a.origin, a.spacing, a.nodes, &a.heights) == (b.origin, b.spacing, b.nodes, &b.heights);
        let bed = |bed: &Bed| (bed.soil, bed.mass, bed.void_ratio.to_bits(), bed.thickness.to_bits());
        let grains = |spec: &TerrainSpec| {
            spec.soils.iter().map(|soil| soil.grain_density.to_bits()).collect::<Vec<_>>()
        };
        grid && self.beds.iter().map(bed).eq(other.beds.iter().map(bed)) && grains(a) == grains(b)
    }

    /// Strength of a layer under a normal stress [Pa].
    pub fn strength(&self, layer: &Layer, stress: f64) -> Strength {
        self.soil(layer).strength(layer.void_ratio, stress, layer.remoulded)
    }

    /// Moist unit weight of a layer [N/m³].
    pub fn unit_weight(&self, layer: &Layer) -> f64 {
        self.soil(layer).density(layer.void_ratio) * self.spec.gravity
    }

    /// Thickness of a layer in a column of a share [m].
    #[inline]
    pub(crate) fn thickness(&self, layer: &Layer, share: usize) -> f64 {
        layer.mass.0 as f64 * self.solid[usize::from(layer.soil)][share] * (1.0 + layer.void_ratio)
    }

    /// What is left of the uppermost stratum in a column of which a mass was taken off.
    pub(crate) fn uppermost(&self, share: usize, cut: Mass) -> Option<Layer> {
        let mut below = cut;
        for bed in &self.beds {
            let mass = bed.mass[share];
            if below < mass {
                let left = mass - below;
                let from = bed.thickness * (below.0 as f64 / mass.0 as f64);
                let unit =
                    (self.spec.soils[usize::from(bed.soil)].density(bed.void_ratio)) * self.spec.gravity;
                let preconsolidation = |depth: f64| {
                    (bed.overconsolidation * (bed.weight + unit * depth)).max(bed.preconsolidation)
                };
                return Some(Layer {
                    mass: left,
                    void_ratio: bed.void_ratio,
                    preconsolidation: [preconsolidation(from), preconsolidation(bed.thickness)],
                    soil: bed.soil,
                    remoulded: false,
                });
            }
            below -= mass;
        }
        None
    }

    /// Depth that the strata reach down to when a mass is taken off them [m].
    #[inline]
    pub(crate) fn depth(&self, share: usize, cut: Mass) -> f64 {
        if cut == Mass::ZERO {
            return 0.0;
        }
        let (mut below, mut depth) = (cut, 0.0);
        for bed in &self.beds {
            let mass = bed.mass[share];
            if below < mass {
                return bed.depth + below.0 as f64 * bed.per_quantum[share];
            }
            below -= mass;
            depth = bed.depth + bed.thickness;
        }
        depth
    }
}

/// The strata with what follows from them.
fn beds(spec: &TerrainSpec) -> Result<Vec<Bed>, TerrainError> {
    let (mut depth, mut weight) = (0.0, 0.0);
    let mut beds = Vec::new();
    for (k, stratum) in spec.strata.iter().enumerate() {
        let wrong = |quantity, value, range| TerrainError::Stratum { number: k + 1, quantity, value, range };
        let soil = spec.soils.get(stratum.soil);
        let Some(soil) = soil else {
            return Err(wrong("the index of its soil", stratum.soil as f64, "that of a soil of the ground"));
        };
        let thickness = stratum.thickness;
        if !(thickness.is_finite() && thickness > 0.0) {
            return Err(wrong("the thickness [m]", thickness, "finite and above 0"));
        }
        let ratio = stratum.overconsolidation;
        if !(ratio.is_finite() && ratio >= 1.0) {
            return Err(wrong("the overconsolidation ratio", ratio, "finite and at least 1"));
        }
        let preconsolidation = stratum.preconsolidation;
        if !(preconsolidation.is_finite() && preconsolidation >= 0.0) {
            return Err(wrong(
                "the preconsolidation stress [Pa]",
                preconsolidation,
                "finite and not negative",
            ));
        }
        let void_ratio = stratum.void_ratio.unwrap_or(soil.void_ratio.bank);
        if !(void_ratio >= soil.void_ratio.least && void_ratio <= soil.void_ratio.greatest) {
            return Err(wrong(
                "the void ratio",
                void_ratio,
                "between the least and the greatest of its soil",
            ));
        }
        let per_area = soil.dry_density(void_ratio) * thickness * spec.spacing * spec.spacing;
        let mass = SHARES.map(|share| Mass::from_kilograms(share * per_area));
        if mass[3] == Mass::ZERO {
            return Err(wrong("the thickness [m]", thickness, "larger: a column of it has no mass"));
        }
        let per_quantum = mass.map(|mass| thickness / mass.0 as f64);
        let overconsolidation = ratio;
        let soil_index = stratum.soil as u8;
        beds.push(Bed {
            soil: soil_index,
            void_ratio,
            thickness,
            overconsolidation,
            preconsolidation,
            depth,
            weight,
            mass,
            per_quantum,
        });
        depth += thickness;
        weight += soil.density(void_ratio) * spec.gravity * thickness;
    }
    Ok(beds)
}
