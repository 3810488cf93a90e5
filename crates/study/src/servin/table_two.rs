//! Table II: the largest load that a cable of rigid bodies carries, by its stiffness and its rotation measure.
//!
//! The cable hangs between two heavy bodies, the upper one on a ball joint, whose anchor is moved 3 m aside in a
//! quarter of a second. EI = EA/β.

use super::square_cable::{AREA, DENSITY, LENGTH, STEP, section, under};
use crate::{Paper, Study, StudyContext, Table, Trouble, Verdict, number};
use glam::{DQuat, DVec3};
use libm::{exp10, fabs};
use windlass_engine::body::motion::{Interpolation, Spline};
use windlass_engine::prelude::*;
use windlass_plot::{Curve, Figure, Measure, Scale};

pub static STUDY: Study = Study {
    name: "servin/table-2",
    paper: Paper::Servin,
    title: "Cables of rigid bodies: the largest load they carry",
    place: "§VII-B, Table II",
    about: "A steel cable hangs between two equal heavy bodies; the anchor of the upper one is moved 3 m aside in a quarter of \
            a second, in the plane or 0.5 m out of it as well. Loads are raised by decades until an element bends by more \
            than 0.35 rad or shakes in the last five of 15 s, or the cable is longer than its load makes it; or until the \
            load stretches the steel itself by 5 %. Three rotation measures: the paper's angles with its ordinary and its \
            alternative twist, and the engine's own swing and twist.",
    timed: false,
    run,
};

/// A row: Y [N/m²], β [1/m²] and whether the paper has it, number of elements, decimal logarithm of the paper's limit.
struct Entry {
    young: f64,
    beta: f64,
    printed: bool,
    elements: usize,
    paper: i32,
}

impl Entry {
    /// h²c_b/I of a link and an element across its axis.
    fn explicit(&self) -> f64 {
        let element = LENGTH / self.elements as f64;
        let inertia = DENSITY * AREA * element * element * element / 12.0;
        STEP * STEP * self.young * AREA / self.beta / element / inertia
    }
}

const fn entry(young: f64, beta: f64, printed: bool, elements: usize, paper: i32) -> Entry {
    Entry { young, beta, printed, elements, paper }
}

const ROWS: [Entry; 10] = [
    entry(200e9, 1e7, true, 24, 1),
    entry(200e9, 1e6, true, 24, 2),
    entry(200e9, 1e4, true, 24, 3),
    entry(200e9, 1e2, true, 24, 4),
    entry(2000e9, 10.0, true, 24, 5),
    entry(200e9, 1e7, false, 6, 1),
    entry(200e9, 1e6, false, 6, 2),
    entry(200e9, 1e3, true, 6, 3),
    entry(200e9, 1e2, true, 6, 4),
    entry(2000e9, 10.0, true, 6, 5),
];

/// Gravity [m/s²].
const GRAVITY: f64 = 10.0;
/// Beyond this strain under the load at rest the material is the limit.
const STRAIN: f64 = 0.05;
/// Sines that the paper's gradients do not go below: its "very small positive number", of which it gives no value. With
/// 1e-3 two rows are missed.
const GUARD: f64 = 1e-6;
const LARGEST: i32 = 6;

/// Decimal logarithm of the largest load, and whether the material was the limit.
#[derive(Clone, Copy, Default)]
struct Limit {
    power: i32,
    open: bool,
}

