// Congestion trees of RECN: over the network, in a list, inside a switch, and as a reason to stop.
import { command, cycle, drawn, expect, fast, seek, settled, test } from "../fixtures";
import type { Page } from "@playwright/test";

// Opens the tree of the gallery and goes to a cycle, paused.
async function atCycle(page: Page, to: number) {
  await page.getByRole("button", { name: "Gallery" }).first().click();
  await page.getByRole("button", { name: /The same congestion tree under RECN/ }).click();
  await expect(page.locator("#trees")).toBeVisible();
  await fast(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(to);
  await page.getByRole("button", { name: "Pause" }).click();
  await seek(page, to);
}

test("a congestion tree forms, is drawn and listed, and vanishes", async ({ open }) => {
  const page = await open();
  await atCycle(page, 80_000);
  const trees = page.getByRole("region", { name: "Congestion trees (RECN)", exact: true });
  const tree = trees.getByRole("row").filter({ hasText: "47 → 31" });
  await expect(tree).toHaveCount(0);
  await trees.getByRole("button", { name: "Show them on the stage" }).click();
  const legend = page.getByRole("region", { name: "Legend: Congestion trees" });
  await expect(legend).toContainText("queue set aside for it");
  await seek(page, 15_000);
  await expect(tree.getByRole("cell").nth(1)).toHaveText("67");
  const shown = await settled(() => drawn(page));
  await page.keyboard.press("z");
  await expect(legend).toHaveCount(0);
  await expect.poll(() => drawn(page)).not.toBe(shown);
});

test("a switch at the root shows its lines, who is guilty, and queues over time", async ({ open }) => {
  const page = await open();
  await atCycle(page, 15_000);
  await page.locator("#trees").getByRole("button", { name: "47 → 31" }).click();
  const lines = page.locator("#inside-saqs");
  await expect(lines).toContainText("in use: 3; each input and output has 8");
  const first = lines.getByRole("row").nth(1);
  await expect(first).toContainText("input 0 · SAQ 0");
  await expect(first).toContainText("47 → 31");
  await expect(first).toContainText("may send");
  const guilty = page.locator("#inside-through");
  await expect(guilty).toContainText("host 28 → host 63");
  expect(await guilty.getByRole("row").count()).toBe(9);
  await command(page, "next cycle");
  await command(page, "next cycle");
  await expect(page.getByRole("img", { name: "Port 0: 1 set aside" })).toBeVisible();
});

// Host 28 is on switch 7 and one of the senders.
test("a NIC that a tree has reached shows the queue it sets aside", async ({ open }) => {
  const page = await open();
  await atCycle(page, 15_000);
  await page.getByRole("tab", { name: "Network" }).click();
  await page.locator("#list").getByRole("button", { name: /^Switch 7:/ }).click();
  await page.getByRole("tab", { name: "Watch" }).click();
  await page.getByRole("region", { name: "Inspector" }).getByRole("button", { name: /\b28\b/ }).click();
  await expect(page.locator("#nic #inside-saqs")).toContainText("47 → 31");
});

test("a run stops when a port allocates a set-aside queue", async ({ open }) => {
  const page = await open();
  await atCycle(page, 15_000);
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await page.getByRole("tab", { name: "Time" }).click();
  await page.getByRole("checkbox", { name: "a port allocates a set-aside queue" }).check();
  await page.getByRole("button", { name: "Play" }).click();
  const sign = page.locator("#stopped");
  await expect(sign).toContainText("has allocated a set-aside queue for");
  const stopped = await cycle(page);
  expect(stopped).toBeLessThan(15_000);
  // The event is listed, and the run goes on to the next.
  await expect(page.locator("#events").getByRole("button").first()).toContainText("set-aside queue");
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => cycle(page)).toBeGreaterThan(stopped);
  await expect(sign).toBeVisible();
});
