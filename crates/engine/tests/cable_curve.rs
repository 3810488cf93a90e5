//! The line and the tube a cable is drawn as.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::*;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use windlass_engine::math;
use windlass_engine::prelude::*;

fn section(stretch: f64, bend: f64, twist: f64) -> Section {
    Section { diameter: 0.02, ..kit::section(0.1, stretch, bend, twist) }
}

/// A cable of elements that are turned at random about all axes, by up to an angle each, with gaps between them.
fn wild(elements: usize, angle: f64, gap: f64, seed: u64) -> CableGeometry {
    let mut state = seed;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut vector = move || DVec3::new(random(), random(), random());
    let (mut at, mut orientation) = (DVec3::ZERO, DQuat::IDENTITY);
    let mut poses = Vec::new();
    for _ in 0..elements {
        orientation = math::unit(orientation * math::exp(vector() * angle));
        at += orientation * DVec3::Z * 0.05;
        poses.push((at, orientation));
        at += orientation * DVec3::Z * 0.05 + vector() * gap;
    }
    CableGeometry { element: 0.1, poses, ..CableGeometry::default() }
}

/// Rings around which no edge is open, faces that look where their normals do.
fn closed(tube: &Tube) {
    let bits = |i: u32| tube.positions[i as usize].to_array().map(|x| (x + 0.0).to_bits());
    let mut edges: BTreeMap<_, (i32, i32)> = BTreeMap::new();
    for triangle in &tube.triangles {
        let [a, b, c] = triangle.map(|i| tube.positions[i as usize]);
        let normal = (b - a).cross(c - a).normalize();
        for (k, corner) in triangle.iter().enumerate() {
            assert!((tube.normals[*corner as usize].length() - 1.0).abs() < 1e-12);
            assert!(tube.normals[*corner as usize].dot(normal) > 0.3, "a face looks inward");
            let [from, to] = [bits(*corner), bits(triangle[(k + 1) % 3])];
            let edge = edges.entry((from.min(to), from.max(to))).or_default();
            *edge = (edge.0 + 1, edge.1 + if from < to { 1 } else { -1 });
        }
    }
    assert!(edges.values().all(|edge| *edge == (2, 0)), "an edge has not two sides");
}

/// Place and direction do not jump at the knots, whatever elements do, nor does the stripe.
#[test]
fn the_line_is_smooth() {
    for seed in 0..20 {
        let mut lie = wild(9, 0.5, 0.03, seed);
        // an element stretched, and one that lies wholly on the next
        lie.poses[5].0 = lie.poses[6].0;
        lie.ties = (0..8).map(|k| Some(f64::from(k) * 4.0)).collect();
        let clamp = (math::unit(math::exp(DVec3::new(0.3, 0.2, 9.0))), 30.0);
        lie.holds = [Some(Fixing { at: DVec3::new(0.01, 0.0, -0.02), clamp: Some(clamp) }), None];
        // three rates across each knot, by differences of second order to both sides
        let count = 1000;
        let line = &lie.curve(Sampling::PerElement(count))[0];
        assert_eq!(line.len(), 9 * count + 1);
        let step = 0.1 / count as f64;
        for k in 1..9 {
            let p = |i: isize| line[(k * count).checked_add_signed(i).unwrap()].point;
            let ahead = (-11.0 * p(0) + 18.0 * p(1) - 9.0 * p(2) + 2.0 * p(3)) / (6.0 * step);
            let back = (11.0 * p(0) - 18.0 * p(-1) + 9.0 * p(-2) - 2.0 * p(-3)) / (6.0 * step);
            // a cubic has no further differences: what is left is round-off of 1e-16/1e-4
            assert!((ahead - back).length() < 1e-9, "seed {seed}, knot {k}: {}", (ahead - back).length());
            assert!((ahead.normalize() - line[k * count].tangent).length() < 1e-9);
            assert!((ahead.length() - line[k * count].stretch).abs() < 1e-9);
        }
        for pair in line.windows(2) {
            assert!((pair[1].point - pair[0].point).length() < 3e-3);
            assert!(pair[0].side.dot(pair[1].side) > 0.9, "the stripe jumps at {}", pair[1].at);
            assert!(pair[0].side.dot(pair[0].tangent).abs() < 1e-12);
        }
        // through the clamp, along it, and with its stripe
        assert!((line[0].point - DVec3::new(0.01, 0.0, -0.02)).length() < 1e-15);
        assert!((line[0].tangent - clamp.0 * DVec3::Z).length() < 1e-12);
        assert!((line[0].side - clamp.0 * DVec3::X).length() < 1e-12);
    }
}

