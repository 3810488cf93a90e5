import { describe, expect, it } from "vitest";
import { driveFor, driveTrouble, loadOn, newDrive, newInput, targetOf } from "../src/build/drives";
import type { Anchor } from "../src/build/make";
import { carried, placed } from "../src/build/placing";
import { inserted, nearestSpan, newRoute, newWinch, routeTrouble, type RoutePick } from "../src/build/reeving";
import { removalOf } from "../src/build/removal";
import { addStep, changeStep, removeStep, stepsOf } from "../src/build/script";
import { beamWidth, newBeam } from "../src/build/structure";
import { niceAbove, niceBelow, said } from "../src/build/vectors";
import type { Change, Table, Tree, Vec3 } from "../src/protocol";
import * as THREE from "three";

const up: Vec3 = [0, 0, 1];
const on = (body: string | null, at: Vec3, normal: Vec3 = up): Anchor => ({ body, at, normal });
const valueOf = (changes: Change[], path: string) => changes.flatMap((c) => ("set" in c && c.set.join(".") === path ? [c.value as Table] : []))[0];

describe("sizes", () => {
  it("are round and have units", () => {
    expect([3, 0.21, 1000].map(niceAbove)).toEqual([5, 0.5, 1000]);
    expect([3, 0.21, 999].map(niceBelow)).toEqual([2, 0.2, 500]);
    expect([said(6000, "N*m"), said(250, "N"), said(2.5e6, "N/m")]).toEqual(["6 kN*m", "250 N", "2.5 MN/m"]);
    expect([4, 1, 0.06].map(beamWidth)).toEqual([0.3, 0.08, 0.01]);
  });
});

describe("beams", () => {
  it("stand fixed on the ground and are welded to bodies", () => {
    const mast = newBeam({}, on("ground", [0, 0, 0]), on(null, [0, 0, 4]), true)!;
    expect(valueOf(mast.changes, "bodies.column")).toMatchObject({ type: "static", position: [0, 0, 2], shape: { box: { size: [0.3, 0.3, 4] } } });
    expect(mast.changes).toHaveLength(1);
    const jib = newBeam({}, on("column", [0, 0, 4]), on(null, [4, 0, 4]), false)!;
    // it lies on the face where it begins
    expect(valueOf(jib.changes, "bodies.beam")).toMatchObject({ position: [2, 0, 4.15], shape: { box: { size: [4, 0.3, 0.3] } }, mass: "540 kg" });
    expect(jib.changes[1]).toMatchObject({ value: { weld: { bodies: ["column", "beam"], at: [0, 0, 4] } } });
    expect(newBeam({}, on("a", [0, 0, 0]), on(null, [0, 0, 0]), false)).toBeNull();
    const strut = newBeam({}, on("a", [0, 0, 0], [0, -1, 0]), on(null, [3, 0, 4]), false)!;
    expect(valueOf(strut.changes, "bodies.column")).toMatchObject({ rotation: { axis: [0, 1, 0], angle: "-53.1301 deg" }, shape: { box: { size: [5, 0.4, 0.4] } } });
  });
});

const crane: Tree = {
  bodies: { base: { type: "static" }, column: {}, boom: {}, hook: {} },
  joints: { foot: { weld: { bodies: ["base", "column"], at: [0, 0, 0.5] } }, head: { weld: { bodies: ["column", "boom"], at: [0, 0, 4] } } },
  winches: { hoist: { on: "column", at: [0.4, 0, 1], axis: [1, 0, 0], radius: "200 mm", motor: { torque: "6 kN*m" } } },
};
const falls: RoutePick[] = [
  { kind: "winch", body: "hoist", at: [0.4, 0, 1] },
  { kind: "pulley", body: "boom", at: [4, 0, 4] },
  { kind: "pulley", body: "hook", at: [4, 0, 1] },
  { kind: "attach", body: "boom", at: [4, 0, 4] },
];

