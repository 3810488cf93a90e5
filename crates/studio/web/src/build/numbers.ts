/** Numbers and names as an editor writes them: rounded, on the grid, and free. */
import type { Json, Turn, Vec3 } from "../protocol";
import * as store from "../store";

/** Finest difference written [m, rad or 1]. */
const FINEST = 1e-6;
/** Steps of the grid [m] and of turns [°] that can be chosen. */
export const GRID_STEPS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 5];
export const TURN_STEPS = [1, 5, 10, 15, 30, 45, 90];

/** The grid that positions snap to [m], with Shift a tenth of it; 0 without snapping. */
export function gridStep(fine: boolean): number {
  return store.snapping.value ? store.snapGrid.value * (fine ? 0.1 : 1) : 0;
}

/** The step of turns [°]: with Shift whole degrees, or tenths; 0 without snapping. */
export function turnStep(fine: boolean): number {
  if (!store.snapping.value) return 0;
  return fine ? (store.snapTurn.value > 1 ? 1 : 0.1) : store.snapTurn.value;
}

/** A number without the dust of computing: 0.30000000000000004 is 0.3. */
export function tidy(value: number): number {
  const rounded = Math.round(value / FINEST) * FINEST;
  return Number(rounded.toFixed(6)) + 0;
}

export function tidyAll<T extends number[]>(values: T): T {
  return values.map(tidy) as T;
}

/** The nearest place on a grid; a step of 0 leaves it as it is. */
export function snap(value: number, step: number): number {
  return step > 0 ? tidy(Math.round(value / step) * step) : value;
}

/**
 * A point on a surface, on the grid along it: the coordinate across the surface, the one with the largest part of the normal,
 * stays on the surface.
 */
export function snapOn(point: Vec3, normal: Vec3, step: number): Vec3 {
  const size = normal.map(Math.abs);
  const across = size.indexOf(Math.max(...size));
  return point.map((v, i) => (i === across ? tidy(v) : snap(v, step))) as Vec3;
}

/** A round size, 1, 2 or 5 times a power of ten, for something seen from so far. */
export function niceSize(distance: number): number {
  const wish = Math.max(1e-3, distance / 20);
  const power = 10 ** Math.floor(Math.log10(wish));
  const part = wish / power;
  return tidy(power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10));
}

/** `stem`, or with the least number from 2 behind it that makes a name nobody has. */
export function freeName(stem: string, taken: Iterable<string>): string {
  const all = new Set(taken);
  if (!all.has(stem)) return stem;
  const bare = stem.replace(/\d+$/, "") || stem;
  for (let n = 2; ; n++) if (!all.has(`${bare}${n}`)) return `${bare}${n}`;
}

/** What is wrong with a name, or null: names are 1 to 200 bytes without control characters, and braces are for expressions. */
export function nameTrouble(name: string): string | null {
  const bytes = new TextEncoder().encode(name).length;
  if (bytes === 0) return "give a name";
  if (bytes > 200) return "at most 200 bytes";
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) return "no control characters";
  if (/[{}[\]()]/.test(name)) return "no brackets: they mean values and elements of cables";
  return null;
}

/** A turn as scene files write it, about an axis; null for no turn. */
export function asTurn([w, x, y, z]: Turn): { axis: Vec3; angle: string } | null {
  const size = Math.hypot(x, y, z);
  if (size < 1e-9) return null;
  let angle = 2 * Math.atan2(size, w);
  if (angle > Math.PI) angle -= 2 * Math.PI;
  let axis: Vec3 = [x / size, y / size, z / size];
  // about an axis of the frame rather than against it
  if (Math.min(...axis) < -0.999999) {
    axis = axis.map((v) => -v) as Vec3;
    angle = -angle;
  }
  const degrees = Number(((angle * 180) / Math.PI).toFixed(4)) + 0;
  return degrees === 0 ? null : { axis: tidyAll(axis), angle: `${degrees} deg` };
}

/** Three plain numbers, or null when some are texts or expressions. */
export function asVec(value: Json | undefined): Vec3 | null {
  return Array.isArray(value) && value.length === 3 && value.every((v) => typeof v === "number") ? (value as Vec3) : null;
}
