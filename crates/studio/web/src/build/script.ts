/** Steps of the script for one input: read from the text, and written back as a whole list, in order of time. */
import type { Change, Json, Table, Tree } from "../protocol";

export interface Step {
  /** Place in the script. */
  index: number;
  at: Json;
  value: Json;
  over: Json | undefined;
}

function entries(tree: Tree | undefined): Table[] {
  return Array.isArray(tree?.script) ? (tree.script as Table[]) : [];
}

function setOf(entry: Table): Table {
  return entry.set && typeof entry.set === "object" && !Array.isArray(entry.set) ? entry.set : {};
}

export function stepsOf(tree: Tree | undefined, input: string): Step[] {
  return entries(tree).flatMap((entry, index) => (input in setOf(entry) ? [{ index, at: entry.at ?? 0, value: setOf(entry)[input]!, over: entry.over }] : []));
}

/** Seconds of a time that is a number or a text such as "2 s"; null for an expression. */
export function seconds(at: Json | undefined): number | null {
  if (typeof at === "number") return at;
  const match = typeof at === "string" ? /^\s*([\d.]+)\s*(ms|s|min)?\s*$/.exec(at) : null;
  return match ? Number(match[1]) * { ms: 1e-3, s: 1, min: 60 }[(match[2] ?? "s") as "ms" | "s" | "min"] : null;
}

/** In order of time, if all times are known. */
function written(list: Table[]): Change[] {
  if (list.length === 0) return [{ remove: ["script"] }];
  const times = list.map((e) => seconds(e.at));
  const order = times.every((t) => t !== null) ? list.map((e, i) => ({ e, t: times[i]! })).sort((a, b) => a.t - b.t).map(({ e }) => e) : list;
  return [{ set: ["script"], value: order }];
}

/** A step more: of its own, or with others at the same time. */
export function addStep(tree: Tree | undefined, input: string, at: Json, value: Json): Change[] {
  const list = entries(tree).map((e) => ({ ...e }));
  const same = list.find((e) => seconds(e.at) !== null && seconds(e.at) === seconds(at) && !(input in setOf(e)) && e.over === undefined);
  if (same) same.set = { ...setOf(same), [input]: value };
  else list.push({ at, set: { [input]: value } });
  return written(list);
}

/** A step with another time, value or ramp; others that shared its entry keep theirs. */
export function changeStep(tree: Tree | undefined, input: string, index: number, to: { at?: Json; value?: Json; over?: Json | null }): Change[] {
  const list = entries(tree).map((e) => ({ ...e }));
  let entry = list[index];
  if (!entry) return [];
  const shares = Object.keys(setOf(entry)).length > 1 && (to.at !== undefined || to.over !== undefined);
  if (shares) {
    const { [input]: own, ...rest } = setOf(entry);
    entry.set = rest;
    entry = { ...entry, set: { [input]: own! } };
    list.splice(index + 1, 0, entry);
  }
  if (to.at !== undefined) entry.at = to.at;
  if (to.value !== undefined) entry.set = { ...setOf(entry), [input]: to.value };
  if (to.over === null) delete entry.over;
  else if (to.over !== undefined) entry.over = to.over;
  return written(list);
}

export function removeStep(tree: Tree | undefined, input: string, index: number): Change[] {
  const list = entries(tree).flatMap((entry, i): Table[] => {
    if (i !== index) return [{ ...entry }];
    const { [input]: _, ...rest } = setOf(entry);
    return Object.keys(rest).length > 0 ? [{ ...entry, set: rest }] : [];
  });
  return written(list);
}

/** Entries without an input that is removed. */
export function withoutInput(tree: Tree | undefined, input: string): Change[] {
  const before = entries(tree);
  if (!before.some((e) => input in setOf(e))) return [];
  const list = before.flatMap((entry): Table[] => {
    const { [input]: _, ...rest } = setOf(entry);
    return Object.keys(rest).length > 0 ? [{ ...entry, set: rest }] : [];
  });
  return list.length > 0 ? [{ set: ["script"], value: list }] : [{ remove: ["script"] }];
}
