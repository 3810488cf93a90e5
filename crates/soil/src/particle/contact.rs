//! Contacts of two spheres at the velocity level, solved by projected Gauss–Seidel sweeps.
//!
//! With n from a to b, Δv = v_b − v_a, spins times radii u = r ω, gap g, and f = distance/(r_a + r_b) so that
//! friction acts on both spheres at one shared point:
//!
//! ```text
//!  normal    n·Δv                          λ ≥ −a_c                  mobility  1/m_a + 1/m_b
//!  tangent   (1 − n nᵀ)Δv − f (u_a + u_b)×n   |λ_t| ≤ μ (λ + a_c)       mobility  (1/m_a + 1/m_b)(1 + 5/2 f²)
//!  rolling   ω_b − ω_a                     |λ_r| ≤ μ_r r (λ + a_c)   mobility  1/I_a + 1/I_b,  I = 2/5 m r²
//! ```
//!
//! Between equal spheres no one of the three changes the velocity of another, so a sweep computes them together. The
//! soft sweep adds a bias that removes overlap with frequency ω and damping ratio ζ (Catto, Soft Constraints, 2011).
//! Gaps above 0 limit the approach to g/δ.
//!
//! ```text
//!  bias = ω g/(2ζ + δω)    Δλ = −s m (n·Δv + bias) − (1 − s) λ,    s = δω(2ζ + δω)/(1 + δω(2ζ + δω))
//! ```

use super::lanes::Four;
use super::state::Impulses;
use glam::DVec3;

/// Velocities of a sphere in the sweeps, as they stand in registers.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Body {
    /// Velocity [m/s]; 1/m [1/kg].
    pub linear: Four,
    /// Angular velocity times radius [m/s]; 1/r [1/m].
    pub angular: Four,
}

impl Body {
    pub fn new((velocity, inverse_mass): (DVec3, f64), (spin, inverse_radius): (DVec3, f64)) -> Body {
        Body {
            linear: velocity.extend(inverse_mass).to_array(),
            angular: spin.extend(inverse_radius).to_array(),
        }
    }

    #[inline(always)]
    pub fn velocity(&self) -> DVec3 {
        vector(&self.linear)
    }

    /// Angular velocity times radius.
    #[inline(always)]
    pub fn spin(&self) -> DVec3 {
        vector(&self.angular)
    }

    #[inline(always)]
    pub fn inverse_mass(&self) -> f64 {
        self.linear[3]
    }

    #[inline(always)]
    pub fn inverse_radius(&self) -> f64 {
        self.angular[3]
    }

    #[inline(always)]
    pub fn set_velocity(&mut self, velocity: DVec3) {
        self.linear[..3].copy_from_slice(&velocity.to_array());
    }

    #[inline(always)]
    pub fn set_spin(&mut self, spin: DVec3) {
        self.angular[..3].copy_from_slice(&spin.to_array());
    }
}

#[inline(always)]
fn vector(four: &Four) -> DVec3 {
    DVec3::new(four[0], four[1], four[2])
}

/// Position of a sphere in the sweeps: its centre and its radius [m].
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub(super) struct Place {
    pub sphere: Four,
}

impl Place {
    pub fn new(centre: DVec3, radius: f64) -> Place {
        Place { sphere: centre.extend(radius).to_array() }
    }

    #[inline(always)]
    pub fn centre(&self) -> DVec3 {
        vector(&self.sphere)
    }

    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.sphere[3]
    }

    #[inline(always)]
    pub fn travel(&mut self, way: DVec3) {
        let centre = self.centre() + way;
        self.sphere[..3].copy_from_slice(&centre.to_array());
    }
}

/// A contact that may close within the step. The partners are indices from the beginning of the contact's slab.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub a: u32,
    pub b: u32,
    pub normal: DVec3,
    pub gap: f64,
    /// 1/(1/m_a + 1/m_b) [kg].
    pub mass: f64,
    pub impulses: Impulses,
    /// 1/(1/I_a + 1/I_b) over `mass` [m²].
    pub inertia: f32,
    /// μ.
    pub friction: f32,
    /// μ_r r [m].
    pub rolling: f32,
    /// a_c times the substep [N s].
    pub pull: f32,
    /// 1/(r_a + r_b) [1/m].
    pub per_span: f32,
}

/// Coefficients of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Softness {
    /// One over the substep [1/s].
    pub rate: f64,
    /// Fraction of a negative gap that is closed per time [1/s]; 0 in the sweep without gap.
    pub close: f64,
    /// s, and 1 − s.
    pub share: f64,
    pub relax: f64,
}

/// Greatest speed at which overlap is resolved [m/s], so that soil that is created under pressure does not burst.
pub(super) const GREATEST_PUSH: f64 = 0.5;

/// Damping ratio of the soft sweep.
const DAMPING: f64 = 10.0;

/// Gap over which adhesion acts, in radii: bridges of water between grains are thin.
pub(super) const REACH: f64 = 0.02;

/// 1/(1 + 5/2): share of the mass that resists tangentially.
pub(super) const TANGENT: f64 = 2.0 / 7.0;

impl Softness {
    /// The soft sweep, its frequency a quarter of that of the substeps.
    pub fn soft(substep: f64) -> Softness {
        let turn = 0.5 * std::f64::consts::PI; // δω
        let sum = 2.0 * DAMPING + turn;
        let relax = 1.0 / (1.0 + turn * sum);
        Softness { rate: 1.0 / substep, close: turn / (sum * substep), share: turn * sum * relax, relax }
    }

    /// The sweep without gap.
    pub fn hard(substep: f64) -> Softness {
        Softness { rate: 1.0 / substep, close: 0.0, share: 1.0, relax: 0.0 }
    }

    /// The normal impulse after a sweep, from that before.
    #[inline(always)]
    pub fn normal(&self, impulse: f64, (speed, gap): (f64, f64), mass: f64, pull: f64) -> f64 {
        let new = if gap > 0.0 {
            impulse - mass * (speed + gap * self.rate)
        } else {
            impulse
                - self.share * mass * (speed + (gap * self.close).max(-GREATEST_PUSH))
                - self.relax * impulse
        };
        new.max(-pull)
    }
}

/// `v`, shortened to a length.
#[inline(always)]
pub(super) fn shortened(v: DVec3, bound: f64) -> DVec3 {
    let square = v.length_squared();
    if square > bound * bound { v * (bound / square.sqrt()) } else { v }
}

impl Pair {
    /// Takes gap and normal from the centres.
    pub fn place(&mut self, a: &Place, b: &Place) {
        let away = b.centre() - a.centre();
        let distance = away.length();
        self.gap = distance - (a.radius() + b.radius());
        self.normal = if distance > 1e-12 { away * (1.0 / distance) } else { DVec3::Z };
        let tangent = self.impulses.tangent;
        self.impulses.tangent = tangent - self.normal * self.normal.dot(tangent);
    }

    /// Brings the normal velocity after an impact to that of the restitution, if the contact has closed. Returns the
    /// impulse.
    pub fn bounce(&self, [a, b]: [&Body; 2], rebound: f64) -> Option<DVec3> {
        let speed = self.normal.dot(b.velocity() - a.velocity());
        let closed = rebound > 0.0 && self.gap * f64::from(self.per_span) < REACH && speed < rebound;
        closed.then(|| self.normal * (self.mass * (rebound - speed)))
    }
}
