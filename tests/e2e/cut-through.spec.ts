import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { count, cycle, expect, fast, lookInside, play, test } from "../fixtures";

const fromGallery = async (page: Page, name: string) => {
  await page.getByRole("button", { name: "Gallery" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name }).click();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  // Over again, from its beginning.
  await expect.poll(() => cycle(page)).toBeGreaterThan(0);
};

const share = async (page: Page, level: number) =>
  Number(await page.locator(`#levels tr[data-level="${level}"] [data-share]`).getAttribute("data-share"));

test("a network is switched to cut-through and delivers", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Fabric" }).click();
  await page.locator("#fabric-kind select").selectOption("cut-through");
  await expect(page.getByRole("heading", { name: "Service levels" })).toBeVisible();
  await fast(page);
  await play(page);
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect.poll(() => count(page, "delivered")).toBeGreaterThan(1000);
  // And back, with a load that suits.
  await page.getByRole("tab", { name: "Fabric" }).click();
  await page.locator("#fabric-kind select").selectOption("wormhole");
  await expect(page.getByRole("spinbutton", { name: "STOP" })).toBeVisible();
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("changing the fabric and back loses nothing", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Fabric" }).click();
  const overflow = page.getByLabel("When the ITB memory is full");
  await overflow.selectOption("drop");
  const memory = page.getByLabel(/ITB memory/).and(page.getByRole("spinbutton"));
  await memory.fill("77777");
  await page.keyboard.press("Tab");
  const technique = page.locator("#fabric-kind select");
  await technique.selectOption("cut-through");
  const mtu = page.getByLabel(/Largest packet/);
  await mtu.fill("512");
  await page.keyboard.press("Tab");
  await technique.selectOption("wormhole");
  await expect(overflow).toHaveValue("drop");
  await expect(memory).toHaveValue("77777");
  await technique.selectOption("cut-through");
  await expect(mtu).toHaveValue("512");
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("removing a level tells of the flows that have another one now", async ({ open }) => {
  const page = await open();
  await fromGallery(page, "One packet per turn is not fair");
  await page.getByRole("tab", { name: "Fabric" }).click();
  await page.locator("#service-levels").getByRole("button", { name: "Remove the last" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^1 flow went to level \d/ })).toBeVisible();
});

test("another MTU keeps the table of the scheduler", async ({ open }) => {
  const page = await open();
  await fromGallery(page, "One packet per turn is not fair");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const table = page.locator("#scheduler").getByRole("textbox").first();
  await table.fill("1");
  await page.keyboard.press("Tab");
  await expect(page.locator("#warnings")).toContainText("fabric.scheduler");
  await table.fill("1, 1, 0");
  await page.keyboard.press("Tab");
  await expect(table).toHaveValue("1, 1, 0");
  await expect(page.locator("#warnings")).toHaveCount(0);
  const mtu = page.getByLabel(/Largest packet/).first();
  await mtu.fill("64");
  await page.keyboard.press("Tab");
  await expect(mtu).toHaveValue("64");
  await expect(table).toHaveValue("1, 1, 0");
  await mtu.fill("99999");
  await page.keyboard.press("Tab");
  // What is out of range is refused with the range.
  await expect(mtu).toHaveValue("64");
  await expect(page.getByText(/99.?999 is not between 1 and 10.?240: 64 stays/)).toBeVisible();
});

test("flows are added, copied and removed, with pairs and several patterns", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Traffic" }).click();
  const removals = page.getByRole("button", { name: "Remove this flow" });
  await expect(removals).toHaveCount(0);
  await page.getByRole("button", { name: "Add a flow" }).click();
  await expect(removals).toHaveCount(2);
  const patterns = page.getByLabel("Destinations");
  await patterns.last().selectOption("pairs");
  const pairs = page.getByLabel("From → to");
  await pairs.fill("0 → 5, 1 → 3");
  await page.keyboard.press("Tab");
  await expect(pairs).toHaveValue("0 → 5, 1 → 3");
  await page.getByRole("button", { name: "Duplicate this flow" }).last().click();
  await expect(pairs).toHaveCount(2);
  await patterns.last().selectOption("combined");
  await expect(page.getByRole("group", { name: /Pattern 2/ })).toBeVisible();
  await removals.first().click();
  await expect(removals).toHaveCount(2);
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("the scheduler decides who gets how much", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  await fast(page);
  // The deficit table's shares, half for the first level.
  await expect.poll(() => share(page, 0)).toBeGreaterThan(47);
  await expect.poll(() => share(page, 0)).toBeLessThan(53);
  await page.getByRole("tab", { name: "Fabric" }).click();
  await expect(page.locator("#dtable-result")).toContainText("50.00");
  await page.locator("#scheduler select").first().selectOption("strict-priority");
  await page.getByRole("tab", { name: "Watch" }).click();
  // Two hosts offer it 0.7 of the channel, and it gets all of that.
  await expect.poll(() => share(page, 0)).toBeGreaterThan(62);
  expect(await share(page, 2)).toBeLessThan(8);
});

test("an impossible table is refused with a reason", async ({ open }) => {
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const distance = page.locator("#scheduler").getByLabel(/Largest distance between two entries/).nth(1);
  await distance.fill("1");
  await page.keyboard.press("Tab");
  await expect(page.locator("#dtable-result")).toContainText(":");
  await expect(page.locator("#problems")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#problems")).toHaveCount(0);
});

// Shows the output of a port.
const chooseOutput = async (inside: Locator, port: number) => {
  const outputs = inside.getByRole("combobox");
  const option = outputs.locator("option", { hasText: new RegExp(`^${port}:`) });
  await outputs.selectOption((await option.getAttribute("value"))!);
};

const crossing = async (page: Page) =>
  Number(await page.locator("#inside-counts").getAttribute("data-crossing"));

test("inside a switch with lanes one sees its crossbars and its scheduler at work", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  const inside = await lookInside(page);
  await expect.poll(() => crossing(page)).toBeGreaterThan(0);
  await chooseOutput(inside, 7);
  const entries = page.locator("#inside-entries");
  await expect(entries.getByRole("listitem")).toHaveCount(16);
  const here = () => entries.locator(".here").evaluate((li) => [...li.parentElement!.children].indexOf(li));
  const before = await here();
  await expect.poll(here).not.toBe(before);
  expect((await new AxeBuilder({ page }).include("#inside").analyze()).violations).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(inside).toHaveCount(0);
});

test("crossbars get another arbiter, and one port a table of its own", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const hardware = page.locator("#hardware");
  await hardware.getByLabel("Arbiter").selectOption("weighted-random");
  const weights = hardware.getByRole("textbox");
  await weights.fill("5, 1");
  await page.keyboard.press("Tab");
  await expect(weights).toHaveValue("5, 1");
  await page.locator("#tables summary").click();
  const own = page.locator("#own-schedulers");
  await own.getByRole("button", { name: "Another scheduler at one port" }).click();
  await own.getByLabel("Port").fill("7");
  await page.keyboard.press("Tab");
  await own.getByRole("combobox").selectOption("wrr");
  const table = own.getByRole("textbox");
  await table.fill("0, 1, 2, 2");
  await page.keyboard.press("Tab");
  await expect(table).toHaveValue("0, 1, 2, 2");
  await expect(page.locator("#problems")).toHaveCount(0);
  const inside = await lookInside(page);
  await chooseOutput(inside, 7);
  const entries = page.locator("#inside-entries").getByRole("listitem");
  await expect(entries).toHaveCount(4);
  await chooseOutput(inside, 6);
  await expect(entries).toHaveCount(16);
});

