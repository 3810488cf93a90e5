//! Loose soil on bodies and in bins, in worlds.

use super::world::{run, set, soil, world};
use glam::{DMat3, DQuat, DVec2, DVec3, dvec3};
use windlass_engine::prelude::*;
use windlass_soil::cutting::Tool;
use windlass_soil::ground::{Soil, Terrain, TerrainSpec};
use windlass_soil::world::{BinModel, LooseBox};
use windlass_soil::{EarthEdit, Earthworks, GroundModel, ToolModel};

const G: f64 = 9.81;

/// A box without a lid of plates of 6 cm, inner size, floor at its origin.
fn trough(name: &str, mass: f64, size: DVec3) -> Body {
    let t = 0.06;
    let plate = |half: DVec3, at: DVec3| Collider {
        mask: 0,
        ..Collider::new(Shape::Box { half }).placed(at, DQuat::IDENTITY)
    };
    let mut colliders =
        vec![plate(dvec3(0.5 * size.x + t, 0.5 * size.y + t, 0.5 * t), dvec3(0.0, 0.0, -0.5 * t))];
    for side in [-1.0, 1.0] {
        let at = dvec3(side * 0.5 * (size.x + t), 0.0, 0.5 * size.z);
        colliders.push(plate(dvec3(0.5 * t, 0.5 * size.y + t, 0.5 * size.z), at));
        let at = dvec3(0.0, side * 0.5 * (size.y + t), 0.5 * size.z);
        colliders.push(plate(dvec3(0.5 * size.x + t, 0.5 * t, 0.5 * size.z), at));
    }
    let inertia = DMat3::from_diagonal(DVec3::splat(0.3 * mass));
    Body { colliders, ..Body::dynamic(name, Mass::new(mass, dvec3(0.0, 0.0, 0.2), inertia)) }
}

/// A slider of a body to the ground.
fn slide(world: &mut World, body: BodyId, (at, axis): (DVec3, DVec3), drive: Drive) -> JointId {
    let ground = world.model().body("ground").unwrap();
    let turn = DQuat::from_rotation_arc(DVec3::Z, axis);
    let anchors = [Anchor::frame(ground, at, turn), Anchor::frame(body, DVec3::ZERO, turn)];
    world.add_joint(Joint::new("slide", Slider { anchors, axis: Axis::driven(drive) })).unwrap()
}

/// Speed of a body over a run.
fn speeds(world: &mut World, body: BodyId, time: f64) -> Vec<DVec3> {
    let mut all = Vec::new();
    run(world, time, |world| all.push(world.state().bodies[body.index()].velocity));
    all
}

/// Sand with particles of a size, a box of it, and a world.
fn sand(dt: f64, particle: f64, part: LooseBox) -> (World, GroundModel) {
    let (world, mut ground) = world(soil(33.0, 0.0, 22.0, 1650.0), [8.0, 8.0], 0.2, dt);
    ground.particle = particle;
    ground.start = vec![part];
    (world, ground)
}

/// Mass of loose soil [kg].
fn loose(world: &World) -> f64 {
    let (_, state) = world.subsystem::<Earthworks>().unwrap();
    state.grounds[0].particles.mass().kilograms()
}

/// EW37: a light bucket with several times its mass of particles is held and lifted without kicks.
#[test]
fn ew37_a_payload_of_many_times_the_bucket() {
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        let size = dvec3(1.0, 1.0, 0.8);
        let at = dvec3(0.0, 0.0, 1.0);
        let part = LooseBox { middle: at + dvec3(0.0, 0.0, 0.4), size: dvec3(0.9, 0.9, 0.6), soil: 0 };
        let (mut world, ground) = sand(dt, 0.12, part);
        let body = world.add_body(trough("bucket", 60.0, size), at, DQuat::IDENTITY).unwrap();
        // a drive that is weaker than a rigid one: it gives way to a load that pushes back
        let drive = Drive::Speed { speed: 0.0, force: 20e3, droop: 1e-6, brake: None };
        let joint = slide(&mut world, body, (at, DVec3::Z), drive.clone());
        set(&mut world, vec![ground], vec![]);
        run(&mut world, 3.0, |_| {});
        let load = loose(&world);
        assert!(load > 5.0 * 60.0, "{load} kg");
        let weight = |world: &World| world.subsystem::<Earthworks>().unwrap().1.soil_loads[0].force;
        let (mut sum, mut most, mut count): (f64, f64, f64) = (0.0, 0.0, 0.0);
        run(&mut world, 1.0, |world| {
            let force = -weight(world).z;
            (sum, most, count) = (sum + force, most.max((force / (load * G) - 1.0).abs()), count + 1.0);
        });
        let mean = sum / count / (load * G);
        println!("dt {dt}: load {load} kg, reading {mean}, worst {most}");
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        assert!(most < 0.1, "{most}");
        // lifted at 0.5 m/s
        set_drive(&mut world, joint, Drive::Speed { speed: 0.5, force: 20e3, droop: 1e-6, brake: None });
        let all = speeds(&mut world, body, 1.0);
        let late = &all[all.len() / 4..];
        let worst = late.iter().map(|v| (v.z - 0.5).abs()).fold(0.0, f64::max);
        println!("dt {dt}: speed off by {worst} m/s");
        assert!(worst < 0.02, "{worst}");
    }
}

