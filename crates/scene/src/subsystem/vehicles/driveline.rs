//! Components of the text → components of the vehicle crate. Every shaft exists, a shaft has at most one engine, and gears
//! form no closed loop (`topology.rs`).

use super::brake::{disc, slip_limit};
use super::topology::Topology;
use crate::error::Problems;
use crate::number::{Number, Numbers, Quantity, Share};
use crate::suggestion;
use crate::text::driveline as text;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use windlass_vehicle::driveline::{
    Brake, Clutch, ClutchControl, Component, Converter, Differential, ElectricMotor, Engine, Fuel, Gear,
    Gearbox, Governor, Hydrostatic, HydrostaticUnit, Lock, LockUp, Retarder, ShiftMap, Starter,
    TractionControl,
};
use windlass_vehicle::{Map, Table, TableProblem};

/// Pedal positions at which a clutch transmits all and nothing, unless given.
const BITE: [f64; 2] = [0.3, 0.7];
/// Torque of the synchronisers of a gearbox, unless given [N·m].
const SYNCHRONIZER: f64 = 100.0;
/// Time without torque during a change of gear, unless given [s].
const SHIFT_TIME: f64 = 0.25;
/// Least turbine speed of a closed lock-up clutch, unless given [rad/s]: 1000 rpm, above the idle speed of most engines.
const LOCK_UP_SPEED: f64 = 104.72;
/// Torque of the clutches of an automatic at the input, unless given [N·m]: they carry what the engine gives.
const AUTOMATIC_CLUTCH: f64 = 1000.0;
/// Least time between changes of an automatic, unless given [s].
const HOLD: f64 = 1.0;
/// Names of shafts with their indices, and what is connected to them so far.
pub(super) struct Train<'a> {
    shafts: BTreeMap<&'a str, usize>,
    /// Names of the engines, by shaft.
    engines: BTreeMap<usize, String>,
    /// Names of the electric motors, by shaft.
    motors: BTreeMap<usize, String>,
    /// The gears and differentials between shafts.
    topology: Topology,
}

impl<'a> Train<'a> {
    /// With the names of all shafts, in their order.
    pub fn new(names: impl Iterator<Item = &'a str>) -> Train<'a> {
        let shafts: BTreeMap<&str, usize> = names.enumerate().map(|(k, name)| (name, k)).collect();
        let topology = Topology::new(shafts.len());
        Train { shafts, engines: BTreeMap::new(), motors: BTreeMap::new(), topology }
    }

    fn shaft(&self, name: &Spanned<String>, p: &mut Problems) -> Option<usize> {
        if let Some(shaft) = self.shafts.get(name.get_ref().as_str()) {
            return Some(*shaft);
        }
        let known: Vec<&str> = self.shafts.keys().copied().collect();
        let help = match suggestion::nearest(name.get_ref(), known.iter().copied()) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("define it under `shafts`, or give one of {}", crate::decode::list(&known)),
        };
        p.advise(name.span(), format!("no shaft \"{}\"", suggestion::shortened(name.get_ref())), help);
        None
    }

    fn pair(&self, [a, b]: &text::Shafts, p: &mut Problems) -> Option<[usize; 2]> {
        let [first, second] = [self.shaft(a, p), self.shaft(b, p)];
        let (first, second) = (first?, second?);
        if first == second {
            let message = format!("shaft \"{}\" is connected to itself", a.get_ref());
            p.advise(b.span(), message, "name two different shafts");
            return None;
        }
        Some([first, second])
    }

    /// The same, of gears: these must not form a closed loop.
    fn gears(&mut self, name: &str, shafts: &text::Shafts, p: &mut Problems) -> Option<[usize; 2]> {
        let pair = self.pair(shafts, p)?;
        self.tie(name, &pair, shafts[1].span(), p).map(|()| pair)
    }

    /// Adds an equation between shafts, which must not lock them.
    fn tie(&mut self, name: &str, shafts: &[usize], span: Range<usize>, p: &mut Problems) -> Option<()> {
        if self.topology.add(shafts) {
            return Some(());
        }
        let message = format!("component \"{name}\" closes a loop of gears");
        p.advise(span, message, "leave one of them out: their ratios would lock the shafts");
        None
    }

