//! The thread that owns the machine: orders → deeds and steps → what clients see.
//!
//! ```text
//!  wait until a step or a frame is due, or an order comes
//!  orders    → transport, deeds, other scenes
//!  playing   → as many steps as the clock says, for at most a frame's time, then look up again
//!  published → frame at most 60 times a second, status 10 times
//! ```
//!
//! Two modes. *Live*, the machine is at the end of its tape, and steps are new. *Past*, a moment of the tape is shown; playing
//! replays it up to its end, deeds and all, and is live again there. `resume` cuts the tape at the moment shown; what came
//! after it stays as a branch.
//!
//! A fault pauses. The state is the last good one, and everything goes on from it.

use crate::frame::frame;
use crate::hub::{ClientId, Hub, Latest, Order};
use crate::line::{Line, lines};
use crate::machine::{Changed, Deed, Hand, Key, Machine, Stepped};
use crate::message::{Command, Energies, Point, Stages, Status, Told, Trip, Trouble};
use crate::pace::{Pace, SPEEDS};
use crate::probe::{self, Probe};
use crate::shelf::{Item, Shelf};
use crate::stage::stage;
use crate::tape::{MOST_MARKS, Mark, Tape};
use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use windlass_engine::prelude::Report;
use windlass_scene::Errors;

/// Time between frames, and the longest that steps go on before orders are looked at.
const FRAME: Duration = Duration::from_micros(16_667);
/// Time between two statuses.
const STATUS: Duration = Duration::from_millis(100);
/// What all tapes together may take [bytes].
const MEMORY: usize = 256 << 20;
/// Branches that are kept.
const MOST_BRANCHES: usize = 8;
/// Steps that one order may ask for: a minute at 60 Hz.
const MOST_STEPS: i64 = 3600;
/// Letters of a name.
const LONGEST_NAME: usize = 80;
/// The hand reaches no farther than this from the origin [m].
const REACH: f64 = 1e6;

/// A future that was left.
struct Branch {
    id: u32,
    name: String,
    tape: Tape,
    end: Arc<Key>,
}

/// A client, as far as the session knows it.
struct Client {
    answers: mpsc::Sender<Utf8Bytes>,
    probes: Vec<Probe>,
}

/// A running simulation with its past and its clients.
pub struct Session {
    hub: Arc<Hub>,
    shelf: Shelf,
    machine: Machine,
    lines: Vec<Line>,
    catalogue: Vec<Probe>,
    tape: Tape,
    /// Where the live run was left, while the past is shown.
    end: Option<Arc<Key>>,
    branches: Vec<Branch>,
    pace: Pace,
    playing: bool,
    fault: Option<Trip>,
    report: Report,
    clients: BTreeMap<ClientId, Client>,
    /// Counts scenes.
    epoch: u64,
    /// Counts marks and branches.
    named: u32,
    /// Whether the state differs from the frame that was published.
    moved: bool,
    next_frame: Instant,
    next_status: Instant,
}

impl Session {
    /// One that plays a scene.
    pub fn new(hub: Arc<Hub>, shelf: Shelf, first: Item) -> Result<Session, Errors> {
        let machine = Machine::new(first)?;
        let (tape, now) = (Tape::new(&machine), Instant::now());
        let pace = Pace::new(now, machine.time());
        let mut session = Session {
            hub,
            shelf,
            machine,
            lines: Vec::new(),
            catalogue: Vec::new(),
            tape,
            end: None,
            branches: Vec::new(),
            pace,
            playing: true,
            fault: None,
            report: Report::default(),
            clients: BTreeMap::new(),
            epoch: 0,
            named: 0,
            moved: true,
            next_frame: now,
            next_status: now,
        };
        session.show_scene();
        Ok(session)
    }

