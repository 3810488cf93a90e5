//! Actions of the driver on the machine: inputs and dragging.

use super::Run;
use crate::message::ServerMessage;
use crate::path::{Move, REACH};
use glam::DVec3;
use windlass_host::Command;
use windlass_host::drag::{Drag, DragTarget, HANDS};
use windlass_scene::LogicItem;

impl Run {
    /// Applies a command, if the run is live.
    pub fn act(&mut self, command: Command) -> Result<(), ServerMessage> {
        if !self.is_live() {
            return Err(ServerMessage::refused("a past moment is shown: `resume` continues from it"));
        }
        self.machine.apply(&command).map_err(|e| ServerMessage::refused(e.to_string()))?;
        // logged at the step before which it was applied
        self.timeline.history.log(&self.machine, command);
        self.moved = true;
        Ok(())
    }

    pub fn input(&mut self, name: &str, value: Option<f64>) -> Result<(), ServerMessage> {
        let control =
            windlass_scene::control::find(self.machine.inputs(), name).map_err(ServerMessage::refused)?;
        let id =
            control.id.ok_or_else(|| ServerMessage::refused("this input does not exist in the world"))?;
        self.act(Command::SetInput(id, value))
    }

    /// Switches a controller or rule.
    pub fn switch(&mut self, name: &str, on: bool) -> Result<(), ServerMessage> {
        let number = LogicItem::find(self.machine.world(), name);
        let number =
            number.ok_or_else(|| ServerMessage::refused(format!("no controller or rule \"{name}\"")))?;
        self.act(Command::Switch(number, on))
    }

    pub fn grab(
        &mut self,
        hand: usize,
        body: usize,
        at: [f64; 3],
        to: [f64; 3],
    ) -> Result<(), ServerMessage> {
        self.end_path();
        self.take(hand, Move::Grab { body: self.name_of_body(body)?, at, to })
    }

    pub fn pull(&mut self, hand: usize, line: u32, along: f64, to: [f64; 3]) -> Result<(), ServerMessage> {
        self.end_path();
        let found = self.lines.iter().find(|l| l.look.id == line);
        let name =
            found.map(|l| l.look.name.clone()).ok_or_else(|| ServerMessage::refused("no such cable"))?;
        self.take(hand, Move::Pull { line: name, along, to })
    }

    pub fn drag(&mut self, hand: usize, to: [f64; 3]) -> Result<(), ServerMessage> {
        self.take(hand, Move::Drag(to))
    }

    fn name_of_body(&self, body: usize) -> Result<String, ServerMessage> {
        let built = self.machine.built();
        let found = built.bodies.get(body).and_then(|id| built.world.model().bodies().get(*id));
        found.map(|b| b.name.clone()).ok_or_else(|| ServerMessage::refused("no such body"))
    }

    /// A move of a handle, which is added to a recording, if there is one.
    pub fn take(&mut self, hand: usize, what: Move) -> Result<(), ServerMessage> {
        let command = self.command(hand, &what)?;
        self.act(command)?;
        self.note_move(hand, what)
    }

    /// A move of a handle in the present scene.
    fn command(&self, hand: usize, what: &Move) -> Result<Command, ServerMessage> {
        if hand >= HANDS {
            return Err(ServerMessage::refused("`hand` must be 0 or 1"));
        }
        let built = self.machine.built();
        Ok(match what {
            Move::Grab { body, at, to } => {
                let model = built.world.model();
                let id = model.body(body).filter(|id| built.bodies.contains(id));
                let free = id.filter(|id| model.bodies().get(*id).is_some_and(|b| b.is_dynamic()));
                let why = || format!("\"{body}\" is not dynamic: only dynamic bodies can be dragged");
                let id = free.ok_or_else(|| ServerMessage::refused(why()))?;
                Command::Grab(
                    hand,
                    Drag { target: DragTarget::Body(id, reachable(*at)?), to: reachable(*to)? },
                )
            }
            Move::Pull { line, along, to } => {
                if !(0.0..=REACH).contains(along) {
                    return Err(ServerMessage::refused(
                        "`along` must be a length of cable in metres, 0 or more",
                    ));
                }
                let found = self.lines.iter().find(|l| l.look.name == *line);
                let target = found.and_then(|l| l.hold(&built.world, *along));
                let why =
                    || format!("\"{line}\" is not a cable, or no longer exists: only cables can be pulled");
                let target = target.ok_or_else(|| ServerMessage::refused(why()))?;
                Command::Grab(hand, Drag { target, to: reachable(*to)? })
            }
            Move::Drag(to) if self.machine.is_dragging(hand) => Command::Drag(hand, reachable(*to)?),
            Move::Drag(_) => return Err(ServerMessage::refused("nothing is held: `grab` a body first")),
            Move::Release => Command::Release(hand),
        })
    }

    pub fn release(&mut self, hand: usize) -> Result<(), ServerMessage> {
        if self.machine.is_dragging(hand) && self.is_live() { self.take(hand, Move::Release) } else { Ok(()) }
    }

    /// Releases both handles.
    pub fn release_all(&mut self) -> Result<(), ServerMessage> {
        (0..HANDS).try_for_each(|hand| self.release(hand))
    }

    /// Nobody holds anything any more: releases the handles and the self-centering inputs. A past moment stays as it was;
    /// they are released when the run continues from there or at its end.
    pub fn hands_off(&mut self) {
        if !self.is_live() {
            return;
        }
        self.end_path();
        // none of this is rejected in a world that contains it
        let _ = self.release_all();
        let returning = self.machine.inputs().iter().filter(|c| c.returns).filter_map(|c| c.id);
        let held = |id: &_| self.machine.world().input(*id).is_some_and(|input| input.held);
        for id in returning.filter(held).collect::<Vec<_>>() {
            let _ = self.act(Command::SetInput(id, None));
        }
    }
}

/// A valid target of a handle.
fn reachable(point: [f64; 3]) -> Result<DVec3, ServerMessage> {
    let point = DVec3::from(point);
    let near = point.is_finite() && point.abs().max_element() <= REACH;
    if near {
        Ok(point)
    } else {
        Err(ServerMessage::refused(format!("points must be within {REACH:e} m of the origin")))
    }
}
