//! Costs of soil on one thread: particles, slips, cutting, digging, wheels, ground at rest, memory. Mean CPU time of long runs, the least
//! of many short ones. Particles on two threads are measured in wall time, which other work on the machine lengthens.
//!
//! ```sh
//! cargo run --release -p windlass-soil --example costs
//! ```

#[allow(dead_code, reason = "shared with the tests")]
#[path = "../tests/particles/discharge.rs"]
mod discharge;

use discharge::Discharge;
use glam::{DMat3, DQuat, DVec2, DVec3, dvec3};
use std::hint::black_box;
use std::time::Instant;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::*;
use windlass_soil::cutting::{self, CuttingSoil, Pose, Strata, Surface, Tool};
use windlass_soil::ground::{Heights, SlipWork, Soil, Stratum, Terrain, TerrainSpec, TerrainState};
use windlass_soil::wheel::{
    Footprint, Outline, Patch, Place, ShearLaw, SinkageLaw, Slippage, SoftSoil, Strength, Unloading,
};
use windlass_soil::world::LooseBox;
use windlass_soil::{EarthEdit, Earthworks, GroundModel, Mass as Quanta, ToolModel};

const STEP: f64 = 1.0 / 60.0;

fn main() {
    // on the thread of a pool, so that work that would be split is done where time is taken
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    pool.install(|| {
        particles();
        slips();
        bucket();
        digging();
        wheels();
        at_rest();
        memory();
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool of two threads");
    pool.install(two_threads);
}

/// Time of a call [µs].
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    start.elapsed().as_secs_f64() * 1e6
}

/// The least of many calls [µs].
fn least(rounds: usize, mut call: impl FnMut()) -> f64 {
    (0..rounds).map(|_| time(&mut call)).fold(f64::INFINITY, f64::min)
}

/// CPU time of this thread [µs], where the system tells it: what others use does not count. In steps of some ms.
fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| nanoseconds * 1e-3)
}

/// CPU time of a long call [µs]; wall time where there is none.
fn long(mut call: impl FnMut()) -> f64 {
    let before = cpu();
    let wall = time(&mut call);
    before.zip(cpu()).map_or(wall, |(from, to)| to - from)
}

/// Particles per ms, at rest and as they flow.
fn particles() {
    let mut case = Discharge::new([0.5, 0.1], 1, 1.0);
    (0..120).for_each(|_| case.step());
    for name in ["at rest", "flowing", "flowing"] {
        let mut count = 0.0;
        let spent = long(|| {
            for _ in 0..60 {
                count += case.particles.len() as f64;
                case.step();
            }
        });
        println!("particles {name}: {:.0} per ms, of {}", count / spent * 1e3, case.particles.len());
        case.open();
    }
}

/// Particles per ms of wall time as they flow, on two threads.
fn two_threads() {
    let mut case = Discharge::new([0.5, 0.1], 1, 1.0);
    (0..120).for_each(|_| case.step());
    case.open();
    let mut count = 0.0;
    let spent = time(|| {
        for _ in 0..60 {
            count += case.particles.len() as f64;
            case.step();
        }
    });
    println!("particles flowing on two threads: {:.0} per ms of wall time", count / spent * 1e3);
}

