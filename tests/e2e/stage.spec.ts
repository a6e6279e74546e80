// A worker draws the stage, or the page where there is no canvas for workers. Both draw the same.
import { drawn, expect, settled, test } from "../fixtures";
import type { Page } from "@playwright/test";

// The number of colours on the stage, and the share of its most frequent one, the background.
const colours = (page: Page) =>
  page.locator("#drawn canvas").evaluate((canvas: HTMLCanvasElement) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
    const counts = new Map<number, number>();
    for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    return { different: counts.size, ground: Math.max(...counts.values()) / pixels.length };
  });

const isNetwork = async (page: Page) => {
  const { different, ground } = await colours(page);
  return different > 300 && ground > 0.4 && ground < 0.97;
};

// Opens the page at the same cycle of the same run.
async function atRest(page: Page, open: () => Promise<Page>) {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await expect(page.locator("#cycle")).not.toHaveText("0");
  return settled(() => drawn(page));
}

const workers = (page: Page) =>
  page.addInitScript(() => {
    const made: Worker[] = ((window as unknown as { made: Worker[] }).made = []);
    window.Worker = class extends Worker {
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        if (options?.name === "stage") made.push(this);
      }
    };
  });

test("a worker draws, and the page draws the same where it must", async ({ open, page, browser, address }) => {
  const byWorker = await atRest(page, open);
  expect(await isNetwork(page)).toBe(true);
  await expect(page.locator("#drawn")).toHaveAttribute("data-drawn", "worker");

  const context = await browser.newContext({ reducedMotion: "reduce", viewport: page.viewportSize() });
  const other = await context.newPage();
  await other.addInitScript(() => delete (globalThis as { OffscreenCanvas?: unknown }).OffscreenCanvas);
  await other.goto(address);
  const byPage = await atRest(other, async () => {
    await expect(other.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    return other;
  });
  await expect(other.locator("#drawn")).toHaveAttribute("data-drawn", "page");
  expect(byPage).toBe(byWorker);
  await context.close();
});

test("when the worker that draws dies, another one does, and then the page", async ({ open, page }) => {
  test.slow();
  await workers(page);
  const before = await atRest(page, open);
  const made = () => page.evaluate(() => (window as unknown as { made: Worker[] }).made.length);
  const place = page.locator("#drawn");
  // The worker reports its death.
  await page.evaluate(() => (window as unknown as { made: Worker[] }).made[0].dispatchEvent(new ErrorEvent("error", { cancelable: true })));
  await expect.poll(made).toBe(2);
  await expect.poll(() => drawn(page)).toBe(before);
  await expect(place).toHaveAttribute("data-drawn", "worker");
  // The worker ends without a message; the page notices when it is to draw.
  await page.evaluate(() => (window as unknown as { made: Worker[] }).made[1].terminate());
  await page.keyboard.press("t");
  await expect(place).toHaveAttribute("data-drawn", "page");
  expect(await made()).toBe(2);
  await expect.poll(() => isNetwork(page)).toBe(true);
  expect(await drawn(page)).not.toBe(before);
});

test("the stage follows size, theme and language", async ({ open, page }) => {
  const before = await atRest(page, open);
  const canvas = page.locator("#drawn canvas");
  await page.setViewportSize({ width: 1000, height: 700 });
  await expect.poll(() => canvas.evaluate((c: HTMLCanvasElement) => c.width === c.clientWidth && c.height === c.clientHeight)).toBe(true);
  await expect.poll(() => isNetwork(page)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => drawn(page)).toBe(before);
  await page.getByRole("button", { name: "Theme" }).click();
  await expect.poll(() => drawn(page)).not.toBe(before);
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("button", { name: "Theme" }).click();
  await expect.poll(() => drawn(page)).toBe(before);
  // The legend is higher in another language, and the network is fitted above it.
  await page.locator("#legend summary").click();
  const alone = await settled(() => drawn(page));
  expect(alone).not.toBe(before);
  await page.getByRole("button", { name: "Español" }).click();
  await expect(page.getByRole("tab", { name: "Tráfico" })).toBeVisible();
  await expect.poll(() => drawn(page)).toBe(alone);
});
