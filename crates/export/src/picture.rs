//! Pictures: bodies made of solids, lines between them, ground, light and a camera; and the poses of the bodies
//! at an instant. Plain data, checked once by [`Picture::check`] before anything is written.

use crate::Error;
use crate::instant::{Instant, Instants, Pose, Ties};
use crate::material::Look;
use crate::surface::Surface;
use crate::terrain::{Relief, Terrain};
use crate::tube::CableTube;
use crate::water::Water;
use glam::{DQuat, DVec3};
use windlass_engine::body::shape::Shape;

/// Tolerance of the norm of a quaternion.
const UNIT: f64 = 1e-6;
/// Coordinates beyond this [m] indicate a diverged simulation.
const FAR: f64 = 1e10;

/// The time-independent part of the appearance of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The bodies, in the order of the poses.
    pub bodies: Vec<Figure>,
    /// Ropes and rods between points of bodies.
    pub lines: Vec<Line>,
    /// Flexible cables.
    pub tubes: Vec<CableTube>,
    /// A level ground, if any.
    pub ground: Option<Ground>,
    /// Surfaces of liquids, from the lowest to the highest.
    pub waters: Vec<Water>,
    /// Grounds of soil.
    pub terrains: Vec<Terrain>,
    /// The camera.
    pub camera: Camera,
    /// Distant lights; the first casts the shadows of drawings.
    pub lights: Vec<Light>,
    /// The background.
    pub background: Background,
}

/// A body: solids fixed in its axes. A body without solids is invisible, but may carry lines or the camera.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// Its name, any text.
    pub name: String,
    /// Its solids.
    pub solids: Vec<Solid>,
}

/// A solid of a body and its appearance. `None` values are taken from the material.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// The solid in its own frame.
    pub shape: Shape,
    /// Origin of its frame in the body's axes [m].
    pub at: DVec3,
    /// Orientation of its frame in the body's axes.
    pub orientation: DQuat,
    /// Name of the material, such as `steel` or `oak`; an unknown one looks like matt plastic.
    pub material: String,
    /// Colour.
    pub color: Option<[f64; 3]>,
    /// From 0, polished, to 1, matt.
    pub roughness: Option<f64>,
    /// From 0, paint or plastic, to 1, bare metal.
    pub metalness: Option<f64>,
}

/// A rope, rod or chain drawn as a round line through points of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Two or more: the index of a body, and a point in its axes [m].
    pub points: Vec<(usize, DVec3)>,
    /// Radius [m].
    pub radius: f64,
    /// Colour.
    pub color: [f64; 3],
}

/// The level ground z = height.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// Height [m].
    pub height: f64,
    /// Its pattern.
    pub pattern: Pattern,
}

/// Patterns of the ground.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// One colour.
    Plain {
        /// Colour.
        color: [f64; 3],
    },
    /// Squares in two colours, with a corner on the z axis and edges along x and y.
    Checker {
        /// The two colours.
        colors: [[f64; 3]; 2],
        /// Side of a square [m].
        side: f64,
    },
}

/// The viewer. Points and directions are in the axes that `mount` names.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Its position [m].
    pub position: DVec3,
    /// The point in the middle of the image [m].
    pub target: DVec3,
    /// A direction that points upward in the image.
    pub up: DVec3,
    /// The angle from the lower to the upper edge of the image [rad].
    pub angle: f64,
    /// Its mount.
    pub mount: Mount,
    /// Two eyes instead of one.
    pub stereo: Option<Stereo>,
}

/// Mounts of the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mount {
    /// The world.
    #[default]
    World,
    /// A body: it moves and rotates with it; position, target and up are in the body's axes.
    On(usize),
    /// It translates with a body without rotating: position and target are relative to the body's origin, in
    /// world axes.
    Follow(usize),
    /// It is fixed in the world and aims at a body: position and up are in world axes, target in the body's.
    Toward(usize),
    /// It moves with a body and turns with its heading: position and target are relative to the body's origin, in the
    /// axes of [`heading`](windlass_scene::visual::heading).
    Heading(usize),
}

/// A pair of eyes beside each other about the camera's position, with parallel axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stereo {
    /// Distance between the eyes [m].
    pub eyes: f64,
    /// Distance of the plane of zero parallax [m].
    pub convergence: f64,
}

/// A distant light, such as the sun.
#[derive(Clone, Debug, PartialEq)]
pub struct Light {
    /// Direction towards the light, in world axes, of any length.
    pub from: DVec3,
    /// Colour.
    pub color: [f64; 3],
    /// Brightness: 1 is the sun of an ordinary picture.
    pub power: f64,
    /// Half of its apparent angle [rad], which determines the softness of shadows. 0 is a point.
    pub softness: f64,
}

