//! `<geom>`: shapes and their mass.

use super::Reader;
use super::defaults::View;
use super::parent::Parent;
use super::settings::z_to;
use crate::assets::Mesh;
use crate::error::ImportError;
use crate::machine::{ContactProperties, Form, Pose, Solid};
use crate::notes::NoteKind;
use crate::xml::{Attribute, Element, quote, unit};
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;
use windlass_engine::prelude::Mass;

/// First geom group that MuJoCo's viewer does not show: by convention those for contact.
const HIDDEN_GROUP: i32 = 3;

/// Maximum number of heights of an `<hfield>`.
const MOST_HEIGHTS: usize = 100_000;

/// The mass of a body.
#[derive(Default)]
pub struct Matter {
    /// The mass of `<inertial>`; the inner none for no mass.
    pub given: Option<Option<Mass>>,
    /// Position, orientation and mass of each shape.
    pub of_geoms: Vec<(DVec3, DQuat, Mass)>,
    /// Whether a scene would compute another mass for one of them, or does not accept it.
    pub differs: bool,
}

/// Half the length and the pose of a shape given by its ends.
struct Span {
    half: f64,
    pose: Pose,
}

impl<'a> Reader<'a> {
    /// Reads a shape.
    pub fn geom(
        &mut self,
        element: &'a Element,
        parent: Parent,
        matter: &mut Matter,
    ) -> Result<(), ImportError> {
        let view = self.classes.view(element, parent.class)?;
        element.get("name");
        let kind = view.get("type");
        let name = kind.map_or("sphere", |a| a.value.as_str());
        let round = matches!(name, "capsule" | "cylinder");
        let ends = view.get("fromto").map(|a| span(a, round)).transpose()?;
        let pose = match &ends {
            Some(span) => span.pose,
            None => self.compiler.pose(|name| view.get(name))?,
        };
        let size = Sizes { list: view.get("size"), owner: element, ends };
        let fits = matches!(name, "sphere" | "capsule" | "cylinder" | "box" | "ellipsoid");
        let mut inside = Pose::ZERO;
        let found = match (name, view.get("mesh").filter(|_| fits)) {
            (_, Some(mesh)) => {
                let fitted = self.fitted(element, &view, name, mesh)?;
                fitted.map(|(form, pose)| {
                    inside = pose;
                    (form, None)
                })
            }
            ("mesh", _) => self.mesh_form(element, view.get("mesh"))?,
            ("plane" | "hfield", _) => self.ground(element, &view, parent.link)?.map(|form| (form, None)),
            (_, None) => self.plain_form(element, kind, &size)?.map(|form| (form, None)),
        };
        // with the mass of a mesh at density 1
        let Some((form, solid)) = found else { return Ok(()) };
        let pose = parent.frame * pose * inside;
        let group = view.get("group").map_or(Ok(0.0), Attribute::number)? as i32;
        let given = view.get("mass").map(Attribute::not_negative).transpose()?;
        let density = view.get("density").map_or(Ok(1000.0), Attribute::not_negative)?;
        if view.get("shellinertia").map_or(Ok(false), Attribute::truth)? {
            let what = "`shellinertia`: the shape is imported as a solid";
            self.notes.count(NoteKind::Approximated, &element.place, what);
        }
        let weight = match solid {
            _ if !self.compiler.groups.contains(&group) => None,
            Some(unit) => scaled(unit, given.unwrap_or(unit.mass * density)),
            None => matter_of(&form, given, density),
        };
        let mass = weight.map_or(0.0, |m| m.mass);
        if let Some(weight) = weight {
            matter.of_geoms.push((pose.at, pose.turn, weight));
            matter.differs |= matches!(form, Form::Mesh { .. });
        } else if matches!(form, Form::Mesh { .. })
            && solid.is_none()
            && parent.link != 0
            && given != Some(0.0)
            && density != 0.0
        {
            let what = "the mass of a mesh without volume: give the body an <inertial>";
            self.notes.count(NoteKind::Ignored, &element.place, what);
        }
        let color = self.color(&view)?;
        if matches!(form, Form::Ellipsoid(_)) {
            let what = "an ellipsoid is drawn as the hull of points on it; its mass is that of the ellipsoid";
            self.notes.count(NoteKind::Approximated, &element.place, what);
        }
        if !form.is_solid() {
            let what = "a shape that is too thin to be drawn";
            self.notes.count(NoteKind::Ignored, &element.place, what);
            matter.differs = true;
            return Ok(());
        }
        let touch = skin(&view)?;
        self.machine.links[parent.link].solids.push(Solid {
            place: element.place.clone(),
            form,
            pose,
            mass,
            color,
            shown: group < HIDDEN_GROUP,
            touch,
            is_skin: false,
        });
        Ok(())
    }

