// What is drawn and shown fits its network: links around tori, the inside of a switch beside the
// network, several selected things, and the curves of the run.
import { cycle, drawn, expect, settled, test } from "../fixtures";
import type { Page } from "@playwright/test";

const openFile = async (page: Page, scenario: object) => {
  const buffer = Buffer.from(JSON.stringify({ hopscope: 1, ...scenario }));
  await page.locator('input[type="file"]').setInputFiles({ name: "own.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened:")).toBeVisible();
};

// The page's point of a stage point.
const at = async (page: Page, x: number, y: number) => {
  const [left, top, scale] = (await page.locator("#stage").getAttribute("data-view"))!.split(" ").map(Number);
  const box = (await page.locator("#stage").boundingBox())!;
  return [box.x + left + x * scale, box.y + top + y * scale] as const;
};

test("a link around a torus is two stubs, which can be pointed at, and none runs through a row", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await openFile(page, { network: { generate: { kind: "torus", sides: [4, 4], hosts_per_switch: 1 } } });
  const peek = page.locator(".peek");
  // Switches stand 190 stage units apart; 0 is at the top left.
  await page.mouse.move(...(await at(page, -50, 4.6)));
  await expect(peek).toContainText(/3 → 0/);
  await page.mouse.move(...(await at(page, 3 * 190 + 50, 4.6)));
  await expect(peek).toContainText(/3 → 0/);
  // Between 1 and 2 there is only their own link.
  await page.mouse.move(...(await at(page, 1.5 * 190, 4.6)));
  await expect(peek).toContainText(/1 → 2/);
});

test("the inside of a switch is beside the network, which is fitted again, and closes with its document", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  const view = () => page.locator("#stage").getAttribute("data-view");
  const before = await settled(async () => (await view())!);
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const inside = page.locator("#inside");
  await expect(inside).toBeVisible();
  await expect.poll(view).not.toBe(before);
  await settled(() => drawn(page));
  const end = (await inside.boundingBox())!;
  const ink = await page.evaluate((end) => {
    const canvas = document.querySelector<HTMLCanvasElement>("#drawn canvas")!;
    const left = canvas.getBoundingClientRect().left;
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [Math.floor(end - left), canvas.height];
    const context = copy.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
    return pixels.filter((pixel) => pixel !== pixels[0]).length;
  }, end.x + end.width);
  expect(ink, "pixels of the network under the inside of a switch").toBe(0);
  await openFile(page, { network: { generate: { kind: "ring", switches: 20, hosts_per_switch: 1 } } });
  await expect(inside).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Inspector" })).toHaveCount(0);
});

test("several selected things can be put in a row and removed at once", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  const card = page.locator("#selection");
  await expect(card).toHaveCount(0);
  await page.getByRole("application", { name: /^Stage/ }).focus();
  await page.keyboard.press("Control+a");
  await expect(card.getByRole("heading")).toHaveText("Selected: 80");
  await card.getByRole("button", { name: "Align in a row" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeEnabled();
  await card.getByRole("button", { name: "Delete what is selected" }).click();
  await expect(card).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
});

test("the curves of the run have axes, and say their values at the pointer", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await expect.poll(() => cycle(page)).toBe(20_000);
  const curve = page.locator(".run-curve").first();
  await expect(curve.locator("svg text").filter({ hasText: "cycles" })).toBeVisible();
  await expect(curve.locator("svg text").filter({ hasText: /^\s*10\s*$/ })).toBeVisible();
  await curve.scrollIntoViewIfNeeded();
  const box = (await curve.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await expect(curve.locator(".curve-told")).toHaveText(/^Cycle [\d\s\u202f]+: 0\.\d+\sflits/);
  await page.mouse.move(box.x + box.width / 2, box.y - 60);
  await expect(curve.locator(".curve-told")).toHaveText("Point at the curve to read its values.");
});
