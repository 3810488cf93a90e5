//! Hydraulic circuits of a vehicle as written in the file.

use crate::number::{
    Decay, Factor, Leakage, MostForce, Number, Plain, Pressure, Reach, Share, Size, Volume, VolumeFlow,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A hydraulic circuit: a load-sensing pump and the valves that it feeds. If they ask for more than it delivers, all get
/// the same share of what they ask for.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Hydraulics {
    /// Its pump.
    #[schemars(with = "HydraulicPump")]
    pub pump: Spanned<HydraulicPump>,
    /// Largest pressure of the pump [Pa], such as "250 bar".
    pub relief: Number<Pressure>,
    /// Pressure of the pump above that of the highest load [Pa]; 20 bar unless given.
    pub margin: Option<Number<Pressure>>,
    /// Its valves by name, each with its actuator. Names differ within a vehicle: inputs drive valves by name.
    #[schemars(with = "BTreeMap<String, HydraulicValve>")]
    pub valves: BTreeMap<Spanned<String>, Spanned<HydraulicValve>>,
}

/// The pump of a circuit: on a shaft, or a source of constant flow.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HydraulicPump {
    /// Name of its shaft; without one the pump delivers `flow`, and no engine feels it.
    #[schemars(with = "Option<String>")]
    pub shaft: Option<Spanned<String>>,
    /// Largest displacement per revolution [m³], such as "45 cm^3"; only with `shaft`.
    pub displacement: Option<Number<Volume>>,
    /// Largest flow [m³/s], such as "90 l/min"; with `shaft` no limit unless given.
    pub flow: Option<Number<VolumeFlow>>,
}

/// A proportional directional valve, and the cylinder or motor that it moves. With pressure compensation its flow is its
/// opening times the rated flow, whatever the load. Closed, it holds the load.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HydraulicValve {
    /// Rated flow, at full opening [m³/s], such as "60 l/min".
    pub flow: Number<VolumeFlow>,
    /// Command below which it is closed, 0 to below 1; 0 unless given.
    pub deadband: Option<Number<Share>>,
    /// Largest rate of its spool, whose stroke is −1 to 1 [1/s]; 5 /s unless given.
    pub rate: Option<Number<Decay>>,
    /// Pressure at which the relief valves at its ports open [Pa]; 1.15 times that of the pump unless given.
    pub port_relief: Option<Number<Pressure>>,
    /// The cylinder that it moves: a positive command extends it.
    pub cylinder: Option<HydraulicActuator>,
    /// The motor that it turns, instead of a cylinder.
    pub motor: Option<HydraulicMotor>,
    /// Accumulator on the piston side of its cylinder, which lets the load bounce; none unless given.
    pub accumulator: Option<GasAccumulator>,
}

/// A double-acting hydraulic cylinder.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HydraulicActuator {
    /// Name of a `distance` joint with `min` and `max`, which are its lengths. It is drawn if the joint has a `cylinder`.
    #[schemars(with = "String")]
    pub joint: Spanned<String>,
    /// Diameter of the piston [m].
    pub bore: Number<Size>,
    /// Diameter of the rod [m]; half the bore unless given.
    pub rod: Option<Number<Size>>,
    /// Length of the cushions at both ends of the stroke [m]; 0 unless given.
    pub cushion: Option<Number<Reach>>,
    /// Friction of the seals [N]; 0 unless given.
    pub friction: Option<Number<MostForce>>,
    /// Leakage past the piston per pressure [m³/s/Pa]; 0 unless given.
    pub leakage: Option<Number<Leakage>>,
    /// Bulk modulus of the oil [Pa], such as "1.4 GPa"; incompressible unless given.
    pub bulk_modulus: Option<Number<Pressure>>,
}

/// A hydraulic motor on a hinge or a shaft.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HydraulicMotor {
    /// Name of the `hinge` joint that it turns, such as that of a slewing ring.
    #[schemars(with = "Option<String>")]
    pub joint: Option<Spanned<String>>,
    /// Name of the shaft that it turns, instead of a joint.
    #[schemars(with = "Option<String>")]
    pub shaft: Option<Spanned<String>>,
    /// Displacement per revolution of the motor [m³].
    pub displacement: Number<Volume>,
    /// Revolutions of the motor per revolution of the joint or shaft; negative to reverse; 1 unless given.
    pub ratio: Option<Number<Plain>>,
}

/// A gas-charged accumulator. Its gas follows p Vⁿ = const.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct GasAccumulator {
    /// Volume of the gas at precharge [m³], such as "4 l".
    pub volume: Number<Volume>,
    /// Precharge pressure of the gas [Pa].
    pub precharge: Number<Pressure>,
    /// Polytropic exponent: 1 isothermal, 1.4 adiabatic; 1.4 unless given.
    pub exponent: Option<Number<Factor>>,
    /// Pressure at the start [Pa]; that of the precharge, without oil, unless given.
    pub pressure: Option<Number<Pressure>>,
}
