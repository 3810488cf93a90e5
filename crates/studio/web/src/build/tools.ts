/** The tool in hand on the picture: a click becomes a place on a body or in space, and places become changes of the text. */
import * as THREE from "three";
import type { Vec3 } from "../protocol";
import * as store from "../store";
import type { Pane, Viewport } from "../view/viewport";
import { onSceneLeft } from "../link";
import { addEntry, editLater } from "./edit";
import { connect, CONNECTIONS, newBody, newCable, newForce, type Anchor } from "./make";
import { freeName, gridStep, niceSize, snapOn, tidyAll } from "./numbers";
import { featurePoints } from "./placing";
import { surfaces } from "../earth/now";
import { forgetRoute, isGround, type After } from "./machine-tools";
import { ropeDiameter } from "./reeving";
import { TOOLBOX } from "./toolbox";
import { between } from "./vectors";

/** Newtons that an arrow of one metre stands for. */
const NEWTONS_PER_METRE = 100;

/** Places picked so far with the tool in hand. */
let picked: Anchor[] = [];

// places belong to bodies of the scene
onSceneLeft(putDown);

/** The place under the pointer: on a body's surface, else on the ground z = 0, else in the plane of the target that faces the eye. */
export function anchorAt(stage: Viewport, x: number, y: number, fine: boolean): Anchor {
  const { ray, pane } = stage.rayAt(x, y);
  const hit = stage.bodies?.pick(ray);
  const scene = store.scene.value;
  const step = gridStep(fine);
  const body = hit && scene?.bodies[hit.body];
  const dug = groundUnder(ray, hit ? ray.ray.origin.distanceTo(hit.point) : Infinity, step);
  if (dug) return dug;
  // a fixed plane is the ground, and so is its far part that is not drawn
  const tools = store.tool.value.kind;
  // the far end of a beam is in the air, not on the ground behind it
  const [foot] = picked;
  if (tools === "beam" && foot && (!body || isGround(scene!, body.name))) return facing(ray, pane, foot, step);
  if (hit && body) {
    const normal = tidyAll(hit.normal.toArray() as Vec3);
    const flat = body.shapes.every((s) => s.form === "plane");
    const at = tools === "add" || tools === "winch" || flat ? snapOn(hit.point.toArray() as Vec3, normal, step) : nearestFeature(stage, hit.body, hit.point);
    return { body: body.name, at: tidyAll(at), normal };
  }
  return inSpace(stage, ray, pane, step);
}

/** A place on a ground that can be dug, if nothing is before it: part of its body, which has its name. */
function groundUnder(ray: THREE.Raycaster, nearest: number, step: number): Anchor | null {
  const { origin, direction } = ray.ray;
  const hit = surfaces.run.hit(origin.toArray(), direction.toArray());
  if (!hit || hit.distance >= nearest) return null;
  const terrain = surfaces.run.list[hit.ground]!;
  const at = snapOn(origin.clone().addScaledVector(direction, hit.distance).toArray() as Vec3, [0, 0, 1], step);
  const height = terrain.surface(at[0], at[1]);
  const named = store.scene.value?.bodies.some((body) => body.name === terrain.ground.name);
  return { body: named ? terrain.ground.name : null, at: tidyAll([at[0], at[1], height ?? at[2]]), normal: tidyAll(terrain.normal(at[0], at[1])) };
}

function inSpace(stage: Viewport, ray: THREE.Raycaster, pane: Pane, step: number): Anchor {
  const ground = new THREE.Plane(new THREE.Vector3(0, 0, 1), 0);
  const low = Math.abs(ray.ray.direction.z) > 0.05 ? ray.ray.intersectPlane(ground, new THREE.Vector3()) : null;
  if (low && low.distanceTo(stage.rig.target) < 8 * stage.rig.distance) return { body: null, at: snapOn(low.toArray() as Vec3, [0, 0, 1], step), normal: [0, 0, 1] };
  const facing = pane.camera.getWorldDirection(new THREE.Vector3());
  const at = ray.ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(facing, stage.rig.target), new THREE.Vector3()) ?? stage.rig.target.clone();
  return { body: null, at: snapOn(at.toArray() as Vec3, facing.toArray() as Vec3, step), normal: [0, 0, 0] };
}

