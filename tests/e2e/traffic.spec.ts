// The panel of traffic: the order of flows, who sends, what a link carries, who sends to whom.
import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { cycle, expect, settled, test } from "../fixtures";

async function traffic(page: Page) {
  await page.getByRole("tab", { name: "Traffic" }).click();
}

async function openFile(page: Page, id: string) {
  const buffer = readFileSync(new URL(`../../scenarios/${id}.json`, import.meta.url));
  await page.locator("input[type=file]").setInputFiles({ name: `${id}.json`, mimeType: "application/json", buffer });
  await expect(page.getByLabel("Name of the scenario")).toHaveValue(JSON.parse(buffer.toString()).name);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
}

const flow = (page: Page, i: number) => page.locator(`.flow[data-flow="${i}"]`);
const sending = (page: Page, i: number) => flow(page, i).getByLabel(/Numbers of hosts/);
const picture = (page: Page) => page.locator("#matrix .matrix-body svg");
const cell = (page: Page) => page.locator("#matrix .matrix-value");

test("flows change places, by pointer and keyboard, and it can be undone", async ({ open }) => {
  const page = await open();
  await traffic(page);
  await expect(page.getByRole("button", { name: "Move Flow 0 down" })).toHaveCount(0);
  await page.getByRole("button", { name: "Add a flow" }).click();
  await flow(page, 1).getByLabel("Destinations").selectOption("neighbour");
  const patterns = () => page.locator(".flow").getByLabel("Destinations").evaluateAll((all) => all.map((field) => (field as HTMLSelectElement).value));
  expect(await patterns()).toEqual(["uniform", "neighbour"]);
  await expect(page.getByRole("button", { name: "Move Flow 0 up" })).toBeDisabled();
  await page.getByRole("button", { name: "Move Flow 1 up" }).press("Enter");
  await expect.poll(patterns).toEqual(["neighbour", "uniform"]);
  await page.getByRole("button", { name: "Move Flow 0 down" }).click();
  await expect.poll(patterns).toEqual(["uniform", "neighbour"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(patterns).toEqual(["neighbour", "uniform"]);
});

test("a number that is typed but not entered is dropped when another scenario opens", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const name = page.getByLabel("Name of the scenario");
  await name.fill("Other");
  await name.press("Enter");
  await expect(page).toHaveURL(/#s=/);
  const link = new URL(page.url()).hash;
  await name.fill("One");
  await name.press("Enter");
  await expect.poll(() => new URL(page.url()).hash).not.toBe(link);
  for (const field of [flow(page, 0).getByRole("spinbutton").first(), page.locator("#measurement").getByLabel(/^Seed/)]) {
    const before = await field.inputValue();
    await field.focus();
    await field.press("End");
    await field.pressSequentially("7");
    await page.evaluate((hash) => (location.hash = hash), link);
    await expect(name).toHaveValue("Other");
    await expect(field).toHaveValue(before);
    await field.blur();
    await expect(field).toHaveValue(before);
    expect(new URL(page.url()).hash).toBe(link);
    // The scenario from before comes back as it was.
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(name).toHaveValue("One");
    await expect(field).toHaveValue(before);
  }
});

test("a choice that is taken back gives back its parameters, and no flow those of another", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const destinations = (i: number) => flow(page, i).getByLabel("Destinations");
  const host = (i: number) => flow(page, i).getByLabel("the hot host");
  const share = flow(page, 0).getByLabel("share of messages it gets");
  await destinations(0).selectOption("hotspot");
  await host(0).fill("3");
  await share.fill("0.2");
  await share.blur();
  await destinations(0).selectOption("uniform");
  await expect(host(0)).toHaveCount(0);
  await destinations(0).selectOption("hotspot");
  await expect(host(0)).toHaveValue("3");
  await expect(share).toHaveValue("0.2");
  // Undone, then chosen again.
  await destinations(0).selectOption("uniform");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(destinations(0)).toHaveValue("uniform");
  await destinations(0).selectOption("hotspot");
  await expect(host(0)).toHaveValue("3");
  // Another flow at the same place begins with defaults.
  await page.getByRole("button", { name: "Add a flow" }).click();
  await page.getByRole("button", { name: "Move Flow 0 down" }).click();
  await expect(destinations(0)).toHaveValue("uniform");
  await destinations(0).selectOption("hotspot");
  await expect(host(0)).toHaveValue("0");
  await expect(host(1)).toHaveValue("3");
  // A flow that is removed comes back with it.
  await destinations(1).selectOption("uniform");
  await flow(page, 1).getByRole("button", { name: "Remove this flow" }).click();
  await expect(destinations(1)).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await destinations(1).selectOption("hotspot");
  await expect(host(1)).toHaveValue("3");
});

test("senders are typed, or picked on the stage until Escape", async ({ open }) => {
  const page = await open();
  await traffic(page);
  await expect(flow(page, 0)).toContainText("All 64 hosts send");
  await sending(page, 0).fill("0-3, 9");
  await page.keyboard.press("Tab");
  await expect(sending(page, 0)).toHaveValue("0-3, 9");
  await expect(flow(page, 0)).toContainText("5 of 64 hosts send");
  // What is no list of hosts is refused, and the list before it is used until it is corrected.
  await sending(page, 0).fill("5-2");
  await page.keyboard.press("Tab");
  await expect(flow(page, 0).getByRole("alert")).toContainText("“5-2” is no range");
  await expect(sending(page, 0)).toHaveValue("5-2");
  await expect(flow(page, 0)).toContainText("5 of 64 hosts send");
  // A host that does not exist is refused with a reason, in the card too, and does not count.
  await sending(page, 0).fill("0-3, 99");
  await page.keyboard.press("Tab");
  await expect(flow(page, 0)).toContainText("4 of 64 hosts send");
  await expect(flow(page, 0).locator(".problem-list")).toContainText("99");
  await flow(page, 0).getByRole("button", { name: "Let all send" }).click();
  await expect(sending(page, 0)).toHaveValue("");
  await expect(page.locator("#problems")).toHaveCount(0);
  // The list is not lost.
  await flow(page, 0).getByRole("button", { name: "Former list (5)" }).click();
  await expect(sending(page, 0)).toHaveValue("0-3, 99");
  await flow(page, 0).getByRole("button", { name: "Let all send" }).click();

  const pick = flow(page, 0).getByRole("button", { name: /Pick on the stage|Done picking/ });
  await pick.click();
  await expect(pick).toHaveAttribute("aria-pressed", "true");
  // The keyboard picks what the arrow keys have reached; a switch stands for its hosts.
  await page.locator("#drawn").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(flow(page, 0)).toContainText("Click hosts on the stage");
  await expect(sending(page, 0)).toHaveValue(/^\d+-\d+$/);
  const four = await sending(page, 0).inputValue();
  await page.keyboard.press("Enter");
  await expect(sending(page, 0)).toHaveValue("");
  // So does the pointer. The network keeps its switches and hosts.
  const box = (await page.locator("#drawn").boundingBox())!;
  for (let y = 0.3; y < 0.75 && (await sending(page, 0).inputValue()) === ""; y += 0.05) {
    for (let x = 0.3; x < 0.75 && (await sending(page, 0).inputValue()) === ""; x += 0.02) {
      await page.mouse.click(box.x + box.width * x, box.y + box.height * y);
    }
  }
  await expect(sending(page, 0)).not.toHaveValue("");
  expect(four).toMatch(/\d/);
  await page.keyboard.press("Escape");
  await expect(pick).toHaveAttribute("aria-pressed", "false");
  await expect(flow(page, 0)).toContainText(/\d+ of 64 hosts send/);
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("while senders are picked, their number is told and the run goes on at its cycle", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await expect.poll(() => cycle(page)).toBe(20_000);
  await traffic(page);
  await flow(page, 0).getByRole("button", { name: "Pick on the stage" }).click();
  await expect(flow(page, 0)).toContainText("All 64 hosts send");
  await page.locator("#drawn").focus();
  await page.keyboard.press("ArrowRight");
  for (const words of [/\D[1-9] of 64 hosts send/, "All 64 hosts send"]) {
    await page.keyboard.press("Enter");
    await expect(flow(page, 0)).toContainText(words);
    await settled(async () => String(await cycle(page)));
    await expect.poll(() => cycle(page)).toBe(20_000);
  }
});

test("fields of Pareto periods are shown for Pareto periods only", async ({ open }) => {
  const page = await open();
  await traffic(page);
  await flow(page, 0).getByLabel("Generation").selectOption("on-off");
  const ofPareto = flow(page, 0).getByLabel(/Exponent of Pareto|Longest Pareto/i);
  await expect(flow(page, 0).getByLabel(/distribution of the periods/i)).toBeVisible();
  await expect(ofPareto).toHaveCount(0);
  await flow(page, 0).getByLabel(/distribution of the periods/i).selectOption("pareto");
  await expect(ofPareto).toHaveCount(2);
});

test("picking senders closes the inside of a switch, which would cover them", async ({ open }) => {
  const page = await open();
  await openFile(page, "service-levels");
  await expect(page.locator("#inside")).toBeVisible();
  await traffic(page);
  await flow(page, 0).getByRole("button", { name: "Pick on the stage" }).click();
  await expect(page.locator("#inside")).toHaveCount(0);
  const stage = (await page.locator("#drawn").boundingBox())!;
  const over = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.id, [stage.x + stage.width / 2, stage.y + stage.height / 2]);
  expect(over).toBe("drawn");
});

test("picking senders ends when another panel is shown", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const pick = flow(page, 0).getByRole("button", { name: /Pick on the stage|Done picking/ });
  await pick.click();
  await expect(pick).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("tab", { name: "Results" }).click();
  await page.locator("#drawn").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await traffic(page);
  await expect(pick).toHaveAttribute("aria-pressed", "false");
  await expect(sending(page, 0)).toHaveValue("");
});

