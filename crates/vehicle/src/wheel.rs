//! A wheel with a tyre: contacts of its collider → the road plane, and five rows.
//!
//! The points at which the tyre's cylinder overlaps the ground define the road plane, with normal n. The contact point is
//! where the line from the wheel's centre, in the plane of the wheel and square to the road's line in it, meets the road:
//!
//! ```text
//! e = n − (n·a) a, normalised     a: spin axis, to the left       c: centre of the wheel
//! P = c − R_l e,   ρ = R₀ − R_l   x = a × n normalised, ahead     y = n × x     sin γ = a·n, camber
//! ```
//!
//! On a slope the force therefore has no moment about the axle. Rows, with velocities of the wheel relative to the road:
//!
//! ```text
//! normal    spring and damper of the tyre at its deflection, one-sided, linearised: gap = −F(ρ)/k(ρ)
//! along     v_sx = −x·v at c − R_e e,   across   v_sy = −y·v at P         the tyre patch (`tire/patch.rs`)
//! rolling   a·ω = −θ/h,  |λ| ≤ f F_z R_l, or |M_y| of the tyre       spinning   n·ω = −θ/h,  |λ| ≤ ⅔ μ F_z r_p, fading out up to 1 m/s
//! ```
//!
//! θ is the angle turned since the tyre holds in that direction (`held.rs`).
//!
//! Velocities after the step belong to its middle, the axes to its start. The axes turn with the wheel's yaw rate r by then,
//! which is a slip velocity of ½ h r (−v_y, v_x) in addition to that of the rows. The solved angular velocity of a wheel
//! that spins slowly is about its axle in the middle of the step, so that the row across has its part already.
//!
//! R_e, the effective radius, is the lever of the longitudinal force in slip and in torque, so that its power is that of
//! the slip. The load of this step's curves is the tyre force at the start of the step, and where the step does not resolve
//! the vibration of the wheel on its tyre, h² k > 4 m, the normal force of the last step. The bounds of the patch form a
//! rectangle that holds the force towards which the tyre slides.

use crate::held;
use crate::tire::patch::GRAVITY;
use crate::tire::{
    Carcass, Contact as Conditions, PatchRows, PatchState, Slip, Tire, TireModel, Vertical, VerticalState,
};
use glam::{DVec2, DVec3};
use std::sync::Arc;
use windlass_engine::body::frame::FAST_SPIN;
use windlass_engine::prelude::{
    Anchor, BodyId, BodyState, BoundMode, ColliderRef, Contacts, Form, Frame, JacobianBlock, Mass, Role, Row,
    RowLaw, SolvedRows, Spring, SubsystemRows, View,
};
use windlass_engine::row::implicit_part;

/// Points with normals closer to that of the deepest one than this belong to the road: cosine of 45°.
const SAME_ROAD: f64 = 0.707;
/// A wheel that leans by more is not rolling on its tread: cosine of 60°.
const UPRIGHT: f64 = 0.5;
/// Usual damping of a carcass in the road plane, as a fraction of critical: a stopped vehicle stops rocking.
pub const CARCASS_DAMPING: f64 = 0.05;
/// Speed up to which a tyre resists turning on the spot [m/s].
const TURNS_ON_THE_SPOT: f64 = 1.0;
/// Smallest bound of a sliding patch in one direction, as a fraction of the peak: its force can turn.
const LEAST_BOUND: f64 = 0.3;
/// The number of rows of a wheel on the ground.
pub(crate) const ROWS: usize = 5;

/// A wheel with a tyre.
#[derive(Clone)]
pub struct Wheel {
    /// Its name within the vehicle.
    pub name: String,
    /// Its body.
    pub body: BodyId,
    /// Number of the body's collider that is the tyre.
    pub collider: u32,
    /// Spin axis in the body's axes: to the left of the vehicle.
    pub axis: DVec3,
    /// The tyre model.
    pub tire: TireModel,
    /// The law of its vertical force.
    pub vertical: Arc<dyn Vertical + Send + Sync>,
    /// Rolling resistance over load; none for the rolling moment of the tyre model.
    pub rolling_resistance: Option<f64>,
    /// Friction coefficient of its surface with the road for which the parameters of the tyre hold. On another road the
    /// friction of the tyre is multiplied by that of the pair over this one; 0 for the same friction on all roads.
    pub reference_friction: f64,
    /// Inflation pressure [Pa]; none for the pressure of the model.
    pub pressure: Option<f64>,
    /// Damping of the carcass in the road plane, as a fraction of critical; usually [`CARCASS_DAMPING`].
    pub carcass_damping: f64,
}

