// Large files of nonsense are refused by their start: the rest is not read.
import { expect, test } from "../fixtures";

test("40 MB of nonsense are refused by their first lines", async ({ open }) => {
  const page = await open();
  const buffer = Buffer.alloc(40_000_000, "what is this\n");
  const start = performance.now();
  await page.locator("input[type=file]").setInputFiles({ name: "app.bin", mimeType: "text/plain", buffer });
  const problems = page.locator("#file-problems");
  await expect(problems).toContainText("none of the formats that can be read", { timeout: 60_000 });
  console.log(`refused after ${(performance.now() - start).toFixed(0)} ms, the transfer to the browser included`);
  // A file that may be a trace is refused by its size.
  const trace = Buffer.concat([Buffer.from("num_ranks 2\n"), buffer]);
  await page.locator("input[type=file]").setInputFiles({ name: "app.goal", mimeType: "text/plain", buffer: trace });
  await expect(problems).toContainText("larger than 32 MB", { timeout: 60_000 });
});
