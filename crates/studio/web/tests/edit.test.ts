// Edits one after the other: each is made for the scene that the one before it brought.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { addEntry, edit, sceneCame, unsettled } from "../src/build/edit";
import { namesIn } from "../src/build/make";
import { freeName } from "../src/build/numbers";
import type { Change, Frame, Hello, Scene, Tree } from "../src/protocol";
import { answered, present } from "../src/socket";
import * as store from "../src/store";

let sent: { req: number; label: string; changes: { set: string[] }[] }[];

/** The server shows a scene with these joints. */
async function show(...names: string[]) {
  const joints = names.map((name, id) => ({ id, name, kind: "ball", bodies: [] }));
  const tree: Tree = { joints: Object.fromEntries(names.map((name) => [name, {}])) };
  const scene = { id: "a", text: names.join(), tree, bodies: [], joints, lines: [] } as unknown as Scene;
  sceneCame(store.scene.value, scene);
  store.scene.value = scene;
  await Promise.resolve();
}

const selected = () => store.scene.value!.joints.find((j) => store.selected.value?.kind === "joint" && j.id === store.selected.value.id)?.name;
const addPin = () => addEntry("joints", (tree) => {
  const name = freeName("pin", namesIn(tree, "joints"));
  return { name, changes: [{ set: ["joints", name], value: {} }] as Change[] };
});

beforeEach(async () => {
  sent = [];
  vi.stubGlobal("WebSocket", { OPEN: 1 });
  present.socket = { readyState: 1, send: (text: string) => sent.push(JSON.parse(text)) } as unknown as WebSocket;
  store.hello.value = { role: "driver" } as Hello;
  store.linkState.value = { phase: "open" };
  store.newest.frame = {} as Frame;
  await show();
});

describe("edits in quick succession", () => {
  it("get names that differ, and select what each of them made", async () => {
    addPin();
    addPin();
    expect(sent.map((s) => s.label)).toEqual(["Add pin"]);
    expect(unsettled()).toBe(true);
    await show("pin");
    expect(selected()).toBe("pin");
    expect(sent.map((s) => s.changes[0]!.set)).toEqual([["joints", "pin"], ["joints", "pin2"]]);
    await show("pin", "pin2");
    expect(selected()).toBe("pin2");
    expect(unsettled()).toBe(false);
  });

  it("go on after one that was not taken", () => {
    edit("Move", [{ set: ["bodies", "a", "position"], value: [0, 0, 0] }], { field: "position" });
    addPin();
    expect(sent).toHaveLength(1);
    expect(answered({ type: "refused", why: "no", req: sent[0]!.req })).toBe(true);
    expect(sent[1]!.label).toBe("Add pin");
  });

  it("are forgotten with the scene they were meant for", async () => {
    await show("pin");
    addPin();
    addPin();
    const other = { ...store.scene.value!, id: "b", text: "other" };
    sceneCame(store.scene.value, other);
    store.scene.value = other;
    await Promise.resolve();
    expect(sent).toHaveLength(1);
  });
});
