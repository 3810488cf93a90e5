//! Curves of numbers → a figure in SVG: axes with round ticks and units, a legend, one panel for each unit.
//!
//! ```
//! use windlass_plot::{Curve, Figure, Measure};
//!
//! let swing = Curve::line("swing", "rad", vec![(0.0, 0.1), (0.5, -0.1), (1.0, 0.1)]);
//! let figure = Figure { x: Measure::new("time", "s"), curves: vec![swing], ..Figure::default() };
//! assert!(figure.draw().starts_with("<svg"));
//! ```

mod figure;
mod svg;
mod ticks;

pub use figure::{Curve, Figure, Mark, Measure};
pub use ticks::{Scale, drawable};
