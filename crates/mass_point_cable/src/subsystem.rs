//! All mass-point cables of a world, as a subsystem of the engine.

use crate::cable::{MassPointCable, MassPointCableId};
use crate::edit::{self, MassPointEdit};
use crate::energy;
use crate::state::{MassPointState, MassPointStates};
use crate::step::{self, Work};
use windlass_engine::edit::EditError;
use windlass_engine::energy::Energy;
use windlass_engine::load::Loads;
use windlass_engine::slots::{BodyId, Slots};
use windlass_engine::subsystem::{Advance, Misfit, PartFault, Refusal, Subsystem, View};
use windlass_engine::world::World;

/// The mass-point cables of a world.
#[derive(Clone, Debug, Default)]
pub struct MassPointCables {
    cables: Slots<MassPointCable>,
}

impl MassPointCables {
    /// Adds a cable to a world.
    pub fn add(world: &mut World, cable: MassPointCable) -> Result<MassPointCableId, EditError> {
        match world.edit_subsystem::<MassPointCables>(MassPointEdit::Add(Box::new(cable)))? {
            MassPointEdit::Remove(id) => Ok(id),
            _ => unreachable!("adding a cable is undone by removing it"),
        }
    }

    /// A cable of a world.
    pub fn get(world: &World, id: MassPointCableId) -> Option<&MassPointCable> {
        world.model().subsystem::<MassPointCables>()?.cables.get(id)
    }

    /// The state of a cable of a world.
    pub fn state(world: &World, id: MassPointCableId) -> Option<&MassPointState> {
        let (all, states) = world.subsystem::<MassPointCables>()?;
        all.cables.get(id).and_then(|_| states.0.get(id.index()))
    }

    /// All cables of a world.
    pub fn all(world: &World) -> impl Iterator<Item = (MassPointCableId, &MassPointCable)> {
        let list = world.model().subsystem::<MassPointCables>().map(|all| &all.cables);
        list.into_iter()
            .flat_map(|list| list.iter().filter_map(|(place, cable)| Some((list.id(place)?, cable))))
    }
}

impl Subsystem for MassPointCables {
    const KEY: &'static str = "mass_points";
    const VERSION: u32 = 1;
    type State = MassPointStates;
    type Work = Work;
    type Edit = MassPointEdit;

    fn loads(&self, _: &View<'_>, state: &MassPointStates, _: &mut Work, out: &mut Loads) {
        for load in state.0.iter().flat_map(|s| &s.loads) {
            out.add(load.body as usize, load.wrench);
        }
    }

    fn advance(
        &self,
        view: &View<'_>,
        step: &mut Advance<'_>,
        (now, next): (&MassPointStates, &mut MassPointStates),
        work: &mut Work,
    ) -> [Energy; 2] {
        step::advance(view, step, &self.cables, (&now.0, &mut next.0), work)
    }

    fn fault(&self, next: &MassPointStates) -> Option<PartFault> {
        let unsound = |(place, cable): (usize, &MassPointCable)| {
            let (s, point) = (&next.0[place], next.0[place].unsound()?);
            let finite = s.positions[point].is_finite() && s.velocities[point].is_finite();
            Some(PartFault { what: format!("point {point} of cable \"{}\"", cable.name), finite })
        };
        self.cables.iter().find_map(unsound)
    }

    fn energy(&self, view: &View<'_>, state: &MassPointStates) -> Energy {
        energy::of(view, &self.cables, &state.0)
    }

    fn accepts(&self, view: &View<'_>, state: &MassPointStates) -> Result<(), Misfit> {
        let fits = |(place, cable): (usize, &MassPointCable)| state.0[place].fits(cable);
        if state.0.len() != self.cables.places() || !self.cables.iter().all(fits) {
            return Err(Misfit::OtherModel);
        }
        let bodies = view.bodies.states.len();
        if state.0.iter().all(|s| s.is_valid(bodies)) { Ok(()) } else { Err(Misfit::Unsound) }
    }

    fn apply(
        &mut self,
        edit: MassPointEdit,
        state: &mut MassPointStates,
        view: &View<'_>,
    ) -> Result<MassPointEdit, Refusal> {
        edit::apply(edit, &mut self.cables, &mut state.0, view)
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.cables.iter().flat_map(|(_, cable)| &cable.attachments).map(|hold| hold.anchor.body).collect()
    }

    fn body_removed(&mut self, body: BodyId, state: &mut MassPointStates) -> Vec<MassPointEdit> {
        edit::let_go(body, &mut self.cables, &mut state.0)
    }
}
