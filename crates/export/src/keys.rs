//! Values at equal time steps → keyframes of an animation.
//!
//! A constant track has none. With a tolerance, keys are left out as long as the interpolation of a viewer
//! between the others (linear, and slerp for rotations) stays within it (Douglas and Peucker).

use glam::{DQuat, DVec3};

/// The indices of the keys to keep among `count`, such that `miss(a, b, i)`, the error of the interpolation from a to b
/// at i, is at most `tolerance` for all omitted keys.
pub fn thinned(count: usize, tolerance: f64, miss: impl Fn(usize, usize, usize) -> f64) -> Vec<usize> {
    let mut kept = vec![false; count];
    kept[0] = true;
    kept[count - 1] = true;
    let mut spans = vec![(0, count - 1)];
    while let Some((a, b)) = spans.pop() {
        let misses = (a + 1..b).map(|i| (miss(a, b, i), i));
        let Some((worst, i)) = misses.max_by(|p, q| p.0.total_cmp(&q.0)) else { continue };
        if !(worst <= tolerance) {
            kept[i] = true;
            spans.push((a, i));
            spans.push((i, b));
        }
    }
    (0..count).filter(|&i| kept[i]).collect()
}

/// Error of the linear interpolation from a to b at point i [m].
pub fn miss_point(points: &[DVec3], a: usize, b: usize, i: usize) -> f64 {
    (points[a].lerp(points[b], share(a, b, i)) - points[i]).length()
}

/// Error of the slerp from a to b at orientation i [rad]; neighbours have the same sign.
pub fn miss_turn(turns: &[DQuat], a: usize, b: usize, i: usize) -> f64 {
    let between = turns[a].slerp(turns[b], share(a, b, i));
    let apart = if between.dot(turns[i]) < 0.0 { between + turns[i] } else { between - turns[i] };
    // |q − p| is 2 sin of a quarter of the angle between them
    4.0 * libm::asin((0.5 * apart.length()).min(1.0))
}

fn share(a: usize, b: usize, i: usize) -> f64 {
    (i - a) as f64 / (b - a) as f64
}

/// Quaternions of the same rotations without jumps of sign.
pub fn continuous(turns: &mut [DQuat]) {
    for i in 1..turns.len() {
        if turns[i].dot(turns[i - 1]) < 0.0 {
            turns[i] = -turns[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use windlass_engine::math::turn;

    #[test]
    fn straight_ways_need_two_keys_and_bends_more() {
        let bend = |i: usize| DVec3::new(i as f64, (i as f64 - 50.0).max(0.0), 0.0);
        let points: Vec<DVec3> = (0..101).map(bend).collect();
        assert_eq!(thinned(101, 1e-9, |a, b, i| miss_point(&points, a, b, i)), [0, 50, 100]);
    }

    #[test]
    fn thinned_turns_stay_within_the_tolerance() {
        let angle = |i: usize| 2.0 * libm::sin(i as f64 * 0.02);
        let mut turns: Vec<DQuat> = (0..500).map(|i| turn(DVec3::Z, angle(i))).collect();
        for i in (0..500).step_by(3) {
            turns[i] = -turns[i];
        }
        continuous(&mut turns);
        let keys = thinned(500, 1e-3, |a, b, i| miss_turn(&turns, a, b, i));
        // chords of a curve of bend 8e-4 miss it by 1e-3 where they are 3.2 long: about 158 are needed
        assert!(keys.len() < 200 && keys.len() > 100, "{}", keys.len());
        for pair in keys.windows(2) {
            for i in pair[0]..pair[1] {
                let t = (i - pair[0]) as f64 / (pair[1] - pair[0]) as f64;
                let between = angle(pair[0]) * (1.0 - t) + angle(pair[1]) * t;
                assert!((between - angle(i)).abs() < 1.001e-3);
            }
        }
    }

    #[test]
    fn one_key_stays_one() {
        assert_eq!(thinned(1, 1.0, |_, _, _| 0.0), [0]);
    }
}
