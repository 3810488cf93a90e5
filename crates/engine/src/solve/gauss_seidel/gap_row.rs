//! Gap of a row within a substep: the right-hand side of its velocity, and the speed at which shifts close it.

use super::row::within;
use crate::solve::regularize::StepTimes;

/// A row with a gap, tracked from substep to substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct GapRow {
    pub(super) gap: f64,
    /// Target speed without closing of the gap, less the rate by bodies that are not dynamic.
    pub(super) wanted: f64,
    /// Its rate by bodies that are not dynamic.
    pub(super) carried: f64,
    /// Restitution, if it rebounds within the step; otherwise 0.
    pub(super) restitution: f64,
    /// Change of its rate by forces in half a step: velocities lag behind positions by that.
    pub(super) lag_rate: f64,
    pub(super) kind: GapLaw,
}

/// Law of the gap.
#[derive(Clone, Copy, Debug)]
pub(super) enum GapLaw {
    /// Rigid and bilateral.
    Rigid,
    /// Rigid and one-sided.
    Stop,
    /// Spring and damper, which close the gap at the rate k/(δ k + c) [1/s].
    Spring(f64),
    /// The same one-sided: without force until the gap is closed.
    SpringStop(f64),
}

/// Times and speeds of a substep.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubstepTimes {
    pub(super) part: StepTimes,
    /// 1/δ [1/s].
    pub(super) at_once: f64,
    /// β [1/s].
    pub(super) closing: f64,
    /// A loaded row with a wider gap than this has lost contact and may approach again [m].
    pub(super) lost: f64,
}

impl GapRow {
    /// Right-hand side of the row in a substep; `rate` is that without its own impulse.
    #[inline(always)]
    pub(super) fn aim(&self, substep: &SubstepTimes, lambda: f64, rate: impl Fn() -> f64) -> f64 {
        match self.kind {
            GapLaw::SpringStop(_) if self.gap > 0.0 => return self.wanted - self.gap * substep.at_once,
            GapLaw::Spring(closing) | GapLaw::SpringStop(closing) => return self.wanted - closing * self.gap,
            GapLaw::Rigid | GapLaw::Stop => {}
        }
        let approach = if self.bears(substep, lambda) { 0.0 } else { -self.gap * substep.at_once };
        let aim = self.wanted + approach;
        if self.restitution == 0.0 {
            return aim;
        }
        let rate = rate() + self.carried;
        let hits = self.gap + substep.part.drift * rate < 0.0;
        // it rebounds with a fraction of the speed at that instant
        let back = -self.restitution * (rate + self.lag_rate) - self.lag_rate - self.carried;
        if hits && back > aim { back } else { aim }
    }

    /// Whether its gap is closed by shifts and not by velocities.
    #[inline(always)]
    pub(super) fn bears(&self, substep: &SubstepTimes, lambda: f64) -> bool {
        matches!(self.kind, GapLaw::Rigid) || self.gap < 0.0 || (lambda != 0.0 && self.gap < substep.lost)
    }

    /// Speed at which shifts close the gap; none if they do not.
    #[inline(always)]
    pub(super) fn correction(&self, substep: &SubstepTimes, lambda: f64) -> Option<f64> {
        match self.kind {
            GapLaw::Spring(_) | GapLaw::SpringStop(_) => None,
            _ if self.bears(substep, lambda) => {
                Some(within(-substep.closing * self.gap, f64::NEG_INFINITY, substep.part.recovery))
            }
            _ => Some(-self.gap * substep.at_once),
        }
    }
}
