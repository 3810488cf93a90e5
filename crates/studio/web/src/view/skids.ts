/**
 * Marks of sliding tyres: dark strips on the road, one quad from each contact point to the next.
 *
 * Strips are in a ring of fixed size. They fade with age and are removed when time runs back, since they are not part of the state.
 */
import * as THREE from "three";
import type { Vec3 } from "../protocol";

/** Quads that are kept. */
export const MOST = 4000;
/** Age at which a mark has faded away [s]. */
const FADES = 40;
/** Sliding speed from which on a tyre leaves a mark, and from which on it is dark [m/s]. */
const LEAST = 0.4;
const FULL = 3;
/** Shortest and longest quad [m]: a wheel that moved further was elsewhere in between. */
const SHORT = 0.06;
const LONG = 4;
/** Height above the road, so that the road does not hide it [m]. */
const ABOVE = 0.006;
/** Share of the width of a tyre that touches the road. */
const TREAD = 0.8;
const DARKEST = 0.75;

/** What leaves marks. */
export interface Slider {
  load: number;
  sliding: number;
  point: Vec3;
  normal: Vec3;
  ahead: Vec3;
  width: number;
}

interface End {
  middle: THREE.Vector3;
  left: THREE.Vector3;
  right: THREE.Vector3;
  dark: number;
}

export class SkidMarks {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  /** Number of quads that are there. */
  count = 0;
  private next = 0;
  private time = -Infinity;
  private ends: (End | null)[] = [];
  private place: THREE.BufferAttribute;
  private born: THREE.BufferAttribute;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    this.place = new THREE.BufferAttribute(new Float32Array(MOST * 12), 3);
    // time of birth, and darkness
    this.born = new THREE.BufferAttribute(new Float32Array(MOST * 8), 2);
    for (const attribute of [this.place, this.born]) attribute.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", this.place);
    geometry.setAttribute("born", this.born);
    geometry.setIndex(Array.from({ length: MOST }, (_, i) => [0, 1, 2, 2, 1, 3].map((k) => 4 * i + k)).flat());
    geometry.setDrawRange(0, 0);
    const material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      polygonOffset: true,
      polygonOffsetFactor: -3,
      polygonOffsetUnits: -3,
      uniforms: { now: { value: 0 } },
      vertexShader: `attribute vec2 born; varying float dark; uniform float now;
        void main() { dark = born.y * clamp(1.0 - (now - born.x) / ${FADES.toFixed(1)}, 0.0, 1.0); gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,
      fragmentShader: "varying float dark; void main() { gl_FragColor = vec4(vec3(0.02), dark); }",
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 2;
  }

  /** Removes all marks. */
  clear() {
    [this.count, this.next, this.ends] = [0, 0, []];
    this.time = -Infinity;
    this.mesh.geometry.setDrawRange(0, 0);
  }

  /** Adds what tyres leave up to a time [s]; the same tyres in the same order each time. */
  add(time: number, tires: Slider[]) {
    if (time < this.time || tires.length !== this.ends.length) this.clear();
    this.mesh.material.uniforms.now!.value = time;
    if (time === this.time) return;
    this.time = time;
    this.ends = tires.map((tire, i) => this.extend(this.ends[i] ?? null, tire));
  }

  /** The strip of one tyre goes on, begins or ends. */
  private extend(before: End | null, tire: Slider): End | null {
    if (tire.load <= 0 || tire.sliding < LEAST) return null;
    const normal = new THREE.Vector3(...tire.normal);
    const middle = new THREE.Vector3(...tire.point).addScaledVector(normal, ABOVE);
    const across = normal.clone().cross(new THREE.Vector3(...tire.ahead)).multiplyScalar((TREAD * tire.width) / 2);
    const dark = DARKEST * Math.min(1, (tire.sliding - LEAST) / (FULL - LEAST));
    const end = { middle, left: middle.clone().add(across), right: middle.clone().sub(across), dark };
    const way = before ? middle.distanceTo(before.middle) : 0;
    if (!before || way > LONG) return end;
    if (way < SHORT) return before;
    this.quad(before, end);
    return end;
  }

  private quad(a: End, b: End) {
    const at = this.next;
    [a.left, a.right, b.left, b.right].forEach((p, k) => {
      this.place.setXYZ(4 * at + k, p.x, p.y, p.z);
      this.born.setXY(4 * at + k, this.time, k < 2 ? a.dark : b.dark);
    });
    this.place.needsUpdate = this.born.needsUpdate = true;
    this.next = (at + 1) % MOST;
    this.count = Math.min(MOST, this.count + 1);
    this.mesh.geometry.setDrawRange(0, 6 * this.count);
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
