// A sedan driven by keys against the real server: it accelerates, steers and stops; gauges, drive train, chase camera and marks follow.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

/** Turns of a gamepad of the standard layout that the page is given in place of a real one. */
const pad = async (page) =>
  page.addInitScript(() => {
    const idle = { connected: true, axes: [0, 0, 0, 0], buttons: Array.from({ length: 16 }, () => ({ value: 0 })) };
    window.pad = null;
    navigator.getGamepads = () => [window.pad && { ...idle, ...window.pad }];
  });

const TRIGGERS = `windlass = 2
title = "Triggers"
include = ["windlass:sedan.toml"]
[bodies.road]
type = "static"
shape = { plane = {} }
material = "asphalt"
[instances.car]
prefab = "sedan"
[inputs.throttle]
range = [0, 1]
gamepad = "right-trigger"
drives = [{ vehicle = "car", command = "throttle" }]
[inputs.brake]
range = [0, 1]
gamepad = "left-trigger"
drives = [{ vehicle = "car", command = "brake" }]
`;

await withStudio(
  Number(process.env.PORT ?? 8512),
  async ({ page, openText, until, ask, picture, step }) => {
    const car = async () => (await ask("vehicles"))?.[0];
    const speed = async () => (await car())?.speed ?? 0;
    const meter = (name) => page.getByRole("meter", { name, exact: true });

    step("opens the sedan of the gallery");
    await page.locator(".scene-button").click();
    await page.getByRole("button", { name: /^Sedan/ }).click();
    await until("a car stands on the road", async () => (await ask("scene"))?.id === "vehicle/sedan" && (await car())?.wheels.every((w) => w.load > 3000));
    if (await page.locator(".panel.left").isVisible()) await page.locator(".panel.left > header button").last().click();
    await page.getByRole("region", { name: "Driver's panel" }).waitFor();
    assert.ok(Math.abs(await speed()) < 4, "at idle it creeps at most");
    const [x0, y0, , azimuth] = await ask("rig");
    assert.ok(Math.abs(Math.abs(azimuth) - Math.PI) < 0.05, `the camera is behind the car: ${azimuth}`);

    step("the throttle is a key: speed, engine and gears rise");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.down("ArrowUp");
    await until("it drives at 12 m/s", async () => (await speed()) > 12, 60);
    const gauge = Number(await meter("Speed").getAttribute("aria-valuenow"));
    assert.ok(gauge > 10, `the gauge shows ${gauge}`);
    assert.ok(Number(await meter("Engine speed").getAttribute("aria-valuenow")) > 1500);
    assert.ok(Number(await meter("Throttle").getAttribute("aria-valuenow")) === 100);
    await picture("drive-throttle");
    await page.getByRole("button", { name: "Drive train (D)" }).click();
    const train = page.getByRole("region", { name: "Drive train" });
    await train.waitFor();
    assert.ok((await train.locator(".train-box").count()) === 8, "engine, converter, gearbox, differential and four wheels");
    assert.ok((await train.locator(".train-line.ahead").count()) >= 3, "power flows to the wheels");
    await picture("drive-train");
    await page.keyboard.up("ArrowUp");

    step("it steers, and the camera turns with it");
    await page.keyboard.down("ArrowLeft");
    await until("the front wheels are steered", async () => (await car()).wheels.slice(0, 2).every((w) => w.steer > 0.1));
    await until("the camera has turned with the car", async () => {
      const [x, y, , angle] = await ask("rig");
      return Math.hypot(x - x0, y - y0) > 20 && Math.abs(Math.sin(angle - azimuth)) > 0.2;
    });
    await picture("drive-steer");
    await page.keyboard.up("ArrowLeft");

    step("looking around keeps the chase");
    await page.locator(".picture canvas").focus();
    const choice = page.getByLabel("Camera", { exact: true });
    const chosen = await choice.inputValue();
    await page.mouse.move(700, 160);
    await page.mouse.down();
    await page.mouse.move(820, 170, { steps: 5 });
    await page.mouse.up();
    assert.equal(await choice.inputValue(), chosen);

    step("the brake is a key: it stops");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.down("ArrowDown");
    await until("it stands", async () => Math.abs(await speed()) < 0.2, 60);
    const { brake, throttle } = (await car()).commands;
    assert.ok(brake > 0.9 && throttle <= 0, `${brake} ${throttle}`);
    await picture("drive-brake");
    await page.keyboard.up("ArrowDown");

    step("gear and parking brake by their keys");
    await page.keyboard.down("PageDown");
    await until("it is in reverse", async () => /R/.test(await page.locator(".dash-gear b").innerText()), 60);
    await page.keyboard.up("PageDown");
    await page.keyboard.down("p");
    await until("the parking brake is told", async () => /Parking brake/.test(await page.locator(".dash-warnings").innerText()));
    await page.keyboard.up("p");

    step("the start has no marks");
    await page.keyboard.press("Backspace");
    await until("it is at the start", async () => (await ask("status")).time < 5 && (await ask("tires")).skids === 0);

    step("triggers of a gamepad are throttle and brake");
    await openText(TRIGGERS);
    await until("another car", async () => (await ask("scene"))?.title === "Triggers" && (await car())?.wheels.length === 4);
    await page.getByRole("button", { name: "Scene text" }).click();
    await page.getByRole("button", { name: "Build" }).click();
    const press = (left, right) => page.evaluate(([l, r]) => (window.pad = { buttons: Array.from({ length: 16 }, (_, i) => ({ value: i === 6 ? l : i === 7 ? r : 0 })) }), [left, right]);
    await page.getByRole("button", { name: "Play (Space)" }).click();
    await press(0, 1);
    await until("it drives", async () => (await speed()) > 3, 60);
    await press(1, 0);
    await until("it stops", async () => Math.abs(await speed()) < 0.2, 60);
  },
  { setUp: pad },
);
