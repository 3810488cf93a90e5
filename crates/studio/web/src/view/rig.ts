/** The person's eye: an orbit about a target with z up, shared by the perspective view and the three parallel ones. */
import * as THREE from "three";

/** Steepest look down or up: straight would leave no direction for up. */
const STEEPEST = Math.PI / 2 - 0.01;

export class Rig {
  readonly target = new THREE.Vector3();
  azimuth = -1.0;
  elevation = 0.35;
  distance = 30;

  orbit(dx: number, dy: number) {
    this.azimuth -= dx;
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, this.elevation + dy));
  }

  /** Zooms by a factor; keeps the given place where it is on the screen. */
  zoom(factor: number, keep?: THREE.Vector3) {
    const next = Math.min(5000, Math.max(0.05, this.distance * factor));
    if (keep) this.target.lerp(keep, 1 - next / this.distance);
    this.distance = next;
  }

  /** Moves sideways along the axes of the given camera. */
  pan(right: number, up: number, camera: THREE.Camera) {
    const x = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const y = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    this.target.addScaledVector(x, right).addScaledVector(y, up);
  }

  /** Looks at all of a box from the present direction; `room` is the part of the picture left free of panels. */
  frame(box: THREE.Box3, fov: number, aspect: number, room = 1) {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    this.target.copy(sphere.center);
    const half = Math.min(fov / 2, Math.atan(Math.tan(fov / 2) * aspect)) * room;
    this.distance = Math.max(0.2, sphere.radius / Math.sin(half));
  }

  place(camera: THREE.PerspectiveCamera) {
    const flat = Math.cos(this.elevation) * this.distance;
    camera.position.set(
      this.target.x + flat * Math.cos(this.azimuth),
      this.target.y + flat * Math.sin(this.azimuth),
      this.target.z + this.distance * Math.sin(this.elevation),
    );
    camera.up.set(0, 0, 1);
    camera.lookAt(this.target);
  }

  /** Place and direction as six numbers, for links. */
  toNumbers(): number[] {
    return [this.target.x, this.target.y, this.target.z, this.azimuth, this.elevation, this.distance];
  }

  fromNumbers(n: number[]) {
    if (n.length !== 6 || n.some((v) => !Number.isFinite(v))) return;
    this.target.set(n[0]!, n[1]!, n[2]!);
    this.azimuth = n[3]!;
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, n[4]!));
    this.distance = Math.max(0.05, n[5]!);
  }
}
