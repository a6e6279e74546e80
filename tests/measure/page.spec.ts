// `cargo xtask measure`: prints size and speed of the page. It checks nothing; use a quiet machine.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { type Page } from "@playwright/test";
import { count, cycle, download, drawn, expect, files, play, test } from "../fixtures";

const root = fileURLToPath(new URL("../../", import.meta.url));
const print = (...words: (string | number)[]) => console.log(words.join(" "));
const at = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

test.describe.configure({ mode: "serial" });

test("size of what a visitor downloads", () => {
  const row = (title: string, names: string[]) => {
    const sizes = [download(names, (bytes) => bytes), download(names), download(names, brotliCompressSync)];
    print(title.padEnd(46), ...sizes.map((size) => `${size.toFixed(1)} kB`.padStart(10)));
  };
  print("".padEnd(46), ...["raw", "gzip", "brotli"].map((title) => title.padStart(10)));
  for (const name of files()) row(name, [name]);
  row("all", files());
});

test("from navigation to interactive", async ({ browser, address }) => {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(address);
    await page.locator("#worker[data-state=ready][data-loaded=yes]").waitFor({ state: "attached" });
    times.push(performance.now() - start);
    await context.close();
  }
  times.sort((a, b) => a - b);
  print(`first interactive, ms, of 5 loads: median ${times[2].toFixed(0)}, worst ${times[4].toFixed(0)}`);
});

const uniform = (load: number, bytes: number) => [
  { pattern: { kind: "uniform" }, size: { kind: "fixed", bytes }, arrival: { kind: "constant" }, load },
];
const irregular = (switches: number, hosts: number) => ({
  generate: { kind: "irregular", switches, hosts_per_switch: hosts, ports: 2 * hosts, seed: 1 },
});

// A row of the engines' benchmarks: name, scenario file, changes to it.
type Tree = { [key: string]: Tree | string | number };
const scenarioOf = ([, file, changes]: string[]) => {
  const scenario: Tree = JSON.parse(readFileSync(join(root, "scenarios", file), "utf8"));
  for (const change of changes.split(" ")) {
    const [path, value] = change.split("=");
    const keys = path.split(".");
    const last = keys.pop()!;
    const inner = keys.reduce((tree, key) => (tree[key] ??= {}) as Tree, scenario);
    inner[last] = Number.isNaN(Number(value)) ? value : Number(value);
  }
  return scenario;
};
const rows = ["wormhole", "cut-through"]
  .flatMap((engine) => readFileSync(join(root, `core/benches/${engine}.rows`), "utf8").split("\n"))
  .filter((row) => !row.startsWith("#") && /(80 %|RECN)\|/.test(row))
  .map((row) => row.split("|"));
const welcome = JSON.parse(readFileSync(join(root, "app/src/state/welcome.json"), "utf8"));
// The welcome scenario is overloaded: its queues would fill the tab in a longer run.
const RUNS: [string, object, number][] = [
  ["the page's own first scenario", welcome, 1],
  ...rows.map((row): [string, object, number] => [row[0], scenarioOf(row), 40]),
];

async function open(page: Page, scenario: object) {
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator("input[type=file]").setInputFiles({ name: "measured.json", mimeType: "application/json", buffer });
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await play(page);
}

// Plays for `ms` milliseconds. Returns the cycles and the milliseconds between the first and the
// last cycle number shown.
async function played(page: Page, ms: number) {
  await play(page);
  const passed = await page.locator("#cycle").evaluate((output, ms) => new Promise<number[][]>((done) => {
    const shown: number[][] = [];
    const observer = new MutationObserver(() => shown.push([Number(output.textContent!.replace(/\D/g, "")), performance.now()]));
    observer.observe(output, { childList: true, characterData: true, subtree: true });
    setTimeout(() => done(shown), ms);
  }), ms);
  await page.getByRole("button", { name: "Pause" }).click();
  // Until the last frame is drawn.
  await page.waitForTimeout(100);
  const [from, to] = [passed[0], passed.at(-1)!];
  return [to[0] - from[0], to[1] - from[1]];
}