    /// Runs until it is told to stop.
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
                // who scrubs or types wants to see where they are, not every place on the way
                if !taken.peek().is_some_and(|next| outdates(next, &order)) {
                    self.obey(order);
                }
            }
            self.advance();
            self.publish();
        }
    }

    /// How long nothing is due.
    fn rest(&self) -> Duration {
        let now = Instant::now();
        let mut due = if self.clients.is_empty() { now + STATUS } else { self.next_status };
        if self.moved {
            due = due.min(self.next_frame);
        }
        if self.playing {
            let next = self.pace.when(self.machine.time() + self.machine.dt());
            due = due.min(next.max(self.next_frame));
        }
        due.saturating_duration_since(now)
    }

    /// Takes the steps that are due, for a while.
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

    /// Takes a step, new or again.
    fn step(&mut self) {
        if self.end.is_some()
            && let Err(why) = self.tape.repeat(&mut self.machine)
        {
            return self.trip(why);
        }
        let began = Instant::now();
        match self.machine.step() {
            Stepped::Taken(report) => {
                self.pace.stepped(self.machine.dt(), began.elapsed());
                self.report = *report;
                self.moved = true;
                self.after_step();
            }
            Stepped::Fault(why) => self.trip(why),
            Stepped::Broken(why) => self.rebuild(why),
        }
    }

    /// Builds the machine once more after a step that broke it, and goes to the last state that is known.
    fn rebuild(&mut self, why: String) {
        self.end = None;
        let last = self.tape.last().clone();
        match self.machine.restart().map_err(|e| e.to_string()).and_then(|()| self.machine.recall(&last)) {
            Ok(()) => self.tape.cut(&last),
            // a scene that was changed as it ran has other places for things: it begins anew
            Err(_) => self.begin(),
        }
        self.trip(why);
    }

    /// Keeps the state, or finds the end of the past.
    fn after_step(&mut self) {
        match &self.end {
            None => {
                if self.tape.keep(&self.machine) {
                    self.save_memory();
                }
            }
            Some(end) if self.machine.step_count() >= end.step => self.go_live(),
            Some(_) => {}
        }
    }

    /// From the past to the end of the tape.
    fn go_live(&mut self) {
        if let Some(end) = self.end.take()
            && let Err(why) = self.machine.recall(&end)
        {
            self.trip(why);
        }
        self.moved = true;
    }

    /// A fault: time stands at the last good state.
    fn trip(&mut self, text: String) {
        self.playing = false;
        self.pace.stand();
        self.fault = Some(Trip { text, time: self.machine.time() });
        (self.moved, self.next_status) = (true, Instant::now());
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Joined(id, answers) => {
                self.clients.insert(id, Client { answers, probes: Vec::new() });
                self.answer(id, &self.names());
                (self.moved, self.next_status) = (true, Instant::now());
            }
            Order::Left(id, drove) => {
                self.clients.remove(&id);
                if drove {
                    self.hands_off();
                }
            }
            Order::Do(id, command) => {
                if let Err(told) = self.follow(id, command) {
                    self.answer(id, &told);
                }
                self.next_status = self.next_status.min(Instant::now() + FRAME);
            }
            Order::Stop => {}
        }
    }

    /// Tells one client. One that does not read what it asked for has no claim to it.
    fn answer(&self, client: ClientId, told: &Told) {
        if let Some(client) = self.clients.get(&client) {
            let _ = client.answers.try_send(told.json().into());
        }
    }

    fn follow(&mut self, client: ClientId, command: Command) -> Result<(), Told> {
        match command {
            Command::Play => self.play(true),
            Command::Pause => self.play(false),
            Command::Step { count } => self.steps(count)?,
            Command::Reset => self.reset()?,
            Command::Speed { value } => self.speed(value)?,
            Command::Input { name, value } => self.input(&name, value)?,
            Command::Open { id } => self.open(&id)?,
            Command::Text { toml } => self.text(&toml)?,
            Command::Grab { body, at, to } => self.grab(body, at.into(), to.into())?,
            Command::Drag { to } => self.drag(to.into())?,
            Command::Release => self.release()?,
            Command::Seek { time } => self.seek(time)?,
            Command::Resume => self.resume()?,
            Command::Mark { name } => self.mark(&name)?,
            Command::Jump { id } => self.jump(id)?,
            Command::Probe { names } => self.probe(client, &names)?,
            // a matter of the crew, which the hub has settled
            Command::Drive => {}
        }
        Ok(())
    }

    fn play(&mut self, playing: bool) {
        self.playing = playing;
        if playing {
            self.fault = None;
        } else {
            self.pace.stand();
        }
        self.pace.set(Instant::now(), self.machine.time());
    }

    fn steps(&mut self, count: i64) -> Result<(), Told> {
        self.play(false);
        self.fault = None;
        if !(-MOST_STEPS..=MOST_STEPS).contains(&count) {
            return Err(Told::refused(format!("at most {MOST_STEPS} steps at once")));
        }
        if count < 0 {
            let back = self.machine.step_count().saturating_sub(count.unsigned_abs());
            return self.show(back.max(self.tape.start().step));
        }
        for _ in 0..count {
            self.step();
            if self.fault.is_some() {
                break;
            }
        }
        Ok(())
    }

    fn speed(&mut self, value: f64) -> Result<(), Told> {
        let [low, high] = SPEEDS;
        if !(low..=high).contains(&value) {
            return Err(Told::refused(format!("the speed can be {low} to {high}")));
        }
        self.pace.speed = value;
        self.pace.set(Instant::now(), self.machine.time());
        Ok(())
    }

    /// Does a deed, if the run is live.
    fn act(&mut self, deed: Deed) -> Result<(), Told> {
        if self.end.is_some() {
            return Err(Told::refused("a past moment is shown: `resume` goes on from it"));
        }
        self.machine.act(&deed).map_err(|e| Told::refused(e.to_string()))?;
        // noted at the step before which it was done
        self.tape.note(&self.machine, deed);
        self.moved = true;
        Ok(())
    }

    fn input(&mut self, name: &str, value: Option<f64>) -> Result<(), Told> {
        let control =
            windlass_scene::control::find(&self.machine.built.controls, name).map_err(Told::refused)?;
        let id = control.id.ok_or_else(|| Told::refused("this input is not in the world"))?;
        self.act(Deed::Want(id, value))
    }

    fn grab(&mut self, body: usize, at: DVec3, to: DVec3) -> Result<(), Told> {
        let id = self.machine.built.bodies.get(body).copied();
        let free =
            id.filter(|id| self.machine.built.world.model().bodies().get(*id).is_some_and(|b| b.is_free()));
        let body = free.ok_or_else(|| Told::refused("only bodies that move by forces can be grabbed"))?;
        self.act(Deed::Grab(Hand { body, at: reachable(at)?, to: reachable(to)? }))
    }

    fn drag(&mut self, to: DVec3) -> Result<(), Told> {
        match self.machine.hand() {
            Some(_) => self.act(Deed::Drag(reachable(to)?)),
            None => Err(Told::refused("nothing is held: `grab` a body first")),
        }
    }

    fn release(&mut self) -> Result<(), Told> {
        if self.machine.hand().is_some() && self.end.is_none() { self.act(Deed::Release) } else { Ok(()) }
    }

    /// The driver is gone: what they held is let go, as a machine's levers are.
    fn hands_off(&mut self) {
        if self.end.is_some() {
            return;
        }
        // nothing of this is refused in a world where it is there
        let _ = self.release();
        let returning = self.machine.built.controls.iter().filter(|c| c.returns).filter_map(|c| c.id);
        let held = |id: &_| self.machine.built.world.input(*id).is_some_and(|input| input.held);
        for id in returning.filter(held).collect::<Vec<_>>() {
            let _ = self.act(Deed::Want(id, None));
        }
    }

    /// Shows a step of the tape.
    fn show(&mut self, step: u64) -> Result<(), Told> {
        self.playing = false;
        self.fault = None;
        self.pace.stand();
        self.moved = true;
        let end = self.end.clone().unwrap_or_else(|| Arc::new(self.machine.key()));
        if step >= end.step {
            self.end = Some(end);
            self.go_live();
            return Ok(());
        }
        self.end = Some(end);
        let shown = self.tape.show(&mut self.machine, step);
        shown.map_err(|why| {
            self.go_live();
            Told::refused(why)
        })
    }

    fn seek(&mut self, time: f64) -> Result<(), Told> {
        if !time.is_finite() {
            return Err(Told::refused("`time` is a number of seconds"));
        }
        let start = self.tape.start();
        let steps = ((time - start.time) / self.machine.dt()).round().max(0.0);
        self.show(start.step.saturating_add(steps as u64))
    }

    fn resume(&mut self) -> Result<(), Told> {
        if let Some(end) = self.end.take() {
            let here = self.machine.key();
            self.leave(end);
            self.tape.cut(&here);
        }
        self.play(true);
        Ok(())
    }

    /// Keeps the present tape as a branch.
    fn leave(&mut self, end: Arc<Key>) {
        self.named += 1;
        let ordinal = self.named;
        let name = format!("branch {ordinal}");
        self.branches.push(Branch { id: ordinal, name, tape: self.tape.clone(), end });
        if self.branches.len() > MOST_BRANCHES {
            self.branches.remove(0);
        }
    }

    fn mark(&mut self, name: &str) -> Result<(), Told> {
        if self.tape.marks.len() >= MOST_MARKS {
            return Err(Told::refused(format!("there are {MOST_MARKS} sync points already")));
        }
        self.named += 1;
        let name = match name.trim() {
            "" => format!("point {}", self.named),
            name => name.chars().take(LONGEST_NAME).collect(),
        };
        self.tape.mark(Mark { id: self.named, name, key: Arc::new(self.machine.key()) });
        Ok(())
    }

    fn jump(&mut self, id: u32) -> Result<(), Told> {
        if let Some(key) = self.tape.marks.iter().find(|mark| mark.id == id).map(|mark| mark.key.clone()) {
            self.show(key.step)?;
            if self.end.is_some() {
                self.machine.recall(&key).map_err(Told::refused)?;
            }
            return Ok(());
        }
        let Some(k) = self.branches.iter().position(|branch| branch.id == id) else {
            return Err(Told::refused("no such sync point"));
        };
        let Branch { tape, end, .. } = self.branches.remove(k);
        let present = self.end.take().unwrap_or_else(|| Arc::new(self.machine.key()));
        self.leave(present);
        (self.tape, self.end) = (tape, Some(end));
        self.play(false);
        self.fault = None;
        self.go_live();
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Told> {
        let (playing, start) = (self.playing || self.fault.is_some(), self.tape.start().clone());
        if start.step == 0 {
            self.show(0)?;
            if let Some(end) = self.end.take() {
                self.leave(end);
            }
            self.tape.cut(&start);
            self.machine.recall(&start).map_err(Told::refused)?;
        } else {
            self.machine.restart().map_err(|errors| troubles(&errors))?;
            self.begin();
        }
        self.report = Report::default();
        self.play(playing);
        self.moved = true;
        Ok(())
    }

    fn open(&mut self, id: &str) -> Result<(), Told> {
        let item = self.shelf.find(id);
        let item = item.ok_or_else(|| Told::refused("no such scene: `hello` lists what can be opened"))?;
        self.machine = Machine::new(item).map_err(|errors| troubles(&errors))?;
        self.begin();
        self.show_scene();
        self.play(true);
        Ok(())
    }

    fn text(&mut self, toml: &str) -> Result<(), Told> {
        let new = self.machine.read(toml).map_err(|errors| troubles(&errors))?;
        // a change is made to what is shown, if it can be made at all
        if self.end.is_some() {
            new.build().map_err(|errors| troubles(&errors))?;
        }
        if let Some(end) = self.end.take() {
            let here = self.machine.key();
            self.leave(end);
            self.tape.cut(&here);
        }
        self.release()?;
        let changed = self.machine.change(new).map_err(|errors| troubles(&errors))?;
        if changed != Changed::Nothing {
            self.begin();
        }
        self.show_scene();
        Ok(())
    }

    /// The machine is another one: its tape begins now.
    fn begin(&mut self) {
        (self.tape, self.end, self.fault) = (Tape::new(&self.machine), None, None);
        self.branches.clear();
        self.pace.set(Instant::now(), self.machine.time());
        self.moved = true;
    }

    fn probe(&mut self, client: ClientId, names: &[String]) -> Result<(), Told> {
        if names.len() > probe::MOST {
            return Err(Told::refused(format!("at most {} probes at once", probe::MOST)));
        }
        let (mut probes, mut unknown) = (Vec::new(), None);
        for name in names {
            match self.catalogue.iter().find(|probe| probe.name == *name) {
                Some(probe) => probes.push(probe.clone()),
                None => unknown = Some(name.chars().take(LONGEST_NAME).collect::<String>()),
            }
        }
        if let Some(client) = self.clients.get_mut(&client) {
            client.probes = probes;
        }
        self.moved = true;
        match unknown {
            Some(name) => Err(Told::refused(format!("no probe \"{name}\": `names` lists them"))),
            None => Ok(()),
        }
    }

    fn names(&self) -> Told {
        Told::Names { probes: self.catalogue.iter().map(|probe| probe.name.clone()).collect() }
    }

    /// Tells all clients what there is to see.
    fn show_scene(&mut self) {
        let plain = stage(&self.machine, &[]);
        let [low, high] = [plain.bounds.low, plain.bounds.high].map(DVec3::from);
        self.lines = lines(&self.machine.built, (high - low).length());
        self.catalogue = probe::catalogue(&self.machine, &self.lines);
        for client in self.clients.values_mut() {
            let known = |probe: &Probe| self.catalogue.iter().find(|p| p.name == probe.name).cloned();
            client.probes = client.probes.iter().filter_map(known).collect();
        }
        self.epoch += 1;
        let told = Told::Scene(Box::new(stage(&self.machine, &self.lines))).json();
        self.hub.scene.send_replace(Latest { epoch: self.epoch, content: told.into() });
        let names = self.names();
        self.clients.keys().for_each(|client| self.answer(*client, &names));
        self.report = Report::default();
        (self.moved, self.next_frame, self.next_status) = (true, Instant::now(), Instant::now());
    }

    /// Frames and statuses that are due.
    fn publish(&mut self) {
        let now = Instant::now();
        if self.playing {
            self.pace.look(now);
        }
        if self.clients.is_empty() {
            return;
        }
        if self.moved && now >= self.next_frame {
            let bytes = frame(&self.machine.built, &self.lines);
            self.hub.frame.send_replace(Latest { epoch: self.epoch, content: Bytes::from(bytes) });
            self.moved = false;
            // no sooner than a frame after the last was due, so that jitter loses none
            self.next_frame = (self.next_frame + FRAME).max(now);
            self.sample();
        }
        if now >= self.next_status {
            let told = Told::Status(Box::new(self.status())).json();
            self.hub.status.send_replace(Latest { epoch: self.epoch, content: told.into() });
            self.next_status = now + STATUS;
        }
    }

    /// Sends each client the numbers it asked for.
    fn sample(&self) {
        for client in self.clients.values().filter(|client| !client.probes.is_empty()) {
            let read = |probe: &Probe| probe.read(&self.machine, &self.lines, &self.report.energy);
            let values = client.probes.iter().map(|probe| (probe.name.clone(), read(probe))).collect();
            let told = Told::Sample { time: self.machine.time(), values };
            // a plot with a gap is better than a simulation that waits
            let _ = client.answers.try_send(told.json().into());
        }
    }

    fn status(&self) -> Status {
        let world = &self.machine.built.world;
        let report = &self.report;
        let input = |control: &windlass_scene::Control| {
            let state = world.input(control.id?)?;
            Some((control.name.clone(), [state.wanted, state.actual]))
        };
        let micros = |lap: Duration| lap.as_secs_f64() * 1e6;
        let timing = &report.timing;
        let marks = self.tape.marks.iter().map(|mark| (mark.id, &mark.name, mark.key.time, "mark"));
        let branches = self.branches.iter().map(|b| (b.id, &b.name, b.end.time, "branch"));
        let points =
            marks.chain(branches).map(|(id, name, time, kind)| Point { id, name: name.clone(), time, kind });
        Status {
            playing: self.playing,
            time: self.machine.time(),
            step: self.machine.step_count(),
            speed: self.pace.speed,
            rtf: self.pace.factor(),
            headroom: self.pace.headroom(self.machine.dt()),
            fault: self.fault.clone(),
            from: self.tape.start().time,
            to: self.end.as_ref().map_or(self.machine.time(), |end| end.time),
            points: points.collect(),
            inputs: self.machine.built.controls.iter().filter_map(input).collect(),
            energy: Energies {
                kinetic: report.energy.kinetic,
                potential: report.energy.potential,
                elastic: report.energy.elastic,
            },
            stages: Stages {
                force: micros(timing.force),
                collide: micros(timing.collide),
                constrain: micros(timing.constrain),
                partition: micros(timing.partition),
                solve: micros(timing.solve),
                integrate: micros(timing.integrate),
            },
            contacts: report.contacts,
            islands: report.islands,
            live: self.end.is_none(),
        }
    }

    /// Keeps all tapes together within their memory: branches go first, then old states.
    fn save_memory(&mut self) {
        while self.memory() > MEMORY {
            if !self.branches.is_empty() {
                self.branches.remove(0);
            } else if !self.tape.thin() {
                return;
            }
        }
    }

    /// What all tapes take together; states they share count once.
    fn memory(&self) -> usize {
        let tapes = || self.branches.iter().map(|branch| &branch.tape).chain([&self.tape]);
        let mut seen = BTreeSet::new();
        let fresh = tapes().flat_map(Tape::keys).filter(|key| seen.insert(Arc::as_ptr(key) as usize));
        fresh.map(|key| key.size()).sum::<usize>() + tapes().map(Tape::size_of_deeds).sum::<usize>()
    }
}

/// Whether an order makes the one before it pointless.
fn outdates(next: &Order, order: &Order) -> bool {
    use Command::{Drag, Seek, Text};
    let (Order::Do(a, next), Order::Do(b, order)) = (next, order) else { return false };
    let same = matches!(
        (next, order),
        (Seek { .. }, Seek { .. }) | (Text { .. }, Text { .. }) | (Drag { .. }, Drag { .. })
    );
    a == b && same
}

/// A point that the hand can be at.
fn reachable(point: DVec3) -> Result<DVec3, Told> {
    let near = point.is_finite() && point.abs().max_element() <= REACH;
    if near { Ok(point) } else { Err(Told::refused(format!("points are within {REACH:e} m of the origin"))) }
}

/// What is wrong with a text.
fn troubles(errors: &Errors) -> Told {
    let trouble = |problem: &windlass_scene::Problem| {
        let (line, column) = errors.place(problem);
        Trouble { line, column, message: problem.message.clone(), help: problem.help.clone() }
    };
    Told::Errors { text: errors.to_string(), problems: errors.problems.iter().map(trouble).collect() }
}
