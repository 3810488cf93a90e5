//! A recording and a stage → the world at any frame, exact to the bit; and the proof that it is.
//!
//! Edits change the model, exact states do not hold it. So the player keeps count of the edits made to its
//! world. To be at frame s the world must have had all edits made before s, each made to the exact state it
//! was made to then, which the recording has; then the last exact state at or before s is put in, and the
//! rest is simulated. Going back over an edit needs a fresh world.

use crate::error::Error;
use crate::events::Edit;
use crate::recording::Recording;
use crate::stage::Stage;
use std::ops::{ControlFlow, RangeInclusive};
use windlass_engine::prelude::{Report, State, World};

/// Plays a recording.
#[derive(Debug)]
pub struct Player<S> {
    recording: Recording,
    stage: S,
    world: World,
    /// How many edits the world has had.
    made: usize,
    /// Whether the world is where the recording was at the world's step, after `made` edits.
    placed: bool,
}

/// Where the simulation starts anew while a recording is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// At the start only: the whole run is one. Ends at the first difference.
    Through,
    /// At every exact state: a late difference is found beside the earlier ones.
    FromKeys,
}

/// A step that came out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first step that differs after the state it was simulated from.
    pub step: u64,
    /// The step it was simulated from.
    pub from: u64,
    /// The recorded hash.
    pub recorded: u64,
    /// The hash of the simulated state.
    pub found: u64,
    /// What the engine said if it refused the step.
    pub fault: Option<String>,
}

/// What verifying found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Frames that were compared.
    pub frames: u64,
    /// How often the simulation started from an exact state.
    pub starts: u64,
    /// At most one for each start.
    pub differences: Vec<Difference>,
}

impl Verdict {
    /// Whether every frame was repeated to the bit.
    pub fn is_good(&self) -> bool {
        self.differences.is_empty()
    }
}

/// What comparing the frames between two exact states found.
#[derive(Debug, Default)]
struct Span {
    right: u64,
    difference: Option<Difference>,
    /// The caller has seen enough.
    ended: bool,
}

