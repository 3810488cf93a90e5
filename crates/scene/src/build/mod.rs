//! Builds the world of a scene. All checks of numbers, names and physics are here.
//!
//! The order is bodies, cables, joints and forces (which may act on elements of cables), ropes, inputs, each in the
//! order of the file, so that indices in the world are those of the file. An error does not stop the build: entries
//! that depend on a wrong one are skipped without a message of their own, and the rest is checked. The world is written
//! through edits only.

mod assembled;
mod axis;
mod body;
mod cable;
mod car_wheel;
mod catenary;
mod change;
mod contact;
mod controller;
mod couple;
mod cylinder;
mod fine;
mod fluid;
mod force;
mod form;
mod heights;
mod hold;
mod input;
mod joint;
mod look;
mod model;
mod pipe;
mod place;
mod pretension;
mod rope_length;
mod route;
mod shape;
mod sheave;
mod soft_wheel;
mod soil;
mod stiff;
mod track;
mod vehicle;

use crate::control::Control;
use crate::drawn::Cylinder;
use crate::error::{Errors, Problems, Source};
use crate::files::Files;
use crate::material::Materials;
use crate::mesh::Meshes;
use crate::section::{self, CableSection};
use crate::subsystem::fluids::rao::SceneWaves;
use crate::subsystem::soil::Extent;
use crate::suggestion;
use crate::text::force::{IntegratorName, Settings};
use crate::text::{Entry, Group, Scene};
use crate::visual::{Camera, Visual, default_camera};
use cable::Elements;
pub use cable::{BuiltCable, CableRef};
pub use change::AppliedChange;
pub use contact::Buried;
use contact::Contacts;
use fluid::Solids;
use glam::DVec3;
pub use hold::WinchWarning;
use input::{Drives, Lever};
use place::Pose;
use route::Drum;
pub use route::Reeved;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Spanned;
use vehicle::Loads;
use windlass_engine::inspect::assemble::Assembly;
use windlass_engine::prelude::{
    Adaptive, Anchor, BodyId, Edit, EditError, ForceId, Geometry, Integrator as EngineIntegrator, JointId,
    Settings as EngineSettings, Sleep, Surfaces, World,
};

/// Duration of a run if the scene specifies none [s].
const SECONDS: f64 = 10.0;

/// A world built from a scene.
#[derive(Debug)]
pub struct Built {
    /// The world, at time 0.
    pub world: World,
    /// Duration of a run of the scene [s].
    pub seconds: f64,
    /// Ids of the bodies, in the order of the file.
    pub bodies: Vec<BodyId>,
    /// Ids of the joints, in the order of the file.
    pub joints: Vec<JointId>,
    /// Ids of the forces, in the order of the file.
    pub forces: Vec<ForceId>,
    /// The cables, in the order of the file, followed by the elements of ropes with flexible segments.
    pub cables: Vec<BuiltCable>,
    /// The ropes, which are cables with a route, in the order of the file.
    pub ropes: Vec<Reeved>,
    /// The inputs as a panel shows them, in the order of the file.
    pub controls: Vec<Control>,
    /// The visuals of the bodies, in the order of the file.
    pub looks: Vec<Visual>,
    /// All materials of the scene, including the built-in ones.
    pub materials: Materials,
    /// The hydraulic cylinders that are drawn, in the order of their joints.
    pub cylinders: Vec<Cylinder>,
    /// The cameras in the order of the file; one that shows the whole scene if the file has none.
    pub cameras: Vec<Camera>,
    /// Name and text of each probe, in the order of the file.
    pub probes: Vec<(String, Spanned<String>)>,
    /// The probes that its controllers and rules read, with the positions of the texts that name them first.
    pub controller_probes: Vec<Spanned<String>>,
    /// How the world was assembled, if joints were open in the file.
    pub assembly: Option<Assembly>,
    /// Colours of fluids, by name.
    fluid_colors: Vec<(String, [f64; 3])>,
    /// The bodies as specified in the text, in the order of the file.
    starts: Vec<Placed>,
    /// Loads of suspensions at the start.
    loads: Loads,
}

