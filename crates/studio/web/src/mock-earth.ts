/**
 * A building site for the mock server: a ground of three soils with a pile, in which a bucket digs a trench as time goes on and piles up
 * beside it what it has dug, with loose soil that falls from the bucket. All of it follows from the time alone.
 */
import { encodeTiles, GHOST_TILES_MAGIC, LOOSE, NODES, TILE, TILES_MAGIC, writeEarth, type Particles, type Tile } from "./earth/protocol";
import type { Scene, Vec3 } from "./protocol";

const NODES_ALONG: [number, number] = [101, 71];
const SPACING = 0.2;
const ORIGIN: [number, number] = [-10, -7];
/** Speed of the bucket along the trench [m/s], and its length [m]. */
const SPEED = 0.8;
const LENGTH = 8;
const LUMPS = 600;

const turn: [number, number, number, number] = [1, 0, 0, 0];
const steel: Vec3 = [0.3, 0.32, 0.35];

export const SITE: Scene = {
  type: "scene",
  id: "site",
  title: "Building site",
  file: "site.toml",
  text: 'title = "Building site"\n',
  dt: 1 / 60,
  gravity: [0, 0, -9.81],
  bodies: [
    { id: 0, name: "yard", kind: "static", mass: 0, shapes: [] },
    {
      id: 1,
      name: "bucket",
      kind: "dynamic",
      mass: 700,
      shapes: [
        { form: "box", size: [0.06, 1.4, 0.9], at: [-0.5, 0, 0.2], turn, color: steel, material: "steel" },
        { form: "box", size: [1, 1.4, 0.06], at: [0, 0, -0.25], turn, color: steel, material: "steel" },
        { form: "box", size: [1, 0.05, 0.8], at: [0, 0.7, 0.1], turn, color: [0.9, 0.6, 0.1], material: "steel" },
        { form: "box", size: [1, 0.05, 0.8], at: [0, -0.7, 0.1], turn, color: [0.9, 0.6, 0.1], material: "steel" },
      ],
    },
  ],
  lines: [],
  joints: [],
  inputs: [{ name: "dig", label: "Dig", unit: "m/s", low: -1, high: 1, rest: 0, self_centering: true, keys: ["Up", "Down"], gamepad: "left-y" }],
  cameras: [{ name: "site", mount: "world", body: null, position: [2, -13, 7], target: [0, 0, 0], up: [0, 0, 1], angle: 0.8 }],
  bounds: { low: [-10, -7, -1], high: [10, 7, 2] },
  grounds: [
    {
      name: "yard",
      origin: ORIGIN,
      spacing: SPACING,
      nodes: NODES_ALONG,
      level: 0,
      soils: [
        { name: "topsoil", density: 1560, loose: 1090 },
        { name: "dry_sand", density: 1656, loose: 1480 },
        { name: "fill", like: "clay", density: 1776, loose: 1450 },
      ],
    },
  ],
  tools: [{ name: "bucket", body: 1, ground: 0, width: 1.4, capacity: 1.1 }],
  cylinders: [
    { name: "excavator.boom", sides: 2 },
    { name: "excavator.pump", sides: 1 },
  ],
};

const reach = (time: number) => Math.min(LENGTH, SPEED * time);

function start(x: number, y: number): number {
  const pile = 2 - 0.62 * Math.hypot(x - 6, y + 2.5);
  return Math.max(0, pile) + 0.12 * Math.sin(0.5 * x) * Math.cos(0.4 * y);
}

/** Height, soil and compaction at a place. */
function surface(x: number, y: number, time: number): { height: number; soil: number; density: number } {
  const height = start(x, y);
  const along = x + LENGTH / 2;
  const isDug = along >= 0 && along <= reach(time) && Math.abs(y) <= 0.8;
  if (isDug) return { height: height - 0.9, soil: 2, density: 190 };
  const heap = along >= 0 && along <= reach(time) - 0.5 ? 0.75 - 0.6 * Math.abs(y - 2.6) : 0;
  if (heap > 0) return { height: height + heap, soil: (y < 2.4 ? 0 : 2) | LOOSE, density: 40 };
  const isPile = Math.hypot(x - 6, y + 2.5) < 3.2;
  const rut = Math.abs(Math.abs(y + 4.5) - 0.7) < 0.25 && x > -9 && x < 2;
  if (rut) return { height: height - 0.08, soil: 0, density: 250 };
  return isPile ? { height, soil: 1 | LOOSE, density: 60 } : { height, soil: 0, density: 150 };
}

