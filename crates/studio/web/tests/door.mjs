// Who may come in: a token at each start, handed over by the printed address; cookies of two studios side by side; refusals that name
// the command they answer.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const program = process.env.WINDLASS ?? fileURLToPath(new URL("../../../../target/debug/windlass", import.meta.url));
const port = Number(process.env.PORT ?? 8416);
const folder = await mkdtemp(join(tmpdir(), "windlass-door-"));
const servers = [];

/** Starts a studio; gives the address that it prints. */
const start = (arguments_, environment = {}) =>
  new Promise((done, fail) => {
    const env = { ...process.env, XDG_STATE_HOME: folder, ...environment };
    const server = spawn(program, ["studio", "--no-open", ...arguments_], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    servers.push(server);
    let told = "";
    server.stdout.on("data", (data) => {
      told += data;
      const address = told.match(/http:\/\/\S+/);
      if (address && told.includes("\n")) done(address[0]);
    });
    server.on("exit", (code) => fail(new Error(`it ended with ${code}: ${told}`)));
  });
const step = (what) => console.log(`  ${what}`);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

try {
  step("each start has a token of its own, and two studios do not disturb each other");
  const addresses = [await start(["--port", String(port)]), await start(["--port", String(port + 1)])];
  const tokens = addresses.map((a) => new URL(a).searchParams.get("token"));
  assert.ok(tokens.every((t) => t.length === 32) && tokens[0] !== tokens[1]);
  const context = await browser.newContext({ viewport: { width: 960, height: 540 } });
  const pages = [];
  for (const address of addresses) {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${new URL(address).port}/`);
    assert.match(await page.textContent("body"), /open the address that the program printed/);
    await page.goto(address);
    assert.equal(page.url(), `http://127.0.0.1:${new URL(address).port}/`, "the token is not left in the address bar");
    pages.push(page);
  }
  for (const page of pages) {
    await page.reload();
    await page.locator(".live-mark.on").waitFor({ timeout: 30_000 });
  }
  const cookies = (await context.cookies()).map((c) => c.name).sort();
  assert.deepEqual(cookies, [`windlass_token_${port}`, `windlass_token_${port + 1}`]);

  step("the token of the environment, and of a file that only its owner reads");
  const given = "0123456789abcdefghijklmnopqrstuv";
  assert.ok((await start(["--port", String(port + 2)], { WINDLASS_TOKEN: given })).endsWith(`?token=${given}`));
  const file = join(folder, "token.txt");
  await writeFile(file, `${given.toUpperCase()}\n`);
  await chmod(file, 0o644);
  await assert.rejects(start(["--port", String(port + 3), "--token-file", file]), /ended with 2/);
  await chmod(file, 0o600);
  assert.ok((await start(["--port", String(port + 3), "--token-file", file])).endsWith(`?token=${given.toUpperCase()}`));

  step("a refusal names the command that it answers");
  const told = await pages[0].evaluate(
    () =>
      new Promise((done) => {
        const answers = [];
        const socket = new WebSocket(`ws://${location.host}/live`);
        socket.onopen = () => {
          for (const command of [{ do: "fly", req: 7 }, { do: "pause", req: 8 }, { do: "pause" }]) socket.send(JSON.stringify(command));
        };
        socket.onmessage = ({ data }) => {
          const message = typeof data === "string" ? JSON.parse(data) : {};
          if (message.type === "refused") answers.push(message.req);
          if (answers.length === 3) done((socket.close(), answers));
        };
      }),
  );
  assert.deepEqual(told, [7, 8, null], "no such command, and what viewers may not do");

  step("and is shown where the command came from");
  const page = pages[0];
  await page.getByRole("button", { name: "Scene text" }).waitFor();
  await page.keyboard.press("Control+s");
  const box = page.getByRole("dialog", { name: "Save as" });
  await box.getByLabel("Name").fill("../x");
  await page.keyboard.press("Enter");
  await box.getByText(/a name must have/).waitFor();
  assert.equal(await page.locator(".notice.bad").count(), 0, "nowhere else");
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, "door-save.png") });
} catch (error) {
  process.exitCode = 1;
  console.error(error);
} finally {
  await browser.close();
  for (const server of servers) server.kill("SIGINT");
  await rm(folder, { recursive: true, force: true });
}