// A run of the command line over `cycles` cycles, suspended while the page plays.
class Native {
  private static readonly file = join(tmpdir(), "hopscope-measured.json");
  private readonly run;
  private readonly ended: Promise<string>;
  ms = 0;
  over = false;

  constructor(scenario: object, private readonly cycles: number) {
    const measure = { warmup_messages: 0, messages: 1_000_000_000, max_cycles: cycles };
    writeFileSync(Native.file, JSON.stringify({ ...scenario, measure }));
    this.run = spawn(join(root, "target/release/hopscope"), ["run", Native.file, "--json"]);
    this.ended = text(this.run.stdout);
    this.run.kill("SIGSTOP");
  }

  // A suspended process would outlive a failed test.
  end() {
    this.run.kill("SIGKILL");
  }

  async goOn(ms: number) {
    const since = performance.now();
    this.run.kill("SIGCONT");
    const report = await Promise.race([this.ended, new Promise<void>((done) => setTimeout(done, ms))]);
    this.run.kill("SIGSTOP");
    this.ms += performance.now() - since;
    if (report !== undefined) {
      this.over = true;
      expect(JSON.parse(report).cycles).toBeGreaterThanOrEqual(this.cycles);
    }
  }
}

const ROUND_MS = 750;

for (const [name, scenario, rounds] of RUNS) {
  test(`simulated cycles per second: ${name}`, async ({ open: start, page }) => {
    test.setTimeout(300_000);
    await start();
    await open(page, { ...scenario, name });
    await page.locator("#speed").fill("22");
    await page.waitForTimeout(2000);
    await page.getByRole("button", { name: "Pause" }).click();
    // A network that is still filling up simulates faster, so the command line is timed from the
    // same cycle as the page.
    const filled = await cycle(page);
    const begun = new Native({ ...scenario, name }, filled);
    await begun.goOn(60_000);
    // Page and command line take turns, since the speed of a machine changes over time.
    const inPage = [await played(page, ROUND_MS)];
    const cycles = Math.round((inPage[0][0] / inPage[0][1] / 0.8) * ROUND_MS * rounds);
    const outside = new Native({ ...scenario, name }, filled + cycles);
    try {
      await outside.goOn(begun.ms);
      while (!outside.over) {
        await outside.goOn(ROUND_MS);
        inPage.push(await played(page, ROUND_MS));
      }
    } finally {
      outside.end();
    }
    const speeds = inPage.map(([cycles, ms]) => cycles / ms / 1000).sort((a, b) => a - b);
    const [all, ms] = [0, 1].map((n) => inPage.reduce((sum, round) => sum + round[n], 0));
    const native = cycles / (outside.ms - begun.ms) / 1000;
    const told = [all / ms / 1000, speeds[0], speeds.at(-1)!, native, all / ms / 1000 / native].map((n) => n.toPrecision(3));
    print(`${name}: page ${told[0]} M cycles/s (${told[1]} to ${told[2]}), native ${told[3]} M, ratio ${told[4]}`);
  });
}

