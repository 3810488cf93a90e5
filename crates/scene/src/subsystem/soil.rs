//! Soils, grounds and tools of a scene → the subsystem.

mod bin_reading;
mod mound;
mod surface;

pub use bin_reading::BinReading;
pub use surface::{GroundSurface, LooseParticle, SurfaceSoil, TILE, ToolReading};
mod clearance;
pub(crate) mod edits;
pub mod look;
pub(crate) mod placement;
pub mod report;
mod sinkage;
mod strength;
pub mod warning;

use super::loose;
use crate::error::Problems;
use crate::number::{Factor, Modulus, Number};
use crate::suggestion::digits;
use crate::text::Entry;
use crate::text::soil::{Ground as GroundText, Pile, Soil as SoilText, Tool as ToolText};
use glam::{DVec2, DVec3};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{BodyId, Edit, Geometry, SubsystemEdit, World};
pub(crate) use windlass_soil::Earthworks;
use windlass_soil::cutting::{Teeth, Tool};
use windlass_soil::ground::soil::SoilError;
use windlass_soil::ground::{Heights, Soil, Stratum, Terrain, TerrainSpec};
use windlass_soil::{EarthEdit, GroundModel, ToolModel};

/// Thickness of a single layer [m].
const DEEP: f64 = 20.0;
/// Most nodes along a side.
const MOST_NODES: f64 = 65_535.0;

/// Heights of a ground at the start, with the numbers of heights along x and y.
pub(crate) struct HeightRows {
    pub columns: usize,
    pub heights: Vec<f64>,
}

/// Extent of a ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub nodes: [usize; 2],
    pub spacing: f64,
    /// Position of its middle [m].
    pub middle: [f64; 2],
}

impl Extent {
    /// That of a ground; errors are reported.
    pub fn read(text: &GroundText, p: &mut Problems) -> Option<Extent> {
        let (size, spacing) = (p.pair("size", &text.size), p.number("spacing", &text.spacing));
        let middle = text.position.as_ref().map_or(Some([0.0; 2]), |at| p.pair("position", at));
        let (size, spacing, middle) = (size?, spacing?, middle?);
        let cells = size.map(|side| (side / spacing).round());
        let whole = size.iter().zip(cells).all(|(side, n)| (side - n * spacing).abs() <= 1e-6 * side);
        if cells.iter().any(|n| !(1.0..MOST_NODES).contains(n)) || !whole {
            let help =
                format!("give a size of 1 to {MOST_NODES} times the spacing, a whole number along each side");
            let message = format!("a ground of {} m by {} m in cells of {spacing} m", size[0], size[1]);
            p.advise(text.spacing.span(), message, help);
            return None;
        }
        Some(Extent { nodes: cells.map(|n| n as usize + 1), spacing, middle })
    }

    /// Its collider.
    pub fn geometry(&self) -> Geometry {
        Geometry::Ground { nodes: self.nodes, spacing: self.spacing }
    }

    /// Position of a point of a grid that fills it and has a number of points along x and y [m].
    pub fn place(&self, at: [usize; 2], counts: [usize; 2]) -> [f64; 2] {
        let origin = self.origin();
        let side = |k: usize| (self.nodes[k] - 1) as f64 * self.spacing;
        [0, 1].map(|k| origin[k] + side(k) * (at[k] as f64 / (counts[k] - 1) as f64))
    }

    fn origin(&self) -> [f64; 2] {
        let half = |k: usize| 0.5 * (self.nodes[k] - 1) as f64 * self.spacing;
        [self.middle[0] - half(0), self.middle[1] - half(1)]
    }
}

/// Soils by name: those of the scene, or known ones.
pub(crate) struct Soils<'a>(pub &'a [Entry<SoilText>]);

impl Soils<'_> {
    /// The soil of a name; errors are reported.
    fn find(&self, name: &Spanned<String>, p: &mut Problems) -> Option<Soil> {
        let own = self.0.iter().find(|entry| entry.name == *name.get_ref());
        let Some(entry) = own else { return known(name, p) };
        let like = match &entry.value.like {
            Some(like) => known(like, p)?,
            None => known(&Spanned::new(entry.span.clone(), entry.name.clone()), p)?,
        };
        let soil = changed(like, entry, p)?;
        if let Err(error) = soil.check() {
            p.advise(culprit(entry, &error), error.to_string(), "correct this soil");
            return None;
        }
        Some(soil)
    }
}

