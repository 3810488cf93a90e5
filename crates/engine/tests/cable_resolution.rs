//! Cables that change their resolution: what stays, what is told, and that what comes out is right.

use crate::kit;

use glam::{DMat3, DQuat, DVec3};
use kit::*;
use std::f64::consts::{PI, TAU};
use windlass_engine::body::motion::{Interpolation, Spline};
use windlass_engine::prelude::*;

const DOWN: DVec3 = DVec3::NEG_Z;

fn section(mass_per_length: f64, stretch: f64, bend: f64) -> Section {
    Section {
        diameter: 0.01,
        mass_per_length,
        stretch,
        bend,
        twist: bend / 1.3,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    }
}

/// One that is never at work: what a state becomes without it.
fn frozen(rule: Resolution) -> Resolution {
    Resolution { fewest: rule.most, bend: 0.999, ahead: 1e-6, ..rule }
}

fn count(world: &World, cable: CableId) -> usize {
    world.cable_elements(cable).len()
}

/// Lengths of the elements that are there, from start to end, in those of the finest.
fn lengths(world: &World, cable: CableId) -> Vec<usize> {
    let cable = world.model().cables().get(cable).unwrap();
    let mass = |b: &BodyId| world.model().bodies().get(*b).unwrap().mass.mass;
    let finest = mass(&cable.elements[0]);
    cable.elements_now(world.state()).iter().map(|b| (mass(b) / finest).round() as usize).collect()
}

/// Mass, momentum, angular momentum about the origin.
fn totals(world: &World) -> (f64, DVec3, DVec3) {
    let mut sum = (0.0, DVec3::ZERO, DVec3::ZERO);
    for (place, body) in world.model().bodies().iter().filter(|(_, b)| b.is_dynamic()) {
        let s = &world.state().bodies[place];
        if s.inactive {
            continue;
        }
        let r = DMat3::from_quat(s.orientation);
        let inertia = r * body.mass.inertia * r.transpose();
        sum.0 += body.mass.mass;
        sum.1 += s.velocity * body.mass.mass;
        sum.2 += inertia * s.angular_velocity + s.position.cross(s.velocity) * body.mass.mass;
    }
    sum
}

/// A free cable of 8 m that waves and tumbles and calms down, for two rules of one model.
fn waving(rule: Resolution) -> (World, CableId) {
    let mut world = World::default();
    world.set(|s| s.gravity = DVec3::ZERO).unwrap();
    let rope = Section { damping: [0.02, 0.1, 0.1], ..section(0.4, 1e5, 2.0) };
    let laying = CableSpec {
        elements: 32,
        adaptive: Some(rule),
        ..CableSpec::new("rope", rope, [DVec3::ZERO, DVec3::X * 8.0])
    };
    let cable = world.add_cable(laying).unwrap();
    for body in world.cable_elements(cable) {
        let x = world.state().bodies[body.index()].position.x;
        let (sin, cos) = libm::sincos(TAU * x / 8.0);
        let velocity = DVec3::new(0.3, 2.0 * sin, 0.8 * cos + 0.05 * x);
        let spin = DVec3::new(0.4, 0.8 * TAU / 8.0 * sin, 2.0 * TAU / 8.0 * cos);
        world.set_velocity(body, velocity, spin).unwrap();
    }
    (world, cable)
}

/// Against a twin whose resolution stays: the step before anything merged or split. What the jumps add up to falls with the
/// tolerance: 23 %, 2.6 % and 0.4 % of the energy.
#[test]
fn mass_momentum_length_and_told_energy() {
    for (bend, within) in [(0.15, 0.3), (0.05, 0.04), (0.03, 0.01)] {
        let rule = Resolution { levels: 3, bend, ..Resolution::default() };
        let ((mut world, cable), (mut twin, _)) = (waving(rule), waving(frozen(rule)));
        let (mut merged, mut split, mut worst, mut sum, mut size) = (0, 0, [0.0f64; 4], 0.0, 0.0);
        let start = world.energy().total();
        for _ in 0..1200 {
            twin.restore(world.state().clone()).unwrap();
            assert_eq!(twin.step().resolution, RemeshReport::default());
            let report = world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            let told = report.resolution;
            (merged, split) = (merged + told.merged, split + told.split);
            (sum, size) = (sum + told.energy, size + told.energy.abs());
            let ((m, p, l), (m0, p0, l0)) = (totals(&world), totals(&twin));
            worst[0] = worst[0].max((m - m0).abs());
            worst[1] = worst[1].max((p - p0).length());
            worst[2] = worst[2].max((l - l0).length() / (1.0 + l0.length()));
            let change = world.energy().total() - twin.energy().total();
            worst[3] = worst[3].max((change - told.energy).abs());
            assert_eq!(lengths(&world, cable).iter().sum::<usize>(), 32);
        }
        println!("bend {bend}: {merged} merged, {split} split, worst {worst:?}");
        println!("jumps sum to {sum:.3e} J, their sizes to {size:.3e} J, of {start:.3} J");
        assert!(merged > 20 && split > 5, "{merged} {split}");
        assert!(worst.iter().all(|w| *w < 1e-12), "{worst:?}");
        assert!(sum.abs() < within * start, "{sum} J of {start} J");
    }
}