test("the times of a flow stay open when they are taken back, and move with it", async ({ open }) => {
  const page = await open();
  await traffic(page);
  await page.getByRole("button", { name: "Add a flow" }).click();
  await flow(page, 1).getByLabel("Destinations").selectOption("neighbour");
  const times = (i: number) => flow(page, i).locator("details", { hasText: "Name, start and stop" });
  const start = times(0).getByLabel(/^Start/);
  await times(0).locator("summary").click();
  for (const cycle of ["500", "0"]) {
    await start.fill(cycle);
    await start.press("Tab");
    await expect(start).toHaveAttribute("aria-valuenow", cycle);
    await expect(times(0)).toHaveAttribute("open");
  }
  await flow(page, 0).getByRole("button", { name: "Move Flow 0 down" }).click();
  await expect(times(1)).toHaveAttribute("open");
  await expect(times(0)).not.toHaveAttribute("open");
});

test("a flow that is added or duplicated is scrolled into view", async ({ open }) => {
  const page = await open();
  await traffic(page);
  await page.getByRole("button", { name: "Add a flow" }).click();
  await expect(flow(page, 1).getByRole("heading").first()).toBeInViewport();
  await flow(page, 0).getByRole("button", { name: /^Duplicate/ }).click();
  await expect(page.locator(".flow")).toHaveCount(3);
  await expect(flow(page, 1).getByRole("heading").first()).toBeInViewport();
});

