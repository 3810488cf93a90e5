/**
 * The surface of a ground as it is known: tiles of 32 × 32 nodes. A node belongs to one tile; cells between tiles are made of the
 * nodes of both, so that there are no cracks. On large grounds a tile that is as at the start has every 2^level-th node, and is
 * replaced by those in full once one of them changes.
 */
import { NODES, TILE, type Ground, type Tile } from "./protocol";

/** A smooth bump, h (1 − d²/r²)² at the distance d; below 0 a pit. As in scene files. */
export interface Mound {
  at: [number, number];
  radius: number;
  height: number;
}

export function bump({ at, radius, height }: Mound, x: number, y: number): number {
  const u = ((x - at[0]) ** 2 + (y - at[1]) ** 2) / radius ** 2;
  return u < 1 ? height * (1 - u) ** 2 : 0;
}

/** Of a tile: its place as a number. */
export const keyOf = (level: number, i: number, j: number) => (level * 65536 + j) * 65536 + i;
export const placeOf = (key: number) => ({ level: Math.floor(key / 2 ** 32), j: Math.floor(key / 65536) % 65536, i: key % 65536 });

export interface Cells {
  heights: Float32Array;
  soils: Uint8Array;
  compaction: Uint8Array;
}

export class Terrain {
  readonly tiles = new Map<number, Cells>();
  /** Heights of the start, of tiles that are not as at the start. */
  readonly starts = new Map<number, Float32Array>();
  /** Tiles to be drawn anew, and those that are gone. */
  readonly dirty = new Set<number>();
  /** Bumps that are being painted, and not in the scene yet. */
  private painted: Mound[] = [];
  /** How often bumps have been painted. */
  paintings = 0;

  constructor(readonly ground: Ground) {}

  take(tile: Tile) {
    const key = keyOf(tile.level, tile.i, tile.j);
    if (!tile.soils || !tile.compaction) {
      this.starts.set(key, tile.heights);
      this.dirty.add(key);
      return;
    }
    const before = this.tiles.get(key);
    this.tiles.set(key, { heights: tile.heights, soils: tile.soils, compaction: tile.compaction });
    if (tile.level === 0 && this.ground.level > 0) {
      const by = 2 ** this.ground.level;
      const coarse = keyOf(this.ground.level, Math.floor(tile.i / by), Math.floor(tile.j / by));
      if (this.tiles.delete(coarse)) this.dirty.add(coarse);
    }
    this.dirty.add(key);
    this.spread(tile, before?.heights);
  }

  /** Neighbours of a tile are drawn anew if nodes at its edge have moved: they have cells with them, or slopes from them. */
  private spread({ level, i, j, heights }: Tile, before: Float32Array | undefined) {
    const moved = (columns: [number, number], rows: [number, number]) => {
      if (!before) return true;
      for (let r = rows[0]; r <= rows[1]; r++) for (let c = columns[0]; c <= columns[1]; c++) if (before[r * TILE + c] !== heights[r * TILE + c]) return true;
      return false;
    };
    const strips: [number, number][] = [[0, 1], [0, TILE - 1], [TILE - 2, TILE - 1]];
    for (let dj = -1; dj <= 1; dj++) {
      for (let di = -1; di <= 1; di++) {
        const [ni, nj] = [i + di, j + dj];
        if ((di === 0 && dj === 0) || ni < 0 || nj < 0) continue;
        if (!moved(strips[di + 1]!, strips[dj + 1]!)) continue;
        const key = keyOf(level, ni, nj);
        if (this.tiles.has(key)) this.dirty.add(key);
      }
    }
  }

  /** The tile of a node, and the node in it; on coarse tiles the node before it. */
  private find(i: number, j: number): { key: number; cells: Cells; at: number; level: number } | null {
    const key = keyOf(0, i >> 5, j >> 5);
    const cells = this.tiles.get(key);
    if (cells) return { key, cells, at: (j & 31) * TILE + (i & 31), level: 0 };
    const { level } = this.ground;
    if (level === 0) return null;
    const coarse = keyOf(level, i >> (5 + level), j >> (5 + level));
    const other = this.tiles.get(coarse);
    return other ? { key: coarse, cells: other, at: ((j >> level) & 31) * TILE + ((i >> level) & 31), level } : null;
  }

