//! The thread that owns the machine: orders → commands and steps → messages to clients.
//!
//! ```text
//!  wait until a step or a frame is due, or an order comes
//!  orders    → transport, commands, other scenes
//!  playing   → as many steps as are due by the clock, for at most a frame's time, then orders again
//!  published → frames at most 60 times per second, status 10 times
//! ```
//!
//! Two modes. *Live*, the machine is at the end of its history, and steps are new. *Past*, a moment of the history is
//! shown; playing replays it up to its end with all commands, and is live again there. `resume` cuts the history at the
//! moment shown; the part after it is kept as a branch.
//!
//! A drag path that is played makes its moves before the same steps as in the recording (`run/assembly.rs`). A fault
//! pauses the run at the last valid state.
//!
//! ```text
//!  run          the scene shown: machine, recording, drag paths, fault; the scenes that were left are others
//!  readings     its numbers                    publisher    its scene, frames and statuses, when they are due
//!  comparison   another run beside it          audience     the clients, and which of them drives
//! ```

mod audience;
mod comparison;
mod edit;
mod export;
mod points;
mod publish;
mod readings;
mod run;
mod scenes;
mod status;
mod transport;
mod trouble;
mod validate;

use self::audience::Audience;
use self::comparison::Comparison;
use self::publish::{Publisher, STATUS};
use self::readings::Readings;
use self::run::Run;
use self::trouble::troubles;
use crate::export::Exports;
use crate::gallery::Gallery;
use crate::hub::{ClientId, Hub, Order};
use crate::message::{Command, PathAction, ServerMessage};
use crate::pace::Pace;
use crate::recovery::Recovery;
use crate::undo::UndoStack;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use windlass_host::machine::StepFailure;
use windlass_scene::Errors;

/// Time between frames, and the longest time of stepping before orders are handled.
const FRAME: Duration = Duration::from_micros(16_667);

/// A running simulation with its clients.
pub struct Session {
    hub: Arc<Hub>,
    gallery: Gallery,
    exports: Arc<Exports>,
    /// The scene that is shown.
    shown: Run,
    /// Scenes that were left, the oldest first.
    parked: VecDeque<Run>,
    pace: Pace,
    /// Edits of the text, and changes of the scene.
    undo: UndoStack,
    /// Drafts on disk.
    recovery: Recovery,
    /// Whether a text is being checked.
    validating: Arc<AtomicBool>,
    readings: Readings,
    comparison: Comparison,
    audience: Audience,
    publisher: Publisher,
}

impl Session {
    /// A session that plays a scene.
    pub fn new(
        hub: Arc<Hub>,
        gallery: Gallery,
        exports: Arc<Exports>,
        mut recovery: Recovery,
    ) -> Result<Session, Errors> {
        let item = gallery.first();
        let machine = item.open()?;
        let (now, saved) = (Instant::now(), machine.text().to_string());
        let mut session = Session {
            gallery,
            exports,
            pace: Pace::new(now, machine.time()),
            shown: Run::new(recovery.number(), item, saved, machine),
            parked: VecDeque::new(),
            undo: UndoStack::default(),
            recovery,
            validating: Arc::default(),
            readings: Readings::default(),
            comparison: Comparison::new(hub.clone()),
            audience: Audience::default(),
            publisher: Publisher::new(hub.clone(), now),
            hub,
        };
        session.show_scene();
        Ok(session)
    }

