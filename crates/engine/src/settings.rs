//! Settings of the whole world: integrator, step, gravity, contacts, sleep.

use glam::DVec3;
use std::ops::RangeInclusive;

/// Time integration method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Integrator {
    /// SPOOK: velocity level, leapfrog in time, regularised rows, one linear solve per step. For real time.
    #[default]
    Spook,
    /// Acceleration level, classical Runge–Kutta, then projection of positions and velocities onto the constraints.
    Projected,
    /// Dormand–Prince 5(4) with error control inside each step, then the same projection.
    DormandPrince(Adaptive),
}

/// Error control of the adaptive integrator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Allowed error of one internal step, relative to 1 + |value|.
    pub tolerance: f64,
    /// Smallest internal step [s]; reaching it is reported. During contact it is at least 0.05 √(m/k) of the
    /// stiffest contact.
    pub min_step: f64,
    /// Largest internal step [s].
    pub max_step: f64,
}

impl Default for Adaptive {
    fn default() -> Self {
        Adaptive { tolerance: 1e-8, min_step: 1e-7, max_step: 0.05 }
    }
}

/// Criteria by which bodies are put to sleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sleep {
    /// Speed below which a body counts as being at rest [m/s, and rad/s].
    pub speed: f64,
    /// Time for which a whole island must be at rest [s].
    pub after: f64,
}

impl Default for Sleep {
    fn default() -> Self {
        Sleep { speed: 1e-3, after: 0.5 }
    }
}

/// Solver of a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// By the rule in `solve/method.rs`: direct for few contacts, iterative for piles.
    #[default]
    Auto,
    /// Joints, normals and friction as one problem, solved to round-off.
    Direct,
    /// Gauss–Seidel over joints and contacts: cost linear in the number of contacts, error decreases with the
    /// iterations.
    Iterative,
    /// Joints and normals directly, friction by iteration.
    Split,
}

/// Friction bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionModel {
    /// |λₜ| ≤ μ λₙ, opposed to the slip: isotropic.
    #[default]
    Cone,
    /// |λ| ≤ μ λₙ along each of two fixed axes, λₙ iterated to convergence.
    Box,
    /// The same with λₙ of the first solution: faster, but may stick where it should slide.
    BoxOnce,
}

/// Impact model of hard surfaces under the acceleration-level integrators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// Sequential impulses; slow contacts by springs and dampers.
    #[default]
    Impulse,
    /// A stiff spring that is softer during separation.
    Spring,
}

/// Penalty contacts after AERO, for the acceleration-level integrators (`integrate/penalty/mod.rs`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PenaltySettings {
    /// Impact model.
    pub collision: ImpactLaw,
    /// Natural frequency of a body on one hard contact point [Hz]: k = m (2π f)², with m the
    /// two masses in series.
    pub frequency: f64,
    /// Damping ratio of that vibration; springs that model impacts have none.
    pub damping: f64,
    /// Creep speed of sticking surfaces at the friction limit [m/s]; 0 for springs that hold.
    pub creep: f64,
    /// Random perturbation of the gravity of every body in every step, relative to gravity, along
    /// each axis, so that a body balanced on a point falls.
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

/// Detection and solution of contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSettings {
    /// Points within this distance are contacts, closed or not [m]; more if bodies approach faster.
    pub margin: f64,
    /// Largest speed at which penetrations are corrected [m/s].
    pub recovery: f64,
    /// Friction bound.
    pub friction: FrictionModel,
    /// Solver of partitions whose bodies do not specify one.
    pub solver: Solver,
    /// Iterations of the iterative solvers per step.
    pub solver_iterations: u32,
    /// Substeps of the iterative solver, which share the iterations; 1 solves the step as a whole,
    /// which converges slowly to the direct solution.
    pub substeps: u32,
    /// Under `spook`, impacts are resolved one after another before the step is solved, so that the last of a row
    /// of touching balls leaves; otherwise simultaneously.
    pub serial: bool,
    /// Contacts of the acceleration-level integrators.
    pub penalty: PenaltySettings,
}

impl ContactSettings {
    /// Allowed number of iterations. 40 000 reach the direct solution of a heap to 1e-5; the bound ensures that a step
    /// ends.
    pub const SWEEPS: RangeInclusive<u32> = 1..=100_000;
    /// Allowed number of substeps: a thousandth of the longest step is shorter than any contact needs.
    pub const SUBSTEPS: RangeInclusive<u32> = 1..=1000;
}

impl Default for ContactSettings {
    fn default() -> Self {
        ContactSettings {
            margin: 0.005,
            recovery: 1.0,
            friction: FrictionModel::Cone,
            solver: Solver::Auto,
            solver_iterations: 8,
            substeps: 8,
            serial: false,
            penalty: PenaltySettings::default(),
        }
    }
}

/// Settings of the whole world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time step [s].
    pub dt: f64,
    /// Gravity [m/s²].
    pub gravity: DVec3,
    /// Time integration method.
    pub integrator: Integrator,
    /// Sleep criteria; none if islands never sleep.
    pub sleep: Option<Sleep>,
    /// Rebounds slower than this are suppressed [m/s or rad/s], so that bouncing ends.
    pub bounce_speed: f64,
    /// Under `spook`, the maximum number of position iterations, which satisfy the joints at the end of a step
    /// (`integrate/shake.rs`). 0 leaves violations to the next step. Default: up to eight for islands whose bodies
    /// rotate by more than 0.01 rad per step.
    pub position_iterations: Option<u32>,
    /// Under `spook`, the maximum number of substeps where a whole step would be unstable (`integrate/substeps.rs`): 1,
    /// 2, 4, … up to this; 1 disables substeps.
    pub max_substeps: u32,
    /// Detection and solution of contacts.
    pub contact: ContactSettings,
}

impl Settings {
    /// Allowed step length [s].
    pub const DT: RangeInclusive<f64> = 1e-7..=0.2;
    /// Allowed number of position iterations: what has not converged after a hundred will not.
    pub const ROUNDS: RangeInclusive<u32> = 0..=100;
    /// Allowed number of substeps: a thousandth of the longest step is shorter than any light link needs.
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
            position_iterations: None,
            max_substeps: 256,
            contact: ContactSettings::default(),
        }
    }
}
