//! A section of a circuit: a proportional valve with load holding, and the actuator that it moves.
//!
//! The valve meters a flow q in proportion to its opening, whatever the load. Rows for the rate ẋ of the actuator, with
//! A the area of the side that is fed and σ the share of the pump's displacement that the section uses:
//!
//! ```text
//! meter     ẋ − σ V/(2πA) ω = 0    −p_port A_B ≤ λ ≤ p_port A_A;  open: at most p_relief A in the direction of motion
//! check     ẋ ≥ 0 if it is to extend, ẋ ≤ 0 if it is to retract,      both rows together at most p_port A
//! friction  ẋ = 0,                 |λ| ≤ F
//! ends      of the stroke (`actuator.rs`)
//! ```
//!
//! Multipliers are forces: pressures times areas. The first row is a transmission between pump and actuator, so the pump
//! feels each load within the step. The second is the check valve that holds a load which the pump cannot lift. With the
//! valve closed σ is 0, and the row holds the position: `lag` is the displacement that the oil let in demands, less that
//! done, so a held load does not creep. Oil that is let out by a relief valve does not come back: `lag` is then 0.
//!
//! A compressible column of oil (stiffness β A²/V) or an accumulator makes the first row a spring, whose deflection is
//! `lag`; a leak makes it a damper.

use super::{Accumulator, Actuator, Metered, Step};
use crate::driveline::{ComponentRows, RowWriter, speed_row};
use crate::signal::Source;
use windlass_engine::prelude::{BoundMode, Inputs, JacobianBlock, Role, Row, RowLaw, Spring};

/// A valve with its actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Its name within the vehicle.
    pub name: String,
    /// What it moves.
    pub actuator: Actuator,
    /// Its valve.
    pub valve: Valve,
    /// Pressure at which the relief valves between valve and actuator open [Pa].
    pub port_relief: f64,
    /// Dry friction of the seals [N or N·m].
    pub friction: f64,
    /// Leakage past the piston [m³/s/Pa].
    pub leakage: f64,
    /// Bulk modulus of the oil [Pa]; none for incompressible oil.
    pub bulk_modulus: Option<f64>,
    /// Accumulator on side A.
    pub accumulator: Option<Accumulator>,
}

/// A proportional directional valve with pressure compensation.
#[derive(Clone, Debug, PartialEq)]
pub struct Valve {
    /// Flow at full opening [m³/s].
    pub flow: f64,
    /// Command below which it is closed, 0 to below 1.
    pub deadband: f64,
    /// Largest rate of the spool [1/s].
    pub rate: f64,
    /// Sources of its command, −1 to 1, which add up; positive to extend.
    pub command: Vec<Source>,
}

/// State of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SectionState {
    /// Position of the spool, −1 to 1.
    pub spool: f64,
    /// Displacement that the oil let in demands, less that done [m or rad].
    pub lag: f64,
    /// Force of the oil that was metered, in the last step [N or N·m].
    pub metered: f64,
    /// Force on the check valve [N or N·m].
    pub checked: f64,
    /// Speed at the end of the last step [m/s or rad/s].
    pub rate: f64,
    /// Flow metered, positive to extend [m³/s].
    pub flow: f64,
}

impl SectionState {
    pub(crate) const NUMBERS: usize = 6;

    pub(crate) fn numbers(&self) -> [f64; SectionState::NUMBERS] {
        [self.spool, self.lag, self.metered, self.checked, self.rate, self.flow]
    }

    pub(crate) fn from_numbers(
        [spool, lag, metered, checked, rate, flow]: [f64; SectionState::NUMBERS],
    ) -> SectionState {
        SectionState { spool, lag, metered, checked, rate, flow }
    }

    /// Force of the oil on the actuator [N or N·m].
    pub fn force(&self) -> f64 {
        self.metered + self.checked
    }
}

impl Valve {
    /// Its spool at the end of a step.
    pub(crate) fn spool(&self, before: f64, inputs: Inputs<'_>, h: f64) -> f64 {
        let command: f64 = self.command.iter().filter_map(|source| source.value(|id| inputs.mean(id))).sum();
        before + (command.clamp(-1.0, 1.0) - before).clamp(-self.rate * h, self.rate * h)
    }

    /// Flow at a position of the spool [m³/s].
    pub fn flow_at(&self, spool: f64) -> f64 {
        let open = ((spool.abs() - self.deadband) / (1.0 - self.deadband)).max(0.0);
        if spool < 0.0 { -open * self.flow } else { open * self.flow }
    }
}

/// Distance from the relief pressure, relative to it, from which on a relief valve counts as open: above round-off.
const RELIEVED: f64 = 1e-6;

