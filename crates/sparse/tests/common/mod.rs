//! Systems with known values: pattern + blocks → dense matrix, factor, right side.
use nalgebra::{DMatrix, DVector};
use windlass_sparse::{EdgeIx, Factor, Half, NodeIx, Orientation, Pattern, Tolerance};

/// SplitMix64: the same numbers on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Uniform in [−1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.signed()).collect()
    }
}

/// A pattern with the values of all its blocks, column-major as given.
#[derive(Default, Clone)]
pub struct System {
    pub pattern: Pattern,
    pub diagonals: Vec<Vec<f64>>,
    pub couplings: Vec<Vec<f64>>,
}

impl System {
    pub fn width(&self, node: NodeIx) -> usize {
        self.pattern.nodes()[node.0 as usize].1
    }

    pub fn node(&mut self, part: Half, width: usize, values: Vec<f64>) -> NodeIx {
        assert_eq!(values.len(), width * width);
        self.diagonals.push(values);
        self.pattern.node(part, width)
    }

    /// A primal with a random well-conditioned H.
    pub fn body(&mut self, rng: &mut Rng, width: usize) -> NodeIx {
        let g = DMatrix::from_fn(width, width, |_, _| rng.signed());
        let h = &g * g.transpose() + DMatrix::identity(width, width);
        self.node(Half::Primal, width, h.as_slice().to_vec())
    }

    /// A dual with −Σ = −sigma · 1.
    pub fn constraint(&mut self, width: usize, sigma: f64) -> NodeIx {
        let s = DMatrix::from_diagonal_element(width, width, -sigma);
        self.node(Half::Dual, width, s.as_slice().to_vec())
    }

    pub fn edge(&mut self, i: NodeIx, j: NodeIx, values: Vec<f64>) -> EdgeIx {
        assert_eq!(values.len(), self.width(i) * self.width(j));
        self.couplings.push(values);
        self.pattern.edge(i, j)
    }

    /// A random coupling, given either way round.
    pub fn couple(&mut self, rng: &mut Rng, i: NodeIx, j: NodeIx) -> EdgeIx {
        let (i, j) = if rng.below(2) == 0 { (i, j) } else { (j, i) };
        let values = rng.vector(self.width(i) * self.width(j));
        self.edge(i, j, values)
    }

    /// A dual between bodies, randomly coupled to each.
    pub fn joint(&mut self, rng: &mut Rng, width: usize, sigma: f64, bodies: &[NodeIx]) -> NodeIx {
        let j = self.constraint(width, sigma);
        for &b in bodies {
            self.couple(rng, j, b);
        }
        j
    }

    pub fn write(&self, factor: &mut Factor) {
        factor.clear();
        for k in 0..self.diagonals.len() {
            self.write_diagonal(k, factor);
        }
        for e in 0..self.couplings.len() {
            self.write_coupling(e, factor);
        }
    }

    pub fn write_diagonal(&self, k: usize, factor: &mut Factor) {
        factor.diagonal_mut(NodeIx(k as u32)).copy_from_slice(&self.diagonals[k]);
    }

    pub fn write_coupling(&self, e: usize, factor: &mut Factor) {
        let values = &self.couplings[e];
        let rows = self.width(self.pattern.edges()[e].0);
        let (slot, orientation) = factor.coupling_mut(EdgeIx(e as u32));
        match orientation {
            Orientation::AsGiven => slot.copy_from_slice(values),
            Orientation::Transposed => {
                let columns = values.len() / rows;
                for c in 0..columns {
                    for r in 0..rows {
                        slot[r * columns + c] = values[c * rows + r];
                    }
                }
            }
        }
    }

    pub fn factored(&self) -> Factor {
        let mut factor = Factor::new(&self.pattern);
        self.write(&mut factor);
        factor.factor();
        factor
    }

    pub fn offsets(&self) -> Vec<usize> {
        let widths = self.pattern.nodes().iter().map(|node| node.1);
        widths.scan(0, |sum, width| Some(std::mem::replace(sum, *sum + width))).collect()
    }

    pub fn dense(&self) -> DMatrix<f64> {
        let offsets = self.offsets();
        let n = self.pattern.nodes().iter().map(|node| node.1).sum();
        let mut a = DMatrix::zeros(n, n);
        for (k, values) in self.diagonals.iter().enumerate() {
            let (at, width) = (offsets[k], self.pattern.nodes()[k].1);
            for c in 0..width {
                for r in 0..width {
                    a[(at + r, at + c)] = values[c * width + r];
                }
            }
        }
        for (&(i, j), values) in self.pattern.edges().iter().zip(&self.couplings) {
            let rows = self.width(i);
            for (at, &value) in values.iter().enumerate() {
                let (r, c) = (offsets[i.0 as usize] + at % rows, offsets[j.0 as usize] + at / rows);
                a[(r, c)] = value;
                a[(c, r)] = value;
            }
        }
        a
    }

