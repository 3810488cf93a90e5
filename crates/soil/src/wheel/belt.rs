//! Geometry and sag of a belt of shoes.
//!
//! ```text
//! sag of a free span   f = a (cosh(L/2a) − 1),   a = T/q       catenary of horizontal tension T, weight q per metre
//! ```

/// A belt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belt {
    /// Distance between pins [m].
    pub pitch: f64,
    /// Number of shoes.
    pub shoes: u32,
    /// Mass per metre [kg/m].
    pub mass_per_metre: f64,
}

impl Belt {
    /// Length of the closed belt [m].
    pub fn length(&self) -> f64 {
        f64::from(self.shoes) * self.pitch
    }

    /// Travel per revolution of a sprocket that engages every pin [m].
    pub fn travel(&self, teeth: u32) -> f64 {
        f64::from(teeth) * self.pitch
    }

    /// Sag of a level span between two rollers under a tension [m].
    pub fn sag(&self, span: f64, tension: f64, gravity: f64) -> f64 {
        let a = tension / (self.mass_per_metre * gravity);
        // cosh x − 1 = 2 sinh²(x/2), without cancellation
        let half = libm::sinh(0.25 * span / a);
        2.0 * a * half * half
    }
}
