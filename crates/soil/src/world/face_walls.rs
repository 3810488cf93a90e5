//! The face of a tool holds the soil before it: the columns right behind its edge are walls for slips.
//!
//! ```text
//!  0 < s ≤ (|nx| + |ny|) Δx      s distance behind the edge, n its normal
//! ```
//!
//! No step to a neighbour, diagonal ones included, passes a strip of that width. Without it, sand would flow through the
//! face of a blade into the cut behind it. Soil that is higher than the face flows over it.

use super::model::{GroundModel, ToolModel};
use super::tool_rows;
use crate::cutting::Slice;
use crate::ground::SlipWork;
use glam::DVec2;
use windlass_engine::prelude::{Advance, View};

/// A node this close to the edge, in cells, is behind it: it has been cut.
const ON: f64 = 1e-9;

/// Holds the nodes behind the edge at the end of a step, where its slices cut.
pub(super) fn hold(
    tool: &ToolModel,
    model: &GroundModel,
    (view, step): (&View<'_>, &Advance<'_>),
    slices: &[Slice],
    out: &mut SlipWork,
) {
    let reaches = |slice: &&Slice| {
        slice.depth > 0.0 && slice.plane > 0.0 && slice.depth < tool.tool.height * libm::sin(slice.rake)
    };
    if !slices.iter().any(|slice| reaches(&slice)) {
        return;
    }
    let Some(pose) = tool_rows::pose(tool, view, &step.bodies[tool.body.index()]) else { return };
    let spec = model.terrain.spec();
    let cell = spec.spacing;
    for pair in tool.tool.edge.windows(2) {
        let [from, to] = [pose.point(pair[0]), pose.point(pair[1])].map(|point| point.truncate());
        let Some(along) = (to - from).try_normalize() else { continue };
        // behind a polyline that runs from right to left as seen forward
        let behind = DVec2::new(-along.y, along.x);
        let (length, width) = ((to - from).length(), (behind.x.abs() + behind.y.abs()) * cell);
        let far = behind * width;
        let range = |k: usize| {
            let at = [from[k], to[k], from[k] + far[k], to[k] + far[k]];
            let (low, high) =
                at.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
            let place = |x: f64| (x - spec.origin[k]) / cell;
            let (low, high) = (libm::ceil(place(low) - 0.5), libm::floor(place(high) + 0.5));
            let last = (spec.nodes[k] - 1) as f64;
            if high < 0.0 || low > last { 0..0 } else { low.max(0.0) as usize..high.min(last) as usize + 1 }
        };
        for j in range(1) {
            for i in range(0) {
                let [x, y] = model.terrain.position([i, j]);
                let arm = DVec2::new(x, y) - from;
                let (s, t) = (arm.dot(behind) / cell, arm.dot(along));
                let inside = s > -ON && s <= width / cell - ON && t > -0.5 * cell && t < length + 0.5 * cell;
                let near = |slice: &&Slice| {
                    let apart = slice.edge.truncate().distance_squared(DVec2::new(x, y));
                    (apart < 4.0 * (cell * cell).max(slice.width * slice.width)) && reaches(slice)
                };
                if inside && slices.iter().any(|slice| near(&slice)) {
                    out.hold([i, j]);
                }
            }
        }
    }
}
