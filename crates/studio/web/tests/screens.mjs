// Every screen against the real server: at each size, with every panel, menu and dialog open, nothing is off the screen or cut off.
// Then fingers on a phone: one rotates or pulls, two pan and zoom, and a joystick drives.
import assert from "node:assert/strict";
import { faults } from "./faults.mjs";
import { withStudio } from "./real.mjs";

const SIZES = [
  ["1024 px wide", 1024, 700],
  ["zoomed to 200 %", 640, 360],
  ["a phone", 390, 844],
  ["a phone on its side", 844, 390],
];

await withStudio(Number(process.env.PORT ?? 8432), async ({ page, until, ask, time, picture, step, address }) => {
  const all = [];
  const check = async (what, p = page) => {
    await p.waitForTimeout(250);
    all.push(...(await p.evaluate(faults)).map((fault) => `${what}: ${fault}`));
  };
  const narrow = async () => page.locator(".more-button").isVisible();
  /** Presses a tool of the top bar, where it is. */
  const tool = async (name) => {
    if (await narrow()) await page.getByRole("button", { name: "More tools" }).click();
    await page.locator(".more-tools").getByRole("button", { name, exact: true }).click();
  };

  for (const [what, width, height] of SIZES) {
    step(`${what}, ${width} × ${height}`);
    await page.setViewportSize({ width, height });
    await check(`${what}: driving`);
    await picture(`screens-${width}-drive`);
    if (await narrow()) {
      await page.getByRole("button", { name: "More tools" }).click();
      await check(`${what}: more tools`);
      await page.getByRole("button", { name: "Save and export" }).click();
      await check(`${what}: exports`);
      await picture(`screens-${width}-more`);
      await page.keyboard.press("Escape");
      await page.mouse.click(width / 2, height - 10);
    }
    for (const [button, panel] of [[page.locator(".scene-button"), "scenes"], [page.getByRole("button", { name: "Bodies, joints and cables" }), "tree"], [page.getByRole("button", { name: "Scene text" }), "text"]]) {
      await button.click();
      await check(`${what}: ${panel}`);
      await picture(`screens-${width}-${panel}`);
      await page.locator(".panel.left > header button").last().click();
    }
    for (const name of ["Plots", "Energy and solver", "Assembly (A)", "Inspector"]) {
      await tool(name);
      await page.locator(".panel.right").waitFor();
      await check(`${what}: ${name}`);
      await picture(`screens-${width}-${name.split(" ")[0]}`);
      await page.locator(".panel.right > header button").last().click();
    }
    await tool("Help (?)");
    await page.locator("dialog.help").waitFor();
    await check(`${what}: help`);
    await page.getByRole("button", { name: "Close help" }).click();
    await page.keyboard.press("4");
    await page.keyboard.press("t");
    await check(`${what}: four views`);
    await page.keyboard.press("4");
    await page.keyboard.press("t");

    // back in time: two more buttons
    await page.keyboard.press("m");
    await until("something is recorded", async () => (await time()) > 0.5);
    await page.getByRole("button", { name: "To the start of the recording" }).click();
    await page.getByRole("button", { name: "Continue from here" }).waitFor();
    await check(`${what}: in the past`);
    // by key: flags of a short recording may stand upon each other
    await page.locator("button.flag").first().focus();
    await page.keyboard.press("Enter");
    await page.locator(".menu-list.up").waitFor();
    await check(`${what}: menu of a flag`);
    await picture(`screens-${width}-past`);
    await page.keyboard.press("Escape");
    await page.mouse.click(width / 2, height / 2);
    await page.getByRole("button", { name: "Back to live" }).click();

    await page.locator(".build-button").click();
    await until("it is built", async () => (await ask("status")).editing);
    await page.getByRole("toolbar", { name: "Build" }).waitFor();
    await check(`${what}: building`);
    if (await page.locator(".palette-button").isVisible()) await page.locator(".palette-button").click();
    await check(`${what}: palette`);
    await picture(`screens-${width}-build`);
    await page.getByRole("button", { name: "Box", exact: true }).click();
    await check(`${what}: a tool in hand`);
    if (await page.locator(".palette-button").isVisible()) await page.locator(".palette-button").click();
    await page.getByRole("button", { name: "Mesh file", exact: true }).click();
    await page.locator("dialog[open]").waitFor();
    await check(`${what}: a dialog`);
    await page.keyboard.press("Escape");
    await page.locator(".build-button").click();
    await page.getByRole("button", { name: "Play (Space)" }).click();
  }

  assert.deepEqual(all, []);
  step("a phone: joysticks, one finger and two");
  // two pages that draw without a graphics card would wait for each other
  await page.goto("about:blank");
  const phone = await page.context().browser().newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "light" });
  const hand = await phone.newPage();
  const see = (name, ...args) => hand.evaluate(([n, a]) => window.windlass?.[n](...a), [name, args]);
  await hand.goto(`${address}/?quality=coarse`);
  await until("the phone sees it", async () => !!(await see("scene")));
  const pad = hand.locator('[data-stick="left"] .stick-pad');
  // the first page drives; a second one takes control by a button
  await until("the phone has joysticks", async () => {
    const takes = hand.getByRole("button", { name: "You are a viewer. Take control" });
    if (await takes.isVisible()) await takes.click();
    return pad.isVisible();
  });
  await check("a phone with joysticks", hand);
  assert.deepEqual(all, []);
  const touch = await phone.newCDPSession(hand);
  const fingers = (type, ...points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  // the scene's script moves the inputs for the first half minute
  await until("the script is over", async () => (await see("status")).time > 32, 60);
  const box = await pad.boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await fingers("touchStart", middle);
  await fingers("touchMove", [middle[0], box.y + 4]);
  const wanted = async (name) => (await see("status")).inputs[name][0];
  await until("pushed up, it hoists at full speed", async () => (await wanted("hoist")) === (await see("scene")).inputs.find((i) => i.name === "hoist").high);
  assert.equal(await wanted("slew"), 0);
  await fingers("touchMove", [box.x + 4, middle[1]]);
  await until("pushed to the left, it slews to the left", async () => (await wanted("slew")) > 0 && (await wanted("hoist")) === 0);
  if (process.env.PICTURES) await hand.screenshot({ path: `${process.env.PICTURES}/screens-phone-stick.png` });
  await fingers("touchEnd");
  await until("let go, it rests", async () => (await wanted("slew")) === 0);

  const held = await see("place", "load");
  const load = await see("onPage", held);
  await fingers("touchStart", [load.x, load.y]);
  await fingers("touchMove", [load.x + 60, load.y]);
  await until("a finger pulls the load aside", async () => Math.hypot(...(await see("place", "load")).map((v, i) => v - held[i])) > 0.3);
  await fingers("touchEnd");

  const spot = [60, 330];
  const [a, b] = [[0, 0, 0], [0, 0, 10]];
  const seenAt = async () => [await see("onPage", a), await see("onPage", b)];
  const before = await seenAt();
  await fingers("touchStart", spot);
  await fingers("touchMove", [spot[0] + 60, spot[1]]);
  await fingers("touchEnd");
  await hand.waitForTimeout(300);
  const rotated = await seenAt();
  const tall = ([p, q]) => Math.hypot(p.x - q.x, p.y - q.y);
  const aside = await see("onPage", [10, 0, 0]);
  assert.ok(Math.abs(tall(rotated) / tall(before) - 1) < 0.2, "one finger does not zoom");
  await fingers("touchStart", [150, 300], [200, 300]);
  await fingers("touchMove", [125, 300], [225, 300]);
  await fingers("touchEnd");
  await hand.waitForTimeout(300);
  const zoomed = await seenAt();
  assert.ok(tall(zoomed) > 1.5 * tall(rotated), `two fingers apart zoom in: ${tall(rotated)} → ${tall(zoomed)}`);
  assert.notDeepEqual(aside, await see("onPage", [10, 0, 0]));
  await fingers("touchStart", [150, 300], [200, 300]);
  await fingers("touchMove", [150, 340], [200, 340]);
  await fingers("touchEnd");
  await hand.waitForTimeout(300);
  const panned = await seenAt();
  assert.ok(Math.abs(panned[0].y - zoomed[0].y - 40) < 12, `two fingers pan: ${panned[0].y - zoomed[0].y} px of 40`);
  assert.ok(Math.abs(tall(panned) / tall(zoomed) - 1) < 0.15, "and do not zoom then");
  await phone.close();

});