/** A place in the plane through another that faces the eye best: upright along x or y, or level if one looks from above. */
function facing(ray: THREE.Raycaster, pane: Pane, from: Anchor, step: number): Anchor {
  const look = pane.camera.getWorldDirection(new THREE.Vector3());
  const normal = Math.abs(look.z) > 0.85 ? new THREE.Vector3(0, 0, 1) : Math.abs(look.x) > Math.abs(look.y) ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  const at = ray.ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...from.at)), new THREE.Vector3());
  return { body: null, at: at ? snapOn(at.toArray() as Vec3, normal.toArray() as Vec3, step) : from.at, normal: [0, 0, 0] };
}

/** With snapping, the middle, an end, a face or a corner of the body, whichever is nearest; else the place itself. */
function nearestFeature(stage: Viewport, at: number, point: THREE.Vector3): Vec3 {
  const body = store.scene.value!.bodies[at]!;
  const pose = stage.bodies!.poses[at]!;
  if (!store.snapping.value) return point.toArray() as Vec3;
  let best: THREE.Vector3 | null = null;
  for (const shape of body.shapes) {
    if (shape.form === "mesh" || shape.form === "plane") continue;
    const [w, x, y, z] = shape.turn;
    const local = new THREE.Matrix4().compose(new THREE.Vector3(...shape.at), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1)).premultiply(pose);
    for (const feature of featurePoints(shape)) {
      const place = new THREE.Vector3(...feature).applyMatrix4(local);
      if (!best || place.distanceTo(point) < best.distanceTo(point)) best = place;
    }
  }
  return (best ?? point).toArray() as Vec3;
}

/** A click with the tool in hand; `again` keeps the tool for the next. */
export function useTool(stage: Viewport, x: number, y: number, fine: boolean, again: boolean) {
  const tool = store.tool.value;
  const scene = store.scene.value;
  if (!scene || tool.kind === "select" || tool.kind === "brush") return;
  const place = anchorAt(stage, x, y, fine);
  const machine = TOOLBOX[tool.kind];
  if (machine) return went(machine.click({ stage, scene, place, line: lineAt(stage, x, y), picked, again }), place);
  if (tool.kind === "add") {
    const size = niceSize(stage.rig.distance);
    editLater(({ bodies }) => {
      const names = bodies.map((b) => b.name);
      const name = freeName(tool.form === "point" ? "anchor" : tool.form === "compound" ? "part" : tool.form, names);
      const value = newBody(tool.form, place, size, names.length, store.remembered("mesh") ?? undefined);
      return { label: `Add ${name}`, changes: [{ set: ["bodies", name], value }], select: [{ section: "bodies", name }] };
    });
    if (!again) putDown();
    return;
  }
  if (tool.kind === "force" && picked.length === 0 && (place.body === null || scene.bodies.find((b) => b.name === place.body)?.kind === "static")) {
    return store.notify("A force must act on a dynamic body: pick a point of one.", "bad");
  }
  picked.push(place);
  if (tool.kind === "cable") return say();
  if (picked.length < 2) return say();
  const [a, b] = [picked[0]!, picked[1]!];
  if (tool.kind === "connect") {
    if (a.body === b.body) {
      picked.pop();
      return store.notify("Both points are on the same body: pick a point of another, or of the ground.", "bad");
    }
    const masses = scene.bodies.filter((body) => body.kind === "dynamic" && (body.name === a.body || body.name === b.body)).map((body) => body.mass);
    addEntry("joints", (tree) => connect(tree, tool.joint, a, b, masses.length > 0 ? Math.min(...masses) : undefined));
  } else {
    // an arrow that ends on the ground points there; it does not pull toward the ground
    const ground = scene.bodies.find((body) => body.name === b.body)?.shapes.every((s) => s.form === "plane");
    addEntry("forces", (tree) => newForce(tree, a, ground ? { ...b, body: null } : b, NEWTONS_PER_METRE));
    store.showAxes.value = true;
  }
  picked = [];
  if (again || tool.kind === "connect") say();
  else putDown();
}