/// EW36: a stream that hits a plate pushes it with its weight and its momentum; a particle that hits a free body shares
/// its momentum with it.
#[test]
fn ew36_momentum_of_particles_that_hit_a_body() {
    let part = LooseBox { middle: dvec3(0.0, 0.0, 2.0), size: DVec3::splat(0.1), soil: 0 };
    let (mut world, ground) = sand(1.0 / 60.0, 0.2, part);
    world.set(|settings| settings.gravity = -1e-6 * DVec3::Z).unwrap();
    let shape = Shape::Box { half: dvec3(0.3, 0.3, 0.1) };
    let body = Body::dynamic("plate", Mass::of(&shape, 50.0).unwrap()).with_collider(Collider::new(shape));
    let id = world.add_body(body, dvec3(0.0, 0.0, 1.5), DQuat::IDENTITY).unwrap();
    set(&mut world, vec![ground], vec![]);
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let (works, mut state) = (works.clone(), state.clone());
    let first = state.grounds[0].particles.iter_mut().next().unwrap();
    first.velocity = dvec3(0.0, 0.0, -1.0);
    let m = first.mass.kilograms();
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, Some(Box::new(state)))).unwrap();
    run(&mut world, 1.5, |_| {});
    let whole = world.model().bodies().get(id).unwrap().mass.mass;
    let speed = world.state().bodies[id.index()].velocity.z;
    let wanted = -m / (m + whole);
    println!("EW36: {m} kg hits {whole} kg: {speed} m/s, inelastic {wanted}");
    assert!((speed / wanted - 1.0).abs() < 0.03, "{speed}, {wanted}");
}

fn bin_on(body: BodyId, size: DVec3) -> BinModel {
    BinModel::new(("bin", body, 0), (DVec3::ZERO, DVec2::new(size.x, size.y), size.z), 0.2).unwrap()
}

/// A world with a bin that has taken its load.
fn loaded(dt: f64, mass: f64, drive: Drive) -> (World, BodyId) {
    let size = dvec3(1.6, 1.2, 0.8);
    let part = LooseBox { middle: dvec3(0.0, 0.0, 1.45), size: dvec3(1.5, 1.1, 0.7), soil: 0 };
    let (mut world, ground) = sand(dt, 0.14, part);
    let body = world.add_body(trough("bed", mass, size), dvec3(0.0, 0.0, 1.0), DQuat::IDENTITY).unwrap();
    slide(&mut world, body, (dvec3(0.0, 0.0, 1.0), DVec3::X), drive);
    let works = Earthworks { grounds: vec![ground], bins: vec![bin_on(body, size)], ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).unwrap();
    let before = mass_of(&world);
    run(&mut world, 4.0, |world| assert_eq!(mass_of(world), before));
    (world, body)
}

fn mass_of(world: &World) -> windlass_soil::Mass {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    state.mass(works)
}

/// What comes to rest in a bin is a part of its body: under a constant force both accelerate as one, at any mass ratio.
#[test]
fn soil_in_a_bin_moves_with_its_body() {
    for (dt, own) in [(1.0 / 60.0, 400.0), (1.0 / 30.0, 20.0)] {
        let (mut world, body) = loaded(dt, own, Drive::motor(0.0, f64::INFINITY));
        let (_, state) = world.subsystem::<Earthworks>().unwrap();
        let carried = state.bins[0].carried;
        let held = state.bins[0].mass().kilograms();
        assert!(held > 0.95 * (held + loose(&world)) && held > 500.0, "{held} kg at rest");
        assert!((carried.mass - held).abs() < 1e-6 * held);
        assert!(
            carried.centre.truncate().length() < 0.1 && carried.centre.z > 0.1 && carried.centre.z < 0.35
        );
        let joint = world.model().joint("slide").unwrap();
        let force = 1.0 * (own + held + loose(&world));
        set_drive(&mut world, joint, Drive::Speed { speed: 100.0, force, droop: 0.0, brake: None });
        let all = speeds(&mut world, body, 1.0);
        let n = all.len() - 1;
        let acceleration = (all[n].x - all[n / 2].x) / ((n - n / 2) as f64 * dt);
        println!("{own} kg with {held} kg: {acceleration} m/s²");
        assert!((acceleration - 1.0).abs() < 0.03, "{acceleration}");
    }
}

