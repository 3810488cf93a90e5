//! Pictures: a simulation at an instant, and curves, as SVG.

use crate::error;
use crate::signals::guarded;
use pyo3::prelude::*;
use windlass_export::built::{Roll, picture};
use windlass_export::{Instants, svg};
use windlass_host::Machine;
use windlass_plot::{Curve, Figure, Measure};

/// A drawing of the present instant.
pub fn still(machine: &Machine, camera: Option<&str>, (width, height): (f64, f64)) -> PyResult<String> {
    let mut roll = Roll::of(machine.built());
    roll.take(machine.world());
    let mut reel = roll.reel(60.0, machine.time());
    let picture = picture(machine.built(), machine.world(), &reel, camera).map_err(error::value)?;
    let instant = reel.at(0).map_err(error::value)?;
    let sheet = svg::Sheet { width, height, ..svg::Sheet::default() };
    svg::svg(&picture, &instant, &sheet).map_err(error::value)
}

/// Curves over a common axis as SVG: name and unit of the axis, then name, unit, and numbers of each curve.
#[pyfunction]
#[pyo3(signature = (x, curves, title=None))]
pub fn draw_curves(
    x: (String, String, Vec<f64>),
    curves: Vec<(String, String, Vec<f64>)>,
    title: Option<String>,
) -> PyResult<String> {
    let (name, unit, places) = x;
    let curve = |(name, unit, numbers): &(String, String, Vec<f64>)| {
        Curve::line(name, unit, places.iter().copied().zip(numbers.iter().copied()).collect())
    };
    let curves = curves.iter().map(curve).collect();
    guarded(|| Figure { title, x: Measure::new(&name, &unit), curves, ..Figure::default() }.draw())
}