/// Length of a column of oil at the end of the stroke, by the stroke.
const DEAD_STROKE: f64 = 0.05;

impl Section {
    /// Its state at the start.
    pub(crate) fn initial(&self) -> SectionState {
        let lag = self.accumulator.map_or(0.0, |gas| gas.oil(gas.start) / self.actuator.area(1.0));
        SectionState { lag, ..SectionState::default() }
    }

    /// What is wrong with its numbers, and the remedy.
    pub fn problem(&self) -> Option<String> {
        let gas = self.accumulator.iter().flat_map(|gas| {
            [("volume of gas", gas.volume), ("precharge", gas.precharge), ("exponent", gas.exponent)]
        });
        let [a, b] = self.actuator.areas();
        let numbers = [("area of side A", a), ("area of side B", b), ("rated flow", self.valve.flow)];
        let more = [("rate of the spool", self.valve.rate), ("port relief pressure", self.port_relief)];
        let oil = self.bulk_modulus.map(|modulus| ("bulk modulus", modulus));
        let mut all = numbers.into_iter().chain(more).chain(gas).chain(oil);
        if let Some((name, value)) = all.find(|(_, value)| !(*value > 0.0)) {
            return Some(format!("its {name} is {value}: give a positive number"));
        }
        if !(0.0..1.0).contains(&self.valve.deadband) {
            return Some(format!("its deadband is {}: give 0 to less than 1", self.valve.deadband));
        }
        if let Actuator::Cylinder(cylinder) = &self.actuator
            && !(cylinder.stroke[0] < cylinder.stroke[1])
        {
            let [low, high] = cylinder.stroke;
            return Some(format!("its length is {low} to {high} m: give the smaller one first"));
        }
        (self.is_soft() && self.leakage > 0.0).then(|| {
            "it has a leakage beside a bulk modulus or an accumulator: leave the leakage out".to_string()
        })
    }

    /// The number of its rows.
    pub(crate) fn row_count(&self) -> usize {
        2 + usize::from(self.friction > 0.0) + self.actuator.end_count()
    }

    /// Its spring at a coordinate: stiffness, and force at the present deflection. None while it is rigid.
    fn spring(&self, value: f64, lag: f64) -> Option<(f64, f64)> {
        let [a, b] = self.actuator.areas();
        if let Some(gas) = &self.accumulator {
            return (lag > 0.0).then(|| (a * a * gas.slope(a * lag), a * gas.pressure(a * lag)));
        }
        let stiffness = self.bulk_modulus? * self.columns(value, [a, b]);
        Some((stiffness, stiffness * lag))
    }

    /// Σ A²/V of both columns of oil [m].
    fn columns(&self, value: f64, [a, b]: [f64; 2]) -> f64 {
        match &self.actuator {
            Actuator::Cylinder(cylinder) => {
                let [low, high] = cylinder.stroke;
                let dead = DEAD_STROKE * (high - low);
                let position = value.clamp(low, high);
                a / (position - low + dead) + b / (high - position + dead)
            }
            // the volume of a motor and its lines is of the order of its displacement
            Actuator::Motor { .. } => (a + b) / std::f64::consts::TAU,
        }
    }

    /// Bounds of the force that the ports can take, and that the pump can exert [N or N·m].
    fn bounds(&self, metered: &Metered, relief: f64) -> ([f64; 2], [f64; 2]) {
        let [a, b] = self.actuator.areas();
        let port = [-self.port_relief * b, self.port_relief * a];
        let most = relief.min(self.port_relief);
        let pump = match metered.direction {
            _ if self.is_soft() => port,
            d if d > 0.0 => [port[0], most * a],
            d if d < 0.0 => [-most * b, port[1]],
            _ => port,
        };
        (port, pump)
    }

    /// Bounds of the check valve. It can hold all that the port can take; while a port relief valve is open, the pump's
    /// force of the last step is a part of that.
    fn check(&self, [lo, hi]: [f64; 2], state: &SectionState) -> [f64; 2] {
        let held = state.force();
        let is_open = |most: f64| held / most > 1.0 - RELIEVED;
        let down = if is_open(lo) { lo - state.metered.min(0.0) } else { lo };
        let up = if is_open(hi) { hi - state.metered.max(0.0) } else { hi };
        [down, up]
    }

    /// Whether oil or gas yields behind the check valve, which then does not hold the actuator itself.
    fn is_soft(&self) -> bool {
        self.accumulator.is_some() || self.bulk_modulus.is_some()
    }

