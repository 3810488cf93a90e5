//! The scenes of `scenes/water` do what their heads say: numbers of each against closed forms.

use crate::play;

use glam::DVec3;
use play::{G, at, run, until};
use std::f64::consts::{FRAC_PI_4, PI, TAU};
use windlass_engine::prelude::{Reading, World};
use windlass_scene::Built;

/// Density of sea water [kg/m³].
const SEA: f64 = 1025.0;

fn changed(name: &str, overrides: &[&str]) -> Built {
    play::changed(&format!("water/{name}"), overrides)
}

fn build(name: &str) -> Built {
    changed(name, &[])
}

#[track_caller]
fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

fn readings(world: &World, cable: &str) -> Vec<Reading> {
    world.cable_readings(world.model().cable(cable).unwrap_or_else(|| panic!("no cable {cable}")))
}

/// An axis of a body in the world.
fn axis(world: &World, body: &str, axis: DVec3) -> DVec3 {
    let id = world.model().body(body).unwrap_or_else(|| panic!("no body {body}"));
    world.state().bodies[id.index()].orientation * axis
}

/// Mean of a quantity after each step until a time.
fn mean(scene: &mut Built, time: f64, mut quantity: impl FnMut(&World) -> f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    until(scene, time, |world| {
        sum += quantity(world);
        count += 1.0;
    });
    sum / count
}

fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / count).sqrt()
}

/// √(2 (m − ρV) g/(ρ C A)) of steel. Cork and wood go under and float at the end, bobbing.
#[test]
fn steel_sinks_at_its_terminal_speed() {
    let scene = &mut build("drop");
    let (mut lowest, mut fastest) = ([0.0_f64; 2], 0.0_f64);
    let mut before = 2.0;
    until(scene, 4.0, |world| {
        lowest = [lowest[0].min(at(world, "cork").z), lowest[1].min(at(world, "wood").z)];
        let cork = at(world, "cork").z;
        fastest = fastest.max(60.0 * (before - cork));
        before = cork;
    });
    // of a fall of 1.8 m; half of its water stops cork within its diameter
    near(fastest, (2.0 * G * 1.8).sqrt(), 0.2);
    assert!(lowest[0] > -0.4 && lowest[0] < -0.1 && lowest[1] < -0.8, "{lowest:?}");
    let start = at(&scene.world, "steel").z;
    run(scene, 6.0);
    let volume = 4.0 / 3.0 * PI * 0.2f64.powi(3);
    let closed = (2.0 * (7850.0 - 1000.0) * volume * G / (1000.0 * 0.47 * 0.12566)).sqrt();
    near(closed, 8.73, 0.005);
    near((start - at(&scene.world, "steel").z) / 2.0, closed, 1e-3 * closed);
    for body in ["cork", "wood"] {
        near(at(&scene.world, body).z, 0.0, 0.2);
    }
}

/// Wall-sided: GM + ½ BM tan² φ = 0.
#[test]
fn the_log_floats_at_an_angle() {
    let scene = &mut build("log");
    let mut largest = 0.0_f64;
    let roll = |world: &World| {
        let side = axis(world, "log", DVec3::Y);
        libm::atan2(side.z, side.y).to_degrees()
    };
    until(scene, 60.0, |world| largest = largest.max(roll(world)));
    let (draft, width) = (0.23, 1.0);
    let bm = width * width / 12.0 / draft;
    let gm = 0.5 * draft + bm - 0.5;
    near(gm, -0.023, 5e-4);
    let closed = libm::atan((-2.0 * gm / bm).sqrt()).to_degrees();
    near(closed, 19.49, 0.01);
    near(roll(&scene.world), closed, 0.15);
    near(largest, 25.4, 0.3);
}

