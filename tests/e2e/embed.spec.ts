// Other pages show Hopscope in a frame and drive it: docs/embedding.md.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Frame, Page } from "@playwright/test";
import { cycle, expect, settled, test as base } from "../fixtures";
import { serve } from "../serve.mjs";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
const json = (name: string) => JSON.parse(readFileSync(new URL(`../../scenarios/${name}.json`, import.meta.url), "utf8"));

// A page of another origin: the documentation, on a port of its own.
const test = base.extend<{ host: string }>({
  host: async ({}, use) => {
    const server = await serve(docs);
    await use(server.address);
    await server.close();
  },
});

// Opens the example of a page around Hopscope, which keeps all messages that it hears.
async function around(page: Page, host: string, opens: string) {
  await page.addInitScript(() => {
    if (parent !== self) return;
    const heard: unknown[] = ((window as any).heard = []);
    addEventListener("message", ({ data }) => heard.push(data));
  });
  await page.goto(`${host}embedding-example.html?${encodeURIComponent(opens)}`);
  const heard = (event: string): Promise<any[]> =>
    page.evaluate((event) => (window as any).heard.filter((message: any) => message.event === event), event);
  await expect.poll(() => heard("ready")).toHaveLength(1);
  // Sends a message to Hopscope, and returns the answer with the same id.
  const ask = (message: { id: unknown } & object): Promise<any> =>
    page.evaluate(
      (message) =>
        new Promise((answered) => {
          const take = ({ data }: MessageEvent) => {
            if (data.id !== message.id) return;
            removeEventListener("message", take);
            answered(data);
          };
          addEventListener("message", take);
          frames[0].postMessage(message, "*");
        }),
      { hopscope: 1, ...message },
    );
  return { ask, heard };
}

test("the example page loads, runs, pauses, seeks and reads results from another origin", async ({ browser, address, host }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${host}embedding-example.html?${address}`);
  const messages = page.locator("#messages li");
  await expect(messages.last()).toHaveText('{"hopscope":1,"event":"ready"}');
  // Presses a button of the example, and returns what it shows of the answer.
  const press = async (name: string) => {
    const button = page.getByRole("button", { name });
    const told = messages.filter({ hasText: new RegExp(`^${await button.getAttribute("id")}\\b`) });
    const count = await told.count();
    await button.click();
    return (await told.nth(count).textContent())!;
  };
  expect(await press("Load a ring")).toMatch(/^load: {"switches":8,"hosts":\d+,"channels":\d+,"cycle_ps":\d+}$/);
  const frame = page.frameLocator("#hopscope");
  await expect(frame.getByRole("textbox", { name: "Name of the scenario" })).toHaveValue("Ring");
  await expect(frame.locator("#cycle")).toHaveText("0");
  expect(await press("Go to cycle 5000")).toBe('seek: {"cycle":5000,"playing":false}');
  const first = await press("Read results");
  expect(first).toMatch(/^results: cycle 5000, fingerprint [0-9a-f]{16}$/);
  expect(await press("Run")).toContain('"playing":true');
  await expect(frame.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(async () => Number((await frame.locator("#cycle").textContent())!.replace(/\D/g, ""))).toBeGreaterThan(5000);
  expect(await press("Pause")).toContain('"playing":false');
  // The same cycle, the same bits; and the same file begins anew.
  expect(await press("Go to cycle 5000")).toBe('seek: {"cycle":5000,"playing":false}');
  expect(await press("Read results")).toBe(first);
  expect(await press("Load something broken")).toMatch(/^broken failed: broken\.dot:1: .+/);
  expect(await press("Read results")).toBe(first);
  await press("Load a ring");
  await expect(frame.locator("#cycle")).toHaveText("0");
  await context.close();
});

test("a host hears when a measurement is over and when a lesson is finished, with its score", async ({ page, address, host }) => {
  const { ask, heard } = await around(page, host, `${address}#lesson=blocking&lock`);
  const frame = page.frameLocator("iframe");
  const lesson = json("lessons/blocking");
  const next = frame.locator("#lesson-next");
  await frame.getByRole("radio", { name: lesson.answers[lesson.right].en }).check();
  await next.click();
  for (const _ of lesson.runs) {
    await frame.getByRole("button", { name: "Measure it" }).click();
    await expect(frame.locator("#lesson-results dd")).not.toHaveCount(0);
    expect(await heard("lesson")).toEqual([]);
    await next.click();
  }
  await expect.poll(() => heard("lesson")).toEqual([
    { hopscope: 1, event: "lesson", lesson: "blocking", score: 1, answer: lesson.right },
  ]);
  expect((await heard("measured")).length).toBeGreaterThan(0);
  const { answer } = await ask({ id: "r", command: "results" });
  expect(answer.measured.fingerprint).toMatch(/^[0-9a-f]{16}$/);
});

