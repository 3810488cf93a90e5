/**
 * The brush: painting over the ground raises, lowers or levels it. A stroke is a row of smooth bumps half a radius apart, which add up to
 * a ridge of the height that is chosen; when the pointer is let go they are added to `mounds` of the ground in the text, as one edit.
 */
import * as THREE from "three";
import type { Change, Table, Vec3 } from "../protocol";
import * as store from "../store";
import { surfaces } from "../earth/now";
import type { Mound, Terrain } from "../earth/terrain";
import type { Viewport } from "../view/viewport";
import { editLater } from "./edit";
import { entryOf } from "./make";
import { tidy } from "./numbers";

export type BrushWay = "raise" | "lower" | "level";
/** Sizes to choose from [m], and heights of a stroke [m]. */
export const RADII = [0.5, 1, 2, 4];
export const HEIGHTS = [0.1, 0.25, 0.5, 1];

/** Distance between bumps, in radii. */
const STEP = 0.5;
/** Sum of bumps of height 1 so far apart along their line: ∫(1 − u²)² du from −1 to 1 over the distance. */
const SUM = 16 / 15 / STEP;
/** Most bumps of a ground in a scene. */
export const MOST = 2000;

interface Stroke {
  ground: number;
  terrain: Terrain;
  way: BrushWay;
  radius: number;
  height: number;
  /** Level that is aimed at [m]. */
  aim: number;
  last: [number, number] | null;
  mounds: Mound[];
}

let stroke: Stroke | null = null;

/** The ground under a place of the canvas, and where. */
export function groundAt(stage: Viewport, x: number, y: number): { ground: number; at: Vec3; distance: number } | null {
  const { ray } = stage.rayAt(x, y);
  const { origin, direction } = ray.ray;
  const hit = surfaces.run.hit(origin.toArray(), direction.toArray());
  if (!hit) return null;
  return { ground: hit.ground, at: origin.clone().addScaledVector(direction, hit.distance).toArray() as Vec3, distance: hit.distance };
}

/** Begins a stroke; false with words if it cannot. */
export function beginStroke(stage: Viewport, x: number, y: number): boolean {
  const tool = store.tool.value;
  const scene = store.scene.value;
  if (tool.kind !== "brush" || !scene) return false;
  const hit = groundAt(stage, x, y);
  if (!hit) return false;
  if (!store.mayDrive.value) return (store.notify("You are a viewer: take control first.", "bad"), false);
  if (!store.editing.value) return (store.notify("The ground can be shaped only at the start of the scene.", "bad"), false);
  const ground = scene.grounds![hit.ground]!;
  if (!entryOf(scene.tree, "grounds", ground.name)) return (store.notify(`"${ground.name}" comes from an include or a prefab: shape it there, in the text.`, "bad"), false);
  stroke = { ground: hit.ground, terrain: surfaces.run.list[hit.ground]!, way: tool.way, radius: Math.max(tool.radius, ground.spacing), height: tool.height, aim: hit.at[2], last: null, mounds: [] };
  dab([hit.at[0], hit.at[1]]);
  return true;
}

/** The pointer is elsewhere. */
export function goOnStroke(stage: Viewport, x: number, y: number) {
  if (!stroke) return;
  const hit = groundAt(stage, x, y);
  if (!hit || hit.ground !== stroke.ground) return;
  const to: [number, number] = [hit.at[0], hit.at[1]];
  const from = stroke.last!;
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const step = STEP * stroke.radius;
  for (let n = 1; n * step <= far + 1e-9; n++) dab([from[0] + ((to[0] - from[0]) * n * step) / far, from[1] + ((to[1] - from[1]) * n * step) / far]);
}

/** Height of a bump of a stroke at a place, so that the stroke has the height that is chosen, or ends at the level that is aimed at. */
export function dabHeight(way: BrushWay, height: number, aim: number, here: number): number {
  if (way === "level") return Math.max(-height, Math.min(height, aim - here)) / SUM;
  return ((way === "raise" ? 1 : -1) * height) / SUM;
}

function dab(at: [number, number]) {
  if (!stroke) return;
  stroke.last = at;
  const here = stroke.terrain.surface(...at);
  if (here === null) return;
  const height = tidy(Math.round(dabHeight(stroke.way, stroke.height, stroke.aim, here) * 1000) / 1000);
  if (height === 0) return;
  const round = (v: number) => tidy(Math.round(v * 100) / 100);
  stroke.mounds.push({ at: [round(at[0]), round(at[1])], radius: tidy(stroke.radius), height });
  stroke.terrain.paint([...stroke.mounds]);
}

/** Ends the stroke: the bumps become part of the scene. */
export function endStroke(keep: boolean) {
  const done = stroke;
  stroke = null;
  if (!done) return;
  if (!keep || done.mounds.length === 0) return done.terrain.paint([]);
  const name = done.terrain.ground.name;
  const verb = { raise: "Raise", lower: "Lower", level: "Level" }[done.way];
  editLater(({ tree }) => {
    const before = mounds(entryOf(tree, "grounds", name));
    if (before.length + done.mounds.length > MOST) {
      store.notify(`A ground has at most ${MOST} mounds: replace some by a grid of heights.`, "bad");
      done.terrain.paint([]);
      return { label: "", changes: [] };
    }
    return { label: `${verb} ${name}`, changes: withMounds(tree, name, done.mounds) };
  });
}

function mounds(entry: Table | null | undefined): Table[] {
  return Array.isArray(entry?.mounds) ? (entry.mounds as Table[]) : [];
}

/** The change that adds bumps to a ground. */
export function withMounds(tree: Parameters<typeof entryOf>[0], name: string, added: Mound[]): Change[] {
  const before = mounds(entryOf(tree, "grounds", name));
  return [{ set: ["grounds", name, "mounds"], value: [...before, ...added.map(({ at, radius, height }): Table => ({ at: [...at], radius, height }))] }];
}

/** A ring on the ground as wide as the brush. */
export function ringAt(stage: Viewport, x: number, y: number, radius: number): THREE.Vector3[] | null {
  const hit = groundAt(stage, x, y);
  if (!hit) return null;
  const terrain = surfaces.run.list[hit.ground]!;
  return Array.from({ length: 65 }, (_, k) => {
    const [px, py] = [hit.at[0] + radius * Math.cos((2 * Math.PI * k) / 64), hit.at[1] + radius * Math.sin((2 * Math.PI * k) / 64)];
    return new THREE.Vector3(px, py, (terrain.surface(px, py) ?? hit.at[2]) + 0.02);
  });
}
