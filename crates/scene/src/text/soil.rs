//! Soils, grounds and tools as written in the file.

use super::body::{Body, BodyKind};
use super::soft_wheel::WheelSoil;
use crate::expand::entry::Entry;
use crate::number::{
    Angle, Coefficient, Density, Factor, Length, List, Mass, Modulus, Number, Numbers, Plain, Size, Two,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A soil: a known one that it is like, and what differs.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Soil {
    /// Name of a known soil: "dry_sand", "wet_sand", "gravel", "clay", "loam", "topsoil", "snow" or "muskeg"; its own name
    /// unless given.
    #[schemars(with = "Option<String>")]
    pub like: Option<Spanned<String>>,
    /// Angle of internal friction [rad].
    pub friction: Option<Number<Angle>>,
    /// Cohesion [Pa].
    pub cohesion: Option<Number<Modulus>>,
    /// Strength at the greatest void ratio, if it depends on compaction; `friction` and `cohesion` unless given.
    pub loose: Option<StrengthAt>,
    /// Strength at the least void ratio, if it depends on compaction: linear in the relative density in between;
    /// `friction` and `cohesion` unless given.
    pub dense: Option<StrengthAt>,
    /// Strength of sand by relative density and stress after Bolton (1986), without cohesion, instead of the others.
    pub bolton: Option<Bolton>,
    /// Cohesion that lumps keep once the soil has failed or was dumped [Pa].
    pub remoulded_cohesion: Option<Number<Modulus>>,
    /// Density in the bank, with its water [kg/m³].
    pub density: Option<Number<Density>>,
    /// Mass of water per mass of grains.
    pub water: Option<Number<Coefficient>>,
    /// Loose volume over volume in the bank.
    pub swell: Option<Number<Factor>>,
    /// Strength of the interface with steel.
    pub steel: Option<SteelInterface>,
    /// Compaction.
    pub compaction: Option<Compaction>,
    /// Sinkage and shear under wheels, rollers and plates.
    pub wheels: Option<WheelSoil>,
}

/// Strength of a soil at an end of the range of its void ratios.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StrengthAt {
    /// Angle of internal friction [rad].
    pub friction: Option<Number<Angle>>,
    /// Cohesion [Pa].
    pub cohesion: Option<Number<Modulus>>,
}

/// Constants of Bolton's law of strength.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bolton {
    /// Angle of internal friction at constant volume [rad].
    pub critical: Number<Angle>,
    /// Whether strain is plane, as before wide blades and under long strips, rather than triaxial; true unless given.
    pub plane_strain: Option<bool>,
}

/// Strength of the interface of a soil with steel.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SteelInterface {
    /// Angle of friction [rad]; at most that of the soil.
    pub friction: Option<Number<Angle>>,
    /// Adhesion [Pa].
    pub adhesion: Option<Number<Modulus>>,
}

/// Compression of a soil: void ratio over the logarithm of the vertical stress.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Compaction {
    /// Slope λ of the virgin line; without effect in a run, where wheels and tracks compact by their sinkage.
    pub lambda: Option<Number<Coefficient>>,
    /// Slope κ of the reload line; without effect in a run.
    pub kappa: Option<Number<Coefficient>>,
    /// Least void ratio.
    pub min_void_ratio: Option<Number<Coefficient>>,
}

