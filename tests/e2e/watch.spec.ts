import { count, cycle, drawn, expect, fast, settled, test } from "../fixtures";

test("ITBs accept more than up*/down*, and the run before stays for comparison", async ({ open }) => {
  const page = await open();
  // Messages per cycle since the start, which two million cycles make steady; the number beside
  // the curve is a mean over its last samples and varies.
  const accepted = async () => {
    await fast(page);
    await expect.poll(() => cycle(page)).toBeGreaterThan(2_000_000);
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
    await settled(() => page.locator("#cycle").innerText());
    return (await count(page, "delivered")) / (await cycle(page));
  };
  await expect(page.getByText("No deadlock can arise")).toBeVisible();
  const before = await accepted();
  await page.getByRole("button", { name: "See what ITBs change" }).click();
  await expect.poll(() => count(page, "itbs")).toBeGreaterThan(0);
  expect(await accepted()).toBeGreaterThan(1.4 * before);
  await expect(page.getByText("the run before (UD)")).toBeVisible();
});

test("a deadlock is named, message by message, and taken back", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "See what ITBs change" }).click();
  await page.getByRole("button", { name: "Now without any rule" }).click();
  await expect(page.getByText("A deadlock can arise")).toBeVisible();
  await fast(page);
  await expect(page.locator("#deadlock")).toContainText(/Deadlock in cycle .* messages wait for each other/);
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const chain = page.getByRole("region", { name: "Who waits for whom" });
  const named = await page.locator("#deadlock").textContent();
  const messages = Number(named?.match(/(\d+) messages/)?.[1]);
  expect(messages).toBeGreaterThan(2);
  await expect(chain.getByRole("listitem")).toHaveCount(messages);
  await chain.getByRole("button", { name: /holds/ }).first().click();
  await expect(page.locator("#why")).toContainText("which message");
  await page.getByRole("button", { name: "Many cycles back" }).click();
  await expect(page.locator("#deadlock")).toHaveCount(0);
});

test("what is changed after a run has ended by itself plays at once", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "See what ITBs change" }).click();
  await page.getByRole("button", { name: "Now without any rule" }).click();
  await fast(page);
  await expect(page.locator("#deadlock")).toBeVisible();
  await page.getByRole("button", { name: "Add ITBs" }).click();
  await expect(page.locator("#deadlock")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(() => count(page, "itbs")).toBeGreaterThan(0);
  // The proof holds while the hosts have ITB memory, and the page says so.
  await expect(page.getByText("Messages in transit need memory at their hosts")).toBeVisible();
});

test("routing, load and fabric can be changed, and what is wrong is told", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Routing" }).click();
  await page.getByRole("combobox", { name: "Routing", exact: true }).selectOption("UD_ITB");
  await expect(page.getByText("ITBs per route")).toBeVisible();
  await page.getByRole("tab", { name: "Fabric" }).click();
  await page.getByLabel("Link delay").fill("200");
  await page.keyboard.press("Tab");
  await expect(page.locator("#problems")).toContainText("stop_flits");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("a click on a worm says why it is where it is", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Pause" }).click();
  // Clicks all over the stage until one hits a worm.
  const box = (await page.locator("#stage").boundingBox())!;
  const title = page.getByRole("heading", { name: /^Message \d+/ });
  search: for (let y = 80; y < box.height - 80; y += 23) {
    for (let x = 120; x < box.width - 120; x += 23) {
      await page.mouse.click(box.x + x, box.y + y);
      if (await title.isVisible()) break search;
    }
  }
  await expect(title).toBeVisible();
  await expect(page.locator("#why")).not.toBeEmpty();
});

test("what a hover peeks at is what a click pins; the run stops when that message arrives", async ({ open }) => {
  const page = await open();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const box = (await page.locator("#stage").boundingBox())!;
  const peek = page.locator(".peek");
  let peeked: string | undefined;
  search: for (let y = 100; y < box.height - 80; y += 37) {
    for (let x = 140; x < box.width - 120; x += 23) {
      await page.mouse.move(box.x + x, box.y + y);
      peeked = /^Message \d+/.exec((await peek.count()) ? ((await peek.textContent()) ?? "") : "")?.[0];
      if (peeked) break search;
    }
  }
  expect(peeked).toBeTruthy();
  await page.mouse.down();
  await page.mouse.up();
  await expect(page.getByRole("heading", { name: peeked!, exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Stop when it arrives" }).click();
  await fast(page);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.locator("#stopped")).toContainText(`${peeked}: has arrived at host`);
});

test("who waits for whom is drawn, and a deadlock is a circle of it", async ({ open }) => {
  const page = await open();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const before = await settled(() => drawn(page));
  await page.keyboard.press("a");
  await expect(page.locator("#overlay-legend")).toContainText("holds others up and waits for nobody");
  await expect.poll(() => drawn(page)).not.toBe(before);
  await page.keyboard.press("a");
  await expect(page.locator("#overlay-legend")).toHaveCount(0);
  await expect.poll(() => drawn(page)).toBe(before);
});

test("a host is looked into with the keyboard: two queues, one channel, memory in use", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "See what ITBs change" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("k");
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("ArrowRight");
  const inspector = page.getByRole("region", { name: "Inspector" });
  const hosts = inspector.getByRole("button", { name: /^Host \d+/ });
  await expect(hosts).toHaveCount(4);
  await hosts.first().press("Enter");
  const nic = page.getByRole("img", { name: /^The NIC/ });
  await expect(nic).toContainText("Local queue");
  await expect(nic).toContainText(/\d+ of [\d\u202f]+ bytes/);
  await expect(inspector).toContainText(/up to [124] in a row/);
});
