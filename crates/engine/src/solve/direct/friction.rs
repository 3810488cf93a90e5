//! Friction in the direct solver: cone states and axes in the inner loop, bounds in the outer loop.
//!
//!   open     λₜ = 0
//!   stick    Jₜ u = rₜ,                              |λₜ| ≤ μ λₙ
//!   slip     λ₁ = −μ λₙ along the slip s = Jₜ u − rₜ,   λ₂ = −(μ λₙ/|s|) s₂ across it
//!
//! A sliding contact has its first axis along the slip. Along it the force is given; across it the cone is, to first
//! order, a damper. This is Newton's method for the direction: it converges in two or three iterations when the slip
//! changes direction and at once when it does not.
//!
//! In the inner loop the bounds b = μ λₙ are fixed, so that the problem is convex. In the outer loop they follow the
//! normal forces, b ← b + ω (μ λₙ − b), to convergence, with ω by Aitken's rule for vectors (Irons & Tuck 1969). (In a
//! single loop the normal forces of a wrong guess, which may be huge, would become the friction of the next.) Where
//! more friction increases the normal force by more than itself (Painlevé's jamming rod) there is no fixed point:
//! bounds grow until the contact sticks, as the rod does. Where friction lifts its own contact off (the same rod,
//! dragged), the contact returns with half of it.

use crate::model::state::ContactMode;
use crate::row::BoundMode;
use crate::row::rows::Rows;
use crate::settings::FrictionModel;
use crate::solve::problem::{ConeState, Problem, STILL};
use glam::DVec2;

/// Convergence of the bounds: relative change. While only bounds change, the factor is kept, so that its round-off does
/// not disturb them.
const SETTLED: f64 = 1e-9;

/// The forces at the four corners of a box are distributed by compliance alone, 1e-8 of their mobility
/// (`regularize::LEAST_COMPLIANCE`), and round-off is 1e-8 of that: forces and directions are compared no closer than
/// to this fraction of themselves,
const NOISE: f64 = 1e-6;

/// nor closer than to this fraction of the largest force in the island.
pub(in crate::solve) const GRAIN: f64 = 1e-7;

/// Round-off, relative to the largest impulse or speed.
const SLACK: f64 = 1e-11;

/// Changes by an update of the cones.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConeChanges {
    /// Cones that changed their state.
    pub flips: usize,
    /// Whether axes rotated.
    pub has_rotated: bool,
}

/// Updates the states and axes of the cones at the present solution, with fixed bounds. With `one`, only the first cone
/// that must change its state does.
pub(in crate::solve) fn update_cones(problem: &mut Problem, rows: &Rows, one: bool) -> ConeChanges {
    let mut moved = ConeChanges::default();
    let slack = GRAIN * problem.active.largest(1e-300);
    let speed = problem.scale();
    for number in 0..problem.friction.cones.len() {
        let cone = problem.friction.cones[number];
        let next = match cone.grip {
            // a force that exceeds its bound by round-off only still sticks
            ContactMode::Stick
                if cone.held(&problem.active.multipliers)
                    > cone.friction * cone.pressed * (1.0 + NOISE) + slack =>
            {
                ContactMode::Slip
            }
            ContactMode::Slip if along(problem, rows, &cone) < -STILL * speed => ContactMode::Stick,
            same => same,
        };
        if next != cone.grip {
            moved.flips += 1;
            if !one || moved.flips == 1 {
                problem.set_grip(number, next);
            }
        } else if next == ContactMode::Slip && cone.count == 2 {
            moved.has_rotated |= follow_slip(problem, rows, number, speed);
        }
    }
    moved
}

/// Moves bounds towards the normal forces found. Returns whether any moved, and whether the matrix changed.
pub(in crate::solve) fn move_bounds(
    problem: &mut Problem,
    rows: &Rows,
    friction: FrictionModel,
) -> (bool, bool) {
    let (mut moved, mut stale) = (false, false);
    let push = problem.active.largest(1e-300);
    let speed = problem.scale();
    let pace = relaxation_of(problem);
    for number in 0..problem.friction.cones.len() {
        let cone = problem.friction.cones[number];
        let normal = cone.pressing(&problem.active.multipliers);
        let rest = normal - cone.pressed;
        let open = normal <= SLACK * push;
        if cone.grip == ContactMode::Open && !open {
            // a contact that slid before slides until that proves wrong: if it stuck at once, it would take the
            // friction of all others
            let slip = slip_of(problem, rows, &cone);
            let grip = if cone.slip_before > NOISE * speed { ContactMode::Slip } else { ContactMode::Stick };
            for (k, s) in slip.to_array()[..cone.count].iter().enumerate() {
                problem.active.multipliers[cone.first + k] = -s;
            }
            // a contact that was lifted off by its own friction gets half of it
            let lifted = cone.rest.is_finite();
            problem.friction.cones[number].pressed =
                if lifted { normal.min(0.5 * cone.pressed) } else { normal };
            problem.set_grip(number, grip);
            (moved, stale) = (true, true);
        } else if cone.grip != ContactMode::Open && open {
            problem.set_grip(number, ContactMode::Open);
            problem.friction.cones[number].rest =
                if cone.grip == ContactMode::Slip { rest } else { f64::NAN };
            (moved, stale) = (true, true);
        } else if cone.grip == ContactMode::Stick {
            problem.friction.cones[number].pressed = normal;
            moved |= cone.held(&problem.active.multipliers)
                > cone.friction * normal * (1.0 + NOISE) + GRAIN * push;
        } else if cone.grip == ContactMode::Slip {
            let once = friction == FrictionModel::BoxOnce && cone.rest.is_finite();
            if !once && rest.abs() > SETTLED * normal + SLACK * push {
                moved = true;
                let next = cone.pressed + pace * rest;
                problem.press(number, if next > 0.0 { next } else { normal });
            }
            problem.friction.cones[number].rest = rest;
        }
    }
    (moved, stale)
}

