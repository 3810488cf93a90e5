/**
 * Unsaved work: asked about before it is left, warned of before the tab is closed, and kept in this browser.
 *
 *   scene ≠ its file, or text typed and not applied  →  unsaved
 *   unsaved                                          →  a copy in localStorage, half a second later; removed at once when saved or reverted
 *   a copy that the server no longer has             →  offered back
 *
 * The server keeps its own copies (`drafts` of the status); this one is for what only the page knows, and for a server that is gone.
 */
import { computed, effect, signal } from "@preact/signals";
import * as store from "./store";
import { worth, type Work } from "./copies";
import { onTypedLeft } from "./link";
import { send } from "./socket";
import { saveThen } from "./build/actions";

/** Most copies that are offered. */
const MOST = 8;
/** Time without a change before a copy is made [ms]. */
const PAUSE = 500;

/** Text that was typed and not applied. */
const typed = computed(() => {
  const { scene, draft, broken } = { scene: store.scene.value, draft: store.draft.value, broken: store.broken.value };
  if (broken && broken.text !== broken.read) return broken.text;
  return draft !== null && scene && draft !== scene.text ? draft : null;
});

/** Whether the scene differs from its file; a status comes ten times a second, this changes rarely. */
const dirty = computed(() => !!store.status.value?.dirty);

/** Whether something would be lost. */
export const unsaved = computed(() => store.mayDrive.value && (dirty.value || typed.value !== null));

const unsafe = computed(() => store.status.value?.unsafe_work ?? null);

/** Copies that the server does not have. */
export const kept = signal<Work[]>(read<Work[]>("kept") ?? []);

/** Goes elsewhere, after asking what to do with unsaved work; `what` completes "before …". What was typed may be what one goes to. */
export function leaveFor(what: string, go: (discard: boolean) => void, withTyped = true) {
  if (withTyped ? unsaved.value : store.status.value?.dirty) store.leaving.value = { what, go };
  else go(false);
}

/** Applies what was typed, saves, and then goes elsewhere; stays where it does not work. */
export function saveAndGo(go: () => void) {
  const text = typed.value;
  // a file with errors is another one than the scene that is saved
  if (store.broken.value) keepTyped();
  if (text === null || store.broken.value) return saveThen(go);
  let stop: (() => void) | null = null;
  send({ do: "text", toml: text }, () => (stop?.(), false));
  stop = effect(() => {
    if (store.scene.value?.text !== text) return;
    queueMicrotask(() => (stop?.(), saveThen(go)));
  });
}

/** What was typed was discarded on purpose with the next scene. */
const discarding = { typed: false };

/** Goes elsewhere without saving. */
export function discardAndGo(go: (discard: boolean) => void) {
  discarding.typed = true;
  go(true);
}

/** Keeps a copy of what was typed: the server keeps the rest. */
export function keepTyped() {
  const now = present();
  if (now && now.typed !== null) keep(now);
}

/** Takes up a copy: its text as another scene, and what was typed in the text panel. */
export function takeUp(work: Work) {
  leaveFor(`restoring ${work.title}`, (discard) => {
    const listed = store.hello.value?.scenes.some((s) => s.id === work.id);
    const name = work.file.split("/").pop() || work.title;
    send({ do: "load", id: listed ? work.id : null, name, toml: work.typed ?? work.text, discard }, (answer) => {
      // a text with errors is no scene yet
      if (answer.type !== "saved") keep(work);
      return false;
    });
    drop(work);
  });
}

/** Offers a copy no longer. */
export function drop(work: Work) {
  setKept(kept.value.filter((w) => w !== work));
}

function keep(work: Work) {
  setKept([work, ...kept.value.filter((w) => (w.typed ?? w.text) !== (work.typed ?? work.text))].slice(0, MOST));
}

function setKept(list: Work[]) {
  kept.value = list;
  store.remember("kept", JSON.stringify(list));
}

/** What is unsaved at present. */
function present(): Work | null {
  const scene = store.scene.value;
  if (!scene || !unsaved.value) return null;
  const broken = store.broken.value;
  const of = broken && broken.text !== broken.read ? { id: broken.id, title: broken.file, file: broken.file, text: broken.read } : scene;
  return { id: of.id, title: of.title, file: of.file, text: of.text, typed: typed.value, at: Date.now() };
}

function read<T>(key: string): T | null {
  try {
    return JSON.parse(store.remembered(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** The page is left on purpose, so that the browser need not ask once more. */
export const goingAway = { since: 0 };

/** Begins to watch: copies while there is unsaved work, a question before the tab closes, offers of what an earlier visit left. */
export function watchWork() {
  onTypedLeft(() => {
    if (!discarding.typed) keepTyped();
    discarding.typed = false;
  });
  effect(() => {
    const why = unsafe.value;
    if (why) store.notify(`Unsaved changes are not kept on disk: ${why}`, "bad");
  });
  addEventListener("beforeunload", (event) => {
    if (unsaved.value && Date.now() - goingAway.since > 2000) event.preventDefault();
  });
  // what the last visit, or this one before the server went, had not saved
  let left = read<Work>("work");
  // of the server that went; the next one sends its own
  let gone: unknown[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    if (left || store.linkState.value.phase !== "open") return;
    store.remember("work", JSON.stringify(present()));
  };
  addEventListener("pagehide", write);
  effect(() => {
    if (store.linkState.value.phase !== "lost") return;
    left = read<Work>("work");
    gone = [store.scene.peek(), store.status.peek()];
  });
  effect(() => {
    const [scene, status] = [store.scene.value, store.status.value];
    if (!left || !scene || !status || gone.includes(scene) || gone.includes(status) || store.linkState.value.phase !== "open") return;
    const was = left;
    left = null;
    if (was.typed !== null && was.text === scene.text && was.id === scene.id) {
      // the same scene: what was typed goes on, unless more was typed meanwhile
      store.draft.value ??= was.typed;
      store.leftPanel.value = "text";
    } else keep(was);
    write();
  });
  // a server may tell of its drafts later than of its scene
  effect(() => {
    const [scene, status, copies] = [store.scene.value, store.status.value, kept.value];
    if (copies.length === 0 || !scene || !status || gone.includes(scene) || gone.includes(status)) return;
    const lost = worth(copies, scene, status.drafts ?? []);
    if (lost.length < copies.length) setKept(lost);
  });
  effect(() => {
    void [store.scene.value?.text, dirty.value, typed.value, store.mayDrive.value];
    clearTimeout(timer);
    // what was saved or reverted is not to be offered again, whatever comes next
    if (unsaved.value) timer = setTimeout(write, PAUSE);
    else write();
  });
}
