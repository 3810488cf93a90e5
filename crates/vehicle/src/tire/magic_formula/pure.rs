//! Pure slip: F_x of κ alone and F_y of α alone.
//!
//! ```text
//! Y = D sin(C atan(Bx − E (Bx − atan Bx))) + S_V,   x = X + S_H,   B = K/(C D),   E ≤ 1
//! df_z = (F_z − F_z0')/F_z0',   F_z0' = λ_Fz0 F_z0,   dp = (p − p₀)/p₀
//! ```
//!
//! Equation numbers (4.E…) are those of Pacejka, Tire and Vehicle Dynamics, 3rd ed. 2012. Version 5.2 differs in three
//! places: camber is scaled by λ_γ, S_Hy contains p_Hy3 γ in place of the camber stiffness, and E_y has no p_Ey5. The
//! sign in exp(p_Kx3 df_z) is + in PAC2002 and in 6.x; code after the publication of 1997 has −.

use super::coefficients::Coefficients;
use super::{MagicFormula, Version};
use crate::tire::model::{Contact, Slip};

/// What all formulas need of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    /// Vertical load F_z [N].
    pub fz: f64,
    /// Relative deviation of the load from the scaled nominal load.
    pub dfz: f64,
    /// Relative deviation of the pressure from the nominal pressure.
    pub dp: f64,
    /// Camber angle [rad].
    pub gamma: f64,
    /// Scale factors of the friction, with that of the road and its decrease with slip velocity.
    pub mu: [f64; 2],
}

/// Terms of one curve.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Curve {
    /// Stiffness factor B.
    pub b: f64,
    /// Shape factor C.
    pub c: f64,
    /// Peak D [N].
    pub d: f64,
    /// Curvature factor E, for the sign of x at which the curve was built.
    pub e: f64,
    /// Slope K = BCD [N].
    pub k: f64,
    /// Horizontal shift S_H.
    pub sh: f64,
    /// Vertical shift S_V [N].
    pub sv: f64,
}

impl Curve {
    /// Y at a slip X.
    pub fn at(&self, slip: f64) -> f64 {
        let x = self.b * (slip + self.sh);
        self.d * libm::sin(self.c * libm::atan(x - self.e * (x - libm::atan(x)))) + self.sv
    }

    /// X at which Y + `extra` vanishes, nearest to zero slip. A vertical shift of more than 0.9 D counts as 0.9 D.
    pub fn zero(&self, extra: f64) -> f64 {
        let size = self.c * self.d;
        if !(size.abs() > 0.0 && self.b.abs() > 0.0) {
            return 0.0;
        }
        let level = (-(self.sv + extra) / self.d).clamp(-0.9, 0.9);
        let target = libm::tan(libm::asin(level) / self.c.max(1.0));
        // x − E (x − atan x) = target: the left side increases with x for E ≤ 1 with slope 1 − E x²/(1 + x²)
        let mut x = target;
        for _ in 0..20 {
            let slope = (1.0 - self.e * x * x / (1.0 + x * x)).max(1e-3);
            let step = (x - self.e * (x - libm::atan(x)) - target) / slope;
            x -= step;
            if step.abs() <= 1e-14 * (1.0 + x.abs()) {
                break;
            }
        }
        x / self.b - self.sh
    }
}

impl MagicFormula {
    /// The conditions of a contact at a slip.
    pub(super) fn conditions(&self, slip: Slip, contact: &Contact) -> Conditions {
        let c = &self.coefficients;
        let fz = contact.load.min(self.max_load());
        let nominal = c.LFZO * c.FNOMIN;
        // slip velocity in λ_μ* = λ_μ/(1 + λ_μV v_s/V₀) (4.E7)
        let velocity = libm::hypot(slip.kappa, slip.tan_alpha) * contact.speed.abs();
        let decay = if c.LMUV > 0.0 && c.LONGVL > 0.0 { 1.0 + c.LMUV * velocity / c.LONGVL } else { 1.0 };
        let road = contact.friction.max(MIN_FRICTION) / decay;
        Conditions {
            fz,
            dfz: (fz - nominal) / nominal,
            dp: self.pressure_deviation(contact.pressure),
            gamma: self.side * self.limited_camber(contact.camber),
            mu: [c.LMUX * road, c.LMUY * road],
        }
    }

