//! Built scene → picture: solids, ropes and rods, surfaces of liquids, a floor under the lowest point or at the bottom
//! of the liquids, light, a camera. And its world at an instant → the poses of all of these.

use crate::terrain::{CELLS, Lump, Patch, Relief, Terrain};
use crate::{
    Background, CableTube, Camera, Figure, Ground, Light, Line, Mount, Pattern, Picture, Pose, Reel, Solid,
    Stereo, Ties, Water,
};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;
use windlass_engine::prelude::{Axis, BodyId, CableId, Drawing, Drive, Geometry, JointId, JointKind, World};
use windlass_scene::drawn::{Cylinder, drawings, with_turns};
use windlass_scene::visual;
use windlass_scene::{
    BinReading, Built, CableRef as LineId, FluidSurface, GroundReading, PointCable, Reeved, suggestion,
};

/// Colour of ropes and rods.
const ROPE: [f64; 3] = [0.16, 0.16, 0.18];
/// Largest radius of ropes and rods, relative to the size of the scene.
const ROPE_PART: f64 = 1.0 / 300.0;
/// Largest radius of ropes and rods [m]: of the thickest ropes of cranes.
pub const THICKEST: f64 = 0.04;
/// Segments per revolution of a rope about a pulley.
const CORNERS: usize = 24;
/// Largest radius relative to their own length, so that a short rod in a wide scene stays slender.
const SLENDER: f64 = 1.0 / 80.0;

