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
