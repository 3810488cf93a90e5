//! Elastic rope wound onto drums, over sheaves and paid out, under tension: how far the load goes, and that energy balances.
//!
//! A load of weight T on rope with EA, ε = T/EA, S' its unloaded length off the drum, all turned slowly:
//!
//! ```text
//!  drum by an arc y       load rises by y            drive T y,                 onto the drum ½ T ε y/(1 + ε)
//!  paid_out by −p         load rises by (1 + ε) p    drive T p + ½ T ε p
//!  sheave by an arc y     side 1 loses y             drive (T₁ − T₂) y,         slip ½ EA (ε₁ − ε₂)² y/(1 + ε₁)
//!                         side 2 gains y (1 + ε₂)/(1 + ε₁)
//! ```

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{G, Rig, near, near_part, speck};
use windlass_engine::math;
use windlass_engine::prelude::*;

const MASS: f64 = 100.0;
const T: f64 = MASS * G;
/// Soft, so that what is left out is seen: ε = 1 %.
const EA: f64 = 100.0 * T;
const STRAIN: f64 = T / EA;
const RADIUS: f64 = 0.25;
const LENGTH: f64 = 10.0;

/// From rest to rest.
fn smooth(from: f64, to: f64, start: f64, end: f64) -> Motion {
    Motion::Smooth { from, to, start, end }
}

/// Two motions one after the other.
fn then(a: Motion, b: Motion) -> Motion {
    Motion::Sum(vec![a, b])
}

/// A drum about y that turns as told, its rope hanging at x = RADIUS; positive angles pay out.
fn drum(rig: &mut Rig, angle: Motion) -> (BodyId, Anchor) {
    let mass = Mass::principal(10.0, DVec3::ZERO, DVec3::splat(0.5), DQuat::IDENTITY);
    let drum = rig.turned("drum", mass, DVec3::ZERO, math::facing(DVec3::Y));
    rig.driven_hinge([rig.ground, drum], DVec3::ZERO, DVec3::Y, Axis::driven(Drive::Prescribed(angle)));
    (drum, Anchor::point(drum, DVec3::ZERO))
}

/// A load in balance on rope of an unloaded length.
fn load(rig: &mut Rig, x: f64, mass: f64, length: f64) -> (BodyId, Anchor) {
    let at = DVec3::new(x, 0.0, -length * (1.0 + mass * G / EA));
    let load = rig.body("load", speck(mass), at);
    (load, Anchor::point(load, DVec3::ZERO))
}

/// A load on a drum.
fn hoist(dt: f64, stepper: Integrator, angle: Motion) -> (Rig, BodyId, JointId) {
    damped_hoist(dt, stepper, angle, 0.0)
}

/// The same on rope with a damping time [s].
fn damped_hoist(dt: f64, stepper: Integrator, angle: Motion, damping: f64) -> (Rig, BodyId, JointId) {
    let mut rig = Rig::new(dt, stepper);
    let (_, at) = drum(&mut rig, angle);
    let (load, end) = load(&mut rig, RADIUS, MASS, LENGTH);
    let points = [(at, RoutePoint::drum(RADIUS, 1.0)), (end, RoutePoint::attached())];
    let rope = rig.joint(Rope::new(&points).elastic(EA, damping).long(LENGTH));
    (rig, load, rope)
}

/// What a run did: work by cause, change of energy, and of the height of bodies.
struct Account {
    work: Work,
    change: f64,
    heights: Vec<f64>,
}

impl Account {
    fn error(&self) -> f64 {
        self.change - self.work.total()
    }
}

fn account(rig: &mut Rig, seconds: f64, bodies: &[BodyId]) -> Account {
    let heights = |world: &World| -> Vec<f64> {
        bodies.iter().map(|body| world.state().bodies[body.index()].position.z).collect()
    };
    let (start, first) = (rig.world.inspect().energy().total(), heights(&rig.world));
    let mut work = Work::default();
    for _ in 0..(seconds / rig.world.model().settings().dt).round() as usize {
        let report = rig.world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        work = work.plus(report.work.unwrap_or_default());
    }
    let now = rig.world.inspect();
    if let Some(before) = now.work() {
        work = work.plus(before);
    }
    let change = now.energy().total() - start;
    let heights = heights(&rig.world).iter().zip(first).map(|(now, then)| now - then).collect();
    println!("{work:?}, change {change}, error {:e}", change - work.total());
    Account { work, change, heights }
}

