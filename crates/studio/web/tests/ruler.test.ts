import { describe, expect, it } from "vitest";
import { apart, gridUnit, inMetres, tickStep, ticks } from "../src/view/ruler";

describe("numbers along the grid", () => {
  it("take the least round step with enough room, at every zoom", () => {
    expect(tickStep(100, 60)).toBe(1);
    expect(tickStep(50, 60)).toBe(2);
    expect(tickStep(20, 60)).toBe(5);
    expect(tickStep(1000, 60)).toBe(0.1);
    for (let scale = 0.01; scale < 1e5; scale *= 1.37) {
      const room = tickStep(scale, 60) * scale;
      expect(room).toBeGreaterThanOrEqual(59.99);
      expect(room).toBeLessThan(60 * 2.51);
    }
  });
  it("stand at lines of the grid", () => {
    for (const step of [0.1, 0.2, 0.5, 1, 2, 5, 10]) {
      const lines = step / gridUnit(step);
      expect(lines).toBeCloseTo(Math.round(lines), 9);
      expect(lines).toBeLessThanOrEqual(10);
    }
  });
  it("come round ones first, without dust", () => {
    expect(ticks(-0.35, 0.61, 0.1)).toEqual([0, 0.5, -0.1, 0.1, -0.2, 0.2, -0.3, 0.3, 0.4, 0.6]);
    expect(inMetres(-0.3)).toBe("−0.3 m");
    expect(inMetres(0)).toBe("0");
  });
  it("leave out what would overlap", () => {
    const at = (x: number) => ({ x, y: 0, w: 30, h: 12 });
    expect(apart([at(0), at(20), at(40), at(33)], 4)).toEqual([true, false, true, false]);
  });
});
