// The surface of water in a real browser against the mock: drawn where the ground was, still while paused, seen through by the pointer,
// from above and from below, in every quality and in several views. Asserts on state and on pixels, never on speed.
import assert from "node:assert/strict";
import { withMock } from "./mock.mjs";

await withMock({ viewport: { width: 800, height: 500 }, colorScheme: "light" }, async ({ page, mock, ask, drawn, open, step, until }) => {
  /** Mean colour of a square of pixels around a place of the world, or of a place of the page. */
  const colour = async (place, view) => {
    const { x, y } = Array.isArray(place) ? await ask("onPage", place, view) : place;
    const png = (await page.screenshot({ clip: { x: x - 4, y: y - 4, width: 9, height: 9 } })).toString("base64");
    return page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      const { data: bytes } = pen.getImageData(0, 0, image.width, image.height);
      const sum = [0, 0, 0];
      for (let i = 0; i < bytes.length; i += 4) for (let k = 0; k < 3; k++) sum[k] += bytes[i + k];
      return sum.map((s) => Math.round(s / (bytes.length / 4)));
    }, png);
  };
  const isBlue = ([r, , b]) => b - r > 20;
  const apart = (a, b) => Math.max(...a.map((v, k) => Math.abs(v - b[k])));
  /** Target, azimuth, elevation and distance of the eye. */
  const look = async (...numbers) => {
    await ask("eye", numbers);
    await drawn();
  };
  const pause = async () => {
    await page.getByRole("button", { name: "Pause (Space)" }).click();
    await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  };
  /** Places on the water, away from bodies and from lines of the grid. */
  const PLACES = [[2.6, -7.3, 0], [-7.4, -3.3, 0], [12.4, 2.7, 0]];
  const picture = () => page.locator("canvas").first().screenshot();

  step("water is where the ground was");
  await open("crane", "coarse");
  await look(0, 0, 0, -1, 0.6, 30);
  const ground = [];
  for (const place of PLACES) ground.push(await colour(place));
  await open("afloat-calm", "coarse");
  await look(0, 0, 0, -1, 0.6, 30);
  for (const [i, place] of PLACES.entries()) {
    const found = await colour(place);
    assert.ok(isBlue(found) && apart(found, ground[i]) > 40, `water ${found}, ground ${ground[i]}`);
  }
  assert.deepEqual(await ask("water", 3, 4), { height: 0, eye: 0 });

  step("a body below is seen and selected through it");
  const block = [5, 4, -1.2];
  const seen = await colour(block);
  assert.ok(!isBlue(seen), `the yellow block shines through: ${seen}`);
  const at = await ask("onPage", block);
  await page.mouse.click(at.x, at.y);
  await until("the block is selected", async () => (await ask("selected"))?.id === 3);
  await page.keyboard.press("Escape");

  step("waves carry the box, stand still while paused, and follow the time line");
  await open("afloat-sea", "coarse");
  await look(0, 0, 0, -1, 0.3, 30);
  await until("waves have grown", () => mock().state.time > 2.5);
  const carries = async () => {
    const [{ height }, box] = await page.evaluate(() => [window.windlass.water(0, 0), window.windlass.place("box")]);
    assert.ok(Math.abs(box[2] - 0.1 - height) < 1e-3, `box at ${box[2]}, water at ${height}`);
    return height;
  };
  await pause();
  await page.mouse.move(5, 5);
  await drawn();
  const height = await carries();
  const still = await picture();
  await drawn();
  assert.ok(still.equals(await picture()), "nothing moves while the run is paused");
  mock().receive({ do: "seek", time: 1.5 });
  await until("an earlier surface is shown", async () => (await ask("water", 0, 0)).height !== height);
  await drawn();
  await carries();
  assert.ok(!still.equals(await picture()), "another moment has other waves");

  step("an eye under water sees the surface above it");
  await look(0, 0, -3, -1, -0.3, 12);
  const { eye } = await ask("water", 0, 0);
  assert.ok(eye > 2, `${eye} m deep`);
  const canvas = await page.locator("canvas").first().boundingBox();
  for (const [u, v] of [[0.15, 0.2], [0.5, 0.95], [0.9, 0.9]]) {
    const found = await colour({ x: canvas.x + u * canvas.width, y: canvas.y + v * canvas.height });
    assert.ok(isBlue(found), `blue-green at ${u}, ${v}: ${found}`);
  }

  step("several views, and a run beside another");
  await look(0, 0, 0, -1, 0.6, 30);
  await page.keyboard.press("4");
  await drawn(8);
  for (const view of ["Top", "Perspective"]) assert.ok(isBlue(await colour(PLACES[0], view)), view);
  await page.keyboard.press("4");
  mock().receive({ do: "mark", name: "then" });
  mock().receive({ do: "compare", id: 0 });
  await until("it is compared", () => ask("ghost"));
  await drawn();
  assert.ok(isBlue(await colour(PLACES[0])), "water with ghosts");

  step("shadows, foam and ambient occlusion");
  // few pixels: they are drawn without graphics hardware
  await page.setViewportSize({ width: 400, height: 300 });
  for (const id of ["afloat-basin", "afloat-regular"]) {
    for (const quality of ["medium", "high"]) {
      await open(id, quality);
      await look(0, 0, 0, -1, 0.6, 30);
      const found = await colour(PLACES[0]);
      // the bed of the basin is of sand
      assert.ok(id === "afloat-basin" ? found[1] > found[0] : isBlue(found), `${id}, ${quality}: ${found}`);
    }
  }

  step("a scene without water is drawn as before");
  await page.setViewportSize({ width: 800, height: 500 });
  await open("crane", "coarse");
  await look(0, 0, 0, -1, 0.6, 30);
  assert.equal(await ask("water", 0, 0), null);
  for (const [i, place] of PLACES.entries()) assert.ok(apart(await colour(place), ground[i]) < 6);
});
