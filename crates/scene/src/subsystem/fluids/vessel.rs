//! Bodies that float at the surface of a liquid → their hydrostatics, with all that is joined to them.

use glam::{DMat3, DQuat, DVec3};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use windlass_engine::math;
use windlass_engine::prelude::{BodyId, JointKind, Mass, SpatialMatrix, World};
use windlass_fluid::hull::Pose;
use windlass_fluid::hydrostatics::{FloatingBody, Hydrostatics};
use windlass_fluid::{AddedMass, Fluid, Fluids, Hull, ImmersedBody};

/// Step between the heels of the righting-arm curve [deg], and their number.
const HEEL_STEP: u32 = 5;
const HEELS: u32 = 18;

/// Hydrostatics of a floating body at the orientation of the scene.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
pub struct Vessel {
    /// Name of the body.
    pub body: String,
    /// Number of bodies joined to it, other than by ropes, whose mass it carries.
    pub joined: usize,
    /// Mass with the bodies joined to it [kg].
    pub mass: f64,
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
    /// Righting arm over heel about the body's x axis, at constant trim [deg, m].
    pub righting_arms: Vec<[f64; 2]>,
}

impl Vessel {
    /// The bodies of a world that lie in the surface of a liquid and float.
    pub fn all(world: &World) -> Vec<Vessel> {
        let Some(fluids) = Fluids::of(world) else { return Vec::new() };
        let Some(surface) = fluids.layers.highest_surface() else { return Vec::new() };
        let bodies = fluids.bodies.iter().filter(|body| body.buoyancy);
        bodies.filter_map(|body| Vessel::of(world, body, surface)).collect()
    }

    fn of(world: &World, body: &ImmersedBody, (liquid, level): (&Fluid, f64)) -> Option<Vessel> {
        let state = &world.state().bodies[body.body.index()];
        let pose = Pose { center: state.position, axes: DMat3::from_quat(state.orientation) };
        let [low, high] = body.hull.reach(pose);
        if !(low < level && high > level) {
            return None;
        }
        let carried = carried(world, body.body);
        let total = Total::of(world, &carried);
        let gravity = -world.model().settings().gravity.z;
        let hull = (&body.hull, body.added_mass);
        let floating = total.afloat(hull, (state.position, state.orientation), liquid, gravity);
        let statics: Hydrostatics = floating.hydrostatics(floating.floating_height()?)?;
        let [heave_period, roll_period, pitch_period] = statics.periods();
        let arms = (0..=HEELS).filter_map(|k| {
            let degrees = f64::from(k * HEEL_STEP);
            Some([degrees, floating.righting_arm(degrees.to_radians())?])
        });
        Some(Vessel {
            body: world.model().bodies().get(body.body)?.name.clone(),
            joined: carried.len() - 1,
            mass: total.mass,
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
            righting_arms: arms.collect(),
        })
    }
}

/// A body and the dynamic bodies joined to it, directly or through others. Ropes, distance joints and cables do not join.
fn carried(world: &World, body: BodyId) -> BTreeSet<usize> {
    let model = world.model();
    let elements: BTreeSet<usize> =
        model.cables().iter().flat_map(|(_, cable)| cable.elements.iter().map(|id| id.index())).collect();
    let is_carried = |place: usize| {
        let dynamic = model.bodies().at(place).is_some_and(|body| body.is_dynamic());
        dynamic && !elements.contains(&place)
    };
    let joins: Vec<Vec<usize>> = model
        .joints()
        .iter()
        .filter(|(_, joint)| {
            !matches!(
                joint.kind,
                JointKind::Distance(_) | JointKind::Tether(_) | JointKind::Rope(_) | JointKind::Link(_)
            )
        })
        .map(|(_, joint)| joint.constraint().anchors().iter().map(|anchor| anchor.body.index()).collect())
        .collect();
    let mut found = BTreeSet::from([body.index()]);
    loop {
        let before = found.len();
        for join in &joins {
            if join.iter().any(|place| found.contains(place)) {
                found.extend(join.iter().copied().filter(|place| is_carried(*place)));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Mass, centre of gravity and inertia about it of some bodies, world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Total {
    pub mass: f64,
    pub center: DVec3,
    pub inertia: DMat3,
}

impl Total {
    /// Of a body and all that is joined to it.
    pub fn carried(world: &World, body: BodyId) -> Total {
        Total::of(world, &carried(world, body))
    }

    /// A hull that carries this, in axes that follow its heading: x points ahead.
    pub fn afloat<'a>(
        &self,
        (hull, added_mass): (&'a Hull, AddedMass),
        (position, orientation): (DVec3, DQuat),
        liquid: &Fluid,
        gravity: f64,
    ) -> FloatingBody<'a> {
        let ahead = (orientation * DVec3::X).with_z(0.0).normalize_or(DVec3::X);
        let to_heading = DMat3::from_cols(ahead, DVec3::Z.cross(ahead), DVec3::Z).transpose();
        let axes = to_heading * DMat3::from_quat(orientation);
        let added_mass = match added_mass {
            AddedMass::None => SpatialMatrix::ZERO,
            AddedMass::PerDensity(matrix) => matrix * (self.mass / hull.volume()),
            AddedMass::Given(matrix, _) => matrix,
        };
        FloatingBody {
            hull,
            axes,
            density: liquid.density,
            gravity,
            mass: self.mass,
            center_of_gravity: to_heading * (self.center - position),
            inertia: math::rotated(&to_heading, &self.inertia),
            added_mass: added_mass.rotated(&axes),
        }
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
            let arm = state.position - center;
            let moved = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - math::outer(arm, arm);
            sum + own + moved * mass.mass
        });
        Total { mass, center, inertia }
    }
}
