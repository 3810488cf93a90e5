//! The fluids of a world and the bodies and cables in them, as a subsystem of the engine.

use crate::hull::ClipBuffers;
use crate::immersed_body::{Action, ImmersedBody, Instant, StepWeather};
use crate::immersed_cable::{CableBuffers, CableInstant, ElementAction, ImmersedCable};
use crate::medium::Layers;
use crate::state::{FluidState, Memory};
use std::collections::BTreeMap;
use windlass_engine::prelude::{
    Advance, BodyId, BodyState, Energy, Loads, Misfit, PartFault, Refusal, SolvedStep, SolvedTerm,
    SpatialMatrix, Subsystem, Twist, View, World,
};

/// The fluids of a world and the bodies and cables in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fluids {
    /// The fluids.
    pub layers: Layers,
    /// The bodies, in the order of their indices.
    pub bodies: Vec<ImmersedBody>,
    /// The cables. A body is not an element of two, nor one of `bodies` as well.
    pub cables: Vec<ImmersedCable>,
}

/// A change of the fluids.
#[derive(Clone, Debug)]
pub enum FluidEdit {
    /// Replaces all of them. Bodies that stay keep their memories, unless memories are given.
    Set(Box<Fluids>, Option<FluidState>),
    /// Takes a body, or an element of a cable, out of the fluids.
    Remove(BodyId),
    /// Puts one back.
    Restore(Removed),
}

/// A body or an element of a cable that was taken out of the fluids.
#[derive(Clone, Debug)]
pub struct Removed {
    memory: (usize, Memory),
    item: RemovedItem,
}

#[derive(Clone, Debug)]
enum RemovedItem {
    Body(usize, Box<ImmersedBody>),
    /// The cable, the place in it, body and length.
    Element(usize, usize, (BodyId, f64)),
}

impl Fluids {
    /// The edit that gives a world these fluids.
    pub fn set(self) -> FluidEdit {
        FluidEdit::Set(Box::new(self), None)
    }

    /// The fluids of a world.
    pub fn of(world: &World) -> Option<&Fluids> {
        world.model().subsystem::<Fluids>()
    }

    /// What the fluids do to a body or an element of a cable at the present state; none for a body outside of their
    /// lists.
    pub fn action(world: &World, body: BodyId) -> Option<Action> {
        let (fluids, state) = world.subsystem::<Fluids>()?;
        if let Some(at) = fluids.bodies.iter().position(|b| b.body == body) {
            // without a solve, drag is that at the stored velocities
            let (term, stored) = (world.solved_term(body), now_of(&world.state().bodies[body.index()]));
            let after = term.map_or(stored, |term| term.twist);
            let view = world.subsystem_view();
            let weather = FluidWork::of(&fluids.layers, &view).weather;
            let action = fluids.evaluate(at, (&view, &weather), state, Some(after));
            return Some(action.with_added_mass(term));
        }
        let at = fluids.elements().position(|id| id == body)?;
        let mut work = FluidWork::of(&fluids.layers, &world.subsystem_view());
        fluids.act_on_cables(&world.subsystem_view(), state, &mut work, None);
        Some(work.elements[at].action.with_added_mass(world.solved_term(body)))
    }

    /// The elements of all cables, in the order of their memories.
    fn elements(&self) -> impl Iterator<Item = BodyId> {
        self.cables.iter().flat_map(|cable| cable.elements.iter().map(|(id, _)| *id))
    }

    /// The bodies and elements, in the order of their memories.
    fn all_bodies(&self) -> impl Iterator<Item = BodyId> {
        self.bodies.iter().map(|body| body.body).chain(self.elements())
    }

    /// Evaluates the elements of all cables; adds their loads and terms to `out`, if given.
    fn act_on_cables(
        &self,
        view: &View<'_>,
        state: &FluidState,
        work: &mut FluidWork,
        mut out: Option<&mut Loads>,
    ) {
        work.elements.clear();
        let mut first = self.bodies.len();
        for cable in &self.cables {
            let memories = &state.0[first..first + cable.elements.len()];
            first += memories.len();
            let instant = CableInstant { view, layers: &self.layers, weather: &work.weather.now, memories };
            cable.act(&instant, &mut work.cables, out.as_deref_mut(), &mut work.elements);
        }
    }

