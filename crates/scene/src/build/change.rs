//! Changes a running world from one scene to another by editing only the differences.
//!
//! Both scenes are built on the same ids, and the results are compared. So a number that is written differently but has
//! the same value changes nothing, and a joint changes with the body by which it was placed. Edits have a fixed order
//! (settings and surfaces, bodies, cables, joints, forces, ropes, inputs, each in the order of the file), so that a
//! replay repeats them. If one is rejected, those before it are undone.
//!
//! A body keeps its position and velocity in the world unless the scene changes its initial ones: then it is set to
//! them. A joint of which only drives differ keeps its memory, and so does a drag spring of which only the target
//! moves. An input keeps its value, within its new range. A cable of which only cuts differ is cut or spliced, and one
//! of which only the section differs keeps its elements. Any other difference removes it and re-creates it at rest,
//! with its path moved along with the bodies of its ends. A rope keeps its present unloaded length (`ropes`).

mod cables;
mod drives;
mod inputs;
mod ropes;

use super::cable::{BuiltCable, Elements};
use super::route::Reeve;
use super::{Builder, Built, Placed};
use crate::drawn::Cylinder;
use crate::error::{Errors, Problems};
use crate::number::Number;
use crate::subsystem::vehicles::plan as vehicles;
use crate::subsystem::{controllers, fluids, soil};
use crate::text::{Entry, Scene};
use drives::{drives, target};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;
use windlass_engine::prelude::{BodyId, Edit, EditError, Force, ForceId, InputId, Joint, JointId, World};

/// What a change of a running world did.
#[derive(Clone, Debug, Default)]
pub struct AppliedChange {
    /// The edits, in order.
    pub edits: Vec<Edit>,
    /// What the change means for running ropes and cables, where that is not only what the text says; each begins with
    /// the key of the entry.
    pub notes: Vec<String>,
}

impl Built {
    /// Changes the world, built from the old scene, to the new one.
    ///
    /// # Errors
    /// All errors of the new scene, or the edit that was rejected. Then nothing has changed.
    pub fn change(&mut self, old: &Scene, new: &Scene) -> Result<AppliedChange, Errors> {
        // surfaces keep their numbers, so that a new one changes no other body
        let surfaces = self.world.model().surfaces().clone();
        let (before, after) = (old.build_after(&surfaces)?, new.build_after(&surfaces)?);
        let mut change =
            Change { world: &mut self.world, done: Vec::new(), undo: Vec::new(), notes: Vec::new() };
        let (from, to) = (Version::new(old, &before), Version::new(new, &after));
        let bodies = change.settings(&from, &to).and_then(|()| change.bodies(&from, &to, &self.bodies));
        let changed = bodies.and_then(|bodies| {
            let (mut was, mut is) = (from.planner(&self.bodies), to.planner(&bodies));
            // ids of elements, before any is removed
            from.hold(&mut was, &self.cables, change.world);
            let laid = (was.cables(&old.cables), is.cables(&new.cables));
            let cables = change.cables((old, laid.0), (new, laid.1), &self.cables)?;
            to.hold(&mut is, &cables, change.world);
            let (was, is) = (from.plan(was), to.plan(is));
            let joints = change.joints((old, &was.joints), (new, &is.joints), &self.joints)?;
            let forces = change.forces((old, &was.forces), (new, &is.forces), &self.forces)?;
            let (ropes, fed) = change.ropes((old, &was.ropes), (new, is.ropes), &self.ropes)?;
            let cables = cables.into_iter().chain(fed).collect();
            let controls = change.inputs(new, &joints, &self.controls)?;
            let renamed =
                |id: BodyId| after.bodies.iter().position(|b| *b == id).map_or(id, |number| bodies[number]);
            if let Some(edit) = fluids::change(change.world, &after.world, renamed) {
                let span = new.fluids.first().map_or(0..0, |entry| entry.span.clone());
                change.edit(&span, edit)?;
            }
            let input = |id: InputId| {
                let place = after.controls.iter().position(|control| control.id == Some(id));
                place.and_then(|place| controls.get(place)).and_then(|control| control.id).unwrap_or(id)
            };
            let is_same = (&old.vehicles, &old.tires) == (&new.vehicles, &new.tires);
            if let Some(edit) = vehicles::change(change.world, &after.world, is_same, renamed, input) {
                let span = new.vehicles.first().map_or(0..0, |entry| entry.span.clone());
                change.edit(&span, edit)?;
            }
            let is_same = (&old.soils, &old.grounds, &old.tools, &old.bins)
                == (&new.soils, &new.grounds, &new.tools, &new.bins)
                && (&old.wheels, &old.tires, &old.tracks) == (&new.wheels, &new.tires, &new.tracks);
            let texts = (is_same, [&old.grounds[..], &new.grounds[..]]);
            for edit in soil::change(change.world, &after.world, texts, renamed) {
                change.edit(&soil::span(&new.grounds), edit)?;
            }
            if let Some(edit) = controllers::change(change.world, &after.world, input) {
                let entry = new.controllers.first().map(|entry| &entry.span);
                let span = entry.or(new.rules.first().map(|entry| &entry.span)).cloned().unwrap_or(0..0);
                change.edit(&span, edit)?;
            }
            change.remove_bodies(old, new, &self.bodies)?;
            Ok((bodies, joints, forces, cables, ropes, controls))
        });
        match changed {
            Ok((bodies, joints, forces, cables, ropes, controls)) => {
                let done = AppliedChange { edits: change.done, notes: change.notes };
                self.starts = after.starts.iter().zip(&bodies).map(|(p, &id)| Placed { id, ..*p }).collect();
                let renamed = |id: BodyId| match after.bodies.iter().position(|b| *b == id) {
                    Some(number) => bodies[number],
                    None => id,
                };
                self.cameras = after.cameras.into_iter().map(|c| c.on_other_bodies(renamed)).collect();
                let joint =
                    |id: JointId| after.joints.iter().position(|j| *j == id).map_or(id, |k| joints[k]);
                self.cylinders =
                    after.cylinders.iter().map(|c| Cylinder { joint: joint(c.joint), ..*c }).collect();
                (self.bodies, self.joints, self.forces) = (bodies, joints, forces);
                (self.cables, self.ropes, self.controls) = (cables, ropes, controls);
                (self.seconds, self.looks) = (after.seconds, after.looks);
                (self.materials, self.probes) = (after.materials, after.probes);
                self.controller_probes = after.controller_probes;
                (self.fluid_colors, self.loads) = (after.fluid_colors, after.loads);
                Ok(done)
            }
            Err((span, refusal)) => {
                change.take_back();
                let mut problems = Problems::default();
                problems.push(span, refusal.to_string(), None);
                Err(problems.into_errors(&new.file, &new.sources))
            }
        }
    }
}

