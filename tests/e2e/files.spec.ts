// Opening networks from files of other tools, and saving networks and pictures.
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Page } from "@playwright/test";
import { count, expect, play, test } from "../fixtures";

const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
const pick = (page: Page, name: string, text: string) =>
  page.locator("input[type=file]").setInputFiles(file(name, text));
const dialog = (page: Page) => page.getByRole("dialog");

const ANYNET = "router 0 node 0 node 1 router 1\nrouter 1 node 2 router 0 router 2\nrouter 2 node 3 router 1\n";
const DOT = "graph lab {\n  a -- b;\n  b -- c;\n  c -- a;\n}\n";

test("a network of another simulator is shown, opened and runs", async ({ open }) => {
  const page = await open();
  await pick(page, "lab.any", ANYNET);
  await expect(dialog(page)).toContainText("lab.any");
  await expect(page.locator("#import-counts")).toHaveText("Switches: 3 · hosts: 4 · links: 2");
  await dialog(page).getByRole("button", { name: "Open it" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("textbox", { name: "Name of the scenario" })).toHaveValue("lab");
  await page.locator("#speed").fill("22");
  await play(page);
  await expect.poll(() => count(page, "delivered")).toBeGreaterThan(0);
});

test("a network without hosts asks how many to add, and cancelling keeps the document", async ({ open }) => {
  const page = await open();
  const before = await page.getByRole("textbox", { name: "Name of the scenario" }).inputValue();
  await pick(page, "lab.dot", DOT);
  await expect(page.locator("#import-counts")).toHaveText("Switches: 3 · hosts: 3 · links: 3");
  const hosts = dialog(page).getByLabel(/Hosts on every switch/);
  await hosts.fill("4");
  await hosts.press("Tab");
  await expect(page.locator("#import-counts")).toHaveText("Switches: 3 · hosts: 12 · links: 3");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await page.getByRole("textbox", { name: "Name of the scenario" }).inputValue()).toBe(before);
});

for (const how of ["dropped", "pasted"] as const) {
  test(`a network that is ${how} is shown and opened`, async ({ open }) => {
    const page = await open();
    await page.evaluate(
      ([how, text]) => {
        const data = new DataTransfer();
        if (how === "dropped") data.items.add(new File([text], "lab.dot", { type: "text/plain" }));
        else data.setData("text/plain", text);
        const options = { bubbles: true, cancelable: true };
        document.body.dispatchEvent(
          how === "dropped"
            ? new DragEvent("drop", { dataTransfer: data, ...options })
            : new ClipboardEvent("paste", { clipboardData: data, ...options }),
        );
      },
      [how, DOT],
    );
    await expect(dialog(page)).toContainText(how === "dropped" ? "lab.dot" : "pasted text");
    await dialog(page).getByRole("button", { name: "Open it" }).click();
    await page.getByRole("tab", { name: "Network" }).click();
    await expect(page.getByText("3 switches, 3 hosts, 3 links")).toBeVisible();
  });
}

test("a bad network file is refused with its line, and the document stays", async ({ open }) => {
  const page = await open();
  const before = await page.getByRole("textbox", { name: "Name of the scenario" }).inputValue();
  await pick(page, "bad.any", "router 0 node 0\nrouter 1 nude 1\n");
  const alert = page.locator("#file-problems");
  await expect(alert).toContainText("bad.any:2");
  expect(await page.getByRole("textbox", { name: "Name of the scenario" }).inputValue()).toBe(before);
  await page.keyboard.press("Escape");
  await expect(alert).toHaveCount(0);
});

for (const [name, start] of [["anynet (.any)", "router 0"], ["Graphviz", "graph"], ["GraphML", "<?xml"], ["ibnetdiscover", ""]] as const) {
  test(`the network is saved as ${name} and opens again the same`, async ({ open }) => {
    const page = await open("#");
    await page.keyboard.press("Control+e");
    const saving = page.waitForEvent("download");
    await dialog(page).getByRole("button", { name, exact: false }).first().click();
    const saved = await saving;
    const text = readFileSync(await saved.path(), "utf8");
    expect(text.startsWith(start)).toBe(true);
    await pick(page, saved.suggestedFilename(), text);
    await expect(page.locator("#import-counts")).toHaveText("Switches: 16 · hosts: 64 · links: 31");
  });
}

test("the export dialog saves the scenario, too", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("Control+e");
  const saving = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: /\.json/ }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe("welcome.hopscope.json");
  expect(JSON.parse(readFileSync(await saved.path(), "utf8")).routing.preset).toBe("UD");
  await expect(dialog(page)).toHaveCount(0);
});

test("pictures of the stage are saved", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  let saved: Buffer | undefined;
  for (const [name, start] of [["SVG", "<svg"], ["PNG", "\u0089PNG"]] as const) {
    await page.keyboard.press("Control+e");
    const saving = page.waitForEvent("download");
    await dialog(page).getByRole("button", { name }).click();
    const bytes = readFileSync(await (await saving).path());
    expect(bytes.subarray(0, start.length).toString("latin1")).toBe(start);
    expect(bytes.length).toBeGreaterThan(2000);
    if (name === "PNG") saved = bytes;
  }
  // The picture in the file equals the stage.
  const [inFile, onStage] = await page.evaluate(async (file) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${file}`;
    await picture.decode();
    const stage = document.querySelector<HTMLCanvasElement>("#drawn canvas")!;
    return [picture, stage].map((image) => {
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [stage.width, stage.height];
      copy.getContext("2d")!.drawImage(image, 0, 0);
      return copy.toDataURL();
    });
  }, saved!.toString("base64"));
  expect(inFile).toBe(onStage);
});

// Files as other tools write them; the tests of the formats read the same ones.
const samples = fileURLToPath(new URL("../../core/scenario/src/scenario/formats/samples", import.meta.url));

for (const name of readdirSync(samples)) {
  test(`a file of another tool opens and runs: ${name}`, async ({ open }) => {
    const page = await open();
    await page.locator("input[type=file]").setInputFiles(`${samples}/${name}`);
    await dialog(page).getByRole("button", { name: "Open it" }).click();
    await expect(page.locator("#problems")).toHaveCount(0);
    await page.locator("#speed").fill("22");
    await play(page);
    await expect.poll(() => count(page, "delivered")).toBeGreaterThan(0);
  });
}

test("why a file was not opened is above all else on a phone, and can be read", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  // The legend of channels that are coloured by utilisation stood above it.
  await expect(page.locator("#overlay-legend")).toBeVisible();
  await pick(page, "network-of-the-second-floor.dot", "digraph {\n a -- b\n}");
  const problems = page.locator("#file-problems");
  await expect(problems.getByRole("heading")).toBeInViewport({ ratio: 1 });
  await expect(problems.getByRole("listitem")).toBeInViewport({ ratio: 1 });
  // Nothing lies over it.
  await problems.getByRole("button", { name: "Close" }).tap();
  await expect(problems).toHaveCount(0);
  await context.close();
});
