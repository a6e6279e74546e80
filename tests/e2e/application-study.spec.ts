// Run times of applications: compared, and drawn over the bytes of the application.
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";

const scenario = (preset: string) => ({
  hopscope: 1,
  name: `A small all-to-all, ${preset}`,
  network: { generate: { kind: "irregular", switches: 8, hosts_per_switch: 2, ports: 8, seed: 1 } },
  routing: { preset },
  fabric: { kind: "wormhole" },
  application: { kind: "all-to-all", bytes: 8192 },
});

async function load(page: Page, content: object) {
  const buffer = Buffer.from(JSON.stringify(content));
  await page.locator('input[type="file"]').setInputFiles({ name: "it.json", mimeType: "application/json", buffer });
}

const study = async (page: Page) => {
  await page.getByRole("button", { name: "Study", exact: true }).click();
  await expect(page.locator("#study")).toBeVisible();
};

test("run times of two routings are compared", async ({ open }) => {
  const page = await open();
  await load(page, scenario("UD"));
  await expect(page.getByText("Opened: A small all-to-all, UD")).toBeVisible();
  await study(page);
  await page.locator("#compare").getByRole("button", { name: /^Keep the stage's scenario/ }).click();
  await page.getByRole("button", { name: "Stage", exact: true }).click();
  await load(page, scenario("UD_ITB"));
  await expect(page.getByText("Opened: A small all-to-all, UD_ITB")).toBeVisible();
  await study(page);
  await page.locator("#run-compare").click();
  const run_time = page.locator('#compared-results [data-quantity="run_time_ns"]');
  await expect(run_time.getByRole("rowheader")).toHaveText("Run time of the application, ns");
  // Both are known, and ITBs change the time.
  await expect(run_time.locator("td").nth(0)).toHaveText(/^[\d\u202f]+$/);
  await expect(run_time.locator("td").nth(1)).toHaveText(/^[\d\u202f]+$/);
  await expect(run_time.locator("td").nth(2)).toHaveText(/^[+-−]?\d+\.\d\s%$/);
});

test("the run time is drawn over the bytes of the application, which one press sweeps", async ({ open }) => {
  test.slow();
  const page = await open();
  await load(page, { ...scenario("UD"), network: { generate: { kind: "single", hosts: 4 } } });
  await expect(page.getByText("Opened:")).toBeVisible();
  await study(page);
  await expect(page.locator("#search")).toHaveCount(0);
  await page.getByRole("button", { name: "Sweep the bytes" }).click();
  await expect(page.locator("#progress")).toHaveAttribute("data-phase", "over");
  const figure = page.locator("#study-figure");
  await expect(figure).toContainText("run time of the application, µs");
  await expect(figure).toContainText("bytes of the application");
  const rows = page.locator("#study-table tbody tr");
  await expect(rows).toHaveCount(6);
  await expect(page.locator("#study-table thead")).toContainText("Run time");
  await expect(rows.first()).toContainText(/[nµm]s/);
  await expect(page.locator("#study-table tbody")).not.toContainText("–");
});
