//! One island as a linear complementarity problem, in its own numbering.
//!
//!   [ M̃  −Jᵀ ] [ u ]   [ p ]
//!   [ J   Σ  ] [ Λ ] = [ r ]        lo ≤ Λ ≤ hi
//!
//! The factor holds the symmetric form with unknowns (u, −Λ). Bodies are its primal nodes; the rows of a joint on the same bodies go,
//! six at a time, into dual nodes of width 1, 3, 5 or 6. Which block of which row goes where is found once per
//! topology (`places`), so assembling is one pass over the blocks. Rows of contacts come last; the direct solver has copies of
//! their blocks (`owned`), since it turns the axes of friction.

use super::closing::Closing;
use super::cone::Cone;
use super::descend::Descent;
use super::soften::{Beat, Impulses, Softened};
use super::sweep::Sweeper;
use super::taut::Taut;
use crate::body::frame::Block;
use crate::body::twist::Twist;
use crate::force::free_motion::Free;
use crate::partition::{Island, Key};
use crate::row::Mode;
use crate::row::rows::Rows;
use crate::settings::Solver;
use glam::{DMat3, DVec3};
use std::ops::Range;
use windlass_sparse::{EdgeIx, Factor, NodeIx, Part, Pattern};

/// Where a block of a row belongs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Its body is not free: what it does is known.
    Known,
    /// In the factor: where the first of its six numbers goes, how far apart they are, the first entry of its body.
    Unknown { first: u32, stride: u32, body: u32 },
}

impl Place {
    /// The first entry of its body, if that is unknown.
    fn body(self) -> Option<usize> {
        match self {
            Place::Known => None,
            Place::Unknown { body, .. } => Some(body as usize),
        }
    }

    /// The six numbers of its body in a vector; nothing of a known one.
    #[inline]
    fn of(self, x: &[f64]) -> [f64; 6] {
        self.body().and_then(|body| x[body..].first_chunk().copied()).unwrap_or_default()
    }
}

/// A dual node: some rows of a joint.
#[derive(Clone, Copy, Debug)]
struct Dual {
    node: NodeIx,
    width: usize,
    /// First local row and how many.
    first: usize,
    count: usize,
    /// Where its edges end in [`Problem::edges`]; they begin where the last node's ended.
    edges: usize,
    /// Where the two blocks of its first row belong, if all its rows have two, of the same two bodies in the same order:
    /// nearly all joints'.
    ends: Option<[Place; 2]>,
    /// Whether it closes a loop.
    loops: bool,
}

/// One island's system.
#[derive(Debug, Default)]
pub struct Problem {
    /// Places of its bodies.
    pub bodies: Vec<u32>,
    /// Its groups' indices in Rows.
    pub groups: Vec<u32>,
    /// What they are to its layout.
    keys: Vec<Key>,
    /// Its rows' indices in Rows.
    pub rows: Vec<usize>,
    /// Discretised rows, by local row.
    pub softened: Vec<Softened>,
    /// Impulses of their multipliers; of those that are not listed in `bounded`, none.
    pub bounds: Vec<Impulses>,
    /// Where each multiplier stands against its bounds, by local row.
    pub modes: Vec<Mode>,
    /// Multipliers, by local row.
    pub lambda: Vec<f64>,
    /// Local rows with a finite bound, ascending.
    pub bounded: Vec<usize>,
    /// Masses and midpoint inertias, by local body.
    pub masses: Vec<(f64, DMat3)>,
    /// Largest speed the bodies would have without constraints: what rates are small against.
    pub pace: f64,
    /// Right side of the bodies, 6 per body.
    pub momentum: Vec<f64>,
    /// Solution: 6 per body, then the dual nodes.
    pub x: Vec<f64>,
    factor: Factor,
    duals: Vec<Dual>,
    edges: Vec<EdgeIx>,
    places: Vec<Place>,
    /// Where each local row's places begin.
    starts: Vec<usize>,
    /// Where each local row's entry is in x.
    entry: Vec<usize>,
    /// Work space of `refine`.
    pub(super) residue: Vec<f64>,
    /// Best multipliers seen by the active-set search.
    pub(super) best: Vec<f64>,
    /// An answer to go back to: multipliers and solution, cones, modes.
    pub(super) kept: Vec<f64>,
    pub(super) kept_cones: Vec<Cone>,
    pub(super) kept_modes: Vec<Mode>,
    /// Friction.
    pub cones: Vec<Cone>,
    /// The last relaxation of its bounds.
    pub(super) pace_last: f64,
    /// Whether a local row belongs to a cone.
    pub(super) rubs: Vec<bool>,
    /// The first local row of a contact.
    pub first_contact: usize,
    /// Copies of the blocks of the rows from there on, two each; none if sweeps have it, which read them where they are.
    pub(super) owned: Vec<Block>,
    /// The velocities that positions move with, six a body,
    pub(super) carry: Vec<f64>,
    /// if they are others than those of the solution.
    pub(super) carries: bool,
    /// The cluster of parts it belongs to; 0 for none.
    pub cluster: u32,
    /// Who solves it.
    pub solver: Solver,
    /// Whether it may go over to sweeps where the direct solver is slow.
    pub leaves: bool,
    /// Whether it has a factor.
    laid: bool,
    /// Work space of sweeps.
    pub(super) sweeper: Sweeper,
    /// Work space of the way down.
    pub(super) descent: Descent,
    /// Its cables.
    pub(super) taut: Taut,
    /// How far its joints are closed.
    pub(crate) closing: Closing,
}

