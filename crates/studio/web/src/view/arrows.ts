/** Forces and torques as arrows, their length by the logarithm of their size so that small ones are seen beside great ones. */
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { ARROW_FLOATS, type Frame, type Joint } from "../protocol";
import * as store from "../store";
import { AxesView } from "./assembly";

/** Most arrows drawn. */
const MOST = 2000;
const CONTACT = 0xf59e0b;
const APPLIED = 0x8b5cf6;
/** Length of an arrow of 1 N beside its first decade, in sizes of the scene: contacts are many, applied forces few. */
const SHORT = 0.012;
const LONG = 0.035;

export class Arrows {
  readonly mesh: THREE.InstancedMesh;

  /** A torque has two heads, one behind the other. */
  constructor(
    color: number,
    private unit: number,
    torque = false,
  ) {
    const shaft = new THREE.CylinderGeometry(0.025, 0.025, 0.75, 8).translate(0, 0.375, 0);
    const head = () => new THREE.ConeGeometry(0.075, 0.25, 12);
    const parts = [shaft, head().translate(0, 0.875, 0), ...(torque ? [head().translate(0, 0.62, 0)] : [])];
    this.mesh = new THREE.InstancedMesh(mergeGeometries(parts), new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9 }), MOST);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.mesh.count = 0;
  }

  /** Shows arrows of a scene of a size: point and vector of each. */
  update(arrows: Float32Array, size: number) {
    const count = Math.min(MOST, arrows.length / ARROW_FLOATS);
    const up = new THREE.Vector3(0, 1, 0);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const at = new THREE.Vector3();
    const force = new THREE.Vector3();
    for (let i = 0; i < count; i++) {
      at.fromArray(arrows, i * ARROW_FLOATS);
      force.fromArray(arrows, i * ARROW_FLOATS + 3);
      const newtons = force.length();
      turn.setFromUnitVectors(up, newtons > 0 ? force.divideScalar(newtons) : up);
      const length = size * this.unit * (1 + Math.log10(1 + newtons));
      this.mesh.setMatrixAt(i, matrix.compose(at, turn, force.setScalar(length)));
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
    this.mesh.dispose();
  }
}

/** What acts in a run: contacts, applied and spring forces, torques, and the axes of joints. */
export class ForcesView {
  readonly group = new THREE.Group();
  private contacts = new Arrows(CONTACT, SHORT);
  private pushes = new Arrows(APPLIED, LONG);
  private torques = new Arrows(APPLIED, LONG, true);
  private axes = new AxesView();

  constructor() {
    this.group.add(this.contacts.mesh, this.pushes.mesh, this.torques.mesh, this.axes.lines);
  }

  update(frame: Frame, joints: Joint[], poses: THREE.Matrix4[], size: number) {
    this.contacts.mesh.visible = store.showContacts.value;
    if (store.showContacts.value) this.contacts.update(frame.contacts, size);
    this.axes.lines.visible = this.pushes.mesh.visible = this.torques.mesh.visible = store.showAxes.value;
    if (!store.showAxes.value) return;
    this.axes.update(joints, poses, size);
    this.pushes.update(frame.pushes, size);
    this.torques.update(frame.torques, size);
  }

  dispose() {
    for (const part of [this.contacts, this.pushes, this.torques, this.axes]) part.dispose();
    this.group.removeFromParent();
  }
}
