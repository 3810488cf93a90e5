import { describe, expect, it } from "vitest";
import type { Schema } from "../src/build/fields";
import { outline } from "../src/text/outline";
import { meaningAt, suggestions } from "../src/text/suggest";

const length = { oneOf: [{ type: "number" }, { type: "string" }], "x-unit": "m" };
const vector = { type: "array", items: length, minItems: 3, maxItems: 3 };
const SCHEMA: Schema = {
  type: "object",
  properties: {
    title: { type: "string", description: "Title." },
    bodies: { type: "object", additionalProperties: { $ref: "#/definitions/Body" }, description: "Bodies by name." },
    joints: { type: "object", additionalProperties: { type: "object", properties: { hinge: { allOf: [{ $ref: "#/definitions/Hinge" }], description: "Revolute joint." } } } },
    cables: { type: "object", additionalProperties: { anyOf: [{ $ref: "#/definitions/Cable" }, { $ref: "#/definitions/Rope" }] } },
  },
  definitions: {
    Body: {
      type: "object",
      properties: {
        type: { oneOf: [{ const: "dynamic", description: "Moves." }, { const: "static" }], description: "Motion type.", "x-default": "dynamic" },
        position: { ...vector, description: "Origin of the body frame." },
        material: { type: "string" },
        sleep: { type: "boolean" },
        shape: { oneOf: [{ type: "object", properties: { box: { type: "object", properties: { size: vector } } }, required: ["box"] }, { type: "object", properties: { sphere: { type: "object", properties: { radius: length }, required: ["radius"] } } }] },
      },
    },
    Hinge: { type: "object", properties: { bodies: { type: "array", items: { type: "string" } }, axis: vector } },
    Cable: { type: "object", properties: { section: { type: "string" }, elements: { type: "integer" } } },
    Rope: { type: "object", properties: { route: { type: "array", items: { type: "object", properties: { body: { type: "string" } } } }, diameter: length } },
  },
} as Schema;

const labels = (text: string, whole = text) => suggestions(SCHEMA, outline(text).place, outline(whole)).map((s) => s.label);
const first = (text: string) => suggestions(SCHEMA, outline(text).place, outline(text));

describe("what may be written", () => {
  it("are keys of a table that are not there yet", () => {
    expect(labels('[bodies.a]\ntype = "static"\n')).toEqual(["position", "material", "sleep", "shape"]);
    expect(labels("[bodies.a]\nshape = { ")).toEqual(["box", "sphere"]);
    expect(labels("[bodies.a]\nshape = { sphere = { ")).toEqual(["radius"]);
    expect(labels("[bodies.a]\nshape.box.")).toEqual(["size"]);
    expect(labels("[bodies.a]\nunknown = { ")).toEqual([]);
  });

  it("are keys of that kind of table which has what is written", () => {
    expect(labels("[cables.c]\n")).toEqual(["section", "elements", "route", "diameter"]);
    expect(labels("[cables.c]\nroute = []\n")).toEqual(["diameter"]);
    expect(labels("[cables.c]\nroute = [{ ")).toEqual(["body"]);
  });

  it("come with the form of their value, unit and meaning", () => {
    const position = first("[bodies.a]\n").find((s) => s.label === "position")!;
    expect(position).toMatchObject({ insert: "position = [#{}]", detail: "m", about: "Origin of the body frame." });
    expect(first("[bodies.a]\n").find((s) => s.label === "type")).toMatchObject({ insert: 'type = "#{}"', about: "Motion type. Default: dynamic." });
    expect(first("[joints.a]\n")[0]).toMatchObject({ insert: "hinge = { #{} }", about: "Revolute joint." });
  });

  it("are values: choices, flags, names of bodies, units", () => {
    expect(labels("[bodies.a]\ntype = ")).toEqual(["dynamic", "static"]);
    expect(first('[bodies.a]\ntype = "')[0]).toMatchObject({ insert: "dynamic", about: "Moves." });
    expect(first("[bodies.a]\ntype = ")[0]).toMatchObject({ insert: '"dynamic"' });
    expect(labels("[bodies.a]\nsleep = ")).toEqual(["true", "false"]);
    expect(labels('[bodies.a]\n[bodies.b]\n[joints.j]\nhinge = { bodies = ["')).toEqual(["a", "b"]);
    expect(labels('[bodies.a]\nposition = ["10 ')).toContain("10 mm");
    expect(labels('[bodies.a]\nmaterial = "')).toContain("steel");
  });

  it("are heads: sections, and names that are there", () => {
    expect(labels("[")).toEqual(["bodies", "joints", "cables"]);
    expect(labels("[bodies.", "[bodies.crate]\n[bodies.")).toEqual(["crate"]);
    expect(labels("[joints.pin.")).toEqual(["hinge"]);
  });
});

describe("the meaning of a key", () => {
  it("is told with unit, default and choices", () => {
    expect(meaningAt(SCHEMA, ["bodies", "a", "position"])).toMatchObject({ title: "position", unit: "m", about: "Origin of the body frame." });
    expect(meaningAt(SCHEMA, ["bodies", "a", "type"])).toMatchObject({ standard: "dynamic", choices: ["dynamic", "static"] });
    expect(meaningAt(SCHEMA, ["bodies", "a", "shape", "box", "size"])).toMatchObject({ unit: "m" });
    expect(meaningAt(SCHEMA, ["nothing", "of", "it"])).toBeNull();
  });
});
