/** Soil as the server tells of it: grounds, tools and cylinders with the scene, surfaces in tiles, and a block behind each frame. */

export interface SoilLook {
  name: string;
  /** The known soil that it is like. */
  like?: string | null;
  /** In the bank and loose, with its water [kg/m³]. */
  density: number;
  loose: number;
}

/** A ground, or soil on a body. */
export interface Ground {
  name: string;
  /** Position of the first node [m]. */
  origin: [number, number];
  spacing: number;
  /** Numbers of nodes along x and y. */
  nodes: [number, number];
  /** Level of tiles that are as at the start. */
  level: number;
  /** The body in whose axes it lies; the world without one. */
  body?: number | null;
  soils: SoilLook[];
}

export interface Tool {
  name: string;
  body: number | null;
  ground: number;
  /** Length of its edge [m]. */
  width: number;
  /** Between its face and its end plates [m³]. */
  capacity?: number | null;
}

/** A hydraulic cylinder or motor with two sides, or a pump with one. */
export interface Cylinder {
  name: string;
  sides: number;
}

/** Nodes along a tile. */
export const TILE = 32;
export const NODES = TILE * TILE;
/** "WLT1", and "WLU1" of what the run is compared with, as little-endian numbers. */
export const TILES_MAGIC = 0x31544c57;
export const GHOST_TILES_MAGIC = 0x31554c57;

const EVEN = 1;
const ONE_SOIL = 2;
const ONE_COMPACTION = 4;
const START = 8;
/** Bit of a soil that is loose, and what stands for rock. */
export const LOOSE = 0x80;
export const ROCK = 0xff;

export interface Tile {
  ground: number;
  /** It has every 2^level-th node. */
  level: number;
  i: number;
  j: number;
  /** [m] */
  heights: Float32Array;
  /** Of the present surface: soils, with the bit of loose ones, and relative density from 0 to 255. None of the surface of the start. */
  soils: Uint8Array | null;
  compaction: Uint8Array | null;
}

/** Whether a message has tiles: of the run, or of what it is compared with. */
export function tilesOf(buffer: ArrayBuffer): "run" | "ghost" | null {
  const magic = buffer.byteLength >= 4 ? new DataView(buffer).getUint32(0, true) : 0;
  return magic === TILES_MAGIC ? "run" : magic === GHOST_TILES_MAGIC ? "ghost" : null;
}

/** Reads a message with tiles; throws a plain Error that says where it ends too early. */
export function decodeTiles(buffer: ArrayBuffer): Tile[] {
  const view = new DataView(buffer);
  let at = 8;
  const need = (bytes: number) => {
    if (at + bytes > buffer.byteLength) throw new Error(`tiles of ${buffer.byteLength} bytes end within a tile`);
  };
  at = 0;
  need(8);
  const count = view.getUint32(4, true);
  at = 8;
  const tiles: Tile[] = [];
  for (let n = 0; n < count; n++) {
    need(12);
    const [ground, level, flags, quantum] = [0, 1, 2, 3].map((k) => view.getUint8(at + k)) as [number, number, number, number];
    const [i, j, lowest] = [view.getUint16(at + 4, true), view.getUint16(at + 6, true), view.getInt32(at + 8, true)];
    at += 12;
    // divided by a thousand, so that 1234 mm are 1.234 m
    const unit = 2 ** quantum;
    const heights = new Float32Array(NODES).fill((lowest * unit) / 1000);
    if (!(flags & EVEN)) {
      need(2 * NODES);
      for (let k = 0; k < NODES; k++) heights[k] = ((lowest + view.getUint16(at + 2 * k, true)) * unit) / 1000;
      at += 2 * NODES;
    }
    const plane = (one: number) => {
      const bytes = new Uint8Array(NODES);
      const size = flags & one ? 1 : NODES;
      need(size);
      if (size === 1) bytes.fill(view.getUint8(at));
      else bytes.set(new Uint8Array(buffer, at, NODES));
      at += size;
      return bytes;
    };
    const start = (flags & START) !== 0;
    tiles.push({ ground, level, i, j, heights, soils: start ? null : plane(ONE_SOIL), compaction: start ? null : plane(ONE_COMPACTION) });
  }
  if (at !== buffer.byteLength) throw new Error(`tiles have ${buffer.byteLength - at} bytes more than they say`);
  return tiles;
}

/** The inverse, for the mock and the tests; heights in millimetres. */
export function encodeTiles(tiles: Tile[], magic = TILES_MAGIC): ArrayBuffer {
  const out: number[] = [];
  const number = (value: number, bytes: number) => {
    for (let k = 0; k < bytes; k++) out.push((value >> (8 * k)) & 255);
  };
  number(magic, 4);
  number(tiles.length, 4);
  for (const tile of tiles) {
    const counts = Array.from(tile.heights, (h) => Math.round(h * 1000));
    const lowest = counts.reduce((a, b) => Math.min(a, b));
    const same = (bytes: Uint8Array | null) => bytes !== null && bytes.every((b) => b === bytes[0]);
    const flags = (counts.every((n) => n === lowest) ? EVEN : 0) | (same(tile.soils) ? ONE_SOIL : 0) | (same(tile.compaction) ? ONE_COMPACTION : 0) | (tile.soils ? 0 : START);
    out.push(tile.ground, tile.level, flags, 0);
    number(tile.i, 2);
    number(tile.j, 2);
    number(lowest, 4);
    if (!(flags & EVEN)) for (const n of counts) number(n - lowest, 2);
    if (tile.soils) out.push(...(flags & ONE_SOIL ? [tile.soils[0]!] : tile.soils));
    if (tile.compaction) out.push(...(flags & ONE_COMPACTION ? [tile.compaction[0]!] : tile.compaction));
  }
  return new Uint8Array(out).buffer;
}

