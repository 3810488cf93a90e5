//! The vehicles of a world, as a subsystem of the engine.
//!
//! ```text
//! loads      moments of the tyres of the last step
//! contacts   those of tyres with their roads are taken over            → Road per wheel
//! rows       one group per vehicle, components, circuits and steering; one group per wheel on the ground
//! advance    multipliers and rates of the rows                         → memories
//! ```

use crate::driveline::{ComponentRows, Now, RowWriter};
use crate::hydraulics::Step;
use crate::shaft::Spin;
use crate::signal::{Signal, Signals};
use crate::state::{VehicleState, VehiclesState};
use crate::vehicle::Vehicle;
use crate::wheel::{Road, Touching, WheelState};
use glam::DVec3;
use windlass_engine::prelude::{
    Advance, BodyId, BodyState, Contacts, Energy, Inputs, JacobianBlock, Loads, Misfit, PartFault, Quantity,
    Refusal, SolvedStep, Subsystem, SubsystemRows, View, World, Wrench,
};

/// The vehicles of a world.
#[derive(Clone, Debug, Default)]
pub struct Vehicles {
    /// The vehicles.
    pub list: Vec<Vehicle>,
}

/// A change of the vehicles.
#[derive(Clone, Debug)]
pub enum VehicleEdit {
    /// Replaces all of them. Vehicles of the same name and structure keep their states, unless states that fit are given.
    Set(Vec<Vehicle>, Option<VehiclesState>),
}

impl Vehicles {
    /// The edit that gives a world these vehicles.
    pub fn set(list: Vec<Vehicle>) -> VehicleEdit {
        VehicleEdit::Set(list, None)
    }

    /// The vehicles of a world and their states.
    pub fn of(world: &World) -> Option<(&Vehicles, &VehiclesState)> {
        world.subsystem::<Vehicles>()
    }

    /// A vehicle and its state, by name.
    pub fn find<'a>(world: &'a World, name: &str) -> Option<(&'a Vehicle, &'a VehicleState)> {
        let (vehicles, state) = Vehicles::of(world)?;
        let at = vehicles.list.iter().position(|vehicle| vehicle.name == name)?;
        Some((&vehicles.list[at], &state.0[at]))
    }
}

/// Buffers of vehicles, and the rows of the step that is being solved.
#[derive(Debug, Default)]
pub struct VehicleWork {
    /// Per vehicle.
    vehicles: Vec<Prepared>,
    blocks: Vec<JacobianBlock>,
    /// Pairs in contact by body.
    touching: Vec<Touching>,
    /// Bodies of one vehicle by index, sorted.
    own: Vec<u32>,
}

/// A vehicle at the start of a step.
#[derive(Debug, Default)]
struct Prepared {
    spins: Vec<Spin>,
    /// Numbers of the rows of components, circuits and steering.
    rows: Vec<usize>,
    /// The wheels on the ground, each with the number of its first row.
    roads: Vec<Option<(Road, usize)>>,
}

impl Prepared {
    /// Sets the spins of the shafts.
    fn prepare(&mut self, vehicle: &Vehicle, view: &View<'_>) {
        self.spins.clear();
        self.spins.extend(vehicle.shafts.iter().map(|shaft| shaft.spin(view)));
    }
}

impl Vehicle {
    /// Speed ahead [m/s].
    pub fn velocity(&self, bodies: &[BodyState]) -> f64 {
        let chassis = &bodies[self.chassis.index()];
        chassis.velocity.dot(chassis.orientation * self.ahead)
    }

