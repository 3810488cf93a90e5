//! Springs of a hose: their derivatives by central differences, their forces by balance, and the linear solver.

use glam::{DMat3, DVec3};
use windlass_mass_point_cable::band_matrix::{Band, Factor};
use windlass_mass_point_cable::bending::{self, Angle, bend, measure, transported};
use windlass_mass_point_cable::conjugate_gradients::Search;
use windlass_mass_point_cable::stretching::Stretch;

/// A step of differences: errors of truncation and rounding are then both near 1e-9 of the values.
const STEP: f64 = 1e-5;

/// Numbers that look random and are not.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }
}

fn derivative(f: impl Fn(DVec3) -> f64, at: DVec3) -> DVec3 {
    let one = |e: DVec3| (f(at + e * STEP) - f(at - e * STEP)) / (2.0 * STEP);
    DVec3::new(one(DVec3::X), one(DVec3::Y), one(DVec3::Z))
}

/// ∂f/∂x, column k by x_k.
fn jacobian(f: impl Fn(DVec3) -> DVec3, at: DVec3) -> DMat3 {
    let one = |e: DVec3| (f(at + e * STEP) - f(at - e * STEP)) / (2.0 * STEP);
    DMat3::from_cols(one(DVec3::X), one(DVec3::Y), one(DVec3::Z))
}

fn size(m: &DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |s: f64, x| s.max(x.abs()))
}

#[test]
fn stretch_has_its_derivatives() {
    let spring = Stretch { stiffness: 30.0, rest: 0.7 };
    let mut numbers = Numbers(1);
    for _ in 0..50 {
        let d = numbers.vector() + DVec3::X * 0.3;
        assert!((derivative(|d| spring.energy(d), d) - spring.gradient(d)).length() < 1e-7);
        let error = size(&(jacobian(|d| spring.gradient(d), d) - spring.hessian(d, false)));
        assert!(error < 1e-6 / d.length(), "{error} at {d}");
    }
}

/// The two segments of a joint at an angle.
fn joint(numbers: &mut Numbers, angle: f64) -> (DVec3, DVec3) {
    let p = numbers.vector().normalize();
    let across = p.cross(numbers.vector()).normalize();
    let q = p * libm::cos(angle) + across * libm::sin(angle);
    (q * (0.6 + 0.3 * numbers.next()), p * (0.6 + 0.3 * numbers.next()))
}

/// From straight to folded, with a natural bend and without. At the ends of the range g has its series and its straight line.
#[test]
fn bending_has_its_derivatives_at_every_angle() {
    let mut numbers = Numbers(2);
    let angles = [0.0, 1e-9, 1e-4, 1e-2, 0.3, 0.44, 0.46, 1.0, 1.57, 2.0, 2.8, 3.0, 3.1];
    for angle in angles {
        for bent in [0.0, 0.4, 2.0] {
            let (a, b) = joint(&mut numbers, angle);
            // near the fold derivatives grow like 1/(π − θ)³, and so do errors of differences
            let scale = 1.0 + 1.0 / libm::pow(std::f64::consts::PI - angle, 3.0);
            let rest = numbers.vector() * bent;
            let q = |a: DVec3, b: DVec3| measure(a, b, rest).unwrap();
            let here = q(a, b);
            let gradient = [derivative(|a| q(a, b).value, a), derivative(|b| q(a, b).value, b)];
            for k in 0..2 {
                let error = (gradient[k] - here.gradient[k]).length();
                assert!(error < 2e-7 * scale, "gradient {k} at {angle}, {bent}: {error}");
            }
            let hessian = [
                jacobian(|a| q(a, b).gradient[0], a),
                jacobian(|b| q(a, b).gradient[0], b),
                jacobian(|b| q(a, b).gradient[1], b),
            ];
            for k in 0..3 {
                let error = size(&(hessian[k] - here.hessian[k]));
                assert!(error < 2e-6 * scale, "hessian {k} at {angle}, {bent}: {error}");
            }
            let turns = [jacobian(|a| q(a, b).bend, a), jacobian(|b| q(a, b).bend, b)];
            for k in 0..2 {
                let error = size(&(turns[k] - here.turns[k]));
                assert!(error < 2e-6 * scale, "turns {k} at {angle}: {error}");
            }
            let exact = 0.5 * (here.bend - rest).length_squared();
            assert!((here.value - exact).abs() < 1e-12 * (1.0 + exact), "{angle}: {} {exact}", here.value);
            if angle < 3.0 {
                assert!((here.bend.length() - angle).abs() < 1e-12, "{angle}: {}", here.bend.length());
            }
        }
    }
}

