import { describe, expect, it } from "vitest";
import { digits, printed, quantity, unitFor } from "../src/panels/units";

describe("quantities in SI units", () => {
  it("have prefixes where those are usual", () => {
    expect(quantity(19620, "N", "si")).toBe("19.6 kN");
    expect(quantity(0.0005, "m", "si")).toBe("500 µm");
    expect(quantity(1.5, "rad", "si")).toBe("1.5 rad");
    expect(quantity(0.001, "rad", "si")).toBe("0.001 rad");
    expect(quantity(2500, "kg", "si")).toBe("2500 kg");
    expect(quantity(5, "", "si")).toBe("5");
    expect(quantity(Number.NaN, "N", "si")).toBe("– N");
    expect(quantity(0, "N*m", "si")).toBe("0 N·m");
  });
});

describe("quantities in practical units", () => {
  it("are those that people say", () => {
    expect(quantity(Math.PI / 2, "rad", "practical")).toBe("90 °");
    expect(quantity(Math.PI, "rad/s", "practical")).toBe("30 rpm");
    expect(quantity(2500, "kg", "practical")).toBe("2.5 t");
    expect(quantity(0.25, "kg", "practical")).toBe("250 g");
    expect(quantity(0.0125, "m", "practical")).toBe("12.5 mm");
    expect(quantity(12, "m", "practical")).toBe("12 m");
    expect(quantity(1234, "m", "practical")).toBe("1234 m");
    expect(quantity(12500, "m", "practical")).toBe("12.5 km");
    expect(quantity(20e6, "Pa", "practical")).toBe("200 bar");
    expect(quantity(-19620, "N", "practical")).toBe("−19.6 kN");
    expect(quantity(0.02, "m/s", "practical")).toBe("20 mm/s");
    expect(quantity(0.5, "m/s", "practical")).toBe("0.5 m/s");
    expect(quantity(5e3, "J", "practical")).toBe("5 kJ");
    expect(quantity(0, "m", "practical")).toBe("0 m");
    expect(quantity(0, "rad", "practical")).toBe("0 °");
  });

  it("keep one unit for a whole axis", () => {
    expect(unitFor("m", 3, "practical")).toEqual({ name: "m", size: 1 });
    expect(unitFor("N*m", 4000, "practical")).toEqual({ name: "kN·m", size: 1000 });
    expect(unitFor("J", 4e6, "si")).toEqual({ name: "MJ", size: 1e6 });
  });
});

describe("numbers and units in print", () => {
  it("are short and have real signs", () => {
    expect(digits(-0.012345)).toBe("−0.0123");
    expect(digits(1234.5)).toBe("1235");
    expect(digits(1e9)).toBe("1000000000");
    expect(printed("m/s^2")).toBe("m/s²");
    expect(printed("us")).toBe("µs");
  });
});