    /// What its components read in a step.
    fn now<'a>(
        &self,
        view: &View<'_>,
        (spins, signals): (&'a [Spin], &'a Signals),
        state: &'a VehicleState,
    ) -> Now<'a> {
        let velocity = self.velocity(view.bodies.states);
        // steered wheels turn the vehicle, except on the spot
        let share = if self.steering.is_some() { state.steering.weights[1] } else { 1.0 };
        let skid = share * signals.get(Signal::Steer);
        Now { spins, signals, h: view.dt, kick: view.kick, wheels: &state.wheels, velocity, skid }
    }

    /// The signals of a component with sources of its own.
    fn signals_of(&self, component: usize, step: &Step<'_>) -> Option<Signals> {
        let has_own = self.own_controls.iter().any(|(owner, _, _)| *owner == component);
        has_own.then(|| step.now.signals.with(&self.own_controls, component, step.inputs))
    }

    /// Writes the rows of its components, its circuits and its steering.
    fn drive_rows(&self, step: &Step<'_>, state: &VehicleState, out: &mut RowWriter<'_, '_>) {
        let (now, view) = (&step.now, step.view);
        for (k, ((_, component), memory)) in self.components.iter().zip(&state.components).enumerate() {
            let own = self.signals_of(k, step);
            component.rows(&Now { signals: own.as_ref().unwrap_or(now.signals), ..*now }, memory, out);
        }
        let mut sections = state.sections.as_slice();
        for (circuit, pump) in self.circuits.iter().zip(&state.pumps) {
            let (own, others) = sections.split_at(circuit.sections.len());
            circuit.rows(step, (pump, own), out);
            sections = others;
        }
        let Some(steering) = &self.steering else { return };
        let end = steering.advanced(&state.steering, now.steering(), now.velocity, now.h);
        for (wheel, position) in &steering.wheels {
            let (row, blocks) =
                steering.row(view, (&self.wheels[*wheel], *position), [&state.steering, &end]);
            let start = out.modes.get(out.rows.len()).copied().unwrap_or_default();
            out.rows.push(out.out.push(row, &blocks, start));
        }
    }

    fn advance(
        &self,
        start: &Step<'_>,
        step: &Advance<'_>,
        prepared: &Prepared,
        (before, next): (&VehicleState, &mut VehicleState),
    ) {
        let now = &start.now;
        let mut rows = prepared.rows.as_slice();
        for (k, ((_, component), memory)) in self.components.iter().zip(&mut next.components).enumerate() {
            let (own, others) = rows.split_at(component.row_count());
            let signals = self.signals_of(k, start);
            let now = Now { signals: signals.as_ref().unwrap_or(now.signals), ..*now };
            component.advance(&now, &ComponentRows { solved: step.rows, rows: own }, memory);
            rows = others;
        }
        let mut sections = 0;
        for (circuit, pump) in self.circuits.iter().zip(&mut next.pumps) {
            let (own, others) = rows.split_at(circuit.row_count());
            let solved = ComponentRows { solved: step.rows, rows: own };
            let range = sections..sections + circuit.sections.len();
            sections = range.end;
            let states = (&before.sections[range.clone()], pump, &mut next.sections[range]);
            circuit.advance(start, (step.bodies, &solved), states);
            rows = others;
        }
        for (mode, row) in next.modes.iter_mut().zip(&prepared.rows) {
            *mode = step.rows.mode(*row);
        }
        if let Some(steering) = &self.steering {
            next.steering = steering.advanced(&next.steering, now.steering(), now.velocity, now.h);
        }
        for ((wheel, road), state) in self.wheels.iter().zip(&prepared.roads).zip(&mut next.wheels) {
            *state = match road {
                Some((road, first)) => road.advanced(wheel, state, (&step.rows, *first)),
                None => WheelState::default(),
            };
        }
        next.odometer += self.velocity(step.bodies).abs() * now.h;
    }
}

impl Subsystem for Vehicles {
    const KEY: &'static str = "vehicles";
    const VERSION: u32 = 3;
    type State = VehiclesState;
    type Work = VehicleWork;
    type Edit = VehicleEdit;

    fn requires_spook(&self) -> bool {
        !self.list.is_empty()
    }

    fn loads(&self, _: &View<'_>, state: &VehiclesState, _: &mut VehicleWork, out: &mut Loads) {
        for (vehicle, state) in self.list.iter().zip(&state.0) {
            for (wheel, state) in vehicle.wheels.iter().zip(&state.wheels) {
                if let Some(road) = state.road.filter(|_| state.moment != DVec3::ZERO) {
                    let torque = |torque: DVec3| Wrench { torque, ..Wrench::default() };
                    out.add(wheel.body.index(), torque(state.moment));
                    out.add(road as usize, torque(-state.moment));
                }
            }
        }
    }

