//! Ropes that a change removes, edits in place, re-creates and adds.
//!
//! A running rope keeps its present unloaded length L off the winches: what they have wound since the start stays
//! wound.
//!
//! ```text
//!  section, friction, …          L; the tension follows
//!  `length` changed by Δ         L + Δ
//!  `tension` rewritten to T      present path/(1 + T/EA); L if only the value of its expression changes
//!  other points of the route     on the present path: L + Δ if `length` is given, else with the `tension` of the text
//! ```
//!
//! A massless rope is edited in place. Flexible segments are if only their section or friction differs. Otherwise their
//! elements are created again at rest, along the present path.

use super::{Change, Refused, is_rewritten, places, same};
use crate::build::cable::BuiltCable;
use crate::build::route::{Reeve, Reeved, RopeModel, StatedLength};
use crate::suggestion::digits;
use crate::text::Scene;
use std::ops::Range;
use windlass_engine::prelude::{
    Anchor, ConstraintView, Edit, EditError, Joint, JointId, JointKind, Rope, RopeAttachment, RopeReading,
    Route, RoutePoint, Routed, Strength, UnderLoad, World,
};

/// What a change says about the length of a running rope.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wanted {
    /// Nothing.
    Kept,
    /// It is longer by this [m].
    Longer(f64),
    /// It has this tension on its present path [N].
    Pulled(f64),
}

/// A running rope that is in both scenes.
struct Running<'a> {
    rope: &'a Reeved,
    was: &'a Reeve,
    wanted: Wanted,
    /// Whether its points are the same, except for friction and what is wound on drums.
    same_route: bool,
    /// Whether it can be edited in place.
    in_place: bool,
    /// Its present unloaded length off the winches [m].
    length: f64,
    /// Present turns on the drums at its ends.
    turns: [f64; 2],
    /// Present length of rope on these [m]; none for a massless rope.
    stock: Option<[f64; 2]>,
}

