//! Pairs in the order in which they are found → quads, whose pairs have no sphere in common.
//!
//! A number of quads is open at a time; a pair joins the first one that has neither of its spheres, and a full quad
//! leaves its place to a new one. Neighbours therefore stay near each other in the list. Pairs with an impulse and
//! pairs that wait to close are kept apart, so that quads of the latter are passed over as a whole.

use super::contact::Pair;
use super::lanes::LANES;
use super::quad::Quad;

/// Quads open at a time: a bit each in the words of the spheres.
const OPEN: usize = 32;

/// No quad.
const NONE: u32 = u32::MAX;

/// Open quads.
#[derive(Clone, Debug)]
struct Places {
    quads: [u32; OPEN],
    /// Open quads that a sphere is in, by its index in the slab.
    taken: Vec<u32>,
}

/// Quads that are being filled.
#[derive(Clone, Debug, Default)]
pub(super) struct Batches([Places; 2]);

impl Default for Places {
    fn default() -> Places {
        Places { quads: [NONE; OPEN], taken: Vec::new() }
    }
}

impl Batches {
    /// Starts on a slab whose pairs touch a number of spheres.
    pub fn begin(&mut self, spheres: usize) {
        for places in &mut self.0 {
            places.quads = [NONE; OPEN];
            places.taken.clear();
            places.taken.resize(spheres, 0);
        }
    }

    /// Adds a pair; returns its quad and lane.
    pub fn add(&mut self, pair: &Pair, quads: &mut Vec<Quad>) -> (usize, usize) {
        let waits = pair.impulses.normal == 0.0 && pair.gap > 0.0;
        self.0[usize::from(waits)].add(pair, quads)
    }
}

impl Places {
    fn add(&mut self, pair: &Pair, quads: &mut Vec<Quad>) -> (usize, usize) {
        let (a, b) = (pair.a as usize, pair.b as usize);
        let mut place = (!(self.taken[a] | self.taken[b])).trailing_zeros() as usize;
        if place == OPEN {
            // a sphere with more neighbours than there are places
            self.quads = [NONE; OPEN];
            self.taken.fill(0);
            place = 0;
        }
        if self.quads[place] == NONE {
            self.quads[place] = quads.len() as u32;
            quads.push(Quad::new(pair));
        } else {
            quads[self.quads[place] as usize].add(pair);
        }
        let at = self.quads[place] as usize;
        let quad = &quads[at];
        let lane = quad.count as usize - 1;
        let bit = 1 << place;
        if quad.count as usize == LANES {
            quad.a.iter().chain(&quad.b).for_each(|k| self.taken[*k as usize] &= !bit);
            self.quads[place] = NONE;
        } else {
            self.taken[a] |= bit;
            self.taken[b] |= bit;
        }
        (at, lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particle::state::Impulses;
    use glam::DVec3;

    fn pair(a: u32, b: u32) -> Pair {
        Pair {
            a,
            b,
            normal: DVec3::Z,
            gap: f64::from(a) - 1.0,
            mass: f64::from(b),
            impulses: Impulses::default(),
            inertia: 0.0,
            friction: 0.0,
            rolling: 0.0,
            pull: 0.0,
            per_span: 1.0,
        }
    }

    /// Every pair stands in one lane, and the lanes of a quad have no sphere in common, even around a hub.
    #[test]
    fn lanes_share_no_sphere() {
        let chain = (0..200).map(|k| (k, k + 1));
        let pairs: Vec<(u32, u32)> = chain.chain((1..100).map(|k| (0, 2 * k + 2))).collect();
        let (mut batches, mut quads) = (Batches::default(), Vec::new());
        batches.begin(201);
        for (a, b) in &pairs {
            batches.add(&pair(*a, *b), &mut quads);
        }
        let mut found = Vec::new();
        for quad in &quads {
            let count = quad.count as usize;
            let mut spheres: Vec<u32> = quad.a[..count].iter().chain(&quad.b[..count]).copied().collect();
            spheres.sort_unstable();
            assert!(spheres.windows(2).all(|two| two[0] != two[1]), "{quad:?}");
            found.extend(quad.pairs().map(|pair| (pair.a, pair.b)));
        }
        found.sort_unstable();
        let mut expected = pairs;
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}
