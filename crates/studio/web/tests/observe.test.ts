import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { cableTrouble, spliced, withCut } from "../src/build/cable-tools";
import { newCable } from "../src/build/make";
import { markOf, placeOf, told } from "../src/build/marks";
import { copiesBy } from "../src/build/belongings";
import { alongPath, furtherQuantities, newCamera, probeName, quantitiesOf, spaced } from "../src/build/watch-tools";
import type { Scene, Table, Tree, Vec3 } from "../src/protocol";

const section = { construction: "6x36 IWRC", diameter: "16 mm" };
const tree: Tree = {
  bodies: { post: { type: "static" }, block: { position: [0, 0, 0.25] } },
  joints: { pin: { hinge: { bodies: ["post", "block"], at: [0, 0, 0], axis: [0, 0, 1] } }, rod: { distance: { bodies: ["post", "block"] } } },
  winches: { hoist: { on: "post", at: [0, 0, 1] } },
  cables: {
    red: { section, start: { body: "post", at: [-2, 0, 1] }, path: [[-2, 0, 1], [0, 0, 0]], cut: [0.5] },
    blue: { section, path: [[2, 0, 0], [0.1, 0, 0]] },
    green: { section: { ...section, diameter: "8 mm" }, path: [[0, 1, 0], [0, 2, 0]] },
    rope: { section, route: [{ attach: "post", at: [0, 0, 0] }, { winch: "hoist" }] },
    hose: { section, model: "mass-points", path: [[0, 0, 0], [1, 0, 0]] },
  },
};

describe("cables", () => {
  it("are cut where there is no cut yet, and only if they can be", () => {
    expect(withCut([1.5], 0.70001)).toEqual([0.7, 1.5]);
    expect(withCut([1.5], 1.51)).toBeNull();
    expect(withCut(undefined, 2)).toEqual([2]);
    expect(cableTrouble(tree, "red")).toBeNull();
    expect(cableTrouble(tree, "rope")).toMatch(/no free ends/);
    expect(cableTrouble(tree, "rod")).toMatch(/is a joint/);
    expect(cableTrouble(tree, "hose")).toMatch(/cannot be cut/);
    expect(cableTrouble(tree, "elsewhere")).toMatch(/include/);
  });

  it("are spliced at the ends that were clicked", () => {
    const made = spliced(tree, { name: "red", point: [-0.1, 0, 0.1] }, { name: "blue", point: [0.2, 0, 0] });
    expect(made).toEqual([{ set: ["cables", "red"], value: { section, start: { body: "post", at: [-2, 0, 1] }, path: [[-2, 0, 1], [0, 0, 0], [0.1, 0, 0], [2, 0, 0]] } }, { remove: ["cables", "blue"] }]);
    expect(spliced(tree, { name: "red", point: [-2, 0, 1] }, { name: "blue", point: [0.2, 0, 0] })).toMatch(/attached to post/);
    expect(spliced(tree, { name: "red", point: [0, 0, 0] }, { name: "green", point: [0, 1, 0] })).toMatch(/different sections/);
  });

  it("between two bodies may have slack", () => {
    const ends = [{ body: "a", at: [0, 0, 1] as Vec3, normal: [0, 0, 1] as Vec3 }, { body: "b", at: [4, 0, 1] as Vec3, normal: [0, 0, 1] as Vec3 }];
    const value = (slack: boolean) => (newCable({}, ends, 0.016, slack).changes[0] as { value: Table }).value;
    expect(value(true).length).toBe("4.2 m");
    expect(value(false)).not.toHaveProperty("length");
  });
});

