import { describe, expect, it } from "vitest";
import { colorOf, heightSpan, lookOf, niceEnd, onScale, SCALES } from "../src/earth/colors";
import { fillOf, movedOf, pressureEnd } from "../src/earth/gauge";
import { decodeTiles, encodeTiles, GHOST_TILES_MAGIC, LOOSE, NODES, readEarth, ROCK, TILE, tilesOf, TILES_MAGIC, writeEarth, type EarthLooks, type Ground, type Tile } from "../src/earth/protocol";
import { bump, Grounds, keyOf, placeOf, Terrain } from "../src/earth/terrain";
import { dabHeight, withMounds } from "../src/build/brush";
import { newGround } from "../src/build/grounds";
import { removalOf } from "../src/build/removal";
import { decodeFrame, encodeFrame } from "../src/protocol";
import { shapeOf } from "../src/view/lumps";

const ground = (nodes: [number, number], level = 0): Ground => ({ name: "yard", origin: [-2, 1], spacing: 0.5, nodes, level, soils: [{ name: "dry_sand", density: 1656, loose: 1480 }] });
/** A tile whose heights follow from the numbers of its nodes. */
const tile = (i: number, j: number, height: (x: number, y: number) => number, level = 0): Tile => ({
  ground: 0,
  level,
  i,
  j,
  heights: Float32Array.from({ length: NODES }, (_, k) => height((i * TILE + (k % TILE)) * 2 ** level, (j * TILE + Math.floor(k / TILE)) * 2 ** level)),
  soils: new Uint8Array(NODES),
  compaction: new Uint8Array(NODES).fill(100),
});

describe("tiles", () => {
  it("are read as they are written, to half a millimetre", () => {
    const rough = tile(2, 5, (x, y) => 0.7 * Math.sin(x) - 0.3 * y);
    rough.soils!.forEach((_, k) => (rough.soils![k] = k % 3 | (k % 2 ? LOOSE : 0)));
    rough.compaction!.forEach((_, k) => (rough.compaction![k] = k % 251));
    const even = tile(0, 1, () => -1.5);
    const start: Tile = { ...tile(2, 5, () => 2), soils: null, compaction: null };
    const buffer = encodeTiles([rough, even, start]);
    // head, a full tile, one of the same everywhere, one of heights alone
    expect(buffer.byteLength).toBe(8 + (12 + 4 * NODES) + (12 + 2) + 12);
    expect(tilesOf(buffer)).toBe("run");
    expect(tilesOf(encodeTiles([even], GHOST_TILES_MAGIC))).toBe("ghost");
    expect(tilesOf(encodeFrame({ time: 0, bodies: new Float32Array(), lines: [], contacts: new Float32Array(), pushes: new Float32Array(), torques: new Float32Array() }))).toBeNull();
    const [a, b, c] = decodeTiles(buffer) as [Tile, Tile, Tile];
    expect([a.i, a.j, a.level, b.j]).toEqual([2, 5, 0, 1]);
    rough.heights.forEach((h, k) => expect(Math.abs(a.heights[k]! - h)).toBeLessThan(5.1e-4));
    expect(a.soils).toEqual(rough.soils);
    expect(a.compaction).toEqual(rough.compaction);
    expect(new Set(b.heights)).toEqual(new Set([-1.5]));
    expect(b.compaction![77]).toBe(100);
    expect([c.soils, c.compaction, c.heights[9]]).toEqual([null, null, 2]);
  });

  it("that end too early or too late are refused", () => {
    const buffer = encodeTiles([tile(0, 0, (x) => x)]);
    expect(() => decodeTiles(buffer.slice(0, buffer.byteLength - 1))).toThrow(/end within/);
    const longer = new Uint8Array(buffer.byteLength + 1);
    longer.set(new Uint8Array(buffer));
    expect(() => decodeTiles(longer.buffer)).toThrow(/1 bytes more/);
    expect(() => decodeTiles(new ArrayBuffer(4))).toThrow(/end within/);
    expect(new DataView(buffer).getUint32(0, true)).toBe(TILES_MAGIC);
  });
});

