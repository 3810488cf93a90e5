//! Angles of repose, and heaps at rest.

use super::discharge::{DIAMETER, Discharge, STEP};
use crate::cases::{self, case};
use windlass_soil::particle::{LooseSoil, friction_for};

/// Mean angle over packings in the whole box.
fn angle(friction: [f64; 2], seeds: std::ops::Range<u64>) -> f64 {
    let count = (seeds.end - seeds.start) as f64;
    seeds.map(|seed| Discharge::new(friction, seed, 1.0).run(5.0)).sum::<f64>() / count
}

/// A row of EW31. Packings scatter by 1.1° (one standard deviation), steep ones by more.
fn row(friction: f64, rolling: f64, seeds: std::ops::Range<u64>) {
    case("EW31").finds(&format!("angle, μ {friction}, rolling {rolling}"), angle([friction, rolling], seeds));
}

#[test]
fn ew31_angle_with_little_rolling_friction() {
    row(0.5, 0.05, 1..2);
}

#[test]
fn ew31_angle_of_discharge() {
    row(0.5, 0.1, 1..2);
}

#[test]
fn ew31_angle_with_more_rolling_friction() {
    row(0.5, 0.2, 1..4);
}

#[test]
fn ew31_angle_with_more_friction() {
    row(0.8, 0.1, 1..2);
}

#[test]
#[ignore = "a minute: angles that the table should return"]
fn friction_for_an_angle_gives_that_angle() {
    for degrees in [22.0_f64, 28.0, 35.0] {
        let LooseSoil { friction, rolling, .. } = LooseSoil::with_angle(degrees.to_radians());
        let found = angle([friction, rolling], 11..13);
        assert!((found - degrees).abs() < 2.0, "{found} deg, not {degrees}");
    }
}

#[test]
fn friction_grows_with_the_angle_of_repose() {
    let mut last = [0.0, 0.0];
    for degrees in 0..90 {
        let [friction, rolling] = friction_for(f64::from(degrees).to_radians());
        assert!(friction >= last[0] && rolling >= last[1] && friction <= 0.5, "{degrees}");
        assert!(friction.is_finite() && rolling.is_finite());
        last = [friction, rolling];
    }
    let [friction, rolling] = friction_for(f64::NAN);
    assert!(friction >= 0.0 && rolling >= 0.0);
}

#[test]
fn ew35_a_heap_rests() {
    let mut case = Discharge::new([0.5, 0.1], 1, 0.25);
    case.run(8.0);
    let before = case.particles.clone();
    (0..(60.0 / STEP) as usize).for_each(|_| case.step());
    // the highest particle of each column of one diameter
    let mut columns: Vec<Option<(f64, u64)>> = vec![None; 40];
    for p in before.iter() {
        let column = &mut columns[((p.position.x / DIAMETER).max(0.0) as usize).min(39)];
        if column.is_none_or(|(height, _)| height < p.position.z) {
            *column = Some((p.position.z, p.id));
        }
    }
    let (mut drift, mut count) = (0.0, 0.0);
    for (_, id) in columns.into_iter().flatten() {
        if let (Some(a), Some(b)) = (before.get(id), case.particles.get(id)) {
            drift += (b.position - a.position).length() / DIAMETER;
            count += 1.0;
        }
    }
    assert!(count > 25.0, "{count} particles at the surface");
    let found = cases::case("EW35");
    found.finds("drift of the mean surface particle", drift / count);
    found.finds("kinetic energy per particle over m g d", case.unrest());
}
