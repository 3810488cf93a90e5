// The page against the real server: drives a crane, builds a cradle of five balls with the mouse, runs it, goes back, branches,
// plots, saves, loads it again, exports. WINDLASS names the program, CHROMIUM the browser, PICTURES a folder for pictures.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const program = process.env.WINDLASS ?? fileURLToPath(new URL("../../../../target/debug/windlass", import.meta.url));
const port = Number(process.env.PORT ?? 7490);
const folder = await mkdtemp(join(tmpdir(), "windlass-studio-"));
const server = spawn(program, ["studio", "--no-open", "--port", String(port)], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
let told = "";
server.stdout.on("data", (data) => (told += data));
const address = `http://127.0.0.1:${port}`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: "dark" });
const complaints = [];
page.on("pageerror", (error) => complaints.push(error.message));
page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
page.setDefaultTimeout(30_000);

const step = (what) => console.log(`  ${what}`);
const until = async (what, test, seconds = 30) => {
  for (let i = 0; i < seconds * 10; i++) {
    if (await test()) return;
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
const picture = async (name) => process.env.PICTURES && page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });

try {
  step("opens, and drives the crane");
  await until("the server answers", () => fetch(address).then((a) => a.ok, () => false));
  await page.goto(`${address}/?quality=low`);
  await until("a scene runs", async () => (await time()) > 0.2);
  const crane = await ask("scene");
  const lever = crane.inputs.find((i) => i.keys && /hoist|slew/.test(i.name)) ?? crane.inputs.find((i) => i.keys);
  const load = crane.bodies.find((b) => b.kind === "free" && /load/.test(b.name)) ?? crane.bodies.findLast((b) => b.kind === "free");
  const key = { Left: "ArrowLeft", Right: "ArrowRight", Up: "ArrowUp", Down: "ArrowDown" }[lever.keys[0]] ?? lever.keys[0].toLowerCase();
  const first = await ask("place", load.name);
  await page.keyboard.down(key);
  await until("the load moves", async () => {
    const now = await ask("place", load.name);
    return now && Math.hypot(...now.map((v, i) => v - first[i])) > 0.3;
  });
  await page.keyboard.up(key);

  step("begins an empty scene in four views");
  await page.locator(".scene-button").click();
  await page.getByRole("button", { name: "New scene" }).click();
  await until("it stands at its start", async () => (await ask("scene"))?.id === "untitled" && (await ask("status")).editing);
  await page.getByRole("toolbar", { name: "Build" }).waitFor();
  await page.getByRole("button", { name: "Four views (4)" }).click();
  await ask("eye", [0.4, 0, 0.7, -1.2, 0.35, 4]);
  await page.waitForTimeout(500);

  step("builds a ball on a rod with the mouse, and five of them");
  await page.getByRole("button", { name: "Fixed point", exact: true }).click();
  await clickAt([0, 0, 1.2], "Front");
  await until("a fixed point", async () => (await tree()).bodies?.anchor?.position?.join() === "0,0,1.2");
  await page.getByRole("button", { name: "Sphere", exact: true }).click();
  await clickAt([0, 0, 0.2], "Front");
  await until("a ball", async () => (await tree()).bodies?.sphere?.position?.join() === "0,0,0.2");
  await page.getByRole("button", { name: "Rod", exact: true }).click();
  await clickAt([0, 0, 1.2], "Front");
  await clickAt([0, 0, 0.2], "Front");
  await until("a rod", async () => (await tree()).joints?.rod?.distance?.bodies?.join() === "anchor,sphere");
  await page.getByLabel("joints rod distance bodies 1", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await clickAt([0, 0, 1.2], "Front");
  await clickAt([0, 0, 0.2], "Front", { shift: true });
  await page.getByText("2 bodies selected").waitFor();
  await page.getByRole("button", { name: "Array …" }).click();
  await page.getByLabel("Distance along x").fill("0.2");
  await page.getByRole("button", { name: "Make" }).click();
  await until("five of each", async () => {
    const t = await tree();
    return !!t.bodies.sphere5 && !!t.bodies.anchor5 && t.joints.rod5?.distance.bodies.join() === "anchor5,sphere5";
  });
  await page.keyboard.press("Escape");
  await clickAt([0, 0, 0.2], "Front");
  await page.getByLabel("bodies sphere position 1", { exact: true }).fill("-0.6");
  await page.keyboard.press("Enter");
  await until("it is pulled aside", async () => (await tree()).bodies.sphere.position[0] === -0.6);
  await page.getByLabel("bodies sphere position 3", { exact: true }).fill("0.4");
  await page.keyboard.press("Enter");
  await until("with the end of its rod", async () => (await tree()).joints.rod.distance.points[1].join() === "-0.6,0,0.4");
  await picture("studio-build-four");
  await page.getByRole("button", { name: "Four views (4)" }).click();
  await page.waitForTimeout(800);
  await picture("studio-build");

  step("runs it: the blow goes through the row");
  const rest = await ask("place", "sphere5");
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("the last ball swings out", async () => (await ask("place", "sphere5"))?.[0] > rest[0] + 0.05);
  await until("some time passes", async () => (await time()) > 2);
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await until("it stands", async () => !(await ask("status")).playing);

  step("scrubs back, sets a sync point, continues as a branch");
  const end = await time();
  const line = await page.locator(".timeline-track").boundingBox();
  await page.mouse.click(line.x + line.width * 0.4, line.y + line.height / 2);
  await until("the past is shown", async () => Math.abs((await time()) - 0.4 * end) < 0.2);
  await page.getByRole("button", { name: "Set a sync point (M)" }).click();
  await page.locator(".flag").first().waitFor();
  await page.getByRole("button", { name: "Continue from here" }).click();
  await until("a branch is left", async () => (await ask("status")).points.some((p) => p.kind === "branch"));
  await until("it runs on", async () => (await ask("status")).live && (await ask("status")).playing);

  step("compares with the branch, as a ghost");
  await page.locator(".flag.left-branch").first().click({ force: true });
  await page.getByRole("menuitem", { name: "Compare as a ghost" }).click();
  await until("the ghost is there", () => ask("ghost"));
  await picture("studio-ghost");
  await page.locator(".ghost-name button").click();

  step("makes a ball heavier while it runs");
  const then = await time();
  await page.getByRole("button", { name: "Bodies, joints and cables" }).click();
  await page.locator(".rows button", { hasText: "sphere5" }).click();
  await page.getByLabel("bodies sphere5 mass").fill("20 kg");
  await page.keyboard.press("Enter");
  await until("the mass is in the text and in the world", async () => (await ask("scene")).text.includes("20 kg") && (await ask("scene")).bodies.find((b) => b.name === "sphere5").mass === 20);
  await until("it goes on", async () => {
    const s = await ask("status");
    if (!s.playing) await page.getByRole("button", { name: "Play (Space)" }).click();
    return s.time > 0.1 && s.time !== then;
  });
  await page.getByRole("button", { name: "Close in this scene" }).click();

  step("plots the energy");
  await page.getByRole("button", { name: "Plots" }).click();
  await page.locator(".chart canvas").first().waitFor();

  step("saves, reloads, and it is still there");
  await page.keyboard.press("Control+s");
  await page.getByPlaceholder("five balls").fill("five balls");
  await page.keyboard.press("Enter");
  await page.getByText(/Saved as .*five_balls\.toml/).waitFor();
  assert.match(await readFile(join(folder, "five_balls.toml"), "utf8"), /sphere5/);
  await page.reload();
  await until("five balls", async () => !!(await tree()).bodies?.sphere5);
  await until("it is in the gallery", async () => {
    await page.locator(".scene-button").click();
    return (await page.locator(".gallery button", { hasText: "five_balls" }).count()) > 0;
  });

  step("exports a frame for POV-Ray");
  await page.getByRole("button", { name: "Save and export" }).click();
  await page.getByRole("menuitem", { name: "POV-Ray, this moment" }).click();
  const link = page.locator(".exports a");
  await link.waitFor();
  const file = await page.evaluate(async (href) => (await fetch(href)).text(), await link.getAttribute("href"));
  assert.match(file, /#declare Body_/);
  assert.match(file, /camera\s*\{/);

  assert.deepEqual(complaints, []);
  console.log("studio test passed");
} catch (error) {
  await page.screenshot({ path: "browser-failure.png" }).catch(() => undefined);
  console.error("complaints of the page:", complaints, "\nserver:", told);
  process.exitCode = 1;
  console.error(error);
} finally {
  await browser.close();
  server.kill("SIGINT");
  await rm(folder, { recursive: true, force: true });
}