impl std::fmt::Debug for Wheel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wheel").field("name", &self.name).field("body", &self.body).finish_non_exhaustive()
    }
}

/// What a wheel keeps from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelState {
    /// Deflection and sliding of the tyre's patch.
    pub patch: PatchState,
    /// Vertical load of the last step [N]; 0 in the air.
    pub load: f64,
    /// Forces on the wheel along and across, in its axes [N].
    pub force: DVec2,
    /// Longitudinal slip and tangent of the slip angle of the patch.
    pub slip: DVec2,
    /// Overturning and aligning moment of the tyre, world axes [N·m].
    pub moment: DVec3,
    /// Vertical deflection [m].
    pub deflection: f64,
    /// Camber [rad].
    pub camber: f64,
    /// Angles about the spin axis and the normal turned since the tyre holds in them [rad]; 0 while it turns.
    pub held: [f64; 2],
    /// Modes of its rows.
    pub modes: [BoundMode; ROWS],
    /// Body of the road by index; none in the air.
    pub road: Option<u32>,
}

impl WheelState {
    /// Speed at which the tyre slides over the road, once its force is at its limit [m/s]; 0 while it grips.
    pub fn sliding(&self) -> f64 {
        let at_limit = self.modes[1..3].iter().any(|mode| *mode != BoundMode::Between);
        if self.road.is_some() && at_limit { self.patch.sliding.length() } else { 0.0 }
    }

    pub(crate) const NUMBERS: usize = 22;

    pub(crate) fn numbers(&self) -> [f64; WheelState::NUMBERS] {
        let (u, p, f, s, m) = (self.patch.deflection, self.patch.sliding, self.force, self.slip, self.moment);
        let ([a, b, c, d, e], [rolled, spun]) = (self.modes.map(mode_number), self.held);
        [
            u.x,
            u.y,
            p.x,
            p.y,
            self.load,
            f.x,
            f.y,
            s.x,
            s.y,
            m.x,
            m.y,
            m.z,
            self.deflection,
            self.camber,
            rolled,
            spun,
            a,
            b,
            c,
            d,
            e,
            self.road.map_or(-1.0, f64::from),
        ]
    }

    pub(crate) fn from_numbers(n: [f64; WheelState::NUMBERS]) -> WheelState {
        WheelState {
            patch: PatchState { deflection: DVec2::new(n[0], n[1]), sliding: DVec2::new(n[2], n[3]) },
            load: n[4],
            force: DVec2::new(n[5], n[6]),
            slip: DVec2::new(n[7], n[8]),
            moment: DVec3::new(n[9], n[10], n[11]),
            deflection: n[12],
            camber: n[13],
            held: [n[14], n[15]],
            modes: [n[16], n[17], n[18], n[19], n[20]].map(mode_of),
            road: (n[21] >= 0.0).then_some(n[21] as u32),
        }
    }
}

/// A wheel on the ground, at the start of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Road {
    /// Frames of wheel and road.
    frames: [Frame; 2],
    /// Contact point, and the point at which the longitudinal force acts.
    points: [DVec3; 2],
    /// Ahead, to the left, and the road's normal.
    axes: [DVec3; 3],
    /// Spin axis.
    spin_axis: DVec3,
    deflection: f64,
    /// Gap of the linearised normal row [m], its spring.
    gap: f64,
    spring: Spring,
    conditions: Conditions,
    patch: PatchRows,
    /// Slip velocity due to the rotation of the axes in half a step [m/s].
    turning: DVec2,
    /// Length of the step [s].
    step: f64,
    /// Weights of the slip velocities after the step.
    parts: DVec2,
    bounds: DVec2,
    rolling: f64,
    spinning: f64,
}

/// A pair of colliders in contact, one of them of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touching {
    /// The body, by index.
    pub body: u32,
    /// Number of the pair.
    pub pair: u32,
}

impl Touching {
    /// Those of all bodies, sorted.
    pub fn collect(contacts: &Contacts, out: &mut Vec<Touching>) {
        out.clear();
        for (number, pair) in contacts.pairs.iter().enumerate() {
            out.extend(pair.parts.map(|part| Touching { body: part.body, pair: number as u32 }));
        }
        out.sort_unstable();
    }

    /// Those of a body.
    pub fn of(body: BodyId, all: &[Touching]) -> &[Touching] {
        let start = all.partition_point(|touching| (touching.body as usize) < body.index());
        let end = all.partition_point(|touching| touching.body as usize <= body.index());
        &all[start..end]
    }
}

