//! Two hands that pull at the machine. A hand is the engine's grab: a spring made for the body's mass, its force at most ten times the
//! body's weight. On a cable it is made for the mass of the whole cable; a strand, whose points no joint can hold, is led by one of
//! them with the same spring.
//!
//! Hands are a part of the model, so they are taken out and put in again when a state with others is recalled. What a joint remembers
//! stands in the state at the joint's place; so each hand has a place of its own, kept free while it is open.

use glam::{DQuat, DVec3};
use windlass_engine::prelude::{
    Anchor, Body, BodyId, CableId, Edit, EditError, Grab, Joint, JointId, Kind, Lead, Spring, Strand,
    StrandId, World,
};

/// How many there are.
pub const HANDS: usize = 2;
/// The spring on cables: that of the engine's grab on bodies, critically damped at 3 Hz [rad/s],
const PACE: f64 = std::f64::consts::TAU * 3.0;
/// and ten times the weight at most [m/s²].
const PULL: f64 = 98.1;

/// What a hand holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hand {
    /// What it holds.
    pub held: Held,
    /// Where to, in the world [m].
    pub to: DVec3,
}

/// Something a hand can hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// A body, at a point in its axes [m].
    Body(BodyId, DVec3),
    /// An element of a cable, at a point in its axes [m].
    Element(CableId, BodyId, DVec3),
    /// A point of a strand.
    Point(StrandId, usize),
}

/// The hands of a machine.
#[derive(Debug)]
pub struct Hands {
    /// The body that their targets are on, which never moves.
    ground: BodyId,
    /// None in a world in which nothing can be grabbed.
    places: Option<Places>,
    held: [Option<Hand>; HANDS],
}

/// Where the joints of the hands stand in the model.
#[derive(Clone, Copy, Debug)]
struct Places {
    joints: [JointId; HANDS],
    /// A body that can be grabbed.
    body: BodyId,
}

impl Hands {
    /// Open hands for a world. A fixed body is added where there is none.
    pub fn of(world: &mut World) -> Hands {
        let bodies = world.model().bodies();
        let first = |holds: fn(&Body) -> bool| {
            bodies.iter().find(|(_, body)| holds(body)).and_then(|(place, _)| bodies.id(place))
        };
        let (fixed, free) = (first(|body| matches!(body.kind, Kind::Fixed)), first(Body::is_free));
        let ground = fixed.unwrap_or_else(|| {
            let body = Body::fixed("the ground under the hand");
            world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).expect("a fixed body can stand anywhere")
        });
        let places = free.map(|body| {
            let anchors = [ground, body].map(|body| Anchor::point(body, DVec3::ZERO));
            let joints = [(); HANDS].map(|()| world.add_joint(Joint::new("a hand", Grab::new(anchors))));
            let joints = joints.map(|joint| joint.expect("any free body can be grabbed"));
            for id in joints {
                world.edit(Edit::RemoveJoint(id)).expect("a joint that was added can be removed");
            }
            Places { joints, body }
        });
        Hands { ground, places, held: [None; HANDS] }
    }

    /// Frees the places of the open hands in their order, as they were when the hands were made: which place the next joint
    /// of the scene gets must not depend on what was held before.
    pub fn settle(&self, world: &mut World) -> Result<(), EditError> {
        let Some(Places { joints, body }) = self.places else { return Ok(()) };
        for which in 0..HANDS {
            let anchors = [self.ground, body].map(|body| Anchor::point(body, DVec3::ZERO));
            self.join(world, which, Grab::new(anchors))?;
        }
        joints.into_iter().try_for_each(|id| world.edit(Edit::RemoveJoint(id)).map(drop))
    }

    /// What they hold.
    pub fn held(&self) -> &[Option<Hand>; HANDS] {
        &self.held
    }

    /// Takes hold with a hand that is open.
    pub fn hold(&mut self, world: &mut World, which: usize, hand: Hand) -> Result<(), EditError> {
        let target = Anchor::point(self.ground, self.on_ground(world, hand.to));
        match hand.held {
            Held::Body(body, at) => {
                self.join(world, which, Grab::new([target, Anchor::point(body, at)]))?;
            }
            Held::Element(cable, body, at) => {
                let cable = world.model().cables().get(cable);
                let mass = cable.map_or(0.0, |c| c.section.mass_per_length * c.length());
                let spring = Some(Spring::new(mass * PACE * PACE, 2.0 * mass * PACE));
                let anchors = [target, Anchor::point(body, at)];
                let grab = Grab { spring, force: Some(PULL * mass), ..Grab::new(anchors) };
                self.join(world, which, grab)?;
            }
            Held::Point(strand, _) => {
                let own = self.own_leads(world, strand);
                self.held[which] = Some(hand);
                if let Err(why) = self.lead(world, strand, own) {
                    self.held[which] = None;
                    return Err(why);
                }
            }
        }
        self.held[which] = Some(hand);
        Ok(())
    }

    /// Puts a hand's joint at its place, whichever place the world would have given it.
    fn join(&self, world: &mut World, which: usize, grab: Grab) -> Result<(), EditError> {
        let anywhere = world.add_joint(Joint::new("a hand", grab))?;
        let kept = world.edit(Edit::RemoveJoint(anywhere))?;
        match (kept, self.places) {
            (Edit::RestoreJoint(_, joint), Some(places)) => {
                world.edit(Edit::RestoreJoint(places.joints[which], joint)).map(drop)
            }
            _ => unreachable!("removing a joint is undone by restoring it, and what was grabbed was free"),
        }
    }

    /// How many leads a strand has beside those of the hands.
    fn own_leads(&self, world: &World, strand: StrandId) -> usize {
        let all = world.model().strands().get(strand).map_or(0, |s| s.leads.len());
        all.saturating_sub(self.on(strand).count())
    }

    /// The hands on a strand: its point and its target.
    fn on(&self, strand: StrandId) -> impl Iterator<Item = (usize, DVec3)> {
        self.held.iter().flatten().filter_map(move |hand| match hand.held {
            Held::Point(id, point) if id == strand => Some((point, hand.to)),
            _ => None,
        })
    }

    /// Leads a strand by its own leads and by the hands that are on it.
    fn lead(&self, world: &mut World, strand: StrandId, own: usize) -> Result<(), EditError> {
        let Some(led) = world.model().strands().get(strand) else { return Ok(()) };
        let by_hand = self.on(strand).map(|(point, target)| lead(led, point, target));
        let leads = led.leads.iter().take(own).cloned().chain(by_hand).collect();
        world.edit(Edit::SetStrandLeads(strand, leads)).map(drop)
    }

    /// Pulls what a hand holds somewhere else.
    pub fn drag(&mut self, world: &mut World, which: usize, to: DVec3) -> Result<(), EditError> {
        let Some(hand) = self.held[which] else { return Ok(()) };
        match (hand.held, self.places) {
            (Held::Point(strand, _), _) => {
                let before = self.held[..which].iter().flatten();
                let before = before.filter(|h| matches!(h.held, Held::Point(id, _) if id == strand)).count();
                let lead = self.own_leads(world, strand) + before;
                world.edit(Edit::MoveStrandTarget { strand, lead, target: to })?;
            }
            (_, Some(places)) => {
                let at = self.on_ground(world, to);
                world.edit(Edit::MoveGrab { joint: places.joints[which], at, turn: DQuat::IDENTITY })?;
            }
            (_, None) => {}
        }
        self.held[which] = Some(Hand { to, ..hand });
        Ok(())
    }

    /// Opens a hand.
    pub fn open(&mut self, world: &mut World, which: usize) -> Result<(), EditError> {
        let Some(hand) = self.held[which] else { return Ok(()) };
        if let Held::Point(strand, _) = hand.held {
            let own = self.own_leads(world, strand);
            self.held[which] = None;
            return self.lead(world, strand, own);
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
            let at = state.position - state.attitude * body.mass.center;
            state.attitude.inverse() * (point - at)
        })
    }
}

