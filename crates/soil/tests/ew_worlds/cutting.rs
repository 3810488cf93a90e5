//! EW05, EW06, EW10 to EW13, EW39, EW40: forces of cutting, and what happens below and above them.

use super::*;
use crate::world::{G, face, hilly, soil, world};
use glam::{DMat3, DQuat};
use windlass_soil::ground::strength::{Strength, StrengthLaw};
use windlass_soil::ground::{Ground, Soil, TerrainState};
use windlass_soil::particle::Particle;
use windlass_soil::world::EarthState;

#[test]
fn ew05_ew06_dozer_blade_in_level_ground() {
    for (id, adhesion) in [("EW05", 0.0), ("EW06", 1.5e3)] {
        let mut soil = soil(32.0, 3e3, 22.0, 1650.0);
        soil.steel.adhesion = adhesion;
        let ground = world(soil, [8.0, 6.0], 0.1, STEP);
        let mut rig = Rig::new(ground, (3.0, 1.0, 55.0), edge(-3.0, 0.2), at_speed(0.1));
        rig.mean(10.0);
        let [force, _] = rig.mean(20.0);
        let case = in_world(id);
        case.finds("draft", -force.x);
        case.finds("vertical part, down", -force.z);
    }
}

#[test]
fn ew10_a_blade_over_two_levels() {
    // nodes on both sides of the step, which is between two slices; it stands until the edge passes a node
    let levels = |_: f64, y: f64| if y < 0.0 { -0.2 } else { 0.0 };
    let ground = hilly(soil(35.0, 0.0, 20.0, 1800.0), ([7.9, 5.9], 0.1), STEP, levels);
    let mut rig = Rig::new(ground, (2.0, 1.0, 60.0), edge(-1.0, 0.3), at_speed(0.1));
    let (works, state) = rig.world.subsystem::<Earthworks>().unwrap();
    let (works, mut state) = (works.clone(), state.clone());
    state.grounds[0].terrain = TerrainState::default();
    rig.world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, Some(Box::new(state)))).unwrap();
    rig.mean(2.0 * STEP);
    let [force, moment] = rig.mean(10.0 * STEP);
    let case = in_world("EW10");
    case.finds("draft", -force.x);
    case.finds("moment about the middle of the blade, upright axis", moment.z);
}

/// Particles on the surface before the blade whose weight is a pressure.
fn lay(rig: &mut Rig, pressure: f64) {
    let (works, state) = rig.world.subsystem::<Earthworks>().unwrap();
    let (mut works, mut state): (Earthworks, EarthState) = (works.clone(), state.clone());
    // near their budget, particles at rest soon become ground
    works.grounds[0].budget = 5000;
    let (side, radius) = (0.05, 0.024);
    let mass = Quanta::from_kilograms(pressure * side * side / G);
    for (i, j) in (0..28).flat_map(|i| (0..28).map(move |j| (i, j))) {
        let [x, y] = [i, j].map(|k| (f64::from(k) + 0.5) * side);
        let position = dvec3(-0.1 + x, y - 0.7, radius);
        state.grounds[0].particles.add(Particle { position, radius, mass, ..Particle::default() });
    }
    rig.world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, Some(Box::new(state)))).unwrap();
}

#[test]
fn ew11_particles_on_the_wedge_raise_the_draft() {
    // the sides of the layer are not held, but it is wider than the blade
    let draft = |pressure: f64| {
        let ground = world(soil(35.0, 0.0, 20.0, 1800.0), [5.9, 3.9], 0.1, STEP);
        let mut rig = Rig::new(ground, (1.0, 1.0, 60.0), edge(0.0, 0.3), at_speed(0.1));
        if pressure > 0.0 {
            lay(&mut rig, pressure);
        }
        rig.mean(4.0 * STEP);
        // before the particles have rested for so long that they become ground
        let [force, _] = rig.mean(8.0 * STEP);
        -force.x
    };
    in_world("EW11").finds("draft under particles of 1 kPa over that without", draft(1e3) / draft(0.0));
}

