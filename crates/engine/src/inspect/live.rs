//! Readings for a live display, without a solve: rates of coordinates from the velocities of the state, efforts and
//! reactions from the multipliers that the state keeps of the last step, and the islands of the last solve.
//!
//! Jacobians are those of the present state. Under `spook` velocities lag by half a step, and forces are those of the
//! last step. Readings of a state that was restored are those of that state, except the islands: they stay those of the
//! last solve until the next step or inspection.

use crate::body::twist::Wrench;
use crate::report::reaction;
use crate::row::rate;
use crate::row::rows::Rows;
use crate::slots::JointId;
use crate::world::World;

impl World {
    /// Rate of coordinate number k of a joint [m/s or rad/s].
    pub fn coordinate_speed(&self, joint: JointId, k: usize) -> Option<f64> {
        let rows = self.rows_at_present(joint)?;
        rows.rates.get(k).map(|blocks| rate(blocks, |place| self.state.twist(place)))
    }

    /// Force or torque of the drive of coordinate number k of a joint in the last step [N or N·m]; none before the
    /// first step.
    pub fn last_effort(&self, joint: JointId, k: usize) -> Option<f64> {
        let (rows, forces) = self.rows_and_forces(joint)?;
        rows.coordinates.get(k)?;
        Some(reaction::drive(&rows, forces, &rows.groups[0], k))
    }

    /// Force on anchor number k of a joint in the last step, and torque about its origin, in world axes [N, N·m]; none
    /// before the first step.
    pub fn last_reaction(&self, joint: JointId, k: usize) -> Option<Wrench> {
        let (rows, forces) = self.rows_and_forces(joint)?;
        Some(reaction::on(rows.frames.get(k)?, &rows, forces, &rows.groups[0]))
    }

    /// The island of each body in the last solve, by index; none for bodies in no island, and after an edit. The last
    /// solve is of another state after `restore`; `inspect` solves the present one.
    pub fn islands_of_bodies(&self) -> Vec<Option<u32>> {
        let mut of = vec![None; self.state.bodies.len()];
        let stages = &self.workspace.stages;
        if stages.rows.revision != self.model.revision {
            return of;
        }
        for (number, island) in stages.islands.list.iter().enumerate() {
            for body in &island.bodies {
                if let Some(place) = of.get_mut(*body as usize) {
                    *place = Some(number as u32);
                }
            }
        }
        of
    }

    /// The rows of a joint at the present state; none for one that was removed or is broken.
    fn rows_at_present(&self, joint: JointId) -> Option<Rows> {
        let entry = self.model.joints.get(joint)?;
        let memory = self.state.joints.get(joint.index()).filter(|memory| !memory.broken)?;
        let frames = self.model.frames(&self.state, joint.index(), entry);
        Some(Rows::of(entry.constraint(), entry.compliance, &memory.view(&frames, self.state.time)))
    }

    /// The rows of a joint with the multipliers of the last step.
    fn rows_and_forces(&self, joint: JointId) -> Option<(Rows, &[f64])> {
        let rows = self.rows_at_present(joint)?;
        let forces = &self.state.joints.get(joint.index())?.forces;
        (self.state.step > 0 && forces.len() == rows.rows.len()).then_some((rows, forces.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use crate::math::facing;
    use crate::prelude::*;
    use glam::{DQuat, DVec3};

    /// Two blocks of 2 kg on sliders along x under gravity; a servo pulls the first with its 4 N.
    fn sliders() -> (World, [JointId; 2]) {
        let mut world = World::default();
        world.set(|s| s.dt = 1e-3).unwrap();
        let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 2.0).unwrap();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let servo =
            Axis::driven(Drive::Position { target: 5.0, spring: Spring::new(800.0, 80.0), force: 4.0 });
        let mut joint = |name: &str, axis: Axis, y: f64| {
            let at = DVec3::Y * y;
            let block = world.add_body(Body::dynamic(name, mass), at, DQuat::IDENTITY).unwrap();
            let anchors = [(ground, at), (block, DVec3::ZERO)];
            let anchors = anchors.map(|(body, at)| Anchor::frame(body, at, facing(DVec3::X)));
            world.add_joint(Joint::new(name, Slider { anchors, axis })).unwrap()
        };
        let joints = [joint("driven", servo, 0.0), joint("free", Axis::free(), 1.0)];
        (world, joints)
    }

    #[test]
    fn readings_without_a_solve_are_those_of_the_last_step() {
        let (mut world, [driven, free]) = sliders();
        assert_eq!(world.last_effort(driven, 0), None, "there are no forces before the first step");
        for _ in 0..100 {
            assert!(world.step().fault.is_none());
        }
        let velocity = world.state().bodies[1].velocity.x;
        assert!((world.coordinate_speed(driven, 0).unwrap() - velocity).abs() < 1e-12);
        // F = m a with the velocity half a step behind
        assert!((velocity - 2.0 * 0.0995).abs() < 1e-9, "{velocity}");
        assert!((world.last_effort(driven, 0).unwrap() - 4.0).abs() < 1e-9);
        assert_eq!(world.last_effort(free, 0), Some(0.0));
        assert_eq!(world.last_effort(free, 1), None);
        // the guide carries the weight, and the drive pulls along it
        let wrench = world.last_reaction(driven, 1).unwrap();
        let expected = DVec3::new(4.0, 0.0, 2.0 * world.model().settings().gravity.length());
        assert!((wrench.force - expected).length() < 1e-6, "{wrench:?}");
    }

    #[test]
    fn readings_are_part_of_the_state() {
        let (mut world, [driven, _]) = sliders();
        world.step();
        let (state, force) = (world.state().clone(), world.last_reaction(driven, 1));
        for _ in 0..10 {
            world.step();
        }
        world.restore(state).unwrap();
        assert_eq!(world.last_reaction(driven, 1), force);
    }

    #[test]
    fn bodies_that_nothing_connects_are_in_islands_of_their_own() {
        let (mut world, _) = sliders();
        assert_eq!(world.islands_of_bodies(), [None; 3], "nothing is solved yet");
        world.step();
        let [ground, a, b] = world.islands_of_bodies()[..] else { panic!("three bodies") };
        assert!(ground.is_none() && a.is_some() && b.is_some() && a != b);
    }
}
