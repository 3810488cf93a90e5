//! A link of a cable: connects two elements end to end, with axial, shear, bending and torsional stiffness.
//!
//!   g = p_b − p_a                    3 rows along e = (u_a + u_b)/|u_a + u_b| and across it, k = EA/ℓ along all
//!   q = q_a* q_b = (w, x, y, z)      swing ∘ twist about z:
//!   τ = 2 atan2(z, w)                twist, unwrapped, k = GJ/ℓ
//!   β = (θ/s) (x, y)                 bend, θ = 2 atan2(s, c), s = √(x²+y²), c = √(w²+z²), k = EI/ℓ
//!
//! ℓ is the length of cable that the link represents: half the length of each element it joins, one half at an end.
//! Each body is loaded at its own anchor. This is the gradient of g at any stretch of a rubber cable, and since the
//! stiffness is the same along all axes the force is parallel to g and has no moment. (With loads at the midpoint, as
//! in other joints, a load of 1e7 elements was lost in the first swing.)
//!
//! **Compression.** A cable carries tension but hardly any compression. The row along e has three states, Λ > 0 in
//! compression:
//!
//!   taut     linear spring, while its compression is below P = π² EI/(2l)² (`buckling_load`)
//!   slack    Λ = P: the elements slide into each other
//!   closed   rigid, at the limit of this sliding: g_e ≥ −s, s = ½ l (2 cos(θ/2) − 1)
//!
//! so that V = ½ k |g_⊥|² + ½ k max(g_e, 0)² + P max(−g_e, 0). The active set of the solver selects the state. Without
//! the stop a load thrown upwards would fall through its own rope: the folded link is slack with the load below it. For
//! g_e < 0 the rows include the rotation of e in their rates, ġ_e = e·ġ + g_⊥·ė and (n·g)˙ = n·ġ − g_e n·ė, which
//! conserves energy and angular momentum. In a taut link both terms cancel.
//!
//! q and −q are the same orientation. The one whose twist is nearest to the last is used, so that τ is unwrapped by
//! half turns and the bend keeps its direction. Singular at θ = π.
//!
//! **Under load** (`UnderLoad`, off by default) the stiffnesses depend on the tension T at the present stretch. A
//! stiffening spring is linearised: tangent k (1 + T/T₀) and gap T/k (1 + T/T₀), so that its force is T and Newton's
//! method converges to it. Damping proportional to T is added to the bending: c + τ T ℓ. The n-th transverse mode of a
//! taut cable then has the damping ratio ½ τ ω (2 sin(kℓ/2))², k = nπ/L; a load that swings on a straight cable bends
//! no link and is not damped.
//!
//! **The angles of Servin & Lacoursière** are available instead (`Turning::Angles`): the unsigned angle θ between the
//! axes in one row, and a twist Ω between a side axis of a and one of b. Their gradients are singular where the axes
//! are parallel, so sines are bounded below by a guard. One row cannot hold a bend out of its plane: use them only to
//! repeat their experiments.

use super::constraint::{Constraint, ConstraintView};
use crate::body::frame::{Anchor, Frame, JacobianBlock};
use crate::row::rows::Rows;
use crate::row::{Form, Role, Row, Spring};
use crate::section::{Fatigue, Section, UnderLoad, Yield};
use glam::{DMat3, DQuat, DVec2, DVec3};
use std::f64::consts::{PI, TAU};

/// Measure of the relative rotation of two elements.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Turning {
    /// Twist and two bends; valid in all directions and for any number of turns.
    #[default]
    SwingTwist,
    /// The two angles of Servin & Lacoursière.
    Angles {
        /// Their alternative twist, between the first side axes, instead of the regular one.
        alternative: bool,
        /// Lower bound of sines.
        guard: f64,
    },
}

