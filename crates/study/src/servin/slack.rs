//! Fig. 15: the load rests on the ground and the cable is slack; its shape is that of a heavy elastic rod between
//! clamps.

use super::rod::Rod;
use super::square_cable::STEP;
use crate::lab::settle;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, number};
use glam::{DQuat, DVec3};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "servin/figure-15",
    paper: Paper::Servin,
    title: "A load rests, its cable is slack",
    place: "§VIII, Fig. 15",
    about: "A hook is so low that the load of 300 kg rests on the ground and the cable between them, clamped at both ends, is \
            a quarter longer than their distance. The paper shows that its shape depends on its elasticity; here it is compared with \
            Kirchhoff's equations of a heavy rod, solved by shooting, for the paper's c_b = 1e3 N·m/rad and a fiftieth and less of it.",
    timed: false,
    run,
};

/// Length of the cable, and distance of its clamps [m].
const LENGTH: f64 = 2.8;
const DISTANCE: f64 = 0.8 * LENGTH;
const ELEMENTS: usize = 24;
/// The load [kg], half its edges [m], mass of a metre of cable [kg] and gravity [m/s²].
const LOAD: f64 = 300.0;
const HALF: f64 = 0.4;
const MASS: f64 = 1.2;
const GRAVITY: f64 = 10.0;
/// c_b of the paper [N·m/rad], of links of twelve elements.
const PAPER: f64 = 1e3 * LENGTH / 12.0;
/// EA [N]: c_s = 5e6 N/m of the paper, of links of twelve elements.
const STRETCH: f64 = 5e6 * LENGTH / 12.0;

/// How a cable lies.
struct Slack {
    line: Vec<DVec3>,
    /// Its links' bends and stretches put together again [m].
    length: f64,
    /// Force of the ground on the load [N], and height of its centre [m].
    ground: DVec3,
    height: f64,
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter(
        "cable",
        format!(
            "{} m between clamps {} m apart, {MASS} kg/m, {ELEMENTS} elements",
            number(LENGTH),
            number(DISTANCE)
        ),
    );
    context.parameter("load", format!("{LOAD} kg, g = {GRAVITY} m/s²"));
    let mut table = Table::comparison("Slack cables at rest", "heavy rod");
    let mut curves = Vec::new();
    let stiffnesses = [PAPER, PAPER / 50.0, PAPER / 250.0];
    for (k, bend) in stiffnesses.into_iter().enumerate() {
        let done = k as f64 / stiffnesses.len() as f64;
        let slack = laid(context, bend, done)?;
        let weight = MASS * GRAVITY;
        let rod = Rod::new(DISTANCE / LENGTH, weight * LENGTH * LENGTH * LENGTH / bend);
        let rod = rod.ok_or(Trouble::Failed("the rod's equations were not solved".to_string()))?;
        let name = |what: &str| format!("EI = {} N·m²: {what}", number(bend));
        let bulge = slack.line.iter().map(|p| p.x).fold(0.0, f64::max);
        table.compare(&name("bulge [m]"), bulge, LENGTH * rod.bulge(), Ask::Part(0.02));
        let lowest = slack.line.iter().map(|p| off(&rod, *p)).fold(0.0, f64::max);
        table.compare(&name("farthest link from the rod [m]"), lowest, 0.0, Ask::Apart(0.02));
        table.compare(&name("length [m]"), slack.length, LENGTH, Ask::Part(2e-3));
        // the rod loads the clamp and thereby the load
        let lifts = bend / (LENGTH * LENGTH) * rod.lifts();
        table.compare(&name("ground bears [N]"), slack.ground.z, LOAD * GRAVITY - lifts, Ask::Part(0.01));
        table.compare(&name("height of the load [m]"), slack.height, HALF, Ask::Apart(1e-3));
        let points = |line: &mut dyn Iterator<Item = (f64, f64)>| line.collect::<Vec<_>>();
        let top = 2.0 * HALF + DISTANCE;
        curves.push(Curve::dots(
            &format!("EI = {} N·m²", number(bend)),
            "m",
            points(&mut slack.line.iter().map(|p| (p.x, p.z))),
        ));
        let along = rod.along();
        let shape = &mut along.iter().map(|p| (LENGTH * p[0], top + LENGTH * p[1]));
        curves.push(Curve::line("its rod", "m", points(shape)));
    }
    let figure = Figure {
        size: Some((520, 620)),
        x: Measure::new("sideways", "m"),
        y: Some("height".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure(
        "Links of slack cables (dots) and heavy rods (lines) between load and hook, as in Fig. 15",
        &figure,
    );
    context.table(table);
    context.remark(
        "The paper gives no numbers of Fig. 15. Its cable has twelve elements or so; with 24 the polygon of the elements is near \
         enough to its curve. Softer ropes than these fold down onto the load, and the shape is then one of contact.",
    );
    Ok(())
}

/// How far a point is from the line of a rod [m].
fn off(rod: &Rod, point: DVec3) -> f64 {
    let top = DVec3::Z * (2.0 * HALF + DISTANCE);
    let places = rod.along();
    let there = |p: &[f64; 4]| (top + LENGTH * DVec3::new(p[0], 0.0, p[1])).distance(point);
    places.iter().map(there).fold(f64::INFINITY, f64::min)
}

/// Lays it with a bulge, and lets it come to rest.
fn laid(context: &StudyContext<'_>, bend: f64, done: f64) -> Result<Slack, Trouble> {
    let mut world = World::default();
    world.set(|s| (s.dt, s.gravity) = (STEP, DVec3::NEG_Z * GRAVITY)).map_err(Trouble::from)?;
    let shape = Shape::Box { half: DVec3::splat(HALF) };
    let mass = Mass::of_total(&shape, LOAD).map_err(Trouble::from)?;
    let mut add = |body: Body, at: DVec3| world.add_body(body, at, DQuat::IDENTITY).map_err(Trouble::from);
    let ground = add(Body::fixed("ground").with_collider(Collider::of(Geometry::HalfSpace)), DVec3::ZERO)?;
    let (low, high) = (DVec3::Z * (2.0 * HALF), DVec3::Z * (2.0 * HALF + DISTANCE));
    let hook = add(Body::fixed("hook"), high)?;
    let load = add(Body::dynamic("load", mass).with_collider(Collider::new(shape)), DVec3::Z * HALF)?;
    // z of a clamp points along the cable, downwards
    let down = DQuat::from_rotation_x(std::f64::consts::PI);
    let ends = [
        End::Clamp(Anchor::frame(hook, DVec3::ZERO, down)),
        End::Clamp(Anchor::frame(load, DVec3::Z * HALF, down)),
    ];
    let section = Section {
        diameter: 0.02,
        mass_per_length: MASS,
        stretch: STRETCH,
        bend,
        twist: bend / 1.3,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    };
    let path = sagging(high, low, LENGTH, DVec3::X, 400);
    let laying = CableSpec {
        ends,
        elements: ELEMENTS,
        length: Some(LENGTH),
        ..CableSpec::new("sling", section, path)
    };
    let cable = world.add_cable(laying).map_err(Trouble::from)?;
    settle(&mut world, || context.progress(done))?;
    let line: Vec<DVec3> = world.cable_readings(cable).iter().map(|reading| reading.point).collect();
    let length = line.windows(2).map(|w| w[0].distance(w[1])).sum();
    let height = world.state().bodies[load.index()].position.z;
    Ok(Slack { line, length, ground: world.contact_force(ground, load), height })
}
