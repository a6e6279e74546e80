// `cargo xtask measure`: prints how fast studies are. It checks nothing; use a quiet machine.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "../fixtures";

test.describe.configure({ mode: "serial" });

const root = fileURLToPath(new URL("../../", import.meta.url));
const print = (...words: (string | number)[]) => console.log(words.join(" "));

test("the curve of the thesis, and what the page does meanwhile", async ({ open }) => {
  test.setTimeout(900_000);
  const page = await open();
  const buffer = readFileSync(`${root}scenarios/experiments/thesis-32.json`);
  await page.locator('input[type="file"]').setInputFiles({ name: "thesis.json", mimeType: "application/json", buffer });
  await expect(page.locator("#run-study")).toBeEnabled();
  // The longest that the page does not answer while it runs.
  await page.evaluate(() => {
    const state = Object.assign(window, { longest: 0 });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) state.longest = Math.max(state.longest, duration);
    }).observe({ type: "longtask" });
  });
  const start = performance.now();
  await page.locator("#run-study").click();
  const progress = page.locator("#progress[data-phase=over]");
  await progress.waitFor({ timeout: 800_000 });
  const wall = (performance.now() - start) / 1000;
  const seconds = Number(await progress.getAttribute("data-seconds"));
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  const longest = await page.evaluate(() => (window as unknown as { longest: number }).longest);
  print(`36 points: ${wall.toFixed(1)} s on ${cores} cores, efficiency ${(seconds / cores / wall).toFixed(2)}`);
  print(`longest task of the page meanwhile: ${longest.toFixed(0)} ms`);
});

test("how long cancelling takes", async ({ open }) => {
  const page = await open();
  const buffer = readFileSync(`${root}scenarios/experiments/thesis-32.json`);
  await page.locator('input[type="file"]').setInputFiles({ name: "thesis.json", mimeType: "application/json", buffer });
  await page.locator("#run-study:enabled").click();
  await page.waitForFunction(() => Number(document.getElementById("progress")?.dataset.done) > 2);
  const ms = await page.evaluate(async () => {
    const start = performance.now();
    document.getElementById("cancel-study")!.click();
    while (document.getElementById("progress")!.dataset.phase !== "stopped") await new Promise(requestAnimationFrame);
    return performance.now() - start;
  });
  print(`cancelled after ${ms.toFixed(0)} ms`);
});

test("from opening the page to the first curve", async ({ open }) => {
  const start = performance.now();
  const page = await open();
  const opened = (performance.now() - start) / 1000;
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await page.getByRole("button", { name: "Sweep the load" }).click();
  await page.locator("#study-figure").waitFor();
  const first = (performance.now() - start) / 1000;
  await page.locator("#progress[data-phase=over]").waitFor({ timeout: 300_000 });
  const whole = (performance.now() - start) / 1000;
  print(`first curve: page ${opened.toFixed(1)} s, first point ${first.toFixed(1)} s, all points ${whole.toFixed(1)} s`);
});