/// A link of a cable.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The ends of the two elements; z along the cable.
    pub anchors: [Anchor; 2],
    /// Which of its sides is an element; the other side is what the cable is attached to.
    pub elements: [bool; 2],
    /// ℓ [m].
    pub length: f64,
    /// EA/ℓ and its damping.
    pub stretch: Spring,
    /// Compression beyond which it buckles [N], `buckling_load` of its section.
    pub buckling: f64,
    /// GJ/ℓ and its damping; none for a swivel.
    pub twist: Option<Spring>,
    /// EI/ℓ and its damping; none for a chain.
    pub bend: Option<Spring>,
    /// Measure of the relative rotation.
    pub turning: Turning,
    /// Plastic bending law.
    pub yielding: Option<Yield>,
    /// Fatigue law if load cycles are counted, and the breaking load [N].
    pub fatigue: Option<(Fatigue, f64)>,
    /// Dependence of its stiffness and damping on tension.
    pub under_load: UnderLoad,
    /// Strain at which it breaks, in addition to the force of its `Strength`.
    pub breaking_strain: Option<f64>,
}

/// The linearised springs of a link at its present stretch, and the equivalent gap.
struct Springs {
    gap: DVec3,
    stretch: Spring,
    twist: Option<Spring>,
    bend: Option<Spring>,
}

/// History variables of a link: the first numbers of [`ConstraintView::history`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DamageState {
    /// Plastic (permanent) bend [rad].
    pub set: DVec2,
    /// Accumulated plastic bending angle [rad].
    pub worked: f64,
    /// Accumulated fatigue damage; 1 at the end of its life.
    pub damage: f64,
    /// The part of it due to closed cycles.
    closed: f64,
}

/// Number of damage variables. They are followed in the history by the tensions at load reversals, the present one
/// last.
const WEAR: usize = 5;

/// Maximum number of reversals stored. Only a decaying oscillation leaves more, and its cycles count ever less.
const TURNS: usize = 32;

impl DamageState {
    /// From the history of a joint; all zero if that is empty.
    pub fn of(history: &[f64]) -> DamageState {
        match *history {
            [x, y, worked, damage, closed, ..] => {
                DamageState { set: DVec2::new(x, y), worked, damage, closed }
            }
            _ => DamageState::default(),
        }
    }

    /// Naturally curved: bent without stress from the beginning.
    pub fn shaped(set: DVec2) -> DamageState {
        DamageState { set, ..DamageState::default() }
    }

    /// The history of a link that reappears between two others which carried its load meanwhile: its damage is at least
    /// the lesser of theirs. Its plastic bend is its own.
    pub(crate) fn between(own: &[f64], others: [&[f64]; 2]) -> Vec<f64> {
        let (set, damage) = (DamageState::of(own), |history: &&[f64]| DamageState::of(history).damage);
        let others = others.into_iter().filter(|history| !history.is_empty());
        let least = others.min_by(|a, b| damage(a).total_cmp(&damage(b)));
        let Some(other) = least.filter(|other| own.is_empty() || damage(other) > set.damage) else {
            return own.to_vec();
        };
        let wear = DamageState { set: set.set, worked: set.worked, ..DamageState::of(other) };
        wear.numbers().iter().chain(&other[WEAR..]).copied().collect()
    }

    /// As numbers of the history.
    pub fn numbers(&self) -> [f64; WEAR] {
        [self.set.x, self.set.y, self.worked, self.damage, self.closed]
    }

    /// Return mapping to the yield surface: bending beyond the yield moment becomes plastic.
    fn bent(&mut self, law: &Yield, length: f64, stiffness: f64, bend: DVec2) {
        let elastic = bend - self.set;
        let hardening = law.hardening / length;
        let excess = stiffness * elastic.length() - law.moment - hardening * self.worked;
        if excess > 0.0 {
            let more = excess / (stiffness + hardening);
            self.set += elastic * (more / elastic.length());
            self.worked += more;
        }
    }