test("requests are answered in order, wrong ones with problems, and other messages not at all", async ({ page, address, host }) => {
  const { ask, heard } = await around(page, host, address);
  const deadlock = json("deadlock-ring");
  const answers = await Promise.all([
    // It still runs when the answer comes.
    ask({ id: 1, command: "load", file: json("first-light") }),
    ask({ id: 2, command: "run", speed: "fastest" }),
    ask({ id: 3, command: "dance" }),
    ask({ id: 4, command: "run", cycle: 5 }),
    ask({ id: 5, hopscope: 2, command: "run" }),
    ask({ id: 6, command: "load", file: { hopscope: 1, network: { generate: { kind: "ring", switches: 1e9 } } } }),
  ]);
  expect(answers[0].answer.switches).toBeGreaterThan(2);
  expect(answers[1].answer.playing).toBe(true);
  for (const wrong of answers.slice(2)) {
    expect(wrong.answer).toBeUndefined();
    expect(wrong.problems[0].why).not.toBe("");
  }
  await ask({ id: 7, command: "load", file: deadlock });
  await ask({ id: 8, command: "run", speed: "fastest" });
  await expect.poll(() => heard("ended")).toContainEqual(expect.objectContaining({ why: "deadlock" }));
  // A network in another format, and its name.
  const dot = await ask({ id: 9, command: "load", name: "two.dot", file: "graph { a -- b }" });
  expect(dot.answer).toMatchObject({ switches: 2, hosts: 2 });
  // Other messages, and messages of other windows, are not heard.
  const before = await page.evaluate(() => (window as any).heard.length);
  await page.evaluate(() => {
    frames[0].postMessage({ command: "run", id: 10 }, "*");
    frames[0].postMessage("hopscope", "*");
  });
  const inside = page.frames().find((frame: Frame) => frame.url().startsWith(address))!;
  await inside.evaluate(() => postMessage({ hopscope: 1, id: 11, command: "run" }, "*"));
  await page.evaluate(
    () =>
      new Promise((done) => {
        const other = document.createElement("iframe");
        other.srcdoc = "<script>parent.frames[0].postMessage({ hopscope: 1, id: 12, command: 'run' }, '*')</" + "script>";
        other.onload = done;
        document.body.append(other);
      }),
  );
  const { answer } = await ask({ id: 13, command: "pause" });
  expect(answer).toEqual({ cycle: 0, playing: false });
  expect(await page.evaluate((before) => (window as any).heard.slice(before).map((message: any) => message.id), before)).toEqual([13]);
});

test("a page that is in no frame hears nobody", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Pause" }).click();
  const before = await settled(async () => String(await cycle(page)));
  await page.evaluate(() => postMessage({ hopscope: 1, id: 1, command: "seek", cycle: 3 }, "*"));
  expect(await settled(async () => String(await cycle(page)))).toBe(before);
});

const name = (page: Page) => page.getByRole("textbox", { name: "Name of the scenario" });

