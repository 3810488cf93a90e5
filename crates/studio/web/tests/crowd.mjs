// A thousand bodies and a thousand elements of cable before the real server: what a picture of them may cost. Draw calls and triangles
// are asserted, for they are the same everywhere; the time that scripts take is told.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { withStudio } from "./real.mjs";

const text = await readFile(new URL("../../../../scenes/cable/thousand.toml", import.meta.url), "utf8");

await withStudio(Number(process.env.PORT ?? 7493), async ({ page, until, ask, time, picture, step }) => {
  step("opens the crowd");
  await page.locator(".scene-button").click();
  await page.getByRole("button", { name: "New scene" }).click();
  await until("an empty scene", async () => (await ask("scene"))?.id === "untitled");
  await page.getByRole("button", { name: "Scene text" }).click();
  await page.getByLabel("Scene text in TOML").fill(text);
  await page.getByRole("button", { name: "Apply" }).click();
  await until("it is there", async () => (await ask("scene"))?.bodies.filter((b) => b.kind === "dynamic").length === 1000);
  await page.getByRole("button", { name: "Scene text" }).click();
  const from = await time();
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("it moves", async () => (await time()) > from + 0.5);
  await picture("crowd");

  step("draws it in a hundred calls");
  // the picture itself is small here: without a graphics card its pixels would take all the time
  await page.setViewportSize({ width: 320, height: 240 });
  const first = await ask("drawn");
  await until("it is drawn", async () => (await ask("drawn")).frame > first.frame + 1);
  const { calls, triangles } = await ask("drawn");
  assert.ok(calls >= 42 && calls <= 100, `${calls} draw calls: forty ropes, balls, beams, and the surroundings`);
  assert.ok(triangles >= 150_000 && triangles <= 400_000, `${triangles} triangles`);

  step("tells what scripts take");
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const look = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    const value = (name) => metrics.find((m) => m.name === name).value;
    return { at: value("Timestamp"), script: value("ScriptDuration"), frame: (await ask("drawn")).frame };
  };
  const before = await look();
  await page.waitForTimeout(5000);
  const after = await look();
  const pictures = after.frame - before.frame;
  const each = (1e3 * (after.script - before.script)) / pictures;
  console.log(`    ${calls} calls, ${triangles} triangles; ${(pictures / (after.at - before.at)).toFixed(1)} pictures a second, ${each.toFixed(2)} ms of script in each`);
}, { quality: "low" });