impl Limit {
    fn told(self) -> String {
        match (self.power, self.open) {
            (0, _) => "< 1".to_string(),
            (power, true) => format!("≥ {power}"),
            (power, false) => power.to_string(),
        }
    }
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    let rows = context.pick(&ROWS[..], &ROWS[7..]);
    context.parameter("length, area", format!("{LENGTH} m, {AREA} m²"));
    context.parameter("step, time", "1/60 s, 15 s");
    context.parameter("anchor", "3 m aside in 0.25 s at t = 1 s; out of the plane 0.5 m across as well");
    let heads = ["Y [GN/m²]", "β [1/m²]", "elements", "paper", "in the plane", "out of it"];
    let mut ours = Table::new("Largest stable M/m by swing and twist, as power of ten (Table II)", &heads);
    let heads = [
        "Y [GN/m²]",
        "β [1/m²]",
        "elements",
        "h²c_b/I",
        "paper",
        "alternative",
        "ordinary",
        "alternative, out of plane",
        "ordinary, out of plane",
    ];
    let mut theirs = Table::new("The same by the paper's angles, with its two twists", &heads);
    let angles = |alternative: bool| Turning::Angles { alternative, guard: GUARD };
    let turnings = [Turning::SwingTwist, angles(true), angles(false)];
    let mut curves = [
        Curve::dots("paper", "", Vec::new()),
        Curve::dotted_line("ours, out of plane", "", Vec::new()),
        Curve::dotted_line("paper's angles again, in plane", "", Vec::new()),
    ];
    for (i, row) in rows.iter().enumerate() {
        let mut limits = [[Limit::default(); 3]; 2];
        for (place, aside) in [0.0, 0.5].into_iter().enumerate() {
            for (k, turning) in turnings.into_iter().enumerate() {
                let done = (i as f64 + (3 * place + k) as f64 / 6.0) / rows.len() as f64;
                limits[place][k] = limit(context, row, turning, aside, done)?;
            }
        }
        let [[here, alternative, ordinary], across] = limits;
        let [young, elements, paper] =
            [row.young / 1e9, row.elements as f64, f64::from(row.paper)].map(number);
        let beta = if row.printed { format!("{:.0e}", row.beta) } else { format!("({:.0e})", row.beta) };
        let cells =
            [young.clone(), beta.clone(), elements.clone(), paper.clone(), here.told(), across[0].told()];
        ours.row(cells, Verdict::of(here.power.min(across[0].power) >= row.paper));
        // with the ordinary twist the paper holds a tenth
        let reached = alternative.power >= row.paper && ordinary.power >= row.paper - 1;
        let limits = [alternative, ordinary, across[1], across[2]].map(Limit::told);
        let cells = [young, beta, elements, number(row.explicit()), paper];
        theirs.row(cells.into_iter().chain(limits), Verdict::of(reached));
        if row.elements == 24 {
            let powers = [row.paper, across[0].power, alternative.power].map(|power| exp10(f64::from(power)));
            curves.iter_mut().zip(powers).for_each(|(curve, ratio)| curve.points.push((row.beta, ratio)));
        }
    }
    context.table(ours);
    if !curves[0].points.is_empty() {
        let figure = Figure {
            x: Measure::new("β = A/I_A", "1/m²"),
            scales: [Scale::Logarithmic; 2],
            y: Some("largest M/m".to_string()),
            curves: curves.to_vec(),
            ..Figure::default()
        };
        context.figure(
            "Largest mass ratio of 24 elements; at β = 10 Young's modulus is ten times as large",
            &figure,
        );
    }
    context.table(theirs);
    context.remark(
        "≥ marks cables that held every load up to the one that stretches their steel by 5 %. β in brackets is not readable in the \
         paper, which has dots there; the values of 24 elements were taken.",
    );
    context.remark(
        "The paper's angles are asked for its loads in the plane with its alternative twist, and for a tenth of them with the \
         ordinary one (§VII-B). They have the engine's implicit tension, which the paper's step has not, so they may hold more. The \
         bend without a sign is one row: the stiffness of a bent link against rotation about the cable is explicit, and unstable if \
         h²c_b/I > 4. Out of the plane that tears such cables at any load, and in the plane too once rounding has brought 1e-18 m \
         across; so what is across is set to zero after every step of the runs in the plane. The paper does \
         not give its small number ε₀; here it is 1e-6. With 1e-3, tried first, two stiff cables of 24 elements break down at ten \
         elements' mass already: (200, 1e2) by both twists, (2000, 10) by the ordinary one.",
    );
    Ok(())
}

fn limit(
    context: &StudyContext<'_>,
    row: &Entry,
    turning: Turning,
    aside: f64,
    done: f64,
) -> Result<Limit, Trouble> {
    let mass = DENSITY * AREA * LENGTH / row.elements as f64;
    let rope = section(row.young);
    let (bend, twist) = (rope.stretch / row.beta, rope.stretch / row.beta / 2.6);
    let rope = Section { bend, twist, ..rope };
    for power in 1..=LARGEST {
        context.progress(done)?;
        let load = mass * exp10(f64::from(power));
        let stretched = 1.0 + load * GRAVITY / rope.stretch;
        if stretched > 1.0 + STRAIN {
            return Ok(Limit { power: power - 1, open: true });
        }
        if !holds(row.elements, rope, turning, (load, LENGTH * stretched), aside)? {
            return Ok(Limit { power: power - 1, open: false });
        }
    }
    Ok(Limit { power: LARGEST, open: true })
}