/// CB03 with 64 elements that become four: tension and stretch are those of the closed form.
#[test]
fn a_straight_loaded_cable_needs_few_elements() {
    for dt in [1.0 / 60.0, 1e-3] {
        let mut rig = Rig::new(dt, Integrator::Spook);
        let load = rig.body("load", speck(1000.0), DOWN * 100.0);
        let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
        let rope = section(7850.0 * 5e-4, 1e11 * 5e-4, 0.0);
        let adaptive = Some(Resolution { levels: 4, ..Resolution::default() });
        let laying = CableSpec {
            ends,
            elements: 64,
            adaptive,
            ..CableSpec::new("cable", rope, [DVec3::ZERO, DOWN * 100.0])
        };
        let cable = rig.world.add_cable(laying).unwrap();
        settle(&mut rig, 60.0);
        let case = Case::new("CB03", Integrator::Spook, dt).variant("64 elements that become 4");
        let readings = rig.world.cable_readings(cable);
        assert_eq!((count(&rig.world, cable), readings.len()), (4, 5));
        assert!(readings.iter().zip(0..).all(|(r, k)| (r.at - 25.0 * f64::from(k)).abs() < 1e-9));
        // m g L/EA + μ g L²/2EA
        let (weight, own) = (1000.0 * G, 7850.0 * 5e-4 * G * 100.0);
        let stretch = -rig.world.state().bodies[load.index()].position.z - 100.0;
        case.finds("stretch", stretch);
        case.finds("tension at the top", readings[0].tension);
        near_part("stretch", stretch, (weight + 0.5 * own) * 100.0 / 5e7, 1e-6);
        for reading in readings {
            let want = weight + own * (1.0 - reading.at / 100.0);
            near_part("tension", reading.tension, want, 1e-6);
        }
    }
}

/// CB01 with 64 elements at the finest.
#[test]
fn a_catenary_keeps_its_shape() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let to = DVec3::X * 10.0;
    let ends = [DVec3::ZERO, to].map(|p| End::Ball(Anchor::point(rig.ground, p)));
    let adaptive = Some(Resolution { bend: 0.2, ..Resolution::default() });
    let path = sagging(DVec3::ZERO, to, 12.0, DOWN, 400);
    let laying = CableSpec {
        ends,
        length: Some(12.0),
        elements: 64,
        adaptive,
        ..CableSpec::new("cable", section(1.0, 1e7, 0.0), path)
    };
    let cable = rig.world.add_cable(laying).unwrap();
    settle(&mut rig, 60.0);
    println!("{:?}", lengths(&rig.world, cable));
    assert!(count(&rig.world, cable) < 32, "{:?}", lengths(&rig.world, cable));
    let readings = rig.world.cable_readings(cable);
    let middle = readings.iter().min_by(|a, b| (a.at - 6.0).abs().total_cmp(&(b.at - 6.0).abs())).unwrap();
    near("the middle is a boundary", middle.at, 6.0, 1e-12);
    let case = Case::new("CB01", Integrator::Spook, 1.0 / 60.0).variant("64 elements that merge");
    case.finds("sag", -middle.point.z);
    case.finds("horizontal force", middle.tension);
    case.finds("end force", readings[0].tension);
}

