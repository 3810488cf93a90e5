//! The man on the bicycle rides over a stone.

use super::ride::{Instant, Ride, seat_force};
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "tasora/bicycle",
    paper: Paper::Tasora,
    title: "A man rides a bicycle over a stone",
    place: "§6, Fig. 5 and 7",
    about: "A city bike with wheels, fork and crank, which rolls with its pedals level, tyres with the friction of Table 1, and a rider of thirteen bodies by \
            Winter's shares, on a seat that stiffens as it is pressed: 200 variables. First it is at rest, and the forces on tyres, \
            seat, pedals and handlebar are compared with weights. Then it rides over a stone of growing height, 3 s each, as the paper \
            does to find which height is acceptable. The paper prints no numbers of these rides.",
    timed: false,
    run,
};

/// The stone of the figures [mm].
const SHOWN: f64 = 20.0;

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("rider", "75 kg, 1.75 m");
    context.parameter("speed", "5 m/s");
    context.parameter("step", "1 ms");
    context
        .parameter("seat", "k = 10 kN/m + 3 MN/m² · depth, as eight springs that begin to bear every 5 mm");
    context.parameter("tyre", "120 kN/m, 300 N·s/m");
    standing(context)?;
    context.progress(0.2)?;
    riding(context)
}

fn standing(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    // with the rear wheel braked, or the weight of the legs would roll it away
    let mut ride =
        Ride::new(&[("parameters.speed", "0 m/s"), ("joints.rear_hub.hinge.friction", "200 N*m")])?;
    ride.until(context.pick(6.0, 4.0))?;
    let ([rider, all], [front, rear]) = (ride.weights(), ride.loads());
    let mut table = Table::comparison("Standing still", "expected");
    let freedom = ride.world.degrees_of_freedom() as f64;
    table.compare("ways to move: 108 coordinates less 92 equations", freedom, 16.0, Ask::Apart(0.0));
    ride.step()?;
    table.compare(
        "tyres: vertical forces, against the weight of all [N]",
        front.z + rear.z,
        all,
        Ask::Part(1e-3),
    );
    let [seat, pedals, bar] = ride.holds();
    table.compare(
        "seat, pedals and handlebar, against the rider's weight [N]",
        seat + pedals + bar,
        rider,
        Ask::Part(1e-3),
    );
    table.compare("of it the seat [N]", seat, rider, Ask::Nothing);
    table.compare("of it the pedals [N]", pedals, rider, Ask::Nothing);
    let curve = seat_force(-ride.lift());
    table.compare(
        "springs of the seat, against the smooth curve at the same depth [N]",
        ride.seat(),
        curve,
        Ask::Part(0.03),
    );
    table.compare("depth of the seat [mm]", -1e3 * ride.lift(), 0.0, Ask::Nothing);
    context.table(table);
    Ok(())
}

/// Results of a ride.
struct Summary {
    seat: f64,
    shake: f64,
    lift: f64,
    aloft: f64,
    lightest: f64,
    heaviest: f64,
    aside: f64,
    lean: f64,
    gain: f64,
}

/// From a little before the stone on.
const BEFORE: f64 = 1.1;

impl Summary {
    fn of(course: &[Instant]) -> Summary {
        let late = || course.iter().filter(|i| i.time > BEFORE);
        let most = |value: fn(&Instant) -> f64| late().map(value).fold(f64::NEG_INFINITY, f64::max);
        let step = course[1].time - course[0].time;
        let mut lowest = f64::INFINITY;
        let mut gain: f64 = 0.0;
        for instant in course {
            lowest = lowest.min(instant.energy);
            gain = gain.max(instant.energy - lowest);
        }
        Summary {
            seat: most(|i| i.seat),
            shake: most(|i| i.shake.abs()),
            lift: most(|i| i.lift),
            aloft: step * late().filter(|i| i.seat == 0.0).count() as f64,
            lightest: -most(|i| -i.front_load),
            heaviest: most(|i| i.front_load),
            aside: most(|i| i.aside.abs()),
            lean: most(|i| i.lean.abs()),
            gain,
        }
    }

    /// Less than a hand's breadth out of the saddle, and upright.
    fn stays_on(&self) -> bool {
        self.lift < 0.1 && self.lean < 0.1
    }
}

fn ride_over(height: f64, values: &[(&str, &str)]) -> Result<Vec<Instant>, Trouble> {
    let height = format!("{height} mm");
    Ride::new(&[&[("parameters.step", height.as_str())], values].concat())?.until(3.0)
}