test("a switch gets queues at its inputs, iSLIP, and becomes hierarchical again", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "A hot spot behind one queue");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const hardware = page.locator("#hardware");
  const kind = hardware.getByLabel("Kind of switch");
  await expect(kind).toHaveValue("combined-queues");
  await expect(hardware.getByLabel("Ports of an MPort")).toHaveCount(0);
  const queues = hardware.getByLabel(/^Queues of a lane/);
  await expect(queues.getByRole("option")).toHaveText(["One queue", "One per output (VOQsw)", "One per destination (VOQnet)"]);
  await queues.selectOption("voq-network");
  await hardware.getByLabel(/^Arbiter/).selectOption("islip");
  await expect(hardware.getByLabel("Iterations in a cycle")).toHaveValue("3");
  await play(page);
  const inside = await lookInside(page);
  await expect.poll(() => crossing(page)).toBeGreaterThan(0);
  await expect(page.locator("#arbiter")).toContainText(/It served input \d+ last/);
  await inside.getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "Fabric" }).click();
  await kind.selectOption("hierarchical");
  await expect(hardware.getByLabel(/^Arbiter/)).toHaveValue("round-robin");
  await expect(hardware.getByLabel(/^Arbiter/).locator("option[value=islip]")).toHaveCount(0);
  await expect(hardware.getByLabel("Ports of an MPort")).toHaveValue("4");
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("inside a switch with combined queues one sees what waits in each queue, and for which output", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "A hot spot behind one queue");
  const inside = await lookInside(page);
  const queues = inside.locator("#inside-queues");
  // One queue for each lane of an input; its foremost packet wants an output.
  await expect(queues.locator("tbody tr").first()).toContainText(/^input \d+\d+ for \d+/);
  await expect(queues.getByRole("columnheader")).toHaveText(["queue"]);
  await expect(queues.getByText("→").first()).toBeVisible();
  expect((await new AxeBuilder({ page }).include("#inside").analyze()).violations).toEqual([]);
  // With virtual output queues, a column for each output.
  await inside.getByRole("button", { name: "Close" }).click();
  await fromGallery(page, "The same hot spot with a queue per output");
  await lookInside(page);
  await expect(queues.getByRole("columnheader").first()).toHaveText(/^output \d+$/);
  await expect(queues.locator("td span").first()).toHaveAttribute("title", /^Lane \d+: \d+ packets, \d+ credits$/);
});

