//! Mass properties: closed forms against another library, meshes against formulas, compounds against Steiner.

use glam::*;
use parry3d_f64::mass_properties::MassProperties;
use proptest::prelude::*;

use windlass_engine::body::mass::*;
use windlass_engine::body::shape::*;

const DENSITY: f64 = 7850.0;

fn assert_close(found: Mass, expected: Mass, relative: f64) {
    let size = expected.inertia.diagonal().max_element();
    let length = (size / expected.mass).sqrt() + expected.center.length();
    assert!((found.mass / expected.mass - 1.0).abs() <= relative, "{found:?}\n{expected:?}");
    assert!((found.center - expected.center).length() <= relative * length, "{found:?}\n{expected:?}");
    assert!(found.inertia.abs_diff_eq(expected.inertia, relative * size), "{found:?}\n{expected:?}");
}

fn of(shape: &Shape) -> Mass {
    Mass::of(shape, DENSITY).unwrap()
}

/// Parry's properties; its axis of symmetry is y, ours z.
fn of_parry(properties: MassProperties, turn: DQuat) -> Mass {
    let mass = Mass::new(properties.mass(), properties.local_com, properties.reconstruct_inertia_matrix());
    mass.moved(DVec3::ZERO, turn)
}

fn box_mesh(half: DVec3) -> Shape {
    let vertices = (0..8)
        .map(|i| half * dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) * 2.0 - half)
        .collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Shape::Mesh { vertices, triangles }
}

/// A ball as an octahedron with each triangle split `splits` times.
fn ball_mesh(splits: usize) -> Shape {
    let mut vertices = vec![DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z];
    let mut triangles: Vec<[u32; 3]> =
        vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    for _ in 0..splits {
        let mut middles = std::collections::BTreeMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
    }
    Shape::Mesh { vertices, triangles }
}

fn shape_of(kind: usize, a: f64, b: f64, c: f64) -> Shape {
    match kind {
        0 => Shape::Sphere { radius: a },
        1 => Shape::Box { half: dvec3(a, b, c) },
        2 => Shape::Cylinder { radius: a, half_length: b },
        3 => Shape::Capsule { radius: a, half_length: b },
        4 => Shape::Cone { radius: a, half_height: b },
        _ => box_mesh(dvec3(a, b, c)),
    }
}

fn turn_of(x: f64, y: f64, z: f64) -> DQuat {
    DQuat::from_xyzw(x, y, z, 1.0).normalize()
}

#[test]
fn primitives_agree_with_parry() {
    let upright = DQuat::from_mat3(&DMat3::from_cols(DVec3::X, DVec3::Z, -DVec3::Y));
    let (r, l) = (0.3, 0.7);
    let half = dvec3(0.2, 0.5, 1.1);
    let ends = [dvec3(0.0, 0.0, -l), dvec3(0.0, 0.0, l)];
    let cases = [
        (shape_of(0, r, 0.0, 0.0), MassProperties::from_ball(DENSITY, r), DQuat::IDENTITY),
        (shape_of(1, half.x, half.y, half.z), MassProperties::from_cuboid(DENSITY, half), DQuat::IDENTITY),
        (shape_of(2, r, l, 0.0), MassProperties::from_cylinder(DENSITY, l, r), upright),
        (shape_of(3, r, l, 0.0), MassProperties::from_capsule(DENSITY, ends[0], ends[1], r), DQuat::IDENTITY),
        (shape_of(4, r, l, 0.0), MassProperties::from_cone(DENSITY, l, r), upright),
    ];
    for (shape, properties, turn) in cases {
        assert_close(of(&shape), of_parry(properties, turn), 1e-10);
    }
}

#[test]
fn mesh_and_hull_of_a_box_are_the_box() {
    let half = dvec3(0.2, 0.5, 1.1);
    let expected = of(&Shape::Box { half });
    let mesh = box_mesh(half);
    assert_close(of(&mesh), expected, 1e-14);
    let Shape::Mesh { vertices, .. } = mesh else { unreachable!() };
    assert_close(of(&Shape::Convex { points: vertices }), expected, 1e-14);
}

#[test]
fn a_box_mesh_far_away_keeps_its_inertia() {
    let half = dvec3(0.2, 0.5, 1.1);
    let at = dvec3(1e4, -2e4, 3e4);
    let Shape::Mesh { mut vertices, triangles } = box_mesh(half) else { unreachable!() };
    vertices.iter_mut().for_each(|vertex| *vertex += at);
    let found = of(&Shape::Mesh { vertices, triangles });
    let near = Mass { center: found.center - at, ..found };
    assert_close(near, of(&Shape::Box { half }), 1e-10);
}

