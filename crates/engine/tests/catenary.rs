//! Lines that hang, against closed forms, differences, and the cable of elements.

use windlass_engine::cable::catenary::{CatenaryShape, CatenaryState, PlanarPoint, hang, length};
use windlass_engine::model::cable::Piece;

const G: f64 = 9.81;

fn inelastic(length: f64, weight: f64) -> Piece {
    Piece { length, weight, give: 0.0 }
}

fn near(a: f64, b: f64, relative: f64) {
    assert!((a - b).abs() <= relative * b.abs().max(1e-12), "{a} instead of {b}");
}

fn end(hung: &CatenaryState, pieces: &[Piece]) -> PlanarPoint {
    hung.at(pieces, length(pieces))
}

/// Every part of a line is in equilibrium, by differences of its shape alone: its pull has the direction of the line and changes by
/// what the part weighs, unless it lies on the floor.
fn in_equilibrium(pieces: &[Piece], hung: &CatenaryState) {
    let (n, length) = (3000, length(pieces));
    let ds = length / n as f64;
    let spots: Vec<PlanarPoint> = (0..=n).map(|k| hung.at(pieces, ds * k as f64)).collect();
    let force = |k: usize| {
        let (dx, dz) = (spots[k + 1].x - spots[k].x, spots[k + 1].z - spots[k].z);
        let chord = dx.hypot(dz);
        let tension = 0.5 * (spots[k].tension + spots[k + 1].tension);
        (tension * dx / chord, tension * dz / chord)
    };
    let bounds: Vec<f64> = pieces
        .iter()
        .scan(0.0, |sum, p| {
            *sum += p.length;
            Some(*sum)
        })
        .chain(hung.lying)
        .collect();
    let mut counted = 0;
    for k in 1..n {
        let s = ds * k as f64;
        if bounds.iter().any(|b| (b - s).abs() < 2.0 * ds) {
            continue;
        }
        let mut from = 0.0;
        let piece = pieces
            .iter()
            .find(|p| {
                from += p.length;
                s < from
            })
            .unwrap();
        let lies = s > hung.lying[0] && s < hung.lying[1];
        let weight = if lies { 0.0 } else { piece.weight * ds };
        let (before, after) = (force(k - 1), force(k));
        // chords are off by (ds/R)², R ≥ T/w the radius of the bend
        let bend = (piece.weight * ds / spots[k].tension).powi(2);
        let most = (1e-5 + bend) * piece.weight.abs() * ds + 1e-10 * hung.pull;
        assert!((after.0 - before.0).abs() < most, "pull at {s}: {before:?} {after:?} {most}");
        assert!((after.1 - before.1 - weight).abs() < most, "lift at {s}: {before:?} {after:?} {most}");
        counted += 1;
    }
    assert!(counted > n * 9 / 10);
}

/// CB01: 2a sinh(5/a) = 12.
#[test]
fn a_catenary_is_the_closed_form() {
    let line = [inelastic(12.0, G)];
    let hung = hang(&line, 10.0, 0.0, None);
    near(hung.pull, 46.062023, 1e-7);
    near(-hung.at(&line, 6.0).z, 2.923438, 1e-6);
    near(end(&hung, &line).tension, 74.74095, 1e-7);
    near(end(&hung, &line).angle.to_degrees(), 51.954361, 1e-7);
    near(hung.at(&line, 0.0).angle.to_degrees(), -51.954361, 1e-7);
    assert_eq!(hung.posture, CatenaryShape::Free);
    in_equilibrium(&line, &hung);
}

/// CB02, both: a line that stretches; one of them is no longer than its span.
#[test]
fn an_elastic_catenary_is_irvines() {
    let line = |length: f64, stiffness: f64| [Piece { length, weight: 2.0 * G, give: 1.0 / stiffness }];
    let a = line(10.0, 5e4);
    let hung = hang(&a, 10.0, 0.0, None);
    near(hung.pull, 427.91744, 1e-7);
    near(-hung.at(&a, 5.0).z, 0.57069097, 1e-7);
    near(end(&hung, &a).tension, 439.01816, 1e-7);
    let b = line(12.0, 2e4);
    let hung = hang(&b, 10.0, 0.0, None);
    near(hung.pull, 90.243181, 1e-7);
    near(-hung.at(&b, 6.0).z, 2.9782573, 1e-7);
}

