import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("location", { search: "", hash: "" });
});

/** Turns of the page at equal intervals [ms], with pictures or without. */
const draw = (pace: { turn(now: number, drew: boolean): void }, count: number, interval: number, from = 1000, drew = true) => {
  for (let i = 0; i < count; i++) pace.turn(from + i * interval, drew);
};

it("lowers the quality step by step while pictures take too long", async () => {
  const { Pace, quality } = await import("../src/view/quality");
  const pace = new Pace();
  expect(quality.value).toBe("high");
  for (const [i, next] of ["medium", "low", "coarse", "coarse"].entries()) {
    draw(pace, 21, 100, 2100 * i);
    expect(quality.value).toBe(next);
  }
});

it("lowers it also where there is one picture per second, but not for one slow picture among quick ones", async () => {
  const { Pace, quality } = await import("../src/view/quality");
  const pace = new Pace();
  for (let i = 0; i < 20; i++) {
    draw(pace, 30, 20, 5000 * i);
    draw(pace, 1, 0, 5000 * i + 2600);
  }
  expect(quality.value).toBe("high");
  draw(pace, 12, 1000, 200_000);
  expect(quality.value).toBe("medium");
});

it("keeps the quality at 30 pictures per second, and when the page was hidden", async () => {
  const { Pace, quality } = await import("../src/view/quality");
  const pace = new Pace();
  draw(pace, 500, 33);
  draw(pace, 100, 5000, 100_000);
  expect(quality.value).toBe("high");
});

it("draws a quarter of the pixels where it is coarse, and nothing that low has not", async () => {
  vi.stubGlobal("devicePixelRatio", 3);
  const { isFine, pixelRatio } = await import("../src/view/quality");
  expect((["coarse", "low", "medium", "high"] as const).map((q) => [pixelRatio(q), isFine(q)])).toEqual([[0.5, false], [1, false], [2, true], [2, true]]);
});

it("does not take a page at rest for a slow one", async () => {
  const { Pace, quality } = await import("../src/view/quality");
  const pace = new Pace();
  draw(pace, 500, 100, 1000, false);
  expect(quality.value).toBe("high");
});

it("takes what the address names, and what was chosen", async () => {
  vi.stubGlobal("location", { search: "?quality=medium", hash: "" });
  const { Pace, choose, quality } = await import("../src/view/quality");
  draw(new Pace(), 200, 100);
  expect(quality.value).toBe("medium");
  choose("high");
  draw(new Pace(), 200, 100);
  expect(quality.value).toBe("high");
});