/// The key of a soil that an error is about; its name if it is about several.
fn culprit(entry: &Entry<SoilText>, error: &SoilError) -> Range<usize> {
    let text = &entry.value;
    let steel = text.steel.as_ref().and_then(|steel| steel.friction.as_ref()).map(|n| n.span());
    let compaction = text.compaction.as_ref();
    let least = compaction.and_then(|c| c.min_void_ratio.as_ref()).map(|n| n.span());
    let kappa = compaction.and_then(|c| c.kappa.as_ref().map(|n| n.span()));
    let lambda = compaction.and_then(|c| c.lambda.as_ref().map(|n| n.span()));
    let found = match error {
        SoilError::Order { smaller: "the friction angle on steel [deg]", .. } => steel,
        SoilError::Order { smaller: "the least void ratio", .. } => least,
        SoilError::Order { smaller: "kappa", .. } => kappa.or(lambda),
        SoilError::Order { larger: "the loose void ratio", .. } => text.swell.as_ref().map(|n| n.span()),
        _ => None,
    };
    found.unwrap_or_else(|| entry.span.clone())
}

fn known(name: &Spanned<String>, p: &mut Problems) -> Option<Soil> {
    let soil = Soil::named(name.get_ref());
    if let Err(error) = &soil {
        let help = "name a known soil, or define it as [soils.NAME] with like = \"topsoil\"";
        p.advise(name.span(), error.to_string(), help);
    }
    soil.ok()
}

/// A soil with the values that the scene gives.
fn changed(mut soil: Soil, entry: &Entry<SoilText>, p: &mut Problems) -> Option<Soil> {
    let text = &entry.value;
    soil.name.clone_from(&entry.name);
    let strength = strength::law(&soil, text, p);
    let remoulded = p.number_given("remoulded_cohesion", &text.remoulded_cohesion);
    let (density, water) = (p.number_given("density", &text.density), p.number_given("water", &text.water));
    let swell = p.number_given("swell", &text.swell);
    let steel = text.steel.as_ref();
    let steel_friction = steel.map_or(Some(None), |s| p.number_given("friction", &s.friction));
    let adhesion = steel.map_or(Some(None), |s| p.number_given("adhesion", &s.adhesion));
    let compaction = text.compaction.as_ref();
    let lambda = compaction.map_or(Some(None), |c| p.number_given("lambda", &c.lambda));
    let kappa = compaction.map_or(Some(None), |c| p.number_given("kappa", &c.kappa));
    let least = compaction.map_or(Some(None), |c| p.number_given("min_void_ratio", &c.min_void_ratio));
    soil.strength = strength?;
    soil.remoulded_cohesion = remoulded?.unwrap_or(soil.remoulded_cohesion);
    soil.water = water?.unwrap_or(soil.water);
    if let Some(density) = density? {
        soil.grain_density = density / (1.0 + soil.water) * (1.0 + soil.void_ratio.bank);
    }
    if let Some(swell) = swell? {
        soil = soil.with_swell(swell);
    }
    soil.steel.friction =
        steel_friction?.unwrap_or(soil.steel.friction.min(soil.strength.friction_range()[1]));
    soil.steel.adhesion = adhesion?.unwrap_or(soil.steel.adhesion);
    soil.compression.lambda = lambda?.unwrap_or(soil.compression.lambda);
    soil.compression.kappa = kappa?.unwrap_or(soil.compression.kappa);
    soil.void_ratio.least = least?.unwrap_or(soil.void_ratio.least);
    match &text.wheels {
        Some(wheels) => sinkage::under_wheels(soil, wheels, entry, p),
        None => Some(soil),
    }
}

/// A ground of a scene with what it stands on.
pub(crate) struct GroundPlan<'a> {
    pub entry: &'a Entry<GroundText>,
    pub extent: Extent,
    pub heights: Option<HeightRows>,
    pub flat: f64,
    pub body: BodyId,
    pub gravity: f64,
}

