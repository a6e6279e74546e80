// What helps those who are here for the first time: plain names, limits told where they are, signs
// explained, a deadlock at hand.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { count, cycle, expect, test } from "../fixtures";

const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true }).click();
const openFile = async (page: Page, id: string) => {
  const buffer = readFileSync(new URL(`../../scenarios/${id}.json`, import.meta.url));
  await page.locator("input[type=file]").setInputFiles({ name: `${id}.json`, mimeType: "application/json", buffer });
  await expect(page.getByLabel("Name of the scenario")).toHaveValue(JSON.parse(buffer.toString()).name);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
};

test("routings stand in groups, with plain names first, in both languages", async ({ open }) => {
  const page = await open();
  await tab(page, "Routing");
  const groups = () => page.locator("optgroup").evaluateAll((all) => all.map((group) => (group as HTMLOptGroupElement).label));
  expect(await groups()).toEqual([
    "Safe without in-transit buffers",
    "Safe by in-transit buffers (ITB)",
    "For meshes, tori and trees",
    "Unsafe: may deadlock",
  ]);
  const routing = page.getByRole("combobox", { name: "Routing", exact: true });
  const chosen = () => routing.evaluate((list: HTMLSelectElement) => list.selectedOptions[0].text);
  await routing.selectOption("UD_ITB");
  expect(await chosen()).toBe("Minimal with ITBs · UD_ITB");
  await page.getByRole("button", { name: "Español" }).click();
  expect((await groups())[3]).toBe("Inseguros: puede haber interbloqueo");
  expect(await page.locator("#panel select").first().evaluate((list: HTMLSelectElement) => list.selectedOptions[0].text)).toBe("Mínimas con ITB · UD_ITB");
});

test("a scenario is made to deadlock by a button, unless its network cannot", async ({ open }) => {
  const page = await open();
  await page.getByRole("button", { name: "Make it deadlock" }).click();
  await expect(page.locator("#deadlock")).toBeVisible();
  await expect(page.getByRole("button", { name: "Make it deadlock" })).toHaveCount(0);
  // It is a change like others.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Make it deadlock" })).toBeVisible();
  // No routes in a tree close a cycle.
  await openFile(page, "fat-tree");
  await page.getByRole("button", { name: "Make it deadlock" }).click();
  await expect(page.getByText("Even minimal routes without ITBs close no cycle in this network.")).toBeVisible();
});

test("the last step of the tour comes to its deadlock soon", async ({ open }) => {
  const page = await open();
  await page.locator(".tour .primary").click();
  await expect.poll(() => count(page, "itbs")).toBeGreaterThan(0);
  await page.locator(".tour .primary").click();
  await expect(page.locator("#deadlock")).toBeVisible({ timeout: 30_000 });
});

test("parameters that no network has are explained on the stage, beside them and in the studies", async ({ open }) => {
  const page = await open();
  await tab(page, "Network");
  await page.locator("#panel").getByLabel("Hosts on every switch").fill("9");
  await page.keyboard.press("Enter");
  const why = "8 ports are too few";
  await expect(page.locator("#problems")).toContainText(why);
  await expect(page.locator("#nothing-yet")).toHaveCount(0);
  await expect(page.locator("#panel")).toContainText(why);
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await expect(page.locator("#study-quick")).toContainText(why);
  for (const id of ["#sweep-load", "#search", "#replicate"]) await expect(page.locator(id)).toBeDisabled();
});

test("on a phone, what a drawn network needs leaves the stage to be drawn on", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("button", { name: "Menu" }).tap();
  await page.getByRole("button", { name: /^New, empty stage/ }).tap();
  await page.getByRole("button", { name: "Place switches" }).first().tap();
  for (const [x, y] of [[80, 180], [200, 160], [250, 280]]) await page.touchscreen.tap(x, y);
  await tab(page, "Network");
  await expect(page.getByText("3 switches, 0 hosts, 0 links")).toBeVisible();
  const items = page.locator("#checklist").getByRole("listitem");
  await expect(items.first()).toBeHidden();
  await page.locator("#checklist summary").tap();
  await expect(items.first()).toBeVisible();
  await context.close();
});

test("fields say beside themselves what they refuse", async ({ open }) => {
  const page = await open();
  await tab(page, "Traffic");
  const load = page.getByLabel(/^Exactly/);
  const before = await load.inputValue();
  await load.fill("1e9");
  await page.keyboard.press("Tab");
  await expect(load).toHaveValue(before);
  await expect(load).toHaveAttribute("aria-invalid", "true");
  const refusal = page.locator(".field", { has: load }).getByRole("alert");
  await expect(refusal).toContainText("is not between 0 and");
  await load.fill("0.04");
  await page.keyboard.press("Tab");
  await expect(refusal).toHaveCount(0);
  await expect(load).toHaveValue("0.04");

  const hosts = page.getByLabel(/^Numbers of hosts/);
  await hosts.fill("1, two");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("alert")).toHaveText("“two” is not a whole number: the list before it stays in use.");
  // It can be corrected, and is used then.
  await expect(hosts).toHaveValue("1, two");
  await expect(hosts).toHaveAttribute("aria-invalid", "true");
  await hosts.fill("1, 2");
  await page.keyboard.press("Tab");
  await expect(page.getByText("2 of 64 hosts send")).toBeVisible();
  await page.getByLabel("Destinations").selectOption("pairs");
  const pairs = page.getByLabel("From → to");
  await pairs.fill("0 → 5, 1");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("alert").last()).toContainText("one is left over");
  await expect(pairs).toHaveValue("0 → 5, 1");
  await pairs.fill("1 → 5, 2:6");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(pairs).toHaveValue("1 → 5, 2 → 6");
});

