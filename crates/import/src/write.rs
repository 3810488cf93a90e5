//! Draft → scene text: a table for each body and joint, short values inline, numbers with the fewest digits.

use crate::chain::{Body, Draft, Kind, Pair, Term};
use crate::contact::Contacts;
use crate::machine::{Acts, Drive, Form, Pose, Solid, ellipsoid};
use crate::notes::{NoteKind, Notes};
use glam::{DMat3, DQuat, DVec3};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};
use windlass_engine::prelude::Mass;

/// Rounding error in directions and orientations: smaller components are 0.
const NOISE: f64 = 1e-15;

/// The text of the scene.
pub fn write(
    draft: &Draft,
    (dt, gravity): (Option<f64>, Option<DVec3>),
    contacts: &Contacts,
    notes: &mut Notes,
) -> String {
    let mut document = DocumentMut::new();
    document.insert("windlass", value(windlass_scene::upgrade::VERSION));
    let mut settings = Table::new();
    if let Some(dt) = dt {
        settings.insert("dt", value(number(dt)));
    }
    if let Some(gravity) = gravity {
        settings.insert("gravity", value(vector(gravity)));
    }
    if contacts.is_empty() {
        settings.insert("collide", value(false));
    }
    if !settings.is_empty() {
        document.insert("settings", Item::Table(settings));
    }
    let tables = contacts.tables();
    if !tables.is_empty() {
        document.insert("contacts", Item::ArrayOfTables(tables));
    }
    let mut bodies = section();
    for each in &draft.bodies {
        bodies.insert(&each.name, Item::Table(body(each, contacts, notes)));
    }
    document.insert("bodies", Item::Table(bodies));
    if !draft.joints.is_empty() {
        let mut joints = section();
        for joint in &draft.joints {
            joints.insert(&joint.name, Item::Table(kind(&joint.kind, draft)));
        }
        document.insert("joints", Item::Table(joints));
    }
    document.to_string()
}

/// A table that only has sub-tables.
fn section() -> Table {
    let mut table = Table::new();
    table.set_implicit(true);
    table
}

/// A number with the fewest digits: whole ones without a point, sums without noise in their last bits.
fn number(x: f64) -> Value {
    let short: f64 = format!("{x:.14e}").parse().unwrap_or(x);
    let x = if format!("{short:e}").len() + 3 <= format!("{x:e}").len() { short } else { x };
    if x == x.trunc() && x.abs() < 1e9 {
        return Value::from(x as i64);
    }
    // small and large ones with an exponent, not with many zeros
    if x.abs() < 1e-4 || x.abs() >= 1e9 {
        return format!("{x:e}").parse().unwrap_or_else(|_| Value::from(x));
    }
    Value::from(x)
}

fn numbers(list: impl IntoIterator<Item = f64>) -> Array {
    list.into_iter().map(number).collect()
}

/// A vector without rounding noise in components that should be 0.
fn vector(v: DVec3) -> Array {
    let noise = v.abs().max_element() * NOISE;
    numbers(v.to_array().map(|x| if x.abs() <= noise { 0.0 } else { x }))
}

fn quaternion(q: DQuat) -> Array {
    // the half with w ≥ 0, so that one orientation has one text
    let q = if q.w < 0.0 { -q } else { q };
    numbers([q.w, q.x, q.y, q.z].map(|x| if x.abs() <= NOISE { 0.0 } else { x }))
}

fn is_turned(q: DQuat) -> bool {
    q.x.abs().max(q.y.abs()).max(q.z.abs()) > NOISE
}