impl Built {
    /// The same with a world of its own, a copy of the state. No text is read and nothing is built.
    pub fn fork(&self) -> Built {
        Built {
            world: self.world.fork(),
            seconds: self.seconds,
            bodies: self.bodies.clone(),
            joints: self.joints.clone(),
            forces: self.forces.clone(),
            cables: self.cables.clone(),
            ropes: self.ropes.clone(),
            controls: self.controls.clone(),
            looks: self.looks.clone(),
            materials: self.materials.clone(),
            cylinders: self.cylinders.clone(),
            cameras: self.cameras.clone(),
            probes: self.probes.clone(),
            controller_probes: self.controller_probes.clone(),
            assembly: self.assembly.clone(),
            fluid_colors: self.fluid_colors.clone(),
            starts: self.starts.clone(),
            loads: self.loads.clone(),
        }
    }
}

/// A body that has been added to the world.
#[derive(Clone, Copy, Debug)]
struct Placed {
    id: BodyId,
    pose: Pose,
    /// Centre of mass in its axes [m].
    center: DVec3,
    /// Its approximate size [m].
    size: f64,
}

/// Turns an optional value that may be invalid into a result whose inner none means "not given".
fn given<T>(option: Option<Option<T>>) -> Option<Option<T>> {
    option.map_or(Some(None), |inner| inner.map(Some))
}

/// The state of a build.
struct Builder {
    problems: Problems,
    world: World,
    materials: Materials,
    meshes: Meshes,
    files: Arc<dyn Files>,
    contacts: Contacts,
    /// Sections of cables by name; none for an invalid one, which has been reported.
    sections: BTreeMap<String, Option<CableSection>>,
    /// Positions of winches by name, without invalid ones.
    drums: BTreeMap<String, Drum>,
    /// The cables built so far, by name; none for one that could not be built.
    lines: BTreeMap<String, Option<Elements>>,
    /// Collision shapes by their text.
    shared: BTreeMap<String, Arc<Geometry>>,
    /// By name; none for a body that could not be built.
    placed: BTreeMap<String, Option<Placed>>,
    /// By index in the world.
    by_place: BTreeMap<usize, Placed>,
    /// Solids of dynamic bodies by name, if the scene has fluids.
    solids: BTreeMap<String, Solids>,
    has_fluids: bool,
    /// Extents of grounds, by name.
    extents: BTreeMap<String, Extent>,
    /// The waves of the scene, by the names of their fluids.
    waves: SceneWaves,
    /// Loads of suspensions at the start.
    loads: Loads,
    /// The group of the current entry.
    group: Arc<Group>,
}

impl Scene {
    /// Builds the world.
    pub fn build(&self) -> Result<Built, Errors> {
        self.build_after(&Surfaces::default())
    }

