/**
 * What belongs to bodies, and copies of it.
 *
 * ```text
 *  bodies → winches on them → joints and couplings → forces, cables, routes, tools, bins, wheels, tracks → inputs → probes
 * ```
 *
 * An entry belongs to bodies if everything that it refers to is among them or belongs to them. A copy has a free name, refers to the
 * copies, and stands where the way takes it. Copies of inputs have the keys and the gamepad axis only where no other input has them.
 */
import type * as THREE from "three";
import type { Change, Json, Table, Tree, Vec3 } from "../protocol";
import { partsOf, quoted } from "../livestate";
import { bound } from "./drives";
import { BELONGING, image, linear, put, references, SECTIONS, sent } from "./keys";
import { entryOf, namesIn } from "./make";
import { asTurn, freeName, tidy } from "./numbers";
import { parted, type Posed } from "./placing";

/** Entries by section and name. */
export type Parts = Record<string, Record<string, Json>>;

interface Limits {
  /** Bodies that an entry may refer to beside those that are copied. */
  stays?: (body: string) => boolean;
  /** Whether a copy of an entry can be made. */
  fits?: (section: string, name: string, entry: Table) => boolean;
}

/** Bodies with everything that belongs to them. */
export function belongings(tree: Tree | undefined, bodies: string[], { stays, fits }: Limits = {}): Parts {
  const parts: Parts = { bodies: {} };
  const add = (section: string, name: string, value: Json) => ((parts[section] ??= {})[name] = value);
  for (const name of bodies) {
    const own = entryOf(tree, "bodies", name);
    if (own) add("bodies", name, own);
  }
  const refused = new Set<Table>();
  const belongs = (section: string, name: string): boolean => {
    const entry = entryOf(tree, section, name);
    if (!entry || parts[section]?.[name] || refused.has(entry)) return false;
    const all = references(section, entry);
    const outside = all.filter(({ is, name }) => !SECTIONS[is].some((of) => parts[of]?.[name] !== undefined));
    if (outside.length === all.length || !outside.every(({ is, name }) => is === "body" && stays?.(name))) return false;
    if (fits?.(section, name, entry) === false) refused.add(entry);
    else add(section, name, entry);
    return !refused.has(entry);
  };
  // what belongs may have others belong, so until nothing more does
  for (let more = true; more; ) {
    more = false;
    for (const section of BELONGING) for (const name of namesIn(tree, section)) more = belongs(section, name) || more;
  }
  for (const [name, path] of Object.entries((tree?.probes as Table | undefined) ?? {})) {
    const { section, name: of } = partsOf(String(path));
    if (owner(parts, section, of)) add("probes", name, path);
  }
  return parts;
}

/** Which part a probe of a section is of: a winch is also a body and a joint. */
function owner(parts: Parts, section: string, name: string): string | undefined {
  return [section, ...(section === "bodies" || section === "joints" ? ["winches"] : [])].find((of) => parts[of]?.[name] !== undefined);
}

/** Names, keys and gamepad axes that are taken in a text, also by copies that are not yet in it. */
class Taken {
  private names = new Map<string, Set<string>>();
  private bound;
  private labels: Set<string>;

  constructor(private tree: Tree | undefined) {
    this.bound = bound(tree);
    this.labels = new Set(namesIn(tree, "inputs").map((name) => String(entryOf(tree, "inputs", name)?.label)));
  }

  private of(section: string): Set<string> {
    // a winch is a body and a joint of its name, and a ground is a body
    const shared = { bodies: ["winches", "grounds"], joints: ["winches"], winches: ["bodies", "joints", "grounds"] }[section] ?? [];
    let names = this.names.get(section);
    if (!names) this.names.set(section, (names = new Set([section, ...shared].flatMap((of) => namesIn(this.tree, of)))));
    return names;
  }

  name(section: string, stem: string): string {
    const free = freeName(stem, this.of(section));
    for (const of of section === "winches" ? ["winches", "bodies", "joints"] : section === "bodies" || section === "joints" ? [section, "winches"] : [section]) this.of(of).add(free);
    return free;
  }

  /** Takes the keys and the gamepad axis from an input that are not free, and numbers its label. */
  input(input: Table) {
    if (typeof input.label === "string") input.label = this.label(input.label);
    const keys = Array.isArray(input.keys) ? input.keys.map(String) : [];
    if (keys.some((key) => this.bound.keys.has(key))) delete input.keys;
    else keys.forEach((key) => this.bound.keys.add(key));
    const axis = String(input.gamepad);
    if (this.bound.axes.has(axis)) delete input.gamepad;
    else if (input.gamepad !== undefined) this.bound.axes.add(axis);
  }

  private label(label: string): string {
    const bare = label.replace(/ \d+$/, "");
    for (let n = 1; ; n++) {
      const free = n === 1 ? label : `${bare} ${n}`;
      if (!this.labels.has(free)) return this.labels.add(free), free;
    }
  }
}

/** New bodies, the changes that make them and what belongs to them, and what could not be copied. */
export interface Copies {
  names: string[];
  changes: Change[];
  left: string[];
}

