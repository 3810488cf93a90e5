//! Friction of particles for an angle of repose.
//!
//! The angle depends on rolling friction first, on sliding friction little above 0.3 (Zhou et al. 2001). So μ = 0.5,
//! and μ_r follows from the measured angle; flatter slopes have no rolling friction and a smaller μ.
//!
//! The angles are those of discharge: spheres with diameters of ±20 % in a box 36.7 d long and 10.5 d high whose
//! front is taken away, at 1/60 s. They are means of four packings, of two for the smaller μ, that scatter by
//! 1 degree up to 40 degrees and by 3 beyond. Measured on 2026-11-18 by `cargo run --release --example particles -- angles`.

/// Angle of discharge [deg] by μ without rolling friction.
const SLIDING: [(f64, f64); 4] = [(0.0, 0.0), (13.3, 0.2), (14.9, 0.3), (17.1, 0.5)];

/// Angle of discharge [deg] by μ_r at μ = 0.5.
const ROLLING: [(f64, f64); 6] =
    [(17.1, 0.0), (24.2, 0.05), (30.0, 0.1), (40.3, 0.2), (44.2, 0.3), (45.5, 0.4)];

/// [μ, μ_r] of particles with an angle of repose [rad], interpolated. Angles beyond 45.5 degrees return its
/// values.
pub fn friction_for(angle: f64) -> [f64; 2] {
    let degrees = angle.to_degrees();
    [interpolated(&SLIDING, degrees), interpolated(&ROLLING, degrees)]
}

/// The value at `x` on the line through the points, and that of the nearest end beyond them.
fn interpolated(points: &[(f64, f64)], x: f64) -> f64 {
    let last = points[points.len() - 1].1;
    let above = points.iter().position(|(at, _)| !(x > *at));
    match above {
        Some(0) => points[0].1,
        Some(k) => {
            let ((a, from), (b, to)) = (points[k - 1], points[k]);
            from + (to - from) * (x - a) / (b - a)
        }
        None => last,
    }
}
