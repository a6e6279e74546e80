// The page works from any folder of any static host.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { count, dist, expect, fast, play, test as base } from "../fixtures";
import { serve } from "../serve.mjs";

// A folder of a host that holds the page in `some/folder` and nothing else.
const test = base.extend<{ host: string }>({
  host: async ({}, use) => {
    const host = mkdtempSync(join(tmpdir(), "hopscope-host-"));
    const folder = join(host, "some", "folder");
    mkdirSync(folder, { recursive: true });
    cpSync(dist, folder, { recursive: true });
    await use(host);
    rmSync(host, { recursive: true });
  },
});

// Opens the page at an address, runs a scenario and opens the guide. Fails on a request outside the
// page's folder and on an answer that is an error.
async function works(page: Page, address: string) {
  const wrong: string[] = [];
  page.on("request", (request) => {
    const own = ["data:", `blob:${new URL(address).origin}`, address];
    if (!own.some((start) => request.url().startsWith(start))) wrong.push(request.url());
  });
  page.on("response", (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()}: ${response.url()}`);
  });
  await page.goto(address);
  const status = page.locator("#worker");
  await expect(status).toHaveAttribute("data-loaded", "yes");
  await fast(page);
  await play(page);
  await expect.poll(() => count(page, "delivered")).toBeGreaterThan(100);
  await expect(status).toHaveAttribute("data-kept", "yes");
  await page.goto(`${address}guide.html`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hopscope: user guide");
  expect(wrong).toEqual([]);
}

test("the page works below a folder of a host", async ({ browser, host }) => {
  const server = await serve(host);
  const context = await browser.newContext();
  try {
    await works(await context.newPage(), `${server.address}some/folder/`);
    expect((await context.request.get(server.address)).status(), "nothing at the root").toBe(404);
  } finally {
    await context.close();
    await server.close();
  }
});

test("the page works when Python serves its folder", async ({ browser, host }) => {
  const port = await freePort();
  const python = spawn("python3", ["-m", "http.server", `${port}`, "--bind", "127.0.0.1"], {
    cwd: join(host, "some", "folder"),
    stdio: "ignore",
  });
  const context = await browser.newContext();
  try {
    const address = `http://127.0.0.1:${port}/`;
    await expect.poll(() => answers(address)).toBe(true);
    await works(await context.newPage(), address);
  } finally {
    await context.close();
    python.kill();
    await once(python, "exit");
  }
});

const answers = (address: string) => fetch(address).then(
  (response) => response.ok,
  () => false,
);

// A port that was free a moment ago.
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
