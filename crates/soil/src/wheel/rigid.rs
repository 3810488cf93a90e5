//! Rigid wheel in steady motion on soft ground (Bekker 1969; Wong and Reece 1967).
//!
//! ```text
//! z(θ) = z − r (1 − cos θ)         θ from −θ₂ (exit) to θ₁ (entry at the surface of the rut)
//! σ(θ) = p(z(θ)) ahead of θ_m = (c₁ + c₂ |i|) θ₁, behind it mirrored: σ(θ) = σ(θ₁ − (θ+θ₂)/(θ_m+θ₂) (θ₁−θ_m))
//! j_x = r_s [(θ₁−θ) rω − (sin θ₁ − sin θ) v] / max(rω, v)       j_y = r_s (θ₁−θ) v tan α / max(rω, v)
//! W = b r ∫(σ cos θ + τ_x sin θ)   H − R = b r ∫(τ_x cos θ − σ sin θ)   T = b r_s² ∫τ_x   F_y = b r ∫τ_y
//! ```
//!
//! Slip is i = 1 − v/rω while driving and rω/v − 1 while braking. Grousers shear at their tips, r_s = r + height;
//! pressure acts on the rim. A towed wheel without torque has pressure on the front arc alone, R = b ∫p dz.

use super::quadrature::{integrate, root};
use super::rut::{Rut, SoftSoil};

/// Deepest sinkage below the surface of the rut that is searched, in radii.
const DEEPEST: f64 = 0.9;
/// Forward speed below which the slip angle ends, in parts of the faster speed: tan α is at most 1000.
const SIDEWAYS: f64 = 1e-3;
/// Shallowest [m].
const SHALLOWEST: f64 = 1e-7;

/// A wheel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidWheel {
    /// Radius r of the rim [m].
    pub radius: f64,
    /// Width b [m].
    pub width: f64,
    /// Height of the grousers [m].
    pub grousers: f64,
    /// c₁, c₂ of the angle of greatest pressure; 0.18, 0.32 for loose sand, 0.43, 0.32 for compact sand.
    pub peak: [f64; 2],
    /// Exit angle θ₂ [rad].
    pub exit: f64,
}

/// Slip of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slip {
    /// i from −1 (locked) to 1 (spinning on the spot).
    pub longitudinal: f64,
    /// tan α of the slip angle; the side force has its sign.
    pub tan_angle: f64,
}

impl Slip {
    /// Slip from the speed of the wheel's centre v along its plane, that of its rim r ω, and the speed v_y across. v
    /// and r ω count in the direction of travel. The side force on the wheel is against v_y.
    pub fn of(forward: f64, rim: f64, across: f64) -> Self {
        let fastest = forward.abs().max(rim.abs());
        if !(fastest > 0.0) {
            return Self::default();
        }
        Self {
            longitudinal: (rim - forward) / fastest,
            tan_angle: -across / forward.abs().max(SIDEWAYS * fastest),
        }
    }

    /// rω and v in units of the faster one.
    fn speeds(self) -> (f64, f64) {
        let i = self.longitudinal.clamp(-1.0, 1.0);
        if i >= 0.0 { (1.0, 1.0 - i) } else { (1.0 + i, 1.0) }
    }
}

/// Forces of the ground on a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelForces {
    /// Sinkage of the lowest point from the original surface [m].
    pub sinkage: f64,
    /// Entry angle θ₁ [rad].
    pub entry: f64,
    /// Vertical force W [N].
    pub load: f64,
    /// Thrust H of the shear stress [N].
    pub thrust: f64,
    /// Resistance R of the pressure [N]; it acts on the wheel's centre, without torque.
    pub resistance: f64,
    /// Torque T of the ground against the drive [N·m].
    pub torque: f64,
    /// Side force F_y [N].
    pub side: f64,
}

impl WheelForces {
    /// Drawbar pull H − R [N].
    pub fn drawbar(&self) -> f64 {
        self.thrust - self.resistance
    }
}

/// Arc of contact.
struct Arc<'a> {
    soil: &'a SoftSoil,
    rut: &'a Rut,
    radius: f64,
    sinkage: f64,
    entry: f64,
    peak: f64,
    exit: f64,
}

impl Arc<'_> {
    fn pressure(&self, theta: f64) -> f64 {
        let front = if theta >= self.peak {
            theta
        } else {
            self.entry - (theta + self.exit) / (self.peak + self.exit) * (self.entry - self.peak)
        };
        self.soil.pressure(self.sinkage - self.radius * (1.0 - libm::cos(front)), self.rut)
    }

    /// Ends of the pieces over which the pressure is smooth: it has a kink at the depth of the rut.
    fn pieces(&self) -> [f64; 5] {
        let below = self.sinkage - self.rut.depth;
        let kink = if below > 0.0 { libm::acos(1.0 - below / self.radius) } else { self.entry };
        let kink = kink.clamp(self.peak, self.entry);
        let part = (self.entry - kink) / (self.entry - self.peak).max(f64::MIN_POSITIVE);
        [-self.exit, part * (self.peak + self.exit) - self.exit, self.peak, kink, self.entry]
    }
}

