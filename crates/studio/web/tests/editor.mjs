// The editor's hands against the real server: turns, scales, mirrors, frames, copies from scene to scene, drops a file, draws a force, films.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { withStudio } from "./real.mjs";

const EYE = [0, 0, 0.3, -1.2, 0.4, 4];

/** Where a handle is: `way` in units of the handles, whose size on the screen is always the same. */
function handle(at, way) {
  const [x, y, z, azimuth, elevation, distance] = EYE;
  const flat = distance * Math.cos(elevation);
  const eye = [x + flat * Math.cos(azimuth), y + flat * Math.sin(azimuth), z + distance * Math.sin(elevation)];
  // three's TransformControls at size 0.85 before a lens of 45°
  const unit = (Math.hypot(...eye.map((v, i) => v - at[i])) * 1.9 * Math.tan(Math.PI / 8) * 0.85) / 4;
  return at.map((v, i) => v + way[i] * unit);
}

/** A crane on one side of the plane y = 0: it slews, winds in and is blown at, all at once. */
const CRANE = `windlass = 2
title = "A small crane"
[bodies.post]
type = "static"
position = [0, 2, 0.5]
collide = false
shape = { box = { size = [0.2, 0.2, 1] } }
[bodies.boom]
position = [0.5, 2, 1.1]
mass = 20
collide = false
shape = { box = { size = [1, 0.1, 0.1] } }
[bodies.load]
position = [1.05, 2, 0.3]
mass = 5
collide = false
shape = { sphere = { radius = 0.1 } }
[joints.slew]
hinge = { bodies = ["post", "boom"], at = [0, 2, 1], axis = [0, 0, 1], motor = { speed = 0.5 } }
[winches.hoist]
on = "boom"
at = [0.2, 2, 1.3]
axis = [0, 1, 0]
radius = "50 mm"
mass = 5
motor = { speed = 2 }
[cables.rope]
section = { construction = "6x36 IWRC", diameter = "4 mm" }
route = [{ winch = "hoist" }, { pulley = "boom", at = [1, 2, 1.2], axis = [0, 1, 0], radius = "50 mm" }, { attach = "load", at = [1.05, 2, 0.4] }]
[forces.gust]
applied = { body = "load", force = [3, 5, 0] }
[inputs.hoist]
range = ["-10 rad/s", "10 rad/s"]
keys = ["W", "S"]
drives = [{ joint = "hoist" }]
[probes]
pull = "cables.rope.tension"
`;

const near = (a, b, within) => Math.abs(a - b) < within;

