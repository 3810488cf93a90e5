//! Contact: surfaces, groups and pairs of the text become colliders, masks and the table of surfaces.
//!
//! The surface of a shape is the one named by `surface`, else its material, else the default surface without a name.
//! The table has every pair of surfaces in use. With t(a) for contact of a with itself (its material modified by
//! `[[contacts]]`),
//!
//! ```text
//! t(a, b) = the combination of t(a) and t(b) by the engine (`ContactParameters::mixed`), except
//!           friction from the list of the materials, where it has the pair
//! ```
//!
//! and then the keys of `[[contacts]]` for the pair.

use super::form::Form;
use super::{Builder, Built, given};
use crate::error::Problems;
use crate::material::{Materials, judged};
use crate::number::Number;
use crate::suggestion;
use crate::text::Scene;
use crate::text::body::Body as BodyText;
use crate::text::contact::{
    Collision as CollisionText, Contact, ContactSettings as ContactingText, FrictionLaw,
    PenaltyContact as AeroText, Solver as SolverText, SurfaceKeys,
};
use crate::visual::reach;
use glam::{DQuat, DVec3};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use windlass_engine::prelude::{
    Anchor, Body, BodyId, Collider, ContactParameters, ContactSettings, FrictionModel, Geometry, ImpactLaw,
    MotionType, PenaltySettings, Solver, Spring, Surfaces,
};

/// Maximum number of surfaces in use: the table has every pair of them.
const MOST_SURFACES: usize = 256;
/// Maximum number of groups: each is a bit.
const MOST_GROUPS: usize = 32;
/// The group of shapes that name none.
const DEFAULT_GROUP: &str = "default";

/// Contact data of a build.
#[derive(Debug)]
pub struct Contacts {
    /// Whether bodies collide by default.
    collide: bool,
    /// Bits of the groups by name.
    groups: BTreeMap<String, u32>,
    /// Indices of the surfaces in use by name.
    numbers: BTreeMap<String, u16>,
    /// The pairs of surfaces given in the text, their names in alphabetical order.
    pairs: BTreeMap<(String, String), Given>,
}

/// The contact parameters of a pair, as specified in the text.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    friction: Option<[f64; 2]>,
    across: Option<f64>,
    restitution: Option<f64>,
    spring: Option<Spring>,
    bedding: Option<Spring>,
    adhesion: Option<f64>,
    slip: Option<f64>,
    rolling: Option<f64>,
    spinning: Option<f64>,
}

impl Contacts {
    /// Reads the contact settings of the scene, except colliders.
    pub fn of(scene: &Scene, materials: &Materials, problems: &mut Problems) -> Contacts {
        let mut contacts = Contacts {
            collide: scene.settings.collide.unwrap_or(true),
            groups: groups_of(scene, problems),
            numbers: BTreeMap::new(),
            pairs: BTreeMap::new(),
        };
        let worn: BTreeSet<&str> = scene
            .bodies
            .iter()
            .flat_map(|b| b.value.surfaces())
            .chain(scene.cables.iter().filter_map(|c| c.value.surface.as_ref()))
            .chain(scene.ropes.iter().filter_map(|r| r.value.surface.as_ref()))
            .map(|name| name.get_ref().as_str())
            .collect();
        for contact in &scene.contacts {
            contacts.pair(contact, &worn, materials, problems);
        }
        contacts
    }

    /// Adds a pair of the text.
    fn pair(
        &mut self,
        contact: &Spanned<Contact>,
        worn: &BTreeSet<&str>,
        materials: &Materials,
        p: &mut Problems,
    ) {
        let text = contact.get_ref();
        let mut known = true;
        for name in &text.between {
            let word = name.get_ref().as_str();
            if materials.get(word).is_some() || worn.contains(word) {
                continue;
            }
            // an unused surface is accepted, since a body may use it later, unless it looks like a misspelling
            if let Some(near) = suggestion::nearest(word, materials.iter().map(|(name, _)| name)) {
                let message = format!("no body has the surface \"{}\"", suggestion::shortened(word));
                p.advise(name.span(), message, format!("did you mean \"{near}\"?"));
                known = false;
            }
        }
        let given = given_of(text, p);
        let [a, b] = &text.between;
        let key = pair_key(a.get_ref(), b.get_ref());
        if self.pairs.contains_key(&key) {
            let message = format!("contact between \"{}\" and \"{}\" is specified twice", key.0, key.1);
            p.advise(a.span(), message, "merge the keys into one [[contacts]]");
        }
        if let (Some(given), true) = (given, known) {
            self.pairs.insert(key, given);
        }
    }

