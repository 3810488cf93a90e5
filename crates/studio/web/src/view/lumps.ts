/**
 * Loose soil: each particle is an irregular lump, one of a few shapes, as large as the particle and coloured as its soil. A particle has
 * no orientation of its own; a lump is turned as if it rolled along the way it moves. In the best quality each has finer grains around
 * it, as part of its shape: they cost no more instances.
 */
import * as THREE from "three";
import { mergeGeometries, mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Ground, Particles } from "../earth/protocol";
import { LOOSE } from "../earth/protocol";
import { lookOf } from "../earth/colors";
import { immerse } from "./immersion";
import { isFine, type Quality } from "./quality";

/** Shapes of lumps. */
const SHAPES = 4;
/** A lump is a little larger than its particle, since spheres leave gaps. */
const SWELL = 1.12;
/** Grains around a lump, and their sizes in parts of it. */
const GRAINS = 9;
const GRAIN = { least: 0.1, most: 0.24 };
/** Farther than so many radii between two frames, a particle has not rolled but jumped, as in time. */
const JUMP = 12;
/** Numbers of particles are known by 16 bits. */
const IDS = 65536;

/** A number from 0 to 1 that depends on another. */
export function chance(seed: number): number {
  const x = Math.sin(seed * 127.1 + 311.7) * 43758.5453;
  return x - Math.floor(x);
}

/** A sphere with dents. */
function lump(seed: number, detail: number): THREE.BufferGeometry {
  const ball = new THREE.IcosahedronGeometry(1, detail);
  ball.deleteAttribute("uv");
  ball.deleteAttribute("normal");
  const geometry = mergeVertices(ball, 1e-4);
  const at = geometry.getAttribute("position") as THREE.BufferAttribute;
  const p = new THREE.Vector3();
  const [sx, sy, sz] = [0.9 + 0.25 * chance(seed), 0.82 + 0.2 * chance(seed + 1), 0.72 + 0.2 * chance(seed + 2)];
  for (let k = 0; k < at.count; k++) {
    p.fromBufferAttribute(at, k);
    const dent = 0.11 * Math.sin(3.1 * p.x + seed) + 0.1 * Math.sin(4.3 * p.y + 2 * seed) + 0.1 * Math.sin(3.7 * p.z + 3 * seed) + 0.14 * (chance(seed + 17 * k) - 0.5);
    p.multiplyScalar(1 + dent);
    at.setXYZ(k, p.x * sx, p.y * sy, p.z * sz);
  }
  // edges of clods, rounded in between
  const broken = geometry.toNonIndexed();
  geometry.computeVertexNormals();
  const smooth = geometry.toNonIndexed().getAttribute("normal") as THREE.BufferAttribute;
  broken.computeVertexNormals();
  const sharp = broken.getAttribute("normal") as THREE.BufferAttribute;
  const [a, b] = [new THREE.Vector3(), new THREE.Vector3()];
  for (let k = 0; k < sharp.count; k++) {
    a.fromBufferAttribute(smooth, k).lerp(b.fromBufferAttribute(sharp, k), 0.45).normalize();
    sharp.setXYZ(k, a.x, a.y, a.z);
  }
  return broken;
}

/** The shape of a lump: with grains around it in the best quality, with few faces in the lowest. */
export function shapeOf(number: number, quality: Quality): THREE.BufferGeometry {
  const seed = 7.3 * number + 1;
  const body = lump(seed, isFine(quality) ? 1 : 0);
  if (quality !== "high") return body;
  const parts = [body];
  for (let k = 0; k < GRAINS; k++) {
    const size = GRAIN.least + (GRAIN.most - GRAIN.least) * chance(seed + 3 * k) ** 2;
    const [angle, z] = [2 * Math.PI * chance(seed + 5 * k + 0.3), 2 * chance(seed + 7 * k + 0.7) - 1];
    const ring = Math.sqrt(1 - z * z);
    const far = 0.95 + 0.4 * chance(seed + 11 * k);
    parts.push(lump(seed + 31 * k, 0).scale(size, size, size).translate(far * ring * Math.cos(angle), far * ring * Math.sin(angle), far * z));
  }
  return mergeGeometries(parts);
}

/** Rolling of the particles of a ground by their numbers: where each was last, how it is turned, and in which frame it was. */
class Rolling {
  private last = new Float32Array(3 * IDS);
  private turns = new Float32Array(4 * IDS);
  private seen = new Uint32Array(IDS);
  private frame = 1;
  private q = new THREE.Quaternion();
  private step = new THREE.Quaternion();
  private axis = new THREE.Vector3();

  next() {
    this.frame += 1;
  }

  /** How a particle is turned, that is now at a place. */
  turn(id: number, x: number, y: number, z: number, radius: number): THREE.Quaternion {
    const { last, turns, q } = this;
    const o = 4 * id;
    const known = this.seen[id] === this.frame - 1;
    this.seen[id] = this.frame;
    if (!known) {
      const [a, b, c] = [chance(id), chance(id + 0.31), chance(id + 0.77)];
      const [r, s] = [Math.sqrt(1 - a), Math.sqrt(a)];
      q.set(r * Math.sin(2 * Math.PI * b), r * Math.cos(2 * Math.PI * b), s * Math.sin(2 * Math.PI * c), s * Math.cos(2 * Math.PI * c));
    } else {
      q.fromArray(turns, o);
      const [dx, dy, dz] = [x - last[3 * id]!, y - last[3 * id + 1]!, z - last[3 * id + 2]!];
      const way = Math.hypot(dx, dy);
      if (way > 1e-5 && Math.hypot(way, dz) < JUMP * radius) q.premultiply(this.step.setFromAxisAngle(this.axis.set(-dy / way, dx / way, 0), (0.7 * way) / radius));
    }
    turns[o] = q.x;
    turns[o + 1] = q.y;
    turns[o + 2] = q.z;
    turns[o + 3] = q.w;
    last[3 * id] = x;
    last[3 * id + 1] = y;
    last[3 * id + 2] = z;
    return q;
  }
}

