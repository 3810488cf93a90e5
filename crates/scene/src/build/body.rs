//! Bodies: shape and density, or mass and inertia, become a mass. Also pose, velocity, path, visuals and collision
//! shapes.

use super::assembled::size;
use super::axis::motion;
use super::contact::{around_touch, solver};
use super::fluid::Solids;
use super::form::Form;
use super::place::Pose;
use super::{Builder, Placed, given, model};
use crate::error::Problems;
use crate::kit::Pieces;
use crate::material::{Material, USUAL};
use crate::number::{Density, Mass as Kilogram, Number, Numbers};
use crate::text::Entry;
use crate::text::body::{
    Body as BodyText, BodyKind, Part, Path as PathText, Shape as ShapeText, Visual as VisualText,
};
use crate::visual::{Solid, Visual};
use glam::{DQuat, DVec3};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::body::Damping;
use windlass_engine::math;
use windlass_engine::prelude::{
    Body, Collider, Geometry, Mass, Motion, MotionType, Path, PathRotation, Shape,
};

impl Builder {
    /// Adds a body; returns its visuals.
    pub fn body(&mut self, entry: &Entry<BodyText>) -> Option<Visual> {
        let text = &entry.value;
        let group = self.enter(entry);
        let kind = text.r#type.as_ref().map(|k| *k.get_ref()).unwrap_or_default();
        let p = &mut self.problems;
        let at = p.vector_or_zero("position", &text.position);
        let orientation = p.orientation(&text.orientation, &text.rotation);
        let velocity = p.vector_or_zero("velocity", &text.velocity);
        let spin = p.vector_or_zero("angular_velocity", &text.angular_velocity);
        let linear = p.number_or("linear_damping", &text.linear_damping, 0.0);
        let angular = p.number_or("angular_damping", &text.angular_damping, 0.0);
        if kind != BodyKind::Dynamic {
            self.refuse_motion(text);
        }
        let matter = self.matter(entry, kind);
        let looks = self.looks(entry);
        let touch = self.touch(entry);
        let p = &mut self.problems;
        let partition = p.whole_or("partition", &text.partition, 0..=u32::from(u16::MAX), 0);
        let Matter { mass, mut look, planes, mut colliders, solids } = matter?;
        if self.has_fluids {
            self.solids.insert(entry.name.clone(), solids);
        }
        look.solids.extend(looks?);
        colliders.extend(touch?);
        colliders.extend(self.ground_collider(entry));
        let p = &mut self.problems;
        let pose = Pose { at: at?, orientation: orientation? };
        let kind = match (kind, &text.path) {
            (BodyKind::Kinematic, Some(path)) => {
                let mean = group.pose(pose);
                let own = group.path(path_of(path, pose, p)?);
                let moved = self.in_waves(own, path.get_ref(), (mean.at, mean.orientation))?;
                MotionType::Kinematic(Box::new(moved))
            }
            (BodyKind::Kinematic, None) => {
                let help = "give path = { x = { … } }, or set type = \"static\"";
                p.advise(
                    entry.span.clone(),
                    format!("body \"{}\" is kinematic but has no `path`", entry.name),
                    help,
                );
                return None;
            }
            (_, Some(path)) => {
                p.advise(path.span(), "only a kinematic body follows a path", "set type = \"kinematic\"");
                return None;
            }
            (BodyKind::Dynamic, None) => MotionType::Dynamic,
            (BodyKind::Static, None) => MotionType::Static,
        };
        let pose = match &kind {
            MotionType::Kinematic(path) => {
                let start = path.at(0.0);
                Pose { at: start.position, orientation: start.orientation }
            }
            _ => group.pose(pose),
        };
        let gravity = text.gravity.unwrap_or(true);
        let (solver, partition) = (text.solver.map(solver), partition? as u16);
        let name = entry.name.clone();
        let damping = Damping { linear: linear?, angular: angular? };
        let body = Body { name, kind, mass, gravity, damping, colliders, solver, partition };
        let is_free = body.is_dynamic();
        // unbounded shapes do not count for the size of their body
        let (center, size) = (body.mass.center, size(&body, &look));
        look.solids.extend(planes);
        let id = match self.world.add_body(body, pose.at, pose.orientation) {
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

    /// Rejects damping and velocities of a body that is not dynamic.
    fn refuse_motion(&mut self, text: &BodyText) {
        let p = &mut self.problems;
        for given in [&text.linear_damping, &text.angular_damping].into_iter().flatten() {
            let help = "leave it out, or set type = \"dynamic\"";
            p.advise(given.span(), "only a dynamic body has damping", help);
        }
        let spans =
            [text.velocity.as_ref().map(Numbers::span), text.angular_velocity.as_ref().map(Numbers::span)];
        for span in spans.into_iter().flatten() {
            p.advise(
                span,
                "only a dynamic body has an initial velocity",
                "leave it out; the velocity of a kinematic body follows from its `path`",
            );
        }
    }

    /// Mass, visuals and collision shapes of a body. Static and kinematic bodies need no mass.
    fn matter(&mut self, entry: &Entry<BodyText>, kind: BodyKind) -> Option<Matter> {
        let text = &entry.value;
        let free = kind == BodyKind::Dynamic;
        if let Some(parts) = &text.parts {
            return self.compound(entry, parts, free);
        }
        let form = text.shape.as_ref().map(|s| self.form_of(s, entry, free));
        let stuff = self.stuff(&[&text.material]);
        let skin = form.as_ref().and_then(|form| form.as_ref());
        let skin = given(skin.map(|form| self.collider(form, DVec3::ZERO, DQuat::IDENTITY, text.skin())));
        let p = &mut self.problems;
        let color = given(text.color.as_ref().map(|c| p.color("color", c)));
        if let Some(inertia) = &text.inertia {
            let tensor = p.tensor("inertia", inertia);
            let center = p.vector_or_zero("center_of_mass", &text.center_of_mass);
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
            let mut matter = Matter::new(if free { mass } else { Mass::point(1.0) });
            if let Some(form) = given(form)? {
                matter.add(&form, &stuff?, color?, text.hidden, skin?.unwrap_or_default());
            }
            return Some(matter);
        }
        if let Some(center) = &text.center_of_mass {
            let help = "the centre of mass follows from the shape: leave it out, or use `parts`";
            p.advise(center.span(), "`center_of_mass` needs `inertia`", help);
        }
        let stuff = stuff?;
        let weight = weight(&text.density, &text.mass, &stuff, p)?;
        let Some(form) = form else {
            let none = weight.is_none() || (text.density.is_none() && text.mass.is_none());
            if !free && none {
                return Some(Matter::new(Mass::point(1.0)));
            }
            let missing = if none { "no mass" } else { "a mass but no extent" };
            let help = if free {
                "give a `shape` with `density` or `mass`, or `mass` with `inertia`, or type = \"static\""
            } else {
                "leave `mass` and `density` out, or give a `shape`: only dynamic bodies need a mass"
            };
            p.advise(entry.span.clone(), format!("body \"{}\" has {missing}", entry.name), help);
            return None;
        };
        let form = form?;
        let mass = solid(&form, weight, free, &entry.name, entry.span.clone(), p)?;
        let mut matter = Matter::new(if free { mass } else { Mass::point(1.0) });
        matter.add(&form, &stuff, color?, text.hidden, skin?.unwrap_or_default());
        Some(matter)
    }

    /// A shape of a body. Shapes without volume are rejected for dynamic bodies.
    fn form_of(&mut self, shape: &ShapeText, entry: &Entry<BodyText>, free: bool) -> Option<Form> {
        let form = self.form(shape, entry.span.clone())?;
        if free && form.solid().is_none() {
            let message = format!("body \"{}\" is dynamic, but its shape is {}", entry.name, form.name());
            let help = "set type = \"static\" or \"kinematic\", or give a shape with a volume";
            self.problems.advise(entry.span.clone(), message, help);
            return None;
        }
        Some(form)
    }

    fn compound(&mut self, entry: &Entry<BodyText>, parts: &[Part], free: bool) -> Option<Matter> {
        let text = &entry.value;
        let others =
            [text.shape.is_some(), text.density.is_some(), text.mass.is_some(), text.inertia.is_some()];
        if others.contains(&true) {
            let help = "each part has its own shape and mass: leave out those of the body";
            self.problems.advise(
                entry.span.clone(),
                format!("body \"{}\" has `parts` and a mass of its own", entry.name),
                help,
            );
            return None;
        }
        let of_body = given(text.color.as_ref().map(|c| self.problems.color("color", c)));
        let mut masses = Vec::new();
        let mut matter = Matter::new(Mass::point(1.0));
        for part in parts {
            let form = part.shape.as_ref().map(|s| self.form_of(s, entry, free));
            let stuff = self.stuff(&[&part.material, &text.material]);
            let p = &mut self.problems;
            let at = p.vector_or_zero("at", &part.at);
            let orientation = p.orientation(&part.orientation, &part.rotation);
            let own = given(part.color.as_ref().map(|c| p.color("color", c)));
            let stuff = stuff?;
            let weight = weight(&part.density, &part.mass, &stuff, p);
            let (at, orientation, weight) = (at?, orientation?, weight?);
            let mass = match (form, weight) {
                (Some(form), weight) => {
                    let form = form?;
                    let mass = solid(&form, weight, free, &entry.name, entry.span.clone(), p)?;
                    let skin = self.collider(&form, at, orientation, part.skin().or(text.skin()));
                    let mut own_matter = Matter::new(mass);
                    own_matter.add(&form, &stuff, own?.or(of_body?), part.hidden.or(text.hidden), skin?);
                    matter.take(own_matter, at, orientation);
                    mass
                }
                (None, Some(Weight::Total(mass))) => Mass::point(mass),
                (None, _) => {
                    let help = "give the part a `shape` with `density` or `mass`, or a `mass` alone for a point mass";
                    let message = format!("a part of body \"{}\" has no mass", entry.name);
                    p.advise(entry.span.clone(), message, help);
                    return None;
                }
            };
            masses.push((at, orientation, mass));
        }
        if free {
            matter.mass = Mass::combine(&masses);
        }
        Some(matter)
    }

    /// Additional collision shapes of a body.
    fn touch(&mut self, entry: &Entry<BodyText>) -> Option<Vec<Collider>> {
        let text = &entry.value;
        let free = text.r#type.as_ref().is_none_or(|kind| *kind.get_ref() == BodyKind::Dynamic);
        let mut colliders = Vec::new();
        for touch in text.collision.iter().flatten() {
            let form = self.form_of(&touch.shape, entry, free);
            let stuff = self.stuff(&[&touch.material]);
            let p = &mut self.problems;
            let at = p.vector_or_zero("at", &touch.at);
            let orientation = p.orientation(&touch.orientation, &touch.rotation);
            colliders.push(form.and_then(|form| {
                stuff?;
                self.collider(&form, at?, orientation?, touch.skin().or(around_touch(text)))
            }));
        }
        let colliders: Option<Vec<_>> = colliders.into_iter().collect();
        Some(colliders?.into_iter().flatten().collect())
    }

    /// Additional visuals of a body.
    fn looks(&mut self, entry: &Entry<BodyText>) -> Option<Vec<Solid>> {
        let text = &entry.value;
        let mut solids = Vec::new();
        for look in text.visuals.iter().flatten() {
            let drawn = self.drawn(look);
            let look = look.get_ref();
            let stuff = self.stuff(&[&look.material, &text.material]);
            let p = &mut self.problems;
            let at = p.vector_or_zero("at", &look.at);
            let orientation = p.orientation(&look.orientation, &look.rotation);
            let color = given(look.color.as_ref().or(text.color.as_ref()).map(|c| p.color("color", c)));
            let materials = &self.materials;
            solids.push(drawn.and_then(|drawn| {
                let (at, orientation, color, stuff) = (at?, orientation?, color?, stuff?);
                let placed = |seen: Solid| Solid { at: at + orientation * seen.at, orientation, ..seen };
                Some(match drawn {
                    Drawn::Form(form) => vec![placed(stuff.solid(&form, color)?)],
                    Drawn::Model(pieces) => {
                        let own = |shape| stuff.drawn(shape, color);
                        model::solids(pieces, own, materials).into_iter().map(placed).collect()
                    }
                })
            }));
        }
        let solids: Option<Vec<Vec<Solid>>> = solids.into_iter().collect();
        Some(solids?.into_iter().flatten().collect())
    }

    /// What a visual draws: a shape or a model.
    fn drawn(&mut self, look: &Spanned<VisualText>) -> Option<Drawn> {
        let span = look.span();
        match (&look.get_ref().shape, &look.get_ref().model) {
            (Some(shape), None) => self.form(shape, span).map(Drawn::Form),
            (None, Some(model)) => model::pieces(model, &mut self.problems).map(Drawn::Model),
            _ => {
                let help = "give one of them, such as model = { pulley = { radius = 0.3 } }";
                self.problems.advise(span, "a visual needs either `shape` or `model`", help);
                None
            }
        }
    }

    /// The material of a solid: the first that is named, or the default. None if it is unknown.
    fn stuff(&mut self, names: &[&Option<Spanned<String>>]) -> Option<SolidMaterial> {
        match names.iter().find_map(|name| name.as_ref()) {
            Some(name) => {
                let material = self.materials.find(name, &mut self.problems)?.clone();
                Some(SolidMaterial { name: name.get_ref().clone(), material, is_given: true })
            }
            None => {
                let material = self.materials.get(USUAL)?.clone();
                Some(SolidMaterial { name: USUAL.to_string(), material, is_given: false })
            }
        }
    }
}

/// The material of a solid.
struct SolidMaterial {
    name: String,
    material: Material,
    /// Whether the scene specifies it.
    is_given: bool,
}

/// What a visual draws.
enum Drawn {
    Form(Form),
    Model(Pieces),
}

impl SolidMaterial {
    /// A shape at the body's origin in this material.
    fn drawn(&self, shape: Shape, color: Option<[f64; 3]>) -> Solid {
        let solid = Solid::new(shape, &self.name, &self.material);
        Solid { color: color.unwrap_or(solid.color), ..solid }
    }

    /// The visual of a shape at the body's origin, if it has one.
    fn solid(&self, form: &Form, color: Option<[f64; 3]>) -> Option<Solid> {
        let (shape, at) = form.seen()?;
        Some(Solid { at, ..self.drawn(shape, color) })
    }
}

/// Mass, visuals and collision shapes of a body.
struct Matter {
    mass: Mass,
    look: Visual,
    /// The visuals of planes.
    planes: Vec<Solid>,
    colliders: Vec<Collider>,
    /// Its solids, hidden or not.
    solids: Solids,
}

impl Matter {
    fn new(mass: Mass) -> Matter {
        Matter {
            mass,
            look: Visual::default(),
            planes: Vec::new(),
            colliders: Vec::new(),
            solids: Vec::new(),
        }
    }

    /// Adds a shape at the origin.
    fn add(
        &mut self,
        form: &Form,
        stuff: &SolidMaterial,
        color: Option<[f64; 3]>,
        hidden: Option<bool>,
        skin: Vec<Collider>,
    ) {
        self.colliders.extend(skin);
        self.solids.extend(form.solid().map(|shape| (DVec3::ZERO, DQuat::IDENTITY, shape.clone())));
        let seen = stuff.solid(form, color).filter(|_| !hidden.unwrap_or(false));
        if matches!(*form.geometry, Geometry::HalfSpace) {
            self.planes.extend(seen);
        } else {
            self.look.solids.extend(seen);
        }
    }

    /// Adds the visuals and colliders of a part at a pose; its colliders are already placed there.
    fn take(&mut self, part: Matter, at: DVec3, orientation: DQuat) {
        let moved = |s: Solid| Solid { at: at + orientation * s.at, orientation, ..s };
        self.look.solids.extend(part.look.solids.into_iter().map(moved));
        self.planes.extend(part.planes.into_iter().map(moved));
        self.colliders.extend(part.colliders);
        let placed = |(x, turn, shape)| (at + orientation * x, orientation * turn, shape);
        self.solids.extend(part.solids.into_iter().map(placed));
    }
}

/// How the mass of a solid is specified.
#[derive(Clone, Copy)]
enum Weight {
    Density(f64),
    Total(f64),
}

/// The density or the mass, or the density of the material; the inner none if none of them is given.
fn weight(
    density: &Option<Number<Density>>,
    mass: &Option<Number<Kilogram>>,
    stuff: &SolidMaterial,
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

/// The mass of a shape; one without volume gets a placeholder that is never used.
fn solid(
    form: &Form,
    weight: Option<Weight>,
    free: bool,
    name: &str,
    span: Range<usize>,
    p: &mut Problems,
) -> Option<Mass> {
    let Some(shape) = form.solid() else { return Some(Mass::point(1.0)) };
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

/// The path of a kinematic body; components that it does not specify stay at the body's pose.
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
    let rotations = vec![PathRotation { axis: axis?, angle: angle? }];
    Some(Path { position: [x?, y?, z?], rotations, orientation: math::unit(pose.orientation) })
}
