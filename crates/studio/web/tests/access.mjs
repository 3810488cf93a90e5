// Everyone's hands and ears against the real server: no violation that axe-core finds in either theme, in any panel or dialog; the
// camera by keyboard with a visible focus; help from everywhere; and sounds of the machine, off until they are switched on.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { withStudio } from "./real.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const BALL = `windlass = 2
title = "A ball that falls"
[bodies.ground]
type = "static"
shape = { plane = {} }
collide = true
[bodies.ball]
shape = { sphere = { radius = 0.2 } }
position = [0, 0, 1.2]
mass = "5 kg"
collide = true
`;
/** Thrown from the lowest point faster than for the horizontal, √(2gL) = 6.3 m/s, and slower than for the top, √(5gL) = 9.9 m/s. */
const ROPE = `windlass = 2
title = "A weight on a rope that goes slack"
[bodies.hook]
type = "static"
position = [0, 0, 4]
[bodies.weight]
shape = { sphere = { radius = 0.2 } }
position = [0, 0, 2]
velocity = [8, 0, 0]
mass = "5 kg"
[joints.rope.distance]
bodies = ["hook", "weight"]
points = [[0, 0, 4], [0, 0, 2]]
max = 2
`;

await withStudio(Number(process.env.PORT ?? 8433), async ({ page, until, ask, time, picture, step }) => {
  const drop = async (text) => {
    const files = await page.evaluateHandle((t) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([t], "dropped.toml", { type: "application/toml" }));
      return transfer;
    }, text);
    await page.dispatchEvent("canvas", "dragover", { dataTransfer: files });
    await page.dispatchEvent("canvas", "drop", { dataTransfer: files });
    const title = /title = "(.*)"/.exec(text)[1];
    await until(title, async () => (await ask("scene"))?.title === title);
  };
  const all = [];
  const check = async (what) => {
    await page.waitForTimeout(300);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    for (const v of violations) all.push(`${what}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).join("; ")}`);
  };
  await page.evaluate(axe);

  for (const theme of ["dark", "light"]) {
    step(`axe finds nothing in the ${theme} theme: driving, building, every panel and dialog`);
    if (theme === "light") await page.getByRole("button", { name: "Light theme" }).click();
    await check(`${theme}: driving`);
    for (const button of [page.locator(".scene-button"), page.getByRole("button", { name: "Bodies, joints and cables" }), page.getByRole("button", { name: "Scene text" })]) {
      await button.click();
      await page.locator(".panel.left").waitFor();
      await check(`${theme}: ${await page.locator(".panel.left").getAttribute("aria-label")}`);
      await page.locator(".panel.left > header button").last().click();
    }
    for (const name of ["Plots", "Energy and solver", "Assembly (A)", "Inspector"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await page.locator(".panel.right").waitFor();
      await check(`${theme}: ${name}`);
      await page.locator(".panel.right > header button").last().click();
    }
    await page.getByRole("button", { name: "Save and export" }).click();
    await check(`${theme}: exports`);
    await page.mouse.click(640, 400);
    await page.keyboard.press("4");
    await page.keyboard.press("t");
    await check(`${theme}: four views, tension`);
    await page.keyboard.press("4");
    await page.keyboard.press("t");
    await page.getByRole("button", { name: "Help (?)" }).click();
    await check(`${theme}: help`);
    await page.getByRole("button", { name: "Close help" }).click();
    await page.keyboard.press("m");
    await until("something is recorded", async () => (await time()) > 0.5);
    await page.getByRole("button", { name: "To the start of the recording" }).click();
    await page.getByRole("button", { name: "Continue from here" }).waitFor();
    // by key: flags of a short recording may stand upon each other
    await page.locator("button.flag").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".menu-list.up").waitFor();
    await check(`${theme}: in the past, with a menu of a flag`);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Back to live" }).click();
    await page.locator(".build-button").click();
    await until("it is built", async () => (await ask("status")).editing);
    await check(`${theme}: building`);
    await page.getByRole("button", { name: "Bodies, joints and cables" }).click();
    await page.locator(".rows button").first().click();
    await check(`${theme}: a body selected`);
    for (const name of ["Mirror …", "Array …"]) {
      await page.getByRole("button", { name }).click();
      await page.locator("dialog[open]").waitFor();
      await check(`${theme}: ${name}`);
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: "Mesh file", exact: true }).click();
    await page.locator("dialog[open]").waitFor();
    await check(`${theme}: mesh file`);
    await page.keyboard.press("Escape");
    await page.locator(".panel.left > header button").last().click();
    await page.locator(".build-button").click();
    await page.getByRole("button", { name: "Play (Space)" }).click();
    await page.locator(".scene-button").click();
    await page.getByRole("button", { name: "New scene" }).click();
    await until("an empty scene", async () => (await ask("scene"))?.id === "untitled");
    await page.keyboard.press("Control+s");
    await page.locator("dialog[open]").waitFor();
    await check(`${theme}: saving`);
    await page.keyboard.press("Escape");
    await page.locator(".build-button").click();
    await page.locator(".scene-button").click();
    await page.locator(".gallery button", { hasText: "Luffing crane" }).first().click();
    await until("the crane", async () => (await ask("scene"))?.id === "crane/operated");
    if ((await page.locator(".panel.left").count()) > 0) await page.locator(".panel.left > header button").last().click();
  }
  assert.deepEqual(all, []);

  step("the camera by keyboard, once the picture has the focus; the scene's own keys go first");
  await drop(BALL);
  await ask("eye", [0, 0, 0.5, -1.0, 0.3, 6]);
  const canvas = page.locator(".picture canvas");
  const places = async () => Promise.all([[0, 0, 0.5], [1, 0, 0.5], [0, 0, 1.5]].map((p) => ask("onPage", p)));
  const settled = async () => {
    const { frame } = await ask("drawn");
    await until("it is drawn", async () => (await ask("drawn")).frame > frame + 3);
    return places();
  };
  await page.evaluate(() => document.activeElement?.blur());
  const rest = await settled();
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await settled(), rest, "without the focus the arrows are not the camera's");
  await page.locator(".build-button").focus();
  for (let i = 0; i < 40 && !(await canvas.evaluate((c) => c === document.activeElement)); i++) await page.keyboard.press("Tab");
  assert.ok(await canvas.evaluate((c) => c === document.activeElement), "Tab reaches the picture");
  assert.match(await canvas.evaluate((c) => getComputedStyle(c).outline), /solid 3px/);
  await picture("access-focus");
  await page.keyboard.press("ArrowLeft");
  const left = await settled();
  assert.ok(Math.abs(left[0].x - rest[0].x) < 1 && Math.abs(left[1].x - rest[1].x) > 3, `an arrow orbits, and the target stays: ${JSON.stringify([rest, left])}`);
  await page.keyboard.press("Shift+ArrowRight");
  const panned = await settled();
  assert.ok(panned[0].x < left[0].x - 10, "with Shift it pans");
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("+");
  const near = await settled();
  assert.ok(near[0].y - near[2].y > 1.1 * (left[0].y - left[2].y), "+ zooms in");
  await page.keyboard.press("-");
  await page.locator(".scene-button").click();
  await page.locator(".gallery button", { hasText: "Luffing crane" }).first().click();
  await until("the crane", async () => (await ask("scene"))?.id === "crane/operated");
  if ((await page.locator(".panel.left").count()) > 0) await page.locator(".panel.left > header button").last().click();
  await canvas.focus();
  const azimuth = async () => (await ask("onPage", [30, 0, 0])).x - (await ask("onPage", [0, 0, 0])).x;
  const still = await azimuth();
  await page.keyboard.down("ArrowLeft");
  await until("the crane slews", async () => (await ask("status")).inputs.slew[0] > 0);
  await page.keyboard.up("ArrowLeft");
  assert.ok(Math.abs((await azimuth()) - still) < 0.5, "and the camera stays");

  await page.mouse.click(900, 120);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.match(await canvas.evaluate((c) => getComputedStyle(c).outlineStyle), /none/, "no frame for the mouse");

  step("help opens from everywhere");
  const helps = async (where, key) => {
    await page.keyboard.press(key);
    await page.locator("dialog.help[open]").waitFor();
    await page.keyboard.press("Escape");
    await until(`help from ${where} is closed again`, async () => (await page.locator("dialog.help[open]").count()) === 0);
  };
  await helps("the picture", "?");
  await page.getByLabel("Camera").focus();
  await helps("a list", "?");
  await page.locator(".build-button").focus();
  await helps("a button", "?");
  await page.getByRole("button", { name: "Bodies, joints and cables" }).click();
  await page.locator(".panel.left input").first().focus();
  await helps("a field one writes in", "F1");
  await page.locator(".panel.left > header button").last().click();

  step("sound is off at first; switched on, the motor follows the lever");
  assert.equal((await ask("sound")).on, false);
  await page.getByRole("button", { name: "Sound", exact: true }).click();
  await until("sound is on", async () => (await ask("sound")).on);
  const motor = async (name) => (await ask("sound")).motors.find((m) => m.name === name);
  if (!(await ask("status")).playing) await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("the motor is silent", async () => (await motor("hoist"))?.level === 0);
  const idle = (await motor("hoist")).pitch;
  await canvas.focus();
  await page.keyboard.down("ArrowUp");
  await until("it runs, and is heard", async () => (await motor("hoist")).level > 0.9 && (await motor("hoist")).pitch > 3 * idle && (await ask("sound")).loudness > 0.005);
  await page.keyboard.up("ArrowUp");
  await until("it stops", async () => (await motor("hoist")).level === 0);

  step("a ball that lands is heard, and a rope that goes slack");
  const plays = async () => {
    if (!(await ask("status")).playing) await page.getByRole("button", { name: "Play (Space)" }).click();
  };
  let { impacts, slack } = await ask("sound");
  await drop(BALL);
  await plays();
  await until("the ball hits the ground", async () => (await ask("sound")).impacts > impacts);
  await drop(ROPE);
  await plays();
  await until("the rope goes slack", async () => (await ask("sound")).slack > slack);

  step("the switch is remembered");
  await page.reload();
  await until("the page is back", async () => (await ask("scene")) !== null && (await ask("scene")) !== undefined);
  await page.mouse.click(640, 300);
  await until("sound is on again", async () => (await ask("sound")).on);
  await page.getByRole("button", { name: "Sound", exact: true }).click();
  await until("and off", async () => !(await ask("sound")).on);

});
