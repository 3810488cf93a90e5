//! clear + write + factor + solve never touches the heap.
#![allow(unsafe_code)] // a global allocator is an unsafe trait

use crate::common;

use std::alloc::{GlobalAlloc, Layout, System as Heap};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Rng, grid};
use windlass_sparse::Factor;

struct Counting;

static CALLS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: forwards to the system allocator; counting has no effect on it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: same contract as ours.
        unsafe { Heap.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: same contract as ours.
        unsafe { Heap.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn the_numeric_phase_does_not_allocate() {
    let rng = &mut Rng(1);
    let mut system = grid(rng, 6);
    // Poison: all rows of all duals dropped is the most there is to record.
    let clean = system.clone();
    system.diagonals.iter_mut().for_each(|d| d[0] = f64::NAN);
    let mut factor = Factor::new(&system.pattern);
    let mut x = rng.vector(3 * factor.dimension());

    let before = CALLS.load(Ordering::Relaxed);
    for system in [&clean, &system] {
        system.write(&mut factor);
        factor.factor();
        factor.solve_many(&mut x, 3);
    }
    assert_eq!(CALLS.load(Ordering::Relaxed), before);
    assert!(!factor.dropped().is_empty());
}
