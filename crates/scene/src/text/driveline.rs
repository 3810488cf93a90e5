//! Shafts and components of a drive train as written in the file.

use crate::number::{
    Coefficient, Duration, Factor, FuelPerWork, Inertia, Leakage, LeastSpin, LeastTime, List, Mass, MassRate,
    MostTorque, Number, Numbers, Plain, Power, Pressure, Share, Spin, Torque, Two, Volume,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A shaft that rotates in the chassis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Shaft {
    /// Moment of inertia about its axis, with all that turns with it [kg·m²].
    pub inertia: Number<Inertia>,
    /// Axis in the axes of the chassis; x unless given.
    pub axis: Option<Numbers<Plain>>,
    /// Mass of its body [kg], in addition to that of the chassis; 1 kg unless given.
    pub mass: Option<Number<Mass>>,
    /// Speed at the start [rad/s]; that of the wheels or of an engine that it turns with unless given.
    pub speed: Option<Number<Spin>>,
}

/// Names of two shafts.
pub type Shafts = [Spanned<String>; 2];

/// A component of a drive train.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Component {
    /// A combustion engine.
    Engine(Box<Engine>),
    /// An electric motor.
    ElectricMotor(ElectricMotor),
    /// A friction clutch.
    Clutch(Clutch),
    /// A torque converter.
    TorqueConverter(TorqueConverter),
    /// A manual or automatic gearbox.
    Gearbox(Gearbox),
    /// A pair of gears, or a final drive.
    Gear(GearPair),
    /// A differential or a transfer case.
    Differential(Differential),
    /// A friction brake.
    Brake(Brake),
    /// A retarder: a wear-free brake that is without effect at rest.
    Retarder(Retarder),
    /// A closed hydrostatic circuit of pumps and motors.
    Hydrostatic(Hydrostatic),
}

/// A combustion engine.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// Name of its crankshaft.
    #[schemars(with = "String")]
    pub shaft: Spanned<String>,
    /// Torque curves over speed.
    pub torque: TorqueCurves,
    /// Speed that it holds without throttle [rad/s]; none unless given.
    pub idle: Option<Number<LeastSpin>>,
    /// Speed at which the fuel is cut [rad/s].
    pub max_speed: Number<LeastSpin>,
    /// Speed below which it stalls [rad/s]; never unless given.
    pub stall: Option<Number<LeastSpin>>,
    /// Governor, for which the throttle sets a speed instead of a torque; none unless given.
    pub governor: Option<Governor>,
    /// Time constant of the throttle, with the lag of a turbocharger [s]; 0 unless given.
    pub time_constant: Option<Number<LeastTime>>,
    /// Starter, which turns it while `ignition` is 2; none unless given.
    pub starter: Option<Starter>,
    /// Consumption; none unless given.
    pub fuel: Option<Fuel>,
    /// Traction control: longitudinal slip of a wheel up to which it drives, such as 0.15; none unless given.
    pub traction_control: Option<Number<Share>>,
    /// Whether it runs at the start; true unless given.
    pub running: Option<bool>,
}

/// Torque curves of an engine.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TorqueCurves {
    /// Increasing speeds [rad/s].
    #[schemars(with = "List<LeastSpin>")]
    pub speed: Numbers<LeastSpin>,
    /// Net torque at full throttle, one number per speed [N·m]; in proportion to the throttle between it and the drag.
    #[schemars(with = "Option<List<Torque>>")]
    pub full: Option<Numbers<Torque>>,
    /// Increasing throttles of a `map`, the last of them 1.
    #[schemars(with = "Option<List<Share>>")]
    pub throttle: Option<Numbers<Share>>,
    /// Net torque over speed and throttle, instead of `full`: per throttle a list with one number per speed [N·m].
    #[schemars(with = "Option<Vec<List<Torque>>>")]
    pub map: Option<Spanned<Vec<Numbers<Torque>>>>,
    /// Drag torque without fuel, one number per speed [N·m]; 0 unless given.
    #[schemars(with = "Option<List<MostTorque>>")]
    pub drag: Option<Numbers<MostTorque>>,
}

/// A governor with droop.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Governor {
    /// Speed without load at full throttle [rad/s].
    pub speed: Number<LeastSpin>,
    /// Decrease of the speed from no load to full torque [rad/s].
    pub droop: Number<LeastSpin>,
}

/// A starter.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Starter {
    /// Largest torque at the crankshaft [N·m].
    pub torque: Number<MostTorque>,
    /// Speed without load [rad/s].
    pub speed: Number<LeastSpin>,
}

