//! `<equality>` and `<tendon>`: constraints across the tree.

use super::Reader;
use super::joint::range;
use super::settings::quaternion;
use crate::error::ImportError;
use crate::machine::{Drive, LinkFrame, LoopConstraint, LoopKind, Motion, Pose};
use crate::notes::NoteKind;
use crate::xml::{Attribute, Element};
use glam::{DQuat, DVec3};

impl<'a> Reader<'a> {
    /// Reads an equality.
    pub fn equality(&mut self, element: &'a Element) -> Result<(), ImportError> {
        let view = self.classes.view(element, 0)?;
        if !view.get("active").map_or(Ok(true), Attribute::truth)? {
            element.excuse_all();
            let what = format!("<{}> in <equality>: it is not active", element.tag);
            self.notes.count(NoteKind::Ignored, &element.place, what);
            return Ok(());
        }
        let name = element.get("name").map_or_else(|| element.tag.clone(), |a| a.value.clone());
        let kind = match element.tag.as_str() {
            "connect" | "weld" => self.connection(element)?,
            "joint" => match self.polynomial(element)? {
                Some(kind) => kind,
                None => return Ok(()),
            },
            tag => {
                element.excuse_all();
                let what = format!("<{tag}> in <equality>: not supported");
                self.notes.count(NoteKind::Ignored, &element.place, what);
                return Ok(());
            }
        };
        self.machine.ties.push(LoopConstraint { name, place: element.place.clone(), kind });
        Ok(())
    }

    /// A point or a frame of one body attached to that of another.
    fn connection(&mut self, element: &'a Element) -> Result<LoopKind, ImportError> {
        let welds = element.tag == "weld";
        if let (Some(a), Some(b)) = (element.get("site1"), element.get("site2")) {
            let spots = [self.site(a)?, self.site(b)?];
            return Ok(if welds { LoopKind::Weld(spots) } else { LoopKind::Ball(spots) });
        }
        let first = self.link(element.need("body1")?)?;
        let second = element.get("body2").map_or(Ok(0), |name| self.link(name))?;
        let poses = self.machine.at_zero();
        // the second body in the axes of the first, as posed in the model
        let mut standing = poses[first].inverse() * poses[second];
        if !welds {
            let at = element.need("anchor")?.vector()?;
            let spot = Pose { at, turn: DQuat::IDENTITY };
            return Ok(LoopKind::Ball([
                LinkFrame { link: first, pose: spot },
                LinkFrame { link: second, pose: standing.inverse() * spot },
            ]));
        }
        if let Some(a) = element.get("relpose") {
            let n = a.numbers(7, 7)?;
            // a quaternion of 0 means the relative pose of the model
            if n[3..].iter().any(|&x| x != 0.0) {
                standing = Pose::new(DVec3::new(n[0], n[1], n[2]), quaternion(a, &n[3..])?);
            }
        }
        let at = element.get("anchor").map_or(Ok(DVec3::ZERO), Attribute::vector)?;
        let spot = Pose { at, turn: DQuat::IDENTITY };
        Ok(LoopKind::Weld([
            LinkFrame { link: first, pose: standing * spot },
            LinkFrame { link: second, pose: spot },
        ]))
    }

    /// q₁ = c₀ + c₁ q₂ + … , both counted from their values in the model.
    fn polynomial(&mut self, element: &'a Element) -> Result<Option<LoopKind>, ImportError> {
        let first = element.need("joint1")?;
        let mut c = vec![0.0, 1.0];
        if let Some(a) = element.get("polycoef") {
            let given = a.numbers(1, 5)?;
            for (i, x) in given.into_iter().enumerate() {
                if i < 2 { c[i] = x } else { c.push(x) }
            }
        }
        let is_single = |motion: Motion| matches!(motion, Motion::Hinge | Motion::Slide);
        if !is_single(self.coordinate(first)?.motion) {
            return Err(first.unknown("a hinge or a slide"));
        }
        let Some(second) = element.get("joint2") else {
            let coordinate = self.coordinate(first)?;
            coordinate.acts.drive = Some(Drive::Lock(c[0]));
            return Ok(None);
        };
        if !is_single(self.coordinate(second)?.motion) {
            return Err(second.unknown("a hinge or a slide"));
        }
        if c[1] == 0.0 || c[2..].iter().any(|&x| x != 0.0) {
            let what = format!(
                "\"{}\" follows \"{}\" by a polynomial: joints can only be coupled by a ratio",
                first.value, second.value
            );
            self.notes.add(NoteKind::Ignored, &element.place, what);
            return Ok(None);
        }
        if c[0] != 0.0 {
            let what = format!(
                "\"{}\" follows \"{}\" with an offset: the coupling keeps their initial values",
                first.value, second.value
            );
            self.notes.add(NoteKind::Approximated, &element.place, what);
        }
        Ok(Some(LoopKind::Gear { names: [first.value.clone(), second.value.clone()], ratio: c[1] }))
    }

    /// Reads a tendon: between two sites it is a distance.
    pub fn tendon(&mut self, element: &'a Element) -> Result<(), ImportError> {
        let sites: Vec<&Element> = element.children.iter().filter(|e| e.tag == "site").collect();
        if element.tag != "spatial" || sites.len() != 2 || element.children.len() != 2 {
            element.excuse_all();
            let what = match element.tag.as_str() {
                "fixed" => "a fixed tendon: springs and limits of sums of coordinates are not supported",
                _ => "a tendon over more than two sites: not supported",
            };
            self.notes.count(NoteKind::Ignored, &element.place, what);
            return Ok(());
        }
        sites.iter().for_each(|e| e.seen.set(true));
        let view = self.classes.view(element, 0)?;
        let ends = [self.site(sites[0].need("site")?)?, self.site(sites[1].need("site")?)?];
        let name = element.get("name").map_or_else(|| "tendon".to_string(), |a| a.value.clone());
        let limits = range(&view, "limited", "range", self.compiler.auto_limits)?;
        let first = |name: &str| view.get(name).map_or(Ok(0.0), |a| Ok(a.numbers(1, 4)?[0].max(0.0)));
        let (stiffness, damping) = (first("stiffness")?, first("damping")?);
        let friction = view.number_or("frictionloss", 0.0)?.max(0.0);
        let rest = match view.get("springlength") {
            Some(a) => {
                let n = a.numbers(1, 2)?;
                if n.len() == 2 && n[0] != n[1] {
                    let what = "`springlength` with a slack range: the rest length is its upper bound";
                    self.notes.add(NoteKind::Approximated, &a.place, what);
                }
                n.last().copied().filter(|&x| x >= 0.0)
            }
            None => None,
        };
        let spring = (stiffness > 0.0 || damping > 0.0).then_some((stiffness, damping, rest));
        if limits.is_none() && spring.is_none() {
            let what = format!("tendon \"{name}\" has neither spring nor limits and is ignored");
            self.notes.add(NoteKind::Ignored, &element.place, what);
            return Ok(());
        }
        let low = limits.map(|l| l[0]).filter(|&x| x > 0.0);
        let high = limits.map(|l| l[1]).filter(|&x| x > 0.0);
        let kind = LoopKind::Distance { ends, low, high, spring, friction };
        self.machine.ties.push(LoopConstraint { name, place: element.place.clone(), kind });
        Ok(())
    }
}
