//! Evaluates the arithmetic of scene files, `2 * length + 5 mm`.
//!
//! ```text
//! sum     = product { (+ | -) product }
//! product = signed { (* | /) signed }
//! signed  = { + | - } power
//! power   = atom [ ^ signed ]
//! atom    = number [unit] | name | function ( sum {, sum} ) | ( sum )
//! ```
//!
//! A number with a unit has a dimension, and so have results computed from it. A bare number is compatible with any
//! dimension, also when multiplied by a ratio. A unit directly follows its number and contains no spaces: `5 kN*m` is a
//! torque, `5 kN * m` a product with `m`. Values are computed while parsing; depth and length are bounded.

mod literal;
mod quantities;

use crate::suggestion;
use crate::units::{self, Dimension, dimension};
use quantities::{joined, number, of_one, raised, same, told};

/// Maximum length of an expression [bytes].
const LONGEST: usize = 2000;
/// Maximum nesting of parentheses, powers and functions.
const DEEPEST: usize = 40;
/// Maximum power of a base unit in a result; units are written with one digit.
const HIGHEST_POWER: i8 = 9;

const PLAIN: Dimension = dimension(0, 0, 0, 0);
const ANGLE: Dimension = dimension(0, 0, 0, 1);
const FUNCTIONS: [&str; 11] =
    ["sin", "cos", "tan", "asin", "acos", "atan2", "sqrt", "abs", "min", "max", "floor"];

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number in SI.
    Number(Quantity),
    /// Text.
    Text(String),
    /// True or false.
    Flag(bool),
}

/// A number in SI, with its dimension if it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The number.
    pub si: f64,
    /// Its dimension; a number without one is compatible with any.
    pub dimension: Option<Dimension>,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The error and a remedy.
    New(String, Option<String>),
    /// An unknown name; the nearest known one is found when the error is reported.
    Unknown(String),
    /// It needs a value whose own error has already been reported.
    Told,
}

/// The meaning of a name.
pub enum Found {
    /// A value.
    Value(Value),
    /// Unknown name.
    Unknown,
    /// A value that could not be computed, which has been reported.
    Bad,
}

/// The source of the values of names.
pub trait Names {
    /// The value of a name.
    fn look(&mut self, name: &str) -> Found;
    /// All names, for "did you mean".
    fn known(&self) -> Vec<String>;
}

/// Whether a name is reserved in expressions and cannot be given to a parameter.
pub fn is_taken(name: &str) -> bool {
    name == "pi" || FUNCTIONS.contains(&name)
}

/// Whether a text can be a name in expressions.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The value of an expression.
pub fn evaluate(text: &str, names: &mut dyn Names) -> Result<Value, Fault> {
    if text.len() > LONGEST {
        return fault(format!("the expression has {} bytes", text.len()), format!("give at most {LONGEST}"));
    }
    let mut reader = Reader { rest: text.trim(), depth: 0, names };
    if reader.rest.is_empty() {
        return fault("the expression is empty", "write one, such as \"= 2 * length\"");
    }
    let value = reader.sum()?;
    if !reader.rest.is_empty() {
        let found = suggestion::shortened(reader.rest);
        return fault(format!("unexpected `{found}`"), "an operator or a parenthesis is missing before it");
    }
    match value {
        Value::Number(q) if !q.si.is_finite() => {
            fault(format!("the result is {}", q.si), "check for a division by 0")
        }
        Value::Number(Quantity { dimension: Some(d), .. }) if too_high(d) => fault(
            format!("the result is in {d}"),
            "no quantity has such powers of units: check the expression",
        ),
        value => Ok(value),
    }
}

fn too_high(d: Dimension) -> bool {
    [d.length, d.mass, d.time, d.angle].iter().any(|p| p.unsigned_abs() > HIGHEST_POWER as u8)
}

fn fault<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::New(message.into(), Some(help.into())))
}