    /// Ground: a plane, or a height field given in the file. Only static bodies may have it.
    fn ground(
        &mut self,
        element: &'a Element,
        view: &View<'a>,
        link: usize,
    ) -> Result<Option<Form>, ImportError> {
        let name = view.get("type").map_or("", |a| a.value.as_str());
        let found = if link != 0 {
            Err("only the world can have one".to_string())
        } else if name == "plane" {
            let size = view.get("size").map_or(Ok(Vec::new()), |a| a.numbers(0, 3))?;
            let drawn = match size[..] {
                [x, y, ..] if x > 0.0 && y > 0.0 => Some([2.0 * x, 2.0 * y]),
                _ => None,
            };
            Ok(Form::Plane(drawn))
        } else {
            self.heights(element, view)?
        };
        Ok(found
            .map_err(|why| {
                element.excuse();
                let what = format!("<geom type=\"{name}\">: {why}");
                self.notes.count(NoteKind::Ignored, &element.place, what);
            })
            .ok())
    }

    /// The heights of an `<hfield>`, or the reason why not.
    fn heights(
        &mut self,
        element: &'a Element,
        view: &View<'a>,
    ) -> Result<Result<Form, String>, ImportError> {
        let Some(name) = view.get("hfield") else {
            let help = "give hfield=\"NAME\"";
            return Err(ImportError::at(&element.place, "a geom of type hfield without `hfield`", help));
        };
        let Some(&field) = self.fields.get(&name.value) else { return Err(super::missing("hfield", name)) };
        field.seen.set(true);
        if field.get("file").is_some() || field.get("elevation").is_none() {
            field.excuse();
            return Ok(Err(
                "its heights are not in the model: add them to the scene as a `terrain`".to_string()
            ));
        }
        let count = |name: &str| field.need(name)?.number().map(|x| x as usize);
        let (rows, columns) = (count("nrow")?, count("ncol")?);
        let size = field.need("size")?.numbers(4, 4)?;
        let list = field.need("elevation")?.numbers(0, MOST_HEIGHTS)?;
        if rows < 2 || columns < 2 || list.len() != rows.saturating_mul(columns) {
            return Ok(Err(format!("{} heights are not {rows} rows of {columns}", list.len())));
        }
        // elevations are first normalised to 0 to 1
        let low = list.iter().copied().fold(f64::INFINITY, f64::min);
        let range = list.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low;
        let height = |x: &f64| if range > 0.0 { (x - low) / range * size[2] } else { 0.0 };
        // MuJoCo has the first row at the lowest y, too
        let rows = list.chunks(columns).map(|row| row.iter().map(height).collect()).collect();
        Ok(Ok(Form::Terrain { rows, size: [2.0 * size[0], 2.0 * size[1]] }))
    }

    /// A shape given by sizes; none, with a note, if a scene has no such shape.
    fn plain_form(
        &mut self,
        element: &'a Element,
        kind: Option<&Attribute>,
        size: &Sizes<'_>,
    ) -> Result<Option<Form>, ImportError> {
        Ok(Some(match kind.map_or("sphere", |a| a.value.as_str()) {
            "sphere" => Form::Sphere(size.at(0)?),
            "capsule" => Form::Capsule(size.at(0)?, 2.0 * size.length()?),
            "cylinder" => Form::Cylinder(size.at(0)?, 2.0 * size.length()?),
            "box" => Form::Box(size.three()? * 2.0),
            "ellipsoid" => Form::Ellipsoid(size.three()?),
            "sdf" => {
                element.excuse();
                let what = "<geom type=\"sdf\">: not supported";
                self.notes.count(NoteKind::Ignored, &element.place, what);
                return Ok(None);
            }
            _ => {
                let known = "plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh or sdf";
                return Err(kind.map_or_else(
                    || ImportError::at(&element.place, "unknown `type` of a geom", known),
                    |a| a.unknown(known),
                ));
            }
        }))
    }

    /// The colour of a shape, its own or its material's.
    fn color(&self, view: &View<'a>) -> Result<Option<[f64; 3]>, ImportError> {
        let material = view.get("material").and_then(|name| self.materials.get(&name.value));
        let rgba = view.get("rgba").or_else(|| material.and_then(|m| m.get("rgba")));
        let Some(a) = rgba else { return Ok(None) };
        let n = a.numbers(3, 4)?;
        Ok(Some([n[0], n[1], n[2]].map(|x| x.clamp(0.0, 1.0))))
    }

