// The page against the real server: drives a crane, builds a cradle of five balls with the mouse, runs it, goes back, branches,
// plots, saves, loads it again, exports.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withStudio } from "./real.mjs";

await withStudio(Number(process.env.PORT ?? 7490), async ({ page, folder, until, ask, drawn, tree, time, clickAt, picture, step }) => {
  step("opens, and drives the crane");
  const crane = await ask("scene");
  const lever = crane.inputs.find((i) => i.keys && /hoist|slew/.test(i.name)) ?? crane.inputs.find((i) => i.keys);
  const load = crane.bodies.find((b) => b.kind === "dynamic" && /load/.test(b.name)) ?? crane.bodies.findLast((b) => b.kind === "dynamic");
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
  await drawn();

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
  await drawn();
  await picture("studio-build");

  step("runs it: the blow goes through the row");
  const rest = await ask("place", "sphere5");
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("the last ball swings out", async () => (await ask("place", "sphere5"))?.[0] > rest[0] + 0.05);
  await until("some time passes", async () => (await time()) > 2);
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await until("it stands", async () => !(await ask("status")).playing);

  step("draws no picture while nothing changes, and one when the eye moves");
  await page.mouse.move(640, 400);
  await until("the picture is at rest", async () => {
    const before = await ask("pictures");
    await page.waitForTimeout(300);
    return (await ask("pictures")) === before;
  });
  const pictures = await ask("pictures");
  await page.waitForTimeout(2000);
  assert.equal(await ask("pictures"), pictures, "pictures of a page at rest");
  await page.mouse.wheel(0, 10);
  await until("another picture", async () => (await ask("pictures")) > pictures);

  step("scrubs back, sets a sync point, continues as a branch");
  const end = await time();
  const line = await page.locator(".timeline-track").boundingBox();
  await page.mouse.click(line.x + line.width * 0.4, line.y + line.height / 2);
  await until("the past is shown", async () => Math.abs((await time()) - 0.4 * end) < 0.2);
  await page.getByRole("button", { name: "Set a sync point (M)" }).click();
  await page.locator(".flag").first().waitFor();
  // slowly, so that there is time to do something before the branch ends
  await page.getByLabel("Speed").selectOption("0.1");
  await page.getByRole("button", { name: "Continue from here" }).click();
  await until("a branch is left", async () => (await ask("status")).points.some((p) => p.kind === "branch"));
  await until("it runs on", async () => (await ask("status")).live && (await ask("status")).playing);

  step("compares with the branch, as a ghost");
  await page.locator(".flag.left-branch").first().click({ force: true });
  await page.getByRole("menuitem", { name: "Compare as a ghost" }).click();
  await until("the ghost is there", () => ask("ghost"));
  await picture("studio-ghost");

  step("pulls a ball, and compares side by side: one time, one eye, scrubbed together");
  const fork = (await ask("status")).points.find((p) => p.kind === "mark").time;
  const left = (await ask("status")).points.find((p) => p.kind === "branch").time;
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await until("it stands", async () => !(await ask("status")).playing);
  assert.ok((await time()) < fork + 0.5 * (left - fork), `${await time()} s is well before ${left} s`);
  const ball = await ask("onPage", await ask("place", "sphere3"));
  await page.mouse.move(ball.x, ball.y);
  await page.mouse.down();
  await page.mouse.move(ball.x + 20, ball.y - 60, { steps: 4 });
  for (const speed of [0.25, 0.5, 1]) {
    await page.keyboard.press("]");
    await until(`at ${speed}`, async () => (await ask("status")).speed === speed);
  }
  await page.keyboard.press("Space");
  await until("it was pulled for a while", async () => (await time()) > left);
  await page.mouse.up();
  await page.getByRole("button", { name: "Side by side", exact: true }).click();
  await page.locator(".split-names").waitFor();
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  const scrub = async (t) => {
    const { from, to } = await ask("status");
    const track = await page.locator(".timeline-track").boundingBox();
    await page.mouse.click(track.x + (track.width * (t - from)) / (to - from), track.y + track.height / 2);
  };
  const distance = async () => {
    const [a, b] = [await ask("place", "sphere3"), await ask("place", "sphere3", true)];
    return a && b ? Math.hypot(...a.map((v, i) => v - b[i])) : NaN;
  };
  await scrub(fork + 0.8 * (left - fork));
  await until("both show the same later moment, and differ", async () => Math.abs((await ask("ghostTime")) - (await time())) < 1e-6 && (await time()) > fork && (await time()) < left && (await distance()) > 0.02);
  await picture("studio-side-by-side");
  const corner = await ask("onPage", [0, 0, 1.2]);
  const canvas = await page.locator(".picture canvas").boundingBox();
  await page.mouse.move(canvas.x + 0.8 * canvas.width, canvas.y + 0.2 * canvas.height);
  await page.mouse.down();
  await page.mouse.move(canvas.x + 0.9 * canvas.width, canvas.y + 0.25 * canvas.height, { steps: 4 });
  await page.mouse.up();
  await until("turned in one, both are", async () => Math.abs((await ask("onPage", [0, 0, 1.2])).x - corner.x) + Math.abs((await ask("onPage", [0, 0, 1.2])).y - corner.y) > 3);
  await scrub(0.5 * fork);
  await until("before the fork they are one", async () => Math.abs((await ask("ghostTime")) - (await time())) < 1e-6 && (await time()) < fork && (await distance()) < 1e-6);
  await page.getByRole("button", { name: "Light theme" }).click();
  await drawn();
  await picture("studio-side-by-side-light");
  await page.getByRole("button", { name: "Dark theme" }).click();
  await page.locator(".ghost-name button", { hasText: "End" }).click();
  await until("one picture again", async () => (await page.locator(".split-names").count()) === 0 && !(await ask("ghost")));
  await page.getByRole("button", { name: "Back to live" }).click();
  await until("it goes on", async () => (await ask("status")).live && (await ask("status")).playing);

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

  step("installs a harness by hand: records the way of its plug, plays it again, reads the verdict");
  if ((await page.locator(".panel.left").count()) === 0) await page.locator(".scene-button").click();
  await page.locator(".gallery button", { hasText: "A harness through a bracket" }).click();
  await until("the harness is there", async () => (await ask("scene"))?.id === "assembly/harness_install");
  if ((await page.locator(".panel.left").count()) > 0) await page.getByRole("button", { name: "Close scenes" }).click();
  if ((await page.getByRole("button", { name: "Assembly (A)" }).getAttribute("aria-pressed")) !== "true") await page.getByRole("button", { name: "Assembly (A)" }).click();
  await page.getByText("Can this part be assembled without collision?").waitFor();
  await picture("studio-assembly-empty");
  if ((await page.locator(".hints").count()) > 0) await page.locator(".hints header button").click();
  await ask("eye", [0.08, 0.02, 0.1, -1.75, 0.4, 1.2]);
  await page.getByRole("button", { name: "Record", exact: true }).click();
  await until("it records", async () => (await ask("status")).recording && (await ask("status")).time > 0.3);
  await page.waitForTimeout(500);
  const plug = await ask("place", "plug");
  const way = [plug, [0.0, 0, 0.1], [0.08, 0, 0.15], [0.2, 0, 0.15], [0.3, 0, 0.14], [0.4, 0, 0.12], [0.47, 0, 0.12]];
  const onPage = async (point) => ask("onPage", point);
  const start = await onPage(plug);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  for (const point of way.slice(1)) {
    const at = await onPage(point);
    await page.mouse.move(at.x, at.y, { steps: 8 });
    await page.waitForTimeout(400);
  }
  await picture("studio-assembly-record");
  await page.mouse.up();
  await page.getByLabel("Name of the path").fill("through the bracket");
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await until("a path is kept", async () => (await ask("status")).paths.length === 1);
  const path = (await ask("status")).paths[0];
  assert.equal(path.part, "plug");
  assert.ok(path.points > 10, `${path.points} moves`);
  await page.getByRole("button", { name: "Play through the bracket" }).click();
  await until("it is judged", async () => (await ask("status")).paths[0].verdict, 60);
  await page.getByText(/^contact with .* at t = /).waitFor();
  const check = (await ask("status")).check;
  assert.ok(check.first && check.first.a.name === "plug", JSON.stringify(check));
  await picture("studio-assembly");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await until("the first contact is shown", async () => Math.abs((await time()) - check.first.time) < 0.02);
  await drawn();
  await picture("studio-assembly-contact");
  await page.getByRole("button", { name: "Light theme" }).click();
  await page.getByRole("button", { name: "Axes of joints and applied forces (J)" }).click();
  await drawn();
  await picture("studio-assembly-light");

});
