/** Measures that stay on the picture: points fixed to bodies or to space, and the distance, slope or angle between them as bodies move. */
import { signal } from "@preact/signals";
import * as THREE from "three";
import type { Scene, Vec3 } from "../protocol";
import * as store from "../store";
import type { MachineTool } from "./machine-tools";
import type { Anchor } from "./make";
import { cross, dot, length, minus } from "./vectors";

/** A point in the axes of a body, or of the world. */
export interface Mark {
  body: string | null;
  at: Vec3;
}

export interface Measure {
  id: number;
  kind: "distance" | "angle";
  marks: Mark[];
}

/** Those on the picture, and the scene they belong to. */
export const measures = signal<Measure[]>([]);
let count = 0;

export function removeMeasure(id: number) {
  measures.value = measures.value.filter((m) => m.id !== id);
}

export function markOf(place: Anchor, scene: Scene, poses: THREE.Matrix4[] | undefined): Mark {
  const at = scene.bodies.findIndex((b) => b.name === place.body);
  const pose = poses?.[at];
  if (!pose) return { body: null, at: place.at };
  return { body: place.body, at: new THREE.Vector3(...place.at).applyMatrix4(pose.clone().invert()).toArray() as Vec3 };
}

/** Where a mark is now; null if its body is gone. */
export function placeOf(mark: Mark, scene: Scene, poses: THREE.Matrix4[]): Vec3 | null {
  if (mark.body === null) return mark.at;
  const pose = poses[scene.bodies.findIndex((b) => b.name === mark.body)];
  return pose ? (new THREE.Vector3(...mark.at).applyMatrix4(pose).toArray() as Vec3) : null;
}

const metres = (v: number) => (Math.abs(v) < 1 ? `${Number((1000 * v).toFixed(1))} mm` : `${Number(v.toFixed(3))} m`);

/** A measure in words: its value, and the parts of a distance. */
export function told(kind: Measure["kind"], places: Vec3[]): { value: string; parts: string } {
  const [a, b, c] = places as [Vec3, Vec3, Vec3 | undefined];
  if (kind === "angle" && c) {
    const [p, q] = [minus(a, b), minus(c, b)];
    return { value: `${Number(degrees(Math.atan2(length(cross(p, q)), dot(p, q))).toFixed(2))}°`, parts: "" };
  }
  const way = minus(b, a);
  const slope = degrees(Math.atan2(Math.abs(way[2]), Math.hypot(way[0], way[1])));
  return { value: metres(length(way)), parts: `Δx ${metres(way[0])}, Δy ${metres(way[1])}, Δz ${metres(way[2])}; ${Number(slope.toFixed(2))}° to the horizontal` };
}

const degrees = (angle: number) => (angle * 180) / Math.PI;

export const measure: MachineTool = {
  click({ stage, scene, place, picked }) {
    const tool = store.tool.value;
    if (tool.kind !== "measure") return "no";
    const places = [...picked, place];
    if (places.length < (tool.what === "angle" ? 3 : 2)) return "more";
    const marks = places.map((p) => markOf(p, scene, stage.bodies?.poses));
    measures.value = [...measures.value, { id: ++count, kind: tool.what, marks }];
    return "next";
  },
  hint(picked) {
    const tool = store.tool.value;
    if (tool.kind === "measure" && tool.what === "angle") return ["Angle: click a point on the first leg.", "Click the vertex.", "Click a point on the second leg."][picked.length] ?? "";
    return picked.length === 0 ? "Distance: click the first point. Escape ends measuring." : "Click the second point.";
  },
};
