//! Fig. 6: the rotations of the two gears of the prosthetic arm when the hand follows a straight line.
//!
//!   hand = Rx(α) Ry(β) [ (0, 0, −L) + Ry(γ) (l, 0, 0) ],   gears against the arm φ₁ = α − β, φ₂ = −α − β
//!
//! α, β and the elbow γ follow from the hand: that is the closed form. The engine finds them by leading the hand and
//! letting the motors rotate freely; then gears and elbow follow these angles, the hand is free, and the torques are
//! read.

use crate::lab::build;
use crate::{Ask, Paper, Study, StudyContext, Table, Trouble};
use glam::DVec3;
use libm::{asin, atan2, sqrt};
use windlass_engine::prelude::{Anchor, BodyId, JointId, Motion, World};
use windlass_plot::{Curve, Figure, Measure};

pub static STUDY: Study = Study {
    name: "tasora/figure-6",
    paper: Paper::Tasora,
    title: "The prosthetic arm: motors for a straight line of the hand",
    place: "§6, Fig. 6 (gears)",
    about: "The complete arm with forearm and hand. Inverse kinematics: the hand is led slowly along a straight line in space, and \
            gears and elbow go along. Inverse dynamics: gears and elbow follow what was found, the hand is free, and the torques of \
            the motors are read. The paper's curves cannot be read from its text; the references are the arm's closed form and \
            the balance of work.",
    timed: false,
    run,
};

/// Shoulder to elbow, elbow to the middle of the palm [m]; as in the scenes.
const ARM: f64 = 0.6;
const FOREARM: f64 = 0.31;
const FROM: DVec3 = DVec3::new(FOREARM, 0.0, -ARM);
const TO: DVec3 = DVec3::new(0.45, 0.2, -0.4);
const SECONDS: f64 = 2.0;

/// The hand is stiff at the wrist; the coordinates of gears and elbow are those of `six` joints.
const COMMON: &str = r#"
windlass = 2
include = ["prosthetic_whole.toml"]

[joints.stiff_wrist.six_dof]
bodies = ["forearm", "palm"]
at = [0.25, 0, -0.6]
axis = [0, 1, 0]
rz = { lock = 0 }

[joints.turn1.six_dof]
bodies = ["arm", "gear1"]
at = [0, 0, 0]
axis = [0, 1, 0]

[joints.turn2.six_dof]
bodies = ["arm", "gear2"]
at = [0, 0, 0]
axis = [0, 1, 0]

[joints.bend.six_dof]
bodies = ["arm", "forearm"]
at = [0, 0, -0.6]
axis = [0, 1, 0]
"#;

const DRIVEN: [&str; 3] = ["turn1", "turn2", "bend"];

/// The hand along its line.
fn hand_at(time: f64) -> DVec3 {
    let part = Motion::Smooth { from: 0.0, to: 1.0, start: 0.0, end: SECONDS }.at(time).value;
    FROM.lerp(TO, part)
}

/// Turns of both gears and of the elbow, in closed form.
fn turns(hand: DVec3) -> [f64; 3] {
    let alpha = atan2(hand.y, -hand.z);
    let down = sqrt(hand.y * hand.y + hand.z * hand.z);
    let sine = (hand.length_squared() - ARM * ARM - FOREARM * FOREARM) / (2.0 * ARM * FOREARM);
    let gamma = asin(sine);
    let folded = (FOREARM * libm::cos(gamma), -ARM - FOREARM * sine);
    let beta = atan2(hand.x, -down) - atan2(folded.0, folded.1);
    [alpha - beta, -alpha - beta, gamma]
}

/// The arm, led by something.
struct Led {
    world: World,
    palm: BodyId,
    joints: Vec<JointId>,
}

impl Led {
    fn new(text: &str, joints: &[&str]) -> Result<Led, Trouble> {
        // the push of the scene is for another show
        let world = build(text, &[("forces.push.applied.until", "0")])?.world;
        let missing = || Trouble::Failed("a name of the arm is gone".to_string());
        let palm = world.model().body("palm").ok_or_else(missing)?;
        let joints: Option<Vec<JointId>> = joints.iter().map(|name| world.model().joint(name)).collect();
        Ok(Led { palm, joints: joints.ok_or_else(missing)?, world })
    }

    fn hand(&self) -> DVec3 {
        self.world.model().frame(self.world.state(), &Anchor::point(self.palm, DVec3::ZERO)).at
    }