/// A sideways displacement in a quarter of a second, after the first.
fn moved(by: f64) -> Result<Motion, Trouble> {
    let (times, values) = (vec![0.0, 1.0, 1.25, 1e3], vec![0.0, 0.0, by, by]);
    Ok(Motion::Table(Spline::new(times, values, Interpolation::Linear).map_err(Trouble::from)?))
}

/// Whether a cable carries a load that stretches it to a length.
fn holds(
    elements: usize,
    rope: Section,
    turning: Turning,
    (heavy, long): (f64, f64),
    aside: f64,
) -> Result<bool, Trouble> {
    let (mut world, _) = under(DVec3::Z * GRAVITY)?;
    let path = Path {
        position: [moved(3.0)?, moved(aside)?, Motion::Constant(0.0)],
        rotations: Vec::new(),
        orientation: DQuat::IDENTITY,
    };
    // down is z here: elements have the world's axes to the last digit, and the plane is that of x and z
    let low = DVec3::Z * long;
    let mut add = |body: Body, at: DVec3| world.add_body(body, at, DQuat::IDENTITY).map_err(Trouble::from);
    let ball = Mass::of_total(&Shape::Sphere { radius: 0.2 }, heavy).map_err(Trouble::from)?;
    let anchor = add(Body::kinematic("anchor", path), DVec3::ZERO)?;
    let hook = add(Body::dynamic("hook", ball), DVec3::ZERO)?;
    let load = add(Body::dynamic("load", ball), low)?;
    let anchors = [anchor, hook].map(|body| Anchor::point(body, DVec3::ZERO));
    world.add_joint(Joint::new("top", Ball { anchors })).map_err(Trouble::from)?;
    let ends = [hook, load].map(|body| End::Fast(Anchor::point(body, DVec3::ZERO)));
    let length = Some(LENGTH);
    let laying =
        CableSpec { ends, length, elements, turning, ..CableSpec::new("rope", rope, [DVec3::ZERO, low]) };
    let cable = world.add_cable(laying).map_err(Trouble::from)?;
    let list = world.cable_elements(cable);
    let mut shaking = Shaking::default();
    let steps = (15.0 / STEP).round() as usize;
    for k in 0..steps {
        if world.step().fault.is_some() {
            return Ok(false);
        }
        if aside == 0.0 && turning != Turning::SwingTwist {
            flatten(&mut world)?;
        }
        shaking.see(&world, &list, 3 * k > 2 * steps);
    }
    let at = |body: BodyId| world.state().bodies[body.index()].position;
    Ok(shaking.is_calm() && fabs(at(load).distance(at(anchor)) / long - 1.0) < 0.06)
}

/// Takes off what rounding has brought out of the plane of x and z.
fn flatten(world: &mut World) -> Result<(), Trouble> {
    let mut state = world.state().clone();
    for body in &mut state.bodies {
        (body.position.y, body.velocity.y) = (0.0, 0.0);
        body.angular_velocity = DVec3::Y * body.angular_velocity.y;
        body.orientation = DQuat::from_xyzw(0.0, body.orientation.y, 0.0, body.orientation.w).normalize();
    }
    world.restore(state).map_err(Trouble::from)
}

/// Relative motion of the elements of a cable: the largest bend, and the mean square of second differences in time.
#[derive(Default)]
struct Shaking {
    before: [Vec<f64>; 2],
    bend: f64,
    squares: f64,
    count: f64,
}

impl Shaking {
    fn see(&mut self, world: &World, list: &[BodyId], counts: bool) {
        let along = |body: BodyId| world.state().bodies[body.index()].orientation * DVec3::Z;
        let angle = |pair: &[BodyId]| {
            let [u, v] = [0, 1].map(|k| along(pair[k]));
            libm::atan2(u.cross(v).length(), u.dot(v))
        };
        let now: Vec<f64> = list.windows(2).map(angle).collect();
        if counts {
            for ((bend, last), older) in now.iter().zip(&self.before[1]).zip(&self.before[0]) {
                self.bend = self.bend.max(*bend);
                let second = bend - 2.0 * last + older;
                self.squares += second * second;
                self.count += 1.0;
            }
        }
        self.before.swap(0, 1);
        self.before[1] = now;
    }

    fn is_calm(&self) -> bool {
        self.bend < 0.35 && (self.squares / self.count).sqrt() < 0.02
    }
}