/// ½ρ v² Σ C A f = thrust, f being the immersed fraction of the volume.
#[test]
fn tug_and_barge_reach_the_speed_of_their_drag() {
    let scene = &mut build("towing");
    run(scene, 239.0);
    let start = at(&scene.world, "tug").x;
    run(scene, 240.0);
    let tug = 0.27 * 28.0 * (300e3 / SEA / 560.0);
    let barge = 0.82 * 48.0 * (600e3 / SEA / 1920.0);
    let speed = (2.0 * 150e3 / (SEA * (tug + barge))).sqrt();
    near(speed, 4.28, 0.005);
    near(at(&scene.world, "tug").x - start, speed, 1e-3 * speed);
    let line = scene.world.model().joint("line").expect("a line");
    let tension = scene.world.inspect().reaction(line, 1).expect("it is whole").force.length();
    let closed = 150e3 * barge / (tug + barge);
    near(closed, 112.8e3, 100.0);
    near(tension, closed, 1e-3 * closed);
}

/// The raft follows the waves, the spar heaves by a fifth of them, the barge pitches by up to 6°.
#[test]
fn bodies_ride_the_swell_by_their_size() {
    let scene = &mut build("swell");
    run(scene, 15.0);
    let (mut raft, mut spar, mut pitch) = (Vec::new(), Vec::new(), 0.0_f64);
    until(scene, 45.0, |world| {
        raft.push(at(world, "raft").z);
        spar.push(at(world, "spar").z);
        pitch = pitch.max(libm::asin(axis(world, "barge", DVec3::X).z.abs()).to_degrees());
    });
    // significant height is four times the deviation in the long run, and half of that in a calm half minute
    let height = 4.0 * deviation(&raft);
    assert!((0.5 * 1.5..1.2 * 1.5).contains(&height), "{height}");
    let part = deviation(&spar) / deviation(&raft);
    assert!((0.1..0.35).contains(&part), "{part}");
    assert!((4.0..7.0).contains(&pitch), "{pitch}");
}

/// Without gusts: the drag of the load, and that of the rope, which counts half. With them the jib weathervanes once its brake is
/// released, until drag overcomes the friction of the slewing ring no more.
#[test]
fn wind_moves_load_and_jib() {
    let scene = &mut changed("wind", &["fluids.air.wind.gusts.kaimal.deviation=0.001", "settings.dt=1/30 s"]);
    run(scene, 30.8);
    // three swings
    let offset = mean(scene, 60.0, |world| {
        let load = at(world, "load");
        (load.x - 20.0).hypot(load.y)
    });
    let pressure = |z: f64| 0.5 * 1.225 * (12.0 * libm::pow(z / 10.0, 0.16)).powi(2);
    let (load, rope) = (pressure(12.3) * 1.2 * 10.0, pressure(24.6) * 1.2 * 0.048 * 22.3);
    let closed = (load * 23.55 + 0.5 * rope * 22.3) / (2000.0 * G);
    near(offset, closed, 0.03 * closed);

    let scene = &mut changed("wind", &["settings.dt=1/30 s"]);
    run(scene, 5.0);
    let (mut largest, mut furthest) = (0.0_f64, 0.0_f64);
    until(scene, 60.0, |world| {
        let load = at(world, "load");
        let angle = libm::atan2((load.x - 20.0).hypot(load.y), 35.8 - load.z).to_degrees();
        largest = largest.max(angle);
    });
    near(largest, 9.0, 1.0);
    let slew = |world: &World| {
        let jib = axis(world, "jib", DVec3::X);
        libm::atan2(jib.y, jib.x).to_degrees()
    };
    near(slew(&scene.world), 0.0, 1e-3);
    until(scene, 150.0, |world| furthest = furthest.max(slew(world)));
    near(furthest, 84.0, 4.0);
    near(slew(&scene.world), 60.0, 8.0);
}

/// Heel of a wall-sided barge of 40 × 15 m, given the masses on it [t, m, m]: offset to the side, and height above the keel.
fn heel(masses: &[[f64; 3]]) -> f64 {
    let total: f64 = masses.iter().map(|m| m[0]).sum();
    let moment: f64 = masses.iter().map(|m| m[0] * m[1]).sum();
    let height = masses.iter().map(|m| m[0] * m[2]).sum::<f64>() / total;
    let draft = total / (1.025 * 40.0 * 15.0);
    let bm = 15.0 * 15.0 / 12.0 / draft;
    let gm = 0.5 * draft + bm - height;
    let mut tangent = 0.0;
    for _ in 0..50 {
        tangent = moment / total / (gm + 0.5 * bm * tangent * tangent);
    }
    libm::atan(tangent).to_degrees()
}