    /// Rainflow counting (ASTM E 1049): a range enclosed by a greater one is a full cycle, whatever ripples lie within
    /// it. The remaining ranges count as half cycles each. The load starts at 0.
    fn loaded(&mut self, law: &Fatigue, breaking: f64, tension: f64, turns: &mut Vec<f64>) {
        let share = |from: f64, to: f64| libm::pow((to - from).abs() / breaking, law.exponent) / law.cycles;
        match turns[..] {
            // the load continues in the same direction
            [.., before, ref mut last] if (*last - before) * (tension - *last) >= 0.0 => *last = tension,
            [] => turns.extend([0.0, tension]),
            _ => turns.push(tension),
        }
        while let [.., a, b, c] = turns[..]
            && (c - b).abs() >= (b - a).abs()
        {
            let n = turns.len();
            if n == 3 {
                self.closed += 0.5 * share(a, b);
                turns.remove(0);
            } else {
                self.closed += share(a, b);
                turns.drain(n - 3..n - 1);
            }
        }
        if turns.len() > TURNS {
            self.closed += 0.5 * share(turns[0], turns[1]);
            turns.remove(0);
        }
        self.damage = self.closed + turns.windows(2).map(|p| 0.5 * share(p[0], p[1])).sum::<f64>();
    }
}

/// Swing and twist of b relative to a about z, and their Jacobians in a's axes.
struct Turned {
    twist: f64,
    bend: DVec2,
    rates: [DVec3; 3],
}

/// cos² of half of 150°: beyond this bend changes of twist fade out, since twist is undefined at 180°.
const FOLDED: f64 = 0.067;

/// Below this sine the series of θ/s are used: their next terms are below 1e-13.
const SMALL: f64 = 1e-3;

impl Turned {
    #[inline(always)]
    fn new(a: &Frame, b: &Frame, view: &ConstraintView<'_>) -> Turned {
        let q = a.orientation.inverse() * b.orientation;
        let near = 2.0 * libm::atan2(q.z, q.w);
        let turns = view.turns(0, near);
        // after an odd number of turns the other quaternion of the same orientation is used
        let q = if turns % 2.0 == 0.0 { q } else { -q };
        let DQuat { x, y, z, w } = q;
        // rates of the quaternion's components by the relative angular velocity in a's axes
        let (dw, dx) = (-0.5 * DVec3::new(x, y, z), 0.5 * DVec3::new(w, z, -y));
        let (dy, dz) = (0.5 * DVec3::new(-z, w, x), 0.5 * DVec3::new(y, -x, w));
        let (s2, c2) = (x * x + y * y, w * w + z * z);
        let (s, c) = (s2.sqrt(), c2.sqrt().max(1e-6));
        let (twist, clear) = (near + TAU * turns, (c2 / FOLDED).min(1.0));
        let last = view.last.first().copied().unwrap_or(twist);
        // f = θ/s and f'/s
        let (f, slope) = if s < SMALL {
            (2.0 + s2 / 3.0, 2.0 / 3.0 + 0.6 * s2)
        } else {
            let theta = 2.0 * libm::atan2(s, c);
            (theta / s, (2.0 * s / c - theta) / (s2 * s))
        };
        let ds = slope * (x * dx + y * dy);
        Turned {
            twist: last + clear * (twist - last),
            bend: f * DVec2::new(x, y),
            rates: [2.0 / c2.max(FOLDED) * (w * dz - z * dw), f * dx + x * ds, f * dy + y * ds],
        }
    }
}

impl Link {
    /// Its tension, positive when pulled, from the forces of its rows [N].
    pub fn tension(&self, forces: &[f64]) -> f64 {
        // the row force pulls b back towards a
        -forces[0]
    }

    /// The axes of its stretch: e, the bisector of its elements, and two across it.
    #[inline]
    pub(crate) fn axes(&self, frames: &[Frame]) -> DMat3 {
        let e = self.along(frames).try_normalize().unwrap_or_else(|| frames[0].z());
        let (n, m) = e.any_orthonormal_pair();
        DMat3::from_cols(e, n, m)
    }

