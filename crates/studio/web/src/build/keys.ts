/**
 * Keys of the scene language that are places, directions and references: what changes in copies, in mirror images, and when bodies
 * are moved.
 *
 * A direction that something moves along, or stands across, is polar: v → L v for the linear part L of a way. One that something
 * turns about is axial: v → det(L) L v, so that a mirrored hinge opens as its image does and its motor, limits and angles keep their
 * signs. A rope that runs counterclockwise about an axis does so about the axial image as well, and a winch winds in for positive
 * rotation. With a polar `x_axis` and an axial `axis` the y axis = axis × x_axis is polar as well. What is left counts the other way in
 * a mirror: displacements along the axis of `six_dof`, its angles about x and y, and displacements of a `cylindrical` joint.
 *
 * Keys in the axes of a body stay when it is copied. The axes of a mirror image are those of the reflected body, turned back along the
 * axes in which it was reflected: S R S for the orientation R and the reflection S. There a point p is S p, and directions likewise.
 */
import * as THREE from "three";
import type { Json, Table, Vec3 } from "../protocol";
import { tidyAll } from "./numbers";

/** References, by the sections that they may refer to, the first that has the name. */
export const SECTIONS = {
  body: ["bodies", "winches"],
  joint: ["joints", "winches"],
  drum: ["winches", "bodies"],
  cable: ["cables"],
  vehicle: ["vehicles"],
} as const;

/** Sections whose entries belong to bodies, after those that they refer to. */
export const BELONGING = ["winches", "joints", "forces", "cables", "tools", "bins", "wheels", "tracks", "inputs"];

type Reference = keyof typeof SECTIONS;
/** "force" and "torque" are an `along` and an `about` that do not turn with the body; a "hand" is a number that counts the other way in a mirror. */
type Place = "point" | "along" | "about" | "force" | "torque" | "hand" | "quaternion" | "tensor" | "triangle" | "edge" | "rims";

interface Key {
  is: Reference | Place;
  /** In the axes of its body: always, or if the key beside it that is named here is "body". */
  own?: true | "in";
  /** The direction that holds if none is given. */
  usual?: Vec3;
  /** Which of `bodies` carries it; otherwise the one named beside it, or all. */
  by?: 0 | 1;
}

const as = (is: Key["is"], more: Omit<Key, "is"> = {}): Key => ({ is, ...more });
const [body, point, along, about] = [as("body"), as("point"), as("along"), as("about")];
const own = { own: true } as const;
const UP: Vec3 = [0, 0, 1];
const LEFT: Vec3 = [0, 1, 0];

type Keys = Record<string, Key>;

/** The same keys behind several beginnings. */
function each(beginnings: string[], keys: Keys): Keys {
  return Object.fromEntries(beginnings.flatMap((start) => Object.entries(keys).map(([key, value]) => [`${start}.${key}`, value])));
}

const SOLIDS = ["parts.*", "visuals.*", "collision.*"];
/** Of the surface of something that collides. */
const SURFACE: Keys = { surface_velocity: as("along", own), grain: as("along", own) };

