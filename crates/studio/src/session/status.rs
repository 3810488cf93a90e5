//! The state of the session → the status that clients get.

use super::Session;
use crate::message::{Energies, LogicLook, Stages, Status};
use std::time::Duration;

impl Session {
    pub(super) fn status(&self) -> Status {
        let (run, machine, report) = (&self.shown, &self.shown.machine, &self.readings.report);
        let input = |control: &windlass_scene::Control| {
            let state = machine.world().input(control.id?)?;
            Some((control.name.clone(), [state.target, state.actual]))
        };
        let micros = |lap: Duration| lap.as_secs_f64() * 1e6;
        let timing = &report.timing;
        Status {
            playing: self.pace.is_playing(),
            time: machine.time(),
            step: machine.step_count(),
            speed: self.pace.speed,
            rtf: self.pace.factor(),
            headroom: self.pace.headroom(machine.dt()),
            fault: run.fault.clone(),
            from: run.timeline.history.start().time,
            to: run.timeline.end.as_ref().map_or(machine.time(), |end| end.time),
            points: run.timeline.looks(),
            inputs: machine.inputs().iter().filter_map(input).collect(),
            logic: machine.logic_items().into_iter().map(LogicLook::from).collect(),
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
            live: run.is_live(),
            editing: !self.pace.is_playing() && machine.step_count() == 0,
            undo: self.undo.undo().map(|past| past.label.clone()),
            redo: self.undo.redo().map(|past| past.label.clone()),
            dirty: run.is_dirty(),
            drafts: self.recovery.looks(run.number),
            unsafe_work: self.recovery.problem(),
            recording: run.assembly.is_recording(),
            paths: run.assembly.looks(),
            check: run.checked(),
            exports: self.exports.looks(),
        }
    }
}