    /// A component of the text; errors are reported.
    pub fn component(
        &mut self,
        name: &Spanned<String>,
        component: &Spanned<text::Component>,
        p: &mut Problems,
    ) -> Option<Component> {
        let made = self.read(name, component, p)?;
        if let Some(problem) = made.problem() {
            p.push(component.span(), format!("component \"{}\": {problem}", name.get_ref()), None);
            return None;
        }
        Some(made)
    }

    fn read(
        &mut self,
        name: &Spanned<String>,
        component: &Spanned<text::Component>,
        p: &mut Problems,
    ) -> Option<Component> {
        let span = component.span();
        match component.get_ref() {
            text::Component::Engine(engine) => self.engine(name.get_ref(), engine, p),
            text::Component::ElectricMotor(c) => {
                let shaft = self.shaft(&c.shaft, p);
                let (torque, power) = (p.number("torque", &c.torque), p.number("power", &c.power));
                let limit = p.number("max_speed", &c.max_speed);
                let steer = p.number_or("steer", &c.steer, 0.0);
                let traction_control = traction_control(&c.traction_control, p);
                let shaft = shaft?;
                if let Some(other) = self.motors.insert(shaft, name.get_ref().clone()) {
                    let message =
                        format!("electric motors \"{other}\" and \"{}\" have the same shaft", name.get_ref());
                    p.advise(c.shaft.span(), message, "give one motor with the torque and the power of both");
                    return None;
                }
                let motor = ElectricMotor {
                    shaft,
                    torque: torque?,
                    power: power?,
                    limit: limit?,
                    steer: steer?,
                    traction_control: traction_control?,
                };
                Some(Component::Motor(motor))
            }
            text::Component::Clutch(c) => {
                let (shafts, torque) = (self.pair(&c.shafts, p), p.number("torque", &c.torque));
                let control = clutch_control(c, p);
                Some(Component::Clutch(Clutch { shafts: shafts?, torque: torque?, control: control? }))
            }
            text::Component::TorqueConverter(c) => self.converter(c, p),
            text::Component::Gearbox(c) => self.gearbox(name.get_ref(), c, p),
            text::Component::Gear(c) => {
                let (shafts, ratio) = (self.gears(name.get_ref(), &c.shafts, p), p.number("ratio", &c.ratio));
                let [input, output] = shafts?;
                Some(Component::Gear(Gear { input, output, ratio: ratio? }))
            }
            text::Component::Differential(c) => self.differential(name.get_ref(), c, p),
            text::Component::Brake(c) => {
                let shaft = self.shaft(&c.shaft, p);
                let torque = p.number_or("torque", &c.torque, 0.0);
                let parking = p.number_or("parking", &c.parking, 0.0);
                let (drag, lag) =
                    (p.number_or("drag", &c.drag, 0.0), p.number_or("time_constant", &c.time_constant, 0.0));
                let disc = disc(&c.disc, p);
                let brake = Brake {
                    shaft: shaft?,
                    torque: torque?,
                    parking: parking?,
                    drag: drag?,
                    lag: lag?,
                    anti_lock: None,
                    disc: disc?,
                };
                Some(Component::Brake(brake))
            }
            text::Component::Retarder(c) => {
                let (shaft, torque) = (self.shaft(&c.shaft, p), p.number("torque", &c.torque));
                let speed = p.number("speed", &c.speed);
                Some(Component::Retarder(Retarder { shaft: shaft?, torque: torque?, speed: speed? }))
            }
            text::Component::Hydrostatic(c) => self.hydrostatic(c, span, p),
        }
    }

