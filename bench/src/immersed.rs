//! A mooring line or a body in water → times of steps and a run, for the comparison with MoorDyn and MuJoCo (`compare.sh`).
//!
//! `engines/water.py` writes the scene and evaluates the run. The run is numbers of 64 bits: how many steps were made, the
//! CPU time of each [µs], then the rows. A row of a mooring line has the force of the line on its fairlead [N] and the
//! length on the sea bed [m]. A row of a body has centre, quaternion w x y z, velocity, angular velocity, acceleration.

use crate::cable::section;
use crate::drive::Words;
use crate::measure::cpu;
use clap::Args;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::FRAC_PI_2;
use std::path::PathBuf;
use windlass_engine::math;
use windlass_engine::prelude::*;
use windlass_fluid::added_mass::closed_form;
use windlass_fluid::current::{Current, CurrentProfile};
use windlass_fluid::schedule::TimeFactor;
use windlass_fluid::waves::{Order, RegularWave, Water, Waves};
use windlass_fluid::{
    AddedMass, Drag, Fluid, Fluids, Hull, HullPart, HullShape, ImmersedBody, ImmersedCable, Layers,
};

/// Runs one scene of the comparison in water.
#[derive(Debug, Args)]
pub struct Immerse {
    /// The scene
    scene: PathBuf,

    /// Where times and rows go
    out: PathBuf,
}

/// How long to run.
#[derive(Clone, Copy, Debug, Default)]
struct Length {
    /// [s]
    dt: f64,
    steps: usize,
    /// Steps between two rows; 0 for none.
    every: usize,
    /// CPU time of all steps together [s].
    budget: f64,
}

/// The scenes are sound, so the world accepts them.
fn accepted<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|e| panic!("the scene was rejected: {e:?}"))
}

/// A chain on the sea bed with a fairlead that is fixed or moves on a circle.
struct Mooring {
    world: World,
    cable: CableId,
    /// The anchor's height [m].
    bed: f64,
    /// Length of an element [m].
    element: f64,
}

impl Mooring {
    /// Laid along the sea bed and straight up to the fairlead, then brought to rest in calm water.
    /// Returns it with the CPU time that took [µs].
    fn read(w: &mut Words<'_>) -> Result<(Mooring, f64), String> {
        let elements: usize = w.read()?;
        let (mass, stretch, diameter, length): (f64, f64, f64, f64) =
            (w.read()?, w.read()?, w.read()?, w.read()?);
        let (drag, added) = ([w.read()?, w.read()?], [w.read()?, w.read()?]);
        let (density, gravity): (f64, f64) = (w.read()?, w.read()?);
        let (depth, fairlead): (f64, DVec3) = (w.read()?, w.vector()?);
        let (height, period, radius, ramp): (f64, f64, f64, f64) =
            (w.read()?, w.read()?, w.read()?, w.read()?);

        let mut world = World::default();
        accepted(world.set(|s| (s.dt, s.gravity) = (1.0 / 60.0, DVec3::NEG_Z * gravity)));
        let mut surfaces = Surfaces::default();
        surfaces.set(0, 0, ContactParameters { stick: 0.0, slide: 0.0, ..ContactParameters::default() });
        accepted(world.edit(Edit::SetSurfaces(Box::new(surfaces))));
        let floor = Body::fixed("sea bed").with_collider(Collider::of(Geometry::HalfSpace));
        // the axis of a line that lies on it is as deep as the anchor
        accepted(world.add_body(floor, DVec3::NEG_Z * (depth + 0.5 * diameter), DQuat::IDENTITY));
        let ground = accepted(world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY));
        let circle = |mean: f64, phase: f64| {
            let sine = Motion::Sine { mean: 0.0, amplitude: radius, frequency: 1.0 / period, phase };
            let grow = Motion::Smooth { from: 0.0, to: 1.0, start: 0.0, end: ramp };
            Motion::Sum(vec![Motion::Constant(mean), Motion::Product(vec![sine, grow])])
        };
        let position = [circle(fairlead.x, 0.0), Motion::Constant(fairlead.y), circle(fairlead.z, FRAC_PI_2)];
        let path = Path { position, rotations: Vec::new(), orientation: DQuat::IDENTITY };
        let vessel = accepted(world.add_body(Body::kinematic("vessel", path), fairlead, DQuat::IDENTITY));

