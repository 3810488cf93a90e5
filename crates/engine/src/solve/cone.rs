//! Friction in an island's problem: bounds that follow from normal forces, and axes that turn with the slip.
//!
//!   open     λₙ ≤ 0:  λₜ = 0
//!   stick    Jₜ u = rₜ,                              |λₜ| ≤ μ λₙ
//!   slip     λ₁ = −μ λₙ along the slip s = Jₜ u − rₜ,   λ₂ = −(μ λₙ/|s|) s₂ across it
//!
//! A sliding contact has its first axis along the slip. There the force is given; across it the cone is, to first order,
//! a damper: that is Newton's method for the direction, which converges in two or three rounds when the slip turns and
//! in none when it does not.
//!
//! λₙ of the last round gives the bounds of the next, b ← b + ω (μ λₙ − b), until they settle, ω by Aitken's rule for
//! vectors (Irons & Tuck 1969). Where more friction presses harder than it is itself (Painlevé's jamming rod) there is
//! nothing to settle to: then bounds grow until the contact sticks, which is what the rod does.

use super::problem::Problem;
use crate::constrain::rows::Rows;
use crate::world::model::Friction;
use crate::world::state::{Grip, Mode};
use glam::DVec2;

/// Bounds have settled when they change by less than this part. While only they move the factor stays, so rounding in it
/// does not disturb them.
const SETTLED: f64 = 1e-9;

/// Four corners of a box share their forces by what they give alone, 1e-8 of their mobility (`soften::GIVE`), and rounding
/// is 1e-8 of that: forces and directions are compared no closer than to this part.
const NOISE: f64 = 1e-6;

/// Rounding's part of the largest impulse or speed.
const SLACK: f64 = 1e-11;

/// Friction of one or two local rows.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// Local row of the normal force.
    pub normal: usize,
    /// First local row bounded by it.
    pub first: usize,
    /// One row, or two along axes square to each other.
    pub count: usize,
    /// Coefficient while it holds.
    pub stick: f64,
    /// Coefficient while it slides.
    pub slide: f64,
    /// Impulse that presses beside the normal one.
    pub base: f64,
    /// What it does.
    pub grip: Grip,
    /// Impulse with which it slides.
    pub bound: f64,
    /// By how much that was wrong in the last round.
    pub rest: f64,
    /// Least Σ of its rows: what they give while they stick.
    pub sigma: f64,
    /// How far its axes have been turned: cosine and sine.
    pub turned: (f64, f64),
}

/// What a round of settling changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Contacts that took another state.
    pub flips: usize,
    /// How wrong they were, relative to the largest impulse or speed.
    pub amount: f64,
    /// Whether bounds or axes moved by more than what counts as settled.
    pub drifts: bool,
    /// Whether the matrix changed.
    pub stale: bool,
}

/// What a cone does next.
enum Next {
    Stay,
    Become(Grip),
}

impl Problem {
    /// Settles the cones at the present solution. With `one` only the first that must flips does.
    pub fn settle_cones(&mut self, rows: &Rows, friction: Friction, one: bool) -> Moved {
        let mut moved = Moved::default();
        let pace = self.pace_of_bounds();
        let push = self.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        let speed = self.scale();
        for number in 0..self.cones.len() {
            let cone = self.cones[number];
            let normal = (self.lambda[cone.normal] + cone.base).max(0.0);
            let (next, amount) = self.judge_cone(rows, &cone, normal, push, speed);
            match next {
                Next::Become(_) if one && moved.flips > 0 => moved.flips += 1,
                Next::Become(grip) => {
                    moved.flips += 1;
                    moved.amount += amount;
                    moved.stale = true;
                    if cone.grip == Grip::Open {
                        let slip = self.slip_of(rows, &cone);
                        slip.to_array()[..cone.count]
                            .iter()
                            .zip(&mut self.lambda[cone.first..])
                            .for_each(|(s, l)| *l = -s);
                    }
                    self.take_grip(number, grip, normal);
                }
                Next::Stay if cone.grip == Grip::Slip => {
                    let once = friction == Friction::BoxOnce && cone.rest.is_finite();
                    let rest = if once { 0.0 } else { cone.slide * normal - cone.bound };
                    if rest.abs() > SETTLED * cone.bound + SLACK * push {
                        moved.drifts = true;
                        self.set_bound(number, (cone.bound + pace * rest).max(0.0));
                    }
                    self.cones[number].rest = rest;
                    if cone.count == 2 && self.follow_slip(rows, number, speed) {
                        (moved.drifts, moved.stale) = (true, true);
                        self.cones[number].rest = f64::NAN;
                    }
                }
                Next::Stay => {}
            }
        }
        moved
    }

