//! Cables: sections, ends and paths of the text become cables of the engine, with visuals of their elements.
//!
//! ```text
//!  path given             used as it is; L = length of its chords unless given
//!  tension T given        used as it is; L = length of its chords / (1 + ε), with ε the strain under T
//!  L ≤ distance, or no L  straight from start to end; a shorter cable starts with the tension EA (distance/L − 1)
//!  L > distance           a parabola with chords of length L, sagging along gravity; to the side if vertical
//! ```

mod elements;
mod ends;

use super::contact::solver;
use super::{Builder, Placed};
use crate::material::Material;
use crate::number::Number;
use crate::section::{self, CableSection};
use crate::subsystem::mass_points::{PointCable, Points, default_limits};
use crate::suggestion;
use crate::text::Entry;
use crate::text::cable::{
    Adaptive, Cable as CableText, CableModel, Made, MassPoints, Turning as TurningText, TwistAngle,
};
use crate::visual::{Solid, Visual};
use toml::Spanned;
use windlass_engine::cable::catenary;
use windlass_engine::prelude::{
    CableId, CableSpec, Edit, EditError, Integrator, Reading, Resolution, Shape, Turning, World,
};

pub(super) use elements::{Elements, links_at};

/// Default number of elements: an element of this many diameters bends about a drum or sheave of its class in a few
/// elements.
pub(super) const DIAMETERS: f64 = 20.0;
/// Default number of elements: enough for the shape of a hanging or swinging cable, few enough for real time.
pub(super) const USUAL_ELEMENTS: [f64; 2] = [8.0, 200.0];
/// Maximum number of elements.
pub(super) const MOST_ELEMENTS: u32 = 100_000;
/// Maximum number of times that elements may be merged; the engine's own bound.
const MOST_LEVELS: u32 = 10;
/// Maximum number of elements of all cables of a scene.
pub(super) const MOST_TOGETHER: usize = 200_000;
/// Maximum initial strain if no breaking load is known.
pub(super) const MOST_STRAIN: f64 = 1.0;
/// Lower bound of the sines in the angles of Servin and Lacoursière: the value with which their experiments were
/// repeated.
const GUARD: f64 = 1e-3;

/// Maximum number of segments of a cable of mass points: the engine's own bound.
const MOST_SEGMENTS: u32 = 10_000;
/// Maximum number of rebuilds and of iterations per step of mass points: no case has needed a tenth of it.
const MOST_EFFORT: u32 = 1000;

/// A cable in the world, by model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CableRef {
    /// Of rigid elements.
    Elements(CableId),
    /// Of mass points.
    Points(PointCable),
}

impl CableRef {
    /// The internal state along it, from start to end; nothing if it has been removed.
    pub fn readings(&self, world: &World) -> Vec<Reading> {
        match *self {
            CableRef::Elements(id) => world.cable_readings(id),
            CableRef::Points(cable) => cable.readings(world),
        }
    }
}

/// A cable of a scene, as built.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltCable {
    /// Its id in the world.
    pub id: CableRef,
    /// The visual of each of its elements.
    pub look: Visual,
    /// The rope construction or the material, if the scene specifies it.
    pub made_of: Option<String>,
    /// Minimum recommended bend radius, if known [m].
    pub least_bend_radius: Option<f64>,
}

/// A cable to be added to the world.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    pub laying: CableSpec,
    /// Solver options of its mass points, for that model.
    pub points: Option<Points>,
    /// Positions of its cuts along it [m].
    pub cuts: Vec<f64>,
    look: Visual,
    made_of: Option<String>,
    least_bend_radius: Option<f64>,
}

impl Plan {
    /// Its description in a built scene, under an id.
    pub(super) fn laid(self, id: CableRef) -> BuiltCable {
        let Plan { look, made_of, least_bend_radius, .. } = self;
        BuiltCable { id, look, made_of, least_bend_radius }
    }
}