impl Change<'_> {
    /// Removes, changes and adds ropes, which have their own list of joints; returns all of the new scene, including
    /// the cables of flexible segments.
    pub(super) fn ropes(
        &mut self,
        (old, was): (&Scene, &[Reeve]),
        (new, is): (&Scene, Vec<Reeve>),
        reeved: &[Reeved],
    ) -> Result<(Vec<Reeved>, Vec<BuiltCable>), Refused> {
        let before = places(&old.ropes);
        let known = |(k, plan): (usize, &Reeve)| {
            let &j = before.get(new.ropes[k].name.as_str())?;
            Running::of(self.world, &reeved[j], (old, &was[j], j), (new, plan, k))
        };
        let running: Vec<Option<Running<'_>>> = is.iter().enumerate().map(known).collect();
        for rope in reeved {
            if !running.iter().flatten().any(|own| own.in_place && std::ptr::eq(own.rope, rope)) {
                self.unreeve(rope)?;
            }
        }
        let (mut all, mut fed) = (Vec::new(), Vec::new());
        for ((entry, plan), running) in new.ropes.iter().zip(is).zip(running) {
            let routed = match &running {
                None => self.add_rope(&entry.span, &plan.way)?,
                Some(running) => {
                    let routed = self.change_rope(&entry.span, running, &plan)?;
                    let note = running.note(self.world, &routed, &plan.stated);
                    self.notes.extend(note.map(|note| format!("cables.{}: {note}", entry.name)));
                    routed
                }
            };
            fed.extend(plan.laid(&routed));
            all.push(plan.reeved(routed));
        }
        Ok((all, fed))
    }

    /// Removes a rope with its elements.
    fn unreeve(&mut self, rope: &Reeved) -> Result<(), Refused> {
        for id in &rope.ropes {
            if self.world.model().joints().get(*id).is_some() {
                self.edit(&(0..0), Edit::RemoveJoint(*id))?;
            }
        }
        match rope.cable.filter(|id| self.world.model().cables().get(*id).is_some()) {
            Some(cable) => self.edit(&(0..0), Edit::RemoveCable(cable)).map(drop),
            None => Ok(()),
        }
    }

    fn add_rope(&mut self, span: &Range<usize>, way: &RopeModel) -> Result<Routed, Refused> {
        match way {
            RopeModel::Rope(joint) => {
                let id = self.joint(span, None, joint)?;
                Ok(Routed { ropes: vec![id], cable: None })
            }
            RopeModel::Route(route) => {
                let Change { world, done, undo, .. } = self;
                let added = world.add_route_by(route, &mut |world, edit| {
                    let back = world.edit(edit.clone())?;
                    done.push(edit);
                    undo.push(back.clone());
                    Ok(back)
                });
                added.map_err(|refusal| (span.clone(), refusal))
            }
        }
    }

    /// Brings a running rope to its plan.
    fn change_rope(
        &mut self,
        span: &Range<usize>,
        running: &Running<'_>,
        plan: &Reeve,
    ) -> Result<Routed, Refused> {
        let own = Routed { ropes: running.rope.ropes.clone(), cable: running.rope.cable };
        match (&plan.way, &running.was.way) {
            (RopeModel::Rope(joint), RopeModel::Rope(_)) => {
                let id = own.ropes[0];
                if !same_points(&points(&running.was.way), &points(&plan.way), true) {
                    self.edit(span, Edit::SetJoint(id, Box::new(running.on_present_path(joint))))?;
                }
                self.fit(span, id, running, (joint, &plan.stated))?;
                Ok(own)
            }
            (RopeModel::Rope(joint), RopeModel::Route(_)) => {
                let id = self.joint(span, None, &running.on_present_path(joint))?;
                self.fit(span, id, running, (joint, &plan.stated))?;
                Ok(Routed { ropes: vec![id], cable: None })
            }
            (RopeModel::Route(route), _) if running.in_place => {
                self.refit_route(span, running, route)?;
                Ok(own)
            }
            (RopeModel::Route(route), _) => {
                let route = running.laid_now(self.world, route, &plan.stated);
                let route = route.map_err(|problem| {
                    (span.clone(), EditError::Cable { name: running.rope.name.clone(), problem })
                })?;
                self.add_rope(span, &RopeModel::Route(Box::new(route)))
            }
        }
    }

    /// Gives a massless rope that lies on its points the other properties of its plan, and its lengths.
    fn fit(
        &mut self,
        span: &Range<usize>,
        id: JointId,
        running: &Running<'_>,
        (plan, stated): (&Joint, &StatedLength),
    ) -> Result<(), Refused> {
        let (JointKind::Rope(wanted), Some(reading)) = (&plan.kind, self.world.rope(id)) else {
            return Ok(());
        };
        let attachments = wanted.vias.iter().map(|via| via.attachment);
        let like = (wanted.stiffness, wanted.damping, plan.strength);
        let lengths = running.lengths(&reading, wanted.stiffness, stated);
        let paid = wanted.paid.clone();
        self.set_rope(span, id, like, attachments, |rope| {
            rope.paid = paid;
            let now = reading.lengths.iter().zip(&reading.slack).map(|(way, slack)| way + slack);
            for ((material, long), now) in rope.material.iter_mut().zip(lengths).zip(now) {
                *material += long - now;
            }
        })
    }

    /// Gives the elements and the ropes of a route with flexible segments another section, and its points their
    /// friction.
    fn refit_route(
        &mut self,
        span: &Range<usize>,
        running: &Running<'_>,
        route: &Route,
    ) -> Result<(), Refused> {
        let RopeModel::Route(was) = &running.was.way else { return Ok(()) };
        if let Some(cable) = running.rope.cable
            && (was.section, was.under_load) != (route.section, route.under_load)
        {
            let (section, under_load) = (Box::new(route.section), route.under_load);
            self.edit(span, Edit::SetSection { cable, section, under_load })?;
        }
        // a clamp at the start belongs to the elements
        let clamp = usize::from(route.points[0].1.radius == 0.0 && route.flexible[0]);
        let mut attachments = route.points[clamp..].iter().map(|(_, via)| via.attachment);
        let bears = route.section.bears(&UnderLoad::default());
        let strength = bears.map(|force| Strength { force, torque: f64::INFINITY });
        let like = (route.section.stretch, route.section.damping[0], strength);
        for &id in &running.rope.ropes {
            let Some(rope) = rope_of(self.world, id) else { continue };
            let [first, last] = rope.feed.map_or([false; 2], |feed| feed.sides);
            let ends = |at: bool| at.then_some(RopeAttachment::Fixed);
            let inner = rope.vias.len() - usize::from(first) - usize::from(last);
            let own: Vec<_> =
                ends(first).into_iter().chain(attachments.by_ref().take(inner)).chain(ends(last)).collect();
            self.set_rope(span, id, like, own.into_iter(), |rope| {
                if let Some(feed) = &mut rope.feed {
                    feed.twist = route.section.twist > 0.0;
                }
            })?;
        }
        Ok(())
    }

    /// Changes a rope where it lies. It keeps its memory: angles on drums, wraps, rotation of spans, and whether it is
    /// broken.
    fn set_rope(
        &mut self,
        span: &Range<usize>,
        id: JointId,
        (stiffness, damping, strength): (f64, f64, Option<Strength>),
        attachments: impl Iterator<Item = RopeAttachment>,
        more: impl FnOnce(&mut Rope),
    ) -> Result<(), Refused> {
        let Some(joint) = self.world.model().joints().get(id) else { return Ok(()) };
        let (mut joint, old) = (joint.clone(), joint.clone());
        let mut memory = self.world.state().joints[id.index()].clone();
        let JointKind::Rope(rope) = &mut joint.kind else { return Ok(()) };
        let rows = |rope: &Rope| {
            let friction =
                |via: &RoutePoint| is_fixed(via.attachment) || via.attachment == RopeAttachment::Smooth;
            (rope.vias.iter().map(friction).collect::<Vec<_>>(), rope.feed.map(|feed| feed.twist))
        };
        let before = rows(rope);
        (rope.stiffness, rope.damping) = (stiffness, damping);
        for (via, attachment) in rope.vias.iter_mut().zip(attachments) {
            if !is_fixed(via.attachment) {
                via.attachment = attachment;
            }
        }
        more(rope);
        if before != rows(rope) {
            // forces of other rows are no start values
            (memory.forces, memory.modes) = (Vec::new(), Vec::new());
        }
        joint.strength = strength;
        match same(&old, &joint) {
            true => Ok(()),
            false => self.edit(span, Edit::ReplaceJoint(id, Box::new((joint, memory)))).map(drop),
        }
    }
}

