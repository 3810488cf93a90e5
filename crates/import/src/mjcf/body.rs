//! `<worldbody>`: bodies, frames, sites and their contents.

use super::Reader;
use super::geom::Matter;
use super::parent::Parent;
use super::settings::FromGeom;
use crate::error::ImportError;
use crate::machine::{Link, LinkFrame, Pose};
use crate::merge::balanced;
use crate::notes::NoteKind;
use crate::xml::{Attribute, Element, quote};
use glam::{DMat3, DQuat, DVec3};
use windlass_engine::prelude::Mass;

impl<'a> Reader<'a> {
    /// Reads all `<worldbody>`s.
    pub fn world(&mut self, root: &'a Element) -> Result<(), ImportError> {
        let mut world = Link::new("world".to_string(), &root.place, None, Pose::ZERO);
        world.fixed = true;
        self.machine.links.push(world);
        self.links.insert("world".to_string(), 0);
        let parent = Parent { link: 0, frame: Pose::ZERO, class: 0 };
        for element in root.all("worldbody") {
            self.inside(element, parent, &mut Matter::default())?;
        }
        Ok(())
    }

    /// Reads the contents of a body or a frame.
    fn inside(
        &mut self,
        element: &'a Element,
        parent: Parent,
        matter: &mut Matter,
    ) -> Result<(), ImportError> {
        for child in &element.children {
            match child.tag.as_str() {
                "body" => self.body(child, parent)?,
                "geom" => self.geom(child, parent, matter)?,
                "joint" | "freejoint" => self.joint(child, parent)?,
                "site" => self.place_site(child, parent)?,
                "inertial" => matter.given = Some(self.inertial(child, parent)?),
                "frame" => {
                    child.seen.set(true);
                    child.get("name");
                    let frame = parent.frame * self.compiler.pose(|name| child.get(name))?;
                    let class = self.childclass(child, parent.class)?;
                    self.inside(child, Parent { frame, class, ..parent }, matter)?;
                }
                // reported as leftovers
                _ => {}
            }
        }
        Ok(())
    }

    fn childclass(&self, element: &Element, class: usize) -> Result<usize, ImportError> {
        element.get("childclass").map_or(Ok(class), |name| self.classes.named(name))
    }

    fn body(&mut self, element: &'a Element, parent: Parent) -> Result<(), ImportError> {
        element.seen.set(true);
        let pose = parent.frame * self.compiler.pose(|name| element.get(name))?;
        let name = match element.get("name") {
            Some(name) if self.links.contains_key(&name.value) => {
                let message = format!("there are two bodies \"{}\"", quote(&name.value));
                return Err(ImportError::at(&name.place, message, "give each a unique name"));
            }
            Some(name) => name.value.clone(),
            None => self.body_names.unique("body"),
        };
        let index = self.machine.links.len();
        let mut link = Link::new(name.clone(), &element.place, Some(parent.link), pose);
        if let Some(a) = element.get("gravcomp") {
            let share = a.number()?;
            link.gravity = share != 1.0;
            if share != 0.0 && share != 1.0 {
                self.notes.add(
                    NoteKind::Ignored,
                    &a.place,
                    format!("`gravcomp` {share}: only 0 and 1 are supported"),
                );
            }
        }
        if element.get("mocap").map_or(Ok(false), Attribute::truth)? {
            let what =
                format!("mocap body \"{name}\" is static: set type = \"kinematic\" and give it a path");
            self.notes.add(NoteKind::Approximated, &element.place, what);
        }
        self.links.insert(name, index);
        self.machine.links.push(link);
        let class = self.childclass(element, parent.class)?;
        let mut matter = Matter::default();
        self.inside(element, Parent { link: index, frame: Pose::ZERO, class }, &mut matter)?;
        self.weigh(index, matter);
        Ok(())
    }

    /// Sets the mass of a link.
    fn weigh(&mut self, index: usize, matter: Matter) {
        let c = &self.compiler;
        let by_geoms = match c.from_geom {
            FromGeom::Always => true,
            FromGeom::Never => false,
            FromGeom::Auto => matter.given.is_none(),
        };
        let link = &mut self.machine.links[index];
        link.mass_of_solids = by_geoms && !matter.differs;
        link.mass = match by_geoms {
            true if matter.of_geoms.is_empty() => None,
            true => Some(Mass::combine(&matter.of_geoms)),
            false => matter.given.flatten(),
        };
        if !by_geoms {
            link.solids.iter_mut().for_each(|s| s.mass = 0.0);
        }
        // minimum mass and inertia, and balancing of moments
        let mut mass = link.mass.unwrap_or_else(|| Mass::point(0.0));
        let (moments, axes) = mass.principal_axes();
        let mut raised = moments.max(DVec3::splat(c.least_inertia));
        if c.balance {
            raised = balanced(raised);
        }
        if mass.mass < c.least_mass || raised != moments {
            mass.mass = mass.mass.max(c.least_mass);
            link.mass = (mass.mass > 0.0).then(|| Mass::principal(mass.mass, mass.center, raised, axes));
            link.mass_of_solids = false;
        }
    }

    /// Scales all masses to the requested total.
    pub fn total_mass(&mut self) {
        let wanted = self.compiler.total_mass;
        let total: f64 = self.machine.links.iter().skip(1).filter_map(|l| l.mass).map(|m| m.mass).sum();
        if !(wanted > 0.0 && total > 0.0) {
            return;
        }
        let scale = wanted / total;
        for link in &mut self.machine.links {
            link.mass = link.mass.map(|m| Mass { mass: m.mass * scale, inertia: m.inertia * scale, ..m });
            link.solids.iter_mut().for_each(|s| s.mass *= scale);
        }
    }

    /// The mass of an `<inertial>`; none if it is 0.
    fn inertial(&mut self, element: &'a Element, parent: Parent) -> Result<Option<Mass>, ImportError> {
        element.seen.set(true);
        element.need("pos")?;
        let pose = parent.frame * self.compiler.pose(|name| element.get(name))?;
        let mass = element.need("mass")?.not_negative()?;
        let tensor = if let Some(a) = element.get("fullinertia") {
            let n = a.numbers(6, 6)?;
            DMat3::from_cols(
                DVec3::new(n[0], n[3], n[4]),
                DVec3::new(n[3], n[1], n[5]),
                DVec3::new(n[4], n[5], n[2]),
            )
        } else {
            DMat3::from_diagonal(element.get("diaginertia").map_or(Ok(DVec3::ZERO), Attribute::vector)?)
        };
        if mass == 0.0 {
            return Ok(None);
        }
        Ok(Some(Mass::new(mass, DVec3::ZERO, tensor).moved(pose.at, pose.turn)))
    }

    fn place_site(&mut self, element: &'a Element, parent: Parent) -> Result<(), ImportError> {
        let view = self.classes.view(element, parent.class)?;
        let pose = match view.get("fromto") {
            Some(a) => {
                let n = a.numbers(6, 6)?;
                let mid = DVec3::new(n[0] + n[3], n[1] + n[4], n[2] + n[5]) / 2.0;
                Pose { at: mid, turn: DQuat::IDENTITY }
            }
            None => self.compiler.pose(|name| view.get(name))?,
        };
        // only positions of sites are used, not their appearance
        element.excuse();
        if let Some(name) = view.get("name") {
            let spot = LinkFrame { link: parent.link, pose: parent.frame * pose };
            if self.sites.insert(name.value.clone(), spot).is_some() {
                let message = format!("there are two sites \"{}\"", quote(&name.value));
                return Err(ImportError::at(&name.place, message, "give each a unique name"));
            }
        }
        Ok(())
    }
}
