// Every view, in each theme and each language, by the rules of axe; the keyboard alone; a page at
// twice its size; no motion; the run in words.
import AxeBuilder from "@axe-core/playwright";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { command, cycle, expect, play, settled, test } from "../fixtures";

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const openFile = (page: Page, name: string | { name: string; mimeType: string; buffer: Buffer }) =>
  page.locator('input[type="file"]').setInputFiles(name);
const loaded = (page: Page) => expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");

// Every theme and both languages. Colours do not depend on the language, nor names on the theme.
for (const [theme, language] of [["light", "en"], ["dark", "es"], ["projector", "en"]] as const) {
  test(`no accessibility rule is broken in any view, ${theme}, ${language}`, async ({ browser, address }) => {
    test.setTimeout(600_000); // some thirty analyses
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(
      ([theme, language]) => {
        localStorage.setItem("hopscope.theme", theme);
        localStorage.setItem("hopscope.language", language);
      },
      [theme, language],
    );
    await page.goto(address);
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await loaded(page);
    // Analyses the page, or a part of it that differs from what was analysed before.
    const check = async (where: string, part = "html") => {
      const { violations } = await new AxeBuilder({ page }).include(part).analyze();
      const broken = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(" ")}`);
      expect.soft(broken, where).toEqual([]);
    };
    const dialog = page.getByRole("dialog");
    const leave = async () => {
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
    };

    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await check(`panel ${await tab.textContent()}`, "#panel");
    }
    await check("the page");
    for (const keys of ["?", "g", "Control+k", "Shift+L", "Control+e"]) {
      await page.keyboard.press(keys);
      await expect(dialog).toBeVisible();
      await check(`dialog of ${keys}`, "#dialog");
      await leave();
    }
    for (const button of await page.locator("[aria-haspopup=dialog]").all()) {
      await button.click();
      await expect(dialog).toBeVisible();
      await check(`dialog of ${await button.textContent()}`, "#dialog");
      await leave();
    }
    const text = (name: string, words: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(words) });
    await openFile(page, text("two.dot", "graph { a -- b }"));
    await expect(dialog).toBeVisible();
    await check("import", "#dialog");
    await leave();
    await openFile(page, text("broken.dot", "graph { a --"));
    await expect(page.locator("#file-problems")).toBeVisible();
    await check("problems of a file", "#stage");
    await page.keyboard.press("Escape");

    // What a run adds: a stop at an event, a pinned message, overlays.
    await page.keyboard.press("n");
    await page.locator("#stopped").getByRole("button").click();
    await check("a pinned message");
    await page.getByRole("tab").first().click();
    const overlay = page.locator("#overlay");
    for (const option of await overlay.locator("option:enabled").allTextContents()) {
      await overlay.selectOption(option);
      await check(`overlay ${option}`, "#stage");
    }
    await overlay.selectOption({ index: 0 });

    // The insides of switches of both techniques, of an output and of a NIC.
    await page.locator("#drawn").focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Enter");
    await expect(page.locator("#inside")).toBeVisible();
    await check("a wormhole switch", "#stage");
    await page.keyboard.press("Escape");
    for (const scenario of ["service-levels", "congestion-tree-recn"]) {
      await openFile(page, file(`../../scenarios/${scenario}.json`));
      await loaded(page);
      // Many cycles on; again if the document opened only then.
      await expect(async () => {
        await page.keyboard.press(">");
        await expect.poll(() => cycle(page), { timeout: 3000 }).toBeGreaterThan(0);
      }).toPass();
      await page.keyboard.press("Escape"); // nothing is pinned, so the next key goes to a switch
      await page.locator("#drawn").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await expect(page.locator("#inside")).toBeVisible();
      await check(`a switch of ${scenario}`, "#stage");
      await page.keyboard.press("Escape");
      if (scenario === "service-levels") {
        for (let i = 0; i < 4 && !(await page.locator("#nic").isVisible()); i++) await page.keyboard.press("ArrowLeft");
        await expect(page.locator("#nic")).toBeVisible();
      }
      for (const tab of await page.getByRole("tab").all()) {
        await tab.click();
        await check(`panel ${await tab.textContent()} of ${scenario}`, "#panel");
      }
    }
    await openFile(page, file("../../scenarios/deadlock-ring.json"));
    await loaded(page);
    await page.locator("#speed").fill("22");
    await page.locator(".play").click();
    await expect(page.locator("#deadlock")).toBeVisible();
    await page.getByRole("tab").first().click();
    await check("a deadlock");

    // Studies: to be composed, running and over; published; scenarios compared.
    await page.keyboard.press("Shift+S");
    await expect(page.locator("#study")).toBeVisible();
    await check("studies");
    await openFile(page, file("study.experiment.json"));
    await expect(page.locator("#points")).toContainText(/^6 /);
    await page.locator("#run-study").click();
    await expect(page.locator("#progress")).toHaveAttribute("data-phase", "over");
    await expect(page.locator("#study-table tbody tr")).toHaveCount(6);
    await page.locator("#study-figure").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect(page.locator("#pinned")).toBeVisible();
    await check("a study that is over", "#study");
    await page.locator("#compare select").selectOption({ index: 0 });
    await page.locator("#run-compare").click();
    await expect(page.locator("#duo canvas")).toHaveCount(2);
    await expect(page.locator("#compared-fields")).toBeVisible();
    await check("a comparison", "#study");
    await page.locator("#published-studies button").first().click();
    await expect(page.locator("#papers")).toBeVisible();
    await check("a published study", "#study");
    await page.keyboard.press("Shift+S");

    // A lesson: to predict, to watch.
    await page.keyboard.press("Shift+L");
    await dialog.locator("ol button").first().click();
    await expect(page.locator("#lesson-step")).toBeVisible();
    await check("a lesson's question");
    await page.getByRole("radio").first().check();
    await page.locator("#lesson-next").click();
    await check("a lesson's run", "#panel");
    await context.close();
  });
}

// Presses Tab until an element has the focus.
async function reach(page: Page, target: Locator) {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let i = 0; i < 150 && !(await isThere()); i++) await page.keyboard.press("Tab");
  await expect(target).toBeFocused();
}

async function press(page: Page, target: Locator) {
  await reach(page, target);
  await page.keyboard.press("Enter");
}

test("a study is run, read and left with the keyboard alone", async ({ open }) => {
  test.slow();
  const page = await open();
  await page.keyboard.press("Shift+S");
  await expect(page.locator("#study")).toBeVisible();
  const values = page.locator("#axis-0").getByRole("textbox", { name: "Values" });
  await reach(page, values);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("0.01, 0.02");
  await page.keyboard.press("Tab");
  await expect(page.locator("#points")).toContainText("2 points");
  await press(page, page.locator("#run-study"));
  await expect(page.locator("#progress")).toHaveAttribute("data-phase", "over");
  const figure = page.locator("#study-figure");
  await reach(page, figure);
  await page.keyboard.press("Home");
  await expect(figure.getByRole("status")).toContainText("Steady");
  await page.keyboard.press("Enter");
  const saving = page.waitForEvent("download");
  await press(page, page.locator("#save-study").getByRole("button", { name: "CSV", exact: true }));
  expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
  await press(page, page.locator("#pinned").getByRole("button", { name: "Open on the stage" }));
  await expect(page.locator("#study")).toHaveCount(0);
  await loaded(page);
});

test("a network is drawn, named, run and undone with the keyboard alone", async ({ open }) => {
  const page = await open();
  await command(page, "New, empty");
  await expect(page.locator("#nothing-yet")).toBeVisible();
  await command(page, "the network as a list");
  const list = page.locator("#list");
  const button = (name: string | RegExp) => list.getByRole("button", { name });
  for (const count of [1, 2, 3]) {
    await press(page, button("Add a switch"));
    await expect(button(/^Switch \d+:/)).toHaveCount(count);
  }
  await expect(button("Switch 2: no links; 0 hosts")).toBeVisible();
  for (const [from, to] of [[0, 1], [1, 2]]) {
    await press(page, button(new RegExp(`^Switch ${from}:`)));
    await press(page, button("Add a host"));
    const other = list.getByLabel("Link it to switch");
    await reach(page, other);
    await page.keyboard.type(String(to)); // chooses the option that begins so
    await expect(button(`Link ${from} – ${to}`).first()).toBeVisible();
  }
  await press(page, button(/^Switch 2:/));
  await press(page, button("Add a host"));
  await expect(page.getByText("3 switches, 3 hosts, 2 links")).toBeVisible();
  await loaded(page);
  const name = page.getByRole("textbox", { name: "Name of the scenario" });
  await reach(page, name);
  await page.keyboard.type("By hand");
  await page.keyboard.press("Tab");
  // It plays, as the network before it did.
  await expect.poll(() => cycle(page)).toBeGreaterThan(100);
  await press(page, page.getByRole("button", { name: "Pause" }));
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  // On the stage: to a switch, moved, looked into.
  const stage = page.locator("#drawn");
  await reach(page, stage);
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.locator("#spoken")).toHaveText(/^Switch \d/);
  await page.keyboard.press("Control+ArrowDown");
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("title", "Undo: moving");
  await page.keyboard.press("Enter");
  await expect(page.locator("#inside")).toBeVisible();
  await page.keyboard.press("Escape");
  for (let i = 0; i < 2; i++) await page.keyboard.press("Control+z");
  await expect(name).toHaveValue("");
});

test("at 200 % everything is there, without scrolling sideways", async ({ browser, address }) => {
  // The browser's zoom: half as many pixels of the page, each twice as large.
  const context = await browser.newContext({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(address);
  await loaded(page);
  const fits = async (where: string) => {
    // Controls and words that stick out at the sides, and are not in something that scrolls.
    const out = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("button, select, input, summary, a[href], h1, h2, h3, p")]
        .filter((element) => !element.closest(".visually-hidden, .table-scroll, [inert]") && element.checkVisibility())
        .map((element) => ({ box: element.getBoundingClientRect(), words: element.getAttribute("aria-label") ?? element.textContent }))
        .filter(({ box }) => box.width > 0 && (box.left < -1 || box.right > innerWidth + 1))
        .map(({ box, words }) => `${words}: ${Math.round(box.left)} to ${Math.round(box.right)}`),
    );
    expect.soft(out, where).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(640);
  };
  await fits("the stage");
  expect((await page.locator("#stage").boundingBox())!.height).toBeGreaterThan(120);
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await fits(`panel ${await tab.textContent()}`);
  }
  for (const button of await page.locator("[aria-haspopup=dialog]").all()) {
    await button.click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await fits("a dialog");
    await page.keyboard.press("Escape");
  }
  for (const keys of ["?", "g", "Shift+L", "Control+e"]) {
    await page.keyboard.press(keys);
    await expect(page.getByRole("dialog")).toBeVisible();
    await fits(`dialog of ${keys}`);
    // What does not fit below can be scrolled to.
    const last = page.getByRole("dialog").locator("button, a").last();
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport();
    await page.keyboard.press("Escape");
  }
  await page.keyboard.press("Shift+S");
  await expect(page.locator("#study")).toBeVisible();
  await fits("studies");
  await page.keyboard.press("Shift+S");
  await page.goto(`${address}#lesson=blocking`);
  await expect(page.locator("#lesson-next")).toBeVisible();
  await fits("a lesson");
  await page.locator("#lesson-next").scrollIntoViewIfNeeded();
  await expect(page.locator("#lesson-next")).toBeInViewport();
  await context.close();
});

test("nothing moves by itself for those who want no motion", async ({ browser, address }) => {
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const still = async () => {
    const moving = () =>
      document.getAnimations().map((animation) => `${(animation.effect as KeyframeEffect).target?.className}`);
    expect(await page.evaluate(moving)).toEqual([]);
    const before = await settled(async () => String(await cycle(page)));
    await page.waitForTimeout(500);
    expect(String(await cycle(page))).toBe(before);
  };
  await page.goto(address);
  await loaded(page);
  await still();
  await page.getByRole("tab", { name: "Routing" }).click();
  await page.getByRole("button", { name: "Gallery" }).first().hover();
  await still();
  await page.keyboard.press("g");
  await page.getByRole("dialog").getByRole("button", { name: /Deadlock on purpose/ }).click();
  await loaded(page);
  await still();
  await page.keyboard.press("Shift+L");
  await page.getByRole("button", { name: /Blocking in wormhole/ }).click();
  await page.getByRole("radio").first().check();
  await page.locator("#lesson-next").click();
  await still();
  await context.close();
});

test("a run is told in words: that it plays, where it stands, what it has measured", async ({ open }) => {
  const page = await open();
  const story = page.locator("#story");
  await expect(story).toHaveAttribute("aria-live", "polite");
  await expect(story).toHaveText("The run plays.");
  // The words stay the same while it plays, so that a screen reader is not interrupted all the
  // time.
  const changes = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        let count = 0;
        new MutationObserver((seen) => (count += seen.length)).observe(document.querySelector("#story")!, { subtree: true, characterData: true, childList: true });
        setTimeout(() => done(count), 2000);
      }),
  );
  expect(changes).toBe(0);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(story).toHaveText(/^The run stands at cycle [\d\u202f]+\. Messages: [\d\u202f]+ delivered, [\d\u202f]+ in the network, [\d\u202f]+ waiting at their sources\.$/);
  const there = await story.textContent();
  await page.keyboard.press(".");
  await expect(story).not.toHaveText(there!);
  // A run to its end.
  await openFile(page, file("../../scenarios/star.json"));
  await expect(page.getByText("Opened:")).toBeVisible();
  await loaded(page);
  await page.locator("#speed").fill("22");
  await play(page);
  await expect(story).toContainText("The measurement is over.");
  await page.getByRole("button", { name: "Español" }).click();
  await expect(story).toContainText("La medida ha terminado.");
});
