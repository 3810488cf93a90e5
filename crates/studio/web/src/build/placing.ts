/**
 * Bodies that were moved, turned or scaled by hand → changes of the text. What is fastened to them, points of joints, ends of cables
 * and places of forces, goes along where it is written in plain numbers. Ways on which copies go.
 */
import * as THREE from "three";
import type { Body, Change, Form, Json, Table, Tree, Turn, Vec3 } from "../protocol";
import { carry } from "./keys";
import { asTurn, snap, tidy, tidyAll } from "./numbers";
import { entryOf, namesIn } from "./make";

/** A body's pose before and after. */
export interface Move {
  name: string;
  before: THREE.Matrix4;
  after: THREE.Matrix4;
}

/** A body as it stands. */
export interface Posed {
  name: string;
  pose: THREE.Matrix4;
}

/** Position and turn of a pose, as changes of a body; a winch has a position only. */
export function placed(tree: Tree | undefined, name: string, pose: THREE.Matrix4): Change[] {
  const own = entryOf(tree, "bodies", name) ?? {};
  const { position, turn } = parted(pose);
  if (entryOf(tree, "winches", name)) return [{ set: ["winches", name, "at"], value: position }];
  const changes: Change[] = [{ set: ["bodies", name, "position"], value: position }];
  const asked = asTurn(turn);
  if (asked) changes.push({ set: ["bodies", name, "rotation"], value: asked });
  else if ("rotation" in own) changes.push({ remove: ["bodies", name, "rotation"] });
  if ("orientation" in own) changes.push({ remove: ["bodies", name, "orientation"] });
  return changes;
}

export function parted(pose: THREE.Matrix4): { position: Vec3; turn: Turn } {
  const [p, q, s] = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
  pose.decompose(p, q, s);
  return { position: tidyAll(p.toArray() as Vec3), turn: [q.w, q.x, q.y, q.z] };
}

/** All changes for bodies that were moved together. */
export function moved(tree: Tree | undefined, moves: Move[]): Change[] {
  const ways = new Map(moves.map((m) => [m.name, m.after.clone().multiply(m.before.clone().invert())]));
  return [...moves.flatMap((m) => placed(tree, m.name, m.after)), ...carried(tree, ways)];
}

/** What is fastened to moved bodies: its points and axes, each moved with its own body. */
export function carried(tree: Tree | undefined, ways: Map<string, THREE.Matrix4>): Change[] {
  return ["joints", "forces", "cables", "winches"].flatMap((section) =>
    namesIn(tree, section).flatMap((name) => carry(section, entryOf(tree, section, name) ?? {}, ways).map(({ key, value }): Change => ({ set: [section, name, ...key], value: value! }))),
  );
}

/** A shape scaled by a factor for each axis: its own sizes change. `step` is the grid of sizes. */
export function scaled(tree: Tree | undefined, body: Body, factor: Vec3, step: number): Change[] {
  const form = body.shapes[0];
  const own = entryOf(tree, "bodies", body.name)?.shape as Table | undefined;
  if (!form || !own || body.shapes.length !== 1) return [];
  const size = (value: number, by: number) => Math.max(step || 1e-3, snap(value * Math.abs(by), step));
  // the axis that was pulled most
  const most = (...by: number[]) => by.reduce((a, b) => (Math.abs(Math.log(Math.abs(b) || 1e-9)) > Math.abs(Math.log(Math.abs(a) || 1e-9)) ? b : a));
  const set = (kind: string, key: string, value: Json): Change => ({ set: ["bodies", body.name, "shape", kind, key], value });
  switch (form.form) {
    case "box":
      return [set("box", "size", form.size.map((v, i) => size(v, factor[i]!)))];
    case "sphere":
      return [set("sphere", "radius", size(form.radius, most(...factor)))];
    case "cylinder":
    case "capsule":
      return [set(form.form, "radius", size(form.radius, most(factor[0], factor[1]))), set(form.form, "length", size(form.length, factor[2]))];
    case "cone":
      return [set("cone", "radius", size(form.radius, most(factor[0], factor[1]))), set("cone", "height", size(form.length, factor[2]))];
    default:
      return [];
  }
}

/** Whether a body's sizes can be changed by pulling. */
export function scalable(body: Body, tree: Tree | undefined): boolean {
  return scaled(tree, body, [1, 1, 1], 0).length > 0;
}

/** Reflection in the plane across an axis, through a place along it. */
export function mirrorWay(axis: 0 | 1 | 2, through: number): THREE.Matrix4 {
  const scale = [0, 1, 2].map((i) => (i === axis ? -1 : 1)) as Vec3;
  const way = new THREE.Matrix4().makeScale(...scale);
  way.setPosition(...([0, 1, 2].map((i) => (i === axis ? 2 * through : 0)) as Vec3));
  return way;
}

/** Ways of n − 1 further copies, each one offset on from the last. */
export function inRow(n: number, offset: Vec3): THREE.Matrix4[] {
  return Array.from({ length: n - 1 }, (_, i) => new THREE.Matrix4().makeTranslation(...(offset.map((v) => tidy(v * (i + 1))) as Vec3)));
}

/** Places of a form one may want to take hold of, in its own frame: middle, ends, faces and corners. */
export function featurePoints(form: Form): Vec3[] {
  const points: Vec3[] = [[0, 0, 0]];
  if (form.form === "box") {
    const h = form.size.map((v) => v / 2) as Vec3;
    for (const i of [0, 1, 2]) for (const s of [-1, 1]) points.push([0, 1, 2].map((k) => (k === i ? s * h[k]! : 0)) as Vec3);
    for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) points.push([x * h[0], y * h[1], z * h[2]]);
  } else if (form.form === "cylinder" || form.form === "cone") points.push([0, 0, form.length / 2], [0, 0, -form.length / 2]);
  else if (form.form === "capsule") {
    const end = form.length / 2;
    points.push([0, 0, end], [0, 0, -end], [0, 0, end + form.radius], [0, 0, -end - form.radius]);
  }
  return points;
}