    /// Length of its elements: an end link represents half of one [m].
    pub(crate) fn element_length(&self) -> f64 {
        let sides = self.elements.iter().filter(|is_element| **is_element).count().max(1);
        self.length * 2.0 / sides as f64
    }

    /// How far its elements may slide into each other before they transmit compression: s = ½ l (2 cos(θ/2) − 1), zero
    /// where they are folded by 120° or more, since e changes its sign at 180° [m].
    fn play(&self, frames: &[Frame]) -> f64 {
        let half = 0.5 * self.along(frames).length();
        let bent = if self.elements == [true; 2] { 2.0 * half - 1.0 } else { 1.0 };
        0.5 * self.element_length() * bent.max(0.0)
    }

    /// Vectors c of both sides with n·ė = Σ (c × n)·ω for every n perpendicular to e.
    fn rates_of_axis(&self, frames: &[Frame]) -> [DVec3; 2] {
        let length = self.along(frames).length().max(1e-9);
        [0, 1].map(|k| if self.elements[k] { frames[k].z() / length } else { DVec3::ZERO })
    }

    /// Its strain after its gap has grown by `more` [m]; 0 if it is not in tension.
    pub(crate) fn strain(&self, frames: &[Frame], more: DVec3) -> f64 {
        let gap = frames[1].at - frames[0].at + more;
        if gap.dot(self.along(frames)) > 0.0 { gap.length() / self.length } else { 0.0 }
    }

    /// The elastic tension at a strain [N].
    pub(crate) fn pull_at(&self, strain: f64) -> f64 {
        self.under_load.tension(self.stretch.stiffness * self.length * strain)
    }

    /// The direction of its elements, not normalised.
    #[inline]
    fn along(&self, frames: &[Frame]) -> DVec3 {
        match self.elements {
            [true, true] => frames[0].z() + frames[1].z(),
            [true, false] => frames[0].z(),
            [false, true] => frames[1].z(),
            [false, false] => DVec3::ZERO,
        }
    }

    /// Its springs, linearised at the present tension.
    fn springs(&self, frames: &[Frame]) -> Springs {
        let gap = frames[1].at - frames[0].at;
        let plain = Springs { gap, stretch: self.stretch, twist: self.twist, bend: self.bend };
        if self.under_load == UnderLoad::default() {
            return plain;
        }
        let linear = self.pull(frames);
        if !(linear > 0.0) {
            return plain;
        }
        let (tension, factor) = self.under_load.stiffening.map_or((linear, 1.0), |law| law.of(linear));
        let stiffer = |spring: Spring| {
            let (stiffness, damping) = (factor * spring.stiffness, factor * spring.damping);
            Spring { stiffness, damping, ..spring }
        };
        let damped = |spring: Spring| {
            let more = self.under_load.damping * tension * self.length;
            Spring { damping: spring.damping + more, ..spring }
        };
        Springs {
            gap: gap * (tension / (factor * linear)),
            stretch: stiffer(self.stretch),
            twist: self.twist.map(stiffer),
            bend: self.bend.map(stiffer).map(damped),
        }
    }

    /// EA ε of its stretch, 0 or less if it is not in tension [N].
    fn pull(&self, frames: &[Frame]) -> f64 {
        let gap = frames[1].at - frames[0].at;
        if gap.dot(self.along(frames)) > 0.0 { self.stretch.stiffness * gap.length() } else { 0.0 }
    }

    /// Stored energy beyond that of the linearised row [J]: zero unless it stiffens.
    fn beyond_tangent(&self, frames: &[Frame]) -> f64 {
        let Some(law) = self.under_load.stiffening else { return 0.0 };
        let linear = self.pull(frames);
        if !(linear > 0.0) {
            return 0.0;
        }
        let (tension, factor) = law.of(linear);
        (law.work(linear) - 0.5 * tension * tension / factor) / self.stretch.stiffness
    }

