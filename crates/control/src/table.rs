//! Characteristic curves: linear between points, constant beyond their ends.

use crate::expression::Expression;
use thiserror::Error;

/// A curve over an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The argument.
    pub of: Expression,
    points: Vec<(f64, f64)>,
}

/// Why points are not a curve.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TableProblem {
    /// There are none.
    #[error("it has no points: give at least one")]
    Empty,
    /// There are more of one kind than of the other.
    #[error("it has {xs} arguments and {ys} values: give as many of both")]
    Lengths {
        /// Arguments.
        xs: usize,
        /// Values.
        ys: usize,
    },
    /// An argument is not above the one before.
    #[error("argument {number} is not above the one before it: sort the points by argument")]
    Order {
        /// Its number, from 1.
        number: usize,
    },
}

impl Table {
    /// From arguments, which increase, and values; all finite.
    pub fn new(of: Expression, xs: &[f64], ys: &[f64]) -> Result<Table, TableProblem> {
        if xs.len() != ys.len() {
            return Err(TableProblem::Lengths { xs: xs.len(), ys: ys.len() });
        }
        if xs.is_empty() {
            return Err(TableProblem::Empty);
        }
        match xs.windows(2).position(|pair| !(pair[0] < pair[1])) {
            Some(at) => Err(TableProblem::Order { number: at + 2 }),
            None => Ok(Table { of, points: xs.iter().copied().zip(ys.iter().copied()).collect() }),
        }
    }

    /// Its value at an argument; NaN at NaN.
    pub fn at(&self, x: f64) -> f64 {
        if x.is_nan() {
            return x;
        }
        let after = self.points.partition_point(|(at, _)| *at <= x);
        let (Some(before), Some((x1, y1))) = (after.checked_sub(1), self.points.get(after)) else {
            return self.points[after.min(self.points.len() - 1)].1;
        };
        let (x0, y0) = self.points[before];
        y0 + (y1 - y0) * ((x - x0) / (x1 - x0))
    }
}
