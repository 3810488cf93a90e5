import { describe, expect, it } from "vitest";
import * as THREE from "three";
import { limited, onGrid, rotation, scaling, translation, typedOn, typedValue, type Grip } from "../src/view/handle";

const v = (x: number, y: number, z: number) => new THREE.Vector3(x, y, z);
/** A front view: x to the right, z up, the eye at −y. */
const front = (mode: Grip["mode"], axis: string, from = v(0, -9, 0)): Grip => ({
  mode,
  axis,
  position: v(0, 0, 0),
  frame: new THREE.Quaternion(),
  eye: v(0, -1, 0),
  right: v(1, 0, 0),
  up: v(0, 0, 1),
  radius: 0.5,
  from: new THREE.Ray(from, v(0, 1, 0)),
});
const at = (x: number, z: number) => new THREE.Ray(v(x, -9, z), v(0, 1, 0));

describe("a handle in a parallel view", () => {
  it("moves by what the pointer says along its axes alone", () => {
    expect(translation(front("translate", "X"), at(0.3, 0.2), null)!.toArray()).toEqual([0.3, 0, 0]);
    expect(translation(front("translate", "XZ"), at(0.3, 0.2), null)!.toArray()).toEqual([0.3, 0, 0.2]);
    expect(translation(front("translate", "XYZ"), at(0.3, 0.2), null)!.toArray()).toEqual([0.3, 0, 0.2]);
  });
  it("says nothing about an axis along the look, but takes a typed number", () => {
    expect(translation(front("translate", "Y"), at(0.3, 0.2), null)).toBeNull();
    expect(translation(front("translate", "Y"), at(0.3, 0.2), -2)!.toArray().map((n) => n + 0)).toEqual([0, -2, 0]);
  });
  it("reaches what lies behind the parallel camera", () => {
    const grip = { ...front("translate", "X"), position: v(0, -50, 0) };
    expect(translation(grip, at(0.3, 0), null)!.x).toBeCloseTo(0.3);
  });
  it("rotates with the pointer round the middle, and by the edge", () => {
    const round = rotation(front("rotate", "Y", v(1, -9, 0)), at(0, 1), null)!;
    // to the right, then up, seen from −y: against +y
    expect(round.angle).toBeCloseTo(-Math.PI / 2);
    const edge = rotation(front("rotate", "Z"), at(0.25, 0), null)!;
    expect(edge.angle).toBeCloseTo(0.5);
    const sphere = rotation(front("rotate", "XYZE"), at(0.25, 0), null)!;
    expect(sphere.axis.toArray().map((n) => n + 0)).toEqual([0, 0, 1]);
    expect(sphere.angle).toBeCloseTo(0.5);
    expect(rotation(front("rotate", "Z"), at(0, 0), 90)!.angle).toBeCloseTo(Math.PI / 2);
  });
  it("scales outward, also on the negative side, and never to nothing", () => {
    expect(scaling(front("scale", "X", v(0.5, -9, 0)), at(1, 0), null)).toEqual([2, 1, 1]);
    expect(scaling(front("scale", "X", v(-0.5, -9, 0)), at(-1, 0), null)).toEqual([2, 1, 1]);
    expect(scaling(front("scale", "X", v(0.5, -9, 0)), at(-5, 0), null)).toEqual([0.01, 1, 1]);
    expect(scaling(front("scale", "XYZ"), at(0.25, 0.25), null)).toEqual([2, 2, 2]);
    expect(scaling(front("scale", "XZ"), at(0, 0), 1.5)).toEqual([1.5, 1, 1.5]);
  });
});

describe("steps and typed numbers", () => {
  it("snaps only what is displaced", () => {
    expect(onGrid(v(0.33, 0.33, 0.33), v(0.1, 0, 0), 0.25).toArray()).toEqual([0.5, 0.33, 0.33]);
    expect(onGrid(v(0.33, 0, 0), v(0.1, 0, 0), 0).x).toBeCloseTo(0.43);
  });
  it("spells numbers key by key", () => {
    const spelled = ["1", ".", ".", "5", "-"].reduce((text, key) => typedOn(text, key) ?? text, "");
    expect(typedValue(spelled)).toBe(-1.5);
    expect(typedOn("", ".")).toBe("0.");
    expect(typedOn("12", "Backspace")).toBe("1");
    expect(typedOn("1", "q")).toBeNull();
    expect(typedValue("-")).toBeNull();
  });
  it("names axes and planes", () => {
    expect(limited("x", false, "translate")).toBe("X");
    expect(limited("X", true, "scale")).toBe("YZ");
    expect(limited("X", true, "rotate")).toBe("X");
    expect(limited("q", false, "translate")).toBeNull();
  });
});
