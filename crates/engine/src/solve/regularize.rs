//! Regularisation: gap, compliance, damping, time step → right-hand side and diagonal of a row. The only module that
//! discretises time.
//!
//!   J u + Σ Λ = r,   Λ = κ · force,   u the velocity that moves positions over h
//!
//!   rigid        Σ = 0                      r = −g/dt + w,  dt the whole step, so that a short substep is not harmed
//!                                           by the violation of a long one
//!   one-sided    Σ = 0                      r = −g/h + w if open, −g/dt + w otherwise: with h a rope stretched by
//!                                           a long step would be released violently in a short one
//!   penetration  Σ = 0                      r = w − g/h if slow, −g/4h otherwise, at most recovery
//!   symmetric    Σ = 1/(κ D)                r = (−k g + (¼ h k − (1 − θ) c) (J v − w))/D + w,   D = ¼ h k + θ c
//!   implicit     Σ = 1/(κ (h k + c))        r = −k g/(h k + c) + w
//!   not reached  Σ = 1/(κ (h k + c))        r = −g/h + w   (an open damped stop or rope)
//!   velocity     Σ = loss/κ                 r = w
//!   transverse   Σ = 1/(κ h k s)            r = w,   s from 0 to 1 as h κ k μ grows from ¼ to 1
//!
//! Form of a soft row (Form::Auto), with μ its mobility while the rigid joints of its bodies hold
//! (`held_mobility.rs`): **symmetric while the step resolves its vibration, h² k μ ≤ 4 (ω h ≤ 2); implicit
//! otherwise.** The symmetric form has no numerical damping (MB22 keeps its amplitude at ω h = 0.4, where the implicit
//! form loses 72 % per period), but modes that it cannot resolve ring for ever. The mobility J M⁻¹ Jᵀ of free bodies,
//! which is never less, is used where it makes no difference.
//!
//! The damper of a symmetric row acts on a mean of the velocities before and after,
//! −c (θ (J u − w) + (1 − θ) (J v − w)), with
//!
//!   θ = 1/(1 − e^(−z)) − 1/z,   z = κ c μ
//!
//! where v has the angular velocity of its own instant (`FreeMotion::before`), so that a motion with this damper alone
//! decays by e^(−z) for any z. θ increases from ½ (trapezoidal rule, second order) to 1. As it is never less than ½, no
//! damper can add energy.
//!
//! w is the target speed over the step, speed + ½ h · acceleration.
//!
//! Links of cables use their own forms: stretch is symmetric with c ≥ h k and θ = 1 (`Form::Stabilised`), bending
//! and twist are implicit.
//!
//! A bounded row always has a small compliance, Σ ≥ 1e-8 μ: a motor, a stop and friction on one axis are the same row
//! three times, and only a definite matrix lets the active set select among them. The error is 1e-8 of the speed. Axial
//! rows of links keep their own compliance: between light elements it is smaller.

use crate::row::{Form, Role, Row, RowLaw, Spring, implicit_part};

/// One row of the linear complementarity problem, multipliers as impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegularizedRow {
    /// Diagonal Σ ≥ 0.
    pub sigma: f64,
    /// Right-hand side r.
    pub rhs: f64,
}

/// Bounds of a row's impulse. Most rows have none, so that these are stored separately.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpulseBounds {
    /// Smallest impulse.
    pub lo: f64,
    /// Largest impulse.
    pub hi: f64,
}

impl ImpulseBounds {
    /// No bound.
    pub const ANY: ImpulseBounds = ImpulseBounds { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// The bounds of a row whose force acts for a time.
    #[inline]
    pub fn of(row: &Row, time: f64) -> ImpulseBounds {
        ImpulseBounds { lo: time * row.lo, hi: time * row.hi }
    }

    /// A single impulse.
    pub fn fixed(impulse: f64) -> ImpulseBounds {
        ImpulseBounds { lo: impulse, hi: impulse }
    }

    /// A bound of the magnitude.
    pub fn symmetric(size: f64) -> ImpulseBounds {
        ImpulseBounds { lo: -size, hi: size }
    }

    /// Whether a bound is finite.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        self.lo > f64::NEG_INFINITY || self.hi < f64::INFINITY
    }

    /// Whether they admit a single impulse only.
    pub fn is_fixed(&self) -> bool {
        self.lo == self.hi
    }
}

