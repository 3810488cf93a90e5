//! Bodies that float at the surface of a liquid → their hydrostatics, with all that is joined to them or hangs from them.
//!
//! Bodies that are joined, other than by ropes, float as one: their hulls together displace what their masses together
//! weigh. A load that hangs from a rope counts at its block, the point of the rope above it, with its weight in the
//! liquid. If it hangs from several points, each bears an equal part; of a chain of loads each bears what is below it.

use glam::{DMat3, DQuat, DVec3};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use windlass_engine::math;
use windlass_engine::prelude::{Anchor, BodyId, JointKind, Mass, SpatialMatrix, World};
use windlass_fluid::hull::Pose;
use windlass_fluid::hydrostatics::{FloatingBody, Hydrostatics};
use windlass_fluid::{AddedMass, Fluid, Fluids, Hull, HullPart, ImmersedBody};

/// Step between the heels of the righting-arm curve [deg], and their number.
const HEEL_STEP: u32 = 5;
const HEELS: u32 = 18;
/// Loads that hang below each other at most: hook, sling, load.
const CHAIN: usize = 8;

/// Hydrostatics of a floating body at the orientation of the scene.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Vessel {
    /// Name of the body; of several hulls that are joined, the first in the surface.
    pub body: String,
    /// Number of bodies joined to it, other than by ropes. Their hulls float with it, and it carries their mass.
    pub joined: usize,
    /// Mass with the bodies joined to it and the loads that hang from it [kg].
    pub mass: f64,
    /// Weight of the loads that hang from its ropes, as a mass at their blocks [kg].
    pub hanging: f64,
    /// Draft in the scene [m].
    pub scene_draft: f64,
    /// Draft at which it floats [m].
    pub draft: f64,
    /// Displacement [kg].
    pub displacement: f64,
    /// Area of its water plane [m²].
    pub water_plane_area: f64,
    /// Centre of buoyancy over the keel [m].
    pub kb: f64,
    /// Centre of gravity over the keel [m].
    pub kg: f64,
    /// Transverse metacentric height [m]; below zero it is not stable upright.
    pub gm_transverse: f64,
    /// Longitudinal metacentric height [m].
    pub gm_longitudinal: f64,
    /// Natural period of heave [s]; none where it is not stable.
    pub heave_period: Option<f64>,
    /// Natural period of roll [s]; none where it is not stable.
    pub roll_period: Option<f64>,
    /// Natural period of pitch [s]; none where it is not stable.
    pub pitch_period: Option<f64>,
    /// Added mass in heave, which the period contains [kg].
    pub heave_added_mass: f64,
    /// Added moment of inertia in roll about the centre of gravity [kg·m²].
    pub roll_added_inertia: f64,
    /// Added moment of inertia in pitch about the centre of gravity [kg·m²].
    pub pitch_added_inertia: f64,
    /// Righting arm over heel about the body's x axis, at constant trim [deg, m].
    pub righting_arms: Vec<[f64; 2]>,
}

impl Vessel {
    /// The bodies of a world that lie in the surface of a liquid and float; those that are joined are one.
    pub fn all(world: &World) -> Vec<Vessel> {
        let Some(fluids) = Fluids::of(world) else { return Vec::new() };
        let Some(surface) = fluids.layers.highest_surface() else { return Vec::new() };
        let ships = Ship::all(world, (&fluids.bodies, &[]), surface);
        ships.iter().filter_map(|ship| Vessel::of(world, ship, surface)).collect()
    }

    fn of(world: &World, ship: &Ship, (liquid, level): (&Fluid, f64)) -> Option<Vessel> {
        let [low, _] = ship.hull.reach(ship.pose(world));
        let floating = ship.afloat(world, liquid);
        let statics: Hydrostatics = floating.hydrostatics(floating.floating_height()?)?;
        let [heave_period, roll_period, pitch_period] = statics.periods();
        let [heave_added_mass, roll_added_inertia, pitch_added_inertia] = statics.added;
        let arms = (0..=HEELS).filter_map(|k| {
            let degrees = f64::from(k * HEEL_STEP);
            Some([degrees, floating.righting_arm(degrees.to_radians())?])
        });
        Some(Vessel {
            body: world.model().bodies().get(ship.body)?.name.clone(),
            joined: ship.places.len() - 1,
            mass: ship.total.mass,
            hanging: ship.hanging,
            scene_draft: level - low,
            draft: statics.draft,
            displacement: statics.displacement,
            water_plane_area: statics.water_plane_area,
            kb: statics.kb,
            kg: statics.kg,
            gm_transverse: statics.gm_transverse,
            gm_longitudinal: statics.gm_longitudinal,
            heave_period,
            roll_period,
            pitch_period,
            heave_added_mass,
            roll_added_inertia,
            pitch_added_inertia,
            righting_arms: arms.collect(),
        })
    }
}

