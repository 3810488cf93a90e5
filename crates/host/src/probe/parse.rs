//! Text → columns of a world.

mod contacts;
mod fluids;
mod grounds;
mod joints;
mod lines;

use super::column::Column;
use super::contact::ContactsOf;
use super::error::{ProbeError, suggestion};
use super::source::{BODY, Entry, GENERAL, IN_CONTACT, IN_FLUID, INPUT, Part, Source, VECTOR, input_unit};
use std::collections::BTreeSet;
use std::ops::Range;
use windlass_engine::inspect::subsystems::QuantityId;
use windlass_engine::prelude::{BodyId, InputId, Quantity, World};
use windlass_scene::FluidReading;

/// A word between dots.
#[derive(Clone, Debug)]
struct Word {
    text: String,
    span: Range<usize>,
    quoted: bool,
}

/// A body, its name, and the word that names it.
type Named<'a> = (BodyId, &'a str, Word);

/// A probe while it is parsed: its whole text, and the name of its columns.
struct Reader<'a> {
    text: &'a str,
    label: Option<String>,
    world: &'a World,
}

/// Words with which a probe may begin.
const GROUPS: [&str; 20] = [
    "bodies",
    "joints",
    "cables",
    "winches",
    "inputs",
    "fluids",
    "grounds",
    "tools",
    "bins",
    "wheels",
    "tracks",
    "controllers",
    "rules",
    "energy",
    "contacts",
    "step",
    "solver",
    "time",
    "distance(…)",
    "contact(…)",
];

/// Reads one probe.
pub fn probe(text: &str, world: &World) -> Result<Vec<Column>, ProbeError> {
    let start = outside_quotes(text, 0..text.len(), '=').map_or(0, |at| at + 1);
    let label = (start > 0).then(|| text[..start - 1].trim().to_string());
    if label.as_deref() == Some("") {
        return Err(ProbeError::new(
            text,
            0..start,
            "no label before =",
            "write label=probe, or the probe alone",
        ));
    }
    let reader = Reader { text, label, world };
    let source = text[start..].trim();
    let at = start + text[start..].len() - text[start..].trim_start().len();
    let range = at..at + source.len();
    if source.starts_with("distance(") {
        return reader.distance(range);
    }
    if source.starts_with("contact(") {
        return reader.contact(range);
    }
    if source.starts_with("cables.") {
        return reader.cables(range);
    }
    if source.starts_with("fluids.") {
        return reader.fluids(range);
    }
    if source.starts_with("grounds.") && source.ends_with(')') {
        return reader.place_on_ground(range);
    }
    let words = reader.words(range)?;
    match words[0].text.as_str() {
        "bodies" => reader.bodies(&words),
        "joints" => reader.joints(&words),
        "winches" => reader.winches(&words),
        "cables" => reader.cables(words[0].span.clone()),
        "inputs" => reader.inputs(&words),
        "controllers" => reader.quantities(&words, "controllers", Items::With("value")),
        "rules" => reader.quantities(&words, "controllers", Items::With("active")),
        "grounds" | "tools" | "bins" | "wheels" | "tracks" => {
            reader.quantities(&words, "soil", Items::OfSection)
        }
        key if world.quantities().iter().any(|(kind, ..)| *kind == key) => {
            reader.quantities(&words, key, Items::All)
        }
        _ => reader.general(&words),
    }
}

/// The items of a subsystem that a key means.
#[derive(Clone, Copy)]
enum Items {
    All,
    /// Those with a certain quantity.
    With(&'static str),
    /// Those whose names begin with the key and a dot.
    OfSection,
}

/// Position of a character outside quotes.
fn outside_quotes(text: &str, range: Range<usize>, letter: char) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text[range.clone()].char_indices() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == letter => return Some(range.start + at),
            None if c == '"' || c == '\'' => quote = Some(c),
            None => {}
        }
    }
    None
}

