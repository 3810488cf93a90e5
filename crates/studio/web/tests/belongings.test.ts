import { readFileSync } from "node:fs";
import * as THREE from "three";
import { describe, expect, it } from "vitest";
import { belongings, clipOf, copiesBy, pasted } from "../src/build/belongings";
import { image, KEYS } from "../src/build/keys";
import { inRow, mirrorWay, type Posed } from "../src/build/placing";
import type { Change, Table, Tree, Vec3 } from "../src/protocol";

const at = (...p: Vec3) => new THREE.Matrix4().makeTranslation(...p);
const posed = (...names: string[]): Posed[] => names.map((name) => ({ name, pose: at(0, 1, 0) }));
/** What changes set, by section and name. */
const made = (changes: Change[]) => Object.fromEntries(changes.flatMap((c) => ("set" in c ? [[c.set.join("."), c.value]] : []))) as Record<string, Table>;

/** A crane: a boom on a post, a winch on the post, a rope over the head of the boom to a load; and a wall beside it. */
const crane: Tree = {
  sections: { wire: { diameter: "8 mm", material: "drawn steel" } },
  materials: { "drawn steel": { density: 7850 } },
  bodies: { wall: { type: "static" }, ground: { type: "static" }, post: {}, boom: {}, load: {}, truck: {} },
  winches: { hoist: { on: "post", at: [0, 1, 1], axis: [0, 1, 0], radius: 0.1, mass: 10, motor: { speed: 1 } }, other: { on: "wall", at: [0, 3, 1], axis: [0, 1, 0], radius: 0.1, mass: 10 } },
  joints: {
    slew: { hinge: { bodies: ["ground", "post"], at: [0, 1, 0], axis: [0, 0, 1] } },
    luff: { hinge: { bodies: ["post", "boom"], at: [0, 1, 2], axis: [0, 1, 0] } },
    tie: { gear: { joints: ["slew", "luff"], ratio: 2 } },
    half: { linear_coupling: { terms: [{ joint: "luff" }, { joint: "hoist", factor: -1 }] } },
    tow: { distance: { bodies: ["truck", "load"], points: [[0, 0, 0], [1, 1, 0]] } },
  },
  cables: {
    rope: {
      section: "wire",
      route: [{ winch: "hoist", axial_offset: "20 mm" }, { pulley: "boom", at: [1, 1, 2], axis: [0, 1, 0], radius: 0.1, wrap_direction: "cw" }, { ring: "boom", at: [1.1, 1, 1.9] }, { attach: "load", at: [1.2, 1, 0.5] }],
    },
    guy: { section: "wire", start: { body: "boom", at: [1, 1, 2], attachment: "clamp", direction: [0, 1, -1] }, end: { body: "wall", at: [0, 3, 2] }, path: [[1, 1, 2], [0.5, 2, 1.5], [0, 3, 2]] },
    pull: { section: "wire", route: [{ winch: "other" }, { attach: "load", at: [1.2, 1, 0.5] }] },
  },
  forces: {
    gust: { applied: { body: "load", at: [1.2, 1, 0.5], force: [0, "20 N", 0], torque: [0, 3, 4] } },
    thrust: { applied: { body: "load", force: [0, 5, 1], torque: [0, 3, 4], in: "body" } },
    hold: { applied: { body: "load", toward: { body: "post", at: [0, 1, 1], force: 10 } } },
    bungee: { spring: { bodies: ["boom", "load"], points: [[1, 1, 2], [1, 1, 0]], stiffness: 10 } },
    air: { drag: { body: "truck", factor: 1, area: 1 } },
  },
  inputs: {
    hoist: { label: "Hoist", range: [-1, 1], keys: ["W", "S"], gamepad: "left-y", drives: [{ joint: "hoist" }] },
    luffing: { range: [-1, 1], drives: [{ joint: "luff" }, { joint: "slew", factor: 2 }] },
    pay: { range: [-1, 1], drives: [{ cable: "rope" }] },
    steer: { range: [-1, 1], drives: [{ vehicle: "truck", command: "steer" }] },
    both: { range: [-1, 1], drives: [{ joint: "hoist" }, { joint: "other" }] },
  },
  probes: { "load z": "bodies.load.position.z", speed: "winches.hoist.speed", drum: "joints.hoist.value", pull: "cables.rope.tension.start", wall: "bodies.wall.speed", energy: "energy.total" },
  script: [{ at: 1, set: { hoist: 1 } }],
};
const machine = ["post", "boom", "load"];