impl<'a> Running<'a> {
    /// A rope of both scenes; none if it is no longer in the world.
    fn of(
        world: &World,
        rope: &'a Reeved,
        (old, was, j): (&Scene, &'a Reeve, usize),
        (new, is, k): (&Scene, &Reeve, usize),
    ) -> Option<Running<'a>> {
        let reading = match rope.cable {
            Some(cable) => world.route(cable)?,
            None => world.rope(*rope.ropes.first()?)?,
        };
        let (before, after) = (&old.ropes[j].value, &new.ropes[k].value);
        let (stated, tension) = (is.stated, is.stated.tension);
        let wanted = match (stated.length, tension) {
            (Some(length), _) if stated.length != was.stated.length => {
                Wanted::Longer(length - was.stated.at_start)
            }
            (_, Some(tension))
                if is.stated.tension != was.stated.tension
                    && is_rewritten((old, &before.tension), (new, &after.tension)) =>
            {
                Wanted::Pulled(tension)
            }
            _ => Wanted::Kept,
        };
        let same_route = same_points(&points(&was.way), &points(&is.way), false);
        let in_place = match (&was.way, &is.way) {
            (RopeModel::Rope(_), RopeModel::Rope(_)) => true,
            (RopeModel::Route(was), RopeModel::Route(is)) => {
                // the default length of elements follows from the diameter
                let elements = (&before.elements, &before.element) == (&after.elements, &after.element);
                wanted == Wanted::Kept
                    && (elements || was.element == is.element)
                    && (was.stock, &was.flexible, was.surface) == (is.stock, &is.flexible, is.surface)
                    && same_points(&was.points, &is.points, true)
            }
            _ => false,
        };
        Some(Running {
            rope,
            was,
            wanted,
            same_route,
            in_place,
            length: reading.length() + reading.slack.iter().sum::<f64>(),
            turns: reading.wound,
            stock: rope.cable.and_then(|_| stock(world, rope)),
        })
    }