/// Bodies that float as one.
#[derive(Clone, Debug)]
pub(crate) struct Ship {
    /// The first of them in the surface, or that is wanted: the hull is in its axes.
    body: BodyId,
    /// All of them, by index.
    places: BTreeSet<usize>,
    /// Their hulls together.
    hull: Hull,
    /// Their added mass about the centre of mass of the first, in its axes: per density, and afloat or given.
    added: [SpatialMatrix; 2],
    /// Their mass, with loads that hang.
    total: Total,
    /// Mass of these loads [kg].
    hanging: f64,
}

impl Ship {
    /// The ships of a world in the surface, and those with some bodies wherever they are, in the order of their first
    /// bodies.
    pub fn all(
        world: &World,
        (bodies, wanted): (&[ImmersedBody], &[BodyId]),
        (liquid, level): (&Fluid, f64),
    ) -> Vec<Ship> {
        let groups = Groups::of(world);
        let mut ships: BTreeMap<usize, Ship> = BTreeMap::new();
        for body in bodies.iter().filter(|body| body.buoyancy) {
            let Some(group) = groups.of[body.body.index()] else { continue };
            let [low, high] = body.hull.reach(pose(world, body.body));
            let counts = (low < level && high > level) || wanted.contains(&body.body);
            if counts && !ships.contains_key(&group) {
                let joined = bodies
                    .iter()
                    .filter(|other| other.buoyancy && groups.of[other.body.index()] == Some(group));
                ships.extend(
                    Ship::joined(world, body.body, joined, groups.members(group)).map(|s| (group, s)),
                );
            }
        }
        ships.retain(|_, ship| liquid.density * ship.hull.volume() > ship.total.mass);
        let hanging = Hanging { world, groups: &groups, lines: lines(world), ships: &ships };
        let loads = hanging.all((bodies, liquid, level));
        for (group, point, mass) in loads {
            if let Some(ship) = ships.get_mut(&group) {
                ship.total.hang(point, mass);
                ship.hanging += mass;
            }
        }
        let mut ships: Vec<Ship> = ships.into_values().collect();
        ships.sort_by_key(|ship| ship.body.index());
        ships
    }

    fn joined<'a>(
        world: &World,
        body: BodyId,
        hulls: impl Iterator<Item = &'a ImmersedBody>,
        places: BTreeSet<usize>,
    ) -> Option<Ship> {
        let (main, mut parts, mut added) = (pose(world, body), Vec::new(), [SpatialMatrix::ZERO; 2]);
        let back = main.axes.transpose();
        for other in hulls {
            let pose = pose(world, other.body);
            let same = other.body == body;
            let axes = if same { DMat3::IDENTITY } else { back * pose.axes };
            let offset = if same { DVec3::ZERO } else { back * (pose.center - main.center) };
            let turn = DQuat::from_mat3(&axes);
            parts.extend(other.hull.parts().iter().map(|part| placed_in(part, offset, turn)));
            let moved = |matrix: SpatialMatrix| matrix.rotated(&axes).moved(offset);
            match &other.added_mass {
                AddedMass::None => {}
                AddedMass::PerDensity(matrix) => added[0] += moved(*matrix),
                AddedMass::Afloat(of) => added[1] += moved(of.afloat()),
                AddedMass::Given(matrix, _) => added[1] += moved(*matrix),
            }
        }
        let total = Total::of(world, &places);
        Some(Ship { body, places, hull: Hull::new(parts)?, added, total, hanging: 0.0 })
    }

    /// Whether a body is one of them.
    pub fn has(&self, body: BodyId) -> bool {
        self.places.contains(&body.index())
    }

    fn pose(&self, world: &World) -> Pose {
        pose(world, self.body)
    }

    /// As a floating body in axes that follow its heading: x points ahead.
    fn afloat(&self, world: &World, liquid: &Fluid) -> FloatingBody<'_> {
        let pose = self.pose(world);
        let ahead = pose.axes.x_axis.with_z(0.0).normalize_or(DVec3::X);
        let to_heading = DMat3::from_cols(ahead, DVec3::Z.cross(ahead), DVec3::Z).transpose();
        let axes = to_heading * pose.axes;
        let added_mass = self.added[0] * (self.total.mass / self.hull.volume()) + self.added[1];
        FloatingBody {
            hull: &self.hull,
            axes,
            density: liquid.density,
            gravity: -world.model().settings().gravity.z,
            mass: self.total.mass,
            center_of_gravity: to_heading * (self.total.center - pose.center),
            inertia: math::rotated(&to_heading, &self.total.inertia),
            added_mass: added_mass.rotated(&axes),
        }
    }

    /// Height of the centre of mass of its first body above the surface at which it floats [m]; none if it sinks.
    pub fn floating_height(&self, world: &World, liquid: &Fluid) -> Option<f64> {
        self.afloat(world, liquid).floating_height()
    }

    /// Pose of one of its bodies when it floats at a height, with the surface at z = 0.
    pub fn pose_afloat(&self, world: &World, body: BodyId, height: f64) -> Pose {
        let Pose { center, axes } = pose(world, body);
        let above_first = center.z - self.pose(world).center.z;
        Pose { center: center.with_z(height + above_first), axes }
    }

    /// Critical damping of heave, roll and pitch, and the volume that it displaces [N·s/m, N·m·s, m³]; none if it does
    /// not float.
    pub fn critical_damping(&self, world: &World, liquid: &Fluid) -> Option<([f64; 3], f64)> {
        let floating = self.afloat(world, liquid);
        let statics = floating.hydrostatics(floating.floating_height()?)?;
        Some((statics.critical_damping(), statics.displacement / liquid.density))
    }
}

