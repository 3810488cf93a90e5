//! Assembly checks: drag motions are recorded, repeated in the edited scene, and judged by the contacts of the part.
//!
//! ```text
//!  record … stop → path          play → start of the scene, moves at the same steps → verdict, pause
//! ```
//!
//! A path that is played acts like a user: its commands are in the history, and can be shown again. A user who drags
//! something meanwhile, goes back in time or resets ends it.

use super::Run;
use crate::check::{Check, Thing, who};
use crate::checked::{Checked, Verdict};
use crate::message::{PathAction, PathLook, ServerMessage};
use crate::path::{MOST_PATHS, Move, Named, Noted, Path};

/// A stored path.
struct Kept {
    id: u32,
    path: Path,
    verdict: Option<Verdict>,
}

/// A path that is being played.
struct Playing {
    id: u32,
    /// The expected next step.
    at: u64,
    /// The next move.
    next: usize,
}

/// Drag paths, and the part that is checked.
#[derive(Default)]
pub struct Assembly {
    /// The path being recorded, and the step from which its steps are counted.
    recording: Option<(u64, Path)>,
    paths: Vec<Kept>,
    playing: Option<Playing>,
    /// The requested part.
    asked: Option<Named>,
    check: Option<Check>,
    named: u32,
}

impl Assembly {
    /// Its paths for the status.
    pub fn looks(&self) -> Vec<PathLook> {
        let look = |kept: &Kept| PathLook {
            id: kept.id,
            name: kept.path.name.clone(),
            part: kept.path.part.as_ref().map_or("", Named::name).to_string(),
            seconds: kept.path.seconds(),
            points: kept.path.moves.len(),
            verdict: kept.verdict.clone(),
        };
        self.paths.iter().map(look).collect()
    }

    /// Whether a path is being recorded.
    pub fn is_recording(&self) -> bool {
        self.recording.is_some()
    }

    fn find(&self, id: u32) -> Result<&Kept, ServerMessage> {
        self.paths.iter().find(|kept| kept.id == id).ok_or_else(|| ServerMessage::refused("no such path"))
    }

    /// Whether there is room for another.
    fn room(&self) -> Result<(), ServerMessage> {
        let full = self.paths.len() >= MOST_PATHS;
        let why = || {
            ServerMessage::refused(format!("the limit of {MOST_PATHS} paths is reached: remove one first"))
        };
        if full { Err(why()) } else { Ok(()) }
    }

    /// Keeps a path.
    fn keep(&mut self, mut path: Path) {
        self.named += 1;
        if path.name.is_empty() {
            path.name = format!("path {}", self.named);
        }
        self.paths.push(Kept { id: self.named, path, verdict: None });
    }
}

impl Run {
    /// Follows an order for its paths, other than to play one; returns the answer.
    pub fn path(&mut self, action: PathAction) -> Result<Option<ServerMessage>, ServerMessage> {
        match action {
            PathAction::Record => self.record()?,
            PathAction::Stop { name } => self.stop_recording(&name)?,
            PathAction::Remove { id } => {
                self.assembly.find(id)?;
                if self.assembly.playing.as_ref().is_some_and(|playing| playing.id == id) {
                    self.end_path();
                }
                self.assembly.paths.retain(|kept| kept.id != id);
            }
            PathAction::Export { id } => {
                let path = &self.assembly.find(id)?.path;
                return Ok(Some(ServerMessage::Path { id, name: path.name.clone(), text: path.text() }));
            }
            PathAction::Import { text } => {
                self.assembly.room()?;
                let path = Path::read(&text).map_err(ServerMessage::refused)?;
                self.assembly.keep(path);
            }
            // the session plays them
            PathAction::Play { .. } => {}
        }
        Ok(None)
    }

    fn record(&mut self) -> Result<(), ServerMessage> {
        if !self.is_live() {
            return Err(ServerMessage::refused("a past moment is shown: `resume` or `reset` first"));
        }
        self.assembly.room()?;
        self.end_path();
        let path = Path::new(self.machine.dt(), self.assembly.asked.clone());
        self.assembly.recording = Some((self.machine.step_count(), path));
        Ok(())
    }

    fn stop_recording(&mut self, name: &str) -> Result<(), ServerMessage> {
        let recording = self.assembly.recording.take();
        let (base, mut path) =
            recording.ok_or_else(|| ServerMessage::refused("no recording is in progress: `record` first"))?;
        let here = self.timeline.end.as_ref().map_or(self.machine.step_count(), |end| end.step);
        path.finish(name, here.saturating_sub(base));
        if path.moves.is_empty() {
            return Err(ServerMessage::refused(
                "the recording is empty: drag a body or a cable while recording",
            ));
        }
        self.assembly.keep(path);
        Ok(())
    }

    /// Adds a move to the recording, if there is one; a full recording ends. The first part that is dragged is checked,
    /// if none was selected.
    pub fn note_move(&mut self, hand: usize, what: Move) -> Result<(), ServerMessage> {
        if let (true, true, Some(taken)) =
            (self.assembly.recording.is_some(), self.assembly.check.is_none(), what.takes())
        {
            let thing = self.thing(&taken)?;
            self.assembly.check = Some(Check::new(self.machine.built(), &self.lines, thing, true));
        }
        if let (Some(check), Some(_)) = (&mut self.assembly.check, what.takes()) {
            check.take();
        }
        let step = self.machine.step_count();
        let Some((base, path)) = &mut self.assembly.recording else { return Ok(()) };
        match step.checked_sub(*base) {
            Some(step) => path.note(Noted(step, what, hand)),
            // time went back to before it began
            None => self.assembly.recording = None,
        }
        if self.assembly.recording.as_ref().is_some_and(|(_, path)| path.is_full()) {
            self.stop_recording("")?;
            return Err(ServerMessage::refused("the path is full: the part recorded so far was kept"));
        }
        Ok(())
    }