/// Ground that can be dug, compacted and driven on: heights over a grid, and layers of soil.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ground {
    /// Extent along x and y [m].
    #[schemars(with = "Two<Size>")]
    pub size: Numbers<Size>,
    /// Distance of the nodes of the grid [m].
    pub spacing: Number<Size>,
    /// Position of its middle along x and y [m]; the origin unless given.
    #[schemars(with = "Option<Two<Length>>")]
    pub position: Option<Numbers<Length>>,
    /// Height at the start, the same everywhere [m]; 0 unless given.
    pub height: Option<Number<Length>>,
    /// Heights at the start from rows, a file or an expression, instead of `height`. A grid of them fills the extent of
    /// the ground, with bilinear interpolation.
    #[schemars(with = "Option<HeightGrid>")]
    pub heights: Option<Spanned<HeightGrid>>,
    /// Cones of the same soil on it at the start.
    pub piles: Option<Vec<Pile>>,
    /// Smooth bumps and pits of the same soil at the start; where they overlap, their heights add up.
    pub mounds: Option<Vec<Mound>>,
    /// Areas that are graded, and soil that is poured, at the start and in this order. Entries that are added at the end
    /// while the scene runs are carried out then; any other change of the list starts the ground anew.
    pub edits: Option<Vec<GroundEdit>>,
    /// Name of its soil, if it has a single layer: a section of `soils`, or a known soil.
    #[schemars(with = "Option<String>")]
    pub soil: Option<Spanned<String>>,
    /// Void ratio of its single layer; that of the soil in the bank unless given.
    pub void_ratio: Option<Number<Factor>>,
    /// Largest vertical stress that its single layer has borne (preconsolidation), without effect in a run [Pa]; its own
    /// weight unless given.
    pub preconsolidation_stress: Option<Number<Modulus>>,
    /// Layers from the surface down, instead of `soil`. Below them is rock.
    #[schemars(with = "Option<Vec<Layer>>")]
    pub layers: Option<Spanned<Vec<Layer>>>,
    /// Diameter of the particles of loose soil [m]; the spacing unless given.
    pub particle: Option<Number<Size>>,
    /// Most particles; soil beyond is carried by tools without moving on its own; 5000 unless given.
    pub particles: Option<Number<Plain>>,
    /// Boxes of loose soil at the start.
    pub loose: Option<Vec<LooseBox>>,
    /// Material of its surface, for contacts; the default material unless given.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Whether wheels roll on it as on a road, without sinking; false unless given.
    pub hard: Option<bool>,
}

/// An area that is graded, or soil that is poured: with `outline` and `height`, or with `at` and `mass`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GroundEdit {
    /// Corners of the polygon that is graded [m].
    #[schemars(with = "Option<Vec<Two<Length>>>")]
    pub outline: Option<Spanned<Vec<Numbers<Length>>>>,
    /// Height to which it is graded [m].
    pub height: Option<Number<Length>>,
    /// Middle of the soil that is poured, along x and y [m].
    #[schemars(with = "Option<Two<Length>>")]
    pub at: Option<Numbers<Length>>,
    /// Dry mass of the soil that is poured [kg].
    pub mass: Option<Number<Mass>>,
    /// Radius within which it lands [m]; twice the spacing unless given.
    pub radius: Option<Number<Length>>,
    /// Name of its soil, one of those of the ground; the first unless given.
    #[schemars(with = "Option<String>")]
    pub soil: Option<Spanned<String>>,
}

/// A box filled with particles of loose soil, which settle to about four fifths of its height.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LooseBox {
    /// Position of its middle [m].
    pub position: Numbers<Length>,
    /// Extent along x, y and z [m]; one particle at least along each.
    pub size: Numbers<Size>,
    /// Name of its soil, one of those of the ground; that of the uppermost layer unless given.
    #[schemars(with = "Option<String>")]
    pub soil: Option<Spanned<String>>,
}

/// A conical pile.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pile {
    /// Position of its summit along x and y [m].
    #[schemars(with = "Two<Length>")]
    pub at: Numbers<Length>,
    /// Height above the ground around it [m].
    pub height: Number<Size>,
    /// Angle of its slope [rad].
    pub slope: Number<Angle>,
}

/// A smooth bump, or a pit: h (1 − d²/r²)² at the distance d from its middle.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Mound {
    /// Position of its middle along x and y [m].
    #[schemars(with = "Two<Length>")]
    pub at: Numbers<Length>,
    /// Distance from its middle where it ends, r [m].
    pub radius: Number<Size>,
    /// Height of its middle above the ground around it, h [m]; below 0 for a pit.
    pub height: Number<Length>,
}

/// Heights of a ground: exactly one of `rows`, `file` and `expression`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HeightGrid {
    /// Rows of heights [m]: x increases along a row, and the first row has the lowest y.
    #[schemars(with = "Option<Vec<List<Length>>>")]
    pub rows: Option<Spanned<Vec<Numbers<Length>>>>,
    /// File in the folder of the scene: such rows (.csv or .txt), or a grey image of 8 or 16 bits (.png). A row of an
    /// image has the same y, and its first row has the highest. Black has the height 0, white the height 1.
    #[schemars(with = "Option<String>")]
    pub file: Option<Spanned<String>>,
    /// Metres per unit of the file; for an image the height of white above black [m]; 1 unless given.
    pub scale: Option<Number<Factor>>,
    /// Height that is added to those of the file [m]; 0 unless given.
    pub offset: Option<Number<Length>>,
    /// Height as a function of the position `x` and `y` [m], such as "0.3 * sin(x) + 0.05 * y". It is evaluated at the
    /// nodes, of which a side may have at most 1001: a finer ground is interpolated between 1001.
    #[schemars(with = "Option<String>")]
    pub expression: Option<Spanned<String>>,
}

