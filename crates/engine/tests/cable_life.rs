//! What happens to cables: they break, are cut and spliced, keep bends, wear out, are taken away and come back.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use std::f64::consts::TAU;
use std::sync::Arc;
use windlass_engine::prelude::*;

const DOWN: DVec3 = DVec3::NEG_Z;

fn links(world: &World, cable: CableId) -> Vec<JointId> {
    world.model().cables().get(cable).unwrap().links.clone()
}

fn elements(world: &World, cable: CableId) -> Vec<BodyId> {
    world.model().cables().get(cable).unwrap().elements.clone()
}

fn at(world: &World, body: BodyId) -> BodyState {
    world.state().bodies[body.index()]
}

/// A pull along an axis that depends on time.
#[derive(Debug)]
struct Pull {
    body: BodyId,
    along: DVec3,
    force: fn(f64) -> f64,
}

impl ForceLaw for Pull {
    fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
        out.pull(self.body, self.along * (self.force)(bodies.time));
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }
}

fn pull(rig: &mut Rig, body: BodyId, along: DVec3, force: fn(f64) -> f64) {
    rig.world.add_force(Force::Custom(Arc::new(Pull { body, along, force }))).unwrap();
}

/// A rope of 10 m from the ground with a load of 50 kg.
fn hanging(rig: &mut Rig, rope: Section, elements: usize) -> (CableId, BodyId) {
    let load = rig.body("load", speck(50.0), DOWN * 10.0);
    let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
    let laying = CableSpec { ends, elements, ..CableSpec::new("rope", rope, [DVec3::ZERO, DOWN * 10.0]) };
    (rig.world.add_cable(laying).unwrap(), load)
}

/// A link that somebody joined two bodies with, outside any cable, breaks at its strength too, and only when pulled.
#[test]
fn a_link_by_itself_breaks() {
    for (weight, breaks) in [(90.0, false), (110.0, true)] {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
        let load = rig.body("load", speck(weight / G), DVec3::ZERO);
        let along = DQuat::from_rotation_arc(DVec3::Z, DOWN);
        let link = Link {
            anchors: rig.grips([rig.ground, load], DVec3::ZERO, along),
            elements: [false, true],
            length: 0.1,
            stretch: Spring::new(1e5, 1e4),
            buckling: 0.0,
            twist: None,
            bend: None,
            turning: Turning::SwingTwist,
            yielding: None,
            fatigue: None,
            under_load: UnderLoad::default(),
            breaking_strain: None,
        };
        let strength = Some(Strength { force: 100.0, torque: f64::INFINITY });
        rig.world.add_joint(Joint { strength, ..Joint::new("link", link) }).unwrap();
        let broken: usize = (0..60).map(|_| rig.world.step().broken).sum();
        assert_eq!(broken, usize::from(breaks), "under {weight} N");
    }
}

