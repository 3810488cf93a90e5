//! The fluids of a world and the bodies in them, as a subsystem of the engine.

use crate::hull::ClipBuffers;
use crate::immersed_body::{Action, ImmersedBody, Instant};
use crate::medium::Layers;
use crate::state::{FluidState, Memory};
use windlass_engine::prelude::{
    Advance, BodyId, BodyState, Energy, Loads, Misfit, PartFault, Refusal, SpatialMatrix, Subsystem, Twist,
    View, World,
};

/// The fluids of a world and the bodies in them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fluids {
    /// The fluids.
    pub layers: Layers,
    /// The bodies, in the order of their indices.
    pub bodies: Vec<ImmersedBody>,
}

/// A change of the fluids: replaces all of them. Bodies that stay keep their memories.
#[derive(Clone, Debug)]
pub struct SetFluids(pub Box<Fluids>, pub Option<FluidState>);

impl Fluids {
    /// The edit that gives a world these fluids.
    pub fn set(self) -> SetFluids {
        SetFluids(Box::new(self), None)
    }

    /// The fluids of a world.
    pub fn of(world: &World) -> Option<&Fluids> {
        world.model().subsystem::<Fluids>()
    }

    /// What the fluids do to a body at the present state; none for a body outside of their list.
    pub fn action(world: &World, body: BodyId) -> Option<Action> {
        let (fluids, state) = world.subsystem::<Fluids>()?;
        let at = fluids.bodies.iter().position(|b| b.body == body)?;
        // without a solve, drag is that at the stored velocities
        let stored = now_of(&world.state().bodies[body.index()]);
        let after = world.solved_velocity(body).unwrap_or(stored);
        Some(fluids.evaluate(at, &world.subsystem_view(), state, Some(after)))
    }

    fn evaluate(&self, at: usize, view: &View<'_>, state: &FluidState, after: Option<Twist>) -> Action {
        let memory = &state.0[at];
        let instant = Instant { view, layers: &self.layers, memory, after, drags: after.is_some() };
        self.bodies[at].act(&instant, &mut ClipBuffers::default(), None)
    }

    /// Kinetic energy of the fluid that a body sets in motion, and the potential of its buoyancy.
    fn energy_of(&self, at: usize, action: &Action, body: &BodyState, twist: Twist) -> Energy {
        let axes = glam::DMat3::from_quat(body.orientation);
        let matrix: SpatialMatrix = self.bodies[at].added_matrix() * action.amount;
        let relative = Twist { velocity: twist.velocity - action.stream, ..twist };
        let kinetic = matrix.rotated(&axes).energy(relative);
        Energy { kinetic, potential: action.potential, elastic: 0.0 }
    }
}

/// Buffers of the fluids, and what acted in the step that is being solved.
#[derive(Debug, Default)]
pub struct FluidWork {
    buffers: ClipBuffers,
    actions: Vec<Action>,
}

impl Subsystem for Fluids {
    const KEY: &'static str = "fluids";
    const VERSION: u32 = 1;
    type State = FluidState;
    type Work = FluidWork;
    type Edit = SetFluids;

