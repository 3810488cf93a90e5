//! A small solver for trials of the patch equations: bodies with diagonal mass, wheels with two patch equations and a
//! brake each, one dense solve per iteration.

use glam::DVec2;
use windlass_vehicle::tire::{Carcass, Contact, PatchRows, PatchState, Tire};

/// One wheel of a trial.
pub struct Wheel {
    /// Rows of the slip velocity: v_s = J v.
    pub jacobian: [Vec<f64>; 2],
    /// Row of the forward velocity of the contact.
    pub forward: Vec<f64>,
    pub contact: Contact,
    pub carcass: Carcass,
    pub state: PatchState,
    /// Index of the wheel's spin, and its brake torque.
    pub spin: usize,
    pub brake: f64,
    /// Force of the last step.
    pub force: DVec2,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Solves A x = b by elimination with pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

/// Velocities, forces of the wheels and torques of the brakes at the end of a step.
fn velocities(
    mass: &[f64],
    start: &[f64],
    drive: &[f64],
    wheels: &[Wheel],
    rows: &[PatchRows],
    h: f64,
) -> (Vec<f64>, Vec<DVec2>) {
    let n = mass.len();
    let mut fixed: Vec<Option<DVec2>> = vec![None; wheels.len()];
    let mut held: Vec<bool> = wheels.iter().map(|w| w.brake > 0.0).collect();
    let mut torque = vec![0.0; wheels.len()];
    let mut result = (start.to_vec(), vec![DVec2::ZERO; wheels.len()]);
    for _ in 0..200 {
        let mut a = vec![vec![0.0; n]; n];
        let mut b: Vec<f64> = (0..n).map(|i| mass[i] * start[i] + h * drive[i]).collect();
        for i in 0..n {
            a[i][i] = mass[i];
        }
        for (k, wheel) in wheels.iter().enumerate() {
            for axis in 0..2 {
                let j = &wheel.jacobian[axis];
                let (gain, bias) = match fixed[k] {
                    Some(force) => (0.0, force[axis]),
                    None => (1.0 / rows[k].compliance[axis], -rows[k].rhs[axis] / rows[k].compliance[axis]),
                };
                for i in 0..n {
                    // forces act against the slip velocity of the body: J is the slip velocity
                    b[i] -= h * j[i] * bias;
                    for l in 0..n {
                        a[i][l] += h * gain * j[i] * j[l];
                    }
                }
            }
            if held[k] {
                a[wheel.spin][wheel.spin] += 1e12;
            } else {
                b[wheel.spin] += h * torque[k];
            }
        }
        let v = solve(a, b);
        let mut done = true;
        for (k, wheel) in wheels.iter().enumerate() {
            if held[k] && (1e12 * v[wheel.spin] / h).abs() > wheel.brake {
                held[k] = false;
                torque[k] = -wheel.brake.copysign(v[wheel.spin]);
                done = false;
            }
        }
        if !done {
            fixed.fill(None);
            continue;
        }
        for (k, wheel) in wheels.iter().enumerate() {
            let slip = DVec2::new(dot(&wheel.jacobian[0], &v), dot(&wheel.jacobian[1], &v));
            let free = rows[k].free_force(slip);
            let bounded = rows[k].bounded(free);
            let used = fixed[k].unwrap_or(free);
            if (bounded - used).length() > 1e-9 * (1.0 + rows[k].bound.max_element()) {
                // relaxed, so that the direction on the ellipse converges
                fixed[k] =
                    Some(if fixed[k].is_some() { rows[k].bounded(0.5 * (used + bounded)) } else { bounded });
                done = false;
            }
            result.1[k] = used;
        }
        result.0 = v;
        if done {
            break;
        }
    }
    result
}

/// One step; returns the new velocities.
pub fn step<T: Tire>(
    mass: &[f64],
    start: &[f64],
    drive: &[f64],
    wheels: &mut [Wheel],
    tires: &[T],
    (h, iterations): (f64, usize),
) -> Vec<f64> {
    let speeds: Vec<f64> = wheels.iter().map(|w| dot(&w.forward, start)).collect();
    let mut trial: Vec<PatchState> = wheels.iter().map(|w| w.state).collect();
    let mut end = start.to_vec();
    for round in 0..iterations {
        let rows: Vec<PatchRows> = (0..wheels.len())
            .map(|k| {
                let speed = match round {
                    0 => speeds[k],
                    _ => 0.5 * (speeds[k].abs() + dot(&wheels[k].forward, &end).abs()),
                };
                let contact = Contact { speed, ..wheels[k].contact };
                let state = PatchState { sliding: trial[k].sliding, ..wheels[k].state };
                PatchRows::new(&state, &wheels[k].carcass, &tires[k], &contact, h)
            })
            .collect();
        let (v, forces) = velocities(mass, start, drive, wheels, &rows, h);
        for (k, wheel) in wheels.iter_mut().enumerate() {
            let slip = DVec2::new(dot(&wheel.jacobian[0], &v), dot(&wheel.jacobian[1], &v));
            trial[k] = rows[k].update(slip, forces[k]);
            wheel.force = forces[k];
        }
        end = v;
    }
    for (wheel, state) in wheels.iter_mut().zip(trial) {
        wheel.state = state;
    }
    end
}
