// What the browser or the machine takes away costs no work: graphics, storage, network, clock.
import { createServer } from "node:http";
import type { BrowserContext, Page, Worker } from "@playwright/test";
import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cycle, dist, drawn, expect, play, settled, test } from "../fixtures";
import { serve } from "../serve.mjs";

const name = (page: Page) => page.getByRole("textbox", { name: "Name of the scenario" });
const loaded = (page: Page) => expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
const toast = (page: Page) => page.locator(".toast");

async function rename(page: Page, to: string) {
  await name(page).fill(to);
  await page.keyboard.press("Tab");
}

async function pause(page: Page) {
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
}

// The names of the networks that the browser has stored.
const stored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((done) => {
        indexedDB.open("hopscope").onsuccess = ({ target }) => {
          const { result } = target as IDBOpenDBRequest;
          result.transaction("documents").objectStore("documents").getAll().onsuccess = ({ target }) => {
            result.close();
            done((target as IDBRequest).result.map((record: string[]) => record[1]));
          };
        };
      }),
  );

for (const where of ["worker", "page"]) {
  test(`a picture that the graphics process loses is drawn again, by the ${where}`, async ({ page, open }) => {
    // The canvases that are drawn on, so that the test can take their pictures away.
    const watch = () => {
      const canvases = new Set<OffscreenCanvas | HTMLCanvasElement>();
      for (const { prototype } of [globalThis.OffscreenCanvas, globalThis.HTMLCanvasElement].filter(Boolean)) {
        const { getContext } = prototype as any;
        (prototype as any).getContext = function (...wanted: unknown[]) {
          canvases.add(this);
          return getContext.apply(this, wanted);
        };
      }
      Object.assign(globalThis, { canvases });
    };
    const lose = () => {
      for (const canvas of (globalThis as any).canvases) {
        const context = canvas.getContext("2d");
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.globalAlpha = 1;
        context.fillStyle = "red";
        context.fillRect(0, 0, canvas.width, canvas.height);
        canvas.dispatchEvent(new Event("contextlost", { cancelable: true }));
      }
    };
    const restore = () => {
      for (const canvas of (globalThis as any).canvases) canvas.dispatchEvent(new Event("contextrestored"));
    };
    if (where === "page") {
      await page.addInitScript(() => void delete (HTMLCanvasElement.prototype as any).transferControlToOffscreen);
      await page.addInitScript(watch);
    } else {
      await page.route("**/draw.js*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: `(${watch})();\n${await response.text()}` });
      });
    }
    await open();
    await expect(page.locator("#drawn")).toHaveAttribute("data-drawn", where);
    await pause(page);
    await page.locator("h1").hover(); // nothing on the stage is under the pointer
    const before = await settled(() => drawn(page));
    const place: Page | Worker =
      where === "page" ? page : page.workers().find((worker) => worker.url().includes("/draw.js"))!;
    await (place as Page).evaluate(lose);
    await expect.poll(() => drawn(page)).not.toBe(before);
    const red = await settled(() => drawn(page));
    expect(red, "nothing is drawn before the graphics are back").not.toBe(before);
    await (place as Page).evaluate(restore);
    await expect.poll(() => drawn(page)).toBe(before);
    // It goes on being drawn.
    await play(page);
    await expect.poll(() => drawn(page)).not.toBe(before);
  });
}

for (const [when, fill] of [
  ["at once", () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  }],
  ["at the end", () => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (...record) {
      const request = put.apply(this, record);
      request.addEventListener("success", () => this.transaction.abort());
      return request;
    };
  }],
] as const) {
  test(`a storage that turns out to be full ${when} is mentioned once, and nothing else stops`, async ({ open }) => {
    const page = await open();
    await page.evaluate(() => Object.assign(window, { put: IDBObjectStore.prototype.put }));
    await page.evaluate(fill);
    await rename(page, "Too much");
    await expect(toast(page)).toHaveText("The browser cannot store this network: save it as a file");
    await expect(toast(page)).toHaveText("");
    await rename(page, "Still too much");
    await play(page);
    const there = await cycle(page);
    await expect.poll(() => cycle(page)).toBeGreaterThan(there);
    await expect(toast(page)).toHaveText("");
    // Once there is room, the network is stored.
    await page.evaluate(() => Object.assign(IDBObjectStore.prototype, { put: (window as any).put }));
    await rename(page, "It fits");
    await expect.poll(() => stored(page)).toEqual(["It fits"]);
  });
}

