//! Scenes in Rapier, under the settings a user would try.

use crate::judge::{Engine, FRAME, Pose};
use crate::scenes::{Form, Scene};
use rapier3d_f64::dynamics::GenericJointBuilder;
use rapier3d_f64::prelude as r;
use std::fmt;

/// How Rapier holds joints together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joints {
    /// Constraints on free bodies, by iteration.
    Impulse,
    /// Reduced coordinates along a spanning tree; only what closes loops is by iteration.
    Multibody,
}

/// What is tuned. Everything else is as Rapier ships it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub joints: Joints,
    /// `num_solver_iterations`; 4 as shipped.
    pub iterations: usize,
    /// `num_internal_pgs_iterations`; 1 as shipped.
    pub sweeps: usize,
    /// `warmstart_joints`; off as shipped.
    pub warm: bool,
    /// Equal substeps of the frame.
    pub substeps: usize,
    /// Frequency of contacts [Hz], twice that against what is fixed; 30 as shipped, if there is none.
    pub contact: Option<u32>,
}

impl Setting {
    /// As shipped.
    pub fn stock(joints: Joints) -> Setting {
        Setting { joints, iterations: 4, sweeps: 1, warm: false, substeps: 1, contact: None }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if (self.iterations, self.sweeps) == (4, 1) {
            write!(f, "stock")?;
        } else {
            write!(f, "{}x{}", self.iterations, self.sweeps)?;
        }
        write!(f, "{}", if self.warm { " warm" } else { "" })?;
        if self.substeps > 1 { write!(f, ", {} substeps", self.substeps) } else { Ok(()) }
    }
}

/// A scene in Rapier.
pub struct Rapier {
    world: r::PhysicsWorld,
    bodies: Vec<r::RigidBodyHandle>,
    substeps: usize,
}

impl Rapier {
    /// Builds the scene; a frame is 1/60 s.
    pub fn new(scene: &Scene, setting: Setting) -> Rapier {
        Rapier::with(scene, FRAME, setting)
    }

    /// The same for frames of so many seconds.
    pub fn with(scene: &Scene, frame: f64, setting: Setting) -> Rapier {
        let mut world = r::PhysicsWorld::new();
        world.gravity = scene.gravity;
        let p = &mut world.integration_parameters;
        p.dt = frame / setting.substeps as f64;
        p.num_solver_iterations = setting.iterations;
        p.num_internal_pgs_iterations = setting.sweeps;
        p.warmstart_joints = setting.warm;
        // a run that flies apart should show it
        p.normalized_max_linear_velocity = r::Real::MAX;

        if let Some(frequency) = setting.contact.map(f64::from) {
            p.contact_softness = r::SpringCoefficients::new(frequency, 10.0);
            p.static_contact_softness = r::SpringCoefficients::new(2.0 * frequency, 10.0);
        }

        let ground = world.insert_body(r::RigidBodyBuilder::fixed());
        if scene.touching {
            let floor =
                r::ColliderBuilder::cuboid(50.0, 50.0, 1.0).translation(r::Vector::new(0.0, 0.0, -1.0));
            world.insert_collider(floor.friction(0.5), None);
        }
        let bodies: Vec<_> = scene
            .bodies
            .iter()
            .map(|b| {
                let mass = r::MassProperties::new(r::Vector::ZERO, b.mass, b.moments);
                let body = r::RigidBodyBuilder::dynamic()
                    .pose(r::Pose::from_parts(b.at, b.orientation))
                    .linvel(b.velocity)
                    .angvel(b.spin)
                    .can_sleep(false)
                    .additional_mass_properties(mass);
                let body = world.insert_body(body);
                if scene.touching {
                    let shape = r::ColliderBuilder::cuboid(b.half.x, b.half.y, b.half.z);
                    world.insert_collider(shape.density(0.0).friction(0.5), Some(body));
                }
                body
            })
            .collect();

        let mut hung = vec![false; bodies.len()];
        let mut tree = None;
        for j in &scene.joints {
            let locked = match j.form {
                Form::Ball => r::JointAxesMask::LOCKED_SPHERICAL_AXES,
                Form::Hinge => r::JointAxesMask::LOCKED_REVOLUTE_AXES,
            };
            let place = r::Pose::from_parts(j.at, r::GenericJoint::complete_ang_frame(j.axis));
            let [a, b] = j.bodies.map(|body| match body {
                None => (ground, place),
                Some(k) => (bodies[k], world.bodies[bodies[k]].position().inverse() * place),
            });
            let joint = GenericJointBuilder::new(locked).local_frame1(a.1).local_frame2(b.1);
            // the first joint that holds a body hangs it into the tree, others close loops
            let new = j.bodies[1].is_some_and(|k| !std::mem::replace(&mut hung[k], true));
            if setting.joints == Joints::Multibody && new {
                tree = world.insert_multibody_joint(a.0, b.0, joint).or(tree);
            } else {
                world.insert_impulse_joint(a.0, b.0, joint);
            }
        }
        // joints of a multibody are damped as shipped: off, since no other engine here has damping
        if let Some((multibody, _)) = tree.and_then(|handle| world.multibody_joints.get_mut(handle)) {
            multibody.damping_mut().fill(0.0);
        }
        Rapier { world, bodies, substeps: setting.substeps }
    }
}

impl Engine for Rapier {
    fn frame(&mut self) -> bool {
        for _ in 0..self.substeps {
            self.world.step();
        }
        true
    }

    fn look(&mut self, out: &mut Vec<Pose>) {
        out.clear();
        // their centres of mass are the origins of their frames
        out.extend(self.bodies.iter().map(|handle| {
            let b = &self.world.bodies[*handle];
            Pose { center: b.translation(), orientation: *b.rotation(), velocity: b.linvel(), spin: b.angvel() }
        }));
    }
}
