//! The subsystem: all grounds and tools of a world.

use super::bins::{self, BinWork};
use super::cut_soil;
use super::dig::{DigWork, Pass};
use super::face_walls;
use super::ground_view::{GroundView, Weight};
use super::loose::{self, LooseWork};
use super::model::{Earthworks, GroundModel, ToolModel};
use super::presses::Presses;
use super::readings;
use super::replacement;
use super::shaping::Shaping;
use super::soil_load;
use super::state::{EarthState, GroundState, SoilLoad, ToolState};
use super::tool_rows::{self, ToolWork};
use super::track_rows::{TrackWork, footing};
use super::track_step::{self, TrackStepWork};
use super::walls::Walls;
use super::wheel_state::WheelState;
use super::wheels::WheelsWork;
use crate::ground::quanta::Mass;
use crate::ground::{Ground, SlipWork};
use crate::particle::Particles;
use glam::DVec3;
use windlass_engine::prelude::{
    Advance, BodyId, BodyState, Contacts, Energy, Inputs, Misfit, MotionType, PartFault, Quantity, Refusal,
    SolvedStep, Subsystem, SubsystemRows, View,
};

/// Depth of contacts of a tool with its ground, over the spacing: what is deeper is cut.
const SHALLOW: f64 = 0.25;
/// Distance from the edge within which a tool has no contacts, over the height of its face.
const NEAR_EDGE: f64 = 0.5;
/// Least upward component of their normals.
const LEVEL: f64 = 0.9;

/// Nodes along a tile; bodies that sleep within this distance of the middle of a changed one are woken.
const TILE: usize = 32;

/// Edits of grounds and tools.
#[derive(Clone, Debug)]
pub enum EarthEdit {
    /// Replaces all of them. With a state, it is theirs; without, grounds and tools of the same name keep theirs.
    Set(Earthworks, Option<Box<EarthState>>),
    /// A ground of an index is built again.
    Renew(usize),
    /// Gives a ground of an index a shape; what is added or taken away is booked as edited.
    Shape(usize, Shaping),
}

/// Buffers.
#[derive(Debug, Default)]
pub struct EarthWork {
    tools: Vec<ToolWork>,
    dig: Vec<DigWork>,
    tracks: Vec<TrackWork>,
    track_step: TrackStepWork,
    loose: Vec<LooseWork>,
    slip: SlipWork,
    walls: Walls,
    soil_loads: Vec<SoilLoad>,
    bins: BinWork,
    weights: Vec<Weight>,
    /// Edges of tools and distances within which particles stay as they are.
    keep_away: Vec<(DVec3, f64)>,
    wheels: WheelsWork,
}

impl Subsystem for Earthworks {
    const KEY: &'static str = "soil";
    const VERSION: u32 = 4;
    type State = EarthState;
    type Work = EarthWork;
    type Edit = EarthEdit;

    fn requires_spook(&self) -> bool {
        !self.grounds.is_empty() || !self.tracks.is_empty()
    }

    fn heights(&self, state: &EarthState, body: u32, [from, size]: [[usize; 2]; 2], out: &mut Vec<f64>) {
        let mut all = self.grounds.iter().zip(&state.grounds);
        let Some((model, state)) = all.find(|(model, _)| model.body.index() == body as usize) else { return };
        let ground = Ground::new(&model.terrain, &state.terrain);
        for j in from[1]..from[1] + size[1] {
            out.extend((from[0]..from[0] + size[0]).map(|i| ground.height([i, j])));
        }
    }

