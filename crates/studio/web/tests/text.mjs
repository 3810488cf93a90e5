// The text editor against the real server: colours, completion and help from the schema, problems at their lines, in step with the selection, undo.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withStudio } from "./real.mjs";

/** Long enough that both bodies are never in sight together. */
const SCENE = `windlass = 2
title = "Two boxes"

[bodies.ground]
type = "static"
shape = { plane = {} }

[bodies.left]
mass = 1
position = [-1, 0, 0.5]
shape = { box = { size = [1, 1, 1] } }
${"\n# a long pause\n".repeat(200)}
[bodies.right]
mass = 2
position = [1, 0, 0.5]
shape = { box = { size = [1, 1, 1] } }

[joints.rod]
distance = { bodies = ["left", "right"], points = [[-0.5, 0, 0.5], [0.5, 0, 0.5]] }
`;

await withStudio(Number(process.env.PORT ?? 8470), async ({ page, folder, until, ask, clickAt, picture, step }) => {
  const area = page.getByLabel("Scene text in TOML");
  const chosenLines = () => page.locator(".cm-chosen").allInnerTexts();
  const scripts = () => page.evaluate(() => performance.getEntriesByType("resource").map((r) => r.name).filter((n) => /editor.*\.js/.test(n)).length);
  const text = async () => (await ask("scene")).text;
  const apply = async () => page.getByRole("button", { name: "Apply" }).click();
  /** Puts the cursor at the end of a line that is in sight. */
  const cursorAt = async (line) => {
    const box = await page.locator(".cm-line", { hasText: line }).first().boundingBox();
    await page.mouse.click(box.x + 4, box.y + box.height / 2);
    await page.keyboard.press("End");
  };

  step("loads the editor only when it is opened, and applies a text");
  assert.equal(await scripts(), 0);
  await page.locator(".scene-button").click();
  await page.getByRole("button", { name: "New scene" }).click();
  await until("an empty scene", async () => (await ask("scene"))?.id === "untitled");
  await page.getByRole("button", { name: "Scene text" }).click();
  await area.waitFor();
  assert.equal(await scripts(), 1);
  await area.fill(SCENE);
  await apply();
  await until("two boxes", async () => (await ask("scene")).bodies.some((b) => b.name === "right"));
  assert.equal(await text(), SCENE);

  step("colours heads, keys, strings and numbers");
  await area.focus();
  await page.keyboard.press("Control+Home");
  const colors = await page.evaluate(() => [...document.querySelectorAll(".cm-line span")].slice(0, 40).map((s) => getComputedStyle(s).color));
  assert.ok(new Set(colors).size >= 4, `${[...new Set(colors)]}`);

  step("scrolls to what is selected in the list, and selects what the cursor is put at");
  await until("the head of the text is in sight", () => page.locator(".cm-line", { hasText: "[bodies.left]" }).isVisible());
  assert.ok(!(await page.locator(".cm-line", { hasText: "[bodies.right]" }).isVisible()));
  await page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined));
  await ask("eye", [0, 0, 0.5, -1.4, 0.5, 8]);
  await page.waitForTimeout(500);
  await clickAt([1, 0, 0.9]);
  await until("the right box is selected", async () => (await ask("scene")).bodies[(await ask("selected"))?.id]?.name === "right");
  await until("its table is in sight and marked", async () => (await chosenLines())[0] === "[bodies.right]");
  assert.deepEqual(await chosenLines(), ["[bodies.right]", "mass = 2", "position = [1, 0, 0.5]", "shape = { box = { size = [1, 1, 1] } }"]);
  await page.locator(".cm-line", { hasText: "[joints.rod]" }).waitFor();
  await cursorAt("[joints.rod]");
  await until("the rod is selected", async () => (await ask("selected"))?.kind === "joint");
  await until("and marked", async () => (await chosenLines())[0] === "[joints.rod]");
  await cursorAt("mass = 2");
  await until("the box is selected", async () => (await ask("selected"))?.kind === "body");
  await picture("text-selection");

  step("completes keys from the schema, without those that are there");
  await page.keyboard.press("Enter");
  await page.keyboard.type("mat");
  const options = page.locator(".cm-tooltip-autocomplete li");
  await options.filter({ hasText: /^material$/ }).waitFor();
  // the editor takes no key for a choice that has just come
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await page.keyboard.type("ste");
  await options.filter({ hasText: /^steel$/ }).waitFor();
  await picture("text-completion");
  await page.waitForTimeout(200);
  await page.keyboard.press("Enter");
  await until("a material is written", () => page.locator(".cm-line", { hasText: 'material = "steel"' }).isVisible());
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Space");
  await options.first().waitFor();
  const offered = await options.allInnerTexts();
  assert.ok(offered.some((o) => o.startsWith("velocity")) && !offered.some((o) => /^(mass|material|position)\b/.test(o)), `${offered}`);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+Enter");
  assert.equal((await chosenLines())[2], 'material = "steel"', "the new line belongs to the table");
  await until("it is applied", async () => (await text()).includes('mass = 2\nmaterial = "steel"\nposition'));

  step("tells what a key means, with its unit");
  await page.locator(".cm-line", { hasText: "position = [1" }).locator("span").first().hover();
  const help = page.locator(".cm-help");
  await help.waitFor();
  assert.match(await help.innerText(), /position \[m\]\s+Origin of the body frame/);
  await picture("text-help");
  await page.mouse.move(900, 300);

  step("undoes what was typed, then the scene");
  await cursorAt("mass = 2");
  await page.keyboard.type("5");
  await until("it is typed", () => page.locator(".cm-line", { hasText: "mass = 25" }).isVisible());
  await page.keyboard.press("Control+z");
  await until("the typing is undone", async () => !(await page.locator(".cm-line", { hasText: "mass = 25" }).isVisible()));
  assert.match(await text(), /material/);
  await page.keyboard.press("Control+z");
  await until("the scene is undone", async () => !/material/.test(await text()));
  await until("and shown", async () => !(await page.locator(".cm-line", { hasText: "material" }).isVisible()));
  await page.keyboard.press("Control+y");
  await until("and done again", async () => /material/.test(await text()));

  step("marks all problems at once, at their lines, while one types");
  await area.fill(SCENE.replace("mass = 1", "mess = 1").replace('type = "static"', 'type = "statik"').replace("mass = 2", "maas = 2"));
  await page.getByRole("button", { name: /^3 errors, line \d+: / }).waitFor();
  assert.equal(await page.locator(".problems").count(), 0, "the text does not move while one types");
  await apply();
  await until("three problems", async () => (await page.locator(".problems li").count()) === 3);
  await area.focus();
  await page.keyboard.press("Control+Home");
  await until("two in sight", async () => (await page.locator(".cm-lintRange-error").count()) === 2);
  assert.deepEqual(await page.locator(".cm-lintRange-error").allInnerTexts(), ['"statik"', "mess"]);
  await page.locator(".cm-lintRange-error", { hasText: "mess" }).hover();
  await page.locator(".cm-diagnostic", { hasText: "mass" }).waitFor();
  await picture("text-problems");
  await page.locator(".problems button").nth(2).click();
  await until("the third is in sight", () => page.locator(".cm-lintRange-error", { hasText: "maas" }).isVisible());
  assert.match((await ask("scene")).text, /mass = 1/);
  await area.fill(SCENE.replace("mass = 1", "mass = 3"));
  await page.getByText("No errors").waitFor();
  await area.fill(SCENE.replace("mass = 1", "mess = 1"));
  await apply();
  await until("one that cannot be applied", async () => (await page.locator(".problems li").count()) === 1);
  // the text is checked half a second after it was typed
  await page.waitForTimeout(1500);
  assert.equal(await page.locator(".problems li").count(), 1, "the list stays when the same text is checked as typed");
  assert.match((await ask("scene")).text, /mass = 1/);

  step("applies what was typed and saves it, with one key");
  await area.fill(SCENE.replace("Two boxes", "Two crates"));
  await page.keyboard.press("Control+s");
  const field = page.getByRole("dialog").getByRole("textbox");
  await field.waitFor();
  await field.fill("crates.toml");
  await page.keyboard.press("Enter");
  await until("it is in the folder", () => readFile(join(folder, "crates.toml"), "utf8").then((t) => t.includes("Two crates"), () => false));
  assert.equal(await page.locator(".problems").count(), 0);
});