/// Makes a ground; errors are reported.
pub(crate) fn ground(plan: GroundPlan<'_>, soils: &Soils<'_>, p: &mut Problems) -> Option<GroundModel> {
    let GroundPlan { entry, extent, heights, flat, body, gravity } = plan;
    let text = &entry.value;
    let (strata, soils) = layers(entry, soils, p)?;
    let heights = heights.map_or(Heights::Flat(flat), |rows| {
        let nodes = [rows.columns, rows.heights.len() / rows.columns.max(1)];
        let step = |k: usize| (extent.nodes[k] - 1) as f64 * extent.spacing / (nodes[k] - 1) as f64;
        Heights::Grid { origin: extent.origin(), spacing: [step(0), step(1)], nodes, values: rows.heights }
    });
    let heights = match &text.piles {
        Some(piles) => with_piles(heights, piles, &extent, p)?,
        None => heights,
    };
    let heights = match &text.mounds {
        Some(mounds) => mound::added(heights, mounds, &extent, p)?,
        None => heights,
    };
    let (origin, spacing, nodes) = (extent.origin(), extent.spacing, extent.nodes);
    let spec = TerrainSpec { origin, spacing, nodes, heights, strata, soils, gravity };
    let terrain = Terrain::new(spec)
        .map_err(|error| p.advise(entry.span.clone(), error.to_string(), "correct this ground"))
        .ok()?;
    let mut model = GroundModel::new(&entry.name, body, terrain);
    model.hard = text.hard == Some(true);
    model.particle = p.number_or("particle", &text.particle, model.particle)?;
    model.budget = p.whole_or("particles", &text.particles, 0..=1_000_000, model.budget as u32)? as usize;
    if let Some(particle) = text.particle.as_ref().filter(|_| model.particle > 3.0 * spacing) {
        let help = "give a diameter of at most three times the spacing of the ground";
        p.advise(particle.span(), format!("particles of {} m", model.particle), help);
        return None;
    }
    for part in text.loose.iter().flatten() {
        model.start.push(loose::loose_box(part, &model, p)?);
    }
    Some(model)
}

/// Heights with cones on them, at the nodes.
fn with_piles(heights: Heights, piles: &[Pile], extent: &Extent, p: &mut Problems) -> Option<Heights> {
    let mut cones = Vec::new();
    for pile in piles {
        let (at, height, slope) =
            (p.pair("at", &pile.at), p.number("height", &pile.height), p.number("slope", &pile.slope));
        let (at, height, slope) = (at?, height?, slope?);
        if !(slope > 0.0 && slope < std::f64::consts::FRAC_PI_2) {
            p.advise(
                pile.slope.span(),
                format!("a slope of {slope} rad"),
                "give more than 0 and less than 90 deg",
            );
            return None;
        }
        cones.push((DVec2::from(at), height, libm::tan(slope)));
    }
    let (origin, spacing, nodes) = (extent.origin(), extent.spacing, extent.nodes);
    let at = |k: usize| {
        let [i, j] = [k % nodes[0], k / nodes[0]];
        let x = DVec2::new(origin[0] + i as f64 * spacing, origin[1] + j as f64 * spacing);
        let cone = |(summit, height, slope): &(DVec2, f64, f64)| height - slope * x.distance(*summit);
        heights.at(x.x, x.y) + cones.iter().map(cone).fold(0.0, f64::max)
    };
    let values = (0..nodes[0] * nodes[1]).map(at).collect();
    Some(Heights::Grid { origin, spacing: [spacing; 2], nodes, values })
}

/// Strata of a ground, and their soils.
fn layers(
    entry: &Entry<GroundText>,
    soils: &Soils<'_>,
    p: &mut Problems,
) -> Option<(Vec<Stratum>, Vec<Soil>)> {
    let text = &entry.value;
    match (&text.soil, &text.layers) {
        (Some(name), None) => {
            let soil = soils.find(name, p)?;
            let stratum = stratum((0, &soil), DEEP, (&text.void_ratio, &text.preconsolidation_stress), p)?;
            Some((vec![stratum], vec![soil]))
        }
        (None, Some(_)) if text.void_ratio.is_some() || text.preconsolidation_stress.is_some() => {
            let span = text.void_ratio.as_ref().map(|n| n.span());
            let span = span.or(text.preconsolidation_stress.as_ref().map(|n| n.span())).unwrap_or(0..0);
            let help = "give it in each layer: { soil = \"clay\", thickness = \"2 m\", void_ratio = 0.8 }";
            p.advise(span, "`void_ratio` or `preconsolidation_stress` of a ground with `layers`", help);
            None
        }
        (None, Some(layers)) => {
            let (mut strata, mut all) = (Vec::new(), Vec::<Soil>::new());
            for layer in layers.get_ref() {
                let soil = soils.find(&layer.soil, p);
                let thickness = p.number("thickness", &layer.thickness);
                let (soil, thickness) = (soil?, thickness?);
                let number = all.iter().position(|other| *other == soil).unwrap_or(all.len());
                strata.push(stratum(
                    (number, &soil),
                    thickness,
                    (&layer.void_ratio, &layer.preconsolidation_stress),
                    p,
                )?);
                if number == all.len() {
                    all.push(soil);
                }
            }
            if strata.is_empty() {
                p.advise(layers.span(), "a ground without layers", "give at least one");
                return None;
            }
            Some((strata, all))
        }
        _ => {
            let help = "give `soil = \"topsoil\"`, or `layers`";
            p.advise(
                entry.span.clone(),
                format!("ground \"{}\" needs either `soil` or `layers`", entry.name),
                help,
            );
            None
        }
    }
}

