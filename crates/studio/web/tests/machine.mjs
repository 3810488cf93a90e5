// Tools for machines against the real server: servo, lever, script, spring, cable, ring, probe, camera, measures, copies, cut, splice.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

const EYE = [0, 0, 0.8, -1.35, 0.45, 9];
const YARD = `windlass = 2
title = "A yard"

[bodies.ground]
type = "static"
shape = { plane = {} }

[bodies.left]
type = "static"
position = [-2, 0, 1]
shape = { box = { size = [0.4, 0.4, 2] } }

[bodies.right]
type = "static"
position = [2, 0, 1]
shape = { box = { size = [0.4, 0.4, 2] } }

[bodies.block]
position = [0, 0, 0.25]
shape = { box = { size = [0.5, 0.5, 0.5] } }
mass = "100 kg"
`;
const WIRES = `windlass = 2
title = "Two wires"

[bodies.ground]
type = "static"
shape = { plane = {} }

[bodies.post]
type = "static"
position = [-2, 0, 0.5]
shape = { box = { size = [0.2, 0.2, 1] } }

[cables.red]
section = { construction = "6x36 IWRC", diameter = "16 mm" }
start = { body = "post", at = [-1.9, 0, 0.5] }
path = [[-1.9, 0, 0.5], [-0.1, 0, 0.1]]

[cables.blue]
section = { construction = "6x36 IWRC", diameter = "16 mm" }
path = [[0.1, 0, 0.1], [2, 0, 0.1]]
`;