    /// What a tool cuts is the matter of its rows: contacts near its edge, deep ones and steep ones go. Left are those of
    /// its floor with the ground that it lies on.
    fn contacts(&self, view: &View<'_>, state: &EarthState, _: &mut EarthWork, contacts: &mut Contacts) {
        self.take_over_contacts_of_wheels(view, state, contacts);
        let looked = self.tracks.iter().zip(&state.tracks).filter(|(_, state)| state.looked);
        looked.for_each(|(track, _)| track_step::take_over(track, view, contacts));
        for tool in &self.tools {
            let model = &self.grounds[tool.ground];
            let bodies = [model.body, tool.body].map(|body| body.index() as u32);
            let deepest = -SHALLOW * model.terrain.spacing();
            let Some(pose) = tool_rows::pose(tool, view, view.bodies.body(tool.body)) else { continue };
            for pair in &mut contacts.pairs {
                if bodies.iter().all(|body| pair.parts.iter().any(|part| part.body == *body)) {
                    let mut kept = pair.points.start;
                    for k in pair.points.clone() {
                        let contact = contacts.list[k];
                        // what is left out counts as no penetration
                        contacts.list[k].gap = 0.0;
                        let is_at_edge =
                            tool.distance_from_edge(&pose, contact.point) < NEAR_EDGE * tool.tool.height;
                        if contact.gap > deepest && contact.normal.z.abs() > LEVEL && !is_at_edge {
                            contacts.list[kept] = contact;
                            kept += 1;
                        }
                    }
                    pair.points.end = kept;
                }
            }
        }
    }