/// A blade of 3 m in sand, before it loose soil of 3000 particles: whole steps of the world.
fn digging() {
    let mut world = World::default();
    world.set(|settings| settings.dt = STEP).expect("a valid step");
    let (nodes, spacing) = ([101, 51], 0.2);
    let body = Body::fixed("ground").with_collider(Collider::of(Geometry::Ground { nodes, spacing }));
    let ground = world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).expect("a body");
    let mut model = GroundModel::new("site", ground, terrain(nodes, spacing, 2.0));
    (model.particle, model.budget) = (0.12, 10_000);
    model.start = vec![LooseBox { middle: dvec3(-3.0, 0.0, 0.45), size: dvec3(3.0, 3.0, 0.7), soil: 0 }];
    let mass =
        windlass_engine::prelude::Mass::new(3000.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(2000.0)));
    let plate = Collider::new(Shape::Box { half: dvec3(0.04, 1.5, 0.45) });
    let plate = Collider { mask: 0, ..plate.placed(dvec3(-0.04, 0.0, 0.45), DQuat::IDENTITY) };
    let body = Body { colliders: vec![plate], ..Body::dynamic("blade", mass) };
    let at = dvec3(-5.0, 0.0, -0.15);
    let body = world.add_body(body, at, DQuat::IDENTITY).expect("a body");
    let along = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let anchors = [Anchor::frame(ground, at, along), Anchor::frame(body, DVec3::ZERO, along)];
    let axis = Axis::driven(Drive::motor(0.5, 200e3));
    world.add_joint(Joint::new("rail", Slider { anchors, axis })).expect("a joint");
    let edge = vec![dvec3(0.0, -1.5, 0.0), dvec3(0.0, 1.5, 0.0)];
    let tool =
        ToolModel { name: "blade".into(), body, ground: 0, tool: Tool::blade(edge, DVec3::Z, 0.9, 0.0) };
    let works = Earthworks { grounds: vec![model], tools: vec![tool], ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).expect("a ground and a tool");
    let count = |world: &World| {
        world.subsystem::<Earthworks>().map_or(0, |(_, state)| state.grounds[0].particles.len())
    };
    let first = count(&world);
    (0..30).for_each(|_| drop(world.step()));
    let from = count(&world);
    let spent = long(|| (0..90).for_each(|_| drop(world.step())));
    println!(
        "digging: {:.2} ms per step, {from} to {} particles of {first} at the start",
        spent * 1e-3 / 90.0,
        count(&world)
    );
}

fn terrain(nodes: [usize; 2], spacing: f64, depth: f64) -> Terrain {
    let soils = ["dry_sand", "gravel"].map(|name| Soil::named(name).expect("a known soil")).to_vec();
    let strata = vec![Stratum::new(1, depth)];
    let origin = nodes.map(|n| -0.5 * spacing * (n - 1) as f64);
    let heights = Heights::Flat(0.0);
    let spec = TerrainSpec { origin, spacing, nodes, heights, strata, soils, gravity: 9.81 };
    Terrain::new(spec).expect("a valid ground")
}

/// Adds loose soil of a height on a node.
fn put(terrain: &Terrain, state: &mut TerrainState, node: [usize; 2], height: f64) {
    let loose = terrain.soils()[0].void_ratio.loose;
    let mass = terrain.soils()[0].dry_density(loose) * terrain.area(node) * height;
    state.put(terrain, node, Quanta::from_kilograms(mass), loose, 0);
}

/// A field of heaps that flow: per sweep over 20 000 active nodes.
fn slips() {
    let terrain = terrain([301, 301], 0.2, 2.0);
    let (mut state, mut work) = (TerrainState::default(), SlipWork::default());
    for (i, j) in (40..260_usize).flat_map(|j| (40..260_usize).map(move |i| (i, j))) {
        if i % 16 < 8 && j % 16 < 8 {
            put(&terrain, &mut state, [i, j], 2.0);
        }
    }
    for _ in 0..20 {
        state.slip(&terrain, STEP, &mut work);
    }
    let mut visited = 0;
    let spent = long(|| visited = (0..100).map(|_| state.slip(&terrain, STEP, &mut work).visited).sum());
    let each = spent / visited as f64;
    println!("slips: {:.1} ns per active node, {:.2} ms per sweep of 20 000", each * 1e3, each * 20.0);
}

/// Level ground of one soil.
struct Plain(CuttingSoil);

impl Surface for Plain {
    fn spacing(&self) -> f64 {
        0.1
    }
    fn height(&self, x: f64, y: f64) -> f64 {
        0.2 + 1e-3 * (x - y)
    }
    fn strata(&self, _x: f64, _y: f64, strata: &mut Strata) {
        strata.push(-10.0, self.0);
    }
}

