/**
 * Motors and servos of joints, and the inputs (levers) that move them. Their sizes come from what they move: torque for the weight
 * and the inertia about the axis, speed for about a metre per second at the farthest body.
 */
import type { Change, Json, Table, Tree, Vec3 } from "../protocol";
import { freeName, tidyAll } from "./numbers";
import { entryOf, namesIn, type Anchor } from "./make";
import { drumSpeed } from "./reeving";
import { cross, dot, length, minus, niceAbove, niceBelow, said, straightened, unit } from "./vectors";

export type DriveKind = "motor" | "servo";

/** Kinds of joint whose first coordinate takes a drive. */
const DRIVEN = ["hinge", "slider", "distance"];

/** The kind of a joint and the table under it. */
export function jointOf(tree: Tree | undefined, name: string): { kind: string; value: Table; bodies: string[] } | null {
  const entry = entryOf(tree, "joints", name);
  for (const [kind, value] of Object.entries(entry ?? {})) {
    if (value && typeof value === "object" && !Array.isArray(value) && Array.isArray(value.bodies)) return { kind, value, bodies: value.bodies.map(String) };
  }
  return null;
}

/** The joint between two bodies, in either order. */
function jointBetween(tree: Tree | undefined, a: string, b: string): string | null {
  return namesIn(tree, "joints").find((name) => {
    const bodies = jointOf(tree, name)?.bodies;
    return !!bodies && bodies.includes(a) && bodies.includes(b);
  }) ?? null;
}

/** Bodies that hang on one, not counting what is beyond another. */
export function beyond(tree: Tree | undefined, moved: string, base: string): Set<string> {
  const links = namesIn(tree, "joints").map((name) => jointOf(tree, name)?.bodies ?? []);
  for (const name of namesIn(tree, "winches")) links.push([name, String(entryOf(tree, "winches", name)?.on)]);
  const found = new Set([moved]);
  for (const body of found) {
    for (const link of links) if (link.includes(body)) for (const other of link) if (other !== base && entryOf(tree, "bodies", other)?.type !== "static") found.add(other);
  }
  return found;
}

/** What a drive has to move. */
export interface Load {
  /** Moment of inertia about the axis [kg m²], mass [kg], moment of the weight about the axis [N m], farthest body [m]. */
  inertia: number;
  mass: number;
  weight: number;
  reach: number;
}

export function loadOn(bodies: { mass: number; at: Vec3; size: number }[], at: Vec3, axis: Vec3): Load {
  const load: Load = { inertia: 0, mass: 0, weight: 0, reach: 0 };
  let moment = 0;
  for (const body of bodies) {
    const arm = minus(body.at, at);
    const across = length(cross(axis, arm));
    load.mass += body.mass;
    load.inertia += body.mass * (across ** 2 + body.size ** 2 / 12);
    moment += dot(cross(arm, [0, 0, -9.81 * body.mass]), axis);
    load.reach = Math.max(load.reach, across + body.size / 2);
  }
  load.weight = Math.abs(moment);
  return load;
}

/** A drive of a kind for a joint. */
export function driveFor(kind: DriveKind, joint: string, load: Load): Table {
  const angular = joint === "hinge";
  const need = angular ? 2 * load.weight + load.inertia : 2 * 9.81 * load.mass;
  const force = niceAbove(Math.max(need, 1));
  const unitOf = angular ? "N*m" : "N";
  if (kind === "motor") return { speed: 0, force: said(force, unitOf) };
  // the whole force within a tenth of a radian, or 5 cm; damping of 0.7 of the critical one
  const stiffness = force / (angular ? 0.1 : 0.05);
  const damping = 1.4 * Math.sqrt(stiffness * Math.max(angular ? load.inertia : load.mass, 1e-3));
  return { target: 0, stiffness: said(stiffness, angular ? "N*m/rad" : "N/m"), damping: said(Number(damping.toPrecision(2)), angular ? "N*m*s/rad" : "N*s/m"), force: said(force, unitOf) };
}

