//! A wheel on soft ground over a step: its frame, the ground under it, its contacts, and what it leaves behind.
//!
//! ```text
//!  x ahead, along the original surface under the wheel; y along the axle; e = x × y              foot = centre − r e
//!  datum of a cell, from the foot along e:   d = (H − z_foot − s x_z) e_z                        H height of the original surface
//! ```
//!
//! A wheel that has moved back by a part of its radius travels backwards from then on: its frame is turned about e, its
//! cells leave and come again.

use super::contact_rows::{ContactRows, Directions, Motion, slippage};
use super::model::GroundModel;
use super::ruts::{Footprint, Ruts};
use super::state::GroundState;
use super::wheel_model::{WheelModel, WheelShape};
use super::wheel_state::WheelState;
use crate::ground::Ground;
use crate::wheel::{Memory, Patch, Place, Slip, SoftSoil};
use glam::{DVec2, DVec3};
use windlass_engine::prelude::{BodyState, Contacts, JacobianBlock, SolvedRows, SubsystemRows, View};

/// Distance that a wheel moves back before it counts as travelling backwards, over its radius.
const TURNS_BACK: f64 = 0.02;
/// Height above the ground at which a wheel forgets it, over its radius.
const LIFTED: f64 = 0.5;
/// Least inclination of e against the vertical: a wheel that leans more lies on its side.
const UPRIGHT: f64 = 0.5;
/// Margin of the space in which contacts are those of the tread, over the radius.
const MARGIN: f64 = 0.2;

/// A wheel's frame.
#[derive(Clone, Copy, Debug)]
struct Frame {
    center: DVec3,
    /// Lowest point.
    foot: DVec3,
    /// Ahead, to the left, away from the ground.
    axes: [DVec3; 3],
}

/// A cell that has left a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftCell {
    /// Where it lies, seen from above.
    pub at: DVec2,
    pub ahead: DVec2,
    /// Length along the ground [m].
    pub length: f64,
    /// Vertical over normal distances.
    pub steepness: f64,
    pub place: Place,
}

/// Buffers of a wheel.
#[derive(Debug, Default)]
pub(super) struct WheelWork {
    /// Memory with datums relative to the foot.
    scratch: Memory,
    rows: ContactRows,
    pub left: Vec<LeftCell>,
}

/// A ground as wheels see it.
#[derive(Clone, Copy)]
pub(super) struct RutGround<'a> {
    pub ground: Ground<'a>,
    pub ruts: &'a Ruts,
}

impl<'a> RutGround<'a> {
    pub fn new(model: &'a GroundModel, state: &'a GroundState) -> RutGround<'a> {
        RutGround { ground: Ground::new(&model.terrain, &state.terrain), ruts: &state.ruts }
    }

    fn under(&self, at: DVec2, ahead: DVec2, width: f64) -> Place {
        self.ruts.under(&self.ground, &Footprint { at, ahead, half_width: 0.5 * width })
    }
}

/// A horizontal unit vector along another one.
fn level(v: DVec3) -> DVec2 {
    v.truncate().normalize_or_zero()
}

impl WheelModel {
    /// Its frame at a pose; none if it lies on its side.
    fn frame(&self, body: &BodyState, com: DVec3, reversed: bool, ground: &RutGround<'_>) -> Option<Frame> {
        let center = body.position + body.orientation * (self.center - com);
        let side = body.orientation * self.axis * if reversed { -1.0 } else { 1.0 };
        let x = side.cross(DVec3::Z);
        if x.length() < UPRIGHT {
            return None;
        }
        let x = match self.shape {
            WheelShape::Plate { .. } => side.cross(body.orientation * self.up),
            WheelShape::Round { radius } => {
                let ahead = level(x);
                let point = |s: f64| {
                    let at = center.truncate() + ahead * s;
                    at.extend(ground.under(at, ahead, self.width).datum)
                };
                let along = point(radius) - point(-radius);
                along - side * side.dot(along)
            }
        };
        let x = x.try_normalize()?;
        let up = x.cross(side);
        (up.z > UPRIGHT).then_some(Frame { center, foot: center - up * self.radius(), axes: [x, side, up] })
    }

    /// The soil under it; none where the ground is hard.
    fn soft(&self, model: &GroundModel, state: &GroundState, frame: &Frame) -> Option<SoftSoil> {
        if model.hard { None } else { self.soil(&model.terrain, &state.terrain, frame.foot) }
    }

    /// Velocities of a body in a frame.
    fn motion(&self, body: &BodyState, frame: &Frame) -> Motion {
        let [x, y, e] = frame.axes;
        let spin = body.angular_velocity;
        let center = body.velocity + spin.cross(frame.center - body.position);
        Motion {
            forward: center.dot(x),
            rim: self.radius() * spin.dot(y),
            // the surface at the ground
            across: (body.velocity + spin.cross(frame.foot - body.position)).dot(y),
            up: center.dot(e),
            yaw: spin.dot(e),
        }
    }

