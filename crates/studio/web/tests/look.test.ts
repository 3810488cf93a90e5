import { expect, it } from "vitest";
import * as THREE from "three";
import { Rig } from "../src/view/rig";

const eyeOf = (rig: Rig) => {
  const camera = new THREE.PerspectiveCamera();
  rig.place(camera);
  camera.updateMatrixWorld();
  return { look: camera.getWorldDirection(new THREE.Vector3()), up: new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1) };
};

it("looks straight down with y up in the picture, and frames a box from there", () => {
  const rig = new Rig();
  rig.turnTo(-Math.PI / 2, Math.PI / 2, 0, 0);
  const { look, up } = eyeOf(rig);
  expect(look.z).toBeCloseTo(-1);
  expect(up.y).toBeCloseTo(1);
  rig.frame(new THREE.Box3(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1)), Math.PI / 4, 1.6, 0.7);
  expect(rig.distance).toBeGreaterThan(2);
  expect(Number.isFinite(rig.distance)).toBe(true);
  rig.freeFoot(0.12, Math.PI / 4);
  expect(Number.isFinite(rig.target.lengthSq())).toBe(true);
});

it("turns the short way round, in time, and the hand ends it", () => {
  const rig = new Rig();
  rig.azimuth = 3;
  rig.turnTo(-3, 0, 1000, 200);
  rig.advance(1100);
  // from 3 to −3 + 2π: up, not back through 0
  expect(rig.azimuth).toBeGreaterThan(3);
  expect(rig.azimuth).toBeLessThan(-3 + 2 * Math.PI);
  rig.advance(1300);
  expect(rig.azimuth).toBeCloseTo(-3 + 2 * Math.PI);
  rig.turnTo(0, 1, 2000, 200);
  rig.orbit(0, 0.1);
  const { azimuth } = rig;
  rig.advance(2100);
  expect(rig.azimuth).toBe(azimuth);
});