        let anchor = DVec3::NEG_Z * depth;
        let (across, up) = (fairlead.x, fairlead.z + depth);
        let rest = length - across;
        let touchdown = across - (up * up - rest * rest) / (2.0 * rest);
        let section = section(diameter, mass, stretch);
        let ends = [End::Ball(Anchor::point(ground, anchor)), End::Ball(Anchor::point(vessel, DVec3::ZERO))];
        let path = vec![anchor, DVec3::new(touchdown, 0.0, -depth), fairlead];
        let spec = CableSpec::new("chain", section, path);
        let spec = CableSpec { ends, length: Some(length), elements, surface: Some(0), ..spec };
        let cable = accepted(world.add_cable(spec));
        let model = accepted(world.model().cables().get(cable).ok_or("no cable"));
        let (element, ids) = (model.element, model.elements.clone());
        let wet = ImmersedCable {
            elements: ids.iter().map(|id| (*id, element)).collect(),
            diameter,
            drag_diameter: diameter,
            normal: drag[0],
            tangential: drag[1],
            added,
        };
        let fill = |world: &mut World, waves: Option<Waves>| {
            let sea = Fluid { waves, ..Fluid::still("sea", density, Some(0.0)) };
            let layers = accepted(Layers::new(vec![sea]));
            let fluids = Fluids { layers, cables: vec![wet.clone()], ..Fluids::default() };
            accepted(world.edit_subsystem::<Fluids>(fluids.set()));
        };
        fill(&mut world, None);
        let start = cpu();
        settle(&mut world)?;
        let time = cpu() - start;
        if height > 0.0 {
            let wave = RegularWave { height, period, direction: 0.0, phase: 0.0, order: Order::Airy };
            fill(&mut world, Some(accepted(Waves::regular(&wave, Water { depth, gravity }))));
        }
        Ok((Mooring { world, cable, bed: -depth, element }, time))
    }

    /// Force on the fairlead at the beginning of the last step, and the length on the sea bed.
    fn row(&self, rows: &mut Vec<f64>) {
        let Some(cable) = self.world.model().cables().get(self.cable) else { return };
        let force = cable.links.last().and_then(|link| self.world.reaction(*link, 1));
        let force = force.map_or(DVec3::NAN, |wrench| wrench.force);
        let low = |id: &&BodyId| self.world.state().bodies[id.index()].position.z < self.bed + 0.02;
        rows.extend(force.to_array());
        rows.push(self.element * cable.elements.iter().filter(low).count() as f64);
    }
}

/// Steps with all velocities reduced by 5 % each time, until nothing moves faster than 1 mm/s. The clock stands still.
fn settle(world: &mut World) -> Result<(), String> {
    let mut calm = 0;
    for _ in 0..20_000 {
        if let Some(fault) = world.step().fault {
            return Err(format!("{fault}"));
        }
        let fastest = world.state().bodies.iter().fold(0.0, |m: f64, b| m.max(b.velocity.length()));
        calm = if fastest < 1e-3 { calm + 1 } else { 0 };
        let mut state = world.state().clone();
        state.time = 0.0;
        for body in &mut state.bodies {
            (body.velocity, body.angular_velocity) = (body.velocity * 0.95, body.angular_velocity * 0.95);
        }
        accepted(world.restore(state));
        if calm > 60 {
            return Ok(());
        }
    }
    Err("the line does not come to rest".to_string())
}

/// An ellipsoid in unbounded water, free or on an arm with a hinge about y.
struct Floating {
    world: World,
    bodies: Vec<BodyId>,
}

impl Floating {
    fn read(w: &mut Words<'_>) -> Result<Floating, String> {
        let count: usize = w.read()?;
        let (axes, mass) = (w.vector()?, w.read::<f64>()?);
        let (density, gravity): (f64, f64) = (w.read()?, w.read()?);
        // C A along the axes
        let areas = w.vector()?;
        let orientation = w.quaternion()?;
        let (velocity, spin) = (w.vector()?, w.vector()?);
        let stream = w.vector()?;
        // 0 for none; at an angle from the vertical
        let (arm, lean): (f64, f64) = (w.read()?, w.read()?);

        let mut world = World::default();
        accepted(world.set(|s| s.gravity = DVec3::NEG_Z * gravity));
        let ground = accepted(world.add_body(Body::fixed("ground"), DVec3::ZERO, DQuat::IDENTITY));
        let s = axes * axes;
        let moments = DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * (mass / 5.0);
        let mut immersed = Vec::new();
        for k in 0..count {
            let inertia = Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(moments));
            let at = DVec3::new(arm * libm::sin(lean), 10.0 * k as f64, -arm * libm::cos(lean));
            let body = accepted(world.add_body(Body::dynamic("body", inertia), at, orientation));
            accepted(world.set_velocity(body, velocity, spin));
            if arm > 0.0 {
                let turn = math::facing(DVec3::Y);
                let pivot = DVec3::Y * at.y;
                let anchors = [
                    Anchor::frame(ground, pivot, turn),
                    Anchor::frame(body, orientation.inverse() * (pivot - at), orientation.inverse() * turn),
                ];
                accepted(world.add_joint(Joint::new("hinge", Hinge { anchors, axis: Axis::free() })));
            }
            // in unbounded water only the volume counts
            let shape = HullShape::Sphere(libm::cbrt(axes.element_product()));
            let part = HullPart { position: DVec3::ZERO, orientation: DQuat::IDENTITY, shape };
            let hull = Hull::new(vec![part]).ok_or("no hull")?;
            let round = axes.x == axes.y && axes.y == axes.z;
            let drag = match () {
                () if areas == DVec3::ZERO => Drag::None,
                () if round => Drag::Quadratic { area: areas.x },
                () => Drag::Axes { areas, angular: DVec3::ZERO },
            };
            let added_mass = AddedMass::PerDensity(closed_form::ellipsoid(axes, 1.0));
            let damping = SpatialMatrix::ZERO;
            immersed.push(ImmersedBody { body, hull, drag, added_mass, damping, buoyancy: true });
        }
        let bodies: Vec<BodyId> = immersed.iter().map(|b| b.body).collect();
        if density > 0.0 {
            let current = (stream != DVec3::ZERO)
                .then(|| accepted(Current::new(CurrentProfile::Uniform(stream), TimeFactor::Constant(1.0))));
            let sea = Fluid { current, ..Fluid::still("water", density, None) };
            let layers = accepted(Layers::new(vec![sea]));
            let fluids = Fluids { layers, bodies: immersed, cables: Vec::new() };
            accepted(world.edit_subsystem::<Fluids>(fluids.set()));
        }
        Ok(Floating { world, bodies })
    }

    /// Read in a copy, as an inspection solves a system of its own.
    fn row(&self, copy: &mut World, rows: &mut Vec<f64>) {
        accepted(copy.restore(self.world.state().clone()));
        let now = copy.inspect();
        let Some(b) = now.body(self.bodies[0]) else { return };
        let q = b.orientation;
        rows.extend(b.center.to_array());
        rows.extend([q.w, q.x, q.y, q.z]);
        for v in [b.twist.velocity, b.twist.angular_velocity, b.acceleration.velocity] {
            rows.extend(v.to_array());
        }
    }
}