/** A name for a joint that is driven, by what it does. */
function driveName(kind: string, axis: Vec3): string {
  const upright = Math.abs(axis[2]) > 0.7;
  return kind === "hinge" ? (upright ? "slew" : "pivot") : upright ? "lift" : "travel";
}

/** Why there can be no drive of a kind between two bodies, or null. */
export function driveTrouble(tree: Tree | undefined, kind: DriveKind, base: Anchor, moved: string): string | null {
  const name = jointBetween(tree, base.body!, moved);
  const joint = name && jointOf(tree, name);
  if (!joint || joint.kind === "weld") return null;
  if (!DRIVEN.includes(joint.kind)) return `${name} is a ${joint.kind} joint: a ${kind} drives hinges, sliders and rods.`;
  const has = ["motor", "servo", "prescribed", "lock"].find((k) => k in joint.value);
  return has ? `${name} has a ${has} already: select the joint to change it.` : null;
}

/**
 * A drive between two bodies: on the joint there is, else on a new hinge at the first place, across the face there; a weld between
 * them becomes that hinge.
 */
export function newDrive(tree: Tree | undefined, kind: DriveKind, base: Anchor, moved: string, measure: (names: Set<string>) => { mass: number; at: Vec3; size: number }[]): { name: string; changes: Change[] } {
  const name = jointBetween(tree, base.body!, moved);
  const joint = name && jointOf(tree, name);
  const load = (at: Vec3, axis: Vec3, from: string, to: string) => loadOn(measure(beyond(tree, to, from)), at, axis);
  if (name && joint && joint.kind !== "weld") {
    const at = (Array.isArray(joint.value.at) && joint.value.at.every((v) => typeof v === "number") ? joint.value.at : base.at) as Vec3;
    const axis = unit(Array.isArray(joint.value.axis) ? (joint.value.axis as Vec3) : [0, 0, 1]) ?? [0, 0, 1];
    return { name, changes: [{ set: ["joints", name, joint.kind, kind], value: driveFor(kind, joint.kind, load(at, axis, joint.bodies[0]!, joint.bodies[1]!)) }] };
  }
  const axis = straightened(unit(base.normal) ?? [0, 0, 1]);
  const made = freeName(driveName("hinge", axis), [...namesIn(tree, "joints").filter((n) => n !== name), ...namesIn(tree, "winches")]);
  const value: Table = { hinge: { bodies: [base.body!, moved], at: tidyAll(base.at), axis: tidyAll(axis), [kind]: driveFor(kind, "hinge", load(base.at, axis, base.body!, moved)) } };
  const changes: Change[] = name ? [{ remove: ["joints", name] }] : [];
  changes.push({ set: ["joints", made], value, comment: `${moved} turns on ${base.body}, driven by a ${kind}.` });
  return { name: made, changes };
}

/** Something that an input can drive. */
export interface Target {
  key: "joint" | "cable";
  name: string;
  quantity: "speed" | "position" | "length";
  /** Kind of the joint; "winch" for that of a winch, "rope" for the length of a rope without one. */
  kind: string;
}

/** All that inputs can drive. */
export function targets(tree: Tree | undefined): Target[] {
  const list: Target[] = namesIn(tree, "winches").filter((n) => "motor" in (entryOf(tree, "winches", n) ?? {})).map((name) => ({ key: "joint", name, quantity: "speed", kind: "winch" }));
  for (const name of namesIn(tree, "joints")) {
    const joint = jointOf(tree, name);
    if (joint && ("motor" in joint.value || "servo" in joint.value)) list.push({ key: "joint", name, quantity: "motor" in joint.value ? "speed" : "position", kind: joint.kind });
  }
  for (const name of namesIn(tree, "cables")) {
    const cable = entryOf(tree, "cables", name)!;
    const points = Array.isArray(cable.route) ? (cable.route as Table[]) : [];
    if (points.length > 0 && cable.segments !== "flexible" && !points.some((p) => "winch" in p || p.segment === "flexible")) list.push({ key: "cable", name, quantity: "length", kind: "rope" });
  }
  return list;
}

