/** Overlays at bodies and contacts: contact points, body frames, centres of mass, inertia ellipsoids, velocities. */
import * as THREE from "three";
import * as overlays from "../overlays";
import { ARROW_FLOATS, MOTION_FLOATS, type Frame, type Scene } from "../protocol";
import { Arrows } from "./arrows";
import { ellipsoid } from "./ellipsoid";

/** Size of dots in parts of their distance from the eye, and of axes in parts of the scene. */
const DOT = 0.0045;
const AXIS = 0.05;
/** Colours of x, y and z, bright enough for both themes. */
const AXES = [0xef4444, 0x22c55e, 0x3b82f6].map((color) => new THREE.Color(color));
/** Most contact points drawn. */
const MOST = 4096;
const [POINT, CENTER, INERTIA, VELOCITY] = [0xf59e0b, 0xfacc15, 0x8b5cf6, 0x22c55e];

export class OverlaysView {
  readonly group = new THREE.Group();
  private points = dots(POINT, MOST);
  private centers: THREE.InstancedMesh | null = null;
  private solids: THREE.InstancedMesh | null = null;
  private frames = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
  private velocities = new Arrows(VELOCITY, 0.02);
  private spins = new Arrows(VELOCITY, 0.02, true);
  /** Indices of the dynamic bodies, their centres and ellipsoids in their axes. */
  private masses: { body: number; center: THREE.Vector3; solid: THREE.Matrix4 | null }[] = [];
  private scene: Scene | null = null;

  constructor() {
    this.frames.frustumCulled = false;
    this.frames.renderOrder = 5;
    this.group.add(this.points, this.frames, this.velocities.mesh, this.spins.mesh);
  }

  /** What is drawn, for tests. */
  get counts(): Record<string, number> {
    const of = (mesh: THREE.InstancedMesh | null) => (mesh?.visible ? mesh.count : 0);
    const axes = this.frames.visible ? (this.frames.geometry.getAttribute("position")?.count ?? 0) / 6 : 0;
    return { points: of(this.points), centers: of(this.centers), inertia: of(this.solids), velocities: of(this.velocities.mesh), spins: of(this.spins.mesh), frames: axes };
  }

  private load(scene: Scene) {
    this.scene = scene;
    this.masses = scene.bodies.flatMap((b, body) => (b.center && b.inertia ? [{ body, center: new THREE.Vector3(...b.center), solid: ellipsoid(b.mass, b.inertia, b.center) }] : []));
    for (const mesh of [this.centers, this.solids]) {
      mesh?.removeFromParent();
      mesh?.geometry.dispose();
      (mesh?.material as THREE.Material | undefined)?.dispose();
      mesh?.dispose();
    }
    this.centers = dots(CENTER, Math.max(1, this.masses.length));
    const skin = new THREE.MeshBasicMaterial({ color: INERTIA, transparent: true, opacity: 0.35, depthWrite: false });
    this.solids = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 20, 14), skin, Math.max(1, this.masses.length));
    this.solids.frustumCulled = false;
    this.solids.renderOrder = 4;
    this.group.add(this.centers, this.solids);
  }

  update(frame: Frame, scene: Scene, poses: THREE.Matrix4[], size: number, eye: THREE.Vector3) {
    if (scene !== this.scene) this.load(scene);
    const [centers, solids] = [this.centers!, this.solids!];
    this.points.visible = overlays.showPoints.value;
    if (this.points.visible) this.dotContacts(frame.contacts, eye);
    centers.visible = overlays.showCenters.value;
    if (centers.visible) place(centers, this.masses.map(({ body, center }) => at(center.clone().applyMatrix4(poses[body]!), eye)));
    solids.visible = overlays.showInertia.value;
    if (solids.visible) place(solids, this.masses.flatMap(({ body, solid }) => (solid ? [poses[body]!.clone().multiply(solid)] : [])));
    this.frames.visible = overlays.showFrames.value;
    if (this.frames.visible) this.drawFrames(poses, size * AXIS);
    const { motion } = frame;
    this.velocities.mesh.visible = this.spins.mesh.visible = overlays.showVelocities.value && !!motion;
    if (motion && overlays.showVelocities.value) {
      this.velocities.update(this.arrows(motion, 0, poses), size);
      this.spins.update(this.arrows(motion, 3, poses), size);
    }
  }

  private dotContacts(contacts: Float32Array, eye: THREE.Vector3) {
    const count = Math.min(MOST, contacts.length / ARROW_FLOATS);
    place(this.points, Array.from({ length: count }, (_, i) => at(new THREE.Vector3().fromArray(contacts, i * ARROW_FLOATS), eye)));
  }

  /** Three lines for each body: x red, y green, z blue. */
  private drawFrames(poses: THREE.Matrix4[], length: number) {
    if (this.frames.geometry.getAttribute("position")?.count !== poses.length * 6) this.makeFrames(poses.length);
    const positions = this.frames.geometry.getAttribute("position") as THREE.BufferAttribute;
    poses.forEach((pose, i) => {
      const origin = new THREE.Vector3().setFromMatrixPosition(pose);
      for (let k = 0; k < 3; k++) {
        const tip = new THREE.Vector3().setFromMatrixColumn(pose, k).multiplyScalar(length).add(origin);
        positions.setXYZ(i * 6 + k * 2, ...origin.toArray());
        positions.setXYZ(i * 6 + k * 2 + 1, ...tip.toArray());
      }
    });
    positions.needsUpdate = true;
  }

  /** Room for the frames of so many bodies, with their colours. */
  private makeFrames(count: number) {
    const colors = Array.from({ length: count }, () => AXES.flatMap((color) => [...color.toArray(), ...color.toArray()])).flat();
    this.frames.geometry.dispose();
    this.frames.geometry = new THREE.BufferGeometry();
    this.frames.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(count * 18), 3));
    this.frames.geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
  }

  /** Arrows at the centres of mass of what moves. */
  private arrows(motion: Float32Array, from: number, poses: THREE.Matrix4[]): Float32Array {
    const out: number[] = [];
    for (const { body, center } of this.masses) {
      const o = body * MOTION_FLOATS + from;
      const vector = [motion[o] ?? 0, motion[o + 1] ?? 0, motion[o + 2] ?? 0];
      if (Math.hypot(...vector) > 1e-3) out.push(...center.clone().applyMatrix4(poses[body]!).toArray(), ...vector);
    }
    return new Float32Array(out);
  }
}

function dots(color: number, most: number): THREE.InstancedMesh {
  const mesh = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 10, 8), new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true }), most);
  mesh.frustumCulled = false;
  mesh.renderOrder = 6;
  mesh.count = 0;
  return mesh;
}

/** A dot that looks the same size from anywhere. */
function at(point: THREE.Vector3, eye: THREE.Vector3): THREE.Matrix4 {
  const size = DOT * point.distanceTo(eye);
  return new THREE.Matrix4().makeScale(size, size, size).setPosition(point);
}

function place(mesh: THREE.InstancedMesh, matrices: THREE.Matrix4[]) {
  matrices.forEach((matrix, i) => mesh.setMatrixAt(i, matrix));
  mesh.count = matrices.length;
  mesh.instanceMatrix.needsUpdate = true;
}