    fn evaluate(
        &self,
        at: usize,
        (view, weather): (&View<'_>, &StepWeather),
        state: &FluidState,
        after: Option<Twist>,
    ) -> Action {
        let (memory, drags) = (&state.0[at], after.is_some());
        let instant = Instant { view, layers: &self.layers, weather, memory, after, drags };
        self.bodies[at].act(&instant, &mut ClipBuffers::default(), None)
    }

    /// Kinetic energy of the fluid that a body sets in motion, and the potential of its buoyancy.
    fn energy_of(&self, view: &View<'_>, at: usize, action: &Action, twist: Twist) -> Energy {
        let id = self.bodies[at].body;
        if !is_dynamic(view, id) {
            return Energy::default();
        }
        let body = &view.bodies.states[id.index()];
        let axes = glam::DMat3::from_quat(body.orientation);
        let matrix = self.bodies[at].added_mass.at(action.amount);
        let relative = Twist { velocity: twist.velocity - action.stream, ..twist };
        let kinetic = matrix.rotated(&axes).energy(relative);
        Energy { kinetic, potential: action.potential, elastic: 0.0 }
    }
}

/// Buffers of the fluids, and what acted in the step that is being solved.
#[derive(Debug, Default)]
pub struct FluidWork {
    weather: StepWeather,
    buffers: ClipBuffers,
    cables: CableBuffers,
    actions: Vec<Action>,
    elements: Vec<ElementAction>,
    /// The bodies at the end of a frame.
    states: Vec<BodyState>,
}

impl FluidWork {
    /// Empty buffers, with the weather of an instant.
    fn of(layers: &Layers, view: &View<'_>) -> FluidWork {
        let mut work = FluidWork::default();
        work.weather.set(layers, view);
        work
    }
}

impl Subsystem for Fluids {
    const KEY: &'static str = "fluids";
    const VERSION: u32 = 2;
    type State = FluidState;
    type Work = FluidWork;
    type Edit = FluidEdit;

    fn loads(&self, view: &View<'_>, state: &FluidState, work: &mut FluidWork, out: &mut Loads) {
        let FluidWork { weather, buffers, actions, .. } = work;
        weather.set(&self.layers, view);
        actions.clear();
        for (body, memory) in self.bodies.iter().zip(&state.0) {
            let instant = Instant { view, layers: &self.layers, weather, memory, after: None, drags: true };
            actions.push(body.act(&instant, buffers, Some(out)));
        }
        self.act_on_cables(view, state, work, Some(out));
    }

    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        (_, next): (&FluidState, &mut FluidState),
        work: &mut FluidWork,
    ) -> [Energy; 2] {
        let mut energy = Energy::default();
        if view.kick == 0.0 {
            return [energy, self.end_frame(view, step, next, work)];
        }
        let mut terms = step.terms.iter().peekable();
        for (at, (body, action)) in self.bodies.iter().zip(&work.actions).enumerate() {
            let place = body.body.index();
            while terms.next_if(|term| (term.place as usize) < place).is_some() {}
            let term = terms.next_if(|term| term.place as usize == place);
            let (now, end) = (&view.bodies.states[place], &step.bodies[place]);
            let twist = term.map_or(now_of(now), |term| term.joined);
            energy = energy.plus(self.energy_of(view, at, action, twist));
            next.0[at] = remembered(action, end, term);
        }
        for (at, (id, element)) in self.elements().zip(&work.elements).enumerate() {
            let memory = &mut next.0[self.bodies.len() + at];
            if !element.counts {
                *memory = Memory::default();
                continue;
            }
            let place = id.index();
            let found = step.terms.binary_search_by_key(&place, |term| term.place as usize);
            let term = found.ok().map(|at| &step.terms[at]);
            let twist = term.map_or(now_of(&view.bodies.states[place]), |term| term.joined);
            energy = energy.plus(element.energy(twist));
            *memory = remembered(&element.action, &step.bodies[place], term);
        }
        [energy; 2]
    }

    fn work_done(&self, step: &SolvedStep<'_>, _: &FluidState, work: &FluidWork) -> Option<f64> {
        let of_elements = work.elements.iter().map(|element| &element.action);
        let all = self.all_bodies().zip(work.actions.iter().chain(of_elements));
        let dynamic = all.filter(|(id, _)| is_dynamic(&step.view, *id));
        let sum = dynamic.map(|(id, action)| {
            let found = step.terms.binary_search_by_key(&id.index(), |term| term.place as usize);
            let term = found.ok().map(|at| &step.terms[at]);
            action.account.work((id.index(), action.stream), &self.layers, step, term)
        });
        Some(sum.sum())
    }

    fn fault(&self, next: &FluidState) -> Option<PartFault> {
        let at = next.0.iter().position(|memory| !memory.is_finite())?;
        let what = match at.checked_sub(self.bodies.len()) {
            None => format!("fluid around body number {at}"),
            Some(element) => format!("fluid around element number {element} of cables"),
        };
        Some(PartFault { what, finite: false })
    }

