import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { DRIVEN, driving } from "../src/mock-drive";
import { decodeFrame, encodeFrame } from "../src/protocol";
import { angleOf, arc, gearOf, gripOf, scaleTo, speedUnit, SWEEP, warningsOf } from "../src/vehicle/gauge";
import { flowOf, layoutTrain, powerOf, widthOf } from "../src/vehicle/layout";
import { readBlock, type Component, type Vehicle, type VehicleState } from "../src/vehicle/protocol";
import { Chase, headingOf } from "../src/view/chase";
import { Rig } from "../src/view/rig";
import { MOST, SkidMarks, type Slider } from "../src/view/skids";

const [car, loader] = DRIVEN.vehicles! as [Vehicle, Vehicle];
const at = (time: number) => readBlock(DRIVEN.vehicles!, driving(time).vehicles) as [VehicleState, VehicleState];

describe("the block of vehicles", () => {
  it("comes back from a frame as it was written", () => {
    const none = new Float32Array();
    const { bodies, vehicles } = driving(3);
    const frame = { time: 3, bodies, lines: [], contacts: none, pushes: none, torques: none, motion: new Float32Array((6 * bodies.length) / 7), vehicles };
    expect(decodeFrame(encodeFrame(frame))).toEqual(frame);
    const [now] = at(3);
    expect(now.speed).toBe(12);
    expect(now.commands.throttle).toBe(1);
    expect(now.commands.clutch).toBeNaN();
    expect(now.wheels[1]!.point[1]).toBeCloseTo(-0.78, 5);
  });

  it("of other vehicles is not read", () => {
    expect(readBlock([car], driving(3).vehicles)).toEqual([]);
  });
});

describe("gauges", () => {
  it("have round scales that hold their values", () => {
    expect(scaleTo(7000)).toEqual({ max: 8000, step: 2000 });
    expect(scaleTo(40)).toEqual({ max: 40, step: 10 });
    expect(scaleTo(120)).toEqual({ max: 120, step: 20 });
    for (const value of [0.3, 17, 99, 2376, 6500]) {
      const { max, step } = scaleTo(value);
      expect(max).toBeGreaterThanOrEqual(value);
      expect(max).toBeLessThan(value + step);
      expect(max / step).toBeGreaterThanOrEqual(3);
      expect(max / step).toBeLessThanOrEqual(8);
    }
  });

  it("turn their needles from end to end and no further", () => {
    expect([-5, 0, 50, 100, 130].map((v) => angleOf(v, 100))).toEqual([-SWEEP, -SWEEP, 0, SWEEP, SWEEP]);
    // the long way round through the top
    expect(arc(-SWEEP, SWEEP, 45)).toMatch(/^M-34\.47 28\.93A45 45 0 1 1 34\.47 28\.93$/);
  });

  it("show speed in the unit of the choice", () => {
    expect(10 / speedUnit("practical").size).toBeCloseTo(36, 12);
    expect(10 / speedUnit("si").size).toBe(10);
  });

  it("name the gear of an automatic, and of a manual gearbox", () => {
    const [now] = at(3);
    expect(gearOf(car, now)).toEqual({ label: "D", detail: "4" });
    const lever = (gear: number) => gearOf(car, { ...now, commands: { ...now.commands, gear } })!.label;
    expect([1, 0, -1].map(lever)).toEqual(["D", "N", "R"]);
    const manual = { ...car, components: car.components.map((c) => (c.kind === "gearbox" ? { ...c, automatic: false } : c)) };
    expect(gearOf(manual, now)).toEqual({ label: "4", detail: "" });
    expect(gearOf(loader, at(3)[1])).toEqual({ label: "N", detail: "0 %" });
  });

  it("warn of a stalled engine and the parking brake", () => {
    expect(warningsOf(car, at(3)[0])).toEqual([]);
    expect(warningsOf(car, at(9)[0])).toEqual(["Stalled"]);
    expect(warningsOf(loader, at(3)[1])).toEqual(["Parking brake"]);
  });

  it("tell how a wheel runs", () => {
    const wheel = at(3)[0].wheels[0]!;
    expect(gripOf(wheel)).toBe("grips");
    expect(gripOf({ ...wheel, load: 0 })).toBe("in the air");
    expect(gripOf(at(7)[0].wheels[0]!)).toBe("locked");
    expect(gripOf({ ...wheel, sliding: 2, slip: 0.8 })).toBe("spins");
    expect(gripOf({ ...wheel, sliding: 2, slip: 0.02 })).toBe("slides");
  });
});

