//! Wheeler's stretching: a height below the actual surface becomes a height below the mean level.
//!
//! ```text
//! z′ = (z − η) d/(d + η)        deep water: z − η
//! ```
//!
//! z′ is limited to −d…0, so points above the surface count as on it. The column d + η counts as at least d/10, so that
//! troughs near the sea bed stay finite.

/// Least ratio of the water column under a trough to the depth.
const LEAST_COLUMN: f64 = 0.1;

/// Stretched height z′ [m] of a height z below an elevation η, in water of a depth, which may be infinite [m].
#[inline(always)]
pub fn stretched(z: f64, elevation: f64, depth: f64) -> f64 {
    let scale = if depth.is_finite() { 1.0 / (1.0 + elevation / depth).max(LEAST_COLUMN) } else { 1.0 };
    ((z - elevation) * scale).clamp(-depth, 0.0)
}

#[cfg(test)]
mod tests {
    use super::stretched;

    #[test]
    fn surface_and_bed_stay() {
        for eta in [-3.0, 0.0, 4.0] {
            assert_eq!(stretched(eta, eta, 20.0), 0.0);
            assert!((stretched(-20.0, eta, 20.0) + 20.0).abs() < 1e-13);
            assert_eq!(stretched(eta - 7.0, eta, f64::INFINITY), -7.0);
        }
        assert_eq!((stretched(9.0, 1.0, 20.0), stretched(-30.0, 1.0, 20.0)), (0.0, -20.0));
        assert!(stretched(-20.0, -25.0, 20.0).is_finite());
    }
}