impl Builder {
    /// The cables of all entries, in their order; none for an invalid one, which is reported.
    pub(super) fn cables(&mut self, entries: &[Entry<CableText>]) -> Vec<Option<Plan>> {
        let mut together = 0;
        let mut planned = |builder: &mut Builder, entry: &Entry<CableText>| {
            if together > MOST_TOGETHER {
                return None;
            }
            let plan = builder.cable(entry)?;
            together += plan.laying.elements;
            if together > MOST_TOGETHER {
                let span = entry.value.elements.as_ref().map_or(entry.span.clone(), Number::span);
                let message = format!("the cables have more than {MOST_TOGETHER} elements in total");
                builder.problems.advise(span, message, "give fewer `elements`");
                return None;
            }
            Some(plan)
        };
        let mut plans: Vec<_> = entries.iter().map(|entry| planned(self, entry)).collect();
        // no cable is added if they have too many elements
        if together > MOST_TOGETHER {
            plans.fill(None);
        }
        plans
    }

    /// Adds the planned cables and reports those that the engine rejects.
    pub(super) fn lay(&mut self, entries: &[Entry<CableText>], plans: Vec<Option<Plan>>) -> Vec<BuiltCable> {
        let mut laid = Vec::new();
        for (entry, plan) in entries.iter().zip(plans) {
            self.enter(entry);
            self.lines.insert(entry.name.clone(), None);
            let Some(plan) = plan else { continue };
            let springs = plan.points.is_none() && plan.laying.hang.is_none();
            if springs && !self.resolves_stretch(entry, &plan.laying) {
                continue;
            }
            match lay(&mut self.world, &plan) {
                Ok(id) => {
                    let elements = Elements::of(id, &self.world);
                    self.lines.insert(entry.name.clone(), Some(elements));
                    laid.push(plan.laid(id));
                }
                Err(e) => self.refused(entry, &e),
            }
        }
        laid
    }

    /// Whether the step resolves the axial vibration of a cable. The acceleration-level integrators treat its springs
    /// explicitly: the fastest mode, elements that rotate in zigzag, has ω² = 12 k/m = 12 EA/μℓ², and ω h may be 2.8.
    fn resolves_stretch(&mut self, entry: &Entry<CableText>, spec: &CableSpec) -> bool {
        const STABLE: f64 = 2.8;
        let settings = self.world.model().settings();
        let (name, step) = match settings.integrator {
            Integrator::Spook => return true,
            Integrator::Projected => ("projected", settings.dt),
            Integrator::DormandPrince(rule) => ("dormand-prince", rule.min_step),
        };
        let along = || spec.path.windows(2).map(|p| p[0].distance(p[1])).sum::<f64>() / (1.0 + spec.strain);
        let length = spec.length.unwrap_or_else(along) / spec.elements as f64;
        let section = &spec.section;
        let most = STABLE * length * (section.mass_per_length / (12.0 * section.stretch)).sqrt();
        if step <= most {
            return true;
        }
        let message = format!(
            "integrator = \"{name}\" cannot resolve the axial vibration of a cable with elements of {length:.3} m at a step of {step:.3e} s"
        );
        let help = format!("choose integrator = \"spook\", or a step of {most:.1e} s at most");
        self.problems.advise(entry.span.clone(), message, help);
        false
    }

    /// The element of a cable for a name `NAME[number]` or `NAME(position)`; the inner none if it is invalid, which is
    /// reported. None if the name is not that of a cable.
    pub(super) fn element(&mut self, name: &Spanned<String>) -> Option<Option<Placed>> {
        let text = name.get_ref();
        let (cable, which) = match text.strip_suffix(']') {
            Some(rest) => rest.rsplit_once('[')?,
            None => text.strip_suffix(')')?.rsplit_once('(')?,
        };
        let line = self.outward(cable, |name| self.lines.get(name).cloned())?;
        let Some(line) = line else { return Some(None) };
        let found = line.find(cable, which.trim(), text.ends_with(']'));
        Some(match found {
            Ok(placed) => {
                self.by_place.insert(placed.id.index(), placed);
                Some(placed)
            }
            Err((message, help)) => {
                self.problems.advise(name.span(), message, help);
                None
            }
        })
    }

