//! What the studies of the guide share: steps that must be taken, and rest by kinetic damping.

use crate::Trouble;
use glam::DVec3;
use windlass_engine::prelude::*;

/// Takes a step.
///
/// # Errors
/// Its fault.
pub fn step(world: &mut World) -> Result<Report, Trouble> {
    let report = world.step();
    match &report.fault {
        Some(fault) => Err(Trouble::from(fault)),
        None => Ok(report),
    }
}

/// A body as it is.
pub fn at(world: &World, body: BodyId) -> &BodyState {
    &world.state().bodies[body.index()]
}

/// Changes the settings of a world.
pub fn set(world: &mut World, change: impl FnOnce(&mut Settings)) -> Result<(), Trouble> {
    world.set(change).map_err(Trouble::from)
}

/// Adds a body along the world's axes.
pub fn add(world: &mut World, body: Body, place: DVec3) -> Result<BodyId, Trouble> {
    world.add_body(body, place, glam::DQuat::IDENTITY).map_err(Trouble::from)
}

/// Lets a world come to rest: whenever its motion has passed its fastest, all stands still. Ends when nothing has moved faster
/// than 1e-5 m/s (or rad/s) for half a second.
///
/// # Errors
/// If it does not within so many seconds.
pub fn settle(world: &mut World, longest: f64) -> Result<(), Trouble> {
    let dt = world.model().settings().dt;
    let (mut fastest, mut calm) = (0.0, 0.0);
    for _ in 0..(longest / dt) as usize {
        let report = step(world)?;
        let speed = |b: &BodyState| b.velocity.length().max(b.spin.length());
        let speed = world.state().bodies.iter().map(speed).fold(0.0, f64::max);
        calm = if speed < 1e-5 { calm + dt } else { 0.0 };
        if calm > 0.5 {
            return Ok(());
        }
        fastest = if report.energy.kinetic < fastest { stop(world)? } else { report.energy.kinetic };
    }
    Err(Trouble::Failed(format!("it does not come to rest in {longest} s")))
}

/// Takes all velocities away, and gives the kinetic energy that is left.
fn stop(world: &mut World) -> Result<f64, Trouble> {
    let mut state = world.state().clone();
    for b in &mut state.bodies {
        (b.velocity, b.spin) = (DVec3::ZERO, DVec3::ZERO);
    }
    world.restore(state).map_err(Trouble::from)?;
    Ok(0.0)
}
