//! Gap, compliance, damping, step → right side and diagonal of a row. The one place where time is discretised.
//!
//!   J u + Σ Λ = r,   Λ = κ · force,   u the velocity that carries positions over h
//!
//!   rigid        Σ = 0                      r = −g/h + w
//!   pressed in   Σ = 0                      r = w − g/h if slow, −g/4h else, at most recovery   (overlap)
//!   symmetric    Σ = 4γ/(h k κ)             r = −(4/h) γ g + γ (J v − w) + w,   γ = 1/(1 + 4τ/h), τ = c/k
//!   implicit     Σ = 1/(κ (h k + c))        r = −k g/(h k + c) + w
//!   not reached  Σ = 1/(κ (h k + c))        r = −g/h + w   (a damped stop or rope that is still open)
//!   speed        Σ = loss/κ                 r = w
//!   turning      Σ = 1/(κ h k s)            r = w,   s from 0 to 1 as h κ k μ grows from ¼ to 1
//!
//! Which form a soft row gets (Form::Auto), with μ = J M⁻¹ Jᵀ the mobility of its bodies:
//! **symmetric while the step resolves its vibration, h² k μ ≤ 4 (ω h ≤ 2), and it vibrates at all, c² μ < 4 k;
//! implicit otherwise.** The symmetric form has no numerical damping (MB22 keeps its amplitude at ω h = 0.4,
//! where the implicit one loses 72 % a period) but rings for ever at what it cannot resolve; an overdamped row
//! has no vibration to keep.
//!
//! w is the wanted speed over the step, speed + ½ h · acceleration.
//!
//! Links of cables ask for forms of their own: stretch is symmetric with τ ≥ h (`Form::Stabilised`), bend and twist are
//! implicit.
//!
//! A bounded row always gives a little, Σ ≥ 1e-8 μ: a motor, a stop and friction on one axis are the same row three
//! times, and only a definite matrix lets the active set decide between them. It costs 1e-8 of the speed.

use crate::constrain::rows::{Form, Law, Role, Row, Spring};

/// One row of the linear complementarity problem, multipliers as impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Softened {
    /// Diagonal Σ ≥ 0.
    pub sigma: f64,
    /// Right side r.
    pub rhs: f64,
}

/// The impulses that a row may have. Most may have any, so these stand apart from the numbers of the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impulses {
    /// Smallest impulse.
    pub lo: f64,
    /// Largest impulse.
    pub hi: f64,
}

impl Impulses {
    /// Any.
    pub const ANY: Impulses = Impulses { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// Of a row whose force acts for a time.
    #[inline]
    pub fn of(row: &Row, time: f64) -> Impulses {
        Impulses { lo: time * row.lo, hi: time * row.hi }
    }

    /// This one.
    pub fn only(impulse: f64) -> Impulses {
        Impulses { lo: impulse, hi: impulse }
    }

    /// No larger, either way.
    pub fn up_to(size: f64) -> Impulses {
        Impulses { lo: -size, hi: size }
    }

    /// Whether some impulse is not among them.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        self.lo > f64::NEG_INFINITY || self.hi < f64::INFINITY
    }

    /// Whether it is one alone.
    pub fn is_only(&self) -> bool {
        self.lo == self.hi
    }
}

/// The step's two durations and what else softening must know.
#[derive(Clone, Copy, Debug)]
pub struct Beat {
    /// h: positions move for it [s].
    pub drift: f64,
    /// κ: forces act for it [s].
    pub kick: f64,
    /// Slower rebounds are not made [m/s].
    pub bounce_speed: f64,
    /// Overlaps are pushed apart no faster [m/s].
    pub recovery: f64,
}

/// A deep overlap is closed by this part a step, so that a heap that is pressed together does not burst.
const CLOSE: f64 = 0.25;

/// A shallow one is closed at once, up to this speed [m/s].
const AT_ONCE: f64 = 0.005;

/// Whether two hard surfaces overlap.
pub fn is_pressed_in(row: &Row) -> bool {
    row.role == Role::Normal && row.gap < 0.0 && row.law == Law::Rigid
}

/// With what speed a hard row closes its gap; overlaps are parted gently.
pub fn closing(row: &Row, beat: &Beat) -> f64 {
    let whole = -row.gap / beat.drift;
    if is_pressed_in(row) { f64::max(whole.min(AT_ONCE), CLOSE * whole).min(beat.recovery) } else { whole }
}

/// Least Σ of a bounded row, in parts of its mobility: a hundred times what the factor takes for dependence.
pub const GIVE: f64 = 1e-8;