/// A stratum of a soil of a number; errors are reported.
fn stratum(
    (number, soil): (usize, &Soil),
    thickness: f64,
    (void_ratio, preconsolidation): (&Option<Number<Factor>>, &Option<Number<Modulus>>),
    p: &mut Problems,
) -> Option<Stratum> {
    let given = p.number_given("void_ratio", void_ratio);
    let preconsolidation = p.number_or("preconsolidation_stress", preconsolidation, 0.0);
    let (given, preconsolidation) = (given?, preconsolidation?);
    let [least, greatest] = [soil.void_ratio.least, soil.void_ratio.greatest];
    if let (Some(text), Some(e)) = (void_ratio, given)
        && !(least..=greatest).contains(&e)
    {
        let message = format!("`void_ratio` is {e}, beyond the range of soil \"{}\"", soil.name);
        let help = format!(
            "give {} to {}, or change compaction.min_void_ratio or swell of the soil",
            digits(least),
            digits(greatest)
        );
        p.advise(text.span(), message, help);
        return None;
    }
    Some(Stratum { void_ratio: given, preconsolidation, ..Stratum::new(number, thickness) })
}

/// Index of the ground that a tool or bin names, or of the only one.
pub(super) fn find_ground(
    name: &Option<Spanned<String>>,
    (what, own, span): (&str, &str, &Range<usize>),
    grounds: &[GroundModel],
    p: &mut Problems,
) -> Option<usize> {
    let help = "define it as [grounds.NAME]";
    // an empty name is that of a parameter that was not given
    match name.as_ref().filter(|name| !name.get_ref().is_empty()) {
        Some(name) => {
            let found = grounds.iter().position(|ground| ground.name == *name.get_ref());
            if found.is_none() {
                p.advise(name.span(), format!("no ground \"{}\"", name.get_ref()), help);
            }
            found
        }
        None if grounds.len() == 1 => Some(0),
        None => {
            let message = format!("{what} \"{own}\" needs a `ground`: the scene has {}", grounds.len());
            p.advise(span.clone(), message, "give ground = \"NAME\" and define it as [grounds.NAME]");
            None
        }
    }
}

/// A tool on its body, for one of the grounds.
pub(crate) fn tool(
    entry: &Entry<ToolText>,
    body: BodyId,
    grounds: &[GroundModel],
    p: &mut Problems,
) -> Option<ToolModel> {
    let text = &entry.value;
    let ground = find_ground(&text.ground, ("tool", entry.name.as_str(), &entry.span), grounds, p)?;
    let edge: Vec<_> = text.edge.get_ref().iter().map(|point| p.vector("edge", point)).collect();
    let (face, height) = (p.vector("face", &text.face), p.number("height", &text.height));
    let radius = p.number_or("radius", &text.radius, f64::INFINITY);
    let thickness = p.number_or("thickness", &text.thickness, 0.0);
    let end_plates = p.number_given("end_plates", &text.end_plates);
    let teeth = text.teeth.as_ref().map(|teeth| {
        let (count, width) = (p.number("count", &teeth.count), p.number("width", &teeth.width));
        let (length, width) = (p.number("length", &teeth.length), width?);
        let thickness = p.number_or("thickness", &teeth.thickness, 0.25 * width);
        Some(Teeth { count: count? as u32, width, length: length?, thickness: thickness? })
    });
    let edge: Option<Vec<DVec3>> = edge.into_iter().collect();
    let tool = Tool {
        edge: edge?,
        face: face?,
        height: height?,
        radius: radius?,
        thickness: thickness?,
        end_plates: end_plates?,
        teeth: teeth.map_or(Some(None), |teeth| teeth.map(Some))?,
    };
    if let Err(error) = tool.check() {
        p.advise(text.edge.span(), error.to_string(), "correct this tool");
        return None;
    }
    Some(ToolModel { name: entry.name.clone(), body, ground, tool })
}