/// The road plane under a wheel.
struct Plane {
    /// Body of the road.
    body: BodyId,
    /// Towards the wheel.
    normal: DVec3,
    /// Distance of the wheel's centre from the plane along the normal [m].
    height: f64,
    /// Friction over that of the road for which the tyre's parameters hold.
    friction: f64,
}

impl Wheel {
    fn part(&self) -> ColliderRef {
        ColliderRef { body: self.body.index() as u32, collider: self.collider }
    }

    /// Takes the contacts of its collider with the road over, and prepares its rows; none in the air.
    pub(crate) fn road(
        &self,
        view: &View<'_>,
        state: &WheelState,
        (contacts, touching): (&mut Contacts, &[Touching]),
    ) -> Option<Road> {
        let plane = self.take_over(view, contacts, touching)?;
        let wheel = &view.bodies.states[self.body.index()];
        let road = &view.bodies.states[plane.body.index()];
        let (a, n) = (wheel.orientation * self.axis, plane.normal);
        let e = n - a * n.dot(a);
        let upright = e.length();
        let e = e / upright;
        let loaded = plane.height / upright;
        let [x, y] = {
            let x = a.cross(n).normalize();
            [x, n.cross(x)]
        };
        let velocity = |s: &BodyState, at: DVec3| s.velocity + s.angular_velocity.cross(at - s.position);
        let point = wheel.position - e * loaded;
        let spin = a.dot(wheel.angular_velocity - road.angular_velocity);
        let camber = libm::asin(a.dot(n).clamp(-1.0, 1.0));
        let vertical =
            VerticalState { spin, pressure: self.pressure, camber, fx: state.force.x, fy: state.force.y };
        let deflection = self.vertical.free_radius(spin) - loaded;
        let closing = -n.dot(velocity(wheel, wheel.position) - velocity(road, point));
        let stiffness = self.vertical.stiffness(deflection.max(0.0), &vertical);
        let elastic = self.vertical.spring_force(deflection.max(0.0), &vertical);
        let Mass { mass, inertia, .. } = view.bodies.list.get(self.body)?.mass;
        let is_resolved = view.dt * view.dt * stiffness <= 4.0 * mass;
        let load = match is_resolved || state.load <= 0.0 {
            true => self.vertical.load(deflection, closing, &vertical),
            false => state.load,
        };
        let ahead = x.dot(velocity(wheel, wheel.position) - velocity(road, point));
        let conditions =
            Conditions { load, camber, pressure: self.pressure, speed: ahead, friction: plane.friction };
        let radius = self.vertical.effective_radius(load, &vertical);
        let lever = wheel.position - e * radius;
        let carcass = Carcass::of(&self.tire, &conditions, self.carcass_damping);
        let patch = PatchRows::new(&state.patch, &carcass, &self.tire, &conditions, view.dt);
        let slip = |at: DVec3, axis: DVec3| -axis.dot(velocity(wheel, at) - velocity(road, at));
        let bounds = bounds(&patch, DVec2::new(slip(lever, x), slip(point, y)));
        let yawed = 0.5 * view.dt * n.dot(wheel.angular_velocity - road.angular_velocity);
        let turning =
            yawed * DVec2::new(slip(point, y), if spin.abs() * view.dt > FAST_SPIN { ahead } else { 0.0 });
        // mobility of the contact: the mass that loads the wheel, and along the road its spin
        let loaded_mass = (load / GRAVITY).max(mass);
        let spin_mobility = radius * radius / self.axis.dot(inertia * self.axis);
        let mobility = DVec2::new(spin_mobility + 1.0 / loaded_mass, 2.0 / loaded_mass);
        let part = |k: usize| implicit_part(view.dt * mobility[k] / patch.compliance[k]);
        let parts = DVec2::new(part(0), part(1));
        let half_length = (deflection.max(0.0) * 2.0 * radius).sqrt();
        let rolling = match self.rolling_resistance {
            Some(share) => share * load * loaded,
            None => self.tire.rolling_moment(&conditions, state.force.x).max(0.0),
        };
        let slow = (1.0 - ahead.abs() / TURNS_ON_THE_SPOT).max(0.0);
        Some(Road {
            frames: [self.body, plane.body].map(|id| view.bodies.frame(&Anchor::point(id, DVec3::ZERO))),
            points: [point, lever],
            axes: [x, y, n],
            spin_axis: a,
            deflection,
            gap: if deflection > 0.0 { -elastic / stiffness } else { -deflection },
            spring: Spring { stiffness, damping: self.vertical.damping(), form: Form::Auto },
            conditions,
            patch,
            turning,
            step: view.dt,
            parts,
            bounds,
            rolling,
            // the patch as a disc of its half length over √2
            spinning: slow * 2.0 / 3.0 * patch.bound.y * half_length * std::f64::consts::FRAC_1_SQRT_2,
        })
    }