    /// Contact of a surface with itself.
    fn own(&self, name: &str, materials: &Materials) -> ContactParameters {
        let base = materials.get(name).map_or_else(ContactParameters::default, |m| ContactParameters {
            stick: m.friction.at_rest,
            slide: m.friction.sliding,
            restitution: m.restitution,
            ..ContactParameters::default()
        });
        self.pairs.get(&pair_key(name, name)).map_or(base, |given| given.over(base))
    }

    /// Contact of two surfaces.
    fn touch(&self, a: &str, b: &str, materials: &Materials) -> ContactParameters {
        let (own_a, own_b) = (self.own(a, materials), self.own(b, materials));
        if a == b {
            return own_a;
        }
        let mut touch = ContactParameters::mixed(&own_a, &own_b);
        if let Some(pair) = materials.pair(a, b).filter(|pair| pair.is_listed) {
            (touch.stick, touch.slide) = (pair.friction.at_rest, pair.friction.sliding);
        }
        self.pairs.get(&pair_key(a, b)).map_or(touch, |given| given.over(touch))
    }
}

impl Given {
    /// The given values, over the defaults.
    fn over(&self, base: ContactParameters) -> ContactParameters {
        let [stick, slide] = self.friction.unwrap_or([base.stick, base.slide]);
        let gives = self.spring.is_some() || self.bedding.is_some();
        let bounces = self.restitution.is_some_and(|e| e > 0.0);
        let (spring, bedding) = match (gives, bounces) {
            (true, _) => (self.spring, self.bedding),
            (false, true) => (None, None),
            (false, false) => (base.spring, base.bedding),
        };
        let is_hard = spring.is_none() && bedding.is_none();
        ContactParameters {
            stick,
            slide,
            across: self.across.unwrap_or(base.across),
            restitution: self.restitution.unwrap_or(if is_hard { base.restitution } else { 0.0 }),
            spring,
            bedding,
            adhesion: self.adhesion.unwrap_or(base.adhesion),
            slip: self.slip.unwrap_or(base.slip),
            rolling: self.rolling.unwrap_or(base.rolling),
            spinning: self.spinning.unwrap_or(base.spinning),
        }
    }
}

impl Builder {
    /// Numbers the surfaces in use and fills the table. Surfaces of an earlier table keep their numbers.
    pub fn surfaces(&mut self, scene: &Scene, before: &Surfaces) -> Surfaces {
        let mut table = Surfaces::default();
        for number in 1..before.count() {
            self.contacts
                .numbers
                .insert(before.name(number as u16).to_string(), table.add(before.name(number as u16)));
        }
        let mut used = BTreeSet::new();
        for entry in &scene.bodies {
            self.enter(entry);
            entry.value.surfaces().for_each(|name| self.known(name));
            for skin in skins(&entry.value, self.contacts.collide) {
                if let Some(name) = skin.surface.or(skin.material) {
                    self.use_surface(name.get_ref(), name.span(), &mut used, &mut table);
                }
            }
        }
        for entry in &scene.grounds {
            self.enter(entry);
            if let Some(name) = &entry.value.material {
                self.use_surface(name.get_ref(), name.span(), &mut used, &mut table);
            }
        }
        for entry in &scene.cables {
            self.enter(entry);
            entry.value.surface.iter().for_each(|name| self.known(name));
            if entry.value.collide.unwrap_or(self.contacts.collide)
                && let Some(name) = self.cable_surface(&entry.value.surface, &entry.value.section)
            {
                self.use_surface(&name, entry.span.clone(), &mut used, &mut table);
            }
        }
        for entry in &scene.ropes {
            self.enter(entry);
            entry.value.surface.iter().for_each(|name| self.known(name));
            if entry.value.collide.as_ref().is_some_and(|touch| *touch.get_ref())
                && let Some(name) = self.cable_surface(&entry.value.surface, &entry.value.section)
            {
                self.use_surface(&name, entry.span.clone(), &mut used, &mut table);
            }
        }
        let names: Vec<(&str, u16)> = std::iter::once(("", 0))
            .chain(used.iter().filter_map(|name| Some((name.as_str(), *self.contacts.numbers.get(name)?))))
            .collect();
        for (k, &(a, i)) in names.iter().enumerate() {
            for &(b, j) in &names[k..] {
                table.set(i, j, self.contacts.touch(a, b, &self.materials));
            }
        }
        table
    }