await withStudio(Number(process.env.PORT ?? 8451), async ({ page, until, ask, tree, clickAt, dragTo, picture, step }) => {
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  const made = async (what, holds) => {
    await until(what, async () => holds(await tree()));
    await page.waitForTimeout(300);
  };
  const double = async (point) => {
    const { x, y } = await ask("onPage", point);
    await page.mouse.dblclick(x, y);
  };
  const open = async (title, text) => {
    const files = await page.evaluateHandle(
      ([n, t]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([t], n, { type: "application/toml" }));
        return transfer;
      },
      ["yard.toml", text],
    );
    await page.dispatchEvent("canvas", "drop", { dataTransfer: files });
    const dialog = page.getByRole("dialog", { name: "Unsaved changes" });
    if ((await ask("status")).dirty) await dialog.getByRole("button", { name: "Discard" }).click();
    await until(`${title} is open`, async () => (await ask("scene")).title === title);
    if ((await page.getByRole("toolbar", { name: "Build" }).count()) === 0) await press("Build");
    await until("it is at its start", async () => (await ask("status")).editing);
    await ask("eye", EYE);
    await page.waitForTimeout(500);
  };
  const near = (a, b, within = 1e-6) => Math.abs(a - b) <= within;
  await open("A yard", YARD);

  step("what cannot be done says why");
  await press("Winch");
  await clickAt([0, 1.5, 0]);
  await page.getByText("A winch is mounted on a body").waitFor();
  await page.keyboard.press("Escape");
  await press("Lever");
  await clickAt([0, -0.25, 0.25]);
  await page.getByText("Nothing drives this").waitFor();
  await page.keyboard.press("Escape");
  await press("Cut");
  await clickAt([0, -0.25, 0.25]);
  await page.getByText("Click a cable where it is to be cut.", { exact: true }).waitFor();
  await page.keyboard.press("Escape");

  step("a servo between the ground and the block, with a lever on a gamepad axis");
  await press("Servo");
  await clickAt([0, -0.6, 0]);
  await clickAt([0, -0.25, 0.25]);
  await made("a servo", (t) => t.joints?.slew?.hinge.servo?.target === 0);
  assert.deepEqual((await tree()).joints.slew.hinge.bodies, ["ground", "block"]);
  await press("Lever");
  await clickAt([0, -0.25, 0.25]);
  await made("a lever", (t) => t.inputs?.slew?.self_centering === false);
  await page.evaluate(() => {
    window.pad = { connected: true, axes: [0, 0, 0, 0], buttons: [] };
    navigator.getGamepads = () => [window.pad];
  });
  await press("Bind");
  await page.getByText("move an axis").waitFor();
  await page.evaluate(() => (window.pad.axes[3] = -0.9));
  await made("the axis that was moved", (t) => t.inputs.slew.gamepad === "right-y");
  await page.evaluate(() => (window.pad.axes[3] = 0));

  step("a key that another lever has is not taken; Escape keeps the old one");
  await press("Key for less");
  await page.keyboard.press((await tree()).inputs.slew.keys[0].replace(/^(Up|Down|Left|Right)$/, "Arrow$1"));
  await page.getByText("it is the other key").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByText("press a key").count(), 0);

  step("steps of the script, which the run follows");
  await press("Add a step");
  await made("a step", (t) => t.script?.length === 1);
  const value = page.getByLabel("value of step 1");
  await value.fill("20 deg");
  await value.press("Enter");
  await made("its value", (t) => t.script[0].set.slew === "20 deg");
  await press("Add a step");
  await made("a second one, back to rest", (t) => t.script.length === 2 && t.script[1].at > t.script[0].at && t.script[1].set.slew === 0);
  assert.match((await ask("scene")).text, /\[\[script\]\]\nat = 1\nset = \{ slew = "20 deg" \}/);
  await picture("machine-lever");
  await press("Play (Space)");
  await until("the input is at 20°", async () => near((await ask("status")).inputs.slew[1], (20 * Math.PI) / 180, 1e-6));
  await press("Pause (Space)");
  await page.keyboard.press("Backspace");
  await until("at the start again", async () => (await ask("status")).editing);
  await press("Remove step 2");
  await made("one step", (t) => t.script.length === 1);

  step("a spring for the mass it holds");
  await press("Spring");
  await clickAt([-1.8, 0, 1]);
  await clickAt([0, -0.25, 0.25]);
  await made("a spring", (t) => !!t.joints.spring);
  assert.equal((await tree()).joints.spring.distance.spring.stiffness, "20 kN/m");
  await page.keyboard.press("Escape");

  step("a rope between the posts, and a ring in it");
  await press("Routed rope");
  await clickAt([-2, 0, 2]);
  await double([2, 0, 2]);
  await made("a rope", (t) => t.cables?.rope?.route.map((p) => p.attach).join() === "left,right");
  await press("Ring");
  await clickAt([0, 0, 2]);
  await page.getByText("Click the point of a body where the ring sits.").waitFor();
  await clickAt([0, -0.25, 0.25]);
  await made("a ring", (t) => t.cables.rope.route[1]?.ring === "block");
  const [from, to] = await ask("line", "rope");
  const onRope = from.map((v, i) => (v + to[i]) / 2);
  await press("Lever");
  await clickAt(onRope);
  await made("a lever that pays out the rope", (t) => t.inputs.rope?.drives[0].cable === "rope");
  await press("Pulley");
  await clickAt(onRope);
  await clickAt([-1.8, 0, 0.95]);
  await made("a pulley before the ring", (t) => t.cables.rope.route.map((p) => Object.keys(p)[0]).join() === "attach,pulley,ring,attach");
  await page.getByText("2 pulley").click();
  await page.getByLabel("cables rope route 1 radius").waitFor();
  await picture("machine-ring");
  await press("Remove point 2");
  await made("no pulley", (t) => t.cables.rope.route.length === 3);

  step("a flexible cable with slack, cut and spliced again");
  await press("Cable");
  await press("Slack");
  await clickAt([-2, -0.2, 1]);
  await double([2, -0.2, 1]);
  await made("a cable", (t) => t.cables.cable?.length === "4.2 m");
  const points = await ask("line", "cable");
  const middle = points[Math.floor(points.length * 0.3)];
  await press("Cut");
  await clickAt(middle);
  await made("a cut", (t) => t.cables.cable.cut?.length === 1);
  assert.ok(near((await tree()).cables.cable.cut[0], 1.26, 0.3), `cut at ${(await tree()).cables.cable.cut[0]} m of 4.2 m`);
  await press("Splice");
  await clickAt(points[Math.floor(points.length * 0.4)]);
  await made("no cut", (t) => !t.cables.cable.cut);

  step("a probe of the block");
  await press("Probe");
  await clickAt([0.2, -0.25, 0.08]);
  await page.getByLabel("Search quantities").fill("position.z");
  await page.getByRole("option", { name: "bodies.block.position.z" }).click();
  await picture("machine-probe");
  await press("Add");
  await made("a probe", (t) => t.probes?.["block position z"] === "bodies.block.position.z");
  await page.getByLabel("quantity", { exact: true }).waitFor();

  step("cameras from this view, on the block and in the world");
  await press("Camera");
  await clickAt([0.2, -0.25, 0.08]);
  await made("a camera on the block", (t) => t.cameras?.["block view"]?.on === "block");
  await press("Camera");
  await clickAt([0.8, -1.2, 0]);
  await made("a fixed camera", (t) => !!t.cameras.view && !t.cameras.view.on);
  const [fixed, mounted] = [(await tree()).cameras.view.position, (await tree()).cameras["block view"].position];
  fixed.forEach((v, i) => assert.ok(near(v, mounted[i] + [0, 0, 0.25][i], 0.002), "both look from the same place"));

  step("measures that stay, and follow the bodies");
  await press("Distance");
  await clickAt([-2, 0, 2]);
  await clickAt([2, 0, 2]);
  const distance = page.getByLabel("Distance", { exact: true }).locator("b");
  await until("4 m", async () => (await distance.textContent().catch(() => "")) === "4 m");
  await page.keyboard.press("Escape");
  await press("Angle");
  await clickAt([-2, 0, 2]);
  await clickAt([2, 0, 2]);
  await clickAt([2, -0.2, 1]);
  const angle = page.locator(".measure", { hasText: "°" });
  // between (−4, 0, 0) and (0, −0.2, −1)
  await until("a right angle", async () => (await angle.textContent().catch(() => "")).startsWith("90°"));
  await page.keyboard.press("Escape");
  await picture("machine-measures");
  await angle.getByRole("button", { name: "Remove the measure" }).click();
  assert.equal(await angle.count(), 0);
  assert.equal(await page.locator(".measure").count(), 1);

  step("a winch is moved by its handles, and deleted");
  await press("Winch");
  await clickAt([2, -0.2, 1.7]);
  await made("a winch on the right post", (t) => t.winches?.hoist?.on === "right");
  const { at } = (await tree()).winches.hoist;
  assert.deepEqual([at[0], at[2]], [2, 1.7]);
  await until("it has handles", () => ask("handles"));
  const up = (by) => ask("onPage", [at[0], at[1], at[2] + by]);
  // along the arrow that points up, which is about a tenth of the distance long
  await dragTo(await up(0.6), await up(1.1));
  await made("it is higher", (t) => t.winches.hoist.at[2] > 2 && t.winches.hoist.at[2] < 2.4 && t.winches.hoist.at[0] === 2);
  await page.keyboard.press("Delete");
  await made("it is gone", (t) => !t.winches?.hoist);

  step("copies along a path, in one step of undo");
  await clickAt([0.2, -0.25, 0.08]);
  await until("the block is selected", async () => (await page.getByLabel("Name", { exact: true }).inputValue().catch(() => "")) === "block");
  await press("Copies along a path …");
  await page.getByLabel("Count, including the first").fill("4");
  await page.getByLabel("Turn them with the path").uncheck();
  await press("Draw the path");
  await clickAt([-0.5, -1.2, 0]);
  await double([2.5, -1.2, 0]);
  await made("three copies", (t) => !!t.bodies.block4);
  const all = (await tree()).bodies;
  assert.deepEqual([all.block2.position, all.block3.position, all.block4.position], [[1, 0, 0.25], [2, 0, 0.25], [3, 0, 0.25]]);
  await page.keyboard.press("Control+z");
  await made("undone at once", (t) => !t.bodies.block2 && !t.bodies.block4);

  step("what hangs on the block goes with it");
  await page.keyboard.press("Escape");
  await clickAt([0.2, -0.25, 0.08]);
  await until("the block is selected", async () => (await page.getByLabel("Name", { exact: true }).inputValue().catch(() => "")) === "block");
  await page.keyboard.press("Delete");
  await made("nothing of it is left", (t) => !t.bodies.block && !t.inputs?.slew && !t.script && !t.cables.rope && !t.probes?.["block position z"] && !t.cameras?.["block view"]);
  assert.ok((await tree()).cables.cable && (await tree()).cameras.view, "what does not need it stays");

  step("two cables become one");
  await open("Two wires", WIRES);
  await press("Splice");
  await clickAt([-0.2, 0, 0.122]);
  await page.getByText("Click the free end of the other cable.").waitFor();
  await clickAt([0.2, 0, 0.1]);
  await made("one cable", (t) => !t.cables.blue && t.cables.red.path.length === 4);
  const { red } = (await tree()).cables;
  assert.equal(red.start.body, "post");
  assert.deepEqual([red.path[0], red.path[3]], [[-1.9, 0, 0.5], [2, 0, 0.1]]);

});
