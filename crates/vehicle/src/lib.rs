//! Vehicles of Windlass worlds: tyre models and steering geometry.
//!
//! ```text
//!  slip, load, camber, pressure, speed  ──▶  Tyre      ──▶  forces, moments, peaks, stiffnesses
//!  deflection and patch velocity        ──▶  patch     ──▶  two velocity constraint equations per wheel
//!  steering input, wheel positions      ──▶  steering  ──▶  steering angles and wheel speeds
//! ```
//!
//! All functions are pure. Units are SI and angles are in radians. Axes are those of ISO 8855: x forward, y to the left,
//! z up. Elementary functions come from `libm`, so results are bitwise reproducible.
//!
//! | file | content |
//! |---|---|
//! | `tire/model.rs` | the traits `Tire` and `Vertical`, slip, contact, forces |
//! | `tire/any_model.rs` | the models as one type |
//! | `tire/magic_formula/` | Magic Formula 5.2 (PAC2002), 6.1 and 6.2 |
//! | `tire/tir.rs`, `tire/units.rs` | tyre property files |
//! | `tire/brush.rs`, `tire/linear.rs`, `tire/composite_slip.rs`, `tire/shape_curve.rs` | models with few parameters |
//! | `tire/spring.rs` | vertical spring and damper of models that have none |
//! | `tire/patch.rs` | transient tyre forces as constraint equations |
//! | `steering.rs` | steering geometry |

pub mod steering;
pub mod tire;