#[test]
fn a_drum_takes_the_stretch_of_its_rope_with_it() {
    let y = 5.0;
    let mut errors = Vec::new();
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1e-3] {
        let (mut rig, load, rope) = hoist(dt, Integrator::Spook, smooth(0.0, -y / RADIUS, 0.0, 20.0));
        let a = account(&mut rig, 21.0, &[load]);
        near("rise", a.heights[0], y, 2e-3 * STRAIN * y);
        near_part("drives", a.work.drives, T * y, 1e-4);
        let carried = 0.5 * T * STRAIN * y / (1.0 + STRAIN);
        near_part("onto the drum", -a.work.remeshing, carried, 1e-3);
        near("slip", a.work.friction, 0.0, 1e-4 * carried);
        near_part("stretch", rig.world.rope(rope).unwrap().wound_stretch, y * STRAIN / (1.0 + STRAIN), 1e-3);
        errors.push(a.error().abs() / carried);
    }
    // 1.6e-7, 1.9e-8, 1.5e-9, 5e-11
    println!("errors relative to what went onto the drum: {errors:?}");
    assert!(errors[0] < 1e-6 && errors.windows(2).all(|e| e[0] > 4.0 * e[1]), "{errors:?}");
}

/// Up and down again under the same load: all is as it was.
#[test]
fn a_drum_returns_what_it_took() {
    for y in [-3.0, 3.0] {
        let angle = then(smooth(0.0, y / RADIUS, 0.0, 40.0), smooth(0.0, -y / RADIUS, 41.0, 81.0));
        let (mut rig, load, rope) = hoist(1.0 / 60.0, Integrator::Spook, angle);
        let a = account(&mut rig, 82.0, &[load]);
        near("height", a.heights[0], 0.0, 1e-3 * STRAIN * 3.0);
        near("drives", a.work.drives, 0.0, 1e-4 * T * 3.0);
        near("carried", a.work.remeshing, 0.0, 1e-3 * 0.5 * T * STRAIN * 3.0);
        assert!((-1e-3 * T * STRAIN * 3.0..=0.0).contains(&a.work.friction), "{:?}", a.work);
        near("stretch", rig.world.rope(rope).unwrap().wound_stretch, 0.0, 1e-3 * STRAIN * 3.0);
    }
}

/// Wound under one load and paid out under another, to and fro: slip takes energy and the drum gives none.
#[test]
fn no_cycle_of_loads_gains_energy() {
    for (up, down) in [(1.0, 0.2), (0.2, 1.0)] {
        let mut angle = Motion::Constant(0.0);
        for k in 0..4 {
            let (t, to) = (12.0 * f64::from(k), if k % 2 == 0 { -2.0 } else { 2.0 });
            angle = then(angle, smooth(0.0, to / RADIUS, t + 3.0, t + 12.0));
        }
        // the bounce decays before the drum turns
        let (mut rig, load, _) = damped_hoist(1.0 / 60.0, Integrator::Spook, angle, 0.1);
        // a force that holds up a part of the weight, changed while the drum rests
        let lift = |k: u32| (1.0 - if k.is_multiple_of(2) { up } else { down }) * T * DVec3::Z;
        let force =
            |f: DVec3| Force::Applied(Applied::force(Anchor::point(load, DVec3::ZERO), Direction::World(f)));
        let (mut carried, mut slipped, mut held) = (0.0, 0.0, None);
        for k in 0..4 {
            if let Some(id) = held {
                rig.world.edit(Edit::RemoveForce(id)).unwrap();
            }
            held = Some(rig.world.add_force(force(lift(k))).unwrap());
            let a = account(&mut rig, 12.0, &[load]);
            carried += a.work.remeshing;
            slipped += a.work.friction;
        }
        println!("{up} up, {down} down: carried {carried} J, slip {slipped} J");
        assert!(carried <= 1e-9 && slipped < 0.0, "{carried} {slipped}");
        // two cycles of 2 m; what is paid out had the strain of the other load
        let slip = 2.0 * 2.0 * 0.5 * EA * ((up - down) * STRAIN).powi(2);
        near_part("slip", -slipped, slip, 0.05);
    }
}