    fn contacts(
        &self,
        view: &View<'_>,
        state: &VehiclesState,
        work: &mut VehicleWork,
        contacts: &mut Contacts,
    ) {
        let VehicleWork { vehicles, touching, own, .. } = work;
        vehicles.resize_with(self.list.len(), Prepared::default);
        Touching::collect(contacts, touching);
        for ((vehicle, state), prepared) in self.list.iter().zip(&state.0).zip(vehicles) {
            own.clear();
            own.extend(vehicle.bodies().map(|body| body.index() as u32));
            own.sort_unstable();
            prepared.roads.clear();
            for (wheel, state) in vehicle.wheels.iter().zip(&state.wheels) {
                let touching = Touching::of(wheel.body, touching);
                // a wheel does not touch its own vehicle
                for touching in touching {
                    let pair = &mut contacts.pairs[touching.pair as usize];
                    if pair.parts.iter().all(|part| own.binary_search(&part.body).is_ok()) {
                        pair.points = pair.points.start..pair.points.start;
                    }
                }
                let road = wheel.road(view, state, (contacts, touching));
                prepared.roads.push(road.map(|road| (road, 0)));
            }
        }
    }

    fn rows(
        &self,
        view: &View<'_>,
        state: &VehiclesState,
        inputs: Inputs<'_>,
        work: &mut VehicleWork,
        out: &mut SubsystemRows<'_>,
    ) {
        let VehicleWork { vehicles, blocks, .. } = work;
        vehicles.resize_with(self.list.len(), Prepared::default);
        let mut item = 0;
        for ((vehicle, state), prepared) in self.list.iter().zip(&state.0).zip(vehicles) {
            prepared.prepare(vehicle, view);
            let Prepared { spins, rows, roads } = prepared;
            rows.clear();
            let signals = Signals::new(&vehicle.controls, inputs);
            let now = vehicle.now(view, (spins, &signals), state);
            let step = Step { view, now, inputs };
            out.group(item, |out| {
                let mut writer = RowWriter { spins, blocks, modes: &state.modes, rows, out };
                vehicle.drive_rows(&step, state, &mut writer);
            });
            for (k, road) in roads.iter_mut().enumerate() {
                if let Some((road, first)) = road {
                    let state = &state.wheels[k];
                    out.group(item + 1 + k as u16, |out| *first = road.rows(state, out));
                }
            }
            item += 1 + vehicle.wheels.len() as u16;
        }
    }

    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        (before, next): (&VehiclesState, &mut VehiclesState),
        work: &mut VehicleWork,
    ) -> [Energy; 2] {
        let states = before.0.iter().zip(&mut next.0);
        for ((vehicle, states), prepared) in self.list.iter().zip(states).zip(&mut work.vehicles) {
            let signals = Signals::new(&vehicle.controls, step.inputs);
            let now = vehicle.now(view, (&prepared.spins, &signals), states.0);
            let start = Step { view, now, inputs: step.inputs };
            vehicle.advance(&start, step, prepared, states);
        }
        [Energy::default(); 2]
    }

    /// That of the moments of tyres; rows are accounted for as rows.
    fn work_done(&self, step: &SolvedStep<'_>, state: &VehiclesState, _: &VehicleWork) -> Option<f64> {
        let wheels = self
            .list
            .iter()
            .zip(&state.0)
            .flat_map(|(vehicle, state)| vehicle.wheels.iter().zip(&state.wheels));
        let power = wheels.filter_map(|(wheel, state)| {
            let spin = |place: usize| {
                let dynamic = step.view.bodies.list.at(place).is_some_and(|body| body.is_dynamic());
                if dynamic { step.mean(place).angular_velocity } else { DVec3::ZERO }
            };
            Some(state.moment.dot(spin(wheel.body.index()) - spin(state.road? as usize)))
        });
        Some(power.sum::<f64>() * step.time)
    }

    fn fault(&self, next: &VehiclesState) -> Option<PartFault> {
        let wrong = self.list.iter().zip(&next.0).find(|(_, state)| !state.is_finite())?;
        Some(PartFault { what: format!("vehicle \"{}\"", wrong.0.name), finite: false })
    }

    fn accepts(&self, view: &View<'_>, state: &VehiclesState) -> Result<(), Misfit> {
        let mut all = self.list.iter().zip(&state.0);
        let road =
            |wheel: &WheelState| wheel.road.is_none_or(|road| (road as usize) < view.bodies.states.len());
        match () {
            () if state.0.len() != self.list.len() => Err(Misfit::OtherModel),
            () if !all.all(|(vehicle, state)| state.fits(vehicle)) => Err(Misfit::OtherModel),
            () if !state.0.iter().all(VehicleState::is_finite) => Err(Misfit::Unsound),
            () if !state.0.iter().flat_map(|s| &s.wheels).all(road) => Err(Misfit::Unsound),
            () => Ok(()),
        }
    }

    fn apply(
        &mut self,
        VehicleEdit::Set(list, states): VehicleEdit,
        state: &mut VehiclesState,
        view: &View<'_>,
    ) -> Result<VehicleEdit, Refusal> {
        let refuse = |vehicle: &Vehicle, problem: String| {
            Err(Refusal { what: format!("vehicle \"{}\"", vehicle.name), problem })
        };
        let mut groups = 0;
        for vehicle in &list {
            if vehicle.bodies().any(|id| view.bodies.list.get(id).is_none()) {
                return refuse(
                    vehicle,
                    "one of its bodies does not exist: add bodies before vehicles".into(),
                );
            }
            if let Some(problem) = vehicle.problem(view) {
                return refuse(vehicle, problem);
            }
            groups += 1 + vehicle.wheels.len();
            if groups > usize::from(u16::MAX) {
                return refuse(vehicle, "there are too many vehicles: 65535 wheels are the limit".into());
            }
        }
        let fit = |states: &VehiclesState| {
            states.0.len() == list.len()
                && states.0.iter().zip(&list).all(|(state, vehicle)| state.fits(vehicle))
        };
        let next = match states.filter(fit) {
            Some(states) => states,
            None => VehiclesState(list.iter().map(|vehicle| self.kept(vehicle, state)).collect()),
        };
        let was = std::mem::replace(state, next);
        Ok(VehicleEdit::Set(std::mem::replace(&mut self.list, list), Some(was)))
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.list.iter().flat_map(Vehicle::bodies).collect()
    }

    fn body_removed(&mut self, body: BodyId, state: &mut VehiclesState) -> Vec<VehicleEdit> {
        let is_road = |wheel: &WheelState| wheel.road == Some(body.index() as u32);
        let has_body = |vehicle: &Vehicle| vehicle.bodies().any(|id| id == body);
        let on_it = state.0.iter().flat_map(|vehicle| &vehicle.wheels).any(is_road);
        if !on_it && !self.list.iter().any(has_body) {
            return Vec::new();
        }
        let undo = VehicleEdit::Set(self.list.clone(), Some(state.clone()));
        // a tyre on a removed road is in the air
        let wheels = state.0.iter_mut().flat_map(|vehicle| &mut vehicle.wheels);
        wheels.filter(|wheel| is_road(wheel)).for_each(|wheel| *wheel = WheelState::default());
        let stays: Vec<bool> = self.list.iter().map(|vehicle| !has_body(vehicle)).collect();
        let (mut vehicles, mut states) = (stays.iter(), stays.iter());
        self.list.retain(|_| vehicles.next() == Some(&true));
        state.0.retain(|_| states.next() == Some(&true));
        vec![undo]
    }

    fn quantities(&self) -> Vec<Quantity> {
        let mut all = Vec::new();
        for vehicle in &self.list {
            let start = VehicleState::new(vehicle);
            vehicle.visit(None, &start, &mut |item, (name, unit, doc), _| {
                let item = item.map_or(vehicle.name.clone(), |item| format!("{}.{item}", vehicle.name));
                all.push(Quantity { item, name, unit, doc });
            });
        }
        all
    }

    fn read(&self, view: &View<'_>, state: &VehiclesState, number: usize) -> f64 {
        let (mut left, mut found) = (number, f64::NAN);
        for (vehicle, state) in self.list.iter().zip(&state.0) {
            vehicle.visit(Some(view), state, &mut |_, _, value| {
                if left == 0 {
                    found = value;
                }
                left = left.wrapping_sub(1);
            });
        }
        found
    }
}

impl Vehicles {
    /// The state that a vehicle of a new list starts with.
    fn kept(&self, vehicle: &Vehicle, state: &VehiclesState) -> VehicleState {
        let known = self.list.iter().zip(&state.0).find(|(old, _)| old.name == vehicle.name);
        match known.filter(|(_, state)| state.fits(vehicle)) {
            Some((_, state)) => state.clone(),
            None => VehicleState::new(vehicle),
        }
    }
}
