//! Damage for texts and bytes that readers must bear, shared by the tests of scenes, imports and recordings.
//!
//! A text of a corpus is picked and hurt in one to four places: bits flipped, pieces cut out or spliced in from another
//! text, numbers changed, words put in that hurt parsers.

#![allow(dead_code, reason = "each file of tests uses a part of it")]

/// Numbers that look random and are the same in every run (xorshift64).
#[derive(Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 to n − 1; 0 if n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Texts to be damaged, and what hurts their readers.
#[derive(Debug)]
pub struct Corpus {
    pub texts: Vec<Vec<u8>>,
    /// Put in anywhere.
    pub words: &'static [&'static str],
    /// Put in place of a number; left out if there are none.
    pub numbers: &'static [&'static str],
}

impl Corpus {
    /// One of the texts, damaged.
    pub fn damaged(&self, dice: &mut Dice) -> Vec<u8> {
        let mut bytes = dice.pick(&self.texts).clone();
        for _ in 0..=dice.below(3) {
            self.hurt(&mut bytes, dice);
        }
        bytes
    }

    fn hurt(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        let at = dice.below(bytes.len());
        match dice.below(if self.numbers.is_empty() { 5 } else { 6 }) {
            // flip a bit
            0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
            // cut out
            1 => {
                let end = (at + dice.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            // splice a piece of another text in
            2 => {
                let other = dice.pick(&self.texts);
                let from = dice.below(other.len());
                let piece = &other[from..(from + dice.below(100)).min(other.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            // put in what hurts parsers
            3 => drop(bytes.splice(at..at, dice.pick(self.words).bytes())),
            // turn a digit into another
            4 => {
                if let Some(digit) = bytes[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                    *digit = b'0' + dice.below(10) as u8;
                }
            }
            // put a nasty number in place of one
            _ if !self.numbers.is_empty() => {
                let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit).map(|i| at + i) else {
                    return;
                };
                let of_number = |b: &&u8| b.is_ascii_digit() || **b == b'.';
                let end = start + bytes[start..].iter().take_while(of_number).count();
                bytes.splice(start..end, dice.pick(self.numbers).bytes());
            }
            _ => {}
        }
    }
}
