/** What an operator reads: how full a bucket is, how much soil was moved, the end of the scale of pressures. */
import { niceEnd } from "./colors";
import type { Ground, Tool, ToolState } from "./protocol";

/** Volume of its load, loose, over that between its face and its end plates; null without end plates. */
export function fillOf(tool: Tool, { load }: Pick<ToolState, "load">, ground: Ground | undefined): number | null {
  const density = ground?.soils[0]?.loose;
  if (!tool.capacity || !density) return null;
  return Math.max(0, load) / (density * tool.capacity);
}

/** Volumes of all grounds [m³], and the mass that was cut, as it was in the bank [kg]. */
export function movedOf(grounds: Ground[], volumes: { cut: number; fill: number }[]): { cut: number; fill: number; mass: number } {
  let [cut, fill, mass] = [0, 0, 0];
  volumes.forEach((own, i) => {
    cut += own.cut;
    fill += own.fill;
    mass += own.cut * (grounds[i]?.soils[0]?.density ?? 0);
  });
  return { cut, fill, mass };
}

/** Least end of the scale of pressures: that of common machines [Pa]. */
const USUAL = 200e5;

export function pressureEnd(pressures: number[]): number {
  return niceEnd(pressures.reduce((a, b) => Math.max(a, b), USUAL));
}
