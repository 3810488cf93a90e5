//! One slice of a tool: a piece of its edge about as wide as a cell of the ground, cut in a vertical plane.
//!
//! ```text
//! at failure  F = −(P p̂ + c_a L_b â) w      on the tool; p̂ = (sin(α+δ), cos(α+δ)) forward and up, â down the face
//! edge        q_u t w                       along the face upwards
//! ```
//!
//! P acts at a third of the buried length of the face for the weight of the wedge, at half of it for everything else.

use glam::{DVec2, DVec3};

use super::bearing;
use super::narrow;
use super::ray::{Face, Ray};
use super::soil::{CuttingSoil, Surface};
use super::tool::{Pose, Teeth, Tool};
use super::trial::{self, Wedge};
use super::wedge::LevelCut;

/// Forces on a slice, world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slice {
    /// Middle of its edge [m].
    pub edge: DVec3,
    /// Where the force of the wedge acts on the face [m].
    pub point: DVec3,
    /// Horizontal direction of cutting.
    pub forward: DVec3,
    /// Width across that direction [m].
    pub width: f64,
    /// Depth of the edge below the surface [m].
    pub depth: f64,
    /// Rake α of the face [rad]; above 90°, the face leans forward.
    pub rake: f64,
    /// Angle β of the failure plane [rad]; zero without a wedge.
    pub plane: f64,
    /// Direction p̂ of the force of the tool on the soil.
    pub direction: DVec3,
    /// Force P of the wedge at failure [N].
    pub bound: f64,
    /// Adhesion of the buried face [N]: resists sliding down the face, and pulling off.
    pub adhesion: f64,
    /// Force of the soil on the tool at failure, wedge and adhesion [N].
    pub force: DVec3,
    /// Direction of the face, from the edge upwards.
    pub face: DVec3,
    /// Bearing capacity of the edge [N], along `face`.
    pub bearing: f64,
    /// Friction on the back of the face [N], against its sliding.
    pub back: f64,
}

/// A piece of the edge in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub middle: DVec3,
    /// Unit vector, horizontal.
    pub forward: DVec2,
    pub width: f64,
    /// Direction of the face or of the fill before it, unit vector.
    pub face: DVec3,
    /// Direction of the face, unit vector.
    pub plate: DVec3,
    /// Ends of the tool's edge in this piece.
    pub ends: u8,
    /// Teeth per metre of edge.
    pub teeth_per_metre: f64,
}

/// What a slice needs besides its piece.
pub(super) struct Cutter<'a, S> {
    pub tool: &'a Tool,
    pub pose: &'a Pose,
    pub ground: &'a S,
    pub gravity: f64,
}

/// Force of the soil on the face per metre of width.
#[derive(Clone, Copy, Debug, Default)]
struct OnFace {
    wedge: Option<Wedge>,
    force: f64,
    adhesion: f64,
    /// Where P acts, in metres along the face above the edge of the tool.
    height: f64,
}