/// A taut rope of 16 m between two points, of 64 elements that have become 4.
fn taut(surface: Option<u16>, rule: Resolution) -> (Rig, CableId) {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
    let to = DVec3::X * 16.0;
    let ends = [DVec3::ZERO, to].map(|p| End::Ball(Anchor::point(rig.ground, p)));
    let rope = Section { damping: [0.01, 0.02, 0.02], ..section(0.2, 1e5, 0.1) };
    let laying = CableSpec {
        ends,
        length: Some(15.9),
        elements: 64,
        adaptive: Some(rule),
        surface,
        ..CableSpec::new("rope", rope, [DVec3::ZERO, to])
    };
    let cable = rig.world.add_cable(laying).unwrap();
    (0..120).for_each(|_| drop(rig.world.step()));
    assert_eq!(lengths(&rig.world, cable), [16; 4]);
    (rig, cable)
}

/// Plucked, it is refined and calms down to few elements again.
#[test]
fn a_plucked_rope_is_refined_and_calms_down() {
    let (mut rig, cable) = taut(None, Resolution { levels: 4, ..Resolution::default() });
    let pinched = rig.world.cable_elements(cable)[1];
    rig.world.set_velocity(pinched, DVec3::Z * 15.0, DVec3::ZERO).unwrap();
    let (mut most, mut split) = (0, 0);
    for _ in 0..120 {
        split += rig.world.step().resolution.split;
        most = most.max(count(&rig.world, cable));
    }
    assert!(most >= 16 && split >= 12, "{most} elements, {split} split");
    let mut left = 0;
    for k in 0..60 * 240 {
        rig.world.step();
        left = count(&rig.world, cable);
        if left == 4 {
            println!("{most} elements at most, calm after {} s", k / 60);
            break;
        }
    }
    assert_eq!(left, 4);
}

/// Pulled over an edge, it is finest where it lies on it and stays coarse far from it.
#[test]
fn a_rope_over_an_edge_is_finest_there() {
    let (mut rig, cable) = taut(Some(0), Resolution { levels: 4, ..Resolution::default() });
    rig.world.set(|s| s.gravity = DOWN * G).unwrap();
    // a bar beside the rope that is lifted through its line
    let rise =
        Spline::new(vec![0.0, 2.5, 4.5, 1e3], vec![-0.3, -0.3, 0.4, 0.4], Interpolation::Linear).unwrap();
    let path = Path {
        position: [Motion::Constant(7.3), Motion::Constant(0.0), Motion::Table(rise)],
        rotations: Vec::new(),
        orientation: DQuat::from_rotation_arc(DVec3::Z, DVec3::Y),
    };
    let bar = Collider::new(Shape::Cylinder { radius: 0.05, half_length: 1.0 });
    rig.world
        .add_body(Body::kinematic("bar", path).with_collider(bar), DVec3::ZERO, DQuat::IDENTITY)
        .unwrap();
    for _ in 0..60 * 12 {
        assert!(rig.world.step().fault.is_none());
    }
    let lengths = lengths(&rig.world, cable);
    let mut at = 0;
    let on_bar = lengths.iter().find(|l| {
        at += **l;
        at as f64 * 0.25 > 7.3
    });
    println!("{lengths:?}");
    assert_eq!(on_bar, Some(&1));
    assert!(lengths.len() <= 32 && lengths.iter().max() >= Some(&4), "{lengths:?}");
    let readings = rig.world.cable_readings(cable);
    let highest = readings.iter().map(|r| r.point.z).fold(f64::NEG_INFINITY, f64::max);
    near("it lies on the bar", highest, 0.455, 0.01);
}

/// A load of `ratio` elements on a rope of 10 m, as in the ladder of hoists: its anchor jerked sideways by 3 m in a quarter of a
/// second, or dropped with 1 m of slack.
fn hoist(slack: bool, ratio: f64, rule: Resolution) -> (World, CableId, BodyId) {
    let mut world = World::default();
    world.set(|s| s.gravity = DOWN * 10.0).unwrap();
    let moved = |by: f64| {
        let (times, values) = (vec![0.0, 1.0, 1.25, 1e3], vec![0.0, 0.0, by, by]);
        Motion::Table(Spline::new(times, values, Interpolation::Linear).unwrap())
    };
    let by = if slack { 0.0 } else { 3.0 };
    let path = Path {
        position: [moved(by), moved(by / 6.0), Motion::Constant(0.0)],
        rotations: Vec::new(),
        orientation: DQuat::IDENTITY,
    };
    let anchor = world.add_body(Body::kinematic("anchor", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let ea = 1000.0 * (ratio + 64.0) * 10.0;
    let rope = Section { diameter: 0.1, ..section(6.4, ea, 7.5e-7 * ea) };
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.25 }, ratio).unwrap();
    let end = DOWN * if slack { 9.0 } else { 10.01 };
    let load = world.add_body(Body::dynamic("load", ball), end, DQuat::IDENTITY).unwrap();
    let ends = [anchor, load].map(|b| End::Ball(Anchor::point(b, DVec3::ZERO)));
    let path = if slack { sagging(DVec3::ZERO, end, 10.0, DVec3::X, 200) } else { vec![DVec3::ZERO, end] };
    let laying = CableSpec {
        ends,
        elements: 64,
        length: Some(10.0),
        adaptive: Some(rule),
        ..CableSpec::new("rope", rope, path)
    };
    let cable = world.add_cable(laying).unwrap();
    (world, cable, load)
}