describe("what belongs to bodies", () => {
  it("is all that refers to nothing else", () => {
    const names = Object.fromEntries(Object.entries(belongings(crane, machine)).map(([section, entries]) => [section, Object.keys(entries)]));
    expect(names).toEqual({
      bodies: machine,
      winches: ["hoist"],
      joints: ["luff", "half"],
      cables: ["rope"],
      forces: ["gust", "thrust", "hold", "bungee"],
      inputs: ["hoist", "pay"],
      probes: ["load z", "speed", "drum", "pull"],
    });
  });

  it("goes with static fellows in a copy, and couplings go with their joints", () => {
    const set = made(copiesBy(crane, posed(...machine), inRow(2, [5, 0, 0])).changes);
    expect(Object.keys(set).filter((key) => /^(joints|cables|inputs)/.test(key))).toEqual(["joints.slew2", "joints.luff2", "joints.tie2", "joints.half2", "cables.rope2", "cables.guy2", "inputs.hoist2", "inputs.luffing2", "inputs.pay2"]);
    expect(set["joints.tie2"]).toEqual({ gear: { joints: ["slew2", "luff2"], ratio: 2 } });
    expect(set["joints.half2"]).toEqual({ linear_coupling: { terms: [{ joint: "luff2" }, { joint: "hoist2", factor: -1 }] } });
    expect(set["joints.slew2"]).toEqual({ hinge: { bodies: ["ground", "post2"], at: [5, 1, 0], axis: [0, 0, 1] } });
    expect(set["cables.guy2"]).toMatchObject({ start: { body: "boom2", at: [6, 1, 2], direction: [0, 1, -1] }, end: { body: "wall", at: [5, 3, 2] }, path: [[6, 1, 2], [5.5, 2, 1.5], [5, 3, 2]] });
  });
});

describe("copies of a crane", () => {
  const set = made(copiesBy(crane, posed(...machine), [mirrorWay(1, 0)]).changes);

  it("have a winch that winds in as its image does", () => {
    expect(set["winches.hoist2"]).toMatchObject({ on: "post2", at: [0, -1, 1], axis: [0, 1, 0], motor: { speed: 1 } });
    // one whose axis lies in the mirror turns the other way
    const upright: Tree = { bodies: { post: {} }, winches: { drum: { on: "post", at: [0, 1, 1], axis: [0, 0, 1] } } };
    expect(made(copiesBy(upright, posed("post"), [mirrorWay(1, 0)]).changes)["winches.drum2"]).toEqual({ on: "post2", at: [0, -1, 1], axis: [0, 0, -1] });
  });

  it("have a rope over the images of its points", () => {
    expect(set["cables.rope2"]!.route).toEqual([
      // the drum has its axis across the mirror: beside the middle it is on the other side
      { winch: "hoist2", axial_offset: "-20 mm" },
      { pulley: "boom2", at: [1, -1, 2], axis: [0, 1, 0], radius: 0.1, wrap_direction: "cw" },
      { ring: "boom2", at: [1.1, -1, 1.9] },
      { attach: "load2", at: [1.2, -1, 0.5] },
    ]);
  });

  it("have forces as their images, also in the axes of the body", () => {
    expect(set["forces.gust2"]!.applied).toEqual({ body: "load2", at: [1.2, -1, 0.5], force: [0, "-20 N", 0], torque: [0, 3, -4] });
    expect(set["forces.thrust2"]!.applied).toEqual({ body: "load2", force: [0, -5, 1], torque: [0, 3, -4], in: "body" });
    expect(set["forces.hold2"]!.applied).toMatchObject({ body: "load2", toward: { body: "post2", at: [0, -1, 1], force: 10 } });
    expect(set["forces.bungee2"]!.spring).toMatchObject({ bodies: ["boom2", "load2"], points: [[1, -1, 2], [1, -1, 0]] });
    expect(made(copiesBy(crane, posed("load"), inRow(2, [0, 0, 1])).changes)["forces.thrust2"]!.applied).toMatchObject({ force: [0, 5, 1] });
  });

  it("have levers without the keys that are taken, and probes of their own", () => {
    expect(set["inputs.hoist2"]).toEqual({ label: "Hoist 2", range: [-1, 1], drives: [{ joint: "hoist2" }] });
    expect(set["inputs.luffing2"]!.drives).toEqual([{ joint: "luff2" }, { joint: "slew2", factor: 2 }]);
    expect(set["inputs.pay2"]!.drives).toEqual([{ cable: "rope2" }]);
    expect(Object.entries(set).filter(([key]) => key.startsWith("probes"))).toEqual([
      ["probes.load z2", "bodies.load2.position.z"],
      ["probes.speed2", "winches.hoist2.speed"],
      ["probes.drum2", "joints.hoist2.value"],
      ["probes.pull2", "cables.rope2.tension.start"],
    ]);
    expect(Object.keys(set).some((key) => key.startsWith("script"))).toBe(false);
  });

  it("turn with a path, and each has names of its own", () => {
    const quarter = new THREE.Matrix4().makeRotationZ(Math.PI / 2);
    const { changes, names } = copiesBy(crane, posed(...machine), [quarter, at(9, 0, 0)]);
    const all = made(changes);
    expect(names).toEqual(["post2", "boom2", "load2", "post3", "boom3", "load3"]);
    expect(all["winches.hoist2"]).toMatchObject({ on: "post2", at: [-1, 0, 1], axis: [-1, 0, 0] });
    expect((all["cables.rope2"]!.route as Table[])[1]).toMatchObject({ pulley: "boom2", at: [-1, 1, 2], axis: [-1, 0, 0], wrap_direction: "cw" });
    expect((all["cables.rope2"]!.route as Table[])[0]).toEqual({ winch: "hoist2", axial_offset: "20 mm" });
    expect(all["forces.gust2"]!.applied).toMatchObject({ force: ["-20 N", 0, 0], torque: [-3, 0, 4] });
    expect(all["inputs.hoist3"]!.drives).toEqual([{ joint: "hoist3" }]);
  });

  it("are left out where an expression gives their place, with all that needs them", () => {
    const tree: Tree = { ...crane, winches: { hoist: { on: "post", at: "= base", axis: [0, 1, 0] } } };
    const { changes, left } = copiesBy(tree, posed(...machine), inRow(2, [5, 0, 0]));
    expect(left).toEqual(["hoist"]);
    expect(Object.keys(made(changes)).filter((key) => /hoist|rope|pay|half/.test(key))).toEqual([]);
    // quantities are no expressions
    const metric: Tree = { bodies: { post: {} }, winches: { hoist: { on: "post", at: ["10 cm", "1 m", 0.5], axis: [0, 1, 0] } } };
    expect(made(copiesBy(metric, posed("post"), inRow(2, [5, 0, 0])).changes)["winches.hoist2"]!.at).toEqual([5.1, 1, 0.5]);
  });
});

