/** The editing half of the stand-in server: a scene of simple bodies kept as a tree, changed and undone as the real one does. */
import type { Body, Change, Form, Json, Scene, Shape, Table, Tree, Vec3 } from "./protocol";

const GREY: Vec3 = [0.6, 0.62, 0.65];

export class Sketch {
  tree: Tree = empty();
  private past: { tree: Tree; label: string }[] = [];
  private future: { tree: Tree; label: string }[] = [];
  saved: string | null = null;
  dirty = false;

  get undo(): string | null {
    return this.past[this.past.length - 1]?.label ?? null;
  }

  get redo(): string | null {
    return this.future[this.future.length - 1]?.label ?? null;
  }

  /** Makes all changes or none; gives what is wrong. */
  edit(label: string, changes: Change[]): string | null {
    const next = structuredClone(this.tree);
    for (const change of changes) {
      const wrong = apply(next, change);
      if (wrong) return wrong;
    }
    for (const [name, body] of Object.entries((next.bodies as Table) ?? {})) {
      const mass = (body as Table).mass;
      if (mass !== undefined && !(typeof mass === "number" ? mass > 0 : /^\s*[\d.]+\s*(t|kg|g)?\s*$/.test(String(mass)))) return `bodies.${name}.mass: \`${String(mass)}\` is not a mass`;
    }
    this.past.push({ tree: this.tree, label });
    this.future = [];
    this.tree = next;
    this.dirty = true;
    return null;
  }

  back() {
    const last = this.past.pop();
    if (!last) return;
    this.future.push({ tree: this.tree, label: last.label });
    this.tree = last.tree;
  }

  on() {
    const next = this.future.pop();
    if (!next) return;
    this.past.push({ tree: this.tree, label: next.label });
    this.tree = next.tree;
  }

  scene(): Scene {
    const bodies = Object.entries((this.tree.bodies as Table) ?? {}).map(([name, value], id) => bodyOf(name, value as Table, id));
    const joints = Object.entries((this.tree.joints as Table) ?? {}).map(([name, value], id) => {
      const [kind, inner] = Object.entries(value as Table)[0]!;
      const names = (inner as Table).bodies as string[];
      return { id, name, kind, bodies: names.map((n) => bodies.findIndex((b) => b.name === n)) };
    });
    return {
      type: "scene",
      id: "untitled",
      title: this.saved ?? "untitled",
      file: `${this.saved ?? "untitled"}.toml`,
      text: written(this.tree),
      dt: 1 / 60,
      gravity: [0, 0, -9.81],
      bodies,
      joints,
      lines: [],
      inputs: [],
      cameras: [],
      bounds: { low: [-2, -2, 0], high: [2, 2, 2] },
      tree: this.tree,
    };
  }

  /** Places as they are written: x y z, w x y z. */
  places(): Float32Array {
    const all = Object.values((this.tree.bodies as Table) ?? {}) as Table[];
    return new Float32Array(all.flatMap((b) => [...((b.position as Vec3) ?? [0, 0, 0]), 1, 0, 0, 0]));
  }
}

function empty(): Tree {
  return { windlass: 2, settings: { gravity: [0, 0, -9.81] }, bodies: { ground: { type: "static", shape: { plane: {} } } } };
}

function apply(tree: Tree, change: Change): string | null {
  if ("rename" in change) {
    const [section, name] = change.rename as [string, string];
    const table = tree[section] as Table;
    if (change.to in table) return `\`${change.to}\` already exists: choose another name`;
    tree[section] = Object.fromEntries(Object.entries(table).map(([k, v]) => [k === name ? change.to : k, v]));
    for (const joint of Object.values((tree.joints as Table) ?? {}) as Table[]) for (const kind of Object.values(joint) as Table[]) if (Array.isArray(kind.bodies)) kind.bodies = kind.bodies.map((b) => (b === name ? change.to : b));
    return null;
  }
  const path = "set" in change ? change.set : change.remove;
  let at: Json = tree;
  for (const key of path.slice(0, -1)) {
    const table = at as Table;
    if (table[key] === undefined) table[key] = {};
    at = table[key]!;
    if (typeof at !== "object" || at === null) return `\`${path.join(".")}\` is a single value`;
  }
  const last = path[path.length - 1]!;
  if ("set" in change) (at as Table)[last] = change.value;
  else if (!(last in (at as Table))) return `\`${path.join(".")}\` is not in this text`;
  else delete (at as Table)[last];
  return null;
}

function bodyOf(name: string, value: Table, id: number): Body {
  const looks = (value.visuals as Table[] | undefined)?.map((l) => l.shape as Table) ?? [];
  const own = value.shape ? [value.shape as Table] : looks;
  return { id, name, kind: ({ static: "static", kinematic: "kinematic" } as Record<string, Body["kind"]>)[String(value.type)] ?? "dynamic", mass: typeof value.mass === "number" ? value.mass : 10, shapes: own.map(shapeOf) };
}

function shapeOf(shape: Table): Shape {
  const [kind, sizes] = Object.entries(shape)[0] as [string, Table];
  const length = (sizes.length ?? sizes.height) as number;
  const form = (kind === "cone" || kind === "cylinder" || kind === "capsule" ? { form: kind, radius: sizes.radius, length } : { form: kind, ...sizes }) as Form;
  return { ...form, at: [0, 0, 0], turn: [1, 0, 0, 0], color: GREY, material: "steel" };
}

/** As TOML, near enough for looking at. */
function written(tree: Tree): string {
  const line = (value: Json): string =>
    Array.isArray(value) ? `[${value.map(line).join(", ")}]` : value && typeof value === "object" ? `{ ${Object.entries(value).map(([k, v]) => `${k} = ${line(v)}`).join(", ")} }` : JSON.stringify(value);
  let text = "windlass = 2\n";
  for (const [section, entries] of Object.entries(tree)) {
    if (!entries || typeof entries !== "object") continue;
    for (const [name, value] of Object.entries(entries as Table)) {
      if (section === "settings") continue;
      text += `\n[${section}.${name}]\n${Object.entries(value as Table).map(([k, v]) => `${k} = ${line(v)}`).join("\n")}\n`;
    }
  }
  return text;
}