    /// Gives a surface its number, if it has none yet.
    fn use_surface(
        &mut self,
        name: &str,
        span: Range<usize>,
        used: &mut BTreeSet<String>,
        table: &mut Surfaces,
    ) {
        if !self.is_surface(name)
            || !used.insert(name.to_string())
            || self.contacts.numbers.contains_key(name)
        {
            return;
        }
        if table.count() > MOST_SURFACES {
            let message = format!("more than {MOST_SURFACES} surfaces");
            self.problems.advise(span, message, "share surfaces between bodies");
            return;
        }
        self.contacts.numbers.insert(name.to_string(), table.add(name));
    }

    /// Whether a name is that of a material or of `[[contacts]]`.
    fn is_surface(&self, word: &str) -> bool {
        let listed = || self.contacts.pairs.keys().flat_map(|(a, b)| [a, b]);
        self.materials.get(word).is_some() || listed().any(|listed| listed == word)
    }

    /// Reports an unknown surface.
    fn known(&mut self, name: &Spanned<String>) {
        let word = name.get_ref();
        if self.is_surface(word) {
            return;
        }
        if !self.problems.wants(&name.span()) {
            self.problems.skip();
            return;
        }
        let listed = self.contacts.pairs.keys().flat_map(|(a, b)| [a.as_str(), b.as_str()]);
        let known = listed.chain(self.materials.iter().map(|(name, _)| name));
        let help = meant(word, known, "name a material, or define it by [[contacts]] with `between`");
        self.problems.advise(name.span(), format!("no surface \"{}\"", suggestion::shortened(word)), help);
    }

    /// The collider of a form; the inner none if it does not collide.
    pub fn collider(
        &mut self,
        form: &Form,
        at: DVec3,
        turn: DQuat,
        skin: SurfaceKeys<'_>,
    ) -> Option<Vec<Collider>> {
        if !skin.collide.unwrap_or(self.contacts.collide) {
            return Some(Vec::new());
        }
        let p = &mut self.problems;
        let belt = skin.surface_velocity.map_or(Some(DVec3::ZERO), |n| p.vector("surface_velocity", n));
        let grain = skin.grain.map_or(Some(DVec3::ZERO), |n| p.direction("grain", n));
        let groups = skin.groups.map_or(Some(1), |names| self.contacts.bits(names, p));
        let touches = skin.collides_with.map_or(Some(u32::MAX), |names| self.contacts.bits(names, p));
        let ignores = skin.ignores.map_or(Some(0), |names| self.contacts.bits(names, p));
        let name = skin.surface.or(skin.material);
        // an unknown one has been reported
        let surface = name.map_or(Some(0), |n| self.contacts.numbers.get(n.get_ref()).copied());
        let (surface, groups, mask) = (surface?, groups?, touches? & !ignores?);
        let (belt, grain, trigger) = (belt?, grain?, skin.trigger.unwrap_or(false));
        let collider = |(geometry, place, own)| Collider {
            geometry,
            at: at + turn * place,
            turn: turn * own,
            surface,
            groups,
            mask,
            trigger,
            belt,
            grain,
        };
        Some(form.touched().into_iter().map(collider).collect())
    }

