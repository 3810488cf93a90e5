import { describe, expect, it } from "vitest";
import { hash, when, worth, type Work } from "../src/copies";
import { flagPlaces } from "../src/panels/points";
import { answered, present, send } from "../src/socket";
import type { Scene } from "../src/protocol";

const work = (text: string, typed: string | null = null): Work => ({ id: "a.toml", title: "A", file: "a.toml", text, typed, at: 0 });

describe("copies of unsaved work", () => {
  it("are hashed as the server does", () => {
    expect([hash(""), hash("a"), hash("ab"), hash("ä𝄞")]).toEqual([0, 97, 3105, 1991502]);
  });

  it("are offered unless the server has them", () => {
    const scene = { text: "now" } as Scene;
    const all = [work("now"), work("kept"), work("lost"), work("now", "typed")];
    expect(worth(all, scene, [hash("kept")])).toEqual([work("lost"), work("now", "typed")]);
    expect(worth(all, scene, ["typed", "lost", "kept"].map(hash))).toEqual([]);
  });

  it("are named by the time, with the date if it is another day", () => {
    const now = new Date(2026, 4, 7, 15, 0).getTime();
    expect(when(new Date(2026, 4, 7, 14, 5).getTime(), now)).toMatch(/5/);
    expect(when(new Date(2026, 4, 7, 14, 5).getTime(), now)).not.toMatch(/2026/);
    expect(when(new Date(2026, 4, 6, 14, 5).getTime(), now)).toMatch(/2026/);
  });
});

describe("flags of sync points", () => {
  it("stand side by side at the ends of the recorded span if they are outside of it", () => {
    const points = [0.5, 1, 2, 3, 4, 5].map((time, id) => ({ id, name: "", time }));
    expect(flagPlaces(points, 2, 4).map((p) => [p.at, Math.round(p.shift * 10) / 10])).toEqual([
      [0, 0],
      [0, 0.7],
      [0, 0],
      [50, 0],
      [100, 0],
      [100, -0],
    ]);
  });
});

describe("answers", () => {
  it("come to the one who sent the command, once", () => {
    const sent: { req: number }[] = [];
    (globalThis as { WebSocket?: unknown }).WebSocket ??= { OPEN: 1 };
    present.socket = { readyState: 1, send: (text: string) => sent.push(JSON.parse(text)) } as unknown as WebSocket;
    const got: string[] = [];
    send({ do: "play" }, () => (got.push("play"), true));
    send({ do: "undo" }, () => (got.push("undo"), true));
    send({ do: "pause" });
    expect(new Set(sent.map((s) => s.req)).size).toBe(3);
    const refuse = (i: number) => answered({ type: "refused", why: "", req: sent[i]!.req });
    expect([refuse(1), refuse(1), refuse(2), refuse(0)]).toEqual([true, false, false, true]);
    expect(got).toEqual(["undo", "play"]);
    expect(answered({ type: "refused", why: "" })).toBe(false);
  });
});
