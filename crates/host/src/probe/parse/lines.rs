//! Probes of cables, routed ropes and winches.

use super::super::cable::{ALONG, CableQuantity, WHOLE, line_length, lines};
use super::super::column::Column;
use super::super::error::{ProbeError, suggestion};
use super::super::rope::{self, RopeQuantity, Strung};
use super::super::source::Source;
use super::{Reader, Word, gathered, outside_quotes, quoted};
use crate::text::{self, digits};
use std::ops::Range;
use windlass_scene::number::{Length, Quantity};
use windlass_scene::{CableRef, units};

impl Reader<'_> {
    /// `cables.NAME.quantity(metres)`, `cables.NAME.quantity` or `cables.NAME.quantity.k`
    pub(super) fn cables(&self, all: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let open = outside_quotes(self.text, all.clone(), '(');
        let words = self.words(all.start..open.unwrap_or(all.end))?;
        let mut ropes = self.named_ropes(&words);
        // quantities along flexible segments are read as for other cables
        let asked: Vec<_> = words.iter().skip(2).map(|w| w.text.as_str()).collect();
        let is_along = open.is_some() || WHOLE.iter().any(|q| q.0 == asked.join("."));
        if is_along && self.of_rope(&asked.join(".")).is_none_or(|_| open.is_some()) {
            ropes.retain(|(rope, _)| matches!(rope, Strung::Rope(_)));
        }
        if ropes.is_empty() {
            return self.laid(open, &words, all);
        }
        let reeved = self.ropes(&ropes, &words, open, &all);
        // a pattern may match cables of both kinds
        match words[1].is_pattern().then(|| self.laid(open, &words, all)) {
            None | Some(Err(_)) => reeved,
            Some(Ok(mut laid)) => {
                let reeved = reeved.unwrap_or_default();
                laid.retain(|column| reeved.iter().all(|other| other.name != column.name));
                laid.extend(reeved);
                Ok(laid)
            }
        }
    }

    /// The cables with a route that the second word names.
    pub(super) fn named_ropes(&self, words: &[Word]) -> Vec<(Strung, &str)> {
        let all = rope::strung(self.world);
        words.get(1).map_or_else(Vec::new, |word| all.filter(|(_, name)| word.names(name)).collect())
    }

    /// `cables.NAME.quantity` or `cables.NAME.quantity.k` of cables with a route.
    pub(super) fn ropes(
        &self,
        ropes: &[(Strung, &str)],
        words: &[Word],
        open: Option<usize>,
        all: &Range<usize>,
    ) -> Result<Vec<Column>, ProbeError> {
        let known = rope::WHOLE.iter().map(|q| q.0).chain(rope::NUMBERED.iter().map(|q| q.0));
        let asked = self.asked(words, 2, "cable", known.clone())?;
        if let Some(open) = open {
            let help = "its tension is given per span: write tension, or tension.2 for the second";
            return self.fail(
                open..all.end,
                "a cable with a massless route has no quantities at positions along it",
                help,
            );
        }
        let rest: Vec<_> = words[2..].iter().map(|w| w.text.as_str()).collect();
        let rest = rest.join(".");
        let (word, unit, quantity) = match self.of_rope(&rest) {
            Some(found) => found,
            None => {
                let help = suggestion(&rest, "quantities", known);
                return self.fail(
                    asked.span.start..all.end,
                    format!("cables with a route have no \"{rest}\""),
                    help,
                );
            }
        };
        gathered(
            &words[1],
            ropes.iter().map(|(id, name)| {
                let reading = id.reading(self.world).unwrap_or_default();
                if !quantity.is_of(&reading) {
                    let message = format!("cable \"{name}\" has no \"{word}\"");
                    let (spans, points) = (reading.tensions.len(), reading.wraps.len());
                    let help = format!("it has {} and {points} points", text::count(spans, "span"));
                    return self.fail(asked.span.start..all.end, message, help);
                }
                let name = self.base(&words[1], &format!("cables.{}", quoted(name)), name, &word);
                Ok(vec![Column { name, unit, source: Source::Rope { rope: *id, quantity } }])
            }),
        )
    }

    /// The quantity of a rope that a word, or a word and a number, selects.
    pub(super) fn of_rope(&self, asked: &str) -> Option<(String, &'static str, RopeQuantity)> {
        if let Some((word, quantity, unit, _)) = rope::WHOLE.iter().find(|q| q.0 == asked) {
            return Some((word.to_string(), unit, *quantity));
        }
        let (word, number) = asked.split_once('.')?;
        let (_, quantity, unit, _) = rope::NUMBERED.iter().find(|q| q.0 == word)?;
        let number = number.parse::<usize>().ok()?.checked_sub(1)?;
        Some((asked.to_string(), unit, quantity(number)))
    }

    /// `winches.NAME.quantity`
    pub(super) fn winches(&self, words: &[Word]) -> Result<Vec<Column>, ProbeError> {
        let winches = self.matching(words, "winch", "winches", &rope::winches(self.world))?;
        let known = rope::WINCH.iter().map(|q| q.0);
        let asked = self.asked(words, 2, "winch", known.clone())?;
        self.no_more(words, 3)?;
        let Some((word, quantity, unit, _)) = rope::WINCH.iter().find(|q| q.0 == asked.text) else {
            let help = suggestion(&asked.text, "quantities", known);
            return self.fail(asked.span.clone(), format!("winches have no \"{}\"", asked.text), help);
        };
        let column = |(drum, name): &(rope::Drum, &str)| {
            let name = self.base(&words[1], &format!("winches.{}", quoted(name)), name, word);
            Ok(vec![Column { name, unit, source: Source::Winch { drum: *drum, quantity: *quantity } }])
        };
        gathered(&words[1], winches.iter().map(column))
    }

    /// `cables.NAME.quantity(metres)` or `cables.NAME.quantity` of cables without a route.
    pub(super) fn laid(
        &self,
        open: Option<usize>,
        words: &[Word],
        all: Range<usize>,
    ) -> Result<Vec<Column>, ProbeError> {
        let cables = self.matching_cables(words)?;
        let known = WHOLE.iter().map(|q| q.0).chain(ALONG.iter().map(|q| q.0));
        let asked = self.asked(words, 2, "cable", known.clone())?;
        let (word, unit, quantity) = match open {
            Some(open) => {
                let place = self.place(open, &all)?;
                self.no_more(words, 3)?;
                let Some((word, quantity, unit, _)) = ALONG.iter().find(|q| q.0 == asked.text) else {
                    let help = suggestion(&asked.text, "quantities at a position", ALONG.iter().map(|q| q.0));
                    return self.fail(
                        asked.span.clone(),
                        format!("cables have no \"{}(s)\"", asked.text),
                        help,
                    );
                };
                (format!("{word}({place})"), *unit, CableQuantity::At(*quantity, place))
            }
            None => {
                let rest: Vec<_> = words[2..].iter().map(|w| w.text.as_str()).collect();
                let rest = rest.join(".");
                let Some((word, quantity, unit, _)) = WHOLE.iter().find(|q| q.0 == rest) else {
                    let help = match ALONG.iter().find(|q| q.0 == rest) {
                        Some((word, ..)) => {
                            format!("give the position in metres from its start: {word}(2.5)")
                        }
                        None => suggestion(&rest, "quantities", known),
                    };
                    let span = asked.span.start..all.end;
                    return self.fail(span, format!("cables have no \"{rest}\""), help);
                };
                (word.to_string(), *unit, *quantity)
            }
        };
        gathered(
            &words[1],
            cables.iter().map(|(id, name)| {
                if let CableQuantity::At(_, place) = quantity {
                    self.is_on(*id, name, place, &words[1])?;
                }
                if matches!(id, CableRef::Points(_)) && !quantity.is_of_points() {
                    let message = format!("cable \"{name}\" is of mass points, which have no \"{word}\"");
                    let help = "use tension, moment, curvature, length or a coordinate";
                    return self.fail(asked.span.clone(), message, help);
                }
                let name = self.base(&words[1], &format!("cables.{}", quoted(name)), name, &word);
                Ok(vec![Column { name, unit, source: Source::Cable { cable: *id, quantity } }])
            }),
        )
    }

    /// The position in parentheses [m].
    pub(super) fn place(&self, open: usize, all: &Range<usize>) -> Result<f64, ProbeError> {
        let help = "write metres from its start: cables.NAME.tension(2.5)";
        let Some(inside) = self.text[open + 1..all.end].strip_suffix(')') else {
            return self.fail(open..all.end, "the parenthesis is not closed at the end", help);
        };
        match units::parse(inside.trim(), Length::DIMENSION) {
            Ok(place) if place.is_finite() => Ok(place),
            _ => self.fail(
                open + 1..all.end - 1,
                format!("\"{}\" is not a position along a cable", inside.trim()),
                help,
            ),
        }
    }

    /// Rejects a position beyond the ends of a cable.
    pub(super) fn is_on(&self, id: CableRef, name: &str, place: f64, at: &Word) -> Result<(), ProbeError> {
        let length = line_length(self.world, id);
        if (0.0..=length * (1.0 + 1e-9)).contains(&place) {
            return Ok(());
        }
        let message = format!("{place} m is beyond the end of cable \"{name}\"");
        self.fail(
            at.span.clone(),
            message,
            format!("positions are from 0 to {} m of unloaded length", digits(length)),
        )
    }

    pub(super) fn matching_cables(&self, words: &[Word]) -> Result<Vec<(CableRef, &str)>, ProbeError> {
        self.matching(words, "cable", "cables", &lines(self.world).collect::<Vec<_>>())
    }
}