describe("a terrain", () => {
  const slope = (x: number, y: number) => 0.1 * x + 0.02 * y;

  it("has one surface across its tiles", () => {
    const terrain = new Terrain(ground([40, 40]));
    for (const j of [0, 1]) for (const i of [0, 1]) terrain.take(tile(i, j, slope));
    for (const [x, y] of [[-1.3, 1.2], [13.6, 4.4], [13.99, 16.9], [17.49, 20.4]] as const) {
      expect(terrain.surface(x, y)).toBeCloseTo(slope((x + 2) / 0.5, (y - 1) / 0.5), 5);
    }
    expect(terrain.surface(-2.1, 3)).toBeNull();
    expect(terrain.surface(17.6, 3)).toBeNull();
    const [nx, ny, nz] = terrain.normal(5, 5);
    expect(nx / nz).toBeCloseTo(-0.2, 4);
    expect(ny / nz).toBeCloseTo(-0.04, 4);
  });

  it("divides its cells from the low corner to the high one", () => {
    const terrain = new Terrain(ground([3, 3]));
    terrain.take(tile(0, 0, (x, y) => (x === 1 && y === 0 ? 1 : 0)));
    // the corner at node (1, 0) is above the diagonal's triangle only on its own side
    expect(terrain.surface(-1.75, 1.1)).toBeCloseTo(0.3, 5);
    expect(terrain.surface(-1.9, 1.25)).toBe(0);
  });

  it("draws a neighbour anew only if its edge has moved", () => {
    const terrain = new Terrain(ground([96, 96]));
    for (const j of [0, 1, 2]) for (const i of [0, 1, 2]) terrain.take(tile(i, j, () => 0));
    terrain.dirty.clear();
    const dug = tile(1, 1, (x, y) => (x === 48 && y === 48 ? -1 : 0));
    terrain.take(dug);
    expect([...terrain.dirty]).toEqual([keyOf(0, 1, 1)]);
    const edge = tile(1, 1, (x, y) => (x === 32 && y === 48 ? -1 : 0));
    terrain.take(edge);
    expect(terrain.dirty).toEqual(new Set([keyOf(0, 1, 1), keyOf(0, 0, 1)]));
    expect(placeOf(keyOf(3, 513, 70))).toEqual({ level: 3, i: 513, j: 70 });
  });

  it("of a large ground is coarse until it is dug", () => {
    const terrain = new Terrain(ground([256, 256], 2));
    for (const j of [0, 1]) for (const i of [0, 1]) terrain.take(tile(i, j, slope, 2));
    const place = (x: number, y: number) => terrain.surface(-2 + 0.5 * x, 1 + 0.5 * y);
    expect(place(130.5, 77.25)).toBeCloseTo(slope(130.5, 77.25), 4);
    // a tile in full takes the place of the coarse one around it
    for (let j = 0; j < 4; j++) for (let i = 0; i < 4; i++) terrain.take(tile(i, j, (x, y) => slope(x, y) - (x === 40 && y === 41 ? 1 : 0)));
    expect(terrain.tiles.has(keyOf(2, 0, 0))).toBe(false);
    expect(place(40, 41)).toBeCloseTo(slope(40, 41) - 1, 4);
    expect(place(200, 41)).toBeCloseTo(slope(200, 41), 4);
  });

  it("tells volumes against the start", () => {
    const terrain = new Terrain(ground([64, 64]));
    terrain.take({ ...tile(0, 0, () => 1), soils: null, compaction: null });
    terrain.take(tile(0, 0, (x, y) => 1 + (x === 5 && y === 5 ? -0.4 : x === 9 && y === 9 ? 0.2 : x === 0 && y === 9 ? 0.2 : 0)));
    const { cut, fill } = terrain.volumes();
    expect(cut).toBeCloseTo(0.4 * 0.25, 6);
    // half a column at the border
    expect(fill).toBeCloseTo(0.2 * 0.25 * 1.5, 6);
  });

  it("is hit by a ray", () => {
    const grounds = new Grounds([ground([40, 40])]);
    grounds.take([0, 1].flatMap((j) => [0, 1].map((i) => tile(i, j, (x) => (x > 20 ? 3 : 0)))));
    expect(grounds.hit([0, 5, 10], [0, 0, -1])!.distance).toBeCloseTo(10, 4);
    // along the ground against the step
    const s = Math.SQRT1_2;
    const hit = grounds.hit([0, 5, 10], [s, 0, -s])!;
    const x = s * hit.distance;
    expect(10 - x).toBeCloseTo(grounds.list[0]!.surface(x, 5)!, 3);
    expect(grounds.hit([0, 5, 10], [0, 0, 1])).toBeNull();
    expect(grounds.hit([-50, 5, 1], [0, 1, 0])).toBeNull();
  });

  it("shows what is being painted", () => {
    const terrain = new Terrain(ground([64, 64]));
    for (const j of [0, 1]) for (const i of [0, 1]) terrain.take(tile(i, j, () => 0));
    terrain.dirty.clear();
    terrain.paint([{ at: [0, 4], radius: 2, height: 0.8 }]);
    expect(terrain.surface(0, 4)).toBeCloseTo(0.8, 5);
    expect([...terrain.dirty]).toEqual([keyOf(0, 0, 0)]);
    terrain.paint([]);
    expect(terrain.surface(0, 4)).toBe(0);
    expect(bump({ at: [0, 0], radius: 2, height: -1 }, 1, 0)).toBeCloseTo(-0.5625, 9);
  });
});

