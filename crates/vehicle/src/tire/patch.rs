//! Transient tyre forces as two velocity constraint equations: a carcass spring in series with a sliding patch.
//!
//! ```text
//! u̇ = v_s − p,    F = k u + d u̇ = F_ss(p/|v_x|)
//! ```
//!
//! u is the deflection of the carcass, v_s the slip velocity of the wheel, p the velocity at which the patch slides over
//! the road and F_ss the steady tyre model. For small slip this is the relaxation-length model with σ = C/k, at standstill
//! a spring and damper with dry friction, and in sliding the steady curve.
//!
//! In each direction F_ss is replaced by a line with positive slope through its value at the last p:
//!
//! ```text
//! F = c' (p − p₀),    c' = F_ss/(p − n),    p₀ = p − F_ss/c'
//! ```
//!
//! n is the patch velocity at which the force vanishes: 0, or that of the neutral slip if the tyre has shifts or camber.
//! c' is unbounded for p = n, v_x = 0. With v = v_s − p₀ the deflection has an exact solution over a step h in which v is
//! constant:
//!
//! ```text
//! r = c'/(c'+d),  a = h k/(c'+d),  E = e^(−a),  β = (1 − E)/a
//! u⁺ = E u + β h r v⁺,      F⁺ = r (k u⁺ + d v⁺)
//! equation in λ = −F:   v_s⁺ + Σ' λ = p₀ − r k E u Σ',    Σ' = 1/(r (k β h r + d)),    (λ_x/D_x)² + (λ_y/D_y)² ≤ 1
//! p⁺ = v_s⁺ − u̇⁺, the patch velocity at the end of the step, to which F⁺ belongs
//! ```
//!
//! All coefficients are positive for every h, v_x and c'. On the bound, where F is not that of the line, the deflection
//! follows from k u⁺ + d (u⁺ − u)/h = F. The axes of the ellipse are the peaks of the model, and larger by a common factor
//! if the model exceeds the ellipse in combined slip, so that the bound never changes a steady force.

use glam::DVec2;

use super::model::{Contact, Slip, Tire};

/// Standard gravity, for the mass that a wheel load stands for [m/s²].
pub(crate) const GRAVITY: f64 = 9.81;

/// Smallest relaxation length: shorter ones are the steady model to rounding [m].
const MIN_RELAXATION: f64 = 1e-4;

/// Smallest distance from the neutral slip over which a secant is taken.
const MIN_SLIP: f64 = 1e-4;

/// Smallest slope of F over v_s, which keeps Σ' finite for a wheel without load [N·s/m].
const MIN_GAIN: f64 = 1e-9;

/// Spring and damper of the carcass in the road plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carcass {
    /// Stiffness in longitudinal and lateral direction [N/m].
    pub stiffness: DVec2,
    /// Damping in longitudinal and lateral direction [N·s/m].
    pub damping: DVec2,
}

impl Carcass {
    /// Stiffness k = C/σ of a tyre, and damping 2ζ√(k m) with m the mass that loads the wheel.
    ///
    /// ζ ≈ 0.05 lets a stopped vehicle stop rocking.
    pub fn of(tire: &(impl Tire + ?Sized), contact: &Contact, zeta: f64) -> Carcass {
        let length = tire.relaxation_length(contact).max(DVec2::splat(MIN_RELAXATION));
        let stiffness = tire.slip_stiffness(contact) / length;
        let critical = stiffness * (contact.load.max(0.0) / GRAVITY);
        let damping = 2.0 * zeta * DVec2::new(critical.x.sqrt(), critical.y.sqrt());
        Carcass { stiffness, damping }
    }
}

/// Memory of the contact of a tyre, in the axes of the wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PatchState {
    /// Deflection u of the carcass [m].
    pub deflection: DVec2,
    /// Velocity p at which the patch slides over the road [m/s].
    pub sliding: DVec2,
}

/// Coefficients of the two constraint equations of a tyre, longitudinal and lateral.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchRows {
    /// Right-hand side of v_s + Σ'λ [m/s].
    pub rhs: DVec2,
    /// Compliance Σ', positive and finite [m/s/N].
    pub compliance: DVec2,
    /// Semi-axes D of the ellipse that bounds the force [N].
    pub bound: DVec2,
    state: PatchState,
    carcass: Carcass,
    axes: [Axis; 2],
    step: f64,
}

/// One direction of the patch.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Axis {
    /// Patch velocity p₀ at which the line vanishes [m/s].
    zero: f64,
    /// Share r of the slip velocity that deflects the carcass at once.
    share: f64,
    /// E: share of the deflection that is left after the step.
    decay: f64,
    /// β: mean of the decay over the step.
    mean: f64,
    /// k/(c' + d) [1/s].
    rate: f64,
    /// ∂F/∂v_s [N·s/m].
    gain: f64,
    /// Force at v_s = p₀ [N].
    bias: f64,
}

