// `cargo xtask measure`: what a newcomer does, in actions and seconds. A click, a key, a drag, a
// field filled in and a file handed over are an action each. Seconds are those of the page and the
// run; a person adds the time to read and to aim.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { count, cycle, expect, test } from "../fixtures";

test.describe.configure({ timeout: 300_000 });

const root = fileURLToPath(new URL("../../", import.meta.url));

// Counts actions and time of a task.
class Newcomer {
  actions = 0;
  private start = performance.now();
  private marks: string[] = [];
  constructor(private page: Page) {}

  async click(place: Locator) {
    this.actions += 1;
    await place.click();
  }
  async at([x, y]: number[]) {
    this.actions += 1;
    await this.page.mouse.click(x, y);
  }
  async drag([x0, y0]: number[], [x1, y1]: number[]) {
    this.actions += 1;
    await this.page.mouse.move(x0, y0);
    await this.page.mouse.down();
    await this.page.mouse.move((x0 + x1) / 2, (y0 + y1) / 2);
    await this.page.mouse.move(x1, y1);
    await this.page.mouse.up();
  }
  async key(keys: string) {
    this.actions += 1;
    await this.page.keyboard.press(keys);
  }
  async fill(place: Locator, words: string) {
    this.actions += 1;
    await place.fill(words);
    await this.page.keyboard.press("Tab");
  }
  async choose(list: Locator, value: string) {
    this.actions += 1;
    await list.selectOption(value);
  }
  async file(name: string, text: string) {
    this.actions += 1;
    const buffer = Buffer.from(text);
    await this.page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer });
  }
  mark(what: string) {
    this.marks.push(`${what} ${this.seconds()} s`);
  }
  private seconds = () => ((performance.now() - this.start) / 1000).toFixed(1);
  end(task: string) {
    const marks = this.marks.length > 0 ? ` (${this.marks.join(", ")})` : "";
    console.log(`${task}: ${this.actions} actions, ${this.seconds()} s${marks}`);
  }
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: typeof name === "string" });
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });
const loaded = (page: Page) => expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");

test.use({ viewport: { width: 1440, height: 900 }, actionTimeout: 20_000 });

test("1. the first minute", async ({ page }) => {
  const one = new Newcomer(page);
  await page.goto("/");
  await page.locator("#worker[data-loaded=yes]").waitFor({ state: "attached" });
  one.mark("first interactive");
  await one.click(page.locator(".tour .primary"));
  await expect.poll(() => count(page, "itbs")).toBeGreaterThan(0);
  await one.click(page.locator(".tour .primary"));
  await page.locator("#deadlock").waitFor();
  one.end("1. tour to the deadlock");
});

test("2. a network of one's own", async ({ open, page }) => {
  await open();
  const one = new Newcomer(page);
  await one.click(button(page, "Menu"));
  await one.click(page.getByRole("dialog").getByRole("button", { name: "New, empty stage" }));
  const box = (await page.locator("#stage").boundingBox())!;
  const places = [0, 1, 2, 3, 4].map((i) => {
    const angle = (i / 5) * 2 * Math.PI;
    return [box.x + box.width / 2 + 190 * Math.sin(angle), box.y + box.height / 2 - 40 - 190 * Math.cos(angle)];
  });
  await one.click(button(page, "Place switches").last());
  for (const place of places) await one.at(place);
  await one.click(page.locator("#checklist").getByRole("button", { name: "Add hosts" }));
  for (const place of [...places, ...places]) await one.at(place);
  await one.click(page.locator("#checklist").getByRole("button", { name: "Draw links" }));
  for (const [i, place] of places.entries()) await one.drag(place, places[(i + 1) % 5]);
  await loaded(page);
  one.mark("drawn");
  await one.click(tab(page, "Watch"));
  await one.click(button(page, "Make it deadlock"));
  await page.locator("#deadlock").waitFor();
  one.mark("deadlock");
  await one.click(button(page, "Add ITBs"));
  await expect(page.locator("#deadlock")).toHaveCount(0);
  await expect.poll(() => count(page, "itbs")).toBeGreaterThan(0);
  one.end("2. five switches drawn, deadlocked, mended");
});

