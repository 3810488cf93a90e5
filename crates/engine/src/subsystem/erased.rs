//! Type-erased subsystems, as stored in model, state and stages.

use super::any::{AnyEdit, AnyWork, own_work};
use super::{
    Advance, Drawing, Inputs, Misfit, PartFault, Quantity, Refusal, SolvedStep, StatePart, Subsystem,
    SubsystemRows, View,
};
use crate::contact::Contacts;
use crate::energy::Energy;
use crate::load::Loads;
use crate::slots::BodyId;
use crate::words::{STRIPE, SnapshotError, WordReader, WordWriter};
use std::any::Any;
use std::fmt;

/// The key of a subsystem, padded with zeros.
type Key = [u8; 16];

fn key_of(name: &str) -> Key {
    let mut key = [0; 16];
    key[..name.len()].copy_from_slice(name.as_bytes());
    key
}

/// A subsystem of any type.
pub(crate) trait Kind: fmt::Debug + Send + Sync {
    fn key(&self) -> &'static str;
    fn boxed(&self) -> Box<dyn Kind>;
    fn as_any(&self) -> &dyn Any;
    fn initial(&self) -> Part;
    fn read_part(&self, words: &mut WordReader<'_>) -> Result<Part, SnapshotError>;
    fn work(&self) -> Box<dyn AnyWork>;
    fn loads(&self, view: &View<'_>, part: &Part, work: &mut dyn AnyWork, out: &mut Loads);
    fn contacts(&self, view: &View<'_>, part: &Part, work: &mut dyn AnyWork, contacts: &mut Contacts);
    fn heights(&self, part: &Part, body: u32, window: [[usize; 2]; 2], out: &mut Vec<f64>);
    fn rows(
        &self,
        view: &View<'_>,
        part: &Part,
        inputs: Inputs<'_>,
        work: &mut dyn AnyWork,
        out: &mut SubsystemRows<'_>,
    );
    fn requires_spook(&self) -> bool;
    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        parts: (&Part, &mut Part),
        work: &mut dyn AnyWork,
    ) -> [Energy; 2];
    fn work_done(&self, step: &SolvedStep<'_>, part: &Part, work: &dyn AnyWork) -> Option<f64>;
    fn fault(&self, next: &Part) -> Option<PartFault>;
    fn energy(&self, view: &View<'_>, part: &Part) -> Energy;
    fn accepts(&self, view: &View<'_>, part: &Part) -> Result<(), Misfit>;
    fn apply(
        &mut self,
        edit: Box<dyn AnyEdit>,
        part: &mut Part,
        view: &View<'_>,
    ) -> Result<SubsystemEdit, Refusal>;
    fn bodies(&self) -> Vec<BodyId>;
    fn body_removed(&mut self, body: BodyId, part: &mut Part) -> Vec<SubsystemEdit>;
    fn quantities(&self) -> Vec<Quantity>;
    fn read(&self, view: &View<'_>, part: &Part, number: usize) -> f64;
    fn drawings(&self, view: &View<'_>, part: &Part) -> Vec<Drawing>;
}

impl<S: Subsystem> Kind for S {
    fn key(&self) -> &'static str {
        S::KEY
    }

    fn boxed(&self) -> Box<dyn Kind> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn initial(&self) -> Part {
        Part::of::<S>(S::State::default())
    }

    fn read_part(&self, words: &mut WordReader<'_>) -> Result<Part, SnapshotError> {
        S::State::read(words).map(Part::of::<S>)
    }

    fn work(&self) -> Box<dyn AnyWork> {
        Box::new(S::Work::default())
    }

    fn loads(&self, view: &View<'_>, part: &Part, work: &mut dyn AnyWork, out: &mut Loads) {
        Subsystem::loads(self, view, part.own::<S>(), own_work::<S>(work), out);
    }

    fn contacts(&self, view: &View<'_>, part: &Part, work: &mut dyn AnyWork, contacts: &mut Contacts) {
        Subsystem::contacts(self, view, part.own::<S>(), own_work::<S>(work), contacts);
    }

    fn heights(&self, part: &Part, body: u32, window: [[usize; 2]; 2], out: &mut Vec<f64>) {
        Subsystem::heights(self, part.own::<S>(), body, window, out);
    }

    fn rows(
        &self,
        view: &View<'_>,
        part: &Part,
        inputs: Inputs<'_>,
        work: &mut dyn AnyWork,
        out: &mut SubsystemRows<'_>,
    ) {
        Subsystem::rows(self, view, part.own::<S>(), inputs, own_work::<S>(work), out);
    }

    fn requires_spook(&self) -> bool {
        Subsystem::requires_spook(self)
    }

    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        (now, next): (&Part, &mut Part),
        work: &mut dyn AnyWork,
    ) -> [Energy; 2] {
        let states = (now.own::<S>(), next.own_mut::<S>());
        Subsystem::advance(self, view, step, states, own_work::<S>(work))
    }

    fn work_done(&self, step: &SolvedStep<'_>, part: &Part, work: &dyn AnyWork) -> Option<f64> {
        Subsystem::work_done(self, step, part.own::<S>(), (work as &dyn Any).downcast_ref()?)
    }

    fn fault(&self, next: &Part) -> Option<PartFault> {
        Subsystem::fault(self, next.own::<S>())
    }

    fn energy(&self, view: &View<'_>, part: &Part) -> Energy {
        Subsystem::energy(self, view, part.own::<S>())
    }

    fn accepts(&self, view: &View<'_>, part: &Part) -> Result<(), Misfit> {
        match part.get::<S>() {
            Some(state) => Subsystem::accepts(self, view, state),
            None => Err(Misfit::OtherModel),
        }
    }

    fn apply(
        &mut self,
        edit: Box<dyn AnyEdit>,
        part: &mut Part,
        view: &View<'_>,
    ) -> Result<SubsystemEdit, Refusal> {
        let edit = edit.into_any().downcast::<S::Edit>().expect("an edit finds its kind by its key");
        Subsystem::apply(self, *edit, part.own_mut::<S>(), view).map(SubsystemEdit::of::<S>)
    }

    fn bodies(&self) -> Vec<BodyId> {
        Subsystem::bodies(self)
    }

    fn body_removed(&mut self, body: BodyId, part: &mut Part) -> Vec<SubsystemEdit> {
        let edits = Subsystem::body_removed(self, body, part.own_mut::<S>());
        edits.into_iter().map(SubsystemEdit::of::<S>).collect()
    }

    fn quantities(&self) -> Vec<Quantity> {
        Subsystem::quantities(self)
    }

    fn read(&self, view: &View<'_>, part: &Part, number: usize) -> f64 {
        Subsystem::read(self, view, part.own::<S>(), number)
    }

    fn drawings(&self, view: &View<'_>, part: &Part) -> Vec<Drawing> {
        Subsystem::drawings(self, view, part.own::<S>())
    }
}

impl Clone for Box<dyn Kind> {
    fn clone(&self) -> Self {
        self.as_ref().boxed()
    }
}

/// The subsystems of a model, ascending by key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinds(Vec<Box<dyn Kind>>);

impl Kinds {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &dyn Kind> {
        self.0.iter().map(AsRef::as_ref)
    }

    pub fn get<S: Subsystem>(&self) -> Option<&S> {
        self.iter().find(|kind| kind.key() == S::KEY)?.as_any().downcast_ref()
    }

    /// Applies an edit. A subsystem that the model does not have yet is added first.
    pub fn apply(
        &mut self,
        edit: SubsystemEdit,
        parts: &mut Vec<Part>,
        view: &View<'_>,
    ) -> Result<SubsystemEdit, Refusal> {
        match self.0.binary_search_by_key(&edit.key, |kind| kind.key()) {
            Ok(place) => self.0[place].apply(edit.edit, &mut parts[place], view),
            Err(place) => {
                let mut kind = (edit.new)();
                let mut part = kind.initial();
                let undo = kind.apply(edit.edit, &mut part, view)?;
                parts.insert(place, part);
                self.0.insert(place, kind);
                Ok(undo)
            }
        }
    }

    /// Releases a body.
    pub fn body_removed(&mut self, body: BodyId, parts: &mut [Part]) -> Vec<SubsystemEdit> {
        let all = self.0.iter_mut().zip(parts);
        all.flat_map(|(kind, part)| kind.body_removed(body, part)).collect()
    }
}

/// The buffers of all subsystems, in their order.
#[derive(Debug, Default)]
pub(crate) struct SubsystemWork(Vec<(&'static str, Box<dyn AnyWork>)>);

impl SubsystemWork {
    /// All subsystems with their parts and buffers.
    pub fn with<'a, P: 'a>(
        &'a mut self,
        kinds: &'a Kinds,
        parts: impl IntoIterator<Item = P> + 'a,
    ) -> impl Iterator<Item = (&'a dyn Kind, P, &'a mut dyn AnyWork)> {
        if !self.0.iter().map(|(key, _)| *key).eq(kinds.iter().map(Kind::key)) {
            self.0 = kinds.iter().map(|kind| (kind.key(), kind.work())).collect();
        }
        let work = self.0.iter_mut().map(|(_, work)| work.as_mut());
        kinds.iter().zip(parts).zip(work).map(|((kind, part), work)| (kind, part, work))
    }

    /// Work done in an interval of a solved step by all subsystems [J]; none if one does not account for its work.
    pub fn done(&self, kinds: &Kinds, parts: &[Part], step: &SolvedStep<'_>) -> Option<f64> {
        let all = kinds.iter().zip(parts).zip(&self.0);
        all.map(|((kind, part), (_, work))| kind.work_done(step, part, work.as_ref())).sum()
    }

    /// The buffers of a subsystem.
    pub fn get<S: Subsystem>(&self) -> Option<&S::Work> {
        let (_, work) = self.0.iter().find(|(key, _)| *key == S::KEY)?;
        (work.as_ref() as &dyn Any).downcast_ref()
    }
}

/// A state of any type.
trait AnyState: Any + fmt::Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn AnyState>;
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Copies another of the same type over this one; returns whether the types agree.
    fn copy_from(&mut self, other: &dyn AnyState) -> bool;
    fn is_equal(&self, other: &dyn AnyState) -> bool;
    fn write(&self, out: &mut WordWriter<'_>);
}

impl<T: StatePart> AnyState for T {
    fn boxed(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn copy_from(&mut self, other: &dyn AnyState) -> bool {
        let other = other.as_any().downcast_ref::<T>();
        other.map(|other| self.clone_from(other)).is_some()
    }

    fn is_equal(&self, other: &dyn AnyState) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }

    fn write(&self, out: &mut WordWriter<'_>) {
        StatePart::write(self, out);
    }
}

/// State of one subsystem.
#[derive(Debug)]
pub struct Part {
    key: Key,
    version: u32,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Live(Box<dyn AnyState>),
    /// As read, to be decoded by a model that has the subsystem.
    Words(Vec<u64>),
}

impl Part {
    fn of<S: Subsystem>(state: S::State) -> Part {
        const { assert!(S::KEY.len() <= 16, "a key has 16 bytes at most") };
        Part { key: key_of(S::KEY), version: S::VERSION, content: Content::Live(Box::new(state)) }
    }

    /// The state of a subsystem, if it has this type.
    pub fn get<S: Subsystem>(&self) -> Option<&S::State> {
        match &self.content {
            Content::Live(state) => state.as_ref().as_any().downcast_ref(),
            Content::Words(_) => None,
        }
    }

    /// The same, mutable.
    pub fn get_mut<S: Subsystem>(&mut self) -> Option<&mut S::State> {
        match &mut self.content {
            Content::Live(state) => state.as_mut().as_any_mut().downcast_mut(),
            Content::Words(_) => None,
        }
    }

    fn own<S: Subsystem>(&self) -> &S::State {
        self.get::<S>().expect("states of a world have the parts of its model")
    }

    fn own_mut<S: Subsystem>(&mut self) -> &mut S::State {
        self.get_mut::<S>().expect("states of a world have the parts of its model")
    }

    /// Decodes words into the state of a subsystem of the model.
    pub(crate) fn resolve(&mut self, kinds: &Kinds) -> Result<(), SnapshotError> {
        let Content::Words(words) = &self.content else { return Ok(()) };
        let known = |kind: &&dyn Kind| key_of(kind.key()) == self.key;
        let kind = kinds.iter().find(known).ok_or_else(|| self.unknown())?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut reader = WordReader::new(&bytes, 0);
        let read = kind.read_part(&mut reader)?;
        if reader.at() != bytes.len() {
            return Err(SnapshotError::Damaged { at: reader.at(), value: words[reader.at() / 8] });
        }
        if read.version != self.version {
            return Err(self.unknown());
        }
        *self = read;
        Ok(())
    }

    fn unknown(&self) -> SnapshotError {
        let name = self.key.split(|byte| *byte == 0).next().unwrap_or_default();
        SnapshotError::Unknown { key: String::from_utf8_lossy(name).into_owned(), version: self.version }
    }

    /// Passes its words to `each`: key, version and number of words first.
    pub(crate) fn words(&self, each: &mut dyn FnMut(&[u64])) {
        let mut count = 0;
        self.content(&mut |words| count += words.len());
        let word = |k: usize| u64::from_le_bytes(self.key[k..k + 8].try_into().expect("8 bytes were taken"));
        each(&[word(0), word(8), u64::from(self.version), count as u64]);
        self.content(each);
    }

    fn content(&self, each: &mut dyn FnMut(&[u64])) {
        match &self.content {
            Content::Live(state) => {
                let mut out = WordWriter::new(each);
                state.write(&mut out);
                out.end();
            }
            Content::Words(words) => words.chunks(STRIPE).for_each(each),
        }
    }

    /// Reads what `words` wrote, without decoding.
    pub(crate) fn read(r: &mut WordReader<'_>) -> Result<Part, SnapshotError> {
        let mut key = [0; 16];
        key[..8].copy_from_slice(&r.integer()?.to_le_bytes());
        key[8..].copy_from_slice(&r.integer()?.to_le_bytes());
        let version = r.below(1 << 32)? as u32;
        let count = r.length(1)?;
        let words = (0..count).map(|_| r.integer()).collect::<Result<_, _>>()?;
        r.zeros(count)?;
        Ok(Part { key, version, content: Content::Words(words) })
    }
}

// Written out so that copying over a part of the same type does not allocate.
impl Clone for Part {
    fn clone(&self) -> Part {
        let content = match &self.content {
            Content::Live(state) => Content::Live(state.as_ref().boxed()),
            Content::Words(words) => Content::Words(words.clone()),
        };
        Part { key: self.key, version: self.version, content }
    }

    fn clone_from(&mut self, other: &Part) {
        let copied = match (&mut self.content, &other.content) {
            (Content::Live(own), Content::Live(state)) => own.copy_from(state.as_ref()),
            _ => false,
        };
        if !copied {
            *self = other.clone();
        }
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Part) -> bool {
        match (&self.content, &other.content) {
            (Content::Live(a), Content::Live(b)) => a.is_equal(b.as_ref()),
            _ => {
                let words = |part: &Part| {
                    let mut all = Vec::new();
                    part.words(&mut |words| all.extend_from_slice(words));
                    all
                };
                words(self) == words(other)
            }
        }
    }
}

/// A change of a subsystem.
pub struct SubsystemEdit {
    key: &'static str,
    /// Creates an empty subsystem, for a model that does not have it yet.
    new: fn() -> Box<dyn Kind>,
    edit: Box<dyn AnyEdit>,
}

impl SubsystemEdit {
    /// A change of a subsystem.
    pub fn of<S: Subsystem>(edit: S::Edit) -> SubsystemEdit {
        SubsystemEdit { key: S::KEY, new: || Box::new(S::default()), edit: Box::new(edit) }
    }

    /// The change, if it has this type.
    pub fn get<S: Subsystem>(&self) -> Option<&S::Edit> {
        self.edit.as_ref().any_edit().downcast_ref()
    }
}

impl Clone for SubsystemEdit {
    fn clone(&self) -> SubsystemEdit {
        SubsystemEdit { key: self.key, new: self.new, edit: self.edit.as_ref().boxed() }
    }
}

impl fmt::Debug for SubsystemEdit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {:?}", self.key, self.edit)
    }
}