fn set_drive(world: &mut World, joint: JointId, drive: Drive) {
    world.edit(Edit::SetDrive { joint, coordinate: 0, drive }).unwrap();
}

/// A bucket on three drives: along x, along z, and about y.
struct Arm {
    drives: [JointId; 3],
}

impl Arm {
    fn new(world: &mut World, at: DVec3) -> (Arm, BodyId) {
        let inertia = DMat3::from_diagonal(DVec3::splat(50.0));
        let link = |world: &mut World, name: &str| {
            world
                .add_body(Body::dynamic(name, Mass::new(200.0, DVec3::ZERO, inertia)), at, DQuat::IDENTITY)
                .unwrap()
        };
        let (carriage, mast) = (link(world, "carriage"), link(world, "mast"));
        let mut bucket = trough("bucket", 200.0, dvec3(0.8, 1.0, 0.5));
        // open to the front
        bucket.colliders.remove(3);
        let bucket = world.add_body(bucket, at, DQuat::IDENTITY).unwrap();
        let ground = world.model().body("ground").unwrap();
        let still = || Axis::driven(Drive::motor(0.0, f64::INFINITY));
        let place = |body: BodyId, origin: DVec3, axis: DVec3| {
            Anchor::frame(body, origin, DQuat::from_rotation_arc(DVec3::Z, axis))
        };
        let anchors = [place(ground, at, DVec3::X), place(carriage, DVec3::ZERO, DVec3::X)];
        let x = world.add_joint(Joint::new("x", Slider { anchors, axis: still() })).unwrap();
        let anchors = [place(carriage, DVec3::ZERO, DVec3::Z), place(mast, DVec3::ZERO, DVec3::Z)];
        let z = world.add_joint(Joint::new("z", Slider { anchors, axis: still() })).unwrap();
        let anchors = [place(mast, DVec3::ZERO, DVec3::Y), place(bucket, DVec3::ZERO, DVec3::Y)];
        let tilt = world.add_joint(Joint::new("tilt", Hinge { anchors, axis: still() })).unwrap();
        (Arm { drives: [x, z, tilt] }, bucket)
    }

    fn drive(&self, world: &mut World, speeds: [f64; 3]) {
        for (joint, speed) in self.drives.into_iter().zip(speeds) {
            set_drive(world, joint, Drive::motor(speed, f64::INFINITY));
        }
    }
}

/// A world with a bucket that digs level sand.
fn digger(budget: usize, particle: f64) -> (World, Arm) {
    let (mut world, mut ground) = world(soil(33.0, 0.0, 22.0, 1650.0), [8.0, 4.0], 0.2, 1.0 / 30.0);
    (ground.particle, ground.budget) = (particle, budget);
    let (arm, body) = Arm::new(&mut world, dvec3(-2.0, 0.0, 0.3));
    let mut tool =
        Tool::blade(vec![dvec3(0.4, -0.5, 0.0), dvec3(0.4, 0.5, 0.0)], dvec3(-1.0, 0.0, 0.04), 0.8, 0.0);
    tool.end_plates = Some(0.8);
    set(&mut world, vec![ground], vec![ToolModel { name: "bucket".into(), body, ground: 0, tool }]);
    (world, arm)
}

/// Phases of a cycle: time, and speeds along x, along z and about y. Dig, lift, carry, dump, return.
const CYCLE: [(f64, [f64; 3]); 7] = [
    (0.5, [0.0, -1.0, 0.0]),
    (1.0, [1.0, 0.0, 0.0]),
    (0.6, [0.3, 1.5, -0.8]),
    (1.0, [1.5, 0.0, 0.0]),
    (0.5, [0.0, 0.0, 5.0]),
    (0.5, [0.0, 0.0, -4.04]),
    (1.0, [-2.68, -0.4, 0.0]),
];

