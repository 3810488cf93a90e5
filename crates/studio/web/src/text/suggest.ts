/** A place of the text and the schema → what may be written there, and what it means. */
import { MATERIALS, resolve, type Schema } from "../build/fields";
import type { Json } from "../protocol";
import type { Outline, Place } from "./outline";

export interface Suggestion {
  /** What is listed and filtered by. */
  label: string;
  /** What is written; `#{}` is where the cursor goes. */
  insert: string;
  /** Unit or kind, beside the label. */
  detail: string;
  about: string;
  kind: "key" | "table" | "value" | "name" | "unit";
}

/** Meaning of a key. */
export interface Meaning {
  title: string;
  unit: string;
  about: string;
  standard: string;
  choices: string[];
}

/** Units that people write, by the SI unit of the schema. */
const UNITS: Record<string, string[]> = {
  m: ["m", "cm", "mm", "km", "in", "ft"],
  kg: ["kg", "g", "t", "lb"],
  s: ["s", "ms", "min", "h"],
  rad: ["deg", "°", "rad", "turn"],
  "rad/s": ["rpm", "rad/s", "deg/s"],
  "m/s": ["m/s", "mm/s", "km/h", "m/min"],
  N: ["N", "kN", "MN", "lbf"],
  "N·m": ["N·m", "kN·m"],
  "N/m": ["N/m", "N/mm", "kN/m", "MN/m"],
  Pa: ["Pa", "kPa", "MPa", "GPa", "bar"],
  Hz: ["Hz", "kHz"],
  "kg/m³": ["kg/m³", "t/m³"],
  "kg/m": ["kg/m", "g/m"],
};

/** Sections whose entries a text may name, by the key that names them. */
const NAMES: Record<string, string> = { body: "bodies", bodies: "bodies", section: "sections", material: "materials", input: "inputs", joint: "joints", joints: "joints", prefab: "prefabs", winch: "winches", cable: "cables" };

/** All tables that a schema allows, with alternatives one by one. */
function alternatives(schema: Schema, root: Schema): Schema[] {
  const now = resolve(schema, root);
  const options = now.oneOf ?? now.anyOf;
  if (!options) return [now];
  // what the group says holds for each that says nothing of its own
  return options.flatMap((option) => alternatives(option, root)).map((option) => ({ ...(now.description ? { description: now.description } : {}), ...option }));
}

/** Schemas that may hold at a path; items of lists are numbers there. */
function schemasAt(root: Schema, path: string[]): Schema[] {
  let now = [root];
  for (const step of path) {
    now = now.flatMap((schema) => alternatives(schema, root)).flatMap((schema) => {
      const next = schema.properties?.[step] ?? (/^\d+$/.test(step) ? schema.items : undefined) ?? schema.additionalProperties;
      return next && typeof next === "object" ? [next] : [];
    });
  }
  return now;
}

const isTable = (schema: Schema, root: Schema) => alternatives(schema, root).some((s) => s.properties || (s.additionalProperties && typeof s.additionalProperties === "object"));

/** What may be written at a place. */
export function suggestions(root: Schema, place: Place, seen: Outline): Suggestion[] {
  switch (place.kind) {
    case "head":
      return headsAt(root, place.path, seen);
    case "key":
      return keysAt(root, place, seen);
    case "value":
      return valuesAt(root, place, seen);
    default:
      return [];
  }
}

/** Steps of heads below a path: sections, names that are there, and tables of an entry. */
function headsAt(root: Schema, path: string[], seen: Outline): Suggestion[] {
  const found = new Map<string, Suggestion>();
  for (const schema of schemasAt(root, path).flatMap((s) => alternatives(s, root))) {
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      if (isTable(value, root)) found.set(key, { label: key, insert: key, detail: "", about: resolve(value, root).description ?? "", kind: "table" });
    }
    if (schema.additionalProperties && typeof schema.additionalProperties === "object") {
      for (const name of namesBelow(seen, path)) found.set(name, { label: name, insert: name, detail: "", about: "", kind: "name" });
    }
  }
  return [...found.values()];
}

