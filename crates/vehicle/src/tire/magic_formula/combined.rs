//! Combined slip.
//!
//! Cosine weighting, where the file has the coefficients R (4.E50–4.E67):
//!
//! ```text
//! F_x = G_xα F_x0,   F_y = G_yκ F_y0 + S_Vyκ
//! G = cos(C atan(B s − E (B s − atan B s)))/same at s = S_H,   s = α + S_H or κ + S_H
//! ```
//!
//! Friction ellipse of PAC2002, where it has not:
//!
//! ```text
//! κ_c = κ + S_Hx + S_Vx/K_x,   α_c = α + S_Hy + S_Vy/K_y,   t = |sin α_c|/|κ_c|
//! μ_x,c = 1/√(1/μ_x,act² + (t/μ_y)²),   F_x = F_x0 μ_x,c/μ_x,act,    μ_x,act = |F_x0 − S_Vx|/F_z
//! μ_y,c = t/√(1/μ_x² + (t/μ_y,act)²),   F_y = F_y0 μ_y,c/μ_y,act
//! ```
//!
//! The ellipse scales the vertical shifts with the forces.

use super::MagicFormula;
use super::pure::{Conditions, Curve, sign};

/// Forces in combined slip, with what the moments need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Combined {
    /// Longitudinal force [N].
    pub fx: f64,
    /// Lateral force [N].
    pub fy: f64,
    /// Weight G_yκ of the lateral force.
    pub gy: f64,
    /// Lateral force S_Vyκ that longitudinal slip induces [N].
    pub sv: f64,
}

/// cos(C atan(B s − E (B s − atan B s))).
fn cosine(b: f64, c: f64, e: f64, s: f64) -> f64 {
    let x = b * s;
    libm::cos(c * libm::atan(x - e * (x - libm::atan(x))))
}

/// G at s over G at its shift, at least 0: for C > 1 the cosine changes sign at very large slip.
fn weight(b: f64, c: f64, e: f64, [slip, shift]: [f64; 2]) -> f64 {
    let reference = cosine(b, c, e, shift);
    if reference > 0.0 { (cosine(b, c, e, slip + shift) / reference).max(0.0) } else { 1.0 }
}

impl MagicFormula {
    /// Whether the file has the coefficients of cosine weighting.
    pub(super) fn has_weighting(&self) -> bool {
        let p = &self.coefficients;
        !self.ellipse && p.RBX1 != 0.0 && p.RCX1 != 0.0 && p.RBY1 != 0.0 && p.RCY1 != 0.0
    }

    /// Forces at κ and α.
    pub(super) fn combined(
        &self,
        at: &Conditions,
        [kappa, alpha]: [f64; 2],
        curves: &[Curve; 2],
    ) -> Combined {
        if self.has_weighting() {
            let (gx, gy, sv) = self.weights(at, [kappa, alpha], curves[1].d);
            Combined { fx: gx * curves[0].at(kappa), fy: gy * curves[1].at(alpha) + sv, gy, sv }
        } else {
            ellipse([kappa, alpha], curves)
        }
    }

    /// G_xα, G_yκ and S_Vyκ.
    pub(super) fn weights(&self, at: &Conditions, [kappa, alpha]: [f64; 2], peak: f64) -> (f64, f64, f64) {
        let p = &self.coefficients;
        let (dfz, camber2) = (at.dfz, at.gamma * at.gamma);
        // cos(atan x) = 1/√(1 + x²)
        let fade = |x: f64| 1.0 / libm::hypot(1.0, x);
        let bx = (p.RBX1 + p.RBX3 * camber2) * fade(p.RBX2 * kappa) * p.LXAL;
        let ex = (p.REX1 + p.REX2 * dfz).min(1.0);
        let gx = weight(bx, p.RCX1, ex, [alpha, p.RHX1]);
        let by = (p.RBY1 + p.RBY4 * camber2) * fade(p.RBY2 * (alpha - p.RBY3)) * p.LYKA;
        let ey = (p.REY1 + p.REY2 * dfz).min(1.0);
        let gy = weight(by, p.RCY1, ey, [kappa, p.RHY1 + p.RHY2 * dfz]);
        // D of the file has the sign of PDY1
        let dv = peak * sign(p.PDY1) * (p.RVY1 + p.RVY2 * dfz + p.RVY3 * at.gamma) * fade(p.RVY4 * alpha);
        let sv = dv * libm::sin(p.RVY5 * libm::atan(p.RVY6 * kappa)) * p.LVYKA;
        (gx, gy, sv)
    }
}

/// Forces by the friction ellipse.
fn ellipse([kappa, alpha]: [f64; 2], curves: &[Curve; 2]) -> Combined {
    let [x, y] = curves;
    let kappa_c = kappa + x.sh + x.sv / x.k;
    let alpha_c = alpha + y.sh + y.sv / y.k;
    let (along, across) = (kappa_c.abs(), libm::sin(alpha_c).abs());
    let (fx0, fy0) = (x.at(kappa), y.at(alpha));
    // forces over F_z cancel: D = μ F_z. With t = across/along both ratios are free of divisions by slip.
    let (act_x, act_y) = ((fx0 - x.sv).abs(), (fy0 - y.sv).abs());
    let share = |own: f64, other: f64| {
        let norm = libm::hypot(own, other);
        if norm > 0.0 { own / norm } else { 1.0 }
    };
    let gx = share(along * y.d, across * act_x);
    let gy = share(across * x.d, along * act_y);
    Combined { fx: fx0 * gx, fy: fy0 * gy, gy, sv: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::ellipse;
    use crate::tire::magic_formula::pure::Curve;

    #[test]
    fn ellipse_holds_the_resultant() {
        // curves of a tyre without shifts with D = 5000 and 4000 N
        let x = Curve { b: 12.0, c: 1.6, d: 5000.0, e: 0.4, k: 96e3, sh: 0.0, sv: 0.0 };
        let y = Curve { b: -10.0, c: 1.3, d: 4000.0, e: -0.5, k: -52e3, sh: 0.0, sv: 0.0 };
        for kappa in [-1.0, -0.3, -0.05, 0.02, 0.1, 0.8] {
            for alpha in [-1.2, -0.2, 0.01, 0.05, 0.3] {
                let force = ellipse([kappa, alpha], &[x, y]);
                let share = (force.fx / x.d) * (force.fx / x.d) + (force.fy / y.d) * (force.fy / y.d);
                assert!(share <= 1.0 + 1e-12, "{share} at {kappa}, {alpha}");
                assert!(force.fx * kappa > 0.0 && force.fy * alpha < 0.0);
            }
        }
    }
}