    /// How far bounds go towards what normal forces ask, from what the last two rounds did.
    fn pace_of_bounds(&mut self) -> f64 {
        let (mut along, mut square) = (0.0, 0.0);
        for cone in self.cones.iter().filter(|c| c.grip == Grip::Slip) {
            let rest = cone.slide * (self.lambda[cone.normal] + cone.base).max(0.0) - cone.bound;
            if !cone.rest.is_finite() {
                // a cone that has just begun to slide: nothing to go by yet
                self.pace_last = 1.0;
                return 1.0;
            }
            along += cone.rest * (rest - cone.rest);
            square += (rest - cone.rest) * (rest - cone.rest);
        }
        let pace = -self.pace_last * along / square;
        // growing rests: no fixed point ahead, so make for the flip that ends it
        self.pace_last = if pace > 0.0 && pace < 20.0 { pace } else { 2.0 };
        self.pace_last
    }

    /// What a cone must become, and how wrong it is.
    fn judge_cone(&self, rows: &Rows, cone: &Cone, normal: f64, push: f64, speed: f64) -> (Next, f64) {
        let (first, slack) = (cone.first, SLACK * push);
        match cone.grip {
            Grip::Open if normal > slack => {
                // one that closes while it slides goes on sliding until that proves wrong: held at once, it would bear
                // the friction of all others
                let slides = self.slip_of(rows, cone).length() > NOISE * speed;
                (Next::Become(if slides { Grip::Slip } else { Grip::Stick }), normal / push)
            }
            Grip::Open => (Next::Stay, 0.0),
            _ if normal <= slack => (Next::Become(Grip::Open), self.held(cone) / push),
            Grip::Stick => {
                let excess = self.held(cone) - cone.stick * normal;
                // what only rounding takes beyond the bound still holds
                let allowed = NOISE * cone.stick * normal + slack;
                (if excess > allowed { Next::Become(Grip::Slip) } else { Next::Stay }, excess / push)
            }
            Grip::Slip => {
                let slip = self.slip(rows, first) * if self.modes[first] == Mode::High { -1.0 } else { 1.0 };
                (if slip < -SLACK * speed { Next::Become(Grip::Stick) } else { Next::Stay }, -slip / speed)
            }
        }
    }

    /// Size of the friction impulse.
    fn held(&self, cone: &Cone) -> f64 {
        let second = if cone.count == 2 { self.lambda[cone.first + 1] } else { 0.0 };
        libm::hypot(self.lambda[cone.first], second)
    }

    /// J u − r of a row at the present solution.
    fn slip(&self, rows: &Rows, local: usize) -> f64 {
        self.rate_of(rows, local) - self.softened[local].rhs
    }

    /// The slip of a cone along its axes.
    fn slip_of(&self, rows: &Rows, cone: &Cone) -> DVec2 {
        let second = if cone.count == 2 { self.slip(rows, cone.first + 1) } else { 0.0 };
        DVec2::new(self.slip(rows, cone.first), second)
    }

    /// Puts a cone into a state. A sliding one slips against the impulse its rows have.
    pub fn take_grip(&mut self, number: usize, grip: Grip, normal: f64) {
        let cone = self.cones[number];
        let (first, end) = (cone.first, cone.first + cone.count);
        self.cones[number].grip = grip;
        for local in first..end {
            self.modes[local] = if grip == Grip::Open { Mode::Low } else { Mode::Between };
            let s = &mut self.softened[local];
            (s.lo, s.hi, s.sigma) = (0.0, 0.0, cone.sigma);
        }
        if grip == Grip::Slip {
            if cone.count == 2 {
                let (x, y) = (-self.lambda[first], -self.lambda[first + 1]);
                let size = libm::hypot(x, y);
                if size > 0.0 {
                    self.turn_axes(number, x / size, y / size);
                }
                self.modes[first] = Mode::Low;
            } else {
                self.modes[first] = if self.lambda[first] > 0.0 { Mode::High } else { Mode::Low };
            }
            self.set_bound(number, cone.slide * normal);
            self.cones[number].rest = f64::NAN;
        }
    }