/// The indices of an island's rows, in the memory of others.
fn rows_of(island: &Island, rows: &Rows, old: Vec<usize>) -> Vec<usize> {
    let mut all = refilled(old, 0, 0);
    island.groups.iter().for_each(|g| all.extend(rows.groups[*g as usize].rows()));
    all
}

fn width_for(count: usize) -> usize {
    match count {
        1 => 1,
        2 | 3 => 3,
        4 | 5 => 5,
        _ => 6,
    }
}

/// The first of some rows that act on the same free bodies. A node may be eliminated with one of its bodies while the others are
/// still to come; a row that does not act on that one would have no mobility then and count as redundant.
fn alike(rows: &Rows, bodies: &[u32], range: Range<usize>) -> Range<usize> {
    let all = |row: usize| rows.blocks(row).iter().map(|block| block.body);
    let free = |row: usize| all(row).filter(|body| bodies.binary_search(body).is_ok());
    let within = |a: usize, b: usize| free(a).all(|body| free(b).any(|other| other == body));
    // the rows of most joints have the same blocks
    let same = |a: usize, b: usize| all(a).eq(all(b)) || (within(a, b) && within(b, a));
    let first = range.start;
    let other = (first + 1..range.end).find(|row| !same(first, *row));
    first..other.unwrap_or(range.end)
}

/// Where an island's numbers go.
#[derive(Default)]
struct Layout {
    factor: Factor,
    duals: Vec<Dual>,
    edges: Vec<EdgeIx>,
    places: Vec<Place>,
    starts: Vec<usize>,
    entry: Vec<usize>,
}

impl Layout {
    /// Into a factor: up to six rows on the same bodies become a dual node, with an edge to each of their free bodies.
    fn new((bodies, groups): (&[u32], &[u32]), rows: &Rows, first_contact: usize) -> Layout {
        let mut pattern = Pattern::default();
        for _ in bodies {
            pattern.node(Part::Primal, 6);
        }
        let (mut duals, mut all_edges, mut count) = (Vec::new(), Vec::new(), 0);
        let (mut found, mut starts) = (Vec::new(), Vec::new());
        for group in groups.iter().map(|g| &rows.groups[*g as usize]) {
            let mut start = group.rows().start;
            while start < group.rows().end {
                let chunk = alike(rows, bodies, start..group.rows().end.min(start + 6));
                start = chunk.end;
                let width = width_for(chunk.len());
                let node = pattern.node(Part::Dual, width);
                let mut edges: Vec<(u32, EdgeIx)> = Vec::new();
                for (row, index) in chunk.clone().enumerate() {
                    starts.push(found.len());
                    for block in rows.blocks(index) {
                        let Ok(body) = bodies.binary_search(&block.body) else {
                            found.push(None);
                            continue;
                        };
                        let known = edges.iter().find(|(b, _)| *b == block.body).map(|(_, e)| *e);
                        let edge = known.unwrap_or_else(|| {
                            let edge = pattern.edge(node, NodeIx(body as u32));
                            edges.push((block.body, edge));
                            edge
                        });
                        found.push(Some((edge, row, 6 * body as u32)));
                    }
                }
                all_edges.extend(edges.iter().map(|(_, edge)| *edge));
                let (first, edges) = (count, all_edges.len());
                duals.push(Dual { node, width, first, count: chunk.len(), edges, ends: None, loops: false });
                count += chunk.len();
            }
        }
        let mut factor = Factor::new(&pattern);
        // rows of contacts always give a little: none depends on others
        let first_touching = duals.iter().find(|d| d.first >= first_contact).map(|d| d.node);
        factor.trust(|node| first_touching.is_some_and(|first| node >= first));
        let place = |place: Option<(EdgeIx, usize, u32)>| match place {
            None => Place::Known,
            Some((edge, row, body)) => {
                let [first, second] = [0, 1].map(|column| factor.element(edge, row, column) as u32);
                Place::Unknown { first, stride: second - first, body }
            }
        };
        let places: Vec<Place> = found.into_iter().map(place).collect();
        for dual in &mut duals {
            dual.loops = factor.closes_loop(dual.node);
            let blocks_of = |row: usize| places_of(&places, &starts, dual.first + row);
            let bodies_of = |row: usize| blocks_of(row).iter().map(|place| place.body());
            if let [a, b] = *blocks_of(0)
                && a.body() != b.body()
                && (0..dual.count).all(|row| bodies_of(row).eq([a.body(), b.body()]))
            {
                dual.ends = Some([a, b]);
            }
        }
        let entry = duals.iter().flat_map(|d| (0..d.count).map(|row| factor.offset(d.node) + row)).collect();
        Layout { factor, duals, edges: all_edges, places, starts, entry }
    }