/// Consumption of an engine.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fuel {
    /// Mass per work [kg/J], such as "250 g/kWh".
    pub specific: Number<FuelPerWork>,
    /// Mass per time without load [kg/s], such as "0.6 kg/h"; 0 unless given.
    pub idle: Option<Number<MassRate>>,
}

/// An electric motor with a torque limit and a power limit. The throttle is −1 to 1.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ElectricMotor {
    /// Name of its shaft.
    #[schemars(with = "String")]
    pub shaft: Spanned<String>,
    /// Largest torque [N·m].
    pub torque: Number<MostTorque>,
    /// Largest power [W].
    pub power: Number<Power>,
    /// Speed up to which it drives [rad/s].
    pub max_speed: Number<LeastSpin>,
    /// Share of the command `steer` that is added to the throttle, for skid steering: −1 on the left side, 1 on the
    /// right; 0 unless given.
    pub steer: Option<Number<Plain>>,
    /// Traction control: longitudinal slip of a wheel up to which it drives, such as 0.15; none unless given.
    pub traction_control: Option<Number<Share>>,
}

/// A friction clutch.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clutch {
    /// Names of its input and output shaft.
    #[schemars(with = "[String; 2]")]
    pub shafts: Shafts,
    /// Largest torque [N·m].
    pub torque: Number<MostTorque>,
    /// Positions of the pedal up to which it transmits all and from which on nothing; [0.3, 0.7] unless given.
    #[schemars(with = "Option<Two<Share>>")]
    pub bite: Option<Numbers<Share>>,
    /// Whether it is that of a power take-off: the command `power_take_off`, 0 to 1, closes it instead of the pedal; false
    /// unless given.
    #[schemars(with = "Option<bool>")]
    pub power_take_off: Option<Spanned<bool>>,
}

/// A torque converter. The torque of its pump is (ω_pump/K)², that of its turbine is that times the torque ratio.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TorqueConverter {
    /// Names of the shafts of its pump, on the side of the engine, and of its turbine.
    #[schemars(with = "[String; 2]")]
    pub shafts: Shafts,
    /// Increasing speed ratios, turbine over pump.
    #[schemars(with = "List<Coefficient>")]
    pub speed_ratio: Numbers<Coefficient>,
    /// Capacity factors K, one per speed ratio, in rad/s/√(N·m).
    #[schemars(with = "List<Factor>")]
    pub capacity: Numbers<Factor>,
    /// Torque ratios, turbine over pump, one per speed ratio.
    #[schemars(with = "List<Coefficient>")]
    pub torque_ratio: Numbers<Coefficient>,
    /// Lock-up clutch; none unless given.
    pub lock_up: Option<LockUp>,
}

/// Lock-up clutch of a torque converter.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LockUp {
    /// Largest torque [N·m].
    pub torque: Number<MostTorque>,
    /// Speed ratio from which on it closes.
    pub speed_ratio: Number<Share>,
    /// Least speed of the turbine at which it is closed [rad/s], above idle; 1000 rpm unless given.
    pub min_speed: Option<Number<LeastSpin>>,
}

/// A gearbox. The command `gear` is its gear: 0 neutral, −1 reverse; of an automatic 1 drives. A range gearbox, such as the
/// low range of a transfer case, follows the command `range`: 0 is its last gear, 1 the one before.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gearbox {
    /// Names of its input and output shaft.
    #[schemars(with = "[String; 2]")]
    pub shafts: Shafts,
    /// Decreasing speeds of the input over that of the output, from the first gear to the last.
    #[schemars(with = "List<Factor>")]
    pub ratios: Numbers<Factor>,
    /// The same in reverse; no reverse gear unless given.
    pub reverse: Option<Number<Factor>>,
    /// Torque that synchronises a new gear, at the input [N·m]: of synchronisers, or of the clutches of an automatic; 100
    /// N·m, or 1 kN·m of an automatic, unless given.
    pub synchronizer: Option<Number<MostTorque>>,
    /// Time without torque during a change [s]; 0.25 s unless given.
    pub shift_time: Option<Number<LeastTime>>,
    /// Largest torque by which the engine's control brings the input to the speed of the next gear meanwhile [N·m];
    /// 0 unless given.
    pub rev_match: Option<Number<MostTorque>>,
    /// Shift map of an automatic gearbox; a manual one unless given.
    pub automatic: Option<ShiftMap>,
    /// Whether it is a range gearbox: the command `range` chooses its gear instead of `gear`; false unless given.
    #[schemars(with = "Option<bool>")]
    pub range: Option<Spanned<bool>>,
    /// Gear at the start; 1, of an automatic the one for the speed of its output, of a range gearbox the last, unless given.
    #[schemars(with = "Option<i64>")]
    pub gear: Option<Spanned<i64>>,
}