#[test]
fn a_cavity_takes_mass_away() {
    let (outer, inner) = (dvec3(1.0, 2.0, 3.0), dvec3(0.5, 0.5, 0.5));
    let Shape::Mesh { mut vertices, mut triangles } = box_mesh(outer) else { unreachable!() };
    let Shape::Mesh { vertices: hole, triangles: inward } = box_mesh(inner) else { unreachable!() };
    vertices.extend(hole);
    triangles.extend(inward.iter().map(|&[a, b, c]| [a + 8, c + 8, b + 8]));
    let hole = of(&Shape::Box { half: inner });
    let cut = Mass { mass: -hole.mass, inertia: -hole.inertia, ..hole };
    let expected = Mass::combine(&[
        (DVec3::ZERO, DQuat::IDENTITY, of(&Shape::Box { half: outer })),
        (DVec3::ZERO, DQuat::IDENTITY, cut),
    ]);
    assert_close(of(&Shape::Mesh { vertices, triangles }), expected, 1e-14);
}

#[test]
fn meshes_of_a_ball_converge_with_order_two() {
    let exact = of(&Shape::Sphere { radius: 1.0 });
    let errors: Vec<[f64; 2]> = (3..6)
        .map(|splits| {
            let found = of(&ball_mesh(splits));
            [exact.mass - found.mass, (exact.inertia - found.inertia).x_axis.x]
        })
        .collect();
    for pair in errors.windows(2) {
        for quantity in 0..2 {
            let order = libm::log2(pair[0][quantity] / pair[1][quantity]);
            assert!((order - 2.0).abs() < 0.05, "order {order}");
        }
    }
    assert!(errors[2][0] / exact.mass < 2e-3);
}