/// Steps until the end, a fault or the budget; calls `look` after every so many steps. Returns the times [µs], and whether
/// there was no fault.
fn steps(length: Length, mut step: impl FnMut() -> bool, mut look: impl FnMut()) -> (Vec<f64>, bool) {
    let (mut times, mut spent) = (Vec::new(), 0.0);
    for k in 1..=length.steps {
        // three steps at least, so that there is a time
        if k > 3 && spent > 1e6 * length.budget {
            break;
        }
        let start = cpu();
        let alive = step();
        times.push(cpu() - start);
        spent += times[k - 1];
        if !alive {
            return (times, false);
        }
        if length.every > 0 && k.is_multiple_of(length.every) {
            look();
        }
    }
    (times, true)
}

impl Immerse {
    /// Runs the scene and writes times and rows.
    pub fn run(&self) -> Result<(), String> {
        let problem = |path: &PathBuf, e: std::io::Error| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(&self.scene).map_err(|e| problem(&self.scene, e))?;
        let mut length = Length::default();
        let mut result = None;
        for line in text.lines() {
            let mut w = Words::of(line);
            match w.word()? {
                "run" => {
                    length = Length { dt: w.read()?, steps: w.read()?, every: w.read()?, budget: w.read()? };
                }
                "mooring" => result = Some(moor(length, &mut w)?),
                "floating" => result = Some(float(length, &mut w)?),
                other => return Err(format!("unknown line \"{other}\"")),
            }
        }
        let (times, rows) = result.ok_or("the scene is empty")?;
        let count = [times.len() as f64];
        let bytes: Vec<u8> = count.iter().chain(&times).chain(&rows).flat_map(|x| x.to_le_bytes()).collect();
        std::fs::write(&self.out, bytes).map_err(|e| problem(&self.out, e))
    }
}

/// The first row has the CPU time until the line was at rest [µs] in place of a force.
fn moor(length: Length, w: &mut Words<'_>) -> Result<(Vec<f64>, Vec<f64>), String> {
    let (mut line, time) = Mooring::read(w)?;
    accepted(line.world.set(|s| s.dt = length.dt));
    let mut rows = vec![time, 0.0, 0.0, 0.0];
    let line = std::cell::RefCell::new(&mut line);
    let (times, alive) =
        steps(length, || line.borrow_mut().world.step().fault.is_none(), || line.borrow().row(&mut rows));
    if !alive {
        rows.extend([f64::NAN; 4]);
    }
    Ok((times, rows))
}

fn float(length: Length, w: &mut Words<'_>) -> Result<(Vec<f64>, Vec<f64>), String> {
    let mut again = Words(w.0.clone());
    let (mut body, mut copy) = (Floating::read(w)?, Floating::read(&mut again)?.world);
    for world in [&mut body.world, &mut copy] {
        accepted(world.set(|s| s.dt = length.dt));
    }
    let mut rows = Vec::new();
    body.row(&mut copy, &mut rows);
    let body = std::cell::RefCell::new(&mut body);
    let (times, alive) = steps(
        length,
        || body.borrow_mut().world.step().fault.is_none(),
        || body.borrow().row(&mut copy, &mut rows),
    );
    if !alive {
        rows.extend([f64::NAN; 16]);
    }
    Ok((times, rows))
}