    /// Keeps friction as it stands, drawn back inside its bounds.
    pub fn freeze_cones(&mut self) {
        for number in 0..self.cones.len() {
            let cone = self.cones[number];
            let bound = cone.stick * (self.lambda[cone.normal] + cone.base).max(0.0);
            let held = self.held(&cone);
            let part = if held > bound { bound / held } else { 1.0 };
            self.cones[number].grip = if part < 1.0 { Grip::Slip } else { Grip::Stick };
            for local in cone.first..cone.first + cone.count {
                self.modes[local] = Mode::Low;
                let kept = part * self.lambda[local];
                (self.softened[local].lo, self.softened[local].hi) = (kept, kept);
            }
        }
    }

    fn set_bound(&mut self, number: usize, bound: f64) {
        let cone = &mut self.cones[number];
        cone.bound = bound;
        let s = &mut self.softened[cone.first];
        (s.lo, s.hi) = (-bound, bound);
    }

    /// Turns the first axis into the slip; says whether that changed the matrix. A slip too slow to have a direction is
    /// taken to be against the force.
    fn follow_slip(&mut self, rows: &Rows, number: usize, speed: f64) -> bool {
        let cone = self.cones[number];
        let (first, second) = (cone.first, cone.first + 1);
        let slip = self.slip_of(rows, &cone);
        let slow = slip.length() <= NOISE * speed;
        let along = if slow { -DVec2::new(self.lambda[first], self.lambda[second]) } else { slip };
        let size = along.length();
        let straight = along.y.abs() <= NOISE * size && self.lambda[second].abs() <= NOISE * cone.bound;
        if straight || size == 0.0 {
            return false;
        }
        self.turn_axes(number, along.x / size, along.y / size);
        let damper = (slip.length() / cone.bound.max(1e-300)).max(cone.sigma);
        self.softened[second].sigma = damper;
        true
    }

    /// Turns the two axes of a cone so that the first points along (c, s) of the old ones.
    pub fn turn_axes(&mut self, number: usize, c: f64, s: f64) {
        let first = self.cones[number].first;
        let at = 2 * (first - self.first_contact);
        for k in 0..2 {
            let (a, b) = (self.owned[at + k], self.owned[at + 2 + k]);
            self.owned[at + k].linear = a.linear * c + b.linear * s;
            self.owned[at + k].angular = a.angular * c + b.angular * s;
            self.owned[at + 2 + k].linear = b.linear * c - a.linear * s;
            self.owned[at + 2 + k].angular = b.angular * c - a.angular * s;
        }
        let (a, b) = (self.softened[first].rhs, self.softened[first + 1].rhs);
        (self.softened[first].rhs, self.softened[first + 1].rhs) = (a * c + b * s, b * c - a * s);
        let (a, b) = (self.lambda[first], self.lambda[first + 1]);
        (self.lambda[first], self.lambda[first + 1]) = (a * c + b * s, b * c - a * s);
        let (tc, ts) = self.cones[number].turned;
        self.cones[number].turned = (tc * c - ts * s, ts * c + tc * s);
    }

    /// The impulses of a cone's rows along the axes in which its rows were written.
    pub fn unturned(&self, cone: &Cone) -> [f64; 2] {
        let (c, s) = cone.turned;
        let (a, b) = (self.lambda[cone.first], self.lambda[cone.first + 1]);
        [a * c - b * s, a * s + b * c]
    }

    /// How far the cones are from what they must be: forces outside their bounds (beyond what rounding does to them),
    /// relative to the largest impulse; rates of those that stick, relative to the largest speed.
    pub fn cone_residual(&self, rows: &Rows) -> f64 {
        let push = self.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        let speed = self.scale();
        let mut worst: f64 = 0.0;
        for cone in &self.cones {
            let normal = (self.lambda[cone.normal] + cone.base).max(0.0);
            let held = self.held(cone);
            let bad = match cone.grip {
                Grip::Open => held / push,
                Grip::Stick => {
                    let rate = (cone.first..cone.first + cone.count)
                        .map(|l| (self.slip(rows, l) + self.softened[l].sigma * self.lambda[l]).abs() / speed)
                        .fold(0.0, f64::max);
                    rate.max((held - cone.stick * normal * (1.0 + NOISE)) / push)
                }
                Grip::Slip => (held - cone.slide * normal).abs() / push,
            };
            worst = worst.max(bad);
        }
        worst
    }
}
