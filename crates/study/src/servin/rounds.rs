//! Algorithm 1: the crane is one group of constraints, the cable with its heavy ends another; each is solved directly,
//! and they exchange forces in rounds (block Gauss–Seidel). How many rounds does a load need?

use super::square_cable::{STEP, under};
use crate::lab::step;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::{DQuat, DVec3};
use libm::exp10;
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "servin/iterations",
    paper: Paper::Servin,
    title: "Rounds of Gauss–Seidel between crane and cable, by load",
    place: "§VII-B, §VI Algorithm 1",
    about: "A trolley on its rail, pushed, and a cable of ten elements between a hook and a load, all three heavy. Trolley and cable \
            are solved separately and exchange forces in a number of rounds per step; for ten seconds the load is compared with that of \
            the direct solution. The paper carries 1e3 with 3 rounds and 1e5 with 20, and sees the top two elements separate with \
            too few.",
    timed: false,
    run,
};

const ROUNDS: [u32; 6] = [1, 2, 3, 5, 10, 20];
const LENGTH: f64 = 10.0;
const ELEMENTS: usize = 10;
/// Largest deviation from the direct solution of a load that is carried [m].
const WITHIN: f64 = 1e-3;

/// Where forces are exchanged.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// Nowhere: all is solved at once.
    None,
    /// Between trolley and hook, both heavy.
    Hook,
    /// Between the cable and its load, a light and a heavy one.
    Load,
}

/// A swing of ten seconds: where the load is [m], and how far trolley and hook, or cable and load, part at most [m].
struct Course {
    load: Vec<DVec3>,
    parted: f64,
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let powers: &[i32] = context.pick(&[1, 2, 3, 4, 5, 6, 7], &[3, 5]);
    let seconds = context.pick(10.0, 3.0);
    context.parameter("step, time", format!("1/60 s, {seconds} s"));
    context.parameter("masses", "elements 1 kg each; trolley, hook and load M");
    let heads: Vec<String> =
        ["M/m".to_string()].into_iter().chain(ROUNDS.map(|rounds| format!("{rounds} rounds"))).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut table = Table::new("Largest distance of the load from the direct solution [m]", &heads);
    let mut asked = Table::comparison("What the paper holds", "at most");
    let mut curves = Vec::new();
    for (i, power) in powers.iter().enumerate() {
        context.progress(0.8 * i as f64 / powers.len() as f64)?;
        let ratio = exp10(f64::from(*power));
        let whole = swung(ratio, Cut::None, 1, seconds)?;
        let mut cells = vec![format!("1e{power}")];
        let mut points = Vec::new();
        for rounds in ROUNDS {
            let course = swung(ratio, Cut::Hook, rounds, seconds)?;
            let off = apart(&course, &whole);
            cells.push(number(off));
            points.push((f64::from(rounds), off));
            if (*power, rounds) == (3, 3) || (*power, rounds) == (5, 20) {
                let name = format!("1e{power} with {rounds} rounds: load off [m]");
                asked.compare(&name, off, WITHIN, Ask::AtMost);
                let name = format!("1e{power} with {rounds} rounds: trolley and hook part [m]");
                asked.compare(&name, course.parted, WITHIN, Ask::AtMost);
            }
        }
        table.row(cells, Verdict::Told);
        curves.push(Curve::dotted_line(&format!("M/m = 1e{power}"), "m", points));
    }
    let figure = Figure {
        x: Measure::new("rounds", ""),
        scales: [Scale::Logarithmic; 2],
        y: Some("load off".to_string()),
        curves,
        ..Figure::default()
    };
    context.figure("Distance of the load from the direct solution, by rounds", &figure);
    context.table(asked);
    context.table(table);
    context.table(cut_at_the_load(context, seconds)?);
    context.remark(
        "What the number of rounds depends on is the cut, not the load: between two heavy bodies the exchange settles alike for all \
         loads, as the hook weighs as much as the trolley. The tenth of a millimetre that stays however many rounds there are is \
         not the exchange's: a step whose tension has grown is solved again where all is one group, and not where groups exchange \
         forces. Between a light element and its load the exchange hardly converges, 1 − O(m/M) per round; the paper makes hook \
         and load elements of the cable for that reason. Left to itself the engine solves a crane as one group, directly, and needs \
         no rounds.",
    );
    Ok(())
}