test("the legend is open on the first visit, below the whole network, and stays closed once it is", async ({ open, page }) => {
  await open();
  const legend = page.locator("#legend");
  await expect(legend).toHaveAttribute("open");
  const scale = async () => Number((await page.locator("#stage").getAttribute("data-view"))!.split(" ")[2]);
  const before = await scale();
  // Nothing is drawn where the legend lies: all pixels there are of one colour.
  const box = (await legend.boundingBox())!;
  const colours = await page.locator("#drawn canvas").evaluate((canvas: HTMLCanvasElement, box) => {
    const { left, top } = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d")!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(box.x - left, box.y - top, box.width, box.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, box);
  expect(colours).toBe(1);
  await legend.locator("summary").click();
  await expect(legend).not.toHaveAttribute("open");
  await expect.poll(scale).toBeGreaterThan(before);
  await page.reload();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await expect(legend).not.toHaveAttribute("open");
});

test("the largest load that the network keeps up with is marked once it is known", async ({ open }) => {
  test.slow();
  const page = await open();
  await openFile(page, "star");
  await tab(page, "Traffic");
  await expect(page.locator("datalist")).toHaveCount(0);
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await page.locator("#search").click();
  await expect(page.locator("#searched strong")).toBeVisible({ timeout: 120_000 });
  await page.getByRole("button", { name: "Stage", exact: true }).click();
  await tab(page, "Traffic");
  await expect(page.locator(".saturation")).toContainText(/Mark on the slider: 0\.\d+/);
  await expect(page.locator("datalist option")).toHaveCount(1);
  // Another load is about the same network; another seed of its routes is not.
  await page.getByLabel(/^Exactly/).fill("0.001");
  await page.keyboard.press("Tab");
  await expect(page.locator(".saturation")).toBeVisible();
  await tab(page, "Routing");
  await page.getByRole("combobox", { name: "Routing", exact: true }).selectOption("DFS");
  await tab(page, "Traffic");
  await expect(page.locator(".saturation")).toHaveCount(0);
});

test("traffic has one unit in loads, curves and levels, chosen once", async ({ open }) => {
  const page = await open();
  const shown = page.locator(".figure-name small").first();
  await expect(shown).toHaveText("flits/ns/switch");
  await tab(page, "Traffic");
  await page.getByRole("button", { name: "Add a flow" }).click();
  const unit = (flow: number) => page.locator(`.flow[data-flow="${flow}"]`).getByLabel("Unit");
  await unit(0).selectOption({ label: "flits per cycle and host" });
  await expect(unit(1)).toHaveValue(await unit(0).inputValue());
  await tab(page, "Watch");
  await expect(shown).toHaveText("flits/cycle/host");
});

test("a network of one switch opens with its inside, and its levels have curves with values", async ({ open }) => {
  const page = await open();
  await openFile(page, "service-levels");
  const inside = page.locator("#inside");
  await expect(inside).toBeVisible();
  const [stage, box] = [await page.locator("#stage").boundingBox(), await inside.boundingBox()];
  expect(box!.width / stage!.width).toBeGreaterThan(0.75);
  expect(box!.height / stage!.height).toBeGreaterThan(0.9);
  await page.locator("#speed").fill("22");
  await expect.poll(() => cycle(page)).toBeGreaterThan(20_000);
  const curve = page.locator("#levels .run-curve").first();
  await curve.hover();
  const told = /^Cycle .*: 0 voice .*; 1 video .*; 2 bulk /;
  await expect(curve.getByRole("status")).toHaveText(told);
  // The pointer rests while the run goes on and its samples are joined.
  const then = await cycle(page);
  await expect.poll(() => cycle(page)).toBeGreaterThan(20 * then);
  await expect(curve.getByRole("status")).toHaveText(told);
  // The run before stays for comparison.
  await tab(page, "Fabric");
  await page.locator("#scheduler select").first().selectOption("round-robin");
  await tab(page, "Watch");
  await expect.poll(() => cycle(page)).toBeGreaterThan(20_000);
  await expect(async () => {
    await curve.hover();
    await expect(curve.getByRole("status")).toHaveText(/0 voice .*, the run before: .*; 1 video .*, the run before: /, { timeout: 2000 });
    await page.mouse.move(0, 0);
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(inside).toHaveCount(0);
});
