// The panel of results: how the run went, tables that sort and point at the stage, charts, CSV.
import AxeBuilder from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { cycle, drawn, expect, fast, play, settled, test } from "../fixtures";

// What `hopscope run scenarios/star.json --json` prints (app/src/worker/model.rs compares it).
const printed = JSON.parse(readFileSync(new URL("star.results.json", import.meta.url), "utf8"));

const condition = (page: Page) => page.locator("#run-condition");
const table = (page: Page) => page.locator("#results-table");
const rows = (page: Page) => table(page).locator("tbody tr");
const sortBy = (page: Page, name: RegExp) => table(page).locator("thead").getByRole("button", { name });
// The numbers of a column, from top to bottom.
const column = async (page: Page, head: RegExp) => {
  const heads = await table(page).locator("thead th").allTextContents();
  const at = heads.findIndex((text) => head.test(text));
  const cells = await rows(page).evaluateAll((all, at) => all.map((row) => row.children[at].textContent ?? ""), at);
  return cells.map((text) => Number(text.replace(/[^\d.-]/g, "")));
};

async function measured(page: Page) {
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /Everything through one hub/ }).click();
  await expect(page.getByText("Opened: Everything through one hub")).toBeVisible();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Results" }).click();
  await fast(page);
  await play(page);
  await expect(condition(page)).toHaveAttribute("data-measured", "true");
  await page.getByRole("button", { name: "Pause" }).click();
}