/** By section: keys of its entries, where `*` is any place in a list. */
export const KEYS: Record<string, Keys> = {
  // their places are those of the picture, not of the text
  bodies: {
    velocity: along,
    angular_velocity: about,
    center_of_mass: as("point", own),
    inertia: as("tensor", own),
    "fluid.added_mass.matrix": as("tensor", own),
    ...SURFACE,
    ...each(SOLIDS, { at: as("point", own), "rotation.axis": as("about", own), orientation: as("quaternion", own) }),
    ...each(["parts.*", "collision.*"], SURFACE),
    ...each(["shape", "fluid.hull", ...SOLIDS.map((solid) => `${solid}.shape`)], {
      "pipe.points.*": as("point", own),
      "convex.points.*": as("point", own),
      "mesh.vertices.*": as("point", own),
      "mesh.triangles.*": as("triangle", own),
    }),
  },
  joints: {
    ...each(["ball", "spherical", "hinge", "revolute", "slider", "prismatic", "cylindrical", "universal", "constant_velocity", "weld", "fixed"], { "bodies.*": body, at: point }),
    ...each(["point_on_line", "point_on_plane", "planar", "screw", "six_dof", "car_wheel", "drag_spring"], { "bodies.*": body, at: point }),
    "distance.bodies.*": body,
    "distance.points.0": as("point", { by: 0 }),
    "distance.points.1": as("point", { by: 1 }),
    "drag_spring.to": as("point", { by: 0 }),
    "drag_spring.at": as("point", { by: 1 }),
    ...each(["hinge", "revolute", "cylindrical", "screw", "planar"], { axis: about }),
    ...each(["slider", "prismatic", "point_on_line", "point_on_plane"], { axis: along }),
    ...each(["universal", "constant_velocity"], { "axes.*": about }),
    "planar.x_axis": along,
    // the image of a right-hand thread is a left-hand one
    "screw.lead": as("hand"),
    "six_dof.axis": as("about", { usual: UP }),
    "six_dof.x_axis": along,
    "car_wheel.axis": as("about", { usual: LEFT }),
    "car_wheel.steering_axis": as("about", { usual: UP }),
    "car_wheel.travel_axis": as("along", { usual: UP }),
    "gear.joints.*": as("joint"),
    "rack.pinion": as("joint"),
    "rack.slider": as("joint"),
    "differential.input": as("joint"),
    "differential.outputs.*": as("joint"),
    "linear_coupling.terms.*.joint": as("joint"),
  },
  forces: {
    "applied.body": body,
    "applied.at": point,
    "applied.force": as("force", { own: "in" }),
    "applied.torque": as("torque", { own: "in" }),
    "applied.toward.body": body,
    "applied.toward.at": point,
    "spring.bodies.*": body,
    "spring.points.0": as("point", { by: 0 }),
    "spring.points.1": as("point", { by: 1 }),
    "drag.body": body,
  },
  cables: {
    ...each(["start", "end"], { body, at: point, direction: along }),
    "path.*": point,
    ...each(["route.*"], { winch: as("drum"), pulley: body, ring: body, attach: body, at: point, axis: about, axial_offset: as("hand") }),
  },
  winches: { on: body, at: point, axis: about },
  tools: { body, edge: as("edge", own), face: as("along", own) },
  bins: { body, at: as("point", own), rims: as("rims", own) },
  wheels: { body, at: as("point", own), axis: as("about", own), up: as("along", own) },
  tracks: { frame: body, sprocket: body, axle: as("about", { own: true, usual: LEFT }), "line.*": as("point", own) },
  inputs: { "drives.*.joint": as("joint"), "drives.*.cable": as("cable"), "drives.*.vehicle": as("vehicle") },
};

/** What stands at the places of an entry that a pattern names; undefined where only the last key is missing. */
function places(entry: Json, pattern: string): { key: string[]; value: Json | undefined }[] {
  let found: { key: string[]; value: Json | undefined }[] = [{ key: [], value: entry }];
  for (const part of pattern.split(".")) {
    found = found.flatMap(({ key, value }) => {
      if (Array.isArray(value)) return value.flatMap((v, i) => (part === "*" || part === String(i) ? [{ key: [...key, String(i)], value: v }] : []));
      return value && typeof value === "object" && part !== "*" ? [{ key: [...key, part], value: value[part] }] : [];
    });
  }
  return found;
}

/** The value at a key of an entry. */
export function valueAt(entry: Json, key: string[]): Json | undefined {
  return key.reduce<Json | undefined>((value, part) => (value && typeof value === "object" ? (value as Table)[part] : undefined), entry);
}

/** Changes the value at a key of an entry. */
export function put(entry: Table, key: string[], value: Json) {
  const last = key[key.length - 1]!;
  (valueAt(entry, key.slice(0, -1)) as Table)[last] = value;
}