/// The stripe is the element's own side in the middle of each, and turns as often between them as their link is twisted.
#[test]
fn the_stripe_turns_as_the_elements_do() {
    for turns in [0.0, 0.3, -1.7, 12.4, -37.0] {
        // a straight rod twisted by so many turns between its ends
        let n = 8;
        let per = TAU * turns / (n - 1) as f64;
        let pose = |k: usize| (DVec3::Z * (0.1 * k as f64 + 0.05), math::turn(DVec3::Z, per * k as f64));
        let poses: Vec<_> = (0..n).map(pose).collect();
        let lie =
            CableGeometry { element: 0.1, poses, ties: vec![Some(per); n - 1], ..CableGeometry::default() };
        let count = 400;
        let line = &lie.curve(Sampling::PerElement(count))[0];
        let mut total = 0.0;
        for pair in line.windows(2) {
            assert!((pair[1].point - DVec3::Z * pair[1].at).length() < 1e-15, "not straight");
            // a unit quaternion is one to the last bit
            assert!((pair[1].tangent - DVec3::Z).length() < 1e-15);
            let (a, b) = (pair[0].side, pair[1].side);
            let angle = libm::atan2(a.cross(b).z, a.dot(b));
            total += angle;
            let within = pair[0].at > 0.05 - 1e-9 && pair[1].at < 0.75 + 1e-9;
            let want = if within { per / count as f64 } else { 0.0 };
            assert!((angle - want).abs() < 1e-9, "the turn is not spread evenly at {}", pair[1].at);
        }
        near("turns", total / TAU, turns, 1e-9);
        for (k, (_, orientation)) in lie.poses.iter().enumerate() {
            let side = line[k * count + count / 2].side;
            assert!((side - *orientation * DVec3::X).length() < 1e-12);
        }
        // an adaptive line has enough points to show it
        let line = &lie.curve(Sampling::Chord(1e-3))[0];
        let seen = line.windows(2).map(|p| p[0].side.angle_between(p[1].side)).fold(0.0, f64::max);
        assert!(seen < PI / 8.0 + 1e-6, "{seen}");
        assert!(turns != 0.0 || line.len() == n + 1, "a straight rod needs no more than its knots");
    }
}

/// A cable on a circle of radius 1 once around, its elements as chords.
fn circle(n: usize) -> CableGeometry {
    let angle = TAU / n as f64;
    let length = 2.0 * libm::sin(0.5 * angle);
    let pose = |k: usize| {
        let middle = angle * (k as f64 + 0.5);
        let at = DVec3::new(libm::cos(middle), libm::sin(middle), 0.0) * libm::cos(0.5 * angle);
        (at, math::facing(DVec3::new(-libm::sin(middle), libm::cos(middle), 0.0)))
    };
    CableGeometry { element: length, poses: (0..n).map(pose).collect(), ..CableGeometry::default() }
}

/// Chords of a circle become the circle, and much faster than of second order.
#[test]
fn chords_of_a_circle_become_round() {
    let error = |n: usize| {
        let line = &circle(n).curve(Sampling::PerElement(20))[0];
        let off = |p: &CurvePoint| {
            let tangent = DVec3::new(-p.point.y, p.point.x, 0.0).normalize();
            (p.point.length() - 1.0).abs().max((p.tangent - tangent).length())
        };
        line.iter().map(off).fold(0.0, f64::max)
    };
    let [coarse, middle, fine] = [6, 12, 24].map(error);
    println!("errors {coarse:.2e} {middle:.2e} {fine:.2e}");
    assert!(coarse < 2e-2 && coarse / middle > 4.0 && middle / fine > 4.0);
}

