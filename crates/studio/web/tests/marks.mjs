// Sync points outlive what becomes of the run: a resume, an edit, a reset. Their flags stay on the time line, and lead back.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

await withStudio(Number(process.env.PORT ?? 8414), async ({ page, until, ask, time, picture, step }) => {
  const status = () => ask("status");
  const point = async (name) => (await status()).points.find((p) => p.name === name);
  const flag = (name) => page.getByRole("button", { name: new RegExp(`^${name} at`) });
  const menu = async (name, item) => {
    // flags at the ends of the line move while time runs
    await flag(name).evaluate((button) => button.click());
    await page.getByRole("menuitem", { name: item }).click();
  };
  const scrub = async (t) => {
    const { from, to } = await status();
    const track = await page.locator(".timeline-track").boundingBox();
    await page.mouse.click(track.x + (track.width * (t - from)) / (to - from), track.y + track.height / 2);
    await until(`${t} s is shown`, async () => Math.abs((await time()) - t) < 0.1);
  };

  step("sets two sync points, and continues before the second");
  await until("a second has passed", async () => (await time()) > 1);
  await page.keyboard.press("Space");
  await until("it stands", async () => !(await status()).playing);
  await scrub(0.5);
  await page.getByRole("button", { name: "Set a sync point (M)" }).click();
  await until("the first is set", () => point("Point 1"));
  await scrub(0.9);
  await page.getByRole("button", { name: "Set a sync point (M)" }).click();
  await until("the second is set", () => point("Point 2"));
  const second = await point("Point 2");
  await scrub(0.7);
  await page.getByLabel("Speed").selectOption("0.1");
  await page.getByRole("button", { name: "Continue from here" }).click();
  await until("a branch is left", async () => (await status()).points.some((p) => p.kind === "branch"));
  assert.equal((await point("Point 1")).elsewhere, false);
  assert.equal((await point("Point 2")).elsewhere, true, "it is on the branch that was left");
  await page.locator(".flag.elsewhere").waitFor();
  await picture("marks-resume");

  step("an edit begins a new recording, and keeps them");
  await page.getByRole("button", { name: "Scene text" }).click();
  const area = page.getByLabel("Scene text in TOML");
  const text = await ask("typed");
  await area.fill(text.replace("[settings]", "[settings]\ngravity = [0, 0, -5]"));
  await page.getByRole("button", { name: "Apply" }).click();
  await until("the recording begins again", async () => (await status()).from > 0.6);
  assert.ok((await point("Point 1")).elsewhere && (await point("Point 2")).elsewhere);
  await picture("marks-edit");

  step("a reset keeps them, and a jump brings moment and text back");
  await page.getByRole("button", { name: "Reset to the start (Backspace)" }).click();
  await until("it is at the start", async () => (await time()) < 0.3);
  await menu("Point 2", "Jump there, on its branch");
  await until("its moment is shown", async () => Math.abs((await time()) - second.time) < 1e-9);
  await until("with its text", async () => (await ask("scene")).text === text);
  assert.equal((await point("Point 2")).elsewhere, false);

  step("one that is no longer wanted is removed");
  await menu("Point 2", "Remove this sync point");
  await until("it is gone", async () => !(await point("Point 2")));
  assert.ok(await point("Point 1"));
}, { quality: "low" });
