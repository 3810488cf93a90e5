/** Handles that move, turn and scale the selected bodies, in whichever view they are taken; one edit when they are let go. */
import * as THREE from "three";
import { TransformControls } from "three/examples/jsm/controls/TransformControls.js";
import * as store from "../store";
import { gridStep, turnStep } from "../build/numbers";
import { moved, scalable, scaled, type Move } from "../build/placing";
import { movableNames } from "../build/selection";
import { edit } from "../build/edit";
import { limited, onGrid, rotation, scaling, translation, typedOn, typedValue, type Grip } from "./handle";
import type { Pane, Viewport } from "./viewport";
import { entryOf } from "../build/make";
import type { Vec3 } from "../protocol";

/** What three's handles take for a pointer: its place in the view from −1 to 1. */
interface Pointer {
  x: number;
  y: number;
  button: number;
}
type Handles = TransformControls & { pointerHover(p: Pointer): void };

/** Size of the handles; and their arrows and rings in units of that. */
const SIZE = 0.85;
const REACH = 0.5;

/** What is dragged: the bodies as they were, the view it began in, and how. */
interface Drag {
  names: string[];
  poses: THREE.Matrix4[];
  proxy: THREE.Matrix4;
  pane: Pane;
  grip: Grip;
  /** The pointer's last place on the canvas, and whether it moves in fine steps. */
  at: { x: number; y: number };
  fine: boolean;
  typed: string;
}

/** A winch is moved, and neither turned nor scaled: its axis and radius are fields. */
function isWinch(name: string | undefined): boolean {
  return name !== undefined && !!entryOf(store.scene.value?.tree, "winches", name);
}

export class Gizmo {
  readonly helper: THREE.Object3D;
  private handles: Handles;
  /** Stands for the selection; the handles move it. */
  private proxy = new THREE.Object3D();
  private start: Drag | null = null;