impl Fault {
    /// The error and a remedy; none if it has been reported.
    pub fn told(self, names: &dyn Names) -> Option<(String, Option<String>)> {
        match self {
            Fault::New(message, help) => Some((message, help)),
            Fault::Unknown(name) => {
                let known = names.known();
                let all = FUNCTIONS.into_iter().chain(known.iter().map(String::as_str));
                let help = match suggestion::nearest(&name, all.take(suggestion::MOST)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if units::unit(&name).is_ok() => {
                        "a unit directly follows its number and contains no spaces: \"9.81 m/s^2\""
                            .to_string()
                    }
                    None => format!("define it under [parameters]: {} = …", suggestion::shortened(&name)),
                };
                Some((format!("unknown name `{}`", suggestion::shortened(&name)), Some(help)))
            }
            Fault::Told => None,
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
    names: &'a mut dyn Names,
}

impl<'a> Reader<'a> {
    /// Takes one of the given characters, if it is next.
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let next = self.rest.chars().next().filter(|c| wanted.contains(c))?;
        self.rest = self.rest[next.len_utf8()..].trim_start();
        Some(next)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth == DEEPEST {
            return fault(format!("more than {DEEPEST} levels of parentheses"), "split it into parameters");
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn sum(&mut self) -> Result<Value, Fault> {
        let mut left = self.product()?;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            let (a, b) = (number(left)?, number(self.product()?)?);
            let dimension = same(a, b, if sign == '+' { "added to" } else { "subtracted from" })?;
            let si = if sign == '+' { a.si + b.si } else { a.si - b.si };
            left = Value::Number(Quantity { si, dimension });
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Value, Fault> {
        let mut left = self.signed()?;
        while let Some(sign) = self.take(&['*', '·', '×', '/']) {
            let (a, b) = (number(left)?, number(self.signed()?)?);
            let power = if sign == '/' { -1 } else { 1 };
            let dimension = match (a.dimension, b.dimension) {
                // a bare number is compatible with any dimension, also when scaled by a ratio such as a sine
                (None, None | Some(PLAIN)) | (Some(PLAIN), None) => None,
                (a, b) => Some(joined(a.unwrap_or_default(), b.unwrap_or_default(), power)?),
            };
            let si = if sign == '/' { a.si / b.si } else { a.si * b.si };
            left = Value::Number(Quantity { si, dimension });
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Value, Fault> {
        let mut negative = false;
        let mut any = false;
        while let Some(sign) = self.take(&['+', '-', '−']) {
            negative ^= sign != '+';
            any = true;
        }
        let value = self.power()?;
        if !any {
            return Ok(value);
        }
        let q = number(value)?;
        Ok(Value::Number(Quantity { si: if negative { -q.si } else { q.si }, ..q }))
    }

    fn power(&mut self) -> Result<Value, Fault> {
        let base = self.atom()?;
        if self.take(&['^']).is_none() {
            return Ok(base);
        }
        let (base, exponent) = (number(base)?, number(self.deeper(Self::signed)?)?);
        if exponent.dimension.is_some_and(|d| d != PLAIN) {
            return fault(format!("the exponent is {}", told(exponent)), "give an exponent without a unit");
        }
        let dimension = match base.dimension {
            None => None,
            Some(d) => Some(raised(d, exponent.si)?),
        };
        Ok(Value::Number(Quantity { si: libm::pow(base.si, exponent.si), dimension }))
    }

    fn atom(&mut self) -> Result<Value, Fault> {
        if self.take(&['(']).is_some() {
            let value = self.deeper(Self::sum)?;
            return match self.take(&[')']) {
                Some(_) => Ok(value),
                None => fault("a `(` is not closed", "add `)`"),
            };
        }
        match self.rest.chars().next() {
            None => fault("the expression is incomplete", "a number or a name is missing at its end"),
            Some(c) if c.is_ascii_digit() || c == '.' => self.literal(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => fault(
                format!("found `{c}` instead of a number or a name"),
                "write for example \"= 2 * (length + 5 mm)\"",
            ),
        }
    }

    fn known(&mut self, name: &str) -> bool {
        !matches!(self.names.look(name), Found::Unknown)
    }

    fn name(&mut self) -> Result<Value, Fault> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let name: &'a str = &self.rest[..end];
        self.rest = self.rest[end..].trim_start();
        if FUNCTIONS.contains(&name) {
            return self.function(name).map(Value::Number);
        }
        if name == "pi" {
            return Ok(Value::Number(Quantity { si: std::f64::consts::PI, dimension: None }));
        }
        match self.names.look(name) {
            Found::Value(value) => Ok(value),
            Found::Bad => Err(Fault::Told),
            Found::Unknown => Err(Fault::Unknown(name.to_string())),
        }
    }

    fn function(&mut self, name: &str) -> Result<Quantity, Fault> {
        let example = if matches!(name, "atan2" | "min" | "max") { "(a, b)" } else { "(a)" };
        if self.take(&['(']).is_none() {
            return fault(format!("`{name}` without its arguments"), format!("write {name}{example}"));
        }
        let mut arguments = vec![number(self.deeper(Self::sum)?)?];
        while self.take(&[',']).is_some() {
            arguments.push(number(self.deeper(Self::sum)?)?);
        }
        if self.take(&[')']).is_none() {
            return fault(format!("`{name}(` is not closed"), "add `)`");
        }
        match (name, &arguments[..]) {
            ("atan2", [y, x]) => {
                same(*y, *x, "compared with")?;
                Ok(Quantity { si: libm::atan2(y.si, x.si), dimension: Some(ANGLE) })
            }
            ("min" | "max", [first, others @ ..]) => others.iter().try_fold(*first, |a, b| {
                let dimension = same(a, *b, "compared with")?;
                let si = if (name == "min") == (b.si < a.si) { b.si } else { a.si };
                Ok(Quantity { si, dimension })
            }),
            (_, [x]) if name != "atan2" => of_one(name, *x),
            (_, list) => {
                let count = if list.len() == 1 { "one number" } else { "several numbers" };
                fault(format!("`{name}` with {count}"), format!("write {name}{example}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Table;

    impl Names for Table {
        fn look(&mut self, name: &str) -> Found {
            let number = |text: &str| {
                let (si, dimension) = units::quantity(text).expect("a quantity");
                Found::Value(Value::Number(Quantity { si, dimension }))
            };
            match name {
                "length" => number("25 mm"),
                "n" => number("7"),
                "h" => number("2 m"),
                "slope" => number("30 deg"),
                "word" => Found::Value(Value::Text("hook".to_string())),
                "slip" => Found::Value(Value::Text("3 kgg".to_string())),
                "on" => Found::Value(Value::Flag(true)),
                _ => Found::Unknown,
            }
        }

        fn known(&self) -> Vec<String> {
            ["length", "n", "h", "slope", "word", "on"].map(String::from).to_vec()
        }
    }

    #[track_caller]
    fn is(text: &str, si: f64, unit: &str) {
        let wanted = if unit.is_empty() { None } else { Some(units::product(unit).expect("a unit").1) };
        match evaluate(text, &mut Table) {
            Ok(Value::Number(q)) => {
                assert!((q.si - si).abs() <= 1e-12 * si.abs().max(1e-3), "{text} is {}", q.si);
                assert_eq!(q.dimension, wanted, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }

    fn tells(text: &str) -> String {
        match evaluate(text, &mut Table) {
            Err(fault) => {
                let (message, help) = fault.told(&Table).expect("a fault");
                format!("{message} | {}", help.unwrap_or_default())
            }
            Ok(value) => panic!("{text}: {value:?}"),
        }
    }

    #[test]
    fn arithmetic_and_precedence() {
        is("1 + 2 * 3", 7.0, "");
        is("(1 + 2) * 3", 9.0, "");
        is("2 ^ 3 ^ 2", 512.0, "");
        is("-2^2", -4.0, "");
        is("2 * -3", -6.0, "");
        is("7 - 2 - 1", 4.0, "");
        is("8 / 4 / 2", 1.0, "");
        is("n-1", 6.0, "");
        is("1e3 + .5", 1000.5, "");
        is("max(1, 5, 3) - min(4, 2)", 3.0, "");
        is("floor(7 / 2) + abs(-1)", 4.0, "");
        is("2*pi", std::f64::consts::TAU, "");
    }

    #[test]
    fn units_are_carried_along() {
        is("2 * length + 5 mm", 0.055, "m");
        is("9.81 m/s^2 * 2 s", 19.62, "m/s");
        is("5 kN*m / 2 m", 2500.0, "N");
        is("5 kN * h", 10_000.0, "J");
        is("(3 m)^2 + 7 m^2", 16.0, "m^2");
        is("sqrt(16 m^2)", 4.0, "m");
        is("length / 5 mm", 5.0, "m/m");
        is("sin(slope) * 4 m", 2.0, "m");
        is("atan2(1 m, 1 m)", std::f64::consts::FRAC_PI_4, "rad");
        is("asin(0.5)", std::f64::consts::FRAC_PI_6, "rad");
        is("1 + length", 1.025, "m");
        // a bare number scaled by a ratio stays bare; a ratio alone is a plain number
        is("0.5 * sin(150 deg)", 0.25, "");
        is("sin(150 deg) / 2", 0.25, "");
        is("0.5 m * sin(150 deg)", 0.25, "m");
        // a radius times an angle is an arc, times an angular velocity a velocity; m ω² r is a force
        is("2 m * 90 deg", std::f64::consts::PI, "m");
        is("2 m * 3 rad/s", 6.0, "m/s");
        is("2 kg * (3 rad/s)^2 * 5 m", 90.0, "N");
        is("10 N*m / 2 rad", 5.0, "N*m/rad");
        is("1 / (4 s)", 0.25, "Hz");
    }

    #[test]
    fn names_stand_for_values() {
        assert_eq!(evaluate("word", &mut Table), Ok(Value::Text("hook".to_string())));
        assert_eq!(evaluate(" on ", &mut Table), Ok(Value::Flag(true)));
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(
            tells("length + 3 kg"),
            "a mass added to a length | both must have the same dimension: check for a missing unit"
        );
        assert_eq!(tells("2 * lenght"), "unknown name `lenght` | did you mean `length`?");
        assert_eq!(
            tells("9.81 m / s"),
            "unknown name `s` | a unit directly follows its number and contains no spaces: \"9.81 m/s^2\""
        );
        assert_eq!(
            tells("2 length"),
            "`length` directly follows a number | write `* length` to multiply by it"
        );
        assert_eq!(tells("2 kgg"), "no unit \"kgg\" | did you mean \"kg\"?");
        assert_eq!(
            tells("5 mm*h"),
            "`h` is both a unit and a parameter | write ` * h` with spaces for the parameter, or rename it"
        );
        assert_eq!(tells("1 / 0"), "the result is inf | check for a division by 0");
        assert_eq!(tells("2 +"), "the expression is incomplete | a number or a name is missing at its end");
        assert_eq!(tells("(2"), "a `(` is not closed | add `)`");
        assert_eq!(tells("2 )"), "unexpected `)` | an operator or a parenthesis is missing before it");
        assert_eq!(tells("word + 1"), "the text \"hook\" is not a number | a number is expected here");
        assert_eq!(
            tells("slip + 1"),
            "the text \"3 kgg\" is not a number | no unit \"kgg\": did you mean \"kg\"?"
        );
        assert_eq!(tells("sin(2 m)"), "`sin` of a length | give an angle, such as 30 deg");
        assert_eq!(
            tells("sqrt(2 m)"),
            "a length to the power 0.5 | the resulting powers of units must be whole numbers"
        );
        assert_eq!(tells("atan2(1)"), "`atan2` with one number | write atan2(a, b)");
        assert_eq!(tells("2 ^ 3 m"), "the exponent is a length | give an exponent without a unit");
        assert!(tells(&"(".repeat(1000)).starts_with("more than 40 levels"));
        assert!(tells(&"1+".repeat(2000)).starts_with("the expression has 4000 bytes"));
        assert!(tells(&"-".repeat(1999)).starts_with("the expression is incomplete"));
        assert!(tells(&"2^".repeat(900)).starts_with("more than 40 levels"));
        assert!(tells("3 m^9 * 3 m^9 * 1 m^9").starts_with("the result is in m^27"));
    }
}