/// Pulled harder and harder, a rope breaks where it bears most, at its strength; then the load falls and the rest recoils.
#[test]
fn a_rope_breaks_at_its_strength() {
    for dt in [1.0 / 60.0, 1e-3] {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let rope = Section { breaking: Some(1000.0), ..section(2.0, 2e6, 0.0, 0.0) };
        let (cable, load) = hanging(&mut rig, rope, 20);
        // 700 N at first, 40 N/s more: less in a step than an element weighs
        settle(&mut rig, 60.0);
        let start = rig.world.state().time;
        rig.world.restore(State { time: 0.0, ..rig.world.state().clone() }).unwrap();
        println!("at rest after {start} s");
        pull(&mut rig, load, DOWN, |t| 40.0 * t);
        let (mut before, mut broke) = (0.0, None);
        for _ in 0..(20.0 / dt) as usize {
            let time = rig.world.state().time;
            let report = rig.world.step();
            assert!(report.fault.is_none());
            if report.broken > 0 {
                assert_eq!(report.broken, 1, "one place gives way");
                broke = Some(time);
                break;
            }
            before = rig.world.cable_readings(cable)[0].tension;
        }
        let broke = broke.expect("it bears no more than its strength");
        // weight of load and rope, and the pull
        near_part("load at the break", (50.0 + 20.0) * G + 40.0 * broke, 1000.0, 0.01);
        near_part("tension before", before, 1000.0, 0.01);
        let readings = rig.world.cable_readings(cable);
        assert!(readings[0].broken && readings.iter().filter(|r| r.broken).count() == 1);
        // from now on the load falls with all the rope below it
        let (y, v) = (at(&rig.world, load).position.z, at(&rig.world, load).velocity.z);
        let fall = 0.5;
        for _ in 0..(fall / dt) as usize {
            assert!(rig.world.step().fault.is_none());
        }
        let pulled = 40.0 * (broke + 0.5 * fall) / 70.0;
        // the break is half a step old: so far velocities stand back
        let since = fall + 0.5 * dt;
        let want = y + v * fall - 0.5 * (G + pulled) * since * since;
        // the rope springs back by 2 mm and swings along its length
        near("the load falls", at(&rig.world, load).position.z, want, 0.01);
        // the rope's end left the anchor, upwards at first
        let top = rig.world.cable_readings(cable)[1].point;
        assert!(top.z < -0.5, "{top}");
        assert_eq!(rig.world.cable_curve(cable, Sampling::PerElement(1)).len(), 1, "nothing is left above");
    }
}

/// Pulled harder and harder, a rope breaks at its breaking strain: slowly at the tension that its law of stiffness has there,
/// quickly under more, since damping bears as well.
#[test]
fn a_rope_breaks_at_its_strain() {
    let stiffening = Some(Stiffening { load: 500.0, most: 10.0 });
    // EA ε is 4 loads: 500 N (9 + 10 (4 − ln 10))
    let stiff = 500.0 * (49.0 - 10.0 * libm::log(10.0));
    let slowly: fn(f64) -> f64 = |t| 100.0 * t;
    let quickly: fn(f64) -> f64 = |t| 4000.0 * t;
    let cases = [
        (None, 0.01, slowly, 2000.0..2040.0),
        (stiffening, 0.01, slowly, stiff..1.02 * stiff),
        (None, 1.0, quickly, 3000.0..9000.0),
    ];
    for (stiffening, damping, force, loads) in cases {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
        let load = rig.body("load", speck(50.0), DVec3::X * 10.0);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
        let plain = section(1.0, 1e5, 0.0, 0.0);
        let rope = Section {
            breaking: Some(1e5),
            breaking_strain: Some(0.02),
            damping: [damping, 0.0, 0.0],
            ..plain
        };
        let path = [DVec3::ZERO, DVec3::X * 10.0];
        let under_load = UnderLoad { stiffening, damping: 0.0 };
        let laying = CableSpec { ends, elements: 10, under_load, ..CableSpec::new("rope", rope, path) };
        rig.world.add_cable(laying).unwrap();
        pull(&mut rig, load, DVec3::X, force);
        let broke = (0..60 * 150).find_map(|_| {
            let (time, broken) = (rig.world.state().time, rig.world.step().broken);
            let strain = at(&rig.world, load).position.x / 10.0 - 1.0;
            (broken > 0).then_some((force(time), strain))
        });
        let (load, strain) = broke.expect("it is strained more and more");
        // when it is quick, a step strains it by a fiftieth of that
        near_part("strain", strain, 0.02, 0.03);
        assert!(loads.contains(&load), "{load} N at {strain}");
    }
}

