// A worker that dies is replaced, and the run goes on where it was.
import AxeBuilder from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import { type Page } from "@playwright/test";
import { cycle, expect, fast, play, seek, settled, test } from "../fixtures";

const deaths = {
  "an exception": {
    strike: () => void setTimeout(() => { throw new Error("struck by a test"); }),
    words: "struck by a test",
  },
  "a panic": {
    strike: () => void setTimeout(() => self.dispatchEvent(new MessageEvent("message", { data: "no command" }))),
    words: "panicked at app/src/worker/",
  },
  // As the browser ends a worker that takes too much memory: without a word.
  "the browser's hand": { strike: () => self.close(), words: "the browser ended the simulator" },
};

// Kills the worker of the simulation, and waits for the one that replaces it.
async function kill(page: Page, strike: () => void) {
  // Not the worker that draws.
  const worker = page.workers().find((worker) => worker.url().includes("/boot.js"))!;
  const next = page.waitForEvent("worker");
  await worker.evaluate(strike).catch(() => {}); // it may be gone before it answers
  await next;
}

// Pauses, and returns what is shown then.
async function paused(page: Page) {
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await settled(async () => String(await cycle(page)));
  return { cycle: await cycle(page), fingerprint: await page.locator("#fingerprint").textContent() };
}

for (const [what, { strike, words }] of Object.entries(deaths)) {
  test(`a run whose worker dies of ${what} is repeated up to where it was, and plays on`, async ({ open }) => {
    const page = await open();
    await expect.poll(() => cycle(page)).toBeGreaterThan(20_000);
    const before = await cycle(page);
    await kill(page, strike);
    await expect(page.locator("#worker")).toHaveAttribute("data-state", "restarted");
    await expect(page.locator("#crash")).toContainText(words);
    await expect.poll(() => cycle(page)).toBeGreaterThan(before + 5);
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  });
}

test("a run that goes on after its worker died has the bits of one that was not disturbed", async ({ open }) => {
  const page = await open();
  const at = async (to: number) => {
    await seek(page, to);
    return page.locator("#fingerprint").textContent();
  };
  await expect.poll(() => cycle(page)).toBeGreaterThan(20_000);
  const before = await cycle(page);
  await kill(page, deaths["an exception"].strike);
  await expect(page.locator("#crash")).toBeVisible();
  await expect.poll(() => cycle(page)).toBeGreaterThan(before + 500);
  await paused(page);
  const disturbed = await at(before + 300);
  expect(disturbed).toMatch(/^[0-9a-f]{16}$/);
  // The same scenario in a page without a death, to the same cycle.
  await page.reload();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect.poll(() => cycle(page)).toBeGreaterThan(before + 500);
  await paused(page);
  expect(await at(before + 300)).toBe(disturbed);
});

test("a run that stood still stands in the same cycle again, with the same bits", async ({ open }) => {
  const page = await open();
  const before = await paused(page);
  expect(before.fingerprint).toMatch(/^[0-9a-f]{16}$/);
  await kill(page, deaths["an exception"].strike);
  await expect(page.locator("#crash")).toBeVisible();
  await expect.poll(() => cycle(page)).toBe(before.cycle);
  await expect(page.locator("#fingerprint")).toHaveText(before.fingerprint!);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("a run whose worker dies in the same place again waits there", async ({ open }) => {
  const page = await open();
  const before = await paused(page);
  await kill(page, deaths["an exception"].strike);
  await expect.poll(() => cycle(page)).toBe(before.cycle);
  await play(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(before.cycle);
  await kill(page, deaths["an exception"].strike);
  await expect(page.locator("#crash")).toContainText("so the run waits for you");
  await expect.poll(() => cycle(page)).toBeGreaterThan(before.cycle);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("the way back to where the run was has progress and can be stopped", async ({ open }) => {
  const page = await open();
  await fast(page);
  // Far enough for the way back to take seconds.
  await expect.poll(() => cycle(page)).toBeGreaterThan(20_000_000);
  await kill(page, deaths["an exception"].strike);
  const way = page.locator("#replay");
  await expect(way).toContainText("Running again to cycle");
  await expect(way.getByRole("progressbar")).toBeVisible();
  const [, to] = /cycle ([\d\u202f]+):/.exec((await way.textContent())!)!;
  await way.getByRole("button", { name: "Stop here" }).click();
  await expect(way).toHaveCount(0);
  const there = Number(await settled(async () => String(await cycle(page))));
  expect(there).toBeGreaterThan(0);
  expect(there).toBeLessThan(Number(to.replace(/\D/g, "")));
});

test("the report has all that is needed to repeat the failure, copied or as a file", async ({ open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await kill(page, deaths["a panic"].strike);
  const card = page.locator("#crash");
  await expect(card).toBeVisible();
  expect((await new AxeBuilder({ page }).include("#crash").analyze()).violations).toEqual([]);
  await card.getByRole("button", { name: "Copy the report" }).click();
  await expect(page.getByText("The report is in the clipboard")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const download = page.waitForEvent("download");
  await card.getByRole("button", { name: "Download it" }).click();
  expect(readFileSync(await (await download).path(), "utf8")).toBe(copied);

  const build = await page.locator("meta[name=hopscope-build]").getAttribute("content");
  expect(copied).toMatch(new RegExp(`^program   Hopscope \\d+\\.\\d+\\.\\d+ build ${build}$`, "m"));
  expect(copied).toContain(`browser   ${await page.evaluate(() => navigator.userAgent)}`);
  expect(copied).toMatch(/^cycle     \d+$/m);
  expect(copied).toMatch(/^seeds     seed=\d+ routing\.seed=\d+ network\.generate\.seed=\d+$/m);
  expect(copied).toContain("panicked at app/src/worker/");
  expect(copied).toMatch(/at .*wasm/); // the calls
  // The scenario is there twice: as a link, and as the file itself.
  const [, link] = /^link +(\S+)$/m.exec(copied)!;
  const scenario = JSON.parse(copied.split("\nScenario:\n")[1]);
  expect(scenario.hopscope).toBe(1);
  await card.getByRole("button", { name: "Close" }).click();
  await expect(card).toHaveCount(0);
  await page.goto(link);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
});

test("a simulator that cannot be started is given up with its report, until it is tried again", async ({ page, open }) => {
  await page.addInitScript(() => {
    // Simulators that die of anything they are told, also of their program, while `sick` is set.
    window.Worker = class extends Worker {
      isSimulator: boolean;
      constructor(address: string | URL, options?: WorkerOptions) {
        super(address, options);
        this.isSimulator = String(address).includes("boot.js");
      }
      postMessage(...message: [unknown]) {
        const die = () => this.dispatchEvent(new ErrorEvent("error", { message: "sick" }));
        if (this.isSimulator && (window as unknown as { sick?: boolean }).sick) setTimeout(die);
        else super.postMessage(...message);
      }
    };
  });
  await open();
  const makeSick = (sick: boolean) => page.evaluate((sick) => Object.assign(window, { sick }), sick);
  await makeSick(true);
  const card = page.locator("#crash");
  await expect(card).toContainText("The simulator fails on this scenario");
  await expect(page.locator("#worker")).toHaveAttribute("data-state", "lost");
  await makeSick(false);
  await card.getByRole("button", { name: "Try again" }).click();
  await expect(page.locator("#worker")).toHaveAttribute("data-state", "ready");
  await play(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(5);
});
