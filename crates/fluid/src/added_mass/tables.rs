//! Tables for the added mass of plates, cylinders and boxes, linear between their entries.
//!
//! Ratios 0 … ∞ of two lengths p and q are tabulated by p/(p + q), which runs from 0 to 1.

/// κ of a thin plate a × b moving across, A = κ ¼ π ρ a² b, by a/b ≤ 1 (DNV-RP-C205).
pub(super) const PLATE: [(f64, f64); 5] =
    [(0.0, 1.0), (0.1, 0.947), (0.25, 0.872), (0.5, 0.757), (1.0, 0.579)];

/// C_a across a cylinder, by λ/(1 + λ), λ length over diameter: 0, 0.1, 0.5 (panels), 1.2, 2.5, 5, 9, ∞ (DNV-RP-C205).
///
/// Panels give 0.624, 0.780, 0.878, 0.930 for the latter.
pub(super) const CYLINDER_ACROSS: [(f64, f64); 8] = [
    (0.0, 0.0),
    (0.1 / 1.1, 0.142),
    (0.5 / 1.5, 0.414),
    (1.2 / 2.2, 0.62),
    (2.5 / 3.5, 0.78),
    (5.0 / 6.0, 0.90),
    (0.9, 0.96),
    (1.0, 1.0),
];

/// A/ρr³ along a cylinder, by λ/(1 + λ): λ = 0 (disc), 0.1, 0.5, 1.2, 2, 5, ∞ (panels).
pub(super) const CYLINDER_ALONG: [(f64, f64); 7] = [
    (0.0, 8.0 / 3.0),
    (0.1 / 1.1, 3.06),
    (0.5 / 1.5, 3.48),
    (1.2 / 2.2, 3.72),
    (2.0 / 3.0, 3.84),
    (5.0 / 6.0, 3.98),
    (1.0, 4.1),
];

/// D/ρr⁵ about a diameter of a short cylinder, by λ/(1 + λ): λ = 0 (disc), 0.1, 0.5, 0.75, 1 (panels).
pub(super) const CYLINDER_ROTATION: [(f64, f64); 6] = [
    (0.0, 16.0 / 45.0),
    (0.1 / 1.1, 0.411),
    (0.5 / 1.5, 0.414),
    (0.75 / 1.75, 0.497),
    (0.85 / 1.85, 0.588),
    (0.5, 0.806),
];

/// D/(ρπr²l³/12) about a diameter of a cylinder, by λ/(1 + λ): λ = 1, 1.2, 1.6, 2, 2.5, 3.5, 5, 9, 14, ∞ (panels).
pub(super) const CYLINDER_STRIPS: [(f64, f64); 10] = [
    (0.5, 0.385),
    (1.2 / 2.2, 0.364),
    (1.6 / 2.6, 0.394),
    (2.0 / 3.0, 0.447),
    (2.5 / 3.5, 0.505),
    (3.5 / 4.5, 0.598),
    (5.0 / 6.0, 0.689),
    (0.9, 0.808),
    (14.0 / 15.0, 0.870),
    (1.0, 1.0),
];

/// A/ρr³ along a capsule, by h/(h + r), h half of its straight part: h/r = 0 (sphere), 0.5, 1, 2, 4, ∞ (panels).
pub(super) const CAPSULE_ALONG: [(f64, f64); 6] = [
    (0.0, 2.0 / 3.0 * std::f64::consts::PI),
    (1.0 / 3.0, 2.28),
    (0.5, 2.40),
    (2.0 / 3.0, 2.52),
    (0.8, 2.62),
    (1.0, 2.7),
];

/// D of a capsule over that of a spheroid of its volume and aspect ratio, by h/(h + r): h/r = 0, 4, 9, 15 (panels), ∞
/// (strips).
pub(super) const CAPSULE_ROTATION: [(f64, f64); 5] =
    [(0.0, 1.0), (0.8, 1.03), (0.9, 1.10), (0.9375, 1.15), (1.0, 1.27)];

/// A/ρr³ of a sphere afloat in heave, by draft over diameter: half of its double body (panels; a half immersed sphere ⅓π, a
/// thin cap a disc).
pub(super) const SPHERE_HEAVE: [(f64, f64); 14] = [
    (0.0, 0.0),
    (0.02, 0.0264),
    (0.05, 0.0948),
    (0.1, 0.2349),
    (0.2, 0.527),
    (0.3, 0.769),
    (0.4, 0.941),
    (0.5, std::f64::consts::FRAC_PI_3),
    (0.6, 1.105),
    (0.7, 1.140),
    (0.8, 1.180),
    (0.9, 1.262),
    (0.95, 1.331),
    (1.0, 1.44),
];

/// The same in surge and sway.
pub(super) const SPHERE_SWAY: [(f64, f64); 14] = [
    (0.0, 0.0),
    (0.02, 0.00048),
    (0.05, 0.0046),
    (0.1, 0.0251),
    (0.2, 0.133),
    (0.3, 0.342),
    (0.4, 0.652),
    (0.5, std::f64::consts::FRAC_PI_3),
    (0.6, 1.504),
    (0.7, 1.979),
    (0.8, 2.411),
    (0.9, 2.708),
    (0.95, 2.767),
    (1.0, 2.70),
];