test("inside a wormhole switch one sees who crosses; a switch says how to look in", async ({ open }) => {
  const page = await open();
  const inside = await lookInside(page);
  await expect.poll(() => crossing(page)).toBeGreaterThan(0);
  await expect(page.locator("#arbiter")).toContainText(/It served input \d+ last; the turn goes on from there/);
  await inside.getByRole("button", { name: "Close" }).click();
  await expect(page.locator("#inside")).toHaveCount(0);
  await page.getByRole("button", { name: "Look inside" }).click();
  await expect(page.locator("#inside")).toBeVisible();
});

test("a NIC with lanes shows its queues, lanes and scheduler; an output, its arbiter", async ({ open }) => {
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("ArrowRight");
  const inspector = page.getByRole("region", { name: "Inspector" });
  await inspector.getByRole("button", { name: /^Host \d+/ }).first().click();
  const nic = page.locator("#nic");
  await expect(nic.getByRole("columnheader", { name: "Application queue of level" })).toBeVisible();
  await expect(nic.getByRole("table").first().locator("tbody tr")).toHaveCount(3);
  await expect(nic).toContainText(/\d+ are ready to be sent on, \d+ wait for ITB memory/);
  await expect(nic.getByRole("img", { name: "ITB memory" })).toContainText(/\d+ of [\d\u202f]+ bytes/);
  // Who waits and who is served changes while time passes.
  const seen = new Set<string>();
  await expect.poll(async () => seen.add((await nic.textContent()) ?? "").size).toBeGreaterThan(3);
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("Shift+ArrowDown");
  await inspector.getByRole("button", { name: /^Host \d+/ }).first().waitFor();
  await page.getByRole("button", { name: "Look inside" }).click();
  await chooseOutput(page.locator("#inside"), 7);
  await expect(page.locator("#arbiter")).toContainText(/It served (input|central buffer) \d+ last/);
});