describe("the graph of a drive train", () => {
  const named = (vehicle: Vehicle, box: { component: number | null; wheel: number | null }) => (box.component === null ? vehicle.wheels[box.wheel!]! : vehicle.components[box.component]!).name;
  const columns = (vehicle: Vehicle) => {
    const { boxes } = layoutTrain(vehicle);
    return Object.fromEntries(boxes.map((b) => [named(vehicle, b), b.column]));
  };

  it("runs from the engine to the wheels", () => {
    expect(columns(car)).toEqual({ engine: 0, converter: 1, gearbox: 2, differential: 3, front_left: 4, front_right: 4, rear_left: 4, rear_right: 4 });
    expect(columns(loader)).toMatchObject({ diesel: 0, clutch: 1, circuit: 2, "front axle": 3, "rear axle": 3, rear_right: 4 });
    const { boxes, links } = layoutTrain(car);
    expect(links).toHaveLength(5);
    expect(boxes.find((b) => b.wheel === 0)!.brakes).toEqual([0]);
  });

  it("keeps boxes of a column apart, and components beside what they drive", () => {
    for (const vehicle of [car, loader]) {
      const { boxes } = layoutTrain(vehicle);
      for (const a of boxes) for (const b of boxes) if (a !== b && a.column === b.column) expect(Math.abs(a.row - b.row)).toBeGreaterThanOrEqual(1 - 1e-9);
    }
    const { boxes } = layoutTrain(car);
    expect(boxes.find((b) => b.component !== null && car.components[b.component]!.name === "differential")!.row).toBe(2.5);
  });

  it("draws circles, and shafts without a source", () => {
    const part = (name: string, kind: Component["kind"], shafts: number[], inputs: number): Component => ({ name, kind, shafts, inputs });
    const circle: Vehicle = { name: "odd", chassis: 0, shafts: ["a", "b", "c"], wheels: [], components: [part("one", "gear", [0, 1], 1), part("two", "gear", [1, 0], 1), part("slow", "retarder", [2], 1), part("hold", "brake", [2], 1)] };
    const { boxes, links, columns: count } = layoutTrain(circle);
    expect(boxes).toHaveLength(4);
    expect(links).toHaveLength(3);
    expect(count).toBe(2);
  });

  it("has the power of the engine on its first line, and its direction", () => {
    const train = layoutTrain(car);
    const power = (time: number) => train.links.map((link) => powerOf(train, link, at(time)[0]));
    const now = at(3)[0];
    const into = power(3);
    expect(into[into.length - 1]).toBeCloseTo(now.spins[6]! * 250 * 0.95, 3);
    expect(Math.abs(into.find((_, i) => train.links[i]!.shaft === 4)! / (now.spins[4]! * 250) - 1)).toBeLessThan(1e-6);
    expect(flowOf(4000)).toBe("ahead");
    expect(flowOf(-4000)).toBe("back");
    expect(flowOf(1)).toBe("none");
    expect(widthOf(1e5)).toBeGreaterThan(widthOf(1e3));
    expect(widthOf(1e12)).toBe(7);
  });
});

describe("marks of sliding tyres", () => {
  const tire = (x: number, sliding = 5): Slider => ({ load: 4000, sliding, point: [x, 0, 0], normal: [0, 0, 1], ahead: [1, 0, 0], width: 0.25 });

  it("are strips of the width of the tread, from one place to the next", () => {
    const marks = new SkidMarks();
    [0, 0.1, 0.2, 0.3].forEach((x, i) => marks.add(i / 60, [tire(x)]));
    expect(marks.count).toBe(3);
    const place = marks.mesh.geometry.getAttribute("position");
    expect([0, 1, 2, 3].map((k) => place.getX(k).toFixed(2))).toEqual(["0.00", "0.00", "0.10", "0.10"]);
    expect(place.getY(0) - place.getY(1)).toBeCloseTo(0.2, 6);
    marks.dispose();
  });

  it("begin only where a tyre slides on the ground, and do not bridge gaps", () => {
    const marks = new SkidMarks();
    marks.add(0, [tire(0, 0)]);
    marks.add(0.1, [tire(0.1, 0)]);
    marks.add(0.2, [tire(0.2)]);
    marks.add(0.3, [{ ...tire(0.3), load: 0 }]);
    marks.add(0.4, [tire(0.4)]);
    marks.add(0.5, [tire(40)]);
    expect(marks.count).toBe(0);
    marks.dispose();
  });

  it("take no more memory than their ring, and go when time runs back", () => {
    const marks = new SkidMarks();
    for (let i = 0; i < MOST + 50; i++) marks.add(i / 60, [tire(i * 0.1)]);
    expect(marks.count).toBe(MOST);
    expect(marks.mesh.geometry.drawRange.count).toBe(6 * MOST);
    marks.add(1, [tire(0)]);
    expect(marks.count).toBe(0);
    marks.dispose();
  });
});

describe("the chase camera", () => {
  const pose = (x: number, heading: number, pitch = 0) => new THREE.Matrix4().makeRotationFromEuler(new THREE.Euler(0, pitch, heading, "ZYX")).setPosition(x, 0, 0.5);

  it("has the heading of a body without its pitch", () => {
    expect(headingOf(pose(0, 0.7, 0.3))).toBeCloseTo(0.7, 9);
    expect(headingOf(pose(0, 0.7, -Math.PI / 2))).toBeCloseTo(0.7, 6);
  });

  it("moves with it at once, turns after it smoothly, and keeps how one looks around", () => {
    const [rig, chase] = [new Rig(), new Chase()];
    const begin = (position: THREE.Vector3, target: THREE.Vector3) => void rig.lookAs({ position: position.toArray(), target: target.toArray(), up: [0, 0, 1], angle: 0.8 }, 0.8, 1.8, 1.8);
    const update = (x: number, heading: number, time: number) => chase.update(rig, { key: "car", camera: null }, pose(x, heading), 4, [time, time], begin);
    update(0, 0, 0);
    expect(Math.abs(rig.azimuth)).toBeCloseTo(Math.PI, 9);
    update(1, 0, 0.02);
    expect(rig.target.x).toBeCloseTo(1, 9);
    rig.orbit(0.5, 0);
    const own = rig.azimuth;
    update(1, 0.4, 0.04);
    expect(rig.azimuth).toBeGreaterThan(own);
    expect(rig.azimuth - own).toBeLessThan(0.1);
    for (let t = 0.06; t < 4; t += 0.02) update(1, 0.4, t);
    expect(rig.azimuth - own).toBeCloseTo(0.4, 3);
    // a jump in time is followed at once, the short way round
    update(1, 0.4 - 2 * Math.PI + 0.3, 1);
    expect(rig.azimuth - own).toBeCloseTo(0.7, 3);
  });
});
