//! Bodies: shape and density, or mass and inertia → mass; pose, velocity, path; and what is seen of them.

use super::assembled::size;
use super::axis::motion;
use super::place::Pose;
use super::{Builder, Placed};
use crate::error::Problems;
use crate::look::{Look, Solid};
use crate::material::{Material, USUAL};
use crate::number::{Density, Mass as Kilogram, Number, Numbers};
use crate::text::Entry;
use crate::text::body::{Body as BodyText, BodyKind, Part, Path as PathText};
use glam::DVec3;
use std::ops::Range;
use toml::Spanned;
use windlass_engine::math;
use windlass_engine::prelude::{Body, Kind, Mass, Motion, Path, Shape};

impl Builder {
    /// Adds a body; returns what is seen of it.
    pub fn body(&mut self, entry: &Entry<BodyText>) -> Option<Look> {
        let text = &entry.value;
        let group = self.enter(entry);
        let kind = text.kind.as_ref().map(|k| *k.get_ref()).unwrap_or_default();
        let p = &mut self.problems;
        let at = p.vector_or_zero("position", &text.position);
        let attitude = p.attitude(&text.attitude, &text.turn);
        let velocity = p.vector_or_zero("velocity", &text.velocity);
        let spin = p.vector_or_zero("spin", &text.spin);
        if kind != BodyKind::Free {
            let given = [text.velocity.as_ref().map(Numbers::span), text.spin.as_ref().map(Numbers::span)];
            for span in given.into_iter().flatten() {
                p.advise(span, "only a free body has a velocity of its own", "a driven one has a `path`");
            }
        }
        let matter = self.matter(entry, kind);
        let looks = self.looks(entry);
        let p = &mut self.problems;
        let (mass, mut look) = matter?;
        look.solids.extend(looks?);
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
        let gravity = text.gravity.unwrap_or(true);
        let body = Body { kind, mass, gravity, ..Body::fixed(entry.name.clone()) };
        let is_free = body.is_free();
        let (center, size) = (body.mass.center, size(&body, &look));
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
        Some(look)
    }