/** The cable under the pointer, if no body is before it. */
function lineAt(stage: Viewport, x: number, y: number): { id: number; name: string; point: Vec3 } | null {
  const { ray } = stage.rayAt(x, y);
  const line = stage.lines?.pick(ray);
  const hit = stage.bodies?.pick(ray);
  const named = line && store.scene.value?.lines.find((l) => l.id === line.line);
  if (!line || !named || (hit && ray.ray.origin.distanceTo(hit.point) < line.distance - 0.05)) return null;
  return { id: named.id, name: named.name, point: tidyAll(line.point.toArray() as Vec3) };
}

/** What comes after a click with a tool for machines. */
function went(after: After, place?: Anchor) {
  if (after === "done") return putDown();
  if (after === "next") picked = [];
  if (after === "more" && place) picked = [...picked, place];
  say();
}

/** Ends a cable; a form in hand is put where the eye looks, for those who have no mouse. */
export function finishTool(stage: Viewport | null) {
  const scene = store.scene.value;
  if (store.tool.value.kind === "add" && stage) {
    const middle = stage.onScreen(stage.rig.target);
    return useTool(stage, middle.x, middle.y, false, false);
  }
  const machine = TOOLBOX[store.tool.value.kind];
  if (machine?.finish && scene && stage) return void went(machine.finish(scene, stage));
  const tool = store.tool.value;
  if (tool.kind !== "cable" || !scene) return;
  // a double click picks its place twice
  const places = picked.filter((p, i) => i === 0 || between(p.at, picked[i - 1]!.at) > 1e-6);
  if (places.length < 2) return store.notify("A cable needs at least two points.", "bad");
  const length = places.slice(1).reduce((sum, p, i) => sum + between(p.at, places[i]!.at), 0);
  addEntry("cables", (tree) => newCable(tree, places, ropeDiameter(length), tool.slack));
  putDown();
}

/** Takes a tool; the places of the last one are forgotten. */
export function take(tool: store.Tool) {
  picked = [];
  forgetRoute();
  store.tool.value = tool;
  // so that Enter and Space are the tool's, not the button's that was pressed
  if (tool.kind !== "select") (document.activeElement as HTMLElement | null)?.blur();
  say();
}

/** Back to selecting; what was picked first goes first. */
export function putDown(): boolean {
  if (store.tool.value.kind === "select") return false;
  take({ kind: "select" });
  return true;
}

export function pickedPlaces(): readonly Anchor[] {
  return picked;
}

function say() {
  const tool = store.tool.value;
  const machine = TOOLBOX[tool.kind];
  if (machine) return void (store.toolHint.value = machine.hint(picked));
  const words: Partial<Record<store.Tool["kind"], string | null>> = {
    select: null,
    brush: "Drag over the ground. Alt + drag rotates the view.",
    add: tool.kind === "add" ? `Click the position of the ${tool.form === "point" ? "fixed point" : tool.form === "hook" ? "hook block" : tool.form}, or press Enter. Shift keeps the tool active.` : null,
    connect: tool.kind === "connect" ? `${CONNECTIONS.find((c) => c.kind === tool.joint)?.label}: click ${picked.length === 0 ? "a point of the first body, or of the ground" : "a point of the second body"}.` : null,
    force: picked.length === 0 ? "Force: drag from its point of application on a body to the tip of the arrow, or click both." : "Click the tip of the arrow: in space, or on another body to pull toward it.",
    cable: picked.length === 0 ? "Cable: click its start, on a body or in space." : `Click the next point; Enter or a double click ends the cable (${picked.length} so far).`,
  };
  store.toolHint.value = words[tool.kind] ?? null;
}
