import { cycle, expect, settled, test } from "../fixtures";
import type { Page } from "@playwright/test";

async function command(page: Page, name: string) {
  await page.keyboard.press("Control+k");
  const typed = page.getByRole("textbox", { name: "Type a command" });
  await typed.fill(name);
  await page.keyboard.press("Enter");
  // The next keys are for the page.
  await expect(typed).toHaveCount(0);
}

// Draws two switches, a link and two hosts by hand.
async function draw(page: Page) {
  await command(page, "New, empty stage");
  const box = (await page.locator("#stage").boundingBox())!;
  const at = (x: number, y: number) => [box.x + x, box.y + y] as const;
  await page.keyboard.press("s");
  await page.mouse.click(...at(300, 200));
  await page.mouse.click(...at(600, 300));
  await page.keyboard.press("l");
  await page.mouse.move(...at(300, 200));
  await page.mouse.down();
  await page.mouse.move(...at(450, 280));
  await page.mouse.move(...at(600, 300));
  await page.mouse.up();
  await page.keyboard.press("h");
  await page.mouse.click(...at(300, 200));
  await page.mouse.click(...at(600, 300));
  await page.keyboard.press("v");
  await page.getByRole("tab", { name: "Network" }).click();
}

test("a network drawn by hand runs, and every step can be undone", async ({ open }) => {
  const page = await open();
  await draw(page);
  await expect(page.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
  await expect(page.locator("#problems")).toHaveCount(0);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 switches, 1 host, 1 link")).toBeVisible();
  await expect(page.locator("#checklist")).toContainText("Two hosts or more: 1 host so far (missing)");
  for (let i = 0; i < 4; i++) await page.keyboard.press("Control+z");
  await expect(page.getByText("0 switches, 0 hosts, 0 links")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("16 switches, 64 hosts, 31 links")).toBeVisible();
  for (let i = 0; i < 6; i++) await page.keyboard.press("Control+Shift+z");
  await expect(page.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
});

test("an empty stage says how to begin", async ({ open }) => {
  const page = await open();
  await command(page, "New, empty stage");
  const hint = page.locator("#nothing-yet");
  await expect(hint).toContainText("Place switches (S)");
  await hint.getByRole("button", { name: "Place switches" }).click();
  const box = (await page.locator("#stage").boundingBox())!;
  await page.mouse.click(box.x + 300, box.y + 200);
  await expect(hint).toHaveCount(0);
  // What is still missing, with the tool for it.
  const checklist = page.locator("#checklist");
  await expect(checklist.getByRole("listitem")).toHaveText([/A switch.*done/, /Two hosts.*0 hosts so far.*missing/, /Links.*done/]);
  await page.mouse.click(box.x + 500, box.y + 200);
  await expect(checklist).toContainText("2 separate parts so far");
  await checklist.getByRole("button", { name: "Add hosts" }).click();
  await page.mouse.click(box.x + 300, box.y + 200);
  await expect(checklist).toContainText("1 host so far");
  await page.mouse.click(box.x + 500, box.y + 200);
  await page.keyboard.press("l");
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 200);
  await page.mouse.move(box.x + 500, box.y + 200);
  await page.mouse.up();
  await expect(checklist).toHaveCount(0);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
});

test("a generated network becomes a drawn one when it is edited", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Network" }).click();
  await expect(page.getByText(/^Generated:/)).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("4");
  await expect(page.getByText("Drawn by hand: 16 switches, 128 hosts, 31 links.")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText(/^Generated:/)).toBeVisible();
});