function* keysOf(section: string, entry: Json): Generator<{ key: string[]; value: Json | undefined; is: Key }> {
  for (const [pattern, is] of Object.entries(KEYS[section] ?? {})) for (const place of places(entry, pattern)) yield { ...place, is };
}

const isReference = (is: Key["is"]): is is Reference => is in SECTIONS;

/** Names that an entry refers to, and where. */
export function references(section: string, entry: Json): { key: string[]; is: Reference; name: string }[] {
  return [...keysOf(section, entry)].flatMap(({ key, value, is }) => (isReference(is.is) && typeof value === "string" ? [{ key, is: is.is, name: value }] : []));
}

/** A key with another value; null if that cannot be computed, since the present one is an expression. */
export interface Sent {
  key: string[];
  value: Json | null;
}

/** Keys of an entry that have other values when all of its bodies go one way, with these values. */
export function sent(section: string, entry: Json, way: THREE.Matrix4): Sent[] {
  return [...keysOf(section, entry)].flatMap(({ key, value, is }) => {
    const parent = valueAt(entry, key.slice(0, -1)) as Table;
    const now = value ?? ("frames" in parent ? undefined : is.usual);
    const isOwn = is.own === true || (is.own !== undefined && parent[is.own] === "body");
    if (now === undefined || isReference(is.is) || (isOwn && way.determinant() > 0)) return [];
    const after = image(is.is, now, isOwn ? linear(way) : way);
    return after === undefined ? [] : [{ key, value: after }];
  });
}

/**
 * Keys of an entry that have other values when bodies go, each its own way: what is in one place goes with the body there, and what is
 * of several bodies if all of them go. Forces keep their directions, and what is no plain number stays.
 */
export function carry(section: string, entry: Json, ways: Map<string, THREE.Matrix4>): Sent[] {
  const bodies = references(section, entry).filter(({ is }) => is === "body" || is === "drum");
  const last = bodies[bodies.length - 1];
  const all = last && bodies.every(({ name }) => ways.has(name)) ? ways.get(last.name) : undefined;
  const wayOf = (key: string[], by: 0 | 1 | undefined): THREE.Matrix4 | undefined => {
    const beside = (place: string[]) => bodies.find((b) => b.key.length === place.length + 1 && place.every((part, i) => part === b.key[i]));
    const parent = key.slice(0, -1);
    if (by !== undefined) return ways.get(String(valueAt(entry, [key[0]!, "bodies", String(by)])));
    // the first and the last point of a path are those of its ends
    const path = key[0] === "path" ? (entry as Table).path : undefined;
    const end = key[1] === "0" ? "start" : Array.isArray(path) && Number(key[1]) === path.length - 1 ? "end" : null;
    const holder = path === undefined ? beside(parent) : end === null ? undefined : beside([end]);
    return holder ? ways.get(holder.name) : all;
  };
  return [...keysOf(section, entry)].flatMap(({ key, value, is }) => {
    const way = is.is === "point" || is.is === "along" || is.is === "about" ? wayOf(key, is.by) : undefined;
    const now = value ?? ("frames" in (valueAt(entry, key.slice(0, -1)) as Table) ? undefined : is.usual);
    if (!way || is.own || !now) return [];
    const after = image(is.is as Place, now, way);
    return after === undefined || after === null ? [] : [{ key, value: after }];
  });
}

/** The part of a way without its shift. */
export function linear(way: THREE.Matrix4): THREE.Matrix4 {
  return way.clone().setPosition(0, 0, 0);
}

const SAME = new THREE.Matrix4();

