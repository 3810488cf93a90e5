//! Velocities of a solve → rotation rates of the arms of joints.
//!
//!   |Ω × r|/|r|  across,   |Ω · r|/|r|  along,      r from the centre of mass to the joint
//!   |Δv|/|r|                                        Δv of the two points of a slack cable link; counts as across
//!
//! An arm that rotates by φ in a step opens its joint by ½ φ² r: position iterations close it (`integrate/shake.rs`),
//! or the step is halved (`integrate/substeps.rs`). A slack link does not hold its points together: rope pushed ahead
//! of an object may pass a whole element in a step.

use crate::body::frame::Frame;
use crate::body::twist::Twist;
use crate::force::free_motion::FreeMotion;
use crate::row::rows::{Group, Rows};

/// Arms shorter than this fraction of a body's radius of gyration belong to a body that rotates about its joint.
const SHORT_ARM: f64 = 0.01;

/// Bodies that spin about their arms faster than this multiple of the threshold get no position iterations: the
/// nutation of a top at half a radian per step would grow.
const SPINNING: f64 = 25.0;

/// Rotation rates of the arms of joints on their bodies, from the centre of mass [rad/s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turning {
    /// The fastest |Ω × r|/|r|,
    pub across: f64,
    /// the index of its body,
    pub body: Option<u32>,
    /// and the fastest |Ω · r|/|r|.
    pub along: f64,
    /// The fastest |Ω × r|/|r| of joints other than the links of cables.
    pub at_joints: f64,
}

impl Turning {
    /// The rates of the joints among some groups of rows.
    pub(super) fn of(
        rows: &Rows,
        groups: &[u32],
        (twists, forces): (&[Twist], &[f64]),
        free: &FreeMotion,
    ) -> Turning {
        let (mut across, mut along, mut body, mut at_joints) = (0.0, 0.0, None, 0.0);
        for group in groups.iter().map(|g| &rows.groups[*g as usize]).take_while(|g| g.joint().is_some()) {
            if let Some((rate, place)) =
                passing(group, rows, twists, forces).filter(|(rate, _)| *rate > across)
            {
                (across, body) = (rate, Some(place));
            }
            let is_link = group.rows().next().is_some_and(|row| rows.rows[row].is_link());
            for frame in rows.frames[group.frames()].iter().filter(|frame| frame.free) {
                let (r, spin) = (frame.at - frame.center, twists[frame.body as usize].angular_velocity);
                let (arm, turned) = (r.length_squared(), spin.cross(r).length_squared());
                let rolled = spin.dot(r) * spin.dot(r);
                let is_slow = turned <= across * arm && rolled <= along * arm;
                if is_slow && (is_link || turned <= at_joints * arm) {
                    continue;
                }
                let inertial = &free.inertial[frame.body as usize];
                if arm * inertial.mass <= SHORT_ARM * SHORT_ARM * inertial.moments.max_element() {
                    continue;
                }
                along = f64::max(along, rolled / arm);
                if !is_link {
                    at_joints = f64::max(at_joints, turned / arm);
                }
                if turned > across * arm {
                    (across, body) = (turned / arm, Some(frame.body));
                }
            }
        }
        Turning { across: across.sqrt(), body, along: along.sqrt(), at_joints: at_joints.sqrt() }
    }

    /// Whether joints rotate fast enough to need position iterations, and nothing spins too fast for them.
    pub(super) fn calls_for_rounds(&self, from: f64) -> bool {
        self.at_joints > from && self.along < SPINNING * from
    }
}

/// (|Δv|/|r|)² of the two points of a slack link, r the longer of its arms, and the index of that body.
fn passing(group: &Group, rows: &Rows, twists: &[Twist], forces: &[f64]) -> Option<(f64, u32)> {
    let [a, b] = &rows.frames[group.frames()] else { return None };
    let row = group.rows().start;
    if !rows.rows[row].is_link() || forces[row] < rows.rows[row].hi {
        return None;
    }
    let velocity = |frame: &Frame| {
        let Twist { velocity, angular_velocity } = twists[frame.body as usize];
        velocity + angular_velocity.cross(frame.at - frame.center)
    };
    let arm = |frame: &Frame| if frame.free { (frame.at - frame.center).length_squared() } else { 0.0 };
    let longer = if arm(a) > arm(b) { a } else { b };
    Some(((velocity(b) - velocity(a)).length_squared() / arm(longer), longer.body))
}
