//! Arithmetic of quantities: functions of one number, common dimensions, powers of units.

use super::{ANGLE, Fault, PLAIN, Quantity, Value, fault};
use crate::suggestion;
use crate::units::{self, Dimension};

/// A function of one number.
pub(super) fn of_one(name: &str, x: Quantity) -> Result<Quantity, Fault> {
    let wants = |allowed: &[Dimension], what: &str| match x.dimension {
        Some(d) if !allowed.contains(&d) => fault(format!("`{name}` of {}", told(x)), format!("give {what}")),
        _ => Ok(()),
    };
    let (si, dimension) = match name {
        "abs" => (x.si.abs(), x.dimension),
        "sqrt" => {
            if x.si < 0.0 {
                return fault(format!("the square root of {}", suggestion::exact(x.si)), "give 0 or more");
            }
            let dimension = match x.dimension {
                None => None,
                Some(d) => Some(raised(d, 0.5)?),
            };
            (x.si.sqrt(), dimension)
        }
        "floor" => {
            wants(&[PLAIN], "a number without a unit: divide by a unit first, as in floor(length / 1 m)")?;
            (x.si.floor(), x.dimension)
        }
        "asin" | "acos" => {
            wants(&[PLAIN], "a number without a unit")?;
            if !(x.si.abs() <= 1.0) {
                return fault(
                    format!("`{name}` of {}", suggestion::exact(x.si)),
                    "give a number from -1 to 1",
                );
            }
            (if name == "asin" { libm::asin(x.si) } else { libm::acos(x.si) }, Some(ANGLE))
        }
        _ => {
            wants(&[PLAIN, ANGLE], "an angle, such as 30 deg")?;
            let si = match name {
                "sin" => libm::sin(x.si),
                "cos" => libm::cos(x.si),
                _ => libm::tan(x.si),
            };
            (si, Some(PLAIN))
        }
    };
    Ok(Quantity { si, dimension })
}

/// The number of a value.
pub(super) fn number(value: Value) -> Result<Quantity, Fault> {
    match value {
        Value::Number(q) => Ok(q),
        Value::Flag(flag) => fault(format!("{flag} is not a number"), "a number is expected here"),
        Value::Text(text) => {
            let why = units::quantity(&text).err();
            let help = why.and_then(|e| match e {
                units::UnitError::Unknown { .. } | units::UnitError::Expression { .. } => {
                    Some(format!("{e}: {}", e.help().unwrap_or_default()))
                }
                _ => None,
            });
            let message = format!("the text \"{}\" is not a number", suggestion::shortened(&text));
            Err(Fault::New(message, help.or(Some("a number is expected here".to_string()))))
        }
    }
}

/// The common dimension of two numbers.
pub(super) fn same(a: Quantity, b: Quantity, done: &str) -> Result<Option<Dimension>, Fault> {
    match (a.dimension, b.dimension) {
        (Some(x), Some(y)) if x != y => fault(
            format!("{} {done} {}", told(b), told(a)),
            "both must have the same dimension: check for a missing unit",
        ),
        (x, y) => Ok(x.or(y)),
    }
}

pub(super) fn told(q: Quantity) -> String {
    q.dimension.unwrap_or_default().name()
}

pub(super) fn joined(a: Dimension, b: Dimension, power: i8) -> Result<Dimension, Fault> {
    match a.plus(b, power) {
        Some(d) => Ok(d.without_idle_radian()),
        None => fault("the powers of units are too large", "check the expression"),
    }
}

/// A power of a dimension; powers of units must be whole.
pub(super) fn raised(d: Dimension, power: f64) -> Result<Dimension, Fault> {
    let one = |p: i8| {
        let x = f64::from(p) * power;
        (x.fract() == 0.0 && x.abs() <= 100.0).then_some(x as i8)
    };
    let all = [one(d.length), one(d.mass), one(d.time), one(d.angle)];
    match all {
        [Some(length), Some(mass), Some(time), Some(angle)] => Ok(Dimension { length, mass, time, angle }),
        _ => fault(
            format!("{} to the power {power}", d.name()),
            "the resulting powers of units must be whole numbers",
        ),
    }
}
