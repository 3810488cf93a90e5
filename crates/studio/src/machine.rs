//! A scene and its running world, with the hand that may hold one of its bodies.
//!
//! What a person does between two steps is a [`Deed`]. Deeds and steps are all that moves a machine, so a state, the
//! deeds after it and the number of steps give every later state to the bit: that is what `tape.rs` keeps.
//!
//! A new text is worked into the running world where that can be done, and such a world has other places for things than one built
//! of the text. So a machine knows its [`Origin`], and one that equals it can be made at any time, for a branch of another
//! text, for a ghost or for an export.
//!
//! The hand is the engine's grab: a spring made for the body's mass, its force at most ten times the body's weight. On a cable it is
//! made for the mass of the whole cable; a strand, whose points no joint can hold, is led by one of them with the same spring.
//! It is a part of the model, so it is taken out and put in again when a state without or with one is recalled.

use crate::shelf::Item;
use glam::{DQuat, DVec3};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use windlass_engine::prelude::{
    Anchor, Body, BodyId, CableId, Edit, EditError, Grab, InputId, Joint, JointId, Kind, Lead, Report,
    Spring, State, StrandId,
};
use windlass_scene::files::Folder;
use windlass_scene::{Built, Errors, Scene, parse, parse_with};

/// Texts that one run can take up, each of which is kept: a minute's work at the slider of a mass.
const MOST_CHANGES: usize = 200;

/// The hand's spring on cables: that of the engine's grab on bodies, critically damped at 3 Hz [rad/s],
const PACE: f64 = std::f64::consts::TAU * 3.0;
/// and ten times the weight at most [m/s²].
const PULL: f64 = 98.1;

/// What a person does between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// Wants a value of an input; none lets go.
    Want(InputId, Option<f64>),
    /// Takes hold of something.
    Grab(Hand),
    /// Pulls it somewhere else in the world [m].
    Drag(DVec3),
    /// Lets go of it.
    Release,
}

/// What the hand holds.
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

/// How it is held.
#[derive(Debug)]
enum Grip {
    /// By a joint.
    Joint(JointId),
    /// As the last of the leads of a strand.
    Lead(StrandId),
}

/// A state, exactly, and what the hand holds in it.
#[derive(Debug, PartialEq)]
pub struct Key {
    /// Steps taken.
    pub step: u64,
    /// [s]
    pub time: f64,
    /// Deeds done since the machine was built.
    pub deeds: usize,
    bytes: Vec<u8>,
    hand: Option<Hand>,
}

impl Key {
    /// What it takes [bytes].
    pub fn size(&self) -> usize {
        self.bytes.len() + size_of::<Key>()
    }
}

/// How a step went.
pub enum Stepped {
    /// It was taken.
    Taken(Box<Report>),
    /// It was not; why. The state is the last good one.
    Fault(String),
    /// It was not, and what the world is now nobody knows: it must be built and recalled.
    Broken(String),
}

/// What became of a new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Nothing that moves: colours, cameras, comments.
    Nothing,
    /// The model; the state went on.
    Model,
    /// Everything: it begins anew.
    Anew,
}

/// What a world is made of: a scene, built as it starts or worked into the run of another.
#[derive(Debug)]
pub struct Origin {
    /// The scene as it was read.
    pub scene: Scene,
    /// What it was worked into, and the state then.
    before: Option<(Arc<Origin>, Arc<Key>)>,
    /// How many stand before it.
    depth: usize,
}

impl Origin {
    /// A scene as it starts.
    fn start(scene: Scene) -> Arc<Origin> {
        Arc::new(Origin { scene, before: None, depth: 0 })
    }
}

/// A scene and its running world.
#[derive(Debug)]
pub struct Machine {
    /// Where the scene is from.
    pub item: Item,
    /// What the world is made of.
    pub origin: Arc<Origin>,
    /// What was built of it.
    pub built: Built,
    /// The body that the hand's target is on, which never moves.
    ground: BodyId,
    /// What is held, and how.
    held: Option<(Hand, Grip)>,
    /// Deeds done so far.
    deeds: usize,
}

impl Machine {
    /// Reads and builds a scene.
    pub fn new(item: Item) -> Result<Machine, Errors> {
        let origin = Origin::start(item.read()?);
        Machine::at_start(item, origin)
    }

    fn at_start(item: Item, origin: Arc<Origin>) -> Result<Machine, Errors> {
        let mut built = origin.scene.build()?;
        let ground = ground(&mut built);
        Ok(Machine { item, origin, built, ground, held: None, deeds: 0 })
    }

