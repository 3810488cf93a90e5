// Pictures of the studio for the book, drawn better than in the tests. PICTURES names the folder.
import { withStudio } from "./real.mjs";

await withStudio(8451, async ({ page, address, until, ask, time, picture, step }) => {
  const open = async (title) => {
    const { id } = (await ask("hello")).scenes.find((scene) => scene.title === title);
    await page.goto("about:blank");
    await page.goto(`${address}/?quality=low#scene=${encodeURIComponent(id)}`);
    await until(`${title} runs`, async () => (await ask("scene"))?.id === id && (await time()) > 0.2);
    const hints = page.locator(".hints button");
    if (await hints.count()) await hints.first().click();
  };
  /** Draws the present moment in a quality, which may take a while without graphics hardware, and saves it. */
  const take = async (name, quality) => {
    await page.getByRole("button", { name: "Display options" }).click();
    await page.getByRole("menuitemradio", { name: `Picture quality: ${quality}` }).click();
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement?.blur());
    const { frame } = await ask("drawn");
    await until("it is drawn", async () => (await ask("drawn")).frame > frame + 12, 180);
    await picture(name);
  };
  page.setDefaultTimeout(180_000);
  await page.getByRole("button", { name: "Light theme" }).click();

  step("a crane that is driven");
  await open("Luffing crane");
  await page.keyboard.down("PageUp");
  await page.keyboard.down("ArrowLeft");
  await until("it has slewed", async () => (await time()) > 12, 60);
  await page.keyboard.up("PageUp");
  await page.keyboard.up("ArrowLeft");
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "Energy and solver" }).click();
  await page.getByRole("button", { name: "Pause (Space)" }).click();
  await take("studio-drive", "high");

  step("four views and plots");
  await page.getByRole("button", { name: "Energy and solver" }).click();
  await page.getByRole("button", { name: "Plots" }).click();
  await page.getByRole("button", { name: "Four views (4)" }).click();
  await take("studio-views", "medium");
});