/// Relaxation ω of the bounds by Aitken's rule, from the last two iterations.
fn relaxation_of(problem: &mut Problem) -> f64 {
    let (mut along, mut square) = (0.0, 0.0);
    for cone in problem.friction.cones.iter().filter(|c| c.grip == ContactMode::Slip) {
        let rest = cone.pressing(&problem.active.multipliers) - cone.pressed;
        if !cone.rest.is_finite() {
            // a cone that has just begun to slide has no history
            problem.friction.relaxation = 1.0;
            return 1.0;
        }
        along += cone.rest * (rest - cone.rest);
        square += (rest - cone.rest) * (rest - cone.rest);
    }
    let pace = -problem.friction.relaxation * along / square;
    // growing differences: there is no fixed point, so move towards the change of state that ends the growth
    problem.friction.relaxation = if pace > 0.0 && pace < 20.0 { pace } else { 2.0 };
    problem.friction.relaxation
}

/// Slip of a sliding cone opposed to its friction; negative if friction drives it.
fn along(problem: &Problem, rows: &Rows, cone: &ConeState) -> f64 {
    let slip = problem.slip(rows, cone.first);
    if problem.active.modes[cone.first] == BoundMode::High { -slip } else { slip }
}

/// The slip of a cone along its axes.
fn slip_of(problem: &Problem, rows: &Rows, cone: &ConeState) -> DVec2 {
    let second = if cone.count == 2 { problem.slip(rows, cone.first + 1) } else { 0.0 };
    DVec2::new(problem.slip(rows, cone.first), second)
}

/// Rotates the first axis into the slip; returns whether that changed the matrix. A slip too slow to define a direction
/// is assumed to oppose the force.
fn follow_slip(problem: &mut Problem, rows: &Rows, number: usize, speed: f64) -> bool {
    let cone = problem.friction.cones[number];
    let (first, second) = (cone.first, cone.first + 1);
    let slip = slip_of(problem, rows, &cone);
    let slow = slip.length() <= NOISE * speed;
    let along = if slow {
        -DVec2::new(problem.active.multipliers[first], problem.active.multipliers[second])
    } else {
        slip
    };
    let size = along.length();
    let bound = cone.friction * cone.pressed;
    let straight = along.y.abs() <= NOISE * size && problem.active.multipliers[second].abs() <= NOISE * bound;
    if straight || size == 0.0 {
        return false;
    }
    problem.turn_axes(number, along.x / size, along.y / size);
    let damper = (slip.length() / bound.max(1e-300)).max(cone.sigma);
    problem.rows[second].sigma = damper;
    true
}

/// Largest violation of a cone: force beyond its bound (more than round-off) relative to the largest impulse, rate of a
/// sticking contact relative to the largest speed.
pub(in crate::solve) fn cone_residual(problem: &Problem, rows: &Rows) -> f64 {
    let push = problem.active.largest(1e-300);
    let speed = problem.scale();
    let mut worst: f64 = 0.0;
    for cone in &problem.friction.cones {
        let normal = cone.pressing(&problem.active.multipliers);
        let held = cone.held(&problem.active.multipliers);
        let bad = match cone.grip {
            // an open cone under load lacks its friction, or at least the part that would stop its slip
            ContactMode::Open if normal > SLACK * push => {
                let bound = cone.friction * normal;
                (slip_of(problem, rows, cone).length() / speed).min(bound / push)
            }
            ContactMode::Open => held / push,
            ContactMode::Stick => {
                let rate = (cone.first..cone.first + cone.count)
                    .map(|l| {
                        (problem.slip(rows, l) + problem.rows[l].sigma * problem.active.multipliers[l]).abs()
                            / speed
                    })
                    .fold(0.0, f64::max);
                rate.max((held - cone.friction * normal * (1.0 + NOISE)) / push - GRAIN)
            }
            ContactMode::Slip => {
                let bound = cone.friction * normal;
                ((held - bound).abs() - NOISE * bound) / push - GRAIN
            }
        };
        worst = worst.max(bad);
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;
    use glam::{DQuat, DVec3};

    /// A box slides on a floor. The same solution without friction has a residual as large as the missing force.
    #[test]
    fn friction_left_out_shows_in_the_residual() {
        let mut world = World::default();
        world.set(|s| s.contact.solver = Solver::Direct).unwrap();
        let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
        world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let shape = Shape::Box { half: DVec3::splat(0.1) };
        let body =
            Body::dynamic("box", Mass::of_total(&shape, 1.0).unwrap()).with_collider(Collider::new(shape));
        let body = world.add_body(body, 0.1 * DVec3::Z, DQuat::IDENTITY).unwrap();
        world.set_velocity(body, DVec3::X, DVec3::ZERO).unwrap();
        let report = world.step();
        assert!(report.residual < 1e-8, "{}", report.residual);
        let stages = &mut world.workspace.stages;
        let (rows, problem) = (&stages.rows, &mut stages.solution.islands[0].problem);
        assert!(cone_residual(problem, rows) < 1e-8);
        (0..problem.friction.cones.len()).for_each(|number| problem.set_grip(number, ContactMode::Open));
        problem.solve(rows);
        let residual = cone_residual(problem, rows);
        assert!(residual > 0.1, "{residual}");
    }
}
