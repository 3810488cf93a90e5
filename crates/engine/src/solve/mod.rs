//! Islands of rows → velocities and forces.
//!
//! Each island is a separate mixed linear complementarity problem. Islands are solved in parallel and results are
//! collected by index, so that they do not depend on the number of threads. Reads FreeMotion, Contacts, Rows, Islands;
//! writes Solution.
//!
//! | | |
//! |---|---|
//! | `regularize.rs` | time discretisation: rows → Σ, r |
//! | `held_mobility.rs` | mobility of springs and dampers while rigid joints hold |
//! | `problem` | data of one island: numbering, system, bodies, rows, active set, friction |
//! | `method.rs`, `island` | choice of the method for an island, and its fallbacks |
//! | `direct`, `gauss_seidel` | the methods, independent of each other |
//! | `overlap.rs` | penetrations in islands with joints |
//! | `rebound.rs` | restitution with friction: no impact gains energy |
//! | `tension_stiffness` | cables under tension |
//! | `warm_start.rs`, `shake_rows.rs` | start values; position iterations |
//! | `vibration.rs`, `turning.rs` | fastest vibration of loaded joints, and rotation rate of their arms |
//! | `clusters.rs` | parts of islands that exchange forces |

mod clusters;
pub mod direct;
pub mod gauss_seidel;
mod held_mobility;
mod input;
mod island;
mod method;
mod overlap;
pub mod problem;
mod rebound;
pub mod regularize;
pub mod shake_rows;
mod solution;
mod stats;
mod tension_stiffness;
mod turning;
pub mod vibration;
mod warm_start;

pub use input::SolveInput;
pub use island::IslandSolver;
pub use solution::Solution;
pub use stats::SolveStats;

use crate::model::Model;
use crate::model::state::State;
use island::StepInput;
use regularize::StepTimes;
use turning::Turning;

/// Solves for the velocities and forces of a step.
pub fn solve(model: &Model, state: &State, input: &SolveInput<'_>, out: &mut Solution) {
    let SolveInput { free, contacts, rows, islands, kick } = *input;
    let settings = &model.settings;
    let times = StepTimes {
        drift: model.dt(state),
        kick,
        closing: settings.dt,
        bounce_speed: settings.bounce_speed,
        recovery: settings.contact.recovery,
    };
    // an upper bound suffices while the step is far from it, and so is twice the substep
    let vibration = match (settings.max_substeps, times.drift == settings.dt) {
        (..2, _) => f64::INFINITY,
        (_, true) => vibration::LIMIT / times.drift,
        (_, false) => vibration::LIMIT / (2.0 * vibration::ROOM * times.drift),
    };
    out.refresh(model, rows, free, islands);
    out.memory.recall(state, contacts);
    let memory = std::mem::take(&mut out.memory);
    let step =
        StepInput { input: *input, state, times, contact: &settings.contact, vibration, memory: &memory };
    out.run(rows, state, |island, _| island.advance(&step));
    loop {
        clusters::solve(out, (free, rows), settings.contact.solver_iterations, |island| island.solve(&step));
        let parts = out.islands.iter_mut().filter(|island| island.is_part() && !island.is_asleep(state));
        // every part notes its own, so that none may be left out
        if parts.map(|island| usize::from(island.gains(&step))).sum::<usize>() == 0 {
            break;
        }
    }
    out.memory = memory;
    out.gather(rows, free, state, kick);
    let Solution { islands, stats, twists, forces, .. } = out;
    for (island, stats) in islands.iter().zip(stats) {
        stats.turning = Turning::of(rows, &island.problem.numbering.groups, (twists, forces), free);
    }
}

#[cfg(test)]
mod tests {
    use crate::prelude::*;
    use glam::{DQuat, DVec3};

    /// A pendulum, a standing box, and a ball that falls on the floor beside them.
    fn world() -> World {
        let mut world = World::default();
        let floor = Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace));
        let floor = world.add_body(floor, DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let mut put = |name: &str, shape: Shape, at: DVec3| {
            let mass = Mass::of_total(&shape, 1.0).unwrap();
            let body = Body::dynamic(name, mass).with_collider(Collider::new(shape));
            world.add_body(body, at, DQuat::IDENTITY).unwrap()
        };
        let bob = put("bob", Shape::Sphere { radius: 0.1 }, DVec3::new(-3.0, 0.0, 2.0));
        put("box", Shape::Box { half: DVec3::splat(0.5) }, DVec3::new(0.0, 0.0, 0.5));
        put("ball", Shape::Sphere { radius: 0.2 }, DVec3::new(3.0, 0.0, 0.5));
        let anchors = [Anchor::point(floor, DVec3::new(-4.0, 0.0, 2.0)), Anchor::point(bob, -DVec3::X)];
        world.add_joint(Joint::new("pendulum", Ball { anchors })).unwrap();
        world
    }

    /// Addresses of the islands' vectors of unknowns.
    fn systems(world: &World) -> Vec<*const f64> {
        world.workspace.stages.solution.islands.iter().map(|island| island.problem.kkt.x.as_ptr()).collect()
    }

    #[test]
    fn a_contact_lays_out_its_own_island_anew_and_no_other() {
        let mut world = world();
        world.step();
        let (before, revision) = (systems(&world), world.workspace.stages.islands.revision);
        while world.workspace.stages.islands.revision == revision {
            assert!(world.state().time < 1.0, "the ball never came down");
            world.step();
        }
        let after = systems(&world);
        assert_eq!(after.len(), 3);
        assert_eq!(before[..2], after[..2]);
        // reused islands continue like newly laid out ones
        let mut fresh = self::world();
        fresh.restore(world.state().clone()).unwrap();
        for _ in 0..60 {
            world.step();
            fresh.step();
            assert_eq!(world.state(), fresh.state());
        }
    }

    #[test]
    fn looking_between_steps_lays_out_nothing_anew() {
        let mut world = world();
        let mut look = || {
            world.step();
            let steps = systems(&world);
            world.inspect();
            (steps, systems(&world), world.workspace.stages.islands.revision)
        };
        assert_eq!(look(), look());
    }
}
