/** Handles that move, turn and scale the selected bodies, in whichever view they are taken; one edit when they are let go. */
import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import * as store from "../store";
import { FINE_GRID, FINE_TURN_STEP, GRID, TURN_STEP } from "../build/numbers";
import { moved, scalable, scaled, type Move } from "../build/placing";
import { movableNames } from "../build/selection";
import { edit } from "../build/edit";
import { entryOf } from "../build/make";
import type { Viewport } from "./viewport";
import type { Vec3 } from "../protocol";

/** What three's handles take for a pointer: its place in the view from −1 to 1. */
interface Pointer {
  x: number;
  y: number;
  button: number;
}
type Handles = TransformControls & { pointerHover(p: Pointer): void; pointerDown(p: Pointer): void; pointerMove(p: Pointer): void; pointerUp(p: Pointer): void };

/** A winch is moved, and neither turned nor scaled: its axis and radius are fields. */
function isWinch(name: string | undefined): boolean {
  return name !== undefined && !!entryOf(store.scene.value?.tree, "winches", name);
}

export class Gizmo {
  readonly helper: THREE.Object3D;
  private handles: Handles;
  /** Stands for the selection; the handles move it. */
  private proxy = new THREE.Object3D();
  private start: { names: string[]; poses: THREE.Matrix4[]; proxy: THREE.Matrix4 } | null = null;
  private fine = false;

  constructor(private stage: Viewport) {
    this.handles = new TransformControls(stage.eye) as Handles;
    this.handles.setSize(0.85);
    this.helper = this.handles.getHelper();
    this.helper.visible = false;
  }

  /** The object the handles hold must be part of what is drawn. */
  get anchor(): THREE.Object3D {
    return this.proxy;
  }

  get dragging(): boolean {
    return this.start !== null;
  }

  get active(): boolean {
    return this.helper.visible;
  }

  /** Before each view is drawn: size and facing of the handles are the view's own. */
  face(camera: THREE.Camera) {
    this.handles.camera = camera;
  }

  /** Once a picture: follows the selection, or hides. */
  update() {
    if (this.dragging) return this.preview();
    const names = store.building.value && store.editing.value && store.tool.value.kind === "select" && store.mayDrive.value ? movableNames() : [];
    const poses = this.stage.bodies ? names.map((n) => this.poseOf(n)).filter((p) => !!p) : [];
    const mode = store.gizmoMode.value;
    const fits = mode === "translate" || (!isWinch(names[0]) && (mode !== "scale" || (names.length === 1 && this.canScale(names[0]!))));
    if (poses.length === 0 || !fits) {
      this.handles.detach();
      this.helper.visible = false;
      return;
    }
    const middle = new THREE.Vector3();
    for (const pose of poses) middle.add(new THREE.Vector3().setFromMatrixPosition(pose));
    this.proxy.position.copy(middle.divideScalar(poses.length));
    this.proxy.quaternion.identity();
    if (poses.length === 1) this.proxy.quaternion.setFromRotationMatrix(poses[0]!);
    this.proxy.scale.set(1, 1, 1);
    this.handles.setMode(mode);
    this.handles.setSpace(mode === "translate" ? "world" : "local");
    if (this.handles.object !== this.proxy) this.handles.attach(this.proxy);
    this.helper.visible = true;
  }

  private poseOf(name: string): THREE.Matrix4 | undefined {
    const at = store.scene.value?.bodies.findIndex((b) => b.name === name) ?? -1;
    return this.stage.bodies?.poses[at];
  }

  private canScale(name: string): boolean {
    const scene = store.scene.value;
    const body = scene?.bodies.find((b) => b.name === name);
    return !!body && scalable(body, scene!.tree);
  }

  private at(x: number, y: number, button: number): Pointer {
    const { pane, at } = this.stage.paneAt(x, y);
    if (!this.dragging) this.handles.camera = pane.camera;
    return { x: at.x, y: at.y, button };
  }

  private snaps(fine: boolean) {
    this.fine = fine;
    const on = store.snapping.value;
    this.handles.setTranslationSnap(on ? (fine ? FINE_GRID : GRID) : null);
    this.handles.setRotationSnap(on ? THREE.MathUtils.degToRad(fine ? FINE_TURN_STEP : TURN_STEP) : null);
  }

  /** Lights the handle under the pointer; true if there is one. */
  hover(x: number, y: number): boolean {
    if (!this.active) return false;
    this.helper.updateMatrixWorld(true);
    this.handles.pointerHover(this.at(x, y, -1));
    return this.handles.axis !== null;
  }

  /** Takes the handle under the pointer; false if there is none. */
  grab(x: number, y: number, fine: boolean): boolean {
    if (!this.hover(x, y)) return false;
    this.snaps(fine);
    const names = movableNames();
    this.proxy.updateMatrixWorld(true);
    this.start = { names, poses: names.map((n) => this.poseOf(n)!.clone()), proxy: this.proxy.matrixWorld.clone() };
    this.handles.pointerDown({ ...this.at(x, y, 0) });
    return true;
  }

  drag(x: number, y: number, fine: boolean) {
    this.snaps(fine);
    this.handles.pointerMove(this.at(x, y, -1));
  }

  /** Where each body is now that the handles moved. */
  private ends(): Move[] {
    if (!this.start) return [];
    this.proxy.updateMatrixWorld(true);
    const way = this.proxy.matrixWorld.clone().multiply(this.start.proxy.clone().invert());
    return this.start.names.map((name, i) => ({ name, before: this.start!.poses[i]!, after: way.clone().multiply(this.start!.poses[i]!) }));
  }

  private preview() {
    const bodies = store.scene.value?.bodies ?? [];
    this.stage.bodies?.override(new Map(this.ends().map((m) => [bodies.findIndex((b) => b.name === m.name), m.after])));
  }

  /** Lets go: what changed goes to the server as one edit. */
  drop() {
    if (!this.start) return;
    const ends = this.ends();
    const factor = this.proxy.scale.toArray() as Vec3;
    const mode = store.gizmoMode.value;
    this.handles.pointerUp({ x: 0, y: 0, button: 0 });
    this.start = null;
    const scene = store.scene.value;
    const changed = ends.some((m) => m.after.elements.some((v, i) => Math.abs(v - m.before.elements[i]!) > 1e-7));
    if (!scene || !changed) return this.release();
    const what = ends.length === 1 ? ends[0]!.name : `${ends.length} bodies`;
    if (mode === "scale") {
      const body = scene.bodies.find((b) => b.name === ends[0]!.name)!;
      edit(`Scale ${what}`, scaled(scene.tree, body, factor, store.snapping.value ? (this.fine ? 0.001 : 0.01) : 0));
    } else edit(`${mode === "rotate" ? "Turn" : "Move"} ${what}`, moved(scene.tree, ends));
    // the new scene brings the new places; if it is refused, the old ones come back
    setTimeout(() => this.release(), 1500);
  }

  /** Gives up what was dragged. */
  cancel() {
    if (!this.start) return;
    this.handles.pointerUp({ x: 0, y: 0, button: 0 });
    this.start = null;
    this.release();
  }

  private release() {
    if (!this.dragging) this.stage.bodies?.override(new Map());
  }
}
