// `test` serves the built page and fails on every error a visitor would notice: errors on the
// console,
// uncaught exceptions, violations of the content security policy, requests to other hosts.
import { test as base, expect, type FrameLocator, type Page } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { serve } from "./serve.mjs";

export const dist = process.env.HOPSCOPE_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

// The names of all files of the built page.
export const files = () => readdirSync(dist).sort();

// The size of files after compression, in kB of 1000 bytes.
export const download = (names: string[], packed = (bytes: Buffer) => gzipSync(bytes, { level: 9 })) =>
  names.reduce((sum, name) => sum + packed(readFileSync(join(dist, name))).length, 0) / 1000;

type Fixtures = {
  // The errors so far. A test that provokes one removes it.
  troubles: string[];
  // Opens the page, with a fragment if given, and waits until the scenario is loaded.
  open: (fragment?: string) => Promise<Page>;
};

export const test = base.extend<Fixtures, { address: string }>({
  address: [
    async ({}, use) => {
      const server = await serve(dist);
      await use(server.address);
      await server.close();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ address }, use) => use(address),
  troubles: async ({ page, address }, use) => {
    const troubles: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) troubles.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`));
    page.on("requestfailed", (request) => {
      // A worker may be replaced or cancelled while its scripts are being fetched, and a page may
      // be loaded again while the browser fetches its icon.
      const why = request.failure()?.errorText;
      const givenUp = /\/(draw\.js|boot\.js|hopscope-app-\w+\.js|icon-)/;
      const unwanted = why === "net::ERR_ABORTED" && givenUp.test(request.url());
      if (!unwanted) troubles.push(`failed: ${request.url()}: ${why}`);
    });
    page.on("request", (request) => {
      const own = [address, "data:", `blob:${address}`].some((start) => request.url().startsWith(start));
      if (!own) troubles.push(`request to another place: ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) troubles.push(`${response.status()}: ${response.url()}`);
    });
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`content security policy: ${event.violatedDirective} forbids ${event.blockedURI}`);
      });
    });
    await use(troubles);
    expect(troubles, "nothing a visitor would be sorry for").toEqual([]);
  },
  open: async ({ page, troubles: _ }, use) => {
    await use(async (fragment = "") => {
      await page.goto(`./${fragment}`);
      await expect(page.locator("#worker")).toHaveAttribute("data-state", "ready");
      await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
      return page;
    });
  },
});

// A number of the page, without its thousands separators.
const read = async (page: Page, place: string) =>
  Number((await page.locator(place).textContent())?.replace(/\D/g, "") || NaN);

// The cycle shown.
export const cycle = (page: Page) => read(page, "#cycle");

// Goes to a cycle of the run, which is paused. The slider may not reach so far at once: on a busy
// machine it is told of the run later than the number of the cycle is.
export async function seek(page: Page, to: number) {
  const slider = page.getByRole("slider", { name: "Position" });
  await expect.poll(async () => Number(await slider.getAttribute("max"))).toBeGreaterThanOrEqual(to);
  await slider.fill(String(to));
  await expect.poll(() => cycle(page)).toBe(to);
}

// One of the counts of messages.
export const count = (page: Page, id: string) => read(page, `[data-count="${id}"]`);

// The stage as an image, for comparison.
export const drawn = (page: Page) => page.locator("#drawn canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

// Waits until a value no longer changes: the last frame may come after the run has stopped.
export async function settled(read: () => Promise<string>) {
  let before = "";
  let equal = 0;
  const readAgain = async () => {
    const now = await read();
    equal = now === before ? equal + 1 : 0;
    before = now;
    return equal;
  };
  // Three equal reads in a row: on a busy machine two may lie between the same frames.
  await expect.poll(readAgain, { intervals: [200] }).toBeGreaterThanOrEqual(2);
  return before;
}

// Starts the run. A scenario that was just opened may start by itself, so the button may change
// before the click. A second click before the first is seen would pause the run again.
export const play = (page: Page) =>
  expect(async () => {
    const button = page.getByRole("button", { name: "Play", exact: true });
    if (await button.isVisible()) await button.click({ timeout: 2000 });
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible({ timeout: 20_000 });
  }).toPass();

// Sets the speed to as fast as possible.
export const fast = (page: Page) => page.locator("#speed").fill("22");

// Runs the command that the palette finds first for some words; in a frame, if one is given.
export const command = async (page: Page, words: string, place: Page | FrameLocator = page) => {
  await page.keyboard.press("Control+k");
  await expect(place.getByRole("textbox", { name: "Type a command" })).toBeFocused();
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
};

// Runs scenarios to a cycle each, one after the other, in a worker of the page. Gives what the
// worker answers: the fingerprint, or nothing where the scenario is refused.
export const fingerprints = (page: Page, runs: { scenario_json: string; cycle: number }[]) =>
  page.evaluate(async (runs) => {
    // As the page starts its workers (app/static/boot.js).
    const boot = document.getElementById("boot") as HTMLScriptElement;
    const { js, wasm } = boot.dataset;
    const module = await WebAssembly.compileStreaming(fetch(new URL(wasm!, boot.src)));
    const worker = new Worker(boot.src, { type: "module" });
    const next = () =>
      new Promise<unknown>((resolve, reject) => {
        worker.onmessage = (event) => resolve(event.data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
    worker.postMessage([js, module]);
    await next();
    type Answer = { Fingerprint: { cycle: bigint; fingerprint: { Ok?: string } } };
    const answers: { cycle: number; fingerprint?: string }[] = [];
    for (const { scenario_json, cycle } of runs) {
      worker.postMessage({ Fingerprint: { scenario_json, cycle: BigInt(cycle) } });
      const { Fingerprint: run } = (await next()) as Answer;
      answers.push({ cycle: Number(run.cycle), fingerprint: run.fingerprint.Ok });
    }
    worker.terminate();
    return answers;
  }, runs);

export { expect };

// Double-clicks from the middle of the stage outwards until it is on a switch.
export const lookInside = async (page: Page) => {
  const box = (await page.locator("#stage").boundingBox())!;
  const inside = page.locator("#inside");
  for (let turn = 0; turn < 80 && !(await inside.isVisible()); turn++) {
    const [angle, away] = [turn * 2.4, 16 * Math.sqrt(turn)];
    await page.mouse.dblclick(
      box.x + box.width / 2 + away * Math.cos(angle),
      box.y + box.height / 2 + away * Math.sin(angle),
    );
  }
  await expect(inside).toBeVisible();
  return inside;
};