    /// The flow that its valve asks for in a step [m³/s]. Soft oil or gas takes what raises its pressure up to that of
    /// the pump.
    pub(super) fn demand(&self, step: &Step<'_>, state: &SectionState, relief: f64) -> f64 {
        let h = step.now.h;
        let flow = self.valve.flow_at(self.valve.spool(state.spool, step.inputs, h));
        if !self.is_soft() {
            return flow;
        }
        let place = self.actuator.coordinate(step.view, step.now.spins);
        let Some((stiffness, force)) = self.spring(place.value, state.lag) else { return flow };
        let area = self.actuator.area(flow);
        let room = area * (relief * area - flow.signum() * force).max(0.0) / (stiffness * h);
        flow.clamp(-room, room)
    }

    /// Writes its rows.
    pub(super) fn rows(
        &self,
        (step, relief): (&Step<'_>, f64),
        state: &SectionState,
        metered: &Metered,
        out: &mut RowWriter<'_, '_>,
    ) {
        let place = self.actuator.coordinate(step.view, step.now.spins);
        let (port, [lo, hi]) = self.bounds(metered, relief);
        let resist = |row: Row| Row { role: Role::Resist(0), ..row };
        let rigid = Row { speed: metered.speed, lo, hi, ..Row::hold(-state.lag) };
        let area = self.actuator.areas()[0];
        let spring = self.spring(place.value, state.lag);
        let meter = match spring {
            Some((stiffness, force)) => {
                Row { gap: -force / stiffness, ..rigid }.with_spring(&Spring::new(stiffness, 0.0))
            }
            None if self.leakage > 0.0 => {
                let area = self.actuator.area(state.metered);
                let law = RowLaw::Velocity { loss: self.leakage / (area * area) };
                Row { gap: 0.0, law, ..rigid }
            }
            // an empty accumulator opens at its precharge
            None => Row { hi: self.accumulator.map_or(hi, |gas| hi.min(gas.precharge * area)), ..rigid },
        };
        if let (Some(gas), Some((stiffness, force))) = (&self.accumulator, spring) {
            out.out.store(gas.energy(area * state.lag) - 0.5 * force * force / stiffness);
        }
        let pump = metered.shaft.map(|shaft| out.spins[shaft].blocks(-metered.ratio));
        out.blocks_row(place.blocks.into_iter().chain(pump.into_iter().flatten()), resist(meter));
        let [down, up] = if self.is_soft() { [0.0; 2] } else { self.check(port, state) };
        let check = match metered.direction {
            d if d > 0.0 => Row { lo: 0.0, hi: up, ..Row::hold(0.0) },
            d if d < 0.0 => Row { lo: down, hi: 0.0, ..Row::hold(0.0) },
            _ => Row { lo: 0.0, hi: 0.0, ..Row::hold(0.0) },
        };
        out.blocks_row(place.blocks.into_iter(), resist(check));
        if self.friction > 0.0 {
            let row = speed_row(0.0, 0.0, [-self.friction, self.friction], Role::Resist(0));
            out.blocks_row(place.blocks.into_iter(), row);
        }
        for (row, sign) in self.actuator.ends(place.value, self.valve.flow, step.now.h) {
            let blocks = place.blocks.into_iter().map(|block: JacobianBlock| block.scaled(sign));
            out.blocks_row(blocks, resist(row));
        }
    }

    /// Its state after a solved step, in which its coordinate has changed as given.
    pub(super) fn advanced(
        &self,
        step: &Step<'_>,
        state: &SectionState,
        metered: &Metered,
        (solved, moved): (&ComponentRows<'_>, Option<f64>),
    ) -> SectionState {
        let h = step.now.h;
        let rate = solved.rate(1);
        // speed that the metered oil demands
        let fed = rate - solved.rate(0) + metered.speed;
        let demanded = state.lag + h * fed - moved.unwrap_or(h * rate);
        let force = solved.torque(0);
        let [a, _] = self.actuator.areas();
        let lag = match (solved.mode(0), &self.accumulator, self.bulk_modulus) {
            _ if self.leakage > 0.0 => 0.0,
            (BoundMode::Low, ..) if self.bulk_modulus.is_none() => 0.0,
            // beyond the pressure of the port relief valve it takes no more oil
            (_, Some(gas), _) => demanded.min(gas.oil(self.port_relief) / a),
            (BoundMode::Between, ..) => demanded,
            _ => {
                let place = self.actuator.coordinate(step.view, step.now.spins);
                self.spring(place.value, demanded).map_or(0.0, |(stiffness, _)| force / stiffness)
            }
        };
        SectionState {
            spool: self.valve.spool(state.spool, step.inputs, h),
            lag,
            metered: force,
            checked: solved.torque(1),
            rate,
            flow: fed * self.actuator.area(fed),
        }
    }
}
