//! Flexible cables that run over drums and pulleys: elements come and go, length and mass stay, nothing is kicked.

use crate::kit;

use glam::{DQuat, DVec3};
use kit::{G, near, near_part, section, speck};
use windlass_engine::math;
use windlass_engine::prelude::*;

/// A steel rope of 16 mm: 1 kg/m.
fn rope() -> Section {
    Section { damping: [0.01, 0.01, 0.01], ..section(1.0, 1e7, 20.0, 15.0) }
}

struct Winch {
    world: World,
    motor: JointId,
    load: BodyId,
    routed: Routed,
    radius: f64,
}

/// A load on a flexible cable from a drum that has 50 m more.
fn winch(dt: f64, mass: f64, size: (f64, f64)) -> Winch {
    winch_with(dt, mass, size, 50.0)
}

/// The same with another stock on the drum.
fn winch_with(dt: f64, mass: f64, (length, element): (f64, f64), stock: f64) -> Winch {
    let mut world = World::default();
    world.set(|s| s.dt = dt).unwrap();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let (radius, turn) = (0.015 * length, math::facing(DVec3::Y));
    let drum = Mass::principal(50.0, DVec3::ZERO, DVec3::splat(3.0), DQuat::IDENTITY);
    let drum = world.add_body(Body::dynamic("drum", drum), DVec3::ZERO, turn).unwrap();
    let anchors = [Anchor::frame(ground, DVec3::ZERO, turn), Anchor::point(drum, DVec3::ZERO)];
    let axis = Axis::driven(Drive::motor(0.0, 1e9));
    let motor = world.add_joint(Joint::new("motor", Hinge { anchors, axis })).unwrap();
    let at = DVec3::new(radius, 0.0, -length);
    let load = world.add_body(Body::dynamic("load", speck(mass)), at, DQuat::IDENTITY).unwrap();
    let points = vec![
        (Anchor::point(drum, DVec3::ZERO), RoutePoint::drum(radius, 1.0)),
        (Anchor::point(load, DVec3::ZERO), RoutePoint::attached()),
    ];
    let route =
        Route { flexible: vec![true], element, stock: [stock, 0.0], ..Route::new("rope", rope(), points) };
    let routed = world.add_route(&route).unwrap();
    Winch { world, motor, load, routed, radius }
}

impl Winch {
    fn drive(&mut self, speed: f64) {
        let drive = Drive::motor(speed, 1e9);
        self.world.edit(Edit::SetDrive { joint: self.motor, coordinate: 0, drive }).unwrap();
    }

    fn height(&self) -> f64 {
        self.world.state().bodies[self.load.index()].position.z
    }

    fn steps(&mut self, n: usize) -> [usize; 2] {
        let mut passed = [0; 2];
        for _ in 0..n {
            let report = self.world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            passed[0] += report.resolution.taken;
            passed[1] += report.resolution.given;
        }
        passed
    }

    /// Elements that are there.
    fn present(&self) -> usize {
        let cable = self.world.model().cables().get(self.routed.cable.unwrap()).unwrap();
        cable.elements.iter().filter(|b| !self.world.state().bodies[b.index()].inactive).count()
    }
}

/// A winch by chance: to and fro about the middle of its way.
struct Jog {
    random: u64,
    down: bool,
}

impl Jog {
    /// Drives the other way, at 5 to 30 rad/s for 3 to 18 steps; the elements that the drum has taken and given.
    fn reverse(&mut self, w: &mut Winch) -> [usize; 2] {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let speed = 5.0 + 25.0 * ((self.random >> 33) as f64 / (1u64 << 31) as f64);
        let angle = w.world.coordinate(w.motor, 0).unwrap();
        self.down = if angle.abs() > 10.0 { angle < 0.0 } else { !self.down };
        w.drive(if self.down { speed } else { -speed });
        w.steps(3 + (self.random >> 60) as usize)
    }
}

