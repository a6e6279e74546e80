// What the page draws of an application: its ranks over time, and its critical path on the network.
import type { Page } from "@playwright/test";
import { drawn, expect, fast, settled, test } from "../fixtures";

// Rank 0 computes and sends to rank 1, which sends to rank 2.
const goal = "num_ranks 3\nrank 0 {\nc: calc 2000\ns: send 4000b to 1\ns requires c\n}\nrank 1 {\nl1: recv 4000b from 0\nl2: send 4000b to 2\nl2 requires l1\n}\nrank 2 {\nrecv 4000b from 1\n}\n";
const chain = {
  hopscope: 1,
  name: "A chain",
  network: { generate: { kind: "ring", switches: 4, hosts_per_switch: 1 } },
  routing: { preset: "UD" },
  fabric: { kind: "wormhole" },
  application: { kind: "trace", text: goal },
};

async function load(page: Page, scenario: object) {
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator('input[type="file"]').setInputFiles({ name: "it.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened:")).toBeVisible();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
}

// Stops the run that the page begins with: a scenario that is opened then waits as well.
async function pause(page: Page) {
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
}

// Runs the application to its end, with its panel shown.
async function run(page: Page) {
  await page.getByRole("tab", { name: "App" }).click();
  await fast(page);
  const button = page.getByRole("button", { name: "Play", exact: true });
  if (await button.isVisible()) await button.click();
  await expect(page.locator("#timeline .timeline")).toHaveAttribute("data-finished", "true");
}

test("ranks over time: by pointer, keyboard and table, in the panel and large", async ({ open }) => {
  const page = await open();
  await pause(page);
  await load(page, chain);
  await page.getByRole("tab", { name: "App" }).click();
  const card = page.locator("#timeline");
  await expect(card.locator(".timeline")).toHaveAttribute("data-finished", "false");
  await run(page);
  const chart = card.locator("svg.timeline-chart");
  await expect(card.locator(".timeline-names text")).toHaveText(["0", "1", "2"]);
  const value = card.getByRole("status");
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  await expect(value).toHaveText(/^Rank 0 on host 0: computing from 0.* ns to 2\.00 µs, for 2\.00 µs$/);
  await page.keyboard.press("ArrowRight");
  await expect(value).toHaveText(/^Rank 0 on host 0: sending from 2\.00 µs to \d/);
  await page.keyboard.press("ArrowDown");
  await expect(value).toHaveText(/^Rank 1 on host 1: waiting from 0/);
  await page.keyboard.press("ArrowLeft");
  await expect(value).toHaveText(/^Rank 1 on host 1: waiting from 0/);
  // Rank 2 waits from the start to the end.
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.9);
  await expect(value).toHaveText(/^Rank 2 on host 2: waiting from 0/);
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.1);
  await expect(value).toHaveText(/^Rank 0 on host 0: nothing at \d/);
  await card.getByText("As a table").click();
  const row = card.locator("tbody tr").nth(2);
  await expect(row.locator("td")).toHaveText(["2", /^0\.0\s%$/, /^0\.0\s%$/, /^100\.0\s%$/]);
  await card.getByRole("button", { name: "Enlarge" }).click();
  const large = page.locator("#large-timeline");
  await expect(large.locator(".timeline-names text")).toHaveText(["0", "1", "2"]);
  await large.locator("svg.timeline-chart").focus();
  await page.keyboard.press("End");
  await expect(large.getByRole("status")).toHaveText(/^Rank 0 on host 0: sending/);
  await page.keyboard.press("Escape");
  await expect(large).toHaveCount(0);
});

