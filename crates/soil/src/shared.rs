//! A list whose copies have the elements in common that neither has changed since.
//!
//! A copy costs a comparison of pointers per element, and `get_mut` copies an element the first time it is changed after
//! that. Where a list is copied over again and again, as the state of a step over that of the step before, the versions
//! that are replaced stay as buffers for the next change of the same element: a warm step allocates nothing.

use std::ops::Index;
use std::sync::Arc;

/// The list.
#[derive(Debug)]
pub(crate) struct SharedList<T> {
    list: Vec<Arc<T>>,
    /// A version of each element that is in no list any more.
    spare: Vec<Option<Arc<T>>>,
}

impl<T> Default for SharedList<T> {
    fn default() -> SharedList<T> {
        SharedList { list: Vec::new(), spare: Vec::new() }
    }
}

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> SharedList<T> {
        let mut copy = SharedList::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &SharedList<T>) {
        self.list.truncate(other.list.len());
        self.spare.resize_with(other.list.len(), || None);
        for (k, theirs) in other.list.iter().enumerate() {
            match self.list.get_mut(k) {
                Some(own) if Arc::ptr_eq(own, theirs) => (),
                Some(own) => {
                    let mut old = std::mem::replace(own, Arc::clone(theirs));
                    if Arc::get_mut(&mut old).is_some() {
                        self.spare[k] = Some(old);
                    }
                }
                None => self.list.push(Arc::clone(theirs)),
            }
        }
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &SharedList<T>) -> bool {
        let equal = |(a, b): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(a, b) || a == b;
        self.len() == other.len() && self.list.iter().zip(&other.list).all(equal)
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.list[at]
    }
}

impl<T> SharedList<T> {
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn get(&self, at: usize) -> Option<&T> {
        self.list.get(at).map(|element| &**element)
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.list.iter().map(|element| &**element)
    }

    /// The index of the element with a key in a list that is in their order, or where it belongs.
    pub fn search<K: Ord>(&self, key: K, of: impl Fn(&T) -> K) -> Result<usize, usize> {
        self.list.binary_search_by_key(&key, |element| of(element))
    }

    pub fn insert(&mut self, at: usize, element: T) {
        self.list.insert(at, Arc::new(element));
        self.spare.insert(at, None);
    }

    pub fn push(&mut self, element: T) {
        self.insert(self.len(), element);
    }

    /// Number of elements that it has in common with another list, at the same index.
    pub fn common(&self, other: &SharedList<T>) -> usize {
        self.list.iter().zip(&other.list).filter(|(a, b)| Arc::ptr_eq(a, b)).count()
    }
}

impl<T: Clone + Default> SharedList<T> {
    /// An element to change; it is in no other list then.
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> &mut T {
        if Arc::get_mut(&mut self.list[at]).is_none() {
            let mut own = self.spare[at].take().unwrap_or_default();
            Arc::make_mut(&mut own).clone_from(&self.list[at]);
            self.list[at] = own;
        }
        Arc::make_mut(&mut self.list[at])
    }
}
