//! Soil that tools have cut and that is no particle yet. It weighs on the wedge before a tool in the ground, on the tool
//! itself above it. In a bucket, what has room beside the particles that its body carries weighs on the bucket, in the
//! ground too.
//!
//! ```text
//!  fill = (V_particles + V_cut)/(w H L)      full from 1 on, until it falls below 0.9
//! ```

use super::attached_soil::AttachedSoil;
use super::ground_view::Weight;
use super::model::{GroundModel, ToolModel};
use super::state::ToolState;
use crate::cutting::Pose;
use glam::DVec3;

/// Most places over which a weight is spread, along the edge and ahead of it.
const PLACES: f64 = 16.0;
/// Fill below which a full tool is no longer full.
const EMPTIES: f64 = 0.9;

/// Mass of the cut soil of a tool with its water [kg].
pub(super) fn mass(ground: &GroundModel, state: &ToolState) -> f64 {
    state.cut_soils.iter().map(|cut| ground.moist(cut.mass, cut.soil)).sum()
}

/// Volume of the cut soil of a tool as loose soil [m³].
fn volume(ground: &GroundModel, state: &ToolState) -> f64 {
    state.cut_soils.iter().map(|cut| ground.loose_volume(cut.mass, cut.soil)).sum()
}

/// Volume of the loose soil in a tool over its capacity; 0 for a tool without end plates.
pub(super) fn fill((model, ground): (&ToolModel, &GroundModel), state: &ToolState) -> f64 {
    let capacity = model.tool.capacity();
    capacity.map_or(0.0, |capacity| (state.carried + volume(ground, state)) / capacity)
}

/// Whether a tool is full after a step: a load that settles or loses a few particles does not change the face.
pub(super) fn is_full(of: (&ToolModel, &GroundModel), state: &ToolState) -> bool {
    fill(of, state) >= if state.full { EMPTIES } else { 1.0 }
}

/// Part of the cut soil of a tool in the ground for which the tool has room.
pub(super) fn held((model, ground): (&ToolModel, &GroundModel), state: &ToolState) -> f64 {
    let Some(capacity) = model.tool.capacity() else { return 0.0 };
    let volume = volume(ground, state);
    if volume > 0.0 { ((capacity - state.carried).max(0.0) / volume).min(1.0) } else { 0.0 }
}

/// The weight of the cut soil of a tool in the ground that the tool does not hold, evenly before its edge, as far as its face is high.
pub(super) fn weights(
    (model, state): (&ToolModel, &ToolState),
    (pose, ground): (&Pose, &GroundModel),
    out: &mut Vec<Weight>,
) {
    let spacing = ground.terrain.spacing();
    let surplus = 1.0 - held((model, ground), state);
    let force = surplus * mass(ground, state) * ground.terrain.spec().gravity / model.tool.length();
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

/// A part of the cut soil of a tool, at the middle of its face.
pub(super) fn carried(
    model: &ToolModel,
    (state, ground): (&ToolState, &GroundModel),
    part: f64,
) -> AttachedSoil {
    let edge = &model.tool.edge;
    let middle = edge.iter().copied().sum::<DVec3>() / edge.len().max(1) as f64;
    let centre = middle + model.tool.face.normalize_or_zero() * (0.5 * model.tool.height);
    AttachedSoil { mass: part * mass(ground, state), centre, ..AttachedSoil::default() }
}
