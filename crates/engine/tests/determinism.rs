//! The same bits: on every run, for any number of threads, after a snapshot, in a second world.

use glam::{DQuat, DVec3};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use windlass_engine::prelude::*;
use windlass_engine::solve::Solution;

/// Many islands of different size, each a chain with motors, limits and friction; one closed to a ring.
fn archipelago(count: usize) -> World {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mass = Mass::of_total(&Shape::Box { half: DVec3::new(0.5, 0.05, 0.05) }, 1.0).unwrap();
    let turn = windlass_engine::math::facing(DVec3::Y);
    for island in 0..count {
        let base = DVec3::new(0.0, island as f64, 0.0);
        let (mut last, mut end) = (ground, base);
        for link in 0..(3 + island % 7) {
            let at = base + DVec3::X * (link as f64 + 0.5);
            let body = world.add_body(Body::dynamic("link", mass), at, DQuat::IDENTITY).unwrap();
            let anchors = [Anchor::frame(last, end, turn), Anchor::frame(body, -0.5 * DVec3::X, turn)];
            let axis = Axis {
                drive: if link == 1 { Drive::motor(2.0, 3.0) } else { Drive::Free },
                limits: Some(Limits { restitution: 0.5, ..Limits::hard(-1.0, 1.0) }),
                friction: 0.3,
                ..Axis::default()
            };
            world.add_joint(Joint::new("hinge", Hinge { anchors, axis })).unwrap();
            (last, end) = (body, 0.5 * DVec3::X);
        }
        let length = (3 + island % 7) as f64;
        let rope = Distance::between([Anchor::point(ground, base), Anchor::point(last, end)], 0.5, length);
        world.add_joint(Joint::new("rope", rope)).unwrap();
    }
    world
}

/// State hashes of a run, every ten steps.
fn hashes(world: &mut World, steps: usize) -> Vec<u64> {
    (0..steps)
        .filter_map(|step| {
            let report = world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            (step % 10 == 9).then(|| world.state().hash())
        })
        .collect()
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for rounds in [0, 8] {
        let run = || {
            let mut world = archipelago(60);
            world.set(|s| s.position_iterations = Some(rounds)).unwrap();
            hashes(&mut world, 120)
        };
        let reference = run();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(run), reference, "{threads} threads, {rounds} rounds");
        }
    }
}