/// Cut in the middle under load, both ends fly apart with the tension that was in them.
#[test]
fn cut_ends_recoil() {
    let mut rig = Rig::new(1e-3, Integrator::Spook).under(DVec3::ZERO);
    let ends = [0.0, 10.0].map(|x| End::Ball(Anchor::point(rig.ground, DVec3::X * x)));
    let path = [DVec3::ZERO, DVec3::X * 10.0];
    let rope = section(1.0, 1e5, 0.0, 0.0);
    let laying = CableSpec { ends, length: Some(9.9), elements: 40, ..CableSpec::new("rope", rope, path) };
    let cable = rig.world.add_cable(laying).unwrap();
    rig.run(0.1, |_, _| ());
    let tension = rig.world.cable_readings(cable)[20].tension;
    near_part("tension", tension, 1e5 * 0.1 / 9.9, 1e-6);
    let link = links(&rig.world, cable)[20];
    rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    // a wave of release runs from the cut at c = √(EA/μ), behind it the rope moves with T/√(EA μ)
    let speed = tension / (1e5f64 * 1.0).sqrt();
    rig.run(0.01, |_, _| ());
    let list = elements(&rig.world, cable);
    for (body, sign) in [(list[18], -1.0), (list[21], 1.0)] {
        near_part("recoil", at(&rig.world, body).velocity.x, sign * speed, 0.15);
    }
    let readings = rig.world.cable_readings(cable);
    assert!(readings[20].broken && readings[20].tension == 0.0);
}

/// What is cut can be spliced while its ends are near, not when they are apart; both can be undone.
#[test]
fn cut_and_splice() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let (cable, load) = hanging(&mut rig, section(1.0, 1e6, 0.0, 0.0), 10);
    rig.run(0.5, |_, _| ());
    let link = links(&rig.world, cable)[5];
    let whole = rig.world.state().hash();
    // cut and joined at once, as if nothing had been
    let undo = rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    assert!(rig.world.cable_readings(cable)[5].broken);
    let redo = rig.world.edit(undo).unwrap();
    assert_eq!(rig.world.state().hash(), whole);
    rig.world.edit(redo).unwrap();
    // 0.2 s of fall are 0.2 m, less than half a link of 1 m
    rig.run(0.2, |_, _| ());
    assert!(at(&rig.world, load).velocity.z < -1.5, "it falls");
    rig.world.edit(Edit::Cut { link, cut: false }).unwrap();
    rig.run(2.0, |_, _| ());
    assert!(at(&rig.world, load).position.z > -11.0, "it is held again");
    rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    rig.run(1.0, |_, _| ());
    let parted = rig.world.state().hash();
    let told = rig.world.edit(Edit::Cut { link, cut: false }).unwrap_err().to_string();
    assert!(
        told.contains("joint \"rope.link[5]\"") && told.contains("m apart") && told.contains("0.500 m"),
        "{told}"
    );
    assert_eq!(rig.world.state().hash(), parted, "a refused edit changes nothing");
    let hinge = rig.ball([rig.ground, load], DOWN * 10.0);
    let told = rig.world.edit(Edit::Cut { link: hinge, cut: true }).unwrap_err().to_string();
    assert!(told.contains("not a link of a cable"), "{told}");
}

/// A rig with a cable in use: something hangs on one of its elements, and something pulls at another.
fn in_use() -> (Rig, CableSpec) {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let head = rig.body("head", speck(2.0), DVec3::X * 4.0);
    let ends =
        [End::Fast(Anchor::point(rig.ground, DVec3::ZERO)), End::Ball(Anchor::point(head, DVec3::ZERO))];
    let steel = Section {
        breaking: Some(1e4),
        yielding: Some(Yield { moment: 0.5, hardening: 1.0 }),
        fatigue: Some(Fatigue { cycles: 1e5, exponent: 4.0 }),
        ..section(1.0, 1e5, 5.0, 5.0)
    };
    (rig, CableSpec { ends, elements: 8, ..CableSpec::new("rope", steel, [DVec3::ZERO, DVec3::X * 4.0]) })
}

fn use_it(rig: &mut Rig, cable: CableId) {
    let list = elements(&rig.world, cable);
    let bob = rig.body("bob", speck(1.0), DVec3::new(2.25, 0.0, -1.0));
    rig.ball([list[4], bob], at(&rig.world, list[4]).position);
    let push = Applied::force(Anchor::point(list[2], DVec3::ZERO), Direction::World(DVec3::Y * 3.0));
    rig.world.add_force(Force::Applied(push)).unwrap();
}

