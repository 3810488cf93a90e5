/** The person's eye: an orbit about a target with z up, shared by the perspective view and the three parallel ones. */
import * as THREE from "three";
import type { Vec3 } from "../protocol";

/** Steepest look, straight down or up. */
const STEEPEST = Math.PI / 2;
/** Nearest that something is framed from [m]. */
const NEAREST = 0.2;

export class Rig {
  readonly target = new THREE.Vector3();
  azimuth = -1.0;
  elevation = 0.35;
  distance = 30;

  /** A turn on its way: from, to, begin and end [ms]. */
  private turn: { from: [number, number]; to: [number, number]; begin: number; end: number } | null = null;

  /** Turns about the target, the short way round, within some time. */
  turnTo(azimuth: number, elevation: number, now: number, ms: number) {
    const round = 2 * Math.PI;
    const near = azimuth + Math.round((this.azimuth - azimuth) / round) * round;
    this.turn = { from: [this.azimuth, this.elevation], to: [near, elevation], begin: now, end: now + ms };
    this.advance(now);
  }

  /** Once a picture: a turn goes on. */
  advance(now: number) {
    if (!this.turn) return;
    const { from, to, begin, end } = this.turn;
    const u = end > begin ? Math.min(1, (now - begin) / (end - begin)) : 1;
    const eased = u * u * (3 - 2 * u);
    [this.azimuth, this.elevation] = [0, 1].map((i) => from[i]! + (to[i]! - from[i]!) * eased) as [number, number];
    if (u >= 1) this.turn = null;
  }

  /** Turns with what is followed, also while a turn is on its way. */
  carry(angle: number) {
    this.azimuth += angle;
    if (this.turn) for (const ends of [this.turn.from, this.turn.to]) ends[0] += angle;
  }

  orbit(dx: number, dy: number) {
    this.turn = null;
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

  /** Looks at all of a box from the present direction; `room` is the part of the picture's width and height it may fill. */
  frame(box: THREE.Box3, fov: number, aspect: number, room: number) {
    if (box.isEmpty()) return;
    box.getCenter(this.target);
    const toEye = this.outward(new THREE.Vector3());
    const up = this.upward(new THREE.Vector3());
    const right = up.clone().cross(toEye);
    const high = Math.tan(fov / 2) * room;
    // each corner asks for a distance: what it is off the axis by the slope it may have, and what it stands nearer to the eye
    this.distance = NEAREST;
    const corner = new THREE.Vector3();
    for (let i = 0; i < 8; i++) {
      corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(this.target);
      const off = Math.max(Math.abs(corner.dot(up)) / high, Math.abs(corner.dot(right)) / (high * aspect));
      this.distance = Math.max(this.distance, corner.dot(toEye) + off);
    }
  }

  /**
   * Looks as a camera does: what is as far as its target fills the same part of the picture's height, or, in a picture narrower
   * than `usual`, of its width. False if the camera is tilted or looks straight up or down, which this eye never does.
   */
  lookAs(camera: { position: Vec3; target: Vec3; up: Vec3; angle: number }, fov: number, aspect: number, usual: number): boolean {
    const way = new THREE.Vector3(...camera.position).sub(this.target.set(...camera.target));
    const length = way.length();
    const across = way.clone().cross(new THREE.Vector3(...camera.up));
    const isLevel = Math.abs(across.z) <= 1e-6 * across.length();
    if (!isLevel || !(Math.hypot(way.x, way.y) > 1e-3 * length)) return false;
    this.azimuth = Math.atan2(way.y, way.x);
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, Math.asin(way.z / length)));
    this.distance = Math.max(NEAREST, (length * Math.tan(camera.angle / 2) * Math.max(1, usual / aspect)) / Math.tan(fov / 2));
    return true;
  }

  /** Draws back and looks lower, so that what was in the picture leaves that part of its height free at the foot. */
  freeFoot(part: number, fov: number) {
    this.distance /= 1 - part;
    this.target.addScaledVector(this.upward(new THREE.Vector3()), -part * this.distance * Math.tan(fov / 2));
  }

  /** From the target to the eye, of length 1. */
  private outward(out: THREE.Vector3): THREE.Vector3 {
    const flat = Math.cos(this.elevation);
    return out.set(flat * Math.cos(this.azimuth), flat * Math.sin(this.azimuth), Math.sin(this.elevation));
  }

  /** Up in the picture, square to the look; straight down or up it is away from the azimuth, or toward it. */
  private upward(out: THREE.Vector3): THREE.Vector3 {
    const steep = Math.sin(this.elevation);
    return out.set(-steep * Math.cos(this.azimuth), -steep * Math.sin(this.azimuth), Math.cos(this.elevation));
  }

  place(camera: THREE.PerspectiveCamera) {
    camera.position.copy(this.target).addScaledVector(this.outward(new THREE.Vector3()), this.distance);
    this.upward(camera.up);
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