const forbidden = {
  "the browser forbids all storage": () => {
    for (const [owner, what] of [[window, "indexedDB"], [window, "localStorage"], [window, "sessionStorage"], [window, "caches"], [navigator, "serviceWorker"]] as const) {
      Object.defineProperty(owner, what, {
        get() {
          throw new DOMException("forbidden", "SecurityError");
        },
      });
    }
  },
  "the browser opens no database": () => {
    IDBFactory.prototype.open = function () {
      const request = new EventTarget() as any;
      request.error = new DOMException("forbidden", "InvalidStateError");
      setTimeout(() => request.onerror?.(new Event("error")));
      return request;
    };
  },
};
for (const [what, forbid] of Object.entries(forbidden)) {
  test(`the page works where ${what}`, async ({ page, open }) => {
    await page.addInitScript(forbid);
    await open();
    await rename(page, "Not stored");
    await expect(page).toHaveURL(/#s=/);
    await page.getByRole("button", { name: "Next theme" }).click();
    await page.getByRole("button", { name: "Español" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await expect.poll(() => cycle(page)).toBeGreaterThan(5);
    await page.keyboard.press("g");
    await expect(page.getByRole("dialog", { name: "Galería" })).toBeVisible();
    await page.keyboard.press("Escape");
    // The address has the network.
    await page.reload();
    await loaded(page);
    await expect(page.locator("input.name")).toHaveValue("Not stored");
  });
}

// A server whose connection breaks in the middle of a file.
async function breaking(address: string, broken: { file?: RegExp }) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(request.url!, address));
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type")!, "content-length": body.length });
    if (!broken.file?.test(request.url!)) return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}/`, close: () => (server.closeAllConnections(), server.close()) };
}

for (const [locale, words, again] of [["en-GB", "Hopscope could not start", "Try again"], ["es-ES", "Hopscope no ha podido arrancar", "Reintentar"]]) {
  test(`a connection that breaks in the middle of loading is reported, and loading tried again, ${locale}`, async ({ browser, address }) => {
    const broken: { file?: RegExp } = {};
    const server = await breaking(address, broken);
    const context = await browser.newContext({ locale });
    try {
      for (const file of [/\.wasm/, /\/hopscope-app-\w+\.js/, /\/draw\.js/]) {
        const page = await context.newPage();
        broken.file = file;
        await page.goto(`${server.address}#lesson=blocking`, { waitUntil: "commit" });
        await expect(page.getByRole("alert")).toContainText(words);
        broken.file = undefined;
        await page.getByRole("button", { name: again }).click();
        await loaded(page);
        await expect(page).toHaveURL(/#lesson=blocking$/);
        await expect(page.getByText("Hopscope is loading")).toHaveCount(0);
        await page.close();
      }
      // Without its first script, the page is what index.html says.
      broken.file = /\/boot\.js/;
      const page = await context.newPage();
      await page.goto(server.address, { waitUntil: "commit" });
      await expect(page.getByText("load the page again")).toBeVisible();
    } finally {
      await context.close();
      server.close();
    }
  });
}

test("a page of which a part could not be kept works, and is kept at the next visit", async ({ browser }) => {
  test.slow();
  const folder = mkdtempSync(join(tmpdir(), "hopscope-"));
  cpSync(dist, folder, { recursive: true });
  renameSync(join(folder, "guide.css"), join(folder, "away.css"));
  const server = await serve(folder);
  const context: BrowserContext = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    const failed = page.waitForEvent("console", { predicate: (message) => message.text().includes("not kept"), timeout: 15_000 }).catch(() => null);
    await page.goto(server.address);
    await loaded(page);
    await failed;
    await expect(page.locator("#worker")).not.toHaveAttribute("data-kept");
    renameSync(join(folder, "away.css"), join(folder, "guide.css"));
    await page.reload();
    await expect(page.locator("#worker")).toHaveAttribute("data-kept", "yes");
  } finally {
    await context.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
});

// Has the clock of a page or worker go back by an hour.
const turnBack = () => {
  const now = performance.now.bind(performance);
  const later = Date.now;
  performance.now = () => now() - 3_600_000;
  Date.now = () => later() - 3_600_000;
};

test("a run goes on when the clock goes back", async ({ open }) => {
  const page = await open();
  await play(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(20_000);
  for (const place of [page, ...page.workers()]) await place.evaluate(turnBack);
  const before = await cycle(page);
  await expect.poll(() => cycle(page), { timeout: 20_000 }).toBeGreaterThan(before + 200);
  // The numbers beside the stage go on too.
  const delivered = await page.locator('[data-count="delivered"]').textContent();
  await expect(page.locator('[data-count="delivered"]')).not.toHaveText(delivered!, { timeout: 20_000 });
});

test("the network that was changed last comes back, although the clock has gone back", async ({ context, address }) => {
  const open = async () => {
    const page = await context.newPage();
    await page.goto(address);
    await loaded(page);
    return page;
  };
  const first = await open();
  await rename(first, "Before");
  await expect.poll(() => stored(first)).toEqual(["Before"]);
  await first.close();
  const second = await open();
  await expect(name(second)).toHaveValue("Before");
  await second.evaluate(turnBack);
  await rename(second, "After");
  await expect.poll(() => stored(second)).toContain("After");
  await second.close();
  await expect(name(await open())).toHaveValue("After");
});
