// Two browsers before one studio: a viewer asks for control, the one who has it declines or hands over, silence decides after a
// countdown, and who leaves loses it.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

await withStudio(Number(process.env.PORT ?? 8412), async ({ page, address, until, ask, picture, step }) => {
  const other = await (await page.context().browser().newContext()).newPage();
  await other.setViewportSize({ width: 1280, height: 720 });
  await other.goto(`${address}/?quality=coarse`);
  const take = (who) => who.getByRole("button", { name: "Take control", exact: true });
  const drives = (who) => until("it may drive", async () => (await take(who).count()) === 0 && (await who.getByRole("button", { name: /^(Play|Pause) \(Space\)$/ }).isEnabled()));
  const watches = (who) => take(who).waitFor();
  // An answer is due within 15 s. A click by the mouse waits for pictures, which two pages draw slowly in software.
  const answer = (who, name) => who.getByRole("button", { name }).dispatchEvent("click");

  step("the first drives, the second watches");
  await watches(other);
  await drives(page);
  assert.ok(await other.getByRole("button", { name: "Pause (Space)" }).isDisabled());
  await picture("crew-driver");
  for (const [width, height] of [[1280, 720], [1024, 576], [390, 844], [1920, 1080]]) {
    await other.setViewportSize({ width, height });
    const box = await take(other).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height, `${width}: ${JSON.stringify(box)}`);
    if (process.env.PICTURES) await other.screenshot({ path: `${process.env.PICTURES}/crew-viewer-${width}.png` });
  }
  await other.setViewportSize({ width: 1280, height: 720 });

  step("a request is declined");
  await take(other).click();
  await page.getByText(/Viewer 2 asks for control\. Without an answer, control passes in \d+ s/).waitFor();
  await other.getByText(/Asked for control, \d+ s/).waitFor();
  await picture("crew-request");
  await answer(page, "Keep control");
  await other.getByText(/Declined; ask again in \d+ s/).waitFor();
  if (process.env.PICTURES) await other.screenshot({ path: `${process.env.PICTURES}/crew-declined.png` });
  await drives(page);
  assert.equal(await page.locator(".offer").count(), 0);

  step("and granted, later; levers that were held are let go");
  await take(other).waitFor();
  await page.locator(".picture canvas").click({ position: { x: 30, y: 300 } });
  await page.keyboard.down("ArrowLeft");
  await until("the crane is slewed", async () => Math.abs((await ask("status")).inputs.slew[0]) > 0.01);
  await take(other).click();
  await answer(page, "Hand over");
  await drives(other);
  await watches(page);
  await page.keyboard.up("ArrowLeft");
  await until("the lever is back", async () => (await ask("status")).inputs.slew[0] === 0);
  await other.getByRole("button", { name: "Pause (Space)" }).click();
  await until("it is paused by the second", async () => !(await ask("status")).playing);

  step("silence hands over, after a countdown");
  await take(page).click();
  await other.getByText(/Without an answer, control passes in \d+ s/).waitFor();
  await other.getByText(/Without an answer, control passes in 3 s/).waitFor();
  await drives(page);
  await watches(other);
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("it is played by the first", async () => (await ask("status")).playing);

  step("who leaves loses it to the one who has asked");
  await take(other).click();
  await page.getByRole("button", { name: "Hand over" }).waitFor();
  const third = await (await page.context().browser().newContext()).newPage();
  await third.goto(`${address}/?quality=coarse`);
  await third.getByRole("button", { name: "Take control", exact: true }).waitFor();
  assert.ok(await take(third).isDisabled(), "one at a time");
  await answer(page, "Hand over");
  await drives(other);
  await other.close();
  await until("the others know", async () => (await third.getByTitle("Nobody has control").count()) === 1);
  await take(page).click();
  await drives(page);
  await third.close();
});
