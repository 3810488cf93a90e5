//! State of soil in a world: what differs from the model, loose soil, and what tools and bodies remember.

use super::attached_soil::AttachedSoil;
use super::bin::{BinModel, BinState};
use super::model::{Earthworks, GroundModel, ToolModel};
use super::presses::Presses;
use super::ruts::Ruts;
use super::track_state::TrackState;
use super::wheel_state::{WheelState, mode_of, number};
use crate::ground::TerrainState;
use crate::ground::quanta::Mass;
use crate::particle::{Particle, Particles};
use glam::{DMat3, DVec3};
use windlass_engine::prelude::{BodyId, BoundMode, StatePart};
use windlass_engine::words::{SnapshotError, WordReader, WordWriter};

/// Rows of a tool at most: two for each group of slices, two for end plates.
pub(super) const TOOL_ROWS: usize = 2 * crate::cutting::MAX_GROUPS + 2;

/// State of a ground.
#[derive(Debug, Default, PartialEq)]
pub struct GroundState {
    /// The columns.
    pub terrain: TerrainState,
    /// Loose soil.
    pub particles: Particles,
    /// Mass of particles that fell past the border.
    pub outside: Mass,
    /// Ruts of wheels.
    pub ruts: Ruts,
}

/// Soil that a tool has cut and that is not a particle yet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CutSoil {
    /// Its soil.
    pub soil: u8,
    /// Its mass.
    pub mass: Mass,
}

/// State of a tool.
#[derive(Debug, Default, PartialEq)]
pub struct ToolState {
    /// Cut soil, one entry per soil, in their order.
    pub cut_soils: Vec<CutSoil>,
    /// Modes of its rows in the last step.
    pub modes: [BoundMode; TOOL_ROWS],
    /// Force of the ground on it in the last step [N].
    pub force: DVec3,
    /// Horizontal direction of cutting, zero above ground.
    pub forward: DVec3,
    /// Greatest depth of its edge [m].
    pub depth: f64,
    /// Loose volume of the particles that its body carries [m³].
    pub carried: f64,
    /// Whether its load fills it up to its edge.
    pub full: bool,
}

/// Loose soil that lies on a body or is pushed by it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SoilLoad {
    /// The body, by index.
    pub body: u32,
    /// Its force on the body in the last step, world axes [N].
    pub force: DVec3,
    /// Its moment about the centre of mass [N·m].
    pub torque: DVec3,
    /// Mass that moves with the body [kg].
    pub mass: f64,
    /// Mass that the body carries [kg]: without soil that it pushes.
    pub carried: f64,
    /// Its centre from that of the body [m].
    pub arm: DVec3,
    /// Acceleration of the body's centre in the last step [m/s²].
    pub acceleration: DVec3,
    /// Its angular acceleration [rad/s²].
    pub spin_up: DVec3,
}

/// State of all soil.
#[derive(Debug, Default, PartialEq)]
pub struct EarthState {
    /// The grounds, in the order of the model.
    pub grounds: Vec<GroundState>,
    /// The tools, in the order of the model.
    pub tools: Vec<ToolState>,
    /// The wheels, in the order of the model.
    pub wheels: Vec<WheelState>,
    /// The crawler tracks, in the order of the model.
    pub tracks: Vec<TrackState>,
    /// The ruts of the grounds, in the order of the model.
    pub presses: Vec<Presses>,
    /// Bodies that touch particles, by index.
    pub soil_loads: Vec<SoilLoad>,
    /// The bins, in the order of the model.
    pub bins: Vec<BinState>,
}

impl Clone for GroundState {
    fn clone(&self) -> GroundState {
        let mut copy = GroundState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &GroundState) {
        self.terrain.clone_from(&other.terrain);
        self.particles.clone_from(&other.particles);
        self.outside = other.outside;
        self.ruts.clone_from(&other.ruts);
    }
}

impl Clone for ToolState {
    fn clone(&self) -> ToolState {
        let mut copy = ToolState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &ToolState) {
        let mut cut_soils = std::mem::take(&mut self.cut_soils);
        cut_soils.clone_from(&other.cut_soils);
        *self = ToolState { cut_soils, ..*other };
    }
}

// Written out so that copying over a state of the same grounds does not allocate.
impl Clone for EarthState {
    fn clone(&self) -> EarthState {
        let mut copy = EarthState::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, other: &EarthState) {
        self.grounds.clone_from(&other.grounds);
        self.tools.clone_from(&other.tools);
        self.wheels.clone_from(&other.wheels);
        self.tracks.clone_from(&other.tracks);
        self.presses.clone_from(&other.presses);
        self.soil_loads.clone_from(&other.soil_loads);
        self.bins.clone_from(&other.bins);
    }
}