#[test]
fn a_winch_winds_elements_up_and_lets_them_out() {
    let mut w = winch(1.0 / 60.0, 1000.0, (20.0, 0.5));
    let first = w.present();
    assert!((38..=40).contains(&first), "{first}");
    w.steps(300);
    let (rest, angle) = (w.height(), w.world.coordinate(w.motor, 0).unwrap());
    // hauled up by 6 m, counterclockwise pays out
    w.drive(-2.0);
    let [taken, given] = w.steps(600);
    w.drive(0.0);
    w.steps(300);
    assert!(taken >= 11 && given == 0, "{taken} {given}");
    let up = w.radius * (angle - w.world.coordinate(w.motor, 0).unwrap());
    assert!(up > 5.9);
    // the stretch of what was wound up has gone with it
    near("hauled", w.height() - rest, up, 0.02);
    w.drive(2.0);
    let [taken, given] = w.steps(1200);
    w.drive(0.0);
    w.steps(300);
    assert!(given >= 23 && taken <= 1, "{taken} {given}");
    let paid = w.radius * (w.world.coordinate(w.motor, 0).unwrap() - angle);
    near("lowered", w.height() - rest, -paid, 0.02);
    let tension = w.world.rope(w.routed.ropes[0]).unwrap().tensions[0];
    let weight = (1000.0 + w.present() as f64 * 0.5) * G;
    near_part("tension", tension, weight, 1e-3);
}

/// What passes kicks nothing: the load's acceleration stays that of a cable of fixed length.
#[test]
fn elements_pass_without_a_kick() {
    for mass in [10.0, 1000.0] {
        let mut w = winch(1.0 / 60.0, mass, (20.0, 0.5));
        w.steps(600);
        w.drive(-1.0);
        w.steps(300);
        let mut largest = [0.0f64; 2];
        for _ in 0..600 {
            let before = w.world.state().bodies[w.load.index()].velocity;
            let report = w.world.step();
            let change = (w.world.state().bodies[w.load.index()].velocity - before).length() * 60.0;
            let passes = usize::from(report.resolution.taken + report.resolution.given > 0);
            largest[passes] = largest[passes].max(change);
        }
        // the same without an element that passes: bounces of the load on its cable
        let calm = 1e-3 * G;
        assert!(largest[0] < calm && largest[1] < calm, "{mass} kg: {largest:?}");
    }
}

/// Ten thousand reversals at random: nothing is lost, nothing gained.
#[test]
fn ten_thousand_reversals() {
    let mut w = winch(1.0 / 60.0, 50.0, (2.0, 0.1));
    let mass = |w: &Winch| {
        let cable = w.world.model().cables().get(w.routed.cable.unwrap()).unwrap();
        let there = |b: &&BodyId| !w.world.state().bodies[b.index()].inactive;
        let bodies = cable.elements.iter().filter(there);
        bodies.map(|b| w.world.model().bodies().get(*b).unwrap().mass.mass).sum::<f64>()
    };
    // cable off the drum: the lead, and the elements that are there
    let length = |w: &Winch| w.world.rope(w.routed.ropes[0]).unwrap().lengths[0] + 0.1 * w.present() as f64;
    let (mut jog, mut passed) = (Jog { random: 12345, down: true }, [0; 2]);
    let (start, way) = (w.present() as f64, length(&w));
    let (mut worst, mut off, mut fastest): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for _ in 0..10_000 {
        let now = jog.reverse(&mut w);
        passed = [passed[0] + now[0], passed[1] + now[1]];
        let here = w.present() as f64;
        assert_eq!(here, start + passed[1] as f64 - passed[0] as f64);
        assert!((mass(&w) - 0.1 * here).abs() < 1e-9);
        let slack = w.world.rope(w.routed.ropes[0]).unwrap().slack[0];
        // where it leaves the drum, about y from x
        let leaves = w.world.rope_line(w.routed.ropes[0])[0];
        let shifted = libm::atan2(-leaves.z, leaves.x);
        let paid = w.radius * (w.world.coordinate(w.motor, 0).unwrap() - shifted);
        // the drum has kept some stretch
        let kept = w.world.rope(w.routed.ropes[0]).unwrap().wound_stretch;
        off = off.max((length(&w) + slack - kept - way - paid).abs());
        let at = w.world.state().bodies[w.load.index()].position;
        worst = worst.max(libm::hypot(at.x - w.radius, at.y));
        fastest = fastest.max(w.world.state().bodies[w.load.index()].velocity.length());
    }
    // a drum that reverses from v to −v lets a load on a spring go with 3 v at most; what gained energy would not stop there
    assert!(fastest < 3.0 * 30.0 * w.radius, "{fastest}");
    assert!(passed[0] > 500 && passed[1] > 500, "{passed:?}");
    // rope off the drum, stretch taken away, is what the drum has paid
    near("length", off, 0.0, 1e-9);
    // jerked up and down, slack at times, it swings a little and no more
    near("swing", worst, 0.0, 1e-3);
}

