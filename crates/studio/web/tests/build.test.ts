import { readFileSync } from "node:fs";
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { fieldsOf, resolve, schemaAt, typed, type Field, type Schema } from "../src/build/fields";
import { connect, newBody, newCable, newForce, newJoint, type Anchor } from "../src/build/make";
import { asTurn, freeName, nameTrouble, niceSize, snap, snapOn, tidy } from "../src/build/numbers";
import { copiesBy } from "../src/build/belongings";
import { carried, featurePoints, inRow, mirrorWay, moved, placed, scaled, type Posed } from "../src/build/placing";
import { newFluid } from "../src/build/fluids";
import { removal, removalOf } from "../src/build/removal";
import type { Body, Change, Shape, Table, Tree, Vec3 } from "../src/protocol";

const up: Vec3 = [0, 0, 1];
const on = (body: string | null, ...at: Vec3): Anchor => ({ body, at, normal: up });
const at = (...p: Vec3) => new THREE.Matrix4().makeTranslation(...p);

describe("numbers", () => {
  it("are tidy and on the grid", () => {
    expect(tidy(0.1 + 0.2)).toBe(0.3);
    expect(Object.is(tidy(-1e-9), 0)).toBe(true);
    expect(snap(1.26, 0.1)).toBe(1.3);
    expect(snap(1.26, 0)).toBe(1.26);
    expect(snapOn([1.26, -0.04, 0.7312], up, 0.1)).toEqual([1.3, 0, 0.7312]);
    expect([4, 10, 30, 100].map(niceSize)).toEqual([0.2, 0.5, 2, 5]);
  });

  it("make names that are free and right", () => {
    expect(freeName("box", ["ball"])).toBe("box");
    expect(freeName("box", ["box", "box2"])).toBe("box3");
    expect(freeName("ball0", ["ball0"])).toBe("ball2");
    expect(nameTrouble("")).not.toBeNull();
    expect(nameTrouble("hoist rope")).toBeNull();
    expect(nameTrouble("rope[3]")).not.toBeNull();
    expect(nameTrouble("x".repeat(201))).not.toBeNull();
  });

  it("say turns about an axis", () => {
    const half = Math.PI / 8;
    expect(asTurn([Math.cos(half), 0, Math.sin(half), 0])).toEqual({ axis: [0, 1, 0], angle: "45 deg" });
    expect(asTurn([Math.cos(half), 0, 0, -Math.sin(half)])).toEqual({ axis: [0, 0, 1], angle: "-45 deg" });
    expect(asTurn([1, 0, 0, 0])).toBeNull();
  });

  it("typed are numbers, texts with a unit, or nothing", () => {
    expect([" 2.5 ", "−3", "1e-3", "10 cm", "= 2 * a", ""].map(typed)).toEqual([2.5, -3, 0.001, "10 cm", "= 2 * a", undefined]);
  });
});

