//! Cables, ropes and rods → points with their tension.
//!
//! Cables are the smooth line of `World::cable_curve` through the active elements; tension is interpolated linearly
//! between the nearest readings. A cable that is cut, or runs over pulleys, consists of several pieces. A rope has a
//! tension in each span; the part on a pulley has that of the span before it. A cable on a route is thus its pieces and
//! the ropes between them, from drum to end.

use crate::message::LineLook;
use glam::DVec3;
use windlass_engine::prelude::{
    BodyId, Cable, CableId, CurvePoint, JointId, JointKind, Reading, Sampling, World,
};
use windlass_export::built::{THICKEST, is_cylinder, is_stop};
use windlass_host::drag::DragTarget;
use windlass_scene::drawn::{Cylinder, Lay, with_turns};
use windlass_scene::{Built, CableRef as Laid, PointCable};

/// Default colour of ropes and rods: visible against light and dark ground.
const ROPE: [f64; 3] = [0.46, 0.47, 0.5];
/// Radius of ropes and rods without a diameter, relative to the size of the scene.
const SLENDER: f64 = 1.0 / 600.0;
/// Largest deviation of the drawn chords from the line, relative to its thickness; not visible.
const CHORD: f64 = 0.25;

/// A point [m] and the tension there [N].
pub type Place = (DVec3, f64);

/// A line and its appearance.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its entry in the scene of the page.
    pub look: LineLook,
    source: Source,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Cable(CableId),
    Points(PointCable),
    /// A rope, with its turns on drums.
    Rope(JointId, [Option<Lay>; 2]),
    Rod(JointId),
    /// The barrel (0) or the rod (1) of a hydraulic cylinder.
    Cylinder(Cylinder, usize),
    /// A drawing of a subsystem, by its number.
    Drawing(usize),
}

/// All lines of a scene; `size` is that of the scene [m].
pub fn lines(built: &Built, size: f64) -> Vec<Line> {
    let model = built.world.model();
    let mut lines: Vec<Line> = Vec::new();
    let mut add = |name: &str, kind, radius: f64, color, source| {
        let look = LineLook { id: lines.len() as u32, name: name.to_string(), kind, radius, color };
        lines.push(Line { look, source });
    };
    for laid in &built.cables {
        let color = laid.look.solids.first().map_or(ROPE, |solid| solid.color);
        match laid.id {
            Laid::Elements(id) => {
                if let Some(cable) = model.cables().get(id) {
                    add(&cable.name, "cable", 0.5 * cable.section.diameter, color, Source::Cable(id));
                }
            }
            Laid::Points(cable) => {
                if let Some((name, section)) = cable.name(&built.world).zip(cable.section(&built.world)) {
                    add(name, "mass-point cable", 0.5 * section.diameter, color, Source::Points(cable));
                }
            }
        }
    }
    for rope in &built.ropes {
        for id in &rope.ropes {
            add(&rope.name, "rope", 0.5 * rope.diameter, rope.color, Source::Rope(*id, rope.lays(*id)));
        }
    }
    for id in &built.joints {
        let Some(joint) = model.joints().get(*id) else { continue };
        let radius = (SLENDER * size).min(THICKEST);
        match &joint.kind {
            JointKind::Rope(_) => add(&joint.name, "rope", radius, ROPE, Source::Rope(*id, [None; 2])),
            JointKind::Distance(distance) if !is_stop(&distance.axis) && !is_cylinder(built, *id) => {
                add(&joint.name, "rod", radius, ROPE, Source::Rod(*id));
            }
            _ => {}
        }
    }
    for cylinder in &built.cylinders {
        for (part, drawing) in cylinder.drawings(&built.world).into_iter().enumerate() {
            add(&drawing.name, "cylinder", drawing.radius, drawing.color, Source::Cylinder(*cylinder, part));
        }
    }
    for (number, drawing) in built.world.drawings().into_iter().enumerate() {
        add(&drawing.name, "drawing", drawing.radius, drawing.color, Source::Drawing(number));
    }
    lines
}

impl Line {
    /// The part to which a handle attaches at a length along it [m]; none for ropes and rods, which have no points of
    /// their own.
    pub fn hold(&self, world: &World, along: f64) -> Option<DragTarget> {
        match self.source {
            Source::Cable(id) => {
                let cable = world.model().cables().get(id)?;
                let elements = cable.elements_now(world.state());
                // elements of an adaptive cable differ in length
                let mut from = 0.0;
                let mut last = None;
                for body in elements {
                    let length = element_length(world, cable, body);
                    let at = (along - from).clamp(0.0, length) - 0.5 * length;
                    last = Some(DragTarget::Element(id, body, DVec3::Z * at));
                    from += length;
                    if along <= from {
                        break;
                    }
                }
                last
            }
            Source::Points(cable) => Some(DragTarget::Point(cable, cable.free_point(world, along)?)),
            Source::Rope(..) | Source::Rod(_) | Source::Cylinder(..) | Source::Drawing(_) => None,
        }
    }

    /// The bodies it consists of.
    pub fn elements(&self, world: &World) -> Vec<BodyId> {
        match self.source {
            Source::Cable(id) => world.cable_elements(id),
            _ => Vec::new(),
        }
    }