describe("images in the axes of a body", () => {
  it("are those of its parts", () => {
    const tree: Tree = {
      bodies: {
        part: {
          inertia: [[1, 0.1, 0.2], [0.1, 2, "0.3 kg m^2"], [0.2, "0.3 kg m^2", 3]],
          center_of_mass: [0.1, 0.2, 0.3],
          surface_velocity: [1, 2, 0],
          parts: [{ at: [1, 2, 3], rotation: { axis: [1, 1, 0], angle: "30 deg" }, shape: { convex: { points: [[0, 1, 0], [1, 1, 1]] } } }],
          visuals: [{ orientation: [0.5, 0.1, 0.2, 0.3], shape: { mesh: { vertices: [[0, 1, 2]], triangles: [[0, 1, 2]] } } }],
        },
      },
    };
    const own = made(copiesBy(tree, posed("part"), [mirrorWay(1, 0)]).changes)["bodies.part2"]!;
    expect(own).toMatchObject({
      inertia: [[1, -0.1, 0.2], [-0.1, 2, "-0.3 kg m^2"], [0.2, "-0.3 kg m^2", 3]],
      center_of_mass: [0.1, -0.2, 0.3],
      surface_velocity: [1, -2, 0],
      parts: [{ at: [1, -2, 3], rotation: { axis: [-1, 1, 0], angle: "30 deg" }, shape: { convex: { points: [[0, -1, 0], [1, -1, 1]] } } }],
      visuals: [{ orientation: [0.5, -0.1, 0.2, -0.3], shape: { mesh: { vertices: [[0, -1, 2]], triangles: [[2, 1, 0]] } } }],
    });
    // beside the first they are the same
    expect(made(copiesBy(tree, posed("part"), inRow(2, [1, 0, 0])).changes)["bodies.part2"]).toMatchObject(tree.bodies!["part" as never] as Table);
  });

  it("are those of tools, bins, wheels and tracks", () => {
    const tree: Tree = {
      bodies: { hull: {}, wheel: {} },
      tools: { blade: { body: "hull", edge: [[1, -1, 0], [1, 1.5, 0]], face: [0, 0.1, 1] } },
      bins: { bed: { body: "hull", at: [0, 0.2, 1], rims: { left: 0, front: 1 } } },
      wheels: { roller: { body: "wheel", at: [0, 0.1, 0], axis: [0, 1, 0] } },
      tracks: { belt: { frame: "hull", sprocket: "wheel", line: [[-1, 1, 0], [1, 1, 0]] } },
    };
    const across = made(copiesBy(tree, posed("hull", "wheel"), [mirrorWay(1, 0)]).changes);
    expect(across["tools.blade2"]).toEqual({ body: "hull2", edge: [[1, -1.5, 0], [1, 1, 0]], face: [0, -0.1, 1] });
    expect(across["bins.bed2"]).toEqual({ body: "hull2", at: [0, -0.2, 1], rims: { right: 0, front: 1 } });
    expect(across["wheels.roller2"]).toEqual({ body: "wheel2", at: [0, -0.1, 0], axis: [0, 1, 0] });
    expect(across["tracks.belt2"]).toEqual({ frame: "hull2", sprocket: "wheel2", line: [[-1, -1, 0], [1, -1, 0]] });
    // ahead becomes back, so the axle to the left is the other way
    expect(made(copiesBy(tree, posed("hull", "wheel"), [mirrorWay(0, 0)]).changes)["tracks.belt2"]).toMatchObject({ axle: [0, -1, 0], line: [[1, 1, 0], [-1, 1, 0]] });
  });

  it("of something that turns about an axis goes as the image of what it carries", () => {
    const [axis, arm] = [new THREE.Vector3(0.3, -0.5, 0.8), new THREE.Vector3(1, 2, -0.5)];
    for (const mirror of [0, 1, 2] as const) {
      const way = mirrorWay(mirror, 0);
      const turned = new THREE.Vector3(...(image("about", axis.toArray(), way) as Vec3));
      const goes = axis.clone().cross(arm).applyMatrix4(way);
      expect(turned.cross(arm.clone().applyMatrix4(way)).distanceTo(goes)).toBeLessThan(1e-9);
    }
  });
});