/// Equations 15 and 16 of the paper, as printed, are the derivatives of the angle found here.
#[test]
fn the_derivatives_of_the_paper_are_these() {
    let mut numbers = Numbers(3);
    for _ in 0..20 {
        let (a, b) = joint(&mut numbers, 1.1);
        let theta = libm::atan2(a.cross(b).length(), a.dot(b));
        let outer = |u: DVec3, v: DVec3| DMat3::from_cols(u * v.x, u * v.y, u * v.z);
        let n = a.cross(b);
        let first = a.cross(n) / (a.length_squared() * n.length());
        let a2 = a.length_squared();
        let second = outer(n, n) * (a.dot(b) / (a2 * n.length_squared() * n.length()))
            + ((outer(a, b) + outer(b, a)) * a2 - outer(a, a) * (2.0 * a.dot(b)))
                * (1.0 / (a2 * a2 * n.length()));
        let ours = measure(a, b, DVec3::ZERO).unwrap();
        assert!((ours.gradient[0] - first * theta).length() < 1e-12);
        let hessian = outer(first, first) + second * theta;
        assert!(size(&(ours.hessian[0] - hessian)) < 1e-11);
    }
}

/// The straight line near the fold meets the curve with its value and slope, and at the fold nothing pushes.
#[test]
fn the_fold_is_continuous() {
    let at = |angle: f64| DVec3::new(libm::cos(angle), libm::sin(angle), 0.0);
    let edge = libm::acos(-1.0 + 1e-6);
    let [before, after] = [edge - 1e-7, edge + 1e-7].map(|t| Angle::between(DVec3::X, at(t)));
    assert!((before.half_square - after.half_square).abs() < 1e-6);
    assert!((before.ratio[0] / after.ratio[0] - 1.0).abs() < 1e-3);
    let folded = measure(-DVec3::X, DVec3::X, DVec3::ZERO).unwrap();
    assert!(folded.gradient[0].length() < 1e-9 && folded.value.is_finite());
}

/// A bend that is carried along stays square to the hose and as long as it was.
#[test]
fn transport_turns_without_spinning() {
    let mut numbers = Numbers(4);
    for _ in 0..20 {
        let (t0, t1) = (numbers.vector().normalize(), numbers.vector().normalize());
        let v = t0.cross(numbers.vector());
        let there = transported(v, t0, t1);
        assert!(there.dot(t1).abs() < 1e-13 && (there.length() - v.length()).abs() < 1e-13);
        // what is square to both directions stays
        let axis = t0.cross(t1);
        assert!((transported(axis, t0, t1) - axis).length() < 1e-13);
    }
    assert_eq!(bending::tangent(DVec3::X, DVec3::Y), (DVec3::X + DVec3::Y).normalize());
    assert!((bend(DVec3::Y, DVec3::X) - DVec3::Z * std::f64::consts::FRAC_PI_2).length() < 1e-15);
}

/// The factor solves, conjugate gradients agree with it, and a matrix that is not positive is found out.
#[test]
fn the_linear_solver_solves() {
    let mut numbers = Numbers(5);
    let n = 17;
    let mut a = Band::default();
    a.clear(n);
    for i in 0..n {
        a.add(i, i, DMat3::from_diagonal(DVec3::splat(1e-3)));
        // springs between a point and the two before it, of very different stiffness
        for k in 1..=2.min(i) {
            let v = numbers.vector() * libm::pow(10.0, 3.0 * numbers.next());
            let block = DMat3::from_cols(v * v.x, v * v.y, v * v.z);
            a.add(i, i, block);
            a.add(i - k, i - k, block);
            a.add(i - k, i, -block);
        }
    }
    let x: Vec<DVec3> = (0..n).map(|_| numbers.vector()).collect();
    let mut b = vec![DVec3::ZERO; n];
    a.times(&x, &mut b);
    let mut factor = Factor::default();
    assert!(factor.take(&a));
    let mut found = vec![DVec3::ZERO; n];
    let rounds = Search::default().solve((&a, &factor), &b, &mut found, 1e-10, 20);
    assert!(rounds <= 3, "{rounds} rounds");
    for (x, found) in x.iter().zip(&found) {
        assert!((*x - *found).length() < 1e-7, "{x} {found}");
    }
    a.add(8, 8, DMat3::from_diagonal(DVec3::new(0.0, -1e7, 0.0)));
    assert!(!factor.take(&a));
}
