//! Magic Formula, versions 5.2 (PAC2002), 6.1 and 6.2: slip, load, camber and pressure → forces and moments.
//!
//! ```text
//! pure.rs       F_x0(κ), F_y0(α)
//! combined.rs   F_x(κ, α), F_y(κ, α) by cosine weighting or friction ellipse
//! moments.rs    M_x, M_y, M_z
//! vertical.rs   F_z(ρ), radii, relaxation lengths
//! ```
//!
//! Steady state without turn slip. α = atan(tan α) and γ enter as angles, not as tan α and sin γ (the α*, γ* of the
//! book). Nothing is clamped but E ≤ 1, load and camber to the ranges of the file, and friction and stiffness to small
//! positive values where a file extrapolates to negative ones. For the other side of the vehicle α, γ, F_y, M_x and M_z
//! change sign.
//!
//! Sources: Pacejka, Tire and Vehicle Dynamics (2002, 2012); Besselink, Schmeitz, Pacejka, Vehicle System Dynamics 48
//! (2010) S1, 337–352; compared with Project Chrono (ChPac02Tire, 7689fbc) and MFeval (Julia port, a3b3ba4).

mod coefficients;
mod combined;
mod moments;
mod pure;
mod vertical;

use glam::DVec2;
use thiserror::Error;

use super::model::{Contact, MAX_SLIP, Slip, Tire, TireForce};
pub use coefficients::Coefficients;
pub(in crate::tire) use coefficients::canonical;
use combined::Combined;
use pure::{Conditions, Curve};

/// Version of the formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// Magic Formula 5.2, PAC2002.
    V52,
    /// Magic Formula 6.0 and 6.1.
    V61,
    /// Magic Formula 6.2, which differs from 6.1 in the vertical force.
    V62,
}

/// A coefficient that no tyre can have.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{key} = {value} {reason}")]
pub struct CoefficientProblem {
    /// Key of the coefficient.
    pub key: &'static str,
    /// Its value.
    pub value: f64,
    /// What is wrong with it, and how to correct it.
    pub reason: &'static str,
}

/// A tyre with the coefficients of a tyre property file.
#[derive(Clone, Debug, PartialEq)]
pub struct MagicFormula {
    coefficients: Coefficients,
    version: Version,
    /// 1, or −1 if mirrored.
    side: f64,
    /// Combined slip by the friction ellipse even if there are coefficients of cosine weighting.
    ellipse: bool,
}

impl MagicFormula {
    /// A tyre from its coefficients.
    pub fn new(coefficients: Coefficients, version: Version) -> Result<MagicFormula, CoefficientProblem> {
        check(&coefficients)?;
        Ok(MagicFormula { coefficients, version, side: 1.0, ellipse: false })
    }

    /// The same tyre on the other side of the vehicle.
    pub fn mirrored(self) -> MagicFormula {
        MagicFormula { side: -self.side, ..self }
    }

    /// The tyre with combined slip by the friction ellipse, whether or not it has coefficients of cosine weighting.
    pub fn with_ellipse(self) -> MagicFormula {
        MagicFormula { ellipse: true, ..self }
    }

    /// The tyre without conicity, ply steer and shifts: no force at zero slip and zero camber.
    pub fn symmetric(mut self) -> MagicFormula {
        self.coefficients.remove_asymmetry();
        self
    }

    /// Coefficients in SI units.
    pub fn coefficients(&self) -> &Coefficients {
        &self.coefficients
    }

    /// Version of the formulas.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Forces and moments of pure slip: F_x as if α were 0, F_y and M_z as if κ were 0, as on a tyre test rig.
    pub fn pure_slip_force(&self, slip: Slip, contact: &Contact) -> TireForce {
        if !(contact.load > 0.0) {
            return TireForce::default();
        }
        let at = self.conditions(slip, contact);
        let point = [slip.kappa, self.side * libm::atan(slip.tan_alpha)];
        let curves = self.curves(&at, point);
        let (fx, fy) = (curves[0].at(point[0]), curves[1].at(point[1]));
        self.assemble(&at, [0.0, point[1]], &curves, &Combined { fx, fy, gy: 1.0, sv: 0.0 }, contact)
    }

    /// Forces with the moments that belong to them, on the side of the vehicle.
    fn assemble(
        &self,
        at: &Conditions,
        point: [f64; 2],
        curves: &[Curve; 2],
        force: &Combined,
        contact: &Contact,
    ) -> TireForce {
        TireForce {
            fx: force.fx,
            fy: self.side * force.fy,
            mx: self.side * self.overturning(at, force.fy),
            my: self.rolling(at, contact, force.fx),
            mz: self.side * self.aligning(at, point, curves, force, contact.speed),
            peak_x: curves[0].d + curves[0].sv.abs(),
            peak_y: curves[1].d + curves[1].sv.abs(),
        }
    }

    /// Both curves at a slip.
    fn curves(&self, at: &Conditions, [kappa, alpha]: [f64; 2]) -> [Curve; 2] {
        [self.longitudinal(at, kappa), self.lateral(at, alpha)]
    }
}

