//! Seed → a machine as plain numbers: bodies, what joins them, perhaps a cable and a floor. Nothing in it is a source of energy.

use glam::{DQuat, DVec3};
use windlass_engine::math;
use windlass_engine::prelude::*;

/// SplitMix64.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly between two numbers.
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Between two powers of ten, all decades alike.
    pub fn decade(&mut self, low: f64, high: f64) -> f64 {
        libm::pow(10.0, self.within(low, high))
    }

    /// One of so many.
    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// True with a probability.
    pub fn chance(&mut self, part: f64) -> bool {
        self.within(0.0, 1.0) < part
    }

    /// A vector inside the unit ball.
    pub fn vector(&mut self) -> DVec3 {
        loop {
            let v = DVec3::from_array([0; 3].map(|_| self.within(-1.0, 1.0)));
            if v.length_squared() <= 1.0 {
                return v;
            }
        }
    }

    pub fn direction(&mut self) -> DVec3 {
        self.vector().normalize_or(DVec3::Z)
    }

    pub fn orientation(&mut self) -> DQuat {
        let [x, y, z, w] = [0; 4].map(|_| self.within(-1.0, 1.0));
        math::unit(DQuat::from_xyzw(x, y, z, w + 1e-3))
    }

    /// The numbers below a count in some order.
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        (1..count).rev().for_each(|k| order.swap(k, self.below(k + 1)));
        order
    }
}

/// A body.
#[derive(Clone, Debug)]
pub struct Part {
    pub shape: Shape,
    /// Radius about its origin that holds all of it [m].
    pub reach: f64,
    pub mass: f64,
    /// Centre of mass in its own frame [m].
    pub center: DVec3,
    pub at: DVec3,
    pub turn: DQuat,
    pub velocity: DVec3,
    pub spin: DVec3,
}

/// What joins two bodies.
#[derive(Clone, Debug)]
pub enum Tie {
    Ball,
    Hinge(Axis),
    Slider(Axis),
    Cylinder([Axis; 2]),
    Universal([Axis; 2]),
    Weld,
    Rod,
    /// A rope that may be this much longer than the way [m].
    Rope(f64),
    /// A spring between two points.
    Spring(Axis),
}

/// A joint: bodies by their numbers, none for the ground, and the two places it grips in the world.
#[derive(Clone, Debug)]
pub struct Bond {
    pub tie: Tie,
    pub parts: [Option<usize>; 2],
    pub at: [DVec3; 2],
    pub turn: DQuat,
}

/// A cable between two bodies.
#[derive(Clone, Debug)]
pub struct Line {
    pub parts: [Option<usize>; 2],
    pub at: [DVec3; 2],
    pub section: Section,
    pub elements: usize,
    /// Unstretched length over the way.
    pub slack: f64,
    pub clamped: [bool; 2],
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Plan {
    pub dt: f64,
    pub parts: Vec<Part>,
    pub bonds: Vec<Bond>,
    pub line: Option<Line>,
    /// How things touch, if they do; there is a floor at z = 0 then.
    pub touch: Option<ContactParameters>,
}

impl Plan {
    /// The machine of a seed.
    pub fn of(seed: u64) -> Plan {
        let mut dice = Dice::new(seed);
        let dt = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0, 1e-3][dice.below(4)];
        let touch = dice.chance(0.3).then(|| touch(&mut dice));
        let count = 2 + dice.below(7);
        let grounded = dice.chance(0.75);
        let mut plan = Plan { dt, parts: Vec::new(), bonds: Vec::new(), line: None, touch };
        for k in 0..count {
            let root = k == 0 || (grounded && dice.chance(0.1));
            let parent = (!root).then(|| dice.below(k));
            plan.grow(&mut dice, parent, parent.is_some() || grounded);
        }
        if dice.chance(0.35) {
            plan.close(&mut dice);
        }
        if dice.chance(0.3) {
            plan.line = plan.cable(&mut dice, grounded);
        }
        plan.throw(&mut dice, grounded);
        plan.lift(&mut dice);
        plan
    }