fn inline(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> InlineTable {
    pairs.into_iter().collect()
}

fn body(body: &Body, contacts: &Contacts, notes: &mut Notes) -> Table {
    let mut t = Table::new();
    if body.fixed {
        t.insert("type", value("static"));
    }
    if body.pose.at != DVec3::ZERO {
        t.insert("position", value(vector(body.pose.at)));
    }
    if is_turned(body.pose.turn) {
        t.insert("orientation", value(quaternion(body.pose.turn)));
    }
    // shapes hidden by the file are drawn where there are no others
    let is_seen = |solid: &&Solid| solid.shown || body.solids.iter().all(|s| !s.shown);
    let is_made_of_solids =
        body.mass.is_some() && body.mass_of_solids && parts(body, is_seen, contacts, &mut t);
    if let Some(mass) = body.mass.as_ref().filter(|_| !is_made_of_solids) {
        matter(mass, &mut t);
    }
    let others: Vec<&Solid> = body.solids.iter().filter(|s| !(is_made_of_solids && s.mass > 0.0)).collect();
    let for_the_eye = others.iter().copied().filter(|s| !s.is_skin);
    let (seen, hidden): (Vec<&Solid>, Vec<&Solid>) = for_the_eye.partition(is_seen);
    let shape = looks(&seen, is_made_of_solids, contacts, &mut t, notes);
    let is_shape = |s: &&Solid| shape.is_some_and(|shape| std::ptr::eq(shape, *s));
    touch(&others.into_iter().filter(|s| !is_shape(s)).collect::<Vec<_>>(), contacts, &mut t, notes);
    for solid in hidden {
        let what = "a shape of group 3 or above: it is not drawn, as in MuJoCo's viewer";
        notes.count(NoteKind::Info, &solid.place, what);
    }
    if !body.gravity && !body.fixed {
        t.insert("gravity", value(false));
    }
    t
}

/// The contact keys of a shape.
fn skin(solid: &Solid, contacts: &Contacts) -> Vec<(&'static str, Value)> {
    match &solid.touch {
        Some(skin) => contacts.keys(skin),
        None if contacts.is_empty() => Vec::new(),
        None => vec![("collide", false.into())],
    }
}

/// Shapes for collision only; meshes collide by their convex hulls.
fn touch(solids: &[&Solid], contacts: &Contacts, t: &mut Table, notes: &mut Notes) {
    let entry = |solid: &&Solid| {
        let form = match &solid.form {
            Form::Mesh { file, scale, .. } => Form::Mesh { file: file.clone(), scale: *scale, closed: false },
            form => form.clone(),
        };
        let mut entry = inline([("shape", shape(&form).into())]);
        put(&Solid { color: None, ..(*solid).clone() }, &mut entry);
        entry.extend(solid.touch.iter().flat_map(|skin| contacts.keys(skin)));
        entry
    };
    let touchable: Vec<&Solid> = solids.iter().copied().filter(|s| s.touch.is_some()).collect();
    for mesh in touchable.iter().filter(|s| matches!(s.form, Form::Mesh { .. })) {
        notes.count(NoteKind::Info, &mesh.place, "a mesh collides by its convex hull");
    }
    if !touchable.is_empty() {
        t.insert("collision", value(lines(touchable.iter().map(entry).collect())));
    }
}

/// Shape and mass, or parts, if these give the body's mass.
fn parts(body: &Body, is_seen: impl Fn(&&Solid) -> bool, contacts: &Contacts, t: &mut Table) -> bool {
    let heavy: Vec<&Solid> = body.solids.iter().filter(|s| s.mass > 0.0).collect();
    if heavy.is_empty() || heavy.iter().any(|s| matches!(s.form, Form::Ellipsoid(_))) {
        return false;
    }
    if let [only] = heavy[..]
        && is_here(only.pose)
    {
        t.insert("shape", value(shape(&only.form)));
        t.insert("mass", value(number(only.mass)));
        if let Some(color) = only.color {
            t.insert("color", value(numbers(color)));
        }
        if !is_seen(&only) {
            t.insert("hidden", value(true));
        }
        skin(only, contacts).into_iter().for_each(|(key, option)| drop(t.insert(key, value(option))));
        return true;
    }
    let part = |solid: &Solid| {
        let mut part = inline([("shape", shape(&solid.form).into()), ("mass", number(solid.mass))]);
        put(solid, &mut part);
        if !is_seen(&solid) {
            part.insert("hidden", true.into());
        }
        part.extend(skin(solid, contacts));
        part
    };
    t.insert("parts", value(lines(heavy.into_iter().map(part).collect())));
    true
}

/// Position and colour of one of several solids.
fn put(solid: &Solid, t: &mut InlineTable) {
    if solid.pose.at != DVec3::ZERO {
        t.insert("at", vector(solid.pose.at).into());
    }
    if is_turned(solid.pose.turn) {
        t.insert("orientation", quaternion(solid.pose.turn).into());
    }
    if let Some(color) = solid.color {
        t.insert("color", numbers(color).into());
    }
}

/// Several tables, one per line.
fn lines(mut list: Array) -> Array {
    if list.len() > 1 {
        list.iter_mut().for_each(|entry| entry.decor_mut().set_prefix("\n  "));
        list.set_trailing("\n");
        list.set_trailing_comma(true);
    }
    list
}

fn is_here(pose: Pose) -> bool {
    pose.at == DVec3::ZERO && !is_turned(pose.turn)
}

fn matter(mass: &Mass, t: &mut Table) {
    t.insert("mass", value(number(mass.mass)));
    if mass.center != DVec3::ZERO {
        t.insert("center_of_mass", value(vector(mass.center)));
    }
    t.insert("inertia", value(tensor(mass.inertia)));
}

/// Principal moments, or three rows if there are products of inertia.
fn tensor(inertia: DMat3) -> Array {
    let noise = inertia.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs())) * NOISE;
    let rows = inertia.transpose();
    let clean = |x: f64| if x.abs() <= noise { 0.0 } else { x };
    let off = [rows.x_axis.y, rows.x_axis.z, rows.y_axis.z].map(clean);
    if off == [0.0; 3] {
        return numbers(inertia.diagonal().to_array());
    }
    let row = |v: DVec3| numbers(v.to_array().map(clean));
    [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().map(row).collect()
}