describe("ropes", () => {
  it("run over pulleys across their spans, with the last fall parallel", () => {
    const made = newRoute(crane, falls);
    const rope = valueOf(made.changes, "cables.rope")!;
    expect(rope.section).toEqual({ construction: "6x36 IWRC", diameter: "16 mm" });
    expect(rope.route).toEqual([
      { winch: "hoist" },
      { pulley: "boom", at: [4, 0, 4], axis: [0, 1, 0], radius: "200 mm", wrap_direction: "ccw" },
      { pulley: "hook", at: [4, 0, 1], axis: [0, 1, 0], radius: "200 mm", wrap_direction: "ccw" },
      { attach: "boom", at: [3.8, 0, 4] },
    ]);
    // the drum is turned into the plane of the rope
    expect(made.changes[0]).toEqual({ set: ["winches", "hoist", "axis"], value: [0, 1, 0] });
    expect(newRoute({ ...crane, winches: { hoist: { ...(crane.winches as Record<string, Table>).hoist, axis: [0, -1, 0] } } }, falls).changes).toHaveLength(1);
  });

  it("are rejected with a reason", () => {
    expect(routeTrouble(falls)).toBeNull();
    expect(routeTrouble(falls.slice(0, 1))).toMatch(/two points/);
    expect(routeTrouble(falls.slice(0, 3))).toMatch(/begins and ends/);
    expect(routeTrouble([falls[3]!, { ...falls[3]!, at: [0, 0, 0] }])).toMatch(/same body/);
  });

  it("take a pulley or a ring into the nearest span", () => {
    const tree: Tree = { ...crane, cables: { rope: valueOf(newRoute(crane, falls).changes, "cables.rope")! } };
    expect([nearestSpan(tree, "rope", [2, 0, 2.4]), nearestSpan(tree, "rope", [4.2, 0, 2])]).toEqual([0, 1]);
    const route = (inserted(tree, "rope", 0, "ring", on("column", [0, 0, 3]))![0] as { value: Table[] }).value;
    expect(route.map((p) => Object.keys(p)[0])).toEqual(["winch", "ring", "pulley", "pulley", "attach"]);
    const pulley = (inserted(tree, "rope", 0, "pulley", on("column", [0, 0, 3]))![0] as { value: Table[] }).value[1];
    expect(pulley).toMatchObject({ pulley: "column", axis: [0, 1, 0], radius: "200 mm", wrap_direction: "ccw" });
  });

  it("go along with bodies that are moved, and so do winches", () => {
    const tree: Tree = { ...crane, cables: { rope: valueOf(newRoute(crane, falls).changes, "cables.rope")! } };
    const lift = new THREE.Matrix4().makeTranslation(0, 0, 1);
    expect(carried(tree, new Map([["hook", lift]]))).toContainEqual({ set: ["cables", "rope", "route", "2", "at"], value: [4, 0, 2] });
    expect(placed(tree, "hoist", new THREE.Matrix4().makeTranslation(0.4, 0, 3))).toEqual([{ set: ["winches", "hoist", "at"], value: [0.4, 0, 3] }]);
    expect(carried(tree, new Map([["column", lift]]))).toContainEqual({ set: ["winches", "hoist", "at"], value: [0.4, 0, 2] });
  });

  it("go with what they hang on, and their levers, probes and steps too", () => {
    const tree: Tree = {
      ...crane,
      cables: { rope: valueOf(newRoute(crane, falls).changes, "cables.rope")! },
      inputs: { hoist: { drives: [{ joint: "hoist" }] }, both: { drives: [{ joint: "hoist" }, { joint: "slew" }] } },
      script: [{ at: 1, set: { hoist: 1, both: 1 } }, { at: 2, set: { hoist: 0 } }],
      probes: { pull: "cables.rope.tension", height: "bodies.hook.position.z" },
    };
    const changes = removalOf(tree, "winches", ["hoist"]);
    expect(changes).toEqual([
      { set: ["script"], value: [{ at: 1, set: { both: 1 } }] },
      { remove: ["cables", "rope"] },
      { remove: ["winches", "hoist"] },
      { remove: ["inputs", "hoist"] },
      { remove: ["probes", "pull"] },
      { set: ["inputs", "both", "drives"], value: [{ joint: "slew" }] },
    ]);
  });
});

