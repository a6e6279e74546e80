// A changed parameter keeps the cycle, a link keeps the moment, and what is opened is seen at work.
import { count, cycle, expect, test } from "../fixtures";

test("a changed parameter runs again to the same cycle, or begins anew if asked to", async ({ open, page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await expect.poll(() => cycle(page)).toBe(20_000);
  const before = await count(page, "delivered");
  const routing = page.getByRole("combobox", { name: "Routing", exact: true });
  await page.getByRole("tab", { name: "Routing" }).click();
  await routing.selectOption("UD_ITB");
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect.poll(() => count(page, "itbs")).toBeGreaterThan(0);
  await expect.poll(() => cycle(page)).toBe(20_000);
  await expect(page.getByText("the run before (UD)")).toBeVisible();
  expect(await count(page, "delivered")).not.toBe(before);
  // Undo is a change as well.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => count(page, "itbs")).toBe(0);
  await expect.poll(() => count(page, "delivered")).toBe(before);
  await expect.poll(() => cycle(page)).toBe(20_000);

  await page.getByRole("tab", { name: "Time" }).click();
  await page.getByRole("checkbox", { name: "After a change, run again to the same cycle" }).uncheck();
  await page.getByRole("tab", { name: "Routing" }).click();
  await routing.selectOption("UD_ITB");
  await expect.poll(() => cycle(page)).toBe(0);
});

test("what is opened while the run is paused is seen at work", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await expect.poll(() => cycle(page)).toBe(20_000);
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /^First light/ }).click();
  await expect.poll(() => cycle(page)).toBe(500);
  await expect.poll(() => count(page, "in-network")).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("a link to a moment carries speed, overlay, pinned switch and the step of a lesson", async ({ open, page, context }) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const copied = async () => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Copy link to this cycle" }).click();
    await expect(page.locator(".toast")).toContainText("clipboard");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await open();
  await expect.poll(() => cycle(page)).toBe(20_000);
  await page.locator("#speed").fill("11");
  await page.keyboard.press("b");
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("ArrowRight");
  const heading = page.getByRole("region", { name: "Inspector" }).getByRole("heading").first();
  const pinned = await heading.textContent();
  const link = await copied();
  expect(link).toMatch(/&at=20000&pin=s\d+&speed=5000&show=blocked$/);
  await page.goto("about:blank");
  await page.goto(link);
  await expect.poll(() => cycle(page)).toBe(20_000);
  await expect(heading).toHaveText(pinned!);
  await expect(page.locator("#speed")).toHaveValue("11");
  await expect(page.getByRole("region", { name: "Legend: Blocked time" })).toBeVisible();

  await page.goto("about:blank");
  await open("#lesson=itb");
  await page.getByRole("radio").last().check();
  await page.locator("#lesson-next").click();
  await page.keyboard.press(">");
  await expect.poll(() => cycle(page)).toBe(100);
  const lesson = await copied();
  expect(lesson).toMatch(/#lesson=itb&at=100&.*step=run-1$/);
  const step = await page.locator("#lesson-step").textContent();
  await page.goto("about:blank");
  await page.goto(lesson);
  await expect(page.locator("#lesson-step")).toHaveText(step!);
  await expect.poll(() => cycle(page)).toBe(100);
});

test("a link to a later run of a lesson leads to its cycle, and a link to nothing is reported", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open("#lesson=itb&at=300&step=run-2");
  await expect(page.locator("#lesson-step")).toContainText("Run 2 of 2");
  await expect.poll(() => cycle(page)).toBe(300);
  for (const [fragment, said] of [
    ["#lesson=nope", "no lesson has the name “nope”"],
    ["#lesson=itb&step=run-9", "no run 9"],
    ["#lesson=itb&step=foo", "no step “foo”"],
    ["#lesson=itb&step=run-0", "no step “run-0”"],
  ]) {
    await page.goto("about:blank");
    await open(fragment);
    await expect(page.locator(".toast")).toContainText(said);
  }
  await page.goto("about:blank");
  await open("#lesson=itb&at=0&step=explain");
  await expect(page.locator("#lesson-step")).toHaveText("Explain");
  await expect(page.getByText("not all runs of this lesson have been measured")).toBeVisible();
});

test("a link to a comparison shows it again", async ({ open, page, context }) => {
  test.slow();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open();
  await page.keyboard.press("g");
  await page.locator("[data-beside]").first().click();
  await expect(page.locator("#duo-0")).toBeVisible();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Copy link opens" }).click();
  await expect(page.locator(".toast")).toContainText("clipboard");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toMatch(/&with=[\w-]+$/);
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.locator("#duo-0")).toBeVisible();
  await expect(page.locator("#duo-1")).toBeVisible();
});
