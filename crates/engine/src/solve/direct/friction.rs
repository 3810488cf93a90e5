//! Friction in an island's problem: bounds that follow from normal forces, and axes that turn with the slip.
//!
//!   open     λₜ = 0
//!   stick    Jₜ u = rₜ,                              |λₜ| ≤ μ λₙ
//!   slip     λ₁ = −μ λₙ along the slip s = Jₜ u − rₜ,   λ₂ = −(μ λₙ/|s|) s₂ across it
//!
//! A sliding contact has its first axis along the slip. There the force is given; across it the cone is, to first order,
//! a damper: that is Newton's method for the direction, which converges in two or three rounds when the slip turns and
//! in none when it does not.
//!
//! Two loops. Inside, the bounds b = μ λₙ stand still, so the problem is convex. Outside, they follow the
//! normal forces found, b ← b + ω (μ λₙ − b), until they settle, ω by Aitken's rule for vectors (Irons & Tuck 1969). (In
//! one loop the normal forces of a wrong guess, which may be huge, would become the friction of the next.) Where more
//! friction presses harder than it is itself (Painlevé's jamming rod) there is nothing to settle to: then bounds grow until
//! the contact sticks, which is what the rod does. Where friction lifts its own contact off (the same rod, dragged) it comes
//! back with half of it.

use crate::constrain::rows::Rows;
use crate::solve::problem::Problem;
use crate::solve::regularize::Impulses;
use crate::world::model::Friction;
use crate::world::state::{Grip, Mode};
use glam::DVec2;

/// Impulses have settled when they change by less than this part. While only they move the factor stays, so rounding in it
/// does not disturb them.
const SETTLED: f64 = 1e-9;

/// Four corners of a box share their forces by what they give alone, 1e-8 of their mobility (`regularize::GIVE`), and rounding
/// is 1e-8 of that: forces and directions are compared no closer than to this part of themselves,
const NOISE: f64 = 1e-6;

/// nor than to this part of the largest force in the island.
pub(in crate::solve) const GRAIN: f64 = 1e-7;

/// Rounding's part of the largest impulse or speed.
const SLACK: f64 = 1e-11;

/// A slip against its friction that is slower than this part of the largest speed is none.
pub(in crate::solve) const STILL: f64 = 1e-9;

/// Friction of one or two local rows.
#[derive(Clone, Copy, Debug)]
pub struct Cone {
    /// Local row of the normal force.
    pub normal: usize,
    /// First local row bounded by it.
    pub first: usize,
    /// One row, or two along axes square to each other.
    pub count: usize,
    /// Coefficient: the static one if it did not slide before the step, else the kinetic one. So a step has one law, and
    /// corners of a box that share their load unevenly do not drop to kinetic friction one after the other.
    pub friction: f64,
    /// Impulse that presses beside the normal one.
    pub base: f64,
    /// What it does.
    pub grip: Grip,
    /// The normal impulse that bounds it.
    pub pressed: f64,
    /// By how much that was wrong in the last round; not a number at first.
    pub rest: f64,
    /// Its slip before the step [m/s or rad/s].
    pub was: f64,
    /// Least Σ of its rows: what they give while they stick.
    pub sigma: f64,
    /// How far its axes have been turned: cosine and sine.
    pub turned: (f64, f64),
    /// Whether it is a rope's: it is pressed by the mean of the tensions on both sides.
    pub belt: bool,
}

impl Cone {
    /// What presses, of the impulses of all rows.
    pub fn pressing(&self, lambda: &[f64]) -> f64 {
        let normal = match self.belt {
            false => lambda[self.normal],
            true => lambda[self.normal..self.first].iter().sum::<f64>() + 0.5 * lambda[self.first],
        };
        (normal + self.base).max(0.0)
    }
}

/// What a round of settling changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// Contacts that took another state.
    pub flips: usize,
    /// Whether axes turned.
    pub turns: bool,
}

impl Problem {
    /// Settles the cones at the present solution, their bounds as they are. With `one` only the first
    /// that must flips does.
    pub fn settle_cones(&mut self, rows: &Rows, one: bool) -> Moved {
        let mut moved = Moved::default();
        let slack = GRAIN * self.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        let speed = self.scale();
        for number in 0..self.cones.len() {
            let cone = self.cones[number];
            let next = match cone.grip {
                // what only rounding takes beyond the bound still holds
                Grip::Stick if self.held(&cone) > cone.friction * cone.pressed * (1.0 + NOISE) + slack => {
                    Grip::Slip
                }
                Grip::Slip if self.along(rows, &cone) < -STILL * speed => Grip::Stick,
                same => same,
            };
            if next != cone.grip {
                moved.flips += 1;
                if !one || moved.flips == 1 {
                    self.take_grip(number, next);
                }
            } else if next == Grip::Slip && cone.count == 2 {
                moved.turns |= self.follow_slip(rows, number, speed);
            }
        }
        moved
    }

