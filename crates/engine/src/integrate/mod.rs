//! Solution → State. The only stage that writes State.
//!
//! `spook.rs` drifts positions with the solved velocities; `projected.rs` and `adaptive.rs` integrate accelerations
//! (`acceleration.rs`) by Runge–Kutta and bring the result back onto the constraints (`correct.rs`). `keep.rs` stores
//! what the next step needs. A step that would leave a number that is not sound changes nothing and returns a fault.

pub mod acceleration;
pub mod adaptive;
pub mod correct;
pub mod keep;
pub mod projected;
pub mod runge_kutta;
pub mod spook;
