//! Runs with the patch equations: VH07, VH08, VH44 (one wheel), VH25, VH26, VH45 (single-track vehicle).
//!
//! References come from an independent implementation in Python at a step of 2.5e-4 s or less; tolerances hold at 1/60 s and 1 ms.

use crate::common::close;
use crate::trials::{Wheel, step};
use glam::DVec2;
use windlass_vehicle::tire::{
    Brush, Carcass, Contact, Friction, Linear, PatchRows, PatchState, ShapeCurve, Slip, SlipMeasure, Tire,
    TireForce,
};

const DEG: f64 = std::f64::consts::PI / 180.0;
const G: f64 = 9.81;
const STEPS: [f64; 2] = [1.0 / 60.0, 1e-3];

/// Result of a run of one wheel under a mass.
struct Quarter {
    v: f64,
    rim: f64,
    way: f64,
    forces: Vec<f64>,
    path: Vec<f64>,
    speeds: Vec<f64>,
}

/// Torque, brake, initial speed, duration and slope angle.
struct Drive {
    torque: f64,
    brake: f64,
    speed: f64,
    time: f64,
    slope: f64,
    stop_below: f64,
}

const ROLL: Drive =
    Drive { torque: 0.0, brake: 0.0, speed: 0.0, time: 2.0, slope: 0.0, stop_below: f64::NEG_INFINITY };

/// A mass of 400 kg on one wheel of 1.2 kg m² and 0.32 m.
fn quarter(tire: &impl Tire, mass: f64, damping: f64, drive: &Drive, h: f64, iterations: usize) -> Quarter {
    let radius = 0.32;
    let contact = Contact::upright(mass * G * libm::cos(drive.slope), drive.speed);
    let stiffness = tire.slip_stiffness(&contact) / tire.relaxation_length(&contact);
    let mut wheels = [Wheel {
        jacobian: [vec![-1.0, radius], vec![0.0, 0.0]],
        forward: vec![1.0, 0.0],
        contact,
        carcass: Carcass { stiffness, damping: DVec2::splat(damping) },
        state: PatchState::default(),
        spin: 1,
        brake: drive.brake,
        force: DVec2::ZERO,
    }];
    let mut v = vec![drive.speed, drive.speed / radius];
    let push = [-mass * G * libm::sin(drive.slope), drive.torque];
    let (mut way, mut forces, mut path, mut speeds) = (0.0, Vec::new(), Vec::new(), Vec::new());
    for _ in 0..(drive.time / h).round() as usize {
        if v[0] < drive.stop_below {
            break;
        }
        v = step(&[mass, 1.2], &v, &push, &mut wheels, &[Borrowed(tire)], (h, iterations));
        way += h * v[0];
        forces.push(wheels[0].force.x);
        path.push(way);
        speeds.push(v[0]);
    }
    Quarter { v: v[0], rim: v[1] * radius, way, forces, path, speeds }
}

/// A reference to a tyre is a tyre.
struct Borrowed<'a, T: Tire>(&'a T);

impl<T: Tire> Tire for Borrowed<'_, T> {
    fn force(&self, slip: Slip, contact: &Contact) -> TireForce {
        self.0.force(slip, contact)
    }
    fn slip_stiffness(&self, contact: &Contact) -> DVec2 {
        self.0.slip_stiffness(contact)
    }
    fn relaxation_length(&self, contact: &Contact) -> DVec2 {
        self.0.relaxation_length(contact)
    }
    fn neutral_slip(&self, slip: Slip, contact: &Contact) -> Slip {
        self.0.neutral_slip(slip, contact)
    }
    fn max_slip(&self) -> f64 {
        self.0.max_slip()
    }
}

fn curve() -> ShapeCurve {
    ShapeCurve {
        stiffness: DVec2::splat(100e3),
        friction: Friction::constant(1.0),
        shape: 1.6,
        curvature: 0.5,
        relaxation: DVec2::splat(0.3),
    }
}

