// Memory over a long life: documents opened one after the other, and a long run at full speed.
//
// HOPSCOPE_OPENINGS and HOPSCOPE_MINUTES make it longer than in a usual test run; what was used is
// printed.
import { type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cycle, expect, fast, play, test } from "../fixtures";

const openings = Number(process.env.HOPSCOPE_OPENINGS ?? 16);
const minutes = Number(process.env.HOPSCOPE_MINUTES ?? 0.2);
const root = fileURLToPath(new URL("../../", import.meta.url));
// How often memory is read.
const PARTS = 8;

// What is used, and by how much each may grow: kB, but for nodes and listeners. A document keeps up
// to 200 steps of undo, and the browser compiles functions again when they are used much. What a
// process has is also what the browser keeps for later, and what workers have not yet collected.
const MOST_GROWTH = { page: 3000, simulator: 16_000, scripts: 3000, nodes: 200, listeners: 40, process: 64_000 };
type Used = typeof MOST_GROWTH;

// Has page and workers keep their WebAssembly memory where a test can read it.
const showMemory = (page: Page) =>
  page.route(/\/hopscope-app-\w+\.js$/, async (route) => {
    const response = await route.fetch();
    const hook = ["instantiate", "instantiateStreaming"].map((name) => `{
      const original = WebAssembly.${name};
      WebAssembly.${name} = async (...given) => {
        const made = await original.apply(WebAssembly, given);
        globalThis.memory = (made.instance ?? made).exports.memory;
        return made;
      };
    }`);
    await route.fulfill({ response, body: hook.join("\n") + (await response.text()) });
  });

const bytes = () => ((globalThis as { memory?: WebAssembly.Memory }).memory?.buffer.byteLength ?? 0) / 1000;

async function memory(page: Page): Promise<Used> {
  const session = await page.context().newCDPSession(page);
  // Scripts let go of nodes in the first collection; the second one frees them.
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  const metric = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  // A test's page has a process of its own; other renderers are spare ones.
  const browser = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  await browser.detach();
  const dirty = processInfo.filter(({ type }) => type === "renderer").map(({ id }) =>
    Number(/Private_Dirty: +(\d+) kB/.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))![1]));
  const workers = await Promise.all(page.workers().map((worker) => worker.evaluate(bytes)));
  return {
    page: await page.evaluate(bytes),
    simulator: Math.max(...workers),
    scripts: metric("JSHeapUsedSize") / 1000,
    nodes: metric("Nodes"),
    listeners: metric("JSEventListeners"),
    process: Math.max(...dirty),
  };
}

// Prints what is used after `what`, and compares it with what was used before.
function compare(what: string, before: Used, now: Used) {
  const keys = Object.keys(MOST_GROWTH) as (keyof Used)[];
  console.log(what, keys.map((key) => `${key} ${now[key].toFixed(0)}`).join(", "));
  for (const key of keys) {
    expect.soft(now[key] - before[key], `growth of ${key} after ${what}`).toBeLessThan(MOST_GROWTH[key]);
  }
}

async function openFile(page: Page, name: string) {
  const buffer = readFileSync(`${root}scenarios/${name}.json`);
  await page.locator("input[type=file]").setInputFiles({ name: `${name}.json`, mimeType: "application/json", buffer });
  await expect(page.getByLabel("Name of the scenario")).toHaveValue(JSON.parse(buffer.toString()).name);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
}

test("opening, running and closing documents does not grow", async ({ open, page }) => {
  test.setTimeout(180_000 + openings * 10_000);
  await showMemory(page);
  await open();
  const names = ["first-light", "torus-8x8", "congestion-tree-recn", "seven-classes-80"];
  const round = async (i: number) => {
    await openFile(page, names[i % names.length]);
    await fast(page);
    await play(page);
    await expect.poll(() => cycle(page)).toBeGreaterThan(2000);
    await page.getByRole("button", { name: "Pause" }).click();
  };
  // Twice each: memory for the largest is then there.
  for (let i = 0; i < 2 * names.length; i++) await round(i);
  const before = await memory(page);
  expect(before.simulator, "the memory of the simulator is seen").toBeGreaterThan(1000);
  for (let i = 1; i <= openings; i++) {
    await round(i);
    if (i % Math.ceil(openings / PARTS) === 0) compare(`${i} documents:`, before, await memory(page));
  }
});

test("a long run at full speed does not grow", async ({ open, page }) => {
  test.setTimeout(180_000 + minutes * 120_000);
  await showMemory(page);
  await open();
  await openFile(page, "thesis-32");
  await fast(page);
  await play(page);
  // The history of the run takes its share first.
  await page.waitForTimeout(8_000);
  const before = await memory(page);
  const from = await cycle(page);
  for (let part = 1; part <= PARTS; part++) {
    await page.waitForTimeout((minutes * 60_000) / PARTS);
    compare(`${((minutes * part) / PARTS).toFixed(2)} minutes, cycle ${await cycle(page)}:`, before, await memory(page));
  }
  expect(await cycle(page), "it ran").toBeGreaterThan(from);
});
