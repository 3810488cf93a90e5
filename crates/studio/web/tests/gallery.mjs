// Every scene of the gallery is opened, runs and is drawn, without an error in the console; and every ground and quality.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withStudio } from "./real.mjs";

/** A slab of each material that has a pattern, and a plane below. */
const GROUNDS = ["concrete", "asphalt", "sand", "gravel", "soil", "grass", "wood"];
const slab = (material, i) => `[bodies.${material}]
type = "static"
material = "${material}"
position = [${7 * i}, 0, 0.1]
shape = { box = { size = [6, 6, 0.2] } }
`;
const GROUND = `windlass = 2
title = "Grounds"
[bodies.ground]
type = "static"
material = "soil"
shape = { plane = {} }
[bodies.ball]
mass = 1
position = [10, 0, 3]
shape = { sphere = { radius = 0.5 } }
${GROUNDS.map(slab).join("")}`;

await withStudio(8447, async ({ page, folder, address, until, ask, drawn, picture, step }) => {
  const runs = async (id) => {
    await until(`${id} is shown`, async () => (await ask("scene"))?.id === id);
    await until(`${id} runs`, async () => (await ask("moment", [])).time > 0.1);
    await drawn();
  };
  /** Opens a scene by its address, and waits until it moves and is drawn. */
  const open = async (id, quality) => {
    await page.goto("about:blank");
    await page.goto(`${address}/?quality=${quality}#scene=${encodeURIComponent(id)}`, { waitUntil: "commit" });
    await runs(id);
  };
  /** Opens a scene from the list. */
  const pick = async (id) => {
    if ((await page.locator(".panel.left").count()) === 0) await page.locator(".scene-button").click();
    await page.locator(".gallery button").filter({ has: page.locator("small").getByText(id, { exact: true }) }).click();
    await runs(id);
  };

  step("every scene of the gallery");
  const scenes = (await ask("hello")).scenes;
  assert.ok(scenes.length >= 18, `${scenes.length} scenes`);
  for (const { id } of scenes) {
    await pick(id);
    assert.equal(await page.locator(".fault").count(), 0, id);
    const last = await page.getByRole("button", { name: "Help (?)" }).boundingBox();
    assert.ok(last.x + last.width <= 1280, `${id}: the title pushes the tools off the screen`);
  }

  step("without graphics hardware the quality is low by itself");
  await open(scenes[0].id, "auto");
  assert.match(await ask("quality"), /^(low|coarse)$/);

  step("every ground, with shadows and with ambient occlusion");
  await writeFile(join(folder, "grounds.toml"), GROUND);
  // few pixels: they are drawn without graphics hardware
  await page.setViewportSize({ width: 400, height: 300 });
  for (const quality of ["medium", "high"]) {
    await open("grounds.toml", quality);
    assert.equal(await ask("quality"), quality);
    await picture(`grounds-${quality}`);
  }
});