/// Visuals: one at the body's origin is its `shape`, unless that has the mass, and is returned.
fn looks<'s>(
    solids: &[&'s Solid],
    has_shape: bool,
    contacts: &Contacts,
    t: &mut Table,
    notes: &mut Notes,
) -> Option<&'s Solid> {
    for solid in solids {
        if let Form::Mesh { closed: false, file, .. } = &solid.form {
            let what = format!("\"{file}\" is not closed: its convex hull is shown");
            notes.count(NoteKind::Approximated, &solid.place, what);
        }
    }
    match solids {
        [] => None,
        [only] if !has_shape && is_here(only.pose) => {
            t.insert("shape", value(shape(&only.form)));
            if let Some(color) = only.color {
                t.insert("color", value(numbers(color)));
            }
            skin(only, contacts).into_iter().for_each(|(key, option)| drop(t.insert(key, value(option))));
            Some(*only)
        }
        _ => {
            let look = |solid: &&Solid| {
                let mut look = inline([("shape", shape(&solid.form).into())]);
                put(solid, &mut look);
                look
            };
            t.insert("visuals", value(lines(solids.iter().map(look).collect())));
            None
        }
    }
}

fn shape(form: &Form) -> InlineTable {
    let (key, keys) = match form {
        Form::Box(size) => ("box", inline([("size", numbers(size.to_array()).into())])),
        Form::Sphere(radius) => ("sphere", inline([("radius", number(*radius))])),
        Form::Cylinder(radius, length) => {
            ("cylinder", inline([("radius", number(*radius)), ("length", number(*length))]))
        }
        Form::Capsule(radius, length) => {
            ("capsule", inline([("radius", number(*radius)), ("length", number(*length))]))
        }
        Form::Ellipsoid(half) => {
            let points: Array = ellipsoid(*half).into_iter().map(vector).collect();
            ("convex", inline([("points", points.into())]))
        }
        Form::Mesh { file, scale, closed } => {
            let mut keys = inline([("file", file.as_str().into())]);
            if *scale != 1.0 {
                keys.insert("scale", number(*scale));
            }
            // MJCF and URDF have z up whatever the mesh file specifies
            if file.ends_with(".gltf") || file.ends_with(".glb") {
                keys.insert("up", "z".into());
            }
            (if *closed { "mesh" } else { "convex" }, keys)
        }
        Form::Plane(drawn) => ("plane", inline(drawn.iter().map(|size| ("size", numbers(*size).into())))),
        Form::Terrain { rows, size } => {
            let rows: Array = rows.iter().map(|row| numbers(row.iter().copied())).collect();
            ("terrain", inline([("size", numbers(*size).into()), ("heights", rows.into())]))
        }
    };
    inline([(key, keys.into())])
}

fn kind(kind: &Kind, draft: &Draft) -> Table {
    let mut t = Table::new();
    match kind {
        Kind::Gear { joints, ratio } => {
            let names: Array = joints.iter().map(String::as_str).collect();
            t.insert("gear", value(inline([("joints", names.into()), ("ratio", number(*ratio))])));
        }
        Kind::Rack { pinion, slider, radius } => {
            let keys = [
                ("pinion", pinion.as_str().into()),
                ("slider", slider.as_str().into()),
                ("radius", number(*radius)),
            ];
            t.insert("rack", value(inline(keys)));
        }
        Kind::Couple(terms) => {
            let term = |term: &Term| {
                let mut keys = inline([("joint", term.joint.as_str().into())]);
                if term.slot > 0 {
                    keys.insert("coordinate", number((term.slot + 1) as f64));
                }
                keys.insert("factor", number(term.factor));
                keys
            };
            let terms: Array = terms.iter().map(term).collect();
            t.insert("linear_coupling", value(inline([("terms", terms.into())])));
        }
        Kind::Pair(pair) => {
            match pair.soft {
                Some((stiffness, damping)) => {
                    let give = inline([("stiffness", number(stiffness)), ("damping", number(damping))]);
                    t.insert("compliance", value(inline([("angular", give.into())])));
                }
                None => t.set_implicit(true),
            }
            t.insert(pair.key, Item::Table(between(pair, draft)));
        }
    }
    t
}