    /// Relative difference between the sparse and a dense solution of A x = A x₀.
    pub fn difference(&self, rng: &mut Rng) -> f64 {
        self.difference_with(rng, Tolerance::default())
    }

    /// The same with another tolerance for dependent rows.
    pub fn difference_with(&self, rng: &mut Rng, tolerance: Tolerance) -> f64 {
        let a = self.dense();
        let b = &a * DVector::from_vec(rng.vector(a.nrows()));
        let reference = a.lu().solve(&b).expect("regular system");
        let mut factor = Factor::new(&self.pattern);
        factor.set_tolerance(tolerance);
        self.write(&mut factor);
        factor.factor();
        assert_eq!(factor.dropped(), []);
        let mut x = b.as_slice().to_vec();
        factor.solve(&mut x);
        (DVector::from_vec(x) - &reference).norm() / reference.norm()
    }
}

const WIDTHS: [usize; 3] = [1, 3, 6];

/// Width of a joint, mostly less than its bodies leave free.
fn joint_width(rng: &mut Rng, loops: bool) -> usize {
    WIDTHS[rng.below(if loops { 2 } else { 3 })]
}

fn compliance(rng: &mut Rng) -> f64 {
    if rng.below(3) == 0 { 0.1 } else { 0.0 }
}

/// Ground – joint – body – joint – body …
pub fn chain(rng: &mut Rng, n: usize) -> System {
    let mut system = System::default();
    let mut last = None;
    for _ in 0..n {
        let body = system.body(rng, 6);
        let (width, sigma) = (joint_width(rng, false), compliance(rng));
        let bodies: Vec<NodeIx> = last.into_iter().chain([body]).collect();
        system.joint(rng, width, sigma, &bodies);
        last = Some(body);
    }
    system
}

/// Each body hangs on a random earlier one; the first on the ground.
pub fn tree(rng: &mut Rng, n: usize) -> System {
    let mut system = System::default();
    let mut bodies: Vec<NodeIx> = Vec::new();
    for k in 0..n {
        let body = system.body(rng, 6);
        let (width, sigma) = (joint_width(rng, false), compliance(rng));
        let parent = if k == 0 { None } else { Some(bodies[rng.below(k)]) };
        let ends: Vec<NodeIx> = parent.into_iter().chain([body]).collect();
        system.joint(rng, width, sigma, &ends);
        bodies.push(body);
    }
    system
}

/// n bodies and n joints in a circle.
pub fn ring(rng: &mut Rng, n: usize) -> System {
    let mut system = System::default();
    let bodies: Vec<NodeIx> = (0..n).map(|_| system.body(rng, 6)).collect();
    for k in 0..n {
        let (width, sigma) = (joint_width(rng, true), compliance(rng));
        system.joint(rng, width, sigma, &[bodies[k], bodies[(k + 1) % n]]);
    }
    system
}

/// Two rails of n uprights with rungs; every upright also has a joint to the ground.
pub fn ladder(rng: &mut Rng, n: usize) -> System {
    let mut system = System::default();
    let rails: Vec<[NodeIx; 2]> = (0..n).map(|_| [system.body(rng, 6), system.body(rng, 6)]).collect();
    for k in 0..n {
        system.joint(rng, 1, 0.0, &rails[k]);
        for side in 0..2 {
            system.joint(rng, 1, 0.0, &[rails[k][side]]);
            if k > 0 {
                let width = joint_width(rng, true);
                system.joint(rng, width, 0.0, &[rails[k - 1][side], rails[k][side]]);
            }
        }
    }
    system
}

/// n × n bodies, joints to the right and below.
pub fn grid(rng: &mut Rng, n: usize) -> System {
    let mut system = System::default();
    let bodies: Vec<NodeIx> = (0..n * n).map(|_| system.body(rng, 6)).collect();
    for y in 0..n {
        for x in 0..n {
            let here = bodies[y * n + x];
            if x + 1 < n {
                system.joint(rng, 3, 0.0, &[here, bodies[y * n + x + 1]]);
            }
            if y + 1 < n {
                system.joint(rng, 1, 0.0, &[here, bodies[(y + 1) * n + x]]);
            }
        }
    }
    system
}
