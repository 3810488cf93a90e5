//! Tracks on soft ground: pressure, thrust, turning.
//!
//! ```text
//! thrust       F = (A c + W tan φ) m(i L)            m the mean of τ/τ_m over displacements from 0 to i L
//! membrane     p(x) = Σ F_k e^(−|x−x_k|/ℓ) / (2 b ℓ),    ℓ = √(T/(b k))
//! peaks        MMP = 1.26 W / (2 n A_l b √(D t))     mean maximum pressure (Rowland 1972)
//! turning      M = μ W L/4,   F = f W/2 ± M/B,   μ = μ_max/(0.925 + 0.15 R/B)
//! ```
//!
//! A belt under tension T on ground of stiffness k per area spreads the load of each road wheel over about 2ℓ: T z″ = b
//! k z.

use super::rut::SoftSoil;
use super::shear::{ShearLaw, Strength};

/// Thrust of a track with even pressure at a slip [N].
pub fn thrust(shear: &ShearLaw, strength: &Strength, track: &EvenTrack, slip: f64) -> f64 {
    let limit = track.area * strength.cohesion + track.load * strength.tan_friction;
    limit * shear.mean(slip.abs() * track.length) * if slip < 0.0 { -1.0 } else { 1.0 }
}

/// A track, or both of a vehicle, with even pressure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvenTrack {
    /// Length on the ground L [m].
    pub length: f64,
    /// Area A [m²].
    pub area: f64,
    /// Load W [N].
    pub load: f64,
}

impl EvenTrack {
    /// Mean pressure [Pa].
    pub fn pressure(&self) -> f64 {
        self.load / self.area
    }

    /// Sinkage [m] and compaction resistance [N] on virgin ground.
    pub fn compaction(&self, soil: &SoftSoil) -> (f64, f64) {
        let sinkage = soil.curve.sinkage(self.pressure());
        (sinkage, self.area / self.length * soil.curve.work(sinkage))
    }
}

/// A road wheel on the lower run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoadWheel {
    /// Position along the run [m].
    pub position: f64,
    /// Load [N].
    pub load: f64,
}

/// The lower run of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// First and last point on the ground, along the run [m].
    pub ends: [f64; 2],
    /// Width of the track [m].
    pub width: f64,
    /// Length ℓ over which a road wheel's load decays [m]; infinite for a stiff track with even pressure.
    pub decay: f64,
}

/// Decay length ℓ of a belt under tension on ground of stiffness k [Pa/m], which may be a secant p/z.
pub fn decay_length(tension: f64, width: f64, stiffness: f64) -> f64 {
    (tension.max(0.0) / (width * stiffness)).sqrt()
}

impl Run {
    /// Mean pressures under equal elements of the run [Pa]. Their sum carries the loads of all wheels.
    pub fn pressures(&self, wheels: &[RoadWheel], pressures: &mut [f64]) {
        let [start, end] = self.ends;
        let step = (end - start) / pressures.len() as f64;
        pressures.fill(0.0);
        for wheel in wheels {
            let whole = self.spread(wheel.position, start, end);
            for (i, pressure) in pressures.iter_mut().enumerate() {
                let from = start + step * i as f64;
                let part = if whole > 0.0 {
                    self.spread(wheel.position, from, from + step) / whole
                } else {
                    step / (end - start)
                };
                *pressure += wheel.load * part / (step * self.width);
            }
        }
    }

    /// ∫ e^(−|x−x_k|/ℓ)/2ℓ dx over a part of the run; zero if it is even.
    fn spread(&self, center: f64, from: f64, to: f64) -> f64 {
        let up_to = |x: f64| {
            let u = (x - center) / self.decay;
            if u < 0.0 { 0.5 * libm::exp(u) } else { 1.0 - 0.5 * libm::exp(-u) }
        };
        if self.decay.is_finite() { up_to(to) - up_to(from) } else { 0.0 }
    }
}

/// Data for the mean maximum pressure of a tracked vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakPressure {
    /// Weight of the vehicle W [N].
    pub weight: f64,
    /// Road wheels per side n.
    pub wheels: u32,
    /// Part of the length of a link that bears, A_l.
    pub link_area: f64,
    /// Width of a track b [m].
    pub width: f64,
    /// Diameter of the road wheels D [m].
    pub diameter: f64,
    /// Pitch of the track t [m].
    pub pitch: f64,
}

impl PeakPressure {
    /// Mean of the maxima under the road wheels [Pa].
    pub fn mean_maximum(&self) -> f64 {
        let wheels = 2.0 * f64::from(self.wheels);
        1.26 * self.weight / (wheels * self.link_area * self.width * (self.diameter * self.pitch).sqrt())
    }
}

/// Turning of a vehicle with two tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkidSteer {
    /// Weight W [N].
    pub weight: f64,
    /// Length of the tracks on the ground L [m].
    pub length: f64,
    /// Distance between the middles of the tracks B [m].
    pub gauge: f64,
    /// Lateral friction μ.
    pub friction: f64,
    /// Rolling resistance f.
    pub rolling: f64,
}

impl SkidSteer {
    /// Moment of the lateral friction M with even pressure [N·m].
    pub fn moment(&self) -> f64 {
        0.25 * self.friction * self.weight * self.length
    }

    /// Forces of the outer and the inner track in a slow, wide turn [N]; below zero, a track brakes.
    pub fn forces(&self) -> [f64; 2] {
        let (rolling, turning) = (0.5 * self.rolling * self.weight, self.moment() / self.gauge);
        [rolling + turning, rolling - turning]
    }

    /// Force of each track in a turn on the spot [N], forwards on one side and backwards on the other.
    pub fn pivot(&self) -> f64 {
        self.forces()[0]
    }
}

/// Lateral friction in a turn of some radius, from its largest value on the spot (empirical, Nikitin).
pub fn turning_friction(largest: f64, radius: f64, gauge: f64) -> f64 {
    largest / (0.925 + 0.15 * radius.max(0.0) / gauge)
}
