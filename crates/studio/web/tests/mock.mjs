// The built page before the mock server, for the tests. The module of the mock is read once for all scripts of a run.
import assert from "node:assert/strict";
import { closeBrowser, failed, handsOn, openPage, quality, stepper, until } from "./chromium.mjs";
import { serve } from "./serve.mjs";

/** Runs a test in a window of a size. */
export async function withMock(view, test) {
  const server = await serve();
  const { page, complaints } = await openPage(view, 60_000);
  const { step, end } = stepper();
  const mock = () => server.mocks[server.mocks.length - 1];
  const hands = handsOn(page);
  /** Opens a scene by its address. */
  const open = async (id, drawnIn = quality) => {
    await page.goto("about:blank");
    await page.goto(`${server.address}/?quality=${drawnIn}#scene=${id}`);
    await until(`${id} is shown`, async () => (await hands.ask("scene"))?.id === id);
    await page.evaluate(() => document.querySelector(".hints button")?.click());
  };
  try {
    await test({ page, server, mock, open, step, until, ...hands });
    end();
    assert.deepEqual(complaints, []);
    console.log("  passed");
  } catch (error) {
    await failed(page, complaints, error);
  } finally {
    await page.context().close();
    await server.stop();
    if (!process.env.WINDLASS_RUN) await closeBrowser();
  }
}