/// The background.
#[derive(Clone, Debug, PartialEq)]
pub enum Background {
    /// One colour.
    Plain([f64; 3]),
    /// A sky.
    Sky {
        /// Colour at the horizon.
        horizon: [f64; 3],
        /// Colour overhead.
        zenith: [f64; 3],
    },
}

/// Instants kept in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Reel {
    /// Frames per second.
    pub rate: f64,
    /// Time of the first frame [s].
    pub start: f64,
    /// The poses of each frame.
    pub frames: Vec<Vec<Pose>>,
    /// The links of each cable in each frame; empty if all are whole and hardly twisted.
    pub ties: Vec<Vec<Ties>>,
    /// The grounds of soil in each frame; empty if there are none.
    pub reliefs: Vec<Vec<Relief>>,
}

impl Instants for Reel {
    fn rate(&self) -> f64 {
        self.rate
    }

    fn count(&self) -> usize {
        self.frames.len()
    }

    fn at(&mut self, frame: usize) -> Result<Instant<'_>, Box<dyn std::error::Error + Send + Sync>> {
        let poses = self.frames.get(frame).ok_or("the reel has no such frame")?;
        let ties = self.ties.get(frame).map_or(&[][..], Vec::as_slice);
        let reliefs = self.reliefs.get(frame).map_or(&[][..], Vec::as_slice);
        Ok(Instant { time: self.start + frame as f64 / self.rate, poses, ties, reliefs })
    }
}

impl Default for Picture {
    fn default() -> Picture {
        Picture {
            bodies: Vec::new(),
            lines: Vec::new(),
            tubes: Vec::new(),
            ground: None,
            waters: Vec::new(),
            terrains: Vec::new(),
            camera: Camera::default(),
            lights: vec![Light::default()],
            background: Background::default(),
        }
    }
}

impl Solid {
    /// Its appearance: that of its material, with its own values.
    pub fn look(&self) -> Look {
        let look = Look::of_material(&self.material);
        Look {
            color: self.color.unwrap_or(look.color),
            roughness: self.roughness.unwrap_or(look.roughness),
            metalness: self.metalness.unwrap_or(look.metalness),
            ..look
        }
    }
}

impl Default for Solid {
    fn default() -> Solid {
        Solid {
            shape: Shape::Sphere { radius: 0.5 },
            at: DVec3::ZERO,
            orientation: DQuat::IDENTITY,
            material: String::new(),
            color: None,
            roughness: None,
            metalness: None,
        }
    }
}

impl Default for Ground {
    fn default() -> Ground {
        // slabs of concrete: enough of a difference to judge distances by
        let colors = [[0.68, 0.675, 0.65], [0.645, 0.64, 0.62]];
        Ground { height: 0.0, pattern: Pattern::Checker { colors, side: 1.0 } }
    }
}

impl Default for Camera {
    fn default() -> Camera {
        Camera {
            position: DVec3::new(6.0, -9.0, 4.0),
            target: DVec3::new(0.0, 0.0, 1.0),
            up: DVec3::Z,
            angle: 40f64.to_radians(),
            mount: Mount::World,
            stereo: None,
        }
    }
}

impl Default for Light {
    fn default() -> Light {
        Light { from: DVec3::new(0.45, -0.6, 1.1), color: [1.0, 0.97, 0.92], power: 1.0, softness: 0.03 }
    }
}

impl Default for Background {
    fn default() -> Background {
        Background::Sky { horizon: [0.90, 0.93, 0.96], zenith: [0.44, 0.62, 0.84] }
    }
}

impl Background {
    /// Its colour at the horizon.
    pub(crate) fn low(&self) -> [f64; 3] {
        match self {
            Background::Plain(color) | Background::Sky { horizon: color, .. } => *color,
        }
    }
}

impl Camera {
    /// A camera that looks along `gaze` and sees all of the box from `low` to `high` in an image at least as
    /// wide as high.
    pub fn framing(low: DVec3, high: DVec3, gaze: DVec3) -> Camera {
        let angle = 35f64.to_radians();
        let radius = (0.5 * (high - low).length()).max(1e-3);
        let away = radius / libm::sin(0.5 * angle);
        let target = 0.5 * (low + high);
        let gaze = gaze.try_normalize().unwrap_or(DVec3::Y);
        let up = if gaze.z.abs() < 0.99 { DVec3::Z } else { DVec3::Y };
        Camera { position: target - gaze * away, target, up, angle, mount: Mount::World, stereo: None }
    }
}

