//! Rebounds with friction: the restitution of a pair of surfaces is lowered where its impact would gain energy.
//!
//!   W = Σ Λ (½ J (v + u) − w) ≤ 0        over the normals and friction rows of the pair, w their target rates
//!
//! Restitution prescribes the normal speed after an impact, n·u = −e n·v. If friction reverses the slip, or holds it,
//! that speed may require more energy than the impact has (Kane & Levinson 1985; Stronge 1990). Without restitution no
//! energy is gained: neither normal forces nor friction do work at the velocities after the impact, so that
//!
//!   W = Λ·(J u − w) − ½ Λ·J M⁻¹ Jᵀ Λ ≤ 0        at n·u = 0
//!
//! A part s of the rebound is therefore kept, r = r₀ + s (r₁ − r₀) with r₀ and r₁ the right-hand sides without and with
//! restitution: the largest found for which W ≤ 0. As long as all rows keep their modes, Λ and u are linear in s and W
//! is quadratic. Between a part that gains and one that does not it has one root in closed form, with which the step is
//! solved again; this is repeated if a mode changes in between. The result satisfies Coulomb's law, non-penetration and
//! joints like any other step. Impacts that do not gain energy, and those without friction, keep their e.
//!
//! If a pair gains energy even without its rebound, because another pair of the same body collides as well, it does
//! not rebound.

use super::problem::Problem;
use super::regularize::{StepTimes, closing_speed, is_overlapping};
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::model::state::State;
use crate::row::rate;
use crate::row::rows::Rows;
use std::ops::Range;

/// A gain of energy above round-off, as a fraction of Σ |Λ| ½ (|J v| + |J u|).
const GAIN: f64 = 1e-9;

/// A loss that is small enough to stop the search, in the same measure.
const ENOUGH: f64 = 1e-6;

/// Solves at most: with the rows' modes at both ends of the bracket equal, the second is the last.
const ROUNDS: u32 = 8;

/// The rebounds of an island in a step.
#[derive(Debug, Default)]
pub struct Rebounds {
    /// The rows that rebound, in order.
    rows: Vec<ReboundRow>,
    /// The pairs whose rebound is lowered.
    lowered: Vec<LoweredPair>,
    /// Impulses and rates of a pair in the last solution, and those of the lowered pairs at both ends of their brackets.
    found: Vec<[f64; 2]>,
    kept: Vec<[f64; 2]>,
    rounds: u32,
}

/// A row that rebounds.
#[derive(Clone, Copy, Debug)]
struct ReboundRow {
    local: usize,
    group: u32,
    /// The mean of its rates before and after a whole rebound, if positive: gravity acts during the step, and what it
    /// adds is no gain of the impact [m/s].
    mean: f64,
}

/// A pair whose rebound is lowered.
#[derive(Clone, Copy, Debug)]
struct LoweredPair {
    group: u32,
    /// s, and the bracket: the largest part that is known not to gain, the least that is known to.
    part: f64,
    bracket: [f64; 2],
    /// Where its impulses and rates at these are kept: at the lower end, then at the upper one.
    first: usize,
    /// The end that was moved last, and whether the one before was the same.
    side: usize,
    is_repeated: bool,
    is_done: bool,
}

/// The work of a pair in an impact.
struct ImpactWork {
    /// W [J].
    work: f64,
    /// Its scale, Σ |Λ| ½ (|J v| + |J u|).
    size: f64,
    /// Whether any friction acts.
    has_friction: bool,
}

impl Rebounds {
    /// Begins a step: all rebounds are whole.
    pub fn begin(&mut self) {
        self.lowered.clear();
        self.kept.clear();
        self.rounds = 0;
    }

    /// Clears the list of rows, before they are discretised.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// The right-hand side of a row with restitution, from those without it and with all of it. `rate` is J v. Rows
    /// come in order.
    pub fn load(&mut self, (local, group): (usize, u32), [plain, whole]: [f64; 2], rate: f64) -> f64 {
        if whole <= plain {
            return whole;
        }
        self.rows.push(ReboundRow { local, group, mean: (0.5 * (rate + whole)).max(0.0) });
        self.lowered
            .iter()
            .find(|pair| pair.group == group)
            .map_or(whole, |pair| plain + pair.part * (whole - plain))
    }

    /// The part of its rebound that a local row keeps.
    pub fn part_of(&self, local: usize) -> f64 {
        let group = self.rows.iter().find(|row| row.local == local).map(|row| row.group);
        self.lowered.iter().find(|pair| Some(pair.group) == group).map_or(1.0, |pair| pair.part)
    }

    /// Lowers the rebounds that gain energy in the present solution. Returns whether the step must be solved again.
    pub fn lower(
        &mut self,
        problem: &Problem,
        (rows, free): (&Rows, &FreeMotion),
        state: &State,
        times: &StepTimes,
    ) -> bool {
        if self.rows.is_empty() || problem.friction.cones.is_empty() || self.rounds == ROUNDS {
            return false;
        }
        self.rounds += 1;
        let (mut next, mut again) = (0, false);
        while let Some(ReboundRow { group, .. }) = self.rows.get(next).copied() {
            let count = self.rows[next..].iter().take_while(|row| row.group == group).count();
            let found = self.measure(problem, (rows, free), state, times, next..next + count);
            again |= self.judge(group, &found);
            next += count;
        }
        again
    }