    fn cable(&mut self, entry: &Entry<CableText>) -> Option<Plan> {
        let text = &entry.value;
        self.enter(entry);
        let stuff = self.section(&text.section);
        let p = &mut self.problems;
        let length = p.number_given("length", &text.length);
        let cuts: Vec<_> = text.cut.iter().flatten().map(|n| p.number("cut", n)).collect();
        let color = text.color.as_ref().map(|c| p.color("color", c));
        let path = self.path(text);
        let ends = [(&text.start, "start"), (&text.end, "end")].map(|(hold, key)| self.end(hold, key, entry));
        let [start, finish] = ends;
        let (stuff, length, path, start, finish) = (stuff?, length?, path?, start?, finish?);
        let points = path.as_deref().map(|p| [p[0], p[p.len() - 1]]);
        let from = self.met(&start, points.map(|p| p[0]), "begins", entry);
        let to = self.met(&finish, points.map(|p| p[1]), "ends", entry);
        let (from, to) = (from?, to?);
        let hang = self.hang(entry, &stuff)?;
        if let Some(hang) = hang.as_ref().filter(|hang| hang.floor.is_some()) {
            self.floats(entry, hang, [from, to])?;
        }
        let length = hang.as_ref().map_or(length, |hang| Some(catenary::length(&hang.pieces)));
        let way =
            path.as_deref().map_or(from.distance(to), |p| p.windows(2).map(|p| p[0].distance(p[1])).sum());
        let strain = self.strain_at_start(entry, &stuff)?;
        let long = length.unwrap_or(way / (1.0 + strain));
        let d = stuff.section.diameter;
        let usual = (long / (DIAMETERS * d)).ceil().clamp(USUAL_ELEMENTS[0], USUAL_ELEMENTS[1]) as u32;
        let adaptive = text.adaptive.as_ref().map(|a| self.resolution(a.get_ref()));
        let adaptive = adaptive.map_or(Some(None), |a| a.map(Some))?;
        // a default number of elements is rounded so that they can be merged as often as needed
        let usual = usual.next_multiple_of(1 << adaptive.map_or(0, |a| a.levels));
        let points = self.points(text, &stuff)?;
        let most = if points.is_some() { MOST_SEGMENTS } else { MOST_ELEMENTS };
        let elements = self.problems.whole_or("elements", &text.elements, 1..=most, usual)? as usize;
        let spot = text.length.as_ref().map_or(entry.span.clone(), Number::span);
        self.fits(way, length, path.is_some(), &stuff, spot)?;
        let path = match path {
            Some(path) => path,
            None if hang.is_none() && long > way * (1.0 + 1e-9) => self.sag(from, to, long, elements),
            None => vec![from, to],
        };
        let surface = self.surface_of(text, &stuff);
        if surface.is_some_and(|surface| surface.is_some()) && points.is_none() {
            self.long_enough(entry, long, 0.5 * d, elements)?;
        }
        let turning = self.turning(text);
        let cuts: Option<Vec<_>> = cuts.into_iter().collect();
        let (cuts, color) = (cuts?, color.map_or(Some(None), |c| c.map(Some))?);
        if let Some(beyond) = cuts.iter().position(|at| *at > long) {
            let span = text.cut.iter().flatten().nth(beyond).map_or(entry.span.clone(), Number::span);
            let message =
                format!("a cut at {} m, but the cable is {} m long", cuts[beyond], suggestion::digits(long));
            self.problems.advise(span, message, "give a position along the cable");
            return None;
        }
        let material = self.materials.get(&stuff.surface).cloned();
        let look = look(&stuff, long / elements as f64, material.as_ref(), color);
        Some(Plan {
            laying: CableSpec {
                name: entry.name.clone(),
                section: stuff.section,
                ends: [start.on(from), finish.on(to)],
                path,
                length,
                strain,
                elements,
                adaptive,
                absent: Vec::new(),
                turning: turning?,
                under_load: stuff.under_load,
                shaped: text.stress_free.unwrap_or(false),
                surface: surface?,
                solver: text.solver.as_ref().map(|s| solver(*s.get_ref())),
                partition: 0,
                hang,
            },
            points,
            cuts,
            look,
            made_of: stuff.name,
            least_bend_radius: stuff.least_bend_radius,
        })
    }