describe("tools", () => {
  it("rest a new body on what was clicked", () => {
    expect(newBody("box", on("ground", 1, 2, 0), 0.5, 0).position).toEqual([1, 2, 0.25]);
    expect(newBody("sphere", { body: "wall", at: [0, 0, 1], normal: [-1, 0, 0] }, 0.4, 0).position).toEqual([-0.2, 0, 1]);
    expect(newBody("point", on(null, 0, 0, 2), 0.5, 0)).toMatchObject({ type: "static", position: [0, 0, 2] });
    expect(newBody("cone", on(null, 0, 0, 0), 0.5, 0).shape).toEqual({ cone: { radius: 0.25, height: 0.5 } });
  });

  it("write each joint as the scene language has it", () => {
    const [a, b] = [on("stand", 0, 0, 1), on("ball", 0, 0, 0)];
    expect(newJoint("rod", ["stand", "ball"], a, b)).toEqual({ distance: { bodies: ["stand", "ball"], points: [[0, 0, 1], [0, 0, 0]] } });
    expect(newJoint("rope", ["stand", "ball"], a, b)).toMatchObject({ distance: { max: 1 } });
    expect(newJoint("hinge", ["stand", "ball"], a, b)).toEqual({ hinge: { bodies: ["stand", "ball"], at: [0, 0, 0], axis: [0, 0, 1] } });
    expect(newJoint("universal", ["stand", "ball"], a, b)).toMatchObject({ universal: { axes: [[0, 0, 1], [0, 1, 0]] } });
    expect(newJoint("weld", ["stand", "ball"], a, b)).toEqual({ weld: { bodies: ["stand", "ball"], at: [0, 0, 0] } });
  });

  it("hang on a fixed body what begins in space", () => {
    const made = connect({ bodies: { ball: {} } }, "rod", on(null, 0, 0, 1), on("ball", 0, 0, 0));
    expect(made.changes[0]).toEqual({ set: ["bodies", "world"], value: { type: "static" } });
    expect(made.changes[1]).toMatchObject({ value: { distance: { bodies: ["world", "ball"] } } });
    expect(connect({ bodies: { ball: {}, world: {} } }, "rod", on(null, 0, 0, 1), on("ball", 0, 0, 0)).changes).toHaveLength(1);
  });

  it("draw forces as arrows or toward a body, and cables through points", () => {
    expect(newForce({}, on("ball", 0, 0, 0), on(null, 1, 0, 0), 100).changes[0]).toMatchObject({ value: { applied: { body: "ball", force: [100, 0, 0] } } });
    expect(newForce({}, on("ball", 0, 0, 0), on("post", 0, 0, 2), 100).changes[0]).toMatchObject({ value: { applied: { toward: { body: "post", force: 200 } } } });
    const cable = newCable({}, [on("a", 0, 0, 0), on(null, 1, 0, 0), on("b", 2, 0, 0)], 0.02).changes[0] as { value: Table };
    expect(cable.value).toMatchObject({ start: { body: "a", at: [0, 0, 0] }, end: { body: "b" }, path: [[0, 0, 0], [1, 0, 0], [2, 0, 0]] });
  });
});

const tree: Tree = {
  bodies: { stand: { type: "static" }, ball: { position: [0, 0, 0], orientation: [1, 0, 0, 0], velocity: [1, 0, 0] }, other: { position: [1, 0, 0] } },
  joints: { rod: { distance: { bodies: ["stand", "ball"], points: [[0, 0, 1], [0, 0, 0]] } }, pin: { hinge: { bodies: ["ball", "other"], at: [0.5, 0, 0], axis: [0, 1, 0] } } },
  forces: { push: { applied: { body: "ball", at: [0, 0, 0], force: [1, 0, 0] } } },
  cables: { line: { section: "s", start: { body: "ball", at: [0, 0, 0] } } },
};

describe("moving", () => {
  it("takes along what is fastened, and leaves a joint whose other body stays", () => {
    const changes = moved(tree, [{ name: "ball", before: at(0, 0, 0), after: at(0.5, 0, 0) }]);
    const set = new Map(changes.flatMap((c) => ("set" in c ? [[c.set.join("."), c.value]] : [])));
    expect(set.get("bodies.ball.position")).toEqual([0.5, 0, 0]);
    expect(set.get("joints.rod.distance.points.1")).toEqual([0.5, 0, 0]);
    expect(set.has("joints.rod.distance.points.0")).toBe(false);
    expect(set.has("joints.pin.hinge.at")).toBe(false);
    expect(set.get("forces.push.applied.at")).toEqual([0.5, 0, 0]);
    expect(set.get("cables.line.start.at")).toEqual([0.5, 0, 0]);
    expect(changes).toContainEqual({ remove: ["bodies", "ball", "orientation"] });
  });

  it("turns axes of joints between bodies that go together", () => {
    const quarter = new THREE.Matrix4().makeRotationZ(Math.PI / 2);
    const changes = carried(tree, new Map([["ball", quarter], ["other", quarter]]));
    expect(changes).toContainEqual({ set: ["joints", "pin", "hinge", "at"], value: [0, 0.5, 0] });
    expect(changes).toContainEqual({ set: ["joints", "pin", "hinge", "axis"], value: [-1, 0, 0] });
    expect(placed(tree, "other", quarter)).toContainEqual({ set: ["bodies", "other", "rotation"], value: { axis: [0, 0, 1], angle: "90 deg" } });
  });

  it("scales a shape's own sizes", () => {
    const base = { at: [0, 0, 0], turn: [1, 0, 0, 0], color: [0, 0, 0], material: null } as Pick<Shape, "at" | "turn" | "color" | "material">;
    const body = (shape: Shape): Body => ({ id: 0, name: "b", kind: "dynamic", mass: 1, shapes: [shape] });
    const own = (kind: string): Tree => ({ bodies: { b: { shape: { [kind]: {} } } } });
    expect(scaled(own("box"), body({ form: "box", size: [1, 1, 1], ...base }), [2, 1, 0.5], 0)).toEqual([{ set: ["bodies", "b", "shape", "box", "size"], value: [2, 1, 0.5] }]);
    expect(scaled(own("sphere"), body({ form: "sphere", radius: 1, ...base }), [1, 0.5, 1], 0.01)).toEqual([{ set: ["bodies", "b", "shape", "sphere", "radius"], value: 0.5 }]);
    expect(scaled(own("cone"), body({ form: "cone", radius: 1, length: 2, ...base }), [1, 1, 1.5], 0)[1]).toEqual({ set: ["bodies", "b", "shape", "cone", "height"], value: 3 });
    expect(scaled({ bodies: { b: { parts: [] } } }, body({ form: "sphere", radius: 1, ...base }), [2, 2, 2], 0)).toEqual([]);
  });
});

