// Keys and gamepads → commands: what is held is let go with the page, dialogs have their keys to themselves.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Hello, Input, Scene, Status } from "../src/protocol";

const slew: Input = { name: "slew", label: "slew", unit: "rad/s", low: -1, high: 1, rest: 0, self_centering: true, keys: ["Left", "Right"], gamepad: "left-x" } as Input;

type Heard = Map<string, ((event: unknown) => void)[]>;
const hears = (heard: Heard) => (name: string, act: (event: unknown) => void) => heard.set(name, [...(heard.get(name) ?? []), act]);

/** A page with a crane, its keyboard and its stick. */
async function page() {
  vi.resetModules();
  const heard: Heard = new Map();
  const sent: { do: string; value?: number }[] = [];
  const shown = { dialog: false, hidden: false };
  let frame: (now: number) => void = () => {};
  const pad = { connected: true, axes: [0, 0, 0, 0], buttons: [] };
  vi.stubGlobal("location", { search: "" });
  vi.stubGlobal("WebSocket", { OPEN: 1 });
  vi.stubGlobal("addEventListener", hears(heard));
  vi.stubGlobal("document", { addEventListener: hears(heard), querySelector: () => (shown.dialog ? {} : null), get hidden() { return shown.hidden; } });
  vi.stubGlobal("navigator", { getGamepads: () => [pad] });
  vi.stubGlobal("requestAnimationFrame", (act: (now: number) => void) => (frame = act));
  const [store, drive, shortcuts, socket] = [await import("../src/store"), await import("../src/drive"), await import("../src/shortcuts"), await import("../src/socket")];
  socket.present.socket = { readyState: 1, send: (text: string) => sent.push(JSON.parse(text)) } as unknown as WebSocket;
  store.hello.value = { role: "driver" } as Hello;
  store.linkState.value = { phase: "open" };
  store.scene.value = { id: "a", inputs: [slew], bodies: [], joints: [], lines: [] } as unknown as Scene;
  store.status.value = { inputs: { slew: [0, 0] }, playing: true, live: true, points: [], time: 1 } as unknown as Status;
  drive.listen(shortcuts.shortcut);
  shortcuts.listenChords();
  const event = (name: string, more: object = {}) => {
    const made = { preventDefault: vi.fn(), target: null, ...more };
    heard.get(name)?.forEach((act) => act(made));
    return made;
  };
  const key = (key: string, more: object = {}) => event("keydown", { key, ...more });
  return { store, sent, shown, pad, event, key, draw: () => frame(performance.now() + 20), values: () => sent.filter((s) => s.do === "input").map((s) => s.value) };
}

beforeEach(() => void vi.unstubAllGlobals());

describe("what is held", () => {
  it("is let go at once when the page is hidden, though no picture is drawn any more", async () => {
    const { shown, event, key, draw, values } = await page();
    key("ArrowLeft");
    draw();
    expect(values()).toEqual([1]);
    shown.hidden = true;
    event("visibilitychange");
    expect(values()).toEqual([1, 0]);
  });

  it("on a gamepad as well, and its stick goes the way of the crane", async () => {
    const { pad, event, draw, values } = await page();
    pad.axes[0] = 1;
    draw();
    expect(values()).toEqual([-1]);
    event("blur");
    expect(values()).toEqual([-1, 0]);
  });
});

describe("keys behind a dialog", () => {
  it("do nothing, and are left to the dialog", async () => {
    const { store, sent, shown, key, draw } = await page();
    store.building.value = true;
    store.leftPanel.value = "scenes";
    shown.dialog = true;
    const pressed = ["Escape", "Backspace", "x", "e", "ArrowLeft"].map((k) => key(k));
    pressed.push(key("z", { ctrlKey: true }), key("s", { ctrlKey: true }));
    draw();
    for (const event of pressed) expect(event.preventDefault).not.toHaveBeenCalled();
    expect([store.building.value, store.leftPanel.value, sent]).toEqual([true, "scenes", []]);
    key("F1");
    expect(store.helpOpen.value).toBe(true);
  });
});

describe("keys held down", () => {
  it("act once, but for steps", async () => {
    const { store, sent, key } = await page();
    for (const name of ["m", "t", "."]) for (const repeat of [false, true, true]) key(name, { repeat });
    expect(sent.filter((s) => s.do === "mark")).toHaveLength(1);
    expect(sent.filter((s) => s.do === "step")).toHaveLength(3);
    expect(store.byTension.value).toBe(true);
    for (const repeat of [false, true]) key("z", { repeat, ctrlKey: true, shiftKey: false });
    expect(sent.filter((s) => s.do === "undo")).toHaveLength(2);
  });
});
