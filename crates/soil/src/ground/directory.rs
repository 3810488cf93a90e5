//! Keys of tiles → slots: a table with open addressing and linear probing. Its order is never read.

/// No slot.
const FREE: u32 = u32::MAX;

/// The table; its size is a power of two, at most half of it is used.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    entries: Vec<(u32, u32)>,
    used: usize,
}

impl Clone for Directory {
    fn clone(&self) -> Directory {
        Directory { entries: self.entries.clone(), used: self.used }
    }

    fn clone_from(&mut self, other: &Directory) {
        self.entries.clone_from(&other.entries);
        self.used = other.used;
    }
}

impl Directory {
    /// The slot of a key.
    #[inline]
    pub fn get(&self, key: u32) -> Option<usize> {
        if self.entries.is_empty() {
            return None;
        }
        let (found, slot) = self.entries[self.place(key)];
        (slot != FREE && found == key).then_some(slot as usize)
    }

    /// Sets the slot of a key that is not there yet.
    pub fn insert(&mut self, key: u32, slot: usize) {
        if 2 * (self.used + 1) > self.entries.len() {
            let size = (2 * self.entries.len()).max(16);
            let old = std::mem::replace(&mut self.entries, vec![(0, FREE); size]);
            for (key, slot) in old.into_iter().filter(|(_, slot)| *slot != FREE) {
                let place = self.place(key);
                self.entries[place] = (key, slot);
            }
        }
        let place = self.place(key);
        self.entries[place] = (key, slot as u32);
        self.used += 1;
    }

    /// The place of a key, or the free one where it belongs. Multiplicative hash (Knuth), 2³²/golden ratio.
    #[inline]
    fn place(&self, key: u32) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b1) >> 8) as usize & mask;
        while self.entries[place].1 != FREE && self.entries[place].0 != key {
            place = (place + 1) & mask;
        }
        place
    }
}
