//! Cables of `model = "mass-points"`: from the specification of a cable to the subsystem, and queries of programs.

use glam::DVec3;
use windlass_engine::prelude::{
    BodyId, CableGeometry, CableSpec, Edit, EditError, Reading, SubsystemEdit, World,
};
use windlass_mass_point_cable::{
    IterationLimits, MassPointCable, MassPointCableId, MassPointCables, MassPointEdit, MassPointState,
    PointTether,
};

/// Default number of linearisations per step and of solver iterations.
pub(crate) fn default_limits() -> [u32; 2] {
    let IterationLimits { rebuilds, iterations, .. } = IterationLimits::default();
    [rebuilds, iterations]
}

/// Parameters of a mass-point cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Points {
    /// Distance below which surfaces repel it [m].
    pub margin: Option<f64>,
    /// Air resistance per length [N·s/m²].
    pub air: f64,
    /// Largest number of linearisations per step, and of solver iterations.
    pub limits: [u32; 2],
}

impl Points {
    /// The edit that adds a cable to a world.
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

/// A mass-point cable in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointCable(MassPointCableId);

/// Section of a mass-point cable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSection {
    /// Axial stiffness EA [N] and its damping time [s].
    pub stretch: [f64; 2],
    /// Bending stiffness EI [N·m²] and its damping time [s].
    pub bend: [f64; 2],
    /// Mass per length [kg/m].
    pub mass_per_length: f64,
    /// Diameter [m].
    pub diameter: f64,
    /// Yield moment [N·m], if bending can be plastic.
    pub yield_moment: Option<f64>,
}

impl PointCable {
    /// All mass-point cables of a world.
    pub fn all(world: &World) -> impl Iterator<Item = PointCable> {
        MassPointCables::all(world).map(|(id, _)| PointCable(id))
    }

    /// The cable that an edit added, identified by the edit that undoes it.
    pub(crate) fn undone_by(undo: &Edit) -> Option<PointCable> {
        let Edit::Subsystem(undo) = undo else { return None };
        match undo.get::<MassPointCables>()? {
            MassPointEdit::Remove(id) => Some(PointCable(*id)),
            _ => None,
        }
    }

    /// The edit that removes it; `None` if it is gone.
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

    /// Its section.
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

    /// Number of segments outside of its clamps, and the unloaded length of each [m].
    pub fn segments(self, world: &World) -> Option<(usize, f64)> {
        let cable = self.cable(world)?;
        let [first, last] = cable.bare();
        Some((last - first, cable.pitch()))
    }

    /// Unloaded length outside of its clamps [m].
    pub fn length(self, world: &World) -> Option<f64> {
        self.segments(world).map(|(count, pitch)| pitch * count as f64)
    }

    /// Stretched length [m].
    pub fn stretched_length(self, world: &World) -> Option<f64> {
        self.both(world).map(|(cable, state)| cable.stretched_length(state))
    }

    /// Its points, those in its clamps included [m].
    pub fn points(self, world: &World) -> Option<&[DVec3]> {
        Some(&MassPointCables::state(world, self.0)?.positions)
    }

    /// Internal forces and moments along it; empty if it is gone.
    pub fn readings(self, world: &World) -> Vec<Reading> {
        self.both(world).map_or_else(Vec::new, |(cable, state)| cable.readings(state))
    }

    /// Its geometry.
    pub fn lie(self, world: &World) -> Option<CableGeometry> {
        self.both(world).map(|(cable, state)| cable.lie(state))
    }

    /// The bodies to which it is attached.
    pub fn holders(self, world: &World) -> Vec<BodyId> {
        let attachments = self.cable(world).map(|cable| cable.attachments.iter());
        attachments.into_iter().flatten().map(|attachment| attachment.anchor.body).collect()
    }

    /// Distance below which surfaces repel it [m]; `None` if it does not collide.
    pub fn margin(self, world: &World) -> Option<f64> {
        self.cable(world).filter(|cable| cable.mask != 0).map(|cable| cable.margin)
    }

    /// The unattached point nearest to a length along it [m].
    pub fn free_point(self, world: &World, along: f64) -> Option<usize> {
        let cable = self.cable(world)?;
        let count = cable.points.len();
        let free = |point: &usize| cable.attachments.iter().all(|held| held.point != *point);
        let place = along / cable.length * (count.max(2) - 1) as f64;
        let away = |point: &usize| (*point as f64 - place).abs();
        (0..count).filter(free).min_by(|a, b| away(a).total_cmp(&away(b)))
    }

    /// The points with tethers, with their targets.
    pub fn tethers(self, world: &World) -> impl ExactSizeIterator<Item = (usize, DVec3)> + '_ {
        let tethers = self.cable(world).map_or(&[][..], |cable| &cable.tethers);
        tethers.iter().map(|tether| (tether.point, tether.target))
    }

    /// Keeps the first `keep` of its tethers and adds others that pull points toward targets. These have a force of at
    /// most `most` times its mass [m/s²], reached at the distance `reach` [m].
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