#[test]
fn rope_paid_out_needs_the_work_of_its_stretch() {
    for dt in [1.0 / 60.0, 1e-3] {
        for p in [3.0, -3.0] {
            let mut rig = Rig::new(dt, Integrator::Spook);
            let (load, end) = load(&mut rig, 0.0, MASS, LENGTH);
            let top = rig.grip(rig.ground, DVec3::ZERO, DQuat::IDENTITY);
            let points = [(top, RoutePoint::attached()), (end, RoutePoint::attached())];
            let paid = smooth(0.0, -p, 0.0, 30.0);
            rig.joint(Rope { paid, ..Rope::new(&points).elastic(EA, 0.0).long(LENGTH) });
            let a = account(&mut rig, 31.0, &[load]);
            near("rise", a.heights[0], (1.0 + STRAIN) * p, 2e-3 * STRAIN * 3.0);
            near("drives", a.work.drives, T * p * (1.0 + 0.5 * STRAIN), 1e-5 * T * 3.0);
            near("error", a.error(), 0.0, 1e-4 * 0.5 * T * STRAIN * 3.0);
        }
    }
}

/// A sheave hauls one load up and lets the other down: it slips by the difference of their strains.
#[test]
fn a_sheave_creeps_as_a_belt_drive() {
    for (masses, dt) in [([100.0, 40.0], 1.0 / 60.0), ([40.0, 100.0], 1.0 / 60.0), ([100.0, 40.0], 1e-3)] {
        let y = 3.0;
        let mut rig = Rig::new(dt, Integrator::Spook);
        // turns from side 1 at −x over the top to side 2 at +x
        let (_, at) = drum(&mut rig, smooth(0.0, y / RADIUS, 0.0, 30.0));
        let loads =
            [(-RADIUS, masses[0]), (RADIUS, masses[1])].map(|(x, mass)| load(&mut rig, x, mass, LENGTH));
        let points = [
            (loads[0].1, RoutePoint::attached()),
            (at, RoutePoint::drum(RADIUS, 1.0)),
            (loads[1].1, RoutePoint::attached()),
        ];
        rig.joint(Rope { lengths: vec![Some(LENGTH); 2], ..Rope::new(&points).elastic(EA, 0.0) });
        let a = account(&mut rig, 31.0, &loads.map(|(body, _)| body));
        let [t, u] = masses.map(|m| m * G);
        let [e, f] = [t / EA, u / EA];
        near("side 1", a.heights[0], y, 2e-3 * e * y);
        near("side 2", a.heights[1], -y * (1.0 + f) / (1.0 + e), 2e-3 * e * y);
        near_part("drives", a.work.drives, (t - u) * y, 1e-3);
        near_part("slip", -a.work.friction, 0.5 * EA * (e - f) * (e - f) * y / (1.0 + e), 0.01);
        near("error", a.error(), 0.0, 1e-4 * 0.5 * EA * (e - f) * (e - f) * y);
    }
}

/// An edit of the rope leaves what is on the drum as it is: otherwise the run would be shorter by all of its stretch.
#[test]
fn an_edit_changes_nothing_on_the_drum() {
    let (mut rig, _, id) = hoist(1.0 / 60.0, Integrator::Spook, smooth(0.0, -4.0 / RADIUS, 0.0, 20.0));
    for _ in 0..900 {
        rig.world.step();
    }
    let tension = |rig: &Rig| rig.world.rope(id).unwrap().tensions[0];
    let (before, stretch) = (tension(&rig), rig.world.rope(id).unwrap().wound_stretch);
    let mut joint = rig.world.model().joints().get(id).unwrap().clone();
    let JointKind::Rope(rope) = &mut joint.kind else { panic!("a rope") };
    rope.damping = 0.01;
    rig.world.edit(Edit::SetJoint(id, Box::new(joint))).unwrap();
    rig.world.step();
    near_part("tension", tension(&rig), before, 1e-3);
    near_part("stretch", rig.world.rope(id).unwrap().wound_stretch, stretch, 0.01);
}

/// The load of a hoist goes where it should under all integrators, and a restored run ends in the same bits.
#[test]
fn all_integrators_wind_alike() {
    let y = 4.0;
    for stepper in [Integrator::Spook, Integrator::Projected, Integrator::DormandPrince(Adaptive::default())]
    {
        let (mut rig, load, _) = hoist(1.0 / 120.0, stepper, smooth(0.0, -y / RADIUS, 0.0, 10.0));
        for _ in 0..600 {
            rig.world.step();
        }
        let half = rig.world.state().clone();
        for _ in 0..720 {
            let report = rig.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
        }
        let (end, height) = (rig.world.state().hash(), rig.world.state().bodies[load.index()].position.z);
        near("height", height, -LENGTH * (1.0 + STRAIN) + y, 5e-3 * STRAIN * y);
        rig.world.restore(half).unwrap();
        for _ in 0..720 {
            rig.world.step();
        }
        assert_eq!(rig.world.state().hash(), end, "{stepper:?}");
    }
}
