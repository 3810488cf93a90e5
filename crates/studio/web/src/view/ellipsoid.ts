/**
 * Mass and inertia → the solid ellipsoid of the same: semi-axes a_i along the principal axes, from I_x = m (b² + c²) / 5 and so on.
 * Principal axes by Jacobi rotations of the symmetric matrix.
 */
import * as THREE from "three";

type Matrix = [number[], number[], number[]];

/** Eigenvalues of a symmetric matrix and its eigenvectors as columns. */
function principal(inertia: number[]): { values: number[]; vectors: Matrix } {
  const [xx, yy, zz, xy, xz, yz] = inertia as [number, number, number, number, number, number];
  const a: Matrix = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
  const v: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const tiny = 1e-24 * (xx * xx + yy * yy + zz * zz);
  for (let sweep = 0; sweep < 30; sweep++) {
    if (a[0][1]! ** 2 + a[0][2]! ** 2 + a[1][2]! ** 2 <= tiny) break;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) rotate(a, v, p, q);
  }
  return { values: [a[0][0]!, a[1][1]!, a[2][2]!], vectors: v };
}

/** Makes one entry beside the diagonal zero. */
function rotate(a: Matrix, v: Matrix, p: 0 | 1, q: 1 | 2) {
  if (a[p][q] === 0) return;
  const angle = 0.5 * Math.atan2(2 * a[p][q]!, a[q][q]! - a[p][p]!);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let k = 0; k < 3; k++) {
    const [x, y] = [a[k]![p]!, a[k]![q]!];
    [a[k]![p], a[k]![q]] = [c * x - s * y, s * x + c * y];
  }
  for (let k = 0; k < 3; k++) {
    const [x, y] = [a[p][k]!, a[q][k]!];
    [a[p][k], a[q][k]] = [c * x - s * y, s * x + c * y];
    const [m, n] = [v[k]![p]!, v[k]![q]!];
    [v[k]![p], v[k]![q]] = [c * m - s * n, s * m + c * n];
  }
}

/** The matrix that makes the ellipsoid of a unit sphere at the centre of mass, in the body's axes; none without extent. */
export function ellipsoid(mass: number, inertia: number[], center: [number, number, number]): THREE.Matrix4 | null {
  const { values, vectors } = principal(inertia);
  const trace = values[0]! + values[1]! + values[2]!;
  if (!(mass > 0) || !(trace > 0)) return null;
  // a plate or a rod is drawn with a little thickness
  const axes = values.map((value) => Math.sqrt(Math.max(1e-6 * trace, 2.5 * (trace - 2 * value)) / mass));
  const column = (k: number) => new THREE.Vector3(vectors[0][k], vectors[1][k], vectors[2][k]);
  const [x, y, z] = [column(0), column(1), column(2)];
  // right-handed, so that the sphere is not turned inside out
  if (x.clone().cross(y).dot(z) < 0) z.negate();
  return new THREE.Matrix4().makeBasis(x.multiplyScalar(axes[0]!), y.multiplyScalar(axes[1]!), z.multiplyScalar(axes[2]!)).setPosition(...center);
}