/// Adding, removing and cutting are undone to the bit, with all that was joined to the elements, and the world goes on as if
/// nothing had happened.
#[test]
fn edits_of_cables_are_undone_to_the_bit() {
    let (mut rig, laying) = in_use();
    let before = rig.world.state().clone();
    let undo = rig.world.edit(Edit::AddCable(Box::new(laying.clone()))).unwrap();
    let added = rig.world.state().hash();
    let redo = rig.world.edit(undo).unwrap();
    // the places it took are there, but empty; all else is as it was
    let count = before.bodies.len();
    assert_eq!(rig.world.state().bodies[..count], before.bodies);
    assert!(rig.world.state().joints.iter().all(|j| j.history.is_empty() && j.forces.is_empty()));
    assert_eq!((rig.world.model().bodies().count(), rig.world.model().joints().count()), (2, 0));
    rig.world.edit(redo).unwrap();
    assert_eq!(rig.world.state().hash(), added);
    assert_eq!(rig.world.model().cables().count(), 1);
    let cable = rig.world.model().cables().id(0).unwrap();
    assert_eq!(elements(&rig.world, cable).len(), 8);
    use_it(&mut rig, cable);
    rig.run(1.5, |_, _| ());
    let list = links(&rig.world, cable);
    rig.world.edit(Edit::Cut { link: list[7], cut: true }).unwrap();
    rig.run(0.5, |_, _| ());

    let worn = DamageState::of(&rig.world.state().joints[list[0].index()].history);
    assert!(worn.worked > 0.0 && worn.damage > 0.0, "{worn:?}");
    let (hash, start) = (rig.world.state().hash(), rig.world.state().clone());
    let undo = rig.world.edit(Edit::RemoveCable(cable)).unwrap();
    assert_eq!(rig.world.model().cables().count(), 0);
    assert!(list.iter().all(|link| rig.world.model().joints().get(*link).is_none()));
    assert_eq!(rig.world.model().joints().count(), 0, "what hung on it went with it");
    assert_eq!(rig.world.model().forces().count(), 0, "and what pulled at it");
    (0..10).for_each(|_| assert!(rig.world.step().fault.is_none()));
    // the rest has moved on meanwhile: put it back where it was
    rig.world.edit(undo).unwrap();
    rig.world.restore(start.clone()).unwrap();
    assert_eq!(rig.world.state().hash(), hash);
    let undo = rig.world.edit(Edit::RemoveCable(cable)).unwrap();
    rig.world.edit(undo).unwrap();
    assert_eq!(rig.world.state().hash(), hash, "undone at once, to the bit");
    // and on, as one that was never removed
    let mut ends = Vec::new();
    for removed in [false, true] {
        rig.world.restore(start.clone()).unwrap();
        if removed {
            let undo = rig.world.edit(Edit::RemoveCable(cable)).unwrap();
            rig.world.edit(undo).unwrap();
        }
        (0..60).for_each(|_| assert!(rig.world.step().fault.is_none()));
        ends.push(rig.world.state().hash());
    }
    assert_eq!(ends[0], ends[1]);
}

/// Kept bends, work, damage and turning points survive a snapshot, and the world goes on from it with the same bits.
#[test]
fn history_survives_a_snapshot() {
    let (mut rig, laying) = in_use();
    let cable = rig.world.add_cable(laying).unwrap();
    use_it(&mut rig, cable);
    rig.run(1.0, |_, _| ());
    let bytes = rig.world.state().to_bytes();
    let back = State::from_bytes(&bytes).unwrap();
    assert_eq!(&back, rig.world.state());
    let place = links(&rig.world, cable)[0].index();
    assert!(back.joints[place].history.len() > 5, "there are turning points to remember");
    assert!(DamageState::of(&back.joints[place].history).set.length() > 0.0);
    let mut ends = Vec::new();
    for from in [rig.world.state().clone(), back] {
        rig.world.restore(from).unwrap();
        (0..60).for_each(|_| assert!(rig.world.step().fault.is_none()));
        ends.push(rig.world.state().hash());
    }
    assert_eq!(ends[0], ends[1]);
}

