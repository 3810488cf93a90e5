//! Block-sparse LDLᵀ of symmetric quasi-definite systems.
//!
//! ```text
//!     ⎡ H   Jᵀ ⎤ ⎡ v ⎤   ⎡ f ⎤
//!     ⎢        ⎥ ⎢   ⎥ = ⎢   ⎥      H ≻ 0 (primal nodes),  Σ ⪰ 0 (dual nodes)
//!     ⎣ J   −Σ ⎦ ⎣ λ ⎦   ⎣ g ⎦
//! ```
//!
//! A [`Pattern`] (nodes of width 1, 3, 5 or 6 and the edges between them) becomes a [`Factor`]: the order of
//! elimination, the position of every block, and all memory. Values written into the factor become
//! P A Pᵀ = L D Lᵀ, and a right-hand side becomes a solution, both without allocating. On a tree with one anchor
//! L has exactly the blocks of A, so the cost is linear in the number of nodes.
//!
//! | file | contents |
//! |---|---|
//! | `pattern.rs` | the caller's nodes and edges |
//! | `order.rs` | graph → order of elimination that keeps every pivot regular |
//! | `symbolic.rs` | order → columns of L, their layout, the list of updates |
//! | `pivot.rs` | pivot → inverse pivot, or a dropped row |
//! | `rounding_error.rs` | round-off error of a doubtful pivot |
//! | `numeric.rs` | the values |
//! | `kernel.rs` | arithmetic on blocks of fixed size |
//! | `eliminate.rs` | passes over the columns: factor, forward, backward |
//! | `dispatch.rs` | the same passes compiled for the baseline and for AVX2 |
//! | `factor.rs` | the public interface |
//!
//! ```
//! use windlass_sparse::{Factor, Half, Pattern};
//!
//! // Two unit masses held at a distance: v₁ − v₀ = 1, pushed by f = (1, 0).
//! let mut pattern = Pattern::default();
//! let (a, b) = (pattern.node(Half::Primal, 1), pattern.node(Half::Primal, 1));
//! let j = pattern.node(Half::Dual, 1);
//! let (ja, jb) = (pattern.edge(j, a), pattern.edge(j, b));
//!
//! let mut factor = Factor::new(&pattern);
//! factor.clear();
//! factor.diagonal_mut(a)[0] = 1.0;
//! factor.diagonal_mut(b)[0] = 1.0;
//! factor.coupling_mut(ja).0[0] = -1.0;
//! factor.coupling_mut(jb).0[0] = 1.0;
//! assert_eq!(factor.factor().dropped, 0);
//!
//! let mut x = [1.0, 0.0, 1.0];
//! factor.solve(&mut x);
//! assert_eq!(x, [0.0, 1.0, -1.0]);
//! ```

mod dispatch;
mod eliminate;
mod factor;
mod kernel;
mod numeric;
mod order;
mod pattern;
mod pivot;
mod rounding_error;
mod symbolic;

pub use factor::{Factor, Orientation};
pub use pattern::{EdgeIx, Half, NodeIx, Pattern};
pub use pivot::{Dropped, Outcome, Tolerance};
