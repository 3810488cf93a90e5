// The state of what is selected, plots and units against the real server: only what is selected is sampled, a click plots, runs lie over each other.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

const SCENE = `windlass = 2
title = "Pendulum and stone"
[settings]
gravity = [0, 0, -10]
[bodies.ground]
type = "static"
shape = { plane = {} }
[bodies.stone]
position = [3, 0, 0.5]
mass = 3
shape = { box = { size = [1, 1, 1] } }
[bodies.bob]
position = [1, 0, 3]
mass = 2
shape = { sphere = { radius = 0.2 } }
[joints.pivot]
hinge = { bodies = ["ground", "bob"], at = [0, 0, 3], axis = [0, 1, 0] }
`;

const sent = [];
const listen = async (page) => page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => sent.push(JSON.parse(String(payload)))));

await withStudio(
  Number(process.env.PORT ?? 8471),
  async ({ page, openText, until, ask, time, picture, step }) => {
    const row = (quantity) => page.locator(`.now-row[data-quantity="${quantity}"]`);
    const numbers = async (quantity) => (await row(quantity).locator("b").allInnerTexts()).map((t) => Number(t.replace("−", "-")));
    const unit = (quantity) => row(quantity).locator("small").innerText();
    const select = async (name) => page.locator(".panel.left .rows button", { hasText: new RegExp(`^${name}`) }).click();
    const asked = () => sent.findLast((m) => m.do === "probe")?.names ?? [];
    const plot = (title) => page.locator(`.chart[data-plot^="${title}"]`);
    const legend = (title) => plot(title).locator(".u-series .u-label").allInnerTexts();
    const span = async (title) => plot(title).locator(".chart-box").evaluate((box) => [Number(box.dataset.from), Number(box.dataset.to)]);
    const choose = async (item) => {
      await page.getByRole("button", { name: "Display options" }).click();
      await page.getByRole(/units/.test(item) ? "menuitemradio" : "menuitemcheckbox", { name: item }).click();
      await page.mouse.click(640, 300, { button: "middle" });
    };

    step("shows levers in the units that are chosen");
    const levers = async () => (await page.locator(".lever-value small").allInnerTexts()).join();
    const before = await levers();
    assert.match(before, /rad\/s/);
    await choose("Practical units");
    await until("another unit", async () => /rpm/.test(await levers()) && !/rad\/s/.test(await levers()));
    await choose("SI units");
    await until("the same again", async () => (await levers()) === before);

    step("opens a pendulum");
    await openText(SCENE);
    await until("a bob", async () => !!(await ask("place", "bob")));
    await page.getByRole("button", { name: "Build" }).click();
    await page.getByRole("button", { name: "Bodies, joints and cables" }).click();
    if ((await page.getByLabel("Inspector", { exact: true }).getAttribute("aria-pressed")) !== "true") await page.getByLabel("Inspector", { exact: true }).click();
    await page.getByRole("button", { name: "Play (Space)" }).click();

    step("samples what is selected and nothing else");
    await select("bob");
    await until("its position is shown", async () => (await row("bodies.bob.position.x").count()) === 1);
    await until("it is asked for", () => asked().includes("bodies.bob.velocity.z"));
    assert.ok(asked().every((n) => n.startsWith("bodies.bob.") || n.startsWith("energy.")), `${asked()}`);
    await until("it moves as the picture does", async () => Math.abs((await numbers("bodies.bob.position.x"))[0] - (await ask("place", "bob"))[0]) < 0.2);
    await until("a small curve", async () => ((await row("bodies.bob.position.x").locator("path").first().getAttribute("d")) ?? "").length > 100);
    await select("stone");
    await until("the contact carries the weight", async () => Math.abs((await numbers("bodies.stone.contact_force.x"))[2] - 30) < 0.2);
    assert.ok(!asked().some((n) => n.startsWith("bodies.bob.")));

    step("shows coordinate, rate, and reaction of a joint");
    await select("pivot");
    await until("an angle", async () => (await unit("joints.pivot.1.value")) === "rad");
    await page.getByRole("button", { name: "Pause (Space)" }).click();
    await page.waitForTimeout(400);
    const [x, , z] = await ask("place", "bob");
    const angle = Math.atan2(3 - z, x);
    assert.ok(Math.abs((await numbers("joints.pivot.1.value"))[0] - angle) < 0.02, `${await numbers("joints.pivot.1.value")} and ${angle}`);
    // at an angle φ below the horizontal: m g sin φ + 2 m g sin φ along the rod
    const [fx, , fz] = await numbers("joints.pivot.force.x");
    assert.ok(Math.abs(Math.hypot(fx, fz) - Math.hypot(60 * Math.sin(angle), 0)) < 0.35 * 60, `${fx} ${fz} at ${angle}`);
    assert.equal(await unit("joints.pivot.force.x"), "N");
    await picture("measure-inspector");

    step("plots by a click, below the picture and beside the inspector");
    await page.getByRole("button", { name: "Play (Space)" }).click();
    await row("joints.pivot.1.value").click();
    await plot("joints.pivot.1.value").locator("canvas").waitFor();
    assert.ok(await row("joints.pivot.1.value").isVisible());
    assert.ok(await page.locator(".dock").isVisible());
    await page.getByLabel("Remove plot Energy").click();

    step("gives each unit an axis of its own");
    await page.getByLabel("Where to plot it").selectOption({ label: "In “joints.pivot.1.value”" });
    await page.getByLabel("Quantity to plot").fill("joints.pivot.force.z");
    await page.getByLabel("Quantity to plot").press("Enter");
    await until("two quantities", async () => (await legend("joints.pivot.1.value")).length === 3);
    assert.equal(await plot("joints.pivot.1.value").locator(".u-axis").count(), 3);
    await page.getByLabel("Where to plot it").selectOption("");

    step("lays runs over each other, with their names");
    const reset = page.getByRole("button", { name: "Reset to the start (Backspace)" });
    const runs = page.locator(".runs label");
    await reset.click();
    await until("an earlier run", async () => (await runs.count()) === 1);
    await until("some time has passed", async () => (await time()) > 2.5);
    await reset.click();
    await until("two earlier runs", async () => (await runs.count()) === 2);
    const [first, name] = (await runs.allInnerTexts()).map((t) => t.trim());
    assert.match(name, /^branch \d+$/);
    const curves = async (run) => (await legend("joints.pivot.1.value")).filter((l) => l.endsWith(`· ${run}`)).length;
    await until("their curves", async () => (await curves(first)) === 2 && (await curves(name)) === 2);
    await page.getByLabel(first, { exact: true }).uncheck();
    await until("one of them is hidden", async () => (await curves(first)) === 0 && (await curves(name)) === 2);
    await until("the new run goes on", async () => (await time()) > 0.8);
    await page.getByRole("button", { name: "Pause (Space)" }).click();

    step("tells the values of all curves at the cursor");
    const over = plot("joints.pivot.1.value").locator(".u-over");
    const box = await over.boundingBox();
    const values = () => plot("joints.pivot.1.value").locator(".u-series .u-value").allInnerTexts();
    await until("all have one", async () => {
      const [low, high] = await span("joints.pivot.1.value");
      await page.mouse.move(box.x + (box.width * (0.5 - low)) / (high - low), box.y + box.height / 2);
      const all = await values();
      return all.length === 5 && all.slice(1).every((v) => /^[−\d.]+ \S/.test(v));
    });
    await picture("measure-plots");

    step("marks sync points");
    const accent = () =>
      plot("joints.pivot.1.value").locator("canvas").evaluate((c) => {
        const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) if (Math.abs(data[i] - 0x2d) < 30 && Math.abs(data[i + 1] - 0xd4) < 30 && Math.abs(data[i + 2] - 0xbf) < 30) found += 1;
        return found;
      });
    const without = await accent();
    await page.getByRole("button", { name: "Set a sync point (M)" }).click();
    await until("a line in the colour of sync points", async () => (await accent()) > without + 20);

    step("zooms by dragging, and follows again after a double click");
    await page.getByRole("button", { name: "Play (Space)" }).click();
    const wide = await span("joints.pivot.1.value");
    await page.mouse.move(box.x + 0.3 * box.width, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 30, { steps: 5 });
    await page.mouse.up();
    await until("a part of it", async () => {
      const [low, high] = await span("joints.pivot.1.value");
      return high - low < 0.5 * (wide[1] - wide[0]);
    });
    const zoomed = await span("joints.pivot.1.value");
    await page.waitForTimeout(600);
    assert.deepEqual(await span("joints.pivot.1.value"), zoomed, "it stays while the run goes on");
    await over.dblclick();
    await until("all of it again", async () => {
      const [low, high] = await span("joints.pivot.1.value");
      return high - low > 0.9 * (wide[1] - wide[0]);
    });

    step("shows inspector and plots in practical units");
    await choose("Practical units");
    await until("degrees", async () => (await unit("joints.pivot.1.value")) === "°");
    await until("degrees at the cursor", async () => (await values()).some((v) => v.endsWith("°")) || ((await page.mouse.move(box.x + 60, box.y + 30)), false));
    await picture("measure-practical");
    await page.getByRole("button", { name: "Light theme" }).click();
    await page.setViewportSize({ width: 1600, height: 900 });
    await page.waitForTimeout(500);
    await picture("measure-light");

    step("remembers where the plots are");
    await page.reload();
    await until("a scene runs", async () => (await time()) > 0);
    await page.getByRole("button", { name: "Plots", exact: true }).click();
    await page.locator(".dock .chart canvas").first().waitFor();
    const grip = await page.getByLabel("Height of the plots").boundingBox();
    const tall = (await page.locator(".dock").boundingBox()).height;
    await page.mouse.move(grip.x + 300, grip.y + grip.height / 2);
    await page.mouse.down();
    await page.mouse.move(grip.x + 300, grip.y - 80, { steps: 4 });
    await page.mouse.up();
    assert.ok((await page.locator(".dock").boundingBox()).height > tall + 60);
    await page.getByRole("button", { name: "Plots at the right" }).click();
    await page.locator(".panel.right .chart canvas").first().waitFor();
  },
  { setUp: listen },
);
