//! Integrators: solution → State.
//!
//! | | |
//! |---|---|
//! | `start.rs` | State, or a copy with woken bodies and sequential impacts (`sequential_impacts.rs`) |
//! | `leapfrog.rs`, `shake.rs` | the velocity-level step: drift, and position iterations if requested |
//! | `substeps.rs` | stability check of the step, and division into substeps |
//! | `step_change.rs` | energy at a change of the length of the step |
//! | `acceleration.rs`, `runge_kutta.rs`, `correct.rs` | accelerations; internal steps; projection |
//! | `projected.rs`, `dormand_prince.rs`, `frame.rs` | the acceleration-level integrators, and a frame of either |
//! | `stiffness.rs` | the rate of springs and dampers that explicit steps have to follow |
//! | `penalty` | contacts as forces and impulses, for these two |
//! | `subsystems.rs` | advances subsystems together with the bodies |
//! | `commit.rs`, `remember.rs`, `sleep.rs` | commit of the result to State |

pub mod acceleration;
pub mod commit;
pub mod correct;
pub mod dormand_prince;
pub mod frame;
pub mod leapfrog;
pub mod penalty;
pub mod projected;
mod remember;
pub mod runge_kutta;
pub mod sequential_impacts;
pub mod shake;
mod sleep;
pub mod start;
mod step_change;
pub mod stiffness;
pub mod substeps;
pub(crate) mod subsystems;
pub mod synchronize;
