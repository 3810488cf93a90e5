/** Vectors as the scene's text has them, and values with a unit as one writes them. */
import type { Vec3 } from "../protocol";

export const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: Vec3): number => Math.hypot(...a);
export const between = (a: Vec3, b: Vec3): number => length(minus(a, b));

/** The direction of a vector; null for one without length. */
export function unit(a: Vec3): Vec3 | null {
  const size = length(a);
  return size > 1e-9 ? times(a, 1 / size) : null;
}

/** Cosine of the angle up to which a direction counts as that of an axis: about 10°. */
const NEARLY = 0.985;

/** The main axis that a direction nearly has, pointing to the same side; else the direction itself. */
export function straightened(direction: Vec3): Vec3 {
  const at = direction.findIndex((v) => Math.abs(v) > NEARLY);
  return at < 0 ? direction : ([0, 1, 2].map((i) => (i === at ? Math.sign(direction[at]!) : 0)) as Vec3);
}

/** The least of 1, 2 or 5 times a power of ten that is not below a value. */
export function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  const part = value / power;
  const nice = part <= 1.0001 ? 1 : part <= 2.0001 ? 2 : part <= 5.0001 ? 5 : 10;
  return Number((nice * power).toPrecision(12));
}

/** The largest of 1, 2 or 5 times a power of ten that is not above a value. */
export function niceBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  const part = value / power;
  const nice = part >= 4.9999 ? 5 : part >= 1.9999 ? 2 : 1;
  return Number((nice * power).toPrecision(12));
}

/** A value with a unit, with k before the unit from a thousand on: "5 kN*m". */
export function said(value: number, unit: string): string {
  const [number, prefix] = Math.abs(value) >= 1e6 ? [value / 1e6, "M"] : Math.abs(value) >= 1000 ? [value / 1000, "k"] : [value, ""];
  return `${Number(number.toPrecision(3))} ${prefix}${unit}`;
}
