//! §2.5.2: friction bounded by a scaled box against the cone.

use crate::lab::{add, at, step};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::{DVec2, DVec3};
use libm::{atan2, cos, fabs, sin};
use std::f64::consts::{FRAC_PI_2, TAU};
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "vortex/friction-box",
    paper: Paper::Vortex,
    title: "Friction: the scaled box against the cone",
    place: "§2.5.2, Figure 6, equations (27) to (29)",
    about: "A plate slides to rest in many directions, and is pulled in many directions until it slides, with friction bounded by the \
            cone, by the box, and by the box scaled once. Then a brake arm that friction unloads presses on a plank that is \
            pulled: the guide's sequence of problems is followed by hand, its first member sticks where the plank should slide.",
    timed: false,
    run,
};

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.5;
const SPEED: f64 = 3.0;
const BOUNDS: [FrictionModel; 3] = [FrictionModel::Cone, FrictionModel::Box, FrictionModel::BoxOnce];

fn name(friction: FrictionModel) -> &'static str {
    match friction {
        FrictionModel::Cone => "cone",
        FrictionModel::Box => "box",
        FrictionModel::BoxOnce => "box, scaled once",
    }
}

/// A thin plate of 1 kg on a floor: friction does not tip it.
fn plate(friction: FrictionModel) -> Result<(World, BodyId, BodyId), Trouble> {
    let mut world = World::default();
    world.set(|s| (s.dt, s.contact.friction) = (1.0 / 240.0, friction)).map_err(Trouble::from)?;
    touching(&mut world, FRICTION)?;
    let floor =
        add(&mut world, Body::fixed("floor").with_collider(Collider::of(Geometry::HalfSpace)), DVec3::ZERO)?;
    let shape = Shape::Box { half: DVec3::new(0.2, 0.2, 1e-3) };
    let mass = Mass::of_total(&shape, 1.0).map_err(Trouble::from)?;
    let plate =
        add(&mut world, Body::dynamic("plate", mass).with_collider(Collider::new(shape)), DVec3::Z * 1e-3)?;
    Ok((world, floor, plate))
}

fn touching(world: &mut World, friction: f64) -> Result<(), Trouble> {
    let mut surfaces = Surfaces::default();
    surfaces.set(0, 0, ContactParameters::rough(friction));
    world.edit(Edit::SetSurfaces(Box::new(surfaces))).map_err(Trouble::from)?;
    Ok(())
}

fn towards(angle: f64) -> DVec3 {
    DVec3::new(cos(angle), sin(angle), 0.0)
}

/// Where a plate comes to rest that starts with a speed in a direction, and the friction on it while it slides, over
/// μN.
fn slide(friction: FrictionModel, angle: f64) -> Result<(DVec2, DVec2), Trouble> {
    let (mut world, floor, plate) = plate(friction)?;
    world.set_velocity(plate, SPEED * towards(angle), DVec3::ZERO).map_err(Trouble::from)?;
    let mut force = DVec2::ZERO;
    for k in 0..200 {
        step(&mut world)?;
        if k == 5 {
            force = world.contact_force(floor, plate).truncate() / (FRICTION * GRAVITY);
        }
    }
    Ok((at(&world, plate).position.truncate(), force))
}

/// The largest force in a direction that does not move a plate, relative to μN, by bisection.
fn holds(friction: FrictionModel, angle: f64) -> Result<f64, Trouble> {
    let (mut low, mut high) = (0.5, 1.8);
    while high - low > 1e-3 {
        let middle = 0.5 * (low + high);
        let (mut world, _, plate) = plate(friction)?;
        let pull = Direction::World(towards(angle) * (middle * FRICTION * GRAVITY));
        let force = Applied::force(Anchor::point(plate, DVec3::ZERO), pull);
        world.add_force(Force::Applied(force)).map_err(Trouble::from)?;
        for _ in 0..24 {
            step(&mut world)?;
        }
        // a thousandth more than the limit moves it at 0.5 mm/s after a tenth of a second
        let slides = at(&world, plate).velocity.length() > 1e-4;
        if slides { high = middle } else { low = middle }
    }
    Ok(0.5 * (low + high))
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("friction", format!("{FRICTION}; {MU} under the brake arm"));
    context.parameter("speed at first", format!("{SPEED} m/s"));
    context.parameter("step", "1/240 s");
    slides(context)?;
    pulls(context)?;
    brake(context)?;
    context.remark(
        "Along its axes the box is as good as the cone; across them it holds up to √2 times too much, brakes along its diagonal and \
         not against the slip, and lets what slides drift to the nearer diagonal. The engine's default is the cone.",
    );
    Ok(())
}

