// Ground that changes in a real browser against the mock: tiles as they come, loose soil, colours with their legends, the operator's panel,
// earlier moments, a run beside another. Asserts on state and on pixels, never on speed.
import assert from "node:assert/strict";
import { withMock } from "./mock.mjs";

await withMock({ viewport: { width: 1280, height: 600 }, colorScheme: "light" }, async ({ page, mock, ask, drawn, open, picture, step, until }) => {
  /** Mean colour of a square of pixels around a place of the world. */
  const colour = async (place) => {
    const { x, y } = await ask("onPage", place);
    const png = (await page.screenshot({ clip: { x: x - 5, y: y - 5, width: 11, height: 11 } })).toString("base64");
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
  const choose = async (name) => {
    await page.getByRole("button", { name: "Display options" }).click();
    await page.getByRole("menuitemradio", { name, exact: true }).click();
    await page.keyboard.press("Escape");
    await drawn();
  };
  const seek = async (time) => {
    mock().receive({ do: "seek", time });
    await until("it is shown", async () => Math.abs((await ask("moment", [])).time - time) < 0.05);
  };
  /** Places on the trench, on its heap, and on ground that nobody touches. */
  const TRENCH = [-2, 0.1];
  const HEAP = [-2, 2.7];
  const SIDE = [-6, -1.5];
  const at = async ([x, y]) => [x, y, await ask("ground", x, y)];

  step("ground that nobody has touched is drawn, and a scene without ground has none");
  await open("crane");
  assert.deepEqual((await ask("earth")).tiles, 0);
  await open("site");
  // 101 by 71 nodes; the last row of tiles ends at the border
  await until("all tiles", async () => (await ask("earth"))?.tiles === 12);
  await ask("eye", [0, 0, 0, -1.57, 0.9, 20]);
  const [r, g, b] = await colour(await at(SIDE));
  assert.ok(r > b + 15 && r >= g, `topsoil is brown: ${[r, g, b]}`);

  step("only tiles that change travel, and they are seen to change");
  // from its start, however long the page took to come
  mock().receive({ do: "pause" });
  mock().receive({ do: "reset" });
  mock().receive({ do: "step", count: 300 });
  await until("the trench", async () => (await ask("ground", ...TRENCH)) < -0.7);
  await drawn();
  assert.ok((await ask("ground", ...HEAP)) > 0.5, "the heap beside it");
  const sent = mock().site.count;
  mock().receive({ do: "step", count: 30 });
  await until("it is longer", async () => mock().site.count > sent);
  assert.ok(mock().site.count - sent < 8, `${mock().site.count - sent} tiles`);

  step("loose soil is drawn");
  await until("lumps", async () => (await ask("earth")).lumps > 100);
  await picture("earth-low");

  step("an operator reads load, fill, what was moved, and pressures");
  const panel = page.getByRole("region", { name: "Operator's panel" });
  await panel.waitFor();
  const load = (await ask("earth")).figures.state.tools[0].load;
  assert.equal(await page.getByRole("meter", { name: "Fill of bucket" }).getAttribute("aria-valuenow"), String(Math.round((100 * load) / (1090 * 1.1))));
  assert.ok((await ask("earth")).figures.volumes[0].cut > 3);
  assert.match(await panel.innerText(), /Draft\s*14/);
  assert.equal(await page.getByRole("meter", { name: "Pressure pump" }).getAttribute("aria-valuenow"), "150");
  assert.equal(await page.getByRole("meter", { name: /Pressure boom/ }).count(), 2);

  step("colours by choice, each with its legend");
  await ask("eye", [-1, 0.5, 0, -1.57, 1.2, 14]);
  await choose("Ground: cut and fill");
  const [trench, heap, side] = [await colour(await at(TRENCH)), await colour(await at(HEAP)), await colour(await at(SIDE))];
  assert.ok(trench[0] > trench[2] + 40, `cut is red: ${trench}`);
  assert.ok(heap[2] > heap[0] + 40, `fill is blue: ${heap}`);
  assert.ok(Math.max(...side) - Math.min(...side) < 30, `untouched is grey: ${side}`);
  assert.match(await page.locator(".legend").innerText(), /Cut and fill[^]*−1 m[^]*\+1 m/);
  await picture("earth-cut");
  await choose("Ground: compaction");
  const [rut, loose] = [await colour(await at([-5, -3.8])), await colour(await at(HEAP))];
  assert.ok(rut[2] > rut[0] + 20 && loose[1] > loose[2] + 20, `dense is blue ${rut}, loose is green ${loose}`);
  await choose("Ground: height");
  assert.match(await page.locator(".legend").innerText(), /Height/);
  await picture("earth-height");
  await choose("Ground: soil");
  assert.match(await page.locator(".legend").innerText(), /topsoil[^]*dry sand[^]*fill/);

  step("earlier moments have their own ground");
  await seek(1);
  await until("no trench yet", async () => (await ask("ground", ...TRENCH)) > -0.2);
  await drawn();
  await seek(4.5);
  await until("the trench again", async () => (await ask("ground", ...TRENCH)) < -0.7);

  step("a run beside another has its own ground");
  mock().receive({ do: "mark", name: "then" });
  mock().receive({ do: "seek", time: 1 });
  mock().receive({ do: "mark", name: "before" });
  mock().receive({ do: "compare", id: 0 });
  await until("both", async () => (await ask("ground", ...TRENCH, "ghost")) < -0.7 && (await ask("ground", ...TRENCH)) > -0.2);
  mock().receive({ do: "compare", id: null });
  await until("one", async () => (await ask("ground", ...TRENCH, "ghost")) === null);
});
