//! Shapes: what is refused and why; the convex hull holds all its points.

use glam::*;

use windlass_engine::body::hull::hull;
use windlass_engine::body::points::ShapeError;
use windlass_engine::body::shape::*;

fn cube_corners() -> Vec<DVec3> {
    (0..8)
        .map(|i| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) * 2.0 - DVec3::ONE)
        .collect()
}

fn tetrahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    (vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

fn mesh(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<(), ShapeError> {
    Shape::Mesh { vertices, triangles }.check()
}

#[test]
fn sizes_must_be_positive_and_finite() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let shapes = [
            Shape::Sphere { radius: bad },
            Shape::Box { half: dvec3(1.0, bad, 1.0) },
            Shape::Cylinder { radius: bad, half_length: 1.0 },
            Shape::Cylinder { radius: 1.0, half_length: bad },
            Shape::Capsule { radius: 1.0, half_length: bad },
            Shape::Cone { radius: 1.0, half_height: bad },
        ];
        for shape in shapes {
            assert!(matches!(shape.check(), Err(ShapeError::Size { .. })), "{shape:?}");
        }
    }
    assert!(Shape::Sphere { radius: 1.0 }.check().is_ok());
    let error = Shape::Sphere { radius: -1.0 }.check().unwrap_err();
    assert_eq!(error.to_string(), "`radius` is -1: give a positive, finite length in metres");
}

#[test]
fn a_tetrahedron_is_a_mesh_and_its_faults_are_named() {
    let (vertices, triangles) = tetrahedron();
    assert_eq!(mesh(vertices.clone(), triangles.clone()), Ok(()));

    let mut doubled = triangles.clone();
    doubled.push([1, 2, 3]);
    assert_eq!(mesh(vertices.clone(), doubled), Err(ShapeError::Shared { from: 1, to: 2 }));

    let mut five = vertices.clone();
    five.push(DVec3::ONE);
    let torn = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 4]];
    assert_eq!(mesh(five, torn), Err(ShapeError::Open { from: 1, to: 3 }));

    let inward = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert!(matches!(mesh(vertices.clone(), inward), Err(ShapeError::InsideOut { .. })));

    let mut wild = triangles.clone();
    wild[3][2] = 7;
    let error = ShapeError::Index { triangle: 3, vertex: 7, count: 4 };
    assert_eq!(mesh(vertices.clone(), wild), Err(error));

    let mut twice = triangles.clone();
    twice[1] = [1, 1, 3];
    assert_eq!(mesh(vertices.clone(), twice), Err(ShapeError::Degenerate { triangle: 1 }));

    let flat = vertices.iter().map(|v| dvec3(v.x, v.y, v.x / 3.0 + v.y / 7.0)).collect();
    assert_eq!(mesh(flat, triangles.clone()), Err(ShapeError::Flat { key: "triangles" }));

    let mut lost = vertices.clone();
    lost[2].y = f64::NAN;
    assert_eq!(mesh(lost, triangles), Err(ShapeError::NotFinite { key: "vertices", index: 2 }));
    assert!(matches!(mesh(vertices, vec![]), Err(ShapeError::TooFew { key: "triangles", .. })));
}

#[test]
fn a_compound_names_the_part_at_fault() {
    let ball = Shape::Sphere { radius: 1.0 };
    let check = |parts| Shape::Compound { parts }.check();
    assert!(matches!(check(vec![]), Err(ShapeError::TooFew { key: "parts", .. })));
    assert!(check(vec![(DVec3::X, DQuat::IDENTITY, ball.clone())]).is_ok());

    let inner = vec![(DVec3::ZERO, DQuat::IDENTITY, Shape::Sphere { radius: 0.0 })];
    let parts = vec![
        (DVec3::ZERO, DQuat::IDENTITY, ball.clone()),
        (DVec3::ZERO, DQuat::IDENTITY, Shape::Compound { parts: inner }),
    ];
    assert_eq!(
        check(parts).unwrap_err().to_string(),
        "`parts[1]`: `parts[0]`: `radius` is 0: give a positive, finite length in metres"
    );
    let long = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0);
    let error = ShapeError::Orientation { index: 0, length: 2.0 };
    assert_eq!(check(vec![(DVec3::ZERO, long, ball.clone())]), Err(error));
    let lost = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0);
    assert!(matches!(check(vec![(DVec3::ZERO, lost, ball.clone())]), Err(ShapeError::Orientation { .. })));
    let nowhere = vec![(DVec3::INFINITY, DQuat::IDENTITY, ball)];
    assert_eq!(check(nowhere), Err(ShapeError::NotFinite { key: "parts", index: 0 }));
}

#[test]
fn points_must_span_a_volume() {
    let check = |points| Shape::Convex { points }.check();
    let flat = ShapeError::Flat { key: "points" };
    assert!(matches!(check(vec![DVec3::X; 3]), Err(ShapeError::TooFew { count: 3, least: 4, .. })));
    assert_eq!(check(vec![DVec3::X; 9]), Err(flat.clone()));
    assert_eq!(check((0..9).map(|i| DVec3::ONE * f64::from(i)).collect()), Err(flat.clone()));
    assert_eq!(check(vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y]), Err(flat.clone()));
    let turn = DQuat::from_xyzw(0.1, 0.2, 0.3, 0.9).normalize();
    let sheet = |z: f64| cube_corners().iter().map(|p| turn * dvec3(p.x, p.y, p.z * z)).collect();
    assert_eq!(check(sheet(0.0)), Err(flat.clone()));
    assert_eq!(check(sheet(1e-6)), Ok(()));
    assert_eq!(check(vec![dvec3(1e308, 0.0, 0.0), -DVec3::X * 1e308, DVec3::Y, DVec3::Z]), Err(flat));
    let lost = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z * f64::NAN];
    assert_eq!(check(lost), Err(ShapeError::NotFinite { key: "points", index: 3 }));
}

#[test]
fn hull_of_a_dense_sphere_keeps_every_point() {
    let count = 3000;
    let sphere: Vec<DVec3> = (0..count)
        .map(|i| {
            let z = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
            let (sin, cos) = libm::sincos(2.399_963 * f64::from(i));
            let radius = (1.0 - z * z).sqrt();
            dvec3(radius * cos, radius * sin, z)
        })
        .collect();
    let (vertices, triangles) = hull(&sphere).unwrap();
    assert_eq!((vertices.len(), triangles.len()), (3000, 2 * 3000 - 4));
}