#[test]
fn vh07_relaxation_length() {
    let tire = Linear { stiffness: DVec2::splat(60e3), friction: None, relaxation: DVec2::splat(0.5) };
    let contact = Contact::upright(4000.0, 10.0);
    let carcass = Carcass { stiffness: DVec2::splat(120e3), damping: DVec2::ZERO };
    let slip = DVec2::new(0.0, -10.0 * libm::tan(DEG));
    for h in [1.0 / 60.0, 1e-3, 0.01] {
        let mut state = PatchState::default();
        for k in 1..=(2.0 / h) as usize {
            let rows = PatchRows::new(&state, &carcass, &tire, &contact, h);
            let force = rows.bounded(rows.free_force(slip));
            state = rows.update(slip, force);
            // held slip has the solution F = C tan α (1 − e^(−vt/σ)) for any step
            let t = k as f64 * h;
            let reference = 60e3 * libm::tan(DEG) * (1.0 - libm::exp(-10.0 * t / 0.5));
            close(-force.y, reference, 1e-11);
        }
    }
}

#[test]
fn vh44_wheel_spin_and_lock() {
    let tire = curve();
    for (h, tight) in STEPS.into_iter().zip([[3e-3, 0.06, 0.06, 0.02], [1e-3, 0.01, 0.01, 0.005]]) {
        for iterations in [1, 2] {
            let a =
                quarter(&tire, 400.0, 1000.0, &Drive { torque: 600.0, speed: 10.0, ..ROLL }, h, iterations);
            let b = quarter(&tire, 400.0, 1000.0, &Drive { torque: 1800.0, ..ROLL }, h, iterations);
            let stop = Drive { brake: 2000.0, speed: 20.0, time: 6.0, stop_below: 2.0, ..ROLL };
            let c = quarter(&tire, 400.0, 1000.0, &stop, h, iterations);
            let last = &a.forces[a.forces.len() / 2..];
            let mean = last.iter().sum::<f64>() / last.len() as f64;
            let jitter =
                (last.iter().map(|f| (f - mean) * (f - mean)).sum::<f64>() / last.len() as f64).sqrt();
            println!(
                "VH44 h {h:.5} x{iterations}: a {:.6} jitter {jitter:.2e} force {mean:.2} b {:.4} {:.3} c {:.4}",
                a.v, b.v, b.rim, c.way
            );
            close(a.v, 19.097375, tight[0]);
            assert!(jitter < 1.0);
            close(b.v, 13.417939, tight[1]);
            close(b.rim, 502.00101, tight[2]);
            close(c.way, 27.682834, tight[3]);
        }
    }
}

#[test]
fn vh08_held_on_a_hill() {
    // a quarter of 1500 kg; tangential stiffness 333 kN/m, friction 0.9
    let tire = ShapeCurve { friction: Friction::constant(0.9), ..curve() };
    let mass: f64 = 375.0;
    for (h, time) in [(1.0 / 60.0, 60.0), (1e-3, 60.0)] {
        let slope = libm::atan(0.2);
        let drive = Drive { brake: 2000.0, time, slope, ..ROLL };
        let damping = 2.0 * 0.05 * (333.3e3 * mass).sqrt();
        let run = quarter(&tire, mass, damping, &drive, h, 1);
        let force = mass * G * libm::sin(slope);
        close(4.0 * run.forces[run.forces.len() - 1], 2885.8489, 5e-4);
        close(-run.way, force / (100e3 / 0.3), 0.5);
        let at_ten = run.path[(10.0 / h) as usize];
        println!("VH08 h {h:.5}: way {:.6e} (0.0021643867), drift {:.1e} m", run.way, run.way - at_ten);
        assert!((run.way - at_ten).abs() < 1e-6);
    }
}