/// EW18: a bucket digs, carries and dumps 100 times; no quantum is lost in any step, with a budget that is used up too.
#[test]
fn ew18_a_hundred_cycles_lose_nothing() {
    let (mut world, arm) = digger(40, 0.16);
    let before = mass_of(&world);
    let (mut most, mut cut_soils, mut dug) = (0, 0.0, 0.0_f64);
    for _ in 0..100 {
        for (time, speeds) in CYCLE {
            arm.drive(&mut world, speeds);
            run(&mut world, time, |world| {
                assert_eq!(mass_of(world), before);
                let (_, state) = world.subsystem::<Earthworks>().unwrap();
                most = most.max(state.grounds[0].particles.len());
                cut_soils = f64::max(cut_soils, state.tools[0].cut().kilograms());
            });
        }
        let (works, state) = world.subsystem::<Earthworks>().unwrap();
        dug = dug.max(state.grounds[0].terrain.volumes(&works.grounds[0].terrain).fill);
    }
    println!("EW18: at most {most} particles, {cut_soils} kg in the tool, {dug} m³ beside");
    assert!(most > 30 && most <= 40, "{most} particles");
    assert!(cut_soils > 0.0 && dug > 0.1, "{cut_soils} kg, {dug} m³");
}

/// Undo, restore and fork keep every quantum, and the run goes on alike; a tool or bin that is removed leaves its soil in
/// the account outside.
#[test]
fn edits_restores_and_forks_keep_every_quantum() {
    let (mut world, arm) = digger(500, 0.2);
    let before = mass_of(&world);
    for (time, speeds) in &CYCLE[..3] {
        arm.drive(&mut world, *speeds);
        run(&mut world, *time, |_| {});
    }
    assert_eq!(mass_of(&world), before);
    let snapshot = world.state().clone();
    let mut fork = world.fork();
    run(&mut world, 0.5, |_| {});
    run(&mut fork, 0.5, |_| {});
    assert_eq!(world.state().hash(), fork.state().hash());
    fork.restore(snapshot.clone()).unwrap();
    run(&mut fork, 0.5, |_| {});
    assert_eq!(world.state().hash(), fork.state().hash());
    // the words of a snapshot
    let read = State::from_bytes(&snapshot.to_bytes()).unwrap();
    fork.restore(read).unwrap();
    assert_eq!(fork.state().hash(), snapshot.hash());
    // without the tool
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let (works, hash) = (works.clone(), (state.clone(), world.state().hash()));
    let none = Earthworks { tools: vec![], ..works };
    let undo = world.edit_subsystem::<Earthworks>(EarthEdit::Set(none, None)).unwrap();
    assert_eq!(mass_of(&world), before);
    let redo = world.edit_subsystem::<Earthworks>(undo).unwrap();
    assert_eq!(world.state().hash(), hash.1);
    assert_eq!(mass_of(&world), before);
    drop(redo);
    let bucket = world.model().body("bucket").unwrap();
    let undo = world.edit(Edit::RemoveBody(bucket)).unwrap();
    assert_eq!(mass_of(&world), before);
    world.edit(undo).unwrap();
    assert_eq!(mass_of(&world), before);
    run(&mut world, 0.5, |world| assert_eq!(mass_of(world), before));
}

/// A bed that tilts past the friction angle over an open side empties over it; restored states go on alike.
#[test]
fn a_bed_that_tips_dumps_its_load() {
    let size = dvec3(2.0, 1.2, 0.6);
    let at = dvec3(0.0, 0.0, 1.5);
    let part = LooseBox { middle: at + dvec3(0.0, 0.0, 0.4), size: dvec3(1.9, 1.1, 0.6), soil: 0 };
    let (mut world, ground) = sand(1.0 / 60.0, 0.16, part);
    let mut bed = trough("bed", 300.0, size);
    // without the wall at the back
    bed.colliders.remove(1);
    let body = world.add_body(bed, at, DQuat::IDENTITY).unwrap();
    let fixed = world.model().body("ground").unwrap();
    let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::Y);
    let hinge = at - dvec3(0.9, 0.0, 0.0);
    let anchors = [Anchor::frame(fixed, hinge, turn), Anchor::frame(body, hinge - at, turn)];
    let axis = Axis::driven(Drive::motor(0.0, f64::INFINITY));
    let joint = world.add_joint(Joint::new("tip", Hinge { anchors, axis })).unwrap();
    let mut bin = bin_on(body, size);
    bin.rims[1] = 0.0;
    let works = Earthworks { grounds: vec![ground], bins: vec![bin], ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).unwrap();
    let before = mass_of(&world);
    run(&mut world, 3.0, |world| assert_eq!(mass_of(world), before));
    let held = |world: &World| world.subsystem::<Earthworks>().unwrap().1.bins[0].mass().kilograms();
    let full = held(&world);
    assert!(full > 400.0, "{full} kg");
    let snapshot = world.state().clone();
    // 50 degrees in 3 s
    set_drive(&mut world, joint, Drive::motor(-50_f64.to_radians() / 3.0, f64::INFINITY));
    run(&mut world, 3.0, |world| assert_eq!(mass_of(world), before));
    set_drive(&mut world, joint, Drive::motor(0.0, f64::INFINITY));
    run(&mut world, 8.0, |world| assert_eq!(mass_of(world), before));
    let left = held(&world);
    println!("tipped: {left} of {full} kg left, {} kg loose", loose(&world));
    assert!(left < 0.03 * full, "{left} of {full} kg");
    let hash = world.state().hash();
    world.restore(snapshot).unwrap();
    set_drive(&mut world, joint, Drive::motor(-50_f64.to_radians() / 3.0, f64::INFINITY));
    run(&mut world, 3.0, |_| {});
    set_drive(&mut world, joint, Drive::motor(0.0, f64::INFINITY));
    run(&mut world, 8.0, |_| {});
    assert_eq!(world.state().hash(), hash);
}

