//! Text with a unit → a number in SI units, checked against the required dimension.
//!
//!   "10 t" → 10 000 kg,   "25 mm" → 0.025 m,   "1/60 s",   "2 kN·m",   "200 GPa",   "60 rpm",   "7.85 g/cm^3"
//!
//! A quantity is a number (or a fraction of two) and a product of units, each with an optional prefix and power.
//! A division sign applies to the one unit after it: "N/m/s" is N/(m·s). Angles have their own dimension, so that
//! "30 deg" is not a length. The radian may be omitted only if the dimension includes mass ("5 N·m" for N·m/rad).

use crate::suggestion;
use std::fmt;
use thiserror::Error;

/// Powers of metre, kilogram, second and radian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension {
    /// Power of the metre.
    pub length: i8,
    /// Power of the kilogram.
    pub mass: i8,
    /// Power of the second.
    pub time: i8,
    /// Power of the radian.
    pub angle: i8,
}

/// Shorthand for tables: powers of m, kg, s, rad.
pub const fn dimension(length: i8, mass: i8, time: i8, angle: i8) -> Dimension {
    Dimension { length, mass, time, angle }
}

/// Name of a dimension, and its SI unit.
const NAMES: &[(Dimension, &str, &str)] = &[
    (dimension(0, 0, 0, 0), "a plain number", "1"),
    (dimension(1, 0, 0, 0), "a length", "m"),
    (dimension(2, 0, 0, 0), "an area", "m²"),
    (dimension(3, 0, 0, 0), "a volume", "m³"),
    (dimension(3, 0, -1, 0), "a volume flow", "m³/s"),
    (dimension(4, 0, 0, 0), "a second moment of area", "m⁴"),
    (dimension(0, 1, 0, 0), "a mass", "kg"),
    (dimension(0, 0, 1, 0), "a time", "s"),
    (dimension(0, 0, 0, 1), "an angle", "rad"),
    (dimension(0, 0, -1, 0), "a frequency", "Hz"),
    (dimension(1, 0, -1, 0), "a speed", "m/s"),
    (dimension(1, 0, -2, 0), "an acceleration", "m/s²"),
    (dimension(0, 0, -1, 1), "an angular speed", "rad/s"),
    (dimension(0, 0, -2, 1), "an angular acceleration", "rad/s²"),
    (dimension(1, 1, -2, 0), "a force", "N"),
    (dimension(2, 1, -2, 0), "a torque (or energy)", "N·m"),
    (dimension(2, 1, -3, 0), "a power", "W"),
    (dimension(-1, 1, -2, 0), "a pressure", "Pa"),
    (dimension(-3, 1, 0, 0), "a density", "kg/m³"),
    (dimension(-1, 1, 0, 0), "a mass per length", "kg/m"),
    (dimension(2, 1, 0, 0), "a moment of inertia", "kg·m²"),
    (dimension(3, 1, -2, 0), "a bending stiffness", "N·m²"),
    (dimension(0, 1, -2, 0), "a stiffness", "N/m"),
    (dimension(0, 1, -1, 0), "a damping", "N·s/m"),
    (dimension(-2, 1, -2, 0), "a stiffness per area", "N/m³"),
    (dimension(-1, 1, -1, 0), "a damping per length", "N·s/m²"),
    (dimension(-2, 1, -1, 0), "a damping per area", "N·s/m³"),
    (dimension(2, 1, -2, -1), "a rotational stiffness", "N·m/rad"),
    (dimension(2, 1, -1, -1), "a rotational damping", "N·m·s/rad"),
    (dimension(2, 1, -2, -2), "a rotational stiffness per angle", "N·m/rad²"),
    (dimension(2, 1, -2, -3), "a rotational stiffness per angle squared", "N·m/rad³"),
    (dimension(2, 1, 0, -2), "a rotational damping per angular speed", "N·m·s²/rad²"),
    (dimension(0, -1, 1, 0), "a slip per force", "(m/s)/N"),
    (dimension(-2, -1, 1, 1), "a slip per torque", "(rad/s)/(N·m)"),
    (dimension(1, 1, -2, -1), "a cornering stiffness", "N/rad"),
    (dimension(-2, 0, 2, 0), "a mass per work", "kg/J"),
    (dimension(4, -1, 1, 0), "a leakage", "m³/s/Pa"),
];

