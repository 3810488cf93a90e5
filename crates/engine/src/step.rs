//! One step. The only file that knows the order of the stages.

use crate::cable::{feed, remesh as resolution};
use crate::force::free_motion as free;
use crate::inspect::instant as inspect;
use crate::integrate::penalty::contact_loop as touching;
use crate::integrate::{
    commit as keep, dormand_prince as adaptive, leapfrog as spook, projected, sequential_impacts as serial,
    shake as close,
};
use crate::partition;
use crate::report::{Clock, Energy, Remeshed, Report, Timing, event, fault};
use crate::settings::{Adaptive, Stepper};
use crate::solve::{self, SolveInput};
use crate::stages as hook;
use crate::strand;
use crate::workspace::Level;
use crate::world::World;

impl World {
    /// Advances the world by one step of `settings.dt`.
    ///
    /// If the step would leave a number that is not sound, nothing changes and the report has a fault.
    pub fn step(&mut self) -> Report {
        match self.model.settings.stepper {
            Stepper::Spook => self.step_velocities(),
            Stepper::Projected => self.step_accelerations(None),
            Stepper::DormandPrince(rule) => self.step_accelerations(Some(rule)),
        }
    }

    /// force → collide → constrain → partition → solve → integrate.
    fn step_velocities(&mut self) -> Report {
        let World { model, state, scratch: s } = self;
        let mut clock = Clock::start();
        s.turn_to(Level::Velocities);
        s.courses.set(model, state);
        s.courses.wake(model, state);
        let mut timing = Timing::default();
        // velocities stand `lag` behind: bring them half a step beyond the present
        let kick = state.lag + 0.5 * model.settings.dt;

        s.free.refresh(model, state);
        hook::forces(model, state, s);
        free::free(model, state, kick, &mut s.free);
        timing.force = clock.lap();

        hook::contacts(model, state, s);
        let mut struck = false;
        if model.settings.contact.serial {
            s.start.bodies.clone_from(&state.bodies);
            struck = serial::strike(model, state, (&s.contacts, &s.free, kick), &mut s.struck);
        }
        if struck {
            free::free(model, state, kick, &mut s.free);
        }
        timing.collide = clock.lap();

        hook::all_rows(model, state, s);
        timing.constrain = clock.lap();

        partition::partition(&s.free.inertial, &s.rows, true, &mut s.islands);
        keep::wake(model, &s.islands, s.free.wrenches.all(), state);
        timing.partition = clock.lap();

        let nouns =
            SolveInput { free: &s.free, contacts: &s.contacts, rows: &s.rows, islands: &s.islands, kick };
        solve::solve(model, state, &nouns, &mut s.solution);
        let forced = close::close(model, state, kick, s);
        s.hooks.iter_mut().for_each(|h| h.solved(model, state, &s.rows, &s.solution));
        timing.solve = clock.lap();

        let energy = Energy::at_start(model, state, kick, (&s.free, &s.rows, &s.solution));
        spook::drift(model, state, kick, (&s.free, &s.solution), &mut s.next);
        let strands = strand::step::advance(
            model,
            state,
            &s.free.inertial,
            &mut s.next,
            &mut s.next_strands,
            &mut s.strands,
        );
        let energy = energy.plus(strands[0]);
        let fault = fault::find(model, state, &s.next, &s.rows, &s.solution.forces);
        let fault = fault.or_else(|| fault::find_strand(model, state, &s.next_strands));
        let (mut broken, mut remeshed) = (0, Remeshed::default());
        if fault.is_none() {
            let kept = (&mut s.next_contacts, &mut s.next_places);
            keep::contacts(&s.contacts, &s.rows, &s.solution, state, kept);
            let slow = model.settings.bounce_speed;
            let kept = (&mut *s.next_contacts, &*s.next_places);
            keep::blows(&s.contacts, (&s.rows, &s.islands, &s.solution), state, slow, kept);
            if struck {
                serial::add(&s.struck, kick, &mut s.next_contacts);
            }
            event::compare(&state.contacts, &s.next_contacts, kick, &mut s.events);
            std::mem::swap(&mut state.contacts, &mut s.next_contacts);
            std::mem::swap(&mut state.bodies, &mut s.next);
            std::mem::swap(&mut state.strands, &mut s.next_strands);
            broken = keep::joints(model, &s.rows, &s.solution, model.settings.dt, state);
            keep::sleep(model, &s.rows, &s.islands, s.free.wrenches.all(), state);
            s.courses.finish(model.settings.dt, state);
            state.lag = 0.5 * model.settings.dt;
            state.time += model.settings.dt;
            state.step += 1;
            model.hang(state);
            remeshed = resolution::adapt(model, state, &mut s.remeshing);
            feed::feed(model, state, &mut remeshed);
        }
        if fault.is_some() && struck {
            state.bodies.clone_from(&s.start.bodies);
        }
        timing.integrate = clock.lap();
        let (gap, overlap, contacts) = (s.rows.widest, s.contacts.deepest(), s.contacts.list.len());
        let told = Report { forced, ..self.told() };
        Report { fault, broken, resolution: remeshed, energy, gap, overlap, contacts, timing, ..told }
    }

