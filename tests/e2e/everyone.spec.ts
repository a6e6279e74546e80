import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../fixtures";
import type { Page } from "@playwright/test";

async function broken(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`no accessibility rule is broken in any panel or dialog, ${colorScheme}`, async ({ browser, address }) => {
    test.slow(); // eight analyses
    const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(address);
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      expect(await broken(page)).toEqual([]);
    }
    for (const keys of ["?", "g", "Control+k"]) {
      await page.keyboard.press(keys);
      await expect(page.getByRole("dialog")).toBeVisible();
      expect(await broken(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
    await context.close();
  });
}

test("it speaks Spanish", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Español" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await expect(page.getByRole("tab", { name: "Tráfico" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("tab", { name: "Tráfico" })).toBeVisible();
});

test("the network can be walked with the keyboard", async ({ open }) => {
  const page = await open();
  await page.getByRole("img", { name: /^Stage/ }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: "Switch 0" })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("heading", { name: "Switch 0", exact: true })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: /^Switch \d+/ })).toBeVisible();
});

test("a dialog takes the focus and gives it back", async ({ open }) => {
  const page = await open();
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
});

test("on a phone everything is within reach", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  for (const button of await page.getByRole("button").all()) {
    const box = await button.boundingBox();
    if (!box || (await button.getAttribute("class"))?.includes("link")) continue;
    expect(Math.min(box.width, box.height), await button.textContent() ?? "").toBeGreaterThanOrEqual(43);
  }
  await context.close();
});
