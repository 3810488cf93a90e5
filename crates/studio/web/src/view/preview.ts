/** What the tool in hand is about to do: a dot where a click would be, lines between the places picked. */
import * as THREE from "three";
import * as store from "../store";
import { anchorAt, pickedPlaces } from "../build/tools";
import { ringAt } from "../build/brush";
import type { Viewport } from "./viewport";

/** Most places drawn of a cable. */
const MOST = 256;
/** Size of the dot in parts of its distance from the eye. */
const DOT = 0.008;

export class Preview {
  readonly group = new THREE.Group();
  private dot = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: 0x14b8a6, depthTest: false, transparent: true, opacity: 0.95 }));
  private line: THREE.Line<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  private pointer: { x: number; y: number; fine: boolean } | null = null;

  constructor(private stage: Viewport) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(MOST * 3), 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: 0x14b8a6, depthTest: false, transparent: true }));
    this.line.frustumCulled = false;
    this.dot.renderOrder = this.line.renderOrder = 7;
    this.group.add(this.dot, this.line);
    this.group.visible = false;
  }

  /** The pointer is here; null when it left. */
  at(pointer: { x: number; y: number; fine: boolean } | null) {
    this.pointer = pointer;
  }

  update() {
    const picked = pickedPlaces();
    this.group.visible = store.building.value && store.tool.value.kind !== "select" && (this.pointer !== null || picked.length > 0);
    if (!this.group.visible) return;
    const tool = store.tool.value;
    this.dot.visible = tool.kind !== "brush";
    if (tool.kind === "brush") {
      const ring = this.pointer && ringAt(this.stage, this.pointer.x, this.pointer.y, tool.radius);
      this.lineThrough(ring ?? []);
      return;
    }
    const here = this.pointer ? anchorAt(this.stage, this.pointer.x, this.pointer.y, this.pointer.fine) : picked[picked.length - 1]!;
    this.dot.position.set(...here.at);
    this.dot.scale.setScalar(DOT * Math.max(0.2, this.stage.eye.position.distanceTo(this.dot.position)));
    this.lineThrough([...picked.slice(0, MOST - 1), here].map((place) => new THREE.Vector3(...place.at)));
  }

  private lineThrough(places: THREE.Vector3[]) {
    const attribute = this.line.geometry.getAttribute("position") as THREE.BufferAttribute;
    places.forEach((place, i) => attribute.setXYZ(i, place.x, place.y, place.z));
    attribute.needsUpdate = true;
    this.line.geometry.setDrawRange(0, places.length > 1 ? places.length : 0);
  }
}
