/**
 * Grounds: a mesh for each tile, made of its nodes and the first ones of the tiles beside it, so that there are no cracks. Normals are
 * those of the slopes between the nodes to either side. Cells are divided from their low corner to their high one, as in the physics.
 *
 * Colours are those of the soils, or of a number by a scale; a pattern of noise in the place makes grains, clods and stains of it, and
 * tilts the normals. Around the border the ground is a slab: walls go down to a common level.
 */
import * as THREE from "three";
import { TILE, type Ground } from "../earth/protocol";
import { heightSpan, lookOf, niceEnd, onScale, SCALES, type EarthMode, type Rgb } from "../earth/colors";
import { earthMode, earthSpan } from "../earth/now";
import { placeOf, type Cells, type Grounds, type Terrain } from "../earth/terrain";
import { immerse } from "./immersion";
import { NOISE } from "./noise";
import { isFine, type Quality } from "./quality";

/** Nodes along a tile with those of the next ones, and with one more to either side for slopes. */
const SIDE = TILE + 1;
const WIDE = TILE + 3;
/** Thickness of the slab that a ground is drawn as, in its length, and its bounds [m]. */
const SLAB = { part: 0.03, least: 0.4, most: 2 };
/** Most tiles that are made anew for one picture; the rest for the next ones. */
const MOST_TILES = 48;
/** Colour of walls of the slab over that of the soil. */
const WALL = 0.72;
/** The smallest end of the scale of cut and fill [m]. */
const LEAST_CUT = 0.1;

/** Index of the cells of a tile with so many nodes along x and y. */
const indices = new Map<string, THREE.BufferAttribute>();
function cellsOf(nx: number, ny: number): THREE.BufferAttribute {
  const name = `${nx} ${ny}`;
  const known = indices.get(name);
  if (known) return known;
  const list: number[] = [];
  for (let j = 0; j + 1 < ny; j++) {
    for (let i = 0; i + 1 < nx; i++) {
      const a = j * nx + i;
      list.push(a, a + 1, a + nx + 1, a, a + nx + 1, a + nx);
    }
  }
  const made = new THREE.BufferAttribute(new Uint16Array(list), 1);
  indices.set(name, made);
  return made;
}

const linear = new THREE.Color();
/** sRGB → what shaders compute with. */
function toLinear(color: Rgb): Rgb {
  linear.setRGB(...color, THREE.SRGBColorSpace);
  return [linear.r, linear.g, linear.b];
}

/** Looks of the bytes of a ground, in linear colours. */
class Looks {
  private known = new Map<number, { color: Rgb; lumps: number; contrast: number; loose: boolean }>();
  constructor(private ground: Ground) {}
  of(byte: number) {
    let look = this.known.get(byte);
    if (!look) {
      const found = lookOf(this.ground.soils, byte);
      look = { ...found, color: toLinear(found.color) };
      this.known.set(byte, look);
    }
    return look;
  }
}

const uniforms = { contour: { value: 0 }, pattern: { value: 1 } };