/// A cable over a pulley, heavy on both sides: it moves like the chain of its own weight that it is.
#[test]
fn a_cable_runs_over_a_pulley() {
    for (seat, mu) in
        [(RopeAttachment::Smooth, 0.0), (RopeAttachment::Rough { stick: 0.05, slide: 0.05 }, 0.05)]
    {
        let mut world = World::default();
        let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
        let r = 0.2;
        let at = [DVec3::new(-r, 0.0, -15.0), DVec3::new(r, 0.0, -15.0)];
        let m = [40.0, 60.0];
        let [a, b] = [0, 1]
            .map(|k| world.add_body(Body::dynamic("load", speck(m[k])), at[k], DQuat::IDENTITY).unwrap());
        let points = vec![
            (Anchor::point(a, DVec3::ZERO), RoutePoint::attached()),
            (
                Anchor::frame(ground, DVec3::ZERO, math::facing(DVec3::Y)),
                RoutePoint::pulley(r, 1.0).held(seat),
            ),
            (Anchor::point(b, DVec3::ZERO), RoutePoint::attached()),
        ];
        let route = Route { flexible: vec![true, true], element: 0.25, ..Route::new("rope", rope(), points) };
        let routed = world.add_route(&route).unwrap();
        let cable = world.model().cables().get(routed.cable.unwrap()).unwrap().clone();
        let total = cable.length();
        let mut passed = [0; 2];
        let height = |world: &World| world.state().bodies[b.index()].position.z;
        let (start, mut t) = (height(&world), 0.0);
        while t < 2.0 - 1e-9 {
            let report = world.step();
            assert!(report.fault.is_none(), "{:?}", report.fault);
            passed = [passed[0] + report.resolution.taken, passed[1] + report.resolution.given];
            t += 1.0 / 60.0;
        }
        assert!(passed[0] > 5 && passed[1] > 5, "{passed:?}");
        // (M + q μ(…)) z̈ with the weight of the cable that hangs over, by fine steps of the same law
        let q = libm::exp(mu * std::f64::consts::PI);
        let side = 0.5 * (total - r * std::f64::consts::PI);
        let (mut z, mut v) = (0.0, 0.0);
        for _ in 0..200_000 {
            let weigh = [m[0] + side - z, m[1] + side + z];
            let accel = G * (weigh[1] - q * weigh[0]) / (weigh[1] + q * weigh[0]);
            v += accel * 1e-5;
            z += v * 1e-5;
        }
        near_part("fallen", start - height(&world), z, 0.02);
        let there =
            cable.elements.iter().filter(|b| !world.state().bodies[b.index()].inactive).count() as f64;
        let lead = world.rope(routed.ropes[0]).unwrap();
        near("length", there * cable.element + lead.lengths[0] + lead.slack[0], total, 1e-9);
    }
}

/// A state in the midst of winding goes on to the bit, with the twist of what is on the drum.
#[test]
fn half_wound_it_goes_on_to_the_bit() {
    let twisted = || {
        let mut w = winch(1.0 / 60.0, 500.0, (8.0, 0.5));
        w.twist(TORQUE);
        w
    };
    let mut w = twisted();
    w.drive(-2.0);
    w.steps(200);
    let bytes = w.world.state().to_bytes();
    w.drive(2.0);
    assert!(w.steps(200)[1] > 0);
    let hash = w.world.state().hash();
    let mut other = twisted();
    other.drive(2.0);
    other.world.restore(State::from_bytes(&bytes).unwrap()).unwrap();
    other.steps(200);
    assert_eq!(other.world.state().hash(), hash);
}

