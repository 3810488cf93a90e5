//! Separating-axis test of two boxes with 15 candidate axes (Gottschalk, Lin, Manocha).

use super::bounds::Pose;
use super::gjk::Axis;
use glam::DVec3;

/// Pairs of edges at less than this angle, and edge axes that deviate less from a face normal, are skipped.
const NEARLY: f64 = 1e-3;

/// The axis of maximum separation or minimum penetration of two boxes. A face normal is preferred to an edge axis
/// unless the latter is better by more than round-off.
pub(crate) fn axis(ha: DVec3, hb: DVec3, rel: &Pose) -> Axis {
    let t = rel.at;
    let r = rel.turn.to_cols_array_2d();
    let (ha, hb) = (ha.to_array(), hb.to_array());
    // r[j][i]: component i of B's axis j
    let mut best = (f64::NEG_INFINITY, DVec3::Z);
    let mut attempt = |gap: f64, n: DVec3| {
        if gap > best.0 {
            best = (gap, n);
        }
    };
    for i in 0..3 {
        let reach = ha[i] + r[0][i].abs() * hb[0] + r[1][i].abs() * hb[1] + r[2][i].abs() * hb[2];
        attempt(t[i].abs() - reach, DVec3::AXES[i] * 1f64.copysign(t[i]));
    }
    for j in 0..3 {
        let along = t.dot(rel.turn.col(j));
        let reach = hb[j] + r[j][0].abs() * ha[0] + r[j][1].abs() * ha[1] + r[j][2].abs() * ha[2];
        attempt(along.abs() - reach, rel.turn.col(j) * 1f64.copysign(along));
    }
    let face = best;
    let size = ha[0] + ha[1] + ha[2] + hb[0] + hb[1] + hb[2];
    let mut edge = (f64::NEG_INFINITY, DVec3::Z);
    for i in 0..3 {
        for j in 0..3 {
            let n = DVec3::AXES[i].cross(rel.turn.col(j));
            let length = n.length();
            if length < NEARLY {
                continue;
            }
            let n = n / length;
            let along = t.dot(n);
            let reach =
                (0..3).fold(0.0, |s, k| s + n[k].abs() * ha[k] + n.dot(rel.turn.col(k)).abs() * hb[k]);
            if along.abs() - reach > edge.0 {
                edge = (along.abs() - reach, n * 1f64.copysign(along));
            }
        }
    }
    let leans = edge.1.cross(face.1).length_squared() > NEARLY * NEARLY;
    let (gap, normal) = if leans && edge.0 > face.0 + 1e-9 * size { edge } else { face };
    let support = |h: [f64; 3], d: DVec3| DVec3::from_array(h) * DVec3::ONE.copysign(d);
    let pb = rel.point(support(hb, -rel.inward(normal)));
    Axis { normal, gap, points: [support(ha, normal), pb] }
}
