//! A crawler track: a belt round a sprocket, whose lower run lies on the ground.
//!
//! ```text
//! s = R (ω_s − ω_f)·a           speed of the belt over its frame: R sprocket, a its axle, to the left
//! a ↦ line(a)                    lower run from its rear end to its front end, in the axes of the frame
//! ```
//!
//! The belt is cut in elements that run with it. Its mass belongs to the sprocket: m R² about the axle for a belt of mass m.

use glam::DVec3;
use windlass_engine::prelude::BodyId;

/// Elements of a track, at most.
pub const MOST_ELEMENTS: usize = 40;

/// A crawler track.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackModel {
    /// Its name.
    pub name: String,
    /// The body that its road wheels are fixed to.
    pub frame: BodyId,
    /// The body of its sprocket, on a hinge to the frame.
    pub sprocket: BodyId,
    /// The axle of the sprocket in the axes of the frame, to the left: a positive spin drives ahead.
    pub axle: DVec3,
    /// Radius of the belt on the sprocket [m].
    pub radius: f64,
    /// Outer surface of the lower run from the rear to the front, in the axes of the frame [m]: two points or more.
    pub line: Vec<DVec3>,
    /// Width of the belt [m].
    pub width: f64,
    /// Number of elements on the line.
    pub elements: usize,
    /// Friction coefficients on hard ground, along and across; those of the surfaces unless given.
    pub friction: Option<[f64; 2]>,
    /// Friction of the running gear over the load.
    pub rolling_resistance: f64,
    /// Pressure per deflection of belt and road wheels on hard ground [Pa/m].
    pub stiffness: f64,
}

impl TrackModel {
    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        let above = [("radius", self.radius), ("width", self.width), ("stiffness", self.stiffness)];
        if let Some((what, value)) = above.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
            return Some(format!("its {what} is {value}: give a finite number above 0"));
        }
        let friction = self.friction.unwrap_or([0.0; 2]);
        let least = [friction[0], friction[1], self.rolling_resistance];
        if least.iter().any(|value| !(*value >= 0.0 && value.is_finite())) {
            return Some("its friction or rolling resistance is negative: give 0 or more".to_string());
        }
        if !(1..=MOST_ELEMENTS).contains(&self.elements) {
            return Some(format!("it has {} elements: give 1 to {MOST_ELEMENTS}", self.elements));
        }
        let finite = self.line.iter().all(|point| point.is_finite()) && self.axle.is_finite();
        let apart = self.line.windows(2).all(|pair| pair[0].distance(pair[1]) > 1e-6);
        if self.line.len() < 2 || !finite || !apart {
            return Some(
                "its line has fewer than two different points: give them from rear to front".to_string(),
            );
        }
        if self.ahead().cross(self.axle).length() < 0.5 * self.axle.length() || self.axle == DVec3::ZERO {
            return Some("its axle points along its line: give the direction to the left".to_string());
        }
        None
    }

    /// Direction from its rear end to its front end, in the axes of the frame.
    pub fn ahead(&self) -> DVec3 {
        match (self.line.first(), self.line.last()) {
            (Some(rear), Some(front)) => (*front - *rear).normalize_or_zero(),
            _ => DVec3::ZERO,
        }
    }

    /// Length of the line [m].
    pub fn length(&self) -> f64 {
        self.line.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// Length of an element [m].
    pub fn spacing(&self) -> f64 {
        self.length() / self.elements as f64
    }

    /// Area of the belt on its line [m²].
    pub fn area(&self) -> f64 {
        self.length() * self.width
    }

    /// The point at a distance along the line from its rear end, and the direction of the line there.
    pub(super) fn at(&self, distance: f64) -> (DVec3, DVec3) {
        let mut left = distance;
        let mut found = (DVec3::ZERO, DVec3::X);
        for pair in self.line.windows(2) {
            let along = pair[1] - pair[0];
            let length = along.length();
            let direction = along / length;
            found = (pair[0] + direction * left, direction);
            if left <= length {
                break;
            }
            left -= length;
        }
        found
    }
}
