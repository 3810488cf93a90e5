//! Cables of `model = "mass-points"`: from the plan of a cable to the subsystem, and what programs ask of them.

use glam::DVec3;
use windlass_engine::prelude::{
    BodyId, CableGeometry, CableSpec, Edit, EditError, Reading, SubsystemEdit, World,
};
use windlass_mass_point_cable::{
    IterationLimits, MassPointCable, MassPointCableId, MassPointCables, MassPointEdit, MassPointState,
    PointTether,
};

/// Rebuilds of the system in a step and rounds of its solver, unless the scene says so.
pub(crate) fn default_limits() -> [u32; 2] {
    let IterationLimits { rebuilds, iterations, .. } = IterationLimits::default();
    [rebuilds, iterations]
}

/// How mass points are worked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Points {
    /// From this distance on surfaces push [m].
    pub margin: Option<f64>,
    /// Damping by air [N·s/m²].
    pub air: f64,
    /// Rebuilds of the system in a step, and rounds of its solver.
    pub limits: [u32; 2],
}

impl Points {
    /// The edit that lays a cable in a world.
    pub fn lay(&self, laying: &CableSpec, world: &World) -> Edit {
        let mut cable = MassPointCable::laid(laying, world);
        cable.margin = self.margin.unwrap_or(cable.margin);
        let [rebuilds, iterations] = self.limits;
        cable.damping.air = self.air;
        cable.limits = IterationLimits { rebuilds, iterations, ..IterationLimits::default() };
        edit(MassPointEdit::Add(Box::new(cable)))
    }
}

fn edit(edit: MassPointEdit) -> Edit {
    Edit::Subsystem(SubsystemEdit::of::<MassPointCables>(edit))
}

/// A cable of mass points in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointCable(MassPointCableId);

/// What a cable of mass points is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSection {
    /// Stiffness against stretching EA [N] and its damping time [s].
    pub stretch: [f64; 2],
    /// Stiffness against bending EI [N·m²] and its damping time [s].
    pub bend: [f64; 2],
    /// Mass of a metre [kg/m].
    pub mass_per_length: f64,
    /// Diameter [m].
    pub diameter: f64,
    /// Moment from which bends stay [N·m], if they do.
    pub yield_moment: Option<f64>,
}

impl PointCable {
    /// All cables of mass points of a world.
    pub fn all(world: &World) -> impl Iterator<Item = PointCable> {
        MassPointCables::all(world).map(|(id, _)| PointCable(id))
    }

    /// The cable that an edit added, told by what undoes the edit.
    pub(crate) fn undone_by(undo: &Edit) -> Option<PointCable> {
        let Edit::Subsystem(undo) = undo else { return None };
        match undo.get::<MassPointCables>()? {
            MassPointEdit::Remove(id) => Some(PointCable(*id)),
            _ => None,
        }
    }

    /// The edit that removes it; none if it is gone.
    pub(crate) fn removal(self, world: &World) -> Option<Edit> {
        self.cable(world).map(|_| edit(MassPointEdit::Remove(self.0)))
    }

    fn cable(self, world: &World) -> Option<&MassPointCable> {
        MassPointCables::get(world, self.0)
    }

    fn both(self, world: &World) -> Option<(&MassPointCable, &MassPointState)> {
        Some((self.cable(world)?, MassPointCables::state(world, self.0)?))
    }

    /// Its name.
    pub fn name(self, world: &World) -> Option<&str> {
        Some(&self.cable(world)?.name)
    }

    /// What it is made of.
    pub fn section(self, world: &World) -> Option<PointSection> {
        let MassPointCable { properties, damping, yields, .. } = self.cable(world)?;
        Some(PointSection {
            stretch: [properties.stretch, damping.stretch],
            bend: [properties.bend, damping.bend],
            mass_per_length: properties.mass,
            diameter: properties.diameter,
            yield_moment: yields.map(|y| y.moment),
        })
    }

    /// How many segments it has from where it leaves its clamps, and the natural length of each [m].
    pub fn segments(self, world: &World) -> Option<(usize, f64)> {
        let cable = self.cable(world)?;
        let [first, last] = cable.bare();
        Some((last - first, cable.pitch()))
    }

    /// Unloaded length from where it leaves its clamps [m].
    pub fn length(self, world: &World) -> Option<f64> {
        self.segments(world).map(|(count, pitch)| pitch * count as f64)
    }

    /// Length as it is stretched [m].
    pub fn stretched_length(self, world: &World) -> Option<f64> {
        self.both(world).map(|(cable, state)| cable.stretched_length(state))
    }

    /// Its points, those in its clamps included [m].
    pub fn points(self, world: &World) -> Option<&[DVec3]> {
        Some(&MassPointCables::state(world, self.0)?.positions)
    }

    /// What is inside of it along it; nothing if it is gone.
    pub fn readings(self, world: &World) -> Vec<Reading> {
        self.both(world).map_or_else(Vec::new, |(cable, state)| cable.readings(state))
    }

    /// How it lies.
    pub fn lie(self, world: &World) -> Option<CableGeometry> {
        self.both(world).map(|(cable, state)| cable.lie(state))
    }

    /// The bodies that hold it.
    pub fn holders(self, world: &World) -> Vec<BodyId> {
        let attachments = self.cable(world).map(|cable| cable.attachments.iter());
        attachments.into_iter().flatten().map(|attachment| attachment.anchor.body).collect()
    }

    /// From which distance on surfaces push it away [m]; none if it touches nothing.
    pub fn margin(self, world: &World) -> Option<f64> {
        self.cable(world).filter(|cable| cable.mask != 0).map(|cable| cable.margin)
    }

    /// The point nearest to a length along it [m] that no body holds.
    pub fn free_point(self, world: &World, along: f64) -> Option<usize> {
        let cable = self.cable(world)?;
        let count = cable.points.len();
        let free = |point: &usize| cable.attachments.iter().all(|held| held.point != *point);
        let place = along / cable.length * (count.max(2) - 1) as f64;
        let away = |point: &usize| (*point as f64 - place).abs();
        (0..count).filter(free).min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// The points that tethers lead, with their targets.
    pub fn tethers(self, world: &World) -> impl ExactSizeIterator<Item = (usize, DVec3)> + '_ {
        let tethers = self.cable(world).map_or(&[][..], |cable| &cable.tethers);
        tethers.iter().map(|tether| (tether.point, tether.target))
    }

    /// Leads it by the first of its tethers, as many as are to be kept, and by others at points towards targets. These have a
    /// force of at most so many times its mass [m/s²], reached at a distance [m].
    pub fn lead(
        self,
        world: &mut World,
        keep: usize,
        points: impl Iterator<Item = (usize, DVec3)>,
        (most, reach): (f64, f64),
    ) -> Result<(), EditError> {
        let Some(cable) = self.cable(world) else { return Ok(()) };
        let force = most * cable.properties.mass * cable.length;
        let led = points.map(|(point, target)| PointTether { point, target, force, reach });
        let tethers = cable.tethers.iter().take(keep).copied().chain(led).collect();
        world.edit(edit(MassPointEdit::SetTethers(self.0, tethers))).map(drop)
    }

    /// Moves the target of a tether.
    pub fn move_tether(self, world: &mut World, tether: usize, target: DVec3) -> Result<(), EditError> {
        world.edit(edit(MassPointEdit::MoveTarget { cable: self.0, tether, target })).map(drop)
    }
}
