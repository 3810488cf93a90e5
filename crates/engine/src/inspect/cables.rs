//! Questions about cables and ropes at the present state. What answers them is in `cable/`.

use crate::cable::curve::{CableGeometry, CurvePoint, Sampling, Tube};
use crate::cable::reading::{Catenary, Reading};
use crate::cable::rope_reading::RopeReading;
use crate::slots::{BodyId, CableId, JointId};
use crate::world::World;
use glam::DVec3;

impl World {
    /// The elements of a cable that are there, from start to end; nothing for a cable that is gone.
    pub fn cable_elements(&self, cable: CableId) -> Vec<BodyId> {
        self.configuration().cable_elements(cable)
    }

    /// How a catenary hangs; nothing for a cable that is gone or is none.
    pub fn catenary(&self, cable: CableId) -> Option<Catenary> {
        self.configuration().catenary(cable)
    }

    /// What is inside a cable at each of its links, from start to end; nothing for a cable that is gone.
    pub fn cable_readings(&self, cable: CableId) -> Vec<Reading> {
        self.configuration().cable_readings(cable)
    }

    /// How a cable lies; nothing for a cable that is gone.
    pub fn cable_lie(&self, cable: CableId) -> Option<CableGeometry> {
        self.configuration().cable_lie(cable)
    }

    /// The line a cable is drawn as: one list of points for each unbroken piece, from start to end; nothing for a cable that
    /// is gone.
    pub fn cable_curve(&self, cable: CableId, sampling: Sampling) -> Vec<Vec<CurvePoint>> {
        self.configuration().cable_curve(cable, sampling)
    }

    /// The surface a cable is drawn as, with so many sides.
    pub fn cable_tube(&self, cable: CableId, sampling: Sampling, sides: usize) -> Tube {
        self.configuration().cable_tube(cable, sampling, sides)
    }

    /// All ropes, in the order of their places.
    pub fn ropes(&self) -> impl Iterator<Item = JointId> + '_ {
        self.configuration().ropes()
    }

    /// What a rope does; none for what is gone or is no rope.
    pub fn rope(&self, id: JointId) -> Option<RopeReading> {
        self.configuration().rope(id)
    }

    /// The ropes that take a cable in and let it out (`Rope::feed`), from its start to its end.
    pub fn feeders(&self, cable: CableId) -> Vec<JointId> {
        self.configuration().feeders(cable)
    }

    /// What a cable with mass does on its route over drums and pulleys, as a rope: its tensions are those of the segments, where
    /// each leaves its point; its one run is the whole cable. None for a cable that no rope feeds.
    pub fn route(&self, id: CableId) -> Option<RopeReading> {
        self.configuration().route(id)
    }

    /// The line of a rope from end to end, turns about pulleys as arcs; nothing for what is gone, broken or no rope.
    pub fn rope_line(&self, id: JointId) -> Vec<DVec3> {
        self.configuration().rope_line(id)
    }

    /// The same, each point with the number of its span; what lies on a pulley is of the span before it.
    pub fn rope_path(&self, id: JointId) -> Vec<(DVec3, usize)> {
        self.configuration().rope_path(id)
    }

    /// The line of a rope with as many points at any time, for what is drawn once and then moved: each turn about a pulley has so
    /// many parts for each time round. One that broke is where it was.
    pub fn rope_points(&self, id: JointId, parts: usize) -> Vec<DVec3> {
        self.configuration().rope_points(id, parts)
    }
}
