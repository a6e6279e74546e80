// The program comes in two parts: a visitor waits for the first, and it must not grow without anybody noticing.
import { basename } from "node:path";
import type { Page } from "@playwright/test";
import { LATER, cycle, download, expect, files, test } from "../fixtures";

// Our promise is 500.
const MOST_GZIP_KB = 460;

// Holds back the rest of the program until it is let go.
async function hold(page: Page) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(/rest\.wasm/, async (route) => {
    await gone;
    await route.continue();
  });
  return letGo;
}

test("the first scenario runs with what is downloaded first", async ({ page, troubles: _ }) => {
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(basename(new URL(request.url()).pathname) || "index.html"));
  const letGo = await hold(page);
  await page.goto("./");
  await expect.poll(() => cycle(page)).toBeGreaterThan(0);
  const start = await cycle(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(start + 100);
  const first = files().filter((name) => !LATER.includes(name));
  expect([...asked].filter((name) => !LATER.includes(name)).sort()).toEqual(first);
  expect(asked).toContain("rest.wasm");
  expect(download(first)).toBeLessThan(MOST_GZIP_KB);
  letGo();
});

test("who is quicker than the download waits for it", async ({ page, troubles: _ }) => {
  const letGo = await hold(page);
  await page.goto("./");
  await expect.poll(() => cycle(page)).toBeGreaterThan(0);
  // The page needs the rest to react, so the click does not end before that is there.
  const click = page.getByRole("button", { name: "Gallery" }).click();
  letGo();
  await click;
  await page.getByRole("dialog").getByRole("button", { name: /deadlock/i }).first().click();
  await expect.poll(() => cycle(page)).toBeGreaterThan(0);
});

test("a link to what only the rest can do opens", async ({ page, troubles: _ }) => {
  await page.goto("./#lesson=deadlock");
  await expect(page.locator("#lesson-step")).toBeVisible();
});