export class LumpsView {
  readonly group = new THREE.Group();
  private meshes: THREE.InstancedMesh[] = [];
  private geometries: THREE.BufferGeometry[];
  private material: THREE.Material & { color: THREE.Color };
  private rolling: Rolling[];
  private fine: boolean;
  private colors: Map<number, THREE.Color>[];

  constructor(
    private grounds: Ground[],
    quality: Quality,
    wet: boolean,
  ) {
    this.fine = isFine(quality);
    this.geometries = Array.from({ length: SHAPES }, (_, k) => shapeOf(k, quality));
    const material = this.fine ? new THREE.MeshStandardMaterial({ roughness: 0.97, metalness: 0 }) : new THREE.MeshLambertMaterial();
    this.material = wet ? immerse(material) : material;
    this.rolling = grounds.map(() => new Rolling());
    this.colors = grounds.map(() => new Map());
    this.meshes = this.geometries.map((geometry) => this.meshFor(geometry, 256));
  }

  private meshFor(geometry: THREE.BufferGeometry, room: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(geometry, this.material, room);
    mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * room), 3).setUsage(THREE.DynamicDrawUsage);
    // they move every frame, so bounds taken once would hide them
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = this.fine;
    mesh.count = 0;
    this.group.add(mesh);
    return mesh;
  }

  dress(tone: THREE.Color) {
    const dim = Math.min(1, (tone.r + tone.g + tone.b) / 2);
    this.material.color.setScalar(0.5 + 0.5 * dim);
  }

  private colorOf(ground: number, soil: number): THREE.Color {
    const known = this.colors[ground]!.get(soil);
    if (known) return known;
    const made = new THREE.Color().setRGB(...lookOf(this.grounds[ground]!.soils, soil | LOOSE).color, THREE.SRGBColorSpace);
    this.colors[ground]!.set(soil, made);
    return made;
  }

  /** Lumps where the particles are. */
  update(all: Particles[]) {
    const counts = new Array<number>(SHAPES).fill(0);
    for (const { count, ids } of all) for (let k = 0; k < count; k++) counts[ids[k]! % SHAPES]!++;
    counts.forEach((wanted, k) => {
      const mesh = this.meshes[k]!;
      if (wanted > mesh.instanceMatrix.count) {
        mesh.removeFromParent();
        mesh.dispose();
        this.meshes[k] = this.meshFor(this.geometries[k]!, 2 ** Math.ceil(Math.log2(wanted)));
      }
      this.meshes[k]!.count = wanted;
    });
    const filled = new Array<number>(SHAPES).fill(0);
    all.forEach((own, ground) => {
      const rolling = this.rolling[ground];
      if (!rolling) return;
      rolling.next();
      for (let k = 0; k < own.count; k++) {
        const [id, radius] = [own.ids[k]!, own.radii[k]!];
        const [x, y, z] = [own.positions[3 * k]!, own.positions[3 * k + 1]!, own.positions[3 * k + 2]!];
        const shape = id % SHAPES;
        const mesh = this.meshes[shape]!;
        const q = rolling.turn(id, x, y, z, radius);
        compose(mesh.instanceMatrix.array as Float32Array, 16 * filled[shape]!, x, y, z, q, SWELL * radius * (0.85 + 0.3 * chance(id + 0.5)));
        const color = this.colorOf(ground, own.soils[k]!);
        const tone = 0.8 + 0.36 * chance(id + 0.11);
        const c = 3 * filled[shape]!++;
        const to = mesh.instanceColor!.array as Float32Array;
        to[c] = color.r * tone;
        to[c + 1] = color.g * tone;
        to[c + 2] = color.b * tone;
      }
    });
    for (const mesh of this.meshes) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** Lumps drawn. */
  get count(): number {
    return this.meshes.reduce((sum, mesh) => sum + mesh.count, 0);
  }

  dispose() {
    for (const mesh of this.meshes) mesh.dispose();
    for (const geometry of this.geometries) geometry.dispose();
    this.material.dispose();
    this.group.removeFromParent();
  }
}

/** Place, turn and size as a matrix of an instance, in its place in the array. */
function compose(to: Float32Array, at: number, x: number, y: number, z: number, q: THREE.Quaternion, size: number) {
  const [x2, y2, z2] = [q.x + q.x, q.y + q.y, q.z + q.z];
  const [xx, xy, xz] = [q.x * x2, q.x * y2, q.x * z2];
  const [yy, yz, zz] = [q.y * y2, q.y * z2, q.z * z2];
  const [wx, wy, wz] = [q.w * x2, q.w * y2, q.w * z2];
  to[at] = (1 - yy - zz) * size;
  to[at + 1] = (xy + wz) * size;
  to[at + 2] = (xz - wy) * size;
  to[at + 3] = 0;
  to[at + 4] = (xy - wz) * size;
  to[at + 5] = (1 - xx - zz) * size;
  to[at + 6] = (yz + wx) * size;
  to[at + 7] = 0;
  to[at + 8] = (xz + wy) * size;
  to[at + 9] = (yz - wx) * size;
  to[at + 10] = (1 - xx - yy) * size;
  to[at + 11] = 0;
  to[at + 12] = x;
  to[at + 13] = y;
  to[at + 14] = z;
  to[at + 15] = 1;
}
