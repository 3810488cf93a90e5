//! Vectors that reuse memory, so that a changed island does not allocate all its data again.

/// A vector of equal values in the memory of another.
pub(super) fn refilled<T: Clone>(mut old: Vec<T>, len: usize, value: T) -> Vec<T> {
    old.clear();
    old.resize(len, value);
    old
}
