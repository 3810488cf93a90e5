// Unsaved work in this browser, without a server: its messages are made here, and storage is a map that several pages share.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Errors, Hello, Scene, ServerMessage, Status } from "../src/protocol";

/** Storage of the browser, and sockets of the pages. */
let storage: Record<string, string>;
let room = Infinity;

class Socket {
  static OPEN = 1;
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  onopen = () => {};
  onmessage = (_: { data: unknown }) => {};
  onclose = () => {};
  constructor() {
    sockets.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {
    this.readyState = 3;
  }
  /** The server sends a message. */
  tell(message: Partial<ServerMessage>) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}
let sockets: Socket[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  storage = {};
  room = Infinity;
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    removeItem: (key: string) => void delete storage[key],
    setItem: (key: string, value: string) => {
      const size = Object.entries(storage).reduce((sum, [k, v]) => sum + (k === key ? 0 : v.length), value.length);
      if (size > room) throw new Error("quota exceeded");
      storage[key] = value;
    },
  };
  // keys are properties of the storage itself
  vi.stubGlobal("localStorage", new Proxy(methods, { ownKeys: () => Object.keys(storage), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) }));
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { protocol: "http:", host: "here" });
});

const hello = (role: "driver" | "viewer"): Partial<Hello> => ({ type: "hello", version: 2, role, scenes: [] });
const scene = (id: string, text = `text of ${id}`): Partial<Scene> => ({ type: "scene", id, title: id, file: id, text, bodies: [], joints: [], lines: [], inputs: [] });
const status = (dirty = false, drafts: Status["drafts"] = []): Partial<Status> => ({ type: "status", dirty, drafts, time: 0, live: false, exports: [] });

/** Locks that pages of one browser hold. */
function lockManager() {
  const held = new Set<string>();
  const request = async (name: string, options: unknown, act?: (lock: unknown) => unknown) => {
    const hold = (act ?? options) as (lock: unknown) => unknown;
    if (held.has(name)) return hold(null);
    held.add(name);
    await hold({});
    held.delete(name);
  };
  return { request, release: () => held.clear() };
}

/** Opens the studio in another tab. */
async function open(role: "driver" | "viewer" = "driver", first = scene("a")) {
  vi.resetModules();
  const heard = new Map<string, ((event: unknown) => void)[]>();
  vi.stubGlobal("addEventListener", (name: string, act: (event: unknown) => void) => heard.set(name, [...(heard.get(name) ?? []), act]));
  const [store, work, link] = [await import("../src/store"), await import("../src/work"), await import("../src/link")];
  work.watchWork();
  link.connect();
  const socket = sockets[sockets.length - 1]!;
  const greet = () => {
    socket.onopen();
    for (const message of [hello(role), first, status()]) socket.tell(message);
  };
  greet();
  await vi.advanceTimersByTimeAsync(0);
  const event = (name: string) => heard.get(name)?.forEach((act) => act({ preventDefault() {} }));
  return { store, work, link, socket, event, type: (text: string) => ((store.draft.value = text), vi.advanceTimersByTime(600)) };
}

/** All that is stored, in one text. */
const stored = () => JSON.stringify(storage);

