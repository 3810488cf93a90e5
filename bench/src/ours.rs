//! Scenes in Windlass.

use crate::cable::section;
use crate::judge::{Engine, Pose};
use crate::scenes::{Form, Scene};
use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::{
    Anchor, Axis, Ball, Body, BodyId, CableSpec, Collider, End, Geometry, Hinge, Integrator, Joint, Mass,
    Report, Section, Shape, World,
};

/// A scene in Windlass.
pub struct Ours {
    pub world: World,
    scene: String,
    bodies: Vec<BodyId>,
    substeps: usize,
}

impl Ours {
    /// Builds the scene; a frame of so many seconds is made of equal substeps.
    pub fn new(scene: &Scene, frame: f64, substeps: usize) -> Ours {
        Ours::with(scene, frame, substeps, Integrator::Spook)
    }

    /// The same with another integrator.
    pub fn with(scene: &Scene, frame: f64, substeps: usize, integrator: Integrator) -> Ours {
        let mut world = World::default();
        let mut ground = Body::fixed("ground");
        if scene.touching {
            ground = ground.with_collider(Collider::of(Geometry::HalfSpace));
        }
        let ground = added(world.add_body(ground, DVec3::ZERO, DQuat::IDENTITY));
        let mut bodies = Vec::with_capacity(scene.bodies.len());
        for (k, b) in scene.bodies.iter().enumerate() {
            let mass = Mass::principal(b.mass, DVec3::ZERO, b.moments, DQuat::IDENTITY);
            let mut body = Body::dynamic(format!("body {k}"), mass);
            if scene.touching {
                body = body.with_collider(Collider::new(Shape::Box { half: b.half }));
            }
            let id = added(world.add_body(body, b.at, b.orientation));
            added(world.set_velocity(id, b.velocity, b.spin));
            bodies.push(id);
        }
        for (k, j) in scene.joints.iter().enumerate() {
            let turn = math::facing(j.axis);
            let anchors = j.bodies.map(|body| match body {
                None => Anchor::frame(ground, j.at, turn),
                Some(k) => {
                    let (b, back) = (&scene.bodies[k], scene.bodies[k].orientation.inverse());
                    Anchor::frame(bodies[k], back * (j.at - b.at), back * turn)
                }
            });
            let name = format!("joint {k}");
            let joint = match j.form {
                Form::Ball => Joint::new(name, Ball { anchors }),
                Form::Hinge => Joint::new(name, Hinge { anchors, axis: Axis::free() }),
            };
            added(world.add_joint(joint));
        }
        added(world.set(|s| {
            s.dt = frame / substeps as f64;
            s.gravity = scene.gravity;
            s.integrator = integrator;
        }));
        Ours { world, scene: scene.name.clone(), bodies, substeps }
    }

    /// The same with so many position iterations where a step ends; 0 for the default of the engine.
    pub fn closing(mut self, rounds: u32) -> Ours {
        added(self.world.set(|s| s.position_iterations = (rounds > 0).then_some(rounds)));
        self
    }

    /// A hoist as our cable of rigid elements instead, with EA [N] and EI [N·m²]: all bodies but the last are its elements, and
    /// its own weight and inertia come out the same.
    pub fn cable(scene: &Scene, frame: f64, stretch: f64, bend: f64) -> Ours {
        let (load, elements) = match scene.bodies.split_last() {
            Some((load, elements)) if !elements.is_empty() => (load, elements),
            _ => panic!("a hoist has a cable and a load"),
        };
        let length = load.at.length();
        let plain = section(0.1, elements[0].mass * elements.len() as f64 / length, stretch);
        let section = Section { bend, twist: bend / 2.6, ..plain };
        let mut world = World::default();
        added(world.set(|s| (s.dt, s.gravity) = (frame, scene.gravity)));
        let ground = added(world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY));
        let mass = Mass::principal(load.mass, DVec3::ZERO, load.moments, DQuat::IDENTITY);
        let hung = added(world.add_body(Body::dynamic("load", mass), load.at, load.orientation));
        let ends = [ground, hung].map(|b| End::Ball(Anchor::point(b, DVec3::ZERO)));
        let line = CableSpec::new("cable", section, [DVec3::ZERO, load.at]);
        let cable = added(world.add_cable(CableSpec {
            ends,
            elements: elements.len(),
            length: Some(length),
            ..line
        }));
        let mut bodies = world.cable_elements(cable);
        bodies.push(hung);
        Ours { world, scene: scene.name.clone(), bodies, substeps: 1 }
    }

    /// One step. A step that was not taken ends the benchmark: its time would mean nothing.
    pub fn step(&mut self) -> Report {
        let report = self.world.step();
        if let Some(fault) = &report.fault {
            panic!("{}: {fault}", self.scene);
        }
        report
    }
}

/// The scenes are sound, so the world takes them.
fn added<T, E: std::fmt::Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|e| panic!("the scene was refused: {e}"))
}

impl Engine for Ours {
    fn frame(&mut self) -> bool {
        (0..self.substeps).all(|_| self.world.step().fault.is_none())
    }

    fn look(&mut self, out: &mut Vec<Pose>) {
        let now = self.world.inspect();
        out.clear();
        out.extend(self.bodies.iter().filter_map(|id| now.body(*id)).map(|b| Pose {
            center: b.center,
            orientation: b.orientation,
            velocity: b.twist.velocity,
            spin: b.twist.angular_velocity,
        }));
    }
}
