//! Dragging: two handles that pull bodies and cables of a machine.
//!
//! A handle is a drag spring (tether joint) scaled to the mass of the body, with a force of at most ten times its
//! weight. On a cable it is scaled to the mass of the whole cable. A cable of mass points, to which no joint can
//! attach, is pulled at one of its points by the same spring.
//!
//! Handles are part of the model, so their joints are removed and added again when a state with other handles is
//! recalled. The memory of a joint is in the state at the joint's index. Each handle therefore has an index of its own,
//! reserved while it holds nothing.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::{
    Anchor, Body, BodyId, CableId, Edit, EditError, Joint, JointId, MotionType, Spring, Tether, World,
};
use windlass_scene::PointCable;

/// Number of handles.
pub const HANDS: usize = 2;
/// The spring on cables, equal to the engine's tether on bodies: critically damped at 3 Hz [rad/s],
const PACE: f64 = std::f64::consts::TAU * 3.0;
/// and ten times the weight at most [m/s²].
const PULL: f64 = 98.1;

/// What a handle holds, and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag {
    /// What it holds.
    pub target: DragTarget,
    /// Target in the world [m].
    pub to: DVec3,
}

/// An entity that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DragTarget {
    /// A body, at a point in its axes [m].
    Body(BodyId, DVec3),
    /// An element of a cable, at a point in its axes [m].
    Element(CableId, BodyId, DVec3),
    /// A point of a cable of mass points.
    Point(PointCable, usize),
}

/// The two handles of a machine.
#[derive(Clone, Debug)]
pub struct Drags {
    /// The static body to which their targets are attached.
    ground: BodyId,
    /// None in a world without draggable bodies.
    places: Option<Places>,
    held: [Option<Drag>; HANDS],
}

/// The indices of the joints of the handles in the model.
#[derive(Clone, Copy, Debug)]
struct Places {
    joints: [JointId; HANDS],
    /// A body that can be dragged.
    body: BodyId,
}

