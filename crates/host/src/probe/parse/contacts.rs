//! Probes of pairs of bodies: distance and contact.

use super::super::column::Column;
use super::super::contact::ContactsOf;
use super::super::error::{ProbeError, suggestion};
use super::super::source::{BETWEEN, Source};
use super::{Named, Reader, Word, columns, outside_quotes, quoted};
use std::ops::Range;
use windlass_engine::prelude::BodyId;

impl Reader<'_> {
    /// `distance(bodies.a, bodies.b)`
    pub(super) fn distance(&self, all: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let (ends, end) = self.between("distance", "distance(bodies.NAME, bodies.NAME)", &all)?;
        if end < all.end {
            return self.fail(end..all.end, "nothing may follow here", "a distance is one number");
        }
        let [(a, first), (b, second)] = ends.map(|(id, name, _)| (id, name));
        let name = self.name(&format!("distance(bodies.{}, bodies.{})", quoted(first), quoted(second)));
        Ok(vec![Column { name, unit: "m", source: Source::Distance([a, b]) }])
    }

    /// `contact(bodies.a, bodies.b).quantity[.component]`
    pub(super) fn contact(&self, all: Range<usize>) -> Result<Vec<Column>, ProbeError> {
        let form = "contact(bodies.NAME, bodies.NAME).force";
        let (ends, end) = self.between("contact", form, &all)?;
        for (id, name, word) in &ends {
            self.has_collision_shape(*id, name, word)?;
        }
        let known = BETWEEN.iter().map(|e| e.word);
        let Some(rest) = self.text[end..all.end].strip_prefix('.') else {
            let help = suggestion("", "quantities", known);
            return self.fail(all.start..end, "the quantity of this contact is missing", help);
        };
        let words = self.words(all.end - rest.len()..all.end)?;
        let asked = &words[0];
        let Some(entry) = BETWEEN.iter().find(|e| e.word == asked.text) else {
            let help = suggestion(&asked.text, "quantities", known);
            return self.fail(asked.span.clone(), format!("contacts have no \"{}\"", asked.text), help);
        };
        let parts = self.parts(entry, words.get(1))?;
        self.no_more(&words, 2)?;
        let [(first, first_name, _), (second, second_name, _)] = &ends;
        let [a, b] = [first_name, second_name].map(|name| quoted(name));
        let base = self.name(&format!("contact(bodies.{a}, bodies.{b}).{}", entry.word));
        let contacts = ContactsOf { on: *second, from: Some(*first) };
        let source = |part| Source::Contact { contacts, quantity: entry.quantity, part };
        Ok(columns(&base, entry, &parts, self.label.is_some(), source))
    }

    /// The two bodies between parentheses, and where the text continues after them.
    pub(super) fn between(
        &self,
        what: &str,
        form: &str,
        all: &Range<usize>,
    ) -> Result<([Named<'_>; 2], usize), ProbeError> {
        let help = format!("write {form}");
        let start = all.start + what.len() + 1;
        let Some(end) = outside_quotes(self.text, start..all.end, ')') else {
            return self.fail(all.clone(), "the parenthesis is not closed", help);
        };
        let Some(comma) = outside_quotes(self.text, start..end, ',') else {
            return self.fail(start..end, format!("a {what} is between two bodies"), help);
        };
        let one = |range: Range<usize>| {
            let piece = &self.text[range.clone()];
            let at = range.start + piece.len() - piece.trim_start().len();
            let words = self.words(at..at + piece.trim().len())?;
            if words[0].text != "bodies" {
                let message = format!("a {what} is between two bodies");
                return self.fail(words[0].span.clone(), message, help.clone());
            }
            self.no_more(&words, 2)?;
            match self.matching_bodies(&words)?.as_slice() {
                [(id, name)] => Ok((*id, *name, words[1].clone())),
                _ => {
                    let message = format!("a {what} needs one body at each end");
                    self.fail(words[1].span.clone(), message, help.clone())
                }
            }
        };
        Ok(([one(start..comma)?, one(comma + 1..end)?], end + 1))
    }

    /// Rejects a body without collision shapes.
    pub(super) fn has_collision_shape(&self, id: BodyId, name: &str, at: &Word) -> Result<(), ProbeError> {
        if self.world.model().bodies().get(id).is_some_and(|b| !b.colliders.is_empty()) {
            return Ok(());
        }
        let help = "give it a shape, without collide = false, or something in `collision`";
        self.fail(at.span.clone(), format!("body \"{name}\" has no collision shape"), help)
    }
}
