//! Damaged scenes are told, never a panic: bytes of the example scenes flipped, cut and spliced.

use std::fs;
use std::path::PathBuf;
use windlass_scene::parse;

/// Numbers that look random and are the same in every run (xorshift64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn examples() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes/mechanism");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the scenes").map(|e| e.expect("one").path()).collect();
    paths.sort();
    paths.iter().map(|p| fs::read(p).expect("a scene")).collect()
}

fn damaged(scenes: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = scenes[dice.below(scenes.len())].clone();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(5) {
            // flip a bit
            0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
            // cut out
            1 => {
                let end = (at + dice.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            // splice a piece of another scene in
            2 => {
                let other = &scenes[dice.below(scenes.len())];
                let from = dice.below(other.len());
                let piece = &other[from..(from + dice.below(80)).min(other.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
            // put in what hurts parsers
            3 => {
                let nasty = [
                    "[",
                    "]",
                    "{",
                    "}",
                    "\"",
                    "=",
                    "\n[[a]]\n",
                    "1e999",
                    "-",
                    "nan",
                    ".",
                    "\u{feff}",
                    "'''",
                    "0x",
                ];
                bytes.splice(at..at, nasty[dice.below(nasty.len())].bytes());
            }
            // turn a digit into another
            _ => {
                if let Some(digit) = bytes[at..].iter_mut().find(|b| b.is_ascii_digit()) {
                    *digit = b'0' + dice.below(10) as u8;
                }
            }
        }
    }
    bytes
}

#[test]
fn damaged_scenes_are_told() {
    let scenes = examples();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut sound = 0;
    for _ in 0..2000 {
        let bytes = damaged(&scenes, &mut dice);
        let text = String::from_utf8_lossy(&bytes);
        match parse(&text, "s.toml").and_then(|s| s.build()) {
            Ok(mut built) => {
                sound += 1;
                // what passed the checks may be stepped
                for _ in 0..3 {
                    built.world.step();
                }
            }
            // the text of an error is made without harm, too
            Err(errors) => assert!(errors.to_string().starts_with("s.toml:")),
        }
    }
    assert!(sound > 100, "the damage is too heavy to test anything but the parser");
}
