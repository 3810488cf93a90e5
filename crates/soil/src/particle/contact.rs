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

use super::state::Impulses;
use glam::DVec3;

/// Velocities of a sphere in the sweeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub velocity: DVec3,
    /// 1/m [1/kg].
    pub inverse_mass: f64,
    /// Angular velocity times radius [m/s].
    pub spin: DVec3,
    /// 1/r [1/m].
    pub inverse_radius: f64,
}

/// Position of a sphere in the sweeps.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub centre: DVec3,
    pub radius: f64,
}

/// A contact that may close within the step. The partners are indices from the beginning of the contact's slab.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
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
const GREATEST_PUSH: f64 = 0.5;

/// Damping ratio of the soft sweep.
const DAMPING: f64 = 10.0;

/// Gap over which adhesion acts, in radii: bridges of water between grains are thin.
pub(super) const REACH: f64 = 0.02;

/// 1/(1 + 5/2): share of the mass that resists tangentially.
const TANGENT: f64 = 2.0 / 7.0;

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
    #[inline(always)]
    pub fn place(&mut self, a: &Place, b: &Place) {
        let away = b.centre - a.centre;
        let distance = away.length();
        self.gap = distance - (a.radius + b.radius);
        self.normal = if distance > 1e-12 { away * (1.0 / distance) } else { DVec3::Z };
        let tangent = self.impulses.tangent;
        self.impulses.tangent = tangent - self.normal * self.normal.dot(tangent);
    }

    /// Whether no sweep can change anything: open, without impulse, and not about to close.
    #[inline(always)]
    fn is_idle(&self, speed: f64, rate: f64) -> bool {
        self.impulses.normal == 0.0 && self.pull == 0.0 && self.gap > 0.0 && speed + self.gap * rate >= 0.0
    }

    /// Applies the impulses of the last substep.
    #[inline(always)]
    pub fn warm(&self, a: &mut Body, b: &mut Body) {
        if self.impulses.normal != 0.0 {
            self.apply(a, b, self.lever(), self.impulses);
        }
    }

    /// One sweep.
    #[inline(always)]
    pub fn sweep(&mut self, a: &mut Body, b: &mut Body, softness: &Softness) {
        let (n, relative) = (self.normal, b.velocity - a.velocity);
        let speed = n.dot(relative);
        if self.is_idle(speed, softness.rate) {
            return;
        }
        let (old, lever) = (self.impulses, self.lever());
        let pull =
            if 2.0 * self.gap * f64::from(self.per_span) <= REACH { f64::from(self.pull) } else { 0.0 };
        let normal = softness.normal(old.normal, (speed, self.gap), self.mass, pull);
        let bound = normal + pull;
        let slip = relative - n * speed - (a.spin + b.spin).cross(n) * lever;
        let tangent = old.tangent - slip * (TANGENT * self.mass);
        let tangent = shortened(tangent, f64::from(self.friction) * bound);
        let turn = b.spin * b.inverse_radius - a.spin * a.inverse_radius;
        let rolling = old.rolling - turn * (f64::from(self.inertia) * self.mass);
        let rolling = shortened(rolling, f64::from(self.rolling) * bound);
        self.impulses = Impulses { normal, tangent, rolling };
        let change = Impulses {
            normal: normal - old.normal,
            tangent: tangent - old.tangent,
            rolling: rolling - old.rolling,
        };
        self.apply(a, b, lever, change);
    }

    /// Brings the normal velocity after an impact to that of the restitution, if the contact has closed.
    pub fn bounce(&mut self, a: &mut Body, b: &mut Body, rebound: f64) {
        let speed = self.normal.dot(b.velocity - a.velocity);
        if rebound > 0.0 && self.gap * f64::from(self.per_span) < REACH && speed < rebound {
            let normal = self.mass * (rebound - speed);
            self.apply(a, b, 1.0, Impulses { normal, ..Impulses::default() });
        }
    }

    /// f: distance over the sum of the radii.
    #[inline(always)]
    fn lever(&self) -> f64 {
        1.0 + self.gap * f64::from(self.per_span)
    }

    #[inline(always)]
    fn apply(&self, a: &mut Body, b: &mut Body, lever: f64, change: Impulses) {
        let push = self.normal * change.normal + change.tangent;
        a.velocity -= push * a.inverse_mass;
        b.velocity += push * b.inverse_mass;
        let twist = self.normal.cross(change.tangent) * (2.5 * lever);
        let roll = change.rolling * 2.5;
        a.spin -= (twist + roll * a.inverse_radius) * a.inverse_mass;
        b.spin -= (twist - roll * b.inverse_radius) * b.inverse_mass;
    }
}
