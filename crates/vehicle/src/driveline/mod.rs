//! Components of a drive train: signals, spins and memory → velocity rows between shafts.
//!
//! ```text
//! Σ fᵢ ωᵢ + loss·λ = target,    lo ≤ λ ≤ hi        λ: torque on a shaft with factor 1 [N·m]
//! ```
//!
//! Phases of shafts mean nothing and ratios change, so no row holds a position. The number of rows of a component is
//! constant: one that is without effect has bounds of 0. A dissipative law T(s) is a damper with the slope of its
//! secant, which is stable for any step and exact in steady state:
//!
//! ```text
//! λ = −c s⁺,    c = |T(s)|/|s| at the start of the step,    |λ| ≤ |T(s)|
//! ```

mod brake;
mod clutch;
mod converter;
mod differential;
mod engine;
mod gearbox;
mod hydrostatic;
mod motor;
mod torques;
mod traction;

pub use brake::{Brake, Disc, Retarder};
pub use clutch::{Clutch, ClutchControl};
pub use converter::{Converter, LockUp};
pub use differential::{Differential, Lock};
pub use engine::{Engine, EngineMode, Fuel, Governor, Starter};
pub use gearbox::{Gear, GearPhase, Gearbox, ShiftMap};
pub use hydrostatic::{Hydrostatic, HydrostaticUnit};
pub use motor::ElectricMotor;
pub use traction::{AntiLock, TractionControl};

use crate::shaft::Spin;
use crate::signal::{Signal, Signals};
use crate::wheel::WheelState;
use windlass_engine::prelude::{BoundMode, JacobianBlock, Role, Row, RowLaw, SolvedRows, SubsystemRows};

/// A component of a drive train. Shafts are given by their indices in the vehicle.
#[derive(Clone, Debug, PartialEq)]
pub enum Component {
    /// A combustion engine.
    Engine(Engine),
    /// An electric motor.
    Motor(ElectricMotor),
    /// A friction clutch.
    Clutch(Clutch),
    /// A torque converter.
    Converter(Converter),
    /// A gearbox.
    Gearbox(Gearbox),
    /// A pair of gears.
    Gear(Gear),
    /// A differential.
    Differential(Differential),
    /// A friction brake.
    Brake(Brake),
    /// A retarder.
    Retarder(Retarder),
    /// A hydrostatic circuit.
    Hydrostatic(Hydrostatic),
}

/// What a component keeps from step to step. Its file says which fields it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Memory {
    /// Phase of its logic.
    pub phase: f64,
    /// Time in this phase [s]; of a brake the temperature of its disc above that of the air [K].
    pub timer: f64,
    /// Where it is: throttle, pedal, gear.
    pub setting: f64,
    /// Where it is to be: gear; of a brake the angle that it has given [rad]; of an engine the fuel per time [kg/s].
    pub wanted: f64,
    /// Multipliers of its first two rows in the last step [N·m].
    pub torque: [f64; 2],
    /// Slip at the end of the last step [rad/s].
    pub slip: f64,
    /// Heat [J], or fuel [kg].
    pub total: f64,
}

impl Memory {
    pub(crate) const NUMBERS: usize = 8;

    pub(crate) fn numbers(&self) -> [f64; Memory::NUMBERS] {
        let [a, b] = self.torque;
        [self.phase, self.timer, self.setting, self.wanted, a, b, self.slip, self.total]
    }

    pub(crate) fn from_numbers(
        [phase, timer, setting, wanted, a, b, slip, total]: [f64; Memory::NUMBERS],
    ) -> Memory {
        Memory { phase, timer, setting, wanted, torque: [a, b], slip, total }
    }
}

/// What a component reads in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now<'a> {
    pub spins: &'a [Spin],
    pub signals: &'a Signals,
    /// Length of the step [s].
    pub h: f64,
    /// Time for which forces act in it [s].
    pub kick: f64,
    /// The wheels after the last step.
    pub wheels: &'a [WheelState],
    /// Speed ahead [m/s].
    pub velocity: f64,
    /// Steering by different speeds of the sides, −1 to 1.
    pub skid: f64,
}

impl Now<'_> {
    pub fn speed(&self, shaft: usize) -> f64 {
        self.spins[shaft].speed
    }

    pub fn signal(&self, signal: Signal) -> f64 {
        self.signals.get(signal)
    }

    /// The signals of the steering and of its mode.
    pub fn steering(&self) -> (f64, Option<f64>) {
        (self.signal(Signal::Steer), self.given(Signal::SteeringMode))
    }

    /// The value of a signal that has a source.
    pub fn given(&self, signal: Signal) -> Option<f64> {
        self.signals.given(signal)
    }

    /// A value that follows another with a time constant, after this step.
    pub fn follow(&self, from: f64, to: f64, time_constant: f64) -> f64 {
        if time_constant <= 0.0 { to } else { to + (from - to) * libm::exp(-self.h / time_constant) }
    }
}

