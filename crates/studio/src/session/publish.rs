//! Messages to clients: scene, frames, status, sampled numbers, and the run shown for comparison.

use super::points::LONGEST_NAME;
use super::{Client, FRAME, LOOK, STATUS, Session};
use crate::earth::looks::Pressures;
use crate::earth::watch::Watch;
use crate::frame::{MAGIC, frame};
use crate::ghost::Ghost;
use crate::hub::{ANSWERS, ClientId, Latest, Picture};
use crate::line::lines;
use crate::message::{Energies, LogicLook, Overlays, ServerMessage, Stages, Status};
use crate::overlay;
use crate::probe::{self, Probe};
use crate::stage::stage;
use axum::body::Bytes;
use glam::DVec3;
use std::time::{Duration, Instant};
use windlass_engine::prelude::Report;
use windlass_host::probe::ReactionMarks;

impl Session {
    pub(super) fn probe(&mut self, client: ClientId, names: &[String]) -> Result<(), ServerMessage> {
        if names.len() > probe::MOST {
            return Err(ServerMessage::refused(format!("at most {} probes at once", probe::MOST)));
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
            Some(name) => Err(ServerMessage::refused(format!("no probe \"{name}\": `names` lists them"))),
            None => Ok(()),
        }
    }

    pub(super) fn overlay(&mut self, client: ClientId, wanted: Overlays) {
        if let Some(client) = self.clients.get_mut(&client) {
            client.overlays = wanted;
        }
        self.moved = true;
    }

