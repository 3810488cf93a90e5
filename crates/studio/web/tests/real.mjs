// The real server with a page before it, for the tests: starts both, gives hands and eyes, ends both. WINDLASS names the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { closeBrowser, failed, handsOn, openPage, quality as usual, stepper, until } from "./chromium.mjs";

export const program = process.env.WINDLASS ?? fileURLToPath(new URL("../../../../target/debug/windlass", import.meta.url));

/** Runs a test on a port; `setUp` sees the page before it is loaded. Tests that judge pixels name a quality. */
export async function withStudio(port, test, { setUp = async () => {}, quality = usual } = {}) {
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
  const { page, complaints } = await openPage({}, 60_000);
  const { step, end } = stepper();
  const { ask, drawn, settle, turn, picture } = handsOn(page);
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
    await turn();
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
  try {
    await answers();
    await setUp(page);
    await page.goto(`${address}/?quality=${quality}`);
    await until("a scene runs", async () => (await time()) > 0.2);
    await test({ page, folder, address, until, ask, drawn, settle, turn, tree, time, clickAt, dragTo, openText, picture, step, state, killAndRestart, serverId: () => server.pid });
    end();
    assert.deepEqual(complaints, []);
    console.log("  passed");
  } catch (error) {
    await failed(page, complaints, error);
    console.error("server:", told);
  } finally {
    await page.context().close();
    if (!process.env.WINDLASS_RUN) await closeBrowser();
    const gone = server.exitCode === null && new Promise((done) => server.once("exit", done));
    server.kill("SIGINT");
    await gone;
    await rm(folder, { recursive: true, force: true });
    await rm(state, { recursive: true, force: true });
  }
}
