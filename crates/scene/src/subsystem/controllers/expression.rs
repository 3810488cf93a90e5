//! Parses the expressions of controllers and rules, `abs(bodies.load.velocity.x) > 0.1 m/s and not rules.stop.active`.
//!
//! ```text
//! or         = and { "or" and }
//! and        = not { "and" not }
//! not        = "not" not | comparison
//! comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") (sum | 'state') ]
//! sum        = product { (+ | -) product }
//! product    = signed { (* | /) signed }
//! signed     = { + | - } power
//! power      = atom [ ^ signed ]
//! atom       = number [unit] | name | name.name… | `probe` | function ( or {, or} ) | ( or )
//! ```
//!
//! A single name is `time`, `pi`, a controller, a rule, or an entry of `[probes]`. Names with dots are probes. A probe
//! with other characters stands in backquotes. A state machine is compared with the name of a state in quotes.

use crate::suggestion;
use crate::units;
use std::collections::BTreeMap;
use windlass_control::{Binary, Expression, ItemQuantity, Unary};

/// Maximum length of an expression [bytes].
const LONGEST: usize = 2000;
/// Maximum nesting.
const DEEPEST: usize = 40;

/// Functions of one operand.
const UNARY: [(&str, Unary); 10] = [
    ("abs", Unary::Abs),
    ("sqrt", Unary::Sqrt),
    ("sign", Unary::Sign),
    ("floor", Unary::Floor),
    ("exp", Unary::Exp),
    ("sin", Unary::Sin),
    ("cos", Unary::Cos),
    ("tan", Unary::Tan),
    ("asin", Unary::Asin),
    ("acos", Unary::Acos),
];
/// Other functions, with their arguments.
const FUNCTIONS: [(&str, &str); 6] = [
    ("min", "(a, b)"),
    ("max", "(a, b)"),
    ("atan2", "(y, x)"),
    ("clamp", "(x, low, high)"),
    ("if", "(condition, then, else)"),
    ("previous", "(controller)"),
];
/// Operators with names, and constants.
const WORDS: [&str; 7] = ["and", "or", "not", "time", "pi", "true", "false"];

/// Comparisons, longer ones first.
const COMPARISONS: [(&str, Binary); 6] = [
    ("<=", Binary::NotAbove),
    (">=", Binary::NotBelow),
    ("==", Binary::Equal),
    ("!=", Binary::Different),
    ("<", Binary::Less),
    (">", Binary::Greater),
];

/// Whether a name has a meaning of its own in expressions.
pub fn is_reserved(name: &str) -> bool {
    WORDS.contains(&name) || functions().any(|known| known == name)
}

fn functions() -> impl Iterator<Item = &'static str> {
    UNARY.iter().map(|f| f.0).chain(FUNCTIONS.iter().map(|f| f.0))
}

/// A controller or a rule, as expressions refer to it.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its number.
    pub number: usize,
    /// Whether it is a rule.
    pub is_rule: bool,
    /// The states of a state machine, in the order of their numbers.
    pub states: Vec<String>,
}

/// The names that expressions may use, and the probes found in them.
#[derive(Debug, Default)]
pub struct Names {
    /// Controllers and rules.
    pub items: BTreeMap<String, Known>,
    /// Texts of the entries of `[probes]`.
    pub probes: BTreeMap<String, String>,
    /// The probes found so far, each once.
    pub found: Vec<String>,
}

impl Names {
    fn probe(&mut self, text: &str) -> Expression {
        let known = self.found.iter().position(|found| found == text);
        let number = known.unwrap_or_else(|| {
            self.found.push(text.to_string());
            self.found.len() - 1
        });
        Expression::Probe(number)
    }
}

/// The error in an expression, and a remedy.
pub type Fault = (String, String);

fn fault<T>(message: impl Into<String>, help: impl Into<String>) -> Result<T, Fault> {
    Err((message.into(), help.into()))
}