  /** The cells that have a node. */
  cellOf(i: number, j: number) {
    return this.find(Math.min(this.ground.nodes[0] - 1, Math.max(0, i)), Math.min(this.ground.nodes[1] - 1, Math.max(0, j)));
  }

  /** Height of a node [m]; past the border that of the border, 0 where nothing is known. */
  height(i: number, j: number): number {
    const [nx, ny] = this.ground.nodes;
    const [x, y] = [Math.min(nx - 1, Math.max(0, i)), Math.min(ny - 1, Math.max(0, j))];
    const found = this.find(x, y);
    if (!found) return 0;
    if (found.level === 0) return found.cells.heights[found.at]! + this.paintedAt(x, y);
    // between the nodes of a coarse tile
    const step = 1 << found.level;
    const [u, v] = [(x % step) / step, (y % step) / step];
    const own = (di: number, dj: number) => {
      const corner = this.find(Math.min(nx - 1, x - (x % step) + di * step), Math.min(ny - 1, y - (y % step) + dj * step));
      return corner ? corner.cells.heights[corner.at]! : found.cells.heights[found.at]!;
    };
    if (u === 0 && v === 0) return own(0, 0) + this.paintedAt(x, y);
    const low = own(0, 0) + u * (own(1, 0) - own(0, 0));
    const high = own(0, 1) + u * (own(1, 1) - own(0, 1));
    return low + v * (high - low) + this.paintedAt(x, y);
  }

  private paintedAt(i: number, j: number): number {
    if (this.painted.length === 0) return 0;
    const [x, y] = this.position(i, j);
    return this.painted.reduce((sum, mound) => sum + bump(mound, x, y), 0);
  }

  position(i: number, j: number): [number, number] {
    const { origin, spacing } = this.ground;
    return [origin[0] + i * spacing, origin[1] + j * spacing];
  }

  /** Whether nodes have the heights of their tiles: nothing is being painted. */
  get isPlain(): boolean {
    return this.painted.length === 0;
  }

  /** Shows bumps before they are in the scene. */
  paint(mounds: Mound[]) {
    const touched = [...this.painted, ...mounds];
    this.painted = mounds;
    this.paintings += 1;
    for (const key of this.tiles.keys()) {
      const { level, i, j } = placeOf(key);
      const size = this.ground.spacing * TILE * 2 ** level;
      const [x, y] = [this.ground.origin[0] + i * size, this.ground.origin[1] + j * size];
      const meets = ({ at, radius }: Mound) => at[0] + radius > x - this.ground.spacing && at[0] - radius < x + size + this.ground.spacing && at[1] + radius > y - this.ground.spacing && at[1] - radius < y + size + this.ground.spacing;
      if (touched.some(meets)) this.dirty.add(key);
    }
  }

  /** The surface at a place: on the triangle above or below it; null beside the ground. */
  surface(x: number, y: number): number | null {
    const { origin, spacing, nodes } = this.ground;
    const [u, v] = [(x - origin[0]) / spacing, (y - origin[1]) / spacing];
    if (!(u >= 0 && v >= 0 && u <= nodes[0] - 1 && v <= nodes[1] - 1)) return null;
    const [i, j] = [Math.min(nodes[0] - 2, Math.floor(u)), Math.min(nodes[1] - 2, Math.floor(v))];
    const [a, b] = [u - i, v - j];
    const [low, high] = [this.height(i, j), this.height(i + 1, j + 1)];
    // cells are divided from their low corner to their high one
    const side = a >= b ? this.height(i + 1, j) : this.height(i, j + 1);
    return a >= b ? low + a * (side - low) + b * (high - side) : low + b * (side - low) + a * (high - side);
  }

  /** Normal of the surface at a place. */
  normal(x: number, y: number): [number, number, number] {
    const d = 0.5 * this.ground.spacing;
    const h = (dx: number, dy: number) => this.surface(x + dx, y + dy) ?? this.surface(x, y) ?? 0;
    const [sx, sy] = [(h(d, 0) - h(-d, 0)) / (2 * d), (h(0, d) - h(0, -d)) / (2 * d)];
    const up = 1 / Math.hypot(sx, sy, 1);
    return [-sx * up, -sy * up, up];
  }