    fn engine(&mut self, name: &str, c: &text::Engine, p: &mut Problems) -> Option<Component> {
        let shaft = self.shaft(&c.shaft, p);
        let curves = &c.torque;
        let full = full_load(curves, c, p);
        let drag = match &curves.drag {
            Some(drag) => table(("torque.speed", &curves.speed), ("torque.drag", drag), p),
            None => Some(Table::constant(0.0)),
        };
        let idle = p.number_or("idle", &c.idle, 0.0);
        let limit = p.number("max_speed", &c.max_speed);
        let stall = p.number_or("stall", &c.stall, 0.0);
        let governor = c.governor.as_ref().map(|governor| {
            let (speed, droop) = (p.number("speed", &governor.speed), p.number("droop", &governor.droop));
            Some(Governor { speed: speed?, droop: droop? })
        });
        let starter = c.starter.as_ref().map_or(Some(Starter { torque: 0.0, speed: 0.0 }), |starter| {
            let (torque, speed) = (p.number("torque", &starter.torque), p.number("speed", &starter.speed));
            Some(Starter { torque: torque?, speed: speed? })
        });
        let fuel = c.fuel.as_ref().map_or(Some(Fuel { specific: 0.0, idle: 0.0 }), |fuel| {
            let (specific, idle) =
                (p.number("specific", &fuel.specific), p.number_or("idle", &fuel.idle, 0.0));
            Some(Fuel { specific: specific?, idle: idle? })
        });
        let throttle_lag = p.number_or("time_constant", &c.time_constant, 0.0);
        let traction_control = traction_control(&c.traction_control, p);
        let (shaft, (full, map)) = (shaft?, full?);
        if let (Some(map), true) = (&curves.map, c.governor.is_some()) {
            let help = "give the curve of full throttle as `torque.full`: the governor sets the rest";
            p.advise(map.span(), "`torque.map` of an engine with a governor", help);
            return None;
        }
        if let Some(other) = self.engines.insert(shaft, name.to_string()) {
            let message = format!("engines \"{other}\" and \"{name}\" have the same shaft");
            let help = "give each engine its own shaft, and connect them by a clutch or a differential";
            p.advise(c.shaft.span(), message, help);
            return None;
        }
        let (idle, limit, stall) = (idle?, limit?, stall?);
        if !(stall < idle || idle == 0.0) || !(idle < limit) {
            let message = format!(
                "an engine that stalls at {stall:.1} rad/s, idles at {idle:.1} rad/s and turns at up to {limit:.1} rad/s"
            );
            p.advise(c.max_speed.span(), message, "give stall < idle < max_speed");
            return None;
        }
        Some(Component::Engine(Engine {
            shaft,
            full,
            map,
            drag: drag?,
            idle,
            limit,
            stall,
            governor: governor.map_or(Some(None), |governor| governor.map(Some))?,
            throttle_lag: throttle_lag?,
            starter: starter?,
            fuel: fuel?,
            traction_control: traction_control?,
            runs: c.running.unwrap_or(true),
        }))
    }

    fn converter(&self, c: &text::TorqueConverter, p: &mut Problems) -> Option<Component> {
        let shafts = self.pair(&c.shafts, p);
        let capacity = table(("speed_ratio", &c.speed_ratio), ("capacity", &c.capacity), p);
        let ratio = table(("speed_ratio", &c.speed_ratio), ("torque_ratio", &c.torque_ratio), p);
        let lock_up = c.lock_up.as_ref().map(|lock| {
            let (torque, from) =
                (p.number("torque", &lock.torque), p.number("speed_ratio", &lock.speed_ratio));
            let speed = p.number_or("min_speed", &lock.min_speed, LOCK_UP_SPEED);
            Some(LockUp { torque: torque?, ratio: from?, speed: speed? })
        });
        let [pump, turbine] = shafts?;
        let converter = Converter {
            pump,
            turbine,
            capacity: capacity?,
            ratio: ratio?,
            lock_up: lock_up.map_or(Some(None), |lock| lock.map(Some))?,
        };
        Some(Component::Converter(converter))
    }

