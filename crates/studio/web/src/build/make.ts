/** What the tools write: bodies of each form, joints, forces and cables, as values for the scene's text. */
import type { Change, Json, Table, Tree, Vec3 } from "../protocol";
import type { FormName } from "../store";
import { freeName, tidy, tidyAll } from "./numbers";
import { newFoundation, newHook } from "./structure";
import { between, niceAbove, said } from "./vectors";

/** A place picked on a body, or in space. */
export interface Anchor {
  body: string | null;
  at: Vec3;
  normal: Vec3;
}

/** The names of a section of the text. */
export function namesIn(tree: Tree | undefined, section: string): string[] {
  const table = tree?.[section];
  return table && typeof table === "object" && !Array.isArray(table) ? Object.keys(table) : [];
}

export function entryOf(tree: Tree | undefined, section: string, name: string): Table | null {
  const table = tree?.[section] as Table | undefined;
  const entry = table?.[name];
  return entry && typeof entry === "object" && !Array.isArray(entry) ? entry : null;
}

/** Shape of a form of a given size, and half its extents. */
export function shapeOf(form: FormName, size: number): { shape: Table; half: Vec3 } {
  const r = tidy(size / 2);
  switch (form) {
    case "box":
      return { shape: { box: { size: [size, size, size] } }, half: [r, r, r] };
    case "cylinder":
      return { shape: { cylinder: { radius: r, length: tidy(size * 2) } }, half: [r, r, size] };
    case "capsule":
      return { shape: { capsule: { radius: r, length: size } }, half: [r, r, size] };
    case "cone":
      return { shape: { cone: { radius: r, height: size } }, half: [r, r, r] };
    case "plane":
      return { shape: { plane: {} }, half: [0, 0, 0] };
    default:
      return { shape: { sphere: { radius: r } }, half: [r, r, r] };
  }
}

/** Colours of new bodies, one after the other: told apart on light and dark ground. */
const COLORS = ["#d97706", "#0f766e", "#2563eb", "#be123c", "#7c3aed", "#4d7c0f"];

/** A body of a form that rests with its lowest side on the place. */
export function newBody(form: FormName, on: Anchor, size: number, count: number, file = "part.stl"): Table {
  const color = COLORS[count % COLORS.length]!;
  const { shape, half } = shapeOf(form, size);
  const lift = on.normal.reduce((sum, n, i) => sum + Math.abs(n) * half[i]!, 0);
  const position = tidyAll(on.at.map((v, i) => v + on.normal[i]! * lift) as Vec3);
  if (form === "plane") return { type: "static", position: tidyAll(on.at), shape };
  if (form === "point") return { type: "static", position: tidyAll(on.at), collide: false, visuals: [{ shape: { sphere: { radius: tidy(size / 8) } }, color: "#64748b" }] };
  if (form === "foundation") return newFoundation(on, size);
  if (form === "hook") return newHook(on, size);
  if (form === "mesh") return { position, shape: { mesh: { file } }, material: "steel" };
  if (form === "compound") {
    const s = size;
    return {
      position: tidyAll(on.at.map((v, i) => v + on.normal[i]! * s * 0.25) as Vec3),
      material: "steel",
      color,
      parts: [
        { shape: { box: { size: [tidy(2 * s), s, tidy(s / 2)] } } },
        { shape: { cylinder: { radius: tidy(s / 5), length: s } }, at: [0, 0, tidy(0.75 * s)] },
      ],
    };
  }
  return { position, shape, material: "steel", color };
}

/** Kinds of joint the tool offers: how each is called, and whether it takes one point, two points, or an axis. */
export const CONNECTIONS: { kind: string; label: string; points: 1 | 2; about: string }[] = [
  { kind: "rod", label: "Rod", points: 2, about: "Keeps the distance between two points constant" },
  { kind: "rope", label: "Rope", points: 2, about: "Limits the distance between two points; acts in tension only" },
  { kind: "spring", label: "Spring", points: 2, about: "A lightly damped spring between two points" },
  { kind: "damper", label: "Damper", points: 2, about: "A viscous damper between two points" },
  { kind: "weld", label: "Weld", points: 1, about: "Rigid connection of two bodies" },
  { kind: "ball", label: "Ball", points: 1, about: "Spherical joint: coincident points, free rotation" },
  { kind: "hinge", label: "Hinge", points: 1, about: "Rotation about an axis" },
  { kind: "slider", label: "Slider", points: 1, about: "Translation along an axis" },
  { kind: "cylindrical", label: "Cylindrical", points: 1, about: "Rotation about and translation along an axis" },
  { kind: "universal", label: "Universal", points: 1, about: "Rotation about two perpendicular axes" },
  { kind: "screw", label: "Screw", points: 1, about: "Rotation coupled to translation along an axis" },
  { kind: "planar", label: "Planar", points: 1, about: "Translation and rotation in a plane" },
];

