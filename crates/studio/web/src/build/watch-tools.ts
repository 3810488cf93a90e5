/** Probes, cameras, and copies along a path. */
import * as THREE from "three";
import { signal } from "@preact/signals";
import type { Change, Scene, Table, Tree, Vec3 } from "../protocol";
import * as store from "../store";
import type { Viewport } from "../view/viewport";
import { edit } from "./edit";
import type { After, MachineTool } from "./machine-tools";
import { entryOf, namesIn, type Anchor } from "./make";
import { freeName, tidy, tidyAll } from "./numbers";
import { copies } from "./placing";
import { chosenNames } from "./selection";
import { between, minus, plus, times } from "./vectors";
import { jointOf } from "./drives";

const bad = (text: string): After => (store.notify(text, "bad"), "no");

/** What was clicked to be probed: prefixes of its quantities, the nearest first. */
export const probed = signal<string[]>([]);

/** Beginnings of the quantities of a body: its own, those of its winch and of its joints. */
export function quantitiesOf(tree: Tree | undefined, body: string): string[] {
  const joints = namesIn(tree, "joints").filter((name) => jointOf(tree, name)?.bodies.includes(body));
  const winch = entryOf(tree, "winches", body) ? [`winches.${body}.`, `joints.${body}.`] : [];
  return [...winch, `bodies.${body}.`, ...joints.map((j) => `joints.${j}.`)];
}

/** Quantities of ropes and winches beside those that the server can plot. */
export function furtherQuantities(tree: Tree | undefined, prefix: string): string[] {
  const [section, name] = prefix.split(".") as [string, string];
  if (section === "winches") return ["speed", "wound", "load"].map((q) => prefix + q);
  const route = section === "cables" ? entryOf(tree, "cables", name)?.route : undefined;
  return Array.isArray(route) ? ["tension.start", "tension.end", "length", "slack", "paid_out"].map((q) => prefix + q) : [];
}

/** A name for a probe: what it is of and what it says. */
export function probeName(quantity: string, taken: string[]): string {
  const [, who, ...what] = quantity.split(".");
  return freeName([who, ...what].join(" ").replaceAll("_", " "), taken);
}

export const probe: MachineTool = {
  click({ scene, line, place }) {
    if (line) probed.value = [`${entryOf(scene.tree, "cables", line.name) || !entryOf(scene.tree, "joints", line.name) ? "cables" : "joints"}.${line.name}.`];
    else if (place.body !== null) probed.value = quantitiesOf(scene.tree, place.body);
    else return bad("Click a body, a winch or a rope whose quantity is to be logged.");
    store.asking.value = "probe";
    return "done";
  },
  hint: () => "Probe: click a body, a winch or a rope; then choose the quantity.",
};

export function addProbe(quantity: string) {
  const scene = store.scene.value;
  if (!scene) return;
  const name = probeName(quantity, namesIn(scene.tree, "probes"));
  edit(`Add probe ${name}`, [{ set: ["probes", name], value: quantity }], { select: [{ section: "probes", name }] });
}

/** A camera that looks as the eye does; on a body, in the axes of that body. */
export function newCamera(tree: Tree | undefined, eye: { position: Vec3; target: Vec3; angle: number }, mount: { body: string; pose: THREE.Matrix4 } | null): { name: string; changes: Change[] } {
  const back = mount?.pose.clone().invert();
  const into = (p: Vec3) => tidyAll((back ? new THREE.Vector3(...p).applyMatrix4(back).toArray() : p).map((v) => Number(v.toFixed(3))) as Vec3);
  const value: Table = { position: into(eye.position), target: into(eye.target), angle: `${Number(((eye.angle * 180) / Math.PI).toFixed(1))} deg` };
  if (mount) value.on = mount.body;
  const name = freeName(mount ? `${mount.body} view` : "view", namesIn(tree, "cameras"));
  return { name, changes: [{ set: ["cameras", name], value }] };
}

