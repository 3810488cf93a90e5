//! Parts of an island, solved in turn until the forces between them converge.
//!
//!   pₖ = p + Σ_{j≠k} Jⱼᵀ Λⱼ,   part k solved for Λₖ with pₖ as its momenta,   repeated
//!
//! Block Gauss–Seidel (Servin & Lacoursière's Algorithm 1, Vortex's coupled partitions): each part is solved to the
//! accuracy of its method, forces between parts by iteration. It converges fast where the cut is at a heavy body and
//! slowly (1 − O(m/M) per iteration) where it separates a light body from a heavy one: never separate a cable from its
//! load.

use super::island::IslandSolver;
use super::solution::Solution;
use super::stats::SolveStats;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::row::rows::Rows;
use glam::DVec3;
use std::collections::BTreeMap;

/// Convergence: no speed changes by more than this fraction of the largest.
const SETTLED: f64 = 1e-10;

/// Solves the clusters of a world whose parts are prepared. `task` solves one part; `rounds` bounds the iterations.
pub(super) fn solve(
    solution: &mut Solution,
    input: (&FreeMotion, &Rows),
    rounds: u32,
    task: impl Fn(&mut IslandSolver) -> SolveStats,
) {
    let clusters = solution.islands.iter().map(|i| i.problem.numbering.cluster).max().unwrap_or(0);
    for cluster in 1..=clusters {
        let parts: Vec<usize> = (0..solution.islands.len())
            .filter(|k| solution.islands[*k].problem.numbering.cluster == cluster)
            .collect();
        exchange(solution, input, &parts, rounds, &task);
    }
}

/// Solves one cluster.
fn exchange(
    solution: &mut Solution,
    (free, rows): (&FreeMotion, &Rows),
    parts: &[usize],
    rounds: u32,
    task: &impl Fn(&mut IslandSolver) -> SolveStats,
) {
    // impulse of all parts on each body, initially that of the last step
    let mut pushes = BTreeMap::<u32, [f64; 6]>::new();
    let mut own = vec![Vec::new(); parts.len()];
    let (mut fresh, mut settled) = (Vec::new(), false);
    for (k, part) in parts.iter().enumerate() {
        let problem = &solution.islands[*part].problem;
        problem.pushes(rows, &mut own[k]);
        for (i, body) in problem.numbering.bodies.iter().enumerate() {
            let all = pushes.entry(*body).or_default();
            (0..6).for_each(|c| all[c] += own[k][6 * i + c]);
        }
    }
    for _ in 0..rounds.max(1) {
        let (mut change, mut largest): (f64, f64) = (0.0, 1e-300);
        for (k, part) in parts.iter().enumerate() {
            let island = &mut solution.islands[*part];
            island.load_bodies(free);
            let problem = &mut island.problem;
            for (i, body) in problem.numbering.bodies.iter().enumerate() {
                let all = pushes.entry(*body).or_default();
                for c in 0..6 {
                    problem.bodies.momentum[6 * i + c] += all[c] - own[k][6 * i + c];
                }
            }
            solution.stats[*part] = task(island);
            let problem = &island.problem;
            problem.pushes(rows, &mut fresh);
            for (i, body) in problem.numbering.bodies.iter().enumerate() {
                let all = pushes.entry(*body).or_default();
                let mut moved = [0.0; 6];
                for c in 0..6 {
                    moved[c] = fresh[6 * i + c] - own[k][6 * i + c];
                    all[c] += moved[c];
                }
                let linear = DVec3::from_slice(&moved);
                let by = problem.bodies.inverse_times(i, (linear, DVec3::ZERO)).velocity.abs();
                change = change.max(by.x).max(by.y).max(by.z);
            }
            largest = largest.max(problem.scale());
            std::mem::swap(&mut own[k], &mut fresh);
        }
        settled = change <= SETTLED * largest;
        if settled {
            break;
        }
    }
    // a body of several parts moves with the impulses of all of them
    for part in parts {
        let island = &mut solution.islands[*part];
        // positions as well: a body of two parts has one motion
        island.clear_position_velocity();
        island.load_bodies(free);
        let problem = &mut island.problem;
        for (i, body) in problem.numbering.bodies.iter().enumerate() {
            let (all, own) = (&pushes[body], &problem.bodies.momentum[6 * i..6 * i + 6]);
            let linear = DVec3::from_slice(own) + DVec3::from_slice(&all[..3]);
            let angular = DVec3::from_slice(&own[3..]) + DVec3::from_slice(&all[3..]);
            let Twist { velocity, angular_velocity: spin } =
                problem.bodies.inverse_times(i, (linear, angular));
            velocity.write_to_slice(&mut problem.kkt.x[6 * i..]);
            spin.write_to_slice(&mut problem.kkt.x[6 * i + 3..]);
        }
        solution.stats[*part].stalled |= !settled;
    }
}
