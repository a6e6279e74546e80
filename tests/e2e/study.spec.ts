// Studies: experiments that are composed, run by a pool of workers, and shown as figures.
import AxeBuilder from "@axe-core/playwright";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
// `cli/tests/command_line/experiments.rs` compares these with what `hopscope sweep` writes.
const experiment = read("study.experiment.json");

const progress = (page: Page) => page.locator("#progress");
const over = (page: Page) => expect(progress(page)).toHaveAttribute("data-phase", "over");

async function study(page: Page) {
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await expect(page.locator("#study")).toBeVisible();
}

async function openExperiment(page: Page, text = experiment) {
  const file = { name: "small.json", mimeType: "application/json", buffer: Buffer.from(text) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.locator("#study")).toBeVisible();
}

async function run(page: Page) {
  await page.locator("#run-study").click();
  await over(page);
}

async function saved(page: Page, name: string) {
  const download = page.waitForEvent("download");
  await page.locator("#save-study").getByRole("button", { name, exact: true }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

// A sweep of many points that take long, for tests that end it.
const long = () => {
  const wanted = JSON.parse(experiment);
  wanted.name = "Long";
  wanted.base.measure = { warmup_messages: 1000, messages: 400_000 };
  wanted.axes = [{ path: "seed", values: Array.from({ length: 40 }, (_, i) => i + 1) }];
  return JSON.stringify(wanted);
};

const workers = (page: Page) => page.workers().filter((worker) => worker.url().includes("/boot.js"));

test("a newcomer's first curve is one press away, and its points say what they are", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  await page.getByRole("button", { name: "Sweep the load" }).click();
  await over(page);
  await expect(progress(page)).toContainText("12 of 12 points done");
  const figure = page.locator("#study-figure");
  await expect(figure.locator("svg title")).toHaveText("Welcome");
  await expect(figure).toContainText("accepted traffic, flits/ns/switch");
  await expect(page.locator("#study-table tbody tr")).toHaveCount(12);
  // Points beyond saturation are drawn differently, and the page says how.
  await expect(page.locator("#study-table")).toContainText("Saturated");
  await expect(page.locator("#figure")).toContainText("hollow: not steady");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  // With the keyboard: the first mark's values, then its scenario.
  await figure.focus();
  await page.keyboard.press("Home");
  const tip = figure.getByRole("status");
  await expect(tip).toContainText("mean latency from injection, ns:");
  await expect(tip).toContainText("Steady");
  await page.keyboard.press("Enter");
  await expect(page.locator("#pinned")).toContainText("Point 0: traffic.0.load = 0.0095");
  await expect(page.locator("#study-table tr.marked")).toHaveAttribute("data-point", "0");
  await page.locator("#pinned").getByRole("button", { name: "Open on the stage" }).click();
  await expect(page.locator("#study")).toHaveCount(0);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Traffic" }).click();
  await expect(page.getByText("0.0095").first()).toBeVisible();
});

test("the search finds what the network takes, and the sweep then ends just beyond", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  const before = workers(page).length;
  const cores = await page.evaluate(() => navigator.hardwareConcurrency);
  await page.getByRole("button", { name: "How much does it take?" }).click();
  await expect.poll(() => workers(page).length, { intervals: [20] }).toBeGreaterThanOrEqual(before + cores);
  await expect(page.locator("#searched")).toContainText(/At most 0\.\d+ flits\/ns\/switch/);
  await expect(page.locator("#searched")).toContainText(/It keeps up with [\d.]+ times the load of the scenario, to/);
  await expect(page.locator("#searched")).toContainText(/Searched from [\d.]+ to [\d.]+ times the load/);
  await expect(page.locator("#searched")).not.toContainText("Deadlocked");
});

