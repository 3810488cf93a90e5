//! Rows (scalar constraint equations): the common format in which all interactions except explicit forces reach a
//! solver.
//!
//!   ġ = Σ linear·v + angular·ω over the row's blocks,   lo ≤ λ ≤ hi,   force on each body = λ · block
//!
//! A row specifies *what* should hold; its regularisation in time is left to `solve/regularize.rs`.
//! A body may occur in a row twice: its blocks add up. Writing does not allocate once buffers have grown.

pub(crate) mod equations;
pub mod rows;

use crate::body::frame::JacobianBlock;
use crate::body::twist::Twist;

/// Lower bound of the rate in rate-dependent damping: a row needs some compliance [m/s or rad/s].
pub const SLOWEST: f64 = 1e-9;

/// Time discretisation of a soft row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// By the rule in `solve/regularize.rs`: symmetric where the step resolves the vibration.
    #[default]
    Auto,
    /// SPOOK: averages the gap over three instants; no numerical damping.
    Symmetric,
    /// Implicit Euler: damps modes that the step cannot resolve.
    Implicit,
    /// SPOOK with a damping time of at least one step, for rows that carry light bodies between heavy ones: without
    /// damping these are unstable at any mass ratio above 3. (Servin & Lacoursière use two steps.)
    Stabilised,
}

/// A Kelvin–Voigt element: spring and damper in parallel.
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
    /// Spring and damper with the default form.
    pub fn new(stiffness: f64, damping: f64) -> Spring {
        Spring { stiffness, damping, form: Form::Auto }
    }

    /// Whether it can exert any force.
    pub fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.damping > 0.0
    }
}

/// Constitutive law of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowLaw {
    /// Rigid: g = 0.
    Rigid,
    /// Spring and damper on the gap.
    Spring(Spring),
    /// Target speed: ġ + loss·λ = speed. Loss in (m/s)/N: 1/c of a viscous damper.
    Velocity {
        /// Slip per force.
        loss: f64,
    },
    /// Spring and damper in series, integrated over the step: ġ + compliance·λ = speed + offset, with ġ a mean of the
    /// rates before and after the step.
    Maxwell {
        /// Slip per force, of spring and damper together [(m/s)/N].
        compliance: f64,
        /// Rate due to the deflection of the spring at the start of the step [m/s].
        offset: f64,
        /// Weight of the rate after the step in the mean, ½ to 1 ([`implicit_part`]).
        part: f64,
    },
    /// A tension T along a span l rotates with it: a transverse spring of T/l, stretched by the displacement within the
    /// step relative to a rotation at the target speed. It matters only where the step cannot resolve that vibration.
    Transverse {
        /// T/l [N/m].
        stiffness: f64,
    },
}

/// Purpose of a row: reports sum over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Joint constraint.
    Hold,
    /// Drive of coordinate k.
    Drive(u8),
    /// Spring, limit or friction of coordinate k.
    Resist(u8),
    /// Bending of a cable; damped by its tension (`solve/tension_stiffness/mod.rs`).
    Bend,
    /// Contact normal: non-penetration of two surfaces.
    Normal,
    /// Resists sliding, rolling or spinning of two surfaces; its bounds follow from a normal force (see
    /// [`FrictionBound`]).
    Friction,
    /// Force of a medium that yields, such as soil. Its target rate is part of its law and moves nothing: all its work is
    /// work of its subsystem.
    Medium,
}

/// One scalar constraint equation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// g [m or rad]; for a one-sided row, the distance from contact.
    pub gap: f64,
    /// Target rate of the coordinate [m/s or rad/s].
    pub speed: f64,
    /// Rate of `speed`.
    pub acceleration: f64,
    /// Bounds of the multiplier [N or N·m].
    pub lo: f64,
    /// Upper bound.
    pub hi: f64,
    /// Its constitutive law.
    pub law: RowLaw,
    /// Coefficient of restitution of one-sided rows.
    pub restitution: f64,
    /// Its purpose.
    pub role: Role,
}

