//! Fluids as written in the file, and how a body takes part in them.

use crate::number::{
    Angle, Area, Coefficient, Density, Duration, Factor, Frequency, LeastArea, LeastTime, Length, List,
    Number, Numbers, Plain, Reach, Share, Size, Speed, Time,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Spanned;

/// A fluid: a liquid up to its surface, or a gas, which is any fluid below 10 kg/m³. Fluids lie one above the other, in
/// the order of their surfaces.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Fluid {
    /// Name of its material, such as "water", "seawater" or "air": density and colour.
    #[schemars(with = "Option<String>")]
    pub material: Option<Spanned<String>>,
    /// Density [kg/m³]; that of the material unless given.
    pub density: Option<Number<Density>>,
    /// Level of its surface [m]; none, so that it fills all space above the other fluids, unless given.
    pub surface: Option<Number<Length>>,
    /// Depth of the bottom below the surface [m], for waves and currents; infinite unless given.
    pub depth: Option<Number<Size>>,
    /// Waves on its surface.
    #[schemars(with = "Option<Waves>")]
    pub waves: Option<Spanned<Waves>>,
    /// Current.
    #[schemars(with = "Option<Current>")]
    pub current: Option<Spanned<Current>>,
    /// Wind. Heights count from the surface below the fluid, or from z = 0.
    #[schemars(with = "Option<Wind>")]
    pub wind: Option<Spanned<Wind>>,
}

/// Damping as fractions of critical damping, 2 √(k m), with the added mass and the hydrostatic stiffness of the body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DampingRatio {
    /// Of vertical motion; 0 unless given.
    pub heave: Option<Number<Coefficient>>,
    /// Of rotation about x; 0 unless given.
    pub roll: Option<Number<Coefficient>>,
    /// Of rotation about y; 0 unless given.
    pub pitch: Option<Number<Coefficient>>,
}

/// Response amplitude operators of a vessel: its motion in a regular wave of amplitude 1 m, by period. They hold for the
/// direction of the waves relative to the vessel. Axes are those of the body: x ahead, y to port, z up.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rao {
    /// Name of the fluid whose waves move it; the one with waves unless given.
    #[schemars(with = "Option<String>")]
    pub fluid: Option<Spanned<String>>,
    /// Increasing periods of the table [s]. Between them the operators are interpolated over frequency; beyond them
    /// they are those of the first and the last period.
    #[schemars(with = "List<Duration>")]
    pub periods: Numbers<Duration>,
    /// Along x; 0 unless given.
    pub surge: Option<LinearResponse>,
    /// Along y; 0 unless given.
    pub sway: Option<LinearResponse>,
    /// Along z; 0 unless given.
    pub heave: Option<LinearResponse>,
    /// About x; 0 unless given.
    pub roll: Option<AngularResponse>,
    /// About y; 0 unless given.
    pub pitch: Option<AngularResponse>,
    /// About z; 0 unless given.
    pub yaw: Option<AngularResponse>,
}

/// Displacement of a vessel by period.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LinearResponse {
    /// Amplitude over that of the wave, one number per period.
    #[schemars(with = "List<Coefficient>")]
    pub amplitude: Numbers<Coefficient>,
    /// Phase by which it lags behind the crest at the origin of the body, one per period [rad]; 0 unless given.
    #[schemars(with = "Option<List<Angle>>")]
    pub phase: Option<Numbers<Angle>>,
}

/// Rotation of a vessel by period.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AngularResponse {
    /// Amplitude over that of the wave, one number per period [rad/m].
    #[schemars(with = "List<crate::number::AngularResponse>")]
    pub amplitude: Numbers<crate::number::AngularResponse>,
    /// Phase by which it lags behind the crest at the origin of the body, one per period [rad]; 0 unless given.
    #[schemars(with = "Option<List<Angle>>")]
    pub phase: Option<Numbers<Angle>>,
}