    /// Nowhere: sweeps need to know the bodies of each row and no more. Uses the memory of another.
    fn flat((bodies, groups): (&[u32], &[u32]), rows: &Rows, old: (Vec<Place>, Vec<usize>)) -> Layout {
        let (mut places, mut starts) = (refilled(old.0, 0, Place::Known), refilled(old.1, 0, 0));
        let place = |body: u32| match bodies.binary_search(&body) {
            Ok(body) => Place::Unknown { first: 0, stride: 0, body: 6 * body as u32 },
            Err(_) => Place::Known,
        };
        for group in groups.iter().map(|g| &rows.groups[*g as usize]) {
            // the rows of a contact have the same two bodies
            let both = group.pair().map(|_| {
                let blocks = rows.blocks(group.rows().start);
                [place(blocks[0].body), place(blocks[1].body)]
            });
            for index in group.rows() {
                starts.push(places.len());
                match both {
                    Some(both) => places.extend(both),
                    None => places.extend(rows.blocks(index).iter().map(|block| place(block.body))),
                }
            }
        }
        Layout { places, starts, ..Layout::default() }
    }
}

/// A vector of so many like numbers in the memory of another.
fn refilled<T: Clone>(mut old: Vec<T>, len: usize, value: T) -> Vec<T> {
    old.clear();
    old.resize(len, value);
    old
}

impl Problem {
    /// Lays out an island for a solver, in the memory of a problem that is no more. One with contacts that sweeps, or may leave
    /// the direct solver, gets a factor when it is asked for; others at once.
    pub(super) fn new(
        island: &Island,
        rows: &Rows,
        (solver, leaves): (Solver, bool),
        taut: Taut,
        old: Problem,
    ) -> Problem {
        let groups = || island.groups.iter().map(|g| &rows.groups[*g as usize]);
        let of_contacts: usize = rows.touching_among(&island.groups).map(|g| g.rows().len()).sum();
        let local = rows_of(island, rows, old.rows);
        let (n, m) = (island.bodies.len(), local.len());
        let first_contact = m - of_contacts;
        let later = leaves || (solver == Solver::Iterative && of_contacts > 0);
        let parts = (&*island.bodies, &*island.groups);
        let layout = match later {
            true => Layout::flat(parts, rows, (old.places, old.starts)),
            false => Layout::new(parts, rows, first_contact),
        };
        let size = layout.factor.dimension().max(6 * n).max(m);
        Problem {
            bodies: island.bodies.clone(),
            groups: island.groups.clone(),
            keys: groups().map(|g| Key::of(rows, g)).collect(),
            rows: local,
            softened: refilled(old.softened, m, Softened::default()),
            bounds: refilled(old.bounds, m, Impulses::ANY),
            modes: refilled(old.modes, m, Mode::Between),
            lambda: refilled(old.lambda, m, 0.0),
            bounded: refilled(old.bounded, 0, 0),
            masses: refilled(old.masses, n, (0.0, DMat3::ZERO)),
            pace: 0.0,
            momentum: refilled(old.momentum, 6 * n, 0.0),
            x: refilled(old.x, size, 0.0),
            factor: layout.factor,
            duals: layout.duals,
            edges: layout.edges,
            places: layout.places,
            starts: layout.starts,
            entry: layout.entry,
            residue: refilled(old.residue, size, 0.0),
            best: refilled(old.best, m, 0.0),
            kept: Vec::new(),
            kept_cones: Vec::new(),
            kept_modes: Vec::new(),
            cones: old.cones,
            pace_last: 1.0,
            rubs: refilled(old.rubs, m, false),
            first_contact,
            owned: old.owned,
            carry: old.carry,
            carries: false,
            cluster: island.cluster,
            solver,
            leaves,
            laid: !later,
            sweeper: old.sweeper,
            descent: old.descent,
            taut,
            closing: Closing::default(),
        }
    }

