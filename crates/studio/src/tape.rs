//! What happened: exact states now and then, and every deed, so that any step of the past can be shown to the bit.
//!
//! ```text
//!  state of step n  =  steps and deeds (n − k of them) after the key of the last step k ≤ n that has one
//! ```
//!
//! A key is kept about every half second, at marks, and where the live run was left. Memory is bounded: beyond it, old keys are
//! thinned to one in eight seconds, then the oldest are given up, and the tape begins later.

use crate::machine::{Deed, Key, Machine, Stepped};
use std::cmp::Reverse;
use std::sync::Arc;

/// A key every so often [s]: 30 steps of 1/60 s are taken again in a few milliseconds by most machines.
const EVERY: f64 = 0.5;
/// Old keys are not thinned beyond this [s], so that a seek stays quick.
const SPARSE: f64 = 8.0;
/// Marks at most.
pub const MOST_MARKS: usize = 200;

/// A moment with a name.
#[derive(Clone, Debug)]
pub struct Mark {
    /// What names it.
    pub id: u32,
    /// What it is called.
    pub name: String,
    /// Its state.
    pub key: Arc<Key>,
}

/// What happened since the machine was built or changed.
#[derive(Clone, Debug)]
pub struct Tape {
    /// Ascending; the first is where the tape begins.
    keys: Vec<Arc<Key>>,
    /// The step after which each was done, ascending.
    deeds: Vec<(u64, Deed)>,
    /// Number of the first of `deeds` since the machine was built.
    first: usize,
    /// Moments with names.
    pub marks: Vec<Mark>,
}

impl Tape {
    /// One that begins now.
    pub fn new(machine: &Machine) -> Tape {
        Tape {
            keys: vec![Arc::new(machine.key())],
            deeds: Vec::new(),
            first: machine.deeds(),
            marks: Vec::new(),
        }
    }

    /// Its first state.
    pub fn start(&self) -> &Arc<Key> {
        &self.keys[0]
    }

    /// Its last state that was kept by the clock.
    pub fn last(&self) -> &Arc<Key> {
        &self.keys[self.keys.len() - 1]
    }

    /// Its states.
    pub fn keys(&self) -> impl Iterator<Item = &Arc<Key>> {
        self.keys.iter().chain(self.marks.iter().map(|mark| &mark.key))
    }

    /// Notes a deed that has just been done.
    pub fn note(&mut self, machine: &Machine, deed: Deed) {
        self.deeds.push((machine.step_count(), deed));
    }

    /// Keeps the state if it is time; whether it did.
    pub fn keep(&mut self, machine: &Machine) -> bool {
        let last = self.keys.last().map_or(f64::NEG_INFINITY, |key| key.time);
        let due = machine.time() - last >= EVERY - 0.5 * machine.dt();
        if due {
            self.keys.push(Arc::new(machine.key()));
        }
        due
    }

    /// Remembers a moment.
    pub fn mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Forgets what comes after a state.
    pub fn cut(&mut self, at: &Key) {
        self.keys.retain(|key| (key.step, key.deeds) <= (at.step, at.deeds));
        self.deeds.truncate(at.deeds.saturating_sub(self.first));
        self.marks.retain(|mark| (mark.key.step, mark.key.deeds) <= (at.step, at.deeds));
    }

    /// Brings the machine to a step, from where it is or from a key, whichever is nearer.
    pub fn show(&self, machine: &mut Machine, step: u64) -> Result<(), String> {
        let before = self.keys().filter(|key| key.step <= step);
        let key = before.max_by_key(|key| (key.step, Reverse(key.deeds)));
        let key = key.ok_or("the recording begins later")?;
        let here = machine.step_count();
        if !(here <= step && here >= key.step) {
            machine.recall(key)?;
        }
        while machine.step_count() < step {
            self.replay(machine)?;
        }
        Ok(())
    }

    /// Does the deeds of the present step again.
    pub fn repeat(&self, machine: &mut Machine) -> Result<(), String> {
        let done = machine.deeds().saturating_sub(self.first);
        let step = machine.step_count();
        for (_, deed) in self.deeds.iter().skip(done).take_while(|(at, _)| *at <= step) {
            machine.act(deed).map_err(|e| e.to_string())?;
        }
        Ok(())
    }

    /// Takes a step of the past again, with its deeds.
    fn replay(&self, machine: &mut Machine) -> Result<(), String> {
        self.repeat(machine)?;
        match machine.step() {
            Stepped::Taken(_) => Ok(()),
            Stepped::Fault(text) | Stepped::Broken(text) => Err(text),
        }
    }

