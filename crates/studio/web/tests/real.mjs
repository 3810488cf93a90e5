// The real server with a browser before it, for the tests: starts both, gives hands and eyes, ends both.
// WINDLASS names the program, CHROMIUM the browser, PICTURES a folder for pictures.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const program = process.env.WINDLASS ?? fileURLToPath(new URL("../../../../target/debug/windlass", import.meta.url));

/** Runs a test on a port; `setUp` sees the page before it is loaded. */
export async function withStudio(port, test, setUp = async () => {}) {
  const folder = await mkdtemp(join(tmpdir(), "windlass-studio-"));
  // unsaved work of the tests is not the user's
  const state = await mkdtemp(join(tmpdir(), "windlass-state-"));
  let told = "";
  const start = () => {
    const env = { ...process.env, XDG_STATE_HOME: state };
    const started = spawn(program, ["studio", "--no-open", "--no-token", "--port", String(port)], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    started.stdout.on("data", (data) => (told += data));
    return started;
  };
  let server = start();
  const address = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  page.setDefaultTimeout(30_000);

  const until = async (what, holds, seconds = 30) => {
    for (let i = 0; i < seconds * 10; i++) {
      if (await holds()) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(`never: ${what}`);
  };
  /** Calls a function of the page's hook. */
  const ask = (name, ...args) => page.evaluate(([n, a]) => window.windlass?.[n](...a), [name, args]);
  const tree = async () => (await ask("scene"))?.tree ?? {};
  const time = async () => (await ask("status"))?.time ?? 0;
  const clickAt = async (point, view, options = {}) => {
    const at = await ask("onPage", point, view);
    if (options.shift) await page.keyboard.down("Shift");
    await page.mouse.click(at.x, at.y);
    if (options.shift) await page.keyboard.up("Shift");
  };
  /** Presses at one place, moves to another in small steps, lets go. */
  const dragTo = async (from, to) => {
    await page.mouse.move(from.x, from.y);
    await page.waitForTimeout(200);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  /** Opens a text as a new scene. */
  const openText = async (toml) => {
    await page.locator(".scene-button").click();
    await page.getByRole("button", { name: "New scene" }).click();
    await until("an empty scene", async () => (await ask("scene"))?.id === "untitled");
    await page.getByRole("button", { name: "Scene text" }).click();
    await page.getByLabel("Scene text in TOML").fill(toml);
    await page.getByRole("button", { name: "Apply" }).click();
  };
  const answers = () => until("the server answers", () => fetch(address).then((a) => a.ok, () => false));
  /** Kills the server without a warning, and starts another in its place. */
  const killAndRestart = async () => {
    const gone = new Promise((done) => server.once("exit", done));
    server.kill("SIGKILL");
    await gone;
    server = start();
    await answers();
    // the browser complains of a connection that was lost
    complaints.length = 0;
  };
  const picture = async (name) => process.env.PICTURES && page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
  const step = (what) => console.log(`  ${what}`);

  try {
    await answers();
    await setUp(page);
    // without graphics hardware a picture in full takes most of a test's time; those for the book are looked at
    await page.goto(`${address}/?quality=${process.env.PICTURES ? "low" : "coarse"}`);
    await until("a scene runs", async () => (await time()) > 0.2);
    await test({ page, folder, address, until, ask, tree, time, clickAt, dragTo, openText, picture, step, state, killAndRestart, serverId: () => server.pid });
    assert.deepEqual(complaints, []);
  } catch (error) {
    await page.screenshot({ path: "browser-failure.png" }).catch(() => undefined);
    console.error("complaints of the page:", complaints, "\nserver:", told);
    process.exitCode = 1;
    console.error(error);
  } finally {
    await browser.close();
    server.kill("SIGINT");
    await rm(folder, { recursive: true, force: true });
    await rm(state, { recursive: true, force: true });
  }
}