    /// The measure of rotation.
    fn turning(&mut self, text: &CableText) -> Option<Turning> {
        let given = text.rotation_measure.as_ref().map(|t| t.get_ref());
        let Some(TurningText::Angles(angles)) = given else { return Some(Turning::SwingTwist) };
        let guard = self.problems.number_or("epsilon", &angles.epsilon, GUARD)?;
        if let (Some(given), false) = (&angles.epsilon, guard < 1.0) {
            let message = format!("`epsilon` is {}", suggestion::exact(guard));
            self.problems.advise(given.span(), message, "give a sine between 0 and 1, such as 1e-3");
            return None;
        }
        let alternative = angles.twist.unwrap_or_default() == TwistAngle::Alternative;
        Some(Turning::Angles { alternative, guard })
    }

    /// Solver options of mass points; the inner none for a cable of elements. Keys that the model does not have are
    /// reported.
    fn points(&mut self, text: &CableText, stuff: &CableSection) -> Option<Option<Points>> {
        let p = &mut self.problems;
        if text.model.unwrap_or_default() != CableModel::MassPoints {
            if let Some(given) = &text.mass_points {
                let help = "leave it out, or set model = \"mass-points\"";
                p.advise(given.span(), "`mass_points` needs model = \"mass-points\"", help);
                return None;
            }
            return Some(None);
        }
        let unknown = [
            ("adaptive", text.adaptive.as_ref().map(Spanned::span), "mass points do not merge and split"),
            (
                "rotation_measure",
                text.rotation_measure.as_ref().map(Spanned::span),
                "mass points have no rotation",
            ),
            ("solver", text.solver.as_ref().map(Spanned::span), "mass points have their own solver"),
            ("cut", text.cut.as_ref().and_then(|c| c.first()).map(Number::span), "mass points cannot be cut"),
        ];
        let unknown = unknown.into_iter().find_map(|(key, span, why)| Some((key, span?, why)));
        let place = match &text.section {
            Made::Of(name) => name.span(),
            Made::Here(_, span) => span.clone(),
        };
        let unknown = unknown.or(stuff.elements_only.map(|(key, why)| (key, place, why)));
        if let Some((key, span, why)) = unknown {
            p.advise(span, why, format!("leave `{key}` out, or set model = \"elements\""));
            return None;
        }
        let usual = default_limits();
        let given = text.mass_points.as_ref().map(|m| m.get_ref().clone());
        let MassPoints { margin, air, rebuilds, iterations } = given.unwrap_or_default();
        let margin = p.number_given("margin", &margin);
        let air = p.number_or("air", &air, 0.0);
        let rebuilds = p.whole_or("rebuilds", &rebuilds, 1..=MOST_EFFORT, usual[0]);
        let iterations = p.whole_or("iterations", &iterations, 1..=MOST_EFFORT, usual[1]);
        Some(Some(Points { margin: margin?, air: air?, limits: [rebuilds?, iterations?] }))
    }