    /// Prepares the memory of a wheel at a frame: cells of the ground ahead of where it was enter, those behind leave.
    /// Distances are relative to the foot then.
    fn look(
        &self,
        (state, work): (&WheelState, &mut WheelWork),
        (patch, frame, moved): (&Patch, &Frame, f64),
        ground: &RutGround<'_>,
        mut leave: impl FnMut(f64, &Place),
    ) {
        match state.is_down() {
            true => work.scratch.clone_from(&state.memory),
            false => work.scratch.clone_from(&patch.memory()),
        }
        let position = work.scratch.ground.origin() + moved;
        let spacing = patch.spacing();
        let [x, ..] = frame.axes;
        let enter = |k: i64| {
            let s = k as f64 * spacing - position;
            let at = (frame.foot + x * s).truncate();
            ground.under(at, level(x), self.width)
        };
        let leave = |k: i64, place: &Place| leave(k as f64 * spacing - position, place);
        patch.advance(&mut work.scratch, position, 0.0, (enter, leave));
    }

    /// Takes contacts of its tread with its ground over, where that is soft. What is taken counts as no penetration.
    pub(super) fn take_over(
        &self,
        view: &View<'_>,
        (model, ground): (&GroundModel, &GroundState),
        contacts: &mut Contacts,
    ) {
        let bodies = [model.body, self.body].map(|body| body.index() as u32);
        let Some(body) = view.bodies.list.get(self.body) else { return };
        let state = view.bodies.body(self.body);
        let sight = RutGround::new(model, ground);
        let frame = self.frame(state, body.mass.center, false, &sight);
        let Some(frame) = frame.filter(|frame| self.soft(model, ground, frame).is_some()) else { return };
        let [x, y, _] = frame.axes;
        let reach = (1.0 + MARGIN) * self.reach();
        for pair in &mut contacts.pairs {
            if !bodies.iter().all(|body| pair.parts.iter().any(|part| part.body == *body)) {
                continue;
            }
            let mut kept = pair.points.start;
            for k in pair.points.clone() {
                let contact = contacts.list[k];
                contacts.list[k].gap = contact.gap.max(0.0);
                let away = contact.point - frame.center;
                let across = away.dot(y);
                let is_tread = across.abs() <= 0.5 * self.width + MARGIN * self.reach()
                    && match self.shape {
                        WheelShape::Round { .. } => (away - y * across).length() <= reach,
                        WheelShape::Plate { .. } => away.dot(x).abs() <= reach,
                    };
                if !is_tread {
                    contacts.list[kept] = contact;
                    kept += 1;
                }
            }
            pair.points.end = kept;
        }
    }

    /// Writes its rows at the start of a step.
    pub(super) fn write_rows(
        &self,
        view: &View<'_>,
        (model, ground): (&GroundModel, &GroundState),
        (state, work): (&WheelState, &mut WheelWork),
        out: &mut SubsystemRows<'_>,
    ) {
        work.rows.clear();
        let Some(body) = view.bodies.list.get(self.body) else { return };
        let own = view.bodies.body(self.body);
        let sight = RutGround::new(model, ground);
        let Some(frame) = self.frame(own, body.mass.center, state.reversed, &sight) else { return };
        if !state.is_down() && self.is_high(&frame, own, &sight, view.dt) {
            return;
        }
        let Some(soil) = self.soft(model, ground, &frame) else { return };
        let (patch, motion) = (self.patch(state.slip), self.motion(own, &frame));
        let moved = if state.is_down() { (frame.foot - state.foot).dot(frame.axes[0]) } else { 0.0 };
        self.look((state, work), (&patch, &frame, moved), &sight, |_, _| {});
        level_datums(&mut work.scratch, &frame);
        work.rows.prepare(&patch, (&mut work.scratch, &soil), &motion, view.dt);
        let [x, y, e] = frame.axes;
        let block = |at: DVec3, axis: DVec3| JacobianBlock {
            body: self.body.index() as u32,
            linear: axis,
            angular: (at - own.position).cross(axis),
        };
        let normal = &work.rows.normal;
        let middle = match self.shape {
            WheelShape::Plate { length } if normal.load > 0.0 => {
                frame.center + x * (normal.moment / normal.load).clamp(-0.5 * length, 0.5 * length)
            }
            _ => frame.center,
        };
        let rim = JacobianBlock {
            body: self.body.index() as u32,
            linear: DVec3::ZERO,
            angular: -y * self.radius(),
        };
        let directions = Directions {
            normal: &[block(middle, e)],
            ahead: &[block(frame.center, x)],
            rim: &[rim],
            across: &[block(frame.foot, y)],
        };
        work.rows.write(&directions, (&motion, view.dt, self.reach()), &state.modes, out);
    }

    /// Whether a frame is so far above the ground that it cannot touch it within a step [s].
    fn is_high(&self, frame: &Frame, body: &BodyState, ground: &RutGround<'_>, step: f64) -> bool {
        let surface = ground.ground.surface(frame.foot.x, frame.foot.y).height;
        frame.foot.z - surface > LIFTED * self.reach() + step * body.velocity.length()
    }