impl Reader<'_> {
    fn fail<T>(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Result<T, ProbeError> {
        Err(ProbeError::new(self.text, span, message, help))
    }

    /// Splits a part of the text at its dots; at least one word.
    fn words(&self, range: Range<usize>) -> Result<Vec<Word>, ProbeError> {
        let mut words = Vec::new();
        let mut from = range.start;
        loop {
            let dot = outside_quotes(self.text, from..range.end, '.');
            words.push(self.word(from..dot.unwrap_or(range.end))?);
            match dot {
                Some(dot) => from = dot + 1,
                None => return Ok(words),
            }
        }
    }

    fn word(&self, span: Range<usize>) -> Result<Word, ProbeError> {
        let text = &self.text[span.clone()];
        let quote = text.chars().next().filter(|c| *c == '"' || *c == '\'');
        if let Some(quote) = quote {
            return match text[1..].strip_suffix(quote).filter(|inside| !inside.contains(quote)) {
                Some(inside) => Ok(Word { text: inside.to_string(), span, quoted: true }),
                None => {
                    self.fail(span, "this quote is not closed", "quote the whole name: bodies.\"a.b\".speed")
                }
            };
        }
        if text.is_empty() {
            let place = span.start.saturating_sub(1)..span.start;
            return self.fail(place, "a word is missing here", "write it as bodies.NAME.position.z");
        }
        if let Some(at) = text.find([',', '(', ')', '"', '\'']) {
            let place = span.start + at..span.start + at + 1;
            let message = format!("`{}` is not allowed here", &text[at..=at]);
            return self.fail(
                place,
                message,
                "quote names that contain such characters: bodies.\"a,b\".speed",
            );
        }
        Ok(Word { text: text.to_string(), span, quoted: false })
    }

    /// Quantities of the whole scene, which need no name.
    fn general(&self, words: &[Word]) -> Result<Vec<Column>, ProbeError> {
        let asked: Vec<_> = words.iter().map(|w| w.text.as_str()).collect();
        let asked = asked.join(".");
        if asked == "time" {
            return Ok(vec![Column { name: self.name("time"), unit: "s", source: Source::Time }]);
        }
        if let Some((word, source, unit, _)) = GENERAL.iter().find(|g| g.0 == asked) {
            return Ok(vec![Column { name: self.name(word), unit, source: *source }]);
        }
        // underline the first word that does not match
        let heads = GENERAL.iter().map(|g| g.0.split('.').next().unwrap_or(g.0));
        let first = &words[0];
        if heads.clone().all(|head| head != first.text) {
            let help = suggestion(&first.text, "groups", GROUPS.into_iter());
            return self.fail(first.span.clone(), format!("nothing is called \"{}\"", first.text), help);
        }
        let parts = GENERAL.iter().filter_map(|g| g.0.strip_prefix(&first.text)?.strip_prefix('.'));
        let span = words.get(1).map_or(first.span.clone(), |w| w.span.start..words[words.len() - 1].span.end);
        let word = words.get(1).map_or("", |w| w.text.as_str());
        let help = match parts.clone().count() {
            0 => format!("\"{}\" is one number and has no parts", first.text),
            _ => suggestion(word, &format!("parts of \"{}\"", first.text), parts),
        };
        self.fail(span, format!("no \"{asked}\""), help)
    }

    /// `bodies.NAME.quantity[.component]`
    fn bodies(&self, words: &[Word]) -> Result<Vec<Column>, ProbeError> {
        let bodies = self.matching_bodies(words)?;
        let known = BODY.iter().map(|e| e.word).chain(IN_CONTACT.iter().map(|e| e.word));
        let known = known.chain(IN_FLUID.iter().map(|e| e.word));
        let asked = self.asked(words, 2, "body", known.clone())?;
        if let Some(entry) = IN_CONTACT.iter().find(|e| e.word == asked.text) {
            let parts = self.parts(entry, words.get(3))?;
            self.no_more(words, 4)?;
            let column = |(id, name): &(BodyId, &str)| {
                self.has_collision_shape(*id, name, &words[1])?;
                let base = self.base(&words[1], &format!("bodies.{}", quoted(name)), name, entry.word);
                let contacts = ContactsOf { on: *id, from: None };
                let source = |part| Source::Contact { contacts, quantity: entry.quantity, part };
                Ok(columns(&base, entry, &parts, self.label.is_some(), source))
            };
            return gathered(&words[1], bodies.iter().map(column));
        }
        if let Some(entry) = IN_FLUID.iter().find(|e| e.word == asked.text) {
            let parts = self.parts(entry, words.get(3))?;
            self.no_more(words, 4)?;
            let column = |(id, name): &(BodyId, &str)| {
                if FluidReading::of(self.world, *id).is_none() {
                    let message = format!("\"{name}\" is in no fluid");
                    let help = "fluids act on dynamic bodies with a shape in scenes with [fluids.NAME]";
                    return self.fail(words[1].span.clone(), message, help);
                }
                let base = self.base(&words[1], &format!("bodies.{}", quoted(name)), name, entry.word);
                let source = |part| Source::Fluid { body: *id, quantity: entry.quantity, part };
                Ok(columns(&base, entry, &parts, self.label.is_some(), source))
            };
            return gathered(&words[1], bodies.iter().map(column));
        }
        let Some(entry) = BODY.iter().find(|e| e.word == asked.text) else {
            let help = suggestion(&asked.text, "quantities", known);
            return self.fail(asked.span.clone(), format!("bodies have no \"{}\"", asked.text), help);
        };
        let parts = self.parts(entry, words.get(3))?;
        self.no_more(words, 4)?;
        let column = |(id, name): &(BodyId, &str)| {
            let body = self
                .world
                .model()
                .bodies()
                .get(*id)
                .filter(|b| b.is_dynamic() || !entry.quantity.needs_mass());
            let Some(body) = body else {
                let message = format!("\"{name}\" is not dynamic and has no {}", entry.word);
                return self.fail(words[1].span.clone(), message, "only dynamic bodies have a mass");
            };
            let base = self.base(&words[1], &format!("bodies.{}", quoted(name)), name, entry.word);
            let source = |part| Source::Body { body: *id, mass: body.mass, quantity: entry.quantity, part };
            Ok(columns(&base, entry, &parts, self.label.is_some(), source))
        };
        gathered(&words[1], bodies.iter().map(column))
    }

    /// `inputs.NAME[.quantity]`
    fn inputs(&self, words: &[Word]) -> Result<Vec<Column>, ProbeError> {
        let inputs = self.world.model().inputs();
        let all = inputs.iter().filter_map(|(place, i)| Some((inputs.id(place)?, i.name.as_str())));
        let found = self.matching(words, "input", "inputs", &all.collect::<Vec<_>>())?;
        self.no_more(words, 3)?;
        let asked = words.get(2).map_or(INPUT[0].0, |word| word.text.as_str());
        let Some((word, quantity, _)) = INPUT.iter().find(|q| q.0 == asked) else {
            let help = suggestion(asked, "quantities", INPUT.iter().map(|q| q.0));
            return self.fail(words[2].span.clone(), format!("inputs have no \"{asked}\""), help);
        };
        let column = |(id, name): &(InputId, &str)| {
            let path = format!("inputs.{}", quoted(name));
            let base = match words.len() {
                2 if self.label.is_none() => path,
                _ => self.base(&words[1], &path, name, word),
            };
            let source = Source::Input { input: *id, quantity: *quantity };
            Column { name: base, unit: input_unit(self.world, *id), source }
        };
        Ok(found.iter().map(column).collect())
    }

    /// `KEY.NAME.quantity` of a subsystem; the name may have dots
    fn quantities(&self, words: &[Word], kind: &str, which: Items) -> Result<Vec<Column>, ProbeError> {
        let joined;
        let words = match words {
            [key, first, .., last, quantity] if words.len() > 3 => {
                let names: Vec<&str> =
                    words[1..words.len() - 1].iter().map(|word| word.text.as_str()).collect();
                let span = first.span.start..last.span.end;
                let name = Word { text: names.join("."), span, quoted: first.quoted };
                joined = [key.clone(), name, quantity.clone()];
                &joined[..]
            }
            _ => words,
        };
        let key = words[0].text.as_str();
        let mut all = self.world.quantities();
        all.retain(|(key, ..)| *key == kind);
        match which {
            Items::All => {}
            Items::With(with) => {
                let is_of = |(_, _, q): &&(&str, QuantityId, Quantity)| q.name == with;
                let items: BTreeSet<String> =
                    all.iter().filter(is_of).map(|(_, _, q)| q.item.clone()).collect();
                all.retain(|(_, _, q)| items.contains(&q.item));
            }
            Items::OfSection => all.retain_mut(|(_, _, q)| {
                let own = q.item.strip_prefix(key).and_then(|rest| rest.strip_prefix('.'));
                let own = own.map(str::to_string);
                own.map(|own| q.item = own).is_some()
            }),
        }
        let mut items: Vec<(&str, &str)> =
            all.iter().map(|(_, _, q)| (q.item.as_str(), q.item.as_str())).collect();
        items.dedup();
        let (one, several) = match which {
            Items::All => ("item", "items"),
            _ => (key.trim_end_matches('s'), key),
        };
        let found = self.matching(words, one, several, &items)?;
        let names: BTreeSet<&str> = all.iter().map(|(_, _, q)| q.name).collect();
        let known = || names.iter().copied();
        let asked = self.asked(words, 2, "item", known())?;
        self.no_more(words, 3)?;
        let column = |(item, name): &(&str, &str)| {
            let quantity = all.iter().find(|(_, _, q)| q.item == *item && q.name == asked.text);
            let Some((_, id, q)) = quantity else {
                let help = suggestion(&asked.text, "quantities", known());
                return self.fail(asked.span.clone(), format!("\"{name}\" has no \"{}\"", asked.text), help);
            };
            let parts: Vec<String> = name.split('.').map(quoted).collect();
            let name = self.base(&words[1], &format!("{key}.{}", parts.join(".")), name, q.name);
            Ok(vec![Column { name, unit: q.unit, source: Source::Quantity(*id) }])
        };
        gathered(&words[1], found.iter().map(column))
    }

    fn matching_bodies(&self, words: &[Word]) -> Result<Vec<(BodyId, &str)>, ProbeError> {
        let bodies = self.world.model().bodies();
        let all = bodies.iter().filter_map(|(place, b)| Some((bodies.id(place)?, b.name.as_str())));
        self.matching(words, "body", "bodies", &all.collect::<Vec<_>>())
    }

    /// The entries that the second word names.
    fn matching<'b, I: Copy>(
        &self,
        words: &[Word],
        one: &str,
        several: &str,
        all: &[(I, &'b str)],
    ) -> Result<Vec<(I, &'b str)>, ProbeError> {
        let names = all.iter().map(|(_, name)| *name);
        let Some(word) = words.get(1) else {
            let help = suggestion("", several, names);
            return self.fail(words[0].span.clone(), format!("which {one}?"), help);
        };
        let found: Vec<_> = all.iter().filter(|(_, name)| word.names(name)).copied().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        // a name with dots that was not quoted
        let rest = &self.text[word.span.start..];
        let dotted = |name: &&str| name.contains('.') && rest.starts_with(*name);
        let help = match names.clone().find(dotted) {
            Some(name) => format!("names with dots are quoted: {several}.\"{name}\""),
            None => suggestion(&word.text, several, names),
        };
        self.fail(word.span.clone(), format!("no {one} \"{}\"", word.text), help)
    }

    /// The word that names the quantity of a body or joint.
    fn asked<'b>(
        &self,
        words: &'b [Word],
        place: usize,
        one: &str,
        known: impl Iterator<Item = &'static str> + Clone,
    ) -> Result<&'b Word, ProbeError> {
        match words.get(place) {
            Some(word) => Ok(word),
            None => {
                let span = words[words.len() - 1].span.clone();
                self.fail(
                    span,
                    format!("the quantity of this {one} is missing"),
                    suggestion("", "quantities", known),
                )
            }
        }
    }

    /// The components of a quantity that a word selects; all of them if there is no word.
    fn parts<Q>(&self, entry: &Entry<Q>, word: Option<&Word>) -> Result<Vec<Part>, ProbeError> {
        let Some(word) = word else {
            return Ok((0..entry.components.len().max(1)).map(Part::Component).collect());
        };
        if entry.components.is_empty() {
            let help = format!("write it without \".{}\"", word.text);
            return self.fail(word.span.clone(), format!("\"{}\" is one number", entry.word), help);
        }
        if let Some(i) = entry.components.iter().position(|c| *c == word.text) {
            return Ok(vec![Part::Component(i)]);
        }
        let sized = entry.components == VECTOR;
        if sized && word.text == "size" {
            return Ok(vec![Part::Size]);
        }
        let known = entry.components.iter().copied().chain(sized.then_some("size"));
        let help = suggestion(&word.text, "components", known);
        self.fail(word.span.clone(), format!("\"{}\" has no \"{}\"", entry.word, word.text), help)
    }

    fn no_more(&self, words: &[Word], count: usize) -> Result<(), ProbeError> {
        match words.get(count) {
            Some(word) => {
                let span = word.span.start..words[words.len() - 1].span.end;
                self.fail(span, "nothing may follow here", "leave it out; names with dots are quoted")
            }
            None => Ok(()),
        }
    }

    fn name(&self, otherwise: &str) -> String {
        self.label.clone().unwrap_or_else(|| otherwise.to_string())
    }

    /// The name of the columns of a body or joint, without components.
    fn base(&self, word: &Word, path: &str, name: &str, quantity: &str) -> String {
        match &self.label {
            Some(label) if word.is_pattern() => format!("{label}.{name}"),
            Some(label) => label.clone(),
            None => format!("{path}.{quantity}"),
        }
    }
}

