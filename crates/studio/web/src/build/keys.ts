/**
 * Places and directions of joints as the text has them, in the world, sent through a rotation or a reflection.
 *
 * A direction that something moves along, or stands across, is polar: v → L v for the linear part L. One that something turns about is
 * axial: v → det(L) L v, so that a mirrored hinge opens as its image does and its motor, limits and angles keep their signs.
 * With a polar `x_axis` and an axial `axis` the y axis = axis × x_axis is polar as well. What is left counts the other way in a mirror:
 * displacements along the axis of `six_dof`, its angles about x and y, and displacements of a `cylindrical` joint.
 */
import * as THREE from "three";
import type { Json, Table, Vec3 } from "../protocol";
import { asVec, tidyAll } from "./numbers";

interface Direction {
  key: string;
  turns: boolean;
  /** The direction of a joint that gives none. */
  usual?: Vec3;
}
const about = (key: string, usual?: Vec3): Direction => ({ key, turns: true, usual });
const along = (key: string, usual?: Vec3): Direction => ({ key, turns: false, usual });
const UP: Vec3 = [0, 0, 1];

/** Directions of the kinds that have some. */
const DIRECTIONS: Record<string, Direction[]> = {
  hinge: [about("axis")],
  revolute: [about("axis")],
  slider: [along("axis")],
  prismatic: [along("axis")],
  cylindrical: [about("axis")],
  screw: [about("axis")],
  universal: [about("axes")],
  constant_velocity: [about("axes")],
  point_on_line: [along("axis")],
  point_on_plane: [along("axis")],
  planar: [about("axis"), along("x_axis")],
  six_dof: [about("axis", UP), along("x_axis")],
  car_wheel: [about("axis", [0, 1, 0]), about("steering_axis", UP), along("travel_axis", UP)],
};

/** The part of a way without its shift. */
export function linear(way: THREE.Matrix4): THREE.Matrix4 {
  return way.clone().setPosition(0, 0, 0);
}

export function sentPoint(at: Vec3, way: THREE.Matrix4): Vec3 {
  return tidyAll(new THREE.Vector3(...at).applyMatrix4(way).toArray() as Vec3);
}

/** A direction that something moves along, or that something turns about. */
export function sentDirection(of: Vec3, way: THREE.Matrix4, turns: boolean): Vec3 {
  const sign = turns && way.determinant() < 0 ? -1 : 1;
  return tidyAll(new THREE.Vector3(...of).applyMatrix4(linear(way)).multiplyScalar(sign).toArray() as Vec3);
}

/** A number or a quantity with the other sign; null for an expression. */
function negated(value: Json | undefined): Json | null {
  if (typeof value === "number") return -value;
  if (typeof value !== "string" || !/^\s*[-+]?[\d.]/.test(value)) return null;
  const text = value.trim();
  return text.startsWith("-") ? text.slice(1) : `-${text.replace(/^\+/, "")}`;
}

/**
 * Keys of a joint of a kind that have other values when both of its bodies go one way, with these values. `frames` are in the axes
 * of the bodies, and stay.
 */
export function sentJoint(kind: string, joint: Table, way: THREE.Matrix4): { key: string[]; value: Json }[] {
  const changes: { key: string[]; value: Json }[] = [];
  const put = (key: string[], before: Vec3 | null, after: Vec3) => {
    if (!before || after.some((v, i) => Math.abs(v - before[i]!) > 1e-6 * Math.max(1, Math.hypot(...before)))) changes.push({ key, value: after });
  };
  for (const key of ["at", "to"]) {
    const at = asVec(joint[key]);
    if (at) put([key], at, sentPoint(at, way));
  }
  if (Array.isArray(joint.points)) joint.points.forEach((p, i) => asVec(p) && put(["points", String(i)], asVec(p), sentPoint(asVec(p)!, way)));
  if ("frames" in joint) return changes;
  for (const { key, turns, usual } of DIRECTIONS[kind] ?? []) {
    const given = joint[key];
    if (key === "axes") {
      if (Array.isArray(given)) given.forEach((v, i) => asVec(v) && put([key, String(i)], asVec(v), sentDirection(asVec(v)!, way, turns)));
      continue;
    }
    const direction = given === undefined ? usual : asVec(given);
    if (direction) put([key], direction, sentDirection(direction, way, turns));
  }
  // the image of a right-hand thread is a left-hand one
  const lead = kind === "screw" && way.determinant() < 0 ? negated(joint.lead) : null;
  if (lead !== null) changes.push({ key: ["lead"], value: lead });
  return changes;
}
