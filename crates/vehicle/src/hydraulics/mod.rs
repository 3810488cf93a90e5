//! Open circuits of working hydraulics: a load-sensing pump that feeds sections, each a valve with an actuator.
//!
//! Every section asks for a flow q_i, its opening times its rated flow. If the pump cannot deliver the sum, all flows
//! are scaled by the same factor (post-compensated valves, flow sharing):
//!
//! ```text
//! q_i ← q_i min(1, Q_max/Σ|q|),    Q_max = V ω/2π, or the flow of a pump without shaft
//! p_pump = min(max p_i + margin, p_relief),    T_pump = p_pump Σ|q_i|/ω
//! ```
//!
//! The torque p_i q_i/ω reaches the shaft by the row of the section, implicitly. The rest, p_pump − p_i, is lost in the
//! compensator of the section; it is a resisting row on the shaft, with the pressures of the last steps, smoothed by
//! the response time of the pump. A load that drives its actuator would drive the pump as well: the same row takes the
//! torque of the last step away again, so the power of a lowered load becomes heat.
//!
//! The tank has pressure 0, and lines have neither volume nor resistance. Without flow from the pump no section moves:
//! an engine must run to lower a load, too.

mod accumulator;
mod actuator;
mod section;

pub use accumulator::Accumulator;
pub use actuator::{Actuator, Cylinder};
pub use section::{Section, SectionState, Valve};

use crate::driveline::{ComponentRows, Now, RowWriter, friction_row};
use std::f64::consts::TAU;
use windlass_engine::prelude::{Bodies, BodyId, BodyState, Inputs, View};

/// A circuit: a pump and the sections that it feeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Circuit {
    /// Its name within the vehicle.
    pub name: String,
    /// Its pump.
    pub pump: Pump,
    /// Largest pressure of the pump [Pa].
    pub relief: f64,
    /// Pressure of the pump above that of the highest load [Pa].
    pub margin: f64,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// What drives the pump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pump {
    /// A source of flow whose drive is not modelled.
    Flow(f64),
    /// A variable-displacement pump.
    Shaft {
        /// Its shaft.
        shaft: usize,
        /// Largest displacement per revolution [m³].
        displacement: f64,
        /// Largest flow [m³/s].
        flow: f64,
    },
}

/// State of a pump.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PumpState {
    /// Pressure [Pa].
    pub pressure: f64,
    /// Flow [m³/s].
    pub flow: f64,
    /// Torque on its shaft [N·m].
    pub torque: f64,
    /// The part of it that is lost in compensators, smoothed [N·m].
    pub throttled: f64,
}

impl PumpState {
    pub(crate) const NUMBERS: usize = 4;

    pub(crate) fn numbers(&self) -> [f64; PumpState::NUMBERS] {
        [self.pressure, self.flow, self.torque, self.throttled]
    }

    pub(crate) fn from_numbers([pressure, flow, torque, throttled]: [f64; PumpState::NUMBERS]) -> PumpState {
        PumpState { pressure, flow, torque, throttled }
    }
}

/// Response time of a load-sensing pump [s]: 50 to 200 ms from the standby pressure, by data sheets of makers.
const RESPONSE: f64 = 0.1;

/// What circuits read in a step.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub view: &'a View<'a>,
    pub now: Now<'a>,
    pub inputs: Inputs<'a>,
}

/// The flow of a section in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metered {
    /// 1 to extend, −1 to retract, 0 with the valve closed.
    pub direction: f64,
    /// Displacement of the actuator per angle of the pump's shaft, with sign [m/rad or 1].
    pub ratio: f64,
    /// Speed that a pump without shaft demands, with sign [m/s or rad/s].
    pub speed: f64,
    /// Shaft of the pump. Its blocks are written also while the valve is closed: islands depend on the bodies of rows.
    pub shaft: Option<usize>,
}