test("a seed may be typed with its digits in groups", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const seed = page.locator("#measurement").getByLabel(/^Seed/);
  for (const [typed, read] of [["417 457 041", "417457041"], ["1\u202f234\u202f567", "1234567"]]) {
    await seed.fill(typed);
    await seed.press("Tab");
    await expect(seed).toHaveValue(read);
  }
});

test("the focus goes with a flow that is moved, so that several presses of Enter move it further", async ({ open }) => {
  const page = await open();
  await traffic(page);
  for (let i = 0; i < 2; i++) await page.getByRole("button", { name: "Add a flow" }).click();
  await flow(page, 0).getByLabel("Destinations").selectOption("neighbour");
  const patterns = () => page.locator(".flow").getByLabel("Destinations").evaluateAll((all) => all.map((field) => (field as HTMLSelectElement).value));
  const move = (i: number, way: string) => page.getByRole("button", { name: `Move Flow ${i} ${way}` });
  await move(0, "down").press("Enter");
  await expect(move(1, "down")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(patterns).toEqual(["uniform", "uniform", "neighbour"]);
  // It can go no further.
  await expect(move(2, "up")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(move(1, "up")).toBeFocused();
  expect(await patterns()).toEqual(["uniform", "neighbour", "uniform"]);
});

test("after a flow is removed, the next one has the focus, and after it the button that adds one", async ({ open }) => {
  const page = await open();
  await traffic(page);
  for (let i = 0; i < 3; i++) await page.getByRole("button", { name: "Add a flow" }).click();
  const remove = (i: number) => flow(page, i).getByRole("button", { name: "Remove this flow" });
  await remove(3).focus();
  await remove(3).press("Enter");
  await expect(remove(2)).toBeFocused();
  await remove(0).focus();
  await remove(0).press("Enter");
  await expect(page.locator(".flow")).toHaveCount(2);
  await expect(remove(0)).toBeFocused();
  await remove(0).press("Enter");
  await expect(page.getByRole("button", { name: "Add a flow" })).toBeFocused();
});

test("a refused number is told no longer when the value that stayed is typed", async ({ open }) => {
  const page = await open();
  await openFile(page, "seven-classes-80");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const speedup = page.getByLabel(/^Speed-up/);
  const value = await speedup.inputValue();
  const refusal = page.locator(".refusal");
  await speedup.fill("0");
  await speedup.press("Tab");
  await expect(refusal).toHaveCount(1);
  await speedup.fill(value);
  await speedup.press("Tab");
  await expect(refusal).toHaveCount(0);
});

test("cards that open are tall enough for a finger", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await openFile(page, "delay-bound");
  for (const [tab, card] of [["Fabric", "#tables"], ["Results", "#delay-bounds"]]) {
    await page.getByRole("tab", { name: tab }).tap();
    const box = await page.locator(`${card} > summary`).boundingBox();
    expect(box!.height, card).toBeGreaterThanOrEqual(44);
  }
  await context.close();
});

test("a load comes back with its fabric when its unit was changed in between", async ({ open }) => {
  const page = await open();
  const load = flow(page, 0).getByLabel("Exactly");
  const switching = async (kind: string) => {
    await page.getByRole("tab", { name: "Fabric" }).click();
    await page.locator("#fabric-kind").getByRole("combobox").selectOption(kind);
    await traffic(page);
  };
  await traffic(page);
  const before = await load.inputValue();
  await switching("cut-through");
  await flow(page, 0).getByLabel("Unit").selectOption({ label: "flits per ns and switch" });
  await expect(load).not.toHaveValue(before);
  await switching("wormhole");
  await expect(load).toHaveValue(before);
});

test("a flow whose only senders are deleted goes with a notice, and comes back with them", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const pick = flow(page, 0).getByRole("button", { name: /Pick on the stage|Done picking/ });
  await pick.click();
  await page.locator("#drawn").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(sending(page, 0)).toHaveValue(/^\d+-\d+$/);
  const senders = await sending(page, 0).inputValue();
  await page.locator("#drawn").focus();
  await page.keyboard.press("Delete");
  await expect(page.getByRole("status").filter({ hasText: "Removed with their only senders: Flow 0." })).toBeVisible();
  await expect(page.locator(".flow")).toHaveCount(0);
  // Nothing is picked for a flow that is not there, and nothing is offered.
  await expect(page.locator("#drawn")).not.toHaveAttribute("data-tool", "senders");
  await page.getByRole("tab", { name: "Watch" }).click();
  await expect(page.getByText(/^offered/)).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await traffic(page);
  await expect(sending(page, 0)).toHaveValue(senders);
});

