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
  draw(pace, 50, 100);
  expect(quality.value).toBe("medium");
  draw(pace, 50, 100, 7000);
  expect(quality.value).toBe("low");
});

it("keeps the quality at 30 pictures per second, and when the page was hidden", async () => {
  const { Pace, quality } = await import("../src/view/quality");
  const pace = new Pace();
  draw(pace, 500, 33);
  draw(pace, 100, 5000, 100_000);
  expect(quality.value).toBe("high");
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
