/** Steel and concrete of a machine: beams between two points, foundations, hook blocks; and the size of a body. */
import * as THREE from "three";
import type { Body, Change, Table, Tree, Vec3 } from "../protocol";
import { freeName, tidy, tidyAll, asTurn } from "./numbers";
import { namesIn, type Anchor } from "./make";
import { between, dot, minus, plus, straightened, times, unit } from "./vectors";

/** Length over width of a beam. */
const SLENDER = 12;
/** Part of a solid beam's mass that a hollow section has: walls of a twentieth of the width. */
const HOLLOW = 0.19;
const STEEL = 7850;
/** Shortest beam [m]. */
const SHORTEST = 0.05;

/** Width of a beam of a length, in whole decimetres or centimetres. */
export function beamWidth(length: number): number {
  const wish = length / SLENDER;
  return wish >= 0.15 ? tidy(Math.round(wish * 10) / 10) : Math.max(0.01, tidy(Math.round(wish * 100) / 100));
}

/**
 * A beam from one place to another. One that lies along the face where it starts rests on it. On the ground and in space it is
 * static, on a body it is welded to that.
 */
export function newBeam(tree: Tree | undefined, a: Anchor, b: Anchor, ground: boolean): { name: string; changes: Change[] } | null {
  const span = between(a.at, b.at);
  const way = unit(minus(b.at, a.at));
  if (!way || span < SHORTEST) return null;
  const width = beamWidth(span);
  const along = straightened(way);
  const lifts = Math.abs(dot(way, a.normal)) < 0.1 ? times(a.normal, width / 2) : ([0, 0, 0] as Vec3);
  const position = tidyAll(plus(times(plus(a.at, b.at), 0.5), lifts));
  const main = along.findIndex((v) => Math.abs(v) === 1);
  const size = [0, 1, 2].map((i) => (i === Math.max(0, main) ? tidy(span) : width)) as Vec3;
  const value: Table = { position };
  const fixed = a.body === null || ground;
  if (fixed) value.type = "static";
  if (main < 0) {
    const q = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(1, 0, 0), new THREE.Vector3(...way));
    const turn = asTurn([q.w, q.x, q.y, q.z]);
    if (turn) value.rotation = turn;
  }
  Object.assign(value, { shape: { box: { size } }, material: "steel", color: "#d97706" });
  if (!fixed) value.mass = `${Number((span * width * width * STEEL * HOLLOW).toPrecision(2))} kg`;
  const name = freeName(Math.abs(way[2]) > 0.7 ? "column" : "beam", namesIn(tree, "bodies"));
  const changes: Change[] = [{ set: ["bodies", name], value, ...(fixed ? {} : { comment: `A steel beam of ${tidy(span)} m; its mass is that of a hollow section.` }) }];
  if (!fixed) {
    const weld = freeName(`${name} foot`, namesIn(tree, "joints"));
    changes.push({ set: ["joints", weld], value: { weld: { bodies: [a.body!, name], at: tidyAll(a.at) } } });
  }
  return { name, changes };
}

/** A block of concrete that does not move, on a place. */
export function newFoundation(on: Anchor, size: number): Table {
  return { type: "static", position: tidyAll(plus(on.at, [0, 0, size / 2])), shape: { box: { size: [4 * size, 4 * size, size].map(tidy) } }, material: "concrete" };
}

/** A hook block: cheeks that carry a sheave, and a shank below. It stands on a place. */
export function newHook(on: Anchor, size: number): Table {
  const [s, shank] = [size, tidy(0.3 * size)];
  const cheeks = tidy(0.7 * s);
  return {
    position: tidyAll(plus(on.at, [0, 0, shank + cheeks / 2])),
    material: "steel",
    color: "#eab308",
    parts: [{ shape: { box: { size: [s, tidy(0.4 * s), cheeks] } } }, { shape: { cylinder: { radius: tidy(0.1 * s), length: shank } }, at: [0, 0, tidy(-(cheeks + shank) / 2)] }],
  };
}

/** Smallest extent of a body's shapes [m]; 0 if it has none. */
export function thickness(body: Body | undefined): number {
  const sizes = (body?.shapes ?? []).flatMap((s) => (s.form === "box" ? [Math.min(...s.size)] : s.form === "sphere" ? [2 * s.radius] : "radius" in s ? [Math.min(2 * s.radius, s.length)] : []));
  return sizes.length > 0 ? Math.max(...sizes) : 0;
}