impl Row {
    /// Whether it is one-sided and open.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.lo == 0.0 && self.gap > 0.0
    }

    /// Constraint violation of a rigid, unbounded row; 0 for others.
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

    /// g = 0, bilateral, without force limit.
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

    /// g ≥ 0: compression only.
    pub const fn push(gap: f64) -> Row {
        Row { lo: 0.0, ..Row::hold(gap) }
    }

    /// A target speed with force bounds.
    pub const fn drive(speed: f64, force: f64) -> Row {
        Row { speed, lo: -force, hi: force, law: RowLaw::Velocity { loss: 0.0 }, ..Row::hold(0.0) }
    }

    /// The same row with a spring and damper, or rigid.
    pub fn soft(self, spring: Option<Spring>) -> Row {
        Row { law: spring.map_or(RowLaw::Rigid, RowLaw::Spring), ..self }
    }

    /// The same row with a spring and damper. Separate from `soft`, whose copy of the spring through an option stalls
    /// on its own stores, 28 cycles per row.
    #[inline]
    pub fn with_spring(self, spring: &Spring) -> Row {
        Row { law: RowLaw::Spring(*spring), ..self }
    }

    /// Whether it is the axial row of a cable link.
    #[inline]
    pub fn is_link(&self) -> bool {
        matches!(self.law, RowLaw::Spring(Spring { form: Form::Stabilised, .. }))
    }

    /// Its target rate, the mean over a time h from now [m/s or rad/s].
    pub fn wanted(&self, h: f64) -> f64 {
        self.speed + 0.5 * h * self.acceleration
    }

    /// Whether its multiplier has a finite bound.
    pub fn is_bounded(&self) -> bool {
        self.lo > f64::NEG_INFINITY || self.hi < f64::INFINITY
    }
}

/// Compliance of the rigid rows of a constraint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compliance {
    /// Rows between points; none for rigid.
    pub linear: Option<Spring>,
    /// Rows between axes; none for rigid.
    pub angular: Option<Spring>,
}

/// Origin of a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// The joint at an index in the model.
    Joint(u32),
    /// The dampers of the force at an index in the model.
    Force(u32),
    /// An item of a subsystem: index of the subsystem, in the order of keys, and number of the item.
    Subsystem(u16, u16),
    /// A pair of colliders, by its index in Contacts.
    Pair(u32),
}

/// Friction: the multipliers of one or two rows are bounded by that of another.
///
///   |λₜ| ≤ μ (λₙ + base)
///
/// For a rope (`belt`) λₙ is the mean of the tensions on both sides: the multiplier of the length, those of all
/// friction up to that point, and half its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionBound {
    /// The row of the normal force.
    pub normal: usize,
    /// The first row bounded by it.
    pub first: usize,
    /// Their number: 2 along two perpendicular axes, or 1.
    pub count: usize,
    /// Coefficient of static friction [1, or m for torques].
    pub stick: f64,
    /// Coefficient of sliding friction.
    pub slide: f64,
    /// Compression of the surfaces in addition to the normal force: adhesion [N].
    pub base: f64,
    /// Whether it belongs to a rope.
    pub belt: bool,
}

/// Active-set status of a bounded row after the last solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BoundMode {
    /// Between its bounds: the row's equation holds.
    #[default]
    Between,
    /// At the lower bound.
    Low,
    /// At the upper bound.
    High,
    /// Beyond the upper bound, at the row's stop (`Rows::stops`).
    Stop,
}

impl BoundMode {
    /// Whether an equation of the row is active, so that its multiplier is an unknown.
    #[inline]
    pub fn holds(self) -> bool {
        matches!(self, BoundMode::Between | BoundMode::Stop)
    }
}

/// Weight of the rate after a step in the mean that a damper acts on: the closed-form solution of v̇ = −(z/h) v, for z the
/// step times damping and mobility. ½ for small z, 1 for large.
pub fn implicit_part(z: f64) -> f64 {
    // the first neglected term is −z³/720
    if z < 1e-3 { 0.5 + z / 12.0 } else { -1.0 / libm::expm1(-z) - 1.0 / z }
}

/// J v of a row for given velocities.
pub fn rate(blocks: &[JacobianBlock], twist: impl Fn(usize) -> Twist) -> f64 {
    blocks.iter().fold(0.0, |sum, b| {
        let t = twist(b.body as usize);
        sum + b.linear.dot(t.velocity) + b.angular.dot(t.angular_velocity)
    })
}