impl EarthState {
    /// Whether it belongs to a model.
    pub(super) fn fits(&self, works: &Earthworks) -> bool {
        let counts = self.grounds.len() == works.grounds.len()
            && self.tools.len() == works.tools.len()
            && self.bins.len() == works.bins.len()
            && self.wheels.len() == works.wheels.len()
            && self.presses.len() == works.grounds.len()
            && self.tracks.len() == works.tracks.len();
        let soils = |ground: usize| works.grounds.get(ground).map_or(0, |model| model.terrain.soils().len());
        let ground = |(state, (k, model)): (&GroundState, (usize, &GroundModel))| {
            let known = |p: &Particle| usize::from(p.soil) < soils(k) && p.mass > Mass::ZERO;
            state.terrain.fits(&model.terrain) && state.particles.iter().all(known)
        };
        let tool = |(state, model): (&ToolState, &ToolModel)| {
            state
                .cut_soils
                .iter()
                .all(|cut| usize::from(cut.soil) < soils(model.ground) && cut.mass >= Mass::ZERO)
        };
        let bin = |(state, model): (&BinState, &BinModel)| state.fits(model, soils(model.ground));
        counts
            && self.grounds.iter().zip(works.grounds.iter().enumerate()).all(ground)
            && self.tools.iter().zip(&works.tools).all(tool)
            && self.bins.iter().zip(&works.bins).all(bin)
            && self.tracks.iter().zip(&works.tracks).all(|(state, track)| state.fits(track))
    }

    /// Mass of the loose soil that a body carries [kg].
    pub fn carried(&self, body: BodyId) -> f64 {
        let own = self.soil_loads.iter().find(|soil_load| soil_load.body as usize == body.index());
        own.map_or(0.0, |soil_load| soil_load.carried)
    }

    /// Mass of all soil: grounds, particles, what tools have cut, bins, and what fell past borders.
    pub fn mass(&self, works: &Earthworks) -> Mass {
        let grounds = self.grounds.iter().zip(&works.grounds);
        let grounds: Mass =
            grounds.map(|(state, model)| state.terrain.mass(&model.terrain) + state.loose()).sum();
        let cut: Mass = self.tools.iter().map(ToolState::cut).sum();
        grounds + cut + self.bins.iter().map(BinState::mass).sum()
    }
}

impl GroundState {
    /// That of a ground that nothing has touched.
    pub(super) fn at_start(model: &GroundModel) -> GroundState {
        let terrain = TerrainState::at_start(&model.terrain);
        GroundState { terrain, particles: model.start(), ..GroundState::default() }
    }

    /// Mass of the particles and of soil outside.
    pub fn loose(&self) -> Mass {
        self.particles.mass() + self.outside
    }
}

impl ToolState {
    /// Whether its numbers are finite.
    pub(super) fn is_sound(&self) -> bool {
        self.carried >= 0.0 && self.carried.is_finite()
    }

    /// Mass in the cut soil.
    pub fn cut(&self) -> Mass {
        self.cut_soils.iter().map(|cut| cut.mass).sum()
    }

    /// Adds cut soil.
    pub(super) fn pour(&mut self, soil: u8, mass: Mass) {
        let at = self.cut_soils.partition_point(|cut| cut.soil < soil);
        match self.cut_soils.get_mut(at).filter(|cut| cut.soil == soil) {
            Some(cut) => cut.mass += mass,
            None => self.cut_soils.insert(at, CutSoil { soil, mass }),
        }
    }
}