    /// Settings of collision detection and of the contact solver.
    pub fn contacting(&mut self, text: &Option<ContactingText>) -> ContactSettings {
        let standard = ContactSettings::default();
        let Some(text) = text else { return standard };
        let p = &mut self.problems;
        ContactSettings {
            margin: p.number_or("margin", &text.margin, standard.margin).unwrap_or(standard.margin),
            recovery: p
                .number_or("max_depenetration_speed", &text.max_depenetration_speed, standard.recovery)
                .unwrap_or(standard.recovery),
            friction: match text.friction {
                None | Some(FrictionLaw::Cone) => FrictionModel::Cone,
                Some(FrictionLaw::Box) => FrictionModel::Box,
                Some(FrictionLaw::BoxOnce) => FrictionModel::BoxOnce,
            },
            solver: text.solver.map_or(standard.solver, solver),
            solver_iterations: p
                .whole_or(
                    "solver_iterations",
                    &text.solver_iterations,
                    ContactSettings::SWEEPS,
                    standard.solver_iterations,
                )
                .unwrap_or(standard.solver_iterations),
            substeps: p
                .whole_or("substeps", &text.substeps, ContactSettings::SUBSTEPS, standard.substeps)
                .unwrap_or(standard.substeps),
            serial: text.sequential_impacts.unwrap_or(standard.serial),
            penalty: text.penalty.as_ref().map_or(standard.penalty, |text| aero(text, p)),
        }
    }
}

/// A body entirely below a plane with which it would collide.
#[derive(Clone, Debug, PartialEq)]
pub struct Buried {
    /// Name of the body.
    pub body: String,
    /// Name of the body whose plane it is.
    pub plane: String,
    /// How far its highest point is below the plane [m].
    pub depth: f64,
}

impl Built {
    /// Dynamic bodies that are entirely below a plane of a static body at present, and would be pushed out of it.
    pub fn buried(&self) -> Vec<Buried> {
        let (model, state) = (self.world.model(), self.world.state());
        let bodies = || self.bodies.iter().filter_map(|id| Some((*id, model.bodies().get(*id)?)));
        let planes: Vec<(BodyId, &Body, &Collider)> = bodies()
            .filter(|(_, body)| matches!(body.kind, MotionType::Static))
            .flat_map(|(id, body)| body.colliders.iter().map(move |c| (id, body, c)))
            .filter(|(_, _, c)| matches!(*c.geometry, Geometry::HalfSpace) && !c.trigger)
            .collect();
        if planes.is_empty() {
            return Vec::new();
        }
        // bodies connected by a joint do not collide
        let mut joined = BTreeSet::new();
        for (_, joint) in model.joints().iter().filter(|(_, j)| !j.allows_contact()) {
            let places: Vec<usize> = joint.constraint().anchors().iter().map(|a| a.body.index()).collect();
            joined.extend(places.iter().flat_map(|a| places.iter().map(move |b| (*a, *b))));
        }
        let mut buried = Vec::new();
        for (id, body) in bodies().filter(|(_, body)| body.is_dynamic()) {
            for (ground, owner, plane) in
                planes.iter().filter(|p| !joined.contains(&(p.0.index(), id.index())))
            {
                let level = model.frame(state, &Anchor::frame(*ground, plane.at, plane.turn));
                let up = level.orientation * DVec3::Z;
                let tops = body.colliders.iter().filter(|c| !c.trigger && c.meets(plane)).filter_map(|c| {
                    let Geometry::Solid(shape) = &*c.geometry else { return None };
                    let frame = model.frame(state, &Anchor::frame(id, c.at, c.turn));
                    Some(up.dot(frame.at - level.at) + reach(shape, frame.orientation.inverse() * up))
                });
                let top = tops.fold(f64::NEG_INFINITY, f64::max);
                if top.is_finite() && top < 0.0 {
                    let [body, plane] = [&body.name, &owner.name].map(String::clone);
                    buried.push(Buried { body, plane, depth: -top });
                }
            }
        }
        buried
    }
}