impl Drags {
    /// Handles that hold nothing. A static body is added to the world if there is none.
    pub fn of(world: &mut World) -> Drags {
        let bodies = world.model().bodies();
        let first = |holds: fn(&Body) -> bool| {
            bodies.iter().find(|(_, body)| holds(body)).and_then(|(place, _)| bodies.id(place))
        };
        let (fixed, free) = (first(|body| matches!(body.kind, MotionType::Static)), first(Body::is_dynamic));
        let ground = fixed.unwrap_or_else(|| {
            let body = Body::fixed("the ground under the hand");
            world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).expect("a fixed body can stand anywhere")
        });
        let places = free.map(|body| {
            let anchors = [ground, body].map(|body| Anchor::point(body, DVec3::ZERO));
            let joints = [(); HANDS].map(|()| world.add_joint(Joint::new("a hand", Tether::new(anchors))));
            let joints = joints.map(|joint| joint.expect("any free body can be grabbed"));
            for id in joints {
                world.edit(Edit::RemoveJoint(id)).expect("a joint that was added can be removed");
            }
            Places { joints, body }
        });
        Drags { ground, places, held: [None; HANDS] }
    }

    /// Frees the indices of released handles in their order, as when the handles were made: the index that the next
    /// joint of the scene gets must not depend on earlier dragging.
    pub fn settle(&self, world: &mut World) -> Result<(), EditError> {
        let Some(Places { joints, body }) = self.places else { return Ok(()) };
        for which in 0..HANDS {
            let anchors = [self.ground, body].map(|body| Anchor::point(body, DVec3::ZERO));
            self.join(world, which, Tether::new(anchors))?;
        }
        joints.into_iter().try_for_each(|id| world.edit(Edit::RemoveJoint(id)).map(drop))
    }

    /// What the handles hold.
    pub fn held(&self) -> &[Option<Drag>; HANDS] {
        &self.held
    }

    /// Attaches a handle that holds nothing.
    pub fn grab(&mut self, world: &mut World, which: usize, drag: Drag) -> Result<(), EditError> {
        let target = Anchor::point(self.ground, self.on_ground(world, drag.to));
        match drag.target {
            DragTarget::Body(body, at) => {
                self.join(world, which, Tether::new([target, Anchor::point(body, at)]))?;
            }
            DragTarget::Element(cable, body, at) => {
                let cable = world.model().cables().get(cable);
                let mass = cable.map_or(0.0, |c| c.section.mass_per_length * c.length());
                let spring = Some(Spring::new(mass * PACE * PACE, 2.0 * mass * PACE));
                let anchors = [target, Anchor::point(body, at)];
                let grab = Tether { spring, force: Some(PULL * mass), ..Tether::new(anchors) };
                self.join(world, which, grab)?;
            }
            DragTarget::Point(cable, _) => {
                let own = self.own_tethers(world, cable);
                self.held[which] = Some(drag);
                if let Err(why) = self.lead(world, cable, own) {
                    self.held[which] = None;
                    return Err(why);
                }
            }
        }
        self.held[which] = Some(drag);
        Ok(())
    }

    /// Puts the joint of a handle at its index, whichever index the world would have assigned.
    fn join(&self, world: &mut World, which: usize, grab: Tether) -> Result<(), EditError> {
        let anywhere = world.add_joint(Joint::new("a hand", grab))?;
        let kept = world.edit(Edit::RemoveJoint(anywhere))?;
        match (kept, self.places) {
            (Edit::RestoreJoint(_, joint), Some(places)) => {
                world.edit(Edit::RestoreJoint(places.joints[which], joint)).map(drop)
            }
            _ => unreachable!("removing a joint is undone by restoring it, and what was grabbed was free"),
        }
    }

    /// The number of tethers of a cable without those of the handles.
    fn own_tethers(&self, world: &World, cable: PointCable) -> usize {
        cable.tethers(world).len().saturating_sub(self.on(cable).count())
    }

    /// The handles on a cable: point and target.
    fn on(&self, cable: PointCable) -> impl Iterator<Item = (usize, DVec3)> {
        self.held.iter().flatten().filter_map(move |drag| match drag.target {
            DragTarget::Point(id, point) if id == cable => Some((point, drag.to)),
            _ => None,
        })
    }

    /// Sets the tethers of a cable: its own, and those of the handles on it.
    fn lead(&self, world: &mut World, cable: PointCable, own: usize) -> Result<(), EditError> {
        let by_hand: Vec<_> = self.on(cable).collect();
        cable.lead(world, own, by_hand.into_iter(), (PULL, PULL / (PACE * PACE)))
    }

    /// Moves the target of a handle to a point of the world [m].
    pub fn drag(&mut self, world: &mut World, which: usize, to: DVec3) -> Result<(), EditError> {
        let Some(drag) = self.held[which] else { return Ok(()) };
        match (drag.target, self.places) {
            (DragTarget::Point(cable, _), _) => {
                let before = self.held[..which].iter().flatten();
                let before =
                    before.filter(|h| matches!(h.target, DragTarget::Point(id, _) if id == cable)).count();
                cable.move_tether(world, self.own_tethers(world, cable) + before, to)?;
            }
            (_, Some(places)) => {
                let at = self.on_ground(world, to);
                world.edit(Edit::MoveTether { joint: places.joints[which], at, turn: DQuat::IDENTITY })?;
            }
            (_, None) => {}
        }
        self.held[which] = Some(Drag { to, ..drag });
        Ok(())
    }

    /// Releases a handle.
    pub fn release(&mut self, world: &mut World, which: usize) -> Result<(), EditError> {
        let Some(drag) = self.held[which] else { return Ok(()) };
        if let DragTarget::Point(cable, _) = drag.target {
            let own = self.own_tethers(world, cable);
            self.held[which] = None;
            return self.lead(world, cable, own);
        }
        self.held[which] = None;
        match self.places {
            Some(places) => world.edit(Edit::RemoveJoint(places.joints[which])).map(drop),
            None => Ok(()),
        }
    }

    /// A point of the world in the axes of the ground.
    fn on_ground(&self, world: &World, point: DVec3) -> DVec3 {
        let body = world.model().bodies().get(self.ground);
        let state = world.state().bodies.get(self.ground.index());
        body.zip(state).map_or(point, |(body, state)| {
            let at = state.position - state.orientation * body.mass.center;
            state.orientation.inverse() * (point - at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        let text = "windlass = 2\n[bodies.post]\ntype = \"static\"\n[bodies.stone]\nmass = 1\n\
            shape = { sphere = { radius = 0.1 } }\n[cables.string]\nmodel = \"mass-points\"\n\
            section = { material = \"rubber\", diameter = \"10 mm\" }\nstart = { body = \"post\", at = [0, 0, 0] }\n\
            path = [[0, 0, 0], [0, 1, 0]]\nelements = 10\n";
        windlass_scene::parse(text, "test").and_then(|scene| scene.build()).expect("a scene").world
    }

    /// Whatever was held before, each handle returns to its index, and the scene's next joint gets the same one.
    #[test]
    fn places_do_not_depend_on_what_was_held_before() {
        let next = |story: &[(usize, bool)]| {
            let mut world = world();
            let mut hands = Drags::of(&mut world);
            let stone = world.model().body("stone").expect("a stone");
            let drag = Drag { target: DragTarget::Body(stone, DVec3::ZERO), to: DVec3::X };
            for (which, holds) in story {
                match holds {
                    true => hands.grab(&mut world, *which, drag).expect("it is free"),
                    false => hands.release(&mut world, *which).expect("it is held"),
                }
            }
            let places = hands.places.expect("there is a free body").joints;
            let held: Vec<_> = places.iter().map(|id| world.model().joints().get(*id).is_some()).collect();
            assert_eq!(held, hands.held.map(|drag| drag.is_some()), "each at its own place");
            (0..HANDS).try_for_each(|which| hands.release(&mut world, which)).expect("they open");
            hands.settle(&mut world).expect("they are open");
            let anchors = [hands.ground, stone].map(|body| Anchor::point(body, DVec3::ZERO));
            world.add_joint(Joint::new("next", Tether::new(anchors))).expect("it can be added").index()
        };
        let fresh = next(&[]);
        for story in [
            &[(0, true), (0, false)][..],
            &[(1, true), (0, true), (1, false), (0, false)],
            &[(0, true), (1, true), (0, false)],
            &[(1, true)],
        ] {
            assert_eq!(next(story), fresh, "{story:?}");
        }
    }

    #[test]
    fn both_hands_lead_one_cable() {
        let mut world = world();
        let mut hands = Drags::of(&mut world);
        let cable = PointCable::all(&world).next().expect("a cable");
        let leads = |world: &World| cable.tethers(world).collect::<Vec<_>>();
        let drag = |point| Drag { target: DragTarget::Point(cable, point), to: DVec3::X };
        hands.grab(&mut world, 1, drag(7)).expect("a point");
        hands.grab(&mut world, 0, drag(3)).expect("a point");
        hands.drag(&mut world, 1, DVec3::Y).expect("it is held");
        assert_eq!(leads(&world), [(3, DVec3::X), (7, DVec3::Y)]);
        hands.release(&mut world, 0).expect("it is held");
        assert_eq!(leads(&world), [(7, DVec3::Y)]);
        hands.release(&mut world, 1).expect("it is held");
        assert!(leads(&world).is_empty());
    }
}