test("a load has its exact value and its unit, and is compared with what a link carries", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const exactly = flow(page, 0).getByLabel(/^Exactly/);
  const unit = flow(page, 0).getByLabel("Unit");
  await exactly.fill("0.04");
  await page.keyboard.press("Tab");
  await expect(flow(page, 0).locator(".beyond-link")).toHaveCount(0);
  await unit.selectOption({ label: "flits per cycle and host" });
  // 0.04 flits/ns/switch x 6.25 ns x 16 switches / 64 hosts
  await expect(exactly).toHaveValue("0.0625");
  await exactly.fill("1.5");
  await page.keyboard.press("Tab");
  await expect(flow(page, 0).locator(".beyond-link")).toContainText("1.5 flits/cycle/host");
  // What is out of range is refused with the range.
  await exactly.fill("1000");
  await page.keyboard.press("Tab");
  await expect(exactly).toHaveValue("1.5");
  await expect(page.getByText(/1.?000 is not between 0 and 100: 1.5 stays/)).toBeVisible();
});

for (const locale of ["en-US", "es-ES"]) {
  test(`a number is taken as it is typed, or refused beside its field, in a browser for ${locale}`, async ({ browser, address }) => {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.goto(address);
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    const spanish = locale === "es-ES";
    const shown = (number: string) => (spanish ? number.replace(".", ",") : number);
    await page.getByRole("tab", { name: spanish ? "Tráfico" : "Traffic" }).click();
    const card = flow(page, 0);
    const load = card.getByRole("spinbutton", { name: spanish ? /^Exactamente/ : /^Exactly/ });
    const type = async (field: Locator, text: string, key = "Tab") => {
      await field.press("Control+a");
      if (text) await field.pressSequentially(text);
      else await field.press("Delete");
      await field.press(key);
    };
    for (const [typed, taken] of [["0,05", "0.05"], ["0.06", "0.06"], ["1e-3", "0.001"], [",5", "0.5"], [" 2 ", "2"]]) {
      await type(load, typed);
      await expect(load).toHaveValue(shown(taken));
      await expect(load).toHaveAttribute("aria-valuenow", taken);
      await expect(card.getByRole("alert")).toHaveCount(0);
    }
    const thousands = spanish ? "1.250" : "1,250";
    for (const typed of ["abc", "", "1 000", "--5", thousands, "1,000.5", "1e9"]) {
      await type(load, typed, "Enter");
      await expect(card.getByRole("alert"), typed).toContainText(spanish ? /[Qq]ueda 2\.$/ : /2 stays\.$/);
      await expect(load).toHaveValue("2");
      await expect(load).toHaveAttribute("aria-invalid", "true");
      await expect(load).toHaveAccessibleDescription(await card.getByRole("alert").innerText());
      await expect(load).toHaveAttribute("aria-valuenow", "2");
    }
    await type(load, "1,5");
    await expect(card.getByRole("alert")).toHaveCount(0);
    await load.press("ArrowUp");
    await expect(load).toHaveValue(shown("2.5"));
    await expect(load).toHaveAttribute("aria-valuenow", "2.5");
    for (let i = 0; i < 4; i++) await load.press("ArrowDown");
    await expect(load).toHaveValue("0");
    await expect(load).toHaveAttribute("aria-valuenow", "0");
    // What is typed and not yet taken is typed back; then the last step is undone.
    await load.pressSequentially("7");
    await load.press("Control+z");
    await expect(load).toHaveValue("0");
    await load.press("Control+z");
    await expect(load).toHaveValue(shown("0.5"));
    // Whole numbers have no decimal mark, so both may separate thousands.
    const counted = page.locator("#measurement").getByLabel(spanish ? /^Contados(?!,| en| como)/ : /^Counted(?!,| at)/);
    const before = await counted.inputValue();
    for (const typed of ["16.000", "16,000"]) {
      await type(counted, typed);
      await expect(page.locator("#measurement").getByRole("alert")).toContainText(typed);
      await expect(counted).toHaveValue(before);
    }
    await counted.press("ArrowUp");
    await expect(counted).toHaveValue(String(Number(before) + 1));
    await context.close();
  });
}

