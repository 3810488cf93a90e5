import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { coloredLines, byBending, showIslands, showSleeping, tintsOf } from "../src/overlays";
import { decodeFrame, encodeFrame, type Frame } from "../src/protocol";
import * as store from "../src/store";
import { BodiesView } from "../src/view/bodies";
import { ellipsoid } from "../src/view/ellipsoid";

const frame = (more: Partial<Frame> = {}): Frame => ({
  time: 1,
  bodies: new Float32Array(14),
  lines: [{ id: 3, points: new Float32Array([0, 0, 0, 10, 1, 0, 0, 20]) }],
  contacts: new Float32Array(6),
  pushes: new Float32Array(0),
  torques: new Float32Array(0),
  ...more,
});

describe("blocks behind a frame", () => {
  it("are read in any combination, and nothing is there that was not asked for", () => {
    const motion = new Float32Array(12).map((_, i) => i);
    const islands = new Uint32Array([1, 0x80000002]);
    const bending = new Float32Array([0.5, 0.25]);
    for (const more of [{}, { motion }, { islands }, { bending }, { motion, bending }, { motion, islands, bending }]) {
      expect(decodeFrame(encodeFrame(frame(more)))).toEqual(frame(more));
    }
  });

  it("that are unknown or cut are refused", () => {
    const whole = encodeFrame(frame({ motion: new Float32Array(12) }));
    expect(() => decodeFrame(whole.slice(0, -4))).toThrow(/ends within the motion/);
    const odd = new Uint8Array([...new Uint8Array(encodeFrame(frame())), 9, 0, 0, 0]);
    expect(() => decodeFrame(odd.buffer)).toThrow(/4 bytes more/);
  });
});

describe("overlays", () => {
  it("colour cables by curvature in place of tension, one at a time", () => {
    const f = frame({ bending: new Float32Array([0.5, 0.25]) });
    expect(coloredLines(f)).toBe(f.lines);
    byBending.value = true;
    expect(Array.from(coloredLines(f)[0]!.points)).toEqual([0, 0, 0, 0.5, 1, 0, 0, 0.25]);
    // the same arrays for the same frame: what is as it was is not drawn anew
    expect(coloredLines(f)).toBe(coloredLines(f));
    store.byTension.value = true;
    expect(byBending.value).toBe(false);
    store.byTension.value = false;
  });

  it("tint bodies by island and sleep", () => {
    const f = frame({ islands: new Uint32Array([5, 0x80000002]) });
    expect(tintsOf(f)).toBeNull();
    showSleeping.value = true;
    expect(tintsOf(f)).toEqual([{ island: 0, asleep: false }, { island: 0, asleep: true }]);
    showIslands.value = true;
    expect(tintsOf(f)!.map((t) => t.island)).toEqual([5, 2]);
    showIslands.value = showSleeping.value = false;

    const shape = { form: "sphere" as const, radius: 1, at: [0, 0, 0] as [number, number, number], turn: [1, 0, 0, 0] as [number, number, number, number], color: [1, 1, 1] as [number, number, number], material: null };
    const view = new BodiesView(["a", "b"].map((name, id) => ({ id, name, kind: "dynamic" as const, mass: 1, shapes: [shape] })), false);
    view.mark(new Set(), null, new Set(), [{ island: 1, asleep: false }, { island: 2, asleep: false }]);
    const { a, b } = view.colors();
    expect(a).not.toBe(b);
    view.mark(new Set(), null);
    expect(view.colors().a).toBe("ffffff");
  });
});

describe("the inertia ellipsoid", () => {
  it("of a solid ellipsoid is itself, however it is turned", () => {
    const axes = [3, 2, 1];
    const mass = 7;
    const moments = [0, 1, 2].map((k) => (mass / 5) * axes.reduce((sum, a, i) => sum + (i === k ? 0 : a * a), 0));
    const turn = new THREE.Matrix3().setFromMatrix4(new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(0.3, -0.8, 1.1)));
    const m = turn.clone().multiply(new THREE.Matrix3().set(moments[0]!, 0, 0, 0, moments[1]!, 0, 0, 0, moments[2]!)).multiply(turn.clone().transpose()).elements;
    const made = ellipsoid(mass, [m[0], m[4], m[8], m[3], m[6], m[7]], [1, 2, 3])!;
    const scale = new THREE.Vector3();
    const at = new THREE.Vector3();
    made.decompose(at, new THREE.Quaternion(), scale);
    expect(at.toArray()).toEqual([1, 2, 3]);
    expect(scale.toArray().sort((a, b) => b - a).map((a) => Number(a.toFixed(6)))).toEqual(axes);
    expect(made.determinant()).toBeGreaterThan(0);
    // its longest axis is where the body's x axis is turned to
    const columns = [0, 1, 2].map((k) => new THREE.Vector3().setFromMatrixColumn(made, k)).sort((a, b) => b.length() - a.length());
    const x = new THREE.Vector3(turn.elements[0], turn.elements[1], turn.elements[2]);
    expect(Math.abs(columns[0]!.normalize().dot(x))).toBeCloseTo(1, 9);
  });

  it("of a body without extent is none", () => {
    expect(ellipsoid(1, [0, 0, 0, 0, 0, 0], [0, 0, 0])).toBeNull();
  });
});
