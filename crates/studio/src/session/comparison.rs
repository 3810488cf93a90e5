//! The run shown for comparison: which one it is, and its messages to clients.

use super::run::Run;
use crate::ghost::Ghost;
use crate::hub::{Hub, Latest, Picture};
use crate::message::ServerMessage;
use axum::body::Bytes;
use std::sync::Arc;
use windlass_host::Machine;
use windlass_host::history::HistoryError;

/// The run shown for comparison.
pub struct Comparison {
    hub: Arc<Hub>,
    ghost: Option<Ghost>,
    /// Counts them.
    epoch: u64,
}

impl Comparison {
    /// None yet.
    pub fn new(hub: Arc<Hub>) -> Comparison {
        Comparison { hub, ghost: None, epoch: 0 }
    }

    /// Shows a sync point or a branch of a run.
    pub fn show(&mut self, run: &Run, id: u32) -> Result<(), ServerMessage> {
        let item = run.item.clone();
        let ghost = if let Some(point) = run.timeline.point(id) {
            let machine = Machine::from_origin(&point.origin).map_err(ServerMessage::refused)?;
            Ghost::moment((id, point.mark.name.clone()), item, machine, &point.mark.keyframe)
        } else if let Some(branch) = run.timeline.branch(id) {
            let along = (branch.history.clone(), branch.end.clone());
            let machine = Machine::from_origin(&branch.origin).map_err(ServerMessage::refused)?;
            Ghost::branch((id, branch.name.clone()), item, machine, along)
        } else {
            return Err(ServerMessage::refused("no such sync point or branch"));
        };
        let ghost = ghost.map_err(ServerMessage::refused)?;
        self.tell(&ghost.told());
        self.ghost = Some(ghost);
        Ok(())
    }

    /// Ends the comparison.
    pub fn end(&mut self) {
        if self.ghost.take().is_some() {
            self.tell(&ServerMessage::Ghost { id: None, name: String::new(), scene: None });
        }
    }

    fn tell(&mut self, told: &ServerMessage) {
        self.epoch += 1;
        self.hub.ghost.send_replace(Latest { epoch: self.epoch, content: told.json().into() });
    }

    /// Publishes its frame at a step, with the surfaces of its grounds if `soil`. A run that cannot be followed to there
    /// is no longer shown.
    pub fn draw(&mut self, step: u64, soil: bool) -> Result<(), HistoryError> {
        let Some(ghost) = &mut self.ghost else { return Ok(()) };
        match ghost.frame(step, soil) {
            Ok(Some(bytes)) => {
                let content = Picture { frame: Bytes::from(bytes), sheet: ghost.sheet() };
                self.hub.ghost_frame.send_replace(Latest { epoch: self.epoch, content });
            }
            Ok(None) => {}
            Err(why) => {
                self.end();
                return Err(why);
            }
        }
        Ok(())
    }
}
