/** The mouse on the picture: orbit, pan, zoom, choose, and pull a body by a rubber band. */
import * as THREE from "three";
import * as store from "../store";
import { quantity } from "../panels/units";
import { send } from "../link";
import type { Vec3 } from "../protocol";
import { finishTool, pickedPlaces, putDown, useTool } from "../build/tools";
import { select, toggle } from "../build/selection";
import { entryOf } from "../build/make";
import { lengthAlong } from "../assembly";
import { beginStroke, endStroke, goOnStroke, groundAt } from "../build/brush";
import { orbit } from "./look";
import type { Stage } from "./stage";
import type { Pane } from "./viewport";

type Drag =
  | { kind: "orbit" | "pan"; x: number; y: number; pane: Pane; moved: number }
  | { kind: "pull"; plane: THREE.Plane; pane: Pane; moved: number }
  | { kind: "gizmo"; moved: number }
  | { kind: "marquee"; x: number; y: number; moved: number }
  | { kind: "brush"; moved: number }
  | { kind: "draw"; x: number; y: number; moved: number }
  | { kind: "pinch"; moved: number };

const CLICK = 5;

export function attachPointer(stage: Stage, canvas: HTMLCanvasElement) {
  let drag: Drag | null = null;
  const touches = new Map<number, { x: number; y: number }>();

  const place = (event: PointerEvent | WheelEvent | MouseEvent) => {
    const rect = canvas.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };

  const bodyUnder = (x: number, y: number) => {
    const { ray, pane } = stage.rayAt(x, y);
    // what the run is compared with is there to be looked at
    const hit = pane.other ? null : (stage.bodies?.pick(ray) ?? null);
    const line = pane.other ? null : (stage.lines?.pick(ray) ?? null);
    return { hit, line, pane, ray };
  };

  const startPull = (x: number, y: number): Drag | null => {
    const { hit, line, pane, ray } = bodyUnder(x, y);
    if (!store.mayDrive.value || store.status.value?.live === false) return null;
    // while building, bodies are moved by their handles
    if (store.building.value && (store.editing.value || store.tool.value.kind !== "select")) return null;
    if (line && pullable(line.line) && (!hit || line.distance <= ray.ray.origin.distanceTo(hit.point))) return startLinePull(line, pane);
    const body = hit && store.scene.value?.bodies[hit.body];
    if (!hit || !body || body.kind !== "dynamic") return null;
    const at = hit.point.clone().applyMatrix4(stage.bodies!.poses[hit.body]!.clone().invert());
    const facing = pane.camera.getWorldDirection(new THREE.Vector3());
    stage.bands[0] = { from: { body: hit.body, at }, to: hit.point.clone() };
    send({ do: "grab", body: body.id, at: at.toArray() as Vec3, to: hit.point.toArray() as Vec3 });
    return { kind: "pull", plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point), pane, moved: 0 };
  };

  const pullable = (id: number) => ["cable", "mass-point cable"].includes(store.scene.value?.lines.find((l) => l.id === id)?.kind ?? "");

  const startLinePull = (line: { line: number; point: THREE.Vector3 }, pane: Pane): Drag => {
    const pieces = store.newest.frame?.lines.filter((l) => l.id === line.line) ?? [];
    const along = lengthAlong(pieces, line.point.toArray() as Vec3);
    const facing = pane.camera.getWorldDirection(new THREE.Vector3());
    stage.bands[0] = { from: { line: line.line, along }, to: line.point.clone() };
    send({ do: "pull", line: line.line, along, to: line.point.toArray() as Vec3 });
    return { kind: "pull", plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, line.point), pane, moved: 0 };
  };

  /** Whether a tool that needs two places can be drawn from here to the second: from a body, and not from the ground. */
  const drawsFrom = (x: number, y: number): boolean => {
    if (!["force", "connect", "beam"].includes(store.tool.value.kind) || pickedPlaces().length > 0) return false;
    const { hit } = bodyUnder(x, y);
    // a beam may stand on the ground
    if (store.tool.value.kind === "beam") return true;
    const body = hit && store.scene.value?.bodies[hit.body];
    return !!body && body.shapes.some((s) => s.form !== "plane");
  };

  const choose = (x: number, y: number, more: boolean) => {
    const { hit, line, ray } = bodyUnder(x, y);
    const under = hit && store.scene.value?.bodies[hit.body];
    if (more && under && !under.shapes.every((s) => s.form === "plane")) return toggle(under.id);
    store.fellows.value = [];
    const near = hit ? ray.ray.origin.distanceTo(hit.point) : Infinity;
    const bodies = store.scene.value?.bodies;
    // a cable that lies on a drum goes before the drum; while building, what is in front does
    if (line && line.distance <= near + (store.building.value ? 0 : 0.05)) store.selected.value = { kind: "line", id: line.line };
    else if (hit && bodies && !bodies[hit.body]!.shapes.every((s) => s.form === "plane")) store.selected.value = { kind: "body", id: bodies[hit.body]!.id };
    else {
      // ground is selected to be changed; elsewhere a click on it lets go of what is selected
      const ground = store.building.value ? groundAt(stage, x, y) : null;
      const name = ground && store.scene.value?.grounds?.[ground.ground]?.name;
      store.selected.value = name && entryOf(store.scene.value?.tree, "grounds", name) ? { kind: "entry", section: "grounds", name } : null;
    }
  };

  canvas.addEventListener("pointerdown", (event) => {
    const { x, y } = place(event);
    canvas.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, { x, y });
    canvas.focus({ preventScroll: true });
    canvas.classList.remove("ringed");
    store.hovered.value = null;
    store.paletteOpen.value = false;
    if (event.pointerType === "touch") store.touch.value = true;
    if (touches.size === 2) {
      endPull();
      stage.gizmo.cancel();
      store.marquee.value = null;
      if (drag?.kind === "draw") putDown();
      endStroke(false);
      drag = { kind: "pinch", moved: CLICK };
      return;
    }
    const pane = stage.paneAt(x, y).pane;
    const pans = event.button === 2 || event.shiftKey || pane.camera !== stage.eye;
    if (store.building.value && event.button === 0 && !event.altKey && store.tool.value.kind === "brush" && beginStroke(stage, x, y)) {
      drag = { kind: "brush", moved: CLICK };
      return;
    }
    if (store.building.value && event.button === 0 && stage.gizmo.grab(x, y, event.shiftKey)) {
      drag = { kind: "gizmo", moved: 0 };
      return;
    }
    if (store.building.value && event.button === 0 && event.shiftKey && store.tool.value.kind === "select") {
      drag = { kind: "marquee", x, y, moved: 0 };
      return;
    }
    if (store.building.value && event.button === 0 && !event.altKey && drawsFrom(x, y)) {
      drag = { kind: "draw", x, y, moved: 0 };
      return;
    }
    const pulls = event.button === 0 && !event.altKey && !event.shiftKey;
    drag = (pulls && startPull(x, y)) || { kind: pans ? "pan" : "orbit", x, y, pane, moved: 0 };
  });

  // the frame of the focus is for those who came by keyboard
  canvas.addEventListener("focus", () => canvas.classList.toggle("ringed", touches.size === 0));
  canvas.addEventListener("blur", () => canvas.classList.remove("ringed"));

  canvas.addEventListener("pointermove", (event) => {
    const { x, y } = place(event);
    const before = touches.get(event.pointerId);
    if (!drag || !before) return hover(x, y, event);
    const [dx, dy] = [x - before.x, y - before.y];
    if (drag.kind === "pinch") pinch(event.pointerId, x, y);
    touches.set(event.pointerId, { x, y });
    drag.moved += Math.abs(dx) + Math.abs(dy);
    if (drag.kind === "draw") {
      // the first place is where it began, the second where the pointer is
      if (drag.moved >= CLICK && pickedPlaces().length === 0) useTool(stage, drag.x, drag.y, event.altKey, event.shiftKey);
      // what cannot be drawn from there is said once
      if (drag.moved >= CLICK && pickedPlaces().length === 0) return void (drag = null);
      stage.preview.at({ x, y, fine: event.altKey });
    }
    if (drag.kind === "brush") {
      goOnStroke(stage, x, y);
      stage.preview.at({ x, y, fine: false });
    }
    if (drag.kind === "gizmo") stage.gizmo.drag(x, y, event.shiftKey);
    else if (drag.kind === "marquee") store.marquee.value = { x: Math.min(x, drag.x), y: Math.min(y, drag.y), w: Math.abs(x - drag.x), h: Math.abs(y - drag.y) };
    else if (drag.kind === "orbit") {
      if (drag.moved > CLICK || store.cameraMode.value.kind !== "scene") orbit(stage, dx * 0.006, dy * 0.006);
    } else if (drag.kind === "pan") {
      // a drag stays with the view it began in
      const scale = stage.metresPerPixel(drag.pane);
      stage.rig.pan(-dx * scale, dy * scale, drag.pane.camera);
    } else if (drag.kind === "pull" && stage.bands[0]) {
      const to = stage.rayIn(drag.pane, x, y).intersectPlane(drag.plane, new THREE.Vector3());
      if (to) {
        stage.bands[0].to.copy(to);
        send({ do: "drag", to: to.toArray() as Vec3 });
      }
    }
  });

  const pinch = (id: number, x: number, y: number) => {
    const other = [...touches].find(([key]) => key !== id)?.[1];
    const before = touches.get(id);
    if (!other || !before) return;
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(x - other.x, y - other.y);
    if (was > 0 && is > 0) stage.rig.zoom(was / is);
    const { pane } = stage.paneAt(x, y);
    const scale = stage.metresPerPixel(pane) / 2;
    stage.rig.pan(-(x - before.x) * scale, (y - before.y) * scale, pane.camera);
  };

  /** Selects the bodies whose middle is within a frame on the picture. */
  const chooseWithin = (frame: { x: number; y: number; w: number; h: number }) => {
    const scene = store.scene.value;
    if (!scene) return;
    const inside = scene.bodies.filter((body, i) => {
      if (!entryOf(scene.tree, "bodies", body.name) || body.shapes.every((s) => s.form === "plane")) return false;
      const box = stage.bodies!.boundsOf(i);
      const p = stage.onScreen(box.isEmpty() ? new THREE.Vector3().setFromMatrixPosition(stage.bodies!.poses[i]!) : box.getCenter(new THREE.Vector3()));
      return p.x >= frame.x && p.x <= frame.x + frame.w && p.y >= frame.y && p.y <= frame.y + frame.h;
    });
    select(inside.map((b) => b.id));
  };

  const endPull = () => {
    if (stage.bands[0]) send({ do: "release" });
    stage.bands[0] = null;
  };

  const lift = (event: PointerEvent) => {
    touches.delete(event.pointerId);
    const { x, y } = place(event);
    if (drag?.kind === "draw" && drag.moved >= CLICK && pickedPlaces().length > 0) event.type === "pointerup" ? useTool(stage, x, y, event.altKey, event.shiftKey) : putDown();
    if (drag && drag.moved < CLICK && event.type === "pointerup" && event.button === 0) {
      const looksOnly = stage.paneAt(x, y).pane.other;
      if (looksOnly) store.hovered.value = null;
      else if (store.building.value && store.tool.value.kind !== "select") useTool(stage, x, y, event.altKey, event.shiftKey);
      else choose(x, y, store.building.value && event.shiftKey);
    }
    if (drag?.kind === "gizmo") event.type === "pointerup" && drag.moved >= CLICK ? stage.gizmo.drop() : stage.gizmo.cancel();
    if (drag?.kind === "brush") endStroke(event.type === "pointerup");
    if (drag?.kind === "marquee" && store.marquee.value) chooseWithin(store.marquee.value);
    store.marquee.value = null;
    endPull();
    drag = null;
  };
  // while a handle is dragged, keys are the drag's: numbers, axes, Enter and Escape
  addEventListener(
    "keydown",
    (event) => {
      if (drag?.kind !== "gizmo" || event.ctrlKey || event.metaKey || !stage.gizmo.key(event.key, event.shiftKey)) return;
      // what it ended or changed by keys is no click when the button goes up
      drag.moved = CLICK;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("dblclick", () => {
    if (store.building.value && ["cable", "route", "along"].includes(store.tool.value.kind)) finishTool(stage);
    else if (store.tool.value.kind === "select") stage.frameSelection();
  });
  canvas.addEventListener("pointerleave", () => {
    store.hovered.value = null;
    stage.over = null;
    stage.preview.at(null);
  });

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { x, y } = place(event);
      const { ray, pane } = stage.rayAt(x, y);
      const facing = pane.camera.getWorldDirection(new THREE.Vector3());
      const keep = ray.ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(facing, stage.rig.target), new THREE.Vector3());
      const follows = store.cameraMode.value.kind !== "orbit";
      stage.rig.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * 0.0012))), follows || !keep ? undefined : keep);
    },
    { passive: false },
  );

  let waiting = false;
  const hover = (x: number, y: number, event: PointerEvent) => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (drag) return;
      stage.preview.at({ x, y, fine: event.altKey });
      if (store.building.value && store.tool.value.kind !== "select") canvas.style.cursor = "crosshair";
      if (store.building.value && stage.gizmo.hover(x, y)) {
        store.hovered.value = null;
        canvas.style.cursor = "move";
        return;
      }
      const { hit, line, ray } = bodyUnder(x, y);
      stage.over = hit?.body ?? null;
      const scene = store.scene.value;
      const near = hit ? ray.ray.origin.distanceTo(hit.point) : Infinity;
      const rope = line && line.distance <= near + 0.05 ? scene?.lines.find((l) => l.id === line.line) : undefined;
      const body = hit && scene ? scene.bodies[hit.body] : undefined;
      const plain = body?.shapes.every((s) => s.form === "plane");
      const text = rope ? rope.name : body && !plain ? body.name + (body.kind === "dynamic" ? `, ${quantity(body.mass, "kg")}` : "") : null;
      store.hovered.value = text === null ? null : { text, x: event.clientX, y: event.clientY };
      if (store.building.value && store.tool.value.kind !== "select") return;
      canvas.style.cursor = (body?.kind === "dynamic" || (rope && pullable(rope.id))) && store.mayDrive.value ? "grab" : "";
    });
  };
}
