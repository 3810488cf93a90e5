/**
 * A handle that is dragged in one view → what it does to the bodies: rays of the pointer in that view become a displacement, a
 * rotation or factors of scale. Axes are named as three's handles name them: X, XY and so on, XYZ for all, E for the outer ring,
 * XYZE for the sphere within the rings. Typed numbers take the place of the pointer.
 */
import * as THREE from "three";
import type { Vec3 } from "../protocol";

export interface Grip {
  mode: "translate" | "rotate" | "scale";
  axis: string;
  /** Where the handles are, and how their axes lie: those of the world for displacements, else of the body. */
  position: THREE.Vector3;
  frame: THREE.Quaternion;
  /** Unit vectors of the view: toward the eye, to the right and up. */
  eye: THREE.Vector3;
  right: THREE.Vector3;
  up: THREE.Vector3;
  /** Radius of the rings and length of the arrows as drawn [m]. */
  radius: number;
  /** The pointer when the handle was taken. */
  from: THREE.Ray;
}

const NAMES = ["X", "Y", "Z"] as const;
/** Below this cosine between its axis and the look a ring is seen from its edge. */
const EDGE = 0.25;
/** Least factor of scale: sizes stay positive. */
const LEAST = 0.01;

/** The axes of the handles that an axis name contains, as directions in the world. */
export function directions(grip: Grip): THREE.Vector3[] {
  return NAMES.filter((n) => grip.axis.includes(n)).map((n) => unit(n).applyQuaternion(grip.frame));
}

function unit(name: (typeof NAMES)[number]): THREE.Vector3 {
  return new THREE.Vector3(name === "X" ? 1 : 0, name === "Y" ? 1 : 0, name === "Z" ? 1 : 0);
}

/** Where a ray meets the plane through the handles with that normal; null when it runs along it. */
function meets(grip: Grip, ray: THREE.Ray, normal: THREE.Vector3): THREE.Vector3 | null {
  const fall = ray.direction.dot(normal);
  if (Math.abs(fall) < 1e-4) return null;
  // the whole line, not only what is before the eye: a parallel view has no behind
  const t = grip.position.clone().sub(ray.origin).dot(normal) / fall;
  return ray.origin.clone().addScaledVector(ray.direction, t);
}

/** Displacement of the pointer in the plane that the handle moves in. */
function shift(grip: Grip, ray: THREE.Ray): THREE.Vector3 | null {
  const axes = directions(grip);
  const normal = grip.eye.clone();
  // along an axis: the plane through it that faces the eye most; along two: theirs; along all: that of the view
  if (axes.length === 1) normal.addScaledVector(axes[0]!, -normal.dot(axes[0]!));
  if (axes.length === 2) normal.crossVectors(axes[0]!, axes[1]!);
  if (normal.lengthSq() < 1e-4) return null;
  normal.normalize();
  const [a, b] = [meets(grip, grip.from, normal), meets(grip, ray, normal)];
  if (!a || !b) return null;
  const by = b.sub(a);
  return axes.length === 1 ? axes[0]!.clone().multiplyScalar(by.dot(axes[0]!)) : by;
}

/** Displacement of the bodies [m, world axes]; null when the pointer says none. A typed number is along the first axis. */
export function translation(grip: Grip, ray: THREE.Ray, typed: number | null): THREE.Vector3 | null {
  if (typed !== null) return directions(grip)[0]!.clone().multiplyScalar(typed);
  return shift(grip, ray);
}

/** Moves a displaced position to the grid, along the axes it was displaced along. A step of 0 leaves it. */
export function onGrid(start: THREE.Vector3, by: THREE.Vector3, step: number): THREE.Vector3 {
  const end = start.clone().add(by);
  if (step <= 0) return end;
  for (const i of [0, 1, 2]) {
    const moves = Math.abs(by.getComponent(i)) > 1e-6 * by.length();
    if (moves) end.setComponent(i, Math.round(end.getComponent(i) / step) * step);
  }
  return end;
}

