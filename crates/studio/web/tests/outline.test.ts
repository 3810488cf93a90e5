import { describe, expect, it } from "vitest";
import { change } from "../src/text/change";
import { outline, pathAt, spansOf, type Place } from "../src/text/outline";

const SCENE = `windlass = 2
title = "A # in a text"

# the weight
[bodies.load]
mass = "2 t"   # tonnes
position = [1, 2,
  3]
shape = { box = { size = [1, 2, 3] } }

# holds it
[joints.hook]
hinge.axis = [0, 0, 1]
hinge.bodies = ["jib", "load"]

[joints.hook.strength]
force = 3

[[cameras]]
name = "a"
[[cameras]]
name = "b"

[joints]
pin = { ball = { bodies = ["a", "b"] } }
`;

const at = (mark: string, more = 0) => SCENE.indexOf(mark) + more;
const endOf = (text: string): Place => outline(text).place;

describe("the outline of a text", () => {
  const seen = outline(SCENE);

  it("finds heads, and items of lists of tables", () => {
    expect(seen.heads.map((h) => h.path.join("."))).toEqual(["bodies.load", "joints.hook", "joints.hook.strength", "cameras.0", "cameras.1", "joints"]);
  });

  it("finds keys at any depth", () => {
    const paths = seen.keys.map((k) => k.path.join("."));
    for (const path of ["title", "bodies.load.shape.box.size", "joints.hook.hinge.axis", "cameras.1.name", "joints.pin.ball.bodies"]) expect(paths).toContain(path);
    expect(paths).not.toContain("in");
  });

  it("says what stands at a place", () => {
    expect(pathAt(seen, at("2 t"))).toEqual(["bodies", "load", "mass"]);
    expect(pathAt(seen, at("  3]", 2))).toEqual(["bodies", "load", "position"]);
    expect(pathAt(seen, at("size"))).toEqual(["bodies", "load", "shape", "box", "size"]);
    expect(pathAt(seen, at("[joints.hook]", 3))).toEqual(["joints", "hook"]);
    expect(pathAt(seen, at("ball"))).toEqual(["joints", "pin", "ball"]);
    expect(pathAt(seen, 0)).toEqual(["windlass"]);
  });

  it("finds an entry with its subtables, without what belongs to the next", () => {
    const written = (entry: string[]) => spansOf(seen, entry, SCENE).map((s) => SCENE.slice(s.from, s.to));
    expect(written(["bodies", "load"])).toEqual([SCENE.slice(at("[bodies.load]"), at("\n\n# holds"))]);
    expect(written(["joints", "hook"])).toEqual([SCENE.slice(at("[joints.hook]"), at("\n\n[[cameras"))]);
    expect(written(["joints", "pin"])).toEqual([`pin = { ball = { bodies = ["a", "b"] } }`]);
    expect(written(["bodies", "none"])).toEqual([]);
  });

  it("goes on at the next head when a list was never closed", () => {
    const broken = "[bodies.a]\nposition = [1, 2\n[bodies.b]\nmass = 1\n";
    expect(outline(broken).heads.map((h) => h.path[1])).toEqual(["a", "b"]);
    expect(pathAt(outline(broken), broken.indexOf("mass"))).toEqual(["bodies", "b", "mass"]);
    // rows of numbers are no heads
    expect(outline("a = [\n  [1],\n  [2]\n]\nb = 1").keys.map((k) => k.path.join())).toEqual(["a", "b"]);
  });
});

describe("what is being written at the end", () => {
  it("is a key of a table, also of an inline one", () => {
    expect(endOf("[bodies.a]\nma")).toEqual({ kind: "key", path: ["bodies", "a"], word: "ma", from: 11 });
    expect(endOf("[bodies.a]\nshape = { bo")).toMatchObject({ kind: "key", path: ["bodies", "a", "shape"], word: "bo" });
    expect(endOf("[bodies.a]\nshape = { box = {} }\n")).toMatchObject({ kind: "key", path: ["bodies", "a"], word: "" });
    expect(endOf("[joints.a]\nhinge.")).toMatchObject({ kind: "key", path: ["joints", "a", "hinge"], word: "" });
  });

  it("is a value, in quotes or not", () => {
    expect(endOf('[bodies.a]\ntype = "st')).toMatchObject({ kind: "value", path: ["bodies", "a", "type"], word: "st", quoted: true });
    expect(endOf("[bodies.a]\nsleep = tr")).toMatchObject({ kind: "value", word: "tr", quoted: false });
    expect(endOf('[joints.a]\nhinge = { bodies = ["x", "')).toMatchObject({ kind: "value", path: ["joints", "a", "hinge", "bodies", "1"], word: "", quoted: true });
  });

  it("is a head, or nothing", () => {
    expect(endOf("[bod")).toEqual({ kind: "head", path: [], word: "bod", from: 1 });
    expect(endOf("[bodies.lo")).toMatchObject({ kind: "head", path: ["bodies"], word: "lo" });
    expect(endOf("[bodies.a]\nmass = 1 # tons")).toEqual({ kind: "nothing" });
    expect(endOf('[bodies.a]\ntype = "static"')).toEqual({ kind: "nothing" });
    expect(endOf('[bodies.a]\ntype = "static" ')).toEqual({ kind: "nothing" });
  });

  it("reads any beginning of a text without failing", () => {
    for (let i = 0; i <= SCENE.length; i++) expect(outline(SCENE.slice(0, i)).place).toBeDefined();
    for (const junk of ["[", "[[", "]", "{", "=", "a =", 'a = """x\n', "a = '", ".", "a.b.", "[a", '["', "\\"]) expect(outline(junk).place).toBeDefined();
  });
});

describe("the smallest change between two texts", () => {
  it("leaves alone what is the same before and after", () => {
    expect(change("a = 1\nb = 2\n", "a = 1\nb = 30\n")).toEqual({ from: 10, to: 11, insert: "30" });
    expect(change("aa", "aaa")).toEqual({ from: 2, to: 2, insert: "a" });
    expect(change("same", "same")).toBeNull();
    for (const [a, b] of [["", "x"], ["x", ""], ["abcabc", "abc"], ["ab", "ba"]] as const) {
      const c = change(a, b)!;
      expect(a.slice(0, c.from) + c.insert + a.slice(c.to)).toBe(b);
    }
  });
});