/// Where a line is divided does not matter.
#[test]
fn halves_are_the_whole() {
    let (whole, halves) = ([inelastic(70.0, 30.0)], [inelastic(11.0, 30.0), inelastic(59.0, 30.0)]);
    for floor in [None, Some(-20.0)] {
        let (a, b) = (hang(&whole, 50.0, 13.0, floor), hang(&halves, 50.0, 13.0, floor));
        near(a.pull, b.pull, 1e-11);
        for s in [3.0, 11.0, 30.0, 66.0] {
            near(a.at(&whole, s).z, b.at(&halves, s).z, 1e-10);
        }
    }
}

/// Ends meet where they are, whatever hangs between: light, heavy, buoyant, slack, nearly taut, upright.
#[test]
fn ends_meet_and_parts_balance() {
    let waves: [&[Piece]; 4] = [
        &[inelastic(100.0, 50.0)],
        &[inelastic(60.0, 50.0), inelastic(20.0, -80.0), inelastic(60.0, 50.0)],
        &[inelastic(60.0, 50.0), inelastic(40.0, -90.0), inelastic(60.0, 0.1), inelastic(5.0, 700.0)],
        &[inelastic(70.0, -50.0), Piece { length: 30.0, weight: 9.0, give: 1e-6 }],
    ];
    for line in waves {
        let total = length(line);
        for part in [0.0, 1e-4, 0.3, 0.9, 0.999, 0.999_999] {
            for slope in [-1.4, -0.3, 0.0, 0.8, 1.55] {
                let (span, rise) = (part * total * libm::cos(slope), part * total * libm::sin(slope));
                let hung = hang(line, span, rise, None);
                let spot = end(&hung, line);
                assert!((spot.x - span).abs() < 2e-7 * total, "{part} {slope}: {spot:?} for {span}");
                assert!((spot.z - rise).abs() < 1e-9 * total, "{part} {slope}: {spot:?} for {rise}");
                assert_eq!(hung.posture, CatenaryShape::Free);
                if part > 0.2 && part < 0.95 {
                    in_equilibrium(line, &hung);
                }
            }
        }
    }
}

/// A line that hangs by both ends from one place is two upright ones.
#[test]
fn an_upright_line_weighs_on_both_ends() {
    let line = [inelastic(10.0, 7.0)];
    let hung = hang(&line, 0.0, 2.0, None);
    // 6 m below the start, 4 m … the bend stands where the upper end bears 2 m more
    near(hung.at(&line, 4.0).z, -4.0, 1e-5);
    near(hung.at(&line, 0.0).tension, 28.0, 1e-5);
    near(end(&hung, &line).tension, 42.0, 1e-5);
}

/// Too short for its way, it is straight, and says so; one that stretches is pulled by EA ε.
#[test]
fn too_short_a_line_is_taut() {
    let line = [inelastic(4.0, 7.0)];
    let hung = hang(&line, 3.0, 4.0, None);
    assert_eq!(hung.posture, CatenaryShape::Taut);
    let middle = hung.at(&line, 2.0);
    assert_eq!((middle.x, middle.z, middle.tension), (1.5, 2.0, f64::INFINITY));
    let line = [Piece { length: 4.0, weight: 7.0, give: 1e-7 }];
    let hung = hang(&line, 3.0, 4.0, Some(-1.0));
    near(end(&hung, &line).tension, 0.25e7, 1e-4);
    near(end(&hung, &line).x, 3.0, 1e-12);
}

/// With an end on the floor: s = √(h² + 2 h H/w) hangs, and spans (H/w) acosh(1 + h w/H).
#[test]
fn touch_down_is_the_closed_form() {
    let (w, total, h, span) = (400.0, 300.0, 100.0, 240.0);
    let line = [inelastic(total, w)];
    let hung = hang(&line, span, h, Some(0.0));
    assert_eq!(hung.posture, CatenaryShape::Grounded);
    let a = hung.pull / w;
    let suspended = (h * h + 2.0 * h * a).sqrt();
    near(total - hung.lying[1], suspended, 1e-10);
    near(total - suspended + a * (1.0 + h / a).acosh(), span, 1e-11);
    assert_eq!(hung.lying[0], 0.0);
    // the pull at the top is w h more than on the floor
    near(end(&hung, &line).tension, hung.pull + w * h, 1e-10);
    near(end(&hung, &line).z, h, 1e-10);
    assert!(hung.at(&line, 0.5 * hung.lying[1]).z.abs() < 1e-12);
    in_equilibrium(&line, &hung);
    // the same with the ends changed over
    let other = hang(&line, span, -h, Some(-h));
    near(other.pull, hung.pull, 1e-10);
    near(other.lying[0], total - hung.lying[1], 1e-10);
}

