//! Rows: the one format in which every interaction that is not an explicit force reaches a solver.
//!
//!   ġ = Σ linear·v + angular·ω over the row's blocks,   lo ≤ λ ≤ hi,   force on each body = λ · block
//!
//! A row says *what* should hold; how far it is softened in time is `solve/regularize.rs`'s business alone.
//! A body may stand in a row twice: its blocks add up. Writing allocates nothing once warm.

pub(crate) mod equations;
pub mod rows;

use crate::body::frame::JacobianBlock;
use crate::body::twist::Twist;

/// A rate below which damping that grows with the rate does not fall: a row must give somehow [m/s or rad/s].
pub const SLOWEST: f64 = 1e-9;

/// Which time discretisation a soft row gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// By the rule in `solve/regularize.rs`: symmetric where the step resolves the vibration.
    #[default]
    Auto,
    /// SPOOK: averages the gap over three instants; no numerical damping.
    Symmetric,
    /// Implicit Euler: damps what the step cannot resolve.
    Implicit,
    /// SPOOK with a damping time of a step at least, for rows that carry light bodies between heavy ones: without
    /// damping these blow up at any mass ratio above 3. (Servin & Lacoursière take two steps.)
    Stabilised,
}

/// A Kelvin–Voigt element: spring and damper side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// k [N/m or N·m/rad].
    pub stiffness: f64,
    /// c [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// Its time discretisation.
    pub form: Form,
}

impl Spring {
    /// Spring and damper, form chosen by the rule.
    pub fn new(stiffness: f64, damping: f64) -> Spring {
        Spring { stiffness, damping, form: Form::Auto }
    }

    /// Whether it can exert any force.
    pub fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.damping > 0.0
    }
}

/// How a row gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowLaw {
    /// Not at all: g = 0.
    Rigid,
    /// As a spring and damper on the gap.
    Spring(Spring),
    /// A speed is wanted, not a place: ġ + loss·λ = speed. Loss in (m/s)/N: 1/c of a viscous damper.
    Velocity {
        /// Slip per force.
        loss: f64,
    },
    /// A pull T along a span l turns with it: sideways a spring of T/l that is stretched by what the step itself brings,
    /// against a turning at the wanted speed. It matters only where the step cannot resolve that vibration.
    Transverse {
        /// T/l [N/m].
        stiffness: f64,
    },
}

/// What a row is for: reports sum over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Holds the joint together.
    Hold,
    /// Drives coordinate number k.
    Drive(u8),
    /// Spring, limit or friction on coordinate number k.
    Resist(u8),
    /// Holds a cable straight; damped by its tension (`solve/tension_stiffness/mod.rs`).
    Bend,
    /// Keeps two surfaces apart.
    Normal,
    /// Resists sliding, rolling or spinning of two surfaces: its bounds follow from a normal force (see [`FrictionBound`]).
    Friction,
}

/// One scalar equation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// g [m or rad]; for a one-sided row, how far from touching.
    pub gap: f64,
    /// Wanted rate of the coordinate [m/s or rad/s].
    pub speed: f64,
    /// Rate of `speed`.
    pub acceleration: f64,
    /// Bounds of the multiplier [N or N·m].
    pub lo: f64,
    /// Upper bound.
    pub hi: f64,
    /// How it gives.
    pub law: RowLaw,
    /// Rebound speed per approach speed, for one-sided rows.
    pub restitution: f64,
    /// What it is for.
    pub role: Role,
}