/// The picture; `reel` gives the range of motion. The camera is selected by name; default: the first.
///
/// # Errors
/// If there is no such camera.
pub fn picture(built: &Built, world: &World, reel: &Reel, camera: Option<&str>) -> Result<Picture, String> {
    let model = world.model();
    let name = |id: BodyId| model.bodies().get(id).map_or_else(String::new, |b| b.name.clone());
    let mut bodies: Vec<_> = built
        .seen_in(world)
        .map(|(id, look)| Figure { name: name(id), solids: look.solids.iter().map(solid).collect() })
        .collect();
    let mut tubes = tubes(built, world, &mut bodies);
    tubes.extend(point_tubes(built, world, &mut bodies));
    let mut reeved = ropes(built, world, &mut bodies);
    reeved.extend(drawn(built, world, &mut bodies));
    let mut picture = Picture {
        bodies,
        lines: reeved.clone(),
        tubes,
        ground: None,
        waters: Vec::new(),
        terrains: terrains(world, &reel.reliefs),
        camera: seen_from(built, camera)?,
        lights: vec![Light::default(), fill_light()],
        background: Background::default(),
    };
    let bounds = |picture: &Picture| {
        let each = |poses: &Vec<_>| picture.bounds(poses);
        // a hundred frames are enough for the range of motion
        let stride = reel.frames.len().div_ceil(100).max(1);
        reel.frames.iter().step_by(stride).filter_map(each).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    // planes are infinite: the size of the scene and the target of the camera follow from the other solids
    let planes = planes(built, world);
    let aside: Vec<_> = planes.iter().map(|i| std::mem::take(&mut picture.bodies[*i].solids)).collect();
    let standing = bounds(&picture);
    let size = standing.map_or(1.0, |(low, high)| (high - low).length()).clamp(1e-3, 1e6);
    let first = reel.frames.first().map_or(&[][..], Vec::as_slice);
    picture.lines = lines(built, world, first, (ROPE_PART * size).min(THICKEST));
    picture.lines.extend(reeved);
    let standing = bounds(&picture);
    planes.iter().zip(aside).for_each(|(i, solids)| picture.bodies[*i].solids = solids);
    if let Some((low, high)) = standing.or_else(|| bounds(&picture))
        && let [only] = built.cameras.as_slice()
        && only.name == visual::DEFAULT
    {
        // the scene has no camera: use one that sees the whole motion, not only the start
        picture.camera = Camera::framing(low, high, only.target - only.position);
    }
    let surfaces = built.surfaces_in(world);
    let lowest = bounds(&picture).map(|(low, _)| low.z);
    let below = picture.terrains.iter().map(|terrain| terrain.bottom);
    if let Some(lowest) = below.chain(lowest).reduce(f64::min)
        && model.settings().gravity.z < 0.0
    {
        picture.ground = bottom(&surfaces, lowest).map(|height| ground(height, size));
    }
    picture.waters = surfaces.into_iter().map(water).collect();
    Ok(picture)
}

/// The ground: slightly below a height, so that nothing is coplanar with it.
fn ground(height: f64, size: f64) -> Ground {
    let side = nice(size / 12.0);
    let Ground { pattern, .. } = Ground::default();
    let pattern = match pattern {
        Pattern::Checker { colors, .. } => Pattern::Checker { colors, side },
        plain => plain,
    };
    Ground { height: height - 1e-3 * size, pattern }
}

/// Height of the ground [m]: the lowest point of what is seen, or the bottom of the liquids if that is lower; none in
/// liquids without a bottom.
fn bottom(surfaces: &[FluidSurface], lowest: f64) -> Option<f64> {
    let bottom = surfaces.iter().map(|surface| surface.level - surface.depth).fold(lowest, f64::min);
    bottom.is_finite().then_some(bottom)
}

fn water(surface: FluidSurface) -> Water {
    let FluidSurface { name, level, color, components, ramp, .. } = surface;
    Water { name, level, color, components, ramp }
}

/// Cables as tubes in the colour of their elements, which are then not drawn individually.
fn tubes(built: &Built, world: &World, bodies: &mut [Figure]) -> Vec<CableTube> {
    let seen = built.seen_in(world).enumerate();
    let places: BTreeMap<usize, usize> = seen.map(|(k, (id, _))| (id.index(), k)).collect();
    let place = |body: BodyId| places.get(&body.index()).copied();
    let mut tubes: Vec<CableTube> = cables(world).filter_map(|id| CableTube::of(world, id, place)).collect();
    for cord in &mut tubes {
        let look = cord.elements.first().and_then(|body| bodies[*body].solids.first());
        cord.color = look.and_then(|solid| solid.color).unwrap_or(ROPE);
        for body in &cord.elements {
            bodies[*body].solids.clear();
        }
    }
    tubes
}

/// Cables of mass points as tubes through their segments, which are bodies of the picture only, after all others.
fn point_tubes(built: &Built, world: &World, bodies: &mut Vec<Figure>) -> Vec<CableTube> {
    let color = |cable: PointCable| {
        let laid = built.cables.iter().find(|laid| laid.id == LineId::Points(cable))?;
        laid.look.solids.first().map(|solid| solid.color)
    };
    let mut tubes = Vec::new();
    for cable in PointCable::all(world) {
        let facts = (cable.name(world), cable.segments(world), cable.section(world));
        let (Some(name), Some((count, element)), Some(section)) = facts else { continue };
        let elements = bodies.len()..bodies.len() + count;
        let named = |k: usize| format!("{name}[{}]", k - elements.start);
        bodies.extend(elements.clone().map(|k| Figure { name: named(k), solids: Vec::new() }));
        tubes.push(CableTube {
            name: name.to_owned(),
            elements: elements.collect(),
            element,
            ends: [None, None],
            radius: 0.5 * section.diameter,
            color: color(cable).unwrap_or(ROPE),
            stripe: None,
        });
    }
    tubes
}

/// The poses of the segments of all cables of mass points, as pictures have them behind those of the bodies.
pub fn segments(world: &World) -> impl Iterator<Item = Pose> + '_ {
    PointCable::all(world).filter_map(|cable| cable.lie(world)).flat_map(|lie| lie.poses)
}

/// Ropes as lines over points that are bodies for the picture alone, behind all others: where they turn about pulleys,
/// a rope's points are on no body.
fn ropes(built: &Built, world: &World, bodies: &mut Vec<Figure>) -> Vec<Line> {
    let mut lines = Vec::new();
    let ropes = built.ropes.iter().flat_map(|rope| rope.ropes.iter().map(move |id| (rope, *id)));
    for (rope, id) in ropes {
        let name = world.model().joints().get(id).map_or("", |joint| joint.name.as_str());
        let count = drawn_rope(rope, id, world).len();
        let places = bodies.len()..bodies.len() + count;
        bodies.extend((0..count).map(|k| Figure { name: format!("{name}[{k}]"), solids: Vec::new() }));
        if count > 1 {
            let points = places.map(|place| (place, DVec3::ZERO)).collect();
            lines.push(Line { points, radius: 0.5 * rope.diameter, color: rope.color });
        }
    }
    lines
}