/// The pose of a body with a surface at z = 0 instead of its level.
pub(super) fn pose_from(world: &World, body: BodyId, level: f64) -> Pose {
    let Pose { center, axes } = pose(world, body);
    Pose { center: center.with_z(center.z - level), axes }
}

fn pose(world: &World, body: BodyId) -> Pose {
    let state = &world.state().bodies[body.index()];
    Pose { center: state.position, axes: DMat3::from_quat(state.orientation) }
}

/// A part in other axes, given the origin and orientation of its own in them.
fn placed_in(part: &HullPart, offset: DVec3, turn: DQuat) -> HullPart {
    let (position, orientation) = (offset + turn * part.position, turn * part.orientation);
    HullPart { position, orientation, shape: part.shape.clone() }
}

/// Dynamic bodies that are joined, directly or through others. Ropes, distance joints and cables do not join.
struct Groups {
    /// The lowest index of the group of each body; none for elements of cables and bodies that are not dynamic.
    of: Vec<Option<usize>>,
}

fn is_rope(kind: &JointKind) -> bool {
    matches!(kind, JointKind::Distance(_) | JointKind::Tether(_) | JointKind::Rope(_) | JointKind::Link(_))
}

impl Groups {
    fn of(world: &World) -> Groups {
        let model = world.model();
        let elements: BTreeSet<usize> =
            model.cables().iter().flat_map(|(_, cable)| cable.elements.iter().map(|id| id.index())).collect();
        let counts = |place: usize| {
            let dynamic = model.bodies().at(place).is_some_and(|body| body.is_dynamic());
            dynamic && !elements.contains(&place)
        };
        let places = 0..world.state().bodies.len();
        let mut groups = Groups { of: places.map(|place| counts(place).then_some(place)).collect() };
        for (_, joint) in model.joints().iter().filter(|(_, joint)| !is_rope(&joint.kind)) {
            let anchors = joint.constraint().anchors().iter();
            let joined: Vec<usize> = anchors.filter_map(|anchor| groups.first(anchor.body.index())).collect();
            if let Some(first) = joined.iter().min().copied() {
                joined.iter().for_each(|other| groups.of[*other] = Some(first));
            }
        }
        for place in 0..groups.of.len() {
            groups.of[place] = groups.first(place);
        }
        groups
    }

    /// The lowest index of the group of a body, which is its own.
    fn first(&self, mut place: usize) -> Option<usize> {
        while self.of[place]? != place {
            place = self.of[place]?;
        }
        Some(place)
    }

    fn members(&self, group: usize) -> BTreeSet<usize> {
        (0..self.of.len()).filter(|place| self.of[*place] == Some(group)).collect()
    }
}

/// A straight part of a rope between points of two bodies.
type Line = [(usize, DVec3); 2];

