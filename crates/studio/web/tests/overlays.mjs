// Overlays against the real server: what frames do not carry is sent only while it is shown.
import assert from "node:assert/strict";
import { withStudio } from "./real.mjs";

const SCENE = `windlass = 2
title = "Overlays"
[settings.sleep]
[bodies.ground]
type = "static"
shape = { plane = {} }
[bodies.low]
position = [0, 0, 0.25]
mass = 3
shape = { box = { size = [0.5, 0.5, 0.5] } }
[bodies.high]
position = [0, 0, 0.75]
mass = 3
shape = { box = { size = [0.5, 0.5, 0.5] } }
[bodies.other]
position = [2, 0, 0.25]
mass = 3
shape = { box = { size = [0.5, 0.5, 0.5] } }
[bodies.bob]
position = [-1, 0, 3]
mass = 2
shape = { sphere = { radius = 0.2 } }
[joints.pivot]
hinge = { bodies = ["ground", "bob"], at = [-2, 0, 3], axis = [0, 1, 0] }
[cables.bow]
section = { diameter = 0.05, mass_per_length = 0.5, axial_stiffness = 1e5, bending_stiffness = 2 }
elements = 12
path = [[1, 1, 2], [2, 1, 1.5], [3, 1, 2]]
start = { body = "ground" }
end = { body = "ground" }
`;

const sizes = [];
const listen = async (page) => page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => typeof payload !== "string" && sizes.push(payload.length)));

await withStudio(
  Number(process.env.PORT ?? 8472),
  async ({ page, openText, until, ask, picture, step }) => {
    const toggle = async (...names) => {
      await page.getByRole("button", { name: "Display options" }).click();
      for (const name of names) await page.getByRole("menuitemcheckbox", { name }).click();
      await picture("overlays-menu");
      await page.keyboard.press("Escape");
    };
    const count = async (kind) => (await ask("overlays"))?.[kind] ?? 0;

    step("opens boxes, a pendulum and a cable");
    await openText(SCENE);
    await until("a bob", async () => !!(await ask("place", "bob")));
    await page.getByRole("button", { name: "Scene text" }).click();
    await page.getByRole("button", { name: "Build" }).click();
    await page.getByRole("button", { name: "Play (Space)" }).click();
    await until("contacts", async () => (await ask("status")).contacts >= 8);
    await ask("eye", [0.5, 0, 1.2, -1.4, 0.25, 9]);

    step("draws contact points, frames, centres and ellipsoids from what is known");
    for (const kind of ["points", "frames", "centers", "inertia", "velocities", "spins"]) assert.equal(await count(kind), 0);
    await until("frames come", () => sizes.length > 10);
    await toggle("Contact points", "Body frames", "Centres of mass", "Inertia ellipsoids");
    await until("contact points", async () => (await count("points")) >= 8);
    await until("a frame for each body", async () => (await count("frames")) === 5);
    assert.equal(await count("centers"), 4);
    assert.equal(await count("inertia"), 4);
    await picture("overlays-marks");
    await toggle("Contact points", "Body frames", "Centres of mass", "Inertia ellipsoids");
    await until("none is left", async () => (await count("points")) + (await count("frames")) + (await count("inertia")) === 0);

    step("asks for velocities only while they are shown");
    const size = () => sizes.at(-1);
    const plain = Math.min(...sizes.slice(-10));
    await toggle("Velocities");
    await until("an arrow at the bob", async () => (await count("velocities")) >= 1 && (await count("spins")) >= 1);
    // five bodies of six floats, and the mark of the block; the number of contacts may change meanwhile
    assert.ok(sizes.slice(-5).some((s) => (s - plain - 124) % 24 === 0), `${plain} and ${sizes.slice(-5)}`);
    await picture("overlays-velocities");
    await toggle("Velocities");
    await until("none is left", async () => (await count("velocities")) === 0);
    await until("frames are as small as before", () => (size() - plain) % 24 === 0 && Math.abs(size() - plain) < 120);

    step("colours islands, and bodies that sleep");
    const colors = () => ask("colors");
    const own = await colors();
    assert.equal(own.low, own.other);
    await toggle("Islands");
    await until("a colour for each island", async () => {
      const now = await colors();
      return now.low === now.high && now.low !== now.other && now.other !== own.other && now.bob !== now.other;
    });
    await picture("overlays-islands");
    await toggle("Islands", "Sleeping bodies");
    await until("what lies still sleeps", async () => {
      const now = await colors();
      return now.other !== own.other && now.bob === own.bob;
    });
    await picture("overlays-sleeping");
    await toggle("Sleeping bodies");
    await until("as they were", async () => (await colors()).other === own.other);

    step("colours cables by curvature, or by tension");
    await toggle("Cables by curvature");
    await until("a legend", async () => /Curvature.*1\/m/s.test(await page.locator(".legend").innerText().catch(() => "")));
    await picture("overlays-bending");
    await toggle("Cables by tension");
    await until("one at a time", async () => /Tension/.test(await page.locator(".legend").innerText().catch(() => "")));
    await toggle("Cables by tension");
    await until("no legend", async () => (await page.locator(".legend").count()) === 0);

    step("has numbers at its colours also while the run is paused");
    await page.getByRole("button", { name: "Pause (Space)" }).click();
    await until("it is paused", async () => !(await ask("status")).playing);
    await page.waitForTimeout(500);
    await toggle("Cables by tension");
    await until("two numbers", async () => /\d.*\d/s.test(await page.locator(".legend-ends").innerText().catch(() => "")));
  },
  { setUp: listen },
);