impl Dimension {
    /// Its name, with an article.
    pub fn name(&self) -> String {
        match NAMES.iter().find(|n| n.0 == *self) {
            Some((_, name, _)) => (*name).to_string(),
            None => format!("a quantity in {self}"),
        }
    }

    /// Its SI unit as text that `parse` accepts; that of a plain number is "m/m".
    pub fn unit(&self) -> String {
        let known = NAMES.iter().find(|n| n.0 == *self).map(|n| n.2);
        match known {
            Some("1") => "m/m".to_string(),
            Some(unit) if !unit.starts_with('(') => unit.to_string(),
            _ => self.powers(),
        }
    }

    /// The dimension without radians, if it has no name and the result has one: a radius times an angle is a length.
    pub(crate) fn without_idle_radian(self) -> Dimension {
        let bare = Dimension { angle: 0, ..self };
        let named = |d: Dimension| NAMES.iter().any(|n| n.0 == d);
        if !named(self) && bare != Dimension::default() && named(bare) { bare } else { self }
    }

    /// The sum of its powers and those of another times a factor; `None` on overflow.
    pub(crate) fn plus(self, other: Dimension, factor: i8) -> Option<Dimension> {
        let add = |a: i8, b: i8| a.checked_add(b.checked_mul(factor)?);
        Some(Dimension {
            length: add(self.length, other.length)?,
            mass: add(self.mass, other.mass)?,
            time: add(self.time, other.time)?,
            angle: add(self.angle, other.angle)?,
        })
    }

    /// The product of its units, each with its power.
    fn powers(&self) -> String {
        let powers = [("m", self.length), ("kg", self.mass), ("s", self.time), ("rad", self.angle)];
        let present = powers.iter().filter(|(_, power)| *power != 0);
        let units: Vec<_> = present
            .map(|(unit, power)| if *power == 1 { unit.to_string() } else { format!("{unit}^{power}") })
            .collect();
        units.join("·")
    }

    /// Whether a quantity of this dimension is accepted where `wanted` is required.
    fn fits(self, wanted: Dimension) -> bool {
        let bare = Dimension { angle: wanted.angle, ..self };
        self == wanted || (self.angle == 0 && wanted.mass != 0 && bare == wanted)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((_, _, unit)) = NAMES.iter().find(|n| n.0 == *self) {
            return f.write_str(unit);
        }
        f.write_str(&self.powers())
    }
}

/// A dimension, and what it is called for one quantity: rad/m for a rotation per wave amplitude.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Its dimension.
    pub dimension: Dimension,
    /// Its name with an article and its SI unit, if they are not those of the dimension.
    pub called: Option<(&'static str, &'static str)>,
}

impl Measure {
    /// Its name, with an article.
    pub fn name(&self) -> String {
        self.called.map_or_else(|| self.dimension.name(), |(name, _)| name.to_string())
    }

    /// Its SI unit as text that `parse` accepts.
    fn unit(&self) -> String {
        self.called.map_or_else(|| self.dimension.unit(), |(_, unit)| unit.to_string())
    }
}

impl From<Dimension> for Measure {
    fn from(dimension: Dimension) -> Measure {
        Measure { dimension, called: None }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.called {
            Some((_, unit)) => f.write_str(unit),
            None => self.dimension.fmt(f),
        }
    }
}

/// Why text is not a quantity of the required dimension.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum UnitError {
    /// It does not start with a number.
    #[error("\"{text}\" does not start with a number")]
    NoNumber {
        /// The text.
        text: String,
    },
    /// A unit that is not in the table.
    #[error("no unit \"{unit}\"")]
    Unknown {
        /// The unit.
        unit: String,
        /// A unit with a similar spelling.
        near: Option<String>,
    },
    /// Arithmetic that is not marked by `=`.
    #[error("\"{text}\" is not a number with a unit")]
    Expression {
        /// The text.
        text: String,
    },
    /// Text that is not a product of units.
    #[error("\"{text}\" is not a product of units")]
    Grammar {
        /// The text after the number.
        text: String,
    },
    /// A quantity of another dimension.
    #[error("\"{text}\" is {}, not {}", got.name(), wanted.name())]
    Dimension {
        /// The text.
        text: String,
        /// Its dimension.
        got: Dimension,
        /// What is required.
        wanted: Measure,
    },
}

