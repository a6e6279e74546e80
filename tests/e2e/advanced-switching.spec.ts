// Advanced Switching on the page: admission control, two schedulers side by side, and a
// switch with combined queues from inside.
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, fast, lookInside, play, test } from "../fixtures";

async function openItem(page: Page, name: string) {
  await page.keyboard.press("g");
  await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByText(`Opened: ${name}`)).toBeVisible();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
}

// The cells of a row as numbers.
const numbers = async (page: Page, row: string) =>
  (await page.locator(`${row} td`).allTextContents()).map((text) => Number(text.replace(/[^\d.]/g, "")));

// Whether a table fits in its panel without scrolling sideways.
const fits = (page: Page, table: string) =>
  page.locator(`.table-scroll:has(${table})`).evaluate((box) => box.scrollWidth <= box.clientWidth);

test("refused connections name their links, and filling finds more room", async ({ open }) => {
  const page = await open();
  await openItem(page, "Connections refused");
  await page.getByRole("tab", { name: "Traffic" }).click();
  // The numbers of `hopscope admit`, without and with `--fill`.
  const [, asked, admitted, refused] = await numbers(page, '#admission-decided tr[data-flow="0"]');
  expect([asked, admitted, refused]).toEqual([1120, 749, 371]);
  await expect(page.locator("#admission-decided")).toContainText("48 refused by");
  // Four of the links are listed, and all others on demand.
  const others = page.locator("#admission-decided details");
  await expect(others.locator("li").first()).toBeHidden();
  await others.getByText("and by 18 more links").click();
  await expect(others.locator("li")).toHaveCount(18);
  await expect(others.locator("li").first()).toBeVisible();
  expect(await fits(page, "#admission-decided")).toBe(true);
  await page.locator("#admission-fill").click();
  await expect(page.locator("#admission-filled")).toBeVisible();
  expect((await numbers(page, '#admission-filled tr[data-flow="0"]')).slice(1)).toEqual([1586, 910, 676]);
  const found = await new AxeBuilder({ page }).include("#admission").analyze();
  expect(found.violations).toEqual([]);
  await page.getByRole("button", { name: "Show bandwidth reserved on each channel" }).click();
  await expect(page.locator("#overlay-legend")).toContainText("Reserved bandwidth");
  // Without levels there is no admission control.
  await page.getByLabel("Levels under admission").fill("");
  await page.keyboard.press("Tab");
  await expect(page.locator("#admission-decided")).toHaveCount(0);
  await expect(page.locator("#overlay-legend")).toContainText("No connections ask");
});

test("one press shows four packet sizes under both tables, side by side", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await page.locator('[data-beside="four-sizes-deficits"]').click();
  const duo = page.locator("#duo");
  await expect(duo.locator("canvas")).toHaveCount(2);
  // Fast enough to see the difference soon, and slow enough to see packets.
  await expect(duo.getByRole("slider")).toHaveValue("11");
  await duo.getByRole("button", { name: "Play" }).click();
  const shares = (side: number) =>
    duo.locator("figure").nth(side).locator("[data-share]").evaluateAll((all) => all.map((cell) => Number(cell.getAttribute("data-share"))));
  await expect.poll(async () => (await shares(0))[3], { timeout: 30_000 }).toBeGreaterThan(50);
  await expect.poll(async () => Math.max(...(await shares(1)).map((share) => Math.abs(share - 25))), { timeout: 30_000 }).toBeLessThan(4);
  expect((await shares(0))[0]).toBeLessThan(6);
  await expect(duo.locator("caption").first()).toHaveText(/^Delivered in the last [\d\s]+ cycles, by level$/);
});

test("the load offered in Watch leaves out connections that are refused", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /^Connections refused/ }).click();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.getByText(/^offered 0\.6[67]/)).toBeVisible();
});

test("the inside of a switch begins with its crossbar and names lanes after their levels", async ({ open, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open();
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /^Seven classes at 80 %/ }).click();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.locator("#drawn").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const inside = page.locator("#inside");
  await expect(inside.locator(".inside-picture")).toBeInViewport({ ratio: 0.9 });
  const lanes = inside.locator(".inside-tables table").last();
  await expect(lanes.getByRole("rowheader").first()).toHaveText(/^0 \w/);
  // The lane of management has no weight.
  await expect(lanes.getByRole("row").last().getByRole("cell").first()).toHaveText("–");
  await expect(inside).toContainText(/Management channel: \d+ of \d+ credits in its token bucket, which gains [\d.]+\s?% of the link/);
});

test("worst-case delays stand beside the longest that were measured, or why there are none", async ({ open }) => {
  test.slow();
  const page = await open();
  await openItem(page, "How late at most");
  await fast(page);
  await play(page);
  await page.getByRole("tab", { name: "Results" }).click();
  const bounds = page.locator("#delay-bounds");
  await expect(bounds).toHaveAttribute("open");
  const row = bounds.locator("tbody tr").first();
  const nanoseconds = (time: string) => parseFloat(time.replace(/\s/g, "")) * (time.includes("µs") ? 1000 : time.includes("ms") ? 1e6 : 1);
  const cells = async () => (await row.locator("td").allTextContents()).map((cell) => cell.split(" of ").map(nanoseconds));
  await expect.poll(async () => (await cells())[1][0]).toBeGreaterThan(0);
  for (const [measured, bound] of await cells()) expect(measured).toBeLessThanOrEqual(bound);
  await page.getByRole("group", { name: "Tables" }).getByRole("button", { name: /^Channels/ }).click();
  await expect(page.locator("#results-table")).toHaveAttribute("data-table", "channels");
  expect(await fits(page, "#results-table")).toBe(true);
  // Bursts of Poisson arrivals have no bound.
  await openItem(page, "Three service levels, one switch");
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(bounds).not.toHaveAttribute("open");
  await bounds.locator("summary").click();
  await expect(bounds).toContainText("has no bound");
  // Levels without bounds have no rows, which would say nothing.
  await expect(bounds.locator("table")).toHaveCount(0);
});

test("results say how many connections were refused", async ({ open }) => {
  const page = await open();
  await openItem(page, "Connections refused");
  await page.getByRole("tab", { name: "Traffic" }).click();
  await page.locator("#measurement").getByLabel(/^Warm-up(?!,)/).fill("0");
  await page.keyboard.press("Tab");
  await page.getByRole("tab", { name: "Results" }).click();
  await play(page);
  // The numbers of `hopscope admit`.
  await expect(page.locator("#admission-result")).toHaveText(/1.120 asked, 749 admitted, 371 refused/);
});

test("a switch with combined queues shows its queues, matches and tags", async ({ open }) => {
  test.slow();
  const page = await open();
  await openItem(page, "How late at most");
  const inside = await lookInside(page);
  await fast(page);
  await play(page);
  const crossing = async () => Number(await page.locator("#inside-counts").getAttribute("data-crossing"));
  await expect.poll(crossing).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(inside.locator("#inside-queues")).toBeVisible();
  await expect(inside.getByRole("columnheader", { name: "Tag ahead by" })).toBeVisible();
  const found = await new AxeBuilder({ page }).include("#inside").analyze();
  expect(found.violations).toEqual([]);
});