/// The angle of a cantilever's last element to its clamp, by the bends of its links.
fn bent(world: &World, cable: CableId, element: f64) -> f64 {
    let readings = world.cable_readings(cable);
    let bend = |(k, r): (usize, &Reading)| r.curvature * if k == 0 { 0.5 * element } else { element };
    readings.iter().enumerate().map(bend).sum()
}

/// A wire of 1 m under an end couple beyond its yield moment: κ = M/EI + (M − M_y)/H, of which M/EI springs back. The last half
/// element has no link, so lengths are (1 − 1/2N) m.
#[test]
fn a_wire_bent_too_far_keeps_a_bend() {
    let (ei, yields, n) = (2.0, 1.0, 20);
    let length = 1.0 - 0.5 / f64::from(n);
    for (hardening, moment) in [(4.0, 2.0), (1.0, 1.25), (4.0, 0.9)] {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
        let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
        let ends = [End::Clamp(Anchor::frame(rig.ground, DVec3::ZERO, turn)), End::Free];
        // so much damping that nothing swings past its place: τω/2 > 1 in all modes
        let wire = Section {
            damping: [0.0, 1.0, 1.0],
            yielding: Some(Yield { moment: yields, hardening }),
            ..section(0.1, 1e6, ei, ei)
        };
        let laying =
            CableSpec { ends, elements: n as usize, ..CableSpec::new("wire", wire, [DVec3::ZERO, DVec3::X]) };
        let cable = rig.world.add_cable(laying).unwrap();
        let last = *elements(&rig.world, cable).last().unwrap();
        let couple = |m: f64| Force::Applied(Applied::torque(last, Direction::World(DVec3::Y * m)));
        let load = rig.world.add_force(couple(moment)).unwrap();
        rig.run(20.0, |_, _| ());
        let kept = (moment - yields).max(0.0) / hardening;
        let element = 1.0 / f64::from(n);
        let loaded = bent(&rig.world, cable, element);
        near_part("bent under load", loaded, length * (moment / ei + kept), 2e-3);
        rig.world.edit(Edit::RemoveForce(load)).unwrap();
        rig.run(20.0, |_, _| ());
        let left = bent(&rig.world, cable, element);
        near("springs back by M L/EI", loaded - left, length * moment / ei, 2e-3);
        near("and keeps the rest", left, length * kept, 2e-3);
        let wear = rig.world.cable_readings(cable)[5];
        near("told as its set", wear.set.length() / element, kept, 2e-3);
        // hardened: the same load again bends it no further
        rig.world.add_force(couple(moment)).unwrap();
        rig.run(20.0, |_, _| ());
        near("bent again", bent(&rig.world, cable, element), loaded, 2e-3);
    }
}

/// Runs a rope under a load that swings, and compares its damage with k (ΔT/T_b)^m / N.
fn fatigue(force: fn(f64) -> f64, cycles: f64, want: f64, within: f64) {
    let mut rig = Rig::new(1.0 / 240.0, Integrator::Spook).under(DVec3::ZERO);
    let rope = Section {
        breaking: Some(1e4),
        fatigue: Some(Fatigue { cycles: 1e4, exponent: 4.0 }),
        // without it the load bounces at the end of each cycle, where nothing pulls it
        damping: [0.01, 0.0, 0.0],
        ..section(0.01, 1e6, 0.0, 0.0)
    };
    let (cable, load) = hanging(&mut rig, rope, 4);
    pull(&mut rig, load, DOWN, force);
    rig.run(4.0 * cycles, |_, _| ());
    for reading in rig.world.cable_readings(cable) {
        near_part("damage", reading.damage, want, within);
    }
}