fn riding(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let heights: &[f64] = context.pick(&[0.1, 10.0, 20.0, 30.0, 40.0], &[20.0]);
    let kinetic = 0.5 * 92.0 * 25.0;
    let heads = [
        "stone [mm]",
        "seat force, most [N]",
        "head, most [m/s²]",
        "out of the seat [mm]",
        "no seat force [s]",
        "front tyre, least … most [N]",
        "aside [mm]",
        "energy gained [J]",
    ];
    let caption =
        "Rides over the stone; met if the rider stays on, upright, and no energy is gained (1 ‰ of 1150 J)";
    let mut table = Table::new(caption, &heads);
    let mut all = Vec::new();
    for (i, height) in heights.iter().enumerate() {
        context.progress(0.2 + 0.5 * i as f64 / heights.len() as f64)?;
        let course = ride_over(*height, &[])?;
        let s = Summary::of(&course);
        let cells = [
            number(*height),
            number(s.seat),
            number(s.shake),
            number(1e3 * s.lift),
            number(s.aloft),
            format!("{:.0} … {:.0}", s.lightest, s.heaviest),
            number(1e3 * s.aside),
            number(s.gain),
        ];
        table.row(cells, Verdict::of(s.stays_on() && s.gain < 1e-3 * kinetic));
        all.push((*height, s, course));
    }
    context.table(table);
    checks(context, &all)?;
    if let Some((_, _, course)) = all.iter().find(|(height, ..)| *height == SHOWN) {
        figures(context, course);
    }
    if all.len() > 1 {
        let force = all.iter().map(|(height, s, _)| (*height, s.seat)).collect();
        let shake = all.iter().map(|(height, s, _)| (*height, s.shake)).collect();
        let curves = vec![
            Curve::dotted_line("largest seat force", "N", force),
            Curve::dotted_line("largest vertical acceleration of the head", "m/s^2", shake),
        ];
        let figure = Figure { x: Measure::new("height of the stone", "mm"), curves, ..Figure::default() };
        context.figure("What the rider feels, by the height of the stone.", &figure);
    }
    context.remark(
        "The paper's curves of tyre and seat (Fig. 6 and 7) are pictures without numbers in the text: sizes and stiffnesses are ours, of \
         usual size. Its tyre is sampled by rays every 3 to 6 mm; ours is a ball of the wheel's \
         radius on one soft point, which in a plane is the wheel. The tyre of the vehicle model knows one \
         plane under a wheel; on the stone there are two. A spring about the line of travel stands in for the rider's balance.",
    );
    Ok(())
}

fn checks(context: &mut StudyContext<'_>, all: &[(f64, Summary, Vec<Instant>)]) -> Result<(), Trouble> {
    let Some((_, shown, _)) = all.iter().find(|(height, ..)| *height == SHOWN) else { return Ok(()) };
    let mut table = Table::comparison("The same ride in other ways, stone of 20 mm", "as above");
    context.progress(0.75)?;
    let half = Summary::of(&ride_over(SHOWN, &[("settings.dt", "0.5 ms")])?);
    table.compare("largest seat force with half the step [N]", half.seat, shown.seat, Ask::Part(0.03));
    table.compare(
        "largest force on the front tyre with half the step [N]",
        half.heaviest,
        shown.heaviest,
        Ask::Part(0.03),
    );
    context.progress(0.9)?;
    let smooth = Summary::of(&Ride::with_smooth_seat(&[("parameters.step", "20 mm")])?.until(3.0)?);
    table.compare(
        "largest seat force, the seat as a force written outside the engine [N]",
        smooth.seat,
        shown.seat,
        Ask::Part(0.03),
    );
    table.compare("way out of the seat with it [mm]", 1e3 * smooth.lift, 1e3 * shown.lift, Ask::Apart(2.0));
    let rising = all.windows(2).all(|pair| pair[1].1.seat > pair[0].1.seat);
    let cells =
        ["a higher stone presses the seat more", if rising { "yes" } else { "no" }, "yes", "all heights"];
    table.row(cells.map(str::to_string), Verdict::of(rising));
    context.table(table);
    Ok(())
}

fn figures(context: &mut StudyContext<'_>, course: &[Instant]) {
    let curve = |name: &str, unit: &str, value: fn(&Instant) -> f64| {
        let late = course.iter().filter(|i| i.time > BEFORE && i.time < 2.6);
        Curve::line(name, unit, late.map(|i| (i.time, value(i))).collect())
    };
    let x = || Measure::new("time", "s");
    let curves = vec![
        curve("front hub", "m", |i| i.front),
        curve("rear hub", "m", |i| i.rear),
        curve("pelvis", "m", |i| i.pelvis),
        curve("head", "m", |i| i.head),
    ];
    let figure = Figure { x: x(), curves, y: Some("height over the start".to_string()), ..Figure::default() };
    context.figure("Heights over a stone of 20 mm.", &figure);
    let curves = vec![
        curve("seat", "N", |i| i.seat),
        curve("front tyre", "N", |i| i.front_load),
        curve("rear tyre", "N", |i| i.rear_load),
    ];
    let figure = Figure { x: x(), curves, y: Some("force".to_string()), ..Figure::default() };
    context.figure("Forces on the rider's seat and on the tyres in the same ride.", &figure);
}