    /// Whether it is laid out for such an island of the same model.
    pub(super) fn fits(&self, island: &Island, rows: &Rows) -> bool {
        let keys = island.groups.iter().map(|g| Key::of(rows, &rows.groups[*g as usize]));
        self.cluster == 0
            && island.cluster == 0
            && self.bodies == island.bodies
            && keys.eq(self.keys.iter().copied())
    }

    /// The same layout for the same island, whose rows have come to stand elsewhere among all. It keeps its solver.
    pub(super) fn moved_to(mut self, island: &Island, rows: &Rows, taut: Taut) -> Problem {
        let rows = rows_of(island, rows, std::mem::take(&mut self.rows));
        Problem { groups: island.groups.clone(), rows, taut, ..self }
    }

    /// Makes the factor if there is none yet.
    fn lay_out(&mut self, rows: &Rows) {
        if self.laid {
            return;
        }
        let Layout { factor, duals, edges, places, starts, entry } =
            Layout::new((&self.bodies, &self.groups), rows, self.first_contact);
        let size = factor.dimension().max(self.x.len());
        self.x.resize(size, 0.0);
        self.residue.resize(size, 0.0);
        (self.factor, self.duals, self.edges) = (factor, duals, edges);
        (self.places, self.starts, self.entry) = (places, starts, entry);
        self.laid = true;
    }

    /// Forgets friction, and takes over the blocks of the contacts' rows if it may turn them.
    pub fn load_contacts(&mut self, rows: &Rows) {
        self.cones.clear();
        self.rubs.fill(false);
        self.carries = false;
        self.pace_last = 1.0;
        self.owned.clear();
        if self.solver != Solver::Iterative {
            for row in &self.rows[self.first_contact..] {
                self.owned.extend_from_slice(rows.blocks(*row));
            }
        }
    }

    /// The blocks of a local row.
    #[inline]
    pub fn blocks<'a>(&'a self, rows: &'a Rows, local: usize) -> &'a [Block] {
        blocks_of(&self.owned, self.first_contact, rows, self.rows[local], local)
    }

    /// The blocks of rows that have two each, from a local row on.
    pub(super) fn blocks_from<'a>(&'a self, rows: &'a Rows, local: usize) -> &'a [[Block; 2]] {
        blocks_from(&self.owned, self.first_contact, rows, self.rows[local], local)
    }

    /// Where a local row's blocks belong.
    pub(super) fn places_of(&self, local: usize) -> &[Place] {
        places_of(&self.places, &self.starts, local)
    }

    /// J u of a local row at the present solution.
    #[inline]
    pub(super) fn rate_of(&self, rows: &Rows, local: usize) -> f64 {
        rate(&self.x, self.blocks(rows, local), &self.places[self.starts[local]..])
    }

    /// The same at other velocities.
    pub(super) fn rate_at(&self, rows: &Rows, local: usize, velocities: &[f64]) -> f64 {
        rate(velocities, self.blocks(rows, local), &self.places[self.starts[local]..])
    }

    /// J M⁻¹ Jᵀ of a local row whose bodies are different ones.
    pub(super) fn mobility(&self, rows: &Rows, local: usize) -> f64 {
        let parts = self.blocks(rows, local).iter().zip(self.places_of(local));
        parts.fold(0.0, |sum, (block, place)| {
            let Some(body) = place.body() else { return sum };
            let (mass, inertia) = &self.masses[body / 6];
            sum + block.linear.length_squared() / mass + block.angular.dot(inertia.inverse() * block.angular)
        })
    }