    fn rows(
        &self,
        view: &View<'_>,
        state: &EarthState,
        _: Inputs<'_>,
        work: &mut EarthWork,
        out: &mut SubsystemRows<'_>,
    ) {
        work.tools.resize_with(self.tools.len(), ToolWork::default);
        work.loose.resize_with(self.grounds.len(), LooseWork::default);
        for (number, (model, ground)) in self.grounds.iter().zip(&state.grounds).enumerate() {
            work.weights.clear();
            let tools = self.tools.iter().zip(&state.tools);
            for (tool, own) in tools.filter(|(tool, own)| tool.ground == number && own.cut() > Mass::ZERO) {
                if let Some(pose) = tool_rows::pose(tool, view, view.bodies.body(tool.body)) {
                    cut_soil::weights((tool, own), (&pose, model), &mut work.weights);
                }
            }
            work.loose[number].surcharge.update(model, &ground.particles, &work.weights);
        }
        let mut item = 0;
        for ((tool, own), tool_work) in self.tools.iter().zip(&state.tools).zip(&mut work.tools) {
            let (model, ground) = (&self.grounds[tool.ground], &state.grounds[tool.ground]);
            let sight = GroundView::new(model, ground, &work.loose[tool.ground].surcharge);
            out.group(item, |out| {
                tool_work.write(tool, (view, &sight), own, out);
                let is_above = tool_work.cut.slices.is_empty();
                let part = if is_above { 1.0 } else { cut_soil::held((tool, model), own) };
                if part > 0.0 && own.cut() > Mass::ZERO {
                    cut_soil::carried(tool, (own, model), part).rows(tool.body, view, out);
                }
            });
            item += 1;
        }
        for (bin, own) in self.bins.iter().zip(&state.bins) {
            out.group(item, |out| own.carried.rows(bin.body, view, out));
            item += 1;
        }
        work.wheels.write(self, (view, state), &mut item, out);
        work.tracks.resize_with(self.tracks.len(), TrackWork::default);
        let ruts = |k: usize| {
            let (model, ground) = (self.grounds.get(k)?, state.grounds.get(k)?);
            Some(footing(model, &ground.terrain, state.presses.get(k)?))
        };
        for ((track, own), track_work) in self.tracks.iter().zip(&state.tracks).zip(&mut work.tracks) {
            out.group(item, |out| track_work.write(track, view, ruts, own, out));
            item += 1;
        }
        for soil_load in &state.soil_loads {
            out.group(item, |out| soil_load.rows(view, out));
            item += 1;
        }
    }

    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        (_, next): (&EarthState, &mut EarthState),
        work: &mut EarthWork,
    ) -> [Energy; 2] {
        for (tool_work, state) in work.tools.iter().zip(&mut next.tools) {
            tool_work.remember(&step.rows, state);
        }
        next.grounds.iter_mut().for_each(|ground| ground.terrain.forget_changes());
        self.cut(view, step, next, work);
        self.roll_wheels(view, step, next, &mut work.wheels);
        for ((track, own), track_work) in self.tracks.iter().zip(&mut next.tracks).zip(&work.tracks) {
            let grounds = (&*self.grounds, &mut *next.grounds, &mut *next.presses);
            track_step::advance(track, (view, step), (track_work, &mut work.track_step), own, grounds);
        }
        self.move_loose_soil(view, step, next, work);
        for (tool, own) in self.tools.iter().zip(&mut next.tools) {
            own.full = cut_soil::is_full((tool, &self.grounds[tool.ground]), own);
        }
        for (number, (model, state)) in self.grounds.iter().zip(&mut next.grounds).enumerate() {
            let tools = self.tools.iter().zip(&work.tools).filter(|(tool, _)| tool.ground == number);
            tools.for_each(|(tool, own)| {
                face_walls::hold(tool, model, (view, step), &own.cut.slices, &mut work.slip)
            });
            state.terrain.slip(&model.terrain, view.dt, &mut work.slip);
            wake(model, state, step.bodies);
        }
        [Energy::default(); 2]
    }

    /// Its rows are accounted for as rows; it has no other forces.
    fn work_done(&self, _: &SolvedStep<'_>, _: &EarthState, _: &EarthWork) -> Option<f64> {
        Some(0.0)
    }

    fn fault(&self, next: &EarthState) -> Option<PartFault> {
        let mut tracks = self.tracks.iter().zip(&next.tracks);
        if let Some((track, _)) = tracks.find(|(_, state)| !state.is_finite()) {
            return Some(PartFault { what: format!("track \"{}\"", track.name), finite: false });
        }
        if let Some(number) = next.wheels.iter().position(|wheel| !wheel.is_sound()) {
            return Some(PartFault {
                what: format!("wheel \"{}\"", self.wheels[number].name),
                finite: false,
            });
        }
        let wrong = next.soil_loads.iter().find(|soil_load| !soil_load.is_sound())?;
        Some(PartFault { what: format!("loose soil on body {}", wrong.body), finite: false })
    }

    fn accepts(&self, view: &View<'_>, state: &EarthState) -> Result<(), Misfit> {
        let places = view.bodies.states.len();
        let sound = |soil_load: &SoilLoad| (soil_load.body as usize) < places && soil_load.is_sound();
        match () {
            () if !state.fits(self) => Err(Misfit::OtherModel),
            () if !state.soil_loads.iter().all(sound) => Err(Misfit::Unsound),
            () if !state.wheels.iter().all(WheelState::is_sound) => Err(Misfit::Unsound),
            () if !state.tools.iter().all(ToolState::is_sound) => Err(Misfit::Unsound),
            () if !state.grounds.iter().all(|ground| ground.ruts.is_sound()) => Err(Misfit::Unsound),
            () if !state.tracks.iter().all(|track| track.is_sound(places)) => Err(Misfit::Unsound),
            () => Ok(()),
        }
    }

    fn apply(
        &mut self,
        edit: EarthEdit,
        state: &mut EarthState,
        view: &View<'_>,
    ) -> Result<EarthEdit, Refusal> {
        let (next, given) = match edit {
            EarthEdit::Set(next, given) => (next, given),
            EarthEdit::Renew(number) => return self.renew(number, state),
            EarthEdit::Shape(number, shaping) => return self.shape(number, &shaping, state),
        };
        next.check(view)?;
        let given = given.filter(|given| given.fits(&next));
        let new_state = given.map_or_else(|| replacement::state(self, state, &next), |given| *given);
        let was = std::mem::replace(state, new_state);
        Ok(EarthEdit::Set(std::mem::replace(self, next), Some(Box::new(was))))
    }

    fn bodies(&self) -> Vec<BodyId> {
        let grounds = self.grounds.iter().map(|ground| ground.body);
        let tracks = self.tracks.iter().flat_map(|track| [track.frame, track.sprocket]);
        let tools = self.tools.iter().map(|tool| tool.body);
        let wheels = self.wheels.iter().map(|wheel| wheel.body);
        grounds.chain(tools).chain(self.bins.iter().map(|bin| bin.body)).chain(wheels).chain(tracks).collect()
    }

    fn body_removed(&mut self, body: BodyId, state: &mut EarthState) -> Vec<EarthEdit> {
        let is_held = self.bodies().contains(&body);
        let is_laden = state.soil_loads.iter().any(|soil_load| soil_load.body as usize == body.index());
        let is_road = state.tracks.iter().any(|track| track.lies_on(body.index() as u32));
        if !is_held && !is_laden && !is_road {
            return Vec::new();
        }
        let undo = EarthEdit::Set(self.clone(), Some(Box::new(state.clone())));
        replacement::release(self, state, body);
        vec![undo]
    }

    fn quantities(&self) -> Vec<Quantity> {
        readings::quantities(self)
    }

    fn read(&self, _: &View<'_>, state: &EarthState, number: usize) -> f64 {
        readings::read(self, state, number)
    }
}