/// Momentum and angular momentum about the origin of all that is there and moves freely.
fn momenta(world: &World) -> [DVec3; 2] {
    let mut sum = [DVec3::ZERO; 2];
    for (place, body) in world.model().bodies().iter().filter(|(_, body)| body.is_dynamic()) {
        let state = &world.state().bodies[place];
        if state.inactive {
            continue;
        }
        let p = body.mass.mass * state.velocity;
        let own = state.orientation.inverse() * state.angular_velocity;
        sum[0] += p;
        sum[1] += state.position.cross(p) + state.orientation * (body.mass.inertia * own);
    }
    sum
}

/// Beside a twin that has nothing to let out: what was there goes on as if nothing had come, and what comes has the momentum of a
/// piece of the line it lay in. Lowered while it swings, so that the line turns.
#[test]
fn what_is_let_out_kicks_nothing() {
    let swinging = |stock: f64| {
        let mut w = winch_with(1.0 / 60.0, 1000.0, (20.0, 0.5), stock);
        let velocity = DVec3::new(1.5, 0.8, 0.0);
        w.world.edit(Edit::SetVelocity { body: w.load, velocity, angular_velocity: DVec3::ZERO }).unwrap();
        w.drive(1.0);
        w
    };
    let [mut full, mut empty] = [50.0, 0.0].map(swinging);
    // at first the twin as well has one that lies on the drum's own part of the way
    let mut given = [0; 2];
    while given[0] == given[1] {
        given = [full.steps(1)[1], empty.steps(1)[1]];
    }
    assert_eq!((given, full.present()), ([1, 0], empty.present() + 1));
    // what was there
    for place in [full.load.index(), 1] {
        let [a, b] = [&full, &empty].map(|w| w.world.state().bodies[place]);
        near("velocity", a.velocity.distance(b.velocity), 0.0, 1e-12);
        near("place", a.position.distance(b.position), 0.0, 1e-12);
    }
    // what came: it moves as the line between drum and tip does
    let cable = full.world.model().cables().get(full.routed.cable.unwrap()).unwrap().clone();
    let first = cable.elements.iter().position(|b| !full.world.state().bodies[b.index()].inactive).unwrap();
    let state = |k: usize| &full.world.state().bodies[cable.elements[k].index()];
    let end = |k: usize, side: f64| {
        let arm = state(k).orientation * DVec3::Z * (0.5 * side * cable.element);
        (state(k).position + arm, state(k).velocity + state(k).angular_velocity.cross(arm))
    };
    let (below, above) = (end(first + 1, -1.0), end(first, 1.0));
    near("ends meet", below.0.distance(above.0), 0.0, 1e-3);
    // the link between them is stretched, and turns with the line
    let met = above.1 + state(first).angular_velocity.cross(below.0 - above.0);
    near("ends go together", below.1.distance(met), 0.0, 1e-6 * below.1.length());
    // so its momenta are those of a piece of that line, and those of the whole differ by them alone
    let (a, b) = (momenta(&full.world), momenta(&empty.world));
    let mass = cable.element * cable.section.mass_per_length;
    let own = mass * state(first).velocity;
    near("momentum", (a[0] - b[0]).distance(own), 0.0, 1e-12 * b[0].length());
    let (first, body) = (state(first), full.world.model().bodies().get(cable.elements[first]).unwrap());
    let turning =
        first.orientation * (body.mass.inertia * (first.orientation.inverse() * first.angular_velocity));
    let about = first.position.cross(own) + turning;
    near("angular momentum", (a[1] - b[1]).distance(about), 0.0, 1e-12 * b[1].length());
}