    /// Builds the world; surfaces of an earlier table keep their numbers.
    fn build_after(&self, before: &Surfaces) -> Result<Built, Errors> {
        let mut builder = Builder::new(self);
        builder.placed = self.bodies.iter().map(|b| (b.name.clone(), None)).collect();
        let chosen_elsewhere = |s: &Source| s.path.is_none() && s.text.starts_with("settings.integrator");
        let overridden = self.sources.iter().any(chosen_elsewhere);
        let seconds = builder.settings(&self.settings, overridden);
        let surfaces = builder.surfaces(self, before);
        if let Err(e) = builder.world.edit(Edit::SetSurfaces(Box::new(surfaces))) {
            builder.problems.push(0..0, e.to_string(), None);
        }
        if self.bodies.iter().any(|body| body.value.follows_waves()) {
            let gravity = -builder.world.model().settings().gravity.z;
            builder.waves = SceneWaves::new(&self.fluids, gravity, &builder.materials, &mut builder.problems);
        }
        builder.extents(self);
        let mut looks: Vec<_> = self.bodies.iter().filter_map(|body| builder.body(body)).collect();
        let cables = builder.cables(&self.cables);
        let mut cables = builder.lay(&self.cables, cables);
        builder.weigh(self);
        let joints = builder.joints(&self.joints);
        let joints = builder.add(&self.joints, joints, World::add_joint);
        let cylinders = builder.cylinders(&self.joints, &joints);
        let forces: Vec<_> = self.forces.iter().map(|force| builder.force(force)).collect();
        let forces = builder.add(&self.forces, forces, World::add_force);
        let ropes = builder.ropes(self);
        let ropes = builder.reeve(&self.ropes, ropes);
        builder.fluids(self);
        builder.earthworks(self);
        let controls = builder.levers(self);
        builder.vehicles(self, &controls);
        builder.soft_wheels(self);
        let controller_probes = builder.controllers(self, &controls);
        let cameras: Vec<_> = self.cameras.iter().filter_map(|camera| builder.camera(camera)).collect();
        let Builder { problems, mut world, materials, placed, loads, .. } = builder;
        problems.finish(&self.file, &self.sources)?;
        let assembles = self.settings.assemble.unwrap_or(true);
        let assembly = assembles.then(|| world.assemble_if_open()).flatten();
        stiff::check(self, &world, (&joints, &forces))?;
        let starts: Vec<_> =
            self.bodies.iter().filter_map(|b| placed.get(&b.name).copied().flatten()).collect();
        let bodies: Vec<_> = starts.iter().map(|p| p.id).collect();
        sheave::show(ropes.iter().flat_map(|(plan, _)| &plan.sheaves), &world, &bodies, &mut looks);
        cables.extend(ropes.iter().filter_map(|(plan, routed)| plan.laid(routed)));
        let ropes = ropes.into_iter().map(|(plan, routed)| plan.reeved(routed)).collect();
        let probes = self.probes.iter().map(|p| (p.name.clone(), p.value.clone())).collect();
        let fluid_colors = fluid::colors(self, &materials);
        let mut built = Built {
            world,
            seconds,
            bodies,
            joints,
            forces,
            cables,
            ropes,
            controls,
            looks,
            materials,
            cylinders,
            cameras,
            probes,
            controller_probes,
            assembly,
            fluid_colors,
            starts,
            loads,
        };
        if built.cameras.is_empty() {
            let (bodies, looks): (Vec<_>, Vec<_>) = built.seen().unzip();
            built.cameras.push(default_camera(&built.world, &bodies, &looks));
        }
        Ok(built)
    }
}

impl Built {
    /// All bodies with their visuals: those of the file in its order, then the elements of its cables.
    pub fn seen(&self) -> impl Iterator<Item = (BodyId, &Visual)> {
        self.seen_in(&self.world)
    }

    /// The same, after the world has been taken out.
    pub fn seen_in<'a>(&'a self, world: &'a World) -> impl Iterator<Item = (BodyId, &'a Visual)> {
        let bodies = self.bodies.iter().copied().zip(&self.looks);
        bodies.chain(self.cables.iter().flat_map(move |cable| {
            let elements = match cable.id {
                CableRef::Elements(id) => world.model().cables().get(id).map_or(&[][..], |c| &c.elements),
                CableRef::Points(_) => &[][..],
            };
            elements.iter().map(|id| (*id, &cable.look))
        }))
    }
}

impl Builder {
    fn new(scene: &Scene) -> Builder {
        let mut problems = Problems::default();
        let materials = Materials::of(&scene.materials, &scene.frictions, &mut problems);
        let contacts = Contacts::of(scene, &materials, &mut problems);
        let sections = scene.sections.iter().map(|entry| {
            let stuff = section::judged(&entry.value, &entry.span, &materials, &mut problems);
            (entry.name.clone(), stuff)
        });
        let sections = sections.collect();
        Builder {
            problems,
            world: World::default(),
            materials,
            meshes: Meshes::new(scene.files.clone()),
            files: scene.files.clone(),
            contacts,
            sections,
            drums: BTreeMap::new(),
            lines: BTreeMap::new(),
            shared: BTreeMap::new(),
            placed: BTreeMap::new(),
            by_place: BTreeMap::new(),
            solids: BTreeMap::new(),
            has_fluids: !scene.fluids.is_empty(),
            extents: BTreeMap::new(),
            waves: SceneWaves::default(),
            loads: Loads::new(),
            group: Arc::default(),
        }
    }

    /// Records a body that has been added.
    fn stand(&mut self, name: &str, placed: Placed) {
        self.placed.insert(name.to_string(), Some(placed));
        self.by_place.insert(placed.id.index(), placed);
    }