/// The points of ropes as poses, as pictures have them behind those of the bodies.
pub fn rope_points(ropes: &[Reeved], world: &World) -> Vec<Pose> {
    let points = ropes.iter().flat_map(|rope| rope.ropes.iter().map(move |id| drawn_rope(rope, *id, world)));
    points.flatten().map(|point| (point, DQuat::IDENTITY)).collect()
}

/// The points of a rope with its turns on drums; their number does not change.
fn drawn_rope(rope: &Reeved, id: JointId, world: &World) -> Vec<DVec3> {
    let path = world.rope_points(id, CORNERS).into_iter().map(|point| (point, 0)).collect();
    with_turns(world, id, rope.lays(id), path).into_iter().map(|(point, _)| point).collect()
}

/// What is seen of subsystems and hydraulic cylinders as lines over points that are bodies for the picture alone, behind all others.
fn drawn(built: &Built, world: &World, bodies: &mut Vec<Figure>) -> Vec<Line> {
    let line = |Drawing { name, points, radius, color }: Drawing| {
        let places = bodies.len()..bodies.len() + points.len();
        let figures = (0..points.len()).map(|k| Figure { name: format!("{name}[{k}]"), solids: Vec::new() });
        bodies.extend(figures);
        Line { points: places.map(|place| (place, DVec3::ZERO)).collect(), radius, color }
    };
    drawings(&built.cylinders, world).into_iter().map(line).collect()
}

/// The points of what is seen of subsystems and hydraulic cylinders as poses, as pictures have them behind those of ropes.
pub fn drawn_points(cylinders: &[Cylinder], world: &World) -> impl Iterator<Item = Pose> {
    let points = drawings(cylinders, world).into_iter().flat_map(|drawing| drawing.points);
    points.map(|point| (point, DQuat::IDENTITY))
}

/// Most nodes of a ground that are drawn; of larger ones every second, third … node is.
const MOST_NODES: usize = 1 << 20;
/// Depth to which the sides of a ground are drawn below its lowest point, over the length of its shorter side, and in
/// cells at least.
const SIDES: (f64, f64) = (0.02, 2.0);
/// Colour of the sides of a ground over that of its deepest soil.
const SIDE: f64 = 0.8;

/// The nodes of a ground that are drawn, along x and y.
fn drawn_nodes(ground: &GroundReading<'_>) -> [Vec<usize>; 2] {
    let all = ground.nodes[0] * ground.nodes[1];
    let stride = (all as f64 / MOST_NODES as f64).sqrt().ceil().max(1.0) as usize;
    ground.nodes.map(|n| (0..n - 1).step_by(stride).chain([n - 1]).collect())
}

/// The grounds of a world, with sides that reach below all frames.
fn terrains(world: &World, reliefs: &[Vec<Relief>]) -> Vec<Terrain> {
    let one = |(k, ground): (usize, GroundReading<'_>)| {
        let along = |axis: usize, nodes: &Vec<usize>| {
            nodes.iter().map(|i| ground.origin[axis] + *i as f64 * ground.spacing).collect::<Vec<_>>()
        };
        let nodes = drawn_nodes(&ground);
        let lines = [along(0, &nodes[0]), along(1, &nodes[1])];
        let mut colors = ground.colors();
        let deepest = colors[colors.len().saturating_sub(3)];
        colors.push(deepest.map(|part| SIDE * part));
        let heights = reliefs.iter().filter_map(|frame| frame.get(k)).flat_map(|relief| &relief.patches);
        let lowest = heights.flat_map(|patch| &patch.heights).fold(f32::INFINITY, |low, z| low.min(*z));
        let size = lines.each_ref().map(|line| line[line.len() - 1] - line[0]);
        let depth = (SIDES.0 * size[0].min(size[1])).max(SIDES.1 * ground.spacing);
        let bottom = if lowest.is_finite() { f64::from(lowest) - depth } else { -depth };
        Terrain { name: ground.name.to_string(), lines, bottom, colors }
    };
    GroundReading::all(world).into_iter().enumerate().map(one).collect()
}