test("a search says at which loads runs deadlock, and what keeps up with all loads", async ({ open }) => {
  test.slow();
  const page = await open();
  const searched = async (scenario: { name: string }, told: RegExp) => {
    const file = { name: "searched.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(scenario)) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await expect(page.getByLabel("Name of the scenario")).toHaveValue(scenario.name);
    await study(page);
    await page.getByRole("button", { name: "How much does it take?" }).click();
    await expect(page.locator("#searched")).toContainText(told, { timeout: 60_000 });
    await page.getByRole("button", { name: "Stage", exact: true }).click();
  };
  const measure = { warmup_messages: 500, messages: 8000 };
  const ring = { hopscope: 1, name: "a ring", measure, network: { generate: { kind: "ring", switches: 8, hosts_per_switch: 2 } },
    routing: { preset: "minimal" }, traffic: [{ load: 0.05, size: { kind: "fixed", bytes: 64 } }] };
  await searched(ring, /Deadlocked at [\d., ]+ times the load/);
  const neighbours = { hopscope: 1, name: "neighbours", measure, network: { generate: { kind: "single", hosts: 4 } },
    fabric: { kind: "cut-through" },
    traffic: [{ load: 0.05, pattern: { kind: "neighbour" }, arrival: { kind: "on-off", on_us: 10, off_us: 90 } }] };
  await searched(neighbours, /keeps up with all loads that can be run, up to 1\.99 times/);
});

test("replications are those of the command line, and are ended early", async ({ open }) => {
  test.slow();
  const page = await open();
  // `cli/tests/command_line/runs.rs` compares the JSON with what `hopscope run` prints.
  const printed = read("star.replications.json");
  const star = { name: "star.json", mimeType: "application/json", buffer: readFileSync(new URL("../../scenarios/star.json", import.meta.url)) };
  await page.locator('input[type="file"]').setInputFiles(star);
  await expect(page.getByLabel("Name of the scenario")).toHaveValue("Everything through one hub");
  await study(page);
  const card = page.locator("#replications");
  const several = async (count: number) => {
    await page.getByLabel("Runs", { exact: true }).fill(String(count));
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Run replications" }).click();
  };
  const download = async () => {
    const download = page.waitForEvent("download");
    await card.getByRole("button", { name: "Download as JSON" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("everything-through-one-hub.replications.json");
    return readFileSync(await file.path(), "utf8");
  };
  await several(3);
  await expect(card.getByRole("status")).toHaveText("3 of 3 runs done");
  expect(await download()).toBe(printed);
  const { groups, runs } = JSON.parse(printed);
  const steady = card.locator('[data-condition="steady"]');
  await expect(steady.getByRole("heading")).toHaveText("✓Steady: 3 of 3 runs");
  const { mean, half_width } = groups[0].accepted_flits_per_ns_per_switch;
  await expect(steady.locator('[data-figure="accepted"] dd')).toHaveText(`${mean.toFixed(5)}± ${half_width.toFixed(5)}`);
  await card.locator("summary").click();
  await expect(card.locator("tbody code")).toHaveText(runs.map((run: { fingerprint: string }) => run.fingerprint));
  expect(runs[0].fingerprint).toBe(JSON.parse(read("star.results.json")).fingerprint);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await several(1000);
  const words = card.getByRole("status");
  await expect.poll(async () => parseInt((await words.textContent())!)).toBeGreaterThan(5);
  await card.getByRole("button", { name: "Cancel" }).click();
  await expect(words).toHaveText(/^Stopped: these are the first \d+ of 1\u202f000 runs\.$/);
  const first = JSON.parse(await download());
  expect(first.runs.slice(0, 3)).toEqual(runs);
  expect(first.runs.map((run: { seed: number }) => run.seed)).toEqual(first.runs.map((_: unknown, i: number) => i + 1));

  // Of another scenario than that of the stage.
  const outdated = card.getByText("Of the scenario Everything through one hub as it was");
  await expect(outdated).toHaveCount(0);
  await page.getByRole("button", { name: "Stage", exact: true }).click();
  await page.getByRole("tab", { name: "Traffic" }).click();
  await page.getByLabel("Seed of the run").fill("2");
  await page.keyboard.press("Tab");
  await study(page);
  await expect(outdated).toBeVisible();
});

test("results, tables and figures are those of the command line", async ({ open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await openExperiment(page);
  await expect(page.locator("#points")).toContainText("6 points");
  await run(page);
  expect((await saved(page, "JSON")).bytes.toString()).toBe(read("study.results.json"));
  expect((await saved(page, "CSV")).bytes.toString()).toBe(read("study.results.csv"));
  const svg = await saved(page, "SVG");
  expect(svg.name).toBe("two-routings.svg");
  expect(svg.bytes.toString()).toBe(read("study.figure.svg"));
  const png = (await saved(page, "PNG")).bytes;
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1800, 1080]);
  expect(JSON.parse((await saved(page, "Experiment")).bytes.toString())).toEqual(JSON.parse(experiment));
  const { fingerprint } = JSON.parse(/<metadata>(.*)<\/metadata>/.exec(read("study.figure.svg"))![1].replaceAll("&amp;", "&")).provenance;
  await page.locator("#save-study").getByRole("button", { name: "Copy citation" }).click();
  await expect(page.getByText("The citation is in the clipboard")).toBeVisible();
  const citation = await page.evaluate(() => navigator.clipboard.readText());
  expect(citation).toMatch(/^@misc\{hopscope-[0-9a-f]{8},\n  title = \{\{Two routings\}\},/);
  expect(citation).toContain(`results ${fingerprint}`);
});

test("a part of a figure is drawn larger by dragging over it, and by keys", async ({ open }) => {
  const page = await open();
  await openExperiment(page);
  await run(page);
  const figure = page.locator("#study-figure");
  const drawing = figure.locator(":scope > svg").first();
  await expect(page.locator("#study-table tbody tr")).toHaveCount(6);
  const whole = await drawing.innerHTML();
  const wholeButton = page.getByRole("button", { name: "Whole figure" });
  const { x, y, width, height } = (await figure.boundingBox())!;
  await page.mouse.move(x + width * 0.2, y + height * 0.3);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height * 0.7, { steps: 4 });
  await expect(figure.locator(".zoom-part")).toBeVisible();
  await page.mouse.up();
  await expect(figure.locator(".zoom-part")).toHaveCount(0);
  await expect.poll(() => drawing.innerHTML()).not.toBe(whole);
  const part = await drawing.innerHTML();
  // What is saved is what is shown, with the legend.
  expect((await saved(page, "SVG")).bytes.toString()).not.toBe(read("study.figure.svg"));
  await wholeButton.click();
  await expect.poll(() => drawing.innerHTML()).toBe(whole);
  await expect(wholeButton).toHaveCount(0);
  await figure.focus();
  await page.keyboard.press("+");
  await expect.poll(() => drawing.innerHTML()).not.toBe(whole);
  expect(await drawing.innerHTML()).not.toBe(part);
  await page.keyboard.press("-");
  await expect.poll(() => drawing.innerHTML()).toBe(whole);
});

test("levels are drawn over time", async ({ open }) => {
  const page = await open();
  await openExperiment(page);
  await page.locator("#builder select").selectOption("latency-over-time");
  await run(page);
  const figure = page.locator("#study-figure");
  await expect(figure).toContainText("time since measuring began, µs");
  await figure.focus();
  await page.keyboard.press("Home");
  await expect(figure.getByRole("status")).toContainText("mean latency from injection, ns:");
});

test("buttons that save the figure stay where they are while points come in", async ({ open }) => {
  const page = await open();
  await openExperiment(page);
  // Where they are in every frame that shows them beside the progress.
  const places = await page.evaluateHandle(() => {
    const places = new Set<number>();
    const look = () => {
      const buttons = document.querySelector("#save-study");
      if (buttons && document.querySelector("#progress")) places.add(buttons.getBoundingClientRect().y);
      requestAnimationFrame(look);
    };
    look();
    return places;
  });
  await run(page);
  await expect(page.locator("#study-table tbody tr")).toHaveCount(6);
  expect(await places.evaluate((places) => [...places])).toHaveLength(1);
});

test("an experiment is composed from the fields of the scenario, and problems are shown at their axis", async ({ open }) => {
  const page = await open();
  await study(page);
  const axis = (i: number) => page.locator(`#axis-${i}`);
  const change = async (i: number, label: string, words: string) => {
    // Not the group of members to click.
    const field = axis(i).locator("input").and(axis(i).getByLabel(label));
    await field.fill(words);
    await field.press("Tab");
  };
  await change(0, "Values", "");
  await expect(axis(0)).toContainText("To fix it");
  await expect(page.locator("#run-study")).toBeDisabled();
  await change(0, "What varies", "measure.messages");
  await axis(0).getByText("Fill in equal steps").click();
  for (const [name, value] of [["From", "300"], ["To", "500"], ["Steps", "3"]]) await axis(0).getByLabel(name, { exact: true }).fill(value);
  await axis(0).getByRole("button", { name: "Fill in" }).click();
  await expect(axis(0).getByRole("textbox", { name: "Values" })).toHaveValue("300, 400, 500");
  await page.locator("#add-axis").click();
  await change(1, "What varies", "routing.prset");
  await change(1, "Values", "UD");
  await expect(axis(1).getByRole("listitem").first()).toContainText("prset");
  await expect(axis(0).getByRole("listitem")).toHaveCount(0);
  await change(1, "What varies", "routing.preset");
  await change(1, "Values", "");
  await axis(1).getByRole("button", { name: "UD", exact: true }).click();
  await axis(1).getByRole("button", { name: "UD_ITB", exact: true }).click();
  // The middle point is measured for the estimate.
  await expect(page.locator("#points")).toContainText(/^6 points, about \d+ s, \d+ at a time$/);
  await page.locator("#builder select").selectOption("throughput");
  await run(page);
  await expect(page.locator("#figure")).toContainText("largest accepted traffic");
  await expect(page.locator("#study-table tbody tr")).toHaveCount(6);
});

test("series are hidden, axes are logarithmic, rows are sorted, and the language is spoken", async ({ open }) => {
  const page = await open();
  await openExperiment(page);
  await run(page);
  await expect(page.locator("#study-table tbody tr")).toHaveCount(6);
  const marks = page.locator("#study-figure > svg").first();
  const before = await marks.innerHTML();
  await page.locator("#series").getByRole("button", { name: "UD_ITB" }).click();
  await expect.poll(() => marks.innerHTML()).not.toBe(before);
  await expect(page.locator("#series").getByRole("button", { name: "UD_ITB" })).toHaveAttribute("aria-pressed", "false");
  await page.locator("#series").getByRole("button", { name: "UD_ITB" }).click();
  await expect.poll(() => marks.innerHTML()).toBe(before);
  await page.getByRole("button", { name: "Logarithmic up" }).click();
  await expect.poll(() => marks.innerHTML()).not.toBe(before);
  const table = page.locator("#study-table");
  const points = () => table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.point)));
  await table.getByRole("button", { name: "traffic.0.load" }).click();
  await expect.poll(points).toEqual([0, 3, 1, 4, 2, 5]);
  await table.getByRole("button", { name: "traffic.0.load" }).click();
  await expect.poll(points).toEqual([2, 5, 1, 4, 0, 3]);
  await page.getByRole("button", { name: "Español" }).click();
  await expect(page.locator("#study-figure")).toContainText("tráfico aceptado, flits/ns/conmutador");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("a sweep is cancelled at once, kept, and goes on after a reload", async ({ open }) => {
  test.slow();
  const page = await open();
  await openExperiment(page, long());
  await page.locator("#run-study").click();
  await expect.poll(async () => Number(await progress(page).getAttribute("data-done"))).toBeGreaterThan(2);
  const before = new Set(workers(page));
  // `tests/measure/study.spec.ts` says how long it takes: other tests run at the same time here.
  await page.locator("#cancel-study").click();
  await expect(progress(page)).toHaveAttribute("data-phase", "stopped");
  // The workers that ran points have made way for others.
  await expect.poll(() => workers(page).filter((worker) => before.has(worker)).length).toBeLessThan(before.size);
  const done = Number(await progress(page).getAttribute("data-done"));
  await expect(page.locator("#study-table tbody tr")).toHaveCount(done);
  await page.reload();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await study(page);
  const kept = page.locator("#stored-studies");
  await expect(kept).toContainText(`${done} of 40 points done`);
  await kept.getByRole("button", { name: /Long/ }).first().click();
  await expect.poll(async () => Number(await progress(page).getAttribute("data-done"))).toBeGreaterThanOrEqual(done);
  await expect(progress(page)).toHaveAttribute("data-phase", "running");
  await page.locator("#cancel-study").click();
});

test("a worker that dies is replaced, and its point runs again", async ({ open }) => {
  test.slow();
  const page = await open();
  const wanted = JSON.parse(long());
  wanted.axes[0].values.length = 20;
  await openExperiment(page, JSON.stringify(wanted));
  await expect(page.locator("#points")).toContainText("20 points, about");
  await page.locator("#run-study").click();
  await expect.poll(async () => Number(await progress(page).getAttribute("data-done")), { intervals: [50] }).toBeGreaterThan(1);
  // The last workers that were started are those of the pool.
  const struck = workers(page).at(-1)!;
  await struck.evaluate(() => void setTimeout(() => { throw new Error("struck by a test"); })).catch(() => {});
  await over(page);
  expect(workers(page)).not.toContain(struck);
  await expect(progress(page)).toContainText("20 of 20 points done");
  await expect(page.locator("#failed-points")).toHaveCount(0);
});

test("points that cannot run are told, and the others run", async ({ page, open }) => {
  // Every worker of a pool dies when it is told to run point 4.
  await page.addInitScript(() => {
    window.Worker = class extends Worker {
      postMessage(...message: [unknown]) {
        const task = (message[0] as { Study?: { task?: { Run?: { point: bigint } } } })?.Study?.task?.Run;
        if (task?.point === 4n) setTimeout(() => this.dispatchEvent(new ErrorEvent("error", { message: "sick of this point" })));
        else super.postMessage(...message);
      }
    };
  });
  await open();
  await openExperiment(page);
  await run(page);
  await expect(progress(page)).toContainText("5 of 6 points done");
  await expect(page.locator("#failed-points")).toContainText("sick of this point");
});

test("many points are asked about before they run", async ({ open }) => {
  const page = await open();
  const wanted = JSON.parse(experiment);
  wanted.axes = [{ path: "seed", values: Array.from({ length: 2001 }, (_, i) => i + 1) }];
  await openExperiment(page, JSON.stringify(wanted));
  await expect(page.locator("#points")).toContainText("points, about");
  await page.locator("#run-study").click();
  await expect(page.locator("#ask")).toContainText(/2.001 points, about/);
  await page.locator("#ask").getByRole("button", { name: "Cancel" }).click();
  await expect(progress(page)).toHaveCount(0);
});

test("experiments that cannot run say why, and a million points are counted, timed and asked about", async ({ open }) => {
  test.slow();
  const page = await open();
  const wanted = JSON.parse(experiment);
  const seeds = Array.from({ length: 1000 }, (_, i) => i + 1);
  const openWith = async (axes: unknown) => openExperiment(page, JSON.stringify({ ...wanted, axes }));
  await openWith([{ path: "routing.prset", values: ["UD"] }]);
  await expect(page.locator("#axis-0")).toContainText("routing.prset");
  await expect(page.locator("#axis-0")).toContainText("preset");
  await expect(page.locator("#run-study")).toBeDisabled();
  await openWith([{ path: "seed", values: seeds }, { path: "routing.seed", values: seeds }]);
  await expect(page.locator("#points")).toContainText(/^1.000.000 points, about .*, \d+ at a time$/);
  await page.locator("#run-study").click();
  await expect(page.locator("#ask")).toContainText(/1.000.000 points, about \d/);
  await page.locator("#ask").getByRole("button", { name: "Cancel" }).click();
  // No axis is one point; an axis without steps is refused when the file is read.
  const file = { name: "empty.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ ...wanted, axes: [{ path: "seed", values: [] }] })) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByText("the axis has no steps")).toBeVisible();
});

test("on a phone the values of a mark stand below the figure, and rows have lines in every column", async ({ open }) => {
  const page = await open();
  await page.setViewportSize({ width: 390, height: 844 });
  await openExperiment(page);
  await run(page);
  await expect(page.locator("#study-table tbody tr")).toHaveCount(6);
  const figure = page.locator("#study-figure");
  await figure.focus();
  await page.keyboard.press("Home");
  await expect(figure.locator(".study-tip.shown")).toBeVisible();
  const below = () => figure.evaluate((all) => {
    const [tip, drawing] = [".study-tip", "svg"].map((part) => all.querySelector(part)!.getBoundingClientRect());
    return tip.top - drawing.bottom;
  });
  await expect.poll(below).toBeGreaterThanOrEqual(-1);
  // Borders that are shared by cells would scroll away under the first column, which stays.
  const table = page.locator("#study-table");
  await expect(table).toHaveCSS("border-collapse", "separate");
  await expect(table.locator("tbody th").first()).toHaveCSS("border-top-width", "1px");
});

test("on a phone what runs is scrolled into view when it begins", async ({ open }) => {
  test.slow();
  const page = await open();
  await page.setViewportSize({ width: 390, height: 844 });
  await study(page);
  await page.locator("#sweep-load").click();
  await expect(progress(page)).toBeInViewport({ ratio: 1 });
  await page.locator("#cancel-study").click();
  await page.locator("#search").click();
  await expect(page.locator("#searched")).toBeInViewport();
  await page.locator("#papers").getByRole("button", { name: /^Latency of in-transit buffers/ }).click();
  await page.locator("#run-full").click();
  await expect(progress(page)).toHaveAttribute("data-phase", "running");
  await expect(progress(page)).toBeInViewport({ ratio: 1 });
  await page.locator("#cancel-study").click();
  await expect(progress(page)).toHaveAttribute("data-phase", "stopped");
});

test("two scenarios are compared: what differs, then what follows and whether it may be chance", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  await page.locator("#compare select").selectOption({ label: "First light" });
  await page.locator("#run-compare").click();
  const fields = page.locator("#compared-fields");
  await expect(fields.getByRole("row", { name: /routing\.preset/ })).toContainText('"UD"');
  await expect(fields.getByRole("row", { name: /traffic\.0\.load/ })).toContainText("0.095");
  // Both networks beside each other, on one clock.
  const duo = page.locator("#duo");
  const pictures = () => Promise.all([0, 1].map((side) => page.locator(`#duo-${side}`).screenshot()));
  await expect(duo.locator("canvas")).toHaveCount(2);
  const still = await pictures();
  await duo.getByRole("button", { name: "Next cycle" }).click();
  await expect(page.locator("#duo-cycle")).toHaveText("1");
  await duo.getByRole("slider").fill("9");
  await duo.getByRole("button", { name: "Play" }).click();
  await expect.poll(async () => Number((await page.locator("#duo-cycle").textContent())!.replace(/\D/g, ""))).toBeGreaterThan(500);
  await duo.getByRole("button", { name: "Pause" }).click();
  await expect.poll(async () => (await pictures()).map((now, side) => now.equals(still[side]))).toEqual([false, false]);
  await duo.getByRole("button", { name: "Back to cycle 0" }).click();
  await expect(page.locator("#duo-cycle")).toHaveText("0");
  const results = page.locator("#compared-results");
  await expect(results.getByRole("row", { name: /How it went/ })).toContainText("Saturated");
  await expect(results.getByRole("row", { name: /Accepted traffic, flits\/ns\/switch/ })).toContainText("%");
  expect((await new AxeBuilder({ page }).include("#study").analyze()).violations).toEqual([]);
});

test("several scenarios are compared with that of the stage, one of them as it was before", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  const card = page.locator("#compare");
  await card.getByRole("button", { name: /^Keep the stage's scenario/ }).click();
  await card.locator("select").selectOption({ label: "First light" });
  await card.getByRole("button", { name: "Add to the comparison" }).click();
  const kept = page.locator("#kept-to-compare li");
  await expect(kept).toHaveCount(2);
  await kept.nth(1).getByRole("button", { name: "Remove First light" }).click();
  await expect(kept).toHaveCount(1);
  await card.getByRole("button", { name: "Add to the comparison" }).click();
  await page.locator("#run-compare").click();
  const heads = page.locator("#compared-fields thead th");
  await expect(heads).toHaveText(["What differs", /\(1\)$/, /\(2\)$/, "First light"]);
  const preset = page.locator("#compared-fields").getByRole("row", { name: /routing\.preset/ });
  const values = await preset.locator("td").allTextContents();
  expect(values[1], "what was kept is the stage's scenario").toBe(values[0]);
  expect(values[2]).not.toBe(values[0]);
  // The second of them is drawn beside the first, then the third.
  const beside = page.locator("#duo figcaption").nth(1);
  await expect(beside).toContainText("(2)");
  await page.locator("#duo select").selectOption({ label: "First light" });
  await expect(beside).toContainText("First light");
  const accepted = page.locator("#compared-results").getByRole("row", { name: /Accepted traffic, flits\/ns\/switch/ });
  await expect(accepted.locator("td")).toHaveCount(7);
  await expect(accepted.locator("td").nth(2)).toHaveText("0.0 %");
  await expect(page.locator("#compared")).toContainText("same");
  expect((await new AxeBuilder({ page }).include("#study").analyze()).violations).toEqual([]);
});

test("a published study gives the verdicts and the numbers that it gives natively", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  const papers = page.locator("#papers");
  await papers.getByRole("button", { name: /^Minimal routes/ }).click();
  await expect(papers).toContainText("J. Flich, doctoral thesis");
  await expect(papers).toContainText(/\d+ measurements, 1 network per row, 1.000 messages counted per run/);
  await expect(papers).toContainText(/10 networks per row, 20.000 messages counted per run/);
  await page.locator("#run-small").click();
  // Rows come in while measurements are made.
  const rows = page.locator("#paper-table tr:has(td)");
  await expect(rows).not.toHaveCount(0);
  await over(page);
  // `core/src/study/published.rs` compares the file with what the study gives natively.
  type Line = [quantity: string, label: string, switches: number, mean: number, within: boolean | null];
  const expected: Line[] = JSON.parse(read("thesis-routes.lines.json"));
  await expect(rows).toHaveCount(expected.length);
  const found = await rows.evaluateAll((rows) => rows.map((row) => [row.children[0].textContent, row.children[2].textContent, (row as HTMLElement).dataset.agrees]));
  expect(found).toEqual(expected.map(([, label, switches, mean, within]) => [`${label}, ${switches} switches`, mean.toFixed(2), within?.toString()]));
  const row = rows.filter({ hasText: "UD, 16 switches" }).first();
  await expect(row).toHaveText(/^UD, 16 switches8981.67-8.2\s%± 15\s%✓ within$/);
  await expect(row.locator("svg")).toBeVisible();
  const agree = expected.filter((line) => line[4]).length;
  const judged = expected.filter((line) => line[4] !== null).length;
  await expect(page.locator("#paper-verdict")).toHaveText(`${agree} of ${judged} rows agree with what was published.`);
  await expect(page.locator("#paper-results")).toContainText("Small counts");
  expect((await new AxeBuilder({ page }).include("#study").analyze()).violations).toEqual([]);
  // Every quantity has a figure: bars of what was published and of ours.
  const figure = page.locator("#study-figure");
  await expect(figure.locator("svg title")).toContainText("Minimal routes and in-transit stops");
  await expect(figure).toContainText("minimal routes, %");
  await figure.focus();
  await page.keyboard.press("Home");
  await expect(figure.getByRole("status")).toHaveText(/^published\w+, 8 switchesminimal routes, %: [\d.]+ \(\d+(\.\d+)? – \d+(\.\d+)?\)/);
  await page.keyboard.press("Enter");
  await expect(page.locator("#paper-table tr.marked")).toHaveCount(1);
  await page.locator("#quantities").getByRole("button", { name: "ITBs per message" }).click();
  await expect(figure).toContainText("ITBs per message");
  const table = async () => {
    const file = await saved(page, "CSV");
    expect(file.name).toBe("thesis-routes.results.csv");
    return file.bytes.toString().trimEnd().split("\n");
  };
  const lines = await table();
  expect(lines.length).toBe(expected.length + 1);
  expect(lines[0]).toMatch(/^quantity,row,switches,.*,published,tolerance,ours,least,greatest,/);
  expect(lines[5]).toMatch(/^"minimal routes, %","UD",16,,,"","","","",89,0\.15,81\.6+\d*,81\.6\d*,81\.6\d*,1,0,0,0,0,true,thesis-routes,/);
  expect((await saved(page, "SVG")).bytes.toString()).toContain("ITBs per message");
  await page.getByRole("button", { name: "Español" }).click();
  // Programs read the same numbers in every language.
  expect(await table()).toEqual(lines);
  await expect(page.locator("#paper-verdict")).toContainText("filas concuerdan con lo publicado");
  await expect(page.locator("#paper-table")).toContainText("rutas mínimas, %");
});

// Stores the same results of all runs of a published study, as those of an earlier visit.
const storePaper = (page: Page, key: string, jobs: number, found: unknown) =>
  page.evaluate(async ([key, jobs, found]) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const build = document.querySelector<HTMLMetaElement>("meta[name=hopscope-build]")!.content;
    const database = await settled(indexedDB.open("hopscope-studies", 1));
    const store = database.transaction("results", "readwrite").objectStore("results");
    const points = Array.from({ length: jobs }, (_, point) => point);
    await Promise.all(points.map((point) => settled(store.put([point, JSON.stringify([point, found])], [build, key, point]))));
    database.close();
  }, [key, jobs, found] as const);

