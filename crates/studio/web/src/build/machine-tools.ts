/** Tools for machines on the picture: what each click does, and what to click next. A click that fits nothing says why. */
import * as THREE from "three";
import type { Scene, Vec3 } from "../protocol";
import * as store from "../store";
import type { Viewport } from "../view/viewport";
import { beyond, driveTrouble, jointOf, newDrive, newInput, targetOf, targets } from "./drives";
import { addEntry, edit } from "./edit";
import { entryOf, type Anchor } from "./make";
import { inserted, nearestSpan, newRoute, newWinch, routeTrouble, winchPlace, type RoutePick } from "./reeving";
import { newBeam } from "./structure";
import { between } from "./vectors";

/** A click with a tool: the place under the pointer, the cable there if it is in front, and the places picked before. */
export interface Click {
  stage: Viewport;
  scene: Scene;
  place: Anchor;
  line: { id: number; name: string; point: Vec3 } | null;
  picked: Anchor[];
  again: boolean;
}

/** "done" puts the tool down, "next" begins anew with the same tool, "more" waits for another place, "no" takes nothing. */
export type After = "done" | "next" | "more" | "no";

export interface MachineTool {
  click(click: Click): After;
  hint(picked: readonly Anchor[]): string;
  /** Enter, or a double click. */
  finish?(scene: Scene, stage: Viewport): After;
}

/** Says why a click takes nothing. */
export const bad = (text: string): After => (store.notify(text, "bad"), "no");

function bodyNamed(scene: Scene, name: string | null) {
  return name === null ? undefined : scene.bodies.find((b) => b.name === name);
}

/** Whether a body is a plane, such as the ground. */
export function isGround(scene: Scene, name: string | null): boolean {
  const body = bodyNamed(scene, name);
  return !!body && body.shapes.length > 0 && body.shapes.every((s) => s.form === "plane");
}

/** Mass, place and size of bodies as they stand now, to be asked for by their names. */
function measured(stage: Viewport, scene: Scene): (names: Set<string>) => { mass: number; at: Vec3; size: number }[] {
  const all = scene.bodies.flatMap((body, i) => {
    const view = stage.bodies;
    if (!view || body.kind !== "dynamic") return [];
    const box = view.boundsOf(i);
    const at = box.isEmpty() ? new THREE.Vector3().setFromMatrixPosition(view.poses[i]!) : box.getCenter(new THREE.Vector3());
    return [{ name: body.name, mass: body.mass, at: at.toArray() as Vec3, size: box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length() }];
  });
  return (names) => all.filter((body) => names.has(body.name));
}

const beam: MachineTool = {
  click({ scene, place, picked, again }) {
    const [a] = picked;
    if (!a) return "more";
    const ground = isGround(scene, a.body);
    if (!newBeam(scene.tree, a, place, ground)) return bad("The beam has no length: click its other end.");
    addEntry("bodies", (tree) => newBeam(tree, a, place, ground)!);
    return again ? "next" : "done";
  },
  hint: (picked) => (picked.length === 0 ? "Beam: drag from its foot to its other end, or click both. On a body it is welded, on the ground it stands fixed." : "Click the other end: on a body, or in the plane that faces you."),
};

const winch: MachineTool = {
  click({ scene, place, again }) {
    if (place.body === null || isGround(scene, place.body)) return bad("A winch is mounted on a body: click the face of a foundation, a beam or another body.");
    if (entryOf(scene.tree, "winches", place.body)) return bad("This is a winch already: click the body it is to stand on.");
    const body = bodyNamed(scene, place.body);
    addEntry("winches", (tree) => newWinch(tree, place, body), "winch ");
    return again ? "next" : "done";
  },
  hint: () => "Winch: click the face of the body on which it is mounted.",
};

/** Points of the rope in hand, in the order of its places. */
let route: RoutePick[] = [];

export function forgetRoute() {
  route = [];
}

