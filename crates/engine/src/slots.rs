//! A list with stable indices: removing an entry never moves another (slot map).
//!
//! An [`Id`] is an index and a generation; the id of a removed entry finds nothing, even after its
//! index has been reused. Iteration is by index, so that it does not depend on history.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Handle of an entry. Edits and queries of the world check it. `K` marks the kind of entry.
pub struct Id<K> {
    pub(crate) index: u32,
    pub(crate) generation: u32,
    kind: PhantomData<fn() -> K>,
}

impl<K> Id<K> {
    /// The index of the entry: dense from 0, reused after removal.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.index, self.generation) == (other.index, other.generation)
    }
}
impl<K> Eq for Id<K> {}
impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.index, self.generation).hash(state);
    }
}
impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

#[derive(Clone, Debug)]
struct Slot<T> {
    generation: u32,
    /// The generation of the next entry: never one that was used before.
    next: u32,
    value: Option<T>,
}

/// The list. Its entries are identified by ids of kind `K`.
#[derive(Clone, Debug)]
pub struct Slots<T, K = T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    kind: PhantomData<fn() -> K>,
}

impl<T, K> Default for Slots<T, K> {
    fn default() -> Self {
        Slots { slots: Vec::new(), free: Vec::new(), kind: PhantomData }
    }
}

impl<T, K> Slots<T, K> {
    /// Inserts a value at the last freed index, or at the end.
    pub fn insert(&mut self, value: T) -> Id<K> {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, next: 0, value: None });
            self.slots.len() as u32 - 1
        });
        let slot = &mut self.slots[index as usize];
        slot.generation = slot.next;
        slot.next += 1;
        slot.value = Some(value);
        Id { index, generation: slot.generation, kind: PhantomData }
    }

    /// Removes a value; its id is invalid from then on.
    pub fn remove(&mut self, id: Id<K>) -> Option<T> {
        let slot = self.slots.get_mut(id.index()).filter(|s| s.generation == id.generation)?;
        let value = slot.value.take()?;
        self.free.push(id.index);
        Some(value)
    }

    /// Restores a removed value under its old id. The slot must be empty.
    pub fn restore(&mut self, id: Id<K>, value: T) -> bool {
        let Some(slot) = self.slots.get_mut(id.index()).filter(|s| s.value.is_none()) else { return false };
        slot.generation = id.generation;
        slot.value = Some(value);
        self.free.retain(|&i| i != id.index);
        true
    }

    /// The entry of an id.
    pub fn get(&self, id: Id<K>) -> Option<&T> {
        self.slots.get(id.index()).filter(|s| s.generation == id.generation)?.value.as_ref()
    }

    /// The same, mutable.
    pub fn get_mut(&mut self, id: Id<K>) -> Option<&mut T> {
        self.slots.get_mut(id.index()).filter(|s| s.generation == id.generation)?.value.as_mut()
    }

    /// The entry at an index, if any.
    pub fn at(&self, index: usize) -> Option<&T> {
        self.slots.get(index)?.value.as_ref()
    }

    /// The id of the entry at an index.
    pub fn id(&self, index: usize) -> Option<Id<K>> {
        let slot = self.slots.get(index)?;
        slot.value.as_ref()?;
        Some(Id { index: index as u32, generation: slot.generation, kind: PhantomData })
    }

    /// All entries with their indices, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        self.slots.iter().enumerate().filter_map(|(i, s)| Some((i, s.value.as_ref()?)))
    }

    /// Number of slots, empty ones included.
    pub fn places(&self) -> usize {
        self.slots.len()
    }

    /// Number of entries.
    pub fn count(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

/// Kinds of ids: an id refers to a kind of entry without knowing its type.
#[allow(missing_docs, reason = "each names the kind of thing of the same name")]
pub mod tag {
    #[derive(Clone, Copy, Debug)]
    pub enum Body {}
    #[derive(Clone, Copy, Debug)]
    pub enum Joint {}
    #[derive(Clone, Copy, Debug)]
    pub enum Force {}
    #[derive(Clone, Copy, Debug)]
    pub enum Cable {}
    #[derive(Clone, Copy, Debug)]
    pub enum Input {}
}

/// Identifies a body for as long as it exists.
pub type BodyId = Id<tag::Body>;
/// Identifies a joint for as long as it exists.
pub type JointId = Id<tag::Joint>;
/// Identifies a force for as long as it exists.
pub type ForceId = Id<tag::Force>;
/// Identifies a cable for as long as it exists.
pub type CableId = Id<tag::Cable>;
/// Identifies an input for as long as it exists.
pub type InputId = Id<tag::Input>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_die_and_come_back_only_by_restore() {
        let mut list: Slots<&str> = Slots::default();
        let a = list.insert("a");
        let b = list.insert("b");
        assert_eq!(list.remove(a), Some("a"));
        assert_eq!(list.get(a), None);
        let c = list.insert("c");
        assert_eq!(c.index(), a.index());
        assert_ne!(c, a);
        assert!(!list.restore(a, "a"), "its place is taken");
        list.remove(c);
        assert!(list.restore(a, "a"));
        // an id is never issued twice, not even after a restore
        list.remove(a);
        let d = list.insert("d");
        assert!(d != a && d != c && list.get(c).is_none());
        list.remove(d);
        assert!(list.restore(a, "a"));
        assert_eq!((list.get(a), list.get(b), list.count()), (Some(&"a"), Some(&"b"), 2));
    }
}
