// Everything that can be laid over the network is drawn, each with its legend, under both fabrics.
import { cycle, drawn, expect, fast, settled, test } from "../fixtures";
import type { Page } from "@playwright/test";

const legends: Record<string, [string, string | RegExp]> = {
  u: ["Utilisation", "100"],
  b: ["Blocked time", "100"],
  c: ["Buffer occupancy", "input buffer that was filled"],
  x: ["ITB use", "per 1000 cycles"],
  a: ["Who waits for whom", "waits for nobody"],
  t: ["Spanning tree", "along the tree"],
  y: ["Forbidden turns", "needs an ITB"],
  w: ["Channel weights", "no route uses it"],
  d: ["Channel dependencies", "may wait for"],
};

test("each overlay is drawn over the network, with its legend", async ({ open }) => {
  test.slow();
  const page = await open();
  await page.getByRole("button", { name: "See what ITBs change" }).click();
  await expect.poll(() => page.locator('[data-count="itbs"]').textContent()).not.toBe("0");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("k");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  const plain = await settled(() => drawn(page));
  const seen = new Set([plain]);
  for (const [key, [name, words]] of Object.entries(legends)) {
    await page.keyboard.press(key);
    const legend = page.getByRole("region", { name: `Legend: ${name}` });
    await expect(legend).toContainText(words);
    await expect.poll(() => drawn(page)).not.toBe(plain);
    seen.add(await drawn(page));
    await page.keyboard.press(key);
    await expect(legend).toHaveCount(0);
    await expect.poll(() => drawn(page)).toBe(plain);
  }
  expect(seen.size).toBe(1 + Object.keys(legends).length);
});

test("at high speed worms give way to heat, and come back", async ({ open }) => {
  const page = await open();
  const legend = page.getByRole("region", { name: "Legend: Utilisation" });
  await expect(legend).toHaveCount(0);
  await fast(page);
  await expect(legend).toContainText("Too fast to see worms");
  await page.keyboard.press("k");
  await expect(legend).toHaveCount(0);
});

test("hovering peeks: how full a buffer is, how much a host is used", async ({ open }) => {
  const page = await open();
  const network = {
    switches: [{ ports: 8, x: -200, y: 0 }, { ports: 8, x: 200, y: 0 }],
    hosts: [{ switch: 0, x: -200, y: -100 }, { switch: 1, x: 200, y: -100 }],
    links: [{ a: [0, 1], b: [1, 1] }],
  };
  const buffer = Buffer.from(JSON.stringify({ hopscope: 1, network }));
  await page.locator('input[type="file"]').setInputFiles({ name: "two.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened:")).toBeVisible();
  const hover = async (x: number, y: number) => {
    const [left, top, scale] = (await page.locator("#stage").getAttribute("data-view"))!.split(" ").map(Number);
    const box = (await page.locator("#stage").boundingBox())!;
    await page.mouse.move(box.x + left + x * scale, box.y + top + y * scale);
  };
  await page.keyboard.press("c");
  await hover(150, 4.6);
  await expect(page.locator(".peek")).toContainText(/0 → 1.*[\d.]+ of 80 flits in the buffer/);
  await page.keyboard.press("x");
  await hover(200, -100);
  await expect(page.locator(".peek")).toContainText(/Host 1.*0 ITBs per 1000 cycles, 0 in all/);
});

test("under cut-through, who waits for whom is drawn and told", async ({ open }) => {
  test.slow();
  const page = await open();
  const scenario = {
    hopscope: 1,
    network: { generate: { kind: "ring", switches: 5, hosts_per_switch: 2 } },
    routing: { preset: "minimal" },
    fabric: {
      kind: "cut-through",
      input_buffer_bytes: 2048,
      output_buffer_bytes: 2048,
      central_buffer_bytes: 4096,
      qos: { levels: [{ channels: [0, 1], mtu_bytes: 512 }], lanes: [0, 0] },
    },
    traffic: [{ load: 0.9 }],
  };
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator('input[type="file"]').setInputFiles({ name: "ring.json", mimeType: "application/json", buffer });
  await fast(page);
  // The run may start by itself, and be over before it can be seen to play.
  const play = page.getByRole("button", { name: "Play", exact: true });
  if (await play.isVisible()) await play.click({ timeout: 2000 }).catch(() => {});
  await expect(page.locator("#deadlock")).toBeVisible();
  const plain = await settled(() => drawn(page));
  await page.keyboard.press("a");
  await expect(page.getByRole("region", { name: "Legend: Who waits for whom" })).toContainText("waits in a circle");
  await expect.poll(() => drawn(page)).not.toBe(plain);
  await page.getByRole("region", { name: "Who waits for whom", exact: true }).getByRole("button", { name: /holds/ }).first().click();
  await expect(page.locator("#why")).toContainText(/has no space.* Message \d+ is to leave it next/);
  await expect(page.locator(".chain").getByRole("listitem").first()).toBeVisible();
});