describe("measures", () => {
  it("say distance with its parts and slope, and angles", () => {
    expect(told("distance", [[0, 0, 0], [3, 0, 4]])).toEqual({ value: "5 m", parts: "Δx 3 m, Δy 0 mm, Δz 4 m; 53.13° to the horizontal" });
    expect(told("distance", [[0, 0, 0], [0.25, 0, 0]]).value).toBe("250 mm");
    expect(told("angle", [[1, 0, 0], [0, 0, 0], [1, 1, 0]]).value).toBe("45°");
  });

  it("follow the body they are on", () => {
    const scene = { bodies: [{ name: "block" }] } as unknown as Scene;
    const at = (x: number) => [new THREE.Matrix4().makeTranslation(x, 0, 0)];
    const mark = markOf({ body: "block", at: [1.5, 0, 0], normal: [0, 0, 1] }, scene, at(1));
    expect(mark).toEqual({ body: "block", at: [0.5, 0, 0] });
    expect(placeOf(mark, scene, at(3))).toEqual([3.5, 0, 0]);
    expect(placeOf(mark, { bodies: [] } as unknown as Scene, [])).toBeNull();
    expect(placeOf(markOf({ body: null, at: [1, 2, 3], normal: [0, 0, 0] }, scene, at(1)), scene, at(9))).toEqual([1, 2, 3]);
  });
});

describe("observers", () => {
  it("know what can be logged of a body, a winch and a rope", () => {
    expect(quantitiesOf(tree, "block")).toEqual(["bodies.block.", "joints.pin.", "joints.rod."]);
    expect(quantitiesOf(tree, "hoist")).toEqual(["winches.hoist.", "joints.hoist.", "bodies.hoist."]);
    expect(furtherQuantities(tree, "cables.rope.")).toContain("cables.rope.tension.end");
    expect(furtherQuantities(tree, "cables.red.")).toEqual([]);
    expect(quantitiesOf({ bodies: { "a.b": {} } }, "a.b")).toEqual(['bodies."a.b".']);
    expect(probeName('bodies."a.b".speed', [])).toBe("a.b speed");
    expect(probeName("bodies.block.angular_velocity.z", ["block angular velocity z"])).toBe("block angular velocity z2");
  });

  it("look as the eye does, in the axes of their body", () => {
    const eye = { position: [3, 0, 1] as Vec3, target: [0, 0, 1] as Vec3, angle: Math.PI / 4 };
    expect(newCamera({}, eye, null).changes).toEqual([{ set: ["cameras", "view"], value: { position: [3, 0, 1], target: [0, 0, 1], angle: "45 deg" } }]);
    const pose = new THREE.Matrix4().makeRotationZ(Math.PI / 2).setPosition(0, 0, 1);
    expect(newCamera({}, eye, { body: "block", pose }).changes).toEqual([{ set: ["cameras", "block view"], value: { position: [0, -3, 0], target: [0, 0, 0], angle: "45 deg", on: "block" } }]);
  });
});

describe("copies along a path", () => {
  it("are at equal distances, around corners too", () => {
    expect(spaced([[0, 0, 0], [2, 0, 0], [2, 1, 0]], 4).map((p) => p.at)).toEqual([[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0]]);
  });

  it("turn with the path if they are to", () => {
    const block = [{ name: "block", pose: new THREE.Matrix4().makeTranslation(0, 0, 0.25) }];
    const corner: Vec3[] = [[0, 0, 0], [1, 0, 0], [1, 1, 0]];
    const of = (turn: boolean) => copiesBy(tree, block, alongPath(corner, 3, turn));
    const bodies = (made: ReturnType<typeof of>) => made.changes.flatMap((c) => ("set" in c && c.set[0] === "bodies" ? [c.value as Table] : []));
    expect(of(false).names).toEqual(["block2", "block3"]);
    expect(bodies(of(false)).map((b) => [b.position, b.rotation])).toEqual([[[1, 0, 0.25], undefined], [[1, 1, 0.25], undefined]]);
    expect(bodies(of(true))[1]).toMatchObject({ position: [1, 1, 0.25], rotation: { axis: [0, 0, 1], angle: "90 deg" } });
    // joints to static bodies come along, each with a name of its own
    expect(of(false).changes.flatMap((c) => ("set" in c && c.set[0] === "joints" ? [c.set[1]] : []))).toEqual(["pin2", "rod2", "pin3", "rod3"]);
  });
});