function tile(i: number, j: number, time: number): Tile {
  const made: Tile = { ground: 0, level: 0, i, j, heights: new Float32Array(NODES), soils: new Uint8Array(NODES), compaction: new Uint8Array(NODES) };
  for (let k = 0; k < NODES; k++) {
    const [a, b] = [Math.min(NODES_ALONG[0] - 1, i * TILE + (k % TILE)), Math.min(NODES_ALONG[1] - 1, j * TILE + Math.floor(k / TILE))];
    const { height, soil, density } = surface(ORIGIN[0] + a * SPACING, ORIGIN[1] + b * SPACING, time);
    made.heights[k] = height;
    made.soils![k] = soil;
    made.compaction![k] = density;
  }
  return made;
}

function startOf(i: number, j: number): Tile {
  const heights = tile(i, j, -1).heights.map((_, k) => {
    const [a, b] = [Math.min(NODES_ALONG[0] - 1, i * TILE + (k % TILE)), Math.min(NODES_ALONG[1] - 1, j * TILE + Math.floor(k / TILE))];
    return start(ORIGIN[0] + a * SPACING, ORIGIN[1] + b * SPACING);
  });
  return { ground: 0, level: 0, i, j, heights, soils: null, compaction: null };
}

/** Sends tiles as they change. */
export class Site {
  private sent = new Map<string, Float32Array>();
  /** Tiles sent so far. */
  count = 0;

  /** Those that a client lacks at a time. */
  tiles(time: number, ghost = false): ArrayBuffer | null {
    const out: Tile[] = [];
    for (let j = 0; j * TILE < NODES_ALONG[1]; j++) {
      for (let i = 0; i * TILE < NODES_ALONG[0]; i++) {
        const next = tile(i, j, time);
        const key = `${i} ${j}`;
        const before = this.sent.get(key);
        if (before?.every((h, k) => h === next.heights[k])) continue;
        if (!before) out.push(startOf(i, j));
        this.sent.set(key, next.heights);
        out.push(next);
      }
    }
    this.count += out.length;
    return out.length > 0 ? encodeTiles(out, ghost ? GHOST_TILES_MAGIC : TILES_MAGIC) : null;
  }
}

/** The bucket, and the soil that falls from it. */
export function digging(time: number): { bodies: Float32Array; earth: Uint8Array } {
  const x = reach(time) - LENGTH / 2;
  const lift = time * SPEED > LENGTH ? Math.min(2, 0.8 * (time - LENGTH / SPEED)) : 0;
  const count = Math.min(LUMPS, Math.floor(120 * time));
  const own: Particles = { count, positions: new Float32Array(3 * count), radii: new Float32Array(count), soils: new Uint8Array(count), ids: new Uint16Array(count) };
  const part = (n: number) => (Math.sin(n * 12.9898) * 43758.5453) % 1;
  for (let k = 0; k < count; k++) {
    const [a, b, c] = [Math.abs(part(k + 1)), part(k + 0.3), Math.abs(part(k + 0.7))];
    own.positions.set([x - 0.4 + 0.9 * a, 0.6 * b, -0.55 + lift + 0.75 * c * (1 - 0.5 * a)], 3 * k);
    own.radii[k] = 0.05 + 0.05 * c;
    own.soils[k] = k % 3 === 0 ? 0 : 2;
    own.ids[k] = k;
  }
  const busy = lift === 0 && time > 0 ? 1 : 0;
  const earth = writeEarth({ particles: [own], tools: [{ draft: 14e3 * busy, down: -2e3 * busy, depth: 0.9 * busy, load: 1.8 * count }], pressures: [[120e5 + 40e5 * Math.sin(time), 8e5], [150e5]] });
  return { bodies: new Float32Array([0, 0, 0, 1, 0, 0, 0, x, 0, -0.3 + lift, 1, 0, 0, 0]), earth };
}
