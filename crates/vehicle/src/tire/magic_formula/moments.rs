//! Overturning, rolling resistance and aligning moments.
//!
//! ```text
//! M_z = −t F_y' + M_zr + s F_x
//! t    = D_t cos(C_t atan(B_t α_t − E_t (B_t α_t − atan B_t α_t))) cos α,   M_zr = D_r cos(atan(B_r α_r)) cos α
//! α_t,eq = atan √(tan²α_t + (K_x/K_y)² κ²) sgn α_t,   the same for α_r
//! ```
//!
//! F_y' is F_y − S_Vyκ in version 5.2, and G_yκ F_y0 without camber in 6.x. cos α carries the sign of the speed and fades
//! out below VXLOW; the fading is linear, and ours. Where published versions differ: D_t refers to the scaled nominal
//! load λ_Fz0 F_z0 (book, Chrono; MFeval multiplies the trail by λ_Fz0 again), B_t and D_t are those of Besselink, Schmeitz,
//! Pacejka 2010 (A58, A60), and the overturning moment is that of the TNO equation manual, in which λ_Mx scales all terms.

use std::f64::consts::FRAC_2_PI;

use super::combined::Combined;
use super::pure::{Conditions, Curve, sign};
use super::{MagicFormula, Version};
use crate::tire::model::Contact;

impl MagicFormula {
    /// Aligning moment (4.E31–4.E49, 4.E71–4.E78) [N·m].
    pub(super) fn aligning(
        &self,
        at: &Conditions,
        [kappa, alpha]: [f64; 2],
        curves: &[Curve; 2],
        force: &Combined,
        speed: f64,
    ) -> f64 {
        let p = &self.coefficients;
        let [x, y] = curves;
        let old = self.version == Version::V52;
        let camber = if old { at.gamma * p.LGAZ } else { at.gamma };
        let cos_alpha = libm::cos(alpha) * (speed / p.VXLOW.max(1e-3)).clamp(-1.0, 1.0);
        // slip angles of trail and residual moment
        let ratio = x.k / y.k * kappa;
        let equivalent = |angle: f64| libm::atan(libm::hypot(libm::tan(angle), ratio)) * sign(angle);
        let shift = p.QHZ1 + p.QHZ2 * at.dfz + (p.QHZ3 + p.QHZ4 * at.dfz) * camber;
        let alpha_t = alpha + shift;
        let residual = equivalent(alpha + y.sh + y.sv / y.k);
        let trail = self.trail(at, camber, [alpha_t, equivalent(alpha_t)]) * cos_alpha;
        // lateral force at which the trail acts
        let lateral = if old || !self.has_weighting() {
            force.fy - force.sv
        } else {
            let upright = Conditions { gamma: 0.0, ..*at };
            force.gy * self.lateral(&upright, alpha).at(alpha)
        };
        let br = p.QBZ9 * p.LKY / at.mu[1] + p.QBZ10 * y.b * y.c * sign(p.PDY1);
        let twist =
            (p.QDZ8 + p.QDZ9 * at.dfz) * (1.0 + p.PPZ2 * at.dp) + (p.QDZ10 + p.QDZ11 * at.dfz) * camber.abs();
        let scale = if old { 1.0 } else { p.LKZC };
        let dr = at.fz
            * p.UNLOADED_RADIUS
            * ((p.QDZ6 + p.QDZ7 * at.dfz) * p.LRES + twist * camber * scale)
            * at.mu[1];
        let moment = dr * libm::cos(libm::atan(br * residual)) * cos_alpha;
        let arm = p.SSZ1 + p.SSZ2 * force.fy / p.FNOMIN + (p.SSZ3 + p.SSZ4 * at.dfz) * at.gamma;
        -trail * lateral + moment + arm * p.UNLOADED_RADIUS * p.LS * force.fx
    }