describe("winches and drives", () => {
  it("stand off the face, with a drum for the body", () => {
    const body = { id: 0, name: "column", kind: "dynamic" as const, mass: 1, shapes: [{ form: "box" as const, size: [0.3, 0.3, 4] as Vec3, at: up, turn: [1, 0, 0, 0] as [number, number, number, number], color: up, material: null }] };
    const made = newWinch({}, on("column", [0.15, 0, 1], [1, 0, 0]), body);
    expect(valueOf(made.changes, "winches.hoist")).toMatchObject({ on: "column", at: [0.4, 0, 1], axis: [0, 1, 0], radius: "200 mm", motor: { torque: "6 kN*m" }, brake: "9 kN*m" });
  });

  it("have the torque for weight and inertia", () => {
    const load = loadOn([{ mass: 100, at: [2, 0, 0], size: 0 }], [0, 0, 0], up);
    expect(load).toEqual({ inertia: 400, mass: 100, weight: 0, reach: 2 });
    expect(loadOn([{ mass: 100, at: [2, 0, 0], size: 0 }], [0, 0, 0], [0, 1, 0]).weight).toBeCloseTo(1962);
    expect(driveFor("motor", "hinge", load)).toEqual({ speed: 0, force: "500 N*m" });
    expect(driveFor("servo", "slider", load)).toMatchObject({ target: 0, stiffness: "40 kN/m", force: "2 kN" });
  });

  it("turn a weld into a hinge, and keep a joint there is", () => {
    const made = newDrive(crane, "motor", on("base", [0, 0, 0.5]), "column", () => []);
    expect(made).toMatchObject({ name: "slew", changes: [{ remove: ["joints", "foot"] }, { value: { hinge: { bodies: ["base", "column"], at: [0, 0, 0.5], axis: [0, 0, 1], motor: { speed: 0 } } } }] });
    const rail: Tree = { bodies: { a: {}, b: {} }, joints: { rail: { slider: { bodies: ["a", "b"], axis: [1, 0, 0] } } } };
    expect(newDrive(rail, "servo", on("a", [0, 0, 0]), "b", () => [])).toMatchObject({ name: "rail", changes: [{ set: ["joints", "rail", "slider", "servo"] }] });
    const ball: Tree = { bodies: { a: {}, b: {} }, joints: { j: { ball: { bodies: ["a", "b"], at: [0, 0, 0] } } } };
    expect(driveTrouble(ball, "motor", on("a", [0, 0, 0]), "b")).toMatch(/drives hinges/);
  });

  it("get levers with keys that are free", () => {
    const tree: Tree = { ...crane, joints: { ...(crane.joints as Table), slew: { hinge: { bodies: ["base", "column"], at: [0, 0, 0], axis: up, motor: { speed: 0 } } } } };
    expect(targetOf(tree, "hoist")).toMatchObject({ name: "hoist", kind: "winch" });
    // the boom is welded to what the motor turns
    expect(targetOf(tree, "boom")).toMatchObject({ name: "slew", quantity: "speed" });
    expect(targetOf(tree, "hook")).toBeNull();
    const hoist = newInput(tree, targetOf(tree, "hoist")!, 1);
    expect(valueOf(hoist.changes, "inputs.hoist")).toEqual({ range: ["-2 rad/s", "2 rad/s"], rate: "1 rad/s^2", keys: ["Up", "Down"], gamepad: "left-y", drives: [{ joint: "hoist" }] });
    const slew = newInput({ ...tree, inputs: { hoist: valueOf(hoist.changes, "inputs.hoist")! } }, targetOf(tree, "boom")!, 4);
    expect(valueOf(slew.changes, "inputs.slew")).toEqual({ range: ["-0.2 rad/s", "0.2 rad/s"], rate: "0.1 rad/s^2", keys: ["Left", "Right"], gamepad: "left-x", drives: [{ joint: "slew" }] });
  });
});

describe("scripts", () => {
  const tree: Tree = { script: [{ at: 1, set: { hoist: 2, slew: 0.1 } }, { at: "3 s", set: { hoist: 0 } }] };

  it("list the steps of an input", () => {
    expect(stepsOf(tree, "hoist").map((s) => [s.index, s.at, s.value])).toEqual([[0, 1, 2], [1, "3 s", 0]]);
    expect(stepsOf({}, "hoist")).toEqual([]);
  });

  it("stay in order of time, and leave the steps of other inputs alone", () => {
    expect(addStep(tree, "slew", 2, 0)).toEqual([{ set: ["script"], value: [{ at: 1, set: { hoist: 2, slew: 0.1 } }, { at: 2, set: { slew: 0 } }, { at: "3 s", set: { hoist: 0 } }] }]);
    expect(addStep(tree, "slew", 3, 0)).toMatchObject([{ value: [{}, { set: { hoist: 0, slew: 0 } }] }]);
    expect(changeStep(tree, "hoist", 0, { at: 5 })).toEqual([{ set: ["script"], value: [{ at: 1, set: { slew: 0.1 } }, { at: "3 s", set: { hoist: 0 } }, { at: 5, set: { hoist: 2 } }] }]);
    expect(changeStep(tree, "hoist", 1, { value: 1, over: 2 })).toMatchObject([{ value: [{}, { at: "3 s", set: { hoist: 1 }, over: 2 }] }]);
    expect(removeStep(tree, "hoist", 0)).toMatchObject([{ value: [{ at: 1, set: { slew: 0.1 } }, {}] }]);
    expect(removeStep({ script: [{ at: 1, set: { a: 1 } }] }, "a", 0)).toEqual([{ remove: ["script"] }]);
  });
});
