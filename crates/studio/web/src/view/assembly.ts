/** The clearance of the part as a line between the two nearest points, its contacts as dots, and the axes of joints. */
import * as THREE from "three";
import type { Clearance, Joint, Vec3 } from "../protocol";

/** Size of a dot in parts of its distance from the eye. */
const DOT = 0.005;
const CLEAR = 0x22c55e;
const TOUCHES = 0xef4444;
/** Most contacts drawn: as many as the server reports. */
const MOST_CONTACTS = 32;

export class ClearanceView {
  readonly group = new THREE.Group();
  private material = new THREE.MeshBasicMaterial({ color: CLEAR, depthTest: false, transparent: true, opacity: 0.95 });
  private dots = [0, 1].map(() => new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), this.material));
  private bar = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), this.material);

  private contacts = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: TOUCHES, depthTest: false, transparent: true, opacity: 0.95 }), MOST_CONTACTS);

  constructor() {
    for (const mesh of [...this.dots, this.bar, this.contacts]) {
      mesh.renderOrder = 6;
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.contacts.count = 0;
    this.group.visible = false;
  }

  update(clearance: Clearance | null, contacts: Vec3[], eye: THREE.Vector3) {
    this.group.visible = clearance !== null || contacts.length > 0;
    this.mark(contacts, eye);
    for (const mesh of [...this.dots, this.bar]) mesh.visible = clearance !== null;
    if (!clearance) return;
    this.material.color.set(contacts.length > 0 ? TOUCHES : CLEAR);
    const [from, to] = clearance.points.map((p) => new THREE.Vector3(...p)) as [THREE.Vector3, THREE.Vector3];
    [from, to].forEach((place, k) => {
      this.dots[k]!.position.copy(place);
      this.dots[k]!.scale.setScalar(DOT * place.distanceTo(eye));
    });
    const way = to.clone().sub(from);
    const length = way.length();
    this.bar.visible = length > 1e-9;
    if (!this.bar.visible) return;
    const thick = 0.3 * DOT * from.distanceTo(eye);
    this.bar.position.copy(from);
    this.bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.divideScalar(length));
    this.bar.scale.set(thick, length, thick);
  }

  /** Dots where the part is in contact. */
  private mark(points: Vec3[], eye: THREE.Vector3) {
    const place = new THREE.Vector3();
    this.contacts.count = Math.min(points.length, MOST_CONTACTS);
    for (let i = 0; i < this.contacts.count; i++) {
      place.set(...points[i]!);
      const size = 2 * DOT * place.distanceTo(eye);
      this.contacts.setMatrixAt(i, new THREE.Matrix4().makeScale(size, size, size).setPosition(place));
    }
    this.contacts.instanceMatrix.needsUpdate = true;
  }
}

export class AxesView {
  readonly lines = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x8b5cf6, depthTest: false, transparent: true, opacity: 0.95 }));

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 5;
    this.lines.visible = false;
  }

  /** Lines along the axes; a small cross where a joint has none. */
  update(joints: Joint[], poses: THREE.Matrix4[], size: number) {
    const ends: number[] = [];
    const add = (middle: THREE.Vector3, way: THREE.Vector3) => ends.push(...middle.clone().sub(way).toArray(), ...middle.clone().add(way).toArray());
    for (const joint of joints) {
      const pose = poses[joint.bodies[0] ?? -1];
      if (!pose || !joint.at) continue;
      const middle = new THREE.Vector3(...joint.at).applyMatrix4(pose);
      if (joint.axis) add(middle, new THREE.Vector3(...joint.axis).transformDirection(pose).multiplyScalar(0.04 * size));
      else for (const way of [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)]) add(middle, way.multiplyScalar(0.006 * size));
    }
    this.lines.geometry.dispose();
    this.lines.geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
  }

  dispose() {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
