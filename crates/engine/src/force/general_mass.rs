//! Bodies with general 6 × 6 mass matrices: added mass, resistance, and the terms of `load/term.rs`.
//!
//! A body in a fluid carries the momentum of the fluid that it sets in motion (Kirchhoff's equations). In world axes,
//! with v the velocity of the centre of mass, U that of the fluid and p_F = A (v − U) + B ω,
//!
//! ```text
//!  P = m v + p_F                          Ṗ = F
//!  L = I ω + Bᵀ (v − U) + D ω             L̇ = τ − (v − U) × p_F
//! ```
//!
//! Only the last term, the Munk moment, is new. The step takes one half of it before and one half after the midpoint:
//!
//! ```text
//!  predict   K(R_½) u* = p + κ f − (0, ½h v*×p_F*),   R_½ = exp(h ω*/2) R       Newton, 6 unknowns
//!  solve     (K(R_½) + H + κC) u = p + κ f − (0, ½h v*×p_F*) + q + Jᵀ Λ
//!  carry     p⁺ = K(R_½) u + (0, ½h v*×p_F*) − (0, h v×p_F(u))
//! ```
//!
//! P is not changed by the drift and x⁺ = x + h v, so that the impulse about a fixed point, L + x × P, is kept to
//! round-off. (With the Munk moment of the last velocity, a tumbling ellipsoid doubled its energy in a minute.)
//! Velocities here are relative to the fluid, so that a steady current changes nothing. State stores u = K(R⁺)⁻¹ p⁺.
//!
//! While a body enters the fluid its momentum is kept: it slows down, and the energy lost is that of the splash. While
//! it leaves, its velocity is kept.

use crate::body::BodyState;
use crate::body::inertia::BodyInertia;
use crate::body::spatial::{SpatialMatrix, cross_matrix};
use crate::body::twist::{Twist, Wrench};
use crate::load::{AddedMass, BodyTerm, SolvedTerm};
use crate::math;
use glam::{DMat3, DQuat, DVec3};

/// Newton steps at most; convergence is quadratic.
const STEPS: usize = 12;
/// Change of the midpoint orientation at which the iteration ends [rad].
const SMALL_TURN: f64 = 1e-12;

/// A linear and an angular momentum.
type Momentum = (DVec3, DVec3);

fn sum(a: Momentum, b: Momentum) -> Momentum {
    (a.0 + b.0, a.1 + b.1)
}

fn difference(a: Momentum, b: Momentum) -> Momentum {
    (a.0 - b.0, a.1 - b.1)
}

/// A body with a general mass matrix in a step.
#[derive(Clone, Copy, Debug)]
pub struct GeneralBody {
    /// Index of the body.
    pub place: u32,
    /// Its terms.
    pub term: BodyTerm,
    /// M̃: the block of the solve.
    pub matrix: SpatialMatrix,
    /// Right-hand side of the solve.
    pub right_side: Momentum,
    /// Own inertia at the midpoint.
    own: SpatialMatrix,
    /// K_F at the midpoint, world axes; zero without added mass.
    added: SpatialMatrix,
    /// ½h v*×p_F*.
    munk: DVec3,
    /// Momentum before the kick as if all the added mass had moved with the body, that of the fluid relative to the
    /// stream: accelerations and forces then include those of the entry.
    before: Momentum,
}

/// What a body has before constraints act, without the terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    /// p + κ f.
    pub momentum: Momentum,
    /// Ĩ, including the growth by damping.
    pub inertia: DMat3,
}

impl GeneralBody {
    /// Prepares a step. Returns the body and its own inertia at the midpoint.
    pub(super) fn new(
        term: &BodyTerm,
        body: &BodyState,
        inertial: &BodyInertia,
        rigid: Rigid,
        (h, kick): (f64, f64),
    ) -> GeneralBody {
        let stored = own_momentum(inertial, body);
        let (mut inertia, mut munk, mut added) = (rigid.inertia, DVec3::ZERO, SpatialMatrix::ZERO);
        let (mut right_side, mut before) = (rigid.momentum, stored);
        if let Some(fluid) = &term.added {
            let carried = fluid.momentum(body, fluid.stream[1], fluid.carried);
            let all = sum(rigid.momentum, carried);
            let expected = (fluid.constraint_force * kick, body.constraint_torque * kick);
            let found = predict(fluid, body, inertial, sum(all, expected), h);
            inertia = found.inertia;
            (added, munk) = (fluid.matrix.rotated(&found.axes), found.munk);
            let streaming = added.apply(Twist { velocity: fluid.stream[0], ..Twist::default() });
            right_side = sum((all.0, all.1 - munk), streaming);
            before = sum(stored, fluid.momentum(body, fluid.stream[1], 1.0));
        }
        let held = term.inertia + term.resistance * kick;
        let matrix = SpatialMatrix::rigid(inertial.mass, inertia) + added + held;
        let own = SpatialMatrix::rigid(inertial.own_mass(), inertia * (1.0 / inertial.growth[1]));
        let right_side = sum(right_side, term.momentum);
        GeneralBody { place: term.place as u32, term: *term, matrix, right_side, own, added, munk, before }
    }