    /// Mass and look of a body. Those that are not free need no mass.
    fn matter(&mut self, entry: &Entry<BodyText>, kind: BodyKind) -> Option<(Mass, Look)> {
        let text = &entry.value;
        let free = kind == BodyKind::Free;
        if let Some(parts) = &text.parts {
            return self.compound(entry, parts, free);
        }
        let shape = text.shape.as_ref().map(|s| self.shape(s, entry.span.clone()));
        let stuff = self.stuff(&[&text.material]);
        let p = &mut self.problems;
        let color = given(text.color.as_ref().map(|c| p.color("color", c)));
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
            let solid = given(shape)?.map(|shape| stuff.map(|s| s.solid(shape)));
            let look = look_of(given(solid)?, color?, text.hidden);
            return Some((if free { mass } else { Mass::point(1.0) }, look));
        }
        if let Some(center) = &text.center {
            let help = "a shape has its own centre of mass: leave it out, or use `parts`";
            p.advise(center.span(), "`center` goes with `inertia`", help);
        }
        let stuff = stuff?;
        let weight = weight(&text.density, &text.mass, &stuff, p)?;
        let Some(shape) = shape else {
            let none = weight.is_none() || (text.density.is_none() && text.mass.is_none());
            if !free && none {
                return Some((Mass::point(1.0), Look::default()));
            }
            let missing = if none { "no mass" } else { "a mass but no extent" };
            let help =
                "give a `shape` with `density` or `mass`, or `mass` with `inertia`, or kind = \"fixed\"";
            p.advise(entry.span.clone(), format!("body \"{}\" has {missing}", entry.name), help);
            return None;
        };
        let shape = shape?;
        let mass = solid(&shape, weight, free, &entry.name, entry.span.clone(), p)?;
        let look = look_of(Some(stuff.solid(shape)), color?, text.hidden);
        Some((if free { mass } else { Mass::point(1.0) }, look))
    }

    fn compound(&mut self, entry: &Entry<BodyText>, parts: &[Part], free: bool) -> Option<(Mass, Look)> {
        let text = &entry.value;
        let others =
            [text.shape.is_some(), text.density.is_some(), text.mass.is_some(), text.inertia.is_some()];
        if others.contains(&true) {
            let help = "each part has its own shape and mass: leave the body's out";
            self.problems.advise(
                entry.span.clone(),
                format!("body \"{}\" has `parts` and a mass of its own", entry.name),
                help,
            );
            return None;
        }
        let of_body = given(text.color.as_ref().map(|c| self.problems.color("color", c)));
        let mut masses = Vec::new();
        let mut solids = Vec::new();
        for part in parts {
            let shape = part.shape.as_ref().map(|s| self.shape(s, entry.span.clone()));
            let stuff = self.stuff(&[&part.material, &text.material]);
            let p = &mut self.problems;
            let at = p.vector_or_zero("at", &part.at);
            let attitude = p.attitude(&part.attitude, &part.turn);
            let own = given(part.color.as_ref().map(|c| p.color("color", c)));
            let stuff = stuff?;
            let weight = weight(&part.density, &part.mass, &stuff, p);
            let (at, attitude, weight) = (at?, attitude?, weight?);
            let mass = match (shape, weight) {
                (Some(shape), weight) => {
                    let shape = shape?;
                    let mass = solid(&shape, weight, free, &entry.name, entry.span.clone(), p)?;
                    let seen = Solid { at, attitude, ..stuff.solid(shape) };
                    let hidden = part.hidden.or(text.hidden);
                    solids.extend(look_of(Some(seen), own?.or(of_body?), hidden).solids);
                    mass
                }
                (None, Some(Weight::Total(mass))) => Mass::point(mass),
                (None, _) => {
                    let help = "a part is a `shape` with `density` or `mass`, or a point with a `mass`";
                    let message = format!("a part of body \"{}\" has no mass", entry.name);
                    p.advise(entry.span.clone(), message, help);
                    return None;
                }
            };
            masses.push((at, attitude, mass));
        }
        Some((if free { Mass::combine(&masses) } else { Mass::point(1.0) }, Look { solids }))
    }

    /// The solids of a body that are for the eye alone.
    fn looks(&mut self, entry: &Entry<BodyText>) -> Option<Vec<Solid>> {
        let text = &entry.value;
        let mut solids = Vec::new();
        for look in text.looks.iter().flatten() {
            let shape = self.shape(&look.shape, entry.span.clone());
            let stuff = self.stuff(&[&look.material, &text.material]);
            let p = &mut self.problems;
            let at = p.vector_or_zero("at", &look.at);
            let attitude = p.attitude(&look.attitude, &look.turn);
            let color = given(look.color.as_ref().or(text.color.as_ref()).map(|c| p.color("color", c)));
            solids.push(shape.and_then(|shape| {
                let seen = stuff?.solid(shape);
                Some(Solid { at: at?, attitude: attitude?, color: color?.unwrap_or(seen.color), ..seen })
            }));
        }
        solids.into_iter().collect()
    }

    /// What a solid is made of: the first material that is named, or the usual one. None if it is unknown.
    fn stuff(&mut self, names: &[&Option<Spanned<String>>]) -> Option<Stuff> {
        match names.iter().find_map(|name| name.as_ref()) {
            Some(name) => {
                let material = self.materials.find(name, &mut self.problems)?.clone();
                Some(Stuff { name: name.get_ref().clone(), material, is_given: true })
            }
            None => {
                let material = self.materials.get(USUAL)?.clone();
                Some(Stuff { name: USUAL.to_string(), material, is_given: false })
            }
        }
    }
}

/// What a solid is made of.
struct Stuff {
    name: String,
    material: Material,
    /// Whether the scene says so.
    is_given: bool,
}

impl Stuff {
    fn solid(&self, shape: Shape) -> Solid {
        Solid::new(shape, &self.name, &self.material)
    }
}

/// Turns what may be absent and may be wrong inside out.
fn given<T>(option: Option<Option<T>>) -> Option<Option<T>> {
    option.map_or(Some(None), |inner| inner.map(Some))
}

/// A solid, if there is one to be seen.
fn look_of(solid: Option<Solid>, color: Option<[f64; 3]>, hidden: Option<bool>) -> Look {
    let seen = solid.filter(|_| !hidden.unwrap_or(false));
    Look { solids: seen.into_iter().map(|s| Solid { color: color.unwrap_or(s.color), ..s }).collect() }
}

/// How heavy a solid is said to be.
#[derive(Clone, Copy)]
enum Weight {
    Density(f64),
    Total(f64),
}

/// The density or the mass, or the density of the material; the inner none if none of them is given.
fn weight(
    density: &Option<Number<Density>>,
    mass: &Option<Number<Kilogram>>,
    stuff: &Stuff,
    p: &mut Problems,
) -> Option<Option<Weight>> {
    match (density, mass) {
        (Some(_), Some(mass)) => {
            p.advise(mass.span(), "both `density` and `mass` are given", "leave one of them out");
            None
        }
        (Some(density), None) => Some(Some(Weight::Density(p.number("density", density)?))),
        (None, Some(mass)) => Some(Some(Weight::Total(p.number("mass", mass)?))),
        (None, None) if stuff.is_given => Some(Some(Weight::Density(stuff.material.density))),
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
            p.advise(
                span,
                format!("body \"{name}\" has a shape but no mass"),
                "give `material`, `density` or `mass`",
            );
            return None;
        }
        None => Mass::of(shape, 1.0),
    };
    mass.map_err(|e| p.push(span, format!("body \"{name}\": {e}"), None)).ok()
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