/// Depth over narrow side s of the factor of a prism, as s/(1 + s): s = 0, 0.1, 0.2, 0.5, 1, 2, 4, 8, ∞.
const PRISM_DEPTHS: [f64; 9] = [0.0, 0.1 / 1.1, 0.2 / 1.2, 0.5 / 1.5, 0.5, 2.0 / 3.0, 0.8, 8.0 / 9.0, 1.0];
/// Narrow over wide side a/b of the factor of a prism.
const PRISM_SIDES: [f64; 5] = [0.0, 0.125, 0.25, 0.5, 1.0];
/// Added mass of a box over that of a plate with its sides across the motion (panels; a/b = 0: rectangles in two dimensions,
/// DNV-RP-C205).
const PRISM: [[f64; 5]; 9] = [
    [1.0, 1.0, 1.0, 1.0, 1.0],
    [1.14, 1.131, 1.126, 1.135, 1.150],
    [1.21, 1.208, 1.201, 1.200, 1.216],
    [1.36, 1.339, 1.328, 1.309, 1.323],
    [1.51, 1.469, 1.436, 1.399, 1.403],
    [1.70, 1.608, 1.551, 1.485, 1.477],
    [1.91, 1.745, 1.643, 1.548, 1.522],
    [2.15, 1.854, 1.713, 1.592, 1.556],
    [2.60, 1.98, 1.79, 1.64, 1.59],
];

/// Narrow over wide side t across the axis, of the factor of a rotating box.
const ROTATION_SIDES: [f64; 8] = [0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 1.0];
/// Length along the axis over wide side w of that factor, as w/(1 + w): w = 1/8, 1/4, 1/2, 1, 2, 4, 8.
const ROTATION_LENGTHS: [f64; 7] = [1.0 / 9.0, 0.2, 1.0 / 3.0, 0.5, 2.0 / 3.0, 0.8, 8.0 / 9.0];
/// D of a box over (π/128) ρ a⁴ l/(1 + ⅜ a/l), a the wide side across and l the length along the axis (panels; t = 0
/// estimated from strips and discs).
const ROTATION: [[f64; 7]; 8] = [
    [1.10, 1.13, 1.14, 1.14, 1.09, 1.04, 1.02],
    [1.499, 1.427, 1.371, 1.305, 1.241, 1.199, 1.169],
    [1.572, 1.486, 1.413, 1.346, 1.281, 1.238, 1.210],
    [1.626, 1.507, 1.423, 1.343, 1.277, 1.240, 1.198],
    [1.686, 1.547, 1.435, 1.343, 1.274, 1.226, 1.197],
    [1.922, 1.740, 1.575, 1.449, 1.350, 1.290, 1.265],
    [2.281, 2.066, 1.858, 1.702, 1.574, 1.494, 1.442],
    [2.889, 2.624, 2.399, 2.198, 2.050, 1.947, 1.857],
];

/// The value of a table at x; that of its nearest end beyond it.
pub(super) fn along(table: &[(f64, f64)], x: f64) -> f64 {
    let (i, t) = cell(table.len(), |i| table[i].0, x);
    table[i].1 + t * (table[i + 1].1 - table[i].1)
}

/// Added mass of a box over that of a plate: `depth` as s/(1 + s), `sides` as a/b.
pub(super) fn prism_factor(depth: f64, sides: f64) -> f64 {
    across(&PRISM, &PRISM_DEPTHS, &PRISM_SIDES, [depth, sides])
}

/// Factor of a rotating box: `sides` as t, `length` as w/(1 + w).
pub(super) fn rotation_factor(sides: f64, length: f64) -> f64 {
    across(&ROTATION, &ROTATION_SIDES, &ROTATION_LENGTHS, [sides, length])
}

/// The value of a table with rows and columns at `x`.
fn across<const R: usize, const C: usize>(
    table: &[[f64; C]; R],
    rows: &[f64; R],
    columns: &[f64; C],
    x: [f64; 2],
) -> f64 {
    let (i, t) = cell(R, |i| rows[i], x[0]);
    let (j, s) = cell(C, |j| columns[j], x[1]);
    let row = |i: usize| table[i][j] + s * (table[i][j + 1] - table[i][j]);
    row(i) + t * (row(i + 1) - row(i))
}

/// The interval of ascending nodes that x is in, and its share of it.
fn cell(count: usize, node: impl Fn(usize) -> f64, x: f64) -> (usize, f64) {
    let mut i = 0;
    while i + 2 < count && x >= node(i + 1) {
        i += 1;
    }
    (i, ((x - node(i)) / (node(i + 1) - node(i))).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_linear_between_entries_and_constant_beyond() {
        let table = [(0.0, 1.0), (1.0, 3.0), (2.0, 0.0)];
        let found = [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 9.0].map(|x| along(&table, x));
        assert_eq!(found, [1.0, 1.0, 2.0, 3.0, 1.5, 0.0, 0.0]);
        assert_eq!(prism_factor(0.5, 1.0), 1.403);
        assert!((rotation_factor(0.6, 0.5) - 0.5 * (1.343 + 1.449)).abs() < 1e-12);
    }

    #[test]
    fn both_tables_of_rotating_cylinders_meet() {
        let strips = 2.0 / 3.0 * std::f64::consts::PI * along(&CYLINDER_STRIPS, 0.5);
        assert!((strips - along(&CYLINDER_ROTATION, 0.5)).abs() < 1e-3);
    }
}