impl RigidWheel {
    /// A smooth wheel that leaves the rut at its lowest point, in loose sand.
    pub fn smooth(radius: f64, width: f64) -> Self {
        Self { radius, width, grousers: 0.0, peak: [0.18, 0.32], exit: 0.0 }
    }

    /// Forces at a sinkage from the original surface on ground with a rut. Without slip given, the wheel is towed.
    pub fn forces(&self, soil: &SoftSoil, rut: &Rut, sinkage: f64, slip: Option<Slip>) -> WheelForces {
        let below = (sinkage - soil.surface(rut)).min(self.radius);
        if !(below > 0.0) {
            return WheelForces { sinkage, ..WheelForces::default() };
        }
        let entry = libm::acos(1.0 - below / self.radius);
        let (peak, exit) = slip.map_or((0.0, 0.0), |slip| {
            let part = self.peak[0] + self.peak[1] * slip.longitudinal.abs();
            (part.clamp(0.0, 1.0) * entry, self.exit.clamp(0.0, entry))
        });
        let arc = Arc { soil, rut, radius: self.radius, sinkage, entry, peak, exit };
        let mut sums = WheelForces { sinkage, entry, ..WheelForces::default() };
        for pair in arc.pieces().windows(2) {
            integrate(pair[0], pair[1], |theta, weight| self.add(&arc, slip, theta, weight, &mut sums));
        }
        sums
    }

    fn add(&self, arc: &Arc, slip: Option<Slip>, theta: f64, weight: f64, sums: &mut WheelForces) {
        let (sin, cos) = libm::sincos(theta);
        let pressure = arc.pressure(theta);
        let area = self.width * self.radius * weight;
        let shear = slip.map_or((0.0, 0.0), |slip| self.shear(arc, slip, (theta, sin), pressure));
        let lever = self.radius + self.grousers;
        sums.load += area * (pressure * cos + shear.0 * sin);
        sums.thrust += area * shear.0 * cos;
        sums.resistance += area * pressure * sin;
        sums.torque += area * lever / self.radius * lever * shear.0;
        sums.side += area * shear.1;
    }

    /// Shear stresses along and across.
    fn shear(&self, arc: &Arc, slip: Slip, (theta, sin): (f64, f64), pressure: f64) -> (f64, f64) {
        let (rim, forward) = slip.speeds();
        let lever = self.radius + self.grousers;
        let turned = arc.entry - theta;
        let along = lever * (turned * rim - (libm::sin(arc.entry) - sin) * forward);
        let across = lever * turned * forward * slip.tan_angle;
        let j = (along * along + across * across).sqrt();
        let stress = arc.soil.shear_limit(pressure) * arc.soil.shear.secant(j);
        (stress * along, stress * across)
    }

    /// Forces at the sinkage that carries a load [N]; nothing if the wheel would sink by more than 0.9 radii.
    pub fn at_load(&self, soil: &SoftSoil, rut: &Rut, load: f64, slip: Option<Slip>) -> Option<WheelForces> {
        let surface = soil.surface(rut);
        let range = (surface + SHALLOWEST, surface + DEEPEST * self.radius);
        let sinkage = root(range.0, range.1, |z| self.forces(soil, rut, z, slip).load - load)?;
        Some(self.forces(soil, rut, sinkage, slip))
    }

    /// Slope dW/dz of the pressure on a towed wheel [N/m] while it sinks, for tangents of constraint equations.
    pub fn stiffness(&self, soil: &SoftSoil, rut: &Rut, sinkage: f64) -> f64 {
        let below = (sinkage - soil.surface(rut)).min(self.radius);
        if !(below > 0.0) {
            return 0.0;
        }
        let entry = libm::acos(1.0 - below / self.radius);
        let arc = Arc { soil, rut, radius: self.radius, sinkage, entry, peak: 0.0, exit: 0.0 };
        let mut sum = 0.0;
        for pair in arc.pieces().windows(2) {
            integrate(pair[0], pair[1], |theta, weight| {
                let cos = libm::cos(theta);
                let z = sinkage - self.radius * (1.0 - cos);
                sum += weight * cos * soil.slopes(z, soil.pressure(z, rut), rut).0;
            });
        }
        self.width * self.radius * sum
    }
}

/// Bekker's closed form for a towed wheel, which replaces the arc by a parabola: sinkage and resistance. Not for n >
/// 1.3.
///
/// ```text
/// z = [3W / (b (3 − n) k √(2r))]^(2/(2n+1))      R = b k zⁿ⁺¹/(n + 1)
/// ```
pub fn bekker(wheel: &RigidWheel, modulus: f64, exponent: f64, load: f64) -> (f64, f64) {
    let unit = wheel.width * (3.0 - exponent) * modulus * (2.0 * wheel.radius).sqrt();
    let sinkage = libm::pow(3.0 * load / unit, 2.0 / (2.0 * exponent + 1.0));
    (sinkage, wheel.width * modulus * libm::pow(sinkage, exponent + 1.0) / (exponent + 1.0))
}
