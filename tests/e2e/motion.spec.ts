// What moves and what waits can be told apart in a still picture; crowds give way to heat.
import { cycle, drawn, expect, settled, test } from "../fixtures";
import type { Page } from "@playwright/test";

const openFile = async (page: Page, scenario: object) => {
  const buffer = Buffer.from(JSON.stringify({ hopscope: 1, ...scenario }));
  await page.locator('input[type="file"]').setInputFiles({ name: "own.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened:")).toBeVisible();
};

// The worm on the wire from (-100, 4.6) to (40, 4.6) of the stage, and on the lane back: how far
// the light pixels of its middle are ahead of those at its edges, pixels to the right; the share of
// light pixels; and its mean brightness. Nothing without a worm all along the wire.
const worm = (page: Page, y: number) =>
  page.evaluate((y) => {
    const [left, top, scale] = document.querySelector("#stage")!.getAttribute("data-view")!.split(" ").map(Number);
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [Math.round(140 * scale), Math.round(6 * scale)];
    const context = copy.getContext("2d", { willReadFrequently: true })!;
    context.drawImage(document.querySelector<HTMLCanvasElement>("#drawn canvas")!, -(left - 100 * scale), -(top + (y - 3) * scale));
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const brightness = (x: number, row: number) => {
      const i = 4 * (row * copy.width + x);
      return (data[i] + data[i + 1] + data[i + 2]) / 765;
    };
    const columns = Array.from({ length: copy.width }, (_, x) => x);
    const rows = Array.from({ length: copy.height }, (_, row) => row);
    const light = (row: number) => columns.map((x) => Number(brightness(x, row) > 0.8));
    const middle = light(Math.floor(copy.height / 2));
    const edge = light(1);
    const match = (by: number) => columns.reduce((sum, x) => sum + (edge[x] & (middle[x + by] ?? 0)), 0);
    const shifts = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5];
    const ahead = shifts.reduce((best, by) => (match(by) > match(best) ? by : best), 0);
    const all = rows.flatMap((row) => columns.map((x) => brightness(x, row)));
    const share = all.filter((value) => value > 0.8).length / all.length;
    return share > 0.6 ? null : { ahead, share, mean: all.reduce((sum, value) => sum + value, 0) / all.length };
  }, y);

test("a still picture shows which way a worm moves, and a worm that waits is flat and darker", async ({ open, page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  // Two hosts on the left send to one on the right, and it sends back: the link has both
  // directions.
  const network = {
    switches: [{ ports: 8, x: -200, y: 0 }, { ports: 8, x: 200, y: 0 }],
    hosts: [{ switch: 0, x: -200, y: -100 }, { switch: 1, x: 200, y: -100 }, { switch: 1, x: 200, y: 100 }],
    links: [{ a: [0, 1], b: [1, 1] }],
  };
  const pairs = { kind: "pairs", pairs: [[0, 2], [1, 2], [2, 0]] };
  await openFile(page, { network, traffic: [{ pattern: pairs, size: { kind: "fixed", bytes: 2048 }, load: 0.25, sources: [0, 1, 2] }] });
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await expect.poll(() => cycle(page)).toBe(0);
  const seen: { ahead: number; share: number; mean: number }[] = [];
  const back: typeof seen = [];
  const isFlat = ({ share }: { share: number }) => share < 0.02;
  const complete = () => seen.some(isFlat) && seen.some((w) => !isFlat(w)) && back.some((w) => !isFlat(w));
  for (let i = 0; i < 80 && !complete(); i++) {
    const to = (await cycle(page)) + 100;
    await page.keyboard.press(">");
    await expect.poll(() => cycle(page)).toBe(to);
    await settled(() => drawn(page));
    const [there, other] = [await worm(page, 4.6), await worm(page, -4.6)];
    if (there) seen.push(there);
    if (other) back.push(other);
  }
  expect(complete()).toBe(true);
  const moving = seen.find((w) => !isFlat(w))!;
  expect(moving.ahead).toBeGreaterThan(0);
  expect(back.find((w) => !isFlat(w))!.ahead).toBeLessThan(0);
  expect(seen.find(isFlat)!.mean).toBeLessThan(0.8 * moving.mean);
});

test("many worms give way to heat, unless there is space for them", async ({ open, page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await openFile(page, {
    network: { generate: { kind: "irregular", switches: 64, hosts_per_switch: 8, ports: 16, seed: 1 } },
    routing: { preset: "UD" },
    traffic: [{ load: 1 }],
  });
  for (let i = 0; i < 15; i++) await page.keyboard.press(">");
  const legend = page.getByRole("region", { name: "Legend: Utilisation" });
  await expect(legend).toContainText("Too many worms to draw");
  // Under another overlay they give way too.
  await page.keyboard.press("a");
  const waits = page.getByRole("region", { name: "Legend: Who waits for whom" });
  await expect(waits).toContainText("Too many worms to draw");
  await page.keyboard.press("a");
  const box = (await page.locator("#stage").boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let i = 0; i < 12; i++) await page.mouse.wheel(0, -200);
  await expect(legend).toHaveCount(0);
});

test("a ramp ends at what was measured, or at 100 %", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await open();
  await openFile(page, {
    network: { generate: { kind: "ring", switches: 6, hosts_per_switch: 2 } },
    routing: { preset: "UD" },
    traffic: [{ load: 0.004 }],
  });
  for (let i = 0; i < 10; i++) await page.keyboard.press(">");
  await expect.poll(() => cycle(page)).toBe(1500);
  await page.keyboard.press("u");
  const scale = page.getByRole("region", { name: "Legend: Utilisation" }).locator(".scale");
  await expect(scale).toContainText("0\u00a0%");
  const narrow = await settled(() => drawn(page));
  const end = await scale.textContent();
  expect(end).not.toContain("100\u00a0%");
  await page.getByRole("button", { name: "Up to 100 %" }).click();
  await expect(scale).toContainText("100\u00a0%");
  await expect.poll(() => drawn(page)).not.toBe(narrow);
  await page.getByRole("button", { name: "Up to 100 %" }).click();
  await expect(scale).toHaveText(end!);
  await expect.poll(() => drawn(page)).toBe(narrow);
});
