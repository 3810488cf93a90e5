//! Energies: what drag, lift, entry and exit take from a body is reported as work of the subsystem.
//!
//! ```text
//!  E₁ − E₀ = W + error       E: kinetic energy of body and water, weight and buoyancy;  W: `Work::subsystems`
//! ```

use super::drag::Sinking;
use super::tank::{Immersed, Tank};
use super::{added_mass, kirchhoff, lift};
use crate::lab::step;
use crate::vortex::steps::STEPS;
use crate::{StudyContext, Table, Trouble, Verdict, number};
use glam::DVec3;
use libm::fabs;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::{AddedMass, Drag};

/// Change of the energy and work of the water in a time [J].
fn measured(tank: &mut Tank, seconds: f64) -> Result<(f64, f64), Trouble> {
    let world = &mut tank.world;
    let none = || Trouble::Failed("no account of the work".to_string());
    let steps = libm::round(seconds / world.model().settings().dt) as usize;
    let (start, mut work) = (world.inspect().energy().total(), Work::default());
    for _ in 0..steps {
        work = work.plus(step(world)?.work.ok_or_else(none)?);
    }
    // reports end with the velocities, half a step before the positions
    let end = world.inspect();
    work = work.plus(end.work().ok_or_else(none)?);
    Ok((end.energy().total() - start, work.subsystems))
}

/// A raft that is dropped onto the surface, with drag and added mass.
fn raft() -> Result<Immersed, Trouble> {
    let size = DVec3::new(2.0, 1.0, 0.5);
    let drag = Drag::Pressure { pressure: 1.2, suction: 0.5, friction: 0.01 };
    let added = closed_form::cuboid(0.5 * size, 1.0);
    Ok(Immersed::cuboid(size, 400.0)?.with(|b| {
        (b.level, b.position) = (Some(0.0), DVec3::Z * 0.6);
        (b.drag, b.added_mass) = (drag, AddedMass::PerDensity(added));
        b.orientation = math::exp(DVec3::new(0.2, 0.1, 0.0));
    }))
}

/// Name, what builds the tank, time [s], work in closed form [J], and the errors allowed relative to the work.
type Case<'a> = (&'a str, &'a dyn Fn(f64) -> Result<Tank, Trouble>, f64, Option<f64>, [f64; 2]);

/// The account of the experiments.
pub fn closes(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let heads = [
        "experiment",
        "step",
        "change of energy [J]",
        "work of the water [J]",
        "closed form [J]",
        "not accounted for [J]",
        "relative to the work",
        "asked",
    ];
    let mut table = Table::new(
        "Energy account (`Work::subsystems` of the reports); asked of the error and of the difference from the closed form",
        &heads,
    );
    let sphere = Sinking::sphere(None)?;
    let cases: [Case<'_>; 6] = [
        (
            "sphere that sinks for 1 s",
            &|dt| sphere.body.build(dt),
            1.0,
            Some(-sphere.lost(1.0)),
            [1e-3, 1e-5],
        ),
        (
            "sphere that enters the water",
            &|dt| added_mass::passing(-1.0)?.build(dt),
            1.0,
            Some(-added_mass::entry_loss()),
            [1e-9; 2],
        ),
        (
            "sphere that leaves the water",
            &|dt| added_mass::passing(1.0)?.build(dt),
            1.0,
            Some(-added_mass::exit_loss()),
            [1e-9; 2],
        ),
        ("plate that glides for 5 s", &|dt| lift::glider()?.build(dt), 5.0, None, [1e-3, 1e-5]),
        ("raft dropped onto the surface, 5 s", &|dt| raft()?.build(dt), 5.0, None, [5e-3, 5e-5]),
        ("ellipsoid that tumbles for 5 s", &kirchhoff::tumbling, 5.0, Some(0.0), [1e-3, 1e-5]),
    ];
    for (name, build, seconds, closed, within) in cases {
        for ((dt, step), within) in STEPS.into_iter().zip(["1/60 s", "1 ms"]).zip(within) {
            let mut tank = build(dt)?;
            let whole = tank.world.inspect().energy().kinetic;
            let (change, work) = measured(&mut tank, seconds)?;
            let error = change - work;
            // where no work is done, errors count relative to the kinetic energy
            let scale = if closed == Some(0.0) { whole } else { fabs(work) };
            let agrees = closed.is_none_or(|closed| fabs(work - closed) <= within * scale);
            let part = fabs(error) / scale;
            let reference = closed.map_or("–".to_string(), number);
            let cells = [name.to_string(), step.to_string(), number(change), number(work), reference];
            let rest = [number(error), number(part), number(within)];
            table.row(cells.into_iter().chain(rest), Verdict::of(part <= within && agrees));
        }
    }
    context.table(table);
    Ok(())
}
