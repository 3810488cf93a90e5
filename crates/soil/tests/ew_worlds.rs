//! Cases of the validation catalogue in worlds: tools on joints, whose rows are solved with the others.

mod cutting;
mod cycles;
mod piles;
mod steps;

use crate::cases::{Case, case};
use crate::world::{blade, run, set};
use glam::{DVec3, dvec3};
use windlass_engine::prelude::*;
use windlass_soil::{EarthEdit, Earthworks, GroundModel, Mass as Quanta, ToolModel};

/// Step of the worlds [s].
const STEP: f64 = 1.0 / 60.0;

/// The case, as found in a world.
fn in_world(id: &str) -> Case {
    case(id).variant("world")
}

/// A blade on a slider along x through ground without particles: what it cuts is taken away.
struct Rig {
    world: World,
    body: BodyId,
    joint: JointId,
    /// What was taken away.
    taken: Quanta,
}

/// Takes what tools have cut away: it would weigh on their wedges.
fn take_away(world: &mut World) -> Quanta {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let taken: Quanta = state.tools.iter().map(|tool| tool.cut()).sum();
    if taken > Quanta::ZERO {
        let (works, mut state) = (works.clone(), state.clone());
        state.tools.iter_mut().for_each(|tool| tool.cut_soils.clear());
        world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, Some(Box::new(state)))).unwrap();
    }
    taken
}

impl Rig {
    /// A blade of a width, a height and a rake, with its edge at a point, on a ground.
    fn new(
        (mut world, mut ground): (World, GroundModel),
        shape: (f64, f64, f64),
        at: DVec3,
        drive: Drive,
    ) -> Rig {
        ground.budget = 0;
        let (body, joint, tool) = blade(&mut world, shape, (at, drive), vec![]);
        set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
        Rig { world, body, joint, taken: Quanta::ZERO }
    }

    /// Mean force of the soil over some time, and its mean moment about the middle of the edge.
    fn mean(&mut self, time: f64) -> [DVec3; 2] {
        let (mut sum, mut count, joint) = ([DVec3::ZERO; 2], 0.0, self.joint);
        for _ in 0..(time / STEP).round() as usize {
            run(&mut self.world, STEP, |world| {
                let (_, state) = world.subsystem::<Earthworks>().unwrap();
                // the slider alone balances the moment
                let reaction = world.reaction(joint, 1).unwrap();
                sum[0] += state.tools[0].force;
                sum[1] -= reaction.torque;
                count += 1.0;
            });
            self.taken += take_away(&mut self.world);
        }
        sum.map(|sum| sum / count)
    }

    /// Position of the middle of the edge.
    fn position(&self) -> DVec3 {
        self.world.state().bodies[self.body.index()].position
    }
}

/// A speed that is kept, whatever force it takes.
fn at_speed(speed: f64) -> Drive {
    Drive::motor(speed, f64::INFINITY)
}

/// A force that is kept up to a high speed.
fn with_force(force: f64) -> Drive {
    Drive::motor(100.0, force)
}

/// The middle of the edge at a depth.
fn edge(x: f64, depth: f64) -> DVec3 {
    dvec3(x, 0.0, -depth)
}
