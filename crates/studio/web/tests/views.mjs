// Grid, axes and view cube against the real server: numbers of constant size that never overlap, in every view and at every zoom;
// coloured axes; a ground line in the side views; a click on a face of the cube looks along it.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

const TEXT = `windlass = 2
title = "A post beside the origin"
[bodies.ground]
type = "static"
shape = { plane = {} }
[bodies.post]
shape = { box = { size = [0.2, 0.2, 1] } }
position = [1.5, 1.5, 0.5]
mass = "3 kg"
`;

await withStudio(Number(process.env.PORT ?? 8431), async ({ page, until, ask, drawn, picture, step }) => {
  const files = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "post.toml", { type: "application/toml" }));
    return transfer;
  }, TEXT);
  await page.dispatchEvent("canvas", "dragover", { dataTransfer: files });
  await page.dispatchEvent("canvas", "drop", { dataTransfer: files });
  await until("the post is there", async () => (await ask("scene"))?.title === "A post beside the origin");
  const onPage = (point, view) => ask("onPage", point, view);
  if ((await page.locator(".hints").count()) > 0) await page.locator(".hints header button").click();
  const settle = () => drawn(8);
  /** Colours of the page at some places, as [red, green, blue]. */
  const colours = async (places) => {
    const png = [...(await page.screenshot())];
    return page.evaluate(
      async ([bytes, at]) => {
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
        const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
        pen.drawImage(image, 0, 0);
        return at.map(({ x, y }) => [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
      },
      [png, places],
    );
  };
  /** The colour farthest from grey within a few pixels of a place. */
  const strongest = async (at) => {
    const around = [-2, -1, 0, 1, 2].flatMap((i) => [-2, -1, 0, 1, 2].map((k) => ({ x: at.x + i, y: at.y + k })));
    return (await colours(around)).sort((a, b) => Math.max(...b) - Math.min(...b) - (Math.max(...a) - Math.min(...a)))[0];
  };
  const isRed = ([r, g, b]) => r > g + 40 && r > b + 40;
  const isGreen = ([r, g, b]) => g > r + 25 && g > b + 10;
  const isBlue = ([r, g, b]) => b > r + 40 && b > g + 15;

  step("numbers along the grid are as tall at every zoom, and none overlaps another, in one view and in four");
  const check = async (view, distance) => {
    const all = await ask("numbers", view);
    const names = all.filter((n) => /^−?[\d.]+( m)?$/.test(n.text));
    assert.ok(names.length >= 3, `${view} at ${distance} m has ${names.length} numbers`);
    for (const n of all) assert.equal(n.h, 18);
    all.forEach((a, i) => all.slice(i + 1).forEach((b) => assert.ok(a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y, `${a.text} and ${b.text} overlap in ${view} at ${distance} m`)));
    return new Set(names.map((n) => n.text));
  };
  const steps = new Set();
  for (const views of [1, 4]) {
    if (views === 4) await page.keyboard.press("4");
    for (const distance of [0.7, 3, 8, 40, 900]) {
      await ask("eye", [0.2, 0.1, 0.2, -1.0, 0.5, distance]);
      await settle();
      for (const view of views === 1 ? [""] : ["Top", "Perspective", "Front", "Right"]) steps.add([...(await check(view, distance))].sort().join());
    }
  }
  assert.ok(steps.size >= 10, "the numbers follow the zoom");

  step("x is red, y green and z blue at the origin, in every view; the ground is a line in the side views");
  await ask("eye", [0.6, 0.6, 0.5, -0.8, 0.5, 5]);
  await settle();
  const canvas = await page.locator(".picture canvas").boundingBox();
  const metre = canvas.height / 2 / (2 * 5 * Math.tan(Math.PI / 8));
  // a place along an arrow at the origin, which are 46 pixels long
  const along = (axis) => [0, 1, 2].map((i) => (i === axis ? 25 / metre : 0));
  for (const view of ["Top", "Perspective", "Front", "Right"]) {
    if (view !== "Right") assert.ok(isRed(await strongest(await onPage(along(0), view))), `x in ${view}`);
    if (view !== "Front") assert.ok(isGreen(await strongest(await onPage(along(1), view))), `y in ${view}`);
    if (view !== "Top") assert.ok(isBlue(await strongest(await onPage(along(2), view))), `z in ${view}`);
  }
  for (const view of ["Front", "Right"]) {
    const [x, y] = view === "Front" ? [-0.83, 0] : [0, -0.83];
    const spots = await Promise.all([0.13, 0, -0.13].map((z) => onPage([x, y, z], view)));
    const light = async (at) => {
      const near = await colours([-1, 0, 1].map((k) => ({ x: at.x, y: at.y + k })));
      return Math.max(...near.map((c) => c[0] + c[1] + c[2]));
    };
    const [above, line, below] = [await light(spots[0]), await light(spots[1]), await light(spots[2])];
    assert.ok(line > above + 200, `the ground line of ${view} is bright on dark: ${[above, line, below]}`);
    assert.ok(below > above, `below the ground of ${view} is tinted: ${[above, line, below]}`);
  }
  await picture("views-four");
  await page.getByRole("button", { name: "Light theme" }).click();
  await settle();
  await picture("views-four-light");
  await page.keyboard.press("4");
  await settle();
  await picture("views-one-light");
  await page.getByRole("button", { name: "Dark theme" }).click();

  step("the cube: a click on a face looks along it");
  const ends = { Top: [[0, 0, 1], [0, 1, 0]], Front: [[0, -1, 0], [0, 0, 1]], Right: [[1, 0, 0], [0, 0, 1]], Back: [[0, 1, 0], [0, 0, 1]], Left: [[-1, 0, 0], [0, 0, 1]], Bottom: [[0, 0, -1], [0, -1, 0]] };
  const target = [0.6, 0.6, 0.5];
  const plus = (v, k) => target.map((t, i) => t + k * v[i]);
  /** Turns the eye so that the face can be seen, for it to be clicked. */
  const show = { Top: [-1, 0.6], Front: [-1.2, 0.3], Right: [-0.4, 0.3], Back: [1.2, 0.3], Left: [2.8, 0.3], Bottom: [-1, -0.6] };
  for (const [name, [out, up]] of Object.entries(ends)) {
    await ask("eye", [...target, ...show[name], 5]);
    await settle();
    await page.locator(".viewcube").getByRole("button", { name, exact: true }).click();
    await until(`from the ${name}`, async () => {
      const [a, b, c] = [await onPage(target), await onPage(plus(out, 0.5)), await onPage(plus(up, 0.5))];
      return Math.hypot(a.x - b.x, a.y - b.y) < 0.5 && Math.abs(c.x - a.x) < 0.5 && c.y < a.y - 10;
    });
    if (name === "Top") await picture("views-top");
  }
  step("and by keyboard, at once for those who asked for less motion");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await ask("eye", [...target, -1.2, 0.3, 5]);
  await settle();
  await page.locator(".viewcube").getByRole("button", { name: "Front", exact: true }).focus();
  await page.keyboard.press("Enter");
  const turned = await page.evaluate(async (p) => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [window.windlass.onPage(p), window.windlass.onPage([p[0], p[1] - 0.5, p[2]])];
  }, target);
  assert.ok(Math.hypot(turned[0].x - turned[1].x, turned[0].y - turned[1].y) < 0.5, "no turn that takes its time");

}, { quality: "low" });