    fn loads(&self, view: &View<'_>, state: &FluidState, work: &mut FluidWork, out: &mut Loads) {
        let FluidWork { buffers, actions } = work;
        actions.clear();
        for (body, memory) in self.bodies.iter().zip(&state.0) {
            let instant = Instant { view, layers: &self.layers, memory, after: None, drags: true };
            actions.push(body.act(&instant, buffers, Some(out)));
        }
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
            let twist = term.map_or(now_of(now), |term| term.instant);
            energy = energy.plus(self.energy_of(at, action, now, twist));
            next.0[at] = Memory {
                amount: action.amount,
                stream: action.stream,
                constraint_force: term.map_or(glam::DVec3::ZERO, |term| term.constraint.force),
                shift: term.map_or(Twist::default(), |term| Twist {
                    velocity: term.twist.velocity - end.velocity,
                    angular_velocity: term.twist.angular_velocity - end.angular_velocity,
                }),
            };
        }
        [energy; 2]
    }

    fn fault(&self, next: &FluidState) -> Option<PartFault> {
        let at = next.0.iter().position(|memory| !memory.is_finite())?;
        Some(PartFault { what: format!("fluid around body number {at}"), finite: false })
    }

    fn energy(&self, view: &View<'_>, state: &FluidState) -> Energy {
        let all = (0..self.bodies.len()).map(|at| {
            let body = &view.bodies.states[self.bodies[at].body.index()];
            self.energy_of(at, &self.evaluate(at, view, state, None), body, now_of(body))
        });
        all.fold(Energy::default(), Energy::plus)
    }

    fn accepts(&self, _: &View<'_>, state: &FluidState) -> Result<(), Misfit> {
        match () {
            () if state.0.len() != self.bodies.len() => Err(Misfit::OtherModel),
            () if !state.0.iter().all(Memory::is_finite) => Err(Misfit::Unsound),
            () => Ok(()),
        }
    }

    fn apply(
        &mut self,
        SetFluids(fluids, memories): SetFluids,
        state: &mut FluidState,
        view: &View<'_>,
    ) -> Result<SetFluids, Refusal> {
        for body in &fluids.bodies {
            if view.bodies.list.get(body.body).is_none() {
                let problem = "it does not exist: add the body before its fluid".to_string();
                return Err(Refusal { what: "a body in a fluid".to_string(), problem });
            }
        }
        let fluids = *fluids;
        let memory_of = |body: &ImmersedBody| {
            let known = self.bodies.iter().position(|b| b.body == body.body);
            known.map_or(Memory::default(), |at| state.0[at])
        };
        let kept = memories.filter(|m| m.0.len() == fluids.bodies.len());
        let next = kept.unwrap_or_else(|| FluidState(fluids.bodies.iter().map(memory_of).collect()));
        let was = std::mem::replace(state, next);
        Ok(SetFluids(Box::new(std::mem::replace(self, fluids)), Some(was)))
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.iter().map(|b| b.body).collect()
    }

    fn body_removed(&mut self, body: BodyId, state: &mut FluidState) -> Vec<SetFluids> {
        let Some(at) = self.bodies.iter().position(|b| b.body == body) else { return Vec::new() };
        let before = SetFluids(Box::new(self.clone()), Some(state.clone()));
        self.bodies.remove(at);
        state.0.remove(at);
        vec![before]
    }
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
        for (at, body) in self.bodies.iter().enumerate() {
            let place = body.body.index();
            let (mut bodies, mut ahead) = (view.bodies, *view);
            bodies.states = step.bodies;
            bodies.time += view.dt;
            ahead.bodies = bodies;
            let memory = Memory::default();
            let instant =
                Instant { view: &ahead, layers: &self.layers, memory: &memory, after: None, drags: true };
            let action = body.act(&instant, &mut work.buffers, None);
            let before = next.0[at].amount.max(0.0);
            let state = step.bodies[place];
            let mut twist = now_of(&state);
            if next.0[at].amount >= 0.0 && action.amount > before && step.inertia[place].free {
                // momentum is kept while the added mass grows
                let axes = glam::DMat3::from_quat(state.orientation);
                let inertial = &step.inertia[place];
                let own = SpatialMatrix::rigid(inertial.own_mass(), inertial.inertia(state.orientation));
                let added = body.added_matrix().rotated(&axes);
                let relative = Twist { velocity: twist.velocity - action.stream, ..twist };
                let (p, l) = (own + added * before).apply(relative);
                let slowed = (own + added * action.amount).inverse_times((p, l));
                twist = Twist { velocity: slowed.velocity + action.stream, ..slowed };
                let body = &mut step.bodies[place];
                (body.velocity, body.angular_velocity) = (twist.velocity, twist.angular_velocity);
            }
            energy = energy.plus(self.energy_of(at, &action, &state, twist));
            next.0[at] = Memory { amount: action.amount, stream: action.stream, ..Memory::default() };
        }
        energy
    }
}

fn now_of(body: &BodyState) -> Twist {
    Twist { velocity: body.velocity, angular_velocity: body.angular_velocity }
}
