//! Gears: ω_in − i ω_out = 0.
//!
//! A change of the gear goes through stages, so that teeth never engage at different speeds:
//!
//! ```text
//! engaged        |λ| ≤ ∞
//! released       |λ| ≤ 0                  for a part of the shift time
//! synchronising  |λ| ≤ T_synchronizer     until |ω_in − i ω_out| < 3 rad/s, then engaged
//! ```
//!
//! With `rev_match` the engine's control brings the input to the speed of the next gear while none is engaged, by a
//! second row between the input shaft and its housing, and a gear that fits engages at once:
//!
//! ```text
//! released       ω_in = i_next ω_out,  |λ| ≤ T_match      ω_out at the start of the step
//! ```
//!
//! A manual gearbox refuses a gear that does not synchronise within a second and stays in neutral; the lever must be
//! moved for another attempt. An automatic chooses the gear by the speed of its output and the throttle, with a hold
//! time between changes; it waits in neutral while the vehicle moves fast against the direction of the lever. Without a
//! command it stays in the gear of the start. A range gearbox, the low range of a transfer case, follows the signal of the
//! range instead of that of the gear: 0 is its last gear, 1 the one before. Memory: `setting` is the gear, `wanted`
//! that of the change, `phase` the [`GearPhase`], `timer` the time in it, `slip` the difference of speeds, `total` the
//! heat of synchronising and the energy that matching the speed has taken from the input [J].

use super::{ComponentRows, Memory, Now, RowWriter, heat, speed_row};
use crate::signal::Signal;
use windlass_engine::prelude::{Role, Row};

/// A pair of gears with a fixed ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// Its input shaft.
    pub input: usize,
    /// Its output shaft.
    pub output: usize,
    /// Speed of the input over that of the output.
    pub ratio: f64,
}

/// A gearbox.
#[derive(Clone, Debug, PartialEq)]
pub struct Gearbox {
    /// Its input shaft.
    pub input: usize,
    /// Its output shaft.
    pub output: usize,
    /// Speed of the input over that of the output, gear after gear.
    pub ratios: Vec<f64>,
    /// The same in reverse, as a positive number; 0 for no reverse gear.
    pub reverse: f64,
    /// Torque by which a new gear is synchronised, at the input [N·m].
    pub synchronizer: f64,
    /// Time without torque during a change [s].
    pub shift_time: f64,
    /// Largest torque that brings the input to the speed of the next gear during this time [N·m]; 0 for none.
    pub rev_match: f64,
    /// Shift map of an automatic; none for a manual gearbox.
    pub automatic: Option<ShiftMap>,
    /// Gear at the start.
    pub gear: i32,
    /// Whether the signal of the range chooses its gear.
    pub is_range: bool,
}

/// Speeds of the input at which an automatic changes the gear, without and with full throttle [rad/s].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShiftMap {
    /// To the next higher gear.
    pub up: [f64; 2],
    /// To the next lower gear.
    pub down: [f64; 2],
    /// Least time between changes [s].
    pub hold: f64,
}

/// Stage of a change of the gear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GearPhase {
    /// The gear is engaged, or neutral chosen.
    Engaged,
    /// No gear transmits torque.
    Released,
    /// The gear is being synchronised.
    Synchronizing,
    /// The gear was refused.
    Refused,
}

/// Difference of speeds at the input below which a gear engages [rad/s].
const ENGAGES: f64 = 3.0;
/// Time after which a gear that does not synchronise is refused [s].
const REFUSES: f64 = 1.0;

impl GearPhase {
    /// The stage in a memory.
    pub fn of(memory: &Memory) -> GearPhase {
        match memory.phase as i64 {
            1 => GearPhase::Released,
            2 => GearPhase::Synchronizing,
            3 => GearPhase::Refused,
            _ => GearPhase::Engaged,
        }
    }
}

impl Gear {
    pub(super) fn rows(&self, out: &mut RowWriter<'_, '_>) {
        out.row(&[(self.input, 1.0), (self.output, -self.ratio)], open_row(f64::INFINITY));
    }
}

/// Equal speeds, with at most a torque.
fn open_row(torque: f64) -> Row {
    speed_row(0.0, 0.0, [-torque, torque], Role::Hold)
}

impl Gearbox {
    pub(super) fn initial(&self) -> Memory {
        Memory { setting: f64::from(self.gear), wanted: f64::from(self.gear), ..Memory::default() }
    }

    /// Ratio of a gear; none in neutral.
    pub(super) fn ratio(&self, gear: i64) -> Option<f64> {
        match gear {
            -1 if self.reverse > 0.0 => Some(-self.reverse),
            1.. => self.ratios.get(gear as usize - 1).copied(),
            _ => None,
        }
    }

    /// What is wrong with its gears, and the remedy.
    pub(super) fn problem(&self) -> Option<String> {
        let rising = self.ratios.windows(2).position(|pair| pair[1] >= pair[0]);
        let order = rising.map(|k| {
            let [low, high] = [self.ratios[k], self.ratios[k + 1]];
            format!(
                "gear {} has the ratio {high}, which is not below {low} of gear {}: list them from the first gear to the last",
                k + 2,
                k + 1
            )
        });
        order.or_else(|| self.hunting())
    }

