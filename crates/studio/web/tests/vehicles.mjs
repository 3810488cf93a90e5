// Vehicles in a real browser against the mock: the driver's panel at every size and in both themes, the drive train, arrows of tyres,
// skid marks that go when time runs back, the chase camera. Asserts on state and on what axe-core finds, never on speed.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { faults } from "./faults.mjs";
import { withMock } from "./mock.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

await withMock({}, async ({ page, mock, ask, open, picture, settle, step, until }) => {
  const meter = (name) => page.getByRole("meter", { name, exact: true });
  const panel = page.getByRole("region", { name: "Driver's panel" });
  const train = page.getByRole("region", { name: "Drive train" });
  const toggle = async (name) => {
    await page.getByRole("button", { name: "Display options" }).click();
    await page.getByRole("menuitemcheckbox", { name }).click();
    await page.keyboard.press("Escape");
  };
  /** Shows a moment that is recorded. */
  const seek = async (time) => {
    mock().receive({ do: "seek", time });
    await until("it is shown", async () => Math.abs((await ask("moment", [])).time - time) < 0.05);
  };

  step("a scene without vehicles has no panel");
  await open("crane");
  assert.equal(await panel.count(), 0);

  step("gauges, gear and pedals show the car");
  await open("vehicles");
  await until("two vehicles", async () => (await ask("vehicles"))?.length === 2);
  // eleven seconds are recorded at once
  mock().receive({ do: "step", count: 660 });
  await seek(3);
  await until("12 m/s", async () => Number(await meter("Speed").getAttribute("aria-valuenow")) === 12);
  assert.equal(await meter("Throttle").getAttribute("aria-valuenow"), "100");
  assert.match(await page.locator(".dash-gear").innerText(), /D\s*4/);
  assert.match(await page.locator(".dash-wheels").getAttribute("aria-label"), /rear left 4\.1 kN, slip 3 %, grips/);
  await page.getByRole("button", { name: "Display options" }).click();
  await page.getByRole("menuitemradio", { name: /practical/i }).click();
  await page.keyboard.press("Escape");
  await until("43 km/h", async () => (await meter("Speed").getAttribute("aria-valuetext")) === "43 km/h");

  step("controllers and rules stand below the driver's panel, and are switched");
  const logic = page.getByRole("region", { name: "Controllers and rules" });
  assert.match(await logic.innerText(), /cruise\s*0\.42\s*overspeed\s*active\s*Speed above the limit\s*anti-roll\s*ready/);
  await logic.getByRole("switch", { name: "overspeed" }).click();
  await until("the rule is off", async () => mock().off.includes("overspeed") && /overspeed\s*off\s*anti-roll/.test(await logic.innerText()));
  await logic.getByRole("switch", { name: "overspeed" }).click();
  await until("it acts again", async () => mock().off.length === 0 && /Speed above the limit/.test(await logic.innerText()));

  step("the chase camera is behind the car, and turns with it");
  const behind = async (heading) => Math.abs(Math.sin(((await ask("rig"))[3] - heading - Math.PI) / 2)) < 0.05;
  await until("behind it", () => behind(0));
  await seek(6.5);
  await until("behind it after the curve", () => behind(0.8));

  step("locked wheels are told, and leave marks");
  await until("locked", async () => (await page.locator(".dash-wheel.locked").count()) === 4);
  mock().receive({ do: "play" });
  await until("marks", async () => (await ask("tires")).skids > 10);
  await picture("vehicles-skid");
  await seek(8.5);
  await until("stalled", async () => /Stalled/.test(await page.locator(".dash-warnings").innerText()));
  await seek(5);
  assert.equal((await ask("tires")).skids, 0, "none at an earlier moment");

  step("arrows of tyre forces are switched on and off");
  assert.equal((await ask("tires")).arrows, 0);
  await toggle("Tyre forces");
  // four loads of each, two driving forces and four lateral forces of the car
  await until("arrows", async () => (await ask("tires")).arrows === 14);
  await picture("vehicles-arrows");
  await toggle("Tyre forces");
  await until("none", async () => (await ask("tires")).arrows === 0);

  step("the drive train by key, of either vehicle");
  await seek(3);
  await page.keyboard.press("d");
  await train.waitFor();
  assert.deepEqual(await train.locator(".train-box .title").allTextContents(), ["engine", "converter", "gearbox", "differential", "front left", "front right", "rear left", "rear right"]);
  await until("power flows", async () => (await train.locator(".train-line.ahead").count()) === 5);
  await picture("vehicles-train");
  await page.getByLabel("Vehicle", { exact: true }).selectOption({ label: "loader" });
  await until("the loader", async () => (await train.locator(".train-box .title").allTextContents()).includes("circuit"));
  assert.match(await page.locator(".dash-warnings").innerText(), /Parking brake/);
  await picture("vehicles-loader");
  await page.getByLabel("Vehicle", { exact: true }).selectOption({ label: "car" });

  step("axe finds nothing, and nothing is cut off, in any size and theme");
  await page.evaluate(axe);
  const wrong = [];
  for (const theme of ["dark", "light"]) {
    await page.setViewportSize({ width: 1280, height: 720 });
    if (theme === "light") await page.getByRole("button", { name: "Light theme" }).click();
    for (const [width, height] of [[1280, 720], [1024, 700], [640, 360], [390, 844]]) {
      await page.setViewportSize({ width, height });
      await settle();
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      for (const v of violations) wrong.push(`${theme} ${width}: ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" ; ")}`);
      wrong.push(...(await page.evaluate(faults)).map((fault) => `${theme} ${width}, with the drive train: ${fault}`));
      await picture(`vehicles-${theme}-${width}-train`);
      await page.getByRole("button", { name: "Close drive train" }).click();
      await settle();
      wrong.push(...(await page.evaluate(faults)).map((fault) => `${theme} ${width}: ${fault}`));
      await picture(`vehicles-${theme}-${width}`);
      await page.getByRole("button", { name: /^Show (one line|all gauges)$/ }).click();
      await settle();
      wrong.push(...(await page.evaluate(faults)).map((fault) => `${theme} ${width}, the other form: ${fault}`));
      await picture(`vehicles-${theme}-${width}-other`);
      await page.getByRole("button", { name: /^Show (one line|all gauges)$/ }).click();
      await page.keyboard.press("d");
      await train.waitFor();
    }
  }
  assert.deepEqual(wrong, []);
});
