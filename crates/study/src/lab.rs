//! Operations shared by the studies: build a world, take steps that must succeed, relax it to rest.

use crate::Trouble;
use glam::{DQuat, DVec3};
use std::sync::Arc;
use windlass_engine::prelude::*;
use windlass_mass_point_cable::MassPointCables;
use windlass_scene::files::{FileError, Files};
use windlass_scene::{Built, Override, parse_with};

/// Time within which what comes to rest does so [s].
const LONGEST: f64 = 240.0;

/// Example scenes that others include.
const INCLUDED: [(&str, &str); 5] = [
    ("prosthetic_shoulder.toml", include_str!("../../../scenes/mechanism/prosthetic_shoulder.toml")),
    ("prosthetic_geared.toml", include_str!("../../../scenes/mechanism/prosthetic_geared.toml")),
    ("prosthetic_whole.toml", include_str!("../../../scenes/mechanism/prosthetic_whole.toml")),
    ("ring_chain_20.toml", include_str!("../../../scenes/mechanism/ring_chain_20.toml")),
    ("bicycle.toml", include_str!("../../../scenes/mechanism/bicycle.toml")),
];

#[derive(Debug)]
struct Shelf;

impl Files for Shelf {
    fn read(&self, path: &str, _most: u64) -> Result<Vec<u8>, FileError> {
        let found = INCLUDED.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or(FileError::Missing { path: path.to_string() })
    }
}

/// Builds a scene from its text, with overrides.
pub fn build(text: &str, values: &[(&str, &str)]) -> Result<Built, Trouble> {
    let set = |(key, value): &(&str, &str)| Override { key: key.to_string(), value: value.to_string() };
    let overrides: Vec<Override> = values.iter().map(set).collect();
    let scene = parse_with(text, "study.toml", Arc::new(Shelf), &overrides).map_err(Trouble::from)?;
    scene.build().map_err(Trouble::from)
}

/// Builds an example scene by name, with overrides.
pub fn example(name: &str, values: &[(&str, &str)]) -> Result<Built, Trouble> {
    build(&format!("windlass = 2\ninclude = [\"{name}\"]\n"), values)
}

/// Adds a body along the world's axes.
pub fn add(world: &mut World, body: Body, place: DVec3) -> Result<BodyId, Trouble> {
    world.add_body(body, place, DQuat::IDENTITY).map_err(Trouble::from)
}

/// The state of a body.
pub fn at(world: &World, body: BodyId) -> &BodyState {
    &world.state().bodies[body.index()]
}

/// Takes a step, or returns the reason why it was not taken.
pub fn step(world: &mut World) -> Result<Report, Trouble> {
    let report = world.step();
    match &report.fault {
        Some(fault) => Err(Trouble::from(fault)),
        None => Ok(report),
    }
}

/// Kinetic damping: whenever the kinetic energy has passed a maximum, all velocities are set to zero.
#[derive(Debug, Default)]
pub struct Damper {
    fastest: f64,
}

impl Damper {
    /// Takes a step.
    pub fn step(&mut self, world: &mut World) -> Result<(), Trouble> {
        let kinetic = step(world)?.energy.kinetic;
        if kinetic >= self.fastest {
            self.fastest = kinetic;
            return Ok(());
        }
        let mut state = world.state().clone();
        for (place, _) in world.model().bodies().iter().filter(|(_, body)| body.is_dynamic()) {
            (state.bodies[place].velocity, state.bodies[place].angular_velocity) = (DVec3::ZERO, DVec3::ZERO);
        }
        if let Some(cables) = state.part_mut::<MassPointCables>() {
            cables.0.iter_mut().for_each(|s| s.velocities.fill(DVec3::ZERO));
        }
        self.fastest = 0.0;
        world.restore(state).map_err(Trouble::from)
    }
}

/// Relaxes a world to rest by kinetic damping, until nothing has moved faster than 1e-5 m/s (or rad/s) for half a
/// second. `heard` is called now and then.
pub fn settle(world: &mut World, heard: impl Fn() -> Result<(), Trouble>) -> Result<(), Trouble> {
    let dt = world.model().settings().dt;
    let (mut damper, mut calm) = (Damper::default(), 0.0);
    for k in 0..(LONGEST / dt) as usize {
        if k % 64 == 0 {
            heard()?;
        }
        damper.step(world)?;
        let bodies = world.model().bodies().iter().filter(|(_, body)| body.is_dynamic());
        let speeds = bodies.map(|(place, _)| &world.state().bodies[place]);
        let fastest =
            speeds.map(|b| b.velocity.length().max(b.angular_velocity.length())).fold(0.0, f64::max);
        calm = if fastest < 1e-5 { calm + dt } else { 0.0 };
        if calm > 0.5 {
            return Ok(());
        }
    }
    Err(Trouble::Failed(format!("it does not come to rest in {LONGEST} s")))
}