    /// At the acceleration level: (K + H) u̇ = f − C u + terms of the rotation, for velocities of the instant.
    pub(crate) fn accelerating(
        term: &BodyTerm,
        body: &BodyState,
        inertial: &BodyInertia,
        load: &Wrench,
    ) -> GeneralBody {
        let (own, added) = (own_matrix(inertial, body), added_at(term, body));
        let twist = Twist { velocity: body.velocity, angular_velocity: body.angular_velocity };
        let resisted = term.resistance.apply(twist);
        let flow = term.added.map_or_else(Default::default, |fluid| (fluid.stream[0], fluid.stream_rate));
        let force = (load.force - resisted.0, load.torque - resisted.1);
        let right_side = sum(force, bias(&own, &added, flow, twist));
        let (matrix, munk) = (own + added + term.inertia, DVec3::ZERO);
        let before = own_momentum(inertial, body);
        GeneralBody { place: term.place as u32, term: *term, matrix, right_side, own, added, munk, before }
    }

    /// Own and added mass, and terms that resist a change of velocity.
    pub fn mass_matrix(&self) -> SpatialMatrix {
        self.own + self.added + self.term.inertia
    }

    /// Its own inertia at the midpoint, without damping.
    pub(super) fn own_inertia(&self) -> DMat3 {
        self.own.angular
    }

    /// Whether it has added mass, so that its momentum is not that of the body alone.
    pub fn carries_fluid(&self) -> bool {
        self.term.added.is_some()
    }

    /// Momentum after the kick, before the drift.
    fn kicked(&self, u: Twist) -> Momentum {
        let relative = self.relative(u);
        sum(self.own.apply(u), sum(self.added.apply(relative), (DVec3::ZERO, self.munk)))
    }

    fn relative(&self, u: Twist) -> Twist {
        let stream = self.term.added.map_or(DVec3::ZERO, |fluid| fluid.stream[0]);
        Twist { velocity: u.velocity - stream, ..u }
    }

    /// The velocities to be stored after the drift with u over h, at the new orientation: those of the momentum.
    pub(crate) fn carry(&self, u: Twist, h: f64, inertial: &BodyInertia, orientation: DQuat) -> Twist {
        let Some(fluid) = &self.term.added else {
            let angular_velocity = inertial.spin(orientation, self.own.angular * u.angular_velocity);
            return Twist { angular_velocity, ..u };
        };
        let relative = self.relative(u);
        let (p, l) = self.kicked(u);
        let moment = relative.velocity.cross(self.added.apply(relative).0) * h;
        let axes = DMat3::from_quat(orientation);
        let added = fluid.matrix.rotated(&axes);
        let own = SpatialMatrix::rigid(inertial.own_mass(), inertial.inertia(orientation));
        let streaming = added.apply(Twist { velocity: fluid.stream[0], ..Twist::default() });
        (own + added).inverse_times(sum((p, l - moment), streaming))
    }

    /// Impulse of constraints in a step that takes it to u; at the acceleration level their force.
    pub(crate) fn constraint_impulse(&self, u: Twist) -> Momentum {
        difference(self.matrix.apply(u), self.right_side)
    }

    /// Results of an evaluation at the acceleration level. `load` is the sum of the explicit forces.
    pub(super) fn accelerated(&self, acceleration: Twist, body: &BodyState, load: &Wrench) -> SolvedTerm {
        let twist = Twist { velocity: body.velocity, angular_velocity: body.angular_velocity };
        let (force, torque) = self.constraint_impulse(acceleration);
        let (gained, spin) = (self.own.apply(acceleration), body.angular_velocity);
        let wrench = Wrench {
            force: gained.0 - load.force - force,
            torque: gained.1 + spin.cross(self.own.angular * spin) - load.torque - torque,
        };
        let constraint = Wrench { force, torque };
        SolvedTerm {
            place: self.place,
            twist,
            instant: twist,
            joined: twist,
            acceleration,
            constraint,
            wrench,
        }
    }

