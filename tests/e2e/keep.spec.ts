// The browser keeps the document of each tab: a closed tab comes back, and tabs do not overwrite
// each other.
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../fixtures";

const name = (page: Page) => page.getByRole("textbox", { name: "Name of the scenario" });
const ready = (page: Page) => expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");

async function tab(context: BrowserContext, address: string) {
  const page = await context.newPage();
  await page.goto(address);
  await ready(page);
  return page;
}

async function rename(page: Page, to: string) {
  await name(page).fill(to);
  await page.keyboard.press("Tab");
  await expect(page).toHaveURL(/#s=/);
}

// The records of the documents in the browser's storage.
const records = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[][]>((done, failed) => {
        const opening = indexedDB.open("hopscope");
        opening.onerror = failed;
        opening.onsuccess = () => {
          const reading = opening.result.transaction("documents").objectStore("documents").getAll();
          reading.onsuccess = () => {
            opening.result.close();
            done(reading.result);
          };
        };
      }),
  );

// The names of the documents.
const kept = async (page: Page) => (await records(page)).map((record) => record[1]).sort();

test("a change is kept within a second, and a closed tab comes back", async ({ context, address }) => {
  const page = await tab(context, address);
  expect(await kept(page)).toEqual([]);
  // With the page's clock under control: on a busy machine a real second may be too short.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await name(page).fill("Drawn today");
  await page.keyboard.press("Tab");
  expect(await kept(page)).toEqual([]);
  await page.clock.runFor(1000);
  await expect.poll(() => kept(page)).toEqual(["Drawn today"]);
  await page.clock.resume();
  await page.close();
  const back = await tab(context, address);
  await expect(back.getByText("Your last network is back.")).toBeVisible();
  await expect(name(back)).toHaveValue("Drawn today");
});

test("two tabs keep a network each, and each finds its own again", async ({ context, address }) => {
  const one = await tab(context, address);
  await rename(one, "One");
  await expect.poll(() => kept(one)).toEqual(["One"]);
  const two = await tab(context, address);
  await expect(name(two)).toHaveValue("One");
  await rename(two, "Two");
  await rename(one, "One, changed");
  await expect.poll(() => kept(one)).toEqual(["One, changed", "Two"]);
  // The address is loaded again without its fragment.
  for (const [page, its] of [[one, "One, changed"], [two, "Two"]] as const) {
    await page.goto("about:blank");
    await page.goto(address);
    await ready(page);
    await expect(name(page)).toHaveValue(its);
  }
});

test("a duplicated tab keeps its changes under a name of its own", async ({ context, address }) => {
  const page = await tab(context, address);
  await rename(page, "First");
  await expect.poll(() => kept(page)).toEqual(["First"]);
  // A window opened by another one starts with a copy of its session storage, as a duplicated tab
  // does.
  const opening = page.waitForEvent("popup");
  await page.evaluate((address) => void window.open(address), address);
  const twin = await opening;
  await ready(twin);
  await rename(twin, "Twin");
  await rename(page, "First, changed");
  await expect.poll(() => kept(page)).toEqual(["First, changed", "Twin"]);
});

test("a browser that is slow to open its store brings the network back all the same", async ({ context, address }) => {
  const page = await tab(context, address);
  await rename(page, "Slow");
  await expect.poll(() => kept(page)).toEqual(["Slow"]);
  await page.close();
  const back = await context.newPage();
  // The storage opens after three seconds.
  await back.addInitScript(() => {
    const open = IDBFactory.prototype.open;
    const { set } = Object.getOwnPropertyDescriptor(IDBRequest.prototype, "onsuccess")!;
    IDBFactory.prototype.open = function (...wanted) {
      const request = open.apply(this, wanted);
      const later = (hear: (event: Event) => void) => set!.call(request, (event: Event) => setTimeout(hear, 3000, event));
      return Object.defineProperty(request, "onsuccess", { set: later });
    };
  });
  await back.goto(address);
  await expect(name(back)).toHaveValue("Welcome");
  await expect(name(back)).toHaveValue("Slow");
  await expect(back.getByText("Your last network is back.")).toBeVisible();
  await rename(back, "Slow, changed");
  await expect.poll(() => kept(back)).toContain("Slow, changed");
});