/// The columns of the components of a quantity. Under a label a single component needs no name of its own.
fn columns<Q>(
    base: &str,
    entry: &Entry<Q>,
    parts: &[Part],
    labelled: bool,
    source: impl Fn(Part) -> Source,
) -> Vec<Column> {
    let single = entry.components.is_empty() || (labelled && parts.len() == 1);
    let name = |part: &Part| match part {
        _ if single => base.to_string(),
        Part::Component(i) => format!("{base}.{}", entry.components[*i]),
        Part::Size => format!("{base}.size"),
    };
    parts.iter().map(|part| Column { name: name(part), unit: entry.unit, source: source(*part) }).collect()
}

/// All columns. Entries matched by a pattern may lack the quantity as long as one has it; a named entry must have
/// it.
fn gathered(
    word: &Word,
    each: impl Iterator<Item = Result<Vec<Column>, ProbeError>>,
) -> Result<Vec<Column>, ProbeError> {
    let (mut all, mut first) = (Vec::new(), None);
    for columns in each {
        match columns {
            Ok(columns) => all.extend(columns),
            Err(e) if word.is_pattern() => first = first.or(Some(e)),
            Err(e) => return Err(e),
        }
    }
    match first {
        Some(e) if all.is_empty() => Err(e),
        _ => Ok(all),
    }
}

impl Word {
    fn is_pattern(&self) -> bool {
        !self.quoted && self.text.contains('*')
    }

    /// Whether it matches a name.
    fn names(&self, name: &str) -> bool {
        if self.is_pattern() { fits(&self.text, name) } else { self.text == name }
    }
}

/// Whether a name matches a pattern in which `*` matches any characters.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    // the leftmost match of each piece leaves most for the others
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A name as it is written in a probe.
pub fn quoted(name: &str) -> String {
    let special = |c: char| matches!(c, '.' | ',' | '(' | ')' | '=' | '*' | '"' | '\'');
    match (name.contains(special) || name.trim() != name, name.contains('"')) {
        (false, _) => name.to_string(),
        (true, false) => format!("\"{name}\""),
        (true, true) => format!("'{name}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names() {
        for (pattern, name, wanted) in [
            ("link*", "link12", true),
            ("link*", "chain", false),
            ("*", "", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "acb", false),
            ("*a", "banana", true),
            ("a*a", "a", false),
            ("ab", "abc", false),
        ] {
            assert_eq!(fits(pattern, name), wanted, "{pattern} {name}");
        }
    }
}
