import { command, cycle, expect, test } from "../fixtures";
import type { Page } from "@playwright/test";
import { fileURLToPath } from "node:url";

test("a large network follows the pointer and is drawn anew when the view rests", async ({ open }) => {
  test.slow();
  const page = await open();
  const scenario = {
    hopscope: 1,
    network: { generate: { kind: "irregular", switches: 300, hosts_per_switch: 2, ports: 8, seed: 1 } },
    routing: { preset: "UD" },
  };
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator('input[type="file"]').setInputFiles({ name: "large.json", mimeType: "application/json", buffer });
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(page.getByText("Opened:")).toBeVisible();
  // Records each drawing list: its length, and the scale at which it shows the sheets drawn before.
  await page.evaluate(() => {
    const lists: [number, number][] = ((window as unknown as { lists: [number, number][] }).lists = []);
    const { prototype } = (window as unknown as { HopscopeScreen: { prototype: { show: (...list: [Float32Array]) => void } } }).HopscopeScreen;
    const { show } = prototype;
    prototype.show = function (...list) {
      lists.push([list[0].length, list[0].at(-4)!]);
      show.apply(this, list);
    };
  });
  const seen = (isMoved: boolean) =>
    page.evaluate(
      (isMoved) => (window as unknown as { lists: [number, number][] }).lists.some(([length, scale]) => (isMoved ? scale > 1 && length < 5000 : scale === 1 && length > 20_000)),
      isMoved,
    );
  const box = (await page.locator("#stage").boundingBox())!;
  await page.mouse.move(box.x + 200, box.y + 300);
  expect(await seen(true)).toBe(false);
  // The first turn of the wheel may come before there are sheets to move.
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -240);
      return seen(true);
    })
    .toBe(true);
  await expect.poll(() => seen(false)).toBe(true);
  // Zoomed in, few parts are in view, so all of them are drawn at once.
  const scales = (from: number) => page.evaluate((from) => (window as unknown as { lists: [number, number][] }).lists.slice(from).map(([, scale]) => scale), from);
  const turned = (await scales(0)).length;
  for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await scales(turned)).at(-1)).toBe(1);
  const before = (await scales(0)).length;
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 400, { steps: 10 });
  await page.mouse.up();
  await expect.poll(async () => (await scales(before)).length).toBeGreaterThan(2);
  expect(new Set(await scales(before))).toEqual(new Set([1]));
});

test("it speaks Spanish", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Español" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await expect(page.getByRole("tab", { name: "Tráfico" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("tab", { name: "Tráfico" })).toBeVisible();
});

test("every command with a key is listed with it", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("?");
  const rows = page.getByRole("dialog").locator("dl > div");
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeGreaterThan(40);
  for (const row of await rows.all()) await expect(row.locator("kbd").first()).toBeVisible();
  await expect(page.getByRole("dialog")).toContainText("Arrow keys: to the next switch or host");
});

test("a dialog takes the focus and gives it back", async ({ open }) => {
  const page = await open();
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await expect(page.getByRole("dialog", { name: "Menu" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
});

test("on a phone everything is within reach", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  // All controls; one inside a sentence may be as high as its line.
  const tooSmall = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, select, input, summary, a[href]")]
        .filter((thing) => !thing.closest(".visually-hidden") && !thing.closest("li, p")?.querySelector(".link"))
        .map((thing) => (thing.matches("[type=checkbox], [type=radio]") ? (thing.closest("label") ?? thing) : thing))
        .map((thing) => ({ box: thing.getBoundingClientRect(), name: thing.getAttribute("aria-label") ?? thing.textContent }))
        .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 43)
        .map(({ box, name }) => `${name}: ${box.width} by ${box.height}`),
    );
  for (const tab of await page.getByRole("tab").all()) {
    await tab.tap();
    expect(await tooSmall()).toEqual([]);
  }
  await page.getByRole("tab", { name: "Network" }).tap();
  await page.locator("#list").getByRole("button", { name: /^Switch 2:/ }).tap();
  expect(await tooSmall()).toEqual([]);
  await page.getByRole("button", { name: "Menu" }).tap();
  expect(await tooSmall()).toEqual([]);
  await context.close();
});

test("what is wrong, and numbers, are told in Spanish", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Español" }).click();
  await page.getByRole("tab", { name: "Mirar" }).click();
  await expect(page.locator("#accepted")).toHaveText(/^\d+,\d+$/);
  await page.getByRole("tab", { name: "Técnica" }).click();
  await page.getByLabel("Retardo del enlace").fill("200");
  await page.keyboard.press("Tab");
  await expect(page.locator("#problems")).toContainText("con un retardo de 200 ciclos");
  await page.getByRole("button", { name: "Deshacer" }).click();
  const buffer = Buffer.from("digraph {\n a -- b\n}");
  await page.locator('input[type="file"]').setInputFiles({ name: "red.dot", mimeType: "text/plain", buffer });
  await expect(page.locator("#file-problems")).toContainText("`--` donde se esperaba `->` en un digraph");
  // After a reload, the words of the catalogue and the gallery are in Spanish from the start.
  await page.reload();
  await page.getByRole("tab", { name: "Tráfico" }).click();
  await expect(page.getByText("un mensaje cada T ciclos")).toBeVisible();
  await page.keyboard.press("g");
  await expect(page.getByRole("button", { name: /Interbloqueo a propósito/ })).toBeVisible();
  await page.keyboard.press("Escape");
  // The shares of a deficit table, and a table that cannot be made.
  await page.locator('input[type="file"]').setInputFiles(fileURLToPath(new URL("../../scenarios/service-levels.json", import.meta.url)));
  await page.getByRole("tab", { name: "Técnica" }).click();
  await expect(page.locator("#dtable-result")).toContainText("30,04");
  await page.getByLabel(/^Mayor distancia entre dos entradas/).first().fill("1");
  await page.keyboard.press("Tab");
  await expect(page.locator("#dtable-result")).toContainText("en la tabla no caben tantas entradas");
});

