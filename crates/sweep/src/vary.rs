//! The text of a varied key → its values, or the distribution of its samples.
//!
//! ```text
//!  vary         = key "=" grid | key "=" list | key "~" distribution
//!  grid         = from ".." to ":" n [":" ("linear" | "log")]        n values, both ends included
//!  list         = "[" value {"," value} "]"
//!  distribution = "uniform(" from "," to ")"
//!               | "normal(" mean "," standard deviation ")"
//!               | "lognormal(" median "," standard deviation of the logarithm ")"
//!               | "choice(" value {"," value} ")"                    each with the same probability
//! ```
//!
//! Numbers have units as in scenes. Values of lists and choices are TOML values or bare text, as `--set` takes them.

use crate::error::SweepError;
use crate::normal;
use crate::value::{Setting, number, numbers, outside, parts, setting, settings, unit_of};

/// Largest number of values of one key.
const MOST: usize = 1_000_000;

const FORMS: &str = "write KEY=a..b:n, KEY=[v1, v2], KEY~uniform(a, b), KEY~normal(mean, sd), \
                     KEY~lognormal(median, s) or KEY~choice(v1, v2)";

/// A key of the scene and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// As `--set` takes it.
    pub key: String,
    /// The SI unit of its numbers; empty for plain numbers and texts.
    pub unit: String,
    /// Its values.
    pub values: Values,
}

/// The values of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// All of these.
    Each(Vec<Setting>),
    /// Samples of a distribution.
    Sampled(Distribution),
}

/// A distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Between two numbers.
    Uniform(f64, f64),
    /// Of a mean and a standard deviation.
    Normal(f64, f64),
    /// Of a median and the standard deviation of the logarithm.
    LogNormal(f64, f64),
    /// One of these.
    Choice(Vec<Setting>),
}

impl Vary {
    /// Reads the text of a varied key.
    pub fn parse(text: &str) -> Result<Vary, SweepError> {
        let found = outside(text).find(|(_, c)| matches!(c, '=' | '~'));
        let (at, sign) =
            found.ok_or_else(|| SweepError::within(text, "the entry to vary has no = or ~", FORMS))?;
        let (key, given) = (text[..at].trim(), text[at + 1..].trim());
        if key.is_empty() {
            return Err(SweepError::within(text, "the entry to vary has no key", FORMS));
        }
        let read = if sign == '~' { sampled(given) } else { each(given) };
        let (values, unit) =
            read.map_err(|e| SweepError::new(format!("vary {key}: {}", e.message), e.help))?;
        Ok(Vary { key: key.to_string(), unit, values })
    }

    /// Whether its values are samples.
    pub fn is_sampled(&self) -> bool {
        matches!(self.values, Values::Sampled(_))
    }
}

impl Distribution {
    /// The value at a probability above 0 and below 1.
    pub fn at(&self, p: f64, unit: &str) -> Setting {
        let x = match self {
            Distribution::Uniform(a, b) => (a + (b - a) * p).clamp(a.min(*b), a.max(*b)),
            Distribution::Normal(mean, deviation) => mean + deviation * normal::quantile(p),
            Distribution::LogNormal(median, s) => median * libm::exp(s * normal::quantile(p)),
            Distribution::Choice(list) => {
                let place = (p * list.len() as f64) as usize;
                return list[place.min(list.len() - 1)].clone();
            }
        };
        setting(x, unit)
    }
}

/// A list or a grid.
fn each(text: &str) -> Result<(Values, String), SweepError> {
    if let Some(inside) = text.strip_prefix('[') {
        let Some(inside) = inside.strip_suffix(']') else {
            return Err(SweepError::within(text, "the list does not end", "close it with ]"));
        };
        let (list, unit) = listed(inside)?;
        return Ok((Values::Each(list), unit));
    }
    let Some((from, rest)) = text.split_once("..") else {
        return Err(SweepError::within(text, "neither a grid nor a list", FORMS));
    };
    let mut words = rest.split(':');
    let (to, count, spacing) = (words.next().unwrap_or(""), words.next(), words.next());
    let count = count.and_then(|n| n.trim().parse::<usize>().ok()).filter(|n| (2..=MOST).contains(n));
    let log = match (spacing.map(str::trim), words.next()) {
        (None | Some("linear"), None) => Some(false),
        (Some("log"), None) => Some(true),
        _ => None,
    };
    let (Some(count), Some(log)) = (count, log) else {
        let help = format!("write a..b:n or a..b:n:log with n of 2 to {MOST}, such as \"0.5 t..6 t:12\"");
        return Err(SweepError::within(text, "not a grid", help));
    };
    let (ends, dimension) = numbers(&[from, to])?;
    let unit = unit_of(dimension);
    let (a, b) = (ends[0], ends[1]);
    if log && !(a * b > 0.0) {
        let help = "give two numbers of the same sign, or leave out :log";
        return Err(SweepError::within(text, "a logarithmic grid cannot contain 0", help));
    }
    let last = (count - 1) as f64;
    let at = |i: usize| match (i, i as f64 / last) {
        (0, _) => a,
        (i, _) if i + 1 == count => b,
        (_, share) if log => a * libm::pow(b / a, share),
        (_, share) => a + (b - a) * share,
    };
    Ok((Values::Each((0..count).map(|i| setting(at(i), &unit)).collect()), unit))
}