impl Earthworks {
    /// Checks that bodies and grounds exist.
    fn check(&self, view: &View<'_>) -> Result<(), Refusal> {
        let refuse = |what: String, problem: &str| Err(Refusal { what, problem: problem.to_string() });
        for ground in &self.grounds {
            let what = format!("ground \"{}\"", ground.name);
            let Some(body) = view.bodies.list.get(ground.body) else {
                return refuse(what, "its body does not exist: add bodies before grounds");
            };
            if body.kind != MotionType::Static {
                return refuse(what, "its body moves: give a static one");
            }
            if !(ground.particle > 0.0 && ground.particle.is_finite()) {
                return refuse(what, "the diameter of its particles is not above 0");
            }
        }
        for track in &self.tracks {
            let what = format!("track \"{}\"", track.name);
            if [track.frame, track.sprocket].iter().any(|body| view.bodies.list.get(*body).is_none()) {
                return refuse(what, "one of its bodies does not exist: add bodies before tracks");
            }
            if track.frame == track.sprocket {
                return refuse(what, "its sprocket is its frame: give two bodies with a hinge between them");
            }
            if let Some(problem) = track.problem() {
                return refuse(what, &problem);
            }
        }
        for tool in &self.tools {
            let what = format!("tool \"{}\"", tool.name);
            if view.bodies.list.get(tool.body).is_none() {
                return refuse(what, "its body does not exist: add bodies before tools");
            }
            if tool.ground >= self.grounds.len() {
                return refuse(what, "its ground does not exist");
            }
            if let Err(error) = tool.tool.check() {
                return Err(Refusal { what, problem: error.to_string() });
            }
        }
        for bin in &self.bins {
            let what = format!("bin \"{}\"", bin.name);
            if view.bodies.list.get(bin.body).is_none() {
                return refuse(what, "its body does not exist: add bodies before bins");
            }
            if bin.ground >= self.grounds.len() {
                return refuse(what, "its ground does not exist");
            }
        }
        for wheel in &self.wheels {
            if let Some(problem) = self.problem_of_wheel(wheel, view) {
                return refuse(format!("wheel \"{}\"", wheel.name), problem);
            }
        }
        Ok(())
    }