/// Slices and wedges of a bucket of 1.2 m.
fn bucket() {
    let (sin, cos) = libm::sincos(60_f64.to_radians());
    let edge = vec![dvec3(0.0, -0.6, 0.0), dvec3(0.0, 0.6, 0.0)];
    let tool = Tool { end_plates: Some(0.5), ..Tool::blade(edge, dvec3(-cos, 0.0, sin), 0.9, 0.02) };
    let [friction, tool_friction] = [33.0_f64, 22.0].map(f64::to_radians);
    let soil = CuttingSoil { density: 1700.0, friction, cohesion: 2e3, tool_friction, adhesion: 1e3 };
    let motion = Twist { velocity: DVec3::X * 0.5, angular_velocity: DVec3::ZERO };
    let pose = Pose { position: DVec3::ZERO, axes: DMat3::IDENTITY, motion, fill: None };
    let (ground, mut work) = (Plain(soil), cutting::Work::default());
    let each = least(2000, || tool.cut(&pose, &ground, 9.81, &mut work));
    println!("cutting: {each:.1} µs per bucket of {} slices", work.slices.len());
}

/// Four wheels on cells of 5 cm: pressure, shear and memory of the ground.
fn wheels() {
    let law = SinkageLaw::Bekker { cohesive: 0.99e3, frictional: 1528.43e3, exponent: 1.1 };
    let soil = SoftSoil {
        curve: law.on(Footprint { width: 0.3, hydraulic_diameter: 0.3 }),
        unloading: Unloading::default(),
        strength: Strength::new(1040.0, 28_f64.to_radians()),
        contact: None,
        shear: ShearLaw::Exponential { modulus: 0.025 },
    };
    let outline = Outline::Wheel { radius: 0.5, peak: 0.24, exit: 0.0 };
    let patch = Patch { outline, width: 0.3, cells: 12 };
    let mut memory = patch.memory();
    let slippage = Slippage { travel: 0.011, over_step: |_| DVec2::new(1e-3, 0.0) };
    let mut place = 0.0;
    let each = least(2000, || {
        place += 0.01;
        patch.advance(&mut memory, place, 0.011, (|_| Place::default(), |_, _: &Place| {}));
        let normal = patch.press(&memory, &soil, 0.12);
        black_box(patch.shear(&memory, &soil, &normal, &slippage));
        patch.commit(&mut memory, &soil, &normal, &slippage);
    });
    println!("wheels: {:.1} µs for four, library level", 4.0 * each);
}

/// A step of 1 km² in which nothing moves.
fn at_rest() {
    let (nodes, spacing) = ([5001, 5001], 0.2);
    let mut world = World::default();
    world.set(|settings| settings.dt = STEP).expect("a valid step");
    let body = Body::fixed("ground").with_collider(Collider::of(Geometry::Ground { nodes, spacing }));
    let body = world.add_body(body, DVec3::ZERO, DQuat::IDENTITY).expect("a body");
    let grounds = vec![GroundModel::new("site", body, terrain(nodes, spacing, 5.0))];
    let works = Earthworks { grounds, ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).expect("a ground");
    let each = least(2000, || drop(world.step()));
    println!("1 km² at rest: {each:.2} µs per step");
}

/// 50 × 50 m at 5 cm, every column dug and filled to heights of its own.
fn memory() {
    for (nodes, spacing) in [([1001, 1001], 0.05), ([251, 251], 0.2)] {
        let terrain = terrain(nodes, spacing, 2.0);
        let mut state = TerrainState::default();
        let mut removed = Vec::new();
        for (i, j) in (0..nodes[1]).flat_map(|j| (0..nodes[0]).map(move |i| (i, j))) {
            removed.clear();
            let [wave, swell] = [libm::sin(0.7 * i as f64), libm::cos(0.3 * j as f64)];
            state.take_above(&terrain, [i, j], -0.1 - 0.04 * wave * swell, &mut removed);
            put(&terrain, &mut state, [i, j], 0.1 + 0.05 * wave);
        }
        let bytes = state.bytes() as f64;
        println!(
            "memory: {:.1} MB for 50 × 50 m at {spacing} m, {:.0} bytes per column",
            bytes / 1e6,
            bytes / (nodes[0] * nodes[1]) as f64
        );
    }
}
