/** Forces as arrows, their length by the logarithm of the force so that small ones are seen beside great ones. */
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { CONTACT_FLOATS } from "../protocol";

/** Most arrows drawn. */
const MOST = 2000;

export class ForceArrows {
  readonly mesh: THREE.InstancedMesh;

  constructor(color = 0xf59e0b) {
    const shaft = new THREE.CylinderGeometry(0.025, 0.025, 0.75, 8).translate(0, 0.375, 0);
    const head = new THREE.ConeGeometry(0.075, 0.25, 12).translate(0, 0.875, 0);
    this.mesh = new THREE.InstancedMesh(mergeGeometries([shaft, head]), new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true, opacity: 0.9 }), MOST);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.mesh.count = 0;
  }

  update(contacts: Float32Array, size: number) {
    const count = Math.min(MOST, contacts.length / CONTACT_FLOATS);
    const up = new THREE.Vector3(0, 1, 0);
    const matrix = new THREE.Matrix4();
    const turn = new THREE.Quaternion();
    const at = new THREE.Vector3();
    const force = new THREE.Vector3();
    for (let i = 0; i < count; i++) {
      at.fromArray(contacts, i * CONTACT_FLOATS);
      force.fromArray(contacts, i * CONTACT_FLOATS + 3);
      const newtons = force.length();
      turn.setFromUnitVectors(up, newtons > 0 ? force.divideScalar(newtons) : up);
      const length = size * 0.012 * (1 + Math.log10(1 + newtons));
      this.mesh.setMatrixAt(i, matrix.compose(at, turn, force.setScalar(length)));
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}
