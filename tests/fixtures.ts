// `test` with the built page served to it, and a page that fails its test for anything a visitor would be sorry for:
// an error on the console, an uncaught exception, a break of the content security policy, a request to another place.
import { test as base, expect, type Page } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { serve } from "./serve.mjs";

export const dist = process.env.HOPSCOPE_DIST ?? fileURLToPath(new URL("../dist", import.meta.url));

// The names of all files of the built page.
export const files = () => readdirSync(dist).sort();

// What files cost a visitor, in kB of 1000 bytes.
export const download = (names: string[], packed = (bytes: Buffer) => gzipSync(bytes, { level: 9 })) =>
  names.reduce((sum, name) => sum + packed(readFileSync(join(dist, name))).length, 0) / 1000;

type Fixtures = {
  // What went wrong so far. A test that provokes something removes it from here.
  troubles: string[];
  // Opens the page (with a fragment, if any) and waits until the simulator is ready.
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
      // The script of a drawing worker that is replaced before it has it is no longer wanted, and has not failed.
      const why = request.failure()?.errorText;
      const unwanted = why === "net::ERR_ABORTED" && request.url().includes("/draw.js");
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

// A number as the page writes it, its thousands apart.
const read = async (page: Page, place: string) =>
  Number((await page.locator(place).textContent())?.replace(/\D/g, "") || NaN);

// The simulated time shown.
export const cycle = (page: Page) => read(page, "#cycle");

// One of the numbers of messages.
export const count = (page: Page, id: string) => read(page, `[data-count="${id}"]`);

// What is seen of the stage, to be compared.
export const drawn = (page: Page) => page.locator("#drawn canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

// What is read once it no longer changes: the last frame may come a little after the run has stopped.
export async function settled(read: () => Promise<string>) {
  let before = "";
  const rests = async () => {
    const now = await read();
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(rests, { intervals: [200] }).toBe(true);
  return before;
}

// Has time pass. A scenario just opened may start by itself in the moment somebody would click.
export const play = (page: Page) =>
  expect(async () => {
    const button = page.getByRole("button", { name: "Play", exact: true });
    if (await button.isVisible()) await button.click({ timeout: 500 });
    await expect(page.getByRole("button", { name: "Pause" })).toBeVisible({ timeout: 500 });
  }).toPass();

// Lets time pass as fast as possible.
export const fast = (page: Page) => page.locator("#speed").fill("22");

export { expect };