    /// Longitudinal curve (4.E9–4.E18); E depends on the sign of κ + S_H.
    pub(super) fn longitudinal(&self, at: &Conditions, kappa: f64) -> Curve {
        let p = &self.coefficients;
        let Conditions { fz, dfz, dp, gamma, mu: [scale, _] } = *at;
        let camber = gamma * p.LGAX;
        let mu = (p.PDX1 + p.PDX2 * dfz)
            * (1.0 + p.PPX3 * dp + p.PPX4 * dp * dp)
            * (1.0 - p.PDX3 * camber * camber)
            * scale;
        let c = p.PCX1 * p.LCX;
        let d = mu.max(MIN_FRICTION) * fz;
        let k = fz
            * (p.PKX1 + p.PKX2 * dfz)
            * libm::exp((p.PKX3 * dfz).clamp(-MAX_EXPONENT, MAX_EXPONENT))
            * (1.0 + p.PPX1 * dp + p.PPX2 * dp * dp)
            * p.LKX;
        let k = k.max(MIN_STIFFNESS * fz);
        let sh = (p.PHX1 + p.PHX2 * dfz) * p.LHX;
        let sv = fz * (p.PVX1 + p.PVX2 * dfz) * p.LVX * scale;
        let e = (p.PEX1 + p.PEX2 * dfz + p.PEX3 * dfz * dfz) * (1.0 - p.PEX4 * sign(kappa + sh)) * p.LEX;
        Curve { b: k / (c * d), c, d, e: e.min(1.0), k, sh, sv }
    }

    /// Lateral curve (4.E19–4.E30); E depends on the sign of α + S_H.
    pub(super) fn lateral(&self, at: &Conditions, alpha: f64) -> Curve {
        let p = &self.coefficients;
        let Conditions { fz, dfz, dp, gamma, mu: [_, scale] } = *at;
        let old = self.version == Version::V52;
        let camber = if old { gamma * p.LGAY } else { gamma };
        // files with D < 0 and K < 0 have the curve of −D: it depends on D and B through D sin(… B …) with B = K/(C D)
        let mu = sign(p.PDY1)
            * (p.PDY1 + p.PDY2 * dfz)
            * (1.0 + p.PPY3 * dp + p.PPY4 * dp * dp)
            * (1.0 - p.PDY3 * camber * camber)
            * scale;
        let c = p.PCY1 * p.LCY;
        let d = mu.max(MIN_FRICTION) * fz;
        let k = self.cornering_stiffness(at, camber);
        let ply = (p.PHY1 + p.PHY2 * dfz) * p.LHY;
        let camber_shift = fz * (p.PVY3 + p.PVY4 * dfz) * camber * p.LKYC * scale;
        let sv = fz * (p.PVY1 + p.PVY2 * dfz) * p.LVY * scale + camber_shift;
        let sh = if old {
            ply + p.PHY3 * camber * p.LKYC
        } else {
            let stiffness = fz * (p.PKY6 + p.PKY7 * dfz) * (1.0 + p.PPY5 * dp) * p.LKYC;
            ply + (stiffness * camber - camber_shift) / k
        };
        let curvature = 1.0 + p.PEY5 * camber * camber - (p.PEY3 + p.PEY4 * camber) * sign(alpha + sh);
        let e = (p.PEY1 + p.PEY2 * dfz) * curvature * p.LEY;
        Curve { b: k / (c * d), c, d, e: e.min(1.0), k, sh, sv }
    }

    /// Cornering stiffness K_yα, negative in ISO axes (4.E25) [N/rad].
    fn cornering_stiffness(&self, at: &Conditions, camber: f64) -> f64 {
        let p: &Coefficients = &self.coefficients;
        let nominal = p.LFZO * p.FNOMIN;
        let best = (p.PKY2 + p.PKY5 * camber * camber) * (1.0 + p.PPY2 * at.dp);
        let k = p.PKY1
            * nominal
            * (1.0 + p.PPY1 * at.dp)
            * (1.0 - p.PKY3 * camber.abs())
            * libm::sin(p.PKY4 * libm::atan(at.fz / nominal / best))
            * p.LKY;
        k.min(-MIN_STIFFNESS * at.fz)
    }
}

/// Smallest coefficient of friction: extrapolation beyond the measured loads never makes it negative.
const MIN_FRICTION: f64 = 1e-3;

/// Smallest slip stiffness over load, for the same reason: a tenth of that of a very soft tyre.
const MIN_STIFFNESS: f64 = 0.5;

/// Largest exponent of the variation with load: files far out of their range stay finite.
pub(super) const MAX_EXPONENT: f64 = 20.0;

/// Sign with sign(0) = 1, so that curves are defined at zero slip.
pub(super) fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}