    /// The work of the pair to which some rebounding rows belong. Writes impulses and mean rates of its rows.
    fn measure(
        &mut self,
        problem: &Problem,
        (rows, free): (&Rows, &FreeMotion),
        state: &State,
        times: &StepTimes,
        own: Range<usize>,
    ) -> ImpactWork {
        let numbering = &problem.numbering;
        let own = &self.rows[own];
        let range = rows.groups[own[0].group as usize].rows();
        let start = own[0].local - (numbering.rows[own[0].local] - range.start);
        let after = |place: usize| match numbering.bodies.binary_search(&(place as u32)) {
            Ok(local) => problem.twist(local),
            Err(_) => free.carried[place],
        };
        let before = |place: usize| -> Twist { free.before(state, times.drift, place) };
        self.found.clear();
        let mut size = 0.0;
        for (k, index) in range.clone().enumerate() {
            let (row, blocks, local) = (&rows.rows[index], rows.blocks(index), start + k);
            let rates = [rate(blocks, before) - row.speed, rate(blocks, after) - row.speed];
            let rebounds = own.iter().find(|rebound| rebound.local == local);
            // the correction of a penetration does work, which is none of the impact
            let granted = match rebounds {
                Some(rebound) => rebound.mean,
                None if is_overlapping(row) => closing_speed(row, times),
                None => 0.0,
            };
            let impulse = problem.active.multipliers[local];
            size += impulse.abs() * 0.5 * (rates[0].abs() + rates[1].abs());
            self.found.push([impulse, 0.5 * (rates[0] + rates[1]) - granted]);
        }
        let cones = &problem.friction.cones;
        let mut has_friction = false;
        let first = cones.partition_point(|cone| cone.first < start);
        for cone in cones[first..].iter().take_while(|cone| cone.first < start + range.len()) {
            let along = &mut self.found[cone.first - start..];
            if cone.count == 2 {
                let [a, b] = cone.unturned(&problem.active.multipliers);
                (along[0][0], along[1][0]) = (a, b);
            }
            has_friction |= along[..cone.count].iter().any(|[impulse, _]| *impulse != 0.0);
        }
        let work = self.found.iter().map(|[impulse, mean]| impulse * mean).sum();
        ImpactWork { work, size, has_friction }
    }

    /// Lowers the rebound of a pair if needed; returns whether the step must be solved again.
    fn judge(&mut self, group: u32, found: &ImpactWork) -> bool {
        let gains = found.work > GAIN * found.size;
        let Some(pair) = self.lowered.iter_mut().find(|pair| pair.group == group) else {
            if gains && found.has_friction {
                let (part, bracket, first) = (0.0, [0.0, 1.0], self.kept.len());
                let new =
                    LoweredPair { group, part, bracket, first, side: 1, is_repeated: false, is_done: false };
                self.lowered.push(new);
                self.kept.extend_from_slice(&self.found);
                self.kept.extend_from_slice(&self.found);
                return true;
            }
            return false;
        };
        if pair.is_done {
            return false;
        }
        let (count, side) = (self.found.len(), usize::from(gains));
        pair.is_done = (gains && pair.part == 0.0) || (!gains && found.work >= -ENOUGH * found.size);
        if pair.is_done {
            return false;
        }
        (pair.is_repeated, pair.side) = (pair.side == side, side);
        pair.bracket[side] = pair.part;
        self.kept[pair.first + side * count..][..count].copy_from_slice(&self.found);
        let [low, high] = pair.bracket;
        if self.rounds == ROUNDS {
            pair.part = low;
            return gains;
        }
        let kept = self.kept[pair.first..][..2 * count].split_at(count);
        let ahead = if pair.is_repeated { 0.5 } else { root(kept) };
        pair.part = low + ahead * (high - low);
        true
    }
}

/// Where the work vanishes between two solutions, as a fraction of the way from the first, which gains nothing.
fn root((low, high): (&[[f64; 2]], &[[f64; 2]])) -> f64 {
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for ([impulse, mean], [to_impulse, to_mean]) in low.iter().zip(high) {
        let (d_impulse, d_mean) = (to_impulse - impulse, to_mean - mean);
        a += impulse * mean;
        b += d_impulse * mean + impulse * d_mean;
        c += d_impulse * d_mean;
    }
    // a ≤ 0 and a + b + c > 0
    let a = f64::min(a, 0.0);
    let ahead = -2.0 * a / (b + (b * b - 4.0 * a * c).max(0.0).sqrt());
    if ahead.is_finite() { ahead.clamp(0.0, 1.0) } else { 0.5 }
}

#[cfg(test)]
mod tests {
    use super::root;

    /// W = −1 + b t + c t² of one row with impulse 1 + p t and rate −1 + q t: p q = c, q − p = b.
    #[test]
    fn the_work_vanishes_at_its_root() {
        for (p, q) in [(0.5, 1.2), (3.0, 2.0), (-0.5, 4.0), (0.0, 1.5)] {
            let t = root((&[[1.0, -1.0]], &[[1.0 + p, -1.0 + q]]));
            assert!(t > 0.0 && t < 1.0, "{t}");
            assert!(((1.0 + p * t) * (-1.0 + q * t)).abs() < 1e-15, "p {p}, q {q}: {t}");
        }
    }
}