    /// dᵀ (M u − p) and dᵀ M d of velocities and a change of them.
    pub(super) fn inertial_slope(&self, u: &[f64], d: &[f64]) -> [f64; 2] {
        let mut slope = [0.0; 2];
        for (i, (mass, inertia)) in self.masses.iter().enumerate() {
            let (at, change) = (twist_of(&u[6 * i..]), twist_of(&d[6 * i..]));
            let momentum = |t: Twist| (t.velocity * *mass, *inertia * t.spin);
            let ((p, l), (dp, dl)) = (momentum(at), momentum(change));
            let p = p - DVec3::from_slice(&self.momentum[6 * i..]);
            let l = l - DVec3::from_slice(&self.momentum[6 * i + 3..]);
            slope[0] += change.velocity.dot(p) + change.spin.dot(l);
            slope[1] += change.velocity.dot(dp) + change.spin.dot(dl);
        }
        slope
    }

    /// Takes over a discretised row. Rows come in order; those with a finite bound are listed.
    #[inline]
    pub fn load_row(&mut self, local: usize, row: Softened, bounds: Impulses) {
        if local == 0 {
            self.bounded.drain(..).for_each(|local| self.bounds[local] = Impulses::ANY);
        }
        if bounds.is_bounded() {
            self.bounded.push(local);
            self.bounds[local] = bounds;
        } else {
            self.modes[local] = Mode::Between;
        }
        self.softened[local] = row;
    }

    /// What is at a bound pushes no more.
    pub fn release_bounds(&mut self) {
        self.bounded.iter().for_each(|local| self.bounds[*local] = Impulses::only(0.0));
    }

    /// Takes over masses and momenta.
    pub fn load(&mut self, free: &Free) {
        self.pace = 1e-300;
        for (i, body) in self.bodies.iter().enumerate() {
            let body = *body as usize;
            let inertial = &free.inertial[body];
            // for the spin the size of I is enough: a third of its trace
            let size = inertial.moments.element_sum();
            let speed = free.linear[body].abs().max_element() / inertial.mass;
            let spin = 3.0 * free.angular[body].abs().max_element() / size;
            self.pace = self.pace.max(speed).max(spin);
            self.masses[i] = (free.inertial[body].mass, free.inertia[body]);
            free.linear[body].write_to_slice(&mut self.momentum[6 * i..]);
            free.angular[body].write_to_slice(&mut self.momentum[6 * i + 3..]);
        }
    }

    /// Counts in how the pulls of cables turn.
    pub(super) fn stiffen(&mut self) {
        self.taut.stiffen(&mut self.masses, &mut self.momentum);
    }

    /// Whether its cables have become so much tauter that it should be solved again.
    pub(super) fn learn(&mut self, rows: &Rows, beat: &Beat) -> bool {
        !self.taut.is_empty() && self.taut.learn(rows, &self.lambda, beat, &self.masses)
    }

    /// Builds and factors the system for the present modes.
    pub fn factorise(&mut self, rows: &Rows) {
        self.lay_out(rows);
        self.factor.clear_fill();
        for node in 0..self.bodies.len() + self.duals.len() {
            self.write_node(NodeIx(node as u32), rows);
        }
        self.factor.factor();
    }

    /// Builds, factors and solves for (u, Λ) at the present modes. Nodes are written where elimination comes to them, so that
    /// the numbers of a long chain pass through the cache once.
    pub fn solve(&mut self, rows: &Rows) {
        self.lay_out(rows);
        self.load_right_side(rows);
        self.factor.clear_fill();
        self.factor.begin();
        for stretch in 0..self.factor.stretches() {
            for k in 0..self.factor.opens(stretch).len() {
                self.write_node(self.factor.opens(stretch)[k], rows);
            }
            self.factor.advance(stretch, &mut self.x);
        }
        self.factor.finish(&mut self.x);
        self.unload();
    }

    /// Writes a body's or a joint's blocks of the system for the present modes.
    fn write_node(&mut self, node: NodeIx, rows: &Rows) {
        match (node.0 as usize).checked_sub(self.bodies.len()) {
            None => self.write_body(node),
            Some(dual) => self.write_dual(dual, rows),
        }
    }

