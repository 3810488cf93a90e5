/** The socket to the server: text becomes signals, binary becomes the newest frame; comes back by itself when it breaks. */
import { batch } from "@preact/signals";
import { decodeFrame, VERSION, GHOST_MAGIC, isGhost, type ExportNews, type Scene, type ServerMessage, type Source } from "./protocol";
import { decodeTiles, tilesOf } from "./earth/protocol";
import { newSurfaces, takeTiles } from "./earth/now";
import * as store from "./store";
import { history } from "./history";
import { sceneCame } from "./build/edit";
import { download } from "./download";
import { answered, forgetCommands, present, send } from "./socket";

export { send };

/** First and longest pause before another attempt [s]. */
const FIRST_PAUSE = 0.5;
const LONGEST_PAUSE = 8;

/** Pause before attempt n = 1, 2, …: doubles up to the longest. */
export function pauseBefore(attempt: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
}

let attempt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let complained = false;
const askedProbes = new Set<string>();
const greeted: (() => void)[] = [];

/** Called after each greeting of the server, so also after each reconnection. */
export function onHello(act: () => void) {
  greeted.push(act);
}

const parted: (() => void)[] = [];

/** Called before another scene takes the place of the present one. */
export function onSceneLeft(act: () => void) {
  parted.push(act);
}

export function connect() {
  clearTimeout(timer);
  if (store.linkState.value.phase !== "lost") store.linkState.value = { phase: "connecting" };
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const mine = new WebSocket(`${scheme}://${location.host}/live`);
  const before = present.socket;
  present.socket = mine;
  before?.close();
  mine.binaryType = "arraybuffer";
  mine.onopen = () => {
    if (present.socket !== mine) return;
    attempt = 0;
    forgetCommands();
    // a server tells of what it compares with, if it does
    haunt(null);
    store.linkState.value = { phase: "open" };
  };
  mine.onmessage = (event) => {
    if (present.socket !== mine) return;
    try {
      if (typeof event.data === "string") receive(JSON.parse(event.data) as ServerMessage);
      else if (tilesOf(event.data as ArrayBuffer)) takeTiles(tilesOf(event.data as ArrayBuffer)!, decodeTiles(event.data as ArrayBuffer));
      else if (isGhost(event.data as ArrayBuffer)) store.ghost.frame = decodeFrame(event.data as ArrayBuffer, GHOST_MAGIC);
      else store.newest.frame = decodeFrame(event.data as ArrayBuffer);
    } catch (error) {
      // one broken message must not end the picture, nor say so sixty times a second
      if (!complained) store.notify(`Invalid message from the server: ${(error as Error).message}`, "bad");
      complained = true;
    }
  };
  mine.onclose = () => {
    if (present.socket !== mine) return;
    attempt += 1;
    const pause = pauseBefore(attempt);
    store.linkState.value = { phase: "lost", attempt, retryAt: Date.now() + pause * 1000 };
    timer = setTimeout(connect, pause * 1000);
  };
}

/** Asks for samples of these probes from now on. */
export function askProbes(names: Iterable<string>) {
  askedProbes.clear();
  for (const name of names) askedProbes.add(name);
  send({ do: "probe", names: [...askedProbes] });
}

function receive(message: ServerMessage) {
  switch (message.type) {
    case "hello":
      if (message.version !== VERSION) store.notify(`The server uses protocol version ${message.version}, this page version ${VERSION}: reload the page.`, "bad");
      store.hello.value = message;
      // one who is alone, as after a reload, has control without asking
      if (message.role === "viewer" && message.driver === null && message.clients === 1) send({ do: "drive" });
      if (askedProbes.size > 0) send({ do: "probe", names: [...askedProbes] });
      for (const act of greeted) act();
      break;
    case "scene": {
      // a scene that is saved under another name is the same
      const other = store.scene.value?.id !== message.id && store.scene.value?.text !== message.text;
      if (other) history.clear();
      // told once: the scene is sent again for other reasons
      if (store.scene.value && store.scene.value.text !== message.text) for (const note of message.notes ?? []) store.notify(note);
      store.newest.frame = null;
      if (store.broken.value?.text === message.text) store.broken.value = null;
      if (store.scene.value && other) for (const act of parted) act();
      // another scene brings its own text; after an edit of this one, what was typed stays until it is applied
      if (other) store.broken.value = null;
      if (other || store.draft.value === message.text) store.draft.value = null;
      if (!store.broken.value) store.errors.value = null;
      // a range without an end comes as null: give the lever one
      for (const input of message.inputs) {
        input.low ??= input.rest - 1;
        input.high ??= input.rest + 1;
      }
      newSurfaces("run", message);
      batch(() => {
        sceneCame(store.scene.value, message);
        store.scene.value = message;
      });
      break;
    }
    case "status":
      store.status.value = message;
      history.take(message);
      takeExports(message.exports ?? []);
      break;
    case "errors":
      if (answered(message)) break;
      // a file with errors is shown as it is, while the scene runs on
      store.broken.value = message.source ? { ...message.source, read: readBefore(message.source) ?? message.source.text } : null;
      store.errors.value = message;
      store.leftPanel.value = "text";
      break;
    case "sample":
      Object.assign(store.sampled, { time: message.time, values: message.values });
      store.indeterminate.value = (message.indeterminate ?? []).join("\n");
      if (message.live ?? store.status.value?.live !== false) history.add(message.time, message.values);
      break;
    case "names":
      store.names.value = message;
      break;
    case "saved":
      store.asking.value = null;
      store.notify(`Saved as ${message.file}.`);
      answered(message);
      break;
    case "ghost":
      haunt(message.id === null || !message.scene ? null : { id: message.id, name: message.name, scene: message.scene });
      break;
    case "path":
      download(new Blob([message.text], { type: "application/json" }), `${message.name.replace(/[^\w-]+/g, "_")}.path.json`);
      break;
    case "refused":
      if (answered(message)) break;
      store.notify(message.why, "bad");
      break;
  }
}

/** The text of a file with errors as it is on disk, if it was corrected here and still has some. */
function readBefore(source: Source): string | undefined {
  const before = store.broken.value;
  return before?.id === source.id && before.file === source.file ? before.read : undefined;
}

/** What the run is compared with from now on; its frames follow. */
function haunt(other: { id: number; name: string; scene: Scene } | null) {
  store.ghost.frame = null;
  newSurfaces("ghost", other?.scene ?? null);
  if (store.compared.value !== other) store.compared.value = other;
}

/** How the files come along, but for those put away; another server counts anew. */
function takeExports(all: ExportNews[]) {
  for (const id of store.putAway) if (!all.some((e) => e.id === id)) store.putAway.delete(id);
  const next = all.filter((e) => !store.putAway.has(e.id));
  const before = store.exports.value;
  if (JSON.stringify(next) === JSON.stringify(before)) return;
  for (const e of next) if (e.error && before.some((b) => b.id === e.id && !b.error)) store.notify(`The export failed: ${e.error}`, "bad");
  store.exports.value = next;
}
