//! All rows of a step, in groups: one per joint, then one per force with dampers, then those of subsystems, then one per
//! pair of colliders with contact points. Written by `constrain`. Writing does not allocate once buffers have grown.

use super::{BoundMode, Compliance, FrictionBound, Row, RowLaw, RowSource};
use crate::body::frame::{Frame, JacobianBlock};
use std::ops::Range;

/// A range in half the memory of `Range<usize>`: groups are read in every pass over rows.
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

/// The rows of one joint, force or pair of colliders.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Their origin.
    pub owner: RowSource,
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

    /// Its friction bounds.
    #[inline]
    pub fn cones(&self) -> Range<usize> {
        self.cones.range()
    }

    /// The index of the joint that wrote it.
    pub fn joint(&self) -> Option<usize> {
        match self.owner {
            RowSource::Joint(place) => Some(place as usize),
            RowSource::Force(_) | RowSource::Subsystem(..) | RowSource::Pair(_) => None,
        }
    }

    /// Whether a force wrote it.
    pub fn is_force(&self) -> bool {
        matches!(self.owner, RowSource::Force(_))
    }

    /// Whether a subsystem wrote it.
    pub fn is_subsystem(&self) -> bool {
        matches!(self.owner, RowSource::Subsystem(..))
    }

    /// The index of the pair that wrote it.
    pub fn pair(&self) -> Option<usize> {
        match self.owner {
            RowSource::Joint(_) | RowSource::Force(_) | RowSource::Subsystem(..) => None,
            RowSource::Pair(number) => Some(number as usize),
        }
    }
}

/// All rows of a step. Written by `constrain`.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// One per joint, in the order of their indices; then one per force with dampers; then those of subsystems; then one
    /// per pair of colliders with contact points.
    pub groups: Vec<Group>,
    /// The rows, group after group.
    pub rows: Vec<Row>,
    /// Where each row's blocks end; they begin where those of the row before end.
    pub ends: Vec<u32>,
    /// The blocks, row after row.
    pub blocks: Vec<JacobianBlock>,
    /// Coordinates in the order in which the joints report them.
    pub coordinates: Vec<f64>,
    /// Their Jacobian blocks.
    pub rates: Vec<[JacobianBlock; 2]>,
    /// The frames of the anchors at which the rows were evaluated, joint after joint.
    pub frames: Vec<Frame>,
    /// Friction bounds, in the order of their rows.
    pub cones: Vec<FrictionBound>,
    /// Rows that yield at their upper bound up to a stop, in order, and their distance from it [m].
    pub stops: Vec<(usize, f64)>,
    /// Rows of subsystems in order, with the mode in which each starts the search for a solution.
    pub(crate) initial_modes: Vec<(u32, BoundMode)>,
    /// Whether any row may be rigid: false only if none is.
    pub holds: bool,
    /// The largest violation of a rigid, unbounded row as written [m or rad].
    pub(crate) widest: f64,
    /// Energy stored by the rows when they were written [J],
    stored: f64,
    /// and the additional energy of stiffening links and nonlinear springs.
    pub(crate) beyond: f64,
    /// Whether rows were changed in place.
    pub(crate) changed: bool,
    /// The revision of the model for which they were written.
    pub(crate) revision: u64,
    compliance: Compliance,
}

impl Rows {
    /// The groups of pairs of colliders.
    pub fn touching(&self) -> &[Group] {
        &self.groups[self.groups.partition_point(|group| group.pair().is_none())..]
    }

    /// Those of them among some groups, which are sorted.
    pub fn touching_among<'a>(&'a self, groups: &'a [u32]) -> impl Iterator<Item = &'a Group> + Clone {
        let first = groups.partition_point(|g| self.groups[*g as usize].pair().is_none());
        groups[first..].iter().map(|g| &self.groups[*g as usize])
    }

