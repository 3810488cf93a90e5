/** Cutting and splicing cables: a click on a cable becomes a place along it, and its `cut` or its path changes. */
import type { Change, Json, Table, Tree, Vec3 } from "../protocol";
import { lengthAlong } from "../assembly";
import * as store from "../store";
import { edit } from "./edit";
import { bad, type MachineTool } from "./machine-tools";
import { entryOf } from "./make";
import { asVec, tidy, tidyAll } from "./numbers";
import { between } from "./vectors";

/** Why a line cannot be cut or spliced, or null. */
export function cableTrouble(tree: Tree | undefined, name: string): string | null {
  const cable = entryOf(tree, "cables", name);
  if (!cable) return entryOf(tree, "joints", name) ? `${name} is a joint, not a cable: delete it instead.` : `${name} comes from an include, a prefab or a pattern; change it there.`;
  if ("route" in cable) return `${name} is a routed rope, which has no free ends: delete it, or make two ropes that end where it is to be parted.`;
  if (cable.model === "mass-points" || cable.model === "catenary") return `${name} is a ${cable.model} cable, which cannot be cut.`;
  return null;
}

/** The places of cuts with one more; null if there is a cut within a diameter or so. */
export function withCut(cuts: Json | undefined, along: number): number[] | null {
  const list = Array.isArray(cuts) ? cuts.filter((c): c is number => typeof c === "number") : [];
  if (list.some((c) => Math.abs(c - along) < 0.02)) return null;
  return [...list, Number(along.toFixed(3))].sort((a, b) => a - b);
}

/** Length along a cable as drawn, to the place nearest to a point. */
function alongLine(id: number, point: Vec3): number {
  return lengthAlong(store.newest.frame?.lines.filter((l) => l.id === id) ?? [], point);
}

export const cut: MachineTool = {
  click({ scene, line, again }) {
    if (!line) return bad("Click a cable where it is to be cut.");
    const trouble = cableTrouble(scene.tree, line.name);
    if (trouble) return bad(trouble);
    const cuts = withCut(entryOf(scene.tree, "cables", line.name)?.cut, alongLine(line.id, line.point));
    if (!cuts) return bad(`${line.name} is cut here already.`);
    edit(`Cut ${line.name}`, [{ set: ["cables", line.name, "cut"], value: cuts }], { select: [{ section: "cables", name: line.name }] });
    return again ? "next" : "done";
  },
  hint: () => "Cut: click a cable where it is to be cut.",
};

/** Points of a cable's initial centre line, and which end a place is near. */
function ends(cable: Table): { path: Vec3[]; start: Table | undefined; end: Table | undefined } | null {
  const [start, end] = [cable.start as Table | undefined, cable.end as Table | undefined];
  const path = Array.isArray(cable.path) ? cable.path.map(asVec) : [asVec(start?.at), asVec(end?.at)];
  return path.length < 2 || path.some((p) => p === null) ? null : { path: path as Vec3[], start, end };
}

/** One cable of two: from the far end of the first over both clicked ends to the far end of the second. A text says why not. */
export function spliced(tree: Tree | undefined, first: { name: string; point: Vec3 }, second: { name: string; point: Vec3 }): Change[] | string {
  const [a, b] = [entryOf(tree, "cables", first.name)!, entryOf(tree, "cables", second.name)!];
  const [one, two] = [ends(a), ends(b)];
  if (!one || !two) return "The ends of these cables are expressions: splice them in the text.";
  if (JSON.stringify(a.section) !== JSON.stringify(b.section)) return `${first.name} and ${second.name} have different sections: give them the same first.`;
  // the clicked end of the first comes last, that of the second first
  const atStart = between(one.path[0]!, first.point) < between(one.path[one.path.length - 1]!, first.point);
  const atEnd = between(two.path[two.path.length - 1]!, second.point) < between(two.path[0]!, second.point);
  const [held, far] = atStart ? [one.start, one.end] : [one.end, one.start];
  const [heldToo, farToo] = atEnd ? [two.end, two.start] : [two.start, two.end];
  for (const [hold, name] of [[held, first.name], [heldToo, second.name]] as const) if (hold?.body) return `This end of ${name} is attached to ${String(hold.body)}: click a free end.`;
  const path = [...(atStart ? [...one.path].reverse() : one.path), ...(atEnd ? [...two.path].reverse() : two.path)];
  const value: Table = { ...a, path: path.filter((p, i) => i === 0 || between(p, path[i - 1]!) > 1e-3).map((p) => tidyAll(p)) };
  for (const key of ["start", "end", "length", "tension", "elements", "cut"]) delete value[key];
  if (far) value.start = far;
  if (farToo) value.end = farToo;
  return [{ set: ["cables", first.name], value }, { remove: ["cables", second.name] }];
}

/** The cable that is spliced first, and where it was clicked. */
let held: { name: string; point: Vec3 } | null = null;

export const splice: MachineTool = {
  click({ scene, line, place, picked }) {
    if (!line) return bad("Click a cable: near a cut of it, or near its free end.");
    const trouble = cableTrouble(scene.tree, line.name);
    if (trouble) return bad(trouble);
    const cuts = entryOf(scene.tree, "cables", line.name)?.cut;
    if (picked.length === 0 && Array.isArray(cuts) && cuts.length > 0) {
      const along = alongLine(line.id, line.point);
      const far = (c: Json) => (typeof c === "number" ? Math.abs(c - along) : Infinity);
      const best = cuts.reduce((near, c) => (far(c) < far(near) ? c : near));
      const left = cuts.filter((c) => c !== best);
      edit(`Splice ${line.name}`, [left.length > 0 ? { set: ["cables", line.name, "cut"], value: left } : { remove: ["cables", line.name, "cut"] }], { select: [{ section: "cables", name: line.name }] });
      return "done";
    }
    if (picked.length === 0 || !held) {
      held = { name: line.name, point: line.point };
      place.at = line.point.map(tidy) as Vec3;
      return "more";
    }
    if (held.name === line.name) return bad("This is the same cable: click the free end of another.");
    const made = spliced(scene.tree, held, { name: line.name, point: line.point });
    if (typeof made === "string") return bad(made);
    edit(`Splice ${held.name} and ${line.name}`, made, { select: [{ section: "cables", name: held.name }] });
    return "done";
  },
  hint: (picked) => (picked.length === 0 ? "Splice: click a cable near a cut that is to be closed, or near a free end." : "Click the free end of the other cable."),
};