    /// Its twist, unwrapped from the last value, and its bend [rad].
    pub fn turned(&self, frames: &[Frame; 2], last: &[f64]) -> (f64, DVec2) {
        let view = ConstraintView { frames, last, history: &[], time: 0.0 };
        let turned = Turned::new(&frames[0], &frames[1], &view);
        (turned.twist, turned.bend)
    }

    /// Its elastic energy [J].
    pub fn energy(&self, frames: &[Frame; 2], last: &[f64], set: DVec2) -> f64 {
        let (twist, bend) = self.turned(frames, last);
        let stored = |spring: &Spring, squared: f64| 0.5 * spring.stiffness * squared;
        let springs = self.springs(frames);
        let stretch = self.axes(frames).x_axis.dot(springs.gap);
        let pulled = Row { hi: self.buckling, ..Row::hold(stretch) }.with_spring(&springs.stretch);
        pulled.stored()
            + stored(&springs.stretch, springs.gap.length_squared() - stretch * stretch)
            + self.beyond_tangent(frames)
            + springs.twist.map_or(0.0, |spring| stored(&spring, twist * twist))
            + springs.bend.map_or(0.0, |spring| stored(&spring, (bend - set).length_squared()))
    }

    fn turn_rows(springs: &Springs, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let turned = Turned::new(a, b, view);
        let set = DamageState::of(view.history).set;
        let turn = DMat3::from_quat(a.orientation);
        let pair = |rate: DVec3| [a.spin(-rate), b.spin(rate)];
        let [twist, first, second] = turned.rates;
        let blocks = [pair(turn * twist), pair(turn * first), pair(turn * second)];
        out.coordinate(turned.twist, blocks[0]);
        if let Some(spring) = &springs.twist {
            out.push(
                Row { role: Role::Resist(0), ..Row::hold(turned.twist) }.with_spring(spring),
                &blocks[0],
            );
        }
        if let Some(spring) = &springs.bend {
            for (k, block) in [(0, &blocks[1]), (1, &blocks[2])] {
                let row = Row { role: Role::Bend, ..Row::hold(turned.bend[k] - set[k]) };
                out.push(row.with_spring(spring), block);
            }
        }
    }

    fn angle_rows(
        springs: &Springs,
        (alternative, guard): (bool, f64),
        view: &ConstraintView<'_>,
        out: &mut Rows,
    ) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let other = if alternative { b.x() } else { b.y() };
        // cos Ω = x_a · other, with the sign of its side; the regular one is a quarter turn at rest
        let axis = a.z() + b.z();
        let (omega, twist) = between(a, a.x(), b, other, axis, guard);
        let rest = if alternative { 0.0 } else { 0.25 * TAU };
        let omega = view.unwound(0, omega - rest);
        out.coordinate(omega, twist);
        if let Some(spring) = springs.twist {
            out.push(Row { role: Role::Resist(0), ..Row::hold(omega) }.soft(Some(spring)), &twist);
        }
        if let Some(spring) = springs.bend {
            let (theta, bend) = between(a, a.z(), b, b.z(), a.z().cross(b.z()), guard);
            out.push(Row { role: Role::Bend, ..Row::hold(theta) }.soft(Some(spring)), &bend);
        }
    }
}

/// The angle from axis u of a to axis v of b, positive about an axis n, and its Jacobian blocks
/// (ω_b − ω_a)·(u×v)/sin, with the sine bounded below by a guard.
fn between(a: &Frame, u: DVec3, b: &Frame, v: DVec3, n: DVec3, guard: f64) -> (f64, [JacobianBlock; 2]) {
    let cross = u.cross(v);
    let (sin, sign) = (cross.length(), if cross.dot(n) < 0.0 { -1.0 } else { 1.0 });
    let axis = cross * (sign / sin.max(guard).max(1e-300));
    (sign * libm::atan2(sin, u.dot(v)), [a.spin(-axis), b.spin(axis)])
}