test("a link opens the text of a file in any format, and says what is wrong with it", async ({ open, page }) => {
  const text = "graph {\n  a -- b; b -- c; c -- a\n}";
  await open(`#open=${encodeURIComponent(text)}&name=${encodeURIComponent("three & more.dot")}`);
  await expect(name(page)).toHaveValue("three & more");
  await page.getByRole("tab", { name: "Network" }).click();
  await expect(page.getByText("3 switches, 3 hosts, 3 links")).toBeVisible();
  await expect(page).toHaveURL(/#s=1/);
  const scenario = { ...json("star"), name: "From a link" };
  await page.evaluate((hash) => (location.hash = hash), `#open=${encodeURIComponent(JSON.stringify(scenario))}`);
  await expect(name(page)).toHaveValue("From a link");
  const said = page.locator(".toast");
  for (const [wrong, words] of [
    ["graph%20%7B%20a%20--", "link:1"],
    ["%E0%A4%A", "not percent-encoded"],
    [encodeURIComponent(readFileSync(new URL("study.experiment.json", import.meta.url), "utf8")), "experiment"],
  ]) {
    await page.evaluate((hash) => (location.hash = hash), `#open=${wrong}`);
    await expect(said).toContainText(words);
    await expect(name(page)).toHaveValue("From a link");
  }
});

test("Share copies a link, a link to a cycle with the pinned message, and a frame", async ({ open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  const copy = async (what: string) => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("dialog", { name: "Share" }).getByRole("button", { name: what }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.locator(".toast")).toContainText("clipboard");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  // A message that is blocked, so that it is still in the network at this cycle.
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("tab", { name: "Time" }).click();
  await page.keyboard.press("n");
  await page.locator("#stopped").getByRole("button").click();
  await page.getByRole("tab", { name: "Watch" }).click();
  const there = Number(await settled(async () => String(await cycle(page))));
  const pinned = await page.getByRole("region", { name: "Inspector" }).getByRole("heading").first().textContent();
  const fingerprint = await page.locator("#fingerprint").textContent();
  expect(pinned).toMatch(/\d/);

  const whole = await copy("Copy link opens");
  expect(whole).toMatch(/#s=[\w-]+$/);
  const moment = await copy("Copy link to this cycle");
  expect(moment).toMatch(new RegExp(`#s=[\\w-]+&at=${there}&pin=\\d+$`));
  expect(moment.startsWith(whole)).toBe(true);
  const frame = await copy("Copy HTML of a frame");
  await page.goto("./guide.html"); // a page that may have frames
  await page.setContent(frame);
  await expect(page.frameLocator("iframe").locator("#worker")).toHaveAttribute("data-loaded", "yes");

  await page.goto("about:blank");
  await page.goto(moment);
  await expect.poll(() => cycle(page)).toBe(there);
  await expect(page.locator("#fingerprint")).toHaveText(fingerprint!);
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.getByRole("region", { name: "Inspector" }).getByRole("heading").first()).toHaveText(pinned!);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  // The same page goes to another moment of the same scenario.
  await page.goto(moment.replace(/&at=\d+.*/, "&at=100"));
  await expect.poll(() => cycle(page)).toBe(100);
});

test("the frame of a lesson is locked", async ({ open, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open("#lesson=blocking");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Copy HTML of a frame" }).click();
  await expect(page.locator(".toast")).toContainText("The HTML is in the clipboard");
  const html = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto("./guide.html"); // a page that may have frames
  await page.setContent(html);
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("tab")).toHaveText(["Lesson", "Watch"]);
});

test("the notebook's script makes frames that open", async ({ page, address }) => {
  const run = (scenario: string, more = "") =>
    execFileSync("python3", ["-c", `from notebook import show; print(show(${scenario}, ${JSON.stringify(address)}${more})._repr_html_())`], {
      cwd: docs,
      encoding: "utf8",
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    });
  const ring = '{"hopscope": 1, "name": "From a notebook", "network": {"generate": {"kind": "ring", "switches": 5}}}';
  for (const [html, called, counts] of [
    [run(ring, ", height=500"), "From a notebook", "5 switches"],
    [run('"graph { a -- b }"', ', name="pair.dot"'), "pair", "2 switches, 2 hosts, 1 link"],
  ]) {
    await page.setContent(html);
    const frame = page.frameLocator("iframe");
    await expect(frame.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    await expect(frame.getByRole("textbox", { name: "Name of the scenario" })).toHaveValue(called);
    await frame.getByRole("tab", { name: "Network" }).click();
    await expect(frame.getByText(counts).first()).toBeVisible();
  }
});
