//! The rider on the bicycle: rides, and their results instant by instant.

use crate::Trouble;
use crate::lab::example;
use glam::DVec3;
use windlass_engine::prelude::{Anchor, Bodies, BodyId, Force, ForceLaw, Frame, JointId, Loads, World};

/// Springs of the seat, as the scene has them.
pub const STAGES: usize = 8;
/// Way from one to the next [m].
const STAGE: f64 = 5e-3;
/// k(d) = LEAST + GROWTH d: where the seat begins [N/m], and how it stiffens [N/m²].
const LEAST: f64 = 10e3;
const GROWTH: f64 = 15e3 / STAGE;
/// Of each spring [N·s/m].
const DAMPING: f64 = 150.0;
/// Where pelvis and saddle meet, in their axes.
const SADDLE: DVec3 = DVec3::new(0.2, 0.0, 0.92);
const SEAT: DVec3 = DVec3::new(0.0, 0.0, -0.08);

/// Bodies of the rider.
const RIDER: [&str; 13] = [
    "pelvis",
    "trunk",
    "head",
    "left_upper_arm",
    "left_forearm",
    "right_upper_arm",
    "right_forearm",
    "left_thigh",
    "left_shank",
    "left_foot",
    "right_thigh",
    "right_shank",
    "right_foot",
];

/// Force of a seat whose stiffness grows with its depth [N].
pub fn seat_force(depth: f64) -> f64 {
    if depth > 0.0 { depth * (LEAST + 0.5 * GROWTH * depth) } else { 0.0 }
}

/// The seat as a force outside the engine, which the springs of the scene approximate stage by stage.
#[derive(Clone, Debug)]
struct SmoothSeat {
    saddle: Anchor,
    seat: Anchor,
}

impl SmoothSeat {
    /// Where the seat is, its upward direction and how deep it is pressed.
    fn pressed(&self, sight: &Bodies<'_>) -> ([Frame; 2], DVec3, f64) {
        let [saddle, seat] = [self.saddle, self.seat].map(|anchor| sight.frame(&anchor));
        let up = saddle.z();
        let depth = up.dot(saddle.at - seat.at);
        ([Frame { at: seat.at, ..saddle }, seat], up, depth)
    }

    fn force(&self, sight: &Bodies<'_>) -> f64 {
        let ([saddle, seat], up, depth) = self.pressed(sight);
        if depth <= 0.0 {
            return 0.0;
        }
        let rate = up.dot(sight.velocity(&saddle) - sight.velocity(&seat));
        (seat_force(depth) + DAMPING * (depth / STAGE + 0.5) * rate).max(0.0)
    }
}

impl ForceLaw for SmoothSeat {
    fn apply(&self, sight: &Bodies<'_>, out: &mut Loads) {
        let ([saddle, seat], up, _) = self.pressed(sight);
        let force = self.force(sight);
        out.push(&seat, up * force);
        out.push(&saddle, up * -force);
    }

    fn potential(&self, sight: &Bodies<'_>) -> f64 {
        let depth = self.pressed(sight).2.max(0.0);
        depth * depth * (0.5 * LEAST + GROWTH * depth / 6.0)
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.saddle.body, self.seat.body]
    }
}

/// An instant of a ride.
#[derive(Clone, Copy, Debug, Default)]
pub struct Instant {
    pub time: f64,
    /// Heights of the hubs, front and rear, of pelvis and head over where they began [m].
    pub front: f64,
    pub rear: f64,
    pub pelvis: f64,
    pub head: f64,
    /// Way of the pelvis out of the saddle [m]; negative where the seat is pressed.
    pub lift: f64,
    /// Force of the seat [N], and of the road and stone on each wheel [N], upward.
    pub seat: f64,
    pub front_load: f64,
    pub rear_load: f64,
    /// Vertical acceleration of the head [m/s²].
    pub shake: f64,
    /// All energy [J].
    pub energy: f64,
    /// How far the frame is off its line [m], and how far it leans [rad].
    pub aside: f64,
    pub lean: f64,
}

/// A rider on his bicycle.
pub struct Ride {
    pub world: World,
    frame: BodyId,
    pelvis: BodyId,
    head: BodyId,
    wheels: [BodyId; 2],
    seats: Vec<JointId>,
    smooth: Option<SmoothSeat>,
    began: [f64; 4],
}

impl Ride {
    /// With values put over those of the scene.
    pub fn new(values: &[(&str, &str)]) -> Result<Ride, Trouble> {
        let world = example("bicycle.toml", values)?.world;
        let body = |name: &str| named(&world, name);
        let (frame, pelvis, head) = (body("frame")?, body("pelvis")?, body("head")?);
        let wheels = [body("front_wheel")?, body("rear_wheel")?];
        let seats = (0..STAGES).filter_map(|i| world.model().joint(&format!("seat{i}"))).collect();
        let mut ride = Ride { world, frame, pelvis, head, wheels, seats, smooth: None, began: [0.0; 4] };
        ride.began = ride.heights();
        Ok(ride)
    }