/// Waves: one regular wave, or a sea with a `spectrum`.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Waves {
    /// Height from trough to crest [m]; with a `spectrum` the significant height.
    pub height: Number<Reach>,
    /// Period [s]; with a `spectrum` the peak period.
    pub period: Number<Duration>,
    /// Direction in which they travel, from x toward y [rad]; 0 unless given.
    pub direction: Option<Number<Angle>>,
    /// Phase of a regular wave at the origin at the start, not of a sea [rad]; 0, a crest, unless given.
    pub phase: Option<Number<Angle>>,
    /// Order of a regular wave: 1 (Airy) or 2 (Stokes); 1 unless given.
    pub order: Option<Number<Coefficient>>,
    /// Spectrum of a sea; none, a regular wave, unless given.
    pub spectrum: Option<Spectrum>,
    /// Peak enhancement factor γ of a JONSWAP spectrum; by DNV-RP-C205 from height and period unless given.
    pub peak_enhancement: Option<Number<Factor>>,
    /// Exponent s of the directional spreading cos²ˢ(θ/2); none, long-crested, unless given.
    pub spreading: Option<Number<Factor>>,
    /// Number of components of a sea; 100 unless given.
    pub components: Option<Number<Coefficient>>,
    /// Seed of the phases of a sea, a whole number that gives the same sea on every machine; 1 unless given.
    pub seed: Option<Number<Coefficient>>,
    /// Time over which the waves rise smoothly from nothing [s]; 0 unless given.
    pub ramp: Option<Number<LeastTime>>,
}

/// Spectrum of a sea.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spectrum {
    /// JONSWAP: a sea that the wind is still building up.
    Jonswap,
    /// Pierson–Moskowitz: a fully developed sea.
    PiersonMoskowitz,
}

/// A current.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Current {
    /// Velocity at the surface [m/s].
    pub velocity: Option<Numbers<Speed>>,
    /// Profile over the depth; "uniform" unless given.
    pub profile: Option<CurrentProfile>,
    /// Exponent of the "power" profile; 1/7 unless given.
    pub exponent: Option<Number<Factor>>,
    /// Depths of a table below the surface [m], ascending, instead of `velocity` and `profile`.
    #[schemars(with = "Option<List<Length>>")]
    pub depths: Option<Numbers<Length>>,
    /// Velocities at these depths [m/s], linear between them.
    pub velocities: Option<Vec<Numbers<Speed>>>,
    /// Time over which it rises smoothly from nothing [s]; 0 unless given.
    pub ramp: Option<Number<LeastTime>>,
    /// Factor of the velocity that oscillates, such as that of a tide, instead of `ramp`.
    #[schemars(with = "Option<CurrentSine>")]
    pub sine: Option<Spanned<CurrentSine>>,
    /// Times of a table of factors [s], ascending, instead of `ramp`.
    #[schemars(with = "Option<List<Time>>")]
    pub times: Option<Numbers<Time>>,
    /// Factors of the velocity at these times, linear between them.
    #[schemars(with = "Option<List<Plain>>")]
    pub factors: Option<Numbers<Plain>>,
}

/// Factor of a current: mean + amplitude · sin(2π frequency t + phase).
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CurrentSine {
    /// Mean; 0 unless given.
    pub mean: Option<Number<Plain>>,
    /// Amplitude; 1 unless given.
    pub amplitude: Option<Number<Plain>>,
    /// Frequency [Hz].
    pub frequency: Number<Frequency>,
    /// Phase at t = 0 [rad]; 0 unless given.
    pub phase: Option<Number<Angle>>,
}

/// Profile of a current over the depth.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CurrentProfile {
    /// The same at all depths.
    #[default]
    Uniform,
    /// A power law, zero at the bottom; needs `depth`.
    Power,
    /// Linear from the surface to zero at 50 m.
    WindDriven,
}

/// Wind: a mean profile over the height, and gusts.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Mean speed at the reference height [m/s].
    pub speed: Number<Speed>,
    /// Reference height [m]; 10 unless given.
    pub height: Option<Number<Size>>,
    /// Direction in which it blows, from x toward y [rad]; 0 unless given.
    pub direction: Option<Number<Angle>>,
    /// Profile over the height; "power" unless given.
    pub profile: Option<WindProfile>,
    /// Exponent of the "power" profile; 0.12 (open sea) unless given.
    pub exponent: Option<Number<Factor>>,
    /// Roughness length of the "logarithmic" profile [m]; 0.05 (open land) unless given.
    pub roughness: Option<Number<Size>>,
    /// Gusts; none unless given.
    pub gusts: Option<Gusts>,
}

/// Profile of the mean wind over the height.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WindProfile {
    /// The same at all heights.
    Uniform,
    /// A power law.
    #[default]
    Power,
    /// A logarithmic law.
    Logarithmic,
    /// Frøya: one-hour mean at sea.
    Froya,
}

