//! Rows of a contact with soft ground: a wheel, a plate, or a piece of a track.
//!
//! ```text
//!  normal      λ = W − k_s h u for a sinking contact, W − k_r h u for a rising one, λ ≥ 0        u rate away from the ground
//!              two rows: J u + λ/(h k_s) = W/(h k_s), λ ≥ W (1 − k_s/k_r);   J u + λ/(h (k_r − k_s)) = 0, −W (1 − k_s/k_r) ≤ λ ≤ 0
//!  along       λ = F(s₀) + K (s − s₀), s = −h (c v − rω)             c v is the mean forward speed of the arc, F its shear
//!  across      the same with s = −h v_y
//!  resistance  v = 0 at the centre, |λ − F_x + c F| ≤ R              dry friction: a bogged wheel stands still
//! ```
//!
//! W and k_s are those where the contact would be at the end of the step if its velocity stayed, so that it lands on ground
//! instead of in it. K is the secant stiffness of the shear, larger than its slope: the rows are stable at every step, and
//! right as soon as slip is steady. Along the arc of a wheel the shear turns with it: its lift is part of W.

use super::wheel_state::CONTACT_ROWS;
use crate::wheel::patch::{Normal, Shear};
use crate::wheel::{Memory, Patch, Place, Slippage, SoftSoil};
use glam::DVec2;
use windlass_engine::prelude::{BoundMode, JacobianBlock, Role, Row, RowLaw, SolvedRows, SubsystemRows};

/// Least bound of a shear force in one direction, over that of both: a sliding force can turn.
const LEAST_BOUND: f64 = 0.3;
/// Least stiffness of the ground, over load and extent of the contact.
const LEAST_STIFFNESS: f64 = 1.0;
/// Forces below this are none [N].
const NOTHING: f64 = 1e-6;

/// Velocities of a contact in the direction of its travel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Of the centre, ahead [m/s].
    pub forward: f64,
    /// Of the surface relative to the centre, backwards: rω of a wheel, the speed of a belt [m/s].
    pub rim: f64,
    /// Across, to the left [m/s].
    pub across: f64,
    /// Away from the ground [m/s].
    pub up: f64,
    /// Angular velocity about the normal [rad/s].
    pub yaw: f64,
}

/// Blocks of unit forces; with a belt or a drive, `rim` may have several.
#[derive(Clone, Copy, Debug)]
pub struct Directions<'a> {
    /// Away from the ground, at the middle of the pressure.
    pub normal: &'a [JacobianBlock],
    /// Ahead, at the centre.
    pub ahead: &'a [JacobianBlock],
    /// What turns the surface: its rate is −rω.
    pub rim: &'a [JacobianBlock],
    /// To the left, at the ground.
    pub across: &'a [JacobianBlock],
}

/// A contact at the start of a step, and its rows.
#[derive(Clone, Debug, Default)]
pub struct ContactRows {
    /// Normal forces where the contact is expected at the end of the step.
    pub normal: Normal,
    /// Shear forces expected over the step.
    pub shear: Shear,
    /// Expected forces along and across [N], c, and the rest of F_x [N].
    expected: DVec2,
    part: f64,
    rest: f64,
    /// Numbers of the rows that were written.
    rows: [Option<usize>; CONTACT_ROWS],
    blocks: Vec<JacobianBlock>,
}

/// Forces of the ground on a contact after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForces {
    /// Away from the ground [N].
    pub normal: f64,
    /// Shear along, at the rim [N].
    pub rim: f64,
    /// Ahead, shear less resistance [N].
    pub ahead: f64,
    /// Across [N].
    pub across: f64,
}

/// Slip of a contact over a step at velocities that do not change.
pub fn slippage(patch: &Patch, motion: &Motion, step: f64) -> Slippage<impl Fn(f64) -> DVec2> {
    let radius = patch.outline.radius();
    let Motion { forward, rim, across, yaw, .. } = *motion;
    let over_step = move |s: f64| {
        let cos = radius.map_or(1.0, |r| (1.0 - (s / r) * (s / r)).max(0.0).sqrt());
        DVec2::new(rim - forward * cos, -(across + yaw * s)) * step
    };
    Slippage { travel: step * rim.max(forward).max(0.0), over_step }
}