function keysAt(root: Schema, place: Place & { kind: "key" }, seen: Outline): Suggestion[] {
  const written = new Set(seen.keys.filter((k) => isJustBelow(k.path, place.path) && k.from !== place.from).map((k) => k.path[place.path.length]!));
  for (const head of seen.heads) if (isJustBelow(head.path, place.path)) written.add(head.path[place.path.length]!);
  const all = schemasAt(root, place.path).flatMap((s) => alternatives(s, root));
  // of several kinds of table only those that have what is written already
  const fitting = all.filter((s) => [...written].every((key) => s.properties?.[key]));
  const found = new Map<string, Suggestion>();
  for (const schema of fitting.length > 0 ? fitting : all) {
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      if (written.has(key) || found.has(key)) continue;
      const { unit, about, standard } = meaningOf(key, [value], root);
      const needed = schema.required?.includes(key) ? "required. " : "";
      found.set(key, { label: key, insert: `${key} = ${template(value, root)}`, detail: unit, about: `${needed}${about}${standard ? ` Default: ${standard}.` : ""}`, kind: "key" });
    }
  }
  return [...found.values()];
}

function isJustBelow(path: string[], table: string[]): boolean {
  return path.length > table.length && table.every((step, i) => path[i] === step);
}

function namesBelow(seen: Outline, path: string[]): string[] {
  const all = [...seen.heads, ...seen.keys].filter((e) => isJustBelow(e.path, path)).map((e) => e.path[path.length]!);
  return [...new Set(all)];
}

/** The form of a value, with the cursor inside. */
function template(schema: Schema, root: Schema): string {
  const options = alternatives(schema, root);
  if (options.some((s) => s.type === "number" || s.type === "integer" || s.type === "boolean")) return "#{}";
  if (options.some((s) => s.type === "array")) return "[#{}]";
  if (options.some((s) => s.type === "string" || s.enum || typeof s.const === "string")) return '"#{}"';
  return isTable(schema, root) ? "{ #{} }" : "#{}";
}

function valuesAt(root: Schema, place: Place & { kind: "value" }, seen: Outline): Suggestion[] {
  const key = place.path.findLast((step) => !/^\d+$/.test(step)) ?? "";
  const found: Suggestion[] = [];
  const add = (text: string, kind: Suggestion["kind"], about = "") => {
    if (!found.some((s) => s.label === text)) found.push({ label: text, insert: place.quoted ? text : `"${text}"`, detail: "", about, kind });
  };
  const schemas = schemasAt(root, place.path).flatMap((s) => alternatives(s, root));
  for (const schema of schemas) {
    for (const value of [...(schema.enum ?? []), ...(schema.const === undefined ? [] : [schema.const])]) if (typeof value === "string") add(value, "value", schema.description);
    if (schema.type === "boolean" && !place.quoted) for (const flag of ["true", "false"]) found.push({ label: flag, insert: flag, detail: "", about: "", kind: "value" });
  }
  const section = NAMES[key];
  if (section && schemas.some((s) => s.type === "string")) for (const name of namesBelow(seen, [section])) add(name, "name");
  if (key === "material") for (const name of MATERIALS) add(name, "value");
  // a number in quotes may have a unit
  const number = /^([-+]?[\d.]+(?:e[-+]?\d+)?)\s*\S*$/i.exec(place.word)?.[1];
  if (place.quoted && number) {
    const unit = unitOf(schemasAt(root, place.path), root);
    for (const name of UNITS[unit] ?? []) found.push({ label: `${number} ${name}`, insert: `${number} ${name}`, detail: "", about: "", kind: "unit" });
  }
  return found;
}

function unitOf(schemas: Schema[], root: Schema): string {
  const unit = schemas.map((s) => resolve(s, root)).map((s) => s["x-unit"] ?? (s.items && resolve(s.items, root)["x-unit"]) ?? "").find((u) => u !== "");
  return unit === undefined || unit === "1" ? "" : unit;
}

const plain = (value: Json | undefined) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value));

function meaningOf(title: string, schemas: Schema[], root: Schema): Meaning {
  const all = schemas.map((s) => resolve(s, root));
  const first = (of: (s: Schema) => string | undefined) => all.map(of).find((text) => !!text) ?? "";
  const choices = all.flatMap((s) => alternatives(s, root)).flatMap((s) => [...(s.enum ?? []), ...(s.const === undefined ? [] : [s.const])]);
  return { title, unit: unitOf(schemas, root), about: first((s) => s.description), standard: plain(all.find((s) => s["x-default"] !== undefined)?.["x-default"]), choices: [...new Set(choices.map(plain))] };
}

/** What the key or the head at a path means; none for names that the scene gives. */
export function meaningAt(root: Schema, path: string[]): Meaning | null {
  const schemas = schemasAt(root, path);
  if (schemas.length === 0) return null;
  return meaningOf(path[path.length - 1] ?? "", schemas, root);
}