test("STOP runs back along a link, cycle by cycle", async ({ open }) => {
  test.slow();
  const page = await open();
  // Two senders and one receiver, with a link between them that takes eight cycles each way.
  const network = {
    switches: [{ ports: 8, x: -300, y: 0 }, { ports: 8, x: 300, y: 0 }],
    hosts: [{ switch: 0, x: -300, y: -100 }, { switch: 1, x: 300, y: -100 }, { switch: 1, x: 300, y: 100 }],
    links: [{ a: [0, 1], b: [1, 1] }],
  };
  const pairs = { kind: "pairs", pairs: [[0, 2], [1, 2]] };
  const scenario = { hopscope: 1, network, traffic: [{ pattern: pairs, load: 0.3, sources: [0, 1] }] };
  const buffer = Buffer.from(JSON.stringify(scenario));
  await page.locator('input[type="file"]').setInputFiles({ name: "two.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened:")).toBeVisible();
  await page.getByRole("button", { name: "Back to cycle 0" }).click();
  await expect.poll(() => cycle(page)).toBe(0);
  // How much of the wire between the switches is red, beside what moves on it.
  const red = () =>
    page.evaluate(() => {
      const [left, top, scale] = document.querySelector("#stage")!.getAttribute("data-view")!.split(" ").map(Number);
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [Math.round(480 * scale), Math.round(24 * scale)];
      const context = copy.getContext("2d", { willReadFrequently: true })!;
      context.drawImage(document.querySelector<HTMLCanvasElement>("#drawn canvas")!, -(left - 240 * scale), -(top - 12 * scale));
      const { data } = context.getImageData(0, 0, copy.width, copy.height);
      let columns = 0;
      for (let x = 0; x < copy.width; x++) {
        let found = false;
        for (let y = 0; y < copy.height; y++) {
          const i = 4 * (y * copy.width + x);
          found ||= data[i] > 120 && data[i + 1] < 90 && data[i + 2] < 90 && data[i + 3] > 150;
        }
        columns += Number(found);
      }
      return columns;
    });
  // By a key, so many cycles on or back, `times` times; and what is red then, once it is drawn.
  const go = async (key: string, cycles: number, times = 1) => {
    for (let i = 0; i < times; i++) {
      const to = (await cycle(page)) + cycles;
      await page.keyboard.press(key);
      await expect.poll(() => cycle(page)).toBe(to);
    }
    return Number(await settled(async () => String(await red())));
  };
  // The bar of a worm that waits is red as well, this many columns wide at most.
  const BAR = 4;
  // On until STOP has gone out, then back to before it, then on to the first cycle that shows it.
  let shown = 0;
  for (let i = 0; i < 60 && shown <= BAR; i++) shown = await go(">", 100);
  expect(shown).toBeGreaterThan(BAR);
  for (let i = 0; i < 60 && shown > BAR; i++) shown = await go("<", -100);
  expect(shown).toBeLessThanOrEqual(BAR);
  for (let i = 0; i < 11 && shown <= BAR; i++) shown = await go(".", 1, 10);
  shown = await go(",", -1, 10);
  for (let i = 0; i < 10 && shown <= BAR; i++) shown = await go(".", 1);
  const lengths = [shown];
  for (let i = 0; i < 6; i++) lengths.push(await go(".", 1));
  expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  expect(new Set(lengths).size).toBeGreaterThan(4);
});

test("a legend covers nothing of a network that is shown whole", async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const size of [{ width: 1280, height: 720 }, { width: 1024, height: 768 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await open();
    for (const key of ["c", "a", "d"]) {
      await page.keyboard.press(key);
      await expect(page.locator("#overlay-legend")).toContainText(legends[key][0]);
      await settled(() => drawn(page));
      const covered = () => page.evaluate(() => {
        const [legend, stage] = ["#overlay-legend", "#drawn"].map((id) => document.querySelector(id)!.getBoundingClientRect());
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [Math.ceil(legend.width), Math.ceil(legend.height)];
        const context = copy.getContext("2d", { willReadFrequently: true })!;
        context.drawImage(document.querySelector<HTMLCanvasElement>("#drawn canvas")!, stage.left - legend.left, stage.top - legend.top);
        const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
        return pixels.filter((pixel) => pixel !== pixels[0]).length;
      });
      await expect.poll(covered, `of pixels, by ${legends[key][0]}`).toBe(0);
    }
  }
});
