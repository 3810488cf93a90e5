// Measures, without judging: the time to the first picture, the load of the server at rest, and the memory of the page over time.
// Not part of the tests, for times depend on the machine. MINUTES says how long the memory is watched; 2 unless given.
import { readFileSync } from "node:fs";
import { withStudio } from "./real.mjs";

const MINUTES = Number(process.env.MINUTES ?? 2);
/** Clock ticks per second of /proc. */
const TICKS = 100;

/** CPU time of a process [s]. */
const spent = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
};

await withStudio(8449, async ({ page, address, until, ask, step, serverId }) => {
  const share = async (seconds) => {
    const before = spent(serverId());
    await page.waitForTimeout(1000 * seconds);
    return (100 * (spent(serverId()) - before)) / seconds;
  };
  const heap = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    await session.detach();
    return usedSize / 1e6;
  };

  step("first picture");
  for (let i = 0; i < 3; i++) {
    await page.goto("about:blank");
    const began = Date.now();
    await page.goto(address, { waitUntil: "commit" });
    await page.waitForFunction(() => window.windlass?.scene() && window.windlass.drawn().triangles > 1000, null, { polling: 20 });
    console.log(`    ${Date.now() - began} ms`);
  }

  step("server");
  await until("it runs", async () => (await ask("status"))?.time > 1);
  console.log(`    running: ${(await share(15)).toFixed(1)} % of a core`);
  await page.keyboard.press("Space");
  await page.waitForTimeout(1000);
  console.log(`    paused:  ${(await share(20)).toFixed(1)} % of a core`);
  await page.keyboard.press("Space");

  step("memory of the page");
  for (let minute = 0; minute <= MINUTES; minute++) {
    console.log(`    after ${minute} min: ${(await heap()).toFixed(1)} MB`);
    if (minute < MINUTES) await page.waitForTimeout(60_000);
  }
}, { quality: "low" });
