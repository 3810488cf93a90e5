//! Functions of one or two arguments given by points, linear between them and constant beyond their ends.

use thiserror::Error;

/// A function given by points.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    points: Vec<(f64, f64)>,
}

/// Why points are not a function.
#[derive(Clone, Debug, Error, PartialEq)]
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
    #[error("argument {number}, {value}, is not above the one before it: sort the points by argument")]
    Order {
        /// Its number, from 1.
        number: usize,
        /// Its value.
        value: f64,
    },
    /// A number is not finite.
    #[error("point {number} is not finite: give finite numbers")]
    NotFinite {
        /// Its number, from 1.
        number: usize,
    },
}

impl Table {
    /// From arguments, which increase, and values.
    pub fn new(xs: &[f64], ys: &[f64]) -> Result<Table, TableProblem> {
        if xs.len() != ys.len() {
            return Err(TableProblem::Lengths { xs: xs.len(), ys: ys.len() });
        }
        if xs.is_empty() {
            return Err(TableProblem::Empty);
        }
        let points: Vec<(f64, f64)> = xs.iter().copied().zip(ys.iter().copied()).collect();
        if let Some(at) = points.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
            return Err(TableProblem::NotFinite { number: at + 1 });
        }
        match points.windows(2).position(|pair| pair[1].0 <= pair[0].0) {
            Some(at) => Err(TableProblem::Order { number: at + 2, value: points[at + 1].0 }),
            None => Ok(Table { points }),
        }
    }

    /// The same value everywhere.
    pub fn constant(value: f64) -> Table {
        Table { points: vec![(0.0, value)] }
    }

    /// The points.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// Its value at an argument.
    pub fn at(&self, x: f64) -> f64 {
        let after = self.points.partition_point(|(at, _)| *at <= x);
        let (Some(before), Some(next)) = (after.checked_sub(1), self.points.get(after)) else {
            let end = if after == 0 { self.points.first() } else { self.points.last() };
            return end.map_or(0.0, |point| point.1);
        };
        let (x0, y0) = self.points[before];
        y0 + (next.1 - y0) * ((x - x0) / (next.0 - x0))
    }

    /// Its slopes between points, each with the argument at which it begins.
    pub fn slopes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.points.windows(2).map(|pair| (pair[0].0, (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0)))
    }

    /// Its largest value.
    pub fn largest(&self) -> f64 {
        self.points.iter().fold(f64::NEG_INFINITY, |most, point| most.max(point.1))
    }
}

/// A function of two arguments: tables over the first, at increasing values of the second.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    curves: Vec<(f64, Table)>,
}

impl Map {
    /// From values of the second argument, which increase, each with its table.
    pub fn new(curves: Vec<(f64, Table)>) -> Result<Map, TableProblem> {
        if curves.is_empty() {
            return Err(TableProblem::Empty);
        }
        if let Some(at) = curves.iter().position(|(y, _)| !y.is_finite()) {
            return Err(TableProblem::NotFinite { number: at + 1 });
        }
        match curves.windows(2).position(|pair| pair[1].0 <= pair[0].0) {
            Some(at) => Err(TableProblem::Order { number: at + 2, value: curves[at + 1].0 }),
            None => Ok(Map { curves }),
        }
    }

    /// Its value at two arguments.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        let after = self.curves.partition_point(|(at, _)| *at <= y);
        let (Some(before), Some(next)) = (after.checked_sub(1), self.curves.get(after)) else {
            let end = if after == 0 { self.curves.first() } else { self.curves.last() };
            return end.map_or(0.0, |(_, table)| table.at(x));
        };
        let (y0, low) = &self.curves[before];
        let low = low.at(x);
        low + (next.1.at(x) - low) * ((y - y0) / (next.0 - y0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_between_points_and_constant_beyond() {
        let table = Table::new(&[1.0, 2.0, 4.0], &[10.0, 30.0, 20.0]).unwrap();
        let at = |x: f64| table.at(x);
        assert_eq!(
            [at(0.0), at(1.0), at(1.5), at(2.0), at(3.0), at(4.0), at(9.0)],
            [10.0, 10.0, 20.0, 30.0, 25.0, 20.0, 20.0]
        );
        assert_eq!((Table::constant(3.0).at(-7.0), table.largest()), (3.0, 30.0));
        assert_eq!(table.slopes().collect::<Vec<_>>(), [(1.0, 20.0), (2.0, -5.0)]);
    }

    #[test]
    fn points_that_are_no_function_are_rejected() {
        assert_eq!(Table::new(&[], &[]), Err(TableProblem::Empty));
        assert_eq!(Table::new(&[1.0], &[]), Err(TableProblem::Lengths { xs: 1, ys: 0 }));
        let twice = Table::new(&[1.0, 2.0, 2.0], &[0.0; 3]);
        assert_eq!(twice, Err(TableProblem::Order { number: 3, value: 2.0 }));
        assert_eq!(Table::new(&[1.0, f64::NAN], &[0.0; 2]), Err(TableProblem::NotFinite { number: 2 }));
    }

    #[test]
    fn a_map_is_linear_in_both_arguments() {
        let curve = |low: f64, high: f64| Table::new(&[0.0, 10.0], &[low, high]).unwrap();
        let map = Map::new(vec![(0.0, curve(-4.0, -8.0)), (0.5, curve(100.0, 200.0))]).unwrap();
        assert_eq!(
            [map.at(5.0, -1.0), map.at(5.0, 0.25), map.at(10.0, 0.5), map.at(0.0, 2.0)],
            [-6.0, 72.0, 200.0, 100.0]
        );
        let twice = Map::new(vec![(0.5, curve(0.0, 1.0)), (0.5, curve(0.0, 1.0))]);
        assert_eq!(twice, Err(TableProblem::Order { number: 2, value: 0.5 }));
        assert_eq!(Map::new(Vec::new()), Err(TableProblem::Empty));
    }
}