impl ContactRows {
    /// Computes the forces of a contact at the start of a step. The memory's datums are relative to its lowest point; its
    /// surface is moved on by the expected travel.
    pub fn prepare(
        &mut self,
        patch: &Patch,
        (memory, soil): (&mut Memory, &SoftSoil),
        motion: &Motion,
        step: f64,
    ) {
        let slip = slippage(patch, motion, step);
        let origin = memory.ground.origin();
        let stays = (|_| Place::default(), |_, _: &Place| {});
        patch.advance(memory, origin, slip.travel, stays);
        let now = patch.press(memory, soil, 0.0);
        let deeper = (-motion.up * step).max(0.0);
        let mut normal = if deeper > 0.0 { patch.press(memory, soil, deeper) } else { now };
        self.shear = patch.shear(memory, soil, &normal, &slip);
        // the line through the expected point, at the present one
        normal.load -= normal.slopes.0 * deeper;
        normal.slopes.1 = now.slopes.1;
        self.normal = normal;
        let Shear { force, torque, limit, .. } = self.shear;
        let (along, parts) = match patch.outline.radius() {
            Some(radius) => (torque / radius, [libm::cos(normal.entry), 1.0]),
            None => (force.x, [1.0, 1.0]),
        };
        let part = if along.abs() > 1e-3 * limit { force.x / along } else { 0.5 * (parts[0] + parts[1]) };
        self.part = part.clamp(parts[0], parts[1]);
        self.rest = force.x - self.part * along;
        self.expected = DVec2::new(along, force.y);
    }

    /// Writes the rows of a prepared contact.
    pub fn write(
        &mut self,
        directions: &Directions<'_>,
        (motion, step, extent): (&Motion, f64, f64),
        modes: &[BoundMode; CONTACT_ROWS],
        out: &mut SubsystemRows<'_>,
    ) {
        self.rows = [None; CONTACT_ROWS];
        let mut push = |k: usize, [lo, hi]: [f64; 2], [speed, loss]: [f64; 2], blocks: &[JacobianBlock]| {
            let law = RowLaw::Velocity { loss };
            let row = Row { speed, lo, hi, law, role: Role::Medium, ..Row::hold(0.0) };
            self.rows[k] = Some(out.push(row, blocks, modes[k]));
        };
        let load = self.normal.load + self.shear.lift;
        let area_load = self.normal.load.abs().max(self.shear.limit);
        let least = LEAST_STIFFNESS * area_load / extent;
        let sinking = self.normal.slopes.0.max(least);
        // what bears nothing over its whole extent: its rate per force would overflow
        if !(sinking * extent > NOTHING) {
            return;
        }
        let rising = self.normal.slopes.1.max(sinking);
        let kept = (load * (1.0 - sinking / rising)).max(0.0);
        let flow = 1.0 / (step * sinking);
        push(0, [kept, f64::INFINITY], [load * flow, flow], directions.normal);
        if kept > NOTHING {
            push(1, [-kept, 0.0], [0.0, 1.0 / (step * (rising - sinking))], directions.normal);
        }
        let Shear { limit, stiffness, force, .. } = self.shear;
        let bound = |other: f64| (limit * limit - other * other).max(0.0).sqrt().max(LEAST_BOUND * limit);
        if limit > NOTHING && stiffness > 0.0 {
            let loss = 1.0 / (step * stiffness);
            self.blocks.clear();
            self.blocks.extend(directions.ahead.iter().map(|block| block.scaled(self.part)));
            self.blocks.extend(directions.rim);
            let speed = self.part * motion.forward - motion.rim + self.expected.x * loss;
            let most = bound(force.y).max(self.expected.x.abs());
            push(2, [-most, most], [speed, loss], &self.blocks);
            let speed = motion.across + self.expected.y * loss;
            let most = bound(force.x).max(self.expected.y.abs());
            push(3, [-most, most], [speed, loss], directions.across);
        }
        let resistance = self.normal.resistance.max(0.0);
        if resistance > NOTHING {
            push(4, [self.rest - resistance, self.rest + resistance], [0.0, 0.0], directions.ahead);
        }
    }

    /// Whether rows were written.
    pub fn acts(&self) -> bool {
        self.rows[0].is_some()
    }

    /// Forgets its rows.
    pub fn clear(&mut self) {
        self.rows = [None; CONTACT_ROWS];
    }

    /// Modes of the solved rows.
    pub fn modes(&self, solved: &SolvedRows<'_>) -> [BoundMode; CONTACT_ROWS] {
        self.rows.map(|row| row.map_or(BoundMode::Between, |row| solved.mode(row)))
    }

    /// Forces of the solved rows.
    pub fn forces(&self, solved: &SolvedRows<'_>) -> ContactForces {
        let force = |k: usize| self.rows[k].map_or(0.0, |row| solved.force(row));
        let rim = force(2);
        ContactForces {
            normal: force(0) + force(1),
            rim,
            ahead: self.part * rim + force(4),
            across: force(3),
        }
    }
}