/// Where the components of a vehicle write their rows.
pub(crate) struct RowWriter<'a, 'b> {
    pub spins: &'a [Spin],
    pub blocks: &'a mut Vec<JacobianBlock>,
    /// Modes at the end of the last step, by row of the vehicle.
    pub modes: &'a [BoundMode],
    /// Numbers of the rows written.
    pub rows: &'a mut Vec<usize>,
    pub out: &'a mut SubsystemRows<'b>,
}

impl RowWriter<'_, '_> {
    /// Writes a row for the sum of spins times factors.
    pub fn row(&mut self, terms: &[(usize, f64)], row: Row) {
        self.sum_row(terms.iter().copied(), row);
    }

    /// The same from an iterator.
    pub fn sum_row(&mut self, terms: impl Iterator<Item = (usize, f64)>, row: Row) {
        let spins = self.spins;
        self.blocks_row(terms.flat_map(|(shaft, factor)| spins[shaft].blocks(factor)), row);
    }

    /// A row with given blocks.
    pub fn blocks_row(&mut self, blocks: impl Iterator<Item = JacobianBlock>, row: Row) {
        self.blocks.clear();
        self.blocks.extend(blocks);
        let start = self.modes.get(self.rows.len()).copied().unwrap_or_default();
        self.rows.push(self.out.push(row, self.blocks, start));
    }
}

/// A target speed with torque bounds.
pub(crate) fn speed_row(target: f64, loss: f64, [lo, hi]: [f64; 2], role: Role) -> Row {
    Row { lo, hi, law: RowLaw::Velocity { loss }, role, ..Row::drive(target, 0.0) }
}

/// Dry friction: a row that stops a slip with at most a torque.
pub(crate) fn friction_row(torque: f64) -> Row {
    speed_row(0.0, 0.0, [-torque, torque], Role::Resist(0))
}

/// A dissipative torque of a size at a slip, as the secant damper of the module head.
pub(crate) fn secant_row(torque: f64, slip: f64) -> Row {
    let torque = torque.abs();
    let loss = if torque > 0.0 { slip.abs() / torque } else { 0.0 };
    speed_row(0.0, loss, [-torque, torque], Role::Resist(0))
}

/// The solved rows of one component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComponentRows<'a> {
    pub solved: SolvedRows<'a>,
    pub rows: &'a [usize],
}

impl ComponentRows<'_> {
    /// Torque of row k [N·m].
    pub fn torque(&self, k: usize) -> f64 {
        self.solved.force(self.rows[k])
    }

    /// Mode of row k.
    pub fn mode(&self, k: usize) -> BoundMode {
        self.solved.mode(self.rows[k])
    }

    /// Rate of row k after the step [rad/s].
    pub fn rate(&self, k: usize) -> f64 {
        self.solved.rate(self.rows[k])
    }
}

impl Component {
    /// The number of its rows.
    pub(crate) fn row_count(&self) -> usize {
        match self {
            Component::Engine(_) => 4,
            Component::Gearbox(c) => 1 + usize::from(c.matches_speed()),
            Component::Converter(_) | Component::Differential(_) => 2,
            Component::Motor(_)
            | Component::Clutch(_)
            | Component::Gear(_)
            | Component::Brake(_)
            | Component::Retarder(_)
            | Component::Hydrostatic(_) => 1,
        }
    }

    /// Its shafts: inputs before outputs, pumps before motors.
    pub fn shafts(&self) -> Vec<usize> {
        match self {
            Component::Engine(c) => vec![c.shaft],
            Component::Motor(c) => vec![c.shaft],
            Component::Clutch(c) => c.shafts.to_vec(),
            Component::Converter(c) => vec![c.pump, c.turbine],
            Component::Gearbox(c) => vec![c.input, c.output],
            Component::Gear(c) => vec![c.input, c.output],
            Component::Differential(c) => vec![c.input, c.outputs[0], c.outputs[1]],
            Component::Brake(c) => vec![c.shaft],
            Component::Retarder(c) => vec![c.shaft],
            Component::Hydrostatic(c) => c.units().map(|unit| unit.shaft).collect(),
        }
    }

