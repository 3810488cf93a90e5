//! Parameters of a fit: a key of the scene and its bounds, `KEY=LOW..HIGH`, with a unit.
//!
//! Values are numbers in the unit of the bounds and are written into the scene as text with that unit, so that they are
//! read as any override is.

use windlass_scene::Override;

/// A key of the scene with bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The key of an override, such as `bodies.load.mass`.
    pub key: String,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Unit of both, as in scene files; empty for plain numbers.
    pub unit: String,
}

impl std::str::FromStr for Parameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Parameter, String> {
        let form = || {
            format!("\"{text}\" is not a parameter: write KEY=LOW..HIGH, such as \"bodies.load.mass=1..6 t\"")
        };
        let (key, range) = text.split_once('=').ok_or_else(form)?;
        let (low, high) = range.split_once("..").ok_or_else(form)?;
        let (low, low_unit) = number(low).ok_or_else(form)?;
        let (high, unit) = number(high).ok_or_else(form)?;
        if key.trim().is_empty() {
            return Err(form());
        }
        if !low_unit.is_empty() && low_unit != unit {
            return Err(format!(
                "the bounds of \"{}\" have the units {low_unit} and {unit}: give both in one unit",
                key.trim()
            ));
        }
        if !(low < high) {
            return Err(format!(
                "the bounds of \"{}\" are {low} and {high}: give the smaller one first",
                key.trim()
            ));
        }
        Ok(Parameter { key: key.trim().to_string(), low, high, unit })
    }
}

/// A number and the unit after it. A division after it is a part of the unit only in texts such as "1/s".
fn number(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text
        .char_indices()
        .find(|(at, c)| {
            let exponent = matches!(c, 'e' | 'E')
                && text[at + 1..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
            let after_exponent = matches!(c, '-' | '+') && text[..*at].ends_with(['e', 'E']);
            !(c.is_ascii_digit()
                || *c == '.'
                || exponent
                || after_exponent
                || (*at == 0 && matches!(c, '-' | '+')))
        })
        .map_or(text.len(), |(at, _)| at);
    let value: f64 = text[..end].parse().ok()?;
    value.is_finite().then(|| (value, text[end..].trim().to_string()))
}

impl Parameter {
    /// The value at a fraction of the range.
    pub fn at(&self, fraction: f64) -> f64 {
        self.low + fraction * (self.high - self.low)
    }

    /// The override for a fraction of the range.
    pub(crate) fn set(&self, fraction: f64) -> Override {
        let value = self.at(fraction);
        let text =
            if self.unit.is_empty() { format!("{value:?}") } else { format!("\"{value:?} {}\"", self.unit) };
        Override { key: self.key.clone(), value: text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_keys_with_bounds_and_units() {
        let mass: Parameter = "bodies.load.mass=1.5..6 t".parse().unwrap();
        assert_eq!((mass.low, mass.high, mass.unit.as_str()), (1.5, 6.0, "t"));
        assert_eq!(mass.set(0.5).value, "\"3.75 t\"");
        let damping: Parameter =
            "joints.a.hinge.spring.damping=1e-3 N*m*s/rad..2E+1 N*m*s/rad".parse().unwrap();
        assert_eq!((damping.low, damping.high), (1e-3, 20.0));
        let plain: Parameter = "parameters.x=-2..3".parse().unwrap();
        assert_eq!((plain.low, plain.set(0.0).value.as_str()), (-2.0, "-2.0"));
        for wrong in ["x", "x=1", "x=2..1", "x=1 m..2 kg", "=1..2", "x=a..b", "x=1..inf"] {
            assert!(wrong.parse::<Parameter>().is_err(), "{wrong}");
        }
    }
}