impl Contacts {
    /// Whether shapes collide by default.
    pub fn collides(&self) -> bool {
        self.collide
    }

    /// The index of a surface in use.
    pub fn number(&self, name: &str) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// The bits of groups. Reports unknown names.
    fn bits(&self, names: &[Spanned<String>], p: &mut Problems) -> Option<u32> {
        let mut all = Some(0);
        for name in names {
            match self.groups.get(name.get_ref()) {
                Some(bit) => all = all.map(|bits| bits | bit),
                None => {
                    let word = name.get_ref();
                    let known = self.groups.keys().map(String::as_str);
                    let help = meant(word, known, "add bodies to it: groups = [\"NAME\"]");
                    p.advise(
                        name.span(),
                        format!("no body is in a group \"{}\"", suggestion::shortened(word)),
                        help,
                    );
                    all = None;
                }
            }
        }
        all
    }
}

/// The surface properties of all collision shapes of a body.
fn skins(body: &BodyText, collide: bool) -> Vec<SurfaceKeys<'_>> {
    let own = body.shape.iter().map(|_| body.skin());
    let parts = body.parts.iter().flatten().filter(|part| part.shape.is_some());
    let parts = parts.map(|part| part.skin().or(body.skin()));
    let touch = body.collision.iter().flatten().map(|touch| touch.skin().or(around_touch(body)));
    own.chain(parts).chain(touch).filter(|skin| skin.collide.unwrap_or(collide)).collect()
}

/// The defaults of a body for its `collision` shapes: these collide even if its visible shapes do not.
pub fn around_touch(body: &BodyText) -> SurfaceKeys<'_> {
    SurfaceKeys { collide: body.collide.filter(|collide| *collide), ..body.skin() }
}

/// The contact solver.
pub fn solver(text: SolverText) -> Solver {
    match text {
        SolverText::Auto => Solver::Auto,
        SolverText::Direct => Solver::Direct,
        SolverText::Iterative => Solver::Iterative,
        SolverText::Split => Solver::Split,
    }
}

/// Contact parameters of the acceleration-level integrators.
fn aero(text: &AeroText, p: &mut Problems) -> PenaltySettings {
    let standard = PenaltySettings::default();
    let noise = p.number_or("gravity_noise", &text.gravity_noise, standard.gravity_noise);
    PenaltySettings {
        collision: match text.collision {
            None | Some(CollisionText::Impulse) => ImpactLaw::Impulse,
            Some(CollisionText::Spring) => ImpactLaw::Spring,
        },
        frequency: p
            .number_or("frequency", &text.frequency, standard.frequency)
            .unwrap_or(standard.frequency),
        damping: p.number_or("damping", &text.damping, standard.damping).unwrap_or(standard.damping),
        creep: p.number_or("creep", &text.creep, standard.creep).unwrap_or(standard.creep),
        gravity_noise: noise.unwrap_or(standard.gravity_noise),
    }
}

/// The groups of a scene in the order of the file, one bit each.
fn groups_of(scene: &Scene, p: &mut Problems) -> BTreeMap<String, u32> {
    let mut groups = BTreeMap::from([(DEFAULT_GROUP.to_string(), 1)]);
    for name in scene.bodies.iter().flat_map(|b| b.value.groups()) {
        let count = groups.len();
        if groups.contains_key(name.get_ref()) {
            continue;
        }
        if count == MOST_GROUPS {
            let message = format!("group \"{}\" is one too many", suggestion::shortened(name.get_ref()));
            let help = format!("a scene may have {} beside \"{DEFAULT_GROUP}\"", MOST_GROUPS - 1);
            p.advise(name.span(), message, help);
        }
        // the rest is reported once and ignored
        groups.insert(name.get_ref().clone(), if count < MOST_GROUPS { 1 << count } else { 0 });
    }
    groups
}