impl Constraint for Link {
    fn anchors(&self) -> &[Anchor] {
        &self.anchors
    }

    fn rows(&self, view: &ConstraintView<'_>, out: &mut Rows) {
        let (a, b) = (&view.frames[0], &view.frames[1]);
        let springs = self.springs(view.frames);
        let gap = springs.gap;
        out.beyond += self.beyond_tangent(view.frames);
        let DMat3 { x_axis: e, y_axis: n, z_axis: m } = self.axes(view.frames);
        let stretch = e.dot(gap);
        let row = |gap: f64| Row::hold(gap).with_spring(&springs.stretch);
        let pulls = Row { hi: self.buckling, ..row(stretch) };
        let mut blocks = [e, n, m].map(|axis| [a.push(-axis), b.push(axis)]);
        if stretch < 0.0 {
            // ġ_e has the additional term g_⊥·ė, and n·ġ has −g_e n·ė
            let turns = self.rates_of_axis(view.frames);
            for k in 0..2 {
                blocks[0][k].angular += turns[k].cross(gap - e * stretch);
                blocks[1][k].angular -= turns[k].cross(n) * stretch;
                blocks[2][k].angular -= turns[k].cross(m) * stretch;
            }
        }
        out.push(pulls, &blocks[0]);
        if stretch < 0.0 {
            out.stop(stretch + self.play(view.frames));
        }
        out.push(row(n.dot(gap)), &blocks[1]);
        out.push(row(m.dot(gap)), &blocks[2]);
        if self.twist.is_none() && self.bend.is_none() {
            return;
        }
        match self.turning {
            Turning::SwingTwist => Link::turn_rows(&springs, view, out),
            Turning::Angles { alternative, guard } => {
                Link::angle_rows(&springs, (alternative, guard), view, out);
            }
        }
    }

    fn remember(&self, view: &ConstraintView<'_>, forces: &[f64], history: &mut Vec<f64>) {
        if self.yielding.is_none() && self.fatigue.is_none() {
            return;
        }
        let mut wear = DamageState::of(history);
        if let (Some(law), Some(spring), Turning::SwingTwist) =
            (&self.yielding, self.springs(view.frames).bend, self.turning)
        {
            let bend = Turned::new(&view.frames[0], &view.frames[1], view).bend;
            wear.bent(law, self.length, spring.stiffness, bend);
        }
        if let Some((law, breaking)) = &self.fatigue {
            // reserve for the maximum: a step does not allocate
            history.reserve((WEAR + TURNS + 2).saturating_sub(history.len()));
            history.drain(..WEAR.min(history.len()));
            wear.loaded(law, *breaking, self.tension(forces), history);
            history.splice(0..0, wear.numbers());
        } else {
            history.clear();
            history.extend(wear.numbers());
        }
    }
}

/// The compression that a link between elements of a length can carry [N]: the Euler load of a rod of two elements, π²
/// EI/(2l)², which is below that at which single links zigzag, 4 EI/l². Longer waves buckle in the model itself.
pub fn buckling_load(section: &Section, element: f64) -> f64 {
    section.bend * (0.5 * PI / element) * (0.5 * PI / element)
}

/// Axial, torsional and bending springs of a link that represents a length of cable.
pub fn springs(section: &Section, length: f64) -> (Spring, Option<Spring>, Option<Spring>) {
    let spring = |rigidity: f64, time: f64, form: Form| {
        let stiffness = rigidity / length;
        Spring { stiffness, damping: time * stiffness, form }
    };
    let some = |rigidity: f64, time: f64| (rigidity > 0.0).then(|| spring(rigidity, time, Form::Implicit));
    let [stretch, bend, twist] = section.damping;
    (spring(section.stretch, stretch, Form::Stabilised), some(section.twist, twist), some(section.bend, bend))
}
