// What to begin with: the gallery in sections with a search, and lessons with marks of what is
// done.
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures";

const gallery = (page: Page) => page.getByRole("dialog", { name: "Gallery" });
const search = (page: Page) => page.getByRole("textbox", { name: "Search the gallery" });
const cards = (place: Locator) => place.locator(".gallery-item");

const SECTIONS = [
  "Start here",
  "Routing and in-transit buffers",
  "Topologies",
  "Applications",
  "Service levels and schedulers",
  "Congestion and RECN",
  "Published networks",
];

// The number of lines that each summary takes.
const lines = (place: Locator) =>
  place.locator(".summary").evaluateAll((all) =>
    all.map((summary) => Math.round(summary.clientHeight / parseFloat(getComputedStyle(summary).lineHeight))),
  );

test("the gallery has sections, and a search that they vanish under", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await expect(search(page)).toBeFocused();
  await expect(gallery(page).getByRole("heading", { level: 3 })).toHaveText(SECTIONS);
  const all = await cards(gallery(page)).count();
  expect(all).toBeGreaterThan(30);
  await expect(gallery(page).getByRole("region", { name: "Applications" }).locator(".gallery-item")).toHaveCount(4);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  // The search stays in sight.
  await gallery(page).evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
  await expect(cards(gallery(page)).last()).toBeInViewport({ ratio: 1 });
  await expect(search(page)).toBeInViewport({ ratio: 1 });

  // A word of a name, in capitals, and one of a description.
  await page.keyboard.type("TREE regional");
  await expect(gallery(page).getByRole("heading", { level: 3 })).toHaveText(["Congestion and RECN"]);
  await expect(cards(gallery(page))).toHaveCount(1);
  await expect(page.getByRole("status").filter({ hasText: "1 found" })).toBeVisible();
  // The name of a section finds all that is in it.
  await search(page).fill("published networks");
  await expect(cards(gallery(page))).toHaveCount(6);
  await expect(page.getByRole("status").filter({ hasText: "6 found" })).toBeVisible();
  await search(page).fill("no such network");
  await expect(page.getByRole("status").filter({ hasText: "Nothing found" })).toBeVisible();
  await expect(gallery(page).getByRole("heading", { level: 3 })).toHaveCount(0);
  await search(page).fill("");
  await expect(cards(gallery(page))).toHaveCount(all);

  // Opened from what was found; the next time the gallery has everything again.
  await search(page).fill("cplant");
  await cards(gallery(page)).click();
  await expect(gallery(page)).toHaveCount(0);
  await expect(page.getByText("Opened: Cplant")).toBeVisible();
  await page.locator("#drawn").focus();
  await page.keyboard.press("g");
  await expect(search(page)).toHaveValue("");
  await expect(cards(gallery(page))).toHaveCount(all);
  await page.keyboard.press("Escape");
  await expect(gallery(page)).toHaveCount(0);
});

test("summaries take two lines at most, and the scenario has all of it", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await expect(search(page)).toBeFocused();
  const counted = await lines(gallery(page));
  expect(counted.length).toBeGreaterThan(30);
  expect(Math.max(...counted)).toBe(2);
  const first = gallery(page).getByRole("listitem").filter({ hasText: "First light" }).first();
  const whole = (await first.getAttribute("title"))!;
  expect(whole.length).toBeGreaterThan(80);
  await expect(first.locator(".summary")).toHaveText(whole);
  await cards(first).click();
  await expect(page.locator(".tour")).toContainText(whole);
});

test("on a phone the gallery opens without a keyboard over it", async ({ browser, address }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: "en-GB",
  });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.keyboard.press("g");
  await expect(gallery(page)).toBeFocused();
  expect(Math.max(...(await lines(gallery(page))))).toBe(2);
  const width = await gallery(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(width, "nothing is beside the screen").toBe(0);
  await search(page).fill("torus 8x8");
  await expect(cards(gallery(page)).first()).toBeVisible();
  await context.close();
});

const lesson = (page: Page, id: string) => page.locator(`[data-lesson="${id}"]`);

