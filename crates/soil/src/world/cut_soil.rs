//! Weight of soil that tools have cut and that is no particle yet: on the wedge before a tool in the ground, on the tool
//! itself above it.

use super::attached_soil::AttachedSoil;
use super::ground_view::Weight;
use super::model::{GroundModel, ToolModel};
use super::state::ToolState;
use crate::cutting::Pose;
use glam::DVec3;

/// Most places over which a weight is spread, along the edge and ahead of it.
const PLACES: f64 = 16.0;

/// Mass of the cut soil of a tool with its water [kg].
pub(super) fn mass(ground: &GroundModel, state: &ToolState) -> f64 {
    state.cut_soils.iter().map(|cut| ground.moist(cut.mass, cut.soil)).sum()
}

/// The weight of the cut soil of a tool in the ground, evenly before its edge, as far as its face is high.
pub(super) fn weights(
    (model, state): (&ToolModel, &ToolState),
    (pose, ground): (&Pose, &GroundModel),
    out: &mut Vec<Weight>,
) {
    let spacing = ground.terrain.spacing();
    let force = mass(ground, state) * ground.terrain.spec().gravity / model.tool.length();
    let ahead = libm::ceil(model.tool.height / spacing).clamp(1.0, PLACES);
    for pair in model.tool.edge.windows(2) {
        let [a, b] = [0, 1].map(|k| pose.point(pair[k]));
        let length = pair[0].distance(pair[1]);
        let along = libm::ceil(length / spacing).clamp(1.0, 4.0 * PLACES);
        let part = force * length / (along * ahead);
        for k in 0..along as usize {
            let on_edge = a + (b - a) * ((k as f64 + 0.5) / along);
            for j in 0..ahead as usize {
                let at = on_edge + state.forward * ((j as f64 + 0.5) / ahead * model.tool.height);
                out.push(Weight { at: at.truncate(), force: part });
            }
        }
    }
}

/// The cut soil of a tool above ground, at the middle of its face.
pub(super) fn carried(model: &ToolModel, (state, ground): (&ToolState, &GroundModel)) -> AttachedSoil {
    let edge = &model.tool.edge;
    let middle = edge.iter().copied().sum::<DVec3>() / edge.len().max(1) as f64;
    let centre = middle + model.tool.face.normalize_or_zero() * (0.5 * model.tool.height);
    AttachedSoil { mass: mass(ground, state), centre, ..AttachedSoil::default() }
}