    /// Adds a body beside another (or the ground's origin), clear of all, joined to it if so wanted.
    fn grow(&mut self, dice: &mut Dice, parent: Option<usize>, joined: bool) {
        let mut part = part(dice);
        let (from, reach) = parent.map_or((DVec3::ZERO, 0.1), |p| (self.parts[p].at, self.parts[p].reach));
        let mut spread = 1.05;
        loop {
            part.at = from + dice.direction() * (spread * (reach + part.reach));
            if self.parts.iter().all(|p| p.at.distance(part.at) > 1.02 * (p.reach + part.reach)) {
                break;
            }
            spread += 0.05;
        }
        let bond = Bond {
            tie: tie(dice),
            parts: [parent, Some(self.parts.len())],
            at: [from.lerp(part.at, reach / (reach + part.reach)); 2],
            turn: dice.orientation(),
        };
        let at = part.at + part.reach * 0.5 * dice.vector();
        self.parts.push(part);
        if joined {
            self.bonds.push(if bond.tie.is_long() { Bond { at: [from, at], ..bond } } else { bond });
        }
    }

    /// Joins two bodies once more.
    fn close(&mut self, dice: &mut Dice) {
        let order = dice.order(self.parts.len());
        let [a, b] = [order[0], order[1]];
        let tie = if dice.chance(0.6) { long_tie(dice) } else { tie(dice) };
        let [x, y] = [self.parts[a].at, self.parts[b].at];
        let middle = x.lerp(y, dice.within(0.2, 0.8));
        // not from centre to centre: a ball joint on that line would stand at a dead point
        let mut aside = Dice::new(dice.0);
        let mut near = |k: usize| self.parts[k].at + 0.5 * self.parts[k].reach * aside.vector();
        let at = if tie.is_long() { [near(a), near(b)] } else { [middle; 2] };
        self.bonds.push(Bond { tie, parts: [Some(a), Some(b)], at, turn: dice.orientation() });
    }

    fn cable(&self, dice: &mut Dice, grounded: bool) -> Option<Line> {
        let order = dice.order(self.parts.len());
        let far = DVec3::new(0.0, 0.0, 3.0);
        let parts = [(!(grounded && dice.chance(0.3))).then_some(order[0]), Some(order[1])];
        let ends = parts.map(|p| p.map_or(far, |p| self.parts[p].at));
        let reach = parts.map(|p| p.map_or(0.0, |p| self.parts[p].reach));
        let along = (ends[1] - ends[0]).normalize();
        let bends = dice.chance(0.6);
        let mut stiffness = |low: f64, high: f64| if bends { dice.decade(low, high) } else { 0.0 };
        let (bend, twist) = (stiffness(-3.0, 1.0), stiffness(-3.0, 1.0));
        let damped = if dice.chance(0.5) { dice.decade(-4.0, -2.0) } else { 0.0 };
        let section = Section {
            diameter: 0.01,
            mass_per_length: dice.decade(-2.0, 0.5),
            stretch: dice.decade(3.0, 6.0),
            bend,
            twist,
            damping: [damped; 3],
            breaking: None,
            breaking_strain: None,
            yielding: None,
            fatigue: None,
        };
        let at = [ends[0] + along * reach[0], ends[1] - along * reach[1]];
        let line = Line {
            parts,
            at,
            section,
            elements: 1 + dice.below(12),
            slack: if dice.chance(0.5) { 1.0 } else { dice.within(1.0, 1.05) },
            clamped: [dice.chance(0.5), dice.chance(0.5)],
        };
        (at[0].distance(at[1]) > 0.02 * line.elements as f64).then_some(line)
    }