    fn energy(&self, view: &View<'_>, state: &FluidState) -> Energy {
        let mut work = FluidWork::of(&self.layers, view);
        let all = (0..self.bodies.len()).map(|at| {
            let body = &view.bodies.states[self.bodies[at].body.index()];
            let action = self.evaluate(at, (view, &work.weather), state, None);
            self.energy_of(view, at, &action, now_of(body))
        });
        let bodies = all.fold(Energy::default(), Energy::plus);
        self.act_on_cables(view, state, &mut work, None);
        self.elements()
            .zip(&work.elements)
            .filter(|(_, element)| element.counts)
            .fold(bodies, |sum, (id, element)| {
                sum.plus(element.energy(now_of(&view.bodies.states[id.index()])))
            })
    }

    fn accepts(&self, _: &View<'_>, state: &FluidState) -> Result<(), Misfit> {
        match () {
            () if state.0.len() != self.all_bodies().count() => Err(Misfit::OtherModel),
            () if !state.0.iter().all(Memory::is_finite) => Err(Misfit::Unsound),
            () => Ok(()),
        }
    }

    fn apply(
        &mut self,
        edit: FluidEdit,
        state: &mut FluidState,
        view: &View<'_>,
    ) -> Result<FluidEdit, Refusal> {
        let missing = || Err(refusal("it does not exist: add the body before its fluid"));
        let (fluids, memories) = match edit {
            FluidEdit::Set(fluids, memories) => (*fluids, memories),
            FluidEdit::Remove(body) => {
                return match self.remove(body, state) {
                    Some(removed) => Ok(FluidEdit::Restore(removed)),
                    None => missing(),
                };
            }
            FluidEdit::Restore(removed) => {
                let body = removed.body();
                if view.bodies.list.get(body).is_none() || !self.has_place_for(&removed, state) {
                    return missing();
                }
                self.restore(removed, state);
                return Ok(FluidEdit::Remove(body));
            }
        };
        let mut all: Vec<BodyId> = fluids.all_bodies().collect();
        if all.iter().any(|id| view.bodies.list.get(*id).is_none()) {
            return missing();
        }
        all.sort_by_key(|id| id.index());
        if all.windows(2).any(|pair| pair[0] == pair[1]) {
            let problem = "it is in the fluid twice: name it once, as a body or as an element of one cable";
            return Err(refusal(problem));
        }
        let count = fluids.all_bodies().count();
        let next = memories.filter(|m| m.0.len() == count).unwrap_or_else(|| {
            let memories = self.all_bodies().zip(&state.0).map(|(id, memory)| (id.index(), (id, *memory)));
            let known: BTreeMap<usize, (BodyId, Memory)> = memories.collect();
            let memory_of = |id: BodyId| match known.get(&id.index()) {
                Some((other, memory)) if *other == id => *memory,
                _ => Memory::default(),
            };
            FluidState(fluids.all_bodies().map(memory_of).collect())
        });
        let was = std::mem::replace(state, next);
        Ok(FluidEdit::Set(Box::new(std::mem::replace(self, fluids)), Some(was)))
    }

    /// Those of cables are left out, as they may be merged.
    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.iter().map(|b| b.body).collect()
    }

    fn body_removed(&mut self, body: BodyId, state: &mut FluidState) -> Vec<FluidEdit> {
        self.remove(body, state).map(FluidEdit::Restore).into_iter().collect()
    }
}

/// Bodies and elements that are taken out and put back.
impl Fluids {
    fn remove(&mut self, body: BodyId, state: &mut FluidState) -> Option<Removed> {
        let at = self.all_bodies().position(|id| id == body)?;
        let item = match at.checked_sub(self.bodies.len()) {
            None => RemovedItem::Body(at, Box::new(self.bodies.remove(at))),
            Some(mut place) => {
                let cable = self.cables.iter().position(|cable| {
                    let here = place < cable.elements.len();
                    place -= if here { 0 } else { cable.elements.len() };
                    here
                })?;
                RemovedItem::Element(cable, place, self.cables[cable].elements.remove(place))
            }
        };
        Some(Removed { memory: (at, state.0.remove(at)), item })
    }

    fn has_place_for(&self, removed: &Removed, state: &FluidState) -> bool {
        removed.memory.0 <= state.0.len()
            && match &removed.item {
                RemovedItem::Body(at, _) => *at <= self.bodies.len(),
                RemovedItem::Element(cable, at, _) => {
                    self.cables.get(*cable).is_some_and(|cable| *at <= cable.elements.len())
                }
            }
    }

    fn restore(&mut self, Removed { memory, item }: Removed, state: &mut FluidState) {
        state.0.insert(memory.0, memory.1);
        match item {
            RemovedItem::Body(at, body) => self.bodies.insert(at, *body),
            RemovedItem::Element(cable, at, element) => self.cables[cable].elements.insert(at, element),
        }
    }
}

impl Removed {
    fn body(&self) -> BodyId {
        match &self.item {
            RemovedItem::Body(_, body) => body.body,
            RemovedItem::Element(_, _, (id, _)) => *id,
        }
    }
}