test("3. UD_ITB against UD on 64 switches", async ({ open, page }) => {
  await open();
  const one = new Newcomer(page);
  await one.click(button(page, "Gallery"));
  await one.fill(page.getByRole("textbox", { name: "Search the gallery" }), "sixty-four");
  await one.click(page.locator(".gallery-item").first());
  await loaded(page);
  await one.click(button(page, "Study"));
  await one.click(page.locator("#search"));
  await expect(page.locator("#searched strong")).toBeVisible({ timeout: 240_000 });
  const found = async () => (await page.locator("#searched strong").textContent())!.trim();
  const first = await found();
  console.log(`   UD_ITB: ${first}`);
  one.mark("UD_ITB");
  await one.click(button(page, "Stage"));
  await one.click(tab(page, "Routing"));
  await one.choose(page.getByRole("combobox", { name: "Routing", exact: true }), "UD");
  await one.click(button(page, "Study"));
  await one.click(page.locator("#search"));
  await expect(page.locator("#searched strong")).not.toHaveText(first, { timeout: 240_000 });
  console.log(`   UD: ${await found()}`);
  one.end("3. UD_ITB against UD on 64 switches");
});

test("4. networks of other tools", async ({ open, page }) => {
  await open();
  const one = new Newcomer(page);
  const opened = async (name: string, text: string) => {
    await one.file(name, text);
    await one.click(page.getByRole("dialog").getByRole("button", { name: "Open it" }));
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await loaded(page);
  };
  await opened("lab.any", "router 0 node 0 node 1 router 1\nrouter 1 node 2 router 0\n");
  const graph = ["a", "b", "c"].map((id) => `<node id="${id}"/>`).join("");
  const edges = ["ab", "bc", "ca"].map(([a, b]) => `<edge source="${a}" target="${b}"/>`).join("");
  await opened(
    "lab.graphml",
    `<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">${graph}${edges}</graph></graphml>`,
  );
  await one.file("wrong.any", "router 0 node\n");
  await page.locator("#file-problems").waitFor();
  await one.click(page.locator("#file-problems").getByRole("button", { name: "Close" }));
  one.end("4. an anynet, a GraphML file, a wrong file");
});