/// A rejected edit, and its entry.
type Refused = (Range<usize>, EditError);

/// A scene and the world built from it alone.
struct Version<'a> {
    scene: &'a Scene,
    built: &'a Built,
    /// Indices of the bodies by name.
    bodies: BTreeMap<&'a str, usize>,
}

/// Joints, forces and ropes of a scene on the ids of the running world, in the order of the file.
struct Plan {
    joints: Vec<Joint>,
    forces: Vec<Force>,
    ropes: Vec<Reeve>,
}

impl<'a> Version<'a> {
    fn new(scene: &'a Scene, built: &'a Built) -> Version<'a> {
        Version { scene, built, bodies: places(&scene.bodies) }
    }

    /// A builder that plans joints, forces and cables on the ids of its bodies in the running world.
    fn planner(&self, ids: &[BodyId]) -> Builder {
        let mut builder = Builder::new(self.scene);
        builder.loads = self.built.loads.clone();
        let model = self.built.world.model();
        builder.surfaces(self.scene, model.surfaces());
        builder.world.set(|settings| *settings = *model.settings()).expect("they were good before");
        for ((entry, placed), &id) in self.scene.bodies.iter().zip(&self.built.starts).zip(ids) {
            builder.stand(&entry.name, Placed { id, ..*placed });
        }
        builder
    }

    /// Sets the elements that the cables of a builder have in the running world.
    fn hold(&self, builder: &mut Builder, laid: &[BuiltCable], world: &World) {
        for ((entry, own), running) in self.scene.cables.iter().zip(&self.built.cables).zip(laid) {
            let elements = Elements::of(own.id, &self.built.world).renamed(running.id, world);
            builder.lines.insert(entry.name.clone(), Some(elements));
        }
    }

    fn plan(&self, mut builder: Builder) -> Plan {
        // the scene has been built once, so none is missing here
        let joints = builder.joints(&self.scene.joints).into_iter().flatten().collect();
        let forces = self.scene.forces.iter().filter_map(|f| builder.force(f)).collect();
        let ropes = builder.ropes(self.scene).into_iter().flatten().collect();
        Plan { joints, forces, ropes }
    }
}