/// A layer of a ground.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Name of its soil.
    #[schemars(with = "String")]
    pub soil: Spanned<String>,
    /// Thickness [m].
    pub thickness: Number<Size>,
    /// Void ratio; that of the soil in the bank unless given.
    pub void_ratio: Option<Number<Factor>>,
    /// Largest vertical stress that it has borne (preconsolidation), without effect in a run [Pa]; its own weight unless
    /// given.
    pub preconsolidation_stress: Option<Number<Modulus>>,
}

/// A tool that cuts a ground: a blade, a bucket, a ripper, a plough.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Its body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Name of its ground. The tool of an instance cuts nothing in a scene without grounds; the only ground unless given.
    #[schemars(with = "Option<String>")]
    pub ground: Option<Spanned<String>>,
    /// Cutting edge in the axes of the body: points from right to left as seen in the direction of cutting [m].
    #[schemars(with = "Vec<Numbers<Length>>")]
    pub edge: Spanned<Vec<Numbers<Length>>>,
    /// Direction of the face from the edge upwards, in the axes of the body.
    pub face: Numbers<Plain>,
    /// Length of the face [m].
    pub height: Number<Size>,
    /// Radius of a face that curves forward [m]; a plane unless given.
    pub radius: Option<Number<Size>>,
    /// Thickness of the edge [m]; 0 unless given.
    pub thickness: Option<Number<Length>>,
    /// Length of end plates, square to the face [m]. Face and end plates enclose what the tool holds: a full bucket cuts
    /// with its load; none, so that soil also fails at the sides, unless given.
    pub end_plates: Option<Number<Length>>,
    /// Teeth before the edge.
    pub teeth: Option<Teeth>,
}

/// A bin: a truck bed, a skip, a trough. Loose soil that comes to rest in it becomes part of its body, flows as the body
/// tilts, and leaves over the rims. The walls themselves are collision shapes of the body.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    /// Its body.
    #[schemars(with = "String")]
    pub body: Spanned<String>,
    /// Name of the ground whose loose soil it holds. The bin of an instance holds nothing in a scene without grounds; the
    /// only ground unless given.
    #[schemars(with = "Option<String>")]
    pub ground: Option<Spanned<String>>,
    /// Middle of its floor in the axes of the body [m]; the origin unless given.
    pub at: Option<Numbers<Length>>,
    /// Inner length and width, along x and y of the body [m].
    #[schemars(with = "Two<Size>")]
    pub size: Numbers<Size>,
    /// Height of its rims above the floor [m].
    pub height: Number<Size>,
    /// Heights of rims that differ.
    pub rims: Option<Rims>,
    /// Size of its cells [m]; the spacing of the ground unless given.
    pub spacing: Option<Number<Size>>,
}

/// Heights of single rims of a bin above its floor; 0 for an open side.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rims {
    /// Towards +x of the body [m].
    pub front: Option<Number<Length>>,
    /// Towards −x of the body [m].
    pub back: Option<Number<Length>>,
    /// Towards +y of the body [m].
    pub left: Option<Number<Length>>,
    /// Towards −y of the body [m].
    pub right: Option<Number<Length>>,
}

/// Teeth of a tool, evenly spaced.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Teeth {
    /// Their number.
    pub count: Number<Plain>,
    /// Width of each [m].
    pub width: Number<Size>,
    /// Length beyond the edge [m].
    pub length: Number<Size>,
    /// Thickness of the tips [m]; a quarter of the width unless given.
    pub thickness: Option<Number<Size>>,
}

/// The static body of a ground, which has its name.
pub(crate) fn body_of(entry: &Entry<Ground>) -> Entry<Body> {
    let at = entry.value.position.as_ref();
    let value = Body {
        r#type: Some(Spanned::new(0..0, BodyKind::Static)),
        position: at.map(|at| at.clone().and(0.0)),
        material: entry.value.material.clone(),
        ..Body::default()
    };
    Entry { name: entry.name.clone(), span: entry.span.clone(), value, group: entry.group.clone() }
}
