//! Bodies: shape and density, or mass and inertia → mass; pose, velocity, path.

use super::assembled::size;
use super::axis::motion;
use super::place::Pose;
use super::{Builder, Placed};
use crate::error::Problems;
use crate::number::{Density, Length, Mass as Kilogram, Number, Numbers};
use crate::text::Entry;
use crate::text::body::{Body as BodyText, BodyKind, Part, Path as PathText, Shape as ShapeText};
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::{Body, Kind, Mass, Motion, Path, Shape};

impl Builder {
    /// Adds a body; returns its shape.
    pub fn body(&mut self, entry: &Entry<BodyText>) -> Option<Shape> {
        let text = &entry.value;
        let group = self.enter(entry);
        let kind = text.kind.as_ref().map(|k| *k.get_ref()).unwrap_or_default();
        let p = &mut self.problems;
        let at = p.vector_or_zero("position", &text.position);
        let attitude = p.attitude(&text.attitude, &text.turn);
        let velocity = p.vector_or_zero("velocity", &text.velocity);
        let spin = p.vector_or_zero("spin", &text.spin);
        let matter = matter(entry, kind, p);
        if kind != BodyKind::Free {
            let given = [text.velocity.as_ref().map(Numbers::span), text.spin.as_ref().map(Numbers::span)];
            for span in given.into_iter().flatten() {
                p.advise(span, "only a free body has a velocity of its own", "a driven one has a `path`");
            }
        }
        let (mass, shape) = matter?;
        let pose = Pose { at: at?, attitude: attitude? };
        let kind = match (kind, &text.path) {
            (BodyKind::Driven, Some(path)) => Kind::Driven(Box::new(group.path(path_of(path, pose, p)?))),
            (BodyKind::Driven, None) => {
                let help = "give path = { x = { … } }, or kind = \"fixed\"";
                p.advise(
                    entry.span.clone(),
                    format!("body \"{}\" is driven but has no `path`", entry.name),
                    help,
                );
                return None;
            }
            (_, Some(path)) => {
                p.advise(path.span(), "only a driven body follows a path", "give kind = \"driven\"");
                return None;
            }
            (BodyKind::Free, None) => Kind::Free,
            (BodyKind::Fixed, None) => Kind::Fixed,
        };
        let pose = match &kind {
            Kind::Driven(path) => {
                let start = path.at(0.0);
                Pose { at: start.position, attitude: start.attitude }
            }
            _ => group.pose(pose),
        };
        let body = Body { name: entry.name.clone(), kind, mass, gravity: text.gravity.unwrap_or(true) };
        let is_free = body.is_free();
        let (center, size) = (body.mass.center, size(&body, shape.as_ref()));
        let id = match self.world.add_body(body, pose.at, pose.attitude) {
            Ok(id) => id,
            Err(e) => {
                self.refused(entry, &e);
                return None;
            }
        };
        let (velocity, spin) = (group.vector(velocity?), group.vector(spin?));
        if is_free && let Err(e) = self.world.set_velocity(id, velocity, spin) {
            self.refused(entry, &e);
        }
        self.stand(&entry.name, Placed { id, pose, center, size });
        shape
    }
}

/// Mass and shape of a body. Those that are not free need no mass.
fn matter(entry: &Entry<BodyText>, kind: BodyKind, p: &mut Problems) -> Option<(Mass, Option<Shape>)> {
    let text = &entry.value;
    let free = kind == BodyKind::Free;
    if let Some(parts) = &text.parts {
        return compound(entry, parts, free, p);
    }
    let shape = text.shape.as_ref().map(|s| shape_of(s, p));
    if let Some(inertia) = &text.inertia {
        let tensor = p.tensor("inertia", inertia);
        let center = p.vector_or_zero("center", &text.center);
        let Some(mass) = &text.mass else {
            p.advise(
                entry.span.clone(),
                format!("body \"{}\" has an `inertia` but no `mass`", entry.name),
                "give `mass = …`",
            );
            return None;
        };
        let mass = Mass::new(p.number("mass", mass)?, center?, tensor?);
        if let Err(e) = mass.check() {
            p.push(inertia.span(), e.to_string(), None);
            return None;
        }
        let shape = shape.map_or(Some(None), |inner| inner.map(Some))?;
        return Some((if free { mass } else { Mass::point(1.0) }, shape));
    }
    if let Some(center) = &text.center {
        let help = "a shape has its own centre of mass: leave it out, or use `parts`";
        p.advise(center.span(), "`center` goes with `inertia`", help);
    }
    let weight = weight(&text.density, &text.mass, p)?;
    let Some(shape) = shape else {
        if !free && weight.is_none() {
            return Some((Mass::point(1.0), None));
        }
        let missing = if weight.is_none() { "no mass" } else { "a mass but no extent" };
        let help = "give a `shape` with `density` or `mass`, or `mass` with `inertia`, or kind = \"fixed\"";
        p.advise(entry.span.clone(), format!("body \"{}\" has {missing}", entry.name), help);
        return None;
    };
    let shape = shape?;
    let mass = solid(&shape, weight, free, &entry.name, entry.span.clone(), p)?;
    Some((if free { mass } else { Mass::point(1.0) }, Some(shape)))
}

/// How heavy a solid is said to be.
#[derive(Clone, Copy)]
enum Weight {
    Density(f64),
    Total(f64),
}

