//! Trial wedges in a section of any ground.
//!
//! ```text
//! P(β) = [ g M + Q + (c L_f + ρ v d v_a)(sin β + cos β cot(β+φ)) + c_a L_b (sin α − cos α cot(β+φ)) ] / D
//! v_a = v sin α / sin(α+β)
//! ```
//!
//! M is the mass and Q the surcharge between face, failure plane and surface, L_f the length of the plane up to the
//! surface, L_b that of the face in soil. In layered ground c and φ are averaged over the length of the plane. A plane
//! that does not come out within the reach of the section ends there.

use super::ray::{Face, Ray, Station};
use super::search::{self, Plane, Range};
use super::soil::CuttingSoil;
use super::wedge::Blade;

/// Least depth of a wedge [m].
const SHALLOWEST: f64 = 1e-3;
/// Least angle of the failure plane above −φ [rad], at which the ground slides without the tool.
const SLIDING: f64 = 0.05;
/// Precision of the failure plane [rad].
const CLOSE: f64 = 1e-3;

/// What fails before a face in a section.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wedge {
    /// β [rad].
    pub plane: f64,
    /// P per metre of width [N/m], and the part of it from the weight of the soil.
    pub force: f64,
    pub from_weight: f64,
    /// Direction of P: forward, up.
    pub push: (f64, f64),
    /// Soil of the wedge: mean density at the edge, strength on the plane, contact on the face.
    pub soil: CuttingSoil,
    /// Mean surcharge [Pa].
    pub surcharge: f64,
    /// c_a L_b [N/m].
    pub adhesion: f64,
}

/// Integrals over a trial wedge ahead of the edge.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    mass: f64,
    load: f64,
    cohesion: f64,
    tan_friction: f64,
}

/// A face in a section, for trial planes.
struct Trials<'a> {
    ray: &'a Ray,
    face: Face,
    blade: Blade,
    soil: CuttingSoil,
    tan_friction: f64,
    gravity: f64,
    /// ρ v d · v sin α
    momentum: f64,
    /// Where the last plane came out: a flatter one comes out further ahead.
    exit: usize,
    tan: f64,
}

/// The wedge of the least force; nothing if the face is less than 1 mm deep or makes no wedge fail. `rough` is a face
/// of soil.
pub(super) fn wedge(ray: &Ray, face: &Face, speed: f64, rough: bool, gravity: f64) -> Option<Wedge> {
    if !(ray.depth >= SHALLOWEST && face.sin > 0.0 && ray.stations.len() > 1) {
        return None;
    }
    let soil = face_soil(ray, face, rough);
    let steepest_friction = ray.uniform.map_or_else(|| largest_friction(ray), |soil| soil.friction);
    let blade = Blade::new(face.rake, soil.tool_friction);
    let momentum = soil.density * ray.depth * speed * speed * face.sin;
    let tan_friction = libm::tan(soil.friction);
    let mut trials = Trials {
        ray,
        face: *face,
        blade,
        soil,
        tan_friction,
        gravity,
        momentum,
        exit: 1,
        tan: f64::INFINITY,
    };
    let lowest = libm::atan(ray.flattest).max(SLIDING - soil.friction);
    let range = Range { lowest, limit: blade.limit(steepest_friction), close: CLOSE };
    let (plane, _) = search::least(range, |plane| trials.force(plane).map_or(f64::INFINITY, |f| f.0))?;
    trials.finish(plane)
}

/// Density and contact averaged over the depth; strength at the edge.
fn face_soil(ray: &Ray, face: &Face, rough: bool) -> CuttingSoil {
    let contact = |soil: &CuttingSoil| if rough { soil.on_soil() } else { *soil };
    if let Some(soil) = ray.uniform {
        return contact(&soil);
    }
    let (column, low) = (ray.column(), ray.edge);
    let wetted = low + ray.on_face.length * face.sin;
    let at_edge = contact(column.at(low));
    CuttingSoil {
        density: column.mean(low, low + ray.depth, |soil| soil.density),
        tool_friction: column.mean(low, wetted, |soil| contact(soil).tool_friction),
        adhesion: column.mean(low, wetted, |soil| contact(soil).adhesion),
        ..at_edge
    }
}

fn largest_friction(ray: &Ray) -> f64 {
    let all = ray.strata[..ray.stations.len()].iter().flat_map(|strata| strata.soils());
    all.map(|soil| soil.friction).fold(0.0, f64::max)
}