// Per frame: the CPU time of the main thread, from a browser trace; and the CPU time of the worker
// that draws.
async function frames(page: Page, seconds: number) {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["disabled-by-default-devtools.timeline", "devtools.timeline", "toplevel"] });
  await page.waitForTimeout(seconds * 1000);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  type Event = { name: string; ph: string; ts: number; dur?: number; tdur?: number; tid: number; pid: number; args?: { data?: { url?: string } } };
  const all = traceEvents as Event[];
  const tasksOf = ({ tid, pid }: Event) => all.filter((e) => e.name === "RunTask" && e.ph === "X" && e.tid === tid && e.pid === pid);
  const own = (task: Event) => (task.tdur ?? task.dur ?? 0) / 1000;
  const called = all.filter((event) => event.name === "FireAnimationFrame").sort((a, b) => a.ts - b.ts);
  const tasks = tasksOf(called[0]).sort((a, b) => a.ts - b.ts);
  // A frame starts with the task that runs the animation callbacks and lasts until the next such
  // task.
  const times: number[] = [];
  const spent: number[] = [];
  let next = 0;
  for (const task of tasks) {
    const end = task.ts + (task.dur ?? 0);
    if (next < called.length && called[next].ts <= end) {
      times.push(task.ts);
      spent.push(0);
      while (next < called.length && called[next].ts <= end) next++;
    }
    if (spent.length) spent[spent.length - 1] += own(task);
  }
  const sorted = spent.slice(0, -1).sort((a, b) => a - b);
  const drawn = all.filter((e) => e.name === "FunctionCall" && e.tid !== called[0].tid && e.args?.data?.url?.includes("/draw.js"));
  const busy = drawn.length ? tasksOf(drawn[0]).reduce((sum, task) => sum + own(task), 0) : 0;
  const span = (times.at(-1)! - times[0]) / 1e6;
  const [median, most] = [0.5, 0.95].map((share) => at(sorted, share).toFixed(1));
  return (
    `main thread per frame: median ${median} ms, 95th percentile ${most} ms; ${(sorted.length / span).toFixed(0)} frames a second, ` +
    `${(drawn.length / span).toFixed(0)} of them drawn, by the worker in ${(busy / drawn.length).toFixed(1)} ms of its own time each`
  );
}

// Overload with messages of 8 bytes, so that a buffer holds several. They pile up at the hosts, so
// the run is fast only until enough messages are in the network.
for (const [switches, worms] of [[16, 500], [64, 2000], [256, 5000]]) {
  test(`drawing ${switches} switches`, async ({ open: start, page }) => {
    test.setTimeout(120_000);
    await start();
    await open(page, { hopscope: 1, name: `${switches} switches`, network: irregular(switches, 8), routing: { preset: "UD" }, traffic: uniform(0.3, 8) });
    await page.locator("#speed").fill("12");
    await expect.poll(() => count(page, "in-network"), { timeout: 60_000 }).toBeGreaterThan(worms);
    await page.locator("#speed").fill("10");
    await page.waitForTimeout(1000);
    const drawn = await frames(page, 4);
    print(`${switches} switches, ${8 * switches} hosts, ${await count(page, "in-network")} messages in the network: ${drawn}`);
  });
}

test("a network of 1000 switches pans and zooms", async ({ open: start, page }) => {
  test.setTimeout(120_000);
  await start();
  await open(page, { hopscope: 1, name: "1000 switches", network: irregular(1000, 4), routing: { preset: "UD" }, traffic: uniform(0.001, 512) });
  await page.waitForTimeout(3000);
  const move = async () => {
    await page.mouse.move(500, 400);
    for (let i = 0; i < 40; i++) await page.mouse.wheel(0, i < 20 ? -60 : 60);
    await page.mouse.down();
    for (let i = 0; i < 60; i++) await page.mouse.move(500 + 3 * i, 400 + i);
    await page.mouse.up();
  };
  const [seen] = await Promise.all([frames(page, 4), move()]);
  print(`1000 switches, 4000 hosts, panned and zoomed: ${seen}`);
});

test("a file of 5000 switches opens", async ({ open: start, page }) => {
  test.setTimeout(120_000);
  const words = ["generate", "irregular", "--switches", "5000", "--hosts-per-switch", "4", "--ports", "8"];
  const buffer = execFileSync(join(root, "target/release/hopscope"), words, { maxBuffer: 1 << 25 });
  await start();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(500);
  const before = await drawn(page);
  const begun = performance.now();
  await page.locator("input[type=file]").setInputFiles({ name: "large.json", mimeType: "application/json", buffer });
  // The page tells that it has opened the file with the frame that shows it.
  await page.getByText("Opened: Irregular").waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const ms = performance.now() - begun;
  await expect.poll(() => drawn(page)).not.toBe(before);
  print(`5000 switches, 20 000 hosts: drawn ${ms.toFixed(0)} ms after the file was chosen, before there are routes`);
});