await withStudio(Number(process.env.PORT ?? 7491), async ({ page, folder, until, ask, drawn, tree, time, clickAt, dragTo, picture, step }) => {
  const onPage = (point, view) => ask("onPage", point, view);
  const body = async (name) => (await tree()).bodies?.[name];
  const choose = async (name) => {
    // with nothing selected, Escape would end building
    if (await ask("selected")) await page.keyboard.press("Escape");
    await clickAt((await body(name)).position);
    await until(`${name} is selected`, async () => (await page.getByLabel("Name", { exact: true }).inputValue().catch(() => "")) === name);
    await until("the handles are drawn", () => ask("handles"));
  };
  /** What was built so far is not needed any more. */
  const discard = () => page.getByRole("dialog", { name: "Unsaved changes" }).getByRole("button", { name: "Discard" }).click();
  const fresh = async () => {
    if ((await page.locator(".panel.left").count()) === 0) await page.locator(".scene-button").click();
    const { dirty } = await ask("status");
    await page.getByRole("button", { name: "New scene" }).click();
    if (dirty) await discard();
    await until("an empty scene at its start", async () => (await ask("scene"))?.id === "untitled" && (await ask("status")).editing && Object.keys((await tree()).bodies ?? {}).length <= 1);
    await page.getByRole("toolbar", { name: "Build" }).waitFor();
    await ask("eye", EYE);
    await drawn();
  };

  const drop = async (name, text) => {
    const files = await page.evaluateHandle(
      ([n, t]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([t], n, { type: "application/toml" }));
        return transfer;
      },
      [name, text],
    );
    await page.dispatchEvent("canvas", "dragover", { dataTransfer: files });
    await page.dispatchEvent("canvas", "drop", { dataTransfer: files });
  };

  step("turns a box by a ring, in steps of 15°, and with Shift finer");
  await fresh();
  await page.getByRole("button", { name: "Box", exact: true }).click();
  await clickAt([0, 0, 0]);
  await until("a box", async () => !!(await body("box")));
  const start = (await body("box")).position;
  await choose("box");
  await page.keyboard.press("r");
  await drawn();
  const ring = (angle) => handle(start, [0.5 * Math.cos(angle), 0.5 * Math.sin(angle), 0]);
  await dragTo(await onPage(ring(-0.8)), await onPage(ring(-0.1)));
  await until("it is turned", async () => !!(await body("box")).rotation);
  const degrees = async () => Number.parseFloat((await body("box")).rotation?.angle ?? "0");
  assert.deepEqual((await body("box")).rotation.axis, [0, 0, 1]);
  assert.ok((await degrees()) >= 15 && (await degrees()) % 15 === 0, `${await degrees()}°`);
  await picture("editor-turn");
  await page.keyboard.press("Control+z");
  await until("undone", async () => !(await body("box")).rotation);
  await until("the handles are drawn", () => ask("handles"));
  await page.keyboard.down("Shift");
  await dragTo(await onPage(ring(-0.8)), await onPage(ring(-0.62)));
  await page.keyboard.up("Shift");
  await until("it is turned a little", async () => (await degrees()) !== 0);
  assert.ok(Number.isInteger(await degrees()) && Math.abs(await degrees()) < 30, `${await degrees()}°`);
  await page.keyboard.press("Control+z");
  await until("undone", async () => !(await body("box")).rotation);

  step("scales it by a handle: one size grows, the others stay");
  await choose("box");
  await page.keyboard.press("s");
  await drawn();
  const before = (await body("box")).shape.box.size;
  await dragTo(await onPage(handle(start, [0.5, 0, 0])), await onPage(handle(start, [1, 0, 0])));
  await until("it is longer", async () => (await body("box")).shape.box.size[0] > 1.3 * before[0]);
  const after = (await body("box")).shape.box.size;
  assert.deepEqual(after.slice(1), before.slice(1));
  assert.ok(near(after[0] * 100, Math.round(after[0] * 100), 1e-6), `sizes are whole centimetres: ${after}`);
  await picture("editor-scale");

  step("adds a cylinder, and draws a hinge and a force with one drag each");
  await page.keyboard.press("g");
  await page.getByRole("button", { name: "Cylinder", exact: true }).click();
  await clickAt([0.7, 0.3, 0]);
  await until("a cylinder", async () => !!(await body("cylinder")));
  await page.getByRole("button", { name: "Hinge", exact: true }).click();
  await dragTo(await onPage((await body("box")).position), await onPage((await body("cylinder")).position));
  await until("a hinge", async () => (await tree()).joints?.hinge?.hinge?.bodies?.join() === "box,cylinder");
  await page.getByRole("button", { name: "Force", exact: true }).click();
  const cylinder = (await body("cylinder")).position;
  await dragTo(await onPage(cylinder), await onPage([1.5, 0.3, 0]));
  await until("a force to the right", async () => {
    const applied = (await tree()).forces?.push?.applied;
    return applied?.body === "cylinder" && applied.force[0] > 20;
  });
  await drawn();
  await picture("editor-force");
  await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  const places = [(await body("box")).position, (await body("cylinder")).position];

  step("selects what is in a frame drawn with Shift");
  const corners = [await onPage([-0.5, -0.5, 0]), await onPage([1.2, 0.8, 0.5])];
  await page.keyboard.down("Shift");
  await page.mouse.move(Math.min(corners[0].x, corners[1].x), Math.min(corners[0].y, corners[1].y) - 60);
  await page.mouse.down();
  await page.mouse.move(Math.max(corners[0].x, corners[1].x) - 40, Math.max(corners[0].y, corners[1].y) - 10, { steps: 4 });
  await page.locator(".marquee").waitFor();
  await picture("editor-frame");
  await page.mouse.move(Math.max(corners[0].x, corners[1].x), Math.max(corners[0].y, corners[1].y) + 20, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await page.getByText("2 bodies selected").waitFor();

  step("mirrors both across y, with the hinge between them");
  await page.getByRole("button", { name: "Mirror …" }).click();
  await page.getByRole("radio", { name: "y" }).check();
  await page.getByRole("button", { name: "Mirror", exact: true }).click();
  await until("their images", async () => !!(await body("box2")) && !!(await body("cylinder2")));
  const flipped = ([x, y, z]) => [x, -y || 0, z];
  assert.deepEqual((await body("box2")).position.map((v) => v || 0), flipped(places[0]));
  assert.deepEqual((await body("cylinder2")).position, flipped(places[1]));
  assert.deepEqual((await tree()).joints.hinge2.hinge.bodies, ["box2", "cylinder2"]);
  await picture("editor-mirror");
  await page.keyboard.press("Control+z");
  await until("undone", async () => !(await body("box2")));

  step("frames the selection (F), and everything (Home)");
  await choose("cylinder");
  const middle = async () => {
    const canvas = await page.locator(".picture canvas").boundingBox();
    return { x: canvas.x + canvas.width / 2, y: canvas.y + canvas.height / 2 };
  };
  const span = async () => {
    const [low, high] = [await onPage(places[1]), await onPage([places[1][0], places[1][1], places[1][2] + 0.1])];
    return Math.hypot(low.x - high.x, low.y - high.y);
  };
  const small = await span();
  await page.keyboard.press("f");
  await until("it is in the middle, and larger", async () => {
    const [at, centre] = [await onPage(places[1]), await middle()];
    return near(at.x, centre.x, 2) && near(at.y, centre.y, 2) && (await span()) > 1.5 * small;
  });
  await picture("editor-framed");
  await page.keyboard.press("Home");
  await until("everything is in sight again", async () => {
    const canvas = await page.locator(".picture canvas").boundingBox();
    const inside = ({ x, y }) => x > canvas.x && x < canvas.x + canvas.width && y > canvas.y && y < canvas.y + canvas.height;
    const [at, centre] = [await onPage(places[1]), await middle()];
    return Math.abs(at.x - centre.x) > 20 && inside(await onPage(places[0])) && inside(at);
  });
  await ask("eye", EYE);
  await drawn();

  step("copies two bodies with their hinge into another scene");
  await page.keyboard.press("Control+a");
  await page.getByText("2 bodies selected").waitFor();
  await page.keyboard.press("Control+c");
  await page.getByText("Copied 2 bodies").waitFor();
  await fresh();
  await page.keyboard.press("Control+v");
  await until("both are here", async () => !!(await body("box")) && !!(await body("cylinder")));
  assert.deepEqual([(await body("box")).position, (await body("cylinder")).position], places);
  assert.deepEqual((await tree()).joints.hinge.hinge.bodies, ["box", "cylinder"]);
  await page.keyboard.press("Control+v");
  await until("and once more, under other names", async () => (await tree()).joints.hinge2?.hinge.bodies.join() === "box2,cylinder2");

  step("mirrors a crane with its winch, rope, gust and lever, and runs both; copies it into another scene");
  await drop("crane.toml", CRANE);
  await discard();
  await until("the crane is there", async () => (await ask("scene")).title === "A small crane" && (await ask("status")).editing);
  await drawn();
  await page.keyboard.press("Control+a");
  await page.getByText("3 bodies selected").waitFor();
  await page.keyboard.press("Control+c");
  await page.getByText("Copied 3 bodies").waitFor();
  await page.getByRole("button", { name: "Mirror …" }).click();
  await page.getByRole("radio", { name: "y" }).check();
  await page.getByRole("button", { name: "Mirror", exact: true }).click();
  await until("its image", async () => !!(await tree()).probes?.pull2);
  const image = await tree();
  assert.deepEqual([image.winches.hoist2.on, image.winches.hoist2.at], ["boom2", [0.2, -2, 1.3]]);
  assert.deepEqual(image.cables.rope2.route[1], { pulley: "boom2", at: [1, -2, 1.2], axis: [0, 1, 0], radius: "50 mm" });
  assert.deepEqual(image.forces.gust2.applied, { body: "load2", force: [3, -5, 0] });
  assert.deepEqual([image.inputs.hoist2.drives, image.inputs.hoist2.keys, image.probes.pull2], [[{ joint: "hoist2" }], undefined, "cables.rope2.tension"]);
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("they have moved", async () => (await time()) > 1.5);
  const run = await ask("moment", ["boom", "load", "hoist", "boom2", "load2", "hoist2"]);
  for (const k of [0, 1, 2]) run.places[k].forEach((v, i) => assert.ok(near(run.places[k + 3][i], i === 1 ? -v : v, 1e-4), `they are not images of each other: ${JSON.stringify(run)}`));
  assert.ok(run.places[1][2] > 0.35 && run.places[0][1] > 2.1, `it hoists and slews: ${JSON.stringify(run)}`);
  await picture("editor-cranes");
  await fresh();
  await page.keyboard.press("Control+v");
  await until("the crane is here", async () => (await tree()).cables?.rope?.route?.length === 3);
  const copy = await tree();
  assert.deepEqual([copy.winches.hoist.on, copy.inputs.hoist.keys, copy.probes.pull], ["boom", ["W", "S"], "cables.rope.tension"]);
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await until("it runs as well", async () => (await time()) > 0.5 && (await ask("moment", ["load"])).places[0][2] > 0.32);

  step("adds water in the inspector, raises its level, takes it out and back");
  await fresh();
  await page.getByRole("button", { name: "Box", exact: true }).click();
  await clickAt([0, 0, 0]);
  await until("a box", async () => !!(await body("box")));
  await until("it is selected", async () => (await page.getByLabel("Name", { exact: true }).inputValue().catch(() => "")) === "box");
  await page.keyboard.press("Escape");
  const inspector = page.locator(".panel.right");
  await inspector.getByText("Settings").waitFor();
  assert.equal(await page.getByRole("region", { name: "Fluids" }).count(), 0);
  assert.equal(await ask("water", 3, 4), null);
  const fluids = async () => (await tree()).fluids ?? {};
  await inspector.getByRole("button", { name: "Add water" }).click();
  await until("the scene has water", async () => (await ask("scene")).fluids.map((f) => f.name).join() === "water");
  assert.deepEqual(await fluids(), { water: { material: "water", surface: 0 } });
  assert.match((await ask("scene")).text, /^\[fluids\.water\]\nmaterial = "water"\nsurface = 0$/m);
  assert.deepEqual(await ask("selected"), { kind: "entry", section: "fluids", name: "water" });
  await until("its surface is drawn", async () => (await ask("water", 3, 4))?.height === 0);
  const level = page.getByLabel("fluids water surface", { exact: true });
  await level.fill("20 cm");
  await level.press("Enter");
  await until("it is higher", async () => (await fluids()).water.surface === "20 cm" && (await ask("scene")).fluids[0].level === 0.2);
  await picture("editor-water");
  await page.keyboard.press("Escape");
  const list = page.getByRole("region", { name: "Fluids" });
  assert.deepEqual(await list.getByRole("button").allTextContents(), ["water"]);
  await list.getByRole("button", { name: "water" }).click();
  await until("it is selected", async () => (await page.getByLabel("Name", { exact: true }).inputValue().catch(() => "")) === "water");
  await page.keyboard.press("Delete");
  await until("the water is gone", async () => (await ask("scene")).fluids.length === 0 && !("water" in (await fluids())));
  await page.keyboard.press("Control+z");
  await until("it is back", async () => (await fluids()).water?.surface === "20 cm" && (await ask("scene")).fluids.length === 1);

  step("opens a scene file that is dropped on the page, and says what is no scene");
  await drop("stone.toml", 'windlass = 2\ntitle = "A dropped stone"\n[bodies.stone]\nshape = { sphere = { radius = 0.2 } }\nposition = [0, 0, 1]\nmass = "3 kg"\n');
  await discard();
  await until("the stone is there", async () => (await ask("scene")).title === "A dropped stone" && (await ask("scene")).bodies.some((b) => b.name === "stone"));
  await picture("editor-dropped");
  await drop("notes.txt", "nothing");
  await page.getByText("notes.txt is not a scene file").waitFor();

  step("films the picture, and the film can be played");
  await page.keyboard.press("e");
  // the film has the pixels of the picture: in full
  await page.getByRole("button", { name: "Display options" }).click();
  await page.getByRole("menuitemradio", { name: "Picture quality: low" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Play (Space)" }).click();
  await page.getByRole("button", { name: "Save and export" }).click();
  await page.getByRole("menuitem", { name: "Record a video (WebM)" }).click();
  await page.locator(".icon-button.recording").waitFor();
  await page.waitForTimeout(3000);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save and export" }).click();
  await page.getByRole("menuitem", { name: "Stop the video" }).click();
  const film = await saved;
  assert.match(film.suggestedFilename(), /dropped-stone\.webm$/);
  const file = join(folder, "film.webm");
  await film.saveAs(file);
  const told = execFileSync("ffprobe", ["-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", file], { encoding: "utf8" });
  const [width, height, frames] = told.trim().split(",").map(Number);
  assert.ok(width > 600 && height > 400 && frames > 5, `the film has ${frames} frames of ${width} × ${height}`);

});
