//! Sequential impact impulses (AERO §3.6): velocities jump, poses do not.
//!
//!   p = (1 + e) v / (n·K n),  friction inside its cone;  K p the change of the relative velocity at the point
//!
//! While any rigid point in contact approaches faster than `bounce_speed`, the fastest receives its impulse,
//! with at most 2k impulses for k points in contact. So an impulse propagates through a row of touching balls and the
//! last one departs. A box that falls flat starts to rotate, as in AERO (Fig. 22); spring contacts do not
//! show this. Approach that remains after 2k impulses is left to the penalty forces, unless they made little difference:
//! a light body between a heavy one and the ground would pass on impulse after impulse, one for each of its masses in
//! that of the heavy one. Then all points receive their impulses at once (`simultaneous.rs`).
//!
//! K is computed with the factorisation of the accelerations: joints transmit impulses to round-off; motors and
//! friction in joints, whose forces are finite, do not.

use super::simultaneous;
use super::struck::{Struck, note};
use super::time_of_impact::{IMPACTS, NEAR, hits};
use crate::contact::relative;
use crate::contact::surface::ContactParameters;
use crate::contact::surface::is_hard;
use crate::contact::{Contact, ContactPair};
use crate::model::Model;
use crate::model::state::{ContactState, State};
use crate::row::BoundMode;
use crate::row::RowLaw;
use crate::row::rows::Rows;
use crate::settings::ImpactLaw;
use crate::solve::problem::Problem;
use crate::solve::regularize::RegularizedRow;
use crate::stages::Stages;
use glam::{DMat3, DVec3};

/// Impulses one after another make little difference if they leave this part of the fastest approach.
const SLUGGISH: f64 = 0.25;

/// Applies impulses at a state whose contacts are found, until all points in contact separate or are slow. Returns
/// whether any was applied.
pub(crate) fn strike(
    model: &Model,
    state: &mut State,
    s: &mut Stages,
    (impacts, struck): (&mut usize, &mut Vec<ContactState>),
) -> bool {
    let touches = |hit: &(&ContactPair, &Contact, f64)| hit.1.gap <= NEAR;
    let by_impulse = model.settings.contact.penalty.collision == ImpactLaw::Impulse;
    if !by_impulse || !hits(model, state, &s.contacts).any(|hit| touches(&hit)) {
        return false;
    }
    s.solution.problems_mut().for_each(|problem| loosen(problem, &s.rows));
    *impacts += 1;
    let tired = *impacts > IMPACTS;
    let near = |p: &ContactPair| s.contacts.list[p.points.clone()].iter().filter(|c| c.gap <= NEAR).count();
    let count: usize = s.contacts.pairs.iter().filter(|p| is_hard(&p.touch)).map(near).sum();
    let (mut first, mut last) = (0.0f64, 0.0);
    for _ in 0..2 * count {
        let all = hits(model, state, &s.contacts).filter(touches);
        let fastest = all.reduce(|best, hit| if hit.2 > best.2 { hit } else { best });
        let Some((pair, contact, approach)) = fastest else { return true };
        (first, last) = (first.max(approach), approach);
        let mut met = Struck::new(state, pair, contact.point, &mut s.solution.islands, &s.rows);
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| met.by(axis));
        let touch = if tired { ContactParameters { restitution: 0.0, ..pair.touch } } else { pair.touch };
        let velocity = relative(&state.bodies, pair, contact.point);
        let p = impulse(DMat3::from_cols(x, y, z), velocity, contact.normal, &touch);
        met.by(p);
        met.apply(state);
        note(pair, contact, p, struck);
    }
    if last > SLUGGISH * first {
        simultaneous::strike(state, s, tired, struck);
    }
    true
}

/// The impulse on the second body: reverses the normal velocity, and stops the tangential one if friction suffices.
pub(crate) fn impulse(mobility: DMat3, velocity: DVec3, n: DVec3, touch: &ContactParameters) -> DVec3 {
    let (e, approach) = (touch.restitution, -n.dot(velocity));
    let plain = n * ((1.0 + e) * approach / n.dot(mobility * n).max(1e-300));
    let sliding = velocity + n * approach;
    if touch.stick == 0.0 || sliding.length() < 1e-12 * approach {
        return plain;
    }
    let stopped = mobility.inverse() * (n * (e * approach) - velocity);
    let pressed = n.dot(stopped);
    let wanted = if (stopped - n * pressed).length() <= touch.stick * pressed {
        stopped
    } else {
        let along = n - sliding.normalize() * touch.slide;
        along * ((1.0 + e) * approach / n.dot(mobility * along))
    };
    // friction that would reverse the sliding and add energy is omitted; so is what a joint makes singular
    let gain = wanted.dot(velocity + 0.5 * (mobility * wanted));
    if gain <= 0.0 && n.dot(wanted) > 0.0 { wanted } else { plain }
}

/// Prepares a problem for impulses: rigid rows keep holding, rows with finite force are released.
fn loosen(problem: &mut Problem, rows: &Rows) {
    let mut changed = false;
    problem.active.release_bounds();
    problem.rows.fill(RegularizedRow::default());
    for local in 0..problem.numbering.rows.len() {
        let row = &rows.rows[problem.numbering.rows[local]];
        let yields = row.is_bounded() && matches!(row.law, RowLaw::Velocity { .. });
        if yields && problem.active.modes[local] == BoundMode::Between {
            problem.active.modes[local] = BoundMode::Low;
            changed = true;
        }
    }
    if changed {
        problem.factorise(rows);
    }
}