    fn write_body(&mut self, node: NodeIx) {
        let (mass, inertia) = &self.masses[node.0 as usize];
        let d: &mut [[f64; 6]; 6] = square(self.factor.diagonal_mut(node));
        for k in 0..3 {
            let [x, y, z] = inertia.col(k).to_array();
            d[k] = [0.0; 6];
            d[k][k] = *mass;
            d[k + 3] = [0.0, 0.0, 0.0, x, y, z];
        }
    }

    /// Rows at a bound are taken out.
    fn write_dual(&mut self, number: usize, rows: &Rows) {
        let dual = self.duals[number];
        let own = dual.first..dual.first + dual.count;
        let (modes, softened) = (&self.modes[own.clone()], &self.softened[own.clone()]);
        let all = dual.count == dual.width && modes.iter().all(|mode| *mode == Mode::Between);
        let d = self.factor.diagonal_mut(dual.node);
        match dual.width {
            1 => write_diagonal::<1>(d, modes, softened),
            3 => write_diagonal::<3>(d, modes, softened),
            5 => write_diagonal::<5>(d, modes, softened),
            _ => write_diagonal::<6>(d, modes, softened),
        }
        if dual.loops {
            for (row, (mode, s)) in modes.iter().zip(softened).enumerate() {
                let softness = if *mode == Mode::Between { s.sigma } else { 0.0 };
                self.factor.soften(dual.node, row, softness);
            }
        }
        // all numbers of its edges at once
        if let Some(ends) = dual.ends.filter(|_| all) {
            let first = self.rows[dual.first];
            let blocks = blocks_from(&self.owned, self.first_contact, rows, first, dual.first);
            let values = self.factor.values_mut();
            return match dual.width {
                1 => write_edges::<1>(values, ends, blocks),
                3 => write_edges::<3>(values, ends, blocks),
                5 => write_edges::<5>(values, ends, blocks),
                _ => write_edges::<6>(values, ends, blocks),
            };
        }
        let start = number.checked_sub(1).map_or(0, |before| self.duals[before].edges);
        for edge in &self.edges[start..dual.edges] {
            self.factor.coupling_mut(*edge).0.fill(0.0);
        }
        let values = self.factor.values_mut();
        for local in own.filter(|local| self.modes[*local] == Mode::Between) {
            let blocks = blocks_of(&self.owned, self.first_contact, rows, self.rows[local], local);
            for (block, place) in blocks.iter().zip(&self.places[self.starts[local]..]) {
                if let Place::Unknown { first, stride, .. } = place {
                    let slice = &mut values[*first as usize..];
                    for (k, value) in block.numbers().into_iter().enumerate() {
                        slice[k * *stride as usize] += value;
                    }
                }
            }
        }
    }

    /// Solves for (u, Λ) with the present factor: p and r in, x and lambda out.
    pub fn back_solve(&mut self, rows: &Rows) {
        self.load_right_side(rows);
        self.factor.solve(&mut self.x);
        self.unload();
    }

    /// x ← (p, r), rows at a bound pushing with it.
    fn load_right_side(&mut self, rows: &Rows) {
        let (bodies, rest) = self.x.split_at_mut(self.momentum.len());
        bodies.copy_from_slice(&self.momentum);
        rest.fill(0.0);
        for local in self.bounded.iter().copied() {
            let bound = match self.modes[local] {
                Mode::Between => continue,
                Mode::Low => self.bounds[local].lo,
                Mode::High => self.bounds[local].hi,
            };
            self.lambda[local] = bound;
            if bound != 0.0 {
                let blocks = blocks_of(&self.owned, self.first_contact, rows, self.rows[local], local);
                add_push(&mut self.x, blocks, &self.places[self.starts[local]..], bound);
            }
        }
        for (local, entry) in self.entry.iter().enumerate() {
            if self.modes[local] == Mode::Between {
                self.x[*entry] = self.softened[local].rhs;
            }
        }
    }

    /// lambda ← the multipliers in x.
    fn unload(&mut self) {
        for (local, entry) in self.entry.iter().enumerate() {
            if self.modes[local] == Mode::Between {
                self.lambda[local] = -self.x[*entry];
            }
        }
    }

