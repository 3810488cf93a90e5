//! Slip control of driven and braked wheels: anti-lock brakes and traction control, as target speeds of rows.
//!
//! ```text
//! u = d (v + p)                    rolling speed of a wheel: v speed of the vehicle, p sliding of its patch, d direction
//! brake    ω* = ω max(0, v (1 − κ₀) − v₀)/u       the row brakes down to ω*, not to rest
//! engine   ω* = ω (v (1 + κ₀) + v₀)/u_max         the row drives up to ω*, not to the limiter
//! ```
//!
//! Gears and slipping couplings between an engine and its wheels drop out of the ratio of speeds. The slips are those of the
//! last step. The rows are implicit, so the slip settles at κ₀ instead of cycling about it, at any step. v₀ lets a vehicle
//! start and stop.

use super::Now;

/// Difference of speeds that is always allowed [m/s].
const ALWAYS: f64 = 0.5;

/// A wheel that rolls at less than this part of the vehicle's speed is released.
const LOCKED: f64 = 0.1;

/// Anti-lock control of a brake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AntiLock {
    /// Index of the wheel.
    pub wheel: usize,
    /// Longitudinal slip that it allows, between 0 and 1.
    pub slip: f64,
}

/// Traction control of an engine or motor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TractionControl {
    /// Longitudinal slip that it allows, above 0.
    pub slip: f64,
}

impl Now<'_> {
    /// Direction of travel, and the speed in it [m/s].
    fn travel(&self) -> (f64, f64) {
        (if self.velocity < 0.0 { -1.0 } else { 1.0 }, self.velocity.abs())
    }
}

impl AntiLock {
    /// The speed down to which a shaft is braked [rad/s]; none if it is released.
    pub(super) fn target(&self, now: &Now<'_>, speed: f64) -> Option<f64> {
        let (ahead, travel) = now.travel();
        let allowed = travel * (1.0 - self.slip) - ALWAYS;
        let Some(wheel) = now.wheels.get(self.wheel).filter(|_| allowed > 0.0) else { return Some(0.0) };
        let rolling = travel + ahead * wheel.patch.sliding.x;
        (rolling > LOCKED * travel).then(|| speed * allowed / rolling)
    }
}

impl TractionControl {
    /// The speed up to which a shaft is driven [rad/s].
    pub(super) fn limit(&self, now: &Now<'_>, speed: f64) -> f64 {
        let (ahead, travel) = now.travel();
        let slide = now.wheels.iter().fold(0.0, |most: f64, wheel| most.max(ahead * wheel.patch.sliding.x));
        let (rolling, allowed) = (travel + slide, travel * (1.0 + self.slip) + ALWAYS);
        if rolling > ALWAYS { speed.abs() * allowed / rolling } else { f64::INFINITY }
    }
}