    fn step(&mut self) -> Result<f64, Trouble> {
        match self.world.step().fault {
            Some(fault) => Err(Trouble::from(fault)),
            None => Ok(self.world.state().time),
        }
    }

    /// Value, speed and effort of coordinates, and the power of the efforts.
    fn look(&mut self, coordinates: &[usize]) -> (Vec<[f64; 3]>, f64) {
        let now = self.world.inspect();
        let all = self.joints.iter().zip(coordinates);
        let values: Vec<[f64; 3]> = all
            .filter_map(|(joint, k)| now.coordinate(*joint, *k))
            .map(|c| [c.value, c.speed, c.effort])
            .collect();
        let power = values.iter().map(|[_, speed, effort]| speed * effort).sum();
        (values, power)
    }
}

/// Results of a run, instant by instant.
#[derive(Default)]
struct Course {
    times: Vec<f64>,
    /// Value, speed and effort of both gears and of the elbow.
    turns: Vec<Vec<[f64; 3]>>,
    powers: Vec<f64>,
    hands: Vec<DVec3>,
    energies: Vec<f64>,
}

impl Course {
    fn curve(&self, which: usize, part: usize) -> Vec<(f64, f64)> {
        self.times.iter().zip(&self.turns).map(|(time, turns)| (*time, turns[which][part])).collect()
    }

    fn note(&mut self, led: &Led, turns: Vec<[f64; 3]>, power: f64) {
        self.times.push(led.world.state().time);
        self.turns.push(turns);
        self.powers.push(power);
        self.hands.push(led.hand());
    }

    /// Largest distance of the hand from its line, and from where it should be.
    fn off(&self) -> (f64, f64) {
        let along = (TO - FROM).normalize();
        let beside = |at: &DVec3| (*at - FROM).reject_from_normalized(along).length();
        let from_line = self.hands.iter().map(beside).fold(0.0, f64::max);
        let pairs = self.hands.iter().zip(&self.times);
        (from_line, pairs.map(|(at, time)| at.distance(hand_at(*time))).fold(0.0, f64::max))
    }
}

/// Leads the hand.
fn lead_hand() -> Result<Course, Trouble> {
    let way = TO - FROM;
    let follow =
        |to: f64| format!("{{ prescribed = {{ smooth = {{ from = 0, to = {to}, end = {SECONDS} }} }} }}");
    let guide = format!(
        "[joints.guide.six_dof]\nbodies = [\"breast\", \"palm\"]\nat = [{}, {}, {}]\nx_axis = [1, 0, 0]\nx = {}\ny = {}\nz = {}\n",
        FROM.x,
        FROM.y,
        FROM.z,
        follow(way.x),
        follow(way.y),
        follow(way.z)
    );
    let names = [&DRIVEN[..], &["guide"; 3]].concat();
    let mut led = Led::new(&format!("{COMMON}{guide}"), &names)?;
    let mut course = Course::default();
    loop {
        let (turns, power) = led.look(&[5, 5, 5, 0, 1, 2]);
        course.note(&led, turns, power);
        if led.world.state().time > SECONDS - 1e-9 {
            return Ok(course);
        }
        led.step()?;
    }
}

/// Leads gears and elbow by what was found.
fn lead_gears(found: &Course) -> Result<Course, Trouble> {
    let list = |values: Vec<f64>| values.iter().map(|x| format!("{x:.15e}")).collect::<Vec<_>>().join(", ");
    let mut text = COMMON.to_string();
    for (which, name) in DRIVEN.iter().enumerate() {
        let values = list(found.curve(which, 0).into_iter().map(|(_, value)| value).collect());
        let times = list(found.times.clone());
        text +=
            &format!("[joints.{name}.six_dof.rz.prescribed.table]\ntimes = [{times}]\nvalues = [{values}]\n");
    }
    let mut led = Led::new(&text, &DRIVEN)?;
    let mut course = Course::default();
    loop {
        let (turns, power) = led.look(&[5; 3]);
        course.note(&led, turns, power);
        let energy = led.world.energy().total();
        course.energies.push(energy);
        if led.world.state().time > SECONDS - 1e-9 {
            return Ok(course);
        }
        led.step()?;
    }
}

