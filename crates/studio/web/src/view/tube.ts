/**
 * A line of points becomes a tube with a ring at each point, carried along without twist: each ring's normal is the last one with the new
 * direction's part taken out. The server sends points so near to each other that chords are as good as the line. Arrays are kept and grow only.
 */
import { POINT_FLOATS } from "../protocol";

export interface Tube {
  position: Float32Array;
  normal: Float32Array;
  color: Float32Array;
  index: Uint32Array;
  /** Rings there is room for. */
  room: number;
}

export const SIDES = 8;

/** Numbers of the index that draw a tube of so many rings. */
export function indexCount(rings: number): number {
  return Math.max(0, rings - 1) * SIDES * 6;
}

export function emptyTube(room: number): Tube {
  const vertices = room * SIDES;
  const index = new Uint32Array(indexCount(room));
  let o = 0;
  for (let r = 0; r + 1 < room; r++) {
    for (let s = 0; s < SIDES; s++) {
      const a = r * SIDES + s;
      const b = r * SIDES + ((s + 1) % SIDES);
      index.set([a, b, a + SIDES, b, b + SIDES, a + SIDES], o);
      o += 6;
    }
  }
  return { position: new Float32Array(vertices * 3), normal: new Float32Array(vertices * 3), color: new Float32Array(vertices * 3), index, room };
}

/** Directions of the sides of a ring, in its normal and across it. */
const AROUND = Array.from({ length: SIDES }, (_, s) => [Math.cos((2 * Math.PI * s) / SIDES), Math.sin((2 * Math.PI * s) / SIDES)] as const);

/** Puts the tube around its line: of a radius, or of `thinnest` times the distance from the eye where that is more. */
export function fillTube(tube: Tube, points: Float32Array, radius: number, thinnest: number, eye: { x: number; y: number; z: number }) {
  const { position, normal } = tube;
  const count = points.length / POINT_FLOATS;
  // directions of the chords before and after a point, and the normal; at first any direction across the line
  let [ux, uy, uz] = [0, 0, 0];
  let [nx, ny, nz] = [0, 0, 0];
  let o = 0;
  for (let i = 0; i < count; i++) {
    const p = i * POINT_FLOATS;
    const [x, y, z] = [points[p]!, points[p + 1]!, points[p + 2]!];
    let [vx, vy, vz] = [ux, uy, uz];
    if (i + 1 < count) {
      const [dx, dy, dz] = [points[p + 4]! - x, points[p + 5]! - y, points[p + 6]! - z];
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (length > 0) [vx, vy, vz] = [dx / length, dy / length, dz / length];
    }
    // the ring stands across the middle between the two
    let [tx, ty, tz] = [ux + vx, uy + vy, uz + vz];
    const size = Math.sqrt(tx * tx + ty * ty + tz * tz) || 1;
    [tx, ty, tz] = [tx / size, ty / size, tz / size];
    if (i === 0) Math.abs(tz) < 0.9 ? (nz = 1) : (nx = 1);
    const along = nx * tx + ny * ty + nz * tz;
    [nx, ny, nz] = [nx - along * tx, ny - along * ty, nz - along * tz];
    const high = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    [nx, ny, nz] = [nx / high, ny / high, nz / high];
    const [bx, by, bz] = [ty * nz - tz * ny, tz * nx - tx * nz, tx * ny - ty * nx];
    const [ex, ey, ez] = [x - eye.x, y - eye.y, z - eye.z];
    const thick = Math.max(radius, thinnest * Math.sqrt(ex * ex + ey * ey + ez * ez));
    for (let s = 0; s < SIDES; s++) {
      const c = AROUND[s]![0];
      const d = AROUND[s]![1];
      normal[o] = c * nx + d * bx;
      normal[o + 1] = c * ny + d * by;
      normal[o + 2] = c * nz + d * bz;
      position[o] = x + thick * normal[o]!;
      position[o + 1] = y + thick * normal[o + 1]!;
      position[o + 2] = z + thick * normal[o + 2]!;
      o += 3;
    }
    [ux, uy, uz] = [vx, vy, vz];
  }
}

/** Colours the tube, ring by ring, with what `colorAt` writes into its second argument for the tension there. */
export function paintTube(tube: Tube, points: Float32Array, colorAt: (tension: number, out: Float32Array) => void) {
  const rgb = new Float32Array(3);
  let o = 0;
  for (let i = POINT_FLOATS - 1; i < points.length; i += POINT_FLOATS) {
    colorAt(points[i]!, rgb);
    for (let s = 0; s < SIDES; s++, o += 3) tube.color.set(rgb, o);
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
