//! Rows: the one format in which every interaction that is not an explicit force reaches a solver.
//!
//!   ġ = Σ linear·v + angular·ω over the row's blocks,   lo ≤ λ ≤ hi,   force on each body = λ · block
//!
//! A row says *what* should hold; how far it is softened in time is `solve/regularize.rs`'s business alone.
//! A body may stand in a row twice: its blocks add up. Writing allocates nothing once warm.

use super::{Constraint, Sight};
use crate::world::frame::{Block, Frame};
use std::ops::Range;

/// Which time discretisation a soft row gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// By the rule in `solve/regularize.rs`: symmetric where the step resolves the vibration.
    #[default]
    Auto,
    /// SPOOK: averages the gap over three instants; no numerical damping.
    Symmetric,
    /// Implicit Euler: damps what the step cannot resolve.
    Implicit,
    /// SPOOK with a damping time of a step at least, for rows that carry light bodies between heavy ones: without
    /// damping these blow up at any mass ratio above 3. (Servin & Lacoursière take two steps.)
    Stabilised,
}

/// A Kelvin–Voigt element: spring and damper side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// k [N/m or N·m/rad].
    pub stiffness: f64,
    /// c [N·s/m or N·m·s/rad].
    pub damping: f64,
    /// Its time discretisation.
    pub form: Form,
}

impl Spring {
    /// Spring and damper, form chosen by the rule.
    pub fn new(stiffness: f64, damping: f64) -> Spring {
        Spring { stiffness, damping, form: Form::Auto }
    }

    /// Whether it can exert any force.
    pub fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.damping > 0.0
    }
}

/// How a row gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Not at all: g = 0.
    Rigid,
    /// As a spring and damper on the gap.
    Soft(Spring),
    /// A speed is wanted, not a place: ġ + loss·λ = speed. Loss in (m/s)/N: 1/c of a viscous damper.
    Speed {
        /// Slip per force.
        loss: f64,
    },
    /// A pull T along a span l turns with it: sideways a spring of T/l that is stretched by what the step itself brings,
    /// against a turning at the wanted speed. It matters only where the step cannot resolve that vibration.
    Turning {
        /// T/l [N/m].
        stiffness: f64,
    },
}

/// What a row is for: reports sum over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Holds the joint together.
    Hold,
    /// Drives coordinate number k.
    Drive(u8),
    /// Spring, limit or friction on coordinate number k.
    Resist(u8),
    /// Holds a cable straight; damped by its tension (`solve/tension_stiffness/mod.rs`).
    Bend,
    /// Keeps two surfaces apart.
    Normal,
    /// Resists sliding, rolling or spinning of two surfaces: its bounds follow from a normal force (see [`Cone`]).
    Friction,
}

/// One scalar equation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// g [m or rad]; for a one-sided row, how far from touching.
    pub gap: f64,
    /// Wanted rate of the coordinate [m/s or rad/s].
    pub speed: f64,
    /// Rate of `speed`.
    pub acceleration: f64,
    /// Bounds of the multiplier [N or N·m].
    pub lo: f64,
    /// Upper bound.
    pub hi: f64,
    /// How it gives.
    pub law: Law,
    /// Rebound speed per approach speed, for one-sided rows.
    pub restitution: f64,
    /// What it is for.
    pub role: Role,
}

impl Row {
    /// Whether it is one-sided and not reached.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.lo == 0.0 && self.gap > 0.0
    }

    /// How far a rigid, unbounded row is from holding; 0 for others.
    #[inline]
    fn open(&self) -> f64 {
        if self.law == Law::Rigid && !self.is_bounded() { self.gap.abs() } else { 0.0 }
    }

    /// ∫ F dg with F = k|g| up to the bound on its side [J]; an open one-sided spring stores nothing.
    #[inline]
    fn stored(&self) -> f64 {
        let Law::Soft(Spring { stiffness, .. }) = self.law else { return 0.0 };
        let (gap, bound) = (self.gap.abs(), if self.gap > 0.0 { -self.lo } else { self.hi });
        match stiffness * gap {
            force if force <= bound => 0.5 * force * gap,
            _ if bound > 0.0 => bound * (gap - 0.5 * bound / stiffness),
            _ => 0.0,
        }
    }

    /// g = 0, both ways, without limit of force.
    pub const fn hold(gap: f64) -> Row {
        Row {
            gap,
            speed: 0.0,
            acceleration: 0.0,
            lo: f64::NEG_INFINITY,
            hi: f64::INFINITY,
            law: Law::Rigid,
            restitution: 0.0,
            role: Role::Hold,
        }
    }

    /// g ≥ 0: pushes, never pulls.
    pub const fn push(gap: f64) -> Row {
        Row { lo: 0.0, ..Row::hold(gap) }
    }

    /// A wanted speed with force bounds.
    pub const fn drive(speed: f64, force: f64) -> Row {
        Row { speed, lo: -force, hi: force, law: Law::Speed { loss: 0.0 }, ..Row::hold(0.0) }
    }

    /// The same row given as a spring and damper, or rigid.
    pub fn soft(self, spring: Option<Spring>) -> Row {
        Row { law: spring.map_or(Law::Rigid, Law::Soft), ..self }
    }

    /// The same row as a spring and damper. Not by way of `soft`, whose copy of the spring through an option waits for its own
    /// stores, 28 cycles a row.
    #[inline]
    pub fn sprung(self, spring: &Spring) -> Row {
        Row { law: Law::Soft(*spring), ..self }
    }

    /// Its wanted rate, the mean over a time h from now [m/s or rad/s].
    pub fn wanted(&self, h: f64) -> f64 {
        self.speed + 0.5 * h * self.acceleration
    }

    /// Whether its multiplier has a finite bound.
    pub fn is_bounded(&self) -> bool {
        self.lo > f64::NEG_INFINITY || self.hi < f64::INFINITY
    }
}

