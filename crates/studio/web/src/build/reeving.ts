/**
 * Winches and routed ropes. Picked points become a route: each pulley gets the axis across the plane of its two spans, the side
 * the rope runs on, and a radius for the rope's diameter; the drum is turned into the plane of the rope.
 */
import type { Body, Change, Json, Table, Tree, Vec3 } from "../protocol";
import { asVec, freeName, tidy, tidyAll } from "./numbers";
import { entryOf, namesIn, type Anchor } from "./make";
import { thickness } from "./structure";
import { between, cross, dot, minus, niceBelow, plus, said, straightened, times, unit } from "./vectors";

/** Radius of sheaves and drums over the diameter of the rope; wire rope permits 11.5. */
const BEND = 12.5;
/** Pull per cross-section of a rope, in N per (mm of diameter)²: a fifth of the breaking load of 6x36 IWRC. */
const PULL = 120;
/** Rope speed of a winch [m/s]. */
const ROPE_SPEED = 0.5;

export type RouteKind = "winch" | "pulley" | "ring" | "attach";
export interface RoutePick {
  kind: RouteKind;
  body: string;
  at: Vec3;
  /** The face that was clicked, and the middle of the body. */
  normal?: Vec3;
  middle?: Vec3;
}

/** Diameter of a rope for a path of a length [m]: 16 mm for machines, less for models. */
export function ropeDiameter(path: number): number {
  return path >= 4 ? 0.016 : path >= 2 ? 0.008 : path >= 1 ? 0.004 : 0.002;
}

/** A winch on a face: its drum lies across the face and turns about a horizontal axis. */
export function newWinch(tree: Tree | undefined, on: Anchor, body: Body | undefined): { name: string; changes: Change[] } {
  const wide = thickness(body);
  const radius = wide > 0 ? tidy(Math.min(0.5, Math.max(0.05, Math.round(wide * 0.7 * 20) / 20))) : 0.2;
  const rope = radius / BEND;
  const pull = PULL * (rope * 1000) ** 2;
  // off the face by the rope and a hand's breadth of the drum
  const at = tidyAll(plus(on.at, times(on.normal, 1.25 * radius)));
  const flat = unit(cross([0, 0, 1], on.normal));
  const axis = flat ? straightened(flat) : ([0, 1, 0] as Vec3);
  const torque = Number((pull * radius).toPrecision(1));
  const value: Table = {
    on: on.body,
    at,
    axis: tidyAll(axis),
    radius: `${Math.round(radius * 1000)} mm`,
    mass: `${Number((0.3 * 7850 * Math.PI * radius ** 2 * 2 * radius).toPrecision(2))} kg`,
    motor: { torque: said(torque, "N*m") },
    brake: said(1.5 * torque, "N*m"),
  };
  const name = freeName("hoist", [...namesIn(tree, "winches"), ...namesIn(tree, "bodies"), ...namesIn(tree, "joints")]);
  return { name, changes: [{ set: ["winches", name], value, comment: `A winch that pulls ${said(torque / radius, "N")}; its brake holds 1.5 times that.` }] };
}

/** Radius of a winch [m], as far as it is written in plain numbers or millimetres. */
function winchRadius(tree: Tree | undefined, name: string): number | null {
  const radius = entryOf(tree, "winches", name)?.radius;
  if (typeof radius === "number") return radius;
  const mm = typeof radius === "string" ? /^\s*([\d.]+)\s*(mm|cm|m)\s*$/.exec(radius) : null;
  return mm ? Number(mm[1]) * { mm: 1e-3, cm: 1e-2, m: 1 }[mm[2] as "mm" | "cm" | "m"] : null;
}

/** Why these points are no route, or null. */
export function routeTrouble(points: RoutePick[]): string | null {
  if (points.length < 2) return "A rope needs at least two points.";
  const [first, last] = [points[0]!, points[points.length - 1]!];
  if (![first.kind, last.kind].every((k) => k === "winch" || k === "attach")) return "A rope begins and ends on a winch or at a fixed point.";
  if (points.slice(1, -1).some((p) => p.kind === "winch")) return "A winch is an end of a rope: it cannot be in between.";
  if (points.every((p) => p.body === first.body)) return "All points are on the same body: pick a point of another.";
  return null;
}

