import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { cycle, expect, test } from "../fixtures";

const folder = fileURLToPath(new URL("../../scenarios/lessons/", import.meta.url));
const lessons = readdirSync(folder).map((name) => ({
  id: name.replace(".json", ""),
  ...JSON.parse(readFileSync(folder + name, "utf8")),
}));

const heading = (page: Page) => page.locator("#lesson-step");
const next = (page: Page) => page.locator("#lesson-next");

for (const lesson of lessons) {
  test(`lesson ${lesson.id}: predict, run, explain with what was measured`, async ({ open }) => {
    test.slow(); // its runs are measured to their ends
    const page = await open(`#lesson=${lesson.id}`);
    await expect(page.getByRole("heading", { name: lesson.title.en })).toBeVisible();
    await expect(next(page)).toBeDisabled();
    await page.getByRole("radio", { name: lesson.answers[lesson.right].en }).check();
    await next(page).click();
    for (const [i, run] of lesson.runs.entries()) {
      await expect(heading(page)).toHaveText(`Run ${i + 1} of ${lesson.runs.length}: ${run.name.en}`);
      await expect.poll(() => cycle(page)).toBeGreaterThan(10);
      // On a slow machine the deadlock may have closed, and the run measured, before this click.
      await page.getByRole("button", { name: "Measure it" }).click({ timeout: 5_000 }).catch(() => {});
      await expect(page.locator("#lesson-results dd")).not.toHaveCount(0);
      await next(page).click();
    }
    await expect(heading(page)).toHaveText("As you expected");
    const explained = (await page.locator("#lesson-explained").textContent())!;
    expect(explained).not.toMatch(/[{}]|–/);
    // Every gap of the explanation holds a number, and the table has a row per quantity.
    const gaps = lesson.explain.en.match(/\{[^}]*\}/g)!;
    expect(explained.match(/\d[\d.\u202f]*/g)!.length).toBeGreaterThanOrEqual(gaps.length);
    await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(lesson.measures.length);
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}

test("a lesson can be taken with the keyboard alone, in Spanish", async ({ browser, address }) => {
  test.slow();
  const context = await browser.newContext({ locale: "es-ES", viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  const keys = page.keyboard;
  await keys.press("Shift+L");
  await expect(page.getByRole("dialog", { name: "Lecciones" })).toBeVisible();
  const second = page.getByRole("button", { name: "El interbloqueo" });
  for (let i = 0; i < 5 && !(await second.evaluate((b) => b === document.activeElement)); i++) await keys.press("Tab");
  await keys.press("Enter");
  await expect(heading(page)).toBeFocused();
  await keys.press("Tab");
  await keys.press("Space"); // the first answer, which is wrong
  await expect(page.getByRole("button", { name: "Ver qué pasa" })).toBeEnabled();
  await keys.press("Tab");
  await keys.press("Enter");
  for (const run of ["Simulación 1 de 2", "Simulación 2 de 2"]) {
    await expect(heading(page)).toContainText(run);
    await expect(heading(page)).toBeFocused();
    await keys.press("Tab");
    await keys.press("Enter"); // measure it
    await expect(page.locator("#lesson-results")).toBeVisible();
    await expect(heading(page)).toBeFocused();
    await keys.press("Tab");
    await keys.press("Enter"); // go on
  }
  await expect(heading(page)).toHaveText("No es lo que esperabas");
  await expect(heading(page)).toBeFocused();
  await expect(page.locator("#lesson-explained")).toContainText(/En el ciclo [\d\u202f]+ se cerró el círculo: \d+ mensajes/);
  await context.close();
});

test("a lesson is left with the network there was before, or goes on with its own", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Network" }).click();
  // Begun from the studies, it shows the stage.
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await page.getByRole("button", { name: "Lessons" }).click();
  await page.getByRole("button", { name: /Deadlock, and the cycle/ }).click();
  await expect(page).toHaveURL(/#lesson=deadlock$/);
  await expect(page.locator("main.work")).not.toHaveAttribute("inert");
  await page.getByRole("tab", { name: "Network" }).click();
  await expect(page.getByText("6 switches, 12 hosts")).toBeVisible();
  await page.getByRole("tab", { name: "Lesson" }).click();
  await page.getByRole("button", { name: "Leave the lesson" }).click();
  await page.getByRole("tab", { name: "Network" }).click();
  await expect(page.getByText("16 switches, 64 hosts")).toBeVisible();
  await expect(page).not.toHaveURL(/lesson/);
});

test("a locked lesson in a frame shows nothing to change", async ({ page, address }) => {
  await page.route("**/class.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<title>Class</title><iframe src="${address}#lesson=blocking&lock" width="900" height="700"></iframe>`,
    }),
  );
  await page.goto(`${address}class.html`);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "Blocking in wormhole networks" })).toBeVisible();
  await expect(frame.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(frame.getByRole("button", { name: "Place switches" })).toBeHidden();
  await expect(frame.getByRole("button", { name: "Leave the lesson" })).toHaveCount(0);
  await expect(frame.getByRole("tab")).toHaveText(["Lesson", "Watch"]);
  // Keys that would change the network do nothing.
  await frame.locator("#lesson-title").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await frame.getByRole("radio").first().check();
  await frame.getByRole("button", { name: "See what happens" }).click();
  await expect(frame.getByText("is not the lesson's any more")).toHaveCount(0);
  await frame.getByRole("button", { name: "Measure it" }).click();
  await expect(frame.locator("#lesson-results dd")).toHaveCount(3);
});