#[test]
fn a_snapshot_goes_on_to_the_bit_in_every_stepper() {
    let adaptive = Integrator::DormandPrince(Adaptive { tolerance: 1e-6, ..Adaptive::default() });
    for (stepper, rounds) in
        [(Integrator::Spook, 0), (Integrator::Spook, 8), (Integrator::Projected, 0), (adaptive, 0)]
    {
        let mut world = archipelago(2);
        world.set(|s| (s.integrator, s.position_iterations) = (stepper, Some(rounds))).unwrap();
        hashes(&mut world, 17);
        let bytes = world.state().to_bytes();
        let onward = hashes(&mut world, 40);
        // in the same world, which has gone on meanwhile
        world.restore(State::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(hashes(&mut world, 40), onward, "{stepper:?}, same world");
        // and in a world that never ran
        let mut fresh = archipelago(2);
        fresh.set(|s| (s.integrator, s.position_iterations) = (stepper, Some(rounds))).unwrap();
        fresh.restore(State::from_bytes(&bytes).unwrap()).unwrap();
        assert_eq!(hashes(&mut fresh, 40), onward, "{stepper:?}, fresh world");
    }
}

#[test]
fn looking_does_not_change_the_run() {
    let (mut looked_at, mut left_alone) = (archipelago(3), archipelago(3));
    for _ in 0..60 {
        looked_at.inspect().energy();
        looked_at.degrees_of_freedom();
        looked_at.step();
        left_alone.step();
        assert_eq!(looked_at.state().hash(), left_alone.state().hash());
    }
}

/// Adds a force that is no number while its switch is on.
#[derive(Debug)]
struct Overflow(Arc<AtomicBool>);

impl Hook for Overflow {
    fn forces(&mut self, _: &Model, _: &State, forces: &mut Loads) {
        if self.0.load(Ordering::Relaxed) {
            forces.add(1, Wrench { force: DVec3::NAN, torque: DVec3::ZERO });
        }
    }
}

/// A step that cannot be committed leaves every byte of the state, looked at before or not; the run goes on as if it had not been
/// tried.
#[test]
fn a_fault_leaves_the_state_as_it_was() {
    let adaptive = Integrator::DormandPrince(Adaptive { tolerance: 1e-6, ..Adaptive::default() });
    let integrators =
        [(Integrator::Spook, 0), (Integrator::Spook, 8), (Integrator::Projected, 0), (adaptive, 0)];
    for ((integrator, rounds), looks) in integrators.into_iter().flat_map(|i| [(i, false), (i, true)]) {
        let (mut failing, mut calm) = (archipelago(2), archipelago(2));
        let switch = Arc::new(AtomicBool::new(false));
        failing.add_hook(Overflow(switch.clone()));
        calm.add_hook(Overflow(Arc::default()));
        for world in [&mut failing, &mut calm] {
            world
                .set(|s| {
                    (s.integrator, s.position_iterations, s.sleep) =
                        (integrator, Some(rounds), Some(Sleep::default()))
                })
                .unwrap();
        }
        for step in 0..40 {
            if step % 8 == 3 {
                let before = failing.state().to_bytes();
                switch.store(true, Ordering::Relaxed);
                for _ in 0..2 {
                    if looks {
                        failing.inspect();
                    }
                    assert!(failing.step().fault.is_some(), "{integrator:?} {rounds}");
                    assert_eq!(failing.state().to_bytes(), before, "{integrator:?} {rounds} {looks}");
                }
                switch.store(false, Ordering::Relaxed);
            }
            assert!(failing.step().fault.is_none() && calm.step().fault.is_none());
            assert_eq!(
                failing.state().hash(),
                calm.state().hash(),
                "{integrator:?} {rounds} {looks}, step {step}"
            );
        }
    }
}

#[test]
fn the_hash_is_the_published_one() {
    let mut world = archipelago(3);
    for _ in 0..30 {
        world.step();
        let state = world.state();
        assert_eq!(state.hash(), xxhash_rust::xxh64::xxh64(&state.to_bytes(), 0));
    }
    assert_eq!(State::default().hash(), xxhash_rust::xxh64::xxh64(&State::default().to_bytes(), 0));
}

#[test]
fn damaged_snapshots_are_refused() {
    let mut world = archipelago(1);
    world.step();
    let bytes = world.state().to_bytes();
    assert_eq!(&State::from_bytes(&bytes).unwrap(), world.state());
    for cut in 0..bytes.len() {
        assert!(State::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(State::from_bytes(&longer).is_err());
    let other = archipelago(2);
    assert!(world.restore(other.state().clone()).unwrap_err().to_string().contains("another model"));
}

/// Counts its calls.
#[derive(Clone, Debug, Default)]
struct Count(Arc<[AtomicUsize; 4]>);

impl Count {
    fn add(&self, place: usize) {
        self.0[place].fetch_add(1, Ordering::Relaxed);
    }

    fn calls(&self) -> [usize; 4] {
        self.0.each_ref().map(|count| count.load(Ordering::Relaxed))
    }
}

impl Hook for Count {
    fn forces(&mut self, _: &Model, _: &State, _: &mut Loads) {
        self.add(0);
    }

    fn contacts(&mut self, _: &Model, _: &State, _: &mut Contacts) {
        self.add(1);
    }

    fn rows(&mut self, _: &Model, _: &State, _: &mut Rows) {
        self.add(2);
    }

    fn solved(&mut self, _: &Model, _: &State, _: &Rows, _: &Solution) {
        self.add(3);
    }
}

/// A step commits the solution that an inspection found; it does not solve again.
#[test]
fn an_inspection_and_the_step_after_it_solve_once() {
    let (mut world, count) = (World::default(), Count::default());
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    // at rest, so that position iterations do not write rows again
    let bob = world.add_body(Body::dynamic("bob", mass), -DVec3::Z, DQuat::IDENTITY).unwrap();
    let ends = [Anchor::point(ground, DVec3::ZERO), Anchor::point(bob, DVec3::ZERO)];
    world.add_joint(Joint::new("rod", Distance::rod(ends, 1.0))).unwrap();
    world.add_hook(count.clone());
    for step in 1..=5 {
        world.inspect();
        world.inspect();
        assert!(world.step().fault.is_none());
        assert_eq!(count.calls(), [step; 4], "step {step}");
    }
}

/// A fork is cheap: it has no model of its own before an edit.
#[test]
fn a_fork_shares_the_model_until_an_edit() {
    let mut world = World::default();
    let mass = Mass::of_total(&Shape::Sphere { radius: 0.1 }, 1.0).unwrap();
    world.add_body(Body::dynamic("ball", mass), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let mut fork = world.fork();
    assert!(std::ptr::eq(world.model(), fork.model()));
    assert!(fork.step().fault.is_none() && world.step().fault.is_none());
    assert!(std::ptr::eq(world.model(), fork.model()), "steps do not write it");
    fork.set(|settings| settings.dt = 1e-3).unwrap();
    assert!(!std::ptr::eq(world.model(), fork.model()));
    assert_ne!(world.model().settings().dt, 1e-3);
}
