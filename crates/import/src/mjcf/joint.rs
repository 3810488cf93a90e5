//! `<joint>` and `<freejoint>`: coordinates of a body, from its parent outward.

use super::Reader;
use super::defaults::View;
use super::parent::Parent;
use crate::error::ImportError;
use crate::machine::{Acts, Coordinate, Motion, Pose};
use crate::notes::NoteKind;
use crate::xml::{Attribute, Element, quote};
use glam::{DQuat, DVec3};

impl<'a> Reader<'a> {
    /// Reads a joint.
    pub fn joint(&mut self, element: &'a Element, parent: Parent) -> Result<(), ImportError> {
        if parent.link == 0 {
            return Err(ImportError::at(&element.place, "the world has a joint", "move it into a <body>"));
        }
        let view = self.classes.view(element, parent.class)?;
        let free = element.tag == "freejoint";
        let kind = if free { None } else { view.get("type") };
        let motion = match (free, kind.map_or("hinge", |a| a.value.as_str())) {
            (true, _) | (_, "free") => Motion::Free(Pose::ZERO),
            (_, "ball") => Motion::Ball(DQuat::IDENTITY),
            (_, "slide") => Motion::Slide,
            (_, "hinge") => Motion::Hinge,
            _ => {
                let known = "free, ball, slide or hinge";
                return Err(kind.map_or_else(
                    || ImportError::at(&element.place, "unknown `type` of a joint", known),
                    |a| a.unknown(known),
                ));
            }
        };
        let is_free = matches!(motion, Motion::Free(_));
        let turns = matches!(motion, Motion::Hinge | Motion::Ball(_));
        let unit = if turns { self.compiler.angle } else { 1.0 };
        let axis = view.get("axis").map_or(Ok(DVec3::Z), Attribute::direction)?;
        let at = view.get("pos").map_or(Ok(DVec3::ZERO), Attribute::vector)?;
        let zero = view.number_or("ref", 0.0)? * unit;
        let zero = if matches!(motion, Motion::Hinge | Motion::Slide) { zero } else { 0.0 };
        let acts =
            if is_free { Acts::default() } else { acts(&view, unit, zero, self.compiler.auto_limits)? };
        self.tell_polynomials(&view);

        let link = self.machine.links[parent.link].name.clone();
        if is_free && self.machine.links[parent.link].parent != Some(0) {
            let help = "only a body directly in <worldbody> may have one";
            return Err(ImportError::at(&element.place, "a free joint inside a body", help));
        }
        let name = match element.get("name") {
            Some(name) => name.value.clone(),
            None => self.joint_names.unique(&format!("{link}_joint")),
        };
        let coordinates = &mut self.machine.links[parent.link].coordinates;
        let place = (parent.link, coordinates.len());
        if self.joints.insert(name.clone(), place).is_some() {
            let message = format!("there are two joints \"{}\"", quote(&name));
            return Err(ImportError::at(&element.place, message, "give each a unique name"));
        }
        // a frame around the joint transforms it
        let (axis, at) = (parent.frame.turn * axis, parent.frame.point(at));
        let place = element.place.clone();
        coordinates.push(Coordinate { name, place, motion, axis, at, zero, start: 0.0, acts });
        Ok(())
    }

    /// Springs and dampers with nonlinear forces.
    fn tell_polynomials(&mut self, view: &View<'a>) {
        for name in ["stiffness", "damping"] {
            if let Some(a) = view.get(name)
                && a.value.split_ascii_whitespace().count() > 1
            {
                let what = format!("`{name}` of joints: only its first number, the linear part, is used");
                self.notes.count(NoteKind::Approximated, &a.place, what);
            }
        }
    }
}

/// Drive, spring, limits and friction of a coordinate, counted from `zero`.
fn acts(view: &View<'_>, unit: f64, zero: f64, auto: bool) -> Result<Acts, ImportError> {
    let mut acts = Acts::default();
    if let Some([low, high]) = range(view, "limited", "range", auto)? {
        (acts.low, acts.high) = (Some(low * unit - zero), Some(high * unit - zero));
    }
    // forces per angle are per radian, whatever the unit of angles is
    let first = |name: &str| view.get(name).map_or(Ok(0.0), |a| Ok(a.numbers(1, 4)?[0]));
    let stiffness = first("stiffness")?;
    if stiffness > 0.0 {
        let rest = view.number_or("springref", 0.0)? * unit;
        acts.spring = Some((stiffness, rest - zero));
    }
    acts.viscosity = first("damping")?.max(0.0);
    acts.friction = view.number_or("frictionloss", 0.0)?.max(0.0);
    acts.armature = view.number_or("armature", 0.0)?.max(0.0);
    Ok(acts)
}

/// A range, if it is active.
pub fn range(
    view: &View<'_>,
    limited: &str,
    name: &str,
    auto: bool,
) -> Result<Option<[f64; 2]>, ImportError> {
    let given = view.get(name).map(|a| Ok((a, a.numbers(2, 2)?))).transpose()?;
    let limits = match view.get(limited) {
        Some(a) if a.value == "auto" => auto && given.is_some(),
        Some(a) => a.truth()?,
        None => auto && given.is_some(),
    };
    match given {
        Some((a, n)) if limits => {
            if n[0] < n[1] {
                return Ok(Some([n[0], n[1]]));
            }
            // both 0 is the default and means no range
            if n[0] == 0.0 && n[1] == 0.0 {
                Ok(None)
            } else {
                Err(a.unknown("two numbers, the first below the second"))
            }
        }
        _ => Ok(None),
    }
}