  constructor(private stage: Viewport) {
    this.handles = new TransformControls(stage.eye) as Handles;
    this.handles.setSize(SIZE);
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

  /** Lights the handle under the pointer; true if there is one. */
  hover(x: number, y: number): boolean {
    if (!this.active) return false;
    const { pane, at } = this.stage.paneAt(x, y);
    this.handles.camera = pane.camera;
    this.helper.updateMatrixWorld(true);
    this.handles.pointerHover({ x: at.x, y: at.y, button: -1 });
    return this.handles.axis !== null;
  }

  /** Takes the handle under the pointer; false if there is none. */
  grab(x: number, y: number, fine: boolean): boolean {
    if (!this.hover(x, y)) return false;
    const { pane } = this.stage.paneAt(x, y);
    const names = movableNames();
    this.proxy.updateMatrixWorld(true);
    const grip = this.grip(pane, this.stage.rayIn(pane, x, y));
    this.start = { names, poses: names.map((n) => this.poseOf(n)!.clone()), proxy: this.proxy.matrixWorld.clone(), pane, grip, at: { x, y }, fine, typed: "" };
    return true;
  }

  private grip(pane: Pane, from: THREE.Ray): Grip {
    const camera = pane.camera;
    const [right, up, back] = [0, 1, 2].map((i) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, i).normalize()) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
    const position = this.proxy.position.clone();
    const flat = camera instanceof THREE.OrthographicCamera;
    const far = camera.position.distanceTo(position);
    // as three sizes its handles
    const unit = ((flat ? camera.top - camera.bottom : far * 1.9 * Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2)) * SIZE) / 4;
    const mode = store.gizmoMode.value;
    return {
      mode,
      axis: this.handles.axis!,
      position,
      frame: mode === "translate" ? new THREE.Quaternion() : this.proxy.quaternion.clone(),
      eye: flat ? back : camera.position.clone().sub(position).normalize(),
      right,
      up,
      radius: unit * REACH,
      from: from.clone(),
    };
  }

  drag(x: number, y: number, fine: boolean) {
    if (!this.start) return;
    this.start.at = { x, y };
    this.start.fine = fine;
    this.apply();
  }

  /** A key during a drag: a number, an axis, Enter or Escape. True if it was one of these. */
  key(key: string, shift: boolean): boolean {
    const d = this.start;
    if (!d) return false;
    if (key === "Escape") this.cancel();
    else if (key === "Enter") this.drop();
    else {
      const axis = limited(key, shift, d.grip.mode);
      const typed = typedOn(d.typed, key);
      // the same key again lets all axes go
      if (axis) this.handles.axis = (d.grip.axis = d.grip.axis === axis ? (d.grip.mode === "rotate" ? "E" : "XYZ") : axis) as Handles["axis"];
      else if (typed !== null) d.typed = typed;
      else return false;
      this.apply();
    }
    return true;
  }

  /** Moves what stands for the selection to where the pointer or the typed number wants it. */
  private apply() {
    const { grip, pane, at, fine, typed, proxy } = this.start!;
    const ray = this.stage.rayIn(pane, at.x, at.y);
    const value = typedValue(typed);
    const start = { p: new THREE.Vector3(), q: new THREE.Quaternion(), s: new THREE.Vector3() };
    proxy.decompose(start.p, start.q, start.s);
    this.proxy.position.copy(start.p);
    this.proxy.quaternion.copy(start.q);
    this.proxy.scale.set(1, 1, 1);
    let said = "";
    if (grip.mode === "translate") {
      const by = translation(grip, ray, value);
      if (by) this.proxy.position.copy(value === null ? onGrid(start.p, by, gridStep(fine)) : start.p.clone().add(by));
      const went = this.proxy.position.clone().sub(start.p);
      said = [...grip.axis].map((n) => `${n.toLowerCase()} ${signed(went.getComponent("XYZ".indexOf(n)), 3)} m`).join("   ");
    } else if (grip.mode === "rotate") {
      const turn = rotation(grip, ray, value);
      const step = THREE.MathUtils.degToRad(turnStep(fine));
      const angle = turn ? (value === null && step > 0 ? Math.round(turn.angle / step) * step : turn.angle) : 0;
      if (turn) this.proxy.quaternion.premultiply(new THREE.Quaternion().setFromAxisAngle(turn.axis, angle));
      said = `${signed(THREE.MathUtils.radToDeg(angle), 1)}°${grip.axis.length === 1 && grip.axis !== "E" ? ` about ${grip.axis.toLowerCase()}` : ""}`;
    } else {
      const by = scaling(grip, ray, value);
      if (by) this.proxy.scale.set(...by);
      said = [...grip.axis].map((n) => `${n.toLowerCase()} × ${this.proxy.scale.getComponent("XYZ".indexOf(n)).toFixed(2)}`).join("   ");
    }
    store.dragReadout.value = { x: at.x, y: at.y, text: said, typed };
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
    const { mode } = this.start.grip;
    // sizes are on a grid ten times finer than positions, unless a factor was typed
    const grid = typedValue(this.start.typed) === null ? gridStep(this.start.fine) / 10 : 0;
    this.end();
    const scene = store.scene.value;
    const changed = ends.some((m) => m.after.elements.some((v, i) => Math.abs(v - m.before.elements[i]!) > 1e-7));
    if (!scene || !changed) return this.release();
    const what = ends.length === 1 ? ends[0]!.name : `${ends.length} bodies`;
    if (mode === "scale") {
      const body = scene.bodies.find((b) => b.name === ends[0]!.name)!;
      edit(`Scale ${what}`, scaled(scene.tree, body, factor, grid));
    } else edit(`${mode === "rotate" ? "Turn" : "Move"} ${what}`, moved(scene.tree, ends));
    // the new scene brings the new places; if it is refused, the old ones come back
    setTimeout(() => this.release(), 1500);
  }

  /** Gives up what was dragged. */
  cancel() {
    if (!this.start) return;
    this.end();
    this.release();
  }

  private end() {
    this.start = null;
    this.handles.axis = null;
    store.dragReadout.value = null;
  }

  private release() {
    if (!this.dragging) this.stage.bodies?.override(new Map());
    this.stage.stir();
  }
}

function signed(value: number, digits: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}
