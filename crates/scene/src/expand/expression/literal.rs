//! Numbers of an expression, with the unit that directly follows.

use super::{FUNCTIONS, Fault, Quantity, Reader, Value, fault};
use crate::suggestion;
use crate::units;

impl Reader<'_> {
    /// A number with the unit that directly follows it.
    pub(super) fn literal(&mut self) -> Result<Value, Fault> {
        let Some((si, rest)) = units::float(self.rest) else {
            return fault(
                format!("`{}` is not a number", suggestion::shortened(self.rest)),
                "write for example 0.5",
            );
        };
        self.rest = rest.trim_start();
        let end = self.unit_end()?;
        if end == 0 {
            return Ok(Value::Number(Quantity { si, dimension: None }));
        }
        let (scale, dimension) = match units::product(&self.rest[..end]) {
            Ok(product) => product,
            Err(e) => return Err(Fault::New(e.to_string(), e.help())),
        };
        self.rest = self.rest[end..].trim_start();
        Ok(Value::Number(Quantity { si: si * scale, dimension: Some(dimension) }))
    }

    /// The length of the unit that is next; 0 if there is none.
    fn unit_end(&mut self) -> Result<usize, Fault> {
        let word = |text: &str| {
            text.find(|c: char| !(c.is_alphabetic() || matches!(c, '°' | '%'))).unwrap_or(text.len())
        };
        let mut end = 0;
        loop {
            let after = &self.rest[end..];
            let sign = after.chars().next().filter(|c| matches!(c, '*' | '·' | '/'));
            let skip = if end == 0 { 0 } else { sign.map_or(0, char::len_utf8) };
            let after = &after[skip..];
            let name = &after[..word(after)];
            // a second unit needs an operator before it; a name that is no unit, or that calls a function, ends the
            // unit
            let is_unit = units::unit(name).is_ok();
            if name.is_empty() || (end > 0 && (skip == 0 || !is_unit)) {
                return Ok(end);
            }
            if end == 0 && !is_unit {
                return Err(self.no_unit(name));
            }
            if end > 0 && self.known(name) {
                let message = format!("`{name}` is both a unit and a parameter");
                return fault(
                    message,
                    format!("write ` * {name}` with spaces for the parameter, or rename it"),
                );
            }
            let Some((_, rest)) = units::power(&after[name.len()..]) else {
                return fault(format!("the power of `{name}` cannot be read"), "write for example m^2");
            };
            end = self.rest.len() - rest.len();
        }
    }

    /// The error for a word after a number that is no unit.
    fn no_unit(&mut self, name: &str) -> Fault {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let whole = self.rest[..end].to_string();
        if self.known(&whole) || FUNCTIONS.contains(&whole.as_str()) {
            return Fault::New(
                format!("`{whole}` directly follows a number"),
                Some(format!("write `* {whole}` to multiply by it")),
            );
        }
        let help = units::unit(name).err().and_then(|e| e.help());
        Fault::New(format!("no unit \"{}\"", suggestion::shortened(name)), help)
    }
}