impl Circuit {
    /// Its bodies, other than those of shafts.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.sections.iter().flat_map(|section| section.actuator.bodies())
    }

    /// Its shafts.
    pub fn shafts(&self) -> impl Iterator<Item = usize> + '_ {
        let motors = self.sections.iter().filter_map(|section| match section.actuator {
            Actuator::Motor { shaft, .. } => Some(shaft),
            Actuator::Cylinder(_) => None,
        });
        self.shaft().into_iter().chain(motors)
    }

    fn shaft(&self) -> Option<usize> {
        match self.pump {
            Pump::Shaft { shaft, .. } => Some(shaft),
            Pump::Flow(_) => None,
        }
    }

    /// What is wrong with its numbers, and the remedy.
    pub(crate) fn problem(&self) -> Option<String> {
        let positive = |name: &str, value: f64| {
            (!(value > 0.0)).then(|| format!("its {name} is {value}: give a positive number"))
        };
        let pump = match self.pump {
            Pump::Flow(flow) => positive("flow", flow),
            Pump::Shaft { displacement, flow, .. } => {
                positive("displacement", displacement).or_else(|| positive("flow", flow))
            }
        };
        let of_sections = || {
            self.sections
                .iter()
                .find_map(|section| Some(format!("section \"{}\": {}", section.name, section.problem()?)))
        };
        let empty = self.sections.is_empty().then(|| "it has no sections: give one".to_string());
        empty.or(pump).or_else(|| positive("relief pressure", self.relief)).or_else(of_sections)
    }

    /// The number of its rows.
    pub(crate) fn row_count(&self) -> usize {
        let sections: usize = self.sections.iter().map(Section::row_count).sum();
        sections + usize::from(self.shaft().is_some())
    }

    /// The flows of its sections, in their order.
    fn metered<'a>(
        &'a self,
        step: &'a Step<'_>,
        states: &'a [SectionState],
    ) -> impl Iterator<Item = Metered> + 'a {
        let demands = move || {
            self.sections.iter().zip(states).map(move |of| (of.0, of.0.demand(step, of.1, self.relief)))
        };
        let total: f64 = demands().map(|(_, flow)| flow.abs()).sum();
        // `per_flow`: share of the displacement, or flow of the pump, per flow that a section asks for
        let (shaft, per_flow) = match self.pump {
            Pump::Flow(most) => (None, most / total.max(most)),
            Pump::Shaft { shaft, displacement, flow: most } => {
                let full = (displacement * step.now.speed(shaft) / TAU).max(0.0);
                let used = if full > most { total * (full / most) } else { total };
                let used = used.max(full);
                (Some(shaft), if used > 0.0 { displacement / (TAU * used) } else { 0.0 })
            }
        };
        demands().map(move |(section, flow)| {
            let direction = if flow == 0.0 { 0.0 } else { flow.signum() };
            let rate = flow * per_flow / section.actuator.area(flow);
            match shaft {
                Some(_) => Metered { direction, ratio: rate, speed: 0.0, shaft },
                None => Metered { direction, ratio: 0.0, speed: rate, shaft: None },
            }
        })
    }

    /// Torque by which loads drove the pump in the last step [N·m].
    fn regenerated(metered: &Metered, state: &SectionState) -> f64 {
        (-metered.ratio * state.metered).max(0.0)
    }

    /// Writes its rows.
    pub(crate) fn rows(
        &self,
        step: &Step<'_>,
        (pump, sections): (&PumpState, &[SectionState]),
        out: &mut RowWriter<'_, '_>,
    ) {
        let mut regenerated = 0.0;
        for ((section, state), metered) in
            self.sections.iter().zip(sections).zip(self.metered(step, sections))
        {
            section.rows((step, self.relief), state, &metered, out);
            regenerated += Circuit::regenerated(&metered, state);
        }
        if let Some(shaft) = self.shaft() {
            out.row(&[(shaft, 1.0)], friction_row(pump.throttled + regenerated));
        }
    }

    /// Advances its state over a solved step.
    pub(crate) fn advance(
        &self,
        step: &Step<'_>,
        (end, solved): (&[BodyState], &ComponentRows<'_>),
        (before, pump, sections): (&[SectionState], &mut PumpState, &mut [SectionState]),
    ) {
        let mut rows = solved.rows;
        let ended = View { bodies: Bodies { states: end, ..step.view.bodies }, ..*step.view };
        let (mut highest, mut flow, mut used, mut direct): (f64, f64, f64, f64) = (0.0, 0.0, 0.0, 0.0);
        for ((section, state), metered) in self.sections.iter().zip(sections).zip(self.metered(step, before))
        {
            let (own, others) = rows.split_at(section.row_count());
            rows = others;
            let moved = match &section.actuator {
                Actuator::Cylinder(_) => {
                    let [from, to] = [step.view, &ended]
                        .map(|view| section.actuator.coordinate(view, step.now.spins).value);
                    Some(to - from)
                }
                Actuator::Motor { .. } => None,
            };
            *state =
                section.advanced(step, state, &metered, (&ComponentRows { rows: own, ..*solved }, moved));
            let area = section.actuator.area(metered.direction);
            let pressure = metered.direction * state.metered / area;
            if metered.direction != 0.0 {
                highest = highest.max(pressure);
                flow += state.flow.abs();
                used += metered.ratio.abs() * area;
                direct += metered.ratio.abs() * area * pressure.max(0.0);
            }
        }
        let pressure = (highest + self.margin).min(self.relief).max(highest);
        let wanted = (pressure * used - direct).max(0.0);
        let throttled = step.now.follow(pump.throttled, wanted, RESPONSE);
        *pump = PumpState { pressure, flow, torque: direct + throttled, throttled };
    }
}