    /// A world equal to the one of an origin, to be brought to one of its states.
    pub fn of(item: Item, origin: &Arc<Origin>) -> Result<Machine, String> {
        let mut chain = vec![origin];
        while let Some((earlier, _)) = chain.last().and_then(|o| o.before.as_ref()) {
            chain.push(earlier);
        }
        let first = chain.pop().unwrap_or(origin);
        let mut machine = Machine::at_start(item, first.clone()).map_err(|e| e.to_string())?;
        for next in chain.into_iter().rev() {
            if let Some((_, key)) = &next.before {
                machine.recall(key)?;
            }
            let old = machine.origin.clone();
            machine.built.change(&old.scene, &next.scene).map_err(|e| e.to_string())?;
            machine.ground = ground(&mut machine.built);
            machine.origin = next.clone();
        }
        Ok(machine)
    }

    /// Builds the scene once more, as it starts.
    pub fn restart(&mut self) -> Result<(), Errors> {
        let scene = self.origin.scene.clone();
        *self = Machine::at_start(self.item.clone(), Origin::start(scene))?;
        Ok(())
    }

    /// The scene's own text.
    pub fn text(&self) -> &str {
        self.origin.scene.sources.iter().next().map_or("", |source| &source.text)
    }

    /// Time of the state [s].
    pub fn time(&self) -> f64 {
        self.built.world.state().time
    }

    /// Steps taken.
    pub fn step_count(&self) -> u64 {
        self.built.world.state().step
    }

    /// Length of a step [s].
    pub fn dt(&self) -> f64 {
        self.built.world.model().settings().dt
    }

    /// Deeds done so far.
    pub fn deeds(&self) -> usize {
        self.deeds
    }

    /// What the hand holds.
    pub fn hand(&self) -> Option<&Hand> {
        self.held.as_ref().map(|(hand, _)| hand)
    }

    /// Takes a step.
    pub fn step(&mut self) -> Stepped {
        let world = &mut self.built.world;
        match catch_unwind(AssertUnwindSafe(|| world.step())) {
            Ok(report) => match &report.fault {
                None => Stepped::Taken(Box::new(report)),
                Some(fault) => Stepped::Fault(fault.to_string()),
            },
            Err(_) => {
                Stepped::Broken("the step failed inside the engine, which is a bug of Windlass".to_string())
            }
        }
    }

    /// Does a deed.
    pub fn act(&mut self, deed: &Deed) -> Result<(), EditError> {
        match *deed {
            Deed::Want(input, value) => self.built.world.want(input, value)?,
            Deed::Grab(hand) => {
                self.let_go()?;
                self.hold(hand)?;
            }
            Deed::Drag(to) => self.drag(to)?,
            Deed::Release => self.let_go()?,
        }
        self.deeds += 1;
        Ok(())
    }

    fn hold(&mut self, hand: Hand) -> Result<(), EditError> {
        let target = Anchor::point(self.ground, self.on_ground(hand.to));
        let world = &mut self.built.world;
        let grip = match hand.held {
            Held::Body(body, at) => {
                let grab = Grab::new([target, Anchor::point(body, at)]);
                Grip::Joint(world.add_joint(Joint::new("the hand", grab))?)
            }
            Held::Element(cable, body, at) => {
                let cable = world.model().cables().get(cable);
                let mass = cable.map_or(0.0, |c| c.section.mass_per_length * c.length());
                let spring = Some(Spring::new(mass * PACE * PACE, 2.0 * mass * PACE));
                let anchors = [target, Anchor::point(body, at)];
                let grab = Grab { spring, force: Some(PULL * mass), ..Grab::new(anchors) };
                Grip::Joint(world.add_joint(Joint::new("the hand", grab))?)
            }
            Held::Point(strand, point) => {
                let mut leads = Vec::new();
                if let Some(strand) = world.model().strands().get(strand) {
                    let mass = strand.cord.mass * strand.length;
                    leads.clone_from(&strand.leads);
                    leads.push(Lead {
                        point,
                        target: hand.to,
                        force: PULL * mass,
                        reach: PULL / (PACE * PACE),
                    });
                }
                world.edit(Edit::SetStrandLeads(strand, leads))?;
                Grip::Lead(strand)
            }
        };
        self.held = Some((hand, grip));
        Ok(())
    }

    fn drag(&mut self, to: DVec3) -> Result<(), EditError> {
        let at = self.on_ground(to);
        if let Some((hand, grip)) = &mut self.held {
            let world = &mut self.built.world;
            match *grip {
                Grip::Joint(joint) => world.edit(Edit::MoveGrab { joint, at, turn: DQuat::IDENTITY })?,
                Grip::Lead(strand) => {
                    let leads = world.model().strands().get(strand).map_or(0, |s| s.leads.len());
                    world.edit(Edit::MoveStrandTarget {
                        strand,
                        lead: leads.saturating_sub(1),
                        target: to,
                    })?
                }
            };
            hand.to = to;
        }
        Ok(())
    }

