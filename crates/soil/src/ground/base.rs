//! Heights of the undisturbed ground.

/// Heights before anything is dug [m].
#[derive(Clone, Debug, PartialEq)]
pub enum Heights {
    /// The same everywhere.
    Flat(f64),
    /// A grid of its own resolution, interpolated bilinearly and continued by its border.
    Grid {
        /// Position of the first value [m].
        origin: [f64; 2],
        /// Distance between values [m].
        spacing: [f64; 2],
        /// Number of values along x and y.
        nodes: [usize; 2],
        /// Heights [m], x fastest.
        values: Vec<f64>,
    },
}

impl Heights {
    /// The height at a point [m].
    pub fn at(&self, x: f64, y: f64) -> f64 {
        match self {
            Heights::Flat(height) => *height,
            Heights::Grid { origin, spacing, nodes, values } => {
                let place = |at: f64, k: usize| {
                    let last = (nodes[k] - 1) as f64;
                    let u = ((at - origin[k]) / spacing[k]).clamp(0.0, last);
                    let low = libm::floor(u).min((last - 1.0).max(0.0));
                    (low as usize, u - low, usize::from(nodes[k] > 1))
                };
                let ((i, u, di), (j, v, dj)) = (place(x, 0), place(y, 1));
                let value = |i: usize, j: usize| values[i + j * nodes[0]];
                let low = value(i, j) + u * (value(i + di, j) - value(i, j));
                let high = value(i, j + dj) + u * (value(i + di, j + dj) - value(i, j + dj));
                low + v * (high - low)
            }
        }
    }

    /// The lowest and the highest [m].
    pub(super) fn range(&self) -> [f64; 2] {
        match self {
            Heights::Flat(height) => [*height; 2],
            Heights::Grid { values, .. } => {
                let start = [f64::INFINITY, f64::NEG_INFINITY];
                values.iter().fold(start, |[low, high], z| [low.min(*z), high.max(*z)])
            }
        }
    }

    /// A bound of their gradient: that of a bilinear patch is at most that of its steepest sides.
    pub(super) fn steepest(&self) -> f64 {
        match self {
            Heights::Flat(_) => 0.0,
            Heights::Grid { spacing, nodes: [nx, _], values, .. } => {
                let rows = values.chunks_exact(*nx);
                let along = rows.clone().flat_map(|row| row.windows(2)).map(|two| (two[1] - two[0]).abs());
                let pairs = rows.clone().zip(rows.skip(1)).flat_map(|(a, b)| a.iter().zip(b));
                let [along, across] =
                    [along.fold(0.0, f64::max), pairs.map(|(a, b)| (b - a).abs()).fold(0.0, f64::max)];
                libm::hypot(along / spacing[0], across / spacing[1])
            }
        }
    }

    /// Whether it can be evaluated anywhere.
    pub(super) fn is_valid(&self) -> bool {
        match self {
            Heights::Flat(height) => height.is_finite(),
            Heights::Grid { origin, spacing, nodes, values } => {
                let sizes =
                    nodes[0] > 0 && nodes[1] > 0 && nodes[0].checked_mul(nodes[1]) == Some(values.len());
                let steps = spacing.iter().all(|s| s.is_finite() && *s > 0.0);
                sizes && steps && origin.iter().chain(values).all(|x| x.is_finite())
            }
        }
    }
}