#[test]
fn vh09_sliding_with_locked_wheels() {
    let tire = ShapeCurve { friction: Friction::constant(0.4), shape: 1.0, ..curve() };
    for (h, limits) in STEPS.into_iter().zip([[5e-3], [2e-3]]) {
        let drive = Drive { brake: 1e6, slope: 30.0 * DEG, ..ROLL };
        let run = quarter(&tire, 375.0, 1000.0, &drive, h, 1);
        let at = |t: f64| run.speeds[(t / h).round() as usize - 1];
        println!("VH09 h {h:.5}: a {:.6} v {:.6}", at(1.0) - at(2.0), -run.v);
        close(at(1.0) - at(2.0), 1.5067163, limits[0]);
        // the catalogue's 2 g (sin θ − μ cos θ) leaves out the release, in which the carcass is deflected by 3.8 mm before
        // the tyre slides: without damping and with plain friction that adds 0.093 m/s
        close(-run.v, 3.0134326, 0.03);
    }
}

#[test]
fn vh10_braking_without_lock() {
    let friction = Some(Friction::constant(0.9));
    let tire = Linear { stiffness: DVec2::splat(100e3), friction, relaxation: DVec2::splat(0.3) };
    for (h, limits) in STEPS.into_iter().zip([[5e-3, 0.01], [2e-3, 5e-3]]) {
        let drive = Drive { brake: 900.0, speed: 20.0, time: 6.0, ..ROLL };
        let run = quarter(&tire, 375.0, 1000.0, &drive, h, 1);
        let at = |t: f64| run.speeds[(t / h).round() as usize - 1];
        let way = run.path.iter().fold(0.0, |a: f64, b| a.max(*b));
        let back = run.speeds.iter().fold(0.0, |a: f64, b| a.min(*b));
        println!("VH10 h {h:.5}: deceleration {:.6}, way {way:.5}, backward {back:.4}", at(1.0) - at(2.0));
        close(at(1.0) - at(2.0), 7.2787477, limits[0]);
        close(way, 27.477254, limits[1]);
        assert!(back > -0.3 && run.v.abs() < 1e-2);
    }
}

/// Motion of the single-track vehicle.
struct Track {
    /// Time, velocity forward, to the left, yaw rate, x, y, heading.
    log: Vec<[f64; 7]>,
}

struct Maneuver {
    time: f64,
    speed: f64,
    steer: f64,
    brake: [f64; 2],
    push: DVec2,
    damping: f64,
    /// Loads that change during the run: amplitude of their share, and frequency.
    shake: [f64; 2],
}

const COAST: Maneuver = Maneuver {
    time: 4.0,
    speed: 20.0,
    steer: 0.0,
    brake: [0.0; 2],
    push: DVec2::ZERO,
    damping: 500.0,
    shake: [0.0; 2],
};

fn single_track<T: Tire>(tires: &[T; 2], run: &Maneuver, h: f64, iterations: usize) -> Track {
    let (m, iz, iw, radius, arms) = (1500.0, 2500.0, 2.4, 0.32, [1.2, -1.5]);
    let loads = [m * G * 1.5 / 2.7, m * G * 1.2 / 2.7];
    let mut v = vec![run.speed, 0.0, 0.0, run.speed / radius, run.speed / radius];
    let (mut heading, mut place, mut log) = (0.0, DVec2::ZERO, Vec::new());
    let mut states = [PatchState::default(); 2];
    for n in 0..(run.time / h).round() as usize {
        let ex = DVec2::from_angle(heading);
        let mut wheels: Vec<Wheel> = (0..2)
            .map(|i| {
                let along = DVec2::from_angle(heading + if i == 0 { run.steer } else { 0.0 });
                let (across, arm) = (along.perp(), arms[i] * ex.perp());
                let row = |d: DVec2| vec![-d.x, -d.y, -d.dot(arm), 0.0, 0.0];
                let forward = row(-along);
                let mut x = row(along);
                x[3 + i] = radius;
                let phase = run.shake[1] * (n as f64 * h) * std::f64::consts::TAU;
                let load = loads[i] * (1.0 + run.shake[0] * libm::sin(phase + i as f64)).max(0.0);
                let contact = Contact::upright(load, 0.0);
                let stiffness = Carcass::of(&tires[i], &contact, 0.0).stiffness;
                let carcass = Carcass { stiffness, damping: DVec2::splat(run.damping) };
                Wheel {
                    jacobian: [x, row(across)],
                    forward,
                    contact,
                    carcass,
                    state: states[i],
                    spin: 3 + i,
                    brake: run.brake[i],
                    force: DVec2::ZERO,
                }
            })
            .collect();
        let push = [m * run.push.x, m * run.push.y, 0.0, 0.0, 0.0];
        let borrowed = [Borrowed(&tires[0]), Borrowed(&tires[1])];
        v = step(&[m, m, iz, iw, iw], &v, &push, &mut wheels, &borrowed, (h, iterations));
        states = [wheels[0].state, wheels[1].state];
        let velocity = DVec2::new(v[0], v[1]);
        place += h * velocity;
        log.push([
            n as f64 * h + h,
            velocity.dot(ex),
            velocity.dot(ex.perp()),
            v[2],
            place.x,
            place.y,
            heading + h * v[2],
        ]);
        heading += h * v[2];
    }
    Track { log }
}