/// The rod of CB06, bent into a circle by an end couple, is drawn as that circle to second order.
#[test]
fn a_rod_bent_by_a_couple_is_drawn_as_a_circle() {
    let off = |elements: usize| {
        let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook).under(DVec3::ZERO);
        let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
        let clamp = End::Clamp(Anchor::frame(rig.ground, DVec3::ZERO, turn));
        let ends = [clamp, End::Free];
        let laying = CableSpec {
            ends,
            elements,
            ..CableSpec::new("rod", section(1e6, 1.0, 1.0), [DVec3::ZERO, DVec3::X])
        };
        let cable = rig.world.add_cable(laying).unwrap();
        let last = *rig.world.model().cables().get(cable).unwrap().elements.last().unwrap();
        let torque = Applied::torque(last, Direction::World(DVec3::Y * TAU));
        rig.world.add_force(Force::Applied(torque)).unwrap();
        settle(&mut rig, 60.0);
        let line = &rig.world.cable_curve(cable, Sampling::Chord(1e-4))[0];
        assert_eq!((line[0].point, line[0].at), (DVec3::ZERO, 0.0));
        near("clamped", line[0].tangent.distance(DVec3::X), 0.0, 1e-12);
        // a right-handed turn about y bends the end down: the middle is below
        let radius = 1.0 / TAU;
        line.iter().map(|p| (p.point + DVec3::Z * radius).length() - radius).fold(0.0, |m, e| e.abs().max(m))
    };
    let [coarse, middle, fine] = [6, 12, 24].map(off);
    println!("off the circle {coarse:.2e} {middle:.2e} {fine:.2e} m");
    assert!(coarse / middle > 3.5 && middle / fine > 3.5 && fine < 2e-3);
}

/// Chords stay within their error.
#[test]
fn an_adaptive_line_keeps_its_error() {
    for (seed, error) in [(3, 1e-3), (4, 1e-4), (5, 1e-6)] {
        let lie = wild(7, 0.4, 0.01, seed);
        let fine = &lie.curve(Sampling::PerElement(1000))[0];
        let line = &lie.curve(Sampling::Chord(error))[0];
        let distance = |p: &CurvePoint| {
            let part = line.windows(2).find(|w| w[1].at >= p.at).unwrap();
            let (a, way) = (part[0].point, part[1].point - part[0].point);
            let t = ((p.point - a).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (a + way * t).distance(p.point)
        };
        let off = fine.iter().map(distance).fold(0.0, f64::max);
        assert!(off <= error, "{off} of {error}");
        println!("{} points for {error:.0e} m, off by {off:.1e} m", line.len());
    }
}

/// Tubes are closed, look outward, and have the volume of what they stand for.
#[test]
fn tubes_are_closed() {
    let (sides, radius) = (12, 0.01);
    let lie = wild(8, 0.3, 0.005, 1);
    let line = lie.curve(Sampling::Chord(1e-4));
    let tube = Tube::around(&line, radius, sides);
    closed(&tube);
    assert_eq!((tube.normals.len(), tube.uvs.len()), (tube.positions.len(), tube.positions.len()));
    let length: f64 = line[0].windows(2).map(|p| p[0].point.distance(p[1].point)).sum();
    let six = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| tube.positions[i as usize]);
        a.dot(b.cross(c))
    };
    let volume = tube.triangles.iter().map(six).sum::<f64>() / 6.0;
    let area = 0.5 * sides as f64 * radius * radius * libm::sin(TAU / sides as f64);
    near_part("volume", volume, area * length, 1e-2);
    // in the middle of an element the first corner of a ring is on the stripe, where v is 0
    let line = lie.curve(Sampling::PerElement(2));
    let ring = (sides + 1) * 7;
    let tube = Tube::around(&line, radius, sides);
    assert!((tube.positions[ring] - line[0][7].point - line[0][7].side * radius).length() < 1e-15);
    assert!((tube.uvs[ring].x - 0.35).abs() < 1e-15);
    assert_eq!((tube.uvs[ring].y, tube.uvs[ring + sides].y), (0.0, 1.0));
}