impl PatchRows {
    /// The equations of a step h from the state at its start.
    ///
    /// In a second iteration, `state` has the deflection at the start of the step and the sliding velocity of
    /// [`PatchRows::update`], and the speed of `contact` is the mean of |v_x| at both ends of the step.
    pub fn new(
        state: &PatchState,
        carcass: &Carcass,
        tire: &(impl Tire + ?Sized),
        contact: &Contact,
        step: f64,
    ) -> PatchRows {
        let (lines, bound) = lines(state.sliding, tire, contact);
        let axis = |i: usize| {
            let [slope, zero] = lines[i];
            let (k, d) = (carcass.stiffness[i], carcass.damping[i]);
            let (share, rate) =
                if slope > 0.0 { (1.0 / (1.0 + d / slope), k / (slope + d)) } else { (0.0, 0.0) };
            let a = step * rate;
            let decay = libm::exp(-a);
            let mean = if a > 1e-12 { -libm::expm1(-a) / a } else { 1.0 };
            let gain = (share * (k * mean * step * share + d)).max(MIN_GAIN);
            let bias = share * k * decay * state.deflection[i];
            Axis { zero, share, decay, mean, rate, gain, bias }
        };
        let axes = [axis(0), axis(1)];
        let compliance = DVec2::new(1.0 / axes[0].gain, 1.0 / axes[1].gain);
        let rhs =
            DVec2::new(axes[0].zero, axes[1].zero) - DVec2::new(axes[0].bias, axes[1].bias) * compliance;
        PatchRows { rhs, compliance, bound, state: *state, carcass: *carcass, axes, step }
    }

    /// Force at a slip velocity by the equations without their bound [N].
    pub fn free_force(&self, slip_velocity: DVec2) -> DVec2 {
        (slip_velocity - self.rhs) / self.compliance
    }

    /// The force of the same direction in the ellipse's scale that fulfils the bound [N].
    pub fn bounded(&self, force: DVec2) -> DVec2 {
        let share = utilization(force, self.bound);
        if share > 1.0 { force / share } else { force }
    }

    /// The state after the step, from the slip velocity and the force F = −λ at its end.
    pub fn update(&self, slip_velocity: DVec2, force: DVec2) -> PatchState {
        if !(self.bound.max_element() > 0.0) {
            return PatchState { deflection: DVec2::ZERO, sliding: slip_velocity };
        }
        let gap = force - self.free_force(slip_velocity);
        let at_bound = gap.length() > 1e-7 * self.bound.max_element();
        let (mut deflection, mut sliding) = (DVec2::ZERO, DVec2::ZERO);
        for i in 0..2 {
            let (old, speed) = (self.state.deflection[i], slip_velocity[i]);
            (deflection[i], sliding[i]) = if at_bound {
                self.slid(i, speed, force[i])
            } else {
                self.axes[i].advance(self.step, old, speed)
            };
        }
        PatchState { deflection, sliding }
    }

    /// Deflection and patch velocity of one direction on the bound.
    fn slid(&self, i: usize, slip_velocity: f64, force: f64) -> (f64, f64) {
        let (k, d, old) = (self.carcass.stiffness[i], self.carcass.damping[i], self.state.deflection[i]);
        let denominator = self.step * k + d;
        if !(denominator > 0.0 && self.step > 0.0) {
            return (old, slip_velocity);
        }
        // (u⁺ − u)/h without the difference of close numbers
        let rate = (force - k * old) / denominator;
        (old + self.step * rate, slip_velocity - rate)
    }
}

impl Axis {
    /// Deflection and patch velocity at the end of a step off the bound.
    fn advance(&self, step: f64, old: f64, slip_velocity: f64) -> (f64, f64) {
        let v = slip_velocity - self.zero;
        let new = self.decay * old + self.mean * step * self.share * v;
        let relative = v * (1.0 - self.share) + self.rate * new;
        (new, self.zero + relative)
    }
}

/// Slope c' and zero p₀ of the line in each direction, and the semi-axes of the bound.
fn lines(sliding: DVec2, tire: &(impl Tire + ?Sized), contact: &Contact) -> ([[f64; 2]; 2], DVec2) {
    if !(contact.load > 0.0) {
        return ([[0.0; 2]; 2], DVec2::ZERO);
    }
    // the slip is cut at the model's largest by a larger reference speed
    let speed = contact.speed.abs().max(sliding.length() / tire.max_slip());
    if speed == 0.0 {
        let force = tire.force(Slip::default(), contact);
        return ([[f64::INFINITY, 0.0]; 2], DVec2::new(force.peak_x, force.peak_y));
    }
    // slip in the direction of the force: (κ, −tan α)
    let slip = sliding / speed;
    let evaluate = |s: DVec2| {
        let result = tire.force(Slip { kappa: s.x, tan_alpha: -s.y }, contact);
        (DVec2::new(result.fx, result.fy), DVec2::new(result.peak_x, result.peak_y))
    };
    let neutral = tire.neutral_slip(Slip { kappa: slip.x, tan_alpha: -slip.y }, contact);
    let neutral = DVec2::new(neutral.kappa, -neutral.tan_alpha);
    let (force, peaks) = evaluate(slip);
    let stiffness = tire.slip_stiffness(contact);
    let mut lines = [[0.0; 2]; 2];
    for i in 0..2 {
        let distance = slip[i] - neutral[i];
        let secant = if distance.abs() >= MIN_SLIP {
            force[i] / distance
        } else {
            // the slope with the combined reduction where this component vanishes
            let mut near = slip;
            near[i] = neutral[i] + MIN_SLIP.copysign(distance);
            evaluate(near).0[i] / MIN_SLIP.copysign(distance)
        };
        // a model that breaks its promise gets its slope at zero slip
        let slope = if secant > 0.0 { secant } else { stiffness[i] } / speed;
        let zero = if slope > 0.0 { sliding[i] - force[i] / slope } else { 0.0 };
        lines[i] = [slope, zero];
    }
    let bound = peaks * utilization(force, peaks).max(1.0);
    (lines, bound)
}

/// √((F_x/D_x)² + (F_y/D_y)²).
fn utilization(force: DVec2, axes: DVec2) -> f64 {
    if axes.min_element() > 0.0 { (force / axes).length() } else { f64::INFINITY }
}