    pub fn mesh_form(
        &mut self,
        element: &'a Element,
        name: Option<&Attribute>,
    ) -> Result<Option<(Form, Option<Mass>)>, ImportError> {
        let Some(name) = name else {
            let help = "give mesh=\"NAME\"";
            return Err(ImportError::at(&element.place, "a geom of type mesh without `mesh`", help));
        };
        let Some(&mesh) = self.meshes.get(&name.value) else { return Err(super::missing("mesh", name)) };
        let view = self.classes.view(mesh, 0)?;
        let scale = view.get("scale").map_or(Ok(DVec3::ONE), Attribute::vector)?;
        let found = match mesh.get("file") {
            Some(file) => {
                let path = if self.compiler.strip_path { base(&file.value) } else { file.value.as_str() };
                self.assets.mesh(path, &self.compiler.meshes)
            }
            None => Err("its vertices are inside the model file"),
        };
        // which mass is requested; a scene computes the volume integral itself
        let kind = view.get("inertia");
        let of = |mesh: &Mesh| match kind.map_or("legacy", |a| a.value.as_str()) {
            "exact" => mesh.solid,
            "convex" => mesh.hull,
            _ => mesh.rough,
        };
        let scaled = |m: Mass| {
            let s = scale.x;
            Mass::new(m.mass * s * s * s, m.center * s, m.inertia * (s * s * s * s * s))
        };
        match found.and_then(|mesh| Ok((mesh.scaled(scale)?, of(&mesh).map(scaled)))) {
            Ok(found) => {
                if let Some(a) = kind.filter(|a| a.value == "shell") {
                    self.notes.count(
                        NoteKind::Approximated,
                        &a.place,
                        "a mesh with shell inertia is imported as a solid",
                    );
                }
                Ok(Some(found))
            }
            Err(why) => {
                element.excuse();
                let what = format!("mesh \"{}\": {why}", quote(&name.value));
                self.notes.count(NoteKind::Ignored, &element.place, what);
                Ok(None)
            }
        }
    }
}

/// The contact properties of a shape; none if it does not collide.
fn skin(view: &View<'_>) -> Result<Option<ContactProperties>, ImportError> {
    let bits = |name: &str| view.get(name).map_or(Ok(1.0), Attribute::number).map(|x| x as u32);
    let (contype, conaffinity) = (bits("contype")?, bits("conaffinity")?);
    let ([slide, spin, roll], _) = ContactProperties::PLAIN.rub;
    let n = view.get("friction").map_or(Ok(Vec::new()), |a| a.numbers(1, 3))?;
    let at = |k: usize, usual: f64| n.get(k).copied().unwrap_or(usual).max(0.0);
    let friction = [at(0, slide), at(1, spin), at(2, roll)];
    let condim = match view.get("condim") {
        None => 3,
        Some(a) => match a.value.trim() {
            "1" => 1,
            "3" => 3,
            "4" => 4,
            "6" => 6,
            _ => return Err(a.unknown("1, 3, 4 or 6")),
        },
    };
    let skin = ContactProperties { rub: (friction, condim), contype, conaffinity, body: None };
    Ok((contype != 0 || conaffinity != 0).then_some(skin))
}

/// A mass of the same distribution.
fn scaled(unit: Mass, mass: f64) -> Option<Mass> {
    let factor = mass / unit.mass;
    (mass > 0.0).then(|| Mass { mass, inertia: unit.inertia * factor, ..unit })
}

fn base(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A shape from one point to another; a round one is symmetric.
fn span(a: &Attribute, round: bool) -> Result<Span, ImportError> {
    let n = a.numbers(6, 6)?;
    let (p, q) = (DVec3::new(n[0], n[1], n[2]), DVec3::new(n[3], n[4], n[5]));
    // from the second to the first point, as in MuJoCo
    let z = unit(p - q).ok_or_else(|| a.unknown("two different points"))?;
    let z = if round && z.z < 0.0 { -z } else { z };
    Ok(Span { half: (p - q).length() / 2.0, pose: Pose::new((p + q) / 2.0, z_to(z)) })
}

/// The sizes of a shape; the length between its ends replaces the last.
struct Sizes<'a> {
    list: Option<&'a Attribute>,
    owner: &'a Element,
    ends: Option<Span>,
}

impl Sizes<'_> {
    fn at(&self, index: usize) -> Result<f64, ImportError> {
        let Some(a) = self.list else {
            return Err(ImportError::at(&self.owner.place, "the geom has no `size`", "give size=\"…\""));
        };
        let list = a.numbers(0, 3)?;
        let help = format!("{} lengths above 0", index + 1);
        list.get(index).copied().filter(|&x| x > 0.0).ok_or_else(|| a.unknown(&help))
    }

    /// Half the length of a capsule or cylinder.
    fn length(&self) -> Result<f64, ImportError> {
        self.ends.as_ref().map_or_else(|| self.at(1), |span| Ok(span.half))
    }

    /// The half sizes of a box or an ellipsoid; between two points its thickness equals its width.
    fn three(&self) -> Result<DVec3, ImportError> {
        match &self.ends {
            Some(span) => Ok(DVec3::new(self.at(0)?, self.at(0)?, span.half)),
            None => Ok(DVec3::new(self.at(0)?, self.at(1)?, self.at(2)?)),
        }
    }
}

/// The mass of a shape in its own axes; none if it has none.
fn matter_of(form: &Form, given: Option<f64>, density: f64) -> Option<Mass> {
    if let Form::Ellipsoid(half) = *form {
        let mass = given.unwrap_or(4.0 / 3.0 * PI * half.x * half.y * half.z * density);
        let square = half * half;
        let moments = (DVec3::splat(square.element_sum()) - square) * (mass / 5.0);
        return (mass > 0.0).then(|| Mass::new(mass, DVec3::ZERO, DMat3::from_diagonal(moments)));
    }
    let shape = form.shape()?;
    match given {
        Some(mass) => Mass::of_total(&shape, mass).ok(),
        None => Mass::of(&shape, density).ok(),
    }
}