/// Between two raised ends both sides of the lying part follow the closed form.
#[test]
fn a_line_lies_between_two_raised_ends() {
    let line = [inelastic(100.0, 10.0)];
    let hung = hang(&line, 80.0, 5.0, Some(-10.0));
    assert_eq!(hung.posture, CatenaryShape::Grounded);
    let a = hung.pull / 10.0;
    near(hung.lying[0], (100.0 + 20.0 * a).sqrt(), 1e-10);
    near(100.0 - hung.lying[1], (225.0 + 30.0 * a).sqrt(), 1e-10);
    near(end(&hung, &line).x, 80.0, 1e-10);
    near(end(&hung, &line).z, 5.0, 1e-10);
    in_equilibrium(&line, &hung);
}

/// More line than way: it hangs straight down, and the rest is heaped on the floor.
#[test]
fn a_slack_line_is_heaped() {
    let line = [inelastic(100.0, 10.0)];
    let hung = hang(&line, 30.0, 20.0, Some(0.0));
    assert_eq!(hung.posture, CatenaryShape::Heaped);
    near(hung.lying[1], 80.0, 1e-4);
    near(end(&hung, &line).x, 30.0, 1e-9);
    near(end(&hung, &line).tension, 200.0, 1e-4);
}

/// A lazy wave: lies, rises with its buoyant part, sags, and goes up to the vessel.
#[test]
fn a_lazy_wave_waves() {
    let line = [inelastic(120.0, 60.0), inelastic(50.0, -90.0), inelastic(90.0, 60.0)];
    let hung = hang(&line, 190.0, 100.0, Some(0.0));
    assert_eq!(hung.posture, CatenaryShape::Grounded);
    in_equilibrium(&line, &hung);
    near(end(&hung, &line).x, 190.0, 1e-9);
    near(end(&hung, &line).z, 100.0, 1e-9);
    // up, over the crest, down, and up again
    let heights: Vec<f64> = (0..=260).map(|s| hung.at(&line, f64::from(s)).z).collect();
    let turns = heights.windows(3).filter(|h| (h[1] - h[0]) * (h[2] - h[1]) < 0.0).count();
    assert_eq!(turns, 2, "{heights:?}");
    assert!(heights.iter().all(|z| *z > -1e-9));
    // what it bears at the top is what hangs there, less what the buoyancy bears
    let hanging = 60.0 * (120.0 - hung.lying[1]) - 90.0 * 50.0 + 60.0 * 90.0;
    near(end(&hung, &line).tension, hanging.hypot(hung.pull), 1e-11);
}

/// A wave whose second sag would lie on the floor too is told.
#[test]
fn two_sags_on_the_floor_are_told() {
    let line = [inelastic(60.0, 60.0), inelastic(20.0, -150.0), inelastic(60.0, 60.0)];
    let hung = hang(&line, 100.0, 0.0, Some(-3.0));
    assert_eq!(hung.posture, CatenaryShape::Sunk);
    near(end(&hung, &line).x, 100.0, 1e-9);
}

mod in_a_world {
    use glam::{DQuat, DVec3};
    use std::sync::Arc;
    use windlass_engine::prelude::*;

    const SECTION: Section = Section {
        diameter: 0.1,
        mass_per_length: 5.0,
        stretch: 1e7,
        bend: 0.0,
        twist: 0.0,
        damping: [0.05, 0.0, 0.0],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    };

    /// Resists with 5 N·s/m.
    #[derive(Debug)]
    struct Water(BodyId);

    impl ForceLaw for Water {
        fn apply(&self, bodies: &Bodies<'_>, out: &mut Loads) {
            out.pull(self.0, bodies.body(self.0).velocity * -5.0);
        }