/// Indices of entries by name.
fn places<T>(entries: &[Entry<T>]) -> BTreeMap<&str, usize> {
    entries.iter().enumerate().map(|(number, entry)| (entry.name.as_str(), number)).collect()
}

/// Whether two objects of the engine are equal. Their debug texts contain every bit of every number; kinds from
/// outside the engine cannot be compared otherwise.
fn same(a: &impl Debug, b: &impl Debug) -> bool {
    format!("{a:?}") == format!("{b:?}")
}

/// Whether the text of a number is another one: not that of a parameter in its expression.
fn is_rewritten<Q>(old: (&Scene, &Option<Number<Q>>), new: (&Scene, &Option<Number<Q>>)) -> bool {
    let [old, new] = [old, new].map(|(scene, number)| {
        let (source, span) = scene.sources.of(&number.as_ref()?.span())?;
        source.text.get(span)
    });
    old != new
}

/// Edits in progress.
struct Change<'a> {
    world: &'a mut World,
    done: Vec<Edit>,
    undo: Vec<Edit>,
    notes: Vec<String>,
}

impl Change<'_> {
    /// Makes one edit; returns its inverse.
    fn edit(&mut self, span: &Range<usize>, edit: Edit) -> Result<Edit, Refused> {
        let undo = self.world.edit(edit.clone()).map_err(|refusal| (span.clone(), refusal))?;
        self.done.push(edit);
        self.undo.push(undo.clone());
        Ok(undo)
    }

    fn take_back(&mut self) {
        while let Some(undo) = self.undo.pop() {
            self.world.edit(undo).expect("what was just done can be undone");
        }
    }

    fn settings(&mut self, from: &Version<'_>, to: &Version<'_>) -> Result<(), Refused> {
        let [was, is] = [from, to].map(|side| *side.built.world.model().settings());
        if was != is {
            self.edit(&(0..0), Edit::SetSettings(is))?;
        }
        let surfaces = to.built.world.model().surfaces();
        if surfaces != from.built.world.model().surfaces()
            || surfaces.count() != self.world.model().surfaces().count()
        {
            self.edit(&(0..0), Edit::SetSurfaces(Box::new(surfaces.clone())))?;
        }
        Ok(())
    }

    /// Adds and changes bodies; returns the ids of all bodies of the new scene.
    fn bodies(
        &mut self,
        from: &Version<'_>,
        to: &Version<'_>,
        ids: &[BodyId],
    ) -> Result<Vec<BodyId>, Refused> {
        let mut all = Vec::new();
        for (k, entry) in to.scene.bodies.iter().enumerate() {
            let id = match from.bodies.get(entry.name.as_str()) {
                Some(&j) => {
                    self.body(entry.span.clone(), ids[j], (from.built, j), (to.built, k))?;
                    ids[j]
                }
                None => self.new_body(entry.span.clone(), to.built, k)?,
            };
            all.push(id);
        }
        Ok(all)
    }

    fn new_body(&mut self, span: Range<usize>, built: &Built, k: usize) -> Result<BodyId, Refused> {
        let placed = &built.starts[k];
        let (model, state) = (built.world.model(), &built.world.state().bodies[placed.id.index()]);
        let gone = || EditError::Gone { what: "body", id: format!("{:?}", placed.id) };
        let body = model.bodies().get(placed.id).ok_or_else(|| (span.clone(), gone()))?;
        let add = Edit::AddBody {
            body: Box::new(body.clone()),
            at: placed.pose.at,
            orientation: placed.pose.orientation,
        };
        let Edit::RemoveBody(id) = self.edit(&span, add)? else {
            unreachable!("adding a body is undone by removing it")
        };
        if body.is_dynamic() {
            self.edit(
                &span,
                Edit::SetVelocity {
                    body: id,
                    velocity: state.velocity,
                    angular_velocity: state.angular_velocity,
                },
            )?;
        }
        Ok(id)
    }

    fn body(
        &mut self,
        span: Range<usize>,
        id: BodyId,
        (before, j): (&Built, usize),
        (after, k): (&Built, usize),
    ) -> Result<(), Refused> {
        let (was, is) = (&before.starts[j], &after.starts[k]);
        let [old, new] =
            [(before, was), (after, is)].map(|(built, p)| built.world.model().bodies().get(p.id));
        if let Some(new) = new
            && Some(new) != old
        {
            self.edit(&span, Edit::SetBody(id, Box::new(new.clone())))?;
        }
        // a kinematic body moves to its path
        let is_driven = new.is_some_and(|b| !b.is_dynamic() && b.carried(0.0).is_some());
        if was.pose != is.pose && !is_driven {
            let (at, orientation) = (is.pose.at, is.pose.orientation);
            self.edit(&span, Edit::SetPose { body: id, at, orientation })?;
        }
        let [was, is] = [(before, was), (after, is)].map(|(built, p)| {
            let state = &built.world.state().bodies[p.id.index()];
            (state.velocity, state.angular_velocity)
        });
        if was != is && new.is_some_and(|b| b.is_dynamic()) {
            self.edit(&span, Edit::SetVelocity { body: id, velocity: is.0, angular_velocity: is.1 })?;
        }
        Ok(())
    }

    /// Removes bodies that the new scene does not have; by then nothing of it is attached to them.
    fn remove_bodies(&mut self, old: &Scene, new: &Scene, ids: &[BodyId]) -> Result<(), Refused> {
        let kept = places(&new.bodies);
        for (entry, &id) in old.bodies.iter().zip(ids) {
            if !kept.contains_key(entry.name.as_str()) && self.world.model().bodies().get(id).is_some() {
                self.edit(&(0..0), Edit::RemoveBody(id))?;
            }
        }
        Ok(())
    }

    fn joints(
        &mut self,
        (old, was): (&Scene, &[Joint]),
        (new, is): (&Scene, &[Joint]),
        ids: &[JointId],
    ) -> Result<Vec<JointId>, Refused> {
        let (before, after) = (places(&old.joints), places(&new.joints));
        for (entry, &id) in old.joints.iter().zip(ids) {
            if !after.contains_key(entry.name.as_str()) && self.world.model().joints().get(id).is_some() {
                self.edit(&(0..0), Edit::RemoveJoint(id))?;
            }
        }
        let mut all = Vec::new();
        for (entry, joint) in new.joints.iter().zip(is) {
            let known = before.get(entry.name.as_str()).map(|&j| (ids[j], &was[j]));
            all.push(self.joint(&entry.span, known, joint)?);
        }
        Ok(all)
    }

    fn joint(
        &mut self,
        span: &Range<usize>,
        known: Option<(JointId, &Joint)>,
        joint: &Joint,
    ) -> Result<JointId, Refused> {
        match known {
            Some((id, old)) if same(old, joint) => Ok(id),
            Some((id, old)) if self.world.model().joints().get(id).is_some() => {
                if let Some(drives) = drives(old, joint) {
                    for (coordinate, axis) in drives {
                        let drive = axis.drive.clone();
                        self.edit(span, Edit::SetDrive { joint: id, coordinate, drive })?;
                    }
                } else if let Some(target) = target(old, joint) {
                    self.edit(span, Edit::MoveTether { joint: id, at: target.at, turn: target.turn })?;
                } else {
                    self.edit(span, Edit::SetJoint(id, Box::new(joint.clone())))?;
                }
                Ok(id)
            }
            _ => match self.edit(span, Edit::AddJoint(Box::new(joint.clone())))? {
                Edit::RemoveJoint(id) => Ok(id),
                _ => unreachable!("adding a joint is undone by removing it"),
            },
        }
    }

    fn forces(
        &mut self,
        (old, was): (&Scene, &[Force]),
        (new, is): (&Scene, &[Force]),
        ids: &[ForceId],
    ) -> Result<Vec<ForceId>, Refused> {
        let (before, after) = (places(&old.forces), places(&new.forces));
        let is_kept = |entry: &str| match (before.get(entry), after.get(entry)) {
            (Some(&j), Some(&k)) => same(&was[j], &is[k]),
            _ => false,
        };
        for (entry, &id) in old.forces.iter().zip(ids) {
            if !is_kept(&entry.name) && self.world.model().forces().get(id).is_some() {
                self.edit(&(0..0), Edit::RemoveForce(id))?;
            }
        }
        let mut all = Vec::new();
        for (entry, force) in new.forces.iter().zip(is) {
            all.push(match before.get(entry.name.as_str()) {
                Some(&j) if is_kept(&entry.name) => ids[j],
                _ => match self.edit(&entry.span, Edit::AddForce(Box::new(force.clone())))? {
                    Edit::RemoveForce(id) => id,
                    _ => unreachable!("adding a force is undone by removing it"),
                },
            });
        }
        Ok(all)
    }
}