test("tables are edited: channels, lanes, parts, entries of a deficit table", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const panel = page.getByRole("tabpanel", { name: "Fabric" });

  // The table made from needs is kept, and its entries can be changed.
  await panel.getByRole("button", { name: "Edit its entries" }).click();
  const entries = panel.getByLabel(/Entries: level, weight/);
  await expect(entries).toHaveValue(/^0, \d+/);
  await entries.fill("0 4, 1:4 2 24");
  await page.keyboard.press("Tab");
  await expect(entries).toHaveValue("0, 4, 1, 4, 2, 24");
  await page.getByRole("tab", { name: "Watch" }).click();
  await fast(page);
  // What the first level had is the last one's now, as far as it offers that much.
  await expect.poll(() => share(page, 2)).toBeGreaterThan(30);
  await page.getByRole("tab", { name: "Fabric" }).click();
  await panel.getByRole("button", { name: "Make it from needs instead" }).click();
  await expect(page.locator("#dtable-result")).toBeVisible();

  // A lane for two channels, and one that differs.
  await page.locator("#tables summary").click();
  await panel.getByLabel("SC1 → VL", { exact: true }).fill("0");
  await page.keyboard.press("Tab");
  await expect(panel.getByText("SC1 → VL0")).toBeVisible();
  await panel.getByRole("button", { name: "A lane that differs" }).click();
  await expect(page.locator("#lane-shares fieldset")).toHaveCount(1);
  await expect(page.locator("#problems")).toHaveCount(0);

  // A level on two channels; one that interrupts others; what cannot be is refused, and undone.
  const channels = panel.getByLabel(/service channels/i).first();
  await channels.fill("0, 3");
  await page.keyboard.press("Tab");
  await expect(panel.getByLabel("SC3 → VL", { exact: true })).toBeVisible();
  await panel.getByLabel(/interrupt others/).fill("0");
  await page.keyboard.press("Tab");
  await expect(page.locator("#problems")).toHaveCount(0);
  await channels.fill("1");
  await page.keyboard.press("Tab");
  await expect(page.locator("#problems")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#problems")).toHaveCount(0);

  // A virtual fabric for a class nobody has.
  await panel.getByRole("button", { name: "Add a virtual fabric" }).click();
  await expect(panel.getByText("Virtual fabric 0")).toBeVisible();
});

test("a table says what each level has and gets; levels end where their channels do", async ({ open }) => {
  test.slow();
  const page = await open();
  await fromGallery(page, "Three service levels, one switch");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const table = page.locator("#level-table");
  await expect(table.locator("tbody tr")).toHaveCount(3);
  await expect(table.locator("thead")).toContainText("Entries");
  const scheduler = page.locator("#scheduler select").first();
  await scheduler.selectOption("sbt");
  await expect(table.locator("thead")).toContainText("Weight");
  // Weights are packets, and those of this level are the largest.
  const weights = page.locator("#scheduler").getByRole("textbox").first();
  await weights.fill("50, 30, 20");
  await page.keyboard.press("Tab");
  await expect(table.locator("tbody tr").nth(1)).toContainText("36.4");
  // The goals of the deficit table and the weights come back.
  await scheduler.selectOption("dtable");
  await expect(page.locator("#dtable-result")).toBeVisible();
  await scheduler.selectOption("sbt");
  await expect(weights).toHaveValue("50, 30, 20");
  expect(await table.evaluate((element) => element.scrollWidth - element.parentElement!.clientWidth)).toBeLessThanOrEqual(0);

  // The bounds of a number are its description, and shown while one types.
  const mtu = page.getByLabel(/Largest packet/).first();
  await expect(mtu).toHaveAccessibleDescription(/^1 to 10\s240 bytes$/);
  await mtu.focus();
  await expect(mtu.locator("xpath=../*[@data-words]")).toBeVisible();

  // A level that is removed and added again is what it was.
  const add = page.getByRole("button", { name: "Add a level" });
  const third = await table.locator("tbody tr").nth(2).textContent();
  await page.getByRole("button", { name: "Remove the last" }).click();
  await expect(table.locator("tbody tr")).toHaveCount(2);
  await add.click();
  await expect(table.locator("tbody tr").nth(2)).toHaveText(third!);
  await expect(weights).toHaveValue("50, 30, 20");

  for (let level = 3; level < 32; level++) {
    await add.click();
    await expect(table.locator("tbody tr")).toHaveCount(level + 1);
  }
  await expect(add).toBeDisabled();
  await expect(add).toHaveAccessibleDescription(/there are 32 of them/);
  // Lanes have the same problem in each buffer: it is told once, and the stage stays in sight.
  const problems = page.locator("#problems");
  await expect(problems.locator(".problems > li")).toHaveCount(4);
  await problems.getByText("30 more like it").first().click();
  const [box, stage] = [await problems.boundingBox(), await page.locator("#drawn").boundingBox()];
  expect(box!.height).toBeLessThan(stage!.height / 2);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});