    /// Machines that float are thrown as a whole; of the others some bodies are, whatever their joints say.
    fn throw(&mut self, dice: &mut Dice, grounded: bool) {
        let moves = dice.chance(if grounded { 0.25 } else { 0.8 });
        let (velocity, spin) = (dice.vector() * 2.0, dice.vector() * 4.0);
        let (about, choice) = (self.parts[0].at, dice.below(self.parts.len()));
        for (k, part) in self.parts.iter_mut().enumerate().filter(|_| moves) {
            if grounded && k == choice {
                (part.velocity, part.spin) = (velocity, spin);
            } else if !grounded {
                let arm = part.at + part.turn * part.center - about;
                (part.velocity, part.spin) = (velocity + spin.cross(arm), spin);
            }
        }
    }

    /// Lifts all above the floor.
    fn lift(&mut self, dice: &mut Dice) {
        let mut lowest = self.parts.iter().map(|p| p.at.z - p.reach).fold(f64::INFINITY, f64::min);
        let ends = self.line.iter().flat_map(|l| l.at).map(|p| p.z - 0.02);
        lowest = ends.fold(lowest, f64::min);
        let up = DVec3::Z * (dice.within(0.0, 0.3) + 1e-3 - lowest);
        self.parts.iter_mut().for_each(|p| p.at += up);
        self.bonds.iter_mut().flat_map(|b| &mut b.at).for_each(|p| *p += up);
        self.line.iter_mut().flat_map(|l| &mut l.at).for_each(|p| *p += up);
    }

    /// A line that tells machines apart.
    pub fn summary(&self) -> String {
        let masses: Vec<String> = self.parts.iter().map(|p| format!("{:.2}", p.mass)).collect();
        let name = |p: Option<usize>| p.map_or("g".to_owned(), |p| p.to_string());
        let bond = |b: &Bond| format!("{} {}-{}", b.tie.name(), name(b.parts[0]), name(b.parts[1]));
        let bonds: Vec<String> = self.bonds.iter().map(bond).collect();
        let line = self.line.as_ref().map_or(String::new(), |l| {
            let (s, ends) = (&l.section, l.parts.map(name).join("-"));
            let (mass, pull, bend) = (s.mass_per_length, s.stretch, s.bend);
            let (length, slack) = (l.at[0].distance(l.at[1]), l.slack);
            let laid = format!("cable {ends} of {} over {length:.2} m × {slack:.3}", l.elements);
            format!(", {laid} ({mass:.2} kg/m, EA {pull:.0}, EI {bend:.3}, damped {:.1e} s)", s.damping[0])
        });
        let touch = self.touch.map_or(String::new(), |t| {
            format!(
                ", floor μ {:.2} e {:.2}{}",
                t.stick,
                t.restitution,
                if t.spring.is_some() { " soft" } else { "" }
            )
        });
        format!("dt {:.4}, kg [{}], {}{line}{touch}", self.dt, masses.join(" "), bonds.join(", "))
    }
}

impl Tie {
    /// Whether it spans a way.
    fn is_long(&self) -> bool {
        matches!(self, Tie::Rod | Tie::Rope(_) | Tie::Spring(_))
    }

    fn name(&self) -> String {
        let axes: &[Axis] = match self {
            Tie::Ball => return "ball".into(),
            Tie::Weld => return "weld".into(),
            Tie::Rod => return "rod".into(),
            Tie::Rope(more) => return format!("rope(+{more:.2})"),
            Tie::Hinge(axis) | Tie::Slider(axis) | Tie::Spring(axis) => std::slice::from_ref(axis),
            Tie::Cylinder(axes) | Tie::Universal(axes) => axes,
        };
        let kind = match self {
            Tie::Hinge(_) => "hinge",
            Tie::Slider(_) => "slider",
            Tie::Cylinder(_) => "cylinder",
            Tie::Universal(_) => "universal",
            _ => "spring",
        };
        axes.iter().fold(kind.to_owned(), |text, axis| text + &axis_name(axis))
    }
}

