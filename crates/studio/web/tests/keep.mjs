// Nothing is lost: unsaved work is asked about, can be undone across scenes, is kept by the page and by the server, and comes back after
// the server was killed; files with errors are shown as they are; Back does not leave by accident.
import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withStudio } from "./real.mjs";

const STONE = `windlass = 2
[bodies.stone]
shape = { box = { size = [1, 1, 1] } }
mass = 2
position = [0, 0, 5]
`;
const BROKEN = `windlass = 2
[bodies.stone]
shape = { box = { size = [1, 1, 1] } }
mass = "heavy"
`;

await withStudio(Number(process.env.PORT ?? 8410), async ({ page, folder, state, address, until, ask, time, picture, step, killAndRestart }) => {
  const status = () => ask("status");
  const mass = async () => (await ask("scene"))?.bodies.find((b) => b.name === "stone")?.mass;
  const isScene = (id) => until(`${id} is open`, async () => (await ask("scene"))?.id === id);
  const drafts = async () => (await status())?.drafts ?? [];
  const area = page.getByLabel("Scene text in TOML");
  const panel = async (name) => {
    if ((await page.locator(`.panel.left[aria-label="${name}"]`).count()) === 0) await page.locator(name === "Scenes" ? ".scene-button" : '[aria-label="Scene text"]').click();
  };
  /** Asks for a scene of the gallery. */
  const choose = async (id) => {
    await panel("Scenes");
    await page.locator(".gallery button", { hasText: id }).first().click();
  };
  const setMass = async (value) => {
    if ((await area.count()) === 0) await page.getByRole("button", { name: "Scene text" }).click();
    await area.fill(STONE.replace("mass = 2", `mass = ${value}`));
    await page.getByRole("button", { name: "Apply" }).click();
    await until(`mass ${value}`, async () => (await mass()) === value && (await status()).dirty);
  };
  const dialog = page.getByRole("dialog", { name: "Unsaved changes" });
  const answer = (name) => dialog.getByRole("button", { name, exact: true }).click();
  const files = () => readdir(state, { recursive: true }).then((all) => all.filter((f) => f.endsWith(".json")));

  await writeFile(join(folder, "stone.toml"), STONE);
  await writeFile(join(folder, "broken.toml"), BROKEN);
  await page.reload();
  await until("the list is there", async () => (await time()) > 0);

  step("asks before another scene is opened");
  await choose("stone.toml");
  await isScene("stone.toml");
  await setMass(3);
  await until("the server keeps a copy", async () => (await files()).length === 1);
  await choose("contact/dominoes");
  await dialog.waitFor();
  await picture("keep-dialog");
  await answer("Cancel");
  assert.equal((await ask("scene")).id, "stone.toml");
  await choose("contact/dominoes");
  await answer("Keep as draft");
  await isScene("contact/dominoes");
  await until("a draft is listed", async () => (await drafts()).length === 1);

  step("undoes the change of the scene, and redoes it");
  await page.keyboard.press("Control+z");
  await isScene("stone.toml");
  assert.equal(await mass(), 3);
  await until("it is unsaved again", async () => (await status()).dirty && (await drafts()).length === 0);
  await page.keyboard.press("Control+Shift+z");
  await isScene("contact/dominoes");

  step("restores the draft from the list of scenes, and saves it");
  await panel("Scenes");
  await page.locator(".drafts li", { hasText: "stone.toml" }).waitFor();
  await picture("keep-drafts");
  await page.locator(".drafts").getByRole("button", { name: "Restore" }).click();
  await isScene("stone.toml");
  assert.equal(await mass(), 3);
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as stone.toml").waitFor();
  assert.match(await readFile(join(folder, "stone.toml"), "utf8"), /mass = 3/);
  await until("no copy is left", async () => (await files()).length === 0 && !(await status()).dirty);

  step("discards, which can still be undone; saves on the way");
  await setMass(4);
  await choose("contact/dominoes");
  await answer("Discard");
  await isScene("contact/dominoes");
  assert.equal((await drafts()).length, 0);
  await page.keyboard.press("Control+z");
  await isScene("stone.toml");
  assert.equal(await mass(), 4);
  await choose("contact/dominoes");
  await answer("Save");
  await isScene("contact/dominoes");
  assert.match(await readFile(join(folder, "stone.toml"), "utf8"), /mass = 4/);

  step("shows a file with errors as it is, while the scene runs on");
  await choose("broken.toml");
  await page.getByText(/This file cannot be opened: 1 error/).waitFor();
  assert.equal(await ask("typed"), BROKEN);
  await until("the editor shows it", async () => (await area.innerText()).includes('mass = "heavy"'));
  await page.locator(".problems").getByText(/Line 4,/).waitFor();
  assert.equal((await ask("scene")).id, "contact/dominoes");
  const then = await time();
  await until("the dominoes fall on", async () => (await time()) > then);
  await picture("keep-broken");
  await area.fill(BROKEN.replace('"heavy"', "6"));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await isScene("broken.toml");
  assert.equal(await mass(), 6);
  await until("it differs from its file", async () => (await status()).dirty);
  assert.equal(await readFile(join(folder, "broken.toml"), "utf8"), BROKEN);

  step("takes a file of this machine, broken or not");
  const chooseFile = async (name, text) => {
    await panel("Scenes");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a file …" }).click();
    await (await chooser).setFiles({ name, mimeType: "application/toml", buffer: Buffer.from(text) });
  };
  await chooseFile("mine.toml", BROKEN);
  await answer("Discard");
  await page.getByText(/This file cannot be opened/).waitFor();
  assert.equal((await ask("scene")).id, "broken.toml", "what was to be discarded is still there");
  await page.getByRole("button", { name: "Close file" }).click();
  assert.match(await ask("typed"), /mass = 6/);
  await until("the editor shows it", async () => (await area.innerText()).includes("mass = 6"));
  await chooseFile("mine.toml", STONE);
  await answer("Discard");
  await until("it is open", async () => (await ask("scene")).id === "untitled" && (await mass()) === 2);
  assert.equal((await ask("scene")).title, "Mine");

  step("keeps text that was typed, and warns before the page is left");
  await panel("Scene text");
  await area.fill(`${STONE}# typed, not applied\n`);
  await page.waitForTimeout(800);
  let warned = 0;
  page.on("dialog", (d) => (d.type() === "beforeunload" && (warned += 1), d.accept()));
  await page.reload();
  assert.equal(warned, 1);
  await until("it is back", async () => (await area.count()) === 1 && (await area.innerText()).includes("# typed, not applied"));

  step("another tab neither takes it nor overwrites it");
  const opened = page.waitForEvent("popup");
  await page.evaluate((url) => void window.open(url), `${address}/?quality=coarse`);
  const other = await opened;
  await other.getByRole("button", { name: "Take control", exact: true }).waitFor();
  await other.waitForTimeout(1500);
  assert.ok(!(await other.evaluate(() => window.windlass.typed())).includes("# typed"));
  await other.close();
  assert.ok((await page.evaluate(() => JSON.stringify(localStorage))).includes("# typed, not applied"));

  step("what was reverted can be typed again by undoing");
  await page.getByRole("button", { name: "Revert" }).click();
  await until("it is gone", async () => !(await ask("typed")).includes("# typed"));
  await area.press("Control+z");
  await until("it is back", async () => (await ask("typed")).includes("# typed, not applied"));
  await page.getByRole("button", { name: "Revert" }).click();

  step("offers unsaved changes after the server was killed");
  await choose("stone.toml");
  await isScene("stone.toml");
  await setMass(9);
  await until("the server keeps a copy", async () => (await files()).length === 1);
  await killAndRestart();
  await page.getByText(/Unsaved changes to stone\.toml from .* were recovered/).waitFor();
  await until("the first scene runs", async () => (await ask("scene")).id === "crane/operated");
  assert.equal(await page.locator(".offer").count(), 1, "once, though the page has a copy as well");
  await picture("keep-recovered");
  await page.locator(".offer").getByRole("button", { name: "Restore" }).click();
  await isScene("stone.toml");
  assert.equal(await mass(), 9);
  await until("the offer is gone", async () => (await page.locator(".offer").count()) === 0);
  assert.match(await readFile(join(folder, "stone.toml"), "utf8"), /mass = 4/);

  step("offers what only the page has, if the server lost its copy");
  await until("it is copied", async () => (await page.evaluate(() => JSON.stringify(localStorage))).includes("mass = 9"));
  for (const file of await files()) await writeFile(join(state, file), "no draft");
  await killAndRestart();
  await page.getByText(/Unsaved changes to stone\.toml from .* were recovered/).waitFor();
  await page.locator(".offer").getByRole("button", { name: "Restore" }).click();
  await isScene("stone.toml");
  assert.equal(await mass(), 9);

  step("Back closes a panel, asks about unsaved work, and leaves when it is meant");
  const url = page.url();
  await panel("Scenes");
  await page.goBack();
  await until("the panel is closed", async () => (await page.locator(".panel.left").count()) === 0);
  await page.mouse.click(640, 300);
  await page.goBack();
  await dialog.waitFor();
  assert.equal(page.url(), url);
  await answer("Cancel");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as stone.toml").waitFor();
  await page.goBack();
  await page.getByText("Press Back again").waitFor();
  assert.equal(page.url(), url);

  step("a second Back leaves the studio for the page before it");
  const before = "data:text/html,before";
  await page.goto(before);
  await page.goto(url);
  await until("the studio is there", async () => (await ask("status")) != null);
  await page.mouse.click(640, 300);
  await page.goBack();
  await page.getByText("Press Back again").waitFor();
  assert.equal(page.url(), url);
  await page.goBack();
  assert.equal(page.url(), before);
});
