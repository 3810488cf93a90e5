/** Two hands in a headset: each controller points with a ray, its trigger takes the body it points at, and the body follows the ray's end. */
import * as THREE from "three";
import { send } from "../link";
import type { Hand, Vec3 } from "../protocol";
import * as store from "../store";
import type { Viewport } from "./viewport";

/** Length of a ray that points at nothing [m]. */
const REACH = 8;
/** Time between two places that are told of a hand [ms]: both together stay within what the server reads. */
const PAUSE = 1000 / 60;

interface Pointing {
  controller: THREE.XRTargetRaySpace;
  ray: THREE.Line;
  /** How far out it holds something [m]; null while it is open. */
  holds: number | null;
  told: number;
}

export class Headset {
  private hands: Pointing[];

  constructor(
    private stage: Viewport,
    renderer: THREE.WebGLRenderer,
    private world: THREE.Object3D,
  ) {
    this.hands = ([0, 1] as Hand[]).map((hand) => {
      const controller = renderer.xr.getController(hand);
      const ray = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]), new THREE.LineBasicMaterial({ color: 0x14b8a6 }));
      ray.scale.z = REACH;
      ray.frustumCulled = false;
      controller.add(ray);
      for (const begin of ["selectstart", "squeezestart"] as const) controller.addEventListener(begin, () => this.take(hand));
      for (const end of ["selectend", "squeezeend", "disconnected"] as const) controller.addEventListener(end, () => this.letGo(hand));
      return { controller, ray, holds: null, told: 0 };
    });
  }

  /** What must be drawn: nothing of it belongs to the world, which is turned. */
  get groups(): THREE.Object3D[] {
    return this.hands.map((h) => h.controller);
  }

  private raycaster(hand: Hand): THREE.Raycaster {
    const { matrixWorld } = this.hands[hand]!.controller;
    const ray = new THREE.Raycaster();
    ray.ray.origin.setFromMatrixPosition(matrixWorld);
    ray.ray.direction.set(0, 0, -1).transformDirection(matrixWorld);
    return ray;
  }

  /** A point of the room in the axes of the simulated world, whose z is up. */
  private inWorld(point: THREE.Vector3): THREE.Vector3 {
    return this.world.worldToLocal(point.clone());
  }

  private take(hand: Hand) {
    const scene = store.scene.value;
    if (!scene || !store.mayDrive.value || store.status.value?.live === false) return;
    const ray = this.raycaster(hand);
    const hit = this.stage.bodies?.pick(ray);
    const body = hit && scene.bodies[hit.body];
    if (!hit || !body || body.kind !== "dynamic") return;
    const to = this.inWorld(hit.point);
    const at = to.clone().applyMatrix4(this.stage.bodies!.poses[hit.body]!.clone().invert());
    this.hands[hand]!.holds = ray.ray.origin.distanceTo(hit.point);
    this.stage.bands[hand] = { from: { body: hit.body, at }, to };
    send({ do: "grab", hand, body: body.id, at: at.toArray() as Vec3, to: to.toArray() as Vec3 });
  }

  private letGo(hand: Hand) {
    if (this.hands[hand]!.holds === null) return;
    this.hands[hand]!.holds = null;
    this.stage.bands[hand] = null;
    send({ do: "release", hand });
  }

  /** Once a picture: what is held goes where the ray ends. */
  update(now: number) {
    this.hands.forEach((pointing, i) => {
      const band = this.stage.bands[i];
      pointing.ray.scale.z = pointing.holds ?? REACH;
      if (pointing.holds === null || !band || now - pointing.told < PAUSE) return;
      pointing.told = now;
      const ray = this.raycaster(i as Hand);
      band.to.copy(this.inWorld(ray.ray.at(pointing.holds, new THREE.Vector3())));
      send({ do: "drag", hand: i as Hand, to: band.to.toArray() as Vec3 });
    });
  }

  /** The headset is taken off: both hands open. */
  end() {
    this.letGo(0);
    this.letGo(1);
  }
}