/// No fault, no energy from nowhere, no stretch beyond that of the load, while resolution changes.
#[test]
fn a_hoist_holds_while_resolution_changes() {
    let mut all = [0; 2];
    let cases = [(1e6, 0.05), (1e6, 0.01), (1e3, 0.05), (1e3, 0.01)];
    for (slack, (ratio, bend)) in [false, true].into_iter().flat_map(|slack| cases.map(|c| (slack, c))) {
        let rule = Resolution { levels: 4, bend, ..Resolution::default() };
        let (mut world, cable, load) = hoist(slack, ratio, rule);
        let (mut highest, mut gain, mut changes, mut jumps) = (f64::NEG_INFINITY, 0.0f64, [0; 2], 0.0);
        let mut range = [usize::MAX, 0];
        for k in 0..900 {
            let report = world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            changes[0] += report.resolution.merged;
            changes[1] += report.resolution.split;
            jumps += report.resolution.energy;
            let now = count(&world, cable);
            range = [range[0].min(now), range[1].max(now)];
            // of the load alone, in parts of its weight times 10 m; a jerk puts some in until a second after it
            let s = &world.state().bodies[load.index()];
            let energy = (0.5 * s.velocity.length_squared() + 10.0 * s.position.z) / 100.0;
            if k < if slack { 1 } else { 135 } {
                highest = highest.max(energy);
            } else {
                gain = gain.max(energy - highest);
            }
        }
        let anchor = if slack { DVec3::ZERO } else { DVec3::new(3.0, 0.5, 0.0) };
        let stretch = world.state().bodies[load.index()].position.distance(anchor) / 10.0 - 1.0;
        println!("slack {slack}, {ratio:e}, bend {bend}: {changes:?} changes between {range:?} elements");
        println!(
            "gain {gain:.2e}, stretch {stretch:.2e}, jumps {:.2e} of weight times 10 m",
            jumps / (100.0 * ratio)
        );
        all[0] += changes[0];
        all[1] += changes[1];
        assert!(changes[0] >= 60 && range[0] <= 8, "{changes:?} {range:?}");
        assert!(gain < 0.05 && stretch.abs() < 0.01, "{gain} {stretch}");
        assert!(f64::abs(jumps / (100.0 * ratio)) < 0.05, "{jumps}");
    }
    // a rope under 1e6 of its elements is so taut that even the jerk leaves it straight
    assert!(all[1] > 100, "{all:?}");
}

/// However it is shaken, no more elements than allowed; and those are where it bends most.
#[test]
fn the_budget_is_kept() {
    let rule = Resolution { levels: 4, most: 20, ..Resolution::default() };
    let (mut rig, cable) = taut(None, rule);
    let mut split = 0;
    for k in 0..600 {
        if k % 60 == 0 {
            let elements = rig.world.cable_elements(cable);
            let body = elements[k / 60 % elements.len()];
            rig.world.set_velocity(body, DVec3::Z * 4.0, DVec3::ZERO).unwrap();
        }
        split += rig.world.step().resolution.split;
        let now = count(&rig.world, cable);
        assert!(now <= 20, "{now} at step {k}");
    }
    assert!(split > 16, "{split}");
    // laid at the finest level within the budget
    let (world, cable) = waving(Resolution { most: 10, ..Resolution::default() });
    assert_eq!(lengths(&world, cable), [4; 8]);
}

