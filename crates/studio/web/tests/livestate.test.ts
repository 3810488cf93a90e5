import { describe, expect, it } from "vitest";
import { quoted, rowsFor, sparkline } from "../src/livestate";

const known = new Map([
  ["joints.arm.1.value", "rad"],
  ["joints.arm.1.speed", "rad/s"],
  ["joints.arm.1.effort", "N*m"],
  ["joints.arm.force.x", "N"],
  ["joints.arm.force.y", "N"],
  ["joints.arm.force.z", "N"],
  ["joints.arm2.1.value", "m"],
  ["joints.arm2.2.value", "rad"],
  ["bodies.arm.speed", "m/s"],
  ["bodies.arm.position.x", "m"],
  ["bodies.arm.position.y", "m"],
  ["bodies.arm.position.z", "m"],
  ['bodies."odd.name".speed', "m/s"],
  ["cables.rod.tension", "N"],
  ["joints.rod.1.value", "m"],
]);

describe("the state of what is selected", () => {
  it("has vectors in one row and says what a coordinate is", () => {
    expect(rowsFor("joints", "arm", known).map((r) => [r.label, r.names.length, r.unit])).toEqual([
      ["Angle", 1, "rad"],
      ["Angular rate", 1, "rad/s"],
      ["Drive torque", 1, "N*m"],
      ["Reaction force", 3, "N"],
    ]);
    expect(rowsFor("bodies", "arm", known).map((r) => r.label)).toEqual(["Position", "Speed"]);
  });

  it("numbers coordinates only where there are several", () => {
    expect(rowsFor("joints", "arm2", known).map((r) => r.label)).toEqual(["Displacement 1", "Angle 2"]);
  });

  it("finds names in quotes, and the tension of a rod", () => {
    expect(quoted("odd.name")).toBe('"odd.name"');
    expect(quoted('a"b')).toBe("'a\"b'");
    expect(rowsFor("bodies", "odd.name", known)).toHaveLength(1);
    expect(rowsFor("joints", "rod", known).map((r) => r.label)).toEqual(["Displacement", "Tension"]);
    expect(rowsFor("bodies", "none", known)).toEqual([]);
  });
});

describe("a small curve", () => {
  it("fills its box and shows the last seconds only", () => {
    const [path] = sparkline([{ times: [0, 9, 10], values: [100, 0, 1] }], 2, 20, 10);
    expect(path).toBe("M10.0 10.0L20.0 0.0");
  });

  it("is level where nothing changes, and nothing where there is nothing", () => {
    expect(sparkline([{ times: [0, 1], values: [5, 5] }], 1, 10, 10)).toEqual(["M0.0 5.0L10.0 5.0"]);
    expect(sparkline([{ times: [], values: [] }], 1, 10, 10)).toEqual([""]);
  });

  it("has at most a point per pixel, with the newest", () => {
    const times = Array.from({ length: 1000 }, (_, i) => i / 100);
    const [path] = sparkline([{ times, values: times }], 10, 50, 10);
    expect(path!.split("L").length).toBeLessThanOrEqual(51);
    expect(path!.endsWith("0.0")).toBe(true);
  });
});
