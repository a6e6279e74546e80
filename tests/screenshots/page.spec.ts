import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";

const pictures = fileURLToPath(new URL("../../docs/pictures/", import.meta.url));
const take = (page: Page, name: string) => page.screenshot({ path: `${pictures}${name}.png` });

// The page as it opens, in each theme and on a phone, some cycles after the start.
for (const [name, theme, size] of [
  ["page", "light", { width: 1280, height: 800 }],
  ["dark", "dark", { width: 1280, height: 800 }],
  ["phone", "light", { width: 390, height: 844 }],
] as const) {
  test(name, async ({ page, open }) => {
    await page.setViewportSize(size);
    await page.addInitScript((theme) => localStorage.setItem("hopscope.theme", theme), theme);
    await open();
    await take(page, name);
  });
}

test("who waits for whom in a deadlock", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /Deadlock on purpose/ }).click();
  await page.locator("#speed").fill("22");
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.locator("#deadlock")).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByText("Opened:")).toHaveCount(0, { timeout: 15_000 });
  await take(page, "deadlock");
});

test("a lesson", async ({ open }) => {
  const page = await open("#lesson=itb");
  await page.getByRole("radio").last().check();
  await page.locator("#lesson-next").click();
  await page.getByRole("button", { name: "Measure it" }).click();
  await expect(page.locator("#lesson-results")).toBeVisible({ timeout: 25_000 });
  await take(page, "lesson");
});
