import { describe, expect, it } from "vitest";
import * as THREE from "three";
import type { Fluid, Waves } from "../src/protocol";
import { immersion } from "../src/view/immersion";
import { growthTo, WaterView } from "../src/view/water";
import { elevation, rampFactor, significantAmplitude, termsOf } from "../src/view/waves";

const sea = (waves?: Waves): Fluid => ({ name: "sea", level: 2, color: [0.1, 0.3, 0.4], ...(waves && { waves }) });
const QUARTER = Math.PI / 2;

describe("elevation of the surface", () => {
  it("is a cos θ of one component, with θ = k (d·x) − ω t + ε", () => {
    const fluid = sea({ components: [[0.5, 2, QUARTER, 1, 0, 0]], ramp: 0 });
    expect(elevation(fluid, 0, 0, 0)).toBeCloseTo(0.5);
    expect(elevation(fluid, 1, 0, 0)).toBeCloseTo(0);
    expect(elevation(fluid, 2, 0, 0)).toBeCloseTo(-0.5);
    // y is along the crests
    expect(elevation(fluid, 2, 7, 0)).toBeCloseTo(-0.5);
    // θ = −2 · π/2 = −π: the crest has gone on by half a length
    expect(elevation(fluid, 0, 0, QUARTER)).toBeCloseTo(-0.5);
    expect(elevation(fluid, 2, 0, QUARTER)).toBeCloseTo(0.5);
  });

  it("adds components of any direction and phase", () => {
    const fluid = sea({ components: [[1, 0, QUARTER, 0, 1, 0], [0.25, 0, 1, 0.6, 0.8, Math.PI / 3]], ramp: 0 });
    // cos(π/2 · 2) = −1, and 0.25 cos(0.6 · 0 + 0.8 · 2 + π/3)
    expect(elevation(fluid, 0, 2, 5)).toBeCloseTo(-1 + 0.25 * Math.cos(1.6 + Math.PI / 3), 12);
    expect(elevation(fluid, 0, 0, 5)).toBeCloseTo(1 + 0.125, 12);
  });

  it("grows by a smooth step, the second harmonic too", () => {
    const waves: Waves = { components: [[1, 0, QUARTER, 1, 0, 0]], ramp: 4, stokes: 0.2 };
    expect([-1, 0, 1, 2, 3, 4, 9].map((t) => rampFactor(waves, t))).toEqual([0, 0, 0.103515625, 0.5, 0.896484375, 1, 1]);
    expect(elevation(sea(waves), 0, 0, 2)).toBeCloseTo(0.5 * 1.2);
    expect(rampFactor({ ...waves, ramp: 0 }, 0)).toBe(1);
    expect(rampFactor(undefined, 0)).toBe(1);
  });

  it("has sharper crests and flatter troughs in a Stokes wave", () => {
    const fluid = sea({ components: [[1, 3, QUARTER, 1, 0, 0]], ramp: 0, stokes: 0.1 });
    expect(elevation(fluid, 0, 0, 0)).toBeCloseTo(1.1);
    expect(elevation(fluid, 1, 0, 0)).toBeCloseTo(-0.1);
    expect(elevation(fluid, 2, 0, 0)).toBeCloseTo(-0.9);
    // both harmonics travel together: θ = π/2 · 0.5 − 3 · 0.1 + 0
    const theta = QUARTER * 0.5 - 0.3;
    expect(elevation(fluid, 0.5, 0, 0.1)).toBeCloseTo(Math.cos(theta) + 0.1 * Math.cos(2 * theta), 12);
  });

  it("is 0 in calm water, and terms come by increasing wavenumber", () => {
    expect(elevation(sea(), 3, 4, 5)).toBe(0);
    const terms = termsOf({ components: [[1, 1, 3, 0, 1, 0], [2, 1, 1, 1, 0, 0]], ramp: 0 });
    expect(terms.map((w) => w.amplitude)).toEqual([2, 1]);
    // 4 √(Σ a²/2) / 2
    expect(significantAmplitude(terms)).toBeCloseTo(2 * Math.sqrt(2.5));
  });
});

describe("the drawn surface", () => {
  const view = (fluids: Fluid[], hasGround = false) => new WaterView(fluids, "low", {}, new THREE.Vector3(-5, -5, -3), new THREE.Vector3(5, 5, 5), hasGround, 1024);
  const target = new THREE.Vector3();

  it("knows how deep an eye is below the waves, which stand still with the time", () => {
    const water = view([sea({ components: [[0.5, 2, QUARTER, 1, 0, 0]], ramp: 0 })]);
    expect(water.update(0, target, 20, new THREE.Vector3(0, 0, 2.2), false)).toBeCloseTo(0.3);
    expect(water.update(QUARTER, target, 20, new THREE.Vector3(0, 0, 2.2), false)).toBeCloseTo(-0.7);
    // the eye of a parallel view is above
    expect(water.update(0, target, 20, new THREE.Vector3(0, 0, -50), true)).toBeLessThan(0);
  });

  it("colours what is wet up to the surface above a diver, and not what is dry in a trough", () => {
    const water = view([sea({ components: [[0.5, 2, QUARTER, 1, 0, 0]], ramp: 0 })]);
    const up = new THREE.Vector3(0, 0, 1);
    const eye = new THREE.Vector3(0, 0, 1);
    water.soak(water.update(0, target, 20, eye, false), eye, up);
    expect(immersion.waterPlane.value.w).toBeCloseTo(2.5);
    water.soak(-3, new THREE.Vector3(0, 0, 5), up);
    expect(immersion.waterPlane.value.w).toBeLessThanOrEqual(1.5);
  });

  it("sums phases at the middle of the lattice in f64", () => {
    const water = view([sea({ components: [[0.5, 2, 0.3, 1, 0, 0.1]], ramp: 0 })]);
    const time = 1e6;
    water.update(time, new THREE.Vector3(100, 0, 0), 20, new THREE.Vector3(0, 0, 9), false);
    const { terms, middle } = (water.group.children[0] as THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>).material.uniforms;
    const [a, kx, ky, phase] = terms!.value as number[];
    expect([a, kx, ky]).toEqual([0.5, Math.fround(0.3), 0]);
    expect(a! * Math.cos(phase!)).toBeCloseTo(elevation(sea({ components: [[0.5, 2, 0.3, 1, 0, 0.1]], ramp: 0 }), middle!.value.x, 0, time), 5);
  });

  it("has its highest surface of several, and cells that grow to the horizon", () => {
    expect(view([{ ...sea(), level: -1 }, sea()]).level).toBe(2);
    const g = growthTo(10, 1000);
    expect((g ** 10 - 1) / (g - 1)).toBeCloseTo(1000, 6);
  });
});
