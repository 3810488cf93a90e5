//! Elements and links of a cable by number or position along it.

use super::CableRef;
use crate::build::Placed;
use crate::build::place::Pose;
use crate::number::{Length, Quantity};
use crate::suggestion;
use crate::units;
use glam::DVec3;
use windlass_engine::prelude::{BodyId, Cable, World};

/// The elements of a cable in the world at the start of the scene; none for a cable of mass points.
#[derive(Clone, Debug)]
pub(in crate::build) struct Elements {
    all: Vec<Placed>,
    /// Length of each [m].
    element: f64,
    /// Whether they merge and split.
    adaptive: bool,
}

impl Elements {
    /// Those of a cable of a world at its start.
    pub(in crate::build) fn of(line: CableRef, world: &World) -> Elements {
        let none = Elements { all: Vec::new(), element: 0.0, adaptive: false };
        let CableRef::Elements(id) = line else { return none };
        let Some(cable) = world.model().cables().get(id) else { return none };
        let placed = |id: &BodyId| {
            let state = &world.state().bodies[id.index()];
            let pose = Pose { at: state.position, orientation: state.orientation };
            Placed { id: *id, pose, center: DVec3::ZERO, size: cable.element }
        };
        let all = cable.elements.iter().map(placed).collect();
        Elements { all, element: cable.element, adaptive: cable.pool.is_some() }
    }

    /// The same elements under the ids that a cable has in a running world.
    pub(in crate::build) fn renamed(mut self, line: CableRef, world: &World) -> Elements {
        if let CableRef::Elements(id) = line
            && let Some(cable) = world.model().cables().get(id)
        {
            self.all.iter_mut().zip(&cable.elements).for_each(|(placed, id)| placed.id = *id);
        }
        self
    }

    /// The element of a number, or at a position along the cable; else the error and its remedy.
    pub(super) fn find(&self, cable: &str, which: &str, is_number: bool) -> Result<Placed, (String, String)> {
        let Some(last) = self.all.len().checked_sub(1) else {
            let help = "attach to its `start` or `end`, or set model = \"elements\"";
            return Err((format!("cable \"{cable}\" has mass points and no elements"), help.into()));
        };
        if self.adaptive {
            let help = "leave `adaptive` out of a cable with attachments along its length";
            return Err((
                format!("cable \"{cable}\" is adaptive, so its elements change during the run"),
                help.into(),
            ));
        }
        let number = if is_number {
            let help = format!("give a number from 0 to {last}: \"{cable}[{}]\"", last / 2);
            let wrong =
                || (format!("cable \"{cable}\" has no element \"{}\"", suggestion::shortened(which)), help);
            which.parse().ok().filter(|k| *k <= last).ok_or_else(wrong)?
        } else {
            let length = self.element * self.all.len() as f64;
            let shown = suggestion::digits(length);
            let help = format!(
                "give metres from its start, 0 to {shown}: \"{cable}({})\"",
                suggestion::digits(0.5 * length)
            );
            let wrong =
                || (format!("cable \"{cable}\" has no position \"{}\"", suggestion::shortened(which)), help);
            let place = units::parse(which, Length::DIMENSION).ok();
            let place = place.filter(|s| (0.0..=length * (1.0 + 1e-9)).contains(s)).ok_or_else(wrong)?;
            ((place / self.element) as usize).min(last)
        };
        Ok(self.all[number])
    }
}

/// The links nearest to positions along a cable, each once.
pub(in crate::build) fn links_at(cable: &Cable, places: &[f64]) -> Vec<usize> {
    let number = |place: &f64| {
        let after = libm::round(place / cable.element);
        // a loose start has no link before its first element
        let first = cable.after(0) as f64;
        ((after - first).max(0.0) as usize).min(cable.links.len().saturating_sub(1))
    };
    let mut numbers: Vec<_> = places.iter().map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if cable.links.is_empty() { Vec::new() } else { numbers }
}