/// The edit that gives a world these grounds, tools and bins.
pub(crate) fn edit(works: Earthworks) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<Earthworks>(EarthEdit::Set(works, None)))
}

/// The edits that give a world the grounds and tools of another one, with the ids of its own bodies; none if it has them
/// already. `same` tells that the texts do not differ; they are the grounds of the old text and of the new one.
pub(crate) fn change(
    world: &World,
    after: &World,
    (same, texts): (bool, [&[Entry<GroundText>]; 2]),
    body: impl Fn(BodyId) -> BodyId,
) -> Vec<Edit> {
    let of =
        |world: &World| world.subsystem::<Earthworks>().map(|(works, _)| works.clone()).unwrap_or_default();
    let (now, mut wanted) = (of(world), of(after));
    wanted.grounds.iter_mut().for_each(|ground| ground.body = body(ground.body));
    wanted.tools.iter_mut().for_each(|tool| tool.body = body(tool.body));
    wanted.bins.iter_mut().for_each(|bin| bin.body = body(bin.body));
    wanted.wheels.iter_mut().for_each(|wheel| wheel.body = body(wheel.body));
    for track in &mut wanted.tracks {
        (track.frame, track.sprocket) = (body(track.frame), body(track.sprocket));
    }
    let same_grounds = now.grounds.iter().map(|g| g.body).eq(wanted.grounds.iter().map(|g| g.body));
    let same_tools = (&now.tools, &now.bins, &now.wheels) == (&wanted.tools, &wanted.bins, &wanted.wheels);
    let same_tools = same_tools && now.tracks == wanted.tracks;
    if same && same_grounds && same_tools {
        return Vec::new();
    }
    let later = edits::continued(world, &wanted, texts);
    std::iter::once(edit(wanted)).chain(later).collect()
}

/// A ground of a world, for displays and exports.
#[derive(Clone, Copy, Debug)]
pub struct GroundReading<'a> {
    /// Its name.
    pub name: &'a str,
    /// Position of its first node [m], distance of nodes [m], and their numbers.
    pub origin: [f64; 2],
    /// Distance of the nodes [m].
    pub spacing: f64,
    /// Numbers of nodes along x and y.
    pub nodes: [usize; 2],
    model: &'a GroundModel,
    state: &'a windlass_soil::world::GroundState,
}

impl<'a> GroundReading<'a> {
    /// All grounds of a world.
    pub fn all(world: &'a World) -> Vec<GroundReading<'a>> {
        let Some((works, state)) = world.subsystem::<Earthworks>() else { return Vec::new() };
        let grounds = works.grounds.iter().zip(&state.grounds);
        let reading = |(model, state): (&'a GroundModel, &'a windlass_soil::world::GroundState)| {
            let spec = model.terrain.spec();
            let (origin, spacing, nodes) = (spec.origin, spec.spacing, spec.nodes);
            GroundReading { name: &model.name, origin, spacing, nodes, model, state }
        };
        grounds.map(reading).collect()
    }

    /// Height of a node [m].
    pub fn height(&self, node: [usize; 2]) -> f64 {
        self.state.terrain.height(&self.model.terrain, node)
    }

    /// Name of the soil at the surface of a node, and whether it is loose.
    pub fn surface(&self, node: [usize; 2]) -> Option<(&'a str, bool)> {
        let ground = windlass_soil::ground::Ground::new(&self.model.terrain, &self.state.terrain);
        let layer = ground.top(node)?;
        Some((self.model.terrain.soil(&layer).name.as_str(), layer.remoulded))
    }

    /// Positions and radii of the particles of loose soil [m].
    pub fn particles(&self) -> impl Iterator<Item = (DVec3, f64)> + use<'a> {
        self.state.particles.iter().map(|particle| (particle.position, particle.radius))
    }
}

/// Position of errors that concern grounds as a whole: the first one.
pub(crate) fn span(grounds: &[Entry<GroundText>]) -> Range<usize> {
    grounds.first().map_or(0..0, |entry| entry.span.clone())
}