/// What the motor does is what load and cable get, beside what elements bring with them that come a little below the drum.
#[test]
fn work_is_kept_while_elements_come_and_go() {
    for speed in [-2.0, 2.0] {
        let mut w = winch(1.0 / 60.0, 200.0, (20.0, 0.5));
        w.steps(300);
        let weight = |w: &Winch, k: usize| {
            let body = w.world.model().bodies().at(k).filter(|b| b.is_dynamic());
            body.map_or(0.0, |b| b.mass.mass * G * w.world.state().bodies[k].position.z)
        };
        let count = w.world.state().bodies.len();
        let there = |w: &Winch| -> Vec<bool> { w.world.state().bodies.iter().map(|b| !b.inactive).collect() };
        let energy = |w: &Winch| {
            let there = there(w);
            (0..count).filter(|k| there[*k]).map(|k| weight(w, k)).sum::<f64>()
        };
        let before = energy(&w);
        let (mut work, mut brought, mut passed) = (0.0, 0.0, 0);
        let mut last = w.world.coordinate(w.motor, 0).unwrap();
        for k in 0..900 {
            // gently, so that nothing bounces
            w.drive(speed * (k as f64 / 120.0).min((720.0 - k as f64) / 120.0).clamp(0.0, 1.0));
            let was = there(&w);
            let now = w.steps(1);
            passed += now[0] + now[1];
            // what comes, and what goes, has the height it is at then
            for (k, is) in there(&w).into_iter().enumerate() {
                brought += (f64::from(u8::from(is)) - f64::from(u8::from(was[k]))) * weight(&w, k);
            }
            let turn = w.world.coordinate(w.motor, 0).unwrap();
            // the motor's row is the last of its hinge
            work += w.world.state().joints[w.motor.index()].forces.last().unwrap() * (turn - last);
            last = turn;
        }
        assert!(passed >= 10, "{passed}");
        near_part("work", work, energy(&w) - before - brought, 5e-4);
    }
}

/// What twists a cable from its last element on [N·m].
const TORQUE: f64 = 3.0;

impl Winch {
    fn cable(&self) -> CableId {
        self.routed.cable.unwrap()
    }

    /// Twists the cable by a torque on its last element, about its line.
    fn twist(&mut self, torque: f64) {
        let last = *self.world.model().cables().get(self.cable()).unwrap().elements.last().unwrap();
        let torque = Applied::torque(last, Direction::Body(DVec3::Z * torque));
        self.world.add_force(Force::Applied(torque)).unwrap();
    }

    /// How far the last element is turned against the drum's end of the cable, that is by all links of the cable, there or not [rad].
    fn turned(&self) -> f64 {
        let cable = self.world.model().cables().get(self.cable()).unwrap();
        let twist = |id: &JointId| self.world.state().joints[id.index()].coordinates.first().copied();
        cable.links.iter().filter_map(twist).sum()
    }

    /// Largest deviations of twist and torque from those of the torque, in parts of them, over all links that are there but the
    /// ball at the end.
    fn uneven(&self) -> [f64; 2] {
        let links = self.world.cable_readings(self.cable());
        let rate = TORQUE / rope().twist;
        links[..links.len() - 1].iter().fold([0.0, 0.0], |[twist, torque]: [f64; 2], link| {
            [twist.max((link.twist / rate - 1.0).abs()), torque.max((link.torque / TORQUE - 1.0).abs())]
        })
    }
}

/// A cable twisted by a torque is wound up and let out again: every piece comes back with the twist it went with, so that twist,
/// torque and the angle of its end stay as they were.
#[test]
fn twist_goes_onto_the_drum_and_comes_back() {
    let mut w = winch_with(1.0 / 60.0, 1000.0, (20.0, 0.5), 0.0);
    w.twist(TORQUE);
    w.steps(1200);
    let (rest, start) = (w.uneven(), w.turned());
    assert!(rest[0].max(rest[1]) < 1e-9, "{rest:?}");
    near_part("twist", start, TORQUE / rope().twist * 0.5 * (w.present() - 1) as f64, 1e-9);
    let (mut worst, mut passed) = ([0.0f64; 2], [0; 2]);
    for speed in [-2.0, 2.0] {
        w.drive(speed);
        for _ in 0..600 {
            let now = w.steps(1);
            passed = [passed[0] + now[0], passed[1] + now[1]];
            let now = w.uneven();
            worst = [worst[0].max(now[0]), worst[1].max(now[1])];
        }
    }
    assert!(passed[0] >= 11 && passed[1] >= 11, "{passed:?}");
    near("twist", worst[0], 0.0, 1e-9);
    near("torque", worst[1], 0.0, 1e-9);
    near_part("turned", w.turned(), start, 1e-9);
}