impl Tire for MagicFormula {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        if !(contact.load > 0.0) {
            return TireForce::default();
        }
        let at = self.conditions(slip, contact);
        let point = [slip.kappa, self.side * libm::atan(slip.tan_alpha)];
        let curves = self.curves(&at, point);
        let force: Combined = self.combined(&at, point, &curves);
        self.assemble(&at, point, &curves, &force, contact)
    }

    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        if !(contact.load > 0.0) {
            return DVec2::ZERO;
        }
        let at = self.conditions(Slip::default(), contact);
        let [x, y] = self.curves(&at, [0.0, 0.0]);
        DVec2::new(x.k.abs(), y.k.abs())
    }

    fn relaxation_length(&self, contact: &Contact) -> DVec2 {
        if !(contact.load > 0.0) {
            return DVec2::ZERO;
        }
        // the brush of a rigid carcass has half of the contact length
        let floor = self.half_contact_length(contact.load);
        let file = self.relaxation(contact);
        DVec2::new(if file.x > 0.0 { file.x } else { floor }, if file.y > 0.0 { file.y } else { floor })
    }

    fn rolling_moment(&self, contact: &Contact, fx: f64) -> f64 {
        if !(contact.load > 0.0) {
            return 0.0;
        }
        self.rolling_size(&self.conditions(Slip::default(), contact), contact, fx)
    }

    fn neutral_slip(&self, slip: Slip, contact: &Contact) -> Slip {
        if !(contact.load > 0.0) {
            return Slip::default();
        }
        let at = self.conditions(slip, contact);
        let point = [slip.kappa, self.side * libm::atan(slip.tan_alpha)];
        // E belongs to the side of the curve on which the zero is: that of −S_V/K
        let x = self.longitudinal(&at, 0.0);
        let x = self.longitudinal(&at, -x.sh - x.sv / x.k);
        let y = self.lateral(&at, 0.0);
        let extra = if self.has_weighting() {
            let (_, gy, sv) = self.weights(&at, point, y.d);
            sv / gy.max(0.01)
        } else {
            0.0
        };
        let y = self.lateral(&at, -y.sh - (y.sv + extra) / y.k);
        Slip { kappa: x.zero(0.0), tan_alpha: self.side * libm::tan(y.zero(extra)) }
    }

    fn max_slip(&self) -> f64 {
        let p = &self.coefficients;
        let file = p.KPUMAX.max(-p.KPUMIN);
        if file >= 0.1 { file } else { MAX_SLIP }
    }
}

fn check(p: &Coefficients) -> Result<(), CoefficientProblem> {
    const ABOVE: &str = "must be positive; give the value of the data sheet";
    let positive = [
        ("FNOMIN", p.FNOMIN),
        ("UNLOADED_RADIUS", p.UNLOADED_RADIUS),
        ("VERTICAL_STIFFNESS", p.VERTICAL_STIFFNESS),
        ("LFZO", p.LFZO),
        ("LCZ", p.LCZ),
        ("LIP", p.LIP),
        ("PCX1", p.PCX1),
        ("PDX1", p.PDX1),
        ("PCY1", p.PCY1),
        ("PKY2", p.PKY2),
        ("PKY4", p.PKY4),
        ("Q_RE0", p.Q_RE0),
        ("LCX", p.LCX),
        ("LMUX", p.LMUX),
        ("LKX", p.LKX),
        ("LCY", p.LCY),
        ("LMUY", p.LMUY),
        ("LKY", p.LKY),
    ];
    for (key, value) in positive {
        if !(value > 0.0 && value.is_finite()) {
            return Err(CoefficientProblem { key, value, reason: ABOVE });
        }
    }
    if !(p.PKX1 > 0.0) {
        let reason = "gives no slip stiffness; give a positive slip stiffness over load (10 to 40 is usual)";
        return Err(CoefficientProblem { key: "PKX1", value: p.PKX1, reason });
    }
    if !(p.PKY1 < 0.0) {
        let reason = "gives no cornering stiffness in ISO axes; give a negative value, and convert files with SAE axes";
        return Err(CoefficientProblem { key: "PKY1", value: p.PKY1, reason });
    }
    if !(p.PDY1 != 0.0) {
        let reason = "gives no lateral friction; give the coefficient at nominal load (0.7 to 1.2 is usual)";
        return Err(CoefficientProblem { key: "PDY1", value: p.PDY1, reason });
    }
    let at_least_zero = [("VERTICAL_DAMPING", p.VERTICAL_DAMPING), ("LONGVL", p.LONGVL), ("LMUV", p.LMUV)];
    for (key, value) in at_least_zero {
        if !(value >= 0.0) {
            return Err(CoefficientProblem { key, value, reason: "is negative; give 0 or more" });
        }
    }
    for (key, value) in [("PCX1", p.PCX1 * p.LCX), ("PCY1", p.PCY1 * p.LCY)] {
        if value > 2.0 {
            let reason =
                "times its scale factor exceeds 2: the force would change sign at large slip; give 1 to 2";
            return Err(CoefficientProblem { key, value, reason });
        }
    }
    Ok(())
}
