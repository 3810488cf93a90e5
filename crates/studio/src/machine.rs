//! A scene and its running world, with the hands that may hold some of its bodies.
//!
//! What a person does between two steps is a [`Deed`]. Deeds and steps are all that moves a machine, so a state, the
//! deeds after it and the number of steps give every later state to the bit: that is what `tape.rs` keeps.
//!
//! A new text is worked into the running world where that can be done, and such a world has other places for things than one built
//! of the text. So a machine knows its [`Origin`], and one that equals it can be made at any time, for a branch of another
//! text, for a ghost or for an export.
//!
//! What the hands hold is a part of the model (`hands.rs`), and is put in and taken out as states are recalled.

use crate::hands::{HANDS, Hand, Hands};
use crate::shelf::Item;
use glam::{DQuat, DVec3};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use windlass_engine::prelude::{BodyId, EditError, InputId, Report, State};
use windlass_scene::files::Folder;
use windlass_scene::{Built, Errors, Scene, parse, parse_with};

/// Texts that one run can take up, each of which is kept: a minute's work at the slider of a mass.
const MOST_CHANGES: usize = 200;

/// What a person does between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Deed {
    /// Wants a value of an input; none lets go.
    Want(InputId, Option<f64>),
    /// Takes hold of something with one of the hands.
    Grab(usize, Hand),
    /// Pulls it somewhere else in the world [m].
    Drag(usize, DVec3),
    /// Lets go of it.
    Release(usize),
}

/// A state, exactly, and what the hands hold in it.
#[derive(Debug, PartialEq)]
pub struct Key {
    /// Steps taken.
    pub step: u64,
    /// [s]
    pub time: f64,
    /// Deeds done since the machine was built.
    pub deeds: usize,
    bytes: Vec<u8>,
    held: [Option<Hand>; HANDS],
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
    hands: Hands,
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
        let hands = Hands::of(&mut built.world);
        Ok(Machine { item, origin, built, hands, deeds: 0 })
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
            machine.hands.settle(&mut machine.built.world).map_err(|e| e.to_string())?;
            machine.built.change(&old.scene, &next.scene).map_err(|e| e.to_string())?;
            machine.hands = Hands::of(&mut machine.built.world);
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

    /// Whether a hand holds something.
    pub fn holds(&self, hand: usize) -> bool {
        self.hands.held().get(hand).is_some_and(Option::is_some)
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
        let (world, hands) = (&mut self.built.world, &mut self.hands);
        match *deed {
            Deed::Want(input, value) => world.want(input, value)?,
            Deed::Grab(which, hand) => {
                hands.open(world, which)?;
                hands.hold(world, which, hand)?;
            }
            Deed::Drag(which, to) => hands.drag(world, which, to)?,
            Deed::Release(which) => hands.open(world, which)?,
        }
        self.deeds += 1;
        Ok(())
    }

    /// Opens both hands.
    pub fn let_go(&mut self) -> Result<(), EditError> {
        (0..HANDS).try_for_each(|which| self.hands.open(&mut self.built.world, which))
    }

    /// The state as it is.
    pub fn key(&self) -> Key {
        let state = self.built.world.state();
        let held = *self.hands.held();
        Key { step: state.step, time: state.time, deeds: self.deeds, bytes: state.to_bytes(), held }
    }

    /// Goes to a state of this model.
    pub fn recall(&mut self, key: &Key) -> Result<(), String> {
        let state = State::from_bytes(&key.bytes).map_err(|e| e.to_string())?;
        self.let_go().map_err(|e| e.to_string())?;
        for (which, hand) in key.held.iter().enumerate() {
            if let Some(hand) = *hand {
                self.hands.hold(&mut self.built.world, which, hand).map_err(|e| e.to_string())?;
            }
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

    /// Brings the world to another text of the scene, as it runs if it has begun and that can be done. The hands must be open: their
    /// joints are no part of any scene.
    pub fn change(&mut self, new: Scene) -> Result<Changed, Errors> {
        let key = Arc::new(self.key());
        let old = self.origin.clone();
        if self.step_count() == 0 {
            *self = Machine::at_start(self.item.clone(), Origin::start(new))?;
            return Ok(Changed::Anew);
        }
        // of hands that are open nothing is refused
        let _ = self.hands.settle(&mut self.built.world);
        match self.built.change(&old.scene, &new) {
            Ok(edits) if edits.is_empty() => {
                let (before, depth) = (old.before.clone(), old.depth);
                self.origin = Arc::new(Origin { scene: new, before, depth });
                Ok(Changed::Nothing)
            }
            Ok(_) => {
                self.hands = Hands::of(&mut self.built.world);
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

/// Origin and attitude of a body's axes; those of the world for one that is gone.
pub fn pose(built: &Built, id: BodyId) -> (DVec3, DQuat) {
    let body = built.world.model().bodies().get(id);
    let state = built.world.state().bodies.get(id.index());
    body.zip(state).map_or((DVec3::ZERO, DQuat::IDENTITY), |(body, state)| {
        (state.position - state.attitude * body.mass.center, state.attitude)
    })
}
