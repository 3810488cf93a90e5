//! Restores the world at any frame of a recording, bit for bit, and verifies it.
//!
//! Edits change the model, which keyframes do not contain. The player therefore counts the edits made to its world. To
//! restore frame s, the world must have had all edits made before s, each applied to its keyframe of the recording.
//! Then the last keyframe at or before s is loaded, and the rest is simulated. Going back over an edit needs a new
//! world.

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
    /// The number of edits that the world has had.
    made: usize,
    /// Whether the world matches the recording at the world's step, after `made` edits.
    placed: bool,
}

/// The states from which the simulation restarts during verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// Only the start: the run is simulated as a whole. Ends at the first difference.
    Through,
    /// Every keyframe: a later difference is found in addition to earlier ones.
    FromKeys,
}

/// A step with a different result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The first step that differs after the state from which it was simulated.
    pub step: u64,
    /// The step from which it was simulated.
    pub from: u64,
    /// The recorded hash.
    pub recorded: u64,
    /// The hash of the simulated state.
    pub found: u64,
    /// The error of the engine, if it rejected the step.
    pub fault: Option<String>,
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The number of compared frames.
    pub frames: u64,
    /// The number of keyframes from which the simulation started.
    pub starts: u64,
    /// At most one for each start.
    pub differences: Vec<Difference>,
}

impl Verdict {
    /// Whether every frame was reproduced bit for bit.
    pub fn is_good(&self) -> bool {
        self.differences.is_empty()
    }
}

/// The result of comparing the frames between two keyframes.
#[derive(Debug, Default)]
struct Span {
    right: u64,
    difference: Option<Difference>,
    /// The caller stopped.
    ended: bool,
}

impl<S: Stage> Player<S> {
    /// Starts at the first frame.
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

    /// The world, for queries that need it mutable, such as `World::inspect`. Its state and model must not change.
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

    /// The recording and the world at its frame, for a branch.
    pub fn parts(&mut self) -> (&mut Recording, &World) {
        (&mut self.recording, &self.world)
    }

    /// Returns all parts; the caller continues the simulation.
    pub fn into_parts(self) -> (Recording, S, World) {
        (self.recording, self.stage, self.world)
    }

    /// Goes to a frame: the world after its step, before the edits made at it.
    ///
    /// Returns an error if the resulting world is not the recorded one, which can happen with another build.
    pub fn seek(&mut self, step: u64) -> Result<&World, Error> {
        let recorded = self.recording.hash(step)?;
        let (key, state) = self.recording.key_at_or_before(step)?;
        let here = self.world.state().step;
        // simulate from here if no keyframe is nearer; edits made at the frame itself must be undone
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

    /// Applies the edits recorded at this frame, then steps.
    pub fn advance(&mut self) -> Result<Report, Error> {
        self.make_edits()?;
        Ok(match self.stage.before_step(&mut self.world) {
            Ok(()) => self.world.step(),
            Err(fault) => Report { fault: Some(fault), ..Report::default() },
        })
    }

    /// Applies the edits recorded at this frame: the world is then as before the next step.
    pub fn make_edits(&mut self) -> Result<(), Error> {
        let next = self.world.state().step + 1;
        let edits = self.recording.edits_before(next);
        while self.made < edits {
            self.make_edit()?;
        }
        Ok(())
    }

    /// Simulates the recording again and compares every frame. `watch` is called with each step; if it breaks, the
    /// results so far are returned.
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
            // up to the next keyframe, which must be reproduced, too
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

    /// Simulates steps and compares those that have frames, up to the first difference.
    fn compare(
        &mut self,
        steps: RangeInclusive<u64>,
        watch: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Span, Error> {
        let from = *steps.start();
        let mut span = Span::default();
        for step in steps {
            let fault = if step > from { self.advance()?.fault } else { None };
            // frames of a gap are simulated; they cannot be compared
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

    /// Loads a keyframe into the world, with all edits made before it.
    fn put(&mut self, key: u64, state: State) -> Result<(), Error> {
        let edits = self.recording.edits_before(key);
        let undone = self.recording.edits().get(edits..self.made);
        if self.made > edits && undone.is_some_and(|list| list.iter().all(Edit::is_command)) {
            // commands have no lasting effect in a world whose state is replaced
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
            // commands change only the state, which is about to be replaced
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

    /// Applies the next edit.
    fn make_edit(&mut self) -> Result<(), Error> {
        let edit = &self.recording.edits()[self.made];
        let Edit { step, key, value } = edit;
        let made = match edit.command() {
            Some(key) => self.stage.command(&mut self.world, key, value),
            None => self.stage.apply(&mut self.world, key, value),
        };
        if let Err(source) = made {
            // the edit may have been applied in part: a new world is needed
            self.made = usize::MAX;
            self.placed = false;
            return Err(Error::Edit { step: *step, key: key.clone(), source });
        }
        self.made += 1;
        Ok(())
    }
}
