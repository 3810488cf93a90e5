//! What happens along one coordinate of a joint: drive, spring, limits, friction.
//!
//! Each adds rows on the same Jacobian, in a fixed order that depends on the model alone:
//!
//!   drive      hold g = q − q₀ · speed q̇ = w, |λ| ≤ F, or ≤ B while w = 0 · place, a bounded spring to a target · follow g = q − f(t)
//!   spring     λ = −k (q − rest) − c q̇
//!   curve      λ = −F(q − rest) − c₁ q̇ − c₂ q̇ |q̇|, and what hysteresis adds  (`spring_curve.rs`)
//!   limits     q − low ≥ 0,  high − q ≥ 0
//!   friction   q̇ = 0 with |λ| ≤ F  and  λ = −c q̇

use super::spring_curve::CurvedSpring;
use crate::body::frame::JacobianBlock;
use crate::body::motion::Motion;
use crate::row::rows::Rows;
use crate::row::{Role, Row, RowLaw, Spring};

/// Who moves the coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Drive {
    /// Nobody.
    #[default]
    Free,
    /// It is held at a value [m or rad].
    Hold(f64),
    /// A motor wants a speed, with at most a force.
    Speed {
        /// Wanted speed [m/s or rad/s].
        speed: f64,
        /// Largest force [N or N·m]; infinite for an ideal motor.
        force: f64,
        /// Slip per force [(m/s)/N or (rad/s)/(N·m)].
        loss: f64,
        /// Largest force of the brake, which holds while the wanted speed is 0; none if the motor holds by itself.
        brake: Option<f64>,
    },
    /// A servo wants a place: a spring to the target, with at most a force.
    Place {
        /// Wanted value [m or rad].
        target: f64,
        /// The servo's stiffness and damping.
        spring: Spring,
        /// Largest force [N or N·m].
        force: f64,
    },
    /// It follows a function of time exactly (a rheonomic constraint); its force is the motor's.
    Follow(Motion),
}

impl Drive {
    /// A motor: wanted speed and largest force.
    pub fn motor(speed: f64, force: f64) -> Drive {
        Drive::Speed { speed, force, loss: 0.0, brake: None }
    }

    /// Whether it differs from another in numbers alone: then its row is of the same kind, and no topology changes with it.
    pub fn is_like(&self, other: &Drive) -> bool {
        match (self, other) {
            (Drive::Free, Drive::Free) | (Drive::Hold(_), Drive::Hold(_)) => true,
            (Drive::Speed { force: f, loss: l, .. }, Drive::Speed { force, loss, .. }) => {
                f.is_finite() == force.is_finite() && (*l > 0.0) == (*loss > 0.0)
            }
            (Drive::Place { force: f, .. }, Drive::Place { force, .. }) => f.is_finite() == force.is_finite(),
            (Drive::Follow(_), Drive::Follow(_)) => true,
            _ => false,
        }
    }
}

/// Ends of travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smallest value [m or rad]; −∞ for none.
    pub low: f64,
    /// Largest value; ∞ for none.
    pub high: f64,
    /// How the stops give; none for hard stops. A stop that gives rebounds by its spring.
    pub spring: Option<Spring>,
    /// Rebound speed per approach speed of a hard stop, 0 to 1.
    pub restitution: f64,
}

impl Limits {
    /// Hard stops without rebound.
    pub fn hard(low: f64, high: f64) -> Limits {
        Limits { low, high, spring: None, restitution: 0.0 }
    }
}

/// One coordinate of a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Who moves it.
    pub drive: Drive,
    /// A spring-damper along it and its rest value.
    pub spring: Option<(Spring, f64)>,
    /// A spring and damper along it that is not linear.
    pub curve: Option<Box<CurvedSpring>>,
    /// Ends of travel.
    pub limits: Option<Limits>,
    /// Dry friction: largest force [N or N·m].
    pub friction: f64,
    /// Viscous friction [N·s/m or N·m·s/rad].
    pub viscosity: f64,
}

impl Axis {
    /// Nothing along it.
    pub fn free() -> Axis {
        Axis::default()
    }

    /// Driven.
    pub fn driven(drive: Drive) -> Axis {
        Axis { drive, ..Axis::default() }
    }

