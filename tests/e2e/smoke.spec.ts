import { count, cycle, expect, settled, test } from "../fixtures";

test("the page opens, under its content security policy, and runs by itself", async ({ open }) => {
  const page = await open();
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]');
  await expect(policy).toHaveAttribute("content", /default-src 'none'/);
  await expect(page.getByRole("heading", { name: "Hopscope" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(async () => count(page, "delivered")).toBeGreaterThan(0);
});

test("it stands still for those who want no motion, until they press Play", async ({ browser, address }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await context.close();
});

test("scripts that are not the page's own do not run", async ({ open, troubles }) => {
  const page = await open();
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'not ours'";
    document.body.append(script);
  });
  expect(await page.title()).toBe("Hopscope");
  await expect.poll(() => troubles.length).toBeGreaterThan(0);
  expect(troubles.every((trouble) => /content security policy/i.test(trouble))).toBe(true);
  troubles.length = 0;
});

test("page and worker come from the same build, downloaded once", async ({ page, open }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await open();
  const build = await page.locator("meta[name=hopscope-build]").getAttribute("content");
  expect(build).toMatch(/^[0-9a-f]{12}$/);
  const asked = (end: string) => requests.map((request) => new URL(request)).filter((url) => url.pathname.endsWith(end));
  // Once by the page, once by its worker.
  expect(asked("/boot.js").map((url) => url.search)).toEqual([`?v=${build}`, `?v=${build}`]);
  expect(asked(".wasm")).toHaveLength(1);
});

test("time passes, stops, steps, goes back and starts again", async ({ open }) => {
  const page = await open();
  const before = await cycle(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(before + 5);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const paused = Number(await settled(async () => String(await cycle(page))));
  await page.getByRole("button", { name: "Next cycle" }).click();
  await expect.poll(() => cycle(page)).toBe(paused + 1);
  await page.getByRole("button", { name: "One cycle back" }).click();
  await expect.poll(() => cycle(page)).toBe(paused);
  await page.keyboard.press("<");
  await expect.poll(() => cycle(page)).toBe(paused - 100);
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await expect.poll(() => cycle(page)).toBe(0);
});