/// The values of a list.
fn listed(text: &str) -> Result<(Vec<Setting>, String), SweepError> {
    let texts = parts(text);
    if texts.is_empty() || texts.len() > MOST || texts.iter().any(|text| text.trim().is_empty()) {
        let help = format!("give 1 to {MOST} values, separated by commas");
        return Err(SweepError::within(text, "an empty value, or too many", help));
    }
    Ok(settings(&texts))
}

/// A distribution.
fn sampled(text: &str) -> Result<(Values, String), SweepError> {
    let call = text.split_once('(').and_then(|(name, rest)| Some((name.trim(), rest.strip_suffix(')')?)));
    let (name, inside) = call.ok_or_else(|| SweepError::within(text, "not a distribution", FORMS))?;
    if name == "choice" {
        let (list, unit) = listed(inside)?;
        return Ok((Values::Sampled(Distribution::Choice(list)), unit));
    }
    if !["uniform", "normal", "lognormal"].contains(&name) {
        return Err(SweepError::within(name, "no such distribution", FORMS));
    }
    let [first, second] = parts(inside)[..] else {
        return Err(SweepError::within(text, format!("{name} takes two numbers"), FORMS));
    };
    let wrong = |message: &str, help: &str| Err(SweepError::within(text, message, help));
    if name == "lognormal" {
        let ((median, dimension), (s, of_s)) = (number(first)?, number(second)?);
        if of_s.is_some() || !(s >= 0.0 && median > 0.0) {
            let help =
                "give the median, above 0, and the standard deviation of the logarithm, a plain number";
            return wrong("not the parameters of a lognormal distribution", help);
        }
        return Ok((Values::Sampled(Distribution::LogNormal(median, s)), unit_of(dimension)));
    }
    let (two, dimension) = numbers(&[first, second])?;
    if name == "normal" && two[1] < 0.0 {
        return wrong("the standard deviation is negative", "give the mean, then the standard deviation");
    }
    let distribution = match name {
        "normal" => Distribution::Normal(two[0], two[1]),
        _ => Distribution::Uniform(two[0], two[1]),
    };
    Ok((Values::Sampled(distribution), unit_of(dimension)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Cell;

    fn cells(text: &str) -> (Vec<f64>, String) {
        let vary = Vary::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let Values::Each(list) = vary.values else { panic!("{text} is sampled") };
        let number = |one: &Setting| match one.cell {
            Cell::Number(x) => x,
            Cell::Text(ref text) => panic!("{text}"),
        };
        (list.iter().map(number).collect(), vary.unit)
    }

    #[test]
    fn grids_include_both_ends() {
        assert_eq!(
            cells("bodies.load.mass=0.5 t..2 t:4"),
            (vec![500.0, 1000.0, 1500.0, 2000.0], "kg".into())
        );
        assert_eq!(cells("a=1..100:3:log"), (vec![1.0, 10.0, 100.0], String::new()));
        assert_eq!(cells("a=-1 m..100 cm:3").0, [-1.0, 0.0, 1.0]);
        let (deg, unit) = cells("joints.\"a=b\".hinge.value=0 deg..90 deg:2");
        assert!((deg[1] - std::f64::consts::FRAC_PI_2).abs() < 1e-15 && unit == "rad");
    }

    #[test]
    fn distributions_have_their_quantiles() {
        let at = |text: &str, p: f64| {
            let Values::Sampled(d) = Vary::parse(text).unwrap().values else { panic!() };
            match d.at(p, "").cell {
                Cell::Number(x) => x,
                Cell::Text(_) => f64::NAN,
            }
        };
        assert_eq!(at("a~uniform(2, 4)", 0.25), 2.5);
        assert_eq!(at("a~normal(2 t, 200 kg)", 0.5), 2000.0);
        // Φ(1)
        let one = 0.841_344_746_068_542_9;
        assert!((at("a~normal(2 t, 200 kg)", one) - 2200.0).abs() < 1e-9);
        assert!((at("a~lognormal(10, 0.5)", one) - 10.0 * libm::exp(0.5)).abs() < 1e-12);
        assert_eq!(at("a~choice(1, 2, 3)", 0.999_999), 3.0);
        assert_eq!(at("a~choice(1, 2, 3)", 0.34), 2.0);
    }

    #[test]
    fn what_is_wrong_is_named_with_a_remedy() {
        for (text, words) in [
            ("mass", "has no = or ~"),
            ("=1..2:3", "has no key"),
            ("a=1", "neither a grid nor a list"),
            ("a=1..2", "not a grid"),
            ("a=1..2:1", "not a grid"),
            ("a=1..2:3:cubic", "not a grid"),
            ("a=1 t..2 m:3", "unit is of another kind"),
            ("a=0..1:3:log", "cannot contain 0"),
            ("a=[1, 2", "does not end"),
            ("a=[]", "an empty value"),
            ("a=[1,,2]", "an empty value"),
            ("a~gauss(1, 2)", "no such distribution"),
            ("a~normal(1)", "takes two numbers"),
            ("a~normal(1, -2)", "negative"),
            ("a~lognormal(-1, 2)", "not the parameters"),
            ("a~lognormal(1 t, 2 t)", "not the parameters"),
            ("a~uniform(1, x)", "does not start with a number"),
        ] {
            let told = Vary::parse(text).map(|v| panic!("{v:?}")).unwrap_err();
            assert!(told.message.contains(words), "{text}: {told}");
            assert!(!told.help.is_empty());
        }
    }
}
