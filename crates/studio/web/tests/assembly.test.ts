import { describe, expect, it } from "vitest";
import { gap, inTouch, lengthAlong, placeAlong } from "../src/assembly";
import type { Check, LineFrame, Who } from "../src/protocol";

/** An L of 2 m and 1 m, in two pieces. */
const pieces: LineFrame[] = [
  { id: 3, points: new Float32Array([0, 0, 0, 5, 1, 0, 0, 5, 2, 0, 0, 5]) },
  { id: 3, points: new Float32Array([2, 0, 0, 5, 2, 1, 0, 5]) },
];

describe("a cable under the pointer", () => {
  it("is held at the length along it", () => {
    expect(lengthAlong(pieces, [0.25, 0.1, 0])).toBeCloseTo(0.25);
    expect(lengthAlong(pieces, [1.75, -0.1, 0.2])).toBeCloseTo(1.75);
    expect(lengthAlong(pieces, [2.1, 0.5, 0])).toBeCloseTo(2.5);
    expect(lengthAlong(pieces, [-9, 0, 0])).toBe(0);
    expect(lengthAlong(pieces, [2, 9, 0])).toBeCloseTo(3);
    expect(lengthAlong([], [0, 0, 0])).toBe(0);
  });

  it("is drawn from there", () => {
    expect(placeAlong(pieces, 0.25)).toEqual([0.25, 0, 0]);
    expect(placeAlong(pieces, 2.5)).toEqual([2, 0.5, 0]);
    expect(placeAlong(pieces, 99)).toEqual([2, 1, 0]);
    expect(placeAlong([], 1)).toBeNull();
  });
});

describe("a check", () => {
  const who = (kind: Who["kind"], id: number): Who => ({ kind, id, name: `${kind} ${id}` });

  it("marks the part and where it is in contact, but not what it touches", () => {
    const part = who("line", 0);
    const touch = (b: Who, resting = false) => ({ a: part, b, point: [0, 0, 0] as [number, number, number], force: 2, resting });
    const check: Check = { part, path: null, touching: [touch(who("body", 4)), touch(who("other", 7)), touch(who("body", 9), true)], first: null, largest: null, deepest: 0, clearance: null, least: null };
    expect(inTouch(check)).toEqual({ bodies: new Set(), lines: new Set([0]), points: [[0, 0, 0], [0, 0, 0]] });
    expect(inTouch(null)).toEqual({ bodies: new Set(), lines: new Set(), points: [] });
  });

  it("says distances as one does", () => {
    expect(gap(-1e-7)).toBe("0 mm");
    expect(gap(1.234)).toBe("1.23 m");
    expect(gap(0.0234)).toBe("23.4 mm");
    expect(gap(0.00123)).toBe("1.23 mm");
    expect(gap(-0.002)).toBe("penetration 2.00 mm");
  });
});