/** Copies of parts, each changed by `change`, which has the name of the original. */
function copied(parts: Parts, taken: Taken, change: (section: string, name: string, value: Table) => void): Omit<Copies, "left"> {
  const copies = new Map<string, string>();
  const copyOf = (section: string, name: string) => copies.get(`${section}.${name}`);
  const all = ["bodies", ...BELONGING].flatMap((section) => Object.entries(parts[section] ?? {}).map(([name, entry]) => ({ section, name, entry: entry as Table })));
  for (const { section, name } of all) copies.set(`${section}.${name}`, taken.name(section, name));
  const changes = all.map(({ section, name, entry }): Change => {
    const value = structuredClone(entry);
    for (const { key, is, name: of } of references(section, entry)) {
      const copy = SECTIONS[is].map((section) => copyOf(section, of)).find((copy) => copy !== undefined);
      if (copy !== undefined) put(value, key, copy);
    }
    if (section === "inputs") taken.input(value);
    change(section, name, value);
    return { set: [section, copyOf(section, name)!], value };
  });
  for (const [name, path] of Object.entries(parts.probes ?? {})) {
    const { section, name: of, rest } = partsOf(String(path));
    const copy = copyOf(owner(parts, section, of) ?? section, of)!;
    changes.push({ set: ["probes", taken.name("probes", name)], value: `${section}.${quoted(copy)}${rest && `.${rest}`}` });
  }
  return { names: Object.keys(parts.bodies ?? {}).map((name) => copyOf("bodies", name)!), changes };
}

/**
 * Copies of bodies for each of several ways, with what belongs to them. Their fellows may stand outside, if they are static: a copied
 * pendulum hangs beside the first.
 */
export function copiesBy(tree: Tree | undefined, bodies: Posed[], ways: THREE.Matrix4[]): Copies {
  const taken = new Taken(tree);
  const stays = (name: string) => entryOf(tree, "bodies", name)?.type === "static";
  const poses = new Map(bodies.map(({ name, pose }) => [name, pose]));
  const left = new Set<string>();
  const all = ways.map((way) => {
    const fits = (section: string, name: string, entry: Table): boolean => {
      const isFramed = Object.values(entry).some((kind) => !!kind && typeof kind === "object" && "frames" in kind);
      // frames are in the axes of the bodies: they are the same in copies of both that are no mirror images
      const good = isFramed ? way.determinant() > 0 && references(section, entry).every((of) => poses.has(of.name)) : sent(section, entry, way).every(({ value }) => value !== null);
      if (!good) left.add(name);
      return good;
    };
    return copied(belongings(tree, [...poses.keys()], { stays, fits }), taken, (section, name, value) => {
      for (const { key, value: now } of sent(section, value, way)) {
        if (now !== null) put(value, key, now);
        else left.add(`${key.join(".")} of ${name}`);
      }
      if (section === "bodies") stand(value, poses.get(name)!, way);
    });
  });
  return { names: all.flatMap((c) => c.names), changes: all.flatMap((c) => c.changes), left: [...left] };
}

/** Puts a copy of a body where the way takes the original, also along its prescribed motion. */
function stand(value: Table, pose: THREE.Matrix4, way: THREE.Matrix4) {
  delete value.orientation;
  delete value.rotation;
  const after = way.determinant() < 0 ? way.clone().multiply(pose).multiply(linear(way)) : way.clone().multiply(pose);
  const { position, turn } = parted(after);
  value.position = position;
  const asked = asTurn(turn);
  if (asked) value.rotation = asked;
  const path = value.path as Table | undefined;
  if (path) value.path = sentPath(path, parted(pose).position, way);
}

const COORDINATES = ["x", "y", "z"];

/** The motion x(t) of a body that began at a position, as L x(t) + s; the angle of its rotation is the same about the axial image of its axis. */
function sentPath(path: Table, position: Vec3, way: THREE.Matrix4): Table {
  const sentTo: Table = { ...path };
  const at = (row: number, column: number) => tidy(way.elements[row + 4 * column]!);
  COORDINATES.forEach((key, i) => {
    let constant = at(i, 3);
    const terms: Json[] = [];
    COORDINATES.forEach((from, j) => {
      const [factor, motion] = [at(i, j), path[from]];
      if (motion === undefined) constant += factor * position[j]!;
      else if (factor !== 0) terms.push(factor === 1 ? motion : { product: { motion, factor: { constant: factor } } });
    });
    if (tidy(constant) !== 0) terms.unshift({ constant: tidy(constant) });
    if (COORDINATES.every((from, j) => at(i, j) === 0 || path[from] === undefined)) delete sentTo[key];
    else sentTo[key] = terms.length === 1 ? terms[0]! : { sum: terms };
  });
  const axis = path.angle === undefined ? undefined : image("about", path.axis ?? [0, 0, 1], way);
  if (axis) sentTo.axis = axis;
  return sentTo;
}

/** Parts as a text that other scenes take, with the sections and materials that they name. */
export interface Clip {
  windlass: 1;
  parts: Parts;
  shared: Parts;
}

/** Sections of definitions, and the key by which entries name them. */
const SHARED = { sections: "section", materials: "material" } as const;

/** What belongs to bodies, to be pasted elsewhere. */
export function clipOf(tree: Tree | undefined, bodies: string[]): Clip {
  const [parts, shared] = [belongings(tree, bodies), {} as Parts];
  const note = (value: Json) => {
    if (!value || typeof value !== "object") return;
    for (const [section, key] of Object.entries(SHARED)) {
      const name = Array.isArray(value) ? undefined : value[key];
      const entry = typeof name === "string" ? entryOf(tree, section, name) : null;
      if (!entry || shared[section]?.[name as string]) continue;
      (shared[section] ??= {})[name as string] = entry;
      // a section may name a material
      note(entry);
    }
    Object.values(value).forEach(note);
  };
  note(parts);
  return { windlass: 1, parts, shared };
}

/** What was copied, in its place, under names that are free. */
export function pasted(tree: Tree | undefined, { parts, shared }: Clip): Omit<Copies, "left"> {
  const missing = Object.entries(shared).flatMap(([section, entries]) => Object.entries(entries).filter(([name]) => !namesIn(tree, section).includes(name)).map(([name, value]): Change => ({ set: [section, name], value })));
  const { names, changes } = copied(structuredClone(parts), new Taken(tree), () => undefined);
  return { names, changes: [...missing, ...changes] };
}