    /// Lets bounds follow the normal forces found. Says whether any moved, and whether the matrix changed.
    pub fn move_bounds(&mut self, rows: &Rows, friction: Friction) -> (bool, bool) {
        let (mut moved, mut stale) = (false, false);
        let push = self.lambda.iter().fold(1e-300, |m: f64, l| m.max(l.abs()));
        let speed = self.scale();
        let pace = self.pace_of_bounds();
        for number in 0..self.cones.len() {
            let cone = self.cones[number];
            let normal = cone.pressing(&self.lambda);
            let rest = normal - cone.pressed;
            let open = normal <= SLACK * push;
            if cone.grip == Grip::Open && !open {
                // one that slid before goes on sliding until that proves wrong: held at once, it would bear the
                // friction of all others
                let slip = self.slip_of(rows, &cone);
                let grip = if cone.was > NOISE * speed { Grip::Slip } else { Grip::Stick };
                for (k, s) in slip.to_array()[..cone.count].iter().enumerate() {
                    self.lambda[cone.first + k] = -s;
                }
                // one that its own friction had lifted off has half of it
                let lifted = cone.rest.is_finite();
                self.cones[number].pressed = if lifted { normal.min(0.5 * cone.pressed) } else { normal };
                self.take_grip(number, grip);
                (moved, stale) = (true, true);
            } else if cone.grip != Grip::Open && open {
                self.take_grip(number, Grip::Open);
                self.cones[number].rest = if cone.grip == Grip::Slip { rest } else { f64::NAN };
                (moved, stale) = (true, true);
            } else if cone.grip == Grip::Stick {
                self.cones[number].pressed = normal;
                moved |= self.held(&cone) > cone.friction * normal * (1.0 + NOISE) + GRAIN * push;
            } else if cone.grip == Grip::Slip {
                let once = friction == Friction::BoxOnce && cone.rest.is_finite();
                if !once && rest.abs() > SETTLED * normal + SLACK * push {
                    moved = true;
                    let next = cone.pressed + pace * rest;
                    self.press(number, if next > 0.0 { next } else { normal });
                }
                self.cones[number].rest = rest;
            }
        }
        (moved, stale)
    }