        fn bodies(&self) -> Vec<BodyId> {
            vec![self.0]
        }
    }

    fn even(length: f64) -> Vec<Piece> {
        vec![Piece { length, weight: 5.0 * 9.81, give: 1e-7 }]
    }

    fn anchored(world: &mut World, name: &str, at: DVec3) -> Anchor {
        let id = world.add_body(Body::fixed(name), at, DQuat::IDENTITY).unwrap();
        Anchor::point(id, DVec3::ZERO)
    }

    fn hung(ends: [Anchor; 2], pieces: Vec<Piece>, floor: Option<f64>, elements: usize) -> CableSpec {
        let length = pieces.iter().map(|p| p.length).sum();
        CableSpec {
            ends: ends.map(End::Ball),
            length: Some(length),
            elements,
            surface: Some(0),
            hang: Some(Hang { pieces, floor }),
            ..CableSpec::new("line", SECTION, [DVec3::ZERO, DVec3::X])
        }
    }

    fn tip(world: &World, cable: CableId, last: bool) -> DVec3 {
        let cable = world.model().cables().get(cable).unwrap();
        let (id, side) =
            if last { (*cable.elements.last().unwrap(), 0.5) } else { (cable.elements[0], -0.5) };
        let s = &world.state().bodies[id.index()];
        s.position + s.orientation * DVec3::Z * (side * cable.element)
    }

    /// A ball that falls on a catenary comes to rest on it, and the line does not give.
    #[test]
    fn a_ball_rests_on_it() {
        let mut world = World::default();
        let a = anchored(&mut world, "a", DVec3::new(-5.0, 0.0, 3.0));
        let b = anchored(&mut world, "b", DVec3::new(5.0, 0.0, 3.0));
        let cable = world.add_cable(hung([a, b], even(12.0), None, 24)).unwrap();
        // two beside each other make a trough; one by one a ball rolls off
        let [a, b] = [a, b].map(|anchor| Anchor { at: DVec3::Y * 0.3, ..anchor });
        world.add_cable(hung([a, b], even(12.0), None, 24)).unwrap();
        let shape = Shape::Sphere { radius: 0.25 };
        let ball =
            Body::dynamic("ball", Mass::of(&shape, 1000.0).unwrap()).with_collider(Collider::new(shape));
        let ball = world.add_body(ball, DVec3::new(0.02, 0.15, 1.5), DQuat::IDENTITY).unwrap();
        let lowest = world.catenary(cable).unwrap();
        let sag = 2.923438;
        for _ in 0..600 {
            assert!(world.step().fault.is_none());
        }
        let s = &world.state().bodies[ball.index()];
        assert!(s.velocity.length() < 0.05, "{:?}", s.velocity);
        // over both lines at 0.15 m to the side: √(0.3² − 0.15²) over their axes
        let over = s.position.z - (3.0 - sag);
        assert!((over - 0.2598).abs() < 0.02, "{over}");
        assert_eq!(world.catenary(cable).unwrap(), lowest);
        assert!(world.state().contacts.len() >= 2);
    }

    /// The line follows an end that moves, exactly, and what it would strike at its ends it passes.
    #[test]
    fn it_follows_its_ends() {
        for stepper in [Integrator::Spook, Integrator::Projected] {
            let mut world = World::default();
            world.set(|s| s.integrator = stepper).unwrap();
            let a = anchored(&mut world, "a", DVec3::new(-8.0, 0.0, 0.0));
            let sphere = Shape::Sphere { radius: 0.5 };
            let body =
                Body::dynamic("b", Mass::of(&sphere, 1000.0).unwrap()).with_collider(Collider::new(sphere));
            let body = world.add_body(Body { gravity: false, ..body }, DVec3::ZERO, DQuat::IDENTITY).unwrap();
            world.set_velocity(body, DVec3::new(0.5, 1.0, 0.3), DVec3::new(0.0, 0.0, 1.0)).unwrap();
            let b = Anchor::point(body, DVec3::X * 0.2);
            let cable = world.add_cable(hung([a, b], even(12.0), None, 24)).unwrap();
            for _ in 0..90 {
                assert!(world.step().fault.is_none());
                let at = world.model().frame(world.state(), &b).at;
                // chords are shorter than their elements by (ds/R)²/24
                assert!(tip(&world, cable, true).distance(at) < 2e-3);
                assert!(tip(&world, cable, false).distance(DVec3::X * -8.0) < 2e-3);
            }
            // it pulled at nothing
            let s = &world.state().bodies[body.index()];
            assert!(s.velocity.distance(DVec3::new(0.5, 1.0, 0.3)) < 1e-12);
            // and its elements have the speed with which they went
            let element = world.model().cables().get(cable).unwrap().elements[20].index();
            let before = world.state().bodies[element];
            world.step();
            let after = world.state().bodies[element];
            let went = (after.position - before.position) * 60.0;
            assert!(went.length() > 0.3 && went.distance(after.velocity) < 0.02 * went.length());
        }
    }