test("a button runs to the end of measuring, by keyboard and on a phone", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Results" }).tap();
  const measure = condition(page).locator("#measure");
  await expect(measure).toHaveText("Measure it");
  await measure.press("Enter");
  await expect(condition(page)).toHaveAttribute("data-measured", "true");
  await expect(page.getByRole("status").filter({ hasText: "The measurement is over; the run has stopped at cycle" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await expect(measure).toHaveCount(0);
  // From the beginning again, by touch.
  await page.getByRole("button", { name: "Back to cycle 0" }).tap();
  await measure.tap();
  await expect(condition(page)).toHaveAttribute("data-measured", "true");
  await context.close();
});

test("a run that ended too early names the bound that ended it", async ({ open }) => {
  const page = await open();
  const set = async (label: RegExp, value: string) => {
    const field = page.locator("#measurement").getByLabel(label);
    await field.fill(value);
    await field.press("Tab");
  };
  await page.getByRole("tab", { name: "Traffic" }).click();
  // The run goes on from the cycle in which the page opens, and ends at once.
  await set(/^Last cycle of the run/, "100");
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(condition(page)).toContainText("The run ended at its last cycle");
  await expect(condition(page)).toContainText("Raise “Last cycle of the run");
  // Of a network that keeps up: the latency of a saturated one has no interval.
  const scenario = { hopscope: 1, name: "wide", network: { generate: { kind: "irregular", switches: 8, seed: 1 } }, traffic: [{ load: 0.02 }] };
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator("input[type=file]").setInputFiles({ name: "wide.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened: wide")).toBeVisible();
  await page.getByRole("tab", { name: "Traffic" }).click();
  await set(/^Warm-up(?!, at least)/, "100");
  await set(/^Counted(?!, at least)/, "1000");
  await set(/^Go on until intervals/, "0.001");
  await set(/^Counted at most/, "2000");
  await page.getByRole("tab", { name: "Results" }).click();
  // How many messages it takes is not known before.
  await expect(condition(page)).toContainText(/Messages delivered \(warm-up included\): [\d\s]+\./);
  await condition(page).locator("#measure").click();
  await expect(page.locator("#half-width")).toContainText("All messages that may be counted were: raise “Counted at most");
});

test("intervals of latency that are too narrow are told, with constant intervals only", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("tab", { name: "Results" }).click();
  const note = page.locator("#accepted-traffic #narrow-intervals");
  for (const [kind, shown] of [["constant", 1], ["poisson", 0]] as const) {
    const scenario = {
      hopscope: 1,
      name: kind,
      network: { generate: { kind: "irregular", switches: 8, seed: 1 } },
      traffic: [{ load: 0.03, arrival: { kind } }],
      measure: { warmup_messages: 100, messages: 1000, confidence: 0.999 },
    };
    const buffer = Buffer.from(JSON.stringify(scenario));
    await page.locator("input[type=file]").setInputFiles({ name: `${kind}.json`, mimeType: "application/json", buffer });
    await expect(page.getByText(`Opened: ${kind}`)).toBeVisible();
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    await condition(page).locator("#measure").click();
    await expect(condition(page)).toHaveAttribute("data-measured", "true");
    await expect(page.locator("#accepted-traffic .intervals")).toBeVisible();
    await expect(page.locator("#accepted-traffic")).toContainText(/99\.9\s% confidence interval/);
    await expect(note).toHaveCount(shown);
  }
});

test("the results so far change while the run goes on, then are those of the measurement", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(condition(page)).toContainText("The run warms up: no message is counted yet");
  await expect(condition(page).getByRole("heading")).toContainText("Not finished");
  await expect(page.locator("#accepted-traffic")).toHaveCount(0);
  await page.getByRole("tab", { name: "Traffic" }).click();
  await page.locator("#measurement").getByLabel(/^Warm-up(?!,)/).fill("0");
  await page.keyboard.press("Tab");
  await page.getByRole("tab", { name: "Results" }).click();
  await play(page);
  await expect(condition(page)).toContainText("The measurement goes on");
  const first = await condition(page).textContent();
  await expect.poll(() => condition(page).textContent()).not.toBe(first);
  await measured(page);
  await expect(page.locator("#results-fingerprint")).toHaveText(printed.fingerprint);
  const word = { steady: "Steady", saturated: "Saturated", unsettled: "Unsettled" }[printed.condition as string];
  await expect(condition(page).getByRole("heading")).toContainText(word!);
  await expect(page.locator('#accepted-traffic [data-figure="gbps"]')).toContainText(printed.accepted_gbps_per_host.toFixed(4));
  const p99 = page.locator("#latency-figures tr", { hasText: "p99" }).first().locator("td").nth(1);
  await expect(p99).toContainText(`${(printed.network_latency_ns.p99 / 1000).toFixed(1)}`);
  // They stay when the run goes on.
  const before = await cycle(page);
  await play(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(before + 20_000);
  await expect(page.locator("#results-fingerprint")).toHaveText(printed.fingerprint);
});

test("after undo, a paused run has the results of its cycle again", async ({ open }) => {
  const page = await open();
  await measured(page);
  const before = await condition(page).innerText();
  await page.getByRole("tab", { name: "Traffic" }).click();
  const load = page.locator(".flow").first().getByLabel(/^Exactly/);
  await load.fill("0.001");
  await load.press("Tab");
  await page.getByRole("tab", { name: "Results" }).click();
  await expect.poll(() => condition(page).innerText()).not.toBe(before);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(() => condition(page).innerText()).toBe(before);
});

test("tables sort by any column, both ways, and save as CSV", async ({ open }) => {
  const page = await open();
  await measured(page);
  const descending = (all: number[]) => all.every((value, i) => i === 0 || all[i - 1] >= value);
  await expect(table(page)).toHaveAttribute("data-table", "channels");
  await expect(rows(page)).toHaveCount(Math.min(25, printed.channels.length));
  expect(descending(await column(page, /Utili.sation/))).toBe(true);
  await sortBy(page, /Blocked/).click();
  await expect(table(page).locator('th[aria-sort="descending"]')).toContainText("Blocked");
  expect(descending(await column(page, /Blocked/))).toBe(true);
  await sortBy(page, /Blocked/).press("Enter");
  await expect(table(page).locator('th[aria-sort="ascending"]')).toContainText("Blocked");
  expect(descending((await column(page, /Blocked/)).reverse())).toBe(true);
  if (printed.channels.length > 25) {
    await page.locator("#more-rows").click();
    await expect(rows(page)).toHaveCount(Math.min(100, printed.channels.length));
  }
  await page.locator("#tables-of-results").getByRole("button", { name: /^Hosts/ }).click();
  await expect(table(page)).toHaveAttribute("data-table", "hosts");
  const download = page.waitForEvent("download");
  await page.locator("#save-table").click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("everything-through-one-hub.hosts.csv");
  const [head, ...lines] = readFileSync(await file.path(), "utf8").trim().split("\n");
  expect(head.split(",")).toEqual(Object.keys(printed.hosts[0]));
  expect(lines).toHaveLength(printed.hosts.length);
  const last = printed.hosts.at(-1);
  expect(Number(lines.at(-1)!.split(",")[3])).toBe(last.accepted_flits_per_cycle);
  await page.locator("#tables-of-results").getByRole("button", { name: /^Pairs/ }).click();
  await expect(page.locator("#empty-table")).toContainText("Count each pair of hosts");
});

test("rows point at the stage and select there, and what is pinned on the stage is marked", async ({ open }) => {
  const page = await open();
  await measured(page);
  const picture = () => settled(() => drawn(page));
  const plain = await picture();
  await rows(page).nth(3).hover();
  expect(await picture()).not.toBe(plain);
  await page.locator("#repeat").hover();
  expect(await picture()).toBe(plain);
  const chosen = await rows(page).nth(3).getAttribute("data-row");
  await rows(page).nth(3).locator("td").first().click();
  await expect(table(page).locator("tr.marked")).toHaveAttribute("data-row", chosen!);
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.getByRole("region", { name: "Inspector" })).toContainText(/channel/i);
  await page.getByRole("tab", { name: "Results" }).click();
  // The keyboard does the same.
  await page.locator("#tables-of-results").getByRole("button", { name: /^Hosts/ }).click();
  await expect(table(page)).toHaveAttribute("data-table", "hosts");
  await rows(page).nth(1).getByRole("button").press("Enter");
  await expect(table(page).locator("tr.marked")).toHaveAttribute("data-row", "1");
  // From the stage to the table; a row that the sort leaves out comes last, with its rank.
  await page.locator("#drawn").focus();
  await page.keyboard.press("Escape");
  await expect(table(page).locator("tr.marked")).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 12 && (await table(page).locator("tr.marked").count()) === 0; i++) {
    await page.keyboard.press(["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"][i % 4]);
    await page.waitForTimeout(200);
  }
  await expect(table(page).locator("tr.marked")).toHaveCount(1);
});