/// Gusts of one kind.
#[derive(Clone, Debug, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Gusts {
    /// One gust, ½ rise (1 − cos 2πt/duration).
    Discrete {
        /// Rise of the speed at its peak [m/s].
        rise: Number<Speed>,
        /// Its start [s]; 0 unless given.
        start: Option<Number<Time>>,
        /// Its duration [s].
        duration: Number<Duration>,
    },
    /// Frøya spectrum.
    Froya {
        /// Number of components; 100 unless given.
        components: Option<Number<Coefficient>>,
        /// Seed, a whole number; 1 unless given.
        seed: Option<Number<Coefficient>>,
    },
    /// Kaimal spectrum.
    Kaimal {
        /// Standard deviation of the speed [m/s].
        deviation: Number<Speed>,
        /// Length scale [m].
        length: Number<Size>,
        /// Number of components; 100 unless given.
        components: Option<Number<Coefficient>>,
        /// Seed, a whole number; 1 unless given.
        seed: Option<Number<Coefficient>>,
    },
}

/// Drag of a body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Law; "pressure" unless given.
    pub law: Option<DragLaw>,
    /// Coefficient: C_p of "pressure" and C_d of the other laws, on the frontal area; 1 unless given.
    pub coefficient: Option<Number<Coefficient>>,
    /// Coefficient C_s of the suction behind it, of "pressure"; 0 unless given.
    pub suction: Option<Number<Coefficient>>,
    /// Coefficient C_f of the skin friction, of "pressure", on the wet area; 0.003 unless given.
    pub friction: Option<Number<Coefficient>>,
    /// Coefficient C_l of the lift, of "projected"; 0 unless given.
    pub lift: Option<Number<Coefficient>>,
    /// Frontal area, of "quadratic" [m²].
    pub area: Option<Number<Area>>,
    /// Frontal areas across the body's axes, of "axes" [m²].
    pub areas: Option<Numbers<LeastArea>>,
    /// Coefficients along the body's axes, of "axes"; `coefficient` unless given.
    pub coefficients: Option<Numbers<Coefficient>>,
    /// D_i of the torque −ρ D_i |ω_i| ω_i about the body's axes, of "axes" [m⁵]; 0 unless given.
    pub rotational: Option<Numbers<Coefficient>>,
}

/// Law of drag.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DragLaw {
    /// Pressure −½ρ C_p (n·w)² n on exposed faces, suction behind, friction along all faces.
    #[default]
    Pressure,
    /// Drag along w and lift across it on the projected area of exposed faces (Vortex Theory Guide).
    Projected,
    /// −½ρ C_d A |w| w at the centre of mass.
    Quadratic,
    /// −½ρ C_i A_i |w_i| w_i along the axes of the body.
    Axes,
    /// No drag.
    None,
}

/// Added mass of a body.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AddedMass {
    /// Where it comes from; "shape" unless given.
    pub model: Option<AddedMassModel>,
    /// Added mass along and moment of inertia about the body's axes, about the centre of mass, instead of `model`:
    /// [kg, kg, kg, kg·m², kg·m², kg·m²].
    #[schemars(with = "Option<List<Coefficient>>")]
    pub diagonal: Option<Numbers<Coefficient>>,
    /// Six rows of the symmetric matrix, linear part first, instead of `model` [kg, kg·m, kg·m²].
    #[schemars(with = "Option<Vec<List<Plain>>>")]
    pub matrix: Option<Vec<Numbers<Plain>>>,
    /// Immersed fraction of the volume from which on given numbers hold; half of that at the start if the body floats
    /// then, else 1, unless given.
    pub complete_at: Option<Number<Share>>,
}

/// Where the added mass of a body comes from.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AddedMassModel {
    /// Closed forms and tables for its shapes; panels for meshes and convex shapes. Of a body that floats, or that the
    /// surface cuts at the start, half of that of the wet hull with its mirror image in the surface.
    #[default]
    Shape,
    /// The panel method on the triangles of its shapes, 1500 at most; of a floating body as with "shape".
    Panels,
    /// None.
    None,
}

/// Drag and added mass of a cable in fluids, per length.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CableFluid {
    /// Whether fluids act on it; true unless given.
    pub active: Option<bool>,
    /// Diameter of the displaced volume [m]; that of the section unless given.
    pub displaced_diameter: Option<Number<Size>>,
    /// Diameter for drag [m]; that of the section unless given.
    pub drag_diameter: Option<Number<Size>>,
    /// Drag coefficient across the cable, on its diameter; 1.2 unless given.
    pub normal_drag: Option<Number<Coefficient>>,
    /// Drag coefficient along the cable, on its circumference; 0.01 unless given.
    pub tangential_drag: Option<Number<Coefficient>>,
    /// Added mass coefficients across and along the cable; [1, 0] unless given.
    #[schemars(with = "Option<List<Coefficient>>")]
    pub added_mass: Option<Numbers<Coefficient>>,
}
