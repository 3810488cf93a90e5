/**
 * An edit goes to the server; its answer, a new scene or errors, comes back to the one that asked: selects, or names the field. One edit
 * at a time: those after it are made for the scene that its answer brings, so that names which are free then are free indeed.
 */
import type { Answer, Change, Scene, Tree } from "../protocol";
import * as store from "../store";
import { send } from "../socket";
import { find, nameOf, type Named } from "./selection";

interface Edit {
  label: string;
  changes: Change[];
  /** What to select when it is done. */
  select?: Named[];
  /** Where to show what is wrong. */
  field?: string;
}

/** The edit that is not yet answered. */
let asked: Edit | null = null;
/** Edits that come after it. */
let waiting: ((scene: Scene) => Edit)[] = [];

/** Asks for changes of the text. */
export function edit(label: string, changes: Change[], then: Pick<Edit, "select" | "field"> = {}) {
  editLater(() => ({ label, changes, ...then }));
}

/** Adds what is made for the text, under a name that is free, and selects it; `what` stands before the name. */
export function addEntry(section: Named["section"], make: (tree: Tree | undefined) => { name: string; changes: Change[] }, what = "") {
  editLater(({ tree }) => {
    const { name, changes } = make(tree);
    return { label: `Add ${what}${name}`, changes, select: [{ section, name }] };
  });
}

/** Asks for an edit that is made once all before it are answered. */
export function editLater(make: (scene: Scene) => Edit) {
  if (!store.mayDrive.value) return store.notify("You are a viewer: take control first.", "bad");
  waiting.push(make);
  goOn();
}

/** Whether the scene shown is not yet what was asked for, or its bodies have no places yet. */
export function unsettled(): boolean {
  return asked !== null || store.newest.frame === null;
}

function goOn() {
  const scene = store.scene.value;
  while (scene && !asked && waiting.length > 0) {
    const next = waiting.shift()!(scene);
    if (next.changes.length === 0) continue;
    asked = next;
    store.fieldError.value = null;
    send({ do: "edit", label: next.label, changes: next.changes }, (answer) => failed(next, answer));
  }
}

/** A new scene is here: what was selected stays so, or what the edit made is. */
export function sceneCame(before: Scene | null, now: Scene) {
  // a scene that is saved under another name is the same
  const same = before?.id === now.id || before?.text === now.text;
  const wanted = asked?.select ?? (same && before ? [nameOf(store.selected.value, before), ...store.fellows.value.map((id) => nameOf({ kind: "body", id }, before))] : []);
  const found = wanted.map((named) => named && find(named, now)).filter((s) => !!s);
  store.selected.value = found[0] ?? null;
  store.fellows.value = found.slice(1).flatMap((s) => (s.kind === "body" ? [s.id] : []));
  if (asked) store.fieldError.value = null;
  asked = null;
  if (!same) waiting = [];
  // once the scene is shown
  queueMicrotask(goOn);
}

/** A change was not taken: says so at its field. True, so that the text panel need not open. */
function failed(mine: Edit, answer: Answer): boolean {
  if (answer.type === "saved") return false;
  if (asked === mine) asked = null;
  const { label, field } = mine;
  const first = answer.type === "errors" ? answer.problems[0] : undefined;
  const text = answer.type === "refused" ? answer.why : first ? `${first.message}${first.help ? `: ${first.help}` : ""}` : answer.text;
  if (field) store.fieldError.value = { path: field, text };
  else store.notify(`${label}: ${text}`, "bad");
  goOn();
  return true;
}
