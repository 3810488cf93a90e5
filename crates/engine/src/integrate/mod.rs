//! Solution → State. The only stage that writes State.
//!
//! `spook.rs` drifts positions with the solved velocities, which `close.rs` mends first if asked to; `projected.rs` and `adaptive.rs` integrate
//! accelerations (`acceleration.rs`) by Runge–Kutta and bring the result back onto the constraints
//! (`correct.rs`). `keep.rs` stores what the next step needs, `resolution.rs`
//! merges and splits elements of cables, `feed.rs` takes them in and lets them out at ropes. Contacts are rows under `spook`; under the
//! other two they are forces (`penalty.rs`, `grip.rs`) and impulses (`impact.rs`, `strike.rs`), which
//! `touching.rs` puts in order; `serial.rs` has impulses for `spook`. A step that would leave a number that
//! is not sound changes nothing and returns a fault.

pub mod commit;
pub mod dormand_prince;
pub mod leapfrog;
pub mod penalty;
pub mod sequential_impacts;
pub mod shake;

pub mod acceleration;
pub mod correct;
pub mod projected;
pub mod runge_kutta;