    /// How far bounds go towards what normal forces ask, from what the last two rounds did.
    fn pace_of_bounds(&mut self) -> f64 {
        let (mut along, mut square) = (0.0, 0.0);
        for cone in self.cones.iter().filter(|c| c.grip == Grip::Slip) {
            let rest = cone.pressing(&self.lambda) - cone.pressed;
            if !cone.rest.is_finite() {
                // one that has just begun to slide: nothing to go by yet
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

    /// Size of the friction impulse.
    fn held(&self, cone: &Cone) -> f64 {
        let second = if cone.count == 2 { self.lambda[cone.first + 1] } else { 0.0 };
        libm::hypot(self.lambda[cone.first], second)
    }

    /// J u − r of a row at the present solution.
    fn slip(&self, rows: &Rows, local: usize) -> f64 {
        self.rate_of(rows, local) - self.softened[local].rhs
    }

    /// The slip along the way a sliding cone resists; negative if it should not.
    fn along(&self, rows: &Rows, cone: &Cone) -> f64 {
        let slip = self.slip(rows, cone.first);
        if self.modes[cone.first] == Mode::High { -slip } else { slip }
    }

    /// The slip of a cone along its axes.
    fn slip_of(&self, rows: &Rows, cone: &Cone) -> DVec2 {
        let second = if cone.count == 2 { self.slip(rows, cone.first + 1) } else { 0.0 };
        DVec2::new(self.slip(rows, cone.first), second)
    }

    /// Puts a cone into a state. A sliding one slips against the impulse its rows have.
    pub fn take_grip(&mut self, number: usize, grip: Grip) {
        let cone = self.cones[number];
        let (first, end) = (cone.first, cone.first + cone.count);
        self.cones[number].grip = grip;
        for local in first..end {
            self.modes[local] = if grip == Grip::Open { Mode::Low } else { Mode::Between };
            (self.bounds[local], self.softened[local].sigma) = (Impulses::only(0.0), cone.sigma);
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
            self.press(number, cone.pressed);
            self.cones[number].rest = f64::NAN;
        }
    }

    /// Keeps friction as it stands, drawn back inside its bounds.
    pub fn freeze_cones(&mut self) {
        for number in 0..self.cones.len() {
            let cone = self.cones[number];
            let bound = cone.friction * cone.pressing(&self.lambda);
            let held = self.held(&cone);
            let part = if held > bound { bound / held } else { 1.0 };
            for local in cone.first..cone.first + cone.count {
                self.modes[local] = Mode::Low;
                self.bounds[local] = Impulses::only(part * self.lambda[local]);
            }
        }
    }

    /// Keeps an answer at which pivoting had settled.
    pub(in crate::solve) fn keep_answer(&mut self) {
        self.kept.clear();
        self.kept.extend_from_slice(&self.lambda);
        self.kept.extend_from_slice(&self.x);
        self.kept_cones.clone_from(&self.cones);
        self.kept_modes.clone_from(&self.modes);
    }

    /// Goes back to the answer kept, if there is one.
    pub(in crate::solve) fn take_answer(&mut self) -> bool {
        if self.kept.is_empty() {
            return false;
        }
        for number in 0..self.cones.len() {
            let ((c, s), (to_c, to_s)) = (self.cones[number].turned, self.kept_cones[number].turned);
            if self.cones[number].count == 2 {
                self.turn_axes(number, to_c * c + to_s * s, to_s * c - to_c * s);
            }
        }
        let (lambda, x) = self.kept.split_at(self.lambda.len());
        self.lambda.copy_from_slice(lambda);
        self.x.copy_from_slice(x);
        self.cones.clone_from(&self.kept_cones);
        self.modes.clone_from(&self.kept_modes);
        true
    }

    /// Takes the cones' states from their impulses, as sweeps leave them.
    pub fn adopt_cones(&mut self) {
        for number in 0..self.cones.len() {
            let cone = self.cones[number];
            self.cones[number].pressed = cone.pressing(&self.lambda);
            self.take_grip(number, cone.grip);
        }
    }

    /// Lets the cones' rows give no more than they must, as sweeps want them. Sweeps leave the bounds of ropes as they were.
    pub(in crate::solve) fn stiffen_cones(&mut self) {
        for cone in &self.cones {
            let rows = &mut self.softened[cone.first..cone.first + cone.count];
            rows.iter_mut().for_each(|s| s.sigma = cone.sigma);
            if cone.belt {
                self.bounds[cone.first] = Impulses::up_to(cone.friction * cone.pressed);
            }
        }
    }

    /// Gives a sliding cone its bound.
    fn press(&mut self, number: usize, normal: f64) {
        let cone = &mut self.cones[number];
        cone.pressed = normal;
        self.bounds[cone.first] = Impulses::up_to(cone.friction * normal);
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
        let bound = cone.friction * cone.pressed;
        let straight = along.y.abs() <= NOISE * size && self.lambda[second].abs() <= NOISE * bound;
        if straight || size == 0.0 {
            return false;
        }
        self.turn_axes(number, along.x / size, along.y / size);
        let damper = (slip.length() / bound.max(1e-300)).max(cone.sigma);
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
            let normal = cone.pressing(&self.lambda);
            let held = self.held(cone);
            let bad = match cone.grip {
                // one that presses should rub: it lacks its friction, or at least what would stop its slip
                Grip::Open if normal > SLACK * push => {
                    let bound = cone.friction * normal;
                    (self.slip_of(rows, cone).length() / speed).min(bound / push)
                }
                Grip::Open => held / push,
                Grip::Stick => {
                    let rate = (cone.first..cone.first + cone.count)
                        .map(|l| (self.slip(rows, l) + self.softened[l].sigma * self.lambda[l]).abs() / speed)
                        .fold(0.0, f64::max);
                    rate.max((held - cone.friction * normal * (1.0 + NOISE)) / push - GRAIN)
                }
                Grip::Slip => {
                    let bound = cone.friction * normal;
                    ((held - bound).abs() - NOISE * bound) / push - GRAIN
                }
            };
            worst = worst.max(bad);
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use glam::{DQuat, DVec3};

    /// A box slides on a floor. The same answer without its friction has a residual, large as what is missing.
    #[test]
    fn friction_left_out_is_told() {
        let mut world = World::default();
        world.set(|s| s.contact.solver = Solver::Direct).unwrap();
        let floor = Body::fixed("floor").touchable(Collider::of(Geometry::HalfSpace));
        world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let shape = Shape::Box { half: DVec3::splat(0.1) };
        let body = Body::free("box", Mass::of_total(&shape, 1.0).unwrap()).touchable(Collider::new(shape));
        let body = world.add_body(body, 0.1 * DVec3::Z, DQuat::IDENTITY).unwrap();
        world.set_velocity(body, DVec3::X, DVec3::ZERO).unwrap();
        let report = world.step();
        assert!(report.residual < 1e-8, "{}", report.residual);
        let scratch = &mut world.scratch;
        let (rows, problem) = (&scratch.rows, &mut scratch.solution.problems[0]);
        assert!(problem.cone_residual(rows) < 1e-8);
        (0..problem.cones.len()).for_each(|number| problem.take_grip(number, Grip::Open));
        problem.solve(rows);
        let told = problem.cone_residual(rows);
        assert!(told > 0.1, "{told}");
    }
}
