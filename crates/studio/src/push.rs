//! Forces of a scene other than contacts, drawn as arrows: active applied forces and torques, springs, which act at
//! both of their ends, and the buoyancy and drag of bodies in fluids.

use glam::DVec3;
use windlass_engine::prelude::{Anchor, Applied, Direction, Force, ForceSpring, JointId, JointKind, World};
use windlass_scene::{Built, FluidReading};

/// Largest number of bodies whose fluid forces are drawn: each is evaluated anew for a frame.
const MOST_IN_FLUIDS: usize = 32;

/// A point [m] and a force [N] or torque [N·m] there, in the world.
pub type Arrow = (DVec3, DVec3);

/// The forces at a state.
#[derive(Debug, Default)]
pub struct Acting {
    /// Forces on bodies.
    pub forces: Vec<Arrow>,
    /// Torques on bodies, at their centres of mass.
    pub torques: Vec<Arrow>,
}

/// The forces at the present state.
pub fn acting(built: &Built) -> Acting {
    let world = &built.world;
    let mut out = Acting::default();
    for force in built.forces.iter().filter_map(|id| world.model().forces().get(*id)) {
        match force {
            Force::Applied(applied) => out.apply(applied, world),
            Force::Spring(spring) => out.stretch(&spring.ends, pull(spring, world), world),
            Force::Drag(_) | Force::Custom(_) => {}
        }
    }
    for id in &built.joints {
        out.spring_joint(*id, world);
    }
    let immersed = built.bodies.iter().filter_map(|id| Some((*id, FluidReading::of(world, *id)?)));
    for (id, fluid) in immersed.take(MOST_IN_FLUIDS) {
        out.forces.push((fluid.center, fluid.buoyancy));
        out.forces.push((world.state().bodies[id.index()].position, fluid.drag));
    }
    out.forces.retain(|(_, force)| *force != DVec3::ZERO);
    out
}

impl Acting {
    fn apply(&mut self, applied: &Applied, world: &World) {
        let (model, state) = (world.model(), world.state());
        if state.time < applied.from || state.time >= applied.until {
            return;
        }
        let frame = model.frame(state, &applied.at);
        let orientation = state.bodies[applied.at.body.index()].orientation;
        let vector = |direction: &Direction| match direction {
            Direction::World(v) => *v,
            Direction::Body(v) => orientation * *v,
            Direction::Toward(point, size) => {
                (model.frame(state, point).at - frame.at).normalize_or_zero() * *size
            }
        };
        self.forces.extend(applied.force.iter().map(|force| (frame.at, vector(force))));
        self.torques.extend(applied.torque.iter().map(|torque| (frame.center, vector(torque))));
    }

    /// A force that pulls at both ends [N]; below 0 it pushes.
    fn stretch(&mut self, ends: &[Anchor; 2], pull: f64, world: &World) {
        let [a, b] = ends.each_ref().map(|end| world.model().frame(world.state(), end).at);
        let force = (b - a).normalize_or_zero() * pull;
        self.forces.extend([(a, force), (b, -force)]);
    }

    /// A distance held by a spring: its force in the last step.
    fn spring_joint(&mut self, id: JointId, world: &World) {
        let memory = world.state().joints.get(id.index());
        let Some((joint, memory)) = world.model().joints().get(id).zip(memory) else { return };
        if let JointKind::Distance(distance) = &joint.kind
            && distance.axis.spring.is_some()
            && !memory.broken
        {
            // a positive force along a distance pushes its points apart
            self.stretch(&distance.anchors, -distance.axis.effort(&memory.forces), world);
        }
    }
}