/** The particles of a ground. */
export interface Particles {
  count: number;
  /** x y z of each [m]. */
  positions: Float32Array;
  radii: Float32Array;
  soils: Uint8Array;
  /** Lowest 16 bits of their numbers. */
  ids: Uint16Array;
}

export interface ToolState {
  /** Horizontal force that cutting needs, and the force of the ground downwards [N]. */
  draft: number;
  down: number;
  /** Greatest depth of its edge [m]. */
  depth: number;
  /** Loose soil that its body carries [kg]. */
  load: number;
}

export interface EarthState {
  particles: Particles[];
  tools: ToolState[];
  /** Of each cylinder, of its sides [Pa]. */
  pressures: number[][];
}

export interface EarthLooks {
  grounds: Ground[];
  tools: Tool[];
  cylinders: Cylinder[];
}

const HEAD = 24;
/** Bytes of a particle. */
export const PARTICLE = 10;

/** The numbers of a block; none if it is of another scene. */
export function readEarth({ grounds, tools, cylinders }: EarthLooks, block: Uint8Array): EarthState | null {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  let at = 0;
  const float = () => {
    at += 4;
    return view.getFloat32(at - 4, true);
  };
  const particles: Particles[] = [];
  for (let g = 0; g < grounds.length; g++) {
    if (at + HEAD > block.byteLength) return null;
    const count = view.getUint32(at, true);
    at += 4;
    const corner = [float(), float(), float()] as const;
    const [unit, ofRadius] = [float(), float()];
    if (at + count * PARTICLE > block.byteLength) return null;
    const own: Particles = { count, positions: new Float32Array(3 * count), radii: new Float32Array(count), soils: new Uint8Array(count), ids: new Uint16Array(count) };
    for (let k = 0; k < count; k++, at += PARTICLE) {
      for (let axis = 0; axis < 3; axis++) own.positions[3 * k + axis] = corner[axis]! + unit * view.getUint16(at + 2 * axis, true);
      own.radii[k] = ofRadius * view.getUint8(at + 6);
      own.soils[k] = view.getUint8(at + 7);
      own.ids[k] = view.getUint16(at + 8, true);
    }
    particles.push(own);
  }
  const sides = cylinders.reduce((sum, c) => sum + c.sides, 0);
  if (block.byteLength !== at + 4 * (4 * tools.length + sides)) return null;
  const states = tools.map((): ToolState => ({ draft: float(), down: float(), depth: float(), load: float() }));
  const pressures = cylinders.map(({ sides }) => Array.from({ length: sides }, float));
  return { particles, tools: states, pressures };
}

/** The inverse, for the mock and the tests. */
export function writeEarth(state: EarthState): Uint8Array {
  const bytes = state.particles.reduce((sum, p) => sum + HEAD + PARTICLE * p.count, 0) + 16 * state.tools.length + 4 * state.pressures.flat().length;
  const view = new DataView(new ArrayBuffer(bytes));
  let at = 0;
  const float = (value: number) => {
    view.setFloat32(at, value, true);
    at += 4;
  };
  for (const { count, positions, radii, soils, ids } of state.particles) {
    const low = [Infinity, Infinity, Infinity];
    let wide = 1e-6;
    positions.forEach((x, k) => (low[k % 3] = Math.min(low[k % 3]!, x)));
    if (count === 0) low.fill(0);
    positions.forEach((x, k) => (wide = Math.max(wide, x - low[k % 3]!)));
    const [unit, ofRadius] = [Math.fround(wide / 65535), Math.fround(radii.reduce((a, b) => Math.max(a, b), 1e-6) / 255)];
    view.setUint32(at, count, true);
    at += 4;
    for (const x of [...low, unit, ofRadius]) float(x);
    for (let k = 0; k < count; k++, at += PARTICLE) {
      for (let axis = 0; axis < 3; axis++) view.setUint16(at + 2 * axis, Math.round((positions[3 * k + axis]! - low[axis]!) / unit), true);
      view.setUint8(at + 6, Math.round(radii[k]! / ofRadius));
      view.setUint8(at + 7, soils[k]!);
      view.setUint16(at + 8, ids[k]!, true);
    }
  }
  for (const t of state.tools) [t.draft, t.down, t.depth, t.load].forEach(float);
  state.pressures.flat().forEach(float);
  return new Uint8Array(view.buffer);
}
