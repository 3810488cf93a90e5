/** An edit goes to the server; its answer, a new scene or errors, comes back to the one that asked: selects, or names the field. */
import type { Answer, Change, Scene } from "../protocol";
import * as store from "../store";
import { send } from "../socket";
import { find, nameOf, type Named } from "./selection";

interface Asked {
  label: string;
  select?: Named[];
  field?: string;
}
let asked: Asked | null = null;

/** Asks for changes of the text. `select` is what to select when they are done, `field` where to show what is wrong. */
export function edit(label: string, changes: Change[], then: { select?: Named[]; field?: string } = {}) {
  if (changes.length === 0) return;
  if (!store.mayDrive.value) return store.notify("You are a viewer: take control first.", "bad");
  const mine: Asked = { label, ...then };
  asked = mine;
  store.fieldError.value = null;
  send({ do: "edit", label, changes }, (answer) => editFailed(mine, answer));
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
}

/** A change was not taken: says so at its field. True, so that the text panel need not open. */
function editFailed(mine: Asked, answer: Answer): boolean {
  if (answer.type === "saved") return false;
  if (asked === mine) asked = null;
  const { label, field } = mine;
  const first = answer.type === "errors" ? answer.problems[0] : undefined;
  const text = answer.type === "refused" ? answer.why : first ? `${first.message}${first.help ? `: ${first.help}` : ""}` : answer.text;
  if (field) store.fieldError.value = { path: field, text };
  else store.notify(`${label}: ${text}`, "bad");
  return true;
}
