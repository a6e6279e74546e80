import { fileURLToPath } from "node:url";
import { cycle, expect, fast, play, test } from "../fixtures";
import type { Page } from "@playwright/test";

const shown = (text: string | null) => Number(text?.replace(/\D/g, ""));

// Pauses at cycle 0, with the panel Time open.
async function atTheStart(page: Page) {
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await expect.poll(() => cycle(page)).toBe(0);
  await page.getByRole("tab", { name: "Time" }).click();
}

test("a run stops at the first message that is blocked for too long", async ({ open }) => {
  const page = await open();
  await atTheStart(page);
  await page.getByRole("spinbutton", { name: "a message is blocked for" }).fill("300");
  await page.keyboard.press("Tab");
  await fast(page);
  await page.getByRole("button", { name: "Play" }).click();
  const sign = page.locator("#stopped");
  await expect(sign).toContainText("It has been waiting for 300 cycles.");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const stopped = await cycle(page);
  await sign.getByRole("button", { name: /^Message \d+/ }).click();
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.locator("#why")).toContainText("It is blocked in switch");
  // A message is reported once; the run goes on to the next one.
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => cycle(page)).toBeGreaterThan(stopped);
  await expect(sign).toContainText("It has been waiting for 300 cycles.");
});

test("a run stops when a given message is delivered, and when an ITB host fills up", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "See what ITBs change" }).click();
  await atTheStart(page);
  await page.getByRole("spinbutton", { name: "this message is delivered" }).fill("25");
  await page.keyboard.press("Tab");
  await fast(page);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.locator("#stopped")).toContainText("Message 25: has arrived at host");
  await page.getByRole("checkbox", { name: "this message is delivered" }).uncheck();
  await page.getByRole("spinbutton", { name: "a host's ITB memory holds more than" }).fill("600");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.locator("#stopped")).toContainText("enters host");
  const memory = /(\d+) bytes of ITB memory/.exec((await page.locator("#stopped").textContent()) ?? "");
  expect(Number(memory?.[1])).toBeGreaterThan(600);
});

test("a stretch is played again and again", async ({ open }) => {
  const page = await open();
  await atTheStart(page);
  await page.getByLabel("Long steps").fill("400");
  await page.keyboard.press("Tab");
  const on = page.getByRole("button", { name: "A is here" });
  await on.focus();
  await page.keyboard.press(".");
  await page.keyboard.press(">");
  await expect.poll(() => cycle(page)).toBe(401);
  await page.keyboard.press("i");
  await page.keyboard.press(">");
  await expect.poll(() => cycle(page)).toBe(801);
  await page.keyboard.press("o");
  await expect(page.locator('[data-mark="0"]')).toHaveText("401");
  await expect(page.locator('[data-mark="1"]')).toHaveText("801");
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await page.locator("#speed").fill("10");
  await page.getByRole("button", { name: "Play" }).click();
  // The run passes the end of the stretch and continues at its beginning, more than once.
  let before = 0;
  let backwards = 0;
  await expect
    .poll(async () => {
      const now = await cycle(page);
      expect(now).toBeLessThanOrEqual(801);
      if (now < before) expect(now).toBeGreaterThanOrEqual(401);
      backwards += Number(now < before);
      before = now;
      return backwards;
    }, { intervals: [40] })
    .toBeGreaterThan(1);
});

test("events are listed, filtered, jumped to and looked for", async ({ open }) => {
  const page = await open();
  await atTheStart(page);
  await page.getByRole("button", { name: "Injected" }).click();
  await page.getByRole("button", { name: "Delivered", exact: true }).click();
  const long = page.getByLabel("Long steps");
  await long.fill("3000");
  await page.keyboard.press("Tab");
  await page.locator("body").press(">");
  await expect.poll(() => cycle(page)).toBe(3000);
  const list = page.getByRole("list", { name: "Events" }).getByRole("listitem");
  const delivered = list.filter({ hasText: "has arrived at host" });
  await expect(delivered).toHaveCount(await page.evaluate(() => Number(document.querySelectorAll(".event-sign.event-4").length)));
  expect(await delivered.count()).toBeGreaterThan(3);
  // Newest first, and none later than the present cycle.
  const cycles = (await list.locator(".event-cycle").allTextContents()).map(shown);
  expect(cycles).toEqual([...cycles].sort((a, b) => b - a));
  expect(cycles[0]).toBeLessThanOrEqual(3000);
  await page.getByRole("button", { name: "Injected" }).click();
  await page.getByRole("button", { name: "Blocked", exact: true }).click();
  await expect(list.filter({ hasText: "leaves host" })).toHaveCount(0);
  await expect(list.filter({ hasText: "blocked in switch" })).toHaveCount(0);
  // A click on an event goes to its cycle and pins its message; later events stay in the list.
  const third = delivered.nth(2);
  const when = shown(await third.locator(".event-cycle").textContent());
  await third.getByRole("button").click();
  await expect.poll(() => cycle(page)).toBe(when);
  await expect(list.nth(0)).toHaveClass(/to-come/);
  // On to the next delivery.
  const next = (await list.locator(".event-cycle").allTextContents()).map(shown).filter((c) => c > when).at(-1);
  await page.getByRole("button", { name: "Next of these events" }).click();
  await expect.poll(() => cycle(page)).toBe(next);
  await expect(page.locator("#stopped")).toContainText("has arrived at host");
});

test("a run whose queues would outgrow the tab stops and says so", async ({ open }) => {
  test.slow(); // its queues must grow to millions of messages
  const page = await open();
  await page.getByRole("button", { name: "Pause" }).click();
  const scenario = {
    hopscope: 1,
    network: { generate: { kind: "irregular", switches: 64, hosts_per_switch: 8, ports: 16, seed: 1 } },
    routing: { preset: "UD" },
    traffic: [{ pattern: { kind: "uniform" }, size: { kind: "fixed", bytes: 8 }, arrival: { kind: "constant" }, load: 0.6 }],
  };
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator("input[type=file]").setInputFiles({ name: "crowded.json", mimeType: "application/json", buffer });
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await fast(page);
  await play(page);
  await expect(page.locator("#crowded")).toContainText("Lower the load", { timeout: 300_000 });
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  // The run is not lost: time can go back.
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await expect.poll(() => cycle(page)).toBe(0);
  await expect(page.locator("#crowded")).toHaveCount(0);
});

test("Play is kept when it is pressed while a scenario loads", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await fast(page);
  await page.locator("#worker").evaluate((worker) => {
    const observer = new MutationObserver(() => {
      if (worker.hasAttribute("data-loaded")) return;
      observer.disconnect();
      document.querySelector<HTMLElement>("button.play")!.click();
    });
    observer.observe(worker, { attributes: true });
  });
  const file = fileURLToPath(new URL("../../scenarios/seven-classes-80.json", import.meta.url));
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(page.getByLabel("Name of the scenario")).toHaveValue("Seven classes at 80 %");
  await expect.poll(() => cycle(page)).toBeGreaterThan(2000);
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
});
