//! Vertical force, radii, carcass stiffness and relaxation lengths.
//!
//! ```text
//! 5.2       F_z = k_z ρ,  or (q_Fz1 ρ/R₀ + q_Fz2 (ρ/R₀)²) F_z0 where the file has q_Fz1
//! 6.x       F_z = f (q_Fz1 ρ/R₀ + q_Fz2 (ρ/R₀)²) F_z0,      q_Fz1 = √((k_z R₀/F_z0)² − 4 q_Fz2)
//!           f = (1 + q_V2 |Ω| R₀/V₀ − (q_Fcx F_x/F_z0)² − (q_Fcy F_y/F_z0)²)(1 + p_Fz1 dp)
//! radii     R_Ω = R₀ (q_re0 + q_V1 (Ω R₀/V₀)²),   R_e = R_Ω − F_z0/c_z (D_reff atan(B_reff F_z/F_z0) + F_reff F_z/F_z0)
//! 5.2       σ_κ = F_z (p_Tx1 + p_Tx2 df_z) exp(−p_Tx3 df_z) R₀/F_z0 λ_σκ
//!           σ_α = p_Ty1 sin(2 atan(F_z/(p_Ty2 F_z0'))) (1 − p_Ky3 |γ|) R₀ λ_Fz0 λ_σα
//! 6.x       σ = |K|/c,   c_x = c_x0 (1 + p_cfx1 df_z + p_cfx2 df_z²)(1 + p_cfx3 dp)
//! ```
//!
//! Version 6.2 adds the deflection by camber and a lateral-force term that depends on it (MF-Swift 6.2 equation manual).
//! The sign in exp(−p_Tx3 df_z) is that of the MF-Tyre manual and MFeval; Chrono has +.

use super::pure::{MAX_EXPONENT, sign};
use super::{MagicFormula, Version};
use crate::tire::model::{Contact, Slip, Vertical, VerticalState};
use glam::DVec2;

impl MagicFormula {
    /// Relaxation lengths, 0 where the file does not determine them [m].
    pub(super) fn relaxation(&self, contact: &Contact) -> DVec2 {
        let p = &self.coefficients;
        let at = self.conditions(Slip::default(), contact);
        if self.version == Version::V52 {
            let x = at.fz
                * (p.PTX1 + p.PTX2 * at.dfz)
                * libm::exp((-p.PTX3 * at.dfz).clamp(-MAX_EXPONENT, MAX_EXPONENT))
                * p.UNLOADED_RADIUS
                / p.FNOMIN
                * p.LSGKP;
            let y = if p.PTY2 > 0.0 {
                let load = at.fz / (p.PTY2 * p.LFZO * p.FNOMIN);
                p.PTY1
                    * libm::sin(2.0 * libm::atan(load))
                    * (1.0 - p.PKY3 * at.gamma.abs())
                    * p.UNLOADED_RADIUS
                    * p.LFZO
                    * p.LSGAL
            } else {
                0.0
            };
            return DVec2::new(x, y).max(DVec2::ZERO);
        }
        let quadratic = |[a, b]: [f64; 2]| 1.0 + a * at.dfz + b * at.dfz * at.dfz;
        let cx = p.LONGITUDINAL_STIFFNESS * quadratic([p.PCFX1, p.PCFX2]) * (1.0 + p.PCFX3 * at.dp);
        let cy = p.LATERAL_STIFFNESS * quadratic([p.PCFY1, p.PCFY2]) * (1.0 + p.PCFY3 * at.dp);
        let (kx, ky) = (self.longitudinal(&at, 0.0).k, self.lateral(&at, 0.0).k);
        let length = |k: f64, c: f64| if c > 0.0 { k.abs() / c } else { 0.0 };
        DVec2::new(length(kx, cx), length(ky, cy))
    }

    /// q_Fz1 and q_Fz2 of the load.
    fn load_terms(&self) -> [f64; 2] {
        let p = &self.coefficients;
        let linear = p.LCZ * p.VERTICAL_STIFFNESS * p.UNLOADED_RADIUS / p.FNOMIN;
        if self.version == Version::V52 {
            return if p.QFZ1 > 0.0 { [p.QFZ1, p.Q_FZ2] } else { [linear, 0.0] };
        }
        [(linear * linear - 4.0 * p.Q_FZ2).max(0.0).sqrt(), p.Q_FZ2]
    }

    /// Deflection with the part that camber adds in version 6.2 [m].
    fn total_deflection(&self, deflection: f64, state: &VerticalState) -> f64 {
        let p = &self.coefficients;
        if self.version != Version::V62 || state.camber == 0.0 || p.Q_CAM1 == 0.0 {
            return deflection;
        }
        let free = self.free_radius(state.spin);
        let loaded = free - deflection;
        let camber = state.camber.abs();
        // reference tread width, and the ratio of its lever at both radii
        let tread = (1.075 - 0.5 * p.ASPECT_RATIO) * p.WIDTH;
        let ratio = (p.Q_CAM1 + p.Q_CAM2 * loaded) * loaded / ((p.Q_CAM1 + p.Q_CAM2 * free) * free);
        (deflection + ratio * ratio * tread / 8.0 * libm::tan(camber) - p.Q_CAM3 * deflection * camber)
            .max(0.0)
    }