test("a flow is warned of that offers more than channels carry, from its hosts or to one", async ({ open }) => {
  const page = await open();
  const scenario = (load: number, bytes: number, pattern: object) => JSON.stringify({
    hopscope: 1, name: `${load} and ${bytes}`, fabric: { kind: "cut-through" },
    network: { generate: { kind: "ring", switches: 4, hosts_per_switch: 2 } },
    traffic: [{ load, size: { kind: "fixed", bytes }, pattern }],
  });
  const openText = async (load: number, bytes: number, pattern: object) => {
    const buffer = Buffer.from(scenario(load, bytes, pattern));
    await page.locator("input[type=file]").setInputFiles({ name: "a.json", mimeType: "application/json", buffer });
    await expect(page.getByLabel("Name of the scenario")).toHaveValue(`${load} and ${bytes}`);
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  };
  await openText(0.7, 3, { kind: "uniform" });
  await traffic(page);
  const warning = flow(page, 0).locator(".beyond-link");
  await expect(warning).toContainText("in flits that messages fill in part, is 1.867 times what the channel of a host carries");
  await openText(0.6, 64, { kind: "pairs", pairs: [[0, 7], [1, 7], [2, 7]] });
  await expect(warning).toContainText("flow 0 offers 1.800 times what the channel to host 7 carries");
  await page.getByRole("button", { name: "Español" }).click();
  await expect(warning).toContainText("1,800 veces lo que lleva el canal hacia el host 7");
});

