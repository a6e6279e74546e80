// The results of a run on the page are those of the command line.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Page } from "@playwright/test";
import { command, cycle, expect, fast, play, test } from "../fixtures";

// What `hopscope run scenarios/star.json --json` prints (app/src/worker/model.rs compares it).
const printed = readFileSync(new URL("star.results.json", import.meta.url), "utf8");

async function star(page: Page) {
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /Everything through one hub/ }).click();
  await expect(page.getByText("Opened: Everything through one hub")).toBeVisible();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Watch" }).click();
}

async function saved(page: Page, act: () => Promise<void>) {
  const download = page.waitForEvent("download");
  await act();
  const file = await download;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

test("the results of a measurement are saved as the command line prints them", async ({ open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await star(page);
  await fast(page);
  await play(page);
  const results = page.getByRole("region", { name: "Results" });
  await expect(page.locator("#fingerprint-of")).toContainText("Of the measurement");
  // The run goes on past the end of the measurement, and its results stay.
  const { cycles, fingerprint } = JSON.parse(printed);
  await expect.poll(() => cycle(page)).toBeGreaterThan(cycles);
  await expect(page.locator("#fingerprint")).toHaveText(fingerprint);
  const file = await saved(page, () => results.getByRole("button", { name: "Download the results" }).click());
  expect(file.name).toBe("everything-through-one-hub.results.json");
  expect(file.text).toBe(printed);
  // Also from where files are exported.
  await page.keyboard.press("Control+e");
  const again = await saved(page, () => page.getByRole("dialog").getByRole("button", { name: "Download the results" }).click());
  expect(again).toEqual(file);
  await results.getByRole("button", { name: "Copy the fingerprint" }).click();
  await expect(page.getByText("The fingerprint is in the clipboard")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(fingerprint);
});

test("a run that is over in its warm-up has the results of the command line, and the page says so", async ({ open }) => {
  const page = await open();
  // What `hopscope run tests/e2e/early.json --json` prints (app/src/worker/model.rs compares it).
  const [scenario, early] = ["early.json", "early.results.json"].map((name) => new URL(name, import.meta.url));
  await page.locator("input[type=file]").setInputFiles(fileURLToPath(scenario));
  await expect(page.getByLabel("Name of the scenario")).toHaveValue("Over in the warm-up");
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("button", { name: "Measure it" }).click();
  await expect(page.locator("#run-condition")).toHaveAttribute("data-measured", "true");
  await expect(page.locator("#run-condition")).toContainText("The traffic ended before all messages asked for were counted");
  // Nothing was measured, so there are no rates.
  for (const figure of ["per-switch", "per-host", "gbps", "share-of-link"]) {
    await expect(page.locator(`#accepted-traffic [data-figure=${figure}] dd`)).toHaveText("–");
  }
  await expect(page.locator("#repeat dd").first()).toHaveText("the whole run");
  const file = await saved(page, () => command(page, "download the results"));
  expect(file).toEqual({ name: "over-in-the-warm-up.results.json", text: readFileSync(early, "utf8") });
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.locator("#fingerprint-of")).toContainText("Of the measurement, or of the run");
  await expect(page.getByText("not over")).toHaveCount(0);
});

test("the results so far are saved while the measurement goes on, and the page says so", async ({ open }) => {
  const page = await open();
  await star(page);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await page.getByRole("button", { name: "Many cycles on" }).first().click();
  await expect.poll(() => cycle(page)).toBe(100);
  await expect(page.locator("#fingerprint-of")).toContainText("Of the run up to cycle 100");
  const shown = await page.locator("#fingerprint").textContent();
  // The button that has the focus is not pressed by the Enter that ends the command.
  const file = await saved(page, () => command(page, "download the results"));
  await expect(page.getByRole("status").getByText("The measurement is not over")).toBeVisible();
  expect(file.name).toBe("everything-through-one-hub.so-far.json");
  const report = JSON.parse(file.text);
  expect(Object.keys(report)).toEqual(Object.keys(JSON.parse(printed)));
  expect([report.cycles, report.fingerprint]).toEqual([101, shown]);
});

test("when a run counts is set on the page", async ({ open }) => {
  const page = await open();
  await star(page);
  await page.getByRole("tab", { name: "Traffic" }).click();
  const measurement = page.locator("#measurement");
  await expect(measurement.getByLabel(/^Warm-up(?!,)/)).toHaveValue("5000");
  await expect(measurement.getByLabel(/^Counted at most/)).toBeHidden();
  await measurement.getByLabel("Go on until intervals are this narrow").fill("0.1");
  await measurement.getByLabel("Go on until intervals are this narrow").press("Tab");
  await expect(measurement.getByLabel(/^Counted at most/)).toHaveValue("0");
  await measurement.getByLabel(/^Counted(?!,| at)/).fill("4000");
  await measurement.getByLabel(/^Counted(?!,| at)/).press("Tab");
  await measurement.getByLabel("Count as soon as the transient has ended").check();
  await page.getByRole("tab", { name: "Watch" }).click();
  await fast(page);
  await play(page);
  await expect(page.locator("#fingerprint-of")).toContainText("Of the measurement");
  const results = page.getByRole("region", { name: "Results" });
  const file = await saved(page, () => results.getByRole("button", { name: "Download the results" }).click());
  const found = JSON.parse(file.text);
  expect(found.scenario.measure).toMatchObject({ messages: 4000, half_width: 0.1, find_warmup: true });
  expect(found.confidence).toMatchObject({ level: 0.95, reached: true });
  expect(found.confidence.relative).toBeLessThanOrEqual(0.1);
  expect(found.warmup.transient_ended).toBe(true);
  expect(found.warmup.messages).toBeLessThan(5000);
});

test("results have the names of a network from a file, and its positions as they are", async ({ open }) => {
  const page = await open();
  const network = {
    switches: [{ name: "Lisbon", ports: 4, x: 0, y: 0 }, { name: "Porto", ports: 4, x: 200, y: 0 }],
    hosts: [{ switch: 0, name: "sender" }, { switch: 1, name: "receiver" }],
    links: [{ a: [0, 3], b: [1, 3] }],
  };
  const measure = { warmup_messages: 10, messages: 100 };
  const buffer = Buffer.from(JSON.stringify({ hopscope: 1, name: "Named", network, traffic: [{ load: 0.02 }], measure }));
  await page.locator('input[type="file"]').setInputFiles({ name: "named.json", mimeType: "application/json", buffer });
  await expect(page.getByLabel("Name of the scenario")).toHaveValue("Named");
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Results" }).click();
  await page.getByRole("button", { name: "Measure it" }).click();
  await expect(page.locator("#run-condition")).toHaveAttribute("data-measured", "true");
  const tables = page.locator("#tables-of-results");
  await tables.getByRole("button", { name: /^Hosts/ }).click();
  await expect(tables).toContainText("receiver");
  await tables.getByRole("button", { name: /^Channels/ }).click();
  await expect(tables).toContainText("Lisbon");
  const found = JSON.parse((await saved(page, () => command(page, "download the results"))).text);
  expect(found.hosts.map((host: { name: string }) => host.name)).toEqual(["sender", "receiver"]);
  expect(found.scenario.network.switches).toMatchObject(network.switches);

  // They have the positions of the document that is saved.
  await command(page, "Arrange in a circle");
  await expect(page.getByRole("button", { name: /^Undo/ })).toHaveAttribute("title", /arranging/);
  const arranged = JSON.parse((await saved(page, () => command(page, "download the results"))).text);
  const file = JSON.parse((await saved(page, () => page.keyboard.press("Control+s"))).text);
  expect(arranged.scenario.network).toEqual(file.network);
  expect(arranged.scenario.network).not.toEqual(found.scenario.network);
  expect(arranged.fingerprint).toBe(found.fingerprint);
});
