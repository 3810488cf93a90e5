/** Probes, cameras, and copies along a path. */
import * as THREE from "three";
import { signal } from "@preact/signals";
import type { Change, Scene, Table, Tree, Vec3 } from "../protocol";
import * as store from "../store";
import type { Viewport } from "../view/viewport";
import { addEntry } from "./edit";
import { bad, type MachineTool } from "./machine-tools";
import { entryOf, namesIn, type Anchor } from "./make";
import { freeName, tidy, tidyAll } from "./numbers";
import { addCopies } from "./copying";
import { chosenPoses } from "./selection";
import { between, minus, plus, times } from "./vectors";
import { jointOf } from "./drives";
import { partsOf, quoted } from "../livestate";

/** What was clicked to be probed: prefixes of its quantities, the nearest first. */
export const probed = signal<string[]>([]);

/** Beginnings of the quantities of a body: its own, those of its winch and of its joints. */
export function quantitiesOf(tree: Tree | undefined, body: string): string[] {
  const joints = namesIn(tree, "joints").filter((name) => jointOf(tree, name)?.bodies.includes(body));
  const winch = entryOf(tree, "winches", body) ? ["winches", "joints"] : [];
  return [...[...winch, "bodies"].map((section) => `${section}.${quoted(body)}.`), ...joints.map((j) => `joints.${quoted(j)}.`)];
}

/** Quantities of ropes and winches beside those that the server can plot. */
export function furtherQuantities(tree: Tree | undefined, prefix: string): string[] {
  const { section, name } = partsOf(prefix);
  if (section === "winches") return ["speed", "wound", "load"].map((q) => prefix + q);
  const route = section === "cables" ? entryOf(tree, "cables", name)?.route : undefined;
  return Array.isArray(route) ? ["tension.start", "tension.end", "length", "slack", "paid_out"].map((q) => prefix + q) : [];
}

/** A name for a probe: what it is of and what it says. */
export function probeName(quantity: string, taken: string[]): string {
  const { name, rest } = partsOf(quantity);
  return freeName(`${name} ${rest.replaceAll(".", " ")}`.trim().replaceAll("_", " "), taken);
}

export const probe: MachineTool = {
  click({ scene, line, place }) {
    if (line) probed.value = [`${entryOf(scene.tree, "cables", line.name) || !entryOf(scene.tree, "joints", line.name) ? "cables" : "joints"}.${quoted(line.name)}.`];
    else if (place.body !== null) probed.value = quantitiesOf(scene.tree, place.body);
    else return bad("Click a body, a winch or a rope whose quantity is to be logged.");
    store.asking.value = "probe";
    return "done";
  },
  hint: () => "Probe: click a body, a winch or a rope; then choose the quantity.",
};

export function addProbe(quantity: string) {
  addEntry("probes", (tree) => {
    const name = probeName(quantity, namesIn(tree, "probes"));
    return { name, changes: [{ set: ["probes", name], value: quantity }] };
  }, "probe ");
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
  const [eye, mount] = [stage.camera(), pose ? { body: scene.bodies[at]!.name, pose: pose.clone() } : null];
  addEntry("cameras", (tree) => newCamera(tree, eye, mount), "camera ");
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

/** Ways from the beginning of a path to its other places; turned with the path if wanted. */
export function alongPath(path: Vec3[], count: number, turn: boolean): THREE.Matrix4[] {
  const [first, ...rest] = spaced(path, count);
  return rest.map((place) => {
    const way = new THREE.Matrix4().makeTranslation(...(place.at.map(tidy) as Vec3));
    if (turn) way.multiply(new THREE.Matrix4().makeRotationZ(place.heading - first!.heading));
    return way.multiply(new THREE.Matrix4().makeTranslation(...(times(first!.at, -1) as Vec3)));
  });
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
  finish(_, stage) {
    const tool = store.tool.value;
    if (tool.kind !== "along") return "no";
    if (path.length < 2) return bad("A path needs at least two points.");
    const bodies = chosenPoses(stage);
    if (bodies.length === 0) return bad("Nothing is selected that could be copied.");
    addCopies(`${tool.count - 1} copies along a path`, bodies, alongPath(path, tool.count, tool.turn), bodies);
    return "done";
  },
};