/// The grounds of a world at present, with the soil in bins among their lumps. Patches that do not differ from those of an earlier instant are shared with it.
pub fn reliefs(world: &World, before: &[Relief]) -> Vec<Relief> {
    let bins = BinReading::all(world);
    let one = |(k, ground): (usize, GroundReading<'_>)| {
        let nodes = drawn_nodes(&ground);
        let parts = |axis: usize| {
            let cells = nodes[axis].len() - 1;
            (0..cells.div_ceil(CELLS)).map(move |p| p * CELLS..(p * CELLS + CELLS + 1).min(cells + 1))
        };
        let mut patches = Vec::new();
        for rows in parts(1) {
            for columns in parts(0) {
                let mut patch = Patch::default();
                for j in &nodes[1][rows.clone()] {
                    for i in &nodes[0][columns.clone()] {
                        patch.heights.push(ground.height([*i, *j]) as f32);
                        patch.tints.push(ground.tint([*i, *j]));
                    }
                }
                let old = before.get(k).and_then(|relief| relief.patches.get(patches.len()));
                patches.push(match old {
                    Some(old) if **old == patch => old.clone(),
                    _ => Arc::new(patch),
                });
            }
        }
        let lump = |p: windlass_scene::Parcel| Lump {
            id: p.id,
            at: p.at,
            radius: p.radius as f32,
            tint: 2 * p.soil + 1,
        };
        let held = bins.iter().filter(|bin| bin.ground == k).flat_map(BinReading::parcels);
        Relief { patches, lumps: ground.parcels().chain(held).map(lump).collect() }
    };
    GroundReading::all(world).into_iter().enumerate().map(one).collect()
}

/// Frames as they are taken of a running world.
#[derive(Clone, Debug)]
pub struct Roll {
    bodies: Vec<BodyId>,
    ropes: Vec<Reeved>,
    cylinders: Vec<Cylinder>,
    frames: Vec<Vec<Pose>>,
    ties: Vec<Vec<Ties>>,
    reliefs: Vec<Vec<Relief>>,
}

impl Roll {
    /// An empty one.
    pub fn of(built: &Built) -> Roll {
        let bodies = built.seen().map(|(id, _)| id).collect();
        let (ropes, cylinders) = (built.ropes.clone(), built.cylinders.clone());
        Roll { bodies, ropes, cylinders, frames: Vec::new(), ties: Vec::new(), reliefs: Vec::new() }
    }

    /// Takes a frame.
    pub fn take(&mut self, world: &World) {
        let mut frame = poses(world, &self.bodies);
        frame.extend(segments(world));
        frame.extend(rope_points(&self.ropes, world));
        frame.extend(drawn_points(&self.cylinders, world));
        self.frames.push(frame);
        self.ties.push(ties(world));
        let reliefs = reliefs(world, self.reliefs.last().map_or(&[][..], Vec::as_slice));
        self.reliefs.push(reliefs);
    }

    /// Forgets what was taken.
    pub fn clear(&mut self) {
        (self.frames, self.ties, self.reliefs) = (Vec::new(), Vec::new(), Vec::new());
    }

    /// The frames at a rate [1/s], from a time on [s].
    pub fn reel(self, rate: f64, start: f64) -> Reel {
        Reel { rate, start, frames: self.frames, ties: self.ties, reliefs: self.reliefs }
    }
}

/// Origins and orientations of bodies.
fn poses(world: &World, bodies: &[BodyId]) -> Vec<Pose> {
    let pose = |id: &BodyId| {
        let (body, state) = (world.model().bodies().get(*id)?, world.state().bodies.get(id.index())?);
        Some((state.position - state.orientation * body.mass.center, state.orientation))
    };
    // the bodies of a scene stay while it runs
    bodies.iter().map(|id| pose(id).unwrap_or((DVec3::ZERO, DQuat::IDENTITY))).collect()
}

/// All cables of rigid elements.
fn cables(world: &World) -> impl Iterator<Item = CableId> {
    let list = world.model().cables();
    (0..list.places()).filter_map(|place| list.id(place))
}

/// Which links of the cables are whole, and how they are twisted.
pub fn ties(world: &World) -> Vec<Ties> {
    cables(world).map(|id| CableTube::ties(world, id)).collect()
}

/// The bodies that are planes, by place among what is drawn.
fn planes(built: &Built, world: &World) -> Vec<usize> {
    let is_plane = |id: &BodyId| {
        let body = world.model().bodies().get(*id);
        body.is_some_and(|b| b.colliders.iter().any(|c| *c.geometry == Geometry::HalfSpace))
    };
    (0..built.bodies.len()).filter(|i| is_plane(&built.bodies[*i])).collect()
}

fn solid(solid: &visual::Solid) -> Solid {
    Solid {
        shape: solid.shape.clone(),
        at: solid.at,
        orientation: solid.orientation,
        material: solid.material.clone(),
        color: Some(solid.color),
        roughness: Some(solid.roughness),
        metalness: Some(solid.metalness),
    }
}

