// Applications: a scenario whose run time is a result, opened from the gallery, a file and a link.
import type { Page } from "@playwright/test";
import { expect, fast, test } from "../fixtures";

const goal = "num_ranks 3\nrank 0 {\ncalc 2000\nsend 4000b to 1\n}\nrank 1 {\nl1: recv 4000b from 0\nl2: send 4000b to 2\nl2 requires l1\n}\nrank 2 {\nrecv 4000b from 1\n}\n";
const pair = {
  hopscope: 1,
  name: "A chain",
  network: { generate: { kind: "single", hosts: 4 } },
  fabric: { kind: "wormhole" },
  application: { kind: "trace", text: goal },
};

async function drop(page: Page, name: string, content: string) {
  await page.locator('input[type="file"]').setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
}

async function finish(page: Page) {
  await page.getByRole("tab", { name: "Results" }).click();
  await fast(page);
  // The run takes less than a second: it may be over before the button says Pause.
  const button = page.getByRole("button", { name: "Play", exact: true });
  if (await button.isVisible()) await button.click();
  await expect(page.locator("#application-results")).toHaveAttribute("data-finished", "true");
}

const figure = (page: Page, id: string) => page.locator(`#application-results [data-figure="${id}"] dd`);

test("an all-reduce of the gallery runs to its end and says how long it took and why", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /An all-reduce on an irregular network/ }).click();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.locator("#run-time")).toHaveText("runs");
  await expect(page.locator('[data-count="ranks-finished"]')).toHaveText("0 of 64");
  await fast(page);
  // The run takes less than a second: it may be over before the button says Pause.
  const button = page.getByRole("button", { name: "Play", exact: true });
  if (await button.isVisible()) await button.click();
  await expect(page.locator('[data-count="ranks-finished"]')).toHaveText("64 of 64", { timeout: 20_000 });
  await expect(page.locator('[data-count="ranks-waiting"]')).toHaveText("0 of 64");
  const watched = await page.locator("#run-time").textContent();
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(page.locator("#application-results")).toHaveAttribute("data-finished", "true");
  await expect(figure(page, "run-time")).toHaveText(watched!);
  await expect(figure(page, "ranks-finished")).toHaveText("64 of 64");
  await expect(page.locator("#ended-last")).toContainText(/Rank \d+ on host \d+ ended last/);
  // The network is busy: the formula of the idle one is shorter.
  await expect(page.locator("#application-results")).toContainText(/This run took \d+.* more/);
  await expect(page.locator("#waited-most")).toContainText(/Rank \d+ waited \d+\s% of the time/);
  await expect(page.locator("#ranks tbody tr")).toHaveCount(8);
  // The channel that most of the critical path goes over is chosen on the network.
  await page.locator("#busiest-on-path").getByRole("button").click();
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.locator(".inspector")).toContainText(/switch \d+/i);
});

test("a scenario with a trace in it opens from a file and from a link, and takes the same time", async ({ open }) => {
  const page = await open();
  await drop(page, "chain.hopscope.json", JSON.stringify(pair));
  await expect(page.getByText("Opened: A chain")).toBeVisible();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await finish(page);
  const time = await figure(page, "run-time").textContent();
  await expect(page.locator("#ended-last")).toContainText(`Rank 2 on host 2 ended last, after ${time}`);
  const fragment = new URL(page.url()).hash;
  expect(fragment.length).toBeGreaterThan(20);
  await page.goto("about:blank");
  await open(fragment);
  await finish(page);
  await expect(figure(page, "run-time")).toHaveText(time!);
});

test("a collective is chosen and set in its panel, with and without background traffic", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "App" }).click();
  const card = page.locator("#application");
  await expect(card.getByRole("combobox", { name: "Application" })).toHaveValue("none");
  await card.getByRole("combobox", { name: "Application" }).selectOption("all-reduce");
  await card.getByLabel(/^how it is carried out/).selectOption("tree");
  await card.getByLabel(/^size of each rank's vector/).fill("4096");
  await card.getByLabel(/^ranks;/).fill("8");
  await page.keyboard.press("Tab");
  await page.locator("#application-ranks").getByLabel("Mapping").selectOption("list");
  await expect(page.locator("#application-ranks").getByLabel(/^Host of rank/)).toHaveValue("0, 1, 2, 3, 4, 5, 6, 7");
  await expect(page.locator("#background")).toContainText("the application alone");
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await finish(page);
  await expect(figure(page, "ranks-finished")).toHaveText("8 of 8");
  const alone = await figure(page, "run-time").textContent();
  // A list that is too short is a problem of the application, said where it is set.
  await page.getByRole("tab", { name: "App" }).click();
  await page.locator("#application-ranks").getByLabel(/^Host of rank/).fill("0, 1");
  await page.keyboard.press("Tab");
  await expect(card).toContainText("2 hosts are listed for 8 ranks");
  await page.keyboard.press("Control+z");
  await expect(card).not.toContainText("are listed for");
  await page.locator("#background").getByRole("button", { name: "Add background traffic" }).click();
  await page.getByRole("tab", { name: "Traffic" }).click();
  await expect(page.locator('[data-flow="0"]')).toBeVisible();
  await finish(page);
  await expect(figure(page, "run-time")).not.toHaveText(alone!);
  // Without an application there is traffic again.
  await page.getByRole("tab", { name: "App" }).click();
  await card.getByRole("combobox", { name: "Application" }).selectOption("none");
  await expect(page.locator("#background")).toHaveCount(0);
  await page.getByRole("tab", { name: "Results" }).click();
  await expect(page.locator("#application-results")).toHaveCount(0);
  await expect(page.locator("#run-condition")).toBeVisible();
});

test("a trace is opened as a file, stays with the document, and is refused by line", async ({ open }) => {
  const page = await open();
  await drop(page, "bad.goal", goal.replace("4000b to 2", "4000b to 7"));
  await expect(page.locator("#file-problems")).toContainText("bad.goal");
  await expect(page.locator("#file-problems")).toContainText(/line 8 there is no rank 7/);
  await drop(page, "chain.goal", goal);
  await expect(page.locator("#file-problems")).toHaveCount(0);
  await expect(page.getByRole("tab", { name: "App" })).toHaveAttribute("aria-selected", "true");
  await expect(page.locator("#trace")).toHaveText(`Trace chain.goal, ${goal.length} characters`);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await finish(page);
  await expect(figure(page, "ranks-finished")).toHaveText("3 of 3");
  await page.reload();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "App" }).click();
  await expect(page.locator("#trace")).toHaveText(`Trace chain.goal, ${goal.length} characters`);
});

test("a trace that is opened in a lesson ends it", async ({ open }) => {
  const page = await open("#lesson=deadlock");
  await expect(page.getByRole("tab", { name: "Lesson" })).toBeVisible();
  await expect(page.getByRole("tab", { name: "App" })).toHaveCount(0);
  await drop(page, "chain.goal", goal);
  await expect(page.getByRole("tab", { name: "App" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tab", { name: "Lesson" })).toHaveCount(0);
  await finish(page);
});