#[test]
fn runs_are_the_same_to_the_bit_and_go_on_from_bytes() {
    let rule = Resolution { levels: 3, bend: 0.15, ..Resolution::default() };
    let ((mut a, _), (mut b, _)) = (waving(rule), waving(rule));
    let mut kept = Vec::new();
    let mut changes = 0;
    for k in 0..400 {
        if k == 150 {
            kept = a.state().to_bytes();
        }
        let told = a.step().resolution;
        changes += if k > 150 { told.merged + told.split } else { 0 };
        b.step();
        assert_eq!(a.state().hash(), b.state().hash(), "step {k}");
    }
    assert!(changes > 5, "{changes}");
    let (mut c, _) = waving(rule);
    (0..7).for_each(|_| drop(c.step()));
    c.restore(State::from_bytes(&kept).unwrap()).unwrap();
    (150..400).for_each(|_| drop(c.step()));
    assert_eq!(a.state().hash(), c.state().hash());
}

/// A state that leaves part of a cable out, or has it twice, is refused.
#[test]
fn a_state_must_have_each_part_once() {
    let (mut world, cable) = waving(Resolution::default());
    let before = world.state().hash();
    let pool = world.model().cables().get(cable).unwrap().pool.clone().unwrap();
    for (body, absent) in [(pool.elements[0][5], true), (pool.elements[1][3], false)] {
        let mut state = world.state().clone();
        state.bodies[body.index()].inactive = absent;
        assert_eq!(world.restore(state), Err(EditError::StateUnsound));
    }
    assert_eq!(world.state().hash(), before);
}

/// Cut anywhere, it is cut there at any resolution, and the cut can be undone.
#[test]
fn a_cut_stays_at_any_resolution() {
    let rule = Resolution { levels: 4, ..Resolution::default() };
    let (mut rig, cable) = taut(None, rule);
    // inside an element: the link between finest elements 21 and 22
    let link = rig.world.model().cables().get(cable).unwrap().links[22];
    let before = rig.world.state().hash();
    let undo = rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    assert_ne!(rig.world.state().hash(), before);
    rig.world.edit(undo).unwrap();
    assert_eq!(rig.world.state().hash(), before);
    rig.world.set(|s| s.gravity = DOWN * G).unwrap();
    rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    (0..30).for_each(|_| drop(rig.world.step()));
    let cuts = |world: &World| -> Vec<f64> {
        world.cable_readings(cable).iter().filter(|r| r.broken).map(|r| r.at).collect()
    };
    let at = 22.0 * 15.9 / 64.0;
    assert!(cuts(&rig.world).len() == 1 && (cuts(&rig.world)[0] - at).abs() < 1e-9, "{:?}", cuts(&rig.world));
    (0..600).for_each(|_| drop(rig.world.step()));
    assert_eq!(cuts(&rig.world).len(), 1);
    // too far apart to be spliced, by any link of that place
    assert!(rig.world.edit(Edit::Cut { link, cut: false }).is_err());
}