    /// Finds the road plane among the contacts of its collider, and empties the pairs that belong to it.
    fn take_over(&self, view: &View<'_>, contacts: &mut Contacts, touching: &[Touching]) -> Option<Plane> {
        let part = self.part();
        let wheel = &view.bodies.states[self.body.index()];
        let axis = wheel.orientation * self.axis;
        let plane = self.plane(view, contacts, touching);
        // a wheel in the air lands on what faces up
        let up = -view.settings.gravity.normalize_or_zero();
        let normal = plane.as_ref().map_or(up, |plane| plane.normal);
        if normal.cross(axis).length() < UPRIGHT {
            return None;
        }
        // an impact becomes a deflection of the tyre, unless the wheel sinks by its radius within the step
        let sinks = -view.dt * normal.dot(wheel.velocity);
        let is_soft = sinks < self.vertical.free_radius(0.0);
        let Contacts { pairs, list, .. } = contacts;
        for touching in touching {
            let pair = &mut pairs[touching.pair as usize];
            if !pair.parts.contains(&part) {
                continue;
            }
            let side = if pair.parts[1] == part { 1.0 } else { -1.0 };
            let of_road = |k: usize| list[k].normal.dot(normal) * side > SAME_ROAD;
            let is_taken = pair.meeting.is_none() || is_soft;
            if is_taken && pair.points.clone().all(of_road) {
                pair.points = pair.points.start..pair.points.start;
            }
        }
        plane.filter(|plane| plane.height.is_finite())
    }

    /// The plane of the road at the deepest contact; at an infinite distance if nothing overlaps yet.
    fn plane(&self, view: &View<'_>, contacts: &Contacts, touching: &[Touching]) -> Option<Plane> {
        let (part, center) = (self.part(), view.bodies.states[self.body.index()].position);
        let pairs = touching.iter().map(|touching| &contacts.pairs[touching.pair as usize]);
        let own = pairs.filter(|pair| pair.parts.contains(&part) && pair.meeting.is_none());
        let points = own.flat_map(|pair| contacts.list[pair.points.clone()].iter().map(move |p| (pair, p)));
        let (pair, deepest) = points.min_by(|a, b| a.1.gap.total_cmp(&b.1.gap))?;
        let side = if pair.parts[1] == part { 1.0 } else { -1.0 };
        // the mean normal of the overlapping points, by their depths
        let list = &contacts.list[pair.points.clone()];
        let of_road = || list.iter().filter(|p| p.normal.dot(deepest.normal) > SAME_ROAD);
        let weight = |gap: f64| (-gap).max(0.0);
        let sum: DVec3 = of_road().map(|p| p.normal * weight(p.gap)).sum();
        let normal = side * if sum == DVec3::ZERO { deepest.normal } else { sum.normalize() };
        // the highest point of the ground; points that do not overlap yet are not midway between the surfaces
        let ground = |at: DVec3, own_normal: DVec3, gap: f64| at - own_normal * (side * 0.5 * gap);
        let overlapping = of_road().filter(|p| p.gap <= 0.0);
        let heights = overlapping.map(|p| normal.dot(center - ground(p.point, p.normal, p.gap)));
        let height = heights.fold(f64::INFINITY, f64::min);
        let road = pair.parts[usize::from(pair.parts[0] == part)];
        let body = view.bodies.list.id(road.body as usize)?;
        // a road without a surface of its own is that of the tyre's parameters
        let is_named = collider_surface(view, road).is_some_and(|surface| surface != 0);
        let is_scaled = self.reference_friction > 0.0 && is_named;
        let friction = if is_scaled { pair.touch.stick / self.reference_friction } else { 1.0 };
        Some(Plane { body, normal, height, friction })
    }
}

/// The surface of a collider.
fn collider_surface(view: &View<'_>, part: ColliderRef) -> Option<u16> {
    Some(view.bodies.list.at(part.body as usize)?.colliders.get(part.collider as usize)?.surface)
}