test("switches move, are deleted and come back", async ({ open }) => {
  const page = await open();
  await draw(page);
  const box = (await page.locator("#stage").boundingBox())!;
  await page.mouse.move(box.x + 300, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + 320, box.y + 350, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press("Delete");
  await expect(page.getByText("1 switch, 1 host, 0 links")).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(page.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("title", "Undo: moving");
});

test("a link holds the document, and a closed tab comes back", async ({ open, context, address }) => {
  const page = await open();
  await draw(page);
  await expect(page).toHaveURL(/#/);
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("tab", { name: "Network" }).click();
  await expect(other.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
  const back = await context.newPage();
  await back.goto(address);
  await expect(back.getByText("Your last network is back.")).toBeVisible();
  await back.getByRole("button", { name: "Start from the welcome" }).click();
  await expect(back.getByRole("button", { name: "See what ITBs change" })).toBeVisible();
});

test("a bad file is explained and leaves the document alone; a good one opens", async ({ open }) => {
  const page = await open();
  await draw(page);
  const file = (name: string, text: string) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  const input = page.locator('input[type="file"]');
  await input.setInputFiles(file("bad.json", '{\n "hopscope": 1,\n "network": {]\n}'));
  const trouble = page.locator("#file-problems");
  await expect(trouble).toContainText("bad.json was not opened");
  await expect(trouble).toContainText("line 3");
  await expect(page.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
  const ring = { hopscope: 1, name: "Ring", network: { generate: { kind: "ring", switches: 5, hosts_per_switch: 2 } } };
  await input.setInputFiles(file("ring.json", JSON.stringify(ring)));
  await expect(trouble).toHaveCount(0);
  await expect(page.getByText("5 switches, 10 hosts, 5 links")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name of the scenario" })).toHaveValue("Ring");
});

test("a saved file is the document", async ({ open }) => {
  const page = await open();
  await draw(page);
  const download = page.waitForEvent("download");
  await page.keyboard.press("Control+s");
  const stream = await (await download).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const saved = JSON.parse(Buffer.concat(chunks).toString());
  expect(saved.network.switches).toHaveLength(2);
  expect(saved.network.links).toHaveLength(1);
});

test("what is being typed stays while the run goes on", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Fabric" }).click();
  const field = page.getByLabel("Routing time");
  await field.focus();
  await page.keyboard.press("Control+a");
  await field.pressSequentially("31", { delay: 500 });
  await expect(field).toHaveValue("31");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
  await field.fill("-5");
  await page.keyboard.press("Tab");
  // What is out of range is refused with the range.
  await expect(field).toHaveValue("31");
  await expect(page.getByText(/-5 is not between 1 and .*: 31 stays/)).toBeVisible();
});

test("a piece is copied, pasted and taken along to another tab", async ({ open, context, address }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await open();
  await draw(page);
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await expect(page.getByText("2 switches copied")).toBeVisible();
  await page.keyboard.press("Control+v");
  await expect(page.getByText("4 switches, 4 hosts, 2 links")).toBeVisible();
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("title", "Undo: pasting");
  const other = await context.newPage();
  await other.goto(address);
  await expect(other.locator("#worker")).toHaveAttribute("data-state", "ready");
  await command(other, "New, empty stage");
  await other.getByRole("tab", { name: "Network" }).click();
  await expect(other.getByText("0 switches, 0 hosts, 0 links")).toBeVisible();
  await other.keyboard.press("Control+v");
  await expect(other.getByText("2 switches, 2 hosts, 1 link")).toBeVisible();
});

test("switches are aligned, and placed on a grid", async ({ open }) => {
  const page = await open();
  await draw(page);
  const saved = async () => {
    const download = page.waitForEvent("download");
    await page.keyboard.press("Control+s");
    const chunks: Buffer[] = [];
    for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
    return JSON.parse(Buffer.concat(chunks).toString()).network.switches as { x: number; y: number }[];
  };
  const before = await saved();
  expect(before[0].y).not.toBe(before[1].y);
  await page.getByRole("button", { name: "Align in a row" }).click();
  await expect(page.getByText("Select two switches or more first")).toBeVisible();
  await page.keyboard.press("Control+a");
  await page.getByRole("button", { name: "Align in a row" }).click();
  const aligned = await saved();
  expect(aligned[0].y).toBe(aligned[1].y);
  expect(aligned.map((s) => s.x)).toEqual(before.map((s) => s.x));
  await page.getByRole("button", { name: "Snap to a grid" }).click();
  await page.keyboard.press("s");
  const box = (await page.locator("#stage").boundingBox())!;
  await page.mouse.click(box.x + 433, box.y + 377);
  const placed = (await saved()).at(-1)!;
  expect([Math.abs(placed.x % 40), Math.abs(placed.y % 40)]).toEqual([0, 0]);
});

test("a fold of the legend while switches are drawn leaves the view as it is", async ({ open }) => {
  const page = await open();
  await command(page, "New, empty stage");
  await page.keyboard.press("s");
  const box = (await page.locator("#stage").boundingBox())!;
  for (const [x, y] of [[250, 180], [550, 150], [650, 300]]) await page.mouse.click(box.x + x, box.y + y);
  const view = async () => (await page.locator("#stage").getAttribute("data-view")) ?? "";
  const before = await settled(view);
  await page.locator("#legend summary").click();
  await expect(page.locator("#legend")).not.toHaveAttribute("open");
  expect(await settled(view)).toBe(before);
});

test("without hosts, no host offers the load", async ({ open }) => {
  const page = await open();
  await command(page, "New, empty stage");
  await page.keyboard.press("s");
  const box = (await page.locator("#stage").boundingBox())!;
  await page.mouse.click(box.x + 250, box.y + 180);
  await page.getByRole("tab", { name: "Traffic" }).click();
  const flow = page.locator('.flow[data-flow="0"]');
  await expect(flow).toContainText("All 0 hosts send");
  await expect(flow).toContainText("the hosts that send (0)");
});

test("the first change of where a generated network's switches are drawn does not restart the run", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Pause" }).click();
  const before = await settled(async () => String(await cycle(page)));
  await command(page, "Arrange in a circle");
  await expect(page.getByRole("button", { name: /^Undo/ })).toBeEnabled();
  await page.getByRole("button", { name: "Next cycle" }).click();
  await expect.poll(() => cycle(page)).toBe(Number(before) + 1);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.getByRole("button", { name: "Next cycle" }).click();
  await expect.poll(() => cycle(page)).toBe(Number(before) + 2);
});
