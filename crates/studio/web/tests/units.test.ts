import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { fromStick, keyed, keyName, stickPlace } from "../src/drive";
import { aligned, History, toCsv } from "../src/history";
import { pauseBefore } from "../src/link";
import { usualTime } from "../src/panels/solver";
import { quantity } from "../src/panels/units";
import type { Body, Form, Input } from "../src/protocol";
import { fromHash, toHash } from "../src/share";
import { clock } from "../src/time";
import { BodiesView } from "../src/view/bodies";
import { LinesView } from "../src/view/lines";
import { Rig } from "../src/view/rig";
import { emptyTube, fillTube, paintTube, SIDES } from "../src/view/tube";

const lever: Input = { name: "hoist", label: "Hoist", unit: "m/s", low: -1, high: 2, rest: 0, self_centering: true, keys: ["Up", "Down"], gamepad: "left-y" };

describe("inputs", () => {
  it("follow held keys and spring back", () => {
    expect(keyed(lever, 0, true, false, 0.02)).toBe(2);
    expect(keyed(lever, 0, false, true, 0.02)).toBe(-1);
    expect(keyed(lever, 2, false, false, 0.02)).toBe(0);
    expect(keyed(lever, 2, true, true, 0.02)).toBe(0);
  });

  it("that do not spring back move over their range and stay", () => {
    const set = { ...lever, self_centering: false };
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
  const eye = { x: 0, y: 0, z: 0 };

  it("keep their radius around a straight line, normals outward and faces turned out", () => {
    const points = new Float32Array([0, 0, 0, 5, 0, 0, 1, 5, 0, 0, 2, 5]);
    const tube = emptyTube(3);
    fillTube(tube, points, 0.1, 0, eye);
    for (let v = 0; v < 3 * SIDES; v++) {
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

  it("have a ring about every point, across the middle of the chords there, however long these are", () => {
    // ten metres straight, a corner, three centimetres; and a point that comes twice
    const points = new Float32Array([0, 0, 0, 1, 10, 0, 0, 2, 10, 0.03, 0, 3, 10, 0.03, 0, 3]);
    const tube = emptyTube(4);
    fillTube(tube, points, 0.01, 0, eye);
    const middle = [Math.SQRT1_2, Math.SQRT1_2, 0];
    for (const [i, way] of [[0, [1, 0, 0]], [1, middle], [2, [0, 1, 0]], [3, [0, 1, 0]]] as const) {
      for (let s = 0; s < SIDES; s++) {
        const from = [0, 1, 2].map((k) => tube.position[(i * SIDES + s) * 3 + k]! - points[4 * i + k]!);
        expect(Math.hypot(...from)).toBeCloseTo(0.01, 5);
        expect(from.reduce((sum, x, k) => sum + x * way[k]!, 0)).toBeCloseTo(0, 5);
      }
    }
  });

  it("are drawn thicker where they are far", () => {
    const points = new Float32Array([0, 0, 0, 0, 0, 0, 100, 0]);
    const tube = emptyTube(2);
    fillTube(tube, points, 0.02, 0.001, eye);
    const radius = (i: number) => Math.hypot(tube.position[i * SIDES * 3]!, tube.position[i * SIDES * 3 + 1]!);
    expect(radius(0)).toBeCloseTo(0.02, 6);
    expect(radius(1)).toBeCloseTo(0.1, 6);
  });

  it("are coloured by the tension of their points", () => {
    const points = new Float32Array([0, 0, 0, 10, 0, 0, 1, 20]);
    const tube = emptyTube(2);
    paintTube(tube, points, (tension, out) => out.fill(tension));
    expect([...tube.color]).toEqual([10, 20].flatMap((tension) => Array(SIDES * 3).fill(tension)));
  });
});

describe("lines", () => {
  const eye = new THREE.Vector3();
  const straight = (from: number, count: number) => new Float32Array(Array.from({ length: count }, (_, i) => [from + i, 0, 0, i]).flat());
  const shown = (view: LinesView) => (view.group.children as THREE.Mesh[]).filter((mesh) => mesh.visible);

  it("show every piece of a cable that was cut, and one that grew whole again", () => {
    const view = new LinesView([{ id: 7, name: "rope", radius: 0.01, color: [1, 1, 1] }], false);
    view.update([{ id: 7, points: straight(0, 3) }, { id: 7, points: straight(5, 2) }], eye, null, null);
    expect(shown(view).map((mesh) => mesh.geometry.drawRange.count)).toEqual([2 * SIDES * 6, SIDES * 6]);
    const { min, max } = view.boundsOf(7);
    expect([min.x, max.x]).toEqual([0, 6]);
    view.update([{ id: 7, points: straight(0, 4) }], eye, null, null);
    expect(shown(view).map((mesh) => mesh.geometry.drawRange.count)).toEqual([3 * SIDES * 6]);
    view.dispose();
  });

  it("are coloured by tension, but for hydraulic cylinders", () => {
    const line = (id: number, kind: string) => ({ id, name: kind, kind, radius: 0.01, color: [1, 1, 1] as [number, number, number] });
    const view = new LinesView([line(1, "rope"), line(2, "cylinder")], false);
    view.update([{ id: 1, points: straight(0, 3) }, { id: 2, points: straight(0, 3) }], eye, [0, 2], null);
    const white = shown(view).map((mesh) => Array.from(mesh.geometry.getAttribute("color").array).slice(0, 9).every((c) => c === 1));
    expect(white).toEqual([false, true]);
    view.dispose();
  });

  it("keep their arrays while points come and go, and leave alone what has not changed", () => {
    const view = new LinesView([{ id: 1, name: "rope", radius: 0.01, color: [1, 1, 1] }], false);
    const points = straight(0, 20);
    view.update([{ id: 1, points }], eye, null, null);
    const [mesh] = shown(view);
    const { geometry } = mesh!;
    const versions = () => ["position", "color"].map((name) => (geometry.getAttribute(name) as THREE.BufferAttribute).version);
    const first = versions();
    view.update([{ id: 1, points }], eye, null, null);
    expect(versions()).toEqual(first);
    for (const count of [21, 18, 22]) view.update([{ id: 1, points: straight(0, count) }], eye, null, null);
    expect(mesh!.geometry).toBe(geometry);
    expect(versions()).toEqual([first[0]! + 3, first[1]]);
    // the new rings have their colour all the same
    expect([...geometry.getAttribute("color").array.slice(0, 22 * SIDES * 3)].every((v) => v === 1)).toBe(true);
    view.dispose();
  });
});

describe("bodies", () => {
  const body = (id: number, form: Form): Body => ({ id, name: `b${id}`, kind: "dynamic", mass: 1, shapes: [{ ...form, at: [0, 0, 1], turn: [1, 0, 0, 0], color: [1, 0, 0], material: null }] });

  it("of one form are one mesh, capsules of all proportions and equal meshes too", () => {
    const corner = () => ({ form: "mesh" as const, positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] });
    const capsules = [0.1, 0.7, 3].map((length, i) => body(i, { form: "capsule", radius: 0.2, length }));
    const view = new BodiesView([...capsules, body(3, corner()), body(4, corner())], false);
    const counts = view.group.children.map((mesh) => (mesh as THREE.InstancedMesh).count);
    expect(counts).toEqual([3, 6, 2]);
    // as long as it is said to be, about its middle
    const { min, max } = view.boundsOf(2);
    expect([min.x, min.z, max.x, max.z].map((v) => Number(v.toFixed(4)))).toEqual([-0.2, 1 - 1.7, 0.2, 1 + 1.7].map((v) => Number(v.toFixed(4))));
    view.dispose();
  });

  it("have fewer faces in a crowd", () => {
    const faces = (count: number) => {
      const view = new BodiesView(Array.from({ length: count }, (_, i) => body(i, { form: "sphere", radius: 1 })), false);
      return (view.group.children[0] as THREE.InstancedMesh).geometry.index!.count / 3;
    };
    expect(faces(1)).toBeGreaterThan(1000);
    expect(faces(1000)).toBeLessThan(300);
  });
});

describe("the eye", () => {
  const fov = Math.PI / 4;
  /** Where a place is in a picture, each from −1 to 1. */
  const seen = (rig: Rig, aspect: number, place: THREE.Vector3) => {
    const camera = new THREE.PerspectiveCamera(THREE.MathUtils.radToDeg(fov), aspect, 0.01, 1000);
    rig.place(camera);
    camera.updateMatrixWorld();
    return place.clone().project(camera);
  };

  it("frames all of a box, and no more than that, in pictures wide and high", () => {
    const box = new THREE.Box3(new THREE.Vector3(-1, 2, 0), new THREE.Vector3(3, 4, 30));
    for (const aspect of [2.5, 16 / 9, 0.5]) {
      const rig = new Rig();
      rig.azimuth = 0.7;
      rig.frame(box, fov, aspect, 0.8);
      const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => new THREE.Vector3(i & 1 ? 3 : -1, i & 2 ? 4 : 2, i & 4 ? 30 : 0));
      const reach = Math.max(...corners.map((c) => seen(rig, aspect, c)).flatMap((p) => [Math.abs(p.x), Math.abs(p.y)]));
      expect(reach).toBeCloseTo(0.8, 6);
    }
  });

  it("looks as a camera of the scene does, narrow pictures from farther away, and refuses a tilted one", () => {
    const camera = { position: [40, -64, 26], target: [6, 3, 24], up: [0, 0, 1], angle: 0.7 } as const;
    const look = (up: readonly number[], aspect: number) => {
      const rig = new Rig();
      return { rig, taken: rig.lookAs({ position: [...camera.position], target: [...camera.target], up: [...up] as [number, number, number], angle: camera.angle }, fov, aspect, 16 / 9) };
    };
    const { rig, taken } = look(camera.up, 2);
    expect(taken).toBe(true);
    const [target, eye] = [new THREE.Vector3(...camera.target), new THREE.PerspectiveCamera()];
    rig.place(eye);
    const way = new THREE.Vector3(...camera.position).sub(target);
    expect(eye.position.clone().sub(target).normalize().distanceTo(way.clone().normalize())).toBeLessThan(1e-9);
    // what is straight above the target at the camera's upper edge is at ours
    const above = new THREE.Vector3(0, 0, 1).projectOnPlane(way).setLength(way.length() * Math.tan(camera.angle / 2)).add(target);
    expect(seen(rig, 2, above).y).toBeCloseTo(1, 6);
    const below = above.clone().sub(target).negate().add(target);
    const lifted = look(camera.up, 2).rig;
    lifted.freeFoot(0.25, fov);
    expect(seen(lifted, 2, above).y).toBeCloseTo(1, 6);
    expect(seen(lifted, 2, below).y).toBeCloseTo(-0.5, 6);
    expect(look(camera.up, 0.5).rig.distance / rig.distance).toBeCloseTo(16 / 9 / 0.5, 9);
    expect(look([0.2, 0, 1], 2).taken).toBe(false);
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

it("takes the usual time of a stage, not that of a step that was interrupted", () => {
  expect(usualTime([])).toBe(0);
  expect(usualTime([20, 21, 16_500, 19, 20])).toBe(20);
  expect(usualTime([...Array(40).fill(500), ...Array(20).fill(30)])).toBe(30);
});