/// A load without weight on a rope without damping, pulled with 1000 N (1 − cos): at the end of each cycle it floats, the rope goes slack and
/// snaps taut again. The largest tensions of the cycles are those of a point mass on a massless spring that only pulls.
#[test]
fn a_load_that_bounces_follows_a_spring_that_only_pulls() {
    let force = |t: f64| 1000.0 * (1.0 - libm::cos(TAU * t / 4.0));
    let (h, mass, stiffness) = (1e-5f64, 50.0, 1e5f64);
    let (mut stretch, mut speed, mut peaks) = (0.0f64, 0.0f64, [0.0f64; 4]);
    for k in 0..1_600_000u32 {
        let tension = (stiffness * stretch).max(0.0);
        speed += h * (force(h * f64::from(k)) - tension) / mass;
        stretch += h * speed;
        let cycle = (k / 400_000) as usize;
        peaks[cycle] = peaks[cycle].max(tension);
    }
    let mut rig = Rig::new(1.0 / 240.0, Integrator::Spook).under(DVec3::ZERO);
    let (cable, load) = hanging(&mut rig, section(0.01, 1e6, 0.0, 0.0), 4);
    pull(&mut rig, load, DOWN, force);
    for want in peaks {
        let mut largest = 0.0f64;
        rig.run(4.0, |world, _| largest = largest.max(world.cable_readings(cable)[2].tension));
        near_part("largest tension of a cycle", largest, want, 0.02);
    }
}

/// Miner's sum of whole cycles from 0 to 2000 N.
#[test]
fn load_cycles_add_up() {
    let each = 0.2f64.powi(4) / 1e4;
    for cycles in [1.0, 3.0, 10.0] {
        fatigue(|t| 1000.0 * (1.0 - libm::cos(TAU * t / 4.0)), cycles, cycles * each, 0.02);
    }
}

/// A ripple on the way up and down does not make small cycles of a great one: swings are from 0 to 2000 N, give or take 2 %, and
/// turn round sixty times a period.
#[test]
fn ripples_do_not_hide_a_cycle() {
    let each = (0.2f64 * 1.01).powi(4) / 1e4;
    let force = |t: f64| 1000.0 * (1.0 - libm::cos(TAU * t / 4.0)) + 20.0 * libm::sin(60.0 * TAU * t / 4.0);
    fatigue(force, 5.0, 5.0 * each, 0.05);
}

/// A coil laid without stress stays as it lies, and comes back when it has been pulled out.
#[test]
fn a_coil_keeps_its_shape() {
    let mut rig = Rig::new(1.0 / 240.0, Integrator::Spook).under(DVec3::ZERO);
    let spiral = |t: f64| DVec3::new(0.1 * libm::cos(TAU * t) - 0.1, 0.1 * libm::sin(TAU * t), 0.05 * t);
    let path: Vec<DVec3> = (0..=200).map(|k| spiral(f64::from(k) / 100.0)).collect();
    let ends = [End::Fast(Anchor::point(rig.ground, DVec3::ZERO)), End::Free];
    let wire = Section { damping: [0.0, 0.1, 0.1], ..section(0.2, 1e5, 0.2, 0.15) };
    let laying = CableSpec { ends, elements: 40, shaped: true, ..CableSpec::new("coil", wire, path) };
    let cable = rig.world.add_cable(laying).unwrap();
    let list = elements(&rig.world, cable);
    let laid: Vec<DVec3> = list.iter().map(|b| at(&rig.world, *b).position).collect();
    let moved = |world: &World| {
        let off = |(k, b): (usize, &BodyId)| at(world, *b).position.distance(laid[k]);
        list.iter().enumerate().map(off).fold(0.0, f64::max)
    };
    rig.run(1.0, |_, _| ());
    near("it stays", moved(&rig.world), 0.0, 1e-9);
    let tip = Anchor::point(list[39], DVec3::ZERO);
    let load =
        rig.world.add_force(Force::Applied(Applied::force(tip, Direction::World(DVec3::Z * 4.0)))).unwrap();
    rig.run(3.0, |_, _| ());
    assert!(moved(&rig.world) > 0.25, "it is pulled out by {}", moved(&rig.world));
    rig.world.edit(Edit::RemoveForce(load)).unwrap();
    rig.run(15.0, |_, _| ());
    near("it comes back", moved(&rig.world), 0.0, 1e-3);
}