    /// Pneumatic trail before its factor cos α; E_t belongs to α_t, the curve is taken at α_t,eq [m].
    fn trail(&self, at: &Conditions, camber: f64, [alpha_t, equivalent]: [f64; 2]) -> f64 {
        let p = &self.coefficients;
        let dfz = at.dfz;
        let b = (p.QBZ1 + p.QBZ2 * dfz + p.QBZ3 * dfz * dfz)
            * (1.0 + p.QBZ4 * camber + p.QBZ5 * camber.abs())
            * p.LKY
            / at.mu[1];
        let d = at.fz * p.UNLOADED_RADIUS / (p.LFZO * p.FNOMIN)
            * (p.QDZ1 + p.QDZ2 * dfz)
            * (1.0 - p.PPZ1 * at.dp)
            * (1.0 + p.QDZ3 * camber + p.QDZ4 * camber * camber)
            * p.LTR;
        let e = (p.QEZ1 + p.QEZ2 * dfz + p.QEZ3 * dfz * dfz)
            * (1.0 + (p.QEZ4 + p.QEZ5 * camber) * FRAC_2_PI * libm::atan(b * p.QCZ1 * alpha_t));
        let x = b * equivalent;
        d * libm::cos(p.QCZ1 * libm::atan(x - e.min(1.0) * (x - libm::atan(x))))
    }

    /// Overturning moment (4.E69 in the form of the TNO manual) [N·m].
    pub(super) fn overturning(&self, at: &Conditions, fy: f64) -> f64 {
        let p = &self.coefficients;
        let (load, lateral) = (at.fz / p.FNOMIN, fy / p.FNOMIN);
        let mixed = libm::cos(p.QSX5 * libm::atan(p.QSX6 * load * p.QSX6 * load))
            * libm::sin(p.QSX7 * at.gamma + p.QSX8 * libm::atan(p.QSX9 * lateral));
        let sum = p.QSX1 * p.LVMX - p.QSX2 * at.gamma * (1.0 + p.PPMX1 * at.dp)
            + p.QSX3 * lateral
            + p.QSX4 * mixed
            + p.QSX10 * libm::atan(p.QSX11 * load) * at.gamma
            - p.QSX12 * at.gamma * at.gamma.abs();
        let direct = fy * (p.QSX13 + p.QSX14 * at.gamma.abs());
        p.UNLOADED_RADIUS * p.LMX * (at.fz * sum + direct)
    }

    /// Rolling resistance moment, against the direction of rolling [N·m].
    ///
    /// 5.2: M_y = −R₀F_z λ_My (q_Sy1 + …). 6.x: Besselink, Schmeitz, Pacejka 2010, (A48); the book's (4.E70) has F_z for
    /// F_z0. Speed is scaled by LONGVL.
    pub(super) fn rolling(&self, at: &Conditions, contact: &Contact, fx: f64) -> f64 {
        let forward = (contact.speed / self.coefficients.VXLOW.max(1e-3)).clamp(-1.0, 1.0);
        -self.rolling_size(at, contact, fx) * forward
    }

    /// |M_y| without fading out below VXLOW [N·m]: dry friction acts at rest too.
    pub(super) fn rolling_size(&self, at: &Conditions, contact: &Contact, fx: f64) -> f64 {
        let p = &self.coefficients;
        let speed = if p.LONGVL > 0.0 { contact.speed / p.LONGVL } else { 0.0 };
        let square = speed * speed;
        let load = at.fz / p.FNOMIN;
        let camber2 = at.gamma * at.gamma;
        let sum = p.QSY1 + p.QSY2 * fx / p.FNOMIN + p.QSY3 * speed.abs() + p.QSY4 * square * square;
        let size = if self.version == Version::V52 {
            at.fz * sum
        } else {
            let pressure = libm::pow((1.0 + at.dp).max(0.1), p.QSY8);
            p.FNOMIN * (sum + (p.QSY5 + p.QSY6 * load) * camber2) * libm::pow(load, p.QSY7) * pressure
        };
        p.UNLOADED_RADIUS * size.max(0.0) * p.LMY.max(0.0)
    }
}