    /// Runs until it is ordered to stop.
    pub fn run(mut self, orders: &Receiver<Order>) {
        loop {
            let mut taken = Vec::new();
            match orders.recv_timeout(self.rest()) {
                Ok(order) => taken.push(order),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            taken.extend(orders.try_iter().take(crate::hub::ORDERS));
            let mut taken = taken.into_iter().peekable();
            while let Some(order) = taken.next() {
                if matches!(order, Order::Stop) {
                    return;
                }
                // while scrubbing or typing only the latest position matters
                if !taken.peek().is_some_and(|next| outdates(next, &order)) {
                    self.obey(order);
                }
            }
            self.watch_driver();
            self.advance();
            self.publish();
        }
    }

    /// Time until something is due.
    fn rest(&self) -> Duration {
        let now = Instant::now();
        // without clients no frame is due, however long ago the last one was
        let mut due = if self.audience.is_empty() { now + STATUS } else { self.publisher.next(&self.shown) };
        if self.pace.is_playing() {
            let machine = &self.shown.machine;
            let next = self.pace.when(machine.time() + machine.dt());
            due = due.min(next.max(self.publisher.next_frame()));
        }
        due.saturating_duration_since(now)
    }

    /// Takes the steps that are due, for a limited time.
    fn advance(&mut self) {
        let began = Instant::now();
        while self.pace.is_playing() {
            let (now, machine) = (Instant::now(), &self.shown.machine);
            let next = machine.time() + machine.dt() * (1.0 - 1e-6);
            if next > self.pace.due(now) || now - began > FRAME {
                break;
            }
            self.step();
        }
        if self.pace.is_playing() {
            self.pace.forgive(Instant::now(), self.shown.machine.time());
        }
    }

    /// Takes a step, new or repeated.
    fn step(&mut self) {
        if let Err(why) = self.shown.repeat_commands() {
            self.shown.trip(why.to_string());
            return self.halt();
        }
        match self.shown.lead_hand() {
            Ok(false) => {}
            Ok(true) => return self.halt(),
            Err(told) => self.audience.tell(&told),
        }
        let began = Instant::now();
        match self.shown.step() {
            Ok(report) => {
                self.pace.stepped(self.shown.machine.dt(), began.elapsed());
                self.readings.report = report;
                if self.shown.after_step() {
                    self.save_memory();
                }
            }
            Err(StepFailure::Panic) => return self.rebuild(),
            Err(why) => self.shown.trip(why.to_string()),
        }
        if self.shown.fault.is_some() {
            self.halt();
        }
    }

    /// Pauses, and reports it at once.
    fn halt(&mut self) {
        self.pace.pause();
        self.publisher.hurry(Duration::ZERO);
    }

    /// The engine panicked.
    fn rebuild(&mut self) {
        if self.shown.rebuild() {
            self.show_scene();
        }
        self.halt();
    }

    /// Reads energies and sampled numbers of the state shown. Under `spook` this solves it, and the next step reuses the
    /// solution.
    fn read_instant(&mut self) {
        self.readings.clear();
        if self.shown.fault.as_ref().is_some_and(|fault| fault.panicked) {
            return;
        }
        let (world, readings) = (self.shown.machine.world_mut(), &mut self.readings);
        let probes = self.audience.probes();
        if catch_unwind(AssertUnwindSafe(|| readings.read(world, probes))).is_err() {
            self.rebuild();
        }
    }

    /// Whoever loses the controls releases levers and handles.
    fn watch_driver(&mut self) {
        let driver = self.hub.crew.borrow().driver();
        if self.audience.note_driver(driver) {
            self.shown.hands_off();
        }
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Joined(id, answers) => {
                self.audience.join(id, answers);
                self.audience.answer(id, &self.readings.names());
                self.shown.moved = true;
                self.publisher.hurry(Duration::ZERO);
            }
            Order::Left(id) => self.audience.leave(id),
            Order::Do(id, number, command) => {
                self.watch_driver();
                let may = command.only_looks() || self.audience.is_driver(id);
                let answer = match command {
                    _ if !may => Err(ServerMessage::viewer_refused()),
                    // it answers by itself, later
                    Command::Validate { id: file, toml } => {
                        self.validate(id, number, file.as_deref(), toml).map(|()| None)
                    }
                    command => self.follow(id, command),
                };
                if let Some(told) = answer.unwrap_or_else(Some) {
                    self.audience.answer(id, &told.answering(number));
                }
                self.publisher.hurry(FRAME);
            }
            Order::Stop => {}
        }
    }

    /// Executes a command; returns the answer, or the reason why not.
    fn follow(&mut self, client: ClientId, command: Command) -> Result<Option<ServerMessage>, ServerMessage> {
        match command {
            Command::Play => self.play(true),
            Command::Pause => self.play(false),
            Command::Step { count } => self.steps(count)?,
            Command::Reset => self.reset()?,
            Command::Speed { value } => self.speed(value)?,
            Command::Input { name, value } => self.shown.input(&name, value)?,
            Command::Switch { name, on } => self.shown.switch(&name, on)?,
            Command::Open { id, discard } => self.open(&id, discard)?,
            Command::Text { toml } => self.text(&toml)?,
            Command::Edit { label, changes } => self.edit(&label, &changes)?,
            Command::Undo => self.undo()?,
            Command::Redo => self.redo()?,
            Command::New { discard } => self.empty(discard)?,
            Command::Load { id, name, toml, unsaved, discard } => {
                self.load(id.as_deref(), &name, &toml, unsaved, discard)?
            }
            Command::Restore { id, discard } => self.restore(id, discard)?,
            Command::Discard { id } => self.discard(id)?,
            Command::Save { name } => return self.save(name.as_deref()).map(Some),
            Command::Compare { id } => self.compare(id)?,
            Command::Export { format, from, to, fps, camera } => {
                self.export(format, [from, to], fps, camera)?
            }
            Command::Cancel { id } => self.exports.cancel(id),
            Command::Grab { hand, body, at, to } => self.shown.grab(hand, body, at, to)?,
            Command::Pull { hand, line, along, to } => self.shown.pull(hand, line, along, to)?,
            Command::Drag { hand, to } => self.shown.drag(hand, to)?,
            Command::Path(PathAction::Play { id }) => self.play_path(id)?,
            Command::Path(action) => return self.shown.path(action),
            Command::Check { body, line } => self.shown.check(body, line)?,
            Command::Release { hand } => self.shown.release(hand)?,
            Command::Seek { time } => self.seek(time)?,
            Command::Resume => self.resume()?,
            Command::Mark { name } => self.shown.timeline.mark(&name, &self.shown.machine)?,
            Command::Unmark { id } => self.shown.timeline.unmark(id)?,
            Command::Jump { id } => self.jump(id)?,
            Command::Probe { names } => self.probe(client, &names)?,
            Command::Overlay(wanted) => {
                self.audience.set_overlays(client, wanted);
                self.shown.moved = true;
            }
            // roles are handled by the hub, and `validate` before this
            Command::Validate { .. }
            | Command::Drive
            | Command::Withdraw
            | Command::HandOver
            | Command::Decline => {}
        }
        Ok(None)
    }
}

/// Whether an order supersedes the one before it.
fn outdates(next: &Order, order: &Order) -> bool {
    use Command::{Drag, Seek, Text};
    let (Order::Do(a, _, next), Order::Do(b, _, order)) = (next, order) else { return false };
    let same = match (next, order) {
        (Seek { .. }, Seek { .. }) | (Text { .. }, Text { .. }) => true,
        (Drag { hand: next, .. }, Drag { hand: last, .. }) => next == last,
        _ => false,
    };
    a == b && same
}
