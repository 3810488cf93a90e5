//! STL: a list of triangles, each with its own vertices.
//!
//! ```text
//! binary: 80 bytes of header, u32 count, then 50 bytes per triangle: normal, three vertices (f32), 2 bytes
//! text:   solid … facet normal x y z  outer loop  vertex x y z (three times)  endloop endfacet … endsolid
//! ```
//!
//! Normals are not read: the order of the vertices defines the outside.

use super::{MOST_TRIANGLES, MeshError, Surface};
use glam::DVec3;

/// Bytes before the first triangle.
const HEAD: usize = 84;
/// Bytes per triangle.
const FACET: usize = 50;

/// Reads either format.
pub fn read(bytes: &[u8]) -> Result<Surface, MeshError> {
    let declared = bytes.get(80..HEAD).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let wanted = |count: u32| HEAD as u64 + FACET as u64 * u64::from(count);
    // many programs begin binary files with "solid" too: the length decides
    match declared {
        Some(count) if wanted(count) == bytes.len() as u64 => binary(bytes, count),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some(declared) => Err(MeshError::Length { declared, wanted: wanted(declared), size: bytes.len() }),
        None => Err(fail("the start".to_string(), "neither a binary header nor the word \"solid\"")),
    }
}

/// The count has been checked against the length.
fn binary(bytes: &[u8], count: u32) -> Result<Surface, MeshError> {
    if count as usize > MOST_TRIANGLES {
        return Err(MeshError::Many(count as usize));
    }
    let mut surface = Surface::default();
    for facet in bytes[HEAD..].chunks_exact(FACET) {
        let mut numbers =
            facet[12..48].chunks_exact(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])));
        let mut next = || numbers.next().unwrap_or(f64::NAN);
        let corners = [(); 3].map(|()| DVec3::new(next(), next(), next()));
        surface.add(&corners, &[0, 1, 2])?;
    }
    Ok(surface)
}

fn text(bytes: &[u8]) -> Result<Surface, MeshError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| fail(format!("byte {}", e.valid_up_to()), "neither text nor a complete binary file"))?;
    let mut surface = Surface::default();
    let mut corners = Vec::with_capacity(3);
    for (index, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("vertex") => {
                let numbers: Vec<f64> = words.map_while(|w| w.parse().ok()).collect();
                let [x, y, z] = numbers[..] else {
                    return Err(fail(format!("line {}", index + 1), "a vertex needs three numbers"));
                };
                corners.push(DVec3::new(x, y, z));
            }
            Some("endfacet") => {
                if corners.len() != 3 {
                    return Err(fail(format!("line {}", index + 1), "a facet needs three vertices"));
                }
                surface.add(&corners, &[0, 1, 2])?;
                corners.clear();
            }
            _ => {}
        }
    }
    if corners.is_empty() { Ok(surface) } else { Err(fail("the end".to_string(), "a facet is incomplete")) }
}

fn fail(place: String, what: &str) -> MeshError {
    MeshError::Content { format: "STL", place, what: what.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(count: u32) -> Vec<u8> {
        let mut bytes = b"solid by a program that says so in binary files".to_vec();
        bytes.resize(80, b' ');
        bytes.extend(count.to_le_bytes());
        bytes
    }

    #[test]
    fn both_forms_are_read() {
        let mut bytes = head(1);
        for x in [0.0_f32, 0.0, 1.0, 0.0, 0.0, 0.0, 2.5, 0.0, 0.0, 0.0, -1.0, 0.0] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0, 0]);
        let from_binary = read(&bytes).expect("sound");
        assert_eq!(from_binary.vertices[1], DVec3::new(2.5, 0.0, 0.0));
        let text = "solid a b\n facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2.5 0 0\n\tvertex 0 -1 0\nendloop\n\
                    endfacet\nendsolid\n";
        assert_eq!(read(text.as_bytes()), Ok(from_binary));
    }

    #[test]
    fn counts_are_checked_before_memory_is_taken() {
        let mut bytes = head(4_000_000_000);
        assert!(matches!(read(&bytes), Err(MeshError::Content { place, .. }) if place == "byte 83"));
        bytes[..5].copy_from_slice(b"SOLID");
        assert_eq!(
            read(&bytes),
            Err(MeshError::Length { declared: 4_000_000_000, wanted: 200_000_000_084, size: 84 })
        );
        assert!(matches!(read(b"abc"), Err(MeshError::Content { .. })));
        assert!(
            matches!(read(b"solid\nvertex 1 2\n"), Err(MeshError::Content { place, .. }) if place == "line 2")
        );
        assert!(
            matches!(read(b"solid\nvertex 1 2 3\nendfacet"), Err(MeshError::Content { place, .. }) if place == "line 3")
        );
    }
}