    /// Factor of the load by spin, horizontal forces and pressure.
    fn load_factor(&self, deflection: f64, state: &VerticalState) -> f64 {
        let p = &self.coefficients;
        if self.version == Version::V52 {
            return 1.0;
        }
        let spin =
            if p.LONGVL > 0.0 { p.Q_V2 * state.spin.abs() * p.UNLOADED_RADIUS / p.LONGVL } else { 0.0 };
        let fx = p.Q_FCX * state.fx / p.FNOMIN;
        let mut fy = p.Q_FCY * state.fy / p.FNOMIN;
        if self.version == Version::V62 {
            let free = self.free_radius(state.spin);
            let ratio = ((free - deflection) / free).max(0.0);
            let camber = self.side * state.camber;
            let shift = (p.Q_FYS1 + p.Q_FYS2 * ratio + p.Q_FYS3 * ratio * ratio) * camber;
            let total = self.total_deflection(deflection, state).max(1e-4);
            fy = p.Q_FCY * libm::pow(total / p.UNLOADED_RADIUS, p.Q_FCY2) * (self.side * state.fy - shift)
                / p.FNOMIN;
        }
        let pressure = 1.0 + p.PFZ1 * self.pressure_deviation(state.pressure);
        (1.0 + spin - fx * fx - fy * fy).max(0.1) * pressure.max(0.1)
    }

    /// Half of the contact length, from the deflection: 0.7 of the chord of the undeformed circle. Our estimate, used only
    /// where a file has no relaxation length [m].
    pub(super) fn half_contact_length(&self, load: f64) -> f64 {
        let p = &self.coefficients;
        (p.UNLOADED_RADIUS * load.max(0.0) / (p.LCZ * p.VERTICAL_STIFFNESS)).sqrt()
    }

    /// Relative deviation of a pressure from the nominal one, within the range of the file.
    pub(super) fn pressure_deviation(&self, pressure: Option<f64>) -> f64 {
        let p = &self.coefficients;
        if !(p.NOMPRES > 0.0) {
            return 0.0;
        }
        let given = pressure.unwrap_or(if p.INFLPRES > 0.0 { p.INFLPRES } else { p.NOMPRES });
        let given = given * p.LIP;
        let limited = if p.PRESMAX > p.PRESMIN { given.clamp(p.PRESMIN, p.PRESMAX) } else { given };
        limited / p.NOMPRES - 1.0
    }

    /// Largest load at which the formulas are evaluated [N].
    pub(super) fn max_load(&self) -> f64 {
        if self.coefficients.FZMAX > 0.0 { self.coefficients.FZMAX } else { f64::INFINITY }
    }

    /// Camber within the range of the file [rad].
    pub(super) fn limited_camber(&self, camber: f64) -> f64 {
        let p = &self.coefficients;
        let top = p.CAMMAX.max(-p.CAMMIN);
        if top > 0.0 { camber.abs().min(top) * sign(camber) } else { camber }
    }
}

impl Vertical for MagicFormula {
    fn free_radius(&self, spin: f64) -> f64 {
        let p = &self.coefficients;
        let speed = if p.LONGVL > 0.0 { spin * p.UNLOADED_RADIUS / p.LONGVL } else { 0.0 };
        p.UNLOADED_RADIUS * (p.Q_RE0 + p.Q_V1 * speed * speed)
    }

    fn spring_force(&self, deflection: f64, state: &VerticalState) -> f64 {
        let p = &self.coefficients;
        let x = self.total_deflection(deflection.max(0.0), state) / p.UNLOADED_RADIUS;
        let [linear, square] = self.load_terms();
        self.load_factor(deflection.max(0.0), state) * (linear + square * x) * x * p.FNOMIN
    }

    fn stiffness(&self, deflection: f64, state: &VerticalState) -> f64 {
        let p = &self.coefficients;
        let x = self.total_deflection(deflection.max(0.0), state) / p.UNLOADED_RADIUS;
        let [linear, square] = self.load_terms();
        let slope = (linear + 2.0 * square * x) * p.FNOMIN / p.UNLOADED_RADIUS;
        self.load_factor(deflection.max(0.0), state) * slope
    }

    fn damping(&self) -> f64 {
        self.coefficients.VERTICAL_DAMPING
    }

    fn effective_radius(&self, load: f64, state: &VerticalState) -> f64 {
        let p = &self.coefficients;
        let stiffness =
            p.LCZ * p.VERTICAL_STIFFNESS * (1.0 + p.PFZ1 * self.pressure_deviation(state.pressure)).max(0.1);
        let x = load.max(0.0) / p.FNOMIN;
        self.free_radius(state.spin)
            - p.FNOMIN / stiffness * (p.DREFF * libm::atan(p.BREFF * x) + p.FREFF * x)
    }
}