impl<S: Surface> Cutter<'_, S> {
    /// The slice of a piece; nothing above ground.
    pub fn slice(&self, piece: &Piece, ray: &mut Ray) -> Option<Slice> {
        let face = self.face(piece, ray);
        let edge = self.on_face(piece, &face, 0.0, ray);
        let depth = ray.depth;
        let mut slice = Slice {
            edge: piece.middle,
            forward: piece.forward.extend(0.0),
            width: piece.width,
            rake: face.rake,
            face: piece.plate,
            ..Slice::default()
        };
        let mut found = edge;
        if depth > 0.0 {
            slice.bearing = self.bearing(ray, self.tool.thickness) * self.tool.thickness * piece.width;
            slice.back = self.back(piece, &self.straight(piece, piece.plate), ray) * piece.width;
            self.add_crescents(piece, &mut found, &face, depth);
        }
        if let Some(teeth) = self.tool.teeth.filter(|teeth| teeth.count > 0 && self.pose.fill.is_none()) {
            self.add_teeth(piece, &teeth, &face, (&mut slice, &mut found), ray);
        }
        slice.depth = depth.max(0.0);
        (depth > 0.0 || slice.bearing > 0.0).then(|| finished(slice, piece.face, &found))
    }

    /// The face in the plane of the slice; a curved one as the chord of the part in soil.
    fn face(&self, piece: &Piece, ray: &mut Ray) -> Face {
        let face = self.straight(piece, piece.face);
        if !self.tool.radius.is_finite() || self.pose.fill.is_some() {
            return face;
        }
        ray.trace(self.ground, piece.middle, piece.forward, &face);
        let wetted = if ray.depth > 0.0 { ray.on_face.length } else { 0.0 };
        let turned = if wetted > 0.0 { 0.5 * wetted / self.tool.radius.max(wetted) } else { 0.0 };
        Face::new(face.rake + turned, face.length)
    }

    /// A plane face in a direction.
    fn straight(&self, piece: &Piece, direction: DVec3) -> Face {
        let along = DVec2::new(direction.x, direction.y).dot(piece.forward);
        let length = self.tool.height * (along * along + direction.z * direction.z).sqrt();
        Face::new(libm::atan2(direction.z, -along), length)
    }

    /// The wedge before a face that extends beyond the edge by some length.
    fn on_face(&self, piece: &Piece, face: &Face, beyond: f64, ray: &mut Ray) -> OnFace {
        let tip = piece.middle - piece.face * beyond;
        let face = Face { length: face.length + beyond, ..*face };
        ray.trace(self.ground, tip, piece.forward, &face);
        let wedge = trial::wedge(ray, &face, self.speed(piece), self.pose.fill.is_some(), self.gravity);
        let Some(found) = wedge else { return OnFace::default() };
        let share = if found.force > 0.0 { found.from_weight / found.force } else { 0.0 };
        let height = ray.on_face.length * (share / 3.0 + (1.0 - share) / 2.0) - beyond;
        OnFace { wedge, force: found.force, adhesion: found.adhesion, height }
    }

    fn speed(&self, piece: &Piece) -> f64 {
        let v = self.pose.velocity(piece.middle);
        (v.x * piece.forward.x + v.y * piece.forward.y).max(0.0)
    }

    /// Side crescents at the ends of an edge without end plates.
    fn add_crescents(&self, piece: &Piece, found: &mut OnFace, face: &Face, depth: f64) {
        let (Some(wedge), None, true) = (found.wedge, self.tool.end_plates, piece.ends > 0) else { return };
        let cut = self.level(&wedge, face, depth, 0.0);
        found.force += f64::from(piece.ends) * narrow::crescent(&cut, wedge.plane, &wedge.soil) / piece.width;
    }

    fn level(&self, wedge: &Wedge, face: &Face, depth: f64, speed: f64) -> LevelCut {
        LevelCut { rake: face.rake, depth, speed, surcharge: wedge.surcharge, gravity: self.gravity }
    }

    /// Teeth as narrow tools, limited by a wide tool as deep as they are.
    fn add_teeth(
        &self,
        piece: &Piece,
        teeth: &Teeth,
        face: &Face,
        (slice, found): (&mut Slice, &mut OnFace),
        ray: &mut Ray,
    ) {
        let wide = self.on_face(piece, face, teeth.length, ray);
        if !(ray.depth > 0.0) {
            return;
        }
        let strip = teeth.width.min(teeth.thickness);
        let area = teeth.width * teeth.thickness * piece.teeth_per_metre * piece.width;
        slice.bearing += self.bearing(ray, strip) * area;
        let Some(wedge) = wide.wedge else { return };
        let cut = self.level(&wedge, face, ray.depth, self.speed(piece));
        let Some(each) = narrow::failure(&cut, teeth.width, &wedge.soil) else { return };
        let part = teeth.width * piece.teeth_per_metre;
        let force = (each.force * part).min(wide.force);
        if force > found.force {
            *found = OnFace { force, adhesion: found.adhesion.max(wide.adhesion * part.min(1.0)), ..wide };
        }
    }

    /// Bearing capacity under a strip at the edge of a section.
    fn bearing(&self, ray: &Ray, thickness: f64) -> f64 {
        let column = ray.column();
        let overburden = self.gravity * column.above(ray.edge, ray.edge + ray.depth).0 + ray.stations[0].load;
        bearing::capacity(column.at(ray.edge), thickness, overburden, self.gravity)
    }

    /// Friction on the back of the face, where the ground behind is above the edge.
    fn back(&self, piece: &Piece, face: &Face, ray: &Ray) -> f64 {
        let depth = Ray::behind(self.ground, piece.middle, piece.forward).min(face.length * face.sin);
        if !(depth > 0.0) {
            return 0.0;
        }
        let column = ray.column();
        let stress = 0.5 * self.gravity * column.above(ray.edge, ray.edge + depth).0;
        bearing::plate_friction(column.at(ray.edge), stress) * depth / face.sin
    }
}

/// Friction per area of an end plate at half its buried depth [Pa].
pub(super) fn end_plate(soil: &CuttingSoil, depth: f64, gravity: f64) -> f64 {
    bearing::plate_friction(soil, 0.5 * soil.density * gravity * depth)
}

fn finished(mut slice: Slice, face: DVec3, found: &OnFace) -> Slice {
    slice.point = slice.edge + face * found.height;
    let Some(wedge) = found.wedge else { return slice };
    slice.plane = wedge.plane;
    slice.direction = slice.forward * wedge.push.0 + DVec3::Z * wedge.push.1;
    slice.bound = found.force * slice.width;
    slice.adhesion = found.adhesion * slice.width;
    let (sin, cos) = libm::sincos(slice.rake);
    slice.force = -(slice.direction * slice.bound + (slice.forward * cos - DVec3::Z * sin) * slice.adhesion);
    slice
}
