//! Pairs of particles become one: mass, momentum and centre are kept.
//!
//! ```text
//!  m = m_a + m_b      x = (m_a x_a + m_b x_b)/m      v = (m_a v_a + m_b v_b)/m      r³ = r_a³ + r_b³
//! ```
//!
//! The spin is that which keeps the angular momentum of the two spins; that of their motion about each other is small,
//! because only slow pairs are joined.

use super::state::{Particle, Particles};

/// Greatest relative speed of a pair that is joined, over √(g d) with g = 9.81 m/s².
const SLOW: f64 = 0.3;

impl Particles {
    /// Joins up to `most` pairs of touching particles of the same soil, for both of which `may` holds, if the result is
    /// not larger than a radius. Returns how many were joined.
    pub fn merge(&mut self, most: usize, largest: f64, may: impl Fn(&Particle) -> bool) -> usize {
        let mut joined = 0;
        for k in 0..self.pairs.len() {
            if joined == most {
                break;
            }
            let [i, j] = self.pairs[k].partners.map(|at| at as usize);
            let (a, b) = (self.all[i], self.all[j]);
            // those that were joined have an infinite rest, or no mass
            let open = |p: &Particle| p.rest.is_finite() && p.is_sound() && may(p);
            let limit = SLOW * SLOW * 9.81 * (a.radius + b.radius);
            let slow = a.velocity.distance_squared(b.velocity) < limit;
            let cube = |r: f64| r * r * r;
            let radius = libm::cbrt(cube(a.radius) + cube(b.radius));
            if !(open(&a) && open(&b) && a.soil == b.soil && slow && radius <= largest) {
                continue;
            }
            let mass = a.mass + b.mass;
            let [u, v] = [a.mass, b.mass].map(|part| part.kilograms() / mass.kilograms());
            let square = |r: f64| r * r / (radius * radius);
            self.all[i] = Particle {
                position: a.position * u + b.position * v,
                velocity: a.velocity * u + b.velocity * v,
                spin: a.spin * (u * square(a.radius)) + b.spin * (v * square(b.radius)),
                radius,
                mass,
                rest: f64::INFINITY,
                ..a
            };
            self.all[j].rest = f64::NAN;
            joined += 1;
        }
        if joined > 0 {
            self.remove(|p| p.rest.is_nan());
            self.all.iter_mut().filter(|p| p.rest == f64::INFINITY).for_each(|p| p.rest = 0.0);
        }
        joined
    }
}
