//! Definiteness of [`SpatialMatrix`], with rotations measured as displacements at a length from the reference point.

use crate::dense::symmetric_eigen;
use windlass_engine::body::spatial::SpatialMatrix;

/// The matrix of a similar body, larger by `ratio` about the reference point, in the same fluid.
pub fn resized(matrix: &SpatialMatrix, ratio: f64) -> SpatialMatrix {
    let cube = ratio * ratio * ratio;
    SpatialMatrix {
        linear: matrix.linear * cube,
        coupling: matrix.coupling * (cube * ratio),
        angular: matrix.angular * (cube * ratio * ratio),
    }
}

/// Eigenvalues [kg], ascending, with rotations measured as displacements at `length` [m] from the reference point.
pub fn eigenvalues(matrix: &SpatialMatrix, length: f64) -> [f64; 6] {
    let (mut values, _) = symmetric_eigen(per_length(matrix, length));
    values.sort_by(f64::total_cmp);
    values
}

/// True if no motion has an energy below −`tolerance` times that of the most energetic one, for rotations measured
/// at `length` [m] from the reference point.
pub fn is_positive_semidefinite(matrix: &SpatialMatrix, length: f64, tolerance: f64) -> bool {
    let values = eigenvalues(matrix, length);
    values.iter().all(|v| v.is_finite()) && values[0] >= -tolerance * values[5].max(0.0)
}

/// The nearest matrix without negative eigenvalues, for rotations measured at `length` [m] from the reference point.
pub(crate) fn without_negative(matrix: &SpatialMatrix, length: f64) -> SpatialMatrix {
    let (values, v) = symmetric_eigen(per_length(matrix, length));
    if values.iter().all(|&x| x >= 0.0) {
        return *matrix;
    }
    let unit = |i: usize| if i < 3 { 1.0 } else { length };
    let rows = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let sum: f64 = (0..6).map(|k| v[i][k] * values[k].max(0.0) * v[j][k]).sum();
            sum * unit(i) * unit(j)
        })
    });
    SpatialMatrix::symmetric_part(&rows)
}

/// Its rows with angles replaced by displacements at `length` from the reference point.
pub(super) fn per_length(matrix: &SpatialMatrix, length: f64) -> [[f64; 6]; 6] {
    let unit = |i: usize| if i < 3 { 1.0 } else { length };
    let rows = matrix.to_rows();
    std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j] / (unit(i) * unit(j))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn negative_parts_are_found_and_removed() {
        let k = SpatialMatrix::from_diagonal(DVec3::ONE, DVec3::new(4.0, 8.0, -0.04));
        let values = eigenvalues(&k, 2.0);
        assert!((values[0] + 0.01).abs() < 1e-15 && (values[5] - 2.0).abs() < 1e-15);
        assert!(!is_positive_semidefinite(&k, 2.0, 1e-3) && is_positive_semidefinite(&k, 2.0, 1e-2));
        assert_eq!(without_negative(&k, 2.0).diagonal(), (DVec3::ONE, DVec3::new(4.0, 8.0, 0.0)));
    }
}
