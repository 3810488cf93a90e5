/** What buttons and keys of the editor do with the selection. */
import * as THREE from "three";
import type { Table, Vec3 } from "../protocol";
import * as store from "../store";
import { send } from "../link";
import { current } from "../view/stage";
import { clipOf, pasted, type Clip } from "./belongings";
import { addCopies } from "./copying";
import { editLater, unsettled } from "./edit";
import { entryOf, namesIn } from "./make";
import { freeName, niceSize } from "./numbers";
import { inRow, mirrorWay, type Posed } from "./placing";
import { removal, removalOf } from "./removal";
import { chosenNames, chosenPoses, nameOf, select } from "./selection";

/** Screens on which panels are sheets over the picture. */
const SHEETS = "(max-width: 900px), (max-height: 500px)";

/** Begins or ends building; bodies then stand where the text says. */
export function toggleBuild() {
  store.building.value = !store.building.value;
  store.tool.value = { kind: "select" };
  store.toolHint.value = null;
  store.paletteOpen.value = false;
  if (store.building.value) {
    if (!store.editing.value) goToStart();
    // on a small screen the fields would cover what is built
    if (!globalThis.matchMedia?.(SHEETS).matches) store.rightPanel.value = "inspector";
  } else if (store.rightPanel.value === "inspector") store.rightPanel.value = null;
}

export function goToStart() {
  send({ do: "pause" });
  send({ do: "reset" });
  send({ do: "pause" });
}

/** Takes out what is selected, and what cannot be without it. */
export function removeChosen() {
  const scene = store.scene.value;
  const chosen = scene && nameOf(store.selected.value, scene);
  if (!scene || !chosen) return;
  const { section, name } = chosen;
  if (section === "bodies") {
    const names = chosenNames();
    if (names.length === 0) return store.notify("It comes from an include, a prefab or a pattern; change it there.", "bad");
    return editLater(({ tree }) => ({ label: names.length === 1 ? `Delete ${names[0]}` : `Delete ${names.length} bodies`, changes: removal(tree, names), select: [] }));
  }
  if (!section || !namesIn(scene.tree, section).includes(name)) return;
  editLater(({ tree }) => ({ label: `Delete ${name}`, changes: removalOf(tree, section, [name]), select: [] }));
}

/** The selected bodies as they stand; none if that is not known yet, which is said. */
function chosenNow(): Posed[] {
  if (unsettled()) store.notify("The last change is still being made: try again.");
  return unsettled() || !current.stage ? [] : chosenPoses(current.stage);
}

/** A copy beside the original, one size along x. */
export function duplicateChosen() {
  const scene = store.scene.value;
  const stage = current.stage;
  if (!scene || !stage) return;
  if (chosenNames().length === 0) return duplicateEntry();
  const bodies = chosenNow();
  const box = new THREE.Box3();
  for (const { name } of bodies) box.union(stage.bodies!.boundsOf(scene.bodies.findIndex((b) => b.name === name)));
  const width = box.isEmpty() ? niceSize(stage.rig.distance) : box.max.x - box.min.x;
  addCopies("Duplicate", bodies, inRow(2, [Math.max(0.1, Math.round(width * 10) / 10), 0, 0]));
}

/** A joint, force, cable or probe once more, under another name. */
function duplicateEntry() {
  const scene = store.scene.value;
  const chosen = scene && nameOf(store.selected.value, scene);
  if (!chosen?.section) return;
  const { section, name: first } = chosen;
  editLater(({ tree }) => {
    const [label, value] = [`Duplicate ${first}`, structuredClone((tree?.[section] as Table | undefined)?.[first])];
    if (value === undefined) return { label, changes: [] };
    const name = freeName(first, namesIn(tree, section));
    // keys belong to one input
    if (section === "inputs") for (const key of ["keys", "gamepad"]) delete (value as Table)[key];
    return { label, changes: [{ set: [section, name], value }], select: [{ section, name }] };
  });
}

export function mirrorChosen(axis: 0 | 1 | 2) {
  addCopies(`Mirror in ${"xyz"[axis]}`, chosenNow(), [mirrorWay(axis, 0)]);
}

export function arrayChosen(n: number, offset: Vec3) {
  const bodies = chosenNow();
  addCopies(`Array of ${n}`, bodies, inRow(n, offset), bodies);
}

/** The selected bodies and what belongs to them as a text that other scenes take. */
export async function copyChosen() {
  const scene = store.scene.value;
  const names = chosenNames();
  if (!scene || names.length === 0) return;
  clipboard = clipOf(scene.tree, names);
  await navigator.clipboard?.writeText(JSON.stringify(clipboard)).catch(() => undefined);
  store.notify(names.length === 1 ? `Copied ${names[0]}` : `Copied ${names.length} bodies`);
}
let clipboard: Clip | null = null;

/** What was copied, in its place, under names that are free. */
export function paste() {
  const clip = clipboard;
  if (!clip) return;
  editLater(({ tree }) => {
    const { names, changes } = pasted(tree, clip);
    return { label: "Paste", changes, select: names.map((name) => ({ section: "bodies", name })) };
  });
}

/** Every body that is written in this text. */
export function selectAll() {
  const scene = store.scene.value;
  if (scene) select(scene.bodies.filter((b) => entryOf(scene.tree, "bodies", b.name) && !b.shapes.some((s) => s.form === "plane")).map((b) => b.id));
}

export const save = () => saveThen(null);

/** Saves; then does something, if it was saved. A scene without a file asks for a name. */
export function saveThen(then: (() => void) | null) {
  const scene = store.scene.value;
  if (!scene) return;
  const ask = (problem: string | null) => {
    store.saving.value = { problem, then };
    store.asking.value = "save";
  };
  if (scene.id === "untitled") return ask(null);
  send({ do: "save" }, (answer) => {
    if (answer.type === "saved") then?.();
    // another name helps: there is no file yet, or it was changed by another program
    if (answer.type === "refused" && /name/.test(answer.why)) {
      ask(answer.why.includes("no file yet") ? null : answer.why);
      return true;
    }
    return false;
  });
}

export const undo = () => send({ do: "undo" });
export const redo = () => send({ do: "redo" });

export function selectNothing() {
  select([]);
}
