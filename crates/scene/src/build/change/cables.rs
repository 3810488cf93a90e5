//! Cables that a change removes, cuts, splices and adds.

use super::{Change, Refused, places};
use crate::build::cable::{self, BuiltCable, CableRef, links_at};
use crate::subsystem::mass_points::PointCable;
use crate::text::Scene;
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
            (Some(&j), Some(&k)) => (&was[j].laying, was[j].points) == (&is[k].laying, is[k].points),
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
                    self.cut(&entry.span, laid[j].id, &was[j].cuts, &plan.cuts)?;
                    laid[j].id
                }
                _ => {
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