test("charts show the values of a bar to pointer and keyboard", async ({ open }) => {
  const page = await open();
  await measured(page);
  for (const id of ["latency-histogram", "distance-histogram", "channel-chart"]) {
    const chart = page.locator(`#${id}`);
    const value = chart.getByRole("status");
    await expect(value).toContainText("Point at a bar");
    await chart.getByRole("img").focus();
    await page.keyboard.press("End");
    const last = await value.textContent();
    expect(last).toMatch(/\d/);
    await page.keyboard.press("Home");
    await expect(value).not.toHaveText(last!);
    await chart.getByRole("img").hover();
    await expect(value).toHaveText(/\d/);
  }
  // All messages of the distances are those of the table.
  const all = printed.distances.reduce((sum: number, row: { delivered: number }) => sum + row.delivered, 0);
  const farthest = printed.distances.at(-1);
  await page.locator("#distance-histogram").getByRole("img").press("End");
  await expect(page.locator("#distance-histogram").getByRole("status")).toContainText(
    `${((farthest.delivered / all) * 100).toFixed(1)}`,
  );
});

test("the panel of results is accessible", async ({ open }) => {
  const page = await open();
  await measured(page);
  const { violations } = await new AxeBuilder({ page }).include("#panel").analyze();
  expect(violations).toEqual([]);
});