test("what other tabs kept is found in the gallery", async ({ context, address }) => {
  const page = await tab(context, address);
  await rename(page, "Left behind");
  await expect.poll(() => kept(page)).toEqual(["Left behind"]);
  await page.close();
  const other = await tab(context, address);
  await other.getByRole("button", { name: "Start from the welcome" }).click();
  await other.keyboard.press("g");
  await other.getByRole("region", { name: "Kept in this browser" }).getByRole("button", { name: /Left behind/ }).click();
  await expect(name(other)).toHaveValue("Left behind");
});

test("a network too large for a link is kept, and a file is offered", async ({ open }) => {
  const page = await open();
  const far = (i: number) => ({ name: `switch ${i} ${Math.sin(i)}`, ports: 8, x: Math.sin(i) * 999.123, y: Math.cos(i) * 999.321 });
  const switches = Array.from({ length: 600 }, (_, i) => far(i + 1));
  const links = Array.from({ length: 599 }, (_, i) => ({ a: [i, 0], b: [i + 1, 1] }));
  const hosts = Array.from({ length: 600 }, (_, i) => ({ switch: i, name: `host ${Math.cos(i)}` }));
  const scenario = { hopscope: 1, name: "Large", network: { switches, links, hosts } };
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator('input[type="file"]').setInputFiles({ name: "large.json", mimeType: "application/json", buffer });
  const notice = page.locator("#too-large");
  await expect(notice).toContainText("too large for a link");
  await expect(page).not.toHaveURL(/#s=/);
  await expect.poll(() => kept(page)).toEqual(["Large"]);
  const saving = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Save as a file" }).click();
  expect((await saving).suggestedFilename()).toBe("large.hopscope.json");
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
  await page.keyboard.press("Control+Shift+L");
  await expect(notice).toBeVisible();
});

// The choices that had something before, as it is kept with the only document.
const formerKinds = async (page: Page): Promise<(string | undefined)[]> => {
  const [record] = await records(page);
  const entries: { choice: { kind?: string } }[] = JSON.parse(record?.[4] ?? "{}").entries ?? [];
  return entries.map(({ choice }) => choice.kind);
};

// Puts a text in place of it; an empty one stands for none.
const setFormer = (page: Page, json: string) =>
  page.evaluate(
    (json) =>
      new Promise<void>((done, failed) => {
        const opening = indexedDB.open("hopscope");
        opening.onerror = failed;
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("documents", "readwrite");
          const store = transaction.objectStore("documents");
          const walk = store.openCursor();
          walk.onsuccess = () => {
            if (!walk.result) return;
            const record = walk.result.value;
            if (json) record[4] = json;
            else record.length = 4;
            walk.result.update(record);
            walk.result.continue();
          };
          transaction.oncomplete = () => {
            opening.result.close();
            done();
          };
        };
      }),
    json,
  );

test("what choices had before is kept with the document", async ({ context, address }) => {
  const page = await tab(context, address);
  const destinations = page.locator('.flow[data-flow="0"]').getByLabel("Destinations");
  const host = page.locator('.flow[data-flow="0"]').getByLabel("the hot host");
  const technique = page.locator("#fabric-kind select");
  const show = (name: string) => page.getByRole("tab", { name }).click();
  await show("Traffic");
  await destinations.selectOption("hotspot");
  await host.fill("3");
  await host.blur();
  await destinations.selectOption("uniform");
  await show("Fabric");
  await expect(technique).toHaveValue("wormhole");
  const buffer = page.getByLabel(/^Input buffer/);
  const before = await buffer.inputValue();
  await buffer.fill(String(Number(before) + 64));
  await buffer.blur();
  await technique.selectOption("cut-through");
  await expect.poll(() => formerKinds(page)).toContain("wormhole");
  await page.reload();
  await ready(page);
  await show("Fabric");
  await expect(technique).toHaveValue("cut-through");
  await technique.selectOption("wormhole");
  await expect(buffer).toHaveValue(String(Number(before) + 64));
  await show("Traffic");
  await destinations.selectOption("hotspot");
  await expect(host).toHaveValue("3");
});

test("what was kept by an older page, or is damaged, leaves the document as it is", async ({ context, address }) => {
  const page = await tab(context, address);
  for (const former of ["", "{", "[]", '[{"place":"/traffic/0/pattern"}]', '{"scenarios":[7],"entries":[]}']) {
    const its = `Kept with “${former}”`;
    await rename(page, its);
    await expect.poll(() => kept(page)).toEqual([its]);
    await setFormer(page, former);
    await page.goto("about:blank");
    await page.goto(address);
    await ready(page);
    await expect(name(page)).toHaveValue(its);
  }
});
