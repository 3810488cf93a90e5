//! Grounds, tools and loose soil in worlds.

use glam::{DMat3, DQuat, DVec3, dvec3};
use std::f64::consts::FRAC_PI_2;
use windlass_engine::body::collider::Geometry;
use windlass_engine::prelude::*;
use windlass_soil::cutting::Tool;
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Heights, Soil, Stratum, Terrain, TerrainSpec};
use windlass_soil::{EarthEdit, Earthworks, GroundModel, Mass as Quanta, ToolModel};

pub const G: f64 = 9.81;

/// Sand with given strength.
pub fn soil(friction: f64, cohesion: f64, steel: f64, density: f64) -> Soil {
    let mut soil = Soil::named("dry_sand").unwrap();
    soil.strength = StrengthLaw::Constant(Strength::new(friction, cohesion));
    soil.steel.friction = steel.to_radians();
    soil.steel.adhesion = 0.0;
    soil.water = 0.0;
    soil.grain_density = density * (1.0 + soil.void_ratio.bank);
    soil
}

/// A world with level ground of some size.
pub fn world(soil: Soil, size: [f64; 2], spacing: f64, dt: f64) -> (World, GroundModel) {
    hilly(soil, (size, spacing), dt, |_, _| 0.0)
}

/// The same with given heights.
pub fn hilly(
    soil: Soil,
    (size, spacing): ([f64; 2], f64),
    dt: f64,
    height: impl Fn(f64, f64) -> f64,
) -> (World, GroundModel) {
    let mut world = World::default();
    world.set(|settings| (settings.dt, settings.gravity) = (dt, -G * DVec3::Z)).unwrap();
    let nodes = size.map(|side| (side / spacing).round() as usize + 1);
    let body = world
        .add_body(
            Body::fixed("ground").with_collider(Collider::of(Geometry::Ground { nodes, spacing })),
            DVec3::ZERO,
            DQuat::IDENTITY,
        )
        .unwrap();
    let spec = TerrainSpec {
        origin: size.map(|side| -0.5 * side),
        spacing,
        nodes,
        heights: Heights::Grid {
            origin: size.map(|side| -0.5 * side),
            spacing: [spacing; 2],
            nodes,
            values: (0..nodes[0] * nodes[1])
                .map(|k| {
                    let at = |n: usize, side: f64| n as f64 * spacing - 0.5 * side;
                    height(at(k % nodes[0], size[0]), at(k / nodes[0], size[1]))
                })
                .collect(),
        },
        strata: vec![Stratum::new(0, 5.0)],
        soils: vec![soil],
        gravity: G,
    };
    (world, GroundModel::new("site", body, Terrain::new(spec).unwrap()))
}

pub fn set(world: &mut World, grounds: Vec<GroundModel>, tools: Vec<ToolModel>) {
    let works = Earthworks { grounds, tools, ..Earthworks::default() };
    world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, None)).unwrap();
}

/// A blade on a slider along x, its edge at a depth; rake from the horizontal ahead.
pub fn blade(
    world: &mut World,
    (width, height, rake): (f64, f64, f64),
    (at, drive): (DVec3, Drive),
    colliders: Vec<Collider>,
) -> (BodyId, JointId, Tool) {
    let mass = Mass::new(500.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(200.0)));
    let body = Body { colliders, ..Body::dynamic("blade", mass) };
    let body = world.add_body(body, at, DQuat::IDENTITY).unwrap();
    let ground = world.model().body("ground").unwrap();
    let along_x = DQuat::from_rotation_y(FRAC_PI_2);
    let anchors = [Anchor::frame(ground, at, along_x), Anchor::frame(body, DVec3::ZERO, along_x)];
    let joint = world.add_joint(Joint::new("slider", Slider { anchors, axis: Axis::driven(drive) })).unwrap();
    (body, joint, face(width, height, rake))
}

/// The tool of a blade, cutting along x; rake from the horizontal ahead.
pub fn face(width: f64, height: f64, rake: f64) -> Tool {
    let rake = rake.to_radians();
    // the face leans back from the direction of cutting
    let face = dvec3(-libm::cos(rake), 0.0, libm::sin(rake));
    let edge = vec![dvec3(0.0, -0.5 * width, 0.0), dvec3(0.0, 0.5 * width, 0.0)];
    let mut tool = Tool::blade(edge, face, height, 0.0);
    tool.end_plates = Some(0.0);
    tool
}

pub fn run(world: &mut World, time: f64, mut each: impl FnMut(&World)) {
    let steps = (time / world.model().settings().dt).round() as usize;
    for _ in 0..steps {
        let report = world.step();
        assert!(report.fault.is_none(), "{:?}", report.fault);
        each(world);
    }
}

