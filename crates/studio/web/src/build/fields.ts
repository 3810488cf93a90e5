/** The scene language's JSON Schema → fields of an inspector: what may stand in a place, its unit, and what it means. */
import type { Json, Table } from "../protocol";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: Json;
  enum?: Json[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  minItems?: number;
  maxItems?: number;
  description?: string;
  definitions?: Record<string, Schema>;
  "x-unit"?: string;
  "x-default"?: Json;
}

export type Field = {
  key: string;
  about: string;
  unit: string;
  /** What holds when nothing is written, in words. */
  standard: string;
  needed: boolean;
} & (
  | { kind: "quantity" | "text" | "flag" | "color" }
  | { kind: "choice"; choices: { value: string; about: string }[] }
  | { kind: "vector"; length: number }
  | { kind: "table"; fields: Field[] }
  | { kind: "variant"; variants: { name: string; about: string; field: Field }[] }
  /** Several sorts of value; `table` has the fields if a table is among them. */
  | { kind: "raw"; table?: Field[] }
);

/** Deepest tables are edited as text. */
const DEEPEST = 6;

/** Follows references and folds `allOf` into one. */
export function resolve(schema: Schema, root: Schema): Schema {
  let now = schema;
  for (let i = 0; i < 20 && (now.$ref || now.allOf?.length === 1); i++) {
    const { $ref, allOf, ...rest } = now;
    const next = $ref ? root.definitions?.[$ref.replace("#/definitions/", "")] : allOf![0];
    // what stands beside a reference goes before what it names
    now = { ...(next ?? {}), ...rest };
  }
  return now;
}

function plain(value: Json | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** The field for a place of the schema. */
function fieldFor(key: string, schema: Schema, root: Schema, needed = false, depth = 0): Field {
  const s = resolve(schema, root);
  const unit = s["x-unit"] && s["x-unit"] !== "1" ? s["x-unit"] : (s.items?.["x-unit"] ?? "").replace(/^1$/, "");
  const base = { key, about: s.description ?? "", unit, standard: plain(s["x-default"]), needed };
  const options = s.oneOf ?? s.anyOf;
  if (/colou?r/i.test(key) && /#rrggbb/.test(base.about)) return { ...base, kind: "color" };
  if (s.type === "boolean") return { ...base, kind: "flag" };
  if (s.enum) return { ...base, kind: "choice", choices: s.enum.map((v) => ({ value: String(v), about: "" })) };
  if (options?.every((o) => o.const !== undefined || o.enum?.length === 1)) {
    return { ...base, kind: "choice", choices: options.map((o) => ({ value: String(o.const ?? o.enum![0]), about: o.description ?? "" })) };
  }
  if (s["x-unit"] && s.type !== "array") return { ...base, kind: "quantity" };
  if (s.type === "number" || s.type === "integer" || s.const !== undefined) return { ...base, kind: "quantity" };
  if (options?.every((o) => ["number", "string", "integer"].includes(String(o.type)))) return { ...base, kind: "quantity" };
  if (s.type === "string") return { ...base, kind: "text" };
  if (s.type === "array" && s.minItems !== undefined && s.minItems === s.maxItems && s.minItems <= 4 && isNumber(s.items, root)) return { ...base, kind: "vector", length: s.minItems };
  if (depth >= DEEPEST) return { ...base, kind: "raw" };
  const tables = options?.map((o) => resolve(o, root));
  if (tables?.every((o) => o.properties && Object.keys(o.properties).length === 1 && o.required?.length === 1)) {
    const variants = tables.map((o) => {
      const name = Object.keys(o.properties!)[0]!;
      return { name, about: o.description ?? "", field: fieldFor(name, o.properties![name]!, root, true, depth + 1) };
    });
    return { ...base, kind: "variant", variants };
  }
  if (s.properties) return { ...base, kind: "table", fields: fieldsOf(s, root, depth + 1) };
  const among = tables?.find((o) => o.properties);
  return { ...base, kind: "raw", ...(among ? { table: fieldsOf(among, root, depth + 1) } : {}) };
}

function isNumber(items: Schema | undefined, root: Schema): boolean {
  if (!items) return false;
  const s = resolve(items, root);
  return s.type === "number" || s.type === "string" || !!s["x-unit"] || (!!s.oneOf && s.oneOf.every((o) => o.type === "number" || o.type === "string"));
}

/** The fields of a table. */
export function fieldsOf(schema: Schema, root: Schema, depth = 0): Field[] {
  const s = resolve(schema, root);
  return Object.entries(s.properties ?? {}).map(([key, value]) => fieldFor(key, value, root, s.required?.includes(key) ?? false, depth));
}

/** What may be written below a path of the text such as joints.pivot.hinge; the entry of a cable may be a cable or a rope. */
export function schemaAt(root: Schema, path: string[], value?: Table | null): Schema | null {
  let now: Schema = root;
  for (const key of path) {
    now = resolve(now, root);
    const options = now.oneOf ?? now.anyOf;
    if (options) now = resolve(options.find((o) => resolve(o, root).properties?.[key]) ?? options[0]!, root);
    const next: Schema | boolean | undefined = now.properties?.[key] ?? now.additionalProperties;
    if (!next || typeof next !== "object") return null;
    now = next;
  }
  now = resolve(now, root);
  if (now.anyOf && value) {
    const wanted = "route" in value ? "route" : "section";
    now = resolve(now.anyOf.find((o) => resolve(o, root).properties?.[wanted]) ?? now.anyOf[0]!, root);
  }
  return now;
}

/**
 * What was typed → a value of the text: a number if it reads as one, text otherwise ("10 cm", "= 2 * length"); nothing typed
 * means nothing written.
 */
export function typed(text: string): Json | undefined {
  const trimmed = text.trim().replace(/^[−–]/, "-");
  if (trimmed === "") return undefined;
  return /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** A value as it is shown in a field. */
export function shown(value: Json | undefined): string {
  return value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Materials of the library, for the picker; those of the scene come beside them. */
export const MATERIALS =
  "steel tram_rail wet_tram_rail dirty_tram_rail stainless_steel cast_iron aluminium copper brass bronze lead titanium magnesium nickel zinc tungsten rubber bicycle_tyre nylon polyester polyethylene pvc ptfe acrylic polycarbonate carbon_fibre leather oak pine plywood wood concrete asphalt wet_asphalt paving_stone wet_paving_stone granite brick glass ice soil clay sand gravel water seawater".split(
    " ",
  );
