//! A force that panics, in development builds: tests show with it that no panic crosses into Python.

use crate::error;
use crate::machine::Machine;
use pyo3::prelude::*;
use std::sync::Arc;
use windlass_engine::prelude::{Bodies, BodyId, Force, ForceLaw, Loads};

/// Panics once a body is faster than a limit.
#[derive(Debug)]
struct Trap {
    body: BodyId,
    speed: f64,
}

impl ForceLaw for Trap {
    fn apply(&self, bodies: &Bodies<'_>, _: &mut Loads) {
        assert!(bodies.body(self.body).velocity.length() <= self.speed, "the trap was sprung");
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}

/// Adds the force to a machine: it panics once a body is faster than a limit [m/s].
#[pyfunction]
pub fn _set_trap(machine: &mut Machine, body: &str, speed: f64) -> PyResult<()> {
    let found = machine.host.world().model().body(body);
    let body = found.ok_or_else(|| error::value(format!("no body \"{body}\"")))?;
    let force = Force::Custom(Arc::new(Trap { body, speed }));
    machine.host.world_mut().add_force(force).map(drop).map_err(error::value)
}
