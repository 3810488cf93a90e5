/** Forces of tyres as arrows, and the marks that sliding tyres leave. */
import * as THREE from "three";
import * as overlays from "../overlays";
import type { Frame } from "../protocol";
import { statesOf, vehicles } from "../vehicle/now";
import { Arrows } from "./arrows";
import { SkidMarks } from "./skids";

/** Colours of the load, and of the forces along and across the wheel. */
const COLOURS = [0x3b82f6, 0x22c55e, 0xef4444];
/** Length of an arrow of 1 N beside its first decade, in radii of wheels. */
const LENGTH = 0.55;

export class TiresView {
  readonly group = new THREE.Group();
  private arrows = COLOURS.map((color) => new Arrows(color, LENGTH));
  readonly marks = new SkidMarks();

  constructor() {
    this.group.add(this.marks.mesh, ...this.arrows.map((a) => a.mesh));
  }

  /** Shows a frame. */
  update(frame: Frame) {
    const states = statesOf(frame);
    const looks = vehicles.peek();
    for (const arrow of this.arrows) arrow.mesh.visible = states.length > 0 && overlays.showTires.value;
    if (states.length === 0) return;
    const wheels = states.flatMap((state, v) => state.wheels.map((now, w) => ({ now, look: looks[v]!.wheels[w]! })));
    this.marks.add(
      frame.time,
      wheels.map(({ now, look }) => ({ ...now, width: look.width })),
    );
    if (!overlays.showTires.value) return;
    const forces: number[][] = [[], [], []];
    for (const { now } of wheels) {
      if (now.load <= 0) continue;
      const [normal, ahead] = [now.normal, now.ahead].map((v) => new THREE.Vector3(...v)) as [THREE.Vector3, THREE.Vector3];
      const left = normal.clone().cross(ahead);
      const vectors = [normal.multiplyScalar(now.load), ahead.multiplyScalar(now.force[0]), left.multiplyScalar(now.force[1])];
      vectors.forEach((v, k) => v.length() > 1 && forces[k]!.push(...now.point, ...v.toArray()));
    }
    const radius = Math.max(0.05, ...wheels.map(({ look }) => look.radius));
    this.arrows.forEach((arrow, k) => arrow.update(new Float32Array(forces[k]!), radius));
  }

  /** Number of arrows and of pieces of marks, for tests. */
  counts() {
    return { arrows: this.arrows.reduce((sum, a) => sum + (a.mesh.visible ? a.mesh.count : 0), 0), skids: this.marks.count };
  }
}