    /// Gives one state up: an old one that others stand near to, else the oldest. Whether there was one.
    pub fn thin(&mut self) -> bool {
        if self.keys.len() < 3 {
            return false;
        }
        let spare =
            (1..self.keys.len() - 1).find(|&k| self.keys[k + 1].time - self.keys[k - 1].time <= SPARSE);
        match spare {
            Some(k) => drop(self.keys.remove(k)),
            None => {
                self.keys.remove(0);
                let gone = self.keys[0].deeds.saturating_sub(self.first).min(self.deeds.len());
                self.deeds.drain(..gone);
                self.first += gone;
                let start = self.keys[0].step;
                self.marks.retain(|mark| mark.key.step >= start);
            }
        }
        true
    }

    /// What its deeds take [bytes].
    pub fn size_of_deeds(&self) -> usize {
        self.deeds.capacity() * size_of::<(u64, Deed)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hands::{Hand, Held};
    use crate::shelf::Shelf;
    use glam::DVec3;

    /// The crane with levers moved and its load pulled about by both hands, and a hash of every state.
    fn story() -> (Machine, Tape, Vec<u64>) {
        let mut machine = Machine::new(Shelf::default().first()).expect("the crane");
        let mut tape = Tape::new(&machine);
        let hash = |machine: &Machine| machine.built.world.state().hash();
        let (slew, load) = {
            let model = machine.built.world.model();
            (model.input("slew").expect("a lever"), model.body("load").expect("a load"))
        };
        let held = |at, to| Hand { held: Held::Body(load, at), to };
        let mut hashes = vec![hash(&machine)];
        for step in 0..200 {
            let deed = match step {
                20 => Some(Deed::Want(slew, Some(0.05))),
                60 => Some(Deed::Grab(1, held(DVec3::X, DVec3::new(19.0, 2.0, 6.0)))),
                70 => Some(Deed::Grab(0, held(DVec3::ZERO, DVec3::new(20.0, 3.0, 6.0)))),
                90 => Some(Deed::Drag(1, DVec3::new(19.0, 4.0, 7.0))),
                95 => Some(Deed::Drag(0, DVec3::new(22.0, 5.0, 6.0))),
                120 => Some(Deed::Release(1)),
                140 => Some(Deed::Release(0)),
                150 => Some(Deed::Want(slew, None)),
                _ => None,
            };
            if let Some(deed) = deed {
                machine.act(&deed).expect("it can be done");
                tape.note(&machine, deed);
            }
            assert!(matches!(machine.step(), Stepped::Taken(_)));
            tape.keep(&machine);
            hashes.push(hash(&machine));
        }
        (machine, tape, hashes)
    }

    #[test]
    fn every_step_of_the_past_comes_back_to_the_bit() {
        let (mut machine, tape, hashes) = story();
        for step in [0, 199, 10, 71, 96, 70, 140, 141, 33, 125, 200, 65, 155, 69, 119] {
            tape.show(&mut machine, step).expect("it is on the tape");
            assert_eq!(machine.built.world.state().step, step);
            // a state in which a hand was put on or off before the step is shown as it was before that
            assert_eq!(machine.built.world.state().hash(), hashes[step as usize], "step {step}");
        }
    }

    #[test]
    fn a_thin_tape_still_has_every_step() {
        let (mut machine, mut tape, hashes) = story();
        let keys = tape.keys().count();
        while tape.keys().count() > 2 {
            assert!(tape.thin());
        }
        assert!(keys > 5 && !tape.thin(), "two are left");
        assert_eq!(tape.start().step, 0, "within eight seconds the start stays");
        for step in [137, 5] {
            tape.show(&mut machine, step).expect("it is on the tape");
            assert_eq!(machine.built.world.state().hash(), hashes[step as usize]);
        }
    }

    #[test]
    fn what_is_cut_off_does_not_happen_again() {
        let (mut machine, mut tape, hashes) = story();
        tape.show(&mut machine, 55).expect("it is on the tape");
        tape.cut(&machine.key());
        while machine.step_count() < 100 {
            tape.repeat(&mut machine).expect("nothing is left to do");
            assert!(matches!(machine.step(), Stepped::Taken(_)));
        }
        assert!(!machine.holds(0) && !machine.holds(1), "they were taken at 60 and 70");
        assert_ne!(machine.built.world.state().hash(), hashes[100]);
    }
}
