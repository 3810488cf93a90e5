//! Patterns: a group repeated `count` times, with an index that its expressions may use.

use super::{DEEPEST, Expander, FEWER, Nest};
use crate::expand::expression::{self, Found, Value};
use crate::expand::fill;
use crate::expand::scope::{self, Scope};
use crate::kind::Section;
use crate::suggestion;
use crate::units;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

impl<'a, 'i> Expander<'a, 'i> {
    pub(super) fn pattern(
        &mut self,
        key: &Spanned<DeString<'i>>,
        value: &'a Spanned<DeValue<'i>>,
        scope: &Scope<'_>,
        nest: &Nest<'a>,
    ) {
        const KNOWN: [&str; 16] = [
            "count",
            "index",
            "from",
            "bodies",
            "joints",
            "forces",
            "cables",
            "winches",
            "vehicles",
            "tools",
            "tracks",
            "bins",
            "wheels",
            "inputs",
            "patterns",
            "instances",
        ];
        let name = suggestion::shortened(key.get_ref());
        let DeValue::Table(table) = value.get_ref() else {
            let help = "write [patterns.NAME] with count = … and bodies, joints, forces below it";
            self.problems.advise(value.span(), format!("pattern \"{name}\" is not a table"), help);
            return;
        };
        self.know(table, &KNOWN);
        let Some(count) = table.get("count") else {
            let help = "give the number of repetitions, such as count = 10";
            self.problems.advise(key.span(), format!("pattern \"{name}\" has no `count`"), help);
            return;
        };
        if nest.indexes.len() == DEEPEST {
            let message = format!("patterns are nested more than {DEEPEST} deep");
            self.problems.advise(key.span(), message, "reduce the nesting");
            return;
        }
        let times = self.whole_number("count", count, 0, 1e15, scope);
        let from =
            table.get("from").map_or(Some(0), |from| self.whole_number("from", from, -1e9, 1e9, scope));
        let index = self.index(table, scope, nest);
        let (Some(times), Some(from), Some(index)) = (times, from, index) else { return };
        let first = Scope::of_index(&index, from, scope);
        let each = size(table, &first);
        let most = self.budget.entries.iter().copied().max().unwrap_or(0).min(self.budget.rounds);
        if each.saturating_mul(times as usize) > most {
            let message = format!("pattern \"{name}\" creates {times} × {each} entries");
            self.overspent(count.span(), message, FEWER);
            return;
        }
        let mut inner = nest.clone();
        inner.indexes.push(index.clone());
        for i in from..from + times {
            if self.budget.spent {
                return;
            }
            self.budget.rounds = self.budget.rounds.saturating_sub(1);
            self.contents(table, &Scope::of_index(&index, i, scope), &inner);
        }
    }

    /// The name of a pattern's index.
    fn index(&mut self, table: &DeTable<'_>, scope: &Scope<'_>, nest: &Nest<'_>) -> Option<String> {
        let Some(value) = table.get("index") else {
            let taken = nest.indexes.iter().any(|i| i == "i");
            let span = table.get("count").map_or(0..0, |v| v.span());
            if taken {
                let help = "give this one another name, such as index = \"j\"";
                self.problems.advise(span, "the index `i` is also that of the surrounding pattern", help);
            }
            return (!taken).then(|| "i".to_string());
        };
        let name = value.get_ref().as_str().unwrap_or_default();
        if !expression::is_name(name) || expression::is_taken(name) {
            self.problems.advise(
                value.span(),
                "this is not a valid name of an index",
                "give a word, such as index = \"j\"",
            );
            return None;
        }
        if !matches!(scope.look(name), Found::Unknown) {
            let message = format!("`{}` is already a name in expressions", suggestion::shortened(name));
            self.problems.advise(value.span(), message, "give the index another name");
            return None;
        }
        Some(name.to_string())
    }

    /// A whole number in a range, which may be an expression.
    fn whole_number(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'_>>,
        low: impl Into<f64>,
        high: f64,
        mut scope: &Scope<'_>,
    ) -> Option<i64> {
        match scope::value_of(value.get_ref(), &mut scope) {
            Ok(given) => {
                let whole = whole(&given, low.into(), high);
                if whole.is_none() {
                    let shown = match given {
                        Value::Number(q) => suggestion::exact(q.si),
                        Value::Flag(flag) => flag.to_string(),
                        Value::Text(text) => format!("\"{}\"", suggestion::shortened(&text)),
                    };
                    let help =
                        if key == "count" { "give a whole number, 0 or more" } else { "give a whole number" };
                    self.problems.advise(value.span(), format!("`{key}` is {shown}"), help);
                }
                whole
            }
            Err(fault) => {
                fill::tell(fault, value, &scope, self.problems);
                None
            }
        }
    }
}

/// The whole number of a value, if it is one in a range.
fn whole(value: &Value, low: f64, high: f64) -> Option<i64> {
    match value {
        Value::Number(q) => {
            let plain = q.dimension.is_none_or(|d| d == units::Dimension::default());
            (plain && q.si.fract() == 0.0 && (low..=high).contains(&q.si)).then_some(q.si as i64)
        }
        _ => None,
    }
}

/// The number of entries per repetition of a group, estimated from its first one; at least 1.
fn size(table: &DeTable<'_>, mut scope: &Scope<'_>) -> usize {
    let inner = |key: &str| table.get(key).and_then(|v| v.get_ref().as_table());
    let own = Section::ALL.iter().filter_map(|s| inner(s.key())).map(|t| t.len()).max().unwrap_or(0);
    let instances = inner("instances").map_or(0, |t| t.len());
    let mut sum = own.max(instances);
    for pattern in
        inner("patterns").into_iter().flat_map(|t| t.values()).filter_map(|v| v.get_ref().as_table())
    {
        let count = pattern.get("count").and_then(|c| scope::value_of(c.get_ref(), &mut scope).ok());
        let count = count.and_then(|c| whole(&c, 0.0, 1e15)).unwrap_or(1) as usize;
        sum = sum.saturating_add(count.saturating_mul(size(pattern, scope)));
    }
    sum.max(1)
}
