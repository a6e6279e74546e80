// Once loaded, the page works without a network connection, and it announces a new build.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dist, expect, test } from "../fixtures";
import { serve } from "../serve.mjs";

test("the page opens and runs without a network once it was loaded", async ({ open, page, context }) => {
  await open();
  const status = page.locator("#worker");
  await expect(status).toHaveAttribute("data-kept", "yes");
  await context.setOffline(true);
  await page.reload();
  await expect(status).toHaveAttribute("data-state", "ready");
  await expect(status).toHaveAttribute("data-loaded", "yes");
  await page.goto("./guide.html");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Hopscope: user guide");
  await context.setOffline(false);
});

test("a new build announces itself and is there after Reload", async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), "hopscope-"));
  cpSync(dist, folder, { recursive: true });
  const server = await serve(folder);
  // The page is at rest: browsers install a new service worker only when they are idle.
  test.slow();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    await page.goto(server.address);
    await expect(page.locator("#worker")).toHaveAttribute("data-kept", "yes");
    const old = await page.locator("meta[name=hopscope-build]").getAttribute("content");
    for (const file of ["index.html", "sw.js"]) {
      const path = join(folder, file);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(old!, "0123456789ab"));
    }
    // `evaluate` does not wait for the update; the test waits for the message on the page.
    await page.evaluate(() => void navigator.serviceWorker.getRegistration().then((kept) => kept?.update()));
    await expect(page.locator("#renewed")).toContainText("new version");
    await page.locator("#renewed").getByRole("button", { name: "Reload" }).click();
    await expect(page.locator("meta[name=hopscope-build]")).toHaveAttribute("content", "0123456789ab");
    await expect(page.locator("#worker")).toHaveAttribute("data-state", "ready");
    expect(await page.evaluate(() => caches.keys())).toEqual([`hopscope-${old}`, "hopscope-0123456789ab"]);
  } finally {
    await context.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
});
