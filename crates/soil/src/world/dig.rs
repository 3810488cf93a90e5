//! What a tool sweeps leaves the ground: from columns to cut soil, from cut soil to particles.
//!
//! A node that the edge has passed in the step loses what lies above the edge. Its mass is added to the tool's
//! cut soil of that kind. Cut soil with the mass of a particle becomes one before the face where there is room, outside
//! bodies and other particles, with the velocity of the wedge
//!
//! ```text
//!  v sin α / sin(α + β)    along the failure plane, α rake, β angle of the plane
//! ```
//!
//! What finds no room or exceeds the budget stays with the tool. It weighs on the wedge, or on the tool above ground, and
//! becomes particles later. Where the budget is used up, slow pairs of particles far from tools become one.

use super::free_space::FreeSpace;
use super::model::{GroundModel, ToolModel};
use super::state::{CutSoil, GroundState, ToolState};
use crate::cutting::{Pose, Slice};
use crate::ground::{Ground, Layer};
use crate::particle::{Particle, Wall};
use glam::{DVec2, DVec3};

/// Places that are tried for a new particle, one above the other, and one before the other.
const TRIES: usize = 12;
const AHEAD: usize = 3;
/// Pairs of particles far from tools that become one in a step when the budget is used up.
const MERGED: usize = 8;
/// Largest particle that they become, over the nominal size.
const GREATEST: f64 = 1.7;

/// Buffers.
#[derive(Debug, Default)]
pub(super) struct DigWork {
    removed: Vec<Layer>,
    /// Columns that were cut.
    cut: Vec<DVec2>,
    room: FreeSpace,
}

/// A tool at the start and at the end of a step.
pub(super) struct Pass<'a> {
    pub tool: &'a ToolModel,
    pub poses: [Pose; 2],
    pub slices: &'a [Slice],
}

