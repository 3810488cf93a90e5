/**
 * Bodies that were moved, turned or scaled by hand, copied or mirrored → changes of the text. What is fastened to them, points
 * of joints, ends of cables and places of forces, goes along where it is written in plain numbers.
 */
import * as THREE from "three";
import type { Body, Change, Form, Json, Table, Tree, Turn, Vec3 } from "../protocol";
import { asTurn, asVec, freeName, snap, tidy, tidyAll } from "./numbers";
import { linear, sentDirection, sentJoint } from "./joints";
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

/** New bodies, and the changes that make them. */
export interface Copies {
  names: string[];
  changes: Change[];
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

function parted(pose: THREE.Matrix4): { position: Vec3; turn: Turn } {
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
  const changes: Change[] = [];
  const point = (path: string[], value: Json | undefined, way: THREE.Matrix4 | undefined) => {
    const at = asVec(value);
    if (at && way) changes.push({ set: path, value: tidyAll(new THREE.Vector3(...at).applyMatrix4(way).toArray() as Vec3) });
  };
  const axis = (path: string[], value: Json | undefined, way: THREE.Matrix4) => {
    const along = asVec(value);
    if (!along) return;
    const turned = tidyAll(new THREE.Vector3(...along).transformDirection(way).toArray() as Vec3);
    if (turned.some((v, i) => Math.abs(v - along[i]!) > 1e-6 * Math.hypot(...along))) changes.push({ set: path, value: turned });
  };
  const both = (path: string[], kind: string, joint: Table) => {
    const bodies = joint.bodies;
    if (!Array.isArray(bodies)) return;
    const [a, b] = bodies.map((name) => ways.get(String(name)));
    if (Array.isArray(joint.points)) {
      point([...path, "points", "0"], joint.points[0], a);
      point([...path, "points", "1"], joint.points[1], b);
    }
    point([...path, "to"], joint.to, a);
    if (kind === "drag_spring") point([...path, "at"], joint.at, b);
    // a joint in one place stays there unless both of its bodies go
    else if (a && b) for (const { key, value } of sentJoint(kind, { ...joint, points: [] }, b)) changes.push({ set: [...path, ...key], value });
  };
  for (const section of ["joints", "forces"]) {
    for (const name of namesIn(tree, section)) {
      for (const [kind, value] of Object.entries(entryOf(tree, section, name) ?? {})) {
        if (!value || typeof value !== "object" || Array.isArray(value)) continue;
        both([section, name, kind], kind, value);
        if (kind === "applied") {
          point([section, name, kind, "at"], value.at, ways.get(String(value.body)));
          const toward = value.toward as Table | undefined;
          if (toward) point([section, name, kind, "toward", "at"], toward.at, ways.get(String(toward.body)));
        }
      }
    }
  }
  for (const name of namesIn(tree, "cables")) {
    const cable = entryOf(tree, "cables", name) ?? {};
    const path = Array.isArray(cable.path) ? cable.path : [];
    for (const end of ["start", "end"] as const) {
      const hold = cable[end] as Table | undefined;
      const way = ways.get(String(hold?.body));
      if (!hold || !way) continue;
      point(["cables", name, end, "at"], hold.at, way);
      const last = end === "start" ? 0 : path.length - 1;
      if (path.length > 0) point(["cables", name, "path", String(last)], path[last], way);
    }
    // pulleys, rings and fixed points of a rope
    const route = Array.isArray(cable.route) ? (cable.route as Table[]) : [];
    route.forEach((stop, i) => {
      const way = ways.get(String(stop.pulley ?? stop.ring ?? stop.attach));
      if (!way) return;
      point(["cables", name, "route", String(i), "at"], stop.at, way);
      axis(["cables", name, "route", String(i), "axis"], stop.axis, way);
    });
  }
  for (const name of namesIn(tree, "winches")) {
    const winch = entryOf(tree, "winches", name) ?? {};
    const way = ways.get(String(winch.on));
    if (!way) continue;
    point(["winches", name, "at"], winch.at, way);
    axis(["winches", name, "axis"], winch.axis, way);
  }
  return changes;
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

/**
 * Copies of bodies, each pose sent through `way`, with the joints that have both of their bodies among them. A mirrored
 * attitude is that of the reflected frame with its x turned back, which is a turn again: S R S for the reflection S.
 */
export function copies(tree: Tree | undefined, bodies: Posed[], way: THREE.Matrix4, taken = new Set(namesIn(tree, "bodies")), takenJoints = new Set(namesIn(tree, "joints"))): Copies {
  const renamed = new Map<string, string>();
  const changes: Change[] = [];
  for (const { name, pose } of bodies) {
    const own = entryOf(tree, "bodies", name);
    if (!own) continue;
    const copy = freeName(name, taken);
    taken.add(copy);
    renamed.set(name, copy);
    const value: Table = { ...own };
    delete value.orientation;
    delete value.rotation;
    const after = way.determinant() < 0 ? way.clone().multiply(pose).multiply(linear(way)) : way.clone().multiply(pose);
    const { position, turn } = parted(after);
    value.position = position;
    const asked = asTurn(turn);
    if (asked) value.rotation = asked;
    const velocity = asVec(own.velocity);
    if (velocity) value.velocity = sentDirection(velocity, way, false);
    // a spin turns the other way in a mirror
    const spin = asVec(own.angular_velocity);
    if (spin) value.angular_velocity = sentDirection(spin, way, true);
    changes.push({ set: ["bodies", copy], value });
  }
  for (const name of namesIn(tree, "joints")) {
    const joint = structuredClone(entryOf(tree, "joints", name)!);
    const [kind, value] = Object.entries(joint).find(([, v]) => v && typeof v === "object" && "bodies" in v) ?? [];
    if (!kind || !value || typeof value !== "object" || Array.isArray(value)) continue;
    const names = value.bodies as string[];
    // frames are in the axes of the bodies: they are the same in copies of both that are no mirror images
    if ("frames" in value && (way.determinant() < 0 || !names.every((n) => renamed.has(n)))) continue;
    // the fellow may stand outside, if it is fixed: a copied pendulum hangs beside the first
    const stays = (other: string) => (entryOf(tree, "bodies", other)?.type === "static" ? other : undefined);
    const [a, b] = names.map((n) => renamed.get(n) ?? stays(n));
    if (!a || !b || !names.some((n) => renamed.has(n))) continue;
    value.bodies = [a, b];
    for (const { key, value: sent } of sentJoint(kind, value, way)) {
      const [first, at] = key;
      if (at === undefined) value[first!] = sent;
      else (value[first!] as Json[])[Number(at)] = sent;
    }
    const copy = freeName(name, takenJoints);
    takenJoints.add(copy);
    changes.push({ set: ["joints", copy], value: joint });
  }
  return { names: [...renamed.values()], changes };
}

/** Reflection in the plane across an axis, through a place along it. */
export function mirrorWay(axis: 0 | 1 | 2, through: number): THREE.Matrix4 {
  const scale = [0, 1, 2].map((i) => (i === axis ? -1 : 1)) as Vec3;
  const way = new THREE.Matrix4().makeScale(...scale);
  way.setPosition(...([0, 1, 2].map((i) => (i === axis ? 2 * through : 0)) as Vec3));
  return way;
}

/** Copies of bodies for each of several ways, under names that differ. */
export function copiesBy(tree: Tree | undefined, bodies: Posed[], ways: THREE.Matrix4[]): Copies {
  const [taken, joints] = [new Set(namesIn(tree, "bodies")), new Set(namesIn(tree, "joints"))];
  const all = ways.map((way) => copies(tree, bodies, way, taken, joints));
  return { names: all.flatMap((c) => c.names), changes: all.flatMap((c) => c.changes) };
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