#[test]
fn ew12_a_blade_holds_below_its_bound() {
    let ground = || world(soil(30.0, 0.0, 20.0, 1700.0), [7.9, 5.9], 0.1, STEP);
    let rig = |drive| Rig::new(ground(), (2.0, 1.0, 60.0), edge(-1.0, 0.2), drive);
    let case = in_world("EW12");
    let mut slow = rig(at_speed(1e-3));
    slow.mean(2.0 * STEP);
    let [force, _] = slow.mean(10.0 * STEP);
    let bound = -force.x;
    case.finds("bound", bound);
    let mut held = rig(with_force(0.95 * bound));
    held.mean(1.0);
    case.finds("travel in 1 s under 0.95 of the bound", held.position().x + 1.0);
    // 500 kg would cut its way, and soil that is thrown resists more: a thousand times the mass moves a thousandth
    // of the way, within which the ground is kept and the speed is low
    let part = 1e-3;
    let mut heavy = rig(with_force(1.5 * bound));
    let mass = Mass::new(500.0 / part, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(1e5)));
    let body = Body { mass, ..heavy.world.model().bodies().get(heavy.body).unwrap().clone() };
    heavy.world.edit(Edit::SetBody(heavy.body, Box::new(body))).unwrap();
    heavy.mean(1.0);
    case.finds("travel in 1 s under 1.5 of the bound", (heavy.position().x + 1.0) / part);
}

/// A blade with an edge of 0.03 m on an upright slider, pressed down with a drive; its weight, which presses too.
fn upright(drive: Drive) -> (World, BodyId, f64) {
    // a smooth upright face resists nothing but along x, which the slider takes
    let (mut world, mut ground) = world(soil(30.0, 5e3, 0.0, 1700.0), [4.0, 4.0], 0.1, STEP);
    ground.budget = 0;
    let kilograms = 20.0;
    let mass = Mass::new(kilograms, DVec3::ZERO, DMat3::IDENTITY);
    let at = edge(0.03, 0.1);
    let body = world.add_body(Body::dynamic("blade", mass), at, DQuat::IDENTITY).unwrap();
    let base = world.model().body("ground").unwrap();
    let down = DQuat::from_rotation_x(std::f64::consts::PI);
    let anchors = [Anchor::frame(base, at, down), Anchor::frame(body, DVec3::ZERO, down)];
    world.add_joint(Joint::new("slider", Slider { anchors, axis: Axis::driven(drive) })).unwrap();
    let mut tool = face(1.2, 0.5, 90.0);
    tool.thickness = 0.03;
    set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
    (world, body, kilograms * G)
}

#[test]
fn ew13_an_edge_that_is_pushed_in() {
    let case = in_world("EW13");
    let (mut world, _, _) = upright(at_speed(1e-3));
    let (mut sum, mut count) = (0.0, 0.0);
    run(&mut world, 12.0 * STEP, |world| {
        let (_, state) = world.subsystem::<Earthworks>().unwrap();
        (sum, count) = (sum + state.tools[0].force.z, count + 1.0);
    });
    let bound = sum / count;
    case.finds("bound", bound);
    let (mut world, body, weight) = upright(Drive::Free);
    let force = Drive::motor(100.0, 0.95 * bound - weight);
    drop(world);
    (world, _, _) = upright(force);
    run(&mut world, 1.0, |_| {});
    let sinkage = -0.1 - world.state().bodies[body.index()].position.z;
    case.finds("sinkage in 1 s under 0.95 of the bound", sinkage);
}

#[test]
fn ew39_a_blade_stalls_at_a_depth() {
    let (mut world, mut ground) = world(soil(32.0, 2e3, 21.0, 1700.0), [8.0, 6.0], 0.1, STEP);
    ground.budget = 0;
    let start = edge(-3.0, 0.3);
    let mass = Mass::new(500.0, DVec3::ZERO, DMat3::from_diagonal(DVec3::splat(200.0)));
    let carriage = world.add_body(Body::dynamic("carriage", mass), start, DQuat::IDENTITY).unwrap();
    let base = world.model().body("ground").unwrap();
    let body = world.add_body(Body::dynamic("blade", mass), start, DQuat::IDENTITY).unwrap();
    let tool = face(2.5, 1.2, 60.0);
    let along = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    let down = DQuat::from_rotation_x(std::f64::consts::PI);
    let slide = |a, at: DVec3, b, turn, drive| {
        let anchors = [Anchor::frame(a, at, turn), Anchor::frame(b, DVec3::ZERO, turn)];
        Joint::new("slider", Slider { anchors, axis: Axis::driven(drive) })
    };
    world.add_joint(slide(base, start, carriage, along, Drive::motor(0.2, 20e3))).unwrap();
    world.add_joint(slide(carriage, DVec3::ZERO, body, down, at_speed(0.01))).unwrap();
    set(&mut world, vec![ground], vec![ToolModel { name: "blade".into(), body, ground: 0, tool }]);
    let (mut still, mut depth) = (0, 0.0);
    for _ in 0..(20.0 / STEP).round() as usize {
        run(&mut world, STEP, |_| {});
        take_away(&mut world);
        let state = &world.state().bodies[body.index()];
        // it stalls where it comes to stand for good
        // held, it slides down across the force of the wedge, with a sixth of the speed at which it is lowered
        let stands = state.velocity.x < 5e-3 && world.state().time > 1.0;
        if !stands {
            still = 0;
        } else if still == 0 {
            depth = -state.position.z;
        }
        still += usize::from(stands);
    }
    assert!(still > 60, "it did not stall: {still} steps at {depth} m");
    in_world("EW39").finds("depth of stall", depth);
}