test("of many ranks the panel shows some, and the large chart all", async ({ open }) => {
  const page = await open();
  await load(page, {
    hopscope: 1,
    name: "Many",
    network: { generate: { kind: "k-ary-n-tree", arity: 2, levels: 7 } },
    routing: { preset: "d-mod-k" },
    fabric: { kind: "cut-through" },
    application: { kind: "all-reduce", algorithm: "ring", bytes: 16384 },
  });
  await run(page);
  const names = page.locator("#timeline .timeline-names text");
  await expect(names).toHaveCount(16);
  await expect(page.locator("#timeline")).toContainText("16 of 128 ranks");
  await page.locator("#timeline").getByRole("button", { name: "Enlarge" }).click();
  const large = page.locator("#large-timeline");
  await expect(large.locator(".timeline-names text")).toHaveCount(128);
  // The keyboard scrolls to the rank that it reaches.
  await large.locator("svg.timeline-chart").focus();
  for (let i = 0; i <= 127; i++) await page.keyboard.press("ArrowDown");
  await expect(large.getByRole("status")).toHaveText(/^Rank 127 on host 127: /);
  await expect(large.locator(".timeline-names text.chosen")).toBeInViewport();
});

test("the critical path is drawn on the network, step by step, and goes with its document", async ({ open }) => {
  const page = await open();
  await pause(page);
  await load(page, chain);
  await page.getByRole("tab", { name: "App" }).click();
  const card = page.locator("#path-on-network");
  const legend = page.locator("#overlay-legend");
  await card.getByRole("button", { name: "Show on the network" }).click();
  await expect(legend).toContainText("known when the application has ended");
  const before = await settled(() => drawn(page));
  await run(page);
  await expect(card.locator("#path-step")).toContainText("3 steps");
  await expect(legend).toContainText("arrows: their direction");
  const whole = await settled(() => drawn(page));
  expect(whole).not.toBe(before);
  await card.getByRole("button", { name: "Next step" }).click();
  await expect(card.locator("#path-step")).toHaveText(/^Step 1 of 3: rank 0 computes, from 0.* ns to 2\.00 µs$/);
  await card.getByRole("button", { name: "Next step" }).click();
  await expect(card.locator("#path-step")).toHaveText(/^Step 2 of 3: message from rank 0 to rank 1, which waits for it, from 2\.00 µs/);
  const second = await settled(() => drawn(page));
  await card.getByRole("button", { name: "Next step" }).click();
  await expect(card.locator("#path-step")).toContainText("Step 3 of 3: message from rank 1 to rank 2");
  await expect(card.getByRole("button", { name: "Next step" })).toBeDisabled();
  const third = await settled(() => drawn(page));
  expect(new Set([whole, second, third]).size).toBe(3);
  await card.getByRole("button", { name: "Whole path" }).click();
  await expect.poll(() => drawn(page)).toBe(whole);
  await card.getByRole("button", { name: "Show on the network" }).click();
  await expect(legend).toHaveCount(0);
  await card.getByRole("button", { name: "Show on the network" }).click();
  await expect(card.locator("#path-step")).toBeVisible();
  // Another run has another path; without an application there is none.
  const combobox = page.locator("#application").getByRole("combobox", { name: "Application" });
  await combobox.selectOption("barrier");
  await expect(card.getByText("3 steps")).toHaveCount(0);
  await combobox.selectOption("none");
  await expect(page.getByRole("region", { name: "Legend: Critical path" })).toHaveCount(0);
});

test("after a change and its undoing, chart and results are those of the end again", async ({ open }) => {
  const page = await open();
  await pause(page);
  await load(page, chain);
  await run(page);
  const timeline = page.locator("#timeline .timeline");
  const time = page.locator('#application-results [data-figure="run-time"] dd');
  await page.getByRole("tab", { name: "Results" }).click();
  const before = await time.innerText();
  await page.getByRole("tab", { name: "Fabric" }).click();
  const delay = page.getByLabel(/^link delay/i).first();
  await delay.fill("1000");
  await delay.press("Tab");
  await page.getByRole("tab", { name: "Results" }).click();
  // At the same cycle, it has not finished.
  await expect(time).toHaveCount(0);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(time).toHaveText(before);
  await page.getByRole("tab", { name: "App" }).click();
  await expect(timeline).toHaveAttribute("data-finished", "true");
});