impl Pass<'_> {
    /// Cuts the ground. What was cut is in the tool's cut soil.
    pub fn cut(
        &self,
        model: &GroundModel,
        (ground, tool): (&mut GroundState, &mut ToolState),
        work: &mut DigWork,
    ) {
        work.cut.clear();
        for pair in self.tool.tool.edge.windows(2) {
            let corners = [(0, 0), (0, 1), (1, 1), (1, 0)].map(|(pose, k)| self.poses[pose].point(pair[k]));
            self.sweep(corners, model, (ground, tool), work);
        }
    }

    /// Cuts the nodes below which the edge has passed: corners are the edge before, and the edge after in reverse.
    fn sweep(
        &self,
        corners: [DVec3; 4],
        model: &GroundModel,
        (ground, tool): (&mut GroundState, &mut ToolState),
        work: &mut DigWork,
    ) {
        let terrain = &*model.terrain;
        let spec = terrain.spec();
        let range = |k: usize| {
            let at = corners.map(|corner| (corner[k] - spec.origin[k]) / spec.spacing);
            let (low, high) =
                at.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
            let (low, high) = (libm::ceil(low - ON), libm::floor(high + ON));
            let last = (spec.nodes[k] - 1) as f64;
            if high < 0.0 || low > last { 0..0 } else { low.max(0.0) as usize..high.min(last) as usize + 1 }
        };
        let [a, b, c, d] = corners;
        for j in range(1) {
            for i in range(0) {
                let [x, y] = terrain.position([i, j]);
                let at = DVec2::new(x, y);
                let Some(z) = height_in([a, b, c], at).or_else(|| height_in([a, c, d], at)) else { continue };
                work.removed.clear();
                ground.terrain.take_above(terrain, [i, j], z, &mut work.removed);
                if !work.removed.is_empty() {
                    work.cut.push(at);
                }
                work.removed.iter().for_each(|layer| tool.pour(layer.soil, layer.mass));
            }
        }
    }

    /// Makes particles of the cut soil while there is enough, the budget allows and there is room.
    pub fn give_birth(
        &self,
        model: &GroundModel,
        (ground, tool): (&mut GroundState, &mut ToolState),
        (walls, keep_away): (&[Wall], &[(DVec3, f64)]),
        work: &mut DigWork,
    ) {
        let next = |ground: &GroundState, soil: u8| {
            let radius = model.radius_of(ground.particles.next_id());
            (radius, model.mass_of(soil, radius))
        };
        let ready = |cut: &&CutSoil| cut.mass >= next(ground, cut.soil).1;
        let waiting: usize = tool.cut_soils.iter().filter(ready).count();
        if waiting == 0 {
            return;
        }
        if ground.particles.len() + MERGED > model.budget {
            let largest = GREATEST * 0.5 * model.particle;
            let far = |p: &Particle| keep_away.iter().all(|(at, d)| p.position.distance_squared(*at) > d * d);
            ground.particles.merge(MERGED, largest, far);
        }
        let reach = (self.tool.tool.height + (TRIES + 4) as f64 * model.particle).max(model.particle);
        let (low, high) = self.bounds(&work.cut);
        work.room.look(&ground.particles, walls, (low - reach, high + reach));
        let mut place = 0;
        for cut in &mut tool.cut_soils {
            loop {
                let (radius, mass) = next(ground, cut.soil);
                if cut.mass < mass || ground.particles.len() >= model.budget {
                    break;
                }
                let room = |p: DVec3| work.room.is_free(walls, p, radius);
                let found = if work.cut.is_empty() {
                    self.before_face(model, ground, radius, room)
                } else {
                    let at = work.cut[place % work.cut.len()];
                    place += 1;
                    self.before_wedge(model, ground, (at, radius), room)
                };
                let Some((position, velocity)) = found else { break };
                let soil = u16::from(cut.soil);
                ground.particles.add(Particle {
                    position,
                    velocity,
                    radius,
                    mass,
                    soil,
                    ..Particle::default()
                });
                work.room.add(position, radius);
                cut.mass -= mass;
            }
        }
    }

    /// The box around the edge at the end of the step and the columns that were cut.
    fn bounds(&self, cut: &[DVec2]) -> (DVec3, DVec3) {
        let edge = self.tool.tool.edge.iter().map(|point| self.poses[1].point(*point));
        let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = edge.fold(start, |(low, high), p| (low.min(p), high.max(p)));
        let span = |bounds: (DVec3, DVec3), at: &DVec2| {
            let (a, b) = (at.extend(bounds.0.z), at.extend(bounds.1.z));
            (bounds.0.min(a), bounds.1.max(b))
        };
        cut.iter().fold((low, high), span)
    }

    /// Where soil cut from a column appears: before the edge as it is at the end of the step, and on the ground. It moves
    /// as the wedge.
    fn before_wedge(
        &self,
        model: &GroundModel,
        ground: &GroundState,
        (at, radius): (DVec2, f64),
        is_free: impl Fn(DVec3) -> bool,
    ) -> Option<(DVec3, DVec3)> {
        let slice = self.slices.iter().min_by(|a, b| {
            let away = |slice: &Slice| slice.edge.truncate().distance_squared(at);
            away(a).total_cmp(&away(b))
        })?;
        let [start, end] = &self.poses;
        let edge = end.point(start.axes.transpose() * (slice.edge - start.position));
        let ahead = (edge.truncate() - at).dot(slice.forward.truncate()).max(0.0) + radius;
        let before = at + slice.forward.truncate() * ahead;
        let surface = Ground::new(&model.terrain, &ground.terrain).surface(before.x, before.y).height;
        let first = before.extend(surface.max(edge.z) + radius);
        let step = |k: usize| (slice.forward * (k % AHEAD) as f64 + DVec3::Z * (k / AHEAD) as f64) * radius;
        let position = (0..AHEAD * TRIES).map(|k| first + step(k)).find(|p| is_free(*p))?;
        let speed = end.velocity(edge).dot(slice.forward).max(0.0);
        let (rake, plane) = (slice.rake, slice.plane);
        let along = speed * libm::sin(rake) / libm::sin(rake + plane).max(LEAST_SINE);
        let (sin, cos) = libm::sincos(plane);
        Some((position, (slice.forward * cos + DVec3::Z * sin) * along.min(2.0 * speed)))
    }

    /// Where soil that the tool has kept appears: on the soil side of its face. It moves with the tool.
    fn before_face(
        &self,
        model: &GroundModel,
        ground: &GroundState,
        radius: f64,
        is_free: impl Fn(DVec3) -> bool,
    ) -> Option<(DVec3, DVec3)> {
        let (tool, pose) = (&self.tool.tool, &self.poses[1]);
        let face = (pose.axes * tool.face).normalize_or_zero();
        let surface = Ground::new(&model.terrain, &ground.terrain);
        let places = tool.edge.windows(2).flat_map(|pair| {
            let [a, b] = [0, 1].map(|k| pose.point(pair[k]));
            let side = (b - a).cross(face).normalize_or_zero();
            let along = libm::ceil(a.distance(b) / (2.0 * radius)).clamp(1.0, 64.0) as usize;
            let up = libm::ceil(tool.height / (2.0 * radius)).clamp(1.0, 16.0) as usize;
            (0..along * up * AHEAD).map(move |k| {
                let part = ((k % along) as f64 + 0.5) / along as f64;
                let [up, out] = [k / along % up, k / along / up].map(|n| (2 * n + 1) as f64 * radius);
                a + (b - a) * part + face * up + side * (out + 0.05 * radius)
            })
        });
        let mut places = places.filter(|p| p.z > surface.surface(p.x, p.y).height + 0.5 * radius);
        let position = places.find(|p| is_free(*p))?;
        Some((position, pose.velocity(position)))
    }
}

/// A node this close to a border of the swept area, in cells, belongs to it.
const ON: f64 = 1e-9;
/// Least sine in the velocity of a wedge.
const LEAST_SINE: f64 = 0.1;

/// Height of a triangle at a point; none beside it.
fn height_in([a, b, c]: [DVec3; 3], at: DVec2) -> Option<f64> {
    let [pa, pb, pc] = [a, b, c].map(|corner| corner.truncate());
    let area = (pb - pa).perp_dot(pc - pa);
    if area == 0.0 {
        return None;
    }
    let v = (at - pa).perp_dot(pc - pa) / area;
    let w = (pb - pa).perp_dot(at - pa) / area;
    let inside = v >= -ON && w >= -ON && v + w <= 1.0 + ON;
    inside.then_some(a.z + v * (b.z - a.z) + w * (c.z - a.z))
}