const looks: EarthLooks = { grounds: [ground([9, 9]), ground([9, 9])], tools: [{ name: "blade", body: 0, ground: 0, width: 2 }], cylinders: [{ name: "a", sides: 2 }, { name: "pump", sides: 1 }] };

describe("the block of soil", () => {
  const some = { count: 3, positions: new Float32Array([0, 0, 0, 10, 1, 2, 5, -3, 1]), radii: new Float32Array([0.1, 0.2, 0.05]), soils: new Uint8Array([0, 1, 2]), ids: new Uint16Array([7, 65535, 9]) };
  const none = { count: 0, positions: new Float32Array(), radii: new Float32Array(), soils: new Uint8Array(), ids: new Uint16Array() };
  const state = { particles: [some, none], tools: [{ draft: 12e3, down: -500, depth: 0.25, load: 900 }], pressures: [[2e7, 0], [1.5e7]] };

  it("is read as it is written, within a frame with vehicles behind it", () => {
    const frame = { time: 2, bodies: new Float32Array(7), lines: [], contacts: new Float32Array(), pushes: new Float32Array(), torques: new Float32Array(), earth: writeEarth(state), vehicles: new Float32Array([1, 2, 3]), bending: new Float32Array() };
    const back = decodeFrame(encodeFrame(frame));
    expect(back.vehicles).toEqual(frame.vehicles);
    const read = readEarth(looks, back.earth!)!;
    some.positions.forEach((x, k) => expect(Math.abs(read.particles[0]!.positions[k]! - x)).toBeLessThan(10 / 65535));
    some.radii.forEach((r, k) => expect(Math.abs(read.particles[0]!.radii[k]! - r)).toBeLessThan(0.2 / 255));
    expect([read.particles[0]!.soils, read.particles[0]!.ids, read.particles[1]!.count]).toEqual([some.soils, some.ids, 0]);
    expect(read.tools).toEqual(state.tools);
    expect(read.pressures).toEqual(state.pressures);
  });

  it("of another scene is not read", () => {
    expect(readEarth({ ...looks, tools: [] }, writeEarth(state))).toBeNull();
    expect(readEarth(looks, writeEarth(state).slice(0, 30))).toBeNull();
  });

  it("costs ten bytes for each particle", () => {
    const many = { count: 5000, positions: new Float32Array(15000), radii: new Float32Array(5000).fill(0.1), soils: new Uint8Array(5000), ids: new Uint16Array(5000) };
    expect(writeEarth({ particles: [many], tools: [], pressures: [] }).byteLength).toBe(24 + 50_000);
  });
});

describe("colours", () => {
  it("are those of known soils, of what a soil is like, and of parts of names", () => {
    expect(colorOf({ name: "clay" })).toBe(colorOf({ name: "my own", like: "clay" }));
    expect(colorOf({ name: "beach_sand" })).toBe(colorOf({ name: "dry_sand" }));
    expect(colorOf({ name: "wet river sand" })).toBe(colorOf({ name: "wet_sand" }));
    expect(colorOf({ name: "x" })).toBe(colorOf({ name: "loam" }));
    const soils = [{ name: "topsoil", density: 1, loose: 1 }];
    expect(lookOf(soils, 0)).toMatchObject({ color: colorOf({ name: "topsoil" }).bank, loose: false });
    expect(lookOf(soils, LOOSE)).toMatchObject({ color: colorOf({ name: "topsoil" }).loose, loose: true });
    expect(lookOf(soils, ROCK).color).not.toEqual(lookOf(soils, 0).color);
  });

  it("of scales are between their ends", () => {
    expect(onScale(SCALES.cut, 0)).toEqual(SCALES.cut[0]);
    expect(onScale(SCALES.cut, 7)).toEqual(SCALES.cut.at(-1));
    const [r, , b] = onScale(SCALES.cut, 0.2);
    expect(r).toBeGreaterThan(b);
    // no change is neither red nor blue
    const [x, y, z] = onScale(SCALES.cut, 0.5);
    expect(Math.max(x, y, z) - Math.min(x, y, z)).toBeLessThan(0.05);
  });

  it("have scales with round ends", () => {
    expect([0.03, 0.1, 0.11, 1.7, 30].map(niceEnd)).toEqual([0.05, 0.1, 0.2, 2, 50]);
    expect(heightSpan(-0.93, 2.2)).toEqual([-1, 3]);
    expect(heightSpan(0, 0)[1]).toBeGreaterThan(0);
  });
});