/** The main axis nearest to a direction. */
function mainAxis(direction: Vec3): Vec3 {
  const size = direction.map(Math.abs);
  const most = size.indexOf(Math.max(...size));
  return [0, 1, 2].map((i) => (i === most ? 1 : 0)) as Vec3;
}

/**
 * A joint of a kind between two places. Those with one point are at the second place, which is where the moved body is
 * picked; a hinge turns about the normal there, a slider slides along it.
 */
export function newJoint(kind: string, bodies: [string, string], a: Anchor, b: Anchor, mass?: number): Table {
  const points: Json = [tidyAll(a.at), tidyAll(b.at)];
  const distance = tidy(Math.hypot(...a.at.map((v, i) => v - b.at[i]!)));
  const at = tidyAll(b.at);
  const axis = mainAxis(b.normal);
  switch (kind) {
    case "rod":
      return { distance: { bodies, points } };
    case "rope":
      return { distance: { bodies, points, max: distance } };
    case "spring":
      return { distance: { bodies, points, spring: springFor(mass) } };
    case "damper":
      return { distance: { bodies, points, spring: { stiffness: 0, damping: "100 N s/m" } } };
    case "hinge":
    case "slider":
    case "cylindrical":
    case "planar":
      return { [kind]: { bodies, at, axis } };
    case "screw":
      return { screw: { bodies, at, axis, lead: "10 mm" } };
    case "universal": {
      const second: Vec3 = axis[2] === 1 ? [0, 1, 0] : [0, 0, 1];
      return { universal: { bodies, at, axes: [axis, second] } };
    }
    default:
      return { [kind]: { bodies, at } };
  }
}

/** A spring on which a mass vibrates at about 2 Hz, with 5 % of the critical damping. */
function springFor(mass: number | undefined): Table {
  if (!mass) return { stiffness: "1 kN/m", damping: "20 N s/m" };
  const stiffness = niceAbove(mass * (4 * Math.PI) ** 2);
  return { stiffness: said(stiffness, "N/m"), damping: said(Number((0.1 * Math.sqrt(stiffness * mass)).toPrecision(2)), "N*s/m") };
}

/** The joint between two places as changes; a place in space stands on a fixed body, made if there is none. */
export function connect(tree: Tree | undefined, kind: string, a: Anchor, b: Anchor, mass?: number): { name: string; changes: Change[] } {
  const changes: Change[] = [];
  const [first, second] = standing(tree, [a, b], changes);
  const name = freeName(kind, namesIn(tree, "joints"));
  changes.push({ set: ["joints", name], value: newJoint(kind, [first!, second!], a, b, mass) });
  return { name, changes };
}

/** Names of the bodies of places; those in space get the fixed body `world`, which is added if it is missing. */
function standing(tree: Tree | undefined, places: Anchor[], changes: Change[]): string[] {
  return places.map((place) => {
    if (place.body !== null) return place.body;
    if (!namesIn(tree, "bodies").includes("world") && changes.length === 0) changes.push({ set: ["bodies", "world"], value: { type: "static" } });
    return "world";
  });
}

/** A force on a body at a place: along an arrow in world axes, of `perMetre` newtons for a metre, or toward another body. */
export function newForce(tree: Tree | undefined, from: Anchor, to: Anchor, perMetre: number): { name: string; changes: Change[] } {
  const name = freeName("push", namesIn(tree, "forces"));
  const arrow = tidyAll(to.at.map((v, i) => (v - from.at[i]!) * perMetre) as Vec3);
  const applied: Table = { body: from.body, at: tidyAll(from.at) };
  if (to.body !== null && to.body !== from.body) applied.toward = { body: to.body, at: tidyAll(to.at), force: tidy(Math.hypot(...arrow)) };
  else applied.force = arrow;
  return { name, changes: [{ set: ["forces", name], value: { applied } }] };
}

/** Length of a cable with slack over the distance of its ends. */
const SLACK = 1.05;

/** A cable through places; its ends are held where they are on bodies. With slack, one between two bodies sags. */
export function newCable(tree: Tree | undefined, places: Anchor[], diameter: number, slack = false): { name: string; changes: Change[] } {
  const name = freeName("cable", namesIn(tree, "cables"));
  const value: Table = { section: { construction: "6x36 IWRC", diameter: `${Math.max(1, Math.round(diameter * 1000))} mm` } };
  const [first, last] = [places[0]!, places[places.length - 1]!];
  if (first.body !== null) value.start = { body: first.body, at: tidyAll(first.at) };
  if (last.body !== null) value.end = { body: last.body, at: tidyAll(last.at) };
  if (places.length > 2 || first.body === null || last.body === null) value.path = places.map((p) => tidyAll(p.at));
  else if (slack) value.length = `${Number((SLACK * between(first.at, last.at)).toPrecision(4))} m`;
  return { name, changes: [{ set: ["cables", name], value }] };
}