/// Heel with the load over the side, in air and submerged, where it hangs by its weight in water. It counts at the tip of the boom.
#[test]
fn the_barge_heels_under_its_crane() {
    let scene = &mut build("barge_crane");
    run(scene, 48.0);
    let angle = |world: &World| libm::asin(axis(world, "barge", DVec3::Y).z).to_degrees();
    // whole periods of the swell
    let in_air = mean(scene, 64.0, angle);
    run(scene, 112.0);
    let (mut pull, rope) = (0.0, scene.world.model().joint("rope").expect("a rope"));
    let submerged = mean(scene, 120.0, |world| {
        pull += world.rope(rope).expect("a rope").tensions[1] / 480.0;
        angle(world)
    });
    // barge, house, counterweight, boom, winch, load; the keel starts at -1.04 m
    let on_board = |load: f64| {
        heel(&[
            [540.0, 0.0, 2.0],
            [18.0, 0.0, 8.04],
            [30.0, -3.6, 8.64],
            [12.0, 10.0, 16.84],
            [2.0, 4.1, 11.7],
            [load, 18.0, 25.04],
        ])
    };
    near(in_air, on_board(40.0), 0.1);
    near(in_air, 4.6, 0.1);
    let weight = 40.0 - 1.025 * 18.0;
    near(submerged, on_board(weight), 0.1);
    near(submerged, 2.4, 0.1);
    near(pull, 1e3 * weight * G, 0.01 * pull);
}

/// T = H + w z at the buoy, and a catenary above the seabed.
#[test]
fn the_chain_hangs_in_a_catenary() {
    let scene = &mut build("mooring");
    run(scene, 56.0);
    let (mut low, mut x, mut z) = (0.0, 0.0, 0.0);
    let top = mean(scene, 72.0, |world| {
        let all = readings(world, "chain");
        let end = all.len() - 1;
        low += all.iter().find(|r| r.at >= 24.5).expect("it is longer").tension / 960.0;
        x += all[end].point.x / 960.0;
        z += all[end].point.z / 960.0;
        all[end].tension
    });
    let chain =
        scene.world.model().cables().get(scene.world.model().cable("chain").expect("it")).expect("it");
    let displaced = SEA * FRAC_PI_4 * (1.89f64 * 0.02).powi(2);
    let weight = (chain.section.mass_per_length - displaced) * G;
    // it lies on its radius
    let height = z + 30.0 - 0.5 * chain.section.diameter;
    near(top, low + weight * height, 0.01 * top);
    near(top, 3620.0, 40.0);
    let a = low / weight;
    let hanging = (height * height + 2.0 * height * a).sqrt();
    near(chain.length() - hanging, 27.0, 1.0);
    near(x, 0.8 + chain.length() - hanging + a * libm::acosh(1.0 + height / a), 0.3);
}

/// A towed line from its lower end up: tension at the top, height, and height of the part 10 to 50 m below the top.
fn towed(speed: f64) -> [f64; 3] {
    let (steps, length, diameter) = (20_000, 200.0, 0.02);
    let weight = (1.1375 - SEA * FRAC_PI_4 * diameter * diameter) * G;
    let across = 0.5 * SEA * 1.2 * diameter * speed * speed;
    let along = 0.5 * SEA * 0.01 * PI * diameter * speed * speed;
    let volume = PI * 0.2f64.powi(2) * 1.6 + 4.0 / 3.0 * PI * 0.2f64.powi(3);
    let (hangs, drags) = ((400.0 - SEA * volume) * G, 0.5 * SEA * 0.3 * 0.1257 * speed * speed);
    let (mut tension, mut angle) = (hangs.hypot(drags), libm::atan2(hangs, drags));
    let (mut height, mut part) = (0.0, 0.0);
    let ds = length / f64::from(steps);
    for step in 0..steps {
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let s = ds * f64::from(step);
        height += sine * ds;
        part += if (150.0..190.0).contains(&s) { sine * ds } else { 0.0 };
        angle += (weight * cosine - across * sine * sine) / tension * ds;
        tension += (weight * sine + along * cosine * cosine) * ds;
    }
    [tension, height, part]
}