/// The parts of all ropes and cables.
fn lines(world: &World) -> Vec<Line> {
    let model = world.model();
    let end = |anchor: &Anchor| {
        let (place, state) = (anchor.body.index(), &world.state().bodies[anchor.body.index()]);
        let center = model.bodies().at(place).map_or(DVec3::ZERO, |body| body.mass.center);
        (place, state.position + state.orientation * (anchor.at - center))
    };
    let mut lines = Vec::new();
    let kinds = model.joints().iter().map(|(_, joint)| joint);
    for joint in kinds.filter(|joint| is_rope(&joint.kind) && !matches!(joint.kind, JointKind::Link(_))) {
        let anchors = joint.constraint().anchors();
        lines.extend(anchors.windows(2).map(|pair| [end(&pair[0]), end(&pair[1])]));
    }
    // a catenary does not load its ends
    for (_, cable) in model.cables().iter().filter(|(_, cable)| cable.hang.is_none()) {
        if let [Some(a), Some(b)] = [0, 1].map(|k| cable.ends[k].anchor()) {
            lines.push([end(a), end(b)]);
        }
    }
    lines
}

/// Finds what hangs from ships.
struct Hanging<'a> {
    world: &'a World,
    groups: &'a Groups,
    lines: Vec<Line>,
    ships: &'a BTreeMap<usize, Ship>,
}

impl Hanging<'_> {
    /// The loads: the group of the ship, the block [m], and the mass there [kg].
    fn all(&self, (bodies, liquid, level): (&[ImmersedBody], &Fluid, f64)) -> Vec<(usize, DVec3, f64)> {
        let mut masses: BTreeMap<usize, f64> = BTreeMap::new();
        for (place, group) in self.groups.of.iter().enumerate() {
            let Some(group) = group.filter(|group| !self.ships.contains_key(group)) else { continue };
            let mass = self.world.model().bodies().at(place).map_or(0.0, |body| body.mass.mass);
            *masses.entry(group).or_default() += mass;
        }
        for body in bodies.iter().filter(|body| body.buoyancy) {
            let group = self.groups.of[body.body.index()];
            if let Some(mass) = group.and_then(|group| masses.get_mut(&group)) {
                let wet = body.hull.under_plane(pose(self.world, body.body), level, &mut Default::default());
                *mass -= liquid.density * wet.volume;
            }
        }
        let mut found = Vec::new();
        for (group, mass) in masses.into_iter().filter(|(_, mass)| *mass > 0.0) {
            self.bear((group, mass), CHAIN, &mut found);
        }
        found
    }

    /// Divides the weight of a group among the points that it hangs from.
    fn bear(&self, (group, mass): (usize, f64), depth: usize, found: &mut Vec<(usize, DVec3, f64)>) {
        let is_own = |end: &(usize, DVec3)| self.groups.of[end.0] == Some(group);
        let ends = self.lines.iter().flat_map(|[a, b]| [(*a, *b), (*b, *a)]);
        let above = ends.filter(|(own, other)| is_own(own) && !is_own(other) && other.1.z > own.1.z);
        let blocks: Vec<(usize, DVec3)> = above.map(|(_, other)| other).collect();
        let share = mass / blocks.len() as f64;
        for (place, point) in blocks {
            match self.groups.of[place] {
                Some(other) if self.ships.contains_key(&other) => found.push((other, point, share)),
                Some(other) if depth > 0 => self.bear((other, share), depth - 1, found),
                _ => {}
            }
        }
    }
}

/// Mass, centre of gravity and inertia about it of some bodies, world axes.
#[derive(Clone, Copy, Debug)]
struct Total {
    mass: f64,
    center: DVec3,
    inertia: DMat3,
}

/// Inertia of a unit mass at an arm.
fn moved(arm: DVec3) -> DMat3 {
    DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - math::outer(arm, arm)
}

impl Total {
    /// Adds a load that hangs from a point. It swings: it has no inertia about the centre of gravity.
    fn hang(&mut self, point: DVec3, mass: f64) {
        let center = (self.center * self.mass + point * mass) / (self.mass + mass);
        self.inertia += moved(self.center - center) * self.mass;
        (self.mass, self.center) = (self.mass + mass, center);
    }

    fn of(world: &World, places: &BTreeSet<usize>) -> Total {
        let (model, state) = (world.model(), world.state());
        let bodies = || {
            places.iter().filter_map(|place| Some((&model.bodies().at(*place)?.mass, &state.bodies[*place])))
        };
        let mass: f64 = bodies().map(|(mass, _): (&Mass, _)| mass.mass).sum();
        let center = bodies().map(|(mass, state)| state.position * mass.mass).sum::<DVec3>() / mass;
        let inertia = bodies().fold(DMat3::ZERO, |sum, (mass, state)| {
            let own = math::rotated(&DMat3::from_quat(state.orientation), &mass.inertia);
            sum + own + moved(state.position - center) * mass.mass
        });
        Total { mass, center, inertia }
    }
}