fn refusal(problem: &str) -> Refusal {
    Refusal { what: "a body in a fluid".to_string(), problem: problem.to_string() }
}

impl Fluids {
    /// At the end of a frame of the acceleration-level integrators: the entry of bodies as an impulse, memories, and
    /// the energy then.
    fn end_frame(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        next: &mut FluidState,
        work: &mut FluidWork,
    ) -> Energy {
        let mut energy = Energy::default();
        let mut states = std::mem::take(&mut work.states);
        states.clear();
        states.extend_from_slice(step.bodies);
        let (mut bodies, mut ahead) = (view.bodies, *view);
        (bodies.states, bodies.time) = (&states, view.bodies.time + view.dt);
        ahead.bodies = bodies;
        work.weather.set(&self.layers, &ahead);
        for (at, body) in self.bodies.iter().enumerate() {
            let place = body.body.index();
            let memory = Memory::default();
            let (layers, weather, after) = (&self.layers, &work.weather, None);
            let instant = Instant { view: &ahead, layers, weather, memory: &memory, after, drags: false };
            let action = body.act(&instant, &mut work.buffers, None);
            let [joining, _] = body.added_mass.change([next.0[at].amount, action.amount]);
            let axes = glam::DMat3::from_quat(states[place].orientation);
            let [joining, added] = [joining, body.added_mass.at(action.amount)].map(|m| m.rotated(&axes));
            let twist = enter(step, place, [joining, added], action.stream);
            energy = energy.plus(self.energy_of(&ahead, at, &action, twist));
            let (stream, center) = (action.stream, action.account.center);
            next.0[at] = Memory { amount: action.amount, stream, center, ..Memory::default() };
        }
        self.act_on_cables(&ahead, next, work, None);
        for (at, (id, element)) in self.elements().zip(&work.elements).enumerate() {
            let memory = &mut next.0[self.bodies.len() + at];
            let (before, action) = (memory.amount, &element.action);
            *memory = Memory::default();
            if element.counts {
                let known = before >= 0.0 && action.amount > 0.0;
                let part = if known { 1.0 - (before / action.amount).min(1.0) } else { 0.0 };
                let twist = enter(step, id.index(), [element.inertia * part, element.inertia], action.stream);
                energy = energy.plus(element.energy(twist));
                *memory = Memory { amount: action.amount, stream: action.stream, ..Memory::default() };
            }
        }
        work.states = states;
        energy
    }
}

impl ElementAction {
    /// Kinetic energy of the fluid that it sets in motion, and the potential of its buoyancy.
    fn energy(&self, twist: Twist) -> Energy {
        let relative = Twist { velocity: twist.velocity - self.action.stream, ..twist };
        let kinetic = self.inertia.energy(relative);
        Energy { kinetic, potential: self.action.potential, elastic: 0.0 }
    }
}

/// Velocities of a body after it entered a fluid: its momentum is kept while the first matrix joins its added mass, which
/// is the second one then; world axes.
fn enter(
    step: &mut Advance<'_>,
    place: usize,
    [joining, added]: [SpatialMatrix; 2],
    stream: glam::DVec3,
) -> Twist {
    let (state, inertial) = (step.bodies[place], &step.inertia[place]);
    let twist = now_of(&state);
    if joining == SpatialMatrix::ZERO || !inertial.free {
        return twist;
    }
    let all = added + SpatialMatrix::rigid(inertial.own_mass(), inertial.inertia(state.orientation));
    let relative = Twist { velocity: twist.velocity - stream, ..twist };
    let momentum = (all + joining * -1.0).apply(relative);
    let slowed = all.inverse_times(momentum);
    let twist = Twist { velocity: slowed.velocity + stream, ..slowed };
    let body = &mut step.bodies[place];
    (body.velocity, body.angular_velocity) = (twist.velocity, twist.angular_velocity);
    twist
}

/// What is remembered of a step, from its action, the body at its end and its solved terms.
fn remembered(action: &Action, end: &BodyState, term: Option<&SolvedTerm>) -> Memory {
    Memory {
        amount: action.amount,
        stream: action.account.streams[1],
        center: action.account.center,
        constraint_force: term.map_or(glam::DVec3::ZERO, |term| term.constraint.force),
        shift: term.map_or(Twist::default(), |term| Twist {
            velocity: term.twist.velocity - end.velocity,
            angular_velocity: term.twist.angular_velocity - end.angular_velocity,
        }),
    }
}

/// Whether a body is dynamic: only those have energy.
fn is_dynamic(view: &View<'_>, body: BodyId) -> bool {
    view.bodies.list.get(body).is_some_and(|body| body.is_dynamic())
}

fn now_of(body: &BodyState) -> Twist {
    Twist { velocity: body.velocity, angular_velocity: body.angular_velocity }
}