    /// The bodies that hold it.
    pub fn holders(&self, world: &World) -> Vec<BodyId> {
        let model = world.model();
        let joint = |id: JointId| -> Vec<BodyId> {
            let joint = model.joints().get(id);
            joint.map_or_else(Vec::new, |j| j.constraint().anchors().iter().map(|a| a.body).collect())
        };
        match self.source {
            Source::Cable(id) => {
                let own = world.cable_elements(id);
                let joints = model.joints().iter().map(|(_, joint)| joint).filter(|j| !j.allows_contact());
                let anchors = joints
                    .map(|j| j.constraint().anchors())
                    .filter(|anchors| anchors.iter().any(|a| own.contains(&a.body)));
                anchors.flatten().map(|a| a.body).filter(|body| !own.contains(body)).collect()
            }
            Source::Points(cable) => cable.holders(world),
            Source::Rope(id, _) | Source::Rod(id) => joint(id),
            Source::Cylinder(cylinder, _) => joint(cylinder.joint),
            Source::Drawing(_) => Vec::new(),
        }
    }

    /// Distance of surfaces below which it is repelled [m], for a line whose contacts are not in the state.
    pub fn margin(&self, world: &World) -> Option<f64> {
        match self.source {
            Source::Points(cable) => cable.margin(world),
            _ => None,
        }
    }

    /// Its unbroken pieces.
    pub fn pieces(&self, world: &World) -> Vec<Vec<Place>> {
        self.pieces_with(world, |reading| reading.tension)
    }

    /// Curvature at the points of its pieces [1/m]; 0 for ropes and rods, which are straight between their points.
    pub fn curvatures(&self, world: &World) -> Vec<Vec<f64>> {
        let bends = matches!(self.source, Source::Cable(_) | Source::Points(_));
        let pieces = self.pieces_with(world, |reading| reading.curvature);
        let of = |(_, curvature): Place| if bends { curvature } else { 0.0 };
        pieces.into_iter().map(|piece| piece.into_iter().map(of).collect()).collect()
    }

    /// Its pieces, with a number of the readings along cables, and the tension of ropes and rods.
    fn pieces_with(&self, world: &World, of: fn(&Reading) -> f64) -> Vec<Vec<Place>> {
        let sampling = Sampling::Chord(CHORD * self.look.radius);
        match self.source {
            Source::Cable(id) => along(world.cable_curve(id, sampling), &world.cable_readings(id), of),
            Source::Points(cable) => {
                let curve = cable.lie(world).map_or_else(Vec::new, |lie| lie.curve(sampling));
                along(curve, &cable.readings(world), of)
            }
            Source::Rope(id, lays) => rope(world, id, lays),
            Source::Cylinder(cylinder, part) => cylinder_part(world, &cylinder, part),
            Source::Rod(id) => rod(world, id),
            Source::Drawing(number) => drawing(world, number),
        }
    }
}

/// Unstretched length of an element of a cable [m], from its share of the mass.
fn element_length(world: &World, cable: &Cable, body: BodyId) -> f64 {
    let mass = world.model().bodies().get(body).map_or(0.0, |b| b.mass.mass);
    mass / cable.section.mass_per_length
}

/// Points of a curve with a number of the readings along it.
fn along(pieces: Vec<Vec<CurvePoint>>, readings: &[Reading], of: fn(&Reading) -> f64) -> Vec<Vec<Place>> {
    let place = |point: &CurvePoint| (point.point, between(readings, point.at, of));
    pieces.iter().map(|piece| piece.iter().map(place).collect()).collect()
}

/// A number at a length of cable: linear between the readings, which ascend.
fn between(readings: &[Reading], at: f64, of: fn(&Reading) -> f64) -> f64 {
    let after = readings.partition_point(|reading| reading.at < at);
    let reading = |k: usize| readings.get(k).map(|reading| (reading.at, of(reading)));
    match (after.checked_sub(1).and_then(reading), reading(after)) {
        (Some(a), Some(b)) => a.1 + (b.1 - a.1) * ((at - a.0) / (b.0 - a.0)),
        (Some(only), None) | (None, Some(only)) => only.1,
        (None, None) => 0.0,
    }
}

fn rope(world: &World, id: JointId, lays: [Option<Lay>; 2]) -> Vec<Vec<Place>> {
    let Some(reading) = world.rope(id) else { return Vec::new() };
    let tension =
        |span: usize| reading.tensions.get(span).or(reading.tensions.last()).copied().unwrap_or(0.0);
    let path = with_turns(world, id, lays, world.rope_path(id));
    let line: Vec<_> = path.into_iter().map(|(point, span)| (point, tension(span))).collect();
    if line.len() > 1 { vec![line] } else { Vec::new() }
}

fn drawing(world: &World, number: usize) -> Vec<Vec<Place>> {
    let drawing = world.drawings().into_iter().nth(number);
    drawing.map(|d| d.points.into_iter().map(|point| (point, 0.0)).collect()).into_iter().collect()
}

/// The barrel or the rod, with the force of the cylinder, in tension positive.
fn cylinder_part(world: &World, cylinder: &Cylinder, part: usize) -> Vec<Vec<Place>> {
    let tension = rod(world, cylinder.joint).first().and_then(|rod| rod.first().map(|(_, tension)| *tension));
    let drawing = cylinder.drawings(world).into_iter().nth(part);
    let places =
        |points: Vec<DVec3>| points.into_iter().map(|point| (point, tension.unwrap_or(0.0))).collect();
    drawing.filter(|_| tension.is_some()).map(|drawing| places(drawing.points)).into_iter().collect()
}

fn rod(world: &World, id: JointId) -> Vec<Vec<Place>> {
    let memory = world.state().joints.get(id.index());
    let Some((joint, memory)) = world.model().joints().get(id).zip(memory).filter(|(_, m)| !m.broken) else {
        return Vec::new();
    };
    // a positive force along a distance pushes its points apart
    let tension = match &joint.kind {
        JointKind::Distance(distance) => -distance.axis.effort(&memory.forces),
        _ => -memory.forces.iter().sum::<f64>(),
    };
    let anchors = joint.constraint().anchors().iter();
    vec![anchors.map(|a| (world.model().frame(world.state(), a).at, tension)).collect()]
}
