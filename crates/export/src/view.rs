//! Projection: a camera and the poses of the bodies → image coordinates of a point.
//!
//! With f, r, u the unit vectors forward, right and up of the camera, d = p − eye, z = d·f the depth, α
//! the vertical angle and A the image's width by height, a point p appears at
//!
//! ```text
//!  x = (d·r / z − s) / (A tan α/2)      from −1, left edge, to 1, right edge
//!  y =  d·u / z      / (  tan α/2)      from −1, lower edge, to 1, upper edge
//! ```
//!
//! For stereo images with the distance e between the eyes and convergence c, the axes stay parallel and the
//! frusta are sheared so that both eyes look through the same window at depth c:
//!
//! ```text
//!  left eye  − e/2 r,  s = + e / 2c          disparity x_left − x_right = e (1/z − 1/c) / (A tan α/2)
//!  right eye + e/2 r,  s = − e / 2c
//! ```
//!
//! Rotating the eyes inward instead would tilt the two image planes relative to each other and cause vertical
//! disparity away from the centre, which is unpleasant to view.

use crate::instant::Pose;
use crate::picture::{Camera, Mount, Stereo};
use glam::{DQuat, DVec2, DVec3};
use windlass_scene::visual::heading;

/// The eye of a stereo camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Eye {
    /// The camera itself.
    Middle,
    /// The left of a stereo pair.
    Left,
    /// The right of a stereo pair.
    Right,
}

/// A camera at an instant, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the eye [m].
    pub eye: DVec3,
    /// Unit vector into the image.
    pub forward: DVec3,
    /// Unit vector to the right of the image.
    pub right: DVec3,
    /// Unit vector to the upper edge of the image.
    pub up: DVec3,
    /// Tangent of half the vertical angle.
    pub tangent: f64,
    /// Shift of the frustum to the right, per depth.
    pub shift: f64,
}

impl Eye {
    /// −1 left, 0 in the middle, +1 right.
    pub fn side(self) -> f64 {
        match self {
            Eye::Left => -1.0,
            Eye::Middle => 0.0,
            Eye::Right => 1.0,
        }
    }
}

impl Camera {
    /// The camera in the world for the given poses of the bodies.
    ///
    /// # Panics
    /// If the camera is mounted on a body without a pose; `Picture::check` and `check_instant` rule that out.
    pub fn view(&self, poses: &[Pose]) -> View {
        let (at, turn) = match self.mount {
            Mount::World => (DVec3::ZERO, DQuat::IDENTITY),
            Mount::On(body) => poses[body],
            Mount::Follow(body) => (poses[body].0, DQuat::IDENTITY),
            Mount::Heading(body) => {
                let (at, turn) = poses[body];
                (at, heading(turn, self.up.normalize_or(DVec3::Z)))
            }
            Mount::Toward(body) => {
                let (at, turn) = poses[body];
                let aimed = Camera { target: at + turn * self.target, mount: Mount::World, ..self.clone() };
                return aimed.view(poses);
            }
        };
        let forward = turn * (self.target - self.position).normalize();
        let right = forward.cross(turn * self.up).normalize();
        View {
            eye: at + turn * self.position,
            forward,
            right,
            up: right.cross(forward),
            tangent: libm::tan(0.5 * self.angle),
            shift: 0.0,
        }
    }
}

impl View {
    /// The same camera seen from one eye of a stereo pair.
    pub fn seen_by(self, eye: Eye, stereo: Stereo) -> View {
        let offset = 0.5 * stereo.eyes * eye.side();
        View { eye: self.eye + self.right * offset, shift: -offset / stereo.convergence, ..self }
    }

    /// Depth of a point in front of the eye [m].
    pub fn depth(&self, point: DVec3) -> f64 {
        (point - self.eye).dot(self.forward)
    }

    /// Image coordinates of a point in an image `aspect` times as wide as high: from −1 to 1 to the right and
    /// upward. `None` behind the eye.
    pub fn project(&self, point: DVec3, aspect: f64) -> Option<DVec2> {
        let d = point - self.eye;
        let depth = d.dot(self.forward);
        let x = (d.dot(self.right) / depth - self.shift) / (aspect * self.tangent);
        let y = d.dot(self.up) / depth / self.tangent;
        (depth > 0.0).then_some(DVec2::new(x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_engine::math::turn;

    fn camera() -> Camera {
        let (position, target) = (DVec3::new(0.0, -10.0, 2.0), DVec3::new(0.0, 0.0, 2.0));
        Camera { position, target, angle: 1.0, ..Camera::default() }
    }

    #[test]
    fn x_is_right_and_z_is_up_for_one_who_looks_along_y() {
        let view = camera().view(&[]);
        let edge = 10.0 * libm::tan(0.5);
        let corner = view.project(DVec3::new(edge, 0.0, 2.0 + edge), 1.0).unwrap();
        assert!((corner - DVec2::ONE).length() < 1e-12, "{corner}");
        assert_eq!(view.project(DVec3::new(0.0, -11.0, 2.0), 1.0), None);
    }

    #[test]
    fn the_eyes_agree_at_the_convergence_and_differ_by_the_formula_elsewhere() {
        let view = camera().view(&[]);
        let stereo = Stereo { eyes: 0.065, convergence: 8.0 };
        let [left, right] = [Eye::Left, Eye::Right].map(|eye| view.seen_by(eye, stereo));
        for depth in [2.0, 8.0, 50.0] {
            let point = DVec3::new(0.3, depth - 10.0, 1.5);
            let [l, r] = [left, right].map(|view| view.project(point, 1.5).unwrap());
            let expected = 0.065 * (1.0 / depth - 1.0 / 8.0) / (1.5 * view.tangent);
            assert!((l.x - r.x - expected).abs() < 1e-14);
            assert!((l.y - r.y).abs() < 1e-14);
        }
    }

    #[test]
    fn a_mounted_camera_turns_with_its_body_and_a_following_one_does_not() {
        let pose = (DVec3::new(100.0, 0.0, 0.0), turn(DVec3::Z, 0.7));
        let on = Camera { mount: Mount::On(0), ..camera() }.view(&[pose]);
        let fixed = camera().view(&[]);
        let point = DVec3::new(1.0, 2.0, 3.0);
        let seen = on.project(pose.0 + pose.1 * point, 1.0).unwrap();
        assert!((seen - fixed.project(point, 1.0).unwrap()).length() < 1e-12);
        let follow = Camera { mount: Mount::Follow(0), ..camera() }.view(&[pose]);
        assert!((follow.eye - (pose.0 + camera().position)).length() < 1e-12);
        assert!((follow.forward - DVec3::Y).length() < 1e-12);
    }

    #[test]
    fn a_framed_box_is_all_in_the_image_and_fills_most_of_it() {
        let (low, high) = (DVec3::new(-3.0, 1.0, 0.0), DVec3::new(5.0, 2.0, 12.0));
        let view = Camera::framing(low, high, DVec3::new(-0.6, 1.0, -0.3)).view(&[]);
        let corners = (0..8).map(|i| {
            let pick = |bit: usize, low: f64, high: f64| if i & bit == 0 { low } else { high };
            DVec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
        });
        let reach = corners.map(|p| view.project(p, 1.0).unwrap().abs().max_element()).fold(0.0, f64::max);
        assert!(reach < 1.0 && reach > 0.7, "{reach}");
    }
}
