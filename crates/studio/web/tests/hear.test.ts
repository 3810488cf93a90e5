import { describe, expect, it } from "vitest";
import { impact, motors, movingWeight, pressing, rateShare, slackened, tensions } from "../src/sound/hear";
import type { Frame, Input } from "../src/protocol";

const input = (name: string, self_centering = true): Input => ({ name, label: name, unit: "m/s", low: -2, high: 2, rest: 0, self_centering, keys: null, gamepad: null });
const frame = (contacts: number[], lines: [number, number[]][] = []): Frame => ({
  time: 0,
  bodies: new Float32Array(),
  lines: lines.map(([id, t]) => ({ id, points: new Float32Array(t.flatMap((v) => [0, 0, 0, v])) })),
  contacts: new Float32Array(contacts),
  pushes: new Float32Array(),
  torques: new Float32Array(),
});

describe("motors", () => {
  it("are silent at rest, and rise two octaves to full rate", () => {
    const at = (v: number) => motors([input("hoist")], { hoist: [v, v] }, {}, 0.1)[0]!;
    expect(at(0).level).toBe(0);
    expect(at(2).level).toBe(1);
    expect(at(2).pitch / at(0).pitch).toBeCloseTo(4);
    expect(at(-1).pitch).toBeCloseTo(at(1).pitch);
    expect(at(1).pitch).toBeGreaterThan(at(0.5).pitch);
  });
  it("of positions run while the position changes", () => {
    const angle = input("angle", false);
    expect(rateShare(angle, 1, 1, 0.1)).toBe(0);
    expect(rateShare(angle, 1, 0.9, 0.1)).toBeCloseTo(0.75);
    expect(rateShare(angle, 2, -2, 0.1)).toBe(1);
    expect(rateShare(angle, 1, 0, 0)).toBe(0);
  });
  it("differ in pitch", () => {
    const [a, b] = motors([input("a"), input("b")], { a: [1, 1], b: [1, 1] }, {}, 0.1);
    expect(b!.pitch / a!.pitch).toBeCloseTo(2 ** (5 / 12));
  });
});

describe("impacts", () => {
  it("sum the contact forces", () => {
    expect(pressing(frame([0, 0, 0, 3, 4, 0, 1, 1, 1, 0, 0, 2]))).toEqual({ count: 2, force: 7 });
  });
  it("are heard when a body lands, not while it rests or settles", () => {
    const weight = movingWeight([{ kind: "dynamic", mass: 10 }, { kind: "static", mass: Infinity }]);
    expect(weight).toBeCloseTo(98.1);
    const rests = { count: 4, force: weight };
    expect(impact({ count: 0, force: 0 }, { count: 4, force: 20 * weight }, weight)!.level).toBeGreaterThan(0.6);
    expect(impact(rests, rests, weight)).toBeNull();
    expect(impact(rests, { count: 4, force: 1.3 * weight }, weight)).toBeNull();
    expect(impact({ count: 4, force: 20 * weight }, rests, weight)).toBeNull();
    expect(impact({ count: 0, force: 0 }, { count: 1, force: NaN }, weight)).toBeNull();
  });
  it("are lower for heavy machines, and never louder than one", () => {
    const light = impact({ count: 0, force: 0 }, { count: 1, force: 1e3 }, 10)!;
    const heavy = impact({ count: 0, force: 0 }, { count: 1, force: 1e9 }, 1e6)!;
    expect(heavy.pitch).toBeLessThan(light.pitch);
    expect(heavy.level).toBeLessThanOrEqual(1);
  });
});

describe("slack ropes", () => {
  it("are heard once, when the tension falls to zero", () => {
    const [taut, slack] = [tensions(frame([], [[3, [80, 100]]])), tensions(frame([], [[3, [0, 0]]]))];
    expect(taut.get(3)).toBe(100);
    const most = new Map([[3, 100]]);
    expect(slackened(taut, slack, most)).toHaveLength(1);
    expect(slackened(slack, slack, most)).toHaveLength(0);
    expect(slackened(slack, taut, most)).toHaveLength(0);
    expect(slackened(taut, tensions(frame([], [[3, [50]]])), most)).toHaveLength(0);
  });
});