/// Servin & Lacoursière's square cable of 10 m, and their angles.
fn square(young: f64, elements: usize) -> CableSpec {
    let rod = Section::rectangle(0.1, 0.1, SectionMaterial { young, poisson: 0.3, density: 7800.0 });
    let turning = Turning::Angles { alternative: false, guard: 1e-3 };
    CableSpec { elements, turning, ..CableSpec::new("cable", rod, [DVec3::ZERO, DVec3::X * 10.0]) }
}

/// With the paper's angles pull, twist and bend in a plane are those of its experiments.
#[test]
fn the_papers_angles_in_a_plane() {
    // out of its plane a bend of one row is stable while h² EI/(ℓ I) < 4, and rounding leaves every plane: rubber, if N = 24
    for (elements, young, force) in [(6, 2e9, 1e5), (24, 2e7, 1e3)] {
        let label = format!("N {elements} ");
        let fresh = || Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
        // pull: F L / EA
        let mut rig = fresh();
        let block = rig.body("block", speck(1e4), DVec3::X * 10.0);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(block, DVec3::ZERO)].map(End::Fast);
        rig.world.add_cable(CableSpec { ends, ..square(young, elements) }).unwrap();
        let grip = Anchor::point(block, DVec3::ZERO);
        let force = Applied::force(grip, Direction::World(DVec3::X * force));
        rig.world.add_force(Force::Applied(force)).unwrap();
        settle(&mut rig, 60.0);
        near_part(&(label.clone() + "stretch"), at(&rig.world, block).position.x - 10.0, 0.05, 1e-3);
        // twist by a motor, pulled straight as one row does not hold a bend out of its plane: M = GJ φ / L
        let mut rig = fresh();
        let path = Path {
            position: [10.0, 0.0, 0.0].map(Motion::Constant),
            rotations: vec![PathRotation {
                axis: DVec3::X,
                angle: Motion::Smooth { from: 0.0, to: 2.4 * TAU, start: 0.0, end: 5.0 },
            }],
            orientation: DQuat::IDENTITY,
        };
        let head = rig.world.add_body(Body::kinematic("head", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let ends = [rig.ground, head].map(|b| End::Fast(Anchor::point(b, DVec3::ZERO)));
        let length = 10.0 / 1.1;
        let laying = CableSpec { ends, length: Some(length), ..square(young, elements) };
        let want = laying.section.twist * 2.4 * TAU / length;
        let cable = rig.world.add_cable(laying).unwrap();
        rig.run(6.0, |_, _| ());
        for reading in rig.world.cable_readings(cable) {
            near_part(&(label.clone() + "torque"), reading.torque, want, 1e-3);
        }
        // bend by end couples to L/R = 5
        let mut rig = fresh();
        let laying = square(young, elements);
        let moment = laying.section.bend * 0.5;
        let cable = rig.world.add_cable(laying).unwrap();
        let list = self::elements(&rig.world, cable);
        for (body, sign) in [(list[0], 1.0), (list[elements - 1], -1.0)] {
            let torque = Applied::torque(body, Direction::World(DVec3::Y * (sign * moment)));
            rig.world.add_force(Force::Applied(torque)).unwrap();
        }
        settle(&mut rig, 120.0);
        let [a, b, c] = [0, elements / 2, elements - 1].map(|k| at(&rig.world, list[k]).position);
        let curvature =
            2.0 * (b - a).cross(c - a).length() / ((b - a).length() * (c - a).length() * (c - b).length());
        near_part(&(label + "curvature"), curvature, 0.5, if elements == 6 { 0.10 } else { 0.01 });
    }
}

/// What an angle without direction cannot keep is refused, not forgotten.
#[test]
fn angles_keep_no_bend() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let told = rig.world.add_cable(CableSpec { shaped: true, ..square(2e9, 6) }).unwrap_err().to_string();
    assert!(told.contains("swing and twist"), "{told}");
}
