/** Turns of the eye that the mouse, the keys and the view cube share. */
import * as store from "../store";
import { chased } from "./chase";
import type { Viewport } from "./viewport";

/** Time of a turn to a face of the view cube [ms]. */
const TURN = 250;

/** Turns the eye about its target; a fixed camera of the scene is taken along from where it stood. */
export function orbit(stage: Viewport, dx: number, dy: number) {
  const { rig, eye } = stage;
  if (store.cameraMode.value.kind === "scene" && !chased()) {
    const from = eye.position.clone().sub(rig.target);
    rig.distance = from.length();
    rig.azimuth = Math.atan2(from.y, from.x);
    rig.elevation = Math.asin(from.z / (from.length() || 1));
    store.cameraMode.value = { kind: "orbit" };
  }
  rig.orbit(dx, dy);
}

/** Looks at the target from that azimuth and elevation [rad]. */
export function lookFrom(stage: Viewport, azimuth: number, elevation: number) {
  if (store.cameraMode.value.kind !== "follow" && !chased()) store.cameraMode.value = { kind: "orbit" };
  const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  stage.rig.turnTo(azimuth, elevation, performance.now(), calm ? 0 : TURN);
}
