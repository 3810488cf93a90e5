//! OBJ: the faces of all its objects, split into triangles. Lines, points and materials are ignored.

use super::{MeshError, Surface};
use glam::DVec3;
use tobj::{LoadError, LoadOptions, load_obj_buf};

/// Reads the text.
pub fn read(bytes: &[u8]) -> Result<Surface, MeshError> {
    let options =
        LoadOptions { triangulate: true, ignore_points: true, ignore_lines: true, ..Default::default() };
    // material files affect only colours
    let no_materials = |_: &std::path::Path| Err(LoadError::OpenFileFailed);
    let (models, _) = load_obj_buf(&mut &*bytes, &options, no_materials).map_err(|e| fail(&e.to_string()))?;
    let mut surface = Surface::default();
    for model in models {
        let mesh = model.mesh;
        let vertices: Vec<DVec3> = mesh.positions.chunks_exact(3).map(DVec3::from_slice).collect();
        if mesh.indices.iter().any(|i| *i as usize >= vertices.len()) {
            return Err(fail("a face refers to a vertex that does not exist"));
        }
        surface.add(&vertices, &mesh.indices)?;
    }
    Ok(surface)
}

fn fail(what: &str) -> MeshError {
    MeshError::Content { format: "OBJ", place: "text".to_string(), what: what.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_cut_into_triangles() {
        let text = "mtllib none.mtl\no a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl x\nf 1 2 3 4\nf -4//1 -3//2 -2//1\nl 1 2\n";
        let surface = read(text.as_bytes()).expect("sound");
        assert_eq!(surface.triangles.len(), 3);
        let corners = surface.triangles[1].map(|i| surface.vertices[i as usize]);
        assert_eq!(corners, [DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0), DVec3::Y]);
    }

    #[test]
    fn absurd_numbers_of_corners_are_told() {
        for face in ["2147483648 1 2", "-5 1 2", "0 1 2", "99999999999999999999 1 2", "4 1 2", "x y z"] {
            let text = format!("v 0 0 0\nv 1 0 0\nv 1 1 0\nf {face}\n");
            assert!(matches!(read(text.as_bytes()), Err(MeshError::Content { format: "OBJ", .. })), "{face}");
        }
        assert!(read(b"v 1 2\n").is_err());
        assert!(read(b"v 1 2 3\nf \xff\n").is_err());
    }
}