test("5. two levels under two schedulers", async ({ open, page }) => {
  await open();
  const one = new Newcomer(page);
  await one.click(tab(page, "Fabric"));
  await one.choose(page.getByLabel("Switching technique"), "cut-through");
  await one.click(button(page, "Add a level"));
  await one.click(tab(page, "Traffic"));
  await one.click(button(page, "Add a flow"));
  await loaded(page);
  await one.click(tab(page, "Watch"));
  await expect(page.locator("#levels tbody tr")).toHaveCount(2);
  one.mark("two levels compete");
  await one.click(button(page, "Study"));
  await one.click(page.locator("#compare").getByRole("button", { name: /^Keep the stage's scenario/ }));
  await one.click(button(page, "Stage"));
  await one.click(tab(page, "Fabric"));
  await one.choose(page.locator("#scheduler select").first(), "strict-priority");
  await one.click(button(page, "Study"));
  await one.click(page.locator("#run-compare"));
  await page.locator("#compared-results").waitFor({ timeout: 240_000 });
  one.end("5. two levels under two schedulers");
});

const lesson = JSON.parse(readFileSync(`${root}scenarios/lessons/blocking.json`, "utf8"));

test("6. a lesson by mouse, and by keyboard", async ({ open, page }) => {
  await open();
  const mouse = new Newcomer(page);
  await mouse.click(button(page, "Lessons"));
  await mouse.click(page.getByRole("button", { name: /^1 · / }));
  await mouse.click(page.getByRole("radio").nth(lesson.right));
  await mouse.click(page.locator("#lesson-next"));
  for (const _ of lesson.runs) {
    await mouse.click(button(page, "Measure it"));
    await page.locator("#lesson-results").waitFor();
    await mouse.click(page.locator("#lesson-next"));
  }
  await page.locator("#lesson-explained").waitFor();
  mouse.end("6. a lesson by mouse");
  await page.keyboard.press("Escape");
  const keys = new Newcomer(page);
  const until = async (what: Locator) => {
    for (let i = 0; i < 40 && !(await what.evaluate((e) => e === document.activeElement)); i++) await keys.key("Tab");
    await expect(what).toBeFocused();
  };
  await keys.key("Shift+L");
  await until(page.getByRole("button", { name: /^2 · / }));
  await keys.key("Enter");
  await expect(page.locator("#lesson-step")).toBeFocused();
  await keys.key("Tab");
  await keys.key("Space");
  await until(page.locator("#lesson-next"));
  await keys.key("Enter");
  for (let run = 0; run < 2; run++) {
    await expect(page.locator("#lesson-step")).toBeFocused();
    await keys.key("Tab");
    await keys.key("Enter");
    await page.locator("#lesson-results").waitFor();
    await expect(page.locator("#lesson-step")).toBeFocused();
    await keys.key("Tab");
    await keys.key("Enter");
  }
  await page.locator("#lesson-explained").waitFor();
  keys.end("6. a lesson by keyboard");
});

test("7. 1000 switches", async ({ open, page }) => {
  await open();
  const one = new Newcomer(page);
  await one.click(tab(page, "Network"));
  await one.fill(page.getByRole("spinbutton", { name: /number of switches/i }).first(), "1000");
  await expect(page.getByText(/1.?000 switches/)).toBeVisible();
  one.mark("drawn");
  await loaded(page);
  one.mark("routes");
  const box = (await page.locator("#stage").boundingBox())!;
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const frames = page.evaluate(async () => {
    let frames = 0;
    const end = performance.now() + 2000;
    while (performance.now() < end) {
      await new Promise(requestAnimationFrame);
      frames += 1;
    }
    return frames / 2;
  });
  await page.mouse.move(middle[0], middle[1]);
  one.actions += 2;
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, i < 10 ? -100 : 100);
  await one.drag(middle, [middle[0] + 200, middle[1] + 100]);
  console.log(`   frames per second while panning and zooming: ${(await frames).toFixed(0)}`);
  one.end("7. 1000 switches: generated, routed, panned, zoomed");
});

test("8. share what you see now", async ({ open, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open();
  await expect.poll(() => cycle(page)).toBeGreaterThan(20_000);
  const one = new Newcomer(page);
  await one.click(button(page, "Share"));
  await one.click(button(page, /^Copy link to this cycle/));
  await expect(page.locator(".toast")).toContainText("clipboard");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  one.mark("copied");
  const other = await context.newPage();
  await other.goto(link);
  await expect.poll(() => cycle(other)).toBeGreaterThan(19_000);
  console.log(`   the link opens at cycle ${await cycle(other)}`);
  one.end("8. share what you see");
});

test("9. absurd numbers, everything deleted, undone", async ({ open, page }) => {
  await open();
  const one = new Newcomer(page);
  await one.click(tab(page, "Fabric"));
  await one.fill(page.getByLabel("Routing time"), "-5");
  await expect(page.locator(".refusal")).toHaveText(/-5 is not between/);
  one.mark("refused");
  await page.locator("#drawn").focus();
  await one.key("Control+a");
  await one.key("Delete");
  await expect(page.locator("#nothing-yet")).toBeVisible();
  await one.key("Control+z");
  await expect(page.locator("#nothing-yet")).toHaveCount(0);
  await loaded(page);
  one.end("9. absurd numbers, everything deleted, undone");
});

test("10. in a frame of 500x300", async ({ page }) => {
  await page.setViewportSize({ width: 500, height: 300 });
  const one = new Newcomer(page);
  await page.goto("/");
  await page.locator("#worker[data-loaded=yes]").waitFor({ state: "attached" });
  const height = (await page.locator("#stage").boundingBox())!.height;
  console.log(`   the stage is ${height} pixels high`);
  one.end("10. in a frame of 500x300");
});