    /// Between limits.
    pub fn limited(limits: Limits) -> Axis {
        Axis { limits: Some(limits), ..Axis::default() }
    }

    /// With a spring-damper.
    pub fn with_spring(stiffness: f64, damping: f64, rest: f64) -> Axis {
        Axis { spring: Some((Spring::new(stiffness, damping), rest)), ..Axis::default() }
    }

    /// Whether it may move a body at rest.
    pub fn is_moving(&self) -> bool {
        match &self.drive {
            Drive::Speed { speed, .. } => *speed != 0.0,
            Drive::Follow(motion) => !matches!(motion, Motion::Constant(_)),
            _ => false,
        }
    }

    /// Appends the rows of coordinate number k, whose value and blocks of rate are given; `history` is what its joint remembers.
    pub(crate) fn rows(
        &self,
        k: u8,
        value: f64,
        blocks: &[JacobianBlock; 2],
        (time, history): (f64, &[f64]),
        out: &mut Rows,
    ) {
        out.coordinate(value, *blocks);
        let drive = |row: Row| Row { role: Role::Drive(k), ..row };
        match &self.drive {
            Drive::Free => {}
            Drive::Hold(at) => out.push(drive(Row::hold(value - at)), blocks),
            Drive::Speed { speed, force, loss, brake } => {
                let most = brake.filter(|_| *speed == 0.0).unwrap_or(*force);
                out.push(
                    drive(Row { law: RowLaw::Velocity { loss: *loss }, ..Row::drive(*speed, most) }),
                    blocks,
                );
            }
            Drive::Place { target, spring, force } => {
                let row = Row { lo: -force, hi: *force, ..Row::hold(value - target) };
                out.push(drive(row.soft(Some(*spring))), blocks);
            }
            Drive::Follow(motion) => {
                let f = motion.at(time);
                let row = Row { speed: f.speed, acceleration: f.acceleration, ..Row::hold(value - f.value) };
                out.push(drive(row), blocks);
            }
        }
        self.resist(k, value, blocks, history, out);
    }

    /// What its rows do along the coordinate together, from the force of each: the upper stop pushes the other way.
    pub fn effort(&self, forces: &[f64]) -> f64 {
        let mut upper = usize::from(self.drive != Drive::Free);
        upper += usize::from(self.spring.is_some_and(|(spring, _)| spring.acts()));
        upper += self.curve.as_ref().map_or(0, |curve| 1 + curve.hysteresis.len());
        upper += usize::from(self.limits.is_some_and(|limits| limits.low > f64::NEG_INFINITY));
        let stops = self.limits.is_some_and(|limits| limits.high < f64::INFINITY);
        let signed = |(k, force): (usize, &f64)| if stops && k == upper { -force } else { *force };
        forces.iter().enumerate().map(signed).sum()
    }

    fn resist(&self, k: u8, value: f64, blocks: &[JacobianBlock], history: &[f64], out: &mut Rows) {
        let resist = |row: Row| Row { role: Role::Resist(k), ..row };
        if let Some((spring, rest)) = self.spring
            && spring.acts()
        {
            out.push(resist(Row::hold(value - rest).soft(Some(spring))), blocks);
        }
        if let Some(curve) = &self.curve {
            let (row, beyond) = curve.row(value);
            out.push(resist(row), blocks);
            out.beyond += beyond;
            curve.sliders(k, value, history).for_each(|row| out.push(resist(row), blocks));
        }
        if let Some(limits) = self.limits {
            let stop = |gap: f64| {
                resist(Row { restitution: limits.restitution, ..Row::push(gap) }.soft(limits.spring))
            };
            if limits.low > f64::NEG_INFINITY {
                out.push(stop(value - limits.low), blocks);
            }
            if limits.high < f64::INFINITY {
                // the upper stop pushes the other way: its row's rate is −q̇
                let start = out.blocks.len();
                out.push(stop(limits.high - value), blocks);
                out.blocks[start..].iter_mut().for_each(|b| *b = b.scaled(-1.0));
            }
        }
        if self.friction > 0.0 {
            out.push(resist(Row::drive(0.0, self.friction)), blocks);
        }
        if self.viscosity > 0.0 {
            out.push(resist(Row::hold(value).with_spring(&Spring::new(0.0, self.viscosity))), blocks);
        }
    }
}