describe("what an operator reads", () => {
  it("is how full the bucket is, and what was moved", () => {
    const tool = { name: "bucket", body: 0, ground: 0, width: 2, capacity: 2 };
    expect(fillOf(tool, { load: 1480 }, ground([9, 9]))).toBeCloseTo(0.5, 9);
    expect(fillOf(tool, { load: -3 }, ground([9, 9]))).toBe(0);
    expect(fillOf({ ...tool, capacity: null }, { load: 1480 }, ground([9, 9]))).toBeNull();
    expect(movedOf([ground([9, 9])], [{ cut: 2, fill: 3 }])).toEqual({ cut: 2, fill: 3, mass: 3312 });
    expect([pressureEnd([1e5]), pressureEnd([210e5, 3]), pressureEnd([])]).toEqual([200e5, 500e5, 200e5]);
  });
});

describe("the brush", () => {
  it("makes ridges of the height that is chosen", () => {
    for (const way of ["raise", "lower"] as const) {
      const height = dabHeight(way, 0.5, 0, 0);
      // far along a straight stroke, bumps half a radius apart
      const sum = Array.from({ length: 41 }, (_, k) => bump({ at: [0.5 * (k - 20), 0], radius: 1, height }, 0, 0)).reduce((a, b) => a + b);
      expect(Math.abs(sum - (way === "raise" ? 0.5 : -0.5))).toBeLessThan(0.01);
    }
  });

  it("levels towards where it began, and no further", () => {
    expect(dabHeight("level", 0.5, 1, 1)).toBe(0);
    expect(dabHeight("level", 0.5, 1, 3)).toBeLessThan(0);
    expect(Math.abs(dabHeight("level", 0.5, 1, 30))).toBeLessThan(0.5);
    expect(dabHeight("level", 0.5, 1, 0.9)).toBeGreaterThan(0);
  });

  it("adds to the mounds of the text", () => {
    const tree = { grounds: { yard: { mounds: [{ at: [0, 0], radius: 1, height: 1 }] } } };
    expect(withMounds(tree, "yard", [{ at: [1, 2], radius: 0.5, height: -0.2 }])).toEqual([
      { set: ["grounds", "yard", "mounds"], value: [{ at: [0, 0], radius: 1, height: 1 }, { at: [1, 2], radius: 0.5, height: -0.2 }] },
    ]);
  });

  it("finds grounds that are added, and they take their tools along when they go", () => {
    expect(newGround({ bodies: { ground: {} } }).name).toBe("ground2");
    const tree = { grounds: { yard: {}, field: {} }, bodies: { bucket: {} }, tools: { bucket: { body: "bucket", ground: "yard" }, other: { body: "bucket", ground: "field" } }, probes: { load: "tools.bucket.load" } };
    const gone = removalOf(tree, "grounds", ["yard"]).map((c) => ("remove" in c ? c.remove.join(".") : ""));
    expect(gone).toEqual(["probes.load", "tools.bucket", "grounds.yard"]);
  });
});

describe("lumps", () => {
  it("are not spheres, differ from each other, and have grains in the best quality", () => {
    const radii = (k: number) => {
      const at = shapeOf(k, "medium").getAttribute("position");
      return Array.from({ length: at.count }, (_, n) => Math.hypot(at.getX(n), at.getY(n), at.getZ(n)));
    };
    const [a, b] = [radii(0), radii(1)];
    expect(Math.max(...a) / Math.min(...a)).toBeGreaterThan(1.3);
    expect(a).not.toEqual(b);
    const faces = (quality: "low" | "medium" | "high") => shapeOf(0, quality).getAttribute("position").count / 3;
    expect([faces("low"), faces("medium"), faces("high")]).toEqual([20, 80, 80 + 9 * 20]);
  });
});
