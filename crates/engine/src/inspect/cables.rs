//! Queries of cables and ropes at the present state, implemented in `cable/`.

use crate::cable::curve::{CableGeometry, CurvePoint, Sampling, Tube};
use crate::cable::reading::{Catenary, Reading};
use crate::cable::rope_reading::RopeReading;
use crate::slots::{BodyId, CableId, JointId};
use crate::world::World;
use glam::DVec3;

impl World {
    /// The present elements of a cable from start to end; empty for a removed cable.
    pub fn cable_elements(&self, cable: CableId) -> Vec<BodyId> {
        self.configuration().cable_elements(cable)
    }

    /// The solution of a catenary; none for a removed cable or one that is no catenary.
    pub fn catenary(&self, cable: CableId) -> Option<Catenary> {
        self.configuration().catenary(cable)
    }

    /// Internal loads of a cable at each of its links, from start to end; empty for a removed cable.
    pub fn cable_readings(&self, cable: CableId) -> Vec<Reading> {
        self.configuration().cable_readings(cable)
    }

    /// Configuration of a cable; none for a removed cable.
    pub fn cable_lie(&self, cable: CableId) -> Option<CableGeometry> {
        self.configuration().cable_lie(cable)
    }

    /// The centreline of a cable: one list of points per unbroken piece, from start to end; empty for a removed cable.
    pub fn cable_curve(&self, cable: CableId, sampling: Sampling) -> Vec<Vec<CurvePoint>> {
        self.configuration().cable_curve(cable, sampling)
    }

    /// The surface of a cable for rendering, with this many sides.
    pub fn cable_tube(&self, cable: CableId, sampling: Sampling, sides: usize) -> Tube {
        self.configuration().cable_tube(cable, sampling, sides)
    }

    /// All ropes, in order of their indices.
    pub fn ropes(&self) -> impl Iterator<Item = JointId> + '_ {
        self.configuration().ropes()
    }

    /// State of a rope; none for a removed joint or one that is no rope.
    pub fn rope(&self, id: JointId) -> Option<RopeReading> {
        self.configuration().rope(id)
    }

    /// The ropes that feed a cable (`Rope::feed`), from its start to its end.
    pub fn feeders(&self, cable: CableId) -> Vec<JointId> {
        self.configuration().feeders(cable)
    }

    /// State of a cable with mass on its route over drums and pulleys, as a rope: its tensions are those of the
    /// segments, where each leaves its route point; its one run is the whole cable. None for a cable that no rope
    /// feeds.
    pub fn route(&self, id: CableId) -> Option<RopeReading> {
        self.configuration().route(id)
    }

    /// The line of a rope from end to end, with arcs on pulleys; empty for a removed or broken one or another joint.
    pub fn rope_line(&self, id: JointId) -> Vec<DVec3> {
        self.configuration().rope_line(id)
    }

    /// The same, each point with the number of its span; the arc on a pulley belongs to the span before it.
    pub fn rope_path(&self, id: JointId) -> Vec<(DVec3, usize)> {
        self.configuration().rope_path(id)
    }

    /// The line of a rope with a constant number of points, for meshes that are created once and then deformed: each
    /// arc on a pulley has this many parts per revolution. A broken rope has its last position.
    pub fn rope_points(&self, id: JointId, parts: usize) -> Vec<DVec3> {
        self.configuration().rope_points(id, parts)
    }
}