    /// Clears the list, keeping its memory.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.rows.clear();
        self.ends.clear();
        self.blocks.clear();
        self.coordinates.clear();
        self.rates.clear();
        self.frames.clear();
        self.cones.clear();
        self.stops.clear();
        self.initial_modes.clear();
        (self.holds, self.changed) = (false, false);
        (self.widest, self.stored, self.beyond) = (0.0, 0.0, 0.0);
    }

    /// Begins a group of rows with the range of its frames.
    pub(crate) fn open(&mut self, owner: RowSource, compliance: Compliance, frames: Range<usize>) {
        self.compliance = compliance;
        let [rows, coordinates, cones] =
            [self.rows.len(), self.coordinates.len(), self.cones.len()].map(|n| Span::new(n..n));
        self.groups.push(Group { owner, rows, coordinates, frames: Span::new(frames), cones });
    }

    /// The rows and coordinates of the open group so far.
    pub(crate) fn written(&self) -> (Range<usize>, Range<usize>) {
        let start = self.groups.last().map_or((0, 0), |g| (g.rows().start, g.coordinates().start));
        (start.0..self.rows.len(), start.1..self.coordinates.len())
    }

    /// Ends the open group.
    pub(crate) fn close(&mut self) {
        let [rows, coordinates, cones] =
            [self.rows.len(), self.coordinates.len(), self.cones.len()].map(|n| n as u32);
        let group = self.groups.last_mut().expect("close follows open");
        (group.rows.end, group.coordinates.end, group.cones.end) = (rows, coordinates, cones);
        for row in &self.rows[group.rows()] {
            self.holds |= row.law == RowLaw::Rigid;
            self.widest = self.widest.max(row.open());
            self.stored += row.stored();
        }
    }

    /// Appends a row.
    #[inline]
    pub fn push(&mut self, row: Row, blocks: &[JacobianBlock]) {
        // most rows have two blocks: copying them inline is faster than a call
        blocks.iter().for_each(|b| self.blocks.push(*b));
        self.ends.push(self.blocks.len() as u32);
        self.rows.push(row);
    }

    /// The mode in which a row of a subsystem starts the search for a solution.
    pub(crate) fn initial_mode(&self, row: usize) -> BoundMode {
        let found = self.initial_modes.binary_search_by_key(&(row as u32), |(row, _)| *row);
        found.map_or(BoundMode::Between, |at| self.initial_modes[at].1)
    }

    /// Gives the last row a stop beyond its upper bound, at a distance [m].
    pub fn stop(&mut self, gap: f64) {
        self.stops.push((self.rows.len() - 1, gap));
    }

    /// Distance of a row from its stop, if it has one [m].
    #[inline]
    pub fn gap_to_stop(&self, row: usize) -> Option<f64> {
        let found = self.stops.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.stops[found].1)
    }

    /// Appends a constraint row between points, with the joint's linear compliance.
    #[inline]
    pub fn hold_points(&mut self, gap: f64, blocks: &[JacobianBlock]) {
        self.push(Row::hold(gap).soft(self.compliance.linear), blocks);
    }

    /// Appends a constraint row between axes, with the joint's angular compliance.
    #[inline]
    pub fn hold_axes(&mut self, gap: f64, blocks: &[JacobianBlock]) {
        self.push(Row::hold(gap).soft(self.compliance.angular), blocks);
    }

    /// Appends a constraint row between coordinates, with the joint's linear compliance, else with its angular one.
    #[inline]
    pub fn hold_coordinates(&mut self, gap: f64, blocks: &[JacobianBlock]) {
        self.push(Row::hold(gap).soft(self.compliance.linear.or(self.compliance.angular)), blocks);
    }

    /// Appends the value of the joint's next coordinate and its Jacobian blocks.
    pub fn coordinate(&mut self, value: f64, rate: [JacobianBlock; 2]) {
        self.coordinates.push(value);
        self.rates.push(rate);
    }

    /// The largest violation of the rigid, unbounded rows in a range [m or rad].
    pub fn widest(&self, rows: Range<usize>) -> f64 {
        self.rows[rows].iter().fold(0.0, |m, r| m.max(r.open()))
    }

    /// Energy stored by soft rows [J].
    pub fn elastic(&self) -> f64 {
        let rows = if self.changed { self.rows.iter().map(Row::stored).sum() } else { self.stored };
        rows + self.beyond
    }

    /// The same after a solve: taut links of cables store ½ T²/k of their tension. Their gaps also contain the sagitta of
    /// arcs within a step, which corresponds to no force. Slack ones store P |g| as well, by their gaps.
    pub(crate) fn elastic_under(&self, forces: &[f64]) -> f64 {
        let more = |(row, force): (&Row, &f64)| match row.law {
            RowLaw::Spring(spring) if row.is_link() && *force < row.hi => {
                0.5 * force * force / spring.stiffness - row.stored()
            }
            _ => 0.0,
        };
        self.elastic() + self.rows.iter().zip(forces).map(more).sum::<f64>()
    }

    /// The range of a row's blocks.
    #[inline]
    pub fn range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.ends[row - 1] as usize };
        start..self.ends[row] as usize
    }

    /// A row's blocks.
    #[inline]
    pub fn blocks(&self, row: usize) -> &[JacobianBlock] {
        &self.blocks[self.range(row)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Spring;
    use super::*;

    #[test]
    fn springs_store_up_to_their_bounds() {
        let soft = |row: Row, stiffness: f64| row.soft(Some(Spring::new(stiffness, 1.0)));
        let mut rows = Rows::default();
        rows.open(RowSource::Joint(0), Compliance::default(), 0..0);
        rows.push(soft(Row::hold(0.1), 100.0), &[]);
        // a compressed stop, and an open one
        rows.push(soft(Row::push(-0.2), 10.0), &[]);
        rows.push(soft(Row::push(0.3), 10.0), &[]);
        // 2 N from 2 cm on: a triangle and a rectangle
        rows.push(soft(Row { lo: -2.0, hi: 2.0, ..Row::hold(-0.1) }, 100.0), &[]);
        rows.push(Row::hold(0.5), &[]);
        rows.close();
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        near(rows.elastic(), 0.5 + 0.2 + 0.0 + (0.02 + 0.16));
        near(rows.widest, 0.5);
        // a hook, or an input, changes a row in place
        rows.rows[0].gap = 0.2;
        rows.changed = true;
        near(rows.elastic(), 2.0 + 0.2 + 0.0 + 0.18);
    }
}