/// From the other side, so that nothing is black.
fn fill_light() -> Light {
    Light { from: DVec3::new(-0.7, -0.5, 0.4), color: [0.85, 0.92, 1.0], power: 0.3, softness: 0.0 }
}

/// Ropes, rods and springs between two bodies.
fn lines(built: &Built, world: &World, first: &[Pose], most: f64) -> Vec<Line> {
    let mut lines = Vec::new();
    for id in &built.joints {
        let Some(joint) = world.model().joints().get(*id) else { continue };
        let is_line = match &joint.kind {
            JointKind::Distance(distance) => !is_stop(&distance.axis) && !is_cylinder(built, *id),
            kind => matches!(kind, JointKind::Custom(_) | JointKind::Rope(_)),
        };
        if !is_line {
            continue;
        }
        let place = |body: BodyId| built.bodies.iter().position(|b| *b == body);
        let ends = joint.constraint().anchors().iter().map(|a| Some((place(a.body)?, a.at)));
        if let Some(points) = ends.collect::<Option<Vec<_>>>().filter(|points| points.len() > 1) {
            let mut line = Line { points, radius: most, color: ROPE };
            line.radius = thickness(&line.places(first).collect::<Vec<_>>(), most);
            lines.push(line);
        }
    }
    lines
}

/// Radius of a line over points: the scene's, or less if it is short in the first frame.
fn thickness(points: &[DVec3], most: f64) -> f64 {
    let length: f64 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
    // one that begins with no length is as thick as others
    if length > 0.0 { most.min(SLENDER * length) } else { most }
}

/// Whether a distance has only a lower limit: then nothing is drawn between the two points.
pub fn is_stop(axis: &Axis) -> bool {
    let pulls = axis.limits.as_ref().is_some_and(|limits| limits.high.is_finite());
    axis.drive == Drive::Free && axis.spring.is_none() && axis.curve.is_none() && !pulls
}

/// Whether a joint is drawn as a hydraulic cylinder.
pub fn is_cylinder(built: &Built, joint: JointId) -> bool {
    built.cylinders.iter().any(|cylinder| cylinder.joint == joint)
}

/// A camera of the scene by name, or its first.
fn seen_from(built: &Built, name: Option<&str>) -> Result<Camera, String> {
    let found = match name {
        None => built.cameras.first(),
        Some(name) => built.cameras.iter().find(|c| c.name == name),
    };
    let Some(camera) = found else {
        let name = name.unwrap_or_default();
        let names = || built.cameras.iter().map(|c| c.name.as_str());
        let help = suggestion::nearest(name, names()).map_or_else(
            || format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            |n| format!("did you mean {n}?"),
        );
        return Err(format!("no camera \"{}\": {help}", suggestion::shortened(name)));
    };
    let place = |id: BodyId| built.bodies.iter().position(|b| *b == id).unwrap_or_default();
    Ok(Camera {
        position: camera.position,
        target: camera.target,
        up: camera.up,
        angle: camera.angle,
        mount: match camera.mount {
            visual::Mount::World => Mount::World,
            visual::Mount::On(id) => Mount::On(place(id)),
            visual::Mount::Follow(id) => Mount::Toward(place(id)),
            visual::Mount::Heading(id) => Mount::Heading(place(id)),
        },
        stereo: camera.stereo.map(|s| Stereo { eyes: s.eyes, convergence: s.convergence }),
    })
}

/// 1, 2 or 5 times a power of ten, near a size.
fn nice(size: f64) -> f64 {
    let power = libm::pow(10.0, libm::floor(libm::log10(size)));
    let digit = size / power;
    power
        * if digit < 1.5 {
            1.0
        } else if digit < 3.5 {
            2.0
        } else if digit < 7.5 {
            5.0
        } else {
            10.0
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rod of half a metre in a yard of 30 m is 6 mm in radius, not 10 cm; a long rope has the scene's.
    #[test]
    fn a_short_rod_is_thin_in_a_wide_scene() {
        let most = ROPE_PART * 30.0;
        let rod = |length: f64| thickness(&[DVec3::ZERO, length * DVec3::X], most);
        assert!((rod(0.5) - 0.00625).abs() < 1e-12 && rod(20.0) == most && rod(0.0) == most);
    }
}