    /// Lets go of what the hand holds.
    pub fn let_go(&mut self) -> Result<(), EditError> {
        let Some((_, grip)) = self.held.take() else { return Ok(()) };
        let world = &mut self.built.world;
        match grip {
            Grip::Joint(joint) => world.edit(Edit::RemoveJoint(joint))?,
            Grip::Lead(strand) => {
                let mut leads =
                    world.model().strands().get(strand).map_or_else(Vec::new, |s| s.leads.clone());
                leads.pop();
                world.edit(Edit::SetStrandLeads(strand, leads))?
            }
        };
        Ok(())
    }

    /// A point of the world in the axes of the ground.
    fn on_ground(&self, point: DVec3) -> DVec3 {
        let (at, turn) = pose(&self.built, self.ground);
        turn.inverse() * (point - at)
    }

    /// The state as it is.
    pub fn key(&self) -> Key {
        let state = self.built.world.state();
        let hand = self.hand().copied();
        Key { step: state.step, time: state.time, deeds: self.deeds, bytes: state.to_bytes(), hand }
    }

    /// Goes to a state of this model.
    pub fn recall(&mut self, key: &Key) -> Result<(), String> {
        let state = State::from_bytes(&key.bytes).map_err(|e| e.to_string())?;
        self.let_go().map_err(|e| e.to_string())?;
        if let Some(hand) = key.hand {
            self.hold(hand).map_err(|e| e.to_string())?;
        }
        self.built.world.restore(state).map_err(|e| e.to_string())?;
        self.deeds = key.deeds;
        Ok(())
    }

    /// Reads another text of the scene.
    pub fn read(&self, text: &str) -> Result<Scene, Errors> {
        let name = self.item.file_name();
        match &self.item.file {
            Some(path) => parse_with(text, &name, Arc::new(Folder::of(path)), &[]),
            None => parse(text, &name),
        }
    }

    /// Whether this run can take up yet another text.
    pub fn can_change(&self) -> bool {
        self.step_count() == 0 || self.origin.depth < MOST_CHANGES
    }

    /// Brings the world to another text of the scene, as it runs if it has begun and that can be done. The hand must be empty: its
    /// joint is no part of any scene.
    pub fn change(&mut self, new: Scene) -> Result<Changed, Errors> {
        let key = Arc::new(self.key());
        let old = self.origin.clone();
        if self.step_count() == 0 {
            *self = Machine::at_start(self.item.clone(), Origin::start(new))?;
            return Ok(Changed::Anew);
        }
        match self.built.change(&old.scene, &new) {
            Ok(edits) if edits.is_empty() => {
                let (before, depth) = (old.before.clone(), old.depth);
                self.origin = Arc::new(Origin { scene: new, before, depth });
                Ok(Changed::Nothing)
            }
            Ok(_) => {
                self.ground = ground(&mut self.built);
                let depth = old.depth + 1;
                self.origin = Arc::new(Origin { scene: new, before: Some((old, key)), depth });
                Ok(Changed::Model)
            }
            // wrong in itself, which the build tells, or only too far from what runs
            Err(_) => {
                *self = Machine::at_start(self.item.clone(), Origin::start(new))?;
                Ok(Changed::Anew)
            }
        }
    }
}

/// A body that never moves, for the hand's target; one is added where there is none. Keeps a place for the hand's joint, so that
/// states with and without it fit the same model.
fn ground(built: &mut Built) -> BodyId {
    let bodies = built.world.model().bodies();
    let first = |holds: fn(&Body) -> bool| {
        bodies.iter().find(|(_, body)| holds(body)).and_then(|(place, _)| bodies.id(place))
    };
    let (fixed, free) = (first(|body| matches!(body.kind, Kind::Fixed)), first(Body::is_free));
    let ground = fixed.unwrap_or_else(|| {
        let body = Body::fixed("the ground under the hand");
        built.world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).expect("a fixed body can stand anywhere")
    });
    if let Some(free) = free {
        let anchors = [ground, free].map(|body| Anchor::point(body, DVec3::ZERO));
        let joint = built.world.add_joint(Joint::new("the hand", Grab::new(anchors)));
        let taken = joint.and_then(|id| built.world.edit(Edit::RemoveJoint(id)));
        taken.expect("any free body can be grabbed and let go");
    }
    ground
}

/// Origin and attitude of a body's axes; those of the world for one that is gone.
pub fn pose(built: &Built, id: BodyId) -> (DVec3, DQuat) {
    let body = built.world.model().bodies().get(id);
    let state = built.world.state().bodies.get(id.index());
    body.zip(state).map_or((DVec3::ZERO, DQuat::IDENTITY), |(body, state)| {
        (state.position - state.attitude * body.mass.center, state.attitude)
    })
}
