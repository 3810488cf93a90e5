//! Elements along one coordinate of a joint: drive, spring, limits, friction.
//!
//! Each adds constraint rows with the same Jacobian, in a fixed order that depends on the model alone:
//!
//!   drive      hold g = q − q₀ · speed q̇ = w, |λ| ≤ F, or B if w = 0 · position: bounded spring · follow g = q − f(t)
//!   spring     λ = −k (q − rest) − c q̇
//!   curve      λ = −F(q − rest) − c₁ q̇ − c₂ q̇ |q̇|, plus hysteresis  (`spring_curve.rs`)
//!   limits     q − low ≥ 0,  high − q ≥ 0
//!   friction   q̇ = 0 with |λ| ≤ F  and  λ = −c q̇

use super::spring_curve::CurvedSpring;
use crate::body::frame::JacobianBlock;
use crate::body::motion::Motion;
use crate::row::rows::Rows;
use crate::row::{Role, Row, RowLaw, Spring};

/// Drive of a coordinate.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Drive {
    /// No drive.
    #[default]
    Free,
    /// Locks the coordinate at a value [m or rad].
    Lock(f64),
    /// Velocity drive: a target speed with a force limit.
    Speed {
        /// Target speed [m/s or rad/s].
        speed: f64,
        /// Force limit [N or N·m]; infinite for an ideal motor.
        force: f64,
        /// Slip per force [(m/s)/N or (rad/s)/(N·m)].
        droop: f64,
        /// Force limit of the brake, which acts while the target speed is 0; none if the motor itself holds.
        brake: Option<f64>,
    },
    /// Position drive: a spring-damper to a target position with a force limit.
    Position {
        /// Target value [m or rad].
        target: f64,
        /// Stiffness and damping of the drive.
        spring: Spring,
        /// Force limit [N or N·m].
        force: f64,
    },
    /// Prescribed motion: a rheonomic constraint to a function of time. Its multiplier is the drive force.
    Prescribed(Motion),
}

impl Drive {
    /// A velocity drive with a target speed and a force limit.
    pub fn motor(speed: f64, force: f64) -> Drive {
        Drive::Speed { speed, force, droop: 0.0, brake: None }
    }

    /// Whether it differs from another drive in numbers only. The row is then of the same kind, and the topology is
    /// unchanged.
    pub fn is_like(&self, other: &Drive) -> bool {
        match (self, other) {
            (Drive::Free, Drive::Free) | (Drive::Lock(_), Drive::Lock(_)) => true,
            (Drive::Speed { force: f, droop: l, .. }, Drive::Speed { force, droop: loss, .. }) => {
                f.is_finite() == force.is_finite() && (*l > 0.0) == (*loss > 0.0)
            }
            (Drive::Position { force: f, .. }, Drive::Position { force, .. }) => {
                f.is_finite() == force.is_finite()
            }
            (Drive::Prescribed(_), Drive::Prescribed(_)) => true,
            _ => false,
        }
    }
}

/// Limits of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smallest value [m or rad]; −∞ for none.
    pub low: f64,
    /// Largest value; ∞ for none.
    pub high: f64,
    /// Compliance of the stops; none for hard stops. A compliant stop rebounds by its spring.
    pub spring: Option<Spring>,
    /// Coefficient of restitution of a hard stop, 0 to 1.
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
    /// Its drive.
    pub drive: Drive,
    /// Linear spring-damper, and its rest value.
    pub spring: Option<(Spring, f64)>,
    /// Nonlinear spring-damper.
    pub curve: Option<Box<CurvedSpring>>,
    /// Limits of travel.
    pub limits: Option<Limits>,
    /// Dry friction: largest friction force [N or N·m].
    pub friction: f64,
    /// Viscous friction [N·s/m or N·m·s/rad].
    pub viscosity: f64,
}

impl Axis {
    /// A coordinate without drive, spring, limits or friction.
    pub fn free() -> Axis {
        Axis::default()
    }

    /// A coordinate with a drive.
    pub fn driven(drive: Drive) -> Axis {
        Axis { drive, ..Axis::default() }
    }

    /// A coordinate with limits.
    pub fn limited(limits: Limits) -> Axis {
        Axis { limits: Some(limits), ..Axis::default() }
    }

    /// A coordinate with a linear spring-damper.
    pub fn with_spring(stiffness: f64, damping: f64, rest: f64) -> Axis {
        Axis { spring: Some((Spring::new(stiffness, damping), rest)), ..Axis::default() }
    }

    /// Whether it may set a body at rest in motion.
    pub fn is_moving(&self) -> bool {
        match &self.drive {
            Drive::Speed { speed, .. } => *speed != 0.0,
            Drive::Prescribed(motion) => !matches!(motion, Motion::Constant(_)),
            _ => false,
        }
    }

    /// Appends the rows of coordinate k, given its value and its Jacobian blocks; `history` is the memory of the joint.
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
            Drive::Lock(at) => out.push(drive(Row::hold(value - at)), blocks),
            Drive::Speed { speed, force, droop: loss, brake } => {
                let most = brake.filter(|_| *speed == 0.0).unwrap_or(*force);
                out.push(
                    drive(Row { law: RowLaw::Velocity { loss: *loss }, ..Row::drive(*speed, most) }),
                    blocks,
                );
            }
            Drive::Position { target, spring, force } => {
                let row = Row { lo: -force, hi: *force, ..Row::hold(value - target) };
                out.push(drive(row.soft(Some(*spring))), blocks);
            }
            Drive::Prescribed(motion) => {
                let f = motion.at(time);
                let row = Row { speed: f.speed, acceleration: f.acceleration, ..Row::hold(value - f.value) };
                out.push(drive(row), blocks);
            }
        }
        self.resist(k, value, blocks, history, out);
    }

    /// The resultant of its rows along the coordinate, given the force of each row. The upper stop acts in the negative
    /// direction.
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
                // the upper stop acts in the negative direction: the velocity of its row is −q̇
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