describe("copies", () => {
  const copies = (of: Tree, bodies: Posed[], way: THREE.Matrix4) => copiesBy(of, bodies, [way]);

  it("mirror places, velocities and turns", () => {
    const quarter = new THREE.Matrix4().makeRotationZ(Math.PI / 6).setPosition(2, 1, 0);
    const made = copies(tree, [{ name: "ball", pose: quarter }], mirrorWay(0, 0));
    expect(made.names).toEqual(["ball2"]);
    expect(made.changes[0]).toMatchObject({ value: { position: [-2, 1, 0], velocity: [-1, 0, 0], rotation: { axis: [0, 0, 1], angle: "-30 deg" } } });
    expect(mirrorWay(1, 2).elements[13]).toBe(4);
    const spun = copies({ bodies: { top: { angular_velocity: [1, 2, 3] } } }, [{ name: "top", pose: new THREE.Matrix4() }], mirrorWay(0, 0)).changes[0];
    // about the axis of the mirror it turns as before, about the others against it
    expect(spun).toMatchObject({ value: { angular_velocity: [1, -2, -3] } });
  });

  const pair = [{ name: "post", pose: at(0, 0, 0) }, { name: "arm", pose: at(1, 1, 0) }];
  const joined = (joints: Tree["joints"]): Tree => ({ bodies: { post: {}, arm: {} }, joints });
  const copied = (joints: Tree["joints"], way: THREE.Matrix4) =>
    Object.fromEntries(copies(joined(joints), pair, way).changes.flatMap((c) => ("set" in c && c.set[0] === "joints" ? [[c.set[1], c.value]] : []))) as Record<string, Record<string, Table>>;
  const bodies = ["post", "arm"];

  it("mirror what turns as its image does, and what slides as it goes", () => {
    const made = copied(
      {
        pitch: { hinge: { bodies, at: [0, 1, 0], axis: [0, 1, 0], limits: { low: 0, high: "60 deg" } } },
        slew: { revolute: { bodies, at: [0, 1, 0], axis: [0, 0, 1] } },
        slide: { slider: { bodies, axis: [0, 1, 0] } },
        table: { planar: { bodies, at: [0, 1, 0], axis: [0, 0, 1], x_axis: [0, 1, 0] } },
        wheel: { car_wheel: { bodies, at: [0, 1, 0] } },
        nut: { screw: { bodies, at: [0, 1, 0], axis: [0, 1, 0], lead: "5 mm" } },
        cross: { universal: { bodies, at: [0, 1, 0], axes: [[1, 0, 0], [0, 1, 0]] } },
      },
      mirrorWay(1, 0),
    );
    // about an axis across the mirror it turns as before; about one in the mirror it turns the other way
    expect(made.pitch2!.hinge).toMatchObject({ bodies: ["post2", "arm2"], at: [0, -1, 0], axis: [0, 1, 0], limits: { low: 0, high: "60 deg" } });
    expect(made.slew2!.revolute).toMatchObject({ axis: [0, 0, -1] });
    expect(made.slide2!.slider).toMatchObject({ axis: [0, -1, 0] });
    expect(made.table2!.planar).toMatchObject({ axis: [0, 0, -1], x_axis: [0, -1, 0] });
    // a wheel rolls on, steers the other way, and travels up
    expect(made.wheel2!.car_wheel).toEqual({ bodies: ["post2", "arm2"], at: [0, -1, 0], steering_axis: [0, 0, -1] });
    expect(made.nut2!.screw).toMatchObject({ axis: [0, 1, 0], lead: "-5 mm" });
    expect(made.cross2!.universal).toMatchObject({ axes: [[-1, 0, 0], [0, 1, 0]] });
  });

  it("turn all directions of joints, also those that were not written, and leave frames, which turn with their bodies", () => {
    const quarter = new THREE.Matrix4().makeRotationZ(Math.PI / 2);
    const frames = [{ at: [0, 0, 1] }, { at: [0, 0, -1] }];
    const joints = {
      cross: { universal: { bodies, at: [0, 1, 0], axes: [[1, 0, 0], [0, 1, 0]] } },
      table: { planar: { bodies, at: [0, 1, 0], axis: [0, 0, 1], x_axis: [1, 0, 0] } },
      wheel: { car_wheel: { bodies, steering_axis: [0.1, 0, 1] } },
      pin: { hinge: { bodies, frames } },
    };
    const made = copied(joints, quarter);
    expect(made.cross2!.universal).toMatchObject({ at: [-1, 0, 0], axes: [[0, 1, 0], [-1, 0, 0]] });
    expect(made.table2!.planar).toMatchObject({ axis: [0, 0, 1], x_axis: [0, 1, 0] });
    expect(made.wheel2!.car_wheel).toEqual({ bodies: ["post2", "arm2"], axis: [-1, 0, 0], steering_axis: [0, 0.1, 1] });
    expect(made.pin2!.hinge).toEqual({ bodies: ["post2", "arm2"], frames });
    // the image of a frame is none, and a body that stays has its own axes
    expect(copied({ pin: { hinge: { bodies, frames } } }, mirrorWay(1, 0))).toEqual({});
    // moved by hand it is the same table
    const changes = carried(joined(joints), new Map(bodies.map((name) => [name, quarter])));
    const set = Object.fromEntries(changes.flatMap((c) => ("set" in c ? [[c.set.slice(1).join("."), c.value]] : [])));
    expect(set).toEqual({
      "cross.universal.at": [-1, 0, 0],
      "cross.universal.axes.0": [0, 1, 0],
      "cross.universal.axes.1": [-1, 0, 0],
      "table.planar.at": [-1, 0, 0],
      "table.planar.x_axis": [0, 1, 0],
      "wheel.car_wheel.axis": [-1, 0, 0],
      "wheel.car_wheel.steering_axis": [0, 0.1, 1],
    });
  });

  it("stand in a row, each with its rod to what is fixed", () => {
    const made = copiesBy(tree, [{ name: "ball", pose: at(0, 0, 0) }], inRow(3, [0.2, 0, 0]));
    expect(made.names).toEqual(["ball2", "ball3"]);
    const rods = made.changes.filter((c) => "set" in c && c.set[0] === "joints") as { set: string[]; value: Table }[];
    expect(rods.map((r) => r.set[1])).toEqual(["rod2", "rod3"]);
    expect(rods[1]!.value).toEqual({ distance: { bodies: ["stand", "ball3"], points: [[0.4, 0, 1], [0.4, 0, 0]] } });
  });

  it("new fluids have a free name and usual values", () => {
    expect(newFluid({}, "water")).toEqual({ name: "water", changes: [{ set: ["fluids", "water"], value: { material: "water", surface: 0 } }] });
    const { name, changes } = newFluid({ fluids: { air: { material: "air" } } }, "wind");
    expect(name).not.toBe("air");
    expect(changes).toEqual([{ set: ["fluids", name], value: { material: "air", wind: { speed: "10 m/s", profile: "power" } } }]);
  });

  it("and removals leave nothing without its body", () => {
    expect(removal(tree, ["ball"]).map((c) => ("remove" in c ? c.remove.join(".") : ""))).toEqual(["joints.rod", "joints.pin", "forces.push", "cables.line", "bodies.ball"]);
  });

  it("and take along what runs on the body or is coupled to its joints", () => {
    const hull: Tree = {
      bodies: { hull: {}, sprocket: {}, gear: {} },
      joints: { drive: { hinge: { bodies: ["hull", "sprocket"] } }, free: { slider: { bodies: ["gear", "sprocket"] } }, steer: { rack: { pinion: "drive", slider: "free", radius: 0.1 } } },
      bins: { bed: { body: "hull" } },
      wheels: { roller: { body: "sprocket" } },
      tracks: { belt: { frame: "hull", sprocket: "sprocket" } },
      probes: { slip: "tracks.belt.slip", far: 'bodies."a.b".speed' },
    };
    expect(removal(hull, ["hull"]).map((c) => ("remove" in c ? c.remove.join(".") : ""))).toEqual(["joints.drive", "joints.steer", "probes.slip", "bins.bed", "tracks.belt", "bodies.hull"]);
  });

  it("and the last fluid takes its keys of bodies and cables along", () => {
    const wet: Tree = {
      fluids: { sea: { material: "seawater", surface: 0 }, air: { material: "air" } },
      bodies: { boat: { fluid: { drag: "none" } }, box: {}, buoy: { fluid: { active: false } } },
      cables: { line: { section: "s", fluid: { normal_drag: 1.2 }, start: { body: "buoy", at: [0, 0, 0] } }, dry: { section: "s" }, tow: { section: "s", fluid: {} } },
      probes: { wave: "fluids.sea.height(0, 0)", z: "bodies.boat.position.z" },
    };
    const removed = (changes: Change[]) => changes.map((c) => ("remove" in c ? c.remove.join(".") : ""));
    expect(removed(removalOf(wet, "fluids", ["sea"]))).toEqual(["probes.wave", "fluids.sea"]);
    expect(removed(removalOf(wet, "fluids", ["sea", "air"]))).toEqual(["probes.wave", "fluids.sea", "fluids.air", "bodies.boat.fluid", "bodies.buoy.fluid", "cables.line.fluid", "cables.tow.fluid"]);
    const calm: Tree = { ...wet, fluids: { sea: { material: "water", surface: 0 } } };
    expect(removed(removalOf(calm, "fluids", ["sea"]))).toContain("bodies.buoy.fluid");
    // a body that goes takes its key with it, and the fluid stays
    expect(removed(removal(calm, ["buoy"]))).toEqual(["cables.line", "bodies.buoy"]);
    expect(removed(removalOf({ bodies: wet.bodies! }, "bodies", ["box"]))).toEqual(["bodies.box"]);
  });

  it("offer middles, faces and corners to take hold of", () => {
    expect(featurePoints({ form: "box", size: [2, 2, 2] })).toHaveLength(15);
    expect(featurePoints({ form: "sphere", radius: 1 })).toEqual([[0, 0, 0]]);
  });
});