/** The drive that moves a body: a winch of its name, else a joint that moves it, or a body it is welded to. */
export function targetOf(tree: Tree | undefined, body: string): Target | null {
  const all = targets(tree);
  const own = all.find((t) => t.kind === "winch" && t.name === body);
  if (own) return own;
  const welded = new Set([body]);
  for (const one of welded) {
    for (const name of namesIn(tree, "joints")) {
      const joint = jointOf(tree, name);
      if (joint?.kind === "weld" && joint.bodies.includes(one)) joint.bodies.forEach((b) => welded.add(b));
    }
  }
  const moves = (place: number) => all.find((t) => t.key === "joint" && t.kind !== "winch" && welded.has(jointOf(tree, t.name)?.bodies[place] ?? ""));
  return moves(1) ?? moves(0) ?? null;
}

/** Pairs of keys for more and for less, the first free one is taken. */
const KEY_PAIRS: [string, string][] = [["Up", "Down"], ["Left", "Right"], ["PageUp", "PageDown"], ["W", "S"], ["D", "A"], ["I", "K"], ["L", "J"]];
const AXES = ["left-y", "left-x", "right-y", "right-x"];

/** Keys and gamepad axes that inputs use. */
export function bound(tree: Tree | undefined, but = ""): { keys: Set<string>; axes: Set<string> } {
  const [keys, axes] = [new Set<string>(), new Set<string>()];
  for (const name of namesIn(tree, "inputs")) {
    if (name === but) continue;
    const input = entryOf(tree, "inputs", name)!;
    if (Array.isArray(input.keys)) input.keys.forEach((k) => keys.add(String(k)));
    if (typeof input.gamepad === "string") axes.add(input.gamepad);
  }
  return { keys, axes };
}

/** A lever for a drive: range and ramp for what it moves, and the first keys and gamepad axis that are free. */
export function newInput(tree: Tree | undefined, target: Target, reach: number): { name: string; changes: Change[] } {
  const taken = bound(tree);
  const joint = target.kind === "winch" ? null : jointOf(tree, target.name);
  const axis = joint && Array.isArray(joint.value.axis) ? joint.value.axis : [];
  const sideways = target.kind === "hinge" && Math.abs(Number(axis[2])) > 0.7;
  const pairs = sideways ? [KEY_PAIRS[1]!, ...KEY_PAIRS] : KEY_PAIRS;
  const sticks = sideways ? ["left-x", ...AXES] : AXES;
  const keys = pairs.find((pair) => !pair.some((k) => taken.keys.has(k)));
  const stick = sticks.find((a) => !taken.axes.has(a));
  const value: Table = { ...rangeOf(tree, target, reach) };
  if (keys) value.keys = keys;
  if (stick) value.gamepad = stick;
  const drive: Json = { [target.key]: target.name };
  value.drives = [drive];
  const name = freeName(target.name, namesIn(tree, "inputs"));
  const moves = target.kind === "rope" ? "rope paid out by" : target.kind === "winch" ? "speed of the drum" : target.quantity === "speed" ? "speed of the motor" : "position of the servo";
  return { name, changes: [{ set: ["inputs", name], value, comment: `A lever for the ${moves} ${target.name}.` }] };
}

/** Range and ramp of an input: full speed within two seconds. */
export function rangeOf(tree: Tree | undefined, target: Target, reach: number): Table {
  const angular = target.kind === "winch" || target.kind === "hinge";
  if (target.quantity !== "speed") {
    const [most, per] = angular ? ["90 deg", "30 deg/s"] : ["0.5 m", "0.2 m/s"];
    return { range: [`-${most}`, most], rate: per, self_centering: false };
  }
  const speed = target.kind === "winch" ? drumSpeed(tree, target.name) : angular ? niceBelow(Math.min(2, 1 / Math.max(reach, 0.1))) : 0.5;
  const per = angular ? "rad/s" : "m/s";
  return { range: [`-${speed} ${per}`, `${speed} ${per}`], rate: `${Number((speed / 2).toPrecision(3))} ${per}^2` };
}