// Takes a lesson from the open list to its explanation.
async function take(page: Page, id: string, runs: number) {
  await lesson(page, id).click();
  await page.getByRole("radio").first().check();
  await page.locator("#lesson-next").click();
  for (let run = 0; run < runs; run++) {
    // The run may have been measured before this click.
    await page.getByRole("button", { name: "Measure it" }).click({ timeout: 5_000 }).catch(() => {});
    await expect(page.locator("#lesson-results dd")).not.toHaveCount(0);
    await expect(page.locator("#lesson-explained")).toHaveCount(0);
    await page.locator("#lesson-next").click();
  }
  await expect(page.locator("#lesson-explained")).toBeVisible();
}

test("a lesson says how long it takes, and when it has been done, also after a reload", async ({ open }) => {
  test.slow();
  const page = await open();
  await page.keyboard.press("Shift+L");
  const list = page.getByRole("dialog", { name: "Lessons" });
  await expect(cards(list)).toHaveCount(12);
  for (const card of await cards(list).all()) {
    await expect(card).toContainText(/about \d+ min/);
    await expect(card.locator(".small-links")).toHaveAttribute("d", /^M/);
  }
  expect(Math.max(...(await lines(list)))).toBeLessThanOrEqual(2);
  await expect(list.locator(".done")).toHaveCount(0);
  await take(page, "deadlock", 2);
  await page.keyboard.press("Shift+L");
  await expect(list.locator(".done")).toHaveCount(1);
  await expect(list.getByRole("button", { name: /Deadlock, and the cycle.* done$/ })).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.reload();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.keyboard.press("Shift+L");
  await expect(lesson(page, "deadlock").locator(".done")).toBeVisible();
  await expect(list.locator(".done")).toHaveCount(1);
});

test("a lesson that is left before its explanation is not done, nor one whose link leads there", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("Shift+L");
  await lesson(page, "blocking").click();
  await page.getByRole("radio").first().check();
  await page.locator("#lesson-next").click();
  await page.getByRole("button", { name: "Leave the lesson" }).click();
  await page.keyboard.press("Shift+L");
  await expect(page.getByRole("dialog").locator(".done")).toHaveCount(0);
  await page.goto("./#lesson=deadlock&at=0&step=explain");
  await expect(page.locator("#lesson-explained")).toBeVisible();
  await page.keyboard.press("Shift+L");
  await expect(cards(page.getByRole("dialog"))).toHaveCount(12);
  await expect(page.getByRole("dialog").locator(".done")).toHaveCount(0);
});

test("where the browser stores nothing, a lesson is marked as long as the page is open", async ({ page, open }) => {
  test.slow();
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await open();
  await page.keyboard.press("Shift+L");
  await take(page, "deadlock", 2);
  await page.keyboard.press("Shift+L");
  await expect(lesson(page, "deadlock").locator(".done")).toBeVisible();
});

test("gallery and lessons speak Spanish, and the search finds words without their accents", async ({ browser, address }) => {
  const context = await browser.newContext({ locale: "es-ES", viewport: { width: 1280, height: 800 } });
  await context.addInitScript(() => localStorage.setItem("hopscope.lessons", "deadlock trees"));
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.keyboard.press("g");
  const dialog = page.getByRole("dialog", { name: "Galería" });
  const field = page.getByRole("textbox", { name: "Buscar en la galería" });
  await expect(field).toBeFocused();
  await expect(dialog.getByRole("heading", { level: 3 })).toHaveText([
    "Para empezar",
    "Encaminamiento y buffers en tránsito",
    "Topologías",
    "Aplicaciones",
    "Niveles de servicio y planificadores",
    "Congestión y RECN",
    "Redes publicadas",
  ]);
  await field.fill("topologias");
  await expect(dialog.getByRole("heading", { level: 3 })).toHaveText(["Topologías"]);
  await expect(page.getByRole("status").filter({ hasText: "5 encontrados" })).toBeVisible();
  await field.fill("nada de esto");
  await expect(page.getByRole("status").filter({ hasText: "No se ha encontrado nada" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+L");
  await expect(page.getByRole("dialog", { name: "Lecciones" }).locator(".done")).toHaveText(["hecha", "hecha"]);
  await expect(lesson(page, "trees")).toContainText(/unos \d+ min/);
  await context.close();
});