impl Picture {
    /// Whether all of it can be drawn.
    ///
    /// # Errors
    /// Names the first part that cannot, and the remedy.
    pub fn check(&self) -> Result<(), Error> {
        for (index, body) in self.bodies.iter().enumerate() {
            for (part, solid) in body.solids.iter().enumerate() {
                solid.check().map_err(|fault| {
                    let name: String = body.name.chars().take(80).collect();
                    Error::input(format!("bodies[{index}] ({name:?}), solids[{part}]"), fault)
                })?;
            }
        }
        for (index, line) in self.lines.iter().enumerate() {
            self.check_line(line).map_err(|fault| Error::input(format!("lines[{index}]"), fault))?;
        }
        for (index, cord) in self.tubes.iter().enumerate() {
            if let Some(fault) = cord.problem(self.bodies.len()) {
                let name: String = cord.name.chars().take(80).collect();
                return Err(Error::input(format!("cords[{index}] ({name:?})"), fault));
            }
        }
        if let Some(ground) = &self.ground {
            check_ground(ground).map_err(|fault| Error::input("ground", fault))?;
        }
        for (index, water) in self.waters.iter().enumerate() {
            if let Some(fault) = water.problem() {
                return Err(Error::input(format!("waters[{index}]"), fault));
            }
        }
        for (index, terrain) in self.terrains.iter().enumerate() {
            if let Some(fault) = terrain.problem() {
                return Err(Error::input(format!("terrains[{index}]"), fault));
            }
        }
        self.check_camera().map_err(|fault| Error::input("camera", fault))?;
        for (index, light) in self.lights.iter().enumerate() {
            check_light(light).map_err(|fault| Error::input(format!("lights[{index}]"), fault))?;
        }
        match &self.background {
            Background::Plain(color) => colored(color),
            Background::Sky { horizon, zenith } => colored(horizon).and_then(|()| colored(zenith)),
        }
        .map_err(|fault| Error::input("background", fault))
    }

    /// Whether an instant has a valid pose for each body.
    ///
    /// # Errors
    /// Names the missing or invalid pose.
    pub fn check_instant(&self, instant: &Instant) -> Result<(), Error> {
        let place = || format!("instant at {} s", instant.time);
        if instant.poses.len() != self.bodies.len() {
            let fault = format!("{} poses for {} bodies", instant.poses.len(), self.bodies.len());
            return Err(Error::input(place(), fault));
        }
        if !instant.time.is_finite() {
            return Err(Error::input(place(), "the time is not a number"));
        }
        for (index, (cord, ties)) in self.tubes.iter().zip(instant.ties).enumerate() {
            let sound = ties.links.iter().flatten().all(|twist| twist.is_finite());
            let inside = ties.absent.iter().all(|gone| gone.end <= cord.elements.len());
            if !sound || !inside || ![0, cord.elements.len() + 1].contains(&ties.links.len()) {
                let fault = format!(
                    "ties of cord {index}: give a twist or none for each of its {} links and ends",
                    cord.elements.len() + 1
                );
                return Err(Error::input(place(), fault));
            }
        }
        if instant.reliefs.len() != self.terrains.len() {
            let fault = format!("{} reliefs for {} terrains", instant.reliefs.len(), self.terrains.len());
            return Err(Error::input(place(), fault));
        }
        for (index, (terrain, relief)) in self.terrains.iter().zip(instant.reliefs).enumerate() {
            if let Some(fault) = terrain.misfit(relief) {
                return Err(Error::input(place(), format!("terrains[{index}]: {fault}")));
            }
        }
        for (index, pose) in instant.poses.iter().enumerate() {
            placed(pose.0, pose.1).map_err(|fault| {
                Error::input(
                    place(),
                    format!("pose of body {index} ({:?}): {fault}", self.bodies[index].name),
                )
            })?;
        }
        Ok(())
    }

    /// The corners of a box around all solids and lines at an instant [m]; `None` if nothing is there to see.
    pub fn bounds(&self, poses: &[Pose]) -> Option<(DVec3, DVec3)> {
        let mut points = Vec::new();
        for (body, (at, turn)) in self.bodies.iter().zip(poses) {
            for solid in &body.solids {
                let Ok(surface) = Surface::of(&solid.shape, 16) else { continue };
                let place = |&p: &DVec3| *at + *turn * (solid.at + solid.orientation * p);
                points.extend(surface.positions.iter().map(place));
            }
        }
        for line in &self.lines {
            points.extend(line.places(poses));
        }
        for cord in &self.tubes {
            points.extend(cord.reach(poses));
        }
        let first = *points.first()?;
        Some(points.iter().fold((first, first), |(low, high), &p| (low.min(p), high.max(p))))
    }

    fn check_line(&self, line: &Line) -> Result<(), String> {
        if line.points.len() < 2 {
            return Err(format!("{} points: give at least two", line.points.len()));
        }
        for (body, point) in &line.points {
            if *body >= self.bodies.len() {
                return Err(format!("body {body} of {}: count from 0", self.bodies.len()));
            }
            near(*point, "a point")?;
        }
        positive(line.radius, "radius")?;
        colored(&line.color)
    }

