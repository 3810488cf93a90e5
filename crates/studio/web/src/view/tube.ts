/**
 * A line of points becomes a smooth tube: a Catmull–Rom curve through the points, rings carried along it without twist (each ring's
 * normal is the last one with the new tangent's part taken out). Arrays are kept and grow only.
 */
import { POINT_FLOATS } from "../protocol";

export interface Tube {
  position: Float32Array;
  normal: Float32Array;
  color: Float32Array;
  index: Uint32Array;
  rings: number;
}

export const SIDES = 8;

/** Pieces drawn between two points: many for few points, one for very many. */
export function piecesFor(points: number): number {
  return points < 60 ? 6 : points < 250 ? 3 : points < 700 ? 2 : 1;
}

export function ringsFor(points: number): number {
  return points < 2 ? 0 : (points - 1) * piecesFor(points) + 1;
}

export function emptyTube(rings: number): Tube {
  const vertices = rings * SIDES;
  const index = new Uint32Array(Math.max(0, rings - 1) * SIDES * 6);
  let o = 0;
  for (let r = 0; r + 1 < rings; r++) {
    for (let s = 0; s < SIDES; s++) {
      const a = r * SIDES + s;
      const b = r * SIDES + ((s + 1) % SIDES);
      index.set([a, b, a + SIDES, b, b + SIDES, a + SIDES], o);
      o += 6;
    }
  }
  return { position: new Float32Array(vertices * 3), normal: new Float32Array(vertices * 3), color: new Float32Array(vertices * 3), index, rings };
}

/** Catmull–Rom through b and c at u in 0 … 1, with a before and d after. */
function spline(a: number, b: number, c: number, d: number, u: number): number {
  return 0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u * u + (3 * b - a - 3 * c + d) * u * u * u);
}

/** Fills the tube; `radiusAt` and `colorAt` look at a place and at the tension there. */
export function fillTube(
  tube: Tube,
  points: Float32Array,
  radiusAt: (x: number, y: number, z: number) => number,
  colorAt: (tension: number, out: Float32Array, at: number) => void,
) {
  const count = points.length / POINT_FLOATS;
  if (count < 2) return;
  const pieces = piecesFor(count);
  const at = (i: number, k: number) => points[Math.min(count - 1, Math.max(0, i)) * POINT_FLOATS + k]!;
  // a start normal, any direction across the first piece
  let nx = 0;
  let ny = 0;
  let nz = 0;
  const here = [0, 0, 0];
  const ahead = [0, 0, 0];
  for (let r = 0; r < tube.rings; r++) {
    const i = Math.min(count - 2, Math.floor(r / pieces));
    const u = r / pieces - i;
    for (let k = 0; k < 3; k++) {
      here[k] = spline(at(i - 1, k), at(i, k), at(i + 1, k), at(i + 2, k), u);
      const e = 1e-3;
      ahead[k] = spline(at(i - 1, k), at(i, k), at(i + 1, k), at(i + 2, k), u + e) - spline(at(i - 1, k), at(i, k), at(i + 1, k), at(i + 2, k), u - e);
    }
    const length = Math.hypot(ahead[0]!, ahead[1]!, ahead[2]!) || 1;
    const tx = ahead[0]! / length;
    const ty = ahead[1]! / length;
    const tz = ahead[2]! / length;
    if (r === 0) [nx, ny, nz] = Math.abs(tz) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const along = nx * tx + ny * ty + nz * tz;
    nx -= along * tx;
    ny -= along * ty;
    nz -= along * tz;
    const size = Math.hypot(nx, ny, nz) || 1;
    nx /= size;
    ny /= size;
    nz /= size;
    const bx = ty * nz - tz * ny;
    const by = tz * nx - tx * nz;
    const bz = tx * ny - ty * nx;
    const radius = radiusAt(here[0]!, here[1]!, here[2]!);
    const tension = at(i, 3) + (at(i + 1, 3) - at(i, 3)) * u;
    for (let s = 0; s < SIDES; s++) {
      const angle = (2 * Math.PI * s) / SIDES;
      const c = Math.cos(angle);
      const d = Math.sin(angle);
      const o = (r * SIDES + s) * 3;
      const vx = c * nx + d * bx;
      const vy = c * ny + d * by;
      const vz = c * nz + d * bz;
      tube.normal[o] = vx;
      tube.normal[o + 1] = vy;
      tube.normal[o + 2] = vz;
      tube.position[o] = here[0]! + radius * vx;
      tube.position[o + 1] = here[1]! + radius * vy;
      tube.position[o + 2] = here[2]! + radius * vz;
      colorAt(tension, tube.color, o);
    }
  }
}

/** Colours from slack to taut: blue, teal, green, amber, red; readable on light and dark ground. */
const SCALE: [number, number, number][] = [
  [0.18, 0.33, 0.85],
  [0.08, 0.65, 0.72],
  [0.3, 0.75, 0.3],
  [0.97, 0.72, 0.15],
  [0.88, 0.18, 0.16],
];

export function heat(part: number): [number, number, number] {
  const x = Math.min(1, Math.max(0, part)) * (SCALE.length - 1);
  const i = Math.min(SCALE.length - 2, Math.floor(x));
  const [a, b] = [SCALE[i]!, SCALE[i + 1]!];
  return [0, 1, 2].map((k) => a[k]! + (b[k]! - a[k]!) * (x - i)) as [number, number, number];
}

/** Steps of the scale for a legend drawn by style sheets. */
export const HEAT_CSS = SCALE.map((c) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")})`).join(", ");