describe("text that was typed and not applied", () => {
  it("is kept when the controls have passed and another scene is opened", async () => {
    const { store, work, socket, type } = await open();
    type("typed");
    expect(stored()).toContain("typed");
    socket.tell(hello("viewer"));
    vi.advanceTimersByTime(600);
    expect(work.unsaved.value).toBe(true);
    expect(stored()).toContain("typed");
    socket.tell(scene("b"));
    expect(store.draft.value).toBeNull();
    expect(work.kept.value.map((w) => [w.id, w.typed])).toEqual([["a", "typed"]]);
  });

  it("is copied while the server is gone, and goes on when it is back", async () => {
    const { store, work, link, socket, type } = await open();
    socket.onclose();
    type("typed");
    expect(work.unsaved.value).toBe(true);
    expect(stored()).toContain("typed");
    link.connect();
    const next = sockets[sockets.length - 1]!;
    next.onopen();
    for (const message of [hello("viewer"), scene("a"), status()]) next.tell(message);
    expect(store.draft.value).toBe("typed");
    expect(work.kept.value).toEqual([]);
    expect(stored()).toContain("typed");
  });

  it("is not offered again after it was discarded, and what comes next is kept", async () => {
    const { store, work, socket, event, type } = await open();
    socket.tell(status(true));
    // a scene that is merely changed
    work.leaveFor("opening", () => socket.tell(scene("b")));
    store.leaving.value!.go(true);
    socket.tell(status());
    type("first");
    socket.tell(scene("c"));
    expect(work.kept.value.map((w) => w.typed)).toEqual(["first"]);
    // typed text, by Back
    type("second");
    work.leaveFor("leaving the studio", () => event("pagehide"));
    store.leaving.value!.go(true);
    expect(stored()).not.toContain("second");
  });

  it("is dropped with a file with errors when another scene comes, and kept unless it was discarded", async () => {
    const { store, work, socket } = await open();
    const errors = { type: "errors" as const, text: "", problems: [], source: { id: "faulty", file: "faulty", text: "wrong" } } satisfies Errors;
    for (const discard of [true, false]) {
      socket.tell(errors);
      store.broken.value = { ...store.broken.value!, text: "half right" };
      work.leaveFor("opening c", () => socket.tell(scene(discard ? "c" : "d")));
      store.leaving.value!.go(discard);
      expect(store.broken.value).toBeNull();
      expect(work.unsaved.value).toBe(false);
      expect(work.kept.value.map((w) => w.typed)).toEqual(discard ? [] : ["half right"]);
    }
  });
});

describe("copies of several tabs", () => {
  it("are each page's own while it is open, and pass to the next page when it is gone", async () => {
    const locks = lockManager();
    vi.stubGlobal("navigator", { locks });
    const a = await open();
    a.type("typed in a");
    const b = await open("viewer");
    expect(b.store.draft.value).toBeNull();
    b.event("pagehide");
    await vi.advanceTimersByTimeAsync(0);
    expect(stored()).toContain("typed in a");
    // the browser is killed
    locks.release();
    const c = await open();
    expect(c.store.draft.value).toBe("typed in a");
    expect(stored()).toContain("typed in a");
  });

  it("are in one list that no tab overwrites", async () => {
    vi.stubGlobal("navigator", { locks: lockManager() });
    const [a, b] = [await open(), await open("viewer")];
    a.type("of a");
    a.socket.tell(scene("b"));
    b.type("of b");
    b.socket.tell(scene("b"));
    expect(JSON.parse(storage["windlass.kept"]!).map((w: { typed: string }) => w.typed)).toEqual(["of b", "of a"]);
  });
});

describe("another attempt to connect", () => {
  it("closes the socket of the one before, which is not heard any more", async () => {
    const { store, link, socket } = await open();
    link.connect();
    expect(socket.readyState).toBe(3);
    socket.onopen();
    socket.tell(scene("late"));
    expect(store.scene.value!.id).toBe("a");
  });
});

describe("a copy that is restored", () => {
  it("stays until the scene has its text", async () => {
    const { work, socket, type } = await open();
    type("typed");
    socket.tell(scene("b"));
    const [copy] = work.kept.value;
    socket.readyState = 3;
    work.takeUp(copy!);
    expect(work.kept.value).toHaveLength(1);
    socket.readyState = 1;
    work.takeUp(copy!);
    socket.tell(scene("a", "typed"));
    expect(work.kept.value).toEqual([]);
  });
});

describe("storage that is full", () => {
  it("keeps the copy of a page that is gone where it is", async () => {
    storage["windlass.work.old"] = JSON.stringify({ id: "b", title: "b", file: "b", text: "old", typed: "typed before", at: 0 });
    room = stored().length;
    const { work } = await open();
    expect(work.kept.value.map((w) => w.typed)).toEqual(["typed before"]);
    expect(stored()).toContain("typed before");
  });

  it("gives up pictures for copies, and says when even that is not enough", async () => {
    const { store, type } = await open();
    storage["windlass.thumb.a"] = "x".repeat(3000);
    room = 3100;
    type("y".repeat(500));
    expect(stored()).toContain("yyy");
    expect(storage["windlass.thumb.a"]).toBeUndefined();
    expect(store.notices.value).toEqual([]);
    type("z".repeat(5000));
    expect(store.notices.value.map((n) => n.text).join()).toMatch(/no room/);
  });
});
