//! Integrals over intervals whose integrand may be like a root at the ends, and roots of rising functions.

/// Nodes and weights of Gauss and Legendre with eight points, positive half (Abramowitz and Stegun, table 25.4).
const NODES: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];
/// Panels of an interval.
const PANELS: usize = 2;
/// Most steps of a search for a root.
const STEPS: usize = 100;

/// Sums `weight · f(x)` over an interval: `add` gets x and the weight. Substitution x = a + (b − a) s²(3 − 2s) turns
/// powers of the distance from an end into smooth functions.
pub(super) fn integrate(a: f64, b: f64, mut add: impl FnMut(f64, f64)) {
    if !(b > a) {
        return;
    }
    for panel in 0..PANELS {
        for (node, weight) in NODES {
            for u in [-node, node] {
                let s = (panel as f64 + 0.5 * (1.0 + u)) / PANELS as f64;
                let x = a + (b - a) * s * s * (3.0 - 2.0 * s);
                add(x, 0.5 * weight / PANELS as f64 * 6.0 * s * (1.0 - s) * (b - a));
            }
        }
    }
}

/// The root of a rising function in an interval, by secants with bisections (Illinois); nothing if it has no sign
/// change.
pub(super) fn root(mut a: f64, mut b: f64, mut f: impl FnMut(f64) -> f64) -> Option<f64> {
    let (mut fa, mut fb) = (f(a), f(b));
    if !(fa <= 0.0 && fb >= 0.0) {
        return None;
    }
    let close = 1e-13 * (b - a);
    let mut last = 0;
    for _ in 0..STEPS {
        let x = if fb > fa { b - fb * (b - a) / (fb - fa) } else { 0.5 * (a + b) };
        let fx = f(x);
        let moved;
        if fx > 0.0 {
            moved = b - x;
            (b, fb) = (x, fx);
            fa *= if last == 1 { 0.5 } else { 1.0 };
            last = 1;
        } else {
            moved = x - a;
            (a, fa) = (x, fx);
            fb *= if last == -1 { 0.5 } else { 1.0 };
            last = -1;
        }
        if fx == 0.0 || moved < close {
            return Some(x);
        }
    }
    Some(0.5 * (a + b))
}
