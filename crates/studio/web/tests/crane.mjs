// A crane with two falls, built from nothing with the mouse alone, driven by its levers, saved and checked.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { program, withStudio } from "./real.mjs";

/** What a person can do without hurry in five minutes: one action every five seconds. */
const MOST_ACTIONS = 60;

const near = (a, b, within, what) => assert.ok(Math.abs(a - b) <= within, `${what}: ${a}, expected ${b} ± ${within}`);

await withStudio(Number(process.env.PORT ?? 8450), async ({ page, folder, until, ask, drawn, turn, tree, dragTo, picture, step }) => {
  let actions = 0;
  const onPage = (point) => ask("onPage", point);
  const press = async (name, options = {}) => {
    actions += 1;
    await page.getByRole("button", { name, exact: true, ...options }).click();
  };
  const click = async (point) => {
    actions += 1;
    const { x, y } = await onPage(point);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
  };
  const drag = async (from, to) => {
    actions += 1;
    await dragTo(await onPage(from), await onPage(to));
  };
  const made = async (what, holds) => {
    await until(what, async () => holds(await tree()));
    // the picture shows it
    await drawn();
  };

  step("an empty scene, seen from a little farther");
  actions += 1;
  await page.locator(".scene-button").click();
  await press("New scene");
  await made("an empty scene", (t) => Object.keys(t.bodies ?? {}).join() === "ground");
  await page.getByRole("toolbar", { name: "Build" }).waitFor();
  await drawn();
  await picture("crane-empty");
  const canvas = await page.locator(".picture canvas").boundingBox();
  const middle = { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 };
  const fits = (p) => p.x > canvas.x + 60 && p.x < canvas.x + canvas.width - 60 && p.y > canvas.y + 120 && p.y < canvas.y + canvas.height - 40;
  const away = async () => (await onPage([0, 0, 4.8])).y - (await onPage([2, 0, 0])).y;
  await page.mouse.move(middle.x, middle.y);
  while (Math.abs(await away()) > 0.6 * canvas.height) {
    actions += 1;
    await page.mouse.wheel(0, 400);
    await drawn();
  }
  // the place of the crane to the middle of the picture
  const at = await onPage([2, 0, 2.2]);
  actions += 1;
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(middle.x + middle.x - at.x, middle.y + middle.y + 40 - at.y, { steps: 6 });
  await page.mouse.up({ button: "right" });
  await drawn();
  for (const corner of [[0, 0, 4.8], [4.5, 0, 4.8], [-1, 0, 0], [4.5, 0, 0]]) assert.ok(fits(await onPage(corner)), `${corner} is in sight`);

  step("a foundation, a column on it and a boom on that");
  await press("Foundation");
  await click([0, 0, 0]);
  await made("a foundation", (t) => t.bodies.foundation?.type === "static");
  const top = (await tree()).bodies.foundation.shape.box.size[2];
  await press("Beam");
  await page.getByText("Beam: drag from its foot").waitFor();
  await drag([0, 0, top], [0, 0, top + 4]);
  await made("a column", (t) => !!t.bodies.column);
  const column = (await tree()).bodies.column;
  const head = column.position[2] + column.shape.box.size[2] / 2;
  await press("Beam");
  await drag([0, 0, head], [4, 0, head]);
  await made("a boom", (t) => !!t.bodies.beam);
  const boom = (await tree()).bodies.beam;
  assert.deepEqual((await tree()).joints["beam foot"].weld.bodies, ["column", "beam"]);

  step("a motor turns the column on the foundation; the weld becomes a hinge");
  await press("Motor");
  await click([0.4, -0.4, top]);
  await click([0, -0.15, 1.5]);
  await made("a slewing motor", (t) => !!t.joints.slew?.hinge.motor && !t.joints["column foot"]);
  assert.deepEqual((await tree()).joints.slew.hinge.axis, [0, 0, 1]);

  step("a load on the ground, a hook block on it");
  await press("Box");
  await click([4, 0, 0]);
  await made("a load", (t) => !!t.bodies.box);
  const load = (await tree()).bodies.box;
  await press("Hook block");
  await click([4, 0, load.position[2] * 2]);
  await made("a hook block", (t) => !!t.bodies.hook);
  const hook = (await tree()).bodies.hook;
  await press("Ball");
  await click([4, -load.position[2], load.position[2]]);
  await click([4, -0.05, 2 * load.position[2] + 0.03]);
  await made("a joint between them", (t) => !!t.joints.ball);
  assert.deepEqual((await tree()).joints.ball.ball, { bodies: ["box", "hook"], at: [4, 0, 2 * load.position[2]] });
  await picture("crane-parts");

  step("a winch on the column, and a rope with two falls");
  await press("Winch");
  await click([0.15, 0, 1.5]);
  await made("a winch", (t) => t.winches?.hoist?.on === "column");
  const drum = (await tree()).winches.hoist;
  const tip = [boom.position[0] + boom.shape.box.size[0] / 2, 0, boom.position[2]];
  await press("Routed rope");
  await page.getByText("Rope: click where it begins").waitFor();
  await click(drum.at);
  await page.getByText("Click what it runs over").waitFor();
  await click(tip);
  await click([hook.position[0], -0.1, hook.position[2]]);
  await picture("crane-route");
  await press("End");
  await click(tip);
  await made("a rope", (t) => !!t.cables?.rope);
  const rope = (await tree()).cables.rope;
  assert.deepEqual(rope.route.map((p) => Object.keys(p)[0]), ["winch", "pulley", "pulley", "attach"]);
  assert.deepEqual(rope.route[2].at.slice(0, 2), [4, 0], "the sheave is between the cheeks of the block");

  step("a lever for the winch and one for the motor, with keys of one's own");
  await press("Lever");
  await click(drum.at);
  await made("a hoist lever", (t) => t.inputs?.hoist?.drives[0].joint === "hoist");
  await press("Lever");
  await click(boom.position);
  await made("a slew lever", (t) => t.inputs?.slew?.drives[0].joint === "slew");
  for (const [way, key] of [["more", "q"], ["less", "w"]]) {
    await press(`Key for ${way}`);
    // it listens from the turn after it says so
    await page.locator('.bind[aria-pressed="true"]').waitFor();
    await turn();
    await page.keyboard.press(key);
  }
  actions += 2;
  await made("keys", (t) => t.inputs.slew.keys.join() === "Q,W");
  await picture("crane-levers");

  step("each action is one step of undo");
  await press("Undo: Change slew keys (Ctrl Z)");
  await made("one key back", (t) => t.inputs.slew.keys.join() === "Q,Right");
  await press("Redo: Change slew keys (Ctrl Y)");
  await made("and on again", (t) => t.inputs.slew.keys.join() === "Q,W");

  step("saves it under the name that is proposed");
  await press("Save changes (Ctrl S)");
  await press("Save");
  await until("it is saved", async () => (await ask("scene")).file.endsWith("machine.toml"));
  const built = actions;
  console.log(`  built and saved with ${built} actions`);
  assert.ok(built <= MOST_ACTIONS, `${built} actions are too many for five minutes`);

  step("the hoist lever lifts the load at half the speed of the rope");
  await page.getByRole("button", { name: /^Build/ }).click();
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("it runs", async () => (await ask("status")).time > 0.5);
  const before = (await ask("moment", ["box"])).places[0][2];
  const track = await page.locator('.lever[data-input="hoist"] .track').boundingBox();
  await page.mouse.move(track.x + track.width / 2, track.y + track.height / 2);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width + 10, track.y + track.height / 2, { steps: 4 });
  const speeds = (await ask("scene")).inputs;
  const omega = speeds.find((i) => i.name === "hoist").high;
  const radius = Number.parseFloat(drum.radius) / 1000;
  const actual = async (name) => (await ask("status")).inputs[name][1];
  await until("the drum is at full speed", async () => Math.abs((await actual("hoist")) - omega) < 1e-6);
  await page.waitForTimeout(500);
  const pace = async (names, value, seconds) => {
    const first = await ask("moment", names);
    await until("time goes on", async () => (await ask("moment", names)).time > first.time + seconds);
    const last = await ask("moment", names);
    return (value(last.places) - value(first.places)) / (last.time - first.time);
  };
  const lift = await pace(["box"], ([p]) => p[2], 3);
  near(lift, (omega * radius) / 2, 0.03 * omega * radius, "speed of the load");
  await picture("crane-hoisting");
  await page.mouse.up();
  await until("it stands", async () => (await actual("hoist")) === 0);
  assert.ok((await ask("moment", ["box"])).places[0][2] > before + 0.4, "the load is in the air");

  step("the slew key turns the boom at the speed of the lever");
  await page.keyboard.down("q");
  const rate = speeds.find((i) => i.name === "slew").high;
  await until("the boom is at full speed", async () => Math.abs((await actual("slew")) - rate) < 1e-6);
  await page.waitForTimeout(300);
  const angle = ([p]) => Math.atan2(p[1], p[0]);
  near(await pace(["beam"], angle, 2), rate, 0.03 * rate, "speed of the boom");
  await page.keyboard.up("q");
  await until("it stands", async () => (await actual("slew")) === 0);
  assert.ok(angle((await ask("moment", ["beam"])).places) > 0.2, "the boom went to the left");
  await picture("crane-slewed");

  step("windlass check finds nothing to say about the file");
  const file = join(folder, "machine.toml");
  const text = await readFile(file, "utf8");
  if (process.env.PICTURES) console.log(text);
  const told = spawnSync(program, ["check", file], { encoding: "utf8" });
  assert.equal(told.status, 0, told.stderr);
  assert.match(told.stdout, /valid; \d+ bodies/);
  assert.doesNotMatch(told.stdout + told.stderr, /warn/i);
  assert.equal(told.stdout.trim().split("\n").length, 1, told.stdout);
  assert.match(text, /# A rope from hoist/);

});