impl Track {
    fn last(&self) -> [f64; 7] {
        self.log[self.log.len() - 1]
    }

    /// Quantity at a time, linear between steps.
    fn at(&self, t: f64, i: usize) -> f64 {
        let after = self.log.partition_point(|row| row[0] < t - 1e-12);
        let (a, b) = (self.log[after - 1], self.log[after.min(self.log.len() - 1)]);
        if b[0] > a[0] { a[i] + (b[i] - a[i]) * (t - a[0]) / (b[0] - a[0]) } else { b[i] }
    }
}

fn linear_axles() -> [Linear; 2] {
    [80e3, 100e3].map(|c| Linear {
        stiffness: DVec2::splat(c),
        friction: None,
        relaxation: DVec2::splat(1e-3),
    })
}

#[test]
fn vh25_vh26_steady_turn_and_step_steer() {
    for (h, limits) in STEPS.into_iter().zip([[5e-3, 0.04, 0.02, 0.02], [3e-3, 5e-3, 3e-3, 5e-3]]) {
        let run = Maneuver { time: 4.0, steer: DEG, damping: 0.0, ..COAST };
        let track = single_track(&linear_axles(), &run, h, 1);
        let steady = 0.083110917;
        let peak = track.log.iter().map(|row| row[3]).fold(0.0, f64::max);
        println!(
            "VH26 h {h:.5}: r(0.1) {:.6} r(0.3) {:.6} peak {:.5}; VH25 r {:.6} at {:.4} m/s",
            track.at(0.1, 3),
            track.at(0.3, 3),
            peak / steady,
            track.at(2.0, 3),
            track.at(2.0, 1)
        );
        close(track.at(0.1, 3), 0.050545476, limits[1]);
        close(track.at(0.3, 3), 0.084588366, limits[2]);
        close(peak / steady, 1.0436798, limits[3]);
        // the speed is not held here and falls by the slip angles: the reference is that of the speed at the time
        let (v, r) = (track.at(2.0, 1), track.at(2.0, 3));
        close(r, v * DEG / (2.7 + 0.00375 * v * v), limits[0]);
        let slip = libm::atan2(track.at(2.0, 2), v) / DEG;
        let reference = (1.5 * r / v - 1500.0 * 1.2 * v * r / (2.7 * 100e3)) / DEG;
        close(slip, reference, 0.02);
    }
}

fn brush_axles() -> [Brush; 2] {
    [80e3, 100e3].map(|c| Brush {
        measure: SlipMeasure::Practical,
        ..Brush::new(DVec2::splat(c), 0.9, 0.1, DVec2::splat(0.4))
    })
}