/// A cut cable is two lines; both ends of the cut have lids.
#[test]
fn a_cut_cable_is_two_lines() {
    let mut rig = Rig::new(1.0 / 60.0, Integrator::Spook);
    let ends = [0.0, 1.0].map(|x| End::Ball(Anchor::point(rig.ground, DVec3::X * x)));
    let path = [DVec3::ZERO, DVec3::X];
    let laying = CableSpec { ends, elements: 10, ..CableSpec::new("rope", section(1e5, 0.0, 0.0), path) };
    let cable = rig.world.add_cable(laying).unwrap();
    assert_eq!(rig.world.cable_curve(cable, Sampling::PerElement(1)).len(), 1);
    let whole = rig.world.cable_tube(cable, Sampling::PerElement(1), 6);
    let link = rig.world.model().cables().get(cable).unwrap().links[4];
    rig.world.edit(Edit::Cut { link, cut: true }).unwrap();
    rig.run(0.4, |_, _| ());
    let line = rig.world.cable_curve(cable, Sampling::PerElement(2));
    assert_eq!(line.iter().map(Vec::len).collect::<Vec<_>>(), [9, 13]);
    assert!((line[1][0].at - 0.4).abs() < 1e-15 && (line[1][0].at - line[0][8].at).abs() < 1e-15);
    assert!(line[0][8].point.distance(line[1][0].point) > 0.5, "the ends have fallen apart");
    assert_eq!((line[0][0].point, line[1][12].point), (DVec3::ZERO, DVec3::X));
    let parted = rig.world.cable_tube(cable, Sampling::PerElement(1), 6);
    closed(&parted);
    // one ring and two lids of four triangles more
    assert_eq!(parted.triangles.len(), whole.triangles.len() + 8);
    // nor is a cable that is gone a reason to panic
    rig.world.edit(Edit::RemoveCable(cable)).unwrap();
    assert!(rig.world.cable_curve(cable, Sampling::Chord(1e-3)).is_empty());
    assert!(rig.world.cable_tube(cable, Sampling::Chord(1e-3), 6).triangles.is_empty());
}

/// Elements that lie in one point, fold back or are alone, errors of nothing and sides of none: numbers stay finite.
#[test]
fn odd_cables_have_finite_lines() {
    let up = (DVec3::ZERO, DQuat::IDENTITY);
    let down = (DVec3::Z * 0.1, DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    let hold = Fixing { at: DVec3::ZERO, clamp: Some((DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0), 7.0)) };
    let lies = [
        CableGeometry::default(),
        CableGeometry { element: 0.1, poses: vec![up], ..CableGeometry::default() },
        CableGeometry { element: 0.1, poses: vec![up; 3], ..CableGeometry::default() },
        CableGeometry { element: 1e-300, poses: vec![up; 3], ..CableGeometry::default() },
        CableGeometry { element: 0.1, poses: vec![up, down, up, down], ..CableGeometry::default() },
        CableGeometry {
            element: 0.1,
            poses: vec![down, up],
            holds: [Some(hold); 2],
            ..CableGeometry::default()
        },
    ];
    for lie in lies {
        for sampling in
            [Sampling::Chord(1e-3), Sampling::Chord(0.0), Sampling::PerElement(0), Sampling::PerElement(7)]
        {
            let line = lie.curve(sampling);
            assert_eq!(line.len(), usize::from(!lie.poses.is_empty()));
            for p in line.iter().flatten() {
                assert!(p.point.is_finite() && p.at.is_finite() && p.stretch.is_finite(), "{p:?}");
                assert!(
                    (p.tangent.length() - 1.0).abs() < 1e-9 && (p.side.length() - 1.0).abs() < 1e-9,
                    "{p:?}"
                );
                assert!(p.tangent.dot(p.side).abs() < 1e-9, "{p:?}");
            }
            let tube = Tube::around(&line, 0.01, 0);
            assert!(tube.positions.iter().chain(&tube.normals).all(|p| p.is_finite()));
        }
    }
}