    /// The signals that it reads, those of steering aside.
    pub fn signals(&self) -> &'static [Signal] {
        match self {
            Component::Engine(_) => &[Signal::Throttle, Signal::Ignition],
            Component::Motor(_) => &[Signal::Throttle],
            Component::Clutch(Clutch { control: ClutchControl::Pedal(_), .. }) => &[Signal::Clutch],
            Component::Clutch(_) => &[Signal::PowerTakeOff],
            Component::Gearbox(c) if c.is_range => &[Signal::Range],
            Component::Gearbox(_) => &[Signal::Gear, Signal::Throttle],
            Component::Differential(Differential { lock: Lock::Switched(_), .. }) => &[Signal::Lock],
            Component::Brake(_) => &[Signal::Brake, Signal::Parking],
            Component::Retarder(_) => &[Signal::Retarder],
            Component::Hydrostatic(_) => &[Signal::Stroke],
            Component::Converter(_) | Component::Gear(_) | Component::Differential(_) => &[],
        }
    }

    /// What is wrong with its numbers, and the remedy.
    pub fn problem(&self) -> Option<String> {
        let positive = |name: &str, value: f64| {
            let is_wrong = !(value > 0.0 && value.is_finite());
            is_wrong.then(|| format!("its {name} is {value}: give a positive number"))
        };
        let ratio = |value: f64| {
            let is_wrong = value == 0.0 || !value.is_finite();
            is_wrong.then(|| format!("its ratio is {value}: give a number other than 0"))
        };
        match self {
            Component::Engine(c) => positive("largest torque", c.full.largest()).or_else(|| c.problem()),
            Component::Motor(c) => positive("torque", c.torque).or_else(|| positive("power", c.power)),
            Component::Clutch(c) => match c.control {
                ClutchControl::Pedal([all, nothing]) => positive("width of the bite", nothing - all),
                ClutchControl::PowerTakeOff => None,
            },
            Component::Converter(c) => c.problem(),
            Component::Gearbox(c) => c.ratios.iter().find_map(|value| ratio(*value)).or_else(|| c.problem()),
            Component::Gear(c) => ratio(c.ratio),
            Component::Differential(c) => ratio(c.ratio).or_else(|| c.problem()),
            Component::Brake(c) => c.disc.and_then(|disc| {
                positive("heat capacity", disc.capacity).or_else(|| positive("time of cooling", disc.cooling))
            }),
            Component::Retarder(c) => positive("speed", c.speed),
            Component::Hydrostatic(c) => {
                c.units().find_map(|unit| positive("displacement", unit.displacement))
            }
        }
    }

    /// Its memory at the start.
    pub(crate) fn initial(&self) -> Memory {
        match self {
            Component::Engine(engine) => engine.initial(),
            Component::Gearbox(gearbox) => gearbox.initial(),
            _ => Memory::default(),
        }
    }

    /// Writes its rows.
    pub(crate) fn rows(&self, now: &Now<'_>, memory: &Memory, out: &mut RowWriter<'_, '_>) {
        match self {
            Component::Engine(c) => c.rows(now, memory, out),
            Component::Motor(c) => c.rows(now, out),
            Component::Clutch(c) => c.rows(now, out),
            Component::Converter(c) => c.rows(now, out),
            Component::Gearbox(c) => c.rows(now, memory, out),
            Component::Gear(c) => c.rows(out),
            Component::Differential(c) => c.rows(now, memory, out),
            Component::Brake(c) => c.rows(now, memory, out),
            Component::Retarder(c) => c.rows(now, out),
            Component::Hydrostatic(c) => c.rows(now, out),
        }
    }

    /// Advances its memory over a solved step.
    pub(crate) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        for k in 0..self.row_count().min(2) {
            memory.torque[k] = solved.torque(k);
        }
        match self {
            Component::Engine(c) => c.advance(now, solved, memory),
            Component::Motor(c) => c.advance(now, solved, memory),
            Component::Clutch(c) => c.advance(now, solved, memory),
            Component::Gearbox(c) => c.advance(now, solved, memory),
            Component::Brake(c) => c.advance(now, solved, memory),
            Component::Converter(c) => c.advance(now, solved, memory),
            Component::Retarder(c) => c.advance(now, solved, memory),
            Component::Gear(_) | Component::Differential(_) | Component::Hydrostatic(_) => {
                memory.slip = solved.rate(0);
            }
        }
    }
}

/// Heat of a row in a step [J]: the slip is the mean of both ends, so that the sum over a clutch that locks is the
/// energy lost.
pub(crate) fn heat(now: &Now<'_>, before: f64, solved: &ComponentRows<'_>, k: usize) -> f64 {
    -solved.torque(k) * 0.5 * (before + solved.rate(k)) * now.kick
}