/// From which ω²h² the turning of pulls is counted in, and where it is counted whole. (The explicit limit is 4, which leaves
/// room for tension to grow.)
pub(super) const ONSET: [f64; 2] = [0.25, 1.0];

/// The least τ/h of a stabilised row. What the step cannot resolve falls by √γ = 0.45 a step; with 2, where it falls fastest (by ⅓), a
/// load that bounces on its rope at 39 steps a period would have a damping ratio of 0.16, with this 0.08. The ladder of hoists
/// stands with ½ and more and fails with ¼.
const STABILISED: f64 = 1.0;

/// A row that does nothing gives so much more than its bodies.
const NOTHING: f64 = 1e-12;

/// How far x is from one bound to the other, 0 to 1, smoothly.
pub(super) fn blend(x: f64, [from, to]: [f64; 2]) -> f64 {
    // of a taut cable this holds for every element
    if x >= to {
        return 1.0;
    }
    let s = ((x - from) / (to - from)).max(0.0);
    s * s * (3.0 - 2.0 * s)
}

/// Discretises one row. `rate` is J v before the step, `falling` what it would be after it without constraints, `mobility`
/// J M⁻¹ Jᵀ; they are asked for only when needed.
#[inline(always)]
pub fn soften(
    row: &Row,
    beat: &Beat,
    rate: impl Fn() -> f64,
    falling: impl Fn() -> f64,
    mobility: impl Fn() -> f64,
) -> Softened {
    let h = beat.drift;
    let wanted = row.wanted(h);
    let (sigma, rhs) = match row.law {
        Law::Rigid => (0.0, wanted + closing(row, beat)),
        Law::Speed { loss } => (loss / beat.kick, wanted),
        Law::Turning { stiffness } => {
            let (mobility, pull) = (mobility(), beat.kick * h * stiffness);
            let part = blend(pull * mobility, ONSET);
            (1.0 / (pull * part).max(NOTHING / mobility), wanted)
        }
        // what is not reached yet is not damped either: only what goes beyond in the step
        Law::Soft(Spring { stiffness, damping, .. }) if damping > 0.0 && row.is_open() => {
            (1.0 / (beat.kick * (h * stiffness + damping)), wanted - row.gap / h)
        }
        // one division for both numbers: Σ = 4/κ(hk + 4c) and γ = hk/(hk + 4c)
        Law::Soft(spring) if is_symmetric(&spring, h, &mobility) => {
            let Spring { stiffness, damping, form } = spring;
            let least = if form == Form::Stabilised { STABILISED * h * stiffness } else { 0.0 };
            let part = 1.0 / (beat.kick * (h * stiffness + 4.0 * damping.max(least)));
            let turned = h * (rate() - wanted) - 4.0 * row.gap;
            (4.0 * part, wanted + beat.kick * part * stiffness * turned)
        }
        Law::Soft(Spring { stiffness, damping, .. }) => {
            let part = 1.0 / (beat.kick * (h * stiffness + damping));
            (part, wanted - beat.kick * part * stiffness * row.gap)
        }
    };
    let sigma = if row.is_bounded() { f64::max(sigma, GIVE * mobility()) } else { sigma };
    let rhs = if row.restitution > 0.0 { rebound(row, rhs, rate(), falling(), beat) } else { rhs };
    Softened { sigma, rhs }
}

/// The written rule of the module head.
pub fn is_symmetric(spring: &Spring, h: f64, mobility: impl Fn() -> f64) -> bool {
    match spring.form {
        Form::Symmetric | Form::Stabilised => spring.stiffness > 0.0,
        Form::Implicit => false,
        Form::Auto => {
            let (k, c) = (spring.stiffness, spring.damping);
            k > 0.0 && {
                let mu = mobility();
                h * h * k * mu <= 4.0 && c * c * mu < 4.0 * k
            }
        }
    }
}

/// A one-sided row that will be hit in this step leaves at e times the speed it would be hit with.
///
/// It is turned round where it stands, a gap g before the hit, with what energy it has there if a is its rate of rate:
/// u² = e² (v² − 2 a g) + 2 a g. So the height of a rebound does not depend on where in the step the hit falls, and a
/// perfect rebound retraces its path.
fn rebound(row: &Row, rhs: f64, rate: f64, falling: f64, beat: &Beat) -> f64 {
    let hit = row.gap + beat.drift * rate.min(falling) < 0.0;
    if !hit || -row.restitution * rate <= beat.bounce_speed {
        return rhs;
    }
    let (e, gained) = (row.restitution, 2.0 * (falling - rate) / beat.kick * row.gap.max(0.0));
    rhs.max((e * e * (rate * rate - gained) + gained).max(0.0).sqrt())
}
