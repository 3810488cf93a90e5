//! Simultaneous impulses of all hard points in contact, where impulses one after another take too many.
//!
//! ```text
//! 0 ≤ p  ⊥  W p + v + e min(v, 0) ≥ 0,      W = N K Nᵀ
//! ```
//!
//! N has the normals of the points as rows, K is the response of the bodies and their joints (`impulses.rs`), v the
//! normal velocities. Approaching points separate with e times their speed or faster, and no impulse pulls. It is a
//! convex quadratic problem, solved by the active-set method of Lawson & Hanson (*Solving Least Squares Problems*, 23).
//! Friction has no part in it: contact forces after the impact stop the sliding.

use super::struck::{Struck, note};
use super::time_of_impact::NEAR;
use crate::contact::relative;
use crate::contact::surface::is_hard;
use crate::contact::{Contact, ContactPair};
use crate::model::state::{ContactState, State};
use crate::stages::Stages;

/// Points at most: the effort grows with the cube of their number.
const MOST: usize = 200;

/// Compliance of a point relative to its mobility, so that more points than a rigid body needs are no obstacle. The
/// mobility of a body of 10 t on one of 0.1 kg is 1e-6 of that of the light one.
const COMPLIANCE: f64 = 1e-11;

/// Velocities of this part of the fastest count as none.
const STILL: f64 = 1e-9;

/// Applies the impulses to the velocities of a state, and records them. `tired` ones do not rebound.
pub(super) fn strike(state: &mut State, s: &mut Stages, tired: bool, struck: &mut Vec<ContactState>) {
    let hard = s.contacts.pairs.iter().filter(|pair| is_hard(&pair.touch));
    let points: Vec<(&ContactPair, &Contact)> = hard
        .flat_map(|pair| s.contacts.list[pair.points.clone()].iter().map(move |contact| (pair, contact)))
        .filter(|(_, contact)| contact.gap <= NEAR)
        .collect();
    let n = points.len();
    if n > MOST {
        return;
    }
    let wanted: Vec<f64> = points
        .iter()
        .map(|(pair, contact)| {
            let speed = contact.normal.dot(relative(&state.bodies, pair, contact.point));
            let e = if tired { 0.0 } else { pair.touch.restitution };
            speed + e * speed.min(0.0)
        })
        .collect();
    let mut mobility = vec![0.0; n * n];
    for (column, (pair, contact)) in points.iter().enumerate() {
        let mut met = Struck::new(state, pair, contact.point, &mut s.solution.islands, &s.rows);
        met.by(contact.normal);
        for (row, (other, at)) in points.iter().enumerate() {
            mobility[row * n + column] = at.normal.dot(met.change_at(state, (other, at.point)));
        }
    }
    for ((pair, contact), p) in points.iter().zip(nonnegative(&mobility, &wanted)) {
        if p > 0.0 {
            let mut met = Struck::new(state, pair, contact.point, &mut s.solution.islands, &s.rows);
            met.by(contact.normal * p);
            met.apply(state);
            note(pair, contact, contact.normal * p, struck);
        }
    }
}

/// p ≥ 0 that minimises ½ pᵀ W p + bᵀ p, for W positive semidefinite.
fn nonnegative(w: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let still = STILL * b.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    let (mut p, mut free) = (vec![0.0; n], Vec::new());
    for _ in 0..3 * n {
        let rate = |i: usize| b[i] + (0..n).map(|j| w[i * n + j] * p[j]).sum::<f64>();
        let closed = (0..n).filter(|i| !free.contains(i)).map(|i| (i, rate(i)));
        let Some((next, _)) = closed.filter(|(_, rate)| *rate < -still).min_by(|a, b| a.1.total_cmp(&b.1))
        else {
            break;
        };
        free.push(next);
        loop {
            let solved = minimum(w, b, &free);
            // as far towards the minimum as no impulse pulls
            let pulling = free.iter().zip(&solved).enumerate().filter(|(_, (_, to))| **to <= 0.0);
            let part = |i: usize, to: f64| p[i] / (p[i] - to).max(1e-300);
            let first = pulling.map(|(at, (i, to))| (at, part(*i, *to))).min_by(|a, b| a.1.total_cmp(&b.1));
            let length = first.map_or(1.0, |(_, part)| part);
            for (i, to) in free.iter().zip(&solved) {
                p[*i] += length * (to - p[*i]);
            }
            let Some((at, _)) = first else { break };
            p[free.swap_remove(at)] = 0.0;
        }
    }
    p
}

/// The minimum over some of the impulses, by Cholesky factorisation.
fn minimum(w: &[f64], b: &[f64], free: &[usize]) -> Vec<f64> {
    let (n, m) = (b.len(), free.len());
    let mut l = vec![0.0; m * m];
    let mut x = vec![0.0; m];
    for i in 0..m {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i * m + k] * l[j * m + k]).sum();
            let entry = w[free[i] * n + free[j]];
            l[i * m + j] = match i == j {
                true => (entry * (1.0 + COMPLIANCE) - known).max(COMPLIANCE * entry).max(1e-300).sqrt(),
                false => (entry - known) / l[j * m + j],
            };
        }
        let known: f64 = (0..i).map(|k| l[i * m + k] * x[k]).sum();
        x[i] = (-b[free[i]] - known) / l[i * m + i];
    }
    for i in (0..m).rev() {
        let known: f64 = (i + 1..m).map(|k| l[k * m + i] * x[k]).sum();
        x[i] = (x[i] - known) / l[i * m + i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate of R masses falls on a plate on the ground, both on points that are redundant: the plate stays, and the
    /// crate loses its momentum to both layers of contact.
    #[test]
    fn a_crate_on_a_plate_loses_its_momentum() {
        for ratio in [1.0, 1e2, 1e5] {
            // four points crate on plate, four plate on ground, along one line
            let n = 8;
            let entry = |i: usize, j: usize| match (i < 4, j < 4) {
                (true, true) => 1.0 + 1.0 / ratio,
                (false, false) => 1.0,
                _ => -1.0,
            };
            let w: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
            let b: Vec<f64> = (0..n).map(|i| if i < 4 { -5.0 } else { 0.0 }).collect();
            let p = nonnegative(&w, &b);
            let (upper, lower): (f64, f64) = (p[..4].iter().sum(), p[4..].iter().sum());
            assert!(p.iter().all(|p| *p >= 0.0), "{p:?}");
            assert!((upper / (5.0 * ratio) - 1.0).abs() < 1e-4, "{ratio}: {upper}");
            assert!((lower / (5.0 * ratio) - 1.0).abs() < 1e-4, "{ratio}: {lower}");
        }
    }

    /// A point that others lift receives no impulse.
    #[test]
    fn no_impulse_pulls() {
        let p = nonnegative(&[2.0, 1.5, 1.5, 2.0], &[-1.0, -0.1]);
        assert!((p[0] - 0.5).abs() < 1e-9 && p[1] == 0.0, "{p:?}");
    }
}
