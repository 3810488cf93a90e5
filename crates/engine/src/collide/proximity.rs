//! Proximity of a capsule to the colliders, for subsystems that move outside of the bodies.
//!
//! Reads Model and the bodies' poses. Points are in the order of the colliders; a repeated call does not allocate.

use super::bounds::{Bounds, Pose};
use super::broad::{self, Broad};
use super::geometry::{Convex, Core, Form};
use super::narrow::Narrow;
use super::point::Side;
use super::reduce::Reducer;
use crate::body::BodyState;
use crate::body::collider::Collider;
use crate::model::Model;
use crate::model::state::State;
use crate::subsystem::{Near, Proximity};
use glam::{DMat3, DVec3};

/// The colliders at their present poses, and workspace.
#[derive(Debug)]
pub(crate) struct Probe {
    broad: Broad,
    narrow: Narrow,
    reducer: Reducer,
    capsule: Form,
    /// Indices of the candidate entries, and displacements of their bodies in the step [m].
    near: Vec<(usize, f64)>,
}

impl Default for Probe {
    fn default() -> Probe {
        Probe {
            broad: Broad::default(),
            narrow: Narrow::default(),
            reducer: Reducer::default(),
            capsule: Form::Convex(Convex::capsule(1.0, 1.0)),
            near: Vec::new(),
        }
    }
}

impl Probe {
    /// Lists the bodies that are joined.
    pub fn join(&mut self, model: &Model, state: &State) {
        self.broad.join(model, state);
    }
}

/// The colliders of a model, as subsystems see them.
pub(crate) struct ModelProximity<'a> {
    pub probe: &'a mut Probe,
    pub model: &'a Model,
    /// The start of the step: its subsystems have the heights of ground.
    pub state: &'a State,
}

impl Proximity for ModelProximity<'_> {
    fn look(
        &mut self,
        bodies: &[BodyState],
        points: &[DVec3],
        (reach, h): (f64, f64),
        wanted: &dyn Fn(&Collider) -> bool,
    ) -> Option<f64> {
        let Probe { broad: colliders, near, .. } = &mut *self.probe;
        colliders.place(self.model, bodies);
        near.clear();
        let bounds = Bounds::of(points.iter().copied()).grown(reach);
        let mut fastest = None;
        for (k, e) in colliders.entries.iter().enumerate() {
            let place = e.part.body as usize;
            let Some(body) = self.model.bodies.at(place) else { continue };
            if e.absent || !body.colliders.get(e.part.collider as usize).is_some_and(wanted) {
                continue;
            }
            let speed = broad::motion(self.model, body, &bodies[place], e.radius);
            if matches!(*e.form, Form::Plane) || e.bounds.meets(&bounds) {
                near.push((k, speed * h));
                fastest = Some(f64::max(fastest.unwrap_or(0.0), speed));
            }
        }
        fastest
    }

    fn touch(
        &mut self,
        ends: [DVec3; 2],
        (radius, reach): (f64, f64),
        holders: &[u32],
        each: &mut dyn FnMut(Near),
    ) {
        let Probe { broad, narrow, reducer, capsule, near } = &mut *self.probe;
        let along = ends[1] - ends[0];
        let Some(pose) = place(capsule, ends, radius) else { return };
        let size = along.length() + 2.0 * radius;
        let bounds = Bounds::of(ends).grown(radius + reach);
        for (k, motion) in near.iter() {
            broad.look(*k, &bounds.grown(*motion), (self.model, self.state));
            let e = &broad.entries[*k];
            let plane = matches!(*e.form, Form::Plane);
            let spared = |holder: &u32| *holder == e.part.body || broad.joins(*holder, e.part.body);
            if holders.iter().any(spared) || !(plane || e.bounds.meets(&bounds)) {
                continue;
            }
            narrow.raw.clear();
            let first = Side { form: &e.form, pose: Pose::IDENTITY, number: 0 };
            let second = Side { form: capsule, pose: e.pose.sees(&pose), number: 0 };
            narrow.touch(first, second, reach + motion);
            let whole = matches!(*e.form, Form::Convex(_) | Form::Plane);
            reducer.reduce(&mut narrow.raw, !whole, e.size.min(size));
            for p in &narrow.raw {
                let (point, normal) = (e.pose.point(p.at), e.pose.turn * p.normal);
                each(Near { part: e.part, point, normal, gap: p.gap });
            }
        }
    }
}

/// Makes a form the capsule between two end points; returns its pose.
fn place(form: &mut Form, ends: [DVec3; 2], radius: f64) -> Option<Pose> {
    let Form::Convex(c) = form else { return None };
    let along = ends[1] - ends[0];
    let half = 0.5 * along.length();
    let z = along.try_normalize()?;
    c.core = Core::Segment(half);
    c.radius = radius;
    c.vertices.clear();
    c.vertices.extend([DVec3::Z * -half, DVec3::Z * half]);
    c.size = half + radius;
    let (x, y) = crate::math::across(z);
    Some(Pose { at: 0.5 * (ends[0] + ends[1]), turn: DMat3::from_cols(x, y, z) })
}
