//! URDF: links and joints by name → a tree of links.
//!
//! The frame of a joint is that of its child link. The root is static unless a floating base is requested. `<visual>`
//! shapes become visuals, `<collision>` shapes collide; mass and inertia are those of `<inertial>`, rotated to the
//! link's axes.

use crate::assets::Assets;
use crate::error::ImportError;
use crate::machine::{
    Acts, ContactProperties, Coordinate, Form, Link, LoopConstraint, LoopKind, Machine, Motion, Pose, Solid,
};
use crate::notes::{NoteKind, Notes};
use crate::xml::{Attribute, Element, quote};
use crate::{Options, Start};
use glam::{DMat3, DVec3};
use std::collections::BTreeMap;
use windlass_engine::math;
use windlass_engine::prelude::Mass;

/// Reads a `<robot>`.
pub fn read(
    root: &Element,
    options: &Options,
    assets: &mut Assets,
    notes: &mut Notes,
) -> Result<Machine, ImportError> {
    root.seen.set(true);
    let name = root.get("name").map_or(String::new(), |a| a.value.clone());
    if let Start::Keyframe(name) = &options.start {
        let message = format!("a URDF file has no keyframe \"{}\"", quote(name));
        return Err(ImportError::at(&root.place, message, "give initial values of joints instead"));
    }
    let links: Vec<&Element> = root.all("link").collect();
    let joints: Vec<&Element> = root.all("joint").collect();
    let tree = tree(root, &links, &joints)?;

    let mut colors = BTreeMap::new();
    for material in root.all("material") {
        if let (Some(name), Some(color)) = (material.get("name"), color(material)?) {
            colors.insert(name.value.as_str(), color);
        }
    }
    let mut machine = Machine { name, apart: true, ..Machine::default() };
    // index in the machine of a link of the file
    let mut places = vec![0; links.len()];
    for &(index, joint) in &tree {
        places[index] = machine.links.len();
        let link = match joint {
            None => {
                let name = links[index].need("name")?.value.clone();
                let mut link = Link::new(name, &links[index].place, None, Pose::ZERO);
                link.fixed = !options.floating_base;
                link
            }
            Some((joint, parent)) => moved(links[index], joint, places[parent], notes)?,
        };
        machine.links.push(link);
        let link = machine.links.last_mut().ok_or_else(|| no_links(root))?;
        link.mass = inertial(links[index], notes)?;
        link.solids = visuals(links[index], &colors, assets, notes)?;
        collisions(links[index], &mut link.solids, assets, notes)?;
    }
    for joint in joints {
        if let Some(mimic) = joint.child("mimic") {
            follow(&mut machine, joint, mimic, options)?;
        }
    }
    Ok(machine)
}

fn no_links(root: &Element) -> ImportError {
    ImportError::at(&root.place, "the robot has no links", "give at least one <link>")
}

/// Links from the root outward, each with its joint and its parent link.
type Tree<'a> = Vec<(usize, Option<(&'a Element, usize)>)>;