/// Speeds of the input at which an automatic changes gear, without throttle and with full throttle.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShiftMap {
    /// To the next higher gear [rad/s].
    #[schemars(with = "Two<LeastSpin>")]
    pub up: Numbers<LeastSpin>,
    /// To the next lower gear [rad/s].
    #[schemars(with = "Two<LeastSpin>")]
    pub down: Numbers<LeastSpin>,
    /// Least time between changes [s]; 1 s unless given.
    pub hold_time: Option<Number<LeastTime>>,
}

/// A pair of gears with a fixed ratio.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ShaftGear")]
pub struct GearPair {
    /// Names of its input and output shaft.
    #[schemars(with = "[String; 2]")]
    pub shafts: Shafts,
    /// Speed of the input over that of the output; negative if they turn in opposite directions.
    pub ratio: Number<Plain>,
}

/// A differential: an axle's, or the transfer case between axles.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ShaftDifferential")]
pub struct Differential {
    /// Name of its input shaft.
    #[schemars(with = "String")]
    pub shaft: Spanned<String>,
    /// Names of its output shafts.
    #[schemars(with = "[String; 2]")]
    pub outputs: Shafts,
    /// Speed of the input over the mean of the outputs; 1 unless given.
    pub ratio: Option<Number<Plain>>,
    /// Share of the torque that the first output gets; 0.5 unless given.
    pub split: Option<Number<Share>>,
    /// Lock between the outputs; "open" unless given.
    #[schemars(with = "Option<DifferentialLock>")]
    pub lock: Option<Spanned<DifferentialLock>>,
}

/// Lock of a differential.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum DifferentialLock {
    /// None.
    Open,
    /// The outputs turn together.
    Locked,
    /// Closed by the command `lock`.
    Switched {
        /// Largest torque of the lock [N·m].
        torque: Number<MostTorque>,
    },
    /// Friction between the outputs.
    LimitedSlip {
        /// Largest torque of the friction without load [N·m]; 0 unless given.
        preload: Option<Number<MostTorque>>,
        /// Increase of this torque per torque of the outputs; 0 unless given.
        share: Option<Number<Coefficient>>,
    },
    /// Torque-sensing: a largest ratio of the torques of the outputs.
    TorqueBias {
        /// The ratio.
        ratio: Number<Factor>,
    },
}

/// A friction brake between a shaft and the chassis.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Brake {
    /// Name of its shaft.
    #[schemars(with = "String")]
    pub shaft: Spanned<String>,
    /// Torque at full `brake` [N·m]; 0 unless given.
    pub torque: Option<Number<MostTorque>>,
    /// Torque at full `parking_brake` [N·m]; 0 unless given.
    pub parking: Option<Number<MostTorque>>,
    /// Torque without command, as of a bearing [N·m]; 0 unless given.
    pub drag: Option<Number<MostTorque>>,
    /// Time constant of its build-up [s]; 0 unless given.
    pub time_constant: Option<Number<LeastTime>>,
    /// Its disc or drum, whose temperature is computed; none unless given.
    pub disc: Option<Disc>,
}

/// The disc or drum of a brake, of cast iron.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Disc {
    /// Mass [kg].
    pub mass: Number<Mass>,
    /// Time constant with which it cools [s]; 200 s unless given.
    pub cooling: Option<Number<Duration>>,
}

/// A retarder.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Retarder {
    /// Name of its shaft.
    #[schemars(with = "String")]
    pub shaft: Spanned<String>,
    /// Largest torque, at full `retarder` [N·m].
    pub torque: Number<MostTorque>,
    /// Speed from which on it has this torque [rad/s].
    pub speed: Number<LeastSpin>,
}

/// A closed hydrostatic circuit. All its units have the same pressure.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Hydrostatic {
    /// Pumps, whose stroke is the command `stroke`.
    pub pumps: Vec<HydrostaticUnit>,
    /// Motors.
    pub motors: Vec<HydrostaticUnit>,
    /// Pressure at which the relief valves open [Pa].
    pub relief: Number<Pressure>,
    /// Leakage per pressure [m³/s/Pa]; 0 unless given.
    pub leakage: Option<Number<Leakage>>,
    /// Share of the command `steer` that is added to `stroke`, for skid steering: −1 on the left side, 1 on the right; 0
    /// unless given.
    pub steer: Option<Number<Plain>>,
}

/// A pump or motor of a hydrostatic circuit.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HydrostaticUnit {
    /// Name of its shaft.
    #[schemars(with = "String")]
    pub shaft: Spanned<String>,
    /// Displacement per revolution [m³], such as "71 cm^3".
    pub displacement: Number<Volume>,
    /// Stroke, −1 to 1; 1 unless given.
    pub stroke: Option<Number<Plain>>,
}