/// Total mass of all grounds.
pub fn mass(world: &World) -> Quanta {
    let (works, state) = world.subsystem::<Earthworks>().unwrap();
    let grounds = works.grounds.iter().zip(&state.grounds);
    let on_grounds: Quanta =
        grounds.map(|(model, state)| state.terrain.mass(&model.terrain) + state.loose()).sum();
    on_grounds + state.tools.iter().map(|tool| tool.cut()).sum()
}

#[test]
fn bodies_rest_on_ground() {
    let shapes = [
        Shape::Box { half: dvec3(0.5, 0.4, 0.3) },
        Shape::Sphere { radius: 0.4 },
        Shape::Cylinder { radius: 0.3, half_length: 0.3 },
    ];
    for (shape, lowest) in shapes.into_iter().zip([0.3, 0.4, 0.3]) {
        for dt in [1.0 / 60.0, 1e-3] {
            let (mut world, ground) = world(soil(33.0, 0.0, 22.0, 1650.0), [10.0, 10.0], 0.2, dt);
            let mass = Mass::of(&shape, 800.0).unwrap();
            let body = Body::dynamic("load", mass).with_collider(Collider::new(shape.clone()));
            let id = world.add_body(body, dvec3(0.33, -0.21, 1.0), DQuat::IDENTITY).unwrap();
            set(&mut world, vec![ground], vec![]);
            run(&mut world, 3.0, |_| {});
            let at = world.state().bodies[id.index()].position;
            assert!((at.z - lowest).abs() < 2e-3, "{shape:?} rests at {at}");
            assert!(at.truncate().distance(glam::dvec2(0.33, -0.21)) < 0.01, "{shape:?} moved to {at}");
        }
    }
}

/// A body over the border of the ground falls.
#[test]
fn ground_ends_at_its_border() {
    let (mut world, ground) = world(soil(33.0, 0.0, 22.0, 1650.0), [4.0, 4.0], 0.2, 1.0 / 60.0);
    let shape = Shape::Sphere { radius: 0.2 };
    let body = Body::dynamic("ball", Mass::of(&shape, 800.0).unwrap()).with_collider(Collider::new(shape));
    let id = world.add_body(body, dvec3(2.5, 0.0, 0.5), DQuat::IDENTITY).unwrap();
    set(&mut world, vec![ground], vec![]);
    run(&mut world, 1.0, |_| {});
    assert!(world.state().bodies[id.index()].position.z < -3.0);
}

/// Digging, carrying and settling lose no quantum, and the same happens again from a restored state.
#[test]
fn no_mass_is_lost_and_a_restored_world_goes_on_alike() {
    let (mut world, ground) = world(soil(35.0, 0.0, 22.0, 1650.0), [8.0, 4.0], 0.1, 1.0 / 60.0);
    let drive = Drive::motor(1.0, f64::INFINITY);
    // a wall behind the face, so that particles are pushed
    let plate = Collider::new(Shape::Box { half: dvec3(0.02, 0.5, 0.3) });
    let plate = Collider { mask: 0, ..plate.placed(dvec3(-0.2, 0.0, 0.3), DQuat::from_rotation_y(-0.5)) };
    let (body, _, tool) = blade(&mut world, (1.0, 0.6, 60.0), (dvec3(-2.0, 0.0, -0.15), drive), vec![plate]);
    set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
    let before = mass(&world);
    run(&mut world, 1.0, |world| assert_eq!(mass(world), before));
    let snapshot = world.state().clone();
    let (_, state) = world.subsystem::<Earthworks>().unwrap();
    let particles = state.grounds[0].particles.len();
    assert!(particles > 50, "{particles} particles");
    run(&mut world, 1.0, |world| assert_eq!(mass(world), before));
    let hash = world.state().hash();
    world.restore(snapshot).unwrap();
    run(&mut world, 1.0, |_| {});
    assert_eq!(world.state().hash(), hash);
    println!("{particles} particles, burden {:?}", world.subsystem::<Earthworks>().unwrap().1.soil_loads);
}

/// A blade with a solid behind its face goes on as its drive says: a few particles between it and the ground bear no more
/// than the soil that they are.
#[test]
fn particles_before_a_face_do_not_throw_a_blade_back() {
    let (mut world, ground) = world(soil(33.0, 0.0, 22.0, 1650.0), [12.0, 6.0], 0.2, 1.0 / 60.0);
    let plate = Collider::new(Shape::Box { half: dvec3(0.03, 1.0, 0.45) });
    let plate = plate.placed(dvec3(-0.03, 0.0, 0.45), DQuat::IDENTITY);
    let at = (dvec3(-3.0, 0.0, -0.15), Drive::motor(0.5, 60e3));
    let (body, _, tool) = blade(&mut world, (2.0, 0.9, 90.0), at, vec![plate]);
    set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
    let mut least = f64::INFINITY;
    run(&mut world, 4.0, |world| least = least.min(world.state().bodies[body.index()].velocity.x));
    assert!(least > 0.45, "it moves at {least} m/s");
}