/// Tension of a spring force [N]: k (l − rest) + c l̇.
fn pull(spring: &ForceSpring, world: &World) -> f64 {
    let bodies = world.model().bodies_at(world.state());
    let [a, b] = spring.ends.each_ref().map(|end| bodies.frame(end));
    let along = (b.at - a.at).normalize_or_zero();
    let rate = along.dot(bodies.velocity(&b) - bodies.velocity(&a));
    spring.stiffness * ((b.at - a.at).length() - spring.rest) + spring.damping * rate
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(text: &str) -> Built {
        windlass_scene::parse(text, "test").and_then(|scene| scene.build()).expect("a scene")
    }

    const BALLS: &str = "windlass = 2\n[settings]\ngravity = [0, 0, 0]\n[bodies.post]\ntype = \"static\"\n\
        [bodies.ball]\nposition = [2, 0, 0]\nmass = 1\nshape = { sphere = { radius = 0.1 } }\n";

    #[test]
    fn applied_forces_and_torques_are_told_while_they_act() {
        let text = BALLS.to_string()
            + "[forces.push]\napplied = { body = \"ball\", force = [3, 0, 0], torque = [0, 5, 0], until = 0.1 }\n\
               [forces.home]\napplied = { body = \"ball\", toward = { body = \"post\", force = 7 } }\n";
        let mut built = built(&text);
        let acts = acting(&built);
        let at = DVec3::new(2.0, 0.0, 0.0);
        assert_eq!(acts.torques, [(at, DVec3::new(0.0, 5.0, 0.0))]);
        let mut forces = acts.forces;
        forces.sort_by(|a, b| a.1.x.total_cmp(&b.1.x));
        assert_eq!(forces, [(at, DVec3::new(-7.0, 0.0, 0.0)), (at, DVec3::new(3.0, 0.0, 0.0))]);
        while built.world.state().time < 0.11 {
            assert!(built.world.step().fault.is_none());
        }
        let acts = acting(&built);
        assert!(acts.torques.is_empty() && acts.forces.len() == 1, "{acts:?}");
    }

    #[test]
    fn buoyancy_and_drag_are_told() {
        let text = "windlass = 2\n[fluids.sea]\ndensity = 1000\nsurface = 0\ncurrent = { velocity = [2, 0, 0] }\n\
            [bodies.box]\nshape = { box = { size = [1, 1, 1] } }\nmass = 500\n\
            [bodies.dry]\nposition = [0, 0, 9]\nshape = { box = { size = [1, 1, 1] } }\nmass = 500\n";
        let forces = acting(&built(text)).forces;
        let [(center, buoyancy), (_, drag)] = forces[..] else { panic!("{forces:?}") };
        assert!((center - DVec3::new(0.0, 0.0, -0.25)).length() < 1e-12, "{center}");
        assert!((buoyancy - DVec3::Z * 500.0 * 9.81).length() < 1e-6, "{buoyancy}");
        // at least the pressure on the wet half of a face, 1/2 rho U^2 A
        assert!(drag.x > 0.99 * 0.5 * 1000.0 * 4.0 * 0.5, "{drag}");
    }

    #[test]
    fn springs_pull_at_both_ends() {
        let spring = "{ bodies = [\"post\", \"ball\"], points = [[0, 0, 0], [2, 0, 0]]";
        let as_force =
            format!("{BALLS}[forces.spring]\nspring = {spring}, stiffness = \"100 N/m\", rest = 1.5 }}\n");
        let [a, b] = acting(&built(&as_force)).forces[..] else { panic!("two ends") };
        // stretched by 0.5 m
        assert_eq!(a, (DVec3::ZERO, DVec3::new(50.0, 0.0, 0.0)));
        assert_eq!(b, (DVec3::new(2.0, 0.0, 0.0), DVec3::new(-50.0, 0.0, 0.0)));
        let as_joint = format!(
            "{BALLS}[joints.spring]\ndistance = {spring}, spring = {{ stiffness = \"100 N/m\", damping = 0, rest = 1.5 }} }}\n"
        );
        let mut built = built(&as_joint);
        assert!(built.world.step().fault.is_none());
        let [a, b] = acting(&built).forces[..] else { panic!("two ends") };
        assert_eq!(a.1, -b.1);
        // a step of 1/60 s has brought the ball nearer by a few per cent of the stretch
        assert!((45.0..=50.0).contains(&a.1.x), "{a:?}");
    }
}