describe("kinematic bodies", () => {
  const slide = { ramp: { speed: 2 } };
  const tree: Tree = { bodies: { cart: { type: "kinematic", path: { x: slide, axis: [0, 0, 1], angle: { ramp: { speed: 1 } } } } } };
  const path = (way: THREE.Matrix4) => made(copiesBy(tree, [{ name: "cart", pose: at(3, 1, 0) }], [way]).changes)["bodies.cart2"]!.path;

  it("follow the image of their path", () => {
    expect(path(at(0, 4, 0))).toMatchObject({ x: slide });
    expect(path(at(5, 0, 0))).toMatchObject({ x: { sum: [{ constant: 5 }, slide] }, axis: [0, 0, 1] });
    expect(path(mirrorWay(0, 1))).toMatchObject({ x: { sum: [{ constant: 2 }, { product: { motion: slide, factor: { constant: -1 } } }] }, axis: [0, 0, -1] });
    // a quarter of a turn about z: y = x(t), x = −1
    const quarter = path(new THREE.Matrix4().makeRotationZ(Math.PI / 2)) as Table;
    expect(quarter.y).toEqual(slide);
    expect("x" in quarter).toBe(false);
  });
});

describe("pasting", () => {
  it("brings what belongs to the bodies, with the sections and materials that they name", () => {
    const clip = clipOf(crane, machine);
    const here = made(pasted({ bodies: { post: {} }, inputs: { lever: { keys: ["W", "S"] } } }, clip).changes);
    expect(Object.keys(here).slice(0, 2)).toEqual(["sections.wire", "materials.drawn steel"]);
    expect(here["bodies.post2"]).toEqual({});
    expect(here["winches.hoist"]).toMatchObject({ on: "post2", at: [0, 1, 1] });
    expect(here["cables.rope"]).toEqual({ ...(crane.cables as Table).rope as Table });
    // the gamepad is free here, the keys are not
    expect(here["inputs.hoist"]).toEqual({ label: "Hoist", range: [-1, 1], gamepad: "left-y", drives: [{ joint: "hoist" }] });
    const again = made(pasted(crane, clip).changes);
    expect("sections.wire" in again).toBe(false);
    expect(again["cables.rope2"]!.route).toMatchObject([{ winch: "hoist2" }, { pulley: "boom2", at: [1, 1, 2] }, { ring: "boom2" }, { attach: "load2" }]);
  });
});

