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
//! A drag path that is played makes its moves before the same steps as in the recording (`assembly.rs`).
//!
//! A fault pauses the run at the last valid state.

mod assembly;
mod edit;
mod export;
mod hand;
mod points;
mod publish;
mod readings;
mod scenes;
mod transport;
mod trouble;
mod validate;

use self::assembly::Assembly;
use self::points::SyncPoint;
use self::readings::Readings;
use self::scenes::Parking;
use self::trouble::troubles;
use crate::earth::looks::Pressures;
use crate::earth::watch::Watch;
use crate::export::Exports;
use crate::gallery::{Gallery, Item};
use crate::ghost::Ghost;
use crate::hub::{ClientId, Hub, Order};
use crate::line::Line;
use crate::message::{Command, Overlays, ServerMessage, Trip};
use crate::pace::Pace;
use crate::probe::Probe;
use crate::recovery::Recovery;
use crate::undo::UndoStack;
use axum::extract::ws::Utf8Bytes;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use windlass_engine::prelude::Report;
use windlass_host::History;
use windlass_host::machine::{Keyframe, Machine, MachineError, Origin, StepFailure};
use windlass_scene::Errors;

/// Time between frames, and the longest time of stepping before orders are handled.
const FRAME: Duration = Duration::from_micros(16_667);
/// Time between two looks at the surfaces of grounds while time runs.
const LOOK: Duration = Duration::from_micros(33_333);
/// Time between two statuses.
const STATUS: Duration = Duration::from_millis(100);
/// Largest number of branches.
const MOST_BRANCHES: usize = 8;

/// A continuation that was left.
struct Branch {
    id: u32,
    name: String,
    history: History,
    end: Arc<Keyframe>,
    /// The origin of its world.
    origin: Arc<Origin>,
}

/// A client, as known to the session.
struct Client {
    answers: mpsc::Sender<Utf8Bytes>,
    probes: Vec<Probe>,
    overlays: Overlays,
}

/// A running simulation with its history and its clients.
pub struct Session {
    hub: Arc<Hub>,
    gallery: Gallery,
    exports: Arc<Exports>,
    /// The source of the scene.
    item: Item,
    machine: Machine,
    lines: Vec<Line>,
    catalogue: Vec<Probe>,
    pressures: Pressures,
    /// The surfaces of grounds, and when they are looked at again.
    watch: Watch,
    next_look: Instant,
    history: History,
    /// Where the live run was left, while the past is shown.
    end: Option<Arc<Keyframe>>,
    branches: Vec<Branch>,
    /// All sync points of this scene.
    points: Vec<SyncPoint>,
    pace: Pace,
    playing: bool,
    fault: Option<Trip>,
    /// Edits of the text.
    undo: UndoStack,
    /// Whether a text is being checked.
    validating: Arc<AtomicBool>,
    /// The text of its file.
    saved: String,
    /// Drafts on disk.
    recovery: Recovery,
    /// The number of this scene in them.
    run: u32,
    /// Scenes that were left.
    parked: Parking,
    /// The run shown for comparison.
    ghost: Option<Ghost>,
    /// Drag paths, and the part that is checked.
    assembly: Assembly,
    report: Report,
    /// Of the state shown.
    readings: Readings,
    clients: BTreeMap<ClientId, Client>,
    /// The client that had the controls last.
    driver: Option<ClientId>,
    /// Counts scenes.
    epoch: u64,
    /// Counts the runs shown for comparison.
    ghosts: u64,
    /// Counts marks and branches.
    named: u32,
    /// Whether the state differs from the published frame.
    moved: bool,
    next_frame: Instant,
    next_status: Instant,
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
        let (history, now) = (History::new(&machine), Instant::now());
        let pace = Pace::new(now, machine.time());
        let (saved, run) = (machine.text().to_string(), recovery.number());
        let mut session = Session {
            hub,
            gallery,
            exports,
            item,
            machine,
            lines: Vec::new(),
            catalogue: Vec::new(),
            pressures: Pressures::default(),
            watch: Watch::default(),
            next_look: now,
            history,
            end: None,
            branches: Vec::new(),
            points: Vec::new(),
            pace,
            playing: true,
            fault: None,
            undo: UndoStack::default(),
            validating: Arc::default(),
            saved,
            recovery,
            run,
            parked: Parking::new(),
            ghost: None,
            assembly: Assembly::default(),
            report: Report::default(),
            readings: Readings::default(),
            clients: BTreeMap::new(),
            driver: None,
            epoch: 0,
            ghosts: 0,
            named: 0,
            moved: true,
            next_frame: now,
            next_status: now,
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
        let watched = !self.clients.is_empty();
        let mut due = if watched { self.next_status } else { now + STATUS };
        if self.moved && watched {
            due = due.min(self.next_frame);
        }
        if self.playing {
            let next = self.pace.when(self.machine.time() + self.machine.dt());
            due = due.min(next.max(self.next_frame));
        }
        due.saturating_duration_since(now)
    }

    /// Takes the steps that are due, for a limited time.
    fn advance(&mut self) {
        let began = Instant::now();
        while self.playing {
            let now = Instant::now();
            let next = self.machine.time() + self.machine.dt() * (1.0 - 1e-6);
            if next > self.pace.due(now) || now - began > FRAME {
                break;
            }
            self.step();
        }
        if self.playing {
            let now = Instant::now();
            self.pace.forgive(now, self.machine.time());
        }
    }

