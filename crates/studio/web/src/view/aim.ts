/** Where the eye is: at the rig, which may follow or chase a body, on a body, or where a camera of the scene is; and the eyes of the parallel views. */
import * as THREE from "three";
import * as store from "../store";
import type { SceneCamera } from "../protocol";
import type { BodiesView } from "./bodies";
import { Chase, chased } from "./chase";
import type { Rig } from "./rig";
import { FAR } from "./surroundings";

/** Angle of view of the rig [°]. */
export const FOV = 45;
/** Width per height of the pictures that cameras of scenes are written for. */
export const USUAL_ASPECT = 16 / 9;

export const parallel = () => new THREE.OrthographicCamera(-1, 1, 1, -1, -5000, 5000);

/** Looks at what the rig looks at along an axis of the world, in a picture so wide per height. */
export function aimParallel(camera: THREE.OrthographicCamera, rig: Rig, aspect: number, direction: [number, number, number], up: [number, number, number]) {
  const half = rig.distance * Math.tan(THREE.MathUtils.degToRad(FOV) / 2);
  camera.top = half;
  camera.bottom = -half;
  camera.left = -half * aspect;
  camera.right = half * aspect;
  camera.position.copy(rig.target).addScaledVector(new THREE.Vector3(...direction), 1000);
  camera.up.set(...up);
  camera.lookAt(rig.target);
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
}

export class Aims {
  private chase = new Chase();
  private followed: { body: number; last: THREE.Vector3 } | null = null;

  constructor(
    private rig: Rig,
    private at: THREE.PerspectiveCamera,
  ) {}

  /** Places the eye as chosen, by the bodies as they stand in this picture; before the first frame they are nowhere. Returns what the picture is about. */
  eye(bodies: BodiesView | null, aspect: number, isPlaced: boolean): THREE.Vector3 {
    const mode = store.cameraMode.value;
    let fov = FOV;
    if (mode.kind === "follow") this.follow(mode.body, bodies?.poses[mode.body]);
    else this.followed = null;
    const after = this.pursue(bodies, aspect, isPlaced);
    this.rig.advance(performance.now());
    this.rig.place(this.at);
    if (mode.kind === "mounted" && bodies) this.mount(bodies, mode.body);
    if (mode.kind === "scene" && !after) {
      const camera = store.scene.value?.cameras[mode.index];
      if (camera) fov = THREE.MathUtils.radToDeg(this.useSceneCamera(camera, bodies)) || FOV;
    }
    this.at.fov = fov;
    this.at.near = Math.max(0.01, this.rig.distance / 500);
    this.at.far = FAR;
    this.at.aspect = aspect;
    this.at.updateProjectionMatrix();
    this.at.updateMatrixWorld();
    return mode.kind === "mounted" || (mode.kind === "scene" && !after) ? this.at.position : this.rig.target;
  }

  /** Behind a body and with its heading, if that is chosen. */
  private pursue(bodies: BodiesView | null, aspect: number, isPlaced: boolean): boolean {
    const what = chased();
    const pose = what && bodies?.poses[what.body];
    if (!what || !pose || !isPlaced) {
      this.chase.end();
      return what !== null;
    }
    const size = sizeOf(bodies!, what.body) || 2;
    const begin = (position: THREE.Vector3, target: THREE.Vector3) => {
      const look = { position: position.toArray(), target: target.toArray(), up: [0, 0, 1] as [number, number, number], angle: what.camera?.angle ?? THREE.MathUtils.degToRad(FOV) };
      this.rig.lookAs(look, THREE.MathUtils.degToRad(FOV), aspect, USUAL_ASPECT);
    };
    this.chase.update(this.rig, what, pose, size, [store.newest.frame?.time ?? 0, performance.now() / 1000], begin);
    return true;
  }

  private follow(body: number, pose: THREE.Matrix4 | undefined) {
    if (!pose) return;
    const place = new THREE.Vector3().setFromMatrixPosition(pose);
    if (this.followed?.body === body) this.rig.target.add(place).sub(this.followed.last);
    else this.rig.target.copy(place);
    this.followed = { body, last: place };
  }

  /** On the body: the eye sits above its middle and looks along the direction it had to it when it was mounted. */
  private mount(bodies: BodiesView, body: number) {
    const pose = bodies.poses[body];
    if (!pose) return;
    const size = sizeOf(bodies, body) || 2;
    this.at.position.copy(new THREE.Vector3(-0.35 * size, 0, 0.45 * size + 0.3).applyMatrix4(pose));
    this.at.up.set(0, 0, 1).transformDirection(pose);
    const look = new THREE.Vector3(Math.cos(this.rig.elevation) * 2, 0, -Math.sin(this.rig.elevation)).transformDirection(pose);
    this.at.lookAt(this.at.position.clone().add(look));
  }

  /** Returns its angle of view [rad]. */
  private useSceneCamera(camera: SceneCamera, bodies: BodiesView | null): number {
    const pose = camera.body === null ? null : (bodies?.poses[camera.body] ?? null);
    const position = new THREE.Vector3(...camera.position);
    const target = new THREE.Vector3(...camera.target);
    this.at.up.set(...camera.up);
    if (pose && camera.mount === "on") {
      position.applyMatrix4(pose);
      this.at.up.transformDirection(pose);
    }
    if (pose && camera.mount !== "world") target.applyMatrix4(pose);
    this.at.position.copy(position);
    this.at.lookAt(target);
    return camera.angle;
  }
}

/** Diagonal of the box around a body [m]. */
function sizeOf(bodies: BodiesView, body: number): number {
  return bodies.boundsOf(body).getSize(new THREE.Vector3()).length();
}
