/** What is selected, by name: ids change with every new scene, names stay. */
import type { Scene } from "../protocol";
import * as store from "../store";
import type { Viewport } from "../view/viewport";
import { entryOf } from "./make";
import { asVec } from "./numbers";
import type { Posed } from "./placing";

export type Named = { section: "bodies" | "joints" | "cables" | "forces" | "winches" | store.Listed | ""; name: string };

export function nameOf(selected: store.Selected, scene: Scene): Named | null {
  switch (selected?.kind) {
    case "body": {
      const name = scene.bodies.find((b) => b.id === selected.id)?.name;
      // the body of a ground is written as that ground
      const isGround = name !== undefined && !entryOf(scene.tree, "bodies", name) && !!entryOf(scene.tree, "grounds", name);
      return named(isGround ? "grounds" : isWinch(scene, name) ? "winches" : "bodies", name);
    }
    case "joint": {
      const name = scene.joints.find((j) => j.id === selected.id)?.name;
      return named(isWinch(scene, name) ? "winches" : "joints", name);
    }
    case "line": {
      const name = scene.lines.find((l) => l.id === selected.id)?.name;
      // a rod is drawn as a line and written as a joint
      return named(name !== undefined && !entryOf(scene.tree, "cables", name) && entryOf(scene.tree, "joints", name) ? "joints" : "cables", name);
    }
    case "force":
      return named("forces", selected.name);
    case "entry":
      return named(selected.section, selected.name);
    case "scene":
      return { section: "", name: "" };
    default:
      return null;
  }
}

/** A winch is a body and a joint, and written as neither. */
function isWinch(scene: Scene, name: string | undefined): boolean {
  return name !== undefined && !!entryOf(scene.tree, "winches", name);
}

function named(section: Named["section"], name: string | undefined): Named | null {
  return name === undefined ? null : { section, name };
}

export function find({ section, name }: Named, scene: Scene): store.Selected {
  switch (section) {
    case "winches":
    case "bodies": {
      const body = scene.bodies.find((b) => b.name === name);
      return body ? { kind: "body", id: body.id } : null;
    }
    case "joints": {
      const joint = scene.joints.find((j) => j.name === name);
      return joint ? { kind: "joint", id: joint.id } : null;
    }
    case "cables": {
      const line = scene.lines.find((l) => l.name === name);
      return line ? { kind: "line", id: line.id } : null;
    }
    case "forces":
      return entryOf(scene.tree, "forces", name) ? { kind: "force", name } : null;
    case "fluids":
    case "grounds":
    case "soils":
    case "tools":
    case "inputs":
    case "probes":
    case "cameras":
      return name in ((scene.tree?.[section] as object | undefined) ?? {}) ? { kind: "entry", section, name } : null;
    default:
      return { kind: "scene" };
  }
}

/** Ids of all selected bodies, the first selected first. */
export function chosenIds(): number[] {
  const first = store.selected.value;
  return first?.kind === "body" ? [first.id, ...store.fellows.value.filter((id) => id !== first.id)] : [];
}

/** Adds a body to the selection, or takes it out. */
export function toggle(id: number) {
  const all = chosenIds();
  select(all.includes(id) ? all.filter((other) => other !== id) : [...all, id]);
}

export function select(ids: number[]) {
  store.selected.value = ids.length > 0 ? { kind: "body", id: ids[0]! } : null;
  store.fellows.value = ids.slice(1);
}

/** Names of the selected bodies that are written in this text. */
export function chosenNames(): string[] {
  const scene = store.scene.value;
  if (!scene) return [];
  return chosenIds()
    .map((id) => scene.bodies.find((b) => b.id === id)?.name)
    .filter((name) => name !== undefined && !!entryOf(scene.tree, "bodies", name)) as string[];
}

/** Name and pose of each of them. */
export function chosenPoses(stage: Viewport): Posed[] {
  const bodies = store.scene.value?.bodies ?? [];
  return chosenNames().map((name) => ({ name, pose: stage.bodies!.poses[bodies.findIndex((b) => b.name === name)]!.clone() }));
}

/** Names that handles can move: the selected bodies, or a winch whose place is written in plain numbers. */
export function movableNames(): string[] {
  const scene = store.scene.value;
  const bodies = chosenNames();
  if (!scene || bodies.length > 0) return bodies;
  const chosen = nameOf(store.selected.value, scene);
  return chosen?.section === "winches" && asVec(entryOf(scene.tree, "winches", chosen.name)?.at) ? [chosen.name] : [];
}