    /// Whether it keeps its length on other points, or as another model.
    fn keeps_length(&self, stated: &StatedLength) -> bool {
        self.same_route || stated.length.is_some()
    }

    /// A planned rope as long as its present path, with the present turns on its drums.
    fn on_present_path(&self, plan: &Joint) -> Joint {
        let mut joint = plan.clone();
        if let JointKind::Rope(rope) = &mut joint.kind {
            rope.lengths.fill(None);
            if let [first, .., last] = &mut rope.vias[..] {
                self.turn(first, last);
            }
        }
        joint
    }

    /// Gives the drums at the ends their present turns, and what the change adds to those at the start.
    fn turn(&self, first: &mut RoutePoint, last: &mut RoutePoint) {
        let before = points(&self.was.way);
        let was = [before.first(), before.last()].map(|point| point.and_then(|(_, via)| via.winding));
        for ((via, was), turns) in [first, last].into_iter().zip(was).zip(self.turns) {
            if let (Some(winding), Some(was)) = (&mut via.winding, was) {
                winding.wound += turns - was.wound;
            }
        }
    }

    /// The unloaded lengths of the runs of a massless rope that lies on its points [m].
    fn lengths(&self, reading: &RopeReading, stiffness: f64, stated: &StatedLength) -> Vec<f64> {
        let ways = &reading.lengths;
        let now: Vec<f64> = ways.iter().zip(&reading.slack).map(|(way, slack)| way + slack).collect();
        let more = match self.wanted {
            Wanted::Pulled(tension) => {
                return ways.iter().map(|way| way / (1.0 + tension / stiffness)).collect();
            }
            Wanted::Longer(more) => more,
            Wanted::Kept => 0.0,
        };
        if !self.keeps_length(stated) {
            let strain = stated.tension.unwrap_or(0.0) / stiffness;
            return ways.iter().map(|way| way / (1.0 + strain)).collect();
        }
        // as it lies, or as its path is where it was laid there just now
        let whole: f64 = now.iter().sum();
        let more = self.length + more - reading.on_sheaves - whole;
        match more.abs() > ROUND_OFF * whole {
            true => now.iter().map(|long| long * (1.0 + more / whole)).collect(),
            false => now,
        }
    }

    /// A planned route with flexible segments as it is laid now; else what is wrong.
    fn laid_now(&self, world: &World, plan: &Route, stated: &StatedLength) -> Result<Route, String> {
        let mut route = plan.clone();
        if let [(_, first), .., (_, last)] = &mut route.points[..] {
            self.turn(first, last);
        }
        (route.tension, route.slack) = match self.wanted {
            Wanted::Pulled(tension) => (tension, 0.0),
            _ if !self.keeps_length(stated) => (stated.tension.unwrap_or(0.0), 0.0),
            wanted => {
                let more = if let Wanted::Longer(more) = wanted { more } else { 0.0 };
                let (length, way) = (self.length + more, way(world, &route.points));
                if !(length > 0.0) {
                    return Err(format!("its length would be {} m: give a longer one", digits(length)));
                }
                (route.section.stretch * (way / length - 1.0).max(0.0), (length - way).max(0.0))
            }
        };
        let drums = [0, route.points.len() - 1].map(|k| route.points[k].1.radius > 0.0);
        let given = match &self.was.way {
            RopeModel::Route(was) => was.stock,
            RopeModel::Rope(_) => [0.0; 2],
        };
        match self.stock {
            Some(now) => {
                for k in 0..2 {
                    route.stock[k] = (now[k] + (route.stock[k] - given[k])).max(0.0);
                }
            }
            // what a single winch has paid out since the start is no longer on it
            None => {
                if let [true, false] | [false, true] = drums {
                    let drum = usize::from(drums[1]);
                    route.stock[drum] = (route.stock[drum] + self.was.stated.at_start - self.length).max(0.0);
                }
            }
        }
        Ok(route)
    }