/** The tables of the reference page: of each heading its keys with their values and meanings. */
function reference(): Map<string, { key: string; value: string; meaning: string }[]> {
  const page = readFileSync(new URL("../../../../docs/reference/scene.md", import.meta.url), "utf8");
  const anchor = (heading: string) => heading.toLowerCase().replace(/[()]/g, "").replace(/ /g, "-");
  return new Map(
    page.split(/^## /m).slice(1).map((part) => {
      const rows = [...part.matchAll(/^\| `([^`]+)` \| (.*?) \| (.*?) \| (.*) \|$/gm)];
      return [anchor(part.split("\n")[0]!), rows.map(([, key, value, , meaning]) => ({ key: key!, value: value!, meaning: meaning! }))];
    }),
  );
}

describe("the table of keys", () => {
  const pages = reference();
  /** Keys that are named or placed, as patterns, from a heading on. */
  function found(heading: string, above: string[] = []): string[] {
    if (above.includes(heading) || /^motion|^model$/.test(heading)) return [];
    return (pages.get(heading) ?? []).flatMap(({ key, value, meaning }) => {
      const isList = /^(list of|\d lists? of|\d ×) /.test(value);
      const links = [...value.matchAll(/\(#([^)]+)\)/g)].flatMap(([, link]) => found(link!, [...above, heading]).map((rest) => `${key}${isList ? ".*" : ""}.${rest}`));
      const isPlaced = /^3 × (m|m\/s|rad\/s|number|N|N·m)(,|$)/.test(value) || /^4 × number/.test(value) || value === "kg·m²" || value === "list of list of number";
      const isListed = /^(list of|\d lists of) 3 × /.test(value);
      const isNamed = /string$/.test(value) && /^(Names? of|Its body|The body)/.test(meaning);
      const own = isListed || (isNamed && isList) ? [`${key}.*`] : isPlaced || isNamed ? [key] : [];
      return [...own, ...links];
    });
  }
  const HEADINGS: Record<string, string[]> = { bodies: ["body"], joints: ["joint"], forces: ["force"], cables: ["cable", "rope"], winches: ["winch"], tools: ["tool"], bins: ["bin"], wheels: ["soft-wheel"], tracks: ["track"], inputs: ["input"] };
  /** Not of the table: what is in the axes of two bodies, what a copy of a body has from the picture, sizes, and names of what is shared. */
  const ELSEWHERE: [RegExp, string][] = [
    [/frames\.\*/, "joints with frames are no mirror images, and else stay"],
    [/(^|\.)box\.size$/, "a size"],
    [/^(position|orientation|rotation\.axis)$/, "the pose of a body"],
    [/^path\.axis$/, "the motion of a body"],
    [/(^|\.)(material|surface|fluid|ground|section|component|valve|groups\.\*|collides_with\.\*|ignores\.\*)$/, "shared by all"],
    [/drag\.(areas|coefficients|rotational)$/, "the same in both directions"],
    [/terrain\./, "only of ground"],
    [/rao\.fluid$/, "shared by all"],
    [/^winches inertia$/, "one number"],
  ];
  const fits = (pattern: string, key: string) => new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "(\\*|\\d)")}$`).test(key.replace(/\.\*$/, ".*"));

  it("has every place and every name of the reference", () => {
    const missing: string[] = [];
    let count = 0;
    for (const [section, headings] of Object.entries(HEADINGS)) {
      for (const key of headings.flatMap((heading) => found(heading))) {
        if (ELSEWHERE.some(([known]) => known.test(key) || known.test(`${section} ${key}`))) continue;
        count++;
        // lists of two are numbered where each is of its own body, and an edge is a list as a whole
        const known = Object.keys(KEYS[section]!).some((pattern) => fits(pattern, key) || pattern === key.replace(/\.\*$/, "") || pattern === key.replace(/\*$/, "0"));
        if (!known) missing.push(`${section}.${key}`);
      }
    }
    expect(missing).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it("has no key that the reference does not have", () => {
    const extra = Object.entries(KEYS).flatMap(([section, keys]) => {
      const known = HEADINGS[section]!.flatMap((heading) => written(heading));
      return Object.keys(keys).filter((pattern) => !known.some((key) => fits(pattern, key) || pattern === key || pattern.replace(/\.(\d|\*)$/, "") === key)).map((key) => `${section}.${key}`);
    });
    expect(extra).toEqual([]);
  });

  /** All keys from a heading on. */
  function written(heading: string, above: string[] = []): string[] {
    if (above.includes(heading) || /^motion|^model$/.test(heading)) return [];
    return (pages.get(heading) ?? []).flatMap(({ key, value }) => {
      const start = /^(list of|\d lists? of|\d ×) .*\(#/.test(value) ? `${key}.*` : key;
      return [key, ...[...value.matchAll(/\(#([^)]+)\)/g)].flatMap(([, link]) => written(link!, [...above, heading]).map((rest) => `${start}.${rest}`))];
    });
  }
});