/// The checked parameters of a pair.
fn given_of(text: &Contact, p: &mut Problems) -> Option<Given> {
    let friction = given(text.friction.as_ref().map(|rub| judged(rub, p)));
    let across = p.number_given("friction_ratio_across", &text.friction_ratio_across);
    let restitution = p.number_given("restitution", &text.restitution);
    let springs = springs(text, p);
    let adhesion = p.number_given("adhesion", &text.adhesion);
    let slip = p.number_given("slip_compliance", &text.slip_compliance);
    let rolling = p.number_given("rolling_resistance_length", &text.rolling_resistance_length);
    let spinning = p.number_given("torsional_resistance_length", &text.torsional_resistance_length);
    let (spring, bedding) = springs?;
    let restitution = restitution?;
    if (spring.is_some() || bedding.is_some()) && restitution.is_some_and(|e| e > 0.0) {
        let span = text.restitution.as_ref().map_or(0..0, Number::span);
        let help = "leave it out, or leave out the stiffness: only a rigid contact has a `restitution`";
        p.advise(
            span,
            "`restitution` of a compliant contact, whose rebound follows from stiffness and damping",
            help,
        );
        return None;
    }
    Some(Given {
        friction: friction?.map(|f| [f.at_rest, f.sliding]),
        across: across?,
        restitution,
        spring,
        bedding,
        adhesion: adhesion?,
        slip: slip?,
        rolling: rolling?,
        spinning: spinning?,
    })
}

/// The compliance per contact point or per area of contact.
fn springs(text: &Contact, p: &mut Problems) -> Option<(Option<Spring>, Option<Spring>)> {
    let stiffness = p.number_given("stiffness", &text.stiffness);
    let damping = p.number_given("damping", &text.damping);
    let bed_stiffness = p.number_given("stiffness_per_area", &text.stiffness_per_area);
    let bed_damping = p.number_given("damping_per_area", &text.damping_per_area);
    if let (Some(_), Some(other)) = (&text.stiffness, &text.stiffness_per_area) {
        let message = "both `stiffness` and `stiffness_per_area` are given";
        p.advise(other.span(), message, "leave one of them out");
        return None;
    }
    let place = (text.stiffness.as_ref().map(Number::span), text.damping.as_ref().map(Number::span));
    let point = spring(["stiffness", "damping"], stiffness?, damping?, place.0.or(place.1), p);
    let place = (
        text.stiffness_per_area.as_ref().map(Number::span),
        text.damping_per_area.as_ref().map(Number::span),
    );
    let keys = ["stiffness_per_area", "damping_per_area"];
    let bed = spring(keys, bed_stiffness?, bed_damping?, place.0.or(place.1), p);
    Some((point?, bed?))
}

/// A spring and its damper; none if neither is given.
fn spring(
    [key, damper]: [&str; 2],
    stiffness: Option<f64>,
    damping: Option<f64>,
    place: Option<Range<usize>>,
    p: &mut Problems,
) -> Option<Option<Spring>> {
    let span = place.unwrap_or(0..0);
    match (stiffness, damping) {
        (None, None) => Some(None),
        (Some(k), c) if k > 0.0 => Some(Some(Spring::new(k, c.unwrap_or(0.0)))),
        (Some(_), _) => {
            p.advise(span, format!("`{key}` is 0"), "give more than 0, or leave it out for a rigid contact");
            None
        }
        (None, Some(_)) => {
            p.advise(span, format!("`{damper}` without `{key}`"), format!("give `{key} = …` too"));
            None
        }
    }
}

fn pair_key(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.to_string(), b.to_string()) } else { (b.to_string(), a.to_string()) }
}

/// The nearest known name as a question, or another remedy.
fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str>, other: &str) -> String {
    suggestion::nearest(word, known.into_iter().take(suggestion::MOST))
        .map_or_else(|| other.to_string(), |near| format!("did you mean \"{near}\"?"))
}
