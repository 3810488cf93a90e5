//! Expressions: trees of numbers, readings and items → a number. Evaluation does not allocate.
//!
//! A number other than 0 is true; comparisons and logic give 1 or 0. A comparison with NaN is false. `and`, `or` and
//! `if` evaluate only the operands that they need. Elementary functions come from `libm`.

use crate::state::{ItemQuantity, ItemState};

/// A function of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// −x
    Negate,
    /// 1 if x is 0, else 0.
    Not,
    /// |x|
    Abs,
    /// √x
    Sqrt,
    /// −1, 0 or 1.
    Sign,
    /// Largest whole number not above x.
    Floor,
    /// e^x
    Exp,
    /// Of an angle [rad].
    Sin,
    /// Of an angle [rad].
    Cos,
    /// Of an angle [rad].
    Tan,
    /// Angle [rad].
    Asin,
    /// Angle [rad].
    Acos,
}

/// An operator of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// a + b
    Add,
    /// a − b
    Subtract,
    /// a b
    Multiply,
    /// a / b
    Divide,
    /// a^b
    Power,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Angle of the point (b, a) [rad].
    Atan2,
    /// a < b
    Less,
    /// a ≤ b
    NotAbove,
    /// a > b
    Greater,
    /// a ≥ b
    NotBelow,
    /// a = b
    Equal,
    /// a ≠ b
    Different,
    /// Both are true.
    And,
    /// At least one is true.
    Or,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A constant.
    Number(f64),
    /// Simulated time [s].
    Time,
    /// A reading, by its number.
    Probe(usize),
    /// An item, by its number.
    Item(usize, ItemQuantity),
    /// The value of an item in the step before.
    Previous(usize),
    /// A function.
    Unary(Unary, Box<Expression>),
    /// An operation.
    Binary(Binary, Box<[Expression; 2]>),
    /// The second if the first is true, else the third.
    If(Box<[Expression; 3]>),
}

/// What expressions read.
#[derive(Clone, Copy, Debug)]
pub struct Readings<'a> {
    /// Simulated time [s].
    pub time: f64,
    /// By number.
    pub probes: &'a [f64],
    /// The items at this instant, as far as they have been evaluated.
    pub items: &'a [ItemState],
    /// The items in the step before.
    pub before: &'a [ItemState],
}

fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}

impl Expression {
    /// A function of an expression.
    pub fn unary(function: Unary, x: Expression) -> Expression {
        Expression::Unary(function, Box::new(x))
    }

    /// An operation on two expressions.
    pub fn binary(operation: Binary, a: Expression, b: Expression) -> Expression {
        Expression::Binary(operation, Box::new([a, b]))
    }

    /// Its value.
    pub fn value(&self, now: &Readings<'_>) -> f64 {
        match self {
            Expression::Number(x) => *x,
            Expression::Time => now.time,
            Expression::Probe(number) => now.probes.get(*number).copied().unwrap_or(f64::NAN),
            Expression::Item(number, quantity) => {
                now.items.get(*number).map_or(f64::NAN, |i| i.read(*quantity))
            }
            Expression::Previous(number) => now.before.get(*number).map_or(f64::NAN, |item| item.value),
            Expression::Unary(function, x) => function.of(x.value(now)),
            Expression::Binary(Binary::And, both) => flag(both.iter().all(|x| x.is_true(now))),
            Expression::Binary(Binary::Or, both) => flag(both.iter().any(|x| x.is_true(now))),
            Expression::Binary(operation, both) => operation.of(both[0].value(now), both[1].value(now)),
            Expression::If(all) => all[if all[0].is_true(now) { 1 } else { 2 }].value(now),
        }
    }

    /// Whether it is true: neither 0 nor NaN.
    pub fn is_true(&self, now: &Readings<'_>) -> bool {
        let value = self.value(now);
        value != 0.0 && !value.is_nan()
    }

    /// Calls a function with the expression and all its operands.
    pub fn visit(&self, each: &mut dyn FnMut(&Expression)) {
        each(self);
        match self {
            Expression::Unary(_, x) => x.visit(each),
            Expression::Binary(_, both) => both.iter().for_each(|x| x.visit(each)),
            Expression::If(all) => all.iter().for_each(|x| x.visit(each)),
            _ => {}
        }
    }
}

impl Unary {
    fn of(self, x: f64) -> f64 {
        match self {
            Unary::Negate => -x,
            Unary::Not => flag(x == 0.0),
            Unary::Abs => x.abs(),
            Unary::Sqrt => libm::sqrt(x),
            Unary::Sign if x == 0.0 => 0.0,
            Unary::Sign => x.signum(),
            Unary::Floor => x.floor(),
            Unary::Exp => libm::exp(x),
            Unary::Sin => libm::sin(x),
            Unary::Cos => libm::cos(x),
            Unary::Tan => libm::tan(x),
            Unary::Asin => libm::asin(x),
            Unary::Acos => libm::acos(x),
        }
    }
}

impl Binary {
    fn of(self, a: f64, b: f64) -> f64 {
        // NaN of either operand remains
        let either = |is_a: bool| if a.is_nan() || is_a { a } else { b };
        match self {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            Binary::Divide => a / b,
            Binary::Power => libm::pow(a, b),
            Binary::Min => either(a < b),
            Binary::Max => either(a > b),
            Binary::Atan2 => libm::atan2(a, b),
            Binary::Less => flag(a < b),
            Binary::NotAbove => flag(a <= b),
            Binary::Greater => flag(a > b),
            Binary::NotBelow => flag(a >= b),
            Binary::Equal => flag(a == b),
            Binary::Different => flag(a != b),
            Binary::And => flag(a != 0.0 && b != 0.0),
            Binary::Or => flag(a != 0.0 || b != 0.0),
        }
    }
}
