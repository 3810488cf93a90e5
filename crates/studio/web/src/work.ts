/**
 * Unsaved work: asked about before it is left, warned of before the tab is closed, and kept in this browser.
 *
 *   scene ≠ its file, or text typed and not applied  →  unsaved
 *   unsaved                                          →  a copy in localStorage, half a second later; removed at once when saved or reverted
 *   the copy of a page that is gone                  →  typed again where it was, else kept
 *   a kept copy that the server does not have        →  offered back
 *
 * The server keeps its own copies (`drafts` of the status); these are for what only the page knows, and for a server that is gone. Each
 * page has a copy of its own: pages of several tabs share the storage.
 */
import { computed, effect, signal, untracked } from "@preact/signals";
import * as store from "./store";
import { textOf, worth, type Work } from "./copies";
import { onSceneLeft } from "./link";
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

/** Whether the scene differs from its file, and this page is the one that changes it. */
const changed = computed(() => store.hello.value?.role === "driver" && !!store.status.value?.dirty);

/** Whether something would be lost: what was typed is known to this page only, whoever drives. */
export const unsaved = computed(() => changed.value || typed.value !== null);

const unsafe = computed(() => store.status.value?.unsafe_work ?? null);

/** Scene and status of a server that went; the next one sends its own. */
const gone = signal<unknown[]>([]);

/** Whether the server has told what it has. A status comes ten times a second, this and the drafts change rarely. */
const told = computed(() => [store.scene.value, store.status.value].every((message) => message !== null && !gone.value.includes(message)));

/** Hashes of the texts that the server keeps as drafts, in one text. */
const drafts = computed(() => (store.status.value?.drafts ?? []).map((d) => d.hash).join());

/** Copies that the server does not have. */
export const kept = signal<Work[]>(read<Work[]>("kept") ?? []);

/** Goes elsewhere, after asking what to do with unsaved work; `what` completes "before …". What was typed may be what one goes to. */
export function leaveFor(what: string, go: (discard: boolean) => void, withTyped = true) {
  if (!(withTyped ? unsaved.value : store.status.value?.dirty)) return go(false);
  store.leaving.value = {
    what,
    go: (discard) => {
      if (discard && withTyped) dropTyped();
      go(discard);
    },
  };
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

/** Forgets what was typed and not applied. */
function dropTyped() {
  if (store.broken.value && store.broken.value.text === typed.value) store.errors.value = store.broken.value = null;
  store.draft.value = null;
}

/** Keeps a copy of what was typed: the server keeps the rest. */
export function keepTyped() {
  const now = present();
  if (now && now.typed !== null) keep(now);
}

/** Takes up a copy: its text as another scene. It is offered until the scene has that text. */
export function takeUp(work: Work) {
  leaveFor(`restoring ${work.title}`, (discard) => {
    const listed = store.hello.value?.scenes.some((s) => s.id === work.id);
    const name = work.file.split("/").pop() || work.title;
    send({ do: "load", id: listed ? work.id : null, name, toml: textOf(work), unsaved: true, discard });
  });
}

/** Offers a copy no longer. */
export function drop(work: Work) {
  changeKept((all) => all.filter((w) => textOf(w) !== textOf(work)));
}

function keep(work: Work) {
  changeKept((all) => [work, ...all.filter((w) => textOf(w) !== textOf(work))].slice(0, MOST));
}

/** Changes the list as it is now: another tab may have changed it. */
function changeKept(change: (all: Work[]) => Work[]) {
  kept.value = change(read<Work[]>("kept") ?? kept.value);
  remember("kept", kept.value);
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

/** Whether a copy could be stored the last time. */
let stored = true;

function remember(key: string, value: unknown) {
  const before = stored;
  stored = store.remember(key, JSON.stringify(value));
  if (before && !stored) store.notify("This browser has no room for copies of unsaved work: save the scene to keep it.", "bad");
}

/** The page is left on purpose, so that the browser need not ask once more. */
export const goingAway = { since: 0 };

/** Begins to watch: copies while there is unsaved work, a question before the tab closes, offers of what an earlier visit left. */
export function watchWork() {
  onSceneLeft(keepTyped);
  effect(() => {
    const why = unsafe.value;
    if (why) store.notify(`Unsaved changes are not kept on disk: ${why}`, "bad");
  });
  addEventListener("beforeunload", (event) => {
    if (unsaved.value && Date.now() - goingAway.since > 2000) event.preventDefault();
  });
  addEventListener("storage", (event) => {
    if (event.key === "windlass.kept") kept.value = read<Work[]>("kept") ?? [];
  });
  const own = `work.${Date.now().toString(36)}.${Math.random().toString(36).slice(2)}`;
  /** What this page had when the server went, until the next one has told what it has. */
  let left: Work | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    if (store.linkState.peek().phase === "lost") left = present();
    else if (left) return;
    const work = left ?? present();
    if (work) remember(own, work);
    else store.forget(own);
  };
  addEventListener("pagehide", write);
  effect(() => {
    if (store.linkState.value.phase !== "lost") return;
    untracked(() => told.value && write());
    gone.value = [store.scene.peek(), store.status.peek()];
  });
  const inherited = signal<string[]>([]);
  inherit(own, (key) => (inherited.value = [...inherited.value, key]));
  effect(() => {
    const keys = inherited.value;
    if (!told.value) return;
    untracked(() => {
      for (const work of [left, ...keys.map((key) => read<Work>(key))]) if (work) takeOver(work);
      left = null;
      write();
      if (stored) for (const key of keys) store.forget(key);
      if (keys.length > 0) inherited.value = [];
    });
  });
  // a server may tell of its drafts later than of its scene
  effect(() => {
    const [scene, known] = [store.scene.value, drafts.value.split(",").map(Number)];
    if (!scene || !told.value) return;
    const lost = (all: Work[]) => worth(all, scene, known);
    if (lost(kept.value).length < kept.value.length) changeKept(lost);
  });
  effect(() => {
    void [store.scene.value?.text, typed.value];
    clearTimeout(timer);
    // what was saved or reverted is not to be offered again, whatever comes next
    if (unsaved.value) timer = setTimeout(write, PAUSE);
    else untracked(write);
  });
}

/** Gives the keys of copies whose pages are gone. A page holds a lock while it is open; without locks all count as gone, and are kept twice at worst. */
function inherit(own: string, take: (key: string) => void) {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  // a page that is reloaded lets go before it is there again
  void locks?.request(`windlass.${own}`, () => new Promise<void>((release) => addEventListener("pagehide", () => release())));
  for (const key of store.rememberedKeys("work")) {
    if (locks) void locks.request(`windlass.${key}`, { ifAvailable: true }, (free) => free && take(key));
    else take(key);
  }
}

/** Goes on with the copy of a page that is gone: its text is typed again where it was, unless something else was typed; then it is offered. */
function takeOver(work: Work) {
  const scene = store.scene.value;
  if (work.typed !== null && work.typed === typed.value) return;
  if (work.typed !== null && store.draft.value === null && work.text === scene?.text && work.id === scene.id) {
    store.draft.value = work.typed;
    store.leftPanel.value = "text";
  } else keep(work);
}