test("a phone has the whole run to scrub through, a stretch to repeat, and the legend", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("button", { name: "Pause" }).tap();
  const scrub = page.getByLabel("Position");
  await expect(scrub).toBeVisible();
  expect((await scrub.boundingBox())!.width).toBeGreaterThan(300);
  const before = await cycle(page);
  await scrub.fill(String(before - 5000));
  await expect.poll(() => cycle(page)).toBeLessThan(before - 4000);
  await page.getByRole("tab", { name: "Time" }).tap();
  await page.getByRole("button", { name: "A is here" }).tap();
  await page.getByRole("button", { name: "Many cycles on" }).tap();
  await expect.poll(() => cycle(page)).toBeGreaterThan(before - 5000);
  await page.getByRole("button", { name: "B is here" }).tap();
  await expect(page.locator(".marks .mark-line")).toHaveCount(2);
  await page.locator(".foot summary").tap();
  await expect(page.getByText("its head, blocked")).toBeVisible();
  await context.close();
});

test("what is tapped is told at once, on a phone upright or on its side", async ({ browser, address }) => {
  for (const [width, height, least] of [[390, 844, 300], [844, 390, 180]]) {
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await page.goto(address);
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    await page.getByRole("button", { name: "Pause" }).tap();
    const stage = (await page.locator("#stage").boundingBox())!;
    expect(stage.height).toBeGreaterThan(least);
    // Also when the panel is scrolled down.
    const counts = page.getByText("In the network", { exact: true });
    await counts.scrollIntoViewIfNeeded();
    const title = page.getByRole("region", { name: "Inspector" }).getByRole("heading").first();
    for (let y = 0.2; y < 0.9 && !(await title.isVisible()); y += 0.06) {
      for (let x = 0.3; x < 0.8 && !(await title.isVisible()); x += 0.06) {
        await page.touchscreen.tap(stage.x + x * stage.width, stage.y + y * stage.height);
      }
    }
    await expect(title).toBeInViewport();
    await context.close();
  }
});

test("in a small frame the stage comes first, and the panels follow by scrolling", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 500, height: 300 } });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  expect((await page.locator("#stage").boundingBox())!.height).toBeGreaterThan(180);
  await expect(page.getByRole("button", { name: "Pause" })).toBeInViewport({ ratio: 1 });
  const tab = page.getByRole("tab", { name: "Routing" });
  await tab.scrollIntoViewIfNeeded();
  await expect(tab).toBeInViewport({ ratio: 1 });
  await tab.click();
  const last = page.locator(".panel .card").last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport();
  // Nothing stands on the sliders.
  const sliders = page.locator(".transport input");
  for (const slider of await sliders.all()) {
    await slider.scrollIntoViewIfNeeded();
    await slider.click({ trial: true });
  }
  await context.close();
});

test("on a projector of 1280 pixels gallery and lessons have their names", async ({ open, page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open();
  for (const name of ["Gallery", "Lessons"]) await expect(page.locator(".bar").getByText(name, { exact: true })).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(1280);
});

test("it works in a frame of another page, a lesson locked", async ({ page, address }) => {
  await page.setContent(`<iframe src="${address}#lesson=blocking&lock" width="900" height="600"></iframe>`);
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(frame.getByRole("tab")).toHaveText(["Lesson", "Watch"]);
  await expect(frame.getByRole("button", { name: "Draw links" })).toBeHidden();
  // The palette of a locked lesson opens no other panel.
  await frame.getByRole("tab", { name: "Watch" }).click();
  await command(page, "list", frame);
  await expect(frame.getByRole("dialog")).toBeHidden();
  await expect(frame.getByRole("tab", { name: "Watch" })).toHaveAttribute("aria-selected", "true");
});

for (const language of ["en", "es"]) {
  test(`the names of all tabs are whole and not small beside the stage (${language})`, async ({ open }) => {
    const page = await open();
    if (language === "es") await page.getByRole("button", { name: "Español" }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
    const tabs = page.getByRole("tab");
    await expect(tabs).toHaveCount(8);
    const measured = await tabs.evaluateAll((all) =>
      all.map((tab) => ({
        name: tab.textContent,
        isCut: tab.scrollWidth > tab.clientWidth || tab.scrollHeight > tab.clientHeight,
        lines: tab.getClientRects().length,
        size: parseFloat(getComputedStyle(tab).fontSize),
      })),
    );
    for (const { name, isCut, lines, size } of measured) {
      expect({ name, isCut, lines, isSmall: size < 13 }).toEqual({ name, isCut: false, lines: 1, isSmall: false });
    }
    const box = (await page.locator(".side").boundingBox())!;
    for (const tab of await tabs.all()) {
      const { x, width } = (await tab.boundingBox())!;
      expect(x >= box.x && x + width <= box.x + box.width + 1).toBe(true);
    }
  });
}