/// Bounds of the two directions: the peaks while the tyre grips, else the force towards which it slides.
fn bounds(patch: &PatchRows, slip_velocity: DVec2) -> DVec2 {
    let free = patch.free_force(slip_velocity);
    let held = patch.bounded(free);
    match held == free {
        true => patch.bound,
        false => held.abs().max(patch.bound * LEAST_BOUND),
    }
}

impl Road {
    /// Blocks of a unit force on the wheel and its reaction on the road, at a point.
    fn push(&self, at: DVec3, axis: DVec3) -> [JacobianBlock; 2] {
        let [wheel, road] = &self.frames;
        [wheel.push_at(at, axis), road.push_at(at, -axis)]
    }

    /// Blocks of a unit torque on the wheel and its reaction on the road.
    fn turn(&self, axis: DVec3) -> [JacobianBlock; 2] {
        let [wheel, road] = &self.frames;
        [wheel.spin(axis), road.spin(-axis)]
    }

    /// Writes its rows; returns the number of the first.
    pub fn rows(&self, state: &WheelState, out: &mut SubsystemRows<'_>) -> usize {
        let [x, y, n] = self.axes;
        let [point, lever] = self.points;
        let mode = |k: usize| state.modes[k];
        let normal = Row { role: Role::Normal, ..Row::push(self.gap) }.soft(Some(self.spring));
        let first = out.push(normal, &self.push(point, n), mode(0));
        let patch = |k: usize| Row {
            lo: -self.bounds[k],
            hi: self.bounds[k],
            law: RowLaw::Maxwell {
                compliance: self.patch.compliance[k],
                offset: self.patch.rhs[k],
                part: self.parts[k],
            },
            // its mean over half a step is the slip due to the rotation of the axes
            acceleration: -2.0 * self.turning[k] / self.step,
            role: Role::Friction,
            ..Row::hold(0.0)
        };
        out.push(patch(0), &self.push(lever, -x), mode(1));
        out.push(patch(1), &self.push(point, -y), mode(2));
        let friction =
            |torque: f64, angle: f64| Row { role: Role::Friction, ..Row::drive(-angle / self.step, torque) };
        let [rolled, spun] = state.held;
        out.push(friction(self.rolling, rolled), &self.turn(self.spin_axis), mode(3));
        out.push(friction(self.spinning, spun), &self.turn(n), mode(4));
        first
    }

    /// State of the wheel after a solved step, from that before.
    pub fn advanced(
        &self,
        wheel: &Wheel,
        before: &WheelState,
        (solved, first): (&SolvedRows<'_>, usize),
    ) -> WheelState {
        let force = -DVec2::new(solved.force(first + 1), solved.force(first + 2));
        // between its bounds the force of a row is that of the slip velocity of the step
        let sliding = |k: usize| match solved.mode(first + 1 + k) {
            BoundMode::Between => self.patch.rhs[k] + self.patch.compliance[k] * force[k],
            _ => solved.rate(first + 1 + k) + self.turning[k],
        };
        let slip_velocity = DVec2::new(sliding(0), sliding(1));
        let patch = self.patch.update(slip_velocity, force);
        let reference = self.conditions.speed.abs().max(patch.sliding.length() / wheel.tire.max_slip());
        let slip = if reference > 0.0 { patch.sliding / reference } else { DVec2::ZERO };
        let load = solved.force(first);
        let moments = wheel
            .tire
            .force(Slip { kappa: slip.x, tan_alpha: -slip.y }, &Conditions { load, ..self.conditions });
        let [x, _, n] = self.axes;
        let held = |k: usize| {
            let row = first + 3 + k;
            held::given(before.held[k], self.step, solved.mode(row), solved.rate(row))
        };
        WheelState {
            patch,
            load,
            force,
            slip: DVec2::new(slip.x, -slip.y),
            moment: x * moments.mx + n * moments.mz,
            deflection: self.deflection.max(0.0),
            camber: self.conditions.camber,
            held: [held(0), held(1)],
            modes: std::array::from_fn(|k| solved.mode(first + k)),
            road: Some(self.frames[1].body),
        }
    }
}

/// A mode as a number in a state.
pub(crate) fn mode_number(mode: BoundMode) -> f64 {
    match mode {
        BoundMode::Between => 0.0,
        BoundMode::Low => -1.0,
        BoundMode::High => 1.0,
        BoundMode::Stop => 2.0,
    }
}

/// The mode of a number.
pub(crate) fn mode_of(number: f64) -> BoundMode {
    match number as i64 {
        -1 => BoundMode::Low,
        1 => BoundMode::High,
        _ => BoundMode::Between,
    }
}