/** What a value becomes on a way; undefined if it stays, null if it cannot be computed. */
export function image(is: Place, value: Json, way: THREE.Matrix4): Json | null | undefined {
  const turned = linear(way);
  const isMirror = way.determinant() < 0;
  const signs = [0, 5, 10].map((i) => Math.sign(way.elements[i]!));
  switch (is) {
    case "point":
      return way.equals(SAME) ? undefined : mapped(value, "m", (v) => v.applyMatrix4(way));
    case "along":
    case "force":
      return turned.equals(SAME) ? undefined : mapped(value, null, (v) => v.applyMatrix4(turned));
    case "about":
    case "torque":
      return turned.equals(SAME) ? undefined : mapped(value, null, (v) => v.applyMatrix4(turned).multiplyScalar(isMirror ? -1 : 1));
    case "hand":
      return isMirror ? negated(value) : undefined;
    // what follows is in the axes of a body, in a mirror across one of the axes
    case "quaternion": {
      const [w, ...v] = Array.isArray(value) ? value : [];
      const axis = mapped(v, null, (d) => d.applyMatrix4(turned).multiplyScalar(-1));
      return w === undefined || axis === null ? null : axis && [w, ...axis];
    }
    case "tensor": {
      // moments stay, products of inertia change their signs; of six rows the second three are of rotations
      if (!Array.isArray(value) || !value.every(Array.isArray)) return undefined;
      const sign = (i: number) => (i < 3 ? signs[i]! : -signs[i - 3]!);
      const rows = value.map((row, i) => (row as Json[]).map((v, j) => (sign(i) * sign(j) < 0 ? negated(v) : v)));
      return rows.flat().includes(null) ? null : rows;
    }
    case "triangle":
      return Array.isArray(value) ? [...value].reverse() : undefined;
    case "edge": {
      // from right to left
      if (!Array.isArray(value)) return null;
      const points = value.map((p) => (image("point", p, way) === undefined ? p : image("point", p, way)!));
      return points.includes(null) ? null : points.reverse();
    }
    case "rims": {
      const swapped: Table = {};
      const other: Record<string, string> = { ...(signs[0]! < 0 ? { front: "back", back: "front" } : {}), ...(signs[1]! < 0 ? { left: "right", right: "left" } : {}) };
      for (const [side, height] of Object.entries(value as Table)) swapped[other[side] ?? side] = height;
      return swapped;
    }
  }
}

/** Lengths of units [m]. */
const METRES: Record<string, number> = { m: 1, cm: 0.01, mm: 0.001, km: 1000 };

/** A number with its unit; null for an expression. */
function parted(value: Json | undefined): { number: number; unit: string } | null {
  if (typeof value === "number") return { number: value, unit: "" };
  const [, number, unit] = (typeof value === "string" && /^\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*([^\s=].*?)?\s*$/i.exec(value)) || [];
  return number === undefined ? null : { number: Number(number), unit: unit ?? "" };
}

/** Three components, sent somewhere; undefined if they stay the same, null if they are no numbers of one unit. */
function mapped(value: Json, unit: "m" | null, by: (v: THREE.Vector3) => THREE.Vector3): Json[] | null | undefined {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const parts = value.map(parted);
  if (parts.some((p) => p === null || (unit === "m" && p.unit !== "" && !(p.unit in METRES)))) return null;
  const metres = unit === "m" ? parts.map((p) => ({ number: p!.number * (METRES[p!.unit] ?? 1), unit: "" })) : (parts as { number: number; unit: string }[]);
  const units = new Set(metres.filter((p) => p.number !== 0).map((p) => p.unit));
  if (units.size > 1) return null;
  const before = metres.map((p) => p.number) as Vec3;
  const after = tidyAll(by(new THREE.Vector3(...before)).toArray() as Vec3);
  if (after.every((v, i) => Math.abs(v - before[i]!) <= 1e-6 * Math.max(1, Math.hypot(...before)))) return undefined;
  const [said = ""] = units;
  return after.map((v) => (said === "" || v === 0 ? v : `${v} ${said}`));
}

/** A number or a quantity with the other sign; null for an expression. */
function negated(value: Json | undefined): Json | null {
  if (typeof value === "number") return -value + 0;
  if (parted(value) === null) return null;
  const text = String(value).trim();
  return text.startsWith("-") ? text.slice(1) : `-${text.replace(/^\+/, "")}`;
}