#[test]
fn vh45_braking_in_a_bend() {
    for (h, limits) in STEPS.into_iter().zip([[0.01, 0.01, 0.01, 0.04], [2e-3, 3e-3, 2e-3, 0.01]]) {
        for iterations in [1, 2] {
            let bend = Maneuver { speed: 25.0, steer: 3.0 * DEG, brake: [900.0, 500.0], ..COAST };
            let a = single_track(&brush_axles(), &bend, h, iterations).last();
            let spin = Maneuver { brake: [900.0, 6000.0], ..bend };
            let b = single_track(&brush_axles(), &spin, h, iterations).last();
            println!(
                "VH45 h {h:.5} x{iterations}: a x {:.4} y {:.4} heading {:.5} v {:.4}; b heading {:.5}",
                a[4], a[5], a[6], a[1], b[6]
            );
            close(a[4], 69.795977, limits[0]);
            close(a[5], 24.184786, limits[0]);
            close(a[6], 0.78323091, limits[1]);
            close(a[1], 13.025265, limits[2]);
            close(b[6], 3.4047942, limits[3]);
        }
    }
}

#[test]
fn parked_on_a_slope() {
    // the rocking of the release decays with ζ = 0.04; implicit steps of 1/60 s damp it sooner
    for (h, time) in STEPS.into_iter().zip([10.0, 50.0]) {
        let parked = Maneuver {
            time,
            speed: 0.0,
            brake: [4000.0; 2],
            push: DVec2::new(-1.0, -2.0),
            damping: 1000.0,
            ..COAST
        };
        let track = single_track(&brush_axles(), &parked, h, 1);
        let drift = [4, 5].map(|i| track.last()[i] - track.at(time - 5.0, i));
        println!("parked h {h:.5}: drift in the last 5 s {:.1e} {:.1e} m", drift[0], drift[1]);
        assert!(drift[0].abs() < 1e-7 && drift[1].abs() < 1e-7);
    }
}

/// Largest relative differences of position, heading and speed between two runs at their ends.
fn difference(a: [f64; 7], b: [f64; 7]) -> [f64; 3] {
    let way = libm::hypot(b[4], b[5]);
    [
        libm::hypot(a[4] - b[4], a[5] - b[5]) / way,
        (a[6] - b[6]).abs() / b[6].abs().max(0.1),
        (a[1] - b[1]).abs() / 25.0,
    ]
}

#[test]
fn unlike_stiffnesses_and_changing_loads_in_a_bend() {
    // what the catalogue leaves open: k_x ≠ k_y, elliptic bounds, loads that change, shifts of a measured tyre
    let unlike = [80e3, 100e3].map(|c| Brush {
        measure: SlipMeasure::Practical,
        sliding_ratio: 0.8,
        friction: Friction { coefficient: 0.9, load_sensitivity: 0.05, reference_load: 7000.0 },
        ..Brush::new(DVec2::new(2.0 * c, c), 0.9, 0.1, DVec2::new(0.2, 0.6))
    });
    let measured = [crate::common::mf52(), crate::common::mf52()];
    let still = [0.0, 0.0];
    let shaken = [0.5, 2.0];
    for (name, shake) in [("fixed loads", still), ("loads ± 50 % at 2 Hz", shaken)] {
        // a spin of a measured tyre with falling friction is sensitive: 18 % of the heading at 1/60 s with shaken loads
        for (tag, brake, limit) in [("braked", [900.0, 500.0], 0.02), ("rear locked", [900.0, 6000.0], 0.2)] {
            let run = Maneuver { speed: 25.0, steer: 3.0 * DEG, brake, shake, ..COAST };
            let ends = |h: f64, iterations: usize| {
                [
                    single_track(&unlike, &run, h, iterations).last(),
                    single_track(&measured, &run, h, iterations).last(),
                ]
            };
            let (coarse, twice, fine, reference) =
                (ends(STEPS[0], 1), ends(STEPS[0], 2), ends(1e-3, 1), ends(2.5e-4, 1));
            for (i, tire) in ["brush", "mf52"].into_iter().enumerate() {
                let [a, b, c] = [coarse, twice, fine].map(|ends| difference(ends[i], reference[i]));
                println!(
                    "{tire}, {name}, {tag}: heading {:.4}; 1/60 s {a:.5?}, twice {b:.5?}, 1 ms {c:.5?}",
                    reference[i][6]
                );
                assert!(
                    a.iter().all(|d| *d < limit) && c.iter().all(|d| *d < 0.1 * limit),
                    "{tire} {name} {tag}"
                );
            }
        }
    }
}