#[test]
fn corner_tetrahedron() {
    // x, y, z ≥ 0, x + y + z ≤ a: m = ρa³/6, centre a/4, J = m a² (3/40 diagonal, 1/80 off).
    let a = 1.7;
    let points = vec![DVec3::ZERO, DVec3::X * a, DVec3::Y * a, DVec3::Z * a];
    let mass = DENSITY * a * a * a / 6.0;
    let off = DMat3::from_cols_array(&[0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
    let inertia = (DMat3::IDENTITY * (3.0 / 40.0) + off * (1.0 / 80.0)) * (mass * a * a);
    assert_close(of(&Shape::Convex { points }), Mass::new(mass, DVec3::splat(a / 4.0), inertia), 1e-14);
}

#[test]
fn halves_of_a_turned_box_make_the_box() {
    let (half, at, turn) = (dvec3(0.4, 0.3, 0.2), dvec3(1.0, -2.0, 0.5), turn_of(0.3, -0.4, 0.8));
    let side = Shape::Box { half: dvec3(0.2, 0.3, 0.2) };
    let place = |x: f64| at + turn * dvec3(x, 0.0, 0.0);
    let flip = turn * DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let parts = vec![(place(-0.2), turn, side.clone()), (place(0.2), flip, side)];
    let direct = of(&Shape::Box { half }).moved(at, turn);
    assert_close(of(&Shape::Compound { parts }), direct, 1e-13);
    let whole = Shape::Compound { parts: vec![(at, turn, Shape::Box { half })] };
    assert_close(of(&whole), direct, 1e-14);
}

#[test]
fn of_total_keeps_the_mass_exactly() {
    let shape = Shape::Cone { radius: 0.3, half_height: 0.2 };
    let found = Mass::of_total(&shape, 12.3).unwrap();
    assert_eq!(found.mass, 12.3);
    assert_close(found, Mass::of(&shape, 12.3 / Mass::of(&shape, 1.0).unwrap().mass).unwrap(), 1e-14);
    assert_eq!(Mass::of_total(&shape, -1.0), Err(MassError::Mass(-1.0)));
}

#[test]
fn points_on_a_stick_make_a_dumbbell() {
    let ends =
        [(DVec3::X * 2.0, DQuat::IDENTITY, Mass::point(1.0)), (-DVec3::X, DQuat::IDENTITY, Mass::point(2.0))];
    let found = Mass::combine(&ends);
    assert_eq!(found, Mass::new(3.0, DVec3::ZERO, DMat3::from_diagonal(dvec3(0.0, 6.0, 6.0))));
    assert!(matches!(found.check(), Err(MassError::Indefinite(_))));
    assert_eq!(Mass::combine(&[]), Mass::point(0.0));
}

#[test]
fn principal_axes_of_special_tensors() {
    let sorted = Mass::new(1.0, DVec3::ZERO, DMat3::from_diagonal(dvec3(2.0, 3.0, 4.0)));
    assert_eq!(sorted.principal_axes(), (dvec3(2.0, 3.0, 4.0), DQuat::IDENTITY));
    let ball = Mass::new(1.0, DVec3::ZERO, DMat3::IDENTITY);
    assert_eq!(ball.principal_axes(), (DVec3::ONE, DQuat::IDENTITY));
    let lost = Mass::new(1.0, DVec3::ZERO, DMat3::IDENTITY * f64::NAN);
    assert!(lost.principal_axes().0.is_nan());
}

#[test]
fn impossible_masses_are_named() {
    let good = of(&Shape::Box { half: dvec3(1.0, 2.0, 3.0) });
    assert_eq!(good.check(), Ok(()));
    for bad in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(Mass { mass: bad, ..good }.check(), Err(MassError::Mass(bad)));
        assert_eq!(Mass::of(&Shape::Sphere { radius: 1.0 }, bad), Err(MassError::Density(bad)));
    }
    assert!(matches!(Mass { mass: f64::NAN, ..good }.check(), Err(MassError::Mass(_))));
    assert!(matches!(Mass { center: DVec3::NAN, ..good }.check(), Err(MassError::Center(_))));
    let with = |inertia| Mass { inertia, ..good }.check();
    let diagonal = |x, y, z| DMat3::from_diagonal(dvec3(x, y, z));
    assert_eq!(with(DMat3::IDENTITY * f64::NAN), Err(MassError::NotFinite));
    let mut skew = diagonal(1.0, 1.0, 1.0);
    skew.y_axis.x = 0.1;
    assert_eq!(with(skew), Err(MassError::Asymmetric { row: 0, column: 1, upper: 0.1, lower: 0.0 }));
    assert!(matches!(with(diagonal(1.0, -1.0, 1.0)), Err(MassError::Indefinite(_))));
    assert!(matches!(with(DMat3::ZERO), Err(MassError::Indefinite(_))));
    assert!(matches!(with(diagonal(1.0, 1.0, 2.1)), Err(MassError::Triangle(_))));
    assert_eq!(with(diagonal(1.0, 1.0, 2.0 + 1e-6)), Ok(()));
}

#[test]
fn degenerate_shapes_are_errors() {
    let shapes = [
        Shape::Sphere { radius: 1e-200 },
        Shape::Sphere { radius: 1e200 },
        Shape::Sphere { radius: f64::NAN },
        Shape::Convex { points: vec![DVec3::ONE; 5] },
        Shape::Mesh { vertices: vec![], triangles: vec![] },
        Shape::Compound { parts: vec![] },
    ];
    for shape in shapes {
        assert!(Mass::of(&shape, 1.0).is_err(), "{shape:?}");
        assert!(Mass::of_total(&shape, 1.0).is_err(), "{shape:?}");
    }
}

prop_compose! {
    fn any_turn()(x in -3.0..3.0, y in -3.0..3.0, z in -3.0..3.0) -> DQuat { turn_of(x, y, z) }
}
prop_compose! {
    fn any_point()(x in -5.0..5.0, y in -5.0..5.0, z in -5.0..5.0) -> DVec3 { dvec3(x, y, z) }
}
prop_compose! {
    fn any_shape()(kind in 0..6_usize, a in 0.01..2.0, b in 0.01..2.0, c in 0.01..2.0) -> Shape {
        shape_of(kind, a, b, c)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn compounds_obey_steiner(
        parts in prop::collection::vec((any_point(), any_turn(), any_shape()), 1..5),
        point in any_point(),
    ) {
        let whole = of(&Shape::Compound { parts: parts.clone() });
        let sum = parts.iter().fold(DMat3::ZERO, |sum, (at, turn, part)| {
            let (part, turn) = (of(part), DMat3::from_quat(*turn));
            let offset = *at + turn * part.center - point;
            let shifted = DMat3::IDENTITY * offset.length_squared() - DMat3::from_cols(offset * offset.x, offset * offset.y, offset * offset.z);
            sum + turn * part.inertia * turn.transpose() + shifted * part.mass
        });
        let size = sum.diagonal().max_element();
        prop_assert!(whole.about(point).abs_diff_eq(sum, 1e-13 * size));
        prop_assert!(whole.check().is_ok());
    }

    #[test]
    fn principal_axes_rebuild_the_tensor(
        x in 0.001..1.0_f64,
        y in 0.001..1.0_f64,
        z in 0.001..1.0_f64,
        axes in any_turn(),
        center in any_point(),
    ) {
        let built = Mass::principal(1.0, center, dvec3(x, y, z), axes);
        let (moments, frame) = built.principal_axes();
        let mut sorted = [x, y, z];
        sorted.sort_by(f64::total_cmp);
        prop_assert!(moments.abs_diff_eq(DVec3::from_array(sorted), 4e-15));
        prop_assert!(frame.is_normalized());
        let again = Mass::principal(1.0, center, moments, frame);
        prop_assert!(again.inertia.abs_diff_eq(built.inertia, 1e-14));
    }

    #[test]
    fn a_turned_mesh_is_a_turned_mass(shape in any_shape(), at in any_point(), turn in any_turn()) {
        let mass = of(&shape);
        let (back, inverse) = (turn.inverse() * -at, turn.inverse());
        assert_close(mass.moved(at, turn).moved(back, inverse), mass, 1e-13);
        if let Shape::Mesh { vertices, triangles } = shape {
            let vertices = vertices.iter().map(|&vertex| at + turn * vertex).collect();
            assert_close(of(&Shape::Mesh { vertices, triangles }), mass.moved(at, turn), 1e-11);
        }
    }
}