describe("fields from the schema", () => {
  const root = JSON.parse(readFileSync(new URL("schema.json", import.meta.url), "utf8")) as Schema;
  const body = fieldsOf(schemaAt(root, ["bodies", "any"])!, root);
  const field = (key: string): Field => body.find((f) => f.key === key)!;

  it("know quantities, vectors, choices, flags and colours", () => {
    expect(field("mass")).toMatchObject({ kind: "quantity", unit: "kg" });
    expect(field("position")).toMatchObject({ kind: "vector", length: 3, unit: "m", standard: "0" });
    expect(field("type")).toMatchObject({ kind: "choice", standard: "dynamic" });
    expect((field("type") as { choices: { value: string }[] }).choices.map((c) => c.value)).toEqual(["dynamic", "static", "kinematic"]);
    expect(field("gravity")).toMatchObject({ kind: "flag", standard: "true" });
    expect(field("color").kind).toBe("color");
    expect(field("material").kind).toBe("text");
  });

  it("know tables within tables, and one of several kinds", () => {
    expect(field("rotation")).toMatchObject({ kind: "table" });
    const shape = field("shape");
    expect(shape.kind).toBe("variant");
    const box = (shape as { variants: { name: string; field: Field }[] }).variants.find((v) => v.name === "box")!.field;
    expect(box).toMatchObject({ kind: "table", fields: [{ key: "size", kind: "vector", needed: true }] });
    const rod = fieldsOf(schemaAt(root, ["joints", "rod", "distance"])!, root);
    expect(rod.find((f) => f.key === "bodies")).toMatchObject({ kind: "vector", length: 2, needed: true });
    expect(rod.find((f) => f.key === "points")!.kind).toBe("raw");
    expect(fieldsOf(schemaAt(root, ["forces", "push", "applied"])!, root).map((f) => f.key)).toContain("until");
  });

  it("keep what stands beside a reference", () => {
    expect(resolve({ description: "mine", allOf: [{ $ref: "#/definitions/Rotation" }] }, root)).toMatchObject({ description: "mine", type: "object" });
  });
});