/** Draws the pattern of soils over a material; `rough` tilts the normals as well. */
function till(material: THREE.Material, rough: boolean) {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { earthContour: uniforms.contour, earthPattern: uniforms.pattern });
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec2 grain;\nvarying vec2 earthGrain;\nvarying vec3 earthPlace, earthNormal;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nearthGrain = grain;\nearthPlace = position;\nearthNormal = normal;");
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `#include <common>
        varying vec2 earthGrain;
        varying vec3 earthPlace, earthNormal;
        uniform float earthContour, earthPattern;
        float earthHeight = 0.0;
        ${NOISE}
        vec3 tilted(vec3 at, vec3 n, float h) {
          vec3 dx = dFdx(at), dy = dFdy(at);
          vec3 rx = cross(dy, n), ry = cross(n, dx);
          float det = dot(dx, rx);
          vec3 slope = sign(det) * (dFdx(h) * rx + dFdy(h) * ry);
          return normalize(abs(det) * n - slope);
        }`,
      )
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        {
          // steeper than soil can lie it is a wall, with the pattern in its own plane
          vec2 p = abs(earthNormal.z) > 0.62 ? earthPlace.xy : abs(earthNormal.x) > abs(earthNormal.y) ? earthPlace.yz : earthPlace.xz;
          float pixel = max(length(dFdx(p)), length(dFdy(p)));
          #define keep(s) (1.0 - smoothstep(0.3, 1.1, pixel / (s)))
          float lumps = earthGrain.x;
          float rough = earthGrain.y;
          float stain = fbm(p * 0.35) - 0.5;
          float clods = 0.6 * (fbm(p * lumps * 0.45 + 3.7) - 0.5) + 0.4 * (fbm(p * lumps * 0.17 - 1.3) - 0.5);
          float grains = noise(p * lumps * 1.7) - 0.5;
          float specks = hash(floor(p * lumps * 3.0)) - 0.5;
          float tone = 0.3 * stain
            + (0.12 + 0.3 * rough) * clods * keep(1.6 / lumps)
            + (0.08 + 0.26 * rough) * grains * keep(0.6 / lumps)
            + 0.14 * specks * keep(0.25 / lumps);
          diffuseColor.rgb *= max(0.25, 1.0 + earthPattern * tone);
          // hollows between clods are dark
          diffuseColor.rgb *= 1.0 - earthPattern * 0.16 * rough * smoothstep(0.0, -0.25, clods) * keep(1.6 / lumps);
          earthHeight = (0.7 * rough * clods * keep(1.6 / lumps) + 0.16 * (0.4 + rough) * grains * keep(0.6 / lumps)) / lumps;
          if (earthContour > 0.0) {
            float z = earthPlace.z / earthContour;
            float line = abs(fract(z - 0.5) - 0.5) / max(fwidth(z), 1e-6);
            float strong = abs(fract(z / 5.0 - 0.5) - 0.5) * 5.0 / max(fwidth(z), 1e-6);
            // none where they would fill the picture: far away, and on level ground
            float seen = smoothstep(0.5, 0.12, fwidth(z)) * smoothstep(2e-4, 2e-3, fwidth(z));
            diffuseColor.rgb *= 1.0 - seen * max(0.35 * (1.0 - smoothstep(0.5, 1.4, line)), 0.6 * (1.0 - smoothstep(0.9, 1.9, strong)));
          }
          #undef keep
        }`,
      );
    if (rough) {
      shader.fragmentShader = shader.fragmentShader.replace("#include <normal_fragment_maps>", "#include <normal_fragment_maps>\nnormal = tilted(-vViewPosition, normal, earthHeight * earthPattern);");
    }
  };
  material.customProgramCacheKey = () => `earth ${rough}`;
}

function materialOf(quality: Quality, wet: boolean): THREE.Material {
  // before planes that lie in the ground
  const common = { vertexColors: true, side: THREE.FrontSide, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -2 };
  const fine = isFine(quality);
  const material = fine ? new THREE.MeshStandardMaterial({ ...common, roughness: 0.96, metalness: 0 }) : new THREE.MeshLambertMaterial(common);
  till(material, fine);
  return wet ? immerse(material) : material;
}

interface TileMesh {
  mesh: THREE.Mesh<THREE.BufferGeometry>;
  low: number;
  high: number;
  cut: number;
}

class GroundMesh {
  readonly group = new THREE.Group();
  readonly tiles = new Map<number, TileMesh>();
  private looks: Looks;
  private floor: number | null = null;
  private grid = new Float32Array(WIDE * WIDE);

  constructor(
    readonly terrain: Terrain,
    private material: THREE.Material,
    private fine: boolean,
  ) {
    this.looks = new Looks(terrain.ground);
  }

  /** Where the slab ends below [m]. */
  get bottom(): number {
    if (this.floor === null) {
      let low = Infinity;
      for (const { heights } of this.terrain.tiles.values()) for (const h of heights) low = Math.min(low, h);
      const { nodes, spacing } = this.terrain.ground;
      const size = spacing * Math.hypot(nodes[0], nodes[1]);
      this.floor = (Number.isFinite(low) ? low : 0) - Math.min(SLAB.most, Math.max(SLAB.least, SLAB.part * size));
    }
    return this.floor;
  }

  /** Makes tiles anew that have changed. */
  update(all: boolean): boolean {
    const { dirty, tiles } = this.terrain;
    const keys = all ? [...new Set([...tiles.keys(), ...dirty])] : [...dirty].slice(0, MOST_TILES);
    for (const key of keys) {
      dirty.delete(key);
      const cells = tiles.get(key);
      if (cells) this.make(key, cells);
      else this.drop(key);
    }
    return keys.length > 0;
  }

  private drop(key: number) {
    const tile = this.tiles.get(key);
    if (!tile) return;
    tile.mesh.geometry.dispose();
    tile.mesh.removeFromParent();
    this.tiles.delete(key);
  }

  /** Heights of the nodes of a tile with those around it. */
  private gather(i0: number, j0: number, step: number, own: Float32Array) {
    const { terrain, grid } = this;
    // its own nodes without looking for their tile
    const plain = terrain.isPlain;
    for (let j = 0, o = 0; j < WIDE; j++) {
      const inside = plain && j > 0 && j <= TILE;
      for (let i = 0; i < WIDE; i++, o++) grid[o] = inside && i > 0 && i <= TILE ? own[(j - 1) * TILE + i - 1]! : terrain.height(i0 + (i - 1) * step, j0 + (j - 1) * step);
    }
  }

  private make(key: number, cells: Cells) {
    const { ground } = this.terrain;
    const { level, i, j } = placeOf(key);
    const step = 2 ** level;
    const [i0, j0] = [i * TILE * step, j * TILE * step];
    const count = (from: number, nodes: number) => Math.min(SIDE, Math.ceil((nodes - 1 - from) / step) + 1);
    const [nx, ny] = [count(i0, ground.nodes[0]), count(j0, ground.nodes[1])];
    // the last nodes of a ground may be all of their tile: their cells are those of the tile before
    if (nx < 2 || ny < 2) return this.drop(key);
    this.gather(i0, j0, step, cells.heights);
    const mode = earthMode.peek();
    const [from, to] = earthSpan.peek();
    const start = this.terrain.starts.get(key);
    const n = nx * ny;
    const mixed = mode === "soil" && cells.soils.some((byte) => byte !== cells.soils[0]);
    const edges = this.edges(i0, j0, [nx, ny], step);
    const walls = edges.reduce((sum, edge) => sum + 2 * edge.nodes.length, 0);
    const positions = new Float32Array(3 * (n + walls));
    const normals = new Float32Array(3 * (n + walls));
    const colors = new Float32Array(3 * (n + walls));
    const grains = new Float32Array(2 * (n + walls));
    let [low, high, cut] = [Infinity, -Infinity, 0];
    for (let b = 0, at = 0; b < ny; b++) {
      for (let a = 0; a < nx; a++, at++) {
        const o = (b + 1) * WIDE + a + 1;
        const h = this.grid[o]!;
        const x = Math.min(i0 + a * step, ground.nodes[0] - 1);
        const y = Math.min(j0 + b * step, ground.nodes[1] - 1);
        positions[3 * at] = ground.origin[0] + x * ground.spacing;
        positions[3 * at + 1] = ground.origin[1] + y * ground.spacing;
        positions[3 * at + 2] = h;
        // at the border there is a slope to one side only
        const wx = x === 0 || x === ground.nodes[0] - 1 ? 1 : 2;
        const wy = y === 0 || y === ground.nodes[1] - 1 ? 1 : 2;
        const sx = (this.grid[o + 1]! - this.grid[o - 1]!) / (wx * step * ground.spacing);
        const sy = (this.grid[o + WIDE]! - this.grid[o - WIDE]!) / (wy * step * ground.spacing);
        const up = 1 / Math.hypot(sx, sy, 1);
        normals[3 * at] = -sx * up;
        normals[3 * at + 1] = -sy * up;
        normals[3 * at + 2] = up;
        const k = Math.min(b, TILE - 1) * TILE + Math.min(a, TILE - 1);
        const own = a < TILE && b < TILE;
        const other = own ? null : this.terrain.cellOf(x, y);
        const byte = other ? other.cells.soils[other.at]! : cells.soils[k]!;
        const density = other ? other.cells.compaction[other.at]! : cells.compaction[k]!;
        const look = this.looks.of(byte);
        grains[2 * at] = look.lumps;
        grains[2 * at + 1] = look.contrast;
        let color = look.color;
        if (mode === "soil") {
          // dense soil is a little lighter, as where wheels have polished it
          const tone = 0.92 + (0.16 * density) / 255;
          if (mixed) color = this.blend(x, y, step, color);
          color = [color[0] * tone, color[1] * tone, color[2] * tone];
        } else if (mode === "height") color = toLinear(onScale(SCALES.height, (h - from) / (to - from)));
        else if (mode === "compaction") color = toLinear(onScale(SCALES.compaction, density / 255));
        else {
          const before = own ? start?.[k] : other && this.terrain.starts.get(other.key)?.[other.at];
          color = toLinear(onScale(SCALES.cut, before === undefined || before === null ? 0.5 : 0.5 + (0.5 * (h - before)) / to));
        }
        colors[3 * at] = color[0];
        colors[3 * at + 1] = color[1];
        colors[3 * at + 2] = color[2];
        low = Math.min(low, h);
        high = Math.max(high, h);
        if (own && start) cut = Math.max(cut, Math.abs(h - start[k]!));
      }
    }
    const index = walls > 0 ? this.wall(edges, n, [nx, ny], { positions, normals, colors, grains }) : cellsOf(nx, ny);
    let tile = this.tiles.get(key);
    if (tile && tile.mesh.geometry.getAttribute("position").count === n + walls) {
      const { geometry } = tile.mesh;
      for (const [name, values] of [["position", positions], ["normal", normals], ["color", colors], ["grain", grains]] as const) {
        const attribute = geometry.getAttribute(name) as THREE.BufferAttribute;
        (attribute.array as Float32Array).set(values);
        attribute.needsUpdate = true;
      }
    } else {
      this.drop(key);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3).setUsage(THREE.DynamicDrawUsage));
      geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3).setUsage(THREE.DynamicDrawUsage));
      geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3).setUsage(THREE.DynamicDrawUsage));
      geometry.setAttribute("grain", new THREE.BufferAttribute(grains, 2).setUsage(THREE.DynamicDrawUsage));
      geometry.setIndex(index);
      const mesh = new THREE.Mesh(geometry, this.material);
      mesh.castShadow = mesh.receiveShadow = this.fine;
      this.group.add(mesh);
      tile = { mesh, low, high, cut };
      this.tiles.set(key, tile);
    }
    Object.assign(tile, { low, high, cut });
    const [x, y] = this.terrain.position(i0, j0);
    const half = 0.5 * step * TILE * ground.spacing;
    const bottom = walls > 0 ? Math.min(low, this.bottom) : low;
    tile.mesh.geometry.boundingSphere = new THREE.Sphere(new THREE.Vector3(x + half, y + half, (bottom + high) / 2), Math.hypot(half, half, (high - bottom) / 2 + 0.01));
  }

  /** Colour of soils at a node with those of the nodes around it: soils have no sharp borders. */
  private blend(x: number, y: number, step: number, own: Rgb): Rgb {
    const sum: Rgb = [0.4 * own[0], 0.4 * own[1], 0.4 * own[2]];
    for (const [dx, dy] of [[step, 0], [-step, 0], [0, step], [0, -step]] as const) {
      const found = this.terrain.cellOf(x + dx, y + dy);
      const color = found ? this.looks.of(found.cells.soils[found.at]!).color : own;
      for (let c = 0; c < 3; c++) sum[c]! += 0.15 * color[c]!;
    }
    return sum;
  }

  /** Edges of a tile that have a wall below them: borders of the ground, and where a tile of another level lies beside. */
  private edges(i0: number, j0: number, [nx, ny]: [number, number], step: number): { nodes: number[]; out: [number, number]; deep: boolean }[] {
    const { ground } = this.terrain;
    const along = (count: number, at: (k: number) => number) => Array.from({ length: count }, (_, k) => at(k));
    const list: { nodes: number[]; out: [number, number]; deep: boolean }[] = [];
    const sides: { nodes: () => number[]; out: [number, number]; border: boolean; beside: [number, number] }[] = [
      { nodes: () => along(nx, (k) => k), out: [0, -1], border: j0 === 0, beside: [i0, j0 - 1] },
      { nodes: () => along(ny, (k) => k * nx + nx - 1), out: [1, 0], border: i0 + (nx - 1) * step >= ground.nodes[0] - 1, beside: [i0 + TILE * step, j0] },
      { nodes: () => along(nx, (k) => ny * nx - 1 - k), out: [0, 1], border: j0 + (ny - 1) * step >= ground.nodes[1] - 1, beside: [i0, j0 + TILE * step] },
      { nodes: () => along(ny, (k) => (ny - 1 - k) * nx), out: [-1, 0], border: i0 === 0, beside: [i0 - 1, j0] },
    ];
    for (const { nodes, out, border, beside } of sides) {
      const other = border || ground.level === 0 ? null : this.terrain.cellOf(...beside);
      const mixed = other !== null && 2 ** other.level !== step;
      if (border || mixed) list.push({ nodes: nodes(), out, deep: border });
    }
    return list;
  }

  /** Adds walls below edges; returns the index of cells and walls. */
  private wall(edges: ReturnType<GroundMesh["edges"]>, first: number, [nx, ny]: [number, number], to: { positions: Float32Array; normals: Float32Array; colors: Float32Array; grains: Float32Array }): THREE.BufferAttribute {
    const list: number[] = Array.from(cellsOf(nx, ny).array);
    let at = first;
    for (const { nodes, out, deep } of edges) {
      nodes.forEach((node, k) => {
        const [x, y, z] = [to.positions[3 * node]!, to.positions[3 * node + 1]!, to.positions[3 * node + 2]!];
        const foot = deep ? Math.min(this.bottom, z - 0.2) : z - 2 * this.terrain.ground.spacing * 2 ** this.terrain.ground.level;
        [z, foot].forEach((h, n) => {
          const o = at + n;
          to.positions.set([x, y, h], 3 * o);
          to.normals.set(deep ? [out[0], out[1], 0] : to.normals.slice(3 * node, 3 * node + 3), 3 * o);
          const dark = deep ? WALL * (1 - 0.35 * n) : 1;
          to.colors.set([0, 1, 2].map((c) => to.colors[3 * node + c]! * dark), 3 * o);
          to.grains.set(to.grains.slice(2 * node, 2 * node + 2), 2 * o);
        });
        // outward: the next node lies to the right as seen from outside
        if (k > 0) list.push(at - 2, at - 1, at + 1, at - 2, at + 1, at);
        at += 2;
      });
    }
    return new THREE.BufferAttribute(new Uint16Array(list), 1);
  }

  dispose() {
    for (const key of [...this.tiles.keys()]) this.drop(key);
    this.group.removeFromParent();
  }
}

export class EarthView {
  readonly group = new THREE.Group();
  private meshes: GroundMesh[];
  private material: THREE.Material & { color: THREE.Color };
  private shown = "";

  constructor(
    readonly grounds: Grounds,
    quality: Quality,
    wet: boolean,
  ) {
    this.material = materialOf(quality, wet) as THREE.Material & { color: THREE.Color };
    this.meshes = grounds.list.map((terrain) => new GroundMesh(terrain, this.material, isFine(quality)));
    for (const { group } of this.meshes) this.group.add(group);
    // all that is known already
    for (const terrain of grounds.list) for (const key of terrain.tiles.keys()) terrain.dirty.add(key);
  }

  /** As dark as the surroundings, but so that it can be seen. */
  dress(tone: THREE.Color) {
    const dim = Math.min(1, (tone.r + tone.g + tone.b) / 2);
    this.material.color.setScalar(0.5 + 0.5 * dim);
  }

  /** Draws what has changed; grounds on bodies are where these are. Tells the scale's ends if it is the one that has them. */
  update(poses: THREE.Matrix4[], leads: boolean) {
    const mode = earthMode.value;
    const [from, to] = earthSpan.value;
    const look = `${mode} ${mode === "soil" || mode === "compaction" ? "" : `${from} ${to}`}`;
    let changed = false;
    for (const mesh of this.meshes) {
      changed = mesh.update(look !== this.shown) || changed;
      const { body } = mesh.terrain.ground;
      const pose = body === null || body === undefined ? undefined : poses[body];
      if (!pose) continue;
      mesh.group.matrixAutoUpdate = false;
      mesh.group.matrix.copy(pose);
    }
    this.shown = look;
    uniforms.pattern.value = mode === "soil" ? 1 : 0.3;
    uniforms.contour.value = mode === "height" ? niceEnd((to - from) / 40) : 0;
    if (leads && (changed || mode !== this.mode)) this.span(mode);
    this.mode = mode;
  }
  private mode: EarthMode | null = null;

  /** Ends of the scale that hold all tiles. */
  private span(mode: EarthMode) {
    let [low, high, cut] = [Infinity, -Infinity, 0];
    for (const { tiles } of this.meshes) for (const tile of tiles.values()) [low, high, cut] = [Math.min(low, tile.low), Math.max(high, tile.high), Math.max(cut, tile.cut)];
    if (low > high) return;
    const end = niceEnd(Math.max(cut, LEAST_CUT));
    const next: [number, number] = mode === "height" ? heightSpan(low, high) : mode === "cut" ? [-end, end] : [0, 1];
    if (next[0] !== earthSpan.value[0] || next[1] !== earthSpan.value[1]) earthSpan.value = next;
  }

  /** The lowest level of the slabs, and the rectangles that grounds fill: x and y of their middle, half their sizes. */
  lots(): { bottom: number; lots: THREE.Vector4[] } | null {
    const still = this.meshes.filter(({ terrain }) => terrain.ground.body === null || terrain.ground.body === undefined);
    if (still.length === 0) return null;
    const lot = ({ terrain: { ground } }: GroundMesh) => {
      const [w, h] = ground.nodes.map((n) => 0.5 * (n - 1) * ground.spacing) as [number, number];
      return new THREE.Vector4(ground.origin[0] + w, ground.origin[1] + h, w, h);
    };
    return { bottom: Math.min(...still.map((mesh) => mesh.bottom)), lots: still.map(lot) };
  }

  /** Tiles drawn. */
  get count(): number {
    return this.meshes.reduce((sum, mesh) => sum + mesh.tiles.size, 0);
  }

  dispose() {
    for (const mesh of this.meshes) mesh.dispose();
    this.material.dispose();
    this.group.removeFromParent();
  }
}