impl Row {
    /// Whether it is one-sided and not reached.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.lo == 0.0 && self.gap > 0.0
    }

    /// How far a rigid, unbounded row is from holding; 0 for others.
    #[inline]
    fn open(&self) -> f64 {
        if self.law == RowLaw::Rigid && !self.is_bounded() { self.gap.abs() } else { 0.0 }
    }

    /// ∫ F dg with F = k|g| up to the bound on its side [J]; an open one-sided spring stores nothing.
    #[inline]
    pub(crate) fn stored(&self) -> f64 {
        let RowLaw::Spring(Spring { stiffness, .. }) = self.law else { return 0.0 };
        let (gap, bound) = (self.gap.abs(), if self.gap > 0.0 { -self.lo } else { self.hi });
        match stiffness * gap {
            force if force <= bound => 0.5 * force * gap,
            _ if bound > 0.0 => bound * (gap - 0.5 * bound / stiffness),
            _ => 0.0,
        }
    }

    /// g = 0, both ways, without limit of force.
    pub const fn hold(gap: f64) -> Row {
        Row {
            gap,
            speed: 0.0,
            acceleration: 0.0,
            lo: f64::NEG_INFINITY,
            hi: f64::INFINITY,
            law: RowLaw::Rigid,
            restitution: 0.0,
            role: Role::Hold,
        }
    }

    /// g ≥ 0: pushes, never pulls.
    pub const fn push(gap: f64) -> Row {
        Row { lo: 0.0, ..Row::hold(gap) }
    }

    /// A wanted speed with force bounds.
    pub const fn drive(speed: f64, force: f64) -> Row {
        Row { speed, lo: -force, hi: force, law: RowLaw::Velocity { loss: 0.0 }, ..Row::hold(0.0) }
    }

    /// The same row given as a spring and damper, or rigid.
    pub fn soft(self, spring: Option<Spring>) -> Row {
        Row { law: spring.map_or(RowLaw::Rigid, RowLaw::Spring), ..self }
    }

    /// The same row as a spring and damper. Not by way of `soft`, whose copy of the spring through an option waits for its own
    /// stores, 28 cycles a row.
    #[inline]
    pub fn with_spring(self, spring: &Spring) -> Row {
        Row { law: RowLaw::Spring(*spring), ..self }
    }

    /// Whether it is the stretch of a link of a cable.
    #[inline]
    pub fn is_link(&self) -> bool {
        matches!(self.law, RowLaw::Spring(Spring { form: Form::Stabilised, .. }))
    }

    /// Its wanted rate, the mean over a time h from now [m/s or rad/s].
    pub fn wanted(&self, h: f64) -> f64 {
        self.speed + 0.5 * h * self.acceleration
    }

    /// Whether its multiplier has a finite bound.
    pub fn is_bounded(&self) -> bool {
        self.lo > f64::NEG_INFINITY || self.hi < f64::INFINITY
    }
}

/// How far the holding rows of a constraint give.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compliance {
    /// Rows that hold points together; none means rigid.
    pub linear: Option<Spring>,
    /// Rows that hold axes together; none means rigid.
    pub angular: Option<Spring>,
}

/// What wrote a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// The joint at a place in the model.
    Joint(u32),
    /// The dampers of the force at a place in the model.
    Force(u32),
    /// A pair of colliders, by its number in Contacts.
    Pair(u32),
}

/// Friction: the multipliers of one or two rows are bounded by that of another.
///
///   |λₜ| ≤ μ (λₙ + base)
///
/// Of a rope (`belt`) λₙ is the mean of the tensions on both sides: the multiplier of the length, those of all friction up to
/// there, half its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionBound {
    /// The row of the normal force.
    pub normal: usize,
    /// The first row bounded by it.
    pub first: usize,
    /// How many: 2 along two axes square to each other, or 1.
    pub count: usize,
    /// μ while it holds [1, or m for torques].
    pub stick: f64,
    /// μ while it slides.
    pub slide: f64,
    /// What presses the surfaces together beside the normal force: adhesion [N].
    pub base: f64,
    /// Whether it is a rope's.
    pub belt: bool,
}

/// Where a bounded row's multiplier stood after the last solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoundMode {
    /// Between its bounds: the row's equation holds.
    #[default]
    Between,
    /// At the lower bound.
    Low,
    /// At the upper bound.
    High,
    /// Beyond the upper bound, held by the row's stop (`Rows::stops`).
    Stop,
}

impl BoundMode {
    /// Whether an equation of the row holds, so that its multiplier is solved for.
    #[inline]
    pub fn holds(self) -> bool {
        matches!(self, BoundMode::Between | BoundMode::Stop)
    }
}

/// J v of a row for any velocities.
pub fn rate(blocks: &[JacobianBlock], twist: impl Fn(usize) -> Twist) -> f64 {
    blocks.iter().fold(0.0, |sum, b| {
        let t = twist(b.body as usize);
        sum + b.linear.dot(t.velocity) + b.angular.dot(t.angular_velocity)
    })
}
