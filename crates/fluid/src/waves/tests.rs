//! Tests of waves: cases FL15 to FL18, field equations, limits of depth, seeds and problems.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};
use proptest::prelude::*;

use super::{
    Amplitudes, Component, Grid, Kinematics, Order, RegularWave, Sea, Spectrum, Water, WaveProblem, Waves,
    wavenumber,
};

const G: f64 = 9.81;
const SEA_WATER: f64 = 1025.0;
const DEEP: Water = Water { depth: f64::INFINITY, gravity: G };

fn water(depth: f64) -> Water {
    Water { depth, gravity: G }
}

fn regular(height: f64, period: f64, order: Order) -> RegularWave {
    RegularWave { height, period, direction: 0.0, phase: 0.0, order }
}

fn jonswap(seed: u64) -> Sea {
    Sea {
        spectrum: Spectrum::Jonswap { gamma: Some(3.3) },
        height: 3.0,
        period: 9.0,
        direction: 0.4,
        spreading: None,
        components: 200,
        seed,
        amplitudes: Amplitudes::Equal,
    }
}

/// The wave of FL15 and FL17 with its wave number and frequency.
fn pile_wave(order: Order) -> (Waves, f64, f64) {
    let omega = TAU / 8.0;
    let waves = Waves::regular(&regular(4.0, 8.0, order), water(20.0)).unwrap();
    (waves, wavenumber(omega, 20.0, G), omega)
}

#[test]
fn fl15_pile_by_morison() {
    let (waves, _, _) = pile_wave(Order::Airy);
    let (diameter, inertia, drag) = (1.0, 2.0, 1.2);
    let force = |t: f64| {
        let (mut with_acceleration, mut with_speed) = (0.0, 0.0);
        for i in 0..20 {
            let k = waves.unstretched(0.0, 0.0, -19.5 + i as f64, t);
            with_acceleration += SEA_WATER * inertia * PI / 4.0 * diameter * diameter * k.acceleration.x;
            with_speed += 0.5 * SEA_WATER * drag * diameter * k.velocity.x.abs() * k.velocity.x;
        }
        [with_acceleration, with_speed]
    };
    let largest = (0..480).map(|i| force(i as f64 / 60.0).iter().sum::<f64>()).fold(0.0, f64::max);
    for (value, reference) in [(force(6.0)[0], 28_070.54), (force(0.0)[1], 16_109.369), (largest, 28_337.583)]
    {
        println!("FL15: {value} against {reference}");
        assert!((value / reference - 1.0).abs() < 0.005, "{value} {reference}");
    }
}

