//! Friction of contacts as sweeps have it.

use super::row::{Both, Line};
use crate::solve::problem::Problem;
use crate::solve::regularize::Impulses;
use crate::world::state::{Grip, Mode};

/// Friction of one or two lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rub {
    /// Line of the normal force.
    pub(super) normal: u32,
    /// First line bounded by it, and how many.
    pub(super) first: u32,
    pub(super) count: u32,
    pub(super) friction: f64,
    pub(super) base: f64,
}
impl Rub {
    /// The largest friction.
    #[inline(always)]
    pub(super) fn bound(&self, lines: &[Line]) -> f64 {
        self.friction * (lines[self.normal as usize].lambda + self.base).max(0.0)
    }

    /// The lines it bounds.
    #[inline(always)]
    pub(super) fn own<'a>(&self, lines: &'a mut [Line]) -> &'a mut [Line] {
        &mut lines[self.first as usize..][..self.count as usize]
    }

    /// What multipliers its lines would like to have together, drawn back to a bound.
    #[inline(always)]
    pub(super) fn wanted(&self, lines: &[Line], both: &Both, bound: f64) -> [f64; 2] {
        let mut wanted = [0.0; 2];
        let own = &lines[self.first as usize..][..self.count as usize];
        for (k, line) in own.iter().enumerate() {
            wanted[k] = line.lambda + line.wish(both);
        }
        draw_back(wanted, bound)
    }

    /// Moves the lines of a cone together and draws them back to its bound.
    #[inline(always)]
    pub(super) fn turn(&self, lines: &mut [Line], both: &mut Both) {
        let bound = self.bound(lines);
        if bound == 0.0 && self.own(lines).iter().all(|line| line.lambda == 0.0) {
            return;
        }
        let drawn = self.wanted(lines, both, bound);
        let lines = self.own(lines);
        for (k, line) in lines.iter_mut().enumerate() {
            line.give(both, drawn[k], drawn[k] - line.lambda);
        }
    }
}

/// Shortens a vector to a length if it is longer.
#[inline(always)]
pub(super) fn draw_back([x, y]: [f64; 2], bound: f64) -> [f64; 2] {
    let square = x * x + y * y;
    if square > bound * bound {
        let part = part_of(bound, square);
        return [x * part, y * part];
    }
    [x, y]
}

/// What part a length is of another, given by its square. By itself, or the compiler would have those that stick wait for it.
#[cold]
#[inline(never)]
pub(super) fn part_of(length: f64, square: f64) -> f64 {
    length / square.sqrt()
}

/// Says of each row and cone where it stands.
pub(super) fn name_grips(problem: &mut Problem) {
    for local in &problem.active.bounded {
        let Impulses { lo, hi } = problem.active.bounds[*local];
        problem.active.modes[*local] = match problem.active.multipliers[*local] {
            l if l <= lo => Mode::Low,
            l if l >= hi => Mode::High,
            _ => Mode::Between,
        };
    }
    for cone in &mut problem.friction.cones {
        let pressed = cone.pressing(&problem.active.multipliers);
        let own = &problem.active.multipliers[cone.first..cone.first + cone.count];
        let (square, bound) =
            (own.iter().fold(0.0, |s, l| s + l * l), cone.friction * pressed * (1.0 - 1e-9));
        cone.grip = match pressed > 0.0 {
            false => Grip::Open,
            true if square < bound * bound => Grip::Stick,
            true => Grip::Slip,
        };
    }
}