/// A twisted cable that runs over a pulley takes its twist from one side to the other.
#[test]
fn twist_goes_over_a_pulley() {
    let mut world = World::default();
    let ground = world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY).unwrap();
    let (r, mass) = (0.2, [40.0, 60.0]);
    let load = |world: &mut World, k: usize| {
        let at = DVec3::new([-r, r][k], 0.0, -15.0);
        world.add_body(Body::dynamic("load", speck(mass[k])), at, DQuat::IDENTITY).unwrap()
    };
    let [a, b] = [0, 1].map(|k| load(&mut world, k));
    let points = vec![
        (Anchor::point(a, DVec3::ZERO), RoutePoint::attached()),
        (Anchor::frame(ground, DVec3::ZERO, math::facing(DVec3::Y)), RoutePoint::pulley(r, 1.0)),
        (Anchor::point(b, DVec3::ZERO), RoutePoint::attached()),
    ];
    let route = Route { flexible: vec![true, true], element: 0.25, ..Route::new("rope", rope(), points) };
    let id = world.add_route(&route).unwrap().cable.unwrap();
    let cable = world.model().cables().get(id).unwrap().clone();
    let ends = [(cable.elements[0], -TORQUE), (*cable.elements.last().unwrap(), TORQUE)];
    for (element, torque) in ends {
        let torque = Applied::torque(element, Direction::Body(DVec3::Z * torque));
        world.add_force(Force::Applied(torque)).unwrap();
    }
    // both loads held until the twist is even
    let holds = [a, b].map(|load| {
        let at = world.state().bodies[load.index()].position;
        let anchors = [Anchor::point(ground, at), Anchor::point(load, DVec3::ZERO)];
        world.add_joint(Joint::new("hold", Ball { anchors })).unwrap()
    });
    (0..1200).for_each(|_| assert!(world.step().fault.is_none()));
    holds.into_iter().for_each(|hold| drop(world.edit(Edit::RemoveJoint(hold)).unwrap()));
    let (rate, mut given, mut worst) = (TORQUE / rope().twist, 0, 0.0f64);
    for _ in 0..120 {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        // both sides are held against turning by the pulley, each by a row of its own
        assert_eq!(report.redundant, 0);
        given += report.resolution.given;
        // six lay on the pulley at first, without twist
        let links = if given > 7 { world.cable_readings(id) } else { Vec::new() };
        for link in links.iter().skip(1).rev().skip(1) {
            worst = worst.max((link.twist / rate - 1.0).abs());
        }
    }
    assert!(given > 10, "{given}");
    near("twist", worst, 0.0, 2e-3);
}

/// To and fro at random, twisted: what is on the drum has its twist, the rest has the torque's, and neither grows.
#[test]
fn ten_thousand_reversals_keep_the_twist() {
    let mut w = winch_with(1.0 / 60.0, 50.0, (2.0, 0.1), 1.0);
    w.twist(TORQUE);
    w.steps(600);
    let rate = TORQUE / rope().twist;
    let (mut jog, mut passed, mut worst) = (Jog { random: 54321, down: true }, 0, 0.0f64);
    for _ in 0..10_000 {
        let now = jog.reverse(&mut w);
        passed += now[0] + now[1];
        let links = w.world.cable_readings(w.cable());
        let most = links[..links.len() - 1].iter().map(|link| (link.twist / rate).abs()).fold(0.0, f64::max);
        worst = worst.max(most);
    }
    assert!(passed > 1000, "{passed}");
    // jerked up and down it swings a little, and no link is ever twisted by more than the torque does
    near("twist", worst, 1.0, 1e-3);
}