/// The same with the cut between the cable and its load.
fn cut_at_the_load(context: &StudyContext<'_>, seconds: f64) -> Result<Table, Trouble> {
    let heads = ["M/m", "rounds", "load off [m]", "cable and load part by [m]", "outcome"];
    let mut table =
        Table::new("The same, cut between cable and load: too few rounds part them (§VII-B)", &heads);
    for (ratio, rounds) in [(1e1, 20), (1e2, 20), (1e3, 20), (1e5, 20)] {
        context.progress(0.9)?;
        let cells = match swung(ratio, Cut::Load, rounds, seconds) {
            Ok(course) => {
                let off = apart(&course, &swung(ratio, Cut::None, 1, seconds)?);
                [number(off), number(course.parted), if off < 0.1 { "holds" } else { "torn" }.to_string()]
            }
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Err(Trouble::Failed(_)) => ["–".to_string(), "–".to_string(), "breaks down".to_string()],
        };
        table.row([format!("{ratio:.0e}"), rounds.to_string()].into_iter().chain(cells), Verdict::Told);
    }
    Ok(table)
}

fn apart(a: &Course, b: &Course) -> f64 {
    a.load.iter().zip(&b.load).fold(0.0, |most: f64, (p, q)| most.max(p.distance(*q)))
}

/// Pushes the trolley.
fn swung(ratio: f64, cut: Cut, rounds: u32, seconds: f64) -> Result<Course, Trouble> {
    let (mut world, ground) = under(DVec3::NEG_Z * 10.0)?;
    world.set(|s| s.contact.solver_iterations = rounds).map_err(Trouble::from)?;
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.2 }, ratio).map_err(Trouble::from)?;
    // stretched by a thousandth under its load
    let low = DVec3::NEG_Z * (1.001 * LENGTH);
    // a joint between two groups belongs to the lower one
    let [upper, lower, last] = match cut {
        Cut::None => [0, 0, 0],
        Cut::Hook => [0, 1, 1],
        Cut::Load => [1, 1, 0],
    };
    let mut add = |name: &str, at: DVec3, partition: u16| {
        let body = Body { partition, ..Body::dynamic(name, ball) };
        world.add_body(body, at, DQuat::IDENTITY).map_err(Trouble::from)
    };
    let trolley = add("trolley", DVec3::ZERO, upper)?;
    let hook = add("hook", DVec3::ZERO, lower)?;
    let load = add("load", low, last)?;
    let along = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    let anchors = [ground, trolley].map(|body| Anchor::frame(body, DVec3::ZERO, along));
    world.add_joint(Joint::new("rail", Slider { anchors, axis: Axis::free() })).map_err(Trouble::from)?;
    let anchors = [trolley, hook].map(|body| Anchor::point(body, DVec3::ZERO));
    world.add_joint(Joint::new("top", Ball { anchors })).map_err(Trouble::from)?;
    world.set_velocity(trolley, DVec3::X * 2.0, DVec3::ZERO).map_err(Trouble::from)?;
    let ends = [hook, load].map(|body| End::Ball(Anchor::point(body, DVec3::ZERO)));
    let rope = CableSpec::new("rope", section(ratio), [DVec3::ZERO, low]);
    let laying = CableSpec { ends, length: Some(LENGTH), elements: ELEMENTS, partition: lower, ..rope };
    let cable = world.add_cable(laying).map_err(Trouble::from)?;
    let last = world.cable_elements(cable)[ELEMENTS - 1];
    let tip = Anchor::point(last, DVec3::Z * (0.5 * LENGTH / ELEMENTS as f64));
    let mut course = Course { load: Vec::new(), parted: 0.0 };
    for _ in 0..(seconds / STEP).round() as usize {
        step(&mut world)?;
        let at = |body: BodyId| world.state().bodies[body.index()].position;
        course.load.push(at(load));
        let gap = match cut {
            Cut::Load => world.model().frame(world.state(), &tip).at.distance(at(load)),
            _ => at(trolley).distance(at(hook)),
        };
        course.parted = course.parted.max(gap);
    }
    Ok(course)
}

/// Elements of 1 kg; EI/EA that of a wire rope of 20 mm.
fn section(ratio: f64) -> Section {
    Section {
        diameter: 0.1,
        mass_per_length: ELEMENTS as f64 / LENGTH,
        stretch: 1e4 * ratio,
        bend: 7.5e-3 * ratio,
        twist: 3e-3 * ratio,
        damping: [0.0; 3],
        breaking: None,
        breaking_strain: None,
        yielding: None,
        fatigue: None,
    }
}
