/**
 * The chase camera: the rig's target moves with a body, and the rig turns with the body's heading.
 *
 * The heading is followed with a time constant, the place at once, so that the vehicle stays in the picture at any speed. What the
 * person does to the rig, to look around or to zoom, stays. A jump in time or another body is followed at once.
 */
import * as THREE from "three";
import type { SceneCamera } from "../protocol";
import * as store from "../store";
import type { Rig } from "./rig";

/** Time constant of the heading [s]. */
const LAG = 0.35;
/** A longer way between two pictures, or a time that runs back, is a jump [m], [s]. */
const JUMP = 20;
const GAP = 1;
/** Distance from a body that has no camera of its own, in its sizes, and the angle above it [rad]. */
const AWAY = 2;
const ABOVE = 0.24;

/** Direction of the x axis of a body in the plane [rad]; of one that stands on its tail that of its belly. */
export function headingOf(pose: THREE.Matrix4): number {
  const ahead = new THREE.Vector3().setFromMatrixColumn(pose, 0);
  if (Math.hypot(ahead.x, ahead.y) < 1e-6) ahead.setFromMatrixColumn(pose, 2).negate();
  return Math.atan2(ahead.y, ahead.x);
}

/** An angle within half a turn of zero. */
const short = (angle: number) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** What the camera chases by choice: a body, or one with a camera of the scene. */
export function chased(): { body: number; camera: SceneCamera | null; key: string } | null {
  const mode = store.cameraMode.value;
  if (mode.kind === "chase") return { body: mode.body, camera: null, key: `body ${mode.body}` };
  const camera = mode.kind === "scene" ? store.scene.value?.cameras[mode.index] : undefined;
  if (mode.kind !== "scene" || camera?.mount !== "heading" || camera.body === null) return null;
  return { body: camera.body, camera, key: `camera ${mode.index}` };
}

export class Chase {
  private of: { key: string; heading: number; at: THREE.Vector3; time: number; now: number } | null = null;

  /** Lets go of the body. */
  end() {
    this.of = null;
  }

  /** Once a picture, at a time of the run and of the page [s]: moves the rig after a body of a size, `begin` looks from a place at another. */
  update(rig: Rig, { key, camera }: { key: string; camera: SceneCamera | null }, pose: THREE.Matrix4, size: number, [time, now]: [number, number], begin: (position: THREE.Vector3, target: THREE.Vector3) => void) {
    const heading = headingOf(pose);
    const at = new THREE.Vector3().setFromMatrixPosition(pose);
    const before = this.of;
    if (before?.key !== key) {
      const turned = (v: THREE.Vector3) => v.applyAxisAngle(new THREE.Vector3(0, 0, 1), heading).add(at);
      const away = AWAY * size;
      const position = camera ? new THREE.Vector3(...camera.position) : new THREE.Vector3(-away * Math.cos(ABOVE), 0, away * Math.sin(ABOVE));
      const target = camera ? new THREE.Vector3(...camera.target) : new THREE.Vector3();
      begin(turned(position), turned(target));
      this.of = { key, heading, at, time, now };
      return;
    }
    const jumps = time < before.time || time - before.time > GAP || at.distanceTo(before.at) > JUMP;
    const part = jumps ? 1 : 1 - Math.exp(-Math.max(0, now - before.now) / LAG);
    const turn = short(heading - before.heading) * part;
    // what the rig looks at keeps its place relative to the body
    rig.target.sub(before.at).applyAxisAngle(new THREE.Vector3(0, 0, 1), turn).add(at);
    rig.carry(turn);
    this.of = { key, heading: before.heading + turn, at, time, now };
  }
}