/// The critical angle far above the depressor: R sin² φ = w cos φ.
#[test]
fn the_towed_cable_lies_at_its_critical_angle() {
    let scene = &mut changed("towed_cable", &["settings.dt=1/30 s"]);
    run(scene, 280.0);
    let all = readings(&scene.world, "tow");
    let [tension, height, part] = towed(3.0);
    near(all[0].tension, tension, 0.01 * tension);
    near(all[0].point.z - all[50].point.z, height, 0.01 * height);
    let fall = all.iter().find(|r| r.at > 9.9).expect("it").point.z
        - all.iter().find(|r| r.at > 49.9).expect("it").point.z;
    near(fall, part, 0.2);
    let (weight, across) = ((1.1375 - SEA * FRAC_PI_4 * 4e-4) * G, 0.5 * SEA * 1.2 * 0.02 * 9.0);
    let cosine = ((weight * weight + 4.0 * across * across).sqrt() - weight) / (2.0 * across);
    let critical = libm::acos(cosine).to_degrees();
    near(critical, 15.3, 0.05);
    near(libm::asin(fall / 40.0).to_degrees(), critical, 0.6);
    near(at(&scene.world, "depressor").z, -73.0, 0.5);
}

/// Heave of the load for one of the tip: a rod with a mass at its end and quadratic drag, linearised for equal work; and the same
/// without drag.
fn amplification(built: &Built, period: f64, tip: f64) -> [f64; 2] {
    let model = built.world.model();
    let wire = model.cables().get(model.cable("wire").expect("a wire")).expect("it");
    let (stiffness, line, length) = (wire.section.stretch, wire.section.mass_per_length, wire.length());
    let (mass, area, omega) = (35e3, 1.5 * 20.0, TAU / period);
    let wave = omega * (line / stiffness).sqrt();
    let (sine, cosine) = (libm::sin(wave * length), libm::cos(wave * length));
    let real = cosine - mass * omega * omega / (stiffness * wave) * sine;
    let mut heave = tip;
    for _ in 0..1000 {
        let damping = 8.0 / (3.0 * PI) * 0.5 * SEA * area * omega * heave;
        let imaginary = omega * damping / (stiffness * wave) * sine;
        heave = 0.5 * (heave + tip / real.hypot(imaginary));
    }
    [heave / tip, 1.0 / real.abs()]
}

#[test]
fn the_lift_is_near_resonance() {
    for (period, head) in [(7.0, 2.8), (14.0, 1.28)] {
        let scene = &mut changed("subsea_lift", &[&format!("parameters.period={period} s")]);
        run(scene, 84.0);
        // two periods; its own, lesser motion cancels
        let (mut sine, mut cosine, mut count) = (0.0, 0.0, 0.0);
        until(scene, 112.0, |world| {
            let phase = TAU / period * world.state().time;
            let z = at(world, "manifold").z + 1481.5;
            sine += z * libm::sin(phase);
            cosine += z * libm::cos(phase);
            count += 0.5;
        });
        let found = sine.hypot(cosine) / count / 0.4;
        let [closed, without_drag] = amplification(scene, period, 0.4);
        near(found, closed, 0.03 * closed);
        near(found, head, 0.03 * head);
        // a mass on a spring, with a third of the wire's
        let natural = TAU * ((35e3 + 6944.0 / 3.0) / 34_545.0_f64).sqrt();
        near(natural, 6.5, 0.05);
        let spring = 1.0 / (1.0 - (natural / period).powi(2));
        near(without_drag, spring, 0.05 * spring);
    }
}