/// The soil of EW40: dense in the bank, loose in the backfill. Steel is as rough as ⅔ φ of the state that is cut.
fn two_states(steel: f64) -> Soil {
    let mut soil = Soil::named("loam").unwrap();
    soil.water = 0.0;
    let [bank, loose] = [1800.0, 1450.0];
    soil.void_ratio.bank = 0.45;
    soil.grain_density = bank * 1.45;
    soil.void_ratio.loose = soil.grain_density / loose - 1.0;
    (soil.void_ratio.least, soil.void_ratio.greatest) = (soil.void_ratio.bank, soil.void_ratio.loose);
    soil.strength =
        StrengthLaw::Linear { loose: Strength::new(30.0, 0.5e3), dense: Strength::new(38.0, 8e3) };
    soil.remoulded_cohesion = 0.5e3;
    (soil.steel.friction, soil.steel.adhesion) = (steel.to_radians(), 0.0);
    soil
}

#[test]
fn ew40_backfill_is_softer_than_bank() {
    let ground = |steel| world(two_states(steel), [6.0, 4.0], 0.1, STEP);
    let mut rig = Rig::new(ground(25.0), (1.0, 1.0, 60.0), edge(-1.95, 0.3), at_speed(0.1));
    rig.mean(10.0);
    let [force, _] = rig.mean(10.0);
    let case = in_world("EW40");
    let bank = -force.x;
    case.finds("draft per metre in the bank", bank);
    // what was cut goes back where it was cut, level with the ground beside it
    let (works, state) = rig.world.subsystem::<Earthworks>().unwrap();
    let mut state = state.clone();
    let (terrain, columns) = (&works.grounds[0].terrain, &mut state.grounds[0].terrain);
    let [nx, ny] = terrain.nodes();
    let nodes: Vec<[usize; 2]> = (0..ny).flat_map(|j| (0..nx).map(move |i| [i, j])).collect();
    let is_cut = |node: &[usize; 2]| Ground::new(terrain, columns).height(*node) < -0.29;
    let cut: Vec<[usize; 2]> = nodes.into_iter().filter(is_cut).collect();
    assert!(cut.len() > 100, "{} nodes were cut", cut.len());
    let mut total = std::mem::take(&mut rig.taken);
    // the edge cuts above the bottom of the backfill
    total += cut.iter().map(|node| columns.take_above(terrain, *node, -0.35, &mut Vec::new())).sum();
    let each = Quanta(total.0 / cut.len() as i64);
    let loose = terrain.soils()[0].void_ratio.loose;
    for node in &cut {
        columns.put(terrain, *node, each, loose, 0);
        columns.take_above(terrain, *node, 0.0, &mut Vec::new());
    }
    let (backfilled, columns) = (ground(20.0), state.grounds.remove(0));
    let mut rig = Rig::new(backfilled, (1.0, 1.0, 60.0), edge(-1.45, 0.3), at_speed(0.1));
    let (works, now) = rig.world.subsystem::<Earthworks>().unwrap();
    let (works, mut now) = (works.clone(), now.clone());
    now.grounds[0] = columns;
    rig.world.edit_subsystem::<Earthworks>(EarthEdit::Set(works, Some(Box::new(now)))).unwrap();
    rig.mean(2.0);
    let [force, _] = rig.mean(5.0);
    case.finds("draft in the backfill over that", -force.x / bank);
}