    /// A ground and its state.
    fn ground<'a>(
        &'a self,
        number: usize,
        state: &'a EarthState,
    ) -> Result<(&'a GroundModel, &'a GroundState), Refusal> {
        self.grounds.get(number).zip(state.grounds.get(number)).ok_or_else(|| Refusal {
            what: format!("ground {number}"),
            problem: format!("there are {}, counted from 0", self.grounds.len()),
        })
    }

    /// Puts a ground back to its start; the inverse restores all of it.
    fn renew(&self, number: usize, state: &mut EarthState) -> Result<EarthEdit, Refusal> {
        let (model, _) = self.ground(number, state)?;
        let new = GroundState::at_start(model);
        let undo = EarthEdit::Set(self.clone(), Some(Box::new(state.clone())));
        state.grounds[number] = new;
        state.presses[number] = Presses::default();
        Ok(undo)
    }

    /// Gives a ground a shape; the inverse restores all of it.
    fn shape(&self, number: usize, shaping: &Shaping, state: &mut EarthState) -> Result<EarthEdit, Refusal> {
        let (model, ground) = self.ground(number, state)?;
        if let Some(problem) = shaping.problem(model) {
            return Err(Refusal { what: format!("ground \"{}\"", model.name), problem });
        }
        let mut shaped = ground.clone();
        shaped.shape(model, shaping);
        let undo = EarthEdit::Set(self.clone(), Some(Box::new(state.clone())));
        state.grounds[number] = shaped;
        Ok(undo)
    }

    /// The tool in a step.
    fn pass<'a>(
        &'a self,
        number: usize,
        (view, step): (&View<'_>, &Advance<'_>),
        tools: &'a [ToolWork],
    ) -> Option<Pass<'a>> {
        let tool = &self.tools[number];
        let [start, end] = [view.bodies.body(tool.body), &step.bodies[tool.body.index()]];
        let poses = [tool_rows::pose(tool, view, start)?, tool_rows::pose(tool, view, end)?];
        Some(Pass { tool, poses, slices: &tools.get(number)?.cut.slices })
    }

    fn cut(&self, view: &View<'_>, step: &Advance<'_>, next: &mut EarthState, work: &mut EarthWork) {
        work.dig.resize_with(self.tools.len(), DigWork::default);
        for (number, (tool, state)) in self.tools.iter().zip(&mut next.tools).enumerate() {
            if let Some(pass) = self.pass(number, (view, step), &work.tools) {
                let ground = (&mut next.grounds[tool.ground], state);
                pass.cut(&self.grounds[tool.ground], ground, &mut work.dig[number]);
            }
        }
    }

    /// Moves the particles of all grounds; what they push bodies with is their soil load in the next step.
    fn move_loose_soil(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        next: &mut EarthState,
        work: &mut EarthWork,
    ) {
        work.soil_loads.clear();
        next.tools.iter_mut().for_each(|tool| tool.carried = 0.0);
        work.loose.resize_with(self.grounds.len(), LooseWork::default);
        let is_loose = next.grounds.iter().any(|ground| !ground.particles.is_empty())
            || next.tools.iter().any(|tool| tool.cut() > Mass::ZERO)
            || next.bins.iter().any(|bin| !bin.cells.is_empty());
        if !is_loose {
            next.soil_loads.clear();
            return;
        }
        work.walls.place(view, step.bodies, &self.grounds);
        bins::tilt(self, (view, step), next, &mut work.bins);
        bins::add_walls(self, (view, step), next, &mut work.walls.list);
        self.give_birth((view, step), next, work);
        bins::spill(self, (view, step), (next, &work.walls.list), &mut work.bins);
        let EarthWork { loose, walls, soil_loads, bins: bin_work, .. } = work;
        for (number, (model, own)) in self.grounds.iter().zip(loose.iter_mut()).enumerate() {
            let state = &mut next.grounds[number];
            if state.particles.is_empty() {
                continue;
            }
            own.rests.clear();
            own.rests.extend(state.particles.iter().map(|p| p.rest));
            let around = (walls.list.as_slice(), view.settings.gravity, view.dt);
            let outcome = loose::advance(model, state, around, (&mut own.kernel, &own.surcharge));
            let g = model.terrain.spec().gravity;
            let moisture = moisture(model, &state.particles);
            loose::share((&mut own.carriers, &mut own.shares), (model, state), &walls.list);
            for impulse in outcome.impulses {
                let Some(owner) = impulse.owner else { continue };
                let bodies = [&view.bodies.states[owner as usize], &step.bodies[owner as usize]];
                let moves = view.bodies.list.at(owner as usize).is_some_and(|body| body.is_dynamic());
                let is_of = |tool: &ToolModel| tool.ground == number && tool.body.index() == owner as usize;
                if !moves && !self.tools.iter().any(is_of) {
                    continue;
                }
                let share = loose::share_of(&own.shares, owner).filter(|share| share.mass > 0.0);
                let speed = bodies[1].velocity.length();
                let of = (owner, speed, view.dt);
                let most = loose::most_push(&mut own.carriers, (model, state), &walls.list, of);
                let load = SoilLoad::of(impulse, moisture, bodies, (view.dt, g), (share, most));
                if let Some((load, share)) = load.zip(share) {
                    let volume = share.volume * load.carried / share.mass;
                    let tools = self.tools.iter().zip(&mut next.tools).filter(|(tool, _)| is_of(tool));
                    tools.for_each(|(_, tool)| tool.carried = volume);
                }
                soil_loads.extend(load.filter(|_| moves));
            }
            bins::deposit(self, (view, step), (number, next), (&walls.list, own, bin_work));
            let state = &mut next.grounds[number];
            let is_static = |body: u32| {
                view.bodies.list.at(body as usize).is_none_or(|body| body.kind == MotionType::Static)
            };
            loose::deposit(model, state, (&walls.list, |body| !is_static(body)), own);
        }
        soil_load::merge(soil_loads);
        wake_laden(&next.soil_loads, soil_loads, step.bodies);
        next.soil_loads.clone_from(soil_loads);
    }

    /// Makes particles of what tools have cut.
    fn give_birth(
        &self,
        (view, step): (&View<'_>, &Advance<'_>),
        next: &mut EarthState,
        work: &mut EarthWork,
    ) {
        work.keep_away.clear();
        for number in 0..self.tools.len() {
            let Some(pass) = self.pass(number, (view, step), &work.tools) else { continue };
            let far = FAR * pass.tool.tool.height + pass.tool.tool.length();
            let edge = pass.tool.tool.edge.iter().map(|point| (pass.poses[1].point(*point), far));
            work.keep_away.extend(edge);
        }
        for (number, (tool, state)) in self.tools.iter().zip(&mut next.tools).enumerate() {
            if let Some(pass) = self.pass(number, (view, step), &work.tools) {
                let ground = (&mut next.grounds[tool.ground], state);
                let around = (work.walls.list.as_slice(), work.keep_away.as_slice());
                pass.give_birth(&self.grounds[tool.ground], ground, around, &mut work.dig[number]);
            }
        }
    }
}