    pub(super) fn names(&self) -> ServerMessage {
        let mut units: Vec<&'static str> = Vec::new();
        let mut index = |unit: &'static str| {
            let known = units.iter().position(|u| *u == unit);
            known.unwrap_or_else(|| {
                units.push(unit);
                units.len() - 1
            }) as u8
        };
        let unit = self.catalogue.iter().map(|probe| index(probe.unit)).collect();
        ServerMessage::Names {
            probes: self.catalogue.iter().map(|probe| probe.name.clone()).collect(),
            units,
            unit,
        }
    }

    /// The machine has another model: sends the scene to all clients.
    pub(super) fn show_scene(&mut self) {
        let plain = stage(&self.item, &self.machine, &[]);
        let [low, high] = [plain.bounds.low, plain.bounds.high].map(DVec3::from);
        self.lines = lines(self.machine.built(), (high - low).length());
        self.catalogue = probe::catalogue(self.machine.built(), &self.lines);
        self.pressures = Pressures::of(self.machine.world());
        self.watch = Watch::default();
        for client in self.clients.values_mut() {
            let known = |probe: &Probe| self.catalogue.iter().find(|p| p.name == probe.name).cloned();
            client.probes = client.probes.iter().filter_map(known).collect();
        }
        self.follow_part();
        (self.report, self.readings.marks) = (Report::default(), ReactionMarks::default());
        self.tell_scene();
        let names = self.names();
        self.clients.keys().for_each(|client| self.answer(*client, &names));
    }

    /// The text or the file of the scene is another one.
    pub(super) fn tell_scene(&mut self) {
        self.guard_work();
        self.epoch += 1;
        let told = ServerMessage::Scene(Box::new(stage(&self.item, &self.machine, &self.lines))).json();
        self.hub.scene.send_replace(Latest { epoch: self.epoch, content: told.into() });
        (self.moved, self.next_frame, self.next_status) = (true, Instant::now(), Instant::now());
    }

    /// Frames and statuses that are due.
    pub(super) fn publish(&mut self) {
        let now = Instant::now();
        if self.playing {
            self.pace.look(now);
        }
        if self.clients.is_empty() {
            return;
        }
        let (frame_due, status_due) = (self.moved && now >= self.next_frame, now >= self.next_status);
        let wanted = self.clients.values().fold(Overlays::default(), |all, c| all.or(c.overlays));
        let sampled = self.clients.values().any(|client| !client.probes.is_empty());
        // islands are those of the last solve, which this makes one of the state shown
        if status_due || (frame_due && (sampled || wanted.islands)) {
            self.read_instant();
        }
        if frame_due {
            let mut bytes = frame(MAGIC, self.machine.built(), &self.lines);
            overlay::append(&mut bytes, self.machine.built(), (&self.lines, &self.pressures), wanted);
            let is_late = wanted.soil && self.playing && now < self.next_look;
            if wanted.soil && !is_late {
                self.watch.look(self.machine.world());
                self.next_look = now + LOOK;
            }
            let content = Picture { frame: Bytes::from(bytes), sheet: self.watch.sheet() };
            self.hub.frame.send_replace(Latest { epoch: self.epoch, content });
            // the surface of the last moment before a pause is not left out
            self.moved = is_late;
            // at the earliest one frame after the last due time, so that jitter loses no frame
            self.next_frame = (self.next_frame + FRAME).max(now);
            self.sample();
            self.draw_ghost();
        }
        if status_due {
            let told = ServerMessage::Status(Box::new(self.status())).json();
            self.hub.status.send_replace(Latest { epoch: self.epoch, content: told.into() });
            self.next_status = now + STATUS;
        }
    }

    /// Publishes the run shown for comparison, at the same step.
    pub(super) fn draw_ghost(&mut self) {
        let Some(ghost) = &mut self.ghost else { return };
        let soil = self.clients.values().any(|client| client.overlays.soil);
        match ghost.frame(self.machine.step_count(), soil) {
            Ok(Some(bytes)) => {
                let content = Picture { frame: Bytes::from(bytes), sheet: ghost.sheet() };
                self.hub.ghost_frame.send_replace(Latest { epoch: self.ghosts, content });
            }
            Ok(None) => {}
            Err(why) => {
                self.end_ghost();
                let told =
                    ServerMessage::refused(format!("the run shown for comparison cannot continue: {why}"));
                self.clients.keys().for_each(|client| self.answer(*client, &told));
            }
        }
    }

    /// Shows another run for comparison.
    pub(super) fn show_ghost(&mut self, ghost: Ghost) {
        self.tell_ghost(&ghost.told());
        self.ghost = Some(ghost);
        self.moved = true;
    }

    /// Ends the comparison.
    pub(super) fn end_ghost(&mut self) {
        if self.ghost.take().is_some() {
            self.tell_ghost(&ServerMessage::Ghost { id: None, name: String::new(), scene: None });
        }
    }

    pub(super) fn tell_ghost(&mut self, told: &ServerMessage) {
        self.ghosts += 1;
        self.hub.ghost.send_replace(Latest { epoch: self.ghosts, content: told.json().into() });
    }

    /// Sends each client its sampled numbers.
    pub(super) fn sample(&self) {
        // half of the queue is left to answers
        let has_room = |client: &&Client| client.answers.capacity() > ANSWERS / 2;
        for client in self.clients.values().filter(|client| !client.probes.is_empty()).filter(has_room) {
            let read = |probe: &Probe| {
                let solved = self.readings.numbers.get(&probe.name).copied();
                solved.unwrap_or_else(|| probe.read(self.machine.built(), &self.lines))
            };
            let values = client.probes.iter().map(|probe| (probe.name.clone(), read(probe))).collect();
            let shared = client.probes.iter().filter(|probe| self.readings.is_indeterminate(probe));
            let indeterminate = shared.map(|probe| probe.name.clone()).collect();
            let (time, live) = (self.machine.time(), self.end.is_none());
            let told = ServerMessage::Sample { time, live, values, indeterminate };
            // a gap in a plot is better than a simulation that waits
            let _ = client.answers.try_send(told.json().into());
        }
    }

    pub(super) fn status(&self) -> Status {
        let world = self.machine.world();
        let report = &self.report;
        let input = |control: &windlass_scene::Control| {
            let state = world.input(control.id?)?;
            Some((control.name.clone(), [state.target, state.actual]))
        };
        let micros = |lap: Duration| lap.as_secs_f64() * 1e6;
        let timing = &report.timing;
        Status {
            playing: self.playing,
            time: self.machine.time(),
            step: self.machine.step_count(),
            speed: self.pace.speed,
            rtf: self.pace.factor(),
            headroom: self.pace.headroom(self.machine.dt()),
            fault: self.fault.clone(),
            from: self.history.start().time,
            to: self.end.as_ref().map_or(self.machine.time(), |end| end.time),
            points: self.point_looks(),
            inputs: self.machine.inputs().iter().filter_map(input).collect(),
            logic: self.machine.logic_items().into_iter().map(LogicLook::from).collect(),
            energy: Energies {
                kinetic: self.readings.energy.kinetic,
                potential: self.readings.energy.potential,
                elastic: self.readings.energy.elastic,
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
            editing: !self.playing && self.machine.step_count() == 0,
            undo: self.undo.undo().map(|past| past.label.clone()),
            redo: self.undo.redo().map(|past| past.label.clone()),
            dirty: self.saved != self.machine.text(),
            drafts: self.recovery.looks(self.run),
            unsafe_work: self.recovery.problem(),
            recording: self.assembly.recording.is_some(),
            paths: self.assembly.looks(),
            check: self.checked(),
            exports: self.exports.looks(),
        }
    }
}