    /// With the seat as a force of its own instead of the scene's springs.
    pub fn with_smooth_seat(values: &[(&str, &str)]) -> Result<Ride, Trouble> {
        let values = [&[("parameters.stages", "0")], values].concat();
        let mut ride = Ride::new(&values)?;
        let seat =
            SmoothSeat { saddle: Anchor::point(ride.frame, SADDLE), seat: Anchor::point(ride.pelvis, SEAT) };
        let law = Force::Custom(std::sync::Arc::new(seat.clone()));
        ride.world.add_force(law).map_err(Trouble::from)?;
        ride.smooth = Some(seat);
        Ok(ride)
    }

    fn point(&self, body: BodyId, at: DVec3) -> DVec3 {
        self.world.model().frame(self.world.state(), &Anchor::point(body, at)).at
    }

    fn heights(&self) -> [f64; 4] {
        let [front, rear] = self.wheels;
        [front, rear, self.pelvis, self.head].map(|body| self.point(body, DVec3::ZERO).z)
    }

    /// Way of the pelvis out of the saddle [m].
    pub fn lift(&self) -> f64 {
        let up = self.world.state().bodies[self.frame.index()].orientation * DVec3::Z;
        up.dot(self.point(self.pelvis, SEAT) - self.point(self.frame, SADDLE))
    }

    /// Force of the seat on the pelvis in the last solve [N].
    pub fn seat(&self) -> f64 {
        if let Some(smooth) = &self.smooth {
            return smooth.force(&self.world.model().bodies_at(self.world.state()));
        }
        self.seats.iter().filter_map(|joint| self.world.reaction(*joint, 1)).map(|w| w.force.length()).sum()
    }

    /// Force of the ground on each wheel, front and rear [N].
    pub fn loads(&self) -> [DVec3; 2] {
        self.wheels.map(|wheel| self.world.contact_load(wheel).force)
    }

    /// Weight of the rider and of all [N].
    pub fn weights(&self) -> [f64; 2] {
        let model = self.world.model();
        let gravity = model.settings().gravity.length();
        let free = || model.bodies().iter().map(|(_, body)| body).filter(|body| body.is_dynamic());
        let rider: f64 = free().filter(|b| RIDER.contains(&b.name.as_str())).map(|b| b.mass.mass).sum();
        let all: f64 = free().map(|b| b.mass.mass).sum();
        [gravity * rider, gravity * all]
    }

    /// Supporting forces of the rider in the last solve: seat and saddle, pedals, handlebar [N].
    pub fn holds(&self) -> [f64; 3] {
        let on = |name: &str, anchor: usize| {
            let joint = self.world.model().joint(name);
            joint.and_then(|j| self.world.reaction(j, anchor)).map_or(0.0, |w| w.force.z)
        };
        let seats = (0..STAGES).map(|i| on(&format!("seat{i}"), 1)).sum::<f64>() + on("saddle", 1);
        [seats, on("left_pedal", 1) + on("right_pedal", 1), on("left_grip", 0) + on("right_grip", 0)]
    }

    /// Takes a step.
    pub fn step(&mut self) -> Result<Instant, Trouble> {
        let head = |world: &World, head: BodyId| world.state().bodies[head.index()].velocity.z;
        let before = head(&self.world, self.head);
        let report = self.world.step();
        if let Some(fault) = report.fault {
            return Err(Trouble::from(fault));
        }
        let [front, rear, pelvis, high] = self.heights();
        let [began_front, began_rear, began_pelvis, began_head] = self.began;
        let frame = &self.world.state().bodies[self.frame.index()];
        let side = frame.orientation * DVec3::Y;
        let loads = self.loads();
        Ok(Instant {
            time: self.world.state().time,
            front: front - began_front,
            rear: rear - began_rear,
            pelvis: pelvis - began_pelvis,
            head: high - began_head,
            lift: self.lift(),
            seat: self.seat(),
            front_load: loads[0].z,
            rear_load: loads[1].z,
            shake: (head(&self.world, self.head) - before) / self.world.model().settings().dt,
            energy: report.energy.total(),
            aside: frame.position.y,
            lean: libm::asin(side.z),
        })
    }

    /// Rides on until a time [s].
    pub fn until(&mut self, time: f64) -> Result<Vec<Instant>, Trouble> {
        let mut course = Vec::new();
        while self.world.state().time < time - 1e-9 {
            course.push(self.step()?);
        }
        Ok(course)
    }
}

fn named(world: &World, name: &str) -> Result<BodyId, Trouble> {
    world.model().body(name).ok_or_else(|| Trouble::Failed(format!("no body {name}")))
}