    /// Before a path is played from the start of the scene: the part that it is about, if that exists.
    pub fn prepare_path(&mut self, id: u32) -> Result<Option<Named>, ServerMessage> {
        let kept = self.assembly.find(id)?;
        let part = self.assembly.asked.clone().or_else(|| kept.path.part.clone());
        // a path of something that does not exist changes nothing
        part.as_ref().map(|named| self.thing(named)).transpose()?;
        self.assembly.recording = None;
        self.end_path();
        Ok(part)
    }

    /// Plays a path from now on, and checks a part meanwhile.
    pub fn begin_path(&mut self, id: u32, part: Option<&Named>) -> Result<(), ServerMessage> {
        // a scene that was built again numbers its bodies and lines anew
        let part = part.map(|named| self.thing(named)).transpose()?;
        let built = self.machine.built();
        self.assembly.check = part.map(|part| Check::new(built, &self.lines, part, false));
        self.assembly.playing = Some(Playing { id, at: self.machine.step_count(), next: 0 });
        Ok(())
    }

    /// Ends the playback of a path and releases its handles.
    pub fn end_path(&mut self) {
        if self.assembly.playing.take().is_some() {
            // releasing a held handle cannot fail
            let _ = self.release_all();
            self.follow_part();
        }
    }

    /// Applies the moves of the path that are due before the next step. Returns whether the path ended here. One that
    /// cannot be followed ends, with the reason.
    pub fn lead_hand(&mut self) -> Result<bool, ServerMessage> {
        if !self.is_live() {
            return Ok(false);
        }
        let step = self.machine.step_count();
        let Some(playing) = &mut self.assembly.playing else { return Ok(false) };
        if playing.at != step {
            self.end_path();
            return Ok(false);
        }
        playing.at += 1;
        let (id, next) = (playing.id, playing.next);
        let Ok(kept) = self.assembly.find(id) else { return Ok(false) };
        // in a scene with another step length, at the same times
        let same = (kept.path.dt / self.machine.dt() - 1.0).abs() < 1e-9;
        let scale = if same { 1.0 } else { kept.path.dt / self.machine.dt() };
        let due = |at: u64| (at as f64 * scale).round() as u64 <= step;
        let moves: Vec<Noted> =
            kept.path.moves[next..].iter().take_while(|Noted(at, ..)| due(*at)).cloned().collect();
        let over = due(kept.path.steps);
        if let Some(playing) = &mut self.assembly.playing {
            playing.next += moves.len();
        }
        for Noted(_, what, hand) in moves {
            if let Err(told) = self.take(hand, what) {
                self.end_path();
                return Err(told);
            }
        }
        if over {
            self.judge(id);
        }
        Ok(over)
    }

    /// The path has ended: stores its verdict.
    fn judge(&mut self, id: u32) {
        let verdict = self.assembly.check.as_ref().map(Check::verdict);
        if let Some(kept) = self.assembly.paths.iter_mut().find(|kept| kept.id == id) {
            kept.verdict = verdict;
        }
        let _ = self.release_all();
        self.assembly.playing = None;
        self.moved = true;
    }

    /// Checks a part from now on, or none.
    pub fn check(&mut self, body: Option<usize>, line: Option<u32>) -> Result<(), ServerMessage> {
        let built = self.machine.built();
        let thing = match (body, line) {
            (Some(k), None) if k < built.bodies.len() => Some(Thing::Body(k)),
            (None, Some(id)) if self.lines.iter().any(|l| l.look.id == id) => Some(Thing::Line(id)),
            (None, None) => None,
            _ => {
                return Err(ServerMessage::refused("give one `body` or one `line` of the scene, or neither"));
            }
        };
        self.assembly.asked = thing.map(|thing| {
            let who = who(built, &self.lines, thing);
            if who.kind == "line" { Named::Line(who.name) } else { Named::Body(who.name) }
        });
        self.assembly.check = thing.map(|thing| Check::new(built, &self.lines, thing, true));
        Ok(())
    }

    /// A body or line of the present scene.
    fn thing(&self, named: &Named) -> Result<Thing, ServerMessage> {
        let built = self.machine.built();
        let thing = match named {
            Named::Body(name) => {
                let id = built.world.model().body(name);
                id.and_then(|id| built.bodies.iter().position(|b| *b == id)).map(Thing::Body)
            }
            Named::Line(name) => {
                self.lines.iter().find(|l| l.look.name == *name).map(|l| Thing::Line(l.look.id))
            }
        };
        let why = || format!("this scene no longer contains \"{}\"", named.name());
        thing.ok_or_else(|| ServerMessage::refused(why()))
    }

    /// After a change of the scene or the end of a path: checks the requested part, if it exists.
    pub fn follow_part(&mut self) {
        let thing = self.assembly.asked.as_ref().and_then(|named| self.thing(named).ok());
        let built = self.machine.built();
        self.assembly.check = thing.map(|thing| Check::new(built, &self.lines, thing, true));
    }

    /// Checks the step that was just taken.
    pub fn look_at_part(&mut self) {
        if let Some(check) = &mut self.assembly.check {
            check.look(self.machine.built(), &self.lines);
        }
    }

    /// The report on the part.
    pub fn checked(&self) -> Option<Checked> {
        let path = self.assembly.playing.as_ref().map(|playing| playing.id);
        self.assembly.check.as_ref().map(|check| check.told(self.machine.built(), &self.lines, path))
    }
}