    fn check_camera(&self) -> Result<(), String> {
        let camera = &self.camera;
        near(camera.position, "position")?;
        near(camera.target, "target")?;
        near(camera.up, "up")?;
        let gaze = (camera.target - camera.position).try_normalize();
        let across = gaze.zip(camera.up.try_normalize()).map(|(gaze, up)| gaze.cross(up).length());
        if !across.is_some_and(|sine| sine > 1e-6) {
            return Err("position, target and up must not be collinear".into());
        }
        if !(camera.angle > 1e-6 && camera.angle < 3.1) {
            return Err(format!("angle is {} rad: give one above 0 and below 3.1", camera.angle));
        }
        match camera.mount {
            Mount::On(body) | Mount::Follow(body) | Mount::Toward(body) | Mount::Heading(body)
                if body >= self.bodies.len() =>
            {
                return Err(format!("mounted on body {body} of {}: count from 0", self.bodies.len()));
            }
            _ => {}
        }
        match camera.stereo {
            Some(stereo) => {
                positive(stereo.eyes, "eyes")?;
                positive(stereo.convergence, "convergence")
            }
            None => Ok(()),
        }
    }
}

impl Line {
    /// The line's points in the world [m].
    pub fn places(&self, poses: &[Pose]) -> impl Iterator<Item = DVec3> {
        let place = |&(body, point): &(usize, DVec3)| poses.get(body).map(|(at, turn)| *at + *turn * point);
        self.points.iter().filter_map(place)
    }
}

impl Solid {
    fn check(&self) -> Result<(), String> {
        self.shape.check().map_err(|e| e.to_string())?;
        placed(self.at, self.orientation)?;
        self.color.as_ref().map_or(Ok(()), colored)?;
        for (key, value) in [("roughness", self.roughness), ("metalness", self.metalness)] {
            if value.is_some_and(|value| !(0.0..=1.0).contains(&value)) {
                return Err(format!("{key} is not between 0 and 1"));
            }
        }
        Ok(())
    }
}

fn check_ground(ground: &Ground) -> Result<(), String> {
    near(DVec3::splat(ground.height), "height")?;
    match &ground.pattern {
        Pattern::Plain { color } => colored(color),
        Pattern::Checker { colors, side } => {
            positive(*side, "side")?;
            colors.iter().try_for_each(colored)
        }
    }
}

fn check_light(light: &Light) -> Result<(), String> {
    near(light.from, "from")?;
    if !(light.from.length() > 1e-12) {
        return Err("from is zero: give the direction towards the light".into());
    }
    if !(light.power >= 0.0 && light.power <= 1e3) {
        return Err(format!("power is {}: give one from 0 to 1000", light.power));
    }
    if !(light.softness >= 0.0 && light.softness <= 1.5) {
        return Err(format!("softness is {} rad: give one from 0 to 1.5", light.softness));
    }
    colored(&light.color)
}

fn near(point: DVec3, key: &str) -> Result<(), String> {
    let fits = point.abs().max_element() <= FAR && point.is_finite();
    if fits { Ok(()) } else { Err(format!("{key} is {point}: give finite numbers of at most {FAR:e}")) }
}

fn positive(value: f64, key: &str) -> Result<(), String> {
    let fits = value > 0.0 && value <= FAR;
    if fits { Ok(()) } else { Err(format!("{key} is {value} m: give a positive, finite length")) }
}

fn placed(at: DVec3, orientation: DQuat) -> Result<(), String> {
    near(at, "position")?;
    let length = orientation.length();
    let is_unit = (length - 1.0).abs() <= UNIT;
    if is_unit { Ok(()) } else { Err(format!("orientation quaternion of norm {length}: normalize it")) }
}

fn colored(color: &[f64; 3]) -> Result<(), String> {
    let fits = color.iter().all(|part| (0.0..=1.0).contains(part));
    if fits { Ok(()) } else { Err(format!("color is {color:?}: give three numbers from 0 to 1")) }
}

/// Checks the rate and number of frames before any is read.
pub(crate) fn check_instants(instants: &dyn Instants, most: usize) -> Result<(), Error> {
    let (rate, count) = (instants.rate(), instants.count());
    if !(rate > 0.0 && rate <= 1e5) {
        return Err(Error::input("instants", format!("rate is {rate}: give 0 to 1e5 frames per second")));
    }
    if count == 0 || count > most {
        let fault = format!("{count} frames: the number must be 1 to {most}; choose another rate");
        return Err(Error::input("instants", fault));
    }
    Ok(())
}

/// Reads a frame and checks it against the picture.
pub(crate) fn instant<'a>(
    picture: &Picture,
    instants: &'a mut dyn Instants,
    frame: usize,
) -> Result<Instant<'a>, Error> {
    let instant = instants.at(frame).map_err(|source| Error::Source { frame, source })?;
    picture.check_instant(&instant)?;
    Ok(instant)
}