/// Largest of differences.
fn most(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn run(context: &mut StudyContext<'_>) -> Result<(), Trouble> {
    context.parameter("arm", format!("{ARM} m and {FOREARM} m, 9 bodies, 54 coordinates and 50 equations"));
    context.parameter("hand", format!("from {FROM} m to {TO} m in {SECONDS} s, at rest at both ends"));
    context.parameter("step", "2 ms, under the paper's scheme (projected)");
    let found = lead_hand()?;
    context.progress(0.5)?;
    let led = lead_gears(&found)?;

    let mut table = Table::comparison("Inverse kinematics: the hand is led", "closed form");
    for (which, name) in ["gear 1", "gear 2", "elbow"].into_iter().enumerate() {
        let exact = |time: f64| turns(hand_at(time))[which];
        let angles = most(found.curve(which, 0).into_iter().map(|(time, value)| (value, exact(time))));
        let tiny = 1e-4;
        let rate = |time: f64| (exact(time + tiny) - exact(time - tiny)) / (2.0 * tiny);
        let speeds = most(found.curve(which, 1).into_iter().map(|(time, value)| (value, rate(time))));
        table.compare(&format!("{name}: largest error of the angle [rad]"), angles, 0.0, Ask::Apart(1e-9));
        table.compare(&format!("{name}: largest error of the speed [rad/s]"), speeds, 0.0, Ask::Apart(1e-6));
    }
    let (beside, behind) = found.off();
    table.compare("hand: largest distance from the straight line [m]", beside, 0.0, Ask::Apart(1e-9));
    table.compare("hand: largest distance from where it is led [m]", behind, 0.0, Ask::Apart(1e-9));
    context.table(table);

    let mut table =
        Table::comparison("Inverse dynamics: gears and elbow are led, the hand is free", "reference");
    let (beside, behind) = led.off();
    table.compare("hand: largest distance from the straight line [m]", beside, 0.0, Ask::Apart(1e-6));
    table.compare("hand: largest distance from the led one [m]", behind, 0.0, Ask::Apart(1e-6));
    let step = led.times[1] - led.times[0];
    let work: f64 = led.powers.windows(2).map(|p| 0.5 * step * (p[0] + p[1])).sum();
    let gained = led.energies[led.energies.len() - 1] - led.energies[0];
    table.compare("work of the three motors, against what the arm gains [J]", work, gained, Ask::Part(1e-4));
    let largest = found.powers.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    let apart = most(led.powers.iter().copied().zip(found.powers.iter().copied())) / largest;
    table.compare(
        "power of the motors against that of the led hand, largest difference over the largest",
        apart,
        0.0,
        Ask::Apart(1e-3),
    );
    context.table(table);
    figures(context, &led);

    let speeds: Vec<(f64, f64)> =
        led.turns.iter().map(|t| (t[0][1], t[1][1])).filter(|s| s.0.abs() > 0.05).collect();
    let ratios = speeds.iter().map(|(first, second)| second / first);
    let (low, high) = ratios.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), r| (l.min(r), h.max(r)));
    let mut table =
        Table::comparison("Both motors together, by laws that are not linear (§6)", "a linear law");
    table.compare("speed of gear 2 over that of gear 1, highest less lowest", high - low, 0.05, Ask::AtLeast);
    context.table(table);
    context.remark(
        "Sizes and line are ours: the paper gives none. Its arm of 82 variables has two ways to move, so that a hand on it stays on a \
         sphere; with the elbow of the complete arm the line is straight in space.",
    );
    Ok(())
}

fn figures(context: &mut StudyContext<'_>, led: &Course) {
    let names = ["gear 1", "gear 2"];
    let curves = |part: usize, unit: &str| {
        let curve = |(which, name): (usize, &&str)| Curve::line(name, unit, led.curve(which, part));
        names.iter().enumerate().map(curve).collect::<Vec<_>>()
    };
    let x = || Measure::new("time", "s");
    let both = [curves(0, "rad"), curves(1, "rad/s")].concat();
    let figure =
        Figure { x: x(), curves: both, y: Some("gears against the arm".to_string()), ..Figure::default() };
    context
        .figure("Angles and speeds of the two gears for a straight line of the hand (as Fig. 6).", &figure);
    let mut torques = curves(2, "N*m");
    torques.push(Curve::line("elbow", "N*m", led.curve(2, 2)));
    let figure = Figure { x: x(), curves: torques, y: Some("torque".to_string()), ..Figure::default() };
    context.figure("Torques of the motors in the same motion.", &figure);
}