test("every finding of a paper has a verdict, with the rows that decide it", async ({ open }) => {
  const page = await open();
  await study(page);
  const papers = page.locator("#papers");
  await papers.getByRole("button", { name: /^Seven classes of Advanced Switching/ }).click();
  const jobs = Number(/(\d+) measurements, 10 replications/.exec((await papers.textContent())!)![1]);
  // Every class delivers all, and no latency differs from another.
  const quantities = ["delivered", "falls_short_from", "share", "total_latency", "largest_latency"];
  const figures = quantities.map((quantity) => [quantity, Array(7).fill(1)]);
  const index = await papers.locator("li").evaluateAll((items) => items.findIndex((item) => item.querySelector(".paper")));
  await storePaper(page, `paper-full-${index}`, jobs, { deadlocked: false, itb_memory_full: false, cycles: 1_000_000, figures });
  await page.locator("#run-full").click();
  await over(page);
  const findings = page.locator("#paper-findings li");
  await expect(findings).toHaveCount(6);
  await expect(findings.nth(0)).toHaveText(/^1 ✓ holds classes with a reservation .*64 of 64 rows hold$/);
  await expect(findings.nth(1)).toHaveText(/^2 ✕ does not hold .*12 do not; 2\. best effort .*, not 0\.85; and 11 more rows$/);
  await expect(page.locator("#paper-table")).toContainText("cannot fail: runs are shorter than the bound");
  expect((await new AxeBuilder({ page }).include("#study").analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Español" }).click();
  await expect(findings.nth(0)).toHaveText(/^1 ✓ se cumple las clases con reserva .*se cumplen 64 de 64 filas$/);
});

test("small counts judge no finding of a paper", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  await page.locator("#papers").getByRole("button", { name: /^Seven classes of Advanced Switching/ }).click();
  await page.locator("#run-small").click();
  await over(page);
  await expect(page.locator("#paper-results")).toContainText("judge no finding");
  await expect(page.locator("#paper-table")).toContainText("not judged");
  await expect(page.locator("#paper-table [data-agrees]")).toHaveCount(0);
  await expect(page.locator("#paper-findings, #paper-verdict")).toHaveCount(0);
});

test("a published study is cancelled at once and goes on with the measurements that are left", async ({ open }) => {
  test.slow();
  const page = await open();
  await study(page);
  await page.locator("#papers").getByRole("button", { name: /^Latency of in-transit buffers/ }).click();
  await page.locator("#run-full").click();
  const done = async () => Number(await progress(page).getAttribute("data-done"));
  await expect.poll(done).toBeGreaterThan(0);
  await expect(progress(page)).toContainText("of 120 measurements done");
  const before = new Set(workers(page));
  await page.locator("#cancel-study").click();
  await expect(progress(page)).toHaveAttribute("data-phase", "stopped");
  await expect.poll(() => workers(page).filter((worker) => before.has(worker)).length).toBeLessThan(before.size);
  const kept = await done();
  await progress(page).getByRole("button", { name: "Go on" }).click();
  await expect.poll(done).toBeGreaterThan(kept);
  await page.locator("#cancel-study").click();
  await expect(progress(page)).toHaveAttribute("data-phase", "stopped");
  // The address holds the study, and the browser its results.
  const last = await done();
  expect(page.url()).toMatch(/&paper=thesis-latency&full$/);
  await page.reload();
  await expect(progress(page)).toHaveAttribute("data-phase", "stopped");
  expect(await done()).toBeGreaterThanOrEqual(last);
  await expect(page.locator("#stored-studies")).toContainText(`${await done()} of 120 points done`);
  await progress(page).getByRole("button", { name: "Go on" }).click();
  await expect.poll(done).toBeGreaterThan(last);
  // A study that runs goes on after a reload.
  await expect.poll(() => page.url()).toMatch(/&full&run$/);
  await page.reload();
  await expect(progress(page)).toHaveAttribute("data-phase", "running");
  await expect.poll(done).toBeGreaterThan(last);
  await page.locator("#cancel-study").click();
});

test("a link to a study opens the same study, and runs nothing that is not kept", async ({ open, browser }) => {
  test.slow();
  const page = await open();
  await study(page);
  const values = (of: Page) => of.locator("#axis-0 input").nth(1);
  await values(page).fill("0.02, 0.04, 0.06");
  await values(page).press("Tab");
  await expect(page.locator("#points")).toContainText("3 points, about");
  await expect.poll(() => page.url()).toMatch(/#s=[\w-]+&study=[\w-]+$/);
  const link = page.url();
  await run(page);
  expect(page.url()).toBe(link);
  await expect(page.locator("#stored-studies")).toContainText("3 of 3 points done");
  await page.reload();
  // Results of this browser are shown again.
  await over(page);
  await expect(page.locator("#study-table tbody tr")).toHaveCount(3);
  await expect(values(page)).toHaveValue("0.02, 0.04, 0.06");
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(values(other)).toHaveValue("0.02, 0.04, 0.06");
  await expect(other.locator("#points")).toContainText("3 points, about");
  await expect(progress(other)).toHaveCount(0);
  await run(other);
  await expect(other.locator("#study-table tbody tr")).toHaveCount(3);
  await other.getByRole("button", { name: "Stage", exact: true }).click();
  await expect.poll(() => other.url()).not.toContain("study=");
  await other.context().close();
});

test("an experiment that nobody has changed follows the scenario that is opened", async ({ open }) => {
  const page = await open();
  const gallery = async (name: RegExp) => {
    await page.keyboard.press("g");
    await page.getByRole("dialog").getByRole("button", { name }).click();
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  };
  await gallery(/^Four packet sizes, one table entry each in turn/);
  await study(page);
  await expect(page.locator("#run-study")).toBeEnabled();
  const name = page.getByLabel("Title", { exact: true });
  await expect(name).toHaveValue(/^Four packet sizes/);
  await page.getByRole("button", { name: "Stage", exact: true }).click();
  await gallery(/^Connections refused/);
  await study(page);
  await expect(name).toHaveValue("Connections refused");
  await expect(page.locator("#run-study")).toBeEnabled();
});