fn axis_name(axis: &Axis) -> String {
    let mut text = String::new();
    if let Some((s, rest)) = axis.spring {
        text += &format!("[k {:.1e} c {:.1e} at {rest:.2}]", s.stiffness, s.damping);
    }
    if let Some(l) = axis.limits {
        let soft = if l.spring.is_some() { " soft" } else { "" };
        text += &format!("[{:.2}..{:.2} e {:.1}{soft}]", l.low, l.high, l.restitution);
    }
    if axis.friction > 0.0 {
        text += &format!("[friction {:.1e}]", axis.friction);
    }
    if axis.viscosity > 0.0 {
        text += &format!("[viscous {:.1e}]", axis.viscosity);
    }
    text
}

fn touch(dice: &mut Dice) -> ContactParameters {
    let stick = if dice.chance(0.2) { 0.0 } else { dice.within(0.0, 1.2) };
    let slide = if dice.chance(0.5) { stick } else { 0.7 * stick };
    let restitution = if dice.chance(0.5) { 0.0 } else { dice.within(0.0, 0.9) };
    ContactParameters { stick, slide, restitution, ..ContactParameters::default() }
}

/// A body of 10 g to 100 kg, its centre of mass not always in its middle.
fn part(dice: &mut Dice) -> Part {
    let mut size = || dice.within(0.03, 0.3);
    let (x, y, z) = (size(), size(), size());
    let (shape, reach) = match dice.below(3) {
        0 => (Shape::Sphere { radius: x }, x),
        1 => (Shape::Capsule { radius: 0.5 * x, half_length: y }, 0.5 * x + y),
        _ => (Shape::Box { half: DVec3::new(x, y, z) }, DVec3::new(x, y, z).length()),
    };
    let center = if dice.chance(0.25) { 0.2 * x * dice.vector() } else { DVec3::ZERO };
    let (mass, turn) = (dice.decade(-2.0, 2.0), dice.orientation());
    let still = DVec3::ZERO;
    Part { shape, reach, mass, center, at: still, turn, velocity: still, spin: still }
}

fn tie(dice: &mut Dice) -> Tie {
    match dice.below(9) {
        0 | 1 => Tie::Ball,
        2 | 3 => Tie::Hinge(axis(dice, 1.0)),
        4 => Tie::Slider(axis(dice, 0.2)),
        5 => Tie::Cylinder([axis(dice, 1.0), axis(dice, 0.2)]),
        6 => Tie::Universal([axis(dice, 1.0), axis(dice, 1.0)]),
        7 => Tie::Weld,
        _ => long_tie(dice),
    }
}

fn long_tie(dice: &mut Dice) -> Tie {
    match dice.below(3) {
        0 => Tie::Rod,
        1 => Tie::Rope(if dice.chance(0.5) { 0.0 } else { dice.within(0.0, 0.2) }),
        _ => Tie::Spring(Axis { spring: Some((spring(dice), dice.within(0.1, 1.0))), ..Axis::free() }),
    }
}

fn spring(dice: &mut Dice) -> Spring {
    let stiffness = dice.decade(0.0, 5.0);
    let damping = if dice.chance(0.5) { 0.0 } else { stiffness * dice.decade(-4.0, -1.0) };
    Spring::new(stiffness, damping)
}

/// A coordinate that may have a spring, stops within a range, and friction.
fn axis(dice: &mut Dice, range: f64) -> Axis {
    let mut axis = Axis::free();
    if dice.chance(0.3) {
        axis.spring = Some((spring(dice), dice.within(-0.5, 0.5) * range));
    }
    if dice.chance(0.25) {
        let low = if dice.chance(0.1) { 0.0 } else { -dice.within(0.0, range) };
        let mut limits = Limits::hard(low, dice.within(0.01, range));
        match dice.below(3) {
            0 => limits.restitution = dice.within(0.0, 1.0),
            1 => limits.spring = Some(spring(dice)),
            _ => {}
        }
        axis.limits = Some(limits);
    }
    if dice.chance(0.15) {
        axis.friction = dice.decade(-2.0, 1.0);
    }
    if dice.chance(0.15) {
        axis.viscosity = dice.decade(-3.0, 1.0);
    }
    axis
}
