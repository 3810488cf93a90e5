//! Readings for controllers: functions of the state alone, so that a restored run continues bit for bit.
//!
//! Positions, velocities, lengths and rope tensions are read off the state: velocities are those stored, which lag by
//! half a step under `spook`, and tensions and contact forces are those of the last step. Accelerations, efforts,
//! reactions and energies are those of the instant and need a solve. What is not part of the state cannot be read.

use super::contact::ContactQuantity;
use super::error::ProbeError;
use super::parse;
use super::rope::WinchQuantity;
use super::source::{BodyQuantity, CoordinateQuantity, JointQuantity, Source};
use windlass_engine::body::twist::Twist;
use windlass_engine::inspect::instant::BodyInstant;
use windlass_engine::prelude::{BodyId, World};

/// A number that controllers may read.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    source: Source,
}

impl Reading {
    /// The reading of a probe, which must be a single number of the state.
    pub fn parse(text: &str, world: &World) -> Result<Reading, ProbeError> {
        let columns = parse::probe(text, world)?;
        let [column] = &columns[..] else {
            let names: Vec<_> = columns.iter().take(3).map(|column| column.name.as_str()).collect();
            let help = format!("name one of them: {}", names.join(", "));
            return Err(ProbeError::whole(text, format!("{} numbers", columns.len()), help));
        };
        if matches!(column.source, Source::Step(_) | Source::ContactsStarted) {
            let help =
                "a run that is restored could not repeat it: read a quantity of bodies, joints or cables";
            return Err(ProbeError::whole(text, "controllers cannot read reports of steps", help));
        }
        Ok(Reading { source: column.source })
    }

    /// Whether it needs a solve of the instant.
    pub fn needs_solve(&self) -> bool {
        use BodyQuantity::{Acceleration, AngularAcceleration};
        match self.source {
            Source::Body { quantity, .. } => matches!(quantity, Acceleration | AngularAcceleration),
            Source::Coordinate { quantity, .. } | Source::Between { quantity, .. } => {
                quantity == CoordinateQuantity::Effort
            }
            Source::Joint { quantity, .. } => quantity != JointQuantity::Broken,
            Source::Contact { quantity, .. } => {
                matches!(quantity, ContactQuantity::Normal | ContactQuantity::Friction)
            }
            Source::Energy(_) | Source::Fluid { .. } => true,
            _ => false,
        }
    }

    /// Its present value, NaN if there is none. One that needs a solve is read after an inspection of the instant.
    pub fn read(&self, world: &mut World) -> f64 {
        let value = match self.source {
            _ if self.needs_solve() => {
                let inspected = self.source.inspected(&world.inspect());
                inspected
                    .or_else(|| self.source.in_contact(world, 0))
                    .or_else(|| self.source.plain(world, None))
            }
            Source::Coordinate { joint, k, quantity: CoordinateQuantity::Value } => {
                world.coordinate(joint, k)
            }
            Source::Coordinate { joint, k, .. } => world.coordinate_speed(joint, k),
            Source::Winch { drum, quantity } if quantity != WinchQuantity::Load => {
                let turn = world.coordinate(drum.hinge, 0);
                match quantity {
                    WinchQuantity::Speed => turn
                        .zip(world.coordinate_speed(drum.hinge, 0))
                        .map(|(turn, speed)| drum.radius_at(turn) * speed),
                    _ => turn.map(|turn| drum.wound(turn)),
                }
            }
            _ => {
                let moving = self.source.of_bodies(|id| stored(world, id));
                moving.or_else(|| self.source.in_contact(world, 0)).or_else(|| self.source.plain(world, None))
            }
        };
        value.unwrap_or(f64::NAN)
    }
}

/// A body as the state stores it.
fn stored(world: &World, id: BodyId) -> Option<BodyInstant> {
    let body = world.model().bodies().get(id)?;
    let state = world.state().bodies.get(id.index())?;
    Some(BodyInstant {
        at: state.position - state.orientation * body.mass.center,
        center: state.position,
        orientation: state.orientation,
        twist: world.state().twist(id.index()),
        acceleration: Twist::default(),
    })
}