    /// out ← Jᵀ Λ, six numbers a body.
    pub(super) fn pushes(&self, rows: &Rows, out: &mut Vec<f64>) {
        out.clear();
        out.resize(self.momentum.len(), 0.0);
        for (local, lambda) in self.lambda.iter().enumerate() {
            add_push(out, self.blocks(rows, local), self.places_of(local), *lambda);
        }
    }

    /// Keeps the multipliers to start from again,
    pub(super) fn keep_start(&mut self) {
        self.best.copy_from_slice(&self.lambda);
    }

    /// and goes back to them.
    pub(super) fn start_again(&mut self) {
        self.lambda.copy_from_slice(&self.best);
    }

    /// w = J u + ΣΛ − r of a local row at the present solution.
    pub fn violation(&self, rows: &Rows, local: usize) -> f64 {
        let s = &self.softened[local];
        self.rate_of(rows, local) + s.sigma * self.lambda[local] - s.rhs
    }

    /// Calls back with every local row and its w = J u + ΣΛ − r at the present solution.
    #[inline]
    pub fn each_residual(&self, rows: &Rows, mut see: impl FnMut(usize, &Softened, f64)) {
        // what sweeps has no nodes
        if self.duals.is_empty() {
            for (local, s) in self.softened.iter().enumerate() {
                see(local, s, self.violation(rows, local));
            }
        }
        for dual in &self.duals {
            let own = dual.first..dual.first + dual.count;
            let pairs = dual.ends.map(|ends| {
                let index = self.rows[dual.first];
                let blocks = blocks_from(&self.owned, self.first_contact, rows, index, dual.first);
                (ends.map(|end| end.of(&self.x)), &blocks[..dual.count])
            });
            let (softened, lambda) = (&self.softened[own.clone()], &self.lambda[own]);
            for (k, (s, lambda)) in softened.iter().zip(lambda).enumerate() {
                let rate = match pairs {
                    Some(([a, b], blocks)) => dot(&blocks[k][0], &a) + dot(&blocks[k][1], &b),
                    None => self.rate_of(rows, dual.first + k),
                };
                see(dual.first + k, s, rate + s.sigma * lambda - s.rhs);
            }
        }
    }

    /// The largest speed in the solution or before it.
    pub fn scale(&self) -> f64 {
        self.x[..self.momentum.len()].iter().fold(self.pace, |m, x| m.max(x.abs()))
    }

    /// What a body does in the solution.
    pub fn twist(&self, local: usize) -> Twist {
        twist_of(&self.x[6 * local..6 * local + 6])
    }

    /// With what a body moves in the step.
    pub fn carried(&self, local: usize) -> Twist {
        if !self.carries { self.twist(local) } else { twist_of(&self.carry[6 * local..6 * local + 6]) }
    }

    /// Rows that the last factorisation found to depend on others, as local rows.
    pub fn dropped(&self) -> impl Iterator<Item = usize> + '_ {
        self.factor.dropped().iter().filter_map(|d| {
            let dual = self.duals.iter().find(|dual| dual.node == d.node)?;
            (d.row < dual.count).then_some(dual.first + d.row)
        })
    }

    /// One step of iterative refinement: solves for the residual of the whole system and adds.
    pub fn refine(&mut self, rows: &Rows) {
        let mut residue = std::mem::take(&mut self.residue);
        residue[self.momentum.len()..].fill(0.0);
        // bodies: p − M u + JᵀΛ
        for (i, (mass, inertia)) in self.masses.iter().enumerate() {
            let Twist { velocity, spin } = self.twist(i);
            let r = &mut residue[6 * i..6 * i + 6];
            (DVec3::from_slice(&self.momentum[6 * i..]) - velocity * *mass).write_to_slice(r);
            (DVec3::from_slice(&self.momentum[6 * i + 3..]) - *inertia * spin).write_to_slice(&mut r[3..]);
        }
        for local in 0..self.rows.len() {
            let (blocks, places) = (self.blocks(rows, local), &self.places[self.starts[local]..]);
            add_push(&mut residue, blocks, places, self.lambda[local]);
            if self.modes[local] == Mode::Between {
                let s = &self.softened[local];
                residue[self.entry[local]] =
                    s.rhs - rate(&self.x, blocks, places) - s.sigma * self.lambda[local];
            }
        }
        self.factor.solve(&mut residue);
        for (x, d) in self.x.iter_mut().zip(&residue) {
            *x += d;
        }
        for (local, entry) in self.entry.iter().enumerate() {
            if self.modes[local] == Mode::Between {
                self.lambda[local] -= residue[*entry];
            }
        }
        self.residue = residue;
    }
}

