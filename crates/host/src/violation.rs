//! Violated and redundant constraints of the last evaluation: gaps of rigid joints, penetrating bodies, redundant
//! equations.
//!
//! All of it is read off the rows and contacts that the last step or the last `World::inspect` left behind. Nothing is
//! solved.

use windlass_engine::body::twist::Twist;
use windlass_engine::prelude::{Contact, JointId, Row, World};
use windlass_engine::row::rows::Group;
use windlass_engine::row::{Role, RowLaw, rate};

/// Differences of speed below this are not reported [m/s or rad/s].
const JERK: f64 = 1e-3;

/// The largest gap of the rigid rows of each joint [m or rad], with the joint's index in the model. Broken joints are
/// left out.
///
/// A unilateral row counts only as far as it is beyond its stop.
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
            RowLaw::Spring(_)
            | RowLaw::Velocity { .. }
            | RowLaw::Maxwell { .. }
            | RowLaw::Transverse { .. } => 0.0,
        };
        worst.max(open)
    })
}

/// The joints with a velocity jump at the start: one body has a prescribed velocity that the other bodies do not have.
/// Name of the joint, of the body, and the difference between its rate and the prescribed one [m/s or rad/s].
pub fn jerks(world: &World) -> Vec<(String, String, f64)> {
    let (model, state, rows) = (world.model(), world.state(), &world.stages().rows);
    let driven = |body: u32| {
        let body = model.bodies().at(body as usize)?;
        (!body.is_dynamic() && body.carried(state.time)?.twist != Twist::default()).then(|| body.name.clone())
    };
    let slip = |row: usize| {
        let pulls = match rows.rows[row].law {
            RowLaw::Rigid | RowLaw::Spring(_) => matches!(rows.rows[row].role, Role::Hold),
            RowLaw::Velocity { .. } | RowLaw::Maxwell { .. } | RowLaw::Transverse { .. } => false,
        };
        let rate = rate(rows.blocks(row), |place| state.twist(place)) - rows.rows[row].speed;
        if pulls { rate.abs() } else { 0.0 }
    };
    let jerk = |group: &Group| {
        let blocks = group.rows().flat_map(|row| rows.blocks(row));
        let body = blocks.filter_map(|block| driven(block.body)).next()?;
        let most = group.rows().map(slip).fold(0.0, f64::max);
        (most > JERK).then(|| (joint_name(world, group.joint().unwrap_or_default()), body, most))
    };
    rows.groups.iter().filter(|group| group.joint().is_some()).filter_map(jerk).collect()
}

/// The name of the joint with an index of the model; empty if there is none.
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