impl Trials<'_> {
    /// P and its part from weight.
    fn force(&mut self, plane: Plane) -> Option<(f64, f64)> {
        let per_cos = 1.0 / plane.cos;
        let (sums, end) = self.sums(plane.sin * per_cos);
        let (below, d) = self.blade.resistance(plane, sums.tan_friction)?;
        let (face, on_face, per_d) = (&self.face, &self.ray.on_face, 1.0 / d);
        let weight = self.gravity * (sums.mass + on_face.mass);
        let mut along = sums.cohesion * end * per_cos;
        if self.momentum > 0.0 {
            // sin(α + β): a plane behind the face moves no soil
            let apart = face.sin * plane.cos + face.cos * plane.sin;
            if !(apart > 0.0) {
                return None;
            }
            along += self.momentum / apart;
        }
        let adhesion = self.soil.adhesion * on_face.length * (face.sin - face.cos * below);
        let other = sums.load + on_face.load + along * (plane.sin + plane.cos * below) + adhesion;
        Some(((weight + other) * per_d, weight * per_d))
    }

    fn finish(&mut self, angle: f64) -> Option<Wedge> {
        let plane = Plane::new(angle);
        let (force, from_weight) = self.force(plane)?;
        let (sums, end) = self.sums(plane.sin / plane.cos);
        let friction =
            if self.ray.uniform.is_some() { self.soil.friction } else { libm::atan(sums.tan_friction) };
        let on_face = &self.ray.on_face;
        Some(Wedge {
            plane: angle,
            force: force.max(0.0),
            from_weight: from_weight.clamp(0.0, force.max(0.0)),
            push: self.blade.push,
            soil: CuttingSoil { cohesion: sums.cohesion, friction, ..self.soil },
            surcharge: sums.load / end,
            adhesion: self.soil.adhesion * on_face.length,
        })
    }

    /// Integrals up to where a plane comes out, and that distance.
    fn sums(&mut self, tan: f64) -> (Sums, f64) {
        let stations = &self.ray.stations;
        let above = |station: &Station| station.height - station.x * tan;
        let start = if tan < self.tan { self.exit } else { 1 };
        let last = stations.len() - 1;
        self.exit = start + stations[start..last].iter().take_while(|station| above(station) > 0.0).count();
        self.tan = tan;
        let (a, b) = (&stations[self.exit - 1], &stations[self.exit]);
        let part = if above(b) < 0.0 { (above(a) / (above(a) - above(b))).clamp(0.0, 1.0) } else { 1.0 };
        let step = part * (b.x - a.x);
        let end = a.x + step;
        let mean = |from: f64, to: f64| from + 0.5 * part * (to - from);
        let load = a.load_to + step * mean(a.load, b.load);
        let Some(soil) = self.ray.uniform else { return (self.layered(tan, part, load), end) };
        let area = a.area_to + step * mean(a.height, b.height) - 0.5 * tan * end * end;
        let mass = soil.density * area;
        (Sums { mass, load, cohesion: soil.cohesion, tan_friction: self.tan_friction }, end)
    }

    /// The same in layered ground, by columns.
    fn layered(&self, tan: f64, part: f64, load: f64) -> Sums {
        let edge = self.ray.edge;
        let (mut mass, mut cohesion, mut friction) = (0.0, 0.0, 0.0);
        let mut last: Option<(f64, f64, &CuttingSoil)> = None;
        let mut columns = self.ray.stations[..=self.exit].iter().zip(&self.ray.strata).peekable();
        while let Some((station, strata)) = columns.next() {
            let (mut here, soil) = strata.above(edge + station.x * tan, edge + station.height);
            if let Some((x, before, other)) = last {
                let mut half = 0.5 * (station.x - x);
                if columns.peek().is_none() {
                    half *= part;
                    // the last piece ends where the plane meets the surface, a column without height
                    here *= if part < 1.0 { 0.0 } else { 1.0 };
                }
                mass += half * (before + here);
                cohesion += half * (other.cohesion + soil.cohesion);
                friction += half * (other.friction + soil.friction);
            }
            last = Some((station.x, here, soil));
        }
        let (a, b) = (&self.ray.stations[self.exit - 1], &self.ray.stations[self.exit]);
        let length = a.x + part * (b.x - a.x);
        Sums { mass, load, cohesion: cohesion / length, tan_friction: libm::tan(friction / length) }
    }
}