/// Distances and directions of slides.
fn slides(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let count = context.pick(24, 8);
    let far = SPEED * SPEED / (2.0 * FRICTION * GRAVITY);
    let mut table = Table::comparison(
        "Ways of a plate that slides to rest, over v²/2μg, in all directions",
        "closed form",
    );
    let (mut ways, mut forces) = (Vec::new(), Vec::new());
    for (b, bound) in BOUNDS.into_iter().enumerate() {
        let (mut least, mut most, mut astray, mut worst) = (f64::INFINITY, 0.0f64, 0.0f64, 0.0f64);
        let (mut path, mut pushed) = (Vec::new(), Vec::new());
        for k in 0..=count {
            context.progress(0.4 * (b as f64 + f64::from(k) / f64::from(count)) / 3.0)?;
            let angle = TAU * f64::from(k) / f64::from(count);
            let (end, force) = slide(bound, angle)?;
            let way = end.length() / far;
            (least, most) = (least.min(way), most.max(way));
            let turned = wrapped(atan2(end.y, end.x) - angle);
            astray = astray.max(fabs(turned).to_degrees());
            let (c, s) = (cos(angle), sin(angle));
            let law = if bound == FrictionModel::Cone {
                DVec2::new(c, s)
            } else {
                DVec2::new(c * fabs(c), s * fabs(s))
            };
            worst = worst.max((end / far - law).length());
            path.push((end.x, end.y));
            pushed.push((-force.x, -force.y));
        }
        let label = name(bound);
        let shortest = if bound == FrictionModel::Cone { 1.0 } else { 1.0 / 2.0f64.sqrt() };
        table.compare(&format!("{label}: shortest"), least, shortest, Ask::Part(0.01));
        table.compare(&format!("{label}: longest"), most, 1.0, Ask::Part(0.01));
        table.compare(&format!("{label}: farthest from where it should end"), worst, 0.0, Ask::Apart(0.01));
        table.compare(&format!("{label}: off its direction at most [deg]"), astray, 0.0, Ask::Nothing);
        // where the normal force does not depend on friction, scaling once is enough
        if bound != FrictionModel::BoxOnce {
            ways.push(Curve::dotted_line(label, "m", path));
            forces.push(Curve::dots(label, "", pushed));
        }
    }
    context.table(table);
    let figure = Figure {
        size: Some((560, 560)),
        x: Measure::new("x", "m"),
        y: Some("y".to_string()),
        curves: ways,
        ..Figure::default()
    };
    context.figure("Where a plate comes to rest that starts from the middle with 3 m/s", &figure);
    let circle = (0..=90).map(|k| (cos(TAU * f64::from(k) / 90.0), sin(TAU * f64::from(k) / 90.0))).collect();
    let square = vec![(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (1.0, 1.0)];
    forces.extend([Curve::line("Coulomb's circle", "", circle), Curve::line("box of Figure 6", "", square)]);
    let figure = Figure {
        size: Some((560, 560)),
        x: Measure::new("friction along x over μN", ""),
        y: Some("along y".to_string()),
        curves: forces,
        ..Figure::default()
    };
    context.figure("Friction of sliding in 24 directions: the cone's lie on its circle, the box's in its corners and on its axes", &figure);
    Ok(())
}

/// An angle between −π and π.
fn wrapped(angle: f64) -> f64 {
    angle - TAU * libm::round(angle / TAU)
}

/// The force at which a plate begins to slide.
fn pulls(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let count = context.pick(6, 2);
    let heads = ["direction [deg]", "cone", "circle", "box", "square", "box, scaled once"];
    let mut table = Table::new("Pull at which a plate begins to slide, over μN, by direction", &heads);
    for k in 0..=count {
        context.progress(0.4 + 0.4 * f64::from(k) / f64::from(count))?;
        let angle = FRAC_PI_2 * 0.5 * f64::from(k) / f64::from(count);
        let mut found = [0.0; 3];
        for (found, bound) in found.iter_mut().zip(BOUNDS) {
            *found = holds(bound, angle)?;
        }
        let square = 1.0 / cos(angle);
        let good = fabs(found[0] - 1.0) < 5e-3 && fabs(found[1] / square - 1.0) < 5e-3;
        let degrees = format!("{:.1}", angle.to_degrees());
        let cells =
            [degrees, number(found[0]), "1".to_string(), number(found[1]), number(square), number(found[2])];
        table.row(cells, Verdict::of(good));
    }
    context.table(table);
    Ok(())
}

/// Friction of the brake, mass of its arm and of the plank [kg].
const MU: f64 = 0.8;
const ARM: f64 = 10.0;
const PLANK: f64 = 5.0;
/// Radius of the arm's tip [m]; its pivot is as far behind the point of contact as above it.
const TIP: f64 = 0.1;
const REACH: f64 = 0.5;

/// A plank on a slide is pulled along x under the tip of an arm, whose pivot lies behind and above: N = Mg − F.
fn braked(friction: FrictionModel, pull: f64) -> Result<f64, Trouble> {
    let mut world = World::default();
    world.set(|s| (s.dt, s.contact.friction) = (1.0 / 240.0, friction)).map_err(Trouble::from)?;
    touching(&mut world, MU)?;
    let ground = add(&mut world, Body::fixed("ground"), DVec3::ZERO)?;
    let shape = Shape::Box { half: DVec3::new(2.0, 0.2, 0.05) };
    let mass = Mass::of_total(&shape, PLANK).map_err(Trouble::from)?;
    let plank = Body::dynamic("plank", mass).with_collider(Collider::new(shape));
    let plank = add(&mut world, plank, DVec3::NEG_Z * 0.05)?;
    let along = math::facing(DVec3::X);
    let anchors =
        [Anchor::frame(ground, DVec3::NEG_Z * 0.05, along), Anchor::frame(plank, DVec3::ZERO, along)];
    world.add_joint(Joint::new("slide", Slider { anchors, axis: Axis::free() })).map_err(Trouble::from)?;
    let tip = Shape::Sphere { radius: TIP };
    let mass = Mass::of_total(&tip, ARM).map_err(Trouble::from)?;
    let arm = add(&mut world, Body::dynamic("arm", mass).with_collider(Collider::new(tip)), DVec3::Z * TIP)?;
    let (pivot, about) = (DVec3::new(-REACH, 0.0, REACH), math::facing(DVec3::Y));
    let anchors = [Anchor::frame(ground, pivot, about), Anchor::frame(arm, pivot - DVec3::Z * TIP, about)];
    world.add_joint(Joint::new("pivot", Hinge { anchors, axis: Axis::free() })).map_err(Trouble::from)?;
    let force = Applied::force(Anchor::point(plank, DVec3::ZERO), Direction::World(DVec3::X * pull));
    world.add_force(Force::Applied(force)).map_err(Trouble::from)?;
    let mut speeds = [0.0; 2];
    for k in 0..60 {
        step(&mut world)?;
        if k == 29 {
            speeds[0] = at(&world, plank).velocity.x;
        }
    }
    speeds[1] = at(&world, plank).velocity.x;
    Ok((speeds[1] - speeds[0]) / 0.125)
}

/// The guide's sequence for the same plank: the normal force of the problem without friction, then each bounds the
/// next. Friction sticks if it can carry the force, N = Mg − F. Returns the plank's acceleration after a number of
/// iterations.
fn sequence(pull: f64, iterations: usize) -> f64 {
    let weight = ARM * GRAVITY;
    let (mut normal, mut friction) = (weight, 0.0);
    for _ in 0..iterations {
        friction = pull.min(MU * normal);
        normal = (weight - friction).max(0.0);
    }
    (pull - friction) / PLANK
}

/// The range in which the plank slides although the first iteration has it stick.
fn brake(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let weight = ARM * GRAVITY;
    let exact = |pull: f64| (pull - MU * weight / (1.0 + MU)).max(0.0) / PLANK;
    let heads = ["pull/Mg", "exact", "guide, 1 iteration", "2", "5", "20", "cone", "box", "box, scaled once"];
    let caption = "Acceleration [m/s²] of a plank under a brake arm that friction unloads: N = Mg/(1 + μ) when it slides";
    let mut table = Table::new(caption, &heads);
    let mut curves: Vec<Curve> = Vec::new();
    let parts = context.pick(vec![0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.9], vec![0.4, 0.6]);
    let mut found: Vec<[f64; 3]> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        context.progress(0.8 + 0.2 * i as f64 / parts.len() as f64)?;
        let pull = part * weight;
        let mut ours = [0.0; 3];
        for (ours, bound) in ours.iter_mut().zip(BOUNDS) {
            *ours = braked(bound, pull)?;
        }
        let wanted = exact(pull);
        let good = fabs(ours[0] - wanted) < 0.01 * GRAVITY && fabs(ours[1] - wanted) < 0.01 * GRAVITY;
        let guide = [1, 2, 5, 20].map(|iterations| number(sequence(pull, iterations)));
        let cells = [number(*part), number(wanted)].into_iter().chain(guide).chain(ours.map(number));
        table.row(cells, Verdict::of(good));
        found.push(ours);
    }
    context.table(table);
    let fine: Vec<f64> = (0..=60).map(|k| 0.3 + 0.01 * f64::from(k)).collect();
    let line = |name: &str, law: &dyn Fn(f64) -> f64| {
        Curve::line(name, "m/s²", fine.iter().map(|part| (*part, law(part * weight))).collect())
    };
    curves.push(line("exact", &exact));
    curves.push(line("guide, 1 iteration (its default)", &|pull| sequence(pull, 1)));
    curves.push(line("guide, 2 iterations", &|pull| sequence(pull, 2)));
    for (b, bound) in BOUNDS.into_iter().enumerate() {
        let points = parts.iter().zip(&found).map(|(part, ours)| (*part, ours[b])).collect();
        curves.push(Curve::dots(name(bound), "m/s²", points));
    }
    let figure = Figure {
        x: Measure::new("pull over Mg", ""),
        y: Some("acceleration of the plank".to_string()),
        curves,
        ..Figure::default()
    };
    context
        .figure("The first iteration sticks up to μMg, where the plank slides from μMg/(1 + μ) on", &figure);
    let stuck = sequence(0.6 * weight, 1);
    let mut table =
        Table::comparison("At 0.6 Mg the guide's default of one iteration wrongly sticks", "exact");
    table.row(
        [
            "acceleration after one iteration".to_string(),
            number(stuck),
            number(exact(0.6 * weight)),
            "0".to_string(),
        ],
        Verdict::of(stuck == 0.0 && exact(0.6 * weight) > 1.0),
    );
    context.table(table);
    Ok(())
}
