import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("location", { search: "", hash: "" });
});

/** Pictures at equal intervals [ms]. */
const draw = (pace: { picture(now: number): void }, count: number, interval: number, from = 1000) => {
  for (let i = 0; i < count; i++) pace.picture(from + i * interval);
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

it("takes what the address names, and what was chosen", async () => {
  vi.stubGlobal("location", { search: "?quality=medium", hash: "" });
  const { Pace, choose, quality } = await import("../src/view/quality");
  draw(new Pace(), 200, 100);
  expect(quality.value).toBe("medium");
  choose("high");
  draw(new Pace(), 200, 100);
  expect(quality.value).toBe("high");
});