#[test]
fn fl16_lengths() {
    for (depth, reference) in [(5.0, 53.081_522), (20.0, 88.792_675), (200.0, 99.923_839)] {
        let waves = Waves::regular(&regular(0.5, 8.0, Order::Airy), water(depth)).unwrap();
        assert!((waves.length() / reference - 1.0).abs() < 1e-8, "{}", waves.length());
        let k = TAU / waves.length();
        let omega = TAU / 8.0;
        assert!((G * k * libm::tanh(k * depth) / (omega * omega) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn fl17_kinematics() {
    let (waves, k, omega) = pile_wave(Order::Airy);
    let speed = |z: f64| 2.0 * omega * libm::cosh(k * (z + 20.0)) / libm::sinh(k * 20.0);
    let crest = waves.unstretched(0.0, 0.0, -5.0, 0.0);
    let zero = waves.at(0.0, 0.0, -5.0, 6.0);
    let above = waves.at(0.0, 0.0, 1.0, 0.0);
    let pressure = SEA_WATER * G * crest.head;
    let closed = SEA_WATER * G * 2.0 * libm::cosh(k * 15.0) / libm::cosh(k * 20.0);
    let (stokes, ..) = pile_wave(Order::Stokes);
    let (cosh, sinh) = (libm::cosh(20.0 * k), libm::sinh(20.0 * k));
    let second = k * cosh * (2.0 + libm::cosh(40.0 * k)) / (sinh * sinh * sinh);
    for (value, closed, reference) in [
        (crest.velocity.x, speed(-5.0), 1.312_081_3),
        (zero.acceleration.x, omega * speed(-5.0), 1.030_506_2),
        (pressure / 1e4, closed / 1e4, 1.492_697_3),
        (above.velocity.x, speed(21.0 * 20.0 / 22.0 - 20.0), 1.670_254_1),
        (stokes.elevation(0.0, 0.0, 0.0), 2.0 + second, 2.222_918_6),
    ] {
        assert!((value - closed).abs() < 1e-10, "{value} {closed}");
        assert!((value - reference).abs() < 6e-8, "{value} {reference}");
    }
}

#[test]
fn fl18_sea() {
    for seed in 1..4 {
        let waves = Waves::sea(&jonswap(seed), DEEP).unwrap();
        assert!((waves.significant_height() / 3.0 - 1.0).abs() < 1e-9);
        let record: Vec<f64> = (0..21_600).map(|i| waves.elevation(0.0, 0.0, 0.5 * i as f64)).collect();
        let square = record.iter().map(|h| h * h).sum::<f64>() / record.len() as f64;
        let upward = record.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
        let (height, period) = (4.0 * square.sqrt(), 10_800.0 / upward as f64);
        println!("FL18: seed {seed}: 4σ {height} m, mean period {period} s");
        assert!((height / 3.0 - 1.0).abs() < 0.03 && (period / 7.211_894_9 - 1.0).abs() < 0.03);
    }
}

/// Every kind of waves, with names for messages.
fn kinds() -> Vec<(&'static str, Waves)> {
    let spread = Sea { spreading: Some(6.0), components: 300, ..jonswap(4) };
    let rayleigh =
        Sea { amplitudes: Amplitudes::Rayleigh, spectrum: Spectrum::PiersonMoskowitz, ..jonswap(4) };
    let oblique = RegularWave { direction: 2.0, phase: 0.7, ..regular(4.0, 8.0, Order::Airy) };
    vec![
        ("Airy", Waves::regular(&oblique, water(20.0)).unwrap()),
        ("Airy, deep", Waves::regular(&oblique, DEEP).unwrap()),
        ("Stokes", Waves::regular(&RegularWave { order: Order::Stokes, ..oblique }, water(20.0)).unwrap()),
        ("Stokes, deep", Waves::regular(&RegularWave { order: Order::Stokes, ..oblique }, DEEP).unwrap()),
        ("sea", Waves::sea(&jonswap(4), DEEP).unwrap()),
        ("short-crested sea", Waves::sea(&spread, water(30.0)).unwrap()),
        ("Rayleigh sea with ramp", Waves::sea(&rayleigh, water(30.0)).unwrap().with_ramp(30.0).unwrap()),
    ]
}

#[test]
fn pressure_vanishes_on_the_surface() {
    for (name, waves) in kinds() {
        for i in 0..200 {
            let (x, y, t) = (1.7 * i as f64, -0.9 * i as f64, 0.37 * i as f64);
            let elevation = waves.elevation(x, y, t);
            let k = waves.at(x, y, elevation, t);
            assert_eq!(k.elevation, elevation, "{name}");
            assert!((k.head - elevation).abs() < 1e-12, "{name}: {:e}", k.head - elevation);
        }
    }
}

#[test]
fn unstretched_flow_is_free_of_divergence_and_rotation() {
    let h = 1e-4;
    for (name, waves) in kinds() {
        for i in 0..20 {
            let (p, t) = (DVec3::new(3.0 * i as f64, 5.0, -2.0 - 0.1 * i as f64), 8.0 + i as f64);
            let velocity = |p: DVec3| waves.unstretched(p.x, p.y, p.z, t).velocity;
            let slope = |axis: DVec3| (velocity(p + h * axis) - velocity(p - h * axis)) / (2.0 * h);
            let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(slope);
            let rotation = DVec3::new(y.z - z.y, z.x - x.z, x.y - y.x);
            assert!((x.x + y.y + z.z).abs() < 1e-7, "{name}: divergence {}", x.x + y.y + z.z);
            assert!(rotation.length() < 1e-7, "{name}: rotation {rotation}");
        }
    }
}

#[test]
fn acceleration_is_the_derivative_of_velocity() {
    let h = 1e-4;
    for (name, waves) in kinds() {
        for i in 0..40 {
            let (x, y, z, t) = (3.0 * i as f64, 5.0, -2.0 - 0.1 * i as f64, 1.3 + i as f64);
            let at = |t| waves.unstretched(x, y, z, t);
            let difference = (at(t + h).velocity - at(t - h).velocity) / (2.0 * h);
            assert!(at(t).acceleration.distance(difference) < 1e-7, "{name}");
            // with stretching, up to the second order in the amplitude
            let at = |t| waves.at(x, y, z, t);
            let difference = (at(t + h).velocity - at(t - h).velocity) / (2.0 * h);
            assert!(at(t).acceleration.distance(difference) < 0.5, "{name}");
        }
    }
}

#[test]
fn surface_moves_with_the_water_to_first_order() {
    let waves = Waves::regular(&regular(0.01, 6.0, Order::Airy), water(15.0)).unwrap();
    let h = 1e-4;
    for i in 0..50 {
        let (x, t) = (1.3 * i as f64, 0.4 * i as f64);
        let rise = (waves.elevation(x, 0.0, t + h) - waves.elevation(x, 0.0, t - h)) / (2.0 * h);
        let elevation = waves.elevation(x, 0.0, t);
        assert!((waves.at(x, 0.0, elevation, t).velocity.z - rise).abs() < 1e-9);
        assert!(waves.at(x, 0.0, -15.0, t).velocity.z.abs() < 1e-15);
    }
}

#[test]
fn stokes_wave_has_its_height() {
    for waves in
        [pile_wave(Order::Stokes).0, Waves::regular(&regular(4.0, 8.0, Order::Stokes), DEEP).unwrap()]
    {
        let (crest, trough) = (waves.elevation(0.0, 0.0, 0.0), waves.elevation(0.0, 0.0, 4.0));
        assert!((crest - trough - 4.0).abs() < 1e-12 && crest > 2.05);
    }
    // second-order velocity: ¾ a²ωk cosh 2k(z + d)/sinh⁴ kd on the crest
    let ((stokes, k, omega), (airy, ..)) = (pile_wave(Order::Stokes), pile_wave(Order::Airy));
    let difference =
        stokes.unstretched(0.0, 0.0, -5.0, 0.0).velocity - airy.unstretched(0.0, 0.0, -5.0, 0.0).velocity;
    let sinh = libm::sinh(20.0 * k);
    let closed = 3.0 * omega * k * libm::cosh(30.0 * k) / (sinh * sinh * sinh * sinh);
    assert!((difference.x - closed).abs() < 1e-12, "{} {closed}", difference.x);
}

#[test]
fn seed_decides_and_components_keep_their_phases() {
    let build = |sea: Sea| Waves::sea(&sea, DEEP).unwrap();
    assert_eq!(build(jonswap(5)), build(jonswap(5)));
    assert_ne!(build(jonswap(5)).elevation(1.0, 2.0, 3.0), build(jonswap(6)).elevation(1.0, 2.0, 3.0));
    let (few, many) = (build(jonswap(5)), build(Sea { components: 700, ..jonswap(5) }));
    let phase = |c: &Component| c.phase;
    assert!(few.components().iter().map(phase).eq(many.components()[..200].iter().map(phase)));
    let spread = |components| build(Sea { spreading: Some(3.0), components, ..jonswap(5) });
    assert!((0..20).all(|i| spread(20).components()[i].direction == spread(90).components()[i].direction));
}

#[test]
fn significant_height_of_rayleigh_amplitudes_varies_about_that_given() {
    let heights: Vec<f64> = (0..200)
        .map(|seed| {
            let sea = Sea { amplitudes: Amplitudes::Rayleigh, components: 50, ..jonswap(seed) };
            Waves::sea(&sea, DEEP).unwrap().significant_height()
        })
        .collect();
    let energy = heights.iter().map(|h| h * h).sum::<f64>() / 200.0;
    assert!((energy / 9.0 - 1.0).abs() < 0.04, "{energy}");
    assert!(heights.iter().any(|h| *h < 2.8) && heights.iter().any(|h| *h > 3.2));
}

#[test]
fn ramp_starts_from_calm_water() {
    let calm = Waves::sea(&jonswap(3), DEEP).unwrap();
    let waves = calm.clone().with_ramp(20.0).unwrap();
    for t in [-5.0, 0.0] {
        assert_eq!(waves.at(1.0, 2.0, -3.0, t), Kinematics::default());
    }
    assert_eq!(waves.at(1.0, 2.0, -3.0, 20.0), calm.at(1.0, 2.0, -3.0, 20.0));
    assert!((waves.elevation(1.0, 2.0, 10.0) - 0.5 * calm.elevation(1.0, 2.0, 10.0)).abs() < 1e-15);
    assert_eq!(calm.with_ramp(-1.0), Err(WaveProblem::Ramp(-1.0)));
}

#[test]
fn depth_has_no_overflow_and_deep_is_the_limit() {
    // kd from 1e-3 to 1e4
    for (depth, period) in [(1.0, 2000.0), (0.05, 6.0), (20.0, 8.0), (1000.0, 0.7), (1e4, 2.0), (1e6, 20.0)] {
        let waves = Waves::regular(&regular(0.02, period, Order::Airy), water(depth)).unwrap();
        for z in [0.1, 0.0, -0.01 * depth, -0.5 * depth, -depth, -2.0 * depth, -1e9] {
            let k = waves.at(3.0, 4.0, z, 5.0);
            assert!(k.velocity.is_finite() && k.acceleration.is_finite() && k.head.is_finite());
            assert!(k.velocity.length() < 1.0 && k.head.abs() <= 0.0101, "{depth} {period} {z}: {k:?}");
        }
    }
    let (finite, deep) =
        (Waves::sea(&jonswap(2), water(1e4)).unwrap(), Waves::sea(&jonswap(2), DEEP).unwrap());
    let (a, b) = (finite.at(5.0, 6.0, -4.0, 7.0), deep.at(5.0, 6.0, -4.0, 7.0));
    assert!(a.velocity.distance(b.velocity) < 1e-3 && (a.elevation - b.elevation).abs() < 1e-12);
    // long waves in shallow water: u = a √(g/d), the same at all heights
    let tide = Waves::regular(&regular(0.02, 2000.0, Order::Airy), water(1.0)).unwrap();
    for z in [0.01, -0.5, -1.0] {
        assert!((tide.at(0.0, 0.0, z, 0.0).velocity.x / (0.01 * G.sqrt()) - 1.0).abs() < 1e-5);
    }
}

#[test]
fn troughs_that_reach_the_bed_stay_finite() {
    let sea = Sea { height: 1.2, period: 8.0, ..jonswap(1) };
    let waves = Waves::sea(&sea, water(2.0)).unwrap();
    for i in 0..2000 {
        let k = waves.at(0.0, 0.0, -1.5, 0.5 * i as f64);
        assert!(k.velocity.length() < 10.0 && k.head.is_finite());
    }
}

#[test]
fn sums_agree_with_the_formulas() {
    // libm, one component after the other, nothing left out; 300 is more than is kept between the sums
    let waves =
        Waves::sea(&Sea { spreading: Some(6.0), components: 300, ..jonswap(9) }, water(30.0)).unwrap();
    for (x, y, z, t) in [(3.0, 4.0, -0.9, 100.0), (-900.0, 70.0, -8.0, 5000.0), (0.0, 1.0, -29.0, 0.3)] {
        let (k, mut expected) = (waves.at(x, y, z, t), Kinematics::default());
        let angle =
            |c: &Component| c.wavenumber * c.direction.dot(DVec2::new(x, y)) - c.frequency * t + c.phase;
        expected.elevation = waves.components().iter().map(|c| c.amplitude * libm::cos(angle(c))).sum();
        let height = (z - expected.elevation) * 30.0 / (30.0 + expected.elevation);
        for c in waves.components() {
            let (sin, cos) = libm::sincos(angle(c));
            let (a, kd) = (c.amplitude, c.wavenumber * 30.0);
            let [up, down] =
                [libm::cosh, libm::sinh].map(|f| f(c.wavenumber * (height + 30.0)) / libm::sinh(kd));
            let speed = a * c.frequency;
            expected.velocity += speed * (c.direction * (up * cos)).extend(down * sin);
            expected.acceleration += speed * c.frequency * (c.direction * (up * sin)).extend(-down * cos);
            expected.head += a * up * libm::tanh(kd) * cos;
        }
        assert!((k.elevation - expected.elevation).abs() < 1e-11);
        assert!(k.velocity.distance(expected.velocity) < 1e-4 && (k.head - expected.head).abs() < 1e-4);
        assert!(k.acceleration.distance(expected.acceleration) < 3e-4);
        if z > -1.0 {
            assert!(k.velocity.distance(expected.velocity) < 1e-11 && (k.head - expected.head).abs() < 1e-11);
            assert!(k.acceleration.distance(expected.acceleration) < 1e-11);
        }
    }
}

#[test]
fn bits_are_pinned() {
    // the same in debug and release builds and on every machine
    let hash = |waves: &Waves| {
        let mut hash = 0u64;
        for i in 0..50 {
            let k = waves.at(7.0 * i as f64, -3.0, -0.2 * i as f64, 11.0 * i as f64);
            for x in [k.elevation, k.head]
                .into_iter()
                .chain(k.velocity.to_array())
                .chain(k.acceleration.to_array())
            {
                hash = hash.rotate_left(7).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x.to_bits();
            }
        }
        hash
    };
    let hashes: Vec<u64> = kinds().iter().map(|(_, waves)| hash(waves)).collect();
    let pinned = [
        0x57b1_9ffe_b3b4_7375,
        0xad38_d8ce_68ca_79cd,
        0xe403_81f9_4ce4_a7e0,
        0x509b_1806_72fb_a47e,
        0x8eb4_9084_9086_0641,
        0xcaa6_9baa_79e5_d118,
        0xb09d_7ab0_7924_2274,
    ];
    assert_eq!(hashes, pinned, "{hashes:#x?}");
}

#[test]
fn grid_agrees_with_points() {
    for (name, waves) in kinds() {
        let grid = Grid { origin: DVec2::new(-40.0, 7.0), spacing: DVec2::new(1.5, 0.7), size: [70, 67] };
        let place = |i: usize| grid.origin + grid.spacing * DVec2::new((i % 70) as f64, (i / 70) as f64);
        let places: Vec<DVec2> = (0..70 * 67).map(place).collect();
        let (mut points, mut cells) = (vec![0.0; places.len()], vec![9.0; places.len()]);
        waves.elevations(&places, 12.0, &mut points);
        waves.elevation_grid(&grid, 12.0, &mut cells);
        assert!(points.iter().zip(&cells).all(|(a, b)| (a - b).abs() < 1e-12), "{name}");
    }
}

#[test]
fn problems_are_reported() {
    let wave = |height, period, depth| {
        Waves::regular(&regular(height, period, Order::Airy), water(depth)).unwrap_err()
    };
    assert_eq!(wave(1.0, 0.0, 20.0), WaveProblem::Period(0.0));
    assert!(matches!(wave(1.0, f64::NAN, 20.0), WaveProblem::Period(_)));
    assert_eq!(wave(-1.0, 8.0, 20.0), WaveProblem::Height(-1.0));
    assert_eq!(wave(1.0, 8.0, 0.0), WaveProblem::Depth(0.0));
    assert!(matches!(wave(15.0, 8.0, f64::INFINITY), WaveProblem::Breaking { .. }));
    assert!(matches!(wave(1.0, 12.0, 1.0), WaveProblem::Breaking { .. }));
    assert!(wave(15.0, 8.0, f64::INFINITY).to_string().contains("reduce the height or lengthen the period"));
    let stokes =
        |height, period, depth| Waves::regular(&regular(height, period, Order::Stokes), water(depth));
    assert!(matches!(stokes(0.2, 12.0, 5.0), Err(WaveProblem::StokesTooShallow(kd)) if kd < 1.0));
    assert!(matches!(stokes(8.0, 8.0, 50.0), Err(WaveProblem::StokesTooSteep(ak)) if ak > 0.2));
    let sea = |sea: Sea, depth| Waves::sea(&sea, water(depth)).unwrap_err();
    let valid = jonswap(1);
    assert_eq!(sea(Sea { components: 0, ..valid }, 50.0), WaveProblem::Components(0));
    assert_eq!(sea(Sea { components: 10_001, ..valid }, 50.0), WaveProblem::Components(10_001));
    assert!(matches!(sea(valid, 4.5), WaveProblem::DepthLimited { .. }));
    let gamma = Spectrum::Jonswap { gamma: Some(0.5) };
    assert_eq!(sea(Sea { spectrum: gamma, ..valid }, 50.0), WaveProblem::Gamma(0.5));
    assert_eq!(sea(Sea { spreading: Some(-1.0), ..valid }, 50.0), WaveProblem::Spreading(-1.0));
    assert!(matches!(sea(Sea { direction: f64::INFINITY, ..valid }, 50.0), WaveProblem::Direction(_)));
    let weightless = Waves::sea(&valid, Water { depth: 50.0, gravity: 0.0 });
    assert_eq!(weightless, Err(WaveProblem::Gravity(0.0)));
}

#[test]
fn lengths_and_bounds() {
    let waves = Waves::sea(&jonswap(8), DEEP).unwrap();
    assert!((waves.length() - G * 81.0 / TAU).abs() < 1e-9);
    assert!((0..500).all(|i| waves.elevation(0.0, 0.0, i as f64).abs() <= waves.greatest_elevation()));
    assert!(Waves::sea(&Sea { height: 0.0, ..jonswap(8) }, DEEP).unwrap().elevation(1.0, 2.0, 3.0) == 0.0);
}

proptest! {
    #[test]
    fn many_points_have_the_bits_of_one(
        seed in 0u64..1000, components in 1usize..400, depth in 5.0..100.0f64, t in 0.0..1e5f64,
        points in prop::collection::vec((-1e3..1e3f64, -1e3..1e3f64, -60.0..4.0f64), 1..20),
    ) {
        let waves = Waves::sea(&Sea { components, spreading: Some(5.0), ..jonswap(seed) }, water(depth)).unwrap();
        let points: Vec<DVec3> = points.into_iter().map(DVec3::from).collect();
        let level: Vec<DVec2> = points.iter().map(|p| p.truncate()).collect();
        let (mut all, mut heights) = (vec![Kinematics::default(); points.len()], vec![0.0; points.len()]);
        waves.kinematics(&points, t, &mut all);
        waves.elevations(&level, t, &mut heights);
        for (i, p) in points.iter().enumerate() {
            prop_assert_eq!(waves.at(p.x, p.y, p.z, t), all[i]);
            prop_assert_eq!(waves.elevation(p.x, p.y, t), heights[i]);
            prop_assert_eq!(heights[i], all[i].elevation);
        }
    }
}