function addCamera(scene: Scene, stage: Viewport, place: Anchor | null) {
  const at = scene.bodies.findIndex((b) => b.name === place?.body && !b.shapes.every((s) => s.form === "plane"));
  const pose = stage.bodies?.poses[at];
  const made = newCamera(scene.tree, stage.camera(), pose ? { body: scene.bodies[at]!.name, pose } : null);
  edit(`Add camera ${made.name}`, made.changes, { select: [{ section: "cameras", name: made.name }] });
}

export const camera: MachineTool = {
  click({ stage, scene, place }) {
    addCamera(scene, stage, place);
    return "done";
  },
  finish(scene, stage) {
    addCamera(scene, stage, null);
    return "done";
  },
  hint: () => "Camera from this view: click a body to fix it to that, or the ground for one that stands still.",
};

/** Places at equal distances along a path, the first and the last point included. */
export function spaced(path: Vec3[], count: number): { at: Vec3; heading: number }[] {
  const lengths = path.slice(1).map((p, i) => between(p, path[i]!));
  const total = lengths.reduce((sum, l) => sum + l, 0);
  return Array.from({ length: count }, (_, k) => {
    let left = (total * k) / (count - 1);
    let i = 0;
    while (i < lengths.length - 1 && left > lengths[i]! + 1e-9) left -= lengths[i++]!;
    const way = minus(path[i + 1]!, path[i]!);
    return { at: plus(path[i]!, times(way, lengths[i]! > 0 ? left / lengths[i]! : 0)), heading: Math.atan2(way[1], way[0]) };
  });
}

/** Copies of bodies along a path, the bodies themselves at its beginning; turned with the path if wanted. */
export function alongPath(tree: Tree | undefined, bodies: { name: string; pose: THREE.Matrix4 }[], path: Vec3[], count: number, turn: boolean): { names: string[]; changes: Change[] } {
  const places = spaced(path, count);
  const first = places[0]!;
  const names: string[] = [];
  const changes: Change[] = [];
  const taken = new Set(namesIn(tree, "bodies"));
  const joints = new Set(namesIn(tree, "joints"));
  for (const place of places.slice(1)) {
    const way = new THREE.Matrix4().makeTranslation(...(place.at.map(tidy) as Vec3));
    if (turn) way.multiply(new THREE.Matrix4().makeRotationZ(place.heading - first.heading));
    way.multiply(new THREE.Matrix4().makeTranslation(...(times(first.at, -1) as Vec3)));
    const copy = copies(tree, bodies, way, taken);
    names.push(...copy.names);
    for (const change of copy.changes) {
      if ("set" in change && change.set[0] === "joints") {
        const name = freeName(change.set[1]!, joints);
        joints.add(name);
        changes.push({ ...change, set: ["joints", name] });
      } else changes.push(change);
    }
  }
  return { names, changes };
}

/** Points of the path that is drawn. */
let path: Vec3[] = [];

export const along: MachineTool = {
  click({ place, picked }) {
    if (picked.length === 0) path = [];
    const last = path[path.length - 1];
    // the second click of a double click
    if (last && between(last, place.at) < 1e-6) return "no";
    path.push(place.at);
    return "more";
  },
  hint: (picked) => (picked.length === 0 ? "Copies along a path: click where the path begins." : "Click the next point of the path; double-click or Enter ends it."),
  finish(scene, stage) {
    const tool = store.tool.value;
    if (tool.kind !== "along") return "no";
    if (path.length < 2) return bad("A path needs at least two points.");
    const bodies = chosenNames().map((name) => ({ name, pose: stage.bodies!.poses[scene.bodies.findIndex((b) => b.name === name)]!.clone() }));
    if (bodies.length === 0) return bad("Nothing is selected that could be copied.");
    const copy = alongPath(scene.tree, bodies, path, tool.count, tool.turn);
    edit(`${tool.count - 1} copies along a path`, copy.changes, { select: [...bodies.map((b) => b.name), ...copy.names].map((name) => ({ section: "bodies" as const, name })) });
    return "done";
  },
};