    /// The body to which an anchor belongs.
    fn body_of(&self, anchor: &Anchor) -> &Placed {
        self.by_place.get(&anchor.body.index()).expect("anchors are made of bodies that stand")
    }

    /// Adds entries to the world and reports those that the engine rejects.
    fn add<T, V, Id>(
        &mut self,
        entries: &[Entry<T>],
        values: Vec<Option<V>>,
        add: impl Fn(&mut World, V) -> Result<Id, EditError>,
    ) -> Vec<Id> {
        let mut ids = Vec::new();
        for (entry, value) in entries.iter().zip(values) {
            self.enter(entry);
            match value.map(|value| add(&mut self.world, value)) {
                Some(Ok(id)) => ids.push(id),
                Some(Err(e)) => self.refused(entry, &e),
                None => {}
            }
        }
        ids
    }

    /// Adds the inputs to the world and reports those that the engine rejects.
    fn levers(&mut self, scene: &Scene) -> Vec<Control> {
        // taken out while its joints are inspected
        let mut world = std::mem::take(&mut self.world);
        let drives = Drives::of(scene, world.model());
        let levers = self.inputs(&scene.inputs, &scene.script, &drives);
        let mut controls = Vec::new();
        for (entry, lever) in scene.inputs.iter().zip(levers) {
            let Some(Lever { input, mut control, .. }) = lever else { continue };
            match world.add_input(input) {
                Ok(id) => control.id = Some(id),
                Err(e) => self.refused(entry, &e),
            }
            controls.push(control);
        }
        self.world = world;
        controls
    }

    /// Makes an entry the current one: the axes and names of its group apply from here on.
    fn enter<T>(&mut self, entry: &Entry<T>) -> Arc<Group> {
        self.group = entry.group.clone();
        self.problems.instance = Some(entry.group.name.clone()).filter(|name| !name.is_empty());
        entry.group.clone()
    }

    fn settings(&mut self, s: &Settings, overridden: bool) -> f64 {
        let p = &mut self.problems;
        let standard = *self.world.model().settings();
        let dt = s.dt.as_ref().and_then(|n| p.number("dt", n));
        let gravity = s.gravity.as_ref().and_then(|n| p.vector("gravity", n));
        let bounce = s.bounce_speed.as_ref().and_then(|n| p.number("bounce_speed", n));
        let rounds = rounds(s, overridden, p);
        let max_substeps =
            p.whole_or("max_substeps", &s.max_substeps, EngineSettings::MAX_SUBSTEPS, standard.max_substeps);
        let seconds = s.duration.as_ref().and_then(|n| p.number("duration", n));
        let sleep = s.sleep.as_ref().map(|sleep| Sleep {
            speed: p.number_or("speed", &sleep.speed, Sleep::default().speed).unwrap_or_default(),
            after: p.number_or("after", &sleep.after, Sleep::default().after).unwrap_or_default(),
        });
        let integrator = integrator(s, overridden, p);
        let contact = self.contacting(&s.contact);
        let set = self.world.set(|settings| {
            settings.dt = dt.unwrap_or(standard.dt);
            settings.gravity = gravity.unwrap_or(standard.gravity);
            settings.bounce_speed = bounce.unwrap_or(standard.bounce_speed);
            settings.position_iterations = rounds;
            settings.max_substeps = max_substeps.unwrap_or(standard.max_substeps);
            settings.sleep = sleep;
            settings.integrator = integrator;
            settings.contact = contact;
        });
        if let Err(e) = set {
            let aero = || s.contact.as_ref().and_then(|c| c.penalty.as_ref());
            let span = match &e {
                EditError::Setting { key: "dt", .. } => s.dt.as_ref().map(|n| n.span()),
                EditError::Setting { key: "tolerance", .. } => s.tolerance.as_ref().map(|n| n.span()),
                EditError::Setting { key: "sleep", .. } => {
                    s.sleep.as_ref().and_then(|s| s.speed.as_ref()).map(|n| n.span())
                }
                EditError::Setting { key: "contact.margin", .. } => {
                    s.contact.as_ref().and_then(|c| c.margin.as_ref()).map(|n| n.span())
                }
                EditError::Setting { key: "contact.max_depenetration_speed", .. } => {
                    s.contact.as_ref().and_then(|c| c.max_depenetration_speed.as_ref()).map(|n| n.span())
                }
                EditError::Setting { key: "contact.penalty.frequency", .. } => {
                    aero().and_then(|a| a.frequency.as_ref()).map(|n| n.span())
                }
                EditError::Setting { key: "contact.penalty.damping", .. } => {
                    aero().and_then(|a| a.damping.as_ref()).map(|n| n.span())
                }
                _ => s.min_step.as_ref().or(s.max_step.as_ref()).map(|n| n.span()),
            };
            // an invalid number has already been reported, with its remedy
            self.problems.push(span.unwrap_or(0..0), e.to_string(), None);
        }
        seconds.unwrap_or(SECONDS)
    }

