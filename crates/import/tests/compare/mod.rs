//! An imported scene beside what MuJoCo makes of the same file (`truth.py`).

use glam::{DMat3, DQuat, DVec3};
use serde_json::Value;
use std::collections::BTreeMap;
use toml_edit::{DocumentMut, TableLike};
use windlass_engine::prelude::Integrator;
use windlass_import::{Imported, Options, Start};
use windlass_scene::Built;

/// How far apart the two are.
#[derive(Debug, Default)]
pub struct Apart {
    /// Total mass, relative.
    pub mass: f64,
    /// Masses of bodies, relative.
    pub masses: f64,
    /// Centres of mass [m].
    pub centers: f64,
    /// Inertias, relative to the largest entry.
    pub inertias: f64,
    /// Bodies compared, and bodies of the truth that have no counterpart.
    pub bodies: (usize, Vec<String>),
    /// Degrees of freedom, ours and theirs.
    pub freedoms: (usize, usize),
    /// If a fall is compared.
    pub fall: Option<Fall>,
}

/// How far apart two falls are.
#[derive(Debug, Default)]
pub struct Fall {
    /// Coordinates at the same times [m or rad].
    pub coordinates: f64,
    /// Origins of bodies at the same times [m].
    pub origins: f64,
    /// How many coordinates were compared at each time.
    pub count: usize,
    /// How far the coordinates went [m or rad].
    pub way: f64,
}

/// The options that start where the truth does.
pub fn options(truth: &Value, options: Options) -> Options {
    let start = match (truth["key"].as_str(), truth["start"].as_object()) {
        (Some(key), _) => Start::Keyframe(key.to_string()),
        (None, Some(values)) if !values.is_empty() => {
            let values = values.iter().map(|(k, v)| (k.clone(), v.as_f64().expect("a number")));
            Start::Joints(values.collect::<BTreeMap<_, _>>())
        }
        _ => Start::Zero,
    };
    Options { start, ..options }
}

fn vector(v: &Value) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|i| v[i].as_f64().expect("a number")))
}

fn size(m: DMat3) -> f64 {
    m.to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// Builds the imported scene, from a folder with its meshes.
pub fn build(imported: &Imported) -> Built {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("imported.toml");
    imported.write(&path).unwrap_or_else(|e| panic!("{e}"));
    let built = windlass_scene::read(&path).and_then(|scene| scene.build());
    built.unwrap_or_else(|e| panic!("{e}\n{}", &imported.toml))
}

/// The imported scene without stops and dry friction, which the truth about a fall has not, either.
fn without_stops(imported: &Imported) -> Imported {
    let mut scene: DocumentMut = imported.toml.parse().expect("TOML");
    let strip = |table: &mut dyn TableLike| {
        table.remove("limits");
        table.remove("friction");
    };
    let joints = scene.get_mut("joints").and_then(|j| j.as_table_like_mut());
    for (_, joint) in joints.into_iter().flat_map(|j| j.iter_mut()) {
        for (_, kind) in joint.as_table_like_mut().expect("a joint").iter_mut() {
            let Some(kind) = kind.as_table_like_mut() else { continue };
            strip(kind);
            kind.iter_mut().filter_map(|(_, axis)| axis.as_table_like_mut()).for_each(strip);
        }
    }
    Imported { toml: scene.to_string(), ..imported.clone() }
}

/// Compares masses, and a fall if the truth has one, in steps of `dt`.
pub fn compare(imported: &Imported, truth: &Value, dt: f64) -> Apart {
    let mut built = build(imported);
    let mut apart = Apart::default();
    let world = &built.world;
    let (model, state) = (world.model(), world.state());
    for group in truth["groups"].as_array().expect("groups") {
        let name = group["body"].as_str().expect("a name");
        let Some(id) = model.body(name) else {
            apart.bodies.1.push(name.to_string());
            continue;
        };
        apart.bodies.0 += 1;
        let body = model.bodies().get(id).expect("a body");
        let at = &state.bodies[id.index()];
        let mass = group["mass"].as_f64().expect("a mass");
        let turn = DMat3::from_quat(at.orientation);
        let inertia = turn * body.mass.inertia * turn.transpose();
        let rows = [0, 1, 2].map(|i| vector(&group["inertia"][i]));
        let wanted = DMat3::from_cols(rows[0], rows[1], rows[2]);
        apart.masses = apart.masses.max((body.mass.mass / mass - 1.0).abs());
        apart.centers = apart.centers.max((at.position - vector(&group["center"])).length());
        apart.inertias = apart.inertias.max(size(inertia - wanted) / size(wanted));
    }
    apart.mass = (imported.counts.mass / truth["mass"].as_f64().expect("a mass") - 1.0).abs();
    apart.freedoms =
        (built.world.degrees_of_freedom(), truth["freedoms"].as_u64().expect("a number") as usize);
    if truth["fall"].is_object() {
        let mut built = build(&without_stops(imported));
        apart.fall = Some(fall(&mut built, imported, &truth["fall"], dt));
    }
    apart
}

/// Lets the scene fall and compares coordinates and origins at the times of the truth.
fn fall(built: &mut Built, imported: &Imported, truth: &Value, dt: f64) -> Fall {
    built.world.set(|s| (s.dt, s.integrator) = (dt, Integrator::Projected)).expect("settings");
    let mut result = Fall::default();
    let mut step = 0;
    for (index, time) in truth["times"].as_array().expect("times").iter().enumerate() {
        let until = (time.as_f64().expect("a time") / dt).round() as usize;
        while step < until {
            let report = built.world.step();
            assert!(report.fault.is_none(), "a fault at step {step}: {:?}", report.fault);
            step += 1;
        }
        let world = &built.world;
        result.count = 0;
        for source in &imported.sources {
            let (Some(joint), Some(values)) = (&source.joint, truth["joints"].get(&source.name)) else {
                continue;
            };
            let id = world.model().joint(joint).expect("a joint");
            let Some(value) = world.coordinate(id, source.coordinate) else { continue };
            let value = if source.reversed { -value } else { value } + source.zero;
            let wanted = |k: usize| values[k].as_f64().expect("a value");
            assert!(value.is_finite(), "{joint} stands at {value}");
            result.coordinates = result.coordinates.max((value - wanted(index)).abs());
            result.way = result.way.max((wanted(index) - wanted(0)).abs());
            result.count += 1;
        }
        for (name, values) in truth["origins"].as_object().expect("origins") {
            let Some(id) = world.model().body(name) else { continue };
            let (body, at) =
                (world.model().bodies().get(id).expect("a body"), &world.state().bodies[id.index()]);
            let origin = at.position + DQuat::mul_vec3(at.orientation, -body.mass.center);
            result.origins = result.origins.max((origin - vector(&values[index])).length());
        }
    }
    result
}
