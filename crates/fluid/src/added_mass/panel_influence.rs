//! The flow that sources on panels cause at the centroids of panels, with mirror images.
//!
//! The equations are in [`super::panels`]. The image of a source acts on a point as the source itself acts on the image
//! of the point, so that only points and normals are reflected.

use super::boundaries::{Boundaries, REFLECTIONS, Surface, SurfaceCondition};
use super::panel_mesh::PanelMesh;
use glam::DVec3;
use std::f64::consts::PI;

/// An image: z becomes `mirror` z + `shift`, sources are multiplied by `sign`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    mirror: f64,
    shift: f64,
    sign: f64,
    /// It closes the hull, so that the flux through it counts.
    closes: bool,
}

/// The images of a hull in the planes that bound the water.
pub(super) fn images(boundaries: &Boundaries, mesh: &PanelMesh) -> Vec<Image> {
    let sign = |s: Surface| if s.condition == SurfaceCondition::Free { -1.0 } else { 1.0 };
    let (top, bottom) = (mesh.open_at_surface, mesh.open_at_floor);
    let mirror =
        |level: f64, sign: f64, closes: bool| Image { mirror: -1.0, shift: 2.0 * level, sign, closes };
    match (boundaries.surface, boundaries.floor) {
        (None, None) => Vec::new(),
        (Some(s), None) => vec![mirror(s.level, sign(s), top)],
        (None, Some(f)) => vec![mirror(f, 1.0, bottom)],
        (Some(s), Some(f)) => {
            let (depth, sign) = (s.level - f, sign(s));
            let power = |n: i32| if n % 2 == 0 { 1.0 } else { sign };
            // the last images of an alternating sum have half the weight
            let weight = |n: i32| if sign < 0.0 && n.abs() == REFLECTIONS { 0.5 } else { 1.0 };
            let both = top && bottom;
            let mut list = Vec::new();
            for n in -REFLECTIONS..=REFLECTIONS {
                let shift = 2.0 * f64::from(n) * depth;
                if n != 0 {
                    list.push(Image { mirror: 1.0, shift, sign: weight(n) * power(n), closes: both });
                }
                // |n| of the reflections are in the surface: n = 0 is the floor's image, n = 1 the surface's
                let closes = both || (n == 0 && bottom) || (n == 1 && top);
                list.push(Image { mirror: -1.0, shift: 2.0 * f + shift, sign: weight(n) * power(n), closes });
            }
            list
        }
    }
}

/// Potentials S_ij and normal velocities N_ij at the centroid of panel i by a unit source on panel j, by rows.
pub(super) struct Influence {
    /// S_ij [m].
    pub potential: Vec<f64>,
    /// N_ij.
    pub flow: Vec<f64>,
}

impl Influence {
    pub fn new(mesh: &PanelMesh, images: &[Image]) -> Influence {
        let n = mesh.panels.len();
        let mut all = Influence { potential: vec![0.0; n * n], flow: vec![0.0; n * n] };
        let mut point = Point::new(mesh);
        // flux through the hull by each source, without that through its own panel
        let mut flux = vec![0.0; n];
        for (i, panel) in mesh.panels.iter().enumerate() {
            let (potential, flow) = (&mut all.potential[i * n..][..n], &mut all.flow[i * n..][..n]);
            point.evaluate(mesh, panel.centroid, panel.normal);
            potential.copy_from_slice(&point.potential);
            flow.copy_from_slice(&point.flow);
            flow[i] = 0.0;
            for j in 0..n {
                flux[j] += panel.area * flow[j];
            }
            for image in images {
                let z = DVec3::new(1.0, 1.0, image.mirror);
                point.evaluate(mesh, panel.centroid * z + DVec3::Z * image.shift, panel.normal * z);
                for j in 0..n {
                    potential[j] += image.sign * point.potential[j];
                    flow[j] += image.sign * point.flow[j];
                    flux[j] += if image.closes { panel.area * point.flow[j] } else { 0.0 };
                }
            }
        }
        for (j, panel) in mesh.panels.iter().enumerate() {
            all.flow[j * n + j] += 1.0 - flux[j] / panel.area;
        }
        all
    }
}

/// What unit sources on all panels do at one point, and work space for it.
struct Point {
    potential: Vec<f64>,
    flow: Vec<f64>,
    /// Vertices from the point, and their distances.
    arms: Vec<(DVec3, f64)>,
    /// Λ of the edges.
    logarithms: Vec<f64>,
}

impl Point {
    fn new(mesh: &PanelMesh) -> Point {
        let n = mesh.panels.len();
        Point {
            potential: vec![0.0; n],
            flow: vec![0.0; n],
            arms: vec![(DVec3::ZERO, 0.0); mesh.vertices.len()],
            logarithms: vec![0.0; mesh.edges.len()],
        }
    }

    /// Potentials ∫dS/r, and velocities along `normal`, at `x`.
    fn evaluate(&mut self, mesh: &PanelMesh, x: DVec3, normal: DVec3) {
        for (arm, v) in self.arms.iter_mut().zip(&mesh.vertices) {
            let r = *v - x;
            *arm = (r, r.length_squared().sqrt());
        }
        for (value, e) in self.logarithms.iter_mut().zip(&mesh.edges) {
            let sum = self.arms[e.ends[0]].1 + self.arms[e.ends[1]].1;
            // a point on the edge itself would make it infinite
            *value = libm::log((sum + e.length) / (sum - e.length).max(1e-14 * e.length));
        }
        for (j, p) in mesh.panels.iter().enumerate() {
            let [(a, ra), (b, rb), (c, rc)] = p.vertices.map(|v| self.arms[v]);
            let height = -a.dot(p.normal);
            // the triple product a·(b×c) is −2 A z
            let below = ra * rb * rc + a.dot(b) * rc + b.dot(c) * ra + c.dot(a) * rb;
            let angle = 2.0 * libm::atan2(2.0 * p.area * height, below);
            let (mut potential, mut flow) = (-height * angle, normal.dot(p.normal) * angle);
            for (k, arm) in [a, b, c].into_iter().enumerate() {
                let log = self.logarithms[p.edges[k]];
                potential += arm.dot(p.edge_normals[k]) * log;
                flow += normal.dot(p.edge_normals[k]) * log;
            }
            self.potential[j] = potential;
            self.flow[j] = flow / (4.0 * PI);
        }
    }
}