/// The step's two durations, and the speed limits of contacts.
#[derive(Clone, Copy, Debug)]
pub struct StepTimes {
    /// h: time by which positions advance [s].
    pub drift: f64,
    /// κ: time for which forces act [s].
    pub kick: f64,
    /// dt: time in which violations of joints are corrected, however short the substep [s].
    pub closing: f64,
    /// Rebounds slower than this are suppressed [m/s].
    pub bounce_speed: f64,
    /// Largest speed at which penetrations are corrected [m/s].
    pub recovery: f64,
}

/// Fraction of a deep penetration that is corrected per step, so that a compressed heap does not burst.
const CLOSE: f64 = 0.25;

/// A shallow one is corrected at once, up to this speed [m/s].
const AT_ONCE: f64 = 0.005;

/// Whether two hard surfaces penetrate.
pub fn is_overlapping(row: &Row) -> bool {
    row.role == Role::Normal && row.gap < 0.0 && row.law == RowLaw::Rigid
}

/// Speed at which a rigid row closes its gap; penetrations are separated gently.
pub fn closing_speed(row: &Row, times: &StepTimes) -> f64 {
    let whole = -row.gap / times.drift;
    match is_overlapping(row) {
        true => f64::max(whole.min(AT_ONCE), CLOSE * whole).min(times.recovery),
        false if row.is_bounded() && row.gap > 0.0 => whole,
        false => -row.gap / times.closing,
    }
}

/// The least rate of a row with a stop at a distance `gap`: the distance closes within the step, and penetration of the
/// stop is corrected gently. A stop stores no energy.
pub fn stopping_rate(gap: f64, times: &StepTimes) -> f64 {
    let whole = -gap / times.drift;
    if gap > 0.0 { whole } else { (CLOSE * whole).min(times.recovery) }
}

/// Least Σ of a bounded row relative to its mobility: a hundred times the redundancy threshold of the factor.
pub const LEAST_COMPLIANCE: f64 = 1e-8;

/// Range of ω²h² in which the rotation of tension is blended in. (The explicit limit is 4, which
/// leaves room for tension to grow.)
pub(super) const ONSET: [f64; 2] = [0.25, 1.0];

/// Least τ/h of a stabilised row. Modes that the step cannot resolve decay by √γ = 0.45 per step; with 2, where they
/// decay fastest (by ⅓), a load that bounces on its rope at 39 steps per period would have a damping ratio of 0.16,
/// with this 0.08. The hoists of the mass-ratio test are stable with ½ and more and fail with ¼.
pub(super) const STABILISED: f64 = 1.0;

/// Stiffness of an inactive row, relative to its bodies.
const NOTHING: f64 = 1e-12;

/// Smooth step of x from 0 to 1 between two bounds.
pub(super) fn blend(x: f64, [from, to]: [f64; 2]) -> f64 {
    // true for every element of a taut cable
    if x >= to {
        return 1.0;
    }
    let s = ((x - from) / (to - from)).max(0.0);
    s * s * (3.0 - 2.0 * s)
}

/// Discretises one row without its restitution. `rate` is J v before the step, `mobility` J M⁻¹ Jᵀ of free bodies, and
/// `held` turns that into the mobility while rigid joints hold, unless it is at most a second number; they are evaluated
/// only when needed.
#[inline(always)]
pub fn regularize(
    row: &Row,
    times: &StepTimes,
    rate: impl Fn() -> f64,
    mobility: impl Fn() -> f64,
    held: impl FnOnce(f64, f64) -> f64,
) -> RegularizedRow {
    let h = times.drift;
    let wanted = row.wanted(h);
    let (sigma, rhs) = match row.law {
        RowLaw::Rigid => (0.0, wanted + closing_speed(row, times)),
        RowLaw::Velocity { loss } => (loss / times.kick, wanted),
        RowLaw::Maxwell { compliance, offset, part } => {
            let before = rate() - (row.speed - 0.5 * h * row.acceleration);
            (compliance / (times.kick * part), wanted + (offset - (1.0 - part) * before) / part)
        }
        RowLaw::Transverse { stiffness } => {
            let (mobility, pull) = (mobility(), times.kick * h * stiffness);
            let part = blend(pull * mobility, ONSET);
            (1.0 / (pull * part).max(NOTHING / mobility), wanted)
        }
        // a stop that is not reached yet does not damp the approach, only the penetration within the step
        RowLaw::Spring(Spring { stiffness, damping, .. }) if damping > 0.0 && row.is_open() => {
            (1.0 / (times.kick * (h * stiffness + damping)), wanted - row.gap / h)
        }
        RowLaw::Spring(spring) => spring_row(
            (row, &spring),
            times,
            &rate,
            spring_mobility(&spring, [h, times.kick], &mobility, held),
        ),
    };
    let sigma = if row.is_bounded() && !row.is_link() {
        f64::max(sigma, LEAST_COMPLIANCE * mobility())
    } else {
        sigma
    };
    RegularizedRow { sigma, rhs }
}