    /// Results of a step that takes it to u. `load` is the sum of the explicit forces and of its damping,
    /// `part` the position of the instant between the velocities before and after.
    pub(super) fn solved(
        &self,
        u: Twist,
        (body, inertial): (&BodyState, &BodyInertia),
        load: &Wrench,
        (kick, part): (f64, f64),
    ) -> SolvedTerm {
        let constraint = self.constraint_impulse(u);
        let constraint = Wrench { force: constraint.0 / kick, torque: constraint.1 / kick };
        let change = difference(self.kicked(u), self.before);
        let now = sum(self.before, (change.0 * part, change.1 * part));
        let rate = (change.0 / kick, change.1 / kick);
        let own = own_matrix(inertial, body);
        let (instant, acceleration, gained) = match &self.term.added {
            None => {
                let instant = Twist {
                    velocity: now.0 / inertial.own_mass(),
                    angular_velocity: inertial.spin(body.orientation, now.1),
                };
                let spin = instant.angular_velocity;
                let angular = inertial.spin(body.orientation, rate.1 - spin.cross(own.angular * spin));
                let velocity = rate.0 / inertial.own_mass();
                (instant, Twist { velocity, angular_velocity: angular }, rate)
            }
            Some(fluid) => {
                let added = added_at(&self.term, body);
                let gained = fluid.stream[0] - fluid.stream[1];
                let stream = fluid.stream[1] + gained * part;
                let streaming = added.apply(Twist { velocity: stream, ..Twist::default() });
                let instant = (own + added).inverse_times(sum(now, streaming));
                let forced = sum(rate, bias(&own, &added, (stream, gained / kick), instant));
                let acceleration = (own + added).inverse_times(forced);
                let spin = instant.angular_velocity;
                let gained = own.apply(acceleration);
                (instant, acceleration, (gained.0, gained.1 + spin.cross(own.angular * spin)))
            }
        };
        let wrench = Wrench {
            force: gained.0 - load.force - constraint.force,
            torque: gained.1 - load.torque - constraint.torque,
        };
        let joined = self.joined(instant, body, part);
        SolvedTerm { place: self.place, twist: u, instant, joined, acceleration, constraint, wrench }
    }

    /// The velocities of an instant after the fluid that joins the body in the step has taken its part of the momentum.
    /// `instant` distributes the loss over the step.
    fn joined(&self, instant: Twist, body: &BodyState, part: f64) -> Twist {
        let stored = Twist { velocity: body.velocity, angular_velocity: body.angular_velocity };
        let mut missing = difference(self.term.inertia.apply(stored), self.term.momentum);
        if let Some(fluid) = &self.term.added {
            missing = sum(missing, fluid.momentum(body, fluid.stream[1], 1.0 - fluid.carried));
        }
        if missing == (DVec3::ZERO, DVec3::ZERO) {
            return instant;
        }
        let all = self.own + added_at(&self.term, body) + self.term.inertia;
        let lost = all.inverse_times((missing.0 * (1.0 - part), missing.1 * (1.0 - part)));
        Twist {
            velocity: instant.velocity - lost.velocity,
            angular_velocity: instant.angular_velocity - lost.angular_velocity,
        }
    }
}

impl AddedMass {
    /// A fraction of the fluid's momentum about the centre of mass of a body, relative to a stream.
    fn momentum(&self, body: &BodyState, stream: DVec3, part: f64) -> Momentum {
        let axes = DMat3::from_quat(body.orientation);
        let relative = Twist { velocity: body.velocity - stream, angular_velocity: body.angular_velocity };
        let (p, l) = self.matrix.rotated(&axes).apply(relative);
        (p * part, l * part)
    }
}

fn own_matrix(inertial: &BodyInertia, body: &BodyState) -> SpatialMatrix {
    SpatialMatrix::rigid(inertial.own_mass(), inertial.inertia(body.orientation))
}

fn own_momentum(inertial: &BodyInertia, body: &BodyState) -> Momentum {
    (body.velocity * inertial.own_mass(), inertial.inertia(body.orientation) * body.angular_velocity)
}

/// K_F at a pose, world axes.
fn added_at(term: &BodyTerm, body: &BodyState) -> SpatialMatrix {
    let axes = DMat3::from_quat(body.orientation);
    term.added.map_or(SpatialMatrix::ZERO, |fluid| fluid.matrix.rotated(&axes))
}