impl<S: Stage> Player<S> {
    /// Goes to the first frame.
    pub fn new(recording: Recording, mut stage: S) -> Result<Player<S>, Error> {
        let world = stage.rebuild().map_err(Error::Rebuild)?;
        let first = recording.steps().map_or(0, |steps| *steps.start());
        let mut player = Player { recording, stage, world, made: 0, placed: false };
        player.seek(first)?;
        Ok(player)
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to be asked what needs it whole, as `World::inspect` does. Its state and model must stay.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The stage.
    pub fn stage(&self) -> &S {
        &self.stage
    }

    /// The recording.
    pub fn recording(&mut self) -> &mut Recording {
        &mut self.recording
    }

    /// The recording and the world at its frame: what a branch needs.
    pub fn parts(&mut self) -> (&mut Recording, &World) {
        (&mut self.recording, &self.world)
    }

    /// Hands everything over; the caller simulates on.
    pub fn into_parts(self) -> (Recording, S, World) {
        (self.recording, self.stage, self.world)
    }

    /// Goes to a frame: the world is as its step left it, before the edits made at it.
    ///
    /// An error if the world that results is not the recorded one, which another build may bring about.
    pub fn seek(&mut self, step: u64) -> Result<&World, Error> {
        let recorded = self.recording.hash(step)?;
        let (key, state) = self.recording.key_at_or_before(step)?;
        let here = self.world.state().step;
        // simulate on from here if no exact state is nearer; edits made at the frame itself must be undone
        let edited = here == step && self.made > self.recording.edits_before(step);
        if !self.placed || edited || !(key..=step).contains(&here) {
            self.put(key, state)?;
        }
        while self.world.state().step < step {
            let at = self.world.state().step;
            if let Some(fault) = self.advance()?.fault {
                return Err(Error::Fault { step: at, what: fault.to_string() });
            }
        }
        let found = self.world.state().hash();
        if found == recorded {
            return Ok(&self.world);
        }
        self.placed = false;
        let build = self.recording.header().build.clone();
        Err(Error::Diverged { step, recorded, found, build })
    }

    /// Makes the edits recorded at this frame, then steps.
    pub fn advance(&mut self) -> Result<Report, Error> {
        self.make_edits()?;
        Ok(self.world.step())
    }

    /// Makes the edits recorded at this frame: the world is as the next step finds it.
    pub fn make_edits(&mut self) -> Result<(), Error> {
        let next = self.world.state().step + 1;
        let edits = self.recording.edits_before(next);
        while self.made < edits {
            self.make_edit()?;
        }
        Ok(())
    }

    /// Simulates the recording again and compares every frame. `watch` is told each step; if it breaks, this
    /// ends with what was found so far.
    pub fn verify(
        &mut self,
        how: Verify,
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Verdict, Error> {
        let mut verdict = Verdict::default();
        let Some(steps) = self.recording.steps() else { return Ok(verdict) };
        let starts = match how {
            Verify::Through => vec![*steps.start()],
            Verify::FromKeys => self.recording.keys(),
        };
        for (i, from) in starts.iter().enumerate() {
            // as far as the next exact state: it must be reached, too
            let end = starts.get(i + 1).unwrap_or(steps.end());
            let (key, state) = self.recording.key_at_or_before(*from)?;
            self.put(key, state)?;
            verdict.starts += 1;
            let found = self.compare(*from..=*end, &mut watch)?;
            // the first of each span is the last of the one before
            verdict.frames += found.right - (i > 0 && found.right > 0) as u64;
            verdict.differences.extend(found.difference);
            if found.ended {
                break;
            }
        }
        Ok(verdict)
    }

    /// Simulates over steps and compares those that have frames, up to the first that is not right.
    fn compare(
        &mut self,
        steps: RangeInclusive<u64>,
        watch: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Span, Error> {
        let from = *steps.start();
        let mut span = Span::default();
        for step in steps {
            let fault = if step > from { self.advance()?.fault } else { None };
            // frames of a gap are simulated; there is nothing to compare them with
            let recorded =
                if self.recording.contains(step) { Some(self.recording.hash(step)?) } else { None };
            let found = self.world.state().hash();
            if fault.is_some() || recorded.is_some_and(|hash| hash != found) {
                self.placed = false;
                let (recorded, fault) = (recorded.unwrap_or(0), fault.map(|f| f.to_string()));
                span.difference = Some(Difference { step, from, recorded, found, fault });
                break;
            }
            span.right += recorded.is_some() as u64;
            if watch(step).is_break() {
                span.ended = true;
                break;
            }
        }
        Ok(span)
    }

    /// Puts the world into an exact state, with all edits made before it.
    fn put(&mut self, key: u64, state: State) -> Result<(), Error> {
        let edits = self.recording.edits_before(key);
        let undone = self.recording.edits().get(edits..self.made);
        if self.made > edits && undone.is_some_and(|list| list.iter().all(Edit::is_command)) {
            // commands leave nothing behind in a world whose state is put in
            self.made = edits;
        }
        if self.made > edits {
            self.world = self.stage.rebuild().map_err(Error::Rebuild)?;
            self.made = 0;
        }
        self.placed = false;
        while self.made < edits {
            let step = self.recording.edits()[self.made].step;
            let of_step = self.recording.edits()[self.made..].iter().take_while(|e| e.step == step);
            // commands change nothing but the state, and that is about to be put in
            let Some(stated) = of_step.into_iter().position(|e| !e.is_command()) else {
                self.made += 1;
                continue;
            };
            let bytes = self.recording.state_of_edit(self.made + stated)?;
            let state = self.recording.state(step, &bytes)?;
            self.restore(step, state)?;
            while self.recording.edits().get(self.made).is_some_and(|e| e.step == step) {
                self.make_edit()?;
            }
        }
        self.restore(key, state)?;
        self.placed = true;
        Ok(())
    }

    fn restore(&mut self, step: u64, state: State) -> Result<(), Error> {
        self.world.restore(state).map_err(|source| Error::Unfit { step, source })
    }

    /// Makes the next edit.
    fn make_edit(&mut self) -> Result<(), Error> {
        let edit = &self.recording.edits()[self.made];
        let Edit { step, key, value } = edit;
        let made = match edit.command() {
            Some(key) => self.stage.command(&mut self.world, key, value),
            None => self.stage.apply(&mut self.world, key, value),
        };
        if let Err(source) = made {
            // half an edit may have been made: only a fresh world will do
            self.made = usize::MAX;
            self.placed = false;
            return Err(Error::Edit { step: *step, key: key.clone(), source });
        }
        self.made += 1;
        Ok(())
    }
}
