//! Sweeps over slabs: every second slab, then the others.
//!
//! The slabs of one colour touch disjoint parts of the list of particles, so the parts are split and swept in parallel.
//! The order within a slab is fixed: the result does not depend on the number of threads.

use super::contact::Body;
use super::grid::Slab;
use super::quad::Quad;
use super::wall_contact::WallContact;

/// Particles from which on a sweep is split over threads.
const SPLIT: usize = 600;

/// What a sweep does with the contacts of a slab. The first particle of `bodies` is that of the slab.
pub(super) trait Pass: Sync {
    fn sweep(&self, slab: &Slab, bodies: &mut [Body], quads: &mut [Quad], walls: &mut [WallContact]);
}

/// Slabs of one colour with the lists that they are in, and how much of those lists was cut off.
struct Part<'a> {
    slabs: &'a [Slab],
    bodies: &'a mut [Body],
    quads: &'a mut [Quad],
    walls: &'a mut [WallContact],
    cut: [usize; 3],
}

/// Sweeps the slabs of even number, then those of odd number.
pub(super) fn sweep(
    colours: &[Vec<Slab>; 2],
    bodies: &mut [Body],
    (quads, walls): (&mut [Quad], &mut [WallContact]),
    pass: &impl Pass,
) {
    let split = bodies.len() >= SPLIT && rayon::current_num_threads() > 1;
    for slabs in colours {
        run(Part { slabs, bodies, quads, walls, cut: [0; 3] }, pass, split);
    }
}

fn run(part: Part<'_>, pass: &impl Pass, split: bool) {
    let Part { slabs, bodies, quads, walls, cut } = part;
    if split && slabs.len() > 1 {
        let first = &slabs[slabs.len() / 2];
        let ends = [first.own.start, first.quads.start, first.walls.start];
        let (low_bodies, bodies) = bodies.split_at_mut(ends[0] - cut[0]);
        let (low_quads, quads) = quads.split_at_mut(ends[1] - cut[1]);
        let (low_walls, walls) = walls.split_at_mut(ends[2] - cut[2]);
        let (low_slabs, slabs) = slabs.split_at(slabs.len() / 2);
        let low = Part { slabs: low_slabs, bodies: low_bodies, quads: low_quads, walls: low_walls, cut };
        let high = Part { slabs, bodies, quads, walls, cut: ends };
        rayon::join(|| run(low, pass, split), || run(high, pass, split));
        return;
    }
    for slab in slabs {
        let own = |range: &std::ops::Range<usize>, cut: usize| range.start - cut..range.end - cut;
        pass.sweep(
            slab,
            &mut bodies[own(&(slab.own.start..slab.reach), cut[0])],
            &mut quads[own(&slab.quads, cut[1])],
            &mut walls[own(&slab.walls, cut[2])],
        );
    }
}