/** The rope through picked points, and the drum turned to it. */
export function newRoute(tree: Tree | undefined, picked: RoutePick[]): { name: string; changes: Change[] } {
  const picks = amidst(picked, pulleyAxes(tree, picked));
  const path = picks.slice(1).reduce((sum, p, i) => sum + between(p.at, picks[i]!.at), 0);
  const drums = picks.flatMap((p) => (p.kind === "winch" ? [winchRadius(tree, p.body) ?? Infinity] : []));
  // no thicker than the drum permits, in whole millimetres
  const diameter = Math.max(0.001, Math.min(ropeDiameter(path), Math.floor(Math.min(...drums, Infinity) * (1000 / 11.5) + 1e-9) / 1000));
  const radius = tidy(Math.ceil(BEND * diameter * 100) / 100);
  const axes = pulleyAxes(tree, picks);
  const route: Json[] = picks.map((pick, i): Table => {
    if (pick.kind === "winch") return { winch: pick.body };
    if (pick.kind === "pulley") return { pulley: pick.body, at: tidyAll(pick.at), axis: tidyAll(axes[i]!.axis), radius: `${Math.round(radius * 1000)} mm`, wrap_direction: axes[i]!.side };
    const at = pick.kind === "attach" ? besidePulley(picks, i, axes, radius) : pick.at;
    return { [pick.kind]: pick.body, at: tidyAll(at) };
  });
  const name = freeName("rope", namesIn(tree, "cables"));
  const value: Table = { section: { construction: "6x36 IWRC", diameter: `${Math.round(diameter * 1000)} mm` }, route };
  return { name, changes: [...turnedDrums(tree, picks, axes), { set: ["cables", name], value, comment: told(picks) }] };
}

/** The route in words. */
function told(picks: RoutePick[]): string {
  const names = picks.map((p) => (p.kind === "pulley" ? `over a pulley on ${p.body}` : p.kind === "ring" ? `through a ring on ${p.body}` : p.body));
  return `A rope from ${[names[0], ...names.slice(1, -1)].join(" ")} to ${names[names.length - 1]}.`;
}

/** A pulley that was picked on a face across its axis sits in the middle of its body: between the cheeks of a block. */
function amidst(picks: RoutePick[], axes: (Turned | null)[]): RoutePick[] {
  return picks.map((pick, i) => {
    const axis = axes[i]?.axis;
    if (!axis || !pick.normal || !pick.middle || Math.abs(dot(pick.normal, axis)) < 0.9) return pick;
    return { ...pick, at: plus(pick.at, times(axis, dot(minus(pick.middle, pick.at), axis))) };
  });
}

type Turned = { axis: Vec3; side: "ccw" | "cw" };

/** Axis of each pulley and the side on which the rope runs: across its two spans; where they are in line, as its neighbour. */
function pulleyAxes(tree: Tree | undefined, picks: RoutePick[]): (Turned | null)[] {
  const axes = picks.map((pick, i): Turned | null => {
    const [before, after] = [picks[i - 1], picks[i + 1]];
    if (pick.kind !== "pulley" || !before || !after) return null;
    const [into, out] = [unit(minus(pick.at, before.at)), unit(minus(after.at, pick.at))];
    if (!into || !out) return null;
    const turn = cross(into, out);
    // spans in line, or back along themselves: the neighbours decide
    if (Math.hypot(...turn) < 0.02) return null;
    return oriented(straightened(unit(turn)!));
  });
  for (let i = 0; i < picks.length; i++) {
    if (picks[i]!.kind !== "pulley" || axes[i]) continue;
    axes[i] = [...axes.slice(0, i).reverse(), ...axes.slice(i + 1)].find((a) => a !== null) ?? alone(tree, picks, i);
  }
  return axes;
}

/** An axis that points to the positive side, and the direction about it; the rope has it on its left about the given one. */
function oriented(axis: Vec3): Turned {
  const positive = axis.find((v) => Math.abs(v) > 1e-6)! > 0;
  return positive ? { axis, side: "ccw" } : { axis: times(axis, -1), side: "cw" };
}

/** A pulley with spans in line and no other: across the rope, as its drum or horizontal. */
function alone(tree: Tree | undefined, picks: RoutePick[], i: number): Turned {
  const drum = picks.find((p) => p.kind === "winch");
  const way = unit(minus(picks[i]!.at, picks[i - 1]!.at)) ?? [1, 0, 0];
  const axis = (drum && asVec(entryOf(tree, "winches", drum.body)?.axis)) ?? unit(cross([0, 0, 1], way)) ?? [0, 1, 0];
  return oriented(straightened(axis));
}

/**
 * A fixed point that was picked at the middle of a pulley is moved beside it by the radius, so that the last fall is parallel to the
 * one before.
 */