/// The terms of rotation on the right-hand side of K u̇ = f + …, with velocities relative to the stream:
///
/// ```text
///  (−ω×p_F + A(ω×v),  −ω×Iω − v×p_F − ω×(Bᵀv + Dω) + Bᵀ(ω×v)) + K_F (U̇, 0)
/// ```
fn bias(
    own: &SpatialMatrix,
    added: &SpatialMatrix,
    (stream, stream_rate): (DVec3, DVec3),
    u: Twist,
) -> Momentum {
    let (v, spin) = (u.velocity - stream, u.angular_velocity);
    let (p, l) = added.apply(Twist { velocity: v, angular_velocity: spin });
    let turning = added.apply(Twist { velocity: spin.cross(v), ..Twist::default() });
    let streaming = added.apply(Twist { velocity: stream_rate, ..Twist::default() });
    let rotation = (-spin.cross(p), -spin.cross(own.angular * spin) - v.cross(p) - spin.cross(l));
    sum(rotation, sum(turning, streaming))
}

/// The midpoint of a step.
struct Midpoint {
    /// Axes of the body there.
    axes: DMat3,
    /// Own inertia there, including the growth by damping.
    inertia: DMat3,
    /// ½h v*×p_F*.
    munk: DVec3,
}

/// Finds the orientation half a step ahead, with velocities relative to the stream. In body axes, with unknowns (ν, w),
/// φ = ½h w, π = A ν + B w, and momenta m_P = e^(−φ) (P − m U), m_L = e^(−φ) L:
///
/// ```text
///  0 = m_P − (m + A) ν − B w
///  0 = m_L − ½h ν×π − Bᵀ ν − (I + D) w
/// ```
fn predict(
    fluid: &AddedMass,
    body: &BodyState,
    inertial: &BodyInertia,
    momentum: Momentum,
    h: f64,
) -> Midpoint {
    let (half, k) = (0.5 * h, &fluid.matrix);
    let back = body.orientation.inverse();
    let axes = DMat3::from_quat(inertial.axes);
    let inertia = math::rotated(&axes, &DMat3::from_diagonal(inertial.moments * inertial.growth[1]));
    let all = SpatialMatrix::rigid(inertial.mass, inertia) + *k;
    let momentum = (back * (momentum.0 - fluid.stream[0] * inertial.mass), back * momentum.1);
    let mut u = Twist {
        velocity: back * (body.velocity - fluid.stream[0]),
        angular_velocity: back * body.angular_velocity,
    };
    for _ in 0..STEPS {
        let phi = u.angular_velocity * half;
        let turn = math::exp(phi).inverse();
        let (p, l) = (turn * momentum.0, turn * momentum.1);
        let (left, pi) = (all.apply(u), k.apply(u).0);
        let residual = (p - left.0, l - left.1 - u.velocity.cross(pi) * half);
        let change = newton_step(k, &all, (p, l), (u, pi, phi), half).times(residual);
        u.velocity += change.velocity;
        u.angular_velocity += change.angular_velocity;
        let size = change.angular_velocity.length() * half;
        if !(size > SMALL_TURN) {
            break;
        }
    }
    let ahead = body.orientation * math::exp(u.angular_velocity * half);
    let axes = DMat3::from_quat(ahead);
    let munk = axes * (u.velocity.cross(k.apply(u).0) * half);
    Midpoint { axes, inertia: math::rotated(&axes, &inertia), munk }
}

/// A general 6 × 6 matrix in blocks.
struct Blocks {
    linear: DMat3,
    upper: DMat3,
    lower: DMat3,
    angular: DMat3,
}

impl Blocks {
    /// Solves for a right-hand side by eliminating the linear part.
    fn times(&self, (p, l): Momentum) -> Twist {
        let inverse = self.linear.inverse();
        let carried = inverse * self.upper;
        let schur = self.angular - self.lower * carried;
        let angular_velocity = schur.inverse() * (l - self.lower * (inverse * p));
        Twist { velocity: inverse * p - carried * angular_velocity, angular_velocity }
    }
}

/// The matrix of a Newton step for (ν, w): the negative derivative of the residual.
fn newton_step(
    k: &SpatialMatrix,
    all: &SpatialMatrix,
    (p, l): Momentum,
    (u, pi, phi): (Twist, DVec3, DVec3),
    half: f64,
) -> Blocks {
    let turning = DMat3::IDENTITY - cross_matrix(phi) * 0.5;
    let v = cross_matrix(u.velocity);
    Blocks {
        linear: all.linear,
        upper: all.coupling - cross_matrix(p) * turning * half,
        lower: all.coupling.transpose() + (v * k.linear - cross_matrix(pi)) * half,
        angular: all.angular - cross_matrix(l) * turning * half + v * k.coupling * half,
    }
}
