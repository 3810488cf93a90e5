//! Violated and redundant constraints of the last evaluation: gaps of rigid joints, penetrating bodies, redundant equations.
//!
//! All of it is read off the rows and contacts that the last step or the last `World::inspect` left behind. Nothing is solved.

use windlass_engine::prelude::{Contact, JointId, Row, World};
use windlass_engine::row::RowLaw;
use windlass_engine::row::rows::Group;

/// The largest gap of the rigid rows of each joint [m or rad], with the joint's place in the model. Broken joints are left out.
///
/// Of a one-sided row only what is beyond its stop counts.
pub fn gaps(world: &World) -> impl Iterator<Item = (usize, f64)> + '_ {
    let rows = &world.stages().rows;
    let of = |group: &Group| Some((group.joint()?, widest(&rows.rows[group.rows()])));
    rows.groups.iter().filter_map(of)
}

/// The largest gap of one joint [m or rad]; none if it is broken.
pub fn gap(world: &World, joint: JointId) -> Option<f64> {
    let rows = &world.stages().rows;
    let group = rows.groups.iter().find(|g| g.joint() == Some(joint.index()))?;
    Some(widest(&rows.rows[group.rows()]))
}

fn widest(rows: &[Row]) -> f64 {
    rows.iter().fold(0.0, |worst: f64, row| {
        let open = match row.law {
            RowLaw::Rigid if row.lo == 0.0 => (-row.gap).max(0.0),
            RowLaw::Rigid => row.gap.abs(),
            RowLaw::Spring(_) | RowLaw::Velocity { .. } | RowLaw::Transverse { .. } => 0.0,
        };
        worst.max(open)
    })
}

/// The name of the joint at a place of the model; empty if there is none.
pub fn joint_name(world: &World, place: usize) -> String {
    world.model().joints().at(place).map_or_else(String::new, |j| j.name.clone())
}

/// The names of the two bodies with the deepest penetration among the last contacts found.
pub fn deepest_pair(world: &World) -> Option<[String; 2]> {
    let contacts = &world.stages().contacts;
    let lowest = |points: &[Contact]| points.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
    let gaps = contacts.pairs.iter().map(|pair| (lowest(&contacts.list[pair.points.clone()]), pair));
    let (_, pair) = gaps.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let name = |place: u32| world.model().bodies().at(place as usize).map(|b| b.name.clone());
    let [a, b] = pair.parts.map(|part| name(part.body).unwrap_or_default());
    Some([a, b])
}

/// The joints whose reactions are statically indeterminate at the present state.
pub fn indeterminate(world: &mut World) -> Vec<String> {
    let joints = world.inspect().indeterminate();
    joints.into_iter().map(|id| joint_name(world, id.index())).collect()
}

/// The joints with redundant rows in the last solve: name and number of such rows.
pub fn redundant(world: &World) -> Vec<(String, usize)> {
    world.redundant().into_iter().map(|(id, rows)| (joint_name(world, id.index()), rows)).collect()
}