/** Rotation of the bodies: axis in the world and angle [rad]; a typed number is in degrees. */
export function rotation(grip: Grip, ray: THREE.Ray, typed: number | null): { axis: THREE.Vector3; angle: number } | null {
  if (grip.axis === "XYZE" && typed === null) return rolled(grip, ray);
  const single = grip.axis.length === 1 && grip.axis !== "E";
  const axis = single ? directions(grip)[0]! : grip.eye.clone();
  if (typed !== null) return { axis, angle: THREE.MathUtils.degToRad(typed) };
  if (Math.abs(axis.dot(grip.eye)) < EDGE) {
    // from its edge a ring is a line: its near side goes with the pointer
    const along = new THREE.Vector3().crossVectors(axis, grip.eye).normalize();
    const [a, b] = [meets(grip, grip.from, grip.eye), meets(grip, ray, grip.eye)];
    return a && b ? { axis, angle: b.sub(a).dot(along) / grip.radius } : null;
  }
  const [a, b] = [meets(grip, grip.from, axis), meets(grip, ray, axis)];
  if (!a || !b) return null;
  a.sub(grip.position);
  b.sub(grip.position);
  return { axis, angle: Math.atan2(a.clone().cross(b).dot(axis), a.dot(b)) };
}

/** The sphere rolls with the pointer, one radian for each radius of the rings. */
function rolled(grip: Grip, ray: THREE.Ray): { axis: THREE.Vector3; angle: number } | null {
  const [a, b] = [meets(grip, grip.from, grip.eye), meets(grip, ray, grip.eye)];
  const way = a && b && b.sub(a);
  if (!way || way.length() < 1e-9) return null;
  return { axis: grip.eye.clone().cross(way).normalize(), angle: way.length() / grip.radius };
}

/** Factors of scale along the body's axes: one more for each length of an arrow that the handle is pulled outward. */
export function scaling(grip: Grip, ray: THREE.Ray, typed: number | null): Vec3 | null {
  const factor = (part: number) => Math.max(LEAST, part);
  const each = (f: (axis: THREE.Vector3) => number) => NAMES.map((n) => (grip.axis.includes(n) ? factor(f(unit(n).applyQuaternion(grip.frame))) : 1)) as Vec3;
  if (typed !== null) return each(() => typed);
  const by = shift(grip, ray);
  if (!by) return null;
  // the middle handle grows to the right and up
  if (grip.axis === "XYZ") return each(() => 1 + (by.dot(grip.right) + by.dot(grip.up)) / grip.radius);
  const start = meets(grip, grip.from, grip.eye)?.sub(grip.position);
  const outward = (axis: THREE.Vector3) => (start && start.dot(axis) < 0 ? -1 : 1);
  return each((axis) => 1 + (outward(axis) * by.dot(axis)) / grip.radius);
}

/** What a key does to a number that is typed during a drag; null if it is none of its keys. */
export function typedOn(text: string, key: string): string | null {
  if (/^\d$/.test(key)) return text + key;
  if ((key === "." || key === ",") && !text.includes(".")) return `${text || "0"}.`.replace("-.", "-0.");
  if (key === "-") return text.startsWith("-") ? text.slice(1) : `-${text}`;
  if (key === "Backspace") return text.slice(0, -1);
  return null;
}

/** The number typed so far, or null. */
export function typedValue(text: string): number | null {
  return /\d/.test(text) ? Number(text) : null;
}

/** The axes that a key limits a drag to: x, y or z, and with Shift the plane across it. */
export function limited(key: string, shift: boolean, mode: Grip["mode"]): string | null {
  const name = key.toUpperCase();
  if (!["X", "Y", "Z"].includes(name)) return null;
  // a rotation is about one axis
  if (!shift || mode === "rotate") return name;
  return { X: "YZ", Y: "XZ", Z: "XY" }[name]!;
}
