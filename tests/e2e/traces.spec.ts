// Traces from other programs: opened by the file dialog, dropped and pasted; and refused with a
// reason.
import type { Page } from "@playwright/test";
import { expect, fast, test } from "../fixtures";

// Task 0 sends to task 1, which sends to task 2 10 ns after its message has arrived.
const vef = "VEF 4 2 1 0 0 0\nC0 0 1 2 3\n0 0 1 1000 0 50 -1\n1 1 2 2000 2 10 0\n";

type Way = { named: string; come: (page: Page, content: string) => Promise<void> };

// The browser's own events, with the text as a file or, pasted, as words.
const event = (kind: "drop" | "paste") => (page: Page, content: string) =>
  page.evaluate(
    ({ kind, content }) => {
      const data = new DataTransfer();
      if (kind === "drop") data.items.add(new File([content], "tasks.vef", { type: "text/plain" }));
      else data.setData("text/plain", content);
      const options = { bubbles: true, cancelable: true };
      document.body.dispatchEvent(
        kind === "drop"
          ? new DragEvent("drop", { dataTransfer: data, ...options })
          : new ClipboardEvent("paste", { clipboardData: data, ...options }),
      );
    },
    { kind, content },
  );

const ways: Record<string, Way> = {
  "opened by the file dialog": {
    named: "tasks.vef",
    come: async (page, content) => {
      const chooser = page.waitForEvent("filechooser");
      await page.locator("#application").getByRole("button", { name: "Open a trace" }).click();
      await (await chooser).setFiles({ name: "tasks.vef", mimeType: "text/plain", buffer: Buffer.from(content) });
    },
  },
  dropped: { named: "tasks.vef", come: event("drop") },
  pasted: { named: "pasted text", come: event("paste") },
};

for (const [way, { named, come }] of Object.entries(ways)) {
  test(`a VEF trace that is ${way} becomes the application and runs`, async ({ open }) => {
    const page = await open();
    await page.getByRole("tab", { name: "App" }).click();
    await come(page, vef);
    await expect(page.getByText(`The application is the trace ${named}`)).toBeVisible();
    await expect(page.locator("#trace")).toHaveText(`Trace ${named}, ${vef.length} characters`);
    await expect(page.locator("#worker")).toHaveAttribute("data-loaded", "yes");
    await page.getByRole("tab", { name: "Results" }).click();
    await fast(page);
    const button = page.getByRole("button", { name: "Play", exact: true });
    if (await button.isVisible()) await button.click();
    const results = page.locator("#application-results");
    await expect(results).toHaveAttribute("data-finished", "true");
    await expect(results.locator('[data-figure="ranks-finished"] dd')).toHaveText("4 of 4");
    await expect(page.locator("#ended-last")).toContainText("Rank 2 on host 2 ended last");
  });
}

test("a trace of unknown tasks is refused with the line and the reason", async ({ open }) => {
  const page = await open();
  await page.getByRole("tab", { name: "App" }).click();
  await event("drop")(page, vef.replace("1 1 2 2000", "1 1 9 2000"));
  const problems = page.locator("#file-problems");
  await expect(problems).toContainText("tasks.vef");
  await expect(problems).toContainText(/line 4\s+there is no rank 9; the trace has 4/);
  await expect(page.locator("#trace")).toHaveCount(0);
});

test("a trace of more ranks than hosts says how many there are of both", async ({ open }) => {
  const page = await open();
  const pair = { hopscope: 1, name: "Two hosts", network: { generate: { kind: "single", hosts: 2 } } };
  const buffer = Buffer.from(JSON.stringify(pair));
  await page.locator('input[type="file"]').setInputFiles({ name: "pair.json", mimeType: "application/json", buffer });
  await expect(page.getByText("Opened: Two hosts")).toBeVisible();
  await event("drop")(page, vef);
  const card = page.locator("#application");
  await expect(card).toContainText("4 ranks on 2 hosts");
  await expect(card).toContainText("use at most one rank per host");
});