/// Distance from the edge of a tool beyond which pairs of particles may become one, over the height of its face.
const FAR: f64 = 2.0;
/// Change of a soil load that wakes a body, over the larger of both.
const ROUSES: f64 = 0.05;

/// Wakes the bodies that sleep and whose soil load has changed.
fn wake_laden(before: &[SoilLoad], after: &[SoilLoad], bodies: &mut [BodyState]) {
    let force = |all: &[SoilLoad], body: usize| {
        all.iter()
            .find(|soil_load| soil_load.body as usize == body)
            .map_or(DVec3::ZERO, |soil_load| soil_load.force)
    };
    for (number, body) in bodies.iter_mut().enumerate().filter(|(_, body)| body.asleep) {
        let [old, new] = [force(before, number), force(after, number)];
        if old.distance(new) > ROUSES * old.length().max(new.length()) {
            (body.asleep, body.rest_time) = (false, 0.0);
        }
    }
}

/// Wakes the bodies that sleep on or next to ground that has changed.
fn wake(model: &GroundModel, state: &GroundState, bodies: &mut [BodyState]) {
    if !bodies.iter().any(|body| body.asleep) {
        return;
    }
    let terrain = &*model.terrain;
    let reach = TILE as f64 * terrain.spacing();
    for tile in state.terrain.changed_tiles(terrain) {
        let middle = terrain.position(tile.map(|k| k * TILE + TILE / 2));
        let near = |body: &BodyState| (0..2).all(|k| (body.position[k] - middle[k]).abs() <= reach);
        for body in bodies.iter_mut().filter(|body| body.asleep && near(body)) {
            (body.asleep, body.rest_time) = (false, 0.0);
        }
    }
}

/// Mass of particles with their water, over their dry mass, with which they are moved.
fn moisture(model: &GroundModel, particles: &Particles) -> f64 {
    let moist: f64 = particles.iter().map(|p| model.moist(p.mass, p.soil as u8)).sum();
    moist / particles.mass().kilograms()
}