    fn gearbox(&mut self, name: &str, c: &text::Gearbox, p: &mut Problems) -> Option<Component> {
        let shafts = self.gears(name, &c.shafts, p);
        let ratios = p.numbers("ratios", &c.ratios);
        let reverse = p.number_or("reverse", &c.reverse, 0.0);
        let usual = if c.automatic.is_some() { AUTOMATIC_CLUTCH } else { SYNCHRONIZER };
        let synchronizer = p.number_or("synchronizer", &c.synchronizer, usual);
        let shift_time = p.number_or("shift_time", &c.shift_time, SHIFT_TIME);
        let rev_match = p.number_or("rev_match", &c.rev_match, 0.0);
        let automatic = c.automatic.as_ref().map(|map| {
            let up = two("up", Some(&map.up), [0.0; 2], p);
            let down = two("down", Some(&map.down), [0.0; 2], p);
            let hold = p.number_or("hold_time", &map.hold_time, HOLD);
            Some(ShiftMap { up: up?, down: down?, hold: hold? })
        });
        let (ratios, reverse) = (ratios?, reverse?);
        if ratios.is_empty() {
            p.advise(c.ratios.span(), "a gearbox without gears", "give ratios = [3.6, 2.1, 1.4, 1.0]");
            return None;
        }
        let is_range = c.range.as_ref().is_some_and(|range| *range.get_ref());
        if let (true, Some(span)) = (is_range, own_logic(c)) {
            let help = "leave it out, or give `range` to a second gearbox behind this one";
            p.advise(span, "`automatic` or `reverse` of a range gearbox", help);
            return None;
        }
        let usual = if is_range { ratios.len() as i64 } else { 1 };
        let (gear, span) = c.gear.as_ref().map_or((usual, 0..0), |gear| (*gear.get_ref(), gear.span()));
        let lowest = match is_range {
            true => 1,
            false if reverse > 0.0 => -1,
            false => 0,
        };
        if !(lowest..=ratios.len() as i64).contains(&gear) {
            let help = format!("give {lowest} to {}", ratios.len());
            p.advise(span, format!("the gearbox has no gear {gear}"), help);
            return None;
        }
        let [input, output] = shafts?;
        Some(Component::Gearbox(Gearbox {
            input,
            output,
            ratios,
            reverse,
            synchronizer: synchronizer?,
            shift_time: shift_time?,
            rev_match: rev_match?,
            automatic: automatic.map_or(Some(None), |map| map.map(Some))?,
            gear: gear as i32,
            is_range,
        }))
    }

    fn differential(&mut self, name: &str, c: &text::Differential, p: &mut Problems) -> Option<Component> {
        let (input, outputs) = (self.shaft(&c.shaft, p), self.pair(&c.outputs, p));
        let (ratio, split) = (p.number_or("ratio", &c.ratio, 1.0), p.number_or("split", &c.split, 0.5));
        let lock = match c.lock.as_ref().map(Spanned::get_ref) {
            None | Some(text::DifferentialLock::Open) => Some(Lock::Open),
            Some(text::DifferentialLock::Locked) => Some(Lock::Locked),
            Some(text::DifferentialLock::Switched { torque }) => {
                p.number("torque", torque).map(Lock::Switched)
            }
            Some(text::DifferentialLock::LimitedSlip { preload, share }) => {
                let (preload, share) =
                    (p.number_or("preload", preload, 0.0), p.number_or("share", share, 0.0));
                preload.zip(share).map(|(preload, share)| Lock::LimitedSlip { preload, share })
            }
            Some(text::DifferentialLock::TorqueBias { ratio }) => {
                p.number("ratio", ratio).map(Lock::TorqueBias)
            }
        };
        let (input, outputs) = (input?, outputs?);
        if outputs.contains(&input) {
            p.advise(
                c.shaft.span(),
                "the input of a differential is one of its outputs",
                "name three shafts",
            );
            return None;
        }
        self.tie(name, &[input, outputs[0], outputs[1]], c.shaft.span(), p)?;
        if matches!(lock, Some(Lock::Locked)) {
            self.tie(name, &outputs, c.outputs[1].span(), p)?;
        }
        Some(Component::Differential(Differential {
            input,
            outputs,
            ratio: ratio?,
            split: split?,
            lock: lock?,
        }))
    }

    fn hydrostatic(&self, c: &text::Hydrostatic, span: Range<usize>, p: &mut Problems) -> Option<Component> {
        if c.pumps.is_empty() || c.motors.is_empty() {
            let message = "a hydrostatic circuit without pumps or without motors";
            p.advise(span, message, "give pumps = [{ … }] and motors = [{ … }]");
            return None;
        }
        let mut units = |list: &[text::HydrostaticUnit]| {
            let each: Vec<_> = list.iter().map(|unit| self.unit(unit, p)).collect();
            each.into_iter().collect::<Option<Vec<_>>>()
        };
        let (pumps, motors) = (units(&c.pumps), units(&c.motors));
        let (relief, leakage) = (p.number("relief", &c.relief), p.number_or("leakage", &c.leakage, 0.0));
        let steer = p.number_or("steer", &c.steer, 0.0);
        let circuit =
            Hydrostatic { pumps: pumps?, motors: motors?, relief: relief?, leakage: leakage?, steer: steer? };
        Some(Component::Hydrostatic(circuit))
    }

