// Large files of nonsense are refused by their start: the rest is not read.
import { type Page } from "@playwright/test";
import { expect, test } from "../fixtures";

// Chooses a file of 200 MB, made in the page, that begins so. Returns the milliseconds until its
// problems contain its name and `words`.
const refused = (page: Page, name: string, start: string, words: string) =>
  page.evaluate(async ([name, start, words]) => {
    const chunk = "what is this\n".repeat(80_000);
    const file = new File([start, ...Array(192).fill(chunk)], name);
    if (file.size < 199e6) throw new Error(`only ${file.size} bytes`);
    const transfer = new DataTransfer();
    transfer.items.add(file);
    const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
    const begun = performance.now();
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    const said = () => document.querySelector("#file-problems")?.textContent ?? "";
    while (!said().includes(words) || !said().includes(name)) await new Promise((done) => setTimeout(done, 10));
    return performance.now() - begun;
  }, [name, start, words]);

test("200 MB of nonsense are refused within a second", async ({ open }) => {
  for (const [name, start, words] of [
    ["app.bin", "", "none of the formats that can be read"],
    // What may be a trace or a network is refused by its size.
    ["app.goal", "num_ranks 2\n", "larger than 32 MB"],
    ["net.dot", "graph {\n", "larger than 32 MB"],
  ]) {
    // The browser keeps a file as long as its page, and has space for few of this size.
    const page = await open();
    const ms = await refused(page, name, start, words);
    console.log(`${name}: refused after ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(1000);
  }
});