    /// A change to a higher gear that is taken back at once, if the shift map has one.
    fn hunting(&self) -> Option<String> {
        let map = self.automatic.as_ref()?;
        let pairs = self.ratios.windows(2).enumerate();
        let found = pairs.flat_map(|(k, pair)| [0, 1].map(|end| (k, end, map.up[end] * pair[1] / pair[0])));
        let (k, end, after) = found.into_iter().find(|(_, end, after)| *after <= map.down[*end])?;
        let load = ["without", "with full"][end];
        Some(format!(
            "its shift map hunts between gears {} and {} {load} throttle: after the change the input turns at {after:.1} rad/s, \
             and it changes back below {:.1}; raise `up` or lower `down`",
            k + 1,
            k + 2,
            map.down[end]
        ))
    }

    /// The gear that the driver or the shift map wants.
    fn wanted(&self, now: &Now<'_>, memory: &Memory) -> i64 {
        let lever = match self.is_range {
            true => now.given(Signal::Range).map(|range| self.ratios.len() as f64 - range.round().max(0.0)),
            false => now.given(Signal::Gear),
        };
        let lever = lever.map_or(i64::from(self.gear), |lever| lever.round() as i64);
        let lowest = if self.is_range {
            1
        } else if self.reverse > 0.0 {
            -1
        } else {
            0
        };
        let lever = lever.clamp(lowest, self.ratios.len() as i64);
        let Some(map) = &self.automatic else { return lever };
        let gear = memory.setting as i64;
        if lever == 0 || (gear.signum() != lever.signum() && self.is_against_motion(lever, map, now)) {
            return 0;
        }
        if lever < 0 || gear <= 0 {
            return lever.signum();
        }
        let throttle = now.signal(Signal::Throttle).clamp(0.0, 1.0);
        let at = |[a, b]: [f64; 2]| a + (b - a) * throttle;
        // by the output, so that the slip of a converter does not count
        let input = self.ratio(gear).unwrap_or(1.0) * now.speed(self.output);
        if memory.timer < map.hold {
            gear
        } else if input > at(map.up) && gear < self.ratios.len() as i64 {
            gear + 1
        } else if input < at(map.down) && gear > 1 {
            gear - 1
        } else {
            gear
        }
    }

    /// Whether the output turns against the direction of the lever so fast that the input would turn faster than where the
    /// map changes down. An automatic waits in neutral then: its clutches would have to stop the vehicle.
    fn is_against_motion(&self, lever: i64, map: &ShiftMap, now: &Now<'_>) -> bool {
        let ratio = self.ratio(lever.signum()).unwrap_or(1.0);
        ratio * now.speed(self.output) < -map.down[0]
    }

    /// Whether it has the row that matches speeds.
    pub(super) fn matches_speed(&self) -> bool {
        self.rev_match > 0.0
    }

    pub(super) fn rows(&self, now: &Now<'_>, memory: &Memory, out: &mut RowWriter<'_, '_>) {
        let ratio = self.ratio(memory.setting as i64);
        let torque = match GearPhase::of(memory) {
            _ if ratio.is_none() => 0.0,
            GearPhase::Engaged => f64::INFINITY,
            GearPhase::Synchronizing => self.synchronizer,
            GearPhase::Released | GearPhase::Refused => 0.0,
        };
        out.row(&[(self.input, 1.0), (self.output, -ratio.unwrap_or(1.0))], open_row(torque));
        if self.matches_speed() {
            let next =
                self.ratio(memory.wanted as i64).filter(|_| GearPhase::of(memory) == GearPhase::Released);
            let torque = if next.is_some() { self.rev_match } else { 0.0 };
            let target = next.unwrap_or(0.0) * now.speed(self.output);
            out.row(&[(self.input, 1.0)], speed_row(target, 0.0, [-torque, torque], Role::Drive(0)));
        }
    }

    pub(super) fn advance(&self, now: &Now<'_>, solved: &ComponentRows<'_>, memory: &mut Memory) {
        memory.slip = solved.rate(0);
        memory.timer += now.h;
        if let (GearPhase::Synchronizing, Some(ratio)) =
            (GearPhase::of(memory), self.ratio(memory.setting as i64))
        {
            memory.total += heat(now, now.speed(self.input) - ratio * now.speed(self.output), solved, 0);
        }
        if self.matches_speed() {
            memory.total += heat(now, now.speed(self.input), solved, 1);
        }
        let wanted = self.wanted(now, memory);
        let enter = |memory: &mut Memory, phase: GearPhase| {
            (memory.phase, memory.timer) = (phase as i64 as f64, 0.0);
        };
        match GearPhase::of(memory) {
            GearPhase::Engaged if wanted != memory.setting as i64 => {
                memory.wanted = wanted as f64;
                enter(memory, GearPhase::Released);
            }
            GearPhase::Released if memory.timer >= self.shift_time - 1e-9 => {
                memory.setting = memory.wanted;
                let next = self.ratio(memory.setting as i64);
                let fits = |ratio: f64| (solved.rate(1) - ratio * now.speed(self.output)).abs() < ENGAGES;
                let engages = next.is_none_or(|ratio| self.matches_speed() && fits(ratio));
                enter(memory, if engages { GearPhase::Engaged } else { GearPhase::Synchronizing });
            }
            GearPhase::Synchronizing if memory.slip.abs() < ENGAGES => enter(memory, GearPhase::Engaged),
            GearPhase::Synchronizing if self.automatic.is_none() && memory.timer > REFUSES => {
                enter(memory, GearPhase::Refused);
            }
            GearPhase::Refused if wanted as f64 != memory.wanted => {
                memory.wanted = wanted as f64;
                enter(memory, GearPhase::Released);
            }
            _ => {}
        }
    }
}