/// A hand at a point of a strand.
fn lead(strand: &Strand, point: usize, target: DVec3) -> Lead {
    let mass = strand.cord.mass * strand.length;
    Lead { point, target, force: PULL * mass, reach: PULL / (PACE * PACE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        let text = "windlass = 1\n[bodies.post]\nkind = \"fixed\"\n[bodies.stone]\nmass = 1\n\
            shape = { sphere = { radius = 0.1 } }\n[cables.string]\nmodel = \"mass-points\"\n\
            section = { material = \"rubber\", diameter = \"10 mm\" }\nstart = { body = \"post\", at = [0, 0, 0] }\n\
            path = [[0, 0, 0], [0, 1, 0]]\nelements = 10\n";
        windlass_scene::parse(text, "test").and_then(|scene| scene.build()).expect("a scene").world
    }

    /// Whatever was held before, each hand comes back to its place, and the scene's next joint gets the same one.
    #[test]
    fn places_do_not_depend_on_what_was_held_before() {
        let next = |story: &[(usize, bool)]| {
            let mut world = world();
            let mut hands = Hands::of(&mut world);
            let stone = world.model().body("stone").expect("a stone");
            let hand = Hand { held: Held::Body(stone, DVec3::ZERO), to: DVec3::X };
            for (which, holds) in story {
                match holds {
                    true => hands.hold(&mut world, *which, hand).expect("it is free"),
                    false => hands.open(&mut world, *which).expect("it is held"),
                }
            }
            let places = hands.places.expect("there is a free body").joints;
            let held: Vec<_> = places.iter().map(|id| world.model().joints().get(*id).is_some()).collect();
            assert_eq!(held, hands.held.map(|hand| hand.is_some()), "each at its own place");
            (0..HANDS).try_for_each(|which| hands.open(&mut world, which)).expect("they open");
            hands.settle(&mut world).expect("they are open");
            let anchors = [hands.ground, stone].map(|body| Anchor::point(body, DVec3::ZERO));
            world.add_joint(Joint::new("next", Grab::new(anchors))).expect("it can be added").index()
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
    fn both_hands_lead_one_strand() {
        let mut world = world();
        let mut hands = Hands::of(&mut world);
        let (place, _) = world.model().strands().iter().next().expect("a strand");
        let strand = world.model().strands().id(place).expect("it is there");
        let leads = |world: &World| {
            let strand = world.model().strands().get(strand).expect("it is there");
            strand.leads.iter().map(|lead| (lead.point, lead.target)).collect::<Vec<_>>()
        };
        let hand = |point| Hand { held: Held::Point(strand, point), to: DVec3::X };
        hands.hold(&mut world, 1, hand(7)).expect("a point");
        hands.hold(&mut world, 0, hand(3)).expect("a point");
        hands.drag(&mut world, 1, DVec3::Y).expect("it is held");
        assert_eq!(leads(&world), [(3, DVec3::X), (7, DVec3::Y)]);
        hands.open(&mut world, 0).expect("it is held");
        assert_eq!(leads(&world), [(7, DVec3::Y)]);
        hands.open(&mut world, 1).expect("it is held");
        assert!(leads(&world).is_empty());
    }
}