  /** Where a ray first meets the surface, as a distance along it; null if it does not. */
  hit(from: readonly number[], way: readonly number[], most = 2000): number | null {
    const { origin, spacing, nodes } = this.ground;
    let [near, far] = [0, most];
    for (const k of [0, 1] as const) {
      const [low, high] = [origin[k], origin[k] + (nodes[k] - 1) * spacing];
      if (Math.abs(way[k]!) < 1e-9) {
        if (from[k]! < low || from[k]! > high) return null;
        continue;
      }
      const [a, b] = [(low - from[k]!) / way[k]!, (high - from[k]!) / way[k]!];
      [near, far] = [Math.max(near, Math.min(a, b)), Math.min(far, Math.max(a, b))];
    }
    if (!(near < far)) return null;
    const over = (t: number) => {
      const height = this.surface(from[0]! + t * way[0]!, from[1]! + t * way[1]!);
      return height === null ? null : from[2]! + t * way[2]! - height;
    };
    // steps of half a cell along the ground, fewer on a ray that falls steeply
    const step = Math.max((0.5 * spacing) / Math.max(1e-3, Math.hypot(way[0]!, way[1]!)), (far - near) / 4000);
    let before = over(near + 1e-6);
    if (before !== null && before < 0) return null;
    let start = near;
    for (let t = near + Math.min(step, 0.25); t <= far + step; t += Math.min(step, Math.max(0.05, 0.4 * (before ?? 1)))) {
      const now = over(Math.min(t, far - 1e-6));
      if (now !== null && now <= 0) {
        let [a, b] = [start, Math.min(t, far - 1e-6)];
        for (let n = 0; n < 30; n++) {
          const middle = (a + b) / 2;
          if ((over(middle) ?? 1) > 0) a = middle;
          else b = middle;
        }
        return (a + b) / 2;
      }
      before = now;
      start = t;
    }
    return null;
  }

  /** Volumes below and above the surface of the start [m³], and the height of the start at a node of a tile. */
  volumes(): { cut: number; fill: number } {
    let [cut, fill] = [0, 0];
    const { spacing, nodes } = this.ground;
    const area = spacing ** 2;
    for (const [key, start] of this.starts) {
      const cells = this.tiles.get(key);
      if (!cells) continue;
      const { i, j } = placeOf(key);
      for (let k = 0; k < NODES; k++) {
        const [x, y] = [i * TILE + (k % TILE), j * TILE + Math.floor(k / TILE)];
        if (x >= nodes[0] || y >= nodes[1]) continue;
        const edge = (x === 0 || x === nodes[0] - 1 ? 0.5 : 1) * (y === 0 || y === nodes[1] - 1 ? 0.5 : 1);
        const rise = (cells.heights[k]! - start[k]!) * edge * area;
        // heights are in whole millimetres: half of one is no change
        if (Math.abs(cells.heights[k]! - start[k]!) < 6e-4) continue;
        if (rise > 0) fill += rise;
        else cut -= rise;
      }
    }
    return { cut, fill };
  }
}

/** The grounds of a scene. */
export class Grounds {
  readonly list: Terrain[];
  private messages = 0;

  constructor(grounds: Ground[]) {
    this.list = grounds.map((ground) => new Terrain(ground));
  }

  take(tiles: Tile[]) {
    for (const tile of tiles) this.list[tile.ground]?.take(tile);
    this.messages += 1;
  }

  /** Counts what has changed the surfaces: messages, and bumps that are painted. */
  get version(): number {
    return this.list.reduce((sum, terrain) => sum + terrain.paintings, this.messages);
  }

  /** The nearest point of the grounds on a ray. */
  hit(from: readonly number[], way: readonly number[]): { ground: number; distance: number } | null {
    let best: { ground: number; distance: number } | null = null;
    this.list.forEach((terrain, ground) => {
      if (terrain.ground.body !== null && terrain.ground.body !== undefined) return;
      const distance = terrain.hit(from, way);
      if (distance !== null && (!best || distance < best.distance)) best = { ground, distance };
    });
    return best;
  }
}
