//! Commit of a solution to State: the only code of a step that writes State, in a fixed order. A step whose result is
//! not finite, or beyond 1e10, changes nothing and returns a fault.

use super::frame::FrameWork;
use super::leapfrog::Delayed;
use super::shake::Shake;
use super::start::StartState;
use super::subsystems::SubsystemsAhead;
use super::{leapfrog, remember, sequential_impacts, sleep};
use crate::body::BodyState;
use crate::cable::feed;
use crate::cable::remesh::{self, Remeshing};
use crate::load::Loads;
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::report::work::Interval;
use crate::report::{Energy, Event, Fault, RemeshReport, Report, Work, event, fault, work};
use crate::stages::Stages;
use crate::subsystem::Part;

/// Data to be committed, and reports of them.
#[derive(Debug, Default)]
pub struct CommitWork {
    /// Contact events of the last step.
    pub(crate) events: Vec<Event>,
    bodies: Vec<BodyState>,
    /// Bodies with an impact within the step.
    delayed: Vec<Delayed>,
    contacts: Vec<ContactState>,
    /// Index of each point in `contacts`.
    places: Vec<u32>,
    parts: Vec<Part>,
    subsystems: SubsystemsAhead,
    remeshing: Remeshing,
    /// Forces that have a potential.
    conservative: Loads,
}

/// Commits the solved step.
pub(crate) fn step(
    model: &Model,
    state: &mut State,
    (s, start, shake): (&mut Stages, &StartState, &Shake),
    work: &mut CommitWork,
) -> Report {
    let from = start.of(state);
    let (h, kick) = (model.dt(from), model.kick(from));
    leapfrog::delay(h, kick, (&s.free, &s.contacts), (&s.rows, &s.solution), &mut work.delayed);
    leapfrog::drift(model, from, kick, (&s.free, &s.solution), &work.delayed, &mut work.bodies);
    work.parts.clone_from(&from.parts);
    let parts = work.subsystems.advance((model, from), s, &mut work.bodies, &mut work.parts);
    let energy = Energy::at_start(model, from, kick, (&s.free, &s.rows, &s.solution)).plus(parts[0]);
    let whole = Interval::whole(model, from);
    let subsystems = work::of_subsystems(model, from, whole, (&s.free, &s.solution), &s.subsystems);
    let mut done = subsystems.map(|subsystems| {
        let nouns = (&s.free, &s.rows, &s.solution);
        let done = work::done(model, from, whole, nouns, &mut work.conservative);
        // energy dissipated by sequential impacts before the solve
        let struck = match start.struck.is_empty() {
            true => 0.0,
            false => Energy::kinetic(model, from) - Energy::kinetic(model, state),
        };
        Work { contact: done.contact + struck, subsystems: done.subsystems + subsystems, ..done }
    });
    let fault = fault::find(model, from, &work.bodies, &s.rows, &s.solution.forces)
        .or_else(|| fault::find_part(model, from, &work.parts));
    let (mut broken, mut resolution) = (0, RemeshReport::default());
    if fault.is_none() {
        remember::contacts(&s.contacts, &s.rows, &s.solution, from, (&mut work.contacts, &mut work.places));
        let kept = (&mut *work.contacts, &*work.places);
        let slow = model.settings.bounce_speed;
        remember::blows(&s.contacts, (&s.rows, &s.islands, &s.solution), from, slow, kept);
        sequential_impacts::add(&start.struck, kick, &mut work.contacts);
        event::compare(&state.contacts, &work.contacts, kick, &mut work.events);
        std::mem::swap(&mut state.contacts, &mut work.contacts);
        std::mem::swap(&mut state.bodies, &mut work.bodies);
        std::mem::swap(&mut state.parts, &mut work.parts);
        broken = remember::joints(model, &s.rows, &s.solution, h, state);
        sleep::update(model, &s.rows, &s.islands, s.free.wrenches.all(), state);
        s.inputs.finish(h, state);
        (state.velocity_lag, state.time) = (0.5 * h, state.time + h);
        model.hang(state);
        resolution = remesh::adapt(model, state, &mut work.remeshing);
        feed::feed(model, state, &mut resolution);
    }
    let (gap, forced) = (s.rows.widest, shake.failed);
    if let Some(work) = &mut done {
        work.remeshing += resolution.energy;
    }
    Report { broken, resolution, energy, work: done, gap, forced, ..report(state, s, fault) }
}

/// Commits the frame advanced by an acceleration-level integrator.
pub(crate) fn frame(
    model: &Model,
    state: &mut State,
    (s, frame): (&mut Stages, &mut FrameWork),
    work: &mut CommitWork,
) -> Report {
    let FrameWork { ahead, left, forced, internal, .. } = frame;
    ahead.parts.clone_from(&state.parts);
    let parts = work.subsystems.advance((model, state), s, &mut ahead.bodies, &mut ahead.parts);
    let fault = fault::find(model, state, &ahead.bodies, &s.rows, &s.solution.forces)
        .or_else(|| fault::find_part(model, state, &ahead.parts));
    let mut broken = 0;
    if fault.is_none() {
        let contacts = &mut internal.evaluation.contacts;
        contacts.finish(model.settings.dt, &s.contacts, &mut ahead.contacts);
        event::compare(&state.contacts, &contacts.noted, model.settings.dt, &mut work.events);
        std::mem::swap(state, ahead);
        broken = remember::joints(model, &s.rows, &s.solution, 0.0, state);
        s.inputs.finish(model.settings.dt, state);
        remesh::follow(model, state, &mut work.remeshing);
        state.step += 1;
    }
    let energy = Energy::of(model, state, &s.rows).plus(parts[1]);
    Report { broken, energy, gap: left.gap, forced: *forced, ..report(state, s, fault) }
}

/// Report of the solve.
fn report(state: &State, s: &mut Stages, fault: Option<Box<Fault>>) -> Report {
    s.integrated();
    let stats = &s.solution.stats;
    Report {
        time: state.time,
        step: state.step,
        fault,
        islands: s.islands.list.len(),
        rows: s.rows.rows.len(),
        factors: stats.iter().map(|e| e.factors).max().unwrap_or(0),
        residual: stats.iter().fold(0.0, |m, e| f64::max(m, e.residual)),
        stalled: stats.iter().filter(|e| e.stalled).count(),
        redundant: s.solution.redundant.len(),
        penetration: s.contacts.deepest(),
        contacts: s.contacts.list.len(),
        timing: s.timing,
        ..Report::default()
    }
}