/// Where a local row's blocks belong.
fn places_of<'a>(places: &'a [Place], starts: &[usize], local: usize) -> &'a [Place] {
    let end = starts.get(local + 1).copied().unwrap_or(places.len());
    &places[starts[local]..end]
}

/// The diagonal block of a node as its columns.
#[inline]
fn square<const W: usize>(d: &mut [f64]) -> &mut [[f64; W]; W] {
    d.as_chunks_mut().0.first_chunk_mut().expect("a block has the width of its node")
}

/// −Σ of the rows of a node; −1 for rows at a bound and for places without a row.
#[inline]
fn write_diagonal<const W: usize>(d: &mut [f64], modes: &[Mode], softened: &[Softened]) {
    let d = square::<W>(d);
    for (row, column) in d.iter_mut().enumerate() {
        let on = modes.get(row) == Some(&Mode::Between);
        *column = [0.0; W];
        column[row] = if on { -softened[row].sigma } else { -1.0 };
    }
}

/// Writes the edges of a node to its two bodies, all rows of it being there.
#[inline]
fn write_edges<const W: usize>(values: &mut [f64], ends: [Place; 2], blocks: &[[Block; 2]]) {
    let blocks: &[[Block; 2]; W] = blocks.first_chunk().expect("two blocks a row");
    for (side, end) in ends.into_iter().enumerate() {
        let Place::Unknown { first, stride, .. } = end else { continue };
        let values = &mut values[first as usize..first as usize + 6 * W];
        if stride == 1 {
            // row after row
            for (six, row) in values.as_chunks_mut().0.iter_mut().zip(blocks) {
                *six = row[side].numbers();
            }
        } else {
            let columns: &mut [[f64; W]; 6] =
                values.as_chunks_mut().0.first_chunk_mut().expect("six columns");
            for (r, row) in blocks.iter().enumerate() {
                let numbers = row[side].numbers();
                (0..6).for_each(|c| columns[c][r] = numbers[c]);
            }
        }
    }
}

/// Blocks of rows that have two each, from a local row on: a contact's may be the problem's own.
#[inline]
fn blocks_from<'a>(
    owned: &'a [Block],
    first_contact: usize,
    rows: &'a Rows,
    index: usize,
    local: usize,
) -> &'a [[Block; 2]] {
    let blocks = if local < first_contact || owned.is_empty() {
        &rows.blocks[rows.range(index).start..]
    } else {
        &owned[2 * (local - first_contact)..]
    };
    blocks.as_chunks().0
}

/// The blocks of a local row: a contact's may be the problem's own.
#[inline]
fn blocks_of<'a>(
    owned: &'a [Block],
    first_contact: usize,
    rows: &'a Rows,
    index: usize,
    local: usize,
) -> &'a [Block] {
    if local < first_contact || owned.is_empty() {
        rows.blocks(index)
    } else {
        &owned[2 * (local - first_contact)..2 * (local - first_contact) + 2]
    }
}

fn twist_of(x: &[f64]) -> Twist {
    Twist { velocity: DVec3::from_slice(x), spin: DVec3::from_slice(&x[3..]) }
}

/// x += Jᵀ Λ of one row.
#[inline]
fn add_push(x: &mut [f64], blocks: &[Block], places: &[Place], lambda: f64) {
    for (block, place) in blocks.iter().zip(places) {
        if let Place::Unknown { body, .. } = place {
            let x = &mut x[*body as usize..*body as usize + 6];
            for k in 0..3 {
                x[k] += block.linear[k] * lambda;
                x[k + 3] += block.angular[k] * lambda;
            }
        }
    }
}

/// J u of one row over the unknown bodies.
fn rate(x: &[f64], blocks: &[Block], places: &[Place]) -> f64 {
    blocks.iter().zip(places).fold(0.0, |sum, (block, place)| sum + dot(block, &place.of(x)))
}

/// What a block says of the six speeds of its body.
#[inline(always)]
fn dot(block: &Block, x: &[f64; 6]) -> f64 {
    let Block { linear: l, angular: a, .. } = block;
    (l.x * x[0] + l.y * x[1] + l.z * x[2]) + (a.x * x[3] + a.y * x[4] + a.z * x[5])
}