    /// Takes a step, new or repeated.
    fn step(&mut self) {
        if self.end.is_some()
            && let Err(why) = self.history.repeat_commands(&mut self.machine)
        {
            return self.trip(why.to_string());
        }
        if self.lead_hand() {
            return;
        }
        let began = Instant::now();
        match self.machine.step_guarded() {
            Ok(report) => {
                self.pace.stepped(self.machine.dt(), began.elapsed());
                self.report = report;
                self.moved = true;
                self.after_step();
            }
            Err(why @ StepFailure::Fault(_)) => self.trip(why.to_string()),
            Err(why @ StepFailure::Panic) => self.rebuild(why.to_string()),
        }
    }

    /// Builds the machine again after the engine panicked, and restores the last known state.
    fn rebuild(&mut self, why: String) {
        self.end = None;
        let last = self.history.last().clone();
        let twin = Machine::from_origin(self.machine.origin()).and_then(|mut machine| {
            machine.recall(&last)?;
            Ok::<_, MachineError>(machine)
        });
        match twin {
            Ok(machine) => {
                self.machine = machine;
                self.history.cut(&last);
            }
            // the broken world must not continue: the scene starts again, if it can be built at all
            Err(_) if self.machine.restart().is_ok() => {
                self.begin();
                self.show_scene();
            }
            Err(_) => {}
        }
        self.trip(why);
        if let Some(fault) = &mut self.fault {
            fault.panicked = true;
        }
    }

    /// Reads energies and sampled numbers of the state shown. Under `spook` this solves it, and the next step reuses the
    /// solution.
    fn read_instant(&mut self) {
        self.readings.numbers.clear();
        if self.fault.as_ref().is_some_and(|fault| fault.panicked) {
            return;
        }
        let (world, readings) = (self.machine.world_mut(), &mut self.readings);
        let probes = self.clients.values().flat_map(|client| &client.probes);
        if catch_unwind(AssertUnwindSafe(|| readings.read(world, probes))).is_err() {
            self.rebuild(StepFailure::Panic.to_string());
        }
    }

    /// Stores a keyframe, or detects the end of the past.
    fn after_step(&mut self) {
        match &self.end {
            None => {
                self.look_at_part();
                if self.history.keep(&self.machine) {
                    self.save_memory();
                }
            }
            Some(end) if self.machine.step_count() >= end.step => self.go_live(),
            Some(_) => {}
        }
    }

    /// From the past to the end of the history.
    fn go_live(&mut self) {
        if let Some(end) = self.end.take() {
            match self.machine.recall(&end) {
                Ok(()) => self.hands_off(),
                Err(why) => self.trip(why.to_string()),
            }
        }
        self.moved = true;
    }

    /// A fault: the run is paused at the last valid state.
    fn trip(&mut self, text: String) {
        self.playing = false;
        self.pace.stand();
        self.fault = Some(Trip { text, time: self.machine.time(), panicked: false });
        (self.moved, self.next_status) = (true, Instant::now());
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Joined(id, answers) => {
                self.clients
                    .insert(id, Client { answers, probes: Vec::new(), overlays: Overlays::default() });
                self.answer(id, &self.names());
                (self.moved, self.next_status) = (true, Instant::now());
            }
            Order::Left(id) => {
                self.clients.remove(&id);
            }
            Order::Do(id, number, command) => {
                self.watch_driver();
                let may = command.only_looks() || self.driver == Some(id);
                let answer = match command {
                    _ if !may => Err(ServerMessage::viewer_refused()),
                    // it answers by itself, later
                    Command::Validate { id: file, toml } => {
                        self.validate(id, number, file.as_deref(), toml).map(|()| None)
                    }
                    command => self.follow(id, command),
                };
                if let Some(told) = answer.unwrap_or_else(Some) {
                    self.answer(id, &told.answering(number));
                }
                self.next_status = self.next_status.min(Instant::now() + FRAME);
            }
            Order::Stop => {}
        }
    }

    /// Sends a message to one client; it is dropped if the client does not read.
    fn answer(&self, client: ClientId, told: &ServerMessage) {
        if let Some(client) = self.clients.get(&client) {
            let _ = client.answers.try_send(told.json().into());
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
            Command::Input { name, value } => self.input(&name, value)?,
            Command::Switch { name, on } => self.switch(&name, on)?,
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
            Command::Grab { hand, body, at, to } => self.grab(hand, body, at, to)?,
            Command::Pull { hand, line, along, to } => self.pull(hand, line, along, to)?,
            Command::Drag { hand, to } => self.drag(hand, to)?,
            Command::Path(action) => self.path(client, action)?,
            Command::Check { body, line } => self.check(body, line)?,
            Command::Release { hand } => self.release(hand)?,
            Command::Seek { time } => self.seek(time)?,
            Command::Resume => self.resume()?,
            Command::Mark { name } => self.mark(&name)?,
            Command::Unmark { id } => self.unmark(id)?,
            Command::Jump { id } => self.jump(id)?,
            Command::Probe { names } => self.probe(client, &names)?,
            Command::Overlay(wanted) => self.overlay(client, wanted),
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