impl StatePart for EarthState {
    fn write(&self, out: &mut WordWriter<'_>) {
        let counts = [
            self.grounds.len(),
            self.tools.len(),
            self.soil_loads.len(),
            self.wheels.len(),
            self.tracks.len(),
        ];
        out.integers(&counts.map(|count| count as u64));
        out.end();
        for ground in &self.grounds {
            ground.terrain.write(out);
            ground.particles.write(out);
            out.integers(&[ground.outside.0 as u64]);
            out.end();
            ground.ruts.write(out);
        }
        for tool in &self.tools {
            out.integers(&[tool.cut_soils.len() as u64]);
            out.end();
            tool.cut_soils.iter().for_each(|cut| out.integers(&[u64::from(cut.soil), cut.mass.0 as u64]));
            tool.modes.iter().for_each(|mode| out.integers(&[number(*mode)]));
            out.vector(tool.force);
            out.vector(tool.forward);
            out.numbers(&[tool.depth, tool.carried]);
            out.integers(&[u64::from(tool.full)]);
            out.end();
        }
        for soil_load in &self.soil_loads {
            out.integers(&[u64::from(soil_load.body)]);
            out.vector(soil_load.force);
            out.vector(soil_load.torque);
            out.numbers(&[soil_load.mass, soil_load.carried]);
            [soil_load.arm, soil_load.acceleration, soil_load.spin_up]
                .into_iter()
                .for_each(|v| out.vector(v));
        }
        out.end();
        out.integers(&[self.bins.len() as u64]);
        out.end();
        for bin in &self.bins {
            out.integers(&[bin.cells.len() as u64, bin.over.len() as u64]);
            bin.cells.iter().chain(&bin.over).for_each(|mass| out.integers(&[mass.0 as u64]));
            out.vector(bin.pull);
            let AttachedSoil { mass, centre, inertia } = bin.carried;
            out.numbers(&[mass]);
            [centre, inertia.x_axis, inertia.y_axis, inertia.z_axis].into_iter().for_each(|v| out.vector(v));
            out.end();
        }
        self.wheels.iter().for_each(|wheel| wheel.write(out));
        self.presses.iter().for_each(|presses| presses.write(out));
        self.tracks.iter().for_each(|track| track.write(out));
    }

    fn read(words: &mut WordReader<'_>) -> Result<EarthState, SnapshotError> {
        let counts =
            [words.length(4)?, words.length(4)?, words.length(4)?, words.length(4)?, words.length(4)?];
        words.zeros(5)?;
        let mut state = EarthState::default();
        for _ in 0..counts[0] {
            let (terrain, particles) = (TerrainState::read(words)?, Particles::read(words)?);
            let outside = Mass(words.integer()? as i64);
            words.zeros(1)?;
            let ruts = Ruts::read(words)?;
            state.grounds.push(GroundState { terrain, particles, outside, ruts });
        }
        for _ in 0..counts[1] {
            let cut_soils = words.length(2)?;
            words.zeros(1)?;
            let mut tool = ToolState::default();
            for _ in 0..cut_soils {
                let soil = words.integer()? as u8;
                tool.cut_soils.push(CutSoil { soil, mass: Mass(words.integer()? as i64) });
            }
            for mode in &mut tool.modes {
                *mode = mode_of(words.integer()?);
            }
            (tool.force, tool.forward) = (words.vector()?, words.vector()?);
            (tool.depth, tool.carried) = (words.number()?, words.number()?);
            tool.full = words.integer()? != 0;
            words.zeros(2 * cut_soils + TOOL_ROWS + 9)?;
            state.tools.push(tool);
        }
        for _ in 0..counts[2] {
            let body = words.integer()? as u32;
            let (force, torque) = (words.vector()?, words.vector()?);
            let (mass, carried, arm) = (words.number()?, words.number()?, words.vector()?);
            let (acceleration, spin_up) = (words.vector()?, words.vector()?);
            state.soil_loads.push(SoilLoad {
                body,
                force,
                torque,
                mass,
                carried,
                arm,
                acceleration,
                spin_up,
            });
        }
        words.zeros(BURDEN_WORDS * counts[2])?;
        let bins = words.length(1)?;
        words.zeros(1)?;
        for _ in 0..bins {
            let sizes = [words.length(1)?, words.length(1)?];
            let mut read = |count: usize| {
                (0..count)
                    .map(|_| words.integer().map(|mass| Mass(mass as i64)))
                    .collect::<Result<Vec<_>, _>>()
            };
            let (cells, over) = (read(sizes[0])?, read(sizes[1])?);
            let (pull, mass) = (words.vector()?, words.number()?);
            let centre = words.vector()?;
            let inertia = DMat3::from_cols(words.vector()?, words.vector()?, words.vector()?);
            words.zeros(2 + sizes[0] + sizes[1] + 16)?;
            state.bins.push(BinState { cells, over, pull, carried: AttachedSoil { mass, centre, inertia } });
        }
        for _ in 0..counts[3] {
            state.wheels.push(WheelState::read(words)?);
        }
        for _ in 0..counts[0] {
            state.presses.push(Presses::read(words)?);
        }
        for _ in 0..counts[4] {
            state.tracks.push(TrackState::read(words)?);
        }
        Ok(state)
    }
}

/// Words of a soil load.
const BURDEN_WORDS: usize = 18;