    /// What the change did to its length, if that is not plain from the text.
    fn note(&self, world: &World, routed: &Routed, stated: &StatedLength) -> Option<String> {
        let reading = match routed.cable {
            Some(cable) => world.route(cable),
            None => routed.ropes.first().and_then(|id| world.rope(*id)),
        }?;
        let now = digits(reading.length() + reading.slack.iter().sum::<f64>());
        let anew = match routed.cable {
            Some(_) if !self.in_place => "; its elements were created again at rest along its path",
            _ => "",
        };
        let what = match self.wanted {
            Wanted::Longer(more) => {
                format!("its present unloaded length changes by {} m, to {now} m", digits(more))
            }
            Wanted::Pulled(tension) => format!(
                "its unloaded length is now {now} m, which gives it {} N on its present path",
                digits(tension)
            ),
            Wanted::Kept if !self.keeps_length(stated) => {
                format!("laid on its new points, with an unloaded length of {now} m")
            }
            Wanted::Kept if !anew.is_empty() || routed.cable.is_some() != self.rope.cable.is_some() => {
                format!("keeps its unloaded length of {now} m off the winches")
            }
            Wanted::Kept if self.was.stated.tension != stated.tension => {
                format!("keeps its unloaded length of {now} m, since `tension` is that at the start")
            }
            Wanted::Kept => return None,
        };
        Some(what + anew)
    }
}

/// A change of length below this share of it is round-off of the path: a dozen additions.
const ROUND_OFF: f64 = 1e-14;

fn is_fixed(attachment: RopeAttachment) -> bool {
    attachment == RopeAttachment::Fixed
}

fn rope_of(world: &World, id: JointId) -> Option<&Rope> {
    match &world.model().joints().get(id)?.kind {
        JointKind::Rope(rope) => Some(rope),
        _ => None,
    }
}

/// The points of a planned rope.
fn points(way: &RopeModel) -> Vec<(Anchor, RoutePoint)> {
    match way {
        RopeModel::Route(route) => route.points.clone(),
        RopeModel::Rope(joint) => match &joint.kind {
            JointKind::Rope(rope) => rope.anchors.iter().copied().zip(rope.vias.iter().copied()).collect(),
            _ => Vec::new(),
        },
    }
}

/// Whether two routes have the same points, apart from friction, and with the same rope on their drums if asked.
fn same_points(was: &[(Anchor, RoutePoint)], is: &[(Anchor, RoutePoint)], wound: bool) -> bool {
    let alike = |((old, was), (new, is)): (&(Anchor, RoutePoint), &(Anchor, RoutePoint))| {
        let winding = if wound { is.winding } else { was.winding };
        is_fixed(was.attachment) == is_fixed(is.attachment)
            && old == new
            && *was == RoutePoint { attachment: was.attachment, winding, ..*is }
    };
    was.len() == is.len() && was.iter().zip(is).all(alike)
}

/// Length of rope on the drums at the ends of a rope with flexible segments [m]: the elements that the rope represents,
/// less its own length off the drum.
fn stock(world: &World, rope: &Reeved) -> Option<[f64; 2]> {
    let ends = [*rope.ropes.first()?, *rope.ropes.last()?];
    let on_drum = |side: usize| {
        let (own, reading) = (rope_of(world, ends[side])?, world.rope(ends[side])?);
        let via = if side == 0 { own.vias.first()? } else { own.vias.last()? };
        let feed = own.feed.filter(|feed| !feed.sides[side] && via.radius > 0.0)?;
        let [from, to] = own.window(&world.state().joints[ends[side].index()].history)?;
        let off = reading.length() + reading.slack.iter().sum::<f64>();
        Some(((to - from) as f64 * feed.element - off).max(0.0))
    };
    Some([0, 1].map(|side| on_drum(side).unwrap_or(0.0)))
}

/// Length of the straight path over points, in the present poses [m].
fn way(world: &World, points: &[(Anchor, RoutePoint)]) -> f64 {
    let (rope, state) = (Rope::new(points), world.state());
    let frames: Vec<_> = rope.anchors.iter().map(|anchor| world.model().frame(state, anchor)).collect();
    let view = ConstraintView { frames: &frames, last: &[], history: &[], time: state.time };
    let geometry = rope.geometry(&view);
    geometry.free.iter().sum::<f64>() + rope.on_sheaves(&geometry)
}
