//! Ready-made models: dimensions of the text, checked → pieces of the kit → solids.

use crate::error::Problems;
use crate::kit::{Finish, Pieces, lattice, rigging, rotating, transport};
use crate::material::Materials;
use crate::number::{Factor, Number, Size};
use crate::text::model::Model;
use crate::visual::Solid;
use glam::DVec3;

/// Largest number of sheaves.
const MOST_SHEAVES: u32 = 12;
/// A 20-foot container [m]: ISO 668, 1CC.
const TWENTY_FEET: DVec3 = DVec3::new(6.058, 2.438, 2.591);

/// The meshes of a model.
pub fn pieces(model: &Model, p: &mut Problems) -> Option<Pieces> {
    let vector = |p: &mut Problems, size: &Option<_>, usual: DVec3| match size {
        Some(size) => p.vector("size", size),
        None => Some(usual),
    };
    let sheaves = |p: &mut Problems, key: &str, count: &Option<Number<Factor>>| {
        p.whole_or(key, count, 1..=MOST_SHEAVES, 1)
    };
    let given = |p: &mut Problems, key: &str, number: &Option<Number<Size>>| p.number_given(key, number);
    Some(match model {
        Model::LatticeBoom { length, width, height } => {
            let (length, width) = (p.number("length", length), p.number("width", width));
            let height = given(p, "height", height);
            let width = width?;
            lattice::boom(length?, [width, height?.unwrap_or(width)])
        }
        Model::LatticeMast { height, width } => {
            let (height, width) = (p.number("height", height), p.number("width", width));
            lattice::mast(height?, width?)
        }
        Model::IBeam { length, height, width } => {
            let (length, height) = (p.number("length", length), p.number("height", height));
            let width = given(p, "width", width);
            lattice::i_beam(length?, height?, width?)
        }
        Model::Hook { height } => rigging::hook(p.number("height", height)?),
        Model::HookBlock { sheaves: count, radius, rope_diameter } => {
            let (count, radius) = (sheaves(p, "sheaves", count), p.number("radius", radius));
            let rope = given(p, "rope_diameter", rope_diameter);
            rigging::hook_block(count?, radius?, rope?)
        }
        Model::Sheaves { count, radius, rope_diameter } => {
            let (count, radius) = (sheaves(p, "count", count), p.number("radius", radius));
            let rope = given(p, "rope_diameter", rope_diameter);
            rigging::sheaves(count?, radius?, rope?)
        }
        Model::Drum { radius, length, flange, rope_diameter } => {
            let (radius, length) = (p.number("radius", radius), p.number("length", length));
            let (flange, rope) = (given(p, "flange", flange), given(p, "rope_diameter", rope_diameter));
            rotating::drum(radius?, length?, flange?, rope?)
        }
        Model::Pulley { radius, rope_diameter, width } => {
            let radius = p.number("radius", radius);
            let (rope, width) = (given(p, "rope_diameter", rope_diameter), given(p, "width", width));
            rotating::pulley(radius?, rope?, width?)
        }
        Model::Wheel { radius, width, rim } => {
            let (radius, width) = (p.number("radius", radius), p.number("width", width));
            let rim = given(p, "rim", rim);
            rotating::wheel(radius?, width?, rim?)
        }
        Model::Gear { teeth, module, width, bore } => {
            let (module, width) = (p.number("module", module), p.number("width", width));
            let (teeth, bore) = (p.whole("teeth", teeth, 6..=400), given(p, "bore", bore));
            rotating::gear(teeth?, module?, width?, bore?)
        }
        Model::Shackle { pin } => rigging::shackle(p.number("pin", pin)?),
        Model::Chain { length, bar } => {
            let (length, bar) = (p.number("length", length), p.number("bar", bar));
            rigging::chain(length?, bar?)
        }
        Model::Container { size } => transport::container(vector(p, size, TWENTY_FEET)?),
        Model::Truck { length, width } => {
            let (length, width) = (p.number("length", length), p.number_or("width", width, 2.5));
            transport::truck(length?, width?)
        }
        Model::CarBody { size, wheelbase, wheel } => {
            let size = vector(p, size, DVec3::new(4.6, 1.78, 1.45));
            let (wheelbase, wheel) = (given(p, "wheelbase", wheelbase), p.number_or("wheel", wheel, 0.34));
            let size = size?;
            transport::car_body(size, wheelbase?.unwrap_or(0.6 * size.x), wheel?)
        }
        Model::Cabin { size } => transport::cabin(vector(p, size, DVec3::new(1.6, 1.2, 2.0))?),
        Model::Operator { height, sitting } => {
            transport::operator(p.number_or("height", height, 1.75)?, sitting.unwrap_or(false))
        }
    })
}

/// Solids of pieces about the body's origin; `own` is the appearance of the main part.
pub fn solids(
    pieces: Pieces,
    own: impl Fn(windlass_engine::prelude::Shape) -> Solid,
    materials: &Materials,
) -> Vec<Solid> {
    let solid = |(finish, mesh): (Finish, crate::kit::Trimesh)| match finish.material() {
        None => own(mesh.shape()),
        Some((name, color)) => {
            let material = materials.get(name).expect("it is in the library");
            Solid { color, ..Solid::new(mesh.shape(), name, material) }
        }
    };
    pieces.into_iter().map(solid).collect()
}