    fn unit(&self, unit: &text::HydrostaticUnit, p: &mut Problems) -> Option<HydrostaticUnit> {
        let shaft = self.shaft(&unit.shaft, p);
        let displacement = p.number("displacement", &unit.displacement);
        let stroke = p.number_or("stroke", &unit.stroke, 1.0);
        Some(HydrostaticUnit { shaft: shaft?, displacement: displacement?, stroke: stroke? })
    }
}

/// The key of a gearbox with which it chooses its gear by itself, or has a reverse gear.
fn own_logic(c: &text::Gearbox) -> Option<Range<usize>> {
    let automatic = c.automatic.as_ref().map(|map| map.up.span());
    automatic.or_else(|| c.reverse.as_ref().map(|reverse| reverse.span()))
}

/// The torque at full throttle, and that over the throttle if it is given.
fn full_load(
    curves: &text::TorqueCurves,
    c: &text::Engine,
    p: &mut Problems,
) -> Option<(Table, Option<Map>)> {
    let speed = ("torque.speed", &curves.speed);
    match (&curves.full, &curves.throttle, &curves.map) {
        (Some(full), None, None) => Some((table(speed, ("torque.full", full), p)?, None)),
        (None, Some(throttle), Some(map)) => {
            let throttles = p.numbers("torque.throttle", throttle)?;
            let lists = map.get_ref();
            if throttles.len() != lists.len() || throttles.last() != Some(&1.0) {
                let message = format!(
                    "{} throttles up to {:?} for a map of {} lists",
                    throttles.len(),
                    throttles.last().copied().unwrap_or(0.0),
                    lists.len()
                );
                p.advise(throttle.span(), message, "give one list per throttle, the last throttle 1");
                return None;
            }
            let tables = lists.iter().map(|list| table(speed, ("torque.map", list), p));
            let tables = tables.collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>()?;
            let full = tables.last()?.clone();
            match Map::new(throttles.into_iter().zip(tables).collect()) {
                Ok(map) => Some((full, Some(map))),
                Err(problem) => {
                    p.push(throttle.span(), format!("`torque.throttle`: {problem}"), None);
                    None
                }
            }
        }
        _ => {
            let help = "give torque.full, or torque.throttle = [0, 0.5, 1] and torque.map = [[…], […], […]]";
            p.advise(c.torque.speed.span(), "the torque of an engine is not given once", help);
            None
        }
    }
}

fn two<Q: Quantity>(
    key: &str,
    given: Option<&Numbers<Q>>,
    usual: [f64; 2],
    p: &mut Problems,
) -> Option<[f64; 2]> {
    given.map_or(Some(usual), |numbers| p.pair(key, numbers))
}

/// A function of the text by its arguments and values.
fn table<X: Quantity, Y: Quantity>(
    (argument, xs): (&str, &Numbers<X>),
    (value, ys): (&str, &Numbers<Y>),
    p: &mut Problems,
) -> Option<Table> {
    let (arguments, values) = (p.numbers(argument, xs), p.numbers(value, ys));
    match Table::new(&arguments?, &values?) {
        Ok(table) => Some(table),
        Err(problem) => {
            let span = if let TableProblem::Order { .. } = problem { xs.span() } else { ys.span() };
            p.push(span, format!("`{value}` over `{argument}`: {problem}"), None);
            None
        }
    }
}

fn traction_control(given: &Option<Number<Share>>, p: &mut Problems) -> Option<Option<TractionControl>> {
    let slip = slip_limit("traction_control", given, p)?;
    Some(slip.map(|slip| TractionControl { slip }))
}

/// What engages a clutch.
fn clutch_control(c: &text::Clutch, p: &mut Problems) -> Option<ClutchControl> {
    match (&c.power_take_off, &c.bite) {
        (Some(given), Some(bite)) if *given.get_ref() => {
            let help = "leave it out: the command `power_take_off` closes the clutch in proportion";
            p.advise(bite.span(), "`bite` of the clutch of a power take-off", help);
            None
        }
        (Some(given), None) if *given.get_ref() => Some(ClutchControl::PowerTakeOff),
        (_, bite) => two("bite", bite.as_ref(), BITE, p).map(ClutchControl::Pedal),
    }
}