    /// Runge–Kutta on accelerations, then correction; the stages run inside each evaluation.
    fn step_accelerations(&mut self, rule: Option<Adaptive>) -> Report {
        let mut clock = Clock::start();
        let World { model, state, scratch: s } = self;
        let (mut start, mut ahead) = (std::mem::take(&mut s.start), std::mem::take(&mut s.ahead));
        start.clone_from(state);
        s.courses.set(model, state);
        inspect::synchronise(model, &mut start, s);
        let (left, forced) = match rule {
            None => projected::advance(model, &mut start, model.settings.dt, s, &mut ahead),
            Some(rule) => {
                let outcome = adaptive::advance(model, &mut start, rule, s, &mut ahead);
                (outcome.left, outcome.forced)
            }
        };
        s.hooks.iter_mut().for_each(|h| h.solved(model, &ahead, &s.rows, &s.solution));
        let strands = strand::step::advance(
            model,
            state,
            &s.free.inertial,
            &mut ahead.bodies,
            &mut ahead.strands,
            &mut s.strands,
        );
        let fault = fault::find(model, state, &ahead.bodies, &s.rows, &s.solution.forces);
        let fault = fault.or_else(|| fault::find_strand(model, state, &ahead.strands));
        let mut broken = 0;
        if fault.is_none() {
            touching::finish(model.settings.dt, s);
            event::compare(&state.contacts, &s.touching.noted, model.settings.dt, &mut s.events);
            std::mem::swap(&mut ahead.contacts, &mut s.next_contacts);
            std::mem::swap(state, &mut ahead);
            broken = keep::joints(model, &s.rows, &s.solution, 0.0, state);
            s.courses.finish(model.settings.dt, state);
            resolution::follow(model, state, &mut s.remeshing);
            state.step += 1;
        }
        (s.start, s.ahead) = (start, ahead);
        let energy = Energy::of(model, state, &s.rows).plus(strands[1]);
        let (gap, overlap, contacts) = (left.gap, s.contacts.deepest(), s.contacts.list.len());
        let timing = Timing { integrate: clock.lap(), ..Timing::default() };
        Report { fault, broken, forced, energy, gap, overlap, contacts, timing, ..self.told() }
    }

    /// What the last solve says.
    fn told(&self) -> Report {
        let solution = &self.scratch.solution;
        Report {
            time: self.state.time,
            step: self.state.step,
            islands: self.scratch.islands.list.len(),
            rows: self.scratch.rows.rows.len(),
            factors: solution.stats.iter().map(|e| e.factors).max().unwrap_or(0),
            residual: solution.stats.iter().fold(0.0, |m, e| f64::max(m, e.residual)),
            stalled: solution.stats.iter().filter(|e| e.stalled).count(),
            redundant: solution.redundant.len(),
            ..Report::default()
        }
    }
}
