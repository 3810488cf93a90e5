//! What the driver does to the machine: levers and the hand.

use super::Session;
use crate::machine::{Deed, Hand};
use crate::message::Told;
use glam::DVec3;

/// The hand reaches no farther than this from the origin [m].
const REACH: f64 = 1e6;

impl Session {
    /// Does a deed, if the run is live.
    pub(super) fn act(&mut self, deed: Deed) -> Result<(), Told> {
        if self.end.is_some() {
            return Err(Told::refused("a past moment is shown: `resume` goes on from it"));
        }
        self.machine.act(&deed).map_err(|e| Told::refused(e.to_string()))?;
        // noted at the step before which it was done
        self.tape.note(&self.machine, deed);
        self.moved = true;
        Ok(())
    }

    pub(super) fn input(&mut self, name: &str, value: Option<f64>) -> Result<(), Told> {
        let control =
            windlass_scene::control::find(&self.machine.built.controls, name).map_err(Told::refused)?;
        let id = control.id.ok_or_else(|| Told::refused("this input is not in the world"))?;
        self.act(Deed::Want(id, value))
    }

    pub(super) fn grab(&mut self, body: usize, at: DVec3, to: DVec3) -> Result<(), Told> {
        let id = self.machine.built.bodies.get(body).copied();
        let free =
            id.filter(|id| self.machine.built.world.model().bodies().get(*id).is_some_and(|b| b.is_free()));
        let body = free.ok_or_else(|| Told::refused("only bodies that move by forces can be grabbed"))?;
        self.act(Deed::Grab(Hand { body, at: reachable(at)?, to: reachable(to)? }))
    }

    pub(super) fn drag(&mut self, to: DVec3) -> Result<(), Told> {
        match self.machine.hand() {
            Some(_) => self.act(Deed::Drag(reachable(to)?)),
            None => Err(Told::refused("nothing is held: `grab` a body first")),
        }
    }

    pub(super) fn release(&mut self) -> Result<(), Told> {
        if self.machine.hand().is_some() && self.end.is_none() { self.act(Deed::Release) } else { Ok(()) }
    }

    /// The driver is gone: what they held is let go, as a machine's levers are.
    pub(super) fn hands_off(&mut self) {
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
}

/// A point that the hand can be at.
fn reachable(point: DVec3) -> Result<DVec3, Told> {
    let near = point.is_finite() && point.abs().max_element() <= REACH;
    if near { Ok(point) } else { Err(Told::refused(format!("points are within {REACH:e} m of the origin"))) }
}
