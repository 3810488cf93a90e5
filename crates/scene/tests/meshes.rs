//! Mesh files: the same solid from every format, hostile and degenerate files told by name.

use crate::kit;

use glam::DVec3;
use kit::Dice;
use std::sync::Arc;
use windlass_engine::prelude::{Mass, Shape};
use windlass_scene::files::{Files, Memory};
use windlass_scene::{Built, Errors, Scene, parse};

/// A box from 0 to `size`, as corners and triangles that look outward.
fn block(size: DVec3) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corner = |i: u32| size * DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1));
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn stl(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        for corner in triangle {
            bytes
                .extend(vertices[*corner as usize].to_array().iter().flat_map(|x| (*x as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn ascii(vertices: &[DVec3], triangles: &[[u32; 3]]) -> String {
    let mut text = String::from("solid block\n");
    for triangle in triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        for v in triangle.map(|i| vertices[i as usize]) {
            text += &format!("vertex {:e} {:e} {:e}\n", v.x, v.y, v.z);
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid block\n"
}

fn obj(vertices: &[DVec3], triangles: &[[u32; 3]]) -> String {
    let mut text = String::new();
    vertices.iter().for_each(|v| text += &format!("v {} {} {}\n", v.x, v.y, v.z));
    triangles.iter().for_each(|[a, b, c]| text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    text
}

/// A GLB with one node; its file has y up, as the format wants.
fn glb(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<u8> {
    let mut data: Vec<u8> = vertices
        .iter()
        .flat_map(|v| [v.x as f32, v.z as f32, -v.y as f32])
        .flat_map(f32::to_le_bytes)
        .collect();
    let split = data.len();
    data.extend(triangles.iter().flatten().flat_map(|i| i.to_le_bytes()));
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],"buffers":[{{"byteLength":{}}}],
        "bufferViews":[{{"buffer":0,"byteLength":{split}}},{{"buffer":0,"byteOffset":{split},"byteLength":{}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[0,0,0],"max":[9,9,9]}},
        {{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}]}}"#,
        data.len(),
        data.len() - split,
        vertices.len(),
        3 * triangles.len()
    );
    let mut json = json.into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    let total = 12 + 8 + json.len() + 8 + data.len();
    for part in [2, total as u32, json.len() as u32, 0x4e4f_534a] {
        bytes.extend(part.to_le_bytes());
    }
    bytes.extend(&json);
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(0x004e_4942_u32.to_le_bytes());
    bytes.extend(&data);
    bytes
}

fn load(shape: &str, files: impl Files + 'static) -> Result<Built, Errors> {
    let text = format!("windlass = 2\n[bodies.x]\nmaterial = \"steel\"\nshape = {{ {shape} }}\n");
    let scene = parse(&text, "s.toml")?;
    Scene { files: Arc::new(files), ..scene }.build()
}

#[track_caller]
fn mass(shape: &str, files: impl Files + 'static) -> Mass {
    let built = load(shape, files).unwrap_or_else(|e| panic!("{e}"));
    built.world.model().bodies().get(built.bodies[0]).expect("there").mass
}

#[track_caller]
fn told(shape: &str, files: impl Files + 'static) -> String {
    load(shape, files).expect_err("it is wrong").to_string()
}

#[test]
fn every_format_gives_the_same_solid() {
    let size = DVec3::new(1.0, 2.0, 4.0);
    let (v, t) = block(size);
    let wanted = Mass::of(&Shape::Box { half: size / 2.0 }, 7850.0).expect("a box");
    let files = Memory::new()
        .with("b.stl", stl(&v, &t))
        .with("a.STL", ascii(&v, &t))
        .with("m/b.obj", obj(&v, &t))
        .with("b.glb", glb(&v, &t));
    let shapes = [
        "mesh = { file = \"b.stl\" }",
        "mesh = { file = \"a.STL\" }",
        "mesh = { file = \"./m/b.obj\" }",
        "mesh = { file = \"b.glb\" }",
        "convex = { file = \"b.stl\" }",
    ];
    for shape in shapes {
        let got = mass(shape, files.clone());
        assert!((got.mass - wanted.mass).abs() < 1e-9 * wanted.mass, "{shape}: {}", got.mass);
        assert!((got.center - size / 2.0).length() < 1e-12, "{shape}: {}", got.center);
        let off = (got.inertia - wanted.inertia).abs();
        assert!(off.to_cols_array().iter().all(|x| *x < 1e-9 * wanted.inertia.x_axis.x), "{shape}");
    }
    // millimetres
    assert!(
        (mass("mesh = { file = \"b.stl\", scale = 0.001 }", files.clone()).mass - wanted.mass * 1e-9).abs()
            < 1e-15
    );
    // (x, y, z) of the file becomes (x, −z, y)
    let turned = mass("mesh = { file = \"b.stl\", up = \"y\" }", files);
    assert!((turned.center - DVec3::new(0.5, -2.0, 1.0)).length() < 1e-12);
}

#[test]
fn what_is_no_solid_is_told_with_a_remedy() {
    let (v, t) = block(DVec3::ONE);
    let inward: Vec<_> = t.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let files = Memory::new()
        .with("open.stl", stl(&v, &t[1..]))
        .with("inward.obj", obj(&v, &inward))
        .with("twice.stl", stl(&v, &[&t[..], &t[..]].concat()))
        .with("flat.stl", stl(&v, &[[0, 1, 2], [0, 2, 1], [1, 3, 2], [1, 2, 3]]))
        .with("none.obj", "v 0 0 0\n")
        .with("huge.stl", [vec![b'x'; 80], 4_000_000_000_u32.to_le_bytes().to_vec()].concat())
        .with("face.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 2147483648\n")
        .with("wide.stl", stl(&block(DVec3::splat(2.0)).0, &t))
        .with("note.txt", "hello");
    let mesh = |file: &str| told(&format!("mesh = {{ file = \"{file}\" }}"), files.clone());
    assert_eq!(
        mesh("open.stl"),
        "s.toml:4:27: \"open.stl\" is not closed: it has a boundary edge from (0, 0, 0) to (1, 1, 0) m (close the surface \
         and merge nearby vertices, or use its convex hull: shape = { convex = { file = \"open.stl\" } }; for ground \
         set `open = true`)"
    );
    assert!(mass("convex = { file = \"open.stl\" }", files.clone()).mass > 7849.0);
    assert_eq!(
        mesh("inward.obj"),
        "s.toml:4:27: \"inward.obj\" has inward normals (set `flip = true` beside `file`)"
    );
    assert!(mass("mesh = { file = \"inward.obj\", flip = true }", files.clone()).mass > 7849.0);
    assert!(mesh("twice.stl").contains("more than two faces share"));
    assert!(mesh("flat.stl").contains("more than two faces share") || mesh("flat.stl").contains("no volume"));
    assert!(mesh("none.obj").contains("has no triangles"));
    assert_eq!(
        mesh("huge.stl"),
        "s.toml:4:27: \"huge.stl\": the STL file declares 4000000000 triangles, which take 200000000084 bytes, but has \
         84 (the file is truncated or damaged: export it again)"
    );
    assert!(mesh("face.obj").contains("OBJ file"), "{}", mesh("face.obj"));
    assert_eq!(
        mesh("note.txt"),
        "s.toml:4:27: \"note.txt\" does not have the extension of a mesh file (supported are .stl, .obj, .gltf and .glb)"
    );
    assert_eq!(
        mesh("gone.stl"),
        "s.toml:4:27: there is no file \"gone.stl\" (includes are relative to their file, meshes to the scene's folder: check the name)"
    );
    assert_eq!(
        mesh("../x.stl"),
        "s.toml:4:27: \"../x.stl\" is outside the scene's folder (put the file into the folder of the scene or below \
         it)"
    );
    let both = "mesh = { file = \"open.stl\", vertices = [], triangles = [] }";
    assert!(told(both, files.clone()).contains("a mesh needs either"));
    assert!(told("convex = {}", files.clone()).contains("give `points`, or `file`"));
    let far = told("mesh = { file = \"wide.stl\", scale = 1e10 }", files.clone());
    assert!(far.contains("\"wide.stl\" has a vertex at"), "{far}");
    assert!(told("mesh = { file = \"inward.obj\", scale = 2e10 }", files).contains("`scale` is 2e10"));
}

#[test]
fn files_are_found_beside_the_scene_and_nowhere_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (v, t) = block(DVec3::ONE);
    std::fs::write(folder.path().join("b.stl"), stl(&v, &t)).expect("written");
    let scene = |file: &str| {
        let path = folder.path().join("s.toml");
        let text =
            format!("windlass = 2\n[bodies.x]\nmass = 1\nshape = {{ mesh = {{ file = \"{file}\" }} }}\n");
        std::fs::write(&path, text).expect("written");
        windlass_scene::read(path).and_then(|s| s.build())
    };
    assert!(scene("b.stl").is_ok());
    assert!(scene("/etc/passwd").is_err());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("z.stl")).expect("linked");
        assert!(scene("z.stl").expect_err("a device").to_string().contains("outside"));
    }
}

/// Blocks and tetrahedra of sizes from 1e-9 to 1e9, damaged in every way: the mass is finite or the file refused.
#[test]
fn degenerate_meshes_have_finite_mass_or_are_refused() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let (mut sound, mut refused) = (0, 0);
    for round in 0..200 {
        let scale = [1e-9, 1e-3, 1.0, 1e3, 1e9][round % 5];
        let (mut v, mut t) = block(DVec3::new(1.0, 0.5, 2.0) * scale);
        for _ in 0..dice.below(3) {
            let at = dice.below(t.len());
            match dice.below(8) {
                0 => t[at] = [t[at][0], t[at][0], t[at][1]],
                1 => t.push(t[at]),
                2 => drop(t.remove(at)),
                3 => t.iter_mut().for_each(|t| t.swap(0, 1)),
                4 => v[dice.below(8)] = v[dice.below(8)],
                5 => v.iter_mut().for_each(|v| v.z = 0.0),
                6 => v[dice.below(8)].x = [f64::NAN, f64::INFINITY, 1e300, 1e-300][dice.below(4)],
                _ => v.iter_mut().for_each(|v| *v += DVec3::splat(1e6 * scale)),
            }
        }
        let file = if round % 2 == 0 { "a.stl" } else { "a.obj" };
        let bytes = if round % 2 == 0 { stl(&v, &t) } else { obj(&v, &t).into_bytes() };
        for kind in ["mesh", "convex"] {
            match load(&format!("{kind} = {{ file = \"{file}\" }}"), Memory::new().with(file, bytes.clone()))
            {
                Ok(built) => {
                    sound += 1;
                    let mass = built.world.model().bodies().get(built.bodies[0]).expect("there").mass;
                    assert!(
                        mass.mass.is_finite() && mass.mass > 0.0 && mass.inertia.is_finite(),
                        "round {round}"
                    );
                }
                Err(errors) => {
                    refused += 1;
                    assert!(errors.to_string().starts_with("s.toml:"), "{errors}");
                }
            }
        }
    }
    assert!(sound > 100 && refused > 100, "{sound} sound, {refused} refused");
}

/// Files damaged at random places are read or refused, in every format, without harm.
#[test]
fn damaged_files_do_no_harm() {
    let (v, t) = block(DVec3::ONE);
    let originals = [
        ("a.stl", stl(&v, &t)),
        ("t.stl", ascii(&v, &t).into_bytes()),
        ("a.obj", obj(&v, &t).into_bytes()),
        ("a.glb", glb(&v, &t)),
    ];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..500 {
        for (name, bytes) in &originals {
            let mut bytes = bytes.clone();
            for _ in 0..=dice.below(4) {
                let at = dice.below(bytes.len());
                match dice.below(4) {
                    0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
                    1 => bytes.truncate(at),
                    2 => {
                        let end = (at + dice.below(30)).min(bytes.len());
                        bytes.drain(at..end);
                    }
                    _ => {
                        let nasty: [&[u8]; 6] =
                            [b"-9999999999", b"nan", b"1e999", b"\xff\xff\xff\xff", b"[", b"4294967295"];
                        bytes.splice(at..at, nasty[dice.below(6)].iter().copied());
                    }
                }
            }
            if let Err(errors) =
                load(&format!("mesh = {{ file = \"{name}\" }}"), Memory::new().with(name, bytes))
            {
                assert!(errors.to_string().starts_with("s.toml:"));
            }
        }
    }
}
