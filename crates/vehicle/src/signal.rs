//! Commands of a driver: values of inputs or constants → the signals that components read.

use windlass_engine::prelude::{InputId, Inputs};

/// A command to a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Signal {
    /// 0 to 1; of an electric motor −1 to 1.
    Throttle,
    /// Service brake, 0 to 1.
    Brake,
    /// Parking brake, 0 to 1.
    Parking,
    /// Clutch pedal: 0 engaged, 1 pressed down.
    Clutch,
    /// −1 to 1, positive to the left.
    Steer,
    /// A manual gearbox: number of the gear, 0 neutral, −1 reverse. An automatic: 1 drives, 0 neutral, −1 reverse.
    Gear,
    /// 0 off, 1 on, 2 starts the engine.
    Ignition,
    /// Lock of differentials, 0 to 1.
    Lock,
    /// Stroke of hydrostatic pumps, −1 to 1.
    Stroke,
    /// Retarder, 0 to 1.
    Retarder,
    /// Geometry of the steering: 0 Ackermann, 1 crab, 2 pivot.
    SteeringMode,
    /// Clutch of a power take-off, 0 open to 1 closed.
    PowerTakeOff,
    /// Range of a range gearbox: 0 the highest, 1 the next lower one.
    Range,
}

impl Signal {
    /// All signals, with their names in scenes.
    pub const ALL: [(Signal, &'static str); 13] = [
        (Signal::Throttle, "throttle"),
        (Signal::Brake, "brake"),
        (Signal::Parking, "parking_brake"),
        (Signal::Clutch, "clutch"),
        (Signal::Steer, "steer"),
        (Signal::Gear, "gear"),
        (Signal::Ignition, "ignition"),
        (Signal::Lock, "lock"),
        (Signal::Stroke, "stroke"),
        (Signal::Retarder, "retarder"),
        (Signal::SteeringMode, "steering_mode"),
        (Signal::PowerTakeOff, "power_take_off"),
        (Signal::Range, "range"),
    ];
}

impl Signal {
    /// Its name in scenes.
    pub fn name(self) -> &'static str {
        Signal::ALL[self as usize].1
    }

    /// Its value from its sources, which add up, and the values of inputs; none without a source.
    pub fn value(self, controls: &[(Signal, Source)], input: impl Fn(InputId) -> Option<f64>) -> Option<f64> {
        let own = controls.iter().filter(|(signal, _)| *signal == self);
        own.filter_map(|(_, source)| source.value(&input)).reduce(|sum, value| sum + value)
    }
}

/// A source of a signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// A constant.
    Constant(f64),
    /// An input times a factor. Without effect once the input is removed.
    Input(InputId, f64),
}

impl Source {
    /// Its value for values of inputs; none once its input is removed.
    pub(crate) fn value(&self, input: impl Fn(InputId) -> Option<f64>) -> Option<f64> {
        match self {
            Source::Constant(value) => Some(*value),
            Source::Input(id, factor) => input(*id).map(|value| factor * value),
        }
    }
}

/// The values of all signals in a step; none for those without a source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Signals([Option<f64>; Signal::ALL.len()]);

impl Signals {
    /// From the sources, which add up.
    pub fn new(controls: &[(Signal, Source)], inputs: Inputs<'_>) -> Signals {
        let mut values = [None; Signal::ALL.len()];
        for (signal, _) in Signal::ALL {
            values[signal as usize] = signal.value(controls, |id| inputs.mean(id));
        }
        Signals(values)
    }

    /// Those of one component, whose own sources take the place of the vehicle's.
    pub fn with(mut self, own: &[(usize, Signal, Source)], component: usize, inputs: Inputs<'_>) -> Signals {
        for (signal, _) in Signal::ALL {
            let sources = own.iter().filter(|(owner, known, _)| (*owner, *known) == (component, signal));
            let values = sources.filter_map(|(_, _, source)| source.value(|id| inputs.mean(id)));
            if let Some(value) = values.reduce(|sum, value| sum + value) {
                self.0[signal as usize] = Some(value);
            }
        }
        self
    }

    /// The value of a signal that has a source.
    pub fn given(&self, signal: Signal) -> Option<f64> {
        self.0[signal as usize]
    }

    /// The value of a signal; at rest without a source: the ignition is on, all others are 0.
    pub fn get(&self, signal: Signal) -> f64 {
        self.given(signal).unwrap_or(if signal == Signal::Ignition { 1.0 } else { 0.0 })
    }
}