/// How far the holding rows of a constraint give.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Softness {
    /// Rows that hold points together; none means rigid.
    pub linear: Option<Spring>,
    /// Rows that hold axes together; none means rigid.
    pub angular: Option<Spring>,
}

/// What wrote a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The joint at a place in the model.
    Joint(u32),
    /// A pair of colliders, by its number in Contacts.
    Pair(u32),
}

/// Friction: the multipliers of one or two rows are bounded by that of another.
///
///   |λₜ| ≤ μ (λₙ + base)
///
/// Of a rope (`belt`) λₙ is the mean of the tensions on both sides: the multiplier of the length, those of all friction up to
/// there, half its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// The row of the normal force.
    pub normal: usize,
    /// The first row bounded by it.
    pub first: usize,
    /// How many: 2 along two axes square to each other, or 1.
    pub count: usize,
    /// μ while it holds [1, or m for torques].
    pub stick: f64,
    /// μ while it slides.
    pub slide: f64,
    /// What presses the surfaces together beside the normal force: adhesion [N].
    pub base: f64,
    /// Whether it is a rope's.
    pub belt: bool,
}

/// From one number to another, in half the room of a range: groups are read in every pass over rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    fn new(range: Range<usize>) -> Span {
        Span { start: range.start as u32, end: range.end as u32 }
    }

    #[inline]
    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The rows of one joint or pair of colliders.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What wrote them.
    pub owner: Owner,
    rows: Span,
    coordinates: Span,
    frames: Span,
    cones: Span,
}

impl Group {
    /// Its rows.
    #[inline]
    pub fn rows(&self) -> Range<usize> {
        self.rows.range()
    }

    /// Its coordinates.
    #[inline]
    pub fn coordinates(&self) -> Range<usize> {
        self.coordinates.range()
    }

    /// The frames of its anchors.
    #[inline]
    pub fn frames(&self) -> Range<usize> {
        self.frames.range()
    }

    /// Its friction.
    #[inline]
    pub fn cones(&self) -> Range<usize> {
        self.cones.range()
    }

    /// The place of the joint that wrote it.
    pub fn joint(&self) -> Option<usize> {
        match self.owner {
            Owner::Joint(place) => Some(place as usize),
            Owner::Pair(_) => None,
        }
    }

    /// The number of the pair that wrote it.
    pub fn pair(&self) -> Option<usize> {
        match self.owner {
            Owner::Joint(_) => None,
            Owner::Pair(number) => Some(number as usize),
        }
    }
}

/// All rows of a step. Written by `constrain`.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// One per joint, in the order of their places; then one per pair of colliders with points.
    pub groups: Vec<Group>,
    /// The rows, group after group.
    pub rows: Vec<Row>,
    /// Where each row's blocks end; they begin where the last row's ended.
    pub ends: Vec<u32>,
    /// The blocks, row after row.
    pub blocks: Vec<Block>,
    /// Coordinates in the order in which the joints told them.
    pub coordinates: Vec<f64>,
    /// The blocks of their rates.
    pub rates: Vec<[Block; 2]>,
    /// The anchors' frames at which the rows were written, joint after joint.
    pub frames: Vec<Frame>,
    /// Friction, in the order of its rows.
    pub cones: Vec<Cone>,
    /// Whether any row may be rigid: false only if none is.
    pub holds: bool,
    /// The largest gap that was written of a rigid, unbounded row [m or rad].
    pub(crate) widest: f64,
    /// What the rows stored when they were written [J],
    stored: f64,
    /// and what links that stiffen store beyond that.
    pub(crate) beyond: f64,
    /// Whether rows were changed where they stand.
    pub(crate) changed: bool,
    /// The model's revision for which they were written.
    pub(crate) revision: u64,
    softness: Softness,
}

impl Rows {
    /// The groups of pairs of colliders.
    pub fn touching(&self) -> &[Group] {
        &self.groups[self.groups.partition_point(|group| group.pair().is_none())..]
    }