/// Turns stay counted: a rod twisted by three turns has the torque of three turns, few elements or many.
#[test]
fn turns_stay_counted() {
    let mut rig = Rig::new(1.0 / 240.0, Integrator::Spook).under(DVec3::ZERO);
    let along = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    let angle =
        Spline::new(vec![0.0, 0.5, 3.5, 1e3], vec![0.0, 0.0, 6.0 * PI, 6.0 * PI], Interpolation::Linear)
            .unwrap();
    let path = Path {
        position: [Motion::Constant(4.0), Motion::Constant(0.0), Motion::Constant(0.0)],
        rotations: vec![PathRotation { axis: DVec3::X, angle: Motion::Table(angle) }],
        orientation: along,
    };
    let chuck = rig.world.add_body(Body::kinematic("chuck", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let ends =
        [Anchor::frame(rig.ground, DVec3::ZERO, along), Anchor::point(chuck, DVec3::ZERO)].map(End::Clamp);
    // stiff against buckling: GJ τ' below the critical torque, which grows with tension
    let rod = Section { damping: [0.01, 0.05, 0.05], ..section(0.2, 1e5, 2.0) };
    let adaptive = Some(Resolution { levels: 3, ..Resolution::default() });
    let laying = CableSpec {
        ends,
        elements: 32,
        length: Some(3.96),
        adaptive,
        ..CableSpec::new("rod", rod, [DVec3::ZERO, DVec3::X * 4.0])
    };
    let cable = rig.world.add_cable(laying).unwrap();
    let mut changes = 0;
    for k in 0..240 * 12 {
        // plucked when it is twisted: what was merged is split and merged again
        if k == 240 * 5 {
            let pinched = rig.world.cable_elements(cable)[1];
            rig.world.set_velocity(pinched, DVec3::Z * 8.0, DVec3::ZERO).unwrap();
        }
        let report = rig.world.step();
        assert!(report.fault.is_none());
        changes += if k >= 240 * 5 { report.resolution.split } else { 0 };
    }
    println!("{:?}, {changes} split", lengths(&rig.world, cable));
    assert!(changes >= 8 && count(&rig.world, cable) <= 8, "{changes}");
    for reading in rig.world.cable_readings(cable) {
        near_part("torque", reading.torque.abs(), 2.0 / 1.3 * 6.0 * PI / 3.96, 2e-3);
    }
}

/// What something else is fast on stays as it is; what is not there cannot be gripped.
#[test]
fn gripped_elements_stay() {
    let (mut rig, cable) = taut(None, Resolution { levels: 4, ..Resolution::default() });
    let finest = rig.world.model().cables().get(cable).unwrap().elements[40];
    let force = |body| {
        Force::Applied(Applied::force(Anchor::point(body, DVec3::ZERO), Direction::World(DVec3::Z * 200.0)))
    };
    assert!(matches!(rig.world.add_force(force(finest)), Err(EditError::Absent { .. })));
    let held = rig.world.cable_elements(cable)[2];
    rig.world.add_force(force(held)).unwrap();
    (0..300).for_each(|_| assert!(rig.world.step().fault.is_none()));
    assert!(rig.world.cable_elements(cable).contains(&held));
    assert!(count(&rig.world, cable) > 4);
}

#[test]
fn laying_is_undone_to_the_bit_and_bad_rules_are_refused() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let laying = |elements: usize, rule: Resolution| {
        let ends = [End::Ball(Anchor::point(ground, DVec3::ZERO)), End::Free];
        let path = [DVec3::ZERO, DVec3::X];
        Box::new(CableSpec {
            ends,
            elements,
            adaptive: Some(rule),
            ..CableSpec::new("rope", section(1.0, 1e5, 0.1), path)
        })
    };
    let undo = world.edit(Edit::AddCable(laying(16, Resolution::default()))).unwrap();
    let laid = world.state().clone();
    let redo = world.edit(undo).unwrap();
    assert!(world.model().cables().count() == 0 && world.model().bodies().count() == 1);
    assert_eq!(world.model().joints().count(), 0);
    world.edit(redo).unwrap();
    assert_eq!(world.state().hash(), laid.hash());
    let cable = world.model().cable("rope").unwrap();
    (0..60).for_each(|_| assert!(world.step().fault.is_none()));
    let running = world.state().hash();
    let back = world.edit(Edit::RemoveCable(cable)).unwrap();
    world.edit(back).unwrap();
    assert_eq!(world.state().hash(), running);
    let good = Resolution::default();
    for (elements, rule, word) in [
        (12, good, "multiple of 8"),
        (16, Resolution { levels: 0, ..good }, "levels"),
        (16, Resolution { levels: 11, ..good }, "levels"),
        (16, Resolution { most: 1, ..good }, "fewer than 2"),
        (16, Resolution { bend: 0.0, ..good }, "radians"),
        (16, Resolution { ahead: f64::NAN, ..good }, "time above 0"),
    ] {
        let told = world.edit(Edit::AddCable(laying(elements, rule))).unwrap_err().to_string();
        assert!(told.contains(word), "{told}");
    }
}

/// A merged element touches with its own shape: a ball rests on a coarse rope only as long as it is not refined.
#[test]
fn what_is_not_there_is_not_touched() {
    let (rig, cable) = taut(Some(0), Resolution { levels: 4, ..Resolution::default() });
    let hits = rig.world.cast_ray_all(DVec3::new(3.0, 0.0, 1.0), DVec3::NEG_Z, 2.0, u32::MAX);
    let there = rig.world.cable_elements(cable);
    assert_eq!(hits.len(), 1, "{hits:?}");
    assert_eq!(hits[0].part.body as usize, there[0].index());
}

/// Pictures and probes go by the finest elements: they lie along those that stand for them, and the line is one.
#[test]
fn the_finest_elements_lie_along_those_that_stand_for_them() {
    let (mut rig, cable) = taut(None, Resolution { levels: 4, ..Resolution::default() });
    let pinched = rig.world.cable_elements(cable)[1];
    rig.world.set_velocity(pinched, DVec3::Z * 8.0, DVec3::ZERO).unwrap();
    for _ in 0..40 {
        rig.world.step();
        let finest = &rig.world.model().cables().get(cable).unwrap().elements;
        let at = |k: usize, end: f64| {
            let s = &rig.world.state().bodies[finest[k].index()];
            s.position + s.orientation * DVec3::Z * (0.5 * end * 15.9 / 64.0)
        };
        // gaps are those of the stretched links: 0.1 m in all, up to 16 elements' worth in one
        let gaps: Vec<f64> = (1..64).map(|k| at(k - 1, 1.0).distance(at(k, -1.0))).collect();
        assert!(gaps.iter().all(|g| *g < 0.04), "{gaps:?}");
        assert_eq!(rig.world.cable_curve(cable, Sampling::Chord(1e-3)).len(), 1);
    }
    let link = rig.world.model().cables().get(cable).unwrap().links[22];
    rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    (0..10).for_each(|_| drop(rig.world.step()));
    assert_eq!(rig.world.cable_curve(cable, Sampling::Chord(1e-3)).len(), 2);
}

/// A cable breaks where it is pulled most, at whatever resolution it has, and wear is handed over.
#[test]
fn it_breaks_and_wears_at_any_resolution() {
    let mut rig = Rig::new(1.0 / 240.0, Integrator::Spook);
    let load = rig.body("load", speck(100.0), DOWN * 8.0);
    let ends = [Anchor::point(rig.ground, DVec3::ZERO), Anchor::point(load, DVec3::ZERO)].map(End::Ball);
    let fatigue = Some(Fatigue { cycles: 1e3, exponent: 3.0 });
    let rope = Section { damping: [0.01; 3], breaking: Some(2000.0), fatigue, ..section(0.5, 1e5, 0.1) };
    let adaptive = Some(Resolution::default());
    let path = [DVec3::ZERO, DOWN * 8.0];
    let laying = CableSpec { ends, elements: 32, adaptive, ..CableSpec::new("rope", rope, path) };
    let cable = rig.world.add_cable(laying).unwrap();
    (0..480).for_each(|_| drop(rig.world.step()));
    assert_eq!(count(&rig.world, cable), 4);
    let worn: Vec<f64> = rig.world.cable_readings(cable).iter().map(|r| r.damage).collect();
    assert!(worn.iter().all(|d| *d > 1e-5), "{worn:?}");
    // plucked, the links that come to light are worn like the others
    let pinched = rig.world.cable_elements(cable)[1];
    rig.world.set_velocity(pinched, DVec3::X * 10.0, DVec3::ZERO).unwrap();
    let mut most = 0;
    for _ in 0..60 {
        rig.world.step();
        let readings = rig.world.cable_readings(cable);
        most = most.max(readings.len());
        assert!(readings.iter().all(|r| r.damage > 1e-5), "{readings:?}");
    }
    assert!(most > 8, "{most}");
    let pull = Applied::force(Anchor::point(load, DVec3::ZERO), Direction::World(DOWN * 2000.0));
    rig.world.add_force(Force::Applied(pull)).unwrap();
    let broken: usize = (0..240).map(|_| rig.world.step().broken).sum();
    let cuts = rig.world.cable_readings(cable).iter().filter(|r| r.broken).count();
    assert_eq!((broken, cuts), (1, 1));
}

/// A cable that loses an element goes on, in two pieces that stay as they are.
#[test]
fn a_cable_with_a_hole_stays_as_it_is() {
    let (mut rig, cable) = taut(None, Resolution { levels: 4, ..Resolution::default() });
    let lost = rig.world.cable_elements(cable)[1];
    rig.world.edit(Edit::RemoveBody(lost)).unwrap();
    rig.world.set(|s| s.gravity = DOWN * G).unwrap();
    for _ in 0..120 {
        let report = rig.world.step();
        assert!(report.fault.is_none() && report.resolution == RemeshReport::default());
    }
    rig.world.restore(State::from_bytes(&rig.world.state().to_bytes()).unwrap()).unwrap();
    assert!(rig.world.step().fault.is_none());
}