impl UnitError {
    /// A suggested correction.
    pub fn help(&self) -> Option<String> {
        match self {
            UnitError::NoNumber { .. } => Some("write a number and a unit, such as \"25 mm\"".to_string()),
            UnitError::Unknown { near, .. } => near.as_ref().map(|n| format!("did you mean \"{n}\"?")),
            UnitError::Expression { text } => {
                Some(format!("arithmetic begins with `=`: write \"= {}\"", text.trim()))
            }
            UnitError::Grammar { .. } => {
                Some("join units by * or / and give powers by ^, as in \"kg*m^2\"".to_string())
            }
            UnitError::Dimension { got, wanted, .. } if *got == Dimension::default() => Some(format!(
                "give one of its factors a unit, as in \"= 0.5 {} * sin(30 deg)\"",
                wanted.unit()
            )),
            UnitError::Dimension { wanted, .. } => {
                Some(format!("give a number in {wanted}, or text with such a unit"))
            }
        }
    }
}

/// A unit: its name, its size in SI units, its dimension, and whether it takes prefixes.
type Unit = (&'static str, f64, Dimension, bool);

const DEGREE: f64 = std::f64::consts::PI / 180.0;
const TURN: f64 = std::f64::consts::TAU;
const UNITS: &[Unit] = &[
    ("m", 1.0, dimension(1, 0, 0, 0), true),
    ("in", 0.0254, dimension(1, 0, 0, 0), false),
    ("ft", 0.3048, dimension(1, 0, 0, 0), false),
    ("l", 1e-3, dimension(3, 0, 0, 0), true),
    ("g", 1e-3, dimension(0, 1, 0, 0), true),
    ("t", 1e3, dimension(0, 1, 0, 0), true),
    ("lb", 0.453_592_37, dimension(0, 1, 0, 0), false),
    ("s", 1.0, dimension(0, 0, 1, 0), true),
    ("min", 60.0, dimension(0, 0, 1, 0), false),
    ("h", 3600.0, dimension(0, 0, 1, 0), false),
    ("Hz", 1.0, dimension(0, 0, -1, 0), true),
    ("rad", 1.0, dimension(0, 0, 0, 1), true),
    ("deg", DEGREE, dimension(0, 0, 0, 1), false),
    ("°", DEGREE, dimension(0, 0, 0, 1), false),
    ("turn", TURN, dimension(0, 0, 0, 1), false),
    ("rev", TURN, dimension(0, 0, 0, 1), false),
    ("rpm", TURN / 60.0, dimension(0, 0, -1, 1), false),
    ("N", 1.0, dimension(1, 1, -2, 0), true),
    ("lbf", 4.448_221_615_260_5, dimension(1, 1, -2, 0), false),
    ("Pa", 1.0, dimension(-1, 1, -2, 0), true),
    ("bar", 1e5, dimension(-1, 1, -2, 0), true),
    ("J", 1.0, dimension(2, 1, -2, 0), true),
    ("W", 1.0, dimension(2, 1, -3, 0), true),
    ("Wh", 3600.0, dimension(2, 1, -2, 0), true),
    ("%", 0.01, dimension(0, 0, 0, 0), false),
];

const PREFIXES: &[(char, f64)] = &[
    ('n', 1e-9),
    ('µ', 1e-6),
    ('μ', 1e-6),
    ('u', 1e-6),
    ('m', 1e-3),
    ('c', 1e-2),
    ('d', 1e-1),
    ('k', 1e3),
    ('M', 1e6),
    ('G', 1e9),
    ('T', 1e12),
];

/// The value of a text in SI units, if it has the wanted dimension. Text without a unit is in SI units.
pub fn parse(text: &str, wanted: impl Into<Measure>) -> Result<f64, UnitError> {
    let wanted = wanted.into();
    match quantity(text)? {
        (_, Some(got)) if !got.fits(wanted.dimension) => {
            // a ratio is written with the unit m/m, which distinguishes it from a bare number
            let text = suggestion::shortened(text.strip_suffix(" m/m").unwrap_or(text));
            Err(UnitError::Dimension { text, got, wanted })
        }
        (number, _) => Ok(number),
    }
}

/// The value of a text in SI units, and its dimension if it has a unit.
pub fn quantity(text: &str) -> Result<(f64, Option<Dimension>), UnitError> {
    let shown = || suggestion::shortened(text.trim());
    let Some((number, rest)) = leading(text.trim()) else {
        let computed = is_arithmetic(text) || text.contains(['*', '/', '^']);
        return Err(match computed {
            true => UnitError::Expression { text: shown() },
            false => UnitError::NoNumber { text: shown() },
        });
    };
    let rest = rest.trim();
    if rest.is_empty() {
        return Ok((number, None));
    }
    match product(rest) {
        Ok((scale, got)) => Ok((number * scale, Some(got))),
        Err(_) if rest.starts_with('*') || is_arithmetic(rest) => {
            Err(UnitError::Expression { text: shown() })
        }
        Err(e) => Err(e),
    }
}

/// Whether a text that is not a product of units was meant as arithmetic: it calls a function, adds, or has an operator
/// before a number.
fn is_arithmetic(text: &str) -> bool {
    let calls = |at: usize| text[..at].ends_with(char::is_alphabetic);
    let before_number = |at: usize, sign: char| {
        text[at + sign.len_utf8()..].trim_start().starts_with(|c: char| c.is_ascii_digit())
    };
    text.char_indices().any(|(at, sign)| match sign {
        '(' => calls(at) || before_number(at, sign),
        '+' => true,
        '-' | '−' => text[..at].ends_with(' '),
        '*' | '/' | '·' | '×' => before_number(at, sign),
        _ => false,
    })
}

/// The number, or fraction of two, at the start of a text, and what follows.
fn leading(text: &str) -> Option<(f64, &str)> {
    let (number, rest) = float(text)?;
    // "1/60 s": a fraction if a digit follows the bar, "1/s" otherwise
    let Some(below) = rest.trim_start().strip_prefix('/') else { return Some((number, rest)) };
    match float(below.trim_start()) {
        Some((divisor, rest)) => Some((number / divisor, rest)),
        None => Some((number, rest)),
    }
}

/// The longest start of a text that is a number, and what follows.
pub(crate) fn float(text: &str) -> Option<(f64, &str)> {
    let end =
        text.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(text.len());
    // no float is longer than this; the bound limits the number of prefixes tried
    let longest = end.min(64);
    (1..=longest).rev().find_map(|cut| Some((text[..cut].parse().ok()?, &text[cut..])))
}

/// Size in SI units and dimension of a product of units.
pub(crate) fn product(text: &str) -> Result<(f64, Dimension), UnitError> {
    let grammar = || UnitError::Grammar { text: suggestion::shortened(text) };
    let (mut scale, mut sum) = (1.0, Dimension::default());
    // "1/s" is the same as "/s"
    let bare = text.strip_prefix('1').filter(|rest| rest.trim_start().starts_with('/'));
    let mut rest = bare.map_or(text, str::trim_start);
    let mut first = true;
    while !rest.is_empty() {
        let (sign, after) = separator(rest, first).ok_or_else(grammar)?;
        let end = after.find(|c: char| !(c.is_alphabetic() || c == '°' || c == '%')).unwrap_or(after.len());
        if end == 0 {
            return Err(grammar());
        }
        let (size, dimension) = unit(&after[..end])?;
        let (power, after) = power(&after[end..]).ok_or_else(grammar)?;
        for _ in 0..power.abs() {
            scale = if sign * power > 0 { scale * size } else { scale / size };
        }
        sum = sum.plus(dimension, sign * power).ok_or_else(grammar)?;
        rest = after.trim();
        first = false;
    }
    Ok((scale, sum))
}

/// Whether the next unit multiplies (1) or divides (−1), and the text from there on.
fn separator(text: &str, first: bool) -> Option<(i8, &str)> {
    let mut chars = text.chars();
    match chars.next()? {
        '/' => Some((-1, chars.as_str().trim_start())),
        '*' | '·' | '⋅' if !first => Some((1, chars.as_str().trim_start())),
        c if c.is_alphabetic() || c == '°' || c == '%' => Some((1, text)),
        _ => None,
    }
}

/// The power after a unit: "^2", "^-1", "²", "2" or nothing.
pub(crate) fn power(text: &str) -> Option<(i8, &str)> {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |c: char| RAISED.iter().position(|r| *r == c).map(|d| d as i8);
    let plain = |c: char| c.to_digit(10).map(|d| d as i8);
    let (caret, rest) = match text.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (sign, rest) = match rest.chars().next() {
        Some('-') if caret => (-1, &rest[1..]),
        Some('⁻') if !caret => (-1, &rest['⁻'.len_utf8()..]),
        _ => (1, rest),
    };
    let mut chars = rest.chars();
    let digit = chars.next().and_then(|c| plain(c).or(if caret { None } else { raised(c) }));
    match digit {
        // powers have one digit
        Some(digit) if !chars.as_str().starts_with(|c: char| c.is_ascii_digit()) => {
            Some((sign * digit, chars.as_str()))
        }
        None if !caret && sign == 1 => Some((1, rest)),
        _ => None,
    }
}

/// Size and dimension of one unit, with or without a prefix.
pub(crate) fn unit(name: &str) -> Result<(f64, Dimension), UnitError> {
    let whole = |name: &str| UNITS.iter().find(|u| u.0 == name);
    if let Some((_, size, dimension, _)) = whole(name) {
        return Ok((*size, *dimension));
    }
    let mut chars = name.chars();
    let prefix = chars.next().and_then(|c| PREFIXES.iter().find(|p| p.0 == c));
    if let (Some((_, factor)), Some((_, size, dimension, true))) = (prefix, whole(chars.as_str())) {
        return Ok((factor * size, *dimension));
    }
    // misspelt units are usually common ones
    let common = ["mm", "cm", "km", "kg", "kN", "MPa", "GPa", "ms", "kJ", "kW"];
    let known = UNITS.iter().map(|u| u.0).chain(common);
    Err(UnitError::Unknown { unit: suggestion::shortened(name), near: suggestion::nearest(name, known) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: Dimension = dimension(1, 0, 0, 0);
    const MASS: Dimension = dimension(0, 1, 0, 0);

    fn near(text: &str, wanted: Dimension, value: f64) {
        let got = parse(text, wanted).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert!((got - value).abs() <= 1e-12 * value.abs(), "{text} is {got}, not {value}");
    }

    #[test]
    fn quantities_become_si() {
        near("10 t", MASS, 1e4);
        near("10t", MASS, 1e4);
        near("25 mm", LENGTH, 0.025);
        near("6 ft", LENGTH, 1.8288);
        near("-1.5e-3 km", LENGTH, -1.5);
        near("1/60 s", dimension(0, 0, 1, 0), 1.0 / 60.0);
        near("30 deg", dimension(0, 0, 0, 1), std::f64::consts::PI / 6.0);
        near("0.5 turn", dimension(0, 0, 0, 1), std::f64::consts::PI);
        near("60 rpm", dimension(0, 0, -1, 1), std::f64::consts::TAU);
        near("90 deg/s", dimension(0, 0, -1, 1), std::f64::consts::FRAC_PI_2);
        near("200 GPa", dimension(-1, 1, -2, 0), 2e11);
        near("5 kN", dimension(1, 1, -2, 0), 5e3);
        near("1e4 N/m", dimension(0, 1, -2, 0), 1e4);
        near("1 N/mm", dimension(0, 1, -2, 0), 1e3);
        near("2 kN·m", dimension(2, 1, -2, 0), 2e3);
        near("2 kN*m", dimension(2, 1, -2, 0), 2e3);
        near("2 kN m", dimension(2, 1, -2, 0), 2e3);
        near("36 km/h", dimension(1, 0, -1, 0), 10.0);
        near("9.81 m/s^2", dimension(1, 0, -2, 0), 9.81);
        near("9.81 m/s²", dimension(1, 0, -2, 0), 9.81);
        near("9.81 m s⁻²", dimension(1, 0, -2, 0), 9.81);
        near("9.81 m*s^-2", dimension(1, 0, -2, 0), 9.81);
        near("7.85 g/cm3", dimension(-3, 1, 0, 0), 7850.0);
        near("3 N*m*s/rad", dimension(2, 1, -1, -1), 3.0);
        near("50 %", Dimension::default(), 0.5);
        near("250 g/kWh", dimension(-2, 0, 2, 0), 0.25 / 3.6e6);
        near("71 cm^3", dimension(3, 0, 0, 0), 71e-6);
        near("5 / s", dimension(0, 0, -1, 0), 5.0);
        near("5 1/s", dimension(0, 0, -1, 0), 5.0);
        near("0.5 1/s^2", dimension(0, 0, -2, 0), 0.5);
        near("0.7", LENGTH, 0.7);
    }

    #[test]
    fn units_of_dimensions_are_read_back_exactly() {
        for (dimension, name, _) in NAMES {
            let text = format!("0.1 {}", dimension.unit());
            assert_eq!(quantity(&text), Ok((0.1, Some(*dimension))), "{name}");
        }
        let odd = dimension(4, -1, 2, 3);
        assert_eq!(quantity(&format!("0.1 {}", odd.unit())), Ok((0.1, Some(odd))));
    }

    #[test]
    fn the_radian_may_be_left_out_only_beside_a_mass() {
        near("5 N*m", dimension(2, 1, -2, -1), 5.0);
        assert!(parse("5 1/s", dimension(0, 0, -1, 1)).is_err());
        assert!(parse("5 Hz", dimension(0, 0, -1, 1)).is_err());
    }

    #[test]
    fn wrong_text_is_told() {
        let told = |text: &str, wanted| {
            let e = parse(text, wanted).expect_err(text);
            format!("{e} | {}", e.help().unwrap_or_default())
        };
        assert_eq!(
            told("25 kg", LENGTH),
            "\"25 kg\" is a mass, not a length | give a number in m, or text with such a unit"
        );
        assert_eq!(told("25 kgg", MASS), "no unit \"kgg\" | did you mean \"kg\"?");
        assert_eq!(told("25 m4 kg", LENGTH).split(',').next(), Some("\"25 m4 kg\" is a quantity in m^4·kg"));
        assert!(told("mm 25", LENGTH).starts_with("\"mm 25\" does not start with a number"));
        assert!(told("", LENGTH).contains("does not start with a number"));
        assert!(told("3 m^", LENGTH).contains("not a product of units"));
        assert!(told("3 m**s", LENGTH).contains("not a product of units"));
        assert!(told("3 m^22", LENGTH).contains("not a product of units"));
        assert!(told("3 m/", LENGTH).contains("not a product of units"));
        assert!(told("3 rad/(s*N)", LENGTH).contains("not a product of units"));
    }

    #[test]
    fn arithmetic_without_its_mark_is_told_how_to_be_computed() {
        for text in [
            "0.5 * sin(150 deg)",
            "sin(150 deg)",
            "2 sin(150 deg)",
            "length / 2",
            "length*width",
            "2 * length",
            "2 m + 3 cm",
            "2 m - offset",
            "2 * (3 m + 1 m)",
            "2 / (3 m)",
        ] {
            let e = parse(text, LENGTH).expect_err(text);
            assert_eq!(e.to_string(), format!("\"{text}\" is not a number with a unit"));
            let help = format!("arithmetic begins with `=`: write \"= {text}\"");
            assert_eq!(e.help(), Some(help));
        }
    }

    #[test]
    fn a_ratio_in_place_of_a_quantity_is_told_to_have_a_unit() {
        let e = parse("0.5 m/m", LENGTH).expect_err("a ratio");
        assert_eq!(e.to_string(), "\"0.5\" is a plain number, not a length");
        assert_eq!(
            e.help().as_deref(),
            Some("give one of its factors a unit, as in \"= 0.5 m * sin(30 deg)\"")
        );
    }
}
