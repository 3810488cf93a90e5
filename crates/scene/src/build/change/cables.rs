//! Cables that a change removes, gives another section, cuts, splices and adds.

use super::{Change, Refused, is_rewritten, places};
use crate::build::cable::{self, BuiltCable, CableRef, links_at};
use crate::subsystem::mass_points::PointCable;
use crate::text::cable::Cable as CableText;
use crate::text::{Entry, Scene};
use std::ops::Range;
use windlass_engine::prelude::{CableSpec, Edit, World};

impl Change<'_> {
    /// Removes, cuts, splices and adds cables; returns all of the new scene.
    pub(super) fn cables(
        &mut self,
        (old, was): (&Scene, Vec<Option<cable::Plan>>),
        (new, is): (&Scene, Vec<Option<cable::Plan>>),
        laid: &[BuiltCable],
    ) -> Result<Vec<BuiltCable>, Refused> {
        // both scenes have been built once, so none is missing here
        let [was, is] = [was, is].map(|plans| plans.into_iter().flatten().collect::<Vec<_>>());
        let (before, after) = (places(&old.cables), places(&new.cables));
        let is_kept = |name: &str| match (before.get(name), after.get(name)) {
            (Some(&j), Some(&k)) => {
                (&was[j].laying, was[j].points) == (&is[k].laying, is[k].points)
                    || keeps_elements((old, &was[j], j), (new, &is[k], k))
            }
            _ => false,
        };
        for (entry, cable) in old.cables.iter().zip(laid) {
            let model = self.world.model();
            let removal = match cable.id {
                CableRef::Elements(id) => model.cables().get(id).map(|_| Edit::RemoveCable(id)),
                CableRef::Points(cable) => cable.removal(self.world),
            };
            if let Some(removal) = removal.filter(|_| !is_kept(&entry.name)) {
                self.edit(&(0..0), removal)?;
            }
        }
        let mut all = Vec::new();
        for (entry, plan) in new.cables.iter().zip(&is) {
            let id = match before.get(entry.name.as_str()) {
                Some(&j) if is_kept(&entry.name) => {
                    self.refit(entry, laid[j].id, &was[j].laying, &plan.laying)?;
                    self.cut(&entry.span, laid[j].id, &was[j].cuts, &plan.cuts)?;
                    laid[j].id
                }
                known => {
                    // a catenary has no state of its own
                    if known.is_some() && plan.laying.hang.is_none() {
                        let name = &entry.name;
                        self.notes.push(format!(
                            "cables.{name}: created again at rest, along its path at the start of the scene"
                        ));
                    }
                    let laying = moved(self.world, plan.laying.clone());
                    let edit = match plan.points {
                        Some(points) => points.lay(&laying, self.world),
                        None => Edit::AddCable(Box::new(laying)),
                    };
                    let id = match self.edit(&entry.span, edit)? {
                        Edit::RemoveCable(id) => CableRef::Elements(id),
                        undo => CableRef::Points(
                            PointCable::undone_by(&undo).expect("laying a cable is undone by removing it"),
                        ),
                    };
                    self.cut(&entry.span, id, &[], &plan.cuts)?;
                    id
                }
            };
            all.push(plan.clone().laid(id));
        }
        Ok(all)
    }

    /// Gives a running cable another section. It keeps its unloaded length, whatever its `tension` at the start.
    fn refit(
        &mut self,
        entry: &Entry<CableText>,
        id: CableRef,
        was: &CableSpec,
        is: &CableSpec,
    ) -> Result<(), Refused> {
        let CableRef::Elements(cable) = id else { return Ok(()) };
        if (was.section, was.under_load) != (is.section, is.under_load) {
            let (section, under_load) = (Box::new(is.section), is.under_load);
            self.edit(&entry.span, Edit::SetSection { cable, section, under_load })?;
        }
        if was.strain != is.strain && entry.value.tension.is_some() {
            let name = &entry.name;
            self.notes.push(format!(
                "cables.{name}: keeps its unloaded length, since `tension` is that at the start"
            ));
        }
        Ok(())
    }

    /// Splices a cable where it is no longer cut, and cuts it where it is now.
    fn cut(&mut self, span: &Range<usize>, id: CableRef, was: &[f64], is: &[f64]) -> Result<(), Refused> {
        let CableRef::Elements(id) = id else { return Ok(()) };
        let Some(cable) = self.world.model().cables().get(id) else { return Ok(()) };
        let (was, is) = (links_at(cable, was), links_at(cable, is));
        let changed = |from: &[usize], to: &[usize], cut: bool| -> Vec<Edit> {
            let other = from.iter().filter(|k| !to.contains(k)).filter_map(|k| cable.links.get(*k));
            other.map(|link| Edit::Cut { link: *link, cut }).collect()
        };
        let edits: Vec<_> = changed(&was, &is, false).into_iter().chain(changed(&is, &was, true)).collect();
        for edit in edits {
            self.edit(span, edit)?;
        }
        Ok(())
    }
}

/// Whether the elements of a running cable fit a new plan: it has another section only, or another value of its
/// `tension` at the start by a parameter.
fn keeps_elements(
    (old, was, j): (&Scene, &cable::Plan, usize),
    (new, is, k): (&Scene, &cable::Plan, usize),
) -> bool {
    let [before, after] = [&old.cables[j].value, &new.cables[k].value];
    let (laid, mut laying) = (&was.laying, is.laying.clone());
    if was.points.is_some() || is.points.is_some() || laid.hang.is_some() {
        return false;
    }
    (laying.section, laying.under_load) = (laid.section, laid.under_load);
    if !is_rewritten((old, &before.tension), (new, &after.tension)) {
        laying.strain = laid.strain;
    }
    // the number of elements, and with it the points of a sagging line, follow from the diameter unless they are given
    let ends = |spec: &CableSpec| (spec.path.first().copied(), spec.path.last().copied());
    if (&before.elements, &before.path) == (&after.elements, &after.path) && ends(laid) == ends(&laying) {
        (laying.elements, laying.path) = (laid.elements, laid.path.clone());
    }
    laying == *laid
}

/// A cable on bodies that have moved since the start: its path moves along, each end with its body.
fn moved(world: &World, mut laying: CableSpec) -> CableSpec {
    let count = laying.path.len();
    if count < 2 {
        return laying;
    }
    let places = [laying.path[0], laying.path[count - 1]];
    let shift = |k: usize| {
        let anchor = laying.ends[k].anchor()?;
        Some(world.model().frame(world.state(), anchor).at - places[k])
    };
    let [first, last] = match [shift(0), shift(1)] {
        [Some(a), Some(b)] => [a, b],
        [Some(a), None] | [None, Some(a)] => [a; 2],
        [None, None] => return laying,
    };
    let total: f64 = laying.path.windows(2).map(|p| p[0].distance(p[1])).sum();
    let (mut along, mut before) = (0.0, laying.path[0]);
    for point in &mut laying.path {
        along += point.distance(before);
        before = *point;
        *point += first.lerp(last, along / total);
    }
    laying
}