    /// Resolves a name in the current group, then in the groups around it, then in the scene.
    fn outward<T>(&self, name: &str, look: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.group.outward(name, look)
    }

    /// The body of a name. Reports an unknown name once.
    fn find(&mut self, name: &Spanned<String>) -> Option<Placed> {
        if let Some(placed) = self.outward(name.get_ref(), |name| self.placed.get(name)) {
            return *placed;
        }
        if let Some(element) = self.element(name) {
            return element;
        }
        if !self.problems.wants(&name.span()) {
            self.problems.skip();
            return None;
        }
        let known = self.placed.keys().map(String::as_str).take(suggestion::MOST);
        let help = match suggestion::nearest(name.get_ref(), known) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None if self.placed.is_empty() => {
                "the scene has no bodies: define one as [bodies.NAME]".to_string()
            }
            None if self.placed.len() <= 8 => {
                let names: Vec<_> = self.placed.keys().map(|n| format!("\"{n}\"")).collect();
                format!("the bodies are {}", names.join(", "))
            }
            None => "define it as [bodies.NAME]".to_string(),
        };
        self.problems.advise(
            name.span(),
            format!("no body \"{}\"", suggestion::shortened(name.get_ref())),
            help,
        );
        None
    }

    /// Reports that the engine rejected an entry.
    fn refused<T>(&mut self, entry: &Entry<T>, error: &EditError) {
        self.problems.push(entry.span.clone(), error.to_string(), None);
    }
}

/// The number of position iterations per step, if the scene specifies it.
fn rounds(s: &Settings, overridden: bool, p: &mut Problems) -> Option<u32> {
    let given = s.position_iterations.as_ref()?;
    if s.integrator.unwrap_or_default() != IntegratorName::Spook && !overridden {
        let help = "the other integrators always satisfy joints at position level: leave it out, or set `integrator`";
        p.advise(given.span(), "`position_iterations` needs integrator = \"spook\"".to_string(), help);
    }
    p.whole_or("position_iterations", &s.position_iterations, EngineSettings::ROUNDS, 0)
}

fn integrator(s: &Settings, overridden: bool, p: &mut Problems) -> EngineIntegrator {
    let chosen = s.integrator.unwrap_or_default();
    let standard = Adaptive::default();
    let rule = Adaptive {
        tolerance: p.number_or("tolerance", &s.tolerance, standard.tolerance).unwrap_or(standard.tolerance),
        min_step: p.number_or("min_step", &s.min_step, standard.min_step).unwrap_or(standard.min_step),
        max_step: p.number_or("max_step", &s.max_step, standard.max_step).unwrap_or(standard.max_step),
    };
    let given = [
        ("tolerance", s.tolerance.as_ref().map(|n| n.span())),
        ("min_step", s.min_step.as_ref().map(|n| n.span())),
        ("max_step", s.max_step.as_ref().map(|n| n.span())),
    ];
    // keys of the scene's integrator may be unused if a run overrides the integrator
    if chosen != IntegratorName::DormandPrince && !overridden {
        for (key, span) in given {
            if let Some(span) = span {
                let help = "only that integrator controls its error: leave it out, or set `integrator`";
                p.advise(span, format!("`{key}` needs integrator = \"dormand-prince\""), help);
            }
        }
    }
    match chosen {
        IntegratorName::Spook => EngineIntegrator::Spook,
        IntegratorName::Projected => EngineIntegrator::Projected,
        IntegratorName::DormandPrince => EngineIntegrator::DormandPrince(rule),
    }
}