/// A level bed keeps its load; its slopes are at most the friction angle.
#[test]
fn soil_in_a_level_bin_rests_at_its_angle() {
    let size = dvec3(2.4, 2.4, 1.0);
    let at = dvec3(0.0, 0.0, 0.5);
    let part = LooseBox { middle: at + dvec3(-0.6, -0.6, 0.9), size: dvec3(0.9, 0.9, 1.4), soil: 0 };
    let (mut world, ground) = sand(1.0 / 60.0, 0.14, part);
    let body = world.add_body(trough("bed", 300.0, size), at, DQuat::IDENTITY).unwrap();
    slide(&mut world, body, (at, DVec3::X), Drive::motor(0.0, f64::INFINITY));
    let works = Earthworks { grounds: vec![ground], bins: vec![bin_on(body, size)], ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).unwrap();
    run(&mut world, 6.0, |_| {});
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let (bin, soils) = (&works.bins[0], works.grounds[0].terrain.soils());
    let height = |i: usize, j: usize| bin.height(&state.bins[0], soils, i + j * bin.cells[0]);
    let cell = bin.cell().x;
    let mut steepest: f64 = 0.0;
    for j in 0..bin.cells[1] {
        for i in 1..bin.cells[0] {
            steepest = steepest.max(libm::atan((height(i, j) - height(i - 1, j)).abs() / cell).to_degrees());
        }
    }
    println!("steepest {steepest} degrees, {} of {} kg", state.bins[0].mass().kilograms(), loose(&world));
    assert!(steepest < 33.5 && steepest > 15.0, "{steepest} degrees");
}

/// Gravel and sand on a tilted plate of steel: each slides at its own angle.
#[test]
fn soils_have_their_own_friction_on_steel() {
    for (soil_index, slides) in [(0_u8, true), (1, false)] {
        let part = LooseBox { middle: dvec3(0.0, 0.0, 1.3), size: DVec3::splat(0.1), soil: soil_index };
        let (mut world, ground) = world(soil(33.0, 0.0, 22.0, 1650.0), [8.0, 8.0], 0.2, 1.0 / 60.0);
        let spec = ground.terrain.spec().clone();
        let rough = Soil { name: "rough".into(), ..soil(45.0, 0.0, 40.0, 1650.0) };
        let smooth = soil(33.0, 0.0, 8.0, 1650.0);
        let spec = TerrainSpec { soils: vec![smooth, rough], ..spec };
        let mut ground = GroundModel::new("site", ground.body, Terrain::new(spec).unwrap());
        (ground.particle, ground.start) = (0.2, vec![part]);
        // rolling is not what is asked
        ground.loose.iter_mut().for_each(|law| law.rolling = 10.0);
        let plate = Collider::new(Shape::Box { half: dvec3(2.0, 2.0, 0.1) });
        let tilted = DQuat::from_rotation_y(20_f64.to_radians());
        world.add_body(Body::fixed("plate").with_collider(plate), dvec3(0.0, 0.0, 1.0), tilted).unwrap();
        set(&mut world, vec![ground], vec![]);
        run(&mut world, 1.0, |_| {});
        let (_, state) = world.subsystem::<Earthworks>().unwrap();
        let speed = state.grounds[0].particles.iter().next().unwrap().velocity.length();
        assert_eq!(speed > 0.5, slides, "soil {soil_index}: {speed} m/s");
    }
}
