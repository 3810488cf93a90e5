//! Contacts of a particle with walls and with the ground. The laws are those of two particles, one with infinite mass:
//! normal n from the wall to the centre, velocity w and angular velocity Ω of the wall at the contact point.
//!
//! ```text
//!  normal n·(v − w)      tangent (1 − n nᵀ)(v − w) − f u×n      rolling ω − Ω
//! ```
//!
//! What a wall receives is summed over the substeps, in the order of the contacts.

use super::contact::{Body, Place, REACH, Softness, shortened};
use super::heights::Plane;
use super::state::Impulses;
use super::wall::{Pose, Wall, WallShape};
use glam::DVec3;

/// Index of the ground in a contact.
pub(super) const GROUND: u32 = u32::MAX;

/// A contact with a wall that may close within the step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WallContact {
    /// The particle, counted from the beginning of the contact's slab.
    pub body: u32,
    /// The wall, or `GROUND`.
    pub wall: u32,
    /// Face of the shape: triangle of a surface, face that a centre inside leaves through, plane of the ground.
    pub feature: u32,
    /// Plane of the ground.
    pub plane: Plane,
    pub normal: DVec3,
    /// Infinite for a triangle that does not act.
    pub gap: f64,
    /// Whether the closest point lies inside the triangle.
    pub face: bool,
    /// Velocity and angular velocity of the wall at the contact point.
    pub velocity: DVec3,
    pub spin: DVec3,
    /// From the wall's reference point to the contact point [m].
    pub arm: DVec3,
    /// Mass of the particle [kg].
    pub mass: f64,
    pub radius: f64,
    pub impulses: Impulses,
    /// μ, μ_r, and a_c times the substep.
    pub friction: f64,
    pub rolling: f64,
    pub pull: f64,
    /// Normal velocity after an impact; 0 without restitution [m/s].
    pub rebound: f64,
    /// Impulse on the wall since the beginning of the step, and its moment about the reference point.
    pub given: DVec3,
    pub moment: DVec3,
}

impl WallContact {
    /// Takes gap, normal and velocities from the poses.
    pub fn place(&mut self, place: &Place, walls: &[Wall], poses: &[Pose]) {
        if self.wall == GROUND {
            self.normal = self.plane.normal;
            self.gap = self.plane.distance(place.centre()) - place.radius();
            self.arm = place.centre() - self.normal * (place.radius() + self.gap);
        } else {
            let (wall, pose) = (&walls[self.wall as usize], &poses[self.wall as usize]);
            let q = pose.local(place.centre());
            let (normal, distance) = if let WallShape::Mesh(mesh) = &wall.shape {
                let touch = mesh.touch(self.feature, q, place.radius());
                self.face = touch.face;
                (touch.normal, touch.distance)
            } else {
                let (normal, distance, feature) = wall.shape.nearest(q, self.feature);
                self.feature = feature;
                (normal, distance)
            };
            self.normal = pose.world(normal);
            self.gap = distance - place.radius();
            if self.gap == f64::INFINITY {
                return self.drop();
            }
            self.arm = place.centre() - self.normal * distance - pose.origin;
            self.velocity = wall.velocity + wall.spin.cross(self.arm);
        }
        self.impulses.tangent -= self.normal * self.normal.dot(self.impulses.tangent);
    }

    /// Takes a triangle out of the sweeps.
    fn drop(&mut self) {
        (self.gap, self.arm, self.impulses) = (f64::INFINITY, DVec3::ZERO, Impulses::default());
    }

    /// Applies the impulses of the last substep.
    pub fn warm(&mut self, body: &mut Body) {
        if self.impulses.normal != 0.0 {
            self.apply(body, self.impulses);
        }
    }

    /// One sweep.
    pub fn sweep(&mut self, body: &mut Body, softness: &Softness) {
        if self.gap == f64::INFINITY {
            return;
        }
        let (n, old) = (self.normal, self.impulses);
        let relative = body.velocity() - self.velocity;
        let speed = n.dot(relative);
        if old.normal == 0.0 && self.pull == 0.0 && self.gap > 0.0 && speed + self.gap * softness.rate >= 0.0
        {
            return;
        }
        let pull = if self.gap <= REACH * self.radius { self.pull } else { 0.0 };
        let normal = softness.normal(old.normal, (speed, self.gap), self.mass, pull);
        let bound = normal + pull;
        let lever = 1.0 + self.gap * body.inverse_radius();
        let slip = relative - n * speed - body.spin().cross(n) * lever;
        let tangent = shortened(old.tangent - slip * (2.0 / 7.0 * self.mass), self.friction * bound);
        let change =
            Impulses { normal: normal - old.normal, tangent: tangent - old.tangent, ..Impulses::default() };
        self.apply(body, change);
        // rolling after the tangent: there is no equal partner that keeps them apart
        let turn = body.spin() * body.inverse_radius() - self.spin;
        let rolling = old.rolling - turn * (0.4 * self.mass * self.radius * self.radius);
        let rolling = shortened(rolling, self.rolling * self.radius * bound);
        self.apply(body, Impulses { rolling: rolling - old.rolling, ..Impulses::default() });
        self.impulses = Impulses { normal, tangent, rolling };
    }

    /// Brings the normal velocity after an impact to that of the restitution, if the contact has closed.
    pub fn bounce(&mut self, body: &mut Body) {
        let speed = self.normal.dot(body.velocity() - self.velocity);
        if self.rebound > 0.0 && self.gap < REACH * self.radius && speed < self.rebound {
            let normal = self.mass * (self.rebound - speed);
            self.apply(body, Impulses { normal, ..Impulses::default() });
        }
    }

    #[inline(always)]
    fn apply(&mut self, body: &mut Body, change: Impulses) {
        let push = self.normal * change.normal + change.tangent;
        body.set_velocity(body.velocity() + push * body.inverse_mass());
        let lever = 1.0 + self.gap * body.inverse_radius();
        let twist = self.normal.cross(change.tangent) * (2.5 * lever);
        let turn = (twist - change.rolling * (2.5 * body.inverse_radius())) * body.inverse_mass();
        body.set_spin(body.spin() - turn);
        self.given -= push;
        self.moment -= self.arm.cross(push) + change.rolling;
    }
}

/// Removes contacts at internal edges: those of the triangles of one surface around a particle whose closest point,
/// on an edge, lies on or behind the plane of a face or of a nearer edge.
pub(super) fn drop_covered(contacts: &mut [WallContact]) {
    for at in 0..contacts.len() {
        let edge = contacts[at];
        if edge.face || edge.gap == f64::INFINITY {
            continue;
        }
        let covers = |(k, other): (usize, &WallContact)| {
            let first = (other.gap, k) < (edge.gap, at);
            let height = other.normal.dot(edge.arm - other.arm);
            k != at && other.gap < f64::INFINITY && (other.face || first) && height < 1e-3 * edge.radius
        };
        if contacts.iter().enumerate().any(covers) {
            contacts[at].drop();
        }
    }
}
