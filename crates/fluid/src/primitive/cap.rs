//! Round end of a capsule → volume, moments, wet surface and water plane.
//!
//! A half sphere of radius r lies on the side d·x ≥ 0 of its centre. With d = d_h · forward + d_z · up and n = |d_h|, the
//! horizontal slice at the height ζ is the disc of radius √(r² − ζ²) beyond the chord at X = −d_z ζ/n, whose half length is
//! y = √(r² − ζ²/n²) (0 if |ζ| ≥ r n). Integrated from −r to the surface at ζ = h:
//!
//! ```text
//! φ = atan2(n y, −d_z ζ)      ψ = atan2(n y, r d_z)      k = ζ/(n r), −1 to 1      σ = y/r
//! V      = (r² ζ − ⅓ζ³) φ + ⅓ d_z n y (r² − y²) + ⅔ r³ ψ
//! ∫ ζ dV = ¼ [d_z r⁴ (asin k + n² k³ σ) − (r² − ζ²)² φ] + const
//! ∫ X dV = ⅔ n r⁴ ∫ σ³ dk            wet surface = 2r (ζ φ + r ψ)
//! ```
//!
//! Slices across the axis would make the volume of an upright capsule jump whenever the surface passes one of them.

use std::f64::consts::PI;

use glam::DVec3;

use super::segment::Antiderivatives;
use super::{PlaneMoments, Sums, Tilt};

/// Adds the round end at `s` along the axis; it points away from the middle.
pub(super) fn add_cap(tilt: &Tilt, r: f64, s: f64, sums: &mut Sums) {
    let (axis, forward, dz) = if s.is_sign_negative() {
        (-tilt.axis, -tilt.forward, -tilt.rise)
    } else {
        (tilt.axis, tilt.forward, tilt.rise)
    };
    let center = s * tilt.axis;
    let h = -(tilt.height + s * tilt.rise);
    if h <= -r {
        return;
    }
    if h >= r {
        let volume = 2.0 / 3.0 * PI * r * r * r;
        sums.volume += volume;
        sums.moment += volume * center + 0.25 * PI * r * r * r * r * axis;
        sums.wet_area += 2.0 * PI * r * r;
        return;
    }
    let cap = wet_cap(r, h, tilt.level, dz);
    sums.volume += cap.volume;
    sums.moment += cap.volume * center + cap.ahead * forward + cap.up * DVec3::Z;
    sums.wet_area += cap.area;
    let plane = water_plane(r, h, tilt.level, dz);
    let along = if s.is_sign_negative() { -plane.along } else { plane.along };
    sums.plane.add(&PlaneMoments { along, ..plane }, tilt.level * s);
}

/// Volume, first moments about the centre of the sphere, and wet surface.
struct WetCap {
    volume: f64,
    ahead: f64,
    up: f64,
    area: f64,
}

fn wet_cap(r: f64, h: f64, n: f64, dz: f64) -> WetCap {
    let rr = r * r;
    let k = (h / (n * r)).clamp(-1.0, 1.0);
    let sigma = ((1.0 - k) * (1.0 + k)).sqrt();
    let y = r * sigma;
    let d = Antiderivatives::at(k).minus(&Antiderivatives::at(-1.0));
    let ahead = 2.0 / 3.0 * n * rr * rr * d.chord_cubed;
    if k == -1.0 && dz < 0.0 {
        // only the pole is wet: the cap of a whole sphere, without cancellation
        let depth = r + h;
        let volume = PI / 3.0 * depth * depth * (3.0 * r - depth);
        let below = 0.75 * (2.0 * r - depth) * (2.0 * r - depth) / (3.0 * r - depth);
        return WetCap { volume, ahead: 0.0, up: -volume * below, area: 2.0 * PI * r * depth };
    }
    let phi = libm::atan2(n * y, -dz * h);
    let psi = libm::atan2(n * y, r * dz);
    let disc = rr - h * h;
    let turn = libm::asin(k) + 0.5 * PI + n * n * k * k * k * sigma;
    WetCap {
        volume: h * (rr - h * h / 3.0) * phi + dz * n * y * (rr - y * y) / 3.0 + 2.0 / 3.0 * rr * r * psi,
        ahead,
        up: 0.25 * (dz * rr * rr * turn - disc * disc * phi),
        area: 2.0 * r * (h * phi + r * psi),
    }
}

/// The horizontal slice at the surface, from the centre of the sphere and in the direction of the end.
fn water_plane(r: f64, h: f64, n: f64, dz: f64) -> PlaneMoments {
    let radius = ((r - h) * (r + h)).sqrt();
    let k = (-dz * h / (n * radius)).clamp(-1.0, 1.0);
    let d = Antiderivatives::at(1.0).minus(&Antiderivatives::at(k));
    let square = radius * radius;
    PlaneMoments {
        area: 2.0 * square * d.chord,
        along: 2.0 * square * radius * d.chord_moment,
        along_along: 2.0 * square * square * d.chord_second,
        across_across: 2.0 / 3.0 * square * square * d.chord_cubed,
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn horizontal_slices_sum_to_the_closed_form(dz in -1.0..1.0f64, h in -0.999..0.999f64) {
            let (r, n) = (0.7, (1.0 - dz * dz).sqrt().max(1e-15));
            let cap = wet_cap(r, r * h, n, dz);
            let (steps, mut sum) = (4000, [0.0; 4]);
            for i in 0..steps {
                let width = r * (1.0 + h) / f64::from(steps);
                let zeta = -r + width * (f64::from(i) + 0.5);
                let radius = ((r - zeta) * (r + zeta)).sqrt();
                let k = (-dz * zeta / (n * radius)).clamp(-1.0, 1.0);
                let slice = radius * radius * segment::area(k) * width;
                sum[0] += slice;
                sum[1] += 2.0 / 3.0 * (radius * (1.0 - k * k).sqrt()).powi(3) * width;
                sum[2] += zeta * slice;
                sum[3] += 2.0 * r * libm::acos(k) * width;
            }
            for (closed, slices) in [cap.volume, cap.ahead, cap.up].iter().zip(sum) {
                prop_assert!((closed - slices).abs() < 1e-5, "{closed} {slices}");
            }
            prop_assert!((cap.area - sum[3]).abs() < 1e-3); // the arc ends steeply at a pole
            // d(V, ∫x dV)/dh is the water plane
            let (e, plane) = (1e-6, water_plane(r, r * h, n, dz));
            let (a, b) = (wet_cap(r, r * h - e, n, dz), wet_cap(r, r * h + e, n, dz));
            prop_assert!(((b.volume - a.volume) / (2.0 * e) - plane.area).abs() < 1e-5);
            prop_assert!(((b.ahead - a.ahead) / (2.0 * e) - plane.along).abs() < 1e-5);
            prop_assert!(((b.up - a.up) / (2.0 * e) - r * h * plane.area).abs() < 1e-5);
        }
    }
}
