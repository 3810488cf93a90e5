//! Vehicles of Windlass worlds: drive trains, tyres and steering, as a subsystem of the engine.
//!
//! ```text
//!  slip, load, camber, pressure, speed  ──▶  Tyre      ──▶  forces, moments, peaks, stiffnesses
//!  deflection and patch velocity        ──▶  patch     ──▶  two velocity constraint equations per wheel
//!  steering input, wheel positions      ──▶  steering  ──▶  steering angles and wheel speeds
//!  signals, spins, memories             ──▶  driveline ──▶  velocity rows between shafts
//!  valve commands, pressures            ──▶  hydraulics ─▶  rows of cylinders and hydraulic motors
//! ```
//!
//! Units are SI and angles are in radians. Axes are those of ISO 8855: x forward, y to the left,
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
//! | `steering.rs`, `steered.rs` | steering geometry, and the servos of steered wheels |
//! | `wheel.rs` | contacts of a tyre's collider with the road, and its rows |
//! | `shaft.rs`, `driveline/` | shafts, and the components between them |
//! | `held.rs` | what dry friction gives at rest |
//! | `hydraulics/` | open circuits: pumps, valves, cylinders, hydraulic motors, accumulators |
//! | `signal.rs`, `table.rs` | commands of the driver, and tables |
//! | `vehicle.rs`, `state.rs`, `vehicles.rs` | a vehicle, its state, and the subsystem |
//! | `quantities.rs` | what can be read of a vehicle |

pub mod driveline;
mod held;
pub mod hydraulics;
mod quantities;
pub mod shaft;
pub mod signal;
pub mod state;
pub mod steered;
pub mod steering;
pub mod table;
pub mod tire;
pub mod vehicle;
pub mod vehicles;
pub mod wheel;

pub use shaft::Shaft;
pub use signal::{Signal, Source};
pub use state::{VehicleState, VehiclesState};
pub use steered::{Steering, SteeringMode, SteeringState};
pub use table::{Map, Table, TableProblem};
pub use vehicle::Vehicle;
pub use vehicles::{VehicleEdit, Vehicles};
pub use wheel::{Wheel, WheelState};
