// One browser for all scripts of a run, and what they share: steps with their times, waiting, pictures.
// CHROMIUM names the browser when it is not Debian's, PICTURES a folder for pictures.
import assert from "node:assert/strict";
import { join } from "node:path";
import { chromium } from "playwright-core";

let browser = null;
/** Opens a page in a profile of its own; what it complains of is collected. */
export async function openPage(view, timeout) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme: "dark", ...view });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  page.setDefaultTimeout(timeout);
  return { page, complaints };
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

/** Without graphics hardware a picture in full takes most of a test's time; those for the book are looked at. */
export const quality = process.env.PICTURES ? "low" : "coarse";

/** Time between two looks at whether something holds [ms]. */
const LOOK = 40;

/** Waits so long, and for ten looks per second of it, which take longer on a busy machine. */
export async function until(what, holds, seconds = 30) {
  const end = Date.now() + 1000 * seconds;
  for (let looks = 0; looks < 10 * seconds || Date.now() < end; looks++) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, LOOK));
  }
  assert.fail(`never: ${what}`);
}

/** Tells each step with the time that it took. */
export function stepper() {
  let [last, since] = [null, 0];
  const end = () => last && console.log(`  ${((Date.now() - since) / 1000).toFixed(1).padStart(5)} s  ${last}`);
  const step = (what) => {
    end();
    [last, since] = [what, Date.now()];
  };
  return { step, end };
}

/** Calls functions of the page's hook; waits for pictures; keeps some for the book. */
export function handsOn(page) {
  const ask = (name, ...args) => page.evaluate(([n, a]) => window.windlass?.[n](...a), [name, args]);
  /** Waits until some more pictures are drawn. */
  const drawn = async (count = 2) => {
    const { frame } = await ask("drawn");
    await until("it is drawn", async () => (await ask("drawn")).frame >= frame + count, 120);
  };
  /** Waits until what was changed is laid out. */
  const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
  /** Waits until the page has had a turn: what the pointer is over is found once in each. */
  const turn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const picture = async (name) => process.env.PICTURES && page.screenshot({ path: join(process.env.PICTURES, `${name}.png`) });
  return { ask, drawn, settle, turn, picture };
}

/** A test has failed: what there is to see. */
export async function failed(page, complaints, error) {
  await page.screenshot({ path: "browser-failure.png" }).catch(() => undefined);
  console.error("complaints of the page:", complaints);
  console.error(error);
  process.exitCode = 1;
}
