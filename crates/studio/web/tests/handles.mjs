// The handles in all four views against the real server: each arrow, square and ring is dragged by a known number of pixels, and
// the scene's tree must say what the pointer said; then steps, typed numbers, axes by keys, and Escape.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

const START = [0.32, -0.17, 0.64];
const SIZE = [0.4, 0.3, 0.5];
const TEXT = `windlass = 2
title = "A box to move"
[bodies.box]
shape = { box = { size = [${SIZE}] } }
position = [${START}]
mass = "3 kg"
`;
const EYE = [...START, -1.0, 0.6, 4];
/** Right, up and toward the eye in the parallel views. */
const VIEWS = {
  Top: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  Front: [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
  Right: [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
};
const AXES = { X: [1, 0, 0], Y: [0, 1, 0], Z: [0, 0, 1] };
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
const plus = (a, ...terms) => terms.reduce((sum, [k, v]) => sum.map((x, i) => x + k * v[i]), a);
const nearAll = (got, wanted, within, what) => got.forEach((v, i) => assert.ok(Math.abs(v - wanted[i]) <= within, `${what}: ${got} for ${wanted}`));

await withStudio(Number(process.env.PORT ?? 8430), async ({ page, until, ask, drawn, turn, tree, picture, step }) => {
  const box = async () => (await tree()).bodies?.box;
  const onPage = (point, view) => ask("onPage", point, view);
  const files = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "box.toml", { type: "application/toml" }));
    return transfer;
  }, TEXT);
  await page.dispatchEvent("canvas", "dragover", { dataTransfer: files });
  await page.dispatchEvent("canvas", "drop", { dataTransfer: files });
  await until("the box is there", async () => !!(await box()));
  await page.keyboard.press("e");
  await until("it is built", async () => (await ask("status")).editing);
  await page.getByRole("button", { name: "Bodies, joints and cables" }).click();
  await page.locator(".rows button", { hasText: "box" }).first().click();
  await page.getByRole("button", { name: "Close in this scene" }).click();
  await page.keyboard.press("4");
  await page.keyboard.press("n");
  await ask("eye", EYE);
  await until("the handles are drawn", () => ask("handles"));
  await drawn();
  const canvas = await page.locator(".picture canvas").boundingBox();
  const perPixel = (2 * EYE[5] * Math.tan(Math.PI / 8)) / (canvas.height / 2);
  // three's handles at size 0.85: in parallel views a part of the height, in perspective by distance
  const unit = (2 * EYE[5] * Math.tan(Math.PI / 8) * 0.85) / 4;
  const unitFar = (EYE[5] * 1.9 * Math.tan(Math.PI / 8) * 0.85) / 4;

  const drag = async (from, to) => {
    await page.mouse.move(from.x, from.y);
    await turn();
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 2 });
    await page.mouse.move(to.x, to.y, { steps: 2 });
    await turn();
    await page.mouse.up();
  };
  const same = (body) => body.position.every((v, i) => v === START[i]) && !body.rotation && body.shape.box.size.every((v, i) => v === SIZE[i]);
  const undo = async () => {
    await page.keyboard.press("Control+z");
    await until("undone", async () => same(await box()));
    await drawn();
  };
  /** Drags, reads what the tree says then, and undoes it. */
  const changed = async (what, from, to) => {
    await drag(from, to);
    await until(`${what} changes the box`, async () => !same(await box()), 8);
    const body = await box();
    await undo();
    return body;
  };
  const offset = (at, x, y) => ({ x: at.x + x, y: at.y - y });
  const turned = (body) => {
    const angle = (Number.parseFloat(body.rotation.angle) * Math.PI) / 180;
    return body.rotation.axis.map((v) => v * angle);
  };

  for (const [view, [r, u, e]] of Object.entries(VIEWS)) {
    const name = (axis) => Object.keys(AXES).find((n) => Math.abs(dot(AXES[n], axis)) === 1);
    const handle = (x, y) => onPage(plus(START, [x * unit, r], [y * unit, u]), view);

    step(`${view}: moves along ${name(r)}, ${name(u)}, in their plane, and by the middle`);
    await page.keyboard.press("g");
    await drawn();
    for (const [what, x, y, kx, ky] of [["arrow to the right", 0.45, 0, 1, 0], ["arrow up", 0, 0.45, 0, 1], ["square", 0.15, 0.15, 1, 1], ["middle", 0.02, 0.02, 1, 1]]) {
      const at = await handle(x, y);
      const body = await changed(`${view}, ${what}`, at, offset(at, 42, 31));
      nearAll(body.position, plus(START, [kx * 42 * perPixel, r], [ky * 31 * perPixel, u]), 0.3 * perPixel, `${view}, ${what}`);
    }
    await picture(`handles-${view}`);

    step(`${view}: rotates by the rings it sees from the front, from the edge, and by the sphere`);
    await page.keyboard.press("r");
    await drawn();
    const round = (radius, angle) => handle(radius * Math.cos(angle), radius * Math.sin(angle));
    for (const [what, radius] of [[`ring about ${name(e)}`, 0.5], ["outer ring", 0.75]]) {
      const body = await changed(`${view}, ${what}`, await round(radius, 0.5), await round(radius, 1.1));
      nearAll(turned(body), plus([0, 0, 0], [0.6, e]), 0.02, `${view}, ${what}`);
    }
    const radius = 0.5 * unit;
    const upright = await handle(0, 0.33);
    nearAll(turned(await changed(`${view}, ring about ${name(r)}`, upright, offset(upright, 0, 30))), plus([0, 0, 0], [(-30 * perPixel) / radius, r]), 0.02, `${view}, ring about ${name(r)}`);
    const level = await handle(0.33, 0);
    nearAll(turned(await changed(`${view}, ring about ${name(u)}`, level, offset(level, 30, 0))), plus([0, 0, 0], [(30 * perPixel) / radius, u]), 0.02, `${view}, ring about ${name(u)}`);
    const inside = await handle(0.14, 0.14);
    nearAll(turned(await changed(`${view}, sphere`, inside, offset(inside, 20, 0))), plus([0, 0, 0], [(20 * perPixel) / radius, u]), 0.02, `${view}, sphere`);

    step(`${view}: scales along ${name(r)}, ${name(u)}, both, and all`);
    await page.keyboard.press("s");
    await drawn();
    for (const [what, x, y, kx, ky, ke] of [["right", 0.45, 0, 20, 0, 0], ["up", 0, 0.45, 0, 16, 0], ["square", 0.15, 0.15, 20, 16, 0], ["middle", 0.02, 0.02, 36, 36, 36], ["left", -0.45, 0, -20, 0, 0]]) {
      const at = await handle(x, y);
      const body = await changed(`${view}, scale ${what}`, at, offset(at, 20, 16));
      const factor = [0, 1, 2].map((i) => 1 + ((Math.abs(r[i]) * kx + Math.abs(u[i]) * ky + Math.abs(e[i]) * ke) * perPixel) / radius);
      nearAll(body.shape.box.size, SIZE.map((v, i) => v * factor[i]), 0.01, `${view}, scale ${what}`);
    }
  }

  const view = "Perspective";
  const far = (way) => plus(START, [unitFar, way]);
  step("Perspective: moves along every axis and in every plane");
  await page.keyboard.press("g");
  await drawn();
  for (const [what, way, by] of [
    ["x", [0.45, 0, 0], [0.4, 0, 0]],
    ["y", [0, 0.45, 0], [0, 0.5, 0]],
    ["z", [0, 0, 0.45], [0, 0, 0.3]],
    ["xy", [0.18, 0.18, 0], [0.3, -0.2, 0]],
    ["yz", [0, 0.18, 0.18], [0, 0.3, 0.2]],
    ["xz", [0.18, 0, 0.18], [0.3, 0, -0.2]],
  ]) {
    const body = await changed(`${view}, ${what}`, await onPage(far(way), view), await onPage(plus(far(way), [1, by]), view));
    nearAll(body.position, plus(START, [1, by]), 0.01, `${view}, ${what}`);
  }
  {
    const at = await onPage(START, view);
    const body = await changed(`${view}, middle`, at, offset(at, 40, 0));
    // to the right on the screen is square to the look, and level
    nearAll(body.position, plus(START, [40 * perPixel, [-Math.sin(EYE[3]), Math.cos(EYE[3]), 0]]), 0.01, `${view}, middle`);
  }

  step("Perspective: rotates by every ring");
  await page.keyboard.press("r");
  await drawn();
  const ring = { X: (a) => [0, 0.5 * Math.cos(a), 0.5 * Math.sin(a)], Y: (a) => [0.5 * Math.sin(a), 0, 0.5 * Math.cos(a)], Z: (a) => [0.5 * Math.cos(a), 0.5 * Math.sin(a), 0] };
  for (const [axis, from, to] of [["Z", -1.1, -0.6], ["X", 2.6, 2.1], ["Y", 0.9, 1.2]]) {
    const body = await changed(`${view}, ring ${axis}`, await onPage(far(ring[axis](from)), view), await onPage(far(ring[axis](to)), view));
    nearAll(turned(body), plus([0, 0, 0], [to - from, AXES[axis]]), 0.02, `${view}, ring ${axis}`);
  }
  const toEye = [Math.cos(EYE[4]) * Math.cos(EYE[3]), Math.cos(EYE[4]) * Math.sin(EYE[3]), Math.sin(EYE[4])];
  const middle = await onPage(START, view);
  const outer = (a) => offset(middle, ((0.75 * unitFar) / perPixel) * Math.cos(a), ((0.75 * unitFar) / perPixel) * Math.sin(a));
  nearAll(turned(await changed(`${view}, outer ring`, outer(0.3), outer(0.8))), plus([0, 0, 0], [0.5, toEye]), 0.03, `${view}, outer ring`);

  step("Perspective: scales along every axis, two, and all");
  await page.keyboard.press("s");
  await drawn();
  for (const [what, way, by] of [
    ["x", [0.45, 0, 0], [0.3, 0, 0]],
    ["y", [0, 0.45, 0], [0, 0.3, 0]],
    ["z", [0, 0, 0.45], [0, 0, 0.2]],
    ["xy", [0.18, 0.18, 0], [0.2, 0.1, 0]],
    ["yz", [0, 0.18, 0.18], [0, 0.2, 0.1]],
    ["xz", [0.18, 0, 0.18], [0.1, 0, 0.2]],
  ]) {
    const body = await changed(`${view}, scale ${what}`, await onPage(far(way), view), await onPage(plus(far(way), [1, by]), view));
    nearAll(body.shape.box.size, SIZE.map((v, i) => v * (1 + by[i] / (0.5 * unitFar))), 0.01, `${view}, scale ${what}`);
  }
  const grown = await changed(`${view}, scale all`, middle, offset(middle, 20, 10));
  nearAll(grown.shape.box.size, SIZE.map((v) => v * (1 + (30 * perPixel) / (0.5 * unitFar))), 0.01, `${view}, scale all`);

  step("a drag stays with the view it began in, also where the pointer leaves it");
  await page.keyboard.press("g");
  await drawn();
  const arrow = await onPage(plus(START, [0.45 * unit, [1, 0, 0]]), "Front");
  const away = canvas.x + canvas.width - 60 - arrow.x;
  const gone = await changed("Front, into Right", arrow, offset(arrow, away, 0));
  nearAll(gone.position, plus(START, [away * perPixel, [1, 0, 0]]), 0.3 * perPixel, "Front, into Right");

  step("snaps to the chosen grid and angle");
  await page.keyboard.press("n");
  await page.getByLabel("Grid step").selectOption("0.25");
  await page.getByLabel("Angle step").selectOption("30");
  const snapped = await changed("grid of 0.25 m", arrow, offset(arrow, 0.4 / perPixel, 0));
  assert.deepEqual(snapped.position, [0.75, START[1], START[2]]);
  await page.keyboard.press("r");
  await drawn();
  const round = (angle) => onPage(plus(START, [0.5 * unit * Math.cos(angle), [1, 0, 0]], [0.5 * unit * Math.sin(angle), [0, 1, 0]]), "Top");
  const stepped = await changed("steps of 30°", await round(0.4), await round(1.3));
  assert.deepEqual(stepped.rotation, { axis: [0, 0, 1], angle: "60 deg" });

  step("types a number during a drag, limits it to an axis, and gives it up");
  const hold = async (at, keys) => {
    await page.mouse.move(at.x, at.y);
    await turn();
    await page.mouse.down();
    await page.mouse.move(at.x + 25, at.y + 8, { steps: 2 });
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.keyboard.press("g");
  await drawn();
  await hold(arrow, ["1", ".", "5"]);
  assert.match(await page.locator(".drag-readout").innerText(), /1\.5[^]*x \+1\.500 m/);
  await picture("handles-typed");
  await page.keyboard.press("Enter");
  await until("1.5 m along x", async () => (await box()).position[0] === START[0] + 1.5);
  await page.mouse.up();
  await undo();
  const square = await onPage(plus(START, [0.15 * unit, [1, 0, 0]], [0.15 * unit, [0, 0, 1]]), "Front");
  await hold(square, ["y", "-", "2", "Enter"]);
  await until("−2 m along y", async () => (await box()).position[1] === START[1] - 2);
  await page.mouse.up();
  await undo();
  await hold(square, ["z"]);
  await page.mouse.up();
  await until("along z alone", async () => !same(await box()));
  assert.deepEqual((await box()).position.slice(0, 2), START.slice(0, 2));
  await undo();
  await page.keyboard.press("r");
  await drawn();
  await hold(await round(0.4), ["3", "7", "Enter"]);
  await until("37° about z", async () => (await box()).rotation?.angle === "37 deg");
  await page.mouse.up();
  await undo();
  await page.keyboard.press("s");
  await drawn();
  await hold(arrow, ["2", "Enter"]);
  await until("twice as long", async () => (await box()).shape.box.size[0] === 2 * SIZE[0]);
  await page.mouse.up();
  await undo();
  await page.keyboard.press("g");
  await drawn();
  await hold(arrow, ["4", "Escape"]);
  await page.mouse.up();
  await page.waitForTimeout(500);
  assert.ok(same(await box()), "Escape leaves it where it was");
  assert.ok(await ask("handles"), "and selected");
  assert.equal(await page.locator(".drag-readout").count(), 0);

});
