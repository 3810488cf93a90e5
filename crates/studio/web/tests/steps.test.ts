import { expect, it } from "vitest";
import { cameraMoves } from "../src/view/steps";
import { sticksOf, stickAt } from "../src/panels/sticks";
import type { Input } from "../src/protocol";

it("keys move the camera: arrows orbit, with Shift pan, signs zoom", () => {
  expect(cameraMoves("Left", false)).toMatchObject({ kind: "orbit" });
  expect(cameraMoves("Up", true)).toMatchObject({ kind: "pan", x: 0 });
  const [near, far] = [cameraMoves("+", true), cameraMoves("-", false)];
  expect(near?.kind === "zoom" && far?.kind === "zoom" && near.factor * far.factor).toBeCloseTo(1);
  expect(cameraMoves("Q", false)).toBeNull();
});

it("joysticks take the inputs on the axes of a gamepad's sticks", () => {
  const input = (name: string, gamepad: string | null): Input => ({ name, label: name, unit: "", low: -1, high: 3, rest: 0, self_centering: true, keys: null, gamepad });
  const [slew, hoist, luff, brake] = [input("slew", "left-x"), input("hoist", "left-y"), input("luff", "right-y"), input("brake", null)];
  expect(sticksOf([slew, hoist, luff, brake])).toEqual([
    { side: "left", x: slew, y: hoist },
    { side: "right", x: null, y: luff },
  ]);
  expect(stickAt(slew, 3)).toBe(1);
  expect(stickAt(slew, -0.5)).toBe(-0.5);
  expect(stickAt(null, 1)).toBe(0);
});
