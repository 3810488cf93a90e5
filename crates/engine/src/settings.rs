//! Settings: what holds for the whole world. Integrator, step, gravity, contacts, sleep.

use glam::DVec3;
use std::ops::RangeInclusive;

/// How time is advanced.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Integrator {
    /// Velocity level, leapfrog in time, softened rows: one linear solve a step. For real time.
    #[default]
    Spook,
    /// Acceleration level, classical Runge–Kutta, then exact correction of positions and velocities.
    Projected,
    /// Dormand–Prince 5(4) with error control inside each step, then the same correction.
    DormandPrince(Adaptive),
}

/// Error control of the adaptive stepper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Allowed error of one internal step, relative to 1 + |value|.
    pub tolerance: f64,
    /// Smallest internal step [s]; reaching it is reported. While surfaces press it is 0.05 √(m/k) of the
    /// stiffest contact at least.
    pub shortest: f64,
    /// Largest internal step [s].
    pub longest: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Adaptive { tolerance: 1e-8, shortest: 1e-7, longest: 0.05 }
    }
}

/// When bodies may sleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// Speed below which a body counts as still [m/s, and rad/s].
    pub speed: f64,
    /// How long a whole island must be still [s].
    pub after: f64,
}

impl Default for Sleep {
    fn default() -> Self {
        Sleep { speed: 1e-3, after: 0.5 }
    }
}

/// Who solves a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// By the rule in `solve/mod.rs`: direct while contacts are few, iterative for piles.
    #[default]
    Auto,
    /// Joints, normals and friction as one problem, solved to round-off.
    Direct,
    /// Gauss–Seidel over joints and contacts: cost linear in the contacts, error falls with the sweeps.
    Iterative,
    /// Joints and normals directly, friction by sweeps.
    Split,
}

/// How friction is bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionModel {
    /// |λₜ| ≤ μ λₙ, opposed to the slip: exact in its direction.
    #[default]
    Cone,
    /// |λ| ≤ μ λₙ along each of two fixed axes, λₙ iterated until it settles.
    Box,
    /// The same with λₙ of the first solution: faster, and may stick where it should slide.
    BoxOnce,
}

/// How surfaces that are hard rebound under the steppers that integrate accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// By impulses, one after another; slow contacts by springs and dampers.
    #[default]
    Impulse,
    /// By a stiff spring that is softer while the surfaces part.
    Spring,
}

/// Contacts as AERO has them: under the steppers that integrate accelerations (`integrate/penalty/mod.rs`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenaltySettings {
    /// How hard surfaces rebound.
    pub collision: ImpactLaw,
    /// With what frequency a body would swing on one hard contact point [Hz]: k = m (2π f)², of the
    /// two masses in series.
    pub frequency: f64,
    /// Damping ratio of that swinging; springs that collide have none.
    pub damping: f64,
    /// Surfaces that stick creep, with this speed at the bound of friction [m/s]; 0 for springs that hold.
    pub creep: f64,
    /// The gravity of every body is changed in every step by a random vector of up to this part of it along
    /// each axis, so that what stands on a point falls.
    pub gravity_noise: f64,
}

impl Default for PenaltySettings {
    fn default() -> Self {
        PenaltySettings {
            collision: ImpactLaw::Impulse,
            frequency: 100.0,
            damping: 0.7,
            creep: 0.0,
            gravity_noise: 0.0,
        }
    }
}

/// How contacts are found and solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Points within this distance are contacts, touching or not [m]; more if bodies approach faster.
    pub margin: f64,
    /// Overlaps are pushed apart no faster than this [m/s].
    pub recovery: f64,
    /// How friction is bounded.
    pub friction: FrictionModel,
    /// Who solves partitions whose bodies do not say.
    pub solver: Solver,
    /// Sweeps of the iterative solvers in a step.
    pub sweeps: u32,
    /// Parts into which the iterative solver cuts a step, each with its share of the sweeps; 1 solves the step as a whole,
    /// which converges to the direct solution, slowly.
    pub substeps: u32,
    /// Under `spook`, impacts are made one after another before the step is solved, so that the last of a row
    /// of touching balls leaves; else all at once.
    pub serial: bool,
    /// Contacts of the steppers that integrate accelerations.
    pub aero: PenaltySettings,
}

impl ContactSettings {
    /// How many sweeps may be asked for. 40 000 find the direct solution of a heap to 1e-5; a step must end some time.
    pub const SWEEPS: RangeInclusive<u32> = 1..=100_000;
    /// Into how many parts a step may be cut: a thousandth of the longest step is shorter than any contact needs.
    pub const SUBSTEPS: RangeInclusive<u32> = 1..=1000;
}

impl Default for ContactSettings {
    fn default() -> Self {
        ContactSettings {
            margin: 0.005,
            recovery: 1.0,
            friction: FrictionModel::Cone,
            solver: Solver::Auto,
            sweeps: 8,
            substeps: 8,
            serial: false,
            aero: PenaltySettings::default(),
        }
    }
}

/// What holds for the whole world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Step [s].
    pub dt: f64,
    /// Gravity [m/s²].
    pub gravity: DVec3,
    /// How time is advanced.
    pub integrator: Integrator,
    /// Whether islands at rest sleep.
    pub sleep: Option<Sleep>,
    /// Rebounds slower than this are not made [m/s or rad/s], so that bouncing ends.
    pub bounce_speed: f64,
    /// Under `spook`, rounds in which joints that are open where a step ends are closed (`integrate/shake.rs`); 0 leaves them to the
    /// next step. Unless given, islands whose bodies turn by more than 0.01 rad in a step have up to eight.
    pub rounds: Option<u32>,
    /// Under `spook`, substeps at most in which a step is taken where the whole step would not be stable (`integrate/substeps.rs`): 1, 2,
    /// 4, … up to this; 1 takes every step as a whole.
    pub max_substeps: u32,
    /// How contacts are found and solved.
    pub contact: ContactSettings,
}

impl Settings {
    /// How long a step may be [s].
    pub const DT: RangeInclusive<f64> = 1e-7..=0.2;
    /// How many rounds may be asked for: what has not closed in a hundred will not.
    pub const ROUNDS: RangeInclusive<u32> = 0..=100;
    /// Substeps that may be asked for: a thousandth of the longest step is shorter than any light link needs.
    pub const MAX_SUBSTEPS: RangeInclusive<u32> = 1..=1024;
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            dt: 1.0 / 60.0,
            gravity: DVec3::new(0.0, 0.0, -9.81),
            integrator: Integrator::Spook,
            sleep: None,
            bounce_speed: 0.01,
            rounds: None,
            max_substeps: 256,
            contact: ContactSettings::default(),
        }
    }
}