    /// Advances its state over a solved step. What leaves its contact is listed in `work.left`.
    pub(super) fn advance(
        &self,
        view: &View<'_>,
        (end, solved): (&BodyState, &SolvedRows<'_>),
        (model, ground): (&GroundModel, &GroundState),
        (state, work): (&mut WheelState, &mut WheelWork),
    ) {
        work.left.clear();
        let Some(body) = view.bodies.list.get(self.body) else { return };
        let (com, before) = (body.mass.center, view.bodies.body(self.body));
        let sight = RutGround::new(model, ground);
        let start = self.frame(before, com, state.reversed, &sight);
        let frame = self.frame(end, com, state.reversed, &sight);
        let soil = frame.and_then(|frame| self.soft(model, ground, &frame));
        let (Some(start), Some(frame), Some(soil)) = (start, frame, soil) else {
            return self.lift(state, work);
        };
        // a body that was put elsewhere between two steps
        if state.is_down() && start.foot.distance(state.foot) > self.reach() {
            self.lift(state, work);
        }
        let patch = self.patch(state.slip);
        if !state.is_down() {
            if self.is_high(&frame, end, &sight, 0.0) {
                return;
            }
            // what is under the wheel at the start of the step
            self.look((state, work), (&patch, &start, 0.0), &sight, |_, _| {});
            state.memory.clone_from(&work.scratch);
            (state.foot, state.ahead) = (start.foot, start.axes[0]);
        }
        let motion = self.motion(end, &frame);
        let moved = (frame.foot - state.foot).dot(frame.axes[0]);
        let mut left = std::mem::take(&mut work.left);
        self.look((state, work), (&patch, &frame, moved), &sight, |s, place| {
            left.push(left_cell((frame.foot, frame.axes[0]), patch.spacing(), s, place));
        });
        work.left = left;
        // the surface runs on
        let slip = slippage(&patch, &motion, view.dt);
        let origin = work.scratch.ground.origin();
        let stays = (|_| Place::default(), |_, _: &Place| {});
        patch.advance(&mut work.scratch, origin, slip.travel, stays);
        state.memory.clone_from(&work.scratch);
        level_datums(&mut work.scratch, &frame);
        let normal = patch.press(&work.scratch, &soil, 0.0);
        patch.commit(&mut work.scratch, &soil, &normal, &slip);
        state.memory.surface.clone_from(&work.scratch.surface);
        for ((_, own), (_, pressed)) in state.memory.ground.iter_mut().zip(work.scratch.ground.iter()) {
            own.rut = pressed.rut;
        }
        let under = work.scratch.ground.around(0.0).map_or(0.0, |(a, b, part)| a.lerp(b, part).datum);
        let forces = work.rows.forces(solved);
        state.modes = work.rows.modes(solved);
        state.sinkage = under.max(0.0);
        state.resistance = normal.resistance;
        let is_wheel = matches!(self.shape, WheelShape::Round { .. });
        let slip = Slip::of(motion.forward, motion.rim, 0.0).longitudinal.clamp(-1.0, 1.0);
        state.slip = if is_wheel && work.rows.acts() { slip } else { 0.0 };
        state.load = forces.normal;
        state.drawbar = forces.ahead;
        state.side = if state.reversed { -forces.across } else { forces.across };
        state.torque = forces.rim * self.radius();
        (state.foot, state.ahead) = (frame.foot, frame.axes[0]);
        if -under > LIFTED * self.reach() {
            return self.lift(state, work);
        }
        state.back = if moved < 0.0 { state.back - moved } else { (state.back - moved).max(0.0) };
        if state.back > TURNS_BACK * self.reach() {
            self.turn_back(state, work);
        }
    }

    /// All cells leave; from now on the wheel travels the other way.
    fn turn_back(&self, state: &mut WheelState, work: &mut WheelWork) {
        let now = (state.sinkage, state.slip, state.load, state.resistance);
        let (drawbar, side, torque, reversed) = (state.drawbar, state.side, state.torque, state.reversed);
        self.lift(state, work);
        (state.sinkage, state.slip, state.load, state.resistance) = now;
        (state.drawbar, state.side, state.torque, state.reversed) = (-drawbar, side, -torque, !reversed);
    }

    /// All cells leave at the place of the last step.
    fn lift(&self, state: &mut WheelState, work: &mut WheelWork) {
        let spacing = state.memory.ground.spacing();
        for (s, place) in state.memory.ground.iter() {
            work.left.push(left_cell((state.foot, state.ahead), spacing, s, place));
        }
        state.lift();
    }
}

/// A cell at an offset from the lowest point of a wheel that travels in a direction.
fn left_cell((foot, x): (DVec3, DVec3), length: f64, s: f64, place: &Place) -> LeftCell {
    let level_part = x.truncate().length();
    LeftCell {
        at: (foot + x * s).truncate(),
        ahead: level(x),
        length: length * level_part,
        steepness: 1.0 / level_part.max(UPRIGHT),
        place: *place,
    }
}

/// Makes the datums of a memory, heights of the ground, those above the foot along the normal.
fn level_datums(memory: &mut Memory, frame: &Frame) {
    let [x, _, e] = frame.axes;
    for (s, place) in memory.ground.iter_mut() {
        place.datum = (place.datum - frame.foot.z - s * x.z) * e.z;
    }
}
