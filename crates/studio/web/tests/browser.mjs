// Drives the built page in a real browser against the mock. Asserts on state and on pixels, never on speed.
import assert from "node:assert/strict";
import { quality } from "./chromium.mjs";
import { withMock } from "./mock.mjs";

await withMock({ viewport: { width: 1024, height: 576 } }, async ({ page, server, mock, drawn, turn, step, until }) => {
  /** Share of the canvas's pixels with more than so much red over green, red over blue, green over blue, and less than the last; read from a picture of the page. */
  const pixels = async (test) => {
    const png = (await page.locator("canvas").first().screenshot()).toString("base64");
    return page.evaluate(
      async ([data, source]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        const pen = canvas.getContext("2d");
        pen.drawImage(image, 0, 0);
        const { data: bytes } = pen.getImageData(0, 0, image.width, image.height);
        const bad = source.split(",").map(Number);
        let count = 0;
        for (let i = 0; i < bytes.length; i += 4) {
          const [r, g, b] = [bytes[i], bytes[i + 1], bytes[i + 2]];
          if (r - g > bad[0] && r - b > bad[1] && g - b > bad[2] && g - b < (bad[3] ?? 256)) count += 1;
        }
        return count / (bytes.length / 4);
      },
      [png, test.join(",")],
    );
  };
  /** How many different colours a part of the page has. */
  const tones = async (clip) => {
    const png = (await page.screenshot({ clip })).toString("base64");
    return page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      const pen = canvas.getContext("2d");
      pen.drawImage(image, 0, 0);
      return new Set(new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)).size;
    }, png);
  };
  /** Chooses a quality from the menu. */
  const draws = async (quality) => {
    await page.getByRole("button", { name: "Display options" }).click();
    await page.getByRole("menuitemradio", { name: `Picture quality: ${quality}` }).click();
    await page.keyboard.press("Escape");
    await until(`it is ${quality}`, () => page.evaluate((q) => window.windlass.quality() === q, quality));
  };

  step("opens, and shows the crane");
  await page.goto(`${server.address}/?quality=${quality}`, { waitUntil: "commit" });
  await page.locator(".live-mark.on").waitFor();
  await page.locator(".hints").waitFor();
  await drawn();
  assert.ok((await pixels([30, 60, 25])) > 0.004, "the yellow crane is in the picture");

  step("is driven by a held key, and springs back");
  await page.locator("canvas").first().click({ position: { x: 30, y: 400 } });
  const before = mock().state.slew;
  await page.keyboard.down("ArrowLeft");
  await until("the crane slews", () => mock().state.slew > before + 0.1);
  assert.equal(mock().wanted.slew, 0.5);
  await page.keyboard.up("ArrowLeft");
  await until("the lever springs back", () => mock().wanted.slew === 0);

  step("is driven by a lever on the screen; the load rises");
  const track = await page.locator('[data-input="hoist"] .track').boundingBox();
  const height = mock().state.load[2];
  await page.mouse.move(track.x + track.width / 2, track.y + track.height / 2);
  await page.mouse.down();
  await page.mouse.move(track.x + track.width - 1, track.y + track.height / 2);
  await until("the load rises", () => mock().state.load[2] > height + 0.3);
  await page.mouse.up();
  await until("the hoist stops", () => mock().wanted.hoist === 0);

  step("pulls the load by a rubber band");
  const grabbed = [];
  const receive = mock().receive.bind(mock());
  mock().receive = (command) => {
    grabbed.push(command);
    receive(command);
  };
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Bodies, joints and cables" }).click();
  await page.locator(".rows button", { hasText: "load" }).click();
  await page.getByRole("button", { name: "Close in this scene" }).click();
  await page.getByLabel("Camera", { exact: true }).selectOption({ label: "Follow load" });
  await drawn();
  const canvas = await page.locator("canvas").first().boundingBox();
  const [cx, cy] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
  await page.mouse.move(cx, cy);
  await page.mouse.down();
  await page.mouse.move(cx + 60, cy - 20, { steps: 4 });
  await until("grab and drag are told", () => grabbed.some((c) => c.do === "grab" && c.body === 3) && grabbed.some((c) => c.do === "drag"));
  await page.mouse.up();
  await until("the load is let go", () => grabbed.some((c) => c.do === "release"));
  await page.getByLabel("Camera", { exact: true }).selectOption({ label: "Free camera" });

  step("sets a sync point, pauses, scrubs back, jumps, continues from there");
  await page.keyboard.press("m");
  await page.locator(".flag").waitFor();
  await until("some time passes", () => mock().state.time > 3);
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  const end = mock().state.time;
  const line = await page.locator(".timeline-track").boundingBox();
  await page.mouse.click(line.x + line.width * 0.3, line.y + line.height / 2);
  await page.getByRole("button", { name: "Continue from here" }).waitFor();
  await until("the past is shown", () => mock().shown !== null && Math.abs(mock().current().time - 0.3 * end) < 0.5);
  await page.locator(".flag").click();
  await page.getByRole("menuitem", { name: "Jump there" }).click();
  await until("the sync point is shown", () => Math.abs(mock().current().time - mock().points[0].time) < 0.05);
  await page.getByRole("button", { name: "Continue from here" }).click();
  await until("a branch runs", () => mock().shown === null && mock().playing);

  step("changes speed, resets");
  await page.getByLabel("Speed").selectOption("4");
  await until("speed is told", () => mock().speed === 4);
  await page.getByLabel("Speed").selectOption("1");
  await page.getByRole("button", { name: /Reset/ }).click();
  await until("time starts again", () => mock().state.time < 1);

  step("plots energies and a probe");
  await page.getByRole("button", { name: "Plots" }).click();
  await page.locator(".chart canvas").first().waitFor();
  // a name that is the beginning of another is not taken while one types
  const field = page.getByLabel("Quantity to plot");
  await field.pressSequentially("input.slew");
  assert.equal(await field.inputValue(), "input.slew");
  assert.equal(await page.locator(".chart canvas").count(), 1);
  await field.fill("lines.hoist rope.tension");
  await field.press("Enter");
  await until("two charts", async () => (await page.locator(".chart canvas").count()) === 2);
  await until("the probe is asked for", () => mock().probes.includes("lines.hoist rope.tension"));
  const blue = () =>
    page.locator(".chart canvas").last().evaluate((c) => {
      const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
      let n = 0;
      // the first series is blue in the dark theme
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 100 && data[i + 2] > data[i] + 80) n += 1;
      return n;
    });
  await until("the curve is drawn", async () => (await blue()) > 20);
  const saved = page.waitForEvent("download");
  await page.locator(".chart").last().getByRole("button", { name: "CSV" }).click();
  assert.match((await saved).suggestedFilename(), /tension.*\.csv/);
  await page.getByRole("button", { name: "Energy and solver" }).click();
  await page.getByText("A step takes").waitFor();
  await page.getByRole("button", { name: "Close energy and solver" }).click();

  step("shows four views");
  // thin lines are looked for
  await draws("low");
  await page.getByRole("button", { name: "Four views (4)" }).click();
  assert.deepEqual(await page.locator(".pane-names span").allTextContents(), ["Top", "Perspective", "Front", "Right"]);
  // at rest, so that the grid is all that changes
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await page.getByRole("button", { name: "Play (Space)" }).waitFor();
  await drawn();
  // the grid stands behind the crane in the views from the side: in a corner of each there is little else
  const corner = (part) => ({ x: canvas.x + part * canvas.width + 40, y: canvas.y + 0.55 * canvas.height, width: 60, height: 50 });
  const seen = [await tones(corner(0)), await tones(corner(0.5))];
  await page.getByRole("button", { name: "Ground grid" }).click();
  await drawn();
  const hidden = [await tones(corner(0)), await tones(corner(0.5))];
  assert.ok(seen.every((n, i) => n > hidden[i]), `a grid in the front and the right view, unless it is hidden: ${seen} tones, ${hidden} without`);
  await page.getByRole("button", { name: "Ground grid" }).click();
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await page.getByRole("button", { name: "Four views (4)" }).click();

  step("shows red and cyan");
  // red without green or blue, which the orange of the crane is not
  const red = () => pixels([50, 50, -40, 10]);
  const redBefore = await red();
  await page.getByLabel("Stereo").selectOption("anaglyph");
  await drawn();
  await until("red fringes", async () => (await red()) > redBefore + 0.0005);
  await page.getByLabel("Stereo").selectOption("off");
  await draws("coarse");

  step("names an error at its line, and takes a good text");
  await page.getByRole("button", { name: "Scene text" }).click();
  const area = page.getByLabel("Scene text in TOML");
  const good = await page.evaluate(() => window.windlass.scene().text);
  const thumbnail = () => page.evaluate(() => localStorage.getItem("windlass.thumb-of.crane"));
  await until("a small picture of the scene is kept", thumbnail);
  const kept = await thumbnail();
  await area.fill(`${good}wrong = 1\n`);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator(".problems").waitFor();
  assert.equal(await page.locator(".cm-lint-marker-error").count(), 1);
  await area.fill(`${good}# fine\n`);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator(".problems").waitFor({ state: "detached" });
  await until("a new one, for the text is another", async () => (await thumbnail()) !== kept);
  await page.getByRole("button", { name: /^Close crane/ }).click();

  step("shows a fault and what to do");
  mock().fault = { text: "joint `hook` broke", time: mock().state.time };
  await page.getByRole("alert").filter({ hasText: "joint `hook` broke" }).waitFor();
  await page.getByRole("button", { name: "Start again" }).click();
  await page.locator(".fault").waitFor({ state: "detached" });

  step("copies a link and saves a picture");
  await page.getByRole("button", { name: "Save and export" }).click();
  await page.getByRole("menuitem", { name: "Copy a link to this moment" }).click();
  await until("the address names scene and eye", () => /scene=crane.*eye=/.test(page.url()));
  const picture = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save and export" }).click();
  await page.getByRole("menuitem", { name: "Save a picture (PNG)" }).click();
  assert.match((await picture).suggestedFilename(), /crane.*\.png/);

  step("builds from nothing: adds, moves by a handle, undoes, connects, renames, copies, deletes");
  await page.locator(".scene-button").click();
  await page.getByRole("button", { name: "New scene" }).click();
  const tree = () => mock().sketch?.tree ?? {};
  const click = async (point) => {
    const at = await page.evaluate((p) => window.windlass.onPage(p), point);
    await page.mouse.click(at.x, at.y);
  };
  await page.getByRole("toolbar", { name: "Build" }).waitFor();
  await page.evaluate(() => window.windlass.eye([0.4, 0, 0.4, -1.2, 0.4, 4]));
  await drawn();
  await page.getByRole("button", { name: "Sphere", exact: true }).click();
  await click([0, 0, 0]);
  await until("a ball rests on the ground", () => tree().bodies?.sphere?.position?.join() === "0,0,0.1");
  await page.getByLabel("Name", { exact: true }).waitFor();
  const lower = await page.evaluate(() => window.windlass.onPage([0, 0, 0.1]));
  const upper = await page.evaluate(() => window.windlass.onPage([0, 0, 0.5]));
  await until("the handles are drawn", () => page.evaluate(() => window.windlass.handles()));
  const arrow = { x: lower.x + (upper.x - lower.x) * 0.9, y: lower.y + (upper.y - lower.y) * 0.9 };
  await page.mouse.move(arrow.x, arrow.y);
  await turn();
  await page.mouse.down();
  await page.mouse.move(arrow.x, arrow.y - 40, { steps: 4 });
  await page.mouse.move(arrow.x, arrow.y - 80, { steps: 4 });
  await page.mouse.up();
  await until("the ball went up, on the grid", () => tree().bodies.sphere.position[2] > 0.25 && Math.abs(tree().bodies.sphere.position[2] * 10 - Math.round(tree().bodies.sphere.position[2] * 10)) < 1e-9);
  await page.keyboard.press("Control+z");
  await until("undone", () => tree().bodies.sphere.position[2] === 0.1);
  await page.keyboard.press("Control+y");
  await until("done again", () => tree().bodies.sphere.position[2] > 0.25);

  await page.getByRole("button", { name: "Fixed point", exact: true }).click();
  await click([0.6, 0, 0]);
  await until("a fixed point", () => tree().bodies.anchor?.type === "static");
  await page.getByRole("button", { name: "Rod", exact: true }).click();
  await click([0.6, 0, 0]);
  await click(tree().bodies.sphere.position);
  await until("a rod between their middles", () => tree().joints?.rod?.distance?.bodies?.join() === "anchor,sphere" && tree().joints.rod.distance.points[1].join() === tree().bodies.sphere.position.join());
  await page.getByLabel("joints rod distance bodies 1", { exact: true }).waitFor();
  await page.keyboard.press("Escape");

  await click(tree().bodies.sphere.position);
  await page.getByLabel("bodies sphere mass").fill("heavy");
  await page.keyboard.press("Enter");
  await page.locator(".field-error").waitFor();
  await page.getByLabel("bodies sphere mass").fill("2 kg");
  await page.keyboard.press("Enter");
  await until("the mass is as typed", () => tree().bodies.sphere.mass === "2 kg");
  await page.getByLabel("Name", { exact: true }).fill("bob");
  await page.keyboard.press("Enter");
  await until("the rod follows the name", () => tree().joints.rod.distance.bodies.join() === "anchor,bob");
  await page.getByLabel("bodies bob mass").waitFor();
  await page.keyboard.press("Control+d");
  await until("a second bob on its own rod", () => !!tree().bodies.bob2 && tree().joints.rod2?.distance.bodies.join() === "anchor,bob2");
  await page.getByLabel("bodies bob2 mass").waitFor();
  await page.keyboard.press("Delete");
  await until("gone with its rod", () => !tree().bodies.bob2 && !tree().joints.rod2);
  await page.keyboard.press("Control+s");
  await page.getByLabel("Name", { exact: true }).last().fill("one ball");
  await page.keyboard.press("Enter");
  await page.getByText("Saved as one_ball.toml").waitFor();
  await page.keyboard.press("e");
  await page.getByRole("toolbar", { name: "Build" }).waitFor({ state: "detached" });

  step("says so when the connection breaks, and comes back by itself");
  const count = server.mocks.length;
  server.drop();
  await until("it connects anew", () => server.mocks.length > count);
  await page.locator(".live-mark.on").waitFor();
});
