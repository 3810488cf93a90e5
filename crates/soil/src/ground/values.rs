//! Values of the nodes of a tile: a single one while all are equal, as void ratios of dumped soil are.
//!
//! Masses have 48 bits in three parts. Cells of some centimetres need the lower 24 of them, and soil that nothing has
//! compacted has one void ratio, no stress borne and one kind: 3 bytes per node and layer are left of 20.

use super::bits::NODES;
use super::quanta::Mass;

/// Values of all nodes.
#[derive(Debug, Default)]
pub(crate) struct Values<T> {
    /// That of all nodes, if there are no others.
    same: T,
    each: Vec<T>,
}

impl<T: Copy + PartialEq> Values<T> {
    pub fn all(same: T) -> Values<T> {
        Values { same, each: Vec::new() }
    }

    #[inline]
    pub fn get(&self, at: usize) -> T {
        if self.each.is_empty() { self.same } else { self.each[at] }
    }

    #[inline]
    pub fn set(&mut self, at: usize, value: T) {
        if self.each.is_empty() {
            if value == self.same {
                return;
            }
            self.each.resize(NODES, self.same);
        }
        self.each[at] = value;
    }

    /// Memory beside the struct [bytes].
    pub fn bytes(&self) -> usize {
        self.each.capacity() * size_of::<T>()
    }
}

impl<T: Copy> Clone for Values<T> {
    fn clone(&self) -> Values<T> {
        Values { same: self.same, each: self.each.clone() }
    }

    fn clone_from(&mut self, other: &Values<T>) {
        self.same = other.same;
        self.each.clone_from(&other.each);
    }
}

/// Masses of 48 bits: the lower 16, the next 8, the upper 24.
#[derive(Debug, Default)]
pub(crate) struct Masses {
    low: Values<u16>,
    middle: Values<u8>,
    high: Values<u32>,
}

impl Masses {
    #[inline]
    pub fn get(&self, at: usize) -> Mass {
        let [low, middle] = [i64::from(self.low.get(at)), i64::from(self.middle.get(at))];
        Mass(low | middle << 16 | i64::from(self.high.get(at)) << 24)
    }

    #[inline]
    pub fn set(&mut self, at: usize, mass: Mass) {
        debug_assert!((0..1 << 48).contains(&mass.0), "a mass of 48 bits: {}", mass.0);
        self.low.set(at, mass.0 as u16);
        self.middle.set(at, (mass.0 >> 16) as u8);
        self.high.set(at, (mass.0 >> 24) as u32);
    }

    /// Memory beside the struct [bytes].
    pub fn bytes(&self) -> usize {
        self.low.bytes() + self.middle.bytes() + self.high.bytes()
    }
}

impl Clone for Masses {
    fn clone(&self) -> Masses {
        Masses { low: self.low.clone(), middle: self.middle.clone(), high: self.high.clone() }
    }

    fn clone_from(&mut self, other: &Masses) {
        self.low.clone_from(&other.low);
        self.middle.clone_from(&other.middle);
        self.high.clone_from(&other.high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is set is read, whether the other nodes are equal or not, and takes memory only where it differs.
    #[test]
    fn values_are_those_that_were_set() {
        let mut masses = Masses::default();
        for (at, mass) in [(3, 0), (5, 0xffff), (7, 0x12_0000), (1023, (1 << 48) - 1), (5, 1)] {
            let before: Vec<Mass> = (0..NODES).map(|k| masses.get(k)).collect();
            masses.set(at, Mass(mass));
            let expected = |k: usize| if k == at { Mass(mass) } else { before[k] };
            assert!((0..NODES).all(|k| masses.get(k) == expected(k)), "{at} {mass}");
        }
        assert_eq!(masses.bytes(), 7 * NODES);
        assert_eq!(Values::all(2_u8).bytes(), 0);
    }
}