test("the matrix shows who sends to whom, by flow and together", async ({ open }) => {
  const page = await open();
  await traffic(page);
  await expect(picture(page)).toBeVisible();
  await picture(page).focus();
  await page.keyboard.press("ArrowRight");
  // Uniform traffic: each of 64 hosts sends 1/63 of its load to each other one.
  await expect(cell(page)).toContainText("0 → 1");
  await expect(cell(page)).toContainText(`${(100 / 64 / 63).toFixed(2)}`);
  await page.keyboard.press("ArrowDown");
  await expect(cell(page)).toContainText("1 → 1: nothing");
  await flow(page, 0).getByLabel("Destinations").selectOption("neighbour");
  await picture(page).focus();
  await page.keyboard.press("End");
  await expect(cell(page)).toContainText("63 → 63: nothing");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(cell(page)).toContainText("0 → 1");
  await expect(cell(page)).toContainText(`${(100 / 64).toFixed(2)}`);
  // The pointer: the middle of the picture is near the diagonal.
  await picture(page).hover();
  await expect(cell(page)).toContainText(/3\d → 3\d/);
  await page.getByRole("button", { name: "Add a flow" }).click();
  await page.getByLabel("Traffic of").selectOption({ label: "Flow 1" });
  await picture(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(cell(page)).toContainText(`${(100 / 64 / 63).toFixed(2)}`);
  const { violations } = await new AxeBuilder({ page }).include("#panel").analyze();
  expect(violations).toEqual([]);
});

test("what is wrong with the measurement is said in its card", async ({ open }) => {
  const page = await open();
  await traffic(page);
  const card = page.locator("#measurement");
  const field = card.getByLabel(/intervals are this narrow/);
  await field.fill("0.0001");
  await page.keyboard.press("Tab");
  await expect(card.locator(".problem-list")).toContainText("measure.half_width");
  await field.fill("0");
  await page.keyboard.press("Tab");
  await expect(card.locator(".problem-list")).toHaveCount(0);
  // A fraction is no number of messages, and large seeds keep their digits.
  const counted = card.getByLabel(/^Counted/).first();
  const before = await counted.inputValue();
  await counted.fill("0.5");
  await page.keyboard.press("Tab");
  await expect(card.getByRole("alert")).toHaveText(`A whole number is wanted: ${before} stays.`);
  await expect(counted).toHaveValue(before);
  const seed = card.getByLabel(/^Seed/);
  await seed.fill("9007199254740993");
  await page.keyboard.press("Tab");
  await expect(seed).toHaveValue("9007199254740993");
  await expect(page.locator("#problems")).toHaveCount(0);
});

test("a cell of the matrix that is tapped stays chosen, and its numbers are in sight", async ({ browser, address }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(address);
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await page.getByRole("tab", { name: "Traffic" }).tap();
  await expect(picture(page)).toBeVisible();
  await picture(page).tap();
  await expect(cell(page)).toContainText(/\d+ → \d+/);
  // The picture is taller than the panel, whose lower part is in sight.
  await expect(cell(page)).toBeInViewport({ ratio: 1 });
  await context.close();
});

test("the matrix of many hosts has cells of several", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("g");
  await page.getByRole("button", { name: /Torus 8x8/ }).first().click();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
  await traffic(page);
  await expect(page.locator("#matrix")).toContainText(/A cell stands for \d+ × \d+ hosts/);
  await picture(page).focus();
  await page.keyboard.press("End");
  await expect(cell(page)).toContainText(/\d+–\d+ → \d+–\d+/);
});

test("Control+Z in a field of a number takes back what is typed there, and then earlier changes", async ({ open }) => {
  const page = await open();
  await openFile(page, "service-levels");
  await page.getByRole("tab", { name: "Fabric" }).click();
  const panel = page.getByRole("tabpanel", { name: "Fabric" });
  const cycle = panel.getByRole("spinbutton", { name: /^Cycle/ });
  await expect(cycle).toHaveValue("625");
  const technique = panel.getByLabel("Switching technique");
  await technique.selectOption("wormhole");
  await expect(cycle).toHaveValue("6250");
  await cycle.fill("71");
  await page.keyboard.press("Control+z");
  await expect(cycle).toHaveValue("6250");
  await expect(cycle).toBeFocused();
  await expect(technique).toHaveValue("wormhole");
  await page.keyboard.press("Control+z");
  await expect(technique).toHaveValue("cut-through");
  await expect(cycle).toHaveValue("625");
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(cycle).toHaveValue("6250");
});