function besidePulley(picks: RoutePick[], i: number, axes: (Turned | null)[], radius: number): Vec3 {
  const pick = picks[i]!;
  const near = i === 0 ? 1 : i - 1;
  const [other, turned] = [picks[near], axes[near]];
  const taken = picks.some((p, k) => k !== i && p.kind === "pulley" && p.body === pick.body && between(p.at, pick.at) < radius);
  if (!taken || !other || other.kind !== "pulley" || !turned) return pick.at;
  const way = unit(minus(pick.at, other.at));
  if (!way) return pick.at;
  // the middle of the other pulley is on the rope's left if it runs counterclockwise; a rope that begins here runs the other way
  const left = cross(turned.axis, way);
  const sign = (turned.side === "ccw" ? -1 : 1) * (i === 0 ? -1 : 1);
  return plus(pick.at, times(left, sign * radius));
}

/** Drums whose axis is not across the rope are turned, if nothing else is wound on them. */
function turnedDrums(tree: Tree | undefined, picks: RoutePick[], axes: (Turned | null)[]): Change[] {
  return [0, picks.length - 1].flatMap((i): Change[] => {
    const pick = picks[i]!;
    const next = i === 0 ? 1 : i - 1;
    const own = pick.kind === "winch" ? asVec(entryOf(tree, "winches", pick.body)?.axis) : null;
    if (!own || isWound(tree, pick.body)) return [];
    const way = unit(minus(picks[next]!.at, pick.at));
    if (!way) return [];
    const wanted = axes[next]?.axis ?? straightened(unit(cross([0, 0, 1], way)) ?? own);
    if (Math.abs(dot(own, wanted)) > 0.9 * Math.hypot(...own)) return [];
    return [{ set: ["winches", pick.body, "axis"], value: tidyAll(wanted) }];
  });
}

/** Whether a rope is on a winch. */
function isWound(tree: Tree | undefined, winch: string): boolean {
  return namesIn(tree, "cables").some((name) => {
    const route = entryOf(tree, "cables", name)?.route;
    return Array.isArray(route) && route.some((p) => (p as Table).winch === winch);
  });
}

/** Speed of a drum for a usual speed of the rope [rad/s]. */
export function drumSpeed(tree: Tree | undefined, winch: string): number {
  return niceBelow(ROPE_SPEED / (winchRadius(tree, winch) ?? 0.2));
}

/** Centre of a drum. */
export function winchPlace(tree: Tree | undefined, winch: string): Vec3 | null {
  return asVec(entryOf(tree, "winches", winch)?.at);
}

/**
 * Puts a pulley or a ring into a route, after the point where the span begins. Null if the route is not written in this text.
 */
export function inserted(tree: Tree | undefined, rope: string, after: number, kind: "pulley" | "ring", on: Anchor): Change[] | null {
  const cable = entryOf(tree, "cables", rope);
  const route = cable?.route;
  if (!cable || !Array.isArray(route) || on.body === null) return null;
  const places = route.map((p) => routePlace(tree, p as Table));
  const [from, to] = [places[after], places[after + 1]];
  const point: Table = { [kind]: on.body, at: tidyAll(on.at) };
  if (kind === "pulley") {
    const section = cable.section as Table | undefined;
    const mm = typeof section?.diameter === "string" ? Number.parseFloat(section.diameter) : 16;
    const turn = from && to ? unit(cross(minus(on.at, from), minus(to, on.at))) : null;
    const turned = oriented(straightened(turn ?? [0, 1, 0]));
    Object.assign(point, { axis: tidyAll(turned.axis), radius: `${Math.ceil((BEND * mm) / 10) * 10} mm`, wrap_direction: turned.side });
  }
  return [{ set: ["cables", rope, "route"], value: [...route.slice(0, after + 1), point, ...route.slice(after + 1)] }];
}

/** Where a point of a route is; null if it is an expression. */
function routePlace(tree: Tree | undefined, point: Table): Vec3 | null {
  return asVec(point.at) ?? (typeof point.winch === "string" ? winchPlace(tree, point.winch) : null);
}

/** The span of a route nearest to a place, by the number of its first point. */
export function nearestSpan(tree: Tree | undefined, rope: string, place: Vec3): number | null {
  const route = entryOf(tree, "cables", rope)?.route;
  if (!Array.isArray(route)) return null;
  const places = route.map((p) => routePlace(tree, p as Table));
  let best: { at: number; far: number } | null = null;
  for (let i = 0; i + 1 < places.length; i++) {
    const [a, b] = [places[i], places[i + 1]];
    if (!a || !b) continue;
    const way = minus(b, a);
    const part = Math.min(1, Math.max(0, dot(minus(place, a), way) / (dot(way, way) || 1)));
    const far = between(place, plus(a, times(way, part)));
    if (!best || far < best.far) best = { at: i, far };
  }
  return best?.at ?? null;
}