/// The density or the mass; the inner none if neither is given.
fn weight(
    density: &Option<Number<Density>>,
    mass: &Option<Number<Kilogram>>,
    p: &mut Problems,
) -> Option<Option<Weight>> {
    match (density, mass) {
        (Some(_), Some(mass)) => {
            p.advise(mass.span(), "both `density` and `mass` are given", "leave one of them out");
            None
        }
        (Some(density), None) => Some(Some(Weight::Density(p.number("density", density)?))),
        (None, Some(mass)) => Some(Some(Weight::Total(p.number("mass", mass)?))),
        (None, None) => Some(None),
    }
}

fn solid(
    shape: &Shape,
    weight: Option<Weight>,
    free: bool,
    name: &str,
    span: Range<usize>,
    p: &mut Problems,
) -> Option<Mass> {
    let mass = match weight {
        Some(Weight::Density(density)) => Mass::of(shape, density),
        Some(Weight::Total(mass)) => Mass::of_total(shape, mass),
        None if free => {
            p.advise(span, format!("body \"{name}\" has a shape but no mass"), "give `density` or `mass`");
            return None;
        }
        None => Mass::of(shape, 1.0),
    };
    mass.map_err(|e| p.push(span, format!("body \"{name}\": {e}"), None)).ok()
}

fn compound(
    entry: &Entry<BodyText>,
    parts: &[Part],
    free: bool,
    p: &mut Problems,
) -> Option<(Mass, Option<Shape>)> {
    let text = &entry.value;
    let others = [text.shape.is_some(), text.density.is_some(), text.mass.is_some(), text.inertia.is_some()];
    if others.contains(&true) {
        let help = "each part has its own shape and mass: leave the body's out";
        p.advise(
            entry.span.clone(),
            format!("body \"{}\" has `parts` and a mass of its own", entry.name),
            help,
        );
        return None;
    }
    let mut masses = Vec::new();
    let mut shapes = Vec::new();
    for part in parts {
        let at = p.vector_or_zero("at", &part.at);
        let turn = p.attitude(&part.attitude, &part.turn);
        let weight = weight(&part.density, &part.mass, p);
        let shape = part.shape.as_ref().map(|s| shape_of(s, p));
        let (at, turn, weight) = (at?, turn?, weight?);
        let mass = match (shape, weight) {
            (Some(shape), weight) => {
                let shape = shape?;
                let mass = solid(&shape, weight, free, &entry.name, entry.span.clone(), p)?;
                shapes.push((at, turn, shape));
                mass
            }
            (None, Some(Weight::Total(mass))) => Mass::point(mass),
            (None, _) => {
                let help = "a part is a `shape` with `density` or `mass`, or a point with a `mass`";
                p.advise(entry.span.clone(), format!("a part of body \"{}\" has no mass", entry.name), help);
                return None;
            }
        };
        masses.push((at, turn, mass));
    }
    let shape = (!shapes.is_empty()).then_some(Shape::Compound { parts: shapes });
    Some((if free { Mass::combine(&masses) } else { Mass::point(1.0) }, shape))
}

/// A solid, checked.
fn shape_of(text: &ShapeText, p: &mut Problems) -> Option<Shape> {
    let (shape, span) = match text {
        ShapeText::Box { size } => (Shape::Box { half: p.vector("size", size)? / 2.0 }, size.span()),
        ShapeText::Sphere { radius } => {
            (Shape::Sphere { radius: p.number("radius", radius)? }, radius.span())
        }
        ShapeText::Cylinder { radius, length } => {
            let (r, l) = (p.number("radius", radius), p.number("length", length));
            (Shape::Cylinder { radius: r?, half_length: l? / 2.0 }, radius.span())
        }
        ShapeText::Capsule { radius, length } => {
            let (r, l) = (p.number("radius", radius), p.number("length", length));
            (Shape::Capsule { radius: r?, half_length: l? / 2.0 }, radius.span())
        }
        ShapeText::Cone { radius, height } => {
            let (r, h) = (p.number("radius", radius), p.number("height", height));
            (Shape::Cone { radius: r?, half_height: h? / 2.0 }, radius.span())
        }
        ShapeText::Convex { points: text } => {
            (Shape::Convex { points: points("points", text, p)? }, text.span())
        }
        ShapeText::Mesh { vertices, triangles } => {
            let corners = points("vertices", vertices, p)?;
            (Shape::Mesh { vertices: corners, triangles: triangles.get_ref().clone() }, triangles.span())
        }
    };
    shape.check().map_err(|e| p.push(span, e.to_string(), None)).ok()?;
    Some(shape)
}

fn points(key: &str, list: &Spanned<Vec<Numbers<Length>>>, p: &mut Problems) -> Option<Vec<DVec3>> {
    let points: Vec<_> = list.get_ref().iter().map(|n| p.vector(key, n)).collect();
    points.into_iter().collect()
}

/// The path of a driven body: what it does not move stays at the body's pose.
fn path_of(path: &Spanned<PathText>, pose: Pose, p: &mut Problems) -> Option<Path> {
    let (text, span) = (path.get_ref(), path.span());
    let mut way = |text: &Option<_>, stays: f64| match text {
        Some(m) => motion(m, span.clone(), p),
        None => Some(Motion::Constant(stays)),
    };
    let position = [way(&text.x, pose.at.x), way(&text.y, pose.at.y), way(&text.z, pose.at.z)];
    let axis = text.axis.as_ref().map_or(Some(DVec3::Z), |n| p.direction("axis", n));
    let angle = match &text.angle {
        Some(m) => motion(m, span, p),
        None => Some(Motion::Constant(0.0)),
    };
    let [x, y, z] = position;
    Some(Path { position: [x?, y?, z?], axis: axis?, angle: angle?, attitude: math::unit(pose.attitude) })
}
