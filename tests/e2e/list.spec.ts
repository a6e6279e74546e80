// The network without a pointer: arrow keys on the stage, and the network as a list.
import { command, expect, test } from "../fixtures";
import type { Page } from "@playwright/test";

const stage = (page: Page) => page.getByRole("application", { name: /^Stage/ });
const inspector = (page: Page) => page.getByRole("region", { name: "Inspector" });
const title = (page: Page) => inspector(page).getByRole("heading");

test("arrow keys go to hosts and switches, and what they reach is said", async ({ open }) => {
  const page = await open();
  await stage(page).focus();
  await page.keyboard.press("ArrowRight");
  await expect(title(page)).toHaveText("Switch 0");
  await expect(page.locator("#spoken")).toHaveText("Switch 0");
  await page.keyboard.press("ArrowLeft");
  await expect(title(page)).toHaveText(/^Host \d+/);
  await expect(page.locator("#spoken")).toHaveText(/^Host \d+/);
  const host = (await title(page).textContent())!;
  await page.keyboard.press("ArrowRight");
  await expect(title(page)).not.toHaveText(host);
  // With Shift, hosts are skipped.
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(title(page)).toHaveText(/^Switch \d+/);
  const reached = (await title(page).textContent())!;
  await page.keyboard.press("Shift+ArrowLeft");
  await expect(title(page)).toHaveText(/^Switch \d+/);
  await expect(title(page)).not.toHaveText(reached);
  await page.keyboard.press("Enter");
  await expect(page.locator("#inside")).toBeVisible();
});

test("what is selected is moved with the keyboard, and that is undone", async ({ open }) => {
  const page = await open();
  await stage(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+ArrowRight");
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toHaveAttribute("title", "Undo: moving");
  await undo.click();
  await expect(undo).toBeDisabled();
});

test("zoomed in, the view follows the keyboard", async ({ open }) => {
  const page = await open();
  const view = () => page.locator("#stage").getAttribute("data-view");
  await stage(page).focus();
  await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 6; i++) await page.keyboard.press("+");
  const before = await view();
  for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowLeft");
  await expect.poll(view).not.toBe(before);
});

test("the palette leads to every panel, and the keyboard goes on there", async ({ open }) => {
  const page = await open();
  for (const [typed, panel] of [["list", "Network"], ["schedulers", "Fabric"], ["latency", "Watch"]]) {
    await command(page, typed);
    const tab = page.getByRole("tab", { name: panel });
    await expect(tab).toHaveAttribute("aria-selected", "true");
    await expect(tab).toBeFocused();
  }
});

test("the palette obeys what was typed, also before its list has followed", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("Control+k");
  await page.getByRole("textbox", { name: "Type a command" }).evaluate((field: HTMLInputElement) => {
    field.value = "schedulers";
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  await expect(page.getByRole("tab", { name: "Fabric" })).toHaveAttribute("aria-selected", "true");
});

test("everything can be done from the list", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "Network" }).click();
  const list = page.locator("#list");
  const item = (name: string | RegExp) => list.getByRole("button", { name });
  await expect(list.getByRole("button", { name: /^Switch \d+:/ })).toHaveCount(16);
  await item(/^Switch 3:/).press("Enter");
  await expect(item(/^Switch 3:/)).toHaveAttribute("aria-expanded", "true");
  await expect(title(page)).toHaveText("Switch 3");

  // Adds a host, a switch, and a link between switches.
  await item("Add a host").click();
  await expect(page.getByText("16 switches, 65 hosts, 31 links")).toBeVisible();
  await item("Add a switch").click();
  await expect(page.getByText("17 switches, 65 hosts, 31 links")).toBeVisible();
  await list.getByLabel("Link it to switch").selectOption("16");
  await expect(page.getByText("17 switches, 65 hosts, 32 links")).toBeVisible();
  await expect(item("Link 3 – 16").first()).toBeVisible();
  await list.getByLabel("Name").fill("hub");
  await page.keyboard.press("Tab");
  await expect(title(page)).toHaveText("Switch hub");

  // Swaps the ports of two hosts.
  await item("Host 12").last().click();
  await expect(title(page)).toHaveText("Host 12");
  const port = list.getByLabel("Port of switch hub");
  await expect(port.locator("option:checked")).toHaveText("0: Host 12");
  await port.selectOption("2");
  await expect(port.locator("option:checked")).toHaveText("2: Host 12");
  await expect(port.locator("option").nth(0)).toHaveText("0: Host 14");
  await item("Delete it").click();
  await expect(page.getByText("17 switches, 64 hosts, 32 links")).toBeVisible();

  // A link: its two directions, its cables, its removal.
  await item(/^Switch hub:/).click();
  await item("Link hub – 16").last().click();
  await expect(title(page)).toHaveText("The channel hub → 16");
  await item("The other direction").click();
  await expect(title(page)).toHaveText("The channel 16 → hub");
  await list.getByLabel("Cables side by side").fill("2");
  await page.keyboard.press("Tab");
  await expect(list.getByLabel("Port of switch hub")).toHaveCount(0);
  await item("Delete it").click();
  await expect(page.getByText("17 switches, 64 hosts, 31 links")).toBeVisible();
  for (let i = 0; i < 8; i++) await page.keyboard.press("Control+z");
  await expect(page.getByText("Generated: 16 switches, 64 hosts, 31 links")).toBeVisible();
});