fn tree<'a>(root: &Element, links: &[&'a Element], joints: &[&'a Element]) -> Result<Tree<'a>, ImportError> {
    let mut numbers = BTreeMap::new();
    for (index, link) in links.iter().enumerate() {
        let name = link.need("name")?;
        if numbers.insert(name.value.as_str(), index).is_some() {
            return Err(twice("link", name));
        }
    }
    let mut names = BTreeMap::new();
    let mut above: Vec<Option<&Element>> = vec![None; links.len()];
    let mut below: Vec<Vec<(&Element, usize)>> = vec![Vec::new(); links.len()];
    for joint in joints {
        let name = joint.need("name")?;
        if names.insert(name.value.as_str(), ()).is_some() {
            return Err(twice("joint", name));
        }
        let end = |tag: &str| -> Result<(usize, &Attribute), ImportError> {
            let element = joint.child(tag).ok_or_else(|| {
                let help = format!("give <{tag} link=\"…\"/>");
                ImportError::at(
                    &joint.place,
                    format!("joint \"{}\" has no <{tag}>", quote(&name.value)),
                    help,
                )
            })?;
            let link = element.need("link")?;
            let number = numbers.get(link.value.as_str()).copied().ok_or_else(|| {
                let message = format!("there is no link \"{}\"", quote(&link.value));
                ImportError::at(&link.place, message, "name a <link> of this file")
            })?;
            Ok((number, link))
        };
        let ((parent, _), (child, attribute)) = (end("parent")?, end("child")?);
        if let Some(other) = above[child].replace(joint) {
            let message = format!("link \"{}\" is the child of two joints", quote(&attribute.value));
            let help = format!("the other is in line {}: links of a URDF must form a tree", other.place.line);
            return Err(ImportError::at(&attribute.place, message, help));
        }
        below[parent].push((joint, child));
    }
    let mut roots = (0..links.len()).filter(|&i| above[i].is_none());
    let first = match (roots.next(), links.first()) {
        (Some(first), _) => first,
        (None, Some(link)) => {
            return Err(ImportError::at(
                &link.place,
                "the links form a closed loop without a root",
                "links of a URDF must form a tree",
            ));
        }
        (None, None) => return Err(no_links(root)),
    };
    if let Some(second) = roots.next() {
        let message = "this link is a second root: no joint has it as its child";
        let help = format!("attach it by a joint; the first root is in line {}", links[first].place.line);
        return Err(ImportError::at(&links[second].place, message, help));
    }
    let mut order: Tree<'a> = vec![(first, None)];
    let mut next = 0;
    while let Some(&(index, _)) = order.get(next) {
        order.extend(below[index].iter().map(|&(joint, child)| (child, Some((joint, index)))));
        next += 1;
    }
    if order.len() < links.len() {
        let mut reached = vec![false; links.len()];
        order.iter().for_each(|&(index, _)| reached[index] = true);
        let lost = reached.iter().position(|r| !r).unwrap_or(0);
        let message = "this link is in a closed loop of joints that is not connected to the root";
        return Err(ImportError::at(
            &links[lost].place,
            message,
            "links of a URDF must form a tree: open the loop",
        ));
    }
    Ok(order)
}

fn twice(what: &str, name: &Attribute) -> ImportError {
    let message = format!("there are two {what}s \"{}\"", quote(&name.value));
    ImportError::at(&name.place, message, "give each a unique name")
}

/// The pose of an `<origin>`; the identity without one.
fn origin(element: &Element) -> Result<Pose, ImportError> {
    let Some(origin) = element.child("origin") else { return Ok(Pose::ZERO) };
    let at = origin.get("xyz").map_or(Ok(DVec3::ZERO), Attribute::vector)?;
    let rpy = origin.get("rpy").map_or(Ok(DVec3::ZERO), Attribute::vector)?;
    let [roll, pitch, yaw] =
        [(DVec3::X, rpy.x), (DVec3::Y, rpy.y), (DVec3::Z, rpy.z)].map(|(e, a)| math::turn(e, a));
    Ok(Pose::new(at, yaw * pitch * roll))
}

/// A link attached to another by a joint.
fn moved(element: &Element, joint: &Element, parent: usize, notes: &mut Notes) -> Result<Link, ImportError> {
    let name = element.need("name")?.value.clone();
    let mut link = Link::new(name, &element.place, Some(parent), origin(joint)?);
    let kind = joint.need("type")?;
    let name = &joint.need("name")?.value;
    // joints without an axis may have one of length 0
    let axis = match (joint.child("axis"), kind.value.as_str()) {
        (Some(axis), "fixed" | "floating") => {
            axis.excuse();
            DVec3::X
        }
        (Some(axis), _) => axis.need("xyz")?.direction()?,
        (None, _) => DVec3::X,
    };
    let coordinate = |suffix: &str, motion: Motion, axis: DVec3, acts: Acts| Coordinate {
        name: format!("{name}{suffix}"),
        place: joint.place.clone(),
        motion,
        axis,
        at: DVec3::ZERO,
        zero: 0.0,
        start: 0.0,
        acts,
    };
    link.coordinates = match kind.value.as_str() {
        "fixed" => vec![],
        "revolute" => vec![coordinate("", Motion::Hinge, axis, acts(joint, true, notes)?)],
        "continuous" => vec![coordinate("", Motion::Hinge, axis, acts(joint, false, notes)?)],
        "prismatic" => vec![coordinate("", Motion::Slide, axis, acts(joint, true, notes)?)],
        "floating" => vec![coordinate("", Motion::Free(Pose::ZERO), axis, Acts::default())],
        "planar" => {
            let (x, y) = math::across(axis);
            vec![
                coordinate("_x", Motion::Slide, x, Acts::default()),
                coordinate("_y", Motion::Slide, y, Acts::default()),
                coordinate("_turn", Motion::Hinge, axis, Acts::default()),
            ]
        }
        _ => return Err(kind.unknown("revolute, continuous, prismatic, fixed, floating or planar")),
    };
    Ok(link)
}

/// Limits, friction and damping of a joint.
fn acts(joint: &Element, limited: bool, notes: &mut Notes) -> Result<Acts, ImportError> {
    let mut acts = Acts::default();
    if limited {
        let Some(limit) = joint.child("limit") else {
            let help =
                "give <limit lower=\"…\" upper=\"…\" effort=\"…\" velocity=\"…\"/>, or type=\"continuous\"";
            return Err(ImportError::at(&joint.place, "the joint has no <limit>", help));
        };
        let end = |name: &str| limit.get(name).map_or(Ok(0.0), Attribute::number);
        let (low, high) = (end("lower")?, end("upper")?);
        if low > high {
            let message = format!("`lower` {low} is above `upper` {high}");
            return Err(ImportError::at(&limit.place, message, "give lower < upper"));
        }
        if low == high {
            let what = "equal limits: the joint is imported without limits";
            notes.count(NoteKind::Approximated, &limit.place, what);
        } else {
            (acts.low, acts.high) = (Some(low), Some(high));
        }
    } else if let Some(limit) = joint.child("limit") {
        limit.seen.set(true);
    }
    if let Some(dynamics) = joint.child("dynamics") {
        acts.viscosity = dynamics.get("damping").map_or(Ok(0.0), Attribute::not_negative)?;
        acts.friction = dynamics.get("friction").map_or(Ok(0.0), Attribute::not_negative)?;
    }
    Ok(acts)
}

/// The mass of a link; none if it has none.
fn inertial(link: &Element, notes: &mut Notes) -> Result<Option<Mass>, ImportError> {
    let Some(inertial) = link.child("inertial") else { return Ok(None) };
    let pose = origin(inertial)?;
    let mass = match inertial.child("mass") {
        Some(mass) => mass.need("value")?.not_negative()?,
        None => 0.0,
    };
    let mut tensor = DMat3::ZERO;
    if let Some(inertia) = inertial.child("inertia") {
        let entry = |name: &str| inertia.get(name).map_or(Ok(0.0), Attribute::number);
        let [xx, xy, xz, yy, yz, zz] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(entry);
        let (xy, xz, yz) = (xy?, xz?, yz?);
        tensor = DMat3::from_cols(DVec3::new(xx?, xy, xz), DVec3::new(xy, yy?, yz), DVec3::new(xz, yz, zz?));
    }
    if mass == 0.0 {
        if tensor != DMat3::ZERO {
            notes.add(NoteKind::Ignored, &inertial.place, "an inertia without a mass");
        }
        return Ok(None);
    }
    Ok(Some(Mass::new(mass, DVec3::ZERO, tensor).moved(pose.at, pose.turn)))
}

/// The colour of a `<material>`.
fn color(material: &Element) -> Result<Option<[f64; 3]>, ImportError> {
    let Some(rgba) = material.child("color").and_then(|color| color.get("rgba")) else { return Ok(None) };
    let n = rgba.numbers(3, 4)?;
    Ok(Some([n[0], n[1], n[2]].map(|x| x.clamp(0.0, 1.0))))
}

fn visuals(
    link: &Element,
    colors: &BTreeMap<&str, [f64; 3]>,
    assets: &mut Assets,
    notes: &mut Notes,
) -> Result<Vec<Solid>, ImportError> {
    let mut solids = Vec::new();
    for visual in link.all("visual") {
        let pose = origin(visual)?;
        let Some(geometry) = visual.child("geometry") else {
            let help = "give <geometry> with a <box>, <cylinder>, <sphere> or <mesh>";
            return Err(ImportError::at(&visual.place, "the visual has no <geometry>", help));
        };
        let color = match visual.child("material") {
            Some(material) => {
                let named = material.get("name").and_then(|name| colors.get(name.value.as_str())).copied();
                color(material)?.or(named)
            }
            None => None,
        };
        if let Some(form) = form(geometry, assets, notes)? {
            solids.push(Solid {
                place: visual.place.clone(),
                form,
                pose,
                mass: 0.0,
                color,
                shown: true,
                touch: None,
                is_skin: false,
            });
        }
    }
    Ok(solids)
}

/// The collision shapes of a link: shapes of their own, or the visuals where they are equal.
fn collisions(
    link: &Element,
    solids: &mut Vec<Solid>,
    assets: &mut Assets,
    notes: &mut Notes,
) -> Result<(), ImportError> {
    for collision in link.all("collision") {
        let pose = origin(collision)?;
        let Some(geometry) = collision.child("geometry") else {
            let help = "give <geometry> with a <box>, <cylinder>, <sphere> or <mesh>";
            return Err(ImportError::at(&collision.place, "the collision has no <geometry>", help));
        };
        let Some(form) = form(geometry, assets, notes)? else { continue };
        let is_mesh = matches!(form, Form::Mesh { .. });
        match solids.iter_mut().find(|s| s.form == form && s.pose == pose && !is_mesh) {
            Some(seen) => seen.touch = Some(ContactProperties::PLAIN),
            None => solids.push(Solid {
                place: collision.place.clone(),
                form,
                pose,
                mass: 0.0,
                color: None,
                shown: false,
                touch: Some(ContactProperties::PLAIN),
                is_skin: true,
            }),
        }
    }
    Ok(())
}

/// A shape; none, with a note, if it cannot be imported.
fn form(geometry: &Element, assets: &mut Assets, notes: &mut Notes) -> Result<Option<Form>, ImportError> {
    let size = |element: &Element, name: &str| element.need(name)?.number();
    let form = if let Some(e) = geometry.child("box") {
        Form::Box(e.need("size")?.vector()?)
    } else if let Some(e) = geometry.child("sphere") {
        Form::Sphere(size(e, "radius")?)
    } else if let Some(e) = geometry.child("cylinder") {
        Form::Cylinder(size(e, "radius")?, size(e, "length")?)
    } else if let Some(e) = geometry.child("capsule") {
        Form::Capsule(size(e, "radius")?, size(e, "length")?)
    } else if let Some(mesh) = geometry.child("mesh") {
        return mesh_form(mesh, assets, notes);
    } else {
        return Ok(None);
    };
    if form.is_solid() {
        return Ok(Some(form));
    }
    notes.count(NoteKind::Ignored, &geometry.place, "a shape with a dimension of 0");
    Ok(None)
}

fn mesh_form(mesh: &Element, assets: &mut Assets, notes: &mut Notes) -> Result<Option<Form>, ImportError> {
    let scale = match mesh.get("scale") {
        Some(a) => {
            let n = a.numbers(1, 3)?;
            DVec3::new(n[0], *n.get(1).unwrap_or(&n[0]), *n.get(2).unwrap_or(&n[0]))
        }
        None => DVec3::ONE,
    };
    let file = mesh.need("filename")?;
    match assets.mesh(&file.value, "").and_then(|mesh| mesh.scaled(scale)) {
        Ok(form) => Ok(Some(form)),
        Err(why) => {
            let what = format!("mesh \"{}\": {why}", quote(&file.value));
            notes.count(NoteKind::Ignored, &file.place, what);
            Ok(None)
        }
    }
}

/// q = multiplier · q_other + offset: a coupling, and an initial value that satisfies the offset.
fn follow(
    machine: &mut Machine,
    joint: &Element,
    mimic: &Element,
    options: &Options,
) -> Result<(), ImportError> {
    let name = joint.need("name")?.value.clone();
    let other = mimic.need("joint")?;
    let ratio = mimic.get("multiplier").map_or(Ok(1.0), Attribute::number)?;
    let offset = mimic.get("offset").map_or(Ok(0.0), Attribute::number)?;
    let known = machine.links.iter().flat_map(|l| &l.coordinates).any(|c| c.name == other.value);
    if !known || other.value == name {
        let message = format!("the joint follows \"{}\"", quote(&other.value));
        return Err(ImportError::at(
            &other.place,
            message,
            "name another joint that is revolute, continuous or prismatic",
        ));
    }
    let driver = match &options.start {
        Start::Joints(values) => values.get(&other.value).copied().unwrap_or(0.0),
        _ => 0.0,
    };
    let coordinates = machine.links.iter_mut().flat_map(|l| &mut l.coordinates);
    if let Some(c) = coordinates.into_iter().find(|c| c.name == name) {
        c.start = ratio * driver + offset;
        if ratio == 0.0 {
            c.acts.drive = Some(crate::machine::Drive::Lock(offset));
            return Ok(());
        }
    }
    let kind = LoopKind::Gear { names: [name.clone(), other.value.clone()], ratio };
    machine.ties.push(LoopConstraint { name: format!("{name}_mimic"), place: mimic.place.clone(), kind });
    Ok(())
}