const rope: MachineTool = {
  click({ stage, scene, place, picked }) {
    if (picked.length === 0) route = [];
    if (place.body === null) return bad("A rope is held by bodies: click a winch or a point of a body.");
    const drum = entryOf(scene.tree, "winches", place.body) ? winchPlace(scene.tree, place.body) : null;
    const last = route[route.length - 1];
    const tool = store.tool.value;
    const kind = drum ? "winch" : route.length === 0 ? "attach" : tool.kind === "route" ? tool.next : "pulley";
    const at = drum ?? place.at;
    // the second click of a double click is at the same place
    if (last && last.body === place.body && between(last.at, at) < 1e-6) return "no";
    const box = stage.bodies?.boundsOf(scene.bodies.findIndex((b) => b.name === place.body));
    route.push({ kind, body: place.body, at, normal: place.normal, middle: box && !box.isEmpty() ? (box.getCenter(new THREE.Vector3()).toArray() as Vec3) : undefined });
    place.at = at;
    if (route.length > 1 && (kind === "winch" || kind === "attach")) return endRoute();
    return "more";
  },
  hint(picked) {
    if (picked.length === 0) return "Rope: click where it begins, a winch or a point of a body.";
    return `${picked.length === 1 ? "Click what it runs over" : "Click the next point"}; a winch ends it. For a fixed end choose End, or double-click.`;
  },
  finish() {
    const last = route[route.length - 1];
    if (route.length < 2 || !last) return bad("A rope needs at least two points.");
    last.kind = last.kind === "winch" ? "winch" : "attach";
    return endRoute();
  },
};

function endRoute(): After {
  const trouble = routeTrouble(route);
  if (trouble) {
    route.pop();
    return bad(trouble);
  }
  const points = route;
  addEntry("cables", (tree) => newRoute(tree, points));
  return "done";
}

/** The rope a pulley or ring is put into, and its span. */
let span: { rope: string; after: number } | null = null;

const insert: MachineTool = {
  click({ scene, place, line, picked, again }) {
    const tool = store.tool.value;
    if (tool.kind !== "insert") return "no";
    if (picked.length === 0) {
      const after = line && nearestSpan(scene.tree, line.name, line.point);
      if (!line || after === null) return bad(`A ${tool.point} is put into a routed rope: click a span of one. The Routed rope tool makes ropes with their pulleys.`);
      span = { rope: line.name, after };
      place.at = line.point;
      return "more";
    }
    if (place.body === null) return bad(`A ${tool.point} sits on a body: click a point of one.`);
    const changes = span && inserted(scene.tree, span.rope, span.after, tool.point, place);
    if (!span || !changes) return bad("The rope comes from an include, a prefab or a pattern; change it there.");
    edit(`Add ${tool.point} to ${span.rope}`, changes, { select: [{ section: "cables", name: span.rope }] });
    return again ? "next" : "done";
  },
  hint(picked) {
    const tool = store.tool.value;
    const what = tool.kind === "insert" ? tool.point : "";
    return picked.length === 0 ? `${what === "ring" ? "Ring" : "Pulley"}: click the span of a rope that is to run over it.` : `Click the point of a body where the ${what} sits.`;
  },
};

const drive: MachineTool = {
  click({ stage, scene, place, picked }) {
    const tool = store.tool.value;
    if (tool.kind !== "drive") return "no";
    if (place.body === null) return bad("Click a body.");
    const [base] = picked;
    if (!base) return "more";
    if (base.body === place.body) return bad("Both points are on the same body: click the body that is to move.");
    if (bodyNamed(scene, place.body)?.kind === "static") return bad(`${place.body} does not move: click the body that is to move.`);
    const [moved, measure] = [place.body, measured(stage, scene)];
    const trouble = driveTrouble(scene.tree, tool.drive, base, moved);
    if (trouble) return bad(trouble);
    addEntry("joints", (tree) => newDrive(tree, tool.drive, base, moved, measure), `${tool.drive} `);
    return "done";
  },
  hint(picked) {
    const tool = store.tool.value;
    const what = tool.kind === "drive" && tool.drive === "servo" ? "Servo" : "Motor";
    return picked.length === 0 ? `${what}: click the face of the base, across which the other body turns. A joint between them is kept.` : "Click the body that is to move.";
  },
};

const lever: MachineTool = {
  click({ stage, scene, place, line }) {
    const paid = line && targets(scene.tree).find((t) => t.key === "cable" && t.name === line.name);
    const target = paid ?? (place.body === null ? null : targetOf(scene.tree, place.body));
    if (!target) return bad("Nothing drives this: add a motor, a servo or a winch first, or click a body that one moves.");
    const joint = jointOf(scene.tree, target.name);
    const at = joint && Array.isArray(joint.value.at) ? (joint.value.at as Vec3) : place.at;
    const moved = joint ? measured(stage, scene)(beyond(scene.tree, joint.bodies[1]!, joint.bodies[0]!)) : [];
    const reach = Math.max(0.5, ...moved.map((b) => between(b.at, at) + b.size / 2));
    addEntry("inputs", (tree) => newInput(tree, target, reach), "lever ");
    return "done";
  },
  hint: () => "Lever: click a winch, a body that a motor or servo moves, or a rope without a winch.",
};

export const MACHINE_TOOLS = { beam, winch, route: rope, insert, drive, lever };
