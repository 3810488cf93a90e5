import { describe, expect, it } from "vitest";
import { fromStick, keyed, keyName, stickPlace } from "../src/drive";
import { aligned, History, toCsv } from "../src/history";
import { pauseBefore } from "../src/link";
import { quantity } from "../src/panels/units";
import type { Input } from "../src/protocol";
import { fromHash, toHash } from "../src/share";
import { clock } from "../src/time";
import { emptyTube, fillTube, ringsFor, SIDES } from "../src/view/tube";

const lever: Input = { name: "hoist", label: "Hoist", unit: "m/s", low: -1, high: 2, rest: 0, returns: true, keys: ["Up", "Down"], gamepad: "left-y" };

describe("inputs", () => {
  it("follow held keys and spring back", () => {
    expect(keyed(lever, 0, true, false, 0.02)).toBe(2);
    expect(keyed(lever, 0, false, true, 0.02)).toBe(-1);
    expect(keyed(lever, 2, false, false, 0.02)).toBe(0);
    expect(keyed(lever, 2, true, true, 0.02)).toBe(0);
  });

  it("that do not spring back move over their range and stay", () => {
    const set = { ...lever, returns: false };
    expect(keyed(set, 0.5, true, false, 1)).toBeCloseTo(1.5);
    expect(keyed(set, 0.5, false, false, 1)).toBe(0.5);
    expect(keyed(set, 1.9, true, false, 1)).toBe(2);
  });

  it("follow sticks with a dead middle, up positive", () => {
    expect(fromStick(lever, 0.1)).toBe(0);
    expect(fromStick(lever, 1)).toBe(2);
    expect(fromStick(lever, -1)).toBe(-1);
    const pad = { axes: [0.5, -1], buttons: [] } as unknown as Gamepad;
    expect(stickPlace(pad, "left-y")).toBe(1);
    expect(stickPlace(pad, "cross-x")).toBe(0);
  });

  it("know keys by their printed names", () => {
    expect(["a", "ArrowUp", " ", "PageDown", "F1"].map(keyName)).toEqual(["A", "Up", "Space", "PageDown", "F1"]);
  });
});

describe("history", () => {
  it("drops what lay after a branch", () => {
    const h = new History();
    for (const t of [0, 1, 2, 3]) h.add(t, { z: t });
    h.add(1.5, { z: 10 });
    expect(h.column("z")).toEqual({ times: [0, 1, 1.5], values: [0, 1, 10] });
  });

  it("puts columns of different times side by side", () => {
    const a = { times: [0, 1], values: [1, 2] };
    const b = { times: [1, 2], values: [3, 4] };
    expect(aligned([a, b], 0)).toEqual({ times: [0, 1, 2], values: [[1, 2, null], [null, 3, 4]] });
    expect(toCsv(["a", "b"], [a, b])).toBe("time,a,b\n0,1,\n1,2,3\n2,,4\n");
  });
});

describe("tubes", () => {
  it("keep their radius around a straight line, normals outward and faces turned out", () => {
    const points = new Float32Array([0, 0, 0, 5, 0, 0, 1, 5, 0, 0, 2, 5]);
    const tube = emptyTube(ringsFor(3));
    fillTube(tube, points, () => 0.1, (_, out, at) => out.fill(1, at, at + 3));
    for (let v = 0; v < tube.rings * SIDES; v++) {
      const [x, y] = [tube.position[3 * v]!, tube.position[3 * v + 1]!];
      expect(Math.hypot(x, y)).toBeCloseTo(0.1, 5);
      expect(tube.normal[3 * v]! * x + tube.normal[3 * v + 1]! * y).toBeCloseTo(0.1, 5);
    }
    const at = (i: number) => [0, 1, 2].map((k) => tube.position[3 * tube.index[i]! + k]!);
    const [a, b, c] = [at(0), at(1), at(2)];
    const [u, w] = [b.map((q, k) => q - a[k]!), c.map((q, k) => q - a[k]!)];
    const normal = [u[1]! * w[2]! - u[2]! * w[1]!, u[2]! * w[0]! - u[0]! * w[2]!];
    expect(normal[0]! * (a[0]! + b[0]!) + normal[1]! * (a[1]! + b[1]!)).toBeGreaterThan(0);
  });

  it("pass through every point", () => {
    const points = new Float32Array([0, 0, 0, 1, 1, 0, 0, 2, 1, 1, 0, 3, 2, 1, 1, 4]);
    const rings = ringsFor(4);
    const tube = emptyTube(rings);
    fillTube(tube, points, () => 0.01, () => undefined);
    const per = (rings - 1) / 3;
    for (let i = 0; i < 4; i++) {
      for (let k = 0; k < 3; k++) {
        let mean = 0;
        for (let s = 0; s < SIDES; s++) mean += tube.position[(i * per * SIDES + s) * 3 + k]! / SIDES;
        expect(mean).toBeCloseTo(points[4 * i + k]!, 5);
      }
    }
  });
});

describe("words and numbers", () => {
  it("say times and quantities", () => {
    expect([0, 59.999, 61.5, -2].map(clock)).toEqual(["0:00.00", "1:00.00", "1:01.50", "−0:02.00"]);
    expect(quantity(19620, "N")).toBe("19.6 kN");
    expect(quantity(1000, "N")).toBe("1 kN");
    expect(quantity(100, "J")).toBe("100 J");
    expect(quantity(-0.0166667, "s")).toBe("−16.7 ms");
    expect(quantity(0, "J")).toBe("0 J");
  });

  it("wait longer before each attempt, up to a limit", () => {
    expect([1, 2, 3, 10].map(pauseBefore)).toEqual([0.5, 1, 2, 8]);
  });

  it("carry a place in a link, and drop nonsense", () => {
    const place = { scene: "crane/tower", time: 12.5, eye: [1, 2, 3, 0.5, 0.25, 30] };
    expect(fromHash(toHash(place))).toEqual(place);
    expect(fromHash("#t=x&eye=1,2")).toEqual({ scene: null, time: null, eye: null });
  });
});
