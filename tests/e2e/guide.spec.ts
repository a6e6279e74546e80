// The user guide is part of the page: it opens, is accessible, and its steps work as written.
import AxeBuilder from "@axe-core/playwright";
import { command, cycle, expect, test } from "../fixtures";

test("the guide opens from the shortcuts and from the menu", async ({ open, context }) => {
  const page = await open();
  for (const key of ["?", "menu"]) {
    if (key === "?") await page.keyboard.press("?");
    else await page.getByRole("button", { name: "Menu" }).click();
    const opening = context.waitForEvent("page");
    await page.getByRole("dialog").getByRole("link", { name: "User guide" }).click();
    const guide = await opening;
    await expect(guide.getByRole("heading", { level: 1 })).toHaveText("Hopscope: user guide");
    await guide.close();
    await page.keyboard.press("Escape");
  }
});

for (const [look, width, colorScheme] of [["light", 1280, "light"], ["dark", 1280, "dark"], ["phone", 390, "light"]] as const) {
  test(`the guide is readable, ${look}`, async ({ browser, address }) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const page = await context.newPage();
    await page.goto(`${address}guide.html`);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    // Every entry of the contents leads to a heading.
    for (const entry of await page.getByRole("navigation").getByRole("link").all()) {
      const heading = page.locator((await entry.getAttribute("href"))!);
      await expect(heading).toHaveText((await entry.textContent())!);
    }
    // No style or script that the page's content security policy would forbid.
    expect(await page.locator("script, style, [style]").count()).toBe(0);
    await context.close();
  });
}

test("drawing by hand works as the guide says", async ({ open }) => {
  const page = await open();
  await command(page, "New");
  await expect(page.locator("#nothing-yet")).toBeVisible();
  const box = (await page.locator("#stage").boundingBox())!;
  const places = [[300, 200], [600, 300]].map(([x, y]) => [box.x + x, box.y + y] as const);
  await page.keyboard.press("s");
  for (const place of places) await page.mouse.click(...place);
  await page.keyboard.press("l");
  await page.mouse.move(...places[0]);
  await page.mouse.down();
  await page.mouse.move(...places[1], { steps: 3 });
  await page.mouse.up();
  await page.keyboard.press("h");
  for (const place of places) await page.mouse.click(...place);
  await page.keyboard.press("v");
  await expect(page.locator("#problems")).toHaveCount(0);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.mouse.dblclick(...places[0]);
  await expect(page.locator("#inside")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Network" }).click();
  await expect(page.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
  await page.keyboard.press("4");
  await expect(page.getByText(/2 switches, (10|6) hosts, 1 link/)).toBeVisible();
  await page.keyboard.press("Control+z");
  await page.getByRole("combobox", { name: "Generator" }).selectOption("irregular");
  await page.getByRole("button", { name: "Another wiring" }).click();
  await expect(page.getByText(/^Generated:/)).toBeVisible();
});

test("the keys of time work as the guide says", async ({ open }) => {
  const page = await open();
  // It starts by itself.
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await page.keyboard.press("r");
  await expect.poll(() => cycle(page)).toBe(0);
  await page.keyboard.press("e");
  await expect.poll(() => cycle(page)).toBeGreaterThan(0);
  await page.keyboard.press("r");
  await expect.poll(() => cycle(page)).toBe(0);
  await page.keyboard.press(".");
  await expect.poll(() => cycle(page)).toBe(1);
  await page.keyboard.press("Shift+.");
  await expect.poll(() => cycle(page)).toBeGreaterThan(50);
  await page.keyboard.press("Shift+,");
  await expect.poll(() => cycle(page)).toBe(1);
  await page.keyboard.press(",");
  await expect.poll(() => cycle(page)).toBe(0);
  await page.keyboard.press("Shift+l");
  await expect(page.getByRole("dialog", { name: "Lessons" }).getByRole("button", { name: /^12 · / })).toBeVisible();
  await page.keyboard.press("Escape");
});