/// The keys of a joint between two bodies.
fn between(pair: &Pair, draft: &Draft) -> Table {
    let mut t = Table::new();
    let names: Array = pair.bodies.iter().map(|&b| draft.bodies[b].name.as_str()).collect();
    t.insert("bodies", value(names));
    place(pair, draft, &mut t);
    for (key, acts) in &pair.axes {
        let mut options = options(acts);
        if pair.key == "distance" {
            lengths(pair, &mut options);
        }
        if key.is_empty() {
            options.into_iter().for_each(|(key, option)| drop(t.insert(key, value(option))));
        } else if !options.is_empty() {
            t.insert(key, value(inline(options)));
        }
    }
    t
}

/// The placement of a joint: in the world if it is closed, else by frames in its bodies.
fn place(pair: &Pair, draft: &Draft, t: &mut Table) {
    let [a, b] = [0, 1].map(|i| draft.bodies[pair.bodies[i]].pose * pair.frames[i]);
    if pair.key == "distance" {
        let points: Array = [vector(a.at), vector(b.at)].into_iter().collect();
        t.insert("points", value(points));
        return;
    }
    if !pair.closed {
        let frames: Array = pair.frames.iter().map(|pose| frame(*pose)).collect();
        t.insert("frames", value(frames));
        return;
    }
    let origin = draft.bodies[pair.bodies[1]].pose.at;
    if !matches!(pair.key, "slider" | "weld") || b.at != origin {
        t.insert("at", value(vector(b.at)));
    }
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|e| b.turn * e);
    match pair.key {
        "hinge" | "slider" | "cylindrical" => drop(t.insert("axis", value(vector(z)))),
        "planar" | "six_dof" => {
            t.insert("axis", value(vector(z)));
            t.insert("x_axis", value(vector(x)));
        }
        "universal" => {
            let axes: Array = [vector(x), vector(y)].into_iter().collect();
            t.insert("axes", value(axes));
        }
        _ => {}
    }
}

fn frame(pose: Pose) -> InlineTable {
    let mut keys = InlineTable::new();
    if pose.at != DVec3::ZERO {
        keys.insert("at", vector(pose.at).into());
    }
    if is_turned(pose.turn) {
        keys.insert("orientation", quaternion(pose.turn).into());
    }
    keys
}

/// Drive, spring, limits and friction of a coordinate.
fn options(acts: &Acts) -> Vec<(&'static str, Value)> {
    let mut list = Vec::new();
    match &acts.drive {
        Some(Drive::Lock(at)) => list.push(("lock", number(*at))),
        Some(Drive::Servo { target, stiffness, damping, force }) => {
            let mut keys = inline([("target", number(*target)), ("stiffness", number(*stiffness))]);
            if *damping != 0.0 {
                keys.insert("damping", number(*damping));
            }
            if let Some(force) = force {
                keys.insert("force", number(*force));
            }
            list.push(("servo", keys.into()));
        }
        Some(Drive::Motor { speed, loss, force }) => {
            let mut keys = inline([("speed", number(*speed)), ("droop", number(*loss))]);
            if let Some(force) = force {
                keys.insert("force", number(*force));
            }
            list.push(("motor", keys.into()));
        }
        None => {}
    }
    if let Some((stiffness, rest)) = acts.spring {
        let mut keys = inline([("stiffness", number(stiffness))]);
        if rest != 0.0 {
            keys.insert("rest", number(rest));
        }
        list.push(("spring", keys.into()));
    }
    if acts.low.is_some() || acts.high.is_some() {
        let ends = [("low", acts.low), ("high", acts.high)];
        let keys = inline(ends.into_iter().filter_map(|(key, end)| Some((key, number(end?)))));
        list.push(("limits", keys.into()));
    }
    if acts.friction > 0.0 {
        list.push(("friction", number(acts.friction)));
    }
    if acts.viscosity > 0.0 {
        list.push(("damping", number(acts.viscosity)));
    }
    list
}

/// The keys of a distance; its spring has its damping and its own rest length.
fn lengths(pair: &Pair, options: &mut Vec<(&'static str, Value)>) {
    let [low, high, rest] = pair.lengths;
    let damping = pair.axes.first().map_or(0.0, |(_, acts)| acts.viscosity);
    options.retain(|(key, _)| *key != "damping");
    for (key, option) in options.iter_mut() {
        if let ("spring", Value::InlineTable(keys)) = (*key, option) {
            if damping > 0.0 {
                keys.insert("damping", number(damping));
            }
            if let Some(rest) = rest {
                keys.insert("rest", number(rest));
            }
        }
    }
    let ends = [("min", low), ("max", high)];
    options.splice(0..0, ends.into_iter().filter_map(|(key, end)| Some((key, number(end?)))));
}