    /// Options of merging and splitting.
    fn resolution(&mut self, text: &Adaptive) -> Option<Resolution> {
        let (p, usual) = (&mut self.problems, Resolution::default());
        let levels = p.whole_or("levels", &text.levels, 1..=MOST_LEVELS, usual.levels);
        let fewest = p.whole_or("min_elements", &text.min_elements, 1..=MOST_ELEMENTS, usual.fewest as u32);
        let most = p.whole_or("max_elements", &text.max_elements, 1..=MOST_ELEMENTS, usual.most as u32);
        let bend = p.number_or("bend", &text.bend, usual.bend);
        let ahead = p.number_or("look_ahead", &text.look_ahead, usual.ahead);
        let (fewest, most) = (fewest? as usize, most? as usize);
        Some(Resolution { levels: levels?, fewest, most, bend: bend?, ahead: ahead? })
    }

    /// The section of a cable. An invalid named section is reported once, where it is defined.
    pub(super) fn section(&mut self, made: &Made) -> Option<CableSection> {
        match made {
            Made::Here(text, span) => section::judged(text, span, &self.materials, &mut self.problems),
            Made::Of(name) => {
                if let Some(known) = self.sections.get(name.get_ref()) {
                    return known.clone();
                }
                let known = self.sections.keys().map(String::as_str).take(suggestion::MOST);
                let help = match suggestion::nearest(name.get_ref(), known) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => {
                        "define it as [sections.NAME], or give section = { construction = …, diameter = … }"
                            .to_string()
                    }
                };
                let message = format!("no section \"{}\"", suggestion::shortened(name.get_ref()));
                self.problems.advise(name.span(), message, help);
                None
            }
        }
    }

    /// The name of a cable's surface, its own or that of its section; none if the section is invalid.
    pub fn cable_surface(&self, own: &Option<Spanned<String>>, section: &Made) -> Option<String> {
        if let Some(name) = own {
            return Some(name.get_ref().clone());
        }
        match section {
            Made::Of(name) => self.sections.get(name.get_ref())?.as_ref().map(|stuff| stuff.surface.clone()),
            Made::Here(text, _) => section::surface(text),
        }
    }

    /// The index of a cable's surface; the inner none if it does not collide.
    fn surface_of(&mut self, text: &CableText, stuff: &CableSection) -> Option<Option<u16>> {
        if !text.collide.unwrap_or(self.contacts.collides()) {
            return Some(None);
        }
        let name = text.surface.as_ref().map_or(stuff.surface.as_str(), |n| n.get_ref().as_str());
        // an unknown one has been reported
        self.contacts.number(name).map(Some)
    }
}

/// Adds a cable and cuts it at its cuts.
fn lay(world: &mut World, plan: &Plan) -> Result<CableRef, EditError> {
    if let Some(points) = &plan.points {
        let undo = world.edit(points.lay(&plan.laying, world))?;
        let cable = PointCable::undone_by(&undo).expect("laying a cable is undone by removing it");
        return Ok(CableRef::Points(cable));
    }
    let id = world.add_cable(plan.laying.clone())?;
    for edit in cuts(world, id, &plan.cuts, true) {
        world.edit(edit)?;
    }
    Ok(CableRef::Elements(id))
}

/// The edits that cut or splice a cable at given positions.
pub(super) fn cuts(world: &World, id: CableId, places: &[f64], cut: bool) -> Vec<Edit> {
    let Some(cable) = world.model().cables().get(id) else { return Vec::new() };
    let links = links_at(cable, places).into_iter().filter_map(|k| cable.links.get(k));
    links.map(|link| Edit::Cut { link: *link, cut }).collect()
}

/// The visual of an element: a capsule, whose round ends close the gaps where the cable bends.
pub(super) fn look(
    stuff: &CableSection,
    element: f64,
    material: Option<&Material>,
    color: Option<[f64; 3]>,
) -> Visual {
    let Some(material) = material else { return Visual::default() };
    let shape = Shape::Capsule { radius: 0.5 * stuff.section.diameter, half_length: 0.5 * element };
    let solid = Solid::new(shape, &stuff.surface, material);
    Visual { solids: vec![Solid { color: color.unwrap_or(solid.color), ..solid }] }
}