/// The expression of a text.
pub fn parse(text: &str, names: &mut Names) -> Result<Expression, Fault> {
    if text.len() > LONGEST {
        return fault(format!("the expression has {} bytes", text.len()), format!("give at most {LONGEST}"));
    }
    let mut reader = Reader { rest: text.trim(), depth: 0, names };
    let expression = reader.or()?;
    match reader.rest {
        "" => Ok(expression),
        rest if rest.starts_with('=') => fault("found `=`", "a comparison is written ==".to_string()),
        rest => {
            let message = format!("unexpected `{}`", suggestion::shortened(rest));
            fault(message, "an operator or a parenthesis is missing before it")
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: usize,
    names: &'a mut Names,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Reader<'a> {
    /// Takes a sign, if it is next.
    fn take(&mut self, sign: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(sign) else { return false };
        self.rest = rest.trim_start();
        true
    }

    /// Takes a word, if it is next.
    fn word(&mut self, word: &str) -> bool {
        match self.rest.strip_prefix(word) {
            Some(rest) if !rest.starts_with(|c: char| is_word(c) || c == '.') => {
                self.rest = rest.trim_start();
                true
            }
            _ => false,
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth == DEEPEST {
            return fault(format!("more than {DEEPEST} levels"), "split it into several controllers");
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn or(&mut self) -> Result<Expression, Fault> {
        let mut left = self.and()?;
        while self.word("or") || self.take("||") {
            left = Expression::binary(Binary::Or, left, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expression, Fault> {
        let mut left = self.not()?;
        while self.word("and") || self.take("&&") {
            left = Expression::binary(Binary::And, left, self.not()?);
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expression, Fault> {
        if self.word("not") || (!self.rest.starts_with("!=") && self.take("!")) {
            return Ok(Expression::unary(Unary::Not, self.deeper(Self::not)?));
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expression, Fault> {
        let left = self.sum()?;
        let Some((_, operation)) = COMPARISONS.iter().find(|(sign, _)| self.take(sign)) else {
            return Ok(left);
        };
        if let Some(quote) = self.rest.chars().next().filter(|c| matches!(c, '\'' | '"')) {
            return self.state(left, *operation, quote);
        }
        Ok(Expression::binary(*operation, left, self.sum()?))
    }

    /// A comparison of a state machine with the name of a state.
    fn state(&mut self, left: Expression, operation: Binary, quote: char) -> Result<Expression, Fault> {
        let Some((name, rest)) = self.rest[1..].split_once(quote) else {
            return fault("a quote is not closed", "write the name of a state: mode == 'lift'");
        };
        let number = match left {
            Expression::Item(number, ItemQuantity::Value | ItemQuantity::State) => number,
            _ => return fault("a text that is compared with a number", "compare a state machine with it"),
        };
        let known = self.names.items.values().find(|item| item.number == number);
        let states = known.map_or(&[][..], |item| &item.states);
        if !matches!(operation, Binary::Equal | Binary::Different) {
            return fault("states have no order", "compare them by == or !=");
        }
        let Some(place) = states.iter().position(|state| state == name) else {
            let help = match suggestion::nearest(name, states.iter().map(String::as_str)) {
                Some(near) => format!("did you mean '{near}'?"),
                None if states.is_empty() => "only state machines have states".to_string(),
                None => format!("the states are {}", states.join(", ")),
            };
            return fault(format!("no state '{}'", suggestion::shortened(name)), help);
        };
        self.rest = rest.trim_start();
        let state = Expression::Item(number, ItemQuantity::State);
        Ok(Expression::binary(operation, state, Expression::Number(place as f64)))
    }

    fn sum(&mut self) -> Result<Expression, Fault> {
        let mut left = self.product()?;
        loop {
            let operation = match () {
                () if self.take("+") => Binary::Add,
                () if self.take("-") || self.take("−") => Binary::Subtract,
                () => return Ok(left),
            };
            left = Expression::binary(operation, left, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expression, Fault> {
        let mut left = self.signed()?;
        loop {
            let operation = match () {
                () if self.take("*") || self.take("·") || self.take("×") => Binary::Multiply,
                () if self.take("/") => Binary::Divide,
                () => return Ok(left),
            };
            left = Expression::binary(operation, left, self.signed()?);
        }
    }

    fn signed(&mut self) -> Result<Expression, Fault> {
        if self.take("-") || self.take("−") {
            return Ok(match self.deeper(Self::signed)? {
                Expression::Number(x) => Expression::Number(-x),
                x => Expression::unary(Unary::Negate, x),
            });
        }
        if self.take("+") {
            return self.deeper(Self::signed);
        }
        let base = self.atom()?;
        match self.take("^") {
            true => Ok(Expression::binary(Binary::Power, base, self.deeper(Self::signed)?)),
            false => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<Expression, Fault> {
        if self.take("(") {
            let value = self.deeper(Self::or)?;
            return if self.take(")") { Ok(value) } else { fault("a `(` is not closed", "add `)`") };
        }
        match self.rest.chars().next() {
            None => fault("the expression is incomplete", "a number or a name is missing at its end"),
            Some(c) if c.is_ascii_digit() || c == '.' => self.literal(),
            Some('`') => {
                let Some((probe, rest)) = self.rest[1..].split_once('`') else {
                    return fault("a backquote is not closed", "write `distance(bodies.a, bodies.b)`");
                };
                self.rest = rest.trim_start();
                self.named(probe.trim())
            }
            Some(c) if is_word(c) => self.name(),
            Some(c) => fault(
                format!("found `{c}` instead of a number or a name"),
                "write for example 2 * (a + 5 mm)",
            ),
        }
    }

    /// A number with the unit that follows it.
    fn literal(&mut self) -> Result<Expression, Fault> {
        let Some((number, rest)) = units::float(self.rest) else {
            let message = format!("`{}` is not a number", suggestion::shortened(self.rest));
            return fault(message, "write for example 0.5");
        };
        self.rest = rest.trim_start();
        let end = self.unit_end()?;
        let scale = match &self.rest[..end] {
            "" => 1.0,
            unit => units::product(unit).map_err(|e| (e.to_string(), e.help().unwrap_or_default()))?.0,
        };
        self.rest = self.rest[end..].trim_start();
        Ok(Expression::Number(number * scale))
    }

    /// The length of the unit that is next; 0 if there is none.
    fn unit_end(&self) -> Result<usize, Fault> {
        let mut end = 0;
        loop {
            let after = &self.rest[end..];
            let sign = after.chars().next().filter(|c| end > 0 && matches!(c, '*' | '·' | '/'));
            let after = &after[sign.map_or(0, char::len_utf8)..];
            let length =
                after.find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%'))).unwrap_or(after.len());
            let name = &after[..length];
            let is_first = end == 0;
            if name.is_empty() || WORDS.contains(&name) || (!is_first && sign.is_none()) {
                return Ok(end);
            }
            if let Err(e) = units::unit(name) {
                return if is_first { Err((e.to_string(), e.help().unwrap_or_default())) } else { Ok(end) };
            }
            let Some((_, rest)) = units::power(&after[length..]) else {
                return fault(format!("the power of `{name}` cannot be read"), "write for example m^2");
            };
            end = self.rest.len() - rest.len();
        }
    }

    /// A function, or a path of names.
    fn name(&mut self) -> Result<Expression, Fault> {
        let mut end = 0;
        loop {
            end += self.rest[end..].find(|c| !is_word(c)).unwrap_or(self.rest.len() - end);
            let after = self.rest[end..].strip_prefix('.');
            if !after.is_some_and(|after| after.starts_with(is_word)) {
                break;
            }
            end += 1;
        }
        let path: &'a str = &self.rest[..end];
        self.rest = self.rest[end..].trim_start();
        if self.rest.starts_with('(') && !path.contains('.') {
            return self.function(path);
        }
        self.named(path)
    }

    /// The meaning of a name.
    fn named(&mut self, path: &str) -> Result<Expression, Fault> {
        match path {
            "time" => return Ok(Expression::Time),
            "pi" => return Ok(Expression::Number(std::f64::consts::PI)),
            "true" => return Ok(Expression::Number(1.0)),
            "false" => return Ok(Expression::Number(0.0)),
            _ => {}
        }
        for (group, is_rule) in [("controllers.", false), ("rules.", true)] {
            if let Some(rest) = path.strip_prefix(group) {
                return self.item(rest, is_rule);
            }
        }
        if let Some(item) = self.names.items.get(path) {
            return Ok(Expression::Item(item.number, ItemQuantity::Value));
        }
        if let Some(text) = self.names.probes.get(path).cloned() {
            return Ok(self.names.probe(&text));
        }
        if path.contains(['.', '(']) {
            return Ok(self.names.probe(path));
        }
        let own = self.names.items.keys().chain(self.names.probes.keys());
        let mut known: Vec<&str> = own.take(suggestion::MOST).map(String::as_str).collect();
        known.extend(functions().chain(WORDS).map(|name| name as &str));
        let help = match suggestion::nearest(path, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "name a controller, a rule, an entry of [probes], or a probe such as bodies.load.speed"
                .to_string(),
        };
        fault(format!("unknown name `{}`", suggestion::shortened(path)), help)
    }

    /// `NAME` or `NAME.quantity` of a controller or a rule.
    fn item(&mut self, path: &str, is_rule: bool) -> Result<Expression, Fault> {
        let of = |name: &str| self.names.items.get(name).filter(|item| item.is_rule == is_rule);
        if let Some(item) = of(path) {
            return Ok(Expression::Item(item.number, ItemQuantity::Value));
        }
        let (name, word) = path.rsplit_once('.').unwrap_or((path, ""));
        let one = if is_rule { "rule" } else { "controller" };
        let Some(item) = of(name) else {
            let known = self.names.items.iter().filter(|(_, item)| item.is_rule == is_rule);
            let help = match suggestion::nearest(name, known.map(|(name, _)| name.as_str())) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("define it as [{one}s.NAME]"),
            };
            return fault(format!("no {one} \"{}\"", suggestion::shortened(name)), help);
        };
        let quantity = match (word, is_rule) {
            ("value", false) | ("active", true) => ItemQuantity::Value,
            ("state", false) if !item.states.is_empty() => ItemQuantity::State,
            ("enabled", _) => ItemQuantity::Enabled,
            _ => {
                let known = match is_rule {
                    true => "active and enabled",
                    false if item.states.is_empty() => "value and enabled",
                    false => "value, state and enabled",
                };
                return fault(format!("{one} \"{name}\" has no \"{word}\""), format!("it has {known}"));
            }
        };
        Ok(Expression::Item(item.number, quantity))
    }

    fn function(&mut self, name: &str) -> Result<Expression, Fault> {
        let known = FUNCTIONS.iter().find(|f| f.0 == name).map(|f| f.1);
        let unary = UNARY.iter().find(|f| f.0 == name).map(|f| f.1);
        if known.is_none() && unary.is_none() {
            let help = match suggestion::nearest(name, functions()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the functions are {}", functions().collect::<Vec<_>>().join(", ")),
            };
            return fault(format!("no function `{}`", suggestion::shortened(name)), help);
        }
        self.take("(");
        let mut all = vec![self.deeper(Self::or)?];
        while self.take(",") {
            all.push(self.deeper(Self::or)?);
        }
        if !self.take(")") {
            return fault(format!("`{name}(` is not closed"), "add `)`");
        }
        called(name, unary, all).or_else(|count| {
            let help = format!("write {name}{}", known.unwrap_or("(a)"));
            let numbers = if count == 1 { "1 argument".to_string() } else { format!("{count} arguments") };
            fault(format!("`{name}` with {numbers}"), help)
        })
    }
}

/// A function of its arguments, or their number if there may not be so many.
fn called(name: &str, unary: Option<Unary>, all: Vec<Expression>) -> Result<Expression, usize> {
    let count = all.len();
    let mut all = all.into_iter();
    let mut next = || all.next().ok_or(count);
    let binary = Expression::binary;
    match (name, unary, count) {
        (_, Some(function), 1) => Ok(Expression::unary(function, next()?)),
        ("min" | "max", _, 2..) => {
            let operation = if name == "min" { Binary::Min } else { Binary::Max };
            let first = next()?;
            Ok(all.fold(first, |a, b| binary(operation, a, b)))
        }
        ("atan2", _, 2) => Ok(binary(Binary::Atan2, next()?, next()?)),
        ("clamp", _, 3) => Ok(binary(Binary::Min, binary(Binary::Max, next()?, next()?), next()?)),
        ("if", _, 3) => Ok(Expression::If(Box::new([next()?, next()?, next()?]))),
        ("previous", _, 1) => match next()? {
            Expression::Item(number, ItemQuantity::Value) => Ok(Expression::Previous(number)),
            _ => Err(count),
        },
        _ => Err(count),
    }
}
