import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "../fixtures";

test("the page opens, under its content security policy, and the simulator is ready", async ({ open }) => {
  const page = await open();
  const policy = page.locator('meta[http-equiv="Content-Security-Policy"]');
  await expect(policy).toHaveAttribute("content", /default-src 'none'/);
  await expect(page.getByRole("heading", { name: "Hopscope" })).toBeVisible();
});

test("scripts that are not the page's own do not run", async ({ open, troubles }) => {
  const page = await open();
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'not ours'";
    document.body.append(script);
  });
  expect(await page.title()).toBe("Hopscope");
  await expect.poll(() => troubles.length).toBeGreaterThan(0);
  expect(troubles.every((trouble) => /content security policy/i.test(trouble))).toBe(true);
  troubles.length = 0;
});

test("page and worker come from the same build", async ({ page, open }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await open();
  const build = await page.locator("meta[name=hopscope-build]").getAttribute("content");
  expect(build).toMatch(/^[0-9a-f]{12}$/);
  for (const file of ["boot.js", "worker_boot.js", "worker.js", "worker_bg.wasm"]) {
    const asked = requests.find((request) => new URL(request).pathname === `/${file}`);
    if (asked) expect(new URL(asked).search, file).toBe(`?v=${build}`);
  }
  expect(requests.some((request) => request.includes("/worker_boot.js?v="))).toBe(true);
});

test("time passes, stops, steps and starts again", async ({ open }) => {
  const page = await open();
  const cycle = page.locator("#cycle");
  const now = async () => Number(await cycle.textContent());
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(now).toBeGreaterThan(5);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const paused = await now();
  await page.getByRole("button", { name: "Next cycle" }).click();
  await expect.poll(now).toBeGreaterThan(paused);
  await page.getByRole("button", { name: "Reset" }).click();
  await expect(cycle).toHaveText("0");
});

const deaths = {
  "an exception": {
    strike: () => void setTimeout(() => { throw new Error("struck by a test"); }),
    words: "struck by a test",
  },
  "a panic": {
    strike: () => void setTimeout(() => self.dispatchEvent(new MessageEvent("message", { data: "no command" }))),
    words: "panicked at app/src/worker/",
  },
};

for (const [what, { strike, words }] of Object.entries(deaths)) {
  test(`a worker that dies of ${what} is replaced, with the scenario loaded again`, async ({ open }) => {
    const page = await open();
    const [worker] = page.workers();
    const next = page.waitForEvent("worker");
    await worker.evaluate(strike);
    await next;
    const status = page.locator("#worker");
    await expect(status).toHaveAttribute("data-state", "restarted");
    await expect(status).toContainText(words);
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(async () => Number(await page.locator("#cycle").textContent())).toBeGreaterThan(5);
  });
}

test("no accessibility rule is broken", async ({ open }) => {
  const page = await open();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map((violation) => violation.id)).toEqual([]);
});