/// Discretises a spring and damper, by its mobility.
#[inline(always)]
fn spring_row(
    (row, spring): (&Row, &Spring),
    times: &StepTimes,
    rate: impl Fn() -> f64,
    mobility: f64,
) -> (f64, f64) {
    let (h, kick, wanted) = (times.drift, times.kick, row.wanted(times.drift));
    let Spring { stiffness, damping, form } = *spring;
    // one division for both values
    if !is_symmetric(spring, h, mobility) {
        let part = 1.0 / (kick * (h * stiffness + damping));
        return (part, wanted - kick * part * stiffness * row.gap);
    }
    let implicit = match form {
        Form::Stabilised => damping.max(STABILISED * h * stiffness),
        _ if damping > 0.0 => damping * implicit_part(kick * damping * mobility),
        _ => 0.0,
    };
    let part = 1.0 / (kick * (h * stiffness + 4.0 * implicit));
    let faster = rate() - wanted;
    let turned = stiffness * (h * faster - 4.0 * row.gap);
    let explicit = if form == Form::Stabilised { 0.0 } else { 4.0 * (damping - implicit) * faster };
    (4.0 * part, wanted + kick * part * (turned - explicit))
}

/// κ c μ of free bodies up to which a damper needs no other mobility: its rate then changes by less than its square/48,
/// 2e-8.
const SLIGHT: f64 = 1e-3;

/// The mobility by which a spring and damper is discretised: that of free bodies where this suffices, 0 if it is not
/// needed.
#[inline(always)]
fn spring_mobility(
    spring: &Spring,
    [h, kick]: [f64; 2],
    free: impl Fn() -> f64,
    held: impl FnOnce(f64, f64) -> f64,
) -> f64 {
    let Spring { stiffness, damping, form } = *spring;
    if matches!(form, Form::Implicit | Form::Stabilised) {
        return 0.0;
    }
    let free = free();
    let stiff = if form == Form::Auto { h * h * stiffness * free / RESOLVED } else { 0.0 };
    let most = f64::max(stiff, kick * damping * free / SLIGHT);
    if most > 1.0 { held(free, free / most) } else { free }
}

/// h² k μ up to which a step resolves a vibration.
const RESOLVED: f64 = 4.0;

/// The rule of the module head.
fn is_symmetric(spring: &Spring, h: f64, mobility: f64) -> bool {
    match spring.form {
        Form::Symmetric | Form::Stabilised => spring.stiffness > 0.0 || spring.damping > 0.0,
        Form::Implicit => false,
        Form::Auto => h * h * spring.stiffness * mobility <= RESOLVED,
    }
}

/// The force of a spring's damper with the mobility by which it was discretised, at rates relative to the target before
/// and after a step [N or N·m].
pub fn damper_force(spring: &Spring, (h, kick): (f64, f64), mobility: f64, [before, after]: [f64; 2]) -> f64 {
    let c = spring.damping;
    let part = match spring.form {
        Form::Symmetric | Form::Auto if is_symmetric(spring, h, mobility) => {
            implicit_part(kick * c * mobility)
        }
        _ => 1.0,
    };
    -c * (part * after + (1.0 - part) * before)
}

/// The right-hand side of a one-sided row with restitution, from that without. If it is hit in this step, it rebounds
/// with e times the impact speed. `rate` is J v before the step, `falling` that after it without constraints.
///
/// Its motion is reversed at the present position, a gap g before the impact, with the energy it has there if its
/// acceleration is a: u² = e² (v² − 2 a g) + 2 a g. The height of a rebound is then independent of the time of the
/// impact within the step, and an elastic rebound retraces its path.
pub fn rebound(row: &Row, rhs: f64, rate: f64, falling: f64, times: &StepTimes) -> f64 {
    let hit = row.gap + times.drift * rate.min(falling) < 0.0;
    if !hit || -row.restitution * rate <= times.bounce_speed {
        return rhs;
    }
    let (e, gained) = (row.restitution, 2.0 * (falling - rate) / times.kick * row.gap.max(0.0));
    rhs.max((e * e * (rate * rate - gained) + gained).max(0.0).sqrt())
}