    /// Those of them among some groups, which are in order.
    pub fn touching_among<'a>(&'a self, groups: &'a [u32]) -> impl Iterator<Item = &'a Group> + Clone {
        let first = groups.partition_point(|g| self.groups[*g as usize].pair().is_none());
        groups[first..].iter().map(|g| &self.groups[*g as usize])
    }

    /// The rows of one constraint at given frames, by themselves.
    pub fn of(constraint: &dyn Constraint, softness: Softness, sight: &Sight<'_>) -> Rows {
        let mut rows = Rows::default();
        rows.frames.extend_from_slice(sight.frames);
        rows.open(Owner::Joint(0), softness, 0..sight.frames.len());
        constraint.rows(sight, &mut rows);
        rows.close();
        rows
    }

    /// Empties the list, keeping its memory.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.rows.clear();
        self.ends.clear();
        self.blocks.clear();
        self.coordinates.clear();
        self.rates.clear();
        self.frames.clear();
        self.cones.clear();
        (self.holds, self.changed) = (false, false);
        (self.widest, self.stored, self.beyond) = (0.0, 0.0, 0.0);
    }

    /// Begins a group of rows with the places of its frames.
    pub(crate) fn open(&mut self, owner: Owner, softness: Softness, frames: Range<usize>) {
        self.softness = softness;
        let [rows, coordinates, cones] =
            [self.rows.len(), self.coordinates.len(), self.cones.len()].map(|n| Span::new(n..n));
        self.groups.push(Group { owner, rows, coordinates, frames: Span::new(frames), cones });
    }

    /// Ends it.
    pub(crate) fn close(&mut self) {
        let [rows, coordinates, cones] =
            [self.rows.len(), self.coordinates.len(), self.cones.len()].map(|n| n as u32);
        let group = self.groups.last_mut().expect("close follows open");
        (group.rows.end, group.coordinates.end, group.cones.end) = (rows, coordinates, cones);
        for row in &self.rows[group.rows()] {
            self.holds |= row.law == Law::Rigid;
            self.widest = self.widest.max(row.open());
            self.stored += row.stored();
        }
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, row: Row, blocks: &[Block]) {
        // a row has two blocks or little more: copying them here beats a call
        blocks.iter().for_each(|b| self.blocks.push(*b));
        self.ends.push(self.blocks.len() as u32);
        self.rows.push(row);
    }

    /// Appends a holding row between points, as soft as the joint's linear softness.
    #[inline]
    pub fn hold_points(&mut self, gap: f64, blocks: &[Block]) {
        self.push(Row::hold(gap).soft(self.softness.linear), blocks);
    }

    /// Appends a holding row between axes, as soft as the joint's angular softness.
    #[inline]
    pub fn hold_axes(&mut self, gap: f64, blocks: &[Block]) {
        self.push(Row::hold(gap).soft(self.softness.angular), blocks);
    }

    /// Tells the value of the joint's next coordinate and the blocks of its rate.
    pub fn coordinate(&mut self, value: f64, rate: [Block; 2]) {
        self.coordinates.push(value);
        self.rates.push(rate);
    }

    /// The largest gap of the rigid, unbounded rows among some [m or rad].
    pub fn widest(&self, rows: Range<usize>) -> f64 {
        self.rows[rows].iter().fold(0.0, |m, r| m.max(r.open()))
    }

    /// What soft rows store [J].
    pub fn elastic(&self) -> f64 {
        let rows = if self.changed { self.rows.iter().map(Row::stored).sum() } else { self.stored };
        rows + self.beyond
    }

    /// The range of a row's blocks.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        start..self.ends[row] as usize
    }

    /// A row's blocks.
    #[inline]
    pub fn blocks(&self, row: usize) -> &[Block] {
        &self.blocks[self.range(row)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn springs_store_up_to_their_bounds() {
        let soft = |row: Row, stiffness: f64| row.soft(Some(Spring::new(stiffness, 1.0)));
        let mut rows = Rows::default();
        rows.open(Owner::Joint(0), Softness::default(), 0..0);
        rows.push(soft(Row::hold(0.1), 100.0), &[]);
        // a stop that is pressed, and one that is open
        rows.push(soft(Row::push(-0.2), 10.0), &[]);
        rows.push(soft(Row::push(0.3), 10.0), &[]);
        // 2 N from 2 cm on: a triangle and a rectangle
        rows.push(soft(Row { lo: -2.0, hi: 2.0, ..Row::hold(-0.1) }, 100.0), &[]);
        rows.push(Row::hold(0.5), &[]);
        rows.close();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        near(rows.elastic(), 0.5 + 0.2 + 0.0 + (0.02 + 0.16));
        near(rows.widest, 0.5);
        // a hook, or an input, changes a row where it stands
        rows.rows[0].gap = 0.2;
        rows.changed = true;
        near(rows.elastic(), 2.0 + 0.2 + 0.0 + 0.18);
    }
}