    /// A state that is put back goes on with the same bits.
    #[test]
    fn it_is_restored_to_the_bit() {
        let mut world = World::default();
        let a = anchored(&mut world, "a", DVec3::new(-8.0, 0.0, 0.0));
        let sine = Motion::Sine { mean: 0.0, amplitude: 1.0, frequency: 0.7, phase: 0.0 };
        let position = [Motion::Constant(0.0), Motion::Constant(0.0), sine];
        let path = Path { position, rotations: Vec::new(), orientation: DQuat::IDENTITY };
        let body = world.add_body(Body::kinematic("b", path), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let pieces = vec![
            Piece { length: 7.0, weight: 40.0, give: 1e-7 },
            Piece { length: 2.0, weight: -60.0, give: 1e-7 },
            Piece { length: 6.0, weight: 40.0, give: 1e-7 },
        ];
        world.add_cable(hung([a, Anchor::point(body, DVec3::ZERO)], pieces, Some(-3.0), 40)).unwrap();
        let shape = Shape::Sphere { radius: 0.2 };
        let ball =
            Body::dynamic("ball", Mass::of(&shape, 500.0).unwrap()).with_collider(Collider::new(shape));
        world.add_body(ball, DVec3::new(-4.0, 0.0, 2.0), DQuat::IDENTITY).unwrap();
        (0..40).for_each(|_| drop(world.step()));
        let kept = world.state().clone();
        (0..60).for_each(|_| drop(world.step()));
        let there = world.state().to_bytes();
        world.restore(kept).unwrap();
        (0..60).for_each(|_| drop(world.step()));
        assert_eq!(world.state().to_bytes(), there);
    }

    /// Edits move it and are undone exactly; a removed end leaves it where it hung.
    #[test]
    fn edits_move_it_and_are_undone() {
        let mut world = World::default();
        let a = anchored(&mut world, "a", DVec3::new(-4.0, 0.0, 0.0));
        let b = anchored(&mut world, "b", DVec3::new(4.0, 0.0, 0.0));
        let cable = world.add_cable(hung([a, b], even(12.0), None, 12)).unwrap();
        let before = world.state().to_bytes();
        let to = Edit::SetPose { body: b.body, at: DVec3::new(4.0, 3.0, 1.0), orientation: DQuat::IDENTITY };
        let back = world.edit(to).unwrap();
        assert!(tip(&world, cable, true).distance(DVec3::new(4.0, 3.0, 1.0)) < 0.05);
        world.edit(back).unwrap();
        assert_eq!(world.state().to_bytes(), before);
        let back = world.edit(Edit::RemoveCable(cable)).unwrap();
        assert_eq!(world.model().bodies().count(), 2);
        world.edit(back).unwrap();
        assert_eq!(world.state().to_bytes(), before);
        world.edit(Edit::RemoveBody(b.body)).unwrap();
        assert!(world.step().fault.is_none());
        assert!(tip(&world, cable, true).distance(DVec3::X * 4.0) < 0.05);
        assert_eq!(world.catenary(cable), None);
    }

    /// What cannot hang is refused with the remedy.
    #[test]
    fn what_cannot_hang_is_refused() {
        let mut world = World::default();
        let ends = [-4.0, 4.0].map(|x| anchored(&mut world, "end", DVec3::X * x));
        let refused = |world: &mut World, laying: CableSpec| world.add_cable(laying).unwrap_err().to_string();
        let nothing = vec![Piece { length: 9.0, weight: 0.0, give: 0.0 }];
        assert!(refused(&mut world, hung(ends, nothing, None, 4)).contains("weighs nothing"));
        let none = CableSpec { length: Some(9.0), ..hung(ends, vec![], None, 4) };
        assert!(refused(&mut world, none).contains("0 segments"));
        let light = [40.0, 1e-3].map(|weight| Piece { length: 9.0, weight, give: 0.0 });
        assert!(
            refused(&mut world, hung(ends, light.to_vec(), None, 4)).contains("segment 1 weighs 0.001 N/m")
        );
        let loose = CableSpec { ends: [End::Ball(ends[0]), End::Free], ..hung(ends, even(9.0), None, 4) };
        assert!(refused(&mut world, loose).contains("attach both"));
        let cable = world.add_cable(hung(ends, even(9.0), None, 4)).unwrap();
        let element = world.model().cables().get(cable).unwrap().elements[2];
        let other = hung([ends[0], Anchor::point(element, DVec3::ZERO)], even(9.0), None, 4);
        assert!(refused(&mut world, other).contains("to another catenary"));
    }

    /// The cable of elements, with weight and buoyancy as forces on them, comes to rest as the closed form has it: a lazy wave of
    /// 26 m that lies on a floor.
    #[test]
    fn the_cable_of_elements_hangs_alike() {
        let weights = [(12.0, 60.0), (5.0, -90.0), (9.0, 60.0)];
        let pieces: Vec<Piece> = weights
            .iter()
            .map(|(length, weight)| Piece { length: *length, weight: *weight, give: 1e-7 })
            .collect();
        let (span, rise, n) = (19.0, 10.0, 104);
        let mut world = World::default();
        world.set(|s| s.gravity = DVec3::Z * -1e-9).unwrap();
        let a = anchored(&mut world, "a", DVec3::ZERO);
        let b = anchored(&mut world, "b", DVec3::new(span, 0.0, rise));
        // the axis of a line that lies is half a diameter above the plane
        let floor = Collider::of(Geometry::HalfSpace).placed(DVec3::Z * -0.05, DQuat::IDENTITY);
        world.add_body(Body::fixed("floor").with_collider(floor), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let still = world
            .add_cable(CableSpec { surface: None, ..hung([a, b], pieces.clone(), Some(0.0), n) })
            .unwrap();
        let line: Vec<DVec3> = world.cable_readings(still).iter().map(|r| r.point).collect();
        let mut surfaces = world.model().surfaces().clone();
        surfaces.set(0, 0, ContactParameters::rough(0.0));
        world.edit(Edit::SetSurfaces(Box::new(surfaces))).unwrap();
        // it starts away from how it will hang
        let start: Vec<DVec3> =
            line.iter().map(|p| *p + DVec3::Z * 0.15 * (p.x * (span - p.x)).max(0.0) / span).collect();
        let laying = CableSpec {
            ends: [a, b].map(End::Ball),
            length: Some(26.0),
            elements: n,
            surface: Some(0),
            ..CableSpec::new("moves", SECTION, start)
        };
        let moves = world.add_cable(laying).unwrap();
        let elements = world.model().cables().get(moves).unwrap().elements.clone();
        for (k, id) in elements.iter().enumerate() {
            let at = (k as f64 + 0.5) * 26.0 / n as f64;
            let weight = if (12.0..=17.0).contains(&at) { -90.0 } else { 60.0 };
            let force = Direction::World(DVec3::Z * (-weight * 26.0 / n as f64));
            let force = Applied::force(Anchor::point(*id, DVec3::ZERO), force);
            world.add_force(Force::Applied(force)).unwrap();
            world.add_force(Force::Custom(Arc::new(Water(*id)))).unwrap();
        }
        for _ in 0..3000 {
            assert!(world.step().fault.is_none());
        }
        let readings = world.cable_readings(moves);
        let (top, closed) = (readings.last().unwrap(), world.catenary(still).unwrap());
        assert!((top.tension / closed.ends[1].tension - 1.0).abs() < 0.01, "{} {closed:?}", top.tension);
        let off = readings.iter().zip(&line).map(|(r, p)| r.point.distance(*p)).fold(0.0, f64::max);
        assert!(off < 0.01 * 26.0, "{off}");
    }
}
