//! Adding a constraint, a force and a hook from outside the crate.
//!
//! A bead on a parabolic wire (a constraint of our own), pulled by a magnet (a force of our own), while a hook
//! watches the wire's force and releases the bead above 80 N. Run: `cargo run --example extend`.

use glam::{DQuat, DVec3};
use std::ops::Range;
use std::sync::Arc;
use windlass_engine::prelude::*;

/// The body's point stays on the curve z = a x², y = 0 of the base: g = [ z − a x² ; y ].
#[derive(Debug)]
struct Wire {
    anchors: [Anchor; 2],
    curvature: f64,
}

impl Constraint for Wire {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, sight: &ConstraintView<'_>, out: &mut Rows) {
        let (base, bead) = (&sight.frames[0], &sight.frames[1]);
        let d = base.orientation.inverse() * (bead.at - base.at);
        // the gradient in the base's axes; both bodies are pushed at the bead
        let normal = base.orientation * DVec3::new(-2.0 * self.curvature * d.x, 0.0, 1.0);
        let side = base.y();
        out.hold_points(
            d.z - self.curvature * d.x * d.x,
            &[base.push_at(bead.at, -normal), bead.push(normal)],
        );
        out.hold_points(d.y, &[base.push_at(bead.at, -side), bead.push(side)]);
        let along = base.x();
        out.coordinate(d.x, [base.push_at(bead.at, -along), bead.push(along)]);
    }
}

/// Pulls with strength/r² toward a point.
#[derive(Debug)]
struct Magnet {
    body: BodyId,
    at: DVec3,
    strength: f64,
}

impl ForceLaw for Magnet {
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        let r = self.at - bodies.body(self.body).position;
        out.pull(self.body, r.normalize_or_zero() * (self.strength / r.length_squared().max(1e-6)));
    }

    fn potential(&self, bodies: &Bodies<'_>) -> f64 {
        -self.strength / (self.at - bodies.body(self.body).position).length().max(1e-3)
    }

    fn conservative(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        self.apply(bodies, out);
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}

/// Releases a joint, and keeps it released, once its load would be too large.
#[derive(Debug)]
struct Fuse {
    joint: JointId,
    blown: bool,
}

impl Fuse {
    /// The indices of the joint's rows.
    fn own(&self, rows: &Rows) -> Range<usize> {
        let group = rows.groups.iter().find(|group| group.joint() == Some(self.joint.index()));
        group.map_or(0..0, |group| group.rows())
    }
}

impl Hook for Fuse {
    fn rows(&mut self, _: &Model, _: &State, rows: &mut Rows) {
        if self.blown {
            let own = self.own(rows);
            rows.rows[own].iter_mut().for_each(|row| (row.lo, row.hi) = (0.0, 0.0));
        }
    }

    fn solved(&mut self, _: &Model, state: &State, rows: &Rows, solution: &windlass_engine::solve::Solution) {
        let forces = &solution.forces[self.own(rows)];
        if !self.blown && forces.iter().any(|f| f.abs() > 80.0) {
            println!("{:5.2} s  the fuse blows", state.time);
            self.blown = true;
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::default();
    world.set(|s| s.dt = 1e-3)?;
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY)?;
    let mass = Mass::of(&Shape::Sphere { radius: 0.05 }, 7850.0)?;
    let (curvature, x) = (0.5, -1.5);
    let start = DVec3::new(x, 0.0, curvature * x * x);
    let bead = world.add_body(Body::dynamic("bead", mass), start, DQuat::IDENTITY)?;
    let anchors = [Anchor::point(ground, DVec3::ZERO), Anchor::point(bead, DVec3::ZERO)];
    let wire = JointKind::Custom(Arc::new(Wire { anchors, curvature }));
    let wire = world.add_joint(Joint::new("wire", wire))?;
    world.add_force(Force::Custom(Arc::new(Magnet {
        body: bead,
        at: DVec3::new(1.0, 0.0, 1.2),
        strength: 3.0,
    })))?;
    world.add_hook(Fuse { joint: wire, blown: false });

    let energy = world.energy().total();
    for step in 1..=4000 {
        if let Some(fault) = world.step().fault {
            return Err(fault.to_string().into());
        }
        if step % 250 == 0 {
            let x = world.coordinate(wire, 0).unwrap_or_default();
            let now = world.inspect();
            let drift = (now.energy().total() - energy) / energy.abs();
            println!("{:5.2} s  x = {x:7.3} m   energy drift {drift:9.1e}", step as f64 * 1e-3);
        }
    }
    Ok(())
}
