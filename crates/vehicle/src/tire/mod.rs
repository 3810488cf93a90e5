//! Tyre models on hard ground.

pub mod any_model;
pub mod brush;
pub mod composite_slip;
pub mod linear;
pub mod magic_formula;
pub mod model;
pub mod patch;
pub mod shape_curve;
pub mod spring;
pub mod tir;
mod units;

pub use any_model::TireModel;
pub use brush::{Brush, SlipMeasure};
pub use composite_slip::CompositeSlip;
pub use linear::Linear;
pub use magic_formula::MagicFormula;
pub use model::{Contact, Friction, ParameterProblem, Slip, Tire, TireForce, Vertical, VerticalState};
pub use patch::{Carcass, PatchRows, PatchState};
pub use shape_curve::ShapeCurve;
pub use spring::VerticalSpring;
